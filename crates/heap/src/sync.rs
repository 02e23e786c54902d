//! The synchronisation primitives of the protocol modules: the real ones, or loom's when the crate is model-checked.
//! Condition variables take and return the guard by value, which both can do.

#[cfg(not(loom))]
pub use real::*;

#[cfg(loom)]
pub use model::*;

pub use std::sync::atomic::Ordering;

#[cfg(not(loom))]
mod real {
    pub use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, fence};
    use std::time::Instant;

    pub use asterism_lock::{Mutex, MutexGuard};

    /// A condition variable.
    #[derive(Debug, Default)]
    pub struct Condvar(asterism_lock::Condvar);

    impl Condvar {
        /// Makes one.
        #[must_use]
        pub const fn new() -> Self {
            Self(asterism_lock::Condvar::new())
        }

        /// Releases the lock, waits for a notification, takes the lock again.
        pub fn wait<'a, T>(&self, mut guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(&mut guard);
            guard
        }

        /// The same with a deadline.
        pub fn wait_until<'a, T>(&self, mut guard: MutexGuard<'a, T>, deadline: Instant) -> MutexGuard<'a, T> {
            self.0.wait_until(&mut guard, deadline);
            guard
        }

        /// Wakes one waiter.
        pub fn notify_one(&self) {
            self.0.notify_one();
        }

        /// Wakes all waiters.
        pub fn notify_all(&self) {
            self.0.notify_all();
        }
    }

    /// A pause in a spin loop.
    pub fn spin_hint() {
        std::hint::spin_loop();
    }

    pub use asterism_lock::{park, unpark_one, wait_on, wake_one};
}

#[cfg(loom)]
mod model {
    pub use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, fence};
    use std::time::Instant;

    pub use loom::sync::MutexGuard;

    /// loom's mutex without poisoning.
    #[derive(Debug)]
    pub struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        /// Makes one.
        pub fn new(value: T) -> Self {
            Self(loom::sync::Mutex::new(value))
        }

        /// Takes the lock.
        pub fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().expect("loom mutexes are not poisoned")
        }
    }

    /// loom's condition variable.
    #[derive(Debug)]
    pub struct Condvar(loom::sync::Condvar);

    impl Condvar {
        /// Makes one.
        pub fn new() -> Self {
            Self(loom::sync::Condvar::new())
        }

        /// Releases the lock, waits for a notification, takes the lock again.
        pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(guard).expect("loom mutexes are not poisoned")
        }

        /// Time does not pass in a model: waits for a notification.
        pub fn wait_until<'a, T>(&self, guard: MutexGuard<'a, T>, _deadline: Instant) -> MutexGuard<'a, T> {
            self.wait(guard)
        }

        /// Wakes one waiter.
        pub fn notify_one(&self) {
            self.0.notify_one();
        }

        /// Wakes all waiters.
        pub fn notify_all(&self) {
            self.0.notify_all();
        }
    }

    /// A pause in a spin loop.
    pub fn spin_hint() {
        loom::thread::yield_now();
    }

    /// A parking lot made of loom's own primitives: (address, woken) of everyone parked, oldest first.
    struct Lot {
        queue: Mutex<(u64, Vec<(u64, usize, bool)>)>,
        changed: Condvar,
    }

    loom::lazy_static! {
        static ref LOT: Lot = Lot { queue: Mutex::new((0, Vec::new())), changed: Condvar::new() };
    }

    /// Sleeps as long as `word` is `expected`, until `wake_one`. Time does not pass in a model: a deadline comes at once.
    pub fn wait_on(word: &AtomicU32, expected: u32, deadline: Option<Instant>) -> bool {
        if deadline.is_some() {
            loom::thread::yield_now();
            return false;
        }
        park(std::ptr::from_ref(word).addr(), || word.load(std::sync::atomic::Ordering::Acquire) == expected);
        true
    }

    /// Wakes a thread that sleeps on `word`, which was changed before.
    pub fn wake_one(word: &AtomicU32) {
        unpark_one(std::ptr::from_ref(word).addr(), |_| {});
    }

    /// Parks the thread on `address` if `validate` still holds once nobody can unpark it unseen.
    pub fn park(address: usize, validate: impl FnOnce() -> bool) {
        let mut queue = LOT.queue.lock();
        if !validate() {
            return;
        }
        queue.0 += 1;
        let ticket = queue.0;
        queue.1.push((ticket, address, false));
        loop {
            if let Some(at) = queue.1.iter().position(|entry| entry.0 == ticket && entry.2) {
                queue.1.remove(at);
                return;
            }
            queue = LOT.changed.wait(queue);
        }
    }

    /// Wakes one thread parked on `address`; `before_wake` is told, with the queue locked, whether more are parked.
    pub fn unpark_one(address: usize, before_wake: impl FnOnce(bool)) {
        let mut queue = LOT.queue.lock();
        let mut parked = queue.1.iter_mut().filter(|entry| entry.1 == address && !entry.2);
        if let Some(entry) = parked.next() {
            entry.2 = true;
        }
        let more = parked.next().is_some();
        before_wake(more);
        drop(queue);
        LOT.changed.notify_all();
    }
}
