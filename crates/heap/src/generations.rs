//! When to collect, and how much of the heap: the policy of minor and major collections.
//!
//! A minor collection happens whenever the *nursery*'s bytes have been allocated. What it finds alive counts as old from
//! then on. A pause lasts as long as it takes to mark that: where much survives, nurseries are small. When the old have grown by as
//! much as the program's live data may grow between two full markings, the next collection is a major one. What that can find dead
//! is what has died among the old: while a program builds up what it keeps, and the last one has found hardly any, the next one is
//! put off.

use std::time::{Duration, Instant};

use crate::heap::Config;
use crate::profile::{Kind, Live};

/// Bytes allocated between two minor collections are a quarter of what the old may grow by, but not more than these: more
/// would make pauses longer, and save little.
const LARGEST_NURSERY: usize = 16 << 20;

/// Cells that a minor collection is to find alive at most, so that the pause is of two milliseconds or so.
const MOST_SURVIVORS: usize = 40 << 10;

/// No nursery is smaller than the first one, but the size from which it grows again is not to vanish.
const SMALLEST_BEARABLE: usize = 1 << 20;

/// After a major collection in vain that has found at least so much alive, bytes that become old while most that is allocated
/// does count as one of so many. In smaller heaps there is not much to save.
const LARGE: usize = 32 << 20;
const BUILDING: usize = 4;

/// After one in vain the old may grow by so many times as much before the next one, which is likely to be in vain too.
const LATER_IN_VAIN: usize = 2;

/// Collections of one thread over which is looked what they have marked of what was allocated.
const FEW_COLLECTIONS: u32 = 4;

/// A cell is marked in the time in which a thread allocates a dozen bytes or two. So where it has allocated less than so many for each
/// cell marked, collections take a tenth of its time and more, and its nursery grows; it shrinks where they take a thirtieth.
const MUCH_MARKED: usize = 192;
const LITTLE_MARKED: usize = 640;

/// The nursery of one thread has at most so many initial thresholds for that.
const MOST_ALONE: usize = 2;

/// With several threads: what a collection's allocation may be at least, in initial thresholds, as long as pauses do not take much.
const FEW: usize = 1;

/// Collections over which is looked how much of the time was pauses.
const WINDOW: u32 = 8;

/// Of so many parts of the time pauses may take one before the nursery of several threads grows, and so that it shrinks again.
const LONG_SHARE: u32 = 16;
const SHORT_SHARE: u32 = 40;

/// Bytes allocated between two collections, or that may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    /// In small cells: as many as can survive in number.
    pub(crate) small: usize,
    /// In these, in large cells and malloc'ed.
    pub(crate) all: usize,
}

/// What is known between collections. Changed with the world stopped.
#[derive(Debug)]
pub(crate) struct Generations {
    /// Bytes alive after the last major collection; `None` before the first.
    base: Option<usize>,
    /// Bytes that the old may grow by before the next.
    growth: usize,
    /// Bytes that they have grown by, as they count.
    grown: usize,
    /// The last major collection has found hardly anything dead, and much alive.
    in_vain: bool,
    /// Bytes allocated between two minor collections.
    nursery: usize,
    /// Alive after the last collection of either kind.
    live: Live,
    /// Bytes of small cells of which [`MOST_SURVIVORS`] would survive, as far as is known.
    bearable: usize,
    /// Words of old cells that the last minor collection has looked through, since something was stored in one of them.
    pub(crate) looked_through: usize,
    /// Malloc'ed bytes of the old.
    pub(crate) old_malloc: usize,
    /// Old cells that every minor collection traces.
    pub(crate) anywhere: Vec<Vec<u64>>,
    /// What threads that have ended had remembered.
    pub(crate) remembered: Vec<u64>,
    /// With one thread: the smallest nursery, in initial thresholds.
    alone: usize,
    /// What its last collections have marked, and what it had allocated before.
    work: Work,
    /// With several threads: the smallest nursery, in initial thresholds.
    several: usize,
    /// When the first collection of this window was over, how many have followed, and their pauses together.
    window: Option<(Instant, u32, Duration)>,
    /// With a collection at every allocation: the kind of the last.
    stressed: Kind,
    /// May collections that nobody has asked for mark everything?
    pub(crate) full_marking: bool,
}

/// What some collections have done.
#[derive(Debug, Default)]
struct Work {
    collections: u32,
    /// Cells.
    marked: usize,
    /// Bytes.
    allocated: usize,
}

impl Generations {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            base: None,
            growth: config.initial_threshold,
            grown: 0,
            in_vain: false,
            nursery: config.initial_threshold,
            live: Live::default(),
            bearable: usize::MAX,
            looked_through: 0,
            old_malloc: 0,
            anywhere: Vec::new(),
            remembered: Vec::new(),
            alone: 1,
            work: Work::default(),
            several: FEW,
            window: None,
            stressed: Kind::Major,
            full_marking: true,
        }
    }

    /// The kind of a collection at every allocation: by turns.
    pub(crate) fn stress(&mut self) -> Kind {
        self.stressed = if self.stressed == Kind::Minor { Kind::Major } else { Kind::Minor };
        self.stressed
    }

    /// The kind of the collection that is due.
    pub(crate) fn due(&self) -> Kind {
        match self.base {
            // All are young: it would mark as much.
            None => Kind::Major,
            Some(_) if !self.full_marking => Kind::Minor,
            Some(_) if self.grown >= self.most_promoted() => Kind::Major,
            Some(_) => Kind::Minor,
        }
    }

    /// Bytes by which the old may have grown after a minor collection that another one may follow.
    fn most_promoted(&self) -> usize {
        self.growth.saturating_sub(self.nursery).max(self.nursery / 2)
    }

    /// After a collection that has found so much alive, and before which so many bytes were allocated: the bytes to be allocated
    /// before the next, of either kind. With several threads at once a collection stops all of them: where such pauses take much of the
    /// time (`paused`), the threads together may allocate a few times what each alone might, as far as what survives of it can be borne.
    /// What that costs in memory is bounded by their number, and by that of processors.
    pub(crate) fn collected(
        &mut self,
        kind: Kind,
        live: Live,
        allocated: Bytes,
        threads: usize,
        config: &Config,
    ) -> Bytes {
        let before = std::mem::replace(&mut self.live, live);
        let marked = if kind == Kind::Minor { live.cells.saturating_sub(before.cells) } else { live.cells };
        self.weigh(marked, allocated.all);
        if kind == Kind::Minor {
            self.bearable = self.bearable_after(allocated.small, marked);
            let promoted = live.bytes.saturating_sub(before.bytes);
            let building = self.in_vain && promoted > allocated.all / 2;
            self.grown += if building { promoted / BUILDING } else { promoted };
        }
        let times = if threads > 1 {
            self.several = self.several.min(threads.min(64) * 4);
            self.several
        } else {
            self.alone
        };
        let floor = times * config.initial_threshold;
        if kind == Kind::Major {
            // The old of one thread may not grow by more for that its nursery is larger.
            let least = if threads > 1 { floor } else { config.initial_threshold };
            self.in_vain = live.bytes >= LARGE && self.was_in_vain(before.bytes);
            let percent = config.growth_percent * if self.in_vain { LATER_IN_VAIN } else { 1 };
            self.growth = (live.bytes / 100).saturating_mul(percent).max(least);
            self.base = Some(live.bytes);
            self.grown = 0;
        }
        // A huge Array in which a program goes on to store has to be looked through at each collection, however small the nursery.
        let repeated = self.looked_through.saturating_mul(size_of::<u64>()).min(self.growth / 2);
        self.nursery = (self.growth / 4).min(LARGEST_NURSERY).max(floor).max(repeated);
        if self.due() == Kind::Minor {
            let small = self.bearable.max(FEW * config.initial_threshold).max(repeated);
            return Bytes { small: small.min(self.nursery), all: self.nursery };
        }
        // A major one is next: what is left of the growth may be used up first.
        let all = self.growth.saturating_sub(self.grown).clamp(self.nursery / 4, self.nursery);
        Bytes { small: all, all }
    }

    /// What a collection has marked counts against what was allocated before it: whether one thread should allocate more in between.
    fn weigh(&mut self, marked: usize, allocated: usize) {
        self.work.collections += 1;
        self.work.marked += marked;
        self.work.allocated += allocated;
        if self.work.collections < FEW_COLLECTIONS {
            return;
        }
        let Work { marked, allocated, .. } = std::mem::take(&mut self.work);
        if marked.saturating_mul(MUCH_MARKED) > allocated {
            self.alone = (self.alone * 2).min(MOST_ALONE);
        } else if marked.saturating_mul(LITTLE_MARKED) < allocated {
            self.alone = (self.alone / 2).max(1);
        }
    }

    /// The bytes of which [`MOST_SURVIVORS`] would survive if it were as of the last ones. A program may go on to keep what it
    /// allocates at any time, and a collection for large cells tells little of small ones: so it grows by a part of what was looked at.
    fn bearable_after(&self, allocated: usize, survivors: usize) -> usize {
        let bearable = (allocated / survivors.max(1)).saturating_mul(MOST_SURVIVORS);
        bearable.min(self.bearable.saturating_add(allocated / 4)).max(SMALLEST_BEARABLE)
    }

    /// Whether of what had become old since the major collection before, this one, which has just been noted, has found less than an
    /// eighth dead; `before` it so many bytes were taken for alive.
    fn was_in_vain(&self, before: usize) -> bool {
        let Some(base) = self.base else { return false };
        before.saturating_sub(self.live.bytes) < before.saturating_sub(base) / 8
    }

    /// After a collection that was due, at the end of its pause: how long threads stood still, or were on the way to it.
    pub(crate) fn paused(&mut self, pause: Duration, now: Instant) {
        let Some((begun, count, pauses)) = &mut self.window else {
            self.window = Some((now, 0, Duration::ZERO));
            return;
        };
        *count += 1;
        *pauses += pause;
        if *count < WINDOW {
            return;
        }
        let time = now.duration_since(*begun);
        if *pauses > time / LONG_SHARE {
            self.several = (self.several * 2).min(64 * 4);
        } else if *pauses < time / SHORT_SHARE {
            self.several = (self.several / 2).max(FEW);
        }
        self.window = Some((now, 0, Duration::ZERO));
    }

    /// Bytes that may be allocated between two minor collections where hardly anything survives.
    pub(crate) fn largest_nursery(&self) -> usize {
        (self.growth / 4).min(LARGEST_NURSERY).max(self.nursery)
    }
}
