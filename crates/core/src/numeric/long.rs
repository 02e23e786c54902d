//! Arithmetic on long Integers, which can be interrupted and stops nobody: between two steps the thread looks for what asks for
//! its attention. Long is what takes longer than a few microseconds.

use asterism_support::int::{Int, MAX_BITS};
use asterism_support::int_parse::Read;
use asterism_support::long::{self, Steps};
use asterism_vm::{Ec, Raised, Res};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::operand::{HEAVY_BITS, charge_bits, check};
use crate::string::util::outcall;

/// A thread that calculates.
struct Thread<'e>(&'e mut Ec);

impl Steps for Thread<'_> {
    type Error = Raised;

    fn step<R>(&mut self, work: impl FnOnce() -> R) -> Result<R, Raised> {
        let done = self.0.computing(work);
        outcall(self.0, Ec::poll)?;
        Ok(done)
    }
}

/// Runs a calculation whose numbers have so many bits, and counts those while it runs.
fn run<R>(ec: &mut Ec, bits: u64, work: impl FnOnce(&mut Thread<'_>) -> Result<R, Raised>) -> Res<R> {
    let _numbers = ec.charge(usize::try_from(bits / 4).unwrap_or(usize::MAX))?;
    work(&mut Thread(ec))
}

fn signed(negative: bool, size: BigUint) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, size)
}

/// `a * b`
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn product(ec: &mut Ec, a: &BigInt, b: &BigInt) -> Res<BigInt> {
    let bits = a.bits() + b.bits();
    if bits <= HEAVY_BITS {
        return Ok(a * b);
    }
    let size = run(ec, bits, |thread| long::mul(a.magnitude(), b.magnitude(), thread))?;
    Ok(signed(a.is_negative() != b.is_negative(), size))
}

/// Quotient and remainder, the quotient rounded to zero. `b` is not zero.
fn quotient(ec: &mut Ec, a: &BigInt, b: &BigInt) -> Res<(BigInt, BigInt)> {
    let (q, r) = run(ec, a.bits(), |thread| long::div_rem(a.magnitude(), b.magnitude(), thread))?;
    Ok((signed(a.is_negative() != b.is_negative(), q), signed(a.is_negative(), r)))
}

/// Quotient and modulus, the quotient rounded down. `b` is not zero.
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn divmod(ec: &mut Ec, a: &BigInt, b: &BigInt) -> Res<(BigInt, BigInt)> {
    if a.bits() <= HEAVY_BITS {
        return Ok(a.div_mod_floor(b));
    }
    let (q, r) = quotient(ec, a, b)?;
    Ok(if r.is_zero() || r.is_negative() == b.is_negative() { (q, r) } else { (q - 1, r + b) })
}

/// What is left of `a` when the quotient is rounded to zero. `b` is not zero.
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn remainder(ec: &mut Ec, a: &BigInt, b: &BigInt) -> Res<BigInt> {
    if a.bits() <= HEAVY_BITS { Ok(a % b) } else { Ok(quotient(ec, a, b)?.1) }
}

/// `base ** exponent`, which is not negative.
///
/// # Errors
/// As `product`; ArgumentError if the result would be too large.
pub fn power(ec: &mut Ec, base: &Int, exponent: &Int) -> Res<Int> {
    let bits = base.bit_length().saturating_mul(exponent.to_i64().map_or(u64::MAX, |n| n as u64));
    let _number = charge_bits(ec, bits.min(MAX_BITS))?;
    match exponent.to_i64() {
        Some(n) if (HEAVY_BITS..=MAX_BITS).contains(&bits) && base.bit_length() > 1 => {
            let size = base.to_big().into_parts().1;
            let power = run(ec, bits, |thread| long::pow(&size, n.unsigned_abs(), thread))?;
            Ok(Int::from_big(signed(base.is_negative() && n & 1 == 1, power)))
        }
        _ => {
            let power = base.pow(exponent);
            check(ec, power)
        }
    }
}

/// `base ** exponent % modulus`; the exponent is not negative.
///
/// # Errors
/// As `product`; ZeroDivisionError.
pub fn power_mod(ec: &mut Ec, base: &Int, exponent: &Int, modulus: &Int) -> Res<Int> {
    let bits = base.bit_length().max(exponent.bit_length()).max(modulus.bit_length());
    if modulus.is_zero() || bits <= HEAVY_BITS / 64 {
        let result = base.pow_mod(exponent, modulus);
        return check(ec, result);
    }
    let modulus = modulus.to_big();
    let (_, base) = divmod(ec, &base.to_big(), &BigInt::from(modulus.magnitude().clone()))?;
    let exponent = exponent.to_big();
    let work =
        |thread: &mut Thread<'_>| long::mod_pow(base.magnitude(), exponent.magnitude(), modulus.magnitude(), thread);
    let size = BigInt::from(run(ec, bits, work)?);
    Ok(Int::from_big(if modulus.is_negative() && !size.is_zero() { size + modulus } else { size }))
}

/// The greatest common divisor.
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn gcd(ec: &mut Ec, a: &Int, b: &Int) -> Res<Int> {
    let bits = a.bit_length().max(b.bit_length());
    if bits <= HEAVY_BITS / 8 {
        return Ok(a.gcd(b));
    }
    let (a, b) = (a.to_big(), b.to_big());
    let found = run(ec, bits, |thread| long::gcd(a.magnitude(), b.magnitude(), thread))?;
    Ok(Int::from_big(found.into()))
}

/// `a / b` of numbers of which one divides the other.
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn part(ec: &mut Ec, a: &Int, b: &Int) -> Res<Int> {
    if a.bit_length() <= HEAVY_BITS {
        let part = a.div(b);
        return check(ec, part);
    }
    Ok(Int::from_big(divmod(ec, &a.to_big(), &b.to_big())?.0))
}

/// The integer part of the square root of a number that is not negative.
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn sqrt(ec: &mut Ec, n: &BigInt) -> Res<BigInt> {
    if n.bits() <= HEAVY_BITS {
        return Ok(n.sqrt());
    }
    Ok(run(ec, n.bits(), |thread| long::sqrt(n.magnitude(), thread))?.into())
}

/// The digits in a radix from 2 to 36.
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn to_text(ec: &mut Ec, n: &BigInt, radix: u32) -> Res<String> {
    if n.bits() <= HEAVY_BITS / 16 {
        return Ok(n.to_str_radix(radix));
    }
    // A digit is a byte.
    let digits = n.bits() / u64::from(radix.ilog2());
    let text = run(ec, digits.saturating_mul(8), |thread| long::to_text(n.magnitude(), radix, thread))?;
    Ok(if n.is_negative() { format!("-{text}") } else { text })
}

/// The number that was read from a text.
///
/// # Errors
/// NoMemoryError; what is raised into the thread.
pub fn of_text(ec: &mut Ec, read: Read) -> Res<Int> {
    match read {
        Read::Number(n) => Ok(n),
        Read::Digits { negative, digits, radix } => {
            let bits = digits.len() as u64 * 8;
            let size = run(ec, bits, |thread| long::of_text(&digits, radix, thread))?;
            Ok(Int::from_big(signed(negative, size)))
        }
    }
}
