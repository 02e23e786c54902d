//! The words of an `Iseq` that change while it runs: in one piece of memory, those that most code has first, so that those of a short
//! method lie in two or three cache lines.

use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::atomic::AtomicU64;

use asterism_object::AtomicValue;

/// What is an atomic word, and nothing else.
///
/// # Safety
/// The type is `repr(transparent)` over an `AtomicU64`, and any word is one of it that is written as one.
pub unsafe trait Word {}

// SAFETY: it is one.
unsafe impl Word for AtomicU64 {}
// SAFETY: transparent over one.
unsafe impl Word for AtomicValue {}

/// Some of an `Iseq`'s words: their address first. It lives as long as the `Iseq`, in which alone it lies.
#[repr(C)]
pub struct Words<T: Word> {
    at: *const T,
    len: usize,
    of: PhantomData<T>,
}

impl<T: Word> Words<T> {
    /// Those of `all` in `range`.
    ///
    /// # Safety
    /// `all` stays in place as long as this lives, and `range` has been made for words of this type.
    pub(super) unsafe fn new(all: &[AtomicU64], range: Range<usize>) -> Words<T> {
        let words = &all[range];
        Words { at: words.as_ptr().cast(), len: words.len(), of: PhantomData }
    }
}

impl<T: Word> Deref for Words<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `new`'s contract, and `Word`'s.
        unsafe { std::slice::from_raw_parts(self.at, self.len) }
    }
}

/// Lays words out.
#[derive(Default)]
pub(super) struct Room(pub(super) Vec<AtomicU64>);

impl Room {
    /// Room for `n` words that all are `word`.
    pub(super) fn take(&mut self, n: usize, word: u64) -> Range<usize> {
        let first = self.0.len();
        self.0.extend((0..n).map(|_| AtomicU64::new(word)));
        first..self.0.len()
    }
}
