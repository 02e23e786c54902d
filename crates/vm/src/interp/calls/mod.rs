//! Calls: `Call` and its kin, `super`.
//!
//! A call instruction goes on by what its site's cache remembers of the receiver's class: a [`kind::Kind`], which brings a
//! handler. Without that, by [`general`].

use asterism_compiler::opcode::Op;
use asterism_compiler::operand::{Base, Site};
use asterism_compiler::ops::{self, Instruction};

use super::state::{Execute, Interp, Next};
use crate::cache::InlineCache;
use crate::ec::Res;

pub(crate) mod args;
pub(crate) mod blocks;
mod call_kind;
pub(crate) mod fibers;
pub(crate) mod kind;
pub(crate) mod lookup;
mod new;
pub(crate) mod plain;
pub(crate) mod superclass;
mod walks;
mod warn;

use call_kind::general;
pub(crate) use new::{NEW_BOUND, NEW_OBJECT, NEW_STRUCT, new_struct};

/// A call instruction: all have these operands, at the same places.
trait IsCall<'i>: Instruction<'i> {
    fn base(self) -> Base<'i>;
    fn site(self) -> Site<'i>;
}

macro_rules! is_call {
    ($($op:ident)*) => {$(
        impl<'i> IsCall<'i> for ops::$op<'i> {
            #[inline(always)]
            fn base(self) -> Base<'i> {
                self.base()
            }
            #[inline(always)]
            fn site(self) -> Site<'i> {
                self.site()
            }
        }
    )*};
}

is_call!(Call CallSelf Resume FiberYield);

/// Executes a call, by the kind that its cache remembers for the receiver's class, or by `general`.
#[inline(always)]
fn call<'i, O: IsCall<'i>>(op: O, mut at: Interp<'i>) -> Res<Next> {
    at.save();
    // SAFETY: a call's base is a register.
    let recv = if O::OP as u8 == Op::CallSelf as u8 { at.this() } else { unsafe { *at.from(op.base()) } };
    match InlineCache::at(at.call_cache(op.site())) {
        Some(cache) if cache.first_serial() == at.ec.class_of(recv).serial() => {
            at.by_with(cache.first_kind().call, recv.bits(), cache.bits())
        }
        _ => at.by(general),
    }
}

impl<'i> Execute<'i> for ops::Call<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        call(self, at)
    }
}

impl<'i> Execute<'i> for ops::CallSelf<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        call(self, at)
    }
}

impl<'i> Execute<'i> for ops::Resume<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        // A switch with nothing in the way; else it is a call like others.
        // SAFETY: the frame is the current one, and the caller its interpreter's loop.
        if unsafe { at.ec.resume_at(at.frame(), at.pc(), self) } {
            return at.reload();
        }
        call(self, at)
    }
}

impl<'i> Execute<'i> for ops::FiberYield<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        // A switch with nothing in the way; else it is a call like others.
        // SAFETY: the frame is the current one, and the caller its interpreter's loop.
        if unsafe { at.ec.yield_at(at.frame(), at.pc(), self) } {
            return at.reload();
        }
        call(self, at)
    }
}
