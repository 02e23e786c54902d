//! What one thread has looked up: methods, and what is an instance of what.

use asterism_object::class::Class;
use asterism_object::{Sym, Value};

use crate::method::{Found, Method, Visibility};

/// Slots of a thread's cache at first, and when that has proved too few: both powers of two.
const FIRST_SIZE: usize = 64;
const SIZE: usize = 1024;

#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) serial: u64,
    pub(super) sym: Sym,
    pub(super) visibility: Visibility,
    pub(super) method: Value,
    pub(super) defined_class: Value,
}

impl Slot {
    /// What the lookup has found.
    #[inline(always)]
    pub(super) fn found(&self) -> Option<Found> {
        (self.method.bits() != 0).then_some(Found {
            method: Method(self.method),
            defined_class: Class(self.defined_class),
            visibility: self.visibility,
        })
    }
}

pub(super) const EMPTY: Slot =
    Slot { serial: 0, sym: Sym(0), visibility: Visibility::Public, method: Value::NULL, defined_class: Value::NULL };

/// One thread's direct-mapped cache of lookups. The collector empties it.
pub struct MethodCache {
    pub(super) slots: Box<[Slot]>,
    /// Lookups that were not found in it, as long as it is small.
    pub(super) misses: usize,
}

impl MethodCache {
    /// An empty one.
    pub fn new() -> MethodCache {
        MethodCache { slots: vec![EMPTY; FIRST_SIZE].into_boxed_slice(), misses: 0 }
    }

    #[inline(always)]
    pub(super) fn index(&self, serial: u64, name: Sym) -> usize {
        (serial as usize).wrapping_mul(31).wrapping_add(name.0 as usize) & (self.slots.len() - 1)
    }

    /// The method of `class` with that name, or that there is none, if it was looked up before.
    #[inline]
    pub(crate) fn known(&self, class: Class, name: Sym) -> Option<Option<Found>> {
        let serial = class.serial();
        let slot = &self.slots[self.index(serial, name)];
        (serial != 0 && slot.serial == serial && slot.sym == name).then(|| slot.found())
    }

    /// Enters the result of a lookup.
    pub(super) fn enter(&mut self, slot: Slot) {
        if self.slots.len() < SIZE {
            self.misses += 1;
            if self.misses > 2 * FIRST_SIZE {
                self.slots = vec![EMPTY; SIZE].into_boxed_slice();
            }
        }
        let index = self.index(slot.serial, slot.sym);
        self.slots[index] = slot;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(EMPTY);
    }
}

impl Default for MethodCache {
    fn default() -> Self {
        MethodCache::new()
    }
}

/// Answers that are remembered; a power of two.
const ANSWERS: usize = 128;

/// An answer. Serials are never used again, so nothing of it is ever wrong: a class gets another one when its ancestors change, and the
/// class of a class when a method `===` is defined.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Answer {
    /// The serial of the object's class.
    pub(crate) of: u64,
    /// The serial of the class or module that is asked.
    pub(crate) asked: u64,
    /// The serial of its class; 0 in an answer to `is_a?`, for which no `===` counts.
    pub(crate) meta: u64,
    /// The answer; none if the class has a `===` of its own.
    pub(crate) answer: Option<bool>,
}

impl Answer {
    /// Where the answer for these serials lies, if it is there. Compiled code looks there too (`emit/receivers.rs`).
    pub(super) fn index(of: u64, asked: u64) -> usize {
        ((of << ASKED_BITS ^ asked).wrapping_mul(SPREAD) >> SPREAD_BITS) as usize
    }
}

/// For [`Answer::index`]: the serial of the object's class moves so far beside that of the class that is asked, their product with
/// this (Fibonacci hashing: 2^64 by the golden ratio) spreads them, and its uppermost bits are the index.
pub(crate) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
/// See `SPREAD`.
pub(crate) const ASKED_BITS: u32 = 20;
/// See `SPREAD`.
pub(crate) const SPREAD_BITS: u32 = u64::BITS - ANSWERS.ilog2();

/// One thread's direct-mapped cache of answers.
#[repr(transparent)]
pub(crate) struct ClassMatches(pub(super) [Answer; ANSWERS]);

impl Default for ClassMatches {
    fn default() -> ClassMatches {
        ClassMatches([Answer { of: 0, asked: 0, meta: 0, answer: None }; ANSWERS])
    }
}
