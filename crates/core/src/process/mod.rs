//! Process and signals.

pub mod clock;

use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    clock::init(ec)
}
