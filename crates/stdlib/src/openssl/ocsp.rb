# frozen_string_literal: true

module OpenSSL
  # Questions whether a certificate still counts, and their answers.
  module OCSP
    class OCSPError < OpenSSLError; end

    {
      RESPONSE_STATUS_SUCCESSFUL: 0, RESPONSE_STATUS_MALFORMEDREQUEST: 1, RESPONSE_STATUS_INTERNALERROR: 2, RESPONSE_STATUS_TRYLATER: 3,
      RESPONSE_STATUS_SIGREQUIRED: 5, RESPONSE_STATUS_UNAUTHORIZED: 6, REVOKED_STATUS_NOSTATUS: -1, REVOKED_STATUS_UNSPECIFIED: 0,
      REVOKED_STATUS_KEYCOMPROMISE: 1, REVOKED_STATUS_CACOMPROMISE: 2, REVOKED_STATUS_AFFILIATIONCHANGED: 3, REVOKED_STATUS_SUPERSEDED: 4,
      REVOKED_STATUS_CESSATIONOFOPERATION: 5, REVOKED_STATUS_CERTIFICATEHOLD: 6, REVOKED_STATUS_REMOVEFROMCRL: 8, NOCERTS: 0x1,
      NOINTERN: 0x2, NOSIGS: 0x4, NOCHAIN: 0x8, NOVERIFY: 0x10, NOEXPLICIT: 0x20, NOCASIGN: 0x40, NODELEGATED: 0x80, NOCHECKS: 0x100,
      TRUSTOTHER: 0x200, RESPID_KEY: 0x400, NOTIME: 0x800, V_CERTSTATUS_GOOD: 0, V_CERTSTATUS_REVOKED: 1, V_CERTSTATUS_UNKNOWN: 2,
      V_RESPID_NAME: 0, V_RESPID_KEY: 1
    }.each { |name, value| const_set(name, value) }

    class << self
      def __flags(flags)
        flags = nil.equal?(flags) ? 0 : ASN1.__int(flags)
        flags & 0xffff_ffff
      end

      # What is signed with: [key, digest, certificates, flags].
      def __signing(key, certificates, flags, digest)
        key = X509.__private_key(key)
        flags = __flags(flags)
        digest = Digest.__send__(:__algorithm, digest) unless nil.equal?(digest)
        return [key, digest, nil, flags | NOCERTS] if nil.equal?(certificates)
        [key, digest, X509.__array(certificates, X509::Certificate), flags]
      end

      # A time, or seconds from now, as a handle.
      def __time(time)
        return Primitive.openssl([OCSPError, ""], :X509_gmtime_adj, ASN1.__int(time)) if Primitive.kind_of(time, Integer)
        X509.__time(time)
      end

      # A nonce of no bytes stands for one of the library's choice.
      def __nonce(nonce)
        return if nil.equal?(nonce)
        nonce = Asterism::Internal.to_str(nonce)
        nonce.empty? ? nil : nonce
      end

      def __hex(octets) = octets.unpack1("H*")
    end

    # What the classes have in common: an object of the library's with an encoding.
    module Encoded
      private

      def __become(handle) = @__handle = handle

      def __decode(function, source)
        @__handle = Primitive.openssl(OCSPError, function, ASN1.__der(source))
      end

      def __copy(other, encode, decode)
        der = Primitive.openssl([OCSPError, "ASN1_item_dup"], encode, other)
        @__handle = Primitive.openssl([OCSPError, "ASN1_item_dup"], decode, der)
        self
      end
    end
    private_constant :Encoded

    class Request
      include Encoded

      def initialize(der = nil)
        return __decode(:d2i_OCSP_REQUEST, der) unless nil.equal?(der)
        @__handle = Primitive.openssl([OCSPError, ""], :OCSP_REQUEST_new)
      end

      def initialize_copy(other) = __copy(other, :i2d_OCSP_REQUEST, :d2i_OCSP_REQUEST)

      def add_nonce(nonce = nil)
        Primitive.openssl([OCSPError, ""], :OCSP_request_add1_nonce, self, OCSP.__nonce(nonce))
        self
      end

      def check_nonce(response) = Primitive.openssl(nil, :OCSP_check_nonce, self, response)

      def add_certid(id)
        Primitive.openssl(OCSPError, :OCSP_request_add0_id, self, id)
        self
      end

      def certid
        ids = []
        while (handle = Primitive.openssl([OCSPError, "OCSP_CERTID_dup"], :openssl_ocsp_request_id, self, ids.size))
          ids << X509.__made(CertificateId, handle)
        end
        ids.empty? ? nil : ids
      end

      def sign(certificate, key, certificates = nil, flags = nil, digest = nil)
        key, digest, certificates, flags = OCSP.__signing(key, certificates, flags, digest)
        Primitive.openssl(OCSPError, :OCSP_request_sign, self, certificate, key, digest, certificates, flags)
        self
      end

      def verify(certificates, store, flags = nil)
        certificates = X509.__array(certificates, X509::Certificate)
        Primitive.openssl(nil, :OCSP_request_verify, self, certificates, store, OCSP.__flags(flags))
      end

      def signed? = Primitive.openssl(nil, :OCSP_request_is_signed, self)
      def to_der = Primitive.openssl([OCSPError, ""], :i2d_OCSP_REQUEST, self)
    end

    class Response
      include Encoded

      def self.create(status, response)
        X509.__made(Response, Primitive.openssl([OCSPError, ""], :OCSP_response_create, status, response))
      end

      def initialize(der = nil)
        return __decode(:d2i_OCSP_RESPONSE, der) unless nil.equal?(der)
        @__handle = Primitive.openssl([OCSPError, ""], :OCSP_RESPONSE_new)
      end

      def initialize_copy(other) = __copy(other, :i2d_OCSP_RESPONSE, :d2i_OCSP_RESPONSE)

      def status = Primitive.openssl(nil, :OCSP_response_status, self)
      def status_string = Primitive.openssl([OCSPError, ""], :OCSP_response_status_str, status)

      def basic
        handle = Primitive.openssl(nil, :OCSP_response_get1_basic, self)
        handle && X509.__made(BasicResponse, handle)
      end

      def to_der = Primitive.openssl([OCSPError, ""], :i2d_OCSP_RESPONSE, self)
    end

    class BasicResponse
      include Encoded

      def initialize(der = nil)
        return __decode(:d2i_OCSP_BASICRESP, der) unless nil.equal?(der)
        @__handle = Primitive.openssl([OCSPError, ""], :OCSP_BASICRESP_new)
      end

      def initialize_copy(other) = __copy(other, :i2d_OCSP_BASICRESP, :d2i_OCSP_BASICRESP)

      def copy_nonce(request) = Primitive.openssl(nil, :OCSP_copy_nonce, self, request)

      def add_nonce(nonce = nil)
        Primitive.openssl([OCSPError, ""], :OCSP_basic_add1_nonce, self, OCSP.__nonce(nonce))
        self
      end

      def add_status(id, status, reason, revoked, this_update, next_update, extensions)
        status = Primitive.to_int(status)
        unless nil.equal?(extensions)
          extensions = Primitive.to_ary_or_nil(extensions)
          handles = extensions && X509.__array(extensions, X509::Extension).map(&:__handle)
        end
        if status == V_CERTSTATUS_REVOKED
          reason = Primitive.to_int(reason)
          revoked = OCSP.__time(revoked)
        else
          reason = 0
          revoked = nil
        end
        this_update = OCSP.__time(this_update)
        next_update = OCSP.__time(next_update) unless nil.equal?(next_update)
        Primitive.openssl([OCSPError, ""], :OCSP_basic_add1_status, self, id, status, reason, revoked, this_update, next_update, handles)
        self
      end

      def status
        responses.map do |single|
          status, reason, *times = single.__send__(:__status)
          [single.certid, status, reason, *times.map { |time| time && X509.__time_of(time) }, single.extensions]
        end
      end

      def responses
        found = []
        while (handle = Primitive.openssl(nil, :openssl_ocsp_response, self, found.size))
          found << X509.__made(SingleResponse, handle)
        end
        found
      end

      def find_response(id)
        handle = Primitive.openssl(nil, :openssl_ocsp_find, self, id)
        handle && X509.__made(SingleResponse, handle)
      end

      def sign(certificate, key, certificates = nil, flags = nil, digest = nil)
        key, digest, certificates, flags = OCSP.__signing(key, certificates, flags, digest)
        Primitive.openssl(OCSPError, :OCSP_basic_sign, self, certificate, key, digest, certificates, flags)
        self
      end

      def verify(certificates, store, flags = nil)
        certificates = X509.__array(certificates, X509::Certificate)
        Primitive.openssl(nil, :OCSP_basic_verify, self, certificates, store, OCSP.__flags(flags))
      end

      def to_der = Primitive.openssl([OCSPError, ""], :i2d_OCSP_BASICRESP, self)
    end

    # What a response says of one certificate.
    class SingleResponse
      include Encoded

      def initialize(der) = __decode(:d2i_OCSP_SINGLERESP, der)

      def initialize_copy(other) = __copy(other, :i2d_OCSP_SINGLERESP, :d2i_OCSP_SINGLERESP)

      def check_validity(seconds = nil, most = nil)
        seconds = nil.equal?(seconds) ? 0 : ASN1.__int(seconds)
        most = nil.equal?(most) ? -1 : ASN1.__int(most)
        _, _, _, this_update, next_update = __status
        Primitive.openssl(nil, :OCSP_check_validity, this_update, next_update, seconds, most)
      end

      def certid = X509.__made(CertificateId, Primitive.openssl([OCSPError, "OCSP_CERTID_dup"], :OCSP_SINGLERESP_get0_id, self))
      def cert_status = __status[0]
      def this_update = __time(__status[3])
      def next_update = __time(__status[4])
      def revocation_time = __time(__revoked[2])
      def revocation_reason = __revoked[1]

      def extensions
        Array.new(Primitive.openssl(nil, :OCSP_SINGLERESP_get_ext_count, self)) do |i|
          X509::Extension.__of(Primitive.openssl([OCSPError, ""], :OCSP_SINGLERESP_get_ext, self, i))
        end
      end

      def to_der = Primitive.openssl([OCSPError, ""], :i2d_OCSP_SINGLERESP, self)

      private

      # [status, reason, when it was revoked, when this was known, when more will be known]
      def __status
        status = Primitive.openssl([OCSPError, ""], :OCSP_single_get0_status, self)
        raise OCSPError, "OCSP_single_get0_status" if status[0] < 0
        status
      end

      def __revoked
        status = __status
        raise OCSPError, "certificate is not revoked" if status[0] != V_CERTSTATUS_REVOKED
        status
      end

      def __time(time) = time && X509.__time_of(time)
    end

    # Which certificate is asked about.
    class CertificateId
      include Encoded

      def initialize(subject, issuer = (alone = true; nil), digest = nil)
        return __decode(:d2i_OCSP_CERTID, subject) if alone
        digest = Digest.__send__(:__algorithm, digest) unless nil.equal?(digest)
        @__handle = Primitive.openssl(OCSPError, :OCSP_cert_to_id, digest, subject, issuer)
      end

      def initialize_copy(other)
        @__handle = Primitive.openssl(OCSPError, :OCSP_CERTID_dup, other)
        self
      end

      def cmp(other) = Primitive.openssl(nil, :OCSP_id_cmp, self, other) == 0
      def cmp_issuer(other) = Primitive.openssl(nil, :OCSP_id_issuer_cmp, self, other) == 0
      def serial = X509.__integer_of(Primitive.openssl([OCSPError, ""], :openssl_ocsp_id_serial, self))
      def issuer_name_hash = OCSP.__hex(Primitive.openssl([OCSPError, ""], :openssl_ocsp_id_name_hash, self))
      def issuer_key_hash = OCSP.__hex(Primitive.openssl([OCSPError, ""], :openssl_ocsp_id_key_hash, self))

      def hash_algorithm
        object = Primitive.openssl([OCSPError, ""], :openssl_ocsp_id_digest, self)
        number = Primitive.openssl(nil, :OBJ_obj2nid, object)
        return Timestamp.__name_of(object) if number == 0
        Primitive.openssl(OpenSSLError, :OBJ_nid2ln, number)
      end

      def to_der = Primitive.openssl([OCSPError, ""], :i2d_OCSP_CERTID, self)
    end
  end
end
