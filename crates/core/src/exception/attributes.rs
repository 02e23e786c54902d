//! What an exception holds.

use asterism_object::{Sym, Value, ivars, string};
use asterism_symbol::sym;
use asterism_vm::{Ec, Res};

/// A hidden attribute of an exception.
pub fn attribute(ec: &Ec, e: Value, name: Sym) -> Value {
    ivars::get(ec, e, name).unwrap_or(Value::NIL)
}

/// The exception's `message` as bytes.
///
/// # Errors
/// What a Ruby-level `message` raises, or `to_s` of what it gives; NoMemoryError.
pub fn message_bytes(ec: &mut Ec, e: Value) -> Res<Vec<u8>> {
    let text = ec.call(e, sym::message, &[])?;
    let text = ec.to_s(text)?;
    Ok(string::to_vec(ec, text))
}
