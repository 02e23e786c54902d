//! The system's OpenSSL 3, loaded when it is first asked for: a program that does not use it neither needs it nor pays for it.

use std::collections::HashMap;
use std::sync::OnceLock;

use asterism_object::address_hash::ByAddress;
use asterism_symbol::{Sym, intern};

use super::functions::{Address, Core, Deriving, Keys, Libraries, Ocsp, Pkcs7, Timestamp, Tls, X509};
use super::kinds::{KINDS, Kind, Share};
use super::row::{Arg, Mode, Row};

/// `OPENSSL_INIT_NO_ATEXIT`: the library is not taken down when the process ends, as other threads may be in it.
const NO_ATEXIT: u64 = 0x0008_0000;

/// A row and where its function lies.
pub struct Found {
    pub row: &'static Row,
    /// `None`: this version of the library does not have it.
    pub address: Option<Address>,
    /// Where the function lies that makes what `Arg::Made` is.
    pub maker: Option<Address>,
    /// May it call back while it runs?
    pub calls_back: bool,
}

impl Found {
    fn new(row: &'static Row, libraries: &Libraries) -> Found {
        let address = match row.ours {
            Some(ours) => Some(ours.0 as Address),
            None => libraries.find(row.function()),
        };
        let maker = row.args.iter().find_map(|arg| match arg {
            Arg::Made(_, name) => libraries.find(name),
            _ => None,
        });
        let asks = row.args.iter().any(|arg| matches!(arg, Arg::Password | Arg::Progress));
        Found { row, address, maker, calls_back: asks || row.mode == Mode::Slow || row.ours.is_some() }
    }
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
    pub ssl: Tls,
    pub key: Keys,
    pub kdf: Deriving,
    pub x509: X509,
    pub pkcs7: Pkcs7,
    pub ocsp: Ocsp,
    pub timestamp: Timestamp,
    rows: HashMap<Sym, Found, ByAddress>,
    /// The instance variable that has an object's handle.
    pub handle: Sym,
    /// What a row gives that does not do what it was asked for: see `Cost`.
    pub large: Sym,
    kinds: Vec<Ownership>,
}

impl OpenSsl {
    /// The row of that name.
    pub fn row(&self, name: Sym) -> Option<&Found> {
        self.rows.get(&name)
    }

    /// The functions of a kind.
    pub fn ownership(&self, kind: Kind) -> &Ownership {
        &self.kinds[kind as usize]
    }

    fn load(tables: &[&'static [Row]]) -> Result<OpenSsl, String> {
        let libraries = Libraries::open()?;
        let missing = |name: &'static str| format!("OpenSSL without {name}");
        let core = Core::load(&libraries).map_err(missing)?;
        // SAFETY: it is the first of the library's functions that is called.
        if unsafe { (core.OPENSSL_init_crypto)(NO_ATEXIT, std::ptr::null()) } != 1 {
            return Err("OpenSSL cannot be initialized".into());
        }
        let ssl = Tls::load(&libraries).map_err(missing)?;
        let key = Keys::load(&libraries).map_err(missing)?;
        let kdf = Deriving::load(&libraries).map_err(missing)?;
        let x509 = X509::load(&libraries).map_err(missing)?;
        let pkcs7 = Pkcs7::load(&libraries).map_err(missing)?;
        let ocsp = Ocsp::load(&libraries).map_err(missing)?;
        let timestamp = Timestamp::load(&libraries).map_err(missing)?;
        let mut found = HashMap::default();
        for row in tables.iter().copied().flatten() {
            found.insert(intern(row.name), Found::new(row, &libraries));
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
        Ok(OpenSsl {
            core,
            ssl,
            key,
            kdf,
            x509,
            pkcs7,
            ocsp,
            timestamp,
            rows: found,
            handle: intern("__handle"),
            large: intern("large"),
            kinds,
        })
    }
}

/// The library, the same for all VMs of the process: it has locks of its own, and what is kept here does not change.
static LOADED: OnceLock<Result<OpenSsl, String>> = OnceLock::new();

/// Loads the library, if that has not been done, with the functions of these tables.
///
/// # Errors
/// Why it cannot be loaded, in words: those of dlerror(3), or which function this version has not.
pub fn load(tables: &[&'static [Row]]) -> Result<&'static OpenSsl, &'static str> {
    asterism_lock::once::get_or_init(&LOADED, || OpenSsl::load(tables)).as_ref().map_err(String::as_str)
}

/// The library, which the feature has loaded.
pub fn openssl() -> &'static OpenSsl {
    match LOADED.get() {
        Some(Ok(library)) => library,
        _ => unreachable!("the primitives are there when the library is"),
    }
}
