//! State of a stream: closing, modes, encodings, waiting.

use std::num::NonZeroU64;
use std::time::Duration;

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::call::CallKind;
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res};
use rustix::event::PollFlags;
use rustix::fs::{Advice, OFlags};
use rustix::io::Errno;
use rustix::io::FdFlags;

use crate::io::fd::ready_now;
use crate::io::object::{Streams, stream, to_io, try_stream};
use crate::io::stream::{Mode, Stream};
use asterism_core::errno;

/// `IO::READABLE`
const READABLE: i64 = 1;
/// `IO::PRIORITY`
const PRIORITY: i64 = 2;
/// `IO::WRITABLE`
const WRITABLE: i64 = 4;

/// Instance methods of IO.
pub static IO: &[NativeDef] = &[
    NativeDef::new("close", close, 0, 0),
    NativeDef::new("closed?", closed, 0, 0).leaf(),
    NativeDef::new("__duplex?", is_duplex, 0, 0).private(),
    NativeDef::new("close_read", close_read, 0, 0),
    NativeDef::new("close_write", close_write, 0, 0),
    NativeDef::new("fileno", fileno, 0, 0),
    NativeDef::new("to_i", fileno, 0, 0),
    NativeDef::new("tty?", tty, 0, 0),
    NativeDef::new("isatty", tty, 0, 0),
    NativeDef::new("sync", sync, 0, 0),
    NativeDef::new("sync=", set_sync, 1, 1),
    NativeDef::new("binmode", binmode, 0, 0),
    NativeDef::new("binmode?", is_binmode, 0, 0),
    NativeDef::new("lineno", lineno, 0, 0),
    NativeDef::new("lineno=", set_lineno, 1, 1),
    NativeDef::new("pid", pid, 0, 0),
    NativeDef::new("to_io", to_io_self, 0, 0).leaf(),
    NativeDef::new("autoclose?", autoclose, 0, 0),
    NativeDef::new("autoclose=", set_autoclose, 1, 1),
    NativeDef::new("close_on_exec?", close_on_exec, 0, 0),
    NativeDef::new("close_on_exec=", set_close_on_exec, 1, 1),
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("path", path, 0, 0),
    NativeDef::new("to_path", path, 0, 0),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("reopen", reopen, 1, 3),
    NativeDef::new("wait_readable", wait_readable, 0, 1),
    NativeDef::new("wait_writable", wait_writable, 0, 1),
    NativeDef::new("wait_priority", wait_priority, 0, 1),
    NativeDef::new("wait", wait, 0, ANY),
    NativeDef::new("timeout", timeout, 0, 0).leaf(),
    NativeDef::new("timeout=", set_timeout, 1, 1),
    NativeDef::new("nonblock?", is_nonblock, 0, 0),
    NativeDef::new("nonblock=", set_nonblock, 1, 1),
    NativeDef::new("nread", nread, 0, 0),
    NativeDef::new("__winsize", winsize, 0, 0).private(),
    NativeDef::new("fcntl", super::fcntl::fcntl, 1, 2),
    NativeDef::new("ioctl", super::fcntl::ioctl, 1, 2),
    NativeDef::new("__advise", advise, 3, 3).private(),
];

fn close(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if let Some(stream) = try_stream(this) {
        // Somebody else may have closed the descriptor by its number.
        let lost = {
            let fd = stream.lock().fd.clone();
            fd.is_some_and(|fd| fd.closes_itself() && rustix::io::fcntl_getfd(&fd) == Err(Errno::BADF))
        };
        let pid = stream.lock().pid.take();
        // Held no longer than this: while somebody has it the descriptor stays open, and a child that reads from it
        // would never end.
        if let Some(scheduler) = ec.scheduler()
            && let Some(fd) = { stream.lock().fd.clone() }
        {
            // Whoever waits for the stream leaves it before the scheduler closes the descriptor.
            stream.close(ec)?;
            let number = Value::fixnum(i64::from(fd.number()));
            let done = crate::fiber::scheduler::optional(ec, scheduler, "io_close", &[number])?;
            if done.is_some_and(|done| done.truthy()) {
                // The scheduler has closed the descriptor, or will.
                fd.forget();
            }
        }
        stream.close(ec)?;
        if let Some(pid) = pid {
            crate::process::wait_for_child(ec, pid)?;
        }
        if lost {
            return Err(errno::raise(ec, Errno::BADF, ""));
        }
        return Ok(Value::NIL);
    }
    Err(ec.raise(Exc::IOError, "uninitialized stream"))
}

fn closed(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(stream(ec, this)?.is_closed()))
}

/// `__duplex?`: is it written by another descriptor than it is read by?
fn is_duplex(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(stream(ec, this)?.lock().write_fd.is_some()))
}

fn close_read(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let (readable, writable, two) = {
        let fields = stream.lock();
        if fields.fd.is_none() {
            return Ok(Value::NIL);
        }
        (fields.readable, fields.writable, fields.write_fd.is_some())
    };
    if two {
        let mut fields = stream.lock();
        fields.readable = false;
        let write = fields.write_fd.take();
        let old = std::mem::replace(&mut fields.fd, write);
        drop(fields);
        drop(old);
        return Ok(Value::NIL);
    }
    if readable && !writable {
        return close(ec, this, args);
    }
    // That of a child was closed already.
    if !readable && stream.lock().pid.is_some() {
        return Ok(Value::NIL);
    }
    Err(ec.raise(Exc::IOError, "closing non-duplex IO for reading"))
}

fn close_write(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let (readable, writable, two) = {
        let fields = stream.lock();
        if fields.fd.is_none() {
            return Ok(Value::NIL);
        }
        (fields.readable, fields.writable, fields.write_fd.is_some())
    };
    if two || !writable && readable && stream.lock().pid.is_some() {
        stream.flush(ec)?;
        let mut fields = stream.lock();
        fields.writable = false;
        let old = fields.write_fd.take();
        drop(fields);
        drop(old);
        return Ok(Value::NIL);
    }
    if writable && !readable {
        return close(ec, this, args);
    }
    Err(ec.raise(Exc::IOError, "closing non-duplex IO for writing"))
}

fn fileno(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    Ok(Value::fixnum(i64::from(fd.number())))
}

fn tty(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let tty = stream.lock().tty;
    Ok(Value::bool(tty))
}

fn sync(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let sync = stream.lock().sync;
    Ok(Value::bool(sync))
}

fn set_sync(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    stream.lock().sync = args[0].truthy();
    if args[0].truthy() {
        stream.flush(ec)?;
    }
    Ok(args[0])
}

fn binmode(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let mut fields = stream.lock();
    fields.binmode = true;
    fields.external = Some(asterism_symbol::BINARY);
    fields.internal = None;
    fields.conversion = None;
    Ok(this)
}

fn is_binmode(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let binmode = stream.lock().binmode;
    Ok(Value::bool(binmode))
}

fn lineno(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let (readable, n) = {
        let fields = stream.lock();
        (fields.readable, fields.lineno)
    };
    stream.fd(ec)?;
    if !readable {
        return Err(ec.raise(Exc::IOError, "not opened for reading"));
    }
    ec.int(n)
}

fn set_lineno(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    if !stream.lock().readable {
        return Err(ec.raise(Exc::IOError, "not opened for reading"));
    }
    if args[0].is_nil() {
        return Err(ec.no_conversion(args[0], "Integer"));
    }
    let n = ec.to_i32(args[0])?;
    stream.lock().lineno = i64::from(n);
    Ok(args[0])
}

fn pid(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let pid = stream.lock().pid;
    Ok(pid.map_or(Value::NIL, |p| Value::fixnum(i64::from(p))))
}

fn to_io_self(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn autoclose(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    Ok(Value::bool(fd.closes_itself()))
}

fn set_autoclose(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    if args[0].truthy() {
        fd.take_over();
    } else {
        fd.leave_open(&ec.vm().part::<Streams>().left_open);
    }
    Ok(args[0])
}

fn close_on_exec(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    match rustix::io::fcntl_getfd(&fd) {
        Ok(flags) => Ok(Value::bool(flags.contains(FdFlags::CLOEXEC))),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn set_close_on_exec(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    let flags = if args[0].truthy() { FdFlags::CLOEXEC } else { FdFlags::empty() };
    match rustix::io::fcntl_setfd(&fd, flags) {
        Ok(()) => Ok(args[0]),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = ec.class_name_of(this);
    let Some(stream) = try_stream(this) else {
        let plain = ec.any_to_s(this);
        return ec.str(plain);
    };
    let (path, number) = {
        let fields = stream.lock();
        (fields.path.clone(), fields.fd.as_ref().map(|f| f.number()))
    };
    let mut text = format!("#<{class}:").into_bytes();
    match (path, number) {
        (Some(path), number) => {
            text.extend_from_slice(&path);
            if number.is_none() {
                text.extend_from_slice(b" (closed)");
            }
        }
        (None, Some(number)) => text.extend_from_slice(format!("fd {number}").as_bytes()),
        (None, None) => text.extend_from_slice(b"(closed)"),
    }
    text.push(b'>');
    ec.str(text)
}

fn path(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let path = stream.lock().path.clone();
    match path {
        Some(path) => ec.str(path),
        None => Ok(Value::NIL),
    }
}

/// `dup` and `clone`: another descriptor of the same open file.
fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if this == args[0] {
        return Ok(this);
    }
    let io = to_io(ec, args[0])?;
    let other = stream(ec, io)?;
    other.fd(ec)?;
    other.flush(ec)?;
    other.forget_read_ahead();
    let (fd, write_fd, mode, rest) = {
        let f = other.lock();
        let mode = Mode {
            readable: f.readable,
            writable: f.writable,
            append: f.append,
            binmode: f.binmode,
            external: f.external,
            internal: f.internal,
            conversion: f.conversion.clone(),
            ..Mode::default()
        };
        (f.fd.clone(), f.write_fd.clone(), mode, (f.sync, f.path.clone(), f.pid, f.lineno, f.timeout))
    };
    let mut copies = [None, None];
    for (copy, fd) in copies.iter_mut().zip([fd, write_fd]) {
        if let Some(fd) = fd {
            let made = rustix::io::fcntl_dupfd_cloexec(&*fd, 3).map_err(|e| errno::raise(ec, e, ""))?;
            *copy = Some(std::sync::Arc::new(crate::io::fd::Fd::new(made)));
        }
    }
    let [Some(fd), write_fd] = copies else {
        return Err(crate::io::stream::closed(ec));
    };
    let made = Stream::over(fd, &mode);
    {
        let mut fields = made.lock();
        fields.write_fd = write_fd;
        (fields.sync, fields.path, fields.pid, fields.lineno, fields.timeout) = rest;
    }
    crate::io::object::install(ec, this, std::sync::Arc::new(made))?;
    Ok(this)
}

fn reopen(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let old = stream(ec, this)?;
    if !old.is_closed() {
        old.flush(ec)?;
    }
    let (given, options) = args.split_keywords();
    let is_io = given.len() == 1 && (try_stream(args[0]).is_some() || ec.respond_to(args[0], intern("to_io"), true)?);
    // What is opened anew without a mode keeps the encodings it had.
    let keeps = !is_io && options.is_none() && given.get(1).is_none_or(|mode| mode.is_nil());
    let other = if is_io {
        let io = to_io(ec, args[0])?;
        stream(ec, io)?
    } else {
        let file = ec.class(WellKnown::File);
        let path = asterism_core::errno::path_value(ec, args[0])?;
        let default_mode = {
            let fields = old.lock();
            match (fields.readable, fields.writable) {
                (true, true) => "r+",
                (false, true) => "w",
                _ => "r",
            }
        };
        let names_mode = match options {
            Some(options) => ec.hash_get(options, Value::sym(intern("mode")))?.is_some(),
            None => false,
        };
        let mut argv = vec![path];
        match given.get(1) {
            Some(mode) if !mode.is_nil() => argv.extend(&given[1..]),
            _ if names_mode => {}
            _ => argv.push(ec.str(default_mode)?),
        }
        let mut call = CallArgs::plain(&argv);
        if let Some(options) = options {
            call.keywords = Keywords::Hash(options);
        }
        let opened = ec.call_with(file, asterism_symbol::sym::new, &call, CallKind::Public)?;
        stream(ec, opened)?
    };
    other.flush(ec)?;
    let new_fd = other.fd(ec)?;
    // Both go on where the other one has read to, and not where its buffer ends.
    if is_io && new_fd.regular && other.lock().buffered() > 0 {
        let at = other.tell(ec)?;
        super::seek::offset_from_start(ec, &other, at)?;
    }
    let old_fd = old.lock().fd.clone();
    let standard = old_fd.as_ref().map(|f| f.number()).filter(|n| (0..=2).contains(n));
    let fd = match standard {
        // The number must stay what it is for child processes.
        Some(0) => rustix::stdio::dup2_stdin(&new_fd).map(|()| old_fd),
        Some(1) => rustix::stdio::dup2_stdout(&new_fd).map(|()| old_fd),
        Some(_) => rustix::stdio::dup2_stderr(&new_fd).map(|()| old_fd),
        None => {
            rustix::io::fcntl_dupfd_cloexec(&new_fd, 3).map(|d| Some(std::sync::Arc::new(crate::io::fd::Fd::new(d))))
        }
    };
    let fd = fd.map_err(|e| errno::raise(ec, e, ""))?;
    old.forget_read_ahead();
    let (readable, writable, path, tty, sync, binmode, encodings) = {
        let fields = other.lock();
        let encodings = (fields.external, fields.internal, fields.conversion.clone());
        (fields.readable, fields.writable, fields.path.clone(), fields.tty, fields.sync, fields.binmode, encodings)
    };
    let mut fields = old.lock();
    if is_io {
        fields.sync = sync;
    }
    if !keeps {
        fields.binmode = binmode;
        (fields.external, fields.internal, fields.conversion) = encodings;
    }
    let closed = std::mem::replace(&mut fields.fd, fd);
    fields.readable = readable;
    fields.writable = writable;
    fields.tty = tty;
    fields.path = path;
    drop(fields);
    drop(closed);
    Ok(this)
}

fn timeout_argument(ec: &mut Ec, v: Value) -> Res<Option<Duration>> {
    if v.is_nil() {
        return Ok(None);
    }
    let seconds = ec.to_f64(v)?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(d) => Ok(Some(d)),
        Err(_) => Err(ec.arg_error("time interval must not be negative")),
    }
}

/// Waits for events (`IO::READABLE` …); which of them came, 0 when the time is over.
fn wait_events(ec: &mut Ec, this: Value, events: i64, timeout: Option<Duration>) -> Res<i64> {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    if events & READABLE != 0 && stream.lock().buffered() > 0 {
        return Ok(READABLE);
    }
    let mut flags = PollFlags::empty();
    for (bit, flag) in [(READABLE, PollFlags::IN), (PRIORITY, PollFlags::PRI), (WRITABLE, PollFlags::OUT)] {
        flags.set(flag, events & bit != 0);
    }
    if flags.is_empty() {
        return Err(ec.arg_error("Events must be positive integer!"));
    }
    let fd = if flags == PollFlags::OUT { stream.lock().write_fd.clone().unwrap_or(fd) } else { fd };
    if !stream.wait_fd(ec, &fd, flags, timeout)? {
        return Ok(0);
    }
    if events.count_ones() == 1 {
        return Ok(events);
    }
    let mut came = 0;
    for (bit, flag) in [(READABLE, PollFlags::IN), (PRIORITY, PollFlags::PRI), (WRITABLE, PollFlags::OUT)] {
        if events & bit != 0 && (fd.regular || ready_now(&fd, flag)) {
            came |= bit;
        }
    }
    Ok(came)
}

fn wait_for(ec: &mut Ec, this: Value, events: i64, timeout: Value) -> Res {
    let timeout = timeout_argument(ec, timeout)?;
    Ok(if wait_events(ec, this, events, timeout)? != 0 { this } else { Value::NIL })
}

fn check_readable(ec: &mut Ec, this: Value) -> Res<()> {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let readable = stream.lock().readable;
    if readable { Ok(()) } else { Err(ec.raise(Exc::IOError, "not opened for reading")) }
}

fn wait_readable(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    check_readable(ec, this)?;
    wait_for(ec, this, READABLE, args.or_nil(0))
}

fn wait_writable(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.write_fd(ec)?;
    wait_for(ec, this, WRITABLE, args.or_nil(0))
}

fn wait_priority(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    check_readable(ec, this)?;
    wait_for(ec, this, PRIORITY, args.or_nil(0))
}

/// `wait(events, timeout)` answers events; the older `wait(timeout = nil, *modes)` answers self.
fn wait(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.len() == 2 && args[0].fixnum_value().is_some() && !args[1].is_sym() {
        let events = ec.to_i64(args[0])?;
        let timeout = timeout_argument(ec, args[1])?;
        if events <= 0 {
            return Err(ec.arg_error("Events must be positive integer!"));
        }
        let came = wait_events(ec, this, events, timeout)?;
        return Ok(if came == 0 { Value::NIL } else { Value::fixnum(came) });
    }
    let mut events = 0;
    let mut timeout = Value::NIL;
    for v in args.slice() {
        match v.as_sym() {
            Some(name) => {
                events |= match &*name.text() {
                    "r" | "read" | "readable" => READABLE,
                    "w" | "write" | "writable" => WRITABLE,
                    "rw" | "read_write" | "readable_writable" => READABLE | WRITABLE,
                    other => return Err(ec.arg_error(format!("unsupported mode: {other}"))),
                };
            }
            None if !timeout.is_nil() => return Err(ec.arg_error("timeout given more than once")),
            None => timeout = *v,
        }
    }
    wait_for(ec, this, if events == 0 { READABLE } else { events }, timeout)
}

fn timeout(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let timeout = stream.lock().timeout;
    match timeout {
        None => Ok(Value::NIL),
        Some(t) if t.subsec_nanos() == 0 => ec.int(i64::try_from(t.as_secs()).unwrap_or(i64::MAX)),
        Some(t) => ec.float(t.as_secs_f64()),
    }
}

fn set_timeout(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let timeout = timeout_argument(ec, args[0])?;
    let stream = stream(ec, this)?;
    stream.lock().timeout = timeout;
    Ok(args[0])
}

fn is_nonblock(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    match rustix::fs::fcntl_getfl(&fd) {
        Ok(flags) => Ok(Value::bool(flags.contains(OFlags::NONBLOCK))),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn set_nonblock(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    let done = rustix::fs::fcntl_getfl(&fd).and_then(|mut flags| {
        flags.set(OFlags::NONBLOCK, args[0].truthy());
        rustix::fs::fcntl_setfl(&fd, flags)
    });
    match done {
        Ok(()) => Ok(args[0]),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn nread(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    check_readable(ec, this)?;
    let stream = stream(ec, this)?;
    let buffered = stream.lock().buffered();
    if buffered > 0 {
        return ec.size(buffered);
    }
    let fd = stream.fd(ec)?;
    match rustix::io::ioctl_fionread(&fd) {
        Ok(n) => ec.int(i64::try_from(n).unwrap_or(i64::MAX)),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn winsize(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    match rustix::termios::tcgetwinsize(&fd) {
        Ok(size) => ec.array(&[Value::fixnum(i64::from(size.ws_row)), Value::fixnum(i64::from(size.ws_col))]),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

/// `__advise(advice, offset, length)`
fn advise(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (offset, length) = (ec.to_i64(args[1])?, ec.to_i64(args[2])?);
    let fd = stream(ec, this)?.fd(ec)?;
    let name = args[0].as_sym().map(|name| name.text().to_string());
    let advice = match name.as_deref() {
        Some("normal") => Advice::Normal,
        Some("sequential") => Advice::Sequential,
        Some("random") => Advice::Random,
        Some("noreuse") => Advice::NoReuse,
        Some("willneed") => Advice::WillNeed,
        Some("dontneed") => Advice::DontNeed,
        _ => {
            let shown = ec.inspect_for_error(args[0])?;
            return Err(ec.not_implemented([b"Unsupported advice: ", &shown[..]].concat()));
        }
    };
    let done = match (u64::try_from(offset), u64::try_from(length)) {
        (Ok(offset), Ok(length)) => rustix::fs::fadvise(&fd, offset, NonZeroU64::new(length), advice),
        _ => Err(Errno::INVAL),
    };
    done.map(|()| Value::NIL).map_err(|e| errno::raise(ec, e, ""))
}
