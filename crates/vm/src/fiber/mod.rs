//! Fibers: what belongs to one ([`Fiber`], [`State`]), the rules of who may go on after whom (`control`), and the
//! exchange of stacks (`switch`).
//!
//! A fiber has a VM stack of its own from its first resume to its end. It needs a machine stack only while native frames
//! of it are open: `Worker::depth` counts the activations of the interpreter's loop that native code of the running fiber has
//! entered on the machine stack in use. At depth 0 a switch leaves nothing on that stack: the loop there goes on with the
//! next fiber's frames, whoever that is.
//!
//! ```text
//!   VM stack     | Ruby frames | native | Ruby frames | native | Ruby frames |
//!   runs on        thread's own stack    | a stack that was left        | the one in use
//!                  (`State::machine`, the one left last first)
//! ```
//!
//! - A fiber that is suspended at another depth *leaves* the machine stack: it keeps it, for the native frames there, and
//!   the next fiber gets one from the pool, on which a loop waits.
//! - When it goes on, it does so on whatever stack is in use: its topmost Ruby frames need none in particular.
//! - When the last of them returns to a native frame, it goes *home*, to the stack it left last. The one it was on goes to
//!   the pool.
//!
//! So fibers that resume each other switch machine stacks only for native frames that are open, and not for every switch.
//! A thread's root fiber is like the others; its home is the thread's own stack. Its [`Fiber`] is made when it is first
//! asked for: a program without fibers pays nothing.

pub mod control;
mod left;
mod machine;
mod machine_stack;
mod mail;
mod native;
pub(crate) mod parked;
mod pinned;
mod quick;
mod running;
pub mod scheduler;
mod switch;
pub mod walk;
mod word;

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use asterism_heap::Marker;
use asterism_object::Value;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;

use crate::ec::{Ec, Raised, Res, trace_frames};
use crate::error::Exc;
use crate::frame::Frame;
use crate::stack::Chunk;
use crate::thread::{RunningThread, Slot};

pub(crate) use left::Pinned;
pub(crate) use machine_stack::{Machine, RED_ZONE};
pub(crate) use mail::Mail;
pub(crate) use running::Rare;
pub use running::RunningFiber;
pub(crate) use word::mark_of;

/// Where a fiber is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Status {
    /// It has not begun.
    Created = 0,
    /// It is the one that runs on its thread.
    Running = 1,
    /// It waits to be gone on with, or for a fiber it has resumed.
    Suspended = 2,
    /// It has ended.
    Terminated = 3,
}

/// Mark of a fiber: it is being killed, or was.
const KILLED: u8 = 1;
/// Mark of a fiber: it is in its thread's list of [`Pinned`] ones.
const PINNED: u8 = 2;

/// What the object of a fiber holds.
#[repr(C)]
pub struct Fiber {
    /// See [`word`]. Written by the fiber's thread alone once it has one.
    word: AtomicU64,
    /// The register of the topmost frame that gets what the fiber is gone on with. The fiber's thread's.
    dst: AtomicU16,
    /// `Fiber#blocking?`
    blocking: AtomicBool,
    /// `KILLED` and `PINNED`. The fiber's thread's.
    marks: AtomicU8,
    /// See [`Fiber::wait_slot`].
    wait_slot: AtomicU32,
    /// Belongs to the fiber's thread.
    state: UnsafeCell<State>,
}

// SAFETY: `state` is used by the fiber's thread alone, which `Ec::own_state` checks, and by the collector while that
// thread stands still.
unsafe impl Sync for Fiber {}
// SAFETY: the pointers lead into stacks that belong to the fiber.
unsafe impl Send for Fiber {}

/// What only the fiber's thread touches. The first four fields are the Ec's while the fiber runs ([`RunningFiber`]).
#[repr(C)]
pub struct State {
    // In an order other than the Ec's: two words copied as one that were just written one by one stall the processor.
    pub(crate) frame: *mut Frame,
    pub(crate) leaf: Value,
    pub(crate) stack_end: *mut u64,
    pub(crate) id: u64,
    /// The topmost chunk in use of its stack, now; null before its first resume, after its end, and for a root fiber, which
    /// has the thread's stack.
    pub(crate) chunk: *mut Chunk,
    /// Who has resumed it: a fiber, or nil.
    pub(crate) resumer: Value,
    /// Whom it has resumed: a fiber, or nil.
    pub(crate) resuming: Value,
    /// The Proc it runs.
    pub(crate) body: Value,
    /// `Fiber#storage`: a Hash, or nil.
    pub(crate) storage: Value,
    /// The machine stacks it has left, the last one first.
    pub(crate) machine: Option<Box<Machine>>,
    /// What most fibers have nothing of; `None` unless the fiber is suspended.
    pub(crate) rare: Option<Box<Rare>>,
}

impl State {
    #[inline(always)]
    const fn new(body: Value, storage: Value) -> State {
        State {
            frame: std::ptr::null_mut(),
            stack_end: std::ptr::null_mut(),
            chunk: std::ptr::null_mut(),
            id: 0,
            leaf: Value::NULL,
            resumer: Value::NIL,
            resuming: Value::NIL,
            body,
            storage,
            machine: None,
            rare: None,
        }
    }
}

impl DataObject for Fiber {
    const NAME: &'static str = "fiber";
    const INLINE: bool = true;

    fn trace(&self, marker: &mut Marker) {
        // SAFETY: the world is stopped. What a suspended fiber's stacks hold stays as it is until it goes on, and so does
        // what lies on the machine stacks that it has left.
        unsafe {
            let state = &*self.state.get();
            for v in [state.body, state.resumer, state.resuming, state.storage] {
                marker.mark(v.bits());
            }
            Machine::trace(state.machine.as_deref(), marker);
            if self.status() != Status::Suspended {
                return;
            }
            marker.mark(state.leaf.bits());
            if let Some(rare) = &state.rare {
                rare.trace(marker);
            }
            trace_frames(state.frame, marker);
        }
    }

    fn size(&self) -> usize {
        // SAFETY: as in `trace`, or the object is dead.
        unsafe { if self.status() == Status::Running { 0 } else { Chunk::size((*self.state.get()).chunk) } }
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        let chunk = self.state.get_mut().chunk;
        if !chunk.is_null() && self.status() != Status::Running {
            // SAFETY: nobody can go on with the fiber any more. (One that runs does so until the process ends.)
            unsafe { Chunk::free_all(chunk) };
        }
    }
}

impl Fiber {
    /// A fiber without a body, for `data::new`, which gives it a drop hook.
    #[must_use]
    pub fn new() -> Fiber {
        Fiber::created(word::HOOKED, Value::NIL, Value::NIL)
    }

    /// A fiber that has not begun; `word`: its thread, see [`word`].
    #[inline(always)]
    const fn created(word: u64, body: Value, storage: Value) -> Fiber {
        Fiber {
            word: AtomicU64::new(word),
            dst: AtomicU16::new(0),
            blocking: AtomicBool::new(false),
            marks: AtomicU8::new(0),
            wait_slot: AtomicU32::new(u32::MAX),
            state: UnsafeCell::new(State::new(body, storage)),
        }
    }

    #[inline(always)]
    fn word(&self) -> u64 {
        self.word.load(Ordering::Relaxed)
    }

    /// Sets the word; only by the fiber's thread, or while that stands still.
    #[inline(always)]
    fn set_word(&self, word: u64) {
        self.word.store(word, Ordering::Relaxed);
    }

    /// Is this flag of its word set?
    #[inline(always)]
    fn has(&self, flag: u64) -> bool {
        self.word() & flag != 0
    }

    /// Has it this mark?
    fn is_marked(&self, mark: u8) -> bool {
        self.marks.load(Ordering::Relaxed) & mark != 0
    }

    /// Sets or clears a mark; only by the fiber's thread, or while that stands still.
    fn set_mark(&self, mark: u8, on: bool) {
        let marks = self.marks.load(Ordering::Relaxed);
        self.marks.store(if on { marks | mark } else { marks & !mark }, Ordering::Relaxed);
    }

    /// Sets or clears a flag of its word; only by the fiber's thread.
    #[inline(always)]
    fn set_flag(&self, flag: u64, on: bool) {
        self.set_word(if on { self.word() | flag } else { self.word() & !flag });
    }

    /// The number of its thread; 0 before `initialize`.
    #[inline(always)]
    pub fn thread(&self) -> u64 {
        self.word.load(Ordering::Acquire) >> word::THREAD_SHIFT
    }

    /// Where it is in its life.
    #[inline(always)]
    #[must_use]
    pub fn status(&self) -> Status {
        match self.word() & word::STATUS {
            0 => Status::Created,
            1 => Status::Running,
            2 => Status::Suspended,
            _ => Status::Terminated,
        }
    }

    /// As `set_word`.
    #[inline(always)]
    fn set_status(&self, status: Status) {
        self.set_word(self.word() & !word::STATUS | status as u64);
    }

    #[inline(always)]
    fn dst(&self) -> usize {
        usize::from(self.dst.load(Ordering::Relaxed))
    }

    /// `Fiber#blocking?`
    pub fn is_blocking(&self) -> bool {
        self.blocking.load(Ordering::Relaxed)
    }

    /// What the built-in scheduler keeps its wait in; says nothing unless that scheduler finds the fiber there. Changed under the
    /// scheduler's lock.
    pub fn wait_slot(&self) -> u32 {
        self.wait_slot.load(Ordering::Relaxed)
    }

    /// See [`Fiber::wait_slot`].
    pub fn set_wait_slot(&self, slot: u32) {
        self.wait_slot.store(slot, Ordering::Relaxed);
    }

    /// Says whether operations in it block the thread.
    pub fn set_blocking(&self, on: bool) {
        self.blocking.store(on, Ordering::Relaxed);
    }
}

impl Default for Fiber {
    fn default() -> Self {
        Fiber::new()
    }
}

/// The state of an object that is known to be a fiber's.
///
/// # Safety
/// It is, and that is a fiber of the calling thread.
#[inline(always)]
unsafe fn state_of(object: Value) -> *mut State {
    // SAFETY: the caller's contract.
    unsafe { data::get_unchecked::<Fiber>(object) }.state.get()
}

/// The fiber an object stands for.
#[inline(always)]
pub fn of_object(object: &Value) -> Option<&Fiber> {
    data::get::<Fiber>(object)
}

impl RunningFiber {
    /// Does the running fiber block its thread?
    #[inline]
    pub fn is_blocking(&self) -> bool {
        // SAFETY: `RunningFiber::object` is nil or a fiber's object.
        self.object.is_nil() || unsafe { data::get_unchecked::<Fiber>(self.object) }.is_blocking()
    }
}

impl RunningThread {
    /// The thread ends: its root fiber has, for whoever has its object.
    pub(crate) fn end_root_fiber(&mut self) {
        if let Some(fiber) = of_object(&self.root_fiber) {
            fiber.set_status(Status::Terminated);
        }
    }
}

impl Ec {
    /// The state of a fiber of this thread.
    ///
    /// # Errors
    /// FiberError for one of another thread, or without a body.
    #[inline(always)]
    pub(crate) fn own_state(&mut self, fiber: &Value) -> Res<*mut State> {
        match of_object(fiber) {
            Some(f) if f.thread() == self.thread.handle.number => Ok(f.state.get()),
            _ => Err(self.no_own_state(*fiber)),
        }
    }

    #[cold]
    fn no_own_state(&mut self, fiber: Value) -> Raised {
        match of_object(&fiber) {
            Some(f) if f.thread() == 0 => self.raise(Exc::FiberError, "uninitialized fiber"),
            Some(_) => self.raise(Exc::FiberError, "fiber called across threads"),
            None => self.type_error("wrong argument type (expected fiber)"),
        }
    }

    /// The running fiber's object.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline(always)]
    pub fn current_fiber(&mut self) -> Res {
        if self.fiber.object.is_nil() { self.make_root_fiber() } else { Ok(self.fiber.object) }
    }

    #[cold]
    fn make_root_fiber(&mut self) -> Res {
        let class = self.class(WellKnown::Fiber);
        let made = data::new(self, class, Fiber::new());
        let object = self.check(Value::NIL, made)?;
        if let Some(fiber) = of_object(&object) {
            // `new` has given it a drop hook.
            fiber.set_word(self.thread.fiber_mark | Status::Running as u64 | word::HOOKED);
            fiber.set_blocking(true);
            // SAFETY: nobody else knows the new fiber.
            unsafe {
                (*fiber.state.get()).storage = self.thread.handle.get(Slot::Storage);
                (*fiber.state.get()).id = self.fiber.id;
            }
        }
        self.fiber.object = object;
        self.thread.root_fiber = object;
        Ok(object)
    }

    /// Gives a fiber of this thread its body and storage.
    ///
    /// # Errors
    /// FiberError if it has one; NoMemoryError.
    pub fn initialize_fiber(&mut self, object: Value, body: Value, blocking: bool, storage: Value) -> Res<()> {
        let Some(fiber) = of_object(&object) else {
            return Err(self.type_error("wrong argument type (expected fiber)"));
        };
        // Threads may race to initialize what `allocate` made.
        let claimed = fiber.word.compare_exchange(
            word::HOOKED,
            word::HOOKED | word::CLAIMED,
            Ordering::AcqRel,
            Ordering::Relaxed,
        );
        if claimed.is_err() {
            return Err(self.raise(Exc::FiberError, "cannot initialize fiber twice"));
        }
        fiber.set_blocking(blocking);
        // SAFETY: nobody else touches the state of a fiber without a thread that this one has claimed.
        unsafe {
            let state = fiber.state.get();
            (*state).body = body;
            (*state).storage = storage;
        }
        fiber.word.store(self.thread.fiber_mark | word::HOOKED, Ordering::Release);
        Ok(())
    }

    /// `Fiber.new` with a block and nothing else: a fiber of the class Fiber that runs `body`, a Proc.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_fiber(&mut self, body: Value) -> Res {
        let storage = match self.fiber_storage() {
            Value::NIL => Value::NIL,
            inherited => self.hash_dup(inherited)?,
        };
        let (class, mark) = (self.class(WellKnown::Fiber), self.thread.fiber_mark);
        // It owns nothing outside the heap before it is suspended, and gets its drop hook then.
        let made = data::new_inline(self, class, || Fiber::created(mark, body, storage));
        self.check(Value::NIL, made)
    }

    /// The running fiber's storage: a Hash, or nil.
    pub fn fiber_storage(&self) -> Value {
        if self.fiber.object.is_nil() {
            return self.thread.handle.get(Slot::Storage);
        }
        // SAFETY: the running fiber is one of this thread.
        unsafe { (*state_of(self.fiber.object)).storage }
    }

    /// Sets it.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn set_fiber_storage(&mut self, storage: Value) -> Res<()> {
        let object = self.current_fiber()?;
        let state = self.own_state(&object)?;
        // SAFETY: the running fiber's state is this thread's.
        unsafe { (*state).storage = storage };
        Ok(())
    }

    /// The Proc a fiber runs; nil for a root fiber. For messages: fibers of other threads too.
    pub fn fiber_body(&self, object: &Value) -> Value {
        match of_object(object) {
            // SAFETY: the body is set before the thread is, and never changed.
            Some(fiber) if fiber.thread() != 0 => unsafe { (*fiber.state.get()).body },
            _ => Value::NIL,
        }
    }

    /// Where a fiber of this thread is. Empty unless it is suspended or runs.
    ///
    /// # Errors
    /// FiberError for a fiber of another thread.
    pub fn fiber_locations(&mut self, object: Value) -> Res<Vec<crate::backtrace::Location>> {
        let state = self.own_state(&object)?;
        Ok(match of_object(&object).map(Fiber::status) {
            Some(Status::Running) => crate::backtrace::collect(self, 0),
            // SAFETY: the frames of a suspended fiber of this thread stay as they are.
            Some(Status::Suspended) => unsafe { crate::backtrace::collect_from((*state).frame, (*state).leaf) },
            _ => Vec::new(),
        })
    }
}
