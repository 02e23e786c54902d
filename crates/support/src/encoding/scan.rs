//! Whole strings: code range, validity, character counts and offsets, scrub.

use super::chars::{CharLen, char_len, step};
use super::{Encoding, Kind};

/// What a scan of a string found: CRuby's coderange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodeRange {
    /// All bytes are ASCII (and the encoding is ASCII compatible).
    SevenBit,
    /// All characters are valid, and not all are ASCII.
    Valid,
    /// Some bytes make no character.
    Broken,
}

/// Scans the whole string.
pub fn code_range(enc: Encoding, s: &[u8]) -> CodeRange {
    if enc.is_ascii_compatible() && s.is_ascii() {
        return CodeRange::SevenBit;
    }
    let valid = match enc.kind() {
        Kind::Binary | Kind::Single => true,
        Kind::UsAscii => false,
        Kind::Utf8 => std::str::from_utf8(s).is_ok(),
        _ => {
            let mut rest = s;
            loop {
                if rest.is_empty() {
                    break true;
                }
                match char_len(enc, rest) {
                    CharLen::Valid(n) => rest = &rest[n..],
                    _ => break false,
                }
            }
        }
    };
    if valid { CodeRange::Valid } else { CodeRange::Broken }
}

/// `String#valid_encoding?`.
pub fn is_valid(enc: Encoding, s: &[u8]) -> bool {
    code_range(enc, s) != CodeRange::Broken
}

/// The bytes that are not UTF-8 continuation bytes: the characters of valid UTF-8.
fn utf8_starts(s: &[u8]) -> usize {
    // By sums of one byte, which are added up before they overflow: a count for each byte takes five times as long.
    s.chunks(255).map(|part| usize::from(part.iter().map(|&b| u8::from(b & 0xc0 != 0x80)).sum::<u8>())).sum()
}

/// `String#length`. `range` is the string's code range if it is known.
pub fn char_count(enc: Encoding, s: &[u8], range: Option<CodeRange>) -> usize {
    if enc.is_single_byte() || range == Some(CodeRange::SevenBit) {
        return s.len();
    }
    if enc.kind() == Kind::Utf8
        && (range == Some(CodeRange::Valid) || (range.is_none() && std::str::from_utf8(s).is_ok()))
    {
        return utf8_starts(s);
    }
    match enc.kind() {
        Kind::Utf32Be | Kind::Utf32Le => s.len().div_ceil(4),
        _ => {
            let (mut rest, mut count) = (s, 0);
            while !rest.is_empty() {
                rest = &rest[step(enc, rest)..];
                count += 1;
            }
            count
        }
    }
}

/// The byte offset of the `n`th character; `None` when the string is shorter than `n`
/// characters (`n` equal to the length gives the end).
pub fn char_offset(enc: Encoding, s: &[u8], n: usize, range: Option<CodeRange>) -> Option<usize> {
    if enc.is_single_byte() || range == Some(CodeRange::SevenBit) {
        return (n <= s.len()).then_some(n);
    }
    if n > s.len() {
        return None;
    }
    if enc.kind() == Kind::Utf8 && range == Some(CodeRange::Valid) {
        return utf8_offset(s, n);
    }
    let mut pos = 0;
    for _ in 0..n {
        if pos >= s.len() {
            return None;
        }
        pos += step(enc, &s[pos..]);
    }
    Some(pos)
}

/// Offset of the `n`th character of valid UTF-8, a block at a time.
fn utf8_offset(s: &[u8], n: usize) -> Option<usize> {
    let mut left = n;
    let mut pos = 0;
    for block in s.chunks(64) {
        let starts = utf8_starts(block);
        if starts > left {
            break;
        }
        left -= starts;
        pos += block.len();
    }
    for (i, &b) in s[pos..].iter().enumerate() {
        if b & 0xc0 != 0x80 {
            if left == 0 {
                return Some(pos + i);
            }
            left -= 1;
        }
    }
    (left == 0).then_some(s.len())
}

/// Where the `n`th character from the end of valid UTF-8 begins, the last one being the first; `None` when there are not so many, or
/// characters of the encoding cannot be told from the end.
pub fn offset_from_end(enc: Encoding, s: &[u8], n: usize) -> Option<usize> {
    if enc.kind() != Kind::Utf8 {
        return None;
    }
    let (mut left, mut end) = (n, s.len());
    while left > 64 && end > 64 {
        let starts = utf8_starts(&s[end - 64..end]);
        (left, end) = (left - starts, end - 64);
    }
    if left == 0 {
        return Some(end);
    }
    for (i, &b) in s[..end].iter().enumerate().rev() {
        left -= usize::from(b & 0xc0 != 0x80);
        if left == 0 {
            return Some(i);
        }
    }
    None
}

/// Where the character that covers byte `pos` starts (`pos` itself if a character starts there).
pub fn char_start(enc: Encoding, s: &[u8], pos: usize) -> usize {
    if enc.is_single_byte() || pos >= s.len() {
        return pos.min(s.len());
    }
    match enc.kind() {
        Kind::Utf8 => {
            let mut start = pos;
            while start > 0 && pos - start < 3 && s[start] & 0xc0 == 0x80 {
                start -= 1;
            }
            match char_len(enc, &s[start..]) {
                CharLen::Valid(n) if start + n > pos => start,
                _ => pos,
            }
        }
        Kind::Utf32Be | Kind::Utf32Le => pos - pos % 4,
        _ => {
            // Other encodings do not synchronise by themselves: walk from the start.
            let mut at = 0;
            loop {
                let next = at + step(enc, &s[at..]);
                if next > pos {
                    return at;
                }
                at = next;
            }
        }
    }
}

/// The characters as byte slices, a broken one as what [`step`] takes.
pub fn chars(enc: Encoding, s: &[u8]) -> Chars<'_> {
    Chars { enc, rest: s }
}

/// See [`chars`].
#[derive(Clone, Debug)]
pub struct Chars<'a> {
    enc: Encoding,
    rest: &'a [u8],
}

impl<'a> Iterator for Chars<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (head, tail) = self.rest.split_at(step(self.enc, self.rest));
        self.rest = tail;
        Some(head)
    }
}

/// Extended grapheme clusters as byte slices: Unicode's for the encodings of Unicode, characters otherwise and for broken strings, of
/// which a character that is cut off at the end is none.
pub fn graphemes(enc: Encoding, s: &[u8]) -> impl Iterator<Item = &[u8]> {
    use unicode_segmentation::UnicodeSegmentation;
    let text = match enc.kind() {
        Kind::Utf8 => std::str::from_utf8(s).ok().map(std::borrow::Cow::Borrowed),
        _ if enc.is_unicode() => decoded(enc, s).map(std::borrow::Cow::Owned),
        _ => None,
    };
    let others = if text.is_none() { Some(chars(enc, s)) } else { None };
    let mut left = s;
    let whole = move |c: &&[u8]| {
        let is_cut = matches!(char_len(enc, left), CharLen::NeedMore(_));
        left = &left[c.len()..];
        !is_cut
    };
    let mut rest = s;
    // Where a cluster of the text ends is where as many characters of the string do.
    let mut at = 0;
    let clusters = std::iter::from_fn(move || {
        let cluster = text.as_deref()?.get(at..)?.graphemes(true).next()?;
        at += cluster.len();
        let len = if enc.kind() == Kind::Utf8 { cluster.len() } else { cluster.chars().map(|c| width(enc, c)).sum() };
        let (head, tail) = rest.split_at(len.min(rest.len()));
        rest = tail;
        Some(head)
    });
    clusters.chain(others.into_iter().flatten().take_while(whole))
}

/// A string in an encoding of Unicode as text; `None` if it is broken.
fn decoded(enc: Encoding, s: &[u8]) -> Option<String> {
    chars(enc, s).map(|c| super::chars::code_point(enc, c).and_then(|(code, _)| char::from_u32(code))).collect()
}

/// Bytes of a character in UTF-16 or UTF-32.
fn width(enc: Encoding, c: char) -> usize {
    if enc.min_len() == 4 { 4 } else { c.len_utf16() * 2 }
}

/// The stretches of broken bytes as `String#scrub` replaces them, as ranges; each range is one
/// replacement.
pub fn broken_ranges(enc: Encoding, s: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut pos = 0;
    std::iter::from_fn(move || {
        while pos < s.len() {
            let start = pos;
            match char_len(enc, &s[pos..]) {
                CharLen::Valid(n) => pos += n,
                CharLen::NeedMore(_) => {
                    pos = s.len();
                    return Some(start..pos);
                }
                CharLen::Invalid => {
                    pos += broken_len(enc, &s[pos..]);
                    return Some(start..pos);
                }
            }
        }
        None
    })
}

/// How many bytes in front of `s`, which do not begin with a character, are one broken piece: a run of bytes that still began
/// a character.
fn broken_len(enc: Encoding, s: &[u8]) -> usize {
    let min = enc.min_len();
    let longest = enc.max_len().min(s.len());
    let begins = |&len: &usize| matches!(char_len(enc, &s[..len]), CharLen::NeedMore(_));
    let len = (min + 1..=longest).rev().find(begins).unwrap_or(min.min(s.len()));
    // Of wide units whole ones.
    if len > min { len / min * min } else { len }
}

/// The default replacement of `String#scrub` for an encoding.
pub fn default_replacement(enc: Encoding) -> &'static [u8] {
    match enc.kind() {
        Kind::Utf8 | Kind::Cesu8 => b"\xef\xbf\xbd",
        Kind::Utf16Be => b"\xff\xfd",
        Kind::Utf16Le => b"\xfd\xff",
        Kind::Utf32Be => b"\0\0\xff\xfd",
        Kind::Utf32Le => b"\xfd\xff\0\0",
        _ => b"?",
    }
}

/// `String#scrub`: each broken piece replaced by what `replace` gives for its bytes.
/// `None` if nothing is broken.
pub fn scrub(enc: Encoding, s: &[u8], mut replace: impl FnMut(&[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut broken = broken_ranges(enc, s).peekable();
    broken.peek()?;
    let mut out = Vec::with_capacity(s.len());
    let mut last = 0;
    for range in broken {
        out.extend_from_slice(&s[last..range.start]);
        out.extend_from_slice(&replace(&s[range.clone()]));
        last = range.end;
    }
    out.extend_from_slice(&s[last..]);
    Some(out)
}
