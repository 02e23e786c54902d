# frozen_string_literal: true

# ARGF: the files named in ARGV one after the other, or the standard input; and Kernel's reading functions, which use it.
class << (ARGF = Object.new)
  include Enumerable

  attr_reader :lineno

  def argv = ARGV

  def filename
    __next_file
    @filename
  end
  alias path filename

  def file
    __next_file
    @file
  end
  alias to_io file

  def fileno = file.fileno
  alias to_i fileno

  def lineno=(number)
    @lineno = number
    $. = number
  end

  def gets(*args, chomp: false)
    $_ = __gets(*args, chomp: chomp)
  end

  def readline(*args, chomp: false)
    gets(*args, chomp: chomp) || raise(EOFError, "end of file reached")
  end

  def readlines(*args, chomp: false)
    lines = []
    while line = __gets(*args, chomp: chomp)
      lines << line
    end
    lines
  end
  alias to_a readlines

  def each_line(*args, chomp: false)
    return to_enum(:each_line, *args, chomp: chomp) unless block_given?
    while line = __gets(*args, chomp: chomp)
      yield line
    end
    self
  end
  alias each each_line

  def read(length = nil)
    text = nil
    while __next_file
      part = @file.read(length && text ? length - text.bytesize : length)
      text ? text << part.to_s : text = part
      break if length && text && text.bytesize >= length
      __end_of_file
    end
    length ? text : text || +""
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

  def eof?
    raise IOError, "ARGF is not opened for reading" unless __next_file
    @file.eof?
  end
  alias eof eof?

  def skip
    __end_of_file if @file
    self
  end

  def close
    __next_file
    __end_of_file if @file
    @lineno = 0 if ARGV.empty?
    self
  end

  def closed? = @file.nil? || @file.closed?

  def binmode = self

  def external_encoding = Encoding.default_external

  def internal_encoding = nil

  def inplace_mode = $-i

  def to_s = "ARGF"
  alias inspect to_s

  private

  # Opens the next file if none is open; false when there is none left.
  def __next_file
    return true if @file
    unless @started
      @started = true
      @lineno ||= 0
      if ARGV.empty?
        @filename = "-"
        @file = $stdin
        return true
      end
    end
    return false if ARGV.empty?
    @filename = ARGV.shift
    @file = @filename == "-" ? $stdin : File.open(@filename)
    __edit_in_place unless $-i.nil? || @file.equal?($stdin)
    true
  end

  def __edit_in_place
    File.rename(@filename, @filename + $-i) unless $-i.empty?
    File.unlink(@filename) if $-i.empty?
    @output = File.open(@filename, "w", @file.stat.mode & 0o777)
    $stdout = @output
  end

  def __end_of_file
    @file.close unless @file.equal?($stdin)
    @file = nil
    if @output
      $stdout = STDOUT
      @output.close
      @output = nil
    end
    # More names may be put into ARGV later.
    @started = !ARGV.empty? || @filename != "-"
  end

  def __gets(*args, chomp: false)
    while __next_file
      line = @file.gets(*args, chomp: chomp)
      if line
        $. = @lineno += 1
        return line
      end
      return nil if @file.equal?($stdin) && ARGV.empty?
      __end_of_file
    end
    @started = false if ARGV.empty? && !@filename
    nil
  end

  def __each_file
    while __next_file
      found = yield @file
      return found if found
      return nil if @file.equal?($stdin) && ARGV.empty?
      __end_of_file
    end
    nil
  end
end

module Kernel
  def gets(*args, chomp: false)
    $_ = ARGF.gets(*args, chomp: chomp)
  end

  def readline(*args, chomp: false) = ARGF.readline(*args, chomp: chomp)

  def readlines(*args, chomp: false) = ARGF.readlines(*args, chomp: chomp)

  module_function :gets, :readline, :readlines
end
