//! A String's bytes on their way from one heap to another. A few go in the message itself. More lie in a counted block, or
//! are moved into one, which is handed over as it is: both strings share it, and whoever changes its string first makes a copy.

use asterism_heap::header::FROZEN;
use asterism_heap::{Mutator, keep_alive};

use super::buffer::{Block, Body};
use super::{CAPACITY, CodeRange, KIND_BUFFER, KIND_BYTES, KIND_INLINE, Meta, SHARED, Str, read};
use crate::cells;
use crate::error::Result;
use crate::space::space;
use crate::types::Type;
use crate::value::Value;

/// Most bytes that go in the message itself.
const SHORT: usize = 46;
/// Fewer bytes than this are copied: that costs less than a block.
const MIN_SHARED: usize = 256;

/// The bytes, belonging to no heap.
#[derive(Debug)]
enum Bytes {
    /// A copy, of as many bytes as the parcel says. Neither has anything to allocate nor the receiver to free, which would lie in
    /// the memory of the sender's thread.
    Short([u8; SHORT]),
    /// A copy, of a longer string.
    Own(Box<[u8]>),
    /// A share of a counted block: the bytes from an offset on.
    Block(Block, usize),
}

/// What a String is but for its class, frozenness and instance variables.
#[derive(Debug)]
pub struct Parcel {
    bytes: Bytes,
    len: usize,
    encoding: u8,
    range: CodeRange,
}

impl Parcel {
    /// Takes a share of the bytes of the String `v`. Longer ones are not copied.
    pub fn of(m: &mut Mutator, v: Value) -> Parcel {
        let string = Str::of(v);
        if string.meta().kind() == KIND_BYTES && string.meta().len() >= MIN_SHARED {
            // Without memory for that the bytes are copied, as those of a frozen string are.
            let _ = move_out(m, v);
        }
        let shared = {
            let frozen = string.cell().header() & FROZEN != 0;
            let _guard = if frozen { None } else { Some(m.exclusive(string.cell())) };
            let meta = string.meta();
            if meta.kind() == KIND_BUFFER
                && let Some(block) = Block::share(string.0.value(super::BODY))
            {
                let (pointer, _) = string.place(meta);
                let offset = pointer.addr() - block.bytes().addr();
                if !frozen {
                    string.set_meta(Meta(meta.0 | SHARED));
                }
                let (len, encoding, range) = (meta.len(), meta.encoding(), meta.range());
                let holder = string.0.value(super::BODY);
                Some((Parcel { bytes: Bytes::Block(block, offset), len, encoding, range }, holder))
            } else if meta.kind() == KIND_INLINE && meta.len() <= SHORT {
                let (len, encoding, range) = (meta.len(), meta.encoding(), meta.range());
                let mut short = [0; SHORT];
                // SAFETY: the string is frozen, or the guard holds it.
                short[..len].copy_from_slice(unsafe { string.bytes(meta) });
                return Parcel { bytes: Bytes::Short(short), len, encoding, range };
            } else {
                None
            }
        };
        if let Some((parcel, holder)) = shared {
            if let Bytes::Block(block, _) = &parcel.bytes {
                // When the block comes back, this is the cell that has it already.
                space(m).holders.put(block.address(), holder);
            }
            keep_alive(holder.0);
            return parcel;
        }
        let bytes = read(m, v);
        let (len, encoding, range) = (bytes.len(), bytes.encoding(), bytes.coderange());
        Parcel { bytes: Bytes::Own(Box::from(&*bytes)), len, encoding, range }
    }

    /// Bytes it holds outside the heaps.
    #[must_use]
    pub fn size(&self) -> usize {
        self.len
    }

    /// A String of `class` with these bytes.
    pub fn open(&self, m: &mut Mutator, class: Value) -> Result<Value> {
        let (block, offset) = match &self.bytes {
            Bytes::Short(bytes) => {
                return super::make_with(m, class, 0, &bytes[..self.len], self.encoding, self.range);
            }
            Bytes::Own(bytes) => {
                return super::make_with(m, class, 0, bytes, self.encoding, self.range);
            }
            Bytes::Block(block, offset) => (block, *offset),
        };
        let body = Body::of_shared(m, block)?;
        let string = Str(cells::alloc(m, Type::String, 0, class, 4)?);
        // SAFETY: the offset was that of a string in this block, so the address lies within it.
        let pointer = unsafe { body.pointer.add(offset) };
        let part = Body { pointer, capacity: body.capacity - offset, ..body };
        string.install(part, Meta(0).with_len(self.len).with_encoding(self.encoding).with_range(self.range));
        string.set_meta(Meta(string.meta().0 | SHARED));
        debug_assert!(string.0.word(CAPACITY).load(std::sync::atomic::Ordering::Relaxed) as usize >= self.len);
        Ok(string.0.0)
    }
}

/// Moves the bytes of `v`, which lie in the heap, into a block.
#[cold]
fn move_out(m: &mut Mutator, v: Value) -> Result<()> {
    let string = Str::of(v);
    let body = Body::in_block(m, string.meta().len())?;
    let guard = m.exclusive(string.cell());
    let meta = string.meta();
    if guard.header() & FROZEN == 0 && meta.kind() == KIND_BYTES && meta.len() <= body.capacity {
        // SAFETY: the new body has room for the bytes, nobody else has it, and the guard holds the string.
        unsafe { body.pointer.copy_from_nonoverlapping(string.place(meta).0, meta.len()) };
        string.install(body, meta);
    }
    drop(guard);
    keep_alive(body.object.0);
    Ok(())
}
