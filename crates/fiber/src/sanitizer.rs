//! What sanitizers are told of stacks and switches. Built with the cfg `asterism_sanitize` only, by a nightly compiler.
//!
//! AddressSanitizer has to know where the stack lies that is run on, and must forget what was said of a stack that is used
//! anew: whoever switches away for good never leaves its functions. ThreadSanitizer keeps a call stack of its own for each.

use std::ffi::c_void;

use crate::slab::Stack;

#[cfg(sanitize = "address")]
unsafe extern "C" {
    fn __sanitizer_start_switch_fiber(fake_stack: *mut *mut c_void, bottom: *const c_void, size: usize);
    fn __sanitizer_finish_switch_fiber(fake_stack: *mut c_void, bottom: *mut *const c_void, size: *mut usize);
    fn __asan_unpoison_memory_region(address: *const c_void, size: usize);
}

#[cfg(sanitize = "thread")]
unsafe extern "C" {
    fn __tsan_get_current_fiber() -> *mut c_void;
    fn __tsan_create_fiber(flags: u32) -> *mut c_void;
    fn __tsan_destroy_fiber(fiber: *mut c_void);
    fn __tsan_switch_to_fiber(fiber: *mut c_void, flags: u32);
}

/// A stack, as a sanitizer knows it.
#[derive(Debug)]
pub struct Watched {
    #[cfg_attr(not(sanitize = "address"), expect(dead_code, reason = "only AddressSanitizer is told of the bounds"))]
    low: usize,
    #[cfg_attr(not(sanitize = "address"), expect(dead_code, reason = "only AddressSanitizer is told of the bounds"))]
    high: usize,
    /// ThreadSanitizer's fiber, and whether it was made here.
    #[cfg(sanitize = "thread")]
    fiber: (*mut c_void, bool),
}

impl Watched {
    /// The stack of the calling thread, between these addresses.
    #[must_use]
    pub fn of_thread(low: usize, high: usize) -> Watched {
        Watched {
            low,
            high,
            // SAFETY: asks, no more.
            #[cfg(sanitize = "thread")]
            fiber: (unsafe { __tsan_get_current_fiber() }, false),
        }
    }

    /// A stack that was taken from a slab.
    #[must_use]
    pub fn of(stack: &Stack) -> Watched {
        Watched {
            low: stack.low(),
            high: stack.high(),
            // SAFETY: makes one, which `drop` ends.
            #[cfg(sanitize = "thread")]
            fiber: (unsafe { __tsan_create_fiber(0) }, true),
        }
    }

    /// Says that the stack is about to be switched to: the very next thing is the switch.
    ///
    /// # Safety
    /// It is what `to` of that switch lies on.
    #[inline(always)]
    pub unsafe fn leave_for(&self) {
        // No fake stacks are kept: the collector would not find what lies on them, so they are switched off.
        #[cfg(sanitize = "address")]
        // SAFETY: the bounds are those of the stack.
        unsafe {
            let bottom = std::ptr::with_exposed_provenance(self.low);
            __sanitizer_start_switch_fiber(std::ptr::null_mut(), bottom, self.high - self.low);
        }
        #[cfg(sanitize = "thread")]
        // SAFETY: the fiber exists as long as this.
        unsafe {
            __tsan_switch_to_fiber(self.fiber.0, 0);
        }
    }

    /// Says that a switch has arrived: the first thing after it.
    ///
    /// # Safety
    /// `leave_for` was called before the switch.
    #[inline(always)]
    pub unsafe fn arrived() {
        #[cfg(sanitize = "address")]
        // SAFETY: nothing is asked back.
        unsafe {
            __sanitizer_finish_switch_fiber(std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        }
    }
}

#[cfg(sanitize = "thread")]
impl Drop for Watched {
    fn drop(&mut self) {
        if self.fiber.1 {
            // SAFETY: made in `of`; nobody runs on a stack that is given up.
            unsafe { __tsan_destroy_fiber(self.fiber.0) };
        }
    }
}

/// Forgets what was said of the memory of a stack that nobody uses.
pub(crate) fn forget(low: usize, bytes: usize) {
    #[cfg(sanitize = "address")]
    // SAFETY: the range is the stack's.
    unsafe {
        __asan_unpoison_memory_region(std::ptr::with_exposed_provenance(low), bytes);
    }
    #[cfg(not(sanitize = "address"))]
    let _ = (low, bytes);
}
