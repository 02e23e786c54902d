//! Calls from bytecode: arguments from registers, inline caches, the cases off the fast path.

use std::sync::atomic::Ordering;

use asterism_compiler::code::{CallSite, flags};
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, hash, ivars};
use asterism_symbol::sym;

use super::new::{self, new_object};
use super::slots;
use crate::args::{CallArgs, Keywords};
use crate::block::{Block, HANDS_OVER, Proc};

use crate::cache::{Entry, Fast, InlineCache, Site};
use crate::call::{CallKind, Invoked};
use crate::ec::{Ec, Res};
use crate::fiber::walk::{self, Step};
use crate::frame::{self, Cont, Frame, HEADER_WORDS, state};
use crate::iseq::Iseq;
use crate::method::{Body, Found, Method};
use crate::native::{Args, NativeDef, Special, Switch};
use crate::refine;

/// The literal, passed or forwarded block of a call in `frame`.
///
/// # Safety
/// `frame` is the current Ruby frame; `after` is the register behind the arguments.
#[inline]
pub unsafe fn block_of(ec: &mut Ec, frame: *mut Frame, site: &CallSite, after: usize) -> Res<Block> {
    // SAFETY: see the function's contract.
    unsafe {
        if let Some(child) = site.block {
            let iseq = &*(*frame).iseq;
            (*frame).block_code = iseq.child(ec, usize::from(child))?;
            return Ok(Block::of_frame(frame));
        }
        if site.flags & flags::BLOCK_ARG != 0 {
            let v = *Frame::regs(frame).add(after);
            if let Some(cref) = refine::refined((*frame).cref) {
                return ec.block_argument_refined(v, cref);
            }
            return ec.block_argument(v);
        }
        if site.flags & flags::BLOCK_FORWARD != 0 {
            // In a block only `super` forwards, and that passes the home method's block.
            return Ok(Block((*frame).block));
        }
        Ok(Block::NONE)
    }
}

/// The code of the literal block at call site `site` of `iseq`.
///
/// # Errors
/// As `Iseq::child`.
#[inline(always)]
pub fn literal_block(ec: &mut Ec, iseq: &Iseq, site: usize) -> Res<*const Iseq> {
    let child = iseq.code.call_sites[site].block.unwrap_or_default();
    iseq.child(ec, usize::from(child))
}

/// The block that `&blk` of this frame's own parameter stands for.
///
/// # Safety
/// `frame` is an active Ruby frame.
pub unsafe fn forwarded_block(frame: *mut Frame) -> Block {
    // SAFETY: see the function's contract; a block's own block parameter was bound into its slot.
    unsafe {
        let params = &(&*(*frame).iseq).code.params;
        if (*frame).has(frame::BLOCK) && params.block {
            let slot = params.slots() - 1;
            let v = if (*frame).env.is_nil() {
                *Frame::regs(frame).add(slot)
            } else {
                crate::block::Env((*frame).env).slot(slot).load(Ordering::Acquire)
            };
            return Block::of_value(v);
        }
        Block((*frame).block)
    }
}

/// Collects the arguments of a call and hands them to `body`.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved; `base` is the call's base register.
#[inline]
pub unsafe fn with_args<R>(
    ec: &mut Ec,
    frame: *mut Frame,
    site: &CallSite,
    base: usize,
    body: impl FnOnce(&mut Ec, CallArgs<'_>) -> Res<R>,
) -> Res<R> {
    // SAFETY: see the function's contract; the registers of a call area are below `registers` (checked by the
    // compiler's verifier), and nobody changes them while the call is under way.
    unsafe {
        let regs = Frame::regs(frame);
        let argc = usize::from(site.argc);
        let first = regs.add(base + 1);
        let mut after = base + 1 + argc;
        let mut keywords = if site.flags & flags::SPLAT == 0 { Keywords::Never } else { Keywords::None };
        if !site.keywords.is_empty() {
            keywords =
                Keywords::Named(&site.keywords, std::slice::from_raw_parts(regs.add(after), site.keywords.len()));
            after += site.keywords.len();
        } else if site.flags & flags::KW_SPLAT != 0 {
            let v = *regs.add(after);
            if !v.is_nil() {
                let h = ec.to_hash(v)?;
                *regs.add(after) = h;
                keywords = Keywords::Hash(h);
            }
            after += 1;
        }
        let block = block_of(ec, frame, site, after)?;
        let argv = if site.flags & flags::SPLAT != 0 {
            let splat = *first;
            let argv = array::private_slice(splat);
            // ruby2_keywords: a flagged Hash at the end stands for keyword arguments.
            if keywords.is_empty()
                && let Some((&last, rest)) = argv.split_last()
                && last.is_type(Type::Hash)
                && hash::is_kw(last)
            {
                keywords = Keywords::Hash(last);
                rest
            } else {
                argv
            }
        } else {
            std::slice::from_raw_parts(first, argc)
        };
        body(ec, CallArgs { argv, keywords, block })
    }
}

/// How the call site's visibility rules are.
#[inline]
pub fn kind_of(site: &CallSite) -> CallKind {
    if site.flags & flags::VCALL != 0 {
        CallKind::Variable
    } else if site.flags & flags::FCALL != 0 {
        CallKind::Private
    } else {
        CallKind::Public
    }
}

/// Only positional arguments in registers, exactly as written.
fn is_plain(site: &CallSite) -> bool {
    site.flags & (flags::SPLAT | flags::KW_SPLAT | flags::BLOCK_ARG | flags::BLOCK_FORWARD) == 0
        && site.keywords.is_empty()
}

/// What a site may remember of a method it found.
pub fn entry_for(ec: &mut Ec, recv: Value, serial: u64, found: &Found, site: &CallSite) -> Entry {
    let (fast, target) = match found.method.body() {
        Body::Ruby(iseq) => {
            // SAFETY: the method keeps its code alive.
            let simple = unsafe { (*iseq).simple };
            let exact = is_plain(site) && simple == u32::from(site.argc);
            // SAFETY: as above.
            let code = unsafe { &(*iseq).code };
            let own = if is_plain(site) && site.block.is_none() { walk::part_of(code) } else { None };
            match own {
                Some(fast) if exact || fast == Fast::Give => (fast, iseq as u64),
                _ if exact && site.block.is_some() => (Fast::RubyBlock, iseq as u64),
                _ if exact => (Fast::Ruby, iseq as u64),
                _ => (Fast::General, 0),
            }
        }
        Body::Native(def) => {
            let target = std::ptr::from_ref(def) as u64;
            match def.special {
                Special::New if is_plain(site) => {
                    let block = site.argc == 0 && site.block.is_some();
                    match ec.plain_fibers(recv).filter(|_| block) {
                        Some(serial) => (Fast::NewFiber, serial),
                        None => return new::entry(ec, recv, serial, found, site),
                    }
                }
                Special::ProcCall if is_plain(site) && site.block.is_none() => (Fast::ProcCall, target),
                Special::Switch(kind) if is_plain(site) && site.block.is_none() => {
                    let argc = u64::from(site.argc);
                    match kind {
                        Switch::Resume if argc <= 1 => (Fast::Resume, argc),
                        Switch::Yield if argc <= 1 => (Fast::FiberYield, argc),
                        _ => (Fast::Switch, argc | (kind as u64) << 32),
                    }
                }
                Special::Switch(_) | Special::ProcCall | Special::Send => (Fast::General, 0),
                _ if is_plain(site) && def.accepts(usize::from(site.argc)) => {
                    if def.leaf && site.block.is_none() {
                        (Fast::Leaf, target)
                    } else {
                        (Fast::Native, target)
                    }
                }
                _ => (Fast::General, 0),
            }
        }
        Body::AttrReader(name) if is_plain(site) && site.argc == 0 => (Fast::Reader, u64::from(name.0)),
        Body::AttrWriter(name) if is_plain(site) && site.argc == 1 => (Fast::Writer, u64::from(name.0)),
        _ => (Fast::General, 0),
    };
    Entry { serial, method: found.method, defined_class: found.defined_class, fast, target }
}

/// A call whose first cache entry did not match or that has no fast path.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved; `base` is the call's base register.
#[inline(never)]
pub unsafe fn send(
    ec: &mut Ec,
    frame: *mut Frame,
    recv: Value,
    base: usize,
    site_index: usize,
    st: u64,
) -> Res<Invoked> {
    // SAFETY: see the function's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let site = &iseq.code.call_sites[site_index];
        let cache = &iseq.call_caches[site_index];
        let class = ec.class_of(recv);
        let kind = kind_of(site);
        let serial = class.serial();
        let cached = InlineCache::at(cache);
        let entry = match cached.and_then(|c| c.find(serial)).filter(|_| serial != 0) {
            Some(entry) => entry,
            None => {
                let (serial, found) = ec.find_method_in_frame(frame, class, site.name);
                let Some(found) = found.filter(|f| ec.may_call(recv, f, kind)) else {
                    let hidden = found.map(|f| f.visibility);
                    return with_args(ec, frame, site, base, |ec, args| {
                        ec.invoke_missing(recv, site.name, args, kind, hidden, st)
                    });
                };
                found.method.prepare(ec)?;
                let entry = entry_for(ec, recv, serial, &found, site);
                if found.visibility != crate::method::Visibility::Protected {
                    InlineCache::publish(ec, cache, entry)?;
                }
                if site.block.is_some() && warns_of_blocks(ec) {
                    warn_unused_block(ec, &found)?;
                }
                entry
            }
        };
        invoke_entry(ec, frame, recv, base, site, entry, st)
    }
}

fn warns_of_blocks(ec: &Ec) -> bool {
    ec.vm().verbose.load(Ordering::Relaxed) > 1 || ec.vm().strict_unused_block.load(Ordering::Relaxed)
}

/// A call that passes a literal block was looked up: warns if the method certainly does nothing with one. Once a
/// method, or with `Warning[:strict_unused_block]` once a call site, which is looked up once.
#[cold]
fn warn_unused_block(ec: &mut Ec, found: &crate::method::Found) -> Res<()> {
    let Body::Ruby(iseq) = found.method.body() else { return Ok(()) };
    // SAFETY: the method keeps its code alive.
    let iseq = unsafe { &*iseq };
    let code = &iseq.code;
    if code.uses_block || code.params.block || code.internal || ec.vm().verbose.load(Ordering::Relaxed) == 0 {
        return Ok(());
    }
    let before = iseq.warned_of_block.swap(true, Ordering::Relaxed);
    if before && !ec.vm().strict_unused_block.load(Ordering::Relaxed) {
        return Ok(());
    }
    let name = crate::backtrace::qualified_name(ec, found.method);
    let name = name.unwrap_or_else(|| found.method.name().text().into_owned());
    let place = format!("{}:{}", code.file, code.line);
    crate::load::warn(ec, &format!("the block passed to '{name}' defined at {place} may be ignored"))
}

/// `Fiber#resume`, as the first cache entry says, of at most one value. `args`: the registers of the arguments.
///
/// # Errors
/// FiberError; what is raised in the fiber that goes on.
///
/// # Safety
/// As `send`.
#[inline(never)]
pub unsafe fn resume(ec: &mut Ec, recv: Value, args: *const Value, cache: InlineCache, dst: u16) -> Res<()> {
    // SAFETY: see `send`; the target is how many arguments there are.
    unsafe {
        let one = if cache.first_target() == 0 { Value::NIL } else { *args };
        if ec.resume_quickly(recv, one, dst, cache.first_method().0) {
            return Ok(());
        }
        switch(ec, recv, args, cache, dst)
    }
}

/// `Fiber.yield`, as the first cache entry says, of at most one value. `args`: the registers of the arguments.
///
/// # Errors
/// FiberError; what is raised in the fiber that goes on.
///
/// # Safety
/// As `send`.
#[inline(never)]
pub unsafe fn fiber_yield(ec: &mut Ec, recv: Value, args: *const Value, cache: InlineCache, dst: u16) -> Res<()> {
    // SAFETY: see `resume`.
    unsafe {
        let one = if cache.first_target() == 0 { Value::NIL } else { *args };
        if ec.yield_quickly(one, dst, cache.first_method().0) {
            return Ok(());
        }
        switch(ec, recv, args, cache, dst)
    }
}

/// A call that the first cache entry says to be a switch of fibers, with all checks. `args`: the registers of the arguments.
///
/// # Errors
/// FiberError; what is raised in the fiber that goes on.
///
/// # Safety
/// As `send`.
#[inline(never)]
pub unsafe fn switch(ec: &mut Ec, recv: Value, args: *const Value, cache: InlineCache, dst: u16) -> Res<()> {
    let target = cache.first_target();
    let kind = match cache.first_fast() {
        Fast::Resume => Switch::Resume,
        Fast::FiberYield => Switch::Yield,
        _ if target >> 32 == Switch::Resume as u64 => Switch::Resume,
        _ if target >> 32 == Switch::Yield as u64 => Switch::Yield,
        _ => Switch::Transfer,
    };
    // SAFETY: see `send`; the target says how many arguments there are.
    unsafe {
        let argv = std::slice::from_raw_parts(args, target as u32 as usize);
        // What is shown of this call while the fiber is suspended.
        ec.leaf = cache.first_method().0;
        let switched = ec.switch_fiber(kind, recv, argv, dst);
        ec.leaf = Value::NULL;
        switched
    }
}

/// `Enumerator#next` or `peek`, as the first cache entry says: takes the next value at once, or calls the method.
///
/// # Errors
/// What it raises.
///
/// # Safety
/// As `send`.
#[inline(never)]
pub unsafe fn step(
    ec: &mut Ec,
    frame: *mut Frame,
    recv: Value,
    site: usize,
    cache: InlineCache,
    fast: Fast,
    dst: u16,
) -> Res<()> {
    // SAFETY: see `send`; the target is the method's code, which is alive as the method in the cache is, and has read the
    // instance variable of the walk first.
    unsafe {
        let callee = &*(cache.first_target() as *const Iseq);
        let name = callee.code.ivar_sites[0].name;
        let walk = slots::read_attr(ec, &*(*frame).iseq, site, recv, name);
        match walk::step(ec, walk, fast == Fast::Peek, dst, cache.first_method().0)? {
            Step::Value(v) => *Frame::regs(frame).add(usize::from(dst)) = v,
            Step::Switched => {}
            Step::Later => {
                let st = state(dst, Cont::Store, 0);
                if let Invoked::Done(v) = ec.invoke(recv, cache.first_method(), CallArgs::plain(&[]), st)? {
                    *Frame::regs(frame).add(usize::from(dst)) = v;
                }
            }
        }
        Ok(())
    }
}

/// `Fiber.new` with a literal block and nothing else, at a site whose entry names the class's serial then: makes the fiber at
/// once, unless `initialize` is not the core's any more.
///
/// # Errors
/// NoMemoryError; what `initialize` raises.
///
/// # Safety
/// As `send`.
#[inline(never)]
pub unsafe fn new_fiber(
    ec: &mut Ec,
    frame: *mut Frame,
    class: Value,
    site: usize,
    cache: InlineCache,
    dst: u16,
) -> Res<()> {
    // SAFETY: see the function's contract.
    unsafe {
        let iseq = &*(*frame).iseq;
        let site = &iseq.code.call_sites[site];
        let made = match site.block {
            Some(child) if Class(class).serial() == cache.first_target() || ec.plain_fibers(class).is_some() => {
                let block = iseq.child(ec, usize::from(child))?;
                let body = ec.make_proc(frame, block, false)?;
                ec.new_fiber(body)?
            }
            // There are no arguments but the block.
            _ => {
                let block = block_of(ec, frame, site, 0)?;
                let args = CallArgs { argv: &[], keywords: Keywords::Never, block };
                match new_object(ec, Class(class), args, state(dst, Cont::Store, 0))? {
                    Invoked::Done(made) => made,
                    Invoked::Pushed => return Ok(()),
                }
            }
        };
        *Frame::regs(frame).add(usize::from(dst)) = made;
        Ok(())
    }
}

impl Ec {
    /// The serial of the class Fiber, if `class` is that, and its `initialize` the core's as of that serial.
    fn plain_fibers(&mut self, class: Value) -> Option<u64> {
        if class != self.class(WellKnown::Fiber) {
            return None;
        }
        let (serial, found) = self.find_method(Class(class), sym::initialize);
        matches!(found?.method.body(), Body::Native(def) if def.special == Special::FiberInitialize).then_some(serial)
    }
}

/// Invokes what a cache entry says.
///
/// # Safety
/// As `send`.
pub unsafe fn invoke_entry(
    ec: &mut Ec,
    frame: *mut Frame,
    recv: Value,
    base: usize,
    site: &CallSite,
    entry: Entry,
    st: u64,
) -> Res<Invoked> {
    // SAFETY: see `send`; targets were made from what the entry's kind says.
    unsafe {
        let regs = Frame::regs(frame);
        let argc = usize::from(site.argc);
        match entry.fast {
            Fast::Leaf => {
                let def = &*(entry.target as *const NativeDef);
                let args = Args::new(std::slice::from_raw_parts(regs.add(base + 1), argc));
                ec.leaf = entry.method.0;
                let result = (def.func)(ec, recv, args);
                ec.leaf = Value::NULL;
                result.map(Invoked::Done)
            }
            Fast::Native => {
                let def = &*(entry.target as *const NativeDef);
                let block = block_of(ec, frame, site, base + 1 + argc)?;
                let args = Args::with(std::slice::from_raw_parts(regs.add(base + 1), argc), block, false);
                let result = ec.call_native_framed(def, entry.method, recv, args);
                (*frame).block_code = std::ptr::null();
                result.map(Invoked::Done)
            }
            Fast::Reader => {
                let name = asterism_object::Sym(entry.target as u32);
                Ok(Invoked::Done(ivars::get(ec, recv, name).unwrap_or(Value::NIL)))
            }
            Fast::Writer => {
                let name = asterism_object::Sym(entry.target as u32);
                let value = *regs.add(base + 1);
                ec.ivar_put(recv, name, value)?;
                Ok(Invoked::Done(value))
            }
            Fast::New | Fast::NewObject | Fast::NewFiber => {
                with_args(ec, frame, site, base, |ec, args| new_object(ec, Class(recv), args, st))
            }
            Fast::ProcCall => {
                let args = CallArgs::written(std::slice::from_raw_parts(regs.add(base + 1), argc));
                if push_plain_block(ec, recv, args.argv, st) {
                    return Ok(Invoked::Pushed);
                }
                ec.invoke_block(Block::of_value(recv), args, st)
            }
            Fast::Resume | Fast::FiberYield | Fast::Switch => {
                let argv = std::slice::from_raw_parts(regs.add(base + 1), argc);
                ec.invoke(recv, entry.method, CallArgs::written(argv), st)
            }
            Fast::Give => {
                let site_index = std::ptr::from_ref(site).offset_from((&*(*frame).iseq).code.call_sites.as_ptr());
                let argv = std::slice::from_raw_parts(regs.add(base + 1), argc);
                give(ec, frame, recv, site_index as usize, entry, argv, st)
            }
            Fast::Ruby | Fast::RubyBlock | Fast::General | Fast::Next | Fast::Peek => {
                with_args(ec, frame, site, base, |ec, args| {
                    let block = args.block;
                    let invoked = ec.invoke(recv, entry.method, args, st);
                    if let Ok(Invoked::Done(_)) = invoked
                        && block.frame() == Some(frame)
                    {
                        (*frame).block_code = std::ptr::null();
                    }
                    invoked
                })
            }
        }
    }
}

/// Pushes the frame of a Proc that is a plain block and takes the values as they are. `false`: nothing was done.
///
/// # Safety
/// The current frame is a Ruby frame with its pc saved, and `argv` lies on its stack.
#[inline(always)]
unsafe fn push_plain_block(ec: &mut Ec, proc: Value, argv: &[Value], st: u64) -> bool {
    // SAFETY: the current frame is active, the Proc, which lies in it, keeps its code alive, and there is room for the new
    // frame up to `stack_end`.
    unsafe {
        let Some(proc) = Proc::from_value(proc).filter(|proc| proc.flags() == 0) else { return false };
        let Some(iseq) = proc.iseq() else { return false };
        let (params, registers) = ((*iseq).simple as usize, (*iseq).registers as usize);
        if (*iseq).simple == u32::MAX || (argv.len() == 1 && (&*iseq).code.params.auto_splat) {
            return false;
        }
        let frame = ec.frame;
        let new: *mut Frame = Frame::regs(frame).add((*(*frame).iseq).registers as usize).cast();
        if new.cast::<u64>().wrapping_add(HEADER_WORDS + registers) > ec.stack_end {
            return false;
        }
        new.write(proc.frame(frame, iseq, st | frame::BLOCK));
        let new_regs = Frame::regs(new);
        let given = argv.len().min(params);
        for (i, v) in argv[..given].iter().enumerate() {
            *new_regs.add(i) = *v;
        }
        for i in given..registers {
            *new_regs.add(i) = Value::NIL;
        }
        ec.frame = new;
    }
    true
}

/// Pushes the frame of `creator`'s literal block for one value, if that is an Array and the block has required parameters
/// only, which take its elements. `false`: nothing was done.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved, and `creator` is active, its call with the block under way.
#[inline(always)]
unsafe fn push_spread(ec: &mut Ec, frame: *mut Frame, creator: *mut Frame, value: Value, dst: u16) -> bool {
    // SAFETY: see the function's contract.
    unsafe {
        let callee: &Iseq = &*(*creator).block_code;
        if !callee.spreads || !value.is_type(Type::Array) {
            return false;
        }
        let new = (&*(*frame).iseq).above(frame);
        let end = callee.above(new);
        if end.cast() > ec.stack_end {
            return false;
        }
        new.write(Frame::of_block(frame, callee, creator, dst));
        Frame::fill(new, Frame::regs(frame), 0, 0, end);
        for i in 0..callee.simple as usize {
            *Frame::regs(new).add(i) = array::at(value, i).unwrap_or(Value::NIL);
        }
        ec.frame = new;
    }
    true
}

/// `Enumerator::Yielder#yield` or `<<` of these values.
///
/// # Errors
/// What it raises.
///
/// # Safety
/// As `send`; the entry is one with `Fast::Give`.
unsafe fn give(
    ec: &mut Ec,
    frame: *mut Frame,
    recv: Value,
    site: usize,
    entry: Entry,
    argv: &[Value],
    st: u64,
) -> Res<Invoked> {
    // SAFETY: see `send`; the method's code reads the instance variable of the sink first.
    unsafe {
        let callee = &*(entry.target as *const Iseq);
        let name = callee.code.ivar_sites[0].name;
        let sink = slots::read_attr(ec, &*(*frame).iseq, site, recv, name);
        match Proc::from_value(sink) {
            Some(proc) if proc.flags() & HANDS_OVER != 0 => {
                // `<<` returns the receiver.
                let answer = if callee.simple == 1 { recv } else { Value::NIL };
                ec.hand_over(proc, CallArgs::written(argv), st, answer)
            }
            _ => ec.invoke(recv, entry.method, CallArgs::written(argv), st),
        }
    }
}

/// An operator whose fast path did not apply: calls the method with up to two arguments.
///
/// # Errors
/// What it raises.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved.
#[inline(never)]
pub unsafe fn send_operator(
    ec: &mut Ec,
    frame: *mut Frame,
    site_index: usize,
    recv: Value,
    argv: &[Value],
    st: u64,
) -> Res<Invoked> {
    // SAFETY: see the function's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let site = &iseq.code.call_sites[site_index];
        let cache = &iseq.call_caches[site_index];
        let class = ec.class_of(recv);
        let serial = class.serial();
        if serial != 0
            && let Some(entry) = InlineCache::at(cache).and_then(|c| c.find(serial))
        {
            if entry.fast == Fast::Leaf {
                let def = &*(entry.target as *const NativeDef);
                ec.leaf = entry.method.0;
                let result = (def.func)(ec, recv, Args::new(argv));
                ec.leaf = Value::NULL;
                return result.map(Invoked::Done);
            }
            if entry.fast == Fast::Give {
                return give(ec, frame, recv, site_index, entry, argv, st);
            }
            return ec.invoke(recv, entry.method, CallArgs::written(argv), st);
        }
        let kind = kind_of(site);
        let (serial, found) = ec.find_method_in_frame(frame, class, site.name);
        let Some(found) = found.filter(|f| ec.may_call(recv, f, kind)) else {
            return ec.invoke_missing(recv, site.name, CallArgs::written(argv), kind, found.map(|f| f.visibility), st);
        };
        found.method.prepare(ec)?;
        let mut entry = entry_for(ec, recv, serial, &found, site);
        if !matches!(entry.fast, Fast::Leaf | Fast::Give) {
            entry.fast = Fast::General;
        }
        if found.visibility != crate::method::Visibility::Protected {
            InlineCache::publish(ec, cache, entry)?;
        }
        ec.invoke(recv, found.method, CallArgs::written(argv), st)
    }
}

/// `super`
///
/// # Safety
/// As `send`.
pub unsafe fn send_super(ec: &mut Ec, frame: *mut Frame, base: usize, site_index: usize, dst: u16) -> Res<Invoked> {
    // SAFETY: see `send`.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let site = &iseq.code.call_sites[site_index];
        if site.flags & flags::ZSUPER != 0 && in_bmethod(frame) {
            return Err(ec.raise(
                crate::error::Exc::RuntimeError,
                "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.",
            ));
        }
        let recv = (*frame).self_val;
        let (name, found) = super_at(ec, frame, &iseq.call_caches[site_index], recv)?;
        let st = state(dst, Cont::Store, 0);
        with_args(ec, frame, site, base, |ec, mut args| {
            // Without a block of its own, super passes the method's.
            if args.block.is_none() && site.flags & flags::BLOCK_ARG == 0 {
                args.block = Block((*frame).block);
            }
            let invoked = match found {
                Some(method) => ec.invoke(recv, method, args, st),
                None => ec.invoke_missing(recv, name, args, CallKind::Super, None, st),
            };
            if let Ok(Invoked::Done(_)) = invoked {
                (*frame).block_code = std::ptr::null();
            }
            invoked
        })
    }
}

/// What `super` calls from `frame`. The site remembers it by the receiver's class and the method that calls: that one
/// lies in the word for the defined class.
///
/// # Safety
/// `frame` is the current Ruby frame.
unsafe fn super_at(
    ec: &mut Ec,
    frame: *mut Frame,
    cache: &Site,
    recv: Value,
) -> Res<(asterism_object::Sym, Option<Method>)> {
    // SAFETY: see the function's contract.
    let current = unsafe { (*frame).method };
    let class = ec.class_of(recv);
    let serial = class.serial();
    if serial != 0
        && let Some(entry) = InlineCache::at(cache).and_then(|c| c.find(serial))
        && entry.defined_class.0 == current
    {
        return Ok((sym::EMPTY, Some(entry.method)));
    }
    let vm = ec.vm();
    let serial = class.ensure_serial(|| vm.next_serial());
    let (name, found) = ec.super_method(frame)?;
    let method = found.map(|f| f.method);
    if let Some(method) = method {
        let defined_class = Class(current);
        InlineCache::publish(ec, cache, Entry { serial, method, defined_class, fast: Fast::General, target: 0 })?;
    }
    Ok((name, method))
}

unsafe fn in_bmethod(mut frame: *mut Frame) -> bool {
    // SAFETY: `frame` and the creators it names are active.
    unsafe {
        loop {
            if (*frame).has(frame::BMETHOD) {
                return true;
            }
            match Block((*frame).parent).frame() {
                Some(outer) if (*frame).has(frame::BLOCK) => frame = outer,
                _ => return false,
            }
        }
    }
}

/// `yield` off the fast path.
///
/// # Safety
/// As `send`.
pub unsafe fn send_yield(ec: &mut Ec, frame: *mut Frame, base: usize, site_index: usize, dst: u16) -> Res<Invoked> {
    // SAFETY: see `send`.
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
            if push_plain_block(ec, v, argv, st) {
                return Ok(Invoked::Pushed);
            }
            if let Some(proc) = Proc::from_value(v)
                && proc.flags() & HANDS_OVER != 0
            {
                return ec.hand_over(proc, CallArgs::written(argv), st, Value::NIL);
            }
        }
        with_args(ec, frame, site, base, |ec, args| ec.invoke_block(block, args, state(dst, Cont::Store, 0)))
    }
}
