//! Child processes: starting them and waiting for them. How Ruby's arguments of `spawn` are read is in the Ruby part.

use std::ffi::{OsStr, OsString};
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, ivars, string};
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::event::PollFlags;
use rustix::process::{Pid, PidfdFlags, WaitOptions, WaitStatus};

use super::child::{self, Image, Redirections, Setup};
use super::children::Children;
use crate::env::Environment;
use crate::io::fd::{Fd, Wake, pause, wait_any};
use crate::io::stream::Stream;
use asterism_core::errno;

static PROCESS: &[NativeDef] = &[
    NativeDef::new("__spawn", spawn, 5, 5),
    NativeDef::new("__wait", wait, 2, 2),
    NativeDef::new("__status", last_status, 0, 0),
    NativeDef::new("__nprocessors", nprocessors, 0, 0),
    NativeDef::new("__executable", executable, 0, 0),
    NativeDef::new("uid", |_, _, _| Ok(Value::fixnum(i64::from(rustix::process::getuid().as_raw()))), 0, 0),
    NativeDef::new("euid", |_, _, _| Ok(Value::fixnum(i64::from(rustix::process::geteuid().as_raw()))), 0, 0),
    NativeDef::new("gid", |_, _, _| Ok(Value::fixnum(i64::from(rustix::process::getgid().as_raw()))), 0, 0),
    NativeDef::new("egid", |_, _, _| Ok(Value::fixnum(i64::from(rustix::process::getegid().as_raw()))), 0, 0),
];

/// Defines the functions.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let process = ec.known(WellKnown::Process);
    ec.define_singleton_natives(process, PROCESS)?;
    ec.vm().add_primitives(&[
        ("process_status_set", set_numbers),
        ("process_status_pid", |ec, args| Ok(number_of(ec, args[0], PID))),
        ("process_status_code", |ec, args| Ok(number_of(ec, args[0], CODE))),
    ]);
    ec.vm().gvars.define(
        intern("$?"),
        Some(|ec, _| Ok(ec.thread.last_status)),
        Some(asterism_vm::gvar::read_only),
        Value::NIL,
    );
    Ok(())
}

/// The Strings of an Array.
fn strings(ec: &mut Ec, list: Value) -> Res<Vec<OsString>> {
    let mut all = Vec::new();
    let mut i = 0;
    while list.is_type(Type::Array)
        && let Some(v) = array::at(list, i)
    {
        i += 1;
        let s = ec.to_str(v)?;
        let bytes = string::to_vec(ec, s);
        if bytes.contains(&0) {
            return Err(ec.arg_error("string contains null byte"));
        }
        all.push(OsStr::from_bytes(&bytes).to_owned());
    }
    Ok(all)
}

/// Redirections as pairs: descriptor in the child, and a copy of the one it is to be, or `None` to close it.
fn redirections(ec: &mut Ec, list: Value) -> Res<Redirections> {
    let mut pairs = Vec::with_capacity(array::len(list) / 2);
    for i in (0..array::len(list) as i64).step_by(2) {
        let child = descriptor(ec, array::get(list, i))?;
        let parent = array::get(list, i + 1);
        pairs.push((child, if parent.is_nil() { None } else { Some(descriptor(ec, parent)?) }));
    }
    // The copies are out of the way of the numbers that are set up in the child.
    let least = child::above(pairs.iter().map(|pair| pair.0));
    let copied = pairs.into_iter().map(|(child, parent)| {
        let Some(number) = parent else { return Ok((child, None)) };
        // SAFETY: the number is only lent to fcntl, which answers EBADF if it is not open.
        let lent = unsafe { BorrowedFd::borrow_raw(number) };
        Ok((child, Some(child::copy_above(lent, least)?)))
    });
    copied.collect::<rustix::io::Result<_>>().map_err(|e| errno::raise(ec, e, "dup2"))
}

/// The number of a descriptor.
fn descriptor(ec: &mut Ec, number: Value) -> Res<RawFd> {
    let number = ec.to_i64(number)?;
    match RawFd::try_from(number) {
        Ok(number @ 0..) => Ok(number),
        _ => Err(errno::raise(ec, rustix::io::Errno::BADF, "")),
    }
}

/// `__spawn(argv, env, settings, redirections, exec)`: `argv` is `[program, argv0, *args]`, `env` a flat Array of names
/// and values, or nil for the VM's own; `settings` is `[directory, pgroup, umask, close_others, limits, user, group, terminal]`, `limits`
/// flat triples of a resource's number, its soft and its hard limit, `terminal` whether standard input is one that is to be the
/// child's own. The child's number.
fn spawn(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let argv = strings(ec, args[0])?;
    let [program, name, rest @ ..] = &argv[..] else {
        return Err(ec.arg_error("no command"));
    };
    if args[4].truthy() {
        ec.check_process("exec")?;
    }
    // The child would have the processors that this thread has.
    asterism_lock::restrict::release();
    let environment: Vec<(OsString, OsString)> = if args[1].is_nil() {
        let text = |bytes: Vec<u8>| OsString::from_vec(bytes);
        let all = ec.vm().part::<Environment>().all();
        all.into_iter().map(|(name, value)| (text(name), text(value))).collect()
    } else {
        let flat = strings(ec, args[1])?;
        flat.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
    };
    let setting = |i| array::get(args[2], i);
    let shown = program.as_bytes().to_vec();
    let path = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_bytes());
    let Some(file) = child::find(program, path) else {
        if !args[4].truthy() {
            set_status(ec, -1, COULD_NOT << 8)?;
        }
        return Err(errno::raise(ec, rustix::io::Errno::NOENT, shown));
    };
    let mut command = Command::new(&file);
    if !setting(0).is_nil() {
        let dir = errno::path_arg(ec, setting(0))?;
        command.current_dir(OsStr::from_bytes(&dir));
    }
    if !setting(1).is_nil() {
        let group = ec.to_i64(setting(1))?;
        command.process_group(i32::try_from(group).unwrap_or(0));
    }
    let setup = Setup {
        umask: if setting(2).is_nil() { None } else { Some(ec.to_i64(setting(2))? as u32) },
        limits: resource_limits(ec, setting(4))?,
        user: id(ec, setting(5))?,
        group: id(ec, setting(6))?,
        redirections: redirections(ec, args[3])?,
        close_others: setting(3).truthy(),
        terminal: setting(7).truthy(),
    };
    if args[4].truthy() {
        crate::io::object::flush_all(ec)?;
        command.arg0(name).args(rest).env_clear().envs(environment);
        let e = child::replace(command, setup);
        return Err(errno::raise(ec, errno::number_of(&e), shown));
    }
    let started = match Image::new(&file, &argv[1..], &environment) {
        Ok(image) => {
            let vm = ec.vm_arc();
            ec.blocking(|| {
                let children = vm.part::<Children>();
                let _starting = children.starting();
                // Noted before anybody can end this thread.
                child::start(command, setup, image).inspect(|&pid| children.add(pid))
            })
        }
        Err(e) => Err(e),
    };
    match started {
        Ok(pid) => Ok(Value::fixnum(i64::from(pid))),
        Err(e) => {
            // The system does not say what it has not found.
            let directory = match setting(0) {
                Value::NIL => None,
                directory => Some(errno::path_arg(ec, directory)?),
            };
            let lost = directory.filter(|dir| !std::path::Path::new(OsStr::from_bytes(dir)).is_dir());
            set_status(ec, -1, COULD_NOT << 8)?;
            Err(errno::raise(ec, errno::number_of(&e), lost.unwrap_or(shown)))
        }
    }
}

/// A user's or a group's number, if there is one.
fn id(ec: &mut Ec, v: Value) -> Res<Option<u32>> {
    if v.is_nil() { Ok(None) } else { super::ids::number(ec, v).map(|id| Some(id.cast_unsigned())) }
}

/// The limits that a child begins with: number of the resource, soft and hard limit.
fn resource_limits(ec: &mut Ec, list: Value) -> Res<Vec<(i32, [u64; 2])>> {
    let mut limits = Vec::with_capacity(array::len(list) / 3);
    for i in (0..array::len(list)).step_by(3) {
        let resource = ec.to_i64(array::get(list, i as i64))?;
        let soft = super::ids::limit(ec, array::get(list, i as i64 + 1))?;
        let hard = super::ids::limit(ec, array::get(list, i as i64 + 2))?;
        limits.push((i32::try_from(resource).unwrap_or(-1), [soft, hard]));
    }
    Ok(limits)
}

/// With what a child ends that could not execute the program.
pub(super) const COULD_NOT: i32 = 127;

/// Where a Process::Status has its numbers: no name of a variable that programs have.
const PID: &str = "pid";
const CODE: &str = "status";

fn set_numbers(ec: &mut Ec, args: &[Value]) -> Res {
    ec.ivar_put(args[0], intern(CODE), args[2])?;
    ec.ivar_put(args[0], intern(PID), args[1])?;
    Ok(Value::NIL)
}

/// One of a Process::Status's numbers; 0 if it was only allocated.
fn number_of(ec: &Ec, status: Value, name: &str) -> Value {
    ivars::get(ec, status, intern(name)).unwrap_or(Value::fixnum(0))
}

/// Sets `$?` from a child's end.
fn set_status(ec: &mut Ec, pid: i32, status: i32) -> Res {
    let process = ec.known(WellKnown::Process);
    let Some(class) = ec.own_constant(process, intern("Status")) else {
        return Ok(Value::NIL);
    };
    let made = ec.call(class, intern("__make"), &[Value::fixnum(i64::from(pid)), Value::fixnum(i64::from(status))])?;
    ec.thread.last_status = made;
    Ok(made)
}

/// `__wait(pid, flags)`: `[pid, status]`, or nil with WNOHANG. Sets `$?`.
fn wait(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let pid = ec.to_i64(args[0])?;
    let flags = WaitOptions::from_bits_truncate(if args[1].is_nil() { 0 } else { ec.to_i64(args[1])? as u32 });
    let Ok(pid) = i32::try_from(pid) else {
        return Err(errno::raise(ec, rustix::io::Errno::CHILD, ""));
    };
    if let Some(status) = wait_by_scheduler(ec, pid, flags)? {
        if status.is_nil() {
            return Ok(Value::NIL);
        }
        let pid = ec.call(status, intern("pid"), &[])?;
        if pid == Value::fixnum(-1) {
            // What `Process::Status.wait` answers when there is no child.
            return Err(errno::raise(ec, rustix::io::Errno::CHILD, ""));
        }
        return ec.array(&[pid, status]);
    }
    match wait_child(ec, pid, flags)? {
        Some((pid, status)) => {
            let made = set_status(ec, pid, status)?;
            ec.array(&[Value::fixnum(i64::from(pid)), made])
        }
        None => Ok(Value::NIL),
    }
}

/// What the running fiber's scheduler answers that waits for a child: nil or a Process::Status, which is `$?` then. `None`: none does.
fn wait_by_scheduler(ec: &mut Ec, pid: i32, flags: WaitOptions) -> Res<Option<Value>> {
    let Some(scheduler) = ec.scheduler() else { return Ok(None) };
    let given = [Value::fixnum(i64::from(pid)), Value::fixnum(i64::from(flags.bits()))];
    let Some(status) = crate::fiber::scheduler::optional(ec, scheduler, "process_wait", &given)? else {
        return Ok(None);
    };
    if !status.is_nil() {
        let process = ec.known(WellKnown::Process);
        let class = ec.own_constant(process, intern("Status"));
        if !class.is_some_and(|class| ec.is_kind_of(status, class)) {
            let name = match status {
                Value::FALSE => "false".to_owned(),
                Value::TRUE => "true".to_owned(),
                other => ec.class_name_of(other),
            };
            return Err(ec.type_error(format!("wrong argument type {name} (expected Process::Status)")));
        }
    }
    ec.thread.last_status = status;
    Ok(Some(status))
}

/// waitpid(2) without waiting, for children that are the VM's. Those that code in C has started are the main VM's.
fn waitpid(ec: &Ec, pid: i32, flags: WaitOptions) -> rustix::io::Result<Option<(Pid, WaitStatus)>> {
    let is_main = ec.vm().options.may_change.is_none();
    ec.vm().part::<Children>().ask(is_main, pid, flags)
}

fn wait_child(ec: &mut Ec, pid: i32, flags: WaitOptions) -> Res<Option<(i32, i32)>> {
    let mut time = std::time::Duration::from_micros(200);
    let handle = Pid::from_raw(pid.max(0)).and_then(|p| rustix::process::pidfd_open(p, PidfdFlags::empty()).ok());
    let handle = handle.map(|h| Arc::new(Fd::new(h)));
    loop {
        match waitpid(ec, pid, flags) {
            Ok(Some((pid, status))) => {
                return Ok(Some((pid.as_raw_nonzero().get(), status.as_raw())));
            }
            Ok(None) if flags.contains(WaitOptions::NOHANG) => return Ok(None),
            Ok(None) => {}
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
        match &handle {
            // Readable once the child has ended.
            Some(handle) if flags.is_empty() => {
                if let Some(scheduler) = ec.scheduler()
                    && crate::fiber::scheduler::wait_io(ec, scheduler, None, handle, PollFlags::IN, None)?.is_some()
                {
                    continue;
                }
                let wake = Wake::new().map_err(|e| errno::raise(ec, e, ""))?;
                wait_any(ec, &[(handle.clone(), PollFlags::IN)], &mut [PollFlags::empty()], None, &wake)?;
            }
            // Any child, or stops too: nothing to wait on, so look again.
            _ => {
                pause(ec, time)?;
                time = (time * 2).min(std::time::Duration::from_millis(10));
            }
        }
    }
}

/// Waits for a child process and sets `$?`.
///
/// # Errors
/// What is raised into the thread; what the scheduler's `process_wait` or `io_wait` raises, TypeError if the first
/// gives no Process::Status; Errno::ECHILD if somebody else has waited for it; NoMemoryError.
pub fn wait_for_child(ec: &mut Ec, pid: u32) -> Res<()> {
    let Ok(pid) = i32::try_from(pid) else {
        return Ok(());
    };
    // Somebody may have waited for it already.
    if !ec.vm().part::<Children>().has(pid) {
        return Ok(());
    }
    if wait_by_scheduler(ec, pid, WaitOptions::empty())?.is_some() {
        return Ok(());
    }
    if let Some((pid, status)) = wait_child(ec, pid, WaitOptions::empty())? {
        set_status(ec, pid, status)?;
    }
    Ok(())
}

/// The VM has got a stream from another one: the child at its other end is its own from now on.
pub fn adopt_child(ec: &Ec, stream: &Stream) {
    let pid = stream.lock().pid;
    if let Some(pid) = pid {
        ec.vm().part::<Children>().adopt(pid);
    }
}

fn last_status(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(ec.thread.last_status)
}

fn nprocessors(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.size(std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

fn executable(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    match std::env::current_exe() {
        Ok(path) => ec.str(path.into_os_string().into_encoded_bytes()),
        Err(_) => ec.str("asterism"),
    }
}
