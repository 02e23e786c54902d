//! Time zones: the local zone's rules, and offsets given as text.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneTransition};

use super::calendar::Civil;
use crate::error::{Error, Result};

/// What a zone says of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalInfo {
    /// Seconds east of UTC.
    pub offset: i32,
    /// Whether daylight saving time is in effect (`Time#dst?`).
    pub dst: bool,
}

/// The instants from one transition of a zone to the next, of which the zone says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first of them; `i64::MIN` if there is no transition before.
    pub from: i64,
    /// The first one after them; `i64::MAX` if there is no transition behind.
    pub until: i64,
    /// What the zone says.
    pub info: LocalInfo,
}

/// A time zone's rules.
#[derive(Clone, Debug)]
pub struct Zone {
    tz: TimeZone,
}

impl Zone {
    /// The local zone for a value of `TZ`: `None` is the system's, empty or unknown is UTC.
    pub fn local(tz: Option<&str>) -> Zone {
        let tz = match tz {
            None => TimeZone::try_system().unwrap_or(TimeZone::UTC),
            Some("" | "UTC") => TimeZone::UTC,
            Some(name) => {
                let name = name.strip_prefix(':').unwrap_or(name);
                TimeZone::get(name).or_else(|_| TimeZone::posix(name)).unwrap_or(TimeZone::UTC)
            }
        };
        Zone { tz }
    }

    /// Offset and daylight saving at an instant. Beyond the years -9999 to 9999 the rules at that end hold.
    pub fn at(&self, epoch: i64) -> LocalInfo {
        let info = self.tz.to_offset_info(nearest(epoch));
        LocalInfo { offset: info.offset().seconds(), dst: info.dst().is_dst() }
    }

    /// `Time#zone` at an instant.
    pub fn abbreviation(&self, epoch: i64) -> String {
        self.tz.to_offset_info(nearest(epoch)).abbreviation().to_string()
    }

    /// The instants around one between two transitions.
    pub fn span(&self, epoch: i64) -> Span {
        let instant = nearest(epoch);
        // Transitions are at whole seconds, and `preceding` leaves out its argument.
        let before = Timestamp::from_second(instant.as_second() + 1).unwrap_or(Timestamp::MAX);
        let second = |at: Option<TimeZoneTransition<'_>>| at.map(|at| at.timestamp().as_second());
        Span {
            from: second(self.tz.preceding(before).next()).unwrap_or(i64::MIN),
            until: second(self.tz.following(instant).next()).unwrap_or(i64::MAX),
            info: self.at(epoch),
        }
    }

    /// The instant of a local date and time. In a gap it is moved forward by the gap, a repeated time is the second of the
    /// two, as `Time.local` has it, or with `dst` the first. `None` if out of range.
    pub fn instant(&self, civil: &Civil, dst: bool) -> Option<i64> {
        let utc = civil.to_seconds()?;
        let small = i16::try_from(civil.year).ok().filter(|y| (-9998..=9998).contains(y));
        let exact = small.and_then(|year| {
            DateTime::new(year, civil.month as i8, civil.day as i8, civil.hour as i8, civil.min as i8, 0, 0).ok()
        });
        if let Some(local) = exact
            && let ambiguous = self.tz.to_ambiguous_timestamp(local)
            && let fold = matches!(ambiguous.offset(), AmbiguousOffset::Fold { .. })
            && let Ok(instant) = if dst && fold { ambiguous.earlier() } else { ambiguous.later() }
        {
            // The seconds are added here so that a leap second runs into the next minute.
            return Some(instant.as_second() + i64::from(civil.sec));
        }
        utc.checked_sub(i64::from(self.at(utc).offset))
    }

    /// The local date and time of an instant.
    pub fn civil(&self, epoch: i64) -> Civil {
        Civil::from_seconds(epoch.saturating_add(i64::from(self.at(epoch).offset)))
    }
}

/// The instant that a zone is asked about instead of one: itself, if it is in a year that zones know.
fn nearest(epoch: i64) -> Timestamp {
    let clamped = epoch.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    Timestamp::from_second(clamped).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// An offset given as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UtcOffset {
    /// `UTC`, `Z`, `-00:00`: the time is a UTC time.
    Utc,
    /// Seconds east of UTC.
    Fixed(i32),
}

/// The offset argument of `Time.new`, `Time.at(in:)`, `Time#localtime`.
pub fn parse_utc_offset(s: &[u8]) -> Result<UtcOffset> {
    let bad = || {
        let mut message =
            b"\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: ".to_vec();
        message.extend_from_slice(s);
        Error::argument(message)
    };
    if s.eq_ignore_ascii_case(b"UTC") || matches!(s, b"Z" | b"-00:00" | b"-0000" | b"-00") {
        return Ok(UtcOffset::Utc);
    }
    if let [letter] = s {
        // Military zones; J is local time and stands for none.
        let hours = match letter {
            b'A'..=b'I' => i32::from(letter - b'A') + 1,
            b'K'..=b'M' => i32::from(letter - b'K') + 10,
            b'N'..=b'Y' => -(i32::from(letter - b'N') + 1),
            _ => return Err(bad()),
        };
        return Ok(UtcOffset::Fixed(hours * 3600));
    }
    let (sign, rest) = match s {
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return Err(bad()),
    };
    let two = |at: usize| match rest.get(at..at + 2) {
        Some([a @ b'0'..=b'9', b @ b'0'..=b'9']) => Ok(i32::from(a - b'0') * 10 + i32::from(b - b'0')),
        _ => Err(bad()),
    };
    let colon = |at: usize| rest.get(at) == Some(&b':');
    let (h, m, sec) = match rest.len() {
        2 => (two(0)?, 0, 0),
        4 => (two(0)?, two(2)?, 0),
        6 => (two(0)?, two(2)?, two(4)?),
        5 if colon(2) => (two(0)?, two(3)?, 0),
        8 if colon(2) && colon(5) => (two(0)?, two(3)?, two(6)?),
        _ => return Err(bad()),
    };
    if m > 59 || sec > 59 {
        return Err(bad());
    }
    if h > 23 {
        return Err(Error::argument("utc_offset out of range"));
    }
    Ok(UtcOffset::Fixed(sign * (h * 3600 + m * 60 + sec)))
}
