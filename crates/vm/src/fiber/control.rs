//! The rules: who may be resumed, transferred to, raised into, and who goes on when a fiber yields or ends.

use asterism_object::{Value, array};

use super::mail::Mail;
use super::switch::{deliver, fiber_of};
use super::{KILLED, State, Status, of_object, state_of, word};
use crate::args::{CallArgs, Keywords};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::error::{Exc, Pending};
use crate::frame::Frame;
use crate::frame::NewFrame;
use crate::method::{Body, Method};
use crate::native::Switch;
use crate::vm::Root;

/// What a fiber is gone on with.
#[derive(Clone, Copy)]
enum With<'a> {
    /// Values.
    Values(&'a [Value]),
    /// An exception.
    Exception(Value),
    /// Its end.
    Kill,
}

/// Who goes on, with what the mail says; `None`: the running fiber.
type Plan = Option<Value>;

impl Ec {
    /// `resume`, `transfer` or `yield` of the running fiber, called by the interpreter's loop. `dst`: the register of the
    /// current frame that gets what the fiber is gone on with. Returns when a fiber is to go on in this loop; the current frame
    /// says where.
    ///
    /// # Errors
    /// FiberError if it may not be gone on with, or there is no machine stack for it; NoMemoryError; what is raised in
    /// the fiber that goes on.
    ///
    /// # Safety
    /// The current frame is a Ruby frame with its pc saved, and the caller its interpreter's loop. `argv` lies on its
    /// stack or in what that holds.
    pub unsafe fn switch_fiber(&mut self, kind: Switch, target: Value, argv: &[Value], dst: u16) -> Res<()> {
        // SAFETY: the caller's contract.
        unsafe {
            let plan = match kind {
                Switch::Resume => self.plan_resume(target, With::Values(argv))?,
                Switch::Transfer => self.plan_transfer(target, With::Values(argv), dst)?,
                Switch::Yield => self.plan_yield(argv)?,
            };
            self.follow(plan, dst)
        }
    }

    /// Switches as planned. All switches of the loop come through here, so that the returns behind the switch go where the
    /// processor expects them to.
    #[inline(always)]
    unsafe fn follow(&mut self, plan: Plan, dst: u16) -> Res<()> {
        match plan {
            // SAFETY: see `switch_fiber`.
            Some(to) => unsafe { self.switch_to(to, dst, false) },
            None => Ok(()),
        }
    }

    #[cold]
    fn fiber_error(&mut self, message: &str) -> crate::ec::Raised {
        self.raise(Exc::FiberError, message)
    }

    #[inline(always)]
    unsafe fn plan_resume(&mut self, target: Value, with: With<'_>) -> Res<Plan> {
        let current = self.current_fiber()?;
        self.reserve_machine()?;
        let Some(fiber) = of_object(&target) else { return Err(self.no_own_state(target)) };
        let status = fiber.status();
        if status == Status::Created && !matches!(with, With::Values(_)) {
            return Err(self.fiber_error("cannot raise exception on unborn fiber"));
        }
        if status == Status::Terminated {
            return Err(self.fiber_error("attempt to resume a terminated fiber"));
        }
        if target == current {
            return Err(self.fiber_error("attempt to resume the current fiber"));
        }
        if fiber.thread() != self.thread.handle.number {
            return Err(self.no_own_state(target));
        }
        let state = fiber.state.get();
        // SAFETY: the states are this thread's; for the rest see `switch_fiber`.
        unsafe {
            if !(*state).resumer.is_nil() {
                return Err(self.fiber_error("attempt to resume a resumed fiber (double resume)"));
            }
            if !(*state).resuming.is_nil() {
                return Err(self.fiber_error("attempt to resume a resuming fiber"));
            }
            if status == Status::Suspended && !fiber.has(word::YIELDING) {
                return Err(self.fiber_error("attempt to resume a transferring fiber"));
            }
            self.set_mail(target, state, status, with)?;
            (*state).resumer = current;
            fiber.set_flag(word::YIELDING, false);
            (*state_of(current)).resuming = target;
            Ok(Some(target))
        }
    }

    unsafe fn plan_transfer(&mut self, target: Value, with: With<'_>, dst: u16) -> Res<Plan> {
        let current = self.current_fiber()?;
        self.reserve_machine()?;
        let state = self.own_state(&target)?;
        let Some(fiber) = of_object(&target) else { return Err(self.no_own_state(target)) };
        let status = fiber.status();
        // SAFETY: the states are this thread's; for the rest see `switch_fiber`.
        unsafe {
            if !(*state).resuming.is_nil() {
                return Err(self.fiber_error("attempt to transfer to a resuming fiber"));
            }
            if fiber.has(word::YIELDING) {
                return Err(self.fiber_error("attempt to transfer to a yielding fiber"));
            }
            if status == Status::Terminated {
                return Err(self.fiber_error("dead fiber called"));
            }
            if target == current {
                self.stay(with, dst)?;
                return Ok(None);
            }
            self.set_mail(target, state, status, with)?;
            Ok(Some(target))
        }
    }

    #[inline(always)]
    unsafe fn plan_yield(&mut self, argv: &[Value]) -> Res<Plan> {
        let current = self.current_fiber()?;
        self.reserve_machine()?;
        // SAFETY: the states are this thread's; for the rest see `switch_fiber`.
        unsafe {
            let own = state_of(current);
            let resumer = (*own).resumer;
            if resumer.is_nil() {
                return Err(self.fiber_error("attempt to yield on a not resumed fiber"));
            }
            let value = self.pack(argv)?;
            let other = state_of(resumer);
            (*own).resumer = Value::NIL;
            fiber_of(current).set_flag(word::YIELDING, true);
            (*other).resuming = Value::NIL;
            deliver(resumer, value);
            Ok(Some(resumer))
        }
    }

    /// The running fiber goes on with what it was to hand over.
    unsafe fn stay(&mut self, with: With<'_>, dst: u16) -> Res<()> {
        match with {
            With::Values(argv) => {
                let value = self.pack(argv)?;
                // SAFETY: the current frame is a Ruby frame that waits for the value in `dst`.
                unsafe { *Frame::regs(self.fiber.frame).add(usize::from(dst)) = value };
                Ok(())
            }
            With::Exception(exception) => Err(self.raise_exception(exception)),
            With::Kill => Err(self.unwind_with(Pending::Kill)),
        }
    }

    /// Several values as one.
    #[inline(always)]
    fn pack(&mut self, argv: &[Value]) -> Res {
        match argv {
            [] => Ok(Value::NIL),
            [one] => Ok(*one),
            more => self.array(more),
        }
    }

    /// Sets what `target`, which has passed all checks, finds. Nothing that can fail comes between this and the switch.
    #[inline(always)]
    unsafe fn set_mail(&mut self, target: Value, state: *mut State, status: Status, with: With<'_>) -> Res<()> {
        // SAFETY: the state is `target`'s, a fiber of this thread that does not run.
        unsafe {
            match with {
                With::Values(argv) if status == Status::Created => {
                    if (*state).chunk.is_null() {
                        self.make_stack(state)?;
                    }
                    self.thread.mail = Mail::Start(argv.as_ptr(), argv.len());
                }
                With::Values(argv) => {
                    let value = self.pack(argv)?;
                    deliver(target, value);
                }
                With::Exception(exception) => self.thread.mail = Mail::Throw(exception),
                With::Kill => {
                    self.thread.pending = Pending::Kill;
                    self.thread.mail = Mail::Raise;
                }
            }
        }
        Ok(())
    }

    /// Who goes on when the running fiber ends: who has resumed it, or else the last one in the chain of those that have
    /// resumed each other, from the root.
    pub(super) fn fiber_to_return_to(&mut self) -> Value {
        let found = |fiber: Value| of_object(&fiber).map(|f| f.state.get());
        // SAFETY: fibers that lead to one another are fibers of one thread.
        unsafe {
            if let Some(own) = found(self.fiber.object) {
                let resumer = (*own).resumer;
                if let Some(other) = found(resumer) {
                    (*other).resuming = Value::NIL;
                    return resumer;
                }
            }
            let mut last = self.thread.root_fiber;
            while let Some(state) = found(last)
                && !(*state).resuming.is_nil()
            {
                last = (*state).resuming;
            }
            last
        }
    }

    /// `Fiber#raise` with an exception that is made already, or `Fiber#kill` (undef), called by the interpreter's loop.
    ///
    /// # Errors
    /// As `switch_fiber`; the exception itself, or the kill, if the running fiber is the target.
    ///
    /// # Safety
    /// As `switch_fiber`.
    pub unsafe fn raise_in_fiber(&mut self, target: Value, exception: Value, dst: u16) -> Res<()> {
        let current = self.current_fiber()?;
        self.reserve_machine()?;
        let with = if exception.is_undef() { With::Kill } else { With::Exception(exception) };
        // SAFETY: the states are this thread's; for the rest see `switch_fiber`.
        unsafe {
            let mut target = target;
            loop {
                if target == current {
                    return self.stay(with, dst);
                }
                let state = self.own_state(&target)?;
                let Some(fiber) = of_object(&target) else { return Err(self.no_own_state(target)) };
                if !(*state).resuming.is_nil() {
                    if matches!(with, With::Kill) {
                        fiber.set_flag(word::DOOMED, true);
                        return self.stay(With::Values(&[]), dst);
                    }
                    target = (*state).resuming;
                } else if fiber.status() == Status::Suspended && !fiber.has(word::YIELDING) {
                    let plan = self.plan_transfer(target, with, dst)?;
                    return self.follow(plan, dst);
                } else {
                    let plan = self.plan_resume(target, with)?;
                    return self.follow(plan, dst);
                }
            }
        }
    }

    /// Marks a fiber of this thread as killed. `true`: it had not begun, or was killed or dead already, so that is all.
    ///
    /// # Errors
    /// FiberError for a fiber of another thread.
    pub fn note_killed(&mut self, target: Value) -> Res<bool> {
        self.own_state(&target)?;
        let Some(fiber) = of_object(&target) else { return Err(self.no_own_state(target)) };
        if fiber.is_marked(KILLED) {
            return Ok(true);
        }
        fiber.set_mark(KILLED, true);
        if fiber.status() == Status::Created {
            fiber.set_status(Status::Terminated);
        }
        Ok(fiber.status() == Status::Terminated)
    }

    /// A switch that is not called by the loop itself: pushes the frame of a method of the prelude that does it.
    pub(crate) fn push_switch(
        &mut self,
        kind: Switch,
        recv: Value,
        method: Method,
        args: &CallArgs<'_>,
        state: u64,
    ) -> Res<Invoked> {
        let all = match args.keywords {
            // The commonest switch of native code hands over nothing.
            Keywords::None | Keywords::Never if args.argv.is_empty() => Value::NIL,
            Keywords::None | Keywords::Never => self.array(args.argv)?,
            keywords => {
                let all = self.array(args.argv)?;
                let h = keywords.to_hash(self)?;
                let h = self.hash_dup(h)?;
                asterism_object::hash::set_kw(h, true);
                self.array_push(all, h)?;
                all
            }
        };
        let Some(switch) = Method::from_value(self.vm().root(Root::FiberSwitch)) else {
            return Err(self.fatal("no fiber switch"));
        };
        switch.prepare(self)?;
        let Body::Ruby(iseq) = switch.body() else {
            return Err(self.fatal("no fiber switch"));
        };
        // SAFETY: the current frame is active. The method's code has three parameters, its first registers.
        unsafe {
            let cref = (*self.fiber.frame).cref;
            let new = NewFrame {
                iseq,
                self_val: recv,
                method: method.0,
                block: Value::NIL.bits(),
                cref,
                around: Value::NIL.bits(),
                state,
            };
            let regs = Frame::regs(self.push_frame(new)?);
            *regs = Value::fixnum(kind as i64);
            *regs.add(1) = recv;
            *regs.add(2) = all;
        }
        Ok(Invoked::Pushed)
    }
}

/// The primitives of the prelude's part: `kind, fiber, arguments` and `fiber, exception`. What they return is what the
/// running fiber is gone on with, if the current frame is the caller's again.
pub mod prims {
    use super::{Ec, Frame, Res, Switch, Value, array};

    /// The register that the primitive under way stores into.
    pub(crate) fn destination(ec: &Ec) -> u16 {
        // SAFETY: the current frame is the caller's, and its saved pc is behind the instruction, which is one word.
        unsafe { (*(*ec.fiber.frame).pc.sub(1) >> 32) as u16 }
    }

    pub(crate) fn arrived(ec: &Ec, frame: *mut Frame, dst: u16) -> Value {
        if ec.fiber.frame != frame {
            return Value::NIL;
        }
        // SAFETY: the frame is the current one again, and has its value.
        unsafe { *Frame::regs(frame).add(usize::from(dst)) }
    }

    /// `Primitive.fiber_switch(kind, fiber, arguments)`
    ///
    /// # Errors
    /// As [`Ec::switch_fiber`].
    pub fn switch(ec: &mut Ec, args: &[Value]) -> Res {
        let kind = match args[0].fixnum_value() {
            Some(0) => Switch::Resume,
            Some(1) => Switch::Transfer,
            _ => Switch::Yield,
        };
        let (frame, dst) = (ec.fiber.frame, destination(ec));
        let argv = if args[2].is_nil() { &[][..] } else { array::private_slice(&args[2]) };
        // SAFETY: primitives are called by the loop, with the pc saved; the Array is in the frame's register.
        unsafe { ec.switch_fiber(kind, args[1], argv, dst)? };
        Ok(arrived(ec, frame, dst))
    }

    /// `Primitive.fiber_raise(fiber, exception)`; undef kills.
    ///
    /// # Errors
    /// As [`Ec::raise_in_fiber`].
    pub fn raise(ec: &mut Ec, args: &[Value]) -> Res {
        let (frame, dst) = (ec.fiber.frame, destination(ec));
        // SAFETY: primitives are called by the loop, with the pc saved.
        unsafe { ec.raise_in_fiber(args[0], args[1], dst)? };
        Ok(arrived(ec, frame, dst))
    }
}
