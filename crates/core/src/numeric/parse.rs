//! Text to Rational and Complex: the grammars of `String#to_r`, `#to_c` and of `Kernel#Rational`, `#Complex`.

use asterism_support::float_fmt::parse_float_prefix;
use asterism_support::int::Int;
use asterism_support::int_parse::Read;
use asterism_vm::{Ec, Raised};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::long;

/// A number as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// Digits only.
    Int(BigInt),
    /// With a point or an exponent.
    Float(f64),
    /// With a slash.
    Ratio(BigInt, BigInt),
}

/// What a Complex was written as.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pair {
    /// Real and imaginary part.
    Rect(Part, Part),
    /// Magnitude and angle.
    Polar(Part, Part),
}

/// Powers of ten beyond this are not worked out.
const MAX_EXPONENT: i64 = 1 << 24;

/// Why there is no number.
pub(super) enum Fail {
    /// There is none at the place.
    NoNumber,
    /// Its exponent is beyond reason.
    Exponent,
    /// The calculation was ended.
    Raised(Raised),
}

impl From<Raised> for Fail {
    fn from(raised: Raised) -> Fail {
        Fail::Raised(raised)
    }
}

struct Scanner<'a> {
    ec: &'a mut Ec,
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn new(ec: &'a mut Ec, text: &'a [u8]) -> Scanner<'a> {
        let mut scanner = Scanner { ec, text, at: 0 };
        scanner.skip_space();
        scanner
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t'..=b'\r') {
            self.at += 1;
        }
    }

    fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    fn sign(&mut self) -> Option<bool> {
        let negative = match self.peek(0) {
            b'-' => true,
            b'+' => false,
            _ => return None,
        };
        self.at += 1;
        Some(negative)
    }

    /// Digits with single underscores between them.
    fn digits(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        loop {
            match self.peek(0) {
                d @ b'0'..=b'9' => out.push(d),
                b'_' if !out.is_empty() && self.peek(1).is_ascii_digit() => {}
                _ => return out,
            }
            self.at += 1;
        }
    }

    /// The number that digits stand for.
    fn number(&mut self, digits: Vec<u8>) -> Result<BigInt, Fail> {
        if digits.is_empty() {
            return Ok(BigInt::zero());
        }
        let read = Read::Digits { negative: false, digits, radix: 10 };
        Ok(long::of_text(self.ec, read)?.to_big())
    }

    /// `12.5e3` as an exact fraction; also whether it had a point or an exponent.
    fn decimal(&mut self) -> Result<(BigInt, BigInt, bool), Fail> {
        let mut digits = self.digits();
        let mut scale: i64 = 0;
        let mut fractional = false;
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            let places = self.digits();
            scale = -(places.len() as i64);
            digits.extend_from_slice(&places);
            fractional = true;
        }
        if digits.is_empty() {
            return Err(Fail::NoNumber);
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1;
                let negative = self.sign() == Some(true);
                let exponent = self.digits();
                let exponent: i64 =
                    std::str::from_utf8(&exponent).ok().and_then(|t| t.parse().ok()).unwrap_or(i64::MAX / 2);
                scale = if negative { scale.saturating_sub(exponent) } else { scale.saturating_add(exponent) };
                fractional = true;
            }
        }
        let number = self.number(digits)?;
        if number.is_zero() {
            return Ok((number, BigInt::one(), fractional));
        }
        if scale < -MAX_EXPONENT {
            return Ok((BigInt::zero(), BigInt::one(), fractional));
        }
        if scale > MAX_EXPONENT {
            return Err(Fail::Exponent);
        }
        let power = long::power(self.ec, &Int::Small(10), &Int::from(scale.unsigned_abs()))?.to_big();
        if scale < 0 {
            return Ok((number, power, fractional));
        }
        Ok((long::product(self.ec, &number, &power)?, BigInt::one(), fractional))
    }

    /// A fraction without its sign. `decimal_below`: the part under the slash may have a point too.
    fn ratio(&mut self, decimal_below: bool) -> Result<(BigInt, BigInt, bool, bool), Fail> {
        let (mut num, mut den, fractional) = self.decimal()?;
        if self.peek(0) == b'/' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            let (below, below_den) = if decimal_below {
                let (n, d, _) = self.decimal()?;
                (n, d)
            } else {
                let digits = self.digits();
                (self.number(digits)?, BigInt::one())
            };
            num = long::product(self.ec, &num, &below_den)?;
            den = long::product(self.ec, &den, &below)?;
            return Ok((num, den, fractional, true));
        }
        Ok((num, den, fractional, false))
    }

    /// A part of a Complex, without its sign.
    fn part(&mut self) -> Result<Part, Fail> {
        let start = self.at;
        let (num, den, fractional, slash) = self.ratio(false)?;
        Ok(if slash {
            Part::Ratio(num, den)
        } else if fractional {
            let text: Vec<u8> = self.text[start..self.at].iter().copied().filter(|b| *b != b'_').collect();
            Part::Float(parse_float_prefix(&text))
        } else {
            Part::Int(num)
        })
    }

    fn imaginary_unit(&mut self) -> bool {
        let found = matches!(self.peek(0), b'i' | b'I' | b'j' | b'J');
        self.at += usize::from(found);
        found
    }
}

fn signed(part: Part, negative: bool) -> Part {
    match part {
        _ if !negative => part,
        Part::Int(n) => Part::Int(-n),
        Part::Float(f) => Part::Float(-f),
        Part::Ratio(n, d) => Part::Ratio(-n, d),
    }
}

/// A Rational at the start of the text: numerator and denominator (which may be 0), and whether nothing follows.
pub(super) fn rational(ec: &mut Ec, text: &[u8]) -> Result<(BigInt, BigInt, bool), Fail> {
    let mut scanner = Scanner::new(ec, text);
    let negative = scanner.sign() == Some(true);
    let (num, den, _, _) = scanner.ratio(true)?;
    let complete = scanner.at_end();
    Ok((if negative { -num } else { num }, den, complete))
}

/// A Complex at the start of the text, and whether nothing follows.
pub(super) fn complex(ec: &mut Ec, text: &[u8]) -> Result<(Pair, bool), Fail> {
    let mut scanner = Scanner::new(ec, text);
    let zero = Part::Int(BigInt::zero());
    let sign = scanner.sign();
    let negative = sign == Some(true);
    if scanner.imaginary_unit() {
        let unit = signed(Part::Int(BigInt::one()), negative);
        let complete = scanner.at_end();
        return Ok((Pair::Rect(zero, unit), complete));
    }
    let first = signed(scanner.part()?, negative);
    if scanner.imaginary_unit() {
        let complete = scanner.at_end();
        return Ok((Pair::Rect(zero, first), complete));
    }
    let back = scanner.at;
    if scanner.peek(0) == b'@' {
        scanner.at += 1;
        let negative = scanner.sign() == Some(true);
        match scanner.part() {
            Ok(angle) => {
                let complete = scanner.at_end();
                return Ok((Pair::Polar(first, signed(angle, negative)), complete));
            }
            Err(Fail::NoNumber) => scanner.at = back,
            Err(fail) => return Err(fail),
        }
    } else if let Some(negative) = scanner.sign() {
        let second = if matches!(scanner.peek(0), b'i' | b'I' | b'j' | b'J') {
            Ok(Part::Int(BigInt::one()))
        } else {
            scanner.part()
        };
        match second {
            Ok(second) if scanner.imaginary_unit() => {
                let complete = scanner.at_end();
                return Ok((Pair::Rect(first, signed(second, negative)), complete));
            }
            Ok(_) | Err(Fail::NoNumber) => scanner.at = back,
            Err(fail) => return Err(fail),
        }
    }
    let complete = scanner.at_end();
    Ok((Pair::Rect(first, zero), complete))
}
