//! Compiling a long source on a thread that nobody has to wait for.
//!
//! The parser cannot be interrupted. Whoever wants its result waits for a thread that has all it needs for itself, and may
//! leave it alone at any time: that thread then runs only where no other wants the processor, and ends with the next
//! expression that it compiles, or when the parser returns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_lock::{Condvar, Mutex};
use asterism_symbol::Sym;

use crate::code::{CodeKind, Params};
use crate::coverage::Session;
use crate::errors::{CompileError, R};
use crate::own_stack::STACK;
use crate::source::{CommandLine, Compiled, Options, compile_here};

/// A compilation under way. Dropped, it is given up.
#[derive(Debug)]
pub struct Apart {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    progress: Mutex<Progress>,
    /// There is a result, or who waits is to look at something else.
    changed: Condvar,
    /// Nobody wants the result any more.
    abandoned: AtomicBool,
}

#[derive(Debug, Default)]
struct Progress {
    /// What came out, a panic as well.
    result: Option<std::thread::Result<R<Compiled>>>,
    /// The thread, while it runs.
    thread: Option<Thread>,
}

/// A thread as the kernel knows it.
#[derive(Debug)]
struct Thread {
    /// The process it is in: a child that `fork` makes has it not, and the number still means the parent's.
    process: u32,
    number: i32,
}

impl Thread {
    #[cfg(target_os = "linux")]
    fn current() -> Option<Thread> {
        // SAFETY: the call has no preconditions.
        Some(Thread { process: std::process::id(), number: unsafe { libc::gettid() } })
    }

    /// Other systems set the policy of no thread by a number.
    #[cfg(not(target_os = "linux"))]
    fn current() -> Option<Thread> {
        None
    }

    /// Lets every other thread that is ready run before this one. It stays as it is where the system refuses.
    #[cfg(target_os = "linux")]
    fn yield_to_all(&self) {
        if self.process == std::process::id() {
            let priority = libc::sched_param { sched_priority: 0 };
            // SAFETY: `priority` is a whole one that lives through the call, which reads it only.
            unsafe { libc::sched_setscheduler(self.number, libc::SCHED_IDLE, &raw const priority) };
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn yield_to_all(&self) {}
}

/// What `Options` refer to.
struct Owned {
    file: String,
    line: i32,
    kind: CodeKind,
    scopes: Vec<Vec<Sym>>,
    method: Option<(usize, Params)>,
    name: Sym,
    label: String,
    frozen_string_literal: Option<bool>,
    internal: bool,
    command_line: CommandLine,
    keeps_locals: bool,
    encoding: Option<String>,
    coverage: Option<Arc<Session>>,
    is_detached: bool,
    find_encoding: fn(&str) -> Option<(u8, &'static str, bool)>,
}

impl Owned {
    fn new(options: &Options<'_>) -> Owned {
        Owned {
            file: options.file.to_string(),
            line: options.line,
            kind: options.kind,
            scopes: options.scopes.to_vec(),
            method: options.method.map(|(scope, params)| (scope, params.clone())),
            name: options.name,
            label: options.label.to_string(),
            frozen_string_literal: options.frozen_string_literal,
            internal: options.internal,
            command_line: options.command_line,
            keeps_locals: options.keeps_locals,
            encoding: options.encoding.map(str::to_string),
            coverage: options.coverage.cloned(),
            is_detached: options.is_detached,
            find_encoding: options.find_encoding,
        }
    }

    fn options<'a>(&'a self, abandoned: &'a AtomicBool) -> Options<'a> {
        Options {
            file: &self.file,
            line: self.line,
            kind: self.kind,
            scopes: &self.scopes,
            method: self.method.as_ref().map(|(scope, params)| (*scope, params)),
            name: self.name,
            label: &self.label,
            frozen_string_literal: self.frozen_string_literal,
            internal: self.internal,
            command_line: self.command_line,
            stack_left: 0,
            keeps_locals: self.keeps_locals,
            encoding: self.encoding.as_deref(),
            coverage: self.coverage.as_ref(),
            is_detached: self.is_detached,
            find_encoding: self.find_encoding,
            abandoned: Some(abandoned),
        }
    }
}

/// Begins to compile `source`. `held` is dropped when the thread ends, which may be long after anybody waits for it.
///
/// # Errors
/// `CompileError::Limit` if there is no thread to be had.
pub fn compile_apart(source: Vec<u8>, options: &Options<'_>, held: impl Send + 'static) -> Result<Apart, CompileError> {
    let shared = Arc::new(Shared::default());
    let (owned, of_thread) = (Owned::new(options), Arc::clone(&shared));
    let starting = asterism_lock::gate::starting();
    let made = std::thread::Builder::new().name("compile".into()).stack_size(STACK).spawn(move || {
        let _running = starting.begin();
        let _held = held;
        of_thread.progress.lock().thread = Thread::current();
        let result = if of_thread.abandoned.load(Ordering::Relaxed) {
            None
        } else {
            Some(catch_unwind(AssertUnwindSafe(|| compile_here(&source, &owned.options(&of_thread.abandoned)))))
        };
        drop(source);
        let mut progress = of_thread.progress.lock();
        progress.thread = None;
        if !of_thread.abandoned.load(Ordering::Relaxed) {
            progress.result = result;
            of_thread.changed.notify_all();
        }
    });
    match made {
        Ok(_) => Ok(Apart { shared }),
        Err(e) => Err(CompileError::Limit { message: format!("no memory to compile: {e}"), line: 0 }),
    }
}

impl Apart {
    /// Waits until there is a result, or until `enough` says so, which is asked again after each `wake`.
    pub fn wait(&self, enough: impl Fn() -> bool) {
        let mut progress = self.shared.progress.lock();
        while progress.result.is_none() && !enough() {
            self.shared.changed.wait(&mut progress);
        }
    }

    /// Lets who waits ask again whether it is enough. Does not block.
    pub fn wake(&self) {
        let _progress = self.shared.progress.lock();
        self.shared.changed.notify_all();
    }

    /// The result, if there is one.
    pub fn take(&self) -> Option<Result<Compiled, CompileError>> {
        let result = self.shared.progress.lock().result.take()?;
        match result {
            Ok(result) => Some(result),
            Err(payload) => std::panic::resume_unwind(payload),
        }
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        self.shared.abandoned.store(true, Ordering::Relaxed);
        // The thread takes itself off under this lock before it ends, so its number is not another's yet. Who holds it is just
        // beginning or ending, or has stayed behind in the process that has forked this one.
        if let Some(progress) = self.shared.progress.try_lock()
            && let Some(thread) = &progress.thread
        {
            thread.yield_to_all();
        }
    }
}

#[cfg(test)]
#[path = "apart_tests.rs"]
mod tests;
