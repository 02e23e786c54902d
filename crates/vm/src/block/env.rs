//! The heap form of a scope.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{Cell, Marker};
use asterism_object::types::{Type, type_of};
use asterism_object::{AtomicValue, Value};

/// Payload words of an Env in front of the slots.
pub(super) mod env_word {
    pub const PARENT: usize = 0;
    pub const FRAME: usize = 1;
    pub const ISEQ: usize = 2;
    pub const COUNT: usize = 3;
    pub const FIBER: usize = 4;
    pub const SLOTS: usize = 5;
}

/// In the word for the count: a Binding of the scope has been made, and what that sets is not to be lost.
pub(super) const SHOWN: u64 = 1 << 63;

/// In place of a fiber's number: see `Env::is_isolated`.
pub(super) const ISOLATED_ENV: u64 = u64::MAX;

/// In place of a fiber's number, once the frame has ended: see `Env::was_lambda`.
pub(super) const LAMBDA_ENV: u64 = u64::MAX - 1;

/// A scope's locals on the heap. Slots may be read and written by many threads; each is an atomic.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Env(pub Value);

impl Env {
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> &AtomicU64 {
        // SAFETY: an `Env` is only made of Env cells; indices are below `SLOTS + count`.
        unsafe { (*self.0.ptr::<Cell>()).word(index) }
    }

    /// The view of `v`, if it is an Env cell.
    pub fn from_value(v: Value) -> Option<Env> {
        (v.is_heap() && type_of(v.cell()?) == Type::Env).then_some(Env(v))
    }

    /// Are these the surroundings of an isolated Proc?
    pub fn is_isolated(&self) -> bool {
        self.at(env_word::FIBER).load(Ordering::Relaxed) == ISOLATED_ENV
    }

    /// The scope around it: an Env or nil.
    #[inline(always)]
    pub fn parent(&self) -> Value {
        // SAFETY: the word holds an Env or nil.
        unsafe { Value::from_bits(self.at(env_word::PARENT).load(Ordering::Relaxed)) }
    }

    /// Its code (an Iseq cell), for the names of its slots.
    pub fn iseq(&self) -> Value {
        // SAFETY: the word holds an Iseq cell.
        unsafe { Value::from_bits(self.at(env_word::ISEQ).load(Ordering::Relaxed)) }
    }

    /// How many slots it has.
    pub fn count(&self) -> usize {
        (self.at(env_word::COUNT).load(Ordering::Relaxed) & !SHOWN) as usize
    }

    /// Slot `i`.
    #[inline(always)]
    pub fn slot(&self, i: usize) -> &AtomicValue {
        assert!(i < self.count());
        // SAFETY: the slots of a scope hold values only.
        unsafe { AtomicValue::of_word(self.at(env_word::SLOTS + i)) }
    }

    /// The address of slot 0.
    #[inline(always)]
    pub fn slots(&self) -> *mut u64 {
        self.at(env_word::SLOTS).as_ptr()
    }

    /// Says that its frame has ended; `lambda`: that of a lambda.
    #[inline]
    pub fn frame_ended(&self, lambda: bool) {
        if lambda {
            self.at(env_word::FIBER).store(LAMBDA_ENV, Ordering::Relaxed);
        }
        self.at(env_word::FRAME).store(0, Ordering::Release);
    }

    /// Was it the scope of a lambda, which has ended?
    pub fn was_lambda(&self) -> bool {
        self.at(env_word::FIBER).load(Ordering::Relaxed) == LAMBDA_ENV
    }

    /// Marks the references.
    pub fn trace(cell: &Cell, marker: &mut Marker) {
        // SAFETY: an Env cell has `SLOTS + count` payload words; count is set before it is visible.
        unsafe {
            marker.mark(cell.word(env_word::PARENT).load(Ordering::Relaxed));
            marker.mark(cell.word(env_word::ISEQ).load(Ordering::Relaxed));
            let count = (cell.word(env_word::COUNT).load(Ordering::Relaxed) & !SHOWN) as usize;
            for i in 0..count {
                marker.mark(cell.word(env_word::SLOTS + i).load(Ordering::Relaxed));
            }
        }
    }
}
