//! Process and signals.

pub mod clock;
mod ids;
pub mod signals;
mod spawn;

pub use signals::{Receivers, Relay, Traps, die_by_signal, handle_signal, install_signals, run_exit_trap};
pub use spawn::wait_for_child;

use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    clock::init(ec)?;
    ids::init(ec)?;
    signals::init(ec)?;
    spawn::init(ec)
}
