//! What an execution context has of the Ruby thread that it runs.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use asterism_compiler::code::Code;
use asterism_heap::{Charge, Marker};
use asterism_object::Value;
use asterism_races::detector::OfThread;

use super::RubyThread;
use crate::call::CallKind;
use crate::fiber::{Mail, Pinned};
use crate::foreign::Foreign;
use crate::interp::trace::Tracing;
use crate::pending::Pending;
use crate::ractor::Ractor;
use crate::stack::Stack;

/// What the [`Ec`](crate::Ec) has of its Ruby thread, whichever fiber of it runs: a Ruby thread that went on in another native thread, from a
/// safepoint on, would take all of this along, with its running fiber ([`RunningFiber`](crate::fiber::RunningFiber)). What others may know
/// of it is in the [`RubyThread`].
///
/// Native frames lie on the machine stack in use, which is the worker's: before it moved the thread would have to leave that as a fiber does.
#[repr(C)]
pub struct RunningThread {
    /// What other threads know of it.
    pub handle: Arc<RubyThread>,
    /// The Thread object.
    pub object: Value,
    /// What unwinds, while an `Err(Raised)` is on its way.
    pub pending: Pending,
    /// What the fiber that is being switched to finds.
    pub(crate) mail: Mail,
    /// The Ractor that it is in, unless that is the main one.
    pub ractor: Option<Arc<Ractor>>,
    /// Mutexes it holds, for the case that it ends without unlocking them.
    pub held: Vec<Value>,
    /// What the word of a fiber of this thread has of that.
    pub(crate) fiber_mark: u64,
    /// The thread's first fiber; nil until it has used one.
    pub(crate) root_fiber: Value,
    /// The VM stack of that.
    pub stack: Stack,
    /// What the used part of that is counted as, where memory is limited.
    pub(crate) stack_charge: Charge,
    /// What native code has used of the machine stack, as far as that is counted.
    pub(crate) machine_charge: Charge,
    /// Fibers of the thread with native frames.
    pub(crate) pinned: Pinned,
    /// The fiber that runs the handler of a signal; 0 while none does.
    pub(crate) trap_fiber: u64,
    /// `$?`
    pub last_status: Value,
    /// How the call was written that `method_missing` runs for, for the error of the core's own.
    pub missing_kind: CallKind,
    /// The frozen object that an error message is being made of; 0 if none is.
    pub(crate) telling_frozen: Value,
    /// The code whose literals are being made, for who wants to know where objects come from.
    pub(crate) making_literals_of: Option<Arc<Code>>,
    /// Counts uses of constants that are not to be remembered where they are used: what was looked up meanwhile is not.
    pub(crate) uncached_constants: u64,
    /// Until what processor time of the native thread what was raised into it waits for an `ensure` clause, if it does.
    pub(crate) put_off: Option<Duration>,
    /// How often something has been raised in it that came from outside: by a signal, a trap or another thread.
    pub interruptions: u32,
    /// Who is told of what it does, if anybody is. Boxed: hardly ever is one.
    pub(crate) tracing: Option<Box<Tracing>>,
    /// What it knows of functions of C extensions that are under way.
    pub foreign: Foreign,
    /// What it has of the detector of races, while one is on.
    pub(crate) races: Option<Box<OfThread>>,
    /// Accesses are noted: the interpreter's loop uses the handlers that do so.
    pub(crate) notes_races: bool,
    /// They are to be from the VM's second thread on, so whatever may make one returns to the interpreter's loop.
    pub(crate) awaits_threads: bool,
}

impl RunningThread {
    /// One that begins on that stack; see `fiber::mark_of`.
    #[inline(always)]
    pub(crate) fn new(
        handle: Arc<RubyThread>,
        stack: Stack,
        [stack_charge, machine_charge]: [Charge; 2],
        fiber_mark: u64,
    ) -> RunningThread {
        RunningThread {
            object: handle.object(),
            pending: Pending::Nothing,
            mail: Mail::Value,
            ractor: handle.ractor().cloned(),
            handle,
            held: Vec::new(),
            fiber_mark,
            root_fiber: Value::NIL,
            stack,
            stack_charge,
            machine_charge,
            pinned: Pinned::default(),
            trap_fiber: 0,
            last_status: Value::NIL,
            missing_kind: CallKind::Public,
            telling_frozen: Value::NULL,
            making_literals_of: None,
            uncached_constants: 0,
            put_off: None,
            interruptions: 0,
            tracing: None,
            foreign: Foreign::default(),
            races: None,
            notes_races: false,
            awaits_threads: false,
        }
    }

    /// Does a kill unwind that is meant for a fiber alone?
    pub(crate) fn is_fiber_kill(&self) -> bool {
        matches!(self.pending, Pending::Kill) && !self.handle.killed.load(Ordering::Acquire)
    }

    /// Marks what it holds, and forgets what it knows of objects by their addresses.
    ///
    /// # Safety
    /// The world is stopped.
    pub(crate) unsafe fn trace(&mut self, marker: &mut Marker) {
        for v in [self.object, self.root_fiber, self.last_status, self.telling_frozen] {
            marker.mark(v.bits());
        }
        for v in &self.held {
            marker.mark(v.bits());
        }
        self.pending.trace(marker);
        self.foreign.trace(marker);
        if let Some(tracing) = &self.tracing {
            tracing.trace(marker);
        }
        if let Some(races) = &mut self.races {
            races.forget_addresses();
        }
        // SAFETY: the caller's contract.
        unsafe { self.pinned.trace(marker) };
    }
}
