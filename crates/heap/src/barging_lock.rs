//! `BargingLock`: the protocol of a lock with an owner and a queue of waiters, as Ruby's Mutex needs it. How a waiter
//! waits is not its business: an unlock tells the first one to try again, and who comes first gets the lock.
//!
//! The state word is the owner shifted left by one, and a bit that says that somebody waits. Without waiters, locking
//! and unlocking are one compare-exchange each. The bit is set and cleared under the queue's lock only, so an unlocker
//! that sees it finds the waiter in the queue. A waiter that was told to try again and goes away instead hands the
//! chance on.

use std::collections::VecDeque;

use crate::sync::{AtomicU64, Mutex, Ordering};

/// Somebody waits.
const WAITERS: u64 = 1;

/// A waiter, as the lock knows it.
pub trait Waiting: Clone {
    /// It is going to wait: called with the queue locked, before anybody can call `wake`. Must not block.
    fn prepare(&self);
    /// Lets it try again. Called with the queue locked; must not block.
    fn wake(&self);
    /// Is it the same waiter?
    fn is(&self, other: &Self) -> bool;
    /// Was it left behind by a fork, so that waking it would wake nobody?
    fn is_gone(&self) -> bool {
        false
    }
}

/// See the module.
#[derive(Debug)]
pub struct BargingLock<W> {
    state: AtomicU64,
    queue: Mutex<VecDeque<W>>,
}

impl<W: Waiting> Default for BargingLock<W> {
    fn default() -> Self {
        Self::new()
    }
}

/// Takes the first waiter out of the queue that there still is.
fn pop<W: Waiting>(queue: &mut VecDeque<W>) -> Option<W> {
    std::iter::from_fn(|| queue.pop_front()).find(|waiter| !waiter.is_gone())
}

impl<W: Waiting> BargingLock<W> {
    /// Not locked.
    #[must_use]
    pub fn new() -> Self {
        Self { state: AtomicU64::new(0), queue: Mutex::new(VecDeque::new()) }
    }

    /// Who has it; 0: nobody.
    #[inline]
    #[must_use]
    pub fn owner(&self) -> u64 {
        self.state.load(Ordering::Acquire) >> 1
    }

    /// Takes the lock if it is free. `owner` is not 0 and fits 63 bits.
    #[inline]
    pub fn try_lock(&self, owner: u64) -> bool {
        debug_assert!(owner != 0 && owner >> 63 == 0);
        let taken = self.state.compare_exchange(0, owner << 1, Ordering::Acquire, Ordering::Relaxed);
        match taken {
            Ok(_) => true,
            Err(state) if state >> 1 == 0 => self.try_lock_with_waiters(owner),
            Err(_) => false,
        }
    }

    #[cold]
    fn try_lock_with_waiters(&self, owner: u64) -> bool {
        let mut state = self.state.load(Ordering::Relaxed);
        while state >> 1 == 0 {
            match self.state.compare_exchange(state, owner << 1 | state, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => state = now,
            }
        }
        false
    }

    /// Takes the lock if it is free (`true`), else puts the waiter into the queue: at its front if it was there before
    /// (`again`). From then on it may be woken; it has to call this again, or `cancel`. Something else than the lock may
    /// have ended its wait: then it is in the queue still, and keeps its place or leaves it.
    pub fn lock_or_enqueue(&self, owner: u64, waiter: &W, again: bool) -> bool {
        let mut queue = self.queue.lock();
        let place = match again {
            true => queue.iter().position(|other| other.is(waiter)),
            false => None,
        };
        loop {
            if self.try_lock(owner) {
                if let Some(place) = place {
                    queue.remove(place);
                    if queue.is_empty() {
                        self.state.fetch_and(!WAITERS, Ordering::AcqRel);
                    }
                }
                return true;
            }
            let state = self.state.load(Ordering::Relaxed);
            if state >> 1 == 0 {
                continue;
            }
            let marked = self.state.compare_exchange(state, state | WAITERS, Ordering::AcqRel, Ordering::Relaxed);
            if marked.is_ok() {
                break;
            }
        }
        waiter.prepare();
        match (place, again) {
            (Some(_), _) => {}
            (None, true) => queue.push_front(waiter.clone()),
            (None, false) => queue.push_back(waiter.clone()),
        }
        false
    }

    /// The waiter does not want the lock any more. If it was woken already, the next one is woken in its place.
    pub fn cancel(&self, waiter: &W) {
        let mut queue = self.queue.lock();
        match queue.iter().position(|other| other.is(waiter)) {
            Some(at) => {
                queue.remove(at);
                if queue.is_empty() {
                    self.state.fetch_and(!WAITERS, Ordering::AcqRel);
                }
            }
            None => {
                if self.state.load(Ordering::Acquire) >> 1 == 0 {
                    self.wake_next(&mut queue);
                }
            }
        }
    }

    /// Unlocks if `owner` has it; says whether it had.
    #[inline]
    pub fn unlock(&self, owner: u64) -> bool {
        let freed = self.state.compare_exchange(owner << 1, 0, Ordering::Release, Ordering::Relaxed);
        match freed {
            Ok(_) => true,
            Err(state) if state >> 1 == owner => {
                self.unlock_with_waiters();
                true
            }
            Err(_) => false,
        }
    }

    #[cold]
    fn unlock_with_waiters(&self) {
        let mut queue = self.queue.lock();
        // Nobody else changes the owner, and the bit changes under the queue's lock only.
        let next = pop(&mut queue);
        let rest = if queue.is_empty() { 0 } else { WAITERS };
        self.state.store(rest, Ordering::Release);
        if let Some(next) = next {
            next.wake();
        }
    }

    /// Wakes the first of the queue, if any. The lock may be taken meanwhile.
    fn wake_next(&self, queue: &mut VecDeque<W>) {
        if let Some(next) = pop(queue) {
            if queue.is_empty() {
                self.state.fetch_and(!WAITERS, Ordering::AcqRel);
            }
            next.wake();
        }
    }

    /// Unlocks whoever has it, which a fork has left behind, with all who wait for it but those whom this process has.
    pub fn abandon(&self) {
        let mut queue = self.queue.lock();
        self.state.store(WAITERS, Ordering::Release);
        queue.retain(|waiter| !waiter.is_gone());
        if queue.is_empty() {
            self.state.store(0, Ordering::Release);
        } else {
            self.wake_next(&mut queue);
        }
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.lock().len()
    }
}
