//! ENV, ARGV, the special global variables and the constants that describe the implementation.

mod constants;
pub mod environ;
mod gvars;
mod shown;
mod trace_var;

use asterism_object::space::WellKnown;
use asterism_vm::{Ec, Res};

pub use constants::{COPYRIGHT, description};
pub use environ::{Environment, get};

/// Defines the objects, variables and constants.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    constants::init(ec)?;
    gvars::init(ec)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, trace_var::KERNEL)?;
    crate::io::set_standard_streams(ec)?;
    environ::init(ec)
}

/// Sets ARGV, `$0` and the VM's own notion of them.
///
/// # Errors
/// NoMemoryError.
pub fn set_arguments(ec: &mut Ec, script: &str, args: &[Vec<u8>]) -> Res<()> {
    gvars::set_arguments(ec, script, args)
}
