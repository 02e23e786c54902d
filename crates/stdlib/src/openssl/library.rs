//! The system's OpenSSL 3, loaded when it is first asked for: a program that does not use it neither needs it nor pays for it.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_long, c_ulong, c_void};
use std::sync::OnceLock;

use asterism_symbol::{Sym, intern};

use super::kinds::{KINDS, Share};
use super::row::Row;
use super::rows;

/// What the libraries are called: this interface is that of version 3.
const CRYPTO: &CStr = c"libcrypto.so.3";
const SSL: &CStr = c"libssl.so.3";

/// Where a C function lies.
pub type Address = usize;

/// A struct of functions of the library, by name and type, and `load`, which finds them all.
macro_rules! functions {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($function:ident: fn($($arg:ty),*) $(-> $ret:ty)?;)* }) => {
        $(#[$meta])*
        #[allow(non_snake_case, reason = "they are called what the library calls them")]
        $vis struct $name { $(pub $function: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)* }

        impl $name {
            /// The functions, or the name of one that is missing.
            $vis fn load(libraries: &$crate::openssl::library::Libraries) -> Result<$name, &'static str> {
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
pub(super) use functions;

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
        OBJ_NAME_do_all_sorted: fn(c_int, unsafe extern "C" fn(*const super::names::ObjectName, *mut c_void), *mut c_void);
        CRYPTO_memcmp: fn(*const c_void, *const c_void, usize) -> c_int;
    }
}

/// Handles of `dlopen`'s, which are never closed.
pub struct Libraries {
    crypto: *mut c_void,
    ssl: *mut c_void,
}

impl Libraries {
    fn open() -> Result<Libraries, String> {
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

/// A row and where its function lies.
pub struct Found {
    pub row: &'static Row,
    /// `None`: this version of the library does not have it.
    pub address: Option<Address>,
}

/// The functions of a kind of handle.
pub struct Ownership {
    /// Gives an object up.
    pub free: Option<Address>,
    /// Makes another reference, or a copy.
    pub share: Option<Address>,
}

/// The loaded library.
pub struct OpenSsl {
    pub core: Core,
    pub ssl: super::ssl::Functions,
    rows: HashMap<Sym, Found>,
    kinds: Vec<Ownership>,
}

impl OpenSsl {
    /// The row of that name.
    pub fn row(&self, name: Sym) -> Option<&Found> {
        self.rows.get(&name)
    }

    /// The functions of a kind.
    pub fn ownership(&self, kind: super::kinds::Kind) -> &Ownership {
        &self.kinds[kind as usize]
    }

    fn load() -> Result<OpenSsl, String> {
        let libraries = Libraries::open()?;
        let missing = |name: &'static str| format!("OpenSSL without {name}");
        let core = Core::load(&libraries).map_err(missing)?;
        let ssl = super::ssl::Functions::load(&libraries).map_err(missing)?;
        let mut found = HashMap::new();
        for row in rows::ALL.iter().copied().flatten() {
            let address = match row.ours {
                Some(ours) => Some(ours.0 as Address),
                None => libraries.find(row.function()),
            };
            found.insert(intern(row.name), Found { row, address });
        }
        let kinds = KINDS
            .iter()
            .map(|kind| Ownership {
                free: kind.free.and_then(|name| libraries.find(name)),
                share: match kind.share {
                    Share::UpRef(name) | Share::Dup(name) => libraries.find(name),
                    Share::Static | Share::Never => None,
                },
            })
            .collect();
        Ok(OpenSsl { core, ssl, rows: found, kinds })
    }
}

/// The library, the same for all VMs of the process: it has locks of its own, and what is kept here does not change.
static LOADED: OnceLock<Result<OpenSsl, String>> = OnceLock::new();

/// Loads the library, if that has not been done.
///
/// # Errors
/// Why it cannot be loaded.
pub fn load() -> Result<&'static OpenSsl, &'static str> {
    asterism_lock::once::get_or_init(&LOADED, OpenSsl::load).as_ref().map_err(String::as_str)
}

/// The library, which the feature has loaded.
pub fn openssl() -> &'static OpenSsl {
    match LOADED.get() {
        Some(Ok(library)) => library,
        _ => unreachable!("the primitives are there when the library is"),
    }
}
