//! `RubyVM`: isolated Rubies in one process, joined by channels (Sasada et al., multiple VMs for Ruby, 2012).
//!
//! A VM runs on a native thread of its own. VMs know each other by [`Child`] handles and belong to one [`Family`]; objects go
//! from one to another only as messages (`message`), through channels and as arguments, values and errors.

pub mod channel;
pub mod child;
mod iseq;
pub mod message;
mod native;
pub mod pack;
pub mod reach;
pub mod unpack;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use asterism_heap::{Marker, Stores};
use asterism_object::class::{Alloc, Class};
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::{Value, array};
use asterism_symbol::intern;
use asterism_system::io::directory;
use asterism_system::load::{Feature, provide};
use asterism_system::process::signals;
use asterism_system::process::{Receivers, Relay};
use asterism_vm::thread::Status;
use asterism_vm::vm::Memory;
use asterism_vm::{Args, Ec, Exc, Keep, NativeDef, Place, Res};
use parking_lot::Mutex;

use asterism_system::thread::time;
use child::{Child, Launch, Outcome, Program, Spec};

/// Runs a new VM to its end, on the calling thread.
pub type Launcher = fn(Launch);

/// All VMs of a process that descend from one main VM.
#[derive(Default)]
pub struct Family {
    /// The first VM, once it has made or asked for another.
    main: OnceLock<Arc<Child>>,
    /// Those that were started. Protected by the lock.
    children: Mutex<Vec<Weak<Child>>>,
    numbers: AtomicU64,
    /// How the process's signals come to these VMs.
    relay: Arc<Relay>,
    /// All channels that these VMs have made.
    pub(crate) channels: Arc<reach::Registry>,
    /// VMs that ended since their threads released memory.
    ended: AtomicUsize,
    /// A VM ended since `GC.start` released memory.
    untidy: AtomicBool,
    threads: native::Threads,
}

/// What a VM takes beside its heap, about.
const VM_BYTES: usize = 192 << 10;
/// So many VMs must have ended before it is worth while to release what they leave behind.
const WORTH_RELEASING: usize = 32;

impl Family {
    /// A VM's thread is about to end: the last one of many releases the memory that the allocator keeps of them. By then
    /// the others are gone, since each one has waited for the one before.
    fn leave(&self, me: native::Thread, memory: Option<&Memory>) {
        let none_left = self.threads.leave(me);
        let ended = self.ended.fetch_add(1, Ordering::AcqRel) + 1;
        self.untidy.store(true, Ordering::Release);
        if none_left && ended >= WORTH_RELEASING {
            self.ended.store(0, Ordering::Release);
            if let Some(memory) = memory {
                (memory.release)();
            }
        }
    }

    /// The same for what a collection has freed of VMs that ended.
    fn tidy_up(&self, memory: Option<&Memory>) {
        self.threads.wait();
        let mut children = self.children.lock();
        children.retain(|child| child.strong_count() > 0);
        children.shrink_to_fit();
        drop(children);
        if let Some(memory) = memory {
            (memory.release)();
        }
    }
}

impl Receivers for Family {
    fn signal(&self, number: i32) {
        let children: Vec<_> = self.children.lock().iter().filter_map(Weak::upgrade).collect();
        for child in children {
            child.signal_trapped(number);
        }
    }
}

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

/// What a VM knows of itself and the others.
#[derive(Default)]
pub struct Vms {
    family: OnceLock<Arc<Family>>,
    me: OnceLock<Arc<Child>>,
    launcher: OnceLock<Launcher>,
}

impl Keep for Vms {
    const PLACE: Place = Place::Vms;

    /// Frees what channels that nobody can reach hold.
    fn after_gc(&self) -> bool {
        if let Some(family) = self.family.get() {
            family.channels.collect();
        }
        false
    }

    /// What VMs left behind, if any ended since that was done last.
    fn release_memory(&self, ec: &mut Ec) {
        let Some(family) = self.family.get() else { return };
        if !family.untidy.swap(false, Ordering::AcqRel) {
            return;
        }
        let vm = ec.vm();
        let memory = vm.options.memory;
        vm.heap().release_free_pages(ec);
        ec.blocking(|| family.tidy_up(memory));
    }
}

/// What a RubyVM object holds.
struct Handle(Arc<Child>);

impl DataObject for Handle {
    const NAME: &'static str = "vm";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

/// `require "drb/mvm"`
static FEATURES: &[Feature] =
    &[Feature::ruby("drb/mvm", "drb/mvm.rb", &[("<internal:drb/mvm>", include_str!("drb_mvm.rb"))])];

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
];

/// Defines the classes.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_part::<Vms>();
    provide(ec, FEATURES);
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "RubyVM", object)?;
    class.set_alloc(Alloc::Undefined);
    ec.define_natives(class, METHODS)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    let error = Class(ec.exc_class(Exc::StandardError));
    let error = ec.define_class(class, "Error", error)?;
    ec.define_class(class, "MovedError", error)?;
    ec.define_class(class, "IsolationError", error)?;
    channel::init(ec, class)?;
    iseq::init(ec, class)
}

/// Says how VMs are run; each VM that may make others is told.
pub fn set_launcher(ec: &Ec, launcher: Launcher) {
    // The first one stays: it is the embedder's only one.
    let _ = ec.vm().part::<Vms>().launcher.set(launcher);
}

/// The family of the calling VM.
pub(crate) fn family(ec: &Ec) -> Arc<Family> {
    let made = || {
        let family = Arc::new(Family { relay: signals::relay(ec).clone(), ..Family::default() });
        let receivers: Weak<Family> = Arc::downgrade(&family);
        family.relay.set_receivers(receivers);
        family
    };
    ec.vm().part::<Vms>().family.get_or_init(made).clone()
}

/// The calling VM. One that no other has made is the main VM.
fn me(ec: &Ec) -> Arc<Child> {
    let family = family(ec);
    let me = ec.vm().part::<Vms>().me.get_or_init(|| {
        let main = Arc::new(Child::new("main".into(), 0, ec.heap().account().is_some(), None));
        main.running(ec);
        // Nobody else in this family is its main VM.
        let _ = family.main.set(main.clone());
        main
    });
    me.clone()
}

fn rubyvm(ec: &mut Ec) -> Class {
    let object = ec.known(WellKnown::Object);
    ec.own_constant(object, intern("RubyVM")).map_or(object, Class)
}

fn error_class(ec: &mut Ec) -> Value {
    let rubyvm = rubyvm(ec);
    ec.own_constant(rubyvm, intern("Error")).unwrap_or_else(|| ec.exc_class(Exc::RuntimeError))
}

/// Makes the calling VM the one that `child` stands for, before its program runs.
///
/// # Errors
/// What setting it up raises.
pub fn enter(ec: &mut Ec, launch: &mut Launch) -> Res<()> {
    let vms = ec.vm().part::<Vms>();
    // The VM was made a moment ago: nobody set them before.
    let _ = vms.family.set(launch.family.clone());
    signals::share_relay(ec, launch.family.relay.clone());
    let _ = vms.me.set(launch.child.clone());
    launch.child.running(ec);
    let arguments = unpack::unpack(ec, &launch.arguments)?;
    let class = rubyvm(ec);
    ec.set_constant(class, intern("ARGV"), arguments)?;
    directory::separate(ec);
    if let Some(dir) = &launch.spec.directory {
        directory::change(ec, dir)?;
    }
    let changes = unpack::unpack(ec, &launch.spec.environment)?;
    furnish(ec, changes, std::mem::take(&mut launch.spec.streams))
}

/// Gives the calling VM changes of its `ENV`, a Hash or nil, and standard streams of its own.
///
/// # Errors
/// TypeError for what does not belong into `ENV`; SystemCallError.
pub fn furnish(ec: &mut Ec, changes: Value, streams: [Option<std::os::fd::OwnedFd>; 3]) -> Res<()> {
    let mut fds = [Value::NIL; 3];
    for (fd, given) in fds.iter_mut().zip(streams) {
        if let Some(given) = given {
            use std::os::fd::IntoRawFd;
            *fd = Value::fixnum(i64::from(given.into_raw_fd()));
        }
    }
    let class = rubyvm(ec);
    ec.call(class.0, intern("__enter"), &[changes, fds[0], fds[1], fds[2]])?;
    Ok(())
}

/// What `start` was given, an Array.
pub fn arguments(ec: &mut Ec) -> Value {
    let rubyvm = rubyvm(ec);
    ec.own_constant(rubyvm, intern("ARGV")).unwrap_or(Value::NIL)
}

/// Ends the VMs that the main VM leaves behind, and waits until they are gone.
pub fn end_family(ec: &mut Ec) {
    let vms = ec.vm().part::<Vms>();
    let Some(family) = vms.family.get() else { return };
    if vms.me.get().is_some_and(|me| me.number != 0) {
        return;
    }
    let left: Vec<_> = std::mem::take(&mut *family.children.lock()).iter().filter_map(Weak::upgrade).collect();
    for child in &left {
        child.kill(false);
    }
    let deadline = Instant::now() + LAST_WORDS;
    for child in left {
        while Instant::now() < deadline && child.outcome().is_none() {
            if child.wait(ec, Some(deadline)).is_err() {
                // What is raised into a thread that ends changes nothing any more.
                ec.take_pending();
            }
        }
    }
    ec.blocking(|| family.threads.wait_for_all(deadline));
}

/// How long the main VM waits for the others' ensure clauses.
const LAST_WORDS: Duration = Duration::from_secs(10);

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

/// A descriptor of its own for a VM's standard stream.
fn stream(ec: &mut Ec, options: Value, name: &str) -> Res<Option<std::os::fd::OwnedFd>> {
    let Some(io) = option(ec, options, name)? else { return Ok(None) };
    let io = asterism_system::io::object::to_io(ec, io)?;
    let fd = asterism_system::io::object::stream(ec, io)?.fd(ec)?;
    match rustix::io::fcntl_dupfd_cloexec(&*fd, 3) {
        Ok(fd) => Ok(Some(fd)),
        Err(e) => Err(asterism_core::errno::raise(ec, e, "dup")),
    }
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

/// `__create(options)`: see `rubyvm.rb`.
fn create(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let _aside = Aside::new(ec);
    let options = args[0];
    let program = if let Some(block) = option(ec, options, "block")? {
        match pack::isolate(block) {
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
        gc_stress: ec.vm().options.gc_stress,
        memory: ec.vm().options.memory,
        streams: [stream(ec, options, "stdin")?, stream(ec, options, "stdout")?, stream(ec, options, "stderr")?],
        directory: match option(ec, options, "chdir")? {
            Some(dir) => Some(asterism_core::errno::path_arg(ec, dir)?),
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
        family.threads.spawn(Box::new(move |me| {
            let (child, family, memory) = (launch.child.clone(), launch.family.clone(), launch.spec.memory);
            memory.iter().for_each(|memory| (memory.enter)());
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
            let text = format!("VM {} was ended by a mistake of the implementation", child.name);
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
    handle(ec, this)?.kill(false);
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

/// How the program of a VM ended, as its family sees it. Called when its value or exception is known.
pub fn outcome(ec: &mut Ec, result: Result<Value, Option<Value>>) -> Outcome {
    // What ended it may be that it has no memory left.
    let heap = ec.heap().clone();
    heap.suspend_limit();
    let outcome = told(ec, result);
    heap.resume_limit();
    outcome
}

fn told(ec: &mut Ec, result: Result<Value, Option<Value>>) -> Outcome {
    match result {
        Ok(value) => match pack::pack(ec, value) {
            Ok(message) => Outcome::Value(message),
            Err(_) => match ec.take_pending() {
                // Who only waits for its end does not need the value.
                asterism_vm::error::Pending::Exception(e) => Outcome::NoValue(pack::pack_error(ec, e)),
                _ => Outcome::Killed,
            },
        },
        Err(None) => Outcome::Killed,
        Err(Some(e)) if ec.is_kind_of(e, ec.exc_class(Exc::SystemExit)) => {
            let status = ec.call(e, intern("status"), &[]).ok().and_then(|v| v.fixnum_value());
            Outcome::Exit(status.and_then(|n| i32::try_from(n).ok()).unwrap_or(1))
        }
        Err(Some(e)) => Outcome::Error(pack::pack_error(ec, e)),
    }
}
