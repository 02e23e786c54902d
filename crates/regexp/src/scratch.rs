//! The memory of searches: belongs to who searches, is used again by the next search, and is taken fallibly.

use crate::program::Pc;

/// A place that is none.
pub const NOWHERE: u32 = u32::MAX;

/// What is undone, or tried next, when a way leads nowhere.
#[derive(Clone, Copy, Debug)]
pub enum Frame {
    /// Another way.
    Alt { pc: Pc, pos: u32 },
    /// A greedy span gives one more character back: it may end at `low` at least.
    Back { pc: Pc, low: u32, pos: u32 },
    /// A lazy span takes one more character.
    More { pc: Pc, pos: u32, count: u32 },
    /// One more iteration of a lazy counted loop.
    Again { index: u32, pc: Pc, pos: u32 },
    /// The value of a slot before.
    Slot { slot: u32, old: u32 },
    /// The bounds of a group before it was opened.
    Group { group: u32, begin: u32, end: u32 },
    /// The value of a counter before.
    Counter { index: u32, old: u32 },
    /// What was known of an iteration before.
    Empty { slot: u32, pos: u32, depth: u32 },
    /// The innermost call before, and how many there were.
    Call { current: u32, count: u32 },
    /// The same, behind a return.
    Return { current: u32, count: u32 },
    /// The same, where a group that may contain itself began or ended.
    Nest { current: u32, count: u32 },
    /// Where the match began before `\K`.
    Keep { old: u32 },
    /// A look-around or an atomic group began.
    Scope { scope: u32, pos: u32 },
    /// A negative look-around began: without a match it goes on behind it.
    NotLook { scope: u32, pos: u32 },
    /// `(?~` began at; what could be matched up to then, plus one.
    AbsentPos { begin: u32, right: u32 },
    /// What must be absent is being tried.
    AbsentMark,
    /// This point fails at this place when it comes here.
    Memo { point: u32, pos: u32 },
    /// The same of a point in an atomic group that has matched: whoever gets there fails with the group.
    MemoCut { point: u32, pos: u32 },
    /// A group began or ended: for backreferences with a level.
    Level { group: u32, pos: u32, end: bool },
}

/// A call that has not returned, or the beginning of a group that may contain itself.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    /// Where to go on, or where the group began.
    pub value: u32,
    /// The one around.
    pub parent: u32,
    /// Where the counters of the time lie in `saved`.
    pub saved: u32,
}

/// The memory of searches.
#[derive(Debug)]
pub struct Scratch {
    /// What is left to try.
    pub stack: Vec<Frame>,
    /// Bounds of groups: of group n at 2n and 2n+1.
    pub slots: Vec<u32>,
    /// Counters of loops.
    pub counters: Vec<u32>,
    /// Where iterations began, and the stack's height then.
    pub empties: Vec<(u32, u32)>,
    /// Calls.
    pub calls: Vec<Activation>,
    /// Counters at calls.
    pub saved: Vec<u32>,
    /// Points that failed.
    pub failed: Vec<u64>,
    /// Points in a scope that led to its end.
    pub passed: Vec<u64>,
    /// Most bytes that may be taken.
    pub limit: usize,
    /// Automata's memory.
    pub caches: crate::automaton::Caches,
}

/// Bytes that a scratch may take if nothing else is said.
pub const DEFAULT_LIMIT: usize = 512 << 20;

/// Bytes that a scratch keeps from one search to the next.
const KEPT: usize = 1 << 20;

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new(DEFAULT_LIMIT)
    }
}

impl Scratch {
    /// One that takes no more than so many bytes.
    pub const fn new(limit: usize) -> Scratch {
        Scratch {
            stack: Vec::new(),
            slots: Vec::new(),
            counters: Vec::new(),
            empties: Vec::new(),
            calls: Vec::new(),
            saved: Vec::new(),
            failed: Vec::new(),
            passed: Vec::new(),
            limit,
            caches: crate::automaton::Caches::new(),
        }
    }

    /// Bytes it has taken.
    pub fn size(&self) -> usize {
        self.stack.capacity() * size_of::<Frame>()
            + (self.slots.capacity() + self.counters.capacity() + self.saved.capacity()) * 4
            + (self.failed.capacity() + self.passed.capacity() + self.empties.capacity()) * 8
            + self.calls.capacity() * size_of::<Activation>()
            + self.caches.size()
    }

    /// Gives back what only a large search needed.
    pub fn shrink(&mut self) {
        if self.stack.capacity() * size_of::<Frame>() > KEPT {
            self.stack = Vec::new();
        }
        if self.failed.capacity() * 8 > KEPT {
            (self.failed, self.passed) = (Vec::new(), Vec::new());
        }
        if self.calls.capacity() * size_of::<Activation>() > KEPT {
            (self.calls, self.saved) = (Vec::new(), Vec::new());
        }
    }
}
