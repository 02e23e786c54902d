//! Objects that have nothing but instance variables.
//!
//! ```text
//! Object     [hdr: shape][class][store or 0][slot 0]…        (1, 3, 5 … 13 inline slots)
//! exact one  [hdr: shape][class][slot 0]…                    (1 … 14)
//! IvarStore  [hdr][capacity][table or 0][slot]…
//! ```
//!
//! A class that is believed to know how many instance variables its instances have gets *exact* objects,
//! 8 bytes smaller. One that outgrows its cell all the same becomes complex, with its table in the side
//! table; its class then goes back to objects with a store.
//!
//! A slot is written before the shape that reveals it, and a store is replaced by a bigger one that
//! has all its slots. An object that becomes *complex* gets a store that keeps the old slots and has
//! a symbol table, so that readers who know the old shape still find what was there.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{Cell, Marker, Mutator, header};

use crate::cells::{self, Obj, number, number_of};
use crate::class::UNSETTLED;
use crate::error::Result;
use crate::shape::{self, COMPLEX, ShapeId, Slot};
use crate::types::Type;
use crate::value::Value;

/// Private header bit of an Object: it has no word for a store.
pub(crate) const EXACT: u64 = 1 << header::PRIVATE_SHIFT;
/// Payload word of an Object: its store.
pub(crate) const STORE: usize = 0;
/// First payload word with an inline slot.
pub(crate) const SLOTS: usize = 1;
/// Payload word of a store: its table.
pub(crate) const TABLE: usize = 0;
/// First payload word of a store with a slot.
pub(crate) const STORE_SLOTS: usize = 1;

/// An object of `class` without instance variables, with room for about `slots` of them
/// (`Class::instance_slots`) in its cell.
#[inline]
pub fn new(m: &mut Mutator, class: Value, slots: usize) -> Result<Value> {
    if let Some((root, slots)) = shape::exact_root(slots) {
        let flags = u64::from(root) << header::SHAPE_SHIFT | EXACT;
        return Ok(cells::alloc(m, Type::Object, flags, class, slots)?.0);
    }
    let (root, slots) = shape::root(slots & !(UNSETTLED as usize));
    let flags = u64::from(root) << header::SHAPE_SHIFT;
    let object = cells::alloc(m, Type::Object, flags, class, SLOTS + slots)?;
    object.word(STORE).store(0, Ordering::Relaxed);
    Ok(object.0)
}

/// The shape in a header word.
#[inline(always)]
pub const fn shape_of(header: u64) -> ShapeId {
    header::shape_of(header)
}

/// The word of `slot` in an Object whose shape has it. `None` only if the cell is no such object.
#[inline(always)]
fn slot_word(cell: &Cell, slot: Slot) -> &AtomicU64 {
    if slot.is_inline() {
        // SAFETY: the slot comes from the object's shape, whose root tells how many words it has.
        return unsafe { cell.word(slot.index()) };
    }
    // SAFETY: an Object whose shape has external slots has a store word: exact ones have no such shapes.
    let store = unsafe { cell.word(STORE) }.load(Ordering::Acquire) as *const Cell;
    debug_assert!(!store.is_null());
    // SAFETY: a shape with external slots is only revealed after a store that has them was
    // installed; stores are only replaced by bigger ones and live until the next safepoint.
    unsafe { (*store).word(STORE_SLOTS + slot.index()) }
}

/// The value in `slot` of an Object whose header was seen (Acquire) with a shape that has the slot.
#[inline(always)]
pub fn read_slot(cell: &Cell, slot: Slot) -> Value {
    // SAFETY: slots of objects and of their stores hold values only.
    unsafe { Value::from_bits(slot_word(cell, slot).load(Ordering::Acquire)) }
}

/// Sets a slot that the object's shape has. The caller owns the object and it is not frozen.
#[inline(always)]
pub fn write_slot(cell: &Cell, slot: Slot, x: Value) {
    cells::store(cell, slot_word(cell, slot), x);
}

/// Is there room for `slot` in the object as it is?
#[inline(always)]
pub(crate) fn has_room(cell: &Cell, slot: Slot) -> bool {
    if slot.is_inline() {
        return true;
    }
    // SAFETY: as in `slot_word`; the word is null or leads to a live IvarStore.
    let store = unsafe { cell.word(STORE) }.load(Ordering::Acquire) as *const Cell;
    // SAFETY: as above.
    !store.is_null() && slot.index() < number_of(unsafe { &*store })
}

/// Adds an instance variable to an object that the caller owns, that is not frozen, whose header is
/// `header` and whose shape becomes `shape` by it. `false`: it has no room for it, take `ivars::set`.
#[inline(always)]
#[must_use]
pub fn add_slot_owned(cell: &Cell, header: u64, shape: ShapeId, slot: Slot, x: Value) -> bool {
    if !has_room(cell, slot) {
        return false;
    }
    cells::store(cell, slot_word(cell, slot), x);
    // The owner may store the header: nobody else changes it while there is one.
    cell.header.store(header::with_shape(header, shape), Ordering::Release);
    true
}

/// An empty store with room for `capacity` slots.
pub(crate) fn new_store(m: &mut Mutator, capacity: usize) -> Result<Obj> {
    let capacity = capacity.max(3) | 1;
    let words = STORE_SLOTS + capacity;
    let store = cells::alloc(m, Type::IvarStore, 0, number(capacity), words)?;
    store.word(TABLE).store(0, Ordering::Relaxed);
    for i in 0..capacity {
        store.word(STORE_SLOTS + i).store(Value::NIL.bits(), Ordering::Relaxed);
    }
    Ok(store)
}

/// The store of an Object.
pub(crate) fn store(object: Obj) -> Option<Obj> {
    if object.header() & EXACT != 0 {
        return None;
    }
    let store = object.value(STORE);
    store.is_heap().then_some(Obj(store))
}

/// The symbol table of a complex object.
pub(crate) fn table(object: Obj) -> Value {
    store(object).map_or(Value::NULL, |store| store.value(TABLE))
}

/// Makes `store`, which has all slots of the present one, the object's.
pub(crate) fn install(object: Obj, new: Obj) {
    if let Some(old) = store(object) {
        for i in 0..number_of(old.cell()).min(number_of(new.cell())) {
            new.word(STORE_SLOTS + i).store(old.value(STORE_SLOTS + i).bits(), Ordering::Relaxed);
        }
    }
    cells::store(object.cell(), object.word(STORE), new.0);
}

/// Marks what an Object reaches.
pub(crate) fn trace(cell: &Cell, slots: usize, marker: &mut Marker) {
    let object = Obj(Value::from_cell(cell));
    let first = if object.header() & EXACT != 0 {
        0
    } else {
        marker.mark_part(object.word(STORE).load(Ordering::Relaxed));
        SLOTS
    };
    for i in first..first + slots {
        marker.mark(object.word(i).load(Ordering::Relaxed));
    }
}

/// Marks what a store reaches.
pub(crate) fn trace_store(cell: &Cell, marker: &mut Marker) {
    let store = Obj(Value::from_cell(cell));
    marker.mark_part(store.word(TABLE).load(Ordering::Relaxed));
    for i in STORE_SLOTS..STORE_SLOTS + number_of(cell) {
        marker.mark(store.word(i).load(Ordering::Relaxed));
    }
}

/// Is it complex?
#[inline(always)]
pub(crate) fn is_complex(header: u64) -> bool {
    shape_of(header) == COMPLEX
}
