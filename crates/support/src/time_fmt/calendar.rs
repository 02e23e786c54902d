//! The proleptic Gregorian calendar over days since 1970-01-01.

/// Date and time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Civil {
    /// Astronomical year (0 is 1 BC).
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23 (24 only as an input to [`Civil::to_seconds`]).
    pub hour: u8,
    /// 0 to 59.
    pub min: u8,
    /// 0 to 60.
    pub sec: u8,
}

/// Years outside this are refused, so that seconds fit an `i64`.
pub const MAX_YEAR: i64 = 290_000_000_000;

/// Whether February has 29 days.
pub fn is_leap(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

/// Days of a month; 0 for a month that does not exist.
pub fn days_in_month(year: i64, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// Days before the first of March-based month `m` (March is 0).
fn days_before(m: i64) -> i64 {
    (153 * m + 2) / 5
}

/// Days since the epoch; the day may run past the month's end. `None` beyond [`MAX_YEAR`].
pub fn days_from_civil(year: i64, month: u8, day: u8) -> Option<i64> {
    if year.abs() > MAX_YEAR || !(1..=12).contains(&month) {
        return None;
    }
    // Years that start in March put the leap day last.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, y) = (y.div_euclid(400), y.rem_euclid(400));
    let in_era = y * 365 + y / 4 - y / 100 + days_before(i64::from(m)) + i64::from(day) - 1;
    Some(era * 146_097 + in_era - 719_468)
}

/// Days from a 1 March 800,000 years before the year 0 to the epoch, and those years; the calendar repeats itself every 400.
const SHIFT: i64 = 719_468 + 2000 * 146_097;
const SHIFT_YEARS: i64 = 800_000;

/// Year, month and day of a day since the epoch.
#[inline]
pub fn civil_from_days(days: i64) -> (i64, u8, u8) {
    match days.checked_add(SHIFT).and_then(|z| u32::try_from(z).ok()) {
        Some(z) if z < 1 << 29 => {
            let (year, month, day) = civil_from_march(z);
            (i64::from(year) - SHIFT_YEARS, month, day)
        }
        _ => {
            let (era, over) = (days.div_euclid(146_097), days.rem_euclid(146_097));
            let (year, month, day) = civil_from_march((over + SHIFT) as u32);
            (i64::from(year) - SHIFT_YEARS + era * 400, month, day)
        }
    }
}

/// The same of a day since a 1 March that a cycle of 400 years begins with, of fewer than 2²⁹; the year counts from there.
#[inline]
fn civil_from_march(days: u32) -> (u32, u8, u8) {
    // In quarters of days, of which each century and each year in a century takes a whole number.
    let century = (4 * days + 3) / 146_097;
    let in_century = 4 * (days - (u64::from(century) * 146_097 / 4) as u32) + 3;
    let year_of_century = in_century / 1461;
    let in_year = in_century % 1461 / 4;
    // Months from March on are 30.6 days long, by which the division by 153 rounds.
    let m = (5 * in_year + 2) / 153;
    let day = (in_year - (153 * m + 2) / 5 + 1) as u8;
    let month = if m < 10 { m + 3 } else { m - 9 } as u8;
    (100 * century + year_of_century + u32::from(month <= 2), month, day)
}

impl Civil {
    /// The date and time of day so many seconds after 1970-01-01T00:00:00, without a zone.
    #[inline]
    pub fn from_seconds(seconds: i64) -> Civil {
        let (year, month, day) = civil_from_days(seconds.div_euclid(86_400));
        let rest = seconds.rem_euclid(86_400) as u32;
        Civil { year, month, day, hour: (rest / 3600) as u8, min: (rest / 60 % 60) as u8, sec: (rest % 60) as u8 }
    }

    /// Seconds since 1970-01-01T00:00:00, without a zone.
    pub fn to_seconds(&self) -> Option<i64> {
        let days = days_from_civil(self.year, self.month, self.day)?;
        let rest = i64::from(self.hour) * 3600 + i64::from(self.min) * 60 + i64::from(self.sec);
        days.checked_mul(86_400)?.checked_add(rest)
    }

    /// `Time#wday`: 0 is Sunday.
    pub fn wday(&self) -> u8 {
        let days = days_from_civil(self.year, self.month, self.day).unwrap_or(0);
        (days + 4).rem_euclid(7) as u8
    }

    /// `Time#yday`: 1 to 366.
    pub fn yday(&self) -> u16 {
        let before: u16 = (1..self.month).map(|m| u16::from(days_in_month(self.year, m))).sum();
        before + u16::from(self.day)
    }

    /// ISO 8601 week-based year and week.
    pub fn iso_week(&self) -> (i64, u8) {
        let weekday = (i64::from(self.wday()) + 6) % 7;
        let week = (i64::from(self.yday()) - 1 - weekday + 10) / 7;
        let weeks_of = |year: i64| {
            let first = Civil { year, month: 1, day: 1, hour: 0, min: 0, sec: 0 }.wday();
            if first == 4 || first == 3 && is_leap(year) { 53 } else { 52 }
        };
        if week < 1 {
            (self.year - 1, weeks_of(self.year - 1))
        } else if week > i64::from(weeks_of(self.year)) {
            (self.year + 1, 1)
        } else {
            (self.year, week as u8)
        }
    }
}
