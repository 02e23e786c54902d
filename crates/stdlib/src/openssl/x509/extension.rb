# frozen_string_literal: true

module OpenSSL
  module X509
    # An extension: an identifier, whether it has to be understood, and a value, which is DER. The library's object is made of these where
    # one is asked for.
    class Extension
      class << self
        # The extension that a handle is.
        def __of(handle)
          extension = allocate
          extension.__send__(:__parse, Primitive.openssl([ExtensionError, ""], :i2d_X509_EXTENSION, handle))
          extension
        end
      end

      def initialize(oid, value = (none = true; nil), critical = (plain = true; nil))
        if none
          handle = Primitive.openssl([ExtensionError, ""], :d2i_X509_EXTENSION, ASN1.__der(oid))
          return __parse(Primitive.openssl([ExtensionError, ""], :i2d_X509_EXTENSION, handle))
        end
        self.oid = oid
        self.value = value
        self.critical = critical unless plain
      end

      def initialize_copy(other)
        X509.__kind(other, Extension)
        super
      end

      def oid=(oid)
        text = ASN1.__cstr(oid)
        object = Primitive.openssl([ExtensionError, "OBJ_txt2obj"], :OBJ_txt2obj, ASN1.__known_to_crypto(text), 0)
        @__oid = ASN1.__dotted(ASN1.__body_of(Primitive.openssl(ExtensionError, :i2d_ASN1_OBJECT, object))).freeze
      end

      def value=(value)
        @__value = ASN1.__der(value).b.freeze
      end

      def critical=(flag)
        @__critical = flag ? true : false
      end

      def oid
        raise OpenSSLError, "OBJ_obj2txt" if nil.equal?(@__oid)
        ASN1.__name_of_oid(@__oid).dup
      end

      def value
        return "".b if nil.equal?(@__value)
        shown = Primitive.openssl(nil, :X509V3_EXT_print, __handle) unless nil.equal?(@__oid)
        shown || @__value.gsub(/[^ -~\n\r]/n, ".")
      end

      def value_der = nil.equal?(@__value) ? "".b : @__value.dup

      def critical? = @__critical ? true : false

      def to_der
        raise ExtensionError, "illegal zero content" if nil.equal?(@__oid)
        parts = [ASN1::ObjectId.new(@__oid)]
        parts << ASN1::Boolean.new(true) if @__critical
        parts << ASN1::OctetString.new(value_der)
        ASN1::Sequence.new(parts).to_der
      end

      # A handle of the library's.
      def __handle = Primitive.openssl(ExtensionError, :d2i_X509_EXTENSION, to_der)

      private

      def __parse(der)
        parts = ASN1.__pieces(der)
        @__oid = ASN1.__dotted(ASN1.__body_of(parts[0])).freeze
        @__critical = parts.size > 2 && parts[1].getbyte(-1) != 0
        @__value = ASN1.__body_of(parts[-1]).freeze
      end
    end

    # Makes extensions of what is written about them.
    class ExtensionFactory
      attr_reader :issuer_certificate, :subject_certificate, :subject_request, :crl
      attr_accessor :config

      def initialize(issuer_certificate = nil, subject_certificate = nil, subject_request = nil, crl = nil)
        @config = nil
        self.issuer_certificate = issuer_certificate unless nil.equal?(issuer_certificate)
        self.subject_certificate = subject_certificate unless nil.equal?(subject_certificate)
        self.subject_request = subject_request unless nil.equal?(subject_request)
        self.crl = crl unless nil.equal?(crl)
      end

      def issuer_certificate=(certificate)
        Primitive.openssl(nil, :X509_get_version, certificate)
        @issuer_certificate = certificate
      end

      def subject_certificate=(certificate)
        Primitive.openssl(nil, :X509_get_version, certificate)
        @subject_certificate = certificate
      end

      def subject_request=(request)
        Primitive.openssl(nil, :X509_REQ_get_version, request)
        @subject_request = request
      end

      def crl=(crl)
        Primitive.openssl(nil, :X509_CRL_get_version, crl)
        @crl = crl
      end

      def create_ext(oid, value, critical = nil)
        value = Asterism::Internal.to_str(value)
        oid = ASN1.__cstr(oid)
        nid = Primitive.openssl(nil, :OBJ_ln2nid, oid)
        name = nid == 0 ? ASN1.__known_to_crypto(oid) : Primitive.openssl(ExtensionError, :OBJ_nid2sn, nid)
        value = ASN1.__cstr("#{"critical," if critical}#{value}")
        unless nil.equal?(@config) || Primitive.kind_of(@config, Config)
          raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(@config)} (expected OpenSSL/CONF)"
        end
        config = @config.to_s unless nil.equal?(@config)
        Extension.__of(
          Primitive.openssl(
            [ExtensionError, "#{oid} = #{value}"], :openssl_extension,
            name, value, config, @issuer_certificate, @subject_certificate, @subject_request, @crl
          )
        )
      end
    end
  end
end
