//! Into compiled code and out of it.

use std::panic::resume_unwind;
use std::sync::atomic::{Ordering, compiler_fence};

use asterism_object::types::{Type, type_of};

use super::heat::{ASKED_ENTRY, ASKED_RESUME, GIVEN_UP, HOT_TICKS};
use super::helpers::is_over_since;
use super::switch::counting;
use super::{LEFT, heat};
use crate::ec::{Ec, Res};
use crate::frame::{self, Cont, Frame};
use crate::interp::handler::{End, Handlers, Passed};
use crate::interp::unwind::return_from;
use crate::iseq::Iseq;

/// A function of compiled code: the thread, the frame, and the number of the entry. It gives the value that the frame returns,
/// or `LEFT`.
type Native = unsafe extern "C" fn(*mut Ec, *mut Frame, u64) -> u64;

/// Runs compiled code for the current frame, and for those below it that it returns to, until that is left.
///
/// Handlers that have called it return to the loop. If they went on with the next handler, each could leave its frame on the machine
/// stack where the optimiser makes no jump of that, each time that compiled code is left: that fills up, and what lies there keeps
/// objects alive.
///
/// # Safety
/// `frame` is the current frame, and `code` a function of its code that has that entry.
#[inline(never)]
unsafe fn run(ec: &mut Ec, mut frame: *mut Frame, mut code: usize, mut entry: u64) -> End {
    // SAFETY: the caller's contract. A frame whose value compiled code returns has a Ruby frame below it, with its pc saved, that
    // stores it.
    unsafe {
        loop {
            let function = std::mem::transmute::<usize, Native>(code);
            let around = enter_code(ec);
            let value = function(ec, frame, entry);
            if value == LEFT {
                leave_code(ec, around);
                if let Some(payload) = ec.worker.jit.panic.take() {
                    resume_unwind(payload);
                }
                return std::mem::replace(&mut ec.worker.jit.left, End::Again);
            }
            let (caller, st) = ((*frame).prev, (*frame).state);
            let ended = end(ec, frame, value);
            leave_code(ec, around);
            if let Err(raised) = ended {
                return End::raised(raised);
            }
            if st & frame::COMPILED == 0 || caller == ec.worker.awaited {
                return End::Again;
            }
            match resumption(ec, caller) {
                Some(found) => (frame, (code, entry)) = (caller, found),
                None => return End::Again,
            }
        }
    }
}

/// Compiled code of the kind that the gate is open for is entered, whose address was found since the last safepoint. What is to be put
/// back behind it.
#[inline(always)]
fn enter_code(ec: &mut Ec) -> u64 {
    let epoch = ec.vm().gate.epoch();
    std::mem::replace(&mut ec.worker.jit.entered, epoch)
}

/// Compiled code has been left, and what it returned was stored: `ec.fiber.frame` is right by now, which a signal handler may look at.
#[inline(always)]
fn leave_code(ec: &mut Ec, around: u64) {
    compiler_fence(Ordering::SeqCst);
    ec.worker.jit.entered = around;
}

/// Ends `frame`, which compiled code has returned `value` from: stores that, or jumps by it.
///
/// # Errors
/// None: a frame that ends a fiber, or returns to native code, is not ended here.
///
/// # Safety
/// The frame is the topmost one, with a Ruby frame below it, whose pc is saved and that the value is for.
#[inline(always)]
unsafe fn end(ec: &mut Ec, frame: *mut Frame, value: u64) -> Res<()> {
    // SAFETY: the caller's contract; compiled code returns values only, or `LEFT`.
    unsafe {
        let (caller, value) = ((*frame).prev, asterism_object::Value::from_bits(value));
        if matches!((*frame).cont(), Cont::JumpIf | Cont::JumpUnless | Cont::StoreNot) {
            ec.fiber.frame = frame;
            return return_from(ec, frame, value).map(|_| ());
        }
        ec.fiber.frame = caller;
        (*caller).block_code = std::ptr::null();
        *Frame::regs(caller).add((*frame).dst()) = value;
        Ok(())
    }
}

/// Calls compiled code of `callee`, a frame that an instruction of the frame below has pushed, and goes on there behind that
/// instruction, with the value stored, or where it jumps by the value. `false`: compiled code has been left.
///
/// # Safety
/// It is the current frame and begins; `code` is the part `Entry` of its code. It is marked as called from compiled code.
pub(super) unsafe fn call(ec: &mut Ec, callee: *mut Frame, code: usize) -> bool {
    // SAFETY: the caller's contract. A frame whose value compiled code returns has a Ruby frame below it that stores it.
    unsafe {
        let function = std::mem::transmute::<usize, Native>(code);
        let around = enter_code(ec);
        let value = function(ec, callee, 0);
        let ended = if value == LEFT { Ok(()) } else { end(ec, callee, value) };
        leave_code(ec, around);
        if let Err(raised) = ended {
            ec.worker.jit.left = End::raised(raised);
            return false;
        }
        value != LEFT
    }
}

/// Most loops of the interpreter within compiled code of a thread. Each takes some hundred bytes of the machine stack.
const MOST_WITHIN: u32 = 64;

/// May there be another loop of the interpreter within compiled code? Not deep down in the machine stack, where handlers go back to
/// the loop at every turn.
#[inline]
pub(super) fn may_interpret(ec: &Ec) -> bool {
    let here = 0u8;
    ec.worker.loops_within < MOST_WITHIN && std::ptr::from_ref(&here) as usize > ec.worker.loop_limit
}

/// Interprets the frame that an instruction of `frame`, which is compiled, has pushed, until that has returned, so that compiled code
/// is not left for it. `false`: compiled code has been left, because something was raised, another fiber has gone on, or compiled
/// code may not run any more. `switches` is `OfEc::switches` before the instruction.
///
/// It can be given up whenever the handlers come back: then all compiled code below returns `LEFT`, and the loop that has
/// entered that goes on with what is the current frame then.
///
/// # Safety
/// The pushed frame is the current one, and begins; it is marked as called from compiled code. `frame` has its pc saved.
pub(super) unsafe fn interpret(ec: &mut Ec, frame: *mut Frame, switches: u64) -> bool {
    let within = Within::begin(ec, frame);
    let (ec, entered) = (&mut *within.ec, within.entered);
    loop {
        // SAFETY: the handlers come back with a Ruby frame as the current one, whose pc is saved. Nobody traces while the gate is open.
        let end = unsafe { ec.run_handlers() };
        if end != End::Again {
            ec.worker.jit.left = end;
            return false;
        }
        if is_over_since(ec, switches, entered) {
            return false;
        }
        // Frames are given up without a return only where something is raised: it has its callee's value.
        if ec.fiber.frame == frame {
            return true;
        }
    }
}

/// A loop of the interpreter within compiled code, until it ends or is unwound.
///
/// Machine stacks may be switched in it, so loops need not end in the order in which they began. What `Worker::awaited` says then may be
/// wrong: a loop that sees its own frame come back asks whether something was switched, and without a loop of its own a frame that
/// comes back is interpreted on.
struct Within<'e> {
    ec: &'e mut Ec,
    before: *mut Frame,
    entered: u64,
}

impl<'e> Within<'e> {
    fn begin(ec: &'e mut Ec, frame: *mut Frame) -> Within<'e> {
        let before = std::mem::replace(&mut ec.worker.awaited, frame);
        ec.worker.loops_within += 1;
        let entered = ec.worker.jit.begin_loop();
        Within { ec, before, entered }
    }
}

impl Drop for Within<'_> {
    fn drop(&mut self) {
        self.ec.worker.loops_within -= 1;
        self.ec.worker.awaited = self.before;
        self.ec.worker.jit.end_loop(self.entered);
    }
}

/// Where compiled code goes on in `frame`, if it does.
///
/// # Safety
/// It is the current frame, a Ruby frame with its pc saved.
unsafe fn resumption(ec: &mut Ec, frame: *mut Frame) -> Option<(usize, u64)> {
    // SAFETY: the caller's contract; a frame keeps its code alive.
    let (iseq, pc) = unsafe { (&*(*frame).iseq, (*frame).pc) };
    if !may_run(ec) {
        return None;
    }
    let found = heat::resumption(iseq, pc);
    if found.is_none() {
        heat::missed(ec, iseq);
    }
    found
}

/// May compiled code run in this thread now?
#[inline]
fn may_run(ec: &Ec) -> bool {
    ec.vm().gate.is_open() && ec.worker.jit.profile == 0
}

/// The handler of the word that counts calls.
///
/// # Safety
/// As `Handler` says, of a frame that begins.
pub(crate) unsafe fn count(
    ec: &mut Ec,
    frame: *mut Frame,
    _pc: *const u64,
    table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    // SAFETY: the frame is the current one, a Ruby frame, which keeps its code alive.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let pc = heat::called(ec, iseq);
        (*frame).pc = pc;
        if ec.worker.jit.profile > 0 {
            (*frame).pc = iseq.start;
            return End::Again;
        }
        table.go(ec, frame, pc, table)
    }
}

/// The handler of the word that enters compiled code.
///
/// # Safety
/// As `Handler` says, of a frame that begins.
pub(crate) unsafe fn enter(
    ec: &mut Ec,
    frame: *mut Frame,
    _pc: *const u64,
    table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    // SAFETY: the frame is the current one, a Ruby frame, which keeps its code alive.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        (*frame).pc = iseq.start;
        if !may_run(ec) {
            if ec.vm().gate.is_closed() {
                // It does not open again.
                iseq.set_entry(iseq.start);
            }
            return table.go(ec, frame, iseq.start, table);
        }
        match heat::native(iseq) {
            // Another thread has thrown it away since this one saw that there is some.
            0 => table.go(ec, frame, iseq.start, table),
            code => run(ec, frame, code, 0),
        }
    }
}

/// The handler that goes on in compiled code, where the current frame is at, if there is any: after a frame has returned to
/// compiled code.
///
/// # Safety
/// As `Handler` says, but that the frame and the pc are those of before.
pub(crate) unsafe fn resume(
    ec: &mut Ec,
    _frame: *mut Frame,
    _pc: *const u64,
    table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    // SAFETY: the current frame is a Ruby frame with its pc saved.
    unsafe {
        let frame = ec.fiber.frame;
        if frame == ec.worker.awaited {
            return End::Again;
        }
        match resumption(ec, frame) {
            Some((code, entry)) => run(ec, frame, code, entry),
            None => table.go(ec, frame, (*frame).pc, table),
        }
    }
}

/// Goes on in compiled code where the loop is entered in the middle of a frame: at a handler of an exception.
///
/// # Safety
/// The current frame is a Ruby frame with its pc saved.
pub(crate) unsafe fn resume_loop(ec: &mut Ec) -> End {
    // SAFETY: the caller's contract.
    unsafe {
        let frame = ec.fiber.frame;
        match heat::resumption(&*(*frame).iseq, (*frame).pc).filter(|_| may_run(ec)) {
            Some((code, entry)) => run(ec, frame, code, entry),
            None => End::Again,
        }
    }
}

/// The gate opens for code of the other kind: forgets what there is of this one. Code that was asked for is asked for anew as soon as it is
/// called, and what there is of the other kind is found then. The world is stopped.
fn forget(iseq: &Iseq) {
    if iseq.jit.asked.load(Ordering::Relaxed) & GIVEN_UP != 0 {
        return;
    }
    iseq.jit.asked.fetch_and(!(ASKED_ENTRY | ASKED_RESUME), Ordering::Relaxed);
    iseq.jit.native.store(0, Ordering::Release);
    iseq.jit.resume.store(std::ptr::null_mut(), Ordering::Release);
    iseq.jit.linked.store(0, Ordering::Relaxed);
    // The next sample of its loops is the one that asks.
    iseq.jit.ticks.fetch_min(HOT_TICKS - 1, Ordering::Relaxed);
    iseq.set_entry(counting());
}

impl Ec {
    /// Compiled code of the VM is of the kind that is `wanted` from now on, as that says when all threads stand still: code that tells its
    /// frames, or plain code. What there is of the other kind is not entered again; where it is under way it is left at the next look at
    /// the gate, or by the next helper that asks ([`super::helpers::is_over`]).
    pub(crate) fn tell_frames(&mut self, wanted: impl Fn() -> bool) {
        let vm = self.vm_arc();
        if vm.options.jit.is_none() || vm.gate.tells() == wanted() {
            return;
        }
        let heap = self.heap().clone();
        heap.stop_the_world(self, |world| {
            if vm.gate.change(wanted()) {
                heap.each_live_cell(world, |cell| {
                    if type_of(cell) == Type::Iseq {
                        // SAFETY: such a cell has one word, the address of its box, or 0 before there is one; it is not freed now.
                        let iseq = unsafe { (cell.word(0).load(Ordering::Acquire) as *const Iseq).as_ref() };
                        iseq.into_iter().for_each(forget);
                    }
                });
            }
        });
    }
}

impl Ec {
    /// The handler of a sample of backward jumps, one of which leads to `pc`.
    ///
    /// # Safety
    /// As `Handler` says.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn tick(
        &mut self,
        frame: *mut Frame,
        pc: *const u64,
        table: &'static Handlers,
        _: Passed,
        _: Passed,
    ) -> End {
        // SAFETY: the frame is the current one, a Ruby frame, which keeps its code alive.
        unsafe {
            (*frame).pc = pc;
            let iseq: &Iseq = &*(*frame).iseq;
            heat::ticked(self, iseq);
            if self.worker.jit.profile > 0 {
                return End::Again;
            }
            match heat::resumption(iseq, pc).filter(|_| may_run(self)) {
                Some((code, entry)) => run(self, frame, code, entry),
                None => table.go(self, frame, pc, table),
            }
        }
    }
}
