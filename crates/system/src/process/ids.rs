//! What a process is to the system: users, groups, sessions, limits, priorities. How Ruby's arguments are read is in
//! the Ruby part.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};
use rustix::io::Errno;
use rustix::process::{Pid, Uid};

use asterism_core::errno;

static PROCESS: &[NativeDef] = &[
    NativeDef::new("__ids", ids, 1, ANY).private(),
    NativeDef::new("__limits", limits, 1, 3).private(),
    NativeDef::new("__priority", priority, 2, 3).private(),
    NativeDef::new("__groups", groups, 0, 1).private(),
];

/// Defines the functions.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let process = ec.known(WellKnown::Process);
    ec.define_singleton_natives(process, PROCESS)
}

unsafe extern "C" {
    fn getpgid(pid: i32) -> i32;
    fn setpgid(pid: i32, group: i32) -> i32;
    fn getsid(pid: i32) -> i32;
    fn setsid() -> i32;
    fn setuid(id: u32) -> i32;
    fn seteuid(id: u32) -> i32;
    fn setreuid(real: u32, effective: u32) -> i32;
    fn setresuid(real: u32, effective: u32, saved: u32) -> i32;
    fn setgid(id: u32) -> i32;
    fn setegid(id: u32) -> i32;
    fn setregid(real: u32, effective: u32) -> i32;
    fn setresgid(real: u32, effective: u32, saved: u32) -> i32;
    fn setgroups(count: usize, list: *const u32) -> i32;
    fn getrlimit(resource: i32, limit: *mut [u64; 2]) -> i32;
    fn setrlimit(resource: i32, limit: *const [u64; 2]) -> i32;
}

#[cold]
fn failed(ec: &mut Ec) -> asterism_vm::Raised {
    let e = std::io::Error::last_os_error();
    errno::raise(ec, errno::number_of(&e), "")
}

/// A number for the system: 32 bits, signed or not.
pub(super) fn number(ec: &mut Ec, v: Value) -> Res<i32> {
    let n = ec.to_i64(v)?;
    match i32::try_from(n).or_else(|_| u32::try_from(n).map(u32::cast_signed)) {
        Ok(n) => Ok(n),
        Err(_) => Err(ec.range_error(format!("integer {n} too big to convert to 'int'"))),
    }
}

/// `__ids(name, *numbers)`: one of the calls that take and give plain numbers.
fn ids(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let mut given = [0; 3];
    for (slot, &v) in given.iter_mut().zip(&args.slice()[1..]) {
        *slot = number(ec, v)?;
    }
    let [a, b, c] = given;
    let of_others = name.bytes() == b"setpgid" && a != 0 && a.cast_unsigned() != std::process::id();
    if name.bytes().starts_with(b"set") && !of_others {
        let called = String::from_utf8_lossy(name.bytes()).into_owned();
        ec.check_process(&called)?;
    }
    let id = i32::cast_unsigned;
    // SAFETY: these calls take numbers only; the system checks them.
    let answer = unsafe {
        match name.bytes() {
            b"getpgid" => getpgid(a),
            b"setpgid" => setpgid(a, b),
            b"getsid" => getsid(a),
            b"setsid" => setsid(),
            b"setuid" => setuid(id(a)),
            b"seteuid" => seteuid(id(a)),
            b"setreuid" => setreuid(id(a), id(b)),
            b"setresuid" => setresuid(id(a), id(b), id(c)),
            b"setgid" => setgid(id(a)),
            b"setegid" => setegid(id(a)),
            b"setregid" => setregid(id(a), id(b)),
            b"setresgid" => setresgid(id(a), id(b), id(c)),
            _ => return Err(ec.not_implemented("this call is not implemented")),
        }
    };
    if answer < 0 { Err(failed(ec)) } else { Ok(Value::fixnum(i64::from(answer))) }
}

/// Sets the soft and the hard limit of a resource of this process. It makes one system call and allocates nothing.
pub(super) fn set_limits(resource: i32, limits: [u64; 2]) -> std::io::Result<()> {
    // SAFETY: the structure is two 64-bit numbers, which the call only reads.
    if unsafe { setrlimit(resource, &raw const limits) } != 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) }
}

/// A limit: not negative, 64 bits; -1 stands for no limit, as its bits do.
pub(super) fn limit(ec: &mut Ec, v: Value) -> Res<u64> {
    if let Some(n) = v.fixnum_value() {
        return Ok(n.cast_unsigned());
    }
    let big = match asterism_object::bigint::to_int(v) {
        Some(asterism_support::Int::Big(n)) => num_traits::ToPrimitive::to_u64(&n),
        _ => None,
    };
    match big {
        Some(n) => Ok(n),
        None => Err(ec.range_error("bignum out of range of unsigned long")),
    }
}

fn limit_value(ec: &mut Ec, n: u64) -> Res {
    let made = asterism_object::bigint::from_u64(ec, n);
    ec.check(Value::NIL, made)
}

/// `__limits(resource)`: both limits; `__limits(resource, soft, hard)` sets them.
fn limits(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let resource = number(ec, args[0])?;
    if args.len() == 3 {
        ec.check_process("setrlimit")?;
        let new = [limit(ec, args[1])?, limit(ec, args[2])?];
        return match set_limits(resource, new) {
            Ok(()) => Ok(Value::NIL),
            Err(_) => Err(failed(ec)),
        };
    }
    let mut now = [0; 2];
    // SAFETY: the structure is two 64-bit numbers, which the call only writes.
    if unsafe { getrlimit(resource, &raw mut now) } != 0 {
        return Err(failed(ec));
    }
    let (soft, hard) = (limit_value(ec, now[0])?, limit_value(ec, now[1])?);
    ec.array(&[soft, hard])
}

/// `__priority(kind, id)` and `__priority(kind, id, priority)`.
fn priority(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    use rustix::process as p;
    let (kind, id) = (number(ec, args[0])?, number(ec, args[1])?);
    let who = if id > 0 { Pid::from_raw(id) } else { None };
    let user = Uid::from_raw(id.cast_unsigned());
    let done = if args.len() == 3 {
        ec.check_process("setpriority")?;
        let new = number(ec, args[2])?;
        match kind {
            0 => p::setpriority_process(who, new),
            1 => p::setpriority_pgrp(who, new),
            2 => p::setpriority_user(user, new),
            _ => Err(Errno::INVAL),
        }
        .map(|()| 0)
    } else {
        match kind {
            0 => p::getpriority_process(who),
            1 => p::getpriority_pgrp(who),
            2 => p::getpriority_user(user),
            _ => Err(Errno::INVAL),
        }
    };
    match done {
        Ok(n) => Ok(Value::fixnum(i64::from(n))),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

/// `__groups`: the supplementary groups; `__groups(list)` sets them.
fn groups(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if let Some(list) = args.get(0) {
        ec.check_process("setgroups")?;
        let mut all = Vec::new();
        let mut i = 0;
        while list.is_type(Type::Array)
            && let Some(v) = array::at(list, i)
        {
            i += 1;
            all.push(number(ec, v)?.cast_unsigned());
        }
        // SAFETY: the list lies there with as many numbers as are told.
        if unsafe { setgroups(all.len(), all.as_ptr()) } != 0 {
            return Err(failed(ec));
        }
        return Ok(list);
    }
    let found = rustix::process::getgroups().map_err(|e| errno::raise(ec, e, ""))?;
    let list = ec.array_with_capacity(found.len())?;
    for group in found {
        ec.array_push(list, Value::fixnum(i64::from(group.as_raw())))?;
    }
    Ok(list)
}
