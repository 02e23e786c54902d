# frozen_string_literal: true

module OpenSSL
  module X509
    # A certificate that counts no more. The library's object is made of what is kept here where one is asked for.
    class Revoked
      class << self
        # The one that a handle is.
        def __of(handle)
          revoked = new
          revoked.__send__(:__parse, Primitive.openssl(RevokedError, :i2d_X509_REVOKED, handle))
          revoked
        end
      end

      def initialize(*)
        @__serial = 0
        @__extensions = [].freeze
      end

      def initialize_copy(other)
        X509.__kind(other, Revoked)
        super
      end

      def serial = OpenSSL::BN.new(@__serial || 0)

      def serial=(number)
        @__serial = ASN1.__number(number)
      end

      def time
        raise ASN1::ASN1Error, "ASN1_TIME_to_tm" if nil.equal?(@__time)
        ASN1.decode(@__time).value
      end

      def time=(time)
        @__time = Primitive.openssl(RevokedError, :i2d_ASN1_TIME, X509.__time(time)).freeze
      end

      def extensions = (@__extensions || []).map(&:dup)

      def extensions=(list)
        @__extensions = X509.__array(list, Extension).map { |extension| extension.dup.freeze }.freeze
      end

      def add_extension(extension)
        X509.__extension(extension)
        @__extensions = [*@__extensions, extension.dup.freeze].freeze
        extension
      end

      def to_der
        raise RevokedError, "i2d_X509_REVOKED: illegal zero content" if nil.equal?(@__time)
        parts = [ASN1::Integer.new(@__serial || 0), @__time]
        parts << ASN1::Sequence.new(@__extensions) unless @__extensions.nil? || @__extensions.empty?
        ASN1::Sequence.new(parts).to_der
      end

      # A handle of the library's.
      def __handle = Primitive.openssl(RevokedError, :d2i_X509_REVOKED, to_der)

      private

      def __parse(der)
        serial, time, extensions = ASN1.__pieces(der)
        @__serial = ASN1.decode(serial).value.to_i
        @__time = time.freeze
        extensions = extensions ? ASN1.__pieces(extensions) : []
        @__extensions = extensions.map { |extension| Extension.new(extension).freeze }.freeze
      end
    end

    # A list of certificates that count no more.
    class CRL
      def initialize(source = (none = true; nil))
        @__handle =
          if none
            Primitive.openssl(CRLError, :X509_CRL_new)
          else
            X509.__read(CRLError, source, :d2i_X509_CRL_bio, :PEM_read_bio_X509_CRL)
          end
      end

      def initialize_copy(other)
        Primitive.raise_frozen_if(self)
        @__handle = Primitive.openssl([CRLError, ""], :X509_CRL_dup, other)
        self
      end

      def to_der = Primitive.openssl([CRLError, ""], :i2d_X509_CRL, self)

      def to_pem = Primitive.openssl([CRLError, ""], :PEM_write_bio_X509_CRL, self)

      alias to_s to_pem

      def to_text = Primitive.openssl([CRLError, ""], :X509_CRL_print, self)

      def version = Primitive.openssl(nil, :X509_CRL_get_version, self)

      def version=(number)
        Primitive.openssl([CRLError, ""], :X509_CRL_set_version, self, X509.__version(CRLError, number))
      end

      def signature_algorithm = X509.__long_name(Primitive.openssl(nil, :X509_CRL_get_signature_nid, self))

      def issuer = X509.__made(Name, Primitive.openssl(CRLError, :X509_CRL_get_issuer, self))

      def issuer=(name)
        Primitive.openssl([CRLError, ""], :X509_CRL_set_issuer_name, self, name)
      end

      def last_update
        time = Primitive.openssl(nil, :X509_CRL_get0_lastUpdate, self)
        time && X509.__time_of(time)
      end

      def last_update=(time)
        Primitive.openssl([CRLError, "X509_CRL_set_lastUpdate"], :X509_CRL_set1_lastUpdate, self, X509.__time(time))
      end

      def next_update
        time = Primitive.openssl(nil, :X509_CRL_get0_nextUpdate, self)
        time && X509.__time_of(time)
      end

      def next_update=(time)
        Primitive.openssl([CRLError, "X509_CRL_set_nextUpdate"], :X509_CRL_set1_nextUpdate, self, X509.__time(time))
      end

      def revoked = (Primitive.openssl(nil, :X509_CRL_get_REVOKED, self) || []).map { |handle| Revoked.__of(handle) }

      def revoked=(list)
        handles = X509.__array(list, Revoked).map(&:__handle)
        Primitive.openssl(nil, :openssl_clear_revoked, self)
        handles.each { |handle| Primitive.openssl(CRLError, :X509_CRL_add0_revoked, self, handle) }
        Primitive.openssl(nil, :X509_CRL_sort, self)
      end

      def add_revoked(revoked)
        unless Primitive.kind_of(revoked, Revoked)
          raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(revoked)} (expected OpenSSL/X509/REV)"
        end
        Primitive.openssl(CRLError, :X509_CRL_add0_revoked, self, revoked.__handle)
        Primitive.openssl(nil, :X509_CRL_sort, self)
        revoked
      end

      def sign(key, digest)
        Primitive.openssl(CRLError, :X509_CRL_sign, self, X509.__private_key(key), X509.__digest(digest))
        self
      end

      def verify(key) = Primitive.openssl([CRLError, ""], :X509_CRL_verify, self, key)

      def extensions = X509.__all(Extension, :X509_CRL_get_ext, self)

      def extensions=(list)
        handles = X509.__array(list, Extension).map(&:__handle)
        nil while Primitive.openssl(nil, :X509_CRL_delete_ext, self, 0)
        handles.each { |handle| Primitive.openssl(CRLError, :X509_CRL_add_ext, self, handle, -1) }
      end

      def add_extension(extension)
        X509.__extension(extension)
        Primitive.openssl([CRLError, ""], :X509_CRL_add_ext, self, extension.__handle, -1)
        extension
      end
    end
  end
end
