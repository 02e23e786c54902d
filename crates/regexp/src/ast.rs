//! The syntax tree of a pattern, for one encoding: classes are sets of its codes already, and what a letter matches
//! whatever its case is still said of the text.

use crate::set::CodeSet;

/// An upper bound of a repeat that is none.
pub const UNBOUNDED: u32 = u32::MAX;

/// A part of a pattern.
#[derive(Clone, Debug)]
pub enum Node {
    /// Matches nothing, always.
    Empty,
    /// A text.
    Text(Text),
    /// One character out of a set.
    Class(Box<CodeSet>),
    /// `.`; `true`: newlines too.
    Any(bool),
    /// One after the other.
    Seq(Vec<Node>),
    /// The first one that leads to a match.
    Alt(Vec<Node>),
    /// A quantifier.
    Repeat(Box<Repeat>),
    /// A group that captures: its number, 0 for the whole pattern when it is called.
    Capture(u32, Box<Node>),
    /// `(?>…)`
    Atomic(Box<Node>),
    /// `(?=…)` and its kin.
    Look(Look, Box<Node>),
    /// `(?~…)`
    Absent(Box<Node>),
    /// `(?(n)yes|no)`
    Condition(Box<Condition>),
    /// `\1`, `\k<name>`
    Back(Box<Back>),
    /// `\g<name>`: index into the parser's list of calls.
    Call(usize),
    /// What matches a place.
    Anchor(Anchor),
    /// `\K`
    Keep,
}

/// A text: codes of the encoding.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The characters.
    pub codes: Vec<u32>,
    /// Whatever their case.
    pub fold: bool,
}

/// A quantifier and what it repeats.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// What is repeated.
    pub node: Node,
    /// Least times.
    pub min: u32,
    /// Most times.
    pub max: u32,
    /// As often as possible first?
    pub greedy: bool,
}

/// The kinds of look-around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// `(?=…)`
    Ahead,
    /// `(?!…)`
    NotAhead,
    /// `(?<=…)`
    Behind,
    /// `(?<!…)`
    NotBehind,
}

/// `(?(group)yes|no)`
#[derive(Clone, Debug)]
pub struct Condition {
    /// The group that decides.
    pub group: u32,
    /// Was it named?
    pub by_name: bool,
    /// If it has matched.
    pub yes: Node,
    /// If not.
    pub no: Node,
}

/// A backreference.
#[derive(Clone, Debug)]
pub struct Back {
    /// The groups it may mean, the last one first.
    pub groups: Vec<u32>,
    /// Was it named?
    pub by_name: bool,
    /// It stands in a group that it may mean.
    pub within: bool,
    /// `\k<name+level>`
    pub level: Option<i32>,
    /// Whatever the case.
    pub fold: bool,
}

/// What matches a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// `\A`
    TextBegin,
    /// `\z`
    TextEnd,
    /// `\Z`
    TextEndNewline,
    /// `^`
    LineBegin,
    /// `$`
    LineEnd,
    /// `\G`
    SearchBegin,
    /// `\b`; `true`: of ASCII words
    Word(bool),
    /// `\B`
    NotWord(bool),
}

/// Whom a call means.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A number, and how it is written.
    Group(u32, Vec<u8>),
    /// A name.
    Name(Vec<u8>),
}

impl Node {
    /// A text of one character.
    pub fn text(code: u32, fold: bool) -> Node {
        Node::Text(Text { codes: vec![code], fold })
    }

    /// Bytes it takes beside its place and what is in it.
    pub fn own_size(&self) -> usize {
        match self {
            Node::Text(text) => text.codes.len() * size_of::<u32>(),
            Node::Class(set) => size_of_val(set.ranges()),
            _ => 0,
        }
    }
}
