//! Where the loop goes on in another frame: calls, `yield`, and returns. Parts of the loop, inlined into it; `frame` and `pc`
//! are its own.

use std::sync::atomic::{AtomicU32, Ordering};

use asterism_object::Value;

use super::new;
use super::operands::Operands;
use super::send;
use super::slots;
use super::unwind::return_from;
use crate::block::{Block, Env};
use crate::cache::{Fast, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{self, Cont, Frame, state};
use crate::iseq::{Iseq, NOT_PLAINLY};
use crate::native::{Args, NativeDef};
use asterism_compiler::opcode::Op;

/// Goes on with what is the current frame now.
///
/// # Safety
/// The current frame is a Ruby frame with its pc saved.
#[inline(always)]
unsafe fn reload(ec: &Ec, frame: &mut *mut Frame, pc: &mut *const u64) {
    *frame = ec.frame;
    // SAFETY: see the function's contract.
    *pc = unsafe { (**frame).pc };
}

/// An invocation's outcome: the value, or another frame to run.
///
/// # Safety
/// `frame` is the frame that invoked, and `dst` one of its registers; a frame that was pushed is a Ruby frame.
#[inline(always)]
unsafe fn settle(ec: &Ec, frame: &mut *mut Frame, pc: &mut *const u64, invoked: Invoked, dst: u16) {
    // SAFETY: see the function's contract.
    unsafe {
        match invoked {
            Invoked::Done(v) => *Frame::regs(*frame).add(usize::from(dst)) = v,
            Invoked::Pushed => reload(ec, frame, pc),
        }
    }
}

/// `Op::Call` and those that are calls when nothing quicker will do.
///
/// # Errors
/// What the callee raises.
///
/// # Safety
/// As in the loop: `frame` is the current frame, and `pc` lies behind the instruction `w` of its code; `poll_word` is the
/// thread's.
#[inline(always)]
pub unsafe fn call(
    ec: &mut Ec,
    frame: &mut *mut Frame,
    pc: &mut *const u64,
    poll_word: *const AtomicU32,
    w: Operands,
) -> Res<()> {
    // SAFETY: see the function's contract. The frame keeps its code alive, and a cache's method the code that is its target.
    unsafe {
        let polled = || (*poll_word).load(Ordering::Relaxed) != 0;
        let a = usize::from(w.a());
        let recv = if w.op() == Op::CallSelf { (**frame).self_val } else { *Frame::regs(*frame).add(a) };
        let iseq: &Iseq = &*(**frame).iseq;
        let dst = w.b();
        let site = usize::from(w.c());
        (**frame).pc = *pc;
        if let Some(cache) = InlineCache::at(iseq.call_caches.get_unchecked(site)) {
            let serial = ec.class_of(recv).serial();
            let args = Frame::regs(*frame).add(a + 1);
            if cache.ruby_serial() == serial && !polled() {
                let mut block = Block::NONE;
                if cache.first_fast() == Fast::RubyBlock {
                    (**frame).block_code = send::literal_block(ec, iseq, site)?;
                    block = Block::of_frame(*frame);
                }
                let callee: &Iseq = &*(cache.first_target() as *const Iseq);
                let new = iseq.above(*frame);
                let end = callee.above(new);
                if end.cast() <= ec.stack_end {
                    let (method, entry) = (cache.first_method(), callee.entry);
                    new.write(Frame::of_method(*frame, callee, recv, method, block, state(dst, Cont::Store, 0)));
                    let argc = callee.simple as usize;
                    Frame::fill(new, args, argc, argc, end);
                    ec.frame = new;
                    *frame = new;
                    *pc = entry;
                    return Ok(());
                }
            } else if cache.first_serial() == serial {
                match cache.first_fast() {
                    Fast::Leaf => {
                        let def = &*(cache.first_target() as *const NativeDef);
                        let argc = usize::from(iseq.code.call_sites.get_unchecked(site).argc);
                        ec.leaf = cache.first_method().0;
                        let result = (def.func)(ec, recv, Args::new(std::slice::from_raw_parts(args, argc)));
                        ec.leaf = Value::NULL;
                        *Frame::regs(*frame).add(usize::from(dst)) = result?;
                        return Ok(());
                    }
                    Fast::Reader => {
                        let name = asterism_object::Sym(cache.first_target() as u32);
                        let v = slots::read_attr(ec, iseq, site, recv, name);
                        *Frame::regs(*frame).add(usize::from(dst)) = v;
                        return Ok(());
                    }
                    Fast::Writer => {
                        let name = asterism_object::Sym(cache.first_target() as u32);
                        let v = *args;
                        slots::write_attr(ec, iseq, site, recv, name, v)?;
                        *Frame::regs(*frame).add(usize::from(dst)) = v;
                        return Ok(());
                    }
                    _ if polled() => {}
                    fast => {
                        // What has stored its value, or pushed a frame, or switched to another fiber.
                        match fast {
                            Fast::NewObject => new::new_object_at(ec, *frame, recv, a, site, cache, dst)?,
                            Fast::Resume => send::resume(ec, recv, args, cache, dst)?,
                            Fast::FiberYield => send::fiber_yield(ec, recv, args, cache, dst)?,
                            Fast::Switch => send::switch(ec, recv, args, cache, dst)?,
                            Fast::NewFiber => send::new_fiber(ec, *frame, recv, site, cache, dst)?,
                            Fast::Next | Fast::Peek => send::step(ec, *frame, recv, site, cache, fast, dst)?,
                            _ => {
                                let entry = cache.entry(0);
                                let call_site = iseq.code.call_sites.get_unchecked(site);
                                let st = state(dst, Cont::Store, 0);
                                let invoked = send::invoke_entry(ec, *frame, recv, a, call_site, entry, st)?;
                                settle(ec, frame, pc, invoked, dst);
                                return Ok(());
                            }
                        }
                        reload(ec, frame, pc);
                        return Ok(());
                    }
                }
            }
        }
        if polled() {
            super::poll(ec)?;
        }
        let invoked = send::send(ec, *frame, recv, a, site, state(dst, Cont::Store, 0))?;
        settle(ec, frame, pc, invoked, dst);
        Ok(())
    }
}

/// `Op::Yield`
///
/// # Errors
/// What the block raises; LocalJumpError.
///
/// # Safety
/// As for `call`.
#[inline(always)]
pub unsafe fn yield_to_block(ec: &mut Ec, frame: &mut *mut Frame, pc: &mut *const u64, w: Operands) -> Res<()> {
    // SAFETY: see the function's contract. A stack block's creator is active, and has the block's code.
    unsafe {
        let (a, dst) = (usize::from(w.a()), w.b());
        (**frame).pc = *pc;
        let block = Block((**frame).block);
        if let Some(creator) = block.frame() {
            let callee: &Iseq = &*(*creator).block_code;
            let known = usize::from(w.x());
            let taken = callee.taken(known);
            if taken != NOT_PLAINLY {
                let new = (*(**frame).iseq).above(*frame);
                let end = callee.above(new);
                if end.cast() <= ec.stack_end {
                    let entry = callee.entry;
                    new.write(Frame::of_block(*frame, callee, creator, dst));
                    Frame::fill(new, Frame::regs(*frame).add(a + 1), known - 1, usize::from(taken), end);
                    ec.frame = new;
                    *frame = new;
                    *pc = entry;
                    return Ok(());
                }
            }
        }
        let invoked = send::send_yield(ec, *frame, a, usize::from(w.c()), dst)?;
        settle(ec, frame, pc, invoked, dst);
        Ok(())
    }
}

/// `Op::Return`. A value if the loop is to end with it.
///
/// # Errors
/// What the frame's end raises.
///
/// # Safety
/// As for `call`.
#[inline(always)]
pub unsafe fn return_value(ec: &mut Ec, frame: &mut *mut Frame, pc: &mut *const u64, v: Value) -> Res<Option<Value>> {
    const STORE: u64 = (Cont::Store as u64) << 16;
    // SAFETY: see the function's contract. The frame below one that stores its value is a Ruby frame with its pc saved.
    unsafe {
        let st = (**frame).state;
        let how = st & frame::HOW;
        if how == STORE || how == (Cont::SelfValue as u64) << 16 {
            let v = if how == STORE { v } else { (**frame).self_val };
            let caller = (**frame).prev;
            ec.frame = caller;
            *frame = caller;
            (*caller).block_code = std::ptr::null();
            *pc = (*caller).pc;
            *Frame::regs(caller).add(usize::from(st as u16)) = v;
            return Ok(None);
        }
        if how == STORE | frame::CAPTURED {
            // Once its scope knows of it, it ends like others: the instruction is run again.
            Env((**frame).env).frame_ended();
            (**frame).state = st & !frame::CAPTURED;
            *pc = pc.sub(1);
            return Ok(None);
        }
        if how == (Cont::FiberEnd as u64) << 16 && ec.end_quickly(v) {
            reload(ec, frame, pc);
            return Ok(None);
        }
        (**frame).pc = *pc;
        if let Some(v) = return_from(ec, *frame, v)? {
            return Ok(Some(v));
        }
        reload(ec, frame, pc);
        Ok(None)
    }
}
