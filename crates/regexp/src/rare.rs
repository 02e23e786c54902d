//! The machine's rarer instructions.

use crate::backtrack::{Machine, Next, Verdict};
use crate::coding::Coding;
use crate::fold::Folding;
use crate::program::{BackRef, EmptyEnd, Inst, Pc, ScopeKind};
use crate::scratch::{Activation, Frame, NOWHERE};

macro_rules! push {
    ($machine:expr, $frame:expr) => {
        if let Err(verdict) = $machine.push($frame) {
            return Next::Stop(verdict);
        }
    };
}

macro_rules! enter {
    ($machine:expr, $point:expr, $pc:expr, $pos:expr) => {
        match $machine.enter($point, $pos as u32) {
            Ok(true) if $machine.pc != $pc => return Next::Go($machine.pc, $pos),
            Ok(true) => {}
            Ok(false) => return Next::Fail,
            Err(verdict) => return Next::Stop(verdict),
        }
    };
}

impl<C: Coding> Machine<'_, '_, C> {
    pub(crate) fn rare<const MEMO: bool>(&mut self, inst: Inst, pc: Pc, pos: usize) -> Next {
        match inst {
            Inst::Keep => {
                push!(self, Frame::Keep { old: self.keep });
                self.keep = pos as u32;
                Next::Go(pc + 1, pos)
            }
            Inst::Scope(index) => self.scope_begin::<MEMO>(index, pc, pos),
            Inst::ScopeEnd(index) => self.scope_end::<MEMO>(index, pos),
            Inst::Back(index) => {
                let program = self.program;
                let back = &program.backs[index as usize];
                let found = match (back.level, back.fold, &*back.groups) {
                    (None, false, [group]) => self.same_text(*group, pos),
                    _ => self.backreference(back, pos),
                };
                match found {
                    Some(pos) => Next::Go(pc + 1, pos),
                    None => Next::Fail,
                }
            }
            Inst::Call(to) => {
                push!(self, Frame::Call { current: self.current, count: self.scratch.calls.len() as u32 });
                match self.activate(pc + 1) {
                    Ok(()) => Next::Go(to, pos),
                    Err(verdict) => Next::Stop(verdict),
                }
            }
            Inst::Return => self.leave(pos),
            Inst::OpenKept(group) | Inst::CloseKept(group) => {
                let i = group as usize * 2;
                if matches!(inst, Inst::CloseKept(_)) {
                    self.scratch.slots[i + 1] = pos as u32;
                } else {
                    (self.scratch.slots[i], self.scratch.slots[i + 1]) = (pos as u32, NOWHERE);
                }
                self.marked = true;
                Next::Go(pc + 1, pos)
            }
            Inst::OpenNested(group) => {
                push!(self, Frame::Nest { current: self.current, count: self.scratch.calls.len() as u32 });
                if let Err(verdict) = self.activate(pos as u32) {
                    return Next::Stop(verdict);
                }
                let i = group as usize * 2;
                let (begin, end) = (self.scratch.slots[i], self.scratch.slots[i + 1]);
                push!(self, Frame::Group { group, begin, end });
                (self.scratch.slots[i], self.scratch.slots[i + 1]) = (pos as u32, NOWHERE);
                if self.program.levels {
                    push!(self, Frame::Level { group, pos: pos as u32, end: false });
                }
                Next::Go(pc + 1, pos)
            }
            Inst::CloseNested(group) => {
                let Some(&activation) = self.scratch.calls.get(self.current as usize) else { return Next::Fail };
                push!(self, Frame::Nest { current: self.current, count: self.scratch.calls.len() as u32 });
                self.current = activation.parent;
                let i = group as usize * 2;
                for (slot, new) in [(i, activation.value), (i + 1, pos as u32)] {
                    let old = std::mem::replace(&mut self.scratch.slots[slot], new);
                    push!(self, Frame::Slot { slot: slot as u32, old });
                }
                if self.program.levels {
                    push!(self, Frame::Level { group, pos: pos as u32, end: true });
                }
                Next::Go(pc + 1, pos)
            }
            Inst::CountBegin(index) => {
                let old = std::mem::replace(&mut self.scratch.counters[index as usize], 0);
                push!(self, Frame::Counter { index, old });
                Next::Go(pc + 1, pos)
            }
            Inst::Count(index) => self.count::<MEMO>(index, pc, pos),
            Inst::EmptyBegin(slot) => {
                let (old, depth) = self.scratch.empties[slot as usize];
                push!(self, Frame::Empty { slot, pos: old, depth });
                self.scratch.empties[slot as usize] = (pos as u32, self.scratch.stack.len() as u32);
                Next::Go(pc + 1, pos)
            }
            Inst::EmptyEnd(index) => {
                let check = self.program.empties[index as usize];
                match self.iteration_was_empty(check, pos) {
                    Some(true) => Next::Go(check.exit, pos),
                    Some(false) => Next::Go(pc + 1, pos),
                    None => Next::Fail,
                }
            }
            Inst::AbsentBegin => {
                push!(self, Frame::AbsentPos { begin: pos as u32, right: self.end as u32 + 1 });
                Next::Go(pc + 1, pos)
            }
            Inst::Absent(next) => self.absent(next, pc, pos),
            Inst::AbsentEnd => {
                // What comes before its last character may still be matched.
                let before = if pos == 0 { None } else { Some(self.coding.before(self.text, pos)) };
                match before {
                    Some(before) => self.end = self.end.min(before),
                    None => self.end = 0,
                }
                self.absent_at_begin = before.is_none();
                while let Some(frame) = self.scratch.stack.pop() {
                    if matches!(frame, Frame::AbsentMark) {
                        break;
                    }
                    self.undo(frame);
                }
                Next::Fail
            }
            Inst::Condition(group, otherwise) => {
                let i = group as usize * 2;
                let matched =
                    group > 0 && self.scratch.slots.get(i..i + 2).is_some_and(|s| s[0] != NOWHERE && s[1] != NOWHERE);
                Next::Go(if matched { pc + 1 } else { otherwise }, pos)
            }
            _ => Next::Fail,
        }
    }

    fn scope_begin<const MEMO: bool>(&mut self, index: u32, pc: Pc, pos: usize) -> Next {
        let scope = self.scope(index);
        if MEMO {
            enter!(self, scope.memo, pc, pos);
        }
        let mut begin = pos;
        for _ in 0..scope.behind {
            if begin == 0 {
                return if scope.kind == ScopeKind::NotLook { Next::Go(scope.next, pos) } else { Next::Fail };
            }
            begin = self.coding.before(self.text, begin);
        }
        let pos = pos as u32;
        if scope.kind == ScopeKind::NotLook {
            push!(self, Frame::NotLook { scope: index, pos });
        } else {
            push!(self, Frame::Scope { scope: index, pos });
        }
        Next::Go(pc + 1, begin)
    }

    /// What is in the scope has matched: its other ways are cut off, or it fails.
    fn scope_end<const MEMO: bool>(&mut self, index: u32, pos: usize) -> Next {
        let scope = self.scope(index);
        let found = self.scratch.stack.iter().rposition(|f| Self::is_mark(f, index, scope.kind));
        let Some(mark) = found else { return Next::Fail };
        if MEMO && scope.kind != ScopeKind::Atomic && !scope.captures {
            for i in mark + 1..self.scratch.stack.len() {
                if let Frame::Memo { point, pos } = self.scratch.stack[i]
                    && self.program.memo[point as usize].scope == Some(index)
                {
                    self.mark_passed(point, pos);
                }
            }
        }
        if scope.kind == ScopeKind::NotLook {
            self.cut_undoing(index, scope.kind);
            return Next::Fail;
        }
        let begin = match self.scratch.stack[mark] {
            Frame::Scope { pos, .. } => pos as usize,
            _ => pos,
        };
        // What undoes is kept, for when this way fails further on.
        let mut to = mark;
        for i in mark + 1..self.scratch.stack.len() {
            let frame = self.scratch.stack[i];
            let kept = match frame {
                Frame::Slot { .. }
                | Frame::Group { .. }
                | Frame::Counter { .. }
                | Frame::Empty { .. }
                | Frame::Call { .. }
                | Frame::Return { .. }
                | Frame::Nest { .. }
                | Frame::Level { .. }
                | Frame::Keep { .. } => frame,
                Frame::Memo { point, pos }
                    if scope.kind == ScopeKind::Atomic && self.program.memo[point as usize].scope == Some(index) =>
                {
                    Frame::MemoCut { point, pos }
                }
                _ => continue,
            };
            self.scratch.stack[to] = kept;
            to += 1;
        }
        self.scratch.stack.truncate(to);
        Next::Go(scope.next, if scope.kind == ScopeKind::Look { begin } else { pos })
    }

    fn count<const MEMO: bool>(&mut self, index: u32, pc: Pc, pos: usize) -> Next {
        let count = self.program.counts[index as usize];
        if MEMO {
            enter!(self, count.memo, pc, pos);
        }
        let n = self.scratch.counters[index as usize];
        self.fuel -= 1;
        if n >= count.max {
            return Next::Go(count.exit, pos);
        }
        if n >= count.min {
            if count.greedy {
                push!(self, Frame::Alt { pc: count.exit, pos: pos as u32 });
            } else {
                // The other way comes back here with the counter as it is now.
                push!(self, Frame::Again { index, pc: pc + 1, pos: pos as u32 });
                return Next::Go(count.exit, pos);
            }
        }
        push!(self, Frame::Counter { index, old: n });
        self.scratch.counters[index as usize] = n.saturating_add(1);
        Next::Go(pc + 1, pos)
    }

    /// Was the iteration empty? `None`: the way fails.
    fn iteration_was_empty(&self, check: EmptyEnd, pos: usize) -> Option<bool> {
        let (begin, depth) = self.scratch.empties[check.slot as usize];
        if begin != pos as u32 {
            return Some(false);
        }
        if !check.captures {
            return Some(true);
        }
        // As Onigmo has it: what the groups that were opened in the iteration had matched before it decides.
        let mut empty = Some(true);
        for frame in self.scratch.stack.get(depth as usize..).unwrap_or(&[]) {
            if let Frame::Group { group, begin, end } = *frame
                && !self.program.unnoted.contains(&group)
            {
                if end == NOWHERE || begin != end {
                    return Some(false);
                }
                if end != pos as u32 {
                    empty = None;
                }
            }
        }
        empty
    }

    /// Enters a call, or a group that may contain itself.
    fn activate(&mut self, value: u32) -> Result<(), Verdict> {
        let scratch = &mut *self.scratch;
        let each = 16 + scratch.counters.len() * 4 + scratch.empties.len() * 8;
        if scratch.calls.len().saturating_mul(each) > scratch.limit / 2 {
            return Err(Verdict::StackOverflow);
        }
        scratch.calls.try_reserve(1).map_err(|_| Verdict::Memory)?;
        let size = scratch.counters.len() + 2 * scratch.empties.len();
        let saved = scratch.calls.last().map_or(0, |c| c.saved as usize + size);
        scratch.saved.truncate(saved);
        scratch.saved.try_reserve(size).map_err(|_| Verdict::Memory)?;
        scratch.saved.extend_from_slice(&scratch.counters);
        scratch.saved.extend(scratch.empties.iter().flat_map(|(pos, depth)| [*pos, *depth]));
        scratch.calls.push(Activation { value, parent: self.current, saved: saved as u32 });
        self.current = scratch.calls.len() as u32 - 1;
        self.fuel -= 1;
        Ok(())
    }

    /// Back from a call: the counters, and the iterations under way, are those of the time before.
    fn leave(&mut self, pos: usize) -> Next {
        let Some(&activation) = self.scratch.calls.get(self.current as usize) else { return Next::Fail };
        push!(self, Frame::Return { current: self.current, count: self.scratch.calls.len() as u32 });
        self.current = activation.parent;
        let counts = self.program.counts.len();
        for slot in 0..self.scratch.empties.len() {
            let at = activation.saved as usize + counts + 2 * slot;
            let before = (self.scratch.saved[at], self.scratch.saved[at + 1]);
            let (pos, depth) = self.scratch.empties[slot];
            if before != (pos, depth) {
                push!(self, Frame::Empty { slot: slot as u32, pos, depth });
                self.scratch.empties[slot] = before;
            }
        }
        for index in 0..counts {
            let before = self.scratch.saved[activation.saved as usize + index];
            let old = self.scratch.counters[index];
            if before != old {
                push!(self, Frame::Counter { index: index as u32, old });
                self.scratch.counters[index] = before;
            }
        }
        Next::Go(activation.value, pos)
    }

    fn absent(&mut self, next: Pc, pc: Pc, pos: usize) -> Next {
        let Some(Frame::AbsentPos { begin, right }) = self.scratch.stack.pop() else { return Next::Fail };
        let (begin, bound) = (begin as usize, self.end);
        let never = std::mem::take(&mut self.absent_at_begin);
        self.end = right as usize - 1;
        if (begin > bound || never) && pos > begin {
            // It matched nothing where it began: what is absent can never be.
            self.scratch.stack.pop();
            return Next::Fail;
        }
        if pos >= bound && pos > begin {
            return if pos > bound { Next::Fail } else { Next::Go(next, pos) };
        }
        if pos == self.text.len() {
            return Next::Go(next, pos);
        }
        if pos >= self.text.len() {
            return Next::Fail;
        }
        push!(self, Frame::Alt { pc: next, pos: pos as u32 });
        push!(self, Frame::AbsentPos { begin: begin as u32, right });
        let after = pos + self.coding.len(self.text, pos);
        push!(self, Frame::Alt { pc, pos: after as u32 });
        push!(self, Frame::AbsentMark);
        self.end = bound;
        Next::Go(pc + 1, pos)
    }

    /// Where what a group matched ends at `pos`; `None` if it is not there.
    #[inline(always)]
    fn same_text(&mut self, group: u32, pos: usize) -> Option<usize> {
        let i = group as usize * 2;
        let (begin, end) = (self.scratch.slots[i], self.scratch.slots[i + 1]);
        if begin == NOWHERE || end == NOWHERE {
            return None;
        }
        if end.wrapping_sub(begin) == 1 {
            return (pos < self.end && self.text[pos] == self.text[begin as usize]).then_some(pos + 1);
        }
        self.same(begin as usize, end as usize, pos, false)
    }

    /// Where a backreference ends; `None` if it does not match.
    fn backreference(&mut self, back: &BackRef, pos: usize) -> Option<usize> {
        if let Some(level) = back.level {
            return self.at_level(back, level, pos);
        }
        for &group in &back.groups {
            let i = group as usize * 2;
            let (begin, end) = (self.scratch.slots[i], self.scratch.slots[i + 1]);
            if begin == NOWHERE || end == NOWHERE {
                continue;
            }
            if let Some(end) = self.same(begin as usize, end as usize, pos, back.fold) {
                return Some(end);
            }
        }
        None
    }

    /// As long as the calls are nested as it says.
    fn at_level(&mut self, back: &BackRef, level: i32, pos: usize) -> Option<usize> {
        let mut here = 0i32;
        let mut end_at = None;
        for i in (0..self.scratch.stack.len()).rev() {
            match self.scratch.stack[i] {
                Frame::Call { .. } => here -= 1,
                Frame::Return { .. } => here += 1,
                Frame::Level { group, pos: at, end } if here == level && back.groups.contains(&group) => {
                    if end {
                        end_at = Some(at);
                    } else if let Some(end) = end_at {
                        return self.same(at as usize, end as usize, pos, back.fold);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Is what lies from `begin` to `end` also at `pos`? Where it ends there.
    fn same(&mut self, begin: usize, end: usize, pos: usize, fold: bool) -> Option<usize> {
        let len = end.saturating_sub(begin);
        self.fuel -= (len / 16) as i64;
        if !fold {
            let there = self.text.get(pos..pos + len).filter(|_| pos + len <= self.end)?;
            return (there == &self.text[begin..begin + len]).then_some(pos + len);
        }
        let folding = Folding::new(self.program.encoding, self.program.ascii);
        let (mut a, mut b) = (begin, pos);
        while a < end {
            if b >= self.end {
                return None;
            }
            let (x, n) = self.coding.code(self.text, a);
            let (y, m) = self.coding.code(self.text, b);
            if x != y && folding.fold(x) != folding.fold(y) {
                return None;
            }
            (a, b) = (a + n, b + m);
        }
        Some(b)
    }
}
