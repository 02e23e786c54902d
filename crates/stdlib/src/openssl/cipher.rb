# frozen_string_literal: true

module OpenSSL
  # Symmetric encryption, by the names that the library has for its algorithms.
  class Cipher
    class CipherError < OpenSSLError; end
    class AuthTagError < CipherError; end

    # `EVP_CIPH_FLAG_AEAD_CIPHER`
    AEAD = 0x200000
    # Failures with nothing but the library's reason.
    PLAIN = [CipherError, ""].freeze
    INITIALIZATION = [CipherError, "EVP_CipherInit_ex"].freeze
    NOT_FINAL = [CipherError, "cipher final failed"].freeze
    NOT_VERIFIED = [AuthTagError, "AEAD authentication tag verification failed"].freeze
    NOT_AUTHENTICATED = [CipherError, "couldn't set additional authenticated data"].freeze
    NO_TAG = [CipherError, "retrieving the authentication tag failed"].freeze
    private_constant :AEAD, :PLAIN, :INITIALIZATION, :NOT_FINAL, :NOT_VERIFIED, :NOT_AUTHENTICATED, :NO_TAG

    # The library's algorithm of that name, or that a cipher uses: a handle.
    def self.__algorithm(name)
      return Primitive.openssl(CipherError, :EVP_CIPHER_CTX_get0_cipher, name) if Primitive.kind_of(name, OpenSSL::Cipher)
      text = Asterism::Internal.to_str(name)
      Primitive.openssl(nil, :EVP_get_cipherbyname, text) ||
        Primitive.openssl(nil, :EVP_CIPHER_fetch, text) ||
        Primitive.openssl([CipherError, "unsupported cipher algorithm: #{text}"], :EVP_CIPHER_fetch, text)
    end
    private_class_method :__algorithm

    def self.ciphers = Primitive.openssl_names(2)

    def initialize(name)
      raise "Cipher already initialized!" if @__handle
      @__handle = Primitive.openssl_new_cipher(name, INITIALIZATION) ||
                  Primitive.openssl(INITIALIZATION, :cipher_new, OpenSSL::Cipher.__send__(:__algorithm, name))
    end

    def initialize_copy(other)
      Primitive.raise_frozen_if(self)
      return self if equal?(other)
      @__handle = Primitive.openssl(PLAIN, :EVP_CIPHER_CTX_copy, other)
      self
    end

    def encrypt = __begin(1)
    def decrypt = __begin(0)

    def reset
      Primitive.openssl(PLAIN, :cipher_init, self, nil, -1)
      self
    end

    def pkcs5_keyivgen(password, salt = nil, iterations = nil, digest = nil)
      password = Asterism::Internal.to_str(password)
      unless nil.equal?(salt)
        salt = Asterism::Internal.to_str(salt)
        raise CipherError, "salt must be an 8-octet string" unless salt.bytesize == 8
      end
      iterations = nil.equal?(iterations) ? 2048 : Primitive.to_int(iterations)
      raise ArgumentError, "iterations must be a positive integer" if iterations <= 0
      digest = OpenSSL::Digest.__send__(:__algorithm, nil.equal?(digest) ? "MD5" : digest)
      key, iv = Primitive.openssl(CipherError, :EVP_BytesToKey, __algorithm, digest, salt, password, iterations)
      Primitive.openssl_cipher_init(self, key.byteslice(0, key_len), nil, PLAIN)
      length = iv_len
      Primitive.openssl_cipher_init(self, nil, iv.byteslice(0, length), PLAIN) if length > 0
      @__keyed = true
      nil
    end

    def update(data, buffer = nil)
      raise CipherError, "key not set" unless @__keyed
      data = Asterism::Internal.to_str(data)
      buffer = Asterism::Internal.to_str(buffer) unless nil.equal?(buffer)
      out = Primitive.openssl_cipher(self, data, PLAIN, true)
      nil.equal?(buffer) ? out : buffer.replace(out)
    end

    def final
      Primitive.openssl_cipher_final(self, authenticated? ? NOT_VERIFIED : NOT_FINAL)
    end

    def name = Primitive.openssl(nil, :EVP_CIPHER_get0_name, __algorithm)

    def key=(key)
      key = Asterism::Internal.to_str(key)
      wanted = Primitive.openssl_cipher_init(self, key, nil, PLAIN)
      raise ArgumentError, "key must be #{wanted} bytes" if wanted
      @__keyed = true
    end

    def iv=(iv)
      iv = Asterism::Internal.to_str(iv)
      wanted = Primitive.openssl_cipher_init(self, nil, iv, PLAIN)
      raise ArgumentError, "iv must be #{wanted} bytes" if wanted
    end

    def authenticated? = Primitive.openssl_cipher_flags(self) & AEAD != 0

    def auth_data=(data)
      data = Asterism::Internal.to_str(data)
      __authenticated("AEAD not supported by this cipher")
      Primitive.openssl_cipher(self, data, NOT_AUTHENTICATED, nil)
    end

    def auth_tag(length = nil)
      length = @__tag_length || 16 if nil.equal?(length)
      length = Primitive.to_int(length)
      __authenticated("authentication tag not supported by this cipher")
      raise ArgumentError, "negative string size (or size too big)" if length < 0
      Primitive.openssl(NO_TAG, :cipher_get_tag, self, length)
    end

    def auth_tag=(tag)
      tag = Asterism::Internal.to_str(tag)
      __authenticated("authentication tag not supported by this cipher")
      Primitive.openssl([CipherError, "unable to set AEAD tag"], :cipher_set_tag, self, tag)
    end

    def auth_tag_len=(length)
      length = Primitive.to_int(length)
      __authenticated("AEAD not supported by this cipher")
      Primitive.openssl([CipherError, "unable to set authentication tag length"], :cipher_set_tag_length, self, length)
      @__tag_length = length
    end

    def iv_len=(length)
      length = Primitive.to_int(length)
      __authenticated("cipher does not support AEAD")
      Primitive.openssl([CipherError, "unable to set IV length"], :cipher_set_iv_length, self, length)
    end

    def key_len=(length)
      Primitive.openssl(PLAIN, :EVP_CIPHER_CTX_set_key_length, self, length)
    end

    def padding=(padding)
      Primitive.openssl(PLAIN, :EVP_CIPHER_CTX_set_padding, self, padding)
    end

    def ccm_data_len=(length)
      Primitive.openssl(PLAIN, :cipher_length, self, length)
    end

    def key_len = Primitive.openssl(nil, :EVP_CIPHER_CTX_get_key_length, self)
    def iv_len = Primitive.openssl(nil, :EVP_CIPHER_CTX_get_iv_length, self)
    def block_size = Primitive.openssl(nil, :EVP_CIPHER_CTX_get_block_size, self)

    private

    def __algorithm = Primitive.openssl(CipherError, :EVP_CIPHER_CTX_get0_cipher, self)

    def __begin(encrypting)
      Primitive.openssl(INITIALIZATION, :cipher_init, self, nil, encrypting)
      @__keyed = false
      self
    end

    def __authenticated(message)
      raise CipherError, message unless authenticated?
    end
  end
end
