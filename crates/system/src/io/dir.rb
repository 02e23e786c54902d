# frozen_string_literal: true

# Dir: a directory that is open, and the class methods that need one or a block. What a directory holds is read at once, when
# it is first asked for.
class Dir
  include Enumerable

  class << self
    def open(path, **opts)
      dir = new(path, **opts)
      return dir unless block_given?
      begin
        yield dir
      ensure
        dir.close
      end
    end

    def for_fd(fd)
      dir = allocate
      dir.__send__(:__take, fd)
      dir
    end

    def chdir(path = ENV["HOME"] || ENV["LOGDIR"] || raise(ArgumentError, "HOME/LOGDIR not set"))
      unless block_given?
        __check_chdir
        return __chdir(path)
      end
      __within_chdir do
        before = pwd
        __chdir(path)
        begin
          yield(Primitive.responds(path, :to_path) ? path.to_path : path)
        ensure
          __chdir(before)
        end
      end
    end

    # What a block of chdir does, while no other thread has one.
    def __within_chdir
      begun = false
      begun = __begin_chdir
      yield
    ensure
      __end_chdir if begun
    end
    private :__within_chdir

    def fchdir(fd)
      unless block_given?
        __check_chdir
        return __fchdir(fd)
      end
      __within_chdir do
        Dir.open(".") do |before|
          __fchdir(fd)
          begin
            yield
          ensure
            __fchdir(before.fileno)
          end
        end
      end
    end

    def entries(path, encoding: nil) = __named(__entries(path), encoding)

    def children(path, encoding: nil)
      entries(path, encoding: encoding).reject { |name| name == "." || name == ".." }
    end

    def each_child(path, encoding: nil, &block)
      return nil.equal?(encoding) ? to_enum(:each_child, path) : to_enum(:each_child, path, encoding: encoding) unless block
      children(path, encoding: encoding).each(&block)
      nil
    end

    def foreach(path, encoding: nil, &block)
      return nil.equal?(encoding) ? to_enum(:foreach, path) : to_enum(:foreach, path, encoding: encoding) unless block
      entries(path, encoding: encoding).each(&block)
      nil
    end

    def glob(pattern, deprecated_flags = 0, flags: deprecated_flags, base: nil, sort: true, &block)
      unless true.equal?(sort) || false.equal?(sort)
        raise ArgumentError, "expected true or false as sort: #{sort.inspect}"
      end
      patterns = Primitive.kind_of(pattern, Array) ? pattern : [pattern]
      base = base.to_path if Primitive.responds(base, :to_path)
      found = patterns.flat_map { |one| __glob(one, flags, base == "" ? nil : base, sort) }
      return found unless block
      found.each(&block)
      nil
    end

    def [](*patterns, base: nil, sort: true) = glob(patterns.flatten, base: base, sort: sort)

    private

    # Names as the system gave them, which are nobody else's, in the encoding they are to have.
    def __named(names, encoding)
      external = nil.equal?(encoding) ? Encoding.find("filesystem") : Encoding.find(encoding)
      internal = Encoding.default_internal
      return names if external == Encoding::UTF_8 && (nil.equal?(internal) || internal == external)
      names.map do |name|
        name.force_encoding(external)
        next name if nil.equal?(internal)
        begin
          name.encode(internal)
        rescue EncodingError
          name
        end
      end
    end
  end

  def initialize(path, encoding: nil)
    @__encoding = nil.equal?(encoding) ? nil : Encoding.find(encoding)
    @__path = Primitive.responds(path, :to_path) ? path.to_path : Asterism::Internal.to_str(path)
    @__io = Dir.__send__(:__open, @__path)
    @__at = 0
  end

  def initialize_copy(_other)
    @__io = nil
  end

  def path = @__path
  alias to_path path

  def fileno
    __check_open
    @__io.fileno
  end

  def read
    name = __names[@__at]
    @__at += 1 if name
    name
  end

  def each
    return to_enum(:each) unless block_given?
    rewind
    while name = read
      yield name
    end
    self
  end

  def children = __all.reject { |name| name == "." || name == ".." }

  def each_child(&block)
    return to_enum(:each_child) unless block
    children.each(&block)
    self
  end

  def pos
    __check_open
    @__at
  end
  alias tell pos

  def seek(pos)
    __check_open
    @__at = Primitive.to_int(pos)
    self
  end

  def pos=(pos)
    seek(pos)
    pos
  end

  def rewind
    __check_open
    @__names = nil
    @__at = 0
    self
  end

  def close
    @__io&.close
    nil
  end

  def chdir(&block) = Dir.fchdir(fileno, &block)

  def inspect
    return "#<#{self.class}:#{@__path}>" if @__path
    nil.equal?(@__io) ? super : "#<#{self.class}:fd #{@__io.fileno}>"
  end

  private

  def __take(fd)
    @__io = IO.for_fd(Primitive.to_int(fd))
    Dir.__send__(:__list, @__io, "fdopendir")
    @__at = 0
  end

  def __names
    __check_open
    @__names ||= Dir.__send__(:__named, Dir.__send__(:__list, @__io, "dir_read"), @__encoding)
  end

  # All names, read anew; nothing is left to be read afterwards.
  def __all
    rewind
    names = __names
    @__at = names.size
    names
  end

  def __check_open
    raise IOError, "closed directory" if nil.equal?(@__io) || @__io.closed?
  end
end
