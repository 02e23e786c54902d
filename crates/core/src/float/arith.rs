//! Float arithmetic: the operators, division in its forms, powers, comparisons, predicates.

use asterism_object::{Value, builtin, float};
use asterism_symbol::{intern, sym};
use asterism_vm::{Args, Ec, NativeDef, Res};

use crate::integer::compare;
use crate::numeric::operand::{Num, coerce_bin, to_f64};

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("+", add, 1, 1),
    NativeDef::new("-", sub, 1, 1),
    NativeDef::new("*", mul, 1, 1),
    NativeDef::new("/", div, 1, 1),
    NativeDef::new("quo", div, 1, 1),
    NativeDef::new("fdiv", div, 1, 1),
    NativeDef::new("%", modulo_op, 1, 1),
    NativeDef::new("modulo", modulo_op, 1, 1),
    NativeDef::new("divmod", divmod, 1, 1),
    NativeDef::new("**", pow, 1, 1),
    NativeDef::new("-@", neg, 0, 0).leaf(),
    NativeDef::new("abs", abs, 0, 0).leaf(),
    NativeDef::new("magnitude", abs, 0, 0).leaf(),
    NativeDef::new("==", compare::eq, 1, 1),
    NativeDef::new("===", compare::eq, 1, 1),
    NativeDef::new("<=>", cmp, 1, 1),
    NativeDef::new("<", compare::lt, 1, 1),
    NativeDef::new("<=", compare::le, 1, 1),
    NativeDef::new(">", compare::gt, 1, 1),
    NativeDef::new(">=", compare::ge, 1, 1),
    NativeDef::new("eql?", eql, 1, 1).leaf(),
    NativeDef::new("hash", compare::hash, 0, 0).leaf(),
    NativeDef::new("zero?", zero, 0, 0).leaf(),
    NativeDef::new("positive?", positive, 0, 0).leaf(),
    NativeDef::new("negative?", negative, 0, 0).leaf(),
    NativeDef::new("nan?", nan, 0, 0).leaf(),
    NativeDef::new("finite?", finite, 0, 0).leaf(),
    NativeDef::new("infinite?", infinite, 0, 0).leaf(),
    NativeDef::new("next_float", next_float, 0, 0).leaf(),
    NativeDef::new("prev_float", prev_float, 0, 0).leaf(),
];

/// The receiver; a Float has no uninitialised form.
#[inline(always)]
fn own(this: Value) -> f64 {
    float::to_f64(this).unwrap_or(f64::NAN)
}

/// The operand as a Float if it is an Integer or a Float.
#[inline(always)]
fn operand(v: Value) -> Option<f64> {
    match Num::of(&v) {
        Num::Flo(f) => Some(f),
        Num::Fix(n) => Some(n as f64),
        Num::Big(n) => Some(asterism_support::int::big_to_f64(n)),
        Num::Other => None,
    }
}

macro_rules! arith {
    ($name:ident, $symbol:expr, $op:tt) => {
        fn $name(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
            match operand(args[0]) {
                Some(b) => ec.float(own(this) $op b),
                None => coerce_bin(ec, this, args[0], $symbol),
            }
        }
    };
}

arith!(add, sym::PLUS, +);
arith!(sub, sym::MINUS, -);
arith!(mul, sym::MUL, *);
arith!(div, sym::DIV, /);

/// Floored quotient (as a Float) and remainder with the divisor's sign; the divisor is not 0.
fn floored(x: f64, y: f64) -> (f64, f64) {
    if y.is_nan() {
        return (y, y);
    }
    let mut rest = if y.is_infinite() && !x.is_infinite() { x } else { x % y };
    let mut quotient = if x.is_infinite() && !y.is_infinite() { x } else { ((x - rest) / y).round() };
    if y * rest < 0.0 {
        rest += y;
        quotient -= 1.0;
    }
    (quotient, rest)
}

/// `x % y` of Floats.
///
/// # Errors
/// ZeroDivisionError.
pub(crate) fn modulo(ec: &mut Ec, x: f64, y: f64) -> Res {
    if y == 0.0 {
        return Err(ec.zero_div());
    }
    ec.float(floored(x, y).1)
}

/// `x.divmod(y)` of Floats: an Integer and a Float.
///
/// # Errors
/// ZeroDivisionError; FloatDomainError if the quotient is no number.
pub(crate) fn divmod_values(ec: &mut Ec, x: f64, y: f64) -> Res {
    if y == 0.0 {
        return Err(ec.zero_div());
    }
    let (q, m) = floored(x, y);
    let q = ec.float_to_integer(q)?;
    let m = ec.float(m)?;
    ec.array(&[q, m])
}

fn modulo_op(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match operand(args[0]) {
        Some(b) => modulo(ec, own(this), b),
        None => coerce_bin(ec, this, args[0], sym::MOD),
    }
}

fn divmod(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match operand(args[0]) {
        Some(b) => divmod_values(ec, own(this), b),
        None => coerce_bin(ec, this, args[0], intern("divmod")),
    }
}

/// `x ** y` of Floats: a Complex where the real power does not exist.
///
/// # Errors
/// NoMemoryError.
pub(crate) fn power(ec: &mut Ec, x: f64, y: f64) -> Res {
    if x < 0.0 && y != y.round() {
        return polar_pi(ec, (-x).powf(y), y);
    }
    ec.float(x.powf(y))
}

/// The Complex of magnitude `abs` at angle `half_turns * pi`, exact at quarter turns.
fn polar_pi(ec: &mut Ec, abs: f64, half_turns: f64) -> Res {
    let turn = half_turns - 2.0 * (half_turns / 2.0).floor();
    let (re, im) = if turn == 0.5 {
        (0.0, abs)
    } else if turn == 1.5 {
        (0.0, -abs)
    } else {
        let angle = std::f64::consts::PI * half_turns;
        (abs * angle.cos(), abs * angle.sin())
    };
    let re = ec.float(re)?;
    let im = ec.float(im)?;
    crate::numeric::new_complex(ec, re, im)
}

fn pow(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match operand(args[0]) {
        Some(b) => power(ec, own(this), b),
        None => coerce_bin(ec, this, args[0], sym::POW),
    }
}

fn neg(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.float(-own(this))
}

fn abs(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.float(own(this).abs())
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let f = own(this);
    // An infinity compares with whatever says that it is infinite too.
    if matches!(Num::of(&other), Num::Other) && f.is_infinite() && ec.respond_to(other, intern("infinite?"), true)? {
        let side = ec.call(other, intern("infinite?"), &[])?;
        let own_side = if f > 0.0 { 1 } else { -1 };
        let other_side = if side.truthy() { ec.compare_result(side, this, other)? as i64 } else { 0 };
        let order = if other_side == own_side { 0 } else { own_side };
        return Ok(Value::fixnum(order));
    }
    compare::cmp(ec, this, args)
}

fn eql(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    // One NaN is the same object as itself and yet not `eql?`.
    let same = builtin::eql(ec, this, args[0]).unwrap_or(false);
    Ok(Value::bool(same && !own(this).is_nan()))
}

fn zero(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(own(this) == 0.0))
}

fn positive(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(own(this) > 0.0))
}

fn negative(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(own(this) < 0.0))
}

fn nan(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(own(this).is_nan()))
}

fn finite(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(own(this).is_finite()))
}

fn infinite(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let f = own(this);
    Ok(if f.is_infinite() { Value::fixnum(if f > 0.0 { 1 } else { -1 }) } else { Value::NIL })
}

fn next_float(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.float(own(this).next_up())
}

fn prev_float(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.float(own(this).next_down())
}

/// `Float#coerce`.
pub(super) fn coerce(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = match args[0].is_type(asterism_object::types::Type::String) {
        true => crate::numeric::operand::to_float_strict(ec, args[0])?,
        false => to_f64(ec, args[0])?,
    };
    let other = ec.float(other)?;
    ec.array(&[other, this])
}
