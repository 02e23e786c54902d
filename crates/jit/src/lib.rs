//! The compiler to machine code. It gets bytecode and what the interpreter has seen of how that runs, and nothing of any VM: what
//! comes out belongs to the code, and all VMs that run it share it. Cranelift does registers and instructions.
//!
//! What is compiled, when, and how it is entered is `asterism_vm::jit`'s business.

mod analysis;
mod emit;
mod inlined;
mod leading;
mod memory;
mod parts;
mod stats;
mod types;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use asterism_compiler::Code;
use asterism_lock::Mutex;
use asterism_vm::jit::{Compiler, Part, Request, Target, Totals, Unit};
use asterism_vm::timeline::{ExtraLane, Site, SpanKind};
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, control::ControlPlane};
use cranelift_frontend::FunctionBuilderContext;

use analysis::Analysis;
use memory::Memory;
pub use stats::{map_for_perf, report};

/// Larger code stays with the interpreter.
const MOST_WORDS: usize = 4000;

/// Registers of units with more instructions of Cranelift's are given out in one pass. The usual way takes a kilobyte of memory for each
/// of them, and in code of that size most of the time goes to what it calls.
const VAST: usize = 10_000;

/// What a unit of more instructions was compiled in is given back before the next one is.
const LARGE: usize = 5_000;

/// The compiler of a process.
pub struct Cranelift {
    /// The way to the thread that compiles, and the process that it is one of; none before there is something to compile.
    thread: Mutex<Option<(u32, Sender<Request>)>>,
    /// Intermediate form and machine code are shown.
    dump: AtomicBool,
    /// What the interpreter executes for compiled code is counted.
    counts: AtomicBool,
    /// Where it notes what it compiles, if anywhere.
    lane: Mutex<Option<ExtraLane>>,
    /// Gives memory that the calling thread has freed back to the system, if the program's allocator can.
    release: OnceLock<fn()>,
}

/// The compiler of this process.
pub static COMPILER: Cranelift = Cranelift {
    thread: Mutex::new(None),
    dump: AtomicBool::new(false),
    counts: AtomicBool::new(false),
    lane: Mutex::new(None),
    release: OnceLock::new(),
};

impl Cranelift {
    /// Shows what is compiled, on standard error.
    pub fn show(&self) {
        self.dump.store(true, Ordering::Relaxed);
    }

    /// Counts what the interpreter executes for compiled code.
    pub fn count(&self) {
        self.counts.store(true, Ordering::Relaxed);
    }

    /// Is that counted?
    pub fn counts(&self) -> bool {
        self.counts.load(Ordering::Relaxed)
    }

    /// What the thread that compiles has worked in is given back to the system by this. The first one counts.
    pub fn release_by(&self, release: fn()) {
        // One that is there already does the same: a process has one allocator.
        let _ = self.release.set(release);
    }

    /// Is there anything it can make code for?
    pub fn is_supported() -> bool {
        cfg!(all(target_arch = "x86_64", target_os = "linux"))
    }
}

impl Compiler for Cranelift {
    fn compile(&self, request: Request) {
        if request.of.code.words.len() > MOST_WORDS {
            return refuse(&request, "too long");
        }
        if request.urgent {
            return self.work(&request, &mut None);
        }
        // After a fork the thread is the parent's.
        let Some(mut thread) = self.thread.try_lock() else { return };
        let me = std::process::id();
        if thread.as_ref().is_none_or(|(of, _)| *of != me) {
            let (send, receive) = channel();
            let starting = asterism_lock::gate::starting();
            let made = std::thread::Builder::new().name("compiler".into()).spawn(move || {
                let _running = starting.begin();
                COMPILER.serve(&receive);
            });
            if made.is_err() {
                stats::refused("no thread");
                return;
            }
            // What led to a thread of the process that this one was forked from is left as it is: that may have been in the middle
            // of using it.
            std::mem::forget(thread.replace((me, send)));
        }
        if let Some((_, queue)) = &*thread {
            // The thread ends with the process.
            let _ = queue.send(request);
        }
    }

    fn observe(&self, lane: Option<ExtraLane>) {
        *self.lane.lock() = lane;
    }

    fn note_left(&self, code: &Arc<Code>, at: usize) {
        stats::left(code, at);
    }

    fn note_step(&self, code: &Arc<Code>, at: usize, left: bool) {
        stats::stepped(code, at, left);
    }

    fn totals(&self) -> Totals {
        stats::totals()
    }
}

thread_local! {
    /// The thread does nothing but compile.
    static COMPILES: Cell<bool> = const { Cell::new(false) };
}

/// Is this the thread that compiles, which can wait for memory as long as it takes? What it holds meanwhile nobody needs.
pub fn waits_for_memory() -> bool {
    COMPILES.get()
}

impl Cranelift {
    /// Compiles what is asked for, the hottest first, while there is time for it.
    fn serve(&self, asked: &Receiver<Request>) {
        COMPILES.set(true);
        let budget = Budget::new();
        let mut tools = None;
        let mut waiting: Vec<Request> = Vec::new();
        loop {
            if waiting.is_empty() {
                stats::waiting(0);
                let Some(request) = self.next(asked, &mut tools) else { return };
                waiting.push(request);
            }
            asked.try_iter().for_each(|request| put(&mut waiting, request));
            let heat = |i: &usize| waiting[*i].of.code.machine.heat();
            let Some(hottest) = (0..waiting.len()).max_by_key(heat) else { continue };
            let due = budget.due(heat(&hottest));
            if due.is_zero() {
                self.work(&waiting.swap_remove(hottest), &mut tools);
                if tools.as_ref().is_some_and(Tools::are_large) {
                    self.clear_away(&mut tools);
                }
                continue;
            }
            if due >= Budget::REST {
                self.clear_away(&mut tools);
            }
            stats::waiting(waiting.len());
            // Something else may have become the hottest then.
            match asked.recv_timeout(due.clamp(Budget::SHORTEST, Budget::LONGEST)) {
                Ok(request) => put(&mut waiting, request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// The next request; none when the process ends.
    fn next(&self, asked: &Receiver<Request>, tools: &mut Option<Tools>) -> Option<Request> {
        match asked.recv_timeout(Budget::REST) {
            Ok(request) => Some(request),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                self.clear_away(tools);
                asked.recv().ok()
            }
        }
    }
}

/// Adds a request to those that wait. An earlier one for the same, which knows less, is not needed any more.
fn put(waiting: &mut Vec<Request>, request: Request) {
    let same = |other: &Request| {
        (other.part, other.tells) == (request.part, request.tells) && Arc::ptr_eq(&other.of.code, &request.of.code)
    };
    match waiting.iter().position(same) {
        Some(at) => waiting[at] = request,
        None => waiting.push(request),
    }
}

/// What the thread that compiles may use of a processor: some time at once, and all that passes for what is hot; for what has not run
/// so often that compiling it would pay if it ran as often again, a small share. A program that is over soon is not to pay for what it
/// hardly runs; one that has run for long will run on, as a server does, whose thousands of methods each get warm slowly.
struct Budget {
    begun: Instant,
}

impl Budget {
    /// Time that may be used at once.
    const FIRST: Duration = Duration::from_millis(10);
    /// Of so many parts of the time that passes, one may be used besides for what is not hot yet.
    const SMALL_SHARE: u32 = 20;
    /// The small share grows to this, once the program has run for so long.
    const LATER_SHARE: u32 = 4;
    const LATER: Duration = Duration::from_secs(3);
    /// What is as hot as that is worth its compilation. (With 30,000 and half of the time for it, 24 programs took 1.05 of the time and
    /// as much of the processors: what is compiled late is interpreted till then.)
    const HOT: u32 = 8_000;
    /// Who has to wait for so long gives the memory back that compilations work in. Between two that follow sooner it would be needed
    /// again: pages that come and go took a tenth of the compiler's time.
    const REST: Duration = Duration::from_millis(5);
    /// How long is waited before it is looked again what is the hottest.
    const SHORTEST: Duration = Duration::from_millis(1);
    const LONGEST: Duration = Duration::from_millis(20);

    fn new() -> Budget {
        Budget { begun: Instant::now() }
    }

    /// How long it is until something as hot as that may be compiled.
    fn due(&self, heat: u32) -> Duration {
        let passed = self.begun.elapsed();
        let later = passed.saturating_sub(Budget::LATER);
        let used = processor_time().saturating_sub(Budget::FIRST);
        if heat >= Budget::HOT {
            return used.saturating_sub(passed);
        }
        let early = (passed - later) / Budget::SMALL_SHARE;
        (used.saturating_sub(early) * Budget::LATER_SHARE).saturating_sub(later)
    }
}

/// What the thread has used of a processor.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

impl Cranelift {
    /// Frees what the last compilations have worked in, several megabytes after a large one: the next one is not due yet.
    fn clear_away(&self, tools: &mut Option<Tools>) {
        if tools.as_mut().is_some_and(|tools| tools.desk.take().is_some())
            && let Some(release) = self.release.get()
        {
            release();
        }
    }

    fn work(&self, request: &Request, tools: &mut Option<Tools>) {
        let begun = processor_time();
        let lane = self.lane.lock().clone().map(|lane| (lane.now(), lane));
        // A mistake in the compiler costs the code its compilation, not the process its life. What it was made with is not used again.
        let mut taken = tools.take();
        let made = catch_unwind(AssertUnwindSafe(|| {
            let made = compile(request, taken.get_or_insert_with(Tools::new), self.dump.load(Ordering::Relaxed));
            (made, taken)
        }));
        let made = made.map(|(made, taken)| {
            *tools = taken;
            made
        });
        if let Some((begin, lane)) = lane {
            let code = &request.of.code;
            let (what, at) = (code.label.to_string().into(), Some((code.file.clone(), code.line)));
            lane.add(Site { kind: SpanKind::Compile, what, at }, begin);
        }
        match made.unwrap_or(Err("a mistake of the compiler")) {
            Ok((unit, bytes)) => {
                stats::compiled(
                    &request.of.code,
                    request.part,
                    unit.address,
                    bytes,
                    processor_time().saturating_sub(begun),
                );
                request.of.code.machine.publish(Arc::new(unit));
            }
            Err(why) => refuse(request, why),
        }
    }
}

/// Says that the part is not to be compiled, so that nobody counts its calls any more.
fn refuse(request: &Request, why: &'static str) {
    stats::refused(why);
    let (part, tells) = (request.part, request.tells);
    let none = Unit { part, tells, address: 0, entries: Box::default(), memory: Box::new(()) };
    request.of.code.machine.publish(Arc::new(none));
}

/// What machine code is made for.
fn isa(effort: Effort) -> Result<OwnedTargetIsa, &'static str> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", if effort == Effort::Floats { "speed" } else { "none" }),
        ("regalloc_algorithm", if effort == Effort::Vast { "single_pass" } else { "backtracking" }),
        ("enable_verifier", verify),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
        ("is_pic", "false"),
    ] {
        flags.set(name, value).map_err(|_| "unknown setting")?;
    }
    let name = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86_64" };
    let builder = isa::lookup_by_name(&format!("{name}-unknown-linux-gnu")).map_err(|_| "no such processor")?;
    builder.finish(settings::Flags::new(flags)).map_err(|_| "no such processor")
}

/// How much is done for good code.
#[derive(Clone, Copy, PartialEq)]
enum Effort {
    Usual,
    /// With what Cranelift does between its form and instructions, a third of its time, which pays where there are plain numbers of Floats.
    Floats,
    /// With little memory.
    Vast,
}

/// What is used again from compilation to compilation.
struct Tools {
    /// By `Effort`.
    isa: [Result<OwnedTargetIsa, &'static str>; 3],
    /// Used again by the next compilation that follows at once, for the memory that it has got.
    desk: Option<Desk>,
}

/// What a compilation works in.
struct Desk {
    context: Context,
    builder: FunctionBuilderContext,
}

impl Desk {
    fn new() -> Desk {
        Desk { context: Context::new(), builder: FunctionBuilderContext::new() }
    }
}

impl Tools {
    fn new() -> Tools {
        Tools { isa: [Effort::Usual, Effort::Floats, Effort::Vast].map(isa), desk: None }
    }

    /// The last compilation has left much memory, which the next one would add to.
    fn are_large(&self) -> bool {
        self.desk.as_ref().is_some_and(|desk| desk.context.func.dfg.num_insts() > LARGE)
    }
}

/// Adds the code that `of` may call, and what that may call.
fn keep_known(of: &Target, known: &mut Vec<Weak<Code>>) {
    known.extend(of.others.iter().flatten().map(|other| Arc::downgrade(&other.code)));
    for target in of.targets.iter().chain(&of.blocks).flatten() {
        known.push(Arc::downgrade(&target.code));
        keep_known(target, known);
    }
}

fn compile(request: &Request, tools: &mut Tools, dump: bool) -> Result<(Unit, usize), &'static str> {
    let analysis = Analysis::of_request(request).ok_or("not understood")?;
    let Tools { isa, desk } = tools;
    let Desk { context, builder } = desk.get_or_insert_with(Desk::new);
    let isa = |effort: Effort| isa[effort as usize].as_ref().map_err(|why| *why);
    let usual = isa(if analysis.has_floats() { Effort::Floats } else { Effort::Usual })?;
    context.clear();
    let emitted = emit::emit(&analysis, request.tells, &**usual, &mut context.func, builder);
    if emitted.is_err() {
        // It was left half way.
        *builder = FunctionBuilderContext::new();
    }
    let in_place = emitted?;
    if dump {
        eprintln!(
            "== {} ({}:{}) {:?}",
            request.of.code.label, request.of.code.file, request.of.code.line, request.part
        );
        eprintln!("{}", context.func.display());
    }
    context.set_disasm(dump);
    let isa = if context.func.dfg.num_insts() > VAST { isa(Effort::Vast)? } else { usual };
    let compiled = match context.compile(&**isa, &mut ControlPlane::default()) {
        Ok(compiled) => compiled,
        Err(e) => {
            if cfg!(debug_assertions) {
                eprintln!("{e:?}");
            }
            return Err("not accepted");
        }
    };
    if !compiled.buffer.relocs().is_empty() {
        return Err("refers to something");
    }
    if dump && let Some(text) = &compiled.vcode {
        eprintln!("{text}");
    }
    let bytes = compiled.code_buffer();
    let memory = Memory::with(bytes).ok_or("no memory")?;
    let mut entries = Box::default();
    if request.part == Part::Resume {
        entries = vec![0; request.of.code.words.len() + 1].into_boxed_slice();
        for block in analysis.blocks.iter().filter(|block| block.entry != 0) {
            entries[analysis.instrs[block.instrs.start].at] = block.entry;
        }
    }
    stats::in_place(in_place);
    let (part, address, size) = (request.part, memory.address(), bytes.len());
    // The machine code compares with addresses of what was met: no other code may come to lie there.
    let mut known = Vec::new();
    keep_known(&request.of, &mut known);
    Ok((Unit { part, tells: request.tells, address, entries, memory: Box::new((memory, known)) }, size))
}
