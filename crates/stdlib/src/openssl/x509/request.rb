# frozen_string_literal: true

module OpenSSL
  module X509
    # What a certificate is asked for with.
    class Request
      def initialize(source = (none = true; nil))
        @__handle =
          if none
            Primitive.openssl(RequestError, :X509_REQ_new)
          else
            X509.__read(RequestError, source, :d2i_X509_REQ_bio, :PEM_read_bio_X509_REQ)
          end
      end

      def initialize_copy(other)
        Primitive.raise_frozen_if(self)
        @__handle = Primitive.openssl([RequestError, ""], :X509_REQ_dup, other)
        self
      end

      def to_der = Primitive.openssl([RequestError, ""], :i2d_X509_REQ, self)

      def to_pem = Primitive.openssl([RequestError, ""], :PEM_write_bio_X509_REQ, self)

      alias to_s to_pem

      def to_text = Primitive.openssl([RequestError, ""], :X509_REQ_print, self)

      def version = Primitive.openssl(nil, :X509_REQ_get_version, self)

      def version=(number)
        Primitive.openssl(RequestError, :X509_REQ_set_version, self, X509.__version(RequestError, number))
      end

      def subject = X509.__made(Name, Primitive.openssl(RequestError, :X509_REQ_get_subject_name, self))

      def subject=(name)
        Primitive.openssl([RequestError, ""], :X509_REQ_set_subject_name, self, name)
      end

      def signature_algorithm = X509.__long_name(Primitive.openssl(nil, :X509_REQ_get_signature_nid, self))

      def public_key = X509.__key(Primitive.openssl([RequestError, ""], :X509_REQ_get_pubkey, self))

      def public_key=(key)
        Primitive.openssl(RequestError, :X509_REQ_set_pubkey, self, key)
      end

      def sign(key, digest)
        Primitive.openssl(RequestError, :X509_REQ_sign, self, X509.__private_key(key), X509.__digest(digest))
        self
      end

      def verify(key) = Primitive.openssl([RequestError, ""], :X509_REQ_verify, self, key)

      def attributes = X509.__all(Attribute, :X509_REQ_get_attr, self)

      def attributes=(list)
        handles = X509.__array(list, Attribute).map(&:__handle)
        nil while Primitive.openssl(nil, :X509_REQ_delete_attr, self, 0)
        handles.each { |handle| Primitive.openssl(RequestError, :X509_REQ_add1_attr, self, handle) }
      end

      def add_attribute(attribute)
        unless Primitive.kind_of(attribute, Attribute)
          raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(attribute)} (expected OpenSSL/X509/ATTRIBUTE)"
        end
        Primitive.openssl([RequestError, ""], :X509_REQ_add1_attr, self, attribute.__handle)
        attribute
      end
    end
  end
end
