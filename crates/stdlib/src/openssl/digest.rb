# frozen_string_literal: true

module OpenSSL
  # Message digests, by the names that the library has for them.
  class Digest < ::Digest::Class
    class DigestError < OpenSSLError; end

    INITIALIZATION = [DigestError, "Digest initialization failed"].freeze
    RESETTING = [DigestError, "Digest initialization failed."].freeze
    private_constant :INITIALIZATION, :RESETTING

    # The library's algorithm of that name, or that a digest uses: a handle.
    def self.__algorithm(name)
      return Primitive.openssl(DigestError, :EVP_MD_CTX_get0_md, name) if Primitive.kind_of(name, OpenSSL::Digest)
      text = Asterism::Internal.to_str(name)
      found = Primitive.openssl(nil, :EVP_get_digestbyname, text)
      unless found
        known = Primitive.openssl(nil, :OBJ_txt2nid, text)
        found = Primitive.openssl(nil, :EVP_get_digestbyname, Primitive.openssl(nil, :OBJ_nid2sn, known)) unless known == 0
      end
      found ||= Primitive.openssl(nil, :EVP_MD_fetch, text)
      found || Primitive.openssl([DigestError, "unsupported digest algorithm: #{text}"], :EVP_MD_fetch, text)
    end
    private_class_method :__algorithm

    def self.digests = Primitive.openssl_names(1)

    def initialize(name, data = nil)
      handle = Primitive.openssl_digest(name, INITIALIZATION) ||
               Primitive.openssl(INITIALIZATION, :digest_new, OpenSSL::Digest.__send__(:__algorithm, name))
      data = Asterism::Internal.to_str(data) unless nil.equal?(data)
      @__handle = handle
      update(data) unless nil.equal?(data)
    end

    def initialize_copy(other)
      Primitive.raise_frozen_if(self)
      return self if equal?(other)
      @__handle = Primitive.openssl([DigestError, ""], :EVP_MD_CTX_copy, other)
      self
    end

    def reset
      Primitive.openssl_reset(self, RESETTING)
      self
    end

    def update(data)
      Primitive.openssl_update(self, data, DigestError)
      self
    end
    alias << update

    def digest_length = Primitive.openssl(nil, :EVP_MD_get_size, __algorithm)
    def block_length = Primitive.openssl(nil, :EVP_MD_get_block_size, __algorithm)

    def name = Primitive.openssl(nil, :EVP_MD_get0_name, __algorithm)

    private

    def finish = Primitive.openssl_finish(self, DigestError)

    def __algorithm = Primitive.openssl(DigestError, :EVP_MD_CTX_get0_md, self)
  end
end
