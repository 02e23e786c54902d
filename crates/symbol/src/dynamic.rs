//! Symbols that are collected when nobody holds them.
//!
//! Such a symbol has a number from [`DYNAMIC`] on, and an entry with its name and with a count of its holders: the VMs in which
//! it may be found (`holder.rs`), and messages between them ([`Kept`]).
//!
//! - A name leads to an entry by its shard. Who finds it there, under the shard's lock, may count one holder more. The entry is
//!   freed by who takes the last holder away under the same lock, held to change the shard: so nobody can find it then.
//! - Who holds it may read it, count one holder more, and pin it, without any lock.
//! - A pinned entry is never freed. Its number is a [`Sym`] from then on.
//! - A number is used again when its entry has been freed: then nobody holds it, and no word of any VM has it.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::sync::{AtomicU32, Mutex};
use crate::{FIRST, Name, SEGMENTS, Sym, Table, US_ASCII, encoding_of, hash, shard_of, table};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The first number of a symbol that may be collected.
pub const DYNAMIC: u32 = 1 << 31;

/// Most symbols there may be at once that can be collected.
pub(crate) const MAX_DYNAMIC: usize = FIRST * ((1 << SEGMENTS) - 1);

/// In an entry's state: it is never freed. Below it: how many hold it.
const PINNED: u32 = 1 << 31;

/// Bytes that a symbol takes in tables, beside its entry: a slot and two places, one of which may be empty.
const TABLES: usize = 8 + 16;

/// Whether this is the number of a symbol that may be collected, or could before it was pinned.
#[inline(always)]
pub(crate) const fn is_dynamic(number: u32) -> bool {
    number & DYNAMIC != 0
}

/// What a slot of a number in use leads to; the name's bytes lie behind it.
struct Entry {
    /// [`PINNED`] and the count of holders.
    state: AtomicU32,
    encoding: u8,
    hash: u64,
    length: usize,
}

impl Entry {
    fn layout(length: usize) -> Option<Layout> {
        let layout = Layout::new::<Entry>().extend(Layout::array::<u8>(length).ok()?).ok()?.0;
        Some(layout.pad_to_align())
    }

    /// An entry with one holder.
    fn make(bytes: &[u8], encoding: u8, hash: u64) -> Option<NonNull<Entry>> {
        let layout = Entry::layout(bytes.len())?;
        // SAFETY: the layout is not of size 0.
        let entry = NonNull::new(unsafe { std::alloc::alloc(layout) }.cast::<Entry>())?;
        // SAFETY: the memory is new and has room for an entry and, behind it, the bytes.
        unsafe {
            entry.write(Entry { state: AtomicU32::new(1), encoding, hash, length: bytes.len() });
            entry.add(1).cast::<u8>().as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Some(entry)
    }

    /// # Safety
    /// `make` made it, and nobody can reach it any more.
    unsafe fn free(entry: NonNull<Entry>) {
        // SAFETY: it is an initialised entry, and this its last use.
        unsafe {
            let layout = Entry::layout(entry.as_ref().length);
            entry.drop_in_place();
            if let Some(layout) = layout {
                std::alloc::dealloc(entry.as_ptr().cast(), layout);
            }
        }
    }

    /// Bytes that the symbol takes, with what is taken in tables.
    fn size(&self) -> usize {
        size_of::<Entry>() + self.length + TABLES
    }
}

/// Numbers that are free.
#[derive(Default)]
struct Free {
    /// The one freed last, plus one; its slot leads to the next.
    first: u32,
    /// Numbers that have been used, less `DYNAMIC`.
    used: u32,
}

/// The entries by number.
pub(crate) struct Dynamic {
    /// By number less `DYNAMIC`: an entry's address, or twice the next free number (as in `Free::first`) plus one. Made once
    /// each, on first use of a segment.
    segments: [OnceLock<Box<[AtomicUsize]>>; SEGMENTS],
    free: Mutex<Free>,
}

impl Dynamic {
    pub(crate) fn new() -> Dynamic {
        Dynamic { segments: [const { OnceLock::new() }; SEGMENTS], free: Mutex::new(Free::default()) }
    }

    fn slot(&self, number: u32) -> Option<&AtomicUsize> {
        let (segment, at) = Table::place(number & !DYNAMIC);
        self.segments.get(segment)?.get()?.get(at)
    }

    /// # Safety
    /// The number's symbol is held, or a shard whose lock the caller holds leads to it.
    unsafe fn entry(&self, number: u32) -> Option<&Entry> {
        let word = self.slot(number)?.load(Ordering::Acquire);
        if word == 0 || word & 1 != 0 {
            return None;
        }
        // SAFETY: an even word is the address of an entry, which is there by the caller's promise.
        Some(unsafe { &*std::ptr::with_exposed_provenance::<Entry>(word) })
    }

    /// The name. It is there only as long as the symbol.
    ///
    /// # Safety
    /// As for `entry`; the bytes are not used after that has ended.
    pub(crate) unsafe fn name(&self, number: u32) -> Option<Name> {
        // SAFETY: the caller's promise.
        let entry = unsafe { self.entry(number) }?;
        // SAFETY: `make` has put so many bytes behind the entry.
        let bytes = unsafe { std::slice::from_raw_parts(std::ptr::from_ref(entry).add(1).cast::<u8>(), entry.length) };
        Some(Name { bytes, encoding: entry.encoding })
    }

    /// Whether the symbol, which is held or found in a locked shard, is never freed.
    pub(crate) fn is_pinned(&self, number: u32) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.entry(number) }.is_some_and(|entry| entry.state.load(Ordering::Acquire) & PINNED != 0)
    }

    /// Keeps the symbol, which is held or found in a locked shard, for ever.
    pub(crate) fn pin(&self, number: u32) {
        // SAFETY: the caller's promise.
        if let Some(entry) = unsafe { self.entry(number) }
            && entry.state.load(Ordering::Relaxed) & PINNED == 0
        {
            entry.state.fetch_or(PINNED, Ordering::AcqRel);
        }
    }

    /// Counts one holder more of a symbol that is held or found in a locked shard; its size.
    pub(crate) fn hold(&self, number: u32) -> usize {
        // SAFETY: the caller's promise.
        let Some(entry) = (unsafe { self.entry(number) }) else { return 0 };
        entry.state.fetch_add(1, Ordering::AcqRel);
        entry.size()
    }

    /// A number for the entry, if there is one left.
    fn enter(&self, entry: NonNull<Entry>) -> Option<u32> {
        let mut free = self.free.lock();
        let index = match free.first.checked_sub(1) {
            Some(index) => {
                let next = self.slot(index)?.load(Ordering::Relaxed) >> 1;
                free.first = next as u32;
                index
            }
            None if (free.used as usize) < MAX_DYNAMIC => {
                let (segment, _) = Table::place(free.used);
                self.segments[segment].get_or_init(|| new_segment(FIRST << segment));
                free.used += 1;
                free.used - 1
            }
            None => return None,
        };
        self.slot(index)?.store(entry.expose_provenance().get(), Ordering::Release);
        Some(DYNAMIC | index)
    }

    /// Frees the entry of a number that nothing leads to any more.
    ///
    /// # Safety
    /// Nobody holds the symbol, it is not pinned, and it has been taken out of its shard, whose lock the caller holds.
    unsafe fn leave(&self, number: u32) {
        let Some(slot) = self.slot(number) else { return };
        let mut free = self.free.lock();
        let entry = slot.swap((free.first as usize) << 1 | 1, Ordering::AcqRel);
        free.first = (number & !DYNAMIC) + 1;
        drop(free);
        if let Some(entry) = NonNull::new(std::ptr::with_exposed_provenance_mut::<Entry>(entry)) {
            // SAFETY: the slot led to an entry, and nothing leads to the slot by the caller's promise.
            unsafe { Entry::free(entry) };
        }
    }
}

/// A segment of slots for numbers that have not been used. Most are never touched, and so cost no memory.
fn new_segment(length: usize) -> Box<[AtomicUsize]> {
    // SAFETY: all zero is a valid array of atomic words.
    unsafe { Box::new_zeroed_slice(length).assume_init() }
}

/// What a shard had for a name.
pub(crate) enum Found {
    /// The number, and the size of the symbol if the caller was counted as one holder more.
    Number(u32, usize),
    /// There are too many symbols, or no memory.
    Full,
}

impl Table {
    /// The symbol of this name, made if it is new. If it may be collected, and `adds` says of its number that the caller does not
    /// hold it yet, the caller is counted as a holder. `adds` is asked under the shard's lock.
    pub(crate) fn hold(&self, bytes: &[u8], encoding: u8, adds: impl Fn(u32) -> bool) -> Found {
        let encoding = encoding_of(bytes, encoding);
        let hash = hash(self.seed, bytes);
        let take = |number| {
            let counts = is_dynamic(number) && adds(number);
            Found::Number(number, if counts { self.dynamic.hold(number) } else { 0 })
        };
        let shard = self.shards[shard_of(hash)].read();
        if let Ok(number) = shard.find(hash, |n| self.is_named(n, bytes, encoding)) {
            return take(number);
        }
        drop(shard);
        let mut shard = self.shards[shard_of(hash)].write();
        let at = match shard.find(hash, |n| self.is_named(n, bytes, encoding)) {
            Ok(number) => return take(number),
            Err(at) => at,
        };
        let Some(entry) = Entry::make(bytes, encoding, hash) else { return Found::Full };
        // SAFETY: it was just made.
        let size = unsafe { entry.as_ref() }.size();
        let Some(number) = self.dynamic.enter(entry) else {
            // SAFETY: nobody else knows it.
            unsafe { Entry::free(entry) };
            return Found::Full;
        };
        adds(number);
        shard.put(at, hash, number);
        Found::Number(number, size)
    }

    /// Takes one of the holders away, the caller. Frees the symbol if it was the last one; its size.
    pub(crate) fn release(&self, number: u32) -> usize {
        // SAFETY: the caller holds the symbol until the count below.
        let Some(entry) = (unsafe { self.dynamic.entry(number) }) else { return 0 };
        let (hash, size) = (entry.hash, entry.size());
        let mut shard = self.shards[shard_of(hash)].write();
        if entry.state.fetch_sub(1, Ordering::AcqRel) == 1 {
            shard.remove(hash, number);
            // SAFETY: that was the last holder, it is not pinned, and the lock of its shard is held.
            unsafe { self.dynamic.leave(number) };
        }
        size
    }
}

/// A symbol of either kind. One that may be collected is there as long as a VM holds it: as long as its value, made of this
/// number, lies where that VM's collector finds it. As with a `Value`, a copy of this keeps nothing alive.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct AnySym(u32);

impl AnySym {
    /// The symbol with this number.
    #[inline(always)]
    #[must_use]
    pub const fn from_number(number: u32) -> AnySym {
        AnySym(number)
    }

    /// Its number.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Whether it has a number of those that may be collected.
    #[inline(always)]
    #[must_use]
    pub const fn is_dynamic(self) -> bool {
        is_dynamic(self.0)
    }

    /// The symbol, never collected from now on: for what keeps it where no collector looks.
    #[inline]
    #[must_use]
    pub fn pin(self) -> Sym {
        if self.is_dynamic() { table().pin(self.0) } else { Sym(self.0) }
    }

    /// The symbol if it is never collected, as all are that something has for a name.
    #[inline]
    #[must_use]
    pub fn if_kept(self) -> Option<Sym> {
        if self.is_dynamic() { self.with_name(crate::lookup) } else { Some(Sym(self.0)) }
    }

    /// Calls `f` with the name's bytes and their encoding. The symbol must be held meanwhile.
    pub fn with_name<R>(self, f: impl FnOnce(&[u8], u8) -> R) -> R {
        let name = if self.is_dynamic() {
            // SAFETY: the symbol is held, by the contract of the type, and `f` cannot keep the bytes.
            unsafe { table().dynamic.name(self.0) }.unwrap_or(Name { bytes: b"", encoding: US_ASCII })
        } else {
            Sym(self.0).name()
        };
        f(name.bytes, name.encoding)
    }
}

impl From<Sym> for AnySym {
    fn from(sym: Sym) -> AnySym {
        AnySym(sym.0)
    }
}

impl std::fmt::Debug for AnySym {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.with_name(|bytes, _| write!(f, ":{}", String::from_utf8_lossy(bytes)))
    }
}

/// A holder of one symbol that is no VM: what is on its way from one to another.
#[derive(Debug)]
pub struct Kept(AnySym);

impl Kept {
    /// Holds a symbol that the caller's VM holds.
    #[must_use]
    pub fn new(symbol: AnySym) -> Kept {
        if symbol.is_dynamic() {
            table().dynamic.hold(symbol.0);
        }
        Kept(symbol)
    }

    /// Bytes that the symbol takes.
    #[must_use]
    pub fn size(&self) -> usize {
        if !self.0.is_dynamic() {
            return 0;
        }
        // SAFETY: it is held.
        unsafe { table().dynamic.entry(self.0.0) }.map_or(0, Entry::size)
    }

    /// The symbol, which is there as long as this.
    #[must_use]
    pub fn symbol(&self) -> AnySym {
        self.0
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.0.is_dynamic() {
            table().release(self.0.0);
        }
    }
}
