//! From a syntax tree to the tree that automata are made of: what is regular keeps Ruby's meaning exactly, what is not
//! becomes something that matches at least as much, of which only the first bytes are used.

use asterism_support::encoding::{Encoding, Kind};
use regex_syntax::hir::{self, Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir};

use crate::analyse::{Facts, Lengths};
use crate::ast::{Anchor, Node, Repeat, UNBOUNDED};
use crate::fold::Folding;
use crate::set::CodeSet;
use crate::text::Cases;

/// Deepest nesting that is translated.
const DEEPEST: usize = 60;

/// A pattern as automata know it.
pub struct Regular {
    /// What it matches.
    pub hir: Hir,
    /// It is the pattern; otherwise it matches at least what the pattern does.
    pub exact: bool,
    /// `^` is said to match behind a newline that ends the subject, `\Z` takes that newline: a match that ends with the
    /// subject is to be looked at again.
    pub relaxed: bool,
    /// Characters are UTF-8; otherwise they are a byte each.
    pub utf8: bool,
}

/// A tree as automata know it; `None` for encodings and depths that they do not.
pub fn translate(
    node: &Node,
    lengths: &Lengths<'_>,
    facts: &Facts,
    encoding: Encoding,
    ascii: bool,
) -> Option<Regular> {
    let utf8 = !ascii && encoding.kind() == Kind::Utf8;
    if !utf8 && !ascii && !encoding.is_single_byte() {
        return None;
    }
    let cases = Cases { folding: Folding::new(encoding, false), ascii, behind: false };
    let ascii_words = ascii || matches!(encoding.kind(), Kind::Binary | Kind::UsAscii);
    let exact = facts.callees.is_empty();
    let mut translator = Translator { lengths, cases, utf8, ascii, ascii_words, exact, relaxed: false };
    let hir = translator.node(node, true, 0)?;
    Some(Regular { hir, exact: translator.exact, relaxed: translator.relaxed, utf8 })
}

struct Translator<'a> {
    lengths: &'a Lengths<'a>,
    cases: Cases,
    utf8: bool,
    ascii: bool,
    /// `\b` knows the words of ASCII only.
    ascii_words: bool,
    exact: bool,
    relaxed: bool,
}

impl Translator<'_> {
    /// A node; `tail`: nothing follows it.
    fn node(&mut self, node: &Node, tail: bool, depth: usize) -> Option<Hir> {
        if depth > DEEPEST {
            return None;
        }
        Some(match node {
            Node::Empty => Hir::empty(),
            Node::Text(text) if text.fold => {
                let nodes: Vec<Node> = self.cases.nodes(text).collect();
                self.sequence(&nodes, tail, depth)?
            }
            Node::Text(text) => self.text(&text.codes)?,
            Node::Class(set) => self.class(set),
            Node::Any(true) => self.class(&CodeSet::new().negated()),
            Node::Any(false) => self.class(&CodeSet::of_range(10, 10).negated()),
            Node::Seq(nodes) => self.sequence(nodes, tail, depth)?,
            Node::Alt(nodes) => {
                let ways: Option<Vec<Hir>> = nodes.iter().map(|n| self.node(n, tail, depth + 1)).collect();
                Hir::alternation(ways?)
            }
            Node::Repeat(repeat) => self.repeat(repeat, tail, depth)?,
            Node::Capture(_, inner) => self.node(inner, tail, depth + 1)?,
            Node::Anchor(anchor) => self.anchor(*anchor, tail),
            Node::Atomic(inner) => {
                self.exact = false;
                self.node(inner, false, depth + 1)?
            }
            Node::Look(..) | Node::Keep => {
                self.exact = false;
                Hir::empty()
            }
            Node::Absent(_) | Node::Condition(_) | Node::Back(_) | Node::Call(_) => {
                self.exact = false;
                anything()
            }
        })
    }

    fn sequence(&mut self, nodes: &[Node], tail: bool, depth: usize) -> Option<Hir> {
        let mut parts = Vec::with_capacity(nodes.len());
        for (i, node) in nodes.iter().enumerate() {
            parts.push(self.node(node, tail && i + 1 == nodes.len(), depth + 1)?);
        }
        Some(Hir::concat(parts))
    }

    fn text(&mut self, codes: &[u32]) -> Option<Hir> {
        let mut bytes = Vec::with_capacity(codes.len());
        for &code in codes {
            if self.utf8 {
                let c = char::from_u32(code)?;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            } else if self.ascii && code >= 0x80 {
                return Some(Hir::fail());
            } else {
                bytes.push(u8::try_from(code).ok()?);
            }
        }
        Some(Hir::literal(bytes))
    }

    fn class(&self, set: &CodeSet) -> Hir {
        if self.utf8 {
            let clipped = |first: u32, last: u32, to: (u32, u32)| {
                let first = char::from_u32(first.max(to.0))?;
                let last = char::from_u32(last.min(to.1))?;
                (first <= last).then(|| ClassUnicodeRange::new(first, last))
            };
            // The codes in between are no characters.
            let ranges = set
                .ranges()
                .iter()
                .flat_map(|&(a, b)| [clipped(a, b, (0, 0xd7ff)), clipped(a, b, (0xe000, 0x10_ffff))])
                .flatten();
            return Hir::class(Class::Unicode(ClassUnicode::new(ranges)));
        }
        let most = if self.ascii { 0x7f } else { 0xff };
        let ranges = set.ranges().iter().filter(|r| r.0 <= most);
        let ranges = ranges.map(|&(a, b)| ClassBytesRange::new(a as u8, b.min(most) as u8));
        Hir::class(Class::Bytes(ClassBytes::new(ranges)))
    }

    fn repeat(&mut self, repeat: &Repeat, tail: bool, depth: usize) -> Option<Hir> {
        if repeat.max == 0 {
            return Some(Hir::empty());
        }
        // What an iteration without characters means differs.
        if repeat.max > 1 && self.lengths.min(&repeat.node) == 0 {
            self.exact = false;
        }
        let sub = Box::new(self.node(&repeat.node, tail && repeat.max == 1, depth + 1)?);
        let max = (repeat.max != UNBOUNDED).then_some(repeat.max);
        Some(Hir::repetition(hir::Repetition { min: repeat.min, max, greedy: repeat.greedy, sub }))
    }

    fn anchor(&mut self, anchor: Anchor, tail: bool) -> Hir {
        let look = match anchor {
            Anchor::TextBegin => hir::Look::Start,
            Anchor::TextEnd => hir::Look::End,
            Anchor::LineBegin => {
                self.relaxed = true;
                hir::Look::StartLF
            }
            Anchor::LineEnd => hir::Look::EndLF,
            Anchor::TextEndNewline if tail => {
                self.relaxed = true;
                let newline = Hir::concat(vec![Hir::literal(*b"\n"), Hir::look(hir::Look::End)]);
                return Hir::alternation(vec![Hir::look(hir::Look::End), newline]);
            }
            Anchor::Word(ascii) if ascii || self.ascii_words => hir::Look::WordAscii,
            Anchor::NotWord(ascii) if ascii || self.ascii_words => hir::Look::WordAsciiNegate,
            Anchor::TextEndNewline | Anchor::SearchBegin | Anchor::Word(_) | Anchor::NotWord(_) => {
                self.exact = false;
                return Hir::empty();
            }
        };
        Hir::look(look)
    }
}

/// Any bytes.
fn anything() -> Hir {
    let sub = Box::new(Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(0, 255)]))));
    Hir::repetition(hir::Repetition { min: 0, max: None, greedy: true, sub })
}
