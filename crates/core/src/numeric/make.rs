//! Rationals and Complexes of their parts.

use asterism_object::{Value, numeric};
use asterism_vm::{Ec, Res};

use super::operand::{self, Num, int_of};
use crate::integer::division;

/// A Rational of two Integers, reduced.
///
/// # Errors
/// ZeroDivisionError, NoMemoryError.
pub fn new_rational(ec: &mut Ec, numerator: Value, denominator: Value) -> Res {
    if denominator == Value::fixnum(1) {
        let made = numeric::rational(ec, numerator, denominator);
        return ec.check(Value::NIL, made);
    }
    if division::is_zero(denominator) {
        return Err(ec.zero_div());
    }
    let divisor = division::gcd_of(ec, numerator, denominator)?;
    let negative = int_of(ec, denominator)?.is_negative();
    let (mut n, mut d) = (numerator, denominator);
    if divisor != Value::fixnum(1) {
        n = division::int_div(ec, Num::of(&n), Num::of(&divisor))?;
        d = division::int_div(ec, Num::of(&d), Num::of(&divisor))?;
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
