//! An exact instant: seconds since the epoch, nanoseconds, and the fraction of a nanosecond where there is one. The calendar
//! repeats itself every 400 years, weekdays included; so an instant far from the epoch is one of a year nearby, and a number of
//! such cycles.

use std::cmp::Ordering;

use asterism_support::int::{Int, Rounding};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::exact::Exact;

/// Nanoseconds of a second.
pub(super) const BILLION: i64 = 1_000_000_000;

/// The seconds of 400 years.
pub(super) const CYCLE: i64 = 146_097 * 86_400;

/// Instants as many seconds from the epoch are far: some 7,600 years.
const FAR: i64 = 19 * CYCLE;

/// Instants whose seconds have more bits are refused, so that nothing takes long.
const MAX_BITS: u64 = 1 << 16;

/// The cycles to be taken away from a year that is far from the epoch, and the year that stays. What is far in the future becomes a
/// year after 2800, what is far in the past one before -5600: rules of zones hold there that hold for ever.
pub(super) fn near(year: &Int) -> Option<(Option<BigInt>, i64)> {
    if let Int::Small(year @ -5600..9200) = *year {
        return Some((None, year));
    }
    let year = year.to_big();
    if year.bits() > MAX_BITS {
        return None;
    }
    let first = if year.sign() == Sign::Minus { -6000 } else { 2800 };
    let (cycles, over) = (year - BigInt::from(first)).div_mod_floor(&BigInt::from(400));
    Some((Some(cycles), over.to_i64()? + first))
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

    /// Whole nanoseconds; `None` if that is out of range.
    pub fn whole(sec: i64, nsec: u32) -> Option<Stamp> {
        if sec.unsigned_abs() < FAR as u64 {
            return Some(Stamp::new(sec, nsec));
        }
        Some(Stamp { nsec, ..Stamp::from_seconds(&BigInt::from(sec))? })
    }

    /// Are seconds and nanoseconds all there is?
    #[inline]
    fn is_whole(&self) -> bool {
        self.rest.is_none() && self.cycles.is_none()
    }

    /// Seconds since the epoch, exactly.
    pub fn exact(&self) -> Exact {
        if self.is_whole() {
            return Exact::Whole(self.sec, self.nsec);
        }
        let (num, den) = self.ratio();
        Exact::Ratio(num, den)
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
    pub fn to_int(&self) -> Int {
        match &self.cycles {
            None => Int::Small(self.sec),
            Some(_) => Int::from_big(self.seconds()),
        }
    }

    /// The same as a `BigInt`.
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
        if self.rest.is_none() {
            let mut digits = format!("{:09}", self.nsec).into_bytes();
            digits.resize(count as usize, b'0');
            return digits;
        }
        let (num, den) = self.subsec();
        let shown = (num * BigInt::from(10).pow(count) / den).to_string();
        let mut digits = vec![b'0'; (count as usize).saturating_sub(shown.len())];
        digits.extend_from_slice(shown.as_bytes());
        digits
    }

    /// As a Float.
    pub fn to_f64(&self) -> f64 {
        if !self.is_whole() {
            let (num, den) = self.ratio();
            return quotient(num, den);
        }
        if self.nsec == 0 {
            return self.sec as f64;
        }
        (i128::from(self.sec) * i128::from(BILLION) + i128::from(self.nsec)) as f64 / 1e9
    }

    /// Adds a number of seconds; `None` if the result is out of range.
    pub fn plus(&self, seconds: Exact) -> Option<Stamp> {
        self.exact().plus(seconds).stamp()
    }

    /// The seconds from `other` to `self` as a Float.
    pub fn minus(&self, other: &Stamp) -> f64 {
        if !self.is_whole() || !other.is_whole() {
            let ((a, a_den), (b, b_den)) = (self.ratio(), other.ratio());
            return quotient(a * &b_den - b * &a_den, a_den * b_den);
        }
        difference((self.sec, self.nsec), (other.sec, other.nsec))
    }

    /// Rounded to `digits` digits of the second; halves are rounded up, before the epoch too.
    pub fn rounded(&self, digits: u32, mode: Rounding) -> Option<Stamp> {
        if self.is_whole() {
            return self.rounded_whole(digits, mode);
        }
        let unit = BigInt::from(10).pow(digits);
        let (num, den) = self.ratio();
        let (num, den) = match mode {
            Rounding::HalfUp => (num * &unit * 2 + &den, den * 2),
            _ => (num * &unit, den),
        };
        let mode = if mode == Rounding::Ceil { Rounding::Ceil } else { Rounding::Floor };
        let whole = Int::divide_rounded(&num, &den, mode);
        Stamp::from_ratio(&whole, &unit)
    }

    fn rounded_whole(&self, digits: u32, mode: Rounding) -> Option<Stamp> {
        let Some(places) = 9_u32.checked_sub(digits) else { return Some(self.clone()) };
        let unit = 10_u32.pow(places);
        let over = self.nsec % unit;
        let up = match mode {
            Rounding::Ceil => over > 0,
            Rounding::HalfUp => over >= unit - over,
            _ => false,
        };
        match self.nsec - over + if up { unit } else { 0 } {
            1_000_000_000 => Stamp::whole(self.sec + 1, 0),
            nsec => Stamp::whole(self.sec, nsec),
        }
    }
}

/// The seconds from `b` to `a` as a Float; neither is far.
pub(super) fn difference((a, a_nsec): (i64, u32), (b, b_nsec): (i64, u32)) -> f64 {
    let sec = a - b;
    if a_nsec == b_nsec {
        return sec as f64;
    }
    let nanos = i64::from(a_nsec) - i64::from(b_nsec);
    match sec.checked_mul(BILLION).and_then(|n| n.checked_add(nanos)) {
        Some(nanos) => nanos as f64 / 1e9,
        None => (i128::from(sec) * i128::from(BILLION) + i128::from(nanos)) as f64 / 1e9,
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
            if self.rest.is_none() && other.rest.is_none() {
                return Ordering::Equal;
            }
            let part = |s: &Stamp| s.rest.as_deref().cloned().unwrap_or((BigInt::zero(), BigInt::one()));
            let ((a, a_den), (b, b_den)) = (part(self), part(other));
            (a * b_den).cmp(&(b * a_den))
        })
    }
}
