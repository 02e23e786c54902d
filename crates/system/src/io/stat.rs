//! File::Stat, and the questions of File, FileTest and IO about files.

use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

use asterism_heap::{Marker, Stores};
use asterism_lock::RwLock;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};
use rustix::fs::{Access, AtFlags, CWD, FileType, Stat, Statx, StatxFlags, StatxTimestamp};
use rustix::io::Errno;

use crate::io::file::{io_or_path, subject};
use crate::io::object::{stream, try_stream};
use crate::io::path::os;
use asterism_core::errno::{self, path_arg};

/// What is asked for a File::Stat.
const FACTS: StatxFlags = StatxFlags::BASIC_STATS.union(StatxFlags::BTIME);

/// What a File::Stat holds; `None` until it is initialised.
struct StatObject(RwLock<Option<Statx>>);

impl DataObject for StatObject {
    const NAME: &'static str = "stat";
    const SHARED: Shared = Shared::Frozen;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

/// File's and FileTest's questions.
pub static TESTS: &[NativeDef] = &[
    NativeDef::new("exist?", exist, 1, 1),
    NativeDef::new("file?", is_file, 1, 1),
    NativeDef::new("directory?", is_directory, 1, 1),
    NativeDef::new("symlink?", is_symlink, 1, 1),
    NativeDef::new("pipe?", is_pipe, 1, 1),
    NativeDef::new("socket?", is_socket, 1, 1),
    NativeDef::new("blockdev?", is_blockdev, 1, 1),
    NativeDef::new("chardev?", is_chardev, 1, 1),
    NativeDef::new("readable?", is_readable, 1, 1),
    NativeDef::new("writable?", is_writable, 1, 1),
    NativeDef::new("executable?", is_executable, 1, 1),
    NativeDef::new("readable_real?", is_readable, 1, 1),
    NativeDef::new("writable_real?", is_writable, 1, 1),
    NativeDef::new("executable_real?", is_executable, 1, 1),
    NativeDef::new("world_readable?", world_readable, 1, 1),
    NativeDef::new("world_writable?", world_writable, 1, 1),
    NativeDef::new("size", size, 1, 1),
    NativeDef::new("size?", size_or_nil, 1, 1),
    NativeDef::new("zero?", is_zero, 1, 1),
    NativeDef::new("empty?", is_zero, 1, 1),
    NativeDef::new("owned?", is_owned, 1, 1),
    NativeDef::new("grpowned?", is_grpowned, 1, 1),
    NativeDef::new("setuid?", is_setuid, 1, 1),
    NativeDef::new("setgid?", is_setgid, 1, 1),
    NativeDef::new("sticky?", is_sticky, 1, 1),
    NativeDef::new("identical?", identical, 2, 2),
];

/// Singleton methods of File alone.
pub static FILE_SINGLETON: &[NativeDef] = &[
    NativeDef::new("stat", file_stat, 1, 1),
    NativeDef::new("__stat", file_stat_as, 2, 2).private(),
    NativeDef::new("__birth", birth, 1, 1).private(),
    NativeDef::new("lstat", file_lstat, 1, 1),
    NativeDef::new("ftype", file_ftype, 1, 1),
];

/// Instance methods of IO.
pub static IO: &[NativeDef] = &[NativeDef::new("stat", io_stat, 0, 0)];

/// Instance methods of File.
pub static FILE: &[NativeDef] = &[NativeDef::new("lstat", lstat_open, 0, 0), NativeDef::new("size", size_open, 0, 0)];

/// Instance methods of File::Stat; the ones that combine these are in the Ruby part.
pub static STAT: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 1, 1).private(),
    NativeDef::new(
        "dev",
        |ec, this, _| number(ec, this, |s| rustix::fs::makedev(s.stx_dev_major, s.stx_dev_minor) as i64),
        0,
        0,
    ),
    NativeDef::new("ino", |ec, this, _| number(ec, this, |s| s.stx_ino as i64), 0, 0),
    NativeDef::new("mode", |ec, this, _| number(ec, this, |s| i64::from(s.stx_mode)), 0, 0),
    NativeDef::new("nlink", |ec, this, _| number(ec, this, |s| i64::from(s.stx_nlink)), 0, 0),
    NativeDef::new("uid", |ec, this, _| number(ec, this, |s| i64::from(s.stx_uid)), 0, 0),
    NativeDef::new("gid", |ec, this, _| number(ec, this, |s| i64::from(s.stx_gid)), 0, 0),
    NativeDef::new(
        "rdev",
        |ec, this, _| number(ec, this, |s| rustix::fs::makedev(s.stx_rdev_major, s.stx_rdev_minor) as i64),
        0,
        0,
    ),
    NativeDef::new("size", |ec, this, _| number(ec, this, |s| s.stx_size as i64), 0, 0),
    NativeDef::new("blksize", |ec, this, _| number(ec, this, |s| i64::from(s.stx_blksize)), 0, 0),
    NativeDef::new("blocks", |ec, this, _| number(ec, this, |s| s.stx_blocks as i64), 0, 0),
    NativeDef::new("ftype", ftype, 0, 0),
    NativeDef::new("file?", |ec, this, _| has_type(ec, this, FileType::RegularFile), 0, 0),
    NativeDef::new("directory?", |ec, this, _| has_type(ec, this, FileType::Directory), 0, 0),
    NativeDef::new("symlink?", |ec, this, _| has_type(ec, this, FileType::Symlink), 0, 0),
    NativeDef::new("pipe?", |ec, this, _| has_type(ec, this, FileType::Fifo), 0, 0),
    NativeDef::new("socket?", |ec, this, _| has_type(ec, this, FileType::Socket), 0, 0),
    NativeDef::new("chardev?", |ec, this, _| has_type(ec, this, FileType::CharacterDevice), 0, 0),
    NativeDef::new("blockdev?", |ec, this, _| has_type(ec, this, FileType::BlockDevice), 0, 0),
    NativeDef::new("atime", |ec, this, _| time(ec, this, |s| s.stx_atime), 0, 0),
    NativeDef::new("mtime", |ec, this, _| time(ec, this, |s| s.stx_mtime), 0, 0),
    NativeDef::new("ctime", |ec, this, _| time(ec, this, |s| s.stx_ctime), 0, 0),
    NativeDef::new("birthtime", birthtime, 0, 0),
];

/// Seconds and nanoseconds of when the file was made.
fn birth(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = subject(ec, args[0])?;
    match ec.blocking(|| rustix::fs::statx(CWD, &path, AtFlags::empty(), StatxFlags::BTIME)) {
        Ok(stat) if stat.stx_mask & StatxFlags::BTIME.bits() != 0 => {
            let seconds = ec.int(stat.stx_btime.tv_sec)?;
            ec.array(&[seconds, Value::fixnum(i64::from(stat.stx_btime.tv_nsec))])
        }
        Ok(_) => Err(no_birthtime(ec)),
        Err(e) => Err(errno::raise_at(ec, e, "rb_file_s_birthtime", path.as_os_str().as_bytes())),
    }
}

/// `File::Stat.allocate`
///
/// # Errors
/// NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, StatObject(RwLock::new(None)));
    ec.check(Value::NIL, made)
}

fn stat_class(ec: &mut Ec) -> Value {
    let file = ec.known(WellKnown::File);
    ec.own_constant(file, intern("Stat")).unwrap_or(Value::NIL)
}

fn new_stat(ec: &mut Ec, stat: Statx) -> Res {
    let class = stat_class(ec);
    let made = data::new(ec, class, StatObject(RwLock::new(Some(stat))));
    ec.check(Value::NIL, made)
}

/// What a File::Stat is to know of the file with a path, or of the link.
fn facts_at(ec: &mut Ec, path: &[u8], flags: AtFlags) -> Result<Statx, Errno> {
    ec.blocking(|| rustix::fs::statx(CWD, os(path), flags, FACTS))
}

/// What a File::Stat is to know of an open file.
fn facts_of(fd: impl AsFd) -> Result<Statx, Errno> {
    rustix::fs::statx(fd, c"", AtFlags::EMPTY_PATH, FACTS)
}

fn get(ec: &mut Ec, this: Value) -> Res<Statx> {
    match data::get::<StatObject>(&this).and_then(|s| *s.0.read()) {
        Some(stat) => Ok(stat),
        None => Err(ec.type_error("uninitialized File::Stat")),
    }
}

fn number(ec: &mut Ec, this: Value, field: fn(&Statx) -> i64) -> Res {
    let stat = get(ec, this)?;
    ec.int(field(&stat))
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let path = path_arg(ec, args[0])?;
    let stat = facts_at(ec, &path, AtFlags::empty()).map_err(|e| errno::raise_at(ec, e, "rb_file_s_stat", &path))?;
    if let Some(object) = data::get::<StatObject>(&this) {
        *object.0.write() = Some(stat);
    }
    Ok(Value::NIL)
}

fn type_name(mode: impl Into<u32>) -> &'static str {
    match FileType::from_raw_mode(mode.into()) {
        FileType::RegularFile => "file",
        FileType::Directory => "directory",
        FileType::Symlink => "link",
        FileType::Fifo => "fifo",
        FileType::Socket => "socket",
        FileType::CharacterDevice => "characterSpecial",
        FileType::BlockDevice => "blockSpecial",
        FileType::Unknown => "unknown",
    }
}

fn ftype(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stat = get(ec, this)?;
    ec.str(type_name(stat.stx_mode))
}

fn has_type(ec: &mut Ec, this: Value, wanted: FileType) -> Res {
    let stat = get(ec, this)?;
    Ok(Value::bool(FileType::from_raw_mode(stat.stx_mode.into()) == wanted))
}

/// One of the times.
fn time(ec: &mut Ec, this: Value, part: fn(&Statx) -> StatxTimestamp) -> Res {
    let stat = get(ec, this)?;
    let at = part(&stat);
    crate::time::at(ec, at.tv_sec, at.tv_nsec)
}

fn birthtime(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if get(ec, this)?.stx_mask & StatxFlags::BTIME.bits() == 0 {
        return Err(no_birthtime(ec));
    }
    time(ec, this, |s| s.stx_btime)
}

fn no_birthtime(ec: &mut Ec) -> Raised {
    ec.not_implemented("birthtime is unimplemented on this filesystem")
}

/// stat(2) of a path or an IO.
fn stat_of(ec: &mut Ec, v: Value) -> Res<Result<Stat, Errno>> {
    let v = io_or_path(ec, v)?;
    if let Some(stream) = try_stream(v) {
        let fd = stream.fd(ec)?;
        return Ok(rustix::fs::fstat(&fd));
    }
    let path = path_arg(ec, v)?;
    Ok(ec.blocking(|| rustix::fs::stat(os(&path))))
}

fn checked_stat(ec: &mut Ec, v: Value, function: &str) -> Res<Stat> {
    match stat_of(ec, v)? {
        Ok(stat) => Ok(stat),
        Err(e) => {
            let path = subject(ec, v)?.into_os_string().into_encoded_bytes();
            Err(errno::raise_at(ec, e, function, &path))
        }
    }
}

fn file_stat(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    stat_for(ec, args[0], "rb_file_s_stat")
}

/// `stat`, with the name that an error message has.
fn file_stat_as(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = ec.to_str(args[1])?;
    let name = asterism_object::string::to_string_lossy(ec, name);
    stat_for(ec, args[0], &name)
}

/// A File::Stat of a path or an IO.
fn stat_for(ec: &mut Ec, v: Value, function: &str) -> Res {
    let v = io_or_path(ec, v)?;
    let facts = match try_stream(v) {
        Some(stream) => facts_of(stream.fd(ec)?),
        None => {
            let path = path_arg(ec, v)?;
            facts_at(ec, &path, AtFlags::empty())
        }
    };
    match facts {
        Ok(facts) => new_stat(ec, facts),
        Err(e) => {
            let path = subject(ec, v)?.into_os_string().into_encoded_bytes();
            Err(errno::raise_at(ec, e, function, &path))
        }
    }
}

/// Of a link itself.
fn lstat(ec: &mut Ec, path: &[u8], function: &str) -> Res<Statx> {
    facts_at(ec, path, AtFlags::SYMLINK_NOFOLLOW).map_err(|e| errno::raise_at(ec, e, function, path))
}

fn file_lstat(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = path_arg(ec, args[0])?;
    let stat = lstat(ec, &path, "rb_file_s_lstat")?;
    new_stat(ec, stat)
}

fn file_ftype(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = path_arg(ec, args[0])?;
    let stat = lstat(ec, &path, "rb_file_s_ftype")?;
    ec.str(type_name(stat.stx_mode))
}

fn fstat(ec: &mut Ec, this: Value) -> Res<Statx> {
    let stream = stream(ec, this)?;
    stream.flush(ec)?;
    let fd = stream.fd(ec)?;
    facts_of(&fd).map_err(|e| errno::raise(ec, e, ""))
}

fn io_stat(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stat = fstat(ec, this)?;
    new_stat(ec, stat)
}

fn size_open(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stat = fstat(ec, this)?;
    ec.int(stat.stx_size as i64)
}

fn lstat_open(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let path = stream.lock().path.clone().unwrap_or_default();
    let stat = lstat(ec, &path, "rb_file_lstat")?;
    new_stat(ec, stat)
}

fn test(ec: &mut Ec, v: Value, is: impl FnOnce(&Stat) -> bool) -> Res {
    Ok(Value::bool(stat_of(ec, v)?.is_ok_and(|s| is(&s))))
}

fn exist(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |_| true)
}

fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

fn is_file(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| kind(s).is_file())
}

fn is_directory(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| kind(s).is_dir())
}

fn is_pipe(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| kind(s).is_fifo())
}

fn is_socket(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| kind(s).is_socket())
}

fn is_blockdev(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| kind(s).is_block_device())
}

fn is_chardev(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| kind(s).is_char_device())
}

fn is_symlink(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let subject = io_or_path(ec, args[0])?;
    if try_stream(subject).is_some() {
        return Ok(Value::FALSE);
    }
    let path = path_arg(ec, subject)?;
    let stat = ec.blocking(|| rustix::fs::lstat(os(&path)));
    Ok(Value::bool(stat.is_ok_and(|s| kind(&s).is_symlink())))
}

fn access(ec: &mut Ec, v: Value, wanted: Access) -> Res {
    let path = subject(ec, v)?;
    Ok(Value::bool(ec.blocking(|| rustix::fs::access(&path, wanted)).is_ok()))
}

fn is_readable(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    access(ec, args[0], Access::READ_OK)
}

fn is_writable(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    access(ec, args[0], Access::WRITE_OK)
}

fn is_executable(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    access(ec, args[0], Access::EXEC_OK)
}

fn permissions_if(ec: &mut Ec, v: Value, bit: u32) -> Res {
    match stat_of(ec, v)? {
        Ok(s) if s.st_mode & bit != 0 => Ok(Value::fixnum(i64::from(s.st_mode & 0o777))),
        _ => Ok(Value::NIL),
    }
}

fn world_readable(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    permissions_if(ec, args[0], 0o004)
}

fn world_writable(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    permissions_if(ec, args[0], 0o002)
}

fn size(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let subject = io_or_path(ec, args[0])?;
    if let Some(stream) = try_stream(subject) {
        stream.flush(ec)?;
    }
    let stat = checked_stat(ec, subject, "rb_file_s_size")?;
    ec.int(stat.st_size)
}

fn size_or_nil(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    match stat_of(ec, args[0])? {
        Ok(s) if s.st_size > 0 => ec.int(s.st_size),
        _ => Ok(Value::NIL),
    }
}

fn is_zero(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| s.st_size == 0)
}

fn is_owned(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| s.st_uid == rustix::process::geteuid().as_raw())
}

fn is_grpowned(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| s.st_gid == rustix::process::getegid().as_raw())
}

fn is_setuid(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| s.st_mode & 0o4000 != 0)
}

fn is_setgid(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| s.st_mode & 0o2000 != 0)
}

fn is_sticky(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    test(ec, args[0], |s| s.st_mode & 0o1000 != 0)
}

fn identical(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (a, b) = (stat_of(ec, args[0])?, stat_of(ec, args[1])?);
    Ok(Value::bool(match (a, b) {
        (Ok(a), Ok(b)) => a.st_dev == b.st_dev && a.st_ino == b.st_ino,
        _ => false,
    }))
}
