# frozen_string_literal: true

# How the arguments of spawn and its like are read, and what a child's end looks like.
module Process
  WNOHANG = 1
  WUNTRACED = 2

  class Status
    class << self
      undef_method :new

      def wait(pid = -1, flags = 0)
        Process.__send__(:__wait_quietly, pid, flags)&.last
      rescue Errno::ECHILD
        __make(-1, 0)
      end

      def __make(pid, status)
        made = allocate
        Primitive.process_status_set(made, pid, status)
        made
      end
    end

    def pid = Primitive.process_status_pid(self)

    def to_i = Primitive.process_status_code(self)

    def exited? = to_i & 0x7f == 0

    def exitstatus = exited? ? (to_i >> 8) & 0xff : nil

    def signaled? = to_i & 0x7f != 0 && to_i & 0x7f != 0x7f

    def termsig = signaled? ? to_i & 0x7f : nil

    def stopped? = to_i & 0xff == 0x7f

    def stopsig = stopped? ? (to_i >> 8) & 0xff : nil

    def coredump? = to_i & 0x80 != 0

    def success? = exited? ? exitstatus == 0 : nil

    def ==(other) = Primitive.kind_of(other, Status) ? to_i == other.to_i : to_i == other

    def to_s = "pid #{pid}#{__describe}"

    def inspect = "#<Process::Status: #{self}>"

    private

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

  PRIO_PROCESS = 0
  PRIO_PGRP = 1
  PRIO_USER = 2
  RLIM_INFINITY = 0xffff_ffff_ffff_ffff
  RLIM_SAVED_MAX = RLIM_INFINITY
  RLIM_SAVED_CUR = RLIM_INFINITY
  %w[CPU FSIZE DATA STACK CORE RSS NPROC NOFILE MEMLOCK AS].each_with_index { |name, i| const_set("RLIMIT_#{name}", i) }
  {"SIGPENDING" => 11, "MSGQUEUE" => 12, "NICE" => 13, "RTPRIO" => 14, "RTTIME" => 15}.each do |name, i|
    const_set("RLIMIT_#{name}", i)
  end

  # The thread of `Process.detach`.
  class Waiter < Thread
    def pid = self[:pid]
  end

  module Sys
    def self.setuid(id) = Process.__send__(:__ids, :setuid, id) && nil

    def self.seteuid(id) = Process.__send__(:__ids, :seteuid, id) && nil

    def self.setreuid(real, effective) = Process.__send__(:__ids, :setreuid, real, effective) && nil

    def self.setresuid(real, effective, saved) = Process.__send__(:__ids, :setresuid, real, effective, saved) && nil

    def self.setgid(id) = Process.__send__(:__ids, :setgid, id) && nil

    def self.setegid(id) = Process.__send__(:__ids, :setegid, id) && nil

    def self.setregid(real, effective) = Process.__send__(:__ids, :setregid, real, effective) && nil

    def self.setresgid(real, effective, saved) = Process.__send__(:__ids, :setresgid, real, effective, saved) && nil

    def self.getuid = Process.uid

    def self.geteuid = Process.euid

    def self.getgid = Process.gid

    def self.getegid = Process.egid

    def self.issetugid = false
  end

  module UID
    class << self
      def from_name(name) = Process.__send__(:__user, ::String.new(name))

      def rid = Process.uid

      def eid = Process.euid

      def eid=(id)
        Process.euid = id
      end
      alias grant_privilege eid=

      def change_privilege(id)
        id = Process.__send__(:__user, id)
        Sys.setresuid(id, id, id)
        id
      end

      def re_exchangeable? = true

      def re_exchange
        Sys.setresuid(Process.euid, Process.uid, Process.uid)
        Process.uid
      end

      def switch(&) = Process.__send__(:__switch, Process.uid, Process.euid, :euid=, &)

      def sid_available? = true
    end
  end

  module GID
    class << self
      def from_name(name) = Process.__send__(:__group, ::String.new(name))

      def rid = Process.gid

      def eid = Process.egid

      def eid=(id)
        Process.egid = id
      end
      alias grant_privilege eid=

      def change_privilege(id)
        id = Process.__send__(:__group, id)
        Sys.setresgid(id, id, id)
        id
      end

      def re_exchangeable? = true

      def re_exchange
        Sys.setresgid(Process.egid, Process.gid, Process.gid)
        Process.gid
      end

      def switch(&) = Process.__send__(:__switch, Process.gid, Process.egid, :egid=, &)

      def sid_available? = true
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
      pid = Primitive.to_integer(pid)
      thread = Waiter.new do
        Process.wait2(pid)&.last
      rescue Errno::ECHILD
        nil
      end
      thread[:pid] = pid
      thread
    end

    def last_status = __status

    def argv0 = @argv0 ||= $0.dup.freeze

    def setproctitle(title)
      title = __text(title)
      __title(title)
      title
    end

    def getpgid(pid) = __ids(:getpgid, Primitive.to_integer(pid))

    def getpgrp = __ids(:getpgid, 0)

    def setpgid(pid, group)
      __ids(:setpgid, Primitive.to_integer(pid), Primitive.to_integer(group))
      0
    end

    def setpgrp
      __ids(:setpgid, 0, 0)
      0
    end

    def getsid(pid = 0) = __ids(:getsid, Primitive.to_integer(pid))

    def setsid = __ids(:setsid)

    def getpriority(kind, id) = __priority(Primitive.to_integer(kind), Primitive.to_integer(id))

    def setpriority(kind, id, priority) = __priority(Primitive.to_integer(kind), Primitive.to_integer(id), Primitive.to_integer(priority))

    def getrlimit(resource) = __limits(__resource(resource))

    def setrlimit(resource, soft, hard = soft)
      resource = __resource(resource)
      __limits(resource, __limit(soft), __limit(hard))
    end

    def groups = __groups

    def groups=(list)
      raise ArgumentError, "too many groups, #{maxgroups} max" if list.size > maxgroups
      __groups(list.map { |group| __group(group) })
    end

    def maxgroups = @maxgroups || 65536

    def maxgroups=(number)
      number = Primitive.to_integer(number)
      raise ArgumentError, "maxgroups #{number} should be positive" if number <= 0
      @maxgroups = [number, 65536].min
    end

    def initgroups(user, base)
      user = __text(user)
      own = File.foreach("/etc/group").filter_map do |line|
        _, _, id, members = line.chomp.split(":")
        id.to_i if members.to_s.split(",").include?(user)
      end
      __groups([Primitive.to_integer(base), *own].uniq)
    end

    def uid=(id)
      __ids(:setreuid, __user(id), -1)
    end

    def euid=(id)
      __ids(:seteuid, __user(id))
    end

    def gid=(id)
      __ids(:setregid, __group(id), -1)
    end

    def egid=(id)
      __ids(:setegid, __group(id))
    end

    def warmup = true

    private :__spawn, :__wait, :__status, :__nprocessors, :__executable

    private

    # An id, or the name of what has it.
    def __user(id) = __named(id, "/etc/passwd", "user")

    def __group(id) = __named(id, "/etc/group", "group")

    # The real id in the place of the effective one, for good or as long as a block runs.
    def __switch(real, effective, set)
      raise Errno::EPERM if effective == real
      __send__(set, real)
      return effective unless block_given?
      begin
        yield
      ensure
        __send__(set, effective)
      end
    end

    def __named(id, file, what)
      return Primitive.to_integer(id) unless Primitive.kind_of(id, String)
      found = File.foreach(file).find { |line| line.start_with?("#{id}:") }
      raise ArgumentError, "can't find #{what} for #{id}" unless found
      found.split(":")[2].to_i
    end

    def __limit_name(value)
      case value
      when Symbol then value.name
      when String then value
      else Primitive.responds(value, :to_str) ? value.to_str : nil
      end
    end

    def __resource(value)
      name = __limit_name(value)
      return Primitive.to_integer(value) unless name
      raise ArgumentError, "invalid resource name: #{name}" unless const_defined?("RLIMIT_#{name}")
      const_get("RLIMIT_#{name}")
    end

    def __limit(value)
      name = __limit_name(value)
      return Primitive.to_integer(value) unless name
      raise ArgumentError, "invalid resource value: #{name}" unless const_defined?("RLIM_#{name}")
      const_get("RLIM_#{name}")
    end

    # Waits and leaves `$?` alone.
    def __wait_quietly(pid, flags)
      waiter = Thread.new do
        Thread.current.report_on_exception = false
        __wait(Primitive.to_integer(pid), flags)
      end
      waiter.value
    end

    # `terminal`: its standard input is one that is to be its own.
    def __start(command, opts, replace, terminal = false)
      # Neither of these is an environment, whatever a program has made of it.
      plain = String === command.first || Array === command.first
      env = !plain && Primitive.responds(command.first, :to_hash) ? command.shift.to_hash : nil
      opts = command.pop.merge(opts) if Primitive.kind_of(command.last, Hash)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1+)" if command.empty?
      argv = __command(command)
      opened = []
      settings = [nil, nil, nil, nil, [], nil, nil, terminal]
      redirections = []
      clean = false
      __in_order(opts).each do |key, value|
        case key
        when :chdir then settings[0] = value
        when :pgroup
          settings[1] = value == true ? 0 : value || nil
          raise ArgumentError, "negative process group ID : #{settings[1]}" if settings[1] && Primitive.to_integer(settings[1]) < 0
        when :umask then settings[2] = value
        when :uid then settings[5] = __user(value)
        when :gid then settings[6] = __group(value)
        when :unsetenv_others then clean = __flag(value)
        when :close_others then settings[3] = __flag(value)
        when :new_pgroup, :exception then nil
        when :in, :out, :err, Integer, IO, Array then __redirect(redirections, opened, key, value)
        when /\Arlimit_/ then settings[4].concat(__rlimit(key, value))
        else raise ArgumentError, "wrong exec option symbol: #{key}"
        end
      end
      pairs = nil
      if env || clean
        variables = clean ? {} : ENV.to_h
        env&.each_pair do |name, value|
          name = __text(name)
          raise ArgumentError, "environment name contains a equal : #{name}" if name.include?("=")
          nil.equal?(value) ? variables.delete(name) : variables[name] = __text(value)
        end
        pairs = variables.to_a.flatten(1)
      end
      $stdout.flush if Primitive.responds($stdout, :flush)
      $stderr.flush if Primitive.responds($stderr, :flush)
      __spawn(argv, pairs, settings, redirections, replace)
    ensure
      opened&.each(&:close)
    end

    # The options: what refers to the child's own descriptors comes after what sets these up.
    def __in_order(options)
      waiting, ordered = options.partition { |_, value| Primitive.kind_of(value, Array) && value.first == :child }
      until waiting.empty?
        set_up = waiting.flat_map { |key, _| __descriptors(key) }
        ready, waiting = waiting.partition { |_, value| !set_up.include?(__descriptor(value[1])) }
        raise ArgumentError, "cyclic child fd redirection from #{__descriptor(waiting[0][1][1])}" if ready.empty?
        ordered.concat(ready)
      end
      ordered
    end

    # The number of what `key` limits, and the soft and the hard limit.
    def __rlimit(key, value)
      name = "RLIMIT_#{key.name.delete_prefix("rlimit_").upcase}"
      raise ArgumentError, "wrong exec option symbol: #{key}" unless key.name.match?(/\A[a-z_]+\z/) && const_defined?(name)
      limits = Primitive.responds(value, :to_ary) ? value.to_ary : [value]
      raise ArgumentError, "wrong exec rlimit option" unless limits.size.between?(1, 2)
      [const_get(name), Primitive.to_integer(limits.first), Primitive.to_integer(limits.last)]
    end

    def __flag(value, name = "option")
      return value if nil.equal?(value) || value == true || value == false
      raise ArgumentError, "expected true or false as #{name}: #{value.inspect}"
    end

    def __text(value)
      unless Primitive.kind_of(value, String)
        raise TypeError, "no implicit conversion of #{Primitive.class_of(value)} into String" unless Primitive.responds(value, :to_str)
        value = value.to_str
      end
      raise ArgumentError, "string contains null byte" if value.include?("\0")
      value
    end

    def __command(command)
      first = command.first
      first = first.to_ary if !Primitive.kind_of(first, Array) && !Primitive.kind_of(first, String) && Primitive.responds(first, :to_ary)
      if Primitive.kind_of(first, Array)
        raise ArgumentError, "wrong first argument" unless first.size == 2
        return [__text(first[0]), __text(first[1]), *command.drop(1)]
      end
      first = __text(first)
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
      when Integer
        raise ArgumentError, "negative file descriptor" if value < 0
        value
      else
        raise ArgumentError, "wrong exec redirect action" unless Primitive.responds(value, :to_io)
        stream = value.to_io
        raise ArgumentError, "duplex IO redirection" if Primitive.kind_of(stream, IO) && stream.__send__(:__duplex?)
        stream.fileno
      end
    end

    def __descriptors(key) = Primitive.kind_of(key, Array) ? key.map { |k| __descriptor(k) } : [__descriptor(key)]

    def __redirect(list, opened, key, value)
      children = __descriptors(key)
      set_up = list.each_slice(2).map(&:first) + children
      twice = children.find { |child| set_up.count(child) > 1 }
      raise ArgumentError, "fd #{twice} specified twice" if twice
      if value == :close
        children.each { |child| list << child << nil }
        return
      end
      source =
        case value
        when String
          opened << (file = File.__send__(:__open, value, children == [0] ? "r" : "w"))
          file.fileno
        when Array
          if value.first == :child
            target = __descriptor(value[1])
            at = list.each_slice(2).find { |child, _| child == target }
            raise ArgumentError, "child fd #{target} is not redirected" unless at
            at[1]
          else
            opened << (file = File.__send__(:__open, *value))
            file.fileno
          end
        else
          # Other programs expect descriptors that wait.
          IO.__send__(:__blocking, value) if Primitive.kind_of(value, IO)
          __descriptor(value)
        end
      children.each { |child| list << child << source }
    end
  end
end

module Kernel
  def spawn(*command, **opts) = Process.spawn(*command, **opts)

  def exec(*command, **opts) = Process.exec(*command, **opts)

  def system(*command, exception: false, **opts)
    pid = Process.spawn(*command, **opts)
    Process.wait(pid)
    status = $?
    return true if status.success?
    if exception
      name = command.find { |part| !Primitive.kind_of(part, Hash) }
      name = name.first if Primitive.kind_of(name, Array)
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

  module_function :spawn, :exec, :system, :`
end

module Process
  class << self
    def daemon(nochdir = nil, noclose = nil)
      __flag(nochdir, "nochdir")
      __flag(noclose, "noclose")
      __detach_session
      Dir.chdir("/") unless nochdir
      unless noclose
        null = File.__send__(:__open, "/dev/null", "r+")
        3.times { |number| __dup2(null.fileno, number) }
        null.close
      end
      0
    end

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

# Who includes the modules has their functions without naming them.
[Process, Process::Sys, Process::UID, Process::GID, Signal].each do |m|
  (m.singleton_methods(false) - %i[_fork abort exec exit exit! fork last_status spawn]).each do |name|
    case m.method(name).arity
    when 0 then m.define_method(name) { m.__send__(name) }
    when 1 then m.define_method(name) { |a| m.__send__(name, a) }
    when 2 then m.define_method(name) { |a, b| m.__send__(name, a, b) }
    when 3 then m.define_method(name) { |a, b, c| m.__send__(name, a, b, c) }
    else m.define_method(name) { |*args, **opts, &block| m.__send__(name, *args, **opts, &block) }
    end
    m.__send__(:private, name)
  end
end

class Symbol
  private

  # What a constant under `shareable_constant_value` is set to; the symbol is the mode.
  def __shareable(value, name)
    case self
    when :literal
      raise Ractor::IsolationError, "cannot assign unshareable object to #{name}" unless __share(value)
      value
    when :copy then Ractor.make_shareable(value, copy: true)
    else Ractor.make_shareable(value)
    end
  end

  # Freezes what a literal is made of; false if something in it cannot be shared.
  def __share(value, seen = {}.compare_by_identity)
    return true if seen[value] || Module === value || Ractor.shareable?(value)
    seen[value] = true
    parts = value.instance_variables.map { |n| value.instance_variable_get(n) }
    case value
    when Array then parts.concat(value)
    when Hash then value.each { |k, v| parts << k << v }
    when Struct then parts.concat(value.to_a)
    when Range then parts << value.begin << value.end
    when String, Numeric, Symbol, Regexp, nil, true, false, Data
    else
      return false unless value.frozen?
    end
    value.freeze
    parts.all? { |part| __share(part, seen) }
  end
end
