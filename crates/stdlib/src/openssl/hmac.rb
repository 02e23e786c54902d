# frozen_string_literal: true

module OpenSSL
  class HMACError < OpenSSLError; end

  # Keyed digests.
  class HMAC
    # `EVP_PKEY_HMAC`
    KEY_TYPE = 855
    private_constant :KEY_TYPE

    def initialize(key, digest)
      key = Asterism::Internal.to_str(key)
      @__algorithm = OpenSSL::Digest.__send__(:__algorithm, digest)
      @__key = Primitive.openssl(HMACError, :EVP_PKEY_new_raw_private_key, KEY_TYPE, key)
      @__handle = __start
    end

    def initialize_copy(other)
      Primitive.raise_frozen_if(self)
      return self if equal?(other)
      @__handle = Primitive.openssl(HMACError, :EVP_MD_CTX_copy, other)
      self
    end

    def reset
      @__handle = __start
      self
    end

    def update(data)
      Primitive.openssl_update(self, data, [HMACError, "EVP_DigestSignUpdate"])
      self
    end
    alias << update

    def digest = Primitive.openssl(HMACError, :EVP_DigestSignFinal, self)

    def hexdigest = ::Digest.hexencode(digest)
    alias inspect hexdigest
    alias to_s hexdigest

    private

    def __start = Primitive.openssl(HMACError, :EVP_DigestSignInit, @__algorithm, @__key)
  end
end
