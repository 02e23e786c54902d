//! Which symbols that may be collected a VM holds.
//!
//! A VM's threads set a symbol's bit when they get it, and count the VM as a holder if it was not set. A major collection of the VM
//! marks the symbols that it meets. With the world stopped, the bits of those that it has not met become *dropped* ones; for each
//! of these the VM is taken from the symbol's holders later, with the world running. A thread that gets such a symbol in
//! between sets the bit anew and counts the VM a second time, so that taking one away is right whenever it happens.

use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use crate::dynamic::{Found, MAX_DYNAMIC};
use crate::sync::AtomicU64 as Word;
use crate::{AnySym, DYNAMIC, Table, is_dynamic, table};

const WORDS: usize = if cfg!(loom) { 1 } else { 512 };
/// Symbols of a chunk.
const CHUNK: usize = WORDS * 64;
const CHUNKS: usize = if cfg!(loom) { 1 } else { MAX_DYNAMIC.div_ceil(CHUNK) };

/// Bits of symbols with numbers behind one another.
struct Chunk {
    held: [Word; WORDS],
    /// Met by the major collection under way, or by a collection since the last one.
    marked: [Word; WORDS],
    /// The VM is still counted once for what it no longer held.
    dropped: [Word; WORDS],
}

impl Chunk {
    fn new() -> Chunk {
        let words = || std::array::from_fn(|_| Word::new(0));
        Chunk { held: words(), marked: words(), dropped: words() }
    }
}

/// A symbol that a VM has got.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The symbol.
    pub symbol: AnySym,
    /// Bytes that it takes, if the VM did not hold it before.
    pub bytes: usize,
}

/// The symbols of one VM that may be collected.
#[derive(Default)]
pub struct Holder {
    /// Made when the first symbol is got; each is null before the first of its symbols is.
    chunks: OnceLock<Box<[AtomicPtr<Chunk>]>>,
    /// Bytes that they take, those dropped included.
    bytes: AtomicUsize,
    /// How many they are, those dropped included.
    count: AtomicUsize,
    /// How many of them are dropped.
    dropped: AtomicUsize,
}

impl Holder {
    /// The symbol of this name, made if it is new, held by this VM: until the next collection that does not meet it, which cannot
    /// begin before the calling thread reaches a safepoint. `None` if there are too many, or no memory.
    #[must_use]
    pub fn intern(&self, bytes: &[u8], encoding: u8) -> Option<Held> {
        self.intern_in(table(), bytes, encoding)
    }

    pub(crate) fn intern_in(&self, table: &Table, bytes: &[u8], encoding: u8) -> Option<Held> {
        match table.hold(bytes, encoding, |number| self.set(number)) {
            Found::Number(number, bytes) => Some(self.note(number, bytes)),
            Found::Full => None,
        }
    }

    /// Holds a symbol that somebody else holds meanwhile.
    #[must_use]
    pub fn adopt(&self, symbol: AnySym) -> Held {
        let number = symbol.number();
        let bytes = if symbol.is_dynamic() && self.set(number) { table().dynamic.hold(number) } else { 0 };
        self.note(number, bytes)
    }

    fn note(&self, number: u32, bytes: usize) -> Held {
        if bytes != 0 {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            self.count.fetch_add(1, Ordering::Relaxed);
        }
        Held { symbol: AnySym::from_number(number), bytes }
    }

    /// Bytes that the symbols take which the VM holds; an estimate between `sweep` and `release`.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let (bytes, count) = (self.bytes.load(Ordering::Relaxed), self.count.load(Ordering::Relaxed));
        let dropped = self.dropped.load(Ordering::Relaxed).min(count);
        bytes / count.max(1) * (count - dropped)
    }

    fn chunk(&self, number: u32) -> Option<(&Chunk, usize, u64)> {
        let index = (number & !DYNAMIC) as usize;
        let chunk = self.chunks.get()?.get(index / CHUNK)?.load(Ordering::Acquire);
        // SAFETY: a chunk is freed with the holder only.
        let chunk = unsafe { chunk.as_ref() }?;
        Some((chunk, index % CHUNK / 64, 1 << (index % 64)))
    }

    /// Sets the bit of a symbol; whether it was not set.
    fn set(&self, number: u32) -> bool {
        self.make_chunk(number);
        let Some((chunk, word, bit)) = self.chunk(number) else { return false };
        if chunk.held[word].load(Ordering::Acquire) & bit != 0 {
            return false;
        }
        chunk.held[word].fetch_or(bit, Ordering::AcqRel) & bit == 0
    }

    fn make_chunk(&self, number: u32) {
        let chunks = self.chunks.get_or_init(|| (0..CHUNKS).map(|_| AtomicPtr::new(null_mut())).collect());
        let Some(place) = chunks.get((number & !DYNAMIC) as usize / CHUNK) else { return };
        if place.load(Ordering::Acquire).is_null() {
            let made = Box::into_raw(Box::new(Chunk::new()));
            if place.compare_exchange(null_mut(), made, Ordering::AcqRel, Ordering::Acquire).is_err() {
                // SAFETY: another thread's was put there, and nobody knows this one.
                drop(unsafe { Box::from_raw(made) });
            }
        }
    }

    fn each_chunk(&self) -> impl Iterator<Item = (u32, &Chunk)> {
        let chunks = self.chunks.get().map_or(&[][..], |chunks| &chunks[..]);
        chunks.iter().enumerate().filter_map(|(i, place)| {
            // SAFETY: as in `chunk`.
            let chunk = unsafe { place.load(Ordering::Acquire).as_ref() }?;
            Some((DYNAMIC | (i * CHUNK) as u32, chunk))
        })
    }

    /// Whether the VM holds the symbol with this number.
    #[must_use]
    pub fn holds(&self, number: u32) -> bool {
        is_dynamic(number)
            && self.chunk(number).is_some_and(|(chunk, word, bit)| chunk.held[word].load(Ordering::Acquire) & bit != 0)
    }

    /// The numbers of the symbols that the VM holds, as of now.
    #[must_use]
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers = Vec::new();
        for (first, chunk) in self.each_chunk() {
            each_bit(&chunk.held, |word| word.load(Ordering::Acquire), |n| numbers.push(first + n));
        }
        numbers
    }

    /// How many of the symbols that the VM holds are never collected. The world is stopped.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.numbers().into_iter().filter(|number| table().dynamic.is_pinned(*number)).count()
    }

    /// A major collection begins to mark. The world is stopped.
    pub fn begin_marking(&self) {
        for (_, chunk) in self.each_chunk() {
            for word in &chunk.marked {
                word.store(0, Ordering::Relaxed);
            }
        }
    }

    /// A collection has met a word that may be the symbol with this number. The world is stopped.
    #[inline]
    pub fn mark(&self, number: u32) {
        if let Some((chunk, word, bit)) = self.chunk(number)
            && chunk.marked[word].load(Ordering::Relaxed) & bit == 0
        {
            chunk.marked[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// A major collection has marked: what it has not met is no longer held. The world is stopped. `release` has been called since
    /// the last time, or is going to be.
    pub fn sweep(&self) {
        let mut dropped = 0;
        for (_, chunk) in self.each_chunk() {
            for ((held, marked), old) in chunk.held.iter().zip(&chunk.marked).zip(&chunk.dropped) {
                let (held_now, dropped_now) = (held.load(Ordering::Relaxed), old.load(Ordering::Relaxed));
                // What was dropped before and has not been released yet stays for the next collection.
                let gone = held_now & !marked.load(Ordering::Relaxed) & !dropped_now;
                if gone != 0 {
                    held.store(held_now & !gone, Ordering::Release);
                    old.store(dropped_now | gone, Ordering::Release);
                    dropped += gone.count_ones() as usize;
                }
            }
        }
        self.dropped.fetch_add(dropped, Ordering::Relaxed);
    }

    /// Takes the VM from the holders of what was dropped; the bytes that the VM no longer holds. By any thread, with the world
    /// running.
    #[must_use]
    pub fn release(&self) -> usize {
        if self.dropped.load(Ordering::Relaxed) == 0 { 0 } else { self.release_in(table()) }
    }

    pub(crate) fn release_in(&self, table: &Table) -> usize {
        let mut bytes = 0;
        for (first, chunk) in self.each_chunk() {
            let take = |word: &Word| if word.load(Ordering::Relaxed) == 0 { 0 } else { word.swap(0, Ordering::AcqRel) };
            each_bit(&chunk.dropped, take, |n| {
                let number = first + n;
                self.dropped.fetch_sub(1, Ordering::Relaxed);
                // One that is never collected stays listed, unless a thread has got it meanwhile.
                if table.dynamic.is_pinned(number) && self.set(number) {
                    return;
                }
                bytes += table.release(number);
                self.count.fetch_sub(1, Ordering::Relaxed);
            });
        }
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        bytes
    }

    /// Holds nothing from now on: another table than the process's has been told.
    #[cfg(all(test, loom))]
    pub(crate) fn forget(&self) {
        self.count.store(0, Ordering::Relaxed);
    }

    /// Takes the VM, which has ended, from the holders of all that it holds.
    pub(crate) fn release_all(&self, table: &Table) {
        for (first, chunk) in self.each_chunk() {
            for words in [&chunk.held, &chunk.dropped] {
                each_bit(
                    words,
                    |word| word.swap(0, Ordering::AcqRel),
                    |n| {
                        table.release(first + n);
                    },
                );
            }
        }
    }
}

/// Calls `each` with the index of every bit that `take` gives of the words.
fn each_bit(words: &[Word], take: impl Fn(&Word) -> u64, mut each: impl FnMut(u32)) {
    for (i, word) in words.iter().enumerate() {
        let mut bits = take(word);
        while bits != 0 {
            each(i as u32 * 64 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        if self.count.load(Ordering::Relaxed) != 0 {
            self.release_all(table());
        }
        for place in self.chunks.take().iter().flatten() {
            let chunk = place.load(Ordering::Acquire);
            if !chunk.is_null() {
                // SAFETY: `make_chunk` made it, and the holder is gone.
                drop(unsafe { Box::from_raw(chunk) });
            }
        }
    }
}

impl std::fmt::Debug for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Holder").field("count", &self.count).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
