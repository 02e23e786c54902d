//! What there is to a kind of calls: a type with a [`CallKind`], beside what recognises the methods it is for
//! (`lookup::entry_for` asks that).

use asterism_compiler::ops;
use asterism_object::Value;

use super::by_kind;
use super::kind::{Kind, SiteCall};
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, state};
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

impl Kind {
    /// What `K` is like.
    pub(crate) const fn of<K: CallKind>() -> Kind {
        Kind { name: K::NAME, operators: K::OPERATORS, call: by_kind::<K>, invoke: K::invoke }
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
