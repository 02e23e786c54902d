//! Steps of an external iteration: methods of Enumerator that are Ruby code, but whose commonest step needs no frame.

use asterism_compiler::code::CallSite;
use asterism_compiler::ops;
use asterism_object::Value;

use super::args::is_plain;
use super::call_kind::CallKind;
use super::kind::{Kind, SiteCall};
use crate::args::CallArgs;
use crate::block::{HANDS_OVER, Proc};
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::fiber::walk::{self, Part, Step};
use crate::frame::{Cont, Frame, state};
use crate::interp::slots;
use crate::interp::state::{Interp, Next};
use crate::iseq::Iseq;

/// `Enumerator#next`; the target is its code, of this and the other two.
static NEXT: &Kind = &Kind::of::<NextStep>();
/// `Enumerator#peek`
static PEEK: &Kind = &Kind::of::<Peek>();
/// `Enumerator::Yielder#yield` or `<<`
static GIVE: &Kind = &Kind::of::<Give>();

/// The kind and target of a call of Ruby code, if it is one of these methods.
pub(super) fn of_ruby(iseq: *const Iseq, site: &CallSite) -> Option<(&'static Kind, u64)> {
    if !is_plain(site) || site.block.is_some() {
        return None;
    }
    // SAFETY: the method that the caller has keeps its code alive.
    let callee = unsafe { &*iseq };
    let exact = callee.simple == u32::from(site.argc);
    let kind = match walk::part_of(&callee.code)? {
        Part::Next if exact => NEXT,
        Part::Peek if exact => PEEK,
        Part::Give => GIVE,
        _ => return None,
    };
    Some((kind, iseq as u64))
}

struct NextStep;
struct Peek;

/// Executes a step.
#[inline(always)]
fn execute<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>, peeking: bool) -> Res<Next> {
    let (site, dst) = (op.site().index(), op.dst().index() as u16);
    // SAFETY: the current frame is a Ruby frame with its pc saved, and the caller its interpreter's loop; the cache's first entry
    // is of one of these kinds.
    unsafe { step(at.ec, at.frame(), recv, site, cache, peeking, dst)? };
    at.reload()
}

/// Invokes one of these methods.
///
/// # Safety
/// As `CallKind::invoke`.
unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
    // They take what is written, or nothing.
    ec.invoke(call.recv, entry.method, &CallArgs::written(call.argv()), call.st)
}

impl CallKind for NextStep {
    const NAME: &'static str = "Enumerator#next";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        execute(op, recv, cache, at, false)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

impl CallKind for Peek {
    const NAME: &'static str = "Enumerator#peek";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        execute(op, recv, cache, at, true)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

/// `Enumerator#next` or `peek`, as the first cache entry says: takes the next value at once, or calls the method.
///
/// # Errors
/// Ractor::IsolationError; NoMemoryError; what is raised in the fiber that goes on; SystemStackError where the method
/// is called.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved, and the caller its interpreter's loop; the cache is that of the
/// site, and its first entry of such a kind.
#[inline(never)]
unsafe fn step(
    ec: &mut Ec,
    frame: *mut Frame,
    recv: Value,
    site: usize,
    cache: InlineCache,
    peeking: bool,
    dst: u16,
) -> Res<()> {
    // SAFETY: the caller's contract; the target is the method's code, which is alive as the method in the cache is.
    unsafe {
        let walk = first_ivar(ec, frame, recv, site, cache.first_target())?;
        match walk::step(ec, walk, peeking, dst, cache.first_method().0)? {
            Step::Value(v) => *Frame::regs(frame).add(usize::from(dst)) = v,
            Step::Switched => {}
            Step::Later => {
                let st = state(dst, Cont::Store, 0);
                if let Invoked::Done(v) = ec.invoke(recv, cache.first_method(), &CallArgs::plain(&[]), st)? {
                    *Frame::regs(frame).add(usize::from(dst)) = v;
                }
            }
        }
        Ok(())
    }
}

/// The instance variable that the code `target` reads first, of `recv`, through the cache of call site `site`.
///
/// # Errors
/// As `slots::read_attr`.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame, the site one of its code, and the target an `Iseq` that is alive.
#[inline(always)]
unsafe fn first_ivar(ec: &mut Ec, frame: *mut Frame, recv: Value, site: usize, target: u64) -> Res {
    // SAFETY: the caller's contract.
    unsafe {
        let name = (&*(target as *const Iseq)).code.ivar_sites[0].name;
        slots::read_attr(ec, &*(*frame).iseq, site, recv, name)
    }
}

struct Give;

impl CallKind for Give {
    const NAME: &'static str = "Enumerator::Yielder#yield";
    const OPERATORS: bool = true;

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        let args = CallArgs::written(call.argv());
        // SAFETY: the target of this kind is code that the entry's method keeps alive; it reads the sink first.
        let (sink, simple) = unsafe {
            let sink = first_ivar(ec, call.frame, call.recv, call.site, entry.target)?;
            (sink, (*(entry.target as *const Iseq)).simple)
        };
        match Proc::from_value(sink) {
            Some(proc) if proc.flags() & HANDS_OVER != 0 => {
                // `<<` returns the receiver.
                let answer = if simple == 1 { call.recv } else { Value::NIL };
                ec.hand_over(proc, &args, call.st, answer)
            }
            _ => ec.invoke(call.recv, entry.method, &args, call.st),
        }
    }
}
