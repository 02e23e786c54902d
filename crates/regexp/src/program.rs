//! What a pattern is compiled to: instructions of the backtracking machine and what they refer to.

use asterism_support::encoding::Encoding;

use crate::ast::{Anchor, UNBOUNDED};
use crate::few::Few;
use crate::set::{CodeSet, MAX_CODE, Range};

/// The address of an instruction.
pub type Pc = u32;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inst {
    /// The pattern has matched.
    Match,
    /// This way leads nowhere.
    Fail,
    /// One byte.
    Byte(u8),
    /// Bytes of `Program::bytes`: where they begin, how many.
    Bytes(u32, u32),
    /// A character of `Program::sets`.
    Set(u32),
    /// Any character.
    Any,
    /// Any character but a newline.
    NotNewline,
    /// Goes on elsewhere.
    Jump(Pc),
    /// Tries the first, then the second way; `Program::splits`.
    Split(u32),
    /// Tries the ways that the next byte allows; `Program::switches`.
    Switch(u32),
    /// A repeated character; `Program::spans`.
    Span(u32),
    /// A group begins.
    Open(u32),
    /// It ends.
    Close(u32),
    /// A group begins that has not matched until it ends, whatever it matched before.
    OpenAnew(u32),
    /// A group begins whose bounds stay as they are when what is around it fails.
    OpenKept(u32),
    /// It ends.
    CloseKept(u32),
    /// A group that may contain itself begins.
    OpenNested(u32),
    /// It ends.
    CloseNested(u32),
    /// A place.
    Anchor(Anchor),
    /// `\K`
    Keep,
    /// A look-around or an atomic group begins; `Program::scopes`.
    Scope(u32),
    /// It has matched.
    ScopeEnd(u32),
    /// A backreference; `Program::backs`.
    Back(u32),
    /// Goes to a group and comes back.
    Call(Pc),
    /// Back from it.
    Return,
    /// A counted loop begins.
    CountBegin(u32),
    /// Its head; `Program::counts`.
    Count(u32),
    /// An iteration that may be empty begins.
    EmptyBegin(u32),
    /// It ends; `Program::empties`.
    EmptyEnd(u32),
    /// `(?~` begins.
    AbsentBegin,
    /// Its loop; where it goes on behind it.
    Absent(Pc),
    /// What must be absent is there.
    AbsentEnd,
    /// Goes to `.1` if the group has not matched.
    Condition(u32, Pc),
}

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByteSet(pub [u64; 4]);

impl ByteSet {
    /// All bytes.
    pub const ALL: ByteSet = ByteSet([u64::MAX; 4]);

    /// Adds one.
    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    /// Adds those from `first` to `last`.
    pub fn insert_range(&mut self, first: u8, last: u8) {
        for (i, word) in self.0.iter_mut().enumerate() {
            let begin = i as u32 * 64;
            let (low, high) = (u32::from(first).max(begin), u32::from(last).min(begin + 63));
            if low <= high {
                *word |= u64::MAX >> (63 - (high - low)) << (low - begin);
            }
        }
    }

    /// Is it a member?
    #[inline(always)]
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }

    /// Adds all of another set.
    pub fn union(&mut self, other: &ByteSet) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    /// Have they none in common?
    pub fn is_disjoint(&self, other: &ByteSet) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| a & b == 0)
    }

    /// How many.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Its members.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                (bit < 64).then_some((i as u32 * 64 + bit) as u8)
            })
        })
    }
}

/// What a set has of the codes that are no ASCII.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum High {
    /// All.
    All,
    /// None.
    None,
    /// These.
    Some(Box<[Range]>),
    /// These, which all sets share; codes of the first range may be ASCII.
    Shared(&'static [Range]),
}

/// A set of characters, ready to be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CharSet {
    /// The codes below 256 (of encodings of wider characters, below 128).
    pub low: ByteSet,
    /// The others.
    pub high: High,
}

impl CharSet {
    /// Bytes it takes.
    pub fn size(&self) -> usize {
        let high = if let High::Some(ranges) = &self.high { size_of_val(&**ranges) } else { 0 };
        size_of::<CharSet>() + high
    }

    /// A set in an encoding: `single`, of one byte a character.
    pub fn new(set: &CodeSet, single: bool) -> CharSet {
        let bound = if single { 256 } else { 128 };
        let mut low = ByteSet::default();
        let ranges = set.ranges();
        for &(first, last) in ranges.iter().take_while(|range| range.0 < bound) {
            low.insert_range(first as u8, last.min(bound - 1) as u8);
        }
        let begin = ranges.partition_point(|range| range.1 < bound);
        let high = match ranges[begin..] {
            [] => High::None,
            [(first, last)] if first <= bound && last >= 0x10_ffff => High::All,
            _ => match set.shared() {
                Some(shared) => High::Shared(&shared[begin..]),
                None => High::Some(ranges[begin..].iter().map(|&(first, last)| (first.max(bound), last)).collect()),
            },
        };
        CharSet { low, high }
    }

    /// Is a code that is no ASCII a member?
    #[inline]
    pub fn has_high(&self, code: u32) -> bool {
        match &self.high {
            High::All => code <= MAX_CODE,
            High::None => false,
            High::Some(ranges) => among(ranges, code),
            High::Shared(ranges) => among(ranges, code),
        }
    }

    /// Is a code a member?
    #[inline]
    pub fn has(&self, code: u32) -> bool {
        if code < 128 { self.low.contains(code as u8) } else { self.has_high(code) }
    }
}

#[inline]
fn among(ranges: &[Range], code: u32) -> bool {
    let i = ranges.partition_point(|r| r.1 < code);
    ranges.get(i).is_some_and(|r| r.0 <= code)
}

/// Two ways.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// Tried first.
    pub first: Pc,
    /// Tried then.
    pub second: Pc,
    /// The bytes the first can begin with.
    pub first_bytes: Lead,
    /// The bytes the second can begin with.
    pub second_bytes: Lead,
    /// Its number among the points that are memoised.
    pub memo: u32,
}

/// What a way can begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lead {
    /// The bytes.
    pub bytes: ByteSet,
    /// It may match without one.
    pub empty: bool,
}

impl Lead {
    /// It may begin with anything.
    pub const ANY: Lead = Lead { bytes: ByteSet::ALL, empty: true };

    /// Can it go on with this byte, or the end?
    #[inline(always)]
    pub fn allows(&self, next: Option<&u8>) -> bool {
        self.empty || next.is_some_and(|b| self.bytes.contains(*b))
    }
}

/// Ways by the next byte.
#[derive(Clone, Debug)]
pub struct Switch {
    /// For each byte the list of ways: an index of `lists`.
    pub by_byte: Box<[u8]>,
    /// Where lists begin and end in `ways`.
    pub lists: Box<[(u32, u32)]>,
    /// The list where the subject ends.
    pub at_end: (u32, u32),
    /// The lists, one after the other. Before the table is made: all ways.
    pub ways: Box<[Pc]>,
    /// Its number among the points that are memoised.
    pub memo: u32,
}

/// How a repeated character gives way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The longest first.
    Greedy,
    /// The shortest first.
    Lazy,
    /// The longest only.
    Possessive,
}

/// Which characters are repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// All.
    Any,
    /// All but newlines.
    NotNewline,
    /// Those of a set.
    Set(u32),
}

/// A repeated character.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Which.
    pub unit: Unit,
    /// Least times.
    pub min: u32,
    /// Most times.
    pub max: u32,
    /// How.
    pub mode: Mode,
    /// What follows.
    pub next: Lead,
    /// What it is made of and what follows have no byte in common: it never has to give way.
    pub apart: bool,
    /// Its number among the points that are memoised.
    pub memo: u32,
}

/// The kinds of scopes that cut off the ways that are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// `(?>…)`
    Atomic,
    /// `(?=…)`, `(?<=…)`
    Look,
    /// `(?!…)`, `(?<!…)`
    NotLook,
}

/// A look-around or an atomic group.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// Which.
    pub kind: ScopeKind,
    /// Characters to step back.
    pub behind: u32,
    /// Where it goes on.
    pub next: Pc,
    /// A group within captures.
    pub captures: bool,
    /// Its number among the points that are memoised.
    pub memo: u32,
}

/// A backreference.
#[derive(Clone, Debug)]
pub struct BackRef {
    /// The groups it may mean, in the order they are tried.
    pub groups: Box<[u32]>,
    /// The level of nesting it means.
    pub level: Option<i32>,
    /// Whatever the case.
    pub fold: bool,
}

/// A counted loop.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// Its counter.
    pub counter: u32,
    /// Least times.
    pub min: u32,
    /// Most times.
    pub max: u32,
    /// As often as possible first?
    pub greedy: bool,
    /// Where it goes on.
    pub exit: Pc,
    /// Its number among the points that are memoised.
    pub memo: u32,
}

impl Count {
    /// How many values its counter takes that differ.
    pub fn states(&self) -> u64 {
        u64::from(if self.max == UNBOUNDED { self.min } else { self.max }) + 1
    }
}

/// The end of an iteration that may be empty.
#[derive(Clone, Copy, Debug)]
pub struct EmptyEnd {
    /// Which check.
    pub slot: u32,
    /// Where to go if it was.
    pub exit: Pc,
    /// Groups within count as change.
    pub captures: bool,
}

/// A point whose failures are memoised.
#[derive(Clone, Debug, Default)]
pub struct MemoPoint {
    /// The innermost scope it lies in.
    pub scope: Option<u32>,
    /// The counters whose values tell its states apart: index of `Program::counts`.
    pub counts: Few<u32>,
    /// Where its states begin in the table's rows; filled in at the end.
    pub base: u64,
}

impl Program {
    /// Gives back the room that is not needed any more.
    pub fn fit(&mut self) {
        self.code.shrink_to_fit();
        self.bytes.shrink_to_fit();
        self.sets.shrink_to_fit();
        self.splits.shrink_to_fit();
        self.switches.shrink_to_fit();
        self.spans.shrink_to_fit();
        self.scopes.shrink_to_fit();
        self.counts.shrink_to_fit();
        self.empties.shrink_to_fit();
        self.unnoted.shrink_to_fit();
        self.memo.shrink_to_fit();
    }
}

/// What words consist of.
#[derive(Debug)]
pub struct Words {
    /// Characters of words.
    pub all: CharSet,
    /// The same of ASCII.
    pub ascii: CharSet,
}

/// A compiled pattern. Never changed after it was made.
#[derive(Debug)]
pub struct Program {
    /// The instructions; it begins with the first.
    pub code: Vec<Inst>,
    /// What they refer to.
    pub bytes: Vec<u8>,
    /// Sets.
    pub sets: Vec<CharSet>,
    /// Ways.
    pub splits: Vec<Split>,
    /// Ways by bytes.
    pub switches: Few<Switch>,
    /// Repeated characters.
    pub spans: Vec<Span>,
    /// Look-arounds and atomic groups.
    pub scopes: Few<Scope>,
    /// Backreferences.
    pub backs: Few<BackRef>,
    /// Counted loops.
    pub counts: Few<Count>,
    /// Ends of iterations.
    pub empties: Few<EmptyEnd>,
    /// Groups in such iterations that Onigmo does not note on its stack: they do not count as change.
    pub unnoted: Few<u32>,
    /// How many checks of iterations.
    pub empty_slots: u32,
    /// Groups, not counting the whole.
    pub groups: u32,
    /// The points that are memoised; none if failures depend on more than the place.
    pub memo: Vec<MemoPoint>,
    /// States of all points at one place; 0: nothing is memoised.
    pub memo_width: u64,
    /// A backreference looks at levels of nesting.
    pub levels: bool,
    /// Groups are called.
    pub calls: bool,
    /// Where a group ended before is noted when it ends again; otherwise it is when it begins, and a way within it that is tried
    /// later still sees the end of one that was given up.
    pub notes_ends: bool,
    /// A group's bounds are asked for while it is open.
    pub asked: bool,
    /// What words consist of, if it is asked anywhere.
    pub words: Option<Box<Words>>,
    /// Code of the subject.
    pub encoding: Encoding,
    /// Only ASCII subjects are searched.
    pub ascii: bool,
}

impl Program {
    /// Bytes it takes, about.
    pub fn size(&self) -> usize {
        size_of::<Program>()
            + self.code.len() * size_of::<Inst>()
            + self.bytes.len()
            + self.sets.iter().map(CharSet::size).sum::<usize>()
            + self.splits.len() * size_of::<Split>()
            + self.switches.len() * size_of::<Switch>()
            + self.spans.len() * size_of::<Span>()
            + self.scopes.len() * size_of::<Scope>()
            + self.counts.len() * size_of::<Count>()
            + self.memo.len() * size_of::<MemoPoint>()
            + if self.words.is_some() { size_of::<Words>() } else { 0 }
    }
}
