//! Integers of any size: the [`Int`] value and the arithmetic the VM's slow paths need.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use crate::error::{Error, ErrorKind, Result};
use crate::float_round::RoundHalf;
use crate::gcd::{self, gcd_u64};
use crate::long;

#[cfg(test)]
mod tests;

/// An Integer: small if it fits an `i64`, big otherwise ([`Int::from_big`] keeps that true).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// Fits an `i64`.
    Small(i64),
    /// Does not fit an `i64`.
    Big(BigInt),
}

/// How a division or `Integer#round/floor/ceil/truncate` rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Ties away from zero.
    HalfUp,
    /// Ties to even.
    HalfEven,
    /// Ties toward zero.
    HalfDown,
    /// Toward minus infinity.
    Floor,
    /// Toward plus infinity.
    Ceil,
    /// Toward zero.
    Truncate,
}

impl From<RoundHalf> for Rounding {
    fn from(half: RoundHalf) -> Rounding {
        match half {
            RoundHalf::Up => Rounding::HalfUp,
            RoundHalf::Even => Rounding::HalfEven,
            RoundHalf::Down => Rounding::HalfDown,
        }
    }
}

/// Results of `**` and `<<` above this many bits are refused rather than attempted.
pub const MAX_BITS: u64 = 1 << 31;

impl From<i64> for Int {
    fn from(n: i64) -> Int {
        Int::Small(n)
    }
}

impl From<u64> for Int {
    fn from(n: u64) -> Int {
        i64::try_from(n).map_or_else(|_| Int::Big(BigInt::from(n)), Int::Small)
    }
}

impl From<BigInt> for Int {
    fn from(n: BigInt) -> Int {
        Int::from_big(n)
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (Int::Small(_), Int::Big(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Int::Big(a), Int::Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Int::Big(a), Int::Big(b)) => a.cmp(b),
        }
    }
}

impl Int {
    /// Normalises: small if it fits.
    pub fn from_big(n: BigInt) -> Int {
        match n.to_i64() {
            Some(small) => Int::Small(small),
            None => Int::Big(n),
        }
    }

    /// The value as a `BigInt`.
    pub fn to_big(&self) -> BigInt {
        match self {
            Int::Small(n) => BigInt::from(*n),
            Int::Big(n) => n.clone(),
        }
    }

    /// The value as a `BigInt`, without a copy when it is one.
    pub fn into_big(self) -> BigInt {
        match self {
            Int::Small(n) => BigInt::from(n),
            Int::Big(n) => n,
        }
    }

    /// The value if it fits an `i64`.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Int::Small(n) => Some(*n),
            Int::Big(_) => None,
        }
    }

    /// The integer part of a finite float, `None` for NaN and infinities.
    pub fn from_f64(f: f64) -> Option<Int> {
        if !f.is_finite() {
            return None;
        }
        if f.abs() < 9.0e18 {
            return Some(Int::Small(f as i64));
        }
        BigInt::from_f64(f).map(Int::from_big)
    }

    /// `Integer#to_f`, rounded to nearest, infinite if too large.
    pub fn to_f64(&self) -> f64 {
        match self {
            Int::Small(n) => *n as f64,
            Int::Big(n) => big_to_f64(n),
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Int::Small(n) => *n < 0,
            Int::Big(n) => n.is_negative(),
        }
    }

    /// The same as a big number, copied only if it is small.
    fn big(&self) -> Cow<'_, BigInt> {
        match self {
            Int::Small(n) => Cow::Owned(BigInt::from(*n)),
            Int::Big(n) => Cow::Borrowed(n),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }

    /// `Integer#to_s(base)`, lower case; `invalid radix` unless 2 to 36.
    pub fn to_s(&self, base: i64) -> Result<String> {
        let radix = check_radix(base)?;
        Ok(match self {
            Int::Small(n) => small_to_s(*n, radix),
            Int::Big(n) => {
                let Ok(text) = long::to_text(n.magnitude(), radix, &mut long::AtOnce);
                if self.is_negative() { format!("-{text}") } else { text }
            }
        })
    }

    /// `Integer#bit_length`.
    pub fn bit_length(&self) -> u64 {
        match self {
            Int::Small(n) => u64::from(64 - (if *n < 0 { !*n } else { *n }).leading_zeros()),
            Int::Big(n) if n.is_negative() => (!n).bits(),
            Int::Big(n) => n.bits(),
        }
    }

    /// `self + other`.
    pub fn add(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(n) = a.checked_add(*b)
        {
            return Int::Small(n);
        }
        Int::from_big(match (self, other) {
            (Int::Big(a), Int::Big(b)) => a + b,
            (Int::Big(a), Int::Small(b)) | (Int::Small(b), Int::Big(a)) => a + *b,
            (Int::Small(a), Int::Small(b)) => BigInt::from(i128::from(*a) + i128::from(*b)),
        })
    }

    /// `self - other`.
    pub fn sub(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(n) = a.checked_sub(*b)
        {
            return Int::Small(n);
        }
        Int::from_big(match (self, other) {
            (Int::Big(a), Int::Big(b)) => a - b,
            (Int::Big(a), Int::Small(b)) => a - *b,
            (Int::Small(a), Int::Big(b)) => *a - b,
            (Int::Small(a), Int::Small(b)) => BigInt::from(i128::from(*a) - i128::from(*b)),
        })
    }

    /// `self * other`.
    pub fn mul(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(n) = a.checked_mul(*b)
        {
            return Int::Small(n);
        }
        Int::from_big(match (self, other) {
            (Int::Big(a), Int::Big(b)) => a * b,
            (Int::Big(a), Int::Small(b)) | (Int::Small(b), Int::Big(a)) => a * *b,
            (Int::Small(a), Int::Small(b)) => BigInt::from(i128::from(*a) * i128::from(*b)),
        })
    }

    /// `-self`.
    pub fn neg(&self) -> Int {
        match self {
            Int::Small(n) => n.checked_neg().map_or_else(|| Int::Big(-BigInt::from(*n)), Int::Small),
            Int::Big(n) => Int::from_big(-n),
        }
    }

    /// `self.abs`.
    pub fn abs(&self) -> Int {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `Integer#divmod`: floored quotient, and a remainder with the divisor's sign.
    pub fn divmod(&self, other: &Int) -> Result<(Int, Int)> {
        if other.is_zero() {
            return Err(Error::zero_division());
        }
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && *b != -1
        {
            return Ok((Int::Small(a.div_floor(b)), Int::Small(a.mod_floor(b))));
        }
        let (q, m) = self.big().div_mod_floor(&other.big());
        Ok((Int::from_big(q), Int::from_big(m)))
    }

    /// `self / other` (floored).
    pub fn div(&self, other: &Int) -> Result<Int> {
        self.divmod(other).map(|(q, _)| q)
    }

    /// `self % other` (sign of the divisor).
    pub fn modulo(&self, other: &Int) -> Result<Int> {
        self.divmod(other).map(|(_, m)| m)
    }

    /// `Integer#remainder` (sign of the dividend).
    pub fn remainder(&self, other: &Int) -> Result<Int> {
        if other.is_zero() {
            return Err(Error::zero_division());
        }
        if let (Int::Small(a), Int::Small(b)) = (self, other) {
            return Ok(Int::Small(a.checked_rem(*b).unwrap_or(0)));
        }
        Ok(Int::from_big(self.big().as_ref() % other.big().as_ref()))
    }

    /// `Integer#gcd`.
    pub fn gcd(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other) {
            let divisor = gcd_u64(a.unsigned_abs(), b.unsigned_abs());
            return i64::try_from(divisor).map_or_else(|_| Int::from_big(BigInt::from(divisor)), Int::Small);
        }
        let (a, b) = (self.big(), other.big());
        Int::from_big(BigInt::from(gcd::gcd(a.magnitude(), b.magnitude())))
    }

    /// `self & other`, on two's complement.
    pub fn bit_and(&self, other: &Int) -> Int {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => Int::Small(a & b),
            _ => Int::from_big(self.big().as_ref() & other.big().as_ref()),
        }
    }

    /// `self | other`, on two's complement.
    pub fn bit_or(&self, other: &Int) -> Int {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => Int::Small(a | b),
            _ => Int::from_big(self.big().as_ref() | other.big().as_ref()),
        }
    }

    /// `self ^ other`, on two's complement.
    pub fn bit_xor(&self, other: &Int) -> Int {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => Int::Small(a ^ b),
            _ => Int::from_big(self.big().as_ref() ^ other.big().as_ref()),
        }
    }

    /// `~self`.
    pub fn bit_not(&self) -> Int {
        match self {
            Int::Small(n) => Int::Small(!n),
            Int::Big(n) => Int::from_big(!n),
        }
    }

    /// `self[index]`: one bit of the two's complement.
    pub fn bit(&self, index: &Int) -> bool {
        match (self, index) {
            (_, i) if i.is_negative() => false,
            (Int::Small(n), Int::Small(i)) => n >> (*i).min(63) & 1 == 1,
            (Int::Big(n), Int::Small(i)) => n.bit(*i as u64),
            (n, Int::Big(_)) => n.is_negative(),
        }
    }

    /// `self << count` (a right, arithmetic shift if negative).
    pub fn shl(&self, count: &Int) -> Result<Int> {
        if self.is_zero() {
            return Ok(Int::Small(0));
        }
        let Some(count) = count.to_i64() else {
            return if count.is_negative() { Ok(self.sign_fill()) } else { Err(Error::range("shift width too big")) };
        };
        if count < 0 {
            return Ok(self.shr_by(count.unsigned_abs()));
        }
        if let Int::Small(n) = self
            && count < 63
        {
            let shifted = n << count;
            if shifted >> count == *n {
                return Ok(Int::Small(shifted));
            }
        }
        if self.bit_length().saturating_add(count as u64) > MAX_BITS {
            return Err(Error::range("shift width too big"));
        }
        Ok(Int::from_big(self.to_big() << (count as u64)))
    }

    /// `self >> count` (a left shift if negative).
    pub fn shr(&self, count: &Int) -> Result<Int> {
        match count {
            Int::Small(n) if *n >= 0 => Ok(self.shr_by(*n as u64)),
            _ => self.shl(&count.neg()),
        }
    }

    fn shr_by(&self, count: u64) -> Int {
        match self {
            Int::Small(n) => Int::Small(n >> count.min(63)),
            Int::Big(n) if count >= n.bits() => self.sign_fill(),
            Int::Big(n) => Int::from_big(n >> count),
        }
    }

    fn sign_fill(&self) -> Int {
        Int::Small(if self.is_negative() { -1 } else { 0 })
    }

    /// `self ** exp` for a non-negative exponent. `ArgumentError` when the result would be
    /// beyond [`MAX_BITS`].
    pub fn pow(&self, exp: &Int) -> Result<Int> {
        match self {
            Int::Small(1) => return Ok(Int::Small(1)),
            Int::Small(0) => return Ok(Int::Small(i64::from(exp.is_zero()))),
            Int::Small(-1) => return Ok(Int::Small(if exp.bit(&Int::Small(0)) { -1 } else { 1 })),
            _ => {}
        }
        let too_large = || Error::argument("exponent is too large");
        let exp = exp.to_i64().and_then(|e| u32::try_from(e).ok()).ok_or_else(too_large)?;
        if let Int::Small(n) = self
            && let Some(result) = n.checked_pow(exp)
        {
            return Ok(Int::Small(result));
        }
        if self.bit_length().saturating_mul(u64::from(exp)) > MAX_BITS {
            return Err(too_large());
        }
        Ok(Int::from_big(self.to_big().pow(exp)))
    }

    /// `Integer#pow(exp, modulus)`.
    pub fn pow_mod(&self, exp: &Int, modulus: &Int) -> Result<Int> {
        if exp.is_negative() {
            return Err(Error::range("Integer#pow() 1st argument cannot be negative when 2nd argument specified"));
        }
        if modulus.is_zero() {
            return Err(Error::zero_division());
        }
        if let (Int::Small(base), Int::Small(exp), Int::Small(m)) = (self, exp, modulus) {
            return Ok(Int::Small(small_pow_mod(*base, *exp as u64, *m)));
        }
        Ok(Int::from_big(self.to_big().modpow(&exp.to_big(), &modulus.to_big())))
    }

    /// `Integer.sqrt`.
    pub fn isqrt(&self) -> Result<Int> {
        if self.is_negative() {
            return Err(Error::new(ErrorKind::MathDomain, "Numerical argument is out of domain - \"isqrt\""));
        }
        Ok(match self {
            Int::Small(n) => Int::Small((*n).isqrt()),
            Int::Big(n) => Int::from_big(n.sqrt()),
        })
    }

    /// `Integer#digits(base)`, least significant first.
    pub fn digits(&self, base: &Int) -> Result<Vec<Int>> {
        if base.is_negative() {
            return Err(Error::argument("negative radix"));
        }
        if *base < Int::Small(2) {
            return Err(Error::argument(format!("invalid radix {}", base.to_s(10)?)));
        }
        if self.is_negative() {
            return Err(Error::new(ErrorKind::MathDomain, "out of domain"));
        }
        if self.is_zero() {
            return Ok(vec![Int::Small(0)]);
        }
        if let (Int::Big(n), Int::Small(b @ 2..=256)) = (self, base) {
            let digits = n.magnitude().to_radix_le(*b as u32);
            return Ok(digits.into_iter().map(|d| Int::Small(i64::from(d))).collect());
        }
        let mut out = Vec::new();
        let mut rest = self.clone();
        while !rest.is_zero() {
            let (q, d) = rest.divmod(base)?;
            out.push(d);
            rest = q;
        }
        Ok(out)
    }

    /// `Integer#round/floor/ceil/truncate(ndigits)`; only negative `ndigits` change anything.
    pub fn round_digits(&self, ndigits: i64, mode: Rounding) -> Int {
        if ndigits >= 0 {
            return self.clone();
        }
        let places = ndigits.unsigned_abs();
        // 10**places is more than twice the value: the answer needs no division.
        if places > self.bit_length() / 3 + 2 {
            let away = match mode {
                Rounding::Floor => self.is_negative(),
                Rounding::Ceil => !self.is_negative() && !self.is_zero(),
                _ => false,
            };
            if !away {
                return Int::Small(0);
            }
        }
        let unit = BigInt::from(10u32).pow(u32::try_from(places.min(MAX_BITS / 4)).unwrap_or(0));
        Int::from_big(Int::divide_rounded(&self.to_big(), &unit, mode) * unit)
    }

    /// `num / den` rounded to an integer; `den` must be positive.
    pub fn divide_rounded(num: &BigInt, den: &BigInt, mode: Rounding) -> BigInt {
        let (q, r) = num.div_rem(den);
        if r.is_zero() {
            return q;
        }
        let negative = num.is_negative();
        let away = match mode {
            Rounding::Truncate => false,
            Rounding::Floor => negative,
            Rounding::Ceil => !negative,
            _ => match (r.abs() << 1usize).cmp(den) {
                Ordering::Greater => true,
                Ordering::Less => false,
                Ordering::Equal => match mode {
                    Rounding::HalfUp => true,
                    Rounding::HalfEven => q.is_odd(),
                    _ => false,
                },
            },
        };
        match (away, negative) {
            (false, _) => q,
            (true, true) => q - 1,
            (true, false) => q + 1,
        }
    }

    /// Compares with a float exactly; `None` for NaN.
    pub fn cmp_f64(&self, f: f64) -> Option<Ordering> {
        if f.is_nan() {
            return None;
        }
        if f.is_infinite() {
            return Some(if f > 0.0 { Ordering::Less } else { Ordering::Greater });
        }
        let whole = Int::from_f64(f)?;
        let fraction = f.fract();
        Some(self.cmp(&whole).then_with(|| 0.0f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal)))
    }

    /// `Integer#fdiv`: the quotient as a float, exact operands however large.
    pub fn fdiv(&self, other: &Int) -> f64 {
        let (a, b) = (self.to_f64(), other.to_f64());
        let exact = |x: f64| x.abs() < (1_u64 << 53) as f64;
        if exact(a) && exact(b) {
            return a / b;
        }
        // Once reduced, a divisor that CRuby has as a Fixnum is divided by as a float, unless both are Fixnums and it is not exact;
        // else both are scaled, the divisor to
        // 64 bits and the quotient to as many, which are rounded once.
        let (num, den) = (self.to_big(), other.to_big());
        if num.is_zero() || den.is_zero() {
            return a / b;
        }
        let gcd = num.gcd(&den);
        let (num, den) = (num / &gcd, den / gcd);
        let fixnum = |n: &BigInt| n.to_i64().filter(|n| (-(1 << 62)..1 << 62).contains(n));
        let is_plain = match fixnum(&den) {
            Some(n) => fixnum(&num).is_none() || n.unsigned_abs() < 1 << 53,
            None => false,
        };
        if is_plain && big_to_f64(&num).is_finite() {
            return big_to_f64(&num) / big_to_f64(&den);
        }
        let scaled = |n: BigInt, by: i64| if by >= 0 { n >> by.unsigned_abs() } else { n << by.unsigned_abs() };
        let of_den = den.bits() as i64 - 64;
        let of_num = match num.bits() as i64 - 128 {
            n if n > 64 => n - 64,
            n => n.min(0),
        };
        let q = scaled(num, of_num) / scaled(den, of_den);
        let shift = of_num - of_den;
        let exp = i32::try_from(shift).unwrap_or(if shift > 0 { i32::MAX } else { i32::MIN });
        crate::float_fmt::scale(big_to_f64(&q), exp)
    }
}

/// `BigInt` to the nearest float.
pub fn big_to_f64(n: &BigInt) -> f64 {
    n.to_f64().unwrap_or(if n.sign() == Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY })
}

/// Checks a radix for `to_s`: 2 to 36.
pub fn check_radix(base: i64) -> Result<u32> {
    match base {
        2..=36 => Ok(base as u32),
        _ => Err(Error::argument(format!("invalid radix {base}"))),
    }
}

/// `n` in decimal, at the end of `buffer`, which has room for any.
pub fn decimal(n: i64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut at = buffer.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

/// The digits of a number in a base from 2 to 36.
pub fn in_radix(n: i64, radix: u32, buffer: &mut [u8; 65]) -> &[u8] {
    let mut at = buffer.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b"0123456789abcdefghijklmnopqrstuvwxyz"[(rest % u64::from(radix)) as usize];
        rest /= u64::from(radix);
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

fn small_to_s(n: i64, radix: u32) -> String {
    if radix == 10 {
        return n.to_string();
    }
    in_radix(n, radix, &mut [0; 65]).iter().map(|&b| b as char).collect()
}

fn small_pow_mod(base: i64, exp: u64, modulus: i64) -> i64 {
    let m = modulus.unsigned_abs();
    let base = i128::from(base).rem_euclid(i128::from(m)) as u64;
    // Products of small numbers fit a word, whose division takes a tenth of the time.
    let result = if m <= u64::from(u32::MAX) {
        power_by(base, exp, 1 % m, |a, b| a * b % m)
    } else {
        power_by(base, exp, 1, |a, b| (u128::from(a) * u128::from(b) % u128::from(m)) as u64)
    };
    // The result takes the sign of the modulus.
    if modulus < 0 && result != 0 { (i128::from(result) - i128::from(m)) as i64 } else { result as i64 }
}

/// `base` to the power of `exp`, by squaring, times `result`.
fn power_by(base: u64, mut exp: u64, mut result: u64, product: impl Fn(u64, u64) -> u64) -> u64 {
    let mut square = base;
    while exp > 0 {
        if exp & 1 == 1 {
            result = product(result, square);
        }
        square = product(square, square);
        exp >>= 1;
    }
    result
}
