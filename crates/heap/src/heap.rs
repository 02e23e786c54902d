//! `Heap`: one VM's heap. Its configuration, its hooks into the VM, its lists of blocks, and what can be asked of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use asterism_lock::Mutex;
use asterism_symbol::Holder;

use crate::account::{Account, Charge};
use crate::block::{self, cell_index};
use crate::generations::Generations;
use crate::header::Cell;
use crate::liveness::Liveness;
use crate::lock_stats::LockStats;
use crate::mark::Marker;
use crate::mutator::Inbox;
use crate::owner::OwnerTable;
use crate::profile::{Live, Profile};
use crate::ranks::{self, Rank};
use crate::remember::Stores;
use crate::safepoint::{StoppedWorld, World};
use crate::size_class::{CLASSES, GRANULE, SIZES};
use crate::space::{self, BITMAP_WORDS, BLOCK, BlockSpace, BlockState};
use crate::stats::{Histogram, Stats};
use crate::trace::{Line, Traced};

/// Bytes of blocks that come in from other heaps before a collection: they are there already, so this heap has only to give
/// its shares back in time, not to keep pace with an allocator.
const SHARE_THRESHOLD: usize = 64 << 20;
/// Bytes of blocks that a heap may take after a NoMemoryError that came of a shortage.
const GRANT: usize = 1 << 20;

/// How a heap behaves.
#[derive(Clone, Debug)]
pub struct Config {
    /// Threads that mark together, the collecting one included; 0: as many as there are processors.
    pub marking_threads: usize,
    /// The first collection happens after so many bytes, and no two are much closer together.
    pub initial_threshold: usize,
    /// By how much what is old may grow before the next major collection, in percent of what was alive after the last one.
    pub growth_percent: usize,
    /// Collect at every allocation, minor and major by turns.
    pub gc_stress: bool,
    /// Blocks and malloc'ed bodies together may not take more.
    pub memory_limit: Option<usize>,
    /// The account of the VM that makes this one: what this heap takes counts there too.
    pub family: Option<Arc<Account>>,
    /// How the process's allocator says that the system has no memory left.
    pub shortage: Option<Shortage>,
    /// Check the heap after every marking.
    pub verify: bool,
    /// Count how often locks are taken and waited for.
    pub lock_stats: bool,
    /// One thread runs at a time.
    pub no_parallel: bool,
}

/// What the process's allocator says of the system's memory. While there is none, the heap takes no more blocks: the program gets a
/// NoMemoryError there, before what cannot raise one is refused too.
#[derive(Clone, Copy, Debug)]
pub struct Shortage {
    /// Set when the system has refused memory.
    pub noticed: &'static AtomicBool,
    /// Looks whether there is some again; if so, `noticed` is clear.
    pub is_over: fn() -> bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            marking_threads: 0,
            initial_threshold: 2 << 20,
            growth_percent: 50,
            gc_stress: false,
            memory_limit: None,
            family: None,
            shortage: None,
            verify: false,
            lock_stats: false,
            no_parallel: false,
        }
    }
}

/// What the heap asks the VM to do. None of these may panic.
#[derive(Debug)]
pub struct Hooks {
    /// Reports every reference the cell holds, its class included if that is a cell. The world is stopped; several
    /// threads trace different cells.
    pub trace: unsafe fn(&Cell, &mut Marker<'_>),
    /// By a cell's type: how the stores of references in it are known to minor collections. Those of [`Stores::Anywhere`]
    /// may also be told one by one, by `Marker::stores_anywhere`.
    pub stores: &'static [Stores; 256],
    /// A hooked cell is dead: releases what it holds outside the heap and returns the bytes of that which were
    /// accounted by `account_malloc`. Runs while a thread sweeps: must not allocate cells or look at other cells.
    pub drop_cell: unsafe fn(&Cell) -> usize,
    /// Reports the VM's own roots.
    pub trace_vm_roots: unsafe fn(*const (), &mut Marker<'_>),
    /// Reports the roots of one attached thread; gets the pointer given at attach.
    pub trace_mutator: unsafe fn(*const (), &mut Marker<'_>),
    /// Makes what one attached thread has to end in order, and what nothing has led to, roots of that thread; whether there was
    /// any. In the pause, after marking. Such a thread's roots are reported again, and it is to look at its interrupts.
    pub abandon: unsafe fn(*const (), &Liveness<'_>) -> bool,
    /// Clears everything weak that leads to a dead cell. In the pause, after marking.
    pub clear_weak: unsafe fn(*const (), &Liveness<'_>),
    /// A collection is over; runs on the thread that collected, with the world running. Whether that thread is to look
    /// at its interrupts, as for [`crate::POLL_TIMER`].
    pub after_gc: fn(*const ()) -> bool,
    /// File and line of the code that the calling thread runs, given the pointer of its attach: what locks are counted by.
    pub place: unsafe fn(*const ()) -> Option<Line>,
    /// A thread, whose pointer comes along, allocates the cell at this address; only while [`Heap::tell_allocations`] says so. The cell
    /// is not initialised yet. Must not allocate cells.
    pub allocated: unsafe fn(*const (), u64),
}

/// There is no address space (or no memory) for a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed to reserve memory for a heap")
    }
}

impl std::error::Error for OutOfMemory {}

/// A run of blocks that held a large object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeRun {
    pub(crate) start: u32,
    pub(crate) count: u32,
    /// The collection that freed it.
    pub(crate) epoch: u64,
}

/// What is protected by the heap's blocks lock.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// All blocks of small cells that belong to a size class.
    pub(crate) small: Vec<u32>,
    /// What the last collection found alive.
    pub(crate) live: Live,
    /// Heads of large objects.
    pub(crate) large: Vec<u32>,
    /// Blocks without a live cell, not all zero.
    pub(crate) empty: Vec<u32>,
    /// The fewest empty blocks there have been since the last collection: those were not needed.
    pub(crate) empty_low: usize,
    /// Runs of dead large objects, not all zero.
    pub(crate) free_runs: Vec<FreeRun>,
    /// Blocks with room, unswept, that belong to no thread, by size class.
    pub(crate) common: [Vec<u32>; CLASSES],
    /// Where each attached thread finds the blocks it is to allocate from.
    pub(crate) inboxes: Vec<Arc<Inbox>>,
    /// Number of the next mutator.
    pub(crate) next_mutator: u32,
}

/// What is protected by the heap's statistics lock.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) pauses: Histogram,
    pub(crate) minor: Histogram,
    pub(crate) major: Histogram,
    pub(crate) time_to_stop: Histogram,
    pub(crate) live_bytes: u64,
    pub(crate) live_cells: u64,
    pub(crate) profile: Profile,
}

/// One VM's heap.
#[derive(Debug)]
pub struct Heap {
    id: u32,
    space: &'static BlockSpace,
    pub(crate) config: Config,
    hooks: &'static Hooks,
    vm_data: AtomicPtr<()>,
    world: Arc<World>,
    owners: OwnerTable,
    /// Collections finished.
    pub(crate) epoch: AtomicU64,
    /// Bytes of small cells allocated since the last collection, as far as reported.
    pub(crate) allocated: AtomicUsize,
    /// Bytes of large ones.
    pub(crate) allocated_large: AtomicUsize,
    /// Bytes of cells allocated before all that.
    pub(crate) allocated_before: AtomicU64,
    /// Malloc'ed bytes accounted since the last collection; releases don't count.
    pub(crate) malloc_since: AtomicUsize,
    /// Bytes of blocks shared with other heaps that came in since the last collection.
    pub(crate) shared_since: AtomicUsize,
    /// Malloc'ed bytes there are. Signed: reports come in any order.
    pub(crate) malloc_bytes: AtomicIsize,
    /// Collect when `allocated + allocated_large + malloc_since` is more.
    pub(crate) threshold: AtomicUsize,
    /// Collect when `allocated` is more.
    pub(crate) small_threshold: AtomicUsize,
    /// Where `block_bytes` and `malloc_bytes` are counted against limits.
    account: Option<Arc<Account>>,
    /// Bytes of all blocks the heap has.
    pub(crate) block_bytes: AtomicUsize,
    /// Up to so many it may have in a shortage. Set by `grant_some`.
    granted: AtomicUsize,
    pub(crate) stress: AtomicBool,
    /// Whether each allocation is told of.
    pub(crate) tells: AtomicBool,
    pub(crate) enabled: AtomicBool,
    /// Something makes a major collection necessary.
    pub(crate) wants_major: AtomicBool,
    /// The next collection checks the heap.
    pub(crate) wants_check: AtomicBool,
    pub(crate) blocks: Mutex<Blocks>,
    pub(crate) generations: Mutex<Generations>,
    pub(crate) record: Mutex<Record>,
    pub(crate) next_object_id: AtomicU64,
    /// Whether any object id was ever given out.
    pub(crate) has_ids: AtomicBool,
    /// The symbols that may be collected and that this heap holds.
    pub(crate) symbols: Holder,
    pub(crate) helpers: Mutex<Vec<JoinHandle<()>>>,
    /// See `Config::lock_stats`.
    lock_stats: Option<LockStats>,
    traced: Traced,
}

impl Heap {
    /// Makes a heap. `vm_data` is handed to the hooks.
    pub fn new(config: Config, hooks: &'static Hooks, vm_data: *const ()) -> Result<Arc<Self>, OutOfMemory> {
        let space = space::get().ok_or(OutOfMemory)?;
        Ok(Arc::new(Self {
            id: space.new_heap_id(),
            space,
            hooks,
            vm_data: AtomicPtr::new(vm_data.cast_mut()),
            world: Arc::new(if config.no_parallel { World::with_turns() } else { World::new() }),
            owners: OwnerTable::new(),
            epoch: AtomicU64::new(0),
            allocated: AtomicUsize::new(0),
            allocated_large: AtomicUsize::new(0),
            allocated_before: AtomicU64::new(0),
            malloc_since: AtomicUsize::new(0),
            shared_since: AtomicUsize::new(0),
            malloc_bytes: AtomicIsize::new(0),
            threshold: AtomicUsize::new(config.initial_threshold),
            small_threshold: AtomicUsize::new(config.initial_threshold),
            account: Account::new(config.memory_limit, config.family.as_ref()),
            block_bytes: AtomicUsize::new(0),
            granted: AtomicUsize::new(0),
            stress: AtomicBool::new(config.gc_stress),
            tells: AtomicBool::new(false),
            enabled: AtomicBool::new(true),
            wants_major: AtomicBool::new(false),
            blocks: Mutex::new(Blocks::default()),
            generations: Mutex::new(Generations::new(&config)),
            record: Mutex::new(Record {
                pauses: Histogram::new(),
                minor: Histogram::new(),
                major: Histogram::new(),
                time_to_stop: Histogram::new(),
                live_bytes: 0,
                live_cells: 0,
                profile: Profile::new(),
            }),
            next_object_id: AtomicU64::new(1),
            wants_check: AtomicBool::new(false),
            has_ids: AtomicBool::new(false),
            symbols: Holder::default(),
            helpers: Mutex::new(Vec::new()),
            lock_stats: config.lock_stats.then(LockStats::default),
            traced: Traced::default(),
            config,
        }))
    }

    /// The heap's number in the process.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    pub(crate) fn space(&self) -> &'static BlockSpace {
        self.space
    }

    pub(crate) fn hooks(&self) -> &'static Hooks {
        self.hooks
    }

    pub(crate) fn vm_data(&self) -> *const () {
        self.vm_data.load(Ordering::Acquire)
    }

    /// Another pointer for the hooks, for a VM that is made after its heap. Before the first mutator is attached.
    pub fn set_vm_data(&self, vm_data: *const ()) {
        self.vm_data.store(vm_data.cast_mut(), Ordering::Release);
    }

    /// How often locks were taken and waited for, if that is counted.
    #[inline]
    #[must_use]
    pub fn lock_stats(&self) -> Option<&LockStats> {
        self.lock_stats.as_ref()
    }

    /// Whether its threads are traced.
    #[inline]
    #[must_use]
    pub fn traced(&self) -> &Traced {
        &self.traced
    }

    /// The attached threads.
    #[must_use]
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// The owner ids.
    #[must_use]
    pub fn owners(&self) -> &OwnerTable {
        &self.owners
    }

    /// Whether an owner id (of a header) belongs to a living thread.
    #[must_use]
    pub fn owner_is_live(&self, id: u16) -> bool {
        self.owners.has_live_owner(u64::from(id) << crate::header::OWNER_SHIFT)
    }

    /// Turns automatic collections on or off; returns whether they were on.
    pub fn set_gc_enabled(&self, enabled: bool) -> bool {
        self.enabled.swap(enabled, Ordering::Relaxed)
    }

    /// Turns collecting at every allocation on or off; returns whether it was on. The threads notice when what they
    /// allocate from now is used up.
    pub fn set_gc_stress(&self, stress: bool) -> bool {
        self.stress.swap(stress, Ordering::Relaxed)
    }

    /// Collections finished.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Asserts, in debug builds, that the world is stopped.
    pub fn assert_world_stopped(&self) {
        debug_assert!(self.world.is_stopping(), "the world is not stopped");
    }

    /// The bytes of a cell, its two header words included.
    #[must_use]
    pub fn cell_size(&self, cell: &Cell) -> usize {
        let Some(block) = self.space.block_of(cell.address() as usize) else {
            return 0;
        };
        let meta = self.space.meta(block);
        match meta.state() {
            BlockState::Small => meta.granules.load(Ordering::Relaxed) as usize * GRANULE,
            BlockState::LargeHead => meta.run.load(Ordering::Relaxed) as usize * BLOCK,
            BlockState::Free | BlockState::LargeTail => 0,
        }
    }

    /// The bytes a cell asked for with `size` bytes gets, header included.
    #[must_use]
    pub const fn rounded_size(size: usize) -> usize {
        if size <= crate::size_class::MAX_SMALL {
            SIZES[crate::size_class::class_for(size)] as usize
        } else {
            size.saturating_add(BLOCK - 1) / BLOCK * BLOCK
        }
    }

    /// Gives an existing cell a drop hook.
    pub fn set_hook(&self, cell: &Cell) {
        self.set_hook_at(cell.address() as usize);
    }

    pub(crate) fn set_hook_at(&self, address: usize) {
        let (words, index, bit) = self.bit_of(address, true);
        words[index].fetch_or(bit, Ordering::Relaxed);
    }

    /// Whether the cell has a drop hook.
    pub(crate) fn is_hooked(&self, cell: &Cell) -> bool {
        let (words, index, bit) = self.bit_of(cell.address() as usize, true);
        words[index].load(Ordering::Relaxed) & bit != 0
    }

    /// Whether the cell was reached by the last major collection or one since.
    pub(crate) fn is_marked(&self, cell: &Cell) -> bool {
        let (words, index, bit) = self.bit_of(cell.address() as usize, false);
        words[index].load(Ordering::Relaxed) & bit != 0
    }

    fn bit_of(&self, address: usize, hook: bool) -> (&[AtomicU64; BITMAP_WORDS], usize, u64) {
        let offset = address - self.space.base();
        let block = (offset / BLOCK) as u32;
        let granule = (offset % BLOCK) / GRANULE;
        let words = if hook { self.space.hooks(block) } else { self.space.marks(block) };
        (words, granule / 64, 1 << (granule % 64))
    }

    /// The cell at an address that some thread's stack or a debugger shows, if it is an allocated one of this heap.
    /// While threads run the answer may be out of date; for `ObjectSpace._id2ref` and the like, stop the world.
    #[must_use]
    pub fn find_cell(&self, _world: &StoppedWorld<'_>, address: u64) -> Option<&Cell> {
        block::find_cell(self.space, self.id, address as usize)
    }

    /// The object's id if it has been asked for before.
    #[must_use]
    pub fn existing_object_id(&self, cell: &Cell) -> Option<u64> {
        let address = cell.address() as usize;
        let meta = self.space.meta(self.space.block_of(address)?);
        let ids = meta.ids.load(Ordering::Acquire);
        if ids.is_null() {
            return None;
        }
        // SAFETY: the array has a word for each cell of its block, and lives as long as the block is used as it is.
        let id = unsafe { &*ids.add(cell_index(meta, address)) }.load(Ordering::Acquire);
        (id != 0).then_some(id)
    }

    /// Whether this may be the id of an object: no thread has taken a range of ids behind it.
    #[must_use]
    pub fn gave_object_id(&self, id: u64) -> bool {
        id < self.next_object_id.load(Ordering::Relaxed)
    }

    /// The heap's numbers.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let record = self.record.lock();
        Stats {
            collections: self.epoch(),
            bytes_allocated: self.allocated_before.load(Ordering::Relaxed)
                + self.allocated.load(Ordering::Relaxed) as u64
                + self.allocated_large.load(Ordering::Relaxed) as u64,
            live_bytes: record.live_bytes,
            live_cells: record.live_cells,
            heap_bytes: self.block_bytes.load(Ordering::Relaxed) as u64,
            malloc_bytes: self.malloc_bytes.load(Ordering::Relaxed).max(0) as u64,
            pauses: record.pauses.summary(),
            minor: record.minor.summary(),
            major: record.major.summary(),
            time_to_stop: record.time_to_stop.summary(),
        }
    }

    /// Has the system no memory left?
    #[inline]
    pub fn is_short(&self) -> bool {
        let noticed = |shortage: &Shortage| shortage.noticed.load(Ordering::Relaxed);
        self.config.shortage.as_ref().is_some_and(|shortage| noticed(shortage) && !(shortage.is_over)())
    }

    /// Lets the heap take a few blocks although the system has no memory left: for what handles the NoMemoryError that was just raised.
    pub fn grant_some(&self) {
        if self.config.shortage.is_some() {
            self.granted.store(self.block_bytes.load(Ordering::Relaxed) + GRANT, Ordering::Relaxed);
        }
    }

    /// Whether the system has memory, or what was granted in a shortage is not used up.
    pub(crate) fn has_memory(&self) -> bool {
        !self.is_short() || self.block_bytes.load(Ordering::Relaxed) < self.granted.load(Ordering::Relaxed)
    }

    /// Where the limits are that hold for this heap, if there are any.
    #[must_use]
    pub fn account(&self) -> Option<&Arc<Account>> {
        self.account.as_ref()
    }

    /// Counts malloc'ed bytes that were taken under a charge.
    pub(crate) fn count_charged(&self, charge: Charge) {
        let bytes = charge.bytes().cast_signed();
        if charge.hand_over() {
            self.malloc_bytes.fetch_add(bytes, Ordering::Relaxed);
        } else {
            self.count_malloc(bytes);
        }
    }

    /// Counts malloc'ed bytes that were taken, or, below zero, given back.
    pub(crate) fn count_malloc(&self, bytes: isize) {
        self.malloc_bytes.fetch_add(bytes, Ordering::Relaxed);
        if let Some(account) = &self.account {
            account.count(bytes);
        }
    }

    /// Takes blocks, which are counted before they are there: several threads together get no more than the limit either, if it
    /// holds.
    fn take_new(&self, count: u32, limited: bool) -> Option<u32> {
        let bytes = count as usize * BLOCK;
        if limited && !self.has_memory() {
            return None;
        }
        if let Some(account) = &self.account {
            if !limited {
                account.count(bytes.cast_signed());
            } else if !account.take(bytes) {
                return None;
            }
        }
        self.block_bytes.fetch_add(bytes, Ordering::Relaxed);
        let taken = self.space.take(count);
        if taken.is_none() {
            self.uncount_blocks(count as usize);
        }
        taken
    }

    /// Counts blocks that were given back.
    pub(crate) fn uncount_blocks(&self, count: usize) {
        self.block_bytes.fetch_sub(count * BLOCK, Ordering::Relaxed);
        if let Some(account) = &self.account {
            account.count(-(count * BLOCK).cast_signed());
        }
    }

    /// Whether it is time to collect, if `more` bytes are to be allocated now.
    #[inline]
    pub(crate) fn over_threshold(&self, more: usize) -> bool {
        let small = self.allocated.load(Ordering::Relaxed);
        let other = self.allocated_large.load(Ordering::Relaxed) + self.malloc_since.load(Ordering::Relaxed);
        let over = small > self.small_threshold.load(Ordering::Relaxed)
            || (small + other).saturating_add(more) > self.threshold.load(Ordering::Relaxed);
        over && self.enabled.load(Ordering::Relaxed)
    }

    /// Whether it is time to collect for what was shared with this heap.
    pub(crate) fn over_share_threshold(&self) -> bool {
        let most = self.threshold.load(Ordering::Relaxed).max(SHARE_THRESHOLD);
        self.shared_since.load(Ordering::Relaxed) > most && self.enabled.load(Ordering::Relaxed)
    }

    /// Drops a dead cell.
    pub(crate) fn drop_cell(&self, cell: &Cell) {
        // SAFETY: the cell was allocated with a hook, and nothing reaches it any more.
        let released = unsafe { (self.hooks.drop_cell)(cell) };
        self.count_malloc(-(released.min(isize::MAX as usize) as isize));
    }

    /// These cells have got another type, and references, since they were allocated: if collections have come between, they have
    /// been taken for what they were then. Until a major collection finds out, minor ones trace them whatever they are.
    pub(crate) fn note_filled(&self, cells: &[u64]) {
        // SAFETY: the caller has made the cells and keeps them alive.
        let old =
            cells.iter().copied().filter(|&word| self.is_marked(unsafe { block::cell_at(word as usize) })).collect();
        self.generations.lock().anywhere.push(old);
    }

    /// Takes a block with room for cells of a class that no thread allocates from.
    pub(crate) fn take_common(&self, class: usize) -> Option<u32> {
        let _rank = ranks::acquire(Rank::Blocks);
        self.blocks.lock().common[class].pop()
    }

    /// Takes an empty block for a class; tells whether it is all zero.
    pub(crate) fn take_empty(&self, class: usize, limited: bool) -> Option<(u32, bool)> {
        let reused = {
            let _rank = ranks::acquire(Rank::Blocks);
            let mut blocks = self.blocks.lock();
            let block = blocks.empty.pop();
            if let Some(block) = block {
                blocks.empty_low = blocks.empty_low.min(blocks.empty.len());
                block::prepare(self.space, block, self.id, class, false);
                blocks.small.push(block);
            }
            block
        };
        if let Some(block) = reused {
            return Some((block, false));
        }
        let block = self.take_new(1, limited)?;
        block::prepare(self.space, block, self.id, class, true);
        let _rank = ranks::acquire(Rank::Blocks);
        self.blocks.lock().small.push(block);
        Some((block, true))
    }

    /// Takes blocks for a large object; returns its address. Its header word is zero.
    pub(crate) fn take_large(&self, size: usize, limited: bool) -> Option<usize> {
        let count = u32::try_from(size.div_ceil(BLOCK)).ok()?;
        let reused = {
            let _rank = ranks::acquire(Rank::Blocks);
            let mut blocks = self.blocks.lock();
            // A little too large is fine: growing arrays ask for a little more each time.
            let fits = |run: &FreeRun| run.count >= count && run.count <= count + count / 4;
            let at = blocks.free_runs.iter().position(fits);
            at.map(|at| blocks.free_runs.swap_remove(at))
        };
        let (start, count) = match reused {
            Some(run) => (run.start, run.count),
            None => (self.take_new(count, limited)?, count),
        };
        let address = self.space.address(start);
        // SAFETY: the run is accessible and belongs to nobody else.
        unsafe { block::cell_at(address) }.header.store(0, Ordering::Relaxed);
        for offset in 1..count {
            let meta = self.space.meta(start + offset);
            meta.run.store(offset, Ordering::Relaxed);
            meta.heap.store(self.id, Ordering::Relaxed);
            meta.set_state(BlockState::LargeTail);
        }
        let meta = self.space.meta(start);
        meta.run.store(count, Ordering::Relaxed);
        meta.bytes.store(size, Ordering::Relaxed);
        meta.cursor.store(space::BLOCK_GRANULES, Ordering::Relaxed);
        meta.heap.store(self.id, Ordering::Relaxed);
        self.space.young(start).store(1, Ordering::Relaxed);
        meta.set_state(BlockState::LargeHead);
        let _rank = ranks::acquire(Rank::Blocks);
        self.blocks.lock().large.push(start);
        Some(address)
    }

    /// Frees the object ids of a block.
    pub(crate) fn free_ids(&self, block: u32) {
        let meta = self.space.meta(block);
        let ids = meta.ids.swap(std::ptr::null_mut(), Ordering::AcqRel);
        if !ids.is_null() {
            let count = ids_in(meta);
            // SAFETY: the pointer came from a box of a slice of this length; no thread runs that could hold it.
            drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(ids, count)) });
        }
    }
}

/// How many object ids the array of a block holds.
pub(crate) fn ids_in(meta: &space::BlockMeta) -> usize {
    match meta.state() {
        BlockState::Small => meta.cells.load(Ordering::Relaxed) as usize,
        _ => 1,
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        self.world.shut_down();
        for helper in std::mem::take(&mut *self.helpers.lock()) {
            // A helper that panicked has said so; there is nobody to tell again.
            let _ = helper.join();
        }
        let blocks = std::mem::take(&mut *self.blocks.lock());
        // Without a collection there was never a mark, and the pages of marks need not be touched.
        let collected = self.epoch() != 0;
        // No thread is attached any more: every hooked cell dies.
        for &block in blocks.small.iter().chain(&blocks.large) {
            for (index, word) in self.space.hooks(block).iter().enumerate() {
                let mut bits = word.load(Ordering::Relaxed);
                if bits == 0 {
                    continue;
                }
                word.store(0, Ordering::Relaxed);
                while bits != 0 {
                    let granule = index * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    // SAFETY: hook bits are only set for allocated cells.
                    self.drop_cell(unsafe { block::cell_at(self.space.address(block) + granule * GRANULE) });
                }
            }
            if collected {
                block::clear_marks(self.space, block);
            }
            self.free_ids(block);
        }
        let small = blocks.small.iter().chain(&blocks.empty).map(|&block| (block, 1));
        let large = blocks.large.iter().map(|&head| (head, self.space.meta(head).run.load(Ordering::Relaxed)));
        let mut runs: Vec<(u32, u32)> =
            small.chain(large).chain(blocks.free_runs.iter().map(|run| (run.start, run.count))).collect();
        // Neighbours are given back together: each time costs system calls.
        runs.sort_unstable();
        runs.dedup_by(|next, run| {
            let adjacent = run.0 + run.1 == next.0;
            if adjacent {
                run.1 += next.1;
            }
            adjacent
        });
        for (start, count) in runs {
            self.space.give_back(start, count);
        }
        if let Some(account) = &self.account {
            // With what cells held that were dropped above.
            let blocks = self.block_bytes.load(Ordering::Relaxed).cast_signed();
            account.count(-(blocks + self.malloc_bytes.load(Ordering::Relaxed)));
        }
    }
}
