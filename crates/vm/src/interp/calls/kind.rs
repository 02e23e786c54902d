//! Kinds of calls: what a call site's cache remembers of how a method that was found is called.
//!
//! A kind is one type with a [`CallKind`], beside what recognises the methods it is for (`lookup::entry_for` asks that). A
//! cache entry holds the address of its [`Kind`].

use asterism_compiler::code::CallSite;
use asterism_compiler::ops;
use asterism_object::Value;

use super::by_kind;
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};
use crate::interp::dispatch::Handler;
use crate::interp::state::{Interp, Next};
use crate::iseq::Iseq;

/// How calls of one kind are made.
pub(in crate::interp) trait CallKind {
    /// Its name.
    const NAME: &'static str;
    /// `invoke` reads no registers but those of the arguments, so that it may be used for operators.
    const OPERATORS: bool = false;

    /// `call` needs no safepoint before it.
    const POLLED: bool = false;

    /// Executes a call of a receiver for whose class the cache's first entry, of this kind, is. The pc is saved.
    ///
    /// # Errors
    /// What it raises.
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
    /// What it raises.
    ///
    /// # Safety
    /// The call is the one under way, and the entry, which is of this kind, is for its receiver's class.
    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked>;
}

/// A kind of calls, as a cache entry names it: there is one of each.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// `CallKind::OPERATORS`
    pub(in crate::interp) operators: bool,
    /// `CallKind::call`, as a handler of any instruction that is a call.
    pub(in crate::interp) call: Handler,
    /// `CallKind::invoke`
    pub(in crate::interp) invoke: unsafe fn(&mut Ec, &SiteCall, &Entry) -> Res<Invoked>,
}

impl Kind {
    /// What `K` is like.
    pub(in crate::interp) const fn of<K: CallKind>() -> Kind {
        Kind { name: K::NAME, operators: K::OPERATORS, call: by_kind::<K>, invoke: K::invoke }
    }

    /// Is it that one?
    #[inline(always)]
    pub fn is(&self, other: &'static Kind) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A call under way at a call site of the current frame, a Ruby frame with its pc saved.
pub(in crate::interp) struct SiteCall {
    /// The current frame.
    pub frame: *mut Frame,
    /// The receiver.
    pub recv: Value,
    /// The first argument; of a call (not of an operator) the register behind the one at its base.
    pub args: *const Value,
    /// The call site's index.
    pub site: usize,
    /// What the frame, if one is pushed, returns to.
    pub st: u64,
}

impl SiteCall {
    /// The frame's code.
    pub fn iseq(&self) -> &Iseq {
        // SAFETY: the frame is active, and keeps its code alive.
        unsafe { &*(*self.frame).iseq }
    }

    /// The call site.
    pub fn site(&self) -> &CallSite {
        &self.iseq().code.call_sites[self.site]
    }

    /// The positional arguments, if there are no others before or among them.
    pub fn argv(&self) -> &[Value] {
        // SAFETY: as many arguments as the site has lie one behind the other.
        unsafe { std::slice::from_raw_parts(self.args, usize::from(self.site().argc)) }
    }

    /// The register at the call's base.
    pub fn base(&self) -> usize {
        // SAFETY: both addresses lie in the frame's registers.
        unsafe { self.args.offset_from(Frame::regs(self.frame)) as usize - 1 }
    }
}

/// Makes a call of kind `K` with the first entry of a cache.
///
/// # Errors
/// What it raises.
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
    let call = SiteCall { frame: ec.frame, recv, args, site, st };
    // SAFETY: the caller's contract.
    unsafe { K::invoke(ec, &call, &cache.entry(0)) }
}
