//! The text of a file that is to be loaded.

use std::fs::File;
use std::sync::Arc;

use asterism_core::errno;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};
use rustix::event::PollFlags;
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::io::fd::{Fd, Wake, wait_any};
use crate::io::stream::Mode;
use crate::io::{open, path};

/// Bytes that are read at once of what has no length.
const STEP: usize = 64 << 10;
/// Most bytes that are read at once.
const MOST: usize = 16 << 20;

/// The text of a file; `None` if it cannot be read. A pipe or a device is waited for, which an interrupt ends.
///
/// # Errors
/// What is raised into the thread; NoMemoryError; the class of Errno of read(2).
pub(super) fn read(ec: &mut Ec, name: &[u8]) -> Res<Option<Buffer>> {
    let os_path = path::os(name).to_owned();
    let regular = ec.blocking(|| match std::fs::metadata(&os_path) {
        Ok(meta) if meta.is_file() => Some(File::open(&os_path).ok().map(|file| (file, meta.len()))),
        Ok(_) => None,
        Err(_) => Some(None),
    });
    match regular {
        Some(Some((file, len))) => {
            // Room for one more, so that the end is seen.
            let step = usize::try_from(len).unwrap_or(MOST).saturating_add(1).min(MOST);
            read_from(ec, Fd::new(file.into()), step, name).map(Some)
        }
        Some(None) => Ok(None),
        None => {
            let mode = Mode { readable: true, flags: OFlags::empty(), ..Mode::default() };
            let fd = open::open_path(ec, name, &mode, 0)?;
            read_from(ec, fd, STEP, name).map(Some)
        }
    }
}

fn read_from(ec: &mut Ec, fd: Fd, step: usize, name: &[u8]) -> Res<Buffer> {
    let fd = Arc::new(fd);
    let wake = Wake::new().map_err(|e| errno::raise(ec, e, ""))?;
    let mut text = Buffer::new(ec);
    loop {
        ec.poll()?;
        if !fd.regular {
            wait_any(ec, &[(Arc::clone(&fd), PollFlags::IN)], &mut [PollFlags::empty()], None, &wake)?;
        }
        text.reserve(ec, step)?;
        match ec.blocking(|| fd.read(&mut text, step)) {
            Ok(0) => return Ok(text),
            Ok(_) => {}
            Err(Errno::AGAIN | Errno::INTR) => ec.check_blocking()?,
            Err(e) => return Err(errno::raise(ec, e, name)),
        }
    }
}
