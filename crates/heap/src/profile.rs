//! What `GC.latest_gc_info` and `GC::Profiler` tell of single collections. It knows nothing of the heap.

use std::time::{Duration, Instant};

/// Why a collection is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Enough has been allocated.
    Threshold,
    /// The program asks for a major one.
    Explicit,
    /// The same, but what is dead may be freed later.
    ExplicitLazy,
    /// The program asks for a minor one.
    ExplicitMinor,
    /// Every allocation collects.
    Stress,
    /// No memory is left.
    Memory,
}

/// What a collection marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The young, from the roots and what was remembered.
    Minor,
    /// Everything.
    Major,
}

/// What marking found alive.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Live {
    pub(crate) bytes: usize,
    pub(crate) cells: usize,
}

/// One collection.
#[derive(Clone, Copy, Debug)]
pub struct Collection {
    /// What it marked.
    pub kind: Kind,
    /// Why there was one.
    pub reason: Reason,
    /// Whether what was dead was freed before it ended.
    pub thorough: bool,
    /// When it began, counted from when the heap was made.
    pub begun: Duration,
    /// The pause.
    pub pause: Duration,
    /// Bytes of cells and malloc'ed bodies that it found alive.
    pub live_bytes: u64,
    /// Cells that it found alive.
    pub live_cells: u64,
    /// Bytes of the blocks that the heap had then.
    pub heap_bytes: u64,
}

/// What the statistics lock protects of this.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) last: Option<Collection>,
    /// All of them, while a program wants that.
    pub(crate) kept: Vec<Collection>,
    pub(crate) keeps: bool,
    /// Is the time measured that `GC.total_time` tells?
    pub(crate) timing: bool,
    pub(crate) timed: Duration,
    made: Instant,
}

impl Profile {
    pub(crate) fn new() -> Self {
        Self { last: None, kept: Vec::new(), keeps: false, timing: true, timed: Duration::ZERO, made: Instant::now() }
    }

    /// How old the heap was then.
    pub(crate) fn age(&self, then: Instant) -> Duration {
        then.saturating_duration_since(self.made)
    }

    /// Takes note of a collection; the bytes that keeping it takes.
    pub(crate) fn add(&mut self, collection: Collection) -> usize {
        self.last = Some(collection);
        if self.timing {
            self.timed += collection.pause;
        }
        if !self.keeps || self.kept.try_reserve(1).is_err() {
            return 0;
        }
        self.kept.push(collection);
        size_of::<Collection>()
    }
}
