//! Where a match can begin: what is looked for before the machine is asked.

use memchr::memmem::Finder;

use crate::ast::{Anchor, UNBOUNDED};
use crate::coding::Coding;
use crate::find_set::SetFinder;
use crate::lead::lead;
use crate::program::{ByteSet, Inst, Program, Unit};

/// Where matches can begin.
#[derive(Debug)]
pub enum Start {
    /// Anywhere.
    Any,
    /// At the subject's beginning.
    Text(Ahead),
    /// Where the search begins.
    Search(Ahead),
    /// Where a line begins.
    Line(Ahead),
    /// Where the search begins: what begins with any characters matches nowhere else what it did not match there.
    Once,
    /// Where the search or a line begins: what begins with `.*` matches nowhere else what it did not match there.
    SearchOrLine,
    /// Where these bytes are.
    Literal(Box<Finder<'static>>),
    /// Where this byte is.
    One(u8),
    /// Where one of these is.
    Two(u8, u8),
    /// Where one of these is.
    Three(u8, u8, u8),
    /// Where a byte of the set is.
    Set(Box<SetFinder>),
}

/// Sets with more bytes than this are not looked for.
const WIDE: u32 = 200;

/// What a match begins with, where an anchor says where that can be.
#[derive(Debug)]
pub struct Ahead(Option<Box<ByteSet>>);

impl Ahead {
    fn of(program: &Program) -> Ahead {
        let lead = lead(program, 0);
        Ahead((!lead.empty && lead.bytes.len() <= WIDE).then(|| Box::new(lead.bytes)))
    }

    /// Can it begin at `at`?
    #[inline]
    fn allows(&self, text: &[u8], at: usize) -> bool {
        match &self.0 {
            None => true,
            Some(bytes) => text.get(at).is_some_and(|byte| bytes.contains(*byte)),
        }
    }
}

impl Start {
    /// Where matches of a program can begin.
    pub fn of(program: &Program) -> Start {
        let mut pc = 0;
        let mut literal = Vec::new();
        let aligned = program.ascii || program.encoding.is_single_byte() || program.encoding.name() == "UTF-8";
        loop {
            match program.code[pc] {
                Inst::Open(_) | Inst::Close(_) => pc += 1,
                Inst::Byte(b) if aligned => {
                    literal.push(b);
                    pc += 1;
                }
                Inst::Bytes(begin, len) if aligned => {
                    literal.extend_from_slice(&program.bytes[begin as usize..(begin + len) as usize]);
                    pc += 1;
                }
                Inst::Anchor(anchor) if literal.is_empty() => match anchor {
                    Anchor::TextBegin => return Start::Text(Ahead::of(program)),
                    Anchor::SearchBegin => return Start::Search(Ahead::of(program)),
                    Anchor::LineBegin => return Start::Line(Ahead::of(program)),
                    _ => break,
                },
                Inst::Span(span) if literal.is_empty() => {
                    let span = &program.spans[span as usize];
                    if span.min == 0 && span.max == UNBOUNDED && program.backs.is_empty() && !program.calls {
                        match span.unit {
                            Unit::Any => return Start::Once,
                            Unit::NotNewline => return Start::SearchOrLine,
                            Unit::Set(_) => {}
                        }
                    }
                    break;
                }
                _ => break,
            }
        }
        match literal[..] {
            [] => {}
            [byte] => return Start::One(byte),
            _ => return Start::Literal(Box::new(Finder::new(&literal).into_owned())),
        }
        let lead = lead(program, 0);
        if lead.empty || lead.bytes.len() > WIDE || program.encoding.min_len() > 1 {
            return Start::Any;
        }
        let mut bytes = lead.bytes.iter();
        match (bytes.next(), bytes.next(), bytes.next(), bytes.next()) {
            (Some(a), None, ..) => Start::One(a),
            (Some(a), Some(b), None, _) => Start::Two(a, b),
            (Some(a), Some(b), Some(c), None) => Start::Three(a, b, c),
            _ => Start::Set(Box::new(SetFinder::new(lead.bytes))),
        }
    }

    /// The first place from `at` on, before `until` (or at it, if the subject ends there), where a match can begin; for
    /// subjects whose characters can be told from any byte.
    #[inline]
    pub fn next<C: Coding>(&self, text: &[u8], at: usize, until: usize, search_begin: usize) -> Option<usize> {
        let rest = text.get(at..until)?;
        match self {
            Start::Any => Some(at),
            Start::Text(ahead) => (at == 0 && ahead.allows(text, 0)).then_some(0),
            Start::Search(ahead) => (at == search_begin && ahead.allows(text, at)).then_some(at),
            Start::Once => (at == search_begin).then_some(at),
            Start::Line(ahead) => {
                if (at == 0 || text[at - 1] == b'\n') && ahead.allows(text, at) {
                    return Some(at);
                }
                memchr::memchr_iter(b'\n', rest).map(|n| at + n + 1).find(|at| ahead.allows(text, *at))
            }
            Start::SearchOrLine => {
                if at == 0 || text[at - 1] == b'\n' || at == search_begin {
                    return Some(at);
                }
                memchr::memchr(b'\n', rest).map(|n| at + n + 1)
            }
            Start::Literal(finder) => {
                // It may lie across the end of what is looked through.
                let end = text.len().min(until + finder.needle().len() - 1);
                finder.find(&text[at..end]).map(|n| at + n)
            }
            Start::One(a) => memchr::memchr(*a, rest).map(|n| at + n),
            Start::Two(a, b) => memchr::memchr2(*a, *b, rest).map(|n| at + n),
            Start::Three(a, b, c) => memchr::memchr3(*a, *b, *c, rest).map(|n| at + n),
            Start::Set(finder) => finder.find(rest).map(|n| at + n),
        }
    }

    /// Does what is looked for begin at `at`?
    #[inline]
    pub fn is_at(&self, text: &[u8], at: usize, search_begin: usize) -> bool {
        match self {
            Start::Literal(finder) => text.get(at..).is_some_and(|rest| rest.starts_with(finder.needle())),
            _ => self.allows(text, at, search_begin),
        }
    }

    /// Can a match begin at `at`? For subjects that are read character by character.
    #[inline]
    pub fn allows(&self, text: &[u8], at: usize, search_begin: usize) -> bool {
        let byte = text.get(at).copied();
        match self {
            Start::Any | Start::Once | Start::SearchOrLine | Start::Literal(_) => true,
            Start::Line(ahead) => ahead.allows(text, at),
            Start::Text(ahead) => at == 0 && ahead.allows(text, at),
            Start::Search(ahead) => at == search_begin && ahead.allows(text, at),
            Start::One(a) => byte == Some(*a),
            Start::Two(a, b) => byte == Some(*a) || byte == Some(*b),
            Start::Three(a, b, c) => byte == Some(*a) || byte == Some(*b) || byte == Some(*c),
            Start::Set(bytes) => byte.is_some_and(|b| bytes.contains(b)),
        }
    }
}

/// A text that every match contains, which is looked for by its rarest byte.
#[derive(Debug)]
pub struct Required {
    text: Box<[u8]>,
    /// Where in it the byte is.
    rare: usize,
}

impl Required {
    /// For searches that begin so; `None` if it says no more than that does.
    pub fn of(text: Vec<u8>, start: &Start) -> Option<Required> {
        let rare = (0..text.len()).min_by_key(|i| frequency(text[*i]))?;
        let known = match start {
            Start::Literal(_) | Start::Text(_) | Start::Search(_) => true,
            Start::One(byte) => text.len() == 1 && text[0] == *byte,
            _ => false,
        };
        (!known).then(|| Required { text: text.into(), rare })
    }

    /// Is it anywhere in `subject`?
    #[inline]
    pub fn is_in(&self, subject: &[u8]) -> bool {
        let (before, behind) = (self.rare, self.text.len() - self.rare);
        let Some(last) = (subject.len() + 1).checked_sub(behind) else { return false };
        let Some(places) = subject.get(before..last) else { return false };
        memchr::memchr_iter(self.text[self.rare], places).any(|n| subject[n..].starts_with(&self.text))
    }
}

/// How often a byte is met in texts, roughly.
fn frequency(byte: u8) -> u8 {
    match byte {
        b' ' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 5,
        b'a'..=b'z' => 4,
        b'0'..=b'9' | b'.' | b',' | b'\n' => 3,
        b'A'..=b'Z' | b'_' | b'-' | b'(' | b')' | b'"' => 2,
        _ => 1,
    }
}
