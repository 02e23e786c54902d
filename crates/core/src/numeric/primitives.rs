//! Primitives for the Ruby parts of Rational and Complex.

use asterism_object::types::Type;
use asterism_object::{Value, numeric};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Raised, Res};

use super::operand::{Num, coerce_bin};
use super::parse::{self, Fail, Pair, Part};

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("rational_new", rational_new),
    ("rational_parse", rational_parse),
    ("complex_new", complex_new),
    ("complex_real", complex_real),
    ("complex_imaginary", complex_imaginary),
    ("complex_times", complex_times),
    ("complex_polar", complex_polar),
    ("complex_parse", complex_parse),
    ("coerce_bin", coerce),
];

/// Registers them.
pub(super) fn init(ec: &mut Ec) {
    ec.vm().add_primitives(PRIMITIVES);
}

fn arg(args: &[Value], i: usize) -> Value {
    args.get(i).copied().unwrap_or(Value::NIL)
}

fn rational_new(ec: &mut Ec, args: &[Value]) -> Res {
    super::new_rational(ec, arg(args, 0), arg(args, 1))
}

fn complex_new(ec: &mut Ec, args: &[Value]) -> Res {
    super::new_complex(ec, arg(args, 0), arg(args, 1))
}

fn complex_real(ec: &mut Ec, args: &[Value]) -> Res {
    if arg(args, 0).is_type(Type::Complex) {
        return Ok(numeric::parts(arg(args, 0)).0);
    }
    Err(super::operand::bad_receiver(ec, arg(args, 0)))
}

fn complex_imaginary(ec: &mut Ec, args: &[Value]) -> Res {
    if arg(args, 0).is_type(Type::Complex) {
        return Ok(numeric::parts(arg(args, 0)).1);
    }
    Err(super::operand::bad_receiver(ec, arg(args, 0)))
}

/// The parts of a Complex of two finite Floats.
fn finite_parts(v: Value) -> Option<(f64, f64)> {
    if !v.is_type(Type::Complex) {
        return None;
    }
    let (real, imaginary) = numeric::parts(v);
    match (Num::of(&real), Num::of(&imaginary)) {
        (Num::Flo(a), Num::Flo(b)) if a.is_finite() && b.is_finite() => Some((a, b)),
        _ => None,
    }
}

fn complex_of_floats(ec: &mut Ec, real: f64, imaginary: f64) -> Res {
    let (real, imaginary) = (ec.float(real)?, ec.float(imaginary)?);
    super::new_complex(ec, real, imaginary)
}

/// `complex_times(x, y)`: the product of two Complexes of finite Floats, nil of others.
fn complex_times(ec: &mut Ec, args: &[Value]) -> Res {
    let (Some((a, b)), Some((c, d))) = (finite_parts(arg(args, 0)), finite_parts(arg(args, 1))) else {
        return Ok(Value::NIL);
    };
    complex_of_floats(ec, a * c - b * d, a * d + b * c)
}

/// `complex_polar(abs, arg)`: the Complex of two Floats of which neither is zero, nor the angle exact in binary; nil of others.
fn complex_polar(ec: &mut Ec, args: &[Value]) -> Res {
    let (abs, angle) = (arg(args, 0), arg(args, 1));
    let (Num::Flo(abs), Num::Flo(angle)) = (Num::of(&abs), Num::of(&angle)) else {
        return Ok(Value::NIL);
    };
    if abs == 0.0 || [0.0, std::f64::consts::PI, std::f64::consts::FRAC_PI_2].contains(&angle) {
        return Ok(Value::NIL);
    }
    let (sin, cos) = angle.sin_cos();
    complex_of_floats(ec, abs * cos, abs * sin)
}

/// `coerce_bin(x, y, :op)`
fn coerce(ec: &mut Ec, args: &[Value]) -> Res {
    let op = ec.to_sym(arg(args, 2))?;
    coerce_bin(ec, arg(args, 0), arg(args, 1), op)
}

fn too_large(ec: &mut Ec) -> Raised {
    ec.arg_error("exponent is too large")
}

/// `rational_parse(string, strict)`: nil if there is no number or, if strict, more than one.
fn rational_parse(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.bytes_of(arg(args, 0))?;
    let _digits = ec.charge(text.len().saturating_mul(2))?;
    match parse::rational(ec, &text) {
        Ok((_, _, false)) if arg(args, 1).truthy() => Ok(Value::NIL),
        Ok((num, den, _)) => {
            let num = ec.bigint(num)?;
            let den = ec.bigint(den)?;
            super::new_rational(ec, num, den)
        }
        Err(Fail::NoNumber) => Ok(Value::NIL),
        Err(Fail::Exponent) => Err(too_large(ec)),
        Err(Fail::Raised(raised)) => Err(raised),
    }
}

fn part(ec: &mut Ec, part: Part) -> Res {
    match part {
        Part::Int(n) => ec.bigint(n),
        Part::Float(f) => ec.float(f),
        Part::Ratio(num, den) => {
            let num = ec.bigint(num)?;
            let den = ec.bigint(den)?;
            super::new_rational(ec, num, den)
        }
    }
}

/// `complex_parse(string, strict)`: `[first, second, polar]`; nil if there is no number or, if strict, more than one.
fn complex_parse(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.bytes_of(arg(args, 0))?;
    let _digits = ec.charge(text.len().saturating_mul(2))?;
    let pair = match parse::complex(ec, &text) {
        Ok((_, false)) if arg(args, 1).truthy() => return Ok(Value::NIL),
        Ok((pair, _)) => pair,
        Err(Fail::NoNumber) => return Ok(Value::NIL),
        Err(Fail::Exponent) => return Err(too_large(ec)),
        Err(Fail::Raised(raised)) => return Err(raised),
    };
    let (a, b, polar) = match pair {
        Pair::Rect(a, b) => (a, b, false),
        Pair::Polar(a, b) => (a, b, true),
    };
    let a = part(ec, a)?;
    let b = part(ec, b)?;
    ec.array(&[a, b, Value::bool(polar)])
}
