//! Time's order, differences and rounding.

use asterism_object::builtin;
use asterism_object::space::WellKnown;
use asterism_object::{Value, bigint};
use asterism_support::int::Rounding;
use asterism_symbol::sym;
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::create::{digits_arg, exact, out_of_range};
use super::exact::Exact;
use super::moment::{is_time, moment, new_time, whole};
use super::stamp;
use super::zones;

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("+", plus, 1, 1),
    NativeDef::new("-", minus, 1, 1),
    NativeDef::new("<=>", cmp, 1, 1),
    NativeDef::new("eql?", eql, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("round", round, 0, 1),
    NativeDef::new("floor", floor, 0, 1),
    NativeDef::new("ceil", ceil, 0, 1),
];

fn moved(ec: &mut Ec, this: Value, seconds: Exact) -> Res {
    let m = moment(ec, this)?;
    let class = ec.class(WellKnown::Time);
    match m.stamp.plus(seconds) {
        Some(stamp) => {
            let view = zones::again(ec, m.view, &stamp)?;
            new_time(ec, class, stamp, view)
        }
        None => Err(out_of_range(ec)),
    }
}

fn plus(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if is_time(args[0]) {
        return Err(ec.type_error("time + time?"));
    }
    let seconds = exact(ec, args[0], 1)?;
    moved(ec, this, seconds)
}

fn minus(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let (Some(a), Some(b)) = (whole(this), whole(args[0])) {
        return ec.float(stamp::difference(a, b));
    }
    if is_time(args[0]) {
        let (a, b) = (moment(ec, this)?, moment(ec, args[0])?);
        return ec.float(a.stamp.minus(&b.stamp));
    }
    let seconds = exact(ec, args[0], 1)?;
    moved(ec, this, seconds.negated())
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let (Some(a), Some(b)) = (whole(this), whole(args[0])) {
        return Ok(Value::fixnum(a.cmp(&b) as i64));
    }
    let other = args[0];
    let own = moment(ec, this)?;
    if is_time(other) {
        let (a, b) = (own, moment(ec, other)?);
        return Ok(Value::fixnum(a.stamp.cmp(&b.stamp) as i64));
    }
    if !other.is_heap() {
        return Ok(Value::NIL);
    }
    ec.check_stack()?;
    // The other's word, turned round.
    let answer = ec.call(other, sym::CMP, &[this])?;
    if answer.is_nil() || !bigint::is_integer(answer) {
        return Ok(Value::NIL);
    }
    let order = ec.compare_result(answer, other, this)?;
    Ok(Value::fixnum(order.reverse() as i64))
}

fn eql(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let a = moment(ec, this)?;
    if !is_time(args[0]) {
        return Ok(Value::FALSE);
    }
    let b = moment(ec, args[0])?;
    Ok(Value::bool(a.stamp == b.stamp))
}

fn hash(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stamp = moment(ec, this)?.stamp;
    let mut h = builtin::combine(builtin::mix(stamp.sec as u64), u64::from(stamp.nsec));
    if let Some(cycles) = &stamp.cycles {
        h = cycles
            .iter_u64_digits()
            .fold(builtin::combine(h, u64::from(cycles.sign() == num_bigint::Sign::Minus)), builtin::combine);
    }
    if let Some(rest) = &stamp.rest {
        for part in [&rest.0, &rest.1] {
            h = part.iter_u64_digits().fold(h, builtin::combine);
        }
    }
    Ok(builtin::number(ec, h))
}

fn rounded(ec: &mut Ec, this: Value, digits: Option<Value>, mode: Rounding) -> Res {
    let digits = digits_arg(ec, digits.filter(|digits| !digits.is_nil()))?;
    let m = moment(ec, this)?;
    let class = ec.class(WellKnown::Time);
    match m.stamp.rounded(digits, mode) {
        Some(stamp) => {
            let view = zones::again(ec, m.view, &stamp)?;
            new_time(ec, class, stamp, view)
        }
        None => Err(out_of_range(ec)),
    }
}

fn round(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    rounded(ec, this, args.get(0), Rounding::HalfUp)
}

fn floor(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    rounded(ec, this, args.get(0), Rounding::Floor)
}

fn ceil(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    rounded(ec, this, args.get(0), Rounding::Ceil)
}
