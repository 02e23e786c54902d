//! `remainder` of any two numbers.

use asterism_object::Value;
use asterism_symbol::{Sym, sym};
use asterism_vm::{Ec, Res};

use super::operand::{coerce_failed, numeric_class, pair_of};

/// `x.remainder(y)` by way of `%`: the sign is the dividend's.
///
/// # Errors
/// TypeError if `y` does not coerce; ArgumentError for numbers without `<` or `>`; what Ruby-level `coerce`, `%`, `==`,
/// `<`, `>` and `-` raise.
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
    let other_side = if beside_zero(ec, x, sym::LT)? {
        beside_zero(ec, y, sym::GT)?
    } else {
        beside_zero(ec, x, sym::GT)? && beside_zero(ec, y, sym::LT)?
    };
    if !other_side {
        return Ok(rest);
    }
    if asterism_object::float::to_f64(y).is_some_and(f64::is_infinite) {
        return Ok(x);
    }
    ec.call(rest, sym::MINUS, &[y])
}

/// `x < 0` or `x > 0`, of what need not have the operator.
fn beside_zero(ec: &mut Ec, x: Value, op: Sym) -> Res<bool> {
    let zero = Value::fixnum(0);
    if !ec.respond_to(x, op, true)? {
        return Err(ec.compare_error(x, zero));
    }
    Ok(ec.call(x, op, &[zero])?.truthy())
}
