//! The functions of the library that Rust calls, with their types, and where they are found.

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_ulong, c_void};

/// What the libraries are called: this interface is that of version 3.
const CRYPTO: &CStr = c"libcrypto.so.3";
const SSL: &CStr = c"libssl.so.3";

/// Where a C function lies.
pub type Address = usize;

/// Handles of `dlopen`'s, which are never closed.
pub struct Libraries {
    crypto: *mut c_void,
    ssl: *mut c_void,
}

impl Libraries {
    /// Loads them.
    ///
    /// # Errors
    /// Why one of the two cannot be opened, in the words of dlerror(3).
    pub fn open() -> Result<Libraries, String> {
        Ok(Libraries { crypto: open(CRYPTO)?, ssl: open(SSL)? })
    }

    /// Where the function of that name lies, if this version has it.
    pub fn find(&self, name: &str) -> Option<Address> {
        let name = CString::new(name).ok()?;
        // SAFETY: handles of `dlopen`'s.
        let found = unsafe {
            match libc::dlsym(self.crypto, name.as_ptr()) {
                none if none.is_null() => libc::dlsym(self.ssl, name.as_ptr()),
                found => found,
            }
        };
        (!found.is_null()).then_some(found as Address)
    }
}

fn open(name: &CStr) -> Result<*mut c_void, String> {
    // SAFETY: the library's constructors know nothing of Ruby.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if !handle.is_null() {
        return Ok(handle);
    }
    // SAFETY: what `dlerror` gives is a text until the thread's next call.
    let reason = unsafe {
        let text = libc::dlerror();
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    };
    Err(if reason.is_empty() { format!("cannot open {}", name.to_string_lossy()) } else { reason })
}

/// A struct of functions of the library, by name and type, and `load`, which finds them all.
macro_rules! functions {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($function:ident: fn($($arg:ty),*) $(-> $ret:ty)?;)* }) => {
        $(#[$meta])*
        #[allow(non_snake_case, reason = "they are called what the library calls them")]
        $vis struct $name { $(pub $function: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)* }

        impl $name {
            /// The functions, or the name of one that is missing.
            $vis fn load(libraries: &$crate::openssl::functions::Libraries) -> Result<$name, &'static str> {
                Ok($name {
                    $($function: {
                        let found = libraries.find(stringify!($function)).ok_or(stringify!($function))?;
                        // SAFETY: the function has this type in every version of the library that has its name.
                        unsafe {
                            std::mem::transmute::<usize, unsafe extern "C" fn($($arg),*) $(-> $ret)?>(found)
                        }
                    },)*
                })
            }
        }
    };
}
functions! {
    /// What every call needs.
    pub struct Core {
        ERR_peek_error: fn() -> c_ulong;
        ERR_get_error_all: fn(*mut *const c_char, *mut c_int, *mut *const c_char, *mut *const c_char, *mut c_int) -> c_ulong;
        ERR_lib_error_string: fn(c_ulong) -> *const c_char;
        ERR_reason_error_string: fn(c_ulong) -> *const c_char;
        ERR_clear_error: fn();
        CRYPTO_free: fn(*mut c_void, *const c_char, c_int);
        BIO_new_mem_buf: fn(*const c_void, c_int) -> *mut c_void;
        BIO_new: fn(*const c_void) -> *mut c_void;
        BIO_s_mem: fn() -> *const c_void;
        BIO_ctrl: fn(*mut c_void, c_int, c_long, *mut c_void) -> c_long;
        BIO_free: fn(*mut c_void) -> c_int;
        BN_CTX_new: fn() -> *mut c_void;
        BN_CTX_free: fn(*mut c_void);
        OPENSSL_sk_new_null: fn() -> *mut c_void;
        OPENSSL_sk_push: fn(*mut c_void, *const c_void) -> c_int;
        OPENSSL_sk_num: fn(*const c_void) -> c_int;
        OPENSSL_sk_value: fn(*const c_void, c_int) -> *mut c_void;
        OPENSSL_sk_free: fn(*mut c_void);
        ASN1_STRING_get0_data: fn(*const c_void) -> *const u8;
        ASN1_STRING_length: fn(*const c_void) -> c_int;
        EVP_get_digestbyname: fn(*const c_char) -> *const c_void;
        EVP_get_cipherbyname: fn(*const c_char) -> *const c_void;
        EVP_MD_CTX_new: fn() -> *mut c_void;
        EVP_CIPHER_CTX_new: fn() -> *mut c_void;
        EVP_CIPHER_CTX_get0_cipher: fn(*const c_void) -> *const c_void;
        EVP_CIPHER_get_flags: fn(*const c_void) -> c_ulong;
        EVP_DigestInit_ex: fn(*mut c_void, *const c_void, *const c_void) -> c_int;
        EVP_DigestFinal_ex: fn(*mut c_void, *mut u8, *mut c_uint) -> c_int;
        EVP_CipherFinal_ex: fn(*mut c_void, *mut u8, *mut c_int) -> c_int;
        EVP_DigestUpdate: fn(*mut c_void, *const c_void, usize) -> c_int;
        EVP_CipherUpdate: fn(*mut c_void, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
        EVP_CipherInit_ex: fn(*mut c_void, *const c_void, *const c_void, *const u8, *const u8, c_int) -> c_int;
        EVP_CIPHER_CTX_get_key_length: fn(*const c_void) -> c_int;
        EVP_CIPHER_CTX_get_iv_length: fn(*const c_void) -> c_int;
        BN_bin2bn: fn(*const u8, c_int, *mut c_void) -> *mut c_void;
        BN_bn2bin: fn(*const c_void, *mut u8) -> c_int;
        BN_num_bits: fn(*const c_void) -> c_int;
        BN_is_negative: fn(*const c_void) -> c_int;
        BN_set_negative: fn(*mut c_void, c_int);
        RAND_bytes: fn(*mut u8, c_int) -> c_int;
        BN_GENCB_new: fn() -> *mut c_void;
        BN_GENCB_set: fn(*mut c_void, unsafe extern "C" fn(c_int, c_int, *mut c_void) -> c_int, *mut c_void);
        BN_GENCB_free: fn(*mut c_void);
        OBJ_NAME_do_all_sorted: fn(c_int, unsafe extern "C" fn(*const ObjectName, *mut c_void), *mut c_void);
        OPENSSL_init_crypto: fn(u64, *const c_void) -> c_int;
        CRYPTO_memcmp: fn(*const c_void, *const c_void, usize) -> c_int;
    }
}

functions! {
    /// What TLS needs beside the table's functions.
    pub struct Tls {
        TLS_method: fn() -> *const c_void;
        SSL_CTX_new: fn(*const c_void) -> *mut c_void;
        SSL_CTX_ctrl: fn(*mut c_void, c_int, c_long, *mut c_void) -> c_long;
        SSL_connect: fn(*mut c_void) -> c_int;
        SSL_accept: fn(*mut c_void) -> c_int;
        SSL_read: fn(*mut c_void, *mut c_void, c_int) -> c_int;
        SSL_write: fn(*mut c_void, *const c_void, c_int) -> c_int;
        SSL_shutdown: fn(*mut c_void) -> c_int;
        SSL_get_error: fn(*const c_void, c_int) -> c_int;
        SSL_get_servername: fn(*const c_void, c_int) -> *const c_char;
        SSL_set_SSL_CTX: fn(*mut c_void, *mut c_void) -> *mut c_void;
        SSL_is_server: fn(*const c_void) -> c_int;
        SSL_get_finished: fn(*const c_void, *mut c_void, usize) -> usize;
        SSL_get_peer_finished: fn(*const c_void, *mut c_void, usize) -> usize;
        SSL_get0_alpn_selected: fn(*const c_void, *mut *const u8, *mut c_uint);
        SSL_get0_next_proto_negotiated: fn(*const c_void, *mut *const u8, *mut c_uint);
        SSL_SESSION_get_id: fn(*const c_void, *mut c_uint) -> *const u8;
        EVP_PKEY_get0_DH: fn(*const c_void) -> *mut c_void;
    }
}

functions! {
    /// What certificates need beside the table's functions.
    pub struct X509 {
        X509_NAME_oneline: fn(*const c_void, *mut c_char, c_int) -> *mut c_char;
        BIO_write: fn(*mut c_void, *const c_void, c_int) -> c_int;
        NCONF_new: fn(*const c_void) -> *mut c_void;
        NCONF_load_bio: fn(*mut c_void, *mut c_void, *mut c_long) -> c_int;
        NCONF_free: fn(*mut c_void);
        X509V3_set_ctx: fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, *mut c_void, c_int);
        X509V3_set_nconf: fn(*mut c_void, *mut c_void);
        X509V3_EXT_nconf: fn(*mut c_void, *mut c_void, *const c_char, *const c_char) -> *mut c_void;
        X509_CRL_get_REVOKED: fn(*mut c_void) -> *mut c_void;
        X509_REVOKED_free: fn(*mut c_void);
        OPENSSL_sk_pop: fn(*mut c_void) -> *mut c_void;
        ASN1_STRING_set: fn(*mut c_void, *const c_void, c_int) -> c_int;
        X509_STORE_get0_param: fn(*const c_void) -> *mut c_void;
        X509_VERIFY_PARAM_set_time: fn(*mut c_void, i64);
        X509_STORE_add_lookup: fn(*mut c_void, *mut c_void) -> *mut c_void;
        X509_LOOKUP_file: fn() -> *mut c_void;
        X509_LOOKUP_hash_dir: fn() -> *mut c_void;
        X509_LOOKUP_ctrl: fn(*mut c_void, c_int, *const c_char, c_long, *mut *mut c_char) -> c_int;
        X509_STORE_CTX_cleanup: fn(*mut c_void);
        X509_STORE_CTX_init: fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_int;
        X509_STORE_CTX_set_flags: fn(*mut c_void, c_ulong);
        X509_STORE_CTX_set_purpose: fn(*mut c_void, c_int) -> c_int;
        X509_STORE_CTX_set_trust: fn(*mut c_void, c_int) -> c_int;
        X509_STORE_CTX_set_time: fn(*mut c_void, c_ulong, i64);
        X509_STORE_CTX_set_verify_cb: fn(*mut c_void, unsafe extern "C" fn(c_int, *mut c_void) -> c_int);
        X509_STORE_CTX_set0_untrusted: fn(*mut c_void, *mut c_void);
        X509_verify_cert: fn(*mut c_void) -> c_int;
    }
}

functions! {
    /// What functions for PKCS #7 call.
    pub struct Pkcs7 {
        OBJ_obj2nid: fn(*const c_void) -> c_int;
        OPENSSL_sk_pop: fn(*mut c_void) -> *mut c_void;
        OPENSSL_sk_pop_free: fn(*mut c_void, unsafe extern "C" fn(*mut c_void));
        X509_free: fn(*mut c_void);
        X509_CRL_free: fn(*mut c_void);
        X509_up_ref: fn(*mut c_void) -> c_int;
        EVP_PKEY_up_ref: fn(*mut c_void) -> c_int;
        ASN1_item_dup: fn(*const c_void, *const c_void) -> *mut c_void;
        PKCS7_free: fn(*mut c_void);
        d2i_PKCS7_bio: fn(*mut c_void, *mut *mut c_void) -> *mut c_void;
        PEM_read_bio_PKCS7: fn(*mut c_void, *mut *mut c_void, *mut c_void, *mut c_void) -> *mut c_void;
        SMIME_read_PKCS7: fn(*mut c_void, *mut *mut c_void) -> *mut c_void;
        PKCS7_SIGNER_INFO_it: fn() -> *const c_void;
        PKCS7_RECIP_INFO_it: fn() -> *const c_void;
        PKCS7_SIGNER_INFO_free: fn(*mut c_void);
        PKCS7_RECIP_INFO_free: fn(*mut c_void);
        PKCS7_get_signer_info: fn(*mut c_void) -> *mut c_void;
        PKCS7_add_signer: fn(*mut c_void, *mut c_void) -> c_int;
        PKCS7_add_recipient_info: fn(*mut c_void, *mut c_void) -> c_int;
        PKCS7_get_signed_attribute: fn(*const c_void, c_int) -> *const Asn1Type;
        PKCS7_ctrl: fn(*mut c_void, c_int, c_long, *mut c_char) -> c_long;
        PKCS7_content_new: fn(*mut c_void, c_int) -> c_int;
        PKCS7_dataInit: fn(*mut c_void, *mut c_void) -> *mut c_void;
        PKCS7_dataFinal: fn(*mut c_void, *mut c_void) -> c_int;
        PKCS7_verify: fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void, *mut c_void, c_int) -> c_int;
        BIO_write: fn(*mut c_void, *const c_void, c_int) -> c_int;
        BIO_free_all: fn(*mut c_void);
        ERR_peek_error: fn() -> c_ulong;
        ERR_reason_error_string: fn(c_ulong) -> *const c_char;
    }
}

functions! {
    /// What functions for OCSP call.
    pub struct Ocsp {
        ASN1_item_dup: fn(*const c_void, *const c_void) -> *mut c_void;
        OCSP_SINGLERESP_it: fn() -> *const c_void;
        OCSP_request_onereq_get0: fn(*mut c_void, c_int) -> *mut c_void;
        OCSP_onereq_get0_id: fn(*mut c_void) -> *mut c_void;
        OCSP_resp_get0_id: fn(*const c_void, *mut *const c_void, *mut *const c_void) -> c_int;
        OCSP_basic_verify: fn(*mut c_void, *mut c_void, *mut c_void, c_ulong) -> c_int;
        OCSP_resp_get0: fn(*mut c_void, c_int) -> *mut c_void;
        OCSP_resp_find: fn(*mut c_void, *mut c_void, c_int) -> c_int;
        OCSP_id_get0_info: fn(*mut *mut c_void, *mut *mut c_void, *mut *mut c_void, *mut *mut c_void, *mut c_void) -> c_int;
        OCSP_basic_add1_status: fn(*mut c_void, *mut c_void, c_int, c_int, *mut c_void, *mut c_void, *mut c_void) -> *mut c_void;
        OCSP_SINGLERESP_add_ext: fn(*mut c_void, *mut c_void, c_int) -> c_int;
    }
}

functions! {
    /// What functions for time stamps call.
    pub struct Timestamp {
        OBJ_dup: fn(*const c_void) -> *mut c_void;
        ASN1_OBJECT_free: fn(*mut c_void);
        ASN1_INTEGER_dup: fn(*const c_void) -> *mut c_void;
        ASN1_BIT_STRING_get_bit: fn(*const c_void, c_int) -> c_int;
        X509_ALGOR_get0: fn(*mut *const c_void, *mut c_int, *mut *const c_void, *const c_void);
        X509_ALGOR_set0: fn(*mut c_void, *mut c_void, c_int, *mut c_void) -> c_int;
        X509_up_ref: fn(*mut c_void) -> c_int;
        X509_free: fn(*mut c_void);
        X509_STORE_up_ref: fn(*mut c_void) -> c_int;
        OPENSSL_sk_pop_free: fn(*mut c_void, unsafe extern "C" fn(*mut c_void));
        PKCS7_get_signer_info: fn(*mut c_void) -> *mut c_void;
        PKCS7_cert_from_signer_info: fn(*mut c_void, *mut c_void) -> *mut c_void;
        TS_REQ_get_msg_imprint: fn(*mut c_void) -> *mut c_void;
        TS_TST_INFO_get_msg_imprint: fn(*mut c_void) -> *mut c_void;
        TS_MSG_IMPRINT_get_algo: fn(*mut c_void) -> *mut c_void;
        TS_MSG_IMPRINT_get_msg: fn(*mut c_void) -> *mut c_void;
        TS_MSG_IMPRINT_set_msg: fn(*mut c_void, *mut u8, c_int) -> c_int;
        TS_RESP_get_status_info: fn(*mut c_void) -> *mut c_void;
        TS_RESP_get_token: fn(*mut c_void) -> *mut c_void;
        TS_STATUS_INFO_get0_status: fn(*const c_void) -> *const c_void;
        TS_STATUS_INFO_get0_text: fn(*const c_void) -> *const c_void;
        TS_STATUS_INFO_get0_failure_info: fn(*const c_void) -> *const c_void;
        TS_REQ_to_TS_VERIFY_CTX: fn(*mut c_void, *mut c_void) -> *mut c_void;
        TS_VERIFY_CTX_free: fn(*mut c_void);
        TS_VERIFY_CTX_set_certs: fn(*mut c_void, *mut c_void) -> *mut c_void;
        TS_VERIFY_CTX_set_store: fn(*mut c_void, *mut c_void) -> *mut c_void;
        TS_VERIFY_CTX_add_flags: fn(*mut c_void, c_int) -> c_int;
        TS_RESP_verify_response: fn(*mut c_void, *mut c_void) -> c_int;
        TS_RESP_CTX_set_serial_cb: fn(*mut c_void, SerialCallback, *mut c_void);
        TS_RESP_CTX_set_time_cb: fn(*mut c_void, TimeCallback, *mut c_void);
        TS_RESP_create_response: fn(*mut c_void, *mut c_void) -> *mut c_void;
    }
}

/// `TS_serial_cb`
type SerialCallback = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void;
/// `TS_time_cb`
type TimeCallback = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_long, *mut c_long) -> c_int;

/// `ASN1_TYPE`
#[repr(C)]
pub struct Asn1Type {
    pub tag: c_int,
    pub value: *mut c_void,
}

/// `OBJ_NAME`
#[repr(C)]
pub struct ObjectName {
    kind: c_int,
    alias: c_int,
    pub name: *const c_char,
    data: *const c_char,
}

/// `pem_password_cb`
pub type PasswordFunction = unsafe extern "C" fn(*mut c_char, c_int, c_int, *mut c_void) -> c_int;
/// `EVP_PKEY_gen_cb`
pub type Generating = unsafe extern "C" fn(*mut c_void) -> c_int;

functions! {
    /// What keys need beside the table's functions.
    pub struct Keys {
        OSSL_DECODER_CTX_new_for_pkey: fn(*mut *mut c_void, *const c_char, *const c_char, *const c_char, c_int, *const c_void, *const c_char) -> *mut c_void;
        OSSL_DECODER_CTX_set_pem_password_cb: fn(*mut c_void, PasswordFunction, *mut c_void) -> c_int;
        OSSL_DECODER_from_bio: fn(*mut c_void, *mut c_void) -> c_int;
        OSSL_DECODER_CTX_free: fn(*mut c_void);
        PEM_def_callback: fn(*mut c_char, c_int, c_int, *mut c_void) -> c_int;
        EVP_PKEY_CTX_ctrl_str: fn(*mut c_void, *const c_char, *const c_char) -> c_int;
        EVP_MD_CTX_get_pkey_ctx: fn(*const c_void) -> *mut c_void;
        EVP_PKEY_CTX_new: fn(*mut c_void, *const c_void) -> *mut c_void;
        EVP_PKEY_CTX_new_from_name: fn(*const c_void, *const c_char, *const c_char) -> *mut c_void;
        EVP_PKEY_CTX_is_a: fn(*mut c_void, *const c_char) -> c_int;
        EVP_PKEY_paramgen_init: fn(*mut c_void) -> c_int;
        EVP_PKEY_keygen_init: fn(*mut c_void) -> c_int;
        EVP_PKEY_CTX_set_app_data: fn(*mut c_void, *mut c_void);
        EVP_PKEY_CTX_get_app_data: fn(*mut c_void) -> *mut c_void;
        EVP_PKEY_CTX_set_cb: fn(*mut c_void, Option<Generating>);
        EVP_PKEY_CTX_get_keygen_info: fn(*mut c_void, c_int) -> c_int;
        EVP_PKEY_paramgen: fn(*mut c_void, *mut *mut c_void) -> c_int;
        EVP_PKEY_keygen: fn(*mut c_void, *mut *mut c_void) -> c_int;
        EVP_PKEY_get0_provider: fn(*const c_void) -> *const c_void;
        OSSL_PROVIDER_get0_name: fn(*const c_void) -> *const c_char;
        OSSL_PROVIDER_do_all: fn(*mut c_void, unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int, *mut c_void) -> c_int;
        EC_get_builtin_curves: fn(*mut Curve, usize) -> usize;
        OBJ_nid2sn: fn(c_int) -> *const c_char;
        EC_KEY_new: fn() -> *mut c_void;
        EC_KEY_set_group: fn(*mut c_void, *const c_void) -> c_int;
        EC_KEY_free: fn(*mut c_void);
        EVP_PKEY_new: fn() -> *mut c_void;
        EVP_PKEY_assign: fn(*mut c_void, c_int, *mut c_void) -> c_int;
        EVP_PKEY_free: fn(*mut c_void);
        EC_GROUP_get_field_type: fn(*const c_void) -> c_int;
        EC_GROUP_get_curve: fn(*const c_void, *mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_int;
        BN_new: fn() -> *mut c_void;
        BN_cmp: fn(*const c_void, *const c_void) -> c_int;
        BN_clear_free: fn(*mut c_void);
        EC_KEY_get0_group: fn(*const c_void) -> *const c_void;
        EC_KEY_get0_public_key: fn(*const c_void) -> *const c_void;
        EC_GROUP_get0_generator: fn(*const c_void) -> *const c_void;
        EC_GROUP_cmp: fn(*const c_void, *const c_void, *mut c_void) -> c_int;
        EC_GROUP_get0_seed: fn(*const c_void) -> *const u8;
        EC_GROUP_get_seed_len: fn(*const c_void) -> usize;
        EC_POINT_dup: fn(*const c_void, *const c_void) -> *mut c_void;
    }
}

/// `EC_builtin_curve`
#[repr(C)]
#[derive(Clone)]
pub struct Curve {
    pub id: c_int,
    pub comment: *const c_char,
}

functions! {
    /// What deriving needs.
    pub struct Deriving {
        HMAC_CTX_new: fn() -> *mut c_void;
        HMAC_CTX_free: fn(*mut c_void);
        HMAC_CTX_copy: fn(*mut c_void, *mut c_void) -> c_int;
        HMAC_Init_ex: fn(*mut c_void, *const u8, c_int, *const c_void, *const c_void) -> c_int;
        HMAC_Update: fn(*mut c_void, *const u8, usize) -> c_int;
        HMAC_Final: fn(*mut c_void, *mut u8, *mut c_uint) -> c_int;
        PKCS5_PBKDF2_HMAC: fn(*const c_char, c_int, *const u8, c_int, c_int, *const c_void, c_int, *mut u8) -> c_int;
        EVP_PBE_scrypt: fn(*const c_char, usize, *const u8, usize, u64, u64, u64, u64, *mut u8, usize) -> c_int;
        EVP_sha256: fn() -> *const c_void;
        EVP_PKEY_CTX_new_id: fn(c_int, *const c_void) -> *mut c_void;
        EVP_PKEY_CTX_free: fn(*mut c_void);
        EVP_PKEY_derive_init: fn(*mut c_void) -> c_int;
        EVP_PKEY_CTX_set_hkdf_md: fn(*mut c_void, *const c_void) -> c_int;
        EVP_PKEY_CTX_set1_hkdf_salt: fn(*mut c_void, *const u8, c_int) -> c_int;
        EVP_PKEY_CTX_set1_hkdf_key: fn(*mut c_void, *const u8, c_int) -> c_int;
        EVP_PKEY_CTX_add1_hkdf_info: fn(*mut c_void, *const u8, c_int) -> c_int;
        EVP_PKEY_derive: fn(*mut c_void, *mut u8, *mut usize) -> c_int;
    }
}
