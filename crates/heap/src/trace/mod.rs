//! What `--trace` notes: spans of time in which a thread waits, stands still or collects, each in the lane of its thread.
//!
//! A heap that is not traced has a word that says so, which is looked at where a thread waits anyway. In one that is, a span costs its
//! thread two readings of the clock and five words, without a lock: what it is and where stands in its site, which has a number.

mod clock;
mod lane;
mod site;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use asterism_lock::Mutex;

use clock::Clock;
pub use clock::{Moment, Scale};
pub use lane::{Entry, Lane, Span};
use site::{KnownSites, Sites};
pub use site::{Line, Site, SiteKey, SiteNumber, SpanKind};

/// What the thread whose lane it is has of it, and the next one after it.
#[derive(Debug)]
struct LaneUser {
    lane: Arc<Lane>,
    known: Box<KnownSites>,
}

/// All lanes of a program.
#[derive(Debug)]
pub struct Recorder {
    clock: Clock,
    lanes: Mutex<Vec<Arc<Lane>>>,
    /// Those whose threads have ended.
    free: Mutex<Vec<LaneUser>>,
    sites: Mutex<Sites>,
    /// Numbers and names of the VMs.
    groups: Mutex<Vec<(u64, String)>>,
}

impl Default for Recorder {
    fn default() -> Self {
        let (lanes, free, sites, groups) = (Mutex::default(), Mutex::default(), Mutex::default(), Mutex::default());
        Self { clock: Clock::new(), lanes, free, sites, groups }
    }
}

impl Recorder {
    fn new_lane(&self) -> Arc<Lane> {
        let lane = Arc::new(Lane::new(self.clock));
        self.lanes.lock().push(Arc::clone(&lane));
        lane
    }

    /// A lane for a thread that has none.
    fn user(&self, group: u64, number: u64) -> LaneUser {
        let free = self.free.lock().pop();
        let user = free.unwrap_or_else(|| LaneUser { lane: self.new_lane(), known: Box::new(KnownSites::new()) });
        user.lane.begin(group, number);
        user
    }

    /// The lanes there are, without the first ones, so many.
    #[must_use]
    pub fn lanes_from(&self, index: usize) -> Vec<Arc<Lane>> {
        self.lanes.lock()[index..].to_vec()
    }

    /// The sites there are, without the first ones, so many. Spans that were taken before have no others.
    #[must_use]
    pub fn sites_from(&self, index: usize) -> Vec<Arc<Site>> {
        self.sites.lock().from(index)
    }

    /// Says how a VM is called; its number among those that are traced.
    pub fn group(&self, name: String) -> u64 {
        let mut groups = self.groups.lock();
        let number = groups.len() as u64 + 1;
        groups.push((number, name));
        number
    }

    /// The VMs' numbers and names.
    #[must_use]
    pub fn groups(&self) -> Vec<(u64, String)> {
        self.groups.lock().clone()
    }

    /// What makes nanoseconds of moments until now.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.clock.scale()
    }
}

/// A recorder that a VM has joined.
#[derive(Debug)]
struct Joined {
    recorder: Arc<Recorder>,
    /// The VM's number there.
    group: u64,
    /// Lanes of threads that have not used them yet, by the threads' numbers.
    unused: Vec<(u64, LaneUser)>,
}

/// Whether a heap's threads are traced.
#[derive(Debug, Default)]
pub struct Traced {
    /// 0: they are not. Else it tells one recorder from those before.
    generation: AtomicU64,
    /// The last generation, and the recorder. Looked at by a native thread once for each generation.
    joined: Mutex<(u64, Option<Joined>)>,
}

impl Traced {
    /// The generation; 0 if nobody is traced.
    #[inline]
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Traces from now on; `false` if the threads are traced already.
    pub fn start(&self, recorder: &Arc<Recorder>, group: u64) -> bool {
        let mut place = self.joined.lock();
        if place.1.is_some() {
            return false;
        }
        place.0 += 1;
        place.1 = Some(Joined { recorder: Arc::clone(recorder), group, unused: Vec::new() });
        self.generation.store(place.0, Ordering::Release);
        true
    }

    /// Traces no more. The threads that live still have these names.
    pub fn stop(&self, mut names: HashMap<u64, String>) {
        let mut place = self.joined.lock();
        self.generation.store(0, Ordering::Release);
        let Some(joined) = place.1.take() else { return };
        for lane in joined.recorder.lanes_from(0) {
            lane.set_name(|group, number| if group == joined.group { names.remove(&number) } else { None });
        }
    }

    /// Makes the lane of a thread that may not come here soon.
    pub fn prepare(&self, number: u64) {
        if let Some(joined) = &mut self.joined.lock().1 {
            joined.unused.push((number, joined.recorder.user(joined.group, number)));
        }
    }

    /// The lane of the thread with this number.
    fn track(&self, number: u64) -> Option<Track> {
        let mut place = self.joined.lock();
        let generation = place.0;
        let Joined { recorder, group, unused } = place.1.as_mut()?;
        let made = unused.iter().position(|&(of, _)| of == number).map(|at| unused.swap_remove(at).1);
        let user = made.unwrap_or_else(|| recorder.user(*group, number));
        Some(Track { generation, group: *group, recorder: Arc::clone(recorder), user })
    }

    /// A lane for what is no thread of the VM.
    pub fn extra_lane(&self, number: u64) -> Option<ExtraLane> {
        let place = self.joined.lock();
        let Joined { recorder, group, .. } = place.1.as_ref()?;
        let lane = recorder.new_lane();
        lane.begin(*group, number);
        Some(ExtraLane { recorder: Arc::clone(recorder), lane })
    }
}

/// A lane that is no thread's.
#[derive(Clone, Debug)]
pub struct ExtraLane {
    recorder: Arc<Recorder>,
    lane: Arc<Lane>,
}

impl ExtraLane {
    /// Now.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.lane.clock().now()
    }

    /// Adds a span that ends now; any thread may.
    pub fn add(&self, site: Site, begin: Moment) {
        let (end, site) = (self.now(), self.recorder.sites.lock().number(site));
        self.lane.add_shared(Span { site, begin, end, held_by: 0, fiber: 0 });
    }
}

/// The lane that a thread uses, for one generation.
#[derive(Debug)]
pub struct Track {
    generation: u64,
    group: u64,
    recorder: Arc<Recorder>,
    user: LaneUser,
}

impl Track {
    /// Which recorder it belongs to, among those of the heap.
    #[inline]
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Now.
    #[inline]
    #[must_use]
    pub fn now(&self) -> Moment {
        self.user.lane.clock().now()
    }

    /// The same, for another moment.
    #[must_use]
    pub fn at(&self, moment: Instant) -> Moment {
        self.user.lane.clock().at(moment)
    }

    /// Adds a span.
    #[inline]
    pub fn add(&self, span: &Span) {
        self.user.lane.add(span);
    }

    /// Adds one of the thread's, for which nobody is known to be waited.
    pub(crate) fn add_plain(&self, site: SiteNumber, begin: Moment, end: Moment) {
        self.add(&Span { site, begin, end, held_by: 0, fiber: 0 });
    }

    /// The number of a site.
    #[must_use]
    pub fn number(&self, site: Site) -> SiteNumber {
        self.recorder.sites.lock().number(site)
    }

    /// The number of the site with this key, if the thread knows it; `epoch` is how many collections there have been.
    #[inline]
    pub fn find(&mut self, epoch: u64, key: &SiteKey) -> Option<SiteNumber> {
        self.user.known.find((self.group, epoch), key)
    }

    /// Notes that the site with this key has that number. Between `find` and this, what the key names has lived.
    pub fn learn(&mut self, key: SiteKey, number: SiteNumber) {
        self.user.known.learn(key, number);
    }

    /// Says how the thread is called.
    pub fn set_name(&self, name: String) {
        self.user.lane.set_name(|_, _| Some(name));
    }

    /// The thread ends.
    fn end(self) -> IdleLane {
        self.user.lane.end();
        IdleLane(Some(self))
    }
}

/// What the last thread that a native thread has run leaves to the next one of the VM, which so needs no lock to have a lane.
#[derive(Debug, Default)]
pub struct IdleLane(Option<Track>);

impl Drop for IdleLane {
    fn drop(&mut self) {
        if let Some(Track { recorder, user, .. }) = self.0.take() {
            recorder.free.lock().push(user);
        }
    }
}

/// The lane of a thread, if it has used one.
#[derive(Debug, Default)]
pub(crate) struct OwnLane {
    pub(crate) number: u64,
    track: Option<Track>,
}

impl OwnLane {
    /// Uses a lane that was left, if it is one of this generation.
    pub(crate) fn reuse(&mut self, traced: &Traced, mut idle: IdleLane) {
        if idle.0.as_ref().is_some_and(|track| track.generation == traced.generation()) {
            self.track = idle.0.take();
            self.track.iter().for_each(|track| track.user.lane.begin(track.group, self.number));
        }
    }

    /// The thread ends, and uses it no more.
    pub(crate) fn end(&mut self) -> IdleLane {
        self.number = 0;
        self.track.take().map(Track::end).unwrap_or_default()
    }

    /// The lane, if threads are traced: a comparison if not.
    #[inline]
    pub(crate) fn get(&mut self, traced: &Traced) -> Option<&mut Track> {
        match traced.generation() {
            0 => None,
            generation => self.find(traced, generation),
        }
    }

    fn find(&mut self, traced: &Traced, generation: u64) -> Option<&mut Track> {
        if self.track.as_ref().is_none_or(|track| track.generation != generation) {
            self.renew(traced);
        }
        self.track.as_mut()
    }

    #[cold]
    fn renew(&mut self, traced: &Traced) {
        self.track = if self.number == 0 { None } else { traced.track(self.number) };
    }
}

impl Drop for OwnLane {
    fn drop(&mut self) {
        self.end();
    }
}
