//! `IO#fcntl`, for the commands whose argument is a number: those that take the address of a structure are left out, as a
//! program's number would be one. `IO#ioctl`, for requests whose argument is a number or a structure without addresses.

use std::os::fd::{AsFd, AsRawFd};

use asterism_object::{Value, string};
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
    answer(ec, result)
}

/// Requests whose argument is a number, or none.
#[cfg(target_os = "linux")]
const NUMBERS: &[libc::Ioctl] = &[
    libc::TCFLSH,
    libc::TCSBRK,
    libc::TCXONC,
    libc::TIOCEXCL,
    libc::TIOCNOTTY,
    libc::TIOCNXCL,
    libc::TIOCSCTTY,
    libc::FIOCLEX,
    libc::FIONCLEX,
];

/// Requests whose argument is a structure of at most 256 bytes, in which there is no address of anything else.
#[cfg(target_os = "linux")]
const STRUCTURES: &[libc::Ioctl] = &[
    libc::FIONBIO,
    libc::FIONREAD,
    libc::SIOCGIFADDR,
    libc::SIOCGIFBRDADDR,
    libc::SIOCGIFFLAGS,
    libc::SIOCGIFHWADDR,
    libc::SIOCGIFINDEX,
    libc::SIOCGIFMTU,
    libc::SIOCGIFNETMASK,
    libc::TCGETS,
    libc::TCSETS,
    libc::TCSETSF,
    libc::TCSETSW,
    libc::TIOCGPGRP,
    libc::TIOCGPTN,
    libc::TIOCGSID,
    libc::TIOCGWINSZ,
    libc::TIOCMBIC,
    libc::TIOCMBIS,
    libc::TIOCMGET,
    libc::TIOCMSET,
    libc::TIOCOUTQ,
    libc::TIOCSPGRP,
    libc::TIOCSPTLCK,
    libc::TIOCSWINSZ,
];

/// What the kernel reads and writes at most for one of `STRUCTURES`.
#[cfg(target_os = "linux")]
const ROOM: usize = 256;

/// `ioctl(request, argument = 0)`: to any other request a stream answers as the kernel does to one that is not the device's.
#[cfg(target_os = "linux")]
pub(super) fn ioctl(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let request = ec.to_i64(args[0])?;
    let argument = args.or_nil(1);
    let text = if argument.is_heap() { ec.check_string(argument)? } else { None };
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    let allowed = if text.is_some() { STRUCTURES } else { NUMBERS };
    let Some(&request) = allowed.iter().find(|&&r| i64::try_from(r) == Ok(request)) else {
        return Err(errno::raise(ec, rustix::io::Errno::NOTTY, ""));
    };
    let Some(text) = text else {
        let number = match argument {
            v if !v.truthy() => 0,
            Value::TRUE => 1,
            v => ec.to_i64(v)?,
        };
        // SAFETY: the descriptor is open as long as `fd` is held, and the requests of `NUMBERS` touch no memory.
        let result = unsafe { libc::ioctl(fd.as_fd().as_raw_fd(), request, number) };
        return answer(ec, result);
    };
    ec.check_frozen(text)?;
    let mut bytes = string::to_vec(ec, text);
    let length = bytes.len().max(ROOM + 1);
    bytes.resize(length, 0);
    // SAFETY: the descriptor is open as long as `fd` is held, and the requests of `STRUCTURES` touch no more than the
    // `ROOM` bytes that `bytes` has.
    let result = unsafe { libc::ioctl(fd.as_fd().as_raw_fd(), request, bytes.as_mut_ptr()) };
    let answered = answer(ec, result)?;
    let replaced = string::replace_bytes(ec, text, &bytes, string::encoding(text));
    ec.check(text, replaced)?;
    Ok(answered)
}

/// `ioctl(request, argument = 0)`
#[cfg(not(target_os = "linux"))]
pub(super) fn ioctl(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    Err(ec.not_implemented("ioctl() function is unimplemented on this implementation"))
}

fn answer(ec: &mut Ec, result: libc::c_int) -> Res {
    if result < 0 {
        let error = std::io::Error::last_os_error().raw_os_error().unwrap_or_default();
        return Err(errno::raise(ec, rustix::io::Errno::from_raw_os_error(error), ""));
    }
    ec.int(i64::from(result))
}
