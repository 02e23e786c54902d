# frozen_string_literal: true

# ARGF: the files named in ARGV one after the other, or the standard input; and Kernel's reading functions, which use it.
class ARGFClass
  include Enumerable

  class << self
    def name = "ARGF.class"
    alias inspect name
    alias to_s name
  end

  def lineno = @__lineno

  # A copy of the main one has the names that are left for itself.
  def initialize_copy(other)
    @__inplace = other.inplace_mode
    @__argv = other.argv.dup
    self
  end

  def argv = @__argv || ARGV

  def initialize(*argv)
    @__argv = argv
    @__lineno = 0
    @__file = nil
    @__filename = nil
    @__binmode = false
    @__encodings = nil
    # :start, :open (a file is), :next (the next one is due), :stdin
    @__state = :start
  end

  def filename
    __next_file
    @__filename
  end
  alias path filename

  def file
    __next_file
    @__file
  end

  def to_io
    __next_file
    @__file.to_io
  end

  def to_write_io
    raise IOError, "not opened for writing" unless @__output
    @__output
  end

  def fileno
    raise ArgumentError, "no stream" unless __next_file
    @__file.fileno
  end
  alias to_i fileno

  def lineno=(number)
    @__lineno = Integer(number)
    $. = @__lineno
  end

  def gets(*args, chomp: false)
    $_ = __gets(*args, chomp: chomp)
  end

  def readline(*args, chomp: false)
    gets(*args, chomp: chomp) || raise(EOFError, "end of file reached")
  end

  def readlines(*args, chomp: false)
    lines = []
    __check_limit(args, "readlines")
    while line = __gets(*args, chomp: chomp)
      lines << line
    end
    lines
  end
  alias to_a readlines

  def each_line(*args, chomp: false)
    return to_enum(:each_line, *args, chomp: chomp) unless block_given?
    __check_limit(args, "each_line")
    while line = __gets(*args, chomp: chomp)
      yield line
    end
    self
  end

  def each(*args, chomp: false, &block)
    return to_enum(:each, *args, chomp: chomp) unless block
    each_line(*args, chomp: chomp, &block)
  end

  def read(length = nil, buffer = nil)
    length = length.to_int unless nil.equal?(length)
    raise ArgumentError, "negative length #{length} given" if length && length < 0
    text = nil
    while __next_file
      part = @__file.read(length && text ? length - text.bytesize : length)
      text ? text << part.to_s : text = part
      break if length && text && text.bytesize >= length
      break if @__state == :stdin
      __close_file
    end
    return text unless buffer
    buffer.replace(text || "")
    buffer
  end

  def readpartial(length, buffer = nil) = __read_some(length, buffer) { |file| file.readpartial(length) }

  def read_nonblock(length, buffer = nil, exception: true)
    __read_some(length, buffer) { |file| file.read_nonblock(length, exception: exception) }
  rescue EOFError
    raise if exception
    nil
  end

  def getc = __each_file(&:getc)

  def getbyte = __each_file(&:getbyte)

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
    while char = getc
      yield char.ord
    end
    self
  end

  def eof?
    __next_file
    raise IOError, "ARGF is not opened for reading" unless @__file
    @__file.eof?
  end
  alias eof eof?

  def pos
    raise ArgumentError, "no stream to tell" unless __next_file
    @__file.pos
  end
  alias tell pos

  def pos=(position)
    raise ArgumentError, "no stream to set position" unless __next_file
    @__file.pos = position
  end

  def seek(amount, whence = IO::SEEK_SET)
    raise ArgumentError, "no stream to seek" unless __next_file
    @__file.seek(amount, whence)
  end

  def rewind
    raise ArgumentError, "no stream to rewind" unless __next_file
    before = @__file.lineno
    @__file.rewind
    @__lineno -= before
    0
  end

  def skip
    if @__state == :open
      @__file.close unless @__file.closed? || @__file.equal?($stdin)
      @__state = :next
    end
    self
  end

  def close
    __next_file
    __close_file
    @__lineno = 0
    self
  end

  def closed?
    __next_file
    nil.equal?(@__file) || @__file.closed?
  end

  def binmode
    @__binmode = true
    __next_file
    @__file&.binmode
    self
  end

  def binmode? = @__binmode

  def set_encoding(*encodings, **opts)
    raise ArgumentError, "no stream to set encoding" unless __next_file
    @__encodings = [encodings, opts]
    @__file.set_encoding(*encodings, **opts)
    self
  end

  # Before anything is read both are what text of files is.
  def external_encoding = @__file ? @__file.external_encoding : Encoding.default_external

  def internal_encoding = @__file ? @__file.internal_encoding : Encoding.default_external

  def write(*texts) = to_write_io.write(*texts)

  def print(*texts) = to_write_io.print(*texts)

  def puts(*texts) = to_write_io.puts(*texts)

  def printf(*texts) = to_write_io.printf(*texts)

  def putc(char) = to_write_io.putc(char)

  # The main ARGF's is `$-i`.
  def inplace_mode = @__argv ? @__inplace : $-i

  def inplace_mode=(suffix)
    if suffix
      suffix = Asterism::Internal.to_str(suffix)
      raise ArgumentError, "string contains null byte" if suffix.encoding.ascii_compatible? && suffix.include?("\0")
    end
    if @__argv
      @__inplace = suffix.dup.freeze
    else
      $-i = suffix
    end
  end

  def to_s = "ARGF"
  alias inspect to_s

  private

  def marshal_dump = raise(TypeError, "no _dump_data is defined for class #{self.class}")

  # Opens the next file if none is open; false when there is none left.
  def __next_file
    # Names may be put into ARGV while the standard input is the current file.
    return true if @__state == :open || (@__state == :stdin && argv.empty?)
    if @__state == :start && argv.empty?
      @__state = :stdin
      @__filename = "-"
      @__file = $stdin
      warn "Can't do inplace edit for stdio" if inplace_mode
      return true
    end
    @__lineno = 0 if @__state == :start
    # Names may be put into ARGV later.
    @__state = :next
    return false if argv.empty?
    name = argv.shift
    @__filename = Primitive.responds(name, :to_path) ? name.to_path : Asterism::Internal.to_str(name)
    if @__filename == "-"
      if inplace_mode
        warn "Can't do inplace edit for stdio; skipping"
        return __next_file
      end
      @__state = :open
      @__file = $stdin
      return true
    end
    @__file = File.__send__(:__open, @__filename)
    @__state = :open
    @__file.binmode if @__binmode
    @__file.set_encoding(*@__encodings[0], **@__encodings[1]) if @__encodings
    return true unless inplace_mode
    return true if __edit_in_place(inplace_mode)
    @__file.close
    @__state = :next
    __next_file
  end

  # false if the file cannot be renamed.
  def __edit_in_place(suffix)
    if suffix.empty?
      File.unlink(@__filename)
    else
      backup = @__filename + suffix.dup.force_encoding(@__filename.encoding)
      begin
        File.rename(@__filename, backup)
      rescue SystemCallError => error
        reason = Primitive.class_of(error).new.message
        warn "Can't rename #{@__filename} to #{backup}: #{reason}, skipping file"
        return false
      end
    end
    __end_output
    @__output = File.__send__(:__open, @__filename, "w", @__file.stat.mode & 0o777)
    $stdout = @__output
    true
  end

  def __check_limit(args, name)
    limit = args.size > 1 ? args[1] : args[0]
    raise ArgumentError, "invalid limit: 0 for #{name}" if limit == 0
  end

  def __close_file
    @__file.close unless nil.equal?(@__file) || @__file.closed? || @__file.equal?($stdin)
    # What is written goes on there until the next file is edited.
    __end_output if inplace_mode || argv.empty?
    @__state = :next unless @__state == :stdin
  end

  def __end_output
    return unless @__output
    $stdout = STDOUT
    @__output.close
    @__output = nil
  end

  def __gets(*args, chomp: false)
    while __next_file
      line = @__file.gets(*args, chomp: chomp)
      if line
        $. = @__lineno += 1
        return line
      end
      return nil if @__state == :stdin
      __close_file
    end
    nil
  end

  def __each_file
    while __next_file
      found = yield @__file
      return found if found
      return nil if @__state == :stdin
      __close_file
    end
    nil
  end

  # The end of a file gives an empty String, the end of all an EOFError.
  def __read_some(length, buffer)
    raise ArgumentError, "negative length #{length} given" if length < 0
    buffer&.clear
    raise EOFError, "end of file reached" unless __next_file
    part = begin
      yield @__file
    rescue EOFError
      nil
    end
    if nil.equal?(part)
      raise EOFError, "end of file reached" if @__state == :stdin
      __close_file
      raise EOFError, "end of file reached" if argv.empty?
      return buffer || +""
    end
    return part unless Primitive.kind_of(part, String)
    buffer ? buffer.replace(part) : part
  end
end

ARGF = ARGFClass.new
Primitive.attribute_set(ARGF, :__argv, nil)
Object.__send__(:remove_const, :ARGFClass)

module Kernel
  def gets(*args, chomp: false)
    $_ = ARGF.gets(*args, chomp: chomp)
  end

  def readline(*args, chomp: false) = ARGF.readline(*args, chomp: chomp)

  def readlines(*args, chomp: false) = ARGF.readlines(*args, chomp: chomp)

  module_function :gets, :readline, :readlines
end
