//! What a change of a String leaves known of its characters, so that the whole text need not be scanned again.

use asterism_heap::Mutator;
use asterism_support::encoding::Encoding;

use super::layout::{CodeRange, MAX_INLINE, Meta, Str, is_ascii, scan};
use super::make::LONG;
use crate::ownership;
use crate::value::Value;

/// What is known of a text once its encoding is another one.
pub(super) fn in_encoding(range: CodeRange, from: u8, to: u8) -> CodeRange {
    let of = |index: u8| Encoding::from_index(usize::from(index)).unwrap_or(Encoding::BINARY);
    match range {
        CodeRange::SevenBit if of(to).is_ascii_compatible() => CodeRange::SevenBit,
        // Some byte of it is not ASCII, and in binary each is a character.
        CodeRange::Valid | CodeRange::Broken if to == Encoding::BINARY.index() && of(from).is_ascii_compatible() => {
            CodeRange::Valid
        }
        _ if from == to => range,
        _ => CodeRange::Unknown,
    }
}

/// Does a character begin, or the text end, at byte `at` of valid text? Where that cannot be told at the place: no.
fn is_between(encoding: u8, text: &[u8], at: usize) -> bool {
    match text.get(at) {
        None => true,
        _ if at == 0 => true,
        Some(byte) if encoding == Encoding::UTF_8.index() => byte & 0xc0 != 0x80,
        _ => Encoding::from_index(usize::from(encoding)).is_some_and(Encoding::is_single_byte),
    }
}

/// The coderange of bytes that are known to be valid text, as far as a short look tells.
fn range_of_valid(text: &[u8]) -> CodeRange {
    match (is_ascii(&text[..text.len().min(LONG)]), text.len() <= LONG) {
        (false, _) => CodeRange::Valid,
        (true, true) => CodeRange::SevenBit,
        (true, false) => CodeRange::Unknown,
    }
}

/// The coderange of what is left of valid text that is not all ASCII when `removed` is taken away, both cut between characters. So
/// many bytes are looked at and no more: a part may be taken of a long text again and again.
fn left_of_valid(kept: [&[u8]; 2], removed: [&[u8]; 2]) -> CodeRange {
    let len = |parts: [&[u8]; 2]| parts[0].len() + parts[1].len();
    if len(removed) <= LONG.min(len(kept)) && removed.iter().all(|part| is_ascii(part)) {
        return CodeRange::Valid;
    }
    match kept.map(range_of_valid) {
        [CodeRange::SevenBit, CodeRange::SevenBit] => CodeRange::SevenBit,
        ranges if ranges.contains(&CodeRange::Valid) => CodeRange::Valid,
        _ => CodeRange::Unknown,
    }
}

/// The coderange of the bytes from `start` to `end` of the text of a String, as far as it is known or can be told by a short look.
pub(super) fn range_of_part(meta: Meta, text: &[u8], start: usize, end: usize) -> CodeRange {
    let (encoding, range) = (meta.encoding(), meta.range());
    if range == CodeRange::SevenBit || start == 0 && end == text.len() {
        return range;
    }
    if end - start <= MAX_INLINE {
        return scan(encoding, &text[start..end]);
    }
    if range == CodeRange::Valid && is_between(encoding, text, start) && is_between(encoding, text, end) {
        return left_of_valid([&text[start..end], b""], [&text[..start], &text[end..]]);
    }
    CodeRange::Unknown
}

/// The coderange of a text once `added` is in the place of its bytes from `start` to `end`, as far as it can be told by a look at
/// those and a short one at the rest.
pub(super) fn range_of_splice(meta: Meta, text: &[u8], start: usize, end: usize, added: &[u8]) -> CodeRange {
    use CodeRange::{SevenBit, Unknown, Valid};
    let (encoding, range) = (meta.encoding(), meta.range());
    let whole = start == 0 && end == text.len();
    if !whole && !range.is_text() {
        return Unknown;
    }
    match (range, scan(encoding, added)) {
        (_, new) if whole => new,
        (SevenBit, new @ (SevenBit | Valid)) => new,
        (Valid, new @ (SevenBit | Valid)) if is_between(encoding, text, start) && is_between(encoding, text, end) => {
            if new == Valid {
                Valid
            } else {
                left_of_valid([&text[..start], &text[end..]], [&text[start..end], b""])
            }
        }
        _ => Unknown,
    }
}

/// Records that all bytes of a String in an encoding that knows ASCII make characters, as whoever has put it together of such text knows.
pub fn set_valid(m: &mut Mutator, v: Value) {
    let string = Str::of(v);
    if string.meta().range() == CodeRange::Unknown
        && let Ok(_guard) = ownership::modify(m, &v)
    {
        let meta = string.meta();
        // SAFETY: the guard holds the string.
        let range = range_of_valid(unsafe { string.bytes(meta) });
        string.set_meta(meta.with_range(range));
    }
}
