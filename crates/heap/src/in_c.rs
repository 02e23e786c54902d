//! Threads that compute in a function of C: a stop of the world suspends them where they are.
//!
//! A function of an extension comes to a safepoint when it calls the interface, and not before. While it computes nobody has
//! to wait for it: what it may hold lies in its registers and on its machine stack, and pure C is never between a check of an
//! object's owner and the store that follows. So who waits sends the thread a signal, when it has computed for some time
//! without calling the interface. The kernel puts the registers on the thread's stack, and the handler enters a blocking region
//! there, which lasts as long as somebody holds the thread (`ThreadState::stand_still`).
//!
//! The handler allocates nothing and takes no lock: the function may be in the middle of `malloc`. That is also why it is not
//! disturbed earlier: an extension's mark function may look at what the function is changing, and whoever computes for long
//! is hardly in the middle of that. A thread that waits in a system call gets the signal too, later. (.NET suspends threads in the same
//! way, but only those in managed code: <https://github.com/dotnet/runtime/blob/main/docs/design/coreclr/botr/threading.md>.)

use crate::sync::{self, Ordering};
use crate::thread::{BLOCKED, REQUEST, STOP, SUSPENDED, ThreadState, UNCOUNTED};

#[cfg(all(target_os = "linux", not(loom)))]
pub use signal::{InC, come_out, go_in};
#[cfg(all(target_os = "linux", not(loom)))]
pub(crate) use signal::{Suspender, take_suspended};

#[cfg(not(all(target_os = "linux", not(loom))))]
pub(crate) use nothing::Suspender;
#[cfg(not(all(target_os = "linux", not(loom))))]
pub use nothing::{InC, come_out, go_in, take_suspended};

impl ThreadState {
    /// Blocked as long as somebody holds the thread, which is in C; whether somebody did. What the thread holds lies on its
    /// machine stack from `stack_pointer` up. `held` runs when it is Blocked.
    pub fn stand_still(&self, stack_pointer: usize, held: impl FnOnce()) -> bool {
        let mut status = self.status.load(Ordering::Acquire);
        loop {
            if status & (STOP | REQUEST) == 0 || status & BLOCKED != 0 {
                return false;
            }
            self.set_stack_pointer(stack_pointer);
            // Who stops the world waits for this thread, as it was Running then; who makes a request looks whether it is Blocked.
            let counted = if status & STOP != 0 { UNCOUNTED } else { 0 };
            let blocked = status | BLOCKED | SUSPENDED | counted;
            match self.status.compare_exchange(status, blocked, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(now) => status = now,
            }
        }
        held();
        loop {
            status = self.status.load(Ordering::Acquire);
            if status & (STOP | REQUEST) != 0 {
                sync::wait_on(&self.status, status, None);
            } else if self.status.compare_exchange(status, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return true;
            }
        }
    }

    /// Whether the thread is suspended in C.
    pub(crate) fn is_suspended(&self) -> bool {
        self.status.load(Ordering::Acquire) & SUSPENDED != 0
    }

    /// Whether the thread has been suspended since the world was to stop, and the caller, who stops it, has not counted that yet.
    pub(crate) fn count_suspended(&self) -> bool {
        self.status.load(Ordering::Relaxed) & UNCOUNTED != 0
            && self.status.fetch_and(!UNCOUNTED, Ordering::AcqRel) & UNCOUNTED != 0
    }

    /// Takes a hold off. The last one lets a suspended thread go on.
    pub(crate) fn take_hold_off(&self, hold: u32) {
        let old = self.status.fetch_and(!hold, Ordering::AcqRel);
        if old & SUSPENDED != 0 && old & (STOP | REQUEST) == hold {
            sync::wake_one(&self.status);
        }
    }
}

#[cfg(all(target_os = "linux", not(loom)))]
mod signal {
    use std::cell::Cell;
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering, compiler_fence};
    use std::time::{Duration, Instant};

    use crate::machine;
    use crate::thread::ThreadState;

    /// How much of a processor's time a function uses before it is suspended.
    const COMPUTED: Duration = Duration::from_micros(500);
    /// How long one that waits in a system call is waited for.
    const SLEPT: Duration = Duration::from_millis(10);
    /// How long until a thread that has not noticed a signal is sent another one.
    const AGAIN: Duration = Duration::from_millis(5);

    /// The handler is there.
    static INSTALLED: Once = Once::new();

    thread_local! {
        /// The thread's state while a function of C computes; null while the thread runs Rust.
        static IN_C: Cell<*const ThreadState> = const { Cell::new(std::ptr::null()) };
        /// The thread was suspended, and its mutator does not know yet.
        static WAS_SUSPENDED: Cell<bool> = const { Cell::new(false) };
    }

    /// What a thread says of itself to those that may suspend it.
    #[derive(Debug)]
    pub struct InC {
        /// The kernel's number of the thread. Written by the thread, when it begins and after a fork.
        id: AtomicI32,
        /// A function of C computes. Written by the thread; a hint to others.
        computes: AtomicBool,
    }

    impl InC {
        /// The calling thread's.
        pub(crate) fn current() -> Self {
            // SAFETY: the call has no preconditions.
            Self { id: AtomicI32::new(unsafe { libc::gettid() }), computes: AtomicBool::new(false) }
        }

        /// The calling thread is this one still, in another process.
        pub(crate) fn renew(&self) {
            // SAFETY: the call has no preconditions.
            self.id.store(unsafe { libc::gettid() }, Ordering::Relaxed);
        }

        fn id(&self) -> libc::pid_t {
            self.id.load(Ordering::Relaxed)
        }

        pub(crate) fn computes(&self) -> bool {
            self.computes.load(Ordering::Relaxed)
        }

        /// How much of a processor's time the thread has used, in its life.
        fn used(&self) -> Duration {
            let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            // The clock of a thread of this process, as clock_getcpuclockid(3) makes it of its number.
            let clock = (!self.id() << 3) | 6;
            // SAFETY: the call writes the time, or fails when the thread has ended; then none is used.
            unsafe { libc::clock_gettime(clock, &raw mut time) };
            Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
        }

        /// Whether it waits for something, in a system call.
        fn sleeps(&self) -> bool {
            let stat = std::fs::read(format!("/proc/self/task/{}/stat", self.id())).unwrap_or_default();
            // The letter comes behind the name, which is in parentheses and may have some.
            let name_ends = stat.iter().rposition(|&b| b == b')');
            name_ends.and_then(|at| stat.get(at + 2)).is_some_and(|state| b"SD".contains(state))
        }

        fn signal(&self) {
            asterism_lock::once::call(&INSTALLED, install);
            // SAFETY: the call sends a signal that has a handler to a thread of this process, if there is one.
            unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), self.id(), number()) };
        }
    }

    /// The calling thread goes into C, or back to it.
    ///
    /// # Safety
    /// `state` is the calling thread's, which stays attached until it comes out, or null: then it was not in C.
    #[inline(always)]
    pub unsafe fn go_in(state: *const ThreadState) {
        if !state.is_null() {
            // SAFETY: the caller's contract: it lives as long as the thread is attached.
            unsafe { (*state).in_c.computes.store(true, Ordering::Relaxed) };
        }
        compiler_fence(Ordering::SeqCst);
        IN_C.set(state);
    }

    /// The calling thread is in Rust now; where it was, for `go_in`.
    #[inline(always)]
    pub fn come_out() -> *const ThreadState {
        let state = IN_C.replace(std::ptr::null());
        compiler_fence(Ordering::SeqCst);
        if !state.is_null() {
            // SAFETY: as `go_in` was promised.
            unsafe { (*state).in_c.computes.store(false, Ordering::Relaxed) };
        }
        state
    }

    /// Whether the calling thread was suspended since it was asked last.
    #[inline(always)]
    pub(crate) fn take_suspended() -> bool {
        WAS_SUSPENDED.get() && WAS_SUSPENDED.replace(false)
    }

    /// What one wait for threads knows of those in C.
    #[derive(Debug, Default)]
    pub(crate) struct Suspender {
        seen: Vec<Seen>,
    }

    #[derive(Debug)]
    struct Seen {
        id: libc::pid_t,
        /// When it was first seen, and the time it had used then.
        since: Instant,
        used: Duration,
        signalled: Option<Instant>,
    }

    impl Suspender {
        /// Whether a thread was sent a signal just now.
        pub(crate) fn has_signalled(&self) -> bool {
            self.seen.iter().any(|seen| seen.signalled.is_some_and(|then| then.elapsed() < AGAIN))
        }

        /// Suspends the thread if it has been in C for long. To be called again and again while it is waited for.
        pub(crate) fn look_at(&mut self, thread: &ThreadState) {
            let in_c = &thread.in_c;
            if !in_c.computes() || thread.is_blocked() {
                return;
            }
            let now = Instant::now();
            let Some(seen) = self.seen.iter_mut().find(|seen| seen.id == in_c.id()) else {
                self.seen.push(Seen { id: in_c.id(), since: now, used: in_c.used(), signalled: None });
                return;
            };
            if seen.signalled.is_some_and(|then| now < then + AGAIN) {
                return;
            }
            let used = in_c.used();
            let idle = used == seen.used && now >= seen.since + SLEPT && in_c.sleeps();
            if used >= seen.used + COMPUTED || idle {
                seen.signalled = Some(now);
                in_c.signal();
            }
        }
    }

    /// The signal. Programs hardly use real-time signals, and Ruby has no names for them.
    fn number() -> libc::c_int {
        libc::SIGRTMIN() + 5
    }

    fn install() {
        // SAFETY: the structure is plain data, filled in as sigaction(2) wants it; the handler does what a signal handler
        // may. It fails only for a signal that is none. The handler runs on the thread's own stack, where the registers go.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int) = handle;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(number(), &raw const action, std::ptr::null_mut());
        }
    }

    /// The handler: a safepoint, if the thread is in C.
    extern "C" fn handle(_: libc::c_int) {
        let state = IN_C.get();
        // SAFETY: as `go_in` was promised, until the thread comes out, which it does not do while the handler runs.
        let Some(state) = (unsafe { state.as_ref() }) else { return };
        // SAFETY: the location is this thread's, always.
        let errno = unsafe { *libc::__errno_location() };
        if machine::with_spilled_registers(|stack_pointer| state.stand_still(stack_pointer, || {})) {
            WAS_SUSPENDED.set(true);
        }
        // SAFETY: the same.
        unsafe { *libc::__errno_location() = errno };
    }
}

/// Where there is no such signal, and in models, functions in C are waited for.
#[cfg(not(all(target_os = "linux", not(loom))))]
mod nothing {
    use crate::thread::ThreadState;

    /// What a thread says of itself to those that may suspend it: nothing.
    #[derive(Debug)]
    pub struct InC;

    impl InC {
        pub(crate) fn current() -> Self {
            Self
        }

        pub(crate) fn renew(&self) {}

        pub(crate) fn computes(&self) -> bool {
            false
        }
    }

    /// The calling thread goes into C, or back to it.
    ///
    /// # Safety
    /// None is needed here.
    pub unsafe fn go_in(_: *const ThreadState) {}

    /// The calling thread is in Rust now.
    pub fn come_out() -> *const ThreadState {
        std::ptr::null()
    }

    /// Whether the calling thread was suspended since it was asked last.
    #[must_use]
    pub fn take_suspended() -> bool {
        false
    }

    #[derive(Debug, Default)]
    pub(crate) struct Suspender;

    impl Suspender {
        pub(crate) fn has_signalled(&self) -> bool {
            false
        }

        pub(crate) fn look_at(&mut self, _: &ThreadState) {}
    }
}
