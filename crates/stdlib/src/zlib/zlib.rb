# frozen_string_literal: true

# zlib: streams of deflated data, with the zlib or gzip format around them.
module Zlib
  VERSION = "3.2.1"
  ZLIB_VERSION = "1.3.1"

  class Error < StandardError; end
  class StreamEnd < Error; end
  class NeedDict < Error; end
  class DataError < Error; end
  class StreamError < Error; end
  class MemError < Error; end
  class BufError < Error; end
  class VersionError < Error; end
  class InProgressError < Error; end

  BINARY = 0
  ASCII = TEXT = 1
  UNKNOWN = 2
  NO_COMPRESSION = 0
  BEST_SPEED = 1
  BEST_COMPRESSION = 9
  DEFAULT_COMPRESSION = -1
  FILTERED = 1
  HUFFMAN_ONLY = 2
  RLE = 3
  FIXED = 4
  DEFAULT_STRATEGY = 0
  MAX_WBITS = 15
  DEF_MEM_LEVEL = 8
  MAX_MEM_LEVEL = 9
  NO_FLUSH = 0
  SYNC_FLUSH = 2
  FULL_FLUSH = 3
  FINISH = 4
  OS_MSDOS = 0
  OS_UNIX = 3
  OS_CODE = OS_UNIX
  OS_UNKNOWN = 255

  module_function

  def zlib_version = ZLIB_VERSION

  def crc32(string = nil, start = 0)
    return start if nil.equal?(string)
    string = string.read if string.respond_to?(:read) && !Primitive.kind_of(string, String)
    Primitive.zlib_crc32(string, start)
  end

  def adler32(string = nil, start = 1)
    return start if nil.equal?(string)
    string = string.read if string.respond_to?(:read) && !Primitive.kind_of(string, String)
    Primitive.zlib_adler32(string, start)
  end

  # The checksum of two texts one behind the other, of those of each and of the second one's length.
  def crc32_combine(first, second, length)
    # A zero bit behind a text multiplies its checksum in GF(2); squaring that, as a matrix, doubles the number of bits.
    odd = [0xedb88320, *(0..30).map { |bit| 1 << bit }]
    even = __gf2_square(odd)
    odd = __gf2_square(even)
    crc = first
    while length > 0
      even = __gf2_square(odd)
      crc = __gf2_times(even, crc) if length.odd?
      length >>= 1
      odd, even = even, odd
    end
    crc ^ second
  end

  def adler32_combine(first, second, length)
    length %= 65521
    low = first & 0xffff
    sum = (low + (second & 0xffff) + 65520) % 65521
    sums = (length * low + (first >> 16) + (second >> 16) + 65521 - length) % 65521
    sums << 16 | sum
  end

  def __gf2_times(matrix, vector)
    sum = 0
    matrix.each { |row| sum ^= row if vector.odd?; vector >>= 1 }
    sum
  end

  def __gf2_square(matrix) = matrix.map { |row| __gf2_times(matrix, row) }

  private_class_method :__gf2_times, :__gf2_square

  def crc_table
    Array.new(256) { |n| 8.times { n = n & 1 == 1 ? 0xedb88320 ^ (n >> 1) : n >> 1 }; n }
  end

  def deflate(string, level = DEFAULT_COMPRESSION, &block) = Deflate.deflate(string, level, &block)

  def inflate(string) = Inflate.inflate(string)

  def gzip(string, level: nil, strategy: nil)
    out = Zlib.gzip_header(nil, nil, nil, level)
    stream = Primitive.zlib_deflater(level || DEFAULT_COMPRESSION, false)
    out << Primitive.zlib_deflate(stream, string, FINISH)
    out << [crc32(string), string.bytesize & 0xffffffff].pack("VV")
  end

  def gunzip(string)
    raise GzipFile::Error, "unexpected end of string" if string.bytesize < 10
    header = GzipHeader.read(string)
    stream = Primitive.zlib_inflater(false)
    body, taken, ended = Primitive.zlib_inflate(stream, string.byteslice(header.size..))
    raise DataError, "invalid stored block lengths" unless body
    raise GzipFile::Error, "unexpected end of file" unless ended
    tail = string.byteslice(header.size + taken, 8)
    raise GzipFile::NoFooter, "footer is not found" if nil.equal?(tail) || tail.empty?
    raise GzipFile::Error, "unexpected end of string" if tail.bytesize < 8
    crc, length = tail.unpack("VV")
    raise GzipFile::CRCError, "invalid compressed data -- crc error" unless crc == crc32(body)
    raise GzipFile::LengthError, "invalid compressed data -- length error" unless length == body.bytesize & 0xffffffff
    body
  end

  def gzip_header(name, comment, mtime, level)
    flags = (name ? 8 : 0) | (comment ? 16 : 0)
    extra = level == BEST_COMPRESSION ? 2 : level == BEST_SPEED ? 4 : 0
    out = [0x1f, 0x8b, 8, flags, mtime.to_i, extra, OS_CODE].pack("CCCCVCC")
    # A zero byte would end them.
    out << name.b[/\A[^\0]*/n] << "\0" if name
    out << comment.b[/\A[^\0]*/n] << "\0" if comment
    out
  end
  private_class_method :gzip_header
  public_class_method :gzip_header

  # What streams of both directions have.
  class ZStream
    attr_reader :total_in, :total_out, :adler

    def initialize
      @input = "".b
      @output = "".b
      @total_in = @total_out = 0
      @adler = 1
      @finished = @closed = false
      # One thread works on it at a time, and a block that is given its output must not.
      @lock = Thread::Mutex.new
    end

    def avail_in = open! && @input.bytesize
    def avail_out = open! && 0
    def avail_out=(size)
      size
    end
    def data_type = BINARY
    def finished? = open! && @finished
    alias stream_end? finished?
    def closed? = @closed
    alias ended? closed?

    def close
      open!
      @closed = true
      nil
    end
    alias end close

    def flush_next_in
      taken = @input
      @input = "".b
      taken
    end

    def flush_next_out
      taken = @output
      @output = "".b
      taken
    end

    # Output is yielded in pieces of this size.
    PIECE = 16384
    private_constant :PIECE

    private

    def open!
      raise Error, "stream is not ready" if @closed
      true
    end

    # Yields what has come out in pieces; less than one waits for more, but at the end.
    def each_piece(last)
      while @output.bytesize >= PIECE || last && !@output.empty?
        piece = @output.byteslice(0, PIECE)
        @output = @output.byteslice(piece.bytesize..)
        yield piece
      end
      nil
    end
  end

  # How far back a stream can refer.
  WINDOW = 32 * 1024
  private_constant :WINDOW

  class Deflate < ZStream
    def self.deflate(string, level = DEFAULT_COMPRESSION, &block)
      stream = new(level)
      stream.deflate(string, FINISH, &block)
    end

    # Whether there is such a level.
    def self.check_level(level) # :nodoc:
      raise StreamError, "stream error" unless level.between?(-1, 9)
    end
    private_class_method :check_level

    def initialize(level = nil, wbits = nil, _memory = nil, _strategy = nil)
      super()
      @level = level || DEFAULT_COMPRESSION
      Deflate.__send__(:check_level, @level)
      @wbits = wbits || MAX_WBITS
      # Windows of 8 to 15 bits, without a header (negative) or with one; 16 more for gzip's.
      raise StreamError, "stream error" unless @wbits.abs.between?(8, 15) || @wbits.between?(24, 31)
      reset
    end

    def reset
      open!
      @finished = false
      @total_in = @total_out = 0
      @crc = @wbits > 15 ? 0 : 1
      @started = false
      @dictionary = nil
      @stream = Primitive.zlib_deflater(@level, @wbits.between?(0, 15))
      nil
    end

    def deflate(string, flush = NO_FLUSH)
      @lock.synchronize do
        open!
        text = nil.equal?(string) ? "" : Asterism::Internal.to_str(string)
        out = run(text, flush)
        if block_given?
          @output << out
          next each_piece(flush == FINISH) { |piece| yield piece }
        end
        @output.empty? ? out : flush_next_out << out
      end
    end

    def <<(string)
      @lock.synchronize do
        open!
        @output << run(Asterism::Internal.to_str(string), NO_FLUSH)
      end
      self
    end

    def flush(flush = SYNC_FLUSH)
      return flush_next_out if flush == NO_FLUSH
      deflate("", flush)
    end

    def finish(&block)
      return deflate("", FINISH, &block) unless @finished
      block ? each_piece(true, &block) : flush_next_out
    end

    def params(level, _strategy)
      Deflate.__send__(:check_level, level)
      @output << run("", SYNC_FLUSH)
      @level = level
      nil
    end

    # The dictionary is compressed first, and what comes of that is dropped: what follows may refer to it.
    def set_dictionary(dictionary)
      open!
      dictionary = Asterism::Internal.to_str(dictionary)
      raise StreamError, "stream error" if @wbits > 15 || @started

      stream = Primitive.zlib_deflater(@level, false)
      Primitive.zlib_deflate(stream, dictionary.b.byteslice(-WINDOW..) || dictionary, SYNC_FLUSH)
      @stream = stream
      @dictionary = @adler = Zlib.adler32(dictionary, 1)
      dictionary
    end

    private

    # What a stream with a dictionary begins with: its method, window and level, and which dictionary it is.
    def dictionary_header
      level = case @level when 0, 1 then 0 when 2..5 then 1 when 6, -1 then 2 else 3 end
      start = 0x7820 | level << 6
      [start + 31 - start % 31, @dictionary].pack("nN")
    end

    def run(text, flush)
      out = "".b
      unless @started
        out << Zlib.gzip_header(nil, nil, nil, @level) if @wbits > 15
        out << dictionary_header if @dictionary && @wbits > 0
        @started = true unless text.empty? && flush == NO_FLUSH && out.empty?
      end
      @crc = @wbits > 15 ? Zlib.crc32(text, @crc) : Zlib.adler32(text, @crc)
      @adler = @crc
      @total_in += text.bytesize
      out << Primitive.zlib_deflate(@stream, text, flush)
      if flush == FINISH && !@finished
        @finished = true
        out << [@crc, @total_in & 0xffffffff].pack("VV") if @wbits > 15
        out << [@crc].pack("N") if @dictionary && @wbits.between?(0, 15)
      end
      @total_out += out.bytesize
      out
    end
  end

  class Inflate < ZStream
    def self.inflate(string)
      stream = new
      out = stream.inflate(string)
      raise BufError, "buffer error" unless stream.finished?
      out
    end

    def initialize(wbits = MAX_WBITS)
      super()
      @wbits = wbits || MAX_WBITS
      # Windows of 8 to 15 bits, without a header (negative) or with one; 16 more for gzip's, 32 for either.
      window = @wbits < 0 ? -@wbits : @wbits & 15
      raise StreamError, "stream error" unless @wbits < 48 && (window == 0 && @wbits >= 0 || window.between?(8, 15))
      reset
    end

    def reset
      @finished = false
      @total_in = @total_out = 0
      @gzip = @wbits > 15 ? (@wbits > 31 ? nil : true) : false
      @stream = @wbits > 31 ? nil : Primitive.zlib_inflater(@wbits.between?(0, 15))
      @pending = "".b
      # The checksum of the dictionary that the stream needs; then :set, as long as its end is not checked.
      @needed = nil
      @begun = false
      nil
    end

    # What follows the end of the stream is kept for the next that asks for output.
    def inflate(string, buffer: nil)
      @lock.synchronize do
        open!
        if @finished && !nil.equal?(string)
          @output << Asterism::Internal.to_str(string).b
          next buffer ? buffer.replace("") : "".b
        end
        out = run(nil.equal?(string) ? "" : Asterism::Internal.to_str(string))
        raise BufError, "buffer error" if nil.equal?(string) && !@finished
        if block_given?
          @output << out
          begin
            next each_piece(@finished) { |piece| yield(buffer ? buffer.replace(piece) : piece) }
          ensure
            keep_rest
          end
        end
        out = flush_next_out << out unless @output.empty?
        keep_rest
        buffer ? buffer.replace(out) : out
      end
    end

    def <<(string)
      if nil.equal?(string)
        raise BufError, "buffer error" unless @finished
      else
        @lock.synchronize do
          @output << run(Asterism::Internal.to_str(string))
          keep_rest
        end
      end
      self
    end

    def finish
      raise BufError, "buffer error" unless @finished
      return flush_next_out unless block_given?
      each_piece(true) { |piece| yield piece }
    end

    def sync_point? = false

    def sync(_string) = false

    # A dictionary to be used if a stream asks for it.
    def add_dictionary(dictionary)
      dictionary = Asterism::Internal.to_str(dictionary).dup.freeze
      (@dictionaries ||= {})[Zlib.adler32(dictionary, 1)] = dictionary
      nil
    end

    # The dictionary goes through the stream as a block that is not compressed, and is dropped: what follows may refer to it.
    def set_dictionary(dictionary)
      open!
      dictionary = Asterism::Internal.to_str(dictionary)
      if @wbits >= 0
        raise StreamError, "stream error" unless Integer === @needed
        raise DataError, "data error" unless Zlib.adler32(dictionary, 1) == @needed
        @stream = Primitive.zlib_inflater(false)
        @needed = :set
        @adler = 1
      end
      text = dictionary.b
      text = text.byteslice(-WINDOW..) || text
      Primitive.zlib_inflate(@stream, [0, text.bytesize, text.bytesize ^ 0xffff].pack("Cvv") << text)
      dictionary
    end

    private

    # Looks whether the stream begins by asking for a dictionary. false: more is needed to tell.
    def dictionary_asked
      return false if @pending.bytesize < 2
      start = @pending.unpack1("n")
      if start & 0x0f20 == 0x0820 && start % 31 == 0
        return false if @pending.bytesize < 6
        @needed = @adler = @pending.unpack1("@2N")
        @pending = @pending.byteslice(6..)
        @total_in += 6
        known = @dictionaries && @dictionaries[@needed]
        set_dictionary(known) if known
      end
      @begun = true
    end

    # Compares the checksum behind a stream that had a dictionary. false: it is not all there.
    def dictionary_checked
      return false if @pending.bytesize < 4
      raise DataError, "incorrect data check" unless @pending.unpack1("N") == @adler
      @pending = @pending.byteslice(4..)
      @total_in += 4
      @needed = nil
      true
    end

    def keep_rest
      return unless @finished
      @output << @pending
      @pending = "".b
    end

    # What comes out. What follows the end is left in @pending.
    def run(text)
      @pending << text
      return "".b if @finished
      if :checking.equal?(@needed)
        @finished = dictionary_checked
        return "".b
      end
      if nil.equal?(@gzip)
        return "".b if @pending.bytesize < 2
        @gzip = @pending.start_with?("\x1f\x8b".b)
        @stream = Primitive.zlib_inflater(!@gzip)
      end
      if true.equal?(@gzip)
        header = GzipHeader.read(@pending, partial: true) or return "".b
        @pending = @pending.byteslice(header.size..)
        @total_in += header.size
        @gzip = :body
      end
      unless @begun || @wbits < 0 || @gzip
        return "".b unless dictionary_asked
      end
      raise NeedDict, "need dictionary" if Integer === @needed
      body, taken, ended = Primitive.zlib_inflate(@stream, @pending)
      unless body
        raise DataError, @total_in == 0 ? "incorrect header check" : "invalid stored block lengths"
      end
      @total_in += taken
      @total_out += body.bytesize
      @pending = @pending.byteslice(taken..)
      @adler = @gzip ? Zlib.crc32(body, @adler == 1 ? 0 : @adler) : Zlib.adler32(body, @adler)
      if ended && :set.equal?(@needed) && !dictionary_checked
        @needed = :checking
      elsif ended
        @finished = true
        if @gzip
          @pending = @pending.byteslice(8..) || "".b
          @total_in += 8
        end
      end
      body
    end
  end
end

require "stringio"
