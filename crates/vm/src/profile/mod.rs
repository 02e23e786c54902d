//! The sampling profiler: `--profile` and `RubyVM.profile`.
//!
//! Each thread of a VM that is profiled has a [`sampler`]; a native thread of the profiler's collects what they note, a few times a second.
//! At the end the VM's own thread turns codes and methods into names ([`resolve`]), and adds that to a [`Sink`], which all VMs of a
//! program share.
//!
//! While nobody profiles, nothing of this is there but a word that a thread looks at when it starts and ends.

mod profiler;
mod resolve;
mod ring;
mod sampler;
mod samples;
mod sink;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use asterism_heap::Marker;
use asterism_object::{Value, string};
pub use asterism_support::profile::Format;
use asterism_support::profile::Profile;
use asterism_support::profile::symbols::Symbols;

use crate::ec::Ec;
use crate::iseq::Iseq;
use crate::thread::{RubyThread, Slot};
pub use profiler::Profiler;
pub(crate) use profiler::Watched;
use profiler::{Seen, State};
use sampler::{FRAME, HEAD};
use samples::Sampler;
pub use sink::Sink;

/// How often samples are collected: often enough that a thread's ring does not fill up.
const COLLECT: Duration = Duration::from_millis(40);

impl State {
    /// Takes what the samplers have noted.
    fn collect(&mut self) {
        for seen in self.threads.values_mut() {
            self.buffer.clear();
            seen.sampler.ring.read(&mut self.buffer);
            seen.lost += seen.sampler.take_lost();
            let mut rest = &self.buffer[..];
            while let Some((&[head, instruction], behind)) = rest.split_first_chunk::<HEAD>() {
                let (frames, weight) = ((head & 0xffff_ffff) as usize, (head >> 32) as u32);
                let (frames, behind) = behind.split_at(frames * FRAME);
                rest = behind;
                let mut key = Vec::with_capacity(1 + frames.len());
                key.push(instruction);
                key.extend_from_slice(frames);
                let number = match self.numbers.get(&key[..]) {
                    Some(&number) => number,
                    None => {
                        for frame in frames.chunks_exact(FRAME) {
                            // SAFETY: the code was alive when the sample was taken. A collection since then would have called `trace`, which
                            // takes all samples and keeps what they name.
                            let code = unsafe { (frame[0] as *const Iseq).as_ref() };
                            self.cells.extend(code.map(|iseq| iseq.value().bits()));
                            // SAFETY: the word is a method or nil, as above.
                            let method = unsafe { Value::from_bits(frame[2]) };
                            self.cells.extend(method.is_heap().then_some(frame[2]));
                        }
                        let key = key.into_boxed_slice();
                        self.stacks.push(key.clone());
                        let number = self.stacks.len() as u32 - 1;
                        self.numbers.insert(key, number);
                        number
                    }
                };
                seen.samples.push((number, weight));
            }
        }
    }

    /// Forgets what was seen.
    fn clear(&mut self) {
        self.threads.retain(|_, seen| !seen.ended);
        for seen in self.threads.values_mut() {
            self.buffer.clear();
            seen.sampler.ring.read(&mut self.buffer);
            seen.sampler.take_lost();
            (seen.lost, seen.samples, seen.name) = (0, Vec::new(), None);
        }
        self.stacks = Vec::new();
        self.numbers = HashMap::new();
        self.cells = HashSet::new();
    }
}

impl Profiler {
    /// Marks what the samples name. The world is stopped.
    pub(crate) fn trace(&self, marker: &mut Marker) {
        if self.used.load(Ordering::Acquire) {
            let mut state = self.state.lock();
            state.collect();
            state.cells.iter().for_each(|&cell| marker.mark(cell));
        }
    }

    /// The calling thread, at least, is watched from now on, and samples are collected.
    ///
    /// # Errors
    /// Why not, in words: the VM is profiled already, or the system has no timer or no thread for it.
    fn begin(self: &Arc<Profiler>, period: Duration, me: &RubyThread) -> Result<(), &'static str> {
        let mut state = self.state.lock();
        if self.is_on() {
            return Err("the VM is profiled already");
        }
        state.clear();
        (state.period, state.begun) = (period, Some(Instant::now()));
        self.on.store(true, Ordering::Release);
        if !self.watch(&mut state, me) {
            self.on.store(false, Ordering::Release);
            return Err("the system has no timers of a thread's processor time");
        }
        let weak = Arc::downgrade(self);
        let starting = asterism_lock::gate::starting();
        let collect = move || {
            let _running = starting.begin();
            while let Some(profiler) = weak.upgrade().filter(|profiler| profiler.is_on()) {
                profiler.state.lock().collect();
                drop(profiler);
                std::thread::park_timeout(COLLECT);
            }
        };
        match std::thread::Builder::new().name("profile".into()).spawn(collect) {
            Ok(thread) => state.collector = Some(thread),
            Err(_) => {
                self.on.store(false, Ordering::Release);
                state.threads.values().for_each(|seen| seen.sampler.stop());
                return Err("the system has no thread left");
            }
        }
        Ok(())
    }

    /// A thread runs from now on; called by itself.
    pub(crate) fn started(&self, thread: &RubyThread) {
        if self.is_on() {
            self.watch(&mut self.state.lock(), thread);
        }
    }

    /// Takes samples of a thread, if it runs; whether that could be done.
    fn watch(&self, state: &mut State, thread: &RubyThread) -> bool {
        let (ec, native) = (thread.ec(), thread.native_id.load(Ordering::Relaxed));
        if ec.is_null() || native == 0 || !self.is_on() {
            return true;
        }
        self.used.store(true, Ordering::Release);
        let period = state.period;
        let seen = state.threads.entry(thread.number).or_insert_with(|| Seen {
            sampler: Arc::new(Sampler::new(ec.cast())),
            name: None,
            ended: false,
            lost: 0,
            samples: Vec::new(),
        });
        seen.sampler.start(native, period)
    }

    /// In a process that was forked by the thread with this number: takes no more samples, since the system's timers are the other
    /// process's.
    pub(crate) fn lost_by_fork(&self, me: u64) {
        if !self.used.load(Ordering::Acquire) {
            return;
        }
        self.on.store(false, Ordering::Release);
        let mut state = self.state.lock();
        // There is no thread to be joined.
        std::mem::forget(state.collector.take());
        for (&number, seen) in &mut state.threads {
            seen.sampler.lost_by_fork();
            seen.ended |= number != me;
        }
        state.clear();
    }
}

impl Ec {
    /// Begins to take samples of all threads of the VM, each after so much of its processor time.
    ///
    /// # Errors
    /// Why not, in words: the VM is profiled already, or the system has no timer or no thread for it.
    pub fn start_profile(&mut self, period: Duration) -> Result<(), &'static str> {
        let profiler = self.vm().profiler.clone();
        profiler.begin(period, &self.thread.handle)?;
        self.settle_told_frames();
        for thread in self.vm().threads.living() {
            profiler.watch(&mut profiler.state.lock(), &thread);
        }
        Ok(())
    }

    /// Code that tells its frames is used while the VM is profiled, and in a program that is from its beginning.
    pub(crate) fn settle_told_frames(&mut self) {
        let (profiler, always) = (self.vm().profiler.clone(), self.vm().options.profile.is_some());
        self.tell_frames(|| always || profiler.is_on());
    }

    /// Takes no more samples; what was seen, in a VM with this name. `None` if the VM is not profiled.
    pub fn stop_profile(&mut self, vm: &str) -> Option<Profile> {
        self.stop_profile_with(vm, &mut Symbols::default())
    }

    fn stop_profile_with(&mut self, vm: &str, symbols: &mut Symbols) -> Option<Profile> {
        let profiler = self.vm().profiler.clone();
        let collector = {
            let mut state = profiler.state.lock();
            if !profiler.on.swap(false, Ordering::AcqRel) {
                return None;
            }
            state.threads.values().for_each(|seen| seen.sampler.stop());
            state.collector.take()
        };
        self.settle_told_frames();
        if let Some(collector) = collector {
            collector.thread().unpark();
            // It does not panic; and if it did, its hook has told.
            let _ = collector.join();
        }
        for thread in self.vm().threads.living() {
            self.note_thread_name(&thread);
        }
        let mut profile = {
            let mut state = profiler.state.lock();
            state.collect();
            let mut profile = Profile::new(state.period);
            profile.took = state.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
            let main = self.vm().threads.main().number;
            let threads = state.threads.iter_mut().map(|(&number, seen)| resolve::Thread {
                name: match seen.name.take() {
                    Some(name) => format!("{vm}: {name} (thread {number})"),
                    None if number == main => format!("{vm}: main thread"),
                    None => format!("{vm}: thread {number}"),
                },
                lost: seen.lost,
                samples: std::mem::take(&mut seen.samples),
            });
            let threads: Vec<resolve::Thread> = threads.collect();
            let stacks = state.stacks.clone();
            drop(state);
            resolve::resolve(self, &mut profile, symbols, &stacks, threads);
            profile
        };
        profile.threads.retain(|thread| !thread.samples.is_empty() || thread.lost > 0);
        profiler.state.lock().clear();
        Some(profile)
    }

    /// Begins to profile for the program's sink, if it has one.
    ///
    /// # Errors
    /// As [`Ec::start_profile`].
    pub fn start_program_profile(&mut self) -> Result<(), &'static str> {
        match self.vm().options.profile.clone() {
            Some(sink) => self.start_profile(sink.period),
            None => Ok(()),
        }
    }

    /// Adds what was seen of the VM to the program's sink, if it has one.
    pub fn end_program_profile(&mut self, vm: &str) {
        if let Some(sink) = self.vm().options.profile.clone()
            && let Some(profile) = self.stop_profile_with(vm, &mut sink.symbols.lock())
        {
            sink.profile.lock().add(&profile);
        }
    }

    /// A thread's name is to be known when it has ended.
    pub(crate) fn note_thread_name(&mut self, thread: &RubyThread) {
        if !self.vm().profiler.is_on() && !self.vm().profiler.used.load(Ordering::Acquire) {
            return;
        }
        let name = thread.get(Slot::Name);
        if name.is_heap() {
            let name = string::to_string_lossy(self, name);
            if let Some(seen) = self.vm().profiler.state.lock().threads.get_mut(&thread.number) {
                seen.name = Some(name);
            }
        }
    }
}
