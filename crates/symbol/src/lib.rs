//! The process's symbol table: names to small integers and back.
//!
//! Symbols are process-wide and never collected (DESIGN §2), so a [`Sym`] may be kept anywhere and
//! compared across VMs. Looking a name *up* by its number takes no lock: numbers lead into
//! append-only segments that are never moved. Interning takes a shard's lock.
//!
//! This is the first of the few places that hold process-wide mutable state.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, OnceLock};

use parking_lot::RwLock;

mod known;
pub use known::sym;

/// A symbol: an index into the process's table. `Sym(0)` is the empty name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Sym(pub u32);

/// What a symbol stands for. Immutable once interned.
pub struct Name {
    /// The name's bytes.
    pub bytes: Box<[u8]>,
    /// The encoding index of `asterism-support::encoding` (US-ASCII for pure ASCII names).
    pub encoding: u8,
}

const SEGMENT_BITS: u32 = 12;
const SEGMENT: usize = 1 << SEGMENT_BITS;
const SEGMENTS: usize = 1 << 12;
const SHARDS: usize = 16;

/// Most symbols a process may have.
pub const MAX_SYMBOLS: usize = SEGMENT * SEGMENTS;

/// A run of names, each written once.
type Segment = Box<[OnceLock<Name>]>;
type Shard = RwLock<HashMap<(u8, &'static [u8]), Sym>>;

struct Table {
    /// Written once each, on first use of a segment; the names in it once each, before their
    /// number is published through a shard.
    segments: Box<[OnceLock<Segment>]>,
    next: AtomicU32,
    shards: Vec<Shard>,
}

/// Encoding index of BINARY (ASCII-8BIT) in the process's encoding table.
pub const BINARY: u8 = 0;
/// Encoding index of US-ASCII in the process's encoding table.
pub const US_ASCII: u8 = 2;
/// Encoding index of UTF-8 in the process's encoding table.
pub const UTF_8: u8 = 1;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let table = Table {
            segments: (0..SEGMENTS).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
            shards: (0..SHARDS).map(|_| RwLock::default()).collect(),
        };
        for (number, name) in known::NAMES.iter().enumerate() {
            let made = table.intern(name.as_bytes(), US_ASCII);
            debug_assert_eq!(made.map(|s| s.0 as usize), Some(number), "{name} is listed twice");
        }
        table
    })
}

impl Table {
    fn intern(&self, bytes: &[u8], encoding: u8) -> Option<Sym> {
        let encoding = if bytes.is_ascii() { US_ASCII } else { encoding };
        let shard = &self.shards[shard_of(bytes)];
        if let Some(&found) = shard.read().get(&(encoding, bytes)) {
            return Some(found);
        }
        let mut map = shard.write();
        if let Some(&found) = map.get(&(encoding, bytes)) {
            return Some(found);
        }
        let number = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| ((n as usize) < MAX_SYMBOLS).then_some(n + 1))
            .ok()?;
        let segment = self.segments[number as usize >> SEGMENT_BITS]
            .get_or_init(|| (0..SEGMENT).map(|_| OnceLock::new()).collect());
        let name = segment[number as usize & (SEGMENT - 1)].get_or_init(|| Name { bytes: bytes.into(), encoding });
        // The table is never dropped, so the borrow of the name lives as long as the process.
        let key: &'static [u8] = static_name(name);
        map.insert((encoding, key), Sym(number));
        Some(Sym(number))
    }
}

fn static_name(name: &Name) -> &'static [u8] {
    // SAFETY: `name` lies in the process's table, which is a `static` that is never dropped and
    // whose names are never replaced or moved once set.
    unsafe { std::slice::from_raw_parts(name.bytes.as_ptr(), name.bytes.len()) }
}

fn shard_of(bytes: &[u8]) -> usize {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &b in bytes {
        hash = (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3);
    }
    (hash >> 32) as usize % SHARDS
}

/// The symbol of `name`, made if it is new.
///
/// # Panics
/// When the process has [`MAX_SYMBOLS`] already; [`try_intern`] tells instead.
pub fn intern(name: &str) -> Sym {
    try_intern(name.as_bytes(), UTF_8).expect("too many symbols")
}

/// The symbol of `bytes` in `encoding`, made if it is new; `None` when the table is full.
pub fn try_intern(bytes: &[u8], encoding: u8) -> Option<Sym> {
    table().intern(bytes, encoding)
}

/// The symbol of `bytes`, if there is one already.
pub fn lookup(bytes: &[u8], encoding: u8) -> Option<Sym> {
    let encoding = if bytes.is_ascii() { US_ASCII } else { encoding };
    table().shards[shard_of(bytes)].read().get(&(encoding, bytes)).copied()
}

/// How many symbols there are; their numbers are `0..count()`.
pub fn count() -> u32 {
    table().next.load(Ordering::Acquire)
}

impl Sym {
    /// What the symbol stands for.
    pub fn name(self) -> &'static Name {
        static EMPTY: LazyLock<Name> = LazyLock::new(|| Name { bytes: Box::new([]), encoding: US_ASCII });
        table().segments[self.0 as usize >> SEGMENT_BITS]
            .get()
            .and_then(|segment| segment[self.0 as usize & (SEGMENT - 1)].get())
            .unwrap_or(&EMPTY)
    }

    /// The name's bytes.
    pub fn bytes(self) -> &'static [u8] {
        &self.name().bytes
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
