//! Converting a string from one encoding to another, a character at a time through Unicode.

use std::ops::Range;

use super::chars::{CharLen, char_len, code_point, push_code_point};
use super::single::SINGLE;
use super::{Encoding, Kind};
use crate::error::{Error, ErrorKind};

#[cfg(test)]
mod tests;

/// What stopped a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// `Encoding::InvalidByteSequenceError`: bytes that are no character.
    Invalid {
        /// The offending bytes in the source.
        bytes: Range<usize>,
        /// The bytes after them that showed it (`readagain_bytes`); they are read again.
        followed_by: Range<usize>,
        /// Whether the source ended inside a character.
        incomplete: bool,
    },
    /// `Encoding::UndefinedConversionError`: a character the destination lacks.
    Undefined {
        /// The character's bytes in the source.
        bytes: Range<usize>,
        /// Its Unicode code point, `None` if the source gives it no meaning.
        code: Option<u32>,
    },
}

/// Whether there is a converter (`ConverterNotFoundError` otherwise).
pub fn can_convert(from: Encoding, to: Encoding) -> bool {
    has_unicode(from) && has_unicode(to)
}

/// `Encoding::ConverterNotFoundError` for two names.
pub fn converter_not_found(from: &str, to: &str) -> Error {
    Error::new(ErrorKind::ConverterNotFound, format!("code converter not found ({from} to {to})"))
}

fn has_unicode(enc: Encoding) -> bool {
    match enc.kind() {
        Kind::Single => {
            matches!(enc, Encoding::ISO_8859_1 | Encoding::UTF_16 | Encoding::UTF_32) || single_table(enc).is_some()
        }
        Kind::EucTw | Kind::EmacsMule => false,
        _ => true,
    }
}

fn single_table(enc: Encoding) -> Option<&'static str> {
    SINGLE.iter().find(|e| e.0 == enc.index()).map(|e| e.1)
}

/// The Unicode code point of a byte in a single-byte encoding.
pub fn single_decode(enc: Encoding, byte: u8) -> Option<u32> {
    if byte < 0x80 || enc == Encoding::ISO_8859_1 {
        return Some(u32::from(byte));
    }
    let c = single_table(enc)?.chars().nth(usize::from(byte - 0x80))?;
    (c != '\u{fffd}').then_some(c as u32)
}

/// The byte of a Unicode code point in a single-byte encoding.
pub fn single_encode(enc: Encoding, code: u32) -> Option<u8> {
    if code < 0x80 || enc == Encoding::ISO_8859_1 && code < 0x100 {
        return Some(code as u8);
    }
    let at = single_table(enc)?.chars().position(|c| c as u32 == code && c != '\u{fffd}')?;
    Some(0x80 + at as u8)
}

fn table_of(enc: Encoding) -> Option<&'static encoding_rs::Encoding> {
    Some(match enc.kind() {
        Kind::Sjis => encoding_rs::SHIFT_JIS,
        Kind::EucJp => encoding_rs::EUC_JP,
        Kind::EucKr if enc.name() == "EUC-KR" => encoding_rs::EUC_KR,
        Kind::EucKr => encoding_rs::GBK,
        Kind::Cp949 => encoding_rs::EUC_KR,
        Kind::Big5 | Kind::Big5Wide => encoding_rs::BIG5,
        Kind::Gbk => encoding_rs::GBK,
        Kind::Gb18030 => encoding_rs::GB18030,
        _ => return None,
    })
}

/// Where the standards' tables and the vendors' differ; the library has the vendors'.
const JIS_DIFFERS: [(u32, u32); 6] =
    [(0xff5e, 0x301c), (0x2225, 0x2016), (0xff0d, 0x2212), (0xffe0, 0x00a2), (0xffe1, 0x00a3), (0xffe2, 0x00ac)];

fn uses_standard_jis(enc: Encoding) -> bool {
    matches!(enc, Encoding::SHIFT_JIS | Encoding::EUC_JP)
}

fn multi_decode(enc: Encoding, bytes: &[u8]) -> Option<u32> {
    let table = table_of(enc)?;
    let text = table.decode_without_bom_handling_and_without_replacement(bytes)?;
    let mut chars = text.chars();
    let code = chars.next()? as u32;
    if chars.next().is_some() {
        return None;
    }
    if uses_standard_jis(enc)
        && let Some(pair) = JIS_DIFFERS.iter().find(|p| p.0 == code)
    {
        return Some(pair.1);
    }
    Some(code)
}

fn multi_encode(enc: Encoding, code: u32, out: &mut Vec<u8>) -> bool {
    let mut code = code;
    if table_of(enc).is_some_and(|t| t == encoding_rs::SHIFT_JIS || t == encoding_rs::EUC_JP) {
        if uses_standard_jis(enc) {
            if JIS_DIFFERS.iter().any(|p| p.0 == code) {
                return false;
            }
            if let Some(pair) = JIS_DIFFERS.iter().find(|p| p.1 == code) {
                code = pair.0;
            }
        }
        // The library maps these two onto ASCII look-alikes.
        if matches!(code, 0xa5 | 0x203e) {
            return false;
        }
    }
    let (Some(table), Some(c)) = (table_of(enc), char::from_u32(code)) else {
        return false;
    };
    let mut buf = [0; 4];
    let (bytes, _, failed) = table.encode(c.encode_utf8(&mut buf));
    if failed || char_len(enc, &bytes) != CharLen::Valid(bytes.len()) {
        return false;
    }
    out.extend_from_slice(&bytes);
    true
}

/// What stands at the front of the rest.
enum Next {
    Char(u32, usize),
    NoMeaning(usize),
    Broken,
}

fn next_char(enc: Encoding, rest: &[u8]) -> Next {
    match enc.kind() {
        Kind::Binary => match rest[0] {
            b @ 0..=0x7f => Next::Char(u32::from(b), 1),
            _ => Next::NoMeaning(1),
        },
        Kind::Single => match single_decode(enc, rest[0]) {
            Some(code) => Next::Char(code, 1),
            None => Next::NoMeaning(1),
        },
        _ => match code_point(enc, rest) {
            None => Next::Broken,
            Some((code, len)) if enc.is_unicode() || code < 0x80 => Next::Char(code, len),
            Some((_, len)) => match multi_decode(enc, &rest[..len]) {
                Some(code) => Next::Char(code, len),
                None => Next::NoMeaning(len),
            },
        },
    }
}

/// Appends a Unicode character in an encoding; false if it has no place there.
pub fn encode_char(enc: Encoding, code: u32, out: &mut Vec<u8>) -> bool {
    match enc.kind() {
        _ if enc.is_unicode() => push_code_point(enc, code, out).is_ok(),
        Kind::Binary | Kind::UsAscii => {
            if code < 0x80 {
                out.push(code as u8);
            }
            code < 0x80
        }
        Kind::Single => match single_encode(enc, code) {
            Some(b) => {
                out.push(b);
                true
            }
            None => false,
        },
        _ if code < 0x80 => {
            out.push(code as u8);
            true
        }
        _ => multi_encode(enc, code, out),
    }
}

fn broken_at(enc: Encoding, s: &[u8], pos: usize) -> Problem {
    let rest = &s[pos..];
    if let CharLen::NeedMore(_) = char_len(enc, rest) {
        return Problem::Invalid { bytes: pos..s.len(), followed_by: s.len()..s.len(), incomplete: true };
    }
    let min = enc.min_len().min(rest.len());
    let longest = enc.max_len().min(rest.len());
    let begun = (1..longest).rev().find(|&n| matches!(char_len(enc, &rest[..n]), CharLen::NeedMore(_)));
    match begun {
        Some(n) if n >= min => Problem::Invalid {
            bytes: pos..pos + n,
            followed_by: pos + n..(pos + n + 1).min(s.len()),
            incomplete: false,
        },
        _ => Problem::Invalid { bytes: pos..pos + min, followed_by: pos + min..pos + min, incomplete: false },
    }
}

/// Converts `s`. `handle` is asked at every problem: it returns the bytes to put there, in the
/// destination's encoding, or an error that ends the conversion.
pub fn transcode<E>(
    from: Encoding,
    to: Encoding,
    s: &[u8],
    mut handle: impl FnMut(&Problem) -> Result<Vec<u8>, E>,
) -> Result<Vec<u8>, E> {
    let mut out = Vec::with_capacity(s.len() + 8);
    let (from, mut pos) = match from {
        Encoding::UTF_16 if s.starts_with(b"\xff\xfe") => (Encoding::UTF_16LE, 2),
        Encoding::UTF_16 => (Encoding::UTF_16BE, if s.starts_with(b"\xfe\xff") { 2 } else { 0 }),
        Encoding::UTF_32 if s.starts_with(b"\xff\xfe\0\0") => (Encoding::UTF_32LE, 4),
        Encoding::UTF_32 => (Encoding::UTF_32BE, if s.starts_with(b"\0\0\xfe\xff") { 4 } else { 0 }),
        other => (other, 0),
    };
    let to = match to {
        Encoding::UTF_16 => {
            out.extend_from_slice(if s.is_empty() { b"" } else { b"\xfe\xff" });
            Encoding::UTF_16BE
        }
        Encoding::UTF_32 => {
            out.extend_from_slice(if s.is_empty() { b"" } else { b"\0\0\xfe\xff" });
            Encoding::UTF_32BE
        }
        other => other,
    };
    let plain = from.is_ascii_compatible() && to.is_ascii_compatible();
    while pos < s.len() {
        if plain {
            let run = s[pos..].iter().take_while(|b| b.is_ascii()).count();
            out.extend_from_slice(&s[pos..pos + run]);
            pos += run;
            if pos == s.len() {
                break;
            }
        }
        match next_char(from, &s[pos..]) {
            Next::Char(code, len) => {
                if !encode_char(to, code, &mut out) {
                    let problem = Problem::Undefined { bytes: pos..pos + len, code: Some(code) };
                    out.extend_from_slice(&handle(&problem)?);
                }
                pos += len;
            }
            Next::NoMeaning(len) => {
                let problem = Problem::Undefined { bytes: pos..pos + len, code: None };
                out.extend_from_slice(&handle(&problem)?);
                pos += len;
            }
            Next::Broken => {
                let problem = broken_at(from, s, pos);
                if let Problem::Invalid { bytes, .. } = &problem {
                    pos = bytes.end.max(pos + 1);
                }
                out.extend_from_slice(&handle(&problem)?);
            }
        }
    }
    Ok(out)
}

/// The default replacement of `encode(…, invalid: :replace)` in the destination.
pub fn replacement(to: Encoding) -> &'static [u8] {
    match to {
        Encoding::UTF_16 => b"\xff\xfd",
        Encoding::UTF_32 => b"\0\0\xff\xfd",
        _ => super::scan::default_replacement(to),
    }
}

/// The message of the exception for a problem in converting `s`.
pub fn problem_message(from: Encoding, to: Encoding, s: &[u8], problem: &Problem) -> String {
    let quote = |r: &Range<usize>| {
        let text: String = s[r.clone()].iter().map(|b| format!("\\x{b:02X}")).collect();
        format!("\"{text}\"")
    };
    match problem {
        Problem::Invalid { bytes, incomplete: true, .. } => {
            format!("incomplete {} on {}", quote(bytes), from.name())
        }
        Problem::Invalid { bytes, followed_by, .. } if !followed_by.is_empty() => {
            let next = super::super::inspect::inspect(Encoding::BINARY, &s[followed_by.clone()]);
            format!("{} followed by {} on {}", quote(bytes), String::from_utf8_lossy(&next), from.name())
        }
        Problem::Invalid { bytes, .. } => format!("{} on {}", quote(bytes), from.name()),
        Problem::Undefined { bytes, code } => {
            let what = match code {
                Some(code) => format!("U+{code:04X}"),
                None => quote(bytes),
            };
            let (a, b) = (from.name(), to.name());
            if from == Encoding::UTF_8 || to == Encoding::UTF_8 {
                return format!("{what} from {a} to {b}");
            }
            // Everything else goes by way of UTF-8, and the message says at which leg it failed.
            let leg = if code.is_some() { b } else { "UTF-8" };
            format!("{what} to {leg} in conversion from {a} to UTF-8 to {b}")
        }
    }
}
