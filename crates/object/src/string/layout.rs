//! What a String's cell has, and what its words say.

use std::sync::atomic::{AtomicU8, Ordering};

use asterism_heap::header::PRIVATE_SHIFT;
use asterism_heap::{Cell, Marker};
use asterism_support::encoding::{self, Encoding};

use super::buffer::Body;
use crate::cells::{self, Obj};
use crate::types::Type;
use crate::value::Value;

/// Payload words.
pub(super) const META: usize = 0;
pub(super) const POINTER: usize = 1;
pub(super) const BODY: usize = 2;
pub(super) const CAPACITY: usize = 3;

pub(super) const LEN_MASK: u64 = (1 << 40) - 1;
pub(super) const ENCODING_SHIFT: u32 = 40;
pub(super) const ENCODING_MASK: u64 = 0xff << ENCODING_SHIFT;
pub(super) const RANGE_SHIFT: u32 = 48;
pub(super) const RANGE_MASK: u64 = 3 << RANGE_SHIFT;
pub(super) const KIND_SHIFT: u32 = 50;
pub(super) const KIND_MASK: u64 = 3 << KIND_SHIFT;
pub(super) const SHARED: u64 = 1 << 52;
pub(super) const STEP_SHIFT: u32 = 53;
pub(super) const STEP_MASK: u64 = 3 << STEP_SHIFT;
/// C has seen the bytes with a NUL behind them; what lies there is C's affair until the length changes.
pub(super) const ENDED: u64 = 1 << 55;

/// Header bit: the bytes were lent to somebody who alone may change them.
pub(super) const LENT: u64 = 1 << PRIVATE_SHIFT;

/// Header bits: who changes it first is warned that it will be frozen in the future. It is a literal, or what `Symbol#to_s` gives.
pub(super) const CHILLED_LITERAL: u64 = 1 << (PRIVATE_SHIFT + 1);
pub(super) const CHILLED_NAME: u64 = 1 << (PRIVATE_SHIFT + 2);
pub(super) const CHILLED: u64 = CHILLED_LITERAL | CHILLED_NAME;

pub(super) const KIND_INLINE: u64 = 0;
pub(super) const KIND_BYTES: u64 = 1 << KIND_SHIFT;
pub(super) const KIND_BUFFER: u64 = 2 << KIND_SHIFT;

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

impl CodeRange {
    /// Is it known that all bytes make characters?
    #[inline(always)]
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, CodeRange::SevenBit | CodeRange::Valid)
    }
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
    if encoding <= Encoding::US_ASCII.index() && is_ascii(bytes) {
        return CodeRange::SevenBit;
    }
    scan_any(encoding, bytes)
}

/// `bytes.is_ascii()` by words: what the standard library has takes three times as many instructions for a hundred bytes.
#[inline]
pub(super) fn is_ascii(bytes: &[u8]) -> bool {
    let high = |word: &[u8; 8]| u64::from_ne_bytes(*word) & 0x8080_8080_8080_8080;
    let (lines, rest) = bytes.as_chunks::<32>();
    let in_line = |line: &[u8; 32]| line.as_chunks().0.iter().fold(0, |all, word| all | high(word));
    if lines.iter().any(|line| in_line(line) != 0) {
        return false;
    }
    match (bytes.last_chunk(), rest) {
        (_, []) => true,
        // The last word may begin in what has been looked at.
        (Some(last), _) => rest.as_chunks().0.iter().fold(high(last), |all, word| all | high(word)) == 0,
        (None, _) => rest.iter().fold(0, |all, byte| all | byte) < 0x80,
    }
}

pub(super) fn scan_any(encoding: u8, bytes: &[u8]) -> CodeRange {
    let encoding = Encoding::from_index(usize::from(encoding)).unwrap_or(Encoding::BINARY);
    encoding::scan::code_range(encoding, bytes).into()
}

/// The decoded meta word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Meta(pub(super) u64);

impl Meta {
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        (self.0 & LEN_MASK) as usize
    }

    #[inline(always)]
    pub(super) fn with_len(self, len: usize) -> Meta {
        Meta(self.0 & !(LEN_MASK | ENDED) | len as u64)
    }

    #[inline(always)]
    pub(super) fn encoding(self) -> u8 {
        (self.0 >> ENCODING_SHIFT) as u8
    }

    #[inline(always)]
    pub(super) fn with_encoding(self, encoding: u8) -> Meta {
        Meta(self.0 & !ENCODING_MASK | u64::from(encoding) << ENCODING_SHIFT)
    }

    #[inline(always)]
    pub(super) fn range(self) -> CodeRange {
        match (self.0 & RANGE_MASK) >> RANGE_SHIFT {
            0 => CodeRange::Unknown,
            1 => CodeRange::SevenBit,
            2 => CodeRange::Valid,
            _ => CodeRange::Broken,
        }
    }

    #[inline(always)]
    pub(super) fn with_range(self, range: CodeRange) -> Meta {
        Meta(self.0 & !RANGE_MASK | (range as u64) << RANGE_SHIFT)
    }

    #[inline(always)]
    pub(super) fn kind(self) -> u64 {
        self.0 & KIND_MASK
    }

    #[inline(always)]
    pub(super) fn is_shared(self) -> bool {
        self.0 & SHARED != 0
    }

    #[inline(always)]
    pub(super) fn inline_capacity(self) -> usize {
        23 + 16 * ((self.0 & STEP_MASK) >> STEP_SHIFT) as usize
    }
}

/// A string and its layout.
#[derive(Clone, Copy)]
pub(super) struct Str(pub(super) Obj);

impl Str {
    #[inline(always)]
    pub(super) fn of(v: Value) -> Str {
        Str(Obj::of(v, Type::String))
    }

    #[inline(always)]
    pub(super) fn cell(&self) -> &Cell {
        self.0.cell()
    }

    #[inline(always)]
    pub(super) fn meta(&self) -> Meta {
        Meta(self.0.word(META).load(Ordering::Acquire))
    }

    #[inline(always)]
    pub(super) fn set_meta(&self, meta: Meta) {
        self.0.word(META).store(meta.0, Ordering::Release);
    }

    /// Where the bytes are and how many fit. Call it when the string cannot change.
    #[inline(always)]
    pub(super) fn place(&self, meta: Meta) -> (*mut u8, usize) {
        if meta.kind() == KIND_INLINE {
            (std::ptr::from_ref(self.0.word(POINTER)).cast_mut().cast(), meta.inline_capacity())
        } else {
            let pointer = self.0.word(POINTER).load(Ordering::Relaxed) as *mut u8;
            (pointer, self.0.word(CAPACITY).load(Ordering::Relaxed) as usize)
        }
    }

    /// Says that others may have the bytes too, which do not change from now on, and puts a NUL behind them for C, once. Call it when
    /// the string cannot change. Of a frozen one the meta word stays as it is.
    pub(super) fn share(&self, meta: Meta, frozen: bool) {
        if !frozen {
            self.set_meta(Meta(meta.0 | SHARED));
        }
        if meta.0 & (SHARED | ENDED) == 0 {
            terminate(self.place(meta).0, meta.len());
        }
    }

    /// The bytes.
    ///
    /// # Safety
    /// Until the slice's last use, the string must be frozen, or owned by this thread with no
    /// safepoint or write in between, or locked by it.
    #[inline(always)]
    pub(super) unsafe fn bytes<'a>(&self, meta: Meta) -> &'a [u8] {
        let (pointer, _) = self.place(meta);
        // SAFETY: `pointer` leads to at least `len` initialised bytes, which do not change while
        // the slice lives, by the caller's contract.
        unsafe { std::slice::from_raw_parts(pointer, meta.len()) }
    }

    /// Makes `body`, whose bytes the caller has filled, the string's.
    pub(super) fn install(&self, body: Body, meta: Meta) {
        self.0.word(POINTER).store(body.pointer as u64, Ordering::Relaxed);
        cells::store(self.cell(), self.0.word(BODY), body.object);
        self.0.word(CAPACITY).store(body.capacity as u64, Ordering::Relaxed);
        self.set_meta(Meta(meta.0 & !(KIND_MASK | SHARED | ENDED) | body.kind));
    }
}

/// The coderange of two strings in a row. Two broken ones may make a valid character.
#[inline(always)]
pub(super) fn in_a_row(a: CodeRange, b: CodeRange) -> CodeRange {
    use CodeRange::{SevenBit, Unknown, Valid};
    match (a, b) {
        (SevenBit, SevenBit) => SevenBit,
        (SevenBit | Valid, SevenBit | Valid) => Valid,
        _ => Unknown,
    }
}

/// The byte behind the `len` bytes at `pointer` as one that several threads may make a NUL at a time.
pub(super) fn behind(pointer: *mut u8, len: usize) -> *const AtomicU8 {
    // SAFETY: whoever has these bytes has room for one more.
    unsafe { pointer.add(len) }.cast_const().cast()
}

/// Puts a NUL behind `len` bytes of a String which nobody changes meanwhile, and behind which no other String has bytes.
pub(super) fn terminate(pointer: *mut u8, len: usize) {
    // SAFETY: bytes of a String live while it is referred to, and each is a valid `AtomicU8`.
    let byte = unsafe { &*behind(pointer, len) };
    if byte.load(Ordering::Relaxed) != 0 {
        byte.store(0, Ordering::Relaxed);
    }
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
