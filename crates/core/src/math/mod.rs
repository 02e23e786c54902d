//! Math: the elementary functions, with their domains.

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{bigint, float, numeric};
use asterism_support::float_fmt::{frexp, scale};
use asterism_symbol::intern;
use asterism_vm::native::Intrinsic;
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::numeric::operand::{math_domain, to_f64};

/// The C library's functions that Rust has not, or whose last digit differs from Rust's.
mod c {
    unsafe extern "C" {
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        pub safe fn lgamma_r(x: f64, sign: &mut i32) -> f64;
    }
}

static FUNCTIONS: &[NativeDef] = &[
    NativeDef::new("sin", sin, 1, 1),
    NativeDef::new("cos", cos, 1, 1),
    NativeDef::new("tan", tan, 1, 1),
    NativeDef::new("asin", asin, 1, 1),
    NativeDef::new("acos", acos, 1, 1),
    NativeDef::new("atan", atan, 1, 1),
    NativeDef::new("atan2", atan2, 2, 2),
    NativeDef::new("sinh", sinh, 1, 1),
    NativeDef::new("cosh", cosh, 1, 1),
    NativeDef::new("tanh", tanh, 1, 1),
    NativeDef::new("asinh", asinh, 1, 1),
    NativeDef::new("acosh", acosh, 1, 1),
    NativeDef::new("atanh", atanh, 1, 1),
    NativeDef::new("exp", exp, 1, 1),
    NativeDef::new("expm1", expm1, 1, 1),
    NativeDef::new("log", log, 1, 2),
    NativeDef::new("log1p", log1p, 1, 1),
    NativeDef::new("log2", log2, 1, 1),
    NativeDef::new("log10", log10, 1, 1),
    NativeDef::new("sqrt", sqrt, 1, 1).intrinsic(Intrinsic::Sqrt),
    NativeDef::new("cbrt", cbrt, 1, 1),
    NativeDef::new("hypot", hypot, 2, 2),
    NativeDef::new("frexp", frexp_pair, 1, 1),
    NativeDef::new("ldexp", ldexp, 2, 2),
    NativeDef::new("erf", erf, 1, 1),
    NativeDef::new("erfc", erfc, 1, 1),
    NativeDef::new("gamma", gamma, 1, 1),
    NativeDef::new("lgamma", lgamma, 1, 1),
];

/// Defines the module's functions and constants.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let math = ec.known(WellKnown::Math);
    let standard_error = ec.known(WellKnown::StandardError);
    ec.define_class(math, "DomainError", standard_error)?;
    let pi = ec.float(std::f64::consts::PI)?;
    ec.set_constant(math, intern("PI"), pi)?;
    let e = ec.float(std::f64::consts::E)?;
    ec.set_constant(math, intern("E"), e)?;
    ec.define_module_functions(math, FUNCTIONS)
}

/// The exception of a function called outside its domain.
fn domain(ec: &mut Ec, name: &str) -> asterism_vm::Raised {
    math_domain(ec, format!("Numerical argument is out of domain - {name}").as_bytes())
}

macro_rules! total {
    ($($name:ident: $f:expr;)*) => {
        $(fn $name(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
            let f: fn(f64) -> f64 = $f;
            let x = to_f64(ec, args[0])?;
            ec.float(f(x))
        })*
    };
}

total! {
    sin: f64::sin;
    cos: f64::cos;
    tan: f64::tan;
    atan: f64::atan;
    sinh: f64::sinh;
    cosh: f64::cosh;
    tanh: f64::tanh;
    asinh: |x| c::asinh(x);
    exp: f64::exp;
    expm1: f64::exp_m1;
    cbrt: cube_root;
    erf: |x| c::erf(x);
    erfc: |x| c::erfc(x);
}

/// One Newton step sharpens the C library's result, as CRuby does it.
fn cube_root(x: f64) -> f64 {
    let r = x.cbrt();
    if r.is_finite() && r != 0.0 { (2.0 * r + x / r / r) / 3.0 } else { r }
}

macro_rules! partial {
    ($($name:ident: $inside:expr, $f:expr;)*) => {
        $(fn $name(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
            let inside: fn(f64) -> bool = $inside;
            let f: fn(f64) -> f64 = $f;
            let x = to_f64(ec, args[0])?;
            if !(inside(x) || x.is_nan()) {
                return Err(domain(ec, stringify!($name)));
            }
            ec.float(f(x))
        })*
    };
}

partial! {
    asin: |x| (-1.0..=1.0).contains(&x), f64::asin;
    acos: |x| (-1.0..=1.0).contains(&x), f64::acos;
    acosh: |x| x >= 1.0, |x| c::acosh(x);
    atanh: |x| (-1.0..=1.0).contains(&x), |x| c::atanh(x);
    log1p: |x| x >= -1.0, f64::ln_1p;
}

fn sqrt(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if args[0].is_type(Type::Complex) {
        return complex_root(ec, args[0]);
    }
    let x = to_f64(ec, args[0])?;
    if x < 0.0 {
        return Err(domain(ec, "sqrt"));
    }
    // -0.0 gives 0.0.
    ec.float(if x == 0.0 { 0.0 } else { x.sqrt() })
}

/// The principal square root of a Complex.
fn complex_root(ec: &mut Ec, v: Value) -> Res {
    let (re, im) = numeric::parts(v);
    let (re, im) = (to_f64(ec, re)?, to_f64(ec, im)?);
    let abs = re.hypot(im);
    let root = ec.float(((abs + re) / 2.0).sqrt())?;
    let side = ec.float(((abs - re) / 2.0).sqrt().copysign(im))?;
    crate::numeric::new_complex(ec, root, side)
}

fn atan2(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let y = to_f64(ec, args[0])?;
    let x = to_f64(ec, args[1])?;
    ec.float(y.atan2(x))
}

fn hypot(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let x = to_f64(ec, args[0])?;
    let y = to_f64(ec, args[1])?;
    ec.float(x.hypot(y))
}

/// The operand of a logarithm: a positive Float and how many bits a huge Integer was shifted by to become it.
fn log_operand(ec: &mut Ec, v: Value, name: &str) -> Res<(f64, u64)> {
    let (x, shift) = if v.is_type(Type::BigInt) && bigint::get(&v).is_positive() && bigint::get(&v).bits() > 1000 {
        let n: &BigInt = bigint::get(&v);
        let shift = n.bits() - 1000;
        ((n >> shift).to_f64().unwrap_or(f64::INFINITY), shift)
    } else {
        (to_f64(ec, v)?, 0)
    };
    if x < 0.0 {
        return Err(domain(ec, name));
    }
    Ok((x, shift))
}

fn natural_log(ec: &mut Ec, v: Value) -> Res<f64> {
    let (x, shift) = log_operand(ec, v, "log")?;
    Ok(x.ln() + shift as f64 * std::f64::consts::LN_2)
}

fn log(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some(base) = args.get(1) else {
        let n = natural_log(ec, args[0])?;
        return ec.float(n);
    };
    let (x, x_shift) = log_operand(ec, args[0], "log")?;
    let (b, b_shift) = log_operand(ec, base, "log")?;
    if x == 0.0 {
        return ec.float(if b == 0.0 { f64::NAN } else { f64::NEG_INFINITY });
    }
    if b == 0.0 {
        return ec.float(-0.0);
    }
    let ln2 = std::f64::consts::LN_2;
    ec.float((x.ln() + x_shift as f64 * ln2) / (b.ln() + b_shift as f64 * ln2))
}

fn log2(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (x, shift) = log_operand(ec, args[0], "log2")?;
    ec.float(x.log2() + shift as f64)
}

fn log10(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (x, shift) = log_operand(ec, args[0], "log10")?;
    ec.float(x.log10() + shift as f64 * std::f64::consts::LOG10_2)
}

fn frexp_pair(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let x = to_f64(ec, args[0])?;
    let (fraction, exp) = if x.is_finite() && x != 0.0 { frexp(x) } else { (x, 0) };
    let fraction = ec.float(fraction)?;
    ec.array(&[fraction, Value::fixnum(i64::from(exp))])
}

fn ldexp(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let x = to_f64(ec, args[0])?;
    let exp = ec.to_i64(args[1])?;
    let exp = exp.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    ec.float(if x.is_finite() && x != 0.0 { scale(x, exp) } else { x })
}

/// Factorials below this are exact Floats.
const EXACT_FACTORIALS: i64 = 23;

fn gamma(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let x = to_f64(ec, args[0])?;
    if x == 0.0 {
        return ec.float(1.0 / x);
    }
    if x == x.floor() && x.is_finite() {
        if x < 0.0 {
            return Err(domain(ec, "gamma"));
        }
        let n = x as i64;
        if n <= EXACT_FACTORIALS {
            return ec.float((2..n).fold(1.0, |product, k| product * k as f64));
        }
    }
    if x == f64::NEG_INFINITY {
        return Err(domain(ec, "gamma"));
    }
    ec.float(c::tgamma(x))
}

fn lgamma(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let x = to_f64(ec, args[0])?;
    let mut sign = 1;
    let value = if x == f64::NEG_INFINITY {
        return Err(domain(ec, "lgamma"));
    } else if x.is_infinite() {
        x
    } else if x == 0.0 {
        sign = if x.is_sign_negative() { -1 } else { 1 };
        f64::INFINITY
    } else {
        c::lgamma_r(x, &mut sign)
    };
    let value = float::new(ec, value);
    let value = ec.check(Value::NIL, value)?;
    ec.array(&[value, Value::fixnum(if sign < 0 { -1 } else { 1 })])
}
