//! From a tree to instructions.

use asterism_support::encoding::Encoding;

use crate::analyse::{Facts, Lengths, any, children, places};
use crate::around::Around;
use crate::ast::{Anchor, Look, Node, Repeat, Text, UNBOUNDED};
use crate::error::{Error, Result, syntax};
use crate::factor::factored;
use crate::few::Few;
use crate::fold::Folding;
use crate::lead;
use crate::program::{
    BackRef, CharSet, Count, EmptyEnd, Inst, Lead, MemoPoint, Mode, Pc, Program, Scope, ScopeKind, Span, Split, Switch,
    Unit, Words,
};
use crate::property::word_set;
use crate::room::Room;
use crate::set::CodeSet;

/// Instructions up to which a repeat is spelled out.
const SPELLED: u64 = 40;
/// Most instructions of a pattern.
const MOST: usize = 50_000_000;
/// Levels of alternatives whose texts are put together.
const MOST_FACTORED: u32 = 16;
/// Alternatives that are not chosen from by the next byte.
const MOST_WAYS: usize = 2000;
/// Most states at one place that are memoised.
const MOST_STATES: u64 = 1 << 20;

/// A compiler at work.
pub struct Compiler<'a> {
    pub(crate) program: Program,
    facts: &'a Facts,
    room: &'a Room<'a>,
    lengths: Lengths<'a>,
    pub(crate) folding: Folding,
    /// One byte a character.
    single: bool,
    /// The scope that is being compiled.
    scope: Option<u32>,
    /// The counted loops around.
    counted: Vec<u32>,
    /// Where called groups begin, when they have been compiled.
    subs: Vec<Option<Pc>>,
    /// Calls to groups that have not.
    unset: Vec<(Pc, u32)>,
    /// Nothing that failures depend on has been seen.
    memoised: bool,
    /// In a look-behind, where no character becomes a sequence.
    pub(crate) behind: bool,
    /// How many alternatives whose texts were put together are around.
    factored: u32,
    /// How many loops whose iterations may be empty are around.
    checked: u32,
    /// What decides how groups here begin and end.
    around: Around,
}

/// Compiles a tree.
///
/// # Errors
/// `Error::Memory` if it takes more than it may, `Error::Ended` if nobody waits for it any more, `Error::Syntax` for a
/// reference to a group that there is not.
pub fn compile(
    node: &Node,
    groups: u32,
    facts: &Facts,
    encoding: Encoding,
    folding: Folding,
    ascii: bool,
    room: &Room<'_>,
) -> Result<Program> {
    let places = places(node, if facts.callees.is_empty() { 0 } else { groups });
    let single = ascii || encoding.is_single_byte();
    let mut compiler = Compiler {
        program: Program {
            code: Vec::new(),
            bytes: Vec::new(),
            sets: Vec::new(),
            splits: Vec::new(),
            switches: Few::new(),
            spans: Vec::new(),
            scopes: Few::new(),
            backs: Few::new(),
            counts: Few::new(),
            empties: Few::new(),
            empty_slots: 0,
            unnoted: Few::new(),
            groups,
            memo: Vec::new(),
            memo_width: 0,
            levels: false,
            calls: !facts.callees.is_empty(),
            notes_ends: !facts.callees.is_empty() || any(node, &notes_ends),
            asked: false,
            words: None,
            encoding,
            ascii,
        },
        facts,
        room,
        lengths: Lengths { places: &places, facts, within: None },
        folding,
        single,
        scope: None,
        counted: Vec::new(),
        subs: vec![None; groups as usize + 1],
        unset: Vec::new(),
        memoised: true,
        behind: false,
        factored: 0,
        checked: 0,
        around: Around::of(node, groups, !facts.callees.is_empty()),
    };
    let of_words = |n: &Node| matches!(n, Node::Anchor(Anchor::Word(_) | Anchor::NotWord(_)));
    if any(node, &of_words) {
        let wide = |n: &Node| matches!(n, Node::Anchor(Anchor::Word(false) | Anchor::NotWord(false)));
        let narrow = ascii || !any(node, &wide);
        let set = |ascii| CharSet::new(&word_set(encoding, ascii), single);
        compiler.program.words = Some(Box::new(Words { all: set(narrow), ascii: set(true) }));
    }
    compiler.node(node)?;
    compiler.push(Inst::Match)?;
    compiler.called_groups()?;
    compiler.finish()
}

impl Compiler<'_> {
    fn pc(&self) -> Pc {
        self.program.code.len() as Pc
    }

    pub(crate) fn push(&mut self, inst: Inst) -> Result<Pc> {
        let pc = self.pc();
        if self.program.code.len() >= MOST {
            return Err(Error::Memory);
        }
        self.room.take(size_of::<Inst>())?;
        self.program.code.try_reserve(1)?;
        self.program.code.push(inst);
        Ok(pc)
    }

    /// A point whose failures are memoised, here.
    fn point(&mut self) -> u32 {
        self.program.memo.push(MemoPoint { scope: self.scope, counts: self.counted.as_slice().into(), base: 0 });
        self.program.memo.len() as u32 - 1
    }

    fn set(&mut self, set: &CodeSet) -> u32 {
        let compiled = if self.program.ascii {
            let mut set = set.clone();
            set.intersect(&CodeSet::of_range(0, 127));
            CharSet::new(&set, true)
        } else {
            CharSet::new(set, self.single)
        };
        let recent = self.program.sets.len().saturating_sub(8);
        match self.program.sets[recent..].iter().position(|s| *s == compiled) {
            Some(i) => (recent + i) as u32,
            None => {
                // If that is too much, the instruction that is pushed next is refused.
                let _ = self.room.take(compiled.size());
                self.program.sets.push(compiled);
                self.program.sets.len() as u32 - 1
            }
        }
    }

    /// The instructions of a node.
    pub(crate) fn node(&mut self, node: &Node) -> Result<()> {
        let varies = u32::from(Around::varies(node));
        self.around.varied += varies;
        let done = self.node_within(node);
        self.around.varied -= varies;
        done
    }

    fn node_within(&mut self, node: &Node) -> Result<()> {
        match node {
            Node::Empty => {}
            Node::Text(text) if text.fold => self.folded(text)?,
            Node::Text(text) => self.text(&text.codes)?,
            Node::Class(set) => {
                if set.is_empty() {
                    self.push(Inst::Fail)?;
                } else {
                    let set = self.set(set);
                    self.push(Inst::Set(set))?;
                }
            }
            Node::Any(all) => {
                self.push(if *all { Inst::Any } else { Inst::NotNewline })?;
            }
            Node::Seq(nodes) => {
                for node in nodes {
                    self.node(node)?;
                }
            }
            Node::Alt(nodes) => self.alternatives(nodes)?,
            Node::Repeat(repeat) => self.repeat(repeat)?,
            Node::Capture(group, inner) => self.capture(*group, inner)?,
            Node::Atomic(inner) => {
                if let Node::Repeat(repeat) = &**inner
                    && repeat.greedy
                    && repeat.max == UNBOUNDED
                    && let Some(unit) = self.unit(&repeat.node)
                {
                    return self.span(unit, repeat, Mode::Possessive);
                }
                self.scoped(ScopeKind::Atomic, 0, inner)?;
            }
            Node::Look(look, inner) => self.look(*look, inner)?,
            Node::Absent(inner) => {
                self.memoised = false;
                self.push(Inst::AbsentBegin)?;
                let head = self.push(Inst::Absent(0))?;
                self.around.absent += 1;
                self.node(inner)?;
                self.around.absent -= 1;
                self.push(Inst::AbsentEnd)?;
                self.program.code[head as usize] = Inst::Absent(self.pc());
            }
            Node::Condition(condition) => {
                self.memoised = false;
                let head = self.push(Inst::Fail)?;
                self.node(&condition.yes)?;
                let jump = self.push(Inst::Fail)?;
                self.program.code[head as usize] = Inst::Condition(condition.group, self.pc());
                self.node(&condition.no)?;
                self.program.code[jump as usize] = Inst::Jump(self.pc());
            }
            Node::Back(back) => {
                self.memoised = false;
                self.program.levels |= back.level.is_some();
                let groups = back.groups.clone().into();
                self.program.backs.push(BackRef { groups, level: back.level, fold: back.fold });
                let index = self.program.backs.len() as u32 - 1;
                self.push(Inst::Back(index))?;
            }
            Node::Call(call) => self.call(self.facts.callees[*call])?,
            Node::Anchor(anchor) => {
                self.push(Inst::Anchor(*anchor))?;
            }
            Node::Keep => {
                self.push(Inst::Keep)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, group: u32) -> Result<()> {
        self.memoised = false;
        let pc = self.push(Inst::Call(self.subs[group as usize].unwrap_or(0)))?;
        if self.subs[group as usize].is_none() {
            self.unset.push((pc, group));
        }
        Ok(())
    }

    fn capture(&mut self, group: u32, inner: &Node) -> Result<()> {
        if self.facts.called.get(group as usize) == Some(&true) {
            return self.call(group);
        }
        // A group that is called by nobody may contain a call of what is around it.
        let nested = self.facts.recursive.get(group as usize) == Some(&true);
        let (open, close) = self.around.brackets(group, nested);
        self.program.asked |= matches!(open, Inst::OpenAnew(_));
        if !nested && self.checked > 0 && !self.around.notes(group) && !self.program.unnoted.contains(&group) {
            self.program.unnoted.push(group);
        }
        self.push(open)?;
        self.node(inner)?;
        self.push(close)?;
        Ok(())
    }

    /// The groups that are called, each once, behind everything else.
    fn called_groups(&mut self) -> Result<()> {
        while let Some((pc, group)) = self.unset.pop() {
            let index = group as usize;
            let begin = match self.subs[index] {
                Some(begin) => begin,
                None => {
                    let begin = self.pc();
                    self.subs[index] = Some(begin);
                    let Some(Node::Capture(_, inner)) = self.lengths.places[index] else {
                        return syntax("undefined group reference");
                    };
                    let nested = self.facts.recursive[index];
                    self.around.varied += 1;
                    let (open, close) = self.around.brackets(group, nested);
                    self.program.asked |= matches!(open, Inst::OpenAnew(_));
                    if group > 0 {
                        self.push(open)?;
                    }
                    self.node(inner)?;
                    if group > 0 {
                        self.push(close)?;
                    }
                    self.around.varied -= 1;
                    self.push(Inst::Return)?;
                    begin
                }
            };
            self.program.code[pc as usize] = Inst::Call(begin);
        }
        Ok(())
    }

    fn split(&mut self, first: Pc, second: Pc) -> Inst {
        let memo = self.point();
        self.program.splits.push(Split { first, second, first_bytes: Lead::ANY, second_bytes: Lead::ANY, memo });
        Inst::Split(self.program.splits.len() as u32 - 1)
    }

    fn patch(&mut self, split: Inst, first: Option<Pc>, second: Option<Pc>) {
        let Inst::Split(index) = split else { return };
        let split = &mut self.program.splits[index as usize];
        split.first = first.unwrap_or(split.first);
        split.second = second.unwrap_or(split.second);
    }

    fn alternatives(&mut self, nodes: &[Node]) -> Result<()> {
        if self.factored < MOST_FACTORED
            && let Some(nodes) = factored(nodes)
        {
            self.factored += 1;
            let done = self.alternatives_as_they_are(&nodes);
            self.factored -= 1;
            return done;
        }
        self.alternatives_as_they_are(nodes)
    }

    fn alternatives_as_they_are(&mut self, nodes: &[Node]) -> Result<()> {
        if nodes.len() > 2 && nodes.len() < MOST_WAYS && self.program.encoding.min_len() == 1 {
            return self.switch(nodes);
        }
        let mut jumps = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            if i + 1 < nodes.len() {
                let split = self.split(0, 0);
                self.push(split)?;
                self.patch(split, Some(self.pc()), None);
                self.node(node)?;
                jumps.push(self.push(Inst::Fail)?);
                self.patch(split, None, Some(self.pc()));
            } else {
                self.node(node)?;
            }
        }
        for jump in jumps {
            self.program.code[jump as usize] = Inst::Jump(self.pc());
        }
        Ok(())
    }

    fn switch(&mut self, nodes: &[Node]) -> Result<()> {
        let memo = self.point();
        let index = self.program.switches.len();
        // The table is made when all that follows is known.
        self.program.switches.push(Switch {
            by_byte: Box::default(),
            lists: Box::default(),
            at_end: (0, 0),
            ways: Box::default(),
            memo,
        });
        self.push(Inst::Switch(index as u32))?;
        let mut ways = Vec::new();
        let mut jumps = Vec::new();
        for node in nodes {
            ways.push(self.pc());
            self.node(node)?;
            jumps.push(self.push(Inst::Fail)?);
        }
        for jump in jumps {
            self.program.code[jump as usize] = Inst::Jump(self.pc());
        }
        self.program.switches[index].ways = ways.into();
        Ok(())
    }

    /// The characters that a node matches one of, if that is what it does.
    fn unit(&mut self, node: &Node) -> Option<Unit> {
        match node {
            Node::Any(true) => Some(Unit::Any),
            Node::Any(false) => Some(Unit::NotNewline),
            Node::Class(set) if !set.is_empty() => Some(Unit::Set(self.set(set))),
            Node::Text(Text { codes, fold }) => match codes[..] {
                [code] if self.program.ascii && code >= 0x80 => None,
                [code] if !fold => Some(Unit::Set(self.set(&CodeSet::of_range(code, code)))),
                [code] if self.folding.fold(code).codes().len() == 1 => {
                    let mut all = self.folding.unfold(self.folding.fold(code).codes());
                    all.push(code);
                    let set = CodeSet::of_ranges(all.into_iter().map(|c| (c, c)));
                    Some(Unit::Set(self.set(&set)))
                }
                _ => None,
            },
            Node::Seq(nodes) => match &nodes[..] {
                [one] => self.unit(one),
                _ => None,
            },
            _ => None,
        }
    }

    fn span(&mut self, unit: Unit, repeat: &Repeat, mode: Mode) -> Result<()> {
        let memo = self.point();
        let span = Span { unit, min: repeat.min, max: repeat.max, mode, next: Lead::ANY, apart: false, memo };
        self.program.spans.push(span);
        let index = self.program.spans.len() as u32 - 1;
        self.push(Inst::Span(index))?;
        Ok(())
    }

    fn repeat(&mut self, repeat: &Repeat) -> Result<()> {
        if repeat.max == 0 {
            return Ok(());
        }
        if let Some(unit) = self.unit(&repeat.node) {
            let mode = if repeat.greedy { Mode::Greedy } else { Mode::Lazy };
            return self.span(unit, repeat, mode);
        }
        let may_be_empty = self.lengths.min(&repeat.node) == 0;
        let size = cost(&repeat.node);
        if repeat.max == UNBOUNDED {
            return match repeat.min {
                0 => self.star(repeat, may_be_empty, false),
                1 if may_be_empty && size > SPELLED => self.star(repeat, may_be_empty, true),
                1 if !may_be_empty => {
                    let body = self.pc();
                    self.node(&repeat.node)?;
                    self.plus(repeat, body)
                }
                n if size.saturating_mul(u64::from(n)) <= SPELLED => {
                    for _ in 0..n {
                        self.node(&repeat.node)?;
                    }
                    self.star(repeat, may_be_empty, false)
                }
                _ => self.counted(repeat, may_be_empty),
            };
        }
        // Loops look at what groups within matched before (`iteration`), and CRuby spells no lazy repeat out.
        let asks = !repeat.greedy && may_be_empty && remembers(&repeat.node);
        if repeat.max > 1 && (asks || size.saturating_mul(repeat.max.into()) > SPELLED) {
            return self.counted(repeat, may_be_empty);
        }
        for _ in 0..repeat.min {
            self.node(&repeat.node)?;
        }
        self.optional(repeat, repeat.max - repeat.min)
    }

    /// `x?` nested so many times.
    fn optional(&mut self, repeat: &Repeat, times: u32) -> Result<()> {
        let mut splits = Vec::new();
        for _ in 0..times {
            let split = self.split(0, 0);
            self.push(split)?;
            let here = self.pc();
            if repeat.greedy {
                self.patch(split, Some(here), None);
            } else {
                self.patch(split, None, Some(here));
            }
            splits.push(split);
            self.node(&repeat.node)?;
        }
        let end = self.pc();
        for split in splits {
            if repeat.greedy {
                self.patch(split, None, Some(end));
            } else {
                self.patch(split, Some(end), None);
            }
        }
        Ok(())
    }

    /// Behind the body: back to it as often as it goes.
    fn plus(&mut self, repeat: &Repeat, body: Pc) -> Result<()> {
        let split = self.split(body, body);
        self.push(split)?;
        let end = self.pc();
        if repeat.greedy {
            self.patch(split, None, Some(end));
        } else {
            self.patch(split, Some(end), None);
        }
        Ok(())
    }

    /// A loop; `enter`: its first iteration is not optional.
    fn star(&mut self, repeat: &Repeat, may_be_empty: bool, enter: bool) -> Result<()> {
        if enter {
            let over = self.pc() + 2;
            self.push(Inst::Jump(over))?;
        }
        let split = self.split(0, 0);
        let head = self.push(split)?;
        let body = self.pc();
        let check = self.iteration(&repeat.node, may_be_empty)?;
        self.push(Inst::Jump(head))?;
        let end = self.pc();
        if repeat.greedy {
            self.patch(split, Some(body), Some(end));
        } else {
            self.patch(split, Some(end), Some(body));
        }
        self.exit_to(check, end);
        Ok(())
    }

    /// The body of a loop, with a check for iterations that match nothing.
    fn iteration(&mut self, node: &Node, may_be_empty: bool) -> Result<Option<usize>> {
        if !may_be_empty {
            self.node(node)?;
            return Ok(None);
        }
        let slot = self.program.empty_slots;
        self.program.empty_slots += 1;
        let captures = remembers(node);
        self.push(Inst::EmptyBegin(slot))?;
        self.checked += 1;
        let done = self.node(node);
        self.checked -= 1;
        done?;
        self.program.empties.push(EmptyEnd { slot, exit: 0, captures });
        let index = self.program.empties.len() - 1;
        self.push(Inst::EmptyEnd(index as u32))?;
        Ok(Some(index))
    }

    fn exit_to(&mut self, check: Option<usize>, exit: Pc) {
        if let Some(index) = check {
            self.program.empties[index].exit = exit;
        }
    }

    fn counted(&mut self, repeat: &Repeat, may_be_empty: bool) -> Result<()> {
        let index = self.program.counts.len() as u32;
        let (min, max, greedy) = (repeat.min, repeat.max, repeat.greedy);
        self.program.counts.push(Count { counter: index, min, max, greedy, exit: 0, memo: 0 });
        self.push(Inst::CountBegin(index))?;
        self.counted.push(index);
        let memo = self.point();
        let head = self.push(Inst::Count(index))?;
        let check = self.iteration(&repeat.node, may_be_empty)?;
        self.push(Inst::Jump(head))?;
        self.counted.pop();
        let end = self.pc();
        let count = &mut self.program.counts[index as usize];
        (count.exit, count.memo) = (end, memo);
        self.exit_to(check, end);
        Ok(())
    }

    fn scoped(&mut self, kind: ScopeKind, behind: u32, inner: &Node) -> Result<()> {
        let memo = self.point();
        let captures = any(inner, &|n| matches!(n, Node::Capture(..) | Node::Call(_) | Node::Keep));
        let index = self.program.scopes.len() as u32;
        self.program.scopes.push(Scope { kind, behind, next: 0, captures, memo });
        self.push(Inst::Scope(index))?;
        let around = self.scope.replace(index);
        self.node(inner)?;
        self.scope = around;
        self.push(Inst::ScopeEnd(index))?;
        self.program.scopes[index as usize].next = self.pc();
        Ok(())
    }

    fn look(&mut self, look: Look, inner: &Node) -> Result<()> {
        match look {
            Look::Ahead => self.scoped(ScopeKind::Look, 0, inner),
            Look::NotAhead => self.scoped(ScopeKind::NotLook, 0, inner),
            Look::Behind | Look::NotBehind => {
                let lengths = self.lengths.behind(inner)?;
                let around = std::mem::replace(&mut self.behind, true);
                let done = self.look_behind(look, inner, &lengths);
                self.behind = around;
                done
            }
        }
    }

    fn look_behind(&mut self, look: Look, inner: &Node, lengths: &[u32]) -> Result<()> {
        let kind = if look == Look::Behind { ScopeKind::Look } else { ScopeKind::NotLook };
        let (Node::Alt(nodes), true) = (inner, lengths.len() > 1) else {
            return self.scoped(kind, lengths.first().copied().unwrap_or(0), inner);
        };
        // Alternatives of different lengths: one of them, or none.
        let mut jumps = Vec::new();
        for (i, (node, length)) in nodes.iter().zip(lengths).enumerate() {
            if look == Look::Behind && i + 1 < nodes.len() {
                let split = self.split(0, 0);
                self.push(split)?;
                self.patch(split, Some(self.pc()), None);
                self.scoped(kind, *length, node)?;
                jumps.push(self.push(Inst::Fail)?);
                self.patch(split, None, Some(self.pc()));
            } else {
                self.scoped(kind, *length, node)?;
            }
        }
        for jump in jumps {
            self.program.code[jump as usize] = Inst::Jump(self.pc());
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Program> {
        lead::fill(&mut self.program);
        let program = &mut self.program;
        program.fit();
        if !self.memoised {
            program.memo.clear();
            return Ok(self.program);
        }
        let mut width = 0u64;
        for point in &mut program.memo {
            point.base = width;
            let states = point
                .counts
                .iter()
                .try_fold(1u64, |n, c| n.checked_mul(program.counts[*c as usize].states()))
                .filter(|n| *n <= MOST_STATES);
            width = width.saturating_add(states.unwrap_or(MOST_STATES * 2));
        }
        if width > MOST_STATES {
            program.memo.clear();
        } else {
            program.memo_width = width;
        }
        Ok(self.program)
    }
}

/// Must it be noted where a group ended before it ended again?
fn notes_ends(node: &Node) -> bool {
    match node {
        Node::Absent(_) => true,
        Node::Back(back) => back.level.is_some(),
        _ => false,
    }
}

/// Does it have groups, not counting those in look-arounds?
fn remembers(node: &Node) -> bool {
    match node {
        Node::Capture(..) | Node::Call(_) => true,
        Node::Look(..) => false,
        Node::Repeat(repeat) if repeat.max == 0 => false,
        _ => children(node).any(remembers),
    }
}

/// Roughly how many instructions a node has; no more than is needed to know that it is long.
fn cost(node: &Node) -> u64 {
    let sum = |nodes: &[Node]| {
        let mut sum = 0u64;
        for node in nodes {
            sum += cost(node);
            if sum > SPELLED {
                break;
            }
        }
        sum
    };
    match node {
        Node::Text(text) if text.fold => text.codes.len() as u64,
        Node::Seq(nodes) => sum(nodes),
        Node::Alt(nodes) => sum(nodes) + 2 * nodes.len() as u64,
        Node::Repeat(repeat) => {
            let times = if repeat.max == UNBOUNDED { repeat.min.saturating_add(1) } else { repeat.max };
            let each = cost(&repeat.node) + 2;
            let all = each.saturating_mul(times.into());
            if all > SPELLED { each + 4 } else { all }
        }
        Node::Capture(_, n) | Node::Atomic(n) | Node::Look(_, n) | Node::Absent(n) => cost(n) + 2,
        Node::Condition(condition) => cost(&condition.yes) + cost(&condition.no) + 3,
        _ => 1,
    }
}
