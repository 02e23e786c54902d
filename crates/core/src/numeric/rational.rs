//! Rational: exact fractions. The cell holds two Integers, reduced, the denominator positive.

use std::cmp::Ordering;

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, builtin, float, numeric, string};
use asterism_support::int::{Int, Rounding};
use asterism_symbol::sym;
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_integer::Integer;

use super::long;
use super::operand::{Num, bad_receiver, charge_bits, check, coerce_bin, coerce_cmp, int_of, make_int, round_args};
use crate::float::arith as float_arith;

static METHODS: &[NativeDef] = &[
    NativeDef::new("numerator", numerator, 0, 0).leaf(),
    NativeDef::new("denominator", denominator, 0, 0).leaf(),
    NativeDef::new("+", add, 1, 1),
    NativeDef::new("-", sub, 1, 1),
    NativeDef::new("*", mul, 1, 1),
    NativeDef::new("/", div, 1, 1),
    NativeDef::new("quo", div, 1, 1),
    NativeDef::new("fdiv", fdiv, 1, 1),
    NativeDef::new("**", pow, 1, 1),
    NativeDef::new("-@", neg, 0, 0).leaf(),
    NativeDef::new("abs", abs, 0, 0).leaf(),
    NativeDef::new("magnitude", abs, 0, 0).leaf(),
    NativeDef::new("<=>", cmp, 1, 1),
    NativeDef::new("==", eq, 1, 1),
    NativeDef::new("eql?", eql, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("coerce", coerce, 1, 1),
    NativeDef::new("positive?", positive, 0, 0).leaf(),
    NativeDef::new("negative?", negative, 0, 0).leaf(),
    NativeDef::new("zero?", zero, 0, 0).leaf(),
    NativeDef::new("to_i", to_i, 0, 0).leaf(),
    NativeDef::new("to_f", to_f, 0, 0).leaf(),
    NativeDef::new("to_r", to_r, 0, 0).leaf(),
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("round", round, 0, 1).keywords(&["half"]),
    NativeDef::new("floor", floor, 0, 1),
    NativeDef::new("ceil", ceil, 0, 1),
    NativeDef::new("truncate", truncate, 0, 1),
];

/// Defines the class's methods.
///
/// # Errors
/// NoMemoryError.
pub(super) fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Rational);
    ec.define_natives(class, METHODS)
}

/// A fraction as Rust numbers; the denominator is positive.
struct Ratio {
    num: Int,
    den: Int,
}

impl Ratio {
    fn of_int(num: Int) -> Ratio {
        Ratio { num, den: Int::Small(1) }
    }

    fn to_f64(&self) -> f64 {
        self.num.fdiv(&self.den)
    }

    fn cmp(&self, other: &Ratio) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        self.num.mul(&other.den).cmp(&other.num.mul(&self.den))
    }
}

/// The receiver.
fn own(ec: &mut Ec, v: Value) -> Res<Ratio> {
    if !v.is_type(Type::Rational) {
        return Err(bad_receiver(ec, v));
    }
    let (num, den) = numeric::parts(v);
    Ok(Ratio { num: int_of(ec, num)?, den: int_of(ec, den)? })
}

/// What the other operand is.
enum Operand {
    Exact(Ratio),
    Float(f64),
    Other,
}

fn operand(ec: &mut Ec, v: Value) -> Res<Operand> {
    Ok(match Num::of(&v) {
        Num::Fix(n) => Operand::Exact(Ratio::of_int(Int::Small(n))),
        Num::Big(n) => Operand::Exact(Ratio::of_int(Int::Big(n.clone()))),
        Num::Flo(f) => Operand::Float(f),
        Num::Other if v.is_type(Type::Rational) => Operand::Exact(own(ec, v)?),
        Num::Other => Operand::Other,
    })
}

/// The parts of a Rational or of an Integer, if both fit a word.
#[inline]
fn small_parts(v: Value) -> Option<(i64, i64)> {
    if let Some(n) = v.fixnum_value() {
        return Some((n, 1));
    }
    if !v.is_type(Type::Rational) {
        return None;
    }
    let (num, den) = numeric::parts(v);
    num.fixnum_value().zip(den.fixnum_value())
}

/// The receiver's parts and those of the argument, where all fit a word: most do, and need no numbers in memory.
#[inline]
fn small_operands(this: Value, other: Value) -> Option<((i64, i64), (i64, i64))> {
    if this.is_type(Type::Rational) { small_parts(this).zip(small_parts(other)) } else { None }
}

/// `a + b`. What both denominators have in common is found first, so that smaller numbers are reduced (Knuth, 4.5.1).
fn sum(ec: &mut Ec, a: &Ratio, b: &Ratio) -> Res {
    let common = long::gcd(ec, &a.den, &b.den)?;
    if common == Int::Small(1) {
        let num = a.num.mul(&b.den).add(&b.num.mul(&a.den));
        return lowest(ec, num, a.den.mul(&b.den));
    }
    let (own, other) = (long::part(ec, &a.den, &common)?, long::part(ec, &b.den, &common)?);
    let num = a.num.mul(&other).add(&b.num.mul(&own));
    if num.is_zero() {
        return lowest(ec, num, Int::Small(1));
    }
    let rest = long::gcd(ec, &num, &common)?;
    let (num, den) = (part(ec, &num, &rest)?, part(ec, &b.den, &rest)?);
    lowest(ec, num, own.mul(&den))
}

/// `a * b`, each numerator reduced by the other denominator.
fn product(ec: &mut Ec, a: &Ratio, b: &Ratio) -> Res {
    let (g, h) = (long::gcd(ec, &a.num, &b.den)?, long::gcd(ec, &b.num, &a.den)?);
    let num = part(ec, &a.num, &g)?.mul(&part(ec, &b.num, &h)?);
    let den = part(ec, &a.den, &h)?.mul(&part(ec, &b.den, &g)?);
    lowest(ec, num, den)
}

/// As `sum`, of parts that fit a word: nothing on the way is larger than two.
fn small_sum(ec: &mut Ec, a: (i64, i64), b: (i64, i64)) -> Res {
    let g = common(a.1, b.1);
    let (own, other) = (i128::from(a.1) / g, i128::from(b.1) / g);
    let num = i128::from(a.0) * other + i128::from(b.0) * own;
    // What the sum has in common with the denominators it has with what those have in common.
    let rest = common((num % g) as i64, g as i64);
    lowest_wide(ec, num / rest, own * (i128::from(b.1) / rest))
}

/// As `product`, of parts that fit a word.
fn small_product(ec: &mut Ec, a: (i64, i64), b: (i64, i64)) -> Res {
    let (g, h) = (common(a.0, b.1), common(b.0, a.1));
    let num = i128::from(a.0) / g * (i128::from(b.0) / h);
    lowest_wide(ec, num, i128::from(a.1) / h * (i128::from(b.1) / g))
}

/// The greatest common divisor of a number and a positive one.
fn common(n: i64, positive: i64) -> i128 {
    i128::from(n.unsigned_abs().gcd(&positive.unsigned_abs()))
}

/// The Rational `num/den` of parts in lowest terms.
fn lowest_wide(ec: &mut Ec, num: i128, den: i128) -> Res {
    let (num, den) = (ec.wide_int(num)?, ec.wide_int(den)?);
    let made = numeric::rational(ec, num, den);
    ec.check(Value::NIL, made)
}

/// `n / divisor`, which is an Integer.
fn part(ec: &mut Ec, n: &Int, divisor: &Int) -> Res<Int> {
    if *divisor == Int::Small(1) { Ok(n.clone()) } else { long::part(ec, n, divisor) }
}

/// The Rational `num/den` of parts in lowest terms.
fn lowest(ec: &mut Ec, num: Int, den: Int) -> Res {
    let num = make_int(ec, num)?;
    let den = make_int(ec, den)?;
    let made = numeric::rational(ec, num, den);
    ec.check(Value::NIL, made)
}

fn numerator(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if this.is_type(Type::Rational) { Ok(numeric::parts(this).0) } else { Err(bad_receiver(ec, this)) }
}

fn denominator(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if this.is_type(Type::Rational) { Ok(numeric::parts(this).1) } else { Err(bad_receiver(ec, this)) }
}

fn add(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some((a, b)) = small_operands(this, args[0]) {
        return small_sum(ec, a, b);
    }
    let a = own(ec, this)?;
    match operand(ec, args[0])? {
        Operand::Exact(b) => sum(ec, &a, &b),
        Operand::Float(f) => ec.float(a.to_f64() + f),
        Operand::Other => coerce_bin(ec, this, args[0], sym::PLUS),
    }
}

fn sub(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some((a, (num, den))) = small_operands(this, args[0]) {
        // The negative of a fixnum fits a word.
        return small_sum(ec, a, (-num, den));
    }
    let a = own(ec, this)?;
    match operand(ec, args[0])? {
        Operand::Exact(b) => sum(ec, &a, &Ratio { num: b.num.neg(), ..b }),
        Operand::Float(f) => ec.float(a.to_f64() - f),
        Operand::Other => coerce_bin(ec, this, args[0], sym::MINUS),
    }
}

fn mul(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some((a, b)) = small_operands(this, args[0]) {
        return small_product(ec, a, b);
    }
    let a = own(ec, this)?;
    match operand(ec, args[0])? {
        Operand::Exact(b) => product(ec, &a, &b),
        Operand::Float(f) => ec.float(a.to_f64() * f),
        Operand::Other => coerce_bin(ec, this, args[0], sym::MUL),
    }
}

fn div(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some((a, (num, den))) = small_operands(this, args[0])
        && num != 0
    {
        return small_product(ec, a, if num < 0 { (-den, -num) } else { (den, num) });
    }
    let a = own(ec, this)?;
    match operand(ec, args[0])? {
        Operand::Exact(b) if b.num.is_zero() => Err(ec.zero_div()),
        Operand::Exact(Ratio { num, den }) => {
            let (num, den) = if num.is_negative() { (num.neg(), den.neg()) } else { (num, den) };
            product(ec, &a, &Ratio { num: den, den: num })
        }
        Operand::Float(f) => ec.float(a.to_f64() / f),
        Operand::Other => coerce_bin(ec, this, args[0], sym::DIV),
    }
}

fn fdiv(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    match operand(ec, args[0])? {
        Operand::Exact(b) if b.num.is_zero() => ec.float(a.to_f64() / 0.0),
        Operand::Exact(_) if a.num.is_zero() => ec.float(0.0),
        Operand::Exact(b) => ec.float(a.num.mul(&b.den).fdiv(&a.den.mul(&b.num))),
        // A zero has no sign here.
        Operand::Float(f) => ec.float(a.to_f64() / if f == 0.0 { 0.0 } else { f }),
        Operand::Other => {
            let quotient = ec.call(this, sym::DIV, &[args[0]])?;
            if float::is_float(quotient) {
                Ok(quotient)
            } else {
                ec.call(quotient, asterism_symbol::intern("to_f"), &[])
            }
        }
    }
}

fn pow(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    let exponent = match operand(ec, args[0])? {
        Operand::Exact(b) if b.den == Int::Small(1) => b.num,
        Operand::Exact(b) => {
            if b.num.is_zero() || a.num == a.den {
                return lowest(ec, Int::Small(1), Int::Small(1));
            }
            if a.num.is_zero() {
                return if b.num.is_negative() { Err(ec.zero_div()) } else { lowest(ec, Int::Small(0), Int::Small(1)) };
            }
            return float_arith::power(ec, a.to_f64(), b.to_f64());
        }
        Operand::Float(f) => return float_arith::power(ec, a.to_f64(), f),
        Operand::Other => return coerce_bin(ec, this, args[0], sym::POW),
    };
    let negative = exponent.is_negative();
    if negative && a.num.is_zero() {
        return Err(ec.zero_div());
    }
    let exponent = exponent.abs();
    let (num, den) = (long::power(ec, &a.num, &exponent)?, long::power(ec, &a.den, &exponent)?);
    match negative {
        false => lowest(ec, num, den),
        true if num.is_negative() => lowest(ec, den.neg(), num.neg()),
        true => lowest(ec, den, num),
    }
}

fn neg(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    lowest(ec, a.num.neg(), a.den)
}

fn abs(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    if a.num.is_negative() { lowest(ec, a.num.neg(), a.den) } else { Ok(this) }
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    let order = match operand(ec, args[0])? {
        Operand::Exact(b) => Some(a.cmp(&b)),
        Operand::Float(f) => a.to_f64().partial_cmp(&f),
        Operand::Other => return coerce_cmp(ec, this, args[0], sym::CMP),
    };
    Ok(order.map_or(Value::NIL, |o| Value::fixnum(o as i64)))
}

fn eq(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    match operand(ec, args[0])? {
        Operand::Exact(b) => Ok(Value::bool(a.num == b.num && a.den == b.den)),
        Operand::Float(f) => Ok(Value::bool(a.to_f64() == f)),
        Operand::Other => {
            ec.check_stack()?;
            let answer = ec.call(args[0], sym::EQ, &[this])?;
            Ok(Value::bool(answer.truthy()))
        }
    }
}

fn eql(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if !args[0].is_type(Type::Rational) {
        return Ok(Value::FALSE);
    }
    let (a, b) = (own(ec, this)?, own(ec, args[0])?);
    Ok(Value::bool(a.num == b.num && a.den == b.den))
}

fn hash(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if !this.is_type(Type::Rational) {
        return Err(bad_receiver(ec, this));
    }
    let (num, den) = numeric::parts(this);
    let h = builtin::hash(ec, num).unwrap_or(0);
    let h = builtin::combine(h, builtin::hash(ec, den).unwrap_or(0));
    Ok(builtin::number(ec, h))
}

fn coerce(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let pair = match Num::of(&other) {
        Num::Fix(_) | Num::Big(_) => {
            let made = numeric::rational(ec, other, Value::fixnum(1));
            [ec.check(this, made)?, this]
        }
        Num::Flo(_) => {
            let f = own(ec, this)?.to_f64();
            [other, ec.float(f)?]
        }
        Num::Other if other.is_type(Type::Rational) => [other, this],
        Num::Other if other.is_type(Type::Complex) => {
            let (re, im) = numeric::parts(other);
            if im == Value::fixnum(0) {
                [ec.call(re, sym::to_r, &[])?, this]
            } else {
                let wide = super::new_complex(ec, this, Value::fixnum(0))?;
                [other, wide]
            }
        }
        Num::Other => {
            let (from, to) = (ec.class_name_of(other), ec.class_name_of(this));
            return Err(ec.type_error(format!("{from} can't be coerced into {to}")));
        }
    };
    ec.array(&pair)
}

fn positive(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    Ok(Value::bool(a.num > Int::Small(0)))
}

fn negative(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    Ok(Value::bool(a.num.is_negative()))
}

fn zero(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let a = own(ec, this)?;
    Ok(Value::bool(a.num.is_zero()))
}

fn to_f(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let f = own(ec, this)?.to_f64();
    ec.float(f)
}

fn to_r(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn text(ec: &mut Ec, this: Value) -> Res<String> {
    let a = own(ec, this)?;
    let num = check(ec, a.num.to_s(10))?;
    let den = check(ec, a.den.to_s(10))?;
    Ok(format!("{num}/{den}"))
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = text(ec, this)?;
    let made = string::new(ec, text.as_bytes(), asterism_symbol::US_ASCII);
    ec.check(this, made)
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = format!("({})", text(ec, this)?);
    let made = string::new(ec, text.as_bytes(), asterism_symbol::US_ASCII);
    ec.check(this, made)
}

/// `num/den` rounded to an Integer.
fn whole(a: &Ratio, mode: Rounding) -> Int {
    Int::from_big(Int::divide_rounded(&a.num.to_big(), &a.den.to_big(), mode))
}

fn rounded(ec: &mut Ec, this: Value, digits: Option<Value>, mode: Rounding) -> Res {
    let a = own(ec, this)?;
    let Some(digits) = digits else {
        return make_int(ec, whole(&a, mode));
    };
    let Some(digits) = int_of(ec, digits)?.to_i64() else {
        return Err(ec.range_error("bignum too big to convert into 'long'"));
    };
    let places = Int::from(digits.unsigned_abs());
    let _unit = charge_bits(ec, digits.unsigned_abs().saturating_mul(4).min(asterism_support::int::MAX_BITS))?;
    let unit = check(ec, Int::Small(10).pow(&places))?;
    if digits < 1 {
        let scaled = Ratio { num: a.num, den: a.den.mul(&unit) };
        let n = whole(&scaled, mode).mul(&unit);
        return make_int(ec, n);
    }
    let scaled = Ratio { num: a.num.mul(&unit), den: a.den };
    let n = whole(&scaled, mode);
    let divisor = long::gcd(ec, &n, &unit)?;
    let (num, den) = (part(ec, &n, &divisor)?, part(ec, &unit, &divisor)?);
    lowest(ec, num, den)
}

fn to_i(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    rounded(ec, this, None, Rounding::Truncate)
}

fn round(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (digits, half) = round_args(ec, args)?;
    rounded(ec, this, digits.copied(), half.into())
}

fn floor(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    rounded(ec, this, args.get(0), Rounding::Floor)
}

fn ceil(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    rounded(ec, this, args.get(0), Rounding::Ceil)
}

fn truncate(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    rounded(ec, this, args.get(0), Rounding::Truncate)
}
