//! What there is to a kind of calls: a type with a [`CallKind`], beside what recognises the methods it is for
//! (`lookup::entry_for` asks that).

use asterism_compiler::opcode::Op;
use asterism_compiler::operand::Words;
use asterism_compiler::ops::{self, Instruction};
use asterism_object::Value;

use super::kind::{Kind, SiteCall};
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};
use crate::interp::go_on::go_on;
use crate::interp::handler::{End, Handlers, Passed, opcode};
use crate::interp::poll::poll;
use crate::interp::state::{Interp, Next};

/// How calls of one kind are made.
pub(crate) trait CallKind {
    /// Its name.
    const NAME: &'static str;
    /// `invoke` reads no registers but those of the arguments, so that it may be used for operators.
    const OPERATORS: bool = false;

    /// `call` needs no safepoint before it.
    const POLLED: bool = false;

    /// Executes a call of a receiver for whose class the cache's first entry, of this kind, is. The pc is saved.
    ///
    /// # Errors
    /// As [`CallKind::invoke`].
    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next>
    where
        Self: Sized,
    {
        let st = state(op.dst().index() as u16, Cont::Store, 0);
        // SAFETY: the pc is saved, and the operands are those of the call.
        let invoked = unsafe {
            let args = at.from(op.base()).add(1);
            invoke_first::<Self>(at.ec, recv, args, op.site().index(), st, cache)?
        };
        at.settle(invoked, op.dst())
    }

    /// Makes a call with an entry of this kind.
    ///
    /// # Errors
    /// What a native method raises that it calls, or what is raised in the fiber that it switches to; for what it
    /// pushes, ArgumentError if the arguments do not fit, SystemStackError, NoMemoryError.
    ///
    /// # Safety
    /// The call is the one under way, and the entry, which is of this kind, is for its receiver's class.
    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked>;
}

impl Kind {
    /// What `K` is like.
    pub(crate) const fn of<K: CallKind>() -> Kind {
        Kind { name: K::NAME, operators: K::OPERATORS, call: by_kind::<K>, invoke: K::invoke }
    }
}

/// Makes a call of kind `K` with the first entry of a cache.
///
/// # Errors
/// As [`CallKind::invoke`].
///
/// # Safety
/// It is under way in the current frame, whose pc is saved; `args` is its first argument's register, and the entry is for the
/// receiver's class.
#[inline(never)]
unsafe fn invoke_first<K: CallKind>(
    ec: &mut Ec,
    recv: Value,
    args: *const Value,
    site: usize,
    st: u64,
    cache: InlineCache,
) -> Res<Invoked> {
    let call = SiteCall { frame: ec.fiber.frame, recv, args, site, st };
    // SAFETY: the caller's contract.
    unsafe { K::invoke(ec, &call, &cache.entry(0)) }
}

/// The handler of calls by what their site remembers of the receiver's class, or by a lookup: of any call instruction.
///
/// # Safety
/// As `Handler` says, of an instruction that is a call.
#[inline(never)]
pub(super) unsafe fn general(
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
            && let Err(raised) = poll(at.ec)
        {
            return End::raised(raised);
        }
        let op = ops::Call::at(Words::at(pc));
        let recv = if opcode(pc) == Op::CallSelf as u8 { at.this() } else { *at.from(op.base()) };
        let (dst, args) = (op.dst(), at.from(op.base()).add(1));
        let st = state(dst.index() as u16, Cont::Store, 0);
        let next = match at.ec.call_at(frame, recv, args, op.site().index(), st) {
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
