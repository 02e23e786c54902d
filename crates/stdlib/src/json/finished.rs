//! The finished values of a JSON document under way.

use asterism_object::{Value, array};
use asterism_vm::{Ec, Res};

/// So many finished values lie beside the parser.
const NEAR: usize = 64;

/// The finished values of what is not closed yet, as a stack. As long as there are few, they lie here: on the machine stack, where the
/// collector sees them.
pub(super) struct Finished {
    pub(super) near: [Value; NEAR],
    /// Of keys among them, where the parser keeps them.
    pub(super) slots: [u8; NEAR],
    /// How many of them there are.
    pub(super) count: usize,
    /// The Array that all lie in since there were more; else nil.
    pub(super) far: Value,
}

impl Finished {
    pub(super) fn new() -> Finished {
        Finished { near: [Value::NIL; NEAR], slots: [0; NEAR], count: 0, far: Value::NIL }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        if self.far.is_nil() { self.count } else { array::len(self.far) }
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> Option<Value> {
        if self.far.is_nil() { self.near[..self.count].get(i).copied() } else { array::at(self.far, i) }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        if self.far.is_nil()
            && let Some(place) = self.near.get_mut(self.count)
        {
            *place = v;
            self.count += 1;
            return Ok(());
        }
        self.push_far(ec, v)
    }

    #[cold]
    fn push_far(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        if self.far.is_nil() {
            self.far = ec.array(&self.near)?;
        }
        ec.array_push(self.far, v)
    }

    pub(super) fn truncate(&mut self, ec: &mut Ec, len: usize) -> Res<()> {
        if self.far.is_nil() {
            self.count = len;
            return Ok(());
        }
        let done = array::truncate(ec, self.far, len);
        ec.check(self.far, done)
    }

    /// An Array of those from `base` on, which are not here any more.
    pub(super) fn take(&mut self, ec: &mut Ec, base: usize) -> Res {
        if self.far.is_nil() {
            let made = ec.array(&self.near[base..self.count])?;
            self.count = base;
            return Ok(made);
        }
        let count = array::len(self.far).saturating_sub(base);
        let taken = array::pop_n(ec, self.far, count);
        ec.check(self.far, taken)
    }
}
