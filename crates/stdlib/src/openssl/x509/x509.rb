# frozen_string_literal: true

# OpenSSL::X509: certificates and what belongs to them. An object of the library's is in `@__handle`.
module OpenSSL
  module X509
    {
      PURPOSE_SSL_CLIENT: 1, PURPOSE_SSL_SERVER: 2, PURPOSE_NS_SSL_SERVER: 3, PURPOSE_SMIME_SIGN: 4, PURPOSE_SMIME_ENCRYPT: 5,
      PURPOSE_CRL_SIGN: 6, PURPOSE_ANY: 7, PURPOSE_OCSP_HELPER: 8, PURPOSE_TIMESTAMP_SIGN: 9, TRUST_COMPAT: 1, TRUST_SSL_CLIENT: 2,
      TRUST_SSL_SERVER: 3, TRUST_EMAIL: 4, TRUST_OBJECT_SIGN: 5, TRUST_OCSP_SIGN: 6, TRUST_OCSP_REQUEST: 7, TRUST_TSA: 8, V_OK: 0,
      V_ERR_UNSPECIFIED: 1, V_ERR_UNABLE_TO_GET_ISSUER_CERT: 2, V_ERR_UNABLE_TO_GET_CRL: 3, V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: 4,
      V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE: 5, V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 6, V_ERR_CERT_SIGNATURE_FAILURE: 7,
      V_ERR_CRL_SIGNATURE_FAILURE: 8, V_ERR_CERT_NOT_YET_VALID: 9, V_ERR_CERT_HAS_EXPIRED: 10, V_ERR_CRL_NOT_YET_VALID: 11,
      V_ERR_CRL_HAS_EXPIRED: 12, V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD: 13, V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD: 14,
      V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD: 15, V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD: 16, V_ERR_OUT_OF_MEM: 17,
      V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: 18, V_ERR_SELF_SIGNED_CERT_IN_CHAIN: 19, V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 20,
      V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: 21, V_ERR_CERT_CHAIN_TOO_LONG: 22, V_ERR_CERT_REVOKED: 23, V_ERR_PATH_LENGTH_EXCEEDED: 25,
      V_ERR_INVALID_PURPOSE: 26, V_ERR_CERT_UNTRUSTED: 27, V_ERR_CERT_REJECTED: 28, V_ERR_SUBJECT_ISSUER_MISMATCH: 29,
      V_ERR_AKID_SKID_MISMATCH: 30, V_ERR_AKID_ISSUER_SERIAL_MISMATCH: 31, V_ERR_KEYUSAGE_NO_CERTSIGN: 32,
      V_ERR_UNABLE_TO_GET_CRL_ISSUER: 33, V_ERR_UNHANDLED_CRITICAL_EXTENSION: 34, V_ERR_KEYUSAGE_NO_CRL_SIGN: 35,
      V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION: 36, V_ERR_INVALID_NON_CA: 37, V_ERR_PROXY_PATH_LENGTH_EXCEEDED: 38,
      V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE: 39, V_ERR_PROXY_CERTIFICATES_NOT_ALLOWED: 40, V_ERR_INVALID_EXTENSION: 41,
      V_ERR_INVALID_POLICY_EXTENSION: 42, V_ERR_NO_EXPLICIT_POLICY: 43, V_ERR_DIFFERENT_CRL_SCOPE: 44,
      V_ERR_UNSUPPORTED_EXTENSION_FEATURE: 45, V_ERR_UNNESTED_RESOURCE: 46, V_ERR_PERMITTED_VIOLATION: 47, V_ERR_EXCLUDED_VIOLATION: 48,
      V_ERR_SUBTREE_MINMAX: 49, V_ERR_APPLICATION_VERIFICATION: 50, V_ERR_UNSUPPORTED_CONSTRAINT_TYPE: 51,
      V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX: 52, V_ERR_UNSUPPORTED_NAME_SYNTAX: 53, V_ERR_CRL_PATH_VALIDATION_ERROR: 54,
      V_ERR_PATH_LOOP: 55, V_ERR_SUITE_B_INVALID_VERSION: 56, V_ERR_SUITE_B_INVALID_ALGORITHM: 57, V_ERR_SUITE_B_INVALID_CURVE: 58,
      V_ERR_SUITE_B_INVALID_SIGNATURE_ALGORITHM: 59, V_ERR_SUITE_B_LOS_NOT_ALLOWED: 60, V_ERR_SUITE_B_CANNOT_SIGN_P_384_WITH_P_256: 61,
      V_ERR_HOSTNAME_MISMATCH: 62, V_ERR_EMAIL_MISMATCH: 63, V_ERR_IP_ADDRESS_MISMATCH: 64, V_ERR_DANE_NO_MATCH: 65,
      V_ERR_EE_KEY_TOO_SMALL: 66, V_ERR_CA_KEY_TOO_SMALL: 67, V_ERR_CA_MD_TOO_WEAK: 68, V_ERR_INVALID_CALL: 69, V_ERR_STORE_LOOKUP: 70,
      V_ERR_NO_VALID_SCTS: 71, V_ERR_PROXY_SUBJECT_NAME_VIOLATION: 72, V_ERR_OCSP_VERIFY_NEEDED: 73, V_ERR_OCSP_VERIFY_FAILED: 74,
      V_ERR_OCSP_CERT_UNKNOWN: 75, V_ERR_INVALID_CA: 79, V_FLAG_USE_CHECK_TIME: 2, V_FLAG_CRL_CHECK: 4, V_FLAG_CRL_CHECK_ALL: 8,
      V_FLAG_IGNORE_CRITICAL: 16, V_FLAG_X509_STRICT: 32, V_FLAG_ALLOW_PROXY_CERTS: 64, V_FLAG_POLICY_CHECK: 128,
      V_FLAG_EXPLICIT_POLICY: 256, V_FLAG_INHIBIT_ANY: 512, V_FLAG_INHIBIT_MAP: 1024, V_FLAG_NOTIFY_POLICY: 2048,
      V_FLAG_EXTENDED_CRL_SUPPORT: 4096, V_FLAG_USE_DELTAS: 8192, V_FLAG_CHECK_SS_SIGNATURE: 16384, V_FLAG_TRUSTED_FIRST: 32768,
      V_FLAG_SUITEB_128_LOS_ONLY: 65536, V_FLAG_SUITEB_192_LOS: 131072, V_FLAG_SUITEB_128_LOS: 196608, V_FLAG_PARTIAL_CHAIN: 524288,
      V_FLAG_NO_ALT_CHAINS: 1048576, V_FLAG_NO_CHECK_TIME: 2097152
    }.each { |name, value| const_set(name, value) }

    DEFAULT_CERT_AREA = Primitive.openssl(OpenSSLError, :X509_get_default_cert_area).freeze
    DEFAULT_CERT_DIR = Primitive.openssl(OpenSSLError, :X509_get_default_cert_dir).freeze
    DEFAULT_CERT_FILE = Primitive.openssl(OpenSSLError, :X509_get_default_cert_file).freeze
    DEFAULT_CERT_DIR_ENV = Primitive.openssl(OpenSSLError, :X509_get_default_cert_dir_env).freeze
    DEFAULT_CERT_FILE_ENV = Primitive.openssl(OpenSSLError, :X509_get_default_cert_file_env).freeze
    DEFAULT_PRIVATE_DIR = Primitive.openssl(OpenSSLError, :X509_get_default_private_dir).freeze

    class AttributeError < OpenSSLError; end
    class CertificateError < OpenSSLError; end
    class CRLError < OpenSSLError; end
    class ExtensionError < OpenSSLError; end
    class NameError < OpenSSLError; end
    class RequestError < OpenSSLError; end
    class RevokedError < OpenSSLError; end
    class StoreError < OpenSSLError; end

    # What its classes have in common.
    class << self
      # The bytes of a String or of a File.
      def __bytes(source)
        source = source.to_der if source.respond_to?(:to_der)
        source = source.read if Primitive.kind_of(source, File)
        Asterism::Internal.to_str(source)
      end

      # A handle of what `source` says as DER or as PEM.
      def __read(error, source, from_der, from_pem)
        source = __bytes(source)
        Primitive.openssl(nil, from_der, source) || Primitive.openssl(error, from_pem, source, "")
      end

      # The handle of a time.
      def __time(time)
        seconds = ASN1.__seconds(time)
        text = ASN1.__time_text(seconds, 0..9999, "%Y%m%d%H%M%SZ")
        year = text.byteslice(0, 4).to_i
        text = 1950 <= year && year < 2050 ? "\x17".b << 13 << text.byteslice(2..) : "\x18".b << 15 << text
        Primitive.openssl(ASN1::ASN1Error, :d2i_ASN1_TIME, text)
      end

      # The Time of such a handle. One that was never set is none.
      def __time_of(handle)
        time = ASN1.decode(Primitive.openssl([ASN1::ASN1Error, "ASN1_TIME_to_tm"], :i2d_ASN1_TIME, handle)).value
        raise ASN1::ASN1Error, "ASN1_TIME_to_tm" unless Primitive.kind_of(time, Time)
        time
      end

      # The handle of an Integer or an OpenSSL::BN.
      def __integer(number)
        octets = ASN1.__integer_octets(ASN1.__number(number))
        Primitive.openssl(ASN1::ASN1Error, :d2i_ASN1_INTEGER, ASN1.__header(0, ASN1::INTEGER, octets.bytesize) << octets)
      end

      # The OpenSSL::BN of such a handle.
      def __integer_of(handle)
        der = Primitive.openssl(ASN1::ASN1Error, :i2d_ASN1_INTEGER, handle)
        # A number that was never set has no octets.
        der.bytesize <= 2 ? OpenSSL::BN.new(0) : ASN1.decode(der).value
      end

      # A version that is not negative.
      def __version(error, number)
        number = Primitive.to_int(number)
        raise error, "version must be >= 0!" if number < 0
        number
      end

      # The long name of an identifier by libcrypto's number of it.
      def __long_name(nid)
        raise OpenSSLError, "OBJ_obj2txt" if nid == 0
        Primitive.openssl(OpenSSLError, :OBJ_nid2ln, nid)
      end

      def __array(list, of)
        raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(list)} (expected Array)" unless Primitive.kind_of(list, Array)
        list = list.dup
        list.each { |item| __kind(item, of) }
      end

      def __kind(object, of)
        return object if Primitive.kind_of(object, of)
        raise TypeError, "wrong argument (#{Primitive.class_of(object)})! (Expected kind of #{of})"
      end

      # What a function gives for 0, 1, … until there is no more. Another thread may take something away meanwhile.
      def __all(of, function, object)
        list = []
        while (handle = Primitive.openssl(nil, function, object, list.size))
          list << of.__of(handle)
        end
        list
      end

      def __extension(object)
        return object if Primitive.kind_of(object, Extension)
        raise TypeError, "wrong argument type #{Asterism::Internal.convert_name(object)} (expected OpenSSL/X509/EXTENSION)"
      end

      # The algorithm of a digest or of its name; a key may have one of its own, and then it is nil.
      def __digest(digest) = nil.equal?(digest) ? nil : Digest.__send__(:__algorithm, digest)

      # An OpenSSL::PKey of a handle.
      def __key(handle) = PKey.__send__(:__wrap, handle)

      # The key to sign with, which has to have its private part.
      def __private_key(key)
        Primitive.openssl(nil, :EVP_PKEY_get_base_id, key)
        raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
        key
      end

      # An object of the class with such a handle.
      def __made(of, handle) = OpenSSL.__send__(:__wrap, of, handle)
    end
  end
end
