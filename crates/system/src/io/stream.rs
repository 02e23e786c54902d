//! `Stream`: what an IO object stands for. Buffers, modes and the rules by which threads share it.
//!
//! One short lock protects the fields; it is never held across a system call that can wait, an allocation in the
//! Ruby heap or Ruby code. One thread at a time *reads* (it takes the read buffer out while it does) and one at a
//! time *flushes*; others wait for it. A write appends to the buffer under the lock, so that what one call
//! writes stays together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use asterism_lock::{Condvar, Mutex, MutexGuard};
use asterism_object::Value;
use asterism_support::encoding::convert::Converter;
use asterism_vm::ec::Raised;
use asterism_vm::error::Exc;
use asterism_vm::fiber::scheduler::FiberWait;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};
use rustix::fs::{OFlags, SeekFrom};

use crate::io::encoding::{Conversion, Text};
use crate::io::fd::{Fd, Wake, order_write};
use asterism_core::errno;

/// Most bytes asked for at once.
const READ_MOST: usize = 64 << 20;
mod reader;
mod turns;
mod waiting;
mod writer;

pub use reader::Reader;
use turns::Turn;

/// Bytes asked for when the read buffer is empty.
const READ_CHUNK: usize = 16 << 10;
/// So much is asked of what is no file at a time: more than pipes hold.
const PIPE_MOST: usize = 256 << 10;
/// Bytes asked for when a fiber waits for a line of a socket; there may be many such.
const SOCKET_CHUNK: usize = 4 << 10;

/// See the module.
pub struct Stream {
    fields: Mutex<Fields>,
    changed: Condvar,
    /// It was closed; set before anybody who waits is woken.
    was_closed: AtomicBool,
}

/// Everything about the stream that the lock protects.
pub struct Fields {
    /// The descriptor; `None`: closed.
    pub fd: Option<Arc<Fd>>,
    /// The descriptor that is written to, where it is another one (`popen` with "r+").
    pub write_fd: Option<Arc<Fd>>,
    /// Opened for reading.
    pub readable: bool,
    /// Opened for writing.
    pub writable: bool,
    /// Opened for appending.
    pub append: bool,
    /// `IO#sync`
    pub sync: bool,
    /// A terminal: every write goes out at once.
    pub tty: bool,
    /// `IO#binmode?`
    pub binmode: bool,
    /// The path it was opened with.
    pub path: Option<Vec<u8>>,
    /// The child process behind it.
    pub pid: Option<u32>,
    /// `IO#external_encoding`, if it was given.
    pub external: Option<u8>,
    /// `IO#internal_encoding`
    pub internal: Option<u8>,
    /// What is done with text beside that.
    pub conversion: Option<Arc<Conversion>>,
    /// `IO#lineno`
    pub lineno: i64,
    /// `IO#timeout`
    pub timeout: Option<Duration>,
    /// What text that was written left behind, where what follows depends on it.
    pub sink_state: Option<Box<Converter>>,
    /// How often that was written.
    pub sink_serial: u64,
    /// Bytes read and not taken yet, from `read_at`.
    read_buffer: Buffer,
    read_at: usize,
    /// Who reads, if somebody does.
    reader: Option<Turn>,
    write_buffer: Buffer,
    /// Who flushes, if somebody does.
    flusher: Option<Turn>,
    /// Waits that a `close` has to end.
    waits: Vec<Arc<Wake>>,
    /// Fibers' waits that a `close` has to end; the built-in scheduler keeps its own.
    fiber_waits: Vec<Arc<FiberWait>>,
    /// Fibers that wait for their turn at reading or flushing.
    turns: Vec<Arc<FiberWait>>,
    /// It is in the list of streams to be flushed at the end.
    registered: bool,
}

/// How a stream is opened.
#[derive(Clone, Debug)]
pub struct Mode {
    /// For reading.
    pub readable: bool,
    /// For writing.
    pub writable: bool,
    /// At the end always.
    pub append: bool,
    /// Flags of open(2).
    pub flags: OFlags,
    /// `b`
    pub binmode: bool,
    /// `t`
    pub textmode: bool,
    /// External encoding.
    pub external: Option<u8>,
    /// Internal encoding.
    pub internal: Option<u8>,
    /// What is done with text beside that.
    pub conversion: Option<Arc<Conversion>>,
    /// Look for a byte order mark.
    pub bom: bool,
    /// The internal encoding if there is a mark of another encoding.
    pub behind_mark: Option<u8>,
}

impl Default for Mode {
    fn default() -> Self {
        Mode {
            readable: false,
            writable: false,
            append: false,
            flags: OFlags::empty(),
            binmode: false,
            textmode: false,
            external: None,
            internal: None,
            conversion: None,
            bom: false,
            behind_mark: None,
        }
    }
}

impl Stream {
    /// A stream over an open descriptor.
    pub fn new(fd: Fd, mode: &Mode, path: Option<Vec<u8>>) -> Stream {
        let stream = Stream::over(Arc::new(fd), mode);
        stream.lock().path = path;
        stream
    }

    /// A stream over a descriptor that is shared already.
    pub fn over(fd: Arc<Fd>, mode: &Mode) -> Stream {
        let tty = !fd.regular && rustix::termios::isatty(&fd);
        Stream {
            fields: Mutex::new(Fields {
                fd: Some(fd),
                write_fd: None,
                readable: mode.readable,
                writable: mode.writable,
                append: mode.append,
                sync: false,
                tty,
                binmode: mode.binmode,
                path: None,
                pid: None,
                external: mode.external,
                internal: mode.internal,
                conversion: mode.conversion.clone(),
                lineno: 0,
                timeout: None,
                sink_state: None,
                sink_serial: 0,
                read_buffer: Buffer::default(),
                read_at: 0,
                reader: None,
                write_buffer: Buffer::default(),
                flusher: None,
                waits: Vec::new(),
                fiber_waits: Vec::new(),
                turns: Vec::new(),
                registered: false,
            }),
            changed: Condvar::new(),
            was_closed: AtomicBool::new(false),
        }
    }

    /// The fields, for a moment.
    pub fn lock(&self) -> MutexGuard<'_, Fields> {
        self.fields.lock()
    }

    /// The descriptor.
    ///
    /// # Errors
    /// IOError: closed stream.
    pub fn fd(&self, ec: &mut Ec) -> Res<Arc<Fd>> {
        let fd = self.lock().fd.clone();
        fd.ok_or_else(|| closed(ec))
    }

    /// The descriptor writes go to.
    ///
    /// # Errors
    /// IOError: closed stream, or not opened for writing.
    pub fn write_fd(&self, ec: &mut Ec) -> Res<Arc<Fd>> {
        let (fd, writable) = {
            let fields = self.lock();
            (fields.write_fd.clone().or_else(|| fields.fd.clone()), fields.writable)
        };
        match fd {
            Some(fd) if writable => Ok(fd),
            Some(_) => Err(ec.raise(Exc::IOError, "not opened for writing")),
            None => Err(closed(ec)),
        }
    }

    /// The open stream with everything that belongs to it, for another VM; this one is closed from now on. `None`: it is closed
    /// already, or in use by another thread.
    pub fn give_up(&self) -> Option<Stream> {
        let mut fields = self.lock();
        let busy = fields.reader.is_some() || fields.flusher.is_some() || !fields.waits.is_empty();
        let busy = busy || !fields.fiber_waits.is_empty() || !fields.turns.is_empty();
        if busy || fields.fd.is_none() {
            return None;
        }
        let closed = Fields {
            fd: None,
            write_fd: None,
            readable: fields.readable,
            writable: fields.writable,
            append: fields.append,
            sync: fields.sync,
            tty: fields.tty,
            binmode: fields.binmode,
            path: fields.path.clone(),
            pid: None,
            external: fields.external,
            internal: fields.internal,
            lineno: fields.lineno,
            timeout: fields.timeout,
            sink_state: None,
            sink_serial: 0,
            read_buffer: Buffer::default(),
            read_at: 0,
            reader: None,
            write_buffer: Buffer::default(),
            flusher: None,
            waits: Vec::new(),
            fiber_waits: Vec::new(),
            turns: Vec::new(),
            registered: fields.registered,
            conversion: None,
        };
        let mut given = std::mem::replace(&mut *fields, closed);
        // It is in the sender's list, not in the receiver's.
        given.registered = false;
        if let Some(fd) = &given.fd {
            fd.forget_pollers();
        }
        Some(Stream { fields: Mutex::new(given), changed: Condvar::new(), was_closed: AtomicBool::new(false) })
    }

    /// Is it closed?
    pub fn is_closed(&self) -> bool {
        self.lock().fd.is_none()
    }

    /// Has `close` given its descriptor up? Takes no lock.
    pub fn was_closed(&self) -> bool {
        self.was_closed.load(Ordering::Acquire)
    }

    /// What says so, for who waits.
    pub fn closed_flag(&self) -> &AtomicBool {
        &self.was_closed
    }
}

/// A stream with the IO object it was reached through. It lies on the machine stack only, where the collector finds
/// the object; a fiber scheduler is told which object an operation waits for.
#[derive(Clone)]
pub struct StreamRef {
    stream: Arc<Stream>,
    io: Value,
}

impl std::ops::Deref for StreamRef {
    type Target = Stream;

    fn deref(&self) -> &Stream {
        &self.stream
    }
}

impl StreamRef {
    /// The stream of an IO object.
    pub fn new(stream: Arc<Stream>, io: Value) -> StreamRef {
        StreamRef { stream, io }
    }

    /// The IO object.
    pub fn io(&self) -> Value {
        self.io
    }

    /// Reads: waits until nobody else does, and lets the next one after `body`.
    ///
    /// # Errors
    /// IOError if it is closed or not opened for reading; ThreadError if this fiber reads already; what `body` raises.
    #[inline]
    pub fn reading<R>(&self, ec: &mut Ec, body: impl FnOnce(&mut Ec, &mut Reader<'_>) -> Res<R>) -> Res<R> {
        let result = {
            let mut reader = self.reader(ec)?;
            body(ec, &mut reader)
        };
        if result.is_ok() {
            ec.wake_fibers()?;
        } else {
            ec.wake_fibers_quietly();
        }
        result
    }

    fn reader(&self, ec: &mut Ec) -> Res<Reader<'_>> {
        let me = ec.fiber.id;
        loop {
            let pending_writes = {
                let mut fields = self.lock();
                let Some(fd) = fields.fd.clone() else {
                    drop(fields);
                    return Err(closed(ec));
                };
                if !fields.readable {
                    drop(fields);
                    return Err(ec.raise(Exc::IOError, "not opened for reading"));
                }
                match fields.reader {
                    None if fields.write_buffer.is_empty() || fields.write_fd.is_some() => {
                        fields.reader = Some(Turn::of(ec));
                        let (buffer, at) = (std::mem::take(&mut fields.read_buffer), fields.read_at);
                        fields.read_at = 0;
                        let (timeout, text) = (fields.timeout, Text::of_fields(ec, &fields));
                        return Ok(Reader { stream: self, fd, buffer, at, timeout, text, lineno: None });
                    }
                    None => true,
                    Some(turn) if turn.fiber == me => {
                        drop(fields);
                        return Err(ec.raise(Exc::ThreadError, "deadlock; recursive reading"));
                    }
                    Some(_) => false,
                }
            };
            if pending_writes {
                self.flush(ec)?;
            } else {
                self.wait_while(ec, |f| f.reader.is_some())?;
            }
        }
    }

    /// Closes it; flushes first. Other threads' reads and writes end with an IOError.
    ///
    /// # Errors
    /// IOError, or the class of Errno of write(2), by the flush; the stream is closed nevertheless. What a scheduler
    /// raises whose fibers are woken.
    pub fn close(&self, ec: &mut Ec) -> Res<()> {
        if self.is_closed() {
            return Ok(());
        }
        self.end_text();
        let flushed = self.flush(ec);
        // Its end is seen by who reads.
        let written = {
            let fields = self.lock();
            fields.write_fd.clone().or_else(|| fields.fd.clone())
        };
        if let Some(fd) = written {
            order_write(ec, &fd);
        }
        self.detach();
        if flushed.is_err() {
            ec.wake_fibers_quietly();
        } else {
            ec.wake_fibers()?;
        }
        flushed
    }

    /// lseek, with both buffers in order.
    ///
    /// # Errors
    /// IOError if it is closed; Errno::ESPIPE for a pipe, a socket or a terminal, Errno::EINVAL for a place that there
    /// cannot be; what flushing fails with.
    pub fn seek(&self, ec: &mut Ec, to: SeekFrom) -> Res<u64> {
        self.flush(ec)?;
        let fd = self.fd(ec)?;
        self.lock().seek_back();
        match rustix::fs::seek(&fd, to) {
            Ok(n) => Ok(n),
            Err(e) => {
                let path = self.path_text();
                Err(errno::raise(ec, e, path))
            }
        }
    }

    /// Where the next read or write happens.
    ///
    /// # Errors
    /// IOError if it is closed; Errno::ESPIPE for a pipe, a socket or a terminal; what flushing fails with.
    pub fn tell(&self, ec: &mut Ec) -> Res<i64> {
        self.flush(ec)?;
        let fd = self.fd(ec)?;
        let ahead = {
            let fields = self.lock();
            fields.read_buffer.len() - fields.read_at
        };
        match rustix::fs::tell(&fd) {
            // More may have been put back than was ever read.
            Ok(n) => Ok(n as i64 - ahead as i64),
            Err(e) => {
                let path = self.path_text();
                Err(errno::raise(ec, e, path))
            }
        }
    }
}

impl Stream {
    /// The path it was opened with, or nothing.
    pub fn path_text(&self) -> Vec<u8> {
        self.lock().path.clone().unwrap_or_default()
    }

    /// Gives the descriptors up and wakes who waits for them.
    fn detach(&self) {
        let mut fields = self.lock();
        let fds = (fields.fd.take(), fields.write_fd.take());
        fields.write_buffer = Buffer::default();
        self.was_closed.store(true, Ordering::Release);
        for wake in &fields.waits {
            wake.notify();
        }
        for wait in &fields.fiber_waits {
            wait.wake();
        }
        drop(fields);
        for fd in [&fds.0, &fds.1].into_iter().flatten() {
            fd.tell_closed();
        }
        drop(fds);
    }

    /// Forgets what was read ahead, the file position where the reader sees it.
    pub fn forget_read_ahead(&self) {
        self.lock().seek_back();
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // What cannot go out now is that of a VM which was ended by force.
        self.flush_at_once();
    }
}

impl Fields {
    /// Gives what was read ahead back to the file, if the file can seek.
    fn seek_back(&mut self) {
        let ahead = self.read_buffer.len() - self.read_at;
        if ahead > 0
            && let Some(fd) = &self.fd
            && let Ok(back) = i64::try_from(ahead)
            && rustix::fs::seek(fd, SeekFrom::Current(-back)).is_err()
            && !fd.regular
        {
            // A pipe or terminal: what was read stays readable.
            return;
        }
        self.read_buffer.clear();
        self.read_at = 0;
    }

    /// Bytes that can be read without asking the system.
    pub fn buffered(&self) -> usize {
        self.read_buffer.len() - self.read_at
    }

    /// Bytes that wait to be written.
    pub fn unwritten(&self) -> usize {
        self.write_buffer.len()
    }
}

/// IOError: closed stream.
#[cold]
pub fn closed(ec: &mut Ec) -> Raised {
    ec.raise(Exc::IOError, "closed stream")
}
