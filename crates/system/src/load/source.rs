//! The text of a file that is to be loaded.

use std::sync::Arc;

use asterism_core::errno;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};
use rustix::event::PollFlags;
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::io::fd::{Wake, wait_any};
use crate::io::stream::Mode;
use crate::io::{open, path};

/// Bytes that are read at once of what has no length.
const STEP: usize = 64 << 10;

/// The text of a file; `None` if it cannot be read. A pipe or a device is waited for, which an interrupt ends.
///
/// # Errors
/// What is raised into the thread; NoMemoryError.
pub(super) fn read(ec: &mut Ec, name: &[u8]) -> Res<Option<Vec<u8>>> {
    let os_path = path::os(name).to_owned();
    let regular = ec.blocking(|| match std::fs::metadata(&os_path) {
        Ok(meta) if meta.is_file() => Some(std::fs::read(&os_path).ok()),
        Ok(_) => None,
        Err(_) => Some(None),
    });
    match regular {
        Some(text) => Ok(text),
        None => read_stream(ec, name).map(Some),
    }
}

fn read_stream(ec: &mut Ec, name: &[u8]) -> Res<Vec<u8>> {
    let mode = Mode { readable: true, flags: OFlags::empty(), ..Mode::default() };
    let fd = Arc::new(open::open_path(ec, name, &mode, 0)?);
    let wake = Wake::new().map_err(|e| errno::raise(ec, e, ""))?;
    let mut text = Buffer::new(ec);
    loop {
        wait_any(ec, &[(Arc::clone(&fd), PollFlags::IN)], &mut [PollFlags::empty()], None, &wake)?;
        let mut part = Vec::with_capacity(STEP);
        match ec.blocking(|| fd.read(&mut part, STEP)) {
            Ok(0) => return Ok(text.into_parts().0),
            Ok(_) => text.append(ec, &part)?,
            Err(Errno::AGAIN | Errno::INTR) => ec.check_blocking()?,
            Err(e) => return Err(errno::raise(ec, e, name)),
        }
    }
}
