# frozen_string_literal: true

module OpenSSL
  # A key, its certificate and those of who has issued that, protected by a password.
  class PKCS12
    class PKCS12Error < OpenSSLError; end

    KEY_EX = 0x10
    KEY_SIG = 0x80

    attr_reader :key, :certificate, :ca_certs

    class << self
      def create(pass, name, key, certificate, ca = nil, key_algorithm = nil, certificate_algorithm = nil, key_iterations = nil,
                 mac_iterations = nil, usage = nil)
        key_algorithm = __algorithm(key_algorithm)
        certificate_algorithm = __algorithm(certificate_algorithm)
        key_iterations = nil.equal?(key_iterations) ? 0 : Primitive.to_int(key_iterations)
        mac_iterations = nil.equal?(mac_iterations) ? 0 : Primitive.to_int(mac_iterations)
        usage = nil.equal?(usage) ? 0 : Primitive.to_int(usage)
        raise ArgumentError, "Unknown key usage type #{usage}" unless [0, KEY_EX, KEY_SIG].include?(usage)
        others = X509.__array(ca, X509::Certificate) unless nil.equal?(ca)
        handle = Primitive.openssl([PKCS12Error, ""], :PKCS12_create, pass, name, key, certificate, others, key_algorithm,
                                   certificate_algorithm, key_iterations, mac_iterations, usage)
        made = PKCS12.allocate
        made.__send__(:__fill, handle, key, certificate, ca)
        made
      end

      private

      def __algorithm(name)
        return 0 if nil.equal?(name)
        number = Primitive.openssl(nil, :OBJ_txt2nid, name)
        raise ArgumentError, "Unknown PBE algorithm #{name}" if number == 0
        number
      end
    end

    def initialize(source = (none = true; nil), pass = nil)
      if none
        @__handle = Primitive.openssl([PKCS12Error, ""], :PKCS12_new)
        return
      end
      pass = ASN1.__cstr(pass) unless nil.equal?(pass)
      handle = Primitive.openssl([PKCS12Error, "PKCS12_parse"], :d2i_PKCS12_bio, X509.__bytes(source))
      key, certificate, others = Primitive.openssl([PKCS12Error, "PKCS12_parse"], :PKCS12_parse, handle, pass)
      __fill(handle, key && PKey.__send__(:__wrap, key), certificate && X509.__made(X509::Certificate, certificate),
             others && others.map { |one| X509.__made(X509::Certificate, one) })
    end

    def initialize_copy(other)
      der = Primitive.openssl([PKCS12Error, "ASN1_dup"], :i2d_PKCS12, other)
      @__handle = Primitive.openssl([PKCS12Error, "ASN1_dup"], :d2i_PKCS12_bio, der)
      self
    end

    def to_der = Primitive.openssl([PKCS12Error, ""], :i2d_PKCS12, self)

    def set_mac(pass, salt = nil, iterations = nil, digest = nil)
      Primitive.raise_frozen_if(self)
      pass = Asterism::Internal.to_str(pass)
      salt = Asterism::Internal.to_str(salt) unless nil.equal?(salt)
      # The library reads some bytes of a salt whose length is 0.
      salt = nil if salt && salt.empty?
      iterations = nil.equal?(iterations) ? 0 : Primitive.to_int(iterations)
      digest = Digest.__send__(:__algorithm, digest) unless nil.equal?(digest)
      Primitive.openssl(PKCS12Error, :PKCS12_set_mac, self, pass, salt, iterations, digest)
      nil
    end

    private

    def __fill(handle, key, certificate, others)
      @__handle = handle
      @key = key
      @certificate = certificate
      @ca_certs = others
    end
  end
end
