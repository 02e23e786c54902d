//! `Array#pack`.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::{Count, Item, codec, parse_template};
use crate::encoding::Encoding;
use crate::error::{Error, ErrorKind};
use crate::int::Int;

/// The array being packed, as the VM sees it: each call takes the next element and converts it
/// with whatever Ruby methods that needs.
pub trait PackArgs {
    /// The VM's exception.
    type Error: From<Error>;
    /// How many elements are left.
    fn remaining(&self) -> usize;
    /// The next element through `to_int`.
    fn int(&mut self) -> Result<Int, Self::Error>;
    /// The next element as a Float (`Numeric` only).
    fn float(&mut self) -> Result<f64, Self::Error>;
    /// The next element through `to_str`; nil is empty when `nil_ok`.
    fn bytes(&mut self, nil_ok: bool) -> Result<Vec<u8>, Self::Error>;
    /// The next element through `to_s`.
    fn text(&mut self) -> Result<Vec<u8>, Self::Error>;
    /// The address of the next element's bytes, which the result keeps alive; 0 for nil. It has to have `least` bytes.
    fn pointer(&mut self, least: usize) -> Result<u64, Self::Error>;
    /// Makes room for so many bytes more behind `out`: memory whose size the template says is asked for.
    fn reserve(&mut self, out: &mut Vec<u8>, more: usize) -> Result<(), Self::Error>;
}

/// Longer results than this are refused.
const MAX_LEN: usize = 1 << 31;

/// `Array#pack(template)`; `out` is the `buffer:`'s contents or empty. Gives the result's
/// encoding (which a given buffer ignores).
pub fn pack<A: PackArgs>(template: &[u8], args: &mut A, out: &mut Vec<u8>) -> Result<Encoding, A::Error> {
    let mut enc = Encoding::US_ASCII;
    for item in parse_template(template, "pack")? {
        match item.letter {
            b'U' => {
                if enc == Encoding::US_ASCII {
                    enc = Encoding::UTF_8;
                }
            }
            b'm' | b'M' | b'u' => {}
            _ => enc = Encoding::BINARY,
        }
        pack_item(&item, args, out)?;
    }
    Ok(enc)
}

fn need<A: PackArgs>(args: &A) -> Result<(), A::Error> {
    if args.remaining() == 0 {
        return Err(Error::argument("too few arguments").into());
    }
    Ok(())
}

fn grow<A: PackArgs>(args: &mut A, out: &mut Vec<u8>, n: usize, fill: u8) -> Result<(), A::Error> {
    match out.len().checked_add(n).filter(|&len| len <= MAX_LEN) {
        Some(len) => {
            args.reserve(out, n)?;
            out.resize(len, fill);
            Ok(())
        }
        None => Err(Error::new(ErrorKind::NoMemory, "failed to allocate memory").into()),
    }
}

/// Most bytes that a number takes, one of any length apart.
const NUMBER: usize = 8;

fn pack_item<A: PackArgs>(item: &Item, args: &mut A, out: &mut Vec<u8>) -> Result<(), A::Error> {
    let times = |args: &A| match item.count {
        Count::Default => 1,
        Count::Times(n) => n,
        Count::Star => args.remaining(),
    };
    match item.letter {
        _ if item.size > 0 => {
            for _ in 0..times(args) {
                need(args)?;
                args.reserve(out, NUMBER)?;
                let word = low_word(&args.int()?);
                if item.big_endian {
                    out.extend_from_slice(&word.to_be_bytes()[8 - item.size..]);
                } else {
                    out.extend_from_slice(&word.to_le_bytes()[..item.size]);
                }
            }
        }
        b'a' | b'A' | b'Z' | b'b' | b'B' | b'h' | b'H' => {
            need(args)?;
            let s = args.bytes(true)?;
            pack_string(item, &s, args, out)?;
        }
        b'e' | b'E' | b'f' | b'F' | b'd' | b'D' | b'g' | b'G' => {
            let single = matches!(item.letter, b'e' | b'f' | b'F' | b'g');
            for _ in 0..times(args) {
                need(args)?;
                args.reserve(out, NUMBER)?;
                let f = args.float()?;
                match (single, item.big_endian) {
                    (true, true) => out.extend_from_slice(&(f as f32).to_be_bytes()),
                    (true, false) => out.extend_from_slice(&(f as f32).to_le_bytes()),
                    (false, true) => out.extend_from_slice(&f.to_be_bytes()),
                    (false, false) => out.extend_from_slice(&f.to_le_bytes()),
                }
            }
        }
        b'U' => {
            for _ in 0..times(args) {
                need(args)?;
                args.reserve(out, NUMBER)?;
                let code = args.int()?.to_i64().and_then(|n| u32::try_from(n).ok());
                match code {
                    Some(code @ 0..=0x7fff_ffff) => codec::push_utf8(code, out),
                    _ => return Err(Error::range("pack(U): value out of range").into()),
                }
            }
        }
        b'w' => {
            for _ in 0..times(args) {
                need(args)?;
                let n = args.int()?;
                // Seven bits a byte, and the digits apart before.
                args.reserve(out, usize::try_from(n.bit_length() / 3).unwrap_or(usize::MAX).saturating_add(NUMBER))?;
                pack_ber(&n, out)?;
            }
        }
        b'm' | b'u' => {
            need(args)?;
            let s = args.bytes(false)?;
            let line = match item.count {
                Count::Times(0) if item.letter == b'm' => 0,
                Count::Times(n) if n > 2 => {
                    let n = if item.letter == b'u' { n.min(63) } else { n };
                    n / 3 * 3
                }
                _ => 45,
            };
            // Four bytes of three, and what a line needs, which may hold three.
            args.reserve(out, s.len().saturating_mul(2).saturating_add(NUMBER))?;
            if item.letter == b'm' {
                codec::base64(&s, line, out);
            } else {
                codec::uuencode(&s, line, out);
            }
        }
        b'M' => {
            need(args)?;
            let s = args.text()?;
            let line = match item.count {
                Count::Times(n) if n > 1 => n,
                _ => 72,
            };
            // Three bytes of one, and the ends of lines.
            args.reserve(out, s.len().saturating_mul(5).saturating_add(NUMBER))?;
            codec::quoted_printable(&s, line, out);
        }
        b'p' | b'P' => {
            let (times, least) = match (item.letter, item.count) {
                (b'P', Count::Times(n)) => (1, n),
                (b'P', Count::Default) => (1, 1),
                (b'P', Count::Star) => (1, 0),
                _ => (times(args), 0),
            };
            for _ in 0..times {
                need(args)?;
                args.reserve(out, NUMBER)?;
                let address = args.pointer(least)?;
                out.extend_from_slice(&address.to_le_bytes());
            }
        }
        // x, X and @: positions.
        letter => {
            let n = match item.count {
                Count::Default => 1,
                Count::Times(n) => n,
                Count::Star => 0,
            };
            let shrink = |out: &mut Vec<u8>, n: usize| match out.len().checked_sub(n) {
                Some(len) => {
                    out.truncate(len);
                    Ok(())
                }
                None => Err(Error::argument("X outside of string")),
            };
            match letter {
                b'x' => grow(args, out, n, 0)?,
                b'X' => shrink(out, n)?,
                _ if n >= out.len() => grow(args, out, n - out.len(), 0)?,
                _ => out.truncate(n),
            }
        }
    }
    Ok(())
}

/// The low 64 bits of the two's complement.
fn low_word(n: &Int) -> u64 {
    match n {
        Int::Small(n) => *n as u64,
        Int::Big(n) => {
            let low = n.magnitude().iter_u64_digits().next().unwrap_or(0);
            if n.is_negative() { low.wrapping_neg() } else { low }
        }
    }
}

fn pack_string<A: PackArgs>(item: &Item, s: &[u8], args: &mut A, out: &mut Vec<u8>) -> Result<(), A::Error> {
    args.reserve(out, s.len())?;
    let want = match item.count {
        Count::Default => 1,
        Count::Times(n) => n,
        Count::Star => s.len() + usize::from(item.letter == b'Z'),
    };
    match item.letter {
        b'a' | b'A' | b'Z' => {
            let n = want.min(s.len());
            out.extend_from_slice(&s[..n]);
            grow(args, out, want - n, if item.letter == b'A' { b' ' } else { 0 })
        }
        b'b' | b'B' => {
            for bits in s[..want.min(s.len())].chunks(8) {
                let byte = bits
                    .iter()
                    .enumerate()
                    .fold(0u8, |byte, (i, &b)| byte | (b & 1) << if item.letter == b'b' { i } else { 7 - i });
                out.push(byte);
            }
            grow(args, out, want.saturating_sub(s.len()).div_ceil(2), 0)
        }
        _ => {
            // What is no digit gives something too: the low bits, nine more for a letter.
            let nibble = |b: u8| (if b.is_ascii_alphabetic() { b.wrapping_add(9) } else { b }) & 15;
            for pair in s[..want.min(s.len())].chunks(2) {
                let (first, second) = (nibble(pair[0]), pair.get(1).map_or(0, |&b| nibble(b)));
                let byte = if item.letter == b'h' { second << 4 | first } else { first << 4 | second };
                out.push(byte);
            }
            grow(args, out, want.div_ceil(2).saturating_sub(s.len().div_ceil(2)), 0)
        }
    }
}

/// BER-compressed: seven bits a byte, the high bit on all but the last.
fn pack_ber(n: &Int, out: &mut Vec<u8>) -> Result<(), Error> {
    if n.is_negative() {
        return Err(Error::argument("can't compress negative numbers"));
    }
    let mut digits = match n {
        Int::Small(n) => BigInt::from(*n).magnitude().to_radix_le(128),
        Int::Big(n) => n.magnitude().to_radix_le(128),
    };
    for d in digits.iter_mut().skip(1) {
        *d |= 0x80;
    }
    out.extend(digits.iter().rev());
    Ok(())
}

/// Rounds a float to what `pack("f")` keeps, for callers that need the same (`to_f32` and back).
pub fn single_precision(f: f64) -> f64 {
    f.to_f32().map_or(f, f64::from)
}
