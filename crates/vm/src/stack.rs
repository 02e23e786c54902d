//! VM stacks. That of a thread is one mapping, reserved whole and touched as it is used; that of a fiber is a list of
//! chunks, the first of them small.
//!
//! ```text
//!   chunk: | prev | next | bytes | total | frames …       | room for a native frame |
//!                                                          ^ stack_end
//! ```
//!
//! Frames never move. A call that finds no room takes another chunk, and the return from it goes back; the chunk stays
//! linked, so that a loop of calls at the boundary costs no allocation.

use std::alloc::Layout;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

use crate::frame::{Frame, HEADER_WORDS, NewFrame, state};
use asterism_object::Value;

/// Bytes of a VM stack. Deep recursion ends here with SystemStackError (about 100,000 simple calls);
/// pages are only taken when touched.
pub const STACK_BYTES: usize = 16 << 20;

/// Words kept free at the end, for the frames that raising the SystemStackError itself needs.
const RESERVE_WORDS: usize = 8192;

/// Bytes of a thread's stack that count as part of the thread.
const FIRST_BYTES: usize = 64 << 10;

/// A VM stack. It holds frames, which it does not own: they end before it does.
pub struct Stack {
    base: *mut u64,
    bytes: usize,
}

// SAFETY: the memory is the stack's alone.
unsafe impl Send for Stack {}

impl Stack {
    /// Reserves a stack and puts the bottom frame on it.
    ///
    /// # Errors
    /// ENOMEM: the address space is exhausted.
    pub fn reserve() -> std::io::Result<Stack> {
        // SAFETY: an anonymous private mapping at an address of the kernel's choice.
        let base = unsafe {
            mmap_anonymous(
                std::ptr::null_mut(),
                STACK_BYTES,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }?;
        let stack = Stack { base: base.cast(), bytes: STACK_BYTES };
        // SAFETY: the mapping is larger than a frame and nobody else knows it.
        unsafe {
            stack.base.cast::<Frame>().write(bottom_frame(Value::NIL));
        }
        Ok(stack)
    }

    /// The bottom frame: a native one that calls what the thread runs.
    pub fn bottom(&mut self) -> *mut Frame {
        self.base.cast()
    }

    /// The end for ordinary pushes.
    pub fn end(&self) -> *mut u64 {
        self.base.wrapping_add(self.bytes / 8 - RESERVE_WORDS)
    }

    /// Where the end lies at first for a thread whose memory is limited.
    pub fn first_end(&self) -> *mut u64 {
        self.base.wrapping_add(FIRST_BYTES / 8)
    }

    /// The next end for such a thread that needs the stack up to `needed`, and the bytes below it; `None`: the stack is full.
    pub fn next_end(&self, needed: *mut u64) -> Option<(*mut u64, usize)> {
        let bytes = (needed.addr().checked_sub(self.base.addr())?).next_power_of_two();
        let end = self.base.wrapping_add(bytes / 8).min(self.end());
        (needed <= end).then_some((end, bytes.min(self.bytes)))
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: `base` and `bytes` are those of the mapping made in `new`; no frame is active any more.
        // Unmapping a mapping of our own cannot fail.
        let _ = unsafe { munmap(self.base.cast(), self.bytes) };
    }
}

/// What lies at the bottom of a stack: the frame of nothing, which calls what the thread or fiber runs.
fn bottom_frame(cref: Value) -> Frame {
    let new = NewFrame {
        iseq: std::ptr::null(),
        self_val: Value::NIL,
        method: Value::NIL,
        block: Value::NIL.bits(),
        cref,
        around: Value::NIL.bits(),
        state: state(0, crate::frame::Cont::Native, crate::frame::NATIVE),
    };
    Frame::new(std::ptr::null_mut(), std::ptr::null(), new)
}

/// Registers of a frame that fits into every first chunk, on top of the bottom frame and below a native one.
pub const FIRST_REGISTERS: usize = (Chunk::FIRST - size_of::<Chunk>()) / 8 - 3 * HEADER_WORDS;
/// Bytes of the largest chunk, unless one frame needs more.
const LARGEST: usize = 256 << 10;

/// A part of a fiber's stack.
#[repr(C)]
pub struct Chunk {
    /// The chunk below; null in the first one.
    prev: *mut Chunk,
    /// The chunk above, in use or spare; null if there is none.
    next: *mut Chunk,
    /// Its size.
    bytes: usize,
    /// Its size and that of those below.
    total: usize,
}

impl Chunk {
    /// Bytes of a fiber's first chunk: a few calls of small methods.
    pub const FIRST: usize = 1024;

    fn allocate(bytes: usize, prev: *mut Chunk, below: usize) -> Option<*mut Chunk> {
        let layout = Layout::from_size_align(bytes, align_of::<Chunk>()).ok()?;
        // SAFETY: the size is not 0. What is written lies within the allocation.
        unsafe {
            // Compiled code does not clear the registers of its frames: what lay there before would keep objects alive.
            let chunk = std::alloc::alloc_zeroed(layout).cast::<Chunk>();
            if chunk.is_null() {
                return None;
            }
            chunk.write(Chunk { prev, next: std::ptr::null_mut(), bytes, total: below + bytes });
            Some(chunk)
        }
    }

    /// A first chunk with the bottom frame on it; `None` without memory.
    pub fn first(cref: Value) -> Option<*mut Chunk> {
        let chunk = Chunk::allocate(Chunk::FIRST, std::ptr::null_mut(), 0)?;
        // SAFETY: a first chunk has room for a frame behind its header.
        unsafe { Chunk::start(chunk).cast::<Frame>().write(bottom_frame(cref)) };
        Some(chunk)
    }

    /// Where its frames begin.
    #[inline]
    pub fn start(this: *mut Chunk) -> *mut u64 {
        this.wrapping_add(1).cast()
    }

    /// Where its frames end: a native frame fits behind.
    ///
    /// # Safety
    /// `this` is a chunk that was not freed.
    #[inline]
    pub unsafe fn end(this: *mut Chunk) -> *mut u64 {
        // SAFETY: the caller's contract.
        unsafe { this.cast::<u64>().wrapping_add((*this).bytes / 8 - HEADER_WORDS) }
    }

    /// The chunk above with room for `words` words: the spare one, or a new one. `None`: the stack is full, or there is
    /// no memory. With it comes by how many bytes the stack has grown.
    ///
    /// # Safety
    /// `this` is the topmost chunk in use of a stack.
    pub unsafe fn above(this: *mut Chunk, words: usize) -> Option<(*mut Chunk, isize)> {
        let need = Chunk::need(words);
        // SAFETY: the caller's contract; chunks above the topmost one hold no frame.
        unsafe {
            let spare = (*this).next;
            if !spare.is_null() && (*spare).bytes >= need {
                return Some((spare, 0));
            }
            let freed = Chunk::free_above(this);
            let bytes = Chunk::bytes_for(this, need);
            if (*this).total + bytes > STACK_BYTES {
                return None;
            }
            let chunk = Chunk::allocate(bytes, this, (*this).total)?;
            (*this).next = chunk;
            Some((chunk, bytes as isize - freed as isize))
        }
    }

    /// The size of a new chunk above `this`, in use, in which there are `need` bytes.
    unsafe fn bytes_for(this: *mut Chunk, need: usize) -> usize {
        // SAFETY: `this` is a chunk in use.
        need.next_multiple_of(1024).max((unsafe { (*this).bytes } * 4).min(LARGEST))
    }

    /// At most so many bytes `above` takes for these words.
    ///
    /// # Safety
    /// As for `above`.
    pub unsafe fn most_above(this: *mut Chunk, words: usize) -> usize {
        let need = Chunk::need(words);
        // SAFETY: the caller's contract; a spare chunk was not freed.
        unsafe {
            let spare = (*this).next;
            if !spare.is_null() && (*spare).bytes >= need { 0 } else { Chunk::bytes_for(this, need) }
        }
    }

    fn need(words: usize) -> usize {
        size_of::<Chunk>() + (words + HEADER_WORDS) * 8
    }

    /// The chunk below `this`, which becomes its spare one; and by how many bytes the stack has shrunk.
    ///
    /// # Safety
    /// `this` is the topmost chunk in use of a stack, and not its first.
    pub unsafe fn below(this: *mut Chunk) -> (*mut Chunk, isize) {
        // SAFETY: the caller's contract.
        unsafe { ((*this).prev, -(Chunk::free_above(this) as isize)) }
    }

    /// Frees what is above; how many bytes that were.
    unsafe fn free_above(this: *mut Chunk) -> usize {
        // SAFETY: `this` is a chunk in use, and those above hold no frame.
        unsafe {
            let mut chunk = std::mem::replace(&mut (*this).next, std::ptr::null_mut());
            let mut bytes = 0;
            while !chunk.is_null() {
                let next = (*chunk).next;
                bytes += (*chunk).bytes;
                Chunk::free(chunk);
                chunk = next;
            }
            bytes
        }
    }

    unsafe fn free(this: *mut Chunk) {
        // SAFETY: the chunk was allocated with this layout, and nobody uses it any more.
        unsafe {
            let layout = Layout::from_size_align_unchecked((*this).bytes, align_of::<Chunk>());
            std::alloc::dealloc(this.cast(), layout);
        }
    }

    /// Frees a whole stack, given any chunk of it in use; how many bytes it had.
    ///
    /// # Safety
    /// No frame on it is active any more.
    pub unsafe fn free_all(this: *mut Chunk) -> usize {
        // SAFETY: the caller's contract.
        unsafe {
            let mut bytes = Chunk::free_above(this);
            let mut chunk = this;
            while !chunk.is_null() {
                let prev = (*chunk).prev;
                bytes += (*chunk).bytes;
                Chunk::free(chunk);
                chunk = prev;
            }
            bytes
        }
    }

    /// How many bytes the stack up to `this` takes; 0 for none.
    ///
    /// # Safety
    /// `this` is null or a chunk that was not freed.
    pub unsafe fn size(this: *mut Chunk) -> usize {
        // SAFETY: the caller's contract.
        unsafe { this.as_ref() }.map_or(0, |chunk| chunk.total)
    }
}

/// First chunks that no fiber uses.
#[derive(Default)]
pub struct SpareChunks {
    chunks: Vec<*mut Chunk>,
    /// How many were made because there was no spare one.
    made: usize,
}

impl SpareChunks {
    /// As many as are kept: a megabyte.
    const MOST: usize = 1024;

    /// A first chunk with the bottom frame on it; `None` without memory.
    pub fn take(&mut self, cref: Value) -> Option<*mut Chunk> {
        let Some(chunk) = self.chunks.pop() else {
            self.made += 1;
            return Chunk::first(cref);
        };
        // SAFETY: the chunk is one that `put` took: a first one, with room for a frame.
        unsafe { Chunk::start(chunk).cast::<Frame>().write(bottom_frame(cref)) };
        Some(chunk)
    }

    /// How many were made because there was no spare one.
    pub fn made(&self) -> usize {
        self.made
    }

    /// A spare first chunk, with the bottom frame of its last user and all zero above it, if there is one.
    #[inline]
    pub fn take_spare(&mut self) -> Option<*mut Chunk> {
        self.chunks.pop()
    }

    /// Takes the stack of a fiber that has ended, `chunk` being its topmost one in use; how many bytes it had.
    ///
    /// # Safety
    /// No frame on it is active any more.
    #[inline]
    pub unsafe fn put(&mut self, chunk: *mut Chunk) -> usize {
        // SAFETY: the caller's contract.
        unsafe {
            if (*chunk).prev.is_null() && self.chunks.len() < Self::MOST {
                let freed = if (*chunk).next.is_null() { 0 } else { Chunk::free_above(chunk) };
                // What this fiber leaves would live as long as the next one (see `Chunk::allocate`), and what that leaves as long as
                // the one after it: fibers that come and go would keep all that there ever were.
                let above = Frame::regs(Chunk::start(chunk).cast()).cast::<u64>();
                above.write_bytes(0, chunk.cast::<u64>().add(Chunk::FIRST / 8).offset_from_unsigned(above));
                self.chunks.push(chunk);
                return freed + Chunk::FIRST;
            }
            Chunk::free_all(chunk)
        }
    }
}

impl Drop for SpareChunks {
    fn drop(&mut self) {
        for chunk in self.chunks.drain(..) {
            // SAFETY: no fiber uses the chunk.
            unsafe { Chunk::free(chunk) };
        }
    }
}
