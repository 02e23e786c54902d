//! Struct and Data instances: [hdr][class][length][slots…], of fixed length.

use std::sync::atomic::Ordering;

use asterism_heap::Mutator;

use crate::cells::{self, Obj};
use crate::error::{ObjError, Result};
use crate::ownership::modify;
use crate::types::Type;
use crate::value::Value;

/// The payload word that has the length, as a fixnum.
pub const LENGTH: usize = 0;
/// The payload word of the first member.
pub const SLOTS: usize = 1;

/// An instance of `class` with `n` members, all nil.
pub fn new_in(m: &mut Mutator, class: Value, n: usize) -> Result<Value> {
    if n > 1 << 20 {
        return Err(ObjError::TooBig("too many members"));
    }
    let object = cells::alloc(m, Type::Struct, 0, class, SLOTS + n)?;
    object.word(LENGTH).store(cells::number(n).bits(), Ordering::Relaxed);
    for i in 0..n {
        object.word(SLOTS + i).store(Value::NIL.bits(), Ordering::Relaxed);
    }
    Ok(object.0)
}

/// An instance of `class` with `n` members, the first of which are `values`; nil for those that are missing.
///
/// # Errors
/// NoMemory.
///
/// # Panics
/// If there are more values than members.
#[inline]
pub fn new_with(m: &mut Mutator, class: Value, n: usize, values: &[Value]) -> Result<Value> {
    assert!(values.len() <= n, "more values than members");
    let object = cells::alloc(m, Type::Struct, 0, class, SLOTS + n)?;
    object.word(LENGTH).store(cells::number(n).bits(), Ordering::Relaxed);
    for (i, v) in values.iter().enumerate() {
        cells::store(object.cell(), object.word(SLOTS + i), *v);
    }
    for i in values.len()..n {
        object.word(SLOTS + i).store(Value::NIL.bits(), Ordering::Relaxed);
    }
    Ok(object.0)
}

/// How many members it has.
#[inline]
pub fn len(v: Value) -> usize {
    Obj::of(v, Type::Struct).value(LENGTH).as_fixnum() as usize
}

/// Member `i`.
#[inline]
pub fn get(v: Value, i: usize) -> Option<Value> {
    (i < len(v)).then(|| Obj::of(v, Type::Struct).value(SLOTS + i))
}

/// Sets member `i`.
#[inline]
pub fn set(m: &mut Mutator, v: Value, i: usize, x: Value) -> Result<()> {
    if i >= len(v) {
        return Err(ObjError::Index);
    }
    let object = Obj::of(v, Type::Struct);
    if m.owned_and_unfrozen(object.header()) {
        cells::store(object.cell(), object.word(SLOTS + i), x);
        return Ok(());
    }
    let guard = modify(m, &v)?;
    cells::store(guard.cell(), object.word(SLOTS + i), x);
    Ok(())
}

/// Copies the members of `from` into `to`, an instance of the same length that no other thread has.
fn copy_members(m: &mut Mutator, from: Value, to: Value) {
    let (source, target) = (Obj::of(from, Type::Struct), Obj::of(to, Type::Struct));
    let guard = m.exclusive(source.cell());
    guard.mutator().remember_private(target.cell());
    for i in 0..len(from).min(len(to)) {
        cells::store(target.cell(), target.word(SLOTS + i), source.value(SLOTS + i));
    }
}

/// A copy of the members, in a new instance of `class`.
pub fn dup_in(m: &mut Mutator, class: Value, v: Value) -> Result<Value> {
    let copy = new_in(m, class, len(v))?;
    copy_members(m, v, copy);
    Ok(copy)
}

/// `initialize_copy`: takes over the members of `other`, which has the same length.
pub fn replace(m: &mut Mutator, v: Value, other: Value) -> Result<()> {
    let copy = new_in(m, Value::NIL, len(other))?;
    copy_members(m, other, copy);
    for i in 0..len(copy) {
        set(m, v, i, Obj::of(copy, Type::Struct).value(SLOTS + i))?;
    }
    Ok(())
}

/// How many payload words a cell with this length word has.
pub(crate) fn words(length_word: u64) -> usize {
    SLOTS + (length_word >> 1) as usize
}
