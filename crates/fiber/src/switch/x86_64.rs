//! x86-64, System V calling convention.
//!
//! ```text
//!   a stack that is suspended              a stack that was prepared
//!   |  …frames of the caller…  |           |  (high end, 16-aligned)  |
//!   |  return address          |           |  0: ends the call chain  |
//!   |  rbp                     |           |  address of `start`      |
//!   |  rbx                     |           |  0                       |
//!   |  r12                     |           |  0                       |
//!   |  r13                     |           |  entry                   |
//!   |  r14                     |           |  argument                |
//!   |  r15                     |           |  0                       |
//!   ^ stack pointer                        |  0                       |
//! ```
//!
//! The floating point control words are the same on all stacks of a thread and are not exchanged.

use std::arch::naked_asm;

use super::Entry;
use crate::slab::Stack;

/// See [`super::prepare`].
pub unsafe fn prepare(stack: &Stack, entry: Entry, argument: *mut ()) -> usize {
    let top: *mut usize = std::ptr::with_exposed_provenance_mut(stack.high());
    let words = [0, 0, argument as usize, entry as *const () as usize, 0, 0, start as *const () as usize, 0];
    // SAFETY: the words lie at the high end of the stack, which the caller has to itself.
    unsafe {
        let sp = top.sub(words.len());
        std::ptr::copy_nonoverlapping(words.as_ptr(), sp, words.len());
        sp.expose_provenance()
    }
}

/// Calls the entry with its argument, on a stack aligned as a call wants it.
#[unsafe(naked)]
unsafe extern "C" fn start() {
    naked_asm!("mov rdi, r13", "xor ebp, ebp", "sub rsp, 8", "call r12", "ud2")
}

/// See [`super::switch`].
#[unsafe(naked)]
pub unsafe extern "C" fn switch(save: *mut usize, to: usize, context: *mut ()) {
    // A `ret`, although it does not go where the processor's stack of return addresses says if the two sides called this
    // from different places: mostly they come from the same place, and a jump would leave an address too many on that
    // stack, so that all the returns that follow would be mispredicted.
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}
