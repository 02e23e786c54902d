//! Handing work to idle native threads: a pool of slots, each the place where one idle thread waits for its next job.
//!
//! A thread becomes idle by putting its slot on the pool's list; whoever has a job takes a slot off the list and leaves
//! the job in it. Being on the list is what makes a slot anybody's: a thread that gives up waiting takes itself off
//! first, and when somebody was faster it waits on, for the job that is certain to come. So no job is lost or doubled.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sync::{Condvar, Mutex};

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
}

impl<T> Slot<T> {
    /// Without a job.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new(Self { place: Mutex::new(Place { job: None, closed: false }), changed: Condvar::new() })
    }

    fn give(&self, job: T) {
        self.place.lock().job = Some(job);
        self.changed.notify_one();
    }

    /// Waits for a job until the deadline or until the pool is closed.
    fn take(&self, deadline: Option<Instant>) -> Option<T> {
        let mut place = self.place.lock();
        loop {
            if let Some(job) = place.job.take() {
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
}

impl<T> Pool<T> {
    /// Keeps at most `most` idle threads.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { idle: Mutex::new(Idle { slots: VecDeque::new(), closed: false }), most }
    }

    /// Gives the job to an idle thread.
    ///
    /// # Errors
    /// The job, if no thread is idle: it needs a new one.
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
            slot.place.lock().closed = true;
            slot.changed.notify_one();
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
