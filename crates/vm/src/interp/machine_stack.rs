//! Where the machine stack is, as handlers ask it: without memory of their own, whose address would be known.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::arch::asm;

/// The stack pointer.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn pointer() -> usize {
    let pointer;
    // SAFETY: it copies a register.
    unsafe { asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// The stack pointer.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(super) fn pointer() -> usize {
    let pointer;
    // SAFETY: it copies a register.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// An address that no stack lies above, where handlers return to the loop anyway (`build.rs`).
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
pub(super) fn pointer() -> usize {
    usize::MAX
}
