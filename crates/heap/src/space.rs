//! The process-wide block space, and the one place of this crate with process-wide mutable state:
//! `SPACE` (the reserved address range all heaps take their blocks from, because a pointer must tell its block by
//! arithmetic alone, without knowing its heap first), the counter of heap ids in it, and `MAKING`, the lock under which it
//! is made.
//!
//! One range of addresses is reserved and carved into blocks of 64 KiB. Beside it lie four more reserved ranges that are
//! indexed by block or by address: a `BlockMeta` for each block, a mark bit and a hook bit for each granule, and a byte for each
//! block that says whether it is young. Memory is made accessible in steps as the frontier grows. Blocks that come from here are always all zero.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use asterism_lock::Mutex;
use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};

use crate::ranks::{self, Rank};
use crate::size_class::GRANULE;

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64 * 1024;
/// log2 of that.
pub(crate) const BLOCK_SHIFT: u32 = 16;
/// Granules in a block.
pub(crate) const BLOCK_GRANULES: u32 = (BLOCK / GRANULE) as u32;
/// Words of mark (or hook) bits for a block.
pub(crate) const BITMAP_WORDS: usize = BLOCK_GRANULES as usize / 64;
/// Bytes of a page of memory.
pub(crate) const PAGE: usize = 4096;
/// Blocks made accessible at a time.
const COMMIT_STEP: u32 = 1024;
/// What is tried first and what is the least that will do.
const LARGEST_RESERVATION: usize = 1 << 40;
const SMALLEST_RESERVATION: usize = 1 << 28;

/// What a block is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum BlockState {
    /// Not in use by a heap's objects.
    Free = 0,
    /// Cells of one size class.
    Small = 1,
    /// The first block of a large object.
    LargeHead = 2,
    /// Another block of a large object; `run` counts the blocks back to the head.
    LargeTail = 3,
}

/// What is known of a block. Atomics because a conservative scan may look at any block; a field is written by the thread
/// that allocates from the block, or with the world stopped.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct BlockMeta {
    /// The heap the block belongs to; 0: none.
    pub(crate) heap: AtomicU32,
    state: AtomicU32,
    /// Size class.
    pub(crate) class: AtomicU32,
    /// `size_class::reciprocal`.
    pub(crate) reciprocal: AtomicU32,
    /// Granules in a cell.
    pub(crate) granules: AtomicU32,
    /// Cells in the block.
    pub(crate) cells: AtomicU32,
    /// Below this granule the block has been swept: a cell there with a type is allocated, one without is free. Above, an
    /// unmarked cell is dead, whatever its header says.
    pub(crate) cursor: AtomicU32,
    /// Of a large object's head: its blocks. Of the other blocks: how far back the head is.
    pub(crate) run: AtomicU32,
    /// The mutator that last allocated here.
    pub(crate) mutator: AtomicU32,
    /// Marked cells, as of the last collection.
    pub(crate) live: AtomicU32,
    /// Of a large object: the bytes it counts for.
    pub(crate) bytes: AtomicUsize,
    /// Object ids by cell index, made when the first is asked for.
    pub(crate) ids: AtomicPtr<AtomicU64>,
}

impl BlockMeta {
    pub(crate) fn state(&self) -> BlockState {
        match self.state.load(Ordering::Relaxed) {
            1 => BlockState::Small,
            2 => BlockState::LargeHead,
            3 => BlockState::LargeTail,
            _ => BlockState::Free,
        }
    }

    pub(crate) fn set_state(&self, state: BlockState) {
        self.state.store(state as u32, Ordering::Relaxed);
    }
}

/// What is protected by the space's lock.
#[derive(Debug)]
struct Inner {
    /// Blocks from here on have never been used.
    frontier: u32,
    /// Unused runs below the frontier: start and length, never adjacent.
    free: BTreeMap<u32, u32>,
}

/// The reserved ranges.
#[derive(Debug)]
pub(crate) struct BlockSpace {
    base: usize,
    blocks: u32,
    metas: usize,
    marks: usize,
    hooks: usize,
    youngs: usize,
    /// Blocks below this are accessible, and so are their metas and bits.
    committed: AtomicU32,
    next_heap: AtomicU32,
    inner: Mutex<Inner>,
}

/// The space, once it has been made; it is never freed. A plain pointer and a lock, and not a `OnceLock`, because thread
/// sanitizers can follow those without a standard library built for them.
static SPACE: AtomicPtr<BlockSpace> = AtomicPtr::new(std::ptr::null_mut());
static MAKING: Mutex<()> = Mutex::new(());

/// The block space; `None` when the system has no address space for it.
pub(crate) fn get() -> Option<&'static BlockSpace> {
    // SAFETY: the pointer is null or came from a box that was leaked after it had been filled.
    if let Some(space) = unsafe { SPACE.load(Ordering::Acquire).as_ref() } {
        return Some(space);
    }
    let _making = MAKING.lock();
    // SAFETY: the same.
    if let Some(space) = unsafe { SPACE.load(Ordering::Acquire).as_ref() } {
        return Some(space);
    }
    let space: &'static BlockSpace = Box::leak(Box::new(BlockSpace::reserve()?));
    SPACE.store(std::ptr::from_ref(space).cast_mut(), Ordering::Release);
    Some(space)
}

fn reserve(bytes: usize) -> Option<usize> {
    // SAFETY: a new private mapping at an address of the system's choice touches no memory of anybody.
    let start = unsafe {
        rustix::mm::mmap_anonymous(
            std::ptr::null_mut(),
            bytes,
            ProtFlags::empty(),
            MapFlags::PRIVATE | MapFlags::NORESERVE,
        )
    };
    start.ok().map(|pointer| pointer.expose_provenance())
}

fn release(start: usize, bytes: usize) {
    // SAFETY: only called on ranges `reserve` returned, before anything points into them. If it fails they stay reserved.
    let _ = unsafe { rustix::mm::munmap(std::ptr::with_exposed_provenance_mut(start), bytes) };
}

impl BlockSpace {
    fn reserve() -> Option<Self> {
        // Where addresses are limited, half of them at most: stacks and what is allocated elsewhere need some too.
        let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
        let limit = limit.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
        let mut bytes = LARGEST_RESERVATION;
        while bytes > limit / 2 {
            bytes /= 2;
        }
        while bytes >= SMALLEST_RESERVATION {
            if let Some(space) = Self::reserve_bytes(bytes) {
                return Some(space);
            }
            bytes /= 2;
        }
        None
    }

    fn reserve_bytes(bytes: usize) -> Option<Self> {
        let blocks = bytes / BLOCK;
        let bits = bytes / GRANULE / 8;
        let meta_bytes = blocks * size_of::<BlockMeta>();
        // One block more than used, so that the base can be aligned and a pointer one past the end stays in the range.
        let all = bytes + 3 * BLOCK + 2 * bits + meta_bytes + blocks;
        let start = reserve(all)?;
        let base = start.next_multiple_of(BLOCK);
        let Ok(count) = u32::try_from(blocks) else {
            release(start, all);
            return None;
        };
        let marks = base + bytes + BLOCK;
        Some(Self {
            base,
            blocks: count,
            marks,
            hooks: marks + bits,
            metas: marks + 2 * bits,
            youngs: marks + 2 * bits + meta_bytes,
            committed: AtomicU32::new(0),
            next_heap: AtomicU32::new(1),
            inner: Mutex::new(Inner { frontier: 0, free: BTreeMap::new() }),
        })
    }

    /// A number no other heap of this process has.
    pub(crate) fn new_heap_id(&self) -> u32 {
        self.next_heap.fetch_add(1, Ordering::Relaxed)
    }

    /// The range's first address.
    #[inline(always)]
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// Bytes of the blocks that are accessible.
    pub(crate) fn size(&self) -> usize {
        (self.committed.load(Ordering::Acquire) as usize) << BLOCK_SHIFT
    }

    /// Where the mark bits begin.
    #[inline(always)]
    pub(crate) fn marks_base(&self) -> usize {
        self.marks
    }

    /// Where the bytes begin that say of blocks whether they are young.
    #[inline(always)]
    pub(crate) fn youngs_base(&self) -> usize {
        self.youngs
    }

    /// The address of a block.
    #[inline(always)]
    pub(crate) fn address(&self, block: u32) -> usize {
        self.base + ((block as usize) << BLOCK_SHIFT)
    }

    /// The block an address lies in, if it is accessible.
    #[inline(always)]
    pub(crate) fn block_of(&self, address: usize) -> Option<u32> {
        let block = address.wrapping_sub(self.base) >> BLOCK_SHIFT;
        if block < self.committed.load(Ordering::Acquire) as usize { Some(block as u32) } else { None }
    }

    /// What is known of a block.
    #[inline(always)]
    pub(crate) fn meta(&self, block: u32) -> &BlockMeta {
        debug_assert!(block < self.committed.load(Ordering::Relaxed));
        let address = self.metas + block as usize * size_of::<BlockMeta>();
        // SAFETY: metas of blocks that are in use are accessible and stay so; all zero is a valid one; they consist of
        // atomics.
        unsafe { &*std::ptr::with_exposed_provenance(address) }
    }

    /// Not 0 if there may be young cells in a block (of a large object: in the first one): somebody has allocated there since the
    /// last collection. Written by the thread that allocates, and with the world stopped. Bytes side by side, because a minor
    /// collection looks here for every reference it meets.
    #[inline(always)]
    pub(crate) fn young(&self, block: u32) -> &AtomicU8 {
        debug_assert!(block < self.committed.load(Ordering::Relaxed));
        // SAFETY: as for the metas.
        unsafe { &*std::ptr::with_exposed_provenance(self.youngs + block as usize) }
    }

    /// The mark bits of a block.
    #[inline(always)]
    pub(crate) fn marks(&self, block: u32) -> &[AtomicU64; BITMAP_WORDS] {
        debug_assert!(block < self.committed.load(Ordering::Relaxed));
        let address = self.marks + block as usize * (BITMAP_WORDS * 8);
        // SAFETY: the bits of blocks that are in use are accessible and stay so; they are atomics.
        unsafe { &*std::ptr::with_exposed_provenance(address) }
    }

    /// The hook bits of a block.
    #[inline(always)]
    pub(crate) fn hooks(&self, block: u32) -> &[AtomicU64; BITMAP_WORDS] {
        debug_assert!(block < self.committed.load(Ordering::Relaxed));
        let address = self.hooks + block as usize * (BITMAP_WORDS * 8);
        // SAFETY: as for the mark bits.
        unsafe { &*std::ptr::with_exposed_provenance(address) }
    }

    /// Takes `count` adjacent blocks, all zero, with their marks and hooks clear.
    pub(crate) fn take(&self, count: u32) -> Option<u32> {
        debug_assert!(count > 0);
        let _rank = ranks::acquire(Rank::Space);
        let mut inner = self.inner.lock();
        if let Some((&start, &length)) = inner.free.iter().find(|&(_, &length)| length >= count) {
            inner.free.remove(&start);
            if length > count {
                inner.free.insert(start + count, length - count);
            }
            return Some(start);
        }
        let start = inner.frontier;
        let end = start.checked_add(count).filter(|&end| end <= self.blocks)?;
        self.commit(end)?;
        inner.frontier = end;
        Some(start)
    }

    /// Makes the blocks below `end` accessible. Called with the space locked.
    fn commit(&self, end: u32) -> Option<()> {
        let from = self.committed.load(Ordering::Relaxed);
        if end <= from {
            return Some(());
        }
        let to = end.checked_next_multiple_of(COMMIT_STEP)?.min(self.blocks);
        let (from_block, blocks) = (from as usize, (to - from) as usize);
        for (start, unit) in [
            (self.metas, size_of::<BlockMeta>()),
            (self.marks, BITMAP_WORDS * 8),
            (self.hooks, BITMAP_WORDS * 8),
            (self.youngs, size_of::<AtomicU8>()),
            (self.base, BLOCK),
        ] {
            // Whole pages of any size that systems have: of the bytes the last step has made some accessible already.
            let first = (start + from_block * unit) / BLOCK * BLOCK;
            let bytes = (start + (from_block + blocks) * unit).next_multiple_of(BLOCK) - first;
            let address = std::ptr::with_exposed_provenance_mut(first);
            // SAFETY: the range lies within our reservation, at whose end there is a block more than is used. It is accessible
            // already or has never been used, so nothing can depend on its being inaccessible.
            unsafe { rustix::mm::mprotect(address, bytes, MprotectFlags::READ | MprotectFlags::WRITE) }.ok()?;
        }
        self.committed.store(to, Ordering::Release);
        Some(())
    }

    /// Gives back the pages of bits and metas that the blocks of `freed` have a part in, as far as all blocks that share a page
    /// are in `free`. The bits are clear; called with the space locked, so that the blocks stay free meanwhile.
    fn give_back_bits(&self, freed: (u32, u32), free: (u32, u32)) {
        if rustix::param::page_size() > PAGE {
            // What lies beside it would go too.
            return;
        }
        let bits = BITMAP_WORDS * 8;
        for (start, unit) in [(self.marks, bits), (self.hooks, bits), (self.metas, size_of::<BlockMeta>())] {
            let a_page = (PAGE / unit) as u32;
            let first = (freed.0 / a_page * a_page).max(free.0.next_multiple_of(a_page));
            let end = freed.1.next_multiple_of(a_page).min(free.1 / a_page * a_page);
            if first >= end {
                continue;
            }
            let address = std::ptr::with_exposed_provenance_mut(start + first as usize * unit);
            // SAFETY: these are the bits of free blocks, which are zero, or their metas, of which only that they are free is
            // looked at, which is zero too: that they become zero is seen by nobody. If it fails they stay in memory.
            let _ = unsafe { rustix::mm::madvise(address, (end - first) as usize * unit, Advice::LinuxDontNeed) };
        }
    }

    /// Gives blocks back. Nothing points into them, and their marks, hooks and ids are clear.
    pub(crate) fn give_back(&self, start: u32, count: u32) {
        for block in start..start + count {
            let meta = self.meta(block);
            meta.set_state(BlockState::Free);
            meta.heap.store(0, Ordering::Relaxed);
            self.young(block).store(0, Ordering::Relaxed);
        }
        let address = std::ptr::with_exposed_provenance_mut(self.address(start));
        // SAFETY: the blocks are in nobody's use, so that their becoming zero is seen by nobody.
        let zeroed = unsafe { rustix::mm::madvise(address, count as usize * BLOCK, Advice::LinuxDontNeed) };
        if zeroed.is_err() {
            // Memory that is locked (mlockall) cannot be given back; it has to be zero all the same.
            // SAFETY: the same range is accessible and ours alone.
            unsafe { std::ptr::write_bytes(address.cast::<u8>(), 0, count as usize * BLOCK) };
        }
        let _rank = ranks::acquire(Rank::Space);
        let mut inner = self.inner.lock();
        let freed = (start, start + count);
        let (mut start, mut count) = (start, count);
        if let Some((&before, &length)) = inner.free.range(..start).next_back()
            && before + length == start
        {
            inner.free.remove(&before);
            start = before;
            count += length;
        }
        if let Some(length) = inner.free.remove(&(start + count)) {
            count += length;
        }
        self.give_back_bits(freed, (start, start + count));
        if start + count == inner.frontier {
            inner.frontier = start;
        } else {
            inner.free.insert(start, count);
        }
    }
}
