//! Numeric, Rational and Complex.

use asterism_object::Value;
use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(_ec: &mut Ec) -> Res<()> {
    Ok(())
}

/// A Rational of two Integers, reduced.
///
/// # Errors
/// ZeroDivisionError, NoMemoryError.
pub fn new_rational(ec: &mut Ec, _numerator: Value, _denominator: Value) -> Res {
    Err(ec.not_implemented("Rational"))
}

/// A Complex of two reals.
///
/// # Errors
/// NoMemoryError.
pub fn new_complex(ec: &mut Ec, _real: Value, _imaginary: Value) -> Res {
    Err(ec.not_implemented("Complex"))
}
