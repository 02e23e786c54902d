# frozen_string_literal: true

# Reading of what is encoded by the basic encoding rules (BER), of which the distinguished ones (DER) are a part.
module OpenSSL
  module ASN1
    # How deep values may lie in each other: far more than any format has, and no stack is full before.
    DEEPEST = 1000
    private_constant :DEEPEST

    module_function

    def decode(der)
      der = ASN1.__der(der)
      reader = Reader.new(der)
      value = reader.read(der.bytesize, 0)
      reader.check_end
      value
    end

    def decode_all(der)
      der = ASN1.__der(der)
      reader = Reader.new(der)
      all = []
      all << reader.read(der.bytesize, 0) while reader.at < der.bytesize
      all
    end

    def traverse(der, &block)
      der = ASN1.__der(der)
      raise LocalJumpError, "no block given (yield)" unless block
      reader = Reader.new(der, block)
      reader.read(der.bytesize, 0)
      reader.check_end
      nil
    end

    # Reads values one behind the other. What a length announces is looked at only within the bytes that there are.
    class Reader
      attr_reader :at

      CLASSES_OF_TAGS = [:UNIVERSAL, :APPLICATION, :CONTEXT_SPECIFIC, :PRIVATE].freeze

      def initialize(der, block = nil)
        # A copy that no other thread changes.
        @der = der.b.freeze
        @at = 0
        @block = block
      end

      def check_end
        size = @der.bytesize
        return if @at == size
        raise ASN1Error, "Type mismatch. Total bytes read: #{@at} Bytes available: #{size} Offset: #{@at}"
      end

      # The body of the value that begins here, in the definite form.
      def body
        limit = @der.bytesize
        read_tag(limit)
        length = read_length(limit, false)
        @der.byteslice(@at, length)
      end

      # The encodings of the values that it is made of.
      def pieces
        limit = @der.bytesize
        read_tag(limit)
        length = read_length(limit, false)
        limit = @at + length
        pieces = []
        while @at < limit
          start = @at
          read_tag(limit)
          length = read_length(limit, false)
          @at += length
          pieces << @der.byteslice(start, @at - start)
        end
        pieces
      end

      # The value that begins here and ends before `limit`.
      def read(limit, depth)
        start = @at
        first, tag = read_tag(limit)
        constructed = first & 0x20 != 0
        length = read_length(limit, constructed)
        tag_class = CLASSES_OF_TAGS[first >> 6]
        if @block
          @block.call([depth, start, @at - start, length || 0, constructed, tag_class, tag])
        end
        return read_constructed(tag, tag_class, length, limit, depth) if constructed
        value = read_primitive(tag, tag_class, length)
        @at += length
        value
      end

      private

      def read_tag(limit)
        raise ASN1Error, "too small" if @at >= limit
        first = @der.getbyte(@at)
        @at += 1
        tag = first & 0x1f
        return first, tag if tag != 31
        tag = 0
        while true
          raise ASN1Error, "header too long" if @at >= limit || tag > 0xffffff
          octet = @der.getbyte(@at)
          @at += 1
          tag = tag << 7 | octet & 0x7f
          return first, tag if octet < 0x80
        end
      end

      # The length of the body, nil if it is indefinite.
      def read_length(limit, constructed)
        raise ASN1Error, "header too long" if @at >= limit
        length = @der.getbyte(@at)
        @at += 1
        if length == 0x80
          raise ASN1Error, "header too long" unless constructed
          return nil
        end
        if length > 0x80
          octets = length & 0x7f
          raise ASN1Error, "header too long" if octets > limit - @at
          length = 0
          while octets > 0
            raise ASN1Error, "header too long" if length > 0xffffffffffff
            length = length << 8 | @der.getbyte(@at)
            @at += 1
            octets -= 1
          end
        end
        raise ASN1Error, "too long" if length > limit - @at
        length
      end

      def read_constructed(tag, tag_class, length, limit, depth)
        raise ASN1Error, "nested too deeply" if depth >= DEEPEST
        limit = @at + length if length
        items = []
        while @at < limit
          item = read(limit, depth + 1)
          unless length
            break if Primitive.kind_of(item, EndOfContent)
            raise ASN1Error, "EOC missing in indefinite length encoding" if @at == limit
          end
          items << item
        end
        value = make_constructed(items, tag, tag_class)
        value.indefinite_length = true unless length
        value
      end

      def make_constructed(items, tag, tag_class)
        return ASN1Data.new(items, tag, tag_class) unless :UNIVERSAL.equal?(tag_class)
        of = tag == SEQUENCE ? Sequence : tag == SET ? Set : Constructive
        value = of.allocate
        value.__send__(:__fill, items, tag, nil, tag_class)
        value
      end

      def read_primitive(tag, tag_class, length)
        of = CLASSES[tag] if :UNIVERSAL.equal?(tag_class)
        return ASN1Data.new(@der.byteslice(@at, length), tag, tag_class) if nil.equal?(of)
        unused = 0
        content =
          case tag
          when BOOLEAN then boolean(length)
          when INTEGER, ENUMERATED then integer(length)
          when BIT_STRING
            unused = unused_bits(length)
            bit_string(length, unused)
          when NULL
            raise ASN1Error, "null is wrong length" if length != 0
            nil
          when OBJECT then ASN1.__name_of_oid(ASN1.__dotted(@der.byteslice(@at, length)))
          when UTCTIME, GENERALIZEDTIME then TimeText.new(@der.byteslice(@at, length), tag == GENERALIZEDTIME).time
          when EOC
            raise ASN1Error, "invalid end of contents" if length != 0
            "".b
          else @der.byteslice(@at, length)
          end
        value = of.allocate
        value.__send__(:__fill, content, tag, nil, tag_class)
        value.unused_bits = unused if tag == BIT_STRING
        value
      end

      def boolean(length)
        raise ASN1Error, "invalid length for BOOLEAN" if length != 1
        @der.getbyte(@at) != 0
      end

      def integer(length)
        raise ASN1Error, "illegal zero content" if length == 0
        first = @der.getbyte(@at)
        if length > 1 && (first == 0 || first == 0xff) && (first ^ @der.getbyte(@at + 1)) & 0x80 == 0
          raise ASN1Error, "illegal padding"
        end
        octets = @der.byteslice(@at, length)
        return OpenSSL::BN.new(octets, 2) if first < 0x80
        OpenSSL::BN.new(octets.unpack1("H*").to_i(16) - (1 << length * 8))
      end

      def unused_bits(length)
        raise ASN1Error, "string too short" if length == 0
        unused = @der.getbyte(@at)
        raise ASN1Error, "invalid bit string bits left" if unused > 7
        unused
      end

      def bit_string(length, unused)
        bits = @der.byteslice(@at + 1, length - 1)
        bits.setbyte(-1, bits.getbyte(-1) & 0xff << unused) if unused > 0 && !bits.empty?
        bits
      end
    end

    # The text of a UTCTime (two digits of the year) or a GeneralizedTime (four). Seconds may be left out; what says how far the time is
    # from universal time may not.
    class TimeText
      def initialize(text, general)
        @text = text
        @general = general
        @at = 0
      end

      def time
        fields = date_and_clock
        skip_fraction if @general && @text.getbyte(@at) == 46
        offset = ahead
        fail! if @at != @text.bytesize
        time = Time.utc(*fields)
        return time if offset == 0
        time -= offset
        fail! unless (1900..9999).cover?(time.year)
        time
      end

      private

      def fail! = raise(ASN1Error, "ASN1_TIME_to_tm")

      def date_and_clock
        fail! if @text.bytesize < (@general ? 13 : 11)
        year = @general ? two(0, 99) * 100 + two(0, 99) : two(0, 99)
        year += year < 50 ? 2000 : 1900 unless @general
        month = two(1, 12)
        day = two(1, 31)
        fail! if day > (month == 2 ? leap?(year) ? 29 : 28 : [4, 6, 9, 11].include?(month) ? 30 : 31)
        hour = two(0, 23)
        minute = two(0, 59)
        next_byte = @text.getbyte(@at)
        second = next_byte == 90 || next_byte == 43 || next_byte == 45 ? 0 : two(0, 59)
        [year, month, day, hour, minute, second]
      end

      def leap?(year) = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)

      # A number of two digits, behind which something follows.
      def two(least, most)
        tens = @text.getbyte(@at)
        ones = @text.getbyte(@at + 1)
        fail! unless tens && ones && 48 <= tens && tens <= 57 && 48 <= ones && ones <= 57
        @at += 2
        number = tens * 10 + ones - 528
        fail! if number < least || number > most
        number
      end

      def skip_fraction
        @at += 1
        start = @at
        @at += 1 while (byte = @text.getbyte(@at)) && 48 <= byte && byte <= 57
        fail! if @at == start
      end

      # How many seconds the time is ahead of universal time.
      def ahead
        sign = @text.getbyte(@at)
        @at += 1
        return 0 if sign == 90
        fail! unless sign == 43 || sign == 45
        seconds = two(0, 12) * 3600 + two(0, 59) * 60
        sign == 45 ? -seconds : seconds
      end
    end

    private_constant :Reader, :TimeText
  end
end
