//! One character at a time: its length, its code point, and back.

use super::{Encoding, Kind};
use crate::error::{Error, Result};

/// What stands at a position: CRuby's precise `mbclen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharLen {
    /// A character of so many bytes.
    Valid(usize),
    /// No character can start with these bytes.
    Invalid,
    /// The bytes are a character's beginning; so many more would be needed at least.
    NeedMore(usize),
}

use CharLen::{Invalid, NeedMore, Valid};

/// The length of the character at the start of `s`; an empty `s` needs more.
pub fn char_len(enc: Encoding, s: &[u8]) -> CharLen {
    let Some(&first) = s.first() else {
        return NeedMore(enc.min_len());
    };
    match enc.kind() {
        Kind::Binary | Kind::Single => Valid(1),
        Kind::UsAscii => {
            if first < 0x80 {
                Valid(1)
            } else {
                Invalid
            }
        }
        Kind::Utf8 => utf8_len(first, s),
        Kind::Utf16Be => utf16_len(s, u16::from_be_bytes),
        Kind::Utf16Le => utf16_len(s, u16::from_le_bytes),
        Kind::Utf32Be => utf32_len(s, u32::from_be_bytes),
        Kind::Utf32Le => utf32_len(s, u32::from_le_bytes),
        Kind::Cesu8 => cesu8_len(first, s),
        _ if first < 0x80 => Valid(1),
        Kind::Sjis => match first {
            0xa1..=0xdf => Valid(1),
            0x81..=0x9f | 0xe0..=0xfc => trail(s, |b| matches!(b, 0x40..=0x7e | 0x80..=0xfc)),
            _ => Invalid,
        },
        Kind::EucJp => match first {
            0x8e | 0xa1..=0xfe => trail(s, high),
            0x8f => trails(s, 3, high),
            _ => Invalid,
        },
        Kind::EucKr => match first {
            0xa1..=0xfe => trail(s, high),
            _ => Invalid,
        },
        Kind::EucTw => match first {
            0xa1..=0xfe => trail(s, high),
            0x8e => match s.get(1) {
                Some(0xa1..=0xb0) => trails(s, 4, high),
                Some(_) => Invalid,
                None => NeedMore(3),
            },
            _ => Invalid,
        },
        Kind::Cp949 => match first {
            0x81..=0xfe => trail(s, |b| matches!(b, 0x41..=0x5a | 0x61..=0x7a | 0x81..=0xfe)),
            _ => Invalid,
        },
        Kind::Big5 => match first {
            0xa1..=0xfe => trail(s, |b| matches!(b, 0x40..=0x7e | 0xa1..=0xfe)),
            _ => Invalid,
        },
        Kind::Gbk => match first {
            0x81..=0xfe => trail(s, |b| matches!(b, 0x40..=0x7e | 0x80..=0xfe)),
            _ => Invalid,
        },
        Kind::Gb18030 => gb18030_len(first, s),
        Kind::EmacsMule => match first {
            0x81..=0x8f => trail(s, |b| b >= 0xa0),
            0x90..=0x99 => trails(s, 3, |b| b >= 0xa0),
            0x9a..=0x9b => trails(s, 3, |b| b >= 0xa0),
            0x9c..=0x9d => trails(s, 4, |b| b >= 0xa0),
            _ => Invalid,
        },
    }
}

fn high(b: u8) -> bool {
    matches!(b, 0xa1..=0xfe)
}

fn trail(s: &[u8], ok: impl Fn(u8) -> bool) -> CharLen {
    trails(s, 2, ok)
}

fn trails(s: &[u8], len: usize, ok: impl Fn(u8) -> bool) -> CharLen {
    for i in 1..len {
        match s.get(i) {
            Some(&b) if ok(b) => {}
            Some(_) => return Invalid,
            None => return NeedMore(len - i),
        }
    }
    Valid(len)
}

fn utf8_len(first: u8, s: &[u8]) -> CharLen {
    let (len, second) = match first {
        0..=0x7f => return Valid(1),
        0xc2..=0xdf => (2, 0x80..=0xbf),
        0xe0 => (3, 0xa0..=0xbf),
        0xed => (3, 0x80..=0x9f),
        0xe1..=0xef => (3, 0x80..=0xbf),
        0xf0 => (4, 0x90..=0xbf),
        0xf1..=0xf3 => (4, 0x80..=0xbf),
        0xf4 => (4, 0x80..=0x8f),
        _ => return Invalid,
    };
    match s.get(1) {
        None => NeedMore(len - 1),
        Some(b) if !second.contains(b) => Invalid,
        Some(_) => trails(s, len, |b| matches!(b, 0x80..=0xbf)),
    }
}

fn utf16_len(s: &[u8], read: fn([u8; 2]) -> u16) -> CharLen {
    let Some(&[a, b]) = s.get(..2).and_then(|x| <&[u8; 2]>::try_from(x).ok()) else {
        return NeedMore(1);
    };
    match read([a, b]) {
        0xd800..=0xdbff => match s.get(2..4) {
            Some(&[c, d]) => {
                if matches!(read([c, d]), 0xdc00..=0xdfff) {
                    Valid(4)
                } else {
                    Invalid
                }
            }
            _ => NeedMore(4 - s.len().min(3)),
        },
        0xdc00..=0xdfff => Invalid,
        _ => Valid(2),
    }
}

fn utf32_len(s: &[u8], read: fn([u8; 4]) -> u32) -> CharLen {
    match s.first_chunk::<4>() {
        None => NeedMore(4 - s.len()),
        Some(&word) => {
            if char::from_u32(read(word)).is_some() {
                Valid(4)
            } else {
                Invalid
            }
        }
    }
}

fn cesu8_len(first: u8, s: &[u8]) -> CharLen {
    match (first, s.get(1)) {
        (0xed, Some(0xa0..=0xaf)) => match trails(s, 3, |b| matches!(b, 0x80..=0xbf)) {
            Valid(_) => match (s.get(3), s.get(4), s.get(5)) {
                (Some(0xed), Some(0xb0..=0xbf), Some(0x80..=0xbf)) => Valid(6),
                (None, _, _) => NeedMore(3),
                (Some(0xed), None, _) => NeedMore(2),
                (Some(0xed), Some(0xb0..=0xbf), None) => NeedMore(1),
                _ => Invalid,
            },
            other => other,
        },
        (0xf0.., _) => Invalid,
        _ => utf8_len(first, s),
    }
}

fn gb18030_len(first: u8, s: &[u8]) -> CharLen {
    if !matches!(first, 0x81..=0xfe) {
        return Invalid;
    }
    match s.get(1) {
        None => NeedMore(1),
        Some(0x40..=0x7e | 0x80..=0xfe) => Valid(2),
        Some(0x30..=0x39) => match (s.get(2), s.get(3)) {
            (None, _) => NeedMore(2),
            (Some(0x81..=0xfe), None) => NeedMore(1),
            (Some(0x81..=0xfe), Some(0x30..=0x39)) => Valid(4),
            _ => Invalid,
        },
        Some(_) => Invalid,
    }
}

/// The length to step over at the start of a non-empty `s`: a valid character's, else what
/// CRuby takes as one broken character (`rb_enc_mbclen`).
pub fn step(enc: Encoding, s: &[u8]) -> usize {
    match char_len(enc, s) {
        Valid(n) => n,
        NeedMore(_) => enc.min_len().min(s.len()).max(1),
        Invalid => enc.min_len().min(s.len()).max(1),
    }
}

/// The code point of the character at the start of `s` and its length, `None` if it is broken.
pub fn code_point(enc: Encoding, s: &[u8]) -> Option<(u32, usize)> {
    let Valid(len) = char_len(enc, s) else {
        return None;
    };
    let s = &s[..len];
    let code = match enc.kind() {
        Kind::Utf8 => utf8_code(s),
        Kind::Utf16Be | Kind::Utf16Le => {
            let big = enc.kind() == Kind::Utf16Be;
            let unit = |i: usize| {
                let pair = [s[i], s[i + 1]];
                u32::from(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
            };
            if len == 2 { unit(0) } else { 0x10000 + ((unit(0) - 0xd800) << 10) + unit(2) - 0xdc00 }
        }
        Kind::Utf32Be => s.iter().fold(0, |n, &b| n << 8 | u32::from(b)),
        Kind::Utf32Le => s.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b)),
        Kind::Cesu8 if len == 6 => {
            let (hi, lo) = (utf8_code(&s[..3]), utf8_code(&s[3..]));
            0x10000 + ((hi - 0xd800) << 10) + lo - 0xdc00
        }
        Kind::Cesu8 => utf8_code(s),
        _ => s.iter().fold(0, |n, &b| n << 8 | u32::from(b)),
    };
    Some((code, len))
}

fn utf8_code(s: &[u8]) -> u32 {
    let first = u32::from(s[0]);
    let lead = match s.len() {
        1 => first,
        2 => first & 0x1f,
        3 => first & 0x0f,
        _ => first & 0x07,
    };
    s[1..].iter().fold(lead, |n, &b| n << 6 | u32::from(b) & 0x3f)
}

/// Appends the character of a code point (`Integer#chr(enc)`, `String#<<` of an Integer).
pub fn push_code_point(enc: Encoding, code: u32, out: &mut Vec<u8>) -> Result<()> {
    let out_of_range = || Error::range(format!("{code} out of char range"));
    let invalid = || Error::range(format!("invalid codepoint 0x{code:X} in {}", enc.name()));
    match enc.kind() {
        Kind::Binary | Kind::Single => out.push(u8::try_from(code).map_err(|_| out_of_range())?),
        Kind::UsAscii => match u8::try_from(code) {
            Ok(b @ 0..=0x7f) => out.push(b),
            _ => return Err(invalid()),
        },
        Kind::Utf8 => {
            let c = char::from_u32(code).ok_or_else(|| if code <= 0x10_ffff { invalid() } else { out_of_range() })?;
            let mut buf = [0; 4];
            out.extend_from_slice(c.encode_utf8(&mut buf).as_bytes());
        }
        Kind::Utf16Be | Kind::Utf16Le => {
            let c = char::from_u32(code).ok_or_else(invalid)?;
            let mut buf = [0; 2];
            for unit in c.encode_utf16(&mut buf) {
                out.extend_from_slice(&if enc.kind() == Kind::Utf16Be {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                });
            }
        }
        Kind::Utf32Be | Kind::Utf32Le => {
            char::from_u32(code).ok_or_else(invalid)?;
            out.extend_from_slice(&if enc.kind() == Kind::Utf32Be { code.to_be_bytes() } else { code.to_le_bytes() });
        }
        Kind::Cesu8 => {
            let c = char::from_u32(code).ok_or_else(invalid)?;
            let mut buf = [0; 2];
            let units = c.encode_utf16(&mut buf);
            for &unit in units.iter() {
                push_three(u32::from(unit), out);
            }
        }
        _ => {
            let bytes = code.to_be_bytes();
            let skip = (code.leading_zeros() / 8).min(3) as usize;
            if char_len(enc, &bytes[skip..]) != Valid(4 - skip) {
                return Err(invalid());
            }
            out.extend_from_slice(&bytes[skip..]);
        }
    }
    Ok(())
}

/// UTF-8's scheme for one 16-bit unit, surrogates included.
fn push_three(unit: u32, out: &mut Vec<u8>) {
    match unit {
        0..=0x7f => out.push(unit as u8),
        0x80..=0x7ff => out.extend_from_slice(&[0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
        _ => out.extend_from_slice(&[
            0xe0 | (unit >> 12) as u8,
            0x80 | (unit >> 6 & 0x3f) as u8,
            0x80 | (unit & 0x3f) as u8,
        ]),
    }
}
