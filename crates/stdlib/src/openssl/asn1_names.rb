# frozen_string_literal: true

# Object identifiers: their numbers, their octets, and the names that libcrypto and the program know them by.
module OpenSSL
  module ASN1
    # More octets than any identifier has, which is what libcrypto shows at most, and the text of as many.
    LONGEST_OID = 586
    LONGEST_OID_TEXT = LONGEST_OID * 4
    private_constant :LONGEST_OID, :LONGEST_OID_TEXT

    # What the program has registered: numbers => [short name, long name], and names => numbers. libcrypto could be told (OBJ_create), but
    # its table is one of the process, and no lock keeps a thread that reads it from one that adds to it. Each Hash is replaced as a whole.
    @registered = {}.freeze
    @numbers = {}.freeze
    @registering = Thread::Mutex.new

    class << self
      # The body of the encoding of an identifier, which goes by numbers or by one of its names.
      def __object_body(text)
        text = __cstr(text)
        raise ASN1Error, "invalid OBJECT ID #{text.byteslice(0, 40)}...: too long" if text.bytesize > LONGEST_OID_TEXT
        text = __known_to_crypto(text)
        object = Primitive.openssl(nil, :OBJ_txt2obj, text, 0)
        object ||= Primitive.openssl([ASN1Error, "invalid OBJECT ID #{text}"], :OBJ_txt2obj, text, 1)
        __body_of(Primitive.openssl(ASN1Error, :i2d_ASN1_OBJECT, object))
      end

      # What is behind the tag and the length of a value, and the encodings of the values that one is made of.
      def __body_of(der) = Reader.new(der).body
      def __pieces(der) = Reader.new(der).pieces

      # The numbers of an identifier, which goes by numbers or by one of its names.
      def __oid(text) = __dotted(__object_body(text))

      # What libcrypto is told for a name that the program has registered: the numbers.
      def __known_to_crypto(text) = @numbers[text] || text

      # The numbers that octets stand for, as text.
      def __dotted(octets)
        size = octets.bytesize
        if size == 0 || octets.getbyte(-1) >= 0x80
          raise ASN1Error, "d2i_ASN1_OBJECT: invalid object encoding"
        end
        raise OpenSSLError, "OBJ_obj2txt" if size > LONGEST_OID
        numbers = []
        number = 0
        octets.each_byte do |octet|
          raise ASN1Error, "d2i_ASN1_OBJECT: invalid object encoding" if octet == 0x80 && number == 0
          number = number << 7 | octet & 0x7f
          next if octet >= 0x80
          if numbers.empty?
            top = number < 80 ? number / 40 : 2
            numbers << top
            number -= top * 40
          end
          numbers << number
          number = 0
        end
        numbers.join(".").force_encoding(Encoding::US_ASCII)
      end

      # The short name of an identifier, or else its numbers.
      def __name_of_oid(numbers)
        names = __names(numbers)
        names ? names[0] : numbers
      end

      # The two names of an identifier, or nil where there are none.
      def __names(text)
        text = __cstr(text)
        unless @registered.empty?
          numbers = @numbers[text] || text
          known = @registered[numbers]
          return [known[0].b, known[1].b] if known
        end
        return nil if text.bytesize > LONGEST_OID_TEXT
        __crypto_names(text)
      end

      def __register(oid, short, long)
        oid = __cstr(oid)
        short = __cstr(short)
        long = __cstr(long)
        numbers = __oid_to_register(oid)
        @registering.synchronize do
          # An empty name is no name.
          names = [short, long].reject(&:empty?)
          raise ASN1Error, "oid exists" if @registered.key?(numbers) || names.any? { |name| @numbers.key?(name) }
          raise ASN1Error, "oid exists" if [numbers, *names].any? { |name| __crypto_names(name) }
          short = short.b.freeze
          long = long.b.freeze
          by_name = names.to_h { |name| [name.dup.freeze, numbers] }
          @numbers = @numbers.merge(by_name).freeze
          @registered = @registered.merge(numbers => [short, long].freeze).freeze
        end
        true
      end

      private

      def __crypto_names(text)
        nid = Primitive.openssl(nil, :OBJ_txt2nid, text)
        return nil if nid == 0
        [Primitive.openssl(ASN1Error, :OBJ_nid2sn, nid).b, Primitive.openssl(ASN1Error, :OBJ_nid2ln, nid).b]
      end

      def __oid_to_register(text)
        raise ASN1Error, "first num too large" unless text.match?(/\A[012](?:[. ]\d+)+[. ]?\z/)
        __oid(text).freeze
      end
    end

    class ObjectId
      def self.register(oid, short_name, long_name) = ASN1.__register(oid, short_name, long_name)

      def sn
        names = ASN1.__names(@value)
        names && names[0]
      end

      def ln
        names = ASN1.__names(@value)
        names && names[1]
      end

      alias short_name sn
      alias long_name ln

      def oid = ASN1.__oid(@value)

      def ==(other)
        return false unless Primitive.kind_of(other, ObjectId)
        oid == other.oid
      end
    end
  end
end
