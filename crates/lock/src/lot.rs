//! Parking: threads that sleep on an address whose word has no room for them.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::mutex::Mutex;
use crate::sys;

/// How many queues there are; addresses share them.
const QUEUES: usize = 64;

/// A thread that is parked. On its stack: a queue takes no memory, which would be one thread's or another's.
struct Sleeper {
    address: usize,
    /// 1 until it is woken.
    asleep: AtomicU32,
    /// The next one in the queue; null for the last. Protected by the queue's lock.
    next: Cell<*const Sleeper>,
}

/// The first of a queue; null if it is empty.
struct First(*const Sleeper);

// SAFETY: what is in a queue stays in its thread's `park`, and is reached under the queue's lock only, but for the word, an
// atomic.
unsafe impl Send for First {}

static LOT: [Mutex<First>; QUEUES] = [const { Mutex::new(First(ptr::null())) }; QUEUES];

fn queue(address: usize) -> &'static Mutex<First> {
    // Cells of one size have addresses a multiple of it apart: the upper half of a product depends on all bits.
    let mixed = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    &LOT[mixed as usize % QUEUES]
}

/// Parks the thread on `address` if `validate` still holds once nobody can unpark it unseen.
pub fn park(address: usize, validate: impl FnOnce() -> bool) {
    let me = Sleeper { address, asleep: AtomicU32::new(1), next: Cell::new(ptr::null()) };
    {
        let mut queue = queue(address).lock();
        if !validate() {
            return;
        }
        let mut last = queue.0;
        // SAFETY: what is in the queue lives, and its links are protected by the lock held here.
        unsafe {
            while let Some(sleeper) = last.as_ref() {
                if sleeper.next.get().is_null() {
                    break;
                }
                last = sleeper.next.get();
            }
            match last.as_ref() {
                Some(last) => last.next.set(&raw const me),
                None => queue.0 = &raw const me,
            }
        }
    }
    while me.asleep.load(Ordering::Acquire) == 1 {
        sys::wait_on(&me.asleep, 1, None);
    }
}

/// Wakes the thread that has been parked on `address` longest; `before_wake` is told, with the queue locked, whether more are
/// parked.
pub fn unpark_one(address: usize, before_wake: impl FnOnce(bool)) {
    let mut queue = queue(address).lock();
    let (mut before, mut at): (*const Sleeper, _) = (ptr::null(), queue.0);
    let (mut found, mut more): (*const Sleeper, _) = (ptr::null(), false);
    // SAFETY: what is in the queue lives until it is woken below, and its links are protected by the lock held here.
    unsafe {
        while let Some(sleeper) = at.as_ref() {
            let next = sleeper.next.get();
            if sleeper.address == address && found.is_null() {
                found = at;
                match before.as_ref() {
                    Some(before) => before.next.set(next),
                    None => queue.0 = next,
                }
            } else {
                more |= sleeper.address == address;
                before = at;
            }
            at = next;
        }
        before_wake(more);
        if let Some(sleeper) = found.as_ref() {
            // With this its thread may leave `park`: the word is then an address that threads may sleep on for other reasons,
            // and look again.
            let word = &raw const sleeper.asleep;
            (*word).store(0, Ordering::Release);
            sys::wake_one(&*word);
        }
    }
}

/// In a new process, which the parked threads are not part of.
pub(crate) fn forget_all() {
    for queue in &LOT {
        queue.lock().0 = ptr::null();
    }
}
