//! The backtracking machine: tries the ways of a pattern in their order, remembers on a stack of its own what is left
//! to try, and counts its steps.
//!
//! When a search takes long it begins to memoise: a point of the program that has failed at a place is not tried
//! there again. Failures depend on the place (and on counters) only, unless the pattern has backreferences, calls,
//! conditions or absent operators; for points in look-arounds and atomic groups it is also remembered that they led to
//! their scope's end.

use crate::ast::Anchor;
use crate::coding::Coding;
use crate::program::{Inst, Pc, Program, Scope, ScopeKind, Unit};
use crate::scratch::{DEFAULT_LIMIT, Frame, NOWHERE, Scratch};

/// What an attempt came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A match: the slots say where.
    Match,
    /// None.
    NoMatch,
    /// It took more steps than allowed.
    OutOfSteps,
    /// The stack grew too big.
    StackOverflow,
    /// No memory.
    Memory,
    /// It goes on memoising.
    Memoise,
    /// An automaton should go on.
    GiveWay,
}

/// What a search may take.
pub struct Limits<'a> {
    /// Steps before somebody is asked.
    pub steps: u64,
    /// Asked every so many steps whether to go on; without it the search ends there.
    pub go_on: Option<&'a mut dyn FnMut() -> bool>,
}

/// A machine at work on a subject.
pub struct Machine<'a, 'l, C> {
    /// What it runs.
    pub program: &'a Program,
    /// The subject.
    pub text: &'a [u8],
    /// Its characters.
    pub coding: C,
    /// Where the search began: `\G`.
    pub search_begin: usize,
    /// Its memory.
    pub scratch: &'a mut Scratch,
    /// What it may take.
    pub limits: &'a mut Limits<'l>,
    /// Steps until it looks up.
    pub fuel: i64,
    /// What it had of them when it began or last looked up.
    loaded: i64,
    /// Steps so far, at the last look.
    pub spent: u64,
    /// Steps from which on it memoises, or gives way to an automaton.
    pub patience: u64,
    /// It memoises.
    pub memoising: bool,
    /// An automaton can go on.
    pub automaton: bool,
    pub(crate) pc: Pc,
    pub(crate) pos: usize,
    pub(crate) keep: u32,
    /// What may be matched ends here: within `(?~…)` before the subject's end.
    pub(crate) end: usize,
    pub(crate) current: u32,
    /// What must be absent matched nothing at the subject's beginning.
    pub(crate) absent_at_begin: bool,
    /// Groups were opened or closed when there was no way to go back to: the next attempt forgets them.
    pub(crate) marked: bool,
}

/// Steps between two looks.
const QUANTUM: i64 = 4096;

/// What follows from a rare instruction.
pub(crate) enum Next {
    Go(Pc, usize),
    Fail,
    Stop(Verdict),
}

/// Makes it so many times a value; `None` without memory.
#[inline]
fn fill<T: Copy>(list: &mut Vec<T>, count: usize, value: T) -> Option<()> {
    if list.len() == count {
        // To write nothing where there is no memory takes some processors long: a masked store that would fault.
        if count > 0 {
            list.fill(value);
        }
        return Some(());
    }
    list.clear();
    list.try_reserve(count).ok()?;
    list.resize(count, value);
    Some(())
}

impl<'a, 'l, C: Coding> Machine<'a, 'l, C> {
    /// A machine for one search.
    ///
    /// # Errors
    /// `None` if there is no memory for it.
    #[inline(always)]
    pub fn new(
        program: &'a Program,
        text: &'a [u8],
        coding: C,
        search_begin: usize,
        scratch: &'a mut Scratch,
        limits: &'a mut Limits<'l>,
    ) -> Option<Machine<'a, 'l, C>> {
        let slots = (program.groups as usize + 1) * 2;
        scratch.stack.clear();
        fill(&mut scratch.slots, slots, NOWHERE)?;
        fill(&mut scratch.counters, program.counts.len(), 0)?;
        fill(&mut scratch.empties, program.empty_slots as usize, (NOWHERE, 0))?;
        scratch.calls.clear();
        scratch.saved.clear();
        let patience = 4 * text.len() as u64 + 2000;
        let fuel = QUANTUM.min(i64::try_from(limits.steps).unwrap_or(QUANTUM)).max(1);
        Some(Machine {
            program,
            text,
            coding,
            search_begin,
            scratch,
            limits,
            fuel,
            loaded: fuel,
            spent: 0,
            patience,
            memoising: false,
            automaton: false,
            pc: 0,
            pos: 0,
            keep: 0,
            end: text.len(),
            current: NOWHERE,
            absent_at_begin: false,
            marked: false,
        })
    }

    /// Tries a match that begins at `begin`.
    pub fn attempt(&mut self, begin: usize) -> Verdict {
        self.pc = 0;
        self.pos = begin;
        self.keep = begin as u32;
        self.end = self.text.len();
        if self.marked {
            self.marked = false;
            self.scratch.slots.fill(NOWHERE);
        }
        loop {
            let verdict = if self.memoising { self.run::<true>() } else { self.run::<false>() };
            match verdict {
                Verdict::Memoise => self.memoising = true,
                other => return other,
            }
        }
    }

    /// Forgets an attempt that has not come to its end.
    pub fn reset(&mut self) {
        let scratch = &mut *self.scratch;
        scratch.stack.clear();
        scratch.slots.fill(NOWHERE);
        scratch.counters.fill(0);
        scratch.empties.fill((NOWHERE, 0));
        scratch.calls.clear();
        scratch.saved.clear();
        self.current = NOWHERE;
        self.absent_at_begin = false;
    }

    /// Counts steps that were taken elsewhere; false if there are to be no more.
    pub fn spend(&mut self, steps: u64) -> bool {
        self.fuel -= i64::try_from(steps).unwrap_or(i64::MAX / 2);
        if self.fuel > 0 {
            return true;
        }
        if !self.may_go_on() {
            return false;
        }
        if self.spent > self.patience && !self.memoising {
            // Who runs the instructions looks up at the next one.
            (self.fuel, self.loaded) = (0, 0);
        }
        true
    }

    /// Asks whether to go on.
    #[cold]
    fn may_go_on(&mut self) -> bool {
        self.spent += (self.loaded - self.fuel) as u64;
        (self.fuel, self.loaded) = (QUANTUM, QUANTUM);
        if self.spent >= self.limits.steps {
            match &mut self.limits.go_on {
                None => return false,
                Some(go_on) => {
                    if !go_on() {
                        return false;
                    }
                    self.limits.steps = self.spent + 4 * QUANTUM as u64;
                }
            }
        }
        true
    }

    /// Looks up from work: `None` to go on.
    #[cold]
    fn look_up(&mut self) -> Option<Verdict> {
        if !self.may_go_on() {
            return Some(Verdict::OutOfSteps);
        }
        if self.spent > self.patience && !self.memoising {
            if self.automaton {
                return Some(Verdict::GiveWay);
            }
            self.patience = u64::MAX;
            if self.start_memo() {
                return Some(Verdict::Memoise);
            }
        }
        None
    }

    /// Makes room for one more frame.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow(&mut self) -> Result<(), Verdict> {
        let stack = &mut self.scratch.stack;
        let more = stack.len().max(64);
        if (stack.len() + more) * size_of::<Frame>() > self.scratch.limit {
            // Where memory is limited it is the limit.
            let limited = self.scratch.limit < DEFAULT_LIMIT;
            return Err(if limited { Verdict::Memory } else { Verdict::StackOverflow });
        }
        stack.try_reserve_exact(more).map_err(|_| Verdict::Memory)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, frame: Frame) -> Result<(), Verdict> {
        if self.scratch.stack.len() == self.scratch.stack.capacity() {
            self.grow()?;
        }
        self.scratch.stack.push(frame);
        Ok(())
    }

    /// Undoes what a frame stands for, if it stands for that only.
    #[inline(always)]
    pub(crate) fn undo(&mut self, frame: Frame) {
        match frame {
            Frame::Slot { slot, old } => self.scratch.slots[slot as usize] = old,
            Frame::Group { group, begin, end } => {
                let i = group as usize * 2;
                self.scratch.slots[i] = begin;
                self.scratch.slots[i + 1] = end;
            }
            Frame::Counter { index, old } => self.scratch.counters[index as usize] = old,
            Frame::Empty { slot, pos, depth } => self.scratch.empties[slot as usize] = (pos, depth),
            Frame::Call { current, count } | Frame::Return { current, count } | Frame::Nest { current, count } => {
                self.current = current;
                self.scratch.calls.truncate(count as usize);
            }
            Frame::Keep { old } => self.keep = old,
            _ => {}
        }
    }

    /// Goes back to the last way that is left. False if none is.
    #[inline(always)]
    fn back<const MEMO: bool>(&mut self) -> Result<bool, Verdict> {
        while let Some(frame) = self.scratch.stack.pop() {
            match frame {
                Frame::Alt { pc, pos } => {
                    self.pc = pc;
                    self.pos = pos as usize;
                    return Ok(true);
                }
                Frame::Back { pc, low, pos } => {
                    let Inst::Span(index) = self.program.code[pc as usize] else { continue };
                    let span = &self.program.spans[index as usize];
                    let before = self.coding.before(self.text, pos as usize);
                    if let Some(at) = self.give_way(span, low as usize, before)? {
                        if at > low as usize {
                            // There is room: a frame has just been taken.
                            self.scratch.stack.push(Frame::Back { pc, low, pos: at as u32 });
                        }
                        self.pc = pc + 1;
                        self.pos = at;
                        return Ok(true);
                    }
                }
                Frame::More { pc, pos, count } => {
                    if self.more::<MEMO>(pc, pos as usize, count)? {
                        return Ok(true);
                    }
                }
                Frame::Again { index, pc, pos } => {
                    let n = self.scratch.counters[index as usize];
                    self.push(Frame::Counter { index, old: n })?;
                    self.scratch.counters[index as usize] = n.saturating_add(1);
                    self.pc = pc;
                    self.pos = pos as usize;
                    return Ok(true);
                }
                Frame::NotLook { scope, pos } => {
                    self.pc = self.program.scopes[scope as usize].next;
                    self.pos = pos as usize;
                    return Ok(true);
                }
                Frame::Memo { point, pos } if MEMO => self.mark_failed(point, pos),
                Frame::MemoCut { point, pos } if MEMO => self.mark_passed(point, pos),
                other => self.undo(other),
            }
        }
        Ok(false)
    }

    /// The length of the character at a place if the unit has it.
    #[inline(always)]
    pub(crate) fn unit(&self, unit: Unit, at: usize) -> Option<usize> {
        if at >= self.end {
            return None;
        }
        match unit {
            Unit::Any => Some(self.coding.len(self.text, at)),
            Unit::NotNewline => self.not_newline(at),
            Unit::Set(set) => self.coding.matches(&self.program.sets[set as usize], self.text, at),
        }
    }

    #[inline(always)]
    fn not_newline(&self, at: usize) -> Option<usize> {
        if C::PLAIN_ASCII {
            return (self.text[at] != b'\n').then(|| self.coding.len(self.text, at));
        }
        let (code, len) = self.coding.code(self.text, at);
        (code != 10).then_some(len)
    }

    fn run<const MEMO: bool>(&mut self) -> Verdict {
        let program = self.program;
        let text = self.text;
        macro_rules! fail {
            () => {{
                match self.back::<MEMO>() {
                    Ok(true) => {}
                    Ok(false) => return Verdict::NoMatch,
                    Err(verdict) => return verdict,
                }
                self.fuel -= 1;
                if self.fuel <= 0
                    && let Some(verdict) = self.look_up()
                {
                    return verdict;
                }
                continue;
            }};
        }
        macro_rules! push {
            ($frame:expr) => {
                if let Err(verdict) = self.push($frame) {
                    return verdict;
                }
            };
        }
        loop {
            let pc = self.pc;
            let pos = self.pos;
            match program.code[pc as usize] {
                Inst::Byte(b) => {
                    if pos < self.end && text[pos] == b {
                        self.pos += 1;
                        self.pc += 1;
                    } else {
                        fail!();
                    }
                }
                Inst::Bytes(begin, len) => {
                    let bytes = &program.bytes[begin as usize..(begin + len) as usize];
                    if self.end - pos >= bytes.len() && text[pos..].starts_with(bytes) {
                        self.pos += bytes.len();
                        self.pc += 1;
                    } else {
                        fail!();
                    }
                }
                Inst::Set(set) => match self.unit(Unit::Set(set), pos) {
                    Some(n) => {
                        self.pos += n;
                        self.pc += 1;
                    }
                    None => fail!(),
                },
                Inst::Any | Inst::NotNewline => {
                    let unit = if program.code[pc as usize] == Inst::Any { Unit::Any } else { Unit::NotNewline };
                    match self.unit(unit, pos) {
                        Some(n) => {
                            self.pos += n;
                            self.pc += 1;
                        }
                        None => fail!(),
                    }
                }
                Inst::Span(index) => {
                    let span = &program.spans[index as usize];
                    let next = if MEMO { self.span_memo(span) } else { self.span(span) };
                    match next {
                        Ok(true) => {}
                        Ok(false) => fail!(),
                        Err(verdict) => return verdict,
                    }
                }
                Inst::Jump(to) => {
                    self.pc = to;
                    self.fuel -= 1;
                    if self.fuel <= 0
                        && let Some(verdict) = self.look_up()
                    {
                        return verdict;
                    }
                }
                Inst::Split(index) => {
                    let split = &program.splits[index as usize];
                    let next = text.get(pos).filter(|_| pos < self.end);
                    if MEMO {
                        match self.enter(split.memo, pos as u32) {
                            Ok(true) => {}
                            Ok(false) => fail!(),
                            Err(verdict) => return verdict,
                        }
                        if self.pc != pc {
                            continue;
                        }
                    }
                    if !split.first_bytes.allows(next) {
                        self.pc = split.second;
                    } else {
                        if split.second_bytes.allows(next) {
                            push!(Frame::Alt { pc: split.second, pos: pos as u32 });
                        }
                        self.pc = split.first;
                    }
                }
                Inst::Switch(index) => match self.switch::<MEMO>(index, pc, pos) {
                    Ok(true) => {}
                    Ok(false) => fail!(),
                    Err(verdict) => return verdict,
                },
                Inst::Open(_) | Inst::Close(_) | Inst::OpenAnew(_) => {
                    if let Err(verdict) = self.group(program.code[pc as usize], pos) {
                        return verdict;
                    }
                    self.pc += 1;
                }
                Inst::Anchor(anchor) => {
                    if self.at_anchor(anchor, pos) {
                        self.pc += 1;
                    } else {
                        fail!();
                    }
                }
                Inst::Fail => fail!(),
                Inst::Match => {
                    self.scratch.slots[0] = self.keep.min(pos as u32);
                    self.scratch.slots[1] = pos as u32;
                    return Verdict::Match;
                }
                inst => match self.rare::<MEMO>(inst, pc, pos) {
                    Next::Go(pc, pos) => (self.pc, self.pos) = (pc, pos),
                    Next::Fail => fail!(),
                    Next::Stop(verdict) => return verdict,
                },
            }
        }
    }

    /// Opens or closes a group. Where nothing is left to go back to, what was before is not noted.
    #[inline(always)]
    fn group(&mut self, inst: Inst, pos: usize) -> Result<(), Verdict> {
        let (group, end) = match inst {
            Inst::Open(group) | Inst::OpenAnew(group) => (group, false),
            Inst::Close(group) => (group, true),
            _ => return Ok(()),
        };
        let i = group as usize * 2;
        let (begin, old) = (self.scratch.slots[i], self.scratch.slots[i + 1]);
        if self.scratch.stack.is_empty() {
            self.marked = true;
        } else if !end {
            self.push(Frame::Group { group, begin, end: old })?;
        } else if self.program.notes_ends {
            self.push(Frame::Slot { slot: group * 2 + 1, old })?;
        }
        self.scratch.slots[i + usize::from(end)] = pos as u32;
        if matches!(inst, Inst::OpenAnew(_)) {
            self.scratch.slots[i + 1] = NOWHERE;
        }
        if self.program.levels {
            self.push(Frame::Level { group, pos: pos as u32, end })?;
        }
        Ok(())
    }

    /// Goes the first of the ways that the next byte allows; false if there is none.
    #[inline(always)]
    fn switch<const MEMO: bool>(&mut self, index: u32, pc: Pc, pos: usize) -> Result<bool, Verdict> {
        let program = self.program;
        let switch = &program.switches[index as usize];
        if MEMO {
            if !self.enter(switch.memo, pos as u32)? {
                return Ok(false);
            }
            if self.pc != pc {
                return Ok(true);
            }
        }
        let (begin, end) = if pos < self.end {
            switch.lists[usize::from(switch.by_byte[usize::from(self.text[pos])])]
        } else {
            switch.at_end
        };
        let Some((first, rest)) = switch.ways[begin as usize..end as usize].split_first() else { return Ok(false) };
        for way in rest.iter().rev() {
            self.push(Frame::Alt { pc: *way, pos: pos as u32 })?;
        }
        self.pc = *first;
        Ok(true)
    }

    /// A word's character before `pos`, and at it.
    fn word_around(&self, ascii: bool, pos: usize) -> (bool, bool) {
        let Some(words) = &self.program.words else { return (false, false) };
        let set = if ascii { &words.ascii } else { &words.all };
        let before = pos > 0 && {
            let at = self.coding.before(self.text, pos);
            self.coding.matches(set, self.text, at).is_some()
        };
        let here = pos < self.text.len() && self.coding.matches(set, self.text, pos).is_some();
        (before, here)
    }

    fn newline_at(&self, pos: usize) -> bool {
        if C::PLAIN_ASCII { self.text[pos] == b'\n' } else { self.coding.code(self.text, pos).0 == 10 }
    }

    pub(crate) fn at_anchor(&self, anchor: Anchor, pos: usize) -> bool {
        let end = self.text.len();
        match anchor {
            Anchor::TextBegin => pos == 0,
            Anchor::TextEnd => pos == end,
            Anchor::TextEndNewline => {
                pos == end || self.newline_at(pos) && pos + self.coding.len(self.text, pos) == end
            }
            Anchor::LineBegin => pos == 0 || pos < end && self.newline_at(self.coding.before(self.text, pos)),
            Anchor::LineEnd => pos == end || self.newline_at(pos),
            Anchor::SearchBegin => pos == self.search_begin,
            Anchor::Word(ascii) => {
                let (before, here) = self.word_around(ascii, pos);
                before != here
            }
            Anchor::NotWord(ascii) => {
                let (before, here) = self.word_around(ascii, pos);
                before == here
            }
        }
    }

    /// The scope of a point's frames, for whoever cuts them.
    pub(crate) fn scope(&self, index: u32) -> Scope {
        self.program.scopes[index as usize]
    }

    /// Is it a scope that keeps the ways of before?
    pub(crate) fn is_mark(frame: &Frame, index: u32, kind: ScopeKind) -> bool {
        match frame {
            Frame::Scope { scope, .. } => *scope == index && kind != ScopeKind::NotLook,
            Frame::NotLook { scope, .. } => *scope == index && kind == ScopeKind::NotLook,
            _ => false,
        }
    }
}
