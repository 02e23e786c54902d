//! The census of a VM's threads: how many live, and how many of them wait for something that only another one can do.
//! When all do, they wait for ever.
//!
//! A thread that is going to wait marks itself *stuck* under the lock of what it waits for, and looks at the census before
//! it sleeps. Whoever makes the wait end takes the mark off, under that lock or after having taken the thread out of the
//! queue under it, before the wake. A thread that ends wakes those that wait for it before it leaves the census, and then
//! looks at the census, too. So what looks stuck is, and the last one to get stuck sees it.

use crate::sync::{AtomicU32, AtomicUsize, Ordering};

/// The counts.
#[derive(Debug)]
pub struct Census {
    /// Threads that were started and have not ended.
    living: AtomicUsize,
    /// Those that are stuck.
    stuck: AtomicUsize,
}

impl Default for Census {
    fn default() -> Self {
        Self::new()
    }
}

impl Census {
    /// Nobody.
    #[must_use]
    pub fn new() -> Self {
        Self { living: AtomicUsize::new(0), stuck: AtomicUsize::new(0) }
    }

    /// A thread is about to live.
    pub fn add(&self) {
        self.living.fetch_add(1, Ordering::SeqCst);
    }

    /// A thread has ended, and has woken who waited for it.
    pub fn remove(&self) {
        self.living.fetch_sub(1, Ordering::SeqCst);
    }

    /// In a process that was forked: one lives, and does not wait.
    pub fn only_one(&self) {
        self.living.store(1, Ordering::SeqCst);
        self.stuck.store(0, Ordering::SeqCst);
    }

    /// Do all wait? Then look again with the list of threads locked, so that none begins or ends, whether each is marked.
    #[must_use]
    pub fn all_stuck(&self) -> bool {
        // Changes of nothing: they see the last value, so that of two threads that get stuck at once one sees both.
        let stuck = self.stuck.fetch_add(0, Ordering::SeqCst);
        let living = self.living.fetch_add(0, Ordering::SeqCst);
        stuck >= living && living > 0
    }
}

/// One thread's mark.
#[derive(Debug)]
pub struct Stuck(AtomicU32);

impl Default for Stuck {
    fn default() -> Self {
        Self::new()
    }
}

impl Stuck {
    /// Not stuck.
    #[must_use]
    pub fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Marks the thread. Called while the thread is in the queue of what it waits for, under its lock.
    pub fn begin(&self, census: &Census) {
        if self.0.swap(1, Ordering::SeqCst) == 0 {
            census.stuck.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Takes the mark off, if there is one.
    pub fn end(&self, census: &Census) {
        if self.0.load(Ordering::Relaxed) != 0 && self.0.swap(0, Ordering::SeqCst) != 0 {
            census.stuck.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Is it marked?
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }
}
