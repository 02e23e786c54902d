//! The two stubs between Rust and C, a few instructions for each architecture.
//!
//! `c_enter` saves the registers that a function preserves, writes the stack pointer to where it is told, loads the arguments
//! and calls. `c_jump` sets the stack pointer to that and returns from `c_enter` in the called function's place.

use std::arch::naked_asm;

/// Calls `function` with the first `count` of the words, of which there are at least eight.
///
/// # Safety
/// `function` is such a function, and `sp` may be written.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub unsafe extern "C" fn c_enter(function: *const (), words: *const u64, count: usize, sp: *mut usize) -> u64 {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "mov [rcx], rsp",
        "mov r11, rdi",
        "mov r10, rsi",
        "mov rbx, rdx",
        "cmp rbx, 6",
        "jbe 3f",
        "test bl, 1",
        "jz 2f",
        "sub rsp, 8",
        "2:",
        "push qword ptr [r10 + rbx*8 - 8]",
        "dec rbx",
        "cmp rbx, 6",
        "ja 2b",
        "3:",
        "mov rdi, [r10]",
        "mov rsi, [r10 + 8]",
        "mov rdx, [r10 + 16]",
        "mov rcx, [r10 + 24]",
        "mov r8, [r10 + 32]",
        "mov r9, [r10 + 40]",
        "xor eax, eax",
        "call r11",
        "lea rsp, [rbp - 40]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Returns from the `c_enter` that wrote `sp`.
///
/// # Safety
/// That has not returned, and is on the machine stack in use.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub unsafe extern "C" fn c_jump(sp: usize) -> ! {
    naked_asm!(
        "lea rsp, [rdi + 8]",
        "xor eax, eax",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Calls `function` with the first `count` of the words, of which there are at least eight.
///
/// # Safety
/// `function` is such a function, and `sp` may be written.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub unsafe extern "C" fn c_enter(function: *const (), words: *const u64, count: usize, sp: *mut usize) -> u64 {
    naked_asm!(
        "stp x29, x30, [sp, #-160]!",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        "mov x29, sp",
        "str x29, [x3]",
        "mov x9, x0",
        "mov x10, x1",
        "subs x11, x2, #8",
        "b.ls 3f",
        "add x12, x11, #1",
        "and x12, x12, #-2",
        "sub sp, sp, x12, lsl #3",
        "mov x13, sp",
        "add x14, x10, #64",
        "2:",
        "ldr x15, [x14], #8",
        "str x15, [x13], #8",
        "subs x11, x11, #1",
        "b.ne 2b",
        "3:",
        "ldp x0, x1, [x10]",
        "ldp x2, x3, [x10, #16]",
        "ldp x4, x5, [x10, #32]",
        "ldp x6, x7, [x10, #48]",
        "blr x9",
        "mov sp, x29",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x29, x30, [sp], #160",
        "ret",
    )
}

/// Returns from the `c_enter` that wrote `sp`.
///
/// # Safety
/// That has not returned, and is on the machine stack in use.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub unsafe extern "C" fn c_jump(sp: usize) -> ! {
    naked_asm!(
        "mov sp, x0",
        "mov x0, #0",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x29, x30, [sp], #160",
        "ret",
    )
}
