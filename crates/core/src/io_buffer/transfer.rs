//! A buffer and an IO object: bytes read into it and written from it, past the object's own buffers.

use asterism_object::Value;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::event::PollFlags;
use rustix::io::Errno;

use super::memory::{access, access_to_write};
use super::{natural, range};
use crate::io::errno;
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

fn read(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let to = access_to_write(ec, this)?;
    let (wanted, offset, room) = span(ec, args.or_nil(1), args.or_nil(2), to.len)?;
    let stream = stream(ec, io)?;
    let fd = stream.fd(ec)?;
    let mut done = 0;
    let mut blocked = !fd.socket;
    while done < room {
        if blocked {
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
            Err(Errno::AGAIN) => blocked = true,
            Err(Errno::INTR) => ec.check_blocking()?,
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
        if done >= wanted {
            break;
        }
    }
    ec.size(done)
}

fn write(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let from = access(ec, this)?;
    let (wanted, offset, room) = span(ec, args.or_nil(1), args.or_nil(2), from.len)?;
    let stream = stream(ec, io)?;
    let wanted = if wanted == 0 { room.min(1) } else { wanted };
    let mut done = 0;
    while done < wanted {
        let bytes = from.copy(ec, offset + done, (wanted - done).min(CHUNK))?;
        match stream.write_direct(ec, &bytes, true)? {
            Ok(n) => done += n,
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
    }
    ec.size(done)
}

fn pread(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let from = natural(ec, args[1], "Offset")? as u64;
    let to = access_to_write(ec, this)?;
    let (wanted, offset, room) = span(ec, args.or_nil(2), args.or_nil(3), to.len)?;
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
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
        if done >= wanted {
            break;
        }
    }
    ec.size(done)
}

fn pwrite(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let io = to_io(ec, args[0])?;
    let at = natural(ec, args[1], "Offset")? as u64;
    let from = access(ec, this)?;
    let (wanted, offset, _) = span(ec, args.or_nil(2), args.or_nil(3), from.len)?;
    let fd = stream(ec, io)?.write_fd(ec)?;
    let mut done = 0;
    while done < wanted {
        let bytes = from.copy(ec, offset + done, (wanted - done).min(CHUNK))?;
        match ec.blocking(|| rustix::io::pwrite(&fd, &bytes, at + done as u64)) {
            Ok(n) => done += n,
            Err(Errno::INTR) => ec.check_blocking()?,
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
    }
    ec.size(done)
}
