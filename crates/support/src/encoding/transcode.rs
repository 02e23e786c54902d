//! What a character of an encoding is in Unicode, and back, for the encodings without state.

use super::chars::{CharLen, char_len, code_point, push_code_point};
use super::rows::{self, Row};
use super::single::SINGLE;
use super::{Encoding, Kind};

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
        Kind::Big5 => encoding_rs::BIG5,
        Kind::Gbk => encoding_rs::GBK,
        Kind::Gb18030 => encoding_rs::GB18030,
        _ => return None,
    })
}

/// Where the standards' tables and the vendors' differ; the library has the vendors'.
const JIS_DIFFERS: [(u32, u32); 7] = [
    (0x2015, 0x2014),
    (0xff5e, 0x301c),
    (0x2225, 0x2016),
    (0xff0d, 0x2212),
    (0xffe0, 0x00a2),
    (0xffe1, 0x00a3),
    (0xffe2, 0x00ac),
];

/// The minus sign, which vendors have as a full-width hyphen.
const MINUS: u32 = 0x2212;

fn uses_standard_jis(enc: Encoding) -> bool {
    matches!(enc, Encoding::SHIFT_JIS | Encoding::EUC_JP)
}

fn multi_decode(enc: Encoding, bytes: &[u8]) -> Option<u32> {
    let table = table_of(enc)?;
    match rows::of_pair(enc, bytes) {
        Row::Library => {}
        Row::Lacks => return None,
        Row::Is(code) => return Some(code),
    }
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
    match rows::of_code(enc, code) {
        Row::Library => Some(code),
        Row::Lacks => None,
        Row::Is(other) => Some(other),
    }
}

fn multi_encode(enc: Encoding, code: u32, out: &mut Vec<u8>) -> bool {
    let mut code = code;
    if let Some(bytes) = rows::bytes_of(enc, code) {
        out.extend_from_slice(&bytes);
        return true;
    }
    match rows::of_code(enc, code) {
        Row::Library => {}
        Row::Lacks => return false,
        Row::Is(other) => code = other,
    }
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
        if matches!(code, 0xa5 | 0x203e) || code == MINUS && matches!(enc.name(), "CP51932" | "Windows-31J") {
            return false;
        }
    }
    let (Some(table), Some(c)) = (table_of(enc), char::from_u32(code)) else {
        return false;
    };
    let mut buf = [0; 4];
    let (bytes, _, failed) = table.encode(c.encode_utf8(&mut buf));
    if failed || char_len(enc, &bytes) != CharLen::Valid(bytes.len()) || lacks(enc, &bytes) {
        return false;
    }
    out.extend_from_slice(&bytes);
    true
}

fn lacks(enc: Encoding, bytes: &[u8]) -> bool {
    // A character that the encoding has at another place was found above.
    !matches!(rows::of_pair(enc, bytes), Row::Library)
}

/// What stands at the front of the rest.
pub(super) enum Next {
    Char(u32, usize),
    NoMeaning(usize),
    Broken,
}

/// The character at the start of `rest`, which is not empty.
pub(super) fn next_char(enc: Encoding, rest: &[u8]) -> Next {
    match enc.kind() {
        Kind::Binary => match rest[0] {
            b @ 0..=0x7f => Next::Char(u32::from(b), 1),
            _ => Next::NoMeaning(1),
        },
        Kind::Single => match single_decode(enc, rest[0]) {
            Some(code) => Next::Char(code, 1),
            None => Next::NoMeaning(1),
        },
        Kind::EmacsMule => match code_point(enc, rest) {
            None => Next::Broken,
            Some((code, 1)) => Next::Char(code, 1),
            // A set's number and then EUC-JP's bytes.
            Some((_, len)) => match rest.get(..len) {
                Some([0x90 | 0x92, pair @ ..]) => match multi_decode(Encoding::EUC_JP, pair) {
                    Some(code) => Next::Char(code, len),
                    None => Next::NoMeaning(len),
                },
                _ => Next::NoMeaning(len),
            },
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
        Kind::EmacsMule => {
            let before = out.len();
            out.push(0x92);
            let done =
                multi_encode(Encoding::EUC_JP, code, out) && matches!(out[before..], [_, 0xa1..=0xff, 0xa1..=0xff]);
            if !done {
                out.truncate(before);
            }
            done
        }
        _ => multi_encode(enc, code, out),
    }
}
