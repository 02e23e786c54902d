//! The exchange of stacks.

use asterism_fiber::Slabs;
use asterism_object::Value;
use asterism_object::hash;
use asterism_object::types::Type;

use super::{Fiber, Machine, State, Status, of_object};
use crate::args::{CallArgs, Keywords};
use crate::block::Block;
use crate::call::Invoked;
use crate::ec::{Ec, RED_ZONE, Raised, Res};
use crate::error::{Exc, Pending};
use crate::frame::{Cont, Frame, state};
use crate::stack::Chunk;
use crate::thread::Slot;

/// Machine stacks without a fiber that a thread keeps.
const MOST_IDLE: usize = 32;

/// A machine stack that no fiber is on. A loop on it waits for one.
pub(crate) struct Idle {
    machine: Machine,
    sp: usize,
}

/// What the fiber that is switched to finds. Values in it are not traced: it is taken before the next safepoint.
pub(crate) enum Mail {
    /// Its value lies in its register already.
    Value,
    /// What is pending goes on unwinding in it.
    Raise,
    /// This exception is raised in it.
    Throw(Value),
    /// It begins, with these arguments, which lie on the suspended fiber's stack or in what that holds.
    Start(*const Value, usize),
}

impl Ec {
    /// Leaves the running fiber, which is suspended or has ended, and goes on with `to`, a fiber of this thread. Returns when a
    /// fiber is to go on in the loop of the caller: the current frame says where.
    ///
    /// # Errors
    /// What is raised in that fiber.
    ///
    /// # Safety
    /// `self.fiber` is a fiber object, and `mail` suits `to`, which is suspended or has its first chunk. There is a machine
    /// stack for it (`reserve_machine`). The caller is the
    /// interpreter's loop, or called by it with nothing in between that counts on the current frame.
    pub(crate) unsafe fn switch_to(&mut self, to: Value, mail: Mail, dst: u16, ended: bool) -> Res<()> {
        // SAFETY: see the function's contract.
        unsafe {
            self.exchange(to, mail, dst, ended)?;
            self.arrive()
        }
    }

    /// Takes the mail of the fiber that goes on. Whoever ends before its first frame is followed by the next.
    ///
    /// # Errors
    /// What is raised in the fiber that goes on.
    ///
    /// # Safety
    /// As `switch_to`; a fiber was just switched to.
    unsafe fn arrive(&mut self) -> Res<()> {
        // SAFETY: see the function's contract.
        unsafe {
            loop {
                match std::mem::replace(&mut self.mail, Mail::Value) {
                    Mail::Value => {
                        self.leaf = Value(0);
                        return Ok(());
                    }
                    Mail::Raise => {
                        self.leaf = Value(0);
                        return Err(Raised(()));
                    }
                    Mail::Throw(exception) => {
                        let raised = self.raise_exception(exception);
                        self.leaf = Value(0);
                        return Err(raised);
                    }
                    Mail::Start(argv, argc) => {
                        self.leaf = Value(0);
                        let result = match self.start(std::slice::from_raw_parts(argv, argc)) {
                            Ok(Invoked::Pushed) => return Ok(()),
                            Ok(Invoked::Done(v)) => Ok(v),
                            Err(raised) => Err(raised),
                        };
                        let (next, mail) = self.after_end(result);
                        self.exchange(next, mail, 0, true)?;
                    }
                }
            }
        }
    }

    /// Invokes the running fiber's body, on its empty stack.
    unsafe fn start(&mut self, argv: &[Value]) -> Res<Invoked> {
        let Some(fiber) = of_object(&self.fiber) else { return Err(self.fatal("no fiber runs")) };
        // SAFETY: the running fiber is this thread's.
        let body = unsafe { (*fiber.state.get()).body };
        let call = match argv.split_last() {
            Some((&last, rest)) if last.is_type(Type::Hash) && hash::is_kw(last) => {
                CallArgs { argv: rest, keywords: Keywords::Hash(last), block: Block::NONE }
            }
            _ => CallArgs::plain(argv),
        };
        self.invoke_block(Block::of_value(body), call, state(0, Cont::FiberEnd, 0))
    }

    /// Ends the running fiber; another one goes on.
    ///
    /// # Errors
    /// What is raised in that one.
    pub(crate) fn end_fiber(&mut self, result: Res) -> Res<()> {
        let (next, mail) = self.after_end(result);
        // SAFETY: the running fiber's last frame was popped by the loop, which called this; the next one is suspended.
        unsafe { self.switch_to(next, mail, 0, true) }
    }

    /// Who goes on after the running fiber, and with what.
    fn after_end(&mut self, result: Res) -> (Value, Mail) {
        let next = self.fiber_to_return_to();
        let Some(fiber) = of_object(&self.fiber) else { std::process::abort() };
        // SAFETY: the running fiber is this thread's, and so is the one that goes on, which is suspended.
        unsafe {
            let state = fiber.state.get();
            (*state).resumer = Value::NIL;
            if !self.held.is_empty() {
                self.release_fiber_locks();
            }
            let killed = (*state).killed
                && matches!(self.pending, Pending::Kill)
                && !self.ruby_thread.killed.load(std::sync::atomic::Ordering::Acquire);
            let value = match result {
                Ok(v) => v,
                Err(_) if killed => {
                    self.pending = Pending::Nothing;
                    Value::NIL
                }
                Err(_) => return (next, Mail::Raise),
            };
            deliver(next, value);
            (next, Mail::Value)
        }
    }

    /// The exchange itself. Returns when a fiber is to go on in the caller's loop.
    unsafe fn exchange(&mut self, to: Value, mail: Mail, dst: u16, ended: bool) -> Res<()> {
        let current = self.fiber;
        let (Some(from_fiber), Some(to_fiber)) = (of_object(&current), of_object(&to)) else {
            return Err(self.fatal("a switch between no fibers"));
        };
        let (from, next) = (from_fiber.state.get(), to_fiber.state.get());
        let light = self.depth == 0;
        // SAFETY: both states are this thread's (see `switch_to`), and nothing else refers to them meanwhile.
        unsafe {
            let idle = if !light && (*next).sp == 0 { self.idle.pop() } else { None };
            if ended {
                self.leave_ended(from_fiber, from);
            } else {
                (*from).dst = dst;
                self.suspend(from_fiber, from);
            }
            self.resume_state(to, to_fiber, next);
            self.mail = mail;
            if std::mem::take(&mut (*next).doomed) {
                self.pending = Pending::Kill;
                self.mail = Mail::Raise;
            }
            let context = std::ptr::from_mut(self).cast::<()>();
            let to_sp = std::mem::take(&mut (*next).sp);
            let (save, to_sp) = match idle {
                // Deep to light: a stack of the pool.
                Some(idle) => {
                    (*from).machine = Some(self.enter_machine(idle.machine));
                    (&raw mut (*from).sp, idle.sp)
                }
                None => {
                    let Some(machine) = (*next).machine.take() else {
                        // Light to light: the same loop goes on.
                        return Ok(());
                    };
                    let left = self.enter_machine(machine);
                    if light {
                        if self.idle.len() >= MOST_IDLE {
                            // The ones used longest ago; this thread runs on none of them.
                            self.idle.drain(..MOST_IDLE / 2);
                        }
                        self.idle.push(Idle { machine: left, sp: 0 });
                        let last = self.idle.len() - 1;
                        (&raw mut self.idle[last].sp, to_sp)
                    } else {
                        (*from).machine = Some(left);
                        (&raw mut (*from).sp, to_sp)
                    }
                }
            };
            asterism_fiber::switch(save, to_sp, context);
        }
        Ok(())
    }

    /// The machine stack that is used from now on; the one that was.
    fn enter_machine(&mut self, machine: Machine) -> Machine {
        self.machine_limit = machine.limit;
        self.set_stack_base(machine.high);
        std::mem::replace(&mut self.machine, machine)
    }

    /// Sees to it that there is a machine stack for the next fiber, so that the switch to it cannot fail.
    ///
    /// # Errors
    /// FiberError.
    #[inline]
    pub(super) fn reserve_machine(&mut self) -> Res<()> {
        if self.depth > 0 && self.idle.is_empty() { self.new_machine() } else { Ok(()) }
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
        let machine = Machine::new(stack.low() + RED_ZONE, stack.high(), Some(stack));
        self.idle.push(Idle { machine, sp });
        Ok(())
    }

    /// Puts what the Ec holds of the running fiber into its state.
    #[inline]
    unsafe fn suspend(&mut self, fiber: &Fiber, state: *mut State) {
        // SAFETY: the state is the running fiber's.
        unsafe {
            let state = &mut *state;
            state.frame = self.frame;
            state.stack_end = self.stack_end;
            state.chunk = self.chunk;
            state.depth = self.depth;
            state.leaf = self.leaf;
            state.errinfo = self.errinfo;
            state.recursion = self.recursion;
            state.catch_tags = self.catch_tags;
            state.locals = self.ruby_thread.get(Slot::Locals);
            if !self.root_vecs.is_empty() {
                state.root_vecs = std::mem::take(&mut self.root_vecs);
            }
        }
        fiber.set_status(Status::Suspended);
    }

    /// Frees what the running fiber does not need any more.
    unsafe fn leave_ended(&mut self, fiber: &Fiber, state: *mut State) {
        fiber.set_status(Status::Terminated);
        // SAFETY: no frame of the fiber is active, and the Ec's pointers into its stack are about to be replaced.
        unsafe {
            (*state).chunk = std::ptr::null_mut();
            let freed = Chunk::free_all(self.chunk);
            self.account_malloc(-(freed as isize));
        }
    }

    /// Takes what a fiber's state says.
    #[inline]
    unsafe fn resume_state(&mut self, object: Value, fiber: &Fiber, state: *mut State) {
        fiber.set_status(Status::Running);
        self.fiber = object;
        // SAFETY: the state is that of a suspended fiber of this thread, or of one with its first chunk.
        unsafe {
            let state = &mut *state;
            self.fiber_id = state.id;
            self.frame = state.frame;
            self.stack_end = state.stack_end;
            self.chunk = std::mem::replace(&mut state.chunk, std::ptr::null_mut());
            self.depth = state.depth;
            self.leaf = state.leaf;
            self.errinfo = state.errinfo;
            self.recursion = state.recursion;
            self.catch_tags = state.catch_tags;
            self.ruby_thread.set(Slot::Locals, state.locals);
            if !state.root_vecs.is_empty() {
                self.root_vecs = std::mem::take(&mut state.root_vecs);
            }
        }
    }

    /// Gives a fiber that has not begun the first chunk of its stack, and an id.
    pub(super) fn make_stack(&mut self, state: *mut State) -> Res<()> {
        // SAFETY: the current frame is active; the state is that of a fiber of this thread that has not begun.
        unsafe {
            let Some(chunk) = Chunk::first((*self.frame).cref) else { return Err(self.no_memory()) };
            (*state).chunk = chunk;
            (*state).frame = Chunk::start(chunk).cast::<Frame>();
            (*state).stack_end = Chunk::end(chunk);
            self.account_malloc(Chunk::size(chunk) as isize);
            (*state).id = self.next_fiber_id();
        }
        Ok(())
    }

    /// An id that no fiber or thread of the VM has had.
    fn next_fiber_id(&mut self) -> u64 {
        const BLOCK: u64 = 1024;
        if self.fiber_ids.is_empty() {
            let first = self.vm().threads.reserve_numbers(BLOCK);
            self.fiber_ids = first..first + BLOCK;
        }
        // Not empty: see above.
        self.fiber_ids.next().unwrap_or_default()
    }
}

/// Stores what a suspended fiber goes on with.
///
/// # Safety
/// `to` is a suspended fiber of the calling thread.
pub(super) unsafe fn deliver(to: Value, value: Value) {
    if let Some(fiber) = of_object(&to) {
        // SAFETY: the top frame of a suspended fiber is a Ruby frame, whose register `dst` waits for the value.
        unsafe {
            let state = fiber.state.get();
            *Frame::regs((*state).frame).add(usize::from((*state).dst)) = value;
        }
    }
}

/// Begins a machine stack: takes the mail that came with the first switch, then runs what comes.
unsafe extern "C" fn first(context: *mut ()) -> ! {
    // SAFETY: the context is the Ec (see `new_machine`); of all that hold it on suspended stacks, one runs at a time.
    let ec = unsafe { &mut *context.cast::<Ec>() };
    // A new stack is only ever entered to begin a fiber or to go on with a light one.
    // SAFETY: the fiber that runs from here on is the one that was switched to.
    let arrived = unsafe { ec.arrive() };
    crate::interp::run_fibers(ec, arrived)
}
