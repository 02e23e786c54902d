//! `--trace` and `RubyVM.trace`: what threads wait for, in the trace-event format that Chrome and Perfetto open.
//!
//! Threads note spans in lanes of their own (`asterism_heap::Lane`); a native thread of the timeline's takes them out many times a
//! second, makes text of them and writes it, so that a long program needs no memory for them.

mod file;
mod write;

pub use asterism_heap::{ExtraLane, Site, SpanKind};
use asterism_heap::{Moment, SiteKey, SiteNumber, Span};
use asterism_object::{Value, data, string};

use crate::ec::Ec;
use crate::method::Method;
use crate::thread::mutex;
use crate::thread::{RubyThread, Slot};
pub use file::Timeline;
pub use write::COMPILER;

/// The beginning of a span.
pub(crate) struct Begun {
    generation: u64,
    at: Moment,
    site: SiteNumber,
    held_by: u64,
}

impl Ec {
    /// Traces the VM's threads for this timeline, where the VM has this name; `false` if they are traced already.
    pub fn start_trace(&mut self, timeline: &Timeline, name: &str) -> bool {
        let group = timeline.recorder.group(name.to_string());
        let started = self.vm().heap().traced().start(&timeline.recorder, group);
        if started {
            self.begin_lane();
            for thread in self.vm().threads.living().iter().filter(|thread| thread.number != self.thread.handle.number)
            {
                self.vm().heap().traced().prepare(thread.number);
            }
            self.observe_compiler(self.vm().heap().traced().extra_lane(COMPILER));
        }
        started
    }

    fn observe_compiler(&self, lane: Option<ExtraLane>) {
        if let Some(jit) = &self.vm().options.jit {
            jit.compiler.observe(lane);
        }
    }

    /// Ends that.
    pub fn stop_trace(&mut self) {
        let living = self.vm().threads.living();
        let names = living.iter().filter_map(|thread| Some((thread.number, self.thread_name(thread)?))).collect();
        self.observe_compiler(None);
        self.vm().heap().traced().stop(names);
    }

    /// Traces the VM's threads for the program's timeline, if it has one.
    pub fn start_program_trace(&mut self, name: &str) {
        if let Some(timeline) = self.vm().options.trace.clone() {
            self.start_trace(&timeline, name);
        }
    }

    /// Gives the thread a lane, if threads are traced.
    pub(crate) fn begin_lane(&mut self) {
        let _ = self.lane();
    }

    /// The thread ends: its name is noted.
    pub(crate) fn note_lane_name(&mut self) {
        let is_traced = self.vm().heap().traced().generation() != 0;
        let thread = &self.thread.handle;
        if is_traced && (thread.get(Slot::Name).is_heap() || thread.ractor().is_some()) {
            let name = self.thread_name(&self.thread.handle.clone());
            if let (Some(name), Some(lane)) = (name, self.lane()) {
                lane.set_name(name);
            }
        }
    }

    fn thread_name(&mut self, thread: &RubyThread) -> Option<String> {
        let name = thread.get(Slot::Name);
        let name = name.is_heap().then(|| string::to_string_lossy(self, name));
        match thread.ractor() {
            Some(ractor) => Some(format!("{} (Ractor {})", name.unwrap_or_default(), ractor.id)),
            None => name,
        }
    }

    /// A wait begins, if threads are traced: for `waits`, or nil.
    #[inline]
    pub(crate) fn begin_span(&mut self, kind: SpanKind, waits: Value) -> Option<Begun> {
        if self.vm().heap().traced().generation() == 0 {
            return None;
        }
        self.begin_span_slow(kind, waits)
    }

    #[cold]
    fn begin_span_slow(&mut self, kind: SpanKind, waits: Value) -> Option<Begun> {
        let mut held_by = 0;
        let subject = if waits.is_heap() {
            if let Some(mutex) = data::get::<mutex::Mutex>(&waits) {
                held_by = mutex.lock.owner();
            } else if let Some(thread) = crate::thread::of_object(&waits) {
                held_by = thread.number;
            }
            self.class_of(waits).0
        } else {
            self.waiting_method()
        };
        let (code, pc) = self.caller_frame().map_or((0, 0), |frame| (frame.iseq.addr(), frame.pc.addr()));
        let key = SiteKey { kind, subject: subject.bits(), code, pc };
        let epoch = self.heap().epoch();
        let site = match self.lane()?.find(epoch, &key) {
            Some(site) => site,
            None => self.learn_site(key, waits)?,
        };
        let lane = self.lane()?;
        Some(Begun { generation: lane.generation(), at: lane.now(), site, held_by })
    }

    /// The method whose call is under way, or nil.
    fn waiting_method(&self) -> Value {
        // SAFETY: the current frame is active.
        let within = || unsafe { (*self.fiber.frame).method };
        if Method::from_value(self.fiber.leaf).is_some() { self.fiber.leaf } else { within() }
    }

    /// Finds out what the site with this key is.
    #[cold]
    fn learn_site(&mut self, key: SiteKey, waits: Value) -> Option<SiteNumber> {
        let mut kind = key.kind;
        let what = if waits.is_heap() {
            self.class_name_of(waits)
        } else {
            let method = Method::from_value(self.waiting_method());
            method.and_then(|method| crate::backtrace::qualified_name(self, method)).unwrap_or_default()
        };
        if kind == SpanKind::Wait && !waits.is_heap() && what.ends_with("sleep") {
            kind = SpanKind::Sleep;
        }
        let at = self.caller_location();
        let lane = self.lane()?;
        let number = lane.number(Site { kind, what: what.into(), at });
        lane.learn(key, number);
        Some(number)
    }

    /// It is over. `fiber`: a fiber has waited, not the thread.
    #[cold]
    pub(crate) fn end_span(&mut self, begun: Begun, fiber: u64) {
        let Begun { generation, at, site, held_by } = begun;
        // What began in an earlier trace has no site in this one.
        if let Some(lane) = self.lane().filter(|lane| lane.generation() == generation) {
            lane.add(&Span { site, begin: at, end: lane.now(), held_by, fiber });
        }
    }

    /// Runs `wait`, in which the running fiber waits for `what` while its thread goes on.
    pub fn fiber_span<R>(&mut self, kind: SpanKind, waits: Value, wait: impl FnOnce(&mut Ec) -> R) -> R {
        let fiber = self.fiber.id;
        let begun = self.begin_span(kind, waits);
        let result = wait(self);
        if let Some(begun) = begun {
            self.end_span(begun, fiber);
        }
        result
    }
}
