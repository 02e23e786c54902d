//! Building one `Code`: registers, labels, instructions, tables of literals and sites.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use asterism_symbol::Sym;

use crate::analysis::ScopeKind;
use crate::child::Child;
use crate::code::{
    CallSite, Changes, Code, CodeKind, ConstSite, Handler, Held, IvarSite, Literal, Local, Mark, Params, RUBY_IN_CRUBY,
    flags,
};
use crate::coverage::Counted;
use crate::errors::{CompileError, R};
use crate::machine::Machine;
use crate::opcode::{Op, second, word, word_bc};
use crate::operand::Place;
use crate::regions::Control;

/// A place in the code that jumps lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(usize);

enum PatchKind {
    /// Bits 32.. of word 1.
    Wide,
    /// Bits 32.. of word 2.
    Second,
    /// Bits 48.. of word 1.
    Short,
}

struct Patch {
    at: usize,
    kind: PatchKind,
    label: Label,
}

/// Key of literals that are worth sharing.
#[derive(PartialEq, Eq, Hash)]
enum LitKey {
    Int(i64),
    Float(u64),
    Str(Box<[u8]>, u8, Changes),
    Sym(Sym),
}

/// Most words of one code; an `ensure` is compiled once for each way out of it, so that a small source
/// can make a large code.
const MAX_WORDS: usize = 1 << 24;

/// From this many call sites on, calls of the same kind share one.
const MOST_OWN_SITES: usize = 1 << 15;

/// So many literals get the numbers in their order.
const MOST_SMALL_LITERALS: usize = 1 << 15;

fn lit_key(literal: &Literal) -> Option<LitKey> {
    match literal {
        Literal::Int(n) => Some(LitKey::Int(*n)),
        Literal::Float(f) => Some(LitKey::Float(f.to_bits())),
        Literal::Str(b, e, f) => Some(LitKey::Str(b.clone(), *e, *f)),
        Literal::Sym(s) => Some(LitKey::Sym(*s)),
        _ => None,
    }
}

/// A `Code` in the making.
pub(crate) struct Func<'pr> {
    pub(crate) kind: CodeKind,
    pub(crate) scope: ScopeKind,
    pub(crate) name: Sym,
    pub(crate) label: String,
    pub(crate) first_line: u32,
    pub(crate) line: u32,
    words: Vec<u64>,
    lines: Vec<(u32, u32)>,
    marks: Vec<Mark>,
    /// The line of the last statement that was marked.
    marked: u32,
    /// Line of the last token.
    pub(crate) end_line: u32,
    pub(crate) params: Params,
    pub(crate) locals: Vec<Local>,
    pub(crate) names: HashMap<Sym, u16>,
    next: u32,
    high: u32,
    literals: Vec<Literal>,
    lit_index: HashMap<LitKey, u32>,
    /// Numbers of literals that are kept for operands of 16 bits.
    reserved: Range<u32>,
    sites: Vec<CallSite>,
    /// Sites that further calls of the same kind share, once there are many.
    shared_sites: HashMap<(Sym, u16, u16), u16>,
    ivars: Vec<IvarSite>,
    ivar_index: HashMap<(Sym, bool), u16>,
    consts: Vec<ConstSite>,
    const_index: HashMap<(Box<[Sym]>, bool), u32>,
    once_cells: u16,
    children: Vec<Arc<Code>>,
    pub(crate) handlers: Vec<Handler>,
    /// Where `ensure` clauses lie.
    pub(crate) ensures: Vec<(u32, u32)>,
    labels: Vec<Option<usize>>,
    patches: Vec<Patch>,
    /// Loops, `ensure`s and rescue bodies around the present place, innermost last.
    pub(crate) control: Vec<Control<'pr>>,
    pub(crate) uses_block: bool,
    /// The block parameter's name, while reads of it are `BlockParam` instructions.
    pub(crate) lazy_block: Option<Sym>,
    /// Start of a block's body, for `redo`.
    pub(crate) body_start: Option<Label>,
    pub(crate) data_offset: Option<usize>,
    /// A class body out of which a `break`, `next` or `redo` of the code around leads: its value is an Array for
    /// `Compiler::go_on_after_body`.
    pub(crate) left_early: bool,
    /// What it counts in, if it is measured.
    pub(crate) counted: Option<Counted>,
    /// The line of the last statement whose beginning is counted.
    counted_line: u32,
    /// The next instruction begins a line that is counted.
    line_begins: bool,
    /// The lines that are counted.
    pub(crate) counted_lines: Vec<u32>,
}

impl<'pr> Func<'pr> {
    pub(crate) fn new(kind: CodeKind, scope: ScopeKind, name: Sym, label: String, line: u32) -> Self {
        Func {
            kind,
            scope,
            name,
            label,
            first_line: line,
            line,
            words: Vec::new(),
            lines: Vec::new(),
            marks: Vec::new(),
            marked: u32::MAX,
            end_line: line,
            params: Params::default(),
            locals: Vec::new(),
            names: HashMap::new(),
            next: 0,
            high: 0,
            literals: Vec::new(),
            lit_index: HashMap::new(),
            reserved: 0..0,
            sites: Vec::new(),
            shared_sites: HashMap::new(),
            ivars: Vec::new(),
            ivar_index: HashMap::new(),
            consts: Vec::new(),
            const_index: HashMap::new(),
            once_cells: 0,
            children: Vec::new(),
            handlers: Vec::new(),
            ensures: Vec::new(),
            labels: Vec::new(),
            patches: Vec::new(),
            control: Vec::new(),
            uses_block: false,
            lazy_block: None,
            body_start: None,
            data_offset: None,
            left_early: false,
            counted: None,
            counted_line: 0,
            line_begins: false,
            counted_lines: Vec::new(),
        }
    }

    pub(crate) fn limit<T>(&self, what: &str) -> R<T> {
        Err(CompileError::Limit { message: format!("too many {what}"), line: self.line as i32 })
    }

    // ---- registers --------------------------------------------------------------------------

    /// Adds a local slot. Only before the first temporary.
    pub(crate) fn add_local(&mut self, name: Sym, captured: bool) -> R<u16> {
        let slot = self.small(self.locals.len(), "local variables")?;
        self.locals.push(Local { name, captured });
        if name != asterism_symbol::sym::EMPTY {
            self.names.entry(name).or_insert(slot);
        }
        self.next = self.locals.len() as u32;
        self.high = self.high.max(self.next);
        Ok(slot)
    }

    /// Adds a local that the compiler knows by `name` but the program does not.
    pub(crate) fn add_hidden(&mut self, name: Sym, captured: bool) -> R {
        let slot = self.add_local(asterism_symbol::sym::EMPTY, captured)?;
        self.names.insert(name, slot);
        Ok(())
    }

    /// A new temporary.
    pub(crate) fn temp(&mut self) -> R<u16> {
        let register = u16::try_from(self.next).ok().filter(|&r| r < u16::MAX - 1);
        let Some(register) = register else {
            return self.limit("registers needed");
        };
        self.next += 1;
        self.high = self.high.max(self.next);
        Ok(register)
    }

    pub(crate) fn mark(&self) -> u32 {
        self.next
    }

    pub(crate) fn release(&mut self, mark: u32) {
        self.next = mark;
    }

    /// Whether `register` is a local variable that must keep its value until an expression is complete.
    pub(crate) fn is_local(&self, register: u16) -> bool {
        usize::from(register) < self.locals.len()
    }

    fn small(&self, n: usize, what: &str) -> R<u16> {
        match u16::try_from(n) {
            Ok(n) if n < u16::MAX => Ok(n),
            _ => self.limit(what),
        }
    }

    // ---- instructions -----------------------------------------------------------------------

    pub(crate) fn here(&self) -> u32 {
        self.words.len() as u32
    }

    /// A statement begins on `line`: a tracer is told of that, once for what begins on the same line one after the other. Of
    /// those that begin with the same instruction the innermost one counts.
    pub(crate) fn mark_line(&mut self, line: u32) {
        if self.marked == line {
            return;
        }
        self.marked = line;
        let pc = self.here();
        match self.marks.last_mut() {
            Some(last) if last.pc == pc && last.line != Mark::RESCUED => last.line = line,
            _ => self.marks.push(Mark { pc, line }),
        }
    }

    /// The body of a `rescue` clause begins.
    pub(crate) fn mark_rescued(&mut self) {
        let pc = self.here();
        self.marks.push(Mark { pc, line: Mark::RESCUED });
        self.begin_line();
    }

    /// What comes next is reached by a jump: its line is told a tracer and counted even if the code before has the same one.
    pub(crate) fn begin_line(&mut self) {
        self.marked = u32::MAX;
        self.counted_line = 0;
    }

    /// A statement that begins on `line` is counted: with the line of its first instruction, once for what begins on the same line one
    /// after the other.
    pub(crate) fn count_line(&mut self, line: u32) {
        if self.counted_line != line {
            self.counted_line = line;
            self.line_begins |= line > 0;
        }
    }

    /// A statement that begins on `line` comes next, and is not counted.
    pub(crate) fn leave_uncounted(&mut self, line: u32) {
        self.counted_line = line;
    }

    /// Counts the line that begins here, if one does. Whoever asks for the place of an instruction does so before.
    pub(crate) fn begin_counted(&mut self) -> R {
        if !std::mem::take(&mut self.line_begins) || self.line == 0 {
            return Ok(());
        }
        self.counted_lines.push(self.line);
        self.push_word(word_bc(Op::CountLine, 0, 0, self.line))
    }

    fn push(&mut self, w: u64) -> R {
        self.begin_counted()?;
        self.push_word(w)
    }

    fn push_word(&mut self, w: u64) -> R {
        if self.words.len() >= MAX_WORDS {
            return self.limit("instructions");
        }
        let line = self.line;
        if self.lines.last().map_or(self.first_line, |l| l.1) != line {
            let pc = self.words.len() as u32;
            match self.lines.last_mut() {
                Some(last) if last.0 == pc => last.1 = line,
                _ => self.lines.push((pc, line)),
            }
        }
        self.words.push(w);
        Ok(())
    }

    pub(crate) fn emit(&mut self, op: Op, a: u16, b: u16, c: u16) -> R {
        self.emit_x(op, 0, a, b, c)
    }

    pub(crate) fn emit_x(&mut self, op: Op, x: u8, a: u16, b: u16, c: u16) -> R {
        debug_assert!(op.words() == 1 && !op.has(Place::Bc), "{op:?}");
        self.push(word(op, x, a, b, c))
    }

    pub(crate) fn emit_bc(&mut self, op: Op, a: u16, bc: u32) -> R {
        debug_assert!(op.words() == 1 && op.has(Place::Bc), "{op:?}");
        self.push(word_bc(op, 0, a, bc))
    }

    /// An instruction of two words.
    pub(crate) fn emit2(&mut self, op: Op, x: u8, abc: (u16, u16, u16), lo: u32, hi: u32) -> R {
        debug_assert!(op.words() == 2, "{op:?}");
        let line = self.line;
        self.push(word(op, x, abc.0, abc.1, abc.2))?;
        self.push(second(lo, hi))?;
        self.line = line;
        Ok(())
    }

    pub(crate) fn mov(&mut self, to: u16, from: u16) -> R {
        if to == from { Ok(()) } else { self.emit(Op::Move, to, from, 0) }
    }

    // ---- labels -----------------------------------------------------------------------------

    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub(crate) fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.words.len());
    }

    /// Does it lie at or before the present place?
    pub(crate) fn is_bound(&self, label: Label) -> bool {
        self.labels[label.0].is_some()
    }

    /// A label at the present place.
    pub(crate) fn bound(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// A jump (`Jmp`, `Loop`, `JmpIf` …), on `register` if it tests one.
    pub(crate) fn jump(&mut self, op: Op, register: u16, label: Label) -> R {
        self.begin_counted()?;
        self.patches.push(Patch { at: self.words.len(), kind: PatchKind::Wide, label });
        self.emit_bc(op, register, 0)
    }

    /// A fused compare-and-branch.
    pub(crate) fn jump_compare(&mut self, op: Op, when: bool, a: u16, b: u16, site: u32, label: Label) -> R {
        self.begin_counted()?;
        self.patches.push(Patch { at: self.words.len(), kind: PatchKind::Second, label });
        self.emit2(op, u8::from(when), (a, b, 0), site, 0)
    }

    /// `Once`: r[a] = value of the cell, and jump, if it is set.
    pub(crate) fn jump_once(&mut self, a: u16, cell: u16, label: Label) -> R {
        self.begin_counted()?;
        self.patches.push(Patch { at: self.words.len(), kind: PatchKind::Short, label });
        self.emit(Op::Once, a, cell, 0)
    }

    /// Where a jump to `label` ends up, past plain jumps that lie there and are not the beginning of a statement.
    fn target(&self, label: Label, jumps: &HashMap<usize, Label>) -> Option<usize> {
        let mut target = self.labels[label.0]?;
        // Plain jumps lead forward, so this ends; long chains are not worth following.
        for _ in 0..16 {
            let Some(next) = jumps.get(&target) else {
                break;
            };
            if self.marks.binary_search_by_key(&target, |mark| mark.pc as usize).is_ok() {
                break;
            }
            target = self.labels[next.0]?;
        }
        Some(target)
    }

    fn apply_patches(&mut self) -> R {
        let patches = std::mem::take(&mut self.patches);
        let is_plain = |p: &&Patch| self.words[p.at] as u8 == Op::Jmp as u8;
        let jumps: HashMap<usize, Label> = patches.iter().filter(is_plain).map(|p| (p.at, p.label)).collect();
        for patch in patches {
            let Some(target) = self.target(patch.label, &jumps) else {
                return self.limit("unbound labels (a defect of the compiler)");
            };
            let size = if matches!(patch.kind, PatchKind::Second) { 2 } else { 1 };
            let offset = target as i64 - (patch.at + size) as i64;
            let wide = u64::from(offset as i32 as u32) << 32;
            match patch.kind {
                PatchKind::Wide => self.words[patch.at] |= wide,
                PatchKind::Second => self.words[patch.at + 1] |= wide,
                PatchKind::Short => {
                    let Ok(short) = i16::try_from(offset) else {
                        return self.limit("instructions in an expression that is evaluated once");
                    };
                    self.words[patch.at] |= u64::from(short as u16) << 48;
                }
            }
        }
        Ok(())
    }

    // ---- tables -----------------------------------------------------------------------------

    /// The number of a literal for an operand of 16 bits.
    pub(crate) fn literal(&mut self, literal: Literal) -> R<u16> {
        let key = lit_key(&literal);
        if let Some(&found) = key.as_ref().and_then(|k| self.lit_index.get(k))
            && let Ok(found) = self.small(found as usize, "literals")
        {
            return Ok(found);
        }
        let index = match self.reserved.next() {
            Some(index) => {
                self.literals[index as usize] = literal;
                index
            }
            None => {
                self.literals.push(literal);
                self.literals.len() as u32 - 1
            }
        };
        if let Some(key) = key {
            self.lit_index.insert(key, index);
        }
        self.small(index as usize, "literals")
    }

    /// The number of a literal for an operand of 32 bits. Where there are many, some small numbers are kept for the
    /// operands of 16 bits.
    pub(crate) fn wide_literal(&mut self, literal: Literal) -> R<u32> {
        let key = lit_key(&literal);
        if let Some(&found) = key.as_ref().and_then(|k| self.lit_index.get(k)) {
            return Ok(found);
        }
        let length = self.literals.len();
        if self.reserved.end == 0 && (MOST_SMALL_LITERALS..usize::from(u16::MAX)).contains(&length) {
            self.reserved = length as u32..u32::from(u16::MAX);
            self.literals.resize(usize::from(u16::MAX), Literal::Int(0));
        }
        // Each is loaded by an instruction, and those are bounded.
        let index = self.literals.len() as u32;
        self.literals.push(literal);
        if let Some(key) = key {
            self.lit_index.insert(key, index);
        }
        Ok(index)
    }

    pub(crate) fn sym_literal(&mut self, name: Sym) -> R<u16> {
        self.literal(Literal::Sym(name))
    }

    /// A site, which is the call's own in all but the longest codes: the operand has 16 bits, and one cache serves
    /// several calls, only less well.
    pub(crate) fn site(&mut self, site: CallSite) -> R<u16> {
        if self.sites.len() >= MOST_OWN_SITES && site.keywords.is_empty() && site.block.is_none() {
            let next = self.sites.len();
            let index = *self.shared_sites.entry((site.name, site.argc, site.flags)).or_insert(next as u16);
            if usize::from(index) < next {
                return Ok(index);
            }
        }
        let index = self.small(self.sites.len(), "calls")?;
        self.sites.push(site);
        Ok(index)
    }

    /// A site for calls of `name` without arguments that no other call shares, if there is one left besides that of the call that it belongs
    /// to: what an inline cache has of a call that is written, `new` or a protected method, is not what a Symbol calls.
    pub(crate) fn own_site(&mut self, name: Sym) -> Option<u16> {
        (self.sites.len() + 1 < MOST_OWN_SITES).then(|| self.plain_site(name, 0, 0).ok()).flatten()
    }

    /// A site without blocks, keywords and such.
    pub(crate) fn plain_site(&mut self, name: Sym, argc: u16, flags: u16) -> R<u16> {
        self.site(CallSite { name, argc, flags, keywords: Box::new([]), block: None, symbol: None })
    }

    /// The site of a read or a write of `name`. The two never share one: what a write remembers of an object that
    /// lacks the variable is not where to read it.
    pub(crate) fn ivar(&mut self, name: Sym, write: bool) -> R<u16> {
        if let Some(&found) = self.ivar_index.get(&(name, write)) {
            return Ok(found);
        }
        let index = self.small(self.ivars.len(), "instance variables")?;
        self.ivars.push(IvarSite { name });
        self.ivar_index.insert((name, write), index);
        Ok(index)
    }

    pub(crate) fn constant(&mut self, path: Box<[Sym]>, absolute: bool) -> R<u32> {
        if let Some(&found) = self.const_index.get(&(path.clone(), absolute)) {
            return Ok(found);
        }
        let index = self.consts.len() as u32;
        self.consts.push(ConstSite { path: path.clone(), absolute });
        self.const_index.insert((path, absolute), index);
        Ok(index)
    }

    pub(crate) fn once_cell(&mut self) -> R<u16> {
        let cell = self.once_cells;
        match cell.checked_add(1) {
            Some(n) => {
                self.once_cells = n;
                Ok(cell)
            }
            None => self.limit("once-only expressions"),
        }
    }

    pub(crate) fn child(&mut self, code: Arc<Code>) -> R<u16> {
        let index = self.small(self.children.len(), "nested blocks and definitions")?;
        self.children.push(code);
        Ok(index)
    }

    /// The finished code.
    pub(crate) fn finish(mut self, file: Arc<str>, internal: bool) -> R<Code> {
        self.apply_patches()?;
        if internal && !RUBY_IN_CRUBY.contains(&&*file) {
            // The implementation calls what a program has made private as well, be it in Ruby or not; and nothing that it calls is
            // taken for a variable that is missing.
            self.sites.iter_mut().for_each(|site| site.flags = site.flags & !flags::VCALL | flags::FCALL);
        }
        let Ok(registers) = u16::try_from(self.high) else {
            return self.limit("registers needed");
        };
        Ok(Code {
            kind: self.kind,
            name: self.name,
            label: self.label.into(),
            file,
            line: self.first_line,
            words: self.words.into(),
            lines: self.lines.into(),
            marks: if internal { Box::default() } else { self.marks.into() },
            end_line: self.end_line,
            params: self.params,
            locals: self.locals.into(),
            registers,
            literals: self.literals.into(),
            call_sites: self.sites.into(),
            ivar_sites: self.ivars.into(),
            const_sites: self.consts.into(),
            once_cells: self.once_cells,
            children: self.children.into_iter().map(Child::from).collect(),
            handlers: self.handlers.into(),
            ensures: self.ensures.into(),
            internal,
            uses_block: self.uses_block,
            lambda: self.scope == ScopeKind::Lambda,
            data_offset: self.data_offset,
            counted: self.counted.map(Box::new),
            machine: Machine::default(),
            held: Held::default(),
        })
    }
}
