//! Signals of the process. A dispatcher thread receives them and hands them to the main thread of the main VM, and to those of
//! its other VMs that have a trap for them; such a thread raises, or runs the handler, when it next looks at its interrupts.

use std::io::Read;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value, string};
use asterism_support::signal::NAMES;
use asterism_symbol::{intern, sym};
use asterism_vm::block::Proc;
use asterism_vm::ractor::isolate;
use asterism_vm::{Args, Ec, Keep, NativeDef, Place, Res, Vm};
use rustix::fs::Mode;
use rustix::io::Errno;
use signal_hook::iterator::Handle;
use signal_hook::iterator::backend::SignalDelivery;
use signal_hook::iterator::exfiltrator::SignalOnly;

use crate::io::reserved::Reserved;
use asterism_core::errno;
use asterism_core::kernel::exit::write_stderr;

/// The signals that become exceptions without a `trap`.
const RAISED: &[i32] = &[1, 2, 3, 10, 12, 14, 15];
/// The signal that shows what threads do.
const QUIT: i32 = 3;
/// The signals that only the implementation may handle.
const RESERVED: &[i32] = &[4, 7, 8, 11, 26];

/// SIGKILL and SIGSTOP, which do with the process what they do.
const UNTRAPPABLE: [i32; 2] = [9, 19];

/// What a VM does with signals.
pub struct Traps {
    /// By number: nil for the default, `Value::FALSE` for ignoring, `Value::TRUE` for what the system does by default, else what is
    /// called. Word 0 is EXIT.
    handlers: [AtomicValue; 65],
    /// This VM gets signals.
    receives: AtomicBool,
    /// Shared with the VMs that this one makes.
    relay: OnceLock<Arc<Relay>>,
}

/// VMs besides the main VM that may have traps for signals of the process.
pub trait Receivers: Send + Sync {
    /// Hands a signal to those that have a trap for it: what a signal does without one is the main VM's business. Any native
    /// thread may call it.
    fn signal(&self, number: i32);

    /// Those that run, with their names.
    fn running(&self) -> Vec<(String, Arc<Vm>)>;
}

/// What the VMs of a process that descend from one main VM share to get its signals.
#[derive(Default)]
pub struct Relay {
    /// To the thread that receives the process's signals, if the main VM gets them.
    dispatcher: Mutex<Option<Dispatcher>>,
    receivers: OnceLock<Weak<dyn Receivers>>,
}

/// How signals come to the thread that receives them.
struct Dispatcher {
    handle: Handle,
    /// The signals that it was told of besides `RAISED`.
    added: Vec<i32>,
    /// What the handlers write to.
    pipe: RawFd,
}

impl Relay {
    /// Says who the others are; the first ones stay.
    pub fn set_receivers(&self, receivers: Weak<dyn Receivers>) {
        // A VM has one family.
        let _ = self.receivers.set(receivers);
    }
}

/// The relay of the calling VM.
pub fn relay(ec: &Ec) -> &Arc<Relay> {
    ec.vm().part::<Traps>().relay.get_or_init(Arc::default)
}

/// Makes the calling VM, which was made a moment ago, share the relay of the one that made it.
pub fn share_relay(ec: &Ec, relay: Arc<Relay>) {
    // Nobody set it before.
    let _ = ec.vm().part::<Traps>().relay.set(relay);
}

/// Hands a signal of the process to the VMs that the main VM and its children have made.
fn signal_others(main: &Vm, signal: i32) {
    let relay = main.part_if_made::<Traps>().and_then(|traps| traps.relay.get());
    if let Some(others) = relay.and_then(|relay| relay.receivers.get()?.upgrade()) {
        others.signal(signal);
    }
}

/// The VMs that run besides the main VM, with their names.
pub(super) fn other_vms(main: &Vm) -> Vec<(String, Arc<Vm>)> {
    let relay = main.part_if_made::<Traps>().and_then(|traps| traps.relay.get());
    let others = relay.and_then(|relay| relay.receivers.get()?.upgrade());
    others.map_or_else(Vec::new, |others| others.running())
}

impl Default for Traps {
    fn default() -> Self {
        Traps {
            handlers: [const { AtomicValue::new(Value::NIL) }; 65],
            receives: AtomicBool::new(false),
            relay: OnceLock::new(),
        }
    }
}

impl Keep for Traps {
    const PLACE: Place = Place::Signals;

    fn trace(&self, marker: &mut Marker) {
        for handler in &self.handlers {
            handler.mark(marker);
        }
    }

    fn after_fork(&self, ec: &mut Ec) {
        receive_anew(ec);
    }
}

impl Traps {
    fn get(&self, signal: i32) -> Value {
        usize::try_from(signal)
            .ok()
            .and_then(|n| self.handlers.get(n))
            .map_or(Value::NIL, |h| h.load(Ordering::Acquire))
    }

    /// Is there a trap for the signal? Any native thread may ask.
    pub fn traps(&self, signal: i32) -> bool {
        !self.get(signal).is_nil()
    }

    fn set(&self, signal: i32, handler: Value) -> Value {
        match usize::try_from(signal).ok().and_then(|n| self.handlers.get(n)) {
            Some(word) => word.swap(handler, Ordering::AcqRel),
            None => Value::NIL,
        }
    }
}

static KERNEL: &[NativeDef] = &[NativeDef::new("trap", trap, 1, 2)];

static SIGNAL: &[NativeDef] =
    &[NativeDef::new("trap", trap, 1, 2), NativeDef::new("list", list, 0, 0), NativeDef::new("signame", signame, 1, 1)];

static PROCESS: &[NativeDef] = &[NativeDef::new("kill", kill, 2, asterism_vm::ANY)];

/// Defines `trap`, Signal and `Process.kill`.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, KERNEL)?;
    let object = ec.known(WellKnown::Object);
    let signal = ec.define_module(object, "Signal")?;
    ec.define_singleton_natives(signal, SIGNAL)?;
    let process = ec.known(WellKnown::Process);
    ec.define_module_functions(process, PROCESS)
}

/// Lets the process's signals reach this VM.
///
/// # Errors
/// Why there are no handlers or no thread for them, in words.
pub fn install_signals(ec: &mut Ec) -> Result<(), String> {
    ec.vm().part::<Traps>().receives.store(true, Ordering::Relaxed);
    let relay = relay(ec).clone();
    start(ec, &relay)
}

/// Starts the thread that receives the process's signals.
fn start(ec: &Ec, relay: &Relay) -> Result<(), String> {
    let failed = |e| format!("cannot handle signals: {e}");
    // A pipe of our own, so that its descriptors can be reserved.
    let (read, write) = UnixStream::pair().map_err(failed)?;
    let reserved = [Reserved::new(&read), Reserved::new(&write)];
    let pipe = write.as_raw_fd();
    let mut signals = SignalDelivery::with_pipe(read, write, SignalOnly, RAISED).map_err(failed)?;
    *relay.dispatcher.lock() = Some(Dispatcher { handle: signals.handle(), added: Vec::new(), pipe });
    let vm = Arc::downgrade(&ec.vm_arc());
    let starting = asterism_lock::gate::starting();
    let started = std::thread::Builder::new().name("signals".into()).spawn(move || {
        let _running = starting.begin();
        let _reserved = reserved;
        while let Ok(Some(arrived)) = signals.poll_pending(&mut wait_for_one) {
            for signal in arrived {
                let Some(vm) = vm.upgrade() else { return };
                vm.threads.signal_main(signal);
                signal_others(&vm, signal);
            }
        }
    });
    match started {
        Ok(_) => Ok(()),
        Err(e) => Err(format!("cannot start the signal thread: {e}")),
    }
}

/// In a process that was forked: the thread is the other process's, and so is its pipe. This VM gets the signals now.
fn receive_anew(ec: &mut Ec) {
    let relay = relay(ec).clone();
    let Some(before) = relay.dispatcher.lock().take() else { return };
    // The handlers that are there go on writing to their pipe, which the other process would read: their end leads nowhere from now on.
    let nowhere =
        rustix::fs::open("/dev/null", rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::CLOEXEC, Mode::empty());
    if let Ok(nowhere) = nowhere {
        // SAFETY: the number is the handlers' own end of their pipe, which nobody else uses.
        unsafe { libc::dup3(nowhere.as_raw_fd(), before.pipe, libc::O_CLOEXEC) };
    }
    // What is left of it ends with the process.
    std::mem::forget(before.handle);
    ec.vm().part::<Traps>().receives.store(true, Ordering::Relaxed);
    if let Err(reason) = start(ec, &relay) {
        write_stderr(ec, format!("asterism: {reason}\n").as_bytes());
        return;
    }
    for signal in before.added {
        // It was accepted before.
        let _ = add_signal(&relay, signal);
    }
}

/// Lets the thread that receives signals receive this one too, if there is such a thread.
fn add_signal(relay: &Relay, signal: i32) -> std::io::Result<()> {
    let mut dispatcher = relay.dispatcher.lock();
    let Some(dispatcher) = &mut *dispatcher else { return Ok(()) };
    dispatcher.handle.add_signal(signal)?;
    if !dispatcher.added.contains(&signal) {
        dispatcher.added.push(signal);
    }
    Ok(())
}

/// Waits until the handler has written something; `false` at the end.
fn wait_for_one(pipe: &mut UnixStream) -> std::io::Result<bool> {
    loop {
        match pipe.read(&mut [0]) {
            Ok(n) => return Ok(n > 0),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Ends the process as the signal does by default; returns if the signal does not end processes.
pub fn die_by_signal(number: i32) {
    // An error means that there is no such signal: the caller exits otherwise.
    let _ = signal_hook::low_level::emulate_default_handler(number);
}

/// What the main thread does with a signal.
///
/// # Errors
/// SignalException or Interrupt without a trap; what the trap raises.
pub fn handle_signal(ec: &mut Ec, signal: i32) -> Res<()> {
    let handler = ec.vm().part::<Traps>().get(signal);
    match handler {
        // As other runtimes do: the program goes on.
        Value::NIL if signal == QUIT => {
            if super::observe::answer(ec) {
                return Ok(());
            }
            let text = ec.describe_threads();
            write_stderr(ec, text.as_bytes());
            Ok(())
        }
        Value::NIL if RAISED.contains(&signal) => Err(asterism_vm::thread::default_signal(ec, signal)),
        Value::NIL | Value::FALSE => Ok(()),
        Value::TRUE => {
            // A process is the main VM's.
            if ec.vm().part::<Traps>().receives.load(Ordering::Relaxed) {
                die_by_signal(signal);
            }
            Ok(())
        }
        handler => {
            ec.call(handler, sym::call, &[Value::fixnum(i64::from(signal))])?;
            Ok(())
        }
    }
}

/// Runs the EXIT trap, if there is one, once.
///
/// # Errors
/// What the trap raises, SystemExit among it.
pub fn run_exit_trap(ec: &mut Ec) -> Res<()> {
    let handler = ec.vm().part::<Traps>().set(0, Value::NIL);
    if matches!(handler, Value::NIL | Value::FALSE | Value::TRUE) {
        return Ok(());
    }
    ec.in_trap(|ec| ec.call(handler, sym::call, &[Value::fixnum(0)]))?;
    Ok(())
}

/// A signal's number from a number or name.
fn signal_argument(ec: &mut Ec, v: Value) -> Res<i32> {
    if let Some(n) = v.fixnum_value() {
        return match i32::try_from(n).ok().filter(|n| (0..=64).contains(n)) {
            Some(n) => Ok(n),
            None => Err(ec.arg_error(format!("invalid signal number ({n})"))),
        };
    }
    let text = match v.as_sym() {
        Some(s) => s.text().into_owned(),
        None => match ec.check_string(v)? {
            Some(s) => string::to_string_lossy(ec, s),
            None => {
                let class = ec.class_name_of(v);
                return Err(ec.arg_error(format!("bad signal type {class}")));
            }
        },
    };
    let bare = text.strip_prefix("SIG").unwrap_or(&text);
    match NAMES.iter().find(|(name, _)| *name == bare) {
        Some((_, n)) => Ok(*n),
        None => Err(ec.arg_error(format!("unsupported signal 'SIG{bare}'"))),
    }
}

fn trap(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let signal = signal_argument(ec, args[0])?;
    if RESERVED.contains(&signal) {
        let name = NAMES.iter().find(|(_, n)| *n == signal).map_or("", |(name, _)| name);
        return Err(ec.arg_error(format!("can't trap reserved signal: SIG{name}")));
    }
    if UNTRAPPABLE.contains(&signal) {
        return Err(errno::raise(ec, Errno::INVAL, if signal == 9 { "SIGKILL" } else { "SIGSTOP" }));
    }
    let handler = match (args.get(1), args.block()) {
        (Some(command), _) => command_handler(ec, command)?,
        (None, Some(block)) => {
            let proc = ec.block_to_proc(block)?;
            match Proc::from_value(proc) {
                // The main Ractor runs it.
                Some(proc) if ec.is_restricted() => isolate::isolate(ec, proc, None)?.0,
                _ => proc,
            }
        }
        (None, None) => return Err(ec.arg_error("tried to create Proc object without a block")),
    };
    if signal != 0
        && let Err(e) = add_signal(relay(ec), signal)
    {
        return Err(errno::raise(ec, errno::number_of(&e), ""));
    }
    let old = ec.vm().part::<Traps>().set(signal, handler);
    match old {
        Value::NIL if signal == 0 => Ok(Value::NIL),
        Value::NIL => ec.str("DEFAULT"),
        Value::FALSE => ec.str("IGNORE"),
        Value::TRUE => ec.str("SYSTEM_DEFAULT"),
        old => Ok(old),
    }
}

/// What a command argument of `trap` stands for.
fn command_handler(ec: &mut Ec, command: Value) -> Res {
    if command.is_nil() {
        return Ok(Value::FALSE);
    }
    let text = match command.as_sym() {
        Some(s) => s.text().into_owned(),
        None if command.is_type(Type::String) => string::to_string_lossy(ec, command),
        None => {
            if ec.respond_to(command, sym::call, true)? {
                return Ok(command);
            }
            let shown = ec.inspect_for_error(command)?;
            return Err(ec.arg_error([b"wrong trap - ", &shown[..]].concat()));
        }
    };
    match text.as_str() {
        "" | "IGNORE" | "SIG_IGN" => Ok(Value::FALSE),
        "DEFAULT" | "SIG_DFL" => Ok(Value::NIL),
        "SYSTEM_DEFAULT" => Ok(Value::TRUE),
        "EXIT" => {
            let kernel = ec.class(WellKnown::Kernel);
            ec.call(kernel, intern("__exit_proc"), &[])
        }
        other => {
            let kernel = ec.class(WellKnown::Kernel);
            let text = ec.str(other)?;
            ec.call(kernel, intern("__command_proc"), &[text])
        }
    }
}

fn list(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let all = ec.new_hash()?;
    for (name, number) in NAMES {
        let name = ec.str(name)?;
        let name = asterism_core::string::dedup::dedup(ec, name)?;
        ec.hash_set(all, name, Value::fixnum(i64::from(*number)))?;
    }
    Ok(all)
}

fn signame(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i64(args[0])?;
    match NAMES.iter().find(|(_, number)| i64::from(*number) == n) {
        Some((name, _)) => ec.str(name),
        None => Ok(Value::NIL),
    }
}

fn kill(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (signal, to_group) = match args[0].fixnum_value() {
        Some(n) if n < 0 => (signal_argument(ec, Value::fixnum(-n))?, true),
        Some(_) => (signal_argument(ec, args[0])?, false),
        None => match group_signal_name(ec, args[0]) {
            Some(name) => {
                let name = ec.str(name)?;
                (signal_argument(ec, name)?, true)
            }
            None => (signal_argument(ec, args[0])?, false),
        },
    };
    let me = i64::from(std::process::id());
    for target in &args.slice()[1..] {
        let pid = ec.to_i64(*target)?;
        // To itself: handled before `kill` returns, as in CRuby.
        if pid == me && !to_group && ec.vm().part::<Traps>().receives.load(Ordering::Relaxed) && handles(ec, signal) {
            ec.vm().threads.signal_main(signal);
            signal_others(ec.vm(), signal);
            continue;
        }
        let raw = i32::try_from(pid).ok().map(|p| if to_group { -p } else { p });
        let Some(raw) = raw else {
            return Err(errno::raise(ec, Errno::SRCH, ""));
        };
        if UNTRAPPABLE.contains(&signal) && reaches_self(raw) {
            ec.check_process("kill")?;
        }
        if let Err(e) = send(raw, signal) {
            return Err(errno::raise(ec, e, ""));
        }
    }
    ec.check_blocking()?;
    ec.size(args.len() - 1)
}

/// Is this process among those that kill(2) means by that number?
fn reaches_self(target: i32) -> bool {
    let pid = rustix::process::getpid().as_raw_nonzero().get();
    let group = rustix::process::getpgrp().as_raw_nonzero().get();
    target == pid || matches!(target, 0 | -1) || target.checked_neg() == Some(group)
}

/// The name behind a minus sign, which says that the whole group is meant.
fn group_signal_name(ec: &mut Ec, v: Value) -> Option<String> {
    let text = match v.as_sym() {
        Some(s) => s.text().into_owned(),
        None if v.is_type(Type::String) => string::to_string_lossy(ec, v),
        None => return None,
    };
    text.strip_prefix('-').map(str::to_owned)
}

fn handles(ec: &Ec, signal: i32) -> bool {
    RAISED.contains(&signal) || !ec.vm().part::<Traps>().get(signal).is_nil()
}

fn send(pid: i32, signal: i32) -> Result<(), Errno> {
    use rustix::process::{
        Pid, Signal, kill_current_process_group, kill_process, kill_process_group, test_kill_current_process_group,
        test_kill_process, test_kill_process_group,
    };
    let group = pid < 0;
    let target = Pid::from_raw(pid.checked_abs().unwrap_or(i32::MAX));
    if signal == 0 {
        return match target {
            None => test_kill_current_process_group(),
            Some(target) if group => test_kill_process_group(target),
            Some(target) => test_kill_process(target),
        };
    }
    let signal = Signal::from_named_raw(signal).ok_or(Errno::INVAL)?;
    match target {
        None => kill_current_process_group(signal),
        Some(target) if group => kill_process_group(target, signal),
        Some(target) => kill_process(target, signal),
    }
}
