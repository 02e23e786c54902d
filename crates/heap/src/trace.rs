//! What `--trace` notes: spans of time in which a thread waits, stands still or collects, each in the lane of its thread.
//!
//! A heap that is not traced has a word that says so, which is looked at where a thread waits anyway. A lane's lock is its thread's, but
//! for the moments in which the spans are taken out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use asterism_lock::Mutex;

/// A file and a line in it.
pub type Line = (Arc<str>, u32);

/// What a span is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpanKind {
    /// A wait for another thread: a lock, a queue, an end.
    Wait,
    /// A sleep.
    Sleep,
    /// A wait for something outside: input, output, a process.
    Io,
    /// A wait for the lock of an object, or for its owner.
    Object,
    /// Standing still because another thread collects; or waiting until all stand still.
    Stop,
    /// A collection.
    Collection,
    /// Compiling to machine code.
    Compile,
}

impl SpanKind {
    /// As it is shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SpanKind::Wait => "wait",
            SpanKind::Sleep => "sleep",
            SpanKind::Io => "io",
            SpanKind::Object => "object",
            SpanKind::Stop => "stop",
            SpanKind::Collection => "collection",
            SpanKind::Compile => "compile",
        }
    }
}

/// A time in which a thread, or a fiber of it, does one thing.
#[derive(Clone, Debug)]
pub struct Span {
    /// What.
    pub kind: SpanKind,
    /// Nanoseconds since the recorder began.
    pub begin: u64,
    /// The same, at its end.
    pub end: u64,
    /// What is waited for, or done.
    pub what: std::borrow::Cow<'static, str>,
    /// File and line of the Ruby code.
    pub at: Option<Line>,
    /// The thread, or fiber, that has to be waited for; 0 if that is not known.
    pub held_by: u64,
    /// The fiber that waits while its thread goes on; 0: it is the thread.
    pub fiber: u64,
}

/// The spans of one thread.
#[derive(Debug)]
pub struct Lane {
    recorder: Arc<Clock>,
    /// The number of its VM.
    pub group: u64,
    /// The number of its thread.
    pub number: u64,
    /// When it began.
    pub begun: u64,
    /// When its thread ended; 0 until then.
    ended: AtomicU64,
    /// The thread's name, if it has one.
    pub name: Mutex<Option<String>>,
    spans: Mutex<Vec<Span>>,
}

#[derive(Debug)]
struct Clock(Instant);

impl Clock {
    fn now(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

impl Lane {
    /// Nanoseconds since the recorder began.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.recorder.now()
    }

    /// The same, for another moment.
    #[must_use]
    pub fn at(&self, moment: Instant) -> u64 {
        u64::try_from(moment.saturating_duration_since(self.recorder.0).as_nanos()).unwrap_or(u64::MAX)
    }

    /// Adds a span.
    pub fn add(&self, span: Span) {
        self.spans.lock().push(span);
    }

    /// Adds one without a line.
    pub fn add_plain(&self, kind: SpanKind, begin: u64, end: u64, what: &'static str) {
        self.add(Span { kind, begin, end, what: what.into(), at: None, held_by: 0, fiber: 0 });
    }

    /// Takes out what was added.
    #[must_use]
    pub fn take(&self) -> Vec<Span> {
        std::mem::take(&mut self.spans.lock())
    }

    /// When its thread ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<u64> {
        Some(self.ended.load(Ordering::Acquire)).filter(|&at| at != 0)
    }

    /// Its thread ends.
    pub fn end(&self) {
        self.ended.store(self.now().max(1), Ordering::Release);
    }
}

/// All lanes of a program.
#[derive(Debug)]
pub struct Recorder {
    clock: Arc<Clock>,
    lanes: Mutex<Vec<Arc<Lane>>>,
    /// Numbers and names of the VMs.
    groups: Mutex<Vec<(u64, String)>>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self { clock: Arc::new(Clock(Instant::now())), lanes: Mutex::default(), groups: Mutex::default() }
    }
}

impl Recorder {
    /// A lane for a thread that has none.
    pub fn lane(&self, group: u64, number: u64) -> Arc<Lane> {
        let lane = Arc::new(Lane {
            recorder: Arc::clone(&self.clock),
            group,
            number,
            begun: self.clock.now(),
            ended: AtomicU64::new(0),
            name: Mutex::default(),
            spans: Mutex::default(),
        });
        self.lanes.lock().push(Arc::clone(&lane));
        lane
    }

    /// The lanes there are.
    #[must_use]
    pub fn lanes(&self) -> Vec<Arc<Lane>> {
        self.lanes.lock().clone()
    }

    /// Leaves out the lanes that `keep` refuses.
    pub fn retain(&self, keep: impl FnMut(&Arc<Lane>) -> bool) {
        self.lanes.lock().retain(keep);
    }

    /// Says how a VM is called; its number among those that are traced.
    pub fn group(&self, name: String) -> u64 {
        let mut groups = self.groups.lock();
        let number = groups.len() as u64 + 1;
        groups.push((number, name));
        number
    }

    /// The VMs' numbers and names.
    #[must_use]
    pub fn groups(&self) -> Vec<(u64, String)> {
        self.groups.lock().clone()
    }

    /// Nanoseconds since it began.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.clock.now()
    }
}

/// The recorder that a VM has joined, and its number there.
type Joined = (Arc<Recorder>, u64);

/// Whether a heap's threads are traced.
#[derive(Debug, Default)]
pub struct Traced {
    /// 0: they are not. Else it tells one recorder from those before.
    generation: AtomicU64,
    /// The recorder, and the VM's number there. Looked at by a thread once for each generation.
    recorder: Mutex<(u64, Option<Joined>)>,
    /// Lanes of threads that have not used them yet, by the threads' numbers.
    unused: Mutex<Vec<Arc<Lane>>>,
}

impl Traced {
    /// The generation; 0 if nobody is traced.
    #[inline]
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Traces from now on; `false` if the threads are traced already.
    pub fn start(&self, recorder: &Arc<Recorder>, group: u64) -> bool {
        let mut place = self.recorder.lock();
        if place.1.is_some() {
            return false;
        }
        place.0 += 1;
        place.1 = Some((Arc::clone(recorder), group));
        self.generation.store(place.0, Ordering::Release);
        true
    }

    /// Traces no more.
    pub fn stop(&self) {
        let mut place = self.recorder.lock();
        self.generation.store(0, Ordering::Release);
        place.1 = None;
        self.unused.lock().clear();
    }

    /// Makes the lane of a thread that may not come here soon.
    pub fn prepare(&self, number: u64) {
        if let Some((_, lane)) = self.lane(number) {
            self.unused.lock().push(lane);
        }
    }

    /// Calls `f` with the lane of the thread with this number, if it has one.
    pub fn with_lane(&self, number: u64, f: impl FnOnce(&Lane)) {
        let place = self.recorder.lock();
        let Some((recorder, group)) = place.1.as_ref() else { return };
        let found = recorder.lanes.lock().iter().find(|lane| lane.group == *group && lane.number == number).cloned();
        if let Some(lane) = found {
            f(&lane);
        }
    }

    /// A lane for the thread with this number, and the generation it is for.
    pub(crate) fn lane(&self, number: u64) -> Option<(u64, Arc<Lane>)> {
        let place = self.recorder.lock();
        let (recorder, group) = place.1.as_ref()?;
        let mut unused = self.unused.lock();
        let made = unused.iter().position(|lane| lane.number == number).map(|at| unused.swap_remove(at));
        Some((place.0, made.unwrap_or_else(|| recorder.lane(*group, number))))
    }

    /// A lane for what is no thread of the VM.
    pub fn extra_lane(&self, number: u64) -> Option<Arc<Lane>> {
        let place = self.recorder.lock();
        let (recorder, group) = place.1.as_ref()?;
        let known = recorder.lanes().into_iter().find(|lane| lane.group == *group && lane.number == number);
        Some(known.unwrap_or_else(|| recorder.lane(*group, number)))
    }
}

/// The lane that a thread has used, for one generation.
#[derive(Debug, Default)]
pub(crate) struct OwnLane {
    pub(crate) number: u64,
    known: Option<(u64, Arc<Lane>)>,
}

impl OwnLane {
    /// The lane, if threads are traced: a comparison if not.
    #[inline]
    pub(crate) fn get(&mut self, traced: &Traced) -> Option<&Arc<Lane>> {
        match traced.generation() {
            0 => None,
            generation => self.find(traced, generation),
        }
    }

    #[cold]
    fn find(&mut self, traced: &Traced, generation: u64) -> Option<&Arc<Lane>> {
        if self.number == 0 {
            return None;
        }
        if self.known.as_ref().is_none_or(|(of, _)| *of != generation) {
            self.known = traced.lane(self.number);
        }
        self.known.as_ref().map(|(_, lane)| lane)
    }
}

impl Drop for OwnLane {
    fn drop(&mut self) {
        if let Some((_, lane)) = &self.known {
            lane.end();
        }
    }
}
