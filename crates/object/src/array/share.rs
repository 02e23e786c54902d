//! Arrays whose elements lie in a counted block outside the heaps: what a message takes a share of instead of a copy.
//!
//! ```text
//! block  [capacity][bounds][slot 0]…[slot capacity-1]
//! ```
//!
//! Only arrays that never held a reference can have one. It is laid out as a store is, so that who reads sees no
//! difference; its contents and bounds never change. The header bit `SHARED` sends everybody who wants to change the array
//! here first, for a store of its own. The cell that holds the block for this VM is found through `Space::holders`.

use std::sync::atomic::Ordering;

use asterism_heap::{Exclusive, Mutator, header, keep_alive};

use super::bulk::{LONG, put};
use super::{Array, Body, HELD, Store, fill_fresh, new_cell, with_slice};
use crate::cells::number;
use crate::error::{ObjError, Result};
use crate::ownership::{check_unfrozen, modify};
use crate::space::space;
use crate::string::buffer::{self, Block};
use crate::value::Value;

/// Header bit, of the shape field, which arrays have no other use for: the body is a block.
pub(super) const SHARED: u64 = 1 << 63;
/// Fewer elements are copied: that costs less than counting.
const MIN_SHARED: usize = 128;
/// Bytes of a block before its bounds.
const CAPACITY: usize = 8;

/// The elements.
#[derive(Debug)]
enum Elements {
    /// A copy, of a short array.
    Own(Box<[Value]>),
    /// A share of a block.
    Block(Block),
}

/// What an Array that never held a reference is but for its class, frozenness and instance variables. Belongs to no heap.
#[derive(Debug)]
pub struct Parcel(Elements);

// SAFETY: the values are immediates, which mean the same in every VM; blocks can be sent.
unsafe impl Send for Parcel {}
// SAFETY: as for Send; nothing in it changes.
unsafe impl Sync for Parcel {}

impl Body {
    /// The body in a block.
    fn of_block(block: &Block) -> Body {
        // SAFETY: a block for elements has its bounds behind a word for the capacity.
        Body(unsafe { block.bytes().add(CAPACITY) }.cast_const().cast())
    }

    /// The address of the block that this body, of a shared array, lies in.
    fn block(self) -> usize {
        self.0.addr() - CAPACITY
    }
}

impl Parcel {
    /// Takes a share of the elements of the Array `v`, or a copy if they are few; `None` if it has held a reference.
    ///
    /// # Errors
    /// NoMemory.
    pub fn of(m: &mut Mutator, v: Value) -> Result<Option<Parcel>> {
        loop {
            let array = Array::of(v);
            if array.0.header() & HELD != 0 {
                return Ok(None);
            }
            if super::len(v) <= MIN_SHARED {
                let copy: Box<[Value]> = with_slice(m, v, |values| values.into());
                // Others may have put something else in meanwhile.
                return Ok(copy.iter().all(|x| !x.is_held()).then_some(Parcel(Elements::Own(copy))));
            }
            if array.0.header() & SHARED == 0 {
                move_out(m, v)?;
                continue;
            }
            let guard = m.exclusive(array.cell());
            if guard.header() & SHARED == 0 {
                continue;
            }
            let holder = space(guard.mutator()).holders.get(array.body().block());
            let block = holder.and_then(Block::share);
            debug_assert!(block.is_some(), "nobody holds the elements of a shared array");
            if let Some(block) = block {
                return Ok(Some(Parcel(Elements::Block(block))));
            }
            return Err(ObjError::NoMemory);
        }
    }

    /// Bytes it holds outside the heaps.
    #[must_use]
    pub fn size(&self) -> usize {
        match &self.0 {
            Elements::Own(copy) => size_of_val(&**copy),
            Elements::Block(block) => block.capacity(),
        }
    }

    /// An Array of `class` with these elements.
    ///
    /// # Errors
    /// NoMemory.
    pub fn open(&self, m: &mut Mutator, class: Value) -> Result<Value> {
        match &self.0 {
            Elements::Own(copy) => {
                let v = super::new_in(m, class, copy.len())?;
                fill_fresh(m, v, copy.iter().copied());
                Ok(v)
            }
            Elements::Block(block) => over(m, class, block.clone()),
        }
    }

    /// As `open`, of a parcel that nobody else opens: a share of a block is handed over.
    ///
    /// # Errors
    /// NoMemory.
    pub fn hand_over(self, m: &mut Mutator, class: Value) -> Result<Value> {
        match self.0 {
            Elements::Block(block) => over(m, class, block),
            own => Parcel(own).open(m, class),
        }
    }
}

/// An Array of `class` with the elements in a block.
fn over(m: &mut Mutator, class: Value, block: Block) -> Result<Value> {
    let (body, capacity) = (Body::of_block(&block), block.capacity());
    let holder = buffer::holder(m, body.block(), block, capacity)?;
    let array = new_cell(m, class, 0)?;
    array.0.word(super::BODY).store(body.0 as u64, Ordering::Release);
    let header = array.0.header();
    array.cell().header.store(header | SHARED, Ordering::Release);
    keep_alive(holder.bits());
    Ok(array.0.0)
}

/// Moves the elements of `v` into a block, if it has not held a reference meanwhile.
#[cold]
fn move_out(m: &mut Mutator, v: Value) -> Result<()> {
    let array = Array::of(v);
    let room = super::len(v);
    let bytes = CAPACITY + 8 + 8 * room;
    let charge = m.charge_malloc(bytes + buffer::HEAD).ok_or(ObjError::NoMemory)?;
    let block = Block::new(bytes).ok_or(ObjError::NoMemory)?;
    let to = Body::of_block(&block);
    // SAFETY: the word before the bounds is the block's first, and nobody else has the fresh block.
    unsafe { block.bytes().cast::<u64>().write(number(room).bits()) };
    to.set_bounds(0, 0);
    let holder = buffer::hold(m, to.block(), block, bytes, charge)?;
    let mut guard = m.exclusive(array.cell());
    let from = array.body();
    let (_, len) = from.bounds();
    if guard.header() & (HELD | SHARED) == 0 && len <= room {
        let copy = || {
            // SAFETY: both have room for `len` words, and nobody writes to either: the array is held exclusively.
            unsafe {
                let slots = from.slots().as_ptr().cast::<u64>();
                slots.copy_to_nonoverlapping(to.0.add(1).cast_mut().cast(), len);
            }
        };
        if len > LONG {
            guard.blocking(copy)
        } else {
            copy()
        }
        to.set_bounds(0, len);
        array.0.word(super::BODY).store(to.0 as u64, Ordering::Release);
        guard.set_header_bits(SHARED);
    }
    drop(guard);
    keep_alive(holder.bits());
    Ok(())
}

/// Exclusive access to the Array `v`, with a body that may be changed. As `ownership::modify` otherwise.
#[inline(always)]
pub(super) fn change<'a>(m: &'a mut Mutator, v: &'a Value) -> Result<Exclusive<'a>> {
    let m: *mut Mutator = m;
    loop {
        // SAFETY: `m` came from the one exclusive borrow, and no earlier reborrow is alive: the guard is dropped before the
        // next turn. (The borrow checker cannot see that a guard which is returned on one path is dropped on the other.)
        let guard = modify(unsafe { &mut *m }, v)?;
        if guard.header() & SHARED == 0 {
            return Ok(guard);
        }
        drop(guard);
        // SAFETY: as above.
        move_in(unsafe { &mut *m }, *v)?;
    }
}

/// Gives the shared Array `v` a store of its own again.
#[cold]
fn move_in(m: &mut Mutator, v: Value) -> Result<()> {
    check_unfrozen(v)?;
    let array = Array::of(v);
    let store = Store::new(m, super::len(v))?;
    let mut guard = modify(m, &v)?;
    let body = array.body();
    let (_, len) = body.bounds();
    if guard.header() & SHARED != 0 && len <= store.capacity() {
        put(&mut guard, body.values(), store.body(), 0);
        store.body().set_bounds(0, len);
        array.install(store);
        guard.clear_header_bits(SHARED);
    }
    Ok(())
}

/// The cell that keeps the body of a shared Array alive.
pub(super) fn holder(holders: &crate::holders::Holders, header: u64, body: Body) -> Option<Value> {
    if header & SHARED == 0 { None } else { holders.get(body.block()) }
}

/// What `is_ours` compares.
pub(super) const OWN_MASK: u64 = header::WRITER_MASK | header::FROZEN | SHARED;

/// May this thread change an array with this header with plain stores?
#[inline(always)]
pub(super) fn is_ours(m: &Mutator, header: u64) -> bool {
    header & OWN_MASK == m.owner_bits()
}
