//! The switch: which back end is built.

use crate::slab::Stack;

#[cfg(all(target_arch = "x86_64", unix, not(feature = "threads")))]
#[path = "switch/x86_64.rs"]
mod imp;

#[cfg(all(target_arch = "aarch64", unix, not(feature = "threads")))]
#[path = "switch/aarch64.rs"]
mod imp;

#[cfg(any(not(unix), not(any(target_arch = "x86_64", target_arch = "aarch64")), feature = "threads"))]
#[path = "switch/threads.rs"]
mod imp;

/// What runs on a new stack. It never returns: it switches away for good.
pub type Entry = unsafe extern "C" fn(*mut ()) -> !;

/// Makes `entry(argument)` what runs when somebody first switches to the stack; the stack pointer for that.
///
/// # Safety
/// Nothing runs on the stack, and nobody will switch to what was suspended on it before.
pub unsafe fn prepare(stack: &Stack, entry: Entry, argument: *mut ()) -> usize {
    // SAFETY: the caller's contract.
    unsafe { imp::prepare(stack, entry, argument) }
}

/// Leaves the stack one is on: its stack pointer goes to `*save`, and what was suspended with the stack pointer `to`
/// goes on. Returns when somebody switches to the saved one.
///
/// # Safety
/// `to` came from [`prepare`] or from a switch, has not been switched to since, and its stack still exists. `save` is
/// valid for a write. `context` is not used; but a compiler that sees it handed over knows that what it leads to may have
/// changed when the switch returns.
#[inline(always)]
pub unsafe fn switch(save: *mut usize, to: usize, context: *mut ()) {
    // SAFETY: the caller's contract.
    unsafe { imp::switch(save, to, context) }
}
