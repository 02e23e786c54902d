//! The thread behind a receiver, and classes that have two names.

use std::sync::Arc;

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_vm::thread::{RubyThread, of_object};
use asterism_vm::{Ec, Res};

/// The thread behind a receiver.
pub(super) fn thread_of(ec: &mut Ec, this: Value) -> Res<Arc<RubyThread>> {
    match of_object(&this) {
        Some(thread) => Ok(thread.clone()),
        None => Err(ec.type_error("uninitialized thread")),
    }
}

/// A class below Thread that is a constant of Object as well (`Mutex`, `Queue`, …).
pub(super) fn define_shared(ec: &mut Ec, name: &str, superclass: Class) -> Res<Class> {
    let (thread, object) = (ec.known(WellKnown::Thread), ec.known(WellKnown::Object));
    let class = ec.define_class(thread, name, superclass)?;
    ec.set_constant(object, asterism_symbol::intern(name), class.0)?;
    Ok(class)
}
