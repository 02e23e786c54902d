//! Between Integers and the library's big numbers, and which of these take the library too long.

use std::ffi::c_int;

use asterism_object::types::Type;
use asterism_object::{Value, bigint, data};
use asterism_vm::{Ec, Res};
use num_bigint::{BigInt, Sign};

use super::handle::{self, Handle, Owned, Pointer};
use super::kinds::Kind;
use super::library::openssl;
use super::lock::lock;
use super::row::{Cost, Row};

/// As many products of words take the library some hundredths of a second, in which nothing could end it.
const MOST: u128 = 1 << 26;
/// The same for powers, whose products are faster.
const MOST_POWER: u128 = 1 << 27;
/// As many take no longer than to let the world stop meanwhile.
const FEW: u128 = 1 << 12;

/// How much a row's numbers give the library to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// As much as the row's mode says.
    Usual,
    /// Next to nothing.
    Little,
    /// Too much.
    Large,
}

/// How much there is to do for a row's numbers, which are locked.
pub fn work_of(row: &Row, values: &[Value]) -> Work {
    if matches!(row.cost, Cost::Small) {
        return Work::Usual;
    }
    let core = &openssl().core;
    let mut bits = [0_u128; 3];
    let given = values.iter().filter_map(|v| data::get::<Handle>(v));
    for (bits, handle) in bits.iter_mut().zip(given) {
        // SAFETY: all objects of such a row are numbers.
        *bits = unsafe { (core.BN_num_bits)(handle.as_ptr()) }.max(0) as u128;
    }
    let largest = bits.iter().copied().max().unwrap_or(0);
    let square = |bits: u128| bits.div_ceil(64).saturating_mul(bits.div_ceil(64));
    let (products, most) = match row.cost {
        Cost::Small | Cost::Square => (square(largest), MOST),
        Cost::Power => (square(largest).saturating_mul(largest), MOST_POWER),
        // What has more bits than that cannot be an exponent here.
        Cost::Raised if bits[1] > 32 => (u128::MAX, MOST),
        Cost::Raised => (square(bits[0] << bits[1]), MOST),
    };
    match products {
        0..FEW => Work::Little,
        _ if products > most => Work::Large,
        _ => Work::Usual,
    }
}

/// An Integer as C's `int`.
///
/// # Errors
/// RangeError for one that is none; TypeError.
pub fn to_int(ec: &mut Ec, v: Value) -> Res<c_int> {
    let n = ec.to_i64(v)?;
    let size = if n < 0 { "small" } else { "big" };
    c_int::try_from(n).map_err(|_| ec.range_error(format!("integer {n} too {size} to convert to 'int'")))
}

/// `Primitive.openssl_bn(integer)`: a new handle.
pub fn from_integer(ec: &mut Ec, args: &[Value]) -> Res {
    let v = args[0];
    let n = match v.fixnum_value() {
        Some(n) => BigInt::from(n),
        None if v.is_type(Type::BigInt) => bigint::get(&v).clone(),
        None => return Err(ec.type_error("Cannot convert into OpenSSL::BN")),
    };
    let bytes = n.magnitude().to_bytes_be();
    let Ok(length) = i32::try_from(bytes.len()) else { return Err(ec.range_error("bignum too big")) };
    let _charge = ec.charge(bytes.len())?;
    let core = &openssl().core;
    // SAFETY: the bytes are there; the new number is this function's.
    let made = unsafe {
        Pointer::new((core.BN_bin2bn)(bytes.as_ptr(), length, std::ptr::null_mut())).map(|pointer| {
            (core.BN_set_negative)(pointer.as_ptr(), i32::from(n.sign() == Sign::Minus));
            Owned::new(Kind::Bignum, pointer)
        })
    };
    match made {
        Some(owned) => handle::wrap(ec, owned),
        None => Err(ec.no_memory()),
    }
}

/// `Primitive.openssl_integer(bn)`
pub fn to_integer(ec: &mut Ec, args: &[Value]) -> Res {
    let held = handle::resolve(ec, args[0], Kind::Bignum)?;
    let handle = handle::get(ec, &held)?;
    let core = &openssl().core;
    let n = {
        let _reading = lock(ec, handle, false)?;
        // SAFETY: the number is locked; there is room for as many bytes as it has.
        unsafe {
            let bits = (core.BN_num_bits)(handle.as_ptr()).max(0) as usize;
            let mut bytes = vec![0; bits.div_ceil(8)];
            (core.BN_bn2bin)(handle.as_ptr(), bytes.as_mut_ptr());
            let sign = if (core.BN_is_negative)(handle.as_ptr()) != 0 { Sign::Minus } else { Sign::Plus };
            BigInt::from_bytes_be(sign, &bytes)
        }
    };
    match i64::try_from(&n) {
        Ok(small) => ec.int(small),
        Err(_) => ec.bigint(n),
    }
}
