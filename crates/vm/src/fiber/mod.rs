//! Fibers: what belongs to one ([`Fiber`], [`State`]), the rules of who may go on after whom (`control`), and the
//! exchange of stacks (`switch`).
//!
//! A fiber has a VM stack of its own from its first resume to its end. It needs a machine stack only while native frames
//! of it are open: `Ec::depth` counts the activations of the interpreter's loop that native code of the running fiber has
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
mod machine;
mod native;
mod quick;
pub mod scheduler;
mod switch;
pub mod walk;

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

use asterism_heap::Marker;
use asterism_object::Value;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;

use crate::ec::{Ec, Raised, Res, trace_frames};
use crate::error::Exc;
use crate::frame::Frame;
use crate::stack::Chunk;
use crate::thread::Slot;

pub(crate) use machine::Machine;
pub(crate) use switch::Mail;

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

/// What the object of a fiber holds.
pub struct Fiber {
    /// The number of its thread; 0 before `initialize`.
    thread: AtomicU64,
    status: AtomicU8,
    /// `Fiber#blocking?`
    blocking: AtomicBool,
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

/// What only the fiber's thread touches. The first part is what the Ec has while the fiber runs.
#[repr(C)]
pub struct State {
    // In an order other than the Ec's: two words copied as one that were just written one by one stall the processor.
    pub(crate) frame: *mut Frame,
    pub(crate) leaf: Value,
    pub(crate) stack_end: *mut u64,
    pub(crate) id: u64,
    /// Of a fiber that runs: what it was when it began to.
    pub(crate) chunk: *mut Chunk,
    /// The register of the current frame that gets what the fiber is gone on with.
    pub(crate) dst: u16,
    /// Its last switch was `Fiber.yield`.
    pub(crate) yielding: bool,
    /// It is being killed, or was.
    pub(crate) killed: bool,
    /// It was killed while it waited for a fiber it had resumed: it ends when it goes on.
    pub(crate) doomed: bool,
    /// The exception it ends with is raised in who goes on after it.
    pub(crate) throws: bool,
    /// Fiber-local variables (`Thread#[]`), a Hash or nil. Of a fiber that runs: what they were when it began to.
    pub(crate) locals: Value,
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

/// See [`State::rare`].
pub(crate) struct Rare {
    pub(crate) errinfo: Value,
    pub(crate) recursion: Value,
    pub(crate) catch_tags: Value,
    pub(crate) root_vecs: Vec<*const Vec<Value>>,
}

impl Rare {
    pub(crate) const NONE: Rare =
        Rare { errinfo: Value::NIL, recursion: Value::NIL, catch_tags: Value::NIL, root_vecs: Vec::new() };
}

impl State {
    fn new() -> State {
        State {
            frame: std::ptr::null_mut(),
            stack_end: std::ptr::null_mut(),
            chunk: std::ptr::null_mut(),
            id: 0,
            leaf: Value(0),
            dst: 0,
            yielding: false,
            killed: false,
            doomed: false,
            throws: false,
            locals: Value::NIL,
            resumer: Value::NIL,
            resuming: Value::NIL,
            body: Value::NIL,
            storage: Value::NIL,
            machine: None,
            rare: None,
        }
    }
}

impl DataObject for Fiber {
    const NAME: &'static str = "fiber";

    fn trace(&self, marker: &mut Marker) {
        // SAFETY: the world is stopped. What a suspended fiber's stacks hold stays as it is until it goes on, and so does
        // what lies on the machine stacks that it has left.
        unsafe {
            let state = &*self.state.get();
            for v in [state.body, state.resumer, state.resuming, state.storage] {
                marker.mark(v.0);
            }
            let mut left = state.machine.as_deref();
            while let Some(machine) = left {
                marker.mark_range_conservative(machine.sp, machine.high);
                left = machine.below.as_deref();
            }
            if self.status() != Status::Suspended {
                return;
            }
            marker.mark(state.leaf.0);
            marker.mark(state.locals.0);
            if let Some(rare) = &state.rare {
                for v in [rare.errinfo, rare.recursion, rare.catch_tags] {
                    marker.mark(v.0);
                }
                for list in &rare.root_vecs {
                    for v in &**list {
                        marker.mark(v.0);
                    }
                }
            }
            trace_frames(state.frame, marker);
        }
    }

    fn size(&self) -> usize {
        // SAFETY: as in `trace`, or the object is dead. The chunks of a fiber that runs are the Ec's.
        unsafe { if self.status() == Status::Running { 0 } else { Chunk::size((*self.state.get()).chunk) } }
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        let chunk = self.state.get_mut().chunk;
        if !chunk.is_null() && self.status() != Status::Running {
            // SAFETY: nobody can go on with the fiber any more. (The chunks of one that runs are the Ec's.)
            unsafe { Chunk::free_all(chunk) };
        }
    }
}

impl Fiber {
    /// A fiber without a body.
    #[must_use]
    pub fn new() -> Fiber {
        Fiber {
            thread: AtomicU64::new(0),
            status: AtomicU8::new(Status::Created as u8),
            blocking: AtomicBool::new(false),
            wait_slot: AtomicU32::new(u32::MAX),
            state: UnsafeCell::new(State::new()),
        }
    }

    /// Where it is in its life.
    #[inline(always)]
    #[must_use]
    pub fn status(&self) -> Status {
        match self.status.load(Ordering::Relaxed) {
            0 => Status::Created,
            1 => Status::Running,
            2 => Status::Suspended,
            _ => Status::Terminated,
        }
    }

    #[inline(always)]
    pub(crate) fn set_status(&self, status: Status) {
        self.status.store(status as u8, Ordering::Relaxed);
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

impl Ec {
    /// The state of a fiber of this thread.
    ///
    /// # Errors
    /// FiberError for one of another thread, or without a body.
    #[inline(always)]
    pub(crate) fn own_state(&mut self, fiber: &Value) -> Res<*mut State> {
        match of_object(fiber) {
            Some(f) if f.thread.load(Ordering::Relaxed) == self.ruby_thread.number => Ok(f.state.get()),
            _ => Err(self.no_own_state(*fiber)),
        }
    }

    #[cold]
    fn no_own_state(&mut self, fiber: Value) -> Raised {
        match of_object(&fiber) {
            Some(f) if f.thread.load(Ordering::Relaxed) == 0 => self.raise(Exc::FiberError, "uninitialized fiber"),
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
        if self.fiber.is_nil() { self.make_root_fiber() } else { Ok(self.fiber) }
    }

    #[cold]
    fn make_root_fiber(&mut self) -> Res {
        let class = self.class(WellKnown::Fiber);
        let made = data::new(self, class, Fiber::new());
        let object = self.check(Value::NIL, made)?;
        if let Some(fiber) = of_object(&object) {
            fiber.thread.store(self.ruby_thread.number, Ordering::Relaxed);
            fiber.set_status(Status::Running);
            fiber.set_blocking(true);
            // SAFETY: nobody else knows the new fiber.
            unsafe {
                (*fiber.state.get()).storage = self.ruby_thread.get(Slot::Storage);
                (*fiber.state.get()).id = self.fiber_id;
            }
        }
        self.fiber = object;
        self.root_fiber = object;
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
        if fiber.thread.load(Ordering::Relaxed) != 0 {
            return Err(self.raise(Exc::FiberError, "cannot initialize fiber twice"));
        }
        fiber.set_blocking(blocking);
        // SAFETY: nobody else knows the state of a fiber without a thread; the object was made by `allocate`.
        unsafe {
            let state = fiber.state.get();
            (*state).body = body;
            (*state).storage = storage;
        }
        fiber.thread.store(self.ruby_thread.number, Ordering::Release);
        Ok(())
    }

    /// The running fiber's storage: a Hash, or nil.
    pub fn fiber_storage(&self) -> Value {
        match of_object(&self.fiber) {
            // SAFETY: the running fiber is one of this thread.
            Some(fiber) => unsafe { (*fiber.state.get()).storage },
            None => self.ruby_thread.get(Slot::Storage),
        }
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
            // SAFETY: the body is set before another thread can see the fiber, and never changed.
            Some(fiber) => unsafe { (*fiber.state.get()).body },
            None => Value::NIL,
        }
    }

    /// Does the running fiber block its thread?
    #[inline]
    pub fn is_fiber_blocking(&self) -> bool {
        // SAFETY: `Ec::fiber` is nil or a fiber's object.
        self.fiber.is_nil() || unsafe { data::get_unchecked::<Fiber>(self.fiber) }.is_blocking()
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
