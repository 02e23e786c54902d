//! `Reader`: one thread's or fiber's turn at reading a stream; nobody else reads meanwhile.

use std::sync::Arc;
use std::time::Duration;

use asterism_object::{Value, data};
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Exc, Res};
use rustix::event::PollFlags;
use rustix::io::Errno;

use super::{PIPE_MOST, READ_CHUNK, READ_MOST, SOCKET_CHUNK, StreamRef};
use crate::fiber::poller::{self, Poller};
use crate::io::encoding::Text;
use crate::io::fd::{Fd, order_read, ready_now};
use crate::io::scheduled;
use asterism_core::errno;

/// One thread's turn at reading; ends when it is dropped.
pub struct Reader<'a> {
    pub(super) stream: &'a StreamRef,
    pub(super) fd: Arc<Fd>,
    pub(super) buffer: Buffer,
    pub(super) at: usize,
    /// `IO#timeout`
    pub(super) timeout: Option<Duration>,
    /// What text that is read is.
    pub(super) text: Text,
    /// `IO#lineno`, as it is after the turn.
    pub(super) lineno: Option<i64>,
}

impl Reader<'_> {
    /// What is there already.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    /// Takes bytes off the front.
    pub fn consume(&mut self, n: usize) {
        self.at = (self.at + n).min(self.buffer.len());
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
        }
    }

    /// What text that is read is, as it was when the turn began.
    pub fn text(&self) -> Text {
        self.text
    }

    /// Counts a line; its number.
    pub fn count_line(&mut self) -> i64 {
        let before = self.lineno.unwrap_or_else(|| self.stream.lock().lineno);
        let number = before.wrapping_add(1);
        self.lineno = Some(number);
        number
    }

    /// Takes `n` bytes (or what is there) off the front.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn take(&mut self, ec: &mut Ec, n: usize) -> Res<Buffer> {
        let n = n.min(self.bytes().len());
        if self.at == 0 && n == self.buffer.len() && n >= READ_CHUNK {
            return Ok(std::mem::take(&mut self.buffer));
        }
        let mut taken = Buffer::new(ec);
        taken.append(ec, &self.bytes()[..n])?;
        self.consume(n);
        Ok(taken)
    }

    /// Puts bytes back at the front.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn push_back(&mut self, ec: &mut Ec, bytes: &[u8]) -> Res<()> {
        if self.at < bytes.len() {
            // Room for as much again, so that putting back many times does not move everything each time.
            let (at, end) = (self.at, self.buffer.len());
            let front = bytes.len() + (end - at);
            self.make_room(ec, front)?;
            self.buffer.resize(front + (end - at), 0);
            self.buffer.copy_within(at..end, front);
            self.at = front;
        }
        let from = self.at - bytes.len();
        self.buffer[from..self.at].copy_from_slice(bytes);
        self.at = from;
        Ok(())
    }

    /// Reads more; `false` at the end of the file. Waits until there is something.
    ///
    /// # Errors
    /// The class of Errno of read(2): Errno::EIO, Errno::EISDIR, Errno::ECONNRESET; IO::TimeoutError; IOError if the
    /// stream is closed meanwhile; NoMemoryError; what is raised into the thread, or by a scheduler.
    pub fn fill(&mut self, ec: &mut Ec) -> Res<bool> {
        self.fill_at_least(ec, READ_CHUNK)
    }

    /// As [`Reader::fill`], with room for `wanted` bytes.
    ///
    /// # Errors
    /// As [`Reader::fill`].
    pub fn fill_at_least(&mut self, ec: &mut Ec, wanted: usize) -> Res<bool> {
        // What is always ready may have no end.
        ec.poll()?;
        match self.fill_once(ec, wanted.clamp(READ_CHUNK, READ_MOST), true)? {
            Ok(n) => Ok(n > 0),
            Err(e) => {
                let detail = match self.stream.lock().path.clone() {
                    Some(path) => [b"@ io_fread - ", &path[..]].concat(),
                    None => Vec::new(),
                };
                Err(errno::raise(ec, e, detail))
            }
        }
    }

    /// One read(2). `wait`: until there is something.
    ///
    /// # Errors
    /// What is raised into the thread; IOError if the stream is closed meanwhile.
    pub fn fill_once(&mut self, ec: &mut Ec, room: usize, wait: bool) -> Res<Result<usize, Errno>> {
        let result = self.read_once(ec, room, wait)?;
        if result.is_ok() {
            order_read(ec, &self.fd);
        }
        Ok(result)
    }

    fn read_once(&mut self, ec: &mut Ec, room: usize, wait: bool) -> Res<Result<usize, Errno>> {
        if self.at > 0 {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        // A pipe gives little at a time, however much is asked for.
        let room = if self.fd.regular { room } else { room.min(PIPE_MOST) };
        self.make_room(ec, room)?;
        if wait
            && self.fd.socket
            && let Some(scheduler) = ec.scheduler().filter(|s| data::is::<Poller>(*s))
        {
            return self.fill_scheduled(ec, scheduler, room);
        }
        // A socket is asked first: it never blocks.
        let mut blocked = !self.fd.socket;
        if wait && scheduled::has_hook(ec, "io_read")? {
            blocked = false;
        }
        loop {
            if blocked
                && wait
                && let Some(limit) = self.fd.read_limit()
            {
                // `read` itself could not be interrupted meanwhile.
                if !self.stream.wait_fd(ec, &self.fd, PollFlags::IN, Some(limit))? {
                    return Ok(Ok(0));
                }
            } else if blocked && wait {
                self.stream.wait_ready_within(ec, &self.fd, PollFlags::IN, self.timeout)?;
            } else if blocked && !self.fd.regular && !ready_now(&self.fd, PollFlags::IN) {
                return Ok(Err(Errno::AGAIN));
            }
            if wait && let Some(result) = scheduled::read(ec, self.stream.io, room, &mut self.buffer)? {
                match result {
                    Err(Errno::AGAIN) => blocked = true,
                    Err(Errno::INTR) => ec.check_blocking()?,
                    other => return Ok(other),
                }
                continue;
            }
            let (fd, buffer) = (&self.fd, &mut self.buffer);
            let read = || fd.read(buffer, room);
            // A file is there already: reading it is copying.
            let result = if fd.regular { ec.computing(read) } else { ec.blocking(read) };
            match result {
                Err(Errno::AGAIN) if wait => blocked = true,
                Err(Errno::INTR) => ec.check_blocking()?,
                Err(Errno::BADF) if self.stream.was_closed() => {
                    return Err(ec.raise(Exc::IOError, "stream closed in another thread"));
                }
                other => return Ok(other),
            }
        }
    }

    /// Room for so many bytes more, counted before it is taken.
    fn make_room(&mut self, ec: &mut Ec, room: usize) -> Res<()> {
        if self.buffer.capacity() == 0 {
            self.buffer = Buffer::new(ec);
        }
        self.buffer.reserve(ec, room)
    }

    /// As `fill_once` with `wait`, from a socket, by a fiber of the built-in scheduler: asks only when there may be something.
    fn fill_scheduled(&mut self, ec: &mut Ec, scheduler: Value, room: usize) -> Res<Result<usize, Errno>> {
        // More only when there was more the last time.
        let room = if room == READ_CHUNK && self.buffer.len() < SOCKET_CHUNK { SOCKET_CHUNK } else { room };
        let mut wait = poller::is_registered(&scheduler, &self.fd);
        loop {
            if wait {
                self.stream.wait_input(ec, scheduler, &self.fd, self.timeout)?;
            }
            // Too short to be worth leaving the heap for: the socket does not wait.
            let result = self.fd.read(&mut self.buffer, room);
            match result {
                // The first wait registers the descriptor.
                Err(Errno::AGAIN) => {
                    poller::set_input(&scheduler, &self.fd, false);
                    wait = true;
                }
                Ok(n) if n < room => return Ok(Ok(n)),
                _ => {
                    poller::set_input(&scheduler, &self.fd, true);
                    match result {
                        Err(Errno::INTR) => ec.check_blocking()?,
                        other => return Ok(other),
                    }
                }
            }
        }
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let mut fields = self.stream.lock();
        // A socket that waits for its next line keeps little memory for it.
        if !self.fd.socket || !self.buffer.is_empty() || self.buffer.capacity() <= SOCKET_CHUNK {
            fields.read_buffer = std::mem::take(&mut self.buffer);
            fields.read_at = self.at;
        }
        if let Some(number) = self.lineno {
            fields.lineno = number;
        }
        fields.reader = None;
        self.stream.next_turn(&mut fields);
    }
}
