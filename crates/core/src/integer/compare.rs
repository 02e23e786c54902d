//! Integer comparisons, predicates, `hash`.

use std::cmp::Ordering;

use asterism_object::{Value, builtin};
use asterism_support::int::Int;
use asterism_symbol::sym;
use asterism_vm::native::Intrinsic;
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};

use crate::numeric::operand::{Num, bad_receiver, coerce_cmp, coerce_relop};

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("==", eq, 1, 1),
    NativeDef::new("===", eq, 1, 1),
    NativeDef::new("<=>", cmp, 1, 1).intrinsic(Intrinsic::Compare),
    NativeDef::new("<", lt, 1, 1),
    NativeDef::new("<=", le, 1, 1),
    NativeDef::new(">", gt, 1, 1),
    NativeDef::new(">=", ge, 1, 1),
    NativeDef::new("eql?", eql, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("zero?", zero, 0, 0).leaf().intrinsic(Intrinsic::Zero),
    NativeDef::new("positive?", positive, 0, 0).leaf().intrinsic(Intrinsic::Positive),
    NativeDef::new("negative?", negative, 0, 0).leaf().intrinsic(Intrinsic::Negative),
    NativeDef::new("even?", even, 0, 0).leaf().intrinsic(Intrinsic::Even),
    NativeDef::new("odd?", odd, 0, 0).leaf().intrinsic(Intrinsic::Odd),
    NativeDef::new("integer?", yes, 0, 0).leaf(),
    NativeDef::new("finite?", yes, 0, 0).leaf(),
    NativeDef::new("infinite?", nil, 0, 0).leaf(),
];

/// Compares a BigInt with a Float exactly.
pub(crate) fn big_cmp_float(n: &BigInt, f: f64) -> Option<Ordering> {
    if f.is_nan() {
        return None;
    }
    if f.is_infinite() {
        return Some(if f > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = BigInt::from_f64(f.trunc())?;
    // A Float as large as a BigInt has no fraction; a smaller one does not compare equal.
    Some(n.cmp(&whole))
}

/// Compares two numbers that are Integers or Floats; the outer `None`: one is neither.
pub(crate) fn order(a: Num<'_>, b: Num<'_>) -> Option<Option<Ordering>> {
    Some(match (a, b) {
        (Num::Fix(a), Num::Fix(b)) => Some(a.cmp(&b)),
        (Num::Fix(_), Num::Big(b)) => Some(if b.is_negative() { Ordering::Greater } else { Ordering::Less }),
        (Num::Big(a), Num::Fix(_)) => Some(if a.is_negative() { Ordering::Less } else { Ordering::Greater }),
        (Num::Big(a), Num::Big(b)) => Some(a.cmp(b)),
        (Num::Fix(a), Num::Flo(b)) => Int::Small(a).cmp_f64(b),
        (Num::Big(a), Num::Flo(b)) => big_cmp_float(a, b),
        (Num::Flo(a), Num::Flo(b)) => a.partial_cmp(&b),
        (Num::Flo(a), Num::Fix(b)) => Int::Small(b).cmp_f64(a).map(Ordering::reverse),
        (Num::Flo(a), Num::Big(b)) => big_cmp_float(b, a).map(Ordering::reverse),
        _ => return None,
    })
}

/// `==` of an Integer or Float.
pub(crate) fn eq(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    match order(Num::of(&this), Num::of(&other)) {
        Some(order) => Ok(Value::bool(order == Some(Ordering::Equal))),
        None if !other.is_heap() => Ok(Value::FALSE),
        None => {
            ec.check_stack()?;
            let answer = ec.call(other, sym::EQ, &[this])?;
            Ok(Value::bool(answer.truthy()))
        }
    }
}

/// `<=>` of an Integer or Float.
pub(crate) fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match order(Num::of(&this), Num::of(&args[0])) {
        Some(Some(order)) => Ok(Value::fixnum(order as i64)),
        Some(None) => Ok(Value::NIL),
        None => coerce_cmp(ec, this, args[0], sym::CMP),
    }
}

macro_rules! relop {
    ($name:ident, $symbol:expr, $test:expr) => {
        /// A relational operator of an Integer or Float.
        pub(crate) fn $name(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
            match order(Num::of(&this), Num::of(&args[0])) {
                Some(order) => Ok(Value::bool(order.is_some_and($test))),
                None => coerce_relop(ec, this, args[0], $symbol),
            }
        }
    };
}

relop!(lt, sym::LT, Ordering::is_lt);
relop!(le, sym::LE, Ordering::is_le);
relop!(gt, sym::GT, Ordering::is_gt);
relop!(ge, sym::GE, Ordering::is_ge);

fn eql(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(builtin::eql(ec, this, args[0]).unwrap_or(false)))
}

/// `hash` of an Integer or Float.
pub(crate) fn hash(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match builtin::hash(ec, this) {
        Some(h) => Ok(builtin::number(ec, h)),
        None => Err(bad_receiver(ec, this)),
    }
}

fn zero(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(this == Value::fixnum(0)))
}

/// Its sign as an order against zero.
fn sign(v: Value) -> Ordering {
    match Num::of(&v) {
        Num::Fix(n) => n.cmp(&0),
        Num::Big(n) if n.is_negative() => Ordering::Less,
        Num::Big(_) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

fn positive(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(sign(this).is_gt()))
}

fn negative(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(sign(this).is_lt()))
}

fn even(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(super::bits::is_even(this) == Some(true)))
}

fn odd(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(super::bits::is_even(this) == Some(false)))
}

fn yes(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::TRUE)
}

fn nil(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::NIL)
}
