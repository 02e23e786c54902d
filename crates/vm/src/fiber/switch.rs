//! The exchange of stacks.

use std::sync::atomic::Ordering;

use asterism_object::types::Type;
use asterism_object::{Value, data, hash};

use super::left::Lost;
use super::mail::Mail;
use super::{Fiber, KILLED, Rare, RunningFiber, State, Status, of_object, state_of, word};
use crate::args::{CallArgs, Keywords};
use crate::block::Block;
use crate::call::Invoked;
use crate::ec::{Ec, Raised, Res};
use crate::error::Pending;
use crate::frame::{Cont, Frame, state};
use crate::stack::Chunk;
use crate::thread::Slot;

/// So many fibers may wait, one for the other, for the one that they have resumed: each has a stack of its own, so that only
/// the memory would end what resumes a new fiber in each new fiber.
const MOST_NESTED: usize = 100_000;
/// Each time that so many stacks were made it is looked how many there are: so far they are not counted, which would cost something
/// at each switch.
const NESTING_STEP: usize = 4096;

impl RunningFiber {
    /// The topmost chunk in use of the running fiber's stack; null on the thread's own.
    pub(crate) fn chunk(&self) -> *mut Chunk {
        if self.object.is_nil() {
            return std::ptr::null_mut();
        }
        // SAFETY: the running fiber is this thread's.
        unsafe { (*state_of(self.object)).chunk }
    }

    /// The running fiber, which does not use the thread's own stack, goes on in this chunk.
    pub(crate) fn set_chunk(&mut self, chunk: *mut Chunk) {
        // SAFETY: the running fiber is this thread's.
        unsafe {
            (*state_of(self.object)).chunk = chunk;
            self.stack_end = Chunk::end(chunk);
        }
    }

    /// How many fibers wait, one for the other, for the running one.
    fn nesting(&self) -> usize {
        let mut at = self.object;
        let mut count = 0;
        while let Some(fiber) = of_object(&at) {
            // SAFETY: fibers that lead to one another are fibers of one thread.
            at = unsafe { (*fiber.state.get()).resumer };
            count += 1;
        }
        count
    }
}

impl Ec {
    /// Leaves the running fiber, which is suspended or has ended, and goes on with `to`, a fiber of this thread. Returns when a
    /// fiber is to go on in the loop of the caller: the current frame says where.
    ///
    /// # Errors
    /// What is raised in the fiber that goes on: the exception or the kill that it is gone on with, or with which
    /// another one has ended that returns to it.
    ///
    /// # Safety
    /// `self.fiber` is a fiber object, and `self.mail` suits `to`, which is suspended or has its first chunk. There is a
    /// machine stack for it (`reserve_machine`). The caller is the interpreter's loop, or called by it with nothing in between
    /// that counts on the current frame.
    #[inline(always)]
    pub(crate) unsafe fn switch_to(&mut self, to: Value, dst: u16, ended: bool) -> Res<()> {
        // SAFETY: see the function's contract.
        unsafe {
            self.exchange(to, dst, ended);
            self.arrived()
        }
    }

    /// Goes on with the fiber that was switched to.
    ///
    /// # Errors
    /// As [`Ec::switch_to`].
    ///
    /// # Safety
    /// As `switch_to`; a fiber was just switched to.
    #[inline(always)]
    pub(super) unsafe fn arrived(&mut self) -> Res<()> {
        if matches!(self.thread.mail, Mail::Value) {
            self.fiber.leaf = Value::NULL;
            return Ok(());
        }
        // SAFETY: the caller's contract.
        unsafe { self.arrive() }
    }

    /// Takes the mail of the fiber that goes on. Whoever ends before its first frame is followed by the next.
    ///
    /// # Errors
    /// As [`Ec::switch_to`].
    ///
    /// # Safety
    /// As `switch_to`; a fiber was just switched to.
    #[inline(never)]
    pub(super) unsafe fn arrive(&mut self) -> Res<()> {
        // SAFETY: see the function's contract.
        unsafe {
            loop {
                match std::mem::replace(&mut self.thread.mail, Mail::Value) {
                    Mail::Value => {
                        self.fiber.leaf = Value::NULL;
                        return Ok(());
                    }
                    Mail::Raise => {
                        self.fiber.leaf = Value::NULL;
                        return Err(Raised(()));
                    }
                    Mail::Throw(exception) => {
                        let raised = self.raise_exception(exception);
                        self.fiber.leaf = Value::NULL;
                        return Err(raised);
                    }
                    Mail::Unwind => Lost::unwind(),
                    Mail::Start(argv, argc) => {
                        self.fiber.leaf = Value::NULL;
                        let result = match self.start(std::slice::from_raw_parts(argv, argc)) {
                            Ok(Invoked::Pushed) => return Ok(()),
                            Ok(Invoked::Done(v)) => Ok(v),
                            Err(raised) => Err(raised),
                        };
                        let next = self.after_end(result);
                        self.exchange(next, 0, true);
                    }
                }
            }
        }
    }

    /// Invokes the running fiber's body, on its empty stack.
    unsafe fn start(&mut self, argv: &[Value]) -> Res<Invoked> {
        // SAFETY: the running fiber is this thread's.
        let body = unsafe { (*state_of(self.fiber.object)).body };
        let call = match argv.split_last() {
            Some((&last, rest)) if last.is_type(Type::Hash) && hash::is_kw(last) => {
                CallArgs { argv: rest, keywords: Keywords::Hash(last), block: Block::NONE }
            }
            _ => CallArgs::plain(argv),
        };
        self.invoke_block(Block::of_value(body), &call, state(0, Cont::FiberEnd, 0))
    }

    /// Ends the running fiber; another one goes on.
    ///
    /// # Errors
    /// As [`Ec::switch_to`]: an exception or a kill in `result` goes on in the other fiber.
    pub(crate) fn end_fiber(&mut self, result: Res) -> Res<()> {
        let next = self.after_end(result);
        // SAFETY: the running fiber's last frame was popped by the loop, which called this; the next one is suspended.
        unsafe { self.switch_to(next, 0, true) }
    }

    /// Who goes on after the running fiber; the mail says with what.
    fn after_end(&mut self, result: Res) -> Value {
        let next = self.fiber_to_return_to();
        // SAFETY: the running fiber is this thread's, and so is the one that goes on, which is suspended.
        unsafe {
            let state = state_of(self.fiber.object);
            (*state).resumer = Value::NIL;
            if !self.thread.held.is_empty() {
                self.release_fiber_locks();
            }
            let value = match result {
                Ok(v) if fiber_of(self.fiber.object).has(word::THROWS) => {
                    self.thread.mail = Mail::Throw(v);
                    return next;
                }
                Ok(v) => v,
                Err(_) if fiber_of(self.fiber.object).is_marked(KILLED) && self.thread.is_fiber_kill() => {
                    self.thread.pending = Pending::Nothing;
                    Value::NIL
                }
                Err(_) => {
                    self.thread.mail = Mail::Raise;
                    return next;
                }
            };
            deliver(next, value);
            self.thread.mail = Mail::Value;
        }
        next
    }

    /// The exception that the running fiber ends with is to be raised in who goes on after it.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(super) fn end_of_fiber_raises(&mut self) -> Res<()> {
        let object = self.current_fiber()?;
        // SAFETY: it is the running fiber, of this thread.
        unsafe { fiber_of(object).set_flag(word::THROWS, true) };
        Ok(())
    }

    /// The exchange itself. Returns when a fiber is to go on in the caller's loop.
    #[inline(always)]
    unsafe fn exchange(&mut self, to: Value, dst: u16, ended: bool) {
        // SAFETY: both fibers are this thread's (see `switch_to`), and nothing else refers to their states meanwhile.
        unsafe {
            let (from, next) = (fiber_of(self.fiber.object), fiber_of(to));
            if ended {
                self.exchange_rare(from, next, false);
                self.leave_ended(from);
            } else {
                from.dst.store(dst, Ordering::Relaxed);
                self.suspend(from);
                if self.worker.depth > 0 {
                    self.note_pinned(from);
                }
                self.exchange_rare(from, next, true);
            }
            self.resume_state(to, next);
            if self.worker.depth > 0 {
                self.leave_machine(from.state.get());
            }
        }
    }

    /// Exchanges what most fibers have nothing of. `keep`: `from`, which runs no longer, will go on.
    #[inline(always)]
    pub(super) unsafe fn exchange_rare(&mut self, from: &Fiber, next: &Fiber, keep: bool) {
        if self.has_rare() || next.has(word::LADEN) {
            // SAFETY: the caller's contract: both are fibers of this thread.
            unsafe { self.exchange_rare_parts(from, next, keep) };
        }
    }

    #[inline(always)]
    pub(super) fn has_rare(&self) -> bool {
        self.fiber.has_rare(self.thread.handle.get(Slot::Locals))
    }

    #[cold]
    #[inline(never)]
    unsafe fn exchange_rare_parts(&mut self, from: &Fiber, next: &Fiber, keep: bool) {
        // SAFETY: both states are this thread's.
        unsafe {
            let keep = keep && self.has_rare();
            // The box goes from the one to the other.
            let mut place = (*next.state.get()).rare.take();
            next.set_flag(word::LADEN, false);
            let then = place.as_deref_mut().map_or(Rare::NONE, |rare| std::mem::replace(rare, Rare::NONE));
            let locals = self.thread.handle.get(Slot::Locals);
            self.thread.handle.set(Slot::Locals, then.locals);
            let now = self.fiber.exchange(locals, then);
            if keep {
                let mut place = place.unwrap_or_else(|| Box::new(Rare::NONE));
                *place = now;
                (*from.state.get()).rare = Some(place);
                from.set_flag(word::LADEN, true);
            }
        }
    }

    /// Puts what the Ec holds of the running fiber into its state.
    #[inline(always)]
    pub(super) unsafe fn suspend(&mut self, fiber: &Fiber) {
        // SAFETY: the state is the running fiber's.
        unsafe {
            let state = &mut *fiber.state.get();
            state.frame = self.fiber.frame;
            state.stack_end = self.fiber.stack_end;
            state.leaf = self.fiber.leaf;
        }
        if !fiber.has(word::HOOKED)
            && let Some(cell) = self.fiber.object.cell()
        {
            self.heap().set_hook(cell);
            fiber.set_flag(word::HOOKED, true);
        }
        fiber.set_status(Status::Suspended);
    }

    /// Frees what the running fiber does not need any more.
    #[inline(never)]
    unsafe fn leave_ended(&mut self, fiber: &Fiber) {
        fiber.set_status(Status::Terminated);
        // SAFETY: no frame of the fiber is active, and the Ec's pointers into its stack are about to be replaced.
        unsafe {
            let chunk = std::mem::replace(&mut (*fiber.state.get()).chunk, std::ptr::null_mut());
            self.fiber.leave_frames(self.thread.stack.bottom());
            let freed = self.worker.spare_chunks.put(chunk);
            self.account_malloc(-(freed as isize));
        }
    }

    /// Takes what a fiber's state says.
    #[inline(always)]
    pub(super) unsafe fn resume_state(&mut self, object: Value, fiber: &Fiber) {
        fiber.set_status(Status::Running);
        self.fiber.object = object;
        // SAFETY: the state is that of a suspended fiber of this thread, or of one with its first chunk.
        unsafe {
            let state = &mut *fiber.state.get();
            self.fiber.id = state.id;
            self.fiber.enter_frame(state.frame);
            self.worker.jit.switches += 1;
            self.fiber.stack_end = state.stack_end;
            self.fiber.leaf = state.leaf;
        }
        if fiber.has(word::DOOMED) {
            fiber.set_flag(word::DOOMED, false);
            self.thread.pending = Pending::Kill;
            self.thread.mail = Mail::Raise;
        }
    }

    /// Gives a fiber that has not begun the first chunk of its stack, and an id.
    ///
    /// # Errors
    /// NoMemoryError; SystemStackError when fibers resume fibers without end.
    pub(super) fn make_stack(&mut self, state: *mut State) -> Res<()> {
        if self.worker.spare_chunks.made() % NESTING_STEP == NESTING_STEP - 1 && self.fiber.nesting() > MOST_NESTED {
            return Err(self.stack_overflow());
        }
        // SAFETY: the current frame is active; the state is that of a fiber of this thread that has not begun.
        unsafe {
            let Some(chunk) = self.worker.spare_chunks.take((*self.fiber.frame).cref) else {
                return Err(self.no_memory());
            };
            (*state).chunk = chunk;
            (*state).frame = Chunk::start(chunk).cast::<Frame>();
            (*state).stack_end = Chunk::end(chunk);
            self.account_malloc(Chunk::size(chunk) as isize);
            (*state).id = self.next_fiber_id();
        }
        Ok(())
    }

    /// An id that no fiber or thread of the VM has had.
    #[inline(always)]
    pub(super) fn next_fiber_id(&mut self) -> u64 {
        const BLOCK: u64 = 1024;
        if self.worker.fiber_ids.is_empty() {
            let first = self.vm().threads.reserve_numbers(BLOCK);
            self.worker.fiber_ids = first..first + BLOCK;
        }
        // Not empty: see above.
        self.worker.fiber_ids.next().unwrap_or_default()
    }
}

/// The fiber that an object is known to be.
///
/// # Safety
/// It is, and the borrower keeps it alive.
#[inline(always)]
pub(super) unsafe fn fiber_of<'a>(object: Value) -> &'a Fiber {
    // SAFETY: the caller's contract.
    unsafe { data::get_unchecked::<Fiber>(object) }
}

/// Stores what a suspended fiber goes on with.
///
/// # Safety
/// `to` is a suspended fiber of the calling thread.
#[inline(always)]
pub(super) unsafe fn deliver(to: Value, value: Value) {
    // SAFETY: the top frame of a suspended fiber is a Ruby frame, whose register `dst` waits for the value.
    unsafe {
        let fiber = fiber_of(to);
        *Frame::regs((*fiber.state.get()).frame).add(fiber.dst()) = value;
    }
}
