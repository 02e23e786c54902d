//! Running source: the main script, required files, the prelude; autoload; what runs at exit.

use std::sync::Arc;

use asterism_compiler::code::Code;
use asterism_compiler::{CodeKind, CompileError, Compiled, Options};
use asterism_heap::Charge;
use asterism_object::class::Class;
use asterism_object::{Sym, Value, string};
use asterism_support::encoding::Encoding;

use crate::coverage;
use crate::ec::{Ec, Raised, Res};
use crate::error::Exc;
use crate::frame::NewFrame;
use crate::frame::{self, Cont, state};
use crate::interp::trace::Event;
use crate::iseq::Iseq;
use crate::vm::Root;

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
    /// SyntaxError; NotImplementedError for what the compiler does not know yet; NoMemoryError.
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
        let stack_left = self.stack_left();
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
    /// What it raises.
    pub fn run_top(&mut self, code: &Arc<Code>, self_val: Value, cref: Value) -> Res {
        self.run_top_with(code, self_val, cref, |_, _| Ok(()))
    }

    /// As `run_top`; `prepare` is given the frame before anything runs in it.
    ///
    /// # Errors
    /// What it raises, and what `prepare` does.
    pub fn run_top_with(
        &mut self,
        code: &Arc<Code>,
        self_val: Value,
        cref: Value,
        prepare: impl FnOnce(&mut Ec, *mut crate::frame::Frame) -> Res<()>,
    ) -> Res {
        // A file that a Ractor requires is everybody's: it runs as in the main Ractor.
        let ractor = self.ractor.take();
        let result = self.run_top_unrestricted(code, self_val, cref, prepare);
        self.ractor = ractor;
        result
    }

    /// As `run_top` for a file that `load` runs in a module: what it defines there is private.
    ///
    /// # Errors
    /// What it raises.
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
            self.pop_frame(pushed);
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
    /// What it raises: a mistake in the prelude.
    pub fn run_prelude(&mut self, code: &Arc<Code>) -> Res<()> {
        let (main, cref) = (self.vm().root(Root::MainObject), self.vm().root(Root::TopCref));
        self.run_top(code, main, cref)?;
        Ok(())
    }
}

/// Registers `proc` to run when the VM ends.
///
/// # Errors
/// NoMemoryError.
pub fn at_exit(ec: &mut Ec, proc: Value) -> Res<()> {
    let mut list = ec.vm().root(Root::AtExit);
    if list.is_nil() {
        list = ec.array(&[])?;
        ec.vm().set_root(Root::AtExit, list);
    }
    ec.array_push(list, proc)
}

/// `file:line: warning: message` on `$stderr`, unless warnings are off.
///
/// # Errors
/// What writing raises.
pub fn warn(ec: &mut Ec, message: &str) -> Res<()> {
    match ec.caller_location() {
        Some((file, line)) => warn_at(ec, &file, line as i32, message),
        None => warn_at(ec, "asterism", 0, message),
    }
}

/// As `warn`, of what is going away: shown if such warnings are wanted.
///
/// # Errors
/// What writing raises.
pub fn warn_deprecated(ec: &mut Ec, message: &str) -> Res<()> {
    warn_of(ec, "deprecated", message)
}

/// As `warn`, of what may still change: shown if such warnings are wanted.
///
/// # Errors
/// What writing raises.
pub fn warn_experimental(ec: &mut Ec, message: &str) -> Res<()> {
    warn_of(ec, "experimental", message)
}

/// Tells that a method takes the place of one that CRuby's interpreter takes for known, if such warnings are wanted. Here it
/// turns off a fast path of that operator at most, but programs that look for such definitions look for this.
///
/// # Errors
/// What writing raises.
pub(crate) fn warn_performance(ec: &mut Ec, class: Class, name: Sym) -> Res<()> {
    if !crate::basic_ops::changes::is_optimized(ec, class, name) || !is_wanted(ec, "performance")? {
        return Ok(());
    }
    // The first of `undef` and `def` tells.
    if !ec.vm().basic_ops.tell(class, name) {
        return Ok(());
    }
    let owner = ec.class_name(class);
    let message = format!("Redefining '{owner}#{}' disables interpreter and JIT optimizations", name.text());
    warn_of(ec, "performance", &message)
}

/// A warning of a category, if it is wanted.
fn warn_of(ec: &mut Ec, category: &str, message: &str) -> Res<()> {
    if !is_wanted(ec, category)? {
        return Ok(());
    }
    let category = Value::sym(asterism_symbol::intern(category));
    let place = ec.caller_location();
    let text = match place {
        Some((file, line)) => format!("{file}:{line}: warning: {message}\n"),
        None => format!("warning: {message}\n"),
    };
    emit(ec, &text, Some(category))
}

/// Are warnings of a category wanted?
fn is_wanted(ec: &mut Ec, category: &str) -> Res<bool> {
    let category = Value::sym(asterism_symbol::intern(category));
    let Some(warning) = warning_module(ec) else { return Ok(false) };
    Ok(ec.call(warning, asterism_symbol::sym::AREF, &[category])?.truthy())
}

fn warning_module(ec: &mut Ec) -> Option<Value> {
    let object = ec.known(asterism_object::space::WellKnown::Object);
    ec.own_constant(object, asterism_symbol::intern("Warning"))
}

/// Warns of a line of a file.
///
/// # Errors
/// What `Warning.warn` raises.
pub fn warn_at(ec: &mut Ec, file: &str, line: i32, message: &str) -> Res<()> {
    emit(ec, &format!("{file}:{line}: warning: {message}\n"), None)
}

/// Hands a warning to `Warning.warn`.
fn emit(ec: &mut Ec, text: &str, category: Option<Value>) -> Res<()> {
    if ec.vm().verbose.load(std::sync::atomic::Ordering::Relaxed) == 0 {
        return Ok(());
    }
    let text = ec.str(text)?;
    let Some(warning) = warning_module(ec) else {
        eprint!("{}", string::to_string_lossy(ec, text));
        return Ok(());
    };
    let name = asterism_symbol::intern("warn");
    let class = ec.class_of(warning);
    let takes_category = ec.find_method(class, name).1.is_some_and(|f| f.method.arity() != 1);
    let argv = [text];
    let mut call = crate::args::CallArgs::plain(&argv);
    let h;
    if let Some(category) = category.filter(|_| takes_category) {
        h = ec.new_hash()?;
        ec.hash_set(h, Value::sym(asterism_symbol::intern("category")), category)?;
        call.keywords = crate::args::Keywords::Hash(h);
    }
    ec.call_with(warning, name, call, crate::call::CallKind::Private)?;
    Ok(())
}
