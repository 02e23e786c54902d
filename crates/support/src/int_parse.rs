//! Text to Integer: `String#to_i(base)`, `Kernel#Integer`, integer literals.

use num_bigint::{BigInt, Sign};

use crate::error::{Error, Result};
use crate::float_fmt::is_space;
use crate::inspect::inspect_for_message;
use crate::int::Int;
use crate::long;

#[cfg(test)]
mod tests;

/// What a text says.
pub enum Read {
    /// This number.
    Number(Int),
    /// The number of these digits, which no machine word holds.
    Digits {
        /// Below zero.
        negative: bool,
        /// Nothing but digits of the radix.
        digits: Vec<u8>,
        /// From 2 to 36.
        radix: u32,
    },
}

impl Read {
    /// The number, however long that takes.
    #[must_use]
    pub fn number(self) -> Int {
        match self {
            Read::Number(n) => n,
            Read::Digits { negative, digits, radix } => {
                let Ok(size) = long::of_text(&digits, radix, &mut long::AtOnce);
                let sign = if negative { Sign::Minus } else { Sign::Plus };
                Int::from_big(BigInt::from_biguint(sign, size))
            }
        }
    }
}

/// How far a scan got.
struct Scan {
    value: Read,
    /// Bytes used; 0 if there was no number.
    len: usize,
}

/// `String#to_i(base)`: the longest integer at the start, 0 if there is none.
/// `base` is 0 (by prefix) or 2 to 36.
pub fn parse_int_prefix(s: &[u8], base: i64) -> Result<Int> {
    read_int_prefix(s, base).map(Read::number)
}

/// The same, where the number may be long.
pub fn read_int_prefix(s: &[u8], base: i64) -> Result<Read> {
    if base < 0 || base == 1 || base > 36 {
        return Err(Error::argument(format!("invalid radix {base}")));
    }
    Ok(scan(s, base as u32).value)
}

/// `Kernel#Integer(string, base)`; `base` 0 (the default there) goes by prefix, a negative one
/// is a default that a prefix overrides.
pub fn parse_int_strict(s: &[u8], base: i64) -> Result<Int> {
    read_int_strict(s, base).map(Read::number)
}

/// The same, where the number may be long.
pub fn read_int_strict(s: &[u8], base: i64) -> Result<Read> {
    read_int_opt(s, base)?.ok_or_else(|| {
        let mut message = b"invalid value for Integer(): ".to_vec();
        message.extend_from_slice(&inspect_for_message(s));
        Error::argument(message)
    })
}

/// [`parse_int_strict`] with `None` for text that is no integer (`exception: false`).
pub fn parse_int_opt(s: &[u8], base: i64) -> Result<Option<Int>> {
    Ok(read_int_opt(s, base)?.map(Read::number))
}

/// The same, where the number may be long.
pub fn read_int_opt(s: &[u8], base: i64) -> Result<Option<Read>> {
    // -1 says what 0 says: a prefix decides.
    let base = if base == -1 { 0 } else { base };
    let magnitude = base.unsigned_abs();
    if magnitude == 1 || magnitude > 36 {
        return Err(Error::argument(format!("invalid radix {magnitude}")));
    }
    // Both signs read the same: a prefix is only allowed where it agrees with the base, except
    // that a negative base lets any prefix win.
    let found = if base < 0 && has_prefix(s) { scan(s, 0) } else { scan(s, magnitude as u32) };
    if found.len == 0 || s[found.len..].iter().any(|&b| !is_space(b)) {
        return Ok(None);
    }
    Ok(Some(found.value))
}

/// Whether the number starts with a base prefix such as `0x` or `0`.
fn has_prefix(s: &[u8]) -> bool {
    let start = s.iter().take_while(|&&b| is_space(b)).count();
    let sign = usize::from(matches!(s.get(start), Some(b'+' | b'-')));
    s.get(start + sign) == Some(&b'0')
        && s.get(start + sign + 1).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

fn scan(s: &[u8], base: u32) -> Scan {
    let mut pos = s.iter().take_while(|&&b| is_space(b)).count();
    let mut negative = false;
    if let Some(&sign @ (b'+' | b'-')) = s.get(pos) {
        negative = sign == b'-';
        pos += 1;
    }
    let mut base = base;
    let mut leading_zero = false;
    if s.get(pos) == Some(&b'0') {
        let by_prefix = match s.get(pos + 1) {
            Some(b'x' | b'X') => 16,
            Some(b'b' | b'B') => 2,
            Some(b'o' | b'O') => 8,
            Some(b'd' | b'D') => 10,
            _ => 0,
        };
        if by_prefix != 0 && (base == 0 || base == by_prefix) {
            let first = s.get(pos + 2).and_then(|&b| (b as char).to_digit(by_prefix));
            if first.is_some() {
                base = by_prefix;
                pos += 2;
            } else {
                // "0x" alone: only the zero counts, and strict parsing sees the rest.
                return Scan { value: Read::Number(Int::Small(0)), len: pos + 1 };
            }
        } else if base == 0 {
            base = 8;
            leading_zero = true;
        }
    }
    if base == 0 {
        base = 10;
    }
    let start = pos;
    let mut digits = Vec::new();
    let mut small: Option<u64> = Some(0);
    while let Some(&b) = s.get(pos) {
        if let Some(d) = (b as char).to_digit(base) {
            small = small.and_then(|n| n.checked_mul(u64::from(base))).and_then(|n| n.checked_add(u64::from(d)));
            digits.push(b);
        } else if !(b == b'_' && pos > start && s.get(pos + 1).is_some_and(|&n| (n as char).is_digit(base))) {
            break;
        }
        pos += 1;
    }
    if pos == start {
        return Scan { value: Read::Number(Int::Small(0)), len: if leading_zero { pos } else { 0 } };
    }
    let value = match small {
        Some(n) if negative => Read::Number(Int::from_big(-BigInt::from(n))),
        Some(n) => Read::Number(Int::from(n)),
        None => Read::Digits { negative, digits, radix: base },
    };
    Scan { value, len: pos }
}

/// The digits of an integer literal in the given base, underscores allowed.
pub fn parse_digits(s: &[u8], base: u32) -> Option<Int> {
    let found = scan(s, base);
    (found.len == s.len() && found.len > 0).then(|| found.value.number())
}
