//! How long a call into a VM may take.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use asterism_lock::{Condvar, Mutex, gate};
use asterism_vm::Ec;
use asterism_vm::thread::RubyThread;

/// What is protected by the lock.
#[derive(Default)]
struct State {
    /// When the call under way has to be over.
    deadline: Option<Instant>,
    /// A call took too long.
    fired: bool,
    /// The VM is gone.
    over: bool,
    /// The thread that watches.
    watcher: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn start(self: &Arc<Self>, main: Arc<RubyThread>) -> std::io::Result<()> {
        let theirs = self.clone();
        let starting = gate::starting();
        let watcher = std::thread::Builder::new().name("time limit".into()).spawn(move || {
            let _running = starting.begin();
            watch(&theirs, &main);
        })?;
        self.state.lock().watcher = Some(watcher);
        Ok(())
    }
}

/// A thread that kills the VM's main thread when a call takes too long.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    limit: Duration,
}

impl Watch {
    /// Watches the main thread of a VM, also in processes that are forked from this one.
    ///
    /// # Errors
    /// The `std::io::Error` of starting a thread: EAGAIN.
    pub(crate) fn new(ec: &Ec, limit: Duration) -> std::io::Result<Watch> {
        let shared = Arc::new(Shared::default());
        shared.start(ec.thread.handle.clone())?;
        let theirs = shared.clone();
        ec.vm().at_fork.set(move |ec| {
            // There is no thread to be joined.
            std::mem::forget(theirs.state.lock().watcher.take());
            let main = ec.thread.handle.clone();
            if theirs.start(main.clone()).is_err() {
                // A VM must not run longer than it may because nobody can watch it.
                main.kill();
            }
        });
        Ok(Watch { shared, limit })
    }

    /// A call begins.
    pub(crate) fn begin(&self) {
        let mut state = self.shared.state.lock();
        let waits = state.deadline.is_none();
        state.deadline = Some(Instant::now() + self.limit);
        drop(state);
        if waits {
            self.shared.changed.notify_one();
        }
    }

    /// The call is over; did it, or one before, take too long?
    pub(crate) fn end(&self) -> bool {
        let mut state = self.shared.state.lock();
        state.deadline = None;
        state.fired
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let watcher = {
            let mut state = self.shared.state.lock();
            state.over = true;
            state.watcher.take()
        };
        self.shared.changed.notify_one();
        if let Some(watcher) = watcher {
            // It does not panic.
            let _ = watcher.join();
        }
    }
}

fn watch(shared: &Shared, main: &RubyThread) {
    let mut state = shared.state.lock();
    while !state.over {
        let now = Instant::now();
        match state.deadline {
            None => shared.changed.wait(&mut state),
            Some(deadline) if now < deadline => {
                shared.changed.wait_until(&mut state, deadline);
            }
            Some(_) => {
                state.deadline = None;
                state.fired = true;
                main.kill();
            }
        }
    }
}
