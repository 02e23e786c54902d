//! Operators of compiled code that are not done in place, by what the core knows or the site remembers. The contract is that of
//! [`super::helpers`].

use asterism_object::space::WellKnown;
use asterism_object::{Value, array, hash};

use super::helpers::{go_on, guarded, is_over, leave, leave_raised};
use super::{LEFT, UNKNOWN};
use crate::basic_ops::{BasicOp, Classes};
use crate::cache::InlineCache;
use crate::ec::Ec;
use crate::frame::Frame;
use crate::interp::calls::plain;
use crate::interp::handler::End;
use crate::interp::{collections, quick, strings};
use crate::iseq::Iseq;
use crate::native::{Arguments, NativeDef};

/// An operator whose method the site remembers as a native one, which needs no frame unless they may be `framed`. `UNKNOWN`: nothing
/// was done.
///
/// # Safety
/// As the module says, with the pc saved; `site` is the instruction's.
#[inline(always)]
unsafe fn operator(
    framed: bool,
    ec: &mut Ec,
    frame: *mut Frame,
    site: usize,
    recv: Value,
    args: &[Value],
    then: impl FnOnce(&mut Ec, Value) -> u64,
) -> u64 {
    // SAFETY: the caller's contract; the target of an entry of this kind is a definition, which accepts what the operator has.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let serial = ec.class_of(recv).serial();
        let known = InlineCache::at(&iseq.call_caches[site]).filter(|_| serial != 0);
        let Some(entry) = known.and_then(|cache| cache.find(serial)) else { return UNKNOWN };
        let leaf = entry.kind.is(plain::LEAF);
        if !(leaf || framed && entry.kind.is(plain::NATIVE)) {
            return UNKNOWN;
        }
        let def = &*(entry.target as *const NativeDef);
        guarded(ec, |ec| {
            let result = if leaf {
                ec.fiber.leaf = entry.method.0;
                let result = (def.func)(ec, recv, &Arguments::new(args));
                ec.fiber.leaf = Value::NULL;
                result
            } else {
                ec.call_native_framed(def, entry.method, recv, &Arguments::new(args))
            };
            match result {
                Err(raised) => leave_raised(ec, raised),
                Ok(v) => then(ec, v),
            }
        })
    }
}

/// An operator without an argument; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn operator0(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, dst: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let ec = &mut *ec;
        let switches = ec.worker.jit.switches;
        operator(true, ec, frame, site, Value::from_bits(recv), &[], |ec, v| go_on(ec, frame, dst, v, switches))
    }
}

/// `!recv`, where some class has a method of its own for it; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn not(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, dst: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let v = Value::from_bits(recv);
        match is_immediate(&*ec, BasicOp::NOT, v) {
            true => Value::bool(!v.truthy()).bits(),
            false => operator0(ec, frame, site, recv, dst),
        }
    }
}

/// `recv.nil?`, where some class has a method of its own for it; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn is_nil(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, dst: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let v = Value::from_bits(recv);
        match is_immediate(&*ec, BasicOp::NIL_P, v) {
            true => Value::bool(v.is_nil()).bits(),
            false => operator0(ec, frame, site, recv, dst),
        }
    }
}

/// Is `v` an immediate, for which `op` is the core's?
fn is_immediate(ec: &Ec, op: BasicOp, v: Value) -> bool {
    !v.is_heap() && ec.vm().basic_ops.intact(op, Classes::IMMEDIATE)
}

/// An operator with an argument; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn operator1(
    ec: *mut Ec,
    frame: *mut Frame,
    site: usize,
    recv: u64,
    arg: u64,
    dst: usize,
) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let ec = &mut *ec;
        let switches = ec.worker.jit.switches;
        let arg = [Value::from_bits(arg)];
        operator(true, ec, frame, site, Value::from_bits(recv), &arg, |ec, v| go_on(ec, frame, dst, v, switches))
    }
}

/// Is `a == b`, of an instruction of two words that jumps by it: a boolean, `UNKNOWN`, or `LEFT`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn equal_at(ec: *mut Ec, frame: *mut Frame, site: usize, a: u64, b: u64) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let ec = &mut *ec;
        let (a, b) = (Value::from_bits(a), Value::from_bits(b));
        if let Some(equal) = quick::quick_equal(ec, BasicOp::EQ, a, b) {
            return Value::bool(equal).bits();
        }
        let switches = ec.worker.jit.switches;
        // One that runs Ruby code could not be asked again.
        operator(false, ec, frame, site, a, &[b], |ec, v| {
            if is_over(ec, switches) {
                // The question changes nothing, and is asked again.
                return leave(ec, frame, (*frame).pc.sub(2));
            }
            Value::bool(v.truthy()).bits()
        })
    }
}

/// `recv[key]`; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn aref(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, key: u64, dst: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let (list, index) = (Value::from_bits(recv), Value::from_bits(key));
        if list.is_heap() {
            let class = (*ec).class_of(list).0;
            if index.is_fixnum() && class == (*ec).class(WellKnown::Array) {
                return array::get(list, index.as_fixnum()).bits();
            }
            if class == (*ec).class(WellKnown::Hash)
                && let Some(v) = quick::quick_hash_aref(&mut *ec, list, index)
            {
                return v.bits();
            }
        }
        operator1(ec, frame, site, recv, key, dst)
    }
}

/// `recv << arg`; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn append(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, arg: u64, dst: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let (text, added) = (Value::from_bits(recv), Value::from_bits(arg));
        if text.is_heap() && (*ec).class_of(text).0 == (*ec).class(WellKnown::String) {
            match guarded(&mut *ec, |ec| match strings::quick_append(ec, text, added) {
                Ok(done) => Value::bool(done).bits(),
                Err(raised) => leave_raised(ec, raised),
            }) {
                LEFT => return LEFT,
                done if Value::from_bits(done).truthy() => return recv,
                _ => {}
            }
        }
        operator1(ec, frame, site, recv, arg, dst)
    }
}

/// `recv[key] = v`. 0: it is done. `UNKNOWN`: nothing was done.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn aset(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, key: u64, v: u64) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        let (recv, key, v) = (Value::from_bits(recv), Value::from_bits(key), Value::from_bits(v));
        let ec = &mut *ec;
        let done = match recv.is_heap() {
            true => quick_aset(ec, recv, key, v),
            false => UNKNOWN,
        };
        if done != UNKNOWN {
            return done;
        }
        let switches = ec.worker.jit.switches;
        operator(true, ec, frame, site, recv, &[key, v], |ec, _| {
            if !is_over(ec, switches) {
                return 0;
            }
            // The frame goes on behind the instruction, which writes no register.
            ec.worker.jit.left = End::Again;
            LEFT
        })
    }
}

/// `recv[key] = v` of an Array or Hash, a cell, where that takes no call. 0: it is done. `UNKNOWN`: nothing was done.
fn quick_aset(ec: &mut Ec, recv: Value, key: Value, v: Value) -> u64 {
    let class = ec.class_of(recv).0;
    let index = key.fixnum_value().and_then(|i| usize::try_from(i).ok()).filter(|&i| i < array::MAX_LEN);
    guarded(ec, |ec| {
        let done = if let (Some(i), true) = (index, class == ec.class(WellKnown::Array)) {
            let done = array::set(ec, recv, i, v);
            ec.check(recv, done).map(|_| true)
        } else if class == ec.class(WellKnown::Hash) {
            collections::hash_set(ec, recv, key, v)
        } else {
            Ok(false)
        };
        match done {
            Ok(true) => 0,
            Ok(false) => UNKNOWN,
            Err(raised) => leave_raised(ec, raised),
        }
    })
}

/// `recv.size`; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn size(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, dst: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        match length_of(&*ec, Value::from_bits(recv)) {
            Some(n) => Value::fixnum(n as i64).bits(),
            None => operator0(ec, frame, site, recv, dst),
        }
    }
}

/// `recv.empty?`; see `operator`.
///
/// # Safety
/// As for `operator`.
pub unsafe extern "C" fn is_empty(ec: *mut Ec, frame: *mut Frame, site: usize, recv: u64, dst: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        match length_of(&*ec, Value::from_bits(recv)) {
            Some(n) => Value::bool(n == 0).bits(),
            None => operator0(ec, frame, site, recv, dst),
        }
    }
}

/// The length of an Array or a Hash.
fn length_of(ec: &Ec, recv: Value) -> Option<usize> {
    if !recv.is_heap() {
        return None;
    }
    let class = ec.class_of(recv).0;
    if class == ec.class(WellKnown::Array) {
        Some(array::len(recv))
    } else if class == ec.class(WellKnown::Hash) {
        Some(hash::len(recv))
    } else {
        None
    }
}
