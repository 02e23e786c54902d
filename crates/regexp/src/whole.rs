//! Patterns that are nothing but a text, a character or a run of characters: what is looked for first is all there is to
//! them, and the machine is not asked.

use crate::ast::UNBOUNDED;
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
