//! What a collection tells the VM of what it has found alive.

use crate::block::cell_at;
use crate::header::{Cell, is_heap_pointer};
use crate::heap::Heap;
use crate::profile::Kind;

/// Tells, after marking, what survives the collection.
#[derive(Debug)]
pub struct Liveness<'a> {
    heap: &'a Heap,
    minor: bool,
}

impl<'a> Liveness<'a> {
    pub(crate) fn new(heap: &'a Heap, kind: Kind) -> Self {
        Self { heap, minor: kind == Kind::Minor }
    }

    /// Whether everything survives that was there at the collection before.
    #[must_use]
    pub fn is_minor(&self) -> bool {
        self.minor
    }

    /// Whether a cell survives.
    #[inline]
    #[must_use]
    pub fn is_live(&self, cell: &Cell) -> bool {
        self.heap.is_marked(cell)
    }

    /// Whether a value survives; immediates do.
    #[inline]
    #[must_use]
    pub fn is_live_word(&self, word: u64) -> bool {
        if !is_heap_pointer(word) {
            return true;
        }
        // SAFETY: an exact value that is a heap pointer leads to a cell; a dead one's memory is still there in the pause.
        self.heap.is_marked(unsafe { cell_at(word as usize) })
    }
}
