//! `World`: the attached threads of one heap, and stopping them.
//!
//! To stop the world is to put a STOP hold on every thread's status word and to wait for those that were Running then.
//! A thread that is asked at a safepoint enters a blocking region in which it does nothing, or helps the thread that
//! stopped it. The thread that stops is itself Blocked all the time, so that two of them do not wait for each other.

use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(not(loom))]
use crate::baton::Baton;
use crate::give_way::{self, GiveWay};
use crate::in_c::Suspender;
use crate::ranks::{self, Rank};
use crate::sync::{Condvar, Mutex, MutexGuard, Ordering};
use crate::thread::{BLOCKED, POLL_STOP, STOP, ThreadState};

/// How long a stop waits before it asks threads that compute for their processors, when there seem to be enough.
const PATIENCE: Duration = Duration::from_micros(200);
/// How long until it asks again.
const AGAIN: Duration = Duration::from_millis(1);
/// How long until it looks whether a thread has been suspended in C.
const SOON: Duration = Duration::from_micros(20);

/// Work that threads which stand still may help with. Each call works until there is nothing left to do.
pub type Job = Arc<dyn Fn() + Send + Sync>;

/// What is protected by the world's lock.
struct Inner {
    threads: Vec<Arc<ThreadState>>,
    /// A thread stops the world, or has stopped it.
    stopping: bool,
    /// Threads that were Running when the world was to stop and are not Blocked yet.
    pending: usize,
    /// What helpers can do, and how many more may join.
    job: Option<(Job, usize)>,
    /// Helpers at work.
    helping: usize,
    /// Threads that wait for the end of a stop to run. The next stop waits for them to have left: collections in a row
    /// would otherwise let none of them wake up in between.
    returning: usize,
    /// Helper threads waiting for a job.
    helpers_waiting: usize,
    /// Helper threads are to end.
    shutdown: bool,
}

/// The threads attached to one heap.
pub struct World {
    inner: Mutex<Inner>,
    /// The last Running thread has stopped, or the last helper is done.
    quiet: Condvar,
    /// The world runs again, or there is a job for those who stand still.
    changed: Condvar,
    /// There is a job for helper threads.
    helpers: Condvar,
    /// Asks threads in blocking regions for their processors.
    give_way: GiveWay,
    /// With it, one thread runs at a time.
    #[cfg(not(loom))]
    baton: Option<Baton>,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// No threads.
    #[must_use]
    pub fn new() -> Self {
        Self {
            inner: Mutex::new(Inner {
                threads: Vec::new(),
                stopping: false,
                pending: 0,
                returning: 0,
                job: None,
                helping: 0,
                helpers_waiting: 0,
                shutdown: false,
            }),
            quiet: Condvar::new(),
            changed: Condvar::new(),
            helpers: Condvar::new(),
            give_way: GiveWay::default(),
            #[cfg(not(loom))]
            baton: None,
        }
    }

    /// The same; its threads run one at a time.
    #[cfg(not(loom))]
    #[must_use]
    pub(crate) fn with_turns() -> Self {
        Self { baton: Some(Baton::default()), ..Self::new() }
    }

    /// What a thread that runs has, if one runs at a time.
    #[cfg(not(loom))]
    #[inline]
    pub(crate) fn baton(&self) -> Option<&Baton> {
        self.baton.as_ref()
    }

    /// Adds a thread, which is Running from here on. Waits out a stop.
    pub fn attach(&self, thread: &Arc<ThreadState>) {
        let _rank = ranks::acquire(Rank::World);
        let mut inner = self.inner.lock();
        inner.returning += 1;
        let mut inner = self.wait_for_run(inner);
        inner.threads.push(Arc::clone(thread));
        self.returned(&mut inner);
    }

    /// Removes a thread, which must be Blocked; runs `last` with the world held back from stopping. The thread stays
    /// Blocked for ever, so that a claim that still finds it acts on its behalf.
    pub fn detach<R>(&self, thread: &Arc<ThreadState>, last: impl FnOnce() -> R) -> R {
        let _rank = ranks::acquire(Rank::World);
        let mut inner = self.wait_for_run(self.inner.lock());
        inner.threads.retain(|other| !Arc::ptr_eq(other, thread));
        last()
    }

    /// A waiting thread runs.
    fn returned(&self, inner: &mut Inner) {
        inner.returning -= 1;
        if inner.returning == 0 {
            self.quiet.notify_all();
        }
    }

    fn wait_for_run<'a>(&self, mut inner: MutexGuard<'a, Inner>) -> MutexGuard<'a, Inner> {
        while inner.stopping {
            inner = self.changed.wait(inner);
        }
        inner
    }

    /// Stops every other thread. `me` must be Blocked. Waits until another thread's stop is over.
    pub fn stop<'a>(&'a self, me: &ThreadState) -> StoppedThreads<'a> {
        debug_assert!(me.is_blocked());
        let _rank = ranks::acquire(Rank::World);
        let mut inner = self.wait_for_run(self.inner.lock());
        while inner.returning > 0 {
            inner = self.quiet.wait(inner);
            inner = self.wait_for_run(inner);
        }
        inner.stopping = true;
        let asked = Instant::now();
        let mut pending = 0;
        for thread in &inner.threads {
            if std::ptr::eq(&raw const **thread, me) {
                continue;
            }
            let old = thread.status.fetch_or(STOP, Ordering::AcqRel);
            if old & BLOCKED == 0 {
                pending += 1;
                thread.set_poll(POLL_STOP);
            }
        }
        inner.pending = pending;
        if pending > 0 {
            inner = self.wait_for_pending(inner, asked);
        }
        let threads = inner.threads.clone();
        drop(inner);
        StoppedThreads { world: self, threads, asked }
    }

    /// Waits until all threads have stopped. They may need the processors of those that compute.
    fn wait_for_pending<'a>(&'a self, mut inner: MutexGuard<'a, Inner>, asked: Instant) -> MutexGuard<'a, Inner> {
        let computing = inner.threads.iter().filter(|thread| thread.native().is_computing()).count();
        let crowded = computing > 0 && inner.pending + computing >= give_way::processors();
        let mut until = if crowded { asked } else { asked + PATIENCE };
        let mut suspender = Suspender::default();
        while inner.pending > 0 {
            if Instant::now() >= until {
                inner.threads.iter().for_each(|thread| suspender.look_at(thread));
                self.give_way.ask(inner.threads.iter().map(|thread| thread.native()).filter(|n| n.is_computing()));
                until = Instant::now() + if suspender.has_signalled() { SOON } else { AGAIN };
            }
            inner = self.quiet.wait_until(inner, until);
            inner.pending -= inner.threads.iter().filter(|thread| thread.count_suspended()).count();
        }
        self.give_way.over();
        inner
    }

    /// Runs `f`, during which the calling thread, which is Blocked, may be asked to leave its processor to others for a
    /// moment.
    pub(crate) fn computing<R>(&self, me: &ThreadState, f: impl FnOnce() -> R) -> R {
        self.give_way.computing(me.native(), f)
    }

    fn resume(&self, threads: &[Arc<ThreadState>]) {
        let _rank = ranks::acquire(Rank::World);
        let mut inner = self.inner.lock();
        debug_assert!(inner.stopping && inner.helping == 0);
        for thread in threads {
            // The poll bit first: a thread that runs again must not find a stale one.
            thread.clear_poll(POLL_STOP);
            thread.take_hold_off(STOP);
        }
        inner.stopping = false;
        drop(inner);
        self.changed.notify_all();
    }

    /// Called by a thread that became Blocked and saw a STOP hold that was waiting for it.
    #[cold]
    pub(crate) fn note_stopped(&self) {
        let _rank = ranks::acquire(Rank::World);
        let mut inner = self.inner.lock();
        inner.pending -= 1;
        if inner.pending == 0 {
            self.quiet.notify_all();
        }
    }

    /// Called by a Blocked thread that wants to run: waits until the STOP hold is off, and helps meanwhile.
    #[cold]
    pub(crate) fn wait_while_stopped(&self, me: &ThreadState) {
        let mut rank = ranks::acquire(Rank::World);
        let mut inner = self.inner.lock();
        inner.returning += 1;
        while me.status.load(Ordering::Acquire) & STOP != 0 {
            match Self::take_job(&mut inner) {
                Some(job) => {
                    drop(inner);
                    drop(rank);
                    job();
                    drop(job);
                    rank = ranks::acquire(Rank::World);
                    inner = self.inner.lock();
                    self.job_done(&mut inner);
                }
                None => inner = self.changed.wait(inner),
            }
        }
        self.returned(&mut inner);
        drop(inner);
        drop(rank);
    }

    fn take_job(inner: &mut Inner) -> Option<Job> {
        let (job, places) = inner.job.as_mut()?;
        if *places == 0 {
            return None;
        }
        *places -= 1;
        let job = Arc::clone(job);
        inner.helping += 1;
        Some(job)
    }

    fn job_done(&self, inner: &mut Inner) {
        inner.helping -= 1;
        if inner.helping == 0 {
            self.quiet.notify_all();
        }
    }

    /// The life of a helper thread: waits for jobs until `shut_down`.
    pub fn help(&self) {
        let mut rank = ranks::acquire(Rank::World);
        let mut inner = self.inner.lock();
        while !inner.shutdown {
            match Self::take_job(&mut inner) {
                Some(job) => {
                    drop(inner);
                    drop(rank);
                    job();
                    drop(job);
                    rank = ranks::acquire(Rank::World);
                    inner = self.inner.lock();
                    self.job_done(&mut inner);
                }
                None => {
                    inner.helpers_waiting += 1;
                    inner = self.helpers.wait(inner);
                    inner.helpers_waiting -= 1;
                }
            }
        }
        drop(inner);
        drop(rank);
    }

    /// Ends the helper threads.
    pub fn shut_down(&self) {
        let _rank = ranks::acquire(Rank::World);
        self.inner.lock().shutdown = true;
        self.helpers.notify_all();
    }

    /// What time does for who stops the world: it looks at the threads again.
    #[cfg(loom)]
    pub fn look_again_for_model(&self) {
        let _inner = self.inner.lock();
        self.quiet.notify_all();
    }

    /// In a process that was forked while the calling thread had stopped the world: it is the only one. The world stays stopped
    /// until the guard of the stop is dropped.
    #[cfg(not(loom))]
    pub(crate) fn forget_others(&self, me: &Arc<ThreadState>) {
        let _rank = ranks::acquire(Rank::World);
        let mut inner = self.inner.lock();
        inner.threads = vec![Arc::clone(me)];
        inner.pending = 0;
        inner.returning = 0;
        inner.job = None;
        inner.helping = 0;
        inner.helpers_waiting = 0;
        if let Some(baton) = &self.baton {
            baton.forget_all();
        }
    }

    /// How many threads are attached.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        let _rank = ranks::acquire(Rank::World);
        self.inner.lock().threads.len()
    }

    /// Whether a thread stops the world or has stopped it.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        let _rank = ranks::acquire(Rank::World);
        self.inner.lock().stopping
    }
}

/// Proof that the world is stopped: no thread other than the one that has this touches a Ruby object.
#[cfg(not(loom))]
#[derive(Debug)]
pub struct StoppedWorld<'a> {
    pub(crate) threads: &'a StoppedThreads<'a>,
}

/// The world stands still as long as this lives.
#[derive(Debug)]
pub struct StoppedThreads<'a> {
    world: &'a World,
    threads: Vec<Arc<ThreadState>>,
    asked: Instant,
}

impl StoppedThreads<'_> {
    /// When the threads were asked to stop.
    #[must_use]
    pub fn asked(&self) -> Instant {
        self.asked
    }

    /// The attached threads, the stopping one included.
    #[must_use]
    pub fn threads(&self) -> &[Arc<ThreadState>] {
        &self.threads
    }

    /// Lets up to `places` threads that stand still join `job`, calls it here too, and returns when all have left it.
    pub fn with_helpers(&self, job: &Job, places: usize) {
        {
            let _rank = ranks::acquire(Rank::World);
            self.world.inner.lock().job = Some((Arc::clone(job), places));
            self.world.changed.notify_all();
            self.world.helpers.notify_all();
        }
        job();
        let _rank = ranks::acquire(Rank::World);
        let mut inner = self.world.inner.lock();
        inner.job = None;
        while inner.helping > 0 {
            inner = self.world.quiet.wait(inner);
        }
    }
}

impl Drop for StoppedThreads<'_> {
    fn drop(&mut self) {
        self.world.resume(&self.threads);
    }
}
