//! Ractors: groups of threads of a VM that share nothing which changes.
//!
//! A Ractor has no heap and no lock of its own: its threads are threads of the VM like others, and what makes it a Ractor
//! is what they may reach. The Ec of a thread that is not in the main Ractor names its Ractor (`Ec::ractor`); the accesses of
//! constants, class variables, globals and variables of classes look there off their fast paths. What several
//! Ractors may have is said in `shareable`, what a block refers to around it in `isolate`, and `port` is what they
//! send each other messages through.

pub mod access;
pub mod isolate;
pub(crate) mod known;
pub mod port;
pub mod shareable;
mod way;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::{AtomicValue, Value, ownership};
use asterism_symbol::intern;

use crate::ec::{Ec, Raised, Res};
use crate::fiber::scheduler::Parked;
use crate::thread::{RubyThread, Slot, Status};
use port::Port;

/// The main Ractor's number.
pub const MAIN: u64 = 1;

/// The values that belong to a Ractor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Part {
    /// Its name, a frozen String; or nil.
    Name,
    /// Where it was made, a frozen String; nil for the main one.
    Place,
    /// Its default port.
    DefaultPort,
    /// `Ractor[]`: a Hash, or nil.
    Locals,
    /// The Mutex of `store_if_absent`; nil until then.
    LocalsLock,
    /// `$stdin`; nil until it is asked for, and in the main Ractor.
    Stdin,
    /// `$stdout`, likewise.
    Stdout,
    /// `$stderr`, likewise.
    Stderr,
    /// What its block has given, or the exception that ended it.
    Result,
    /// How many there are.
    Count,
}

/// How far a Ractor's block is.
const RUNS: u8 = 0;
const EXITED: u8 = 1;
const ABORTED: u8 = 2;
const GONE: u8 = 4;

/// One Ractor. Each field protects itself.
pub struct Ractor {
    /// Tells it from the VM's others.
    pub id: u64,
    /// Its Ractor object. Not marked from here: its threads do that.
    object: AtomicValue,
    values: [AtomicValue; Part::Count as usize],
    /// `RUNS`, `EXITED` or `ABORTED`, and `GONE` when its threads have ended too.
    state: AtomicU8,
    /// Its ports take nothing any more.
    closed: AtomicBool,
    /// Who is to be told of the end of its block. No safepoint under the lock.
    end: Mutex<End>,
    /// The number of the Ractor that takes its value; 0 as long as none has.
    successor: AtomicU64,
    /// Its first thread.
    thread: OnceLock<Weak<RubyThread>>,
    /// Ports made so far.
    ports: AtomicU64,
    /// `$VERBOSE`: nil 0, false 1, true 2. The main Ractor's is the VM's.
    pub verbose: AtomicU64,
    /// `$DEBUG`, likewise.
    pub debug: AtomicBool,
}

#[derive(Default)]
struct End {
    over: bool,
    waiting: Vec<Parked>,
    monitors: Vec<Arc<Port>>,
}

impl Ractor {
    /// A new one, without its object.
    pub fn new(id: u64) -> Ractor {
        Ractor {
            id,
            object: AtomicValue::new(Value::NIL),
            values: [const { AtomicValue::new(Value::NIL) }; Part::Count as usize],
            state: AtomicU8::new(RUNS),
            closed: AtomicBool::new(false),
            end: Mutex::default(),
            successor: AtomicU64::new(0),
            thread: OnceLock::new(),
            ports: AtomicU64::new(0),
            verbose: AtomicU64::new(0),
            debug: AtomicBool::new(false),
        }
    }

    /// Is it the main one?
    pub fn is_main(&self) -> bool {
        self.id == MAIN
    }

    /// Its object. The caller is one of its threads, or has the object.
    pub fn object(&self) -> Value {
        self.object.load(Ordering::Acquire)
    }

    /// One of its values.
    pub fn get(&self, part: Part) -> Value {
        self.values[part as usize].load(Ordering::Acquire)
    }

    /// Sets one of its values.
    pub fn set(&self, part: Part, value: Value) {
        self.values[part as usize].store(value, Ordering::Release);
    }

    /// Sets a value that is nil so far; the value that is there now.
    pub fn set_if_nil(&self, part: Part, value: Value) -> Value {
        let word = &self.values[part as usize];
        match word.compare_exchange(Value::NIL, value, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => value,
            Err(there) => there,
        }
    }

    /// Its first thread, as long as anybody knows that.
    pub fn thread(&self) -> Option<Arc<RubyThread>> {
        self.thread.get().and_then(Weak::upgrade)
    }

    /// `thread` is its first one.
    pub fn set_thread(&self, thread: &Arc<RubyThread>) {
        let _ = self.thread.set(Arc::downgrade(thread));
    }

    /// Is `thread` its first one?
    pub fn is_first(&self, thread: &Arc<RubyThread>) -> bool {
        self.thread.get().is_some_and(|first| std::ptr::eq(first.as_ptr(), Arc::as_ptr(thread)))
    }

    /// Do its ports take nothing any more?
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Has its block ended?
    pub fn is_over(&self) -> bool {
        self.state.load(Ordering::Acquire) & (EXITED | ABORTED) != 0
    }

    /// Has an exception ended its block?
    pub fn is_aborted(&self) -> bool {
        self.state.load(Ordering::Acquire) & ABORTED != 0
    }

    /// Have all its threads ended?
    pub fn is_gone(&self) -> bool {
        self.state.load(Ordering::Acquire) & GONE != 0
    }

    /// The Ractor with this number takes the value; the number of the one that has taken it first.
    pub fn take_value(&self, by: u64) -> u64 {
        match self.successor.compare_exchange(0, by, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => by,
            Err(first) => first,
        }
    }

    /// A number for a new port.
    pub fn next_port(&self) -> u64 {
        self.ports.fetch_add(1, Ordering::Relaxed)
    }

    /// Tells `port` when the block ends; `false`: it has.
    pub fn monitor(&self, port: &Arc<Port>) -> bool {
        let mut end = self.end.lock();
        if end.over {
            return false;
        }
        end.monitors.push(port.clone());
        true
    }

    /// Does not tell `port` any more.
    pub fn unmonitor(&self, port: &Arc<Port>) {
        self.end.lock().monitors.retain(|other| !Arc::ptr_eq(other, port));
    }

    /// Queues `me` for the end of the block unless that has come; whether it has not. `prepare` is called under the lock.
    pub fn enqueue(&self, me: Parked, prepare: impl FnOnce()) -> bool {
        let mut end = self.end.lock();
        if end.over {
            return false;
        }
        prepare();
        end.waiting.push(me);
        true
    }

    /// Takes `me` out of the queue.
    pub fn dequeue(&self, me: &Parked) {
        self.end.lock().waiting.retain(|other| !other.is(me));
    }

    /// The word for what it does, as `inspect` shows it.
    pub fn status(&self, threads: &[Arc<RubyThread>]) -> &'static str {
        if self.is_gone() {
            return "terminated";
        }
        let mut own = threads.iter().filter(|thread| thread.ractor_id() == self.id);
        if own.any(|thread| thread.status() == Status::Run) { "running" } else { "blocking" }
    }

    fn trace(&self, marker: &mut Marker) {
        for word in &self.values {
            word.mark(marker);
        }
    }

    /// What the process was forked from goes on elsewhere: here its block is over, with nil.
    pub fn lost_by_fork(&self) {
        self.closed.store(true, Ordering::Release);
        self.state.store(EXITED | GONE, Ordering::Release);
        let mut end = self.end.lock();
        end.over = true;
        end.waiting.clear();
        end.monitors.clear();
    }
}

impl std::fmt::Debug for Ractor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ractor").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What a Ractor object holds.
pub struct RactorObject(pub Arc<Ractor>);

impl DataObject for RactorObject {
    const NAME: &'static str = "ractor";
    const SHARED: Shared = Shared::Always;

    fn trace(&self, marker: &mut Marker) {
        self.0.trace(marker);
    }
}

/// The Ractor that an object stands for.
pub fn of_object(object: &Value) -> Option<&Arc<Ractor>> {
    data::get::<RactorObject>(object).map(|object| &object.0)
}

/// Gives a Ractor its object, of `class`.
///
/// # Errors
/// NoMemoryError.
pub fn make_object(ec: &mut Ec, ractor: &Arc<Ractor>, class: Value) -> Res {
    let made = data::new(ec, class, RactorObject(ractor.clone()));
    let object = ec.check(Value::NIL, made)?;
    ractor.object.store(object, Ordering::Release);
    let port = port::make(ec, ractor)?;
    ec.freeze(port)?;
    ractor.set(Part::DefaultPort, port);
    ownership::release(ec, port);
    ownership::release(ec, object);
    Ok(object)
}

impl Ec {
    /// Is the running thread in a Ractor that is not the main one?
    #[inline(always)]
    pub fn is_restricted(&self) -> bool {
        self.ractor.is_some()
    }

    /// The number of the running Ractor.
    #[inline]
    pub fn ractor_id(&self) -> u64 {
        self.ractor.as_ref().map_or(MAIN, |ractor| ractor.id)
    }

    /// The running Ractor.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn current_ractor(&mut self) -> Res<Arc<Ractor>> {
        match &self.ractor {
            Some(ractor) => Ok(ractor.clone()),
            None => self.main_ractor(),
        }
    }

    /// The main Ractor, which gets its object when it is first asked for.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn main_ractor(&mut self) -> Res<Arc<Ractor>> {
        let threads = &self.vm().threads;
        let main = threads.main();
        let object = main.get(Slot::Ractor);
        if let Some(ractor) = of_object(&object) {
            return Ok(ractor.clone());
        }
        let ractor = Arc::new(Ractor::new(MAIN));
        ractor.set_thread(main);
        let class = self.class(WellKnown::Ractor);
        let made = make_object(self, &ractor, class)?;
        // Another thread may have been faster: its Ractor counts then.
        let object = main.set_if_nil(Slot::Ractor, made);
        match of_object(&object) {
            Some(ractor) => Ok(ractor.clone()),
            None => Err(self.fatal("the main Ractor has no object")),
        }
    }

    /// A class or constant of `Ractor`, for errors.
    pub fn ractor_class(&mut self, name: &str) -> Value {
        let ractor = self.known(WellKnown::Ractor);
        self.own_constant(ractor, intern(name)).unwrap_or(Value::NIL)
    }

    /// Raises one of the errors of Ractor.
    pub fn ractor_error(&mut self, class: &str, message: impl AsRef<[u8]>) -> Raised {
        let class = self.ractor_class(class);
        self.raise_class(class, message.as_ref())
    }

    /// Raises `Ractor::IsolationError`.
    #[cold]
    pub fn isolation_error(&mut self, message: impl AsRef<[u8]>) -> Raised {
        self.ractor_error("IsolationError", message)
    }

    /// `Ractor::IsolationError` unless the main Ractor runs.
    ///
    /// # Errors
    /// That.
    pub fn check_main_ractor(&mut self, message: &str) -> Res<()> {
        if self.is_restricted() { Err(self.isolation_error(message)) } else { Ok(()) }
    }
}

/// The block of a Ractor has ended, on its first thread: those who wait are told, and its other threads end.
pub(crate) fn ended(ec: &mut Ec, ractor: &Arc<Ractor>, thread: &Arc<RubyThread>) {
    let exception = thread.get(Slot::Exception);
    let aborted = exception.truthy();
    ractor.set(Part::Result, if aborted { exception } else { thread.get(Slot::Result) });
    ractor.closed.store(true, Ordering::Release);
    ractor.state.store(if aborted { ABORTED } else { EXITED }, Ordering::Release);
    let End { waiting, monitors, .. } = {
        let mut end = ractor.end.lock();
        std::mem::replace(&mut *end, End { over: true, ..End::default() })
    };
    for waiter in waiting {
        waiter.unpark();
    }
    let token = Value::sym(intern(if aborted { "aborted" } else { "exited" }));
    for port in monitors {
        // A port that is closed, or has no room, is not told.
        port.offer(token);
    }
    ec.wake_fibers_quietly();
    end_others(ec, ractor, thread);
    ractor.state.fetch_or(GONE, Ordering::AcqRel);
    ec.vm().threads.ractors.fetch_sub(1, Ordering::AcqRel);
}

/// Kills the other threads of a Ractor and waits for them.
fn end_others(ec: &mut Ec, ractor: &Arc<Ractor>, me: &Arc<RubyThread>) {
    loop {
        let living = ec.vm().threads.living();
        let mut others = living.into_iter().filter(|t| t.ractor_id() == ractor.id && !Arc::ptr_eq(t, me)).peekable();
        if others.peek().is_none() {
            return;
        }
        for other in others {
            // Again each time: an ensure clause may have swallowed the first one.
            if !other.is_interrupted() {
                other.kill();
            }
            let until = crate::thread::deadline_after(std::time::Duration::from_millis(100));
            if ec.join_thread(&other, until).is_err() {
                // The VM ends this thread too, and the others with it.
                ec.take_pending();
                return;
            }
        }
    }
}
