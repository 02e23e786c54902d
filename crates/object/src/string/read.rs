//! Reading strings: in place while nothing can change them, or through a [`StrRef`] that lasts.

use std::sync::atomic::Ordering;

use asterism_heap::Mutator;
use asterism_heap::header::FROZEN;
use asterism_symbol::Sym;

use super::coderange::range_of_part;
use super::layout::{BODY, CAPACITY, META, POINTER};
use super::layout::{CodeRange, KIND_INLINE, MAX_INLINE, Meta, SHARED, STEP_MASK, Str, scan};
use super::make::{LONG, alloc};
use crate::cells;
use crate::error::Result;
use crate::ownership::{self, readable};
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

/// Substrings from this length on share their source's body.
const SHARE_FROM: usize = 256;

/// Calls `f` with the bytes and the encoding's index, in place. The way to read a string: nothing
/// is copied or marked. `f` must be short when threads share the string, since they wait.
#[inline]
pub fn with_bytes<R>(m: &mut Mutator, v: Value, f: impl FnOnce(&[u8], u8) -> R) -> R {
    let string = Str::of(v);
    if readable(m, string.cell().header()) {
        let meta = string.meta();
        // SAFETY: frozen or owned, and `f` has no way to a safepoint or a write: both take the
        // mutator, which is borrowed.
        return f(unsafe { string.bytes(meta) }, meta.encoding());
    }
    let _guard = m.exclusive(string.cell());
    let meta = string.meta();
    // SAFETY: the guard locks the string while the slice lives.
    f(unsafe { string.bytes(meta) }, meta.encoding())
}

/// As [`with_bytes`] if the string is frozen or this thread's own, else `None`: never a safepoint.
#[inline]
pub fn with_own_bytes<R>(m: &Mutator, v: Value, f: impl FnOnce(&[u8], u8, CodeRange) -> R) -> Option<R> {
    let string = Str::of(v);
    readable(m, string.cell().header()).then(|| {
        let meta = string.meta();
        // SAFETY: frozen or owned, and `f` has no way to a safepoint or a write.
        f(unsafe { string.bytes(meta) }, meta.encoding(), meta.range())
    })
}

/// A string's bytes at one moment, which stay as they are whatever happens to the string. Keep it on
/// the stack: it is what keeps the bytes alive.
pub struct StrRef {
    pointer: *const u8,
    meta: Meta,
    /// Keeps the bytes' cell alive.
    _body: Value,
    /// Copied bytes, when `pointer` is null.
    copy: [u8; MAX_INLINE],
}

impl StrRef {
    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        if self.pointer.is_null() {
            return &self.copy[..self.meta.len()];
        }
        // SAFETY: `read` made sure that these bytes cannot change any more; the cell that has them
        // lives while `_body` is on the stack.
        unsafe { std::slice::from_raw_parts(self.pointer, self.meta.len()) }
    }

    /// The encoding's index.
    pub fn encoding(&self) -> u8 {
        self.meta.encoding()
    }

    /// The coderange as far as it was known.
    pub(super) fn meta_range(&self) -> CodeRange {
        self.meta.range()
    }

    /// The coderange, scanned if it was not known.
    pub fn coderange(&self) -> CodeRange {
        match self.meta.range() {
            CodeRange::Unknown => scan(self.encoding(), self.as_bytes()),
            known => known,
        }
    }

    /// Is it ASCII only?
    pub fn is_ascii_only(&self) -> bool {
        self.coderange() == CodeRange::SevenBit
    }
}

impl std::ops::Deref for StrRef {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Drop for StrRef {
    #[inline]
    fn drop(&mut self) {
        // The body's value must be somewhere until here, even when only the pointer is used.
        asterism_heap::keep_alive(self._body.bits());
    }
}

/// The bytes as they are now, for reading across callbacks and allocations. A longer body is marked
/// shared, which makes the next change of the string copy it: prefer [`with_bytes`] where it does.
pub fn read(m: &mut Mutator, v: Value) -> StrRef {
    let string = Str::of(v);
    let header = string.cell().header();
    if header & FROZEN != 0 {
        let meta = string.meta();
        let body = if meta.kind() == KIND_INLINE { v } else { string.0.value(BODY) };
        return StrRef { pointer: string.place(meta).0, meta, _body: body, copy: [0; MAX_INLINE] };
    }
    let _guard = m.exclusive(string.cell());
    let meta = string.meta();
    if meta.len() <= MAX_INLINE {
        let mut copy = [0; MAX_INLINE];
        // SAFETY: the guard holds the string exclusively.
        copy[..meta.len()].copy_from_slice(unsafe { string.bytes(meta) });
        return StrRef { pointer: std::ptr::null(), meta, _body: Value::NIL, copy };
    }
    string.share(meta, false);
    let body = string.0.value(BODY);
    StrRef { pointer: string.place(meta).0, meta, _body: body, copy: [0; MAX_INLINE] }
}

/// Calls `f` with the bytes as they are now, while the thread counts as stopped: for what takes long. That they are shared ends with
/// `f` if they were not before and nobody else has seen the String meanwhile, so that its next change need not copy them.
pub fn with_bytes_apart<R>(m: &mut Mutator, v: Value, f: impl FnOnce(&[u8]) -> R) -> R {
    let string = Str::of(v);
    let seen = string.meta();
    let alone = !seen.is_shared() && ownership::is_own(m, string.cell().header());
    let bytes = read(m, v);
    let result = m.computing(|| f(&bytes));
    // Who loses a String does not get it back, so nobody but this thread had it all the time, and `f` had no way to it.
    if alone && ownership::is_own(m, string.cell().header()) {
        let now = string.meta();
        string.set_meta(Meta(now.0 & !SHARED));
    }
    result
}

/// The bytes, copied.
pub fn to_vec(m: &mut Mutator, v: Value) -> Vec<u8> {
    with_bytes(m, v, |bytes, _| bytes.to_vec())
}

/// The text, with bytes that are not UTF-8 replaced.
pub fn to_string_lossy(m: &mut Mutator, v: Value) -> String {
    with_bytes(m, v, |bytes, _| String::from_utf8_lossy(bytes).into_owned())
}

/// Byte `i`.
pub fn get_byte(m: &mut Mutator, v: Value, i: usize) -> Option<u8> {
    with_bytes(m, v, |bytes, _| bytes.get(i).copied())
}

/// Byte `i` of a String that this thread may read at once, without a lock.
#[inline]
pub fn own_byte(m: &Mutator, v: Value, i: usize) -> Option<u8> {
    let string = Str::of(v);
    if !crate::ownership::readable(m, string.0.header()) {
        return None;
    }
    // SAFETY: frozen or owned, and `m` is borrowed: no safepoint.
    unsafe { string.bytes(string.meta()) }.get(i).copied()
}

/// The Symbol of this name, which may be collected when this VM does not hold it any more; `None` when there are too many, or no
/// memory.
pub fn intern(m: &mut Mutator, v: Value) -> Option<Value> {
    let own = with_own_bytes(m, v, |bytes, encoding, _| intern_bytes(m, bytes, encoding));
    own.unwrap_or_else(|| {
        let (bytes, encoding) = with_bytes(m, v, |bytes, encoding| (bytes.to_vec(), encoding));
        intern_bytes(m, &bytes, encoding)
    })
}

/// As [`intern`] for bytes.
pub fn intern_bytes(m: &Mutator, bytes: &[u8], encoding: u8) -> Option<Value> {
    m.hold_symbol(|symbols| symbols.intern(bytes, encoding)).map(Value::symbol)
}

/// The Symbol of this name, never collected; `None` when there are too many.
pub fn to_sym(m: &mut Mutator, v: Value) -> Option<Sym> {
    with_bytes(m, v, asterism_symbol::try_intern)
}

/// The coderange: scanned on first use and remembered.
pub fn coderange(m: &mut Mutator, v: Value) -> CodeRange {
    let string = Str::of(v);
    let known = string.meta().range();
    if known != CodeRange::Unknown {
        return known;
    }
    if string.cell().header() & FROZEN != 0 {
        let meta = string.meta();
        // SAFETY: a frozen string's bytes never change.
        let bytes = unsafe { string.bytes(meta) };
        let range = if bytes.len() < LONG {
            scan(meta.encoding(), bytes)
        } else {
            m.computing(|| scan(meta.encoding(), bytes))
        };
        asterism_heap::keep_alive(v.bits());
        // Others may be doing the same: all set the same bits.
        string.0.word(META).fetch_or(Meta(0).with_range(range).0, Ordering::AcqRel);
        return range;
    }
    let mut guard = m.exclusive(string.cell());
    let meta = string.meta();
    // SAFETY: the guard holds the string exclusively, also while it works apart.
    let bytes = unsafe { string.bytes(meta) };
    let range =
        if bytes.len() < LONG { scan(meta.encoding(), bytes) } else { guard.blocking(|| scan(meta.encoding(), bytes)) };
    if string.cell().header() & FROZEN == 0 {
        string.set_meta(meta.with_range(range));
    } else {
        string.0.word(META).fetch_or(Meta(0).with_range(range).0, Ordering::AcqRel);
    }
    range
}

/// Are all characters ASCII?
pub fn is_ascii_only(m: &mut Mutator, v: Value) -> bool {
    coderange(m, v) == CodeRange::SevenBit
}

/// A String with the same bytes. Longer bodies are shared until one is changed.
pub fn dup(m: &mut Mutator, v: Value) -> Result<Value> {
    let class = class(m, WellKnown::String);
    dup_in(m, class, v)
}

/// A String of `class` with the same bytes.
pub fn dup_in(m: &mut Mutator, class: Value, v: Value) -> Result<Value> {
    part(m, class, 0, v, 0, usize::MAX, MAX_INLINE + 1)
}

/// The same, with these bits in its header.
#[inline]
pub(super) fn dup_with(m: &mut Mutator, class: Value, flags: u64, v: Value) -> Result<Value> {
    part(m, class, flags, v, 0, usize::MAX, MAX_INLINE + 1)
}

/// A frozen String with the same bytes.
pub fn frozen_copy(m: &mut Mutator, v: Value) -> Result<Value> {
    let class = class(m, WellKnown::String);
    part(m, class, FROZEN, v, 0, usize::MAX, MAX_INLINE + 1)
}

/// The bytes from `start` on, at most `len`, as a new String of the same encoding.
pub fn substr(m: &mut Mutator, v: Value, start: usize, len: usize) -> Result<Value> {
    let class = class(m, WellKnown::String);
    part(m, class, 0, v, start, len, SHARE_FROM)
}

/// Parts of so many bytes, and no more than an eighth of a text that nobody else has yet, are copied: else the next change of the
/// text would copy all of it.
const COPY_TO: usize = 16 << 10;

/// Is a part so long copied, where it could share the bytes?
fn is_copied(string: Str, meta: Meta, len: usize, share_from: usize) -> bool {
    let may_change = !meta.is_shared() && string.cell().header() & FROZEN == 0;
    len < share_from || meta.kind() == KIND_INLINE || may_change && len <= COPY_TO && len <= meta.len() / 8
}

fn part(
    m: &mut Mutator,
    class: Value,
    flags: u64,
    v: Value,
    start: usize,
    len: usize,
    share_from: usize,
) -> Result<Value> {
    let string = Str::of(v);
    let clip = |meta: Meta| {
        let start = start.min(meta.len());
        (start, len.min(meta.len() - start))
    };
    loop {
        let meta = string.meta();
        let (_, wanted) = clip(meta);
        if is_copied(string, meta, wanted, share_from) {
            // The new string is made first, so that the source is copied without a safepoint.
            let (copy, target) = alloc(m, class, flags, 0, wanted, meta.encoding(), CodeRange::Unknown)?;
            let done = with_bytes_meta(m, string, |bytes, now| {
                let (start, n) = clip(now);
                if n > wanted {
                    return false;
                }
                // SAFETY: `alloc` made room for `wanted` bytes in a string that nobody else sees.
                unsafe { target.copy_from_nonoverlapping(bytes[start..].as_ptr(), n) };
                let new = Str::of(copy);
                let meta = new.meta().with_len(n).with_encoding(now.encoding());
                new.set_meta(meta.with_range(range_of_part(now, bytes, start, start + n)));
                true
            });
            if done {
                return Ok(copy);
            }
            continue;
        }
        let copy = Str(cells::alloc(m, Type::String, flags, class, 4)?);
        // An empty String until it is filled, since taking the source may be a safepoint.
        copy.set_meta(Meta(0).with_encoding(meta.encoding()));
        let frozen = string.cell().header() & FROZEN != 0;
        let guard = if frozen { None } else { Some(m.exclusive(string.cell())) };
        let meta = string.meta();
        let (start, n) = clip(meta);
        if meta.kind() == KIND_INLINE || n < share_from {
            continue;
        }
        string.share(meta, guard.is_none());
        // SAFETY: frozen, or the guard holds it.
        let range = range_of_part(meta, unsafe { string.bytes(meta) }, start, start + n);
        let (pointer, capacity) = string.place(meta);
        // SAFETY: start is at most the length, so the address lies within the body.
        let pointer = unsafe { pointer.add(start) };
        copy.0.word(POINTER).store(pointer as u64, Ordering::Relaxed);
        copy.0.word(BODY).store(string.0.value(BODY).bits(), Ordering::Release);
        copy.0.word(CAPACITY).store((capacity - start) as u64, Ordering::Relaxed);
        let new = Meta(meta.0 & !STEP_MASK | SHARED).with_len(n).with_range(range);
        copy.set_meta(new);
        drop(guard);
        m.remember_private(copy.cell());
        return Ok(copy.0.0);
    }
}

/// `with_bytes`, with the whole meta word.
fn with_bytes_meta<R>(m: &mut Mutator, string: Str, f: impl FnOnce(&[u8], Meta) -> R) -> R {
    if readable(m, string.cell().header()) {
        let meta = string.meta();
        // SAFETY: as in `with_bytes`.
        return f(unsafe { string.bytes(meta) }, meta);
    }
    let _guard = m.exclusive(string.cell());
    let meta = string.meta();
    // SAFETY: the guard holds the string exclusively.
    f(unsafe { string.bytes(meta) }, meta)
}
