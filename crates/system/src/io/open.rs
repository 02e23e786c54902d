//! Opening: mode strings, `IO.new`, `File.new`, `IO.pipe`, `IO.sysopen`, `IO.select`.

use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, array, string};
use asterism_symbol::intern;
use asterism_vm::{ANY, Args, Arguments, Ec, NativeDef, Res};
use rustix::event::PollFlags;
use rustix::fs::{FileType, Mode as Permissions, OFlags};
use rustix::io::Errno;

use crate::io::encoding;
use crate::io::fd::{Fd, Waited, ready_now, wait_any};
use crate::io::object::{Streams, install, option, stream, to_io, wrap};
use crate::io::path::os;
use crate::io::reserved::is_reserved;
use crate::io::stream::{Mode, Stream};
use asterism_core::errno;

/// Singleton methods of IO.
pub static SINGLETON: &[NativeDef] = &[
    NativeDef::new("__pipe", pipe, 0, 0).private(),
    NativeDef::new("__join_streams", join_streams, 3, 3).private(),
    NativeDef::new("__blocking", make_blocking, 1, 1).private(),
    NativeDef::new("sysopen", sysopen, 1, 3),
    NativeDef::new("select", select, 1, 4),
    NativeDef::new("try_convert", try_convert, 1, 1),
];

/// Instance methods of IO.
pub static IO: &[NativeDef] = &[NativeDef::new("initialize", io_initialize, 0, ANY).private()];

/// Instance methods of File.
pub static FILE: &[NativeDef] = &[NativeDef::new("initialize", file_initialize, 0, ANY).private()];

/// Reads a mode string like `r+b:utf-8`.
///
/// # Errors
/// ArgumentError: invalid access mode.
fn parse_mode(ec: &mut Ec, text: &[u8]) -> Res<(Mode, Option<encoding::Given>)> {
    let (access, encodings) = match text.iter().position(|&b| b == b':') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mut mode = Mode::default();
    let mut letters = access.iter();
    match letters.next() {
        Some(b'r') => mode.readable = true,
        Some(b'w') => {
            mode.writable = true;
            mode.flags = OFlags::CREATE | OFlags::TRUNC;
        }
        Some(b'a') => {
            mode.writable = true;
            mode.append = true;
            mode.flags = OFlags::CREATE | OFlags::APPEND;
        }
        _ => return Err(invalid_mode(ec, text)),
    }
    for letter in letters {
        match letter {
            b'+' if !(mode.readable && mode.writable) => {
                mode.readable = true;
                mode.writable = true;
            }
            b'b' if !mode.textmode => mode.binmode = true,
            b't' if !mode.binmode => mode.textmode = true,
            b'x' if access[0] == b'w' => mode.flags |= OFlags::EXCL,
            _ => return Err(invalid_mode(ec, text)),
        }
    }
    let given = match encodings {
        Some(encodings) => Some(encoding::parse(ec, encodings)?),
        None => None,
    };
    Ok((mode, given))
}

#[cold]
fn invalid_mode(ec: &mut Ec, text: &[u8]) -> asterism_vm::Raised {
    ec.arg_error([b"invalid access mode ", text].concat())
}

/// A mode from open(2)'s flags.
fn mode_of_flags(flags: OFlags) -> Mode {
    let access = flags & OFlags::ACCMODE;
    Mode {
        readable: access != OFlags::WRONLY,
        writable: access == OFlags::WRONLY || access == OFlags::RDWR,
        append: flags.contains(OFlags::APPEND),
        flags: flags & !OFlags::ACCMODE,
        ..Mode::default()
    }
}

/// The mode from a mode argument and the options `mode:`, `flags:`, `external_encoding:`, `encoding:`, `binmode:`…
///
/// # Errors
/// ArgumentError, TypeError.
pub fn mode_argument(ec: &mut Ec, mode: Value, options: Option<Value>) -> Res<Mode> {
    let given = option(ec, options, "mode")?.unwrap_or(Value::NIL);
    if !mode.is_nil() && !given.is_nil() {
        return Err(ec.arg_error("mode specified twice"));
    }
    let mode = if mode.is_nil() { given } else { mode };
    let (mut parsed, given) = match mode {
        Value::NIL => (Mode { readable: true, ..Mode::default() }, None),
        v => match ec.check_string(v)? {
            Some(s) => {
                let text = string::to_vec(ec, s);
                parse_mode(ec, &text)?
            }
            None => (mode_of_flags(OFlags::from_bits_retain(ec.to_i64(v)? as u32)), None),
        },
    };
    if let Some(flags) = option(ec, options, "flags")?
        && !flags.is_nil()
    {
        parsed.flags |= OFlags::from_bits_retain(ec.to_i64(flags)? as u32) & !OFlags::ACCMODE;
    }
    // Given as false they are given all the same.
    if let Some(wanted) = option(ec, options, "textmode")?.filter(|v| !v.is_nil()) {
        if parsed.textmode {
            return Err(ec.arg_error("textmode specified twice"));
        }
        if parsed.binmode {
            return Err(ec.arg_error("both textmode and binmode specified"));
        }
        parsed.textmode = wanted.truthy();
    }
    if let Some(wanted) = option(ec, options, "binmode")?.filter(|v| !v.is_nil()) {
        if parsed.binmode {
            return Err(ec.arg_error("binmode specified twice"));
        }
        if parsed.textmode {
            return Err(ec.arg_error("both textmode and binmode specified"));
        }
        parsed.binmode = wanted.truthy();
    }
    encoding::read_options(ec, &mut parsed, given, options)?;
    Ok(parsed)
}

fn access(mode: &Mode) -> OFlags {
    match (mode.readable, mode.writable) {
        (true, true) => OFlags::RDWR,
        (false, true) => OFlags::WRONLY,
        _ => OFlags::RDONLY,
    }
}

/// Opens a file. Opening a FIFO may wait, so it is a blocking region.
///
/// # Errors
/// The class of Errno of open(2): Errno::ENOENT, Errno::EACCES, Errno::EEXIST, Errno::EISDIR, Errno::EMFILE and others;
/// what is raised into the thread while it waits for the other end of a FIFO.
pub fn open_path(ec: &mut Ec, path: &[u8], mode: &Mode, permissions: u32) -> Res<Fd> {
    let flags = access(mode) | mode.flags | OFlags::CLOEXEC | OFlags::NOCTTY;
    open_file(ec, path, flags, permissions).map(Fd::new)
}

fn open_file(ec: &mut Ec, path: &[u8], flags: OFlags, permissions: u32) -> Res<OwnedFd> {
    let is_fifo = |path: &[u8]| rustix::fs::stat(os(path)).is_ok_and(|s| FileType::from_raw_mode(s.st_mode).is_fifo());
    let opened = ec.blocking(|| match is_fifo(path) && !flags.intersects(OFlags::NONBLOCK | OFlags::EXCL) {
        // Another file may be there by now: that is opened then.
        true => Err(rustix::fs::open(os(path), OFlags::PATH | OFlags::CLOEXEC, Permissions::empty())),
        false => Ok(rustix::fs::open(os(path), flags, Permissions::from_raw_mode(permissions))),
    });
    let opened = match opened {
        Ok(opened) => opened,
        Err(Ok(place)) => return open_fifo(ec, path, &place, flags),
        Err(Err(e)) => Err(e),
    };
    opened.map_err(|e| errno::raise_at(ec, e, "rb_sysopen", path))
}

/// Opens a FIFO, which waits for who opens its other end. An interrupt opens it at both ends itself, which ends the wait.
fn open_fifo(ec: &mut Ec, path: &[u8], place: &OwnedFd, flags: OFlags) -> Res<OwnedFd> {
    // By this name the two are of one file, whatever the path names by then.
    let name = format!("/proc/self/fd/{}", place.as_raw_fd());
    loop {
        ec.check_blocking()?;
        let ended = Mutex::new(None);
        let end = || {
            let both =
                rustix::fs::open(&*name, OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC, Permissions::empty());
            *ended.lock() = both.ok();
        };
        let opened =
            ec.wait_outside(&end, || rustix::fs::open(&*name, flags & !OFlags::NOFOLLOW, Permissions::empty()));
        match opened {
            Some(Ok(fd)) if ended.lock().is_none() => return Ok(fd),
            Some(Err(Errno::INTR) | Ok(_)) | None => {}
            Some(Err(e)) => return Err(errno::raise_at(ec, e, "rb_sysopen", path)),
        }
    }
}

fn permissions(ec: &mut Ec, given: Value, options: Option<Value>) -> Res<u32> {
    let given = if given.is_nil() { option(ec, options, "perm")?.unwrap_or(Value::NIL) } else { given };
    if given.is_nil() { Ok(0o666) } else { Ok(ec.to_i64(given)? as u32) }
}

/// `new` ignores a block, which was meant for `open`.
fn warn_of_block(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<()> {
    if args.block().is_none() {
        return Ok(());
    }
    let class = ec.class_name_of(this);
    asterism_vm::load::warn(ec, &format!("{class}::new() does not take block; use {class}::open() instead"))
}

fn file_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if crate::io::object::try_stream(this).is_some() {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "reinitializing File"));
    }
    warn_of_block(ec, this, args)?;
    let (plain, options) = args.split_keywords();
    let Some(&first) = plain.first() else {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1..3)"));
    };
    let nth = |i: usize| plain.get(i).copied().unwrap_or(Value::NIL);
    if first.fixnum_value().is_some() {
        let given = &Arguments::with(args.slice(), asterism_vm::Block::NONE, args.has_keywords());
        return io_initialize(ec, this, given);
    }
    if plain.len() > 3 {
        let n = plain.len();
        return Err(ec.arg_error(format!("wrong number of arguments (given {n}, expected 1..3)")));
    }
    let path = errno::path_arg(ec, first)?;
    let mode = mode_argument(ec, nth(1), options)?;
    let permissions = permissions(ec, nth(2), options)?;
    let fd = open_path(ec, &path, &mode, permissions)?;
    install(ec, this, Arc::new(Stream::new(fd, &mode, Some(path))))?;
    encoding::look_for_mark(ec, this, &mode)?;
    Ok(this)
}

fn io_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    warn_of_block(ec, this, args)?;
    let (plain, options) = args.split_keywords();
    let Some(&number) = plain.first() else {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1..2)"));
    };
    if plain.len() > 2 {
        let n = plain.len();
        return Err(ec.arg_error(format!("wrong number of arguments (given {n}, expected 1..2)")));
    }
    let number = ec.to_i64(number)?;
    if i32::try_from(number).is_ok_and(is_reserved) {
        return Err(ec.arg_error("The given fd is not accessible because RubyVM reserves it"));
    }
    let fd = match i32::try_from(number).map_err(|_| rustix::io::Errno::BADF).and_then(Fd::from_number) {
        Ok(fd) => fd,
        Err(e) => return Err(errno::raise(ec, e, "")),
    };
    let actual = rustix::fs::fcntl_getfl(&fd).unwrap_or(OFlags::empty());
    let given = plain.get(1).copied().unwrap_or(Value::NIL);
    let has_mode = !given.is_nil() || option(ec, options, "mode")?.is_some();
    let mut mode = mode_argument(ec, given, options)?;
    let allowed = mode_of_flags(actual);
    if !has_mode {
        mode.readable = allowed.readable;
        mode.writable = allowed.writable;
    } else if mode.readable && !allowed.readable || mode.writable && !allowed.writable {
        return Err(errno::raise(ec, rustix::io::Errno::INVAL, ""));
    }
    let autoclose = option(ec, options, "autoclose")? != Some(Value::FALSE);
    let path = match option(ec, options, "path")? {
        None | Some(Value::NIL) => None,
        Some(path) => Some(errno::path_arg(ec, path)?),
    };
    if autoclose {
        fd.take_over();
    }
    install(ec, this, Arc::new(Stream::new(fd, &mode, path)))?;
    encoding::look_for_mark(ec, this, &mode)?;
    Ok(this)
}

/// An IO object of `class` over a descriptor that was just opened: nobody can end the thread between the two.
///
/// # Errors
/// ArgumentError for a mode that there is not; NoMemoryError.
pub fn wrap_opened(ec: &mut Ec, class: Class, fd: OwnedFd, mode: &str, path: Option<Vec<u8>>) -> Res {
    let (mut mode, given) = parse_mode(ec, mode.as_bytes())?;
    encoding::read_options(ec, &mut mode, given, None)?;
    wrap(ec, class, Stream::new(Fd::new(fd), &mode, path))
}

/// A pair of IO objects over a pipe; the blocks of `IO.pipe` are in the Ruby part.
fn pipe(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let flags = rustix::pipe::PipeFlags::CLOEXEC | rustix::pipe::PipeFlags::NONBLOCK;
    let (read, write) = rustix::pipe::pipe_with(flags).map_err(|e| errno::raise(ec, e, ""))?;
    let class = Class::from_value(this).unwrap_or_else(|| ec.known(WellKnown::IO));
    let (external, internal) = encoding::Given::NOTHING.settle(ec);
    let input = Mode { readable: true, external, internal, ..Mode::default() };
    let input = wrap(ec, class, Stream::new(Fd::new(read), &input, None))?;
    let output = Mode { writable: true, ..Mode::default() };
    let stream = Stream::new(Fd::new(write), &output, None);
    stream.lock().sync = true;
    let output = wrap(ec, class, stream)?;
    ec.array(&[input, output])
}

/// One IO object over the reading end of one pipe and the writing end of another (nil: none), and a child's number.
fn join_streams(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut ends = [None, None];
    for (end, v) in ends.iter_mut().zip(args.slice()) {
        if !v.is_nil() {
            let stream = stream(ec, *v)?;
            *end = Some(stream.lock().fd.take());
        }
    }
    let [read, write] = ends.map(Option::flatten);
    let pid = u32::try_from(ec.to_i64(args[2])?).ok();
    let mode = Mode { readable: read.is_some(), writable: write.is_some(), ..Mode::default() };
    let Some(first) = read.clone().or_else(|| write.clone()) else {
        return Err(crate::io::stream::closed(ec));
    };
    let joined = Stream::over(first, &mode);
    {
        let mut fields = joined.lock();
        fields.pid = pid;
        fields.sync = write.is_some();
        if read.is_some() {
            fields.write_fd = write;
        }
    }
    let class = Class::from_value(this).unwrap_or_else(|| ec.known(WellKnown::IO));
    wrap(ec, class, joined)
}

/// Makes the descriptor a blocking one, which is what other programs expect of theirs.
fn make_blocking(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, args[0])?;
    let fd = stream.fd(ec)?;
    let flags = rustix::fs::fcntl_getfl(&fd).map_err(|e| errno::raise(ec, e, ""))?;
    rustix::fs::fcntl_setfl(&fd, flags & !OFlags::NONBLOCK).map_err(|e| errno::raise(ec, e, ""))?;
    Ok(Value::NIL)
}

fn sysopen(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = errno::path_arg(ec, args[0])?;
    let mode = mode_argument(ec, args.or_nil(1), None)?;
    let permissions = permissions(ec, args.or_nil(2), None)?;
    let flags = access(&mode) | mode.flags | OFlags::CLOEXEC;
    let number = open_file(ec, &path, flags, permissions)?.into_raw_fd();
    ec.vm().part::<Streams>().left_open.add(number);
    Ok(Value::fixnum(i64::from(number)))
}

fn try_convert(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if crate::io::object::try_stream(args[0]).is_none() && !ec.respond_to(args[0], intern("to_io"), true)? {
        return Ok(Value::NIL);
    }
    to_io(ec, args[0])
}

/// What select waits for in one of its three lists: descriptors, and the Array they came from.
fn select_list(ec: &mut Ec, list: Value, flags: PollFlags, all: &mut Vec<(Arc<Fd>, PollFlags)>) -> Res {
    if list.is_nil() {
        return ec.array(&[]);
    }
    let list = ec.to_ary(list)?;
    let copy = ec.array(&[])?;
    let mut i = 0;
    while let Some(element) = array::at(list, i) {
        i += 1;
        let io = to_io(ec, element)?;
        let stream = stream(ec, io)?;
        let fd = if flags == PollFlags::OUT { stream.write_fd(ec)? } else { stream.fd(ec)? };
        all.push((fd, flags));
        ec.array_push(copy, element)?;
    }
    Ok(copy)
}

fn select(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let scheduler = ec.scheduler();
    if let Some(scheduler) = scheduler {
        let four = [args[0], args.or_nil(1), args.or_nil(2), args.or_nil(3)];
        if let Some(answer) = crate::fiber::scheduler::optional(ec, scheduler, "io_select", &four)? {
            return Ok(answer);
        }
    }
    let mut all = Vec::new();
    let read = select_list(ec, args[0], PollFlags::IN, &mut all)?;
    let write = select_list(ec, args.or_nil(1), PollFlags::OUT, &mut all)?;
    let except = select_list(ec, args.or_nil(2), PollFlags::PRI, &mut all)?;
    let timeout = match args.or_nil(3) {
        Value::NIL => None,
        v => {
            let seconds = ec.to_f64(v)?;
            if seconds.is_nan() {
                return Err(ec.range_error("NaN out of Time range"));
            }
            if seconds < 0.0 {
                return Err(ec.arg_error("time interval must not be negative"));
            }
            // What is longer than a Duration is for ever.
            Duration::try_from_secs_f64(seconds).ok()
        }
    };
    // What is in a read buffer is ready without asking.
    let mut buffered = false;
    let mut i = 0;
    while let Some(element) = array::at(read, i) {
        i += 1;
        let io = to_io(ec, element)?;
        buffered |= stream(ec, io)?.lock().buffered() > 0;
    }
    let mut revents = vec![PollFlags::empty(); all.len()];
    if buffered {
        for ((fd, flags), slot) in all.iter().zip(&mut revents) {
            if ready_now(fd, *flags) {
                *slot = *flags;
            }
        }
    } else {
        let timeout = match scheduler {
            // Afterwards there is nothing to wait for, unless somebody else took it.
            Some(scheduler) if crate::fiber::poller::wait_for_all(ec, scheduler, &all, timeout)? => {
                Some(Duration::ZERO)
            }
            _ => timeout,
        };
        let own = ec.vm().part::<Streams>().wakes.take().map_err(|e| errno::raise(ec, e, ""))?;
        let waited = wait_any(ec, &all, &mut revents, timeout, own.wake());
        ec.vm().part::<Streams>().wakes.give(own);
        if waited? == Waited::TimedOut {
            return Ok(Value::NIL);
        }
    }
    let mut at = 0;
    let mut answers = [Value::NIL; 3];
    for (list, answer) in [read, write, except].into_iter().zip(&mut answers) {
        let ready = ec.array(&[])?;
        let mut i = 0;
        while let Some(element) = array::at(list, i) {
            let mut is_ready = revents.get(at).is_some_and(|r| !r.is_empty());
            if list == read && !is_ready {
                let io = to_io(ec, element)?;
                is_ready = stream(ec, io)?.lock().buffered() > 0;
            }
            if is_ready {
                ec.array_push(ready, element)?;
            }
            at += 1;
            i += 1;
        }
        *answer = ready;
    }
    ec.array(&answers)
}
