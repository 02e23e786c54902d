//! A sticky event for one waiting thread: what `sleep`, `join` and queues wait on and an interrupt can end.

use std::time::{Duration, Instant};

use crate::sync::{Condvar, Mutex};

/// A flag with a wait: a notification that comes before the wait is not lost.
#[derive(Debug)]
pub struct Waiter {
    notified: Mutex<bool>,
    changed: Condvar,
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
        Self { notified: Mutex::new(false), changed: Condvar::new() }
    }

    /// Waits for a notification, at most `timeout`; uses it up. Returns whether there was one.
    pub fn wait(&self, timeout: Option<Duration>) -> bool {
        // A deadline too far away to be represented is no deadline.
        let deadline = timeout.and_then(|limit| Instant::now().checked_add(limit));
        let mut notified = self.notified.lock();
        while !*notified {
            match deadline {
                None => notified = self.changed.wait(notified),
                Some(deadline) if Instant::now() >= deadline => break,
                Some(deadline) => notified = self.changed.wait_until(notified, deadline),
            }
        }
        std::mem::replace(&mut *notified, false)
    }

    /// Ends the wait that is or the wait that comes.
    pub fn notify(&self) {
        let mut notified = self.notified.lock();
        *notified = true;
        // With the lock held: the waiter may free this object as soon as it has returned.
        self.changed.notify_all();
        drop(notified);
    }

    /// Forgets a notification.
    pub fn reset(&self) {
        *self.notified.lock() = false;
    }
}
