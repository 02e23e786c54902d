//! Strings, Ranges, Arrays and Hashes that compiled code makes. The contract is that of [`super::helpers`].

use std::cmp::Ordering;

use asterism_object::{Value, array, hash};

use super::UNKNOWN;
use super::helpers::valued;
use crate::ec::Ec;
use crate::interp::collections::{are_comparable, extreme};
use crate::interp::strings;

/// An Array of `count` values.
///
/// # Safety
/// As the module says, with the pc saved; the values lie from `values` on.
pub unsafe extern "C" fn new_array(ec: *mut Ec, values: *const Value, count: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe { valued(&mut *ec, |ec| ec.array(std::slice::from_raw_parts(values, count))) }
}

/// The greatest of `count` values; undef where the Array of them has to be asked.
///
/// # Safety
/// `ec` is the thread's; the values lie from `values` on.
pub unsafe extern "C" fn max_of(ec: *mut Ec, values: *const Value, count: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe { extreme(&*ec, std::slice::from_raw_parts(values, count), Ordering::Greater).bits() }
}

/// The least, likewise.
///
/// # Safety
/// As of [`max_of`].
pub unsafe extern "C" fn min_of(ec: *mut Ec, values: *const Value, count: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe { extreme(&*ec, std::slice::from_raw_parts(values, count), Ordering::Less).bits() }
}

/// A copy of an Array.
///
/// # Safety
/// As the module says, with the pc saved; `list` is one.
pub unsafe extern "C" fn copy_array(ec: *mut Ec, list: u64) -> u64 {
    // SAFETY: the caller's contract.
    let (ec, list) = unsafe { (&mut *ec, Value::from_bits(list)) };
    valued(ec, |ec| {
        let copy = array::snapshot(ec, list);
        ec.check(list, copy)
    })
}

/// A Hash of `count` keys and values in turn, if the keys are distinct immediates; else `UNKNOWN`.
///
/// # Safety
/// As the module says, with the pc saved; the values lie from `pairs` on.
pub unsafe extern "C" fn new_hash(ec: *mut Ec, pairs: *const Value, count: usize) -> u64 {
    // SAFETY: the caller's contract.
    let (ec, pairs) = unsafe { (&mut *ec, std::slice::from_raw_parts(pairs, count)) };
    if !hash::are_distinct_immediates(pairs) {
        return UNKNOWN;
    }
    valued(ec, |ec| {
        let made = hash::of_distinct_immediates(ec, pairs);
        ec.check(Value::NIL, made)
    })
}

/// A String with the text of a literal.
///
/// # Safety
/// As the module says, with the pc saved; `literal` is a String literal of the code that runs.
pub unsafe extern "C" fn new_string(ec: *mut Ec, literal: u64) -> u64 {
    // SAFETY: the caller's contract.
    let (ec, literal) = unsafe { (&mut *ec, Value::from_bits(literal)) };
    valued(ec, |ec| ec.dup_literal(literal))
}

/// What interpolation shows of `count` parts, joined.
///
/// # Safety
/// As the module says, with the pc saved; the parts lie from `parts` on, in registers of the frame.
pub unsafe extern "C" fn concat(ec: *mut Ec, parts: *mut Value, count: usize) -> u64 {
    // SAFETY: the caller's contract: nobody else sets the registers meanwhile.
    unsafe { valued(&mut *ec, |ec| strings::concat(ec, std::slice::from_raw_parts_mut(parts, count))) }
}

/// A Range; `UNKNOWN` if Ruby code may have to say whether its ends can be compared.
///
/// # Safety
/// As the module says, with the pc saved.
pub unsafe extern "C" fn new_range(ec: *mut Ec, low: u64, high: u64, exclusive: u64) -> u64 {
    // SAFETY: the caller's contract; both are values.
    let (ec, low, high) = unsafe { (&mut *ec, Value::from_bits(low), Value::from_bits(high)) };
    if !are_comparable(ec, low, high) {
        return UNKNOWN;
    }
    valued(ec, |ec| ec.range(low, high, exclusive != 0))
}
