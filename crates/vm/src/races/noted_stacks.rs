//! Which stack an access has: the frames of the program's code that it was made in.

use std::sync::Arc;

use asterism_compiler::Code;
use asterism_object::Value;

use crate::backtrace::{self, Location};
use crate::ec::Ec;
use crate::frame::Frame;
use asterism_races::shadow::mix;
use asterism_races::stacks::{MANY, Stack};

/// So many frames of a program's code are kept of a stack.
const DEPTH: usize = 8;
/// So many frames are looked at for them.
const REACH: usize = 48;

/// Calls `with` for the innermost frames of a program's code, at most `most`.
///
/// # Safety
/// `frame` is active, and the pcs of the frames below are saved.
unsafe fn each_frame(mut frame: *mut Frame, most: usize, mut with: impl FnMut(&Frame, &Arc<Code>)) {
    let mut found = 0;
    for _ in 0..REACH {
        // SAFETY: frames from an active one down to the bottom are active; a Ruby frame keeps its code alive.
        unsafe {
            let Some(at) = frame.as_ref() else { return };
            if let Some(iseq) = at.iseq.as_ref()
                && !iseq.code.internal
            {
                with(at, &iseq.code);
                found += 1;
                if found == most {
                    return;
                }
            }
            frame = at.prev;
        }
    }
}

/// What the stack of `frame` is known by.
///
/// # Safety
/// As for `each_frame`.
unsafe fn key(frame: *mut Frame, most: usize) -> u64 {
    let mut key = most as u64;
    // SAFETY: the caller's contract.
    unsafe { each_frame(frame, most, |at, _| key = mix(key ^ at.pc as u64)) };
    key
}

/// The number of the stack of `frame`, which is the current one; `None` if nothing is noted any more.
///
/// # Safety
/// Its pc is saved.
pub unsafe fn number(ec: &mut Ec, frame: *mut Frame) -> Option<u32> {
    // SAFETY: the caller's contract.
    let whole = unsafe { key(frame, DEPTH) };
    if let Some(number) = ec.thread.races.as_deref()?.stacks.get(&whole) {
        return Some(*number);
    }
    // SAFETY: the caller's contract.
    let (key, number) = unsafe { number_for_all(ec, frame, whole)? };
    let known = &mut ec.thread.races.as_deref_mut()?.stacks;
    if known.len() >= MANY {
        known.clear();
    }
    known.insert(key, number);
    Some(number)
}

/// The number that all threads know it by, and what for; `whole` is its key.
///
/// # Safety
/// As for `number`.
#[cold]
unsafe fn number_for_all(ec: &mut Ec, frame: *mut Frame, whole: u64) -> Option<(u64, u32)> {
    let detector = ec.thread.races.as_deref()?.detector.clone();
    let stacks = &detector.stacks;
    let (mut known_by, mut depth) = (whole, DEPTH);
    if stacks.is_crowded() && stacks.find(known_by).is_none() {
        depth = 1;
        // SAFETY: the caller's contract.
        known_by = unsafe { key(frame, depth) };
    }
    if let Some(number) = stacks.find(known_by) {
        return Some((known_by, number));
    }
    let mut locations: Vec<(Arc<Code>, u32, Value)> = Vec::new();
    // SAFETY: the caller's contract.
    unsafe { each_frame(frame, depth, |at, code| locations.push((code.clone(), at.line(), at.method))) };
    let place = locations.first().map_or(String::new(), |(code, line, _)| format!("{}:{line}", code.file));
    let lines = locations.iter().map(|(code, line, method)| {
        let own = Some(code.clone());
        backtrace::line_text(ec, &Location { code: own.clone(), line: *line, method: *method, own })
    });
    let lines = lines.collect();
    let codes = locations.into_iter().map(|(code, _, _)| code).collect();
    Some((known_by, stacks.add(known_by, Stack { lines, place, _codes: codes })))
}
