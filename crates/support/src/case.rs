//! Case mapping: `upcase`, `downcase`, `swapcase`, `capitalize`, case folding.

mod tables;

use crate::encoding::chars::{code_point, push_code_point, step};
use crate::encoding::transcode::{single_decode, single_encode};
use crate::encoding::{Encoding, Kind};

#[cfg(test)]
mod tests;

/// What to do with the letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseOp {
    /// `upcase`
    Up,
    /// `downcase`
    Down,
    /// `swapcase`
    Swap,
    /// `capitalize`
    Capitalize,
    /// `downcase(:fold)`
    Fold,
}

/// The options the methods take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CaseOptions {
    /// `:ascii`: only A-Z and a-z.
    pub ascii: bool,
    /// `:turkic`: dotted and dotless i.
    pub turkic: bool,
}

/// Maps a whole string. Broken bytes are kept.
pub fn map_case(enc: Encoding, s: &[u8], op: CaseOp, options: CaseOptions) -> Vec<u8> {
    let ascii = enc.is_ascii_compatible();
    if ascii && !options.turkic && (options.ascii || s.is_ascii()) && enc.max_len() == 1
        || ascii && !options.turkic && s.is_ascii()
        || enc == Encoding::BINARY
    {
        return map_ascii(s, op);
    }
    let mut out = Vec::with_capacity(s.len() + 4);
    let mut pos = 0;
    let mut first = true;
    // In such a text runs of ASCII are mapped as they are.
    let runs = ascii && !options.turkic && matches!(enc.kind(), Kind::Utf8 | Kind::Single);
    while pos < s.len() {
        let rest = &s[pos..];
        if runs && rest[0] < 0x80 && !(first && op == CaseOp::Capitalize) {
            let n = rest.iter().position(|&b| b >= 0x80).unwrap_or(rest.len());
            let start = out.len();
            out.extend_from_slice(&rest[..n]);
            map_ascii_in_place(&mut out[start..], op);
            (first, pos) = (false, pos + n);
            continue;
        }
        let Some((code, len)) = code_point(enc, rest) else {
            let n = step(enc, rest);
            out.extend_from_slice(&rest[..n]);
            pos += n;
            first = false;
            continue;
        };
        let op = match op {
            CaseOp::Capitalize if !first => CaseOp::Down,
            other => other,
        };
        map_one(enc, code, &rest[..len], op, options, &mut out);
        first = false;
        pos += len;
    }
    out
}

fn map_ascii(s: &[u8], op: CaseOp) -> Vec<u8> {
    let mut out = s.to_vec();
    let rest = match (op, out.split_first_mut()) {
        (CaseOp::Capitalize, Some((first, rest))) => {
            first.make_ascii_uppercase();
            rest
        }
        _ => &mut out[..],
    };
    map_ascii_in_place(rest, op);
    out
}

/// Maps text that is not at the beginning, in which only ASCII letters are mapped.
fn map_ascii_in_place(s: &mut [u8], op: CaseOp) {
    match op {
        CaseOp::Up => s.make_ascii_uppercase(),
        CaseOp::Down | CaseOp::Fold | CaseOp::Capitalize => s.make_ascii_lowercase(),
        CaseOp::Swap => s.iter_mut().for_each(|b| *b ^= u8::from(b.is_ascii_alphabetic()) << 5),
    }
}

fn map_one(enc: Encoding, code: u32, bytes: &[u8], op: CaseOp, options: CaseOptions, out: &mut Vec<u8>) {
    let unicode = enc.is_unicode();
    if code < 0x80 && !options.turkic && op != CaseOp::Capitalize || options.ascii {
        let mapped = match u8::try_from(code) {
            Ok(b) if b < 0x80 => map_ascii(&[b], op)[0],
            _ => return out.extend_from_slice(bytes),
        };
        // ASCII characters exist in every encoding that gets here.
        if push_code_point(enc, u32::from(mapped), out).is_err() {
            out.extend_from_slice(bytes);
        }
        return;
    }
    if unicode {
        let Some(c) = char::from_u32(code) else {
            return out.extend_from_slice(bytes);
        };
        let start = out.len();
        let mut ok = true;
        map_char(c, op, options.turkic, |m| ok &= push_code_point(enc, m as u32, out).is_ok());
        if !ok {
            out.truncate(start);
            out.extend_from_slice(bytes);
        }
        return;
    }
    let (Kind::Single, [byte]) = (enc.kind(), bytes) else {
        let mapped = if code < 0x80 { map_ascii(&[code as u8], op)[0] } else { 0 };
        if code < 0x80 {
            out.push(mapped)
        } else {
            out.extend_from_slice(bytes)
        }
        return;
    };
    // A single-byte encoding: through Unicode where the result is one byte again.
    let mut mapped = Vec::new();
    if let Some(c) = single_decode(enc, *byte).and_then(char::from_u32) {
        map_char(c, op, options.turkic, |m| mapped.push(m));
    }
    match mapped[..] {
        [one] => out.push(single_encode(enc, one as u32).unwrap_or(*byte)),
        _ => out.push(*byte),
    }
}

fn lookup(table: &'static [(u32, &'static str)], c: char) -> Option<&'static str> {
    table.binary_search_by_key(&(c as u32), |e| e.0).ok().map(|i| table[i].1)
}

fn map_char(c: char, op: CaseOp, turkic: bool, mut put: impl FnMut(char)) {
    if turkic {
        let up = matches!(op, CaseOp::Up | CaseOp::Swap | CaseOp::Capitalize);
        let down = matches!(op, CaseOp::Down | CaseOp::Swap | CaseOp::Fold);
        match c {
            'i' if up => return put('İ'),
            'I' if down => return put('ı'),
            'İ' if down => return put('i'),
            _ => {}
        }
    }
    match op {
        CaseOp::Up => c.to_uppercase().for_each(put),
        CaseOp::Down => c.to_lowercase().for_each(put),
        CaseOp::Capitalize => match c {
            // Georgian letters have no title case of their own.
            '\u{10d0}'..='\u{10ff}' => put(c),
            _ => match lookup(tables::TITLE, c) {
                Some(text) => text.chars().for_each(put),
                None => c.to_uppercase().for_each(put),
            },
        },
        CaseOp::Fold => match c {
            // Cherokee folds to upper case.
            '\u{13a0}'..='\u{13f5}' => put(c),
            '\u{13f8}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => c.to_uppercase().for_each(put),
            _ => match lookup(tables::FOLD, c) {
                Some(text) => text.chars().for_each(put),
                None => c.to_lowercase().for_each(put),
            },
        },
        CaseOp::Swap => match lookup(tables::SWAP, c) {
            Some(text) => text.chars().for_each(put),
            None => {
                let mut upper = c.to_uppercase();
                if upper.len() == 1 && upper.clone().eq([c]) {
                    c.to_lowercase().for_each(put);
                } else {
                    upper.by_ref().for_each(put);
                }
            }
        },
    }
}

/// As `casecmp`, of text where bytes of longer characters may look like letters.
pub fn casecmp_in(enc: Encoding, a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    use crate::encoding::Kind;
    if !matches!(enc.kind(), Kind::Sjis | Kind::Gbk | Kind::Gb18030 | Kind::Big5 | Kind::Cp949) {
        return casecmp(a, b);
    }
    let (mut a, mut b) = (a, b);
    while !a.is_empty() && !b.is_empty() {
        let (x, rest_a) = a.split_at(crate::encoding::chars::step(enc, a).clamp(1, a.len()));
        let (y, rest_b) = b.split_at(crate::encoding::chars::step(enc, b).clamp(1, b.len()));
        let order = match (x, y) {
            ([x], [y]) => x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase()),
            _ => x.cmp(y),
        };
        if order.is_ne() {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.len().cmp(&b.len())
}

/// `String#casecmp`: bytes compared with A-Z folded to lower case.
pub fn casecmp(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    a.iter().map(u8::to_ascii_lowercase).cmp(b.iter().map(u8::to_ascii_lowercase))
}
