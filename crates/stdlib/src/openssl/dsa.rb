# frozen_string_literal: true

module OpenSSL
  module PKey
    # Keys of numbers modulo a prime.
    module DiscreteLogarithm
      include Params

      def p = __number("p")
      def q = __number("q")
      def g = __number("g")
      def pub_key = __number("pub")
      def priv_key = __number("priv")

      def public? = !nil.equal?(pub_key)
      def private? = !nil.equal?(priv_key)

      private

      def __params = %w[p q g pub_key priv_key]
    end
    private_constant :DiscreteLogarithm

    class DSA < PKey
      include DiscreteLogarithm

      def initialize(source = (none = true; nil), password = nil, &block)
        __none(:DSA) if none
        __initialize(source, password, block, 116, "Neither PUB key nor PRIV key")
      end

      def export(cipher = nil, password = nil, &block)
        private? ? __export_private(false, cipher, password, block) : __export_public(false)
      end
      alias to_pem export
      alias to_s export

      def to_der = private? ? __export_private(true) : __export_public(true)

      def set_pqg(p, q, g) = raise(PKeyError, "dsa#set_pqg= is incompatible with OpenSSL 3.0")
      def set_key(pub_key, priv_key) = raise(PKeyError, "dsa#set_key= is incompatible with OpenSSL 3.0")
    end

    class DH < PKey
      include DiscreteLogarithm

      def initialize(source = (none = true; nil))
        __none(:DH) if none
        __initialize(source, nil, nil, 28, "could not parse pkey")
      end

      def export = Primitive.openssl([PKeyError, ""], :PEM_write_bio_Parameters, self)
      alias to_pem export
      alias to_s export

      def to_der = Primitive.openssl([PKeyError, ""], :i2d_KeyParams_bio, self)

      def params_ok?
        Primitive.openssl(nil, :EVP_PKEY_param_check, Primitive.openssl(PKeyError, :EVP_PKEY_CTX_new, self))
      end

      def set_pqg(p, q, g) = raise(PKeyError, "dh#set_pqg= is incompatible with OpenSSL 3.0")
      def set_key(pub_key, priv_key) = raise(PKeyError, "dh#set_key= is incompatible with OpenSSL 3.0")
    end
  end
end
