//! Who waits in a queue: a thread, or a fiber whose thread does something else meanwhile.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use asterism_heap::{Marker, Waits, Woken};
use asterism_lock::Mutex;
use asterism_object::Value;

use crate::thread::RubyThread;

/// The waiting fibers of a VM. No safepoint under the locks.
#[derive(Debug, Default)]
pub struct FiberWaits {
    /// Scheduler, fiber, what it waits for, and the message of the error that ends the wait (nil: it ends as asked), by number.
    pub(super) table: Mutex<HashMap<u64, [Value; 4]>>,
    /// Those to be woken.
    pub(super) woken: Mutex<Vec<u64>>,
    /// How many those are.
    pub(super) count: AtomicUsize,
}

impl FiberWaits {
    /// Marks what waits (world stopped).
    pub(crate) fn trace(&self, marker: &mut Marker) {
        for values in self.table.lock().values() {
            for v in values {
                marker.mark(v.bits());
            }
        }
    }

    /// Does somebody owe a `wake_fibers`?
    pub(crate) fn are_owed(&self) -> bool {
        self.count.load(Ordering::Acquire) > 0
    }
}

/// A fiber in a queue.
#[derive(Debug)]
pub struct FiberWait {
    pub(super) number: u64,
    pub(super) thread: Arc<RubyThread>,
    pub(super) woken: AtomicBool,
}

impl FiberWait {
    /// It is going to wait (again). Under the lock of the queue it is put into.
    pub fn prepare(&self) {
        self.woken.store(false, Ordering::Release);
    }

    /// Has somebody woken it?
    pub fn is_woken(&self) -> bool {
        self.woken.load(Ordering::Acquire)
    }

    /// Notes that it is to be woken; `wake_fibers` does it.
    pub fn wake(&self) {
        if !self.woken.swap(true, Ordering::AcqRel) {
            let waits = &self.thread.fibers;
            waits.woken.lock().push(self.number);
            waits.count.fetch_add(1, Ordering::Release);
        }
    }
}

/// Who waits in a queue.
#[derive(Clone, Debug)]
pub enum Parked {
    /// A thread.
    Thread(Arc<RubyThread>),
    /// A fiber, whose thread does something else meanwhile.
    Fiber(Arc<FiberWait>),
}

impl Parked {
    /// Wakes it: at once, or with the next `wake_fibers`, which the caller owes.
    pub fn unpark(&self) {
        match self {
            Parked::Thread(thread) => thread.unpark(),
            Parked::Fiber(wait) => wait.wake(),
        }
    }

    /// The second half of waking one of this VM that was announced: at once, or with the next `wake_fibers`, which the caller owes.
    pub fn rouse(&self) {
        if let Parked::Thread(thread) = self {
            thread.rouse();
        }
    }

    /// Was it left behind by a fork? Whoever takes waiters out of a queue passes over those.
    pub fn is_gone(&self) -> bool {
        match self {
            Parked::Thread(thread) => !thread.is_alive(),
            Parked::Fiber(wait) => !wait.thread.is_alive(),
        }
    }

    /// Is it the same waiter?
    pub fn is(&self, other: &Parked) -> bool {
        match (self, other) {
            (Parked::Thread(a), Parked::Thread(b)) => Arc::ptr_eq(a, b),
            (Parked::Fiber(a), Parked::Fiber(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Waits for Parked {
    fn announce(&self) -> bool {
        match self {
            Parked::Thread(thread) => thread.announce(),
            Parked::Fiber(wait) => {
                wait.wake();
                true
            }
        }
    }

    fn is(&self, other: &Parked) -> bool {
        Parked::is(self, other)
    }

    fn is_gone(&self) -> bool {
        Parked::is_gone(self)
    }
}

/// Tells the first of a queue that there still is that its wait is over. Who is returned is to be roused when the lock of the queue
/// is free, so that a woken thread does not run into it.
#[must_use]
pub fn tell_first(queue: &mut std::collections::VecDeque<Parked>) -> Woken<Parked> {
    let next = std::iter::from_fn(|| queue.pop_front()).find(|next| !next.is_gone())?;
    next.announce().then_some(next)
}

/// Wakes the first of a queue that there still is.
pub fn wake_first(queue: &mut std::collections::VecDeque<Parked>) {
    if let Some(next) = std::iter::from_fn(|| queue.pop_front()).find(|next| !next.is_gone()) {
        next.unpark();
    }
}
