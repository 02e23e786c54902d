//! Who may change an object: thin wrappers around the heap's ownership and object locks.

use std::sync::atomic::Ordering;

use asterism_heap::{Exclusive, Mutator, header};

use crate::error::{ObjError, Result};
use crate::types::{Type, type_of};
use crate::value::Value;

/// Exclusive access to the heap object `v`, or `Frozen`. May reach a safepoint before it returns,
/// none while the guard lives.
#[inline(always)]
pub fn modify<'a>(m: &'a mut Mutator, v: &'a Value) -> Result<Exclusive<'a>> {
    let Some(cell) = v.cell() else {
        return Err(ObjError::Frozen);
    };
    // A frozen object stays frozen: no need to take it from its owner to find out.
    if header::is_frozen(cell.header.load(Ordering::Relaxed)) {
        return Err(ObjError::Frozen);
    }
    let guard = m.exclusive(cell);
    if header::is_frozen(guard.header()) {
        return Err(ObjError::Frozen);
    }
    Ok(guard)
}

/// Freezes `v`; immediates are frozen already.
pub fn freeze(m: &mut Mutator, v: Value) {
    let Some(cell) = v.cell() else { return };
    if header::is_frozen(cell.header.load(Ordering::Relaxed)) {
        return;
    }
    let guard = m.exclusive(cell);
    if !header::is_frozen(guard.header()) {
        guard.set_header_bits(header::FROZEN);
    }
}

/// Is `v` frozen?
#[inline]
pub fn is_frozen(v: Value) -> bool {
    match v.cell() {
        None => true,
        Some(cell) => {
            header::is_frozen(cell.header())
                || matches!(type_of(cell), Type::Float | Type::BigInt | Type::Rational | Type::Complex)
        }
    }
}

/// `Frozen` if `v` is: the check of an operation that would change nothing.
pub fn check_unfrozen(v: Value) -> Result<()> {
    if is_frozen(v) { Err(ObjError::Frozen) } else { Ok(()) }
}

/// The owner gives `v` away, so that whoever receives it need not ask.
pub fn release(m: &mut Mutator, v: Value) {
    if let Some(cell) = v.cell() {
        m.release_ownership(cell);
    }
}

/// Does this thread alone know the object with this header, which is not frozen, until its next safepoint?
#[inline(always)]
pub(crate) fn is_own(m: &Mutator, header: u64) -> bool {
    header & (header::FROZEN | header::OWNER_MASK) == m.owner_bits()
}

/// Do several words of an object with this header agree without a lock: is it frozen, or this
/// thread's own (until its next safepoint)?
#[inline(always)]
pub fn readable(m: &Mutator, header: u64) -> bool {
    header & header::FROZEN != 0 || header & header::OWNER_MASK == m.owner_bits()
}
