//! A few words that are read together, without a lock: a sequence lock, whose readers do not wait.
//! H.-J. Boehm, "Can Seqlocks Get Along With Programming Language Memory Models?" (MSPC 2012), has the order of its loads and stores.

use crate::sync::{AtomicU64, Ordering, fence};

/// `N` words. Who reads them sees all of one write, or learns that it has not.
#[derive(Debug)]
pub struct Versioned<const N: usize> {
    /// Odd while the words are written; 0 until they are written first.
    version: AtomicU64,
    words: [AtomicU64; N],
}

impl<const N: usize> Default for Versioned<N> {
    fn default() -> Versioned<N> {
        Versioned { version: AtomicU64::new(0), words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }
}

impl<const N: usize> Versioned<N> {
    /// The words; `None` if there are none yet, or if they are being written: then they can be had with the writers' lock.
    #[inline]
    pub fn read(&self) -> Option<[u64; N]> {
        let version = self.version.load(Ordering::Acquire);
        if version == 0 || version & 1 == 1 {
            return None;
        }
        let words = self.load();
        // Who has seen a word of a later write sees here that there is one.
        fence(Ordering::Acquire);
        (self.version.load(Ordering::Relaxed) == version).then_some(words)
    }

    /// The same for who holds the lock under which they are written: `None` if there are none yet.
    pub fn read_locked(&self) -> Option<[u64; N]> {
        self.is_written().then(|| self.load())
    }

    /// Have they been written?
    pub fn is_written(&self) -> bool {
        self.version.load(Ordering::Acquire) != 0
    }

    /// Writes them. One thread does at a time.
    #[inline]
    pub fn write(&self, words: [u64; N]) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        for (place, word) in self.words.iter().zip(words) {
            place.store(word, Ordering::Relaxed);
        }
        self.version.store(version + 2, Ordering::Release);
    }

    /// With these words from the start.
    #[inline]
    pub fn new(words: [u64; N]) -> Versioned<N> {
        Versioned { version: AtomicU64::new(2), words: words.map(AtomicU64::new) }
    }

    #[inline]
    fn load(&self) -> [u64; N] {
        std::array::from_fn(|i| self.words[i].load(Ordering::Relaxed))
    }
}
