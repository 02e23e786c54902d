# frozen_string_literal: true

module OpenSSL
  module X509
    class Certificate
      PEM_BEGINS = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/n
      private_constant :PEM_BEGINS

      class << self
        # All the certificates of a text.
        def load(source)
          source = source.read if Primitive.kind_of(source, File)
          source = Asterism::Internal.to_str(source).b
          handle = Primitive.openssl(nil, :d2i_X509_bio, source)
          return [X509.__made(Certificate, handle)] if handle
          starts = source.enum_for(:scan, PEM_BEGINS).map { Regexp.last_match.begin(0) }
          raise CertificateError, "Could not detect format of certificate data!" if starts.empty?
          starts.each_with_index.map do |start, i|
            text = source.byteslice(start...(starts[i + 1] || source.bytesize))
            X509.__made(Certificate, Primitive.openssl([CertificateError, ""], :PEM_read_bio_X509, text, ""))
          end
        end
      end

      def initialize(source = (none = true; nil))
        @__handle =
          none ? Primitive.openssl(CertificateError, :X509_new) : X509.__read(CertificateError, source, :d2i_X509_bio, :PEM_read_bio_X509)
      end

      def initialize_copy(other)
        Primitive.raise_frozen_if(self)
        @__handle = Primitive.openssl([CertificateError, ""], :X509_dup, other)
        self
      end

      def to_der = Primitive.openssl([CertificateError, ""], :i2d_X509, self)

      def to_pem = Primitive.openssl([CertificateError, ""], :PEM_write_bio_X509, self)

      alias to_s to_pem

      def to_text = Primitive.openssl([CertificateError, ""], :X509_print, self)

      def version = Primitive.openssl(nil, :X509_get_version, self)

      def version=(number)
        Primitive.openssl([CertificateError, ""], :X509_set_version, self, X509.__version(CertificateError, number))
      end

      def serial = X509.__integer_of(Primitive.openssl(CertificateError, :X509_get0_serialNumber, self))

      def serial=(number)
        Primitive.openssl(CertificateError, :X509_set_serialNumber, self, X509.__integer(number))
      end

      def signature_algorithm = X509.__long_name(Primitive.openssl(nil, :X509_get_signature_nid, self))

      def subject = X509.__made(Name, Primitive.openssl(CertificateError, :X509_get_subject_name, self))

      def subject=(name)
        Primitive.openssl([CertificateError, ""], :X509_set_subject_name, self, name)
      end

      def issuer = X509.__made(Name, Primitive.openssl(CertificateError, :X509_get_issuer_name, self))

      def issuer=(name)
        Primitive.openssl([CertificateError, ""], :X509_set_issuer_name, self, name)
      end

      def not_before = X509.__time_of(Primitive.openssl(CertificateError, :X509_get0_notBefore, self))

      def not_before=(time)
        Primitive.openssl([CertificateError, "X509_set_notBefore"], :X509_set1_notBefore, self, X509.__time(time))
      end

      def not_after = X509.__time_of(Primitive.openssl(CertificateError, :X509_get0_notAfter, self))

      def not_after=(time)
        Primitive.openssl([CertificateError, "X509_set_notAfter"], :X509_set1_notAfter, self, X509.__time(time))
      end

      def public_key = X509.__key(Primitive.openssl([CertificateError, ""], :X509_get_pubkey, self))

      def public_key=(key)
        Primitive.openssl(CertificateError, :X509_set_pubkey, self, key)
      end

      def sign(key, digest)
        Primitive.openssl(CertificateError, :X509_sign, self, X509.__private_key(key), X509.__digest(digest))
        self
      end

      def verify(key) = Primitive.openssl([CertificateError, ""], :X509_verify, self, key)

      def check_private_key(key) = Primitive.openssl(nil, :X509_check_private_key, self, X509.__private_key(key))

      def extensions = X509.__all(Extension, :X509_get_ext, self)

      def extensions=(list)
        handles = X509.__array(list, Extension).map(&:__handle)
        nil while Primitive.openssl(nil, :X509_delete_ext, self, 0)
        handles.each { |handle| Primitive.openssl(CertificateError, :X509_add_ext, self, handle, -1) }
      end

      def add_extension(extension)
        X509.__extension(extension)
        Primitive.openssl([CertificateError, ""], :X509_add_ext, self, extension.__handle, -1)
        extension
      end

      def ==(other)
        return false unless Primitive.kind_of(other, Certificate)
        Primitive.openssl(nil, :X509_cmp, self, other) == 0
      end

      # The same as the installed part of version 4 has, for version 3.
      def inspect
        "#<#{self.class}: subject=#{subject.inspect}, issuer=#{issuer.inspect}, serial=#{serial.inspect}, " \
          "not_before=#{__shown(:not_before)}, not_after=#{__shown(:not_after)}>"
      end

      def tbs_bytes = Primitive.openssl(CertificateError, :i2d_re_X509_tbs, self)

      private

      def __shown(time)
        __send__(time).inspect
      rescue ASN1::ASN1Error
        "(error)"
      end
    end
  end
end
