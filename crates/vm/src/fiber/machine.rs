//! Machine stacks: leaving one that has native frames of the running fiber, and going home to it. The rule is drawn in the
//! module above.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use asterism_fiber::{Slabs, Watched};

use super::left::Lost;
use super::machine_stack::Machine;
use super::mail::Mail;
use super::{State, state_of};
use crate::ec::{Ec, Res};
use crate::error::{Exc, Pending};
use crate::worker::Worker;

/// Machine stacks without native frames that a thread keeps.
const MOST_IDLE: usize = 32;

/// Bytes above `Worker::machine_limit` from which on native code that calls back does so on another stack.
const ROOM_TO_CALL: usize = 64 << 10;
/// Machine stacks that the root fiber may have left when it takes another one for that: together they are about as large as
/// a thread's.
const MOST_LEFT: usize = 7;

impl Worker {
    /// Sets up another machine stack to be used; the one in use.
    fn enter(&mut self, machine: Box<Machine>) -> Box<Machine> {
        self.jit.switches += 1;
        self.machine.entered = self.jit.exchange_entered(machine.entered);
        self.machine.counted = std::mem::replace(&mut self.machine_counted, machine.counted);
        self.machine_limit = machine.limit;
        self.loop_limit = machine.limit + (machine.high - machine.limit) / 2;
        self.mutator.set_stack_base(machine.high);
        std::mem::replace(&mut self.machine, machine)
    }

    /// Takes back a machine stack without native frames.
    fn keep(&mut self, machine: Box<Machine>) {
        if self.idle.len() >= MOST_IDLE {
            // The ones used longest ago; the thread is on none of them.
            self.idle.drain(..MOST_IDLE / 2);
        }
        self.idle.push(machine);
    }
}

impl Ec {
    /// Counts what native code uses of the thread's machine stack down to `here`, twice as much each time, or finds it used up.
    ///
    /// # Errors
    /// SystemStackError; NoMemoryError.
    #[cold]
    #[inline(never)]
    pub(crate) fn more_machine_stack(&mut self, here: usize) -> Res<()> {
        if here < self.worker.machine_limit {
            return Err(self.stack_overflow());
        }
        let high = self.worker.machine.high;
        let end = high.saturating_sub((high - here).next_power_of_two()).max(self.worker.machine_limit);
        self.count_stack(|thread| &mut thread.machine_charge, high - end)?;
        self.worker.machine_counted = end;
        Ok(())
    }

    /// The running fiber was that of `from`, whose native frames lie on the machine stack in use: leaves it to them.
    /// Returns when the fiber has come home to it; until then another machine stack is used.
    ///
    /// # Safety
    /// `from` is the state of a fiber of this thread that was just suspended; another one is set up to go on. There is a
    /// machine stack for it (`reserve_machine`).
    #[inline(never)]
    pub(super) unsafe fn leave_machine(&mut self, from: *mut State) {
        let Some(idle) = self.worker.idle.pop() else {
            // `reserve_machine` has seen to it that there is one.
            std::process::abort()
        };
        let mut left = self.worker.enter(idle);
        left.depth = std::mem::take(&mut self.worker.depth);
        // SAFETY: the caller's contract.
        unsafe { self.switch_from(left, from) };
    }

    /// Switches to the machine stack that was set up last; `left`, the one before it, stays with the fiber of `from`. Returns
    /// when somebody switches back.
    ///
    /// # Safety
    /// `from` is the state of a fiber of this thread.
    #[inline(always)]
    unsafe fn switch_from(&mut self, mut left: Box<Machine>, from: *mut State) {
        let save = &raw mut left.sp;
        // SAFETY: the stack pointer that is saved lies in a box, which does not move until somebody switches to it.
        unsafe {
            left.below = (*from).machine.take();
            (*from).machine = Some(left);
            self.worker.machine.watched.leave_for();
            asterism_fiber::switch(save, self.worker.machine.sp, std::ptr::from_mut(self).cast::<()>());
            Watched::arrived();
        }
    }

    /// As `leave_machine`; the fiber that goes on is that of `next`, and goes home at once, with what is pending.
    ///
    /// # Safety
    /// As `leave_machine`. `next` is the state of the fiber that goes on, whose current frame was called by native code on the
    /// machine stack that it left last.
    #[inline(never)]
    pub(super) unsafe fn exchange_machines(&mut self, from: *mut State, next: *mut State) {
        // SAFETY: both states are this thread's.
        let Some(mut home) = (unsafe { (*next).machine.take() }) else {
            // The caller has seen it.
            std::process::abort()
        };
        // SAFETY: as in `leave_machine` and `go_home`.
        unsafe {
            (*next).machine = home.below.take();
            let depth = std::mem::replace(&mut self.worker.depth, home.depth);
            let mut left = self.worker.enter(home);
            left.depth = depth;
            self.switch_from(left, from);
        }
    }

    /// The running fiber goes on where its native frames are, with what is pending. Returns when another fiber is to go on
    /// in the caller's loop.
    ///
    /// # Errors
    /// As [`Ec::switch_to`].
    #[inline(never)]
    pub(crate) fn go_home(&mut self) -> Res<()> {
        // SAFETY: the running fiber has an object, since the loop in use is one of the pool. It is this thread's.
        let own = unsafe { &mut *state_of(self.fiber.object) };
        let Some(mut home) = own.machine.take() else {
            // At depth 0 the native frames are on a stack that was left.
            std::process::abort()
        };
        own.machine = home.below.take();
        self.worker.depth = home.depth;
        self.thread.mail = Mail::Raise;
        let mut idle = self.worker.enter(home);
        let save = &raw mut idle.sp;
        self.worker.keep(idle);
        // SAFETY: the home's stack pointer was saved when it was left. Ours is saved in a box; somebody switches to it when
        // he takes the machine out of the pool, having set up another fiber to go on.
        unsafe {
            self.worker.machine.watched.leave_for();
            asterism_fiber::switch(save, self.worker.machine.sp, std::ptr::from_mut(self).cast::<()>());
            Watched::arrived();
            self.arrived()
        }
    }

    /// Unwinds the native frames on this machine stack, which a fiber of the thread has left that nobody goes on with.
    pub(super) fn unwind_machine(&mut self, machine: Box<Machine>) {
        // SAFETY: the running fiber has an object, since the thread has had another one. It is this thread's.
        let own = unsafe { state_of(self.fiber.object) };
        let mut left = self.worker.enter(machine);
        left.depth = std::mem::take(&mut self.worker.depth);
        self.thread.mail = Mail::Unwind;
        // SAFETY: as in `leave_machine`. The running fiber comes home from there (see `first`), without anything pending.
        unsafe { self.switch_from(left, own) };
        self.thread.mail = Mail::Value;
    }

    /// Is so little left of the machine stack in use, one of the pool that the root fiber is on, that the current frame, which
    /// native code has called, should run on another one? Its native recursion so goes about as deep as on the thread's own.
    #[inline]
    pub(crate) fn is_machine_full(&self) -> bool {
        self.worker.stack_left() < ROOM_TO_CALL && self.may_leave_machine()
    }

    #[cold]
    fn may_leave_machine(&self) -> bool {
        if self.worker.machine.stack.is_none() || self.fiber.object != self.thread.root_fiber {
            return false;
        }
        // SAFETY: on a machine stack of the pool the running fiber has an object, whose state is this thread's.
        let first = unsafe { (*state_of(self.fiber.object)).machine.as_deref() };
        std::iter::successors(first, |machine| machine.below.as_deref()).count() < MOST_LEFT
    }

    /// `interp::execute` on another machine stack, which the running fiber goes home from when the current frame ends.
    ///
    /// # Errors
    /// What leaves that frame unhandled; FiberError if there is no machine stack.
    #[cold]
    #[inline(never)]
    pub(crate) fn execute_elsewhere(&mut self) -> Res {
        let frame = self.fiber.frame;
        if self.worker.idle.is_empty()
            && let Err(raised) = self.new_machine()
        {
            // SAFETY: it is the current frame.
            unsafe { self.pop_frame(frame) };
            return Err(raised);
        }
        self.thread.mail = Mail::Value;
        // SAFETY: on a machine stack of the pool the running fiber has an object, whose state is this thread's. It goes on
        // itself, with the current frame, and comes home when that ends. There is a machine stack for it.
        let arrived = unsafe {
            self.leave_machine(state_of(self.fiber.object));
            self.arrived()
        };
        match (arrived, self.thread.pending) {
            (Err(_), Pending::Home(value)) => {
                self.thread.pending = Pending::Nothing;
                Ok(value)
            }
            (Err(raised), _) => {
                // SAFETY: what ran elsewhere has ended, so that its frame is the current one again.
                unsafe { self.pop_frame(frame) };
                Err(raised)
            }
            // Whoever comes home has something pending.
            (Ok(()), _) => std::process::abort(),
        }
    }

    /// Sees to it that there is a machine stack for the next fiber, so that the switch to it cannot fail.
    ///
    /// # Errors
    /// FiberError.
    #[inline]
    pub(super) fn reserve_machine(&mut self) -> Res<()> {
        if self.worker.depth > 0 && self.worker.idle.is_empty() { self.new_machine() } else { Ok(()) }
    }

    /// A machine stack for the pool.
    #[cold]
    fn new_machine(&mut self) -> Res<()> {
        let Some(stack) = self.vm().stacks.get_or_init(Slabs::new).take() else {
            return Err(self.raise(Exc::FiberError, "can't alloc machine stack to fiber: Cannot allocate memory"));
        };
        let context = std::ptr::from_mut(self).cast::<()>();
        // SAFETY: the stack is new; the Ec does not move, and outlives what runs on the stack.
        let sp = unsafe { asterism_fiber::prepare(&stack, first, context) };
        self.worker.idle.push(Box::new(Machine::new(stack, sp)));
        Ok(())
    }
}

/// Begins a machine stack: takes the mail that came with the first switch, then runs what comes.
unsafe extern "C" fn first(context: *mut ()) -> ! {
    // SAFETY: the context is the Ec (see `new_machine`); of all that hold it on suspended stacks, one runs at a time.
    let ec = unsafe { &mut *context.cast::<Ec>() };
    // SAFETY: this is where the first switch to a stack arrives.
    unsafe { Watched::arrived() };
    // SAFETY: the fiber that runs from here on is the one that was switched to.
    let mut arrived = unsafe { ec.arrive() };
    loop {
        let run = AssertUnwindSafe(|| -> Infallible { crate::interp::run_fibers(ec, arrived) });
        let Err(payload) = catch_unwind(run);
        if !Lost::is_unwound_by(&*payload) {
            // A mistake of ours, which has been reported: the process ends here.
            resume_unwind(payload);
        }
        // What was unwound has not ended its loops and compiled code.
        ec.worker.jit.exchange_entered(0);
        arrived = ec.go_home();
    }
}
