//! `fork`, `Process._fork` and what `Process.daemon` and `IO.popen("-")` are made of.

use std::os::fd::{AsRawFd, BorrowedFd};

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::thread::Slot;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::io::Errno;

use super::children::Children;
use crate::fiber::poller;
use asterism_core::errno;

static KERNEL: &[NativeDef] = &[NativeDef::new("fork", fork, 0, 0)];

static PROCESS: &[NativeDef] = &[
    NativeDef::new("fork", fork, 0, 0),
    NativeDef::new("_fork", plain_fork, 0, 0),
    NativeDef::new("__detach_session", detach_session, 0, 0).private(),
    NativeDef::new("__dup2", dup2, 2, 2).private(),
];

/// Defines the methods.
///
/// # Errors
/// NoMemoryError.
pub(super) fn init(ec: &mut Ec) -> Res<()> {
    let (kernel, process) = (ec.known(WellKnown::Kernel), ec.known(WellKnown::Process));
    ec.define_module_functions(kernel, KERNEL)?;
    ec.define_singleton_natives(process, PROCESS)
}

/// Forks the process: 0 in the new one.
fn fork_process(ec: &mut Ec) -> Res<i32> {
    ec.check_main_ractor("can not fork from non-main Ractors")?;
    ec.check_process("fork")?;
    // What they hold would be written twice.
    for name in ["$stdout", "$stderr"] {
        let stream = ec.gvar_get(intern(name))?;
        ec.call(stream, intern("flush"), &[])?;
    }
    let scheduler = ec.thread.handle.get(Slot::Scheduler);
    let vm = ec.vm_arc();
    let children = vm.part::<Children>();
    let starting = children.starting();
    let forked = ec.fork()?;
    if let Ok(pid @ 1..) = forked {
        children.add(pid.cast_unsigned());
    }
    drop(starting);
    match forked {
        Ok(0) => {
            poller::forget(&scheduler);
            Ok(0)
        }
        Ok(pid) => Ok(pid),
        Err(error) => Err(errno::raise(ec, error, "fork(2)")),
    }
}

fn plain_fork(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(fork_process(ec)?.into()))
}

/// `fork`, `fork { … }`: the block is all that the new process does.
fn fork(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let process = ec.known(WellKnown::Process);
    let pid = ec.call(process.0, intern("_fork"), &[])?;
    // What a program has put in its place may answer something else.
    let pid = ec.to_i64(pid)?;
    if pid != 0 {
        return Ok(Value::fixnum(pid));
    }
    let Some(block) = args.block() else { return Ok(Value::NIL) };
    let result = ec.yield_block(block, &[]);
    (ec.vm().hooks.end_process)(ec, result.map(drop))
}

/// `__detach_session`: goes on as a process that has no terminal.
fn detach_session(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    if fork_process(ec)? != 0 {
        leave();
    }
    if let Err(error) = rustix::process::setsid() {
        return Err(errno::raise(ec, error, "daemon"));
    }
    Ok(Value::NIL)
}

/// Ends the process at once: what it has to do is done by the one that it has made.
fn leave() -> ! {
    // SAFETY: the call has no preconditions.
    unsafe { libc::_exit(0) }
}

/// `__dup2(from, to)`: the descriptor `to` names what `from` does.
fn dup2(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.check_process("fork")?;
    let (from, to) = (ec.to_i64(args[0])?, ec.to_i64(args[1])?);
    let (Ok(from), Ok(to @ 0..)) = (i32::try_from(from), i32::try_from(to)) else {
        return Err(errno::raise(ec, Errno::BADF, ""));
    };
    // SAFETY: the number is only lent to dup2(2), which answers EBADF if it is not open.
    let source = unsafe { BorrowedFd::borrow_raw(from) };
    // SAFETY: `to` is 0, 1 or 2, which nobody closes because of this.
    let done = unsafe { libc::dup2(source.as_raw_fd(), to) };
    if done < 0 {
        return Err(errno::raise(ec, Errno::BADF, ""));
    }
    Ok(Value::fixnum(done.into()))
}
