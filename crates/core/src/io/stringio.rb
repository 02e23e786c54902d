# frozen_string_literal: true

# StringIO: an IO over a String.
class StringIO
  include Enumerable
  include File::Constants

  VERSION = "3.1.9"
  MAX_LENGTH = 0x7fffffffffffffff

  class << self
    def open(*args, **opts)
      io = new(*args, **opts)
      return io unless block_given?
      begin
        yield io
      ensure
        io.close unless io.closed?
      end
    end
  end

  attr_accessor :lineno
  attr_reader :external_encoding, :internal_encoding

  def initialize(string = (no_string = true; +""), mode = nil, **opts)
    mode = opts[:mode] if mode.nil?
    string = string.to_str unless string.nil?
    @string = string
    @pos = 0
    @lineno = 0
    @external_encoding = string ? string.encoding : Encoding.default_external
    @string.force_encoding(Encoding.default_external) if no_string
    __set_mode(mode)
  end

  def initialize_copy(other)
    super
    self
  end

  def string = @string

  def string=(string)
    @string = string.to_str
    @pos = 0
    @lineno = 0
    @external_encoding = @string.encoding
    @readable = true
    @writable = !@string.frozen?
    @append = false
    string
  end

  def reopen(string = +"", mode = nil)
    if string.is_a?(StringIO)
      @string = string.string
      @pos = string.pos
      return self
    end
    initialize(string, mode)
    self
  end

  def pos = @pos
  alias tell pos

  def pos=(pos)
    raise Errno::EINVAL if pos < 0
    @pos = pos
  end

  def seek(offset, whence = 0)
    raise IOError, "closed stream" if closed?
    base =
      case whence
      when 0, :SET then 0
      when 1, :CUR then @pos
      when 2, :END then @string.bytesize
      else raise Errno::EINVAL, "invalid whence"
      end
    raise Errno::EINVAL if base + offset < 0
    @pos = base + offset
    0
  end

  def rewind
    @pos = 0
    @lineno = 0
    0
  end

  def eof?
    __check_readable
    @string.nil? || @pos >= @string.bytesize
  end
  alias eof eof?

  def close
    @readable = @writable = false
    nil
  end

  def close_read
    raise IOError, "closing non-duplex IO for reading" unless @readable
    @readable = false
    nil
  end

  def close_write
    raise IOError, "closing non-duplex IO for writing" unless @writable
    @writable = false
    nil
  end

  def closed? = !@readable && !@writable

  def closed_read? = !@readable

  def closed_write? = !@writable

  def sync = true

  def sync=(value)
    value
  end

  def flush = self

  def fsync = 0

  def fileno = nil

  def pid = nil

  def tty? = false
  alias isatty tty?

  def fcntl(*) = raise(NotImplementedError, "fcntl() function is unimplemented on this machine")

  def binmode
    @external_encoding = Encoding::BINARY
    @string.force_encoding(Encoding::BINARY) if @writable && @string && !@string.frozen?
    self
  end

  def set_encoding(external, *, **)
    external = Encoding.default_external if external.nil?
    external = Encoding.find(external.to_s.split(":").first) unless external.is_a?(Encoding)
    @external_encoding = external
    @string.force_encoding(external) if @string && @writable && !@string.frozen?
    self
  end

  def set_encoding_by_bom
    return nil unless @string.byteslice(0, 3).b == "\xEF\xBB\xBF".b
    @pos = 3
    set_encoding(Encoding::UTF_8)
    Encoding::UTF_8
  end

  def size
    raise IOError, "not opened" if @string.nil?
    @string.bytesize
  end
  alias length size

  def truncate(length)
    __check_writable
    raise Errno::EINVAL, "negative length" if length < 0
    have = @string.bytesize
    if length < have
      @string.replace(@string.byteslice(0, length))
    elsif length > have
      @string << "\0" * (length - have)
    end
    0
  end

  def write(*parts)
    total = 0
    parts.each { |part| total += __write(part) }
    total
  end

  def syswrite(part) = write(part)

  def write_nonblock(part, **) = write(part)

  def <<(part)
    write(part)
    self
  end

  def print(*parts)
    parts = [$_] if parts.empty?
    write(parts.join($,.to_s) + $\.to_s)
    nil
  end

  def puts(*parts)
    write(__lines(parts, []))
    nil
  end

  def printf(format, *args)
    write(format(format, *args))
    nil
  end

  def putc(char)
    write(char.is_a?(String) ? char[0] : (char.to_int & 0xff).chr)
    char
  end

  def read(length = nil, buffer = nil)
    __check_readable
    if length.nil?
      text = @string ? @string.byteslice(@pos, @string.bytesize) || +"" : +""
      text.force_encoding(@external_encoding)
      @pos = @string.bytesize if @string && @pos < @string.bytesize
    else
      length = length.to_int
      raise ArgumentError, "negative length #{length} given" if length < 0
      text = length.zero? ? +"" : @string.byteslice(@pos, length)
      if length > 0 && (text.nil? || text.empty?)
        buffer&.clear
        return nil
      end
      text = text.b
      @pos += text.bytesize
    end
    buffer ? buffer.replace(text) : text
  end

  def pread(length, offset)
    raise ArgumentError, "negative string size (or size too big): #{length}" if length < 0
    raise Errno::EINVAL, "pread: Invalid offset argument: #{offset}" if offset < 0
    return +"" if length.zero?
    text = @string.byteslice(offset, length)
    raise EOFError, "end of file reached" if text.nil? || text.empty?
    text.b
  end

  def readpartial(length, buffer = nil)
    read(length, buffer) || raise(EOFError, "end of file reached")
  end
  alias sysread readpartial

  def read_nonblock(length, buffer = nil, exception: true)
    text = read(length, buffer)
    raise EOFError, "end of file reached" if text.nil? && exception
    text
  end

  def gets(*args, chomp: false)
    $_ = __gets(args, chomp)
  end

  def readline(*args, chomp: false)
    gets(*args, chomp: chomp) || raise(EOFError, "end of file reached")
  end

  def readlines(*args, chomp: false)
    raise ArgumentError, "invalid limit: 0 for readlines" if args.last == 0
    lines = []
    while line = __gets(args, chomp)
      lines << line
    end
    lines
  end

  def each_line(*args, chomp: false)
    return to_enum(:each_line, *args, chomp: chomp) unless block_given?
    __check_readable
    raise ArgumentError, "invalid limit: 0 for each_line" if args.last == 0
    while line = __gets(args, chomp)
      yield line
    end
    self
  end
  alias each each_line

  def getc
    __check_readable
    return nil if @string.nil? || @pos >= @string.bytesize
    rest = @string.byteslice(@pos, 8).force_encoding(@external_encoding)
    char = rest[0]
    @pos += char.bytesize
    char
  end

  def getbyte
    __check_readable
    byte = @string&.getbyte(@pos)
    @pos += 1 if byte
    byte
  end

  def readchar = getc || raise(EOFError, "end of file reached")

  def readbyte = getbyte || raise(EOFError, "end of file reached")

  def each_char
    return to_enum(:each_char) unless block_given?
    while char = getc
      yield char
    end
    self
  end

  def each_byte
    return to_enum(:each_byte) unless block_given?
    while byte = getbyte
      yield byte
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) unless block_given?
    each_char { |char| yield char.ord }
  end

  def ungetc(char)
    __check_readable
    return nil if char.nil?
    char = char.chr(@external_encoding) if char.is_a?(Integer)
    __unget(char.to_str.b)
  end

  def ungetbyte(byte)
    __check_readable
    return nil if byte.nil?
    byte = (byte & 0xff).chr if byte.is_a?(Integer)
    __unget(byte.b)
  end

  def inspect = Kernel.instance_method(:to_s).bind_call(self)

  private

  def __set_mode(mode)
    case mode
    when nil
      @readable = true
      @writable = !@string.nil? && !@string.frozen?
      @append = false
    when Integer
      access = mode & 3
      @readable = access != WRONLY
      @writable = access != RDONLY
      @append = mode & APPEND != 0
      @string.replace("") if mode & TRUNC != 0
    else
      mode = mode.to_str
      letters, encoding = mode.split(":", 2)
      plus = letters.include?("+")
      kind = letters[0]
      raise ArgumentError, "invalid access mode #{mode}" unless kind && "rwa".include?(kind)
      @readable = kind == "r" || plus
      @writable = kind != "r" || plus
      @append = kind == "a"
      raise Errno::EACCES, "Permission denied" if @writable && @string.frozen?
      @string.replace("") if kind == "w"
      set_encoding(encoding) if encoding
      binmode if letters.include?("b") && !encoding
    end
  end

  def __check_readable
    raise IOError, "not opened for reading" unless @readable
  end

  def __check_writable
    raise IOError, "not opened for writing" unless @writable
  end

  def __write(part)
    __check_writable
    part = part.to_s
    target = @string.encoding
    part = part.encode(target) if part.encoding != target && !part.ascii_only? && target != Encoding::BINARY && part.encoding != Encoding::BINARY
    length = part.bytesize
    return 0 if length.zero?
    have = @string.bytesize
    @pos = have if @append
    if @pos == have
      @string << (part.encoding == target ? part : part.dup.force_encoding(target))
    else
      @string << "\0" * (@pos - have) if @pos > have
      __overwrite(part, length)
    end
    @pos += length
    length
  end

  def __overwrite(part, length)
    bytes = @string.b
    merged = bytes.byteslice(0, @pos) + part.b + (bytes.byteslice(@pos + length, bytes.bytesize) || "")
    @string.replace(merged.force_encoding(@string.encoding))
  end

  def __unget(bytes)
    rest = @string.b
    if bytes.bytesize <= @pos
      @pos -= bytes.bytesize
      merged = rest.byteslice(0, @pos) + bytes + (rest.byteslice(@pos + bytes.bytesize, rest.bytesize) || "")
    else
      merged = bytes + (rest.byteslice(@pos, rest.bytesize) || "")
      @pos = 0
    end
    @string.replace(merged.force_encoding(@string.encoding))
    nil
  end

  def __lines(parts, within)
    return "\n" if parts.empty? && within.empty?
    out = +""
    parts.each do |part|
      if part.is_a?(String)
        line = part
      elsif part.respond_to?(:to_ary) && (list = part.to_ary)
        if within.any? { |other| other.equal?(list) }
          out << "[...]\n"
        else
          out << __lines(list, within + [list]) unless list.empty?
        end
        next
      else
        line = part.to_s
      end
      out << line
      out << "\n" unless line.end_with?("\n")
    end
    out
  end

  def __gets(args, chomp)
    __check_readable
    separator = $/
    limit = nil
    case args.size
    when 0 then nil
    when 1
      if args[0].nil? || args[0].respond_to?(:to_str)
        separator = args[0]&.to_str
      else
        limit = args[0].to_int
      end
    when 2
      separator = args[0]&.to_str
      limit = args[1]&.to_int
    else raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..2)"
    end
    return +"" if limit == 0
    limit = nil if limit && limit < 0
    return nil if @string.nil? || @pos >= @string.bytesize
    bytes = @string.b
    paragraph = separator == ""
    if paragraph
      @pos += 1 while bytes.getbyte(@pos) == 10
      return nil if @pos >= bytes.bytesize
      separator = "\n\n"
    end
    found = separator && bytes.index(separator.b, @pos)
    finish = found ? found + separator.bytesize : bytes.bytesize
    if limit && finish - @pos > limit
      finish = @pos + limit
      finish += 1 while finish < bytes.bytesize && bytes.getbyte(finish) & 0xc0 == 0x80 && @external_encoding == Encoding::UTF_8
      found = nil
    end
    line = bytes.byteslice(@pos, finish - @pos).force_encoding(@external_encoding)
    @pos = finish
    if paragraph
      @pos += 1 while bytes.getbyte(@pos) == 10
    end
    @lineno += 1
    $. = @lineno
    if chomp && (found || line.end_with?(separator.to_s))
      line = paragraph ? line.chomp("").chomp : line.chomp(separator || "")
    end
    line
  end
end
