//! Float: flonums and cells are one class. Arithmetic and order in [`arith`], conversions in `convert`.

pub(crate) mod arith;
mod convert;

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};

/// Defines the class's methods and constants.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Float);
    ec.define_natives(class, arith::METHODS)?;
    ec.define_natives(class, convert::METHODS)?;
    crate::nil::undef_new(ec, class)?;
    for (name, f) in [
        ("INFINITY", f64::INFINITY),
        ("NAN", f64::NAN),
        ("EPSILON", f64::EPSILON),
        ("MAX", f64::MAX),
        ("MIN", f64::MIN_POSITIVE),
    ] {
        let f = ec.float(f)?;
        ec.set_constant(class, intern(name), f)?;
    }
    for (name, n) in [
        ("DIG", f64::DIGITS as i64),
        ("MANT_DIG", i64::from(f64::MANTISSA_DIGITS)),
        ("RADIX", i64::from(f64::RADIX)),
        ("MAX_EXP", i64::from(f64::MAX_EXP)),
        ("MIN_EXP", i64::from(f64::MIN_EXP)),
        ("MAX_10_EXP", i64::from(f64::MAX_10_EXP)),
        ("MIN_10_EXP", i64::from(f64::MIN_10_EXP)),
    ] {
        ec.set_constant(class, intern(name), Value::fixnum(n))?;
    }
    Ok(())
}
