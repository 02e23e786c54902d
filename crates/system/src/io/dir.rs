//! Dir: directories by path. Open Dir objects, blocks and iteration are in the Ruby part.

use std::os::fd::{AsFd, OwnedFd};

use asterism_object::space::WellKnown;
use asterism_object::{Value, string};
use asterism_support::Encoding;
use asterism_symbol::UTF_8;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::fs::{Mode, OFlags, RawDir, SeekFrom};
use rustix::io::Errno;

use crate::io::fd::Fd;
use crate::io::glob;
use crate::io::object::stream;
use crate::io::open::wrap_opened;
use crate::io::path::{self, os};
use asterism_core::errno::{self, path_arg, path_string};
use asterism_core::string::util;

/// Singleton methods of Dir.
pub static SINGLETON: &[NativeDef] = &[
    NativeDef::new("pwd", pwd, 0, 0),
    NativeDef::new("getwd", pwd, 0, 0),
    NativeDef::new("chroot", chroot, 1, 1),
    NativeDef::new("__chdir", chdir, 1, 1).private(),
    NativeDef::new("__fchdir", fchdir, 1, 1).private(),
    NativeDef::new("__check_chdir", check_chdir, 0, 0).private(),
    NativeDef::new("__begin_chdir", begin_chdir, 0, 0).private(),
    NativeDef::new("__end_chdir", end_chdir, 0, 0).private(),
    NativeDef::new("__open", open, 1, 1).private(),
    NativeDef::new("__entries", entries, 1, 1).private(),
    NativeDef::new("__list", list, 2, 2).private(),
    NativeDef::new("__glob", glob_one, 4, 4).private(),
    NativeDef::new("mkdir", mkdir, 1, 2),
    NativeDef::new("rmdir", rmdir, 1, 1),
    NativeDef::new("delete", rmdir, 1, 1),
    NativeDef::new("unlink", rmdir, 1, 1),
    NativeDef::new("exist?", exist, 1, 1),
    NativeDef::new("empty?", empty, 1, 1),
    NativeDef::new("home", home, 0, 1),
];

fn pwd(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let dir = path::current_dir(ec)?;
    ec.str(dir)
}

/// Before a change without a block.
fn check_chdir(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    crate::io::directory::check_blocks(ec)?;
    Ok(Value::NIL)
}

fn begin_chdir(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    crate::io::directory::begin_block(ec)?;
    Ok(Value::TRUE)
}

fn end_chdir(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    crate::io::directory::end_block(ec);
    Ok(Value::NIL)
}

fn chdir(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    crate::io::directory::change(ec, &dir)?;
    Ok(Value::fixnum(0))
}

/// The root directory is the process's: only the main VM changes it.
fn chroot(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    ec.check_process("chroot")?;
    match ec.blocking(|| rustix::process::chroot(os(&dir))) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise_at(ec, e, "dir_s_chroot", &dir)),
    }
}

/// `__fchdir(number)`: the descriptor stays the caller's.
fn fchdir(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let number = ec.to_i32(args[0])?;
    let fd = Fd::from_number(number).map_err(|e| errno::raise(ec, e, "fchdir"))?;
    crate::io::directory::change_to(ec, &fd)?;
    Ok(Value::fixnum(0))
}

/// An IO over a directory.
fn open(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    match ec.blocking(|| open_dir(&dir)) {
        Ok(fd) => {
            let class = ec.known(WellKnown::IO);
            wrap_opened(ec, class, fd, "r", None)
        }
        Err(e) => Err(errno::raise_at(ec, e, "dir_initialize", &dir)),
    }
}

/// The names in a directory, `.` and `..` too, in the system's order.
fn entries(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    let names = ec.blocking(|| read_names(open_dir(&dir)?));
    let names = names.map_err(|e| errno::raise_at(ec, e, "dir_initialize", &dir))?;
    strings(ec, names, UTF_8)
}

/// The same of the directory that an IO is open on; the other argument is named by an error.
fn list(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let fd = stream(ec, args[0])?.fd(ec)?;
    let names = ec.blocking(|| {
        rustix::fs::seek(&*fd, SeekFrom::Start(0))?;
        read_names(&*fd)
    });
    match names {
        Ok(names) => strings(ec, names, UTF_8),
        Err(e) => {
            let place = ec.to_str(args[1])?;
            let place = string::to_vec(ec, place);
            Err(errno::raise(ec, e, place))
        }
    }
}

fn strings(ec: &mut Ec, texts: Vec<Vec<u8>>, encoding: u8) -> Res {
    let list = ec.array_with_capacity(texts.len())?;
    for text in texts {
        let text = ec.str_enc(&text, encoding)?;
        ec.array_push(list, text)?;
    }
    Ok(list)
}

fn open_dir(dir: &[u8]) -> Result<OwnedFd, Errno> {
    rustix::fs::open(os(dir), OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

fn read_names(fd: impl AsFd) -> Result<Vec<Vec<u8>>, Errno> {
    let mut names = Vec::new();
    let mut space = Vec::with_capacity(32 << 10);
    let mut list = RawDir::new(fd, space.spare_capacity_mut());
    while let Some(entry) = list.next() {
        names.push(entry?.file_name().to_bytes().to_vec());
    }
    Ok(names)
}

/// What one pattern matches: pattern, flags, base directory or nil, sort or not.
fn glob_one(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let pattern = path_string(ec, args[0])?;
    let encoding = util::encoding(pattern);
    if !encoding.is_ascii_compatible() {
        return Err(util::incompatible(ec, encoding, Encoding::US_ASCII));
    }
    // What matches has the encoding of the pattern, or the file system's if that says nothing.
    let encoding = if encoding == Encoding::US_ASCII { UTF_8 } else { encoding.index() };
    let pattern = string::to_vec(ec, pattern);
    if pattern.contains(&0) {
        return Err(ec.arg_error("nul-separated glob pattern is deprecated"));
    }
    // As the system's file names do, the parts of a pattern differ in case.
    let flags = ec.to_i64(args[1])? & !glob::CASEFOLD;
    let base = if args[2].is_nil() { Vec::new() } else { path_arg(ec, args[2])? };
    let sort = args[3].truthy();
    let found = glob::glob(ec, &pattern, flags, &base, sort)?;
    strings(ec, found, encoding)
}

fn mkdir(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    let mode = match args.or_nil(1) {
        Value::NIL => 0o777,
        v => ec.to_i64(v)? as u32,
    };
    match ec.blocking(|| rustix::fs::mkdir(os(&dir), Mode::from_raw_mode(mode))) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise_at(ec, e, "dir_s_mkdir", &dir)),
    }
}

fn rmdir(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    match ec.blocking(|| rustix::fs::rmdir(os(&dir))) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(e) => Err(errno::raise_at(ec, e, "dir_s_rmdir", &dir)),
    }
}

fn exist(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = crate::io::file::subject(ec, args[0])?;
    Ok(Value::bool(ec.blocking(|| dir.is_dir())))
}

fn empty(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    match ec.blocking(|| read_names(open_dir(&dir)?)) {
        Ok(names) => Ok(Value::bool(names.len() <= 2)),
        Err(Errno::NOTDIR) => Ok(Value::FALSE),
        Err(e) => Err(errno::raise_at(ec, e, "rb_dir_s_empty_p", &dir)),
    }
}

fn home(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let user = match args.or_nil(0) {
        Value::NIL => Vec::new(),
        v => path_arg(ec, v)?,
    };
    let dir = path::home_dir(ec, &user)?;
    ec.str(dir)
}
