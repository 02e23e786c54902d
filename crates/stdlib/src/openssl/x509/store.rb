# frozen_string_literal: true

module OpenSSL
  module X509
    # The certificates that are trusted, and how others are checked with them.
    class Store
      attr_reader :verify_callback, :error, :error_string
      attr_writer :verify_callback
      undef_method :initialize_copy

      PEM = 1
      private_constant :PEM

      def initialize(*arguments)
        warn("OpenSSL::X509::Store.new does not take any arguments", uplevel: 0) unless arguments.empty?
        @__handle = Primitive.openssl(StoreError, :X509_STORE_new)
        @verify_callback = @error = @error_string = @chain = nil
      end

      def flags=(flags)
        Primitive.openssl(nil, :X509_STORE_set_flags, self, flags)
      end

      def purpose=(purpose)
        Primitive.openssl(nil, :X509_STORE_set_purpose, self, purpose)
      end

      def trust=(trust)
        Primitive.openssl(nil, :X509_STORE_set_trust, self, trust)
      end

      def time=(time)
        Primitive.openssl(nil, :openssl_store_set_time, self, Integer(time))
      end

      def add_file(path)
        Primitive.openssl([StoreError, "X509_LOOKUP_load_file"], :openssl_store_add_file, self, ASN1.__cstr(path))
        self
      end

      def add_path(path)
        Primitive.openssl([StoreError, "X509_LOOKUP_add_dir"], :openssl_store_add_path, self, ASN1.__cstr(path))
        self
      end

      def set_default_paths
        Primitive.openssl(StoreError, :X509_STORE_set_default_paths, self)
        nil
      end

      # A copy is added, which nobody changes while other threads check with it.
      def add_cert(certificate)
        copy = Primitive.openssl([StoreError, "X509_STORE_add_cert"], :X509_dup, certificate)
        Primitive.openssl(StoreError, :X509_STORE_add_cert, self, copy)
        self
      end

      def add_crl(crl)
        copy = Primitive.openssl([StoreError, "X509_STORE_add_crl"], :X509_CRL_dup, crl)
        Primitive.openssl(StoreError, :X509_STORE_add_crl, self, copy)
        self
      end

      def verify(certificate, chain = nil, &block)
        context = StoreContext.new(self, certificate, chain)
        context.__send__(:__call_back_with, block || @verify_callback)
        result = context.verify
        @error = context.error
        @error_string = context.error_string
        @chain = nil
        @__checked = context
        result
      end

      # The chain of the last check: its certificates are copied when they are asked for.
      def chain
        context = @__checked
        return @chain unless context
        @__checked = nil
        @chain = context.chain
      end
    end

    # A check of one certificate.
    class StoreContext
      undef_method :initialize_copy

      # What a setting is called in C.
      FLAGS = 0
      PURPOSE = 1
      TRUST = 2
      TIME = 3
      private_constant :FLAGS, :PURPOSE, :TRUST, :TIME

      def initialize(store, certificate = nil, chain = nil)
        Primitive.openssl(nil, :X509_STORE_get0_param, store)
        # Copies, which nobody changes while they are looked at.
        copy = Primitive.openssl(nil, :X509_dup, certificate) unless nil.equal?(certificate)
        unless nil.equal?(chain)
          unless Primitive.kind_of(chain, Array)
            raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(chain)} (expected Array)"
          end
          chain = chain.map { |one| Primitive.openssl([StoreError, "X509_STORE_CTX_init"], :X509_dup, X509.__kind(one, Certificate)) }
        end
        @__handle = Primitive.openssl(StoreError, :X509_STORE_CTX_new)
        @__store = store
        @__certificate = copy
        @__chain = chain
        @__settings = []
        @verify_callback = store.verify_callback
        @cert = certificate
      end

      def verify
        # A certificate that is not whole cannot be copied.
        Primitive.openssl([StoreError, "X509_verify_cert"], :X509_dup, @cert) if nil.equal?(@__certificate) && !nil.equal?(@cert)
        Primitive.openssl(
          [StoreError, "X509_verify_cert"], :openssl_verify_cert, self, @__store, @__certificate, @__chain, (@__settings || []).pack("q*")
        )
      end

      # In a callback these are copies, so that nothing changes what is being checked.
      def chain
        list = Primitive.openssl(nil, :X509_STORE_CTX_get0_chain, self)
        list && list.map { |handle| __copy_of(Certificate, :X509_dup, handle) }
      end

      def error = Primitive.openssl(nil, :X509_STORE_CTX_get_error, self)

      def error=(error)
        Primitive.openssl(nil, :X509_STORE_CTX_set_error, self, error)
      end

      def error_string = Primitive.openssl(nil, :X509_verify_cert_error_string, error)

      def error_depth = Primitive.openssl(nil, :X509_STORE_CTX_get_error_depth, self)

      def current_cert
        handle = Primitive.openssl(nil, :X509_STORE_CTX_get_current_cert, self)
        handle && __copy_of(Certificate, :X509_dup, handle)
      end

      def current_crl
        handle = Primitive.openssl(nil, :X509_STORE_CTX_get0_current_crl, self)
        handle && __copy_of(CRL, :X509_CRL_dup, handle)
      end

      def flags=(flags)
        __set(FLAGS, Primitive.to_int(flags))
      end

      def purpose=(purpose)
        __set(PURPOSE, ASN1.__int(purpose))
      end

      def trust=(trust)
        __set(TRUST, ASN1.__int(trust))
      end

      def time=(time)
        __set(TIME, Integer(time))
      end

      private

      # Settings take effect when the check begins.
      def __set(which, value)
        raise RangeError, "bignum too big to convert into 'long'" if value.bit_length > 63
        (@__settings ||= []).push(which, value)
      end

      def __call_back_with(callback)
        @verify_callback = callback
      end

      def __copy_of(of, function, handle) = X509.__made(of, Primitive.openssl(StoreError, function, handle))

      # For each certificate and each mistake: is it right? A callback decides, if there is one.
      def __call_back(right)
        callback = @verify_callback
        return right if nil.equal?(callback)
        answer =
          begin
            callback.call(right, self)
          rescue Exception
            warn("exception in verify_callback is ignored", uplevel: 0)
            false
          end
        if true.equal?(answer)
          self.error = V_OK
          return true
        end
        self.error = V_ERR_CERT_REJECTED if error == V_OK
        false
      end
    end
  end
end
