//! A String's bytes on their way from one heap to another, or to another String of the same heap (`move_in`). A few go in the message itself. Many lie in a counted block, which
//! is handed over as it is: both strings share it, and whoever changes its string first makes a copy.

use std::sync::atomic::Ordering;

use asterism_heap::header::FROZEN;
use asterism_heap::{Mutator, keep_alive};

use super::buffer::{Block, Body, Share};
use super::layout::{BODY, CAPACITY, CodeRange, KIND_BUFFER, KIND_INLINE, LENT, Meta, POINTER, SHARED, STEP_MASK, Str};
use super::read::read;
use crate::cells;
use crate::error::{ObjError, Result};
use crate::space::space;
use crate::types::Type;
use crate::value::Value;

/// Most bytes that go in the message itself.
const SHORT: usize = 46;

/// The bytes, belonging to no heap.
#[derive(Debug)]
enum Bytes {
    /// A copy, of as many bytes as the parcel says. Neither has anything to allocate nor the receiver to free, which would lie in
    /// the memory of the sender's thread.
    Short([u8; SHORT]),
    /// A copy in a block that nobody else has, with the reference that its receiver will send on.
    Copy(Share, Block),
    /// A share of a counted block: the bytes from a place on.
    Long(Share),
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
    /// Takes a share of the bytes of the String `v`, or a copy of those that lie in its heap.
    ///
    /// # Errors
    /// NoMemory.
    pub fn of(m: &mut Mutator, v: Value) -> Result<Parcel> {
        let string = Str::of(v);
        let (meta, taken) = {
            let frozen = string.cell().header() & FROZEN != 0;
            let _guard = if frozen { None } else { Some(m.exclusive(string.cell())) };
            let meta = string.meta();
            let taken = if meta.kind() == KIND_BUFFER {
                string.share(meta, frozen);
                let holder = string.0.value(super::layout::BODY);
                Share::of(holder, string.place(meta).0).map(|share| (Bytes::Long(share), holder))
            } else if meta.len() <= SHORT {
                // SAFETY: the string is frozen, or the guard holds it.
                Some((Bytes::Short(short(unsafe { string.bytes(meta) })), v))
            } else {
                None
            };
            (meta, taken)
        };
        if let Some((bytes, holder)) = taken {
            if let Bytes::Long(share) = &bytes {
                // When the block comes back, this is the cell that has it already.
                space(m).holders.put(share.number(), holder);
            }
            keep_alive(holder.bits());
            return Ok(Parcel { bytes, len: meta.len(), encoding: meta.encoding(), range: meta.range() });
        }
        let bytes = read(m, v);
        let (len, encoding, range) = (bytes.len(), bytes.encoding(), bytes.coderange());
        let (copy, spare) = Share::copy(&bytes).ok_or(ObjError::NoMemory)?;
        Ok(Parcel { bytes: Bytes::Copy(copy, spare), len, encoding, range })
    }

    /// Bytes it holds outside the heaps.
    #[must_use]
    pub fn size(&self) -> usize {
        self.len
    }

    /// A String of `class` with these bytes.
    ///
    /// # Errors
    /// NoMemory.
    pub fn open(&self, m: &mut Mutator, class: Value) -> Result<Value> {
        match &self.bytes {
            Bytes::Short(bytes) => super::make::make_with(m, class, 0, &bytes[..self.len], self.encoding, self.range),
            Bytes::Copy(copy, _) => super::make::make_with(m, class, 0, copy.copied(), self.encoding, self.range),
            Bytes::Long(share) => {
                let body = Body::of_share(m, share.clone(), self.len)?;
                over(m, class, body, self.meta(), SHARED)
            }
        }
    }

    /// As `open`, of a parcel that nobody else opens: a share of a block is handed over.
    ///
    /// # Errors
    /// NoMemory.
    pub fn hand_over(self, m: &mut Mutator, class: Value) -> Result<Value> {
        let meta = self.meta();
        match self.bytes {
            Bytes::Short(_) => self.open(m, class),
            Bytes::Copy(copy, spare) => {
                let body = Body::of_copy(m, copy, spare)?;
                over(m, class, body, meta, 0)
            }
            Bytes::Long(share) => {
                let body = Body::of_share(m, share, self.len)?;
                over(m, class, body, meta, SHARED)
            }
        }
    }

    fn meta(&self) -> Meta {
        Meta(0).with_len(self.len).with_encoding(self.encoding).with_range(self.range)
    }
}

/// A String of `class` with the bytes of `v`, which is empty from then on if they lay outside of it. A frozen one stays as it is,
/// and shares them.
///
/// # Errors
/// NoMemory.
pub fn move_in(m: &mut Mutator, class: Value, v: Value) -> Result<Value> {
    let string = Str::of(v);
    let stays = || string.meta().kind() == KIND_INLINE || string.cell().header() & (FROZEN | LENT) != 0;
    if stays() {
        return super::read::dup_in(m, class, v);
    }
    let made = Str(cells::alloc(m, Type::String, 0, class, 4)?);
    // An empty String until it is filled, since taking the source may be a safepoint.
    made.set_meta(Meta(0));
    let guard = m.exclusive(string.cell());
    if stays() {
        drop(guard);
        return super::read::dup_in(m, class, v);
    }
    let meta = string.meta();
    let (pointer, capacity) = string.place(meta);
    made.0.word(POINTER).store(pointer as u64, Ordering::Relaxed);
    made.0.word(BODY).store(string.0.value(BODY).bits(), Ordering::Release);
    made.0.word(CAPACITY).store(capacity as u64, Ordering::Relaxed);
    made.set_meta(Meta(meta.0 & !STEP_MASK));
    // Who reaches the source later, with a reference from before, finds no bytes that another String may change.
    string.set_meta(Meta(meta.0 & STEP_MASK).with_encoding(meta.encoding()));
    drop(guard);
    m.remember_private(made.cell());
    Ok(made.0.0)
}

fn short(bytes: &[u8]) -> [u8; SHORT] {
    let mut short = [0; SHORT];
    short[..bytes.len()].copy_from_slice(bytes);
    short
}

/// A String of `class` with a body that has its bytes. `shared`: `SHARED`, or 0 if it may be changed.
fn over(m: &mut Mutator, class: Value, body: Body, meta: Meta, shared: u64) -> Result<Value> {
    let string = Str(cells::alloc(m, Type::String, 0, class, 4)?);
    string.install(body, meta);
    string.set_meta(Meta(string.meta().0 | shared));
    keep_alive(body.object.bits());
    Ok(string.0.0)
}
