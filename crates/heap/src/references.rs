//! All cells, what refers to what, and what is being allocated: for programs that look at their objects.

use std::sync::atomic::Ordering;

use crate::block::{self, cell_at};
use crate::header::Cell;
use crate::heap::Heap;
use crate::mark::{Marker, Shared};
use crate::mutator::Mutator;
use crate::ranks::{self, Rank};
use crate::safepoint::StoppedWorld;
use crate::size_class::{CLASSES, GRANULE, MAX_SMALL};
use crate::space::BLOCK;

/// What a cell holds besides its own bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holding {
    /// Bytes of cells that are part of it.
    pub parts: usize,
    /// Malloc'ed bytes.
    pub malloc: usize,
}

impl Heap {
    /// What the sizes of cells are multiples of, in bytes.
    pub const CELL_UNIT: usize = GRANULE;
    /// The largest size of cells that share a block.
    pub const LARGEST_CELL: usize = MAX_SMALL;
    /// How many sizes of such cells there are.
    pub const CELL_SIZES: usize = CLASSES;
    /// Bytes of a block.
    pub const BLOCK_BYTES: usize = BLOCK;

    /// Calls `f` for each live cell (and those that died since the last collection).
    pub fn each_live_cell(&self, _world: &StoppedWorld<'_>, mut f: impl FnMut(&Cell)) {
        let blocks: Vec<u32> = {
            let _rank = ranks::acquire(Rank::Blocks);
            let blocks = self.blocks.lock();
            blocks.small.iter().chain(&blocks.large).copied().collect()
        };
        for block in blocks {
            block::each_allocated(self.space(), block, &mut f);
        }
    }

    /// Calls `f` with the address and the size of each cell that nothing lies in, among the cells of a common size.
    pub fn each_free_cell(&self, _world: &StoppedWorld<'_>, mut f: impl FnMut(usize, usize)) {
        let blocks = {
            let _rank = ranks::acquire(Rank::Blocks);
            self.blocks.lock().small.clone()
        };
        for block in blocks {
            block::each_free(self.space(), block, &mut f);
        }
    }

    /// Has a live cell survived a collection? The next minor one does not ask what refers to it.
    pub fn is_old(&self, _world: &StoppedWorld<'_>, cell: &Cell) -> bool {
        let address = cell.address() as usize;
        let Some(block) = self.space().block_of(address) else { return false };
        block::bit(self.space().marks(block), ((address - self.space().address(block)) / GRANULE) as u32)
    }

    /// From now on, or from the next collection on, `Hooks::allocated` is told of every allocation; or not any more.
    pub fn tell_allocations(&self, tell: bool) {
        self.tells.store(tell, Ordering::Relaxed);
    }

    /// Tells of each cell that an allocated cell of this heap refers to, its class first, and as often as it does. What is part of
    /// the cell counts as the cell.
    pub fn references(&self, _world: &StoppedWorld<'_>, cell: &Cell, mut tell: impl FnMut(&Cell)) -> Holding {
        let shared = Shared::new();
        let mut marker = Marker::looking(self, &shared);
        let mut holding = Holding::default();
        let mut next = Some(cell);
        while let Some(cell) = next {
            // SAFETY: the world is stopped; the cell is allocated, or part of one that is.
            unsafe { (self.hooks().trace)(cell, &mut marker) };
            // SAFETY: a part of an allocated cell is allocated.
            next = marker.parts.pop().map(|part| unsafe { cell_at(part as usize) });
            holding.parts += next.map_or(0, |part| self.cell_size(part));
        }
        for &address in &marker.found {
            // SAFETY: what an allocated cell refers to is allocated.
            tell(unsafe { cell_at(address as usize) });
        }
        holding.malloc = marker.take_malloc();
        holding
    }

    /// Tells of each cell that the VM or a thread refers to, and of what looks like that on a machine stack, which may be part of a cell.
    pub fn root_references(&self, world: &StoppedWorld<'_>, mut tell: impl FnMut(&Cell)) {
        let shared = Shared::new();
        let mut marker = Marker::looking(self, &shared);
        self.mark_roots(world.threads, &mut marker);
        for &address in &marker.found {
            // SAFETY: what roots refer to is allocated.
            tell(unsafe { cell_at(address as usize) });
        }
    }
}

impl Mutator {
    /// Tells of the cell that is being allocated, if that is wanted.
    pub(crate) fn tell(&self, address: usize) {
        if self.heap().tells.load(Ordering::Relaxed) {
            // SAFETY: the pointer is the one that was given at attach, and this is its thread.
            unsafe { (self.heap().hooks().allocated)(self.state().data(), address as u64) };
        }
    }
}
