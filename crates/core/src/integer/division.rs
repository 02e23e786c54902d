//! Division of Integers, and the greatest common divisor.

use asterism_object::Value;
use asterism_vm::{Ec, Res};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use crate::numeric::long;
use crate::numeric::operand::{Num, big, int_of, make_int, wide_pair};

/// Floored quotient of two Integers.
pub(crate) fn int_div(ec: &mut Ec, a: Num<'_>, b: Num<'_>) -> Res {
    if let (Num::Fix(a), Num::Fix(b)) = (&a, &b)
        && *b != 0
    {
        return ec.int(Integer::div_floor(a, b));
    }
    if let Some((a, b)) = wide_pair(&a, &b).filter(|(_, b)| *b != 0) {
        return ec.wide_int(Integer::div_floor(&a, &b));
    }
    match (a, b) {
        (Num::Fix(_) | Num::Big(_), Num::Fix(0)) => Err(ec.zero_div()),
        (Num::Big(a), Num::Fix(b)) => big(ec, a.bits(), || a.div_floor(&BigInt::from(b))),
        (Num::Fix(a), Num::Big(b)) => {
            let q = BigInt::from(a).div_floor(b);
            ec.bigint(q)
        }
        (Num::Big(a), Num::Big(b)) => {
            let (q, _) = long::divmod(ec, a, b)?;
            ec.bigint(q)
        }
        _ => Err(ec.type_error("not an integer")),
    }
}

/// The greatest common divisor of two Integers.
pub(crate) fn gcd_of(ec: &mut Ec, a: Value, b: Value) -> Res {
    if let (Some(a), Some(b)) = (a.fixnum_value(), b.fixnum_value()) {
        return ec.int(a.gcd(&b));
    }
    let (a, b) = (int_of(ec, a)?, int_of(ec, b)?);
    let result = long::gcd(ec, &a, &b)?;
    make_int(ec, result)
}

/// Whether an Integer is zero, for callers with a value in hand.
pub(crate) fn is_zero(v: Value) -> bool {
    match Num::of(&v) {
        Num::Fix(n) => n == 0,
        Num::Big(n) => n.is_zero(),
        Num::Flo(f) => f == 0.0,
        Num::Other => false,
    }
}
