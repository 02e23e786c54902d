//! An exact instant: seconds since the epoch, nanoseconds, and the fraction of a nanosecond where there is one.

use std::cmp::Ordering;

use asterism_support::int::{Int, Rounding};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

const BILLION: i64 = 1_000_000_000;

/// Instants beyond this many seconds from the epoch are refused, so that their years stay computable.
const MAX_SECONDS: i64 = 9_000_000_000_000_000_000;

/// An instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Whole seconds since the epoch, rounded down.
    pub sec: i64,
    /// Nanoseconds within the second.
    pub nsec: u32,
    /// What is left of a nanosecond, as a reduced fraction in 0...1, if it is not 0.
    pub rest: Option<Box<(BigInt, BigInt)>>,
}

impl Stamp {
    /// Whole nanoseconds.
    pub fn new(sec: i64, nsec: u32) -> Stamp {
        Stamp { sec, nsec, rest: None }
    }

    /// `num/den` seconds; `None` if that is out of range.
    pub fn from_ratio(num: &BigInt, den: &BigInt) -> Option<Stamp> {
        let (sec, over) = num.div_mod_floor(den);
        let (nsec, over) = (over * BILLION).div_mod_floor(den);
        let sec = sec.to_i64().filter(|s| s.unsigned_abs() <= MAX_SECONDS as u64)?;
        let rest = if over.is_zero() {
            None
        } else {
            let divisor = over.gcd(den);
            Some(Box::new((over / &divisor, den / divisor)))
        };
        Some(Stamp { sec, nsec: nsec.to_u32()?, rest })
    }

    /// Seconds since the epoch as a fraction, not reduced.
    pub fn ratio(&self) -> (BigInt, BigInt) {
        let (num, den) = self.subsec();
        (num + BigInt::from(self.sec) * &den, den)
    }

    /// The fraction of the second, not reduced.
    pub fn subsec(&self) -> (BigInt, BigInt) {
        match &self.rest {
            None => (BigInt::from(self.nsec), BigInt::from(BILLION)),
            Some(rest) => {
                let (num, den) = &**rest;
                (BigInt::from(self.nsec) * den + num, den * BILLION)
            }
        }
    }

    /// The first `count` decimal digits of the fraction of the second.
    pub fn digits(&self, count: u32) -> Vec<u8> {
        let (num, den) = self.subsec();
        let shown = (num * BigInt::from(10).pow(count) / den).to_string();
        let mut digits = vec![b'0'; (count as usize).saturating_sub(shown.len())];
        digits.extend_from_slice(shown.as_bytes());
        digits
    }

    /// As a Float.
    pub fn to_f64(&self) -> f64 {
        if self.rest.is_some() {
            let (num, den) = self.ratio();
            return quotient(num, den);
        }
        if self.nsec == 0 {
            return self.sec as f64;
        }
        (i128::from(self.sec) * i128::from(BILLION) + i128::from(self.nsec)) as f64 / 1e9
    }

    /// Adds `num/den` seconds; `None` if the result is out of range.
    pub fn plus(&self, num: &BigInt, den: &BigInt) -> Option<Stamp> {
        let (own, own_den) = self.ratio();
        Stamp::from_ratio(&(own * den + num * &own_den), &(own_den * den))
    }

    /// The seconds from `other` to `self` as a Float.
    pub fn minus(&self, other: &Stamp) -> f64 {
        if self.rest.is_some() || other.rest.is_some() {
            let ((a, a_den), (b, b_den)) = (self.ratio(), other.ratio());
            return quotient(a * &b_den - b * &a_den, a_den * b_den);
        }
        let nanos = (i128::from(self.sec) - i128::from(other.sec)) * i128::from(BILLION)
            + (i128::from(self.nsec) - i128::from(other.nsec));
        if nanos % i128::from(BILLION) == 0 {
            return (nanos / i128::from(BILLION)) as f64;
        }
        nanos as f64 / 1e9
    }

    /// Rounded to `digits` digits of the second.
    pub fn rounded(&self, digits: u32, mode: Rounding) -> Option<Stamp> {
        let unit = BigInt::from(10).pow(digits);
        let (num, den) = self.ratio();
        let whole = Int::divide_rounded(&(num * &unit), &den, mode);
        Stamp::from_ratio(&whole, &unit)
    }
}

/// `num/den` as a Float, in lowest terms first: long parts are rounded one by one.
fn quotient(num: BigInt, den: BigInt) -> f64 {
    let divisor = num.gcd(&den);
    Int::from_big(num / &divisor).fdiv(&Int::from_big(den / divisor))
}

impl PartialOrd for Stamp {
    fn partial_cmp(&self, other: &Stamp) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Stamp {
    fn cmp(&self, other: &Stamp) -> Ordering {
        self.sec.cmp(&other.sec).then(self.nsec.cmp(&other.nsec)).then_with(|| {
            let part = |s: &Stamp| s.rest.as_deref().cloned().unwrap_or((BigInt::zero(), BigInt::one()));
            let ((a, a_den), (b, b_den)) = (part(self), part(other));
            (a * b_den).cmp(&(b * a_den))
        })
    }
}
