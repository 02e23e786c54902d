//! Process and signals.

pub mod clock;
mod ids;
pub mod signals;
mod spawn;

pub use signals::{Receivers, Relay, Traps, die_by_signal, handle_signal, install_signals, run_exit_trap};
pub use spawn::wait_for_child;

use asterism_object::space::WellKnown;
use asterism_vm::{Ec, NativeDef, Res};

static KERNEL: &[NativeDef] = &[NativeDef::missing("fork")];

static PROCESS: &[NativeDef] = &[NativeDef::missing("fork"), NativeDef::missing("daemon")];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let (kernel, process) = (ec.known(WellKnown::Kernel), ec.known(WellKnown::Process));
    ec.define_module_functions(kernel, KERNEL)?;
    ec.define_singleton_natives(process, PROCESS)?;
    clock::init(ec)?;
    ids::init(ec)?;
    signals::init(ec)?;
    spawn::init(ec)
}
