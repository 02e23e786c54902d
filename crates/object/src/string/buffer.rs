//! Where the bytes of longer strings are: a Bytes cell in the heap, or above a size a Buffer cell
//! that holds a malloc'ed, reference-counted block.
//!
//! Counted blocks belong to no heap: a channel can hand one to another VM without a copy. A block is
//! written to only by the string that has it unshared. Those of arrays (`array::share`) are such blocks too.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use asterism_heap::{Cell, Mutator, Reason};

use super::{KIND_BUFFER, KIND_BYTES};
use crate::cells::{self, Obj, number};
use crate::error::{ObjError, Result};
use crate::space::space;
use crate::types::Type;
use crate::value::Value;

/// Most bytes of a Bytes cell; more go to a Buffer.
const MAX_BYTES: usize = 1024;
/// Payload word of a Buffer cell: its block.
const BLOCK: usize = 0;

/// What is known of a block. Allocated apart from its bytes: whoever counts a reference to a large block touches memory
/// that lies beside the heads of others, not a page that nobody has looked at for long.
struct Head {
    references: AtomicUsize,
    /// Changed by the sole reference only, as is `bytes`.
    capacity: usize,
    bytes: NonNull<u8>,
}

/// Bytes that a block takes beside what it holds.
const HEAD: usize = size_of::<Head>();

/// A reference to a malloc'ed block of bytes.
#[derive(Debug)]
pub(crate) struct Block(NonNull<Head>);

// SAFETY: the count is atomic, and the bytes of a block with several references are only read.
unsafe impl Send for Block {}
// SAFETY: as for Send.
unsafe impl Sync for Block {}

impl Clone for Block {
    fn clone(&self) -> Block {
        // SAFETY: the block lives while a reference to it does.
        unsafe { self.0.as_ref() }.references.fetch_add(1, Ordering::Relaxed);
        Block(self.0)
    }
}

/// The layout of a block's bytes, aligned for words; `None` above what can be allocated.
fn layout(capacity: usize) -> Option<Layout> {
    Layout::from_size_align(capacity.max(1), align_of::<u64>()).ok()
}

impl Block {
    /// A block with room for `capacity` bytes, which are not initialised.
    pub(crate) fn new(capacity: usize) -> Option<Block> {
        let layout = layout(capacity)?;
        // SAFETY: the size is not zero.
        let bytes = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
        // SAFETY: a head is not of size zero.
        let raw = unsafe { std::alloc::alloc(Layout::new::<Head>()) };
        let Some(head) = NonNull::new(raw.cast::<Head>()) else {
            // SAFETY: allocated above with this layout, and nobody has seen it.
            unsafe { std::alloc::dealloc(bytes.as_ptr(), layout) };
            return None;
        };
        // SAFETY: fresh, big enough and aligned.
        unsafe { head.write(Head { references: AtomicUsize::new(1), capacity, bytes }) };
        Some(Block(head))
    }

    /// Another reference to the block of a Buffer cell.
    pub(crate) fn share(object: Value) -> Option<Block> {
        let word = Obj::of(object, Type::Buffer).word(BLOCK).load(Ordering::Acquire);
        // SAFETY: the word holds the cell's reference; it is only borrowed here, never dropped.
        let block = std::mem::ManuallyDrop::new(unsafe { Block::from_raw(word) }?);
        Some(Block::clone(&block))
    }

    /// Where its bytes begin, as a number: tells it from the process's others, as long as it lives.
    pub(crate) fn address(&self) -> usize {
        self.bytes().addr()
    }

    /// Where the bytes begin.
    pub(crate) fn bytes(&self) -> *mut u8 {
        // SAFETY: the block lives while a reference to it does.
        unsafe { self.0.as_ref() }.bytes.as_ptr()
    }

    /// How many bytes there is room for.
    pub(crate) fn capacity(&self) -> usize {
        // SAFETY: the block lives while a reference to it does.
        unsafe { self.0.as_ref() }.capacity
    }

    /// The same block with more room, its first bytes kept; only for the sole reference.
    fn grow(self, capacity: usize) -> std::result::Result<Block, Block> {
        // SAFETY: as in `capacity`.
        let head = unsafe { self.0.as_ref() };
        if head.references.load(Ordering::Acquire) != 1 {
            return Err(self);
        }
        let (Some(old), Some(new)) = (layout(head.capacity), layout(capacity)) else {
            return Err(self);
        };
        // SAFETY: the bytes were allocated with layout `old`, nobody else refers to them, and the new size is not zero and
        // was checked by `layout`.
        let raw = unsafe { std::alloc::realloc(head.bytes.as_ptr(), old, new.size()) };
        let Some(bytes) = NonNull::new(raw) else {
            return Err(self);
        };
        // SAFETY: the sole reference is ours, so nobody reads the head meanwhile.
        unsafe {
            (*self.0.as_ptr()).capacity = capacity;
            (*self.0.as_ptr()).bytes = bytes;
        }
        Ok(self)
    }

    fn into_raw(self) -> u64 {
        let raw = self.0.as_ptr() as u64;
        std::mem::forget(self);
        raw
    }

    /// # Safety
    /// `raw` must come from `into_raw`, and be taken back once.
    unsafe fn from_raw(raw: u64) -> Option<Block> {
        NonNull::new(raw as *mut Head).map(Block)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the block lives until its last reference is dropped.
        let head = unsafe { self.0.as_ref() };
        if head.references.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        // A load, where a fence would do: sanitizers understand it.
        head.references.load(Ordering::Acquire);
        let (bytes, layout) = (head.bytes, layout(head.capacity));
        // SAFETY: this was the last reference, and the head was allocated with this layout; the bytes with theirs.
        unsafe {
            std::alloc::dealloc(self.0.as_ptr().cast(), Layout::new::<Head>());
            if let Some(layout) = layout {
                std::alloc::dealloc(bytes.as_ptr(), layout);
            }
        }
    }
}

/// A body as a String refers to it. On the stack, `object` keeps it alive.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) object: Value,
    pub(super) pointer: *mut u8,
    pub(super) capacity: usize,
    pub(super) kind: u64,
}

impl Body {
    /// A fresh body with room for `capacity` bytes.
    pub(super) fn new(m: &mut Mutator, capacity: usize) -> Result<Body> {
        if capacity <= MAX_BYTES {
            let words = capacity.div_ceil(16) * 2;
            let object = cells::alloc(m, Type::Bytes, 0, number(8 * words), words)?;
            let pointer = object.cell().payload::<u8>();
            return Ok(Body { object: object.0, pointer, capacity: 8 * words, kind: KIND_BYTES });
        }
        Body::in_block(m, capacity)
    }

    /// A fresh body of which other VMs can take a share.
    pub(super) fn in_block(m: &mut Mutator, capacity: usize) -> Result<Body> {
        if !m.malloc_allowed(capacity) {
            return Err(ObjError::NoMemory);
        }
        Body::of_block(m, Block::new(capacity).ok_or(ObjError::NoMemory)?)
    }

    fn of_block(m: &mut Mutator, block: Block) -> Result<Body> {
        let (pointer, capacity) = (block.bytes(), block.capacity());
        let object = cell_of(m, block)?;
        m.account_malloc((capacity + HEAD) as isize);
        Ok(Body { object, pointer, capacity, kind: KIND_BUFFER })
    }

    /// The body over a block that other VMs may share.
    pub(super) fn of_shared(m: &mut Mutator, block: &Block) -> Result<Body> {
        let object = holder(m, block)?;
        Ok(Body { object, pointer: block.bytes(), capacity: block.capacity(), kind: KIND_BUFFER })
    }

    /// Gives the unshared Buffer `object`, which the caller's string has exclusively, more room in
    /// place. `None` if that cannot be.
    pub(super) fn grow(m: &Mutator, object: Value, capacity: usize) -> Option<Body> {
        if !m.malloc_allowed(capacity) {
            return None;
        }
        let buffer = Obj::of(object, Type::Buffer);
        let word = buffer.word(BLOCK);
        // SAFETY: the word holds the cell's reference; it is put back below, whatever happens.
        let block = unsafe { Block::from_raw(word.load(Ordering::Relaxed)) }?;
        let old = block.capacity();
        let (block, grew) = match block.grow(capacity) {
            Ok(block) => (block, true),
            Err(block) => (block, false),
        };
        let pointer = block.bytes();
        word.store(block.into_raw(), Ordering::Release);
        if !grew {
            return None;
        }
        m.account_malloc(capacity as isize - old as isize);
        Some(Body { object, pointer, capacity, kind: KIND_BUFFER })
    }
}

/// A cell for a reference to a block, not accounted. The block exists before the cell: the cell's hook must never see a
/// word that is none.
fn cell_of(m: &mut Mutator, block: Block) -> Result<Value> {
    let object = cells::alloc_hooked(m, Type::Buffer, 0, number(0), 2)?;
    object.word(BLOCK).store(block.into_raw(), Ordering::Release);
    Ok(object.0)
}

/// The cell that holds this VM's share of a block which other VMs may share: the one there is, or a new one.
pub(crate) fn holder(m: &mut Mutator, block: &Block) -> Result<Value> {
    let address = block.address();
    if let Some(cell) = space(m).holders.get(address) {
        return Ok(cell);
    }
    let bytes = block.capacity() + HEAD;
    if !m.malloc_allowed(bytes) {
        let heap = m.heap().clone();
        heap.collect(m, Reason::Memory);
        if !m.malloc_allowed(bytes) {
            return Err(ObjError::NoMemory);
        }
    }
    let cell = cell_of(m, block.clone())?;
    m.account_share(bytes);
    Ok(space(m).holders.put(address, cell))
}

/// Bytes that a Buffer cell holds outside the heap.
pub(crate) fn malloc_bytes(cell: &Cell) -> usize {
    let word = Obj(Value(cell.address())).word(BLOCK).load(Ordering::Relaxed);
    // SAFETY: the word holds the cell's reference; it is only borrowed here, never dropped.
    match unsafe { Block::from_raw(word) } {
        Some(block) => {
            let bytes = block.capacity() + HEAD;
            std::mem::forget(block);
            bytes
        }
        None => 0,
    }
}

/// Drops the block of a dead Buffer cell; the bytes it gave back.
pub(crate) fn free(cell: &Cell) -> usize {
    let bytes = malloc_bytes(cell);
    let word = Obj(Value(cell.address())).word(BLOCK).load(Ordering::Relaxed);
    // SAFETY: the word holds the cell's reference, and the cell is dead: this is its last use.
    drop(unsafe { Block::from_raw(word) });
    bytes
}
