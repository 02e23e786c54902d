//! From codes, pcs and methods to names and lines.

use std::collections::HashMap;

use asterism_compiler::code::CodeKind;
use asterism_object::Value;
use asterism_support::profile::symbols::Symbols;
use asterism_support::profile::{Function, Place, Profile, ThreadSamples};

use super::sampler::FRAME;
use crate::backtrace::{self, Location};
use crate::ec::Ec;
use crate::iseq::Iseq;
use crate::method::Method;

/// What was noted of a thread.
pub(super) struct Thread {
    pub(super) name: String,
    pub(super) lost: u64,
    /// Numbers of stacks as they were noted, and weights.
    pub(super) samples: Vec<(u32, u32)>,
}

/// Adds the samples to a profile. What they name is kept by the profiler meanwhile.
pub(super) fn resolve(
    ec: &mut Ec,
    profile: &mut Profile,
    symbols: &mut Symbols,
    stacks: &[Box<[u64]>],
    threads: Vec<Thread>,
) {
    symbols.refresh();
    let mut names = Names { symbols, frames: HashMap::new(), native: HashMap::new() };
    let numbers: Vec<u32> = stacks.iter().map(|stack| names.stack(ec, profile, stack)).collect();
    for Thread { name, lost, samples } in threads {
        let samples = samples.into_iter().map(|(stack, weight)| (numbers[stack as usize], weight)).collect();
        profile.threads.push(ThreadSamples { name, samples, lost });
    }
}

/// Names that were found.
struct Names<'s> {
    symbols: &'s mut Symbols,
    frames: HashMap<[u64; FRAME], Option<Found>>,
    /// By the address of an instruction.
    native: HashMap<u64, Option<u32>>,
}

/// What a frame is.
#[derive(Clone, Copy)]
struct Found {
    place: Place,
    /// It is part of the implementation: what calls it stands for what it does.
    hidden: bool,
    /// It is a block of that.
    block: bool,
}

impl Names<'_> {
    fn stack(&mut self, ec: &mut Ec, profile: &mut Profile, stack: &[u64]) -> u32 {
        // Innermost first, and how many at the end belong to the implementation.
        let (mut places, mut inner): (Vec<Place>, usize) = (Vec::new(), 0);
        if let Some(function) = self.native(profile, stack[0]) {
            places.push(Place { function, line: 0 });
        }
        for frame in stack[1..].chunks_exact(FRAME) {
            let frame: [u64; FRAME] = [frame[0], frame[1], frame[2]];
            let found = match self.frames.get(&frame) {
                Some(&found) => found,
                None => {
                    let found = name(ec, profile, frame);
                    self.frames.insert(frame, found);
                    found
                }
            };
            let Some(found) = found else { continue };
            if found.block {
                continue;
            }
            if found.hidden {
                // Its outermost method stands for all that one does in Ruby.
                places.truncate(places.len() - inner);
            }
            places.push(found.place);
            inner = usize::from(found.hidden);
        }
        places.reverse();
        profile.stack(places)
    }

    /// The native function that was interrupted, unless it is the interpreter, which the topmost frame says more of, or compiled code.
    fn native(&mut self, profile: &mut Profile, instruction: u64) -> Option<u32> {
        if let Some(&known) = self.native.get(&instruction) {
            return known;
        }
        let found = self.symbols.find(instruction).filter(|(name, _)| !is_interpreter(name));
        let number = found.map(|(name, file)| profile.function(Function { name, file: format!("[{file}]"), line: 0 }));
        self.native.insert(instruction, number);
        number
    }
}

/// Is it part of executing an instruction?
fn is_interpreter(name: &str) -> bool {
    name.contains("asterism_vm::interp") || name.contains("asterism_vm::jit::")
}

fn name(ec: &mut Ec, profile: &mut Profile, [code, pc, method]: [u64; FRAME]) -> Option<Found> {
    // SAFETY: the words are of a frame, and the profiler keeps what they name.
    let (iseq, method) = unsafe { ((code as *const Iseq).as_ref(), Value::from_bits(method)) };
    let Some(iseq) = iseq else {
        let cell = Method::from_value(method)?;
        let name = backtrace::qualified_name(ec, cell).unwrap_or_else(|| cell.original_name().text().into_owned());
        let function = profile.function(Function { name, file: String::new(), line: 0 });
        return Some(Found { place: Place { function, line: 0 }, hidden: false, block: false });
    };
    let code = iseq.code.clone();
    // A frame that compiled code has pushed has saved no pc before its first call.
    let at = iseq.at(pc as *const u64);
    let line = if at == 0 { code.line } else { code.line_at(at - 1) };
    let location = Location { code: Some(code.clone()), line, method, own: Some(code.clone()) };
    let name = backtrace::label(ec, &location);
    let function = profile.function(Function { name, file: code.file.to_string(), line: code.line });
    let hidden = code.internal;
    Some(Found { place: Place { function, line }, hidden, block: hidden && code.kind == CodeKind::Block })
}
