//! What compiled code calls. A helper that can raise, or run Ruby code, says in what it returns whether compiled code has to be
//! left. A panic, which unwinds the machine stack of an abandoned fiber, is caught here and goes on where compiled code was entered.
//!
//! All of them are given the running thread's `Ec`, and have the same contract: the frame is the current one, of verified code
//! whose registers in memory are those that the instruction reads; `pc` is where the instruction begins.

use std::panic::{AssertUnwindSafe, catch_unwind};

use asterism_compiler::code::flags;
use asterism_compiler::opcode::Op;
use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Value, array, ivars, string};
use asterism_symbol::sym;

use super::{LEFT, UNKNOWN, heat, layout};
use crate::basic_ops::BasicOp;
use crate::block::Block;
use crate::cache::{Entry, InlineCache};
use crate::const_cache;
use crate::ec::{Ec, Raised, Res};
use crate::frame::Frame;
use crate::interp::calls::args::block_of;
use crate::interp::calls::new_struct as new_struct_of;
use crate::interp::handler::End;
use crate::interp::{self, quick, scope, slots};
use crate::iseq::Iseq;
use crate::method::Method;
use crate::native::{Arguments, NativeDef};
use crate::ractor;
use crate::refine::refined;

/// Says that compiled code is left because of that, and gives `value`.
#[cold]
pub(super) fn leave_raised(ec: &mut Ec, raised: Raised) -> u64 {
    ec.worker.jit.left = End::raised(raised);
    LEFT
}

/// Runs `body` and says what became of it; `LEFT` if compiled code has to be left.
#[inline(always)]
pub(super) fn guarded(ec: &mut Ec, body: impl FnOnce(&mut Ec) -> u64) -> u64 {
    match catch_unwind(AssertUnwindSafe(|| body(ec))) {
        Ok(value) => value,
        Err(payload) => {
            ec.worker.jit.panic = Some(payload);
            LEFT
        }
    }
}

/// `guarded` of what gives a value or raises.
#[inline(always)]
pub(super) fn valued(ec: &mut Ec, body: impl FnOnce(&mut Ec) -> Res) -> u64 {
    guarded(ec, |ec| match body(ec) {
        Ok(v) => v.bits(),
        Err(raised) => leave_raised(ec, raised),
    })
}

/// Has compiled code to be left, because the gate was closed or is open for code of the other kind, or because another fiber ran since
/// `switches`?
#[inline(always)]
pub(super) fn is_over(ec: &Ec, switches: u64) -> bool {
    is_over_since(ec, switches, ec.worker.jit.entered)
}

/// The same of compiled code that was `entered` then.
#[inline(always)]
pub(super) fn is_over_since(ec: &Ec, switches: u64, entered: u64) -> bool {
    let gate = &ec.vm().gate;
    ec.worker.jit.switches != switches || !gate.is_open() || gate.epoch() != entered || ec.worker.jit.profile != 0
}

/// `value`, if compiled code goes on. Else the frame goes on behind its instruction in the interpreter, with the value in its
/// register `dst`.
///
/// # Safety
/// As the module says, with the pc saved; `switches` is `OfEc::switches` before the instruction.
#[inline(always)]
pub(super) unsafe fn go_on(ec: &mut Ec, frame: *mut Frame, dst: usize, value: Value, switches: u64) -> u64 {
    if !is_over(ec, switches) {
        return value.bits();
    }
    // SAFETY: the caller's contract.
    unsafe { *Frame::regs(frame).add(dst) = value };
    ec.worker.jit.left = End::Again;
    LEFT
}

/// Leaves compiled code at the instruction at `pc`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn leave(ec: *mut Ec, frame: *mut Frame, pc: *const u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        (*frame).pc = pc;
        (*ec).fiber.frame = frame;
        (*ec).worker.jit.left = End::Again;
        heat::perhaps_throw_away(&mut *ec, heat::root(frame));
    }
    LEFT
}

/// As `leave`, because an operand was not of the kind that the code was compiled for.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn leave_unexpected(ec: *mut Ec, frame: *mut Frame, pc: *const u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        heat::unexpected(&mut *ec, frame, iseq.at(pc), heat::root(frame));
        leave(ec, frame, pc)
    }
}

/// As `leave`, because a value was not of the kind that the code ahead was compiled for.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn leave_ahead(ec: *mut Ec, frame: *mut Frame, pc: *const u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        heat::unexpected_ahead(&mut *ec, frame, iseq.at(pc), heat::root(frame));
        leave(ec, frame, pc)
    }
}

/// A safepoint at a jump to `pc`. 0: compiled code goes on.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn poll(ec: *mut Ec, frame: *mut Frame, pc: *const u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let ec = &mut *ec;
        (*frame).pc = pc;
        let switches = ec.worker.jit.switches;
        guarded(ec, |ec| match interp::poll(ec) {
            Err(raised) => leave_raised(ec, raised),
            Ok(()) if ec.fiber.frame != frame || is_over(ec, switches) => LEFT,
            Ok(()) => 0,
        })
    }
}

/// A Float of that number.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn float(ec: *mut Ec, number: f64) -> u64 {
    // SAFETY: the module's contract.
    valued(unsafe { &mut *ec }, |ec| ec.float(number))
}

/// Calls a native method that needs no frame.
///
/// # Safety
/// As the module says; `argc` arguments lie from `args` on, and the method accepts as many.
pub unsafe extern "C" fn leaf(
    ec: *mut Ec,
    def: *const NativeDef,
    method: u64,
    recv: u64,
    args: *const Value,
    argc: usize,
) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let ec = &mut *ec;
        let switches = ec.worker.jit.switches;
        guarded(ec, |ec| {
            ec.fiber.leaf = Value::from_bits(method);
            let argv = std::slice::from_raw_parts(args, argc);
            let result = ((*def).func)(ec, Value::from_bits(recv), &Arguments::new(argv));
            ec.fiber.leaf = Value::NULL;
            match result {
                Err(raised) => leave_raised(ec, raised),
                Ok(v) if ec.worker.jit.switches == switches => v.bits(),
                Ok(v) => {
                    let frame = ec.fiber.frame;
                    let dst = ((*(*frame).pc.sub(1)) >> 32) as u16;
                    *Frame::regs(frame).add(usize::from(dst)) = v;
                    ec.worker.jit.left = End::Again;
                    LEFT
                }
            }
        })
    }
}

/// Calls a native method that needs its frame, by the call instruction or `super` before the pc, whose site has nothing but positional
/// arguments and perhaps a block; or without any by the `yield` of its receiver to a Symbol.
///
/// # Safety
/// As the module says, with the pc saved; the method accepts the arguments.
pub unsafe extern "C" fn native(ec: *mut Ec, frame: *mut Frame, def: *const NativeDef, method: u64, recv: u64) -> u64 {
    // SAFETY: the caller's contract; a definition is static.
    unsafe {
        let ec = &mut *ec;
        let word = *(*frame).pc.sub(1);
        let (base, dst) = (usize::from((word >> 16) as u16), usize::from((word >> 32) as u16));
        let site = &(&*(*frame).iseq).code.call_sites[(word >> 48) as usize];
        let (method, recv) = (Method(Value::from_bits(method)), Value::from_bits(recv));
        let (op, switches) = (Op::from_u8(word as u8), ec.worker.jit.switches);
        guarded(ec, |ec| {
            let argc = if op == Some(Op::Yield) { 0 } else { usize::from(site.argc) };
            let argv = std::slice::from_raw_parts(Frame::regs(frame).add(base + 1), argc);
            let block = block_of(ec, frame, site, base + 1 + argc);
            let block = block.map(|block| match op {
                // Without a block of its own, super passes the method's.
                Some(Op::Super) if block.is_none() && site.flags & flags::BLOCK_ARG == 0 => Block((*frame).block),
                _ => block,
            });
            let args = block.map(|block| Arguments::with(argv, block, false));
            let result = args.and_then(|args| ec.call_native_framed(&*def, method, recv, &args));
            (*frame).block_code = std::ptr::null();
            match result {
                Err(raised) => leave_raised(ec, raised),
                Ok(v) => go_on(ec, frame, dst, v, switches),
            }
        })
    }
}

/// The primitive that the instruction before the pc names.
///
/// # Safety
/// As the module says, with the pc saved.
pub unsafe extern "C" fn prim(ec: *mut Ec, frame: *mut Frame) -> u64 {
    // SAFETY: the module's contract; the instruction's arguments are registers of the frame.
    unsafe {
        let ec = &mut *ec;
        let word = *(*frame).pc.sub(1);
        let (count, base) = (usize::from((word >> 8) as u8), usize::from((word >> 16) as u16));
        let (dst, name) = (usize::from((word >> 32) as u16), (word >> 48) as usize);
        let iseq: &Iseq = &*(*frame).iseq;
        let Some(prim) = iseq.prims[name] else {
            // The interpreter says so.
            return leave(ec, frame, (*frame).pc.sub(1));
        };
        let switches = ec.worker.jit.switches;
        guarded(ec, |ec| {
            match prim(ec, std::slice::from_raw_parts(Frame::regs(frame).add(base), count)) {
                Err(raised) => leave_raised(ec, raised),
                Ok(v) if ec.fiber.frame == frame => go_on(ec, frame, dst, v, switches),
                // It switched to another fiber, whose frame has its value already.
                Ok(_) => {
                    ec.worker.jit.left = End::Again;
                    LEFT
                }
            }
        })
    }
}

/// A new plain object of `class`.
///
/// # Safety
/// As the module says, with the pc saved; `class` is one whose objects are plain.
pub unsafe extern "C" fn new_object(ec: *mut Ec, class: u64) -> u64 {
    // SAFETY: the module's contract.
    let (ec, class) = unsafe { (&mut *ec, Value::from_bits(class)) };
    valued(ec, |ec| ec.new_object(class))
}

/// An instance of `class`, a Struct, by what an entry of the call site says. `UNKNOWN`: nothing was done.
///
/// # Safety
/// As the module says, with the pc saved; `argc` arguments lie from `args` on, and `target` is the target of an entry for that class.
pub unsafe extern "C" fn new_struct(ec: *mut Ec, class: u64, args: *const Value, argc: usize, target: u64) -> u64 {
    // SAFETY: the caller's contract.
    let (ec, class, values) =
        unsafe { (&mut *ec, Class(Value::from_bits(class)), std::slice::from_raw_parts(args, argc)) };
    guarded(ec, |ec| match new_struct_of(ec, class, values, target) {
        Ok(made) => made.map_or(UNKNOWN, Value::bits),
        Err(raised) => leave_raised(ec, raised),
    })
}

/// Byte `i` of a String that this thread may read at once, or `UNKNOWN`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn get_byte(ec: *mut Ec, v: u64, i: u64) -> u64 {
    // SAFETY: the module's contract.
    let (ec, v, i) = unsafe { (&*ec, Value::from_bits(v), Value::from_bits(i)) };
    let index = i.fixnum_value().and_then(|i| usize::try_from(i).ok());
    match index.filter(|_| v.is_type(Type::String)).and_then(|i| string::own_byte(ec, v, i)) {
        Some(byte) => Value::fixnum(i64::from(byte)).bits(),
        None => UNKNOWN,
    }
}

/// Is `v` one of `class`? `UNKNOWN` if that is none.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn is_a(ec: *mut Ec, v: u64, class: u64) -> u64 {
    // SAFETY: the module's contract.
    let (ec, v, class) = unsafe { (&mut *ec, Value::from_bits(v), Value::from_bits(class)) };
    Class::from_value(class).map_or(UNKNOWN, |class| Value::bool(ec.is_one_of(v, class)).bits())
}

/// Is the class of `v`, apart from what is its own, `class`? `UNKNOWN` if that is none.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn instance_of(ec: *mut Ec, v: u64, class: u64) -> u64 {
    // SAFETY: the module's contract.
    let (ec, v, class) = unsafe { (&*ec, Value::from_bits(v), Value::from_bits(class)) };
    Class::from_value(class).map_or(UNKNOWN, |class| Value::bool(ec.real_class_of(v).0 == class.0).bits())
}

/// Does `v` respond to the Symbol `name`, for the code of `frame`? As far as the thread's cache of lookups knows, else `UNKNOWN`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn respond_to(ec: *mut Ec, v: u64, name: u64, frame: *mut Frame) -> u64 {
    // SAFETY: the module's contract.
    let (ec, v, name, cref) = unsafe { (&*ec, Value::from_bits(v), Value::from_bits(name), (*frame).cref) };
    let Some(name) = name.as_sym().filter(|_| refined(cref).is_none()) else { return UNKNOWN };
    let class = ec.class_of(v);
    match ec.worker.methods.known(class, name) {
        None => UNKNOWN,
        Some(Some(found)) if found.answers(false) => Value::TRUE.bits(),
        Some(_) => match ec.worker.methods.known(class, sym::respond_to_missing_p) {
            Some(Some(missing)) if missing.method.is_native_of_core() => Value::FALSE.bits(),
            _ => UNKNOWN,
        },
    }
}

/// The instance variable of `v` with the Symbol `name`, if there is one, else `UNKNOWN`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn ivar_get(ec: *mut Ec, v: u64, name: u64) -> u64 {
    // SAFETY: the module's contract.
    let (ec, v, name) = unsafe { (&*ec, Value::from_bits(v), Value::from_bits(name)) };
    // What the main Ractor has stored others may not read.
    let is_plain = v.is_type(Type::Object) && ec.ractor_id() == ractor::MAIN;
    let name = name.as_sym().filter(|name| is_plain && name.bytes().first() == Some(&b'@'));
    name.and_then(|name| ivars::get(ec, v, name)).map_or(UNKNOWN, Value::bits)
}

/// The class of a value.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn class_of(ec: *mut Ec, v: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe { (*ec).class_of(Value::from_bits(v)).0.bits() }
}

/// `Primitive.kind_of`
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn kind_of(ec: *mut Ec, v: u64, class: u64) -> u64 {
    // SAFETY: the module's contract.
    Value::bool(unsafe { (*ec).is_kind_of(Value::from_bits(v), Value::from_bits(class)) }).bits()
}

/// The words of the entry of call site `site`, whose inline cache is `cache`, for a class with that serial, or 0: one in the cache, or
/// one that the thread has, which stays where it is until the next call.
///
/// # Safety
/// As the module says, but that no register is read; `cache` is that of a site of the frame's code.
pub unsafe extern "C" fn entry(ec: *mut Ec, frame: *mut Frame, site: usize, cache: u64, serial: u64) -> u64 {
    // SAFETY: the module's contract; there was no safepoint since the cache was read.
    unsafe {
        match InlineCache::of_bits(cache).words_for(serial) {
            0 if refined((*frame).cref).is_none() => kept_entry(ec, frame, site, serial, |_| true),
            words => words as u64,
        }
    }
}

/// The words of the entry that the thread has of call site `site`, if it is as wanted, or 0.
///
/// # Safety
/// As `entry`.
unsafe fn kept_entry(
    ec: *mut Ec,
    frame: *mut Frame,
    site: usize,
    serial: u64,
    wanted: impl FnOnce(&Entry) -> bool,
) -> u64 {
    // SAFETY: the caller's contract; the frame keeps its code.
    let entry = unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        (&*ec).worker.megamorphic.find(iseq.call_caches[site].address(), serial)
    };
    entry.filter(|entry| serial != 0 && wanted(entry)).map_or(0, |entry| std::ptr::from_ref(entry) as u64)
}

/// The same of `super` in the method that the frame runs.
///
/// # Safety
/// As `entry`.
pub unsafe extern "C" fn super_entry(ec: *mut Ec, frame: *mut Frame, site: usize, cache: u64, serial: u64) -> u64 {
    // SAFETY: the module's contract; there was no safepoint since the cache was read.
    unsafe {
        let caller = (*frame).method;
        match InlineCache::of_bits(cache).words_for_caller(serial, caller) {
            0 => kept_entry(ec, frame, site, serial, |entry| entry.defined_class.0 == caller),
            words => words as u64,
        }
    }
}

/// Has the object an instance variable of that name? true, or nil.
///
/// # Safety
/// As the module says; both are values, and `name` is a Symbol.
pub unsafe extern "C" fn has_ivar(ec: *mut Ec, this: u64, name: u64) -> u64 {
    // SAFETY: the module's contract.
    let has = unsafe {
        let name = Value::from_bits(name).as_sym();
        name.is_some_and(|name| ivars::defined(&*ec, Value::from_bits(this), name))
    };
    if has { Value::TRUE.bits() } else { Value::NIL.bits() }
}

/// `@x`, off the fast path.
///
/// # Safety
/// As the module says, with the pc saved.
pub unsafe extern "C" fn get_ivar(ec: *mut Ec, frame: *mut Frame, site: usize) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let (iseq, this): (&Iseq, Value) = (&*(*frame).iseq, (*frame).self_val);
        match iseq.jit.ivars.read(site, this) {
            Some(v) => v.bits(),
            None => get_ivar_slowly(ec, frame, site),
        }
    }
}

/// `get_ivar` of an object whose shape is not remembered. What may unwind is a function of its own, for what that saves of registers.
///
/// # Safety
/// As for `get_ivar`.
#[cold]
#[inline(never)]
unsafe fn get_ivar_slowly(ec: *mut Ec, frame: *mut Frame, site: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let (iseq, this): (&Iseq, Value) = (&*(*frame).iseq, (*frame).self_val);
        valued(&mut *ec, |ec| {
            let v = slots::get_ivar(ec, frame, site)?;
            let sites = &iseq.code.ivar_sites;
            iseq.jit.ivars.learn(ec, (site, sites.len()), this, sites[site].name);
            Ok(v)
        })
    }
}

/// An attribute, off the fast path.
///
/// # Safety
/// As the module says, with the pc saved; `name` is its variable's.
pub unsafe extern "C" fn read_attr(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, name: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        match iseq.jit.attrs.read(site, Value::from_bits(recv)) {
            Some(v) => v.bits(),
            None => read_attr_slowly(ec, frame, site, recv, name),
        }
    }
}

/// `read_attr` of an object whose shape is not remembered.
///
/// # Safety
/// As for `read_attr`.
#[cold]
#[inline(never)]
unsafe fn read_attr_slowly(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, name: u64) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let name = asterism_object::Sym(name as u32);
        let recv = Value::from_bits(recv);
        valued(&mut *ec, |ec| {
            let v = slots::read_attr(ec, iseq, site, recv, name)?;
            iseq.jit.attrs.learn(ec, (site, iseq.call_caches.len()), recv, name);
            Ok(v)
        })
    }
}

/// An attribute is written, off the fast path. 0: it is done.
///
/// # Safety
/// As the module says, with the pc saved; `name` is its variable's.
pub unsafe extern "C" fn write_attr(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, name: u64, v: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        match iseq.jit.attrs.write(&*ec, site, Value::from_bits(recv), Value::from_bits(v)) {
            true => 0,
            false => write_attr_slowly(ec, frame, site, recv, name, v),
        }
    }
}

/// `write_attr` of an object whose shape is not remembered, or that takes more.
///
/// # Safety
/// As for `write_attr`.
#[cold]
#[inline(never)]
unsafe fn write_attr_slowly(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, name: u64, v: u64) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let name = asterism_object::Sym(name as u32);
        let (recv, v) = (Value::from_bits(recv), Value::from_bits(v));
        guarded(&mut *ec, |ec| match slots::write_attr(ec, iseq, site, recv, name, v) {
            Ok(()) => {
                iseq.jit.attrs.learn(ec, (site, iseq.call_caches.len()), recv, name);
                0
            }
            Err(raised) => leave_raised(ec, raised),
        })
    }
}

/// `@x = v`, off the fast path. 0: it is done.
///
/// # Safety
/// As the module says, with the pc saved.
pub unsafe extern "C" fn set_ivar(ec: *mut Ec, frame: *mut Frame, site: usize, v: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let (iseq, this): (&Iseq, Value) = (&*(*frame).iseq, (*frame).self_val);
        match iseq.jit.ivars.write(&*ec, site, this, Value::from_bits(v)) {
            true => 0,
            false => set_ivar_slowly(ec, frame, site, v),
        }
    }
}

/// `set_ivar` of an object whose shape is not remembered, or that takes more.
///
/// # Safety
/// As for `set_ivar`.
#[cold]
#[inline(never)]
unsafe fn set_ivar_slowly(ec: *mut Ec, frame: *mut Frame, site: usize, v: u64) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let (iseq, this, v): (&Iseq, _, _) = (&*(*frame).iseq, (*frame).self_val, Value::from_bits(v));
        guarded(&mut *ec, |ec| match slots::set_ivar(ec, frame, site, v) {
            Ok(()) => {
                let sites = &iseq.code.ivar_sites;
                iseq.jit.ivars.learn(ec, (site, sites.len()), this, sites[site].name);
                0
            }
            Err(raised) => leave_raised(ec, raised),
        })
    }
}

/// The slots of the scope `depth` levels out of the frame's.
///
/// # Safety
/// As the module says; there are so many scopes.
pub unsafe extern "C" fn scope_slots(frame: *mut Frame, depth: usize) -> *mut Value {
    // SAFETY: the caller's contract.
    unsafe { scope::scope_slots(frame, depth) }
}

/// The remembered value of a constant, or `LEFT`.
///
/// # Safety
/// As the module says; `site` is one of the frame's code.
pub unsafe extern "C" fn constant(ec: *mut Ec, frame: *mut Frame, site: usize) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        const_cache::remembered_here(&*ec, &iseq.const_caches[site], (*frame).cref).map_or(LEFT, Value::bits)
    }
}

/// `array[i] = v` of an Array and an index that is not negative. 0: it is done.
///
/// # Safety
/// As the module says, with the pc saved.
pub unsafe extern "C" fn array_set(ec: *mut Ec, recv: u64, i: u64, v: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let (recv, v) = (Value::from_bits(recv), Value::from_bits(v));
        guarded(&mut *ec, |ec| {
            let done = array::set(ec, recv, i as usize, v);
            match ec.check(recv, done) {
                Ok(_) => 0,
                Err(raised) => leave_raised(ec, raised),
            }
        })
    }
}

/// `array << v`. 0: it is done.
///
/// # Safety
/// As the module says, with the pc saved.
pub unsafe extern "C" fn array_push(ec: *mut Ec, recv: u64, v: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let (recv, v) = (Value::from_bits(recv), Value::from_bits(v));
        guarded(&mut *ec, |ec| match ec.array_push(recv, v) {
            Ok(()) => 0,
            Err(raised) => leave_raised(ec, raised),
        })
    }
}

/// Are two values that are not both fixnums equal, as far as the interpreter knows without a call? A boolean, or `LEFT`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn equal(ec: *mut Ec, a: u64, b: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        quick::quick_equal(&mut *ec, BasicOp::EQ, Value::from_bits(a), Value::from_bits(b))
            .map_or(LEFT, |e| Value::bool(e).bits())
    }
}

/// `pattern === value`, as far as the interpreter knows without a call: a boolean, or `LEFT`.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn case_equal(ec: *mut Ec, a: u64, b: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        quick::quick_case_equal(&mut *ec, BasicOp::CASE_EQ, Value::from_bits(a), Value::from_bits(b))
            .map_or(LEFT, |e| Value::bool(e).bits())
    }
}

/// The remainder of Floats as Ruby has it.
pub extern "C" fn float_mod(x: f64, y: f64) -> f64 {
    quick::float_mod(x, y)
}

/// A frame ends whose locals have moved to the heap.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn frame_ended(frame: *mut Frame) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        if let Some(env) = (*frame).env() {
            env.frame_ended((*frame).has(crate::frame::LAMBDA));
        }
    }
    0
}

/// What a frame gives that returns `v` and whose state says more than that it is stored, or `UNKNOWN` if that is the interpreter's.
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn returned(frame: *mut Frame, v: u64) -> u64 {
    // SAFETY: the module's contract.
    unsafe {
        let how = (*frame).state & layout::frame::HOW;
        // Whoever has called it knows what becomes of a value to jump by (see `jit::run`).
        if how.wrapping_add(layout::frame::FIRST_JUMP as u64) < layout::frame::JUMPS as u64 {
            return v;
        }
        match how {
            layout::frame::SELF_VALUE => (*frame).self_val.bits(),
            layout::frame::CAPTURED => {
                frame_ended(frame);
                v
            }
            _ => UNKNOWN,
        }
    }
}

/// Is it an empty Hash?
///
/// # Safety
/// As the module says.
pub unsafe extern "C" fn is_empty_hash(v: u64) -> u64 {
    // SAFETY: the module's contract.
    let v = unsafe { Value::from_bits(v) };
    u64::from(v.is_type(Type::Hash) && asterism_object::hash::is_empty(v))
}
