//! `IO::generic_readable` and `IO::generic_writable`: what streams that are no IO can do besides, as StringIO. Their names, as CRuby's,
//! are no constants' that a program could write.

use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, NativeDef, Res};

static IO: &[NativeDef] = &[
    NativeDef::new("__generic_readable", |ec, _, _| module(ec, "generic_readable"), 0, 0).private(),
    NativeDef::new("__generic_writable", |ec, _, _| module(ec, "generic_writable"), 0, 0).private(),
];

/// Defines the methods of IO that the libraries in Ruby take the modules from.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let io = ec.known(WellKnown::IO);
    ec.define_singleton_natives(io, IO)
}

fn module(ec: &mut Ec, name: &str) -> Res {
    let io = ec.known(WellKnown::IO);
    let module = ec.define_module(io, name)?;
    // Not among `IO.constants`.
    ec.set_private_constant(io, intern(name), true)?;
    Ok(module.0)
}
