//! Process and signals.

pub mod clock;
mod signals;

pub use signals::{install_signals, restore_default_action};

use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    clock::init(ec)
}
