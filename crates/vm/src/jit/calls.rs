//! Calls that compiled code does not make itself: by the interpreter's functions, without its handlers, where these have nothing else to
//! do. The contract is that of [`super::helpers`], with the pc saved, behind the instruction; what they answer is the value or `LEFT`.

use std::sync::atomic::Ordering;

use asterism_compiler::opcode::Op;
use asterism_object::Value;

use super::helpers::{entry, go_on, guarded, leave_raised};
use super::{LEFT, UNKNOWN, heat, steps};
use crate::args::CallArgs;
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};
use crate::interp::blocks;
use crate::interp::calls::{lookup, superclass};
use crate::interp::handler::End;

/// A call instruction.
///
/// # Safety
/// As the module says, of a call.
pub unsafe extern "C" fn call(ec: *mut Ec, frame: *mut Frame) -> u64 {
    // SAFETY: the module's contract; the operands are those of the instruction.
    unsafe {
        make(ec, frame, |ec, base, site, dst| {
            let args = Frame::regs(frame).add(base + 1);
            let of_self = (*(*frame).pc.sub(1)) as u8 == Op::CallSelf as u8;
            let recv = if of_self { (*frame).self_val } else { *args.sub(1) };
            ec.call_at(frame, recv, args, site, state(dst, Cont::Store, 0))
        })
    }
}

/// A call instruction whose site had called nothing when the code was compiled.
///
/// # Safety
/// As the module says, of a call.
pub unsafe extern "C" fn late_call(ec: *mut Ec, frame: *mut Frame) -> u64 {
    // SAFETY: the module's contract; the frame goes on behind the instruction, which says where it stores what it calls for.
    unsafe {
        let is_old = heat::called_late(&mut *ec, heat::root(frame));
        let v = call(ec, frame);
        if !is_old || v == LEFT {
            return v;
        }
        let dst = usize::from((*(*frame).pc.sub(1) >> 32) as u16);
        *Frame::regs(frame).add(dst) = Value::from_bits(v);
        (*ec).worker.jit.left = End::Again;
        LEFT
    }
}

/// `super`
///
/// # Safety
/// As the module says, of such an instruction.
pub unsafe extern "C" fn send_super(ec: *mut Ec, frame: *mut Frame) -> u64 {
    // SAFETY: the module's contract; the operands are those of the instruction.
    unsafe { make(ec, frame, |ec, base, site, dst| superclass::send_super(ec, frame, base, site, dst)) }
}

/// `yield`
///
/// # Safety
/// As the module says, of such an instruction.
pub unsafe extern "C" fn send_yield(ec: *mut Ec, frame: *mut Frame) -> u64 {
    // SAFETY: the module's contract; the operands are those of the instruction.
    unsafe { make(ec, frame, |ec, base, site, dst| blocks::send_yield(ec, frame, base, site, dst)) }
}

/// The words of the entry for the class of `recv`, which the current method yields to `block`, if that is a Symbol and the literal
/// `&:name` has met the class in the code that called the method; else 0. They stay where they are until the next call.
///
/// # Safety
/// As the module says, but that no register is read.
pub unsafe extern "C" fn symbol_entry(ec: *mut Ec, frame: *mut Frame, recv: u64, block: u64) -> u64 {
    // SAFETY: the module's contract; frames below an active one are active, and keep their code; there is no safepoint here.
    unsafe {
        let Some(name) = Value::from_bits(block).as_sym() else { return 0 };
        let Some((caller, site)) = lookup::symbol_site(frame, name) else { return 0 };
        let Some(cache) = InlineCache::at(&(&*(*caller).iseq).call_caches[site]) else { return 0 };
        entry(ec, caller, site, cache.bits(), (*ec).class_of(Value::from_bits(recv)).serial())
    }
}

/// `yield` of `recv` to a Symbol, whose method is that of an entry that `symbol_entry` has just given.
///
/// # Safety
/// As the module says, of such an instruction.
pub unsafe extern "C" fn call_by_entry(ec: *mut Ec, frame: *mut Frame, entry: *const Entry, recv: u64) -> u64 {
    // SAFETY: the module's contract; the entry is read before anything is called.
    unsafe {
        let method = (*entry).method;
        make(ec, frame, |ec, _, _, dst| {
            ec.invoke(Value::from_bits(recv), method, &CallArgs::written(&[]), state(dst, Cont::Store, 0))
        })
    }
}

/// `Proc#call` of `proc` with the elements of the Array `list`, or `UNKNOWN` where nothing was done.
///
/// # Safety
/// As the module says, of such a call.
pub unsafe extern "C" fn call_proc_spread(ec: *mut Ec, frame: *mut Frame, proc: u64, list: u64) -> u64 {
    // SAFETY: the module's contract; both are values that lie in the frame.
    unsafe {
        invoke(ec, frame, |ec, _, _, dst| {
            let (proc, list) = (Value::from_bits(proc), Value::from_bits(list));
            let pushed = blocks::push_listed_block(ec, proc, list, state(dst, Cont::Store, 0))?;
            Ok(pushed.then_some(Invoked::Pushed))
        })
    }
}

/// Has `send` make the call of the instruction before the pc, which it is told the base, the site and the destination of, and what it
/// pushes run until that has returned. It may also do nothing: `UNKNOWN`.
///
/// # Safety
/// As the module says, of an instruction with these operands; `send` makes that call.
#[inline(always)]
unsafe fn invoke(
    ec: *mut Ec,
    frame: *mut Frame,
    send: impl FnOnce(&mut Ec, usize, usize, u16) -> Res<Option<Invoked>>,
) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let ec = &mut *ec;
        // What is to be counted, and what is to be done at a safepoint, is the interpreter's.
        if ec.worker.jit.counts || (*ec.worker.poll_word).load(Ordering::Relaxed) != 0 {
            return UNKNOWN;
        }
        let word = *(*frame).pc.sub(1);
        let (base, dst, site) = (usize::from((word >> 16) as u16), (word >> 32) as u16, (word >> 48) as usize);
        let switches = ec.worker.jit.switches;
        guarded(ec, |ec| match send(ec, base, site, dst) {
            Err(raised) => leave_raised(ec, raised),
            Ok(None) => UNKNOWN,
            Ok(Some(Invoked::Done(v))) => go_on(ec, frame, usize::from(dst), v, switches),
            Ok(Some(Invoked::Pushed)) if steps::finish(ec, frame, switches) => {
                (*Frame::regs(frame).add(usize::from(dst))).bits()
            }
            Ok(Some(Invoked::Pushed)) => LEFT,
        })
    }
}

/// As `invoke`, of what always makes the call; where nothing was done, the interpreter executes the instruction.
///
/// # Safety
/// As the module says, of an instruction with these operands; `send` makes that call.
#[inline(always)]
unsafe fn make(ec: *mut Ec, frame: *mut Frame, send: impl FnOnce(&mut Ec, usize, usize, u16) -> Res<Invoked>) -> u64 {
    // SAFETY: the caller's contract; a frame that goes on behind the instruction has the value in its destination.
    unsafe {
        let v = invoke(ec, frame, |ec, base, site, dst| send(ec, base, site, dst).map(Some));
        if v != UNKNOWN {
            return v;
        }
        let next = (*frame).pc;
        let dst = usize::from((*next.sub(1) >> 32) as u16);
        if steps::step(ec, frame, next.sub(1)) != next as u64 {
            return LEFT;
        }
        (*Frame::regs(frame).add(dst)).bits()
    }
}
