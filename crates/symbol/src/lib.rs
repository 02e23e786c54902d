//! The process's symbol table: names to small integers and back.
//!
//! Symbols are process-wide and never collected (DESIGN §2), so a [`Sym`] may be kept anywhere and
//! compared across VMs. Looking a name *up* by its number takes no lock: numbers lead into
//! append-only segments that are never moved. Interning takes a shard's lock.
//!
//! This is the first of the few places that hold process-wide mutable state.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use asterism_lock::RwLock;

mod hash;
mod known;
use hash::hash;
pub use known::sym;

/// A symbol: an index into the process's table. `Sym(0)` is the empty name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Sym(pub u32);

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name's bytes.
    pub bytes: &'static [u8],
    /// The encoding index of `asterism-support::encoding` (US-ASCII for pure ASCII names).
    pub encoding: u8,
}

/// The first segment's length; each is as long as all before it and the first one together.
const FIRST: usize = 1 << 12;
const SEGMENTS: usize = 13;
const SHARDS: usize = 16;
/// Places in a shard at first: enough for the names of the core library.
const PLACES: usize = 512;

/// Most symbols a process may have.
pub const MAX_SYMBOLS: usize = FIRST * ((1 << SEGMENTS) - 1);

/// A name, written once, before its number is published through a shard: the length shifted left by eight bits and the
/// encoding first, then the address of the bytes. All zero, a slot is unused.
#[derive(Default)]
struct Slot {
    size: AtomicU64,
    bytes: AtomicPtr<u8>,
}

/// Open addressing. A place is 0 or the upper half of a name's hash and its number plus one.
struct Shard {
    places: Box<[u64]>,
    used: usize,
}

struct Table {
    /// Written once each, on first use of a segment.
    segments: [OnceLock<Box<[Slot]>>; SEGMENTS],
    next: AtomicU32,
    /// What hashes are made with, so that nobody outside can know which names collide.
    seed: u64,
    shards: [RwLock<Shard>; SHARDS],
}

/// Encoding index of BINARY (ASCII-8BIT) in the process's encoding table.
pub const BINARY: u8 = 0;
/// Encoding index of US-ASCII in the process's encoding table.
pub const US_ASCII: u8 = 2;
/// Encoding index of UTF-8 in the process's encoding table.
pub const UTF_8: u8 = 1;
/// The encodings, a bit each by its index, in which ASCII's bytes may mean something else: UTF-16 and -32, and the dummy
/// ones. Names in them keep their encoding.
pub const ASCII_INCOMPATIBLE: u128 = 0x3f << 3 | 1 << 78 | 0xf << 85 | 1 << 94 | 1 << 99;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let table = Table {
            segments: [const { OnceLock::new() }; SEGMENTS],
            next: AtomicU32::new(0),
            seed: RandomState::new().hash_one(0),
            shards: std::array::from_fn(|_| RwLock::new(Shard { places: vec![0; PLACES].into(), used: 0 })),
        };
        for (number, name) in known::NAMES.iter().enumerate() {
            let made = table.intern_static(name.as_bytes(), US_ASCII);
            debug_assert_eq!(made.map(|s| s.0 as usize), Some(number), "{name} is listed twice");
        }
        table
    })
}

impl Shard {
    /// Where the name with this hash is that `is_it` accepts, or the place for it.
    fn find(&self, hash: u64, is_it: impl Fn(Sym) -> bool) -> Result<Sym, usize> {
        let mask = self.places.len() - 1;
        let mut i = (hash >> 32) as usize & mask;
        loop {
            let place = self.places[i];
            let Some(number) = (place as u32).checked_sub(1) else {
                return Err(i);
            };
            if place >> 32 == hash >> 32 && is_it(Sym(number)) {
                return Ok(Sym(number));
            }
            i = (i + 1) & mask;
        }
    }

    /// Puts a new name into the place that `find` gave.
    fn put(&mut self, at: usize, hash: u64, sym: Sym) {
        self.places[at] = (hash & !0xffff_ffff) | u64::from(sym.0 + 1);
        self.used += 1;
        if self.used * 4 < self.places.len() * 3 {
            return;
        }
        let bigger = vec![0; self.places.len() * 2].into();
        for place in std::mem::replace(&mut self.places, bigger) {
            if place != 0
                && let Err(free) = self.find(place, |_| false)
            {
                self.places[free] = place;
            }
        }
    }
}

impl Table {
    /// The segment and the place in it that hold name `number`.
    fn place(number: u32) -> (usize, usize) {
        let n = number as usize + FIRST;
        let segment = (n / FIRST).ilog2() as usize;
        (segment, n - (FIRST << segment))
    }

    fn slot(&self, number: u32) -> Option<&Slot> {
        let (segment, at) = Table::place(number);
        self.segments.get(segment)?.get()?.get(at)
    }

    fn name(&self, sym: Sym) -> Name {
        let empty = Name { bytes: b"", encoding: US_ASCII };
        let Some(slot) = self.slot(sym.0) else { return empty };
        let bytes = slot.bytes.load(Ordering::Acquire);
        if bytes.is_null() {
            return empty;
        }
        let size = slot.size.load(Ordering::Relaxed);
        // SAFETY: the address was stored behind the size, once, with that of bytes that live as long as the process
        // and that many of them.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, (size >> 8) as usize) };
        Name { bytes, encoding: size as u8 }
    }

    fn find(&self, bytes: &[u8], encoding: u8) -> Option<Sym> {
        let hash = hash(self.seed, bytes);
        let encoding = encoding_of(bytes, encoding);
        let is_it = |sym| {
            let name = self.name(sym);
            name.bytes == bytes && name.encoding == encoding
        };
        self.shards[shard_of(hash)].read().find(hash, is_it).ok()
    }

    fn intern(&self, bytes: &[u8], encoding: u8) -> Option<Sym> {
        self.find(bytes, encoding).or_else(|| self.intern_static(bytes.to_vec().leak(), encoding))
    }

    fn intern_static(&self, bytes: &'static [u8], encoding: u8) -> Option<Sym> {
        let name = Name { bytes, encoding: encoding_of(bytes, encoding) };
        let hash = hash(self.seed, bytes);
        let mut shard = self.shards[shard_of(hash)].write();
        let at = match shard.find(hash, |sym| self.name(sym) == name) {
            Ok(sym) => return Some(sym),
            Err(at) => at,
        };
        let number = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| ((n as usize) < MAX_SYMBOLS).then_some(n + 1))
            .ok()?;
        let (segment, place) = Table::place(number);
        let slot = &self.segments[segment].get_or_init(|| new_segment(FIRST << segment))[place];
        slot.size.store((bytes.len() as u64) << 8 | u64::from(name.encoding), Ordering::Relaxed);
        slot.bytes.store(bytes.as_ptr().cast_mut(), Ordering::Release);
        shard.put(at, hash, Sym(number));
        Some(Sym(number))
    }
}

/// A segment of unused slots. Most are never touched, and so cost no memory before they are used.
fn new_segment(length: usize) -> Box<[Slot]> {
    // SAFETY: all zero is a valid `Slot`: atomic words, one of them a null address.
    unsafe { Box::new_zeroed_slice(length).assume_init() }
}

fn encoding_of(bytes: &[u8], encoding: u8) -> u8 {
    if bytes.is_ascii() && ASCII_INCOMPATIBLE >> encoding & 1 == 0 { US_ASCII } else { encoding }
}

fn shard_of(hash: u64) -> usize {
    hash as usize % SHARDS
}

/// The symbol of `name`, made if it is new.
///
/// # Panics
/// When the process has [`MAX_SYMBOLS`] already; [`try_intern`] tells instead.
pub fn intern(name: &str) -> Sym {
    try_intern(name.as_bytes(), UTF_8).expect("too many symbols")
}

/// As [`intern`] for a name that need not be copied.
///
/// # Panics
/// As `intern`.
pub fn intern_static(name: &'static str) -> Sym {
    try_intern_static(name.as_bytes(), UTF_8).expect("too many symbols")
}

/// The symbol of `bytes` in `encoding`, made if it is new; `None` when the table is full.
pub fn try_intern(bytes: &[u8], encoding: u8) -> Option<Sym> {
    table().intern(bytes, encoding)
}

/// As [`try_intern`] for bytes that need not be copied.
pub fn try_intern_static(bytes: &'static [u8], encoding: u8) -> Option<Sym> {
    table().intern_static(bytes, encoding)
}

/// The symbol of `bytes`, if there is one already.
pub fn lookup(bytes: &[u8], encoding: u8) -> Option<Sym> {
    table().find(bytes, encoding)
}

/// How many symbols there are; their numbers are `0..count()`.
pub fn count() -> u32 {
    table().next.load(Ordering::Acquire)
}

impl Sym {
    /// What the symbol stands for.
    pub fn name(self) -> Name {
        table().name(self)
    }

    /// The name's bytes.
    pub fn bytes(self) -> &'static [u8] {
        self.name().bytes
    }

    /// The name as text; bytes that are not UTF-8 are replaced.
    pub fn text(self) -> std::borrow::Cow<'static, str> {
        String::from_utf8_lossy(self.bytes())
    }
}

impl std::fmt::Debug for Sym {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, ":{}", self.text())
    }
}

#[cfg(test)]
mod tests;
