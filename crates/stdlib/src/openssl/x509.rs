//! Certificates: what takes more than one call of the library's, each as a function that a row stands for.

use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};

use asterism_object::Value;
use asterism_symbol::intern;

use super::callback;
use super::library::openssl;

/// The name on a line, written to a BIO.
///
/// # Safety
/// The arguments are a BIO and a name, as the row says.
pub unsafe extern "C" fn name_oneline(sink: *mut c_void, name: *mut c_void) -> c_int {
    let (core, x509) = (&openssl().core, &openssl().x509);
    // SAFETY: the library makes a C string for the caller, who gives it up.
    unsafe {
        let text = (x509.X509_NAME_oneline)(name, std::ptr::null_mut(), 0);
        if text.is_null() {
            return 0;
        }
        let length = libc::strlen(text);
        let written = length == 0
            || c_int::try_from(length).is_ok_and(|length| (x509.BIO_write)(sink, text.cast(), length) == length);
        (core.CRYPTO_free)(text.cast(), c"".as_ptr(), 0);
        c_int::from(written)
    }
}

/// Room for an `X509V3_CTX`, which has eight words in version 3.
#[repr(C, align(16))]
struct ExtensionContext([usize; 32]);

/// An extension of what is written about it, with the configuration that it may refer to.
///
/// # Safety
/// As the row says: C strings, bytes and how many, objects or null.
#[allow(clippy::too_many_arguments, reason = "the row's")]
pub unsafe extern "C" fn make_extension(
    name: *const c_char,
    value: *const c_char,
    config: *const u8,
    config_length: usize,
    issuer: *mut c_void,
    subject: *mut c_void,
    request: *mut c_void,
    crl: *mut c_void,
) -> *mut c_void {
    let (core, x509) = (&openssl().core, &openssl().x509);
    let mut context = ExtensionContext([0; 32]);
    let context = std::ptr::from_mut(&mut context).cast();
    // SAFETY: the context has room enough and is used only here; the configuration is this function's.
    unsafe {
        let mut conf = std::ptr::null_mut();
        if !config.is_null() {
            conf = (x509.NCONF_new)(std::ptr::null());
            let bio = (core.BIO_new_mem_buf)(config.cast(), config_length as c_int);
            let mut line = 0;
            let read = !conf.is_null() && !bio.is_null() && (x509.NCONF_load_bio)(conf, bio, &raw mut line) > 0;
            (core.BIO_free)(bio);
            if !read {
                (x509.NCONF_free)(conf);
                return std::ptr::null_mut();
            }
        }
        (x509.X509V3_set_ctx)(context, issuer, subject, request, crl, 0);
        (x509.X509V3_set_nconf)(context, conf);
        let made = (x509.X509V3_EXT_nconf)(conf, context, name, value);
        (x509.NCONF_free)(conf);
        made
    }
}

/// Takes all revoked certificates out of a list.
///
/// # Safety
/// It is an `X509_CRL`.
pub unsafe extern "C" fn clear_revoked(crl: *mut c_void) {
    let x509 = &openssl().x509;
    // SAFETY: what is taken out is given up once.
    unsafe {
        let list = (x509.X509_CRL_get_REVOKED)(crl);
        if list.is_null() {
            return;
        }
        loop {
            let revoked = (x509.OPENSSL_sk_pop)(list);
            if revoked.is_null() {
                return;
            }
            (x509.X509_REVOKED_free)(revoked);
        }
    }
}

/// `NETSCAPE_SPKAC`, as far as it is looked at.
#[repr(C)]
struct Spkac {
    key: *mut c_void,
    challenge: *mut c_void,
}

/// `NETSCAPE_SPKI`, as far as it is looked at.
#[repr(C)]
struct Spki {
    spkac: *mut Spkac,
}

/// The challenge, which is the object's.
///
/// # Safety
/// It is a `NETSCAPE_SPKI`.
pub unsafe extern "C" fn spki_challenge(spki: *mut c_void) -> *mut c_void {
    // SAFETY: both structs are public ones, whose parts are there in every object.
    unsafe { (*(*spki.cast::<Spki>()).spkac).challenge }
}

/// Sets the challenge.
///
/// # Safety
/// It is a `NETSCAPE_SPKI`, and so many bytes.
pub unsafe extern "C" fn set_spki_challenge(spki: *mut c_void, bytes: *const c_void, length: usize) -> c_int {
    // SAFETY: as the caller says; the bytes are copied.
    unsafe { (openssl().x509.ASN1_STRING_set)(spki_challenge(spki), bytes, length as c_int) }
}

/// # Safety
/// It is an `X509_STORE`.
pub unsafe extern "C" fn set_store_time(store: *mut c_void, time: i64) {
    let x509 = &openssl().x509;
    // SAFETY: the parameters are the store's, which is locked to write.
    unsafe { (x509.X509_VERIFY_PARAM_set_time)((x509.X509_STORE_get0_param)(store), time) };
}

/// `X509_FILETYPE_PEM`
const PEM: c_long = 1;

/// Reads the certificates of a file.
///
/// # Safety
/// An `X509_STORE` and a C string.
pub unsafe extern "C" fn add_store_file(store: *mut c_void, path: *const c_char) -> c_int {
    /// `X509_L_FILE_LOAD`
    const LOAD: c_int = 1;
    // SAFETY: as the caller says.
    unsafe { look_up(store, (openssl().x509.X509_LOOKUP_file)(), LOAD, path) }
}

/// Has a directory looked in.
///
/// # Safety
/// An `X509_STORE` and a C string.
pub unsafe extern "C" fn add_store_path(store: *mut c_void, path: *const c_char) -> c_int {
    /// `X509_L_ADD_DIR`
    const ADD: c_int = 2;
    // SAFETY: as the caller says.
    unsafe { look_up(store, (openssl().x509.X509_LOOKUP_hash_dir)(), ADD, path) }
}

/// # Safety
/// An `X509_STORE`, a method and one of its commands, and a C string.
unsafe fn look_up(store: *mut c_void, method: *mut c_void, command: c_int, path: *const c_char) -> c_int {
    let x509 = &openssl().x509;
    // SAFETY: the lookup is the store's.
    unsafe {
        let lookup = (x509.X509_STORE_add_lookup)(store, method);
        if lookup.is_null() {
            return 0;
        }
        (x509.X509_LOOKUP_ctrl)(lookup, command, path, PEM, std::ptr::null_mut())
    }
}

/// Checks a certificate by the store's, with settings of pairs of `i64`: which one, and its value.
///
/// # Safety
/// A context, a store, a certificate or null, a stack or null, and so many bytes.
pub unsafe extern "C" fn verify_certificate(
    context: *mut c_void,
    store: *mut c_void,
    certificate: *mut c_void,
    chain: *mut c_void,
    settings: *const u8,
    settings_length: usize,
) -> c_int {
    let x509 = &openssl().x509;
    // SAFETY: what the context refers to is kept until it is given up, but for the stack, which it forgets at the end.
    unsafe {
        (x509.X509_STORE_CTX_cleanup)(context);
        if (x509.X509_STORE_CTX_init)(context, store, certificate, chain) != 1 {
            return -1;
        }
        let settings = std::slice::from_raw_parts(settings, settings_length);
        for setting in settings.chunks_exact(16) {
            let (which, value) = (word(&setting[..8]), word(&setting[8..]));
            match which {
                0 => (x509.X509_STORE_CTX_set_flags)(context, value as c_ulong),
                1 => {
                    (x509.X509_STORE_CTX_set_purpose)(context, value as c_int);
                }
                2 => {
                    (x509.X509_STORE_CTX_set_trust)(context, value as c_int);
                }
                _ => (x509.X509_STORE_CTX_set_time)(context, 0, value),
            }
        }
        (x509.X509_STORE_CTX_set_verify_cb)(context, call_back);
        let answer = (x509.X509_verify_cert)(context);
        (x509.X509_STORE_CTX_set0_untrusted)(context, std::ptr::null_mut());
        answer
    }
}

fn word(bytes: &[u8]) -> i64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | i64::from(byte))
}

/// `X509_STORE_CTX_verify_cb`: the StoreContext decides.
unsafe extern "C" fn call_back(right: c_int, _context: *mut c_void) -> c_int {
    let answer = callback::call_back(|ec, object| {
        let answer = ec.call(object, intern("__call_back"), &[Value::bool(right != 0)])?;
        Ok(answer.truthy())
    });
    c_int::from(answer == Some(true))
}
