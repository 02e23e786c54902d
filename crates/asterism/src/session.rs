//! A VM that is run as a command is: it runs scripts and ends with an [`ExitStatus`].

use std::io::Write;
use std::sync::atomic::Ordering;

use asterism_compiler::{CodeKind, CommandLine, Options};
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, array, ivars};
use asterism_symbol::{intern, sym};
use asterism_vm::args::CallArgs;
use asterism_vm::error::Pending;
use asterism_vm::vm::Root;
use asterism_vm::{Ec, Exc};

use crate::report;

/// A running VM, seen from its main thread, for a program that is little else than that VM: it stays in it all the time.
pub struct Session {
    pub(crate) ec: Box<Ec>,
}

/// A script with what the command line says of it.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// As `__FILE__` and `$0` show it.
    pub name: String,
    /// Its text.
    pub source: Vec<u8>,
    /// Its absolute path, if it is a file: what `require_relative` starts from and DATA reads.
    pub path: Option<String>,
    /// `-n` and its like.
    pub command_line: CommandLine,
    /// `--enable=frozen-string-literal`
    pub frozen_string_literal: Option<bool>,
    /// `-K`: its encoding, if it does not say itself.
    pub encoding: Option<&'static str>,
}

/// How a program ended, before its exit handlers ran.
#[derive(Debug)]
#[must_use]
pub struct Ended {
    raised: bool,
}

/// Writes what was counted of the VM's locks, if that was asked for.
fn report_locks(ec: &mut Ec) {
    if let Some(table) = ec.lock_table() {
        let name = asterism_rubyvm::name(ec);
        // Nobody is left to be told that it cannot be written.
        let _ = write!(std::io::stderr().lock(), "VM {name}: {table}");
    }
}

/// Adds what was sampled in the VM to the program's profile; the main VM, which ends last, writes that.
fn end_profile(ec: &mut Ec) {
    let Some(sink) = ec.vm().options.profile.clone() else { return };
    let name = asterism_rubyvm::name(ec);
    ec.end_program_profile(&format!("VM {name}"));
    if ec.vm().options.may_change.is_none()
        && let Err(e) = sink.write()
    {
        // Nobody is left to be told if that cannot be written.
        let _ = writeln!(std::io::stderr().lock(), "asterism: {}: {e}", sink.file());
    }
}

/// Notes no more for the program's timeline; the main VM, which ends last, completes that.
fn end_trace(ec: &mut Ec) {
    let Some(timeline) = ec.vm().options.trace.clone() else { return };
    ec.stop_trace();
    if ec.vm().options.may_change.is_none()
        && let Err(e) = timeline.close()
    {
        // Nobody is left to be told if that cannot be written.
        let _ = writeln!(std::io::stderr().lock(), "asterism: {}: {e}", timeline.file());
    }
}

/// How a process is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// With this code.
    Code(u8),
    /// By this signal.
    Signal(i32),
}

impl Ended {
    /// It came to its end.
    pub fn normally() -> Ended {
        Ended { raised: false }
    }

    /// Did it end with an exception (an exit is one, too)?
    pub fn is_err(&self) -> bool {
        self.raised
    }

    /// Goes on, unless it ended with an exception.
    pub fn and_then(self, next: impl FnOnce() -> Ended) -> Ended {
        if self.raised { self } else { next() }
    }
}

impl ExitStatus {
    /// The exit code a shell would show.
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Code(code) => code,
            ExitStatus::Signal(n) => (128 + n) as u8,
        }
    }
}

impl Session {
    /// The execution context, for the implementation's own tools.
    pub fn ec(&mut self) -> &mut Ec {
        &mut self.ec
    }

    /// Sets `ARGV` and `$0`.
    pub fn set_arguments(&mut self, script: &str, args: &[Vec<u8>]) -> Ended {
        let done = asterism_system::env::set_arguments(&mut self.ec, script, args);
        Ended { raised: done.is_err() }
    }

    /// Sets `Encoding.default_external` and `default_internal`, where they are given.
    pub fn set_default_encodings(&mut self, external: Option<&[u8]>, internal: Option<&[u8]>) -> Ended {
        let ec = &mut *self.ec;
        let class = ec.class(asterism_object::space::WellKnown::Encoding);
        for (setter, name) in [("default_external=", external), ("default_internal=", internal)] {
            let Some(name) = name else { continue };
            let done = ec.str(name).and_then(|name| ec.call(class, intern(setter), &[name]));
            if done.is_err() {
                return Ended { raised: true };
            }
        }
        Ended { raised: false }
    }

    /// Its heap, for statistics. The VM may end before it is dropped.
    pub fn heap(&self) -> std::sync::Arc<asterism_heap::Heap> {
        self.ec.vm().heap().clone()
    }

    /// Sets a global variable to a String or nil, past its setter.
    pub fn set_global(&mut self, name: &str, value: Option<&[u8]>) {
        let value = match value.map(|v| self.ec.str(v)) {
            Some(Ok(v)) => v,
            Some(Err(_)) => {
                self.ec.take_pending();
                Value::NIL
            }
            None => Value::NIL,
        };
        // Separators cannot be changed in place.
        if matches!(name, "$/" | "$\\") && self.ec.freeze(value).is_err() {
            self.ec.take_pending();
        }
        self.store_global(name, value);
    }

    /// Sets a global variable to true, past its setter.
    pub fn set_global_true(&mut self, name: &str) {
        self.store_global(name, Value::TRUE);
    }

    fn store_global(&mut self, name: &str, value: Value) {
        self.ec.vm().gvars.get(intern(name)).value.store(value, Ordering::Release);
    }

    /// `$; =` a pattern.
    pub fn set_field_separator(&mut self, pattern: &[u8]) -> Ended {
        let ec = &mut *self.ec;
        let made = ec.str(pattern).and_then(|source| (ec.vm().hooks.new_regexp)(ec, source, 0));
        match made {
            Ok(regexp) => {
                asterism_core::string::pieces::look_at_field_separator();
                self.store_global("$;", regexp);
                Ended { raised: false }
            }
            Err(_) => Ended { raised: true },
        }
    }

    /// `Kernel#sub`, `gsub`, `chop` and `chomp`, which change `$_`: for `-n` and `-p`.
    pub fn define_line_methods(&mut self) -> Ended {
        let ec = &mut *self.ec;
        let mut module = ec.known(WellKnown::Object);
        for name in ["Asterism", "Internal"] {
            if let Some(inner) = ec.own_constant(module, intern(name)).and_then(Class::from_value) {
                module = inner;
            }
        }
        Ended { raised: ec.call(module.0, intern("define_line_methods"), &[]).is_err() }
    }

    /// Switches a category of warnings; `false` if there is no such category.
    pub fn set_warning_category(&mut self, name: &str, on: bool) -> bool {
        match asterism_core::warning::Warnings::category(&self.ec, name) {
            Some(switch) => {
                switch.store(on, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }

    /// Requires a library, as `-r` does.
    pub fn require(&mut self, feature: &str) -> Ended {
        let done = asterism_system::load::require_named(&mut self.ec, feature);
        Ended { raised: done.is_err() }
    }

    /// Runs a program's text.
    pub fn run(&mut self, source: &[u8], name: &str) -> Ended {
        self.run_script(&Script { name: name.into(), source: source.into(), ..Script::default() })
    }

    /// Runs a script.
    pub fn run_script(&mut self, script: &Script) -> Ended {
        let ec = &mut *self.ec;
        if script.name.starts_with('-') {
            let text = (script.name.clone(), script.source.clone());
            *ec.vm().part::<asterism_core::exception::help::ErrorHelp>().script.lock() = Some(text);
        }
        if let Some(path) = &script.path {
            asterism_core::source::set_script(ec, &script.name, path);
        }
        let result = compile(ec, script).and_then(|code| {
            if let (Some(offset), Some(path)) = (code.data_offset, &script.path) {
                asterism_system::io::define_data(ec, path, offset)?;
            }
            let (main, cref) = (ec.vm().root(Root::MainObject), ec.vm().root(Root::TopCref));
            let shared = keeps_locals(script);
            ec.run_top_with(&code, main, cref, |ec, frame| match shared {
                // SAFETY: the frame has been pushed for this code.
                true => unsafe { asterism_core::proc::binding::share_main_scope(ec, frame) },
                false => Ok(()),
            })
        });
        Ended { raised: result.is_err() }
    }

    /// Runs a program's text and gives the last value's `inspect`, or the exception as a message.
    ///
    /// # Errors
    /// The exception that was raised, SyntaxError too, as text; so is a kill or an `exit`.
    pub fn eval(&mut self, source: &[u8], name: &str) -> Result<String, String> {
        let ec = &mut *self.ec;
        let result = ec.run_file(source, name, CodeKind::File).and_then(|v| ec.inspect_for_error(v));
        match result {
            Ok(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
            Err(_) => {
                let text = report::describe_pending(ec);
                ec.take_pending();
                Err(text)
            }
        }
    }

    /// Checks a script's syntax only; whether it is fine. Errors are reported.
    pub fn check_syntax(&mut self, script: &Script) -> Ended {
        Ended { raised: compile(&mut self.ec, script).is_err() }
    }

    /// Runs exit handlers, ends the other threads, reports what was raised, flushes; how the process is to end.
    pub fn finish(mut self, ended: Ended) -> ExitStatus {
        self.end(ended)
    }

    /// As `finish` after the exception in `$!`.
    pub fn finish_with_errinfo(mut self) -> ExitStatus {
        let error = self.ec.fiber.errinfo;
        let status = close(&mut self.ec, error, Value::NIL);
        self.ec.end_pinned_fibers();
        status
    }

    /// Keeps the exception that a part of the program ended with in `$!` and for `rb_errinfo`; whether there is one.
    pub fn keep_error(&mut self) -> bool {
        let error = leave(&mut self.ec);
        (self.ec.fiber.errinfo, self.ec.fiber.foreign_errinfo) = (error, error);
        !error.is_nil()
    }

    /// Sets `ARGV`.
    pub fn set_argv(&mut self, args: &[Vec<u8>]) -> Ended {
        let ec = &mut *self.ec;
        let argv = ec.vm().root(Root::Argv);
        let done = ec.array(&[]).and_then(|list| {
            for arg in args {
                let arg = ec.str(arg)?;
                ec.array_push(list, arg)?;
            }
            ec.call(argv, intern("replace"), &[list])
        });
        Ended { raised: done.is_err() }
    }

    /// Adds a directory in front of `$LOAD_PATH`.
    pub fn unshift_load_path(&mut self, dir: &[u8]) -> Ended {
        let ec = &mut *self.ec;
        let path = ec.gvar_get(intern("$LOAD_PATH"));
        let done = path.and_then(|path| ec.str(dir).and_then(|dir| ec.call(path, intern("unshift"), &[dir])));
        Ended { raised: done.is_err() }
    }

    /// As `finish` for a process that ends with this VM: its memory is left to the kernel, which is quicker.
    pub fn finish_with_process(mut self, ended: Ended) -> ExitStatus {
        let status = self.close(ended);
        std::mem::forget(self);
        status
    }

    /// As `finish`; the VM is freed afterwards.
    pub(crate) fn end(&mut self, ended: Ended) -> ExitStatus {
        let status = self.close(ended);
        self.ec.end_pinned_fibers();
        status
    }

    /// The same after `error` or nil, which somebody else reports.
    pub(crate) fn end_quietly(&mut self, error: Value) -> ExitStatus {
        let status = close(&mut self.ec, error, error);
        self.ec.end_pinned_fibers();
        status
    }

    fn close(&mut self, ended: Ended) -> ExitStatus {
        let error = if ended.raised { leave(&mut self.ec) } else { Value::NIL };
        close(&mut self.ec, error, Value::NIL)
    }
}

/// Ends a VM; `told`: an error that need not be reported.
fn close(ec: &mut Ec, mut error: Value, told: Value) -> ExitStatus {
    // What the fibers of the main thread's scheduler raise ends the program, unless something has already.
    if ec.end_scheduler(Ok(())).is_err() {
        let raised = leave(ec);
        error = if error.is_nil() { raised } else { error };
    }
    ec.fiber.errinfo = error;
    let first = error;
    if asterism_system::process::run_exit_trap(ec).is_err() {
        error = leave(ec);
    }
    let reported = run_exit_handlers(ec, &mut error);
    asterism_rubyvm::end_family(ec);
    asterism_vm::thread::shutdown(ec);
    report_locks(ec);
    end_profile(ec);
    end_trace(ec);
    // An exit in a handler changes the status, and does not hide what went wrong before.
    if first != told && exit_status(ec, first).1 {
        report::uncaught(ec, first);
    }
    let status = exit_status(ec, error);
    if status.1 && error != first && error != reported && error != told {
        report::uncaught(ec, error);
    }
    asterism_core::objspace::run_all_finalizers(ec);
    if asterism_system::io::object::flush_all(ec).is_err() {
        leave(ec);
    }
    if asterism_capi::run_at_exit(ec).is_err() {
        leave(ec);
    }
    if asterism_capi::free_all(ec).is_err() {
        leave(ec);
    }
    asterism_capi::disown(ec);
    status.0
}

/// What a process ends with that was forked, when its main thread, which is not the one that `Session` stands for, has ended so.
pub(crate) fn end_process(ec: &mut Ec, ended: asterism_vm::Res<()>) -> ! {
    let error = if ended.is_err() { leave(ec) } else { Value::NIL };
    let status = close(ec, error, Value::NIL);
    exit(status)
}

/// Ends the process.
pub(crate) fn exit(status: ExitStatus) -> ! {
    if let ExitStatus::Signal(number) = status {
        asterism_system::process::die_by_signal(number);
    }
    std::process::exit(status.code().into())
}

/// A script that names TOPLEVEL_BINDING may find its own locals in it.
fn keeps_locals(script: &Script) -> bool {
    const NAME: &[u8] = b"TOPLEVEL_BINDING";
    script.source.windows(NAME.len()).any(|w| w == NAME)
}

fn compile(ec: &mut Ec, script: &Script) -> asterism_vm::Res<std::sync::Arc<asterism_compiler::Code>> {
    let options = Options {
        command_line: script.command_line,
        frozen_string_literal: script.frozen_string_literal,
        encoding: script.encoding,
        keeps_locals: keeps_locals(script),
        ..Options::new(&script.name, CodeKind::Main)
    };
    ec.compile(&script.source, &options)
}

/// The exception that left the program; what else unwound to the top becomes one, or nil.
pub(crate) fn leave(ec: &mut Ec) -> Value {
    match ec.take_pending() {
        Pending::Exception(e) => e,
        Pending::Throw(..) => {
            let _ = ec.raise(Exc::UncaughtThrowError, "uncaught throw");
            match ec.take_pending() {
                Pending::Exception(e) => e,
                _ => Value::NIL,
            }
        }
        Pending::Nothing | Pending::Break(..) | Pending::Return(..) | Pending::Kill | Pending::Home(_) => Value::NIL,
    }
}

/// Runs the `at_exit` blocks, the last one first; blocks they register too. What a block raises is reported and takes the
/// place of what ended the program; the last exception that was reported, or nil.
fn run_exit_handlers(ec: &mut Ec, error: &mut Value) -> Value {
    let mut reported = Value::NIL;
    loop {
        let list = ec.vm().root(Root::AtExit);
        if list.is_nil() || ec.thread.handle.is_forced() {
            return reported;
        }
        let handler = match array::pop(ec, list) {
            Ok(Some(handler)) => handler,
            Ok(None) | Err(_) => return reported,
        };
        ec.fiber.errinfo = *error;
        if ec.call_proc(handler, &CallArgs::plain(&[])).is_err() {
            let raised = leave(ec);
            if raised.is_nil() {
                continue;
            }
            if exit_status(ec, raised).1 {
                report::uncaught(ec, raised);
                reported = raised;
            }
            *error = raised;
        }
    }
}

/// How the process ends for this exception, and whether it is reported.
fn exit_status(ec: &mut Ec, error: Value) -> (ExitStatus, bool) {
    if error.is_nil() {
        return (ExitStatus::Code(0), false);
    }
    if ec.is_kind_of(error, ec.exc_class(Exc::SystemExit)) {
        let status = status_of(ec, error, sym::status, "@status");
        return (ExitStatus::Code(status.unwrap_or(0) as u8), false);
    }
    if ec.is_kind_of(error, ec.exc_class(Exc::SignalException)) {
        if let Some(signal) = status_of(ec, error, sym::signo, "@signo")
            && let Ok(signal) = i32::try_from(signal)
        {
            // SIGTERM ends quietly, as in CRuby; an interrupt shows where.
            return (ExitStatus::Signal(signal), signal == 2);
        }
        return (ExitStatus::Code(1), true);
    }
    // Nobody reads what the program prints: it ends as SIGPIPE ends others.
    if ec.is_kind_of(error, ec.exc_class(Exc::SystemCallError))
        && ivars::get(ec, error, sym::signo) == Some(Value::fixnum(13))
    {
        return (ExitStatus::Signal(13), false);
    }
    (ExitStatus::Code(1), true)
}

/// A number an exception carries: in an instance variable, or what its method answers.
fn status_of(ec: &mut Ec, error: Value, name: asterism_symbol::Sym, ivar: &str) -> Option<i64> {
    let stored = ivars::get(ec, error, name).or_else(|| ivars::get(ec, error, intern(ivar)));
    if let Some(n) = stored.and_then(|v| v.fixnum_value()) {
        return Some(n);
    }
    match ec.call(error, name, &[]) {
        Ok(v) => v.fixnum_value(),
        Err(_) => {
            ec.take_pending();
            None
        }
    }
}
