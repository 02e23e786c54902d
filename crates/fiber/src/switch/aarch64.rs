//! aarch64, AAPCS64.
//!
//! ```text
//!   a stack that is suspended              a stack that was prepared
//!   |  …frames of the caller…  |           |  (high end, 16-aligned)  |
//!   |  x30 (return address)    |           |  address of `start`      |
//!   |  x29 (frame pointer)     |           |  0                       |
//!   |  x28 … x21               |           |  0 …                     |
//!   |  x20                     |           |  argument                |
//!   |  x19                     |           |  entry                   |
//!   |  d15 … d8                |           |  0 …                     |
//!   ^ stack pointer
//! ```

use std::arch::naked_asm;

use super::Entry;
use crate::slab::Stack;

/// Words of what is saved: d8–d15, x19–x30.
const WORDS: usize = 20;

/// See [`super::prepare`].
pub unsafe fn prepare(stack: &Stack, entry: Entry, argument: *mut ()) -> usize {
    let top: *mut usize = std::ptr::with_exposed_provenance_mut(stack.high());
    let mut words = [0_usize; WORDS];
    words[8] = entry as *const () as usize;
    words[9] = argument as usize;
    words[19] = start as *const () as usize;
    // SAFETY: the words lie at the high end of the stack, which the caller has to itself.
    unsafe {
        let sp = top.sub(WORDS);
        std::ptr::copy_nonoverlapping(words.as_ptr(), sp, WORDS);
        sp.expose_provenance()
    }
}

/// Calls the entry with its argument.
#[unsafe(naked)]
unsafe extern "C" fn start() {
    naked_asm!("mov x0, x20", "mov x29, xzr", "mov x30, xzr", "blr x19", "brk #1")
}

/// See [`super::switch`].
#[unsafe(naked)]
pub unsafe extern "C" fn switch(save: *mut usize, to: usize, context: *mut ()) {
    naked_asm!(
        "sub sp, sp, #160",
        "stp d8, d9, [sp]",
        "stp d10, d11, [sp, #16]",
        "stp d12, d13, [sp, #32]",
        "stp d14, d15, [sp, #48]",
        "stp x19, x20, [sp, #64]",
        "stp x21, x22, [sp, #80]",
        "stp x23, x24, [sp, #96]",
        "stp x25, x26, [sp, #112]",
        "stp x27, x28, [sp, #128]",
        "stp x29, x30, [sp, #144]",
        "mov x9, sp",
        "str x9, [x0]",
        "mov sp, x1",
        "ldp d8, d9, [sp]",
        "ldp d10, d11, [sp, #16]",
        "ldp d12, d13, [sp, #32]",
        "ldp d14, d15, [sp, #48]",
        "ldp x19, x20, [sp, #64]",
        "ldp x21, x22, [sp, #80]",
        "ldp x23, x24, [sp, #96]",
        "ldp x25, x26, [sp, #112]",
        "ldp x27, x28, [sp, #128]",
        "ldp x29, x30, [sp, #144]",
        "add sp, sp, #160",
        "ret",
    )
}
