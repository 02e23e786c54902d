# frozen_string_literal: true

module OpenSSL
  module Netscape
    class SPKIError < OpenSSLError; end

    # A public key with a challenge, signed.
    class SPKI
      def initialize(source = (none = true; nil))
        if none
          @__handle = Primitive.openssl(SPKIError, :NETSCAPE_SPKI_new)
          return
        end
        source = Asterism::Internal.to_str(source)
        @__handle =
          (Primitive.openssl(nil, :NETSCAPE_SPKI_b64_decode, source) unless source.empty?) ||
          Primitive.openssl([SPKIError, ""], :d2i_NETSCAPE_SPKI, source)
      end

      def to_der = Primitive.openssl(SPKIError, :i2d_NETSCAPE_SPKI, self)

      def to_pem = [Primitive.openssl([SPKIError, ""], :i2d_NETSCAPE_SPKI, self)].pack("m0").b

      alias to_s to_pem

      def to_text = Primitive.openssl([SPKIError, ""], :NETSCAPE_SPKI_print, self)

      def public_key = X509.__key(Primitive.openssl([SPKIError, ""], :NETSCAPE_SPKI_get_pubkey, self))

      def public_key=(key)
        Primitive.openssl(SPKIError, :NETSCAPE_SPKI_set_pubkey, self, key)
      end

      def challenge
        ASN1.decode(Primitive.openssl(SPKIError, :i2d_ASN1_IA5STRING, Primitive.openssl(SPKIError, :openssl_spki_challenge, self))).value
      end

      def challenge=(text)
        Primitive.openssl([SPKIError, ""], :openssl_spki_set_challenge, self, text)
      end

      def sign(key, digest)
        Primitive.openssl(SPKIError, :NETSCAPE_SPKI_sign, self, X509.__private_key(key), X509.__digest(digest))
        self
      end

      def verify(key) = Primitive.openssl(SPKIError, :NETSCAPE_SPKI_verify, self, key)
    end
  end
end
