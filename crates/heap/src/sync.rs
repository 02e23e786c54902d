//! The synchronisation primitives of the protocol modules: the real ones, or loom's when the crate is model-checked.
//! Condition variables take and return the guard by value, which both can do.

#[cfg(not(loom))]
pub use real::*;

#[cfg(loom)]
pub use model::*;

pub use std::sync::atomic::Ordering;

#[cfg(not(loom))]
mod real {
    pub use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
    use std::time::Instant;

    pub use parking_lot::{Mutex, MutexGuard};

    /// A condition variable.
    #[derive(Debug, Default)]
    pub struct Condvar(parking_lot::Condvar);

    impl Condvar {
        /// Makes one.
        #[must_use]
        pub const fn new() -> Self {
            Self(parking_lot::Condvar::new())
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

    /// Sleeps as long as `word` is `expected`, until `wake_one` or the deadline; may return early. `false`: the deadline
    /// has come.
    #[cfg(target_os = "linux")]
    pub fn wait_on(word: &AtomicU32, expected: u32, deadline: Option<Instant>) -> bool {
        use rustix::thread::futex::{self, Flags, Timespec};
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return false;
        }
        // What does not fit is no deadline.
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        // Whatever ends it, the caller looks at the word and the time again.
        let _ = futex::wait(word, Flags::PRIVATE, expected, left.as_ref());
        true
    }

    /// Wakes a thread that sleeps on `word`, which was changed before.
    #[cfg(target_os = "linux")]
    pub fn wake_one(word: &AtomicU32) {
        use rustix::thread::futex::{self, Flags};
        // It fails only for an address that is none.
        let _ = futex::wake(word, Flags::PRIVATE, 1);
    }

    /// Sleeps as long as `word` is `expected`, until `wake_one` or the deadline; may return early. `false`: the deadline
    /// has come.
    #[cfg(not(target_os = "linux"))]
    pub fn wait_on(word: &AtomicU32, expected: u32, deadline: Option<Instant>) -> bool {
        let validate = || word.load(std::sync::atomic::Ordering::Acquire) == expected;
        // SAFETY: the key is the address of a word that lives while its thread is parked, which nothing else in the
        // process parks on, and neither callback panics or calls into parking_lot.
        let result = unsafe {
            let key = std::ptr::from_ref(word).addr();
            parking_lot_core::park(key, validate, || {}, |_, _| {}, parking_lot_core::DEFAULT_PARK_TOKEN, deadline)
        };
        result != parking_lot_core::ParkResult::TimedOut
    }

    /// Wakes a thread that sleeps on `word`, which was changed before.
    #[cfg(not(target_os = "linux"))]
    pub fn wake_one(word: &AtomicU32) {
        // SAFETY: as for `wait_on`.
        unsafe {
            let key = std::ptr::from_ref(word).addr();
            parking_lot_core::unpark_one(key, |_| parking_lot_core::DEFAULT_UNPARK_TOKEN);
        }
    }

    /// Parks the thread on `address` if `validate` still holds once nobody can unpark it unseen.
    pub fn park(address: usize, validate: impl FnOnce() -> bool) {
        // SAFETY: the key is the address of a header word in a live cell, which nothing else in the process parks on, and
        // neither callback panics or calls into parking_lot.
        unsafe {
            parking_lot_core::park(address, validate, || {}, |_, _| {}, parking_lot_core::DEFAULT_PARK_TOKEN, None);
        }
    }

    /// Wakes one thread parked on `address`; `before_wake` is told, with the queue locked, whether more are parked.
    pub fn unpark_one(address: usize, before_wake: impl FnOnce(bool)) {
        // SAFETY: as for `park`.
        unsafe {
            parking_lot_core::unpark_one(address, |result| {
                before_wake(result.have_more_threads);
                parking_lot_core::DEFAULT_UNPARK_TOKEN
            });
        }
    }
}

#[cfg(loom)]
mod model {
    pub use loom::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
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
