//! Moves and literals.

use asterism_compiler::ops;
use asterism_object::{Value, array};

use super::scope::{load_slot, outer_slots, scope_slots, store_slot};
use super::state::{Execute, Interp, Next};
use crate::coverage;
use crate::ec::Res;

impl<'i> Execute<'i> for ops::Nop<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.next()
    }
}

impl<'i> Execute<'i> for ops::CountLine<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        coverage::count_line(at.iseq(), self.line() as u32);
        at.next()
    }
}

impl<'i> Execute<'i> for ops::CountWay<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        coverage::count_way(at.iseq(), self.counter() as u32);
        at.next()
    }
}

impl<'i> Execute<'i> for ops::CountCall<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let frame = at.frame();
        // SAFETY: the current frame is active, a Ruby frame.
        unsafe { coverage::count_call(at.ec, at.iseq(), frame) };
        at.next()
    }
}

impl<'i> Execute<'i> for ops::Move<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let v = at.get(self.src());
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::LoadNil<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.store(self.dst(), Value::NIL)
    }
}

impl<'i> Execute<'i> for ops::LoadTrue<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.store(self.dst(), Value::TRUE)
    }
}

impl<'i> Execute<'i> for ops::LoadFalse<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.store(self.dst(), Value::FALSE)
    }
}

impl<'i> Execute<'i> for ops::LoadUndef<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.store(self.dst(), Value::UNDEF)
    }
}

impl<'i> Execute<'i> for ops::LoadSelf<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let this = at.this();
        at.store(self.dst(), this)
    }
}

impl<'i> Execute<'i> for ops::LoadInt<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.store(self.dst(), Value::fixnum(self.value()))
    }
}

impl<'i> Execute<'i> for ops::LoadLit<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let v = at.literal(self.literal());
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::NewStr<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let literal = at.literal(self.literal());
        let v = at.ec.dup_literal(literal)?;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::DupArray<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let literal = at.literal(self.literal());
        let copy = array::dup(at.ec, literal);
        let copy = at.ec.check(literal, copy)?;
        at.store(self.dst(), copy)
    }
}

impl<'i> Execute<'i> for ops::LoadCref<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let base = at.ec.constant_base().0;
        at.store(self.dst(), base)
    }
}

impl<'i> Execute<'i> for ops::GetUp<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        // SAFETY: the compiler counts the scopes around the frame, and the slots of each.
        let v = unsafe {
            let depth = self.depth();
            let slots = if depth == 1 { outer_slots(at.frame()) } else { scope_slots(at.frame(), depth) };
            load_slot(slots, self.slot())
        };
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::SetUp<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        // SAFETY: the compiler counts the scopes around the frame, and the slots of each.
        unsafe { store_slot(scope_slots(at.frame(), self.depth()), self.slot(), at.get(self.value())) };
        at.next()
    }
}
