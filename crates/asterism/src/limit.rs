//! How long a call into a VM may take.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

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
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that kills the VM's main thread when a call takes too long.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    limit: Duration,
    watcher: Option<JoinHandle<()>>,
}

impl Watch {
    /// Watches `main`.
    ///
    /// # Errors
    /// If there can be no thread for it.
    pub(crate) fn new(main: Arc<RubyThread>, limit: Duration) -> std::io::Result<Watch> {
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let watcher = std::thread::Builder::new().name("time limit".into()).spawn(move || watch(&theirs, &main))?;
        Ok(Watch { shared, limit, watcher: Some(watcher) })
    }

    /// A call begins.
    pub(crate) fn begin(&self) {
        let mut state = self.shared.lock();
        let waits = state.deadline.is_none();
        state.deadline = Some(Instant::now() + self.limit);
        drop(state);
        if waits {
            self.shared.changed.notify_one();
        }
    }

    /// The call is over; did it, or one before, take too long?
    pub(crate) fn end(&self) -> bool {
        let mut state = self.shared.lock();
        state.deadline = None;
        state.fired
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.changed.notify_one();
        if let Some(watcher) = self.watcher.take() {
            // It does not panic.
            let _ = watcher.join();
        }
    }
}

fn watch(shared: &Shared, main: &RubyThread) {
    let mut state = shared.lock();
    while !state.over {
        let now = Instant::now();
        state = match state.deadline {
            None => shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(deadline) if now < deadline => {
                let (state, _) =
                    shared.changed.wait_timeout(state, deadline - now).unwrap_or_else(PoisonError::into_inner);
                state
            }
            Some(_) => {
                state.deadline = None;
                state.fired = true;
                main.kill();
                state
            }
        };
    }
}
