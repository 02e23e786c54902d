//! What is known of values: which registers hold fixnums, Floats as plain numbers, or Arrays, because something was made that way, or
//! because it was looked at on every way to a place. What is known is not looked at again.
//!
//! A register that a loop does not write and that it looks at in each round is looked at where the loop is entered instead.

use asterism_compiler::code::Literal;
use asterism_compiler::opcode::Op;
use asterism_vm::jit::heat::{kind, of_self};
use asterism_vm::jit::{Met, Part};
use asterism_vm::native::Intrinsic;

use crate::analysis::{Analysis, Set};

/// What is known of a register's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// Nothing is known yet: no way to here was followed.
    Unseen,
    /// It is a fixnum, as a value.
    Fixnum,
    /// It is a Float, as a plain number.
    Float,
    /// It is the cell of an Array, of whatever class that is.
    Array,
    /// It is a cell.
    Cell,
    /// It is a value.
    Any,
}

impl Ty {
    fn merge(self, other: Ty) -> Ty {
        match (self, other) {
            (Ty::Unseen, t) | (t, Ty::Unseen) => t,
            (a, b) if a == b => a,
            (Ty::Array, Ty::Cell) | (Ty::Cell, Ty::Array) => Ty::Cell,
            _ => Ty::Any,
        }
    }

    /// What is known if this is, and that it is `known`.
    pub fn with(self, known: Ty) -> Ty {
        if known == Ty::Cell && self == Ty::Array { self } else { known }
    }

    /// Is it a cell?
    pub fn is_cell(self) -> bool {
        matches!(self, Ty::Array | Ty::Cell)
    }
}

/// Which registers are copies of others, as far as that is known: what is known of the one is known of the other.
#[derive(Clone)]
pub struct Copies(Vec<Option<usize>>);

impl Copies {
    /// None is known, of so many registers.
    pub fn new(registers: usize) -> Copies {
        Copies(vec![None; registers])
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        self.0.fill(None);
    }

    /// Register `r` gets another value.
    pub fn written(&mut self, r: usize) {
        self.0[r] = None;
        for of in &mut self.0 {
            *of = of.filter(|&of| of != r);
        }
    }

    /// Register `r`, which was just written, is a copy of `of`.
    pub fn copied(&mut self, of: usize, r: usize) {
        if r != of {
            self.0[r] = Some(of);
        }
    }

    /// The register that `r` is a copy of.
    pub fn of(&self, r: usize) -> Option<usize> {
        self.0[r]
    }
}

/// What an operand of arithmetic is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A fixnum.
    Fixnum,
    /// A Float.
    Float,
    /// Not known, or several things.
    Mixed,
}

/// How arithmetic or a comparison is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// As one of fixnums; the code is left where an operand or the result is none.
    Exact,
    /// As one of fixnums, else by the interpreter.
    Fixnums,
    /// As one of plain numbers; the code is left where an operand is no such.
    Floats(Operand, Operand),
    /// By the interpreter.
    Step,
}

/// What is known of `self`, because it is looked at where code begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum This {
    /// It is an object with slots for its variables.
    Object,
    /// It is an Array.
    Array,
    /// It is a cell.
    Cell,
    /// It is a value.
    Any,
}

/// The registers that are looked at where a loop is entered, by the block that begins there.
#[derive(Default)]
pub struct Ahead {
    loops: Vec<Loop>,
    /// Block, register, and what it has to be.
    wanted: Vec<(usize, usize, Ty)>,
    /// Not found yet.
    open: bool,
}

/// The code from the target of a backward jump to that jump.
struct Loop {
    /// Its words.
    words: std::ops::Range<usize>,
    /// Registers that nothing in it writes.
    kept: Set,
}

impl Analysis<'_> {
    fn find_loops(&mut self) {
        if !self.of.looks_ahead {
            return;
        }
        let jumps = self.instrs.iter().filter(|instr| instr.backward);
        let found = jumps.filter_map(|jump| {
            let words = jump.target?..jump.next();
            let mut kept = self.tracked.clone();
            for instr in self.instrs.iter().filter(|instr| words.contains(&instr.at)) {
                // `Once` writes its register where it jumps.
                let once = (instr.op == Op::Once).then(|| usize::from((self.code.words[instr.at] >> 16) as u16));
                for r in instr.defs.iter().copied().chain(once) {
                    kept[r] = false;
                }
            }
            Some(Loop { words, kept })
        });
        self.ahead.loops = found.collect();
    }

    /// Is register `r` kept by a loop that a jump from word `from` to word `to` enters?
    fn enters_loop(&self, from: usize, to: usize, r: usize) -> bool {
        self.ahead.loops.iter().any(|l| l.kept[r] && l.words.contains(&to) && !l.words.contains(&from))
    }

    /// What a way from the block `b` to the block `s` brings for register `r`.
    fn brought(&self, b: usize, s: usize, r: usize, ty: Ty) -> Ty {
        if ty != Ty::Any || self.ahead.loops.is_empty() {
            return ty;
        }
        let last = self.instrs[self.blocks[b].instrs.end - 1].at;
        let first = self.instrs[self.blocks[s].instrs.start].at;
        if !self.enters_loop(last, first, r) {
            return ty;
        }
        match self.ahead.open {
            true => Ty::Unseen,
            false => self.ahead.wanted.iter().find(|w| (w.0, w.1) == (s, r)).map_or(Ty::Any, |w| w.2),
        }
    }

    /// What `self` is taken for.
    pub(crate) fn find_this(&self) -> This {
        let uses = |ops: &[Op]| self.instrs.iter().any(|instr| ops.contains(&instr.op));
        match self.of.of_self {
            of_self::OBJECT if uses(&[Op::GetIvar, Op::SetIvar]) => This::Object,
            of_self::ARRAY if uses(&[Op::LoadSelf]) => This::Array,
            0 => This::Any,
            seen if seen & of_self::OTHER == 0 && uses(&[Op::CallSelf, Op::Super]) => This::Cell,
            _ => This::Any,
        }
    }

    /// Nobody looks at `self` for this code.
    pub fn forget_self(&mut self) {
        if std::mem::replace(&mut self.this, This::Any) == This::Array {
            self.find_types();
        }
    }

    /// Finds out what is known where each block begins.
    pub(crate) fn find_types(&mut self) {
        self.find_loops();
        if !self.ahead.loops.is_empty() {
            // What would the loops know if what they keep were known in front of them?
            self.ahead.open = true;
            self.solve();
            self.ahead.open = false;
            self.ahead.wanted = self.wanted();
        }
        self.solve();
        for t in self.blocks.iter_mut().flat_map(|b| &mut b.types) {
            if *t == Ty::Unseen {
                *t = Ty::Any;
            }
        }
    }

    fn wanted(&self) -> Vec<(usize, usize, Ty)> {
        let mut found = Vec::new();
        for (s, block) in self.blocks.iter().enumerate().filter(|(_, block)| block.reached) {
            for (r, &ty) in block.types.iter().enumerate() {
                let asked = match ty {
                    Ty::Fixnum | Ty::Array | Ty::Cell => true,
                    Ty::Float => self.is_number_only(s, r),
                    Ty::Any | Ty::Unseen => false,
                };
                if asked && block.live[r] {
                    found.push((s, r, ty));
                }
            }
        }
        found
    }

    /// Do the loops around block `s` use register `r` as a plain number only?
    fn is_number_only(&self, s: usize, r: usize) -> bool {
        let at = self.instrs[self.blocks[s].instrs.start].at;
        let around = |at: usize| self.ahead.loops.iter().filter(move |l| l.words.contains(&at));
        let inside = |word: usize| around(at).any(|l| l.words.contains(&word));
        let mut uses = self.instrs.iter().filter(|instr| inside(instr.at) && instr.uses.contains(&r));
        uses.all(|instr| may_be_float(instr.op))
    }

    fn solve(&mut self) {
        let registers = usize::from(self.code.registers);
        for b in &mut self.blocks {
            b.reached = b.entry != 0;
            b.dirty.fill(false);
            // The beginning knows nothing of its arguments. Elsewhere an entry asks for what the other ways bring.
            let known_less = b.entry != 0 && (self.part == Part::Entry || !self.of.looks_ahead);
            b.types.fill(if known_less { Ty::Any } else { Ty::Unseen });
        }
        let mut left: Vec<usize> = (0..self.blocks.len()).filter(|&b| self.blocks[b].reached).collect();
        while let Some(b) = left.pop() {
            // What no way has brought yet contradicts nothing that others bring.
            let mut types = self.blocks[b].types.clone();
            let mut dirty = self.blocks[b].dirty.clone();
            let mut copies = Copies::new(registers);
            for i in self.blocks[b].instrs.clone() {
                self.transfer(i, &mut types, &mut dirty, &mut copies);
            }
            for s in self.successors(b).collect::<Vec<_>>() {
                let brought: Vec<Ty> = (0..registers).map(|r| self.brought(b, s, r, types[r])).collect();
                let block = &mut self.blocks[s];
                let first = !block.reached;
                let mut changed = first;
                block.reached = true;
                for r in 0..registers {
                    let merged = if block.live[r] { block.types[r].merge(brought[r]) } else { Ty::Any };
                    let stale = match self.writes_early {
                        true => dirty[r] && (first || block.dirty[r]),
                        false => block.dirty[r] || dirty[r],
                    };
                    changed |= merged != block.types[r] || stale != block.dirty[r];
                    (block.types[r], block.dirty[r]) = (merged, stale);
                }
                if changed && !left.contains(&s) {
                    left.push(s);
                }
            }
        }
    }

    /// What the instruction makes of what is known: the same that code is emitted for.
    fn transfer(&self, i: usize, types: &mut [Ty], dirty: &mut [bool], copies: &mut Copies) {
        let instr = &self.instrs[i];
        if self.is_step(i, types) {
            dirty.fill(false);
        }
        let plan = self.plan(i, types);
        let arrays = self.is_of_array(i, types);
        let result = match instr.op {
            Op::Move => types[instr.uses[0]],
            Op::LoadInt => Ty::Fixnum,
            Op::LoadSelf if self.this == This::Array => Ty::Array,
            Op::LoadLit if matches!(self.literal(i), Literal::Float(_)) => Ty::Float,
            Op::Size if arrays => Ty::Fixnum,
            op if gives_number(op) => match plan {
                Plan::Floats(..) => Ty::Float,
                Plan::Exact => Ty::Fixnum,
                Plan::Fixnums | Plan::Step => Ty::Any,
            },
            _ => Ty::Any,
        };
        let known = match plan {
            Plan::Exact => [Some(Ty::Fixnum); 2],
            Plan::Floats(l, r) => [known_of(l), known_of(r)],
            Plan::Fixnums | Plan::Step if arrays => {
                [Some(Ty::Array), matches!(instr.op, Op::Aref | Op::Aset).then_some(Ty::Fixnum)]
            }
            Plan::Fixnums | Plan::Step if self.is_attribute(i) => [Some(Ty::Cell), None],
            Plan::Fixnums | Plan::Step => [None; 2],
        };
        for (&u, known) in instr.uses.iter().zip(known) {
            let Some(known) = known else { continue };
            for r in [Some(u), copies.of(u).filter(|_| known != Ty::Float)].into_iter().flatten() {
                if self.tracked[r] {
                    types[r] = types[r].with(known);
                }
            }
        }
        for &d in &instr.defs {
            types[d] = if self.tracked[d] { result } else { Ty::Any };
            dirty[d] = self.tracked[d];
            copies.written(d);
        }
        if instr.op == Op::Move {
            copies.copied(instr.uses[0], instr.defs[0]);
        }
    }

    /// Is it a call that has met the attributes of one class, or members of one Struct, alone? The code is left where it is another one.
    pub fn is_attribute(&self, i: usize) -> bool {
        let instr = &self.instrs[i];
        if instr.op != Op::Call {
            return false;
        }
        let site = self.site(i);
        let known = match self.met(site) {
            Met::Reader | Met::Writer => true,
            Met::Intrinsic(def) => matches!(def.intrinsic, Intrinsic::StructGet(_) | Intrinsic::StructSet(_)),
            _ => false,
        };
        let expected = self.of.kinds.get(instr.at).is_some_and(|seen| seen & kind::OTHER == 0);
        known && expected && self.of.receivers.get(site) == Some(&1)
    }

    /// Is it an operation of Arrays alone, as far as is known? The code is left where it is something else's.
    pub fn is_of_array(&self, i: usize, types: &[Ty]) -> bool {
        let instr = &self.instrs[i];
        let seen = self.of.kinds.get(instr.at).copied().unwrap_or(0);
        let key = |n: usize| instr.uses.get(n).is_none_or(|&r| types[r] == Ty::Fixnum) || seen >> 4 == kind::FIXNUM;
        seen & 15 == kind::ARRAY
            && match instr.op {
                Op::Aref | Op::Aset => key(1),
                Op::ArefI | Op::Size | Op::EmptyP | Op::Shl => true,
                _ => false,
            }
    }

    /// How arithmetic or a comparison is done, whose operands are these.
    pub fn plan(&self, i: usize, types: &[Ty]) -> Plan {
        let instr = &self.instrs[i];
        let floats = may_be_float(instr.op);
        let equality = matches!(instr.op, Op::Eq | Op::Ne | Op::JmpEq | Op::JmpNe | Op::JmpEqI | Op::JmpNeI);
        let integers = matches!(instr.op, Op::Mod | Op::And | Op::Or | Op::Xor | Op::Shl | Op::Shr);
        if !floats && !equality && !integers {
            return Plan::Step;
        }
        let seen = self.of.kinds.get(instr.at).copied().unwrap_or(0);
        let operand = |n: usize| match instr.uses.get(n) {
            None => (Operand::Fixnum, true),
            Some(&r) => match (types[r], seen >> (4 * n) & 15) {
                (Ty::Fixnum, _) => (Operand::Fixnum, true),
                (Ty::Float, _) => (Operand::Float, true),
                (_, kind::FIXNUM) => (Operand::Fixnum, true),
                (_, kind::FLOAT) => (Operand::Float, true),
                (_, 0) => (Operand::Fixnum, false),
                (_, k) if k & kind::FIXNUM != 0 => (Operand::Mixed, true),
                _ => (Operand::Mixed, false),
            },
        };
        let (l, r) = (operand(0), operand(1));
        match (l, r) {
            ((Operand::Float, _), (Operand::Float | Operand::Fixnum, _))
            | ((Operand::Fixnum, _), (Operand::Float, _))
                if floats =>
            {
                // What was never seen beside a Float is taken for one.
                let l = if l == (Operand::Fixnum, false) { Operand::Float } else { l.0 };
                let r = if r == (Operand::Fixnum, false) { Operand::Float } else { r.0 };
                Plan::Floats(l, r)
            }
            ((Operand::Float, _), _) | (_, (Operand::Float, _)) => Plan::Step,
            ((Operand::Mixed, false), _) | (_, (Operand::Mixed, false)) => Plan::Step,
            ((Operand::Fixnum, a), (Operand::Fixnum, b)) if self.may_be_exact(i, a, b) => Plan::Exact,
            _ => Plan::Fixnums,
        }
    }

    /// Is the code left where operands that are taken for fixnums are none, or the result is none? `a` and `b`: they are known to be some, or
    /// have been so far.
    fn may_be_exact(&self, i: usize, a: bool, b: bool) -> bool {
        let seen = self.of.kinds.get(self.instrs[i].at).copied().unwrap_or(0);
        match self.instrs[i].op {
            // What is shifted out is seldom an exception.
            Op::Shl => false,
            // Integers are not what is compared most often.
            Op::Eq | Op::Ne | Op::JmpEq | Op::JmpNe | Op::JmpEqI | Op::JmpNeI => a && b,
            // Another result than a fixnum was noted as one of another operand.
            _ => !self.of.kinds.is_empty() && (seen | seen >> 4) & kind::OTHER == 0,
        }
    }
}

/// What an operand is known for behind arithmetic of Floats.
fn known_of(operand: Operand) -> Option<Ty> {
    match operand {
        Operand::Fixnum => Some(Ty::Fixnum),
        Operand::Float => Some(Ty::Float),
        Operand::Mixed => None,
    }
}

/// Arithmetic that gives a number.
fn gives_number(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Mod
            | Op::AddI
            | Op::SubI
            | Op::Neg
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Shr
    )
}

/// Arithmetic or a comparison that may be one of Floats.
fn may_be_float(op: Op) -> bool {
    matches!(
        op,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::AddI | Op::SubI | Op::Neg | Op::Lt | Op::Le | Op::Gt | Op::Ge
    ) || matches!(op, Op::JmpLt | Op::JmpLe | Op::JmpGt | Op::JmpGe | Op::JmpLtI | Op::JmpLeI | Op::JmpGtI | Op::JmpGeI)
}
