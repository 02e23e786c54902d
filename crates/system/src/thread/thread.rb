# The parts of Thread, Mutex and Monitor that yield, and MonitorMixin.

class Thread
  def self.handle_interrupt(mask)
    raise ArgumentError, "block is needed." unless Primitive.block_given
    Primitive.thread_push_mask(mask)
    begin
      yield
    ensure
      Primitive.thread_pop_mask
    end
  end

  def self.each_caller_location(*args)
    raise LocalJumpError, "no block given" unless Primitive.block_given
    caller_locations(*args)&.each { |location| yield location }
    nil
  end

  class Mutex
    def synchronize
      raise ThreadError, "must be called with a block" unless Primitive.block_given
      Primitive.mutex_lock(self)
      done = false
      begin
        result = yield
        done = true
        result
      ensure
        done ? Primitive.mutex_leave(self) : Primitive.mutex_unlock(self)
      end
    end
  end
end

class Monitor
  def synchronize
    Primitive.monitor_enter(self)
    begin
      yield
    ensure
      Primitive.monitor_exit(self)
    end
  end
  alias mon_synchronize synchronize

  def new_cond = MonitorMixin::ConditionVariable.new(self)
end

module MonitorMixin
  # A condition variable that belongs to a monitor.
  class ConditionVariable
    def initialize(monitor)
      @monitor = monitor
      @cond = Thread::ConditionVariable.new
    end

    def wait(timeout = nil)
      @monitor.mon_check_owner
      @monitor.wait_for_cond(@cond, timeout)
    end

    def wait_while
      wait while yield
    end

    def wait_until
      wait until yield
    end

    def signal
      @monitor.mon_check_owner
      @cond.signal
    end

    def broadcast
      @monitor.mon_check_owner
      @cond.broadcast
    end
  end

  def self.extend_object(object)
    super
    object.__send__(:mon_initialize)
  end

  def initialize(...)
    super
    mon_initialize
  end

  def mon_initialize
    # A copy of an object that has a monitor gets one of its own.
    if defined?(@mon_data) && @mon_data && @mon_data_owner_object_id == object_id
      return if @mon_initialized_by_new_cond
      raise ThreadError, "already initialized"
    end
    @mon_data = ::Monitor.new
    @mon_data_owner_object_id = object_id
  end
  private :mon_initialize

  def mon_enter = @mon_data.enter

  def mon_exit
    mon_check_owner
    @mon_data.exit
  end

  def mon_try_enter = @mon_data.try_enter
  alias try_mon_enter mon_try_enter

  def mon_locked? = @mon_data.mon_locked?
  def mon_owned? = @mon_data.mon_owned?

  def mon_synchronize(&block) = @mon_data.synchronize(&block)
  alias synchronize mon_synchronize

  def new_cond
    unless @mon_data
      mon_initialize
      @mon_initialized_by_new_cond = true
    end
    ConditionVariable.new(@mon_data)
  end

  def mon_check_owner = @mon_data.mon_check_owner
  private :mon_check_owner
end

class Thread
  # A copy would share what waits in it.
  class Queue
    undef_method :initialize_copy
  end

  class ConditionVariable
    undef_method :initialize_copy
  end
end
