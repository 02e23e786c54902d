//! Names: Arrays of Symbols, and what may name a variable.

use asterism_object::{Sym, Value, array};
use asterism_vm::{Ec, Res};

/// An Array of symbols.
///
/// # Errors
/// NoMemoryError.
pub fn symbol_array(ec: &mut Ec, names: &[Sym]) -> Res {
    let list = ec.array_with_capacity(names.len())?;
    for name in names {
        let done = array::push(ec, list, Value::sym(*name));
        ec.check(list, done)?;
    }
    Ok(list)
}

/// Is the text an identifier (a letter or underscore, then also digits)?
pub fn is_identifier(name: &[u8]) -> bool {
    name.first().is_some_and(|&b| b == b'_' || b.is_ascii_alphabetic() || b >= 0x80)
        && name.iter().all(|&b| b == b'_' || b.is_ascii_alphanumeric() || b >= 0x80)
}
