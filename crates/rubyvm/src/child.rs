//! `Child`: what VMs know of each other. It outlives the VM it stands for.

use std::os::fd::OwnedFd;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use asterism_compiler::Code;
use asterism_heap::Account;
use asterism_lock::{Condvar, Mutex};
use asterism_vm::thread::{RubyThread, Sleep, Wake};
use asterism_vm::vm::Memory;
use asterism_vm::{Ec, Res, Vm};

use super::message::Message;
use asterism_system::process::Traps;

/// What a VM runs.
pub enum Program {
    /// A file.
    File(Vec<u8>),
    /// A text, and the name it goes by.
    Source(Vec<u8>, String),
    /// A block that refers to nothing around it; whether it is a lambda.
    Block(Arc<Code>, bool),
}

/// How a VM is made.
pub struct Spec {
    /// What it runs.
    pub program: Program,
    /// Its `ARGV`.
    pub argv: Vec<Vec<u8>>,
    /// Directories in front of its `$LOAD_PATH`.
    pub load_path: Vec<Vec<u8>>,
    /// Where the standard library is.
    pub library: Option<Arc<[Vec<u8>]>>,
    /// Libraries to require first.
    pub requires: Vec<Vec<u8>>,
    /// `$VERBOSE`, if given.
    pub verbose: Option<Option<bool>>,
    /// Most bytes of its heap.
    pub memory_limit: Option<usize>,
    /// How long it may run.
    pub time_limit: Option<Duration>,
    /// The methods by which it may change the process.
    pub may_change: Arc<[Box<str>]>,
    /// It loads copies of C extensions that are its own.
    pub copy_extensions: bool,
    /// Where its creator's memory is counted, if that is limited.
    pub account: Option<Arc<Account>>,
    /// Collects at every allocation.
    pub gc_stress: bool,
    /// Whether locks are counted: its maker's setting.
    pub lock_stats: bool,
    /// Whether races are told of: its maker's setting.
    pub race_report: bool,
    /// Whether one thread runs at a time: its maker's setting.
    pub no_parallel: bool,
    /// Where its profile goes: its maker's setting.
    pub profile: Option<Arc<asterism_vm::profile::Sink>>,
    /// Where the spans of its threads go: its maker's setting.
    pub trace: Option<Arc<asterism_vm::timeline::Timeline>>,
    /// See `asterism_vm::Options`.
    pub jit: Option<asterism_vm::jit::Jit>,
    /// See `asterism_vm::Options`.
    pub memory: Option<&'static Memory>,
    /// Its standard streams, where they are not the process's.
    pub streams: [Option<OwnedFd>; 3],
    /// The directory it starts in, where that is not the one of who starts it.
    pub directory: Option<Vec<u8>>,
    /// Changes to its `ENV`: a Hash.
    pub environment: Message,
}

/// How a VM ended.
pub enum Outcome {
    /// Its program's value.
    Value(Message),
    /// It came to its end, but its program's value cannot travel: the error that says why.
    NoValue(Message),
    /// The exception that ended it; nil if that could not be told.
    Error(Message),
    /// `exit` with this status.
    Exit(i32),
    /// It was killed.
    Killed,
    /// It ran longer than it may.
    OutOfTime,
    /// The implementation has failed in its native thread.
    Failed,
}

/// What is protected by a child's lock. No safepoint under it.
struct Inner {
    spec: Option<Box<Spec>>,
    started: bool,
    /// Its main thread and itself, while it runs.
    running: Option<(Arc<RubyThread>, Weak<Vm>)>,
    /// It is to end; whether because its time is over.
    doomed: Option<bool>,
    /// A native thread sees to it that it ends.
    insisted: bool,
    waiters: Vec<Arc<RubyThread>>,
    /// VMs that it has started and that end with it: all, if it is limited.
    dependents: Vec<Weak<Child>>,
}

/// How long the ensure clauses and exit handlers of a VM that is to end may take.
pub const LAST_WORDS: Duration = Duration::from_secs(1);

/// One VM of the process, as the others see it.
pub struct Child {
    /// Its name.
    pub name: String,
    /// Tells it from the process's others; the main VM's is 0.
    pub number: u64,
    /// It or a VM above it may take so much memory or time only: what it starts ends with it.
    pub limited: bool,
    /// How it ended. Set once, under the lock. Beside it and not in a box: what the VM's own thread allocates lies in its nursery,
    /// of which a handle must not keep a page.
    outcome: OnceLock<Outcome>,
    inner: Mutex<Inner>,
    /// It has ended. For native threads that belong to no VM any more.
    end: Condvar,
}

impl Child {
    /// A VM that has not started.
    pub fn new(name: String, number: u64, limited: bool, spec: Option<Box<Spec>>) -> Child {
        let inner = Inner {
            spec,
            started: false,
            running: None,
            doomed: None,
            insisted: false,
            waiters: Vec::new(),
            dependents: Vec::new(),
        };
        Child { name, number, limited, outcome: OnceLock::new(), inner: Mutex::new(inner), end: Condvar::new() }
    }

    /// Takes what it is to run; `None`: it was started, or killed, before.
    pub(super) fn begin(&self) -> Option<Box<Spec>> {
        let mut inner = self.inner.lock();
        if inner.started || inner.doomed.is_some() {
            return None;
        }
        inner.started = true;
        inner.spec.take()
    }

    /// Was it started?
    pub fn is_started(&self) -> bool {
        self.inner.lock().started
    }

    /// It runs on this thread from now on.
    pub fn running(&self, ec: &Ec) {
        let mut inner = self.inner.lock();
        inner.started = true;
        if inner.doomed.is_some() {
            ec.thread.handle.kill();
        }
        inner.running = Some((ec.thread.handle.clone(), Arc::downgrade(&ec.vm_arc())));
    }

    /// Its VM can't be reached any more: it is about to go.
    pub fn leaving(&self) {
        self.inner.lock().running = None;
    }

    /// It has ended, and nothing of it is left.
    pub fn ended(&self, outcome: Outcome) {
        let waiters = {
            let mut inner = self.inner.lock();
            inner.running = None;
            let outcome = if inner.doomed == Some(true) { Outcome::OutOfTime } else { outcome };
            // Nobody else sets it: only what never started is ended by `kill`.
            let _ = self.outcome.set(outcome);
            self.end.notify_all();
            std::mem::take(&mut inner.waiters)
        };
        for waiter in waiters {
            waiter.unpark();
        }
    }

    /// The implementation has failed in its native thread: its other threads are to end, and nobody waits for it any more.
    pub fn failed(&self) {
        let vm = self.inner.lock().running.as_ref().and_then(|(_, vm)| vm.upgrade());
        if let Some(vm) = vm {
            vm.threads.living().iter().for_each(|thread| thread.kill());
        }
        self.ended(Outcome::Failed);
    }

    /// Its main thread from here on, in a process that this one has forked.
    pub(super) fn goes_on_as(&self, thread: Arc<RubyThread>) {
        if let Some((main, _)) = &mut self.inner.lock().running {
            *main = thread;
        }
    }

    /// A fork has left it behind: in this process it has ended.
    pub(super) fn lost_by_fork(&self) {
        self.inner.lock().waiters.clear();
        self.ended(Outcome::Killed);
    }

    /// Has started a VM that is to end with it.
    pub(super) fn adopt(&self, child: &Arc<Child>) {
        let mut inner = self.inner.lock();
        inner.dependents.retain(|child| child.strong_count() > 0);
        inner.dependents.push(Arc::downgrade(child));
    }

    /// Ends the VMs that are to end with it, which starts none any more, and waits for them. Each has `patience` for its last words.
    pub fn end_dependents(&self, patience: Duration) {
        let dependents = std::mem::take(&mut self.inner.lock().dependents);
        let dependents: Vec<Arc<Child>> = dependents.iter().filter_map(Weak::upgrade).collect();
        dependents.iter().for_each(|child| child.kill(false));
        for child in dependents {
            child.see_end(patience);
        }
    }

    /// Waits until it has ended, and insists on that each time its patience is over.
    fn see_end(&self, patience: Duration) {
        let mut inner = self.inner.lock();
        while self.outcome.get().is_none() {
            if self.end.wait_for(&mut inner, patience).timed_out() {
                drop(inner);
                self.insist();
                inner = self.inner.lock();
            }
        }
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.get()
    }

    /// Ends it: its ensure clauses run. A second time it ends what it does because of the first.
    pub fn kill(&self, out_of_time: bool) {
        let mut inner = self.inner.lock();
        if self.outcome.get().is_some() {
            return;
        }
        inner.doomed.get_or_insert(out_of_time);
        if let Some((thread, _)) = &inner.running {
            thread.kill();
        }
        if !inner.started {
            // It was not set: that was looked at under this lock.
            let _ = self.outcome.set(Outcome::Killed);
            inner.spec = None;
        }
    }

    /// Ends what it still does after its time is over: ensure clauses, exit handlers, threads that let nobody interrupt them.
    /// Whether there is nothing more to be ended.
    pub fn insist(&self) -> bool {
        let vm = self.inner.lock().running.as_ref().and_then(|(_, vm)| vm.upgrade());
        if let Some(vm) = vm {
            vm.threads.living().iter().for_each(|thread| thread.kill_by_force());
        }
        self.outcome.get().is_some()
    }

    /// Ends it as `kill` does. What it does then, ensure clauses, exit handlers, finalizers, may take so long, and is ended by force
    /// behind that.
    pub fn kill_within(self: &Arc<Child>, patience: Duration) {
        self.kill(false);
        {
            let mut inner = self.inner.lock();
            if self.outcome.get().is_some() || std::mem::replace(&mut inner.insisted, true) {
                return;
            }
        }
        let child = Arc::clone(self);
        let starting = asterism_lock::gate::starting();
        let watcher = move || {
            let _running = starting.begin();
            child.see_end(patience);
        };
        if std::thread::Builder::new().name("kill".into()).spawn(watcher).is_err() {
            // Nobody can wait for its last words.
            self.insist();
        }
    }

    /// The VM itself, while it runs.
    pub(super) fn vm(&self) -> Option<Arc<Vm>> {
        self.inner.lock().running.as_ref().and_then(|(_, vm)| vm.upgrade())
    }

    /// Hands it a signal; `false` if it does not run.
    pub fn signal(&self, number: i32) -> bool {
        self.vm().map(|vm| vm.threads.signal_main(number)).is_some()
    }

    /// Hands it a signal of the process, if it has a trap for that. Any native thread may call it.
    pub(super) fn signal_trapped(&self, number: i32) {
        if let Some(vm) = self.vm()
            && vm.part_if_made::<Traps>().is_some_and(|traps| traps.traps(number))
        {
            vm.threads.signal_main(number);
        }
    }

    /// What its main thread is doing.
    pub fn main_thread(&self) -> Option<Arc<RubyThread>> {
        self.inner.lock().running.as_ref().map(|(thread, _)| thread.clone())
    }

    /// Is it to end?
    pub fn is_doomed(&self) -> bool {
        self.inner.lock().doomed.is_some()
    }

    /// Waits for its end; `None` if that did not come before the deadline.
    ///
    /// # Errors
    /// What is raised into the waiting thread, see `Ec::check_blocking`.
    pub fn wait(&self, ec: &mut Ec, deadline: Option<Instant>) -> Res<Option<&Outcome>> {
        let me = ec.thread.handle.clone();
        let sleep = deadline.map_or(Sleep::Forever, Sleep::Until);
        loop {
            if let Some(outcome) = self.outcome() {
                return Ok(Some(outcome));
            }
            ec.check_blocking()?;
            {
                let mut inner = self.inner.lock();
                if self.outcome.get().is_some() {
                    continue;
                }
                me.prepare_wait(false);
                inner.waiters.push(me.clone());
            }
            let wake = ec.park(sleep);
            self.inner.lock().waiters.retain(|other| !Arc::ptr_eq(other, &me));
            ec.check_blocking()?;
            if wake == Wake::TimedOut {
                return Ok(self.outcome());
            }
        }
    }
}
