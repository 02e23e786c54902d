# frozen_string_literal: true

module OpenSSL
  # Transport layer security. The pure-Ruby part of the library has the rest of these classes.
  module SSL
    class SSLError < OpenSSLError; end

    class SSLErrorWaitReadable < SSLError
      include IO::WaitReadable
    end

    class SSLErrorWaitWritable < SSLError
      include IO::WaitWritable
    end

    VERIFY_NONE = 0x0
    VERIFY_PEER = 0x1
    VERIFY_FAIL_IF_NO_PEER_CERT = 0x2
    VERIFY_CLIENT_ONCE = 0x4
    OP_ALL = 0x80000850
    OP_CLEANSE_PLAINTEXT = 0x2
    OP_LEGACY_SERVER_CONNECT = 0x4
    OP_ENABLE_KTLS = 0x8
    OP_TLSEXT_PADDING = 0x10
    OP_SAFARI_ECDHE_ECDSA_BUG = 0x40
    OP_IGNORE_UNEXPECTED_EOF = 0x80
    OP_ALLOW_CLIENT_RENEGOTIATION = 0x100
    OP_DISABLE_TLSEXT_CA_NAMES = 0x200
    OP_ALLOW_NO_DHE_KEX = 0x400
    OP_DONT_INSERT_EMPTY_FRAGMENTS = 0x800
    OP_NO_TICKET = 0x4000
    OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION = 0x10000
    OP_NO_COMPRESSION = 0x20000
    OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION = 0x40000
    OP_NO_ENCRYPT_THEN_MAC = 0x80000
    OP_ENABLE_MIDDLEBOX_COMPAT = 0x100000
    OP_PRIORITIZE_CHACHA = 0x200000
    OP_NO_ANTI_REPLAY = 0x1000000
    OP_NO_SSLv3 = 0x2000000
    OP_NO_TLSv1 = 0x4000000
    OP_NO_TLSv1_1 = 0x10000000
    OP_NO_TLSv1_2 = 0x8000000
    OP_NO_TLSv1_3 = 0x20000000
    OP_CIPHER_SERVER_PREFERENCE = 0x400000
    OP_TLS_ROLLBACK_BUG = 0x800000
    OP_NO_RENEGOTIATION = 0x40000000
    OP_CRYPTOPRO_TLSEXT_BUG = 0x80000000
    OP_NO_QUERY_MTU = 0x1000
    OP_COOKIE_EXCHANGE = 0x2000
    OP_CISCO_ANYCONNECT = 0x8000
    OP_MICROSOFT_SESS_ID_BUG = 0x0
    OP_NETSCAPE_CHALLENGE_BUG = 0x0
    OP_NETSCAPE_REUSE_CIPHER_CHANGE_BUG = 0x0
    OP_SSLREF2_REUSE_CERT_TYPE_BUG = 0x0
    OP_MICROSOFT_BIG_SSLV3_BUFFER = 0x0
    OP_MSIE_SSLV2_RSA_PADDING = 0x0
    OP_SSLEAY_080_CLIENT_DH_BUG = 0x0
    OP_TLS_D5_BUG = 0x0
    OP_TLS_BLOCK_PADDING_BUG = 0x0
    OP_SINGLE_ECDH_USE = 0x0
    OP_SINGLE_DH_USE = 0x0
    OP_EPHEMERAL_RSA = 0x0
    OP_NO_SSLv2 = 0x0
    OP_PKCS1_CHECK_1 = 0x0
    OP_PKCS1_CHECK_2 = 0x0
    OP_NETSCAPE_CA_DN_BUG = 0x0
    OP_NETSCAPE_DEMO_CIPHER_CHANGE_BUG = 0x0
    SSL2_VERSION = 0x2
    SSL3_VERSION = 0x300
    TLS1_VERSION = 0x301
    TLS1_1_VERSION = 0x302
    TLS1_2_VERSION = 0x303
    TLS1_3_VERSION = 0x304

    # What can be continued in another connection.
    class Session
      class SessionError < OpenSSLError; end

      def initialize(from)
        raise SessionError, "SSL Session already initialized" if @__handle
        @__handle =
          if Primitive.kind_of(from, SSLSocket)
            Primitive.openssl(nil, :SSL_get1_session, from) || raise(SessionError, "no session available")
          else
            text = Asterism::Internal.to_str(from.respond_to?(:to_der) ? from.to_der : from)
            Primitive.openssl(nil, :d2i_SSL_SESSION, text) ||
              Primitive.openssl([SessionError, "unknown type"], :PEM_read_bio_SSL_SESSION, text)
          end
      end

      def initialize_copy(other)
        Primitive.raise_frozen_if(self)
        return self if equal?(other)
        @__handle = Primitive.openssl(SessionError, :d2i_SSL_SESSION, Primitive.openssl(SessionError, :i2d_SSL_SESSION, other))
        self
      end

      def ==(other)
        mine = Primitive.openssl(nil, :ssl_session_id, self)
        mine == Primitive.openssl(nil, :ssl_session_id, other)
      end

      def id = Primitive.openssl(nil, :ssl_session_id, self)

      def time
        time = Primitive.openssl(nil, :SSL_SESSION_get_time, self)
        time == 0 ? nil : Time.at(time)
      end

      def time=(time)
        time = time.to_i if Primitive.kind_of(time, Time)
        Primitive.openssl(nil, :SSL_SESSION_set_time, self, time)
      end

      def timeout = Primitive.openssl(nil, :SSL_SESSION_get_timeout, self)

      def timeout=(seconds)
        Primitive.openssl(nil, :SSL_SESSION_set_timeout, self, seconds)
      end

      def to_der = Primitive.openssl(SessionError, :i2d_SSL_SESSION, self)
      def to_pem = Primitive.openssl(SessionError, :PEM_write_bio_SSL_SESSION, self)
      def to_text = Primitive.openssl(SessionError, :SSL_SESSION_print, self)
    end
  end
end
