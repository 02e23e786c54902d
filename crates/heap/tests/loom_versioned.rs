//! Model: words that are read together. A reader sees all words of one write, or learns that it has not; and nothing older than what it
//! knows to have been written.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::versioned::Versioned;
use loom::sync::Mutex;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

/// The words, the lock of those who write them, and how many writes have ended.
struct World {
    words: Versioned<2>,
    lock: Mutex<()>,
    written: AtomicU64,
}

impl World {
    fn new(words: Versioned<2>) -> Arc<World> {
        Arc::new(World { words, lock: Mutex::new(()), written: AtomicU64::new(0) })
    }

    /// Writes the next number twice.
    fn write(&self) {
        let guard = self.lock.lock().expect("not poisoned");
        let next = self.written.load(Ordering::Relaxed) + 1;
        self.words.write([next, next]);
        self.written.store(next, Ordering::Release);
        drop(guard);
    }

    fn read(&self) {
        let least = self.written.load(Ordering::Acquire);
        match self.words.read() {
            Some([first, second]) => assert!(first == second && first >= least, "{first} {second}, after {least}"),
            // There are none, or somebody writes: those who hold the lock see what there is.
            None => {
                let guard = self.lock.lock().expect("not poisoned");
                let now = self.written.load(Ordering::Relaxed);
                assert_eq!(self.words.read_locked(), (now > 0).then_some([now, now]));
                drop(guard);
            }
        }
    }
}

#[test]
fn all_of_one_write_is_seen() {
    loom::model(|| {
        let world = World::new(Versioned::default());
        let writer = world.clone();
        let writer = thread::spawn(move || {
            writer.write();
            writer.write();
        });
        world.read();
        world.read();
        writer.join().expect("it ends");
        assert_eq!(world.words.read(), Some([2, 2]));
    });
}

#[test]
fn two_writers_take_turns() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let world = World::new(Versioned::new([0, 0]));
        let writers: Vec<_> = (0..2)
            .map(|_| {
                let writer = world.clone();
                thread::spawn(move || writer.write())
            })
            .collect();
        match world.words.read() {
            Some([first, second]) => assert_eq!(first, second),
            None => assert!(world.words.is_written()),
        }
        for writer in writers {
            writer.join().expect("it ends");
        }
        assert_eq!(world.words.read(), Some([2, 2]));
    });
}
