//! Time as text.

use asterism_object::{Value, string};
use asterism_support::time_fmt::{TimeParts, strftime};
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_integer::Integer;

use super::create::digits_arg;
use super::moment::{Moment, View, civil, moment, zone_info};
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
    let mut info = zone_info(ec, m);
    if let View::Zone(shown) = m.view
        && memchr::memchr(b'Z', format).is_some()
    {
        info.abbreviation = zones::abbreviation(ec, shown.zone, &m.stamp)?;
    }
    let parts = TimeParts {
        civil: civil(ec, m),
        nsec: m.stamp.nsec,
        rest: m.stamp.rest.as_deref(),
        epoch: m.stamp.sec,
        cycles: m.stamp.cycles.as_deref(),
        offset: info.offset,
        utc: m.view == View::Utc,
        zone: info.abbreviation.as_bytes(),
    };
    check(ec, strftime(format, &parts))
}

fn ascii(ec: &mut Ec, bytes: &[u8]) -> Res {
    ec.str_enc(bytes, asterism_symbol::US_ASCII)
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let format: &[u8] = if m.view == View::Utc { b"%Y-%m-%d %H:%M:%S UTC" } else { b"%Y-%m-%d %H:%M:%S %z" };
    let text = formatted(ec, &m, format)?;
    ascii(ec, &text)
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
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
    let bytes = string::to_vec(ec, format);
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
    let mut text = formatted(ec, &m, b"%Y-%m-%dT%H:%M:%S")?;
    if digits > 0 {
        text.push(b'.');
        text.extend(m.stamp.digits(digits));
    }
    let zone = if m.view == View::Utc { b"Z".to_vec() } else { formatted(ec, &m, b"%:z")? };
    text.extend_from_slice(&zone);
    ascii(ec, &text)
}
