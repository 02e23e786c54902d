//! What threads sleep on: a word in memory.

use std::sync::atomic::AtomicU32;
use std::time::Instant;

/// Sleeps as long as `word` is `expected`, until somebody wakes those who sleep on it or the deadline; may return early.
/// `false`: the deadline has come.
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
    wake(word, 1);
}

/// Wakes all threads that sleep on `word`, which was changed before.
#[cfg(target_os = "linux")]
pub fn wake_all(word: &AtomicU32) {
    wake(word, i32::MAX as u32);
}

#[cfg(target_os = "linux")]
fn wake(word: &AtomicU32, most: u32) {
    use rustix::thread::futex::{self, Flags};
    // It fails only for an address that is none.
    let _ = futex::wake(word, Flags::PRIVATE, most);
}

/// Sleeps as long as `word` is `expected`, until somebody wakes those who sleep on it or the deadline; may return early.
/// `false`: the deadline has come.
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

/// Wakes all threads that sleep on `word`, which was changed before.
#[cfg(not(target_os = "linux"))]
pub fn wake_all(word: &AtomicU32) {
    // SAFETY: as for `wait_on`.
    unsafe {
        let key = std::ptr::from_ref(word).addr();
        parking_lot_core::unpark_all(key, parking_lot_core::DEFAULT_UNPARK_TOKEN);
    }
}
