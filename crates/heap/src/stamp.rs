//! Stamped caches: how what a call site remembers is known to hold, without a lock to read it.
//!
//! A class has a *stamp*, a number that is given out once and is 0 while nothing depends on it. A lookup reads the stamp
//! first, giving the class one if it has none, and stores it beside what it found; a change of the class is made first
//! and then clears the stamp. So an entry whose stamp is the class's was looked up after the last change. A site leads to
//! an immutable cell of entries, which is replaced whole.

use crate::sync::{AtomicU64, Ordering};

/// The class's stamp; 0: nothing was remembered since the last change.
#[inline(always)]
pub fn current(stamp: &AtomicU64) -> u64 {
    stamp.load(Ordering::Acquire)
}

/// The class's stamp for a lookup that follows; `fresh` gives a number that was never given out.
pub fn ensure(stamp: &AtomicU64, fresh: impl FnOnce() -> u64) -> u64 {
    let now = current(stamp);
    if now != 0 {
        return now;
    }
    let fresh = fresh();
    match stamp.compare_exchange(0, fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => fresh,
        Err(other) => other,
    }
}

/// The class has been changed: everything remembered of it misses from here on.
pub fn clear(stamp: &AtomicU64) {
    // An exchange, so that it has its place in one order with those of `ensure`.
    stamp.swap(0, Ordering::AcqRel);
}

/// What a site leads to; 0: nothing.
#[inline(always)]
pub fn published(site: &AtomicU64) -> u64 {
    site.load(Ordering::Acquire)
}

/// Makes a finished cell what a site leads to.
pub fn publish(site: &AtomicU64, cell: u64) {
    site.store(cell, Ordering::Release);
}
