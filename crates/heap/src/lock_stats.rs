//! What `--lock-stats` and `RubyVM.locks` show: how often each lock was taken, and what waiting for it has cost.
//!
//! A heap without `Config::lock_stats` has none of this. With it, a lock that has a site of its own (a Mutex) keeps a reference to that;
//! who waits for something else looks its site up when the wait is over. The table's lock is held for that only: nothing is
//! allocated in the heap and no safepoint reached under it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use asterism_lock::Mutex;

/// What kind of lock, or wait, a site is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LockKind {
    /// A Mutex, by the line that has made it.
    Mutex,
    /// A Monitor, by the line that has made it.
    Monitor,
    /// The locks of objects, by their class and the line.
    Object,
    /// Objects taken from the threads that owned them, by their class and the line.
    Ownership,
    /// The lock of C extensions, by the line that called one.
    Extensions,
    /// Queues, condition variables, channels, ends of threads: by class, and the line that waited.
    Wait,
    /// Threads that are stopped, as for collections.
    Stop,
}

impl LockKind {
    /// As it is shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LockKind::Mutex => "mutex",
            LockKind::Monitor => "monitor",
            LockKind::Object => "object",
            LockKind::Ownership => "ownership",
            LockKind::Extensions => "extensions",
            LockKind::Wait => "wait",
            LockKind::Stop => "stop",
        }
    }
}

/// What a site is found by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LockPlace {
    /// The word of a class, which the table keeps alive, and the line.
    Class(u64, Option<(Arc<str>, u32)>),
    /// A line.
    Text(String),
}

/// The counts of one site. Any thread adds to them.
#[derive(Debug, Default)]
pub struct LockSite {
    taken: AtomicU64,
    spun: AtomicU64,
    parked: AtomicU64,
    waited_ns: AtomicU64,
    longest_ns: AtomicU64,
}

impl LockSite {
    /// The lock was free.
    #[inline]
    pub fn took(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
    }

    /// The lock was taken after a wait: by looking again and again, or asleep.
    pub fn waited(&self, parked: bool, time: Duration) {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.took();
        if parked { &self.parked } else { &self.spun }.fetch_add(1, Ordering::Relaxed);
        self.waited_ns.fetch_add(ns, Ordering::Relaxed);
        self.longest_ns.fetch_max(ns, Ordering::Relaxed);
    }
}

/// A site's counts at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockRow {
    /// What kind.
    pub kind: LockKind,
    /// Which.
    pub place: LockPlace,
    /// How often it was taken, in all.
    pub taken: u64,
    /// How often that had to wait: awake, and asleep.
    pub spun: u64,
    /// See `spun`.
    pub parked: u64,
    /// All waits together.
    pub waited: Duration,
    /// The longest one.
    pub longest: Duration,
}

impl LockRow {
    /// How often it was not free.
    #[must_use]
    pub fn contended(&self) -> u64 {
        self.spun + self.parked
    }
}

/// The locks of one VM.
#[derive(Debug)]
pub struct LockStats {
    begun: Instant,
    sites: Mutex<BTreeMap<(LockKind, LockPlace), Arc<LockSite>>>,
}

impl Default for LockStats {
    fn default() -> Self {
        Self { begun: Instant::now(), sites: Mutex::default() }
    }
}

impl LockStats {
    /// The site of a lock.
    pub fn site(&self, kind: LockKind, place: LockPlace) -> Arc<LockSite> {
        Arc::clone(self.sites.lock().entry((kind, place)).or_default())
    }

    /// How long it has been counted.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// All sites that were taken, those that made threads wait longest first.
    #[must_use]
    pub fn rows(&self) -> Vec<LockRow> {
        let sites = self.sites.lock();
        let row = |((kind, place), site): (&(LockKind, LockPlace), &Arc<LockSite>)| LockRow {
            kind: *kind,
            place: place.clone(),
            taken: site.taken.load(Ordering::Relaxed),
            spun: site.spun.load(Ordering::Relaxed),
            parked: site.parked.load(Ordering::Relaxed),
            waited: Duration::from_nanos(site.waited_ns.load(Ordering::Relaxed)),
            longest: Duration::from_nanos(site.longest_ns.load(Ordering::Relaxed)),
        };
        let mut rows: Vec<LockRow> = sites.iter().map(row).filter(|row| row.taken > 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.waited, row.taken)));
        rows
    }

    /// Calls `mark` with each class that a site is named by, which has to keep it alive. The world is stopped, so nobody holds the
    /// table's lock.
    pub fn each_class(&self, mut mark: impl FnMut(u64)) {
        for (_, place) in self.sites.lock().keys() {
            if let LockPlace::Class(class, _) = place {
                mark(*class);
            }
        }
    }
}
