//! Gives pages back that no object lies on, of blocks that others lie in.
//!
//! A collection gives back whole blocks only: what the program allocates next goes into the holes of the others, and would have to
//! be given the pages again. When it has ended something large, other VMs above all, that is not to be expected.

use rustix::mm::Advice;

use crate::block;
use crate::heap::Heap;
use crate::mutator::Mutator;
use crate::ranks::{self, Rank};
use crate::size_class::GRANULE;
use crate::space::{BLOCK, PAGE};

/// Pages of a block, of which a word has a bit each.
const PAGES: usize = BLOCK / PAGE;

impl Heap {
    /// Gives the free pages of blocks in use back to the system. Stops the world; takes about as long as sweeping the heap.
    pub fn release_free_pages(&self, mutator: &mut Mutator) {
        if rustix::param::page_size() > PAGE {
            // What lies beside a free page of ours would go too.
            return;
        }
        self.stop_the_world(mutator, |_| {
            let small = {
                let _rank = ranks::acquire(Rank::Blocks);
                self.blocks.lock().small.clone()
            };
            for block in small {
                self.release_pages_of(block);
            }
        });
    }

    fn release_pages_of(&self, block: u32) {
        let space = self.space();
        let base = space.address(block);
        let used = block::pages_in_use(space, block);
        let mut page = 0;
        while page < PAGES {
            let start = page;
            while page < PAGES && used & (1 << page) == 0 {
                page += 1;
            }
            if page > start {
                let range = std::ptr::with_exposed_provenance_mut(base + start * PAGE);
                // SAFETY: the world is stopped, and no page of the range has a cell that is allocated or waits for its drop hook. Of a
                // free cell only the header counts: it is zero from now on, as it is where a block has been swept; where
                // it has not, the cell's mark tells that it is free. If it fails the pages stay.
                let _ = unsafe { rustix::mm::madvise(range, (page - start) * PAGE, Advice::LinuxDontNeed) };
            }
            page += 1;
        }
    }
}

const _: () = assert!(PAGES <= u32::BITS as usize && BLOCK.is_multiple_of(PAGE) && PAGE.is_multiple_of(GRANULE));
