//! `String#unpack`.

use num_bigint::BigUint;

use super::{Count, Item, codec, parse_template};
use crate::encoding::Encoding;
use crate::error::{Error, Result};
use crate::int::Int;

/// An unpacked element.
#[derive(Clone, Debug, PartialEq)]
pub enum Unpacked {
    /// nil: the string was too short for a fixed count.
    Nil,
    /// An Integer.
    Int(Int),
    /// A Float.
    Float(f64),
    /// An address: of a String's bytes, or with a length of so many bytes at most.
    Pointer(u64, Option<usize>),
    /// A String.
    Bytes(Vec<u8>, Encoding),
}

/// So many elements come at a time where a directive gives many.
const STEP: usize = 1024;

/// `String#unpack`, a step at a time: neither time nor memory of a step grows with a count.
pub struct Unpacker<'s> {
    data: &'s [u8],
    pos: usize,
    items: std::vec::IntoIter<Item>,
    /// What is left of the directive under way.
    rest: Option<Item>,
}

impl<'s> Unpacker<'s> {
    /// Begins at the offset, which must have been made non-negative.
    ///
    /// # Errors
    /// ArgumentError for an offset outside of the string and for unknown directives.
    pub fn new(template: &[u8], s: &'s [u8], offset: usize) -> Result<Unpacker<'s>> {
        let data = s.get(offset..).ok_or_else(|| Error::argument("offset outside of string"))?;
        let items = parse_template(template, "unpack")?.into_iter();
        Ok(Unpacker { data, pos: 0, items, rest: None })
    }

    /// Most bytes that the next step takes; 0 at the end.
    pub fn room(&mut self) -> usize {
        let Some(item) = self.current() else { return 0 };
        let rest = self.data.len() - self.pos;
        match item.letter {
            b'b' | b'B' => rest.saturating_mul(8),
            b'h' | b'H' => rest.saturating_mul(2),
            b'a' | b'A' | b'Z' | b'm' | b'M' | b'u' | b'w' => rest,
            _ => 0,
        }
    }

    fn current(&mut self) -> Option<Item> {
        if self.rest.is_none() {
            self.rest = self.items.next();
        }
        self.rest
    }

    /// Appends the next elements, perhaps none; `false` at the end.
    ///
    /// # Errors
    /// ArgumentError for what the string does not hold.
    pub fn step(&mut self, out: &mut Vec<Unpacked>) -> Result<bool> {
        let Some(mut item) = self.current() else { return Ok(false) };
        let rest = self.data.len() - self.pos;
        let size = item.size.max(float_size(item.letter));
        let many = size > 0 || matches!(item.letter, b'U' | b'w');
        self.rest = match item.count {
            Count::Times(n) if many && n > STEP => {
                if size > 0 && n.saturating_sub(rest / size) > MAX_NILS {
                    return Err(Error::argument("too big count for unpack"));
                }
                item.count = Count::Times(STEP);
                // Nothing but numbers is left out at the end.
                let over = size == 0 && rest == 0;
                (!over).then_some(Item { count: Count::Times(n - STEP), ..item })
            }
            // An element takes `size` bytes, of the others at least one.
            Count::Star if many && rest / size.max(1) > STEP => {
                item.count = Count::Times(STEP);
                Some(Item { count: Count::Star, ..item })
            }
            _ => None,
        };
        unpack_item(&item, self.data, &mut self.pos, out)?;
        Ok(true)
    }
}

/// Bytes of a Float by its directive; 0 for other directives.
fn float_size(letter: u8) -> usize {
    match letter {
        b'e' | b'f' | b'F' | b'g' => 4,
        b'E' | b'd' | b'D' | b'G' => 8,
        _ => 0,
    }
}

/// Bytes of an address.
const POINTER: usize = 8;

/// Longest run of nils given for a count beyond the string's end.
const MAX_NILS: usize = 1 << 24;

/// Numbers of `size` bytes each, of which `rest` has `have`.
fn unpack_numbers(
    item: &Item,
    (size, have): (usize, usize),
    rest: &[u8],
    pos: &mut usize,
    out: &mut Vec<Unpacked>,
) -> Result<()> {
    let float_size = float_size(item.letter);
    let (take, nils) = match item.count {
        Count::Default => (have.min(1), 1 - have.min(1)),
        Count::Times(n) => (have.min(n), n - have.min(n)),
        Count::Star => (have, 0),
    };
    let words = &rest[..take * size];
    if size == 1 {
        let int = |b: u8| if item.signed { i64::from(b.cast_signed()) } else { i64::from(b) };
        out.extend(words.iter().map(|&b| Unpacked::Int(Int::Small(int(b)))));
    } else if float_size > 0 {
        out.extend(words.chunks_exact(size).map(|word| take_float(item, word)));
    } else {
        out.extend(words.chunks_exact(size).map(|word| take_int(item, word)));
    }
    *pos += take * size;
    if nils > MAX_NILS {
        return Err(Error::argument("too big count for unpack"));
    }
    out.extend(std::iter::repeat_n(Unpacked::Nil, nils));
    Ok(())
}

fn unpack_item(item: &Item, s: &[u8], pos: &mut usize, out: &mut Vec<Unpacked>) -> Result<()> {
    let rest = &s[*pos..];
    let float_size = float_size(item.letter);
    let size = item.size.max(float_size);
    if let Some(have) = rest.len().checked_div(size) {
        return unpack_numbers(item, (size, have), rest, pos, out);
    }
    let binary = |b: Vec<u8>| Unpacked::Bytes(b, Encoding::BINARY);
    match item.letter {
        b'a' | b'A' | b'Z' => {
            let want = match item.count {
                Count::Default => 1,
                Count::Times(n) => n,
                Count::Star => rest.len(),
            };
            let field = &rest[..want.min(rest.len())];
            let (text, used) = match item.letter {
                b'a' => (field, field.len()),
                b'A' => {
                    let end = field.iter().rposition(|b| !matches!(b, b' ' | 0)).map_or(0, |i| i + 1);
                    (&field[..end], field.len())
                }
                _ => match memchr::memchr(0, field) {
                    Some(end) if item.count == Count::Star => (&field[..end], end + 1),
                    Some(end) => (&field[..end], field.len()),
                    None => (field, field.len()),
                },
            };
            *pos += used;
            out.push(binary(text.to_vec()));
        }
        b'b' | b'B' | b'h' | b'H' => {
            let per_byte = if matches!(item.letter, b'b' | b'B') { 8 } else { 2 };
            let all = rest.len().saturating_mul(per_byte);
            let want = match item.count {
                Count::Default => all.min(1),
                Count::Times(n) => all.min(n),
                Count::Star => all,
            };
            let text = (0..want)
                .map(|i| {
                    let (byte, k) = (rest[i / per_byte], i % per_byte);
                    match item.letter {
                        b'b' => b'0' + (byte >> k & 1),
                        b'B' => b'0' + (byte >> (7 - k) & 1),
                        b'h' => b"0123456789abcdef"[usize::from(byte >> (4 * k) & 15)],
                        _ => b"0123456789abcdef"[usize::from(byte >> (4 * (1 - k)) & 15)],
                    }
                })
                .collect();
            *pos += want.div_ceil(per_byte);
            out.push(Unpacked::Bytes(text, Encoding::US_ASCII));
        }
        b'p' | b'P' => {
            let (times, most) = match (item.letter, item.count) {
                (b'P', Count::Times(n)) => (1, Some(n)),
                (b'P', Count::Default) => (1, Some(1)),
                (b'P', Count::Star) => (1, Some(usize::MAX)),
                (_, Count::Default) => (1, None),
                (_, Count::Times(n)) => (n, None),
                (_, Count::Star) => (usize::MAX, None),
            };
            for word in rest.chunks_exact(POINTER).take(times) {
                let address = word.iter().rev().fold(0, |address, b| address << 8 | u64::from(*b));
                out.push(if address == 0 { Unpacked::Nil } else { Unpacked::Pointer(address, most) });
                *pos += POINTER;
            }
        }
        b'U' => {
            let mut left = match item.count {
                Count::Default => 1,
                Count::Times(n) => n,
                Count::Star => usize::MAX,
            };
            while left > 0 && *pos < s.len() {
                let (code, n) = codec::take_utf8(&s[*pos..])?;
                out.push(Unpacked::Int(Int::Small(i64::from(code))));
                *pos += n;
                left -= 1;
            }
        }
        b'w' => {
            let mut left = match item.count {
                Count::Default => 1,
                Count::Times(n) => n,
                Count::Star => usize::MAX,
            };
            while left > 0 && *pos < s.len() {
                let Some(end) = s[*pos..].iter().position(|b| b & 0x80 == 0) else {
                    *pos = s.len();
                    break;
                };
                let digits: Vec<u8> = s[*pos..=*pos + end].iter().map(|b| b & 0x7f).collect();
                let n = BigUint::from_radix_be(&digits, 128).unwrap_or_default();
                out.push(Unpacked::Int(Int::from_big(n.into())));
                *pos += end + 1;
                left -= 1;
            }
        }
        b'm' => {
            let bytes = match item.count {
                Count::Times(0) => codec::unbase64_strict(rest)?,
                _ => codec::unbase64(rest),
            };
            *pos = s.len();
            out.push(binary(bytes));
        }
        b'M' => {
            *pos = s.len();
            out.push(binary(codec::unquote_printable(rest)));
        }
        b'u' => {
            let (bytes, used) = codec::uudecode(rest);
            *pos += used;
            out.push(binary(bytes));
        }
        // x, X and @: positions.
        letter => {
            let n = match item.count {
                Count::Default => usize::from(letter != b'@'),
                Count::Times(n) => n,
                Count::Star => rest.len(),
            };
            let target = match letter {
                b'x' => pos.checked_add(n),
                b'X' => pos.checked_sub(n),
                _ => Some(n),
            };
            *pos = target
                .filter(|&p| p <= s.len())
                .ok_or_else(|| Error::argument(format!("{} outside of string", letter as char)))?;
        }
    }
    Ok(())
}

fn take_int(item: &Item, word: &[u8]) -> Unpacked {
    let mut bytes = [0u8; 8];
    bytes[..word.len()].copy_from_slice(word);
    if item.big_endian {
        bytes[..word.len()].reverse();
    }
    let value = u64::from_le_bytes(bytes);
    if item.signed {
        let shift = 64 - 8 * word.len() as u32;
        return Unpacked::Int(Int::Small((value << shift) as i64 >> shift));
    }
    Unpacked::Int(Int::from(value))
}

fn take_float(item: &Item, word: &[u8]) -> Unpacked {
    let mut bytes = [0u8; 8];
    bytes[..word.len()].copy_from_slice(word);
    if item.big_endian {
        bytes[..word.len()].reverse();
    }
    Unpacked::Float(match word.len() {
        4 => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        _ => f64::from_le_bytes(bytes),
    })
}
