//! `ThreadState`: what other threads may touch of an attached thread, and the Running/Blocked state machine in it.
//!
//! The status word holds BLOCKED, set by the thread itself, and two holds set by others: STOP (the world is to stand
//! still) and REQUEST (somebody acts on this thread's objects). BLOCKED is set by one read-modify-write, whose old value
//! tells the thread who is waiting for it; it is cleared by one compare-exchange, which fails while there is a hold. So
//! whoever sets a hold learns from the old value whether the thread counts as stopped, and it stays so until the hold is
//! taken off. Without a hold neither direction takes a lock.

use std::time::{Duration, Instant};

use crate::give_way::Native;
use crate::header::OWNER_MASK;
use crate::in_c::InC;
use crate::interrupt::Interruptible;
use crate::ranks::{self, Rank};
use crate::safepoint::World;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Condvar, Mutex, Ordering};

/// Poll bit: somebody wants the world to stop.
pub const POLL_STOP: u32 = 1;
/// Poll bit: somebody claims an object of this thread.
pub const POLL_HANDSHAKE: u32 = 2;
/// Poll bit: this thread is to collect at its next safepoint.
pub const POLL_GC: u32 = 4;
/// Poll bit for the VM: look at the pending interrupts.
pub const POLL_INTERRUPT: u32 = 8;
/// Poll bit for the VM: the time slice is over.
pub const POLL_TIMER: u32 = 16;

/// Poll bit: others wait for their turn to run, see `Baton`.
pub(crate) const POLL_YIELD: u32 = 32;

/// The thread touches no Ruby object and counts as stopped.
pub(crate) const BLOCKED: u32 = 1;
/// The thread may not leave BLOCKED: the world is stopped or about to be.
pub(crate) const STOP: u32 = 2;
/// The thread may not leave BLOCKED before it has taken its handshake lock: requests are being made or wait there.
pub(crate) const REQUEST: u32 = 4;
/// BLOCKED was set by the thread while it computed in C, and the signal's handler waits for the holds to be taken off.
pub(crate) const SUSPENDED: u32 = 8;
/// The thread was Running when the world was to stop, is suspended now, and who stops the world has not counted it yet.
pub(crate) const UNCOUNTED: u32 = 16;

/// A thread whose objects have been claimed so often takes a new owner id. A model's should do so soon.
#[cfg(loom)]
const CLAIMS_BEFORE_RENEWAL: u32 = 2;
#[cfg(not(loom))]
const CLAIMS_BEFORE_RENEWAL: u32 = 256;

/// A request to a thread: give up the object with this header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request(pub(crate) *const AtomicU64);

// SAFETY: the claiming thread keeps the object alive until its request is answered, and a header word is an atomic.
unsafe impl Send for Request {}

/// What is protected by a thread's handshake lock.
#[derive(Debug)]
pub(crate) struct Handshakes {
    /// Claims not answered yet.
    pub(crate) requests: Vec<Request>,
    /// How many have been answered.
    pub(crate) answered: u64,
    /// How many have been made.
    pub(crate) made: u64,
}

/// The part of an attached thread that other threads hold.
#[derive(Debug)]
pub struct ThreadState {
    poll: AtomicU32,
    pub(crate) status: AtomicU32,
    /// The lowest address of the machine stack that may hold values while the thread is Blocked.
    stack_pointer: AtomicUsize,
    /// The machine stack's high end. Set by the thread itself while it runs.
    stack_base: AtomicUsize,
    /// What the VM gave at attach; handed to its `trace_mutator`.
    data: AtomicUsize,
    /// The owner bits the thread's new objects carry now. Written by the thread itself, or on its behalf while it is
    /// Blocked (0: it is to take a new id).
    owner: AtomicU64,
    /// Claims answered since the thread last took a new owner id.
    pub(crate) claims: AtomicU32,
    pub(crate) handshakes: Mutex<Handshakes>,
    pub(crate) handshake_done: Condvar,
    interrupts: Interruptible,
    /// When the thread last waited for an object's lock, in nanoseconds from `created`; 0: never. Its own.
    last_wait: AtomicU64,
    /// How often it has slept for an object's lock. Its own.
    sleeps: AtomicU32,
    created: Instant,
    /// Objects whose locks the thread keeps across blocking regions, by address: a fork that leaves the thread behind frees them.
    kept: Mutex<Vec<usize>>,
    /// The native thread, and whether it may be asked to give way.
    native: Native,
    /// The same, and whether it may be suspended in C.
    pub(crate) in_c: InC,
}

impl ThreadState {
    /// The state of the calling thread, which has not been attached yet: Running, with no owner id.
    #[must_use]
    pub fn new(stack_base: usize, data: *const ()) -> Self {
        Self {
            poll: AtomicU32::new(0),
            status: AtomicU32::new(0),
            stack_pointer: AtomicUsize::new(stack_base),
            stack_base: AtomicUsize::new(stack_base),
            data: AtomicUsize::new(data.expose_provenance()),
            owner: AtomicU64::new(0),
            claims: AtomicU32::new(0),
            handshakes: Mutex::new(Handshakes { requests: Vec::new(), answered: 0, made: 0 }),
            handshake_done: Condvar::new(),
            interrupts: Interruptible::new(),
            last_wait: AtomicU64::new(0),
            sleeps: AtomicU32::new(0),
            created: Instant::now(),
            kept: Mutex::new(Vec::new()),
            native: Native::current(),
            in_c: InC::current(),
        }
    }

    /// The poll word. Its address is the thread's for life.
    #[inline(always)]
    #[must_use]
    pub fn poll_word(&self) -> &AtomicU32 {
        &self.poll
    }

    /// What asks for the thread's attention.
    #[inline(always)]
    #[must_use]
    pub fn poll_bits(&self) -> u32 {
        self.poll.load(Ordering::Relaxed)
    }

    /// Asks for attention.
    pub fn set_poll(&self, bits: u32) {
        self.poll.fetch_or(bits, Ordering::Release);
    }

    /// Takes a demand for attention back.
    pub fn clear_poll(&self, bits: u32) {
        self.poll.fetch_and(!bits, Ordering::AcqRel);
    }

    /// The thread's interrupt state.
    #[must_use]
    pub fn interrupts(&self) -> &Interruptible {
        &self.interrupts
    }

    /// Sets pending interrupt bits and sees to it that the thread looks at them, wherever it is.
    pub fn interrupt(&self, bits: u32) {
        // Pending first: a thread that sees the poll bit must find the reason.
        self.interrupts.set_pending(bits);
        self.set_poll(POLL_INTERRUPT);
        self.interrupts.interrupt(bits);
    }

    /// Keeps the lock of an object across a blocking region.
    pub(crate) fn keeps(&self, address: usize) {
        self.kept.lock().push(address);
    }

    /// Does not keep it any more.
    pub(crate) fn kept_no_more(&self, address: usize) {
        let mut kept = self.kept.lock();
        if let Some(at) = kept.iter().rposition(|&other| other == address) {
            kept.swap_remove(at);
        }
    }

    /// What it keeps.
    pub(crate) fn take_kept(&self) -> Vec<usize> {
        std::mem::take(&mut *self.kept.lock())
    }

    /// The native thread.
    pub(crate) fn native(&self) -> &Native {
        &self.native
    }

    /// Whether the thread is in a blocking region (or stopped).
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.status.load(Ordering::Acquire) & BLOCKED != 0
    }

    /// The owner bits of the thread's new objects.
    #[must_use]
    pub fn owner(&self) -> u64 {
        self.owner.load(Ordering::Relaxed)
    }

    /// Set by the thread itself, at a safepoint.
    pub(crate) fn set_owner(&self, bits: u64) {
        debug_assert_eq!(bits & !OWNER_MASK, 0);
        self.owner.store(bits, Ordering::Relaxed);
    }

    /// What the VM gave at attach.
    pub(crate) fn data(&self) -> *const () {
        std::ptr::with_exposed_provenance(self.data.load(Ordering::Relaxed))
    }

    /// Another pointer for `trace_mutator`. Set by the thread itself while it runs.
    pub(crate) fn set_data(&self, data: *const ()) {
        self.data.store(data.expose_provenance(), Ordering::Relaxed);
    }

    /// The part of the machine stack that may hold values while the thread is Blocked.
    pub(crate) fn stack_range(&self) -> (usize, usize) {
        (self.stack_pointer.load(Ordering::Relaxed), self.stack_base.load(Ordering::Relaxed))
    }

    /// What may hold a value lies from here up while the thread is Blocked.
    pub(crate) fn set_stack_pointer(&self, low: usize) {
        self.stack_pointer.store(low, Ordering::Relaxed);
    }

    /// Another machine stack.
    #[inline]
    pub(crate) fn set_stack_base(&self, high: usize) {
        self.stack_base.store(high, Ordering::Relaxed);
    }

    /// How often the thread, which is the calling one, has slept for an object's lock.
    pub(crate) fn sleeps(&self) -> u32 {
        self.sleeps.load(Ordering::Relaxed)
    }

    /// The thread is about to sleep for an object's lock.
    pub(crate) fn note_sleep(&self) {
        self.sleeps.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the thread has waited for an object's lock since then.
    pub(crate) fn waited_since(&self, then: Option<Instant>) -> bool {
        let last = self.last_wait.load(Ordering::Relaxed);
        last != 0 && then.is_none_or(|then| self.created + Duration::from_nanos(last) >= then)
    }

    /// The thread has waited for an object's lock until now.
    pub(crate) fn note_wait(&self, now: Instant) {
        self.last_wait.store(now.duration_since(self.created).as_nanos() as u64, Ordering::Relaxed);
    }

    /// Running to Blocked. `stack_pointer` is below everything on the machine stack that may hold a value.
    #[inline]
    pub fn enter_blocked(&self, world: &World, stack_pointer: usize) {
        self.enter_keeping(world, stack_pointer);
        #[cfg(not(loom))]
        if let Some(baton) = world.baton() {
            baton.give();
        }
    }

    /// The same, for what waits for no thread that would have to run: where one runs at a time, no other one does meanwhile.
    #[inline]
    pub(crate) fn enter_keeping(&self, world: &World, stack_pointer: usize) {
        self.set_stack_pointer(stack_pointer);
        let old = self.status.fetch_or(BLOCKED, Ordering::AcqRel);
        debug_assert_eq!(old & BLOCKED, 0, "a blocking region within a blocking region");
        if old & (STOP | REQUEST) != 0 {
            self.entered_with_holds(world, old);
        }
    }

    /// Blocked to Running; waits until nobody holds the thread.
    #[inline]
    pub fn leave_blocked(&self, world: &World) {
        #[cfg(not(loom))]
        if let Some(baton) = world.baton() {
            baton.take(self);
        }
        self.leave_keeping(world);
    }

    /// Ends what `enter_keeping` began.
    #[inline]
    pub(crate) fn leave_keeping(&self, world: &World) {
        while self.status.compare_exchange(BLOCKED, 0, Ordering::AcqRel, Ordering::Acquire).is_err() {
            self.wait_for_holds(world);
        }
    }

    #[cold]
    fn entered_with_holds(&self, world: &World, old: u32) {
        if old & REQUEST != 0 {
            self.answer_requests();
        }
        if old & STOP != 0 {
            world.note_stopped();
        }
    }

    #[cold]
    fn wait_for_holds(&self, world: &World) {
        let status = self.status.load(Ordering::Acquire);
        if status & REQUEST != 0 {
            // Whoever is acting for us holds this lock; a request that waits is answered with it.
            self.answer_requests();
        }
        if status & STOP != 0 {
            world.wait_while_stopped(self);
        }
    }

    /// Gives up every object that was asked for. Called by the thread itself, Running at a safepoint or Blocked.
    pub(crate) fn answer_requests(&self) {
        let _rank = ranks::acquire(Rank::Handshake);
        let mut handshakes = self.handshakes.lock();
        self.answer_requests_locked(&mut handshakes);
    }

    fn answer_requests_locked(&self, handshakes: &mut Handshakes) {
        self.give_up_requested(handshakes);
        self.requests_answered();
    }

    /// Gives up what the requests ask for. The caller holds the handshake lock, and is the thread itself or acts on
    /// behalf of the Blocked thread, having put a REQUEST hold on it.
    pub(crate) fn give_up_requested(&self, handshakes: &mut Handshakes) {
        for Request(header) in handshakes.requests.drain(..) {
            // SAFETY: the claiming thread keeps the object alive while its request waits.
            let header = unsafe { &*header };
            self.give_up(header);
            handshakes.answered += 1;
        }
    }

    /// Takes the REQUEST hold off and wakes the claimers. Last: from here on a Blocked thread that was acted for may run
    /// and look at what was changed.
    pub(crate) fn requests_answered(&self) {
        self.poll.fetch_and(!POLL_HANDSHAKE, Ordering::AcqRel);
        self.take_hold_off(REQUEST);
        self.handshake_done.notify_all();
    }

    /// Whether the thread's objects have been claimed so often that it should give up its older ones all at once.
    pub(crate) fn claims_are_many(&self) -> bool {
        self.claims.load(Ordering::Relaxed) >= CLAIMS_BEFORE_RENEWAL
    }

    /// Clears the owner bits of a header if they are this thread's.
    pub(crate) fn give_up(&self, header: &AtomicU64) {
        let mine = self.owner();
        // The owner's bits do not change under us (we are the owner, at a safepoint, or act for it); a compare-exchange
        // keeps bits that others may set.
        let mut current = header.load(Ordering::Relaxed);
        while mine != 0 && current & OWNER_MASK == mine {
            match header.compare_exchange(current, current & !OWNER_MASK, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    self.claims.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                Err(now) => current = now,
            }
        }
    }

    /// `set_owner`, which a model has to call as the mutator does.
    #[cfg(loom)]
    pub fn set_owner_for_model(&self, bits: u64) {
        self.set_owner(bits);
    }

    /// What time does for a claimer: it looks at this thread again.
    #[cfg(loom)]
    pub fn look_again_for_model(&self) {
        let _handshakes = self.handshakes.lock();
        self.handshake_done.notify_all();
    }

    /// `answer_requests`, which a model has to call as the mutator does.
    #[cfg(loom)]
    pub fn answer_requests_for_model(&self) {
        self.answer_requests();
    }
}
