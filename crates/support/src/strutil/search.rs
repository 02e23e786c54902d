//! Finding and trimming: substring search, whitespace, the awk-style split, `sum`.

use std::ops::Range;

use num_bigint::BigInt;

use crate::encoding::Encoding;
use crate::encoding::chars::{CharLen, char_len};
use crate::encoding::scan::char_start;
use crate::int::Int;

#[cfg(test)]
mod tests;

/// Bytes up to which trying each place of a needle's first byte costs less than to prepare a better search.
const FEW: usize = 256;

/// The first byte offset at or after `from` where `needle` stands at a character boundary.
pub fn find(enc: Encoding, s: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    match needle {
        [byte] => find_with(enc, s, from, |rest| memchr::memchr(*byte, rest)),
        [first, ..] if s.len().saturating_sub(from) <= FEW => find_with(enc, s, from, |rest| {
            let places = rest.get(..(rest.len() + 1).checked_sub(needle.len())?)?;
            memchr::memchr_iter(*first, places).find(|n| rest[*n..].starts_with(needle))
        }),
        _ => find_with(enc, s, from, |rest| memchr::memmem::find(rest, needle)),
    }
}

/// What is looked for more than once.
#[derive(Debug)]
pub struct Needle(memchr::memmem::Finder<'static>);

impl Needle {
    /// Of these bytes.
    pub fn new(bytes: &[u8]) -> Needle {
        Needle(memchr::memmem::Finder::new(bytes).into_owned())
    }

    /// As `find`.
    pub fn find(&self, enc: Encoding, s: &[u8], from: usize) -> Option<usize> {
        find_with(enc, s, from, |rest| self.0.find(rest))
    }
}

#[inline]
fn find_with(enc: Encoding, s: &[u8], from: usize, find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
    let mut from = from;
    loop {
        let at = from + find(s.get(from..)?)?;
        if at_boundary(enc, s, at) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// The last byte offset at or before `from` where `needle` stands at a character boundary.
pub fn rindex(enc: Encoding, s: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let mut end = from.checked_add(needle.len())?.min(s.len());
    loop {
        let at = memchr::memmem::rfind(&s[..end], needle)?;
        if at_boundary(enc, s, at) {
            return Some(at);
        }
        end = (at + needle.len()).checked_sub(1)?;
    }
}

/// Whether a character starts at byte `at`. UTF-8 needs no look back: a needle that starts
/// inside a character starts with a continuation byte.
fn at_boundary(enc: Encoding, s: &[u8], at: usize) -> bool {
    enc.is_single_byte() || at == 0 || at >= s.len() || char_start(enc, s, at) == at
}

/// Whether a code is whitespace for `strip` and `split` (ASCII whitespace).
fn is_space(b: u8) -> bool {
    matches!(b, b' ' | 0x09..=0x0d)
}

/// How a character of one or more bytes reads as ASCII at the position, with its length.
fn ascii_at(enc: Encoding, s: &[u8]) -> (Option<u8>, usize) {
    if enc.is_ascii_compatible() {
        if s[0] < 0x80 {
            return (Some(s[0]), 1);
        }
        return (
            None,
            match char_len(enc, s) {
                CharLen::Valid(n) => n,
                _ => 1,
            },
        );
    }
    match crate::encoding::chars::code_point(enc, s) {
        Some((c, n)) => (u8::try_from(c).ok().filter(u8::is_ascii), n),
        None => (None, enc.min_len().min(s.len())),
    }
}

/// How many bytes `lstrip` removes: whitespace and NUL.
pub fn lstrip_len(enc: Encoding, s: &[u8]) -> usize {
    if enc.is_ascii_compatible() {
        return s.iter().take_while(|&&b| b == 0 || is_space(b)).count();
    }
    let mut pos = 0;
    while pos < s.len() {
        match ascii_at(enc, &s[pos..]) {
            (Some(b), n) if b == 0 || is_space(b) => pos += n,
            _ => break,
        }
    }
    pos
}

/// How many bytes `rstrip` leaves: trailing whitespace and NUL go.
pub fn rstrip_len(enc: Encoding, s: &[u8]) -> usize {
    if enc.is_ascii_compatible() {
        // In a multibyte encoding a trailing byte may look like ASCII, but never like space.
        return s.iter().rposition(|&b| b != 0 && !is_space(b)).map_or(0, |last| last + 1);
    }
    let unit = enc.min_len();
    let mut end = s.len();
    while end >= unit {
        match ascii_at(enc, &s[end - unit..end]) {
            (Some(b), n) if n == unit && (b == 0 || is_space(b)) => end -= unit,
            _ => break,
        }
    }
    end
}

/// The fields of `split(" ")`: ranges between runs of whitespace. With `limit` above zero the
/// last field is the rest of the string, its leading whitespace gone; a negative limit of Ruby's
/// is `usize::MAX` here.
pub fn split_awk(enc: Encoding, s: &[u8], limit: usize) -> impl Iterator<Item = Range<usize>> {
    let (mut pos, mut made, mut done) = (0, 0, s.is_empty());
    // A byte of a longer character never looks like space, so that bytes will do.
    let bytewise = enc.is_ascii_compatible();
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        made += 1;
        let mut start = (limit == 1).then_some(0);
        while pos < s.len() && (start.is_none() || made != limit) {
            let (space, n) = if bytewise {
                (is_space(s[pos]), 1)
            } else {
                let (b, n) = ascii_at(enc, &s[pos..]);
                (b.is_some_and(is_space), n)
            };
            match (start, space) {
                (None, false) => start = Some(pos),
                (Some(from), true) => return Some(from..pos),
                _ => {}
            }
            pos += n;
        }
        done = true;
        match start {
            Some(from) => Some(from..s.len()),
            // A limit keeps the empty field after trailing whitespace.
            None => (limit > 0).then_some(s.len()..s.len()),
        }
    })
}

/// `String#sum(bits)`: the bytes' sum modulo `2**bits`, the plain sum for `bits` below 1.
pub fn sum(s: &[u8], bits: i64) -> Int {
    let total: u64 = s.iter().map(|&b| u64::from(b)).sum();
    match bits {
        1..=63 => Int::from(total & ((1 << bits) - 1)),
        _ => Int::from_big(BigInt::from(total)),
    }
}
