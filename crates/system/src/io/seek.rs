//! Where in a file a stream reads and writes.

use asterism_core::errno;
use asterism_object::Value;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};
use rustix::fs::SeekFrom;
use rustix::io::Errno;

use crate::io::object::stream;
use crate::io::stream::StreamRef;

/// Instance methods of IO.
pub static IO: &[NativeDef] = &[
    NativeDef::new("pos", pos, 0, 0),
    NativeDef::new("tell", pos, 0, 0),
    NativeDef::new("pos=", set_pos, 1, 1),
    NativeDef::new("seek", seek, 1, 2),
    NativeDef::new("sysseek", sysseek, 1, 2),
    NativeDef::new("rewind", rewind, 0, 0),
];

fn pos(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let n = stream.tell(ec)?;
    ec.int(n)
}

/// Goes to the `n`th byte.
pub(super) fn offset_from_start(ec: &mut Ec, stream: &StreamRef, n: i64) -> Res<()> {
    match u64::try_from(n) {
        Ok(n) => stream.seek(ec, SeekFrom::Start(n)).map(drop),
        Err(_) => {
            let path = stream.lock().path.clone().unwrap_or_default();
            Err(errno::raise(ec, Errno::INVAL, path))
        }
    }
}

fn set_pos(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i64(args[0])?;
    let stream = stream(ec, this)?;
    offset_from_start(ec, &stream, n)?;
    Ok(args[0])
}

/// Does a seek with Ruby's arguments.
fn seek_to(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<()> {
    let n = ec.to_i64(args[0])?;
    let whence = args.or_nil(1);
    let how = match whence {
        Value::NIL => 0,
        v => match v.as_sym().map(|name| name.text()) {
            Some(name) => {
                let how = ["SET", "CUR", "END", "DATA", "HOLE"].iter().position(|known| *known == name);
                how.ok_or_else(|| ec.arg_error(format!("unknown whence: {name}")))? as i64
            }
            None => ec.to_i64(v)?,
        },
    };
    let stream = stream(ec, this)?;
    match (how, u64::try_from(n)) {
        (0, _) => offset_from_start(ec, &stream, n),
        (1, _) => stream.seek(ec, SeekFrom::Current(n)).map(drop),
        (2, _) => stream.seek(ec, SeekFrom::End(n)).map(drop),
        (3, Ok(n)) => stream.seek(ec, SeekFrom::Data(n)).map(drop),
        (4, Ok(n)) => stream.seek(ec, SeekFrom::Hole(n)).map(drop),
        (how, _) => Err(errno::raise(ec, if matches!(how, 3 | 4) { Errno::NXIO } else { Errno::INVAL }, "")),
    }
}

fn seek(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    seek_to(ec, this, args)?;
    Ok(Value::fixnum(0))
}

fn sysseek(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if stream(ec, this)?.lock().buffered() > 0 {
        return Err(ec.raise(Exc::IOError, "sysseek for buffered IO"));
    }
    seek_to(ec, this, args)?;
    pos(ec, this, args)
}

fn rewind(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.seek(ec, SeekFrom::Start(0))?;
    stream.lock().lineno = 0;
    Ok(Value::fixnum(0))
}
