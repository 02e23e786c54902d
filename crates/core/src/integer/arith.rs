//! Integer arithmetic: the operators, division in its forms, powers.

use asterism_object::Value;
use asterism_support::int::{Int, big_to_f64};
use asterism_symbol::{intern, sym};
use asterism_vm::native::Intrinsic;
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Signed;

use super::division::{gcd_of, int_div};
use crate::float::arith as float_arith;
use crate::numeric::long;
use crate::numeric::operand::{
    Num, bad_receiver, big, coerce_bin, int_of, integer_to_f64, make_int, math_domain, to_f64, to_int_object, wide_pair,
};

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("+", add, 1, 1),
    NativeDef::new("-", sub, 1, 1),
    NativeDef::new("*", mul, 1, 1),
    NativeDef::new("/", div_op, 1, 1),
    NativeDef::new("div", div, 1, 1),
    NativeDef::new("%", modulo, 1, 1),
    NativeDef::new("modulo", modulo, 1, 1),
    NativeDef::new("divmod", divmod, 1, 1),
    NativeDef::new("remainder", remainder, 1, 1),
    NativeDef::new("fdiv", fdiv, 1, 1),
    NativeDef::new("**", pow_op, 1, 1),
    NativeDef::new("pow", pow, 1, 2),
    NativeDef::new("-@", neg, 0, 0).leaf(),
    NativeDef::new("abs", abs, 0, 0).leaf().intrinsic(Intrinsic::Abs),
    NativeDef::new("magnitude", abs, 0, 0).leaf(),
    NativeDef::new("succ", succ, 0, 0).leaf().intrinsic(Intrinsic::Succ),
    NativeDef::new("next", succ, 0, 0).leaf(),
    NativeDef::new("pred", pred, 0, 0).leaf().intrinsic(Intrinsic::Pred),
    NativeDef::new("gcd", gcd, 1, 1).leaf(),
    NativeDef::new("lcm", lcm, 1, 1).leaf(),
    NativeDef::new("gcdlcm", gcdlcm, 1, 1).leaf(),
];

pub(super) static SINGLETON: &[NativeDef] =
    &[NativeDef::new("sqrt", isqrt, 1, 1), NativeDef::new("try_convert", try_convert, 1, 1)];

fn add(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let (a, b) = (Num::of(&this), Num::of(&other));
    if let Some(n) = wide_pair(&a, &b).and_then(|(a, b)| a.checked_add(b)) {
        return ec.wide_int(n);
    }
    match (a, b) {
        (Num::Big(a), Num::Fix(b)) | (Num::Fix(b), Num::Big(a)) => big(ec, a.bits() + 1, || a + b),
        (Num::Big(a), Num::Big(b)) => big(ec, a.bits().max(b.bits()) + 1, || a + b),
        (Num::Fix(a), Num::Flo(b)) => ec.float(a as f64 + b),
        (Num::Big(a), Num::Flo(b)) => ec.float(big_to_f64(a) + b),
        _ => coerce_bin(ec, this, other, sym::PLUS),
    }
}

fn sub(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let (a, b) = (Num::of(&this), Num::of(&other));
    if let Some(n) = wide_pair(&a, &b).and_then(|(a, b)| a.checked_sub(b)) {
        return ec.wide_int(n);
    }
    match (a, b) {
        (Num::Big(a), Num::Fix(b)) => big(ec, a.bits() + 1, || a - b),
        (Num::Fix(a), Num::Big(b)) => big(ec, b.bits() + 1, || a - b),
        (Num::Big(a), Num::Big(b)) => big(ec, a.bits().max(b.bits()) + 1, || a - b),
        (Num::Fix(a), Num::Flo(b)) => ec.float(a as f64 - b),
        (Num::Big(a), Num::Flo(b)) => ec.float(big_to_f64(a) - b),
        _ => coerce_bin(ec, this, other, sym::MINUS),
    }
}

fn mul(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let (a, b) = (Num::of(&this), Num::of(&other));
    if let Some(n) = wide_pair(&a, &b).and_then(|(a, b)| a.checked_mul(b)) {
        return ec.wide_int(n);
    }
    match (a, b) {
        (Num::Big(a), Num::Fix(b)) | (Num::Fix(b), Num::Big(a)) => big(ec, a.bits() + 64, || a * b),
        (Num::Big(a), Num::Big(b)) => {
            let product = long::product(ec, a, b)?;
            ec.bigint(product)
        }
        (Num::Fix(a), Num::Flo(b)) => ec.float(a as f64 * b),
        (Num::Big(a), Num::Flo(b)) => ec.float(big_to_f64(a) * b),
        _ => coerce_bin(ec, this, other, sym::MUL),
    }
}

fn div_op(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    match (Num::of(&this), Num::of(&other)) {
        (Num::Fix(a), Num::Flo(b)) => ec.float(a as f64 / b),
        (Num::Big(a), Num::Flo(b)) => ec.float(big_to_f64(a) / b),
        (_, Num::Other) => coerce_bin(ec, this, other, sym::DIV),
        (a, b) => int_div(ec, a, b),
    }
}

fn div(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    match (Num::of(&this), Num::of(&other)) {
        (_, Num::Flo(b)) => {
            if b == 0.0 {
                return Err(ec.zero_div());
            }
            ec.float_to_integer((integer_to_f64(this) / b).floor())
        }
        (_, Num::Other) => coerce_bin(ec, this, other, intern("div")),
        (a, b) => int_div(ec, a, b),
    }
}

fn modulo(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let (a, b) = (Num::of(&this), Num::of(&other));
    if let (Num::Fix(a), Num::Fix(b)) = (&a, &b)
        && *b != 0
    {
        return ec.int(Integer::mod_floor(a, b));
    }
    if let Some((a, b)) = wide_pair(&a, &b).filter(|(_, b)| *b != 0) {
        return ec.wide_int(Integer::mod_floor(&a, &b));
    }
    match (a, b) {
        (Num::Fix(_) | Num::Big(_), Num::Fix(0)) => Err(ec.zero_div()),
        (Num::Big(a), Num::Fix(b)) => {
            let m = a.mod_floor(&BigInt::from(b));
            ec.bigint(m)
        }
        (Num::Fix(a), Num::Big(b)) => {
            let m = BigInt::from(a).mod_floor(b);
            ec.bigint(m)
        }
        (Num::Big(a), Num::Big(b)) => {
            let (_, m) = long::divmod(ec, a, b)?;
            ec.bigint(m)
        }
        (_, Num::Flo(b)) => float_arith::modulo(ec, integer_to_f64(this), b),
        _ => coerce_bin(ec, this, other, sym::MOD),
    }
}

fn divmod(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let (q, m) = match (Num::of(&this), Num::of(&other)) {
        (_, Num::Flo(b)) => return float_arith::divmod_values(ec, integer_to_f64(this), b),
        (_, Num::Other) => return coerce_bin(ec, this, other, intern("divmod")),
        (Num::Fix(_) | Num::Big(_), Num::Fix(0)) => return Err(ec.zero_div()),
        (Num::Fix(a), Num::Fix(b)) => (ec.int(Integer::div_floor(&a, &b))?, ec.int(Integer::mod_floor(&a, &b))?),
        (Num::Big(a), Num::Fix(b)) => {
            let (q, m) = a.div_mod_floor(&BigInt::from(b));
            (ec.bigint(q)?, ec.bigint(m)?)
        }
        (Num::Fix(a), Num::Big(b)) => {
            let (q, m) = BigInt::from(a).div_mod_floor(b);
            (ec.bigint(q)?, ec.bigint(m)?)
        }
        (Num::Big(a), Num::Big(b)) => {
            let (q, m) = long::divmod(ec, a, b)?;
            (ec.bigint(q)?, ec.bigint(m)?)
        }
        _ => return Err(bad_receiver(ec, this)),
    };
    ec.array(&[q, m])
}

fn remainder(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    match (Num::of(&this), Num::of(&other)) {
        (Num::Fix(_) | Num::Big(_), Num::Fix(0)) => Err(ec.zero_div()),
        (Num::Fix(a), Num::Fix(b)) => ec.int(a.checked_rem(b).unwrap_or(0)),
        (Num::Big(a), Num::Fix(b)) => ec.bigint(a % b),
        (Num::Fix(a), Num::Big(b)) => ec.bigint(a % b),
        (Num::Big(a), Num::Big(b)) => {
            let m = long::remainder(ec, a, b)?;
            ec.bigint(m)
        }
        _ => crate::numeric::remainder::generic_remainder(ec, this, other),
    }
}

fn fdiv(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    match (Num::of(&this), Num::of(&other)) {
        (Num::Fix(a), Num::Fix(b)) if a.unsigned_abs() < 1 << 53 && b.unsigned_abs() < 1 << 53 => {
            ec.float(a as f64 / b as f64)
        }
        (_, Num::Flo(b)) => ec.float(integer_to_f64(this) / b),
        (_, Num::Other) => {
            let quotient = coerce_bin(ec, this, other, intern("fdiv"))?;
            let quotient = to_f64(ec, quotient)?;
            ec.float(quotient)
        }
        _ => {
            let (a, b) = (int_of(ec, this)?, int_of(ec, other)?);
            ec.float(a.fdiv(&b))
        }
    }
}

fn pow_op(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    power(ec, this, args[0])
}

/// `x ** y` for an Integer `x`.
pub(crate) fn power(ec: &mut Ec, this: Value, other: Value) -> Res {
    match (Num::of(&this), Num::of(&other)) {
        (Num::Fix(a), Num::Fix(b)) if (0..64).contains(&b) => match a.checked_pow(b as u32) {
            Some(n) => ec.int(n),
            None => {
                let n = BigInt::from(a).pow(b as u32);
                ec.bigint(n)
            }
        },
        (Num::Fix(_) | Num::Big(_), Num::Fix(b)) if b < 0 => negative_power(ec, this, other),
        (Num::Fix(_) | Num::Big(_), Num::Big(b)) if b.is_negative() => negative_power(ec, this, other),
        (_, Num::Flo(b)) => float_arith::power(ec, integer_to_f64(this), b),
        (_, Num::Other) => coerce_bin(ec, this, other, sym::POW),
        _ => {
            let (a, b) = (int_of(ec, this)?, int_of(ec, other)?);
            let result = long::power(ec, &a, &b)?;
            make_int(ec, result)
        }
    }
}

/// A Rational, except for 1 and -1.
fn negative_power(ec: &mut Ec, this: Value, exponent: Value) -> Res {
    if let Some(n) = this.fixnum_value() {
        match n {
            0 => return Err(ec.zero_div()),
            1 => return Ok(this),
            -1 => {
                let odd = int_of(ec, exponent)?.bit(&Int::Small(0));
                return Ok(Value::fixnum(if odd { -1 } else { 1 }));
            }
            _ => {}
        }
    }
    let base = crate::numeric::new_rational(ec, this, Value::fixnum(1))?;
    ec.call(base, sym::POW, &[exponent])
}

fn pow(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(modulus) = args.get(1) else {
        return power(ec, this, args[0]);
    };
    let Some(exponent) = asterism_object::bigint::to_int(args[0]) else {
        return Err(ec.type_error("Integer#pow() 2nd argument not allowed unless a 1st argument is integer"));
    };
    if exponent.is_negative() {
        return Err(ec.range_error("Integer#pow() 1st argument cannot be negative when 2nd argument specified"));
    }
    let Some(modulus) = asterism_object::bigint::to_int(modulus) else {
        return Err(ec.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers"));
    };
    let base = int_of(ec, this)?;
    let result = long::power_mod(ec, &base, &exponent, &modulus)?;
    make_int(ec, result)
}

fn neg(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Fix(n) => ec.int(-n),
        Num::Big(n) => big(ec, n.bits(), || -n),
        _ => Err(bad_receiver(ec, this)),
    }
}

fn abs(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Fix(n) => ec.int(n.abs()),
        Num::Big(n) if n.is_negative() => big(ec, n.bits(), || -n),
        _ => Ok(this),
    }
}

fn succ(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Fix(n) => ec.int(n + 1),
        Num::Big(n) => big(ec, n.bits() + 1, || n + 1),
        _ => Err(bad_receiver(ec, this)),
    }
}

fn pred(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Fix(n) => ec.int(n - 1),
        Num::Big(n) => big(ec, n.bits() + 1, || n - 1),
        _ => Err(bad_receiver(ec, this)),
    }
}

fn lcm_of(ec: &mut Ec, a: Value, b: Value) -> Res {
    let divisor = gcd_of(ec, a, b)?;
    let (a, b, divisor) = (int_of(ec, a)?, int_of(ec, b)?, int_of(ec, divisor)?);
    if divisor.is_zero() {
        return Ok(Value::fixnum(0));
    }
    let part = long::part(ec, &a, &divisor)?;
    let multiple = long::product(ec, &part.to_big(), &b.to_big())?;
    make_int(ec, Int::from_big(multiple.abs()))
}

fn gcd(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    gcd_of(ec, this, args[0])
}

fn lcm(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    lcm_of(ec, this, args[0])
}

fn gcdlcm(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let g = gcd_of(ec, this, args[0])?;
    let l = lcm_of(ec, this, args[0])?;
    ec.array(&[g, l])
}

fn isqrt(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let n = to_int_object(ec, args[0])?;
    match Num::of(&n) {
        Num::Fix(n) if n < 0 => {}
        Num::Big(n) if n.is_negative() => {}
        Num::Fix(n) => return ec.int(n.isqrt()),
        Num::Big(n) => {
            let root = long::sqrt(ec, n)?;
            return ec.bigint(root);
        }
        _ => return Err(bad_receiver(ec, n)),
    }
    Err(math_domain(ec, b"Numerical argument is out of domain - \"isqrt\""))
}

fn try_convert(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let v = args[0];
    let found = ec.try_convert(v, sym::to_int, "Integer", asterism_object::bigint::is_integer)?;
    Ok(found.unwrap_or(Value::NIL))
}
