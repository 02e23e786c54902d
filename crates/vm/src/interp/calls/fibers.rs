//! Calls that switch fibers, or make one.

use asterism_compiler::code::CallSite;
use asterism_compiler::ops;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_symbol::sym;

use super::args::{block_of, is_plain};
use super::call_kind::CallKind;
use super::kind::{Kind, SiteCall};
use super::new::new_object;
use super::plain::GENERAL;
use crate::args::{CallArgs, Keywords};
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};
use crate::interp::state::{Interp, Next};
use crate::iseq::Iseq;
use crate::method::{Body, Method};
use crate::native::{Special, Switch};

/// `Fiber#resume` of at most one value; the target is how many.
pub(crate) static RESUME: &Kind = &Kind::of::<Resume>();
/// `Fiber.yield` of at most one value; the target is how many.
pub(crate) static FIBER_YIELD: &Kind = &Kind::of::<FiberYield>();
/// Any other switch; the target is the number of values and, from bit 32 up, which one.
static SWITCH: &Kind = &Kind::of::<OtherSwitch>();
/// `Fiber.new` with a literal block and nothing else; the target is the class's serial.
static NEW_FIBER: &Kind = &Kind::of::<NewFiber>();

/// The kind and target of a call that switches.
pub(super) fn of_switch(kind: Switch, site: &CallSite) -> (&'static Kind, u64) {
    if !is_plain(site) || site.block.is_some() {
        return (GENERAL, 0);
    }
    let argc = u64::from(site.argc);
    match kind {
        Switch::Resume if argc <= 1 => (RESUME, argc),
        Switch::Yield if argc <= 1 => (FIBER_YIELD, argc),
        _ => (SWITCH, argc | (kind as u64) << 32),
    }
}

/// The kind and target of a call of `new`, if `class` is Fiber, and the call has a literal block and nothing else.
pub(super) fn of_new(ec: &mut Ec, class: Value, site: &CallSite) -> Option<(&'static Kind, u64)> {
    if !is_plain(site) || site.argc != 0 || site.block.is_none() {
        return None;
    }
    ec.plain_fibers(class).map(|serial| (NEW_FIBER, serial))
}

/// A switch of a receiver, with the arguments in registers from an address on, as the target says; the method is what is shown
/// of the call meanwhile, and the register takes what comes back.
type SwitchFn = unsafe fn(&mut Ec, Value, *const Value, u64, Method, u16) -> Res<()>;

/// Executes a switch by `body`.
#[inline(always)]
fn execute<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>, body: SwitchFn) -> Res<Next> {
    let (target, method, dst) = (cache.first_target(), cache.first_method(), op.dst().index() as u16);
    // SAFETY: the current frame is a Ruby frame with its pc saved, and the caller its interpreter's loop; the arguments lie behind
    // the call's base.
    unsafe { body(at.ec, recv, at.from(op.base()).add(1), target, method, dst)? };
    at.reload()
}

/// Invokes a method that switches.
unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
    ec.invoke(call.recv, entry.method, &CallArgs::written(call.argv()), call.st)
}

struct Resume;

impl CallKind for Resume {
    const NAME: &'static str = "Fiber#resume";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        execute(op, recv, cache, at, resume)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

/// `Fiber#resume` of at most one value.
///
/// # Errors
/// FiberError; what is raised in the fiber that goes on.
///
/// # Safety
/// As `switch`.
#[inline(never)]
unsafe fn resume(ec: &mut Ec, recv: Value, args: *const Value, target: u64, method: Method, dst: u16) -> Res<()> {
    // SAFETY: the caller's contract; the target is how many values there are.
    unsafe {
        let one = if target == 0 { Value::NIL } else { *args };
        if ec.resume_quickly(recv, one, dst, method.0) {
            return Ok(());
        }
        switch(ec, Switch::Resume, recv, args, target, method, dst)
    }
}

struct FiberYield;

impl CallKind for FiberYield {
    const NAME: &'static str = "Fiber.yield";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        execute(op, recv, cache, at, fiber_yield)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

/// `Fiber.yield` of at most one value.
///
/// # Errors
/// FiberError; what is raised in the fiber that goes on.
///
/// # Safety
/// As `switch`.
#[inline(never)]
unsafe fn fiber_yield(ec: &mut Ec, recv: Value, args: *const Value, target: u64, method: Method, dst: u16) -> Res<()> {
    // SAFETY: the caller's contract; the target is how many values there are.
    unsafe {
        let one = if target == 0 { Value::NIL } else { *args };
        if ec.yield_quickly(one, dst, method.0) {
            return Ok(());
        }
        switch(ec, Switch::Yield, recv, args, target, method, dst)
    }
}

struct OtherSwitch;

impl CallKind for OtherSwitch {
    const NAME: &'static str = "switch of fibers";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        execute(op, recv, cache, at, other_switch)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

/// The switch that the target names.
///
/// # Errors
/// FiberError; what is raised in the fiber that goes on.
///
/// # Safety
/// As `switch`.
#[inline(never)]
unsafe fn other_switch(ec: &mut Ec, recv: Value, args: *const Value, target: u64, method: Method, dst: u16) -> Res<()> {
    let kind = match target >> 32 {
        kind if kind == Switch::Resume as u64 => Switch::Resume,
        kind if kind == Switch::Yield as u64 => Switch::Yield,
        _ => Switch::Transfer,
    };
    // SAFETY: the caller's contract is the same.
    unsafe { switch(ec, kind, recv, args, target, method, dst) }
}

/// A switch of fibers, with all checks.
///
/// # Errors
/// FiberError; what is raised in the fiber that goes on.
///
/// # Safety
/// The current frame is a Ruby frame with its pc saved, and the caller its interpreter's loop. As many values as the target says
/// lie from `args` on.
unsafe fn switch(
    ec: &mut Ec,
    kind: Switch,
    recv: Value,
    args: *const Value,
    target: u64,
    method: Method,
    dst: u16,
) -> Res<()> {
    // SAFETY: the caller's contract.
    unsafe {
        let argv = std::slice::from_raw_parts(args, target as u32 as usize);
        // What is shown of this call while the fiber is suspended.
        ec.fiber.leaf = method.0;
        let switched = ec.switch_fiber(kind, recv, argv, dst);
        ec.fiber.leaf = Value::NULL;
        switched
    }
}

struct NewFiber;

impl CallKind for NewFiber {
    const NAME: &'static str = "Fiber.new";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        let (site, dst) = (op.site().index(), op.dst().index() as u16);
        // SAFETY: the current frame is a Ruby frame with its pc saved; the site is one of its code, with a literal block.
        unsafe { new_fiber(at.ec, at.frame(), recv, site, cache.first_target(), dst)? };
        at.reload()
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { super::new::invoke(ec, call, entry) }
    }
}

/// `Fiber.new` with a literal block and nothing else, at a site whose entry names the class's `serial` then: makes the fiber at
/// once, unless `initialize` is not the core's any more.
///
/// # Errors
/// NoMemoryError; what `initialize` raises.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved; the site is one of its code, and `dst` one of its registers.
#[inline(never)]
unsafe fn new_fiber(ec: &mut Ec, frame: *mut Frame, class: Value, site: usize, serial: u64, dst: u16) -> Res<()> {
    // SAFETY: the caller's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let site = &iseq.code.call_sites[site];
        let made = match site.block {
            Some(child) if Class(class).serial() == serial || ec.plain_fibers(class).is_some() => {
                let block = iseq.child(ec, usize::from(child))?;
                let body = ec.make_proc(frame, block, false)?;
                ec.new_fiber(body)?
            }
            // There are no arguments but the block.
            _ => {
                let block = block_of(ec, frame, site, 0)?;
                let args = CallArgs { argv: &[], keywords: Keywords::Never, block };
                match new_object(ec, Class(class), &args, state(dst, Cont::Store, 0))? {
                    Invoked::Done(made) => made,
                    Invoked::Pushed => return Ok(()),
                }
            }
        };
        *Frame::regs(frame).add(usize::from(dst)) = made;
        Ok(())
    }
}

impl Ec {
    /// The serial of the class Fiber, if `class` is that, and its `initialize` the core's as of that serial.
    fn plain_fibers(&mut self, class: Value) -> Option<u64> {
        if class != self.class(WellKnown::Fiber) {
            return None;
        }
        let (serial, found) = self.find_method(Class(class), sym::initialize);
        matches!(found?.method.body(), Body::Native(def) if def.special == Special::FiberInitialize).then_some(serial)
    }
}
