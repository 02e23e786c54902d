//! Model: stamped caches. After a change of a class nobody finds what was there before, whoever fills the cache meanwhile.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::stamp;
use loom::sync::Mutex;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

fn model(preemptions: usize, f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(f);
}

/// An immutable cell: a stamp and a method.
#[derive(Default)]
struct Cell([AtomicU64; 2]);

struct World {
    stamp: AtomicU64,
    given: AtomicU64,
    /// The class's method, under the class lock.
    method: AtomicU64,
    class_lock: Mutex<()>,
    /// One call site, and the cells it can lead to: each is filled once.
    site: AtomicU64,
    cells: Vec<Cell>,
    used: AtomicU64,
    /// The last redefinition that was finished.
    finished: AtomicU64,
}

impl World {
    fn new() -> Arc<World> {
        Arc::new(World {
            stamp: AtomicU64::new(0),
            given: AtomicU64::new(0),
            method: AtomicU64::new(1),
            class_lock: Mutex::new(()),
            site: AtomicU64::new(0),
            cells: (0..6).map(|_| Cell::default()).collect(),
            used: AtomicU64::new(0),
            finished: AtomicU64::new(1),
        })
    }

    /// What the site calls. Everything finished before the call holds.
    fn call(&self) -> u64 {
        let least = self.finished.load(Ordering::Acquire);
        let now = stamp::current(&self.stamp);
        let cell = stamp::published(&self.site);
        let mut found = 0;
        if cell != 0 && now != 0 {
            let [serial, method] = &self.cells[cell as usize - 1].0;
            if serial.load(Ordering::Relaxed) == now {
                found = method.load(Ordering::Relaxed);
            }
        }
        if found == 0 {
            let serial = stamp::ensure(&self.stamp, || self.given.fetch_add(1, Ordering::Relaxed) + 1);
            found = self.method.load(Ordering::Acquire);
            let mine = self.used.fetch_add(1, Ordering::Relaxed);
            let cell = &self.cells[mine as usize].0;
            cell[0].store(serial, Ordering::Relaxed);
            cell[1].store(found, Ordering::Relaxed);
            stamp::publish(&self.site, mine + 1);
        }
        assert!(found >= least, "called {found} after {least} was defined");
        found
    }

    fn define(&self, method: u64) {
        let _lock = self.class_lock.lock().unwrap();
        self.method.store(method, Ordering::Release);
        stamp::clear(&self.stamp);
        self.finished.store(method, Ordering::Release);
    }
}

/// One thread redefines and calls while another one fills the cache.
#[test]
fn an_entry_made_during_a_change_never_matches() {
    model(3, || {
        let world = World::new();
        let theirs = Arc::clone(&world);
        let thread = thread::spawn(move || {
            theirs.call();
            theirs.call();
        });
        world.define(2);
        assert_eq!(world.call(), 2);
        thread.join().unwrap();
        assert_eq!(world.call(), 2);
    });
}

/// Two fill the cache while a third one redefines.
#[test]
fn whoever_fills_it_last() {
    model(2, || {
        let world = World::new();
        let threads = [(), ()].map(|()| {
            let theirs = Arc::clone(&world);
            thread::spawn(move || {
                theirs.call();
            })
        });
        world.define(2);
        assert_eq!(world.call(), 2);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(world.call(), 2);
    });
}
