//! Blocks: `yield`, the block parameter, lambdas, and the jumps out of a block.

use std::sync::atomic::Ordering;

use asterism_compiler::{CodeKind, ops};
use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Value, array};

use super::calls::args::{is_plain, with_args};
use super::state::{Execute, Interp, Next, Slow};
use super::unwind::return_from;
use crate::args::CallArgs;
use crate::block::{Block, Env, HANDS_OVER, LAMBDA, Proc};
use crate::call::Invoked;
use crate::ec::{Ec, Raised, Res};
use crate::error::Pending;
use crate::frame::{self, Cont, Frame, HEADER_WORDS, state};
use crate::iseq::{Iseq, NOT_PLAINLY};

impl<'i> Execute<'i> for ops::Yield<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let frame = at.frame();
        // SAFETY: the current frame is active. A block on the stack is one of an active frame, whose call with it is under way, and
        // has its code in that frame.
        unsafe {
            if let Some(creator) = Block((*frame).block).frame() {
                let callee: &Iseq = &*(*creator).block_code;
                let known = self.known();
                let taken = callee.taken(known);
                if taken != NOT_PLAINLY {
                    let new = at.iseq().above(frame);
                    let end = callee.above(new);
                    if end.cast() <= at.ec.fiber.stack_end {
                        new.write(Frame::of_block(frame, callee, creator, self.dst().index() as u16));
                        Frame::fill(new, at.from(self.base()).add(1), known - 1, usize::from(taken), end);
                        at.ec.fiber.enter_frame(new);
                        return Ok(Next::At(new, callee.entry()));
                    }
                }
            }
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::Yield<'i> {
    #[inline(always)]
    fn slow(self, at: Interp<'i>) -> Res<Next> {
        let dst = self.dst();
        // SAFETY: the current frame is a Ruby frame, whose pc was saved; the site is one of its code.
        let invoked =
            unsafe { send_yield(at.ec, at.frame(), self.base().index(), self.site().index(), dst.index() as u16)? };
        at.settle(invoked, dst)
    }
}

impl<'i> Execute<'i> for ops::BlockGiven<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        // SAFETY: the current frame is active.
        let given = unsafe { !Block((*at.frame()).block).is_none() };
        at.store(self.dst(), Value::bool(given))
    }
}

impl<'i> Execute<'i> for ops::BlockParam<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        // SAFETY: the frame is the current one, a Ruby frame.
        let v = unsafe { block_param(at.ec, at.frame())? };
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::MakeLambda<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let child = at.child(self.child())?;
        // SAFETY: the current frame is active, and its code holds that of its blocks.
        let v = unsafe { at.ec.make_proc(at.frame(), child, true)? };
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::Return<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        const STORE: u64 = (Cont::Store as u64) << 16;
        let frame = at.frame();
        let v = at.get(self.value());
        // SAFETY: the current frame is active, and so is its caller's: a Ruby frame, if it is to store the value, with its pc saved.
        unsafe {
            let st = (*frame).state;
            if st & frame::HOW == STORE {
                let caller = (*frame).prev;
                at.ec.fiber.frame = caller;
                (*caller).block_code = std::ptr::null();
                *Frame::regs(caller).add(usize::from(st as u16)) = v;
                return Ok(Next::At(caller, (*caller).pc));
            }
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::Return<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved. Only `state` of it is read.
        let (compiled, left) = unsafe {
            let compiled = (*at.frame()).has(frame::COMPILED);
            (compiled, return_value(at.ec, at.frame(), v)?)
        };
        if compiled && left.is_none() {
            return at.by(crate::jit::run::resume);
        }
        at.reload_unless(left)
    }
}

/// A return that does more than to store a value. A value if the loop is to end with it.
///
/// # Errors
/// As [`return_from`].
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved.
#[inline(never)]
unsafe fn return_value(ec: &mut Ec, frame: *mut Frame, v: Value) -> Res<Option<Value>> {
    const SELF: u64 = (Cont::SelfValue as u64) << 16;
    const CAPTURED: u64 = (Cont::Store as u64) << 16 | frame::CAPTURED;
    const NATIVE: u64 = (Cont::Native as u64) << 16;
    const END: u64 = (Cont::FiberEnd as u64) << 16;
    // SAFETY: the caller's contract; the frame below one that stores a value is a Ruby frame.
    unsafe {
        const STORE: u64 = (Cont::Store as u64) << 16;
        match (*frame).state & frame::HOW & !frame::COMPILED {
            // What stores a value or self, and had its locals moved or not.
            how @ (STORE | SELF | CAPTURED) => {
                let v = if how == SELF { (*frame).self_val } else { v };
                if let Some(env) = (*frame).env() {
                    env.frame_ended((*frame).has(frame::LAMBDA));
                }
                let caller = (*frame).prev;
                ec.fiber.frame = caller;
                (*caller).block_code = std::ptr::null();
                *Frame::regs(caller).add((*frame).dst()) = v;
                Ok(None)
            }
            // To native code on this machine stack.
            NATIVE if ec.worker.depth > 0 => {
                if let Some(env) = (*frame).env() {
                    env.frame_ended((*frame).has(frame::LAMBDA));
                }
                ec.fiber.frame = (*frame).prev;
                Ok(Some(v))
            }
            END if ec.end_quickly(v) => Ok(None),
            _ => return_from(ec, frame, v),
        }
    }
}

impl<'i> Execute<'i> for ops::Break<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved.
        let left = unsafe { break_from(at.ec, at.frame(), v)? };
        at.reload_unless(left)
    }
}

impl<'i> Execute<'i> for ops::ReturnFar<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved.
        unsafe {
            // A lambda that is a block returns from itself: where nothing handles that on the way, it is a return like others.
            if (*at.frame()).has(frame::LAMBDA) && at.iseq().code.handlers.is_empty() && !at.ec.thread.is_traced() {
                let left = return_value(at.ec, at.frame(), v)?;
                return at.reload_unless(left);
            }
            Err(return_far(at.ec, at.frame(), v))
        }
    }
}

/// The block parameter of `frame`'s method, or of the block that `frame` runs.
///
/// # Safety
/// `frame` is the current Ruby frame.
unsafe fn block_param(ec: &mut Ec, frame: *mut Frame) -> Res {
    // SAFETY: see the function's contract.
    unsafe {
        let block = forwarded_block(frame);
        let proc = ec.block_to_proc(block)?;
        if (*frame).block == block.0 {
            (*frame).block = proc.bits();
        }
        Ok(proc)
    }
}

/// `break`: `Ok(Some)`: it returned to native code; `Ok(None)`: it returned to a Ruby frame (a lambda's break).
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved.
unsafe fn break_from(ec: &mut Ec, frame: *mut Frame, v: Value) -> Res<Option<Value>> {
    // SAFETY: see the function's contract; a stack parent is active while its block's frame is.
    unsafe {
        if (*frame).has(frame::LAMBDA) {
            return return_from(ec, frame, v);
        }
        let code = (*frame).iseq;
        let creator = match Block((*frame).around()).frame() {
            Some(creator) => Some(creator),
            None => Env::from_value(Value::from_bits((*frame).around()))
                .and_then(|env| env.frame_on(ec))
                .filter(|&creator| (*creator).block_code == code),
        };
        match creator {
            Some(creator) => Err(ec.unwind_with(Pending::Break(creator, v))),
            None => Err(ec.local_jump_error("break from proc-closure", "break", v)),
        }
    }
}

/// `return` out of a block, or past ensure clauses.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved.
unsafe fn return_far(ec: &mut Ec, frame: *mut Frame, v: Value) -> Raised {
    // SAFETY: see the function's contract.
    match unsafe { return_target(ec, frame) } {
        Some(target) => ec.unwind_with(Pending::Return(target, v)),
        None => ec.local_jump_error("unexpected return", "return", v),
    }
}

unsafe fn return_target(ec: &Ec, mut frame: *mut Frame) -> Option<*mut Frame> {
    // SAFETY: `frame` is active, and so are creators on the stack and frames an Env names on this Ec.
    unsafe {
        loop {
            // From `class << self` the method around returns.
            while (*frame).has(frame::CLASS) && Class::from_value((*frame).self_val).is_some_and(|c| c.is_singleton()) {
                frame = (*frame).prev;
            }
            if (*frame).has(frame::LAMBDA) || !(*frame).has(frame::BLOCK | frame::EVAL) {
                return Some(frame).filter(|_| !(*frame).has(frame::CLASS));
            }
            match Block((*frame).around()).frame() {
                Some(outer) => frame = outer,
                None => {
                    let mut env = Env::from_value(Value::from_bits((*frame).around()))?;
                    loop {
                        if let Some(active) = env.frame_on(ec) {
                            frame = active;
                            break;
                        }
                        let iseq = Iseq::from_value(env.iseq())?;
                        let code = &(&*iseq).code;
                        if code.lambda || env.was_lambda() || !matches!(code.kind, CodeKind::Block | CodeKind::Eval) {
                            return None;
                        }
                        env = Env::from_value(env.parent())?;
                    }
                }
            }
        }
    }
}

/// Pushes the frame of a Proc of Ruby code for arguments that it takes as they are, or all in an Array. `false`: nothing was done.
///
/// # Errors
/// NoMemoryError.
///
/// # Safety
/// The current frame is a Ruby frame with its pc saved, which the Proc lies in.
#[inline(always)]
pub(super) unsafe fn push_plain_block(ec: &mut Ec, proc: Value, argv: &[Value], st: u64) -> Res<bool> {
    // SAFETY: the caller's contract.
    unsafe { push_given_block(ec, proc, argv.len(), |i| argv[i], |ec| ec.array(argv), st) }
}

/// The same for the elements of an Array, if they are nothing but that: a Hash at its end may stand for keywords.
///
/// # Errors
/// NoMemoryError.
///
/// # Safety
/// As `push_plain_block`; the Array lies in the frame as well.
pub(crate) unsafe fn push_listed_block(ec: &mut Ec, proc: Value, list: Value, st: u64) -> Res<bool> {
    if !list.is_type(Type::Array) {
        return Ok(false);
    }
    let count = array::len(list);
    let at = |i: usize| array::at(list, i).unwrap_or(Value::NIL);
    if count > 0 && at(count - 1).is_type(Type::Hash) {
        return Ok(false);
    }
    let copy = |ec: &mut Ec| {
        let copy = array::snapshot(ec, list);
        ec.check(list, copy)
    };
    // SAFETY: the caller's contract.
    unsafe { push_given_block(ec, proc, count, at, copy, st) }
}

/// See `push_plain_block`: `given` arguments, of which `arg` gives each, and `all` an Array.
///
/// # Errors
/// What `all` raises: NoMemoryError.
///
/// # Safety
/// As `push_plain_block`.
#[inline(always)]
unsafe fn push_given_block(
    ec: &mut Ec,
    proc: Value,
    given: usize,
    arg: impl Fn(usize) -> Value,
    all: impl FnOnce(&mut Ec) -> Res,
    st: u64,
) -> Res<bool> {
    // SAFETY: the current frame is active, the Proc, which lies in it, keeps its code alive, and there is room for the new
    // frame up to `stack_end`.
    unsafe {
        let Some(proc) = Proc::from_value(proc).filter(|proc| proc.flags() & !LAMBDA == 0) else { return Ok(false) };
        let Some(iseq) = proc.iseq() else { return Ok(false) };
        let (params, registers) = ((*iseq).simple as usize, (*iseq).registers as usize);
        let in_array = (*iseq).takes_array();
        let as_given = match proc.is_lambda() {
            true => given == params,
            false => given != 1 || !(&*iseq).code.params.auto_splat,
        };
        if !in_array && ((*iseq).simple == u32::MAX || !as_given) {
            return Ok(false);
        }
        let frame = ec.fiber.frame;
        let new: *mut Frame = Frame::regs(frame).add((*(*frame).iseq).registers as usize).cast();
        if new.cast::<u64>().wrapping_add(HEADER_WORDS + registers) > ec.fiber.stack_end {
            return Ok(false);
        }
        let rest = if in_array { Some(all(ec)?) } else { None };
        let lambda = if proc.is_lambda() { frame::LAMBDA } else { 0 };
        new.write(proc.frame(frame, iseq, st | frame::BLOCK | lambda));
        let new_regs = Frame::regs(new);
        let given = match rest {
            Some(rest) => {
                *new_regs = rest;
                1
            }
            None => {
                let given = given.min(params);
                for i in 0..given {
                    *new_regs.add(i) = arg(i);
                }
                given
            }
        };
        for i in given..registers {
            *new_regs.add(i) = Value::NIL;
        }
        ec.fiber.enter_frame(new);
    }
    Ok(true)
}

/// Pushes the frame of `creator`'s literal block for one value, if that is an Array and the block has required parameters
/// only, which take its elements. `false`: nothing was done.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved, and `creator` is active, its call with the block under way.
#[inline(always)]
unsafe fn push_spread(ec: &mut Ec, frame: *mut Frame, creator: *mut Frame, value: Value, dst: u16) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let callee: &Iseq = &*(*creator).block_code;
        if !callee.spreads || !value.is_type(Type::Array) {
            return false;
        }
        let new = (&*(*frame).iseq).above(frame);
        let end = callee.above(new);
        if end.cast() > ec.fiber.stack_end {
            return false;
        }
        new.write(Frame::of_block(frame, callee, creator, dst));
        Frame::fill(new, Frame::regs(frame), 0, 0, end);
        for i in 0..callee.simple as usize {
            *Frame::regs(new).add(i) = array::at(value, i).unwrap_or(Value::NIL);
        }
        ec.fiber.enter_frame(new);
    }
    true
}

/// `yield` off the fast path.
///
/// # Errors
/// What the block raises; LocalJumpError.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved; the operands are those of the instruction.
#[inline(never)]
pub(crate) unsafe fn send_yield(
    ec: &mut Ec,
    frame: *mut Frame,
    base: usize,
    site_index: usize,
    dst: u16,
) -> Res<Invoked> {
    // SAFETY: the caller's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let site = &iseq.code.call_sites[site_index];
        let block = Block((*frame).block);
        if site.argc == 1
            && is_plain(site)
            && let Some(creator) = block.frame()
            && push_spread(ec, frame, creator, *Frame::regs(frame).add(base + 1), dst)
        {
            return Ok(Invoked::Pushed);
        }
        if is_plain(site)
            && let Some(v) = block.value()
        {
            let argv = std::slice::from_raw_parts(Frame::regs(frame).add(base + 1), usize::from(site.argc));
            let st = state(dst, Cont::Store, 0);
            if push_plain_block(ec, v, argv, st)? {
                return Ok(Invoked::Pushed);
            }
            if let (Some(name), &[recv]) = (v.as_sym(), argv) {
                return ec.call_symbol(frame, recv, name, st);
            }
            if let Some(proc) = Proc::from_value(v)
                && proc.flags() & HANDS_OVER != 0
            {
                return ec.hand_over(proc, &CallArgs::written(argv), st, Value::NIL);
            }
        }
        with_args(ec, frame, site, base, |ec, args| ec.invoke_block(block, args, state(dst, Cont::Store, 0)))
    }
}

/// The block that `&blk` of this frame's own parameter stands for.
///
/// # Safety
/// `frame` is an active Ruby frame.
unsafe fn forwarded_block(frame: *mut Frame) -> Block {
    // SAFETY: see the function's contract; a block's own block parameter was bound into its slot.
    unsafe {
        let params = &(&*(*frame).iseq).code.params;
        if (*frame).has(frame::BLOCK) && params.block {
            let slot = params.slots() - 1;
            let v = match (*frame).env() {
                Some(env) => env.slot(slot).load(Ordering::Acquire),
                None => *Frame::regs(frame).add(slot),
            };
            return Block::of_value(v);
        }
        Block((*frame).block)
    }
}
