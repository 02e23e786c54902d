//! The compiler to machine code. It gets bytecode and what the interpreter has seen of how that runs, and nothing of any VM: what
//! comes out belongs to the code, and all VMs that run it share it. Cranelift does registers and instructions.
//!
//! What is compiled, when, and how it is entered is `asterism_vm::jit`'s business.

mod analysis;
mod emit;
mod leading;
mod memory;
mod stats;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use asterism_compiler::Code;
use asterism_vm::jit::{Compiler, Part, Request, Unit};
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, control::ControlPlane};
use parking_lot::Mutex;

use analysis::Analysis;
use memory::Memory;
pub use stats::{map_for_perf, report};

/// Larger code stays with the interpreter.
const MOST_WORDS: usize = 4000;

/// The compiler of a process.
pub struct Cranelift {
    /// The way to the thread that compiles, and the process that it is one of; none before there is something to compile.
    thread: Mutex<Option<(u32, Sender<Request>)>>,
    /// Intermediate form and machine code are shown.
    dump: AtomicBool,
}

/// The compiler of this process.
pub static COMPILER: Cranelift = Cranelift { thread: Mutex::new(None), dump: AtomicBool::new(false) };

impl Cranelift {
    /// Shows what is compiled, on standard error.
    pub fn show(&self) {
        self.dump.store(true, Ordering::Relaxed);
    }

    /// Is there anything it can make code for?
    pub fn is_supported() -> bool {
        cfg!(all(target_arch = "x86_64", target_os = "linux"))
    }
}

impl Compiler for Cranelift {
    fn compile(&self, request: Request) {
        if request.code.words.len() > MOST_WORDS {
            return refuse(&request, "too long");
        }
        if request.urgent {
            return self.work(&request);
        }
        // After a fork the thread is the parent's; another thread may have held the lock then.
        let Some(mut thread) = self.thread.try_lock() else { return };
        let me = std::process::id();
        if thread.as_ref().is_none_or(|(of, _)| *of != me) {
            let (send, receive) = channel();
            let made = std::thread::Builder::new().name("compiler".into()).spawn(move || {
                let mut budget = Budget::new();
                for request in receive {
                    budget.wait();
                    COMPILER.work(&request);
                }
            });
            if made.is_err() {
                stats::refused("no thread");
                return;
            }
            *thread = Some((me, send));
        }
        if let Some((_, queue)) = &*thread {
            // The thread ends with the process.
            let _ = queue.send(request);
        }
    }

    fn note_left(&self, code: &Arc<Code>, at: usize) {
        stats::left(code, at);
    }
}

/// What the thread that compiles may use of a processor: some time at once, and a share of what passes. What is hottest asks first;
/// a program that is over soon is not to pay for what it hardly runs.
struct Budget {
    begun: Instant,
}

impl Budget {
    /// Time that may be used at once.
    const FIRST: Duration = Duration::from_millis(10);
    /// Of so many parts of the time that passes, one may be used besides.
    const SHARE: u32 = 10;

    fn new() -> Budget {
        Budget { begun: Instant::now() }
    }

    /// Waits until there is time to compile.
    fn wait(&mut self) {
        let due = processor_time().saturating_sub(Budget::FIRST) * Budget::SHARE;
        std::thread::sleep(due.saturating_sub(self.begun.elapsed()));
    }
}

/// What the thread has used of a processor.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

impl Cranelift {
    fn work(&self, request: &Request) {
        let begun = processor_time();
        // A mistake in the compiler costs the code its compilation, not the process its life.
        let made = catch_unwind(AssertUnwindSafe(|| compile(request, self.dump.load(Ordering::Relaxed))));
        match made.unwrap_or(Err("a mistake of the compiler")) {
            Ok((unit, bytes)) => {
                stats::compiled(
                    &request.code,
                    request.part,
                    unit.address,
                    bytes,
                    processor_time().saturating_sub(begun),
                );
                request.code.machine.publish(Arc::new(unit));
            }
            Err(why) => refuse(request, why),
        }
    }
}

/// Says that the part is not to be compiled, so that nobody counts its calls any more.
fn refuse(request: &Request, why: &'static str) {
    stats::refused(why);
    let none = Unit { part: request.part, address: 0, entries: Box::default(), memory: Box::new(()) };
    request.code.machine.publish(Arc::new(none));
}

fn isa() -> Result<OwnedTargetIsa, &'static str> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "speed"),
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

fn compile(request: &Request, dump: bool) -> Result<(Unit, usize), &'static str> {
    let analysis = Analysis::of(request).ok_or("not understood")?;
    let isa = isa()?;
    let mut context = Context::new();
    emit::emit(&analysis, &*isa, &mut context.func)?;
    if dump {
        eprintln!("== {} ({}:{}) {:?}", request.code.label, request.code.file, request.code.line, request.part);
        eprintln!("{}", context.func.display());
    }
    context.set_disasm(dump);
    let compiled = match context.compile(&*isa, &mut ControlPlane::default()) {
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
    let mut entries = vec![0; request.code.words.len() + 1].into_boxed_slice();
    if request.part == Part::Resume {
        for block in analysis.blocks.iter().filter(|block| block.entry != 0) {
            entries[analysis.instrs[block.instrs.start].at] = block.entry;
        }
    }
    let (part, address, size) = (request.part, memory.address(), bytes.len());
    // The machine code compares with addresses of what was inlined: no other code may come to lie there.
    let inlined: Vec<Weak<Code>> = analysis.leading.iter().flatten().map(|l| Arc::downgrade(&l.code)).collect();
    Ok((Unit { part, address, entries, memory: Box::new((memory, inlined)) }, size))
}
