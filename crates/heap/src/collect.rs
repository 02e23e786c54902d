//! A collection: stop the world, mark, clear what is weak, sort the blocks, let the world run.
//!
//! A major one sweeps what is left to sweep and clears all marks first. A minor one keeps them: what is marked is old and
//! alive, and what is not, below the place up to which its block has been swept, was allocated since the last collection.
//! So it need not look at blocks that nobody has allocated in since.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::block;
use crate::generations::Bytes;
use crate::give_way;
use crate::header::Cell;
use crate::heap::Heap;
use crate::liveness::Liveness;
use crate::machine;
use crate::mark::{Marker, Shared};
use crate::mutator::Mutator;
use crate::profile::{Collection, Kind, Live, Reason};
use crate::ranks::{self, Rank};
use crate::safepoint::{Job, StoppedThreads, StoppedWorld};
use crate::size_class::GRANULE;
use crate::thread::{POLL_TIMER, ThreadState};
use crate::trace::SiteNumber;

/// Cells that are traced before other threads are asked to help: small heaps are marked faster alone.
const ALONE: usize = 16 << 10;

/// Remembered cells that one thread goes through: of each several lines have to come into the cache.
const REMEMBERED_ALONE: usize = 2 << 10;

impl Heap {
    /// Collects. When another thread has collected while this one waited for its turn, that is enough, unless the
    /// program asked.
    pub fn collect(&self, mutator: &mut Mutator, reason: Reason) {
        let mut times = None;
        let collected = self.with_world_stopped(mutator, |world, seen| {
            if self.epoch() != seen
                && !matches!(reason, Reason::Explicit | Reason::ExplicitLazy | Reason::ExplicitMinor)
            {
                return false;
            }
            let stopped = Instant::now();
            let kind = self.kind(reason);
            let thorough = reason == Reason::Explicit || reason == Reason::Memory && self.is_short();
            self.collect_stopped(world, kind, thorough);
            let mut record = self.record.lock();
            record.time_to_stop.record(stopped - world.threads.asked());
            let end = Instant::now();
            let pause = end - stopped;
            record.pauses.record(pause);
            match kind {
                Kind::Minor => record.minor.record(pause),
                Kind::Major => record.major.record(pause),
            }
            let (live_bytes, live_cells) = (record.live_bytes, record.live_cells);
            let heap_bytes = self.block_bytes.load(Ordering::Relaxed) as u64;
            let begun = record.profile.age(stopped);
            let noted = Collection { kind, reason, thorough, begun, pause, live_bytes, live_cells, heap_bytes };
            let kept = record.profile.add(noted);
            drop(record);
            self.count_malloc(kept.cast_signed());
            if reason == Reason::Threshold {
                self.generations.lock().paused(end - world.threads.asked(), end);
            }
            times = Some((world.threads.asked(), stopped, end, kind));
            true
        });
        if let (Some((asked, stopped, end, kind)), Some(lane)) = (times, mutator.lane()) {
            let collection = match kind {
                Kind::Minor => SiteNumber::MINOR,
                Kind::Major => SiteNumber::MAJOR,
            };
            lane.add_plain(SiteNumber::STOPPING, lane.at(asked), lane.at(stopped));
            lane.add_plain(collection, lane.at(stopped), lane.at(end));
        }
        if collected {
            let bytes = self.symbols().release();
            self.count_malloc(-bytes.cast_signed());
        }
        if collected && (self.hooks().after_gc)(self.vm_data()) {
            mutator.state().set_poll(POLL_TIMER);
        }
    }

    /// What a collection for this reason marks.
    fn kind(&self, reason: Reason) -> Kind {
        // What could not be remembered has to be found.
        let wants_major = self.wants_major.swap(false, Ordering::Relaxed);
        let mut generations = self.generations.lock();
        match reason {
            Reason::Explicit | Reason::ExplicitLazy | Reason::Memory => Kind::Major,
            _ if wants_major => Kind::Major,
            Reason::ExplicitMinor => Kind::Minor,
            Reason::Stress => generations.stress(),
            Reason::Threshold if self.owners().are_scarce() => Kind::Major,
            Reason::Threshold => generations.due(),
        }
    }

    /// Stops the world and runs `f`, which must not reach a safepoint.
    pub fn stop_the_world<R>(&self, mutator: &mut Mutator, f: impl FnOnce(&StoppedWorld<'_>) -> R) -> R {
        self.with_world_stopped(mutator, |world, _| {
            self.record.lock().time_to_stop.record(world.threads.asked().elapsed());
            f(world)
        })
    }

    /// As `stop_the_world`, for an `f` that stores references in `cell`, which the caller has made and nobody else knows. It is remembered
    /// before the world runs again: the thread may have to let another one collect before it does.
    pub fn stop_the_world_to_store<R>(
        &self,
        mutator: &mut Mutator,
        cell: &Cell,
        f: impl FnOnce(&StoppedWorld<'_>) -> R,
    ) -> R {
        let inbox = Arc::clone(&mutator.inbox);
        self.stop_the_world(mutator, |world| {
            let result = f(world);
            // SAFETY: the set's thread is this one, which has stopped the world.
            let (noted, _) = unsafe { inbox.remembered.remember_private(cell) };
            if !noted {
                self.wants_major.store(true, Ordering::Relaxed);
            }
            result
        })
    }

    /// Stops the world; `f` gets the count of collections from before that.
    pub(crate) fn with_world_stopped<R>(
        &self,
        mutator: &mut Mutator,
        f: impl FnOnce(&StoppedWorld<'_>, u64) -> R,
    ) -> R {
        assert!(std::ptr::eq(&raw const **mutator.heap(), self), "a mutator of another heap");
        mutator.report();
        let seen = self.epoch();
        let state = Arc::clone(mutator.state());
        mutator.blocking_keeping(|| {
            let threads = self.world().stop(&state);
            f(&StoppedWorld { threads: &threads }, seen)
        })
    }

    /// `thorough`: what dead cells hold outside the heap is freed at once, and all memory that is free is given back.
    fn collect_stopped(&self, world: &StoppedWorld<'_>, kind: Kind, thorough: bool) {
        self.assert_world_stopped();
        let threads = world.threads;
        let (small, large) = {
            let _rank = ranks::acquire(Rank::Blocks);
            let blocks = self.blocks.lock();
            (blocks.small.clone(), blocks.large.clone())
        };
        if kind == Kind::Major {
            for &block in &small {
                block::finish(self.space(), block, &mut |cell| self.drop_cell(cell));
                block::clear_marks(self.space(), block);
            }
            for &head in &large {
                self.space().marks(head)[0].store(0, Ordering::Relaxed);
            }
        }
        if kind == Kind::Major {
            self.symbols().begin_marking();
        }
        let mut live_malloc = self.mark(threads, kind);
        if kind == Kind::Major {
            self.symbols().sweep();
        }
        live_malloc += self.symbols().bytes();
        if self.wants_check.swap(false, Ordering::Relaxed) || self.config.verify {
            self.verify_blocks(&small, &large);
        }
        // SAFETY: the world is stopped and marking is done.
        unsafe { (self.hooks().clear_weak)(self.vm_data(), &Liveness::new(self, kind)) };
        if thorough || self.holds_too_much(live_malloc) {
            let space = self.space();
            let dead = |block: &u32| kind == Kind::Major || space.young(*block).load(Ordering::Relaxed) != 0;
            for &block in small.iter().filter(|block| dead(block)) {
                block::drop_dead(space, block, &mut |cell| self.drop_cell(cell));
            }
        }
        let mut live = self.sort_blocks(kind, thorough);
        live.bytes = live.bytes.saturating_add(live_malloc);
        self.set_threshold(kind, live, threads.threads().len());
        let mut record = self.record.lock();
        record.live_bytes = live.bytes as u64;
        record.live_cells = live.cells as u64;
        drop(record);
        self.epoch.fetch_add(1, Ordering::Release);
    }

    /// Whether dead cells that have not been swept hold more memory outside the heap than a nursery may.
    fn holds_too_much(&self, live_malloc: usize) -> bool {
        let held = self.malloc_bytes.load(Ordering::Relaxed).max(0) as usize;
        held > live_malloc.saturating_add(2 * self.generations.lock().largest_nursery())
    }

    /// Marks everything reachable, or what of it is not marked yet; returns the malloc'ed bytes that live cells reported.
    fn mark(&self, threads: &StoppedThreads<'_>, kind: Kind) -> usize {
        let minor = kind == Kind::Minor;
        let cleaning = !minor && self.owners().begin_cleaning();
        let shared = Arc::new(Shared::new());
        let mut marker = Marker::new(self, &shared, minor, cleaning);
        if threads.threads().len() == 1 {
            marker = marker.single();
        }
        self.begin_remembered(&mut marker, kind);
        self.mark_roots(threads, &mut marker);
        if self.marking_threads() < 2 {
            marker.drain_all();
        } else if !shared.is_empty() || !marker.drain_alone(ALONE) {
            marker.share_all();
            self.mark_together(threads, &shared, minor, cleaning);
        }
        self.mark_abandoned(threads, &mut marker, kind);
        drop(marker);
        if cleaning {
            self.owners().end_cleaning();
        }
        let mut generations = self.generations.lock();
        generations.anywhere.append(&mut shared.take_anywhere());
        generations.old_malloc += shared.live_malloc();
        if minor {
            generations.looked_through = shared.looked_through();
        }
        generations.old_malloc
    }

    /// Takes what was remembered: a minor collection begins there, a major one finds it all.
    fn begin_remembered(&self, marker: &mut Marker<'_>, kind: Kind) {
        let inboxes = {
            let _rank = ranks::acquire(Rank::Blocks);
            self.blocks.lock().inboxes.clone()
        };
        let mut generations = self.generations.lock();
        if kind == Kind::Major {
            generations.anywhere.clear();
            generations.old_malloc = 0;
        }
        let ended = std::mem::take(&mut generations.remembered);
        // SAFETY: the world is stopped by this thread.
        let running = inboxes.iter().map(|inbox| unsafe { inbox.remembered.take() });
        let remembered: Vec<_> = running.chain([ended]).collect();
        if kind == Kind::Minor {
            let many = remembered.iter().map(Vec::len).sum::<usize>() > REMEMBERED_ALONE && self.marking_threads() > 1;
            for entries in &remembered {
                if many { marker.leave_remembered(entries) } else { marker.mark_remembered(entries) }
            }
        }
        for cells in &generations.anywhere {
            marker.mark_again(cells);
        }
    }

    /// Keeps what threads have to end in order before it may die. All threads are asked first: marking for one of them may
    /// reach what another one has.
    fn mark_abandoned(&self, threads: &StoppedThreads<'_>, marker: &mut Marker<'_>, kind: Kind) {
        let liveness = Liveness::new(self, kind);
        // SAFETY: the world is stopped and marking is done; the pointer is the one the VM gave.
        let concerned = |thread: &&Arc<ThreadState>| unsafe { (self.hooks().abandon)(thread.data(), &liveness) };
        let concerned: Vec<_> = threads.threads().iter().filter(concerned).collect();
        for thread in concerned {
            // SAFETY: as in `mark`.
            unsafe { (self.hooks().trace_mutator)(thread.data(), marker) };
            thread.set_poll(POLL_TIMER);
        }
        marker.drain_all();
    }

    /// Takes what the VM and its threads hold.
    pub(crate) fn mark_roots(&self, threads: &StoppedThreads<'_>, marker: &mut Marker<'_>) {
        // SAFETY: the world is stopped; the pointer is the one the VM gave.
        unsafe { (self.hooks().trace_vm_roots)(self.vm_data(), marker) };
        for thread in threads.threads() {
            // SAFETY: the same.
            unsafe { (self.hooks().trace_mutator)(thread.data(), marker) };
            let (low, high) = thread.stack_range();
            // SAFETY: the thread is Blocked, so its stack lies where it said, and it cannot end meanwhile.
            unsafe { marker.mark_range_conservative(low, high) };
        }
    }

    fn mark_together(&self, threads: &StoppedThreads<'_>, shared: &Arc<Shared>, minor: bool, cleaning: bool) {
        let places = self.marking_threads() - 1;
        self.start_helpers(places);
        let heap = std::ptr::from_ref(self).expose_provenance();
        let theirs = Arc::clone(shared);
        let job: Job = Arc::new(move || {
            // SAFETY: `with_helpers` returns after the last helper has left the job, and the heap outlives that.
            let heap = unsafe { &*std::ptr::with_exposed_provenance::<Heap>(heap) };
            Marker::new(heap, &theirs, minor, cleaning).drain_shared();
        });
        threads.with_helpers(&job, places);
    }

    fn marking_threads(&self) -> usize {
        if self.config.marking_threads == 0 { self.processors() } else { self.config.marking_threads }
    }

    /// How many threads can really run at once.
    pub fn processors(&self) -> usize {
        give_way::processors()
    }

    /// Starts helper threads up to this number. One that cannot be started is done without.
    fn start_helpers(&self, wanted: usize) {
        let mut helpers = self.helpers.lock();
        while helpers.len() < wanted {
            let world = Arc::clone(self.world());
            let starting = asterism_lock::gate::starting();
            let started =
                std::thread::Builder::new().name("gc-helper".to_owned()).stack_size(256 * 1024).spawn(move || {
                    let _running = starting.begin();
                    // All threads stand still until it is done: without it they would for ever, and no signal would end the process.
                    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.help())).is_err() {
                        std::process::abort();
                    }
                });
            match started {
                Ok(helper) => helpers.push(helper),
                Err(_) => return,
            }
        }
    }

    /// When to collect next.
    fn set_threshold(&self, kind: Kind, live: Live, threads: usize) {
        let small = self.allocated.swap(0, Ordering::Relaxed);
        let large = self.allocated_large.swap(0, Ordering::Relaxed);
        self.allocated_before.fetch_add((small + large) as u64, Ordering::Relaxed);
        let allocated = Bytes { small, all: small + large + self.malloc_since.swap(0, Ordering::Relaxed) };
        self.shared_since.store(0, Ordering::Relaxed);
        // More threads than processors allocate no faster.
        let at_once = threads.min(self.processors());
        let threshold = self.generations.lock().collected(kind, live, allocated, at_once, &self.config);
        self.threshold.store(threshold.all, Ordering::Relaxed);
        self.small_threshold.store(threshold.small, Ordering::Relaxed);
    }
}

/// Calls `f` with the stack pointer, the caller's registers spilled: for a wait that keeps values alive by the stack.
#[inline]
pub(crate) fn with_stack_pointer<R>(f: impl FnOnce(usize) -> R) -> R {
    machine::with_spilled_registers(f)
}

const _: () = assert!(GRANULE == 8);

/// What is told of collections, and asked of them.
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
