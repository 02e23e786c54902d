//! The primitives of the protocol: the real ones, or loom's when the crate is model-checked.

#[cfg(not(loom))]
pub(crate) use asterism_lock::{Mutex, RwLock};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64};
#[cfg(loom)]
pub(crate) use model::{Mutex, RwLock};

#[cfg(loom)]
mod model {
    use loom::sync::{MutexGuard, RwLockReadGuard, RwLockWriteGuard};

    /// loom's mutex without poisoning.
    pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(loom::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().expect("loom mutexes are not poisoned")
        }
    }

    /// loom's lock for readers and a writer without poisoning.
    pub(crate) struct RwLock<T>(loom::sync::RwLock<T>);

    impl<T> RwLock<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(loom::sync::RwLock::new(value))
        }

        pub(crate) fn read(&self) -> RwLockReadGuard<'_, T> {
            self.0.read().expect("loom locks are not poisoned")
        }

        pub(crate) fn write(&self) -> RwLockWriteGuard<'_, T> {
            self.0.write().expect("loom locks are not poisoned")
        }
    }
}
