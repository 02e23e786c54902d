//! Time as text.

use asterism_object::{Value, string};
use asterism_support::time_fmt::{TimeParts, strftime};
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_integer::Integer;

use super::create::digits_arg;
use super::moment::{Moment, View, abbreviation, civil, moment, zone_info};
use super::zones;
use asterism_core::numeric::operand::check;

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("asctime", asctime, 0, 0).leaf(),
    NativeDef::new("ctime", asctime, 0, 0).leaf(),
    NativeDef::new("strftime", format, 1, 1),
    NativeDef::new("xmlschema", xmlschema, 0, 1),
    NativeDef::new("iso8601", xmlschema, 0, 1),
];

fn formatted(ec: &mut Ec, m: &Moment, format: &[u8]) -> Res<Vec<u8>> {
    let info = zone_info(ec, m);
    let named = memchr::memchr(b'Z', format).is_some();
    let name = match m.view {
        _ if !named => String::new(),
        View::Zone(shown) => zones::abbreviation(ec, shown.zone, &m.stamp)?,
        _ => abbreviation(ec, m),
    };
    let parts = TimeParts {
        civil: civil(ec, m),
        nsec: m.stamp.nsec,
        rest: m.stamp.rest.as_deref(),
        epoch: m.stamp.sec,
        cycles: m.stamp.cycles.as_deref(),
        offset: info.offset,
        utc: m.view == View::Utc,
        zone: name.as_bytes(),
    };
    check(ec, strftime(format, &parts))
}

/// A line of text that is written without memory of its own.
struct Line {
    bytes: [u8; 48],
    len: usize,
}

impl Line {
    /// `YYYY-MM-DD`, the separator, `HH:MM:SS`; `None` for a year that has not four digits.
    fn date_time(ec: &mut Ec, m: &Moment, separator: u8) -> Option<Line> {
        let c = civil(ec, m);
        let year = u16::try_from(c.year).ok().filter(|year| *year <= 9999 && m.stamp.cycles.is_none())?;
        let mut line = Line { bytes: [0; 48], len: 0 };
        line.two((year / 100) as u8);
        for (mark, n) in
            [(0, (year % 100) as u8), (b'-', c.month), (b'-', c.day), (separator, c.hour), (b':', c.min), (b':', c.sec)]
        {
            if mark != 0 {
                line.push(mark);
            }
            line.two(n);
        }
        Some(line)
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[inline]
    fn two(&mut self, n: u8) {
        self.push(b'0' + n / 10);
        self.push(b'0' + n % 10);
    }

    fn text(&mut self, text: &[u8]) {
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }

    /// A point and the first digits of a number of nanoseconds, at most nine.
    fn fraction(&mut self, nsec: u32, digits: usize) {
        self.push(b'.');
        let mut left = nsec;
        for place in self.bytes[self.len..self.len + 9].iter_mut().rev() {
            *place = b'0' + (left % 10) as u8;
            left /= 10;
        }
        self.len += digits;
    }

    /// Sign, hours and minutes of an offset.
    fn offset(&mut self, offset: i32, between: &[u8]) {
        self.push(if offset < 0 { b'-' } else { b'+' });
        let minutes = offset.unsigned_abs() / 60;
        self.two((minutes / 60) as u8);
        self.text(between);
        self.two((minutes % 60) as u8);
    }

    fn written(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

fn ascii(ec: &mut Ec, bytes: &[u8]) -> Res {
    ec.str_enc(bytes, asterism_symbol::US_ASCII)
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    if let Some(mut line) = Line::date_time(ec, &m, b' ') {
        push_zone(ec, &m, &mut line);
        return ascii(ec, line.written());
    }
    let format: &[u8] = if m.view == View::Utc { b"%Y-%m-%d %H:%M:%S UTC" } else { b"%Y-%m-%d %H:%M:%S %z" };
    let text = formatted(ec, &m, format)?;
    ascii(ec, &text)
}

/// A space, and UTC or the offset.
fn push_zone(ec: &mut Ec, m: &Moment, line: &mut Line) {
    if m.view == View::Utc {
        line.text(b" UTC");
    } else {
        let offset = zone_info(ec, m).offset;
        line.push(b' ');
        line.offset(offset, b"");
    }
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    if m.stamp.rest.is_none()
        && let Some(mut line) = Line::date_time(ec, &m, b' ')
    {
        if m.stamp.nsec != 0 {
            line.fraction(m.stamp.nsec, 9);
            while line.written().last() == Some(&b'0') {
                line.len -= 1;
            }
        }
        push_zone(ec, &m, &mut line);
        let over = zone_info(ec, &m).offset.unsigned_abs() % 60;
        if over != 0 {
            line.two(over as u8);
        }
        return ascii(ec, line.written());
    }
    let mut text = formatted(ec, &m, b"%Y-%m-%d %H:%M:%S")?;
    if m.stamp.rest.is_some() {
        let (num, den) = m.stamp.subsec();
        let divisor = num.gcd(&den);
        text.extend_from_slice(std::format!(" {}/{}", num / &divisor, den / divisor).as_bytes());
    } else if m.stamp.nsec != 0 {
        let digits = std::format!("{:09}", m.stamp.nsec);
        text.push(b'.');
        text.extend_from_slice(digits.trim_end_matches('0').as_bytes());
    }
    if m.view == View::Utc {
        text.extend_from_slice(b" UTC");
    } else {
        let offset = zone_info(ec, &m).offset;
        let (sign, size) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
        text.extend_from_slice(std::format!(" {sign}{:02}{:02}", size / 3600, size / 60 % 60).as_bytes());
        if size % 60 != 0 {
            text.extend_from_slice(std::format!("{:02}", size % 60).as_bytes());
        }
    }
    ascii(ec, &text)
}

fn asctime(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let text = formatted(ec, &m, b"%a %b %e %T %Y")?;
    ascii(ec, &text)
}

fn format(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let format = ec.to_str(args[0])?;
    let encoding = string::encoding(format);
    if !asterism_support::Encoding::from_index(usize::from(encoding)).is_some_and(|e| e.is_ascii_compatible()) {
        return Err(ec.arg_error("format should have ASCII compatible encoding"));
    }
    let bytes = ec.bytes_of(format)?;
    if bytes.is_empty() && ec.vm().verbose.load(std::sync::atomic::Ordering::Relaxed) == 2 {
        asterism_vm::load::warn(ec, "strftime called with empty format string")?;
    }
    let m = moment(ec, this)?;
    let text = formatted(ec, &m, &bytes)?;
    ec.str_enc(&text, encoding)
}

fn xmlschema(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let digits = digits_arg(ec, args.get(0))?;
    let m = moment(ec, this)?;
    if digits <= 9
        && let Some(mut line) = Line::date_time(ec, &m, b'T')
    {
        if digits > 0 {
            line.fraction(m.stamp.nsec, digits as usize);
        }
        if m.view == View::Utc {
            line.push(b'Z');
        } else {
            let offset = zone_info(ec, &m).offset;
            line.offset(offset, b":");
        }
        return ascii(ec, line.written());
    }
    let mut text = formatted(ec, &m, b"%Y-%m-%dT%H:%M:%S")?;
    if digits > 0 {
        text.push(b'.');
        text.extend(m.stamp.digits(digits));
    }
    let zone = if m.view == View::Utc { b"Z".to_vec() } else { formatted(ec, &m, b"%:z")? };
    text.extend_from_slice(&zone);
    ascii(ec, &text)
}
