//! Ractor: what Ruby programs see of it. `ports` are its messages, `copy` what becomes of an object that is sent, `ractor.rb`
//! what yields. What makes a Ractor is in the VM's `ractor` module.

mod copy;
mod moving;
mod output;
mod ports;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_object::{Value, ownership, string};
use asterism_symbol::intern;
use asterism_vm::block::Proc;
use asterism_vm::native::PrimFn;
use asterism_vm::ractor::{self, Part, Ractor, isolate, shareable};
use asterism_vm::thread::{self, Slot, Start};
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res};

use crate::thread::time;
pub use output::{own_stream, set_own_stream};

static RACTOR: &[NativeDef] = &[
    NativeDef::new("join", join, 0, 1),
    NativeDef::new("value", value, 0, 0),
    NativeDef::new("monitor", monitor, 1, 1),
    NativeDef::new("unmonitor", unmonitor, 1, 1),
    NativeDef::new("default_port", default_port, 0, 0).leaf(),
    NativeDef::new("name", name, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("to_s", inspect, 0, 0),
    NativeDef::new("[]", local_of, 1, 1),
    NativeDef::new("[]=", set_local_of, 2, 2),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("new", new, 0, ANY),
    NativeDef::new("current", current, 0, 0),
    NativeDef::new("main", main, 0, 0),
    NativeDef::new("main?", is_main, 0, 0).leaf(),
    NativeDef::new("count", count, 0, 0).leaf(),
    NativeDef::new("shareable?", is_shareable, 1, 1),
    NativeDef::new("[]", local, 1, 1),
    NativeDef::new("[]=", set_local, 2, 2),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("ractor_make_shareable", make_shareable),
    ("ractor_copy", copied),
    ("ractor_shareable_proc", shareable_proc),
    ("ractor_has_local", has_local),
    ("ractor_locals_lock", locals_lock),
];

/// Defines the classes' native methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "Ractor", object)?;
    ec.vm().space.classes.set(WellKnown::Ractor, class.0);
    class.set_alloc(Alloc::Undefined);
    ec.vm().add_primitives(PRIMITIVES);
    ec.define_natives(class, RACTOR)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    let runtime_error = Class(ec.exc_class(Exc::RuntimeError));
    let error = ec.define_class(class, "Error", runtime_error)?;
    for name in ["IsolationError", "RemoteError", "MovedError", "UnsafeError"] {
        ec.define_class(class, name, error)?;
    }
    let stop = Class(ec.exc_class(Exc::StopIteration));
    ec.define_class(class, "ClosedError", stop)?;
    let basic = ec.known(WellKnown::BasicObject);
    let moved = ec.define_class(class, "MovedObject", basic)?;
    moved.set_alloc(Alloc::Undefined);
    ports::init(ec, class)
}

fn ractor_of(ec: &mut Ec, this: Value) -> Res<Arc<Ractor>> {
    match ractor::of_object(&this) {
        Some(ractor) => Ok(ractor.clone()),
        None => Err(ec.type_error("uninitialized Ractor")),
    }
}

/// The name given, frozen; nil for none.
fn name_argument(ec: &mut Ec, name: Value) -> Res {
    if name.is_nil() {
        return Ok(name);
    }
    let text = ec.to_str(name)?;
    if string::to_vec(ec, text).contains(&0) {
        return Err(ec.arg_error("string contains null byte"));
    }
    let encoding = asterism_support::encoding::Encoding::from_index(usize::from(string::encoding(text)));
    if let Some(encoding) = encoding.filter(|e| !e.is_ascii_compatible()) {
        return Err(ec.arg_error(format!("ASCII incompatible encoding ({})", encoding.name())));
    }
    let copy = string::frozen_copy(ec, text);
    ec.check(text, copy)
}

fn new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    let mut name = Value::NIL;
    if let Some(options) = keywords {
        name = ports::option(ec, options, asterism_symbol::sym::name)?;
    }
    let Some(block) = args.block() else {
        return Err(ec.arg_error("must be called with a block"));
    };
    let place = ec.caller_location();
    if !ec.vm().threads.many_ractors.load(Ordering::Acquire) {
        asterism_vm::load::warn_experimental(
            ec,
            "Ractor API is experimental and may change in future versions of Ruby.",
        )?;
        // What was found at the sites of constants is looked up again: not every Ractor may have it.
        ec.vm().threads.many_ractors.store(true, Ordering::Release);
        ec.vm().const_serial.fetch_add(1, Ordering::AcqRel);
    }
    let body = ec.block_to_proc(block)?;
    let name = name_argument(ec, name)?;
    let threads = &ec.vm().threads;
    let ractor = Arc::new(Ractor::new(threads.last_ractor.fetch_add(1, Ordering::AcqRel) + 1));
    let (verbose, debug) = match &ec.thread.ractor {
        Some(parent) => (parent.verbose.load(Ordering::Relaxed), parent.debug.load(Ordering::Relaxed)),
        None => (ec.vm().verbose.load(Ordering::Relaxed), ec.vm().debug.load(Ordering::Relaxed)),
    };
    ractor.verbose.store(verbose, Ordering::Relaxed);
    ractor.debug.store(debug, Ordering::Relaxed);
    let object = ractor::make_object(ec, &ractor, this)?;
    ractor.set(Part::Name, name);
    if let Some((file, line)) = place {
        let place = ec.str(format!("{file}:{line}"))?;
        ec.freeze(place)?;
        ractor.set(Part::Place, place);
    }
    let arguments = ec.array_with_capacity(argv.len())?;
    for &argument in argv {
        let argument = copy::for_message(ec, argument)?;
        ec.array_push(arguments, argument)?;
    }
    let body = match Proc::from_value(body) {
        Some(proc) => isolate::isolate(ec, proc, Some(object))?.0,
        None => body,
    };
    start(ec, &ractor, body, arguments)?;
    Ok(object)
}

/// Starts the first thread of a Ractor.
fn start(ec: &mut Ec, ractor: &Arc<Ractor>, body: Value, arguments: Value) -> Res<()> {
    let made = ec.vm().threads.make();
    made.enter_ractor(ractor);
    ractor.set_thread(&made);
    let class = ec.class(WellKnown::Thread);
    let object = thread::make_object(ec, &made, class)?;
    let known = ec.known(WellKnown::Object);
    if let Some(group) = ec.own_constant(known, intern("ThreadGroup")) {
        let group = ec.new_object(group)?;
        ownership::release(ec, group);
        made.set(Slot::Group, group);
    }
    ec.vm().threads.ractors.fetch_add(1, Ordering::AcqRel);
    let started = thread::start(ec, &made, Start { body, arguments });
    if started.is_err() {
        ec.vm().threads.ractors.fetch_sub(1, Ordering::AcqRel);
    }
    asterism_heap::keep_alive(object.bits());
    started
}

fn current(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(ec.current_ractor()?.object())
}

fn main(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(ec.main_ractor()?.object())
}

fn is_main(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(!ec.is_restricted()))
}

fn count(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let others = ec.vm().threads.ractors.load(Ordering::Acquire);
    ec.size(others + 1)
}

fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(ractor_of(ec, this)?.get(Part::Name))
}

fn default_port(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(ractor_of(ec, this)?.get(Part::DefaultPort))
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let ractor = ractor_of(ec, this)?;
    let status = ractor.status(&ec.vm().threads.living());
    let mut text = format!("#<Ractor:#{}", ractor.id);
    for part in [Part::Name, Part::Place] {
        let shown = ractor.get(part);
        if !shown.is_nil() {
            text.push(' ');
            text.push_str(&string::to_string_lossy(ec, shown));
        }
    }
    ec.str(format!("{text} {status}>"))
}

/// Waits for the end of a Ractor's block; `false`: the timeout was over first. Raises if an exception has ended it.
fn wait_for(ec: &mut Ec, this: Value, timeout: Value) -> Res<bool> {
    let ractor = ractor_of(ec, this)?;
    let deadline = time::deadline(ec, timeout)?;
    ec.join_ractor(this, &ractor, deadline)
}

fn join(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if !wait_for(ec, this, args.or_nil(0))? {
        return Ok(Value::NIL);
    }
    if ractor_of(ec, this)?.is_aborted() {
        take(ec, this)?;
    }
    Ok(this)
}

fn value(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    wait_for(ec, this, Value::NIL)?;
    take(ec, this)
}

/// The value of a Ractor whose block has ended, or what that has raised.
fn take(ec: &mut Ec, this: Value) -> Res {
    let ractor = ractor_of(ec, this)?;
    let me = ec.ractor_id();
    if ractor.take_value(me) != me {
        return Err(ec.ractor_error("Error", "Only the successor ractor can take a value"));
    }
    let result = ractor.get(Part::Result);
    if !ractor.is_aborted() {
        return Ok(result);
    }
    let class = ec.ractor_class("RemoteError");
    let error = ec.new_exception(class, b"thrown by remote Ractor.")?;
    ec.ivar_put(error, intern("@ractor"), this)?;
    ec.ivar_put(error, asterism_symbol::sym::cause_ivar, result)?;
    Err(ec.raise_exception(error))
}

fn monitor(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let ractor = ractor_of(ec, this)?;
    let port = ports::port_of(ec, &args[0])?;
    if ractor.monitor(port) {
        return Ok(Value::TRUE);
    }
    let token = Value::sym(intern(if ractor.is_aborted() { "aborted" } else { "exited" }));
    ec.port_send(port, token)?;
    Ok(Value::FALSE)
}

fn unmonitor(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let ractor = ractor_of(ec, this)?;
    let port = ports::port_of(ec, &args[0])?;
    ractor.unmonitor(port);
    Ok(this)
}

fn is_shareable(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(shareable::is_shareable(ec, args[0])))
}

fn make_shareable(ec: &mut Ec, args: &[Value]) -> Res {
    shareable::make_shareable(ec, args[0])?;
    Ok(args[0])
}

fn copied(ec: &mut Ec, args: &[Value]) -> Res {
    copy::for_message(ec, args[0])
}

/// `shareable_proc` and `shareable_lambda`: the Proc, its self, whether it is to be a lambda.
fn shareable_proc(ec: &mut Ec, args: &[Value]) -> Res {
    let self_val = args[1];
    if !shareable::is_shareable(ec, self_val) {
        let shown = ec.to_s(self_val)?;
        let shown = string::to_string_lossy(ec, shown);
        return Err(ec.isolation_error(format!("self should be shareable: {shown}")));
    }
    match Proc::from_value(args[0]) {
        Some(proc) => Ok(isolate::make_shareable(ec, proc, Some(self_val), args[2].truthy())?.0),
        None => Err(ec.arg_error("tried to create Proc object without a block")),
    }
}

fn key(ec: &mut Ec, name: Value) -> Res {
    Ok(Value::sym(ec.to_sym(name)?))
}

fn read(ec: &mut Ec, name: Value) -> Res<Option<Value>> {
    let key = key(ec, name)?;
    let locals = ec.current_ractor()?.get(Part::Locals);
    if locals.is_nil() { Ok(None) } else { ec.hash_get(locals, key) }
}

fn write(ec: &mut Ec, name: Value, value: Value) -> Res {
    let key = key(ec, name)?;
    let ractor = ec.current_ractor()?;
    let mut locals = ractor.get(Part::Locals);
    if locals.is_nil() {
        let made = ec.new_hash()?;
        locals = ractor.set_if_nil(Part::Locals, made);
    }
    ec.hash_set(locals, key, value)?;
    Ok(value)
}

fn local(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    Ok(read(ec, args[0])?.unwrap_or(Value::NIL))
}

fn set_local(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    write(ec, args[0], args[1])
}

fn local_of(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if ractor_of(ec, this)?.id != ec.ractor_id() {
        return Err(ec.raise(Exc::RuntimeError, "Cannot get ractor local storage for non-current ractor"));
    }
    Ok(read(ec, args[0])?.unwrap_or(Value::NIL))
}

fn set_local_of(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if ractor_of(ec, this)?.id != ec.ractor_id() {
        return Err(ec.raise(Exc::RuntimeError, "Cannot set ractor local storage for non-current ractor"));
    }
    write(ec, args[0], args[1])
}

fn has_local(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(read(ec, args[0])?.is_some()))
}

fn locals_lock(ec: &mut Ec, _args: &[Value]) -> Res {
    let ractor = ec.current_ractor()?;
    let lock = ractor.get(Part::LocalsLock);
    if !lock.is_nil() {
        return Ok(lock);
    }
    let class = ec.class(WellKnown::Mutex);
    let made = ec.call(class, asterism_symbol::sym::new, &[])?;
    Ok(ractor.set_if_nil(Part::LocalsLock, made))
}
