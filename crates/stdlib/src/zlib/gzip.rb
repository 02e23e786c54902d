# frozen_string_literal: true

# Files with the gzip format around their data.
module Zlib
  # The header of a gzip member.
  class GzipHeader
    attr_reader :size, :name, :comment, :mtime, :level, :os

    # `partial`: nil where the text ends within the header.
    def self.read(text, partial: false)
      new(text)
    rescue GzipFile::Error
      raise unless partial && (text.bytesize < 10 || text.start_with?("\x1f\x8b".b))
      nil
    end

    def initialize(text)
      raise GzipFile::Error, "not in gzip format" if text.bytesize < 10 || text.byteslice(0, 2).b != "\x1f\x8b".b
      _, _, method, flags, @mtime, extra, @os = text.unpack("CCCCVCC")
      raise GzipFile::Error, "unsupported compression method" unless method == 8
      @level = extra == 2 ? BEST_COMPRESSION : extra == 4 ? BEST_SPEED : DEFAULT_COMPRESSION
      at = 10
      if flags & 4 != 0
        length = text.byteslice(at, 2)&.unpack1("v") or raise GzipFile::Error, "not in gzip format"
        at += 2 + length
      end
      if flags & 8 != 0
        @name, at = zero_terminated(text, at)
      end
      if flags & 16 != 0
        @comment, at = zero_terminated(text, at)
      end
      at += 2 if flags & 2 != 0
      raise GzipFile::Error, "not in gzip format" if at > text.bytesize
      @size = at
    end

    private

    def zero_terminated(text, at)
      stop = text.b.index("\0", at) or raise GzipFile::Error, "not in gzip format"
      [text.byteslice(at, stop - at), stop + 1]
    end
  end
  private_constant :GzipHeader

  class GzipFile
    class Error < Zlib::Error
      attr_reader :input

      def inspect
        text = super
        @input ? "#{text.chomp('>')}, input=#{@input.inspect}>" : text
      end
    end

    class NoFooter < Error; end
    class CRCError < Error; end
    class LengthError < Error; end

    def self.wrap(*args, **options)
      file = new(*args, **options)
      return file unless block_given?
      begin
        yield file
      ensure
        file.close unless file.closed?
      end
    end

    def orig_name
      open!
      @orig_name
    end

    def comment
      open!
      @comment
    end

    def level
      open!
      @level
    end

    def os_code = OS_CODE
    def mtime = Time.at(@mtime || 0)
    def crc = @crc
    def sync = (open!; @sync ? true : false)
    def sync=(flag)
      open!
      @sync = flag
    end
    def to_io = @io
    def closed? = @closed ? true : false

    private

    def open!
      raise GzipFile::Error, "closed gzip stream" if @closed
    end

    # It has a path if what it reads or writes has one.
    def adopt(io)
      @io = io
      return unless io.respond_to?(:path)
      path = begin
        io.path
      rescue IOError
        nil
      end
      define_singleton_method(:path) { path }
    end
  end

  class GzipWriter < GzipFile
    def self.open(path, level = nil, strategy = nil, &block)
      wrap(File.open(path, "wb"), level, strategy, &block)
    end

    attr_reader :pos
    alias tell pos

    def initialize(io, level = nil, _strategy = nil, **options)
      adopt(io)
      @level = level || DEFAULT_COMPRESSION
      Deflate.__send__(:check_level, @level)
      @stream = Primitive.zlib_deflater(@level, false)
      @crc = 0
      @pos = 0
      @started = @closed = false
      @external = options[:external_encoding]
    end

    def mtime=(time)
      raise GzipFile::Error, "header is already written" if @started
      @mtime = time.to_i
    end

    def orig_name=(name)
      raise GzipFile::Error, "header is already written" if @started
      @orig_name = name
    end

    def comment=(text)
      raise GzipFile::Error, "header is already written" if @started
      @comment = text
    end

    def write(*strings)
      open!
      strings.sum do |string|
        text = string.to_s
        text = text.encode(@external) if @external
        header = start
        @crc = Zlib.crc32(text, @crc)
        @pos += text.bytesize
        # What is compressed is not lost when the header cannot be written.
        out = header << Primitive.zlib_deflate(@stream, text, NO_FLUSH)
        @io.write(out) unless out.empty?
        flush if @sync
        text.bytesize
      end
    end

    def <<(object)
      write(object)
      self
    end

    def print(*objects)
      objects.each { |o| write(o) }
      nil
    end

    def puts(*objects)
      buffer = StringIO.new
      buffer.puts(*objects)
      write(buffer.string)
      nil
    end

    def printf(format, *args)
      write(Kernel.format(format, *args))
      nil
    end

    def putc(char)
      write(Integer === char ? (char & 255).chr : char.to_s[0])
      char
    end

    def flush(flush = SYNC_FLUSH)
      open!
      out = start
      out << Primitive.zlib_deflate(@stream, "", flush) unless flush == NO_FLUSH
      @io.write(out) unless out.empty?
      @io.flush if @io.respond_to?(:flush)
      self
    end

    def finish
      open!
      header = start
      @io.write(header << Primitive.zlib_deflate(@stream, "", FINISH) << [@crc, @pos & 0xffffffff].pack("VV"))
      @closed = true
      @io
    end

    def close
      return if @closed
      io = finish
      io.close if io.respond_to?(:close)
      io
    end

    private

    # The header, the first time.
    def start
      return "".b if @started
      @started = true
      @mtime = Time.now.to_i unless @mtime
      Zlib.gzip_header(@orig_name, @comment, @mtime, @level)
    end
  end

  class GzipReader < GzipFile
    include Enumerable

    PIECE = 1 << 16
    private_constant :PIECE

    def self.open(path, **options, &block) = wrap(File.open(path, "rb"), **options, &block)

    def self.zcat(io, **options)
      if block_given?
        loop do
          gz = new(io, **options)
          gz.each { |line| yield line }
          unused = gz.unused
          gz.finish
          break if nil.equal?(unused)
          io.pos -= unused.bytesize
        end
        nil
      else
        out = "".b
        loop do
          gz = new(io, **options)
          out << gz.read
          unused = gz.unused
          gz.finish
          break if nil.equal?(unused)
          io.pos -= unused.bytesize
        end
        out
      end
    end

    attr_accessor :lineno

    def initialize(io, external_encoding: nil, internal_encoding: nil, **)
      adopt(io)
      @external = external_encoding ? Encoding.find(external_encoding) : Encoding.default_external
      @internal = internal_encoding
      @lineno = 0
      @closed = false
      begin_member
    end

    def external_encoding = @external

    def rewind
      open!
      @io.seek(@start)
      begin_member
      @lineno = 0
      0
    end

    # What is put back before the first byte lies below 0.
    def pos = (open!; @body.pos - @before)
    alias tell pos
    def eof? = (open!; @body.eof?)
    alias eof eof?

    def read(length = nil, buffer = nil)
      open!
      raise ArgumentError, "negative length #{length} given" if length && length < 0
      return converted(@body.read) if nil.equal?(length)
      buffer ? @body.read(length, buffer) : @body.read(length)
    end

    def readpartial(length, buffer = nil)
      open!
      buffer ? @body.readpartial(length, buffer) : @body.readpartial(length)
    end

    def getc = (open!; @body.getc)
    def readchar = (open!; @body.readchar)
    def getbyte = (open!; @body.getbyte)
    def readbyte = (open!; @body.readbyte)
    def ungetc(char) = put_back { @body.ungetc(char) }
    def ungetbyte(byte) = put_back { @body.ungetbyte(byte) }

    def each_byte(&block)
      return to_enum(:each_byte) unless block
      @body.each_byte(&block)
      self
    end

    def each_char(&block)
      return to_enum(:each_char) unless block
      @body.each_char(&block)
      nil
    end

    def gets(*args, **options)
      open!
      line = @body.gets(*args, **options)
      # Of the empty lines behind a paragraph, which StringIO gives too, one is a part of it.
      line = line.sub(/\n{3,}\z/, "\n\n") if line && args.first == ""
      @lineno += 1 if line
      line && converted(line)
    end

    def readline(*args, **options) = gets(*args, **options) || raise(EOFError, "end of file reached")

    def each(*args, **options)
      return to_enum(:each, *args, **options) unless block_given?
      while (line = gets(*args, **options))
        yield line
      end
      self
    end
    alias each_line each

    def readlines(*args, **options) = each(*args, **options).to_a

    def unused = @unused.empty? ? nil : @unused

    def finish
      open!
      @closed = true
      @io
    end

    def close
      return if @closed
      io = finish
      io.close if io.respond_to?(:close)
      io
    end

    private

    def converted(text) = @internal ? text.encode(@internal) : text

    def put_back
      open!
      length = @body.size
      yield
      @before += @body.size - length
      nil
    end

    # All that is left, in pieces: what is read from need not be an IO.
    def rest
      data = "".b
      while (piece = @io.read(PIECE)) && !piece.empty?
        data << piece
      end
      data
    end

    # The member is read whole: its end tells where the next one begins.
    def begin_member
      @start = @io.respond_to?(:pos) ? (@io.pos rescue 0) : 0
      data = rest
      begin
        header = GzipHeader.new(data)
      rescue GzipFile::Error => e
        e.instance_variable_set(:@input, data.empty? ? nil : data)
        raise
      end
      @orig_name = header.name || ""
      @comment = header.comment || ""
      @mtime = header.mtime
      @level = header.level
      stream = Primitive.zlib_inflater(false)
      body, taken, ended = Primitive.zlib_inflate(stream, data.byteslice(header.size..))
      raise DataError, "invalid stored block lengths" unless body
      raise GzipFile::Error, "unexpected end of file" unless ended
      after = header.size + taken
      tail = data.byteslice(after, 8)
      raise NoFooter, "footer is not found" unless tail && tail.bytesize == 8
      crc, length = tail.unpack("VV")
      @crc = Zlib.crc32(body)
      raise CRCError, "invalid compressed data -- crc error" unless crc == @crc
      raise LengthError, "invalid compressed data -- length error" unless length == body.bytesize & 0xffffffff
      @unused = data.byteslice(after + 8..)
      @body = StringIO.new(body.force_encoding(@external))
      @before = 0
    end
  end
end
