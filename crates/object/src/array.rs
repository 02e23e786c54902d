//! Arrays.
//!
//! ```text
//! Array       [hdr][class][body ●]──┐[bounds][slot 0][slot 1]…      (inline body)
//!                                   └► bounds word of the inline body, or of a store:
//! ArrayStore  [hdr][capacity][bounds][slot 0]…[slot capacity-1]
//! ```
//!
//! A *body* is its bounds word — start in the low half, length in the high half — followed by its
//! slots. An index is limited by the bounds of the very body it reads, and bounds are one word, so a
//! reader without a lock sees an element that was there, or nil. Bodies are never reused: when an
//! array outgrows one, or has to make room at its other end, it gets a new store. Slots outside the
//! bounds hold garbage that nobody looks at. The body of an array that messages share lies outside the heaps (`share`).

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::header::PRIVATE_SHIFT;
use asterism_heap::{Cell, Exclusive, Marker, Mutator};

use crate::cells::{self, Obj, number, number_of};
use crate::error::{ObjError, Result};
use crate::ownership;
use crate::space::{Space, WellKnown, class};
use crate::types::Type;
use crate::value::Value;

mod bulk;
pub mod foreign;
mod share;
#[cfg(test)]
mod tests;
mod update;

pub use share::Parcel;

pub use bulk::{
    append_private, clear, concat, cut, delete_at, dup, dup_in, extend, fill, fill_if, filled, from_slice,
    has_held_references, insert, insert_back, pair, place, pop_n, replace, reverse, rotate, set_back, shift_n,
    snapshot, splice, splice_at, sub, sub_at, truncate, with_slice, with_slice_apart,
};
pub use update::{Change, Unless, commit, exchange, merge, remove, remove_if};

use share::{change, is_ours};

/// Payload word: address of the body in use.
const BODY: usize = 0;
/// Payload word: bounds of the inline body.
const INLINE: usize = 1;
/// Most elements an inline body has.
const MAX_INLINE: usize = 12;
/// Private header bit: the array has held a reference at some time, so tracing must look at it.
const HELD: u64 = 1 << PRIVATE_SHIFT;
/// For compiled code: the bits of a header that are compared with the owner's before a thread changes the array with plain stores.
pub const OWN_MASK: u64 = share::OWN_MASK;
/// For compiled code: the bit of a header without which no reference may be stored so.
pub const HOLDS_REFERENCES: u64 = HELD;
/// For compiled code: the word of the payload where the body inside an array begins.
pub const INLINE_WORD: usize = INLINE;
/// For compiled code: where a header says how many slots that has, in pairs without the first one, and the mask of that.
pub const PAIRS: (u32, u64) = (STEP_SHIFT, 7);
/// Private header bits: inline capacity, in steps of two.
const STEP_SHIFT: u32 = PRIVATE_SHIFT + 1;
/// Payload words of a store before its slots.
const STORE_HEAD: usize = 1;
/// Most elements an array may have.
pub const MAX_LEN: usize = 1 << 31;

/// Bounds and slots of an array, inline or in a store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Body(*const AtomicU64);

impl Body {
    #[inline(always)]
    fn bounds_word(&self) -> &AtomicU64 {
        // SAFETY: a `Body` is only made of an Array's body word or a fresh store; both point to a
        // bounds word in a cell that lives until the next safepoint at least.
        unsafe { &*self.0 }
    }

    /// Start and length.
    #[inline(always)]
    fn bounds(&self) -> (usize, usize) {
        let word = self.bounds_word().load(Ordering::Acquire);
        (word as u32 as usize, (word >> 32) as usize)
    }

    #[inline(always)]
    fn set_bounds(&self, start: usize, len: usize) {
        self.bounds_word().store(start as u64 | (len as u64) << 32, Ordering::Release);
    }

    /// Slot `i`, counted from the first slot (not from the start).
    #[inline(always)]
    fn slot(&self, i: usize) -> &AtomicU64 {
        // SAFETY: callers stay below the body's capacity: an index below start + length of its own
        // bounds, or one checked against `Array::capacity`.
        unsafe { &*self.0.add(1 + i) }
    }

    #[inline(always)]
    fn load(&self, i: usize) -> Value {
        // SAFETY: slots hold values only; what is outside the bounds is not looked at.
        unsafe { Value::from_bits(self.slot(i).load(Ordering::Acquire)) }
    }

    /// The live slots.
    fn slots(&self) -> &[AtomicU64] {
        let (start, len) = self.bounds();
        // SAFETY: start + len never exceeds the body's capacity.
        unsafe { std::slice::from_raw_parts(self.0.add(1 + start), len) }
    }

    /// The live slots as values. Nobody may change the array while the slice lives.
    fn values(&self) -> &[Value] {
        let slots = self.slots();
        // SAFETY: `Value` is a transparent u64 like the atomic's content; callers hold the array
        // exclusively, or it is frozen, so that no slot is written while the slice lives.
        unsafe { std::slice::from_raw_parts(slots.as_ptr().cast::<Value>(), slots.len()) }
    }
}

/// An array and its layout.
#[derive(Clone, Copy)]
struct Array(Obj);

impl Array {
    #[inline(always)]
    fn of(v: Value) -> Array {
        Array(Obj::of(v, Type::Array))
    }

    #[inline(always)]
    fn cell(&self) -> &Cell {
        self.0.cell()
    }

    #[inline(always)]
    fn body(&self) -> Body {
        Body(self.0.word(BODY).load(Ordering::Acquire) as *const AtomicU64)
    }

    #[inline(always)]
    fn inline_body(&self) -> Body {
        Body(self.0.word(INLINE))
    }

    /// How many slots `body` of this array has.
    #[inline(always)]
    fn capacity(&self, header: u64, body: Body) -> usize {
        if body == self.inline_body() {
            inline_capacity(header)
        } else {
            // SAFETY: a body that is not inline is the payload of an ArrayStore cell, whose class
            // field, the word before, holds its capacity.
            let word = unsafe { &*body.0.sub(1) };
            (word.load(Ordering::Relaxed) >> 1) as usize
        }
    }

    /// Makes the store `store`, filled by the caller, the array's body.
    fn install(&self, store: Store) {
        // SAFETY: an address in the store's cell; it only goes to the body word, which is read as an address.
        let body = unsafe { Value::from_bits(store.body().0 as u64) };
        cells::store(self.cell(), self.0.word(BODY), body);
    }
}

#[inline(always)]
fn inline_capacity(header: u64) -> usize {
    2 * (1 + (header >> PAIRS.0 & PAIRS.1) as usize)
}

/// A fresh store, not yet seen by others. On the stack it keeps its cell alive.
#[derive(Clone, Copy)]
struct Store(Obj);

impl Store {
    /// A store for at least `capacity` elements, empty.
    fn new(m: &mut Mutator, capacity: usize) -> Result<Store> {
        if capacity > MAX_LEN {
            return Err(ObjError::TooBig("array size too big"));
        }
        // An odd number of words makes cells of full granules.
        let capacity = (capacity.max(3) | 1) as u32 as usize;
        let object = cells::alloc(m, Type::ArrayStore, 0, number(capacity), STORE_HEAD + capacity)?;
        let store = Store(object);
        store.body().set_bounds(0, 0);
        Ok(store)
    }

    fn body(&self) -> Body {
        Body(self.0.word(0))
    }

    fn capacity(&self) -> usize {
        number_of(self.0.cell())
    }

    /// The store that has this body, which is not an inline one.
    fn of(body: Body) -> Store {
        // SAFETY: the bounds word of a store is the first word of its cell's payload.
        let store = unsafe { Value::from_bits(body.0 as u64 - 16) };
        Store(Obj::of(store, Type::ArrayStore))
    }
}

/// The elements of an Array that only the caller knows and does not change: argument lists, snapshots. The Array lives as long as `v`
/// lies where the collector finds it, which it does while it is borrowed.
pub fn private_slice(v: &Value) -> &[Value] {
    let body = Array::of(*v).body();
    let (start, len) = body.bounds();
    // SAFETY: a body has `start + len` initialised slots behind its bounds word, `Value` is a
    // transparent `u64` like the atomics there, and by the contract nobody writes them meanwhile.
    unsafe { std::slice::from_raw_parts(body.0.add(1 + start).cast::<Value>(), len) }
}

/// The capacity for an array that has outgrown its body and needs `need` slots.
fn grown(need: usize) -> usize {
    if need < 1 << 16 { (need * 2).max(4) } else { need + need / 2 }
}

/// Records under exclusivity that the array holds references.
#[inline(always)]
fn note(guard: &Exclusive<'_>, x: Value) {
    if x.is_held() && guard.header() & HELD == 0 {
        guard.set_header_bits(HELD);
    }
}

/// An empty Array.
#[inline]
pub fn new(m: &mut Mutator) -> Result<Value> {
    with_capacity(m, 0)
}

/// An empty Array with room for `n` elements.
#[inline]
pub fn with_capacity(m: &mut Mutator, n: usize) -> Result<Value> {
    let class = class(m, WellKnown::Array);
    new_in(m, class, n)
}

/// An empty Array of `class` with room for `n` elements.
#[inline]
pub fn new_in(m: &mut Mutator, class: Value, n: usize) -> Result<Value> {
    if n > MAX_INLINE {
        return new_long(m, class, n);
    }
    Ok(new_cell(m, class, n)?.0.0)
}

#[inline(never)]
fn new_long(m: &mut Mutator, class: Value, n: usize) -> Result<Value> {
    let store = Store::new(m, n)?;
    let array = new_cell(m, class, 0)?;
    array.install(store);
    Ok(array.0.0)
}

#[inline]
fn new_cell(m: &mut Mutator, class: Value, n: usize) -> Result<Array> {
    let step = n.saturating_sub(1) / 2;
    let words = INLINE + 1 + 2 * (step + 1);
    let array = Array(cells::alloc(m, Type::Array, (step as u64) << STEP_SHIFT, class, words)?);
    let inline = array.inline_body();
    inline.set_bounds(0, 0);
    array.0.word(BODY).store(inline.0 as u64, Ordering::Relaxed);
    Ok(array)
}

/// Element `i`.
#[inline(always)]
pub fn at(v: Value, i: usize) -> Option<Value> {
    let body = Array::of(v).body();
    let (start, len) = body.bounds();
    if i < len { Some(body.load(start + i)) } else { None }
}

/// Element `i`, counted from the end if negative; nil outside.
#[inline]
pub fn get(v: Value, i: i64) -> Value {
    let body = Array::of(v).body();
    let (start, len) = body.bounds();
    let i = if i < 0 { i.wrapping_add(len as i64) } else { i } as u64;
    if i < len as u64 { body.load(start + i as usize) } else { Value::NIL }
}

/// The element that is `n` elements before the end, 1 being the last.
pub fn at_back(v: Value, n: usize) -> Option<Value> {
    let body = Array::of(v).body();
    let (start, len) = body.bounds();
    let i = len.checked_sub(n).filter(|&i| i < len)?;
    Some(body.load(start + i))
}

/// How many elements there are.
#[inline(always)]
pub fn len(v: Value) -> usize {
    Array::of(v).body().bounds().1
}

/// Is it empty?
#[inline(always)]
pub fn is_empty(v: Value) -> bool {
    len(v) == 0
}

/// The first element.
#[inline]
pub fn first(v: Value) -> Option<Value> {
    at(v, 0)
}

/// The last element.
#[inline]
pub fn last(v: Value) -> Option<Value> {
    let body = Array::of(v).body();
    let (start, len) = body.bounds();
    (len > 0).then(|| body.load(start + len - 1))
}

/// May this thread alone change the array, which is not frozen, until its next safepoint?
#[inline]
pub fn is_own(m: &Mutator, v: Value) -> bool {
    ownership::is_own(m, Array::of(v).0.header())
}

/// May this thread change the array with plain stores, and is `x` of a kind it is known to hold?
#[inline(always)]
fn quick(m: &Mutator, header: u64, x: Value) -> bool {
    is_ours(m, header) && (!x.is_held() || header & HELD != 0)
}

/// Appends `x`.
#[inline]
pub fn push(m: &mut Mutator, v: Value, x: Value) -> Result<()> {
    let array = Array::of(v);
    let header = array.0.header();
    if quick(m, header, x) {
        let body = array.body();
        let (start, len) = body.bounds();
        if start + len < array.capacity(header, body) {
            cells::store(array.cell(), body.slot(start + len), x);
            body.set_bounds(start, len + 1);
            return Ok(());
        }
    }
    extend(m, v, &[x])
}

/// Removes and returns the last element.
#[inline]
pub fn pop(m: &mut Mutator, v: Value) -> Result<Option<Value>> {
    let array = Array::of(v);
    if is_ours(m, array.0.header()) {
        return Ok(pop_from(array.body()));
    }
    let _guard = change(m, &v)?;
    Ok(pop_from(array.body()))
}

#[inline(always)]
fn pop_from(body: Body) -> Option<Value> {
    let (start, len) = body.bounds();
    if len == 0 {
        return None;
    }
    let x = body.load(start + len - 1);
    body.set_bounds(start, len - 1);
    Some(x)
}

/// Removes and returns the first element.
#[inline]
pub fn shift(m: &mut Mutator, v: Value) -> Result<Option<Value>> {
    let array = Array::of(v);
    if is_ours(m, array.0.header()) {
        return Ok(shift_from(array.body()));
    }
    let _guard = change(m, &v)?;
    Ok(shift_from(array.body()))
}

#[inline(always)]
fn shift_from(body: Body) -> Option<Value> {
    let (start, len) = body.bounds();
    if len == 0 {
        return None;
    }
    let x = body.load(start);
    body.set_bounds(start + 1, len - 1);
    Some(x)
}

/// Puts `x` before the first element.
pub fn unshift(m: &mut Mutator, v: Value, x: Value) -> Result<()> {
    insert(m, v, 0, &[x])
}

/// Sets element `i`; elements between the end and it become nil.
#[inline]
pub fn set(m: &mut Mutator, v: Value, i: usize, x: Value) -> Result<()> {
    if set_quickly(m, v, i, x) { Ok(()) } else { bulk::set_slow(m, v, i, x) }
}

/// The same where nothing stands in the way: the thread may store, and there is such an element. Whether it was done.
#[inline(always)]
pub fn set_quickly(m: &Mutator, v: Value, i: usize, x: Value) -> bool {
    let array = Array::of(v);
    if !quick(m, array.0.header(), x) {
        return false;
    }
    let body = array.body();
    let (start, len) = body.bounds();
    if i >= len {
        return false;
    }
    cells::store(array.cell(), body.slot(start + i), x);
    true
}

/// The slots of a fresh array that only this thread can reach, to be changed in place (a sort's
/// working copy).
///
/// # Safety
/// `v` must have been made by this thread and not have been published: nobody else reads it, and
/// nothing else of this thread touches it while the slice lives. Who stores references that were not in it remembers it
/// afterwards (`Mutator::remember_private`), before the next safepoint.
pub unsafe fn private_slice_mut(v: &mut Value) -> &mut [Value] {
    let slots = Array::of(*v).body();
    let (start, len) = slots.bounds();
    // SAFETY: the caller vouches that the array is private; start + len is within the body.
    unsafe { std::slice::from_raw_parts_mut(slots.0.add(1 + start).cast_mut().cast(), len) }
}

/// Writes `values` into a fresh array of at least that capacity, which nobody else sees yet.
#[inline]
pub(crate) fn fill_fresh(m: &Mutator, v: Value, values: impl Iterator<Item = Value>) {
    let (n, held) = fill_unseen(v, values);
    publish_fresh(m, v, n, held);
}

/// The same without showing them, to the collector neither, before `publish_fresh` is told how many there are and whether
/// there are references among them.
pub(crate) fn fill_unseen(v: Value, values: impl Iterator<Item = Value>) -> (usize, bool) {
    let array = Array::of(v);
    let header = array.0.header();
    let body = array.body();
    let capacity = array.capacity(header, body);
    let mut n = 0;
    let mut held = false;
    for x in values {
        if n == capacity {
            break;
        }
        held |= x.is_held();
        cells::store_unseen(body.slot(n), x);
        n += 1;
    }
    (n, held)
}

/// The first `n` slots of a fresh array have been filled; are there references among them?
#[inline]
pub(crate) fn publish_fresh(m: &Mutator, v: Value, n: usize, held: bool) {
    let array = Array::of(v);
    array.body().set_bounds(0, n);
    if held {
        m.remember_private(array.cell());
        let header = array.0.header();
        array.cell().header.store(header | HELD, Ordering::Release);
    }
}

/// Marks what an Array reaches.
pub(crate) fn trace(cell: &Cell, space: &Space, marker: &mut Marker) {
    let array = Array(Obj(Value::from_cell(cell)));
    let body = array.body();
    if body == array.inline_body() {
        if array.0.header() & HELD != 0 {
            marker.mark_slice(body.slots());
        }
        return;
    }
    if let Some(holder) = share::holder(&space.holders, array.0.header(), body) {
        marker.mark(holder.bits());
        return;
    }
    // The store is marked as a whole: whether it is looked into is decided here, where the flag is.
    let store = (body.0 as u64) - 16;
    marker.mark(store);
    if array.0.header() & HELD != 0 {
        marker.mark_slice(body.slots());
    }
}
