//! Fiber: the methods. What a fiber is and how control goes from one to another lies in the VM's `fiber` module;
//! `fiber.rb` has what yields or switches.

mod io_wait;
pub mod poller;
pub mod scheduler;

use asterism_object::class::Class;
use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, hash, ivars, ownership};
use asterism_symbol::sym;
use asterism_vm::backtrace::Backtrace;
use asterism_vm::block::Proc;
use asterism_vm::fiber::{Fiber, Status, control, of_object};
use asterism_vm::native::{PrimFn, Special, Switch};
use asterism_vm::vm::Root;
use asterism_vm::{ANY, Args, Arguments, Ec, Exc, NativeDef, Res};

use asterism_core::allocators::set_allocator;
use asterism_core::exception::backtraces;

static FIBER: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, ANY).private().special(Special::FiberInitialize),
    NativeDef::new("resume", never, 0, ANY).special(Special::Switch(Switch::Resume)),
    NativeDef::new("transfer", never, 0, ANY).special(Special::Switch(Switch::Transfer)),
    NativeDef::new("alive?", is_alive, 0, 0).leaf(),
    NativeDef::new("blocking?", is_blocking, 0, 0).leaf(),
    NativeDef::new("storage", storage, 0, 0),
    NativeDef::new("storage=", set_storage, 1, 1),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("to_s", inspect, 0, 0).leaf(),
    NativeDef::new("backtrace", backtrace, 0, 2),
    NativeDef::new("backtrace_locations", backtrace_locations, 0, 2),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("yield", never, 0, ANY).special(Special::Switch(Switch::Yield)),
    NativeDef::new("current", current, 0, 0).leaf(),
    NativeDef::new("blocking?", current_is_blocking, 0, 0).leaf(),
    NativeDef::new("[]", get, 1, 1),
    NativeDef::new("[]=", set, 2, 2),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("fiber_switch", control::prims::switch),
    ("fiber_raise", control::prims::raise),
    ("fiber_note_killed", note_killed),
    ("fiber_exception", exception),
    ("fiber_set_blocking", set_blocking),
    ("stop_iteration_result", stop_iteration_result),
];

/// Defines the methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Fiber);
    set_allocator(ec, class, allocate);
    ec.vm().add_primitives(PRIMITIVES);
    ec.define_natives(class, FIBER)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    let default = scheduler::define(ec)?;
    ec.define_natives(default, io_wait::POLLER)
}

/// Takes the method that switches for native callers out of the prelude's class.
///
/// # Errors
/// NoMemoryError.
pub fn after_prelude(ec: &mut Ec) -> Res<()> {
    let name = asterism_symbol::intern("__switch");
    let single = ec.singleton_class(ec.known(WellKnown::Fiber).0)?;
    let Some(found) = ec.find_method(single, name).1 else { return Err(ec.fatal("no fiber switch")) };
    ec.vm().set_root(Root::FiberSwitch, found.method.0);
    ec.call(single.0, asterism_symbol::intern("remove_method"), &[Value::sym(name)])?;
    Ok(())
}

/// A fiber without a body.
///
/// # Errors
/// NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, Fiber::new());
    ec.check(Value::NIL, made)
}

/// Stands for a method that the interpreter executes itself.
fn never(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.fatal("a switch of fibers by its function"))
}

fn fiber_of(ec: &mut Ec, this: &Value) -> Res<()> {
    match of_object(this) {
        Some(fiber) if fiber.thread() == 0 => Err(ec.raise(Exc::FiberError, "uninitialized fiber")),
        Some(_) => Ok(()),
        None => Err(ec.type_error("wrong argument type (expected fiber)")),
    }
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    // Without keywords CRuby does not look at what else there is.
    if !argv.is_empty() && keywords.is_some() {
        return Err(ec.arity_error(argv.len(), 0, Some(0)));
    }
    let Some(block) = args.block() else {
        return Err(ec.arg_error("tried to create Proc object without a block"));
    };
    let (mut blocking, mut storage) = (false, Value::TRUE);
    if let Some(h) = keywords {
        let mut at = 0;
        while let Some((next, key, value)) = hash::iter_next(h, at) {
            at = next;
            match key.as_sym().map(|s| s.text()).as_deref() {
                Some("blocking") => blocking = value.truthy(),
                Some("storage") => storage = value,
                // A pool of stacks to take from, once; CRuby takes the keyword and does nothing with it.
                Some("pool") => {}
                _ => {
                    let shown = ec.inspect_for_error(key)?;
                    return Err(ec.arg_error([b"unknown keyword: ".as_slice(), &shown].concat()));
                }
            }
        }
    }
    let body = ec.block_to_proc(block)?;
    let storage = match storage {
        Value::TRUE => match ec.fiber_storage() {
            Value::NIL => Value::NIL,
            inherited => ec.hash_dup(inherited)?,
        },
        given => checked_storage(ec, given)?,
    };
    ec.initialize_fiber(this, body, blocking, storage)?;
    Ok(this)
}

/// A copy of what is to be a fiber's storage.
fn checked_storage(ec: &mut Ec, given: Value) -> Res {
    if given.is_nil() {
        return Ok(given);
    }
    if !given.is_type(Type::Hash) {
        return Err(ec.type_error("storage must be a hash"));
    }
    if ownership::is_frozen(given) {
        return Err(ec.raise(Exc::FrozenError, "storage must not be frozen"));
    }
    let mut at = 0;
    while let Some((next, key, _)) = hash::iter_next(given, at) {
        at = next;
        if !key.is_sym() {
            let class = ec.class_name_of(key);
            return Err(ec.type_error(format!("wrong argument type {class} (expected Symbol)")));
        }
    }
    ec.hash_dup(given)
}

fn is_alive(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    fiber_of(ec, &this)?;
    Ok(Value::bool(of_object(&this).is_some_and(|f| f.status() != Status::Terminated)))
}

fn is_blocking(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    fiber_of(ec, &this)?;
    Ok(Value::bool(of_object(&this).is_some_and(Fiber::is_blocking)))
}

fn current(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.current_fiber()
}

fn current_is_blocking(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(if ec.fiber.is_blocking() { Value::fixnum(1) } else { Value::FALSE })
}

/// `Primitive.fiber_set_blocking(on)`: of the running fiber; what it was.
fn set_blocking(ec: &mut Ec, args: &[Value]) -> Res {
    let before = Value::bool(ec.fiber.is_blocking());
    let fiber = ec.current_fiber()?;
    if let Some(fiber) = of_object(&fiber) {
        fiber.set_blocking(args[0].truthy());
    }
    Ok(before)
}

fn own_storage(ec: &mut Ec, this: Value) -> Res<()> {
    fiber_of(ec, &this)?;
    if ec.current_fiber()? != this {
        return Err(ec.arg_error("Fiber storage can only be accessed from the Fiber it belongs to"));
    }
    Ok(())
}

fn storage(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    own_storage(ec, this)?;
    match ec.fiber_storage() {
        Value::NIL => Ok(Value::NIL),
        storage => ec.hash_dup(storage),
    }
}

fn set_storage(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    own_storage(ec, this)?;
    let storage = checked_storage(ec, args[0])?;
    ec.set_fiber_storage(storage)?;
    Ok(args[0])
}

fn get(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = Value::sym(ec.to_sym(args[0])?);
    match ec.fiber_storage() {
        Value::NIL => Ok(Value::NIL),
        storage => Ok(ec.hash_get(storage, name)?.unwrap_or(Value::NIL)),
    }
}

fn set(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = Value::sym(ec.to_sym(args[0])?);
    let mut storage = ec.fiber_storage();
    if args[1].is_nil() {
        if !storage.is_nil() {
            ec.hash_delete(storage, name)?;
        }
        return Ok(Value::NIL);
    }
    if storage.is_nil() {
        storage = ec.new_hash()?;
        ec.set_fiber_storage(storage)?;
    }
    ec.hash_set(storage, name, args[1])?;
    Ok(args[1])
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    fiber_of(ec, &this)?;
    let status = match of_object(&this).map(Fiber::status) {
        Some(Status::Created) => "created",
        Some(Status::Running) => "resumed",
        Some(Status::Suspended) => "suspended",
        _ => "terminated",
    };
    let class = ec.class_name_of(this);
    let place = match Proc::from_value(ec.fiber_body(&this)).and_then(|p| p.iseq()) {
        // SAFETY: the fiber keeps its Proc alive, and that its code.
        Some(iseq) => unsafe { format!(" {}:{}", (&*iseq).code.file, (&*iseq).code.line) },
        None => String::new(),
    };
    ec.str(format!("#<{class}:0x{:016x}{place} ({status})>", this.bits()))
}

fn backtrace(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    fiber_of(ec, &this)?;
    if of_object(&this).is_some_and(|f| matches!(f.status(), Status::Created | Status::Terminated)) {
        return ec.array(&[]);
    }
    let locations = ec.fiber_locations(this)?;
    match backtraces::stretch(ec, args, locations.len(), 0)? {
        Some((from, count)) => ec.backtrace_strings(&locations[from..from + count]),
        None => Ok(Value::NIL),
    }
}

fn backtrace_locations(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    fiber_of(ec, &this)?;
    if of_object(&this).is_some_and(|f| matches!(f.status(), Status::Created | Status::Terminated)) {
        return ec.array(&[]);
    }
    let locations = ec.fiber_locations(this)?;
    let count = locations.len();
    let class = ec.class(WellKnown::Object);
    let made = data::new(ec, class, Backtrace { locations });
    let held = ec.check(Value::NIL, made)?;
    match backtraces::stretch(ec, args, count, 0)? {
        Some((from, count)) => backtraces::locations(ec, held, from, count),
        None => Ok(Value::NIL),
    }
}

/// `Primitive.fiber_note_killed(fiber)`
fn note_killed(ec: &mut Ec, args: &[Value]) -> Res {
    ec.note_killed(args[0]).map(Value::bool)
}

/// `Primitive.stop_iteration_result(exception, value)`
fn stop_iteration_result(ec: &mut Ec, args: &[Value]) -> Res {
    ec.ivar_put(args[0], sym::result, args[1])?;
    Ok(args[0])
}

/// `Primitive.fiber_exception(arguments, keywords)`: what `Fiber#raise` with these arguments raises.
fn exception(ec: &mut Ec, args: &[Value]) -> Res {
    let (list, keywords) = (args[0], args[1]);
    let named = hash::len(keywords) > 0;
    if asterism_object::array::len(list) == 0 && !named {
        let class = ec.exc_class(Exc::RuntimeError);
        return ec.new_exception(class, b"");
    }
    if named {
        ec.array_push(list, keywords)?;
    }
    let argv = asterism_object::array::private_slice(&list);
    let made = asterism_core::kernel::raise::make(ec, &Arguments::with(argv, asterism_vm::Block::NONE, named));
    asterism_heap::keep_alive(list.bits());
    let made = made?;
    // The cause is one of this fiber's, never one of that which gets the exception.
    if !ownership::is_frozen(made) && !ivars::defined(ec, made, sym::cause_ivar) {
        ec.ivar_put(made, sym::cause_ivar, Value::NIL)?;
    }
    Ok(made)
}
