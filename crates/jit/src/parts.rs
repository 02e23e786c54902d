//! What becomes a part of the code that calls it: a method that is called with a literal block, and that block, so that an iterator
//! and what it does are one loop.
//!
//! A part has a frame of its own, where it would lie if it was called, so that code can be left in the middle of it, and whoever walks
//! the frames finds all of them. What is spared is the native call, and that the interpreter's conventions are kept on both sides of it.

use asterism_compiler::Code;
use asterism_compiler::code::{Packing, flags};
use asterism_compiler::opcode::Op;
use asterism_vm::jit::heat::{MOST_BLOCK_WORDS, MOST_CALLEE_WORDS};
use asterism_vm::jit::{Met, Part, Target};

use crate::analysis::Analysis;
use crate::inlined::Inlined;

/// Most words of all parts of a unit.
const MOST_IN_ALL: usize = 1200;
/// Most words of what is inlined in a unit.
const MOST_INLINED: usize = 150;
/// Most places where a method yields to its block: each has the block's code.
const MOST_YIELDS: usize = 2;
/// What a call of what is yielded counts as, in words.
const SYMBOL_WORDS: usize = 10;
/// Most calls within calls.
const DEEPEST: usize = 3;

/// What a call site calls, that is part of the caller.
pub struct Called<'c> {
    /// The method.
    pub callee: Analysis<'c>,
    /// Its block.
    pub block: Passed<'c>,
    /// The words of the method where it yields to it as a part.
    pub yields: Vec<usize>,
}

/// The block of a method that is part of its caller.
pub enum Passed<'c> {
    /// A literal one.
    Code(Box<Analysis<'c>>),
    /// A literal Symbol: the caller's site for the calls of the method of that name.
    Symbol(usize),
}

impl<'c> Passed<'c> {
    /// The code, if it is a literal block.
    pub fn code(&self) -> Option<&Analysis<'c>> {
        match self {
            Passed::Code(code) => Some(code),
            Passed::Symbol(_) => None,
        }
    }
}

impl<'c> Called<'c> {
    /// The code of both.
    pub fn all(&self) -> impl Iterator<Item = &Analysis<'c>> {
        [&self.callee].into_iter().chain(self.block.code())
    }
}

/// What parts may still take.
pub struct Limits {
    words: usize,
    deep: usize,
    /// Words of what may be inlined.
    pub inlined: usize,
}

impl Limits {
    /// Those of a unit, in which methods are inlined or not.
    pub fn new(inlines: bool) -> Limits {
        Limits { words: MOST_IN_ALL, deep: DEEPEST, inlined: if inlines { MOST_INLINED } else { 0 } }
    }
}

impl<'c> Analysis<'c> {
    /// Finds what becomes part of it.
    pub fn find_parts(&mut self, limits: &mut Limits) {
        if limits.deep == 0 {
            return;
        }
        let of = self.of;
        let stress = self.stress;
        limits.deep -= 1;
        let sites = 0..of.calls.len();
        self.parts = sites.clone().map(|site| called(of, site, stress, limits).map(Box::new)).collect();
        let whole = |site: usize| self.leading[site].as_ref().is_some_and(|leading| leading.whole);
        let mut inlined = |site| if whole(site) { None } else { Inlined::at(of, site, stress, limits) };
        self.inlined = sites.map(|site| inlined(site).map(Box::new)).collect();
        limits.deep += 1;
        if self.inlined.iter().any(Option::is_some) {
            // Registers need not be in memory there.
            self.find_types();
        }
    }
}

/// What call site `site` has met, if that is to be a part.
fn called<'c>(of: &'c Target, site: usize, stress: bool, limits: &mut Limits) -> Option<Called<'c>> {
    let written = &of.code.call_sites[site];
    if written.flags & (flags::SPLAT | flags::KW_SPLAT) != 0 || !matches!(of.calls[site], Met::Ruby | Met::Bound) {
        return None;
    }
    let (callee, block) = (of.targets.get(site)?.as_ref()?, of.blocks.get(site)?.as_ref());
    let of_symbol = |&at: &usize| of.calls.get(at).is_some_and(|&met| are_in_place(met));
    let symbol = written.symbol.map(usize::from).filter(of_symbol);
    if block.is_none() && symbol.is_none() {
        return None;
    }
    let fits = callee.code.words.len() <= MOST_CALLEE_WORDS
        && !callee.code.params.rest
        && !callee.code.params.block
        && callee.code.params.bound_by(written).is_some()
        && callee.calls.len() == callee.code.call_sites.len()
        && !callee.kinds.is_empty()
        && block.is_none_or(|block| is_short(&block.code));
    if !fits {
        return None;
    }
    let yields = yields(callee);
    let words = callee.code.words.len() + yields.len() * block.map_or(SYMBOL_WORDS, |block| block.code.words.len());
    if !(1..=MOST_YIELDS).contains(&yields.len()) || words > limits.words {
        return None;
    }
    limits.words -= words;
    let mut callee = Analysis::of(callee, Part::Entry, stress)?;
    let mut block = match block {
        Some(block) => Passed::Code(Box::new(Analysis::of(block, Part::Entry, stress)?)),
        None => Passed::Symbol(symbol?),
    };
    callee.write_early();
    callee.find_parts(limits);
    if let Passed::Code(block) = &mut block {
        // It has its creator's.
        block.forget_self();
        block.find_parts(limits);
    }
    Some(Called { callee, block, yields })
}

/// May calls that have met this be made where something is yielded to a Symbol?
fn are_in_place(met: Met) -> bool {
    matches!(met, Met::Ruby | Met::Reader | Met::Leaf | Met::Native | Met::Intrinsic(_))
}

/// Is it a block that may become a part?
fn is_short(block: &Code) -> bool {
    block.words.len() <= MOST_BLOCK_WORDS && (block.params.is_simple() || block.packing() != Packing::None)
}

/// The words where code yields, but for those where it has not yielded yet as far as that is known.
fn yields(of: &Target) -> Vec<usize> {
    let (mut at, mut found, mut last) = (0, Vec::new(), None);
    let words = &of.code.words;
    while let Some(op) = words.get(at).and_then(|word| Op::from_u8(*word as u8)) {
        match op {
            Op::Yield => found.extend(last.replace(at)),
            // What counts the rounds of a loop: its operands are looked at where it runs.
            Op::AddI | Op::SubI if last.is_some() => {
                found.extend(last.take().filter(|_| of.kinds.get(at).is_some_and(|&seen| seen != 0)));
            }
            Op::Jmp | Op::Loop | Op::Return => found.extend(last.take()),
            _ => {}
        }
        at += op.words();
    }
    found.extend(last);
    found
}
