//! An exact instant: seconds since the epoch, nanoseconds, and the fraction of a nanosecond where there is one. The calendar
//! repeats itself every 400 years, weekdays included; so an instant far from the epoch is one of a year nearby, and a number of
//! such cycles.

use std::cmp::Ordering;

use asterism_support::int::{Int, Rounding};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

const BILLION: i64 = 1_000_000_000;

/// The seconds of 400 years.
pub(super) const CYCLE: i64 = 146_097 * 86_400;

/// Instants as many seconds from the epoch are far: some 7,600 years.
const FAR: i64 = 19 * CYCLE;

/// Instants whose seconds have more bits are refused, so that nothing takes long.
const MAX_BITS: u64 = 1 << 16;

/// The cycles to be taken away from a year that is far from the epoch, and the year that stays. What is far in the future becomes a
/// year after 2800, what is far in the past one before -5600: rules of zones hold there that hold for ever.
pub(super) fn near(year: &BigInt) -> Option<(BigInt, i64)> {
    if let Some(year) = year.to_i64().filter(|y| (-5600..9200).contains(y)) {
        return Some((BigInt::zero(), year));
    }
    if year.bits() > MAX_BITS {
        return None;
    }
    let first = if year.sign() == Sign::Minus { -6000 } else { 2800 };
    let (cycles, over) = (year - BigInt::from(first)).div_mod_floor(&BigInt::from(400));
    Some((cycles, over.to_i64()? + first))
}

/// An instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Whole seconds since the epoch, rounded down; without `cycles`.
    pub sec: i64,
    /// Nanoseconds within the second.
    pub nsec: u32,
    /// What is left of a nanosecond, as a reduced fraction in 0...1, if it is not 0.
    pub rest: Option<Box<(BigInt, BigInt)>>,
    /// Cycles of 400 years to be added, if the instant is far from the epoch: `sec` is that of a near one then.
    pub cycles: Option<Box<BigInt>>,
}

impl Stamp {
    /// Whole nanoseconds of an instant that is not far.
    pub fn new(sec: i64, nsec: u32) -> Stamp {
        Stamp { sec, nsec, rest: None, cycles: None }
    }

    /// Whole seconds; `None` if that is out of range.
    pub fn from_seconds(sec: &BigInt) -> Option<Stamp> {
        if let Some(sec) = sec.to_i64().filter(|s| s.unsigned_abs() < FAR as u64) {
            return Some(Stamp::new(sec, 0));
        }
        if sec.bits() > MAX_BITS {
            return None;
        }
        let first = if sec.sign() == Sign::Minus { -20 * CYCLE } else { 2 * CYCLE };
        let (cycles, over) = (sec - BigInt::from(first)).div_mod_floor(&BigInt::from(CYCLE));
        Some(Stamp { sec: over.to_i64()? + first, nsec: 0, rest: None, cycles: Some(Box::new(cycles)) })
    }

    /// Whole seconds since the epoch, rounded down.
    pub fn seconds(&self) -> BigInt {
        match &self.cycles {
            None => BigInt::from(self.sec),
            Some(cycles) => &**cycles * CYCLE + self.sec,
        }
    }

    /// The year of what `sec` shows as this year.
    pub fn year(&self, shown: i64) -> Int {
        match &self.cycles {
            None => Int::Small(shown),
            Some(cycles) => Int::from_big(&**cycles * 400 + shown),
        }
    }

    /// `num/den` seconds; `None` if that is out of range.
    pub fn from_ratio(num: &BigInt, den: &BigInt) -> Option<Stamp> {
        let (sec, over) = num.div_mod_floor(den);
        let (nsec, over) = (over * BILLION).div_mod_floor(den);
        let whole = Stamp::from_seconds(&sec)?;
        let rest = if over.is_zero() {
            None
        } else {
            let divisor = over.gcd(den);
            Some(Box::new((over / &divisor, den / divisor)))
        };
        Some(Stamp { nsec: nsec.to_u32()?, rest, ..whole })
    }

    /// Seconds since the epoch as a fraction, not reduced.
    pub fn ratio(&self) -> (BigInt, BigInt) {
        let (num, den) = self.subsec();
        (num + self.seconds() * &den, den)
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
        if self.rest.is_some() || self.cycles.is_some() {
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
        let whole = |s: &Stamp| s.rest.is_none() && s.cycles.is_none();
        if !whole(self) || !whole(other) {
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
        let seconds = match (&self.cycles, &other.cycles) {
            (None, None) => self.sec.cmp(&other.sec),
            _ => self.seconds().cmp(&other.seconds()),
        };
        seconds.then(self.nsec.cmp(&other.nsec)).then_with(|| {
            let part = |s: &Stamp| s.rest.as_deref().cloned().unwrap_or((BigInt::zero(), BigInt::one()));
            let ((a, a_den), (b, b_den)) = (part(self), part(other));
            (a * b_den).cmp(&(b * a_den))
        })
    }
}
