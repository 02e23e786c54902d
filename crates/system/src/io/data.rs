//! DATA: what stands behind `__END__` in the main script.

use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};
use rustix::fs::{Mode as Permissions, OFlags, SeekFrom};

use crate::io::fd::Fd;
use crate::io::object::wrap;
use crate::io::path::os;
use crate::io::stream::{Mode, Stream};
use asterism_core::errno;

/// Defines the constant DATA: the script's file, positioned behind `__END__`.
///
/// # Errors
/// The class of Errno, Errno::ENOENT and the like, if the script cannot be opened again; NoMemoryError.
pub fn define_data(ec: &mut Ec, path: &str, offset: usize) -> Res<()> {
    let opened = rustix::fs::open(os(path.as_bytes()), OFlags::RDONLY | OFlags::CLOEXEC, Permissions::empty());
    let fd = opened.map_err(|e| errno::raise_at(ec, e, "rb_sysopen", path.as_bytes()))?;
    if let Err(e) = rustix::fs::seek(&fd, SeekFrom::Start(offset as u64)) {
        return Err(errno::raise(ec, e, path));
    }
    let mode = Mode { readable: true, ..Mode::default() };
    let class = ec.known(WellKnown::File);
    let file = wrap(ec, class, Stream::new(Fd::new(fd), &mode, Some(path.as_bytes().to_vec())))?;
    let object = ec.known(WellKnown::Object);
    ec.set_constant(object, intern("DATA"), file)
}
