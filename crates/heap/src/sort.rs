//! The end of a collection: counts what is alive, frees what is empty, and hands out what has room.
//!
//! A minor collection looks at blocks that somebody has allocated in since the last one. Of the others it knows what is alive in them, and
//! they stay in the lists that they are in.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::block;
use crate::heap::{Blocks, FreeRun, Heap};
use crate::mutator::Inbox;
use crate::profile::{Kind, Live};
use crate::ranks::{self, Rank};
use crate::size_class::SIZES;
use crate::space::{BLOCK_GRANULES, BlockState};

/// A thread's inbox, and whether the thread has allocated since the last collection.
type Place = (Arc<Inbox>, bool);

impl Heap {
    /// After marking: counts what is alive, frees what is empty, and hands out what has room.
    pub(crate) fn sort_blocks(&self, kind: Kind, thorough: bool) -> Live {
        let _rank = ranks::acquire(Rank::Blocks);
        let mut guard = self.blocks.lock();
        let blocks = &mut *guard;
        if kind == Kind::Major {
            blocks.live = Live::default();
        }
        let places = self.clear_lists(blocks, kind);
        self.sort_small(blocks, kind, &places);
        self.sort_large(blocks, kind);
        if thorough {
            blocks.empty_low = blocks.empty.len();
            blocks.free_runs.iter_mut().for_each(|run| run.epoch = u64::MAX);
        }
        self.release_unused(blocks, kind);
        blocks.live
    }

    /// Takes the blocks that are to be sorted off the lists of those with room. Threads that have not allocated for a whole cycle keep
    /// none: others may need the room.
    fn clear_lists(&self, blocks: &mut Blocks, kind: Kind) -> Vec<Place> {
        let space = self.space();
        for list in &mut blocks.common {
            // Of threads that have ended there may be young ones.
            list.retain(|&block| kind == Kind::Minor && space.young(block).load(Ordering::Relaxed) == 0);
        }
        let mut places: Vec<Place> = blocks
            .inboxes
            .iter()
            .map(|inbox| (Arc::clone(inbox), inbox.active.swap(false, Ordering::Relaxed)))
            .collect();
        places.sort_by_key(|(inbox, _)| inbox.mutator);
        for (inbox, active) in &places {
            for (list, common) in inbox.lists.lock().iter_mut().zip(&mut blocks.common) {
                match kind {
                    Kind::Major => list.clear(),
                    Kind::Minor if *active => {}
                    Kind::Minor => common.append(list),
                }
            }
        }
        places
    }

    fn sort_small(&self, blocks: &mut Blocks, kind: Kind, places: &[Place]) {
        let space = self.space();
        let small = std::mem::take(&mut blocks.small);
        blocks.small.reserve(small.len());
        // From the end, since lists are popped at the end: low addresses are filled first.
        for block in small.into_iter().rev() {
            let young = space.young(block).swap(0, Ordering::Relaxed) != 0;
            if !young && kind == Kind::Minor || self.sort_block(blocks, block, kind, places) {
                blocks.small.push(block);
            }
        }
        blocks.small.reverse();
    }

    /// Counts what is alive in a block of small cells, and hands it out if it has room; `false` if it is free now.
    fn sort_block(&self, blocks: &mut Blocks, block: u32, kind: Kind, places: &[Place]) -> bool {
        let space = self.space();
        let meta = space.meta(block);
        let class = meta.class.load(Ordering::Relaxed) as usize;
        let size = usize::from(SIZES[class]);
        let marked = block::count_marks(space, block);
        let before = meta.live.swap(marked, Ordering::Relaxed);
        if kind == Kind::Minor {
            blocks.live.cells -= before as usize;
            blocks.live.bytes -= before as usize * size;
        }
        blocks.live.cells += marked as usize;
        blocks.live.bytes += marked as usize * size;
        if marked == 0 && !block::has_hooks(space, block) {
            self.free_ids(block);
            meta.set_state(BlockState::Free);
            blocks.empty.push(block);
            return false;
        }
        if self.has_ids.load(Ordering::Relaxed) {
            self.clear_dead_ids(block);
        }
        if marked == meta.cells.load(Ordering::Relaxed) {
            // Nothing to sweep.
            meta.cursor.store(BLOCK_GRANULES, Ordering::Relaxed);
            return true;
        }
        meta.cursor.store(0, Ordering::Relaxed);
        let mutator = meta.mutator.load(Ordering::Relaxed);
        match places.binary_search_by_key(&mutator, |(inbox, _)| inbox.mutator) {
            Ok(at) if places[at].1 => places[at].0.lists.lock()[class].push(block),
            _ => blocks.common[class].push(block),
        }
        true
    }

    fn sort_large(&self, blocks: &mut Blocks, kind: Kind) {
        let space = self.space();
        let epoch = self.epoch();
        for head in std::mem::take(&mut blocks.large) {
            let meta = space.meta(head);
            if space.young(head).swap(0, Ordering::Relaxed) == 0 && kind == Kind::Minor {
                blocks.large.push(head);
                continue;
            }
            if space.marks(head)[0].load(Ordering::Relaxed) & 1 != 0 {
                blocks.live.cells += 1;
                blocks.live.bytes += meta.bytes.load(Ordering::Relaxed);
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
                space.meta(block).set_state(BlockState::Free);
            }
            blocks.free_runs.push(FreeRun { start: head, count, epoch });
        }
    }

    /// Gives memory back that was free at the last collection already and has not been used since. Empty blocks at a major
    /// collection only, since the next minor ones are going to need them.
    fn release_unused(&self, blocks: &mut Blocks, kind: Kind) {
        let space = self.space();
        let epoch = self.epoch();
        let mut released = 0;
        // The lowest part of the stack of empty blocks has not been touched.
        if kind == Kind::Major {
            let unused = blocks.empty_low.min(blocks.empty.len());
            for block in blocks.empty.drain(..unused) {
                space.give_back(block, 1);
                released += 1;
            }
            blocks.empty_low = blocks.empty.len();
        }
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

    /// Ids of dead cells are no others', and a block in which no living cell has one needs no array: programs often ask for ids of
    /// what they soon forget.
    fn clear_dead_ids(&self, block: u32) {
        let space = self.space();
        let meta = space.meta(block);
        let ids = meta.ids.load(Ordering::Acquire);
        if ids.is_null() {
            return;
        }
        let step = meta.granules.load(Ordering::Relaxed);
        let mut alive = false;
        for index in 0..meta.cells.load(Ordering::Relaxed) {
            // SAFETY: the array has a word for each cell.
            let id = unsafe { &*ids.add(index as usize) };
            if !block::bit(space.marks(block), index * step) {
                id.store(0, Ordering::Relaxed);
            } else if id.load(Ordering::Relaxed) != 0 {
                alive = true;
            }
        }
        if !alive {
            self.free_ids(block);
        }
    }
}
