# The parts of TracePoint that yield, and the trace functions.

class TracePoint
  def self.new(*events, &block)
    Primitive.tracepoint_new(self, events, block)
  end

  def self.trace(*events, &block)
    point = Primitive.tracepoint_new(self, events, block)
    Primitive.tracepoint_enable(point, nil, nil, nil, false)
    # A loop, at whose end the thread changes to traced execution.
    again = true
    again = false while again
    point
  end

  def self.stat = Primitive.tracepoint_stat

  def self.allow_reentry
    raise ArgumentError, "no block given" unless Primitive.block_given
    before = Primitive.tracepoint_allow_reentry(true)
    begin
      again = true
      again = false while again
      yield
    ensure
      Primitive.tracepoint_allow_reentry(before)
    end
  end

  def enabled? = Primitive.tracepoint_enabled(self, false)

  def enable(target: nil, target_line: nil, target_thread: :default)
    was = Primitive.tracepoint_enable(self, target, target_line, target_thread, Primitive.block_given)
    again = true
    again = false while again
    return was unless Primitive.block_given
    begin
      yield
    ensure
      Primitive.tracepoint_restore(self, was)
    end
  end

  def disable
    return Primitive.tracepoint_disable(self) unless Primitive.block_given
    if Primitive.tracepoint_enabled(self, true)
      raise ArgumentError, "can't disable a targeting TracePoint in a block"
    end
    was = Primitive.tracepoint_disable(self)
    begin
      yield
    ensure
      Primitive.tracepoint_restore(self, was)
      again = true
      again = false while again
    end
  end
end

module Kernel
  def set_trace_func(function)
    Primitive.set_trace_func(function)
    again = true
    again = false while again
    function
  end
  module_function :set_trace_func
end

class Thread
  def set_trace_func(function)
    Primitive.thread_trace_func(self, function, true)
    again = true
    again = false while again
    function
  end

  def add_trace_func(function)
    Primitive.thread_trace_func(self, function, false)
    again = true
    again = false while again
    function
  end
end
