//! `--race-report` and `RubyVM.races`: finds accesses to one variable, element or key that nothing orders, by vector clocks.
//!
//! While it is on, threads run by a table of handlers that note accesses before they execute them (`access.rs`), and what orders
//! threads takes part by [`Ec::race_release`], before others can go on, and [`Ec::race_acquire`], after the wait. While it is off, a
//! wait costs the load of a word, and nothing else is different.
//!
//! What is remembered is forgotten when its object dies (`Vm`'s `clear_weak`), or when it becomes too much: then a race
//! may not be told, but none is told that is none.

mod access;
mod methods;
mod noted_stacks;
mod tell;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_heap::POLL_INTERRUPT;
use asterism_object::Value;
use asterism_races::actions::Actions;
use asterism_races::clock::Clock;
use asterism_races::detector::{Detector, OfThread, Races, Recent};
use asterism_races::report::Report;
pub use asterism_races::report::Side;
use asterism_races::shadow::WordMap;

use crate::ec::Ec;

pub(crate) use access::{is_noted, may_access, note};

/// Stands for the definitions of the VM in the table of what orders threads. No address is odd.
const DEFINITIONS: u64 = 1;

/// Stands for what all sockets carry: which of them are two ends of one connection nobody says.
const CONNECTIONS: u64 = 3;

impl Ec {
    /// What the running thread has of the detector that is on.
    #[inline(always)]
    fn races(&mut self) -> Option<&mut OfThread> {
        let generation = self.vm().races.generation();
        if generation & 1 == 0 {
            return None;
        }
        if self.thread.races.as_ref().is_none_or(|races| races.generation != generation) {
            self.take_part_in_races(generation)?;
        }
        self.thread.races.as_deref_mut()
    }

    /// The running thread takes part in the detector that is on.
    #[cold]
    fn take_part_in_races(&mut self, generation: u64) -> Option<()> {
        let detector = self.vm().races.detector()?;
        let thread = self.thread.handle.clone();
        let name = tell::thread_name(self, &thread);
        let mut clock = Clock::default();
        detector.acquire(self.thread.object.bits(), &mut clock);
        let entered = detector.enter(&clock, &name);
        if let Some((number, from)) = entered {
            clock.set(number, from);
        }
        let number = entered.map(|(number, _)| number);
        self.thread.races = Some(Box::new(OfThread {
            generation,
            detector,
            number,
            clock,
            recent: Recent::default(),
            actions: Actions::default(),
            stacks: WordMap::default(),
            definitions: 0,
            muted: 0,
            forgotten: 0,
            updating: None,
        }));
        Some(())
    }

    /// Says that what this thread has done until now comes before what others do after they acquire `sync`: to be called before they
    /// can go on.
    #[inline]
    pub fn race_release(&mut self, sync: Value) {
        if self.vm().races.is_on() {
            self.race_release_of(sync.bits());
        }
    }

    /// Says that what others have done before they released `sync` comes before what this thread does now.
    #[inline]
    pub fn race_acquire(&mut self, sync: Value) {
        if self.vm().races.is_on() {
            self.race_acquire_of(sync.bits());
        }
    }

    /// As `race_release`, of what is no object: it is known by its address.
    #[inline]
    pub fn race_release_at<T>(&mut self, sync: &T) {
        if self.vm().races.is_on() {
            self.race_release_of(std::ptr::from_ref(sync) as u64 | 1);
        }
    }

    /// As `race_acquire`, of what is no object.
    #[inline]
    pub fn race_acquire_at<T>(&mut self, sync: &T) {
        if self.vm().races.is_on() {
            self.race_acquire_of(std::ptr::from_ref(sync) as u64 | 1);
        }
    }

    /// As `race_release`, of what is written to a pipe that is known by the number of its inode, or to a socket (`None`).
    #[cold]
    pub fn race_release_stream(&mut self, inode: Option<u64>) {
        self.race_release_of(inode.map_or(CONNECTIONS, |inode| inode << 1 | 1));
    }

    /// As `race_acquire`, of what was read.
    #[cold]
    pub fn race_acquire_stream(&mut self, inode: Option<u64>) {
        self.race_acquire_of(inode.map_or(CONNECTIONS, |inode| inode << 1 | 1));
    }

    #[cold]
    fn race_release_of(&mut self, sync: u64) {
        let Some(races) = self.races() else { return };
        races.end_update();
        races.detector.release(sync, &races.clock);
        if sync == DEFINITIONS {
            races.definitions = races.detector.definitions.fetch_add(1, Ordering::AcqRel) + 1;
        }
        races.tick();
    }

    #[cold]
    fn race_acquire_of(&mut self, sync: u64) {
        let Some(races) = self.races() else { return };
        races.detector.acquire(sync, &mut races.clock);
    }

    /// Something is about to be defined: who uses it comes behind this.
    #[inline]
    pub fn race_define(&mut self) {
        if self.vm().races.is_on() {
            self.race_release_of(DEFINITIONS);
        }
    }

    /// Something that was defined is used.
    #[inline]
    pub fn race_use(&mut self) {
        if self.vm().races.is_on() {
            self.race_use_definitions();
        }
    }

    #[cold]
    fn race_use_definitions(&mut self) {
        let Some(races) = self.races() else { return };
        let now = races.detector.definitions.load(Ordering::Acquire);
        if races.definitions != now {
            races.definitions = now;
            self.race_acquire_of(DEFINITIONS);
        }
    }

    /// Runs `body`, whose accesses are not noted: a finalizer's, which nobody orders.
    pub fn race_muted<R>(&mut self, body: impl FnOnce(&mut Ec) -> R) -> R {
        let generation = self.races().map(|races| {
            races.muted += 1;
            races.generation
        });
        let result = body(self);
        if let (Some(generation), Some(races)) = (generation, self.thread.races.as_deref_mut())
            && races.generation == generation
        {
            races.muted -= 1;
        }
        result
    }

    /// A thread has ended. Who has acquired it may have its number.
    pub(crate) fn race_end(&mut self) {
        let thread = self.thread.object;
        self.race_release(thread);
        let Some(races) = self.thread.races.take() else { return };
        if let Some(number) = races.number
            && let Some(entry) = races.detector.threads.lock().get_mut(number as usize)
        {
            // Its last release was before its last tick.
            entry.ended = Some(races.clock.of(number).saturating_sub(1));
        }
    }

    /// At a poll: runs noting accesses from now on, or not any more.
    pub(crate) fn watch_races(&mut self) {
        let on = self.vm().races.is_on();
        if on != self.thread.notes_races {
            self.thread.notes_races = on;
            // Handlers under way go on by the table they have until they return to their loop.
            self.state().set_poll(POLL_INTERRUPT);
        }
        if !on {
            self.thread.races = None;
        }
    }

    /// `--race-report`: looks for races from the VM's second thread on.
    pub(crate) fn await_threads_for_races(&mut self) {
        self.vm().races.awaits_threads.store(true, Ordering::Relaxed);
        self.thread.awaits_threads = true;
    }

    /// Another thread is about to be made: from now on it makes a difference what comes first.
    #[inline]
    pub(crate) fn races_before_thread(&mut self) {
        if self.vm().races.awaits_threads.load(Ordering::Relaxed) {
            self.begin_race_report();
        }
    }

    #[cold]
    fn begin_race_report(&mut self) {
        let vm = self.vm_arc();
        if vm.races.awaits_threads.swap(false, Ordering::Relaxed) {
            self.thread.awaits_threads = false;
            self.begin_races(true);
        }
    }

    /// Begins to look for races; `false`: it has been begun before.
    pub fn start_races(&mut self) -> bool {
        !self.vm().races.awaits_threads.load(Ordering::Relaxed) && self.begin_races(false)
    }

    /// Begins, with a detector that writes what it finds if it `prints`.
    fn begin_races(&mut self, prints: bool) -> bool {
        let vm = self.vm_arc();
        // What was noted once is not compiled any more.
        vm.gate.close();
        self.change_races(|races| {
            if races.is_on() {
                return false;
            }
            *races.current.lock() = Some(Detector::new(prints));
            races.generation.fetch_add(1, Ordering::Release);
            true
        })
    }

    /// Ends what `start_races` has begun: the races that were found.
    pub fn stop_races(&mut self) -> Vec<Arc<Report>> {
        self.change_races(|races| {
            let Some(detector) = races.current.lock().take() else { return Vec::new() };
            races.generation.fetch_add(1, Ordering::Release);
            detector.found.lock().take()
        })
    }

    /// Changes what is noted while all threads stand still, so that no order is missed; they notice at their next poll.
    fn change_races<R>(&mut self, change: impl FnOnce(&Races) -> R) -> R {
        let vm = self.vm_arc();
        let heap = self.heap().clone();
        let changed = heap.stop_the_world(self, |_| change(&vm.races));
        vm.threads.with_list(|list| {
            for thread in list {
                thread.interrupt(crate::thread::interrupt::RACES);
            }
        });
        self.watch_races();
        changed
    }

    /// Loops around the one that has ended may have begun before accesses were noted: they return at the next poll.
    #[inline(always)]
    pub(crate) fn pass_races_on(&self) {
        if self.thread.notes_races && !self.vm().options.race_report {
            self.state().set_poll(POLL_INTERRUPT);
        }
    }
}
