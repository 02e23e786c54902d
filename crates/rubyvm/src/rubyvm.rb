# frozen_string_literal: true

# Another Ruby in this process: its own classes, constants, globals and objects. Only messages go from one to the other.
class RubyVM
  class << self
    # RubyVM.new("name", "script.rb", *arguments), with options of the command line in front of the script;
    # RubyVM.new("name", source: "…"); RubyVM.new("name") { … }.
    def new(name, *rest, source: nil, stdin: nil, stdout: nil, stderr: nil, env: nil, chdir: nil,
            load_path: [], memory_limit: nil, time_limit: nil, allow: [], extensions: nil, &block)
      options = {
        name: String(name), block: block, source: source, file: "(#{name})", stdin: stdin, stdout: stdout,
        stderr: stderr, env: env, chdir: chdir, load_path: Array(load_path), requires: [],
        memory_limit: memory_limit, time_limit: time_limit,
        allow: Array(allow).map(&:to_s), extensions: extensions
      }
      parse(options, rest)
      programs = %i[block source script].count { |kind| options[kind] }
      raise ArgumentError, "no script, source or block given" if programs == 0
      raise ArgumentError, "give one of script, source and block" if programs > 1
      __create(options)
    end

    # Takes samples of all threads of this VM while the block runs, each after `period` seconds of its processor time. With a file
    # the value is the block's; without one, the samples: Hashes of thread, seconds and the stack, innermost frame first.
    def profile(file = nil, period: 0.001)
      raise ArgumentError, "no block given" unless block_given?
      file = file.respond_to?(:to_path) ? file.to_path : String(file) if file
      __profile(Float(period))
      begin
        value = yield
      ensure
        samples = __profiled(file)
      end
      file ? value : samples
    end

    # Notes what the threads of this VM wait for while the block runs, in a file of trace events; the value is the block's.
    def trace(file)
      raise ArgumentError, "no block given" unless block_given?
      timeline = __trace(file.respond_to?(:to_path) ? file.to_path : String(file))
      begin
        yield
      ensure
        __traced(timeline)
      end
    end

    # Looks for races between the threads of this VM while the block runs: accesses to one variable, element or key of which one
    # writes, with nothing that orders them. The value is an Array of Hashes.
    def races
      raise ArgumentError, "no block given" unless block_given?
      __races
      begin
        yield
      ensure
        found = __raced
      end
      found
    end

    # What the VM counts: `next_shape_id`, the number that the next new shape gets, and `constant_cache_invalidations`, changes of
    # constants. Of CRuby's other numbers there are none here.
    def stat(wanted = nil)
      counts = { constant_cache_invalidations: __constant_changes, next_shape_id: __shapes }
      case wanted
      when nil then counts
      when Hash then wanted.update(counts)
      when Symbol then counts.fetch(wanted) { raise ArgumentError, "unknown key: #{wanted}" }
      else raise TypeError, "non-hash or symbol given"
      end
    end

    private

    # The options of a command line: what is left of it is the script and its arguments.
    def parse(options, rest)
      rest = rest.dup
      lines = []
      while (option = rest.first).is_a?(String) && option.start_with?("-") && option != "-"
        rest.shift
        case option
        when "--" then break
        when "-e" then lines << rest.shift
        when "-w" then options[:verbose] = true
        when "-W0" then options[:verbose] = nil
        when "-W1" then options[:verbose] = false
        when "-W2", "-W" then options[:verbose] = true
        when "-I" then options[:load_path] += [rest.shift]
        when /\A-I(.+)/m then options[:load_path] += [$1]
        when "-r" then options[:requires] += [rest.shift]
        when /\A-r(.+)/m then options[:requires] += [$1]
        else raise ArgumentError, "a VM does not take the option #{option}"
        end
      end
      if lines.empty?
        options[:script] = rest.shift unless options[:block] || options[:source]
      else
        options[:source] = lines.join("\n")
        options[:file] = "-e"
      end
      options[:argv] = rest
    end

    # In a new VM, before its program: what `new` was given for it.
    def __enter(changes, stdin, stdout, stderr)
      # Streams first: they close their descriptors, whatever is wrong with the rest.
      __stream(:STDIN, stdin, "r") { |io| $stdin = io }
      __stream(:STDOUT, stdout, "w") { |io| $stdout = io }
      __stream(:STDERR, stderr, "w") { |io| $stderr = io }
      ENV.update(changes) if changes
    end

    def __stream(name, fd, mode)
      return unless fd
      io = IO.for_fd(fd, mode)
      io.sync = true if name == :STDERR
      Object.__send__(:remove_const, name)
      Object.const_set(name, io)
      yield io
    end
  end

  # Runs it; what is given becomes its RubyVM::ARGV, and the arguments of a block.
  def start(*arguments)
    __start(arguments)
  end

  def alive?
    status ? status != "created" : false
  end

  # Hands it a signal, as Process.kill hands one to a process; whether it runs.
  def signal(signal)
    number = signal.is_a?(Integer) ? signal : Signal.list[signal.to_s.delete_prefix("SIG")]
    raise ArgumentError, "unsupported signal 'SIG#{signal}'" unless number
    __signal(number)
  end

  def inspect
    "#<RubyVM:#{name} #{status || "terminated"}>"
  end
  alias to_s inspect
  alias eql? ==

  # What an object is after it was sent with `move: true`.
  class MovedObject < BasicObject
    def method_missing(*)
      ::Kernel.raise(MovedError, "can not send any methods to a moved object")
    end
    alias == method_missing
    alias ! method_missing
    alias != method_missing
    alias equal? method_missing
    alias instance_eval method_missing
    alias instance_exec method_missing
  end

  class Channel
    include Enumerable

    # The first of the channels that has a message, and the message; nil when the time is over.
    def self.select(*channels, timeout: nil)
      raise ArgumentError, "no channel given" if channels.empty?
      __select(channels, timeout)
    end

    # Every message until the channel is closed.
    def each
      return to_enum unless block_given?
      while true
        begin
          message = recv
        rescue ClosedError
          return self
        end
        yield message
      end
    end

    def empty?
      size == 0
    end

    def inspect
      "#<RubyVM::Channel:#{id}#{" closed" if closed?}>"
    end
    alias to_s inspect
  end

  # Without methods: there are no such trees here, and programs ask the module for what it can do.
  module AbstractSyntaxTree
  end

  class InstructionSequence
    def self.compile(source, file = "<compiled>", path = nil, line = 1, *)
      __compile(source, file || "<compiled>", line || 1)
    end

    def self.compile_file(file, *)
      __compile(File.read(file), file, 1)
    end

    class << self
      alias new compile

      # The options of CRuby's compiler, most of which choose among its ways to do the same.
      def compile_option = (@__compile_option || __compile_options).dup

      def compile_option=(options)
        wanted = __compile_options
        case options
        when nil
        when true then raise NotImplementedError, "there is no tail call optimization here"
        when false then wanted.each_key { |name| wanted[name] = name == :debug_level ? 0 : false }
        when Hash then wanted.each_key { |name| wanted[name] = options[name] unless options[name].nil? }
        else raise TypeError, "Compile option must be Hash/true/false/nil"
        end
        # What would change the meaning of programs, and cannot.
        if wanted[:tailcall_optimization] || wanted[:debug_frozen_string_literal] || wanted[:frozen_string_literal]
          raise NotImplementedError, "there is no such compile option here"
        end
        @__compile_option = wanted
      end

      private

      def __compile_options
        {
          inline_const_cache: true, peephole_optimization: true, tailcall_optimization: false, specialized_instruction: true,
          operands_unification: true, instructions_unification: false, debug_frozen_string_literal: false,
          coverage_enabled: true, debug_level: 0, frozen_string_literal: nil
        }
      end
    end

    def inspect
      "<RubyVM::InstructionSequence:#{label}@#{path}:#{first_lineno}>"
    end
    alias absolute_path path

    def base_label = label.sub(/\A(?:block (?:\(\d+ levels\) )?|rescue |ensure )+in /, "")

    # Sources are not kept.
    def script_lines = nil

    # A format of our own, in CRuby's places; instructions are lines of text.
    def to_a
      [
        "AsterismInstructionSequence/TextFormat", 1, 0, 1, {}, label, path, absolute_path, first_lineno, __kind, [], {}, [],
        disasm.lines(chomp: true)
      ]
    end
  end
end
