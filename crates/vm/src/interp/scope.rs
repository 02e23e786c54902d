//! Where captured locals are: in the registers of an active frame, or in an Env.

use std::sync::atomic::Ordering;

use asterism_object::Value;

use crate::block::{Block, Env};
use crate::frame::Frame;

/// The local slots of the scope `depth` levels out of `frame`'s.
///
/// # Safety
/// `frame` is an active Ruby frame with that many scopes around it.
#[inline(always)]
pub unsafe fn scope_slots(mut frame: *mut Frame, mut depth: usize) -> *mut Value {
    // SAFETY: see the function's contract: a stack parent is active while the block's frame is.
    unsafe {
        loop {
            if depth == 0 {
                return own_slots(frame);
            }
            depth -= 1;
            match Block((*frame).around()).frame() {
                Some(outer) => frame = outer,
                None => {
                    let mut env = Env(Value::from_bits((*frame).around()));
                    while depth > 0 {
                        env = Env(env.parent());
                        depth -= 1;
                    }
                    return env_slots(env.0);
                }
            }
        }
    }
}

/// The local slots of the scope around `frame`'s.
///
/// # Safety
/// As `scope_slots`.
#[inline(always)]
pub unsafe fn outer_slots(frame: *mut Frame) -> *mut Value {
    // SAFETY: see the function's contract.
    unsafe {
        let around = (*frame).around();
        match Block(around).frame() {
            Some(outer) => own_slots(outer),
            None => env_slots(Value::from_bits(around)),
        }
    }
}

/// The local slots of `frame`'s own scope.
///
/// # Safety
/// `frame` is an active Ruby frame.
#[inline(always)]
unsafe fn own_slots(frame: *mut Frame) -> *mut Value {
    // SAFETY: the caller's contract.
    match unsafe { (*frame).env() } {
        Some(env) => env_slots(env.0),
        None => Frame::regs(frame),
    }
}

#[inline(always)]
fn env_slots(env: Value) -> *mut Value {
    Env(env).slots().cast()
}

/// Reads a local through its scope: it may be a heap slot that other threads use.
///
/// # Safety
/// `slot` is a slot of the scope whose slots start at `slots`.
#[inline(always)]
pub unsafe fn load_slot(slots: *mut Value, slot: usize) -> Value {
    // SAFETY: see above; a slot is 8-aligned.
    unsafe { Value::from_bits(std::sync::atomic::AtomicU64::from_ptr(slots.add(slot).cast()).load(Ordering::Acquire)) }
}

/// Writes a local through its scope.
///
/// # Safety
/// As `load_slot`.
#[inline(always)]
pub unsafe fn store_slot(slots: *mut Value, slot: usize, v: Value) {
    // SAFETY: see above.
    unsafe { std::sync::atomic::AtomicU64::from_ptr(slots.add(slot).cast()).store(v.bits(), Ordering::Release) }
}
