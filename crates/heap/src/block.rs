//! Blocks of small cells: preparing one for a size class, sweeping it hole by hole, finding the cell at an address.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::header::{Cell, type_of};
use crate::machine;
use crate::size_class::{CLASSES, GRANULE, SIZES, reciprocal};
use crate::space::{BITMAP_WORDS, BLOCK, BLOCK_GRANULES, BlockMeta, BlockSpace, BlockState, PAGE};

/// A hole is handed out in pieces of at most so many bytes, so that the headers zeroed in it are still in the cache
/// when their cells are allocated.
const PIECE: usize = 8 * 1024;

/// Cells between the prefetch of a header and its sweeping: few of those in large heaps are in a cache.
const AHEAD: u32 = 16;

/// Cells of the next hole whose headers are asked for while those of this one are allocated.
const OF_NEXT: u32 = 4;

/// Free memory in a block: cells are allocated from `start` up while they end at or before `end`. Their headers are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hole {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Whether the bit of a granule is set.
#[inline(always)]
pub(crate) fn bit(bits: &[AtomicU64; BITMAP_WORDS], granule: u32) -> bool {
    bits[granule as usize / 64].load(Ordering::Relaxed) & (1 << (granule % 64)) != 0
}

/// The first granule of a range whose bit is set; the range's end if there is none.
fn next_set(bits: &[AtomicU64; BITMAP_WORDS], from: u32, end: u32) -> u32 {
    let mut at = from;
    while at < end {
        let rest = bits[at as usize / 64].load(Ordering::Relaxed) >> (at % 64);
        if rest != 0 {
            return end.min(at + rest.trailing_zeros());
        }
        at = (at / 64 + 1) * 64;
    }
    end
}

/// The cell at an address that is known to hold one.
///
/// # Safety
/// The address is that of a cell (allocated or free) in a block of small cells, or of a large object's head.
#[inline(always)]
pub(crate) unsafe fn cell_at<'a>(address: usize) -> &'a Cell {
    // SAFETY: blocks are accessible for ever, cells aligned, and a cell is made of atomics.
    unsafe { &*std::ptr::with_exposed_provenance(address) }
}

/// Makes a block ready for cells of a class. `clean` says that it is all zero.
pub(crate) fn prepare(space: &BlockSpace, block: u32, heap: u32, class: usize, clean: bool) {
    let meta = space.meta(block);
    let size = usize::from(SIZES[class]);
    meta.class.store(class as u32, Ordering::Relaxed);
    meta.reciprocal.store(reciprocal(class), Ordering::Relaxed);
    meta.granules.store((size / GRANULE) as u32, Ordering::Relaxed);
    meta.cells.store((BLOCK / size) as u32, Ordering::Relaxed);
    // A clean block counts as swept: it is one hole.
    meta.cursor.store(if clean { BLOCK_GRANULES } else { 0 }, Ordering::Relaxed);
    meta.live.store(0, Ordering::Relaxed);
    meta.heap.store(heap, Ordering::Relaxed);
    meta.set_state(BlockState::Small);
}

/// The hole that is all of a clean block.
pub(crate) fn whole(space: &BlockSpace, block: u32) -> Hole {
    let meta = space.meta(block);
    let bytes = (meta.cells.load(Ordering::Relaxed) * meta.granules.load(Ordering::Relaxed)) as usize * GRANULE;
    let start = space.address(block);
    Hole { start, end: start + bytes }
}

/// Sweeps on from the block's cursor to the end of the next hole, or of a piece of it. `dropped` is called for each dead
/// cell whose hook bit is set. `None`: the block is swept.
pub(crate) fn next_hole(space: &BlockSpace, block: u32, dropped: &mut impl FnMut(&Cell)) -> Option<Hole> {
    sweep(space, block, PIECE, dropped)
}

/// Sweeps the rest of the block.
pub(crate) fn finish(space: &BlockSpace, block: u32, dropped: &mut impl FnMut(&Cell)) {
    while sweep(space, block, BLOCK, dropped).is_some() {}
}

/// Drops the dead cells of a block that have a hook, before the block is swept. All that is alive is marked.
pub(crate) fn drop_dead(space: &BlockSpace, block: u32, dropped: &mut impl FnMut(&Cell)) {
    for (index, (hooks, marks)) in space.hooks(block).iter().zip(space.marks(block)).enumerate() {
        let mut dead = hooks.load(Ordering::Relaxed) & !marks.load(Ordering::Relaxed);
        if dead == 0 {
            continue;
        }
        hooks.fetch_and(!dead, Ordering::Relaxed);
        while dead != 0 {
            let granule = index * 64 + dead.trailing_zeros() as usize;
            dead &= dead - 1;
            // SAFETY: hook bits are only set for allocated cells.
            let cell = unsafe { cell_at(space.address(block) + granule * GRANULE) };
            dropped(cell);
            cell.header.store(0, Ordering::Relaxed);
        }
    }
}

fn sweep(space: &BlockSpace, block: u32, limit: usize, dropped: &mut impl FnMut(&Cell)) -> Option<Hole> {
    let meta = space.meta(block);
    let cursor = meta.cursor.load(Ordering::Relaxed);
    if cursor >= BLOCK_GRANULES {
        return None;
    }
    let (marks, hooks) = (space.marks(block), space.hooks(block));
    let step = meta.granules.load(Ordering::Relaxed);
    let end = meta.cells.load(Ordering::Relaxed) * step;
    let base = space.address(block);
    let skip_marked = |mut granule: u32| {
        while granule < end && bit(marks, granule) {
            granule += step;
        }
        granule
    };
    let prefetch = |granule: u32| machine::prefetch_line_to_change(base + granule as usize * GRANULE);
    let mut granule = skip_marked(cursor);
    let first = granule;
    let last = next_set(marks, first, end.min(first.saturating_add((limit / GRANULE) as u32)));
    let mut hooked = next_set(hooks, first, last);
    while granule < last {
        prefetch(granule + AHEAD * step);
        // SAFETY: `granule` is the first of a cell of this block.
        let cell = unsafe { cell_at(base + granule as usize * GRANULE) };
        if granule == hooked {
            hooks[granule as usize / 64].fetch_and(!(1 << (granule % 64)), Ordering::Relaxed);
            dropped(cell);
            hooked = next_set(hooks, granule + 1, last);
        }
        // Looked at first: a page never written to must not become a page of memory by being swept.
        if cell.header.load(Ordering::Relaxed) != 0 {
            cell.header.store(0, Ordering::Relaxed);
        }
        granule += step;
    }
    let next = skip_marked(granule);
    if next >= end {
        meta.cursor.store(BLOCK_GRANULES, Ordering::Relaxed);
    } else {
        (0..OF_NEXT).for_each(|n| prefetch(next + n * step));
        meta.cursor.store(next, Ordering::Relaxed);
    }
    if first == granule {
        return None;
    }
    Some(Hole { start: base + first as usize * GRANULE, end: base + granule as usize * GRANULE })
}

/// The live or possibly live cell that an address points at or into, if it is a cell of this heap: allocated, and not
/// known to be dead.
pub(crate) fn find_cell(space: &BlockSpace, heap: u32, address: usize) -> Option<&'static Cell> {
    let block = space.block_of(address)?;
    let meta = space.meta(block);
    if meta.heap.load(Ordering::Relaxed) != heap {
        return None;
    }
    let (head, granule) = match meta.state() {
        BlockState::Free => return None,
        BlockState::Small => (block, cell_start(meta, ((address % BLOCK) / GRANULE) as u32)?),
        BlockState::LargeHead => (block, 0),
        BlockState::LargeTail => (block.checked_sub(meta.run.load(Ordering::Relaxed))?, 0),
    };
    // SAFETY: `granule` is the first of a cell of a block that is in use.
    let cell = unsafe { cell_at(space.address(head) + granule as usize * GRANULE) };
    is_allocated(space, head, granule, cell).then_some(cell)
}

/// The first granule of the cell that a granule belongs to.
fn cell_start(meta: &BlockMeta, granule: u32) -> Option<u32> {
    let index = ((u64::from(granule) * u64::from(meta.reciprocal.load(Ordering::Relaxed))) >> 32) as u32;
    (index < meta.cells.load(Ordering::Relaxed)).then(|| index * meta.granules.load(Ordering::Relaxed))
}

/// The index of a cell in its block.
pub(crate) fn cell_index(meta: &BlockMeta, address: usize) -> usize {
    if meta.state() != BlockState::Small {
        return 0;
    }
    let granule = ((address % BLOCK) / GRANULE) as u64;
    ((granule * u64::from(meta.reciprocal.load(Ordering::Relaxed))) >> 32) as usize
}

/// Whether a cell is allocated and not dead: it has a type, and it is marked or lies where the block has been swept.
pub(crate) fn is_allocated(space: &BlockSpace, block: u32, granule: u32, cell: &Cell) -> bool {
    type_of(cell.header.load(Ordering::Relaxed)) != 0
        && (granule < space.meta(block).cursor.load(Ordering::Relaxed) || bit(space.marks(block), granule))
}

/// Calls `f` for the first granule of each allocated cell of a block in use.
pub(crate) fn each_allocated(space: &BlockSpace, block: u32, mut f: impl FnMut(&Cell)) {
    let meta = space.meta(block);
    let (cells, step) = match meta.state() {
        BlockState::Small => (meta.cells.load(Ordering::Relaxed), meta.granules.load(Ordering::Relaxed)),
        BlockState::LargeHead => (1, 1),
        BlockState::Free | BlockState::LargeTail => return,
    };
    let base = space.address(block);
    for granule in (0..cells).map(|index| index * step) {
        // SAFETY: `granule` is the first of a cell of this block.
        let cell = unsafe { cell_at(base + granule as usize * GRANULE) };
        if is_allocated(space, block, granule, cell) {
            f(cell);
        }
    }
}

/// Calls `f` with the address of each cell of a block of small cells that is not allocated, and their size.
pub(crate) fn each_free(space: &BlockSpace, block: u32, mut f: impl FnMut(usize, usize)) {
    let meta = space.meta(block);
    if meta.state() != BlockState::Small {
        return;
    }
    let step = meta.granules.load(Ordering::Relaxed);
    let base = space.address(block);
    for granule in (0..meta.cells.load(Ordering::Relaxed)).map(|index| index * step) {
        let address = base + granule as usize * GRANULE;
        // SAFETY: `granule` is the first of a cell of this block.
        let cell = unsafe { cell_at(address) };
        if !is_allocated(space, block, granule, cell) {
            f(address, step as usize * GRANULE);
        }
    }
}

/// The pages of a block of small cells that a cell lies on which is allocated, or dead and not dropped; a bit each. The world is
/// stopped.
pub(crate) fn pages_in_use(space: &BlockSpace, block: u32) -> u32 {
    let meta = space.meta(block);
    let hooks = space.hooks(block);
    let step = meta.granules.load(Ordering::Relaxed);
    let base = space.address(block);
    let mut pages = 0;
    for index in 0..meta.cells.load(Ordering::Relaxed) {
        let granule = index * step;
        let start = granule as usize * GRANULE;
        // SAFETY: `granule` is the first of a cell of this block.
        let cell = unsafe { cell_at(base + start) };
        if bit(hooks, granule) || is_allocated(space, block, granule, cell) {
            let last = start + step as usize * GRANULE - 1;
            for page in start / PAGE..=last / PAGE {
                pages |= 1 << page;
            }
        }
    }
    pages
}

/// Clears a block's marks.
pub(crate) fn clear_marks(space: &BlockSpace, block: u32) {
    for word in space.marks(block) {
        word.store(0, Ordering::Relaxed);
    }
}

/// How many cells of a block are marked.
pub(crate) fn count_marks(space: &BlockSpace, block: u32) -> u32 {
    space.marks(block).iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum()
}

/// Whether a block has a hooked cell.
pub(crate) fn has_hooks(space: &BlockSpace, block: u32) -> bool {
    space.hooks(block).iter().any(|word| word.load(Ordering::Relaxed) != 0)
}

const _: () = assert!(CLASSES < 256);
