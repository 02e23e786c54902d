//! Symbols of the names in a source.

use asterism_symbol::{Sym, try_intern};

use crate::errors::{CompileError, R};

/// The symbol with the given bytes.
pub(crate) fn symbol(bytes: &[u8], encoding: u8) -> R<Sym> {
    try_intern(bytes, encoding).ok_or_else(|| CompileError::Limit { message: "too many symbols".into(), line: 0 })
}
