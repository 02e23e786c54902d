//! The process's symbol table: names to small integers and back.
//!
//! A [`Sym`] is there as long as the process (DESIGN §2): it may be kept anywhere and compared across VMs. What programs make of
//! Strings is an [`AnySym`], which is collected when no VM holds it any more (`dynamic.rs`), unless it becomes a `Sym`, which
//! happens when it is used as one ([`AnySym::pin`]) or its name is interned.
//!
//! Looking a name *up* by its number takes no lock: numbers lead into segments that are never moved. Interning takes a
//! shard's lock.
//!
//! This is the first of the few places that hold process-wide mutable state.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

mod dynamic;
mod hash;
mod holder;
mod known;
mod sync;
pub use dynamic::{AnySym, DYNAMIC, Kept};
use dynamic::{Dynamic, is_dynamic};
use hash::hash;
pub use holder::{Held, Holder};
pub use known::sym;
use sync::RwLock;

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
const SHARDS: usize = if cfg!(loom) { 1 } else { 16 };
/// Places in a shard at first: enough for the names of the core library.
const PLACES: usize = 512;

/// Most symbols a process may have that are never collected.
pub const MAX_SYMBOLS: usize = FIRST * ((1 << SEGMENTS) - 1);
/// So many of them are for names of the implementation, which cannot be refused.
const RESERVED: usize = 1 << 16;

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
    dynamic: Dynamic,
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
        let table = Table::new();
        for (number, name) in known::NAMES.iter().enumerate() {
            let made = table.intern_static(name.as_bytes(), US_ASCII);
            debug_assert_eq!(made.map(|s| s.0 as usize), Some(number), "{name} is listed twice");
        }
        table
    })
}

impl Shard {
    /// The number of the name with this hash that `is_it` accepts, or the place for it.
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, usize> {
        self.find_place(hash, is_it).map(|i| self.places[i] as u32 - 1)
    }

    /// The place of that name, or the one for it.
    fn find_place(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<usize, usize> {
        let mask = self.places.len() - 1;
        let mut i = (hash >> 32) as usize & mask;
        loop {
            let place = self.places[i];
            let Some(number) = (place as u32).checked_sub(1) else {
                return Err(i);
            };
            if place >> 32 == hash >> 32 && is_it(number) {
                return Ok(i);
            }
            i = (i + 1) & mask;
        }
    }

    /// Puts a new name into the place that `find` gave.
    fn put(&mut self, at: usize, hash: u64, number: u32) {
        self.places[at] = (hash & !0xffff_ffff) | u64::from(number + 1);
        self.used += 1;
        if self.used * 4 >= self.places.len() * 3 {
            self.resize(self.places.len() * 2);
        }
    }

    /// Takes the name with this hash and number out.
    fn remove(&mut self, hash: u64, number: u32) {
        let Ok(mut gap) = self.find_place(hash, |n| n == number) else { return };
        let mask = self.places.len() - 1;
        let mut i = gap;
        loop {
            i = (i + 1) & mask;
            let place = self.places[i];
            if place == 0 {
                break;
            }
            // What is as near to where it belongs in the gap goes there, so that no search ends at the gap before it.
            let home = (place >> 32) as usize & mask;
            if i.wrapping_sub(home) & mask >= i.wrapping_sub(gap) & mask {
                self.places[gap] = place;
                gap = i;
            }
        }
        self.places[gap] = 0;
        self.used -= 1;
        if self.used * 8 < self.places.len() && self.places.len() > PLACES {
            self.resize(self.places.len() / 2);
        }
    }

    fn resize(&mut self, places: usize) {
        let others = vec![0; places].into();
        for place in std::mem::replace(&mut self.places, others) {
            if place != 0
                && let Err(free) = self.find(place, |_| false)
            {
                self.places[free] = place;
            }
        }
    }
}

impl Table {
    fn new() -> Table {
        Table {
            segments: [const { OnceLock::new() }; SEGMENTS],
            next: AtomicU32::new(0),
            seed: RandomState::new().hash_one(0),
            shards: std::array::from_fn(|_| RwLock::new(Shard { places: vec![0; PLACES].into(), used: 0 })),
            dynamic: Dynamic::new(),
        }
    }

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
        if is_dynamic(sym.0) {
            // SAFETY: a `Sym` with such a number was pinned: it is there as long as the process.
            return unsafe { self.dynamic.name(sym.0) }.unwrap_or(empty);
        }
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

    /// Whether the name `number` of a shard, whose lock the caller holds, is this one.
    fn is_named(&self, number: u32, bytes: &[u8], encoding: u8) -> bool {
        let name = if is_dynamic(number) {
            // SAFETY: what a shard leads to is freed only by who holds the shard's lock to change it.
            unsafe { self.dynamic.name(number) }
        } else {
            Some(self.name(Sym(number)))
        };
        name.is_some_and(|name| name.bytes == bytes && name.encoding == encoding)
    }

    /// The symbol of this name that is never collected, if there is one.
    fn find(&self, bytes: &[u8], encoding: u8) -> Option<Sym> {
        let hash = hash(self.seed, bytes);
        let encoding = encoding_of(bytes, encoding);
        let shard = self.shards[shard_of(hash)].read();
        let number = shard.find(hash, |number| self.is_named(number, bytes, encoding)).ok()?;
        (!is_dynamic(number) || self.dynamic.is_pinned(number)).then_some(Sym(number))
    }

    /// The symbol of this name, if there is one, which is never collected from now on.
    fn find_to_keep(&self, bytes: &[u8], encoding: u8) -> Option<Sym> {
        let hash = hash(self.seed, bytes);
        let encoding = encoding_of(bytes, encoding);
        let shard = self.shards[shard_of(hash)].read();
        let number = shard.find(hash, |number| self.is_named(number, bytes, encoding)).ok()?;
        Some(self.pin(number))
    }

    /// Keeps what a shard, whose lock the caller holds, or the caller's VM leads to.
    fn pin(&self, number: u32) -> Sym {
        if is_dynamic(number) {
            self.dynamic.pin(number);
        }
        Sym(number)
    }

    fn intern(&self, bytes: &[u8], encoding: u8) -> Option<Sym> {
        self.find_to_keep(bytes, encoding).or_else(|| self.intern_static(bytes.to_vec().leak(), encoding))
    }

    /// As `intern` for a name that a program has chosen: it leaves numbers to the implementation's own.
    fn intern_chosen(&self, bytes: &[u8], encoding: u8) -> Option<Sym> {
        self.find_to_keep(bytes, encoding).or_else(|| {
            let is_full = self.next.load(Ordering::Relaxed) as usize >= MAX_SYMBOLS - RESERVED;
            if is_full { None } else { self.intern_static(bytes.to_vec().leak(), encoding) }
        })
    }

    fn intern_static(&self, bytes: &'static [u8], encoding: u8) -> Option<Sym> {
        let encoding = encoding_of(bytes, encoding);
        let hash = hash(self.seed, bytes);
        let mut shard = self.shards[shard_of(hash)].write();
        let at = match shard.find(hash, |number| self.is_named(number, bytes, encoding)) {
            Ok(number) => return Some(self.pin(number)),
            Err(at) => at,
        };
        let number = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| ((n as usize) < MAX_SYMBOLS).then_some(n + 1))
            .ok()?;
        let (segment, place) = Table::place(number);
        let slot = &self.segments[segment].get_or_init(|| new_segment(FIRST << segment))[place];
        slot.size.store((bytes.len() as u64) << 8 | u64::from(encoding), Ordering::Relaxed);
        slot.bytes.store(bytes.as_ptr().cast_mut(), Ordering::Release);
        shard.put(at, hash, number);
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
/// When the process has [`MAX_SYMBOLS`] already, which is for names that the implementation has: some are kept for those.
/// [`try_intern`], for what programs choose, tells instead.
pub fn intern(name: &str) -> Sym {
    table().intern(name.as_bytes(), UTF_8).expect("too many symbols")
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
    table().intern_chosen(bytes, encoding)
}

/// As [`try_intern`] for bytes that need not be copied.
pub fn try_intern_static(bytes: &'static [u8], encoding: u8) -> Option<Sym> {
    let table = table();
    // Most are there already, and those who only look do not wait for each other.
    table.find_to_keep(bytes, encoding).or_else(|| table.intern_static(bytes, encoding))
}

/// The symbol of `bytes`, if there is one that is never collected: else nothing can have that name.
pub fn lookup(bytes: &[u8], encoding: u8) -> Option<Sym> {
    table().find(bytes, encoding)
}

/// How many symbols have been made that are never collected; their numbers are `0..count()`. Those that were pinned later
/// are not among them.
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

#[cfg(all(test, not(loom)))]
mod tests;

#[cfg(all(test, loom))]
mod loom_tests;
