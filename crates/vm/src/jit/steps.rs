//! Instructions that the interpreter executes for compiled code. The contract is that of [`super::helpers`].

use super::helpers::{guarded, is_over};
use super::switch;
use super::{LEFT, heat, run};
use crate::ec::Ec;
use crate::frame::{self, Frame};
use crate::interp::handler::End;
use crate::iseq::Iseq;

/// In the answer of [`step`]: compiled code is to be left.
pub const STEP_LEFT: u64 = 0;

/// Executes one instruction as the interpreter does, and what it calls if that is compiled. The answer: where the frame goes on, or
/// `STEP_LEFT`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn step(ec: *mut Ec, frame: *mut Frame, pc: *const u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let ec = &mut *ec;
        if ec.worker.jit.counts && !std::mem::take(&mut ec.worker.jit.counted) {
            return counted_step(ec, frame, pc);
        }
        // The instruction's own jump shall be no sample: that would enter compiled code here.
        ec.worker.jit.loops = ec.worker.jit.loops.max(2);
        let switches = ec.worker.jit.switches;
        let answer = guarded(ec, |ec| execute(ec, frame, pc, switches));
        if answer == LEFT { STEP_LEFT } else { answer }
    }
}

/// What a step does, in whatever guards it.
///
/// # Safety
/// As the module says; `switches` is `OfEc::switches` before the instruction.
#[inline(always)]
unsafe fn execute(ec: &mut Ec, frame: *mut Frame, pc: *const u64, switches: u64) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let end = ec.step_at(frame, pc);
        if end != End::Again {
            ec.worker.jit.left = end;
            return STEP_LEFT;
        }
        let now = ec.fiber.frame;
        if now == frame {
            return if is_over(ec, switches) { STEP_LEFT } else { (*now).pc as u64 };
        }
        if finish(ec, frame, switches) { (*frame).pc as u64 } else { STEP_LEFT }
    }
}

/// Has the frame run that an instruction of `frame`, which is compiled, has pushed, until that has returned. `false`: compiled code
/// is to be left.
///
/// # Safety
/// As the module says, with the pc of `frame` saved; `switches` is `OfEc::switches` before the instruction.
pub(super) unsafe fn finish(ec: &mut Ec, frame: *mut Frame, switches: u64) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let now = ec.fiber.frame;
        if ec.worker.jit.switches != switches || (*now).prev != frame {
            return false;
        }
        if !switch::is_switch((*now).pc) && !is_at_start(now) {
            heat::left_for_interpreter(ec, frame);
            return false;
        }
        (*now).state |= frame::COMPILED;
        let callee: &Iseq = &*(*now).iseq;
        // Read once: another thread may throw the code away.
        let code = heat::native(callee);
        if code != 0 && (*now).pc == switch::entering() && !is_over(ec, switches) {
            (*now).pc = callee.start;
            return run::call(ec, now, code) && !is_over(ec, switches);
        }
        let may_be_compiled = heat::may_be_compiled(callee);
        if may_be_compiled {
            heat::waited_for(ec, callee);
        }
        if run::may_interpret(ec) && !is_over(ec, switches) {
            return run::interpret(ec, frame, switches);
        }
        if !may_be_compiled {
            heat::left_for_interpreter(ec, frame);
        }
        false
    }
}

/// A step that is counted.
///
/// # Safety
/// As the module says.
#[cold]
unsafe fn counted_step(ec: &mut Ec, frame: *mut Frame, pc: *const u64) -> u64 {
    // SAFETY: the module's contract; what is counted is taken before the frame may be gone.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let (code, at) = (iseq.code.clone(), iseq.at(pc));
        ec.worker.jit.counted = true;
        let answer = step(ec, frame, pc);
        if let Some(jit) = ec.vm().options.jit {
            jit.compiler.note_step(&code, at, answer == STEP_LEFT);
        }
        answer
    }
}

/// The same of all instructions from `pc` on that lie before `end`, none of which jumps. The answer: `end`, or `STEP_LEFT`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn steps(ec: *mut Ec, frame: *mut Frame, pc: *const u64, end: *const u64) -> u64 {
    // SAFETY: the module's contract: an instruction begins where the one before says that the frame goes on.
    unsafe {
        let ec = &mut *ec;
        let counts = ec.worker.jit.counts;
        ec.worker.jit.loops = ec.worker.jit.loops.max(2);
        let switches = ec.worker.jit.switches;
        let answer = guarded(ec, |ec| {
            let mut at = pc as u64;
            while at != end as u64 && at != STEP_LEFT {
                let pc = at as *const u64;
                at = if counts { counted_step(ec, frame, pc) } else { execute(ec, frame, pc, switches) };
            }
            at
        });
        if answer == LEFT { STEP_LEFT } else { answer }
    }
}

/// Has the frame just begun?
///
/// # Safety
/// It is an active Ruby frame.
unsafe fn is_at_start(frame: *mut Frame) -> bool {
    // SAFETY: the caller's contract; a frame keeps its code alive.
    unsafe { (*frame).pc == (&*(*frame).iseq).start }
}
