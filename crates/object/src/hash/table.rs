//! The entries of a Hash, in insertion order, with an index for more than eight.
//!
//! ```text
//! HashTable [hdr][capacity][used, live][first, changed, known, index bits]
//!           [hash, key, value] × capacity
//!           [u32 × 2^index bits]           (0: free; n: entry n-1)
//! ```
//!
//! Entries are only ever appended; deleting one makes its key `undef` and leaves its value. So a
//! reader without a lock that found a key reads a value that belonged to it, and an entry that an
//! index or `used` reveals is complete. A full table is replaced by a new one.
//!
//! A collection notes how many entries it has traced (`known`), and who exchanges the value of one says so (`changed`): in a table
//! that has only grown since, minor collections trace what is new.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use asterism_heap::{Cell, Marker, Mutator, keep_alive};

use crate::builtin::mix;
use crate::cells::{self, Obj, number, number_of};
use crate::error::{ObjError, Result};
use crate::types::Type;
use crate::value::Value;

const COUNTS: usize = 0;
const HINTS: usize = 1;
const ENTRIES: usize = 2;
const ENTRY: usize = 3;
/// Tables up to this size are searched from end to end.
pub(super) const SMALL: usize = 8;
/// Tables with more entries than this are filled and copied while the thread counts as stopped.
pub(super) const LONG: usize = 1 << 13;
/// Most entries of a table: their numbers fit the index, and the hints.
const MAX: usize = 1 << 29;
/// The hints are bits of one word: a position before which all entries are deleted,
const FIRST_BITS: u32 = 30;
/// whether a value was exchanged since the last collection,
const CHANGED: u64 = 1 << FIRST_BITS;
/// how many entries that one has traced, in units of `KNOWN_UNIT`,
const KNOWN_SHIFT: u32 = FIRST_BITS + 1;
const KNOWN_UNIT: usize = 4;
const KNOWN_MASK: u64 = (1 << (INDEX_SHIFT - KNOWN_SHIFT)) - 1;
/// and log2 of the index's places.
const INDEX_SHIFT: u32 = 59;

/// A table, possibly none (an empty Hash has 0).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Table(pub(super) Value);

impl Table {
    pub(super) const NONE: Table = Table(Value::NULL);

    /// A table with room for `capacity` entries, empty.
    pub(super) fn new(m: &mut Mutator, capacity: usize) -> Result<Table> {
        let (capacity, bits) = if capacity <= SMALL {
            // An odd number of words fills its cell; one step keeps tiny tables tiny.
            (
                if capacity <= 2 {
                    2
                } else if capacity <= 4 {
                    4
                } else {
                    SMALL
                },
                0,
            )
        } else if capacity <= MAX {
            let capacity = capacity.next_power_of_two();
            (capacity, capacity.trailing_zeros() + 1)
        } else {
            return Err(ObjError::TooBig("hash too big"));
        };
        let index_words = if bits == 0 { 0 } else { 1 << (bits - 1) };
        let words = ENTRIES + ENTRY * capacity + index_words;
        let object = cells::alloc(m, Type::HashTable, 0, number(capacity), words)?;
        object.word(COUNTS).store(0, Ordering::Relaxed);
        object.word(HINTS).store(u64::from(bits) << INDEX_SHIFT, Ordering::Relaxed);
        let table = Table(object.0);
        let first_word = ENTRIES + ENTRY * capacity;
        let clear = || (0..index_words).for_each(|i| table.word(first_word + i).store(0, Ordering::Relaxed));
        if index_words > LONG {
            m.computing(clear);
            keep_alive(table.0.bits());
        } else {
            clear();
        }
        Ok(table)
    }

    #[inline(always)]
    pub(super) fn object(&self) -> Obj {
        Obj::of(self.0, Type::HashTable)
    }

    #[inline(always)]
    fn word(&self, i: usize) -> &AtomicU64 {
        // SAFETY: a `Table` other than NONE, which callers sort out, is a live HashTable cell, and
        // word numbers come from its layout.
        unsafe { (*self.0.ptr::<Cell>()).word(i) }
    }

    /// The index, which lies behind the entries and has 2^bits places. Once others know the table it is only accessed in halves of words.
    #[inline(always)]
    fn places(&self) -> *const AtomicU32 {
        let base = ENTRIES + ENTRY * self.capacity();
        std::ptr::from_ref(self.word(base)).cast()
    }

    #[inline(always)]
    pub(super) fn is_none(self) -> bool {
        self.0.bits() == 0
    }

    #[inline(always)]
    pub(super) fn capacity(self) -> usize {
        if self.is_none() { 0 } else { number_of(self.object().cell()) }
    }

    /// Entries appended so far (deleted ones included), and live ones.
    #[inline(always)]
    pub(super) fn counts(self) -> (usize, usize) {
        if self.is_none() {
            return (0, 0);
        }
        let word = self.word(COUNTS).load(Ordering::Acquire);
        (word as u32 as usize, (word >> 32) as usize)
    }

    pub(super) fn set_counts(self, used: usize, live: usize) {
        self.word(COUNTS).store(used as u64 | (live as u64) << 32, Ordering::Release);
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        (self.word(HINTS).load(Ordering::Relaxed) >> INDEX_SHIFT) as u32
    }

    /// A position before which all entries are deleted.
    pub(super) fn first(self) -> usize {
        if self.is_none() { 0 } else { first_in(self.word(HINTS).load(Ordering::Relaxed)) }
    }

    pub(super) fn set_first(self, first: usize) {
        let others = self.word(HINTS).load(Ordering::Relaxed) >> FIRST_BITS << FIRST_BITS;
        self.word(HINTS).store(others | first as u64, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn hash(self, entry: usize) -> u64 {
        self.word(ENTRIES + ENTRY * entry).load(Ordering::Relaxed)
    }

    /// The key; undef once deleted.
    #[inline(always)]
    pub(super) fn key(self, entry: usize) -> Value {
        self.object().value(ENTRIES + ENTRY * entry + 1)
    }

    #[inline(always)]
    pub(super) fn value(self, entry: usize) -> Value {
        self.object().value(ENTRIES + ENTRY * entry + 2)
    }

    #[inline(always)]
    pub(super) fn set_value(self, entry: usize, v: Value) {
        let hints = self.word(HINTS);
        hints.store(hints.load(Ordering::Relaxed) | CHANGED, Ordering::Relaxed);
        cells::store(self.object().cell(), self.word(ENTRIES + ENTRY * entry + 2), v);
    }

    /// The first entry whose hash is `hash` and whose key `same` accepts.
    #[inline(always)]
    pub(super) fn find(self, hash: u64, mut same: impl FnMut(Value) -> bool) -> Option<usize> {
        let mut probe = Probe::new(self, hash);
        while let Some((entry, key)) = probe.next() {
            if same(key) {
                return Some(entry);
            }
        }
        None
    }

    /// The entry whose key is the immediate `key`, or in an identity hash the object `key`. In a
    /// small table the keys alone decide.
    #[inline(always)]
    pub(super) fn find_same(self, key: Value) -> Option<usize> {
        if self.is_none() {
            return None;
        }
        if self.bits() == 0 {
            let used = self.counts().0;
            return (0..used).find(|&entry| self.key(entry) == key);
        }
        self.find(mix(key.bits()), |candidate| candidate == key)
    }

    /// Appends an entry; there must be room.
    #[inline(always)]
    pub(super) fn append(self, hash: u64, key: Value, value: Value) {
        let (used, live) = self.counts();
        self.put(used, hash, key, value);
        self.set_counts(used + 1, live + 1);
    }

    /// Writes an entry that the counts do not include yet.
    #[inline(always)]
    pub(super) fn put(self, entry: usize, hash: u64, key: Value, value: Value) {
        debug_assert!(entry < self.capacity());
        self.word(ENTRIES + ENTRY * entry).store(hash, Ordering::Relaxed);
        let cell = self.object();
        cells::store(cell.cell(), self.word(ENTRIES + ENTRY * entry + 1), key);
        cells::store(cell.cell(), self.word(ENTRIES + ENTRY * entry + 2), value);
        let bits = self.bits();
        if bits != 0 {
            let mask = (1usize << bits) - 1;
            let mut i = hash as usize & mask;
            let places = self.places();
            // SAFETY: a place of the index: `i` is masked.
            let place = |i: usize| unsafe { &*places.add(i) };
            while place(i).load(Ordering::Relaxed) != 0 {
                i = (i + 1) & mask;
            }
            place(i).store(entry as u32 + 1, Ordering::Release);
        }
    }

    /// Deletes an entry; its value.
    pub(super) fn delete(self, entry: usize) -> Value {
        let value = self.value(entry);
        self.word(ENTRIES + ENTRY * entry + 1).store(Value::UNDEF.bits(), Ordering::Release);
        let (used, live) = self.counts();
        self.set_counts(used, live - 1);
        if entry == self.first() {
            let next = (entry + 1..used).find(|&e| !self.key(e).is_undef()).unwrap_or(used);
            self.set_first(next);
        }
        value
    }

    /// Is there room for one more?
    #[inline(always)]
    pub(super) fn has_room(self) -> bool {
        self.counts().0 < self.capacity()
    }

    /// The capacity of the table that replaces this one when it is full.
    pub(super) fn next_capacity(self) -> usize {
        let live = self.counts().1;
        if live == 0 { 2 } else { (live + live / 2 + 1).max(live + 1) }
    }

    /// Writes the live entries of `other`, with what `rehash` makes of hash and key, to this table, which has none and room
    /// for them. They are not to be seen, by the collector neither, before `reveal` is told their number, which is returned.
    pub(super) fn fill(self, other: Table, rehash: impl Fn(u64, Value) -> u64) -> usize {
        let mut filled = 0;
        other.each(|hash, key, value| {
            self.put(filled, rehash(hash, key), key, value);
            filled += 1;
        });
        filled
    }

    /// So many entries have been filled in.
    pub(super) fn reveal(self, filled: usize) {
        if filled > 0 {
            self.set_counts(filled, filled);
        }
    }

    /// Calls `f` for the live entries in order.
    pub(super) fn each(self, mut f: impl FnMut(u64, Value, Value)) {
        self.each_from(self.first(), &mut f);
    }

    /// The same from an entry on.
    #[inline(always)]
    fn each_from(self, from: usize, f: &mut impl FnMut(u64, Value, Value)) {
        for entry in from..self.counts().0 {
            let key = self.key(entry);
            if !key.is_undef() {
                f(self.hash(entry), key, self.value(entry));
            }
        }
    }

    /// Marks the live entries, or those that may not be marked yet.
    pub(super) fn trace(cell: &Cell, marker: &mut Marker) {
        let table = Table(Value::from_cell(cell));
        let hints = table.word(HINTS).load(Ordering::Relaxed);
        let known = if marker.is_again() && hints & CHANGED == 0 { known_in(hints) } else { 0 };
        table.each_from(known.max(first_in(hints)), &mut |_, key, value| {
            marker.mark(key.bits());
            marker.mark(value.bits());
        });
        if marker.marks() {
            table.note_traced(hints);
        }
    }

    /// All entries have been traced. The world is stopped; another thread that traces the table has the same to write.
    fn note_traced(self, hints: u64) {
        let known = ((self.counts().0 / KNOWN_UNIT) as u64).min(KNOWN_MASK);
        let noted = hints & !(CHANGED | KNOWN_MASK << KNOWN_SHIFT) | known << KNOWN_SHIFT;
        if noted != hints {
            self.word(HINTS).store(noted, Ordering::Relaxed);
        }
    }
}

/// A position before which all entries are deleted, by the hints.
#[inline(always)]
fn first_in(hints: u64) -> usize {
    (hints & (CHANGED - 1)) as usize
}

/// How many entries the last collection has traced, by the hints.
fn known_in(hints: u64) -> usize {
    (hints >> KNOWN_SHIFT & KNOWN_MASK) as usize * KNOWN_UNIT
}

/// A walk over the entries that have a given hash.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    table: Table,
    hash: u64,
    at: usize,
    /// Entries there were (a small table) or the index's mask.
    limit: usize,
    /// The index; null in a small table.
    places: *const AtomicU32,
}

impl Probe {
    #[inline(always)]
    pub(super) fn new(table: Table, hash: u64) -> Probe {
        if table.is_none() {
            return Probe { table, hash, at: 0, limit: 0, places: std::ptr::null() };
        }
        let bits = table.bits();
        if bits == 0 {
            Probe { table, hash, at: 0, limit: table.counts().0, places: std::ptr::null() }
        } else {
            let limit = (1usize << bits) - 1;
            Probe { table, hash, at: hash as usize & limit, limit, places: table.places() }
        }
    }

    /// The next live entry with the hash.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(usize, Value)> {
        loop {
            let entry = if self.places.is_null() {
                if self.at >= self.limit {
                    return None;
                }
                self.at += 1;
                self.at - 1
            } else {
                // SAFETY: the table's index, and a place of it: `at` is masked.
                let number = unsafe { &*self.places.add(self.at) }.load(Ordering::Acquire);
                if number == 0 {
                    return None;
                }
                self.at = (self.at + 1) & self.limit;
                number as usize - 1
            };
            if self.table.hash(entry) == self.hash {
                let key = self.table.key(entry);
                if !key.is_undef() {
                    return Some((entry, key));
                }
            }
        }
    }
}
