//! `Ractor`: what threads share about one of them.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::data::{DataObject, Shared};
use asterism_object::{AtomicValue, Value};

use super::port::Port;
use crate::fiber::parked::Parked;
use crate::thread::{RubyThread, Status};

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
pub(super) const RUNS: u8 = 0;
pub(super) const EXITED: u8 = 1;
pub(super) const ABORTED: u8 = 2;
pub(super) const GONE: u8 = 4;

/// One Ractor. Each field protects itself.
pub struct Ractor {
    /// Tells it from the VM's others.
    pub id: u64,
    /// Its Ractor object. Not marked from here: its threads do that.
    pub(super) object: AtomicValue,
    pub(super) values: [AtomicValue; Part::Count as usize],
    /// `RUNS`, `EXITED` or `ABORTED`, and `GONE` when its threads have ended too.
    pub(super) state: AtomicU8,
    /// Its ports take nothing any more.
    pub(super) closed: AtomicBool,
    /// Who is to be told of the end of its block. No safepoint under the lock.
    pub(super) end: Mutex<End>,
    /// The number of the Ractor that takes its value; 0 as long as none has.
    pub(super) successor: AtomicU64,
    /// Its first thread.
    pub(super) thread: OnceLock<Weak<RubyThread>>,
    /// Ports made so far.
    pub(super) ports: AtomicU64,
    /// `$VERBOSE`: nil 0, false 1, true 2. The main Ractor's is the VM's.
    pub verbose: AtomicU64,
    /// `$DEBUG`, likewise.
    pub debug: AtomicBool,
}

#[derive(Default)]
pub(super) struct End {
    pub(super) over: bool,
    pub(super) waiting: Vec<Parked>,
    pub(super) monitors: Vec<Arc<Port>>,
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
