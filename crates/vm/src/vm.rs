//! `Vm`: one isolated Ruby. Everything in it is shared by its threads: each field says what protects it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use asterism_compiler::{Code, RegexpText};
use asterism_fiber::Slabs;
use asterism_heap::{Account, Heap, Shortage};
use asterism_lock::{Mutex, RwLock};
use asterism_object::class::Class;
use asterism_object::space::Space;
use asterism_object::{AtomicValue, Sym, Value};

use crate::basic_ops::BasicOps;
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::gvar::Gvars;
use crate::image::FromImage;
use crate::interp::trace::Tracer;
use crate::keep::Parts;
use crate::native::PrimFn;
use crate::profile::{Profiler, Sink};
use crate::promises::Autoloads;
use asterism_object::classes::Classes;

mod create;
mod heap_hooks;
mod primitives;

/// What the VM needs of the core classes and cannot know itself. Set once, when the VM is made.
pub struct CoreHooks {
    /// Defines the core classes and runs the prelude.
    pub boot: fn(&mut Ec) -> Res<()>,
    /// A Regexp of a source String and option bits.
    pub new_regexp: fn(&mut Ec, Value, u32) -> Res,
    /// A Regexp of the Strings that stand between its slashes, and option bits.
    pub dynamic_regexp: fn(&mut Ec, &[Value], u32) -> Res,
    /// Warns of what a regexp of a source is to be warned of; what is wrong with it, if anything is.
    pub check_regexp: fn(&mut Ec, &RegexpText, &str) -> Res<Option<String>>,
    /// The one frozen String with the content of this frozen one.
    pub intern_string: fn(&mut Ec, Value) -> Res,
    /// A Rational of two Integers, reduced.
    pub new_rational: fn(&mut Ec, Value, Value) -> Res,
    /// A Complex of two reals.
    pub new_complex: fn(&mut Ec, Value, Value) -> Res,
    /// `$~`'s part number n (see `Op::GetBackref`).
    pub match_part: fn(&mut Ec, Value, u32) -> Res,
    /// Loads what `autoload` promised for a constant; its value, if the file defines it.
    pub autoload: fn(&mut Ec, Class, Sym) -> Res<Option<Value>>,
    /// Could a feature be loaded that `autoload` promised?
    pub can_load: fn(&mut Ec, &[u8]) -> Res<bool>,
    /// Loads the C extension in this file.
    pub load_extension: fn(&mut Ec, &[u8]) -> Res<()>,
    /// Called by the VM's only thread, which has the lock of extensions as that (`Foreign::alone`), before another one begins.
    pub second_thread: fn(&mut Ec),
    /// The RubyVM::InstructionSequence of code.
    pub code_object: fn(&mut Ec, Arc<Code>) -> Res,
    /// Bytes that a function of a C extension says an object takes in C; 0 for any other object.
    pub extension_size: fn(&mut Ec, Value) -> Res<usize>,
    /// Allocates for classes whose `Alloc` is `Native`: the receiver class is given.
    pub allocate: fn(&mut Ec, Class) -> Res,
    /// Runs finalizers, at a poll. An error ends the thread.
    pub finalize: fn(&mut Ec) -> Res<()>,
    /// A Ractor's own `$stdin`, `$stdout` or `$stderr`; `None` for another name.
    pub own_stream: fn(&mut Ec, Sym) -> Res<Option<Value>>,
    /// Sets one of them; `false` for another name.
    pub set_own_stream: fn(&mut Ec, Sym, Value) -> bool,
    /// What the main thread does with a signal of this number, at a poll.
    pub signal: fn(&mut Ec, i32) -> Res<()>,
    /// Ends the VM as its main thread would that has ended so, and the process with it. For one that was forked.
    pub end_process: fn(&mut Ec, Res<()>) -> !,
}

/// Objects the VM always keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
#[allow(missing_docs)]
pub enum Root {
    MainObject,
    TopCref,
    NoMemoryError,
    StackOverflow,
    MainThread,
    LoadPath,
    LoadedFeatures,
    AtExit,
    Argv,
    ScriptName,
    Finalizers,
    TopBinding,
    Fatal,
    FiberSwitch,
    Extra,
    Count,
}

/// File and line where constants were set, by class address and name.
pub type ConstLocations = HashMap<(u64, Sym), (Arc<str>, u32)>;

/// One isolated Ruby.
#[repr(C)]
pub struct Vm {
    /// Shapes, well-known classes, side tables. First: the heap's `vm_data` points here.
    pub space: Space,
    heap: OnceLock<Arc<Heap>>,
    /// What the core crate supplies. Immutable.
    pub hooks: &'static CoreHooks,
    /// Last class serial given out.
    serials: AtomicU64,
    /// Changes whenever any constant does: what constant caches compare.
    pub const_serial: AtomicU64,
    /// Guards every change of a class: methods, constants, ancestors, class variables. Taken with
    /// [`Ec::with_class_lock`] only; no Ruby code runs under it.
    pub(crate) class_lock: Mutex<()>,
    /// Written at boot.
    exceptions: [AtomicValue; Exc::COUNT],
    /// Global variables.
    pub gvars: Gvars,
    /// Counts `alias $a $b`.
    pub gvar_aliases: AtomicU64,
    /// See [`Root`].
    roots: [AtomicValue; Root::Count as usize],
    /// Prelude primitives. Filled at boot.
    primitives: RwLock<Arc<HashMap<Sym, PrimFn>>>,
    /// Every class and include class, weakly: to invalidate descendants. Dead ones are dropped in the pause.
    pub(crate) classes: Mutex<Classes>,
    /// Which methods that fast paths stand for are not the core's any more.
    pub basic_ops: BasicOps,
    /// May compiled code run?
    pub gate: crate::jit::Gate,
    /// Counts changes of classes that made caches stale.
    pub(crate) class_changes: AtomicU64,
    /// No user code has run yet: definitions need not invalidate anything.
    pub booting: AtomicBool,
    /// What `autoload` promised. Entries of dead classes are dropped in the pause.
    pub autoloads: Mutex<Autoloads>,
    /// Where constants were set, by class address and name. Entries of dead classes are dropped in the pause.
    pub const_locations: Mutex<ConstLocations>,
    /// Machine stacks for fibers; none until the first fiber that needs one.
    pub(crate) stacks: OnceLock<Arc<Slabs>>,
    /// Threads and their bookkeeping.
    pub threads: crate::thread::Threads,
    /// `--no-parallel` and other switches. Immutable.
    pub options: Options,
    /// A collection found work for finalizers. The thread that collected runs them at its next poll.
    pub finalizers_wait: AtomicBool,
    /// `$VERBOSE`: nil 0, false 1, true 2.
    pub verbose: AtomicU64,
    /// `Warning[:deprecated]`
    pub warns_of_deprecated: AtomicBool,
    /// `Warning[:strict_unused_block]`
    pub strict_unused_block: AtomicBool,
    /// `$DEBUG`
    pub debug: AtomicBool,
    /// The image it was made from, if it was.
    pub(crate) from_image: OnceLock<FromImage>,
    /// What the parts of the core library keep.
    pub(crate) parts: Parts,
    /// What `--profile` and `RubyVM.profile` have.
    pub(crate) profiler: Arc<Profiler>,
    /// Who is to be told of what new threads do. No safepoint under the lock.
    pub(crate) tracer: Mutex<Option<Arc<dyn Tracer>>>,
    /// What `--race-report` and `RubyVM.races` have.
    pub races: asterism_races::detector::Races,
    /// What is done in a process that a thread of the VM has forked, by who keeps a thread beside the VM. Set by who made the VM.
    pub at_fork: AtFork,
}

type AfterFork = dyn Fn(&mut Ec) + Send + Sync;

/// See [`Vm::at_fork`].
#[derive(Default)]
pub struct AtFork(OnceLock<Box<AfterFork>>);

impl AtFork {
    /// Does `work` in each process that is forked; the first one's counts.
    pub fn set(&self, work: impl Fn(&mut Ec) + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(work));
    }

    /// Does it.
    pub(crate) fn run(ec: &mut Ec) {
        let vm = ec.vm_arc();
        if let Some(work) = vm.at_fork.0.get() {
            work(ec);
        }
    }
}

impl std::fmt::Debug for AtFork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AtFork").finish_non_exhaustive()
    }
}

/// Switches of a VM.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Collect at every allocation.
    pub gc_stress: bool,
    /// Compiles to machine code, if anybody does.
    pub jit: Option<crate::jit::Jit>,
    /// Check the heap after every collection.
    pub verify_heap: bool,
    /// Count how often locks are taken and waited for.
    pub lock_stats: bool,
    /// Tell of races when they are found.
    pub race_report: bool,
    /// One thread runs at a time.
    pub no_parallel: bool,
    /// Where the program's profile goes, if one is made.
    pub profile: Option<Arc<Sink>>,
    /// Where the spans of its threads go, if they are noted.
    pub trace: Option<Arc<crate::timeline::Timeline>>,
    /// Bytes the heap may take.
    pub memory_limit: Option<usize>,
    /// The methods by which a VM that another one has made may change the process; `None`: it is a main VM, and may everything.
    pub may_change: Option<Arc<[Box<str>]>>,
    /// C extensions that are not for several VMs are loaded as copies of the VM's own (`extensions: :copy`).
    pub copy_extensions: bool,
    /// The account of the VM that makes this one, if that is limited.
    pub family: Option<Arc<Account>>,
    /// `--enable=frozen-string-literal` and its opposite, for sources that do not say.
    pub frozen_string_literal: Option<bool>,
    /// What the allocator does for VMs.
    pub memory: Option<&'static Memory>,
    /// `--backtrace-limit`: lines shown behind the first.
    pub backtrace_limit: Option<i64>,
}

/// What a program's allocator does for VMs that end before the process does.
#[derive(Debug)]
pub struct Memory {
    /// The calling native thread is about to make a VM and run it: what it allocates next lives as long as that, mostly.
    pub enter: fn(),
    /// The VM is gone.
    pub leave: fn(),
    /// What the calling native thread allocates next is for a VM that it makes, and lives about as long as that. Whether this was not
    /// so already; then `back` is to be called.
    pub aside: fn() -> bool,
    /// It is not any more.
    pub back: fn(),
    /// Gives memory that is kept for later back to the system. Called when VMs have ended, on their threads, by
    /// `GC.start` afterwards, and by the thread that compiles when it has worked.
    pub release: fn(),
    /// There are VMs with a limit of memory from here on: what is large and freed goes back to the system at once.
    pub limited: fn(),
    /// Says when the system has none left.
    pub shortage: Shortage,
}

impl Vm {
    /// Whether the core library is being made, and no user code has run yet.
    #[must_use]
    pub fn is_booting(&self) -> bool {
        self.booting.load(Ordering::Relaxed)
    }

    /// The heap.
    #[inline]
    pub fn heap(&self) -> &Arc<Heap> {
        self.heap.get().expect("set when the VM was made")
    }

    /// Well-known exceptions and roots, for images.
    pub(crate) fn root_words(&self) -> (&[AtomicValue], &[AtomicValue]) {
        (&self.exceptions, &self.roots)
    }

    /// The last class serial given out.
    pub(crate) fn last_serial(&self) -> u64 {
        self.serials.load(Ordering::Acquire)
    }

    /// Sets what a VM from an image begins with.
    pub(crate) fn set_counters(&self, serials: u64, const_serial: u64, primitives: Arc<HashMap<Sym, PrimFn>>) {
        self.serials.store(serials, Ordering::Release);
        self.const_serial.store(const_serial, Ordering::Release);
        *self.primitives.write() = primitives;
    }

    /// Was it made from an image?
    pub fn is_from_image(&self) -> bool {
        self.from_image.get().is_some()
    }

    /// A class serial never given out before.
    pub fn next_serial(&self) -> u64 {
        self.serials.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// An object of [`Root`].
    #[inline]
    pub fn root(&self, which: Root) -> Value {
        self.roots[which as usize].load(Ordering::Acquire)
    }

    /// Sets an object of [`Root`].
    pub fn set_root(&self, which: Root, value: Value) {
        self.roots[which as usize].store(value, Ordering::Release);
    }

    /// A well-known exception class.
    pub fn exception_class(&self, which: Exc) -> Value {
        self.exceptions[which as usize].load(Ordering::Acquire)
    }

    /// Sets one at boot.
    pub(crate) fn set_exception_class(&self, which: Exc, class: Value) {
        self.exceptions[which as usize].store(class, Ordering::Release);
    }

    /// The NoMemoryError made at boot.
    pub fn no_memory_error(&self) -> Value {
        self.root(Root::NoMemoryError)
    }
}
