# frozen_string_literal: true

module OpenSSL
  module PKey
    class RSA < PKey
      include Params

      def initialize(source = (none = true; nil), password = nil, &block)
        __none(:RSA) if none
        __initialize(source, password, block, 6, "Neither PUB key nor PRIV key")
      end

      def n = __number("n")
      def e = __number("e")
      def d = __number("d")
      def p = __number("rsa-factor1")
      def q = __number("rsa-factor2")
      def dmp1 = __number("rsa-exponent1")
      def dmq1 = __number("rsa-exponent2")
      def iqmp = __number("rsa-coefficient1")

      def public?
        n
        true
      end

      def private? = !nil.equal?(d)

      def export(cipher = nil, password = nil, &block)
        __complete? ? __export_private(false, cipher, password, block) : __export_public(false)
      end
      alias to_pem export
      alias to_s export

      def to_der = __complete? ? __export_private(true) : __export_public(true)

      def sign_pss(digest, data, salt_length:, mgf1_hash:)
        salt_length = __salt_length(salt_length, :max)
        mask = __digest_name(mgf1_hash)
        __private
        digest = OpenSSL::Digest.__send__(:__algorithm, digest)
        data = Asterism::Internal.to_str(data)
        context = Primitive.openssl([PKeyError, ""], :openssl_sign_init, digest, self)
        __set_pss(context, salt_length, mask)
        Primitive.openssl([PKeyError, ""], :EVP_DigestSign, context, data)
      end

      def verify_pss(digest, signature, data, salt_length:, mgf1_hash:)
        salt_length = __salt_length(salt_length, :auto)
        mask = __digest_name(mgf1_hash)
        digest = OpenSSL::Digest.__send__(:__algorithm, digest)
        signature = Asterism::Internal.to_str(signature)
        data = Asterism::Internal.to_str(data)
        context = Primitive.openssl([PKeyError, ""], :EVP_DigestVerifyInit, digest, self)
        __set_pss(context, salt_length, mask)
        Primitive.openssl([PKeyError, "EVP_DigestVerifyFinal"], :EVP_DigestVerify, context, signature, data)
      end

      def set_key(n, e, d) = raise(PKeyError, "rsa#set_key= is incompatible with OpenSSL 3.0")
      def set_factors(p, q) = raise(PKeyError, "rsa#set_factors= is incompatible with OpenSSL 3.0")
      def set_crt_params(dmp1, dmq1, iqmp) = raise(PKeyError, "rsa#set_crt_params= is incompatible with OpenSSL 3.0")

      private

      def __params = %w[n e d p q dmp1 dmq1 iqmp]

      # Two numbers, which may be parameters of DH otherwise.
      def __read_first(source) = Primitive.openssl(nil, :d2i_PublicKey, 6, source)

      # Does it have all that a private key is written with?
      def __complete? = n && e && d && p && q && dmp1 && dmq1 && iqmp

      # `RSA_PSS_SALTLEN_DIGEST`, `RSA_PSS_SALTLEN_AUTO` or a number.
      def __salt_length(length, automatic)
        return -2 if automatic.equal?(length)
        return -1 if :digest.equal?(length)
        length = Primitive.to_int(length)
        raise RangeError, "integer #{length} too big to convert to 'int'" if length > 0x7fff_ffff
        raise RangeError, "integer #{length} too small to convert to 'int'" if length < -0x8000_0000
        length
      end

      def __digest_name(digest)
        Primitive.openssl(PKeyError, :EVP_MD_get0_name, OpenSSL::Digest.__send__(:__algorithm, digest))
      end

      def __set_pss(context, salt_length, mask)
        Primitive.openssl_key_option(context, "rsa_padding_mode", "pss", [PKeyError, ""])
        Primitive.openssl_key_option(context, "rsa_pss_saltlen", salt_length.to_s, [PKeyError, ""])
        Primitive.openssl_key_option(context, "rsa_mgf1_md", mask, [PKeyError, ""])
      end
    end
  end
end
