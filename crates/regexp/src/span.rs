//! Repeated characters: how far they go, and how they give way.

use crate::ast::UNBOUNDED;
use crate::backtrack::{Machine, Verdict};
use crate::coding::Coding;
use crate::program::{Inst, Mode, Pc, Span, Unit};
use crate::scratch::Frame;

/// Bytes of a span that are read between two looks.
const PIECE: usize = 64 << 10;

/// Bytes of a span that count as a step.
const BYTES_PER_STEP: usize = 16;

impl<C: Coding> Machine<'_, '_, C> {
    /// A span; false if it fails.
    #[inline(always)]
    pub(crate) fn span(&mut self, span: &Span) -> Result<bool, Verdict> {
        let (pc, pos) = (self.pc, self.pos);
        if span.mode == Mode::Lazy {
            return self.lazy_span(span);
        }
        let mut low = pos;
        let mut least = span.min;
        while least > 0 {
            let Some(n) = self.unit(span.unit, low) else { return Ok(false) };
            low += n;
            least -= 1;
        }
        let most = if span.max == UNBOUNDED { UNBOUNDED } else { span.max - span.min };
        let end = self.scan_all(span.unit, low, most)?;
        self.pc += 1;
        if span.mode == Mode::Possessive || end == low || span.apart && span.max == UNBOUNDED {
            self.pos = end;
            return Ok(true);
        }
        if !C::BACKWARD {
            return self.ways_between(span, low, end);
        }
        let Some(at) = self.give_way(span, low, end)? else { return Ok(false) };
        if at > low {
            self.push(Frame::Back { pc, low: low as u32, pos: at as u32 })?;
        }
        self.pos = at;
        Ok(true)
    }

    /// Where characters cannot be read backwards each place gets a frame.
    fn ways_between(&mut self, span: &Span, low: usize, end: usize) -> Result<bool, Verdict> {
        let mut at = low;
        while at < end {
            if span.next.allows(self.text.get(at).filter(|_| at < self.end)) {
                self.push(Frame::Alt { pc: self.pc, pos: at as u32 })?;
            }
            at += self.coding.len(self.text, at);
        }
        self.pos = end;
        Ok(true)
    }

    fn lazy_span(&mut self, span: &Span) -> Result<bool, Verdict> {
        let (pc, mut at) = (self.pc, self.pos);
        for _ in 0..span.min {
            let Some(n) = self.unit(span.unit, at) else { return Ok(false) };
            at += n;
        }
        if span.next.allows(self.text.get(at).filter(|_| at < self.end)) {
            if span.min < span.max {
                self.push(Frame::More { pc, pos: at as u32, count: span.min })?;
            }
            self.pc += 1;
            self.pos = at;
            return Ok(true);
        }
        self.more::<false>(pc, at, span.min)
    }

    /// The last place from `low` to `at` where what follows the span can begin.
    #[inline(always)]
    pub(crate) fn give_way(&mut self, span: &Span, low: usize, mut at: usize) -> Result<Option<usize>, Verdict> {
        if span.next.empty {
            return Ok(Some(at));
        }
        let mut from = at;
        loop {
            if at < self.end && span.next.bytes.contains(self.text[at]) {
                self.fuel -= ((from - at) / BYTES_PER_STEP) as i64;
                return Ok(Some(at));
            }
            if at <= low {
                self.fuel -= ((from - at) / BYTES_PER_STEP) as i64;
                return Ok(None);
            }
            at = self.coding.before(self.text, at);
            if from - at >= PIECE {
                if !self.spend((PIECE / BYTES_PER_STEP) as u64) {
                    return Err(Verdict::OutOfSteps);
                }
                from = at;
            }
        }
    }

    /// A lazy span takes one more character, if there is one; true if it goes on.
    pub(crate) fn more<const MEMO: bool>(&mut self, pc: Pc, mut pos: usize, mut count: u32) -> Result<bool, Verdict> {
        let Inst::Span(index) = self.program.code[pc as usize] else { return Ok(false) };
        let span = self.program.spans[index as usize];
        let memo = MEMO && span.max == UNBOUNDED;
        let mut from = pos;
        let goes_on = loop {
            if pos - from >= PIECE {
                if !self.spend((PIECE / BYTES_PER_STEP) as u64) {
                    return Err(Verdict::OutOfSteps);
                }
                from = pos;
            }
            if count >= span.max {
                break false;
            }
            let Some(n) = self.unit(span.unit, pos) else { break false };
            pos += n;
            count = count.saturating_add(1);
            if memo && self.has_failed(span.memo, pos as u32) {
                break false;
            }
            if span.next.allows(self.text.get(pos).filter(|_| pos < self.end)) {
                break true;
            }
        };
        self.fuel -= ((pos - from) / BYTES_PER_STEP) as i64;
        if !goes_on {
            return Ok(false);
        }
        if memo {
            self.push(Frame::Memo { point: span.memo, pos: pos as u32 })?;
        }
        self.push(Frame::More { pc, pos: pos as u32, count })?;
        self.pc = pc + 1;
        self.pos = pos;
        Ok(true)
    }

    /// Where a span of at most `most` characters ends.
    #[inline(always)]
    fn scan_all(&mut self, unit: Unit, low: usize, most: u32) -> Result<usize, Verdict> {
        let until = self.end.min(low + PIECE);
        let (end, count) = self.scan(unit, low, most, until);
        self.fuel -= ((end - low) / BYTES_PER_STEP) as i64;
        if end < until || until == self.end {
            return Ok(end);
        }
        self.scan_long(unit, end, if most == UNBOUNDED { UNBOUNDED } else { most - count })
    }

    /// The rest of a long span, in pieces.
    #[cold]
    fn scan_long(&mut self, unit: Unit, mut at: usize, mut most: u32) -> Result<usize, Verdict> {
        loop {
            let until = self.end.min(at + PIECE);
            let (end, count) = self.scan(unit, at, most, until);
            if !self.spend(((end - at) / BYTES_PER_STEP) as u64) {
                return Err(Verdict::OutOfSteps);
            }
            if end < until || until == self.end {
                return Ok(end);
            }
            at = end;
            most = if most == UNBOUNDED { UNBOUNDED } else { most - count };
        }
    }

    /// Where a span of at most `most` characters ends, before `until` at least, and how many it has: that only if there
    /// is a bound.
    #[inline(always)]
    fn scan(&self, unit: Unit, mut at: usize, most: u32, until: usize) -> (usize, u32) {
        if most == UNBOUNDED && C::PLAIN_ASCII && unit == Unit::NotNewline {
            let end = memchr::memchr(b'\n', &self.text[at..until]).map_or(until, |n| at + n);
            return (end, 0);
        }
        let mut count = 0;
        if C::SINGLE
            && let Unit::Set(set) = unit
        {
            let low = &self.program.sets[set as usize].low;
            let end = until.min(at.saturating_add(most as usize));
            let begin = at;
            while at < end && low.contains(self.text[at]) {
                at += 1;
            }
            return (at, (at - begin) as u32);
        }
        while count < most
            && at < until
            && let Some(n) = self.unit(unit, at)
        {
            at += n;
            count += 1;
        }
        (at, count)
    }
}
