//! `Mutex` and `Condvar`.

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::{gate, sys};

/// Nobody has it.
const UNLOCKED: u32 = 0;
/// Somebody has it, and nobody sleeps.
const LOCKED: u32 = 1;
/// Somebody has it, and somebody may sleep.
const CONTENDED: u32 = 2;

/// Pauses before a thread that finds the lock taken sleeps: it is held for a few instructions mostly.
const PAUSES: u32 = 100;

/// Mutual exclusion, without poisoning.
pub struct Mutex<T: ?Sized> {
    state: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached by whoever has the lock only.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: the same.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

/// The lock is held as long as this lives.
#[must_use]
pub struct MutexGuard<'a, T: ?Sized> {
    lock: &'a Mutex<T>,
    /// The thread that took it gives it back: it is counted there.
    not_send: PhantomData<*const ()>,
}

// SAFETY: it is a reference to the value.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<T> Mutex<T> {
    /// Not locked.
    pub const fn new(value: T) -> Self {
        Self { state: AtomicU32::new(UNLOCKED), value: UnsafeCell::new(value) }
    }

    /// What is in it.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Takes the lock.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        let take = || {
            self.take();
            true
        };
        gate::through(take, || self.give());
        self.guard()
    }

    /// Takes the lock if it is free.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        gate::through(|| self.try_take(), || self.give()).then(|| self.guard())
    }

    fn guard(&self) -> MutexGuard<'_, T> {
        MutexGuard { lock: self, not_send: PhantomData }
    }

    #[inline]
    fn try_take(&self) -> bool {
        self.state.compare_exchange(UNLOCKED, LOCKED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    #[inline]
    fn take(&self) {
        if !self.try_take() {
            self.take_slowly();
        }
    }

    #[cold]
    fn take_slowly(&self) {
        for _ in 0..PAUSES {
            let state = self.state.load(Ordering::Relaxed);
            if state == CONTENDED {
                break;
            }
            if state == UNLOCKED && self.try_take() {
                return;
            }
            std::hint::spin_loop();
        }
        while self.state.swap(CONTENDED, Ordering::Acquire) != UNLOCKED {
            sys::wait_on(&self.state, CONTENDED, None);
        }
    }

    #[inline]
    fn give(&self) {
        if self.state.swap(UNLOCKED, Ordering::Release) == CONTENDED {
            sys::wake_one(&self.state);
        }
    }

    /// What is in it, which nobody else can reach.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutex").finish_non_exhaustive()
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held, and this is the only guard.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.give();
        gate::leave();
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Whether a wait ended by its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Did it?
    #[must_use]
    pub fn timed_out(self) -> bool {
        self.0
    }
}

/// A condition variable.
#[derive(Debug, Default)]
pub struct Condvar {
    /// Counts notifications.
    told: AtomicU32,
    /// How many wait. After a fork, those of the other process count on, which costs a call of the system at a notification.
    waiting: AtomicU32,
}

impl Condvar {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { told: AtomicU32::new(0), waiting: AtomicU32::new(0) }
    }

    /// Releases the lock, waits for a notification, takes the lock again.
    pub fn wait<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>) {
        self.sleep(guard, None);
    }

    /// The same with a deadline.
    pub fn wait_until<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, deadline: Instant) -> WaitTimeoutResult {
        WaitTimeoutResult(!self.sleep(guard, Some(deadline)))
    }

    /// The same for so long at most.
    pub fn wait_for<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, limit: Duration) -> WaitTimeoutResult {
        // A deadline too far away to be represented is no deadline.
        WaitTimeoutResult(!self.sleep(guard, Instant::now().checked_add(limit)))
    }

    fn sleep<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, deadline: Option<Instant>) -> bool {
        let told = self.told.load(Ordering::Relaxed);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let lock = guard.lock;
        lock.give();
        gate::leave();
        sys::wait_on(&self.told, told, deadline);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        // The guard is there still: its drop gives back what is taken here.
        std::mem::forget(lock.lock());
        self.told.load(Ordering::Relaxed) != told || deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Wakes one waiter.
    pub fn notify_one(&self) {
        self.told.fetch_add(1, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) != 0 {
            sys::wake_one(&self.told);
        }
    }

    /// Wakes all waiters.
    pub fn notify_all(&self) {
        self.told.fetch_add(1, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) != 0 {
            sys::wake_all(&self.told);
        }
    }
}
