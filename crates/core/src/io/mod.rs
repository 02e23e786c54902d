//! IO and File: streams over file descriptors, paths, directories, the standard streams.

mod data;
pub mod errno;
pub mod fd;
pub mod object;
pub mod path;
pub mod read;
pub mod stream;
pub mod warning;
pub mod write;

pub use data::define_data;

use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};

/// Defines the classes' methods and the standard streams.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    errno::init(ec)?;
    warning::init(ec)?;
    let io = ec.known(WellKnown::IO);
    crate::state::set_allocator(ec, io, object::allocate);
    let enumerable = ec.known(WellKnown::Enumerable);
    ec.include_module(io, enumerable, false)?;
    ec.define_natives(io, write::IO)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, write::KERNEL)?;
    ec.define_natives(kernel, write::OBJECT)?;
    let object = ec.known(WellKnown::Object);
    for (number, constant, name) in [(0, "STDIN", "<STDIN>"), (1, "STDOUT", "<STDOUT>"), (2, "STDERR", "<STDERR>")] {
        let stream = object::standard(ec, number, number > 0, name)?;
        ec.set_constant(object, intern(constant), stream)?;
    }
    Ok(())
}

/// Lets `$stdin`, `$stdout` and `$stderr` be the standard streams. The variables must be defined.
///
/// # Errors
/// NoMemoryError.
pub fn set_standard_streams(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    for (constant, variable) in [("STDIN", "$stdin"), ("STDOUT", "$stdout"), ("STDERR", "$stderr")] {
        if let Some(stream) = ec.own_constant(object, intern(constant)) {
            let gvar = ec.vm().gvars.get(intern(variable));
            gvar.value.store(stream.0, std::sync::atomic::Ordering::Release);
        }
    }
    Ok(())
}
