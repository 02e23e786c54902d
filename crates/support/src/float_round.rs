//! `Float#round`, `#floor`, `#ceil`, `#truncate` with a number of digits, as CRuby computes them.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::error::{Error, ErrorKind, Result};
use crate::float_fmt::{float_to_s, frexp};
use crate::int::{Int, Rounding};

#[cfg(test)]
mod tests;

/// What `round(half: …)` does with a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RoundHalf {
    /// Away from zero (the default).
    #[default]
    Up,
    /// To the even neighbour.
    Even,
    /// Toward zero.
    Down,
}

/// A result that is a Float or an Integer.
#[derive(Clone, Debug, PartialEq)]
pub enum Num {
    /// A Float.
    Float(f64),
    /// An Integer.
    Int(Int),
}

/// Significant decimal digits after which rounding cannot change a float.
const FLOAT_DIG: i64 = 17;

fn too_fine(ndigits: i64, binexp: i64) -> bool {
    ndigits >= FLOAT_DIG - if binexp > 0 { binexp / 4 } else { binexp / 3 - 1 }
}

fn too_coarse(ndigits: i64, binexp: i64) -> bool {
    ndigits < -(if binexp > 0 { binexp / 3 + 1 } else { binexp / 4 })
}

/// `FloatDomainError` for NaN and the infinities, else the integer part.
pub fn float_to_int(f: f64) -> Result<Int> {
    Int::from_f64(f).ok_or_else(|| Error::new(ErrorKind::FloatDomain, float_to_s(f)))
}

/// `Float#round(ndigits, half: half)`.
pub fn float_round(f: f64, ndigits: i64, half: RoundHalf) -> Result<Num> {
    if f == 0.0 {
        return Ok(if ndigits > 0 { Num::Float(f) } else { Num::Int(Int::Small(0)) });
    }
    if ndigits > 0 {
        return Ok(Num::Float(round_fraction(f, ndigits, half)));
    }
    if ndigits == 0 {
        return float_to_int(round_scaled(f, 1.0, half)).map(Num::Int);
    }
    let whole = float_to_int(f)?;
    if too_coarse(ndigits, i64::from(frexp(f).1)) {
        return Ok(Num::Int(Int::Small(0)));
    }
    Ok(Num::Int(whole.round_digits(ndigits, rounding(half))))
}

fn rounding(half: RoundHalf) -> Rounding {
    match half {
        RoundHalf::Up => Rounding::HalfUp,
        RoundHalf::Even => Rounding::HalfEven,
        RoundHalf::Down => Rounding::HalfDown,
    }
}

fn round_fraction(f: f64, ndigits: i64, half: RoundHalf) -> f64 {
    if !f.is_finite() {
        return f;
    }
    let binexp = i64::from(frexp(f).1);
    if too_fine(ndigits, binexp) {
        return f;
    }
    if too_coarse(ndigits, binexp) {
        return 0.0;
    }
    if ndigits > 14 {
        return round_exactly(f, ndigits, rounding(half));
    }
    let s = 10f64.powi(ndigits as i32);
    round_scaled(f, s, half) / s
}

/// `f * s` rounded to an integer so that dividing by `s` gives the decimal nearest to `f`: the
/// product may have been rounded across a tie, which the comparison with `f` undoes.
fn round_scaled(f: f64, s: f64, half: RoundHalf) -> f64 {
    let x = f.abs();
    let product = x * s;
    let rounded = match half {
        RoundHalf::Up => {
            let r = product.round();
            if s == 1.0 {
                r
            } else if (r + 0.5) / s <= x {
                r + 1.0
            } else {
                r
            }
        }
        RoundHalf::Down => {
            let r = product.round();
            if (r - 0.5) / s >= x { r - 1.0 } else { r }
        }
        RoundHalf::Even => {
            let r = product.floor();
            // The product may have been rounded to the tie: the number itself is what counts.
            let tie = (r + 0.5) / s;
            if x > tie {
                r + 1.0
            } else if x == tie {
                r + r % 2.0
            } else {
                r
            }
        }
    };
    if f < 0.0 { -rounded } else { rounded }
}

/// Rounding through exact integers, for so many digits that `10**ndigits` is not exact.
fn round_exactly(f: f64, ndigits: i64, mode: Rounding) -> f64 {
    let (mantissa, exp) = decompose(f);
    let mut num = BigInt::from(mantissa) * BigInt::from(10u32).pow(ndigits as u32);
    let mut shift = BigInt::from(1u32);
    if exp >= 0 {
        num <<= exp as usize;
    } else {
        shift <<= exp.unsigned_abs() as usize;
    }
    let n = Int::divide_rounded(&num, &shift, mode);
    if n.is_zero() {
        return if f < 0.0 && mode == Rounding::Ceil { -0.0 } else { 0.0 };
    }
    let sign = if n.is_negative() { "-" } else { "" };
    format!("{sign}{}e-{ndigits}", n.magnitude()).parse().unwrap_or(f)
}

/// A finite float as `mantissa * 2**exp`.
pub fn decompose(f: f64) -> (i64, i32) {
    let bits = f.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (m, e) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    (if f < 0.0 { -m } else { m }, e)
}

/// `Float#floor(ndigits)`.
pub fn float_floor(f: f64, ndigits: i64) -> Result<Num> {
    if f == 0.0 {
        return Ok(if ndigits > 0 { Num::Float(f) } else { Num::Int(Int::Small(0)) });
    }
    if ndigits > 0 {
        return Ok(Num::Float(floor_fraction(f, ndigits)));
    }
    let whole = float_to_int(f.floor())?;
    Ok(Num::Int(if ndigits < 0 { whole.round_digits(ndigits, Rounding::Floor) } else { whole }))
}

fn floor_fraction(f: f64, ndigits: i64) -> f64 {
    if !f.is_finite() {
        return f;
    }
    let binexp = i64::from(frexp(f).1);
    if too_fine(ndigits, binexp) {
        return f;
    }
    if f > 0.0 && too_coarse(ndigits, binexp) {
        return 0.0;
    }
    if ndigits > 14 {
        return round_exactly(f, ndigits, Rounding::Floor);
    }
    let s = 10f64.powi(ndigits as i32);
    let product = (f * s).floor();
    let next = (product + 1.0) / s;
    if next > f { product / s } else { next }
}

/// `Float#ceil(ndigits)`.
pub fn float_ceil(f: f64, ndigits: i64) -> Result<Num> {
    if f == 0.0 {
        return Ok(if ndigits > 0 { Num::Float(f) } else { Num::Int(Int::Small(0)) });
    }
    if ndigits > 0 {
        return Ok(Num::Float(ceil_fraction(f, ndigits)));
    }
    let whole = float_to_int(f.ceil())?;
    Ok(Num::Int(if ndigits < 0 { whole.round_digits(ndigits, Rounding::Ceil) } else { whole }))
}

fn ceil_fraction(f: f64, ndigits: i64) -> f64 {
    if !f.is_finite() {
        return f;
    }
    let binexp = i64::from(frexp(f).1);
    if too_fine(ndigits, binexp) {
        return f;
    }
    if f < 0.0 && too_coarse(ndigits, binexp) {
        return 0.0;
    }
    if ndigits > 14 {
        return round_exactly(f, ndigits, Rounding::Ceil);
    }
    let s = 10f64.powi(ndigits as i32);
    let product = (f * s).ceil();
    let next = (product - 1.0) / s;
    if next < f { product / s } else { next }
}

/// `Float#truncate(ndigits)`.
pub fn float_truncate(f: f64, ndigits: i64) -> Result<Num> {
    if f > 0.0 { float_floor(f, ndigits) } else { float_ceil(f, ndigits) }
}
