//! Handing work to idle native threads: a pool of slots, each the place where one idle thread waits for its next job.
//!
//! A thread becomes idle by putting its slot on the pool's list; whoever has a job takes a slot off the list and leaves
//! the job in it. Being on the list is what makes a slot anybody's: a thread that gives up waiting takes itself off
//! first, and when somebody was faster it waits on, for the job that is certain to come. So no job is lost or doubled.
//!
//! Before it sleeps, a thread spins for a moment if that has been of use lately: whoever makes threads one after the other need
//! wake none.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::give_way::processors;
use crate::patience::{Patience, SPIN, watch};
use crate::sync::{AtomicU32, Condvar, Mutex, Ordering};

/// What is protected by a slot's lock.
#[derive(Debug)]
struct Place<T> {
    job: Option<T>,
    closed: bool,
}

/// Where one idle thread waits.
#[derive(Debug)]
pub struct Slot<T> {
    place: Mutex<Place<T>>,
    changed: Condvar,
    /// Something was done to the place: only a hint, for who spins.
    touched: AtomicU32,
}

impl<T> Slot<T> {
    /// Without a job.
    #[must_use]
    pub fn new() -> Arc<Self> {
        let place = Mutex::new(Place { job: None, closed: false });
        Arc::new(Self { place, changed: Condvar::new(), touched: AtomicU32::new(0) })
    }

    fn give(&self, job: T) {
        self.place.lock().job = Some(job);
        self.touch();
    }

    fn close(&self) {
        self.place.lock().closed = true;
        self.touch();
    }

    fn touch(&self) {
        self.touched.store(1, Ordering::Release);
        self.changed.notify_one();
    }

    /// Spins until there is something, if that has been of use lately.
    fn spin(&self, patience: &Patience) {
        if processors() > 1 && patience.may_spin() {
            let found = watch(Instant::now() + SPIN, || self.touched.load(Ordering::Acquire) != 0);
            patience.has_spun(found);
        }
    }

    /// Waits for a job until the deadline or until the pool is closed.
    fn take(&self, deadline: Option<Instant>) -> Option<T> {
        let mut place = self.place.lock();
        loop {
            if let Some(job) = place.job.take() {
                self.touched.store(0, Ordering::Relaxed);
                return Some(job);
            }
            if place.closed {
                return None;
            }
            match deadline {
                None => place = self.changed.wait(place),
                Some(deadline) if Instant::now() >= deadline => return None,
                Some(deadline) => place = self.changed.wait_until(place, deadline),
            }
        }
    }
}

/// What is protected by the pool's lock.
#[derive(Debug)]
struct Idle<T> {
    /// The one that became idle last is at the back, and taken first: its memory is warm.
    slots: VecDeque<Arc<Slot<T>>>,
    closed: bool,
}

/// The idle threads of one VM.
#[derive(Debug)]
pub struct Pool<T> {
    idle: Mutex<Idle<T>>,
    most: usize,
    patience: Patience,
}

impl<T> Pool<T> {
    /// Keeps at most `most` idle threads.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { idle: Mutex::new(Idle { slots: VecDeque::new(), closed: false }), most, patience: Patience::new() }
    }

    /// Gives the job to an idle thread.
    ///
    /// # Errors
    /// The job itself, if no thread is idle: it needs a new one.
    pub fn submit(&self, job: T) -> Result<(), T> {
        let slot = self.idle.lock().slots.pop_back();
        match slot {
            Some(slot) => {
                slot.give(job);
                Ok(())
            }
            None => Err(job),
        }
    }

    /// The thread of `slot` is idle: waits for its next job. `None`: it is to end.
    pub fn wait(&self, slot: &Arc<Slot<T>>, patience: Option<Duration>) -> Option<T> {
        {
            let mut idle = self.idle.lock();
            if idle.closed || idle.slots.len() >= self.most {
                return None;
            }
            idle.slots.push_back(Arc::clone(slot));
        }
        if !cfg!(loom) {
            slot.spin(&self.patience);
        }
        let deadline = patience.and_then(|limit| Instant::now().checked_add(limit));
        if let Some(job) = slot.take(deadline) {
            return Some(job);
        }
        let mut idle = self.idle.lock();
        let listed = idle.slots.iter().position(|other| Arc::ptr_eq(other, slot));
        match listed {
            Some(at) => {
                idle.slots.remove(at);
                None
            }
            None => {
                drop(idle);
                // Somebody has taken the slot: a job comes, or the pool was closed.
                slot.take(None)
            }
        }
    }

    /// Ends all idle threads, and those that become idle from now on.
    pub fn close(&self) {
        let slots = {
            let mut idle = self.idle.lock();
            idle.closed = true;
            std::mem::take(&mut idle.slots)
        };
        for slot in slots {
            slot.close();
        }
    }

    /// In a process that was forked: no thread is idle.
    pub fn forget_all(&self) {
        self.idle.lock().slots.clear();
    }

    /// How many threads are idle.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.idle.lock().slots.len()
    }
}
