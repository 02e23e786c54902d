//! `Mutator`: a native thread's way into its heap. Allocation, polls, blocking regions.
//!
//! A mutator allocates from holes in blocks that are its own until the next collection. Nothing of it is written by other
//! threads: after a safepoint it compares the heap's count of collections with the last one it saw, and when there has
//! been one, forgets its holes. The next blocks it takes from its inbox, where the collector puts them.

use std::cell::Cell as StdCell;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use asterism_lock::Mutex;

use crate::block;
use crate::header::{Cell, FROZEN, LOCKED, OLD, OWNER_MASK, SHAPE_MASK, TYPE_MASK, WRITER_MASK, is_heap_pointer};
use crate::heap::Heap;
use crate::in_c;
use crate::interrupt::Interrupted;
use crate::machine;
use crate::profile::Reason;
use crate::ranks::{self, Rank};
use crate::remember::RememberedSet;
use crate::size_class::{CLASSES, GRANULE, MAX_SMALL, SIZES, class_for};
use crate::thread::{POLL_GC, POLL_HANDSHAKE, POLL_STOP, POLL_YIELD, ThreadState};
use crate::trace::OwnLane;

/// Bytes allocated before they are reported to the heap.
pub(crate) const REPORT: usize = 64 * 1024;
/// The owner bits of a thread that has no id. Equal to no header's, with or without other bits of it: only objects that
/// nobody owns are locked.
const NO_OWNER: u64 = OWNER_MASK | LOCKED;
/// No block.
const NONE: u32 = u32::MAX;

/// Where the collector leaves the blocks a thread is to allocate from.
#[derive(Debug)]
pub(crate) struct Inbox {
    /// The mutator's number.
    pub(crate) mutator: u32,
    /// The thread has allocated since the last collection.
    pub(crate) active: AtomicBool,
    /// Unswept blocks with room, by size class, that nobody has allocated in since the last collection.
    pub(crate) lists: Mutex<[Vec<u32>; CLASSES]>,
    /// What the thread has remembered.
    pub(crate) remembered: RememberedSet,
}

/// Where the next cell of a class goes, while `next + size <= end`.
#[derive(Clone, Copy, Debug)]
struct Bump {
    next: usize,
    end: usize,
}

/// How many of the first size classes the smallest objects are of: numbers and short Strings.
const USUAL: usize = 6;

/// A thread attached to a heap. What can reach a safepoint takes it by `&mut`.
#[derive(Debug)]
pub struct Mutator {
    bump: [Bump; CLASSES],
    pub(crate) state: Arc<ThreadState>,
    /// What the owner bits of this thread's own objects are compared with.
    owner_bits: u64,
    /// What new objects carry: the same, or 0 when ids have run out.
    owner_stamp: u64,
    pub(crate) heap: Arc<Heap>,
    epoch: u64,
    current: [u32; CLASSES],
    pub(crate) inbox: Arc<Inbox>,
    /// Allocated and not reported yet.
    unreported: usize,
    /// Accounted and not reported yet.
    pub(crate) malloc: StdCell<isize>,
    /// How many times the memory limit was suspended for this thread.
    pub(crate) beyond_limit: StdCell<usize>,
    vm_data: *const (),
    pub(crate) lane: OwnLane,
    pub(crate) next_object_id: u64,
    pub(crate) last_object_id: u64,
    /// A mutator belongs to its native thread.
    not_send: PhantomData<*const ()>,
}

impl Mutator {
    /// Where `owner_bits` lies in it, in bytes, for compiled code.
    pub const OWNER_BITS: usize = std::mem::offset_of!(Mutator, owner_bits);
}

impl Heap {
    /// Attaches the calling native thread. `data` goes to `Hooks::trace_mutator`. Dropping the mutator, on the same
    /// thread, detaches it.
    pub fn attach(self: &Arc<Self>, data: *const ()) -> Box<Mutator> {
        self.attach_on(data, machine::stack_bounds().1)
    }

    /// As `attach` for who knows the high end of the thread's machine stack, which takes long to find out.
    pub fn attach_on(self: &Arc<Self>, data: *const (), stack_base: usize) -> Box<Mutator> {
        let state = Arc::new(ThreadState::new(stack_base, data));
        let owner = self.owners().issue(&state);
        state.set_owner(owner);
        if let Some(baton) = self.world().baton() {
            baton.take(&state);
        }
        self.world().attach(&state);
        let inbox = {
            let _rank = ranks::acquire(Rank::Blocks);
            let mut blocks = self.blocks.lock();
            blocks.next_mutator = blocks.next_mutator.wrapping_add(1);
            let inbox = Arc::new(Inbox {
                mutator: blocks.next_mutator,
                active: AtomicBool::new(false),
                lists: Mutex::new(std::array::from_fn(|_| Vec::new())),
                remembered: RememberedSet::default(),
            });
            blocks.inboxes.push(Arc::clone(&inbox));
            inbox
        };
        Box::new(Mutator {
            bump: [Bump { next: 0, end: 0 }; CLASSES],
            owner_bits: if owner == 0 { NO_OWNER } else { owner },
            owner_stamp: owner,
            epoch: self.epoch(),
            heap: Arc::clone(self),
            state,
            current: [NONE; CLASSES],
            inbox,
            unreported: 0,
            malloc: StdCell::new(0),
            beyond_limit: StdCell::new(0),
            vm_data: self.vm_data(),
            lane: OwnLane::default(),
            next_object_id: 0,
            last_object_id: 0,
            not_send: PhantomData,
        })
    }
}

impl Mutator {
    /// The heap.
    #[inline(always)]
    #[must_use]
    pub fn heap(&self) -> &Arc<Heap> {
        &self.heap
    }

    /// What other threads may hold of this thread.
    #[inline(always)]
    #[must_use]
    pub fn state(&self) -> &Arc<ThreadState> {
        &self.state
    }

    /// A number that no other thread of this heap has had before it, of 32 bits.
    #[inline]
    #[must_use]
    pub fn number(&self) -> u32 {
        self.inbox.mutator
    }

    /// The pointer the heap's hooks get, as it was when this thread attached.
    #[inline(always)]
    #[must_use]
    pub fn vm_data(&self) -> *const () {
        self.vm_data
    }

    /// Another pointer for `Hooks::trace_mutator`.
    pub fn set_data(&mut self, data: *const ()) {
        self.state.set_data(data);
    }

    /// The thread goes on on another machine stack, with this high end. What the one it leaves holds is traced by whoever
    /// knows of it.
    #[inline]
    pub fn set_stack_base(&mut self, high: usize) {
        self.state.set_stack_base(high);
    }

    /// Allocates a cell of at least `size` bytes (16 of header included) with this header (type, flags, shape; the
    /// owner is filled in) and class. The payload holds garbage and has to be initialised before the next safepoint.
    /// May be a safepoint before the cell exists. `None`: out of memory.
    #[inline]
    pub fn alloc(&mut self, size: usize, header: u64, class: u64) -> Option<NonNull<Cell>> {
        debug_assert!(header & TYPE_MASK != 0 && header & OWNER_MASK == 0);
        if size > MAX_SMALL {
            return self.alloc_large(size, header, class);
        }
        let index = class_for(size);
        let bytes = usize::from(SIZES[index]);
        let bump = &mut self.bump[index];
        let address = bump.next;
        let next = address + bytes;
        let address = if next <= bump.end {
            bump.next = next;
            address
        } else {
            self.refill(index)?
        };
        Some(self.initialise(address, header, class))
    }

    /// The same for a cell whose death has to be told to `Hooks::drop_cell`.
    #[inline]
    pub fn alloc_hooked(&mut self, size: usize, header: u64, class: u64) -> Option<NonNull<Cell>> {
        let cell = self.alloc(size, header, class)?;
        self.heap.set_hook_at(cell.as_ptr().expose_provenance());
        Some(cell)
    }

    #[inline(always)]
    fn initialise(&self, address: usize, header: u64, class: u64) -> NonNull<Cell> {
        // SAFETY: the address is that of a free cell that belongs to this thread.
        let cell = unsafe { block::cell_at(address) };
        cell.class.store(class, Ordering::Relaxed);
        cell.header.store(header | self.owner_stamp, Ordering::Relaxed);
        NonNull::from(cell)
    }

    /// Finds room for cells of a class and allocates one. A safepoint.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, class: usize) -> Option<usize> {
        let bytes = usize::from(SIZES[class]);
        self.before_allocation(bytes);
        let mut collected = false;
        loop {
            if let Some(hole) = self.next_hole(class) {
                return Some(self.allocate_from(class, hole.start, hole.end));
            }
            if collected || !self.heap.enabled.load(Ordering::Relaxed) {
                return None;
            }
            self.collect_now(Reason::Memory);
            collected = true;
        }
    }

    fn allocate_from(&mut self, class: usize, start: usize, end: usize) -> usize {
        let bytes = usize::from(SIZES[class]);
        let mut end = end;
        if self.heap.stress.load(Ordering::Relaxed) || self.heap.tells.load(Ordering::Relaxed) {
            // Each allocation is to come here: the rest of the hole goes back.
            end = start + bytes;
            self.give_back(self.current[class], end);
        }
        self.bump[class] = Bump { next: start + bytes, end };
        self.unreported += end - start;
        self.tell(start);
        start
    }

    /// Declares everything from an address up in a block to be unswept again.
    fn give_back(&self, block: u32, from: usize) {
        let space = self.heap.space();
        let granule = (from - space.address(block)) / GRANULE;
        space.meta(block).cursor.store(granule as u32, Ordering::Relaxed);
    }

    fn next_hole(&mut self, class: usize) -> Option<block::Hole> {
        let space = self.heap.space();
        loop {
            let block = self.current[class];
            if block != NONE {
                let heap = &*self.heap;
                if let Some(hole) = block::next_hole(space, block, &mut |cell| heap.drop_cell(cell)) {
                    return Some(hole);
                }
                self.current[class] = NONE;
            }
            let own = self.inbox.lists.lock()[class].pop();
            if let Some(block) = own.or_else(|| self.heap.take_common(class)) {
                self.adopt(class, block);
                continue;
            }
            let (block, clean) = self.heap.take_empty(class, self.is_limited())?;
            self.adopt(class, block);
            if clean {
                return Some(block::whole(space, block));
            }
        }
    }

    fn adopt(&mut self, class: usize, block: u32) {
        self.current[class] = block;
        let meta = self.heap.space().meta(block);
        meta.mutator.store(self.inbox.mutator, Ordering::Relaxed);
        self.heap.space().young(block).store(1, Ordering::Relaxed);
        self.inbox.active.store(true, Ordering::Relaxed);
    }

    /// Whether this thread has never allocated a cell.
    pub(crate) fn has_no_blocks(&self) -> bool {
        self.current.iter().all(|&block| block == NONE)
    }

    /// Takes a block of cells of a class, all zero, for an image; its number and address.
    pub(crate) fn take_for_image(&mut self, class: usize) -> Option<(u32, usize)> {
        let (block, clean) = self.heap.take_empty(class, self.is_limited())?;
        assert!(clean, "a new heap has no used blocks");
        Some((block, self.heap.space().address(block)))
    }

    /// Allocates from here on in a block whose cells below `next` are in use.
    pub(crate) fn use_from(&mut self, class: usize, block: u32, next: usize) {
        let hole = block::whole(self.heap.space(), block);
        self.adopt(class, block);
        self.bump[class] = Bump { next, end: hole.end };
        self.unreported += hole.end - hole.start;
    }

    #[cold]
    #[inline(never)]
    fn alloc_large(&mut self, size: usize, header: u64, class: u64) -> Option<NonNull<Cell>> {
        // No pointer arithmetic within the object may overflow.
        if size > isize::MAX as usize / 2 {
            return None;
        }
        self.before_allocation(size);
        let mut address = self.heap.take_large(size, self.is_limited());
        if address.is_none() && self.heap.enabled.load(Ordering::Relaxed) {
            self.collect_now(Reason::Memory);
            address = self.heap.take_large(size, self.is_limited());
        }
        let address = address.inspect(|&address| self.tell(address))?;
        self.heap.allocated_large.fetch_add(size, Ordering::Relaxed);
        Some(self.initialise(address, header, class))
    }

    /// Polls, and collects when it is time.
    fn before_allocation(&mut self, bytes: usize) {
        self.poll();
        if self.unreported >= REPORT {
            self.report();
        }
        if self.heap.stress.load(Ordering::Relaxed) && self.heap.enabled.load(Ordering::Relaxed) {
            self.collect_now(Reason::Stress);
        } else if self.heap.over_threshold(bytes) {
            self.collect_now(Reason::Threshold);
        }
    }

    /// Tells the heap what was allocated.
    pub(crate) fn report(&mut self) {
        self.heap.allocated.fetch_add(std::mem::take(&mut self.unreported), Ordering::Relaxed);
        self.report_malloc();
    }

    /// What asks for attention.
    #[inline(always)]
    #[must_use]
    pub fn poll_bits(&self) -> u32 {
        self.state.poll_bits()
    }

    /// The poll word, at the same address as long as the thread lives.
    #[inline(always)]
    #[must_use]
    pub fn poll_word(&self) -> &AtomicU32 {
        self.state.poll_word()
    }

    #[inline(always)]
    fn poll(&mut self) {
        if self.poll_bits() & (POLL_STOP | POLL_HANDSHAKE | POLL_GC) != 0 {
            self.safepoint();
        }
    }

    /// Does what the poll word asks for, as far as it is the heap's: stops, gives up claimed objects, collects.
    #[cold]
    #[inline(never)]
    pub fn safepoint(&mut self) {
        let bits = self.poll_bits();
        if bits & POLL_HANDSHAKE != 0 {
            self.state.answer_requests();
        }
        if bits & POLL_STOP != 0 {
            // Leaving waits until the world runs again, and helps to mark meanwhile.
            self.stand_still();
        }
        if bits & POLL_YIELD != 0 {
            self.state.clear_poll(POLL_YIELD);
            self.blocking(|| {});
        }
        if bits & POLL_GC != 0 {
            self.state.clear_poll(POLL_GC);
            if self.heap.enabled.load(Ordering::Relaxed) {
                self.collect_now(Reason::Threshold);
            }
        }
        if self.state.claims_are_many() {
            self.renew_owner_id();
        }
    }

    /// Runs `f` as a blocking region: it touches no Ruby object, and the world may stop, and collect, while it runs.
    #[inline]
    pub fn blocking<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.blocking_with(|_| f())
    }

    /// A blocking region that is a wait which `unblock` ends: see `Interruptible::enter`.
    ///
    /// # Errors
    /// `Interrupted` if `body` did not run, since something was pending already.
    #[inline]
    pub fn interruptible<R>(
        &mut self,
        unblock: &(dyn Fn() + Sync),
        body: impl FnOnce(&ThreadState) -> R,
    ) -> Result<R, Interrupted> {
        let result = self.blocking_with(|state| state.interrupts().enter(unblock, || body(state)));
        // What a thread gets that has waited is a new object, often.
        for bump in &self.bump[..USUAL] {
            machine::prefetch(bump.next);
        }
        result
    }

    #[inline]
    fn blocking_with<R>(&mut self, f: impl FnOnce(&ThreadState) -> R) -> R {
        struct Leave<'a>(&'a mut Mutator);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.state.leave_blocked(self.0.heap.world());
                self.0.resync();
            }
        }
        ranks::assert_none_held();
        machine::with_spilled_registers(|stack_pointer| {
            self.state.enter_blocked(self.heap.world(), stack_pointer);
            let leave = Leave(self);
            f(&leave.0.state)
        })
    }

    /// In a blocking region: runs `f` outside of it, as if the region were interrupted. `f` is given what the region was entered
    /// with, whose caller does not use it meanwhile.
    pub fn awake<R>(&mut self, f: impl FnOnce(&mut Mutator) -> R) -> R {
        self.state.leave_blocked(self.heap.world());
        self.resync();
        let result = f(self);
        ranks::assert_none_held();
        // What lies below this frame is of no use to anybody; what lies above is looked at from here on.
        machine::with_spilled_registers(|stack_pointer| {
            self.state.enter_blocked(self.heap.world(), stack_pointer);
        });
        result
    }

    /// The same for work that needs a processor all the time: the thread may be asked to leave its own for a moment to
    /// one that has to run for the world to stop.
    #[inline]
    pub fn computing<R>(&mut self, f: impl FnOnce() -> R) -> R {
        let (heap, state) = (Arc::clone(&self.heap), Arc::clone(&self.state));
        self.blocking_keeping(|| heap.world().computing(&state, f))
    }

    /// A blocking region without an end, for a program that calls into the heap now and then: the thread counts as stopped
    /// until `wake`, and nothing on its machine stack is an object.
    pub fn rest(&mut self) {
        ranks::assert_none_held();
        let (_, base) = self.state.stack_range();
        self.state.enter_blocked(self.heap.world(), base);
    }

    /// Ends what `rest` began.
    pub fn wake(&mut self) {
        self.state.leave_blocked(self.heap.world());
        self.resync();
    }

    /// The thread is in Rust again after a function in C, in which it may have been suspended.
    #[inline(always)]
    pub fn came_out_of_c(&mut self) {
        if in_c::take_suspended() {
            self.resync();
        }
    }

    /// After the world may have been stopped: starts afresh if there has been a collection.
    #[inline]
    pub(crate) fn resync(&mut self) {
        if self.heap.epoch() != self.epoch {
            self.forget_blocks();
        }
        if self.state.owner() != self.owner_stamp {
            // The id was retired on our behalf.
            self.take_owner_id();
        }
    }

    #[cold]
    fn forget_blocks(&mut self) {
        self.epoch = self.heap.epoch();
        self.bump = [Bump { next: 0, end: 0 }; CLASSES];
        self.current = [NONE; CLASSES];
        // What was allocated before the collection is in the total, but not in what has been allocated since.
        self.heap.allocated_before.fetch_add(std::mem::take(&mut self.unreported) as u64, Ordering::Relaxed);
    }

    /// What a header's owner bits are when this thread owns the object. May change at any safepoint and in any blocking
    /// region.
    #[inline(always)]
    #[must_use]
    pub fn owner_bits(&self) -> u64 {
        self.owner_bits
    }

    /// The owner bits of a new object: 0 when ids have run out.
    #[inline(always)]
    pub(crate) fn owner_stamp(&self) -> u64 {
        self.owner_stamp
    }

    /// Whether this thread may change the object with this header right now, with plain stores: it is its own, not frozen,
    /// and young or remembered.
    #[inline(always)]
    #[must_use]
    pub fn owned_and_unfrozen(&self, header: u64) -> bool {
        header & (WRITER_MASK | FROZEN) == self.owner_bits
    }

    /// Whether the header is that of an object of this type that this thread may read right now, with plain accesses, and
    /// that has no flag set.
    #[inline(always)]
    #[must_use]
    pub fn readable_and_plain(&self, header: u64, type_id: u8) -> bool {
        self.owned_and_plain(header & !OLD, type_id)
    }

    /// Whether the header is that of an object of this type that this thread may read and change right now, with plain
    /// accesses, and that has no flag set: owner, frozen bit, type and generation in one comparison.
    #[inline(always)]
    #[must_use]
    pub fn owned_and_plain(&self, header: u64, type_id: u8) -> bool {
        header as u32 == self.owner_bits as u32 | u32::from(type_id)
    }

    /// Whether the header is that of an unfrozen object of this type that this thread owns, and with the shape that the
    /// upper half of `shaped` names, and may change right now: shape, owner, frozen bit, type and generation in one comparison.
    #[inline(always)]
    #[must_use]
    pub fn owned_with_shape(&self, header: u64, shaped: u64, type_id: u8) -> bool {
        const COMPARED: u64 = SHAPE_MASK | WRITER_MASK | FROZEN | TYPE_MASK;
        header & COMPARED == (shaped & SHAPE_MASK) + (self.owner_bits + u64::from(type_id))
    }

    /// Notes an object of which the bit `OLD` has been cleared.
    pub(crate) fn note_source(&self, cell: &Cell) {
        // SAFETY: the set is this mutator's, which is on its own thread, Running.
        let noted = unsafe { self.inbox.remembered.push_source(cell.address()) };
        self.noted(noted);
    }

    /// The write barrier of stores that are rare and made without the right to the object they are made in: the next minor
    /// collection takes `word` to be referred to. Call it after the store, with no safepoint in between.
    #[inline]
    pub fn remember_target(&self, word: u64) {
        if is_heap_pointer(word) {
            // SAFETY: as in `note_source`.
            let noted = unsafe { self.inbox.remembered.push_target(word) };
            self.noted(noted);
        }
    }

    #[inline]
    pub(crate) fn noted(&self, (noted, many): (bool, bool)) {
        if !noted {
            // What a full marking does needs no remembered set.
            self.heap.wants_major.store(true, Ordering::Relaxed);
        }
        if many {
            self.state.set_poll(POLL_GC);
        }
    }

    /// Takes a new owner id: all objects this thread owned are unowned from here on.
    pub fn renew_owner_id(&mut self) {
        let old = self.state.owner();
        self.take_owner_id();
        self.heap.owners().retire(old);
    }

    #[cold]
    fn take_owner_id(&mut self) {
        let new = self.heap.owners().issue(&self.state);
        self.state.set_owner(new);
        self.owner_bits = if new == 0 { NO_OWNER } else { new };
        self.owner_stamp = new;
        self.state.claims.store(0, Ordering::Relaxed);
    }

    /// Asserts, in debug builds, that this thread owns the object.
    #[inline(always)]
    pub fn assert_owner(&self, cell: &Cell) {
        debug_assert_eq!(cell.header() & OWNER_MASK, self.owner_bits, "not this thread's object");
    }

    /// Collects, on behalf of this thread's allocation.
    fn collect_now(&mut self, reason: Reason) {
        let heap = Arc::clone(&self.heap);
        heap.collect(self, reason);
    }
}

impl Drop for Mutator {
    fn drop(&mut self) {
        self.report();
        // From here on nothing is changed by its owner.
        let owner = self.state.owner();
        self.heap.owners().retire(owner);
        // A claimer that still finds this thread has nothing to take from it.
        self.state.set_owner(0);
        let (_, base) = self.state.stack_range();
        // The thread has no values any more; the stack range is empty.
        self.state.enter_blocked(self.heap.world(), base);
        let heap = Arc::clone(&self.heap);
        heap.world().detach(&self.state, || {
            let _rank = ranks::acquire(Rank::Blocks);
            let mut blocks = heap.blocks.lock();
            // SAFETY: the set is this mutator's; while its thread detaches no collector runs.
            heap.generations.lock().remembered.append(&mut unsafe { self.inbox.remembered.take() });
            blocks.inboxes.retain(|inbox| inbox.mutator != self.inbox.mutator);
            let mut lists = self.inbox.lists.lock();
            for (class, list) in lists.iter_mut().enumerate() {
                let block = self.current[class];
                if block != NONE && heap.epoch() == self.epoch {
                    let Bump { next, end } = self.bump[class];
                    if next < end {
                        self.give_back(block, next);
                    }
                    blocks.common[class].push(block);
                }
                blocks.common[class].append(list);
            }
        });
    }
}

/// Keeps the cell a value word points to alive up to here: the word is on the machine stack until now.
#[inline(always)]
pub fn keep_alive(word: u64) {
    std::hint::black_box(word);
}
