//! What the arithmetic methods share: an operand seen as a Rust number, the `coerce` protocol, errors
//! of the support crate as exceptions.

use asterism_heap::Charge;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, float};
use asterism_support::error::{Error, ErrorKind};
use asterism_support::float_fmt::parse_float_strict;
use asterism_support::float_round::RoundHalf;
use asterism_support::int::{Int, big_to_f64};
use asterism_symbol::{Sym, intern, sym};
use asterism_vm::error::Exc;
use asterism_vm::{Args, Ec, Raised, Res};
use num_bigint::{BigInt, Sign};

/// An operand, without a copy.
pub enum Num<'a> {
    /// A fixnum.
    Fix(i64),
    /// A larger Integer.
    Big(&'a BigInt),
    /// A Float.
    Flo(f64),
    /// Anything else.
    Other,
}

impl<'a> Num<'a> {
    /// Sees `v` as a number.
    #[inline(always)]
    pub fn of(v: &'a Value) -> Num<'a> {
        if let Some(n) = v.fixnum_value() {
            Num::Fix(n)
        } else if v.is_flonum() {
            Num::Flo(v.as_flonum())
        } else if v.is_type(Type::BigInt) {
            Num::Big(bigint::get(v))
        } else if v.is_type(Type::Float) {
            Num::Flo(float::get(*v))
        } else {
            Num::Other
        }
    }
}

/// Two Integers of at most 127 bits each, as plain numbers. Most Integers beyond fixnum are words of 64 bits, or what comes of two of
/// those: to calculate with them needs no memory.
#[inline]
pub fn wide_pair(a: &Num<'_>, b: &Num<'_>) -> Option<(i128, i128)> {
    Some((wide(a)?, wide(b)?))
}

/// An Integer of at most 127 bits, as a plain number.
#[inline]
pub fn wide(n: &Num<'_>) -> Option<i128> {
    match n {
        Num::Fix(n) => Some(i128::from(*n)),
        Num::Big(n) => {
            let mut digits = n.iter_u64_digits();
            if digits.len() > 2 {
                return None;
            }
            let low = u128::from(digits.next().unwrap_or(0));
            let high = u128::from(digits.next().unwrap_or(0));
            let size = i128::try_from(high << 64 | low).ok()?;
            Some(if n.sign() == Sign::Minus { -size } else { size })
        }
        Num::Flo(_) | Num::Other => None,
    }
}

/// The Float nearest to an Integer object; 0.0 for anything else, which callers exclude.
pub fn integer_to_f64(v: Value) -> f64 {
    match Num::of(&v) {
        Num::Fix(n) => n as f64,
        Num::Big(n) => big_to_f64(n),
        Num::Flo(f) => f,
        Num::Other => 0.0,
    }
}

/// Integers beyond this many bits are worked on while the thread counts as stopped, so that a
/// collection need not wait for a long multiplication.
pub const HEAVY_BITS: u64 = 1 << 14;

/// The Integer of about `bits` bits that `work` makes, counted before. BigInts are immutable and their cells are kept by
/// the stack, so they may be read while the world is stopped.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub fn big(ec: &mut Ec, bits: u64, work: impl FnOnce() -> BigInt) -> Res {
    if bits <= HEAVY_BITS {
        return ec.bigint(work());
    }
    let _number = charge_bits(ec, bits)?;
    let made = ec.computing(work);
    ec.bigint(made)
}

/// Counts a number of `bits` bits that is about to be made.
///
/// # Errors
/// NoMemoryError.
pub fn charge_bits(ec: &mut Ec, bits: u64) -> Res<Charge> {
    ec.charge(usize::try_from(bits / 8).unwrap_or(usize::MAX))
}

/// The Integer object of an [`Int`].
///
/// # Errors
/// NoMemoryError.
pub fn make_int(ec: &mut Ec, n: Int) -> Res {
    match n {
        Int::Small(n) => ec.int(n),
        Int::Big(n) => ec.bigint(n),
    }
}

/// The Integer of a value that is known to be one; TypeError otherwise.
///
/// # Errors
/// TypeError.
pub fn int_of(ec: &mut Ec, v: Value) -> Res<Int> {
    match bigint::to_int(v) {
        Some(n) => Ok(n),
        None => Err(ec.type_error("not an integer")),
    }
}

/// The object as an Integer object through `to_int`; the error names nil, true and false like classes.
///
/// # Errors
/// TypeError, FloatDomainError.
pub fn to_int_object(ec: &mut Ec, v: Value) -> Res {
    if v.is_nil() || v == Value::TRUE || v == Value::FALSE {
        return Err(ec.no_conversion(v, "Integer"));
    }
    ec.to_integer(v)
}

/// Raises an error of the support crate.
pub fn raise(ec: &mut Ec, error: &Error) -> Raised {
    let class = match error.kind {
        ErrorKind::Argument => Exc::ArgumentError,
        ErrorKind::Type => Exc::TypeError,
        ErrorKind::Range => Exc::RangeError,
        ErrorKind::ZeroDivision => Exc::ZeroDivisionError,
        ErrorKind::FloatDomain => Exc::FloatDomainError,
        ErrorKind::MathDomain => return math_domain(ec, &error.message),
        ErrorKind::Key => Exc::KeyError,
        ErrorKind::Runtime => Exc::RuntimeError,
        ErrorKind::NoMemory => return ec.no_memory(),
        ErrorKind::NotImplemented => Exc::NotImplementedError,
        ErrorKind::EncodingCompatibility | ErrorKind::ConverterNotFound => Exc::EncodingError,
    };
    ec.raise(class, &error.message)
}

/// The support crate's result as a VM result.
///
/// # Errors
/// The exception that `raise` makes of the error's kind: ArgumentError, TypeError, RangeError, ZeroDivisionError,
/// FloatDomainError, `Math::DomainError`, NoMemoryError and others.
pub fn check<T>(ec: &mut Ec, result: asterism_support::Result<T>) -> Res<T> {
    match result {
        Ok(v) => Ok(v),
        Err(e) => Err(raise(ec, &e)),
    }
}

/// `Math::DomainError`
#[cold]
pub fn math_domain(ec: &mut Ec, message: &[u8]) -> Raised {
    let math = ec.known(WellKnown::Math);
    let class = ec.own_constant(math, intern("DomainError"));
    let class = class.unwrap_or_else(|| ec.exc_class(Exc::ArgumentError));
    ec.raise_class(class, message)
}

/// How coercion errors name an operand: immediates and Floats by value, others by class.
fn coerce_name(ec: &mut Ec, v: Value) -> Res<Vec<u8>> {
    if !v.is_heap() || v.is_type(Type::Float) {
        return ec.inspect_for_error(v);
    }
    Ok(ec.class_name_of(v).into_bytes())
}

/// `String can't be coerced into Integer`
#[cold]
pub fn coerce_failed(ec: &mut Ec, x: Value, y: Value) -> Raised {
    let name = match coerce_name(ec, y) {
        Ok(name) => name,
        Err(raised) => return raised,
    };
    let class = ec.class_name_of(x);
    ec.type_error([&name[..], b" can't be coerced into ", class.as_bytes()].concat())
}

/// Asks `y` for the pair to operate on instead of `x` and `y`; `None` if it cannot say. `must`: that is
/// a TypeError.
///
/// # Errors
/// TypeError if it is no pair, or `must` and `y` does not coerce; what a Ruby-level `coerce` raises.
pub fn pair_of(ec: &mut Ec, x: Value, y: Value, must: bool) -> Res<Option<(Value, Value)>> {
    let Some(pair) = ec.call_if_known(y, sym::coerce, &[x])? else {
        return if must { Err(coerce_failed(ec, x, y)) } else { Ok(None) };
    };
    if !must && pair.is_nil() {
        return Ok(None);
    }
    if pair.is_type(Type::Array)
        && array::len(pair) == 2
        && let (Some(a), Some(b)) = (array::at(pair, 0), array::at(pair, 1))
    {
        return Ok(Some((a, b)));
    }
    Err(ec.type_error("coerce must return [x, y]"))
}

/// `x op y` through `y.coerce(x)`.
///
/// # Errors
/// TypeError if `y` does not coerce, or `coerce` gives no pair; what a Ruby-level `coerce` or the operator raises.
#[cold]
pub fn coerce_bin(ec: &mut Ec, x: Value, y: Value, op: Sym) -> Res {
    ec.check_stack()?;
    if y.is_type(Type::Rational) && bigint::is_integer(x) {
        let x = super::make::new_rational(ec, x, Value::fixnum(1))?;
        return ec.call(x, op, &[y]);
    }
    match pair_of(ec, x, y, true)? {
        Some((a, b)) => ec.call(a, op, &[b]),
        None => Err(coerce_failed(ec, x, y)),
    }
}

/// `x <=> y` through `y.coerce(x)`; nil if `y` does not coerce.
///
/// # Errors
/// TypeError if `coerce` gives no pair; what a Ruby-level `coerce` or the operator raises; SystemStackError.
#[cold]
pub fn coerce_cmp(ec: &mut Ec, x: Value, y: Value, op: Sym) -> Res {
    ec.check_stack()?;
    match pair_of(ec, x, y, false)? {
        Some((a, b)) => ec.call(a, op, &[b]),
        None => Ok(Value::NIL),
    }
}

/// `x < y` and the like through `y.coerce(x)`.
///
/// # Errors
/// ArgumentError if they do not compare; what the calls raise.
#[cold]
pub fn coerce_relop(ec: &mut Ec, x: Value, y: Value, op: Sym) -> Res {
    let answer = coerce_cmp(ec, x, y, op)?;
    if answer.is_nil() { Err(ec.compare_error(x, y)) } else { Ok(answer) }
}

/// `Kernel#Float` of an argument: numbers and Strings.
///
/// # Errors
/// TypeError, ArgumentError.
pub fn to_float_strict(ec: &mut Ec, v: Value) -> Res<f64> {
    if bigint::is_integer(v) {
        return Ok(integer_to_f64(v));
    }
    if v.is_type(Type::String) {
        let bytes = asterism_object::string::to_vec(ec, v);
        return check(ec, parse_float_strict(&bytes));
    }
    if v.is_heap() && asterism_object::float::to_f64(v).is_none() && ec.respond_to(v, sym::to_f, true)? {
        let made = ec.call(v, sym::to_f, &[])?;
        if asterism_object::float::is_float(made) {
            return Ok(asterism_object::float::get(made));
        }
        let got = ec.describe_for_conversion(made);
        return Err(ec.conversion_mismatch(v, "Float", sym::to_f, &got));
    }
    ec.to_f64(v)
}

/// A real number as `f64`: Integers, Floats, and what `to_f64` of the VM takes.
///
/// # Errors
/// TypeError if it is no number.
pub fn to_f64(ec: &mut Ec, v: Value) -> Res<f64> {
    match Num::of(&v) {
        Num::Fix(n) => Ok(n as f64),
        Num::Flo(f) => Ok(f),
        Num::Big(n) => Ok(big_to_f64(n)),
        Num::Other => ec.to_f64(v),
    }
}

/// What `round` is called with: how many digits, and the `half:` keyword.
///
/// # Errors
/// ArgumentError for anything else.
pub fn round_args<'a>(ec: &mut Ec, args: Args<'a>) -> Res<(Option<&'a Value>, RoundHalf)> {
    let (positional, keywords) = args.split_keywords();
    let half = match keywords {
        Some(keywords) => half_option(ec, keywords)?,
        None => RoundHalf::Up,
    };
    Ok((positional.first(), half))
}

fn half_option(ec: &mut Ec, keywords: Value) -> Res<RoundHalf> {
    let half = ec.hash_get(keywords, Value::sym(sym::half))?;
    let Some(half) = half.filter(|half| !half.is_nil()) else { return Ok(RoundHalf::Up) };
    let name = if let Some(s) = half.as_sym() {
        s.bytes().to_vec()
    } else if let Some(s) = ec.check_string(half)? {
        crate::string::util::check_ascii_compatible(ec, s)?;
        asterism_object::string::to_vec(ec, s)
    } else {
        let shown = ec.inspect_for_error(half)?;
        return Err(ec.arg_error([b"invalid rounding mode: ", &shown[..]].concat()));
    };
    match &name[..] {
        b"up" => Ok(RoundHalf::Up),
        b"even" => Ok(RoundHalf::Even),
        b"down" => Ok(RoundHalf::Down),
        _ => Err(ec.arg_error([b"invalid rounding mode: ", &name[..]].concat())),
    }
}

/// The class of numbers, for `is_kind_of`.
pub fn numeric_class(ec: &Ec) -> Class {
    ec.known(WellKnown::Numeric)
}

/// TypeError for a receiver that is no Integer cell; only an allocated-uninitialised object could be one.
#[cold]
pub fn bad_receiver(ec: &mut Ec, v: Value) -> Raised {
    let name = ec.class_name_of(v);
    ec.type_error(format!("uninitialized {name}"))
}
