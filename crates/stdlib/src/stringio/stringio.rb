# frozen_string_literal: true

# StringIO: an IO over a String.
class StringIO
  include Asterism::Internal::NotDumpable

  include Enumerable
  include IO.__send__(:__generic_readable)
  include IO.__send__(:__generic_writable)

  VERSION = "3.2.0"
  MAX_LENGTH = 0x7fffffffffffffff

  class << self
    def new(*args, **opts)
      warn("#{self}::new() does not take block; use #{self}::open() instead", uplevel: 0) if block_given?
      super
    end

    def open(*args, **opts)
      io = new(*args, **opts)
      return io unless block_given?
      begin
        yield io
      ensure
        io.__send__(:__release)
      end
    end
  end

  def lineno = @__lineno

  def lineno=(n)
    @__lineno = n
  end

  def internal_encoding = nil

  def initialize(string = (no_string = true; +""), mode = (alone = !no_string; nil), **opts)
    mode = __mode_option(mode, opts)
    string = Asterism::Internal.to_str(string) unless nil.equal?(string)
    @__string = string
    @__pos = 0
    @__lineno = 0
    @__encoding = nil
    @__string.force_encoding(Encoding.default_external) if no_string
    __set_mode(mode)
    if opts[:binmode]
      @__encoding = Encoding::BINARY
    elsif (external = opts[:external_encoding])
      @__encoding = Encoding.find(external)
    elsif (external = opts[:encoding])
      __name_encoding(external)
    end
    # Of a string without a mode these say only whether it begins with a mark.
    @__encoding = string.encoding if alone && @__pos == 0 && string
    # A subclass may go on with what its `super` answers, as puma's does.
    self
  end

  def external_encoding
    @__encoding || @__string&.encoding
  end

  def initialize_copy(other) = super

  def string = @__string

  def string=(string)
    @__string = Asterism::Internal.to_str(string)
    @__pos = 0
    @__lineno = 0
    @__encoding = nil
    __set_mode(nil)
    string
  end

  def reopen(*args)
    raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..2)" if args.size > 2
    if args.size == 1 && !Primitive.kind_of(args[0], String)
      other = args[0]
      unless Primitive.kind_of(other, StringIO)
        unless other.respond_to?(:to_strio)
          raise TypeError, "can't convert #{Asterism::Internal.convert_name(other)} into StringIO"
        end
        other = other.to_strio
      end
      @__string, @__pos, @__lineno, @__encoding = other.string, other.pos, other.lineno, other.external_encoding
      @__readable = @__reads = !other.closed_read?
      @__writable = @__writes = !other.closed_write?
      return self
    end
    initialize(*args)
    self
  end

  def pos = @__pos
  alias tell pos

  def pos=(pos)
    pos = Primitive.to_int(pos)
    raise Errno::EINVAL if pos < 0
    @__pos = pos
  end

  def seek(offset, whence = 0)
    raise IOError, "closed stream" if closed?
    offset = Primitive.to_int(offset)
    base =
      case whence
      when 0, :SET then 0
      when 1, :CUR then @__pos
      when 2, :END then @__string ? @__string.bytesize : 0
      else raise Errno::EINVAL, "invalid whence"
      end
    raise Errno::EINVAL if base + offset < 0
    @__pos = base + offset
    0
  end

  def rewind
    @__pos = 0
    @__lineno = 0
    0
  end

  def eof?
    __check_readable
    @__string.nil? || @__pos >= @__string.bytesize
  end
  alias eof eof?

  def close
    @__readable = @__writable = false
    nil
  end

  def close_read
    raise IOError, "closing non-duplex IO for reading" unless @__reads
    @__readable = false
    nil
  end

  def close_write
    raise IOError, "closing non-duplex IO for writing" unless @__writes
    @__writable = false
    nil
  end

  def closed? = !@__readable && !@__writable

  def closed_read? = !@__readable

  def closed_write? = !@__writable

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
    @__encoding = Encoding::BINARY
    @__string.force_encoding(Encoding::BINARY) if @__writable && @__string && !@__string.frozen?
    self
  end

  def set_encoding(external, *, **)
    external = Encoding.default_external if nil.equal?(external)
    external = Encoding.find(external.to_s.split(":").first.delete_prefix("BOM|").delete_prefix("bom|")) unless Primitive.kind_of(external, Encoding)
    @__encoding = external
    # A literal is left as it is.
    @__string.force_encoding(external) if @__string && @__writable && !@__string.frozen? && !Primitive.string_chilled(@__string)
    self
  end

  BOMS = [
    ["\xEF\xBB\xBF".b, Encoding::UTF_8], ["\xFF\xFE\0\0".b, Encoding::UTF_32LE], ["\0\0\xFE\xFF".b, Encoding::UTF_32BE],
    ["\xFF\xFE".b, Encoding::UTF_16LE], ["\xFE\xFF".b, Encoding::UTF_16BE]
  ].freeze
  private_constant :BOMS

  def set_encoding_by_bom
    Primitive.raise_frozen_if(self)
    return nil unless @__string
    head = @__string.byteslice(0, 4).b
    mark, encoding = BOMS.find { |bytes, _| head.start_with?(bytes) }
    @__encoding = nil
    return nil unless mark
    @__pos = mark.bytesize
    set_encoding(encoding)
    encoding
  end

  def size
    @__string ? @__string.bytesize : 0
  end
  alias length size

  def truncate(length)
    __check_writable
    length = Primitive.to_int(length)
    raise Errno::EINVAL, "negative length" if length < 0
    return false unless @__string
    have = @__string.bytesize
    if length < have
      @__string.replace(@__string.byteslice(0, length))
    elsif length > have
      @__string << "\0" * (length - have)
    end
    0
  end

  def write(*parts)
    total = 0
    parts.each { |part| total += __write(part) }
    total
  end

  def putc(char)
    write(Primitive.kind_of(char, String) ? char[0] : (Primitive.to_int(char) & 0xff).chr)
    char
  end

  def read(length = nil, buffer = nil)
    __check_readable
    buffer = Asterism::Internal.to_str(buffer) unless nil.equal?(buffer)
    if nil.equal?(length)
      return nil unless @__string
      text = @__string.byteslice(@__pos, @__string.bytesize) || +""
      text.force_encoding(__text_encoding)
      @__pos = @__string.bytesize if @__pos < @__string.bytesize
      return buffer ? buffer.replace(text) : text
    end
    length = Primitive.to_int(length)
    raise ArgumentError, "negative length #{length} given" if length < 0
    text = length == 0 ? +"" : @__string && @__string.byteslice(@__pos, length)
    if length > 0 && (nil.equal?(text) || text.empty?)
      buffer&.clear
      return nil
    end
    @__pos += text.bytesize
    text.force_encoding(Encoding::BINARY)
    return text unless buffer
    encoding = buffer.encoding
    buffer.replace(text).force_encoding(encoding)
  end

  def pread(length, offset, buffer = nil)
    length = Primitive.to_int(length)
    offset = Primitive.to_int(offset)
    buffer = Asterism::Internal.to_str(buffer) unless nil.equal?(buffer)
    raise ArgumentError, "negative string size (or size too big): #{length}" if length < 0
    return buffer || +"" if length.zero?
    raise Errno::EINVAL, "pread: Invalid offset argument: #{offset}" if offset < 0
    __check_readable
    text = @__string&.byteslice(offset, length)
    raise EOFError, "end of file reached" if nil.equal?(text) || text.empty?
    text = text.b
    buffer ? buffer.replace(text) : text
  end

  def gets(*args, chomp: false)
    __check_readable
    return $_ = __plain_line if args.empty? && !chomp
    separator, limit = __line_arguments(args)
    $_ = __next_line(separator, limit, chomp)
  end

  def readlines(*args, chomp: false)
    __check_readable
    separator, limit = __line_arguments(args)
    raise ArgumentError, "invalid limit: 0 for readlines" if limit == 0
    lines = []
    while (line = __next_line(separator, limit, chomp))
      lines << line
    end
    lines
  end

  def each_line(*args, chomp: false)
    return to_enum(:each_line, *args, chomp: chomp) unless block_given?
    __check_readable
    separator, limit = __line_arguments(args)
    raise ArgumentError, "invalid limit: 0 for each_line" if limit == 0
    if args.empty? && !chomp
      while (line = __plain_line)
        yield line
      end
      return self
    end
    while (line = __next_line(separator, limit, chomp))
      yield line
    end
    self
  end
  alias each each_line

  def getc
    __check_readable
    return nil if @__string.nil? || @__pos >= @__string.bytesize
    char = @__string.byteslice(@__pos, 8).force_encoding(__text_encoding)[0]
    @__pos += char.bytesize
    char
  end
  def getbyte
    __check_readable
    byte = @__string&.getbyte(@__pos)
    @__pos += 1 if byte
    byte
  end

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
    return nil if nil.equal?(char)
    if Primitive.kind_of(char, Integer)
      char = char.chr(__text_encoding)
    else
      char = Asterism::Internal.to_str(char)
      target = __text_encoding
      if char.encoding != target && target != Encoding::BINARY && !char.ascii_only?
        char = char.encode(target)
      end
    end
    __unget(char.b)
  end

  def ungetbyte(byte)
    __check_readable
    return nil if byte.nil?
    byte = Primitive.kind_of(byte, Integer) ? (byte & 0xff).chr : Asterism::Internal.to_str(byte)
    __unget(byte.b)
  end

  def inspect = Kernel.instance_method(:to_s).bind_call(self)

  private

  def __release
    @__string = nil
    @__readable = @__writable = false
  end

  # The mode, given in one of two ways; binmode and textmode exclude each other.
  def __mode_option(mode, opts)
    if opts.key?(:mode)
      raise ArgumentError, "mode specified twice" unless nil.equal?(mode) || nil.equal?(opts[:mode])
      mode = opts[:mode] || mode
    end
    text = Primitive.kind_of(mode, String) ? mode : ""
    letters, encoding = text.split(":", 2)
    letters = letters.to_s
    if encoding && (opts[:external_encoding] || opts[:internal_encoding] || opts[:encoding])
      raise ArgumentError, "encoding specified twice"
    end
    if opts[:binmode] && opts[:textmode]
      raise ArgumentError, "both textmode and binmode specified"
    end
    raise ArgumentError, "binmode specified twice" if letters.include?("b") && opts.key?(:binmode)
    raise ArgumentError, "textmode specified twice" if letters.include?("t") && opts.key?(:textmode)
    if (letters.include?("b") && opts[:textmode]) || (letters.include?("t") && opts[:binmode])
      raise ArgumentError, "ASCII incompatible encoding needs binmode"
    end
    mode
  end

  def __set_mode(mode)
    case mode
    when nil
      @__readable = true
      # Without a string it takes what is written, and keeps nothing.
      @__writable = nil.equal?(@__string) || !@__string.frozen?
      @__append = false
    when Integer
      access = mode & 3
      @__readable = access != File::WRONLY
      @__writable = access != File::RDONLY
      @__append = mode & File::APPEND != 0
      raise Errno::EACCES, "Permission denied" if @__writable && @__string&.frozen?
      @__string&.clear if mode & File::TRUNC != 0
    else
      mode = Asterism::Internal.to_str(mode)
      letters, encoding = mode.split(":", 2)
      plus = letters.include?("+")
      kind = letters[0]
      raise ArgumentError, "invalid access mode #{mode}" unless letters.match?(/\A(?:[ra][b+]*|[ra][t+]*|w[bx+]*|w[tx+]*)\z/)
      @__readable = kind == "r" || plus
      @__writable = kind != "r" || plus
      @__append = kind == "a"
      raise Errno::EACCES, "Permission denied" if @__writable && @__string&.frozen?
      @__string&.clear if kind == "w"
      if encoding
        __name_encoding(encoding)
      elsif letters.include?("b")
        @__encoding = Encoding::BINARY
      end
    end
    @__reads = @__readable
    @__writes = @__writable
  end

  # The encoding that a mode or an option names: the string's own is left as it is.
  def __name_encoding(name)
    return @__encoding = name if Primitive.kind_of(name, Encoding)
    name = name.to_str.split(":").first
    return set_encoding_by_bom if name.match?(/\Abom\|/i)
    @__encoding = Encoding.find(name)
  end

  def __text_encoding = @__encoding || (@__string ? @__string.encoding : Encoding.default_external)

  def __check_readable
    raise IOError, "not opened for reading" unless @__readable
  end

  def __check_writable
    raise IOError, "not opened for writing" unless @__writable
  end

  def __write(part)
    __check_writable
    part = part.to_s
    return 0 if nil.equal?(@__string)
    target = __text_encoding
    source = part.encoding
    binary = Primitive.obj_same(source, Encoding::BINARY) || Primitive.obj_same(target, Encoding::BINARY)
    unless binary || Primitive.obj_same(source, target) || Primitive.obj_same(target, Encoding::US_ASCII) ||
           (part.ascii_only? && target.ascii_compatible?)
      part = __converted(part, target)
    end
    length = part.bytesize
    return 0 if length == 0
    raise IOError, "not modifiable string" if @__string.frozen?
    have = @__string.bytesize
    @__pos = have if @__append
    if @__pos == have
      part = part.dup.force_encoding(@__string.encoding) if binary
      @__string << part
    else
      @__string << "\0" * (@__pos - have) if @__pos > have
      __splice(@__pos, length, part.b)
    end
    @__pos += length
    length
  end

  def __converted(part, target)
    part.encode(target)
  rescue EncodingError
    raise Encoding::CompatibilityError, "incompatible character encodings: #{target} and #{part.encoding}"
  end

  # Replaces bytes of the string, whatever characters they belong to.
  def __splice(at, length, bytes)
    encoding = @__string.encoding
    @__string.force_encoding(Encoding::BINARY)
    @__string.bytesplice(at, [length, @__string.bytesize - at].min, bytes)
    @__string.force_encoding(encoding)
  end

  def __unget(bytes)
    return nil if nil.equal?(@__string)
    raise IOError, "not modifiable string" if @__string.frozen?
    have = @__string.bytesize
    @__string << "\0" * (@__pos - have) if @__pos > have
    if bytes.bytesize <= @__pos
      @__pos -= bytes.bytesize
      __splice(@__pos, bytes.bytesize, bytes)
    else
      __splice(0, @__pos, bytes)
      @__pos = 0
    end
    nil
  end

  def __lines(parts, within)
    return "\n" if parts.empty? && within.empty?
    out = +""
    parts.each do |part|
      if part.is_a?(String)
        line = part
      elsif part.respond_to?(:to_ary) && (list = part.to_ary)
        if within.any? { |other| other.equal?(part) }
          out << "[...]\n"
        else
          out << __lines(list, within + [part]) unless list.empty?
        end
        next
      else
        line = part.to_s
        line = Kernel.instance_method(:to_s).bind_call(part) unless Primitive.kind_of(line, String)
      end
      out << line
      out << "\n" unless line.end_with?("\n")
    end
    out
  end

  # Separator and limit of a method that reads lines.
  def __line_arguments(args)
    separator = $/
    limit = nil
    case args.size
    when 0 then nil
    when 1
      first = args[0]
      if nil.equal?(first) || first.respond_to?(:to_str)
        separator = nil.equal?(first) ? nil : Asterism::Internal.to_str(first)
      else
        limit = Primitive.to_int(first)
      end
    when 2
      separator = nil.equal?(args[0]) ? nil : Asterism::Internal.to_str(args[0])
      limit = nil.equal?(args[1]) ? nil : Primitive.to_int(args[1])
    else raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0..2)"
    end
    separator = __separator_here(separator) if separator && !Primitive.obj_same(separator.encoding, __text_encoding)
    [separator, limit && limit < 0 ? nil : limit]
  end

  # A separator in the encoding that the text has: only `$/` is written in another one.
  def __separator_here(separator)
    encoding = __text_encoding
    return separator if separator.ascii_only? && (separator.empty? || encoding.ascii_compatible?)
    return "\n".encode(encoding) if separator.equal?($/)
    raise ArgumentError, "encoding mismatch: #{encoding} IO with #{separator.encoding} RS"
  end

  # The next line up to `$/`.
  def __plain_line
    separator = $/
    unless "\n" == separator && (Primitive.obj_same(__text_encoding, Encoding::UTF_8) || __text_encoding.ascii_compatible?)
      return __next_line(*__line_arguments([]), false)
    end
    return nil if nil.equal?(@__string)
    line = Primitive.string_line_at(@__string, separator, @__pos)
    return nil unless line
    @__pos += line.bytesize
    @__lineno += 1
    encoding = @__encoding
    line.force_encoding(encoding) if encoding && !Primitive.obj_same(line.encoding, encoding)
    line
  end

  # Where the paragraph's text ends, and the blank lines behind it; nil without any.
  def __paragraph_end
    at = @__pos
    while (newline = Primitive.string_find_bytes(@__string, "\n", at))
      at = finish = newline + 1
      while (blank = __blank_line(finish))
        finish += blank
      end
      return [@__string.getbyte(newline - 1) == 13 ? newline - 1 : newline, finish] if finish > at
    end
    nil
  end

  # The length of the line that ends at once.
  def __blank_line(at)
    case @__string.getbyte(at)
    when 10 then 1
    when 13 then @__string.getbyte(at + 1) == 10 ? 2 : nil
    end
  end

  # Where so many bytes end, or the character that they end in.
  def __whole_characters(limit, encoding)
    finish = @__pos + limit
    if Primitive.obj_same(encoding, Encoding::UTF_8)
      finish += 1 while (byte = @__string.getbyte(finish)) && byte & 0xc0 == 0x80
    elsif !Primitive.obj_same(encoding, Encoding::BINARY)
      taken = 0
      @__string.byteslice(@__pos, limit + 8).force_encoding(encoding).each_char { |char| taken < limit ? taken += char.bytesize : break }
      finish = @__pos + taken
    end
    finish
  end

  def __next_line(separator, limit, chomp)
    return @__string && (+"").force_encoding(__text_encoding) if limit == 0
    return nil if nil.equal?(@__string) || @__pos >= @__string.bytesize
    encoding = __text_encoding
    paragraph = separator && separator.empty?
    if paragraph
      @__pos += 1 while @__string.getbyte(@__pos) == 10
      return nil if @__pos >= @__string.bytesize
      found, finish = __paragraph_end
    else
      found = separator && Primitive.string_find_bytes(@__string, separator, @__pos)
      finish = found + separator.bytesize if found
    end
    finish ||= @__string.bytesize
    if limit && finish - @__pos > limit
      finish = __whole_characters(limit, encoding)
      found = nil
    end
    line = @__string.byteslice(@__pos, finish - @__pos)
    # Another thread may have made it shorter.
    return nil if nil.equal?(line)
    line.force_encoding(encoding) unless Primitive.obj_same(line.encoding, encoding)
    start = @__pos
    @__pos = finish
    @__lineno += 1
    if chomp
      if paragraph
        line = line.byteslice(0, found - start) if found
      elsif separator && (found || line.end_with?(separator))
        line = line.chomp(separator)
      end
    end
    line
  end
end

# What it does by the methods above lies in modules, as in CRuby.
IO.__send__(:__generic_readable).module_eval do
  def readpartial(length, buffer = nil)
    read(length, buffer) || raise(EOFError, "end of file reached")
  end

  def sysread(length = nil, buffer = nil)
    read(length, buffer) || raise(EOFError, "end of file reached")
  end

  def read_nonblock(length, buffer = nil, exception: true)
    text = read(length, buffer)
    raise EOFError, "end of file reached" if nil.equal?(text) && exception
    text
  end

  def readline(*args, chomp: false)
    gets(*args, chomp: chomp) || raise(EOFError, "end of file reached")
  end

  def readchar = getc || raise(EOFError, "end of file reached")

  def readbyte = getbyte || raise(EOFError, "end of file reached")
end

IO.__send__(:__generic_writable).module_eval do
  def syswrite(part) = write(part)

  def write_nonblock(part, **) = write(part)

  def <<(part)
    Primitive.is_core(self, :write) ? __write(part) : write(part)
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
end
