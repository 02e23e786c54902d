//! A compiled pattern for one encoding, and searching with it.

use std::sync::{Arc, OnceLock};

use asterism_support::encoding::chars::push_code_point;
use asterism_support::encoding::{Encoding, Kind};

use crate::analyse;
use crate::ast::Node;
use crate::automaton::Automaton;
use crate::backtrack::{Limits, Verdict};
use crate::coding::{Multi, Single, Utf8};
use crate::compile;
use crate::error::{Error, Result};
use crate::few::Few;
use crate::fold::Folding;
use crate::linear;
use crate::parse::{self, Options, Warning};
use crate::prefilter::{Required, Start};
use crate::program::Program;
use crate::region::Region;
use crate::regular;
use crate::room::{Bounds, Room};
use crate::scratch::Scratch;
use crate::whole::{Tail, Whole};

/// Options of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// `i`
    pub ignore_case: bool,
    /// `x`
    pub extended: bool,
    /// `m`
    pub multiline: bool,
}

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It matched; the region says where.
    Match,
    /// It did not match.
    NoMatch,
    /// It took too many steps, or was told to end; nothing is known.
    OutOfSteps,
    /// The backtrack stack grew too big.
    StackOverflow,
    /// No memory.
    Memory,
    /// The subject is too long: 4 GiB.
    TooLong,
}

/// Where to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// A match that starts at or behind the offset: the first one.
    Forward,
    /// A match that starts at or before the offset: the last one.
    Backward,
    /// A match that starts at the offset.
    At,
}

/// A compiled pattern. Never changed after it was made.
#[derive(Debug)]
pub struct Engine {
    pub(crate) program: Program,
    names: Few<(Vec<u8>, Vec<usize>)>,
    linear: bool,
    warnings: Few<Warning>,
    pub(crate) start: Start,
    /// What every match contains, if that is more than what it begins with.
    pub(crate) required: Option<Required>,
    /// It is nothing but what is looked for.
    pub(crate) whole: Option<Whole>,
    /// What the end of the subject says of a search.
    pub(crate) tail: Option<Tail>,
    coding: How,
    /// Characters of the shortest match.
    pub(crate) min: usize,
    /// What automata are made of when they are needed.
    making: Making,
    automaton: OnceLock<Option<Arc<Automaton>>>,
}

/// How characters lie in the subjects.
#[derive(Clone, Copy, Debug)]
enum How {
    Single,
    Utf8,
    Multi,
}

impl How {
    fn of(program: &Program) -> How {
        if program.ascii || program.encoding.is_single_byte() {
            How::Single
        } else if program.encoding.kind() == Kind::Utf8 {
            How::Utf8
        } else {
            How::Multi
        }
    }
}

/// What an engine was made of.
#[derive(Debug)]
struct Making {
    source: Arc<[u8]>,
    encoding: Encoding,
    flags: Flags,
    /// It is nested so deep that it is not read again.
    deep: bool,
}

/// What reading a pattern for an automaton may take: for what takes more there is none.
const OF_AUTOMATA: Bounds<'static> = Bounds { most: 16 << 20, ..Bounds::NONE };

/// Nesting up to which a pattern is compiled on the caller's stack.
const SHALLOW: usize = 40;

/// Machine stack for each level of nesting, generously; without optimisation frames are several times as big.
const STACK_PER_LEVEL: usize = if cfg!(debug_assertions) { 64 << 10 } else { 8192 };

/// Most machine stack taken.
const MOST_STACK: usize = 1 << 30;

/// How deep a pattern may be nested: brackets, classes, quantifiers of quantifiers, calls.
fn depth(source: &[u8], encoding: Encoding) -> usize {
    let (mut run, mut longest, mut calls, mut brackets) = (0usize, 0usize, 0usize, 0usize);
    for (i, c) in source.iter().enumerate() {
        match c {
            b'(' | b'[' => brackets += 1,
            b'g' if i > 0 && source[i - 1] == b'\\' => calls += 1,
            _ => {}
        }
        // Each of them ends with one of these.
        match c {
            b'*' | b'+' | b'?' | b'}' => run += 1,
            b'{' | b',' | b'0'..=b'9' => {}
            _ => run = 0,
        }
        longest = longest.max(run);
    }
    let depth = brackets + longest + calls;
    // In other encodings a character may have bytes that look like brackets.
    let plain = matches!(encoding.kind(), Kind::Binary | Kind::UsAscii | Kind::Single | Kind::Utf8 | Kind::EucJp);
    if depth <= SHALLOW || !plain {
        return depth;
    }
    nesting(source).unwrap_or(brackets).min(parse::MAX_DEPTH) + longest + calls
}

/// How many brackets are open at once, at most; `None` if that would take reading the pattern. What may be no bracket, as
/// it may lie in a class or a comment, opens one and closes none.
fn nesting(source: &[u8]) -> Option<usize> {
    let (mut groups, mut classes, mut deepest) = (0usize, 0usize, 0usize);
    // Perhaps, up to the end of the line.
    let mut comment = false;
    let mut at = 0;
    while let Some(&c) = source.get(at) {
        at += 1;
        match c {
            // Behind these there may be another escape.
            b'\\' if matches!(source.get(at), Some(b'c' | b'C' | b'M')) => return None,
            b'\\' => at += 1,
            b'#' => comment = true,
            b'\n' => comment = false,
            b'(' => groups += 1,
            b')' | b']' if comment => {}
            b')' if classes == 0 => groups = groups.saturating_sub(1),
            b'[' => {
                classes += 1;
                if source.get(at) == Some(&b'^') {
                    at += 1;
                }
                // The first one is a member.
                if source.get(at) == Some(&b']') {
                    at += 1;
                }
            }
            b']' => classes = classes.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(groups + classes);
    }
    Some(deepest)
}

/// The bytes that every match contains; empty if none are known.
fn required(node: &Node, encoding: Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    for code in analyse::required(node) {
        if push_code_point(encoding, *code, &mut bytes).is_err() {
            bytes.clear();
            break;
        }
    }
    bytes
}

impl Making {
    fn parse(&self, encoding: Encoding, room: &Room<'_>, warnings: &mut Vec<Warning>) -> Result<parse::Tree> {
        // What is no ASCII may equal a sequence that is.
        let folding = Folding::new(encoding, false);
        let flags = self.flags;
        let options = Options::new(flags.ignore_case, flags.extended, flags.multiline);
        parse::parse(&self.source, self.encoding, encoding, folding, options, room, warnings)
    }
}

impl Engine {
    /// Compiles a source whose escapes have been resolved (`source::resolve`), with bytes in `source_encoding`, for
    /// subjects in `encoding`; `ascii`: which are all ASCII.
    ///
    /// # Errors
    /// `Error::Syntax` if the pattern is wrong, `Error::Memory` if memory is short, `Error::Encoding` for Emacs-Mule.
    pub fn compile(
        source: impl Into<Arc<[u8]>>,
        source_encoding: Encoding,
        flags: Flags,
        encoding: Encoding,
        ascii: bool,
    ) -> Result<Engine> {
        Engine::compile_within(source, source_encoding, flags, encoding, ascii, Bounds::NONE)
    }

    /// The same within bounds of memory and time.
    ///
    /// # Errors
    /// As [`Engine::compile`]; `Error::Memory` and `Error::Ended` by the bounds too.
    pub fn compile_within(
        source: impl Into<Arc<[u8]>>,
        source_encoding: Encoding,
        flags: Flags,
        encoding: Encoding,
        ascii: bool,
        bounds: Bounds<'_>,
    ) -> Result<Engine> {
        let source = source.into();
        if matches!(encoding.kind(), Kind::EmacsMule) {
            return Err(Error::Encoding);
        }
        let depth = depth(&source, source_encoding);
        let deep = depth > SHALLOW;
        let making = Making { source, encoding: source_encoding, flags, deep };
        if !deep {
            return Engine::compile_here(making, encoding, ascii, bounds);
        }
        let stack = ((1 << 20) + depth * STACK_PER_LEVEL).min(MOST_STACK);
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().name("regexp".into()).stack_size(stack);
            let starting = asterism_lock::gate::starting();
            let compile = move || {
                let _running = starting.begin();
                Engine::compile_here(making, encoding, ascii, bounds)
            };
            match builder.spawn_scoped(scope, compile) {
                Ok(thread) => thread.join().unwrap_or(Err(Error::Memory)),
                Err(_) => Err(Error::Memory),
            }
        })
    }

    /// Reads a pattern without compiling it, and says what is to be warned of, even if it is wrong further on; the
    /// other arguments are those of `compile`.
    ///
    /// # Errors
    /// `Error::Syntax` if the pattern is wrong, `Error::Memory` if memory is short, `Error::Encoding` for Emacs-Mule if
    /// it is deep.
    pub fn check(
        source: &[u8],
        source_encoding: Encoding,
        flags: Flags,
        encoding: Encoding,
        ascii: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<()> {
        if depth(source, source_encoding) > SHALLOW {
            let engine = Engine::compile(source, source_encoding, flags, encoding, ascii)?;
            warnings.extend_from_slice(engine.warnings());
            return Ok(());
        }
        let making = Making { source: source.into(), encoding: source_encoding, flags, deep: false };
        let mut tree = making.parse(encoding, &Room::new(Bounds::NONE), warnings)?;
        analyse::prepare(&mut tree).map(|_| ())
    }

    fn compile_here(making: Making, encoding: Encoding, ascii: bool, bounds: Bounds<'_>) -> Result<Engine> {
        let mut warnings = Vec::new();
        let room = Room::new(bounds);
        let mut tree = making.parse(encoding, &room, &mut warnings)?;
        let facts = analyse::prepare(&mut tree)?;
        let linear = linear::is_linear(&tree.node, &facts, encoding);
        let folding = Folding::new(encoding, false);
        let program = compile::compile(&tree.node, tree.groups, &facts, encoding, folding, ascii, &room)?;
        let places = analyse::places(&tree.node, if facts.callees.is_empty() { 0 } else { tree.groups });
        let min = analyse::Lengths { places: &places, facts: &facts, within: None }.min(&tree.node);
        let names = tree.names.into_iter().map(|(name, groups)| {
            let groups = groups.into_iter().map(|g| g as usize).collect();
            (name, groups)
        });
        let start = Start::of(&program);
        let required = Required::of(required(&tree.node, encoding), &start);
        Ok(Engine {
            names: names.collect::<Vec<_>>().into(),
            linear,
            warnings: warnings.into(),
            whole: Whole::of(&program, &start),
            tail: Tail::of(&program),
            coding: How::of(&program),
            start,
            required,
            min: usize::try_from(min).unwrap_or(usize::MAX),
            program,
            making,
            automaton: OnceLock::new(),
        })
    }

    /// The pattern's automaton, if it has been made and there is one.
    pub(crate) fn known_automaton(&self) -> Option<Option<&Arc<Automaton>>> {
        self.automaton.get().map(Option::as_ref)
    }

    /// The pattern's automaton, which is made when it is first asked for.
    #[cold]
    pub(crate) fn automaton(&self) -> Option<&Arc<Automaton>> {
        // Not made within the cell: a process that is forked meanwhile would wait for the one that makes it for ever.
        if self.automaton.get().is_none() {
            let made = self.make_automaton().map(Arc::new);
            // Another thread may have been faster.
            let _ = self.automaton.set(made);
        }
        self.automaton.get().and_then(Option::as_ref)
    }

    fn make_automaton(&self) -> Option<Automaton> {
        if self.making.deep {
            return None;
        }
        let (encoding, ascii) = (self.program.encoding, self.program.ascii);
        let mut tree = self.making.parse(encoding, &Room::new(OF_AUTOMATA), &mut Vec::new()).ok()?;
        let facts = analyse::prepare(&mut tree).ok()?;
        let places = analyse::places(&tree.node, if facts.callees.is_empty() { 0 } else { tree.groups });
        let lengths = analyse::Lengths { places: &places, facts: &facts, within: None };
        let regular = regular::translate(&tree.node, &lengths, &facts, encoding, ascii)?;
        Some(Automaton::new(&regular, self.min, &required(&tree.node, encoding)))
    }

    /// How many groups capture.
    pub fn groups(&self) -> usize {
        self.program.groups as usize
    }

    /// The names of groups with the numbers of the groups that have them, in the order of the pattern.
    pub fn names(&self) -> &[(Vec<u8>, Vec<usize>)] {
        &self.names
    }

    /// What `Regexp.linear_time?` answers.
    pub fn is_linear(&self) -> bool {
        self.linear
    }

    /// What is to be warned of.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Bytes it takes, about: its source and what automata take apart.
    pub fn size(&self) -> usize {
        size_of::<Engine>() - size_of::<Program>() + self.program.size()
    }

    /// The instructions, for tests and tools.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// False if a glance at the place where it would have to begin says that there is no match.
    #[inline]
    pub fn may_match(&self, subject: &[u8], at: usize, how: Search) -> bool {
        match how {
            Search::At => self.start.is_at(subject, at, at),
            Search::Forward if matches!(self.start, Start::Text(_) | Start::Search(_)) => {
                self.start.allows(subject, at, at)
            }
            _ => true,
        }
    }

    /// Searches `subject`, whose characters are not broken, from `at` on, or before it, or there.
    pub fn search(
        &self,
        subject: &[u8],
        at: usize,
        how: Search,
        limits: &mut Limits<'_>,
        scratch: &mut Scratch,
        region: &mut Region,
    ) -> Outcome {
        if at > subject.len() {
            return Outcome::NoMatch;
        }
        if subject.len() >= u32::MAX as usize {
            return Outcome::TooLong;
        }
        let verdict = match self.coding {
            How::Single => self.search_in(Single, subject, at, how, limits, scratch),
            How::Utf8 => self.search_in(Utf8, subject, at, how, limits, scratch),
            How::Multi => self.search_in(Multi(self.program.encoding), subject, at, how, limits, scratch),
        };
        match verdict {
            Verdict::Match => {
                region.fill(&scratch.slots);
                Outcome::Match
            }
            Verdict::NoMatch => Outcome::NoMatch,
            Verdict::OutOfSteps | Verdict::Memoise | Verdict::GiveWay => Outcome::OutOfSteps,
            Verdict::StackOverflow => Outcome::StackOverflow,
            Verdict::Memory => Outcome::Memory,
        }
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
