//! `Exclusive`: the right to change an object, by ownership or by its lock.

use std::sync::atomic::Ordering;

use crate::claim;
use crate::collect::with_stack_pointer;
use crate::header::{Cell, OWNER_MASK, SHAPE_MASK, with_shape};
use crate::mutator::Mutator;
use crate::object_lock::ObjectLock;

/// As long as it lives, no other thread changes the object (and none that keeps to the rules reads what takes several
/// words to agree). It borrows the mutator mutably, so nothing under it can reach a safepoint, allocate, or take
/// a second object.
#[derive(Debug)]
#[must_use]
pub struct Exclusive<'a> {
    mutator: &'a Mutator,
    cell: &'a Cell,
    locked: bool,
}

impl Mutator {
    /// The right to change an object. May be a safepoint, and may wait, when this thread is not the owner.
    #[inline(always)]
    pub fn exclusive<'a>(&'a mut self, cell: &'a Cell) -> Exclusive<'a> {
        let header = cell.header.load(Ordering::Relaxed);
        if header & OWNER_MASK == self.owner_bits() {
            return Exclusive { mutator: self, cell, locked: false };
        }
        self.exclusive_slow(cell)
    }

    #[cold]
    #[inline(never)]
    fn exclusive_slow<'a>(&'a mut self, cell: &'a Cell) -> Exclusive<'a> {
        self.lock(cell);
        Exclusive { mutator: self, cell, locked: true }
    }

    /// Takes the lock of an object this thread does not own; claims it first when another living thread does.
    pub fn lock(&mut self, cell: &Cell) {
        debug_assert!(cell.header() & OWNER_MASK != self.owner_bits(), "the owner locks its object");
        loop {
            // The uncontended case needs no registers spilled.
            match ObjectLock::try_lock(&cell.header, self.heap().owners()) {
                Some(true) => return,
                Some(false) => {
                    let locked = with_stack_pointer(|stack_pointer| {
                        let heap = self.heap();
                        ObjectLock::lock(&cell.header, self.state(), heap.world(), heap.owners(), stack_pointer)
                    });
                    self.resync();
                    if locked {
                        return;
                    }
                }
                None => self.claim(cell),
            }
        }
    }

    /// Releases the lock of an object.
    #[inline]
    pub fn unlock(&self, cell: &Cell) {
        ObjectLock::unlock(&cell.header);
    }

    /// Takes the object away from another thread that owns it. Afterwards it is unowned, or this thread's own.
    pub fn claim(&mut self, cell: &Cell) {
        with_stack_pointer(|stack_pointer| {
            let heap = self.heap();
            claim::claim(self.state(), heap.world(), heap.owners(), &cell.header, stack_pointer);
        });
        self.resync();
    }

    /// Gives up the ownership of an object that is about to be handed to another thread. Does nothing to others.
    #[inline]
    pub fn release_ownership(&mut self, cell: &Cell) {
        let header = cell.header.load(Ordering::Relaxed);
        if header & OWNER_MASK == self.owner_bits() {
            // Release: who finds it unowned sees what was done to it.
            cell.header.store(header & !OWNER_MASK, Ordering::Release);
        }
    }
}

impl<'a> Exclusive<'a> {
    /// The object.
    #[inline(always)]
    #[must_use]
    pub fn cell(&self) -> &'a Cell {
        self.cell
    }

    /// The mutator, for what is no safepoint.
    #[inline(always)]
    #[must_use]
    pub fn mutator(&self) -> &'a Mutator {
        self.mutator
    }

    /// Whether the right is that of the owner.
    #[inline(always)]
    #[must_use]
    pub fn is_owner(&self) -> bool {
        !self.locked
    }

    /// The header word.
    #[inline(always)]
    #[must_use]
    pub fn header(&self) -> u64 {
        self.cell.header.load(Ordering::Relaxed)
    }

    /// Sets bits of the header.
    #[inline]
    pub fn set_header_bits(&self, bits: u64) {
        debug_assert_eq!(bits & OWNER_MASK, 0);
        self.update_header(|header| header | bits);
    }

    /// Clears bits of the header.
    #[inline]
    pub fn clear_header_bits(&self, bits: u64) {
        debug_assert_eq!(bits & OWNER_MASK, 0);
        self.update_header(|header| header & !bits);
    }

    /// Sets the shape; what the new shape reveals has been stored before.
    #[inline]
    pub fn set_shape(&self, shape: u32) {
        debug_assert_eq!(u64::from(shape) << 32 & !SHAPE_MASK, 0);
        self.update_header(|header| with_shape(header, shape));
    }

    /// Changes the header word; what it reveals has been stored before.
    #[inline]
    pub fn update_header(&self, change: impl Fn(u64) -> u64) {
        let mut header = self.cell.header.load(Ordering::Relaxed);
        if !self.locked {
            self.cell.header.store(change(header), Ordering::Release);
            return;
        }
        // Under the lock others may still set PARKED.
        while let Err(now) =
            self.cell.header.compare_exchange_weak(header, change(header), Ordering::Release, Ordering::Relaxed)
        {
            header = now;
        }
    }
}

impl Drop for Exclusive<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.locked {
            ObjectLock::unlock(&self.cell.header);
        }
    }
}
