//! Writing: `write`, `print`, `puts`, `p` and their like, for IO objects and as Kernel's functions.

use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_support::Encoding;
use asterism_symbol::{intern, sym};
use asterism_vm::memory::Buffer;
use asterism_vm::method::Body;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use crate::io::encoding::Sink;
use crate::io::object::{stream, try_stream};
use asterism_core::string::util;

/// Instance methods of IO.
pub static IO: &[NativeDef] = &[
    NativeDef::new("write", write, 0, ANY),
    NativeDef::new("<<", append, 1, 1),
    NativeDef::new("print", print, 0, ANY),
    NativeDef::new("puts", puts, 0, ANY),
    NativeDef::new("printf", printf, 0, ANY),
    NativeDef::new("putc", putc, 1, 1),
    NativeDef::new("flush", flush, 0, 0),
    NativeDef::new("fsync", fsync, 0, 0),
    NativeDef::new("fdatasync", fsync, 0, 0),
    NativeDef::new("__write_bytes", write_bytes, 1, 1).private(),
    NativeDef::new("syswrite", syswrite, 1, 1),
    NativeDef::new("write_nonblock", write_nonblock, 1, 1).keywords(&["exception"]),
    NativeDef::new("pwrite", pwrite, 2, 2),
];

/// Texts up to this length are copied to be written at once: of one that shares its bytes all would be copied when the program
/// appends to it again.
const MOST_COPIED: usize = 4096;

/// Kernel's functions.
pub static KERNEL: &[NativeDef] = &[
    NativeDef::new("puts", kernel_puts, 0, ANY),
    NativeDef::new("print", kernel_print, 0, ANY),
    NativeDef::new("p", kernel_p, 0, ANY),
    NativeDef::new("putc", kernel_putc, 1, 1),
    NativeDef::new("printf", kernel_printf, 0, ANY),
];

/// Public instance methods of Kernel.
pub static OBJECT: &[NativeDef] = &[NativeDef::new("display", display, 0, 1)];

/// Writes bytes to anything that can be written to: at once to an IO whose `write` is the built-in one.
fn emit(ec: &mut Ec, out: Value, bytes: &[u8]) -> Res<()> {
    if let Some(stream) = try_stream(out)
        && has_own_write(ec, out)
    {
        if let Some(sink) = Sink::of(&stream) {
            return sink.write(ec, &stream, Encoding::UTF_8, bytes).map(drop);
        }
        return stream.write(ec, bytes);
    }
    let text = ec.str(bytes)?;
    ec.call(out, sym::write, &[text])?;
    Ok(())
}

fn has_own_write(ec: &mut Ec, out: Value) -> bool {
    let class = ec.class_of(out);
    match ec.find_method(class, sym::write).1 {
        Some(found) => {
            matches!(found.method.body(), Body::Native(def) if std::ptr::fn_addr_eq(def.func, write as asterism_vm::native::NativeFn))
        }
        None => false,
    }
}

/// A String's bytes appended to `bytes`.
fn push(ec: &mut Ec, bytes: &mut Buffer, v: Value) -> Res<()> {
    let s = ec.to_s(v)?;
    bytes.append_text(ec, s)
}

fn write(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    ec.check_masked_blocking()?;
    // Mostly there is one String, and nothing to convert.
    if let &[one] = args.slice() {
        let s = ec.to_s(one)?;
        let text = string::read(ec, s);
        if let Some(sink) = stream.write_text(ec, &text)? {
            let written = sink.write(ec, &stream, util::encoding(s), &text)?;
            return ec.size(written);
        }
        return ec.size(text.len());
    }
    if let Some(sink) = Sink::of(&stream) {
        let mut total = 0;
        for v in args.slice() {
            let s = ec.to_s(*v)?;
            let text = ec.bytes_of(s)?;
            total += sink.write(ec, &stream, util::encoding(s), &text)?;
        }
        return ec.size(total);
    }
    let mut bytes = Buffer::new(ec);
    for v in args.slice() {
        push(ec, &mut bytes, *v)?;
    }
    stream.write(ec, &bytes)?;
    ec.size(bytes.len())
}

/// Writes a String's bytes as they are.
fn write_bytes(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let s = ec.to_s(args[0])?;
    let text = string::read(ec, s);
    stream.write(ec, &text)?;
    Ok(Value::NIL)
}

fn append(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.call(this, sym::write, &[args[0]])?;
    Ok(this)
}

/// What `print` writes.
fn print_bytes(ec: &mut Ec, args: &[Value]) -> Res<Buffer> {
    let mut bytes = Buffer::new(ec);
    if args.is_empty() {
        let line = ec.last_line();
        push(ec, &mut bytes, line)?;
    }
    let between = ec.gvar_get(intern("$,"))?;
    for (i, v) in args.iter().enumerate() {
        if i > 0 && !between.is_nil() {
            push(ec, &mut bytes, between)?;
        }
        push(ec, &mut bytes, *v)?;
    }
    let end = ec.gvar_get(intern("$\\"))?;
    if !end.is_nil() {
        push(ec, &mut bytes, end)?;
    }
    Ok(bytes)
}

fn print(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let bytes = print_bytes(ec, args.slice())?;
    ec.check_masked_blocking()?;
    if !emit_converted(ec, this, args.slice(), &bytes)? {
        emit(ec, this, &bytes)?;
    }
    Ok(Value::NIL)
}

/// Appends what `puts` writes for one argument. `within`: the Arrays around it, innermost last.
fn puts_one(ec: &mut Ec, bytes: &mut Buffer, v: Value, within: &Within<'_>) -> Res<()> {
    let start = bytes.len();
    if v.is_type(Type::String) {
        bytes.append_text(ec, v)?;
    } else if let Some(n) = v.fixnum_value() {
        bytes.append(ec, n.to_string().as_bytes())?;
    } else if within.contains(v) {
        return bytes.append(ec, b"[...]\n");
    } else if let Some(list) = ec.check_array(v)? {
        ec.check_stack()?;
        let here = Within { object: v, outer: Some(within) };
        let mut i = 0;
        while let Some(element) = array::at(list, i) {
            puts_one(ec, bytes, element, &here)?;
            i += 1;
        }
        return Ok(());
    } else {
        push(ec, bytes, v)?;
    }
    if bytes.len() == start || !ends_line(v, &bytes[start..]) {
        bytes.append(ec, b"\n")?;
    }
    Ok(())
}

/// Does what `v` was written as end with a line feed, in its encoding?
fn ends_line(v: Value, text: &[u8]) -> bool {
    let encoding = if v.is_type(Type::String) { util::encoding(v) } else { Encoding::UTF_8 };
    let unit = encoding.min_len();
    if unit == 1 {
        return text.last() == Some(&b'\n');
    }
    let at = text.len().saturating_sub(1) / unit * unit;
    matches!(asterism_support::encoding::chars::code_point(encoding, &text[at..]), Some((0x0a, _)))
}

/// The Arrays, and what became Arrays, that `puts` is inside of; lies on the machine stack.
struct Within<'a> {
    object: Value,
    outer: Option<&'a Within<'a>>,
}

impl Within<'_> {
    fn contains(&self, object: Value) -> bool {
        std::iter::successors(Some(self), |within| within.outer)
            .any(|within| within.object == object && object.is_heap())
    }
}

/// What `puts` writes.
fn puts_bytes(ec: &mut Ec, args: &[Value]) -> Res<Buffer> {
    let mut bytes = Buffer::new(ec);
    if args.is_empty() {
        bytes.append(ec, b"\n")?;
    }
    for v in args {
        puts_one(ec, &mut bytes, *v, &Within { object: Value::NIL, outer: None })?;
    }
    Ok(bytes)
}

/// The encoding that all Strings among the arguments have; what `puts` and `print` make is text of it.
fn common_encoding(args: &[Value]) -> Encoding {
    let mut found = None;
    for v in args.iter().filter(|v| v.is_type(Type::String)) {
        let own = util::encoding(*v);
        if own != Encoding::US_ASCII && found.is_none_or(|f: Encoding| f == Encoding::UTF_8) {
            found = Some(own);
        }
    }
    found.unwrap_or(Encoding::UTF_8)
}

/// Writes bytes that `puts` or `print` made to a stream that converts; false: it does not.
fn emit_converted(ec: &mut Ec, out: Value, args: &[Value], bytes: &[u8]) -> Res<bool> {
    let Some(stream) = try_stream(out) else { return Ok(false) };
    let Some(sink) = Sink::of(&stream) else { return Ok(false) };
    if !has_own_write(ec, out) {
        return Ok(false);
    }
    sink.write(ec, &stream, common_encoding(args), bytes)?;
    Ok(true)
}

fn puts(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let bytes = puts_bytes(ec, args.slice())?;
    ec.check_masked_blocking()?;
    if !bytes.is_empty() && !emit_converted(ec, this, args.slice(), &bytes)? {
        emit(ec, this, &bytes)?;
    }
    Ok(Value::NIL)
}

fn printf(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Ok(Value::NIL);
    }
    let text = format(ec, args.slice())?;
    let bytes = ec.bytes_of(text)?;
    emit(ec, this, &bytes)?;
    Ok(Value::NIL)
}

fn format(ec: &mut Ec, args: &[Value]) -> Res {
    let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
    ec.call(main, sym::format, args)
}

fn putc_bytes(ec: &mut Ec, v: Value) -> Res<Vec<u8>> {
    if v.is_type(Type::String) {
        let first = ec.call(v, intern("chr"), &[])?;
        return Ok(string::to_vec(ec, first));
    }
    let n = ec.to_i64(v)?;
    Ok(vec![n as u8])
}

fn putc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let bytes = putc_bytes(ec, args[0])?;
    emit(ec, this, &bytes)?;
    Ok(args[0])
}

fn flush(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    stream.flush(ec)?;
    Ok(this)
}

fn fsync(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let fd = stream.write_fd(ec)?;
    stream.flush(ec)?;
    match ec.blocking(|| rustix::fs::fsync(&fd)) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(asterism_core::errno::raise(ec, e, "")),
    }
}

fn syswrite(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let s = ec.to_s(args[0])?;
    let text = string::read(ec, s);
    match stream.write_direct(ec, &text, true)? {
        Ok(n) => ec.size(n),
        Err(e) => Err(asterism_core::errno::raise(ec, e, "")),
    }
}

fn write_nonblock(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (plain, options) = args.split_keywords();
    let stream = stream(ec, this)?;
    let s = ec.to_s(plain[0])?;
    crate::io::read::raises(ec, options)?;
    let written = if string::len(s) <= MOST_COPIED {
        let text = string::to_vec(ec, s);
        stream.write_direct(ec, &text, false)?
    } else {
        let text = string::read(ec, s);
        stream.write_direct(ec, &text, false)?
    };
    match written {
        Ok(n) => ec.size(n),
        Err(rustix::io::Errno::AGAIN) => crate::io::read::would_block(ec, options, "write"),
        Err(e) => Err(asterism_core::errno::raise(ec, e, "")),
    }
}

fn pwrite(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let s = ec.to_s(args[0])?;
    let text = string::read(ec, s);
    let offset = ec.to_i64(args[1])?;
    let fd = stream.write_fd(ec)?;
    let Ok(offset) = u64::try_from(offset) else {
        return Err(asterism_core::errno::raise(ec, rustix::io::Errno::INVAL, ""));
    };
    let result = match super::scheduled::pwrite(ec, this, offset, &text)? {
        Some(result) => result,
        None => ec.blocking(|| rustix::io::pwrite(&fd, &text, offset)),
    };
    match result {
        Ok(n) => ec.size(n),
        Err(e) => Err(asterism_core::errno::raise(ec, e, "")),
    }
}

fn stdout(ec: &mut Ec) -> Res {
    ec.gvar_get(intern("$stdout"))
}

fn kernel_puts(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = stdout(ec)?;
    // An object that only has `write` comes back here through its own private `puts`.
    if out == this || is_plain(ec, out, sym::puts, puts) {
        return puts(ec, out, args);
    }
    ec.call(out, sym::puts, args.slice())
}

/// Is the method the built-in one?
fn is_plain(ec: &mut Ec, out: Value, name: asterism_object::Sym, func: asterism_vm::native::NativeFn) -> bool {
    let class = ec.class_of(out);
    ec.find_method(class, name)
        .1
        .is_some_and(|f| matches!(f.method.body(), Body::Native(def) if std::ptr::fn_addr_eq(def.func, func)))
}

fn kernel_print(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let out = stdout(ec)?;
    print(ec, out, args)
}

fn kernel_p(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let out = stdout(ec)?;
    for v in args.slice() {
        let text = ec.inspect(*v)?;
        let mut bytes = ec.bytes_of(text)?;
        bytes.append(ec, b"\n")?;
        emit(ec, out, &bytes)?;
    }
    // What is shown is not to be lost when the process ends without ado.
    if super::object::is_io(out) {
        flush(ec, out, args)?;
    }
    match args.slice() {
        [] => Ok(Value::NIL),
        &[one] => Ok(one),
        all => ec.array(all),
    }
}

fn kernel_putc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = stdout(ec)?;
    if out == this {
        return putc(ec, out, args);
    }
    ec.call(out, intern("putc"), args.slice())
}

fn kernel_printf(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some(first) = args.get(0) else {
        return Ok(Value::NIL);
    };
    let (out, rest) =
        if first.is_type(Type::String) { (stdout(ec)?, args.slice()) } else { (first, &args.slice()[1..]) };
    let text = format(ec, rest)?;
    ec.call(out, sym::write, &[text])?;
    Ok(Value::NIL)
}

fn display(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = match args.get(0) {
        Some(out) => out,
        None => stdout(ec)?,
    };
    ec.call(out, sym::write, &[this])?;
    Ok(Value::NIL)
}
