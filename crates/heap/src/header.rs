//! The first two words of every heap cell: the header word's fields and the `Cell` that carries them.

use asterism_symbol::DYNAMIC;

use crate::sync::{AtomicU64, Ordering};

/// Bits of the object's type; type 0 means that the cell is free.
pub const TYPE_MASK: u64 = 0xff;
/// The object is frozen.
pub const FROZEN: u64 = 1 << 8;
/// The object's lock is held (unowned objects only).
pub const LOCKED: u64 = 1 << 9;
/// A thread is parked waiting for the object's lock.
pub const PARKED: u64 = 1 << 10;
/// First of the five bits that belong to the object's type.
pub const PRIVATE_SHIFT: u32 = 11;
/// The five bits that belong to the object's type.
pub const PRIVATE_MASK: u64 = 0x1f << PRIVATE_SHIFT;
/// First bit of the owner id.
pub const OWNER_SHIFT: u32 = 16;
/// The owner id's bits; all zero means unowned.
pub const OWNER_MASK: u64 = 0x7fff << OWNER_SHIFT;
/// The object has survived a collection, and no mutator has remembered it since: who wants to store a reference in it has to
/// do that first. Beside the owner id, so that an owner's one comparison asks for both.
pub const OLD: u64 = 1 << 31;
/// What a thread compares with its owner bits before it stores: the object is its own, and young or remembered.
pub const WRITER_MASK: u64 = OWNER_MASK | OLD;
/// First bit of the shape id.
pub const SHAPE_SHIFT: u32 = 32;
/// The shape id's bits.
pub const SHAPE_MASK: u64 = 0xffff_ffff << SHAPE_SHIFT;

/// The largest immediate that has its three low bits clear (`undef`); larger words with clear low bits are pointers.
pub const LAST_SPECIAL: u64 = 0x24;

/// The type field of a header word.
#[inline(always)]
#[must_use]
pub const fn type_of(header: u64) -> u8 {
    (header & TYPE_MASK) as u8
}

/// The owner field of a header word.
#[inline(always)]
#[must_use]
pub const fn owner_of(header: u64) -> u16 {
    ((header & OWNER_MASK) >> OWNER_SHIFT) as u16
}

/// The shape field of a header word.
#[inline(always)]
#[must_use]
pub const fn shape_of(header: u64) -> u32 {
    (header >> SHAPE_SHIFT) as u32
}

/// The header word with another shape.
#[inline(always)]
#[must_use]
pub const fn with_shape(header: u64, shape: u32) -> u64 {
    (header & !SHAPE_MASK) | ((shape as u64) << SHAPE_SHIFT)
}

/// Whether the header says frozen.
#[inline(always)]
#[must_use]
pub const fn is_frozen(header: u64) -> bool {
    header & FROZEN != 0
}

/// Whether a value word is a pointer to a heap cell and not an immediate.
#[inline(always)]
#[must_use]
pub const fn is_heap_pointer(word: u64) -> bool {
    word & 7 == 0 && word > LAST_SPECIAL
}

/// Where a symbol's number begins in its word.
pub const SYMBOL_SHIFT: u32 = 8;
/// What the low byte of a symbol's word is.
pub const SYMBOL_TAG: u64 = 0x0c;

/// What the word of a symbol that may be collected is under [`DYNAMIC_SYMBOL_MASK`].
pub const DYNAMIC_SYMBOL: u64 = (DYNAMIC as u64) << SYMBOL_SHIFT | SYMBOL_TAG;
/// All bits of a symbol's word but those of its number, without the one that says that it may be collected.
pub const DYNAMIC_SYMBOL_MASK: u64 = !0 << (SYMBOL_SHIFT + 32) | (DYNAMIC as u64) << SYMBOL_SHIFT | 0xff;

/// Whether a value word is a symbol that may be collected.
#[inline(always)]
#[must_use]
pub const fn is_dynamic_symbol(word: u64) -> bool {
    word & DYNAMIC_SYMBOL_MASK == DYNAMIC_SYMBOL
}

/// What every heap object starts with. Payload words follow it in memory, up to the size of its size class.
/// Only a heap makes one.
#[repr(C)]
#[derive(Debug)]
#[non_exhaustive]
pub struct Cell {
    /// Type, flags, owner and shape; see the constants of this module.
    pub header: AtomicU64,
    /// The object's class, a value word the heap does not interpret.
    pub class: AtomicU64,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Cell>() == 16);

impl Cell {
    /// The cell's address, which is also its value word.
    #[inline(always)]
    #[must_use]
    pub fn address(&self) -> u64 {
        std::ptr::from_ref(self) as u64
    }

    /// The header word, loaded so that what it reveals may be read.
    #[inline(always)]
    #[must_use]
    pub fn header(&self) -> u64 {
        self.header.load(Ordering::Acquire)
    }

    /// The object's type, which never changes while the object lives.
    #[inline(always)]
    #[must_use]
    pub fn type_id(&self) -> u8 {
        type_of(self.header.load(Ordering::Relaxed))
    }

    /// Payload word `index` (0 is the word after the class).
    ///
    /// # Safety
    /// The cell must have been allocated with at least `16 + 8 * (index + 1)` bytes.
    #[inline(always)]
    #[must_use]
    pub unsafe fn word(&self, index: usize) -> &AtomicU64 {
        let word = std::ptr::with_exposed_provenance::<AtomicU64>(self.address() as usize + 16 + 8 * index);
        // SAFETY: the caller vouches that the word lies within the cell; cells are 8-byte aligned, so the word is. The
        // block space exposed its provenance, so a pointer made from the address may reach all of the cell.
        unsafe { &*word }
    }

    /// The payload as a pointer to `T`. Forming it is harmless; the caller of whatever reads it must know the layout.
    #[inline(always)]
    #[must_use]
    pub fn payload<T>(&self) -> *mut T {
        std::ptr::with_exposed_provenance_mut(self.address() as usize + 16)
    }
}
