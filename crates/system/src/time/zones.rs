//! The zone arguments of Time's methods, and zone objects: whatever answers `utc_to_local` and `local_to_utc`.

use asterism_object::types::Type;
use asterism_object::{Value, bigint, string};
use asterism_support::time_fmt::{UtcOffset, parse_utc_offset};
use asterism_symbol::{Sym, intern, sym};
use asterism_vm::{Ec, Raised, Res};
use num_bigint::BigInt;

use super::create::{exact, out_of_range};
use super::moment::{Shown, View, is_time, moment, new_time};
use super::stamp::Stamp;
use asterism_core::numeric::operand::{check, int_of, to_int_object};
use asterism_object::space::WellKnown;

/// The zone that a calendar date is in.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// The local one; `dst`: the earlier of two instants that have the same date and time.
    Local { dst: bool },
    /// UTC.
    Utc,
    /// Seconds east of UTC.
    Fixed(i32),
    /// An object, or a name that `find_timezone` may know.
    Object(Value),
}

/// The offset that a String or a number stands for; `None` for a String that is no offset.
fn offset(ec: &mut Ec, zone: Value) -> Res<Option<Wanted>> {
    if let Some(s) = ec.check_string(zone)? {
        return match string::with_bytes(ec, s, |text, _| parse_utc_offset(text)) {
            Ok(UtcOffset::Utc) => Ok(Some(Wanted::Utc)),
            Ok(UtcOffset::Fixed(offset)) => Ok(Some(Wanted::Fixed(offset))),
            Err(error) if error.message.starts_with(b"utc_offset") => check(ec, Err(error)),
            Err(_) => Ok(None),
        };
    }
    match exact(ec, zone, 1)?.truncated().map(i32::try_from) {
        Some(Ok(offset)) if offset.abs() < 86_400 => Ok(Some(Wanted::Fixed(offset))),
        _ => Err(offset_out_of_range(ec)),
    }
}

fn offset_out_of_range(ec: &mut Ec) -> Raised {
    ec.arg_error("utc_offset out of range")
}

/// What `Time.new` is asked for; nil is the local zone.
pub(super) fn wanted(ec: &mut Ec, zone: Option<Value>) -> Res<Wanted> {
    let Some(zone) = zone.filter(|v| !v.is_nil()) else {
        return Ok(Wanted::Local { dst: false });
    };
    if let Some(name) = zone.as_sym() {
        match &*name.text() {
            "dst" => return Ok(Wanted::Local { dst: true }),
            "std" => return Ok(Wanted::Local { dst: false }),
            _ => {}
        }
    }
    if !bigint::is_integer(zone) && !zone.is_type(Type::String) {
        return Ok(Wanted::Object(zone));
    }
    Ok(offset(ec, zone)?.unwrap_or(Wanted::Object(zone)))
}

/// Calls a method of a zone if it has it.
fn ask(ec: &mut Ec, zone: Value, name: Sym, args: &[Value]) -> Res<Option<Value>> {
    if !ec.respond_to(zone, name, true)? {
        return Ok(None);
    }
    ec.call(zone, name, args).map(Some)
}

/// What zone objects are given: the fields of an instant, or of a local date and time, as a UTC time.
fn fields(ec: &mut Ec, seconds: &BigInt) -> Res {
    let class = ec.class(WellKnown::Time);
    match Stamp::from_seconds(seconds) {
        Some(stamp) => new_time(ec, class, stamp, View::Utc),
        None => Err(out_of_range(ec)),
    }
}

/// The seconds of what a zone object has answered.
fn seconds_of(ec: &mut Ec, answer: Value) -> Res<BigInt> {
    if is_time(answer) {
        let m = moment(ec, answer)?;
        let offset = match m.view {
            View::Fixed(offset) => offset,
            _ => 0,
        };
        return Ok(m.stamp.seconds() + offset);
    }
    let n = ec.call(answer, sym::to_i, &[])?;
    let n = to_int_object(ec, n)?;
    Ok(int_of(ec, n)?.into_big())
}

fn shown(ec: &mut Ec, zone: Value, local: &BigInt, utc: &BigInt, fields: Value) -> Res<View> {
    let offset = match i32::try_from(local - utc) {
        Ok(offset) if offset.abs() < 86_400 => offset,
        _ => return Err(offset_out_of_range(ec)),
    };
    let dst = ask(ec, zone, intern("dst?"), &[fields])?.is_some_and(|v| v.truthy());
    Ok(View::Zone(Shown { zone, offset, dst }))
}

/// How a zone object shows an instant; `None` if it is no zone.
fn from_utc(ec: &mut Ec, zone: Value, stamp: &Stamp) -> Res<Option<View>> {
    if !ec.respond_to(zone, sym::utc_to_local, true)? {
        return Ok(None);
    }
    let utc = stamp.seconds();
    let given = fields(ec, &utc)?;
    let answer = ec.call(zone, sym::utc_to_local, &[given])?;
    let local = seconds_of(ec, answer)?;
    shown(ec, zone, &local, &utc, given).map(Some)
}

/// The zone object that the class knows by a name.
fn find(ec: &mut Ec, class: Value, name: Value) -> Res<Value> {
    match ask(ec, class, intern("find_timezone"), &[name])?.filter(|v| !v.is_nil()) {
        Some(zone) => Ok(zone),
        None => Err(unknown(ec, name)),
    }
}

/// The message of a zone that is none.
fn unknown(ec: &mut Ec, zone: Value) -> Raised {
    let text = match ec.to_s(zone) {
        Ok(text) => string::to_vec(ec, text),
        Err(raised) => return raised,
    };
    let expected = b"\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: ";
    ec.arg_error([&expected[..], &text].concat())
}

/// How an instant is shown in the zone given; nil is the local one.
pub(super) fn view_at(ec: &mut Ec, class: Value, zone: Option<Value>, stamp: &Stamp) -> Res<View> {
    let Some(zone) = zone.filter(|v| !v.is_nil()) else {
        return Ok(View::Local);
    };
    if let Some(view) = from_utc(ec, zone, stamp)? {
        return Ok(view);
    }
    match offset(ec, zone)? {
        Some(Wanted::Utc) => Ok(View::Utc),
        Some(Wanted::Fixed(offset)) => Ok(View::Fixed(offset)),
        _ => {
            let found = find(ec, class, zone)?;
            match from_utc(ec, found, stamp)? {
                Some(view) => Ok(view),
                None => Err(unknown(ec, zone)),
            }
        }
    }
}

/// The same view of another instant: a zone object is asked again.
pub(super) fn again(ec: &mut Ec, view: View, stamp: &Stamp) -> Res<View> {
    match view {
        View::Zone(shown) => Ok(from_utc(ec, shown.zone, stamp)?.unwrap_or(view)),
        _ => Ok(view),
    }
}

/// The instant of a local date and time in a zone object's zone, and how it is shown.
pub(super) fn from_local(ec: &mut Ec, class: Value, zone: Value, local: BigInt) -> Res<(BigInt, View)> {
    let given = fields(ec, &local)?;
    let (zone, answer) = match ask(ec, zone, sym::local_to_utc, &[given])? {
        Some(answer) => (zone, answer),
        None => match offset(ec, zone)? {
            Some(Wanted::Fixed(offset)) => return Ok((local - offset, View::Fixed(offset))),
            Some(_) => return Ok((local, View::Utc)),
            None => {
                let found = find(ec, class, zone)?;
                match ask(ec, found, sym::local_to_utc, &[given])? {
                    Some(answer) => (found, answer),
                    None => return Err(ec.arg_error("utc_offset expected")),
                }
            }
        },
    };
    let utc = seconds_of(ec, answer)?;
    let view = shown(ec, zone, &local, &utc, given)?;
    Ok((utc, view))
}

/// What `strftime("%Z")` says of a zone object.
pub(super) fn abbreviation(ec: &mut Ec, zone: Value, stamp: &Stamp) -> Res<String> {
    let given = fields(ec, &stamp.seconds())?;
    let found = match ask(ec, zone, intern("abbr"), &[given])? {
        Some(text) => Some(text),
        None => {
            let format = ec.str("%Z")?;
            match ask(ec, zone, intern("strftime"), &[format, given])? {
                Some(text) => Some(text),
                None => ask(ec, zone, sym::name, &[])?,
            }
        }
    };
    let text = ec.to_s(found.unwrap_or(Value::NIL))?;
    Ok(String::from_utf8_lossy(&string::to_vec(ec, text)).into_owned())
}
