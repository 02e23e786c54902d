//! A collection: stop the world, finish sweeping, mark, clear what is weak, sort the blocks, let the world run.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::block;
use crate::give_way;
use crate::heap::{Blocks, FreeRun, Heap, StoppedWorld};
use crate::machine;
use crate::mark::{Liveness, Marker, Shared};
use crate::mutator::{Inbox, Mutator};
use crate::ranks::{self, Rank};
use crate::safepoint::{Job, StoppedThreads};
use crate::size_class::{GRANULE, SIZES};
use crate::space::BLOCK_GRANULES;
use crate::thread::{POLL_TIMER, ThreadState};

/// Cells that are traced before other threads are asked to help: small heaps are marked faster alone.
const ALONE: usize = 8192;

/// Why a collection is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Enough has been allocated.
    Threshold,
    /// The program asks for it.
    Explicit,
    /// Every allocation collects.
    Stress,
    /// No memory is left.
    Memory,
}

/// What marking found alive.
#[derive(Debug, Default)]
struct Live {
    bytes: usize,
    cells: usize,
}

impl Heap {
    /// Collects. When another thread has collected while this one waited for its turn, that is enough, unless the
    /// program asked.
    pub fn collect(&self, mutator: &mut Mutator, reason: Reason) {
        let collected = self.with_world_stopped(mutator, |world, seen| {
            if self.epoch() != seen && reason != Reason::Explicit {
                return false;
            }
            let stopped = Instant::now();
            self.collect_stopped(world, reason == Reason::Explicit || reason == Reason::Memory && self.is_short());
            let mut record = self.record.lock();
            record.time_to_stop.record(stopped - world.threads.asked());
            record.pauses.record(stopped.elapsed());
            true
        });
        if collected && (self.hooks().after_gc)(self.vm_data()) {
            mutator.state().set_poll(POLL_TIMER);
        }
    }

    /// Stops the world and runs `f`, which must not reach a safepoint.
    pub fn stop_the_world<R>(&self, mutator: &mut Mutator, f: impl FnOnce(&StoppedWorld<'_>) -> R) -> R {
        self.with_world_stopped(mutator, |world, _| {
            self.record.lock().time_to_stop.record(world.threads.asked().elapsed());
            f(world)
        })
    }

    /// Stops the world; `f` gets the count of collections from before that.
    fn with_world_stopped<R>(&self, mutator: &mut Mutator, f: impl FnOnce(&StoppedWorld<'_>, u64) -> R) -> R {
        assert!(std::ptr::eq(&raw const **mutator.heap(), self), "a mutator of another heap");
        mutator.report();
        let seen = self.epoch();
        let state = Arc::clone(mutator.state());
        mutator.blocking(|| {
            let threads = self.world().stop(&state);
            f(&StoppedWorld { threads: &threads }, seen)
        })
    }

    /// `thorough`: what dead cells hold outside the heap is freed at once, and all memory that is free is given back.
    fn collect_stopped(&self, world: &StoppedWorld<'_>, thorough: bool) {
        self.assert_world_stopped();
        let threads = world.threads;
        let (small, large) = {
            let _rank = ranks::acquire(Rank::Blocks);
            let blocks = self.blocks.lock();
            (blocks.small.clone(), blocks.large.clone())
        };
        for &block in &small {
            block::finish(self.space(), block, &mut |cell| self.drop_cell(cell));
            block::clear_marks(self.space(), block);
        }
        for &head in &large {
            self.space().marks(head)[0].store(0, Ordering::Relaxed);
        }
        let live_malloc = self.mark(threads);
        if self.config.verify {
            self.verify_blocks(&small, &large);
        }
        // SAFETY: the world is stopped and marking is done.
        unsafe { (self.hooks().clear_weak)(self.vm_data(), &Liveness::new(self)) };
        if thorough {
            for &block in &small {
                block::drop_dead(self.space(), block, &mut |cell| self.drop_cell(cell));
            }
        }
        let live = self.sort_blocks(thorough);
        self.set_threshold(live.bytes.saturating_add(live_malloc), threads.threads().len());
        let mut record = self.record.lock();
        record.live_bytes = live.bytes.saturating_add(live_malloc) as u64;
        record.live_cells = live.cells as u64;
        drop(record);
        self.epoch.fetch_add(1, Ordering::Release);
    }

    /// Marks everything reachable; returns the malloc'ed bytes that live cells reported.
    fn mark(&self, threads: &StoppedThreads<'_>) -> usize {
        let cleaning = self.owners().begin_cleaning();
        let shared = Arc::new(Shared::new());
        let mut marker = Marker::new(self, &shared, cleaning);
        // SAFETY: the world is stopped; the pointer is the one the VM gave.
        unsafe { (self.hooks().trace_vm_roots)(self.vm_data(), &mut marker) };
        for thread in threads.threads() {
            // SAFETY: the same.
            unsafe { (self.hooks().trace_mutator)(thread.data(), &mut marker) };
            let (low, high) = thread.stack_range();
            // SAFETY: the thread is Blocked, so its stack lies where it said, and it cannot end meanwhile.
            unsafe { marker.mark_range_conservative(low, high) };
        }
        if self.marking_threads() < 2 {
            marker.drain_all();
        } else if !marker.drain_alone(ALONE) {
            marker.share_all();
            self.mark_together(threads, &shared, cleaning);
        }
        self.mark_abandoned(threads, &mut marker);
        drop(marker);
        if cleaning {
            self.owners().end_cleaning();
        }
        shared.live_malloc()
    }

    /// Keeps what threads have to end in order before it may die. All threads are asked first: marking for one of them may
    /// reach what another one has.
    fn mark_abandoned(&self, threads: &StoppedThreads<'_>, marker: &mut Marker<'_>) {
        let liveness = Liveness::new(self);
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

    fn mark_together(&self, threads: &StoppedThreads<'_>, shared: &Arc<Shared>, cleaning: bool) {
        let places = self.marking_threads() - 1;
        self.start_helpers(places);
        let heap = std::ptr::from_ref(self).expose_provenance();
        let theirs = Arc::clone(shared);
        let job: Job = Arc::new(move || {
            // SAFETY: `with_helpers` returns after the last helper has left the job, and the heap outlives that.
            let heap = unsafe { &*std::ptr::with_exposed_provenance::<Heap>(heap) };
            Marker::new(heap, &theirs, cleaning).drain_shared();
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
            let started = std::thread::Builder::new()
                .name("gc-helper".to_owned())
                .stack_size(256 * 1024)
                .spawn(move || world.help());
            match started {
                Ok(helper) => helpers.push(helper),
                Err(_) => return,
            }
        }
    }

    /// After marking: counts what is alive, frees what is empty, and hands out what has room.
    fn sort_blocks(&self, thorough: bool) -> Live {
        let _rank = ranks::acquire(Rank::Blocks);
        let mut guard = self.blocks.lock();
        let blocks = &mut *guard;
        let mut live = Live::default();
        self.sort_small(blocks, &mut live);
        self.sort_large(blocks, &mut live);
        if thorough {
            blocks.empty_low = blocks.empty.len();
            blocks.free_runs.iter_mut().for_each(|run| run.epoch = u64::MAX);
        }
        self.release_unused(blocks);
        live
    }

    fn sort_small(&self, blocks: &mut Blocks, live: &mut Live) {
        let space = self.space();
        for list in &mut blocks.common {
            list.clear();
        }
        // Threads that have not allocated for a whole cycle get none: others may need the room.
        let mut inboxes: Vec<(Arc<Inbox>, bool)> = blocks
            .inboxes
            .iter()
            .map(|inbox| (Arc::clone(inbox), inbox.active.swap(false, Ordering::Relaxed)))
            .collect();
        inboxes.sort_by_key(|(inbox, _)| inbox.mutator);
        for (inbox, _) in &inboxes {
            for list in &mut *inbox.lists.lock() {
                list.clear();
            }
        }
        let has_ids = self.has_ids.load(Ordering::Relaxed);
        let small = std::mem::take(&mut blocks.small);
        blocks.small.reserve(small.len());
        // From the end, since lists are popped at the end: low addresses are filled first.
        for block in small.into_iter().rev() {
            let meta = space.meta(block);
            let class = meta.class.load(Ordering::Relaxed) as usize;
            let marked = block::count_marks(space, block);
            live.cells += marked as usize;
            live.bytes += marked as usize * usize::from(SIZES[class]);
            if marked == 0 && !block::has_hooks(space, block) {
                self.free_ids(block);
                meta.set_state(crate::space::BlockState::Free);
                blocks.empty.push(block);
                continue;
            }
            if has_ids {
                self.clear_dead_ids(block);
            }
            blocks.small.push(block);
            if marked == meta.cells.load(Ordering::Relaxed) {
                // Nothing to sweep.
                meta.cursor.store(BLOCK_GRANULES, Ordering::Relaxed);
                continue;
            }
            meta.cursor.store(0, Ordering::Relaxed);
            let mutator = meta.mutator.load(Ordering::Relaxed);
            match inboxes.binary_search_by_key(&mutator, |(inbox, _)| inbox.mutator) {
                Ok(at) if inboxes[at].1 => inboxes[at].0.lists.lock()[class].push(block),
                _ => blocks.common[class].push(block),
            }
        }
        blocks.small.reverse();
    }

    fn sort_large(&self, blocks: &mut Blocks, live: &mut Live) {
        let space = self.space();
        let epoch = self.epoch();
        for head in std::mem::take(&mut blocks.large) {
            let meta = space.meta(head);
            if space.marks(head)[0].load(Ordering::Relaxed) & 1 != 0 {
                live.cells += 1;
                live.bytes += meta.bytes.load(Ordering::Relaxed);
                blocks.large.push(head);
                continue;
            }
            if space.hooks(head)[0].swap(0, Ordering::Relaxed) & 1 != 0 {
                // SAFETY: a large object's cell is at the start of its first block.
                self.drop_cell(unsafe { block::cell_at(space.address(head)) });
            }
            self.free_ids(head);
            let count = meta.run.load(Ordering::Relaxed);
            for block in head..head + count {
                space.meta(block).set_state(crate::space::BlockState::Free);
            }
            blocks.free_runs.push(FreeRun { start: head, count, epoch });
        }
    }

    /// Gives memory back that was free at the last collection already and has not been used since.
    fn release_unused(&self, blocks: &mut Blocks) {
        let space = self.space();
        let epoch = self.epoch();
        let mut released = 0;
        // The lowest part of the stack of empty blocks has not been touched.
        let unused = blocks.empty_low.min(blocks.empty.len());
        for block in blocks.empty.drain(..unused) {
            space.give_back(block, 1);
            released += 1;
        }
        blocks.empty_low = blocks.empty.len();
        blocks.free_runs.retain(|run| {
            let keep = run.epoch == epoch;
            if !keep {
                space.give_back(run.start, run.count);
                released += run.count as usize;
            }
            keep
        });
        self.uncount_blocks(released);
    }

    fn clear_dead_ids(&self, block: u32) {
        let space = self.space();
        let meta = space.meta(block);
        let ids = meta.ids.load(Ordering::Acquire);
        if ids.is_null() {
            return;
        }
        let step = meta.granules.load(Ordering::Relaxed);
        for index in 0..meta.cells.load(Ordering::Relaxed) {
            if !block::bit(space.marks(block), index * step) {
                // SAFETY: the array has a word for each cell.
                unsafe { &*ids.add(index as usize) }.store(0, Ordering::Relaxed);
            }
        }
    }

    /// When to collect next. With several threads a collection stops all of them, so it pays to let each allocate a
    /// few times what one alone may: what that costs in memory is bounded by the number of threads.
    fn set_threshold(&self, live: usize, threads: usize) {
        let allocated = self.allocated.swap(0, Ordering::Relaxed);
        self.allocated_before.fetch_add(allocated as u64, Ordering::Relaxed);
        self.malloc_since.store(0, Ordering::Relaxed);
        self.shared_since.store(0, Ordering::Relaxed);
        let growth = live / 100 * self.config.growth_percent;
        let floor = if threads > 1 { threads.min(64) * 4 } else { 1 } * self.config.initial_threshold;
        self.threshold.store(growth.max(floor), Ordering::Relaxed);
    }
}

/// Calls `f` with the stack pointer, the caller's registers spilled: for a wait that keeps values alive by the stack.
#[inline]
pub(crate) fn with_stack_pointer<R>(f: impl FnOnce(usize) -> R) -> R {
    machine::with_spilled_registers(f)
}

const _: () = assert!(GRANULE == 8);
