//! What is found out of bytecode before machine code is made of it: its blocks, which registers are needed later, and which
//! hold Floats as plain numbers.

use asterism_compiler::code::{Code, CodeKind, HandlerKind, Literal, flags};
use asterism_compiler::opcode::Op;
use asterism_compiler::operand::{Kind, Place, signed};
use asterism_vm::jit::heat::kind;
use asterism_vm::jit::{Met, Part, Request, Target};

use crate::inlined::Inlined;
use crate::leading::{self, Leading};
use crate::parts::{Called, Limits};
use crate::types::{Ahead, This, Ty};

/// A set of registers.
pub type Set = Vec<bool>;

/// An instruction.
pub struct Instr {
    /// The number of its first word.
    pub at: usize,
    /// Its opcode.
    pub op: Op,
    /// Registers it reads.
    pub uses: Vec<usize>,
    /// Registers it writes whatever happens.
    pub defs: Vec<usize>,
    /// The word it may jump to.
    pub target: Option<usize>,
    /// It may go on with the next instruction.
    pub falls: bool,
    /// A jump backwards.
    pub backward: bool,
}

impl Instr {
    /// The number of the word behind it.
    pub fn next(&self) -> usize {
        self.at + self.op.words()
    }
}

/// A block: instructions that are executed one after the other.
pub struct Block {
    /// Its instructions, by number.
    pub instrs: std::ops::Range<usize>,
    /// What is needed at its beginning.
    pub live: Set,
    /// What is known at its beginning.
    pub types: Vec<Ty>,
    /// Registers whose value in memory may be an old one at its beginning.
    pub dirty: Set,
    /// It can be reached.
    pub reached: bool,
    /// The number under which it is entered, or 0.
    pub entry: u16,
}

/// A piece of code, taken apart.
pub struct Analysis<'c> {
    /// The code.
    pub code: &'c Code,
    /// The same, and what is known of how it runs.
    pub of: &'c Target,
    /// Which part is asked for.
    pub part: Part,
    /// Conditions fail at random; see `Jit::stress`.
    pub stress: bool,
    /// Its instructions.
    pub instrs: Vec<Instr>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// The block that begins at each word, if one does.
    pub block_at: Vec<Option<usize>>,
    /// Registers that are kept in machine registers: all but captured locals.
    pub tracked: Set,
    /// What is needed behind each instruction.
    pub live_after: Vec<Set>,
    /// A block of the code may become a Proc, by which all locals can be seen.
    pub exposed: bool,
    /// The beginnings of what its call sites have met, which are executed in place.
    pub leading: Vec<Option<Leading>>,
    /// The code that its call sites have met and that becomes a part of it (see `crate::parts`).
    pub parts: Vec<Option<Box<Called<'c>>>>,
    /// The code that its call sites have met and that is inlined.
    pub inlined: Vec<Option<Box<Inlined<'c>>>>,
    /// See `write_early`.
    pub(crate) writes_early: bool,
    /// What is asked for where a loop is entered (see `crate::types`).
    pub(crate) ahead: Ahead,
    /// What `self` is taken for.
    pub this: This,
}

/// The registers that a call reads from `base` on.
fn call_uses(code: &Code, op: Op, base: usize, site: usize) -> Vec<usize> {
    let site = &code.call_sites[site];
    let extra = usize::from(site.flags & flags::KW_SPLAT != 0) + usize::from(site.flags & flags::BLOCK_ARG != 0);
    let count = usize::from(site.argc) + site.keywords.len() + extra;
    let receiver = !matches!(op, Op::CallSelf | Op::Super | Op::Yield);
    (base + usize::from(!receiver)..base + 1 + count).collect()
}

/// The instruction at word `at`.
pub fn decode(code: &Code, at: usize) -> Option<Instr> {
    let words = &code.words[at..];
    let op = Op::from_u8(words[0] as u8)?;
    let value = |k: Kind| op.info().operands.iter().find(|f| f.kind == k).map(|f| f.place.read(words) as usize);
    let counted: usize =
        op.info().operands.iter().filter(|f| f.kind == Kind::Count).map(|f| f.place.read(words) as usize).sum();
    let (mut uses, mut defs, mut target, mut backward) = (Vec::new(), Vec::new(), None, false);
    for field in op.info().operands {
        let n = field.place.read(words) as usize;
        match field.kind {
            Kind::Dst if op == Op::Once => {}
            Kind::Dst => {
                if op == Op::DefSingleton {
                    uses.push(n);
                }
                defs.push(n);
            }
            Kind::Reg | Kind::Param => uses.push(n),
            Kind::MaybeReg if n != 0 => uses.push(n),
            Kind::Pair => uses.extend([n, n + 1]),
            Kind::Base => match value(Kind::Site) {
                Some(site) => uses.extend(call_uses(code, op, n, site)),
                None if op == Op::Destructure => defs.extend(n..n + counted),
                None => uses.extend(n..n + counted),
            },
            Kind::Jump => {
                let offset = i64::from(signed_part(field.place, words));
                backward = offset < 0;
                target = Some(usize::try_from((at + op.words()) as i64 + offset).ok()?);
            }
            _ => {}
        }
    }
    let falls =
        !matches!(op, Op::Jmp | Op::Loop | Op::Return | Op::ReturnFar | Op::Break | Op::Rethrow | Op::RaiseNoMatch);
    Some(Instr { at, op, uses, defs, target, falls, backward })
}

/// A jump's offset.
fn signed_part(place: Place, words: &[u64]) -> i32 {
    signed(place.read(words), place.width())
}

/// May a frame be pushed by it, whose end goes on behind it?
pub fn calls(op: Op) -> bool {
    matches!(op, Op::Call | Op::CallSelf | Op::Super | Op::Yield)
}

impl<'c> Analysis<'c> {
    /// Takes the code apart. `None`: it is nothing that is compiled.
    pub fn of_request(request: &'c Request) -> Option<Analysis<'c>> {
        let mut this = Analysis::of(&request.of, request.part, request.stress)?;
        this.find_parts(&mut Limits::new(!request.tells));
        Some(this)
    }

    /// Takes code apart, and nothing that it calls.
    pub fn of(of: &'c Target, part: Part, stress: bool) -> Option<Analysis<'c>> {
        let code: &Code = &of.code;
        let mut instrs = Vec::new();
        let mut at = 0;
        while at < code.words.len() {
            let instr = decode(code, at)?;
            at = instr.next();
            instrs.push(instr);
        }
        let tracked =
            (0..usize::from(code.registers)).map(|r| !code.locals.get(r).is_some_and(|l| l.captured)).collect();
        let mut this = Analysis {
            code,
            of,
            part,
            stress,
            instrs,
            blocks: Vec::new(),
            block_at: vec![None; code.words.len() + 1],
            tracked,
            live_after: Vec::new(),
            exposed: !code.children.is_empty(),
            leading: leading::of_sites(code, &of.calls, &of.targets),
            parts: Vec::new(),
            inlined: Vec::new(),
            writes_early: false,
            ahead: Ahead::default(),
            this: This::Any,
        };
        this.find_blocks();
        this.find_live();
        this.this = this.find_this();
        this.find_types();
        Some(this)
    }

    fn find_blocks(&mut self) {
        let len = self.code.words.len();
        let resume = self.part == Part::Resume;
        let (mut leads, mut enters) = (vec![false; len + 1], vec![false; len + 1]);
        leads[0] = true;
        for (i, instr) in self.instrs.iter().enumerate() {
            if let Some(target) = instr.target {
                leads[target] = true;
                leads[instr.next()] = true;
                enters[target] |= instr.backward;
            }
            if !instr.falls {
                leads[instr.next()] = true;
            }
            if resume && (calls(instr.op) || self.is_ruby_operator(i)) && i + 1 < self.instrs.len() {
                for to in [instr.next()].into_iter().chain(instr.target) {
                    leads[to] = true;
                    enters[to] = true;
                }
            }
        }
        for handler in &self.code.handlers {
            leads[handler.target as usize] = true;
            enters[handler.target as usize] = true;
        }
        let registers = usize::from(self.code.registers);
        let starts: Vec<usize> = (0..self.instrs.len()).filter(|&i| leads[self.instrs[i].at]).collect();
        let mut entries = 0;
        for (n, &first) in starts.iter().enumerate() {
            let end = starts.get(n + 1).copied().unwrap_or(self.instrs.len());
            let at = self.instrs[first].at;
            let entered = if resume { enters[at] } else { at == 0 };
            entries += u16::from(entered);
            self.block_at[at] = Some(n);
            self.blocks.push(Block {
                instrs: first..end,
                live: vec![false; registers],
                types: vec![Ty::Unseen; registers],
                dirty: vec![false; registers],
                reached: entered,
                entry: if entered { entries } else { 0 },
            });
        }
    }

    /// The blocks that may follow the last instruction of block `b`.
    pub fn successors(&self, b: usize) -> impl Iterator<Item = usize> + '_ {
        let last = &self.instrs[self.blocks[b].instrs.end - 1];
        let next = last.falls.then(|| self.block_at[last.next()]).flatten();
        last.target.and_then(|t| self.block_at[t]).into_iter().chain(next)
    }

    fn find_live(&mut self) {
        let registers = usize::from(self.code.registers);
        self.live_after = vec![vec![false; registers]; self.instrs.len()];
        loop {
            let mut changed = false;
            for b in (0..self.blocks.len()).rev() {
                let mut live = vec![false; registers];
                for s in self.successors(b).collect::<Vec<_>>() {
                    join(&mut live, &self.blocks[s].live);
                }
                for i in self.blocks[b].instrs.clone().rev() {
                    let at = self.instrs[i].at as u32;
                    self.join_caught(&mut live, at);
                    self.live_after[i].clone_from(&live);
                    for &r in &self.instrs[i].defs {
                        live[r] = false;
                    }
                    for &r in &self.instrs[i].uses {
                        live[r] = true;
                    }
                    // Whoever handles an exception needs what was there before the instruction.
                    self.join_caught(&mut live, at);
                }
                if live != self.blocks[b].live {
                    self.blocks[b].live = live;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Is there something to be done here, an `ensure` clause or the rest of a `rescue` clause, where a jump out of the code passes the
    /// instruction at word `at`?
    pub fn is_ensured(&self, at: usize) -> bool {
        let mut handlers = self.code.handlers.iter();
        handlers.any(|h| h.kind == HandlerKind::Ensure && (h.start as usize..h.end as usize).contains(&at))
    }

    /// Adds what the handlers of exceptions at the word `at` need.
    fn join_caught(&self, live: &mut Set, at: u32) {
        for handler in &self.code.handlers {
            if (handler.start..handler.end).contains(&at)
                && let Some(target) = self.block_at[handler.target as usize]
            {
                let mut caught = self.blocks[target].live.clone();
                caught[usize::from(handler.reg)] = false;
                caught[usize::from(handler.reg) + 1] = false;
                join(live, &caught);
            }
        }
    }

    /// Registers are written to memory where ways meet, unless all of them bring an older value: what a loop does not change is not
    /// written in each round then. Code without Floats, which would have to be made for that.
    pub fn write_early(&mut self) {
        if self.has_floats() {
            return;
        }
        self.writes_early = true;
        self.find_types();
    }

    /// Is there arithmetic of Floats in it?
    pub fn has_floats(&self) -> bool {
        let floats = kind::FLOAT | kind::FLOAT << 4;
        let own = self.instrs.iter().any(|i| self.of.kinds.get(i.at).is_some_and(|kinds| kinds & floats != 0));
        let parts = || self.parts.iter().flatten().flat_map(|called| called.all());
        let mut inlined = self.inlined.iter().flatten();
        own || parts().any(Analysis::has_floats) || inlined.any(|inlined| inlined.callee.has_floats())
    }

    /// The literal that a `LoadLit` loads.
    pub fn literal(&self, i: usize) -> &Literal {
        &self.code.literals[(self.code.words[self.instrs[i].at] >> 32) as usize]
    }

    /// Are all registers in memory behind it? Saying so too rarely costs stores; where it is said, they have to be.
    pub(crate) fn is_step(&self, i: usize, _types: &[Ty]) -> bool {
        let instr = &self.instrs[i];
        let call = matches!(instr.op, Op::Call | Op::CallSelf | Op::Super);
        let intrinsic = || matches!(self.of.calls.get(self.site(i)), Some(Met::Intrinsic(_)));
        let in_place = call && (self.leading_of(i).is_some() || self.is_inlined(i) || intrinsic());
        calls(instr.op) && !in_place
    }

    /// What call site `site` has met.
    pub fn met(&self, site: usize) -> Met {
        self.of.calls.get(site).copied().unwrap_or(Met::Other)
    }

    /// Does instruction `i` copy an Array for a call alone that takes its elements, with nothing but moves between them?
    pub fn is_for_spread(&self, i: usize) -> bool {
        let moves = |j: &usize| self.instrs.get(*j).is_some_and(|instr| instr.op == Op::Move);
        let call = (i + 1..).find(|j| !moves(j)).unwrap_or(i);
        self.spread_copy(call) == Some(i)
    }

    /// The instruction that copies an Array for call `i` alone, which takes its elements.
    pub fn spread_copy(&self, i: usize) -> Option<usize> {
        self.instrs.get(i).filter(|instr| matches!(instr.op, Op::Call | Op::CallSelf | Op::Super))?;
        let copy = (0..i).rev().find(|&j| self.instrs[j].op != Op::Move)?;
        let list = self.spread_of(i);
        let whole = (copy + 1..=i).all(|j| self.block_at[self.instrs[j].at].is_none());
        let kept = (copy + 1..i).any(|j| self.instrs[j].uses.contains(&list) || self.instrs[j].defs.contains(&list));
        let copies = self.instrs[copy].op == Op::SplatArray && self.instrs[copy].defs[0] == list;
        let alone = copies && !kept && list >= self.code.locals.len() && !self.live_after[i][list];
        (whole && alone && matches!(self.met(self.site(i)), Met::Spread | Met::ProcSpread)).then_some(copy)
    }

    /// The register with the Array of arguments of call `i`.
    pub fn spread_of(&self, i: usize) -> usize {
        usize::from((self.code.words[self.instrs[i].at] >> 16) as u16) + 1
    }

    /// Is instruction `i` always executed by the interpreter, which goes on behind it?
    pub fn is_plain_step(&self, i: usize) -> bool {
        let instr = &self.instrs[i];
        let plain = match instr.op {
            Op::Intern | Op::ArraySplat | Op::ArrayAppend | Op::HashMerge => true,
            Op::Super => {
                // In a block the interpreter has to see whether that is a method's body.
                let implicit = self.code.call_sites[self.site(i)].flags & flags::ZSUPER != 0;
                implicit && self.code.kind != CodeKind::Method
            }
            _ => false,
        };
        plain && instr.target.is_none() && instr.falls
    }

    /// The call site of instruction `i`, which has one.
    pub fn site(&self, i: usize) -> usize {
        let (op, at) = (self.instrs[i].op, self.instrs[i].at);
        match calls(op) {
            true => (self.code.words[at] >> 48) as usize,
            false => self.code.words[at + 1] as u32 as usize,
        }
    }

    /// Is it an operator, or a jump by one, whose site has met Ruby code?
    pub fn is_ruby_operator(&self, i: usize) -> bool {
        let operands = &self.instrs[i].op.info().operands;
        let sent = !calls(self.instrs[i].op) && operands.iter().any(|f| f.kind == Kind::Site && f.place == Place::Lo);
        sent && self.of.calls.get(self.site(i)) == Some(&Met::Ruby)
    }

    /// The beginning of what call or operator `i` has met, if that is executed in place.
    pub fn leading_of(&self, i: usize) -> Option<&Leading> {
        self.leading.get(self.site(i))?.as_ref()
    }
}

fn join(into: &mut Set, other: &Set) {
    for (a, b) in into.iter_mut().zip(other) {
        *a |= b;
    }
}
