//! Strings as functions in C see them: a pointer to the bytes, which stay there until that thread goes back to Ruby.

use asterism_heap::Mutator;
use asterism_heap::header::{FROZEN, PRIVATE_SHIFT};

use super::{BODY, CodeRange, ENDED, KIND_BUFFER, KIND_INLINE, MAX_INLINE, Meta, SHARED, Str};
use crate::error::Result;
use crate::ownership::readable;
use crate::value::Value;

/// Header bit of a Buffer cell: C may look at the block, so it is not given more room where it is.
pub(super) const PINNED: u64 = 1 << PRIVATE_SHIFT;

/// Where the bytes of a String are.
#[derive(Clone, Copy)]
pub struct Raw {
    /// The first byte. Who may write there is C's business: only to a String it has made or asked to be modified.
    pub pointer: *mut u8,
    /// How many bytes.
    pub len: usize,
    /// How many there is room for; the length where others share the bytes.
    pub capacity: usize,
    /// What has the bytes, if not the String's own cell: it is to be kept as long as they are looked at.
    pub body: Value,
}

/// A String of these bytes with a NUL behind them, and room for `room` altogether besides the NUL. The bytes lie outside the heap, or in
/// something this thread keeps from changing.
pub fn new(m: &mut Mutator, class: Value, bytes: &[u8], room: usize, encoding: u8) -> Result<Value> {
    let capacity = room.max(bytes.len()) + 1;
    let (v, target) = super::alloc(m, class, 0, bytes.len(), capacity, encoding, CodeRange::Unknown)?;
    // SAFETY: `alloc` made room for the bytes and one more, in a string nobody else sees.
    unsafe {
        target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        target.add(bytes.len()).write(0);
    }
    Ok(v)
}

/// The place of the bytes. From another thread's String it takes what is there now: a change by others makes a copy.
pub fn raw(m: &mut Mutator, v: Value) -> Raw {
    let string = Str::of(v);
    let header = string.0.header();
    if readable(m, header) {
        return place(string, header & FROZEN != 0);
    }
    let _guard = m.exclusive(string.cell());
    let meta = string.meta();
    if meta.kind() != KIND_INLINE {
        string.set_meta(Meta(meta.0 | SHARED));
    }
    place(string, true)
}

fn place(string: Str, fixed: bool) -> Raw {
    let meta = string.meta();
    let (pointer, capacity) = string.place(meta);
    let body = if meta.kind() == KIND_INLINE { Value::NIL } else { string.0.value(BODY) };
    if meta.kind() == KIND_BUFFER
        && let Some(cell) = body.cell()
        && cell.header() & PINNED == 0
    {
        cell.header.fetch_or(PINNED, std::sync::atomic::Ordering::Relaxed);
    }
    let capacity = if fixed && meta.kind() != KIND_INLINE || meta.is_shared() { meta.len() } else { capacity };
    Raw { pointer, len: meta.len(), capacity, body }
}

/// Puts a NUL behind the bytes where there is room, the first time that C sees them: it may have written there since.
pub fn end(m: &Mutator, v: Value, raw: &Raw) {
    let string = Str::of(v);
    let meta = string.meta();
    if raw.capacity <= raw.len || meta.0 & ENDED != 0 {
        return;
    }
    // SAFETY: there is room behind the bytes, which nobody reads but as the end of them.
    unsafe {
        let end = raw.pointer.add(raw.len);
        if end.read() != 0 {
            end.write(0);
        }
    }
    if super::is_own(m, v) && string.0.header() & FROZEN == 0 {
        string.set_meta(Meta(meta.0 | ENDED));
    }
}

/// Makes the String one whose bytes C writes: of its own, with room for `extra` more behind them, and nothing is known of them.
pub fn writable(m: &mut Mutator, v: Value, extra: usize) -> Result<Raw> {
    let mut guard = super::write::modify(m, &v, extra)?;
    guard.set_coderange(CodeRange::Unknown);
    drop(guard);
    Ok(place(Str::of(v), false))
}

/// Sets the length of a String whose bytes C has written. `false`: there is no room for so many.
pub fn set_len(m: &mut Mutator, v: Value, len: usize) -> Result<bool> {
    let guard = super::write::modify(m, &v, 0)?;
    let string = Str::of(v);
    let meta = string.meta();
    let (_, capacity) = string.place(meta);
    if len > capacity {
        return Ok(false);
    }
    string.set_meta(meta.with_len(len).with_range(CodeRange::Unknown));
    drop(guard);
    Ok(true)
}

/// Most bytes that need no body.
pub const INLINE: usize = MAX_INLINE;
