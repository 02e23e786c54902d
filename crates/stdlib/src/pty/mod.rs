//! `PTY`: pairs of terminals. What a pair is comes from the system; the Ruby part has the rest.

use std::ffi::{CStr, c_char};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

use asterism_core::errno;
use asterism_object::{Value, array};
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::io::Errno;

static NATIVES: &[NativeDef] = &[NativeDef::new("__pair", pair, 0, 0).private()];

/// Where the Ruby part is.
pub const SOURCES: &[(&str, &str)] = &[("<internal:pty>", include_str!("pty.rb"))];

/// Defines the module.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let object = ec.known(asterism_object::space::WellKnown::Object);
    let module = ec.define_module(object, "PTY")?;
    ec.define_singleton_natives(module, NATIVES)
}

/// `__pair`: the number of a new master's descriptor, and the path of its slave.
fn pair(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    match open_master() {
        Ok((master, path)) => {
            let path = ec.str(&path)?;
            let list = ec.array_with_capacity(2)?;
            // From here on nothing fails that would leave the descriptor open.
            ec.array_push(list, Value::fixnum(i64::from(master.as_raw_fd())))?;
            ec.array_push(list, path)?;
            debug_assert_eq!(array::len(list), 2);
            let _ = master.into_raw_fd();
            Ok(list)
        }
        Err(e) => Err(errno::raise(ec, e, "can't get Master/Slave device")),
    }
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
