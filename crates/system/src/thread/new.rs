//! Making, joining, raising into and ending threads.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, hash};
use asterism_symbol::sym;
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::call::CallKind;
use asterism_vm::error::Pending;
use asterism_vm::native::PrimFn;
use asterism_vm::thread::{self, RubyThread, Slot, Start};
use asterism_vm::{ANY, Args, Block, Ec, Exc, NativeDef, Raised, Res};

use super::classes::thread_of;
use super::time;

static THREAD: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, ANY).private(),
    NativeDef::new("join", join, 0, 1),
    NativeDef::new("value", value, 0, 0),
    NativeDef::new("raise", raise, 0, ANY),
    NativeDef::new("kill", kill, 0, 0),
    NativeDef::new("exit", kill, 0, 0),
    NativeDef::new("terminate", kill, 0, 0),
    NativeDef::new("wakeup", wakeup, 0, 0).leaf(),
    NativeDef::new("run", run, 0, 0),
    NativeDef::new("pending_interrupt?", pending_interrupt, 0, 1),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("new", thread_new, 0, ANY),
    NativeDef::new("start", thread_start, 0, ANY),
    NativeDef::new("fork", thread_start, 0, ANY),
    NativeDef::new("exit", thread_exit, 0, 0),
    NativeDef::new("kill", thread_kill, 1, 1),
    NativeDef::new("stop", stop, 0, 0),
    NativeDef::new("pass", pass, 0, 0).leaf(),
    NativeDef::new("pending_interrupt?", current_pending_interrupt, 0, 1),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[("thread_push_mask", push_mask), ("thread_pop_mask", pop_mask)];

/// Defines the methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Thread);
    // Instances come from `new` only.
    class.set_alloc(asterism_object::class::Alloc::Undefined);
    ec.vm().add_primitives(PRIMITIVES);
    ec.define_natives(class, THREAD)?;
    ec.define_singleton_natives(class, SINGLETON)
}

fn thread_new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let made = ec.vm().threads.make();
    let object = thread::make_object(ec, &made, this)?;
    let (argv, keywords) = args.split_keywords();
    let keywords = keywords.map_or(Keywords::None, Keywords::Hash);
    let call = CallArgs { argv, keywords, block: args.block().unwrap_or(Block::NONE) };
    ec.call_with(object, sym::initialize, &call, CallKind::Private)?;
    if made.get(Slot::Body).is_nil() {
        let name = ec.class_name(Class(this));
        return Err(ec.raise(Exc::ThreadError, format!("uninitialized thread - check '{name}#initialize'")));
    }
    Ok(object)
}

fn thread_start(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let made = ec.vm().threads.make();
    let object = thread::make_object(ec, &made, this)?;
    begin(ec, &made, args)?;
    Ok(object)
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    if !thread.get(Slot::Body).is_nil() {
        return Err(ec.raise(Exc::ThreadError, "already initialized thread"));
    }
    begin(ec, &thread, args)?;
    Ok(this)
}

/// Starts the thread with the block and the arguments of the call.
fn begin(ec: &mut Ec, thread: &Arc<RubyThread>, args: Args<'_>) -> Res<()> {
    let Some(block) = args.block() else {
        return Err(ec.raise(Exc::ThreadError, "must be called with a block"));
    };
    if asterism_object::ownership::is_frozen(ec.thread.handle.get(Slot::Group)) {
        return Err(ec.raise(Exc::ThreadError, "can't start a new thread (frozen ThreadGroup)"));
    }
    let body = ec.block_to_proc(block)?;
    let (argv, keywords) = args.split_keywords();
    let arguments = ec.array(argv)?;
    if let Some(h) = keywords {
        let copy = ec.hash_dup(h)?;
        hash::set_kw(copy, true);
        ec.array_push(arguments, copy)?;
    }
    thread::start(ec, thread, Start { body, arguments })
}

/// Waits for the end of a thread; `false`: the timeout was over first. Raises what ended the thread.
fn wait_for(ec: &mut Ec, this: Value, timeout: Value) -> Res<bool> {
    let thread = thread_of(ec, this)?;
    let deadline = time::deadline(ec, timeout)?;
    if Arc::ptr_eq(&thread, &ec.thread.handle) {
        return Err(ec.raise(Exc::ThreadError, "Target thread must not be current thread"));
    }
    if Arc::ptr_eq(&thread, ec.vm().threads.main()) {
        return Err(ec.raise(Exc::ThreadError, "Target thread must not be main thread"));
    }
    if !ec.join_thread(&thread, deadline)? {
        return Ok(false);
    }
    let exception = thread.get(Slot::Exception);
    if exception.truthy() {
        return Err(ec.raise_exception(exception));
    }
    Ok(true)
}

fn join(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(if wait_for(ec, this, args.or_nil(0))? { this } else { Value::NIL })
}

fn value(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    wait_for(ec, this, Value::NIL)?;
    let thread = thread_of(ec, this)?;
    Ok(thread.get(Slot::Result))
}

/// The exception that `raise` with these arguments raises. Its cause is that of the place that calls `raise`.
fn make_exception(ec: &mut Ec, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    let exception = if argv.is_empty() && keywords.is_none() {
        let runtime_error = ec.exc_class(Exc::RuntimeError);
        ec.new_exception(runtime_error, b"")?
    } else {
        asterism_core::kernel::raise::make(ec, args)?
    };
    if !asterism_object::ivars::defined(ec, exception, sym::cause_ivar)
        && !asterism_object::ownership::is_frozen(exception)
    {
        ec.ivar_put(exception, sym::cause_ivar, Value::NIL)?;
    }
    Ok(exception)
}

fn raise(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    if !thread.is_alive() {
        return Ok(Value::NIL);
    }
    let exception = make_exception(ec, args)?;
    if Arc::ptr_eq(&thread, &ec.thread.handle) {
        if !ec.thread.masks_interrupts() {
            return Err(ec.raise_exception(exception));
        }
        // A mask of `Thread.handle_interrupt` holds for what a thread raises into itself as well.
        thread.raise(exception);
        ec.deliver_interrupts()?;
        return Ok(Value::NIL);
    }
    ec.race_release(this);
    thread.raise(exception);
    Ok(Value::NIL)
}

/// Kills `thread`; the running thread unwinds at once.
fn end(ec: &mut Ec, this: Value, thread: &Arc<RubyThread>) -> Res {
    if !thread.is_alive() || thread.killed.load(Ordering::Acquire) {
        return Ok(this);
    }
    if Arc::ptr_eq(thread, ec.vm().threads.main()) {
        return Err(exit_process(ec));
    }
    if Arc::ptr_eq(thread, &ec.thread.handle) {
        thread.killed.store(true, Ordering::Release);
        return Err(ec.unwind_with(Pending::Kill));
    }
    ec.race_release(this);
    thread.kill();
    Ok(this)
}

/// To kill the main thread is to end the process.
fn exit_process(ec: &mut Ec) -> Raised {
    let class = ec.exc_class(Exc::SystemExit);
    match ec.new_exception(class, b"exit") {
        Ok(exception) => ec.raise_exception(exception),
        Err(raised) => raised,
    }
}

fn kill(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    end(ec, this, &thread)
}

fn thread_exit(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let thread = ec.thread.handle.clone();
    let object = ec.thread.object;
    end(ec, object, &thread)
}

fn thread_kill(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    match thread::of_object(&args[0]) {
        Some(thread) => end(ec, args[0], &thread.clone()),
        None => {
            let name = ec.class_name_of(args[0]);
            Err(ec.type_error(format!("wrong argument type {name} (expected VM/thread)")))
        }
    }
}

fn stop(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    if ec.vm().threads.living().len() == 1 {
        return Err(ec.raise(Exc::ThreadError, "stopping only thread\n\tnote: use sleep to stop forever"));
    }
    ec.sleep_until(None, true)?;
    Ok(Value::NIL)
}

fn pass(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.blocking(std::thread::yield_now);
    thread::check_interrupts(ec)?;
    Ok(Value::NIL)
}

fn wakeup(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    if !thread.is_alive() {
        return Err(ec.raise(Exc::ThreadError, "killed thread"));
    }
    ec.race_release(this);
    thread.wake_up();
    Ok(this)
}

fn run(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    wakeup(ec, this, args)?;
    pass(ec, this, args)?;
    Ok(this)
}

fn pending(ec: &mut Ec, thread: &RubyThread, class: Option<Value>) -> Res {
    let class = match class {
        None => None,
        Some(v) => match Class::from_value(v) {
            Some(class) => Some(class),
            None => return Err(ec.type_error("class or module required for rescue clause")),
        },
    };
    Ok(Value::bool(ec.has_pending_interrupt(thread, class)))
}

fn pending_interrupt(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    pending(ec, &thread, args.get(0))
}

fn current_pending_interrupt(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let thread = ec.thread.handle.clone();
    pending(ec, &thread, args.get(0))
}

fn push_mask(ec: &mut Ec, args: &[Value]) -> Res {
    let mask = ec.to_hash(args[0])?;
    let mask = ec.hash_dup(mask)?;
    ec.push_interrupt_mask(mask)?;
    if let Err(raised) = ec.deliver_interrupts() {
        // The mask lets it through; the block is not run.
        let pending = ec.take_pending();
        ec.pop_interrupt_mask()?;
        ec.thread.pending = pending;
        return Err(raised);
    }
    Ok(Value::NIL)
}

fn pop_mask(ec: &mut Ec, _args: &[Value]) -> Res {
    ec.pop_interrupt_mask()?;
    // What the mask held back comes here, not somewhere behind the block.
    ec.deliver_interrupts()?;
    Ok(Value::NIL)
}
