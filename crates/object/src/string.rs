//! Strings.
//!
//! ```text
//! String  [hdr][class][meta][24, 40, 56 or 72 bytes inline]
//! String  [hdr][class][meta][pointer][body ●][capacity]     (body: Bytes or Buffer)
//! Bytes   [hdr][capacity][bytes…]
//! Buffer  [hdr][capacity][malloc'ed block][spare]         (see `buffer`)
//!
//! meta: length 0..40, encoding 40..48, coderange 48..50, kind 50..52, SHARED 52, inline step 53..55
//! ```
//!
//! The bytes are plain memory: they are touched by the owner, under the object's lock, or when they
//! cannot change because the string is frozen or its body is SHARED. SHARED says that other strings
//! or readers use the body: the next writer copies it first. It is never taken back. Only the meta
//! word is read without a lock. There is room for one byte more than a string may have, for the NUL that C wants to see; it is written
//! when C looks, or when the body becomes SHARED, and then without a lock where it is not there.

use std::sync::atomic::Ordering;

use asterism_heap::header::FROZEN;
use asterism_heap::header::PRIVATE_SHIFT;
use asterism_heap::{Cell, Marker, Mutator, header};
use asterism_support::encoding::{self, Encoding};
use asterism_support::int::decimal;

use crate::cells::{self, Obj};
use crate::error::{ObjError, Result};
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

pub(crate) mod buffer;
mod compare;
pub mod foreign;
mod parcel;
mod read;
#[cfg(test)]
mod tests;
mod write;

use buffer::Body;
pub(crate) use compare::hash_of;
pub use compare::{cmp, eq, frozen_equals, hash, hash_as};
pub use parcel::{Parcel, move_in};
pub(crate) use read::with_own_bytes;
pub use read::{
    StrRef, coderange, dup, dup_in, frozen_copy, get_byte, intern, intern_bytes, is_ascii_only, own_byte, read, substr,
    to_string_lossy, to_sym, to_vec, with_bytes,
};
pub use write::{
    Held, StrMut, append, append_byte, append_cr, append_own, append_str, appends_as_is, clear, force_encoding,
    give_back, hold, is_own, lend, modify, modify_lent, replace, replace_bytes, replace_if_own, replace_own,
    replace_seen, set_byte, set_coderange, splice, splice_own, truncate,
};

/// Payload words.
const META: usize = 0;
const POINTER: usize = 1;
const BODY: usize = 2;
const CAPACITY: usize = 3;

const LEN_MASK: u64 = (1 << 40) - 1;
const ENCODING_SHIFT: u32 = 40;
const ENCODING_MASK: u64 = 0xff << ENCODING_SHIFT;
const RANGE_SHIFT: u32 = 48;
const RANGE_MASK: u64 = 3 << RANGE_SHIFT;
const KIND_SHIFT: u32 = 50;
const KIND_MASK: u64 = 3 << KIND_SHIFT;
const SHARED: u64 = 1 << 52;
const STEP_SHIFT: u32 = 53;
const STEP_MASK: u64 = 3 << STEP_SHIFT;
/// C has seen the bytes with a NUL behind them; what lies there is C's affair until the length changes.
const ENDED: u64 = 1 << 55;

/// Header bit: the bytes were lent to somebody who alone may change them.
const LENT: u64 = 1 << PRIVATE_SHIFT;

/// Header bits: who changes it first is warned that it will be frozen in the future. It is a literal, or what `Symbol#to_s` gives.
const CHILLED_LITERAL: u64 = 1 << (PRIVATE_SHIFT + 1);
const CHILLED_NAME: u64 = 1 << (PRIVATE_SHIFT + 2);
const CHILLED: u64 = CHILLED_LITERAL | CHILLED_NAME;

const KIND_INLINE: u64 = 0;
const KIND_BYTES: u64 = 1 << KIND_SHIFT;
const KIND_BUFFER: u64 = 2 << KIND_SHIFT;

/// Most bytes a String holds in its own cell. Behind the bytes of every String there is room for one more, the NUL that C wants to see.
pub const MAX_INLINE: usize = 71;
/// Most bytes a String may have.
pub const MAX_LEN: usize = 1 << 39;

/// What is known of a String's characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CodeRange {
    /// Not scanned yet.
    Unknown = 0,
    /// Only ASCII.
    SevenBit = 1,
    /// Valid, not all ASCII.
    Valid = 2,
    /// Some bytes make no character.
    Broken = 3,
}

impl From<encoding::CodeRange> for CodeRange {
    fn from(range: encoding::CodeRange) -> CodeRange {
        match range {
            encoding::CodeRange::SevenBit => CodeRange::SevenBit,
            encoding::CodeRange::Valid => CodeRange::Valid,
            encoding::CodeRange::Broken => CodeRange::Broken,
        }
    }
}

/// What a scan of `bytes` in the encoding of this index finds.
#[inline]
pub fn scan(encoding: u8, bytes: &[u8]) -> CodeRange {
    // Binary, UTF-8 and US-ASCII, the common ones.
    if encoding <= Encoding::US_ASCII.index() && bytes.is_ascii() {
        return CodeRange::SevenBit;
    }
    scan_any(encoding, bytes)
}

fn scan_any(encoding: u8, bytes: &[u8]) -> CodeRange {
    let encoding = Encoding::from_index(usize::from(encoding)).unwrap_or(Encoding::BINARY);
    encoding::scan::code_range(encoding, bytes).into()
}

/// The decoded meta word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Meta(u64);

impl Meta {
    #[inline(always)]
    fn len(self) -> usize {
        (self.0 & LEN_MASK) as usize
    }

    #[inline(always)]
    fn with_len(self, len: usize) -> Meta {
        Meta(self.0 & !(LEN_MASK | ENDED) | len as u64)
    }

    #[inline(always)]
    fn encoding(self) -> u8 {
        (self.0 >> ENCODING_SHIFT) as u8
    }

    #[inline(always)]
    fn with_encoding(self, encoding: u8) -> Meta {
        Meta(self.0 & !ENCODING_MASK | u64::from(encoding) << ENCODING_SHIFT)
    }

    #[inline(always)]
    fn range(self) -> CodeRange {
        match (self.0 & RANGE_MASK) >> RANGE_SHIFT {
            0 => CodeRange::Unknown,
            1 => CodeRange::SevenBit,
            2 => CodeRange::Valid,
            _ => CodeRange::Broken,
        }
    }

    #[inline(always)]
    fn with_range(self, range: CodeRange) -> Meta {
        Meta(self.0 & !RANGE_MASK | (range as u64) << RANGE_SHIFT)
    }

    #[inline(always)]
    fn kind(self) -> u64 {
        self.0 & KIND_MASK
    }

    #[inline(always)]
    fn is_shared(self) -> bool {
        self.0 & SHARED != 0
    }

    #[inline(always)]
    fn inline_capacity(self) -> usize {
        23 + 16 * ((self.0 & STEP_MASK) >> STEP_SHIFT) as usize
    }
}

/// A string and its layout.
#[derive(Clone, Copy)]
struct Str(Obj);

impl Str {
    #[inline(always)]
    fn of(v: Value) -> Str {
        Str(Obj::of(v, Type::String))
    }

    #[inline(always)]
    fn cell(&self) -> &Cell {
        self.0.cell()
    }

    #[inline(always)]
    fn meta(&self) -> Meta {
        Meta(self.0.word(META).load(Ordering::Acquire))
    }

    #[inline(always)]
    fn set_meta(&self, meta: Meta) {
        self.0.word(META).store(meta.0, Ordering::Release);
    }

    /// Where the bytes are and how many fit. Call it when the string cannot change.
    #[inline(always)]
    fn place(&self, meta: Meta) -> (*mut u8, usize) {
        if meta.kind() == KIND_INLINE {
            (std::ptr::from_ref(self.0.word(POINTER)).cast_mut().cast(), meta.inline_capacity())
        } else {
            let pointer = self.0.word(POINTER).load(Ordering::Relaxed) as *mut u8;
            (pointer, self.0.word(CAPACITY).load(Ordering::Relaxed) as usize)
        }
    }

    /// Says that others may have the bytes too, which do not change from now on, and puts a NUL behind them for C, once. Call it when
    /// the string cannot change. Of a frozen one the meta word stays as it is.
    fn share(&self, meta: Meta, frozen: bool) {
        if !frozen {
            self.set_meta(Meta(meta.0 | SHARED));
        }
        if meta.0 & (SHARED | ENDED) == 0 {
            foreign::terminate(self.place(meta).0, meta.len());
        }
    }

    /// The bytes.
    ///
    /// # Safety
    /// Until the slice's last use, the string must be frozen, or owned by this thread with no
    /// safepoint or write in between, or locked by it.
    #[inline(always)]
    unsafe fn bytes<'a>(&self, meta: Meta) -> &'a [u8] {
        let (pointer, _) = self.place(meta);
        // SAFETY: `pointer` leads to at least `len` initialised bytes, which do not change while
        // the slice lives, by the caller's contract.
        unsafe { std::slice::from_raw_parts(pointer, meta.len()) }
    }

    /// Makes `body`, whose bytes the caller has filled, the string's.
    fn install(&self, body: Body, meta: Meta) {
        self.0.word(POINTER).store(body.pointer as u64, Ordering::Relaxed);
        cells::store(self.cell(), self.0.word(BODY), body.object);
        self.0.word(CAPACITY).store(body.capacity as u64, Ordering::Relaxed);
        self.set_meta(Meta(meta.0 & !(KIND_MASK | SHARED | ENDED) | body.kind));
    }
}

/// A new String cell whose `len` bytes the caller fills at the returned address before the next
/// safepoint.
#[inline]
fn alloc(
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
fn alloc_long(m: &mut Mutator, class: Value, flags: u64, capacity: usize, meta: Meta) -> Result<(Value, *mut u8)> {
    let body = Body::new(m, capacity)?;
    let string = Str(cells::alloc(m, Type::String, flags, class, 4)?);
    string.install(body, meta);
    Ok((string.0.0, body.pointer))
}

#[inline]
fn make(m: &mut Mutator, class: Value, flags: u64, bytes: &[u8], encoding: u8) -> Result<Value> {
    // Short strings are scanned at once: it costs less than to find out later.
    let range = if bytes.len() <= MAX_INLINE { scan(encoding, bytes) } else { CodeRange::Unknown };
    make_with(m, class, flags, bytes, encoding, range)
}

#[inline]
fn make_with(m: &mut Mutator, class: Value, flags: u64, bytes: &[u8], encoding: u8, range: CodeRange) -> Result<Value> {
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
const SHORT: usize = 192;

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
            range = write::in_a_row(range, meta.range());
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
            range = if len == 0 { meta.range() } else { write::in_a_row(range, meta.range()) };
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
const LONG: usize = 1 << 18;

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

/// What a String is of which a program is warned when it changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chilled {
    /// A literal in a file that does not say whether literals are frozen.
    Literal,
    /// What `Symbol#to_s` gives.
    Name,
}

impl Chilled {
    fn bit(self) -> u64 {
        match self {
            Chilled::Literal => CHILLED_LITERAL,
            Chilled::Name => CHILLED_NAME,
        }
    }

    fn of(header: u64) -> Option<Chilled> {
        match header & CHILLED {
            0 => None,
            CHILLED_NAME => Some(Chilled::Name),
            _ => Some(Chilled::Literal),
        }
    }
}

/// Is a program warned when it changes this object? It need not be a String.
#[inline(always)]
pub fn chilled(v: Value) -> Option<Chilled> {
    let header = v.cell()?.header();
    const { assert!(Type::String as u64 <= header::TYPE_MASK) };
    if header & header::TYPE_MASK != Type::String as u64 { None } else { Chilled::of(header) }
}

/// Has a String, or a literal that Strings are copied from, that property from now on.
pub fn chill(m: &mut Mutator, v: Value, as_what: Chilled) {
    if let Some(cell) = v.cell() {
        m.exclusive(cell).set_header_bits(as_what.bit());
    }
}

/// It is a String as any other from now on; what it was, for the one who makes it so.
pub fn thaw(m: &mut Mutator, v: Value) -> Option<Chilled> {
    let guard = m.exclusive(v.cell()?);
    let was = Chilled::of(guard.header());
    guard.clear_header_bits(CHILLED);
    was
}

/// A String like a literal, which may be a chilled one.
#[inline]
pub fn dup_literal(m: &mut Mutator, literal: Value) -> Result<Value> {
    let class = class(m, WellKnown::String);
    read::dup_with(m, class, Str::of(literal).0.header() & CHILLED, literal)
}

/// Length in bytes.
#[inline(always)]
pub fn len(v: Value) -> usize {
    Str::of(v).meta().len()
}

/// Is it empty?
#[inline(always)]
pub fn is_empty(v: Value) -> bool {
    len(v) == 0
}

/// The encoding's index.
#[inline(always)]
pub fn encoding(v: Value) -> u8 {
    Str::of(v).meta().encoding()
}

/// Do other Strings use its bytes too, or did they?
pub fn is_shared(v: Value) -> bool {
    Str::of(v).meta().is_shared()
}

/// The coderange, if it is known.
#[inline(always)]
pub fn known_coderange(v: Value) -> CodeRange {
    Str::of(v).meta().range()
}

/// Marks what a String reaches.
pub(crate) fn trace(cell: &Cell, marker: &mut Marker) {
    let string = Str(Obj(Value::from_cell(cell)));
    if string.meta().kind() != KIND_INLINE {
        marker.mark(string.0.word(BODY).load(Ordering::Relaxed));
    }
}
