//! How VMs are made.

use std::fmt;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use asterism_heap::Account;
use asterism_jit::Cranelift;
use asterism_object::Value;
use asterism_vm::Ec;
use asterism_vm::vm::Memory;

use crate::report;
use crate::session::Session;
use crate::vm::Vm;

/// How a VM is to be made.
///
/// ```
/// use std::time::Duration;
/// let vm = asterism::Vm::builder()
///     .memory_limit(64 << 20)
///     .time_limit(Duration::from_secs(5))
///     .env("GREETING", "hello")
///     .build()
///     .expect("a VM");
/// assert_eq!(vm.eval("ENV['GREETING']").unwrap().to::<String>().unwrap(), "hello");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    options: asterism_vm::Options,
    load_path: Vec<Vec<u8>>,
    library: Option<Arc<[Vec<u8>]>>,
    time_limit: Option<Duration>,
    environment: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    streams: [Option<Arc<OwnedFd>>; 3],
    verbose: Option<Option<bool>>,
    debug: bool,
    signals: bool,
    no_suggestions: bool,
    no_highlights: bool,
    no_gems: bool,
    trace_name: String,
    /// Runs the VMs that this one makes; `child::launch` if not given.
    pub(crate) launcher: Option<asterism_rubyvm::Launcher>,
}

/// A VM could not be made.
#[derive(Debug)]
pub struct BuildError(pub(crate) String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

/// Whether hot code is compiled to machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Jit {
    /// It is not.
    #[default]
    Off,
    /// It is, on another thread.
    On,
    /// Code is compiled at its first calls, before they go on: for tests.
    Always,
    /// The same, but what compiled code relies on fails at random, and code is thrown away at random.
    Stress,
}

impl Builder {
    /// Defaults.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Collects at every allocation: slow, for finding mistakes in the implementation.
    #[must_use]
    pub fn gc_stress(mut self, on: bool) -> Builder {
        self.options.gc_stress = on;
        self
    }

    /// Says where the standard library is, so that it need not be looked for.
    #[must_use]
    pub(crate) fn library(mut self, dirs: Option<Arc<[Vec<u8>]>>) -> Builder {
        self.library = dirs;
        self
    }

    /// What the program's allocator does for VMs that this one makes, and that end before the process does.
    #[must_use]
    pub fn memory(mut self, memory: &'static Memory) -> Builder {
        self.options.memory = Some(memory);
        asterism_jit::COMPILER.release_by(memory.release);
        self
    }

    /// Compiles hot code to machine code.
    #[must_use]
    pub fn jit(self, jit: Jit) -> Builder {
        if jit == Jit::Off || !Cranelift::is_supported() {
            return self.compiling(None);
        }
        let (always, stress) = (jit != Jit::On, jit == Jit::Stress);
        let compiler = &asterism_jit::COMPILER;
        self.compiling(Some(asterism_vm::jit::Jit { compiler, always, counts: compiler.counts(), stress }))
    }

    /// Counts what the interpreter executes for compiled code, for `jit_report`. To be called before `jit`.
    #[must_use]
    pub fn count_steps(self) -> Builder {
        asterism_jit::COMPILER.count();
        self
    }

    /// Shows what is compiled to machine code, on standard error.
    #[must_use]
    pub fn show_compiled(self) -> Builder {
        asterism_jit::COMPILER.show();
        self
    }

    /// Writes a map of compiled code for `perf` as it is made.
    #[must_use]
    pub fn map_for_perf(self) -> Builder {
        asterism_jit::map_for_perf();
        self
    }

    /// Compiles as another VM does.
    pub(crate) fn compiling(mut self, jit: Option<asterism_vm::jit::Jit>) -> Builder {
        self.options.jit = jit;
        self
    }

    /// Checks the heap after every collection.
    #[must_use]
    pub fn verify_heap(mut self, on: bool) -> Builder {
        self.options.verify_heap = on;
        self
    }

    /// Counts how often locks are taken and waited for: see `RubyVM.locks`. A table is written to the standard error stream at the end.
    #[must_use]
    pub fn lock_stats(mut self, on: bool) -> Builder {
        self.options.lock_stats = on;
        self
    }

    /// Tells of accesses to one variable, element or key by several threads that nothing orders, when they are found, on the standard
    /// error stream. Code is not compiled then.
    #[must_use]
    pub fn race_report(mut self, on: bool) -> Builder {
        self.options.race_report = on;
        self
    }

    /// Lets one thread of the VM run at a time, switching after a tenth of a second and where threads wait, as CRuby does. So it is in the
    /// VMs that it makes.
    #[must_use]
    pub fn no_parallel(mut self, on: bool) -> Builder {
        self.options.no_parallel = on;
        self
    }

    /// Takes samples of all threads, those of VMs that it makes too, each after so much of its processor time; a [`Session`] writes
    /// them to this file at its end. Its name says how: `.html` a page, `.pb.gz` for pprof, else for speedscope.
    #[must_use]
    pub fn profile(self, file: impl Into<String>, period: Duration) -> Builder {
        self.profiling(Some(Arc::new(asterism_vm::profile::Sink::new(file.into(), period))))
    }

    /// Adds its samples to those of another VM.
    pub(crate) fn profiling(mut self, sink: Option<Arc<asterism_vm::profile::Sink>>) -> Builder {
        self.options.profile = sink;
        self
    }

    /// Notes what threads wait for, those of VMs that it makes too, in this file: trace events, as Chrome and Perfetto open them. A
    /// [`Session`] completes it at its end.
    ///
    /// # Errors
    /// What creating the file or the thread that writes it fails with.
    pub fn trace(self, file: &str) -> std::io::Result<Builder> {
        let timeline = asterism_vm::timeline::Timeline::open(file)?;
        Ok(self.tracing(Some(timeline), "main"))
    }

    /// Notes that for another VM's file; this one has that name there.
    pub(crate) fn tracing(mut self, timeline: Option<Arc<asterism_vm::timeline::Timeline>>, name: &str) -> Builder {
        self.options.trace = timeline;
        self.trace_name = name.to_string();
        self
    }

    /// Bytes the heap may take. What goes beyond raises NoMemoryError.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Builder {
        self.options.memory_limit = Some(bytes);
        self
    }

    /// Where the memory of the VM that makes it is counted: what this one takes counts there too.
    #[must_use]
    pub(crate) fn account(mut self, family: Option<Arc<Account>>) -> Builder {
        self.options.family = family;
        self
    }

    /// It has copies of its own of C extensions that are not for several VMs.
    #[must_use]
    pub(crate) fn copy_extensions(mut self, on: bool) -> Builder {
        self.options.copy_extensions = on;
        self
    }

    /// It is not the main VM, and may change the process by these methods only.
    #[must_use]
    pub(crate) fn may_change(mut self, names: Arc<[Box<str>]>) -> Builder {
        self.options.may_change = Some(names);
        self
    }

    /// Adds a directory to `$LOAD_PATH`, in front of the standard library's.
    #[must_use]
    pub fn load_path(mut self, dir: impl Into<Vec<u8>>) -> Builder {
        self.load_path.push(dir.into());
        self
    }

    /// `$VERBOSE`: `None` is nil.
    #[must_use]
    pub fn verbose(mut self, level: Option<bool>) -> Builder {
        self.verbose = Some(level);
        self
    }

    /// Whether string literals are frozen in sources that do not say so: `None` as the language has it.
    #[must_use]
    pub fn frozen_string_literal(mut self, frozen: Option<bool>) -> Builder {
        self.options.frozen_string_literal = frozen;
        self
    }

    /// How many lines of a backtrace are shown behind the first.
    #[must_use]
    pub fn backtrace_limit(mut self, limit: Option<i64>) -> Builder {
        self.options.backtrace_limit = limit;
        self
    }

    /// Whether messages of uncaught errors suggest names that were perhaps meant.
    #[must_use]
    pub fn suggestions(mut self, on: bool) -> Builder {
        self.no_suggestions = !on;
        self
    }

    /// Whether messages of uncaught errors show the code that raised them.
    #[must_use]
    pub fn highlights(mut self, on: bool) -> Builder {
        self.no_highlights = !on;
        self
    }

    /// Whether `Gem` and `RbConfig` are there without a `require`.
    #[must_use]
    pub fn gems(mut self, on: bool) -> Builder {
        self.no_gems = !on;
        self
    }

    /// `$DEBUG`
    #[must_use]
    pub fn debug(mut self, on: bool) -> Builder {
        self.debug = on;
        self
    }

    /// Lets signals of the process reach this VM's main thread: SIGINT as Interrupt, and so on. One VM of a process.
    #[must_use]
    pub fn signals(mut self, on: bool) -> Builder {
        self.signals = on;
        self
    }

    /// How long one call of [`Vm`] may take. What takes longer is killed (its `ensure` clauses run), and the VM takes no
    /// call after that. A [`Session`] has no such limit.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Builder {
        self.time_limit = Some(limit);
        self
    }

    /// Sets a variable of its `ENV`, which starts as a copy of the process's.
    #[must_use]
    pub fn env(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Builder {
        self.environment.push((name.into(), Some(value.into())));
        self
    }

    /// Takes a variable out of its `ENV`.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<Vec<u8>>) -> Builder {
        self.environment.push((name.into(), None));
        self
    }

    /// Its standard input: a file, a pipe, a socket. Without it, the process's.
    #[must_use]
    pub fn stdin(mut self, stream: impl Into<OwnedFd>) -> Builder {
        self.streams[0] = Some(Arc::new(stream.into()));
        self
    }

    /// Its standard output.
    #[must_use]
    pub fn stdout(mut self, stream: impl Into<OwnedFd>) -> Builder {
        self.streams[1] = Some(Arc::new(stream.into()));
        self
    }

    /// Its standard error stream.
    #[must_use]
    pub fn stderr(mut self, stream: impl Into<OwnedFd>) -> Builder {
        self.streams[2] = Some(Arc::new(stream.into()));
        self
    }

    /// Makes a VM to be called from Rust. The calling thread becomes its main thread.
    ///
    /// # Errors
    /// `BuildError` if there is no address space for a VM; if the core library does not start, which is a mistake in
    /// it; if a stream, a variable, signals, a profile or the time limit cannot be had.
    pub fn build(self) -> Result<Vm, BuildError> {
        let limit = self.time_limit;
        Vm::of(self.session()?, limit)
    }

    /// Makes a VM that is run as a command is. The calling thread becomes its main thread.
    ///
    /// # Errors
    /// As [`Builder::build`], but for the time limit.
    pub fn session(self) -> Result<Session, BuildError> {
        let (mut ec, booted) = asterism_vm::Vm::create(self.options, &crate::library::HOOKS)
            .map_err(|_| BuildError("no address space for a VM".into()))?;
        let booted = booted.and_then(|()| asterism_system::load::set_load_path(&mut ec, &self.load_path, self.library));
        if booted.is_err() {
            let text = report::describe_pending(&mut ec);
            return Err(BuildError(format!("the core library does not start: {text}")));
        }
        let vm = ec.vm();
        if let Some(level) = self.verbose {
            vm.verbose.store(level.map_or(0, |v| 1 + u64::from(v)), Ordering::Relaxed);
        }
        vm.debug.store(self.debug, Ordering::Relaxed);
        let help = ec.vm().part::<asterism_core::exception::help::ErrorHelp>();
        help.suggestions.store(!self.no_suggestions, Ordering::Relaxed);
        help.highlights.store(!self.no_highlights, Ordering::Relaxed);
        for (constant, feature) in asterism_system::load::AT_FIRST_USE {
            let off = match constant {
                "DidYouMean" => self.no_suggestions,
                "ErrorHighlight" => self.no_highlights,
                "Gem" | "RbConfig" => self.no_gems,
                _ => false,
            };
            if !off && asterism_system::load::autoload_at_first_use(&mut ec, constant, feature).is_err() {
                let text = report::describe_pending(&mut ec);
                return Err(BuildError(format!("the core library does not start: {text}")));
            }
        }
        asterism_rubyvm::set_launcher(&ec, self.launcher.unwrap_or(crate::child::launch));
        if self.signals {
            asterism_system::process::install_signals(&mut ec).map_err(BuildError)?;
        }
        if !self.environment.is_empty() || self.streams.iter().any(Option::is_some) {
            let streams = duplicates(&self.streams).map_err(|e| BuildError(format!("no standard stream: {e}")))?;
            if furnish(&mut ec, &self.environment, streams).is_err() {
                return Err(BuildError(report::describe_pending(&mut ec)));
            }
        }
        ec.start_program_trace(&self.trace_name);
        ec.start_program_profile().map_err(|why| BuildError(format!("no profile: {why}")))?;
        Ok(Session { ec })
    }
}

/// Descriptors of the VM's own: the builder may make another VM.
fn duplicates(streams: &[Option<Arc<OwnedFd>>; 3]) -> std::io::Result<[Option<OwnedFd>; 3]> {
    let mut own = [None, None, None];
    for (own, given) in own.iter_mut().zip(streams) {
        *own = given.as_ref().map(|fd| fd.try_clone()).transpose()?;
    }
    Ok(own)
}

fn furnish(
    ec: &mut Ec,
    environment: &[(Vec<u8>, Option<Vec<u8>>)],
    streams: [Option<OwnedFd>; 3],
) -> asterism_vm::Res<()> {
    let changes = ec.new_hash()?;
    for (name, value) in environment {
        let name = ec.str(name)?;
        let value = match value {
            Some(value) => ec.str(value)?,
            None => Value::NIL,
        };
        ec.hash_set(changes, name, value)?;
    }
    asterism_rubyvm::furnish(ec, changes, streams)
}
