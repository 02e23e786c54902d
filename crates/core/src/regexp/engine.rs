//! The door to the engine: its memory belongs to the thread, its searches are watched.

use std::time::Instant;

use asterism_heap::Charge;
use asterism_regexp::{Limits, Scratch};
use asterism_vm::thread::check_interrupts;
use asterism_vm::{Ec, Res};

pub use asterism_regexp::{Engine, Outcome, Region, Search};

/// Steps of a first, unwatched search: well below a millisecond.
const FIRST_STEPS: u64 = 50_000;

/// A thread's memory for searches, and what stands for it in the VM's memory limit.
struct Memory {
    scratch: Scratch,
    /// Matches that have been found and not been used yet.
    spans: Vec<(u32, u32)>,
    charge: Charge,
}

/// Bytes that a search may take where memory is limited: the first that there is room for.
const ROOM: [usize; 5] = [256 << 20, 64 << 20, 16 << 20, 4 << 20, 1 << 20];

/// Offsets that are kept room for.
const KEPT_SPANS: usize = 8 << 10;

/// The thread's memory for searches, taken while one is under way.
///
/// It is lent: a search that begins meanwhile (in a signal handler, say) makes one of its own.
pub struct Lent(Box<Memory>);

impl Lent {
    /// Takes it.
    #[inline]
    pub fn take(ec: &mut Ec) -> Lent {
        let mut memory = match ec.worker.searches.take().map(|any| any.downcast::<Memory>()) {
            Some(Ok(memory)) => memory,
            _ => Box::new(Memory { scratch: Scratch::default(), spans: Vec::new(), charge: ec.new_charge() }),
        };
        if memory.charge.counts() {
            memory.scratch.limit = ROOM.into_iter().find(|room| ec.malloc_allowed(*room)).unwrap_or(0);
        }
        Lent(memory)
    }

    /// Gives it back.
    #[inline]
    pub fn give_back(mut self, ec: &mut Ec) {
        self.0.scratch.shrink();
        if self.0.spans.capacity() > KEPT_SPANS {
            self.0.spans = Vec::new();
        }
        if self.0.charge.counts() {
            self.count();
        }
        ec.worker.searches = Some(self.0);
    }

    /// Matches that have been found: for whoever has the memory.
    #[inline]
    pub fn spans(&self) -> &[(u32, u32)] {
        &self.0.spans
    }

    /// The same, to be changed.
    #[inline]
    pub fn spans_mut(&mut self) -> &mut Vec<(u32, u32)> {
        &mut self.0.spans
    }

    /// What is not within the limit is not kept.
    #[cold]
    fn count(&mut self) {
        if !self.0.charge.set(self.0.scratch.size()) {
            self.0.scratch = Scratch::default();
            // Less is always allowed.
            let _ = self.0.charge.set(0);
        }
    }

    /// A search that ends when it takes long.
    #[inline]
    pub fn quick(&mut self, engine: &Engine, subject: &[u8], at: usize, how: Search, region: &mut Region) -> Outcome {
        engine.search(subject, at, how, &mut Limits { steps: FIRST_STEPS, go_on: None }, &mut self.0.scratch, region)
    }
}

/// Why a search that was watched has ended.
pub enum Ended {
    /// It came to this.
    Outcome(Outcome),
    /// The time that it may take is over.
    TimedOut,
}

/// A search that may take long: it looks at interrupts and at the clock.
///
/// # Errors
/// What other threads or a signal raise into this one, or that it is killed.
#[cold]
pub fn watched(
    ec: &mut Ec,
    engine: &Engine,
    subject: &[u8],
    at: usize,
    how: Search,
    limit: Option<std::time::Duration>,
    region: &mut Region,
) -> Res<Ended> {
    let end = limit.and_then(|limit| Instant::now().checked_add(limit));
    // An interrupt that raises nothing lets the search begin again; it may go on longer undisturbed each time, so that
    // it comes to an end however many there are.
    let mut undisturbed = std::time::Duration::ZERO;
    loop {
        let begun = Instant::now();
        let state = ec.state().clone();
        let mut scratch = Lent::take(ec);
        let mut late = false;
        let outcome = ec.computing(|| {
            let mut go_on = || {
                late = end.is_some_and(|end| Instant::now() >= end);
                !late && (state.interrupts().pending() == 0 || begun.elapsed() < undisturbed)
            };
            let mut limits = Limits { steps: FIRST_STEPS, go_on: Some(&mut go_on) };
            engine.search(subject, at, how, &mut limits, &mut scratch.0.scratch, region)
        });
        scratch.give_back(ec);
        check_interrupts(ec)?;
        match outcome {
            Outcome::OutOfSteps if late => return Ok(Ended::TimedOut),
            Outcome::OutOfSteps => undisturbed = (begun.elapsed() * 2).max(std::time::Duration::from_micros(500)),
            outcome => return Ok(Ended::Outcome(outcome)),
        }
    }
}
