//! The heap verifier: after a marking, every live cell must be an allocated cell, and so must every child of it.
//!
//! After a minor collection this finds what was stored in an old cell that nobody has remembered: it is not alive. Parts are
//! looked at as parts only. One that is part of nothing any more may refer to what is dead, until a major collection.

use crate::block::{self, bit, cell_at, find_cell};
use crate::header::{Cell, OLD, type_of};
use crate::heap::Heap;
use crate::mark::{Marker, Shared};
use crate::mutator::Mutator;
use crate::profile::Reason;
use crate::ranks::{self, Rank};
use crate::remember::Stores;
use crate::safepoint::StoppedWorld;
use crate::size_class::GRANULE;
use std::sync::atomic::Ordering;

impl Heap {
    /// Checks that every child of an allocated cell is an allocated cell of this heap. Panics where that is not so.
    /// Cells that died since the last collection are checked too: their children have not been swept before them only
    /// if nothing has been swept since, so call it right after a collection.
    pub fn verify(&self, _world: &StoppedWorld<'_>) {
        let (small, large) = {
            let _rank = ranks::acquire(Rank::Blocks);
            let blocks = self.blocks.lock();
            (blocks.small.clone(), blocks.large.clone())
        };
        self.verify_blocks(&small, &large);
    }

    /// Collects, and checks the heap meanwhile. Panics if something is wrong.
    pub fn collect_and_verify(&self, mutator: &mut Mutator) {
        self.wants_check.store(true, Ordering::Relaxed);
        self.collect(mutator, Reason::Explicit);
    }

    /// Checks the marked cells of these blocks.
    pub(crate) fn verify_blocks(&self, small: &[u32], large: &[u32]) {
        let shared = Shared::new();
        let mut marker = Marker::verifier(self, &shared);
        let space = self.space();
        for &block in small {
            let meta = space.meta(block);
            let step = meta.granules.load(Ordering::Relaxed);
            let base = space.address(block);
            for granule in 0..crate::space::BLOCK_GRANULES {
                if !bit(space.marks(block), granule) {
                    continue;
                }
                let address = base + granule as usize * GRANULE;
                assert!(
                    granule % step == 0 && granule / step < meta.cells.load(Ordering::Relaxed),
                    "{address:#x} was marked but no cell starts there (cells have {step} granules)"
                );
                // SAFETY: a cell starts there.
                self.verify_cell(unsafe { cell_at(address) }, &mut marker);
            }
        }
        for &head in large {
            if bit(space.marks(head), 0) {
                // SAFETY: a large object's cell is at the start of its first block.
                self.verify_cell(unsafe { cell_at(space.address(head)) }, &mut marker);
            }
        }
    }

    fn verify_cell(&self, cell: &Cell, marker: &mut Marker<'_>) {
        let kind = type_of(cell.header());
        let stores = self.hooks().stores[usize::from(kind)];
        if stores == Stores::Part {
            return;
        }
        assert!(
            stores != Stores::Guarded || cell.header() & OLD != 0,
            "the live cell {:#x} of type {kind} is not old",
            cell.address()
        );
        assert!(kind != 0, "the free cell {:#x} was marked", cell.address());
        let found = find_cell(self.space(), self.id(), cell.address() as usize);
        assert!(
            found.is_some_and(|found| std::ptr::eq(found, cell)),
            "{:#x} was marked but is no cell of this heap",
            cell.address()
        );
        marker.parent = cell.address();
        // SAFETY: the world is stopped, and the cell is allocated.
        unsafe { (self.hooks().trace)(cell, marker) };
        while let Some(part) = marker.parts.pop() {
            if marker.complaints.is_empty() {
                marker.parent = part;
                // SAFETY: it is marked, or there would be a complaint; the world is stopped.
                unsafe { (self.hooks().trace)(cell_at(part as usize), marker) };
            }
        }
        if let Some(&(parent, child)) = marker.complaints.first() {
            panic!(
                "the live cell {:#x} of type {kind}, or {parent:#x}, a part of it, refers to {child:#x}, which is not alive",
                cell.address()
            );
        }
    }

    /// Whether a cell is allocated, for assertions.
    #[must_use]
    pub fn is_allocated_cell(&self, address: u64) -> bool {
        block::find_cell(self.space(), self.id(), address as usize).is_some_and(|cell| cell.address() == address)
    }
}
