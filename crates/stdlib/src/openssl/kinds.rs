//! The types of the library's objects.

/// How another reference to an object is had.
#[derive(Clone, Copy)]
pub enum Share {
    /// This function counts one more.
    UpRef(&'static str),
    /// This function makes a copy.
    Dup(&'static str),
    /// Nobody needs one: the object is there as long as the library.
    Static,
    /// There is none.
    Never,
}

/// What is known of a kind.
pub struct KindInfo {
    /// The type in messages about wrong arguments.
    pub type_name: &'static str,
    /// The name in messages about objects that have not been initialized.
    pub short: &'static str,
    /// The function that gives an object up; `None`: nobody has to.
    pub free: Option<&'static str>,
    /// How a function that only lends an object is taken at its word.
    pub share: Share,
    /// Bytes that an object takes, about.
    pub bytes: usize,
}

macro_rules! kinds {
    ($($name:ident: $type_name:literal, $short:literal, $free:expr, $share:expr, $bytes:literal;)*) => {
        /// A type of the library's objects.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Kind { $(#[doc = $type_name] $name,)* }

        /// What is known of each, in the order of [`Kind`].
        pub static KINDS: &[KindInfo] = &[
            $(KindInfo { type_name: $type_name, short: $short, free: $free, share: $share, bytes: $bytes },)*
        ];
    };
}

use Share::{Dup, Never, Static, UpRef};

kinds! {
    Bignum: "OpenSSL/BN", "BN", Some("BN_clear_free"), Dup("BN_dup"), 128;
    Digest: "OpenSSL/EVP_MD", "Digest", Some("EVP_MD_free"), UpRef("EVP_MD_up_ref"), 256;
    DigestContext: "OpenSSL/Digest", "Digest CTX", Some("EVP_MD_CTX_free"), Never, 512;
    SignContext: "OpenSSL/EVP_MD_CTX", "Sign CTX", Some("EVP_MD_CTX_free"), Never, 1024;
    Cipher: "OpenSSL/EVP_CIPHER", "Cipher", Some("EVP_CIPHER_free"), UpRef("EVP_CIPHER_up_ref"), 256;
    CipherContext: "OpenSSL/Cipher", "Cipher", Some("EVP_CIPHER_CTX_free"), Never, 1024;
    Key: "OpenSSL/EVP_PKEY", "PKEY", Some("EVP_PKEY_free"), UpRef("EVP_PKEY_up_ref"), 2048;
    KeyContext: "OpenSSL/EVP_PKEY_CTX", "PKEY CTX", Some("EVP_PKEY_CTX_free"), Never, 512;
    Group: "OpenSSL/ec_group", "EC_GROUP", Some("EC_GROUP_free"), Dup("EC_GROUP_dup"), 1024;
    Point: "OpenSSL/EC_POINT", "EC_POINT", Some("EC_POINT_free"), Never, 256;
    EcKey: "OpenSSL/EC_KEY", "EC_KEY", Some("EC_KEY_free"), UpRef("EC_KEY_up_ref"), 1024;
    Provider: "OpenSSL/Provider", "PROVIDER", None, Never, 0;
    Object: "OpenSSL/ASN1_OBJECT", "OID", Some("ASN1_OBJECT_free"), Dup("OBJ_dup"), 64;
    Certificate: "OpenSSL/X509", "CERT", Some("X509_free"), Dup("X509_dup"), 4096;
    Crl: "OpenSSL/X509/CRL", "CRL", Some("X509_CRL_free"), Dup("X509_CRL_dup"), 4096;
    Name: "OpenSSL/X509/NAME", "Name", Some("X509_NAME_free"), Dup("X509_NAME_dup"), 512;
    Extension: "OpenSSL/X509/EXTENSION", "EXT", Some("X509_EXTENSION_free"), Dup("X509_EXTENSION_dup"), 256;
    Attribute: "OpenSSL/X509/ATTRIBUTE", "ATTR", Some("X509_ATTRIBUTE_free"), Dup("X509_ATTRIBUTE_dup"), 256;
    Request: "OpenSSL/X509/REQ", "Req", Some("X509_REQ_free"), Dup("X509_REQ_dup"), 4096;
    Revoked: "OpenSSL/X509/REV", "REV", Some("X509_REVOKED_free"), Dup("X509_REVOKED_dup"), 256;
    Store: "OpenSSL/X509/STORE", "STORE", Some("X509_STORE_free"), UpRef("X509_STORE_up_ref"), 4096;
    StoreContext: "OpenSSL/X509/STORE_CTX", "StoreCtx", Some("X509_STORE_CTX_free"), Never, 1024;
    Spki: "OpenSSL/NETSCAPE_SPKI", "SPKI", Some("NETSCAPE_SPKI_free"), Never, 1024;
    Time: "OpenSSL/ASN1_TIME", "ASN1_TIME", Some("ASN1_TIME_free"), Dup("ASN1_STRING_dup"), 64;
    Asn1Integer: "OpenSSL/ASN1_INTEGER", "ASN1_INTEGER", Some("ASN1_INTEGER_free"), Dup("ASN1_INTEGER_dup"), 64;
    Asn1String: "OpenSSL/ASN1_STRING", "ASN1_STRING", Some("ASN1_STRING_free"), Dup("ASN1_STRING_dup"), 64;
    SslCipher: "OpenSSL/SSL/CIPHER", "SSL CIPHER", None, Static, 0;
    Pkcs12: "OpenSSL/PKCS12", "PKCS12", Some("PKCS12_free"), Never, 4096;
    Pkcs7: "OpenSSL/PKCS7", "PKCS7", Some("PKCS7_free"), Dup("PKCS7_dup"), 4096;
    Signer: "OpenSSL/PKCS7/SIGNER_INFO", "PKCS7si", Some("PKCS7_SIGNER_INFO_free"), Never, 1024;
    Recipient: "OpenSSL/PKCS7/RECIP_INFO", "PKCS7ri", Some("PKCS7_RECIP_INFO_free"), Never, 1024;
    OcspRequest: "OpenSSL/OCSP/REQUEST", "Request", Some("OCSP_REQUEST_free"), Never, 1024;
    OcspResponse: "OpenSSL/OCSP/RESPONSE", "Response", Some("OCSP_RESPONSE_free"), Never, 2048;
    OcspBasic: "OpenSSL/OCSP/BASICRESP", "Response", Some("OCSP_BASICRESP_free"), Never, 2048;
    OcspSingle: "OpenSSL/OCSP/SINGLERESP", "SingleResponse", Some("OCSP_SINGLERESP_free"), Never, 512;
    CertificateId: "OpenSSL/OCSP/CERTID", "Cert ID", Some("OCSP_CERTID_free"), Dup("OCSP_CERTID_dup"), 256;
    TsRequest: "OpenSSL/Timestamp/Request", "TS_REQ", Some("TS_REQ_free"), Never, 512;
    TsResponse: "OpenSSL/Timestamp/Response", "TS_RESP", Some("TS_RESP_free"), Never, 4096;
    TsToken: "OpenSSL/Timestamp/TokenInfo", "TS_TST_INFO", Some("TS_TST_INFO_free"), Dup("TS_TST_INFO_dup"), 512;
    TsContext: "OpenSSL/Timestamp/Factory", "TS_RESP_CTX", Some("TS_RESP_CTX_free"), Never, 1024;
    SslContext: "OpenSSL/SSL/CTX", "SSL CTX", Some("SSL_CTX_free"), UpRef("SSL_CTX_up_ref"), 32_768;
    Ssl: "OpenSSL/SSL", "SSL", Some("SSL_free"), UpRef("SSL_up_ref"), 65_536;
    Session: "OpenSSL/SSL/Session", "SSL Session", Some("SSL_SESSION_free"), UpRef("SSL_SESSION_up_ref"), 2048;
}
