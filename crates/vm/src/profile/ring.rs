//! What a signal handler notes, and a thread that is not interrupted reads: a ring of words.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Words of a ring: some seconds of a thread's samples, if its stacks are not deep. Pages are taken when they are written.
const WORDS: usize = 1 << 16;

/// One writer, one reader at a time. The writer is the signal handler of one thread, which no other signal of the kind interrupts; the
/// readers hold a lock of their own.
pub(super) struct Ring {
    words: Box<[AtomicU64]>,
    /// How many words were ever written. Stored by the writer.
    written: AtomicUsize,
    /// How many were ever read. Stored by the reader.
    read: AtomicUsize,
}

impl Ring {
    pub(super) fn new() -> Ring {
        let words = vec![0_u64; WORDS].into_boxed_slice();
        // SAFETY: the two types have the same layout, and the box is nobody else's.
        let words = unsafe { Box::from_raw(Box::into_raw(words) as *mut [AtomicU64]) };
        Ring { words, written: AtomicUsize::new(0), read: AtomicUsize::new(0) }
    }

    /// Appends a record by what `fill` puts into the room there is, which says how many words that are. Nothing happens if there is
    /// less than `least`; whether there was.
    pub(super) fn write(&self, least: usize, fill: impl FnOnce(&mut Room<'_>)) -> bool {
        let at = self.written.load(Ordering::Relaxed);
        let left = WORDS - (at - self.read.load(Ordering::Acquire));
        if left < least {
            return false;
        }
        let mut room = Room { ring: self, at, end: at + left };
        fill(&mut room);
        self.written.store(room.at, Ordering::Release);
        true
    }

    /// Takes what was written.
    pub(super) fn read(&self, into: &mut Vec<u64>) {
        let (from, to) = (self.read.load(Ordering::Relaxed), self.written.load(Ordering::Acquire));
        into.extend((from..to).map(|i| self.words[i % WORDS].load(Ordering::Relaxed)));
        self.read.store(to, Ordering::Release);
    }
}

/// Room for a record.
pub(super) struct Room<'r> {
    ring: &'r Ring,
    at: usize,
    end: usize,
}

impl Room<'_> {
    /// How many words more fit.
    pub(super) fn left(&self) -> usize {
        self.end - self.at
    }

    /// Appends a word, for which there is room, and says where it lies.
    pub(super) fn push(&mut self, word: u64) -> usize {
        let at = self.at;
        self.ring.words[at % WORDS].store(word, Ordering::Relaxed);
        self.at += 1;
        at
    }

    /// Appends the words of a frame, for which there is room.
    pub(super) fn frame(&mut self, words: [u64; 3]) {
        for word in words {
            self.push(word);
        }
    }

    /// Changes a word of this record.
    pub(super) fn set(&mut self, at: usize, word: u64) {
        self.ring.words[at % WORDS].store(word, Ordering::Relaxed);
    }
}
