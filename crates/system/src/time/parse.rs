//! `Time.new(string)`: `YYYY-MM-DD HH:MM:SS[.fraction] [zone]`.

use asterism_support::time_fmt::Civil;
use num_bigint::BigInt;

use super::exact::Exact;

/// Date and time of day, the fraction of the second, the zone as written.
type Parsed = (Civil, Exact, Option<Vec<u8>>);

/// A fraction of a second, by its digits.
fn fraction_of(digits: &[u8]) -> Exact {
    if digits.len() <= 9 {
        let number = digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0'));
        return Exact::Whole(0, number * 10_u32.pow(9 - digits.len() as u32));
    }
    let number = BigInt::parse_bytes(digits, 10).unwrap_or_default();
    Exact::Ratio(number, BigInt::from(10).pow(digits.len() as u32))
}

/// Exactly two digits at `at`.
fn two(text: &[u8], at: usize, name: &str) -> Result<u8, String> {
    let bad = || {
        let from = at.saturating_sub(1);
        let end = text.len().min(at + 10);
        let shown = String::from_utf8_lossy(text.get(from..end).unwrap_or(b""));
        format!("two digits {name} is expected:{shown}")
    };
    match text.get(at..at + 2) {
        Some([a @ b'0'..=b'9', b @ b'0'..=b'9']) if !text.get(at + 2).is_some_and(u8::is_ascii_digit) => {
            Ok((a - b'0') * 10 + (b - b'0'))
        }
        _ => Err(bad()),
    }
}

fn check_date(civil: &Civil) -> Result<(), String> {
    if !(1..=12).contains(&civil.month) {
        return Err("mon out of range".to_owned());
    }
    if !(1..=31).contains(&civil.day) {
        return Err("mday out of range".to_owned());
    }
    Ok(())
}

/// Reads it; the error is the message of the ArgumentError. `precision`: digits of the fraction that count, all of them
/// if it is `None`.
pub(super) fn parse(text: &[u8], precision: Option<i64>) -> Result<Parsed, String> {
    let shown = || String::from_utf8_lossy(text).into_owned();
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if text.first().is_some_and(|b| b.is_ascii_whitespace()) {
        return Err(format!("can't parse: {:?}", shown()));
    }
    if digits == 0 {
        return Err(format!("no year in {:?}", shown()));
    }
    let year: i64 = match std::str::from_utf8(&text[..digits]).ok().and_then(|t| t.parse().ok()) {
        Some(year) => year,
        None => return Err("argument out of range".to_owned()),
    };
    let mut civil = Civil { year, month: 1, day: 1, hour: 0, min: 0, sec: 0 };
    let mut fraction = Exact::Whole(0, 0);
    if digits == text.len() {
        return Ok((civil, fraction, None));
    }
    if digits < 4 {
        return Err(format!("year must be 4 or more digits: {}", String::from_utf8_lossy(&text[..digits])));
    }
    let mut at = digits;
    if text.get(at) != Some(&b'-') {
        return Err(format!("no time information in {:?}", shown()));
    }
    civil.month = two(text, at + 1, "mon")?;
    at += 3;
    if text.get(at) != Some(&b'-') {
        return Err(format!("no time information in {:?}", shown()));
    }
    civil.day = two(text, at + 1, "mday")?;
    at += 3;
    if !matches!(text.get(at), Some(b' ' | b'T')) || !text.get(at + 1).is_some_and(u8::is_ascii_digit) {
        let zone = text[at..].trim_ascii();
        if zone.is_empty() {
            return Err(format!("no time information in {:?}", shown()));
        }
        check_date(&civil)?;
        return Ok((civil, fraction, Some(zone.to_vec())));
    }
    let time_start = at + 1;
    let missing = |part: &str, at: usize| {
        let shown = String::from_utf8_lossy(text.get(time_start..at).unwrap_or(b"")).into_owned();
        format!("missing {part} part: {shown} ")
    };
    let whole = |part: &str, at: usize| match text.get(at) {
        Some(b'.') => {
            let shown = String::from_utf8_lossy(text.get(time_start..=at).unwrap_or(b"")).into_owned();
            Err(format!("fraction {part} is not supported: {shown}"))
        }
        _ => Ok(()),
    };
    civil.hour = two(text, at + 1, "hour")?;
    at += 3;
    whole("hour", at)?;
    if text.get(at) != Some(&b':') {
        return Err(missing("min", at));
    }
    civil.min = two(text, at + 1, "min")?;
    at += 3;
    whole("min", at)?;
    if text.get(at) != Some(&b':') {
        return Err(missing("sec", at));
    }
    civil.sec = two(text, at + 1, "sec")?;
    at += 3;
    if text.get(at) == Some(&b'.') {
        let count = text[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        let places = &text[at + 1..at + 1 + count];
        if places.is_empty() {
            let shown = String::from_utf8_lossy(&text[time_start..=at]).into_owned();
            return Err(format!("subsecond expected after dot: {shown} "));
        }
        at += 1 + places.len();
        let most = precision.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(0));
        let kept = places.len().min(most);
        fraction = fraction_of(&places[..kept]);
    }
    if text.last().is_some_and(|b| b.is_ascii_whitespace()) {
        return Err(format!("can't parse: {:?}", shown()));
    }
    let rest: &[u8] = text[at..].trim_ascii();
    check_date(&civil)?;
    Ok((civil, fraction, (!rest.is_empty()).then(|| rest.to_vec())))
}
