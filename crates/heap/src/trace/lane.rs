//! The spans of a thread, between the thread and whoever writes them.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use asterism_lock::Mutex;

use super::clock::{Clock, Moment};
use super::site::SiteNumber;

/// A time in which a thread, or a fiber of it, does one thing.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// What, and where.
    pub site: SiteNumber,
    /// When it begins.
    pub begin: Moment,
    /// When it ends.
    pub end: Moment,
    /// The thread, or fiber, that has to be waited for; 0 if that is not known.
    pub held_by: u64,
    /// The fiber that waits while its thread goes on; 0: it is the thread.
    pub fiber: u64,
}

/// An entry as its thread notes it: a span, whose first word is the number of its site, or what one of these words begins.
type Words = [u64; 5];
const BEGIN: u64 = 1 << 32;
const END: u64 = 1 << 33;

/// What is noted in a lane, one behind the other.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A thread begins to use it: the numbers of its VM and its own.
    Begin(u64, u64, Moment),
    /// A span of that thread.
    Span(Span),
    /// The thread ends; its name, if it has one.
    End(Moment, Option<String>),
}

/// So many entries a thread notes before it takes the lane's lock.
const STAGED: usize = 64;

/// Where one thread at a time notes its spans: when it ends, the next one that begins goes on in its lane.
#[derive(Debug)]
pub struct Lane {
    clock: Clock,
    /// The newest entries, which the lane's thread writes without a lock.
    staged: [[AtomicU64; size_of::<Words>() / 8]; STAGED],
    /// How many of these are complete. Made 0 by the lane's thread under the lock only.
    count: AtomicUsize,
    settled: Mutex<Settled>,
}

/// What has a lock.
#[derive(Debug, Default)]
struct Settled {
    entries: Vec<Entry>,
    /// So many of the staged ones are in there, or were.
    taken: usize,
    /// The numbers of the VM and the thread that uses the lane, as far as the entries go.
    used_by: Option<(u64, u64)>,
    /// That thread's name.
    name: Option<String>,
}

impl Settled {
    fn pull(&mut self, lane: &Lane) {
        let count = lane.count.load(Ordering::Acquire);
        for words in &lane.staged[self.taken..count] {
            let word = |i: usize| words[i].load(Ordering::Relaxed);
            let entry = self.entry([word(0), word(1), word(2), word(3), word(4)]);
            self.entries.push(entry);
        }
        self.taken = count;
    }

    #[inline]
    fn entry(&mut self, words: Words) -> Entry {
        match words {
            [BEGIN, group, number, at, _] => {
                self.used_by = Some((group, number));
                Entry::Begin(group, number, Moment(at))
            }
            [END, at, ..] => {
                self.used_by = None;
                Entry::End(Moment(at), self.name.take())
            }
            [site, begin, end, held_by, fiber] => {
                let (site, begin, end) = (SiteNumber(site as u32), Moment(begin), Moment(end));
                Entry::Span(Span { site, begin, end, held_by, fiber })
            }
        }
    }
}

impl Lane {
    pub(super) fn new(clock: Clock) -> Lane {
        let staged = [const { [const { AtomicU64::new(0) }; _] }; STAGED];
        Lane { clock, staged, count: AtomicUsize::new(0), settled: Mutex::default() }
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Adds a span of the thread that calls, whose lane it is.
    #[inline]
    pub(super) fn add(&self, span: &Span) {
        self.note([span.site.0.into(), span.begin.0, span.end.0, span.held_by, span.fiber]);
    }

    /// The thread with these numbers, which calls or gets the lane from who does, begins to use it.
    pub(super) fn begin(&self, group: u64, number: u64) {
        self.note([BEGIN, group, number, self.clock.now().0, 0]);
    }

    /// The thread that calls ends.
    pub(super) fn end(&self) {
        self.note([END, self.clock.now().0, 0, 0, 0]);
    }

    #[inline]
    fn note(&self, words: Words) {
        let count = self.count.load(Ordering::Relaxed);
        let at = if count < STAGED { count } else { self.settle() };
        for (word, value) in self.staged[at].iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        self.count.store(at + 1, Ordering::Release);
    }

    /// Makes room for staged entries: for the thread whose lane it is.
    #[cold]
    fn settle(&self) -> usize {
        let mut settled = self.settled.lock();
        settled.pull(self);
        settled.taken = 0;
        self.count.store(0, Ordering::Relaxed);
        0
    }

    /// Adds one of any thread, in a lane that is no thread's.
    pub(super) fn add_shared(&self, span: Span) {
        let mut settled = self.settled.lock();
        settled.pull(self);
        settled.entries.push(Entry::Span(span));
    }

    /// Says how the thread that uses it is called, if `name` knows one of its VM and its own number.
    pub(super) fn set_name(&self, name: impl FnOnce(u64, u64) -> Option<String>) {
        let mut settled = self.settled.lock();
        // The threads that have ended before keep theirs.
        settled.pull(self);
        if let Some(name) = settled.used_by.and_then(|(group, number)| name(group, number)) {
            settled.name = Some(name);
        }
    }

    /// The name of the thread that uses it, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.settled.lock().name.clone()
    }

    /// Exchanges `entries`, which is empty, for what was noted since the last time.
    pub fn take(&self, entries: &mut Vec<Entry>) {
        let mut settled = self.settled.lock();
        settled.pull(self);
        std::mem::swap(&mut settled.entries, entries);
    }
}

#[cfg(test)]
#[path = "lane_tests.rs"]
mod tests;
