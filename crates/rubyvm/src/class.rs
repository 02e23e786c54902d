//! `RubyVM`: the methods of the class.

use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use asterism_core::errno;
use asterism_heap::{Marker, Stores};
use asterism_object::class::{Alloc, Class};
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::{Value, array};
use asterism_symbol::intern;
use asterism_vm::thread::Status;
use asterism_vm::vm::Memory;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};
use rustix::fs::{Mode, OFlags};

use crate::child::{Child, LAST_WORDS, Outcome, Program, Spec};
use crate::family::{Launch, Vms, family, me, rubyvm};
use crate::{pack, unpack};
use asterism_system::io::object;
use asterism_system::thread::time;

/// Tells the allocator, until it is dropped, that what is allocated is for a new VM.
struct Aside(Option<&'static Memory>);

impl Aside {
    fn new(ec: &Ec) -> Aside {
        Aside(ec.vm().options.memory.filter(|memory| (memory.aside)()))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(memory) = self.0 {
            (memory.back)();
        }
    }
}

/// What a RubyVM object holds.
struct Handle(Arc<Child>);

impl DataObject for Handle {
    const NAME: &'static str = "vm";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

/// What a VM takes beside its heap, about.
const VM_BYTES: usize = 192 << 10;

static METHODS: &[NativeDef] = &[
    NativeDef::new("__start", start, 1, 1).private(),
    NativeDef::new("join", join, 0, 1),
    NativeDef::new("value", value, 0, 0),
    NativeDef::new("status", status, 0, 0).leaf(),
    NativeDef::new("exit_status", exit_status, 0, 0).leaf(),
    NativeDef::new("kill", kill, 0, 0).leaf(),
    NativeDef::new("name", name, 0, 0).leaf(),
    NativeDef::new("__signal", signal, 1, 1).private(),
    NativeDef::new("==", equal, 1, 1).leaf(),
    NativeDef::new("hash", number, 0, 0).leaf(),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("__create", create, 1, 1).private(),
    NativeDef::new("current", current, 0, 0),
    NativeDef::new("main", main, 0, 0),
    NativeDef::new("locks", locks, 0, 0),
    NativeDef::new("__shapes", shapes, 0, 0).private(),
    NativeDef::new("__constant_changes", constant_changes, 0, 0).private(),
    NativeDef::new("__races", crate::races::start, 0, 0).private(),
    NativeDef::new("__raced", crate::races::stop, 0, 0).private(),
    NativeDef::new("__trace", crate::profile::trace, 1, 1).private(),
    NativeDef::new("__traced", crate::profile::traced, 1, 1).private(),
    NativeDef::new("__profile", crate::profile::start, 1, 1).private(),
    NativeDef::new("__profiled", crate::profile::stop, 1, 1).private(),
];

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<Class> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "RubyVM", object)?;
    class.set_alloc(Alloc::Undefined);
    ec.define_natives(class, METHODS)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    let error = Class(ec.exc_class(Exc::StandardError));
    let error = ec.define_class(class, "Error", error)?;
    ec.define_class(class, "MovedError", error)?;
    ec.define_class(class, "IsolationError", error)?;
    Ok(class)
}

fn error_class(ec: &mut Ec) -> Value {
    let rubyvm = rubyvm(ec);
    ec.own_constant(rubyvm, intern("Error")).unwrap_or_else(|| ec.exc_class(Exc::RuntimeError))
}

/// What was counted of this VM's locks: an Array of Hashes; nil unless they are counted.
fn locks(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let Some((age, rows)) = ec.lock_rows() else { return Ok(Value::NIL) };
    let seconds = age.as_secs_f64().max(1e-9);
    let list = ec.array(&[])?;
    for (row, name) in rows {
        let hash = ec.new_hash()?;
        ec.array_push(list, hash)?;
        let site = ec.str(name)?;
        ec.hash_set(hash, Value::sym(intern("kind")), Value::sym(intern(row.kind.name())))?;
        ec.hash_set(hash, Value::sym(intern("site")), site)?;
        let counts = [("taken", row.taken), ("contended", row.contended()), ("spun", row.spun), ("parked", row.parked)];
        for (key, count) in counts {
            ec.hash_set(hash, Value::sym(intern(key)), Value::fixnum(count.min(i64::MAX as u64 >> 2) as i64))?;
        }
        let times = [
            ("per_second", row.taken as f64 / seconds),
            ("waited", row.waited.as_secs_f64()),
            ("longest", row.longest.as_secs_f64()),
        ];
        for (key, time) in times {
            let time = ec.float(time)?;
            ec.hash_set(hash, Value::sym(intern(key)), time)?;
        }
    }
    Ok(list)
}

fn wrap(ec: &mut Ec, child: Arc<Child>) -> Res {
    let class = rubyvm(ec);
    let made = data::new(ec, class.0, Handle(child));
    ec.check(Value::NIL, made)
}

fn handle(ec: &mut Ec, this: Value) -> Res<Arc<Child>> {
    match data::get::<Handle>(&this) {
        Some(handle) => Ok(handle.0.clone()),
        None => Err(ec.type_error("not a RubyVM")),
    }
}

fn option(ec: &mut Ec, options: Value, name: &str) -> Res<Option<Value>> {
    Ok(ec.hash_get(options, Value::sym(intern(name)))?.filter(|v| !v.is_nil()))
}

fn texts(ec: &mut Ec, options: Value, name: &str) -> Res<Vec<Vec<u8>>> {
    let mut list = Vec::new();
    if let Some(given) = option(ec, options, name)? {
        let given = ec.to_ary(given)?;
        for i in 0..array::len(given) {
            let one = array::at(given, i).unwrap_or(Value::NIL);
            list.push(pack::text(ec, one)?);
        }
    }
    Ok(list)
}

/// A descriptor of its own for a VM's standard stream: of the IO that its creator names; else of what the creator has itself, so that
/// nothing gets around where its own output goes. `None`: the process's.
fn stream(ec: &mut Ec, options: Value, name: &str) -> Res<Option<std::os::fd::OwnedFd>> {
    let fd = match option(ec, options, name)? {
        Some(io) => {
            let io = object::to_io(ec, io)?;
            object::stream(ec, io)?.fd(ec)?
        }
        None => {
            let scope = ec.known(WellKnown::Object);
            let io = ec.own_constant(scope, intern(&name.to_uppercase())).and_then(object::try_stream);
            match io.and_then(|io| io.lock().fd.clone()) {
                Some(fd) if (0..=2).contains(&fd.as_raw_fd()) => return Ok(None),
                Some(fd) => fd,
                // The creator has closed it.
                None => {
                    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
                    return null.map(Some).map_err(|e| errno::raise(ec, e, "/dev/null"));
                }
            }
        }
    };
    rustix::io::fcntl_dupfd_cloexec(&*fd, 3).map(Some).map_err(|e| errno::raise(ec, e, "dup"))
}

/// The methods by which a new VM may change the process: of those that its creator names, those that this one may call.
fn allowed(ec: &mut Ec, options: Value) -> Res<Arc<[Box<str>]>> {
    let mut names = Vec::new();
    for name in texts(ec, options, "allow")? {
        let name = String::from_utf8_lossy(&name).into_owned();
        ec.check_process(&name)?;
        names.push(name.into_boxed_str());
    }
    Ok(names.into())
}

/// Whether a new VM is to have C extensions of its own.
fn copies_extensions(ec: &mut Ec, options: Value) -> Res<bool> {
    match option(ec, options, "extensions")? {
        None => Ok(false),
        Some(v) if v == Value::sym(intern("copy")) => {
            if cfg!(all(target_os = "linux", target_env = "gnu")) {
                return Ok(true);
            }
            Err(ec.not_implemented("copies of extensions are made on Linux with glibc only"))
        }
        Some(v) => {
            let shown = ec.inspect_for_error(v)?;
            Err(ec.arg_error([b"extensions must be nil or :copy, not ", &*shown].concat()))
        }
    }
}

/// `__create(options)`: see `rubyvm.rb`.
fn create(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let _aside = Aside::new(ec);
    let options = args[0];
    let program = if let Some(block) = option(ec, options, "block")? {
        match pack::isolated(block) {
            Ok((code, lambda)) => Program::Block(code, lambda),
            Err(why) => return Err(ec.arg_error(format!("can not isolate a Proc because it {why}"))),
        }
    } else if let Some(source) = option(ec, options, "source")? {
        let file = option(ec, options, "file")?.unwrap_or(Value::NIL);
        let file = pack::text(ec, file)?;
        Program::Source(pack::text(ec, source)?, String::from_utf8_lossy(&file).into_owned())
    } else {
        let script = option(ec, options, "script")?.unwrap_or(Value::NIL);
        Program::File(pack::text(ec, script)?)
    };
    let name = option(ec, options, "name")?.unwrap_or(Value::NIL);
    let name = String::from_utf8_lossy(&pack::text(ec, name)?).into_owned();
    let memory_limit = match option(ec, options, "memory_limit")? {
        Some(v) => match usize::try_from(ec.to_i64(v)?) {
            Ok(n) if n > 0 => Some(n),
            _ => return Err(ec.arg_error("memory_limit must be positive")),
        },
        None => None,
    };
    let time_limit = match option(ec, options, "time_limit")? {
        Some(v) => Some(time::interval(ec, v)?),
        None => None,
    };
    let verbose = match ec.hash_get(options, Value::sym(intern("verbose")))? {
        Some(Value::NIL) => Some(None),
        Some(v) => Some(Some(v.truthy())),
        None => None,
    };
    let environment = option(ec, options, "env")?.unwrap_or(Value::NIL);
    let environment = pack::pack(ec, environment)?;
    let spec = Spec {
        program,
        argv: texts(ec, options, "argv")?,
        load_path: texts(ec, options, "load_path")?,
        library: asterism_system::load::library(ec),
        requires: texts(ec, options, "requires")?,
        verbose,
        memory_limit,
        time_limit,
        account: ec.heap().account().cloned(),
        may_change: allowed(ec, options)?,
        copy_extensions: copies_extensions(ec, options)?,
        gc_stress: ec.vm().options.gc_stress,
        lock_stats: ec.vm().options.lock_stats,
        no_parallel: ec.vm().options.no_parallel,
        race_report: ec.vm().options.race_report,
        profile: ec.vm().options.profile.clone(),
        trace: ec.vm().options.trace.clone(),
        jit: ec.vm().options.jit,
        memory: ec.vm().options.memory,
        streams: [stream(ec, options, "stdin")?, stream(ec, options, "stdout")?, stream(ec, options, "stderr")?],
        directory: match option(ec, options, "chdir")? {
            Some(dir) => Some(errno::path_arg(ec, dir)?),
            None => None,
        },
        environment,
    };
    let number = family(ec).numbers.fetch_add(1, Ordering::Relaxed) + 1;
    let limited = memory_limit.is_some() || time_limit.is_some() || me(ec).limited;
    wrap(ec, Arc::new(Child::new(name, number, limited, Some(Box::new(spec)))))
}

/// `__start(arguments)`
fn start(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let child = handle(ec, this)?;
    let Some(launcher) = ec.vm().part::<Vms>().launcher.get().copied() else {
        return Err(ec.not_implemented("this program runs VMs of its own only"));
    };
    let arguments = {
        let _aside = Aside::new(ec);
        pack::pack(ec, args[0])?
    };
    // So that the main VM exists for the child.
    let me = me(ec);
    let charge = ec.charge(VM_BYTES)?;
    let family = family(ec);
    let Some(spec) = child.begin() else {
        let class = error_class(ec);
        return Err(ec.raise_class(class, b"the VM was started already"));
    };
    {
        let mut children = family.children.lock();
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&child));
    }
    if me.limited {
        me.adopt(&child);
    }
    let spawned = {
        let _aside = Aside::new(ec);
        let launch = Launch { child: child.clone(), family: family.clone(), spec, arguments, charge };
        let starting = asterism_lock::gate::starting();
        family.threads.spawn(Box::new(move |me| {
            let (child, family, memory) = (launch.child.clone(), launch.family.clone(), launch.spec.memory);
            memory.iter().for_each(|memory| (memory.enter)());
            // What is noted of the thread lies in the VM's memory, too.
            let _running = starting.begin();
            // The name is for debuggers only.
            let _ = rustix::thread::set_name(c"ruby-vm");
            // A panic has been told by its hook. The VM's memory may be lost; the others go on.
            if catch_unwind(AssertUnwindSafe(|| launcher(launch))).is_err() {
                child.failed();
            }
            memory.iter().for_each(|memory| (memory.leave)());
            family.leave(me, memory);
        }))
    };
    match spawned {
        Ok(()) => Ok(this),
        Err(e) => {
            child.ended(Outcome::Killed);
            Err(ec.raise(Exc::ThreadError, format!("can't create VM: {e}")))
        }
    }
}

fn finish<'c>(ec: &mut Ec, child: &'c Arc<Child>, deadline: Option<Instant>) -> Res<Option<&'c Outcome>> {
    if !child.is_started() && child.outcome().is_none() {
        let class = error_class(ec);
        return Err(ec.raise_class(class, b"the VM was not started"));
    }
    if Arc::ptr_eq(child, &me(ec)) || child.number == 0 {
        let class = error_class(ec);
        let whose = if child.number == 0 { "the main VM" } else { "the current VM" };
        return Err(ec.raise_class(class, format!("can't wait for {whose}").as_bytes()));
    }
    let Some(outcome) = child.wait(ec, deadline)? else { return Ok(None) };
    match outcome {
        Outcome::Error(message) => {
            let error = unpack::unpack(ec, message)?;
            if error.is_nil() {
                let class = error_class(ec);
                return Err(ec.raise_class(class, b"the VM ended with an error that could not be told"));
            }
            return Err(ec.raise_exception(error));
        }
        Outcome::OutOfTime => {
            let class = error_class(ec);
            let text = format!("VM {} ran longer than its time limit", child.name);
            return Err(ec.raise_class(class, text.as_bytes()));
        }
        Outcome::Failed => {
            let class = error_class(ec);
            let text = format!("VM {} was ended by an internal error", child.name);
            return Err(ec.raise_class(class, text.as_bytes()));
        }
        Outcome::Value(_) | Outcome::NoValue(_) | Outcome::Exit(_) | Outcome::Killed => {}
    }
    Ok(Some(outcome))
}

fn join(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let child = handle(ec, this)?;
    let deadline = time::deadline(ec, args.or_nil(0))?;
    Ok(if finish(ec, &child, deadline)?.is_some() { this } else { Value::NIL })
}

fn value(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let child = handle(ec, this)?;
    match finish(ec, &child, None)? {
        Some(Outcome::Value(message)) => unpack::unpack(ec, message),
        Some(Outcome::NoValue(message)) => {
            let error = unpack::unpack(ec, message)?;
            Err(ec.raise_exception(error))
        }
        _ => Ok(Value::NIL),
    }
}

fn status(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let child = handle(ec, this)?;
    let text = match child.outcome() {
        Some(Outcome::Error(_) | Outcome::OutOfTime | Outcome::Failed) => return Ok(Value::NIL),
        Some(_) => return Ok(Value::FALSE),
        None if !child.is_started() => "created",
        None if child.is_doomed() => "aborting",
        None => match child.main_thread().map(|thread| thread.status()) {
            Some(Status::Sleep | Status::SleepForever) => "sleep",
            _ => "run",
        },
    };
    ec.str(text)
}

fn exit_status(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let code = match handle(ec, this)?.outcome() {
        None => return Ok(Value::NIL),
        Some(Outcome::Value(_) | Outcome::NoValue(_)) => 0,
        Some(Outcome::Exit(code)) => *code,
        Some(Outcome::Error(_) | Outcome::Killed | Outcome::OutOfTime | Outcome::Failed) => 1,
    };
    Ok(Value::fixnum(i64::from(code)))
}

fn kill(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    handle(ec, this)?.kill_within(LAST_WORDS);
    Ok(this)
}

fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let child = handle(ec, this)?;
    ec.str(&child.name)
}

fn number(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let number = handle(ec, this)?.number;
    ec.int(number as i64)
}

/// `__signal(number)`
fn signal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let number = i32::try_from(ec.to_i64(args[0])?).unwrap_or(-1);
    let reached = handle(ec, this)?.signal(number);
    Ok(Value::bool(reached))
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let child = handle(ec, this)?;
    let same = data::get::<Handle>(&args[0]).is_some_and(|other| Arc::ptr_eq(&child, &other.0));
    Ok(Value::bool(same))
}

fn current(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let child = me(ec);
    wrap(ec, child)
}

fn main(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let me = me(ec);
    let main = family(ec).main.get().cloned();
    wrap(ec, main.unwrap_or(me))
}

/// `__constant_changes`: how often caches of constants have been let go.
fn constant_changes(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let n = ec.vm().const_serial.load(Ordering::Relaxed);
    ec.int(n as i64)
}

/// `__shapes`: how many shapes there are.
fn shapes(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(ec.vm().space.shapes.len() as i64))
}
