//! Math.

use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(_ec: &mut Ec) -> Res<()> {
    Ok(())
}
