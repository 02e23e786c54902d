//! Finding who handles what unwinds.

use asterism_compiler::code::HandlerKind;
use asterism_compiler::operand::Words;
use asterism_compiler::ops::{self, Instruction};
use asterism_object::Value;

use super::trace;
use crate::ec::{Ec, Raised, Res};
use crate::error::Pending;
use crate::frame::{Cont, Frame};

/// How unwinding ended in this activation of `execute`.
pub enum Unwound {
    /// A handler of the now current frame goes on.
    Resume,
    /// The base frame returned this value to native code.
    Finished(Value),
    /// Nobody here handles it.
    Leave(Raised),
}

/// Unwinds from the current frame to a handler, to the target of a jump, or out of the base frame.
pub fn unwind(ec: &mut Ec, mut raised: Raised) -> Unwound {
    if let Pending::Home(value) = ec.thread.pending {
        ec.thread.pending = Pending::Nothing;
        return Unwound::Finished(value);
    }
    if ec.thread.is_traced() {
        raised = trace::raises(ec, raised);
    }
    loop {
        let frame = ec.fiber.frame;
        // SAFETY: the current frame is an active Ruby frame of this activation: native frames were popped by
        // whoever called them.
        unsafe {
            if let Pending::Break(target, value) = ec.thread.pending
                && target == frame
            {
                // The call whose block broke out is under way in this frame: its value is the break's.
                ec.thread.pending = Pending::Nothing;
                (*frame).block_code = std::ptr::null();
                let dst = ops::Call::at(Words::at((*frame).pc.sub(1))).dst();
                *Frame::regs(frame).add(dst.index()) = value;
                return Unwound::Resume;
            }
            if enter_handler(ec, frame) {
                return Unwound::Resume;
            }
            if let Pending::Return(target, value) = ec.thread.pending
                && target == frame
            {
                ec.thread.pending = Pending::Nothing;
                let told = if ec.thread.is_traced() { trace::ends(ec, frame, value) } else { Ok(()) };
                match told.and_then(|()| return_from(ec, frame, value)) {
                    Ok(Some(v)) => return Unwound::Finished(v),
                    Ok(None) => return Unwound::Resume,
                    Err(next) => {
                        raised = next;
                        continue;
                    }
                }
            }
            let cont = (*frame).cont();
            if matches!(cont, Cont::Native | Cont::NativeSelf) && ec.worker.depth == 0 {
                // The native caller is on another machine stack; the loop there goes on with what unwinds.
                match ec.go_home() {
                    Ok(()) => return Unwound::Resume,
                    Err(next) => {
                        raised = next;
                        continue;
                    }
                }
            }
            if ec.thread.is_traced()
                && let Err(next) = trace::unwinds(ec, frame)
            {
                raised = next;
            }
            ec.pop_frame(frame);
            if cont == Cont::FiberEnd {
                match ec.end_fiber(Err(raised)) {
                    Ok(()) => return Unwound::Resume,
                    Err(next) => {
                        raised = if ec.thread.is_traced() { trace::raises(ec, next) } else { next };
                        continue;
                    }
                }
            }
            if matches!(cont, Cont::Native | Cont::NativeSelf) {
                return Unwound::Leave(raised);
            }
        }
    }
}

/// Enters the frame's handler for what unwinds, if it has one here.
///
/// # Safety
/// `frame` is the current Ruby frame and its pc is saved.
unsafe fn enter_handler(ec: &mut Ec, frame: *mut Frame) -> bool {
    // SAFETY: see the function's contract.
    unsafe {
        let iseq = &*(*frame).iseq;
        if iseq.code.handlers.is_empty() || matches!(ec.thread.pending, Pending::Kill) && ec.thread.handle.is_forced() {
            return false;
        }
        // The saved pc is behind the instruction under way, whose last word is the one before.
        let at = iseq.at((*frame).pc);
        let at = at.saturating_sub(1) as u32;
        for handler in &iseq.code.handlers {
            if !(handler.start..handler.end).contains(&at) {
                continue;
            }
            let exception = ec.pending_exception();
            if handler.kind == HandlerKind::Rescue && exception.is_none() {
                continue;
            }
            let reg = usize::from(handler.reg);
            let former = ec.fiber.errinfo;
            let token = match ec.pending_token() {
                Ok(token) => token,
                // No memory for the token: NoMemoryError unwinds instead, and the handler gets that.
                Err(_) => match ec.take_pending() {
                    Pending::Exception(e) => e,
                    _ => ec.vm().no_memory_error(),
                },
            };
            let regs = Frame::regs(frame);
            *regs.add(reg) = token;
            *regs.add(reg + 1) = former;
            if let Some(e) = exception {
                ec.fiber.errinfo = e;
                // It is Ruby code's affair now.
                ec.fiber.foreign_errinfo = Value::NIL;
            }
            (*frame).block_code = std::ptr::null();
            (*frame).pc = iseq.start.add(handler.target as usize);
            return true;
        }
    }
    false
}

/// Ends `frame`, the current one, with `value`. `Some`: it returns to native code; `None`: the caller's frame is
/// current and has its value, or, when a fiber has ended, that of another one.
///
/// # Errors
/// What is raised in the fiber that goes on, if the frame is the last of a fiber, or returns to another machine stack;
/// none otherwise.
///
/// # Safety
/// `frame` is the current Ruby frame.
pub unsafe fn return_from(ec: &mut Ec, frame: *mut Frame, value: Value) -> Res<Option<Value>> {
    // SAFETY: see the function's contract; the caller of a frame whose continuation is not native is a Ruby frame
    // with its pc saved.
    unsafe {
        let cont = (*frame).cont();
        let dst = (*frame).dst();
        let self_val = (*frame).self_val;
        ec.pop_frame(frame);
        let caller = ec.fiber.frame;
        match cont {
            Cont::Native | Cont::NativeSelf => {
                let value = if cont == Cont::Native { value } else { self_val };
                if ec.worker.depth > 0 {
                    return Ok(Some(value));
                }
                // The native caller is on another machine stack.
                ec.thread.pending = Pending::Home(value);
                return ec.go_home().map(|()| None);
            }
            Cont::FiberEnd if ec.end_quickly(value) => return Ok(None),
            Cont::FiberEnd => return ec.end_fiber(Ok(value)).map(|()| None),
            _ => {}
        }
        (*caller).block_code = std::ptr::null();
        let regs = Frame::regs(caller);
        match cont {
            Cont::Store => *regs.add(dst) = value,
            Cont::SelfValue => *regs.add(dst) = self_val,
            Cont::StoreNot => *regs.add(dst) = Value::bool(!value.truthy()),
            Cont::StoreString => {
                let text = if value.is_type(asterism_object::types::Type::String) {
                    value
                } else {
                    let plain = ec.any_to_s(self_val);
                    ec.str(plain)?
                };
                *regs.add(dst) = text;
            }
            Cont::JumpIf | Cont::JumpUnless => {
                if value.truthy() == (cont == Cont::JumpIf) {
                    let offset = (*(*caller).pc.sub(1) >> 32) as u32 as i32;
                    (*caller).pc = (*caller).pc.offset(offset as isize);
                }
            }
            Cont::Discard | Cont::Native | Cont::NativeSelf | Cont::FiberEnd => {}
        }
        Ok(None)
    }
}
