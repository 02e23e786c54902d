//! `RubyThread`: what threads share about one of them.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use asterism_heap::patience::Patience;
use asterism_heap::{Census, Marker, Stuck, ThreadState, Waiter, Waiting};
use asterism_lock::Mutex;
use asterism_object::data::DataObject;
use asterism_object::{AtomicValue, Value};

use crate::fiber::parked::{FiberWaits, Parked};
use crate::ractor::{MAIN, Ractor};

/// What a thread is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Status {
    /// It runs, or waits for its first turn.
    Run = 0,
    /// It sleeps for a time, or waits for input or output.
    Sleep = 1,
    /// It sleeps until somebody wakes it.
    SleepForever = 2,
    /// It has ended normally or was killed.
    Dead = 3,
    /// An exception ended it.
    Failed = 4,
}

/// The Ruby values that belong to a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Slot {
    /// The Proc it runs.
    Body,
    /// The block's arguments, an Array.
    Arguments,
    /// What the block returned.
    Result,
    /// The exception that ended it.
    Exception,
    /// Fiber-local variables of the root fiber: a Hash, or nil.
    Locals,
    /// Thread-local variables: a Hash, or nil.
    Variables,
    /// Its ThreadGroup.
    Group,
    /// `Thread#name`
    Name,
    /// `Thread.handle_interrupt` masks in force, an Array of Hashes, innermost last; nil if there are none.
    Masks,
    /// The storage its root fiber begins with: a Hash, or nil.
    Storage,
    /// The fiber scheduler, or nil.
    Scheduler,
    /// The object of its Ractor; nil in the main Ractor, but for the main thread of a program that has asked for that.
    Ractor,
    /// What it waits for: a Mutex, a queue, a thread …; nil if it does not, or for something else.
    Waits,
    /// How many there are.
    Count,
}

/// One thread. Each field protects itself.
#[derive(Debug)]
#[repr(C)]
pub struct RubyThread {
    // What whoever wakes it touches comes first, beside the count of references: one cache line.
    waiter: Waiter,
    /// It waits for another thread without end, and nobody has woken it yet.
    stuck: Stuck,
    status: AtomicU8,
    /// Tells it from all others of the VM; never 0.
    pub number: u64,
    /// Its Thread object. Not marked from here: the VM's list does that while the thread lives.
    object: AtomicValue,
    pub(crate) census: Arc<Census>,
    /// The VM's waiting fibers.
    pub(crate) fibers: Arc<FiberWaits>,
    /// The heap's view of the native thread; `None` before it has started.
    pub(super) state: Mutex<Option<Arc<ThreadState>>>,
    /// The running thread's Ec, 0 before and after. Followed only with the world stopped.
    pub(super) ec: AtomicUsize,
    /// It is being killed.
    pub killed: AtomicBool,
    /// It waits in a function that is not Ruby's, and `Thread#wakeup` ends that too.
    outside: AtomicBool,
    /// No mask of `Thread.handle_interrupt` holds a kill back.
    pub(crate) forced: AtomicBool,
    values: [AtomicValue; Slot::Count as usize],
    /// What others raised into it, oldest first; undef: it is to be killed. No safepoint under the lock.
    pub(crate) pending: Mutex<VecDeque<Value>>,
    /// Who is to be told of what it does from its next poll on: an `Option<Arc<dyn Tracer>>`, of which threads know nothing. No safepoint
    /// under the lock.
    pub(crate) tracer: Mutex<Option<Box<dyn Any + Send>>>,
    /// Who waits for its end, and whether it has come.
    pub(crate) joiners: Mutex<Joiners>,
    /// `Thread#report_on_exception`
    pub report_on_exception: AtomicBool,
    /// `Thread#abort_on_exception`
    pub abort_on_exception: AtomicBool,
    /// `Thread#priority`
    pub priority: AtomicI32,
    /// The kernel's number of the native thread; 0 while there is none.
    pub native_id: AtomicU32,
    /// Whether the thread is to spin before it sleeps.
    pub(crate) patience: Patience,
    /// Its Ractor, if that is not the main one. Set before it starts.
    ractor: OnceLock<Arc<Ractor>>,
}

/// Who waits for a thread's end.
#[derive(Debug, Default)]
pub(crate) struct Joiners {
    pub(crate) ended: bool,
    /// The thread's end is near: fibers do not queue any more, they wait for it as threads do.
    pub(crate) ending: bool,
    pub(crate) waiting: Vec<Parked>,
}

impl RubyThread {
    pub(crate) fn new(number: u64, census: Arc<Census>, fibers: Arc<FiberWaits>) -> RubyThread {
        RubyThread {
            number,
            object: AtomicValue::new(Value::NIL),
            census,
            fibers,
            state: Mutex::new(None),
            ec: AtomicUsize::new(0),
            status: AtomicU8::new(Status::Run as u8),
            killed: AtomicBool::new(false),
            outside: AtomicBool::new(false),
            forced: AtomicBool::new(false),
            stuck: Stuck::new(),
            waiter: Waiter::new(),
            values: [const { AtomicValue::new(Value::NIL) }; Slot::Count as usize],
            pending: Mutex::default(),
            tracer: Mutex::default(),
            joiners: Mutex::default(),
            report_on_exception: AtomicBool::new(true),
            abort_on_exception: AtomicBool::new(false),
            priority: AtomicI32::new(0),
            native_id: AtomicU32::new(0),
            patience: Patience::new(),
            ractor: OnceLock::new(),
        }
    }

    /// Its Ractor, if that is not the main one.
    pub fn ractor(&self) -> Option<&Arc<Ractor>> {
        self.ractor.get()
    }

    /// The number of its Ractor.
    pub fn ractor_id(&self) -> u64 {
        self.ractor.get().map_or(MAIN, |ractor| ractor.id)
    }

    /// It is in `ractor`, which is not the main one. Before it starts.
    pub fn enter_ractor(&self, ractor: &Arc<Ractor>) {
        if self.ractor.set(ractor.clone()).is_ok() {
            self.set(Slot::Ractor, ractor.object());
        }
    }

    /// Its Thread object; nil before it has one. The caller keeps the thread alive (it lives, or the caller has the
    /// object already).
    pub fn object(&self) -> Value {
        self.object.load(Ordering::Acquire)
    }

    pub(crate) fn set_object(&self, object: Value) {
        self.object.store(object, Ordering::Release);
    }

    /// One of its values.
    #[inline]
    pub fn get(&self, slot: Slot) -> Value {
        self.values[slot as usize].load(Ordering::Acquire)
    }

    /// Sets one of its values.
    #[inline]
    pub fn set(&self, slot: Slot, value: Value) {
        self.values[slot as usize].store(value, Ordering::Release);
    }

    /// Its values by number, for images.
    pub(crate) fn value_at(&self, index: usize) -> Value {
        self.values[index].load(Ordering::Acquire)
    }

    /// Sets the value with this number, when a VM is made from an image.
    pub(crate) fn set_value(&self, index: usize, value: Value) {
        self.values[index].store(value, Ordering::Release);
    }

    /// Sets a value that is nil so far; the value that is there now.
    pub fn set_if_nil(&self, slot: Slot, value: Value) -> Value {
        let word = &self.values[slot as usize];
        match word.compare_exchange(Value::NIL, value, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => value,
            Err(there) => there,
        }
    }

    pub(crate) fn trace(&self, marker: &mut Marker) {
        for word in &self.values {
            word.mark(marker);
        }
        for v in self.pending.lock().iter() {
            marker.mark(v.bits());
        }
    }

    /// What it is doing.
    pub fn status(&self) -> Status {
        match self.status.load(Ordering::Acquire) {
            0 => Status::Run,
            1 => Status::Sleep,
            2 => Status::SleepForever,
            3 => Status::Dead,
            _ => Status::Failed,
        }
    }

    pub(crate) fn set_status(&self, status: Status) {
        self.status.store(status as u8, Ordering::Release);
    }

    /// A fork has left it behind: in this process it is dead.
    pub(crate) fn lost_by_fork(&self) {
        self.stopped();
        self.set_status(Status::Dead);
        self.set(Slot::Scheduler, Value::NIL);
        let mut joiners = self.joiners.lock();
        joiners.ended = true;
        joiners.ending = true;
        joiners.waiting.clear();
    }

    /// Has it not ended?
    pub fn is_alive(&self) -> bool {
        !matches!(self.status(), Status::Dead | Status::Failed)
    }

    /// It does not run any more; its Ec is about to go away.
    pub(crate) fn stopped(&self) {
        self.ec.store(0, Ordering::Release);
        *self.state.lock() = None;
        self.native_id.store(0, Ordering::Relaxed);
    }

    /// Sets interrupt bits and lets the thread look at them, wherever it is.
    pub(crate) fn interrupt(&self, bits: u32) {
        self.end_deadly();
        let state = self.state.lock().clone();
        if let Some(state) = state {
            state.interrupt(bits);
        }
    }

    /// What the heap knows of it, from when it runs until it ends.
    pub fn native_state(&self) -> Option<Arc<ThreadState>> {
        self.state.lock().clone()
    }

    /// Has it been interrupted, and not looked yet?
    pub(crate) fn is_interrupted(&self) -> bool {
        self.state.lock().as_ref().is_some_and(|state| state.interrupts().pending() != 0)
    }

    /// The thread itself is going to wait. Called under the lock of what it puts itself into the queue of, so that a
    /// wake that comes from there comes later. `deadly`: only another thread can end the wait, and from here on the
    /// thread does nothing that could wake another one before it parks.
    pub fn prepare_wait(&self, deadly: bool) {
        self.waiter.reset();
        if deadly {
            self.begin_deadly();
        }
    }

    /// Only another thread can end the wait that was prepared. Called while the thread is in the queue, under its lock.
    pub fn begin_deadly(&self) {
        self.stuck.begin(&self.census);
    }

    /// Ends the wait it is in, or the one it has prepared.
    pub fn unpark(&self) {
        self.end_deadly();
        self.waiter.notify();
    }

    /// `Thread#wakeup`: ends the wait it is in, also one outside of Ruby that was said to be ended so.
    pub fn wake_up(&self) {
        self.unpark();
        if self.outside.load(Ordering::Acquire) {
            self.interrupt(0);
        }
    }

    /// Whether `wake_up` ends the wait outside of Ruby that it is going to begin; what was said before.
    pub fn set_wakes_outside(&self, wakes: bool) -> bool {
        self.outside.swap(wakes, Ordering::AcqRel)
    }

    /// The first half of `unpark`: see `Waiter::announce`.
    pub(crate) fn announce(&self) -> bool {
        self.end_deadly();
        self.waiter.announce()
    }

    /// The second half of `unpark`.
    pub(crate) fn rouse(&self) {
        self.waiter.rouse();
    }

    pub(crate) fn end_deadly(&self) {
        self.stuck.end(&self.census);
    }

    pub(crate) fn is_deadly(&self) -> bool {
        self.stuck.is_on()
    }

    pub(crate) fn waiter(&self) -> &Waiter {
        &self.waiter
    }
}

/// A thread or fiber in a Mutex's queue.
#[derive(Clone, Debug)]
pub struct LockWaiter(pub Parked);

impl Waiting for LockWaiter {
    fn prepare(&self) {
        match &self.0 {
            Parked::Thread(thread) => thread.prepare_wait(true),
            Parked::Fiber(wait) => wait.prepare(),
        }
    }

    fn wake(&self) {
        self.0.unpark();
    }

    fn is(&self, other: &Self) -> bool {
        self.0.is(&other.0)
    }

    fn is_gone(&self) -> bool {
        self.0.is_gone()
    }
}

/// What a Thread object holds.
pub struct ThreadObject(pub Arc<RubyThread>);

impl DataObject for ThreadObject {
    const NAME: &'static str = "thread";

    fn trace(&self, marker: &mut Marker) {
        self.0.trace(marker);
    }
}
