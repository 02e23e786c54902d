# frozen_string_literal: true

module OpenSSL
  # Asymmetric keys. They do not change, so that threads may use one at the same time.
  module PKey
    class PKeyError < OpenSSLError; end

    autoload :RSAError, "openssl/pkey/errors.so"
    autoload :DSAError, "openssl/pkey/errors.so"
    autoload :DHError, "openssl/pkey/errors.so"
    autoload :ECError, "openssl/pkey/errors.so"

    # The most bytes of a password: `PEM_BUFSIZE`
    MOST_PASSWORD = 1024
    private_constant :MOST_PASSWORD

    class << self
      def read(source, password = nil, &block)
        handle = __read(source, password, block, [PKeyError, "Could not parse PKey"])
        __wrap(handle)
      end

      def generate_parameters(algorithm, options = nil, &block) = __generate(algorithm, options, block, true)
      def generate_key(algorithm, options = nil, &block) = __generate(algorithm, options, block, false)

      def new_raw_private_key(type, key)
        __wrap(Primitive.openssl(PKeyError, :EVP_PKEY_new_raw_private_key_ex, type, key))
      end

      def new_raw_public_key(type, key)
        __wrap(Primitive.openssl(PKeyError, :EVP_PKEY_new_raw_public_key_ex, type, key))
      end

      private

      # A key of the class that the handle's kind has.
      def __wrap(handle)
        klass =
          case Primitive.openssl(nil, :EVP_PKEY_get_base_id, handle)
          when 6 then RSA
          when 28 then DH
          when 116 then DSA
          when 408 then EC
          else PKey
          end
        OpenSSL.__send__(:__wrap, klass, handle)
      end

      # What is read of a String or an IO: a handle.
      def __read(source, password, block, error)
        source = source.read if Primitive.kind_of(source, IO)
        Primitive.openssl_read_key(Asterism::Internal.to_str(source), __password(password, block), error)
      end

      # What a key's `new` was given, which may know its own form, or be an IO.
      def __text(source)
        source = source.to_der if source.respond_to?(:to_der)
        source = source.read if Primitive.kind_of(source, IO)
        Asterism::Internal.to_str(source)
      end

      # What tells the library a password: a String, a Proc around the block, or nil.
      def __password(password, block)
        unless nil.equal?(password)
          password = Asterism::Internal.to_str(password)
          if password.bytesize > MOST_PASSWORD
            raise OpenSSLError, "password must not be longer than #{MOST_PASSWORD} bytes"
          end
          return password
        end
        return unless block
        # A block that fails tells no password.
        proc do |writes|
          while (answer = block.call(writes))
            answer = Asterism::Internal.to_str(answer)
            break if answer.bytesize <= MOST_PASSWORD
            warn("password must not be longer than #{MOST_PASSWORD} bytes", uplevel: 0) if $VERBOSE
          end
          answer
        rescue StandardError
          nil
        end
      end

      def __generate(algorithm, options, block, parameters)
        algorithm = Asterism::Internal.to_str(algorithm) unless Primitive.kind_of(algorithm, PKey)
        __wrap(Primitive.openssl_generate(algorithm, __settings(options), parameters, block, PKeyError))
      end

      # Arrays of a name, a value and the error for it.
      def __settings(options)
        return [] if nil.equal?(options)
        unless Primitive.kind_of(options, Hash)
          raise TypeError, "wrong argument type #{options.class} (expected Hash)"
        end
        options.map do |key, value|
          key = Primitive.kind_of(key, Symbol) ? key.name : Asterism::Internal.to_str(key)
          value = String(value)
          [key, value, [PKeyError, "EVP_PKEY_CTX_ctrl_str(ctx, #{key.inspect}, #{value.inspect})"]]
        end
      end

      # Makes the settings that a Hash has.
      def __set(context, options)
        __settings(options).each { |name, value, error| Primitive.openssl_key_option(context, name, value, error) }
      end
    end

    # Of keys that are numbers. The Ruby part of version 4.0 has methods of its own for it.
    module Params
      def params = __params.to_h { |name| [name, __send__(name)] }
    end
    private_constant :Params

    # A key of any kind.
    class PKey
      def initialize
        raise TypeError, "OpenSSL::PKey::PKey can't be instantiated directly" if PKey.equal?(self.class)
      end

      def initialize_copy(other)
        Primitive.raise_frozen_if(self)
        unless Primitive.kind_of(other, PKey)
          raise TypeError, "wrong argument type #{other.class} (expected OpenSSL/EVP_PKEY)"
        end
        raise TypeError, "pkey already initialized" if @__handle && !@__handle.equal?(other.__handle)
        @__handle = Primitive.openssl(PKeyError, :EVP_PKEY_dup, other) if other.__handle
        self
      end

      def oid
        id = Primitive.openssl(nil, :EVP_PKEY_get_id, self)
        raise PKeyError, "EVP_PKEY_id" if id == -1
        Primitive.openssl(nil, :OBJ_nid2sn, id)
      end

      def inspect
        id = Primitive.openssl(nil, :EVP_PKEY_get_id, self)
        text = Kernel.instance_method(:to_s).bind_call(self).chop
        text << " oid=#{Primitive.openssl(nil, :OBJ_nid2sn, id)}" if id != -1
        text << " type_name=#{Primitive.openssl(nil, :EVP_PKEY_get0_type_name, self)}"
        provider = Primitive.openssl_key_provider(self)
        text << " provider=#{provider}" if provider
        text << ">"
      end

      def to_text
        Primitive.openssl(nil, :EVP_PKEY_print_private, self) ||
          Primitive.openssl(nil, :EVP_PKEY_print_public, self) ||
          Primitive.openssl(PKeyError, :EVP_PKEY_print_params, self)
      end

      def private_to_der(cipher = (plain = true; nil), password = nil, &block)
        cipher, password = plain ? nil : __encryption(cipher, password, block)
        Primitive.openssl(PKeyError, :i2d_PKCS8PrivateKey_bio, self, cipher, password)
      end

      def private_to_pem(cipher = (plain = true; nil), password = nil, &block)
        cipher, password = plain ? nil : __encryption(cipher, password, block)
        Primitive.openssl(PKeyError, :PEM_write_bio_PKCS8PrivateKey, self, cipher, password)
      end

      def public_to_der = __export_public(true)
      def public_to_pem = __export_public(false)

      def raw_private_key = Primitive.openssl(PKeyError, :EVP_PKEY_get_raw_private_key, self)
      def raw_public_key = Primitive.openssl(PKeyError, :EVP_PKEY_get_raw_public_key, self)

      def compare?(other)
        id = Primitive.openssl(nil, :EVP_PKEY_get_id, self)
        raise TypeError, "cannot match different PKey types" if id != Primitive.openssl(nil, :EVP_PKEY_get_id, other)
        case Primitive.openssl(nil, :EVP_PKEY_eq, self, other)
        when 1 then true
        when 0 then false
        else raise PKeyError, "EVP_PKEY_eq"
        end
      end

      def sign(digest, data, options = nil)
        __private
        digest = __digest(digest)
        data = Asterism::Internal.to_str(data)
        context = Primitive.openssl([PKeyError, "EVP_DigestSignInit"], :openssl_sign_init, digest, self)
        __set(context, options)
        Primitive.openssl(PKeyError, :EVP_DigestSign, context, data)
      end

      def verify(digest, signature, data, options = nil)
        __public
        digest = __digest(digest)
        signature = Asterism::Internal.to_str(signature)
        data = Asterism::Internal.to_str(data)
        context = Primitive.openssl(PKeyError, :EVP_DigestVerifyInit, digest, self)
        __set(context, options)
        Primitive.openssl(PKeyError, :EVP_DigestVerify, context, signature, data)
      end

      def sign_raw(digest, data, options = nil)
        digest = __digest(digest)
        data = Asterism::Internal.to_str(data)
        context = __context(:EVP_PKEY_sign_init, digest, options)
        Primitive.openssl(PKeyError, :EVP_PKEY_sign, context, data)
      end

      def verify_raw(digest, signature, data, options = nil)
        __public
        digest = __digest(digest)
        signature = Asterism::Internal.to_str(signature)
        data = Asterism::Internal.to_str(data)
        context = __context(:EVP_PKEY_verify_init, digest, options)
        Primitive.openssl(PKeyError, :EVP_PKEY_verify, context, signature, data)
      end

      def verify_recover(digest, signature, options = nil)
        __public
        digest = __digest(digest)
        signature = Asterism::Internal.to_str(signature)
        context = __context(:EVP_PKEY_verify_recover_init, digest, options)
        Primitive.openssl(PKeyError, :EVP_PKEY_verify_recover, context, signature)
      end

      def derive(peer)
        unless Primitive.kind_of(peer, PKey)
          raise TypeError, "wrong argument type #{peer.class} (expected OpenSSL/EVP_PKEY)"
        end
        context = __context(:EVP_PKEY_derive_init, nil, nil)
        Primitive.openssl(PKeyError, :EVP_PKEY_derive_set_peer, context, peer)
        Primitive.openssl(PKeyError, :EVP_PKEY_derive, context)
      end

      def encrypt(data, options = nil)
        data = Asterism::Internal.to_str(data)
        context = __context(:EVP_PKEY_encrypt_init, nil, options)
        Primitive.openssl(PKeyError, :EVP_PKEY_encrypt, context, data)
      end

      def decrypt(data, options = nil)
        data = Asterism::Internal.to_str(data)
        context = __context(:EVP_PKEY_decrypt_init, nil, options)
        Primitive.openssl(PKeyError, :EVP_PKEY_decrypt, context, data)
      end

      protected

      def __handle = @__handle

      private

      def __context(function, digest, options)
        context = Primitive.openssl(PKeyError, :EVP_PKEY_CTX_new, self)
        Primitive.openssl(PKeyError, function, context)
        Primitive.openssl(PKeyError, :EVP_PKEY_CTX_set_signature_md, context, digest) if digest
        __set(context, options)
        context
      end

      def __set(context, options)
        OpenSSL::PKey.__send__(:__set, context, options) unless nil.equal?(options)
      end

      def __digest(digest) = nil.equal?(digest) ? nil : OpenSSL::Digest.__send__(:__algorithm, digest)

      # A key of whose private part nothing can be known may have one.
      def __private
        raise ArgumentError, "private key is needed" if respond_to?(:private?) && !private?
      end

      def __public
        raise PKeyError, "parameters missing" if Primitive.openssl(nil, :EVP_PKEY_missing_parameters, self)
      end

      # The cipher and the password that a key is written with.
      def __encryption(cipher, password, block)
        [OpenSSL::Cipher.__send__(:__algorithm, cipher), OpenSSL::PKey.__send__(:__password, password, block)]
      end

      def __export_public(der)
        __public
        Primitive.openssl(PKeyError, der ? :i2d_PUBKEY_bio : :PEM_write_bio_PUBKEY, self)
      end

      # The private key in the form of its kind.
      def __export_private(der, cipher = nil, password = nil, block = nil)
        return Primitive.openssl(PKeyError, :i2d_PrivateKey_bio, self) if der
        cipher, password = __encryption(cipher, password, block) unless nil.equal?(cipher)
        Primitive.openssl(PKeyError, :PEM_write_bio_PrivateKey_traditional, self, cipher, password)
      end

      # Reads what `new` was given; `number` is that of the only kind that is right.
      def __initialize(source, password, block, number, message)
        raise TypeError, "pkey already initialized" if @__handle
        Primitive.raise_frozen_if(self)
        source = OpenSSL::PKey.__send__(:__text, source)
        handle = __read_first(source) ||
                 OpenSSL::PKey.__send__(:__read, source, password, block, message && [PKeyError, message])
        return unless handle
        kind = Primitive.openssl(nil, :EVP_PKEY_get_base_id, handle)
        raise PKeyError, "incorrect pkey type: #{Primitive.openssl(nil, :OBJ_nid2sn, kind)}" if kind != number
        @__handle = handle
      end

      # A form that only this kind of key has.
      def __read_first(source) = nil

      def __none(klass)
        raise ArgumentError, "OpenSSL::PKey::#{klass}.new cannot be called without arguments; " \
                             "pkeys are immutable with OpenSSL 3.0"
      end

      # A number that the key is made of, or nil.
      def __number(name)
        found = Primitive.openssl(nil, :EVP_PKEY_get_bn_param, self, name)
        found ? OpenSSL.__send__(:__wrap, BN, found) : nil
      end
    end
  end
end
