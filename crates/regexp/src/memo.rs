//! Remembering where points of a program have failed.

use crate::ast::UNBOUNDED;
use crate::backtrack::{Machine, Verdict};
use crate::coding::Coding;
use crate::program::{Mode, ScopeKind, Span};
use crate::scratch::Frame;

impl<C: Coding> Machine<'_, '_, C> {
    /// Makes the tables; false if the program has no points, or they would be too big.
    pub(crate) fn start_memo(&mut self) -> bool {
        let bits = (self.text.len() as u64 + 1).checked_mul(self.program.memo_width);
        let Some(bits) = bits.filter(|bits| *bits > 0) else { return false };
        let words = (bits / 64 + 1) as usize;
        if words.saturating_mul(16) > self.scratch.limit {
            return false;
        }
        for table in [&mut self.scratch.failed, &mut self.scratch.passed] {
            table.clear();
            if table.try_reserve_exact(words).is_err() {
                return false;
            }
            table.resize(words, 0);
        }
        true
    }

    /// The place of a point's state in the tables.
    #[inline(always)]
    fn index(&self, point: u32, pos: u32) -> (usize, u64) {
        let point = &self.program.memo[point as usize];
        let mut state = point.base;
        let mut stride = 1;
        for &count in point.counts.iter() {
            let count = &self.program.counts[count as usize];
            let top = count.states() - 1;
            state += stride * u64::from(self.scratch.counters[count.counter as usize]).min(top);
            stride *= count.states();
        }
        let bit = u64::from(pos) * self.program.memo_width + state;
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    #[inline(always)]
    pub(crate) fn has_failed(&self, point: u32, pos: u32) -> bool {
        let (word, bit) = self.index(point, pos);
        self.scratch.failed[word] & bit != 0
    }

    pub(crate) fn mark_failed(&mut self, point: u32, pos: u32) {
        let (word, bit) = self.index(point, pos);
        self.scratch.failed[word] |= bit;
    }

    pub(crate) fn mark_passed(&mut self, point: u32, pos: u32) {
        let (word, bit) = self.index(point, pos);
        self.scratch.passed[word] |= bit;
    }

    /// Comes to a point: false if it is known to fail. When it is known to lead to the end of its scope, the program
    /// goes on there: `pc` has changed.
    pub(crate) fn enter(&mut self, point: u32, pos: u32) -> Result<bool, Verdict> {
        let (word, bit) = self.index(point, pos);
        if self.scratch.failed[word] & bit != 0 {
            return Ok(false);
        }
        if self.scratch.passed[word] & bit != 0
            && let Some(index) = self.program.memo[point as usize].scope
        {
            let scope = self.scope(index);
            match scope.kind {
                ScopeKind::Atomic => {
                    self.cut_undoing(index, scope.kind);
                    return Ok(false);
                }
                _ if !scope.captures => {
                    self.pc = scope.next - 1;
                    return Ok(true);
                }
                _ => {}
            }
        }
        self.push(Frame::Memo { point, pos })?;
        Ok(true)
    }

    /// Undoes everything back to where a scope began, that included.
    pub(crate) fn cut_undoing(&mut self, index: u32, kind: ScopeKind) {
        while let Some(frame) = self.scratch.stack.pop() {
            if Self::is_mark(&frame, index, kind) {
                break;
            }
            self.undo(frame);
        }
    }

    /// A span, place by place.
    pub(crate) fn span_memo(&mut self, span: &Span) -> Result<bool, Verdict> {
        let pc = self.pc;
        if span.max != UNBOUNDED {
            if !self.enter(span.memo, self.pos as u32)? {
                return Ok(false);
            }
            return if self.pc == pc { self.span(span) } else { Ok(true) };
        }
        let mut at = self.pos;
        for _ in 0..span.min {
            let Some(n) = self.unit(span.unit, at) else { return Ok(false) };
            at += n;
        }
        loop {
            if !self.enter(span.memo, at as u32)? {
                return Ok(false);
            }
            if self.pc != pc {
                return Ok(true);
            }
            let allowed = span.next.allows(self.text.get(at).filter(|_| at < self.end));
            if span.mode == Mode::Lazy {
                if !allowed {
                    return self.more::<true>(pc, at, span.min);
                }
                self.push(Frame::More { pc, pos: at as u32, count: span.min })?;
                break;
            }
            let Some(n) = self.unit(span.unit, at) else { break };
            if allowed && span.mode == Mode::Greedy && !span.apart {
                self.push(Frame::Alt { pc: pc + 1, pos: at as u32 })?;
            }
            at += n;
            self.fuel -= 1;
        }
        self.pos = at;
        self.pc = pc + 1;
        Ok(true)
    }
}
