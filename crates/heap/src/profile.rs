//! What `GC.latest_gc_info` and `GC::Profiler` tell of single collections.

use std::time::{Duration, Instant};

use crate::collect::Reason;
use crate::generations::Kind;
use crate::heap::Heap;

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
    last: Option<Collection>,
    /// All of them, while a program wants that.
    kept: Vec<Collection>,
    keeps: bool,
    /// Is the time measured that `GC.total_time` tells?
    timing: bool,
    timed: Duration,
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

impl Heap {
    /// The last collection.
    pub fn last_collection(&self) -> Option<Collection> {
        self.record.lock().profile.last
    }

    /// The kind of the collection that comes next, if nothing else happens.
    pub fn next_kind(&self) -> Kind {
        self.generations.lock().due()
    }

    /// Whether every collection is noted from now on.
    pub fn keep_collections(&self, keep: bool) {
        self.record.lock().profile.keeps = keep;
    }

    /// Is every collection noted?
    pub fn keeps_collections(&self) -> bool {
        self.record.lock().profile.keeps
    }

    /// What was noted.
    pub fn kept_collections(&self) -> Vec<Collection> {
        self.record.lock().profile.kept.clone()
    }

    /// Forgets what was noted.
    pub fn forget_collections(&self) {
        let kept = std::mem::take(&mut self.record.lock().profile.kept);
        self.count_malloc(-size_of_val(&kept[..]).cast_signed());
    }

    /// Whether the time of collections is measured from now on.
    pub fn set_timing(&self, timing: bool) {
        self.record.lock().profile.timing = timing;
    }

    /// Is it measured?
    pub fn timing(&self) -> bool {
        self.record.lock().profile.timing
    }

    /// The time of all pauses, as long as it was measured.
    pub fn timed(&self) -> Duration {
        self.record.lock().profile.timed
    }

    /// Whether collections that nobody has asked for may mark everything.
    pub fn allow_full_marking(&self, allow: bool) {
        self.generations.lock().full_marking = allow;
    }

    /// May they?
    pub fn full_marking(&self) -> bool {
        self.generations.lock().full_marking
    }
}
