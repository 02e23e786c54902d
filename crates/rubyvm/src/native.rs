//! The native threads of VMs.
//!
//! `std::thread` tells a process-wide table of each thread before it calls its closure, and makes a signal stack for it. The first
//! would be an allocation outside of the VM's nursery, for which the allocator keeps some twelve kilobytes a thread; the second
//! are four system calls. What they are for is that a thread that runs into the end of its machine stack says so before it
//! dies. The VMs' threads check how much is left, as every thread of Ruby does.
//!
//! Each thread that ends joins the one that ended before it. So who has joined the last one knows that all are gone, with all that
//! the C library had for them, and there is never more than one whose stack lies idle. The C library would keep a dozen.

use std::ffi::c_void;
use std::io;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::time::Instant;

use asterism_lock::{Condvar, Mutex};
use asterism_vm::thread::MACHINE_STACK;
use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};

/// Bytes below a machine stack that nobody can touch. No system has larger pages.
const GUARD: usize = 64 << 10;
/// Bytes of an idle machine stack, from its high end, that stay in memory: the next thread touches them at once.
const TOP: usize = 16 << 10;

/// What a thread runs. It has to hand the thread over to `Threads::leave` before it returns.
pub(super) type Body = Box<dyn FnOnce(Thread) + Send>;

/// The threads of a family of VMs.
#[derive(Default)]
pub(super) struct Threads {
    of_all: Mutex<OfAll>,
    /// Nobody is living any more. Goes with the lock of `of_all`.
    none_left: Condvar,
    /// A machine stack that is not in use. Protected by the lock.
    spare: Mutex<Option<Stack>>,
}

#[derive(Default)]
struct OfAll {
    /// Threads that have not called `leave`.
    living: usize,
    /// The one that called it last.
    last: Option<Thread>,
}

/// A native thread, which somebody has to join.
pub(super) struct Thread {
    number: libc::pthread_t,
    /// What it runs on. Who drops this without joining the thread leaves it alone.
    stack: ManuallyDrop<Stack>,
}

/// Memory for a machine stack: `GUARD` bytes that cannot be touched, and `MACHINE_STACK` bytes above them.
struct Stack(*mut c_void);

// SAFETY: the memory is nobody else's; that a thread runs on it is known by its `Thread`.
unsafe impl Send for Stack {}

/// What a new thread gets.
struct Start {
    body: Body,
    stack: Stack,
}

impl Threads {
    /// Runs `body` on a new native thread.
    ///
    /// # Errors
    /// The `std::io::Error` of mmap(2), ENOMEM, or of pthread_create(3), EAGAIN.
    pub(super) fn spawn(&self, body: Body) -> io::Result<()> {
        let spare = self.spare.lock().take();
        let stack = match spare {
            Some(stack) => stack,
            None => Stack::new()?,
        };
        let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
        // SAFETY: the attributes are initialised here, before anything reads them.
        check(unsafe { libc::pthread_attr_init(attributes.as_mut_ptr()) })?;
        let lowest = stack.lowest();
        let start = Box::into_raw(Box::new(Start { body, stack }));
        self.of_all.lock().living += 1;
        let mut number = MaybeUninit::<libc::pthread_t>::uninit();
        // SAFETY: the attributes were initialised above, and are destroyed once; the stack is in nobody's use and stays until the
        // thread has been joined.
        let made = unsafe {
            let attributes = attributes.as_mut_ptr();
            let made = check(libc::pthread_attr_setstack(attributes, lowest, MACHINE_STACK))
                .and_then(|()| check(libc::pthread_create(number.as_mut_ptr(), attributes, run, start.cast())));
            libc::pthread_attr_destroy(attributes);
            made
        };
        if made.is_err() {
            self.of_all.lock().living -= 1;
            // SAFETY: it came from `into_raw` above, and no thread has got it.
            drop(unsafe { Box::from_raw(start) });
        }
        made
    }

    /// The calling thread, which is about to end: those that called this before are gone when it returns. `true`: nobody else
    /// was left.
    pub(super) fn leave(&self, me: Thread) -> bool {
        let mut all = self.of_all.lock();
        let before = all.last.replace(me);
        all.living -= 1;
        let none_left = all.living == 0;
        if none_left {
            self.none_left.notify_all();
        }
        drop(all);
        self.reap(before);
        none_left
    }

    /// In a process that was forked: there are no others; `is_one`: the calling thread is one of these.
    pub(super) fn forget_others(&self, is_one: bool) {
        let mut all = self.of_all.lock();
        all.living = usize::from(is_one);
        // There is no thread to be joined, and its stack is left alone.
        all.last = None;
    }

    /// Waits until those that have called `leave` are gone.
    pub(super) fn wait(&self) {
        let last = self.of_all.lock().last.take();
        self.reap(last);
    }

    /// Waits until all are gone, or for those that have called `leave` by then.
    pub(super) fn wait_for_all(&self, deadline: Instant) {
        let mut all = self.of_all.lock();
        while all.living > 0 && !self.none_left.wait_until(&mut all, deadline).timed_out() {}
        let last = all.last.take();
        drop(all);
        self.reap(last);
    }

    fn reap(&self, thread: Option<Thread>) {
        let Some(Thread { number, stack }) = thread else { return };
        // SAFETY: there is one `Thread` for each native one, all of which are joinable, and it has been taken apart.
        let code = unsafe { libc::pthread_join(number, ptr::null_mut()) };
        assert_eq!(code, 0, "a thread that cannot be joined");
        stack.clear();
        // An older one that lies idle is freed.
        *self.spare.lock() = Some(ManuallyDrop::into_inner(stack));
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        let Some(last) = self.of_all.get_mut().last.take() else { return };
        // SAFETY: the call has no preconditions.
        if last.number == unsafe { libc::pthread_self() } {
            // The last VM outlived the others' owner, and is about to end. Nobody is left to give its stack back.
            // SAFETY: nobody has joined it or will, since its `Thread` was taken.
            unsafe { libc::pthread_detach(last.number) };
        } else {
            self.reap(Some(last));
        }
    }
}

impl Stack {
    fn new() -> io::Result<Stack> {
        let kind = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::STACK;
        // SAFETY: a new private mapping at an address of the system's choice touches no memory of anybody.
        let start =
            unsafe { rustix::mm::mmap_anonymous(ptr::null_mut(), GUARD + MACHINE_STACK, ProtFlags::empty(), kind)? };
        let stack = Stack(start);
        // SAFETY: the range is that of the mapping above, but for the guard.
        unsafe {
            rustix::mm::mprotect(stack.lowest(), MACHINE_STACK, MprotectFlags::READ | MprotectFlags::WRITE)?;
        }
        Ok(stack)
    }

    fn lowest(&self) -> *mut c_void {
        self.0.wrapping_byte_add(GUARD)
    }

    /// Gives back what a thread that went deep has touched.
    fn clear(&self) {
        // SAFETY: no thread runs on it, and the next one expects nothing of what is there. If it fails it stays in memory.
        let _ = unsafe { rustix::mm::madvise(self.lowest(), MACHINE_STACK - TOP, Advice::LinuxDontNeed) };
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: it is the mapping of `new`, and no thread runs on it.
        let freed = unsafe { rustix::mm::munmap(self.0, GUARD + MACHINE_STACK) };
        debug_assert!(freed.is_ok(), "{freed:?}");
    }
}

fn check(code: i32) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) }
}

extern "C" fn run(start: *mut c_void) -> *mut c_void {
    // SAFETY: `spawn` made it of a box, for this thread alone.
    let Start { body, stack } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    // SAFETY: the call has no preconditions.
    let me = Thread { number: unsafe { libc::pthread_self() }, stack: ManuallyDrop::new(stack) };
    // The hook has told of a panic; as with `std::thread` the process goes on.
    let _ = catch_unwind(AssertUnwindSafe(move || body(me)));
    ptr::null_mut()
}
