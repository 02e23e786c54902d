//! The locks of the runtime, which a `fork` finds free.
//!
//! A child process has the one thread that called `fork`, and the memory as it was then: a lock that another thread held
//! stays held for ever. So each thread counts the locks that it holds ([`gate`]), and who is about to fork closes the gate:
//! no thread takes a first lock from then on, and those that hold some go on until they hold none. The libraries' locks know
//! of no such thing, and those that keep their waiting threads in a table of the process have a lock there besides.
//!
//! All of them are words that threads sleep on by the system's futex, so nothing of a thread that is gone is left in one.

pub mod gate;
mod lot;
mod mutex;
pub mod once;
#[cfg(target_os = "linux")]
pub mod restrict;
#[cfg(not(target_os = "linux"))]
#[path = "no_restrict.rs"]
pub mod restrict;
mod rwlock;
mod sys;

pub use lot::{park, unpark_one};
pub use mutex::{Condvar, Mutex, MutexGuard, WaitTimeoutResult};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use sys::{wait_on, wake_all, wake_one};
