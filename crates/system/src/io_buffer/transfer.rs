//! A buffer and an IO object: bytes read into it and written from it, past the object's own buffers. What fails answers the negated
//! number of the error. A scheduler's hook does it instead, if there is one.

use asterism_object::{Value, data};
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::event::PollFlags;
use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use super::memory::{access, access_to_write};
use super::{natural, range};
use crate::fiber::poller::Poller;
use crate::fiber::scheduler::optional;
use crate::io::fd::{Fd, ready_now};
use crate::io::object::{stream, to_io};

/// Instance methods.
pub static BUFFER: &[NativeDef] = &[
    NativeDef::new("read", read, 1, 3),
    NativeDef::new("write", write, 1, 3),
    NativeDef::new("pread", pread, 2, 4),
    NativeDef::new("pwrite", pwrite, 2, 4),
];

/// Most bytes moved by one system call.
const CHUNK: usize = 1 << 20;

/// The length and offset arguments: how much at least, where, and how much there is room for.
fn span(ec: &mut Ec, length: Value, offset: Value, size: usize) -> Res<(usize, usize, usize)> {
    let (offset, room) = range(ec, offset, Value::NIL, size)?;
    let wanted = if length.is_nil() { room } else { natural(ec, length, "Length")? };
    if wanted > room {
        return Err(super::out_of_range(ec));
    }
    Ok((wanted, offset, room))
}

/// How much is written at most: of no length at least, as much as one call takes.
fn most(wanted: usize, room: usize) -> usize {
    if wanted == 0 { room } else { wanted }
}

/// The answer of an operation.
fn answer(ec: &mut Ec, done: Result<usize, Errno>) -> Res {
    match done {
        Ok(n) => ec.size(n),
        Err(e) => Ok(Value::fixnum(-i64::from(e.raw_os_error()))),
    }
}

/// What the hook of the running fiber's scheduler answers, if it has one.
fn hooked(ec: &mut Ec, name: &str, args: &[Value]) -> Res<Option<Value>> {
    match ec.scheduler() {
        Some(scheduler) if !data::is::<Poller>(scheduler) => optional(ec, scheduler, name, args),
        _ => Ok(None),
    }
}

/// Is the caller told to try again rather than kept waiting? As of CRuby's pipes and sockets, which do not block; the built-in
/// scheduler lets others run instead.
fn says_again(ec: &Ec, fd: &Fd) -> bool {
    if ec.scheduler().is_some_and(data::is::<Poller>) {
        return false;
    }
    let is_pipe = || rustix::fs::fstat(fd).is_ok_and(|s| FileType::from_raw_mode(s.st_mode) == FileType::Fifo);
    let is_nonblocking = || rustix::fs::fcntl_getfl(fd).is_ok_and(|flags| flags.contains(OFlags::NONBLOCK));
    fd.socket || fd.number() > 2 && is_pipe() || is_nonblocking()
}

fn read(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let to = access_to_write(ec, this)?;
    let (wanted, offset, room) = span(ec, args.or_nil(1), args.or_nil(2), to.len)?;
    let (length, from) = (ec.size(wanted)?, ec.size(offset)?);
    if let Some(answer) = hooked(ec, "io_read", &[io, this, length, from])? {
        return Ok(answer);
    }
    let stream = stream(ec, io)?;
    let fd = stream.fd(ec)?;
    let again = says_again(ec, &fd);
    let mut done = 0;
    let mut blocked = !fd.socket;
    while done < room {
        if blocked && again {
            if !ready_now(&fd, PollFlags::IN) {
                return answer(ec, Err(Errno::AGAIN));
            }
        } else if blocked {
            stream.wait_ready(ec, &fd, PollFlags::IN)?;
        }
        let mut bytes: Vec<u8> = Vec::with_capacity((room - done).min(CHUNK));
        let want = bytes.capacity().min(room - done);
        match ec.blocking(|| fd.read(&mut bytes, want)) {
            Ok(0) => break,
            Ok(n) => {
                to.write(ec, offset + done, n, |place| place.copy_from_slice(&bytes[..n]))?;
                done += n;
            }
            Err(Errno::AGAIN) if !again => blocked = true,
            Err(Errno::INTR) => ec.check_blocking()?,
            Err(e) => return answer(ec, Err(e)),
        }
        if done >= wanted {
            break;
        }
    }
    answer(ec, Ok(done))
}

fn write(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let from = access(ec, this)?;
    let (wanted, offset, room) = span(ec, args.or_nil(1), args.or_nil(2), from.len)?;
    let (length, at) = (ec.size(wanted)?, ec.size(offset)?);
    if let Some(answer) = hooked(ec, "io_write", &[io, this, length, at])? {
        return Ok(answer);
    }
    let stream = stream(ec, io)?;
    let fd = stream.fd(ec)?;
    if !stream.lock().writable {
        return answer(ec, Err(Errno::BADF));
    }
    let waits = !says_again(ec, &fd);
    let most = most(wanted, room);
    let mut done = 0;
    while done < most {
        let bytes = from.copy(ec, offset + done, (most - done).min(CHUNK))?;
        match stream.write_direct(ec, &bytes, waits)? {
            Ok(n) => done += n,
            Err(e) => return answer(ec, Err(e)),
        }
        if done >= wanted {
            break;
        }
    }
    answer(ec, Ok(done))
}

fn pread(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let from = natural(ec, args[1], "Offset")? as u64;
    let to = access_to_write(ec, this)?;
    let (wanted, offset, room) = span(ec, args.or_nil(2), args.or_nil(3), to.len)?;
    let (length, at) = (ec.size(wanted)?, ec.size(offset)?);
    if let Some(answer) = hooked(ec, "io_pread", &[io, this, args[1], length, at])? {
        return Ok(answer);
    }
    let fd = stream(ec, io)?.fd(ec)?;
    let mut done = 0;
    while done < room {
        let mut bytes = vec![0u8; (room - done).min(CHUNK)];
        match ec.blocking(|| rustix::io::pread(&fd, &mut bytes[..], from + done as u64)) {
            Ok(0) => break,
            Ok(n) => {
                to.write(ec, offset + done, n, |place| place.copy_from_slice(&bytes[..n]))?;
                done += n;
            }
            Err(Errno::INTR) => ec.check_blocking()?,
            Err(e) => return answer(ec, Err(e)),
        }
        if done >= wanted {
            break;
        }
    }
    answer(ec, Ok(done))
}

fn pwrite(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let at = natural(ec, args[1], "Offset")? as u64;
    let from = access(ec, this)?;
    let (wanted, offset, room) = span(ec, args.or_nil(2), args.or_nil(3), from.len)?;
    let (length, start) = (ec.size(wanted)?, ec.size(offset)?);
    if let Some(answer) = hooked(ec, "io_pwrite", &[io, this, args[1], length, start])? {
        return Ok(answer);
    }
    let fd = stream(ec, io)?.fd(ec)?;
    let most = most(wanted, room);
    let mut done = 0;
    while done < most {
        let bytes = from.copy(ec, offset + done, (most - done).min(CHUNK))?;
        match ec.blocking(|| rustix::io::pwrite(&fd, &bytes, at + done as u64)) {
            Ok(n) => done += n,
            Err(Errno::INTR) => ec.check_blocking()?,
            Err(e) => return answer(ec, Err(e)),
        }
        if done >= wanted {
            break;
        }
    }
    answer(ec, Ok(done))
}
