//! The word of a call site.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::Marker;

use crate::iseq::words::Word;

/// The word of a call site that leads to its cache, 0 if it has none yet. Changed whole, by any thread; the code that has the site has it marked.
#[repr(transparent)]
pub struct Site(pub(super) AtomicU64);

// SAFETY: transparent over an atomic word, and only made of one.
unsafe impl Word for Site {}

impl Site {
    /// What tells it from other sites.
    #[inline(always)]
    pub(crate) fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Forgets the cache.
    pub(crate) fn clear(&self) {
        self.0.store(0, Ordering::Release);
    }

    /// Marks the cache.
    pub(crate) fn mark(&self, marker: &mut Marker) {
        marker.mark(self.0.load(Ordering::Relaxed));
    }
}
