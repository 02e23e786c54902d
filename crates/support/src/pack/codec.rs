//! The text encodings inside `pack`: base64, uuencode, quoted-printable, and long UTF-8.

use crate::error::{Error, Result};

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Groups of three bytes as four six-bit digits; the last group is padded.
fn groups(s: &[u8], digit: impl Fn(u8) -> u8, pad: u8, out: &mut Vec<u8>) {
    for g in s.chunks(3) {
        let b = |i: usize| g.get(i).copied().unwrap_or(0);
        out.push(digit(b(0) >> 2));
        out.push(digit((b(0) & 3) << 4 | b(1) >> 4));
        out.push(if g.len() > 1 { digit((b(1) & 15) << 2 | b(2) >> 6) } else { pad });
        out.push(if g.len() > 2 { digit(b(2) & 63) } else { pad });
    }
}

/// Base64, a line break after every `line` source bytes; none for 0.
pub(super) fn base64(s: &[u8], line: usize, out: &mut Vec<u8>) {
    let digit = |d: u8| BASE64[usize::from(d & 63)];
    if line == 0 {
        return groups(s, digit, b'=', out);
    }
    for chunk in s.chunks(line) {
        groups(chunk, digit, b'=', out);
        out.push(b'\n');
    }
}

/// Uuencoding, `line` source bytes a line.
pub(super) fn uuencode(s: &[u8], line: usize, out: &mut Vec<u8>) {
    let digit = |d: u8| if d & 63 == 0 { b'`' } else { (d & 63) + b' ' };
    for chunk in s.chunks(line) {
        out.push(chunk.len() as u8 + b' ');
        groups(chunk, digit, b'`', out);
        out.push(b'\n');
    }
}

/// Quoted-printable with soft breaks after `line` columns.
pub(super) fn quoted_printable(s: &[u8], line: usize, out: &mut Vec<u8>) {
    let (mut column, mut last) = (0, 0u8);
    for &b in s {
        match b {
            b'\n' => {
                if matches!(last, b' ' | b'\t') {
                    out.extend_from_slice(b"=\n");
                }
                out.push(b);
                column = 0;
                last = b;
            }
            b'\t' | 32..=60 | 62..=126 => {
                out.push(b);
                column += 1;
                last = b;
            }
            _ => {
                out.extend_from_slice(format!("={b:02X}").as_bytes());
                column += 3;
                last = 0;
            }
        }
        if column > line {
            out.extend_from_slice(b"=\n");
            column = 0;
            last = b'\n';
        }
    }
    if column > 0 {
        out.extend_from_slice(b"=\n");
    }
}

fn base64_digit(b: u8) -> Option<u8> {
    BASE64.iter().position(|&d| d == b).map(|i| i as u8)
}

/// Base64 as `unpack("m")` reads it: what is no digit is skipped, padding ends it.
pub(super) fn unbase64(s: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len() / 4 * 3);
    let mut group = [0u8; 4];
    let mut n = 0;
    for &b in s {
        if b == b'=' && n >= 2 {
            break;
        }
        let Some(d) = base64_digit(b) else { continue };
        group[n] = d;
        n += 1;
        if n == 4 {
            push_group(&group, 4, &mut out);
            n = 0;
        }
    }
    push_group(&group, n, &mut out);
    out
}

fn push_group(g: &[u8; 4], n: usize, out: &mut Vec<u8>) {
    let bytes = [g[0] << 2 | g[1] >> 4, g[1] << 4 | g[2] >> 2, g[2] << 6 | g[3]];
    out.extend_from_slice(&bytes[..n.saturating_sub(1)]);
}

/// Base64 as `unpack("m0")` reads it.
pub(super) fn unbase64_strict(s: &[u8]) -> Result<Vec<u8>> {
    let bad = || Error::argument("invalid base64");
    if !s.len().is_multiple_of(4) {
        return Err(bad());
    }
    let pad = s.iter().rev().take(2).take_while(|&&b| b == b'=').count();
    let body = &s[..s.len() - pad];
    let digits = body.iter().map(|&b| base64_digit(b).ok_or_else(bad)).collect::<Result<Vec<u8>>>()?;
    let mut out = Vec::with_capacity(s.len() / 4 * 3);
    for g in digits.chunks(4) {
        let mut group = [0; 4];
        group[..g.len()].copy_from_slice(g);
        let loose = match g.len() {
            2 => g[1] & 15,
            3 => g[2] & 3,
            _ => 0,
        };
        if loose != 0 {
            return Err(bad());
        }
        push_group(&group, g.len(), &mut out);
    }
    Ok(out)
}

/// Uuencoded text: the bytes, and how much of `s` was read. No more than `s` has room for, whatever lengths its lines claim.
pub(super) fn uudecode(s: &[u8]) -> (Vec<u8>, usize) {
    let is_sextet = |b: u8| (b' '..b'a').contains(&b);
    let room = s.len() * 3 / 4;
    let mut out = Vec::new();
    let mut pos = 0;
    while let Some(&first) = s.get(pos)
        && first > b' '
        && is_sextet(first)
    {
        pos += 1;
        let mut left = usize::from((first - b' ') & 63).min(room - out.len());
        while left > 0 {
            let mut group = [0u8; 4];
            for g in &mut group {
                if let Some(&b) = s.get(pos)
                    && is_sextet(b)
                {
                    *g = (b - b' ') & 63;
                    pos += 1;
                }
            }
            let n = left.min(3);
            push_group(&group, n + 1, &mut out);
            left -= n;
        }
        // What stands before the line break may be a checksum.
        if s.get(pos).is_some_and(|b| !matches!(b, b'\r' | b'\n')) {
            pos += 1;
        }
        if s.get(pos) == Some(&b'\r') {
            pos += 1;
        }
        if s.get(pos) == Some(&b'\n') {
            pos += 1;
        }
    }
    (out, pos)
}

/// Quoted-printable text; what cannot be decoded is kept from there on.
pub(super) fn unquote_printable(s: &[u8]) -> Vec<u8> {
    let hex = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    let mut out = Vec::with_capacity(s.len());
    let mut pos = 0;
    let mut good = 0;
    while pos < s.len() {
        if s[pos] == b'=' {
            pos += 1;
            if s[pos..].starts_with(b"\r\n") {
                pos += 1;
            }
            match (s.get(pos), s.get(pos + 1)) {
                (Some(b'\n'), _) => {}
                (Some(&a), Some(&b)) => {
                    let (Some(a), Some(b)) = (hex(a), hex(b)) else {
                        break;
                    };
                    out.push(a << 4 | b);
                    pos += 1;
                }
                _ => break,
            }
        } else {
            out.push(s[pos]);
        }
        pos += 1;
        good = pos;
    }
    out.extend_from_slice(&s[good..]);
    out
}

/// A code point up to 31 bits in UTF-8's original scheme (`pack("U")`).
pub(super) fn push_utf8(code: u32, out: &mut Vec<u8>) {
    if code < 0x80 {
        return out.push(code as u8);
    }
    let extra = match code {
        0..=0x7ff => 1,
        0x800..=0xffff => 2,
        0x1_0000..=0x1f_ffff => 3,
        0x20_0000..=0x3ff_ffff => 4,
        _ => 5,
    };
    let lead = !(0xffu8 >> (extra + 1));
    out.push(lead | (code >> (6 * extra)) as u8);
    for i in (0..extra).rev() {
        out.push(0x80 | (code >> (6 * i) & 0x3f) as u8);
    }
}

/// The code point at the front, with its length (`unpack("U")`).
pub(super) fn take_utf8(s: &[u8]) -> Result<(u32, usize)> {
    let malformed = || Error::argument("malformed UTF-8 character");
    let first = *s.first().ok_or_else(malformed)?;
    if first < 0x80 {
        return Ok((u32::from(first), 1));
    }
    let len = first.leading_ones() as usize;
    if !(2..=6).contains(&len) {
        return Err(malformed());
    }
    if s.len() < len {
        return Err(Error::argument(format!(
            "malformed UTF-8 character (expected {len} bytes, given {} bytes)",
            s.len()
        )));
    }
    let mut code = u32::from(first) & (0x7f >> len);
    for &b in &s[1..len] {
        if b & 0xc0 != 0x80 {
            return Err(malformed());
        }
        code = code << 6 | u32::from(b & 0x3f);
    }
    let least = [0, 0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000][len];
    if code < least {
        return Err(Error::argument("redundant UTF-8 sequence"));
    }
    Ok((code, len))
}
