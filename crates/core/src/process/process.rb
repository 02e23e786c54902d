# frozen_string_literal: true

# How the arguments of spawn and its like are read, and what a child's end looks like.
module Process
  WNOHANG = 1
  WUNTRACED = 2

  class Status
    class << self
      undef_method :new

      def wait(pid = -1, flags = 0) = Process.__send__(:__wait, pid, flags)&.last

      def __make(pid, status)
        made = allocate
        made.__send__(:__set, pid, status)
        made
      end
    end

    attr_reader :pid

    def to_i = @status

    def exited? = @status & 0x7f == 0

    def exitstatus = exited? ? (@status >> 8) & 0xff : nil

    def signaled? = @status & 0x7f != 0 && @status & 0x7f != 0x7f

    def termsig = signaled? ? @status & 0x7f : nil

    def stopped? = @status & 0xff == 0x7f

    def stopsig = stopped? ? (@status >> 8) & 0xff : nil

    def coredump? = @status & 0x80 != 0

    def success? = exited? ? exitstatus == 0 : nil

    def ==(other) = other.is_a?(Status) ? to_i == other.to_i : to_i == other

    def to_s = "pid #{@pid}#{__describe}"

    def inspect = "#<Process::Status: #{self}>"

    private

    def __set(pid, status)
      @pid = pid
      @status = status
    end

    def __describe
      if signaled?
        name = Signal.signame(termsig)
        " #{name ? "SIG#{name} (signal #{termsig})" : "signal #{termsig}"}#{" (core dumped)" if coredump?}"
      elsif stopped?
        " stopped SIG#{Signal.signame(stopsig)} (signal #{stopsig})"
      else
        " exit #{exitstatus}"
      end
    end
  end

  class << self
    def spawn(*command, **opts) = __start(command, opts, false)

    def exec(*command, **opts) = __start(command, opts, true)

    def wait(pid = -1, flags = nil) = __wait(pid, flags)&.first
    alias waitpid wait

    def wait2(pid = -1, flags = nil) = __wait(pid, flags)
    alias waitpid2 wait2

    def waitall
      ended = []
      loop { ended << wait2 }
    rescue Errno::ECHILD
      ended
    end

    def detach(pid)
      thread = Thread.new { Process.wait2(pid)&.last }
      thread.define_singleton_method(:pid) { pid }
      thread
    end

    def last_status = __status

    def fork = raise(NotImplementedError, "fork() function is unimplemented on this machine")

    def daemon(*) = raise(NotImplementedError, "daemon() function is unimplemented on this machine")

    def argv0 = $0.dup.freeze

    def setproctitle(title) = title

    def warmup = true

    private :__spawn, :__wait, :__status, :__nprocessors, :__executable

    private

    def __start(command, opts, replace)
      env = command.first.respond_to?(:to_hash) ? command.shift.to_hash : nil
      opts = command.pop.merge(opts) if command.last.is_a?(Hash)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1+)" if command.empty?
      argv = __command(command)
      opened = []
      settings = [nil, nil, nil]
      redirections = []
      clean = false
      # What refers to the child's own descriptors comes after what sets these up.
      within, others = opts.partition { |_, value| value.is_a?(Array) && value.first == :child }
      (others + within).each do |key, value|
        case key
        when :chdir then settings[0] = value
        when :pgroup then settings[1] = value == true ? 0 : value
        when :umask then settings[2] = value
        when :unsetenv_others then clean = value
        when :close_others, :new_pgroup, :exception then nil
        when :in, :out, :err, Integer, IO, Array then __redirect(redirections, opened, key, value)
        else raise ArgumentError, "wrong exec option symbol: #{key}"
        end
      end
      pairs = nil
      if env || clean
        variables = clean ? {} : ENV.to_h
        env&.each_pair { |name, value| value.nil? ? variables.delete(name) : variables[name] = value }
        pairs = variables.to_a.flatten(1)
      end
      $stdout.flush if $stdout.respond_to?(:flush)
      $stderr.flush if $stderr.respond_to?(:flush)
      __spawn(argv, pairs, settings, redirections, replace)
    ensure
      opened&.each(&:close)
    end

    def __command(command)
      first = command.first
      if first.is_a?(Array)
        raise ArgumentError, "wrong first argument" unless first.size == 2
        return [first[0].to_str, first[1].to_str, *command.drop(1)]
      end
      first = first.to_str
      return [first, first, *command.drop(1)] if command.size > 1
      raise Errno::ENOENT, first if first.strip.empty?
      words = first.split(" ")
      shell = first.count("*?{}[]<>()~&|\\\\$;'`\"\n#=%") > 0 || __builtin?(words.first)
      return ["/bin/sh", "sh", "-c", first] if shell
      [words.first, words.first, *words.drop(1)]
    end

    def __builtin?(word)
      %w[. : break case continue do done elif else esac eval exec exit export fi for if in readonly return set shift
         then times trap unset until while alias bg cd command fc fg getopts hash jobs read type ulimit umask unalias
         wait].include?(word)
    end

    def __descriptor(value)
      case value
      when :in then 0
      when :out then 1
      when :err then 2
      when Integer then value
      else value.to_io.fileno
      end
    end

    def __redirect(list, opened, key, value)
      children = key.is_a?(Array) ? key.map { |k| __descriptor(k) } : [__descriptor(key)]
      if value == :close
        children.each { |child| list << child << nil }
        return
      end
      source =
        case value
        when String
          opened << (file = File.open(value, children == [0] ? "r" : "w"))
          file.fileno
        when Array
          if value.first == :child
            target = __descriptor(value[1])
            at = list.each_slice(2).find { |child, _| child == target }
            at ? at[1] : target
          else
            opened << (file = File.open(*value))
            file.fileno
          end
        else __descriptor(value)
        end
      children.each { |child| list << child << source }
    end
  end
end

module Kernel
  def spawn(*command, **opts) = Process.spawn(*command, **opts)

  def exec(*command, **opts) = Process.exec(*command, **opts)

  def fork = Process.fork

  def system(*command, exception: false, **opts)
    pid = Process.spawn(*command, **opts)
    Process.wait(pid)
    status = $?
    return true if status.success?
    if exception
      name = command.find { |part| !part.is_a?(Hash) }
      name = name.first if name.is_a?(Array)
      raise "Command failed with#{status.to_s.delete_prefix("pid #{status.pid}")}: #{name}"
    end
    status.exited? ? false : nil
  rescue SystemCallError
    raise if exception
    Process.__send__(:__failed)
    nil
  end

  def `(command)
    io = IO.popen(command.to_str)
    # A thread that is killed while it reads does not wait for the command's end.
    text = io.read
    io.close
    text
  end

  class << self
    def __exit_proc = proc { exit }

    def __command_proc(text) = proc { TOPLEVEL_BINDING.eval(text) }
    private :__exit_proc, :__command_proc
  end

  module_function :spawn, :exec, :fork, :system, :`
end

module Process
  class << self
    private

    # `$?` after a command that could not be started.
    def __failed
      Process.spawn("exit 127")
      Process.wait
    end
  end
end

# What `times` answers as.
module Process
  Tms = Struct.new(:utime, :stime, :cutime, :cstime)

  def self.times
    Tms.new(*Primitive.process_times)
  end
end

class Symbol
  private

  # What a constant under `shareable_constant_value` is set to; the symbol is the mode.
  def __shareable(value, name)
    case self
    when :literal
      unless __share(value, false)
        error = defined?(Ractor::IsolationError) ? Ractor::IsolationError : RuntimeError
        raise error, "cannot assign unshareable object to #{name}"
      end
    when :copy
      value = __share_copy(value)
      __share(value, true)
    else
      __share(value, true)
    end
    value
  end

  def __share_copy(value)
    case value
    when Integer, Float, Symbol, nil, true, false, Module then value
    when Array then value.map { |v| __share_copy(v) }
    when Hash
      value.to_h { |k, v| [__share_copy(k), __share_copy(v)] }
    else
      return value if value.frozen?
      copy = value.clone
      copy.instance_variables.each { |n| copy.instance_variable_set(n, __share_copy(copy.instance_variable_get(n))) }
      copy
    end
  end

  # Freezes what a literal is made of, or with `all` everything that can be reached; false if something cannot be shared.
  def __share(value, all, seen = {}.compare_by_identity)
    return true if seen[value] || Module === value
    seen[value] = true
    parts = value.instance_variables.map { |n| value.instance_variable_get(n) }
    case value
    when Array then parts.concat(value)
    when Hash then value.each { |k, v| parts << k << v }
    when Struct then parts.concat(value.to_a)
    when Range then parts << value.begin << value.end
    when String, Numeric, Symbol, Regexp, nil, true, false, Data
    else
      return false unless all || value.frozen?
    end
    value.freeze
    parts.all? { |part| __share(part, all, seen) }
  end
end
