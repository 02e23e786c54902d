//! `IO#fcntl`, for the commands whose argument is a number. Those that take the address of a structure are left out: a
//! program's number would be one.

use std::os::fd::{AsFd, AsRawFd};

use asterism_object::Value;
use asterism_vm::{Args, Ec, Res};

use crate::io::object::stream;
use asterism_core::errno;

const COMMANDS: &[libc::c_int] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETOWN,
    libc::F_SETOWN,
    #[cfg(target_os = "linux")]
    libc::F_GETPIPE_SZ,
    #[cfg(target_os = "linux")]
    libc::F_SETPIPE_SZ,
];

/// `fcntl(command, argument = 0)`
pub(super) fn fcntl(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let command = ec.to_i64(args[0])?;
    let argument = match args.or_nil(1) {
        v if !v.truthy() => 0,
        Value::TRUE => 1,
        v => ec.to_i64(v)?,
    };
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    let (Ok(command), Ok(argument)) = (libc::c_int::try_from(command), libc::c_int::try_from(argument)) else {
        return Err(errno::raise(ec, rustix::io::Errno::INVAL, ""));
    };
    if !COMMANDS.contains(&command) {
        return Err(ec.not_implemented("fcntl() of this command is unimplemented on this implementation"));
    }
    // As every descriptor of a stream it is not for other programs.
    let command = if command == libc::F_DUPFD { libc::F_DUPFD_CLOEXEC } else { command };
    // SAFETY: the descriptor is open as long as `fd` is held, and these commands take a number and touch no memory.
    let result = unsafe { libc::fcntl(fd.as_fd().as_raw_fd(), command, argument) };
    if result < 0 {
        let error = std::io::Error::last_os_error().raw_os_error().unwrap_or_default();
        return Err(errno::raise(ec, rustix::io::Errno::from_raw_os_error(error), ""));
    }
    ec.int(i64::from(result))
}

/// `ioctl(request, argument = 0)`
pub(super) fn ioctl(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    Err(ec.not_implemented("ioctl() function is unimplemented on this implementation"))
}
