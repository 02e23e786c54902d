//! `$stdin`, `$stdout` and `$stderr` of a Ractor: objects of its own over the process's streams.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value};
use asterism_symbol::intern;
use asterism_vm::ractor::Part;
use asterism_vm::{Ec, Res};

use crate::io::object;

fn part_of(name: Sym) -> Option<(Part, &'static str)> {
    match &*name.text() {
        "$stdin" => Some((Part::Stdin, "STDIN")),
        "$stdout" | "$>" => Some((Part::Stdout, "STDOUT")),
        "$stderr" => Some((Part::Stderr, "STDERR")),
        _ => None,
    }
}

/// The running Ractor's own stream of this name; `None` in the main Ractor, and for another name.
///
/// # Errors
/// NoMemoryError.
pub fn own_stream(ec: &mut Ec, name: Sym) -> Res<Option<Value>> {
    let Some(ractor) = ec.thread.ractor.clone() else { return Ok(None) };
    let Some((part, constant)) = part_of(name) else { return Ok(None) };
    let own = ractor.get(part);
    if !own.is_nil() {
        return Ok(Some(own));
    }
    let class = ec.known(WellKnown::Object);
    let Some(of_process) = ec.own_constant(class, intern(constant)) else { return Ok(None) };
    let io: Class = ec.known(WellKnown::IO);
    let made = object::allocate(ec, io)?;
    object::share(ec, of_process, made)?;
    Ok(Some(ractor.set_if_nil(part, made)))
}

/// Sets the running Ractor's own stream; `false` in the main Ractor.
pub fn set_own_stream(ec: &mut Ec, name: Sym, value: Value) -> bool {
    match (&ec.thread.ractor, part_of(name)) {
        (Some(ractor), Some((part, _))) => {
            ractor.set(part, value);
            true
        }
        _ => false,
    }
}
