//! Writing to a stream: through its buffer, or past it.

use std::os::fd::AsFd;
use std::sync::Arc;

use asterism_object::data;
use asterism_support::encoding::convert::Converter;
use asterism_vm::ec::Raised;
use asterism_vm::error::Exc;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};
use rustix::event::PollFlags;
use rustix::fs::OFlags;
use rustix::io::Errno;

use super::turns::Turn;
use super::{Fields, Stream, StreamRef, closed};
use crate::fiber::poller::Poller;
use crate::io::encoding::Sink;
use crate::io::fd::{Fd, order_write, ready_now};
use crate::io::scheduled;
use asterism_core::errno;

/// Bytes gathered before they are written.
const WRITE_BUFFER: usize = 64 << 10;
/// Bytes that go to a socket straight from the String.
const WRITE_DIRECT: usize = 64 << 10;
/// What a blocking pipe takes at once when poll says it is ready (PIPE_BUF).
const PIPE_CHUNK: usize = 4096;

enum WriteError {
    Raised(Raised),
    System(Errno),
}

/// One thread's turn at flushing; when it is dropped, what was not written waits for the next one.
struct Flushing<'a> {
    stream: &'a Stream,
    buffer: Buffer,
    /// What is written past the buffer, which is empty then. What is left of it goes into the buffer if there is room.
    large: &'a [u8],
    /// Bytes of either that are written.
    done: usize,
}

impl Drop for Flushing<'_> {
    fn drop(&mut self) {
        let mut rest = std::mem::take(&mut self.buffer);
        if self.large.is_empty() {
            rest.drain(..self.done);
        } else if rest.grow(self.large.len() - self.done) {
            rest.extend_from_slice(&self.large[self.done..]);
        }
        let mut fields = self.stream.lock();
        if rest.is_empty() && rest.capacity() > 2 * WRITE_BUFFER {
            rest = Buffer::default();
        }
        // What others have written meanwhile was taken, and stays whatever the limits say.
        let _counted = rest.grow(fields.write_buffer.len());
        Vec::append(&mut rest, &mut fields.write_buffer);
        fields.write_buffer = rest;
        fields.flusher = None;
        self.stream.next_turn(&mut fields);
    }
}

impl Stream {
    /// Writes what is left as far as that keeps nobody waiting, when nobody can be told of an error any more. Whether nothing is left.
    pub fn flush_at_once(&self) -> bool {
        let mut fields = self.lock();
        let Some(fd) = fields.write_fd.clone().or_else(|| fields.fd.clone()) else { return true };
        if fields.flusher.is_some() {
            return false;
        }
        let mut done = 0;
        while done < fields.write_buffer.len() {
            let rest = &fields.write_buffer[done..];
            let whole = fd.regular || fd.socket;
            if !whole && !ready_now(&fd, PollFlags::OUT) {
                break;
            }
            match fd.write(&rest[..if whole { rest.len() } else { rest.len().min(PIPE_CHUNK) }]) {
                Ok(n) => done += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => done = fields.write_buffer.len(),
            }
        }
        fields.write_buffer.drain(..done);
        fields.write_buffer.is_empty()
    }

    /// It is in no list any more; only if nothing waits to be written.
    pub fn unregister(&self) -> bool {
        let mut fields = self.lock();
        let idle = fields.write_buffer.is_empty() && fields.flusher.is_none();
        fields.registered &= !idle;
        idle
    }
}

impl StreamRef {
    /// Tries to write all of `bytes` to a socket at once, past the buffer; how many went out. `None`: not this way.
    fn write_at_once(&self, ec: &Ec, fields: &Fields, bytes: &[u8]) -> Option<usize> {
        let idle = fields.sync && fields.write_buffer.is_empty() && fields.flusher.is_none();
        let fd = fields.write_fd.as_ref().or(fields.fd.as_ref())?;
        if !idle || !fd.socket || bytes.len() > WRITE_DIRECT || ec.vm().races.is_on() {
            return None;
        }
        // Another scheduler may have a hook for it.
        if ec.scheduler().is_some_and(|s| !data::is::<Poller>(s)) {
            return None;
        }
        // It does not wait, so the lock may be held. What an error says, the long way says again.
        fd.write(bytes).ok()
    }

    /// Writes bytes through the buffer.
    ///
    /// # Errors
    /// IOError if it is closed or not opened for writing; NoMemoryError; the class of Errno of write(2), Errno::EPIPE
    /// and the like; what is raised into the thread while it waits.
    pub fn write(&self, ec: &mut Ec, bytes: &[u8]) -> Res<()> {
        self.write_as(ec, bytes, false, None).map(drop)
    }

    /// Writes converted text behind what was written when `serial` was read, and leaves `state` for what follows; false:
    /// there is more by now, and nothing was written.
    ///
    /// # Errors
    /// As `write`.
    pub fn write_after(&self, ec: &mut Ec, bytes: &[u8], serial: u64, state: Box<Converter>) -> Res<bool> {
        let mut turn = Some((serial, state));
        self.write_as(ec, bytes, false, Some(&mut turn))?;
        Ok(turn.is_none())
    }

    /// What ends the text that was written goes into the buffer.
    pub(super) fn end_text(&self) {
        let mut fields = self.lock();
        if let Some(mut state) = fields.sink_state.take() {
            fields.sink_serial += 1;
            let mut end = Vec::new();
            state.run(b"", &mut end, None, false, false);
            fields.write_buffer.extend_from_slice(&end);
        }
    }

    /// As `write` unless the stream converts text: then it does nothing, and returns what to convert it by.
    ///
    /// # Errors
    /// As `write`.
    pub fn write_text(&self, ec: &mut Ec, bytes: &[u8]) -> Res<Option<Sink>> {
        self.write_as(ec, bytes, true, None)
    }

    fn write_as(
        &self,
        ec: &mut Ec,
        bytes: &[u8],
        is_text: bool,
        turn: Option<&mut Option<(u64, Box<Converter>)>>,
    ) -> Res<Option<Sink>> {
        let me = ec.fiber.id;
        let is_turn = turn.is_some();
        if bytes.len() >= WRITE_BUFFER {
            // So that it need not be copied behind what waits.
            self.flush(ec)?;
        }
        let (full, register, overfull) = {
            let mut fields = self.lock();
            if is_text && let Some(sink) = Sink::of_fields(&fields) {
                return Ok(Some(sink));
            }
            if fields.fd.is_none() {
                drop(fields);
                return Err(closed(ec));
            }
            if !fields.writable && (is_turn || !bytes.is_empty()) {
                drop(fields);
                return Err(ec.raise(Exc::IOError, "not opened for writing"));
            }
            if let Some(turn) = turn
                && turn.as_ref().is_some_and(|(serial, _)| *serial == fields.sink_serial)
                && let Some((serial, state)) = turn.take()
            {
                fields.sink_serial = serial + 1;
                fields.sink_state = Some(state);
            } else if is_turn {
                return Ok(None);
            }
            if bytes.is_empty() {
                return Ok(None);
            }
            if fields.read_at < fields.read_buffer.len() && fields.write_fd.is_none() {
                fields.seek_back();
            }
            let gone = self.write_at_once(ec, &fields, bytes).unwrap_or(0);
            if gone == bytes.len() {
                return Ok(None);
            }
            let bytes = &bytes[gone..];
            if bytes.len() >= WRITE_BUFFER
                && fields.write_buffer.is_empty()
                && fields.flusher.is_none()
                && let Some(fd) = fields.write_fd.clone().or_else(|| fields.fd.clone())
            {
                fields.flusher = Some(Turn::of(ec));
                drop(fields);
                return self.write_large(ec, &fd, bytes).map(|()| None);
            }
            if fields.write_buffer.capacity() == 0 {
                fields.write_buffer = Buffer::new(ec);
            }
            if !fields.write_buffer.grow(bytes.len()) {
                drop(fields);
                return Err(ec.no_memory());
            }
            fields.write_buffer.extend_from_slice(bytes);
            let len = fields.write_buffer.len();
            let full = fields.sync || fields.tty || len >= WRITE_BUFFER;
            // What a flush that is interrupted leaves is written later.
            let register = !fields.registered && !fields.sync && !fields.tty;
            fields.registered |= register;
            (full, register, len >= WRITE_BUFFER || fields.flusher.is_some_and(|turn| turn.fiber == me))
        };
        if register {
            ec.vm().part::<crate::io::object::Streams>().register(&self.stream);
        }
        // A handler that runs in the middle of this thread's own flush leaves the rest to it.
        if full || overfull {
            self.flush(ec)?;
        }
        Ok(None)
    }

    /// Writes what is in the buffer.
    ///
    /// # Errors
    /// IOError; what write(2) fails with.
    pub fn flush(&self, ec: &mut Ec) -> Res<()> {
        self.flush_as(ec, false)
    }

    /// As `flush`; if what is left cannot be written, nobody is told any more.
    ///
    /// # Errors
    /// What is raised into the thread while it waits.
    pub fn flush_quietly(&self, ec: &mut Ec) -> Res<()> {
        self.flush_as(ec, true)
    }

    fn flush_as(&self, ec: &mut Ec, quietly: bool) -> Res<()> {
        let me = ec.fiber.id;
        let (fd, buffer) = loop {
            let mut fields = self.lock();
            match fields.flusher {
                Some(turn) if turn.fiber == me => return Ok(()),
                Some(_) => {
                    drop(fields);
                    self.wait_while(ec, |f| f.flusher.is_some())?;
                }
                None => {
                    if fields.write_buffer.is_empty() {
                        return Ok(());
                    }
                    let Some(fd) = fields.write_fd.clone().or_else(|| fields.fd.clone()) else {
                        fields.write_buffer.clear();
                        drop(fields);
                        return Err(closed(ec));
                    };
                    fields.flusher = Some(Turn::of(ec));
                    break (fd, std::mem::take(&mut fields.write_buffer));
                }
            }
        };
        let mut turn = Flushing { stream: &self.stream, buffer, large: &[], done: 0 };
        let mut result = self.write_all(ec, &fd, &turn.buffer, &mut turn.done);
        if let Err(WriteError::System(_)) = result {
            // What cannot be written is not tried again.
            turn.done = turn.buffer.len();
            if quietly {
                result = Ok(());
            }
        }
        drop(turn);
        self.end_flush(ec, &fd, result)
    }

    /// Writes bytes past the buffer, which is empty, in this thread's turn at flushing.
    fn write_large(&self, ec: &mut Ec, fd: &Arc<Fd>, bytes: &[u8]) -> Res<()> {
        let mut turn = Flushing { stream: &self.stream, buffer: Buffer::new(ec), large: bytes, done: 0 };
        let result = self.write_all(ec, fd, bytes, &mut turn.done);
        if let Err(WriteError::System(_)) = result {
            turn.done = bytes.len();
        }
        drop(turn);
        self.end_flush(ec, fd, result)
    }

    /// What follows a turn at flushing.
    fn end_flush(&self, ec: &mut Ec, fd: &Fd, result: Result<(), WriteError>) -> Res<()> {
        if result.is_ok() {
            ec.wake_fibers()?;
        } else {
            ec.wake_fibers_quietly();
        }
        match result {
            Ok(()) => Ok(()),
            Err(WriteError::Raised(raised)) => Err(raised),
            Err(WriteError::System(e)) => {
                let path = self.path_text();
                if e == Errno::PIPE && fd.number() == 1 {
                    return Err(errno::raise_broken_stdout(ec, &path));
                }
                let detail = if path.is_empty() { path } else { [b"@ io_write - ", &path[..]].concat() };
                Err(errno::raise(ec, e, detail))
            }
        }
    }

    fn write_all(&self, ec: &mut Ec, fd: &Arc<Fd>, bytes: &[u8], done: &mut usize) -> Result<(), WriteError> {
        order_write(ec, fd);
        let chunk = if fd.regular || fd.socket || is_nonblocking(fd) { usize::MAX } else { PIPE_CHUNK };
        let mut blocked = !fd.regular && !fd.socket;
        if scheduled::has_hook(ec, "io_write").map_err(WriteError::Raised)? {
            blocked = false;
        }
        while *done < bytes.len() {
            if *done > 0 {
                ec.poll().map_err(WriteError::Raised)?;
            }
            if blocked {
                self.wait_ready(ec, fd, PollFlags::OUT).map_err(WriteError::Raised)?;
            }
            let rest = &bytes[*done..];
            match scheduled::write(ec, self.io, rest).map_err(WriteError::Raised)? {
                Some(Ok(n)) => {
                    *done += n.min(rest.len());
                    blocked = false;
                    continue;
                }
                Some(Err(Errno::AGAIN)) => {
                    blocked = true;
                    continue;
                }
                Some(Err(Errno::INTR)) => {
                    ec.check_blocking().map_err(WriteError::Raised)?;
                    continue;
                }
                Some(Err(e)) => return Err(WriteError::System(e)),
                None => {}
            }
            let part = &rest[..rest.len().min(chunk)];
            match ec.blocking(|| fd.write(part)) {
                Ok(n) => *done += n,
                Err(Errno::AGAIN) => blocked = true,
                Err(Errno::INTR) => ec.check_blocking().map_err(WriteError::Raised)?,
                Err(e) => return Err(WriteError::System(e)),
            }
        }
        Ok(())
    }

    /// Writes bytes past the buffer (`syswrite`); how many went out. `wait`: until at least one can.
    ///
    /// # Errors
    /// IOError; what write(2) fails with.
    pub fn write_direct(&self, ec: &mut Ec, bytes: &[u8], wait: bool) -> Res<Result<usize, Errno>> {
        self.flush(ec)?;
        let fd = self.write_fd(ec)?;
        {
            let mut fields = self.lock();
            if fields.write_fd.is_none() {
                fields.seek_back();
            }
        }
        order_write(ec, &fd);
        let whole = fd.regular || fd.socket || is_nonblocking(&fd);
        let part = if whole { bytes } else { &bytes[..bytes.len().min(PIPE_CHUNK)] };
        let mut blocked = !fd.regular && !fd.socket;
        loop {
            if blocked && wait {
                self.wait_ready(ec, &fd, PollFlags::OUT)?;
            } else if blocked && !ready_now(&fd, PollFlags::OUT) {
                return Ok(Err(Errno::AGAIN));
            }
            match ec.blocking(|| fd.write(part)) {
                Err(Errno::AGAIN) if wait => blocked = true,
                Err(Errno::INTR) => ec.check_blocking()?,
                Err(Errno::NOMEM) => return Err(ec.no_memory()),
                other => return Ok(other),
            }
        }
    }
}

fn is_nonblocking(fd: &impl AsFd) -> bool {
    rustix::fs::fcntl_getfl(fd).is_ok_and(|f| f.contains(OFlags::NONBLOCK))
}
