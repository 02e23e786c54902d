//! Thread, Mutex, Monitor, queues and condition variables.

use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(_ec: &mut Ec) -> Res<()> {
    Ok(())
}
