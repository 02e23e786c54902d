# frozen_string_literal: true

module OpenSSL
  # Messages that are signed or encrypted.
  class PKCS7
    class PKCS7Error < OpenSSLError; end

    TEXT = 0x1
    NOCERTS = 0x2
    NOSIGS = 0x4
    NOCHAIN = 0x8
    NOINTERN = 0x10
    NOVERIFY = 0x20
    DETACHED = 0x40
    BINARY = 0x80
    NOATTR = 0x100
    NOSMIMECAP = 0x200

    # The library's numbers of the types of content.
    TYPES = { data: 21, signed: 22, enveloped: 23, signedAndEnveloped: 24, digest: 25, encrypted: 26 }.freeze
    # Those that `type` has a name for.
    NAMES = TYPES.reject { |name, _| name == :digest }.invert.freeze
    private_constant :TYPES, :NAMES

    attr_reader :data
    attr_accessor :error_string

    class << self
      def read_smime(source)
        handle, data = Primitive.openssl([PKCS7Error, "Could not parse the PKCS7"], :SMIME_read_PKCS7, X509.__bytes(source))
        __made(handle, data)
      end

      def write_smime(pkcs7, data = nil, flags = nil)
        flags = __flags(flags)
        detached = Primitive.openssl(nil, :openssl_pkcs7_detached, pkcs7)
        data = pkcs7.data if nil.equal?(data)
        unless nil.equal?(data)
          data = X509.__bytes(data)
          flags |= DETACHED if detached
        end
        Primitive.openssl([PKCS7Error, ""], :SMIME_write_PKCS7, pkcs7, data, flags)
      end

      def sign(certificate, key, data, certificates = nil, flags = nil)
        key = X509.__private_key(key)
        flags = __flags(flags)
        bytes = X509.__bytes(data)
        certificates = X509.__array(certificates, X509::Certificate) unless nil.equal?(certificates)
        __made(Primitive.openssl([PKCS7Error, ""], :PKCS7_sign, certificate, key, certificates, bytes, flags), data)
      end

      def encrypt(certificates, data, cipher = nil, flags = nil)
        if nil.equal?(cipher)
          raise ArgumentError, "cipher must be specified; the default of versions before 3.3 was RC2-40-CBC"
        end
        cipher = __cipher(cipher)
        flags = __flags(flags)
        bytes = X509.__bytes(data)
        certificates = X509.__array(certificates, X509::Certificate)
        __made(Primitive.openssl([PKCS7Error, ""], :PKCS7_encrypt, certificates, bytes, cipher, flags), data)
      end

      # The object that a handle is.
      def __made(handle, data = nil)
        made = PKCS7.allocate
        made.__send__(:__fill, handle, data)
        made
      end

      # The handle of a cipher that is named, or that a Cipher uses.
      def __cipher(cipher)
        if Primitive.kind_of(cipher, Cipher)
          return Primitive.openssl(nil, :EVP_CIPHER_CTX_get0_cipher, cipher) || raise(RuntimeError, "Cipher not initialized!")
        end
        name = ASN1.__cstr(cipher)
        Primitive.openssl(nil, :EVP_get_cipherbyname, name) ||
          Primitive.openssl([Cipher::CipherError, "unsupported cipher algorithm: #{name}"], :EVP_CIPHER_fetch, name)
      end

      def __flags(flags) = nil.equal?(flags) ? 0 : Primitive.to_int(flags)
    end

    def initialize(source = (none = true; nil))
      return __fill(Primitive.openssl([PKCS7Error, ""], :PKCS7_new), nil) if none
      bytes = X509.__bytes(source)
      handle = Primitive.openssl(nil, :d2i_PKCS7_bio, bytes)
      handle ||= Primitive.openssl([PKCS7Error, "Could not parse the PKCS7"], :PEM_read_bio_PKCS7, bytes)
      __fill(handle, nil)
    end

    def initialize_copy(other)
      return self if equal?(other)
      @__handle = Primitive.openssl([PKCS7Error, ""], :PKCS7_dup, other)
      self
    end

    def type=(type)
      name = Primitive.kind_of(type, Symbol) ? type : Asterism::Internal.to_str(type)
      number = TYPES[name.to_sym]
      raise PKCS7Error, "unknown type \"#{name}\"" if nil.equal?(number)
      Primitive.openssl([PKCS7Error, ""], :PKCS7_set_type, self, number)
    end

    def type = NAMES[Primitive.openssl(nil, :openssl_pkcs7_type, self)]

    def detached=(flag)
      raise PKCS7Error, "must specify a boolean" unless true.equal?(flag) || false.equal?(flag)
      Primitive.openssl([PKCS7Error, ""], :PKCS7_set_detached, self, flag ? 1 : 0)
    end

    def detached = Primitive.openssl(nil, :openssl_pkcs7_detached, self)
    alias detached? detached

    def cipher=(cipher)
      Primitive.openssl(PKCS7Error, :PKCS7_set_cipher, self, PKCS7.__cipher(cipher))
    end

    def add_signer(signer)
      Primitive.openssl(PKCS7Error, :PKCS7_add_signer, self, signer)
      self
    end

    def signers
      Primitive.openssl([PKCS7Error, "ASN1_dup"], :openssl_pkcs7_signers, self).map { |handle| X509.__made(SignerInfo, handle) }
    end

    def add_recipient(recipient)
      Primitive.openssl(PKCS7Error, :PKCS7_add_recipient_info, self, recipient)
      self
    end

    def recipients
      Primitive.openssl([PKCS7Error, "ASN1_dup"], :openssl_pkcs7_recipients, self).map { |handle| X509.__made(RecipientInfo, handle) }
    end

    def add_certificate(certificate)
      Primitive.openssl([PKCS7Error, ""], :PKCS7_add_certificate, self, certificate)
      self
    end

    def certificates=(list)
      Primitive.openssl(nil, :openssl_pkcs7_clear_certificates, self)
      list.each { |certificate| add_certificate(certificate) }
    end

    def certificates
      Primitive.openssl([PKCS7Error, ""], :openssl_pkcs7_certificates, self)&.map { |handle| X509.__made(X509::Certificate, handle) }
    end

    def add_crl(crl)
      Primitive.openssl([PKCS7Error, ""], :PKCS7_add_crl, self, crl)
      self
    end

    def crls=(list)
      Primitive.openssl(nil, :openssl_pkcs7_clear_crls, self)
      list.each { |crl| add_crl(crl) }
    end

    def crls
      Primitive.openssl([PKCS7Error, ""], :openssl_pkcs7_crls, self)&.map { |handle| X509.__made(X509::CRL, handle) }
    end

    def add_data(data)
      Primitive.openssl([PKCS7Error, "PKCS7_dataFinal"], :openssl_pkcs7_add_data, self, X509.__bytes(data))
      @data = nil
      data
    end
    alias data= add_data

    def verify(certificates, store, data = nil, flags = nil)
      flags = PKCS7.__flags(flags)
      data = @data if nil.equal?(data)
      data = X509.__bytes(data) unless nil.equal?(data)
      certificates = X509.__array(certificates, X509::Certificate) unless nil.equal?(certificates)
      reason, content, verified =
        Primitive.openssl([PKCS7Error, ""], :openssl_pkcs7_verify, self, certificates, store, data, flags)
      @data = content
      @error_string = verified == 1 ? nil : reason
      verified == 1
    end

    def decrypt(key, certificate = nil, flags = nil)
      key = X509.__private_key(key)
      Primitive.openssl([PKCS7Error, ""], :PKCS7_decrypt, self, key, certificate, PKCS7.__flags(flags))
    end

    def to_der = Primitive.openssl([PKCS7Error, ""], :i2d_PKCS7, self)
    def to_text = Primitive.openssl([PKCS7Error, ""], :PKCS7_print_ctx, self)
    def to_pem = Primitive.openssl([PKCS7Error, ""], :PEM_write_bio_PKCS7, self)
    alias to_s to_pem

    private

    def __fill(handle, data)
      @__handle = handle
      @data = data
      @error_string = nil
    end

    public

    # One who has signed, or is going to.
    class SignerInfo
      undef_method :initialize_copy

      def initialize(certificate, key, digest)
        key = X509.__private_key(key)
        digest = Digest.__send__(:__algorithm, digest)
        handle = Primitive.openssl([PKCS7Error, ""], :PKCS7_SIGNER_INFO_new)
        Primitive.openssl(PKCS7Error, :PKCS7_SIGNER_INFO_set, handle, certificate, key, digest)
        @__handle = handle
      end

      def issuer = X509.__made(X509::Name, Primitive.openssl([PKCS7Error, ""], :openssl_signer_issuer, self))
      def serial = X509.__integer_of(Primitive.openssl([PKCS7Error, ""], :openssl_signer_serial, self))

      def signed_time
        time, known = Primitive.openssl([PKCS7Error, ""], :openssl_signing_time, self)
        raise PKCS7Error, "no signing time" if known == 0
        time && X509.__time_of(time)
      end

      private

      def __become(handle) = @__handle = handle
    end
    Signer = SignerInfo

    # One who can decrypt a message.
    class RecipientInfo
      undef_method :initialize_copy

      def initialize(certificate)
        handle = Primitive.openssl([PKCS7Error, ""], :PKCS7_RECIP_INFO_new)
        Primitive.openssl([PKCS7Error, ""], :PKCS7_RECIP_INFO_set, handle, certificate)
        @__handle = handle
      end

      def issuer = X509.__made(X509::Name, Primitive.openssl([PKCS7Error, ""], :openssl_recipient_issuer, self))
      def serial = X509.__integer_of(Primitive.openssl([PKCS7Error, ""], :openssl_recipient_serial, self))
      def enc_key = Primitive.openssl([PKCS7Error, ""], :openssl_recipient_key, self)

      private

      def __become(handle) = @__handle = handle
    end
  end
end
