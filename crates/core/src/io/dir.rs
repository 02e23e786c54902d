//! Dir: directories by path. Open Dir objects, blocks and iteration are in the Ruby part.

use asterism_object::Value;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::fs::{Mode, RawDir};

use crate::io::errno::{self, path_arg};
use crate::io::glob;
use crate::io::path::{self, os};

/// Singleton methods of Dir.
pub static SINGLETON: &[NativeDef] = &[
    NativeDef::new("pwd", pwd, 0, 0),
    NativeDef::new("getwd", pwd, 0, 0),
    NativeDef::new("__chdir", chdir, 1, 1).private(),
    NativeDef::new("__entries", entries, 1, 1).private(),
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

fn chdir(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    crate::rubyvm::directory::change(ec, &dir)?;
    Ok(Value::fixnum(0))
}

/// The names in a directory, `.` and `..` too, in the system's order.
fn entries(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let dir = path_arg(ec, args[0])?;
    let names = ec.blocking(|| read_names(&dir));
    let names = names.map_err(|e| errno::raise_at(ec, e, "dir_initialize", &dir))?;
    let list = ec.array_with_capacity(names.len())?;
    for name in names {
        let name = ec.str(name)?;
        ec.array_push(list, name)?;
    }
    Ok(list)
}

fn read_names(dir: &[u8]) -> Result<Vec<Vec<u8>>, rustix::io::Errno> {
    let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC;
    let fd = rustix::fs::open(os(dir), flags, Mode::empty())?;
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
    let pattern = path_arg(ec, args[0])?;
    let flags = ec.to_i64(args[1])?;
    let base = if args[2].is_nil() { Vec::new() } else { path_arg(ec, args[2])? };
    let sort = args[3].truthy();
    let found = ec.blocking(|| glob::glob(&pattern, flags, &base, sort));
    let list = ec.array_with_capacity(found.len())?;
    for name in found {
        let name = ec.str(name)?;
        ec.array_push(list, name)?;
    }
    Ok(list)
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
    let names = ec.blocking(|| read_names(&dir));
    Ok(Value::bool(names.is_ok_and(|n| n.len() <= 2)))
}

fn home(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let user = match args.or_nil(0) {
        Value::NIL => Vec::new(),
        v => path_arg(ec, v)?,
    };
    let dir = path::home_dir(ec, &user)?;
    ec.str(dir)
}
