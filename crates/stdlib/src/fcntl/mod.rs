//! `Fcntl`: the numbers that `IO#fcntl` and `IO.sysopen` take, as the C library has them.

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};

const NUMBERS: &[(&str, libc::c_int)] = &[
    ("FD_CLOEXEC", libc::FD_CLOEXEC),
    ("F_DUPFD", libc::F_DUPFD),
    ("F_DUPFD_CLOEXEC", libc::F_DUPFD_CLOEXEC),
    ("F_GETFD", libc::F_GETFD),
    ("F_GETFL", libc::F_GETFL),
    ("F_GETLK", libc::F_GETLK),
    ("F_RDLCK", libc::F_RDLCK as libc::c_int),
    ("F_SETFD", libc::F_SETFD),
    ("F_SETFL", libc::F_SETFL),
    ("F_SETLK", libc::F_SETLK),
    ("F_SETLKW", libc::F_SETLKW),
    ("F_UNLCK", libc::F_UNLCK as libc::c_int),
    ("F_WRLCK", libc::F_WRLCK as libc::c_int),
    ("O_ACCMODE", libc::O_ACCMODE),
    ("O_APPEND", libc::O_APPEND),
    ("O_CREAT", libc::O_CREAT),
    ("O_EXCL", libc::O_EXCL),
    ("O_NDELAY", libc::O_NDELAY),
    ("O_NOCTTY", libc::O_NOCTTY),
    ("O_NONBLOCK", libc::O_NONBLOCK),
    ("O_RDONLY", libc::O_RDONLY),
    ("O_RDWR", libc::O_RDWR),
    ("O_TRUNC", libc::O_TRUNC),
    ("O_WRONLY", libc::O_WRONLY),
    #[cfg(target_os = "linux")]
    ("F_GETPIPE_SZ", libc::F_GETPIPE_SZ),
    #[cfg(target_os = "linux")]
    ("F_SETPIPE_SZ", libc::F_SETPIPE_SZ),
];

/// Defines the module.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let module = ec.define_module(object, "Fcntl")?;
    let version = ec.str("1.3.0")?;
    ec.set_constant(module, intern("VERSION"), version)?;
    for &(name, number) in NUMBERS {
        ec.set_constant(module, intern(name), Value::fixnum(i64::from(number)))?;
    }
    Ok(())
}
