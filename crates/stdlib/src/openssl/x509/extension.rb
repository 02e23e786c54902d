# frozen_string_literal: true

module OpenSSL
  module X509
    # An extension: an identifier, whether it has to be understood, and a value, which is DER. It is what is kept here, or an object of the
    # library's that has not been looked at yet; such an object is made of the rest where one is asked for, and never changes.
    class Extension
      class << self
        # The extension that a handle is.
        def __of(handle) = OpenSSL.__send__(:__wrap, self, handle)
      end

      def initialize(oid, value = (none = true; nil), critical = (plain = true; nil))
        if none
          @__handle = Primitive.openssl([ExtensionError, ""], :d2i_X509_EXTENSION, ASN1.__der(oid))
          return
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
        oid = ASN1.__dotted(ASN1.__body_of(Primitive.openssl(ExtensionError, :i2d_ASN1_OBJECT, object)))
        _, critical, value = __parts
        __fill(oid, critical, value)
      end

      def value=(value)
        value = ASN1.__der(value).b
        oid, critical, = __parts
        __fill(oid, critical, value)
      end

      def critical=(flag)
        oid, _, value = __parts
        __fill(oid, flag ? true : false, value)
      end

      def oid
        oid = __parts[0]
        raise OpenSSLError, "OBJ_obj2txt" if nil.equal?(oid)
        ASN1.__name_of_oid(oid).dup
      end

      def value
        shown = Primitive.openssl(nil, :X509V3_EXT_print, __handle) unless nil.equal?(__parts[0])
        shown || value_der.gsub(/[^ -~\n\r]/n, ".")
      end

      def value_der = __parts[2].dup

      def critical? = __parts[1]

      def to_der = Primitive.openssl([ExtensionError, ""], :i2d_X509_EXTENSION, __handle)

      # A handle of the library's.
      def __handle
        handle = @__handle
        return handle if handle
        oid, critical, value = __parts
        raise ExtensionError, "illegal zero content" if nil.equal?(oid)
        parts = [ASN1::ObjectId.new(oid)]
        parts << ASN1::Boolean.new(true) if critical
        parts << ASN1::OctetString.new(value)
        Primitive.openssl(ExtensionError, :d2i_X509_EXTENSION, ASN1::Sequence.new(parts).to_der)
      end

      private

      def __fill(oid, critical, value)
        @__parts = [oid.freeze, critical, value.freeze].freeze
        @__handle = nil
      end

      # The identifier's numbers, whether it is critical, and the value.
      def __parts
        handle = @__handle
        return @__parts || [nil, false, "".b.freeze].freeze unless handle
        # What was read belongs to the handle that it was read of: another thread may have set something meanwhile.
        of, parts = @__read
        return parts if handle.equal?(of)
        oid, *critical, value = ASN1.__pieces(Primitive.openssl([ExtensionError, ""], :i2d_X509_EXTENSION, handle))
        oid = ASN1.__dotted(ASN1.__body_of(oid)).freeze
        critical = !critical.empty? && critical[0].getbyte(-1) != 0
        parts = [oid, critical, ASN1.__body_of(value).freeze].freeze
        @__read = [handle, parts].freeze unless frozen?
        parts
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
