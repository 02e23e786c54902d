//! `GiveWay`: threads that compute in a blocking region leave their processors to those that a stop waits for.
//!
//! Nobody waits for a thread in a blocking region, but it may sit on the processor that a Running thread needs in order to
//! reach its next safepoint: with more threads than processors a stop then takes as long as the kernel lets the other
//! one go on, a tick or two of some milliseconds. So the stopping thread sends those that compute a signal, whose
//! handler sleeps until the world stands still, or for `LONGEST`: the thread may hold a lock of the allocator's that a
//! Running one is waiting for. (Go preempts its goroutines by a signal, for another purpose:
//! <https://go.googlesource.com/proposal/+/master/design/24543-non-cooperative-preemption.md>.)
//!
//! Only threads inside `Mutator::computing` get the signal, and those that have left it the moment before: system calls
//! that it interrupts are restarted, or report EINTR to code that any other signal may interrupt as well.

use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(all(target_os = "linux", not(loom)))]
pub(crate) use signal::{GiveWay, Native};

#[cfg(not(all(target_os = "linux", not(loom))))]
pub(crate) use nothing::{GiveWay, Native};

/// How many threads can really run at once. Asked late: it costs several system calls, and a short program never collects.
pub(crate) fn processors() -> usize {
    // 0: not known yet.
    static PROCESSORS: AtomicUsize = AtomicUsize::new(0);
    match PROCESSORS.load(Ordering::Relaxed) {
        0 => {
            let number = std::thread::available_parallelism().map_or(1, usize::from);
            PROCESSORS.store(number, Ordering::Relaxed);
            number
        }
        known => known,
    }
}

#[cfg(all(target_os = "linux", not(loom)))]
mod signal {
    use std::cell::Cell;
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

    use rustix::thread::futex::{self, Flags, Timespec};

    /// Nobody is to give way.
    const IDLE: u32 = 0;
    /// Threads that compute are to sleep.
    const ASKED: u32 = 1;
    /// How long a thread gives way at most.
    const LONGEST: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };

    /// The handler is there.
    static INSTALLED: Once = Once::new();

    thread_local! {
        /// The word of the world that this thread computes beside; null while it does not.
        static BESIDE: Cell<*const AtomicU32> = const { Cell::new(std::ptr::null()) };
    }

    /// Whether threads are to give way. One for each world.
    #[derive(Debug, Default)]
    pub(crate) struct GiveWay {
        word: AtomicU32,
    }

    /// What a thread says of itself to those that may ask it to give way.
    #[derive(Debug)]
    pub(crate) struct Native {
        /// The kernel's number of the thread. Written by the thread, when it begins and after a fork.
        id: AtomicI32,
        /// It computes in a blocking region. Written by the thread; a hint to others.
        computing: AtomicBool,
    }

    impl Native {
        /// The calling thread.
        pub(crate) fn current() -> Self {
            // SAFETY: the call has no preconditions.
            Self { id: AtomicI32::new(unsafe { libc::gettid() }), computing: AtomicBool::new(false) }
        }

        /// The calling thread is this one still, in another process.
        pub(crate) fn renew(&self) {
            // SAFETY: the call has no preconditions.
            self.id.store(unsafe { libc::gettid() }, Ordering::Relaxed);
        }

        /// Whether the thread computes in a blocking region.
        pub(crate) fn is_computing(&self) -> bool {
            self.computing.load(Ordering::Relaxed)
        }
    }

    /// The signal. Programs hardly use real-time signals, and Ruby has no names for them.
    fn number() -> libc::c_int {
        libc::SIGRTMIN() + 6
    }

    impl GiveWay {
        /// Runs `f`, during which the calling thread, which is `native`, may be asked to give way. This word has to live
        /// as long.
        pub(crate) fn computing<R>(&self, native: &Native, f: impl FnOnce() -> R) -> R {
            struct Done<'a>(&'a Native);
            impl Drop for Done<'_> {
                fn drop(&mut self) {
                    self.0.computing.store(false, Ordering::Relaxed);
                    BESIDE.set(std::ptr::null());
                }
            }
            asterism_lock::once::call(&INSTALLED, install);
            BESIDE.set(&raw const self.word);
            native.computing.store(true, Ordering::Relaxed);
            let _done = Done(native);
            f()
        }

        /// Asks these threads to give way. A thread that has ended meanwhile is not there to be asked.
        pub(crate) fn ask<'a>(&self, threads: impl Iterator<Item = &'a Native>) {
            self.word.store(ASKED, Ordering::Release);
            for native in threads {
                // SAFETY: the call sends a signal that has a handler to a thread of this process, if there is one.
                unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), native.id.load(Ordering::Relaxed), number()) };
            }
        }

        /// What the threads were asked for is over.
        pub(crate) fn over(&self) {
            if self.word.swap(IDLE, Ordering::AcqRel) == ASKED {
                // It fails only for an address that is none.
                let _ = futex::wake(&self.word, Flags::PRIVATE, i32::MAX as u32);
            }
        }
    }

    fn install() {
        // SAFETY: the structure is plain data, filled in as sigaction(2) wants it; the handler does what a signal handler
        // may. It fails only for a signal that is none.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int) = handle;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
            libc::sigaction(number(), &raw const action, std::ptr::null_mut());
        }
    }

    /// The handler: sleeps while the thread is asked to.
    extern "C" fn handle(_: libc::c_int) {
        let word = BESIDE.get();
        // SAFETY: a word that is set lives as long as it is set: `computing` borrows it.
        let Some(word) = (unsafe { word.as_ref() }) else { return };
        if word.load(Ordering::Acquire) == ASKED {
            // SAFETY: the location is this thread's, always.
            let errno = unsafe { *libc::__errno_location() };
            // Whatever ends it, the thread goes on.
            let _ = futex::wait(word, Flags::PRIVATE, ASKED, Some(&LONGEST));
            // SAFETY: the same.
            unsafe { *libc::__errno_location() = errno };
        }
    }
}

/// Where there is no such signal, and in models, nobody gives way.
#[cfg(not(all(target_os = "linux", not(loom))))]
mod nothing {
    #[derive(Debug, Default)]
    pub(crate) struct GiveWay;

    #[derive(Debug)]
    pub(crate) struct Native;

    impl Native {
        pub(crate) fn current() -> Self {
            Self
        }

        pub(crate) fn renew(&self) {}

        pub(crate) fn is_computing(&self) -> bool {
            false
        }
    }

    impl GiveWay {
        pub(crate) fn computing<R>(&self, _: &Native, f: impl FnOnce() -> R) -> R {
            f()
        }

        pub(crate) fn ask<'a>(&self, _: impl Iterator<Item = &'a Native>) {}

        pub(crate) fn over(&self) {}
    }
}
