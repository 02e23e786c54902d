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
    /// Why they cannot be loaded.
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

/// `OBJ_NAME`
#[repr(C)]
pub struct ObjectName {
    kind: c_int,
    alias: c_int,
    pub name: *const c_char,
    data: *const c_char,
}
