//! What depends on the processor and the machine stack: spilling callee-saved registers, finding the stack's bounds,
//! reading stack words, prefetching.

use std::arch::asm;

/// Bytes of a cache line, of the processors that there are.
const LINE: usize = 64;

/// The callee-saved registers of the architecture that can hold a pointer.
#[cfg(target_arch = "x86_64")]
const SAVED: usize = 6;
#[cfg(target_arch = "aarch64")]
const SAVED: usize = 20;

/// Calls `f` with an address below which nothing of the callers lies: their callee-saved registers have been written to
/// the machine stack at or above it.
#[inline(never)]
pub(crate) fn with_spilled_registers<R>(f: impl FnOnce(usize) -> R) -> R {
    let mut saved = [0_usize; SAVED];
    let stack_pointer: usize;
    // SAFETY: the assembly writes the six words of `saved` and reads registers; it changes nothing else.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "mov [{saved}], rbx",
            "mov [{saved} + 8], rbp",
            "mov [{saved} + 16], r12",
            "mov [{saved} + 24], r13",
            "mov [{saved} + 32], r14",
            "mov [{saved} + 40], r15",
            "mov {sp}, rsp",
            saved = in(reg) saved.as_mut_ptr(),
            sp = lateout(reg) stack_pointer,
            options(nostack, preserves_flags)
        );
    }
    // SAFETY: the assembly writes the twenty words of `saved` and reads registers; it changes nothing else.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!(
            "stp x19, x20, [{saved}]",
            "stp x21, x22, [{saved}, #16]",
            "stp x23, x24, [{saved}, #32]",
            "stp x25, x26, [{saved}, #48]",
            "stp x27, x28, [{saved}, #64]",
            "stp x29, x30, [{saved}, #80]",
            "stp d8, d9, [{saved}, #96]",
            "stp d10, d11, [{saved}, #112]",
            "stp d12, d13, [{saved}, #128]",
            "stp d14, d15, [{saved}, #144]",
            "mov {sp}, sp",
            saved = in(reg) saved.as_mut_ptr(),
            sp = lateout(reg) stack_pointer,
            options(nostack, preserves_flags)
        );
    }
    let result = f(stack_pointer.min(saved.as_ptr().addr()));
    // The array has to stay where it is until `f` is done.
    std::hint::black_box(&mut saved);
    result
}

/// Reads a word of a machine stack that may belong to a running frame. In assembly, because to the language such a read
/// has no meaning, and because sanitizers would object to it.
///
/// # Safety
/// The address is aligned and mapped.
#[inline(always)]
pub(crate) unsafe fn read_stack_word(address: usize) -> u64 {
    let word: u64;
    // SAFETY: the caller vouches that the address may be read.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!("mov {word}, [{address}]", word = lateout(reg) word, address = in(reg) address,
            options(nostack, preserves_flags, readonly));
    }
    // SAFETY: the caller vouches that the address may be read.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!("ldr {word}, [{address}]", word = lateout(reg) word, address = in(reg) address,
            options(nostack, preserves_flags, readonly));
    }
    word
}

/// Asks for a cache line that will be read soon. Any address is allowed.
#[inline(always)]
pub(crate) fn prefetch(address: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        let line = std::ptr::without_provenance::<i8>(address);
        // SAFETY: a prefetch has no effect a program can see, whatever the address.
        unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(line) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch has no effect a program can see, whatever the address.
    unsafe {
        asm!("prfm pldl1keep, [{address}]", address = in(reg) address, options(nostack, preserves_flags, readonly));
    }
}

/// Asks for all cache lines of something that will be changed soon. A thread that has slept finds what it needs next in
/// the caches of others, or in none: it waits once for all of it instead of for one line after the other.
#[inline]
pub fn prefetch_to_change<T>(of: &T) {
    let start = std::ptr::from_ref(of).addr();
    for line in (start..start + size_of::<T>()).step_by(LINE) {
        prefetch_line_to_change(line);
    }
}

/// Asks for the cache line of an address that will be written soon. A page that is not in memory does not come into it by that.
#[inline(always)]
pub(crate) fn prefetch_line_to_change(line: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect a program can see, whatever the address; where it does not exist it does nothing.
    unsafe {
        asm!("prefetchw [{line}]", line = in(reg) line, options(nostack, preserves_flags, readonly));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch has no effect a program can see, whatever the address.
    unsafe {
        asm!("prfm pstl1keep, [{line}]", line = in(reg) line, options(nostack, preserves_flags, readonly));
    }
}

/// The low and the high end of the calling thread's machine stack. When the system does not tell, a page around here up
/// to the caller's frame is all that is claimed.
#[must_use]
pub fn stack_bounds() -> (usize, usize) {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: the call initialises the attributes of the calling thread, or fails.
    let known = unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) } == 0;
    if known {
        let mut low = std::ptr::null_mut();
        let mut size = 0;
        // SAFETY: the attributes are initialised, and both results are places to write to.
        let found = unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &mut low, &mut size) } == 0;
        // SAFETY: the attributes are initialised and not used afterwards.
        unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
        if found {
            return (low.addr(), low.addr() + size);
        }
    }
    let here = 0_usize;
    let page = std::ptr::from_ref(&here).addr() & !4095;
    (page, page + 4096)
}
