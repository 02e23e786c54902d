//! Symbols that may be collected: those that a heap holds.

use asterism_symbol::{AnySym, Held, Holder};

use crate::heap::Heap;
use crate::mutator::Mutator;

impl Heap {
    /// The symbols that may be collected and that this heap holds. Threads get some by [`crate::Mutator::hold_symbol`].
    #[inline]
    #[must_use]
    pub fn symbols(&self) -> &Holder {
        &self.symbols
    }
}

impl Mutator {
    /// Holds the symbol that `get` gets: it lives until a major collection does not find its word any more, which can be the
    /// next safepoint's. Nothing if `get` gets nothing.
    #[inline]
    pub fn hold_symbol(&self, get: impl FnOnce(&Holder) -> Option<Held>) -> Option<AnySym> {
        let held = get(self.heap.symbols())?;
        if held.bytes != 0 {
            self.account_malloc(held.bytes.cast_signed());
        }
        Some(held.symbol)
    }
}
