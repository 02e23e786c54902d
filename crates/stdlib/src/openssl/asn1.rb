# frozen_string_literal: true

# OpenSSL::ASN1: values of Abstract Syntax Notation One and their encoding. `asn1_decode.rb` reads them, `asn1_names.rb` knows the names
# of object identifiers.
#
# Within this module Integer, Set and Primitive are classes of ASN.1: those of Ruby are written with `::` before them.
module OpenSSL
  module ASN1
    class ASN1Error < OpenSSLError; end

    UNIVERSAL_TAG_NAME = [
      "EOC", "BOOLEAN", "INTEGER", "BIT_STRING", "OCTET_STRING", "NULL", "OBJECT", "OBJECT_DESCRIPTOR", "EXTERNAL", "REAL", "ENUMERATED",
      "EMBEDDED_PDV", "UTF8STRING", "RELATIVE_OID", nil, nil, "SEQUENCE", "SET", "NUMERICSTRING", "PRINTABLESTRING", "T61STRING",
      "VIDEOTEXSTRING", "IA5STRING", "UTCTIME", "GENERALIZEDTIME", "GRAPHICSTRING", "ISO64STRING", "GENERALSTRING", "UNIVERSALSTRING",
      "CHARACTER_STRING", "BMPSTRING"
    ].freeze
    UNIVERSAL_TAG_NAME.each_with_index { |name, tag| const_set(name, tag) if name }

    # What the first octet says of the class of a tag.
    CLASS_BITS = { nil => 0, UNIVERSAL: 0, APPLICATION: 0x40, CONTEXT_SPECIFIC: 0x80, PRIVATE: 0xc0 }.freeze
    private_constant :CLASS_BITS

    # The greatest C int: tags and bodies are no longer than that.
    MOST = 0x7fffffff
    private_constant :MOST

    # The helpers of this module and of those of X509.
    class << self
      # A C int of what a program says.
      def __int(value)
        raise TypeError, "no implicit conversion from nil to integer" if nil.equal?(value)
        number = Primitive.to_int(value)
        return number if -MOST - 1 <= number && number <= MOST
        raise RangeError, "bignum too big to convert into 'long'" if number.bit_length > 63
        raise RangeError, "integer #{number} too #{number < 0 ? "small" : "big"} to convert to 'int'"
      end

      # A String without a zero byte.
      def __cstr(value)
        value = Asterism::Internal.to_str(value)
        raise ArgumentError, "string contains null byte" if value.include?("\0")
        value
      end

      # The DER of a value, which may be a String that is one.
      def __der(value)
        value = value.to_der if value.respond_to?(:to_der)
        Asterism::Internal.to_str(value)
      end

      # The octets before a body. A `length` that is nil stands for the indefinite one.
      def __header(first, tag, length)
        header = "".b
        if tag < 31
          header << (first | tag)
        else
          header << (first | 31)
          shift = (tag.bit_length - 1) / 7 * 7
          while shift > 0
            header << (tag >> shift & 0x7f | 0x80)
            shift -= 7
          end
          header << (tag & 0x7f)
        end
        return header << 0x80 if nil.equal?(length)
        return header << length if length < 0x80
        raise ASN1Error, "value is too long" if length > MOST
        octets = (length.bit_length + 7) / 8
        header << (0x80 | octets)
        while octets > 0
          octets -= 1
          header << (length >> octets * 8 & 0xff)
        end
        header
      end

      # The two's complement of an Integer in as few octets as it takes, the most significant one first.
      def __integer_octets(number)
        return "".b << (number & 0xff) if -128 <= number && number < 128
        size = number.bit_length / 8 + 1
        number += 1 << size * 8 if number < 0
        [number.to_s(16).rjust(size * 2, "0")].pack("H*")
      end

      # What a program gives as a number, an Integer or an OpenSSL::BN, as an Integer.
      def __number(value)
        return value if Primitive.kind_of(value, ::Integer)
        raise TypeError, "Can't convert nil into Integer" if nil.equal?(value)
        return value.to_i if Primitive.kind_of(value, OpenSSL::BN)
        raise TypeError, "Cannot convert into OpenSSL::BN"
      end

      # A point in time as seconds since 1970, in the range that libcrypto calculates with.
      def __seconds(time)
        seconds = Kernel.Integer(time)
        raise RangeError, "bignum too big to convert into 'long'" if seconds.bit_length > 63
        days = seconds.abs / 86400
        raise RangeError, "integer #{days} too big to convert to 'int'" if days > MOST
        seconds
      end

      # A time as text with as many digits of the year, if it is within the years that there are.
      def __time_text(time, years, format)
        seconds = __seconds(time)
        # Within the years 0 to 9999, which a Time is quickly made of.
        raise ASN1Error, "time out of range" unless -62_167_219_200 <= seconds && seconds <= 253_402_300_799
        time = Time.at(seconds).utc
        raise ASN1Error, "time out of range" unless years.cover?(time.year)
        time.strftime(format).b
      end
    end

    # Any value: one of a class of tags other than :UNIVERSAL, of which only the program knows what it is, or an unknown one.
    class ASN1Data
      attr_accessor :value, :tag, :tag_class, :indefinite_length
      alias infinite_length indefinite_length
      alias infinite_length= indefinite_length=

      def initialize(value, tag, tag_class)
        raise ASN1Error, "invalid tag class" unless Primitive.kind_of(tag_class, Symbol)
        @tag = tag
        @value = value
        @tag_class = tag_class
        @indefinite_length = false
      end

      def to_der
        return __constructed if Primitive.kind_of(@value, Array)
        raise ASN1Error, "indefinite length form cannot be used with primitive encoding" if @indefinite_length
        __primitive
      end

      private

      # What a value with a tag of its own is made of, and one that was read.
      def __fill(value, tag, tagging, tag_class)
        @tag = tag
        @value = value
        @tagging = tagging
        @tag_class = tag_class
        @indefinite_length = false
      end

      # `initialize` of the classes that know their tag.
      def __tagged(value, tag, tagging, tag_class, given)
        known = __known_tag
        return __fill(value, known, nil, :UNIVERSAL) unless given || nil.equal?(known)
        raise ASN1Error, "must specify tag number" if nil.equal?(tag)
        raise ASN1Error, "invalid tagging method" unless nil.equal?(tagging) || Primitive.kind_of(tagging, Symbol)
        tag_class = nil.equal?(tagging) ? :UNIVERSAL : :CONTEXT_SPECIFIC if nil.equal?(tag_class)
        raise ASN1Error, "invalid tag class" unless Primitive.kind_of(tag_class, Symbol)
        __fill(value, tag, tagging, tag_class)
      end

      # The universal tag of the class or of what it inherits from, or nil.
      def __known_tag
        of = Primitive.class_of(self)
        until nil.equal?(of)
          tag = TAG_OF_CLASS[of]
          return tag unless nil.equal?(tag)
          of = of.superclass
        end
        nil
      end

      # The encoding with a body in the primitive form.
      def __primitive
        known = __known_tag
        body = nil.equal?(known) ? Asterism::Internal.to_str(@value) : __body(known)
        __encode(0, false, body, known)
      end

      # The encoding whose body is those of other values.
      def __constructed
        indefinite = @indefinite_length ? true : false
        items = @value
        unless Primitive.kind_of(items, Array)
          unless items.respond_to?(:to_a)
            raise TypeError, "can't convert #{Asterism::Internal.convert_name(items)} into Array"
          end
          items = items.to_a
        end
        body = "".b
        last = items.size - 1
        items.each_with_index do |item, i|
          if indefinite && Primitive.kind_of(item, EndOfContent)
            raise ASN1Error, "illegal EOC octets in value" if i != last
            # It may stand at the end, where one is written in any case.
            break
          end
          # As bytes, whatever encoding a String that a program gives is in.
          body.append_as_bytes(ASN1.__der(item))
        end
        __encode(0x20, indefinite, body, __known_tag)
      end

      # Tag and length before a body, twice if the tag is an explicit one.
      def __encode(form, indefinite, body, known)
        bits = CLASS_BITS[@tag_class]
        raise ASN1Error, "invalid tag class" if nil.equal?(bits)
        raise ASN1Error, "tag number not specified" if nil.equal?(@tag)
        tag = ASN1.__int(@tag)
        raise ASN1Error, "invalid tag number" if tag < 0
        if :EXPLICIT.equal?(@tagging)
          raise ASN1Error, "explicit tagging of unknown tag" if nil.equal?(known)
          inner = ASN1.__header(form, known, indefinite ? nil : body.bytesize)
          outer = ASN1.__header(bits | 0x20, tag, indefinite ? nil : inner.bytesize + body.bytesize)
          outer.append_as_bytes(inner, body)
          return indefinite ? outer << "\0\0\0\0" : outer
        end
        der = ASN1.__header(bits | form, tag, indefinite ? nil : body.bytesize).append_as_bytes(body)
        indefinite ? der << "\0\0" : der
      end

      # The octets of a value of a universal type.
      def __body(known)
        case known
        when BOOLEAN
          raise TypeError, "Can't convert nil into Boolean" if nil.equal?(@value)
          @value ? "\xff".b : "\0".b
        when INTEGER, ENUMERATED then ASN1.__integer_octets(ASN1.__number(@value))
        when BIT_STRING then __bit_string
        when NULL
          raise ASN1Error, "nil expected" unless nil.equal?(@value)
          "".b
        when OBJECT then ASN1.__object_body(@value)
        when UTCTIME then ASN1.__time_text(@value, 1950..2049, "%y%m%d%H%M%SZ")
        when GENERALIZEDTIME then ASN1.__time_text(@value, 1900..9999, "%Y%m%d%H%M%SZ")
        when EOC then raise ASN1Error, "unsupported ASN.1 type"
        # A Sequence or Set that a program asks for its primitive form does not exist: their `to_der` is another one.
        else Asterism::Internal.to_str(@value).b
        end
      end

      def __bit_string
        unused = ASN1.__int(@unused_bits)
        raise ASN1Error, "unused_bits for a bitstring value must be in the range 0 to 7" if unused < 0 || unused > 7
        bits = Asterism::Internal.to_str(@value).b
        return "\0".b if bits.empty?
        body = "".b << unused << bits
        body.setbyte(-1, body.getbyte(-1) & 0xff << unused) if unused > 0
        body
      end
    end

    class Primitive < ASN1Data
      attr_accessor :tagging
      undef_method :indefinite_length=, :infinite_length=

      def initialize(value, tag = (none = true; nil), tagging = nil, tag_class = nil)
        __tagged(value, tag, tagging, tag_class, !none)
      end

      def to_der = __primitive
    end

    class Constructive < ASN1Data
      include Enumerable
      attr_accessor :tagging

      def initialize(value, tag = (none = true; nil), tagging = nil, tag_class = nil)
        __tagged(value, tag, tagging, tag_class, !none)
      end

      def to_der = __constructed

      def each(&block)
        @value.each(&block)
        self
      end
    end

    # The end of what is in the indefinite form.
    class EndOfContent < ASN1Data
      def initialize
        __fill("".b, EOC, nil, :UNIVERSAL)
      end

      def to_der = "\0\0".b
    end

    class BitString < Primitive
      attr_accessor :unused_bits

      private def __fill(value, tag, tagging, tag_class)
        super
        @unused_bits = 0
      end
    end

    class Sequence < Constructive; end
    class Set < Constructive; end

    [
      :Boolean, :Integer, :Enumerated, :OctetString, :UTF8String, :NumericString, :PrintableString, :T61String, :VideotexString, :IA5String,
      :GraphicString, :ISO64String, :GeneralString, :UniversalString, :BMPString, :Null, :ObjectId, :UTCTime, :GeneralizedTime
    ].each { |name| const_set(name, Class.new(Primitive)) }

    # The classes of the universal types by tag.
    CLASSES = [
      EndOfContent, Boolean, Integer, BitString, OctetString, Null, ObjectId, nil, nil, nil, Enumerated, nil, UTF8String, nil, nil, nil,
      Sequence, Set, NumericString, PrintableString, T61String, VideotexString, IA5String, UTCTime, GeneralizedTime, GraphicString,
      ISO64String, GeneralString, UniversalString, nil, BMPString
    ].freeze
    TAG_OF_CLASS = CLASSES.each_with_index.filter_map { |of, tag| [of, tag] if of }.to_h.compare_by_identity.freeze
    private_constant :CLASSES, :TAG_OF_CLASS

    # `OpenSSL::ASN1::Integer(5)` for `OpenSSL::ASN1::Integer.new(5)`, and so on.
    CLASSES.each do |of|
      next unless of
      define_method(of.name.split("::").last) { |*args| of.new(*args) }
      module_function of.name.split("::").last
    end
  end
end
