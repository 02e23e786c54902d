//! The owner ids of one heap: which are in use by a living thread, which are dead, and when a dead one is issued again.
//!
//! An id is issued again only after a full marking has cleared it from every live header (see `begin_cleaning`). When
//! ids run out, threads go without, and their objects are unowned.

use std::sync::{Arc, OnceLock};

use crate::header::{OWNER_MASK, OWNER_SHIFT, owner_of};
use crate::ranks::{self, Rank};
use crate::sync::{AtomicU64, Mutex, Ordering};
use crate::thread::ThreadState;

/// A model has a handful of ids, the heap all that fit the header.
#[cfg(loom)]
const IDS: usize = 64;
#[cfg(not(loom))]
const IDS: usize = 1 << 15;

/// Words of bits that every table has.
const FIRST_WORDS: usize = if IDS / 64 < 16 { IDS / 64 } else { 16 };

/// So many dead ids are worth the marker's looking at every owner field.
const CLEAN_WHEN_RETIRED: usize = 1024;

/// What is protected by the table's lock.
#[derive(Debug)]
struct Inner {
    /// Ids never issued start here.
    next: usize,
    /// Ids that a marking has freed.
    free: Vec<u16>,
    /// Dead ids that live headers may still carry.
    retired: Vec<u16>,
    /// Dead ids that the marking under way clears.
    cleaning: Vec<u16>,
    /// Living threads by id.
    threads: Vec<(u16, Arc<ThreadState>)>,
}

/// Maps owner ids to threads.
#[derive(Debug)]
pub struct OwnerTable {
    /// A bit for each id: issued to a living thread. Read without the lock.
    live: [AtomicU64; FIRST_WORDS],
    /// Those of the ids behind.
    more_live: OnceLock<Box<[AtomicU64]>>,
    inner: Mutex<Inner>,
}

impl Default for OwnerTable {
    fn default() -> Self {
        Self::new()
    }
}

impl OwnerTable {
    /// No id issued.
    #[must_use]
    pub fn new() -> Self {
        Self {
            live: std::array::from_fn(|_| AtomicU64::new(0)),
            more_live: OnceLock::new(),
            inner: Mutex::new(Inner {
                next: 1,
                free: Vec::new(),
                retired: Vec::new(),
                cleaning: Vec::new(),
                threads: Vec::new(),
            }),
        }
    }

    /// The word with the bit of an id; `None` if no id so high was ever issued.
    #[inline]
    fn word(&self, id: u16) -> Option<&AtomicU64> {
        let index = usize::from(id) / 64;
        match index.checked_sub(FIRST_WORDS) {
            None => Some(&self.live[index]),
            Some(behind) => self.more_live.get()?.get(behind),
        }
    }

    fn make_word(&self, id: u16) -> &AtomicU64 {
        let index = usize::from(id) / 64;
        match index.checked_sub(FIRST_WORDS) {
            None => &self.live[index],
            Some(behind) => {
                let more = || (FIRST_WORDS..IDS / 64).map(|_| AtomicU64::new(0)).collect();
                &self.more_live.get_or_init(more)[behind]
            }
        }
    }

    /// Issues an id to a thread; returns its owner bits, 0 when there is none left.
    pub fn issue(&self, thread: &Arc<ThreadState>) -> u64 {
        let _rank = ranks::acquire(Rank::Owners);
        let mut inner = self.inner.lock();
        let id = match inner.free.pop() {
            Some(id) => id,
            None if inner.next < IDS => {
                inner.next += 1;
                (inner.next - 1) as u16
            }
            None => return 0,
        };
        inner.threads.push((id, Arc::clone(thread)));
        self.make_word(id).fetch_or(1 << (id % 64), Ordering::AcqRel);
        u64::from(id) << OWNER_SHIFT
    }

    /// Declares the id in these owner bits dead. The caller is its thread (or acts for it), which will not use it any more:
    /// what it did to its objects happens before anybody sees the id dead.
    pub fn retire(&self, owner_bits: u64) {
        let id = owner_of(owner_bits);
        if id == 0 {
            return;
        }
        let _rank = ranks::acquire(Rank::Owners);
        let mut inner = self.inner.lock();
        inner.threads.retain(|entry| entry.0 != id);
        let bit = 1 << (id % 64);
        let old = self.make_word(id).fetch_and(!bit, Ordering::AcqRel);
        debug_assert_ne!(old & bit, 0, "an owner id is retired twice");
        if old & bit != 0 {
            inner.retired.push(id);
        }
    }

    /// Whether the header names an owner that lives. Unowned objects and those of dead ids are anybody's, under lock.
    #[inline]
    #[must_use]
    pub fn has_live_owner(&self, header: u64) -> bool {
        let id = owner_of(header);
        id != 0 && self.word(id).is_some_and(|word| word.load(Ordering::Acquire) & (1 << (id % 64)) != 0)
    }

    /// The living thread that has the id.
    #[must_use]
    pub fn thread(&self, header: u64) -> Option<Arc<ThreadState>> {
        let id = owner_of(header);
        let _rank = ranks::acquire(Rank::Owners);
        let inner = self.inner.lock();
        inner.threads.iter().find(|entry| entry.0 == id).map(|entry| Arc::clone(&entry.1))
    }

    /// Whether so many ids have died since the last cleaning that a major collection should make them available again.
    pub(crate) fn are_scarce(&self) -> bool {
        self.retired() > IDS / 4
    }

    /// How many dead ids wait for a marking.
    #[must_use]
    pub fn retired(&self) -> usize {
        let _rank = ranks::acquire(Rank::Owners);
        self.inner.lock().retired.len()
    }

    /// Before a full marking with the world stopped: whether it is to clear the owner of every live header whose owner
    /// is not live, so that the ids dead by now can be issued again.
    pub(crate) fn begin_cleaning(&self) -> bool {
        let _rank = ranks::acquire(Rank::Owners);
        let mut inner = self.inner.lock();
        if inner.retired.len() < CLEAN_WHEN_RETIRED {
            return false;
        }
        inner.cleaning = std::mem::take(&mut inner.retired);
        true
    }

    /// After that marking.
    pub(crate) fn end_cleaning(&self) {
        let _rank = ranks::acquire(Rank::Owners);
        let mut inner = self.inner.lock();
        let cleaned = std::mem::take(&mut inner.cleaning);
        inner.free.extend(cleaned);
    }

    /// Clears the owner of a live header if it is dead. Only while the world is stopped.
    #[inline]
    pub(crate) fn clean(&self, header: &AtomicU64) {
        let word = header.load(Ordering::Relaxed);
        if word & OWNER_MASK != 0 && !self.has_live_owner(word) {
            // A thread parked on the object's lock may set its bit meanwhile.
            header.fetch_and(!OWNER_MASK, Ordering::AcqRel);
        }
    }
}
