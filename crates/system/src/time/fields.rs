//! Time's parts: date, time of day, zone, conversions to numbers and Arrays.

use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_support::time_fmt::Civil;
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::create::ratio_value;
use super::moment::{Moment, View, abbreviation, civil, moment, zone_info};

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("year", year, 0, 0).leaf(),
    NativeDef::new("month", month, 0, 0).leaf(),
    NativeDef::new("mon", month, 0, 0).leaf(),
    NativeDef::new("day", day, 0, 0).leaf(),
    NativeDef::new("mday", day, 0, 0).leaf(),
    NativeDef::new("hour", hour, 0, 0).leaf(),
    NativeDef::new("min", min, 0, 0).leaf(),
    NativeDef::new("sec", sec, 0, 0).leaf(),
    NativeDef::new("wday", wday, 0, 0).leaf(),
    NativeDef::new("yday", yday, 0, 0).leaf(),
    NativeDef::new("sunday?", sunday, 0, 0).leaf(),
    NativeDef::new("monday?", monday, 0, 0).leaf(),
    NativeDef::new("tuesday?", tuesday, 0, 0).leaf(),
    NativeDef::new("wednesday?", wednesday, 0, 0).leaf(),
    NativeDef::new("thursday?", thursday, 0, 0).leaf(),
    NativeDef::new("friday?", friday, 0, 0).leaf(),
    NativeDef::new("saturday?", saturday, 0, 0).leaf(),
    NativeDef::new("nsec", nsec, 0, 0).leaf(),
    NativeDef::new("tv_nsec", nsec, 0, 0).leaf(),
    NativeDef::new("usec", usec, 0, 0).leaf(),
    NativeDef::new("tv_usec", usec, 0, 0).leaf(),
    NativeDef::new("subsec", subsec, 0, 0).leaf(),
    NativeDef::new("to_i", to_i, 0, 0).leaf(),
    NativeDef::new("tv_sec", to_i, 0, 0).leaf(),
    NativeDef::new("to_f", to_f, 0, 0).leaf(),
    NativeDef::new("to_r", to_r, 0, 0).leaf(),
    NativeDef::new("to_a", to_a, 0, 0).leaf(),
    NativeDef::new("zone", zone, 0, 0).leaf(),
    NativeDef::new("utc_offset", utc_offset, 0, 0).leaf(),
    NativeDef::new("gmt_offset", utc_offset, 0, 0).leaf(),
    NativeDef::new("gmtoff", utc_offset, 0, 0).leaf(),
    NativeDef::new("utc?", is_utc, 0, 0).leaf(),
    NativeDef::new("gmt?", is_utc, 0, 0).leaf(),
    NativeDef::new("dst?", dst, 0, 0).leaf(),
    NativeDef::new("isdst", dst, 0, 0).leaf(),
    NativeDef::new("deconstruct_keys", deconstruct_keys, 1, 1),
];

macro_rules! field {
    ($($name:ident: |$c:ident| $e:expr;)*) => {
        $(fn $name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
            let m = moment(ec, this)?;
            let $c: Civil = civil(ec, &m);
            ec.int($e)
        })*
    };
}

field! {
    month: |c| i64::from(c.month);
    day: |c| i64::from(c.day);
    hour: |c| i64::from(c.hour);
    min: |c| i64::from(c.min);
    sec: |c| i64::from(c.sec);
    wday: |c| i64::from(c.wday());
    yday: |c| i64::from(c.yday());
}

/// The year in which the moment shows the date.
fn year_of(ec: &mut Ec, m: &Moment, c: &Civil) -> Res {
    asterism_core::numeric::operand::make_int(ec, m.stamp.year(c.year))
}

fn year(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let c = civil(ec, &m);
    year_of(ec, &m, &c)
}

macro_rules! weekday {
    ($($name:ident: $n:expr;)*) => {
        $(fn $name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
            let m = moment(ec, this)?;
            Ok(Value::bool(civil(ec, &m).wday() == $n))
        })*
    };
}

weekday! { sunday: 0; monday: 1; tuesday: 2; wednesday: 3; thursday: 4; friday: 5; saturday: 6; }

fn nsec(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    ec.int(i64::from(m.stamp.nsec))
}

fn usec(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    ec.int(i64::from(m.stamp.nsec / 1000))
}

fn subsec(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    ratio_value(ec, m.stamp.subsec(), true)
}

fn to_i(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    asterism_core::numeric::operand::make_int(ec, m.stamp.to_int())
}

fn to_f(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    ec.float(m.stamp.to_f64())
}

fn to_r(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    ratio_value(ec, m.stamp.ratio(), false)
}

/// The zone's name, nil for a fixed offset.
fn zone_name(ec: &mut Ec, m: &Moment) -> Res {
    match m.view {
        View::Fixed(_) => return Ok(Value::NIL),
        View::Zone(shown) => return Ok(shown.zone),
        View::Local | View::Utc => {}
    }
    let name = abbreviation(ec, m);
    ec.str_enc(name.as_bytes(), asterism_symbol::US_ASCII)
}

fn zone(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    zone_name(ec, &m)
}

fn utc_offset(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let offset = zone_info(ec, &m).offset;
    ec.int(i64::from(offset))
}

fn is_utc(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    Ok(Value::bool(m.view == View::Utc))
}

fn dst(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    Ok(Value::bool(zone_info(ec, &m).dst))
}

fn to_a(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let c = civil(ec, &m);
    let dst = zone_info(ec, &m).dst;
    let zone = zone_name(ec, &m)?;
    let year = year_of(ec, &m, &c)?;
    let small = |n: u8| Value::fixnum(i64::from(n));
    ec.array(&[
        small(c.sec),
        small(c.min),
        small(c.hour),
        small(c.day),
        small(c.month),
        year,
        small(c.wday()),
        Value::fixnum(i64::from(c.yday())),
        Value::bool(dst),
        zone,
    ])
}

const KEYS: [&str; 11] = ["year", "month", "day", "yday", "wday", "hour", "min", "sec", "subsec", "dst", "zone"];

fn deconstruct_keys(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let wanted = args[0];
    if !wanted.is_nil() && !wanted.is_type(Type::Array) {
        let name = ec.class_name_of(wanted);
        return Err(ec.type_error(format!("wrong argument type {name} (expected Array or nil)")));
    }
    let m = moment(ec, this)?;
    let c = civil(ec, &m);
    let result = ec.new_hash()?;
    for name in KEYS {
        let key = Value::sym(intern(name));
        if !wanted.is_nil() && !(0..array::len(wanted)).any(|i| array::at(wanted, i) == Some(key)) {
            continue;
        }
        let value = match name {
            "year" => year_of(ec, &m, &c)?,
            "month" => ec.int(i64::from(c.month))?,
            "day" => ec.int(i64::from(c.day))?,
            "yday" => ec.int(i64::from(c.yday()))?,
            "wday" => ec.int(i64::from(c.wday()))?,
            "hour" => ec.int(i64::from(c.hour))?,
            "min" => ec.int(i64::from(c.min))?,
            "sec" => ec.int(i64::from(c.sec))?,
            "subsec" => ratio_value(ec, m.stamp.subsec(), true)?,
            "dst" => Value::bool(zone_info(ec, &m).dst),
            _ => zone_name(ec, &m)?,
        };
        ec.hash_set(result, key, value)?;
    }
    Ok(result)
}
