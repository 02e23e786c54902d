//! When to collect, and how much of the heap: the policy of minor and major collections.
//!
//! A minor collection happens whenever the *nursery*'s bytes have been allocated. What it finds alive counts as old from
//! then on. When the old have grown by as much as the program's live data may grow between two full markings, the next
//! collection is a major one.

use std::time::{Duration, Instant};

use crate::heap::Config;
use crate::profile::Kind;

/// Bytes allocated between two minor collections are a quarter of what the old may grow by, but not more than these: more
/// would make pauses longer, and save little.
const LARGEST_NURSERY: usize = 32 << 20;

/// With several threads: what a collection's allocation may be at least, in initial thresholds, as long as pauses do not take much.
const FEW: usize = 2;

/// Collections over which is looked how much of the time was pauses.
const WINDOW: u32 = 8;

/// Of so many parts of the time pauses may take one before the nursery of several threads grows, and so that it shrinks again.
const LONG_SHARE: u32 = 16;
const SHORT_SHARE: u32 = 40;

/// What is known between collections. Changed with the world stopped.
#[derive(Debug)]
pub(crate) struct Generations {
    /// Bytes alive after the last major collection; `None` before the first.
    base: Option<usize>,
    /// Bytes that the old may grow by before the next.
    growth: usize,
    /// Bytes allocated between two minor collections.
    nursery: usize,
    /// Bytes alive after the last collection of either kind.
    live: usize,
    /// Malloc'ed bytes of the old.
    pub(crate) old_malloc: usize,
    /// Old cells that every minor collection traces.
    pub(crate) anywhere: Vec<Vec<u64>>,
    /// What threads that have ended had remembered.
    pub(crate) remembered: Vec<u64>,
    /// With several threads: the smallest nursery, in initial thresholds.
    several: usize,
    /// When the first collection of this window was over, how many have followed, and their pauses together.
    window: Option<(Instant, u32, Duration)>,
    /// With a collection at every allocation: the kind of the last.
    stressed: Kind,
    /// May collections that nobody has asked for mark everything?
    pub(crate) full_marking: bool,
}

impl Generations {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            base: None,
            growth: config.initial_threshold,
            nursery: config.initial_threshold,
            live: 0,
            old_malloc: 0,
            anywhere: Vec::new(),
            remembered: Vec::new(),
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
            Some(base) if self.live.saturating_sub(base) >= self.most_promoted() => Kind::Major,
            Some(_) => Kind::Minor,
        }
    }

    /// Bytes by which the old may have grown after a minor collection that another one may follow.
    fn most_promoted(&self) -> usize {
        self.growth.saturating_sub(self.nursery).max(self.nursery / 2)
    }

    /// After a collection that has found so many bytes alive: the bytes to be allocated before the next. With several
    /// threads at once a collection stops all of them: where such pauses take much of the time (`paused`), the threads together may
    /// allocate a few times what each alone might. What that costs in memory is bounded by their number, and by that of processors.
    pub(crate) fn collected(&mut self, kind: Kind, live: usize, threads: usize, config: &Config) -> usize {
        let floor = if threads > 1 {
            self.several = self.several.min(threads.min(64) * 4);
            self.several * config.initial_threshold
        } else {
            config.initial_threshold
        };
        self.live = live;
        if kind == Kind::Major {
            self.base = Some(live);
            self.growth = (live / 100).saturating_mul(config.growth_percent).max(floor);
        }
        self.nursery = (self.growth / 4).min(LARGEST_NURSERY).max(floor);
        if self.due() == Kind::Minor {
            return self.nursery;
        }
        // A major one is next: what is left of the growth may be used up first.
        let promoted = live.saturating_sub(self.base.unwrap_or(live));
        self.growth.saturating_sub(promoted).clamp(self.nursery / 4, self.nursery)
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

    /// Bytes allocated between two minor collections.
    pub(crate) fn nursery(&self) -> usize {
        self.nursery
    }
}
