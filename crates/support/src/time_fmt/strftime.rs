//! `Time#strftime`.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use super::calendar::Civil;
use crate::error::{Error, Result};

/// The time to be formatted.
#[derive(Clone, Debug)]
pub struct TimeParts<'a> {
    /// Local date and time of day.
    pub civil: Civil,
    /// Nanoseconds within the second.
    pub nsec: u32,
    /// What is left of a nanosecond, as a fraction in 0...1, if it is not 0.
    pub rest: Option<&'a (BigInt, BigInt)>,
    /// Seconds since the epoch.
    pub epoch: i64,
    /// Cycles of 400 years to be added to the year and to the seconds.
    pub cycles: Option<&'a BigInt>,
    /// Seconds east of UTC.
    pub offset: i32,
    /// Whether it is a UTC time (`Time#utc?`).
    pub utc: bool,
    /// `Time#zone`, empty for none.
    pub zone: &'a [u8],
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Widths above this are refused.
const MAX_WIDTH: usize = 1 << 16;

#[derive(Clone, Copy, Default)]
struct Flags {
    left: bool,
    upper: bool,
    swap: bool,
    pad: Option<u8>,
    width: Option<usize>,
}

impl Flags {
    fn number(&self, pad: u8, width: usize, n: i64, out: &mut Vec<u8>) {
        // As most numbers of a format are: two digits, filled up in the usual way.
        if width == 2 && self.width.is_none() && self.pad.is_none() && !self.left && (0..100).contains(&n) {
            let n = n as u8;
            out.extend_from_slice(&[if n < 10 { pad } else { b'0' + n / 10 }, b'0' + n % 10]);
            return;
        }
        self.digits(pad, width, n < 0, &n.unsigned_abs().to_string(), out);
    }

    /// A number that grows with the cycles, by so much with each.
    fn far(&self, width: usize, n: i64, cycles: Option<&BigInt>, each: i64, out: &mut Vec<u8>) {
        let Some(cycles) = cycles else { return self.number(b'0', width, n, out) };
        let n = cycles * each + n;
        self.digits(b'0', width, n.sign() == num_bigint::Sign::Minus, &n.magnitude().to_string(), out);
    }

    fn digits(&self, pad: u8, width: usize, negative: bool, digits: &str, out: &mut Vec<u8>) {
        let width = if self.left { 1 } else { self.width.unwrap_or(width) };
        let sign: &[u8] = if negative { b"-" } else { b"" };
        let fill = width.saturating_sub(digits.len() + sign.len());
        if self.pad.unwrap_or(pad) == b'0' {
            out.extend_from_slice(sign);
            out.resize(out.len() + fill, b'0');
        } else {
            out.resize(out.len() + fill, b' ');
            out.extend_from_slice(sign);
        }
        out.extend_from_slice(digits.as_bytes());
    }

    fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        let fill = if self.left { 0 } else { self.width.unwrap_or(0).saturating_sub(text.len()) };
        out.resize(out.len() + fill, if self.pad == Some(b'0') { b'0' } else { b' ' });
        out.extend_from_slice(text);
    }

    /// A name: `^` and `#` both write it in upper case.
    fn name(&self, name: &str, out: &mut Vec<u8>) {
        if self.upper || self.swap {
            self.text(name.to_ascii_uppercase().as_bytes(), out);
        } else {
            self.text(name.as_bytes(), out);
        }
    }
}

/// Formats `t`. What is no directive is copied.
pub fn strftime(fmt: &[u8], t: &TimeParts<'_>) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(fmt.len() * 2);
    let mut pos = 0;
    while let Some(&b) = fmt.get(pos) {
        if b != b'%' {
            out.push(b);
            pos += 1;
            continue;
        }
        let (len, done) = directive(&fmt[pos + 1..], t, &mut out)?;
        if !done {
            out.extend_from_slice(&fmt[pos..pos + 1 + len]);
        }
        pos += 1 + len;
    }
    Ok(out)
}

/// Reads one directive after its `%`: how many bytes it spans and whether it was one.
fn directive(s: &[u8], t: &TimeParts<'_>, out: &mut Vec<u8>) -> Result<(usize, bool)> {
    let mut f = Flags::default();
    let mut pos = 0;
    loop {
        let Some(&c) = s.get(pos) else {
            return Ok((pos, false));
        };
        pos += 1;
        // Behind the width only the directive may stand.
        if f.width.is_some() && matches!(c, b'-' | b'^' | b'#' | b'_') {
            return Ok((pos, false));
        }
        match c {
            b'-' => {
                f.left = true;
                f.pad = None;
            }
            b'^' => f.upper = true,
            b'#' => f.swap = true,
            b'_' => f.pad = Some(b' '),
            b'0'..=b'9' => {
                let start = if c == b'0' {
                    f.pad = Some(b'0');
                    pos
                } else {
                    pos - 1
                };
                let digits = s[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                if digits > 0 {
                    let width = std::str::from_utf8(&s[start..start + digits])
                        .ok()
                        .and_then(|d| d.parse::<usize>().ok())
                        .filter(|&w| w <= MAX_WIDTH)
                        .ok_or_else(|| Error::range("strftime width too large"))?;
                    f.width = Some(width).filter(|&w| w > 0);
                    pos = start + digits;
                }
            }
            b':' => {
                let colons = 1 + s[pos..].iter().take_while(|&&b| b == b':').count();
                if colons > 3 || s.get(pos + colons - 1) != Some(&b'z') {
                    return Ok((pos, false));
                }
                zone_offset(&f, t, colons, out);
                return Ok((pos + colons, true));
            }
            b'E' | b'O' => {
                let allowed: &[u8] = if c == b'E' { b"cCxXyY" } else { b"deHkIlmMSuUVwWy" };
                if !s.get(pos).is_some_and(|b| allowed.contains(b)) {
                    return Ok((pos, false));
                }
            }
            _ => return Ok((pos, convert(c, f, t, out)?)),
        }
    }
}

fn convert(c: u8, f: Flags, t: &TimeParts<'_>, out: &mut Vec<u8>) -> Result<bool> {
    let civil = &t.civil;
    let hour12 = i64::from((civil.hour + 11) % 12 + 1);
    let year_width = |y: i64| if y < 0 { 5 } else { 4 };
    let composite = match c {
        b'c' => "%a %b %e %H:%M:%S %Y",
        b'D' | b'x' => "%m/%d/%y",
        b'F' => "%Y-%m-%d",
        b'v' => "%e-%^b-%4Y",
        b'X' | b'T' => "%H:%M:%S",
        b'r' => "%I:%M:%S %p",
        b'R' => "%H:%M",
        _ => "",
    };
    if !composite.is_empty() {
        let mut text = strftime(composite.as_bytes(), t)?;
        if f.upper {
            text.make_ascii_uppercase();
        }
        f.text(&text, out);
        return Ok(true);
    }
    match c {
        b'Y' => f.far(year_width(civil.year), civil.year, t.cycles, 400, out),
        b'C' => f.far(2, civil.year.div_euclid(100), t.cycles, 4, out),
        b'y' => f.number(b'0', 2, civil.year.rem_euclid(100), out),
        b'm' => f.number(b'0', 2, i64::from(civil.month), out),
        b'B' => f.name(month_name(civil), out),
        b'b' | b'h' => f.name(&month_name(civil)[..3], out),
        b'd' => f.number(b'0', 2, i64::from(civil.day), out),
        b'e' => f.number(b' ', 2, i64::from(civil.day), out),
        b'j' => f.number(b'0', 3, i64::from(civil.yday()), out),
        b'H' => f.number(b'0', 2, i64::from(civil.hour), out),
        b'k' => f.number(b' ', 2, i64::from(civil.hour), out),
        b'I' => f.number(b'0', 2, hour12, out),
        b'l' => f.number(b' ', 2, hour12, out),
        b'M' => f.number(b'0', 2, i64::from(civil.min), out),
        b'S' => f.number(b'0', 2, i64::from(civil.sec), out),
        b's' => f.far(1, t.epoch, t.cycles, 146_097 * 86_400, out),
        b'P' => {
            let text = if civil.hour < 12 { "am" } else { "pm" };
            let text = if f.upper || f.swap { text.to_ascii_uppercase() } else { text.to_string() };
            f.text(text.as_bytes(), out);
        }
        b'p' => {
            let am = civil.hour < 12;
            f.text(
                match (am, f.swap) {
                    (true, false) => b"AM",
                    (true, true) => b"am",
                    (false, false) => b"PM",
                    (false, true) => b"pm",
                },
                out,
            );
        }
        b'L' | b'N' => {
            let digits = f.width.unwrap_or(if c == b'L' { 3 } else { 9 });
            let mut text = format!("{:09}", t.nsec).into_bytes();
            if let Some((num, den)) = t.rest {
                let mut left = num.clone();
                while text.len() < digits && !left.is_zero() {
                    let (digit, over) = (left * 10_u8).div_mod_floor(den);
                    text.push(b'0' + u8::try_from(digit).unwrap_or(0));
                    left = over;
                }
            }
            text.resize(digits, b'0');
            out.extend_from_slice(&text);
        }
        b'z' => zone_offset(&f, t, 0, out),
        b'Z' => {
            let text = if f.swap { t.zone.to_ascii_lowercase() } else { t.zone.to_vec() };
            let text = if f.upper { text.to_ascii_uppercase() } else { text };
            f.text(&text, out);
        }
        b'A' => f.name(DAYS[usize::from(civil.wday())], out),
        b'a' => f.name(&DAYS[usize::from(civil.wday())][..3], out),
        b'u' => f.number(b'0', 1, i64::from((civil.wday() + 6) % 7 + 1), out),
        b'w' => f.number(b'0', 1, i64::from(civil.wday()), out),
        b'G' => {
            let year = civil.iso_week().0;
            f.far(year_width(year), year, t.cycles, 400, out);
        }
        b'g' => f.number(b'0', 2, civil.iso_week().0.rem_euclid(100), out),
        b'V' => f.number(b'0', 2, i64::from(civil.iso_week().1), out),
        b'U' => f.number(b'0', 2, week(civil, civil.wday()), out),
        b'W' => f.number(b'0', 2, week(civil, (civil.wday() + 6) % 7), out),
        b'n' => f.text(b"\n", out),
        b't' => f.text(b"\t", out),
        b'%' => f.text(b"%", out),
        _ => return Ok(false),
    }
    Ok(true)
}

fn month_name(civil: &Civil) -> &'static str {
    MONTHS[usize::from(civil.month.clamp(1, 12) - 1)]
}

/// Week of the year counted from the first day of the week the weekday is relative to.
fn week(civil: &Civil, weekday: u8) -> i64 {
    (i64::from(civil.yday()) - 1 + 7 - i64::from(weekday)) / 7
}

/// `%z` with so many colons.
fn zone_offset(f: &Flags, t: &TimeParts<'_>, colons: usize, out: &mut Vec<u8>) {
    // With `-` a UTC time says that its local offset is unknown.
    let negative = t.offset < 0 || t.utc && f.left;
    let off = t.offset.unsigned_abs();
    let (hours, minutes, seconds) = (off / 3600, off / 60 % 60, off % 60);
    let parts = match colons {
        0 | 1 => 2,
        2 => 3,
        _ if off.is_multiple_of(3600) => 1,
        _ if off.is_multiple_of(60) => 2,
        _ => 3,
    };
    // Everything but the hours has a fixed length: the sign and two digits, colons between.
    let tail = (parts - 1) * if colons == 0 { 2 } else { 3 };
    let width = f.width.unwrap_or(0).saturating_sub(tail + 1).max(2);
    let sign = if negative { b'-' } else { b'+' };
    if f.pad == Some(b' ') {
        let digits = hours.to_string();
        out.resize(out.len() + width.saturating_sub(digits.len()), b' ');
        out.push(sign);
        out.extend_from_slice(digits.as_bytes());
    } else {
        out.push(sign);
        out.extend_from_slice(format!("{hours:0width$}").as_bytes());
    }
    for value in [minutes, seconds].into_iter().take(parts - 1) {
        if colons > 0 {
            out.push(b':');
        }
        out.extend_from_slice(format!("{value:02}").as_bytes());
    }
}
