//! Numeric, and what all numbers share: see [`operand`]. Rational and Complex are native cells whose methods
//! are in `rational` and, where speed is no concern, in Ruby (`rational.rb`, `complex.rb`).

pub mod long;
pub mod operand;
mod parse;
mod primitives;
mod rational;

use asterism_object::space::WellKnown;
use asterism_object::{Value, bigint, numeric};
use asterism_symbol::sym;
use asterism_vm::{Args, Ec, NativeDef, Res};

use crate::integer::arith;
use operand::{Num, coerce_bin, coerce_failed, int_of, numeric_class, pair_of, to_float_strict};

static NUMERIC: &[NativeDef] = &[
    NativeDef::new("coerce", coerce, 1, 1),
    NativeDef::new("+@", itself, 0, 0).leaf(),
    NativeDef::new("-@", negated, 0, 0),
    NativeDef::new("<=>", cmp, 1, 1).leaf(),
    NativeDef::new("integer?", no, 0, 0).leaf(),
    NativeDef::new("real?", yes, 0, 0).leaf(),
    NativeDef::new("remainder", remainder, 1, 1),
    NativeDef::new("dup", itself, 0, 0).leaf(),
    NativeDef::new("clone", clone, 0, 1),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Numeric);
    ec.define_natives(class, NUMERIC)?;
    primitives::init(ec);
    rational::init(ec)
}

/// A Rational of two Integers, reduced.
///
/// # Errors
/// ZeroDivisionError, NoMemoryError.
pub fn new_rational(ec: &mut Ec, numerator: Value, denominator: Value) -> Res {
    if denominator == Value::fixnum(1) {
        let made = numeric::rational(ec, numerator, denominator);
        return ec.check(Value::NIL, made);
    }
    if arith::is_zero(denominator) {
        return Err(ec.zero_div());
    }
    let divisor = arith::gcd_of(ec, numerator, denominator)?;
    let negative = int_of(ec, denominator)?.is_negative();
    let (mut n, mut d) = (numerator, denominator);
    if divisor != Value::fixnum(1) {
        n = arith::int_div(ec, Num::of(&n), Num::of(&divisor))?;
        d = arith::int_div(ec, Num::of(&d), Num::of(&divisor))?;
    }
    if negative {
        n = negate_integer(ec, n)?;
        d = negate_integer(ec, d)?;
    }
    let made = numeric::rational(ec, n, d);
    ec.check(Value::NIL, made)
}

fn negate_integer(ec: &mut Ec, v: Value) -> Res {
    let n = int_of(ec, v)?.neg();
    operand::make_int(ec, n)
}

/// A Complex of two reals.
///
/// # Errors
/// NoMemoryError.
pub fn new_complex(ec: &mut Ec, real: Value, imaginary: Value) -> Res {
    let made = numeric::complex(ec, real, imaginary);
    ec.check(Value::NIL, made)
}

/// `x.remainder(y)` by way of `%`: the sign is the dividend's.
///
/// # Errors
/// What the calls raise.
pub(crate) fn generic_remainder(ec: &mut Ec, x: Value, y: Value) -> Res {
    let (x, y) = if ec.is_kind_of(y, numeric_class(ec).0) {
        (x, y)
    } else {
        match pair_of(ec, x, y, true)? {
            Some(pair) => pair,
            None => return Err(coerce_failed(ec, x, y)),
        }
    };
    let rest = ec.call(x, sym::MOD, &[y])?;
    let zero = Value::fixnum(0);
    if ec.eq(rest, zero)? {
        return Ok(rest);
    }
    let other_side = if ec.call(x, sym::LT, &[zero])?.truthy() {
        ec.call(y, sym::GT, &[zero])?.truthy()
    } else {
        ec.call(x, sym::GT, &[zero])?.truthy() && ec.call(y, sym::LT, &[zero])?.truthy()
    };
    if !other_side {
        return Ok(rest);
    }
    if asterism_object::float::to_f64(y).is_some_and(f64::is_infinite) {
        return Ok(x);
    }
    ec.call(rest, sym::MINUS, &[y])
}

fn remainder(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    generic_remainder(ec, this, args[0])
}

fn coerce(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if ec.class_of(this) == ec.class_of(other) {
        return ec.array(&[other, this]);
    }
    let a = to_float_strict(ec, other)?;
    let b = to_float_strict(ec, this)?;
    let (a, b) = (ec.float(a)?, ec.float(b)?);
    ec.array(&[a, b])
}

fn itself(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn negated(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    coerce_zero(ec, this)
}

/// `0 - x` as Numeric defines negation, through `coerce`.
fn coerce_zero(ec: &mut Ec, this: Value) -> Res {
    coerce_bin(ec, Value::fixnum(0), this, sym::MINUS)
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let same =
        this == args[0] || bigint::is_integer(this) && asterism_object::builtin::eql(ec, this, args[0]) == Some(true);
    Ok(if same { Value::fixnum(0) } else { Value::NIL })
}

fn no(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::FALSE)
}

fn yes(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::TRUE)
}

fn clone(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (positional, keywords) = args.split_keywords();
    if !positional.is_empty() {
        return Err(ec.arg_error(format!("wrong number of arguments (given {}, expected 0)", positional.len())));
    }
    if let Some(keywords) = keywords {
        let freeze = ec.hash_get(keywords, Value::sym(sym::freeze))?;
        if freeze == Some(Value::FALSE) {
            let name = ec.class_name_of(this);
            return Err(ec.arg_error(format!("can't unfreeze {name}")));
        }
    }
    Ok(this)
}
