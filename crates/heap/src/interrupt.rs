//! Interrupts of blocking operations: a pending word, and the function the blocked thread registered to be unblocked by.
//!
//! An interrupter sets the pending bit, then calls the unblock function; the blocking thread registers its function, then
//! looks at the pending word. Registration and the call are under one lock, so either the thread sees the bit before it
//! blocks, or the interrupter finds the function. The function must make the wait end even when it is called before the
//! wait begins (a `Waiter`, an eventfd, a closed pipe).

use crate::ranks::{self, Rank};
use crate::sync::{AtomicU32, Mutex, Ordering};

/// What a registered unblock function looks like to the interrupter.
#[derive(Clone, Copy, Debug)]
struct Unblock(*const (dyn Fn() + Sync));

// SAFETY: the function is `Sync`, and the pointer is only followed under the lock that its registrant takes before the
// function goes away.
unsafe impl Send for Unblock {}

/// The operation was not started or was ended early, because something is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// The interrupt state of one thread.
#[derive(Debug)]
pub struct Interruptible {
    pending: AtomicU32,
    unblock: Mutex<Option<Unblock>>,
}

impl Default for Interruptible {
    fn default() -> Self {
        Self::new()
    }
}

/// Puts the previous function back when a blocking operation ends, by whatever way.
struct Registration<'a> {
    owner: &'a Interruptible,
    previous: Option<Unblock>,
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        self.owner.replace(self.previous);
    }
}

impl Interruptible {
    /// Nothing pending, nothing registered.
    #[must_use]
    pub fn new() -> Self {
        Self { pending: AtomicU32::new(0), unblock: Mutex::new(None) }
    }

    /// The pending bits; their meaning is the VM's.
    #[inline]
    #[must_use]
    pub fn pending(&self) -> u32 {
        self.pending.load(Ordering::Acquire)
    }

    /// Clears the bits of `mask` and returns those that were set.
    pub fn take(&self, mask: u32) -> u32 {
        self.pending.fetch_and(!mask, Ordering::AcqRel) & mask
    }

    /// Sets pending bits without waking the thread.
    pub fn set_pending(&self, bits: u32) {
        self.pending.fetch_or(bits, Ordering::AcqRel);
    }

    /// Sets pending bits, then unblocks the thread if it is in a blocking operation. Any thread may call it.
    pub fn interrupt(&self, bits: u32) {
        self.set_pending(bits);
        let _rank = ranks::acquire(Rank::Interrupt);
        let unblock = self.unblock.lock();
        if let Some(Unblock(function)) = *unblock {
            // SAFETY: a registered function outlives its registration, which ends under the lock held here.
            unsafe { (*function)() };
        }
    }

    /// Runs `body`, a wait that `unblock` ends (also when called before the wait begins). Returns `Interrupted` without
    /// running it when something is pending already; `body`'s value otherwise, and the caller looks at `pending` then.
    /// `unblock` runs in the interrupting thread under a lock: it must not block and must not interrupt in turn.
    pub fn enter<R>(&self, unblock: &(dyn Fn() + Sync), body: impl FnOnce() -> R) -> Result<R, Interrupted> {
        // SAFETY: only the lifetime changes; `Registration` takes the pointer away under the lock before `unblock` ends.
        let function = unsafe {
            std::mem::transmute::<*const (dyn Fn() + Sync + '_), *const (dyn Fn() + Sync + 'static)>(unblock)
        };
        let previous = self.replace(Some(Unblock(function)));
        let _registration = Registration { owner: self, previous };
        if self.pending() != 0 {
            return Err(Interrupted);
        }
        Ok(body())
    }

    fn replace(&self, function: Option<Unblock>) -> Option<Unblock> {
        let _rank = ranks::acquire(Rank::Interrupt);
        std::mem::replace(&mut *self.unblock.lock(), function)
    }
}
