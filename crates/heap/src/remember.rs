//! Generations and the write barrier.
//!
//! An object that a collection has found alive is *old*: its mark stays through minor collections, which trace what is
//! young, and of the old only what may have got a reference since. Its header says so ([`OLD`]) until a mutator
//! *remembers* it: clears the bit and notes the object in its own remembered set. The bit lies under the mask of the
//! comparison by which an owner finds that it may store at once, so that the barrier costs nothing there; who is not let
//! through finds out in the slow path whether it has to claim the object or to remember it. A collection traces what was
//! remembered and sets the bit again, so that it is set in a header only if nothing young is in the object.
//!
//! The header word belongs to the owner, who changes it by plain stores; that of an unowned object to whoever has its lock.
//! So an object is remembered under the very right under which the reference is stored, and a claim between the two
//! (the owner clears its id at its next safepoint) finds the bit clear or leaves it to the next thread's lock.

use crate::header::OLD;
use crate::sync::{AtomicU64, Ordering};

/// How the stores of references to cells of a type are known to minor collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// There are none after the first safepoint in the cell's life, but for such whose target is told to
    /// `Mutator::remember_target`.
    None,
    /// Under `Exclusive`, or after a comparison with [`crate::header::WRITER_MASK`]: the cell is remembered.
    Guarded,
    /// It is a part of another cell, by whose right it is changed: it is traced whenever that one is (`Marker::mark_part`).
    Part,
    /// Nobody knows of them: an old cell is traced by every minor collection.
    Anywhere,
}

/// The owner, who has just loaded the header, remembers its object.
#[inline]
pub fn by_owner(header: &AtomicU64, word: u64) {
    // Nobody else changes the header while there is an owner.
    header.store(word & !OLD, Ordering::Release);
}

/// Whoever holds the object's lock remembers it; whether it was to be remembered.
#[inline]
pub fn under_lock(header: &AtomicU64) -> bool {
    // Others may set PARKED at any time.
    header.load(Ordering::Relaxed) & OLD != 0 && header.fetch_and(!OLD, Ordering::AcqRel) & OLD != 0
}

#[cfg(not(loom))]
pub(crate) use set::RememberedSet;

#[cfg(not(loom))]
mod set {
    use std::cell::UnsafeCell;

    use crate::header::{Cell, OLD};
    use crate::remember::by_owner;
    use crate::sync::Ordering;

    /// Entries at which a mutator asks for a collection: the same target may be remembered any number of times.
    const MANY: usize = 1 << 16;
    /// Tag of an entry that is the target of a reference.
    const TARGET: u64 = 1;

    /// What one mutator has remembered since the last collection. Touched by that mutator's thread while it is Running, and
    /// by the collector while the world is stopped: a thread that stops hands over all it has done.
    #[derive(Debug, Default)]
    pub(crate) struct RememberedSet {
        entries: UnsafeCell<Vec<u64>>,
    }

    // SAFETY: see the struct: at any time one thread at most may use the entries.
    unsafe impl Sync for RememberedSet {}

    impl RememberedSet {
        /// Notes an entry; `false` if there is no memory for it. Whether it is time to collect in the pair.
        ///
        /// # Safety
        /// The caller's thread is the set's mutator's, and Running; or the world is stopped and the caller stopped it.
        unsafe fn push(&self, entry: u64) -> (bool, bool) {
            // SAFETY: the caller's contract; the borrow ends here.
            let entries = unsafe { &mut *self.entries.get() };
            if entries.len() == entries.capacity() && entries.try_reserve(entries.len().max(64)).is_err() {
                return (false, true);
            }
            entries.push(entry);
            (true, entries.len().is_multiple_of(MANY))
        }

        /// Notes an object that a reference is stored in. As `push`.
        ///
        /// # Safety
        /// As `push`.
        pub(crate) unsafe fn push_source(&self, address: u64) -> (bool, bool) {
            // SAFETY: the caller's contract.
            unsafe { self.push(address) }
        }

        /// Remembers an object that nobody but the set's thread knows, if it is old. As `push`.
        ///
        /// # Safety
        /// As `push`.
        #[inline]
        pub(crate) unsafe fn remember_private(&self, cell: &Cell) -> (bool, bool) {
            let header = cell.header.load(Ordering::Relaxed);
            if header & OLD == 0 {
                return (true, false);
            }
            by_owner(&cell.header, header);
            // SAFETY: the caller's contract.
            unsafe { self.push_source(cell.address()) }
        }

        /// Notes an object that a reference to is stored somewhere. As `push`.
        ///
        /// # Safety
        /// As `push`.
        pub(crate) unsafe fn push_target(&self, address: u64) -> (bool, bool) {
            // SAFETY: the caller's contract.
            unsafe { self.push(address | TARGET) }
        }

        /// Takes all entries.
        ///
        /// # Safety
        /// As `push`.
        pub(crate) unsafe fn take(&self) -> Vec<u64> {
            // SAFETY: the caller's contract.
            std::mem::take(unsafe { &mut *self.entries.get() })
        }
    }

    /// The object of an entry, and whether it is the target of a reference.
    pub(crate) fn entry(entry: u64) -> (u64, bool) {
        (entry & !TARGET, entry & TARGET != 0)
    }
}

#[cfg(not(loom))]
pub(crate) use set::entry;
