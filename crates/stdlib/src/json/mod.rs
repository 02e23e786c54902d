//! JSON: the parser ([`parse`]) and the generator ([`generate`]) as primitives. The module itself, its options and
//! exception classes are Ruby (`json.rb`), loaded by `require "json"`.

mod finished;
mod generate;
mod parse;

use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};

static PRIMITIVES: &[(&str, PrimFn)] = &[("json_parse", parse::parse), ("json_generate", generate::generate)];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// The lowest bit of each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest.
const HIGH: u64 = 0x80 * ONES;

/// The high bits of those of eight bytes that are `byte`, of the lowest one in any case: a borrow comes from such a byte, and so before what it
/// makes look like one.
#[inline]
fn bytes_that_are(byte: u8, word: u64) -> u64 {
    let rest = word ^ (ONES * u64::from(byte));
    rest.wrapping_sub(ONES) & !rest & HIGH
}

/// The same of those that end the plain text of a string: quotes, backslashes, control characters.
#[inline]
fn special_bytes(word: u64) -> u64 {
    bytes_that_are(b'"', word) | bytes_that_are(b'\\', word) | word.wrapping_sub(ONES * 0x20) & !word & HIGH
}

/// A constant of the module JSON, which the Ruby part has defined.
fn constant(ec: &mut Ec, name: &str) -> Res {
    let object = ec.known(asterism_object::space::WellKnown::Object);
    let json = ec.constant_from(object, asterism_symbol::intern("JSON"))?;
    match asterism_object::class::Class::from_value(json) {
        Some(module) => ec.constant_from(module, asterism_symbol::intern(name)),
        None => Err(ec.type_error("JSON is not a module")),
    }
}
