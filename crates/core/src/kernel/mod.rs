//! Kernel's functions: raise, catch and throw, ending the program, conversion functions.

mod convert;
pub mod exit;
pub mod raise;

use asterism_object::space::WellKnown;
use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let kernel = ec.known(WellKnown::Kernel);
    for list in [raise::KERNEL, exit::KERNEL, convert::KERNEL] {
        ec.define_module_functions(kernel, list)?;
    }
    let process = ec.known(WellKnown::Process);
    ec.define_singleton_natives(process, exit::KERNEL)
}
