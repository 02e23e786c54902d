# frozen_string_literal: true

module OpenSSL
  module SSL
    # How connections are made: one context serves many, also at once.
    class SSLContext
      undef_method :initialize_copy

      def self.allocate
        context = super
        context.__send__(:__prepare)
        context
      end

      def self.new(...)
        context = allocate
        context.__send__(:initialize, ...)
        context
      end

      attr_accessor :cert, :key, :client_ca, :ca_file, :ca_path, :timeout, :verify_mode, :verify_depth, :verify_callback,
                    :verify_hostname, :cert_store, :extra_chain_cert, :client_cert_cb, :session_id_context,
                    :session_get_cb, :session_new_cb, :session_remove_cb, :renegotiation_cb, :npn_protocols, :npn_select_cb,
                    :alpn_protocols, :alpn_select_cb, :keylog_cb

      # Versions 3.0 and 3.1 of the pure-Ruby part define these themselves, which warns of attributes.
      def tmp_dh_callback = @tmp_dh_callback

      def tmp_dh_callback=(callback)
        @tmp_dh_callback = callback
      end

      alias ssl_timeout timeout
      alias ssl_timeout= timeout=

      SESSION_CACHE_OFF = 0x0
      SESSION_CACHE_CLIENT = 0x1
      SESSION_CACHE_SERVER = 0x2
      SESSION_CACHE_BOTH = 0x3
      SESSION_CACHE_NO_AUTO_CLEAR = 0x80
      SESSION_CACHE_NO_INTERNAL_LOOKUP = 0x100
      SESSION_CACHE_NO_INTERNAL_STORE = 0x200
      SESSION_CACHE_NO_INTERNAL = 0x300

      # `SSL_CTRL_…`
      CACHE_MODE = 44
      CACHE_SIZE = 42
      STATISTICS = {
        cache_num: 20, connect: 21, connect_good: 22, connect_renegotiate: 23, accept: 24, accept_good: 25,
        accept_renegotiate: 26, cache_hits: 27, cb_hits: 28, cache_misses: 29, cache_full: 31, timeouts: 30
      }.freeze
      VERSIONS = {
        "SSL2" => SSL2_VERSION, "SSL3" => SSL3_VERSION, "TLS1" => TLS1_VERSION,
        "TLS1_1" => TLS1_1_VERSION, "TLS1_2" => TLS1_2_VERSION, "TLS1_3" => TLS1_3_VERSION
      }.freeze
      # `SSL_MODE_SEND_FALLBACK_SCSV`
      FALLBACK = 0x80
      private_constant :CACHE_MODE, :CACHE_SIZE, :STATISTICS, :VERSIONS, :FALLBACK

      def min_version=(version)
        Primitive.raise_frozen_if(self)
        Primitive.openssl(SSLError, :SSL_CTX_set_min_proto_version, self, __version(version))
      end

      def max_version=(version)
        Primitive.raise_frozen_if(self)
        Primitive.openssl(SSLError, :SSL_CTX_set_max_proto_version, self, __version(version))
      end

      def options = Primitive.openssl(nil, :SSL_CTX_get_options, self)

      def options=(options)
        Primitive.raise_frozen_if(self)
        options = nil.equal?(options) ? OP_ALL : Primitive.to_int(options)
        Primitive.openssl(nil, :SSL_CTX_clear_options, self, self.options)
        Primitive.openssl(nil, :SSL_CTX_set_options, self, options)
      end

      def ciphers
        list = Primitive.openssl(nil, :SSL_CTX_get_ciphers, self) || []
        list.map { |cipher| SSL.__send__(:__cipher, cipher) }
      end

      def ciphers=(ciphers)
        Primitive.raise_frozen_if(self)
        return if nil.equal?(ciphers)
        Primitive.openssl(SSLError, :SSL_CTX_set_cipher_list, self, __list(ciphers))
      end

      def ciphersuites=(ciphers)
        Primitive.raise_frozen_if(self)
        return if nil.equal?(ciphers)
        Primitive.openssl(SSLError, :SSL_CTX_set_ciphersuites, self, __list(ciphers))
      end

      def sigalgs=(list)
        Primitive.raise_frozen_if(self)
        Primitive.openssl([SSLError, "SSL_CTX_set1_sigalgs_list"], :SSL_CTX_set1_sigalgs_list, self, list)
      end

      def client_sigalgs=(list)
        Primitive.raise_frozen_if(self)
        Primitive.openssl(SSLError, :SSL_CTX_set1_client_sigalgs_list, self, list)
      end

      def groups=(list)
        Primitive.raise_frozen_if(self)
        Primitive.openssl(SSLError, :SSL_CTX_set1_groups_list, self, list)
      end
      alias ecdh_curves= groups=

      def tmp_dh=(key)
        Primitive.raise_frozen_if(self)
        type = Primitive.openssl(nil, :EVP_PKEY_get_base_id, key)
        unless type == 28
          raise SSLError, "invalid pkey type #{Primitive.openssl(nil, :OBJ_nid2sn, type)} (expected DH)"
        end
        Primitive.openssl(SSLError, :SSL_CTX_set0_tmp_dh_pkey, self, key)
        Primitive.openssl(nil, :SSL_CTX_set_dh_auto, self, 0)
      end

      def security_level = Primitive.openssl(nil, :SSL_CTX_get_security_level, self)

      def security_level=(level)
        Primitive.raise_frozen_if(self)
        Primitive.openssl(nil, :SSL_CTX_set_security_level, self, level)
      end

      def enable_fallback_scsv
        Primitive.openssl(nil, :SSL_CTX_set_mode, self, FALLBACK)
        nil
      end

      def add_certificate(certificate, key, chain = (none = true; nil))
        Primitive.raise_frozen_if(self)
        __private(key)
        public = Primitive.openssl(nil, :X509_get_pubkey, certificate)
        raise ArgumentError, "certificate does not contain public key" unless public
        raise ArgumentError, "public key mismatch" unless Primitive.openssl(nil, :EVP_PKEY_eq, public, key) == 1
        unless none
          raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(chain)} (expected Array)" unless Primitive.kind_of(chain, Array)
        end
        __use(certificate, key)
        Primitive.openssl([SSLError, "SSL_CTX_set0_chain"], :SSL_CTX_set1_chain, self, chain) unless none
        self
      end

      # What the attributes say is told to the library, once: threads that use the context meanwhile wait. It does not change any more.
      def setup
        return nil if frozen?
        raise "SSL CTX wasn't initialized!" unless @__lock
        @__lock.synchronize do
          next nil if frozen?
          __set_up_parameters
          __set_up_certificates
          __set_up_verification
          __set_up_protocols
          __set_up_sessions
          __freeze
          true
        end
      end

      alias __freeze freeze
      private :__freeze
      alias freeze setup

      def session_add(session)
        Primitive.openssl(nil, :SSL_CTX_add_session, self, session) == 1
      end

      def session_remove(session)
        Primitive.openssl(nil, :SSL_CTX_remove_session, self, session) == 1
      end

      def session_cache_mode = Primitive.openssl(nil, :ssl_context_get, self, CACHE_MODE + 1)

      def session_cache_mode=(mode)
        Primitive.openssl(nil, :ssl_context_set, self, CACHE_MODE, mode)
      end

      def session_cache_size = Primitive.openssl(nil, :ssl_context_get, self, CACHE_SIZE + 1)

      def session_cache_size=(size)
        Primitive.openssl(nil, :ssl_context_set, self, CACHE_SIZE, size)
      end

      def session_cache_stats = STATISTICS.transform_values { |which| Primitive.openssl(nil, :ssl_context_get, self, which) }

      def flush_sessions(time = nil)
        raise ArgumentError, "arg must be Time or nil" unless nil.equal?(time) || Primitive.kind_of(time, Time)
        Primitive.openssl(nil, :SSL_CTX_flush_sessions, self, (time || Time.now).to_i)
        self
      end

      private

      def __prepare
        @__handle = Primitive.openssl([SSLError, "SSL_CTX_new"], :ssl_context_new)
        @__lock = Thread::Mutex.new
      end

      # Versions 3.0 and 3.1 of the pure-Ruby part set both at once.
      def set_minmax_proto_version(min, max)
        Primitive.raise_frozen_if(self)
        Primitive.openssl(SSLError, :SSL_CTX_set_min_proto_version, self, __version(min))
        Primitive.openssl(SSLError, :SSL_CTX_set_max_proto_version, self, __version(max))
      end

      def __version(version)
        return 0 if nil.equal?(version)
        return version if Primitive.kind_of(version, Integer)
        name = Primitive.kind_of(version, Symbol) ? version.name : Asterism::Internal.to_str(version)
        VERSIONS[name] || raise(ArgumentError, "unrecognized version #{version.inspect}")
      end

      def __list(ciphers)
        return Asterism::Internal.to_str(ciphers) unless Primitive.kind_of(ciphers, Array)
        ciphers.map { |one| String(Primitive.kind_of(one, Array) ? one[0] : one) }.join(":")
      end

      def __private(key)
        Primitive.openssl(nil, :EVP_PKEY_get_base_id, key)
        raise ArgumentError, "Private key is needed." unless key.private?
      end

      def __use(certificate, key)
        Primitive.openssl(SSLError, :SSL_CTX_use_certificate, self, certificate)
        Primitive.openssl(SSLError, :SSL_CTX_use_PrivateKey, self, key)
      end

      def __set_up_parameters
        if tmp_dh_callback
          Primitive.openssl(nil, :SSL_CTX_set_tmp_dh_callback, self)
          Primitive.openssl(nil, :SSL_CTX_set_dh_auto, self, 0)
        end
        Primitive.openssl(nil, :SSL_CTX_set_post_handshake_auth, self, 1)
        Primitive.openssl(nil, :SSL_CTX_set_tlsext_servername_callback, self) unless nil.equal?(@servername_cb)
        Primitive.openssl(nil, :SSL_CTX_set_keylog_callback, self) if keylog_cb
      end

      def __set_up_certificates
        Primitive.openssl(nil, :SSL_CTX_set_cert_store, self, cert_store) unless nil.equal?(cert_store)
        extra_chain_cert&.each { |one| Primitive.openssl(SSLError, :SSL_CTX_add_extra_chain_cert, self, one) }
        __private(key) unless nil.equal?(key)
        if cert && key
          __use(cert, key)
          Primitive.openssl(SSLError, :SSL_CTX_check_private_key, self)
        end
        return if nil.equal?(client_ca)
        list = Primitive.kind_of(client_ca, Array) ? client_ca : [client_ca]
        list.each { |one| Primitive.openssl(SSLError, :SSL_CTX_add_client_CA, self, one) }
      end

      def __set_up_verification
        Primitive.openssl(SSLError, :SSL_CTX_load_verify_file, self, ca_file) unless nil.equal?(ca_file)
        Primitive.openssl(SSLError, :SSL_CTX_load_verify_dir, self, ca_path) unless nil.equal?(ca_path)
        Primitive.openssl(nil, :SSL_CTX_set_verify, self, nil.equal?(verify_mode) ? VERIFY_NONE : verify_mode)
        Primitive.openssl(nil, :SSL_CTX_set_client_cert_cb, self) if client_cert_cb
        Primitive.openssl(nil, :SSL_CTX_set_timeout, self, timeout) unless nil.equal?(timeout)
        Primitive.openssl(nil, :SSL_CTX_set_verify_depth, self, verify_depth) unless nil.equal?(verify_depth)
      end

      def __set_up_protocols
        unless nil.equal?(npn_protocols)
          @__npn_protocols = __protocols(npn_protocols)
          Primitive.openssl(nil, :SSL_CTX_set_next_protos_advertised_cb, self)
        end
        Primitive.openssl(nil, :SSL_CTX_set_next_proto_select_cb, self) if npn_select_cb
        unless nil.equal?(alpn_protocols)
          failed = Primitive.openssl(nil, :SSL_CTX_set_alpn_protos, self, __protocols(alpn_protocols))
          raise SSLError, "SSL_CTX_set_alpn_protos" unless failed == 0
        end
        Primitive.openssl(nil, :SSL_CTX_set_alpn_select_cb, self) if alpn_select_cb
      end

      # Each with its length before it.
      def __protocols(list)
        encoded = "".b
        list.each do |one|
          one = Asterism::Internal.to_str(one)
          raise SSLError, "Advertised protocol must have length 1..255" unless one.bytesize.between?(1, 255)
          encoded << one.bytesize << one.b
        end
        encoded
      end

      def __npn_advertised = @__npn_protocols

      def __set_up_sessions
        unless nil.equal?(session_id_context)
          Primitive.openssl(SSLError, :SSL_CTX_set_session_id_context, self, session_id_context)
        end
        Primitive.openssl(nil, :SSL_CTX_sess_set_get_cb, self) if session_get_cb
        Primitive.openssl(nil, :SSL_CTX_sess_set_new_cb, self) if session_new_cb
        Primitive.openssl(nil, :SSL_CTX_sess_set_remove_cb, self) if session_remove_cb
      end

      # The cache has lost a session.
      def __session_removed(handle)
        session_remove_cb&.call([self, OpenSSL.__send__(:__wrap, Session, handle)])
      end
    end
  end
end
