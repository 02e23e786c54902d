//! `PTY`: pairs of terminals. What a pair is comes from the system; the Ruby part has the rest.

use std::ffi::{CStr, c_char};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use asterism_core::errno;
use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_system::io::object::stream;
use asterism_system::io::open::wrap_opened;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::io::Errno;

static NATIVES: &[NativeDef] =
    &[NativeDef::new("__master", master, 1, 1).private(), NativeDef::new("__writer", writer, 1, 1).private()];

/// Where the Ruby part is.
pub const SOURCES: &[(&str, &str)] = &[("<internal:pty>", include_str!("pty.rb"))];

/// Defines the module.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let module = ec.define_module(object, "PTY")?;
    ec.define_singleton_natives(module, NATIVES)
}

/// `__master(is_file)`: the master of a new pair: a File that reads, whose path is the slave's, or an IO that writes too.
fn master(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (class, mode, prefix) = match args[0].truthy() {
        true => (WellKnown::File, "r", &b""[..]),
        false => (WellKnown::IO, "r+", &b"masterpty:"[..]),
    };
    let class = ec.known(class);
    match open_master() {
        Ok((master, path)) => wrap_opened(ec, class, master, mode, Some([prefix, &path].concat())),
        Err(e) => Err(errno::raise(ec, e, "can't get Master/Slave device")),
    }
}

/// `__writer(master)`: a File that writes to it.
fn writer(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, args[0])?;
    let fd = stream.fd(ec)?;
    let copy = rustix::io::fcntl_dupfd_cloexec(&*fd, 3).map_err(|e| errno::raise(ec, e, ""))?;
    let class = ec.known(WellKnown::File);
    wrap_opened(ec, class, copy, "w", Some(stream.path_text()))
}

fn open_master() -> Result<(OwnedFd, Vec<u8>), Errno> {
    let last = || Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::NODEV);
    // SAFETY: the call takes flags, and answers a descriptor that is nobody else's.
    let master = unsafe {
        let number = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        if number < 0 {
            return Err(last());
        }
        OwnedFd::from_raw_fd(number)
    };
    let mut path = [0 as c_char; 64];
    // SAFETY: the descriptor is open, and the path's room is as large as is said.
    unsafe {
        if libc::grantpt(master.as_raw_fd()) != 0 || libc::unlockpt(master.as_raw_fd()) != 0 {
            return Err(last());
        }
        let failed = libc::ptsname_r(master.as_raw_fd(), path.as_mut_ptr(), path.len());
        if failed != 0 {
            return Err(Errno::from_raw_os_error(failed));
        }
        Ok((master, CStr::from_ptr(path.as_ptr()).to_bytes().to_vec()))
    }
}
