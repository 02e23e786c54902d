//! System calls in C that other threads interrupt: `RUBY_UBF_IO`. A signal that does nothing ends them with `EINTR`.

use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use asterism_lock::Mutex;

/// How often the thread is sent the signal until it has noticed: the first one may come before the system call begins.
const AGAIN: Duration = Duration::from_millis(5);

fn number() -> libc::c_int {
    libc::SIGRTMIN() + 7
}

extern "C" fn nothing(_signal: libc::c_int) {}

/// Sees to the signal's doing nothing, without `SA_RESTART`.
fn install() {
    static INSTALLED: Once = Once::new();
    asterism_lock::once::call(&INSTALLED, || {
        // SAFETY: a zeroed `sigaction` is a valid one, and the handler does nothing.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = nothing as extern "C" fn(libc::c_int) as usize;
            libc::sigaction(number(), &raw const action, ptr::null_mut());
        }
    });
}

/// What a thread does in C, as who interrupts it sees it.
pub struct SystemCall {
    shared: Arc<Shared>,
}

struct Shared {
    thread: libc::pthread_t,
    /// It is over, and the thread perhaps too. The signal is sent under the lock.
    over: Mutex<bool>,
    /// Somebody sends it already.
    sending: AtomicBool,
}

impl SystemCall {
    /// The calling thread's.
    pub fn new() -> SystemCall {
        install();
        // SAFETY: a question without conditions.
        let thread = unsafe { libc::pthread_self() };
        SystemCall { shared: Arc::new(Shared { thread, over: Mutex::new(false), sending: AtomicBool::new(false) }) }
    }

    /// Interrupts it, from any thread, and again until it is over.
    pub fn interrupt(&self) {
        if self.shared.sending.swap(true, Ordering::AcqRel) {
            return;
        }
        self.shared.send();
        let shared = Arc::clone(&self.shared);
        let starting = asterism_lock::gate::starting();
        let again = move || {
            let _running = starting.begin();
            while shared.send() {
                std::thread::sleep(AGAIN);
            }
        };
        // Without a thread the one signal has to do.
        drop(std::thread::Builder::new().name("interrupt".into()).stack_size(64 << 10).spawn(again));
    }

    /// It is over.
    pub fn end(&self) {
        *self.shared.over.lock() = true;
    }
}

impl Drop for SystemCall {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    /// Sends the signal, unless it is over; whether it was sent.
    fn send(&self) -> bool {
        let over = self.over.lock();
        if *over {
            return false;
        }
        // SAFETY: the thread is in the call, which it cannot leave while the lock is held.
        unsafe { libc::pthread_kill(self.thread, number()) };
        true
    }
}
