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
/// None so far.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
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
