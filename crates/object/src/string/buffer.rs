//! Where the bytes of longer strings are: a Bytes cell in the heap, or above a size a Buffer cell
//! that holds a malloc'ed, reference-counted block.
//!
//! Counted blocks belong to no heap: a channel can hand one to another VM without a copy. A block is
//! written to only by the string that has it unshared. Those of arrays (`array::share`) are such blocks too.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use asterism_heap::{Cell, Charge, Mutator, Reason};

use super::layout::{KIND_BUFFER, KIND_BYTES};
use crate::cells::{self, Obj, number, number_of};
use crate::error::{ObjError, Result};
use crate::space::space;
use crate::types::Type;
use crate::value::Value;

/// Header bit of a Buffer cell: C may look at the block, so it is not given more room where it is.
pub(super) const PINNED: u64 = 1 << asterism_heap::header::PRIVATE_SHIFT;

/// Most bytes of a Bytes cell, with the NUL; more go to a Buffer. A channel hands those over without touching them, which for 1,000 bytes that
/// have lain for a while is half of what a message costs; one that is not sent pays 80 ns more for its block.
const MAX_BYTES: usize = 256;
/// Payload word of a Buffer cell: its block.
const BLOCK: usize = 0;
/// Payload word of a Buffer cell: 1 if it has a second reference to its block, which the next message takes along: it has one
/// from the beginning, and when a message with the block has come back. The count, which lies in no cache any more or in
/// another thread's, is not touched then.
const SPARE: usize = 1;

/// What is known of a block. That of a large one is allocated apart from its bytes: whoever counts a reference touches memory
/// that lies beside the heads of others, not a page that nobody has looked at for long.
struct Head {
    references: AtomicUsize,
    /// Changed by the sole reference only, as is `bytes`.
    capacity: usize,
    bytes: NonNull<u8>,
}

/// Bytes that a block takes beside what it holds.
pub(crate) const HEAD: usize = size_of::<Head>();
/// Up to so many bytes lie behind their head.
const MAX_TOGETHER: usize = 4096;

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

/// The layout of bytes that are allocated apart from their head, aligned for words; `None` above what can be allocated.
fn layout(capacity: usize) -> Option<Layout> {
    Layout::from_size_align(capacity, align_of::<u64>()).ok()
}

/// The layout of a head with so many bytes behind it.
const fn layout_of_head(capacity: usize) -> Layout {
    match Layout::from_size_align(HEAD + capacity, align_of::<Head>()) {
        Ok(layout) => layout,
        Err(_) => panic!("a head is small"),
    }
}

impl Block {
    /// A block with room for `capacity` bytes, which are not initialised.
    pub(crate) fn new(capacity: usize) -> Option<Block> {
        let (head, bytes) = if capacity <= MAX_TOGETHER {
            let head = Block::new_head(capacity)?;
            // SAFETY: as many bytes were allocated behind the head.
            (head, unsafe { head.add(1) }.cast())
        } else {
            let layout = layout(capacity)?;
            // SAFETY: the size is not zero.
            let bytes = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
            let Some(head) = Block::new_head(0) else {
                // SAFETY: allocated above with this layout, and nobody has seen it.
                unsafe { std::alloc::dealloc(bytes.as_ptr(), layout) };
                return None;
            };
            (head, bytes)
        };
        // SAFETY: fresh, big enough and aligned.
        unsafe { head.write(Head { references: AtomicUsize::new(1), capacity, bytes }) };
        Some(Block(head))
    }

    /// Memory for a head and so many bytes behind it, not initialised.
    fn new_head(capacity: usize) -> Option<NonNull<Head>> {
        // SAFETY: a head is not of size zero.
        NonNull::new(unsafe { std::alloc::alloc(layout_of_head(capacity)) }.cast())
    }

    /// A reference to the block of a Buffer cell beside the cell's own.
    pub(crate) fn share(object: Value) -> Option<Block> {
        let buffer = Obj::of(object, Type::Buffer);
        let word = buffer.word(BLOCK).load(Ordering::Acquire);
        let spare = buffer.word(SPARE);
        if spare.load(Ordering::Relaxed) != 0 && spare.swap(0, Ordering::AcqRel) != 0 {
            // SAFETY: whoever takes the mark off has the reference that it stood for.
            return unsafe { Block::from_raw(word) };
        }
        // SAFETY: the word holds the cell's reference; it is only borrowed here, never dropped.
        let block = std::mem::ManuallyDrop::new(unsafe { Block::from_raw(word) }?);
        Some(Block::clone(&block))
    }

    fn number(&self) -> usize {
        self.0.addr().get()
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

    /// The same block with more room, its first bytes kept; only for who has all of so many references.
    fn grow(self, capacity: usize, references: usize) -> std::result::Result<Block, Block> {
        // SAFETY: as in `capacity`.
        let head = unsafe { self.0.as_ref() };
        if head.references.load(Ordering::Acquire) != references {
            return Err(self);
        }
        if head.capacity <= MAX_TOGETHER {
            let Some(block) = Block::new(capacity) else { return Err(self) };
            // SAFETY: the new block has more room than the old one, and nobody else refers to either.
            unsafe { block.bytes().copy_from_nonoverlapping(self.bytes(), head.capacity) };
            block.count(references);
            self.release(references);
            return Ok(block);
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
        // SAFETY: all references are ours, so nobody reads the head meanwhile.
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

impl Block {
    /// The one reference there was stands for so many.
    fn count(&self, references: usize) {
        // SAFETY: the block lives while a reference to it does.
        unsafe { self.0.as_ref() }.references.store(references, Ordering::Relaxed);
    }

    /// A second reference to a block that nobody else refers to.
    fn doubled(&self) -> Block {
        self.count(2);
        Block(self.0)
    }

    /// Drops so many references, which this one stands for.
    fn release(self, references: usize) {
        let block = std::mem::ManuallyDrop::new(self);
        // SAFETY: the block lives until its last reference is dropped.
        let head = unsafe { block.0.as_ref() };
        if head.references.fetch_sub(references, Ordering::Release) != references {
            return;
        }
        // A load, where a fence would do: sanitizers understand it.
        head.references.load(Ordering::Acquire);
        let (bytes, capacity) = (head.bytes, head.capacity);
        let together = if capacity <= MAX_TOGETHER { capacity } else { 0 };
        // SAFETY: this was the last reference, and the head was allocated with this layout; the bytes that do not lie behind it
        // with theirs.
        unsafe {
            std::alloc::dealloc(block.0.as_ptr().cast(), layout_of_head(together));
            if capacity > MAX_TOGETHER
                && let Some(layout) = layout(capacity)
            {
                std::alloc::dealloc(bytes.as_ptr(), layout);
            }
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        Block(self.0).release(1);
    }
}

/// The bytes of a block from a place on, on their way to another heap. Neither who takes it nor who opens it looks at the
/// block's head.
#[derive(Debug)]
pub(super) struct Share {
    block: Block,
    pointer: NonNull<u8>,
    /// How many bytes the whole block has room for.
    capacity: usize,
}

// SAFETY: the pointer leads to bytes of the block, which are only read while there are several references.
unsafe impl Send for Share {}
// SAFETY: as for Send.
unsafe impl Sync for Share {}

impl Clone for Share {
    fn clone(&self) -> Share {
        Share { block: self.block.clone(), ..*self }
    }
}

impl Share {
    /// A share of the block that the Buffer `object` holds, from a place in it on.
    pub(super) fn of(object: Value, pointer: *mut u8) -> Option<Share> {
        let (block, pointer) = (Block::share(object)?, NonNull::new(pointer)?);
        Some(Share { block, pointer, capacity: number_of(object.cell()?) })
    }

    /// Tells the block from the process's others, as long as it lives.
    pub(super) fn number(&self) -> usize {
        self.block.number()
    }

    /// A copy of bytes, in a block that nobody else has, and a second reference to it, for who sends it on.
    pub(super) fn copy(bytes: &[u8]) -> Option<(Share, Block)> {
        let block = Block::new(bytes.len() + 1)?;
        let spare = block.doubled();
        let pointer = NonNull::new(block.bytes())?;
        // SAFETY: the fresh block has room for as many bytes.
        unsafe { pointer.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Some((Share { block, pointer, capacity: bytes.len() }, spare))
    }

    /// The bytes of a `copy`.
    pub(super) fn copied(&self) -> &[u8] {
        // SAFETY: as many bytes were copied to the fresh block, which nobody else has, and which lives as long as the share.
        unsafe { std::slice::from_raw_parts(self.pointer.as_ptr(), self.capacity) }
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
    /// A fresh body with room for `capacity` bytes, and for a NUL behind them.
    pub(super) fn new(m: &mut Mutator, capacity: usize) -> Result<Body> {
        if capacity < MAX_BYTES {
            let words = (capacity + 1).div_ceil(16) * 2;
            let object = cells::alloc(m, Type::Bytes, 0, number(8 * words), words)?;
            let pointer = object.cell().payload::<u8>();
            return Ok(Body { object: object.0, pointer, capacity: 8 * words - 1, kind: KIND_BYTES });
        }
        let charge = m.charge_malloc(capacity + HEAD).ok_or(ObjError::NoMemory)?;
        let block = Block::new(capacity + 1).ok_or(ObjError::NoMemory)?;
        let pointer = block.bytes();
        let spare = block.doubled();
        let object = cell_of(m, block, capacity, Some(spare))?;
        m.account_charged(charge);
        Ok(Body { object, pointer, capacity, kind: KIND_BUFFER })
    }

    /// The body of `len` bytes that other VMs may share.
    pub(super) fn of_share(m: &mut Mutator, share: Share, len: usize) -> Result<Body> {
        let object = holder(m, share.block.number(), share.block, share.capacity)?;
        Ok(Body { object, pointer: share.pointer.as_ptr(), capacity: len, kind: KIND_BUFFER })
    }

    /// The body over a `Share::copy`, which nobody shares: it has both references.
    pub(super) fn of_copy(m: &mut Mutator, copy: Share, spare: Block) -> Result<Body> {
        let Share { block, pointer, capacity } = copy;
        let object = cell_of(m, block, capacity, Some(spare))?;
        m.account_malloc((capacity + HEAD) as isize);
        Ok(Body { object, pointer: pointer.as_ptr(), capacity, kind: KIND_BUFFER })
    }

    /// Gives the unshared Buffer `object`, which the caller's string has exclusively, more room in
    /// place. `None` if that cannot be.
    pub(super) fn grow(m: &Mutator, object: Value, capacity: usize) -> Option<Body> {
        // While they are copied they may be there twice.
        let mut charge = m.charge_malloc(capacity)?;
        let buffer = Obj::of(object, Type::Buffer);
        if buffer.header() & PINNED != 0 {
            return None;
        }
        let word = buffer.word(BLOCK);
        // SAFETY: the word holds the cell's reference; it is put back below, whatever happens.
        let block = unsafe { Block::from_raw(word.load(Ordering::Relaxed)) }?;
        let old = number_of(buffer.cell());
        let references = 1 + buffer.word(SPARE).load(Ordering::Relaxed) as usize;
        let (block, grew) = match block.grow(capacity + 1, references) {
            Ok(block) => (block, true),
            Err(block) => (block, false),
        };
        let pointer = block.bytes();
        word.store(block.into_raw(), Ordering::Release);
        if !grew {
            return None;
        }
        buffer.cell().class.store(number(capacity).bits(), Ordering::Relaxed);
        // Less than it stands for is never refused.
        let _done = charge.set(capacity.saturating_sub(old));
        m.account_charged(charge);
        Some(Body { object, pointer, capacity, kind: KIND_BUFFER })
    }
}

/// A cell for a reference to a block with so much room, or for two; not accounted. The block exists before the cell: the cell's
/// hook must never see a word that is none.
fn cell_of(m: &mut Mutator, block: Block, capacity: usize, spare: Option<Block>) -> Result<Value> {
    let object = cells::alloc_hooked(m, Type::Buffer, 0, number(capacity), 2)?;
    // What the mark stands for is the cell's.
    let spare = spare.map(Block::into_raw);
    object.word(SPARE).store(u64::from(spare.is_some()), Ordering::Relaxed);
    object.word(BLOCK).store(block.into_raw(), Ordering::Release);
    Ok(object.0)
}

/// The cell that holds this VM's share of a block which other VMs may share, with so much room: the one there is by this
/// number, or a new one.
pub(crate) fn holder(m: &mut Mutator, number: usize, block: Block, capacity: usize) -> Result<Value> {
    if let Some(cell) = space(m).holders.get(number) {
        // What the mark stands for is there before the mark is.
        let raw = block.into_raw();
        if Obj::of(cell, Type::Buffer).word(SPARE).swap(1, Ordering::AcqRel) != 0 {
            // SAFETY: just taken apart; the cell had a second reference already.
            drop(unsafe { Block::from_raw(raw) });
        }
        return Ok(cell);
    }
    let bytes = capacity + HEAD;
    let mut charge = m.charge_malloc(bytes);
    if charge.is_none() {
        let heap = m.heap().clone();
        heap.collect(m, Reason::Memory);
        charge = m.charge_malloc(bytes);
    }
    hold(m, number, block, capacity, charge.ok_or(ObjError::NoMemory)?)
}

/// A new cell for this VM's share of a block that it has no cell for yet, and what was counted for the block.
pub(crate) fn hold(m: &mut Mutator, number: usize, block: Block, capacity: usize, charge: Charge) -> Result<Value> {
    let cell = cell_of(m, block, capacity, None)?;
    m.account_share(charge);
    Ok(space(m).holders.put(number, cell))
}

/// Bytes that a Buffer cell holds outside the heap.
pub(crate) fn malloc_bytes(cell: &Cell) -> usize {
    number_of(cell) + HEAD
}

/// Drops the block of a dead Buffer cell; the bytes it gave back.
pub(crate) fn free(cell: &Cell) -> usize {
    let buffer = Obj(Value::from_cell(cell));
    let references = 1 + buffer.word(SPARE).load(Ordering::Relaxed) as usize;
    // SAFETY: the word holds the cell's reference, and another one if it is marked so; the cell is dead: this is its last use.
    if let Some(block) = unsafe { Block::from_raw(buffer.word(BLOCK).load(Ordering::Relaxed)) } {
        block.release(references);
    }
    malloc_bytes(cell)
}
