# frozen_string_literal: true

# Which lines, branches and methods a program runs. One measurement a VM: code that is loaded while one is set up counts in it.
module Coverage
  @__state = :idle
  @__mode = nil
  # Changes of the state exclude each other; counting takes no lock.
  @__lock = Monitor.new

  def self.supported?(mode)
    raise TypeError, "wrong argument type #{mode.class} (expected Symbol)" unless Symbol === mode

    case mode
    when :lines, :oneshot_lines, :branches, :methods, :eval then true
    else false
    end
  end

  def self.__mode(type)
    return { lines: true, branches: true, methods: true, eval: true } if type == :all

    type = Hash.try_convert(type) || raise(TypeError, "no implicit conversion of #{type.class} into Hash")
    raise "cannot enable lines and oneshot_lines simultaneously" if type[:lines] && type[:oneshot_lines]

    mode = {}
    [:lines, :oneshot_lines, :branches, :methods, :eval].each { |name| mode[name] = true if type[name] }
    mode
  end
  private_class_method :__mode

  module_function

  def setup(type = (none = true))
    Coverage.instance_eval do
      @__lock.synchronize do
        raise "coverage measurement is already setup" unless @__state == :idle

        mode = none ? {} : __mode(type)
        # Nothing asked for: the lines, in the form of old.
        lines = mode.empty? || mode[:lines] || mode[:oneshot_lines]
        Primitive.coverage_setup(lines, mode[:oneshot_lines], mode[:branches], mode[:methods], mode[:eval])
        @__mode = mode
        @__state = :suspended
      end
    end
    nil
  end

  def start(...)
    Coverage.setup(...)
    Coverage.resume
  end

  def resume
    Coverage.instance_eval do
      @__lock.synchronize do
        raise "coverage measurement is not set up yet" if @__state == :idle
        raise "coverage measurement is already running" if @__state == :running

        Primitive.coverage_run(true)
        @__state = :running
      end
    end
    nil
  end

  def suspend
    Coverage.instance_eval do
      @__lock.synchronize do
        raise "coverage measurement is not running" unless @__state == :running

        Primitive.coverage_run(false)
        @__state = :suspended
      end
    end
    nil
  end

  def peek_result
    Coverage.instance_eval do
      @__lock.synchronize do
        raise "coverage measurement is not enabled" if @__state == :idle

        __read(false)
      end
    end
  end

  def result(options = (none = true))
    Coverage.instance_eval do
      @__lock.synchronize do
        raise "coverage measurement is not enabled" if @__state == :idle

        stop = clear = true
        unless none
          options = Hash.try_convert(options) || raise(TypeError, "no implicit conversion of #{options.class} into Hash")
          stop, clear = options[:stop], options[:clear]
        end
        if stop && !clear
          warn("stop implies clear", uplevel: 0)
          clear = true
        end
        read = __read(clear)
        if stop
          Primitive.coverage_end
          @__state = :idle
        end
        read
      end
    end
  end

  def state
    Coverage.instance_eval { @__state }
  end

  def running?
    Coverage.instance_eval { @__state == :running }
  end

  def self.line_stub(file)
    source = File.binread(file)
    counts = Primitive.coverage_line_stub(source, file.to_s)
    source.each_line.with_index.map { |_, n| counts[n] }
  end

  def self.__read(clear)
    result = {}
    methods = @__mode[:methods] ? Hash.new { |files, path| files[path] = {} } : nil
    methods && Primitive.coverage_methods(clear).each do |path, key, count|
      of_file = methods[path]
      of_file[key] = (of_file[key] || 0) + count
    end
    Primitive.coverage_files(clear).each do |path, lines, branches|
      lines&.freeze
      result[path] =
        if @__mode.empty?
          lines
        else
          entry = {}
          entry[:lines] = lines if @__mode[:lines]
          entry[:oneshot_lines] = lines if @__mode[:oneshot_lines]
          entry[:branches] = branches if branches
          entry[:methods] = methods[path] if methods
          entry
        end
    end
    result.freeze
  end
  private_class_method :__read
end
