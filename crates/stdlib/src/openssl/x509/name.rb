# frozen_string_literal: true

module OpenSSL
  module X509
    # A distinguished name.
    class Name
      include Comparable
      DEFAULT_OBJECT_TYPE = ASN1::UTF8STRING
      OBJECT_TYPE_TEMPLATE = Hash.new(DEFAULT_OBJECT_TYPE).update(
        "C" => ASN1::PRINTABLESTRING, "countryName" => ASN1::PRINTABLESTRING, "serialNumber" => ASN1::PRINTABLESTRING,
        "dnQualifier" => ASN1::PRINTABLESTRING, "DC" => ASN1::IA5STRING, "domainComponent" => ASN1::IA5STRING,
        "emailAddress" => ASN1::IA5STRING
      ).freeze
      COMPAT = 0
      RFC2253 = 17_892_119
      ONELINE = 8_520_479
      MULTILINE = 44_302_342
      # RFC2253 without the flag by which bytes above 127 are shown as numbers.
      UTF8_FLAGS = RFC2253 & ~4
      private_constant :UTF8_FLAGS

      def initialize(name = (none = true; nil), template = nil)
        @__handle = Primitive.openssl(NameError, :X509_NAME_new)
        return if none
        entries = Primitive.to_ary_or_nil(name)
        if nil.equal?(entries)
          der = ASN1.__der(name)
          @__handle = Primitive.openssl([NameError, ""], :d2i_X509_NAME, der)
          return
        end
        template = OBJECT_TYPE_TEMPLATE if nil.equal?(template)
        entries.each do |entry|
          unless Primitive.kind_of(entry, Array)
            raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(entry)} (expected Array)"
          end
          type = entry[2]
          type = template[entry[0]] if nil.equal?(type)
          type = DEFAULT_OBJECT_TYPE if nil.equal?(type)
          add_entry(entry[0], entry[1], type)
        end
      end

      def initialize_copy(other)
        Primitive.raise_frozen_if(self)
        @__handle = Primitive.openssl([NameError, ""], :X509_NAME_dup, other)
        self
      end

      def add_entry(oid, value, type = nil, loc: -1, set: 0)
        type = OBJECT_TYPE_TEMPLATE[oid] if nil.equal?(type)
        oid = ASN1.__known_to_crypto(ASN1.__cstr(oid))
        value = Asterism::Internal.to_str(value)
        Primitive.openssl(NameError, :X509_NAME_add_entry_by_txt, self, oid, type, value, loc, set)
        self
      end

      def to_s(flags = nil)
        return Primitive.openssl(NameError, :X509_NAME_oneline, self) if nil.equal?(flags)
        __print(flags)
      end

      def to_utf8 = __print(UTF8_FLAGS).force_encoding(Encoding::UTF_8)

      def inspect = "#<#{self.class} #{to_utf8}>"

      # The sets of entries one behind the other: [name, value, type of the string].
      def to_a
        ASN1.decode(to_der).value.flat_map do |set|
          set.value.map { |entry| [entry.value[0].value, entry.value[1].value.dup, entry.value[1].tag] }
        end
      end

      def cmp(other)
        return nil unless Primitive.kind_of(other, Name)
        Primitive.openssl(nil, :X509_NAME_cmp, self, other) <=> 0
      end

      alias <=> cmp

      def eql?(other) = Primitive.kind_of(other, Name) && Primitive.openssl(nil, :X509_NAME_cmp, self, other) == 0

      def hash = Primitive.openssl(nil, :X509_NAME_hash_ex, self)

      def hash_old = Primitive.openssl(nil, :X509_NAME_hash_old, self)

      def to_der = Primitive.openssl([NameError, ""], :i2d_X509_NAME, self)

      private

      def __print(flags)
        length, text = Primitive.openssl(nil, :X509_NAME_print_ex, self, flags)
        raise NameError, "X509_NAME_print_ex" if length < 0 || (length == 0 && flags == COMPAT)
        text
      end
    end
  end
end
