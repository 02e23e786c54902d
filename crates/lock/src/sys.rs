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

/// Each other thread of the process has passed a full memory barrier when this returns.
#[cfg(target_os = "linux")]
pub(crate) fn barrier() {
    use rustix::thread::{MembarrierCommand, membarrier};
    // The first time, the process has to say that it is going to ask for that.
    let done = membarrier(MembarrierCommand::PrivateExpedited).or_else(|_| {
        membarrier(MembarrierCommand::RegisterPrivateExpedited)?;
        membarrier(MembarrierCommand::PrivateExpedited)
    });
    if done.is_err() {
        interrupt_all();
    }
}

/// `barrier` where the kernel has no call for that (before 4.14): when less may be done with a page that was written, the processors
/// of all threads are interrupted.
#[cfg(target_os = "linux")]
#[cold]
fn interrupt_all() {
    use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
    const SIZE: usize = 4096;
    // SAFETY: the page is mapped, written, and unmapped here; nobody else knows it.
    let done = unsafe {
        mmap_anonymous(std::ptr::null_mut(), SIZE, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE).and_then(
            |page| {
                page.cast::<u8>().write_volatile(1);
                mprotect(page, SIZE, MprotectFlags::READ)?;
                munmap(page, SIZE)
            },
        )
    };
    // Without either nothing is known of what other threads do: no fork can be made that is sure to work.
    if done.is_err() {
        std::process::abort();
    }
}

/// Elsewhere threads have one of their own (`gate::briefly`).
#[cfg(not(target_os = "linux"))]
pub(crate) fn barrier() {}

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
