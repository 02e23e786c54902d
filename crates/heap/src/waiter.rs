//! A sticky event for one waiting thread: what `sleep`, `join` and queues wait on and an interrupt can end.

use std::time::{Duration, Instant};

use crate::sync::{self, AtomicU32, Ordering};

const EMPTY: u32 = 0;
const PARKED: u32 = 1;
const NOTIFIED: u32 = 2;

/// A flag with a wait: a notification that comes before the wait is not lost. One thread waits, any notify.
#[derive(Debug)]
pub struct Waiter {
    /// Whether it was notified, or else whether its thread sleeps (or is about to) and needs a system call to be woken.
    state: AtomicU32,
}

impl Default for Waiter {
    fn default() -> Self {
        Self::new()
    }
}

impl Waiter {
    /// Not notified.
    #[must_use]
    pub fn new() -> Self {
        Self { state: AtomicU32::new(EMPTY) }
    }

    /// Waits for a notification, at most `timeout`; uses it up. Returns whether there was one.
    pub fn wait(&self, timeout: Option<Duration>) -> bool {
        self.sleep(timeout);
        self.take()
    }

    /// The first half of `wait`: until a notification comes or the time is over.
    pub fn sleep(&self, timeout: Option<Duration>) {
        // A deadline too far away to be represented is no deadline.
        let deadline = timeout.and_then(|limit| Instant::now().checked_add(limit));
        let parked = self.state.compare_exchange(EMPTY, PARKED, Ordering::Acquire, Ordering::Acquire);
        if parked.is_ok() {
            while self.state.load(Ordering::Acquire) == PARKED {
                if !sync::wait_on(&self.state, PARKED, deadline) {
                    break;
                }
            }
        }
    }

    /// Has a notification come that is not used up? For who spins before `sleep`.
    pub fn is_notified(&self) -> bool {
        self.state.load(Ordering::Acquire) == NOTIFIED
    }

    /// The second half, and due after the first: ends the wait. Whether there was a notification.
    pub fn take(&self) -> bool {
        self.state.swap(EMPTY, Ordering::AcqRel) == NOTIFIED
    }

    /// Ends the wait that is or the wait that comes.
    pub fn notify(&self) {
        if self.announce() {
            self.rouse();
        }
    }

    /// The first half of `notify`: says that the wait is over. Whether the thread sleeps, so that the second half is due.
    pub fn announce(&self) -> bool {
        self.state.swap(NOTIFIED, Ordering::AcqRel) == PARKED
    }

    /// The second half: wakes the thread. It may have gone on by itself: then this does nothing.
    pub fn rouse(&self) {
        sync::wake_one(&self.state);
    }

    /// Forgets a notification. By the thread that waits.
    pub fn reset(&self) {
        // A read-modify-write as all other changes are, so that they have one order in the model too.
        self.state.swap(EMPTY, Ordering::AcqRel);
    }
}
