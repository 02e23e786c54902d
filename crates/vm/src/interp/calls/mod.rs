//! Calls: `Call` and its kin, `super`.
//!
//! A call instruction goes on by what its site's cache remembers of the receiver's class: a [`kind::Kind`], which brings a
//! handler. Without that, by [`general`].

use asterism_compiler::opcode::Op;
use asterism_compiler::operand::{Base, Site, Words};
use asterism_compiler::ops::{self, Instruction};
use asterism_object::Value;

use super::dispatch::go_on;
use super::handler::{End, Handlers, Passed, opcode};
use super::state::{Execute, Interp, Next};
use crate::cache::InlineCache;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};

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

use call_kind::CallKind;
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

/// The handler of calls by what their site remembers of the receiver's class, or by a lookup: of any call instruction.
///
/// # Safety
/// As `Handler` says, of an instruction that is a call.
#[inline(never)]
unsafe fn general(
    ec: &mut Ec,
    frame: *mut Frame,
    pc: *const u64,
    table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    // SAFETY: the caller's contract; a call's operands lie where those of `Call` do. `at` is gone before `ec` is used again.
    unsafe {
        let mut at = Interp::at(&mut *std::ptr::from_mut(ec), frame, pc.add(1));
        at.save();
        if at.polled()
            && let Err(raised) = super::poll(at.ec)
        {
            return End::raised(raised);
        }
        let op = ops::Call::at(Words::at(pc));
        let recv = if opcode(pc) == Op::CallSelf as u8 { at.this() } else { *at.from(op.base()) };
        let (dst, args) = (op.dst(), at.from(op.base()).add(1));
        let st = state(dst.index() as u16, Cont::Store, 0);
        let next = match lookup::call_at(at.ec, frame, recv, args, op.site().index(), st) {
            Ok(invoked) => at.settle(invoked, dst),
            Err(raised) => Err(raised),
        };
        go_on(ec, frame, pc, next, table)
    }
}

/// The handler of calls of kind `K`: of any call instruction.
///
/// # Safety
/// As `Handler` says, of an instruction that is a call and has saved the pc. What is passed is the receiver and a cache of the
/// site, whose first entry is of kind `K` and for the receiver's class.
unsafe fn by_kind<K: CallKind>(
    ec: &mut Ec,
    frame: *mut Frame,
    pc: *const u64,
    table: &'static Handlers,
    recv: Passed,
    cache: Passed,
) -> End {
    // SAFETY: the caller's contract; a call's words are as many as those of `Call`, and its operands at the same places. `at` is
    // gone before `ec` is used again.
    unsafe {
        let at = Interp::at(&mut *std::ptr::from_mut(ec), frame, pc.add(1));
        let next = if K::POLLED || !at.polled() {
            let recv = Value::from_bits(recv.assume_init());
            K::call(ops::Call::at(Words::at(pc)), recv, InlineCache::of_bits(cache.assume_init()), at)
        } else {
            at.by(general)
        };
        go_on(ec, frame, pc, next, table)
    }
}
