# frozen_string_literal: true

module OpenSSL
  # Proofs that data were there at a time.
  module Timestamp
    class TimestampError < OpenSSLError; end

    class << self
      # The handle of an object identifier.
      def __object(text)
        text = ASN1.__known_to_crypto(ASN1.__cstr(text))
        Primitive.openssl([ASN1::ASN1Error, "invalid OBJECT ID #{text}"], :OBJ_txt2obj, text, 0)
      end

      # The short name of an identifier, or its numbers.
      def __name_of(object)
        octets = ASN1.__body_of(Primitive.openssl([OpenSSLError, "OBJ_obj2txt"], :i2d_ASN1_OBJECT, object))
        raise OpenSSLError, "OBJ_obj2txt" if octets.empty?
        ASN1.__name_of_oid(ASN1.__dotted(octets)).dup
      end

      def __integer_of(handle) = handle && X509.__integer_of(handle)
    end

    class Request
      undef_method :initialize_copy

      def initialize(source = (none = true; nil))
        unless none
          @__handle = Primitive.openssl([TimestampError, "Error when decoding the timestamp request"], :d2i_TS_REQ_bio,
                                        X509.__bytes(source))
          return
        end
        handle = Primitive.openssl([TimestampError, ""], :TS_REQ_new)
        Primitive.openssl(TimestampError, :TS_REQ_set_version, handle, 1)
        Primitive.openssl(TimestampError, :TS_REQ_set_cert_req, handle, 1)
        @__handle = handle
      end

      def version = Primitive.openssl(nil, :TS_REQ_get_version, self)

      def version=(number)
        number = Primitive.to_int(number)
        raise TimestampError, "version must be >= 0!" if number < 0
        Primitive.openssl(TimestampError, :TS_REQ_set_version, self, number)
      end

      def algorithm = Timestamp.__name_of(Primitive.openssl([TimestampError, ""], :openssl_ts_algorithm, self))

      def algorithm=(name)
        Primitive.openssl(TimestampError, :TS_MSG_IMPRINT_set_algo, self, Timestamp.__object(name))
      end

      def message_imprint = Primitive.openssl([TimestampError, ""], :openssl_ts_imprint, self)

      def message_imprint=(hash)
        Primitive.openssl(TimestampError, :TS_MSG_IMPRINT_set_msg, self, hash)
      end

      def policy_id
        object = Primitive.openssl([TimestampError, ""], :TS_REQ_get_policy_id, self)
        object && Timestamp.__name_of(object)
      end

      def policy_id=(name)
        Primitive.openssl(TimestampError, :TS_REQ_set_policy_id, self, Timestamp.__object(name))
      end

      def nonce = Timestamp.__integer_of(Primitive.openssl([TimestampError, ""], :TS_REQ_get_nonce, self))

      def nonce=(number)
        Primitive.openssl([TimestampError, ""], :TS_REQ_set_nonce, self, X509.__integer(number))
      end

      def cert_requested? = Primitive.openssl(nil, :TS_REQ_get_cert_req, self)

      def cert_requested=(flag)
        Primitive.openssl([TimestampError, ""], :TS_REQ_set_cert_req, self, flag ? 1 : 0)
      end

      def to_der
        object = Primitive.openssl([TimestampError, ""], :openssl_ts_algorithm, self)
        raise TimestampError, "Message imprint missing algorithm" if Primitive.openssl(nil, :OBJ_obj2nid, object) == 0
        raise TimestampError, "Message imprint missing hashed message" if message_imprint.empty?
        Primitive.openssl([TimestampError, "Error when encoding to DER"], :i2d_TS_REQ, self)
      end

      def to_text = Primitive.openssl([TimestampError, ""], :TS_REQ_print_bio, self)
    end

    class Response
      undef_method :initialize_copy

      GRANTED = 0
      GRANTED_WITH_MODS = 1
      REJECTION = 2
      WAITING = 3
      REVOCATION_WARNING = 4
      REVOCATION_NOTIFICATION = 5

      # Why a response is a failure, by the bits that say so.
      FAILURES = {
        0 => :BAD_ALG, 2 => :BAD_REQUEST, 5 => :BAD_DATA_FORMAT, 14 => :TIME_NOT_AVAILABLE, 15 => :UNACCEPTED_POLICY,
        16 => :UNACCEPTED_EXTENSION, 17 => :ADD_INFO_NOT_AVAILABLE, 25 => :SYSTEM_FAILURE
      }.freeze
      private_constant :FAILURES

      def initialize(source)
        @__handle = Primitive.openssl([TimestampError, "Error when decoding the timestamp response"], :d2i_TS_RESP_bio,
                                      X509.__bytes(source))
      end

      def status = X509.__integer_of(Primitive.openssl([TimestampError, ""], :openssl_ts_status, self))

      def failure_info
        found = Primitive.openssl(nil, :openssl_ts_failure, self, FAILURES.keys.pack("C*"))
        return if found == -1
        raise TimestampError, "Unrecognized failure info." if found < 0
        FAILURES.values[found]
      end

      def status_text
        texts = Primitive.openssl([TimestampError, ""], :openssl_ts_status_text, self)
        (texts || []).map { |text| Primitive.openssl(nil, :openssl_octets, text) }
      end

      def token
        handle = Primitive.openssl([TimestampError, ""], :TS_RESP_get_token, self)
        handle && PKCS7.__made(handle)
      end

      def token_info
        handle = Primitive.openssl([TimestampError, ""], :TS_RESP_get_tst_info, self)
        handle && X509.__made(TokenInfo, handle)
      end

      def tsa_certificate
        handle = Primitive.openssl(nil, :openssl_ts_certificate, self)
        handle && X509.__made(X509::Certificate, handle)
      end

      def verify(request, store, intermediates = nil)
        intermediates = X509.__array(intermediates, X509::Certificate) unless nil.equal?(intermediates)
        Primitive.openssl(TimestampError, :TS_RESP_verify_response, self, request, store, intermediates)
        self
      end

      def to_der = Primitive.openssl([TimestampError, "Error when encoding to DER"], :i2d_TS_RESP, self)
      def to_text = Primitive.openssl([TimestampError, ""], :TS_RESP_print_bio, self)

      private

      def __become(handle) = @__handle = handle
    end

    # What a response says of the time.
    class TokenInfo
      undef_method :initialize_copy

      def initialize(source)
        @__handle = Primitive.openssl([TimestampError, "Error when decoding the timestamp token info"], :d2i_TS_TST_INFO_bio,
                                      X509.__bytes(source))
      end

      def version = Primitive.openssl(nil, :TS_TST_INFO_get_version, self)
      def policy_id = Timestamp.__name_of(Primitive.openssl([TimestampError, ""], :TS_TST_INFO_get_policy_id, self))
      def algorithm = Timestamp.__name_of(Primitive.openssl([TimestampError, ""], :openssl_ts_token_algorithm, self))
      def message_imprint = Primitive.openssl([TimestampError, ""], :openssl_ts_token_imprint, self)
      def serial_number = X509.__integer_of(Primitive.openssl([TimestampError, ""], :TS_TST_INFO_get_serial, self))
      def gen_time = X509.__time_of(Primitive.openssl([TimestampError, ""], :TS_TST_INFO_get_time, self))
      def ordering = Primitive.openssl(nil, :TS_TST_INFO_get_ordering, self)
      def nonce = Timestamp.__integer_of(Primitive.openssl([TimestampError, ""], :TS_TST_INFO_get_nonce, self))
      def to_der = Primitive.openssl([TimestampError, "Error when encoding to DER"], :i2d_TS_TST_INFO, self)
      def to_text = Primitive.openssl([TimestampError, ""], :TS_TST_INFO_print_bio, self)

      private

      def __become(handle) = @__handle = handle
    end

    # Makes responses.
    class Factory
      attr_accessor :allowed_digests, :default_policy_id, :serial_number, :gen_time, :additional_certs

      def create_timestamp(key, certificate, request)
        key = X509.__private_key(key)
        policy = Primitive.openssl([TimestampError, ""], :TS_REQ_get_policy_id, request)
        raise TimestampError, "@gen_time must be a Time." unless Primitive.class_of(@gen_time) == Time
        raise TimestampError, "@serial_number must be set." if nil.equal?(@serial_number)
        serial = X509.__integer(@serial_number)
        if nil.equal?(policy)
          raise TimestampError, "No policy id in the request and no default policy set" if nil.equal?(@default_policy_id)
          policy = Timestamp.__object(@default_policy_id)
        end
        context = Primitive.openssl([TimestampError, ""], :TS_RESP_CTX_new)
        Primitive.openssl([TimestampError, "Certificate does not contain the timestamping extension"], :TS_RESP_CTX_set_signer_cert,
                          context, certificate)
        others = @additional_certs
        if Primitive.kind_of(others, Array)
          Primitive.openssl(TimestampError, :TS_RESP_CTX_set_certs, context, X509.__array(others, X509::Certificate))
        end
        Primitive.openssl(TimestampError, :TS_RESP_CTX_set_signer_key, context, key)
        Primitive.openssl(TimestampError, :TS_RESP_CTX_set_def_policy, context, policy)
        digests = @allowed_digests
        if Primitive.kind_of(digests, Array)
          digests.dup.each do |digest|
            Primitive.openssl(TimestampError, :TS_RESP_CTX_add_md, context, Digest.__send__(:__algorithm, digest))
          end
        end
        handle = Primitive.openssl([TimestampError, "Error during response generation"], :TS_RESP_create_response, context,
                                   @gen_time.to_i, serial, ASN1.__der(request))
        X509.__made(Response, handle)
      end
    end
  end
end
