//! Reading: lines, bytes, characters, whole files.

use asterism_object::{Value, bigint, string};
use asterism_support::Encoding;
use asterism_support::encoding::chars;
use asterism_support::int::Int;
use asterism_symbol::{intern, sym};
use asterism_vm::memory::Buffer;
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res};
use rustix::io::Errno;

use crate::io::encoding::{read_encoding, to_text};
use crate::io::lines::{Separator, find_line, line_options, read_line};
use crate::io::object::Streams;
use crate::io::object::{option_of, read_string, stream};
use crate::io::stream::{Stream, StreamRef};
use asterism_core::errno;

/// Instance methods of IO.
pub static IO: &[NativeDef] = &[
    NativeDef::new("gets", gets, 0, ANY),
    NativeDef::new("__gets", plain_gets, 0, ANY).private(),
    NativeDef::new("readline", readline, 0, ANY),
    NativeDef::new("readlines", readlines, 0, ANY),
    NativeDef::new("read", read, 0, 2),
    NativeDef::new("readpartial", readpartial, 1, 2),
    NativeDef::new("read_nonblock", read_nonblock, 1, 2).keywords(&["exception"]),
    NativeDef::new("sysread", sysread, 1, 2),
    NativeDef::new("pread", pread, 2, 3),
    NativeDef::new("getc", getc, 0, 0),
    NativeDef::new("readchar", readchar, 0, 0),
    NativeDef::new("getbyte", getbyte, 0, 0),
    NativeDef::new("readbyte", readbyte, 0, 0),
    NativeDef::new("ungetc", ungetc, 1, 1),
    NativeDef::new("ungetbyte", ungetbyte, 1, 1),
    NativeDef::new("__readable?", is_readable, 0, 0).private(),
    NativeDef::new("eof?", eof, 0, 0),
    NativeDef::new("eof", eof, 0, 0),
];

/// What a `_nonblock` method does when it would have to wait.
///
/// # Errors
/// IO::EAGAINWaitReadable or IO::EAGAINWaitWritable, unless `exception: false`; ArgumentError if that is neither true
/// nor false.
pub fn would_block(ec: &mut Ec, options: Option<Value>, what: &str) -> Res {
    let (symbol, class) =
        if what == "write" { ("wait_writable", "EAGAINWaitWritable") } else { ("wait_readable", "EAGAINWaitReadable") };
    if !raises(ec, options)? {
        return Ok(Value::sym(intern(symbol)));
    }
    let io = ec.known(asterism_object::space::WellKnown::IO);
    let class = ec.own_constant(io, intern(class));
    let message = format!("{} - {what} would block", errno::text(Errno::AGAIN.raw_os_error()));
    match class {
        Some(class) => Err(errno::raise_class(ec, class, Errno::AGAIN, message.as_bytes())),
        None => Err(errno::raise(ec, Errno::AGAIN, format!("{what} would block"))),
    }
}

/// The `exception:` keyword.
///
/// # Errors
/// ArgumentError if it is neither true nor false.
pub fn raises(ec: &mut Ec, options: Option<Value>) -> Res<bool> {
    match option_of(ec, options, sym::exception)? {
        None | Some(Value::TRUE) => Ok(true),
        Some(Value::FALSE) => Ok(false),
        Some(other) => {
            let shown = ec.inspect_for_error(other)?;
            Err(ec.arg_error([b"expected true or false as exception: ", &shown[..]].concat()))
        }
    }
}

#[cold]
fn end_of_file(ec: &mut Ec) -> asterism_vm::Raised {
    ec.raise(Exc::EOFError, "end of file reached")
}

/// A line that was read.
enum Line {
    /// There was none.
    End,
    /// A String.
    Text(Value),
    /// Bytes to be converted.
    Bytes(Buffer),
}

/// May lines of the stream be ended by a text of this encoding?
fn check_separator(ec: &mut Ec, stream: &Stream, encoding: u8, is_ascii: bool) -> Res<()> {
    let internal = stream.lock().internal.and_then(|i| Encoding::from_index(usize::from(i)));
    let text = internal.unwrap_or_else(|| read_encoding(ec, stream));
    if text.index() == encoding || is_ascii && text.is_ascii_compatible() {
        return Ok(());
    }
    let separator = Encoding::from_index(usize::from(encoding)).map_or("", |e| e.name());
    Err(ec.arg_error(format!("encoding mismatch: {} IO with {separator} RS", text.name())))
}

/// One line as a String, or nil; counts it.
fn line(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (plain, keywords) = args.split_keywords();
    let mut options = line_options(ec, plain, keywords)?;
    let stream = stream(ec, this)?;
    if let Some((encoding, is_ascii)) = options.given {
        check_separator(ec, &stream, encoding, is_ascii)?;
        if !is_ascii {
            options.recode(read_encoding(ec, &stream));
        }
    }
    let (line, number) = stream.reading(ec, |ec, reader| {
        let text = reader.text();
        let options = options.in_text(text);
        // Text that stays as it is goes from the buffer into the String at once.
        let whole = text.is_plain && !options.chomp && options.limit.is_none();
        if whole && let Separator::Bytes(_) = options.separator {
            let Some(end) = find_line(ec, reader, &options, text.encoding.index())? else {
                return Ok((Line::End, None));
            };
            let made = string::new(ec, &reader.bytes()[..end], text.encoding.index());
            let made = ec.check(this, made)?;
            reader.consume(end);
            return Ok((Line::Text(made), Some(reader.count_line())));
        }
        match read_line(ec, reader, &options, text.encoding.index())? {
            None => Ok((Line::End, None)),
            Some(bytes) => Ok((Line::Bytes(bytes), (options.limit != Some(0)).then(|| reader.count_line()))),
        }
    })?;
    if let Some(number) = number {
        ec.vm().part::<Streams>().set_last_lineno(number);
    }
    match line {
        Line::End => Ok(Value::NIL),
        Line::Text(made) => Ok(made),
        Line::Bytes(bytes) => to_text(ec, &stream, bytes),
    }
}

fn gets(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let line = line(ec, this, args)?;
    ec.set_last_line(line)?;
    Ok(line)
}

/// As `gets`, for iteration: `$_` stays.
fn plain_gets(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    line(ec, this, args)
}

fn readline(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let line = gets(ec, this, args)?;
    if line.is_nil() { Err(end_of_file(ec)) } else { Ok(line) }
}

fn readlines(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (plain, keywords) = args.split_keywords();
    let options = line_options(ec, plain, keywords)?;
    if options.limit == Some(0) {
        return Err(ec.arg_error("invalid limit: 0 for readlines"));
    }
    let list = ec.array(&[])?;
    loop {
        let line = line(ec, this, args)?;
        if line.is_nil() {
            return Ok(list);
        }
        ec.array_push(list, line)?;
    }
}

/// A length argument.
fn length(ec: &mut Ec, v: Value) -> Res<usize> {
    let n = ec.to_i64(v)?;
    match usize::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => Err(ec.arg_error(format!("negative length {n} given"))),
    }
}

/// Puts bytes that were read into the buffer argument, if there is one, else into a new binary String.
fn deliver(ec: &mut Ec, buffer: Value, bytes: Buffer) -> Res {
    if buffer.is_nil() {
        return read_string(ec, bytes, asterism_symbol::BINARY);
    }
    let buffer = ec.to_str(buffer)?;
    let encoding = string::encoding(buffer);
    let done = string::replace_bytes(ec, buffer, &bytes, encoding);
    ec.check(buffer, done)?;
    Ok(buffer)
}

/// Runs `body`, which reads, while nobody changes the buffer argument.
fn locking<R>(ec: &mut Ec, buffer: Value, body: impl FnOnce(&mut Ec) -> Res<R>) -> Res<R> {
    if buffer.is_nil() {
        return body(ec);
    }
    let lent = string::lend(ec, buffer);
    if !ec.check(buffer, lent)? {
        return Err(ec.raise(Exc::RuntimeError, "temporal locking already locked string"));
    }
    let result = body(ec);
    string::give_back(ec, buffer);
    result
}

/// Everything up to the end.
fn read_all(ec: &mut Ec, stream: &StreamRef) -> Res<Buffer> {
    stream.reading(ec, |ec, reader| {
        let hint = remaining(stream);
        if hint > 0 {
            reader.fill_at_least(ec, hint)?;
        }
        while reader.fill_at_least(ec, reader.bytes().len())? {}
        let n = reader.bytes().len();
        reader.take(ec, n)
    })
}

/// How much a regular file has left, so that one read fetches it.
fn remaining(stream: &Stream) -> usize {
    let fd = stream.lock().fd.clone();
    let Some(fd) = fd.filter(|fd| fd.regular) else {
        return 0;
    };
    let (Ok(stat), Ok(at)) = (rustix::fs::fstat(&fd), rustix::fs::tell(&fd)) else {
        return 0;
    };
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    usize::try_from(size.saturating_sub(at)).unwrap_or(0).saturating_add(1)
}

fn read(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let buffer = buffer_arg(ec, args.or_nil(1))?;
    let stream = stream(ec, this)?;
    if args.or_nil(0).is_nil() {
        let bytes = locking(ec, buffer, |ec| read_all(ec, &stream))?;
        if buffer.is_nil() {
            return to_text(ec, &stream, bytes);
        }
        return deliver(ec, buffer, bytes);
    }
    let wanted = length(ec, args[0])?;
    let bytes = locking(ec, buffer, |ec| {
        stream.reading(ec, |ec, reader| {
            loop {
                let missing = wanted.saturating_sub(reader.bytes().len());
                if missing == 0 || !reader.fill_at_least(ec, missing)? {
                    return reader.take(ec, wanted);
                }
            }
        })
    })?;
    let at_end = bytes.is_empty() && wanted > 0;
    let answer = deliver(ec, buffer, bytes)?;
    Ok(if at_end { Value::NIL } else { answer })
}

/// What is there, at most `wanted` bytes, waiting for something if `wait`.
fn read_available(ec: &mut Ec, stream: &StreamRef, wanted: usize, wait: bool) -> Res<Result<Buffer, Errno>> {
    stream.reading(ec, |ec, reader| {
        if reader.bytes().is_empty()
            && wanted > 0
            && let Err(e) = reader.fill_once(ec, wanted.min(1 << 20), wait)?
        {
            return Ok(Err(e));
        }
        reader.take(ec, wanted).map(Ok)
    })
}

/// The buffer argument of what reads, which is looked at before anything is read.
fn buffer_arg(ec: &mut Ec, v: Value) -> Res {
    if v.is_nil() {
        return Ok(v);
    }
    let buffer = ec.to_str(v)?;
    ec.check_frozen(buffer)?;
    Ok(buffer)
}

fn readpartial(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let wanted = length(ec, args[0])?;
    let buffer = buffer_arg(ec, args.or_nil(1))?;
    let stream = stream(ec, this)?;
    match locking(ec, buffer, |ec| read_available(ec, &stream, wanted, true))? {
        Ok(bytes) => {
            let at_end = bytes.is_empty() && wanted > 0;
            let answer = deliver(ec, buffer, bytes)?;
            if at_end { Err(end_of_file(ec)) } else { Ok(answer) }
        }
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn read_nonblock(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (plain, options) = args.split_keywords();
    let wanted = length(ec, plain[0])?;
    let raises = raises(ec, options)?;
    let stream = stream(ec, this)?;
    match read_available(ec, &stream, wanted, false)? {
        Ok(bytes) => {
            let at_end = bytes.is_empty() && wanted > 0;
            let buffer = plain.get(1).copied().unwrap_or(Value::NIL);
            let answer = deliver(ec, buffer, bytes)?;
            if !at_end {
                return Ok(answer);
            }
            if raises { Err(end_of_file(ec)) } else { Ok(Value::NIL) }
        }
        Err(Errno::AGAIN) => would_block(ec, options, "read"),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn sysread(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let source = stream(ec, this)?;
    if args[0] == Value::fixnum(0) && !args.or_nil(1).is_nil() {
        source.fd(ec)?;
        return Ok(args[1]);
    }
    if source.lock().buffered() > 0 {
        return Err(ec.raise(Exc::IOError, "sysread for buffered IO"));
    }
    readpartial(ec, this, args)
}

fn pread(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let wanted = ec.to_i64(args[0])?;
    let Ok(wanted) = usize::try_from(wanted) else {
        return Err(ec.arg_error("negative string size (or size too big)"));
    };
    let offset = ec.to_i64(args[1])?;
    let Ok(offset) = u64::try_from(offset) else {
        return Err(errno::raise(ec, Errno::INVAL, ""));
    };
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    if !stream.lock().readable {
        return Err(ec.raise(Exc::IOError, "not opened for reading"));
    }
    if wanted == 0 && !args.or_nil(2).is_nil() {
        return ec.to_str(args[2]);
    }
    let mut bytes = Buffer::new(ec);
    // Never more than the file can give: the length is the program's to choose.
    let size = rustix::fs::fstat(&fd).ok().and_then(|s| u64::try_from(s.st_size).ok()).unwrap_or(0);
    let available = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX).max(1 << 16);
    let room = wanted.min(available);
    bytes.reserve(ec, room)?;
    let hooked = super::scheduled::pread(ec, this, offset, room, &mut bytes)?;
    if hooked.is_none() {
        bytes.resize(room, 0);
    }
    let result = match hooked {
        Some(result) => result,
        None => ec.blocking(|| rustix::io::pread(&fd, &mut bytes[..], offset)),
    };
    match result {
        Ok(0) if wanted > 0 => Err(end_of_file(ec)),
        Ok(n) => {
            bytes.truncate(n);
            deliver(ec, args.or_nil(2), bytes)
        }
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn getc(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let encoding = read_encoding(ec, &stream);
    let bytes = stream.reading(ec, |ec, reader| {
        loop {
            let enough = match chars::char_len(encoding, reader.bytes()) {
                chars::CharLen::NeedMore(_) => false,
                chars::CharLen::Valid(_) | chars::CharLen::Invalid => true,
            };
            if enough || !reader.fill(ec)? {
                break;
            }
        }
        let mut n = chars::step(encoding, reader.bytes()).max(1);
        if reader.bytes().first() == Some(&b'\r') && reader.text().universal && encoding.is_ascii_compatible() {
            if reader.bytes().len() == 1 {
                reader.fill(ec)?;
            }
            n += usize::from(reader.bytes().get(1) == Some(&b'\n'));
        }
        reader.take(ec, n)
    })?;
    if bytes.is_empty() {
        return Ok(Value::NIL);
    }
    to_text(ec, &stream, bytes)
}

fn readchar(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let c = getc(ec, this, args)?;
    if c.is_nil() { Err(end_of_file(ec)) } else { Ok(c) }
}

fn getbyte(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.reading(ec, |ec, reader| {
        if reader.bytes().is_empty() && !reader.fill(ec)? {
            return Ok(Value::NIL);
        }
        let byte = reader.bytes().first().copied();
        reader.consume(1);
        Ok(byte.map_or(Value::NIL, |b| Value::fixnum(i64::from(b))))
    })
}

fn readbyte(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let b = getbyte(ec, this, args)?;
    if b.is_nil() { Err(end_of_file(ec)) } else { Ok(b) }
}

fn unget(ec: &mut Ec, this: Value, bytes: &[u8]) -> Res {
    let stream = stream(ec, this)?;
    stream.reading(ec, |ec, reader| {
        reader.push_back(ec, bytes)?;
        Ok(Value::NIL)
    })
}

fn ungetc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(n) = args[0].fixnum_value() {
        let source = stream(ec, this)?;
        let encoding = read_encoding(ec, &source);
        let mut bytes = Vec::new();
        let code = u32::try_from(n).ok().filter(|c| chars::push_code_point(encoding, *c, &mut bytes).is_ok());
        if code.is_none() {
            return Err(ec.range_error(format!("{n} out of char range")));
        }
        return unget(ec, this, &bytes);
    }
    let s = ec.to_str(args[0])?;
    let bytes = ec.bytes_of(s)?;
    unget(ec, this, &bytes)
}

fn ungetbyte(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match args[0] {
        Value::NIL => Ok(Value::NIL),
        v => match bigint::to_int(v) {
            Some(Int::Small(n)) => unget(ec, this, &[n as u8]),
            Some(Int::Big(n)) => {
                let low = n.to_signed_bytes_le().first().copied().unwrap_or(0);
                unget(ec, this, &[low])
            }
            None => {
                let s = ec.to_str(v)?;
                let bytes = ec.bytes_of(s)?;
                unget(ec, this, &bytes)
            }
        },
    }
}

/// Is the stream open for reading?
fn is_readable(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let readable = stream.lock().readable;
    Ok(Value::bool(readable))
}

fn eof(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.reading(ec, |ec, reader| Ok(Value::bool(reader.bytes().is_empty() && !reader.fill(ec)?)))
}
