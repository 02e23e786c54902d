//! Patterns that are nothing but a text, a character or a run of characters: what is looked for first is all there is to
//! them, and the machine is not asked. And those that end with the text, of which that is looked at first.

use crate::ast::{Anchor, UNBOUNDED};
use crate::prefilter::Start;
use crate::program::{ByteSet, CharSet, High, Inst, Mode, Program, Unit};

/// What a match is, where one begins.
#[derive(Debug)]
pub enum Whole {
    /// So many bytes.
    Bytes(usize),
    /// All that follow of a set.
    Run(Box<ByteSet>),
}

impl Whole {
    /// Of a program for subjects in which ASCII is one byte each, if it is such a one.
    pub fn of(program: &Program, start: &Start) -> Option<Whole> {
        if program.groups > 0 || program.encoding.min_len() > 1 {
            return None;
        }
        let [first, Inst::Match] = program.code[..] else { return None };
        let single = program.ascii || program.encoding.is_single_byte();
        let utf8 = program.encoding.name() == "UTF-8";
        if !single && !utf8 {
            return None;
        }
        let bytes_only = |set: &CharSet| single || set.high == High::None;
        let known = !matches!(start, Start::Any);
        match first {
            Inst::Byte(_) => Some(Whole::Bytes(1)),
            Inst::Bytes(_, len) => Some(Whole::Bytes(len as usize)),
            Inst::Set(set) if known && bytes_only(&program.sets[set as usize]) => Some(Whole::Bytes(1)),
            Inst::Span(span) => {
                let span = &program.spans[span as usize];
                let Unit::Set(set) = span.unit else { return None };
                let set = &program.sets[set as usize];
                let all = span.min == 1 && span.max == UNBOUNDED && span.mode != Mode::Lazy;
                (known && all && bytes_only(set)).then(|| Whole::Run(Box::new(set.low)))
            }
            _ => None,
        }
    }

    /// Where a match ends that begins at `at`, where one does; `None` if that is not known within `until`.
    #[inline]
    pub fn end(&self, text: &[u8], at: usize, until: usize) -> Option<usize> {
        match self {
            Whole::Bytes(len) => Some(at + len),
            Whole::Run(set) => {
                let rest = text.get(at..until)?;
                match rest.iter().position(|byte| !set.contains(*byte)) {
                    Some(len) => Some(at + len),
                    None => (until == text.len()).then_some(until),
                }
            }
        }
    }
}

/// Patterns whose matches end where the text does.
#[derive(Debug)]
pub enum Tail {
    /// A run of a set's bytes, so many at least, is all; `true`: a newline at the end may be left out.
    Run(Box<ByteSet>, usize, bool),
    /// A match has no more bytes than these.
    Within(usize),
}

/// What the end of the text says of a search.
pub enum End {
    /// A match begins and ends here.
    Match(usize, usize),
    /// None begins before.
    From(usize),
    /// There is none.
    None,
}

impl Tail {
    /// Of a program for subjects in which ASCII is one byte each, if it is such a one.
    pub fn of(program: &Program) -> Option<Tail> {
        let single = program.ascii || program.encoding.is_single_byte();
        if !single && program.encoding.name() != "UTF-8" {
            return None;
        }
        let [body @ .., Inst::Anchor(anchor), Inst::Match] = &program.code[..] else { return None };
        let newline = match anchor {
            Anchor::TextEnd => false,
            Anchor::TextEndNewline => true,
            _ => return None,
        };
        if let [Inst::Span(span)] = body {
            let span = &program.spans[*span as usize];
            let Unit::Set(set) = span.unit else { return None };
            let set = &program.sets[set as usize];
            // A lazy one ends before the newline, a possessive one never does.
            let all = span.max == UNBOUNDED && (!newline || span.mode == Mode::Greedy);
            let plain = single || set.high == High::None;
            return (all && plain && program.groups == 0)
                .then(|| Tail::Run(Box::new(set.low), span.min as usize, newline && !set.low.contains(b'\n')));
        }
        let widest = if single { 1 } else { 4 };
        let mut most = usize::from(newline);
        for inst in body {
            most = most.checked_add(match inst {
                Inst::Byte(_) => 1,
                Inst::Bytes(_, len) => *len as usize,
                Inst::Set(_) | Inst::Any | Inst::NotNewline => widest,
                Inst::Span(span) => {
                    let span = &program.spans[*span as usize];
                    if span.max == UNBOUNDED {
                        return None;
                    }
                    (span.max as usize).checked_mul(widest)?
                }
                Inst::Open(_) | Inst::Close(_) | Inst::Anchor(_) => 0,
                _ => return None,
            })?;
        }
        Some(Tail::Within(most))
    }

    /// What it says of a search from `at` on, if a glance shows it.
    #[inline]
    pub fn look(&self, text: &[u8], at: usize) -> Option<End> {
        match self {
            Tail::Run(set, least, newline) => {
                let cut = *newline && text.len() > at && text.last() == Some(&b'\n');
                let end = text.len() - usize::from(cut);
                let places = text.get(end.saturating_sub(GLANCE).max(at)..end)?;
                let run = places.iter().rev().take_while(|byte| set.contains(**byte)).count();
                match run {
                    // It may go on, or be empty behind the newline too.
                    GLANCE.. => None,
                    _ if run >= *least => Some(End::Match(end - run, end)),
                    _ => Some(End::None),
                }
            }
            Tail::Within(most) => {
                let mut from = text.len().saturating_sub(*most);
                if from <= at {
                    return None;
                }
                // No character begins with such a byte of UTF-8; elsewhere this tries more than it had to.
                while from > at && text.get(from).is_some_and(|byte| byte & 0xc0 == 0x80) {
                    from -= 1;
                }
                Some(End::From(from))
            }
        }
    }
}

/// Most bytes of a run that are looked at before the machine is asked.
const GLANCE: usize = 16 << 10;
