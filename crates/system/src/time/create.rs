//! Making Times: `now`, `at`, `new`, `local`, `utc`, copies, changes of zone.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, bigint, float, numeric, string};
use asterism_support::int::Int;
use asterism_support::int_parse::parse_int_strict;
use asterism_support::time_fmt::Civil;
use asterism_symbol::{Sym, sym};
use asterism_vm::{ANY, Args, Ec, NativeDef, Raised, Res};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::exact::Exact;
use super::local;
use super::moment::{Moment, View, is_made, is_time, moment, new_time, set_moment};
use super::stamp::{CYCLE, Stamp, near};
use super::zones;
use super::zones::Wanted;
use asterism_core::numeric::operand::{check, to_int_object};

pub(super) static SINGLETON: &[NativeDef] = &[
    NativeDef::new("now", now, 0, 0).keywords(&["in"]),
    NativeDef::new("at", at, 1, 3).keywords(&["in"]),
    NativeDef::new("utc", utc_new, 0, ANY),
    NativeDef::new("gm", utc_new, 0, ANY),
    NativeDef::new("local", local_new, 0, ANY),
    NativeDef::new("mktime", local_new, 0, ANY),
];

pub(super) static INSTANCE: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 7).keywords(&["in", "precision"]).private(),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("utc", utc, 0, 0),
    NativeDef::new("gmtime", utc, 0, 0),
    NativeDef::new("localtime", localtime, 0, 1),
    NativeDef::new("getlocal", getlocal, 0, 1),
    NativeDef::new("getutc", getutc, 0, 0),
    NativeDef::new("getgm", getutc, 0, 0),
];

/// The system's clock.
fn system_now() -> Stamp {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    Stamp::new(now.tv_sec, u32::try_from(now.tv_nsec).unwrap_or(0))
}

pub(super) fn out_of_range(ec: &mut Ec) -> Raised {
    ec.arg_error("argument out of range")
}

/// The value of a keyword, if it is given.
fn keyword(ec: &mut Ec, keywords: Option<Value>, name: Sym) -> Res<Option<Value>> {
    match keywords {
        Some(given) => ec.hash_get(given, Value::sym(name)),
        None => Ok(None),
    }
}

/// A number of units as an exact number of seconds; `unit`: how many are a second, a power of ten up to 10⁹.
pub(super) fn exact(ec: &mut Ec, v: Value, unit: i64) -> Res<Exact> {
    if let Some(n) = v.fixnum_value() {
        return Ok(Exact::of(n, unit));
    }
    if v.is_type(Type::BigInt) {
        return Ok(Exact::Ratio(bigint::get(&v).clone(), BigInt::from(unit)));
    }
    let given = v;
    let v = if float::is_float(v) {
        if unit == 1
            && let Some(seconds) = Exact::of_float(float::get(v))
        {
            return Ok(seconds);
        }
        ec.call(v, sym::to_r, &[])?
    } else if v.is_type(Type::Rational) {
        v
    } else if v.is_type(Type::String) || v.is_nil() {
        return Err(inexact(ec, v));
    } else if ec.respond_to(v, sym::to_int, true)? && ec.respond_to(v, sym::to_r, true)? {
        ec.call(v, sym::to_r, &[])?
    } else if ec.respond_to(v, sym::to_int, true)? {
        ec.call(v, sym::to_int, &[])?
    } else {
        return Err(inexact(ec, v));
    };
    if !v.is_type(Type::Rational) {
        if bigint::is_integer(v) {
            return exact(ec, v, unit);
        }
        return Err(inexact(ec, given));
    }
    let (num, den) = numeric::parts(v);
    match (bigint::to_int(num), bigint::to_int(den)) {
        (Some(Int::Small(num)), Some(Int::Small(den))) if den > 0 => Ok(Exact::of_ratio(num, den, unit)),
        (Some(num), Some(den)) if !den.is_zero() => Ok(Exact::Ratio(num.into_big(), den.into_big() * unit)),
        _ => Err(inexact(ec, given)),
    }
}

fn inexact(ec: &mut Ec, v: Value) -> Raised {
    match ec.class_text_of(v) {
        Ok(name) => ec.type_error(format!("can't convert {name} into an exact number")),
        Err(raised) => raised,
    }
}

/// A Time so many seconds and nanoseconds, fewer than 10⁹, after the epoch, in the local zone.
///
/// # Errors
/// ArgumentError if that is out of range, NoMemoryError.
pub(crate) fn local_at(ec: &mut Ec, sec: i64, nsec: u32) -> Res {
    let class = ec.class(WellKnown::Time);
    match Stamp::whole(sec, nsec) {
        Some(stamp) => new_time(ec, class, stamp, View::Local),
        None => Err(out_of_range(ec)),
    }
}

fn now(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let zone = keyword(ec, args.split_keywords().1, sym::in_keyword)?;
    let stamp = system_now();
    let view = zones::view_at(ec, this, zone, &stamp)?;
    new_time(ec, this, stamp, view)
}

fn at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (rest, keywords) = args.split_keywords();
    if let ([seconds], None) = (rest, keywords)
        && let Some(stamp) = seconds.fixnum_value().and_then(|n| Stamp::whole(n, 0))
    {
        return new_time(ec, this, stamp, View::Local);
    }
    let zone = keyword(ec, keywords, sym::in_keyword)?;
    if rest.len() == 1 && is_time(rest[0]) {
        let m = moment(ec, rest[0])?;
        let view = if zone.is_some() { zones::view_at(ec, this, zone, &m.stamp)? } else { m.view };
        return new_time(ec, this, m.stamp, view);
    }
    let mut seconds = if is_time(rest[0]) { moment(ec, rest[0])?.stamp.exact() } else { exact(ec, rest[0], 1)? };
    if let Some(&part) = rest.get(1) {
        let unit = match rest.get(2) {
            None => 1_000_000,
            Some(&unit) => unit_of(ec, unit)?,
        };
        seconds = seconds.plus(exact(ec, part, unit)?);
    }
    match seconds.stamp() {
        Some(stamp) => {
            let view = zones::view_at(ec, this, zone, &stamp)?;
            new_time(ec, this, stamp, view)
        }
        None => Err(out_of_range(ec)),
    }
}

/// How many of a unit are a second.
fn unit_of(ec: &mut Ec, unit: Value) -> Res<i64> {
    match unit.as_sym().map(Sym::bytes) {
        Some(b"millisecond") => Ok(1_000),
        Some(b"usec" | b"microsecond") => Ok(1_000_000),
        Some(b"nsec" | b"nanosecond") => Ok(1_000_000_000),
        _ => {
            let shown = ec.to_s(unit)?;
            let shown = string::to_vec(ec, shown);
            Err(ec.arg_error([b"unexpected unit: ", &shown[..]].concat()))
        }
    }
}

/// An Integer argument: a number or its digits.
fn integer_arg(ec: &mut Ec, v: Value) -> Res<i64> {
    if let Some(n) = v.fixnum_value() {
        return Ok(n);
    }
    match whole_arg(ec, v)?.to_i64() {
        Some(n) => Ok(n),
        None => Err(too_big(ec)),
    }
}

/// The same of any size.
fn whole_arg(ec: &mut Ec, v: Value) -> Res<Int> {
    if let Some(n) = v.fixnum_value() {
        Ok(Int::Small(n))
    } else if v.is_type(Type::String) {
        let text = string::to_vec(ec, v);
        check(ec, parse_int_strict(&text, 10))
    } else {
        let n = to_int_object(ec, v)?;
        asterism_core::numeric::operand::int_of(ec, n)
    }
}

fn too_big(ec: &mut Ec) -> Raised {
    ec.range_error("bignum too big to convert into 'long'")
}

/// An argument that has to fit `bits` bits.
fn small_arg(ec: &mut Ec, v: Value, bits: u32) -> Res<u8> {
    let n = integer_arg(ec, v)?;
    match u8::try_from(n) {
        Ok(n) if u32::from(n) < 1 << bits => Ok(n),
        _ => Err(out_of_range(ec)),
    }
}

const MONTHS: [&[u8]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

fn month_arg(ec: &mut Ec, v: Value) -> Res<u8> {
    if v.is_type(Type::String) {
        let text = string::to_vec(ec, v).to_ascii_lowercase();
        if let Some(i) = MONTHS.iter().position(|m| *m == text) {
            return Ok(i as u8 + 1);
        }
    }
    let month = small_arg(ec, v, 4)?;
    if !(1..=12).contains(&month) {
        return Err(ec.arg_error("mon out of range"));
    }
    Ok(month)
}

/// The date and time of day of calendar arguments.
struct Calendar {
    /// Seconds from the epoch's date and time of day to it.
    seconds: i64,
    /// Cycles of 400 years to be added.
    cycles: Option<BigInt>,
    /// The fraction of the second.
    fraction: Exact,
}

/// Reads `[year, month, day, hour, min, sec, usec]`; nil stands for what is not given.
fn calendar(ec: &mut Ec, args: &[Value]) -> Res<Calendar> {
    let given = |i: usize| args.get(i).copied().filter(|v: &Value| !v.is_nil());
    let year = whole_arg(ec, args.first().copied().unwrap_or(Value::NIL))?;
    let month = match given(1) {
        Some(v) => month_arg(ec, v)?,
        None => 1,
    };
    let day = match given(2) {
        Some(v) => small_arg(ec, v, 5)?,
        None => 1,
    };
    if day == 0 {
        return Err(ec.arg_error("mday out of range"));
    }
    let hour = match given(3) {
        Some(v) => small_arg(ec, v, 5)?,
        None => 0,
    };
    let min = match given(4) {
        Some(v) => small_arg(ec, v, 6)?,
        None => 0,
    };
    let mut fraction = Exact::Whole(0, 0);
    let sec = match given(5) {
        None => 0,
        Some(v) if v.is_fixnum() || v.is_type(Type::String) && given(6).is_some() => small_arg(ec, v, 6)?,
        Some(v) => {
            let v = if v.is_type(Type::String) { ec.call(v, sym::to_r, &[])? } else { v };
            let (whole, over) = exact(ec, v, 1)?.split();
            fraction = over;
            match whole {
                Some(n @ 0..64) => n as u8,
                Some(_) => return Err(out_of_range(ec)),
                None => return Err(too_big(ec)),
            }
        }
    };
    if let Some(v) = given(6) {
        let v = if v.is_type(Type::String) { ec.call(v, sym::to_r, &[])? } else { v };
        match exact(ec, v, 1_000_000)?.split() {
            (Some(0), over) => fraction = over,
            _ => return Err(ec.arg_error("subsecx out of range")),
        }
    }
    finish(ec, &year, Civil { year: 0, month, day, hour, min, sec }, fraction)
}

/// Checks the fields' ranges; a day beyond its month, hour 24 and second 60 run over into what follows.
fn finish(ec: &mut Ec, year: &Int, civil: Civil, fraction: Exact) -> Res<Calendar> {
    if civil.hour > 24 {
        return Err(ec.arg_error("hour out of range"));
    }
    if civil.min > 59 {
        return Err(ec.arg_error("min out of range"));
    }
    if civil.sec > 60 {
        return Err(ec.arg_error("sec out of range"));
    }
    if civil.hour == 24 && (civil.min > 0 || civil.sec > 0) {
        return Err(ec.arg_error(if civil.min > 0 { "min out of range" } else { "sec out of range" }));
    }
    let Some((cycles, year)) = near(year) else {
        return Err(out_of_range(ec));
    };
    match (Civil { year, ..civil }).to_seconds() {
        Some(seconds) => Ok(Calendar { seconds, cycles, fraction }),
        None => Err(out_of_range(ec)),
    }
}

/// The instant of a date in the zone that is asked for, and how it is shown.
fn placed(ec: &mut Ec, class: Value, calendar: Calendar, wanted: Wanted) -> Res<(Stamp, View)> {
    let Calendar { seconds, cycles, fraction } = calendar;
    let (near, view) = match wanted {
        Wanted::Local { dst } => (local::instant(ec, seconds, dst), View::Local),
        Wanted::Utc => (Some(seconds), View::Utc),
        Wanted::Fixed(offset) => (Some(seconds - i64::from(offset)), View::Fixed(offset)),
        Wanted::Object(zone) => {
            let (utc, view) = zones::from_local(ec, class, zone, far(seconds, cycles))?;
            return in_range(ec, Exact::Ratio(utc, BigInt::one()).plus(fraction), view);
        }
    };
    let Some(near) = near else {
        return Err(out_of_range(ec));
    };
    let whole = match cycles {
        None => Exact::Whole(near, 0),
        cycles => Exact::Ratio(far(near, cycles), BigInt::one()),
    };
    in_range(ec, whole.plus(fraction), view)
}

/// Seconds with cycles added.
fn far(seconds: i64, cycles: Option<BigInt>) -> BigInt {
    cycles.map_or_else(BigInt::zero, |cycles| cycles * CYCLE) + seconds
}

fn in_range(ec: &mut Ec, seconds: Exact, view: View) -> Res<(Stamp, View)> {
    match seconds.stamp() {
        Some(stamp) => Ok((stamp, view)),
        None => Err(out_of_range(ec)),
    }
}

fn from_calendar(ec: &mut Ec, class: Value, args: Args<'_>, mut wanted: Wanted) -> Res {
    let given = args.slice();
    let nil = Value::NIL;
    let read = match given {
        // The order of `to_a`.
        [sec, min, hour, day, month, year, _, _, is_dst, _] => {
            if let Wanted::Local { dst } = &mut wanted {
                *dst = is_dst.truthy();
            }
            calendar(ec, &[*year, *month, *day, *hour, *min, *sec, nil])?
        }
        _ if given.is_empty() || given.len() > 8 => {
            return Err(ec.arity_error(given.len(), 1, Some(8)));
        }
        // An eighth argument, which is ignored, makes the seventh no fraction either.
        _ => calendar(ec, given.get(..if given.len() == 8 { 6 } else { 7 }).unwrap_or(given))?,
    };
    let (stamp, view) = placed(ec, class, read, wanted)?;
    new_time(ec, class, stamp, view)
}

fn utc_new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    from_calendar(ec, this, args, Wanted::Utc)
}

fn local_new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    from_calendar(ec, this, args, Wanted::Local { dst: false })
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if is_made(this) {
        return Err(already_made(ec));
    }
    let (rest, keywords) = args.split_keywords();
    let zone = keyword(ec, keywords, sym::in_keyword)?;
    let precision = keyword(ec, keywords, sym::precision)?;
    let in_given = zone.filter(|v| !v.is_nil());
    let seventh = rest.get(6).copied().filter(|v| !v.is_nil());
    if in_given.is_some() && seventh.is_some() {
        return Err(ec.arg_error("timezone argument given as positional and keyword arguments"));
    }
    let zone = in_given.or(seventh);
    let class = ec.real_class_of(this).0;
    let Some(first) = rest.first().copied().filter(|v| !v.is_nil()) else {
        let stamp = system_now();
        let view = zones::view_at(ec, class, zone, &stamp)?;
        set_moment(ec, this, Moment { stamp, view })?;
        return Ok(Value::NIL);
    };
    if rest.len() == 1
        && let Some(text) = ec.check_string(first)?
    {
        let digits = match precision {
            Some(Value::NIL) => None,
            Some(v) => Some(ec.to_i64(v)?),
            None => Some(9),
        };
        let parsed = string::with_bytes(ec, text, |text, _| super::parse::parse(text, digits));
        let (civil, fraction, own_zone) = match parsed {
            Ok(parsed) => parsed,
            Err(message) => return Err(ec.arg_error(message)),
        };
        let zone = match own_zone {
            Some(name) => Some(ec.str(name)?),
            None => zone,
        };
        let wanted = zones::wanted(ec, zone)?;
        let read = finish(ec, &Int::Small(civil.year), civil, fraction)?;
        let (stamp, view) = placed(ec, class, read, wanted)?;
        set_moment(ec, this, Moment { stamp, view })?;
        return Ok(Value::NIL);
    }
    let read = calendar(ec, rest.get(..6).unwrap_or(rest))?;
    let wanted = zones::wanted(ec, zone)?;
    let (stamp, view) = placed(ec, class, read, wanted)?;
    set_moment(ec, this, Moment { stamp, view })?;
    Ok(Value::NIL)
}

fn already_made(ec: &mut Ec) -> Raised {
    ec.type_error("already initialized Time")
}

fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if this == args[0] {
        return Ok(this);
    }
    ec.check_frozen(this)?;
    let class = ec.class(WellKnown::Time);
    if !ec.is_kind_of(args[0], class) {
        return Err(ec.type_error("initialize_copy should take same class object"));
    }
    let m = moment(ec, args[0])?;
    if is_made(this) {
        return Err(already_made(ec));
    }
    set_moment(ec, this, m)?;
    Ok(this)
}

/// Shows a Time in another view, in place.
fn change_view(ec: &mut Ec, this: Value, view: View) -> Res {
    let m = moment(ec, this)?;
    if m.view != view {
        ec.check_frozen(this)?;
        set_moment(ec, this, Moment { view, ..m })?;
    }
    Ok(this)
}

fn utc(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    change_view(ec, this, View::Utc)
}

/// The view of `localtime` and `getlocal`. Without an argument what a zone object shows is local time.
fn local_view(ec: &mut Ec, class: Value, m: &Moment, zone: Option<Value>) -> Res<View> {
    match m.view {
        View::Zone(_) if zone.is_none_or(|v| v.is_nil()) => zones::again(ec, m.view, &m.stamp),
        _ => zones::view_at(ec, class, zone, &m.stamp),
    }
}

fn localtime(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let class = ec.real_class_of(this).0;
    let view = local_view(ec, class, &m, args.get(0))?;
    change_view(ec, this, view)
}

fn getlocal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let class = ec.real_class_of(this).0;
    let view = local_view(ec, class, &m, args.get(0))?;
    new_time(ec, class, m.stamp, view)
}

fn getutc(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = moment(ec, this)?;
    let class = ec.real_class_of(this).0;
    new_time(ec, class, m.stamp, View::Utc)
}

/// The digits argument of the rounding methods.
pub(super) fn digits_arg(ec: &mut Ec, v: Option<Value>) -> Res<u32> {
    let Some(v) = v else { return Ok(0) };
    let n = ec.to_i64(v)?;
    if n < 0 {
        return Err(ec.arg_error("negative ndigits given"));
    }
    // More digits than any fraction of a Float has change nothing.
    Ok(u32::try_from(n.min(2000)).unwrap_or(0))
}

/// The exact fraction as a Rational, an Integer where it is one and `whole` allows it.
pub(super) fn ratio_value(ec: &mut Ec, (num, den): (BigInt, BigInt), whole: bool) -> Res {
    if whole && num.is_zero() {
        return Ok(Value::fixnum(0));
    }
    let num = asterism_core::numeric::operand::make_int(ec, Int::from_big(num))?;
    let den = asterism_core::numeric::operand::make_int(ec, Int::from_big(den))?;
    asterism_core::numeric::new_rational(ec, num, den)
}
