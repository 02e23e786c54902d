//! New Strings.

use asterism_heap::Mutator;
use asterism_heap::header::FROZEN;
use asterism_support::encoding::Encoding;
use asterism_support::int::decimal;

use super::buffer::Body;
use super::layout::{CodeRange, MAX_INLINE, MAX_LEN, Meta, STEP_SHIFT, Str, in_a_row, scan};
use crate::cells;
use crate::error::{ObjError, Result};
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

/// A new String cell whose `len` bytes the caller fills at the returned address before the next
/// safepoint.
#[inline]
pub(super) fn alloc(
    m: &mut Mutator,
    class: Value,
    flags: u64,
    len: usize,
    capacity: usize,
    encoding: u8,
    range: CodeRange,
) -> Result<(Value, *mut u8)> {
    if capacity > MAX_LEN {
        return Err(ObjError::TooBig("argument too big"));
    }
    let meta = Meta(0).with_len(len).with_encoding(encoding).with_range(range);
    if capacity <= MAX_INLINE {
        let step = capacity.saturating_sub(23).div_ceil(16);
        let string = Str(cells::alloc(m, Type::String, flags, class, 4 + 2 * step)?);
        let meta = Meta(meta.0 | (step as u64) << STEP_SHIFT);
        string.set_meta(meta);
        return Ok((string.0.0, string.place(meta).0));
    }
    alloc_long(m, class, flags, capacity, meta)
}

#[inline(never)]
pub(super) fn alloc_long(
    m: &mut Mutator,
    class: Value,
    flags: u64,
    capacity: usize,
    meta: Meta,
) -> Result<(Value, *mut u8)> {
    let body = Body::new(m, capacity)?;
    let string = Str(cells::alloc(m, Type::String, flags, class, 4)?);
    string.install(body, meta);
    Ok((string.0.0, body.pointer))
}

#[inline]
pub(super) fn make(m: &mut Mutator, class: Value, flags: u64, bytes: &[u8], encoding: u8) -> Result<Value> {
    // Short strings are scanned at once: it costs less than to find out later.
    let range = if bytes.len() <= MAX_INLINE { scan(encoding, bytes) } else { CodeRange::Unknown };
    make_with(m, class, flags, bytes, encoding, range)
}

#[inline]
pub(super) fn make_with(
    m: &mut Mutator,
    class: Value,
    flags: u64,
    bytes: &[u8],
    encoding: u8,
    range: CodeRange,
) -> Result<Value> {
    let (v, target) = alloc(m, class, flags, bytes.len(), bytes.len(), encoding, range)?;
    // SAFETY: `alloc` made room for this many bytes in a string nobody else sees; the source is
    // borrowed, so it is not the fresh memory.
    unsafe { target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(v)
}

/// A String of these bytes. They must lie outside the heap, or in something this thread keeps from
/// changing ([`StrRef`]).
pub fn new(m: &mut Mutator, bytes: &[u8], encoding: u8) -> Result<Value> {
    let class = class(m, WellKnown::String);
    make(m, class, 0, bytes, encoding)
}

/// A String whose coderange the caller knows.
pub fn new_cr(m: &mut Mutator, bytes: &[u8], encoding: u8, range: CodeRange) -> Result<Value> {
    let class = class(m, WellKnown::String);
    make_with(m, class, 0, bytes, encoding, range)
}

/// A String of `class`.
pub fn new_in(m: &mut Mutator, class: Value, bytes: &[u8], encoding: u8) -> Result<Value> {
    make(m, class, 0, bytes, encoding)
}

/// A UTF-8 String.
pub fn from_str(m: &mut Mutator, text: &str) -> Result<Value> {
    new(m, text.as_bytes(), Encoding::UTF_8.index())
}

/// An empty String with room for `capacity` bytes.
pub fn with_capacity(m: &mut Mutator, capacity: usize, encoding: u8) -> Result<Value> {
    let class = class(m, WellKnown::String);
    Ok(alloc(m, class, 0, 0, capacity, encoding, scan(encoding, b""))?.0)
}

/// A frozen String.
pub fn frozen(m: &mut Mutator, bytes: &[u8], encoding: u8) -> Result<Value> {
    let class = class(m, WellKnown::String);
    make(m, class, FROZEN, bytes, encoding)
}

/// Most bytes of a String that `put_together` makes.
pub(super) const SHORT: usize = 192;

/// What interpolation shows of these as a new String, if that is short and takes no look at the text of Strings: they are fixnums, Symbols
/// with names in ASCII, or Strings that this thread may read at once and that go together as for [`joined`]. `None`: it is another case.
pub fn put_together(m: &mut Mutator, parts: &[Value]) -> Option<Result<Value>> {
    let ascii = Encoding::US_ASCII.index();
    let mut text = [0u8; SHORT];
    let (mut len, mut encoding, mut range) = (0usize, ascii, CodeRange::SevenBit);
    let mut put = |bytes: &[u8]| {
        let room = text.get_mut(len..len + bytes.len())?;
        room.copy_from_slice(bytes);
        len += bytes.len();
        Some(())
    };
    for part in parts {
        if let Some(n) = part.fixnum_value() {
            put(decimal(n, &mut [0; 20]))?;
        } else if let Some(symbol) = part.as_symbol() {
            symbol.with_name(|bytes, _| if bytes.is_ascii() { put(bytes) } else { None })?;
        } else {
            let string = Str::of(*part);
            let meta = string.meta();
            let (own, is_ascii) = (meta.encoding(), meta.range() == CodeRange::SevenBit);
            if !crate::ownership::readable(m, string.0.header()) || own > ascii || own == ascii && !is_ascii {
                return None;
            }
            if encoding == ascii {
                encoding = own;
            } else if own != encoding && !is_ascii {
                return None;
            }
            range = in_a_row(range, meta.range());
            // SAFETY: frozen or owned, and there is no safepoint in here.
            put(unsafe { string.bytes(meta) })?;
        }
    }
    let class = class(m, WellKnown::String);
    Some(make_with(m, class, 0, &text[..len], encoding, range))
}

/// These Strings as one in a new String, if that takes no look at their text: this thread may read all of them at once, and all that is
/// not known to be ASCII is in the encoding of the first of them that is not US-ASCII. `None`: it is another case.
pub fn joined(m: &mut Mutator, parts: &[Value]) -> Option<Result<Value>> {
    let ascii = Encoding::US_ASCII.index();
    // Length, encoding and coderange, if they go together.
    let sum = |m: &Mutator| {
        let all = |v: &Value| Str::of(*v).meta().encoding();
        let encoding = parts.iter().map(all).find(|e| *e != ascii).unwrap_or(ascii);
        if encoding > ascii || parts.is_empty() {
            return None;
        }
        let (mut len, mut range) = (0usize, CodeRange::SevenBit);
        for part in parts {
            let string = Str::of(*part);
            let meta = string.meta();
            let fits = meta.encoding() == encoding || meta.range() == CodeRange::SevenBit;
            if !fits || !crate::ownership::readable(m, string.0.header()) {
                return None;
            }
            range = if len == 0 { meta.range() } else { in_a_row(range, meta.range()) };
            len += meta.len();
        }
        Some((len, encoding, range))
    };
    let known = sum(m)?;
    let (len, encoding, range) = known;
    if len > LONG {
        return None;
    }
    let class = class(m, WellKnown::String);
    let (made, mut target) = match alloc(m, class, 0, len, len, encoding, range) {
        Ok(made) => made,
        Err(error) => return Some(Err(error)),
    };
    // That may have been a safepoint, at which others may have changed them.
    if sum(m) != Some(known) {
        return None;
    }
    for part in parts {
        let string = Str::of(*part);
        // SAFETY: frozen or owned, and no safepoint since that was looked at; there is room for the sum of their lengths.
        unsafe {
            let bytes = string.bytes(string.meta());
            target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            target = target.add(bytes.len());
        }
    }
    Some(Ok(made))
}

/// Bytes from this number on are copied and scanned while the thread counts as stopped.
pub(super) const LONG: usize = 1 << 18;

/// A String of these bytes. May be a safepoint.
pub fn from_vec(m: &mut Mutator, bytes: Vec<u8>, encoding: u8) -> Result<Value> {
    if bytes.len() < LONG {
        return new(m, &bytes, encoding);
    }
    let class = class(m, WellKnown::String);
    let (v, target) = alloc(m, class, 0, bytes.len(), bytes.len(), encoding, CodeRange::Unknown)?;
    let target = target as usize;
    m.computing(move || {
        // SAFETY: `alloc` made room for this many bytes outside the heap, for a string that nobody else sees and that
        // this thread's stack keeps; the collector does not read them.
        unsafe { (target as *mut u8).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        drop(bytes);
    });
    asterism_heap::keep_alive(v.bits());
    Ok(v)
}
