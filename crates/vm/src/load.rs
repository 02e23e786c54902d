//! Running source: the main script, required files, the prelude; autoload.

use std::sync::Arc;

use asterism_compiler::code::Code;
use asterism_compiler::{CodeKind, CompileError, Compiled, Options};
use asterism_heap::Charge;
use asterism_object::Value;
use asterism_support::encoding::Encoding;

use crate::coverage;
use crate::ec::{Ec, Raised, Res};
use crate::error::Exc;
use crate::frame::NewFrame;
use crate::frame::{self, Cont, state};
use crate::interp::trace::Event;
use crate::iseq::Iseq;
pub use crate::thread::at_exit;
use crate::vm::Root;
pub use crate::warning::{warn, warn_at, warn_deprecated, warn_experimental};

fn find_encoding(name: &str) -> Option<(u8, &'static str, bool)> {
    let bare = name.strip_suffix("-unix").or_else(|| name.strip_suffix("-dos")).or_else(|| name.strip_suffix("-mac"));
    let found = Encoding::find(name.as_bytes()).or_else(|| bare.and_then(|n| Encoding::find(n.as_bytes())));
    found.map(|e| (e.index(), e.name(), e.is_ascii_compatible()))
}

/// A source from this many bytes on is compiled where it can be interrupted. A shorter one takes a few milliseconds at most, and
/// starting a thread more than compiling most of them.
const LONG_SOURCE: usize = 16 << 10;

/// Bytes of memory that compiling takes for a byte of source, in a text that is all short expressions.
const TREE: usize = 32;

impl Ec {
    /// Compiles a file's source.
    ///
    /// # Errors
    /// SyntaxError.
    pub fn compile_file(&mut self, source: &[u8], file: &str, kind: CodeKind, internal: bool) -> Res<Arc<Code>> {
        let options = Options { internal, ..Options::new(file, kind) };
        self.compile(source, &options)
    }

    /// Compiles with all options.
    ///
    /// # Errors
    /// SyntaxError; ArgumentError for an encoding that there is not; NotImplementedError for what the compiler does not
    /// know yet; NoMemoryError; what `Warning.warn` raises; what is raised into the thread while it waits for a long
    /// source.
    pub fn compile(&mut self, source: &[u8], options: &Options<'_>) -> Res<Arc<Code>> {
        let session = coverage::session(self);
        self.compile_with(source, &Options { coverage: session.as_ref(), ..*options })
    }

    /// As `compile`, measured as the options say.
    ///
    /// # Errors
    /// As `compile`.
    pub(crate) fn compile_with(&mut self, source: &[u8], options: &Options<'_>) -> Res<Arc<Code>> {
        self.ensure_memory()?;
        let tree = self.charge(source.len().saturating_mul(TREE))?;
        let stack_left = self.worker.stack_left();
        let frozen_string_literal = match options.internal {
            true => options.frozen_string_literal,
            false => options.frozen_string_literal.or(self.vm().options.frozen_string_literal),
        };
        let options = &Options { stack_left, frozen_string_literal, find_encoding, ..*options };
        let result = if source.len() < LONG_SOURCE {
            asterism_compiler::compile(source, options)
        } else {
            self.compile_apart(source, options, tree)?
        };
        match result {
            Ok(compiled) => {
                let verbose = self.vm().verbose.load(std::sync::atomic::Ordering::Relaxed);
                for warning in &compiled.warnings {
                    if verbose == 2 || verbose == 1 && !warning.verbose_only {
                        warn_at(self, options.file, warning.line, &warning.message)?;
                    }
                }
                for regexp in &compiled.regexps {
                    self.poll()?;
                    if let Some(message) = (self.vm().hooks.check_regexp)(self, regexp, options.file)? {
                        let error = CompileError::Syntax { line: regexp.line, message };
                        return Err(self.compile_error(options, error));
                    }
                }
                if self.heap().account().is_some() {
                    self.charge_code(&compiled.code)?;
                }
                Ok(compiled.code)
            }
            Err(error) => Err(self.compile_error(options, error)),
        }
    }

    /// Counts the memory of code and of what is nested in it.
    fn charge_code(&mut self, code: &Arc<Code>) -> Res<()> {
        let mut left = vec![Arc::clone(code)];
        while let Some(code) = left.pop() {
            let mut charge = self.new_charge();
            self.recharge(&mut charge, code.bytes())?;
            code.held.keep(Box::new(charge));
            left.extend(code.children.iter().filter_map(|child| child.read().cloned()));
        }
        Ok(())
    }

    /// Compiles a long source on a thread of its own: interrupts are handled meanwhile, and what they raise ends the wait for
    /// it. `tree` stands for its memory.
    fn compile_apart(
        &mut self,
        source: &[u8],
        options: &Options<'_>,
        tree: Charge,
    ) -> Res<Result<Compiled, CompileError>> {
        let mut tree = Some(tree);
        loop {
            let process = std::process::id();
            let apart = match asterism_compiler::compile_apart(source.to_vec(), options, tree.take()) {
                Ok(apart) => apart,
                Err(error) => return Ok(Err(error)),
            };
            let state = self.state().clone();
            loop {
                // It is not entered when there is something to be done already.
                let _ = self.interruptible(&|| apart.wake(), |_| apart.wait(|| state.interrupts().pending() != 0));
                if let Some(result) = apart.take() {
                    return Ok(result);
                }
                self.poll()?;
                if std::process::id() != process {
                    // A handler has forked, and this process has not that thread.
                    break;
                }
            }
        }
    }

    /// The exception for a compile error.
    pub fn compile_error(&mut self, options: &Options<'_>, error: CompileError) -> Raised {
        match error {
            CompileError::Syntax { line, message } => {
                let raised = self.raise(Exc::SyntaxError, format!("{}:{line}: {message}", options.file));
                if let Some(e) = self.pending_exception() {
                    let noted = self
                        .str(options.file)
                        .and_then(|file| self.ivar_put(e, asterism_symbol::intern("@path"), file));
                    if let Err(raised) = noted {
                        return raised;
                    }
                }
                raised
            }
            CompileError::Argument { message, .. } => self.raise(Exc::ArgumentError, message),
            CompileError::Limit { line, message } => {
                self.raise(Exc::SyntaxError, format!("{}:{line}: {message}", options.file))
            }
            CompileError::NotSupported { node, line } => {
                self.not_implemented(format!("{}:{line}: {node} is not supported yet", options.file))
            }
        }
    }

    /// Runs code at top level.
    ///
    /// # Errors
    /// What the code raises; RegexpError for a regexp literal the engine refuses; SystemStackError, NoMemoryError.
    pub fn run_top(&mut self, code: &Arc<Code>, self_val: Value, cref: Value) -> Res {
        self.run_top_with(code, self_val, cref, |_, _| Ok(()))
    }

    /// As `run_top`; `prepare` is given the frame before anything runs in it.
    ///
    /// # Errors
    /// As [`Ec::run_top`]; what `prepare` raises.
    pub fn run_top_with(
        &mut self,
        code: &Arc<Code>,
        self_val: Value,
        cref: Value,
        prepare: impl FnOnce(&mut Ec, *mut crate::frame::Frame) -> Res<()>,
    ) -> Res {
        // A file that a Ractor requires is everybody's: it runs as in the main Ractor.
        let ractor = self.thread.ractor.take();
        let result = self.run_top_unrestricted(code, self_val, cref, prepare);
        self.thread.ractor = ractor;
        result
    }

    /// As `run_top` for a file that `load` runs in a module: what it defines there is private.
    ///
    /// # Errors
    /// As [`Ec::run_top`].
    pub fn run_wrapped(&mut self, code: &Arc<Code>, self_val: Value, cref: Value) -> Res {
        self.run_top_with(code, self_val, cref, |_, frame| {
            // SAFETY: the frame was pushed just now, by this thread.
            unsafe { (*frame).state |= frame::VIS_PRIVATE };
            Ok(())
        })
    }

    fn run_top_unrestricted(
        &mut self,
        code: &Arc<Code>,
        self_val: Value,
        cref: Value,
        prepare: impl FnOnce(&mut Ec, *mut crate::frame::Frame) -> Res<()>,
    ) -> Res {
        let iseq = Iseq::instantiate(self, code)?;
        if !code.internal {
            self.tell_tracer(Event::ScriptCompiled(Value::NIL, iseq))?;
        }
        let Some(raw) = Iseq::from_value(iseq) else { return Err(self.fatal("no iseq")) };
        let pushed = self.push_frame(NewFrame {
            iseq: raw,
            self_val,
            method: Value::NIL,
            block: Value::NIL.bits(),
            cref,
            around: Value::NIL.bits(),
            state: state(0, Cont::Native, frame::TOP),
        })?;
        if let Err(raised) = prepare(self, pushed) {
            // SAFETY: the frame was pushed a moment ago.
            unsafe { self.pop_frame(pushed) };
            return Err(raised);
        }
        let result = crate::interp::execute(self);
        asterism_heap::keep_alive(iseq.bits());
        result
    }

    /// Compiles and runs a file's source at top level.
    ///
    /// # Errors
    /// SyntaxError; what it raises.
    pub fn run_file(&mut self, source: &[u8], file: &str, kind: CodeKind) -> Res {
        let code = self.compile_file(source, file, kind, false)?;
        let (main, cref) = (self.vm().root(Root::MainObject), self.vm().root(Root::TopCref));
        self.run_top(&code, main, cref)
    }

    /// Runs a file of the prelude.
    ///
    /// # Errors
    /// As [`Ec::run_top`], which would be a mistake in the prelude.
    pub fn run_prelude(&mut self, code: &Arc<Code>) -> Res<()> {
        let (main, cref) = (self.vm().root(Root::MainObject), self.vm().root(Root::TopCref));
        self.run_top(code, main, cref)?;
        Ok(())
    }
}
