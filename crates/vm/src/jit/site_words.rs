//! The words that sites of compiled code have beside their caches.

use std::mem::offset_of;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU64};

/// Shapes that a site remembers here.
pub(crate) const MOST: usize = 4;

/// `shape << 32 | slot`, or `EMPTY_IVAR`, `MOST` for each site. Made when the first site meets a second shape. A slot follows from
/// shape and name alone, so a word is true whoever wrote it, and is changed whole.
#[derive(Default)]
pub(crate) struct Shapes {
    pub(super) all: OnceLock<Box<[AtomicU64]>>,
    /// Where they lie, for compiled code; null before they are made.
    pub(super) words: AtomicPtr<AtomicU64>,
}

impl Shapes {
    /// Where the address of the words lies.
    pub(crate) const WORDS: usize = offset_of!(Shapes, words);
}

/// Call sites of compiled code where attributes were written that objects had not yet, and the step from shape to shape of each: two
/// words as in `Iseq::ivar_caches`. The words of a site that has added none name no object's shape. Made when the first site adds one.
#[derive(Default)]
pub(crate) struct Additions {
    pub(super) all: OnceLock<Box<[AtomicU64]>>,
    /// Where they lie, for compiled code; null before they are made.
    pub(super) words: AtomicPtr<AtomicU64>,
}

impl Additions {
    /// Where the address of the words lies.
    pub(crate) const WORDS: usize = offset_of!(Additions, words);
}
