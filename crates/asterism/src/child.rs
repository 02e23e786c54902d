//! How a VM that a Ruby program has made (`RubyVM.new`) runs, on a native thread of its own.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use asterism_compiler::{CodeKind, Options};
use asterism_object::{Value, array};
use asterism_rubyvm as rubyvm;
use asterism_rubyvm::Launch;
use asterism_rubyvm::child::{Child, LAST_WORDS, Outcome, Program};
use asterism_rubyvm::message::Message;
use asterism_system::load;
use asterism_vm::args::CallArgs;
use asterism_vm::block::Proc;
use asterism_vm::vm::Root;
use asterism_vm::{Ec, Exc, Res};

use crate::builder::Builder;
use crate::session::{ExitStatus, leave};

/// Runs the VM to its end; its family learns how it ended when nothing of it is left.
pub(crate) fn launch(launch: Launch) {
    launch_prepared(launch, |_| Ok(()));
}

/// The same; the VM is prepared before its program runs.
pub(crate) fn launch_prepared(mut launch: Launch, prepare: fn(&mut Ec) -> Res<()>) {
    let child = launch.child.clone();
    let watch = launch.spec.time_limit.map(|limit| watch(&child, limit));
    let outcome = run(&mut launch, prepare);
    child.end_dependents(LAST_WORDS);
    drop(watch);
    child.ended(outcome);
}

/// Kills the VM when its time is over, unless what is returned was dropped before; and what it does then, if that takes long.
fn watch(child: &Arc<Child>, limit: Duration) -> std::sync::mpsc::Sender<()> {
    let (alive, watched) = channel();
    let watched_child = child.clone();
    let starting = asterism_lock::gate::starting();
    let watcher = move || {
        let _running = starting.begin();
        if watched.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            watched_child.kill(true);
            while watched.recv_timeout(LAST_WORDS) == Err(RecvTimeoutError::Timeout) && !watched_child.insist() {}
        }
    };
    if std::thread::Builder::new().name("time limit".into()).spawn(watcher).is_err() {
        // A VM must not run longer than it may because nobody can watch it.
        child.kill(true);
    }
    alive
}

/// Tells those who wait for a VM, before what it had is given back, if the implementation has failed.
struct Fate(Arc<Child>);

impl Drop for Fate {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.failed();
        }
    }
}

fn run(launch: &mut Launch, prepare: fn(&mut Ec) -> Res<()>) -> Outcome {
    let (spec, begun) = (&launch.spec, Instant::now());
    let mut builder = Builder::new()
        .gc_stress(spec.gc_stress)
        .lock_stats(spec.lock_stats)
        .no_parallel(spec.no_parallel)
        .race_report(spec.race_report)
        .profiling(spec.profile.clone())
        .tracing(spec.trace.clone(), &launch.child.name)
        .compiling(spec.jit)
        .library(spec.library.clone());
    if let Some(memory) = spec.memory {
        builder = builder.memory(memory);
    }
    for dir in &spec.load_path {
        builder = builder.load_path(dir.clone());
    }
    if let Some(level) = spec.verbose {
        builder = builder.verbose(level);
    }
    if let Some(bytes) = spec.memory_limit {
        builder = builder.memory_limit(bytes);
    }
    builder =
        builder.account(spec.account.clone()).may_change(spec.may_change.clone()).copy_extensions(spec.copy_extensions);
    let mut vm = match builder.session() {
        Ok(vm) => vm,
        Err(_) => return Outcome::Error(Message::nil()),
    };
    let _fate = Fate(launch.child.clone());
    let ec = vm.ec();
    if let Some(limit) = spec.time_limit {
        let (child, over) = (launch.child.clone(), begun + limit);
        // The thread that watches is the other process's. This one has no end but the process's.
        ec.vm().at_fork.set(move |_| std::mem::forget(watch(&child, over.saturating_duration_since(Instant::now()))));
    }
    let result = rubyvm::enter(ec, launch).and_then(|()| prepare(ec)).and_then(|()| main(ec, launch));
    let (result, error) = match result {
        Ok(value) => (Ok(value), Value::NIL),
        // Killed, or jumped out: there is no exception.
        Err(_) => match leave(ec) {
            Value::NIL => (Err(None), Value::NIL),
            error => (Err(Some(error)), error),
        },
    };
    let outcome = rubyvm::outcome(ec, result);
    // Exit handlers, threads, finalizers; then the VM is gone.
    let forked = vm.ec().vm().threads.is_forked();
    let status = vm.end_quietly(error);
    if forked {
        // There is no other VM in this process.
        crate::session::exit(status);
    }
    launch.child.leaving();
    drop(vm);
    match (outcome, status) {
        // An exit handler had the last word.
        (Outcome::Exit(_), ExitStatus::Code(code)) => Outcome::Exit(code.into()),
        (Outcome::Value(_) | Outcome::NoValue(_), ExitStatus::Code(code @ 1..)) => Outcome::Exit(code.into()),
        (outcome, _) => outcome,
    }
}

/// Runs the program; its value.
fn main(ec: &mut Ec, launch: &Launch) -> Res {
    let spec = &launch.spec;
    let name = match &spec.program {
        Program::File(path) => String::from_utf8_lossy(path).into_owned(),
        Program::Source(_, name) => name.clone(),
        Program::Block(..) => launch.child.name.clone(),
    };
    asterism_system::env::set_arguments(ec, &name, &spec.argv)?;
    for library in &spec.requires {
        load::require_named(ec, &String::from_utf8_lossy(library))?;
    }
    let (main, cref) = (ec.vm().root(Root::MainObject), ec.vm().root(Root::TopCref));
    match &spec.program {
        Program::Block(code, lambda) => {
            let body = Proc::isolated(ec, code, *lambda)?.0;
            let arguments = rubyvm::arguments(ec);
            let n = array::len(arguments);
            let slice = array::private_slice(&arguments);
            let value = ec.call_proc(body, &CallArgs::plain(&slice[..n]));
            asterism_heap::keep_alive(arguments.bits());
            value
        }
        Program::Source(text, file) => {
            let code = ec.compile(text, &Options::new(file, CodeKind::Main))?;
            ec.run_top(&code, main, cref)
        }
        Program::File(path) => {
            use std::os::unix::ffi::OsStrExt;
            let path = std::path::Path::new(std::ffi::OsStr::from_bytes(path));
            let text = match ec.blocking(|| std::fs::read(path)) {
                Ok(text) => text,
                Err(e) => {
                    let class = ec.exc_class(Exc::LoadError);
                    let message = format!("cannot load such file -- {name} ({e})");
                    return Err(ec.raise_class(class, message.as_bytes()));
                }
            };
            // It fails for an empty path only, which could not be read above.
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let absolute = absolute.to_string_lossy();
            asterism_core::source::set_script(ec, &name, &absolute);
            let code = ec.compile(&text, &Options::new(&name, CodeKind::Main))?;
            if let Some(offset) = code.data_offset {
                asterism_system::io::define_data(ec, &absolute, offset)?;
            }
            ec.run_top(&code, main, cref)
        }
    }
}
