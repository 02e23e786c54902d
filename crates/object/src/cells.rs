//! Words of cells whose type is known: how this crate's modules reach the payload of a value.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::header::OLD;
use asterism_heap::{Cell, Mutator};

use crate::class::Class;
use crate::error::{ObjError, Result};
use crate::types::{Type, type_of};
use crate::value::{AtomicValue, Value};

/// A value that is known to point to a cell of one type.
#[derive(Clone, Copy)]
pub(crate) struct Obj(pub(crate) Value);

impl Obj {
    /// The object; its type is the caller's knowledge, checked in debug builds.
    #[inline(always)]
    pub(crate) fn of(v: Value, t: Type) -> Obj {
        debug_assert!(v.is_type(t), "{v:?} is no {t:?}");
        Obj(v)
    }

    /// Its cell.
    #[inline(always)]
    pub(crate) fn cell(&self) -> &Cell {
        // SAFETY: an `Obj` is only made of heap values, whose cells live while the value is
        // reachable; the borrow is no longer than the `Obj`, which lies on the stack.
        unsafe { &*self.0.ptr::<Cell>() }
    }

    /// Payload word `i`, which its type's layout has.
    #[inline(always)]
    pub(crate) fn word(&self, i: usize) -> &AtomicU64 {
        // SAFETY: callers pass the word numbers of their type's layout, and cells are allocated
        // with all words of their layout.
        unsafe { self.cell().word(i) }
    }

    /// Payload word `i`, which its type's layout has, and in which it has values only.
    #[inline(always)]
    pub(crate) fn slot(&self, i: usize) -> &AtomicValue {
        // SAFETY: callers pass the numbers of words that their type's layout has for values.
        unsafe { AtomicValue::of_word(self.word(i)) }
    }

    /// The value in payload word `i`, which its type's layout has for one.
    #[inline(always)]
    pub(crate) fn value(&self, i: usize) -> Value {
        self.slot(i).load(Ordering::Acquire)
    }

    /// The header word, for its flags.
    #[inline(always)]
    pub(crate) fn header(&self) -> u64 {
        self.cell().header.load(Ordering::Relaxed)
    }
}

/// The one way a reference gets into an object. Whoever stores has the right to change it, and has got that by a comparison
/// or a guard that lets nobody store in an old object which is not remembered: see the heap's `remember`.
#[inline(always)]
pub fn store(object: &Cell, slot: &AtomicU64, v: Value) {
    debug_assert!(
        object.header.load(Ordering::Relaxed) & OLD == 0 || !v.is_heap() || crate::data::stores_anywhere(object),
        "an old {:?} is stored in and not remembered",
        type_of(object)
    );
    slot.store(v.bits(), Ordering::Release);
}

/// Sets a slot of `object`: as `store`, for a word whose type says that it holds a value.
#[inline(always)]
pub fn store_value(object: &Cell, slot: &AtomicValue, v: Value) {
    store(object, slot.word(), v);
}

/// The class field of a cell: its class, which may be a singleton or an include class, or a number if it has none.
#[inline(always)]
pub fn class_field(cell: &Cell) -> Value {
    // SAFETY: cells are made with a value there (`alloc`), and only get other ones.
    unsafe { Value::from_bits(cell.class.load(Ordering::Acquire)) }
}

/// As `store`, in a slot that the collector does not look at yet. Who shows it remembers the object.
#[inline(always)]
pub(crate) fn store_unseen(slot: &AtomicU64, v: Value) {
    slot.store(v.bits(), Ordering::Release);
}

/// Makes `class` the class of the object in `cell`, which has one, and which others may know.
#[inline]
pub fn set_class(m: &Mutator, cell: &Cell, class: Class) {
    cell.class.store(class.0.bits(), Ordering::Release);
    m.remember_target(class.0.bits());
}

/// A new cell of type `t` with `words` payload words, which the caller fills before the next
/// safepoint.
#[inline]
pub(crate) fn alloc(m: &mut Mutator, t: Type, flags: u64, class: Value, words: usize) -> Result<Obj> {
    match m.alloc(16 + 8 * words, t as u64 | flags, class.bits()) {
        // SAFETY: just allocated.
        Some(cell) => Ok(Obj(unsafe { Value::from_new_cell(cell) })),
        None => Err(ObjError::NoMemory),
    }
}

/// A new cell with a drop hook.
#[inline]
pub(crate) fn alloc_hooked(m: &mut Mutator, t: Type, flags: u64, class: Value, words: usize) -> Result<Obj> {
    match m.alloc_hooked(16 + 8 * words, t as u64 | flags, class.bits()) {
        // SAFETY: just allocated.
        Some(cell) => Ok(Obj(unsafe { Value::from_new_cell(cell) })),
        None => Err(ObjError::NoMemory),
    }
}

/// A word for the class field of cells that have no class: the number reads as a fixnum.
#[inline(always)]
pub(crate) const fn number(n: usize) -> Value {
    Value::fixnum(n as i64)
}

/// The number in the class field of a cell that has no class.
#[inline(always)]
pub(crate) fn number_of(cell: &Cell) -> usize {
    (cell.class.load(Ordering::Relaxed) >> 1) as usize
}

/// Does the header belong to a cell of type `t`?
#[inline(always)]
pub(crate) fn is(cell: &Cell, t: Type) -> bool {
    type_of(cell) == t
}
