//! IO objects as `rb_io_t` shows them.

use std::ffi::{c_int, c_long};

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_system::io::object::try_stream;
use asterism_system::io::open::mode_argument;
use asterism_system::io::reserved::is_reserved;

use crate::lock::in_ruby;
use crate::types::Out;

/// `FMODE_…` of the header.
const READABLE: c_long = 1;
const WRITABLE: c_long = 2;
const BINMODE: c_long = 4;
const SYNC: c_long = 8;
const TTY: c_long = 0x10;
const DUPLEX: c_long = 0x20;
const APPEND: c_long = 0x40;
const CREATE: c_long = 0x80;
const EXCL: c_long = 0x400;
const TRUNC: c_long = 0x800;
const TEXTMODE: c_long = 0x1000;
const SETENC_BY_BOM: c_long = 0x10_0000;

api! {
    /// The descriptor (-1: closed, -2: not opened yet), the mode, the child's process, the number of lines, and how many bytes were
    /// read ahead.
    fn rb_asterism_io_state(ec, io: Value, out: Out<c_long>) {
        let class = ec.class(WellKnown::IO);
        if !ec.is_kind_of(io, class) {
            let found = ec.class_name_of(io);
            return Err(ec.type_error(format!("wrong argument type {found} (expected File)")));
        }
        let Some(stream) = try_stream(io) else {
            for (i, word) in [-2, 0, 0, 0, 0].into_iter().enumerate() {
                out.set_at(i, word);
            }
            return Ok(());
        };
        let fields = stream.lock();
        let flags = [
            (fields.readable, READABLE),
            (fields.writable, WRITABLE),
            (fields.binmode, BINMODE),
            (fields.sync, SYNC),
            (fields.tty, TTY),
            (fields.write_fd.is_some(), DUPLEX),
            (fields.append, APPEND),
        ];
        let mode = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum();
        let fd = fields.fd.as_ref().map_or(-1, |fd| c_long::from(fd.number()));
        let pid = fields.pid.map_or(0, c_long::from);
        for (i, word) in [fd, mode, pid, fields.lineno, fields.buffered() as c_long].into_iter().enumerate() {
            out.set_at(i, word);
        }
        Ok(())
    }

    /// Of a mode and options as those of `File.open`: `FMODE_…`, flags of open(2), and the numbers of the external and the internal
    /// encoding, -1 where none is given.
    fn rb_asterism_io_mode(ec, mode: Value, options: Value, out: Out<c_long>) {
        let options = (!options.is_nil()).then_some(options);
        let mode = in_ruby(ec, |ec| mode_argument(ec, mode, options))?;
        let system = mode.flags.bits() as c_int;
        let flags = [
            (mode.readable, READABLE),
            (mode.writable, WRITABLE),
            (mode.binmode, BINMODE),
            (mode.textmode, TEXTMODE),
            (mode.append || system & libc::O_APPEND != 0, APPEND),
            (system & libc::O_CREAT != 0, CREATE),
            (system & libc::O_EXCL != 0, EXCL),
            (system & libc::O_TRUNC != 0, TRUNC),
            (mode.bom, SETENC_BY_BOM),
        ];
        let seen = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum();
        let access = match (mode.readable, mode.writable) {
            (true, true) => libc::O_RDWR,
            (false, true) => libc::O_WRONLY,
            _ => libc::O_RDONLY,
        };
        let system = c_long::from(system | access);
        let encoding = |given: Option<u8>| given.map_or(-1, c_long::from);
        for (i, word) in [seen, system, encoding(mode.external), encoding(mode.internal)].into_iter().enumerate() {
            out.set_at(i, word);
        }
        Ok(())
    }

    fn rb_reserved_fd_p(_ec, fd: c_int) -> c_int {
        Ok(c_int::from(is_reserved(fd)))
    }
}
