//! An exact number of seconds: what programs give as instants, as parts of a second and as differences.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::stamp::{BILLION, Stamp};

/// A number of seconds, exactly.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Exact {
    /// Seconds, rounded down, and nanoseconds.
    Whole(i64, u32),
    /// Numerator and denominator, which is positive; not reduced.
    Ratio(BigInt, BigInt),
}

impl Exact {
    /// `n / unit`; `unit` is a power of ten up to 10⁹.
    pub fn of(n: i64, unit: i64) -> Exact {
        match unit {
            1 => Exact::Whole(n, 0),
            _ => Exact::Whole(n.div_euclid(unit), (n.rem_euclid(unit) * (BILLION / unit)) as u32),
        }
    }

    /// `num / (den * unit)`; `den` is positive.
    pub fn of_ratio(num: i64, den: i64, unit: i64) -> Exact {
        let whole_den = i128::from(den) * i128::from(unit);
        let (sec, over) = i128::from(num).div_mod_floor(&whole_den);
        // Less than 2¹²³: a denominator is below 2⁹³.
        let (nsec, rest) = (over * i128::from(BILLION)).div_rem(&whole_den);
        match (i64::try_from(sec), u32::try_from(nsec)) {
            (Ok(sec), Ok(nsec)) if rest == 0 => Exact::Whole(sec, nsec),
            _ => Exact::Ratio(BigInt::from(num), BigInt::from(whole_den)),
        }
    }

    /// A Float's exact value, if that is a number of whole nanoseconds that is not large.
    pub fn of_float(f: f64) -> Option<Exact> {
        if f.abs() >= (1_i64 << 60) as f64 {
            return None;
        }
        let whole = f.trunc();
        // A power of two divides a billion up to 2⁹, so what is left of it has to be a multiple of 2⁻⁹.
        let parts = (f - whole) * 512.0;
        if parts.fract() != 0.0 {
            return None;
        }
        let (sec, nsec) = (whole as i64, parts as i64 * (BILLION / 512));
        Some(if nsec < 0 { Exact::Whole(sec - 1, (nsec + BILLION) as u32) } else { Exact::Whole(sec, nsec as u32) })
    }

    /// Numerator and denominator.
    pub fn into_ratio(self) -> (BigInt, BigInt) {
        match self {
            Exact::Whole(sec, 0) => (BigInt::from(sec), BigInt::one()),
            Exact::Whole(sec, nsec) => {
                (BigInt::from(i128::from(sec) * i128::from(BILLION) + i128::from(nsec)), BigInt::from(BILLION))
            }
            Exact::Ratio(num, den) => (num, den),
        }
    }

    /// The sum.
    pub fn plus(self, other: Exact) -> Exact {
        if let (&Exact::Whole(a, a_nsec), &Exact::Whole(b, b_nsec)) = (&self, &other) {
            let nsec = a_nsec + b_nsec;
            let (carry, nsec) = if nsec >= BILLION as u32 { (1, nsec - BILLION as u32) } else { (0, nsec) };
            if let Some(sec) = a.checked_add(b).and_then(|sec| sec.checked_add(carry)) {
                return Exact::Whole(sec, nsec);
            }
        }
        let ((a, a_den), (b, b_den)) = (self.into_ratio(), other.into_ratio());
        Exact::Ratio(a * &b_den + b * &a_den, a_den * b_den)
    }

    /// The same below zero.
    pub fn negated(self) -> Exact {
        match self {
            Exact::Whole(sec, nsec) if sec != i64::MIN => match nsec {
                0 => Exact::Whole(-sec, 0),
                _ => Exact::Whole(-sec - 1, BILLION as u32 - nsec),
            },
            other => {
                let (num, den) = other.into_ratio();
                Exact::Ratio(-num, den)
            }
        }
    }

    /// The whole seconds, rounded down, if they fit an `i64`, and what is over.
    pub fn split(self) -> (Option<i64>, Exact) {
        match self {
            Exact::Whole(sec, nsec) => (Some(sec), Exact::Whole(0, nsec)),
            Exact::Ratio(num, den) => {
                let (whole, over) = num.div_mod_floor(&den);
                (whole.to_i64(), Exact::Ratio(over, den))
            }
        }
    }

    /// The whole seconds, rounded toward zero, if they fit an `i64`.
    pub fn truncated(self) -> Option<i64> {
        match self {
            Exact::Whole(sec, nsec) => Some(if sec < 0 && nsec > 0 { sec + 1 } else { sec }),
            Exact::Ratio(num, den) => (num / den).to_i64(),
        }
    }

    /// The instant so many seconds after the epoch; `None` if it is out of range.
    pub fn stamp(self) -> Option<Stamp> {
        match self {
            Exact::Whole(sec, nsec) => Stamp::whole(sec, nsec),
            Exact::Ratio(num, den) => Stamp::from_ratio(&num, &den),
        }
    }
}
