//! `Array#pack` and `String#unpack`: the template language.

mod codec;
pub mod packer;
pub mod unpacker;

pub use packer::{PackArgs, pack};
pub use unpacker::{Unpacked, Unpacker};

use crate::error::{Error, Result};

#[cfg(test)]
mod tests;

/// A directive's count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// None given.
    Default,
    /// A number.
    Times(usize),
    /// `*`
    Star,
}

/// One directive of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The directive's letter.
    pub letter: u8,
    /// The count.
    pub count: Count,
    /// `>` given, or a directive that is big-endian by itself.
    pub big_endian: bool,
    /// For integer directives: bytes an element takes; 0 for others.
    pub size: usize,
    /// For integer directives: whether `unpack` gives negative numbers.
    pub signed: bool,
}

/// Parses a template. `verb` is `pack` or `unpack`, for the message about unknown directives.
pub fn parse_template(t: &[u8], verb: &str) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut pos = 0;
    while let Some(&letter) = t.get(pos) {
        pos += 1;
        if letter.is_ascii_whitespace() || letter == 0x0b {
            continue;
        }
        if letter == b'#' {
            pos = memchr::memchr(b'\n', &t[pos..]).map_or(t.len(), |n| pos + n + 1);
            continue;
        }
        let (mut native, mut little, mut big) = (false, false, false);
        while let Some(&m @ (b'_' | b'!' | b'<' | b'>')) = t.get(pos) {
            let allowed = "sSiIlLqQjJ";
            if !allowed.as_bytes().contains(&letter) {
                return Err(Error::argument(format!("'{}' allowed only after types {allowed}", m as char)));
            }
            match m {
                b'<' => little = true,
                b'>' => big = true,
                _ => native = true,
            }
            if little && big {
                return Err(Error::range("Can't use both '<' and '>'"));
            }
            pos += 1;
        }
        let count = match t.get(pos) {
            Some(b'*') => {
                pos += 1;
                Count::Star
            }
            Some(b'0'..=b'9') => {
                let mut n: usize = 0;
                while let Some(&d @ b'0'..=b'9') = t.get(pos) {
                    n = n
                        .checked_mul(10)
                        .and_then(|n| n.checked_add(usize::from(d - b'0')))
                        .filter(|&n| n <= i64::MAX as usize)
                        .ok_or_else(|| Error::range("pack length too big"))?;
                    pos += 1;
                }
                Count::Times(n)
            }
            _ => Count::Default,
        };
        let (size, signed, natural_big) = match letter {
            b'c' => (1, true, false),
            b'C' => (1, false, false),
            b's' => (2, true, false),
            b'S' | b'v' => (2, false, false),
            b'n' => (2, false, true),
            b'i' => (4, true, false),
            b'I' | b'V' => (4, false, false),
            b'N' => (4, false, true),
            b'l' => (if native { 8 } else { 4 }, true, false),
            b'L' => (if native { 8 } else { 4 }, false, false),
            b'q' | b'j' => (8, true, false),
            b'Q' | b'J' => (8, false, false),
            b'a' | b'A' | b'Z' | b'b' | b'B' | b'h' | b'H' | b'U' | b'w' | b'm' | b'M' | b'u' | b'x' | b'X' | b'@'
            | b'p' | b'P' | b'e' | b'E' | b'f' | b'F' | b'd' | b'D' => (0, false, false),
            b'g' | b'G' => (0, false, true),
            b'%' => return Err(Error::argument("% is not supported")),
            _ => {
                let mut message = format!("unknown {verb} directive '").into_bytes();
                message.push(letter);
                message.extend_from_slice(b"' in '");
                message.extend_from_slice(t);
                message.push(b'\'');
                return Err(Error::argument(message));
            }
        };
        items.push(Item { letter, count, big_endian: big || natural_big, size, signed });
    }
    Ok(items)
}
