//! Strings as functions in C see them: a pointer to the bytes, which stay there until that thread goes back to Ruby.

use std::sync::atomic::Ordering;

use asterism_heap::Mutator;
use asterism_heap::header::FROZEN;

use super::buffer::PINNED;
use super::layout::{
    BODY, CodeRange, ENDED, KIND_BUFFER, KIND_INLINE, MAX_INLINE, Meta, SHARED, Str, behind, terminate,
};
use crate::error::Result;
use crate::ownership::readable;
use crate::value::Value;

/// Where the bytes of a String are.
#[derive(Clone, Copy)]
pub struct Raw {
    /// The first byte. Who may write there is C's business: only to a String it has made or asked to be modified.
    pub pointer: *mut u8,
    /// How many bytes.
    pub len: usize,
    /// How many there is room for, with the NUL; where others share the bytes no more than the bytes and a NUL that is there.
    pub capacity: usize,
    /// What has the bytes, if not the String's own cell: it is to be kept as long as they are looked at.
    pub body: Value,
}

/// A String of these bytes with a NUL behind them, and room for `room` altogether besides the NUL. The bytes lie outside the heap, or in
/// something this thread keeps from changing.
pub fn new(m: &mut Mutator, class: Value, bytes: &[u8], room: usize, encoding: u8) -> Result<Value> {
    let capacity = room.max(bytes.len());
    let (v, target) = super::make::alloc(m, class, 0, bytes.len(), capacity, encoding, CodeRange::Unknown)?;
    // SAFETY: `alloc` made room for the bytes, behind which there is always room for one more, in a string nobody else sees.
    unsafe {
        target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        target.add(bytes.len()).write(0);
    }
    let string = Str::of(v);
    string.set_meta(Meta(string.meta().0 | ENDED));
    Ok(v)
}

/// The place of the bytes. From another thread's String it takes what is there now: a change by others makes a copy.
pub fn raw(m: &mut Mutator, v: Value) -> Raw {
    let string = Str::of(v);
    let header = string.0.header();
    if readable(m, header) {
        return place(string);
    }
    let _guard = m.exclusive(string.cell());
    let meta = string.meta();
    if meta.kind() == KIND_INLINE {
        terminate(string.place(meta).0, meta.len());
    } else {
        string.share(meta, false);
    }
    place(string)
}

fn place(string: Str) -> Raw {
    let meta = string.meta();
    let (pointer, capacity) = string.place(meta);
    let body = if meta.kind() == KIND_INLINE { Value::NIL } else { string.0.value(BODY) };
    if meta.kind() == KIND_BUFFER
        && let Some(cell) = body.cell()
        && cell.header() & PINNED == 0
    {
        cell.header.fetch_or(PINNED, Ordering::Relaxed);
    }
    let capacity = if meta.is_shared() {
        // SAFETY: as in `terminate`.
        let ended = unsafe { &*behind(pointer, meta.len()) }.load(Ordering::Relaxed) == 0;
        meta.len() + usize::from(ended)
    } else {
        capacity + 1
    };
    Raw { pointer, len: meta.len(), capacity, body }
}

/// Puts a NUL behind the bytes the first time that C sees them: it may have written there since.
pub fn end(m: &Mutator, v: Value, raw: &Raw) {
    let string = Str::of(v);
    let meta = string.meta();
    // Behind those that others share there is one already, or there are bytes of another String.
    if meta.0 & (SHARED | ENDED) != 0 {
        return;
    }
    if string.0.header() & FROZEN != 0 {
        terminate(raw.pointer, raw.len);
    } else if super::write::is_own(m, v) {
        terminate(raw.pointer, raw.len);
        string.set_meta(Meta(meta.0 | ENDED));
    }
}

/// Makes the String one whose bytes C writes: of its own, with room for `extra` more behind them, and nothing is known of them.
pub fn writable(m: &mut Mutator, v: Value, extra: usize) -> Result<Raw> {
    let mut guard = super::write::modify(m, &v, extra)?;
    guard.set_coderange(CodeRange::Unknown);
    drop(guard);
    Ok(place(Str::of(v)))
}

/// The place of the bytes, if that is at hand and C has seen them as they are, with a NUL behind them.
#[inline]
pub fn seen(m: &Mutator, v: Value) -> Option<Raw> {
    let string = Str::of(v);
    if !readable(m, string.0.header()) {
        return None;
    }
    let raw = place(string);
    let meta = string.meta().0;
    (meta & ENDED != 0 || meta & SHARED != 0 && raw.capacity > raw.len).then_some(raw)
}

/// Where in the String the byte at an address is, if it is one of its bytes.
fn offset(m: &mut Mutator, v: Value, address: *const u8) -> Option<usize> {
    let string = Str::of(v);
    let pointer = if readable(m, string.0.header()) { string.place(string.meta()).0 } else { raw(m, v).pointer };
    let offset = address.addr().wrapping_sub(pointer.addr());
    (offset < string.meta().len()).then_some(offset)
}

/// Appends the `n` bytes at an address, of which nothing is known, and a NUL behind them. They may be a part of the String.
///
/// # Safety
/// As many bytes lie there until the String changes.
pub unsafe fn append(m: &mut Mutator, v: Value, from: *const u8, n: usize) -> Result<()> {
    let own = offset(m, v, from);
    let guard = super::write::modify(m, &v, n)?;
    let string = Str::of(v);
    let meta = string.meta();
    let len = meta.len() + n;
    let (pointer, _) = string.place(meta);
    // SAFETY: `modify` made room for the bytes, behind which there is always room for one more, in a body that nobody shares. It may
    // have moved the String's own bytes there. Of others the caller says that they are there still.
    unsafe {
        let from = own.map_or(from, |offset| pointer.add(offset));
        pointer.add(meta.len()).copy_from(from, n);
        pointer.add(len).write(0);
    }
    string.set_meta(Meta(meta.with_len(len).with_range(CodeRange::Unknown).0 | ENDED));
    drop(guard);
    Ok(())
}

/// Sets the length of a String whose bytes C has written, and puts a NUL behind them. `false`: there is no room for so many.
pub fn set_len(m: &mut Mutator, v: Value, len: usize) -> Result<bool> {
    let guard = super::write::modify(m, &v, 0)?;
    let string = Str::of(v);
    let meta = string.meta();
    let (pointer, capacity) = string.place(meta);
    if len > capacity {
        return Ok(false);
    }
    // SAFETY: there is always room for the NUL, and `modify` gave the String a body of its own.
    unsafe { pointer.add(len).write(0) };
    string.set_meta(Meta(meta.with_len(len).with_range(CodeRange::Unknown).0 | ENDED));
    drop(guard);
    Ok(true)
}

/// Most bytes that need no body.
pub const INLINE: usize = MAX_INLINE;
