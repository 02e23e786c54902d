//! Float conversions: text, Integers, exact fractions, rounding.

use asterism_object::{Value, float, numeric, string};
use asterism_support::float_fmt::float_to_s;
use asterism_support::float_round::{Num, decompose, float_ceil, float_floor, float_round, float_truncate};
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_bigint::BigInt;

use crate::numeric::operand::{check, make_int, round_args};

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("inspect", to_s, 0, 0).leaf(),
    NativeDef::new("to_f", to_f, 0, 0).leaf(),
    NativeDef::new("to_i", to_i, 0, 0).leaf(),
    NativeDef::new("to_int", to_i, 0, 0).leaf(),
    NativeDef::new("to_r", to_r, 0, 0).leaf(),
    NativeDef::new("numerator", numerator, 0, 0).leaf(),
    NativeDef::new("denominator", denominator, 0, 0).leaf(),
    NativeDef::new("round", round, 0, 1).keywords(&["half"]),
    NativeDef::new("floor", floor, 0, 1),
    NativeDef::new("ceil", ceil, 0, 1),
    NativeDef::new("truncate", truncate, 0, 1),
    NativeDef::new("coerce", super::arith::coerce, 1, 1),
];

#[inline(always)]
fn own(this: Value) -> f64 {
    float::to_f64(this).unwrap_or(f64::NAN)
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = float_to_s(own(this));
    let made = string::new(ec, text.as_bytes(), asterism_symbol::US_ASCII);
    ec.check(this, made)
}

fn to_f(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn to_i(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.float_to_integer(own(this))
}

/// Numerator and denominator of the exact value.
fn exact(ec: &mut Ec, f: f64) -> Res<(Value, Value)> {
    if !f.is_finite() {
        ec.float_to_integer(f)?;
    }
    let (mut mantissa, mut exp) = decompose(f);
    if mantissa == 0 {
        return Ok((Value::fixnum(0), Value::fixnum(1)));
    }
    while mantissa & 1 == 0 && exp < 0 {
        mantissa >>= 1;
        exp += 1;
    }
    if exp >= 0 {
        let n = ec.bigint(BigInt::from(mantissa) << exp.unsigned_abs())?;
        return Ok((n, Value::fixnum(1)));
    }
    let n = ec.int(mantissa)?;
    let d = ec.bigint(BigInt::from(1) << exp.unsigned_abs())?;
    Ok((n, d))
}

fn to_r(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (n, d) = exact(ec, own(this))?;
    let made = numeric::rational(ec, n, d);
    ec.check(this, made)
}

fn numerator(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let f = own(this);
    if !f.is_finite() {
        return Ok(this);
    }
    Ok(exact(ec, f)?.0)
}

fn denominator(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let f = own(this);
    if !f.is_finite() {
        return Ok(Value::fixnum(1));
    }
    Ok(exact(ec, f)?.1)
}

fn number(ec: &mut Ec, result: asterism_support::Result<Num>) -> Res {
    match check(ec, result)? {
        Num::Float(f) => ec.float(f),
        Num::Int(n) => make_int(ec, n),
    }
}

fn digits(ec: &mut Ec, arg: Option<Value>) -> Res<i64> {
    match arg {
        None => Ok(0),
        Some(v) => ec.to_i64(v),
    }
}

fn round(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (given, half) = round_args(ec, args)?;
    let n = digits(ec, given.copied())?;
    let f = own(this);
    number(ec, float_round(f, n, half))
}

fn floor(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = digits(ec, args.get(0))?;
    number(ec, float_floor(own(this), n))
}

fn ceil(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = digits(ec, args.get(0))?;
    number(ec, float_ceil(own(this), n))
}

fn truncate(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = digits(ec, args.get(0))?;
    number(ec, float_truncate(own(this), n))
}
