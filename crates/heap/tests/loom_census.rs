//! Model: the census of waiting threads. Nobody who will be woken is reported, and a deadlock is found.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::{Census, Stuck, Waiter};
use loom::sync::Mutex;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

/// A thread, and those that wait for its end, as `join` has it.
struct Thread {
    stuck: Stuck,
    waiter: Waiter,
    joiners: Mutex<Joiners>,
    alive: AtomicBool,
}

#[derive(Default)]
struct Joiners {
    ended: bool,
    waiting: Vec<usize>,
}

struct World {
    census: Census,
    threads: Vec<Thread>,
    /// Taken to begin and end threads, and to look closely.
    list: Mutex<()>,
    reported: AtomicBool,
}

impl World {
    fn new(n: usize) -> Arc<World> {
        let thread = |_| Thread {
            stuck: Stuck::new(),
            waiter: Waiter::new(),
            joiners: Mutex::new(Joiners::default()),
            alive: AtomicBool::new(true),
        };
        let world = World {
            census: Census::new(),
            threads: (0..n).map(thread).collect(),
            list: Mutex::new(()),
            reported: AtomicBool::new(false),
        };
        (0..n).for_each(|_| world.census.add());
        Arc::new(world)
    }

    fn check(&self) {
        if !self.census.all_stuck() {
            return;
        }
        let _list = self.list.lock().unwrap();
        let stuck = |t: &Thread| !t.alive.load(Ordering::Relaxed) || t.stuck.is_on();
        if self.census.all_stuck() && self.threads.iter().all(stuck) {
            self.reported.store(true, Ordering::SeqCst);
            // The first thread is the one that is told.
            self.unpark(0);
        }
    }

    fn unpark(&self, i: usize) {
        self.threads[i].stuck.end(&self.census);
        self.threads[i].waiter.notify();
    }

    /// Thread `me` waits for the end of `other`; gives up when a deadlock was reported.
    fn join(&self, me: usize, other: usize) {
        let thread = &self.threads[me];
        loop {
            {
                let mut joiners = self.threads[other].joiners.lock().unwrap();
                if joiners.ended {
                    return;
                }
                thread.waiter.reset();
                thread.stuck.begin(&self.census);
                joiners.waiting.push(me);
            }
            self.check();
            if self.reported.load(Ordering::SeqCst) {
                return;
            }
            thread.waiter.wait(None);
            thread.stuck.end(&self.census);
        }
    }

    fn end(&self, me: usize) {
        let waiting = {
            let mut joiners = self.threads[me].joiners.lock().unwrap();
            joiners.ended = true;
            std::mem::take(&mut joiners.waiting)
        };
        waiting.into_iter().for_each(|i| self.unpark(i));
        {
            let _list = self.list.lock().unwrap();
            self.threads[me].alive.store(false, Ordering::Relaxed);
            self.census.remove();
        }
        self.check();
    }
}

/// `Thread.new {}.join` in a loop reports nothing.
#[test]
fn who_will_be_woken_is_not_reported() {
    model(|| {
        let world = World::new(2);
        let theirs = Arc::clone(&world);
        let thread = thread::spawn(move || theirs.end(1));
        world.join(0, 1);
        assert!(!world.reported.load(Ordering::SeqCst));
        thread.join().unwrap();
        assert!(!world.reported.load(Ordering::SeqCst));
    });
}

/// Two wait for a third one that ends.
#[test]
fn the_last_one_running_may_end() {
    model(|| {
        let world = World::new(3);
        let threads = [1, 2].map(|i| {
            let theirs = Arc::clone(&world);
            thread::spawn(move || {
                if i == 1 {
                    theirs.join(1, 2);
                }
                theirs.end(i);
            })
        });
        world.join(0, 1);
        for thread in threads {
            thread.join().unwrap();
        }
        assert!(!world.reported.load(Ordering::SeqCst));
    });
}

/// Two that wait for each other: one of them finds out.
#[test]
fn a_deadlock_is_reported() {
    model(|| {
        let world = World::new(2);
        let theirs = Arc::clone(&world);
        let thread = thread::spawn(move || {
            theirs.join(1, 0);
        });
        world.join(0, 1);
        // It was told, and ends the other one's wait.
        assert!(world.reported.load(Ordering::SeqCst));
        world.unpark(1);
        thread.join().unwrap();
        assert!(world.reported.load(Ordering::SeqCst));
    });
}

/// One waits for another one that then waits for nobody's wake.
#[test]
fn the_end_of_a_thread_can_leave_a_deadlock() {
    model(|| {
        let world = World::new(3);
        let ending = Arc::clone(&world);
        let ending = thread::spawn(move || ending.end(2));
        let theirs = Arc::clone(&world);
        let waiting = thread::spawn(move || {
            theirs.join(1, 0);
        });
        world.join(0, 1);
        // It was told, and ends the other one's wait.
        assert!(world.reported.load(Ordering::SeqCst));
        world.unpark(1);
        waiting.join().unwrap();
        ending.join().unwrap();
        assert!(world.reported.load(Ordering::SeqCst));
    });
}
