//! Compiling a long source on a thread that nobody has to wait for.
//!
//! The parser cannot be interrupted. Whoever wants its result waits for a thread that has all it needs for itself, and may
//! leave it alone at any time: that thread then ends with the next expression that it compiles, or when the parser returns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_lock::{Condvar, Mutex};
use asterism_symbol::Sym;

use crate::code::{CodeKind, Params};
use crate::coverage::Session;
use crate::errors::{CompileError, R};
use crate::source::{CommandLine, Compiled, Options, STACK, compile_here};

/// A compilation under way. Dropped, it is given up.
#[derive(Debug)]
pub struct Apart {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// What came out, a panic as well.
    result: Mutex<Option<std::thread::Result<R<Compiled>>>>,
    /// There is a result, or who waits is to look at something else.
    changed: Condvar,
    /// Nobody wants the result any more.
    abandoned: AtomicBool,
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
/// `Limit` if there is no thread to be had.
pub fn compile_apart(source: Vec<u8>, options: &Options<'_>, held: impl Send + 'static) -> Result<Apart, CompileError> {
    let shared = Arc::new(Shared::default());
    let (owned, of_thread) = (Owned::new(options), Arc::clone(&shared));
    let starting = asterism_lock::gate::starting();
    let made = std::thread::Builder::new().name("compile".into()).stack_size(STACK).spawn(move || {
        drop(starting);
        let _held = held;
        let result = catch_unwind(AssertUnwindSafe(|| compile_here(&source, &owned.options(&of_thread.abandoned))));
        drop(source);
        if !of_thread.abandoned.load(Ordering::Relaxed) {
            *of_thread.result.lock() = Some(result);
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
        let mut result = self.shared.result.lock();
        while result.is_none() && !enough() {
            self.shared.changed.wait(&mut result);
        }
    }

    /// Lets who waits ask again whether it is enough. Does not block.
    pub fn wake(&self) {
        let _result = self.shared.result.lock();
        self.shared.changed.notify_all();
    }

    /// The result, if there is one.
    pub fn take(&self) -> Option<Result<Compiled, CompileError>> {
        let result = self.shared.result.lock().take()?;
        match result {
            Ok(result) => Some(result),
            Err(payload) => std::panic::resume_unwind(payload),
        }
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        self.shared.abandoned.store(true, Ordering::Relaxed);
    }
}
