//! What every socket can do: the primitives that the classes written in Ruby are made of. A primitive that would
//! have to wait and must not answers `:wait_readable` or `:wait_writable`.

use std::sync::Arc;
use std::time::Duration;

use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, Exc, NativeDef, Raised, Res};
use libc::c_int;
use rustix::event::PollFlags;
use rustix::io::Errno;

use super::sys::{self, Control};
use asterism_core::errno;
use asterism_system::io::fd::Fd;
use asterism_system::io::object::{install, stream, wrap};
use asterism_system::io::stream::{Mode, Stream, StreamRef};

/// Instance methods of BasicSocket.
pub static BASIC: &[NativeDef] = &[
    NativeDef::new("__open", open, 3, 3).private(),
    NativeDef::new("__adopt", adopt, 1, 1).private(),
    NativeDef::new("__connect", connect, 3, 3).private(),
    NativeDef::new("__bind", bind, 2, 2).private(),
    NativeDef::new("__listen", listen, 1, 1).private(),
    NativeDef::new("__accept", accept, 2, 2).private(),
    NativeDef::new("__accept_socket", accept_socket, 1, 1).private(),
    NativeDef::new("__getsockopt", getsockopt, 3, 3).private(),
    NativeDef::new("__setsockopt", setsockopt, 3, 3).private(),
    NativeDef::new("__shutdown", shutdown, 1, 1).private(),
    NativeDef::new("__send", send, 4, 4).private(),
    NativeDef::new("__recv", recv, 4, 4).private(),
    NativeDef::new("__recvfrom", recvfrom, 4, 4).private(),
    NativeDef::new("__sendmsg", sendmsg, 5, 5).private(),
    NativeDef::new("__recvmsg", recvmsg, 4, 4).private(),
    NativeDef::new("__dgram?", is_datagram, 0, 0).private(),
    NativeDef::new("__half_close", half_close, 1, 1).private(),
    NativeDef::new("getsockname", getsockname, 0, 0),
    NativeDef::new("getpeername", getpeername, 0, 0),
];

/// Singleton methods of BasicSocket.
pub static BASIC_SINGLETON: &[NativeDef] = &[NativeDef::new("__pair", pair, 3, 3).private()];

/// How Ruby sees a socket: for reading and writing, as bytes, unbuffered.
fn socket_stream(fd: Fd) -> Stream {
    let mode = Mode { readable: true, writable: true, binmode: true, ..Mode::default() };
    let stream = Stream::new(fd, &mode, None);
    stream.lock().sync = true;
    stream
}

fn c_number(ec: &mut Ec, v: Value) -> Res<c_int> {
    let n = ec.to_i64(v)?;
    match c_int::try_from(n).or_else(|_| u32::try_from(n).map(|n| n as c_int)) {
        Ok(n) => Ok(n),
        Err(_) => Err(ec.range_error(format!("integer {n} too big to convert to 'int'"))),
    }
}

fn bytes_of(ec: &mut Ec, v: Value) -> Res<Vec<u8>> {
    let s = ec.to_str(v)?;
    Ok(string::to_vec(ec, s))
}

/// A byte string.
fn binary(ec: &mut Ec, bytes: &[u8]) -> Res {
    ec.str_enc(bytes, asterism_symbol::BINARY)
}

fn open(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (domain, kind, protocol) = (c_number(ec, args[0])?, c_number(ec, args[1])?, c_number(ec, args[2])?);
    let made = sys::socket(domain, kind, protocol).map_err(|e| errno::raise(ec, e, "socket(2)"))?;
    install(ec, this, Arc::new(socket_stream(Fd::of_socket(made))))?;
    Ok(this)
}

fn adopt(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let number = c_number(ec, args[0])?;
    let fd = Fd::from_number(number).map_err(|e| errno::raise(ec, e, ""))?;
    if !fd.socket {
        return Err(errno::raise(ec, Errno::NOTSOCK, "not a socket file descriptor"));
    }
    fd.take_over();
    install(ec, this, Arc::new(socket_stream(fd)))?;
    Ok(this)
}

fn pair(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (domain, kind, protocol) = (c_number(ec, args[0])?, c_number(ec, args[1])?, c_number(ec, args[2])?);
    let made = sys::pair(domain, kind, protocol).map_err(|e| errno::raise(ec, e, "socketpair(2)"))?;
    let class = class_argument(ec, this)?;
    let one = wrap(ec, class, socket_stream(Fd::of_socket(made.0)))?;
    let other = wrap(ec, class, socket_stream(Fd::of_socket(made.1)))?;
    ec.array(&[one, other])
}

fn class_argument(ec: &mut Ec, v: Value) -> Res<Class> {
    match Class::from_value(v) {
        Some(class) => Ok(class),
        None => Err(ec.type_error("class or module required")),
    }
}

/// Raises a failed call's error; `what` says of which call, a String or nil.
fn failed(ec: &mut Ec, e: Errno, what: Value) -> Raised {
    let detail = if what.is_type(Type::String) { string::to_vec(ec, what) } else { Vec::new() };
    errno::raise(ec, e, detail)
}

/// `__connect(address, what, wait)`: `wait` is true, a number of seconds, or false.
fn connect(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let address = bytes_of(ec, args[0])?;
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    sys::make_nonblocking(&fd).map_err(|e| errno::raise(ec, e, ""))?;
    let mut result = ec.blocking(|| sys::connect(&fd, &address));
    if result == Err(Errno::INTR) {
        result = Err(Errno::INPROGRESS);
    }
    match result {
        Ok(()) => return Ok(Value::fixnum(0)),
        Err(Errno::INPROGRESS | Errno::ALREADY) if args[2] != Value::FALSE => {}
        Err(Errno::INPROGRESS) => return Ok(Value::sym(intern("wait_writable"))),
        // A UNIX socket whose server's queue is full says so at once.
        Err(Errno::AGAIN) if args[2] != Value::FALSE => return connect_later(ec, &stream, &fd, &address, args[1]),
        Err(e) => return Err(failed(ec, e, args[1])),
    }
    if args[2] == Value::TRUE || args[2].is_nil() {
        stream.wait_ready(ec, &fd, PollFlags::OUT)?;
    } else {
        let seconds = ec.to_f64(args[2])?;
        let Ok(limit) = Duration::try_from_secs_f64(seconds) else {
            return Err(ec.arg_error("time interval must not be negative"));
        };
        if !stream.wait_fd(ec, &fd, PollFlags::OUT, Some(limit))? {
            return Ok(Value::sym(intern("timeout")));
        }
    }
    let error = sys::option(&fd, libc::SOL_SOCKET, libc::SO_ERROR, 4).map_err(|e| errno::raise(ec, e, ""))?;
    match error.first_chunk::<4>().map(|b| c_int::from_ne_bytes(*b)) {
        None | Some(0) => Ok(Value::fixnum(0)),
        Some(n) => Err(failed(ec, Errno::from_raw_os_error(n), args[1])),
    }
}

/// Tries again until there is room in a UNIX server's queue: nothing tells when that is.
fn connect_later(ec: &mut Ec, stream: &StreamRef, fd: &Arc<Fd>, address: &[u8], what: Value) -> Res {
    let mut pause = Duration::from_millis(1);
    loop {
        asterism_system::io::fd::pause(ec, pause)?;
        pause = (pause * 2).min(Duration::from_millis(50));
        stream.fd(ec)?;
        match sys::connect(fd, address) {
            Ok(()) => return Ok(Value::fixnum(0)),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(e) => return Err(failed(ec, e, what)),
        }
    }
}

fn bind(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let address = bytes_of(ec, args[0])?;
    let fd = stream(ec, this)?.fd(ec)?;
    match sys::bind(&fd, &address) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(failed(ec, e, args[1])),
    }
}

fn listen(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let backlog = c_number(ec, args[0])?;
    let fd = stream(ec, this)?.fd(ec)?;
    match sys::listen(&fd, backlog) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise(ec, e, "listen(2)")),
    }
}

/// A connection and its address; `None` if there is none and the caller does not wait.
fn accept_one(ec: &mut Ec, this: Value, wait: bool) -> Res<Option<(Fd, Vec<u8>)>> {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    // Another process may have cleared the flag of a server it shares.
    sys::make_nonblocking(&fd).map_err(|e| errno::raise(ec, e, ""))?;
    loop {
        match ec.blocking(|| sys::accept(&fd)) {
            Ok((made, address)) => return Ok(Some((Fd::of_socket(made), address))),
            Err(Errno::AGAIN) if wait => stream.wait_ready(ec, &fd, PollFlags::IN)?,
            Err(Errno::AGAIN) => return Ok(None),
            Err(Errno::INTR) => ec.check_blocking()?,
            Err(e) => return Err(errno::raise(ec, e, "accept(2)")),
        }
    }
}

/// `__accept(class, wait)`: the new socket, an object of `class`, and the other side's address.
fn accept(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = class_argument(ec, args[0])?;
    match accept_one(ec, this, args[1].truthy())? {
        None => Ok(Value::sym(intern("wait_readable"))),
        Some((fd, address)) => {
            let socket = wrap(ec, class, socket_stream(fd))?;
            let address = binary(ec, &address)?;
            ec.array(&[socket, address])
        }
    }
}

/// As `__accept`, waiting, without the address.
fn accept_socket(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = class_argument(ec, args[0])?;
    match accept_one(ec, this, true)? {
        None => Ok(Value::NIL),
        Some((fd, _)) => wrap(ec, class, socket_stream(fd)),
    }
}

fn getsockopt(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (level, name, room) = (c_number(ec, args[0])?, c_number(ec, args[1])?, ec.to_i64(args[2])?);
    let room = usize::try_from(room).unwrap_or(0).min(1 << 16);
    let fd = stream(ec, this)?.fd(ec)?;
    match sys::option(&fd, level, name, room) {
        Ok(bytes) => binary(ec, &bytes),
        Err(e) => Err(errno::raise(ec, e, "getsockopt(2)")),
    }
}

fn setsockopt(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (level, name) = (c_number(ec, args[0])?, c_number(ec, args[1])?);
    let bytes = bytes_of(ec, args[2])?;
    let fd = stream(ec, this)?.fd(ec)?;
    match sys::set_option(&fd, level, name, &bytes) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise(ec, e, "setsockopt(2)")),
    }
}

fn shutdown(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let how = c_number(ec, args[0])?;
    let stream = stream(ec, this)?;
    stream.flush(ec)?;
    let fd = stream.fd(ec)?;
    match sys::shutdown(&fd, how) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise(ec, e, "shutdown(2)")),
    }
}

/// Ends one direction, 0 reading or 1 writing; whether the other one is still open.
fn half_close(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let how = c_number(ec, args[0])?;
    let stream = stream(ec, this)?;
    stream.flush(ec)?;
    let Some(fd) = stream.lock().fd.clone() else {
        return Ok(Value::TRUE);
    };
    let (ours, other) = {
        let fields = stream.lock();
        if how == 0 { (fields.readable, fields.writable) } else { (fields.writable, fields.readable) }
    };
    if !ours {
        return Ok(Value::TRUE);
    }
    // The other side may be gone already: then there is nothing to tell it.
    match sys::shutdown(&fd, how) {
        Ok(()) | Err(Errno::NOTCONN) => {}
        Err(e) => return Err(errno::raise(ec, e, "shutdown(2)")),
    }
    if other {
        let mut fields = stream.lock();
        if how == 0 {
            fields.readable = false;
        } else {
            fields.writable = false;
        }
    }
    Ok(Value::bool(other))
}

/// `__send(data, flags, address or nil, wait)`: how many bytes went out.
fn send(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let data = ec.to_str(args[0])?;
    let flags = c_number(ec, args[1])?;
    let to = if args[2].is_nil() { None } else { Some(bytes_of(ec, args[2])?) };
    let bytes = string::read(ec, data);
    let what = if to.is_some() { "sendto(2)" } else { "send(2)" };
    attempt(ec, this, PollFlags::OUT, args[3].truthy(), flags, what, |fd| sys::send(fd, &bytes, flags, to.as_deref()))?
        .map_or(Ok(Value::sym(intern("wait_writable"))), |n| ec.size(n))
}

/// Runs a call that does not wait until it has an answer; `None` if it would wait and must not.
fn attempt<T>(
    ec: &mut Ec,
    this: Value,
    events: PollFlags,
    wait: bool,
    flags: c_int,
    what: &str,
    mut call: impl FnMut(&Fd) -> Result<T, Errno>,
) -> Res<Option<T>> {
    let stream = stream(ec, this)?;
    let fd = if events == PollFlags::OUT { stream.write_fd(ec)? } else { stream.fd(ec)? };
    if events == PollFlags::IN {
        let (readable, buffered) = {
            let fields = stream.lock();
            (fields.readable, fields.buffered())
        };
        if !readable {
            return Err(ec.raise(Exc::IOError, "not opened for reading"));
        }
        if buffered > 0 {
            let name = what.trim_end_matches("(2)");
            return Err(ec.raise(Exc::IOError, format!("{name} for buffered IO")));
        }
    }
    let wait = wait && flags & libc::MSG_DONTWAIT == 0;
    loop {
        match ec.blocking(|| call(&fd)) {
            Ok(answer) => return Ok(Some(answer)),
            Err(Errno::AGAIN) if wait => stream.wait_ready(ec, &fd, events)?,
            Err(Errno::AGAIN) => return Ok(None),
            Err(Errno::INTR) => ec.check_blocking()?,
            Err(e) => return Err(errno::raise(ec, e, what)),
        }
    }
}

fn length(ec: &mut Ec, v: Value) -> Res<usize> {
    let n = ec.to_i64(v)?;
    match usize::try_from(n) {
        Ok(n) if n <= 1 << 30 => Ok(n),
        Ok(_) => Err(ec.no_memory()),
        Err(_) => Err(ec.arg_error(format!("negative length {n} given"))),
    }
}

/// Received bytes as a String: a new one, or `buffer`.
fn deliver(ec: &mut Ec, buffer: Value, bytes: &[u8]) -> Res {
    if buffer.is_nil() {
        return binary(ec, bytes);
    }
    let buffer = ec.to_str(buffer)?;
    let encoding = string::encoding(buffer);
    let done = string::replace_bytes(ec, buffer, bytes, encoding);
    ec.check(buffer, done)?;
    Ok(buffer)
}

/// What the end of a connection looks like: no bytes on a socket that is not one for datagrams.
fn at_end(fd: &Fd, room: usize, bytes: &[u8]) -> bool {
    bytes.is_empty() && room > 0 && !datagram(fd)
}

fn datagram(fd: &Fd) -> bool {
    sys::option(fd, libc::SOL_SOCKET, libc::SO_TYPE, 4)
        .is_ok_and(|b| b.first_chunk::<4>().is_some_and(|b| c_int::from_ne_bytes(*b) == libc::SOCK_DGRAM))
}

fn is_datagram(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let fd = stream(ec, this)?.fd(ec)?;
    Ok(Value::bool(datagram(&fd)))
}

/// `__recv(length, flags, buffer or nil, wait)`: bytes, or nil at the end of a connection.
fn recv(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (room, flags) = (length(ec, args[0])?, c_number(ec, args[1])?);
    let got = attempt(ec, this, PollFlags::IN, args[3].truthy(), flags, "recv(2)", |fd| {
        sys::receive(fd, room, flags).map(|(bytes, _)| (at_end(fd, room, &bytes), bytes))
    })?;
    match got {
        None => Ok(Value::sym(intern("wait_readable"))),
        Some((true, _)) => Ok(Value::NIL),
        Some((false, bytes)) => deliver(ec, args[2], &bytes),
    }
}

/// `__recvfrom(length, flags, buffer or nil, wait)`: bytes and the sender's address, or nil at the end.
fn recvfrom(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (room, flags) = (length(ec, args[0])?, c_number(ec, args[1])?);
    let got = attempt(ec, this, PollFlags::IN, args[3].truthy(), flags, "recvfrom(2)", |fd| {
        sys::receive(fd, room, flags).map(|(bytes, from)| (at_end(fd, room, &bytes), bytes, from))
    })?;
    match got {
        None => Ok(Value::sym(intern("wait_readable"))),
        Some((true, ..)) => Ok(Value::NIL),
        Some((false, bytes, from)) => {
            let bytes = deliver(ec, args[2], &bytes)?;
            let from = binary(ec, &from)?;
            ec.array(&[bytes, from])
        }
    }
}

/// Control messages from an Array of `[level, type, data]`.
fn controls(ec: &mut Ec, list: Value) -> Res<Vec<Control>> {
    let list = ec.to_ary(list)?;
    let mut all = Vec::new();
    let mut i = 0;
    while let Some(one) = array::at(list, i) {
        i += 1;
        let one = ec.to_ary(one)?;
        let part = |n| array::at(one, n).unwrap_or(Value::NIL);
        let (level, kind) = (c_number(ec, part(0))?, c_number(ec, part(1))?);
        let data = bytes_of(ec, part(2))?;
        all.push((level, kind, data));
    }
    Ok(all)
}

/// `__sendmsg(data, flags, address or nil, controls, wait)`
fn sendmsg(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let data = ec.to_str(args[0])?;
    let flags = c_number(ec, args[1])?;
    let to = if args[2].is_nil() { None } else { Some(bytes_of(ec, args[2])?) };
    let controls = controls(ec, args[3])?;
    let bytes = string::read(ec, data);
    attempt(ec, this, PollFlags::OUT, args[4].truthy(), flags, "sendmsg(2)", |fd| {
        sys::send_message(fd, &bytes, flags, to.as_deref(), &controls)
    })?
    .map_or(Ok(Value::sym(intern("wait_writable"))), |n| ec.size(n))
}

/// `__recvmsg(length, control length, flags, wait)`: `[bytes, address, flags, [[level, type, data], …]]`
fn recvmsg(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (room, control, flags) = (length(ec, args[0])?, length(ec, args[1])?, c_number(ec, args[2])?);
    let got = attempt(ec, this, PollFlags::IN, args[3].truthy(), flags, "recvmsg(2)", |fd| {
        sys::receive_message(fd, room, control, flags).map(|m| (at_end(fd, room, &m.bytes), m))
    })?;
    let message = match got {
        None => return Ok(Value::sym(intern("wait_readable"))),
        Some((true, m)) if m.controls.is_empty() => return Ok(Value::NIL),
        Some((_, message)) => message,
    };
    let list = ec.array(&[])?;
    for (level, kind, data) in &message.controls {
        let data = binary(ec, data)?;
        let one = ec.array(&[Value::fixnum(i64::from(*level)), Value::fixnum(i64::from(*kind)), data])?;
        ec.array_push(list, one)?;
    }
    let bytes = binary(ec, &message.bytes)?;
    let from = binary(ec, &message.from)?;
    ec.array(&[bytes, from, Value::fixnum(i64::from(message.flags)), list])
}

fn getsockname(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let fd = stream(ec, this)?.fd(ec)?;
    match sys::local_address(&fd) {
        Ok(address) => binary(ec, &address),
        Err(e) => Err(errno::raise(ec, e, "getsockname(2)")),
    }
}

fn getpeername(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let fd = stream(ec, this)?.fd(ec)?;
    match sys::remote_address(&fd) {
        Ok(address) => binary(ec, &address),
        Err(e) => Err(errno::raise(ec, e, "getpeername(2)")),
    }
}
