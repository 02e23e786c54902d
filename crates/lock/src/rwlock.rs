//! `RwLock`.

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{gate, sys};

/// A writer has it; less than this is the number of readers.
const WRITER: u32 = u32::MAX;
/// Pauses before a thread sleeps.
const PAUSES: u32 = 100;

/// Readers together, or one writer; without poisoning. A writer that waits keeps new readers out.
pub struct RwLock<T: ?Sized> {
    state: AtomicU32,
    /// Writers that wait. None does at a fork: they count as holders.
    writers: AtomicU32,
    /// Threads that sleep.
    sleepers: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached under the lock only.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: readers share it.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

/// Reading, as long as this lives.
#[must_use]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    not_send: PhantomData<*const ()>,
}

/// Writing, as long as this lives.
#[must_use]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    not_send: PhantomData<*const ()>,
}

impl<T> RwLock<T> {
    /// Not locked.
    pub const fn new(value: T) -> Self {
        Self {
            state: AtomicU32::new(0),
            writers: AtomicU32::new(0),
            sleepers: AtomicU32::new(0),
            value: UnsafeCell::new(value),
        }
    }

    /// What is in it.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Takes the lock to read.
    #[inline]
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        let take = || {
            if !self.try_take_shared() {
                self.take_shared();
            }
            true
        };
        gate::through(take, || self.give_shared());
        RwLockReadGuard { lock: self, not_send: PhantomData }
    }

    /// Takes the lock to read if that needs no waiting.
    pub fn try_read(&self) -> Option<RwLockReadGuard<'_, T>> {
        let taken = gate::through(|| self.try_take_shared(), || self.give_shared());
        taken.then(|| RwLockReadGuard { lock: self, not_send: PhantomData })
    }

    /// Takes the lock to write.
    #[inline]
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        let take = || {
            if !self.try_take() {
                self.take();
            }
            true
        };
        gate::through(take, || self.give());
        RwLockWriteGuard { lock: self, not_send: PhantomData }
    }

    /// Takes the lock to write if it is free.
    pub fn try_write(&self) -> Option<RwLockWriteGuard<'_, T>> {
        let taken = gate::through(|| self.try_take(), || self.give());
        taken.then(|| RwLockWriteGuard { lock: self, not_send: PhantomData })
    }

    /// What is in it, which nobody else can reach.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    #[inline]
    fn try_take_shared(&self) -> bool {
        let mut state = self.state.load(Ordering::Relaxed);
        while state < WRITER - 1 && self.writers.load(Ordering::Relaxed) == 0 {
            match self.state.compare_exchange_weak(state, state + 1, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => state = now,
            }
        }
        false
    }

    #[inline]
    fn try_take(&self) -> bool {
        self.state.compare_exchange(0, WRITER, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    #[cold]
    fn take_shared(&self) {
        let mut pauses = 0;
        loop {
            if self.try_take_shared() {
                return;
            }
            if pauses < PAUSES {
                pauses += 1;
                std::hint::spin_loop();
            } else if self.writers.load(Ordering::SeqCst) != 0 {
                self.sleep_on(&self.writers, self.writers.load(Ordering::SeqCst), 0);
            } else {
                self.sleep_on(&self.state, WRITER, 0);
            }
        }
    }

    #[cold]
    fn take(&self) {
        for _ in 0..PAUSES {
            if self.try_take() {
                return;
            }
            std::hint::spin_loop();
        }
        self.writers.fetch_add(1, Ordering::SeqCst);
        while !self.try_take() {
            self.sleep_on(&self.state, self.state.load(Ordering::SeqCst), 0);
        }
        self.writers.fetch_sub(1, Ordering::SeqCst);
        // Readers that it kept out; they find it taken, and wait for its end.
        if self.sleepers.load(Ordering::SeqCst) != 0 {
            sys::wake_all(&self.writers);
        }
    }

    /// Sleeps while the word is `value`, unless that is `free`.
    fn sleep_on(&self, word: &AtomicU32, value: u32, free: u32) {
        if value == free {
            return;
        }
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        sys::wait_on(word, value, None);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    #[inline]
    fn give_shared(&self) {
        if self.state.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.wake();
        }
    }

    #[inline]
    fn give(&self) {
        self.state.swap(0, Ordering::SeqCst);
        self.wake();
    }

    #[inline]
    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) != 0 {
            sys::wake_all(&self.state);
        }
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: ?Sized> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RwLock").finish_non_exhaustive()
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the lock is held, to read at least.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held to write, and this is the only guard.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.give_shared();
        gate::leave();
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.give();
        gate::leave();
    }
}
