//! Reading and writing by the hooks of a fiber scheduler that has them (`io_read`, `io_write`, `io_pread`, `io_pwrite`).

use asterism_object::Value;
use asterism_object::data;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};
use rustix::io::Errno;

use crate::fiber::poller::Poller;
use crate::fiber::scheduler::{count, optional};
use crate::io_buffer::memory::access;

/// The running fiber's scheduler, unless it is the built-in one, which has none of these hooks.
fn scheduler(ec: &Ec) -> Option<Value> {
    ec.scheduler().filter(|s| !data::is::<Poller>(*s))
}

/// Has the running fiber's scheduler this hook?
///
/// # Errors
/// What a Ruby-level `respond_to?` of the scheduler raises.
pub fn has_hook(ec: &mut Ec, name: &str) -> Res<bool> {
    match scheduler(ec) {
        Some(scheduler) => ec.respond_to(scheduler, intern(name), false),
        None => Ok(false),
    }
}

/// A buffer for a hook.
fn new_buffer(ec: &mut Ec, size: Value) -> Res {
    let io = ec.known(asterism_object::space::WellKnown::IO);
    match ec.own_constant(io, intern("Buffer")) {
        Some(class) => ec.call(class, asterism_symbol::sym::new, &[size]),
        None => Err(ec.fatal("no IO::Buffer")),
    }
}

/// `io_read`, or with an offset `io_pread`: appends what it read to `into`. `None`: there is no such hook.
fn read_by(
    ec: &mut Ec,
    io: Value,
    from: Option<u64>,
    room: usize,
    into: &mut Vec<u8>,
) -> Res<Option<Result<usize, Errno>>> {
    let Some(scheduler) = scheduler(ec) else { return Ok(None) };
    let name = if from.is_some() { "io_pread" } else { "io_read" };
    if !ec.respond_to(scheduler, intern(name), false)? {
        return Ok(None);
    }
    let size = ec.size(room)?;
    let buffer = new_buffer(ec, size)?;
    let zero = Value::fixnum(0);
    let answer = match from {
        None => optional(ec, scheduler, name, &[io, buffer, zero, zero])?,
        Some(from) => {
            let from = ec.int(i64::try_from(from).unwrap_or(i64::MAX))?;
            optional(ec, scheduler, name, &[io, buffer, from, zero, zero])?
        }
    };
    let Some(answer) = answer else { return Ok(None) };
    let n = match count(ec, answer)? {
        Ok(n) => n,
        Err(e) => return Ok(Some(Err(e))),
    };
    if n > 0 {
        let bytes = access(ec, buffer)?;
        let copy = bytes.copy(ec, 0, n.min(bytes.len))?;
        into.extend_from_slice(&copy);
    }
    Ok(Some(Ok(n.min(room))))
}

/// See `read_by`.
///
/// # Errors
/// What the scheduler's `io_read` raises; TypeError if that gives no Integer, RangeError if it gives a big one;
/// NoMemoryError.
pub fn read(ec: &mut Ec, io: Value, room: usize, into: &mut Vec<u8>) -> Res<Option<Result<usize, Errno>>> {
    if ec.scheduler().is_none() { Ok(None) } else { read_by(ec, io, None, room, into) }
}

/// See `read_by`.
///
/// # Errors
/// What the scheduler's `io_pread` raises; TypeError if that gives no Integer, RangeError if it gives a big one;
/// NoMemoryError.
pub fn pread(ec: &mut Ec, io: Value, from: u64, room: usize, into: &mut Vec<u8>) -> Res<Option<Result<usize, Errno>>> {
    if ec.scheduler().is_none() { Ok(None) } else { read_by(ec, io, Some(from), room, into) }
}

/// `io_write`: how many bytes went out. `None`: there is no such hook.
///
/// # Errors
/// What the scheduler's `io_write` raises; TypeError if that gives no Integer, RangeError if it gives a big one;
/// NoMemoryError.
pub fn write(ec: &mut Ec, io: Value, bytes: &[u8]) -> Res<Option<Result<usize, Errno>>> {
    write_by(ec, io, None, bytes)
}

/// `io_pwrite`, as `write`.
///
/// # Errors
/// What the scheduler's `io_pwrite` raises; TypeError if that gives no Integer, RangeError if it gives a big one;
/// NoMemoryError.
pub fn pwrite(ec: &mut Ec, io: Value, at: u64, bytes: &[u8]) -> Res<Option<Result<usize, Errno>>> {
    write_by(ec, io, Some(at), bytes)
}

fn write_by(ec: &mut Ec, io: Value, at: Option<u64>, bytes: &[u8]) -> Res<Option<Result<usize, Errno>>> {
    let Some(scheduler) = scheduler(ec) else { return Ok(None) };
    let name = if at.is_some() { "io_pwrite" } else { "io_write" };
    if bytes.is_empty() || !ec.respond_to(scheduler, intern(name), false)? {
        return Ok(None);
    }
    let size = ec.size(bytes.len())?;
    let buffer = new_buffer(ec, size)?;
    access(ec, buffer)?.write(ec, 0, bytes.len(), |place| place.copy_from_slice(bytes))?;
    let zero = Value::fixnum(0);
    let answer = match at {
        None => optional(ec, scheduler, name, &[io, buffer, zero, zero])?,
        Some(at) => {
            let at = ec.int(i64::try_from(at).unwrap_or(i64::MAX))?;
            optional(ec, scheduler, name, &[io, buffer, at, zero, zero])?
        }
    };
    match answer {
        Some(answer) => count(ec, answer).map(Some),
        None => Ok(None),
    }
}
