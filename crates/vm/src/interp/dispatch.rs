//! From one instruction to the next: the table of handlers, which the opcode table makes, and the loop around them.
//!
//! A handler ends by jumping to the next one, through the table that it was given: LLVM makes a jump of such a call when it
//! optimises, so that each handler has an indirect jump of its own and keeps nothing on the machine stack. Where nothing
//! promises that (`build.rs` says where), and when a thread is traced, handlers are given a table that leads back to the loop
//! after every instruction instead. So which one is used is decided in one place, and handlers do not know.

use asterism_compiler::operand::Words;
use asterism_compiler::{for_each_op, ops};

use super::go_on::go_on;
use super::handler::{End, Handler, Handlers, NOTHING, Passed};
use super::state::{Execute, Interp, Next};
use super::trace;
use crate::ec::{Ec, Raised, Res};
use crate::frame::Frame;
use crate::jit::heat;
use crate::jit::run as compiled;
use crate::jit::switch;
use crate::races;

macro_rules! handlers {
    ($($(#[$doc:meta])+ $name:ident { $($operands:tt)* })*) => {
        /// The table: an opcode without an `Execute` does not compile.
        static HANDLERS: &Handlers = &{
            let mut table: [Handler; 256] = [stop; 256];
            $(table[asterism_compiler::opcode::Op::$name as usize] = run::<ops::$name<'_>>;)*
            table[switch::COUNT as usize] = compiled::count;
            table[switch::ENTER as usize] = compiled::enter;
            Handlers(table)
        };
    };
}

for_each_op!(handlers);

macro_rules! noting {
    ($($(#[$doc:meta])+ $name:ident { $($operands:tt)* })*) => {
        /// The table for threads whose accesses are noted.
        static NOTING: &Handlers = &{
            let mut table = HANDLERS.0;
            $(if races::is_noted(asterism_compiler::opcode::Op::$name) {
                table[asterism_compiler::opcode::Op::$name as usize] = noted::<ops::$name<'_>>;
            })*
            Handlers(table)
        };
    };
}

for_each_op!(noting);

/// Notes the accesses of an instruction, and executes it.
///
/// # Safety
/// As `Handler` says.
unsafe fn noted<'i, O: Execute<'i>>(
    ec: &mut Ec,
    frame: *mut Frame,
    pc: *const u64,
    table: &'static Handlers,
    first: Passed,
    second: Passed,
) -> End {
    // SAFETY: the caller's contract.
    unsafe {
        if races::may_access(O::OP, frame, pc) {
            races::note(ec, frame, pc);
        }
        (HANDLERS.0[O::OP as usize])(ec, frame, pc, table, first, second)
    }
}

/// Every instruction leads back to the loop.
static STEP: &Handlers = &Handlers([stop; 256]);

/// The table that handlers are given.
static DIRECT: &Handlers = if cfg!(asterism_threaded) { HANDLERS } else { STEP };

/// The table that handlers are given by a thread. Whichever instruction makes the VM's second thread, the next one may be noted.
#[inline(always)]
fn table_of(ec: &Ec) -> &'static Handlers {
    if ec.thread.awaits_threads { STEP } else { DIRECT }
}

/// Runs the current frame until it returns to native code.
///
/// # Errors
/// Whatever the frames raise; the current frame is then the one it was raised in, its pc saved.
pub(super) fn dispatch(ec: &mut Ec) -> Res {
    let around = ec.worker.jit.begin_loop();
    let result = dispatch_loop(ec);
    ec.worker.jit.end_loop(around);
    result
}

/// `dispatch` within what it notes.
#[inline(always)]
fn dispatch_loop(ec: &mut Ec) -> Res {
    // SAFETY: the loop is entered, and returned to, with a Ruby frame as the current one, whose pc is saved.
    unsafe {
        // A handler of an exception begins no frame.
        let mut begun = (&*(*ec.fiber.frame).iseq).begins_at((*ec.fiber.frame).pc);
        let mut end = if begun { End::Again } else { compiled::resume_loop(ec) };
        loop {
            match end {
                End::Again => {}
                End::Left => return Ok(ec.worker.returned),
                End::Raised => return Err(Raised(())),
            }
            let frame = ec.fiber.frame;
            end = if ec.thread.is_traced() {
                unswitch(frame);
                let (begins, end) = trace::step(ec, begun);
                begun = begins;
                end
            } else if ec.thread.notes_races {
                begun = false;
                unswitch(frame);
                NOTING.go(ec, frame, (*frame).pc, if cfg!(asterism_threaded) { NOTING } else { STEP })
            } else if ec.worker.jit.profile > 0 {
                begun = false;
                unswitch(frame);
                heat::look(ec);
                ec.step_at(frame, (*frame).pc)
            } else {
                begun = false;
                HANDLERS.go(ec, frame, (*frame).pc, table_of(ec))
            };
        }
    }
}

/// Lets a frame that begins do so with its code, and not by a one-word code in its place.
///
/// # Safety
/// It is the current frame, a Ruby frame with its pc saved.
unsafe fn unswitch(frame: *mut Frame) {
    // SAFETY: the caller's contract.
    unsafe {
        if switch::is_switch((*frame).pc) {
            (*frame).pc = (&*(*frame).iseq).start;
        }
    }
}

/// The handler of `O`.
///
/// # Safety
/// As `Handler` says.
unsafe fn run<'i, O: Execute<'i>>(
    ec: &mut Ec,
    frame: *mut Frame,
    pc: *const u64,
    table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    // SAFETY: the caller promises that the instruction at `pc` is an `O` of the current frame's code. `at` is gone before `ec` is
    // used again.
    let next = unsafe {
        let at = Interp::at(&mut *std::ptr::from_mut(ec), frame, pc.add(const { O::OP.words() }));
        O::at(Words::at(pc)).execute(at)
    };
    // SAFETY: what a handler says of where to go on is so.
    unsafe { if O::RETURNS { come_back(ec, frame, pc, next, table) } else { go_on(ec, frame, pc, next, table) } }
}

/// As `go_on`, by the loop.
///
/// # Safety
/// As for `go_on`.
#[inline(always)]
unsafe fn come_back(ec: &mut Ec, frame: *mut Frame, pc: *const u64, next: Res<Next>, table: &'static Handlers) -> End {
    // SAFETY: as in `go_on`.
    unsafe {
        match next {
            Ok(Next::At(frame, pc)) => stop(ec, frame, pc, table, NOTHING, NOTHING),
            next => go_on(ec, frame, pc, next, table),
        }
    }
}

/// The handler that leads back to the loop.
///
/// # Safety
/// As `Handler` says.
unsafe fn stop(
    _ec: &mut Ec,
    frame: *mut Frame,
    pc: *const u64,
    _table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    // SAFETY: the frame is the current one.
    unsafe { (*frame).pc = pc };
    End::Again
}

impl Ec {
    /// Executes the instruction at `pc` alone.
    ///
    /// # Safety
    /// As `Handler` says.
    pub(crate) unsafe fn step_at(&mut self, frame: *mut Frame, pc: *const u64) -> End {
        // SAFETY: the caller's contract.
        unsafe { HANDLERS.go(self, frame, pc, STEP) }
    }

    /// Executes the current frame, and what it calls and returns to, until the loop is to be begun anew.
    ///
    /// # Safety
    /// The current frame is a Ruby frame with its pc saved. Nobody traces, and no operands are looked at.
    pub(crate) unsafe fn run_handlers(&mut self) -> End {
        // SAFETY: the caller's contract.
        unsafe {
            let frame = self.fiber.frame;
            HANDLERS.go(self, frame, (*frame).pc, table_of(self))
        }
    }
}
