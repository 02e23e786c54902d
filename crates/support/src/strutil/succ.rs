//! `String#succ`.

use unicode_general_category::{GeneralCategory, get_general_category};

use crate::encoding::Encoding;
use crate::encoding::chars::{CharLen, char_len, code_point, push_code_point};
use crate::encoding::convert::{Converter, Decorators};
use crate::encoding::scan::chars;

#[cfg(test)]
mod tests;

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Digit,
    Alpha,
    Other,
}

fn class(enc: Encoding, bytes: &[u8]) -> Class {
    let Some((code, _)) = code_point(enc, bytes) else {
        return Class::Other;
    };
    let c = match code {
        0..=0x7f => char::from_u32(code),
        _ if enc.is_unicode() => char::from_u32(code),
        _ => None,
    };
    match c {
        Some(c) if c.is_ascii_digit() => Class::Digit,
        Some(c) if c.is_alphabetic() => Class::Alpha,
        Some(c) if !c.is_ascii() && get_general_category(c) == GeneralCategory::DecimalNumber => Class::Digit,
        Some(_) => Class::Other,
        // The tables of other encodings know letters of one byte only.
        None => match single_byte_letter(enc, bytes) {
            true => Class::Alpha,
            false => Class::Other,
        },
    }
}

/// Is it a letter of ISO-8859, of Windows or KOI8? The tables of DOS and Macintosh encodings have none but ASCII's.
fn single_byte_letter(enc: Encoding, bytes: &[u8]) -> bool {
    let known = |family: &str| enc.name().starts_with(family);
    if bytes.len() > 1 || !(known("ISO-8859") || known("Windows-125") || known("KOI8")) {
        return false;
    }
    let mut text = Vec::new();
    let Some(mut converter) = Converter::new(enc, Encoding::UTF_8, Decorators::default()) else {
        return false;
    };
    converter.run(bytes, &mut text, None, false, false);
    std::str::from_utf8(&text).is_ok_and(|s| s.chars().next().is_some_and(char::is_alphabetic))
}

/// Steps a character's bytes to the neighbour of the same length. On overflow the bytes become
/// the first character of that length, and false is returned.
fn step(enc: Encoding, bytes: &mut [u8], up: bool) -> bool {
    let len = bytes.len();
    if enc.is_unicode()
        && let Some((code, _)) = code_point(enc, bytes)
    {
        return step_unicode(enc, bytes, code, up);
    }
    // Other encodings: count through the byte strings until one is a character.
    for _ in 0..=0x1_0000 {
        let (from, to) = if up { (0xff, 0) } else { (0, 0xff) };
        let Some(i) = (0..len).rev().find(|&i| bytes[i] != from) else {
            bytes.fill(to);
            return false;
        };
        bytes[i] = if up { bytes[i] + 1 } else { bytes[i] - 1 };
        bytes[i + 1..].fill(to);
        match char_len(enc, bytes) {
            CharLen::Valid(n) if n == len => return true,
            _ => {}
        }
    }
    false
}

fn step_unicode(enc: Encoding, bytes: &mut [u8], code: u32, up: bool) -> bool {
    let next = match (up, code) {
        (true, 0xd7ff) => Some(0xe000),
        (false, 0xe000) => Some(0xd7ff),
        (true, _) => code.checked_add(1),
        (false, _) => code.checked_sub(1),
    };
    let mut out = Vec::with_capacity(4);
    if let Some(next) = next
        && push_code_point(enc, next, &mut out).is_ok()
        && out.len() == bytes.len()
    {
        bytes.copy_from_slice(&out);
        return true;
    }
    // Wrapped: the lowest character that takes as many bytes.
    let lowest = match (enc.min_len(), bytes.len()) {
        (1, 2) => 0x80,
        (1, 3) => 0x800,
        (_, 4) if enc.min_len() < 4 => 0x1_0000,
        _ => 0,
    };
    out.clear();
    if up && push_code_point(enc, lowest, &mut out).is_ok() && out.len() == bytes.len() {
        bytes.copy_from_slice(&out);
    }
    false
}

enum Step {
    NotAlnum,
    Done,
    /// Wrapped to the start of its run; what is to be inserted if the carry goes nowhere.
    Carry(Vec<u8>),
}

fn step_alnum(enc: Encoding, bytes: &mut [u8]) -> Step {
    if let [byte @ (b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z')] = bytes
        && enc.is_ascii_compatible()
    {
        let (next, inserted) = match *byte {
            b'9' => (b'0', b'1'),
            b'z' => (b'a', b'a'),
            b'Z' => (b'A', b'A'),
            other => {
                *byte = other + 1;
                return Step::Done;
            }
        };
        *byte = next;
        return Step::Carry(vec![inserted]);
    }
    let kind = class(enc, bytes);
    if kind == Class::Other {
        return Step::NotAlnum;
    }
    let save = bytes.to_vec();
    // One gap is bridged: Unicode has holes among the Greek capitals.
    for _ in 0..2 {
        if step(enc, bytes, true) && class(enc, bytes) == kind {
            return Step::Done;
        }
    }
    bytes.copy_from_slice(&save);
    let mut first = save.clone();
    let mut stepped = false;
    loop {
        let mut previous = first.clone();
        if !step(enc, &mut previous, false) || class(enc, &previous) != kind {
            break;
        }
        first = previous;
        stepped = true;
    }
    if !stepped {
        return Step::NotAlnum;
    }
    bytes.copy_from_slice(&first);
    if kind == Class::Digit {
        step(enc, &mut first, true);
    }
    Step::Carry(first)
}

/// `String#succ`: the rightmost alphanumeric is increased, carrying to the left; without any,
/// the rightmost character.
pub fn succ(enc: Encoding, s: &[u8]) -> Vec<u8> {
    let mut out = s.to_vec();
    // Where the characters are; of ASCII each is a byte.
    let ascii = enc.is_ascii_compatible() && s.is_ascii();
    let mut bounds = Vec::new();
    let mut pos = 0;
    for c in chars(enc, if ascii { b"" } else { s }) {
        bounds.push(pos..pos + c.len());
        pos += c.len();
    }
    let count = if ascii { s.len() } else { bounds.len() };
    let bound = |i: usize| bounds.get(i).cloned().unwrap_or(i..i + 1);
    let mut last_alnum: Option<u8> = None;
    let mut carry = vec![1];
    let mut carry_at = 0;
    let mut not_alnum = false;
    for range in (0..count).rev().map(bound) {
        let lead = out[range.start];
        if not_alnum && let Some(last) = last_alnum {
            let stop = if last.is_ascii_alphabetic() {
                lead.is_ascii_digit()
            } else {
                last.is_ascii_digit() && lead.is_ascii_alphabetic()
            };
            if stop {
                break;
            }
        }
        if !matches!(char_len(enc, &out[range.clone()]), CharLen::Valid(_)) {
            continue;
        }
        match step_alnum(enc, &mut out[range.clone()]) {
            Step::NotAlnum => {
                not_alnum = true;
                continue;
            }
            Step::Done => return out,
            Step::Carry(c) => {
                not_alnum = false;
                last_alnum = Some(out[range.start]);
                carry = c;
            }
        }
        carry_at = range.start;
    }
    if last_alnum.is_none() {
        for range in (0..count).rev().map(bound) {
            if !matches!(char_len(enc, &out[range.clone()]), CharLen::Valid(_)) {
                continue;
            }
            if step(enc, &mut out[range.clone()], true) {
                return out;
            }
            if !enc.is_ascii_compatible() {
                carry = out[range.clone()].to_vec();
            }
            carry_at = range.start;
        }
    }
    if !s.is_empty() {
        out.splice(carry_at..carry_at, carry);
    }
    out
}
