//! Object ids: numbers from a counter of the heap, in ranges a thread takes at a time, in an array beside each block.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::block::cell_index;
use crate::header::Cell;
use crate::heap::ids_in;
use crate::mutator::Mutator;

/// Ids a thread takes at a time.
const RANGE: u64 = 256;

impl Mutator {
    /// The object's id, given out at the first call. Ids count from 1.
    pub fn object_id(&mut self, cell: &Cell) -> u64 {
        let space = self.heap().space();
        let address = cell.address() as usize;
        let Some(block) = space.block_of(address) else {
            return 0;
        };
        let meta = space.meta(block);
        let mut ids = meta.ids.load(Ordering::Acquire);
        if ids.is_null() {
            let fresh: Box<[AtomicU64]> = (0..ids_in(meta)).map(|_| AtomicU64::new(0)).collect();
            let count = fresh.len();
            let fresh = Box::into_raw(fresh).cast::<AtomicU64>();
            self.heap().has_ids.store(true, Ordering::Relaxed);
            match meta.ids.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => ids = fresh,
                Err(installed) => {
                    // SAFETY: the box made above, which nobody else has seen.
                    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(fresh, count)) });
                    ids = installed;
                }
            }
        }
        // SAFETY: the array has a word for each cell of the block and lives as long as the cell.
        let slot = unsafe { &*ids.add(cell_index(meta, address)) };
        let known = slot.load(Ordering::Acquire);
        if known != 0 {
            return known;
        }
        if self.next_object_id == self.last_object_id {
            self.next_object_id = self.heap().next_object_id.fetch_add(RANGE, Ordering::Relaxed);
            self.last_object_id = self.next_object_id + RANGE;
        }
        match slot.compare_exchange(0, self.next_object_id, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                self.next_object_id += 1;
                self.next_object_id - 1
            }
            Err(known) => known,
        }
    }
}
