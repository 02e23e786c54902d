//! The lock of an unowned object: two bits of its header word. Held for a few instructions, or across a blocking region
//! in which its holder works on the object (see `Exclusive::blocking`).
//!
//! LOCKED is the lock, PARKED says that a thread is parked on the header's address. Whoever holds the lock changes other
//! bits of the header by read-modify-write only, since PARKED may be set at any time.

use std::time::{Duration, Instant};

use crate::header::{LOCKED, OWNER_MASK, PARKED};
use crate::owner::OwnerTable;
use crate::safepoint::World;
use crate::sync::{AtomicU64, Ordering, park, spin_hint, unpark_one};
use crate::thread::{POLL_HANDSHAKE, POLL_STOP, ThreadState};

/// Pauses before a thread that found the lock taken, and had found none taken lately, tries again: the lock is held for
/// tens of nanoseconds.
const PAUSES: u32 = 16;

/// Pauses between two looks at the clock of a thread that leaves a lock alone. Few looks leave the core to whoever runs on
/// its other half.
const LONG_PAUSES: u32 = 128;

/// How long a thread leaves a lock alone that is being fought for. Every try takes the cache line away from the holder:
/// threads that keep changing one object get through most when each has it to itself for hundreds of changes.
const LEAVE_ALONE: Duration = Duration::from_micros(100);

/// For how long after a wait a lock that is taken again counts as fought for.
const LATELY: Duration = Duration::from_millis(1);

/// Tries before the thread parks.
const TRIES: u32 = if cfg!(loom) { 1 } else { 4 };

/// What an attempt to lock ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    /// The lock is ours.
    Locked,
    /// Another thread has it.
    Busy,
    /// A living thread owns the object: it has to be claimed first.
    Owned,
}

/// The lock operations, on a header word.
#[derive(Clone, Copy, Debug)]
pub struct ObjectLock;

impl ObjectLock {
    #[inline]
    fn attempt(header: &AtomicU64, owners: &OwnerTable) -> Attempt {
        let mut word = header.load(Ordering::Relaxed);
        loop {
            if word & OWNER_MASK != 0 && owners.has_live_owner(word) {
                return Attempt::Owned;
            }
            if word & LOCKED != 0 {
                return Attempt::Busy;
            }
            // A dead owner's bits go at the first lock: later ones need not look the id up.
            let wanted = (word & !OWNER_MASK) | LOCKED;
            match header.compare_exchange_weak(word, wanted, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Attempt::Locked,
                Err(now) => word = now,
            }
        }
    }

    /// Takes the lock without waiting; `None` when a living thread owns the object, `Some(false)` when it is locked.
    #[inline]
    pub fn try_lock(header: &AtomicU64, owners: &OwnerTable) -> Option<bool> {
        match Self::attempt(header, owners) {
            Attempt::Locked => Some(true),
            Attempt::Busy => Some(false),
            Attempt::Owned => None,
        }
    }

    /// Takes the lock; `false` when a living thread owns the object. `me` is Running, and becomes Blocked to wait.
    #[must_use]
    pub fn lock(
        header: &AtomicU64,
        me: &ThreadState,
        world: &World,
        owners: &OwnerTable,
        stack_pointer: usize,
    ) -> bool {
        let mut tries = 0;
        loop {
            match Self::attempt(header, owners) {
                Attempt::Locked => break,
                Attempt::Owned => return false,
                Attempt::Busy => {}
            }
            if tries < TRIES {
                Self::back_off(me, tries);
                tries += 1;
                continue;
            }
            tries = 0;
            me.note_sleep();
            me.enter_blocked(world, stack_pointer);
            Self::park(header);
            me.leave_blocked(world);
        }
        true
    }

    /// Waits before the next try; longer when this thread has had to wait for a lock lately.
    #[cold]
    fn back_off(me: &ThreadState, tries: u32) {
        if cfg!(loom) {
            return spin_hint();
        }
        let found = Instant::now();
        if tries == 0 && !me.waited_since(found.checked_sub(LATELY)) {
            for _ in 0..PAUSES {
                spin_hint();
            }
        } else {
            let until = found + LEAVE_ALONE;
            while Instant::now() < until && me.poll_bits() & (POLL_STOP | POLL_HANDSHAKE) == 0 {
                for _ in 0..LONG_PAUSES {
                    spin_hint();
                }
            }
        }
        me.note_wait(Instant::now());
    }

    /// Parks until somebody unlocks, unless the lock is free already.
    fn park(header: &AtomicU64) {
        let mut word = header.load(Ordering::Relaxed);
        loop {
            if word & LOCKED == 0 {
                return;
            }
            if word & PARKED != 0 {
                break;
            }
            match header.compare_exchange_weak(word, word | PARKED, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => word = now,
            }
        }
        park(std::ptr::from_ref(header).addr(), || {
            header.load(Ordering::Relaxed) & (LOCKED | PARKED) == LOCKED | PARKED
        });
    }

    /// Releases the lock to this owner, who had the object before; `false`, and nothing done, if somebody waits for it.
    #[must_use]
    pub fn unlock_to(header: &AtomicU64, owner: u64) -> bool {
        let word = header.load(Ordering::Relaxed);
        debug_assert!(word & LOCKED != 0 && word & OWNER_MASK == 0);
        // PARKED may be set at any time until LOCKED is gone.
        word & PARKED == 0
            && header.compare_exchange(word, word & !LOCKED | owner, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// Releases the lock.
    #[inline]
    pub fn unlock(header: &AtomicU64) {
        let mut word = header.load(Ordering::Relaxed);
        debug_assert_ne!(word & LOCKED, 0, "an object that is not locked is unlocked");
        while word & PARKED == 0 {
            match header.compare_exchange_weak(word, word & !LOCKED, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => word = now,
            }
        }
        Self::unlock_parked(header);
    }

    #[cold]
    fn unlock_parked(header: &AtomicU64) {
        unpark_one(std::ptr::from_ref(header).addr(), |more| {
            // PARKED stays while others are parked; only the holder (us) and the parking lot's queue lock change it.
            let cleared = if more { LOCKED } else { LOCKED | PARKED };
            header.fetch_and(!cleared, Ordering::Release);
        });
    }
}
