# frozen_string_literal: true

module OpenSSL
  module X509
    # An attribute of a request: an identifier and a set of values. The library's object is made of these where one is asked for.
    class Attribute
      class << self
        # The attribute that a handle is.
        def __of(handle)
          attribute = allocate
          attribute.__send__(:__parse, Primitive.openssl([AttributeError, ""], :i2d_X509_ATTRIBUTE, handle))
          attribute
        end
      end

      def initialize(oid, value = (none = true; nil))
        if none
          handle = Primitive.openssl([AttributeError, ""], :d2i_X509_ATTRIBUTE, ASN1.__der(oid))
          return __parse(Primitive.openssl([AttributeError, ""], :i2d_X509_ATTRIBUTE, handle))
        end
        self.oid = oid
        self.value = value
      end

      def initialize_copy(other)
        X509.__kind(other, Attribute)
        super
      end

      def oid=(oid)
        text = ASN1.__cstr(oid)
        object = Primitive.openssl([AttributeError, ""], :OBJ_txt2obj, ASN1.__known_to_crypto(text), 0)
        @__oid = ASN1.__dotted(ASN1.__body_of(Primitive.openssl(AttributeError, :i2d_ASN1_OBJECT, object))).freeze
      end

      def value=(value)
        X509.__kind(value, ASN1::ASN1Data)
        # The library says whether it is a set of values.
        der = ASN1::Sequence.new([ASN1::ObjectId.new(@__oid || "0.0"), Asterism::Internal.to_str(value.to_der).b]).to_der
        handle = Primitive.openssl([AttributeError, "attribute value must be ASN1::Set"], :d2i_X509_ATTRIBUTE, der)
        @__value = ASN1.__pieces(Primitive.openssl(AttributeError, :i2d_X509_ATTRIBUTE, handle))[1].freeze
      end

      def oid
        raise OpenSSLError, "OBJ_obj2txt" if nil.equal?(@__oid)
        ASN1.__name_of_oid(@__oid).dup
      end

      def value = ASN1.decode(@__value || "1\0".b)

      def to_der
        raise AttributeError, "illegal zero content" if nil.equal?(@__oid)
        ASN1::Sequence.new([ASN1::ObjectId.new(@__oid), @__value || "1\0".b]).to_der
      end

      # A handle of the library's.
      def __handle = Primitive.openssl(AttributeError, :d2i_X509_ATTRIBUTE, to_der)

      private

      def __parse(der)
        oid, values = ASN1.__pieces(der)
        @__oid = ASN1.__dotted(ASN1.__body_of(oid)).freeze
        @__value = values.freeze
      end
    end
  end
end
