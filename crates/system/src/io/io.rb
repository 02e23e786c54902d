# frozen_string_literal: true

# What of IO, File and Dir calls blocks or is made of other methods.
class IO
  class << self
    def open(*args, **opts)
      io = new(*args, **opts)
      return io unless block_given?
      begin
        yield io
      ensure
        io.__send__(:__close_quietly)
      end
    end

    # What other methods open files by: a program may give File another `open`.
    alias __open open
    private :__open

    def for_fd(*args, **opts) = new(*args, **opts)

    def pipe(*encodings, **opts)
      pair = __pipe
      pair.each(&:binmode) if opts.delete(:binmode)
      # The encodings are the reading end's.
      pair[1].set_encoding(nil) unless encodings.empty?
      pair[0].set_encoding(*encodings, **opts) unless encodings.empty?
      return pair unless block_given?
      begin
        yield pair
      ensure
        pair[0].__send__(:__close_quietly)
        pair[1].__send__(:__close_quietly)
      end
    end

    def read(path, length = nil, offset = nil, **opts)
      raise ArgumentError, "negative length #{length} given" if length && length < 0
      raise ArgumentError, "negative offset #{offset} given" if offset && offset < 0
      File.__send__(:__open, File.path(path), **__read_options(opts)) do |f|
        f.seek(offset) if offset
        f.read(length)
      end
    end

    def binread(path, length = nil, offset = nil)
      File.__send__(:__open, File.path(path), "rb:ASCII-8BIT") do |f|
        f.seek(offset) if offset
        f.read(length)
      end
    end

    def write(path, data, offset = nil, mode: nil, perm: nil, **opts)
      mode ||= offset ? File::WRONLY | File::CREAT : "w"
      File.__send__(:__open, File.path(path), mode, perm, **opts) do |f|
        f.seek(offset) if offset
        f.write(data)
      end
    end

    def binwrite(path, data, offset = nil, mode: nil, **opts)
      mode ||= offset ? File::WRONLY | File::CREAT : "wb"
      File.__send__(:__open, File.path(path), mode, **opts) do |f|
        f.binmode
        f.seek(offset) if offset
        f.write(data)
      end
    end

    def readlines(path, *args, chomp: false, **opts)
      File.__send__(:__open, File.path(path), **__read_options(opts)) { |f| f.readlines(*args, chomp: chomp) }
    end

    def foreach(path, *args, chomp: false, **opts, &block)
      return to_enum(:foreach, path, *args, **(chomp ? { chomp: chomp } : {}), **opts) unless block
      if given = opts.delete(:open_args)
        *given, named = given if Hash === given.last
        opened = File.__send__(:__open, File.path(path), *given, **(named || {}))
      else
        opened = File.__send__(:__open, File.path(path), **__read_options(opts))
      end
      begin
        opened.each_line(*args, chomp: chomp, &block)
      ensure
        opened.close
      end
      nil
    end

    def copy_stream(src, dst, length = nil, offset = nil)
      length = __copy_size(length, "length")
      offset = __copy_size(offset, "offset")
      close = []
      src = __copy_end(src, "rb", close)
      dst = __copy_end(dst, "wb", close)
      raise ArgumentError, "cannot specify src_offset for non-IO" if offset && !Primitive.kind_of(src, IO)
      raise IOError, "not opened for reading" if Primitive.kind_of(src, IO) && !src.closed? && !src.__send__(:__readable?)
      dst.flush if Primitive.kind_of(dst, IO)
      __copy_stream(src, dst, length, offset)
    ensure
      close&.each(&:close)
    end

    def console_size = [25, 80]

    # The new process of `popen("-")`: its standard streams lead to the other one.
    private def __in_child(others, input, output)
      others.each { |io| io&.close }
      [[input, 0], [output, 1]].each do |io, number|
        next unless io
        Process.__send__(:__dup2, io.fileno, number)
        io.close
      end
      return unless block_given?
      begin
        yield nil
      ensure
        # Whatever ends the block, nothing around it goes on here.
        begin
          $stdout.flush
          $stderr.flush
        ensure
          exit!(0)
        end
      end
    end

    def popen(*command, **opts, &block)
      env = Primitive.kind_of(command.first, Hash) ? command.shift : nil
      opts = command.pop.merge(opts) if command.size > 1 && Primitive.kind_of(command.last, Hash)
      mode = command.size > 1 ? command.pop : opts.delete(:mode) || "r"
      command = command.first
      if Primitive.kind_of(command, Array)
        command = command.dup
        env = command.shift if Primitive.kind_of(command.first, Hash)
        opts = command.pop.merge(opts) if Primitive.kind_of(command.last, Hash)
        command[0] = [command[0], command[0]] if command.size == 1 && Primitive.kind_of(command[0], String)
      else
        command = [command]
      end
      mode = Primitive.kind_of(mode, Integer) ? %w[r w r+][mode & 3] || "r" : Primitive.responds(mode, :to_str) ? mode.to_str : mode.to_s
      encodings = %i[external_encoding internal_encoding encoding textmode binmode].to_h { |name| [name, opts.delete(name)] }
      encodings.compact!
      reads = mode.start_with?("r") || mode.include?("+")
      writes = !mode.start_with?("r") || mode.include?("+")
      theirs = []
      if reads
        out, child_out = IO.__send__(:__pipe)
        IO.__send__(:__blocking, child_out)
        opts[:out] = child_out
        theirs << child_out
      end
      if writes
        child_in, into = IO.__send__(:__pipe)
        IO.__send__(:__blocking, child_in)
        opts[:in] = child_in
        theirs << child_in
      end
      if command == ["-"]
        pid = Process._fork
        return __in_child([out, into], child_in, child_out, &block) if pid == 0
      else
        pid = env ? Process.spawn(env, *command, **opts) : Process.spawn(*command, **opts)
      end
      theirs.each(&:close)
      io = __join_streams(out, into, pid)
      io.set_encoding(mode.split(":", 2).last) if mode.include?(":")
      if encodings[:external_encoding] || encodings[:internal_encoding]
        io.set_encoding(encodings[:external_encoding] || Encoding.default_external, encodings[:internal_encoding])
      elsif encodings[:encoding]
        io.set_encoding(encodings[:encoding])
      end
      io.binmode if mode.split(":", 2).first.include?("b") || encodings[:binmode]
      return io unless block_given?
      begin
        yield io
      ensure
        io.__send__(:__close_quietly)
      end
    end

    private

    def __copy_size(size, name)
      return size if nil.equal?(size)
      size = Primitive.to_integer(size)
      raise ArgumentError, "negative #{name} #{size} given" if size < 0
      size
    end

    # What was read goes out at once, so that both ends of a conversation can copy.
    # One end of a copy: a stream, or what has methods to read or write by. `to_io` of what is no path says nothing: a TLS
    # socket has one.
    def __copy_end(v, mode, close)
      return v if Primitive.kind_of(v, IO) || !(Primitive.kind_of(v, String) || Primitive.responds(v, :to_path))
      return v.to_io if Primitive.responds(v, :to_io)
      File.__send__(:__open, v, mode).tap { |file| close << file }
    end

    def __copy_stream(src, dst, length, offset)
      total = 0
      while nil.equal?(length) || total < length
        want = length ? [length - total, 65536].min : 65536
        chunk = begin
          if offset
            src.pread(want, offset)
          elsif Primitive.kind_of(src, IO)
            src.readpartial(want)
          else
            # What is no stream is given the String to read into.
            buffer = +""
            read = Primitive.responds(src, :readpartial) ? src.readpartial(want, buffer) : src.read(want, buffer)
            nil.equal?(read) || buffer.empty? ? read : buffer
          end
        rescue EOFError
          nil
        end
        break if nil.equal?(chunk) || chunk.empty?
        offset += chunk.bytesize if offset
        if Primitive.kind_of(dst, IO)
          # Bytes are copied, whatever encodings the streams have.
          dst.__send__(:__write_bytes, chunk)
          dst.flush
        else
          dst.write(chunk)
        end
        total += chunk.bytesize
      end
      total
    end

    def __read_options(opts)
      opts[:mode] ||= "r" unless opts.key?(:flags)
      opts
    end
  end

  def each_line(*args, chomp: false)
    return to_enum(:each_line, *args, chomp: chomp) unless block_given?
    limit = args.last
    raise ArgumentError, "invalid limit: 0 for each_line" if limit == 0
    while line = __gets(*args, chomp: chomp)
      yield line
    end
    self
  end

  def each(*args, chomp: false, &block)
    return to_enum(:each, *args, chomp: chomp) unless block
    each_line(*args, chomp: chomp, &block)
  end

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while byte = getbyte
      yield byte
    end
    self
  end

  def each_char
    return to_enum(:each_char) unless block_given?
    while char = getc
      yield char
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) unless block_given?
    while char = getc
      yield char.ord
    end
    self
  end

  def ready? = !!wait_readable(0)

  def nonblock(nonblock = true)
    before = nonblock?
    self.nonblock = nonblock
    yield self
  ensure
    self.nonblock = before unless nil.equal?(before) || closed?
  end

  def advise(advice, offset = 0, length = 0)
    raise TypeError, "no implicit conversion of #{Primitive.class_of(advice)} into Symbol" unless Primitive.kind_of(advice, Symbol)
    __advise(advice, offset, length)
    nil
  end

  private

  def __close_quietly
    close unless closed?
  rescue IOError
    nil
  end
end

class File
  class Stat
    include Comparable

    def size? = size.zero? ? nil : size

    def zero? = size.zero?

    def owned? = uid == Process.euid

    def grpowned? = gid == Process.egid

    def setuid? = mode & 0o4000 != 0

    def setgid? = mode & 0o2000 != 0

    def sticky? = mode & 0o1000 != 0

    def readable? = __access?(4)

    def writable? = __access?(2)

    def executable? = uid_root? ? mode & 0o111 != 0 : __access?(1)

    alias readable_real? readable?
    alias writable_real? writable?
    alias executable_real? executable?

    def world_readable? = mode & 0o004 != 0 ? mode & 0o777 : nil

    def world_writable? = mode & 0o002 != 0 ? mode & 0o777 : nil

    def dev_major = (dev >> 8) & 0xfff

    def dev_minor = (dev & 0xff) | ((dev >> 12) & 0xfff00)

    def rdev_major = (rdev >> 8) & 0xfff

    def rdev_minor = (rdev & 0xff) | ((rdev >> 12) & 0xfff00)

    def <=>(other) = Primitive.kind_of(other, Stat) ? mtime <=> other.mtime : nil

    def inspect
      "#<File::Stat dev=0x#{dev.to_s(16)}, ino=#{ino}, mode=0#{mode.to_s(8)}, nlink=#{nlink}, uid=#{uid}, gid=#{gid}, " \
        "rdev=0x#{rdev.to_s(16)}, size=#{size}, blksize=#{blksize}, blocks=#{blocks}, atime=#{atime.inspect}, " \
        "mtime=#{mtime.inspect}, ctime=#{ctime.inspect}>"
    end

    private

    def uid_root? = Process.euid.zero?

    def __access?(bit)
      rights = mode
      return true if uid_root?
      return rights & (bit << 6) != 0 if owned?
      return rights & (bit << 3) != 0 if grpowned?
      mode & bit != 0
    end
  end

  class << self
    def atime(path) = __stat(path, "rb_file_s_atime").atime

    def mtime(path) = __stat(path, "rb_file_s_mtime").mtime

    def ctime(path) = __stat(path, "rb_file_s_ctime").ctime

    def birthtime(path) = Time.at(*__birth(path), :nsec)
  end

  def atime = stat.atime

  def mtime = stat.mtime

  def ctime = stat.ctime

  def birthtime = File.birthtime(self)
end

module Kernel
  def open(name, *args, **opts, &block)
    if Primitive.responds(name, :to_open)
      io = name.to_open(*args, **opts)
      return block ? yield(io) : io
    end
    File.__send__(:__open, name, *args, **opts, &block)
  end

  def select(*args) = IO.select(*args)

  def test(command, *files)
    command = command.ord if Primitive.kind_of(command, String)
    command = command.to_int.chr
    file, other = files
    case command
    when "e" then File.exist?(file)
    when "f" then File.file?(file)
    when "d" then File.directory?(file)
    when "l" then File.symlink?(file)
    when "r" then File.readable?(file)
    when "R" then File.readable_real?(file)
    when "w" then File.writable?(file)
    when "W" then File.writable_real?(file)
    when "x" then File.executable?(file)
    when "X" then File.executable_real?(file)
    when "o" then File.owned?(file)
    when "O" then File.stat(file).owned?
    when "G" then File.grpowned?(file)
    when "s" then File.size?(file)
    when "z" then File.zero?(file)
    when "S" then File.socket?(file)
    when "p" then File.pipe?(file)
    when "b" then File.blockdev?(file)
    when "c" then File.chardev?(file)
    when "u" then File.setuid?(file)
    when "g" then File.setgid?(file)
    when "k" then File.sticky?(file)
    when "A" then File.atime(file)
    when "C" then File.ctime(file)
    when "M" then File.mtime(file)
    when "-" then File.identical?(file, other)
    when "=" then File.mtime(file) == File.mtime(other)
    when "<" then File.mtime(file) < File.mtime(other)
    when ">" then File.mtime(file) > File.mtime(other)
    else raise ArgumentError, "unknown command '#{command}'"
    end
  end

  def warn(*messages, uplevel: nil, category: nil)
    unless nil.equal?(category)
      unless Primitive.kind_of(category, Symbol)
        unless Primitive.responds(category, :to_sym)
          raise TypeError, "no implicit conversion of #{Asterism::Internal.convert_name(category)} into Symbol"
        end
        category = category.to_sym
      end
      return unless Warning[category]
    end
    return if nil.equal?($VERBOSE) || messages.empty?
    prefix = ""
    unless nil.equal?(uplevel)
      uplevel = Primitive.to_int(uplevel)
      raise ArgumentError, "negative level (#{uplevel})" if uplevel < 0
      # This method is no level: the first one is its caller.
      location = Thread::Backtrace.__at_level(uplevel)
      prefix = location ? "#{location}: warning: " : "warning: "
    end
    text = messages.flatten.map { |message| message = message.to_s; message.end_with?("\n") ? message : "#{message}\n" }.join
    return if text.empty?
    text = prefix + text
    if equal?(Warning)
      # So that a `Warning#warn` of the program's that calls super ends here.
      $stderr.write(text)
    elsif Warning.method(:warn).arity == 1
      Warning.warn(text)
    else
      Warning.warn(text, category: category)
    end
    nil
  end

  def pp(*objects)
    require "pp"
    # The library has defined a method of its own by now.
    pp(*objects)
  end

  module_function :open, :select, :test, :warn
  private :pp
end
