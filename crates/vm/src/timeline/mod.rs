//! `--trace` and `RubyVM.trace`: what threads wait for, in the trace-event format that Chrome and Perfetto open.
//!
//! Threads note spans in lanes of their own (`asterism_heap::Lane`); a native thread of the timeline's takes them out a few times a second
//! and writes them, so that a long program needs no memory for them.

mod file;
mod write;

use std::sync::Arc;

pub use asterism_heap::{Lane, Span, SpanKind};
use asterism_object::{Value, data, string};

use crate::ec::Ec;
use crate::method::Method;
use crate::thread::mutex;
use crate::thread::{RubyThread, Slot};
pub use file::Timeline;
pub use write::COMPILER;

/// The beginning of a span.
pub(crate) struct Begun {
    at: u64,
    kind: SpanKind,
    what: String,
    held_by: u64,
    place: Option<(Arc<str>, u32)>,
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

    fn observe_compiler(&self, lane: Option<Arc<Lane>>) {
        if let Some(jit) = &self.vm().options.jit {
            jit.compiler.observe(lane);
        }
    }

    /// Ends that.
    pub fn stop_trace(&mut self) {
        for thread in self.vm().threads.living() {
            let name = self.thread_name(&thread);
            self.vm().heap().traced().with_lane(thread.number, |lane| *lane.name.lock() = name.clone());
        }
        self.observe_compiler(None);
        self.vm().heap().traced().stop();
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
        if self.vm().heap().traced().generation() != 0 {
            let name = self.thread_name(&self.thread.handle.clone());
            if let Some(lane) = self.lane() {
                *lane.name.lock() = name;
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
        let (mut kind, mut held_by) = (kind, 0);
        let what = if waits.is_heap() {
            if let Some(mutex) = data::get::<mutex::Mutex>(&waits) {
                held_by = mutex.lock.owner();
            } else if let Some(thread) = crate::thread::of_object(&waits) {
                held_by = thread.number;
            }
            self.class_name_of(waits)
        } else {
            // SAFETY: the current frame is active.
            let method = Method::from_value(self.fiber.leaf)
                .or_else(|| Method::from_value(unsafe { (*self.fiber.frame).method }));
            method.and_then(|method| crate::backtrace::qualified_name(self, method)).unwrap_or_default()
        };
        if kind == SpanKind::Wait && !waits.is_heap() && what.ends_with("sleep") {
            kind = SpanKind::Sleep;
        }
        let place = self.caller_location();
        let at = self.lane()?.now();
        Some(Begun { at, kind, what, held_by, place })
    }

    /// It is over. `fiber`: a fiber has waited, not the thread.
    #[cold]
    pub(crate) fn end_span(&mut self, begun: Begun, fiber: u64) {
        let Some(lane) = self.lane() else { return };
        let Begun { at, kind, what, held_by, place } = begun;
        lane.add(Span { kind, begin: at, end: lane.now(), what: what.into(), at: place, held_by, fiber });
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
