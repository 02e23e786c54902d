//! What stands for `sanitizer.rs` in a build without one: nothing.

use crate::slab::Stack;

/// A stack, as a sanitizer would know it.
#[derive(Debug)]
pub struct Watched;

impl Watched {
    /// The stack of the calling thread, between these addresses.
    #[inline(always)]
    #[must_use]
    pub fn of_thread(_low: usize, _high: usize) -> Watched {
        Watched
    }

    /// A stack that was taken from a slab.
    #[inline(always)]
    #[must_use]
    pub fn of(_stack: &Stack) -> Watched {
        Watched
    }

    /// Says that the stack is about to be switched to: the very next thing is the switch.
    ///
    /// # Safety
    /// It is what `to` of that switch lies on.
    #[inline(always)]
    pub unsafe fn leave_for(&self) {}

    /// Says that a switch has arrived: the first thing after it.
    ///
    /// # Safety
    /// `leave_for` was called before the switch.
    #[inline(always)]
    pub unsafe fn arrived() {}
}

/// Forgets what was said of the memory of a stack that nobody uses.
#[inline(always)]
pub(crate) fn forget(_low: usize, _bytes: usize) {}
