//! `Fiber.set_scheduler` and its like, and the hooks by which operations that wait ask the scheduler to do it.
//!
//! A hook is called where the operation would block, in the fiber that waits, with no lock held; what it answers is
//! what the operation goes on with. The built-in scheduler (`poller`) is reached without a call.

use std::sync::Arc;
use std::time::Duration;

use asterism_heap::{Marker, Stores};
use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::thread::Slot;
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res};
use rustix::event::PollFlags;

use super::poller::{self, Poller};
use crate::io::fd::Fd;

/// Singleton methods of Fiber.
pub static SINGLETON: &[NativeDef] = &[
    NativeDef::new("set_scheduler", set_scheduler, 1, 1),
    NativeDef::new("scheduler", scheduler, 0, 0).leaf(),
    NativeDef::new("current_scheduler", current_scheduler, 0, 0).leaf(),
    NativeDef::new("schedule", schedule, 0, ANY),
];

fn set_scheduler(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let scheduler = args[0];
    if !scheduler.is_nil() {
        for name in ["block", "unblock", "kernel_sleep", "io_wait"] {
            if !ec.respond_to(scheduler, intern(name), false)? {
                return Err(ec.arg_error(format!("Scheduler must implement #{name}")));
            }
        }
        if !ec.respond_to(scheduler, intern("fiber_interrupt"), false)? {
            asterism_vm::load::warn(ec, "Scheduler should implement #fiber_interrupt")?;
        }
    }
    // The root fiber is where the scheduler's fibers come back to.
    ec.current_fiber()?;
    ec.set_scheduler(scheduler)?;
    Ok(scheduler)
}

fn scheduler(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(ec.thread.handle.get(Slot::Scheduler))
}

fn current_scheduler(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(ec.scheduler().unwrap_or(Value::NIL))
}

fn schedule(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.no_block());
    };
    let scheduler = ec.thread.handle.get(Slot::Scheduler);
    if scheduler.is_nil() {
        return Err(ec.raise(Exc::RuntimeError, "No scheduler is available!"));
    }
    let call = asterism_vm::args::CallArgs { argv: args.slice(), keywords: asterism_vm::args::Keywords::None, block };
    ec.call_with(scheduler, intern("fiber"), &call, asterism_vm::call::CallKind::Public)
}

/// `IO::READABLE` and so on of poll's flags.
fn events_of(flags: PollFlags) -> i64 {
    let mut events = 0;
    for (flag, bit) in [(PollFlags::IN, 1), (PollFlags::PRI, 2), (PollFlags::OUT, 4)] {
        if flags.contains(flag) {
            events |= bit;
        }
    }
    events
}

/// The running fiber waits for a descriptor by its scheduler; `false` when the time is over. `io`: its object, if there
/// is one. `None`: the scheduler cannot wait for this, so the thread has to.
///
/// # Errors
/// What the scheduler's `io_wait` raises; as [`poller::wait`] with the built-in one; NoMemoryError.
pub fn wait_io(
    ec: &mut Ec,
    scheduler: Value,
    io: Option<Value>,
    fd: &Arc<Fd>,
    flags: PollFlags,
    timeout: Option<Duration>,
) -> Res<Option<bool>> {
    if data::is::<Poller>(scheduler) {
        let on = poller::Awaited { fd, flags, closed: None, reads: false };
        return poller::wait(ec, scheduler, Some(on), timeout).map(|came| Some(came != poller::Came::Events(0)));
    }
    let Some(io) = io else { return Ok(None) };
    let timeout = ec.seconds(timeout)?;
    let answer = ec.call(scheduler, intern("io_wait"), &[io, Value::fixnum(events_of(flags)), timeout])?;
    Ok(Some(answer.truthy() && answer != Value::fixnum(0)))
}

/// Calls a hook that a scheduler need not have; `None` if it has not.
///
/// # Errors
/// What the hook raises, or a Ruby-level `respond_to?`.
pub fn optional(ec: &mut Ec, scheduler: Value, name: &str, args: &[Value]) -> Res<Option<Value>> {
    let name = intern(name);
    if !ec.respond_to(scheduler, name, false)? {
        return Ok(None);
    }
    ec.call(scheduler, name, args).map(Some)
}

/// What a scheduler's `blocking_operation_wait` gets: work that any thread may do, once.
struct BlockingOperation(Mutex<Option<Work>>);

type Work = Box<dyn FnOnce() + Send>;

impl DataObject for BlockingOperation {
    const NAME: &'static str = "Fiber::Scheduler::BlockingOperation";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

static OPERATION: &[NativeDef] = &[NativeDef::new("call", call_operation, 0, 0)];

fn take_work(operation: &Value) -> Option<Work> {
    data::get::<BlockingOperation>(operation).and_then(|o| o.0.lock().take())
}

/// `BlockingOperation#call`
fn call_operation(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let Some(work) = take_work(&this) else {
        return Err(ec.raise(Exc::RuntimeError, "Blocking operation has already been executed!"));
    };
    ec.blocking(work);
    Ok(Value::NIL)
}

/// Does work that touches no Ruby object and may take long: by `blocking_operation_wait` of the running fiber's scheduler, if it
/// has that.
///
/// # Errors
/// What the scheduler's `blocking_operation_wait` raises; the work may go on then. NoMemoryError.
pub fn offload(ec: &mut Ec, work: impl FnOnce() + Send + 'static) -> Res<()> {
    let hook = intern("blocking_operation_wait");
    let scheduler = match ec.scheduler() {
        Some(scheduler) if ec.respond_to(scheduler, hook, false)? => scheduler,
        _ => {
            ec.blocking(work);
            return Ok(());
        }
    };
    let fiber = ec.known(WellKnown::Fiber);
    let module = ec.own_constant(fiber, intern("Scheduler")).and_then(Class::from_value);
    let Some(class) = module.and_then(|m| ec.own_constant(m, intern("BlockingOperation"))) else {
        return Err(ec.fatal("no class of blocking operations"));
    };
    let made = data::new(ec, class, BlockingOperation(Mutex::new(Some(Box::new(work)))));
    let operation = ec.check(Value::NIL, made)?;
    ec.call(scheduler, hook, &[operation])?;
    if let Some(work) = take_work(&operation) {
        ec.blocking(work);
    }
    Ok(())
}

/// What `io_read` and its like have answered: how many bytes, or the number of an error.
///
/// # Errors
/// TypeError if it is no Integer.
pub fn count(ec: &mut Ec, answer: Value) -> Res<Result<usize, rustix::io::Errno>> {
    let n = ec.to_i64(answer)?;
    Ok(match usize::try_from(n) {
        Ok(n) => Ok(n),
        // Linux has no numbers of errors beyond.
        Err(_) if n >= -4095 => Err(rustix::io::Errno::from_raw_os_error(-n as i32)),
        Err(_) => Err(rustix::io::Errno::IO),
    })
}

/// Defines the methods of Fiber, and the class `Fiber::Scheduler::Default`, which is given back, with the natives of `poller`.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<Class> {
    let fiber = ec.known(WellKnown::Fiber);
    ec.define_singleton_natives(fiber, SINGLETON)?;
    let object = ec.known(WellKnown::Object);
    let module = ec.define_module(fiber, "Scheduler")?;
    let class = ec.define_class(module, "Default", object)?;
    asterism_core::allocators::set_allocator(ec, class, poller::allocate);
    ec.define_natives(class, poller::POLLER)?;
    let operation = ec.define_class(module, "BlockingOperation", object)?;
    ec.define_natives(operation, OPERATION)?;
    let meta = ec.singleton_class(operation.0)?;
    ec.undef_method(meta, asterism_symbol::sym::new)?;
    Ok(class)
}
