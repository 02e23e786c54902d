//! Objects that were moved away: what is left of one is an empty object of another class.

use asterism_heap::header::{FROZEN, PRIVATE_MASK, TYPE_MASK, with_shape};
use asterism_heap::{Cell, Mutator};

use crate::cells::set_class;
use crate::class::Class;
use crate::object::EXACT;
use crate::shape::COMPLEX;
use crate::types::Type;
use crate::value::Value;

/// What is left of `v`, an object without a drop hook whose contents another one has by now: a frozen object of `class` that
/// has nothing. Its words stay as they are, for threads that read them; nobody comes to them any more.
pub fn leave_empty(m: &mut Mutator, v: Value, class: Class) {
    let Some(cell) = v.cell() else { return };
    // An owner's way of changing it is a plain store, as everybody's is who has the lock.
    let guard = m.exclusive(cell);
    guard.update_header(|header| {
        let header = header & !(TYPE_MASK | PRIVATE_MASK) | Type::Object as u64 | EXACT | FROZEN;
        // The variables of such an object would be in the side table, which has none of it.
        with_shape(header, COMPLEX)
    });
    drop(guard);
    set_class(m, cell, class);
}

/// Takes back that `v` is frozen: for who has just made it, before anybody else knows it.
pub fn thaw_private(m: &mut Mutator, v: Value) {
    if let Some(cell) = v.cell() {
        thaw(m, cell);
    }
}

fn thaw(m: &mut Mutator, cell: &Cell) {
    m.exclusive(cell).clear_header_bits(FROZEN);
}
