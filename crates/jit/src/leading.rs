//! What a method does before it calls anything: its beginning, as far as it has no effect, is executed by its callers in place. Where
//! it returns from there, no frame is made at all; else the call is made as if nothing had been done.

use std::collections::BTreeMap;
use std::sync::Arc;

use asterism_compiler::Code;
use asterism_compiler::code::flags;
use asterism_compiler::opcode::Op;
use asterism_vm::jit::heat::{BEGINNING, kind};
use asterism_vm::jit::{Met, Target};

use crate::analysis::{Instr, decode};

/// Most instructions of a beginning.
const MOST: usize = 16;

/// The beginning of a method.
pub struct Leading {
    /// Its code.
    pub code: Arc<Code>,
    /// What is executed, by word. What lies elsewhere is left to the call.
    pub instrs: BTreeMap<usize, Instr>,
    /// That is all of it.
    pub whole: bool,
    /// Its sites of instance variables that have met several shapes.
    pub shapes: Vec<bool>,
}

impl Leading {
    /// The beginning of what is called with `argc` arguments, if it may be over there.
    pub fn of(target: &Target, argc: usize) -> Option<Leading> {
        let code = &target.code;
        let simple = code.params.is_simple() && usize::from(code.params.required) == argc;
        if !simple || !code.handlers.is_empty() || code.locals.iter().any(|l| l.captured) {
            return None;
        }
        let mut found = BTreeMap::new();
        let mut left = vec![0];
        let mut whole = true;
        while let Some(at) = left.pop() {
            if found.contains_key(&at) {
                continue;
            }
            let instr = decode(code, at)?;
            if !is_quiet(target, &instr) {
                if at == 0 {
                    return None;
                }
                whole = false;
                continue;
            }
            if instr.falls {
                left.push(instr.next());
            }
            left.extend(instr.target);
            found.insert(at, instr);
            if found.len() > MOST {
                return None;
            }
        }
        keep_returning(&mut found);
        let shapes = target.shapes[0].clone();
        found.contains_key(&0).then(|| Leading { code: code.clone(), instrs: found, whole, shapes })
    }
}

/// Leaves out what does not lead to a return: the call would do it once more.
fn keep_returning(found: &mut BTreeMap<usize, Instr>) {
    loop {
        let leads_on = |instr: &Instr| {
            let falls = instr.falls && found.contains_key(&instr.next());
            instr.op == Op::Return || falls || instr.target.is_some_and(|at| found.contains_key(&at))
        };
        let useless: Vec<usize> = found.iter().filter(|(_, instr)| !leads_on(instr)).map(|(&at, _)| at).collect();
        if useless.is_empty() {
            return;
        }
        for at in useless {
            found.remove(&at);
        }
    }
}

/// Has it no effect, and can it be executed without a frame?
fn is_quiet(target: &Target, instr: &Instr) -> bool {
    let seen = target.kinds.get(instr.at).copied().unwrap_or(0);
    // An operand that was looked at and was never an Integer.
    let other = |n: usize| seen >> (4 * n) & 15 != 0 && seen >> (4 * n) & kind::FIXNUM == 0;
    let numbers = !(0..instr.uses.len().min(2)).any(other);
    match instr.op {
        _ if instr.backward || instr.at >= BEGINNING => false,
        Op::Nop | Op::Move | Op::LoadNil | Op::LoadTrue | Op::LoadFalse | Op::LoadInt | Op::LoadSelf => true,
        Op::LoadLit | Op::GetIvar | Op::Not | Op::NilP | Op::Return | Op::Jmp => true,
        Op::JmpIf | Op::JmpUnless | Op::JmpNil | Op::JmpNotNil | Op::JmpNot => true,
        Op::Add | Op::Sub | Op::AddI | Op::SubI | Op::And | Op::Or | Op::Xor => numbers,
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => numbers,
        Op::JmpLt | Op::JmpLe | Op::JmpGt | Op::JmpGe | Op::JmpEq | Op::JmpNe => numbers,
        Op::JmpLtI | Op::JmpLeI | Op::JmpGtI | Op::JmpGeI | Op::JmpEqI | Op::JmpNeI => numbers,
        Op::Size | Op::EmptyP => seen & kind::ARRAY != 0,
        Op::SetIvar => returns_at_once(target, instr.next()),
        _ => false,
    }
}

/// Does the code at word `at` return without anything that might be left to the call?
fn returns_at_once(target: &Target, mut at: usize) -> bool {
    for _ in 0..MOST {
        let Some(instr) = target.code.words.get(at).and_then(|_| decode(&target.code, at)) else { return false };
        at = match instr.op {
            Op::Return => return true,
            Op::Nop | Op::Move | Op::LoadNil | Op::LoadTrue | Op::LoadFalse | Op::LoadInt | Op::LoadSelf => {
                instr.next()
            }
            _ => return false,
        };
    }
    false
}

/// The beginnings of what the call sites of a code have met, where there are any.
pub fn of_sites(code: &Code, calls: &[Met], targets: &[Option<Box<Target>>]) -> Vec<Option<Leading>> {
    let of = |(n, target): (usize, &Option<Box<Target>>)| {
        let site = &code.call_sites[n];
        let plain = site.flags & (flags::SPLAT | flags::KW_SPLAT | flags::BLOCK_ARG | flags::BLOCK_FORWARD) == 0;
        let plain = plain && site.keywords.is_empty() && site.block.is_none();
        let of_code = matches!(calls.get(n), Some(Met::Ruby | Met::BlockMethod));
        target.as_ref().filter(|_| plain && of_code).and_then(|target| Leading::of(target, usize::from(site.argc)))
    };
    targets.iter().enumerate().map(of).collect()
}
