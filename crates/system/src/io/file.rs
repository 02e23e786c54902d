//! File's class methods: names, and operations on files by path.

use std::ffi::CString;
use std::path::PathBuf;
use std::time::Duration;

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_symbol::{intern, sym};
use asterism_vm::memory::Buffer;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};
use rustix::fs::{AtFlags, CWD, FlockOperation, Gid, Mode, Timespec, Timestamps, UTIME_NOW, Uid};

use crate::io::object::{stream, to_io, try_stream};
use crate::io::path::{self, os};
use asterism_core::errno::{self, path_arg};

/// Singleton methods of File.
pub static SINGLETON: &[NativeDef] = &[
    NativeDef::missing("lchmod"),
    NativeDef::new("basename", basename, 1, 2),
    NativeDef::new("dirname", dirname, 1, 2),
    NativeDef::new("extname", extname, 1, 1),
    NativeDef::new("split", split, 1, 1),
    NativeDef::new("join", join, 0, ANY),
    NativeDef::new("path", to_path, 1, 1),
    NativeDef::new("expand_path", expand_path, 1, 2),
    NativeDef::new("absolute_path", absolute_path, 1, 2),
    NativeDef::new("absolute_path?", is_absolute_path, 1, 1),
    NativeDef::new("realpath", realpath, 1, 2),
    NativeDef::new("realdirpath", realdirpath, 1, 2),
    NativeDef::new("rename", rename, 2, 2),
    NativeDef::new("delete", delete, 0, ANY),
    NativeDef::new("unlink", delete, 0, ANY),
    NativeDef::new("symlink", symlink, 2, 2),
    NativeDef::new("link", link, 2, 2),
    NativeDef::new("readlink", readlink, 1, 1),
    NativeDef::new("chmod", chmod, 1, ANY),
    NativeDef::new("chown", chown, 2, ANY),
    NativeDef::new("lchown", lchown, 2, ANY),
    NativeDef::new("utime", utime, 2, ANY),
    NativeDef::new("lutime", lutime, 2, ANY),
    NativeDef::new("truncate", truncate, 2, 2),
    NativeDef::new("mkfifo", mkfifo, 1, 2),
    NativeDef::new("umask", umask, 0, 1),
    NativeDef::new("fnmatch", fnmatch, 2, 3),
    NativeDef::new("fnmatch?", fnmatch, 2, 3),
];

/// Instance methods of File.
pub static FILE: &[NativeDef] = &[
    NativeDef::new("flock", flock, 1, 1),
    NativeDef::new("truncate", truncate_open, 1, 1),
    NativeDef::new("chmod", chmod_open, 1, 1),
    NativeDef::new("chown", chown_open, 2, 2),
];

fn str_like(ec: &mut Ec, model: Value, bytes: &[u8]) -> Res {
    let encoding = if model.is_type(Type::String) { string::encoding(model) } else { asterism_symbol::UTF_8 };
    ec.str_enc(bytes, encoding)
}

fn basename(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = path_arg(ec, args[0])?;
    let base = match args.get(1) {
        Some(suffix) => {
            let suffix = path_arg(ec, suffix)?;
            path::basename_without(&name, &suffix)
        }
        None => path::basename(&name),
    };
    str_like(ec, args[0], base)
}

fn dirname(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = path_arg(ec, args[0])?;
    let levels = match args.get(1) {
        Some(n) => ec.to_i64(n)?,
        None => 1,
    };
    if levels < 0 {
        return Err(ec.arg_error(format!("negative level: {levels}")));
    }
    let mut dir = &name[..];
    for _ in 0..levels {
        let up = path::dirname(dir);
        if up == dir {
            break;
        }
        dir = up;
    }
    str_like(ec, args[0], dir)
}

fn extname(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = path_arg(ec, args[0])?;
    str_like(ec, args[0], path::extname(&name))
}

fn split(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = path_arg(ec, args[0])?;
    let dir = str_like(ec, args[0], path::dirname(&name))?;
    let base = str_like(ec, args[0], path::basename(&name))?;
    ec.array(&[dir, base])
}

/// The Arrays `join` is inside of; lies on the machine stack.
struct Within<'a>(Value, Option<&'a Within<'a>>);

fn join_into(ec: &mut Ec, out: &mut Buffer, first: &mut bool, v: Value, within: &Within<'_>) -> Res<()> {
    if v.is_type(Type::Array) {
        let mut at = Some(within);
        while let Some(w) = at {
            if w.0 == v {
                return Err(ec.arg_error("recursive array"));
            }
            at = w.1;
        }
        ec.check_stack()?;
        let mut i = 0;
        while let Some(element) = array::at(v, i) {
            join_into(ec, out, first, element, &Within(v, Some(within)))?;
            i += 1;
        }
        return Ok(());
    }
    let part = path_arg(ec, v)?;
    out.reserve(ec, part.len() + 1)?;
    path::push_joined(out, &part, *first);
    *first = false;
    Ok(())
}

fn join(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let mut out = Buffer::new(ec);
    let mut first = true;
    for v in args.slice() {
        join_into(ec, &mut out, &mut first, *v, &Within(Value::NIL, None))?;
    }
    // Parts that are all of one encoding make a path in it.
    let encodings: Vec<_> =
        args.slice().iter().map(|v| v.is_type(Type::String).then(|| string::encoding(*v))).collect();
    match encodings.first() {
        Some(Some(encoding)) if encodings.iter().all(|e| *e == Some(*encoding)) => ec.str_enc(&out[..], *encoding),
        _ => ec.str(&out[..]),
    }
}

fn to_path(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = path_arg(ec, args[0])?;
    str_like(ec, args[0], &name)
}

fn expanded(ec: &mut Ec, args: Args<'_>, home: bool) -> Res {
    let name = path_arg(ec, args[0])?;
    let base = match args.or_nil(1) {
        Value::NIL => None,
        v => Some(path_arg(ec, v)?),
    };
    let full = path::expand(ec, &name, base.as_deref(), home)?;
    str_like(ec, args[0], &full)
}

fn expand_path(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    expanded(ec, args, true)
}

fn absolute_path(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    expanded(ec, args, false)
}

fn is_absolute_path(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = path_arg(ec, args[0])?;
    Ok(Value::bool(name.first() == Some(&b'/')))
}

/// The real path of what need not be there itself. Links to what is missing are followed.
fn real_but_last(mut path: PathBuf) -> std::io::Result<PathBuf> {
    loop {
        match std::fs::canonicalize(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            known => return known,
        }
        let dir = path.parent().unwrap_or(&path);
        match std::fs::read_link(&path) {
            Ok(target) => path = dir.join(target),
            Err(_) => {
                let bytes = path.as_os_str().as_encoded_bytes();
                let last = os(path::basename(bytes));
                return std::fs::canonicalize(os(path::dirname(bytes))).map(|dir| dir.join(last));
            }
        }
    }
}

fn real(ec: &mut Ec, args: Args<'_>, last_may_be_missing: bool) -> Res {
    let name = path_arg(ec, args[0])?;
    let base = match args.or_nil(1) {
        Value::NIL => None,
        v => Some(path_arg(ec, v)?),
    };
    let full: PathBuf = match &base {
        Some(base) => os(base).join(os(&name)),
        None => os(&name).to_path_buf(),
    };
    let mut result = ec.blocking(|| std::fs::canonicalize(&full));
    if last_may_be_missing && result.is_err() {
        let absolute = path::expand(ec, full.as_os_str().as_encoded_bytes(), None, false)?;
        result = ec.blocking(|| real_but_last(os(&absolute).to_path_buf()));
    }
    match result {
        Ok(real) => ec.str(real.into_os_string().into_encoded_bytes()),
        Err(e) => Err(errno::raise_at(
            ec,
            errno::number_of(&e),
            "rb_check_realpath_internal",
            full.as_os_str().as_encoded_bytes(),
        )),
    }
}

fn realpath(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    real(ec, args, false)
}

fn realdirpath(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    real(ec, args, true)
}

fn two_paths(
    ec: &mut Ec,
    args: Args<'_>,
    function: &str,
    action: impl FnOnce(&std::path::Path, &std::path::Path) -> rustix::io::Result<()>,
) -> Res {
    let from = path_arg(ec, args[0])?;
    let to = path_arg(ec, args[1])?;
    match ec.blocking(|| action(os(&from), os(&to))) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(rustix::io::Errno::EXIST) => Err(errno::raise_at(ec, rustix::io::Errno::EXIST, "syserr_fail2_in", &to)),
        Err(e) => {
            let both = [b"(", &from[..], b", ", &to[..], b")"].concat();
            Err(errno::raise_at(ec, e, function, &both))
        }
    }
}

fn rename(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    two_paths(ec, args, "rb_file_s_rename", |a, b| rustix::fs::rename(a, b))
}

fn symlink(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    two_paths(ec, args, "rb_file_s_symlink", |a, b| rustix::fs::symlink(a, b))
}

fn link(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    two_paths(ec, args, "rb_file_s_link", |a, b| rustix::fs::link(a, b))
}

/// Does the same to each path; how many there were.
fn each_path(ec: &mut Ec, paths: &[Value], mut action: impl FnMut(&std::path::Path) -> rustix::io::Result<()>) -> Res {
    for v in paths {
        let path = path_arg(ec, *v)?;
        if let Err(e) = ec.blocking(|| action(os(&path))) {
            return Err(errno::raise_at(ec, e, "apply2files", &path));
        }
    }
    ec.size(paths.len())
}

fn delete(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    each_path(ec, args.slice(), |p| rustix::fs::unlink(p))
}

fn chmod(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let mode = Mode::from_raw_mode(ec.to_i64(args[0])? as u32);
    each_path(ec, &args.slice()[1..], |p| rustix::fs::chmod(p, mode))
}

fn owner(ec: &mut Ec, v: Value) -> Res<Option<u32>> {
    if v.is_nil() {
        return Ok(None);
    }
    let n = ec.to_i64(v)?;
    Ok(u32::try_from(n).ok().filter(|n| *n != u32::MAX))
}

fn chown(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let user = owner(ec, args[0])?.map(Uid::from_raw);
    let group = owner(ec, args[1])?.map(Gid::from_raw);
    each_path(ec, &args.slice()[2..], |p| rustix::fs::chown(p, user, group))
}

fn lchown(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let user = owner(ec, args[0])?.map(Uid::from_raw);
    let group = owner(ec, args[1])?.map(Gid::from_raw);
    each_path(ec, &args.slice()[2..], |p| rustix::fs::chownat(CWD, p, user, group, AtFlags::SYMLINK_NOFOLLOW))
}

/// A time argument of `utime`: nil is now; a Time or a number of seconds.
fn timespec(ec: &mut Ec, v: Value) -> Res<Timespec> {
    if v.is_nil() {
        return Ok(Timespec { tv_sec: 0, tv_nsec: UTIME_NOW });
    }
    if let Some(nanoseconds) = nanoseconds_of_time(ec, v)? {
        let seconds = ec.call(v, intern("to_i"), &[])?;
        return Ok(Timespec { tv_sec: ec.to_i64(seconds)?, tv_nsec: nanoseconds });
    }
    let seconds = if ec.respond_to(v, asterism_symbol::sym::to_f, true)? {
        let f = ec.call(v, asterism_symbol::sym::to_f, &[])?;
        ec.to_f64(f)?
    } else {
        ec.to_f64(v)?
    };
    let whole = seconds.floor();
    Ok(Timespec { tv_sec: whole as i64, tv_nsec: ((seconds - whole) * 1e9) as i64 })
}

/// The part of a Time below its second; `None` for anything else.
fn nanoseconds_of_time(ec: &mut Ec, v: Value) -> Res<Option<i64>> {
    let object = ec.known(WellKnown::Object);
    match ec.own_constant(object, intern("Time")) {
        Some(time) if ec.is_kind_of(v, time) => {
            let n = ec.call(v, intern("nsec"), &[])?;
            ec.to_i64(n).map(Some)
        }
        _ => Ok(None),
    }
}

fn set_times(ec: &mut Ec, args: Args<'_>, flags: AtFlags) -> Res {
    let times = Timestamps { last_access: timespec(ec, args[0])?, last_modification: timespec(ec, args[1])? };
    each_path(ec, &args.slice()[2..], |p| rustix::fs::utimensat(CWD, p, &times, flags))
}

fn utime(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    set_times(ec, args, AtFlags::empty())
}

/// As `utime`, of a link itself.
fn lutime(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    set_times(ec, args, AtFlags::SYMLINK_NOFOLLOW)
}

fn readlink(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = path_arg(ec, args[0])?;
    match ec.blocking(|| std::fs::read_link(os(&path))) {
        Ok(target) => ec.str(target.into_os_string().into_encoded_bytes()),
        Err(e) => Err(errno::raise_at(ec, errno::number_of(&e), "rb_readlink", &path)),
    }
}

fn size_argument(ec: &mut Ec, v: Value) -> Res<u64> {
    let n = ec.to_i64(v)?;
    match u64::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => Err(errno::raise(ec, rustix::io::Errno::INVAL, "")),
    }
}

fn truncate(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = path_arg(ec, args[0])?;
    let size = size_argument(ec, args[1])?;
    let name = CString::new(&path[..]).map_err(|_| ec.arg_error("string contains null byte"))?;
    let done = ec.blocking(|| {
        // Not opened: that would wait for who reads a FIFO.
        // SAFETY: the name ends with a NUL, and lives until the call returns.
        let done = unsafe { libc::truncate(name.as_ptr(), size.cast_signed()) };
        if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    });
    match done {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise_at(ec, errno::number_of(&e), "rb_file_s_truncate", &path)),
    }
}

fn mkfifo(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = path_arg(ec, args[0])?;
    let mode = match args.get(1) {
        Some(v) => ec.to_i64(v)? as u32,
        None => 0o666,
    };
    match rustix::fs::mknodat(CWD, os(&path), rustix::fs::FileType::Fifo, Mode::from_raw_mode(mode), 0) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise_at(ec, e, "rb_file_s_mkfifo", &path)),
    }
}

fn umask(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let old = match args.get(0) {
        Some(v) => rustix::process::umask(Mode::from_raw_mode(ec.to_i64(v)? as u32)),
        None => {
            // There is no way to look without setting.
            let old = rustix::process::umask(Mode::from_raw_mode(0o022));
            rustix::process::umask(old);
            old
        }
    };
    Ok(Value::fixnum(i64::from(old.as_raw_mode())))
}

fn fnmatch(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let pattern = ec.to_str(args[0])?;
    let pattern = string::to_vec(ec, pattern);
    if pattern.contains(&0) {
        return Err(ec.arg_error("string contains null byte"));
    }
    let name = path_arg(ec, args[1])?;
    let flags = match args.get(2) {
        Some(v) => ec.to_i64(v)?,
        None => 0,
    };
    Ok(Value::bool(crate::io::glob::fnmatch(ec, &pattern, &name, flags)?))
}

fn flock(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let wanted = ec.to_i64(args[0])?;
    stream.flush(ec)?;
    let fd = stream.fd(ec)?;
    let operation = match wanted & !4 {
        1 => FlockOperation::NonBlockingLockShared,
        2 => FlockOperation::NonBlockingLockExclusive,
        8 => FlockOperation::Unlock,
        _ => return Err(errno::raise(ec, rustix::io::Errno::INVAL, "")),
    };
    let mut pause = Duration::from_millis(1);
    loop {
        match rustix::fs::flock(&fd, operation) {
            Ok(()) => return Ok(Value::fixnum(0)),
            Err(rustix::io::Errno::AGAIN) if wanted & 4 != 0 => return Ok(Value::FALSE),
            Err(rustix::io::Errno::AGAIN) => {
                // flock(2) cannot be waited for together with an interrupt: look again after a pause.
                crate::io::fd::pause(ec, pause)?;
                pause = (pause * 2).min(Duration::from_millis(50));
            }
            Err(rustix::io::Errno::INTR) => ec.check_blocking()?,
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
    }
}

fn truncate_open(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let size = size_argument(ec, args[0])?;
    let stream = stream(ec, this)?;
    let fd = stream.write_fd(ec)?;
    stream.flush(ec)?;
    match rustix::fs::ftruncate(&fd, size) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn chmod_open(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mode = Mode::from_raw_mode(ec.to_i64(args[0])? as u32);
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    match rustix::fs::fchmod(&fd, mode) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

fn chown_open(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let user = owner(ec, args[0])?.map(Uid::from_raw);
    let group = owner(ec, args[1])?.map(Gid::from_raw);
    let stream = stream(ec, this)?;
    let fd = stream.fd(ec)?;
    match rustix::fs::fchown(&fd, user, group) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

/// What a question about a file is about: the IO that `to_io` gives, or the value itself, which is an IO or a path.
pub fn io_or_path(ec: &mut Ec, v: Value) -> Res {
    if !v.is_type(Type::String) && ec.respond_to(v, sym::to_io, true)? { to_io(ec, v) } else { Ok(v) }
}

/// The path a value names for a question about a file: an IO's descriptor is asked through /proc.
pub fn subject(ec: &mut Ec, v: Value) -> Res<PathBuf> {
    let v = io_or_path(ec, v)?;
    if let Some(stream) = try_stream(v) {
        let fd = stream.fd(ec)?;
        return Ok(PathBuf::from(format!("/proc/self/fd/{}", fd.number())));
    }
    let path = path_arg(ec, v)?;
    Ok(os(&path).to_path_buf())
}
