//! Time, IO, regexps, Marshal and processes.

use std::ffi::{c_int, c_long};

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};

use crate::call::named;
use crate::lock::in_ruby;
use crate::types::{In, Out, Text};

/// `struct timespec` and, with microseconds, `struct timeval`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Stamp {
    seconds: i64,
    fraction: i64,
}

fn time_class(ec: &Ec) -> Value {
    ec.class(WellKnown::Time)
}

fn time_at(ec: &mut Ec, seconds: i64, nanos: i64) -> Res {
    let (s, n) = (ec.int(seconds)?, ec.int(nanos)?);
    let class = time_class(ec);
    named(ec, class, "at", &[s, n, Value::sym(intern("nanosecond"))])
}

/// Seconds and nanoseconds of a Time, or of a number of seconds, which must not be negative where it is an interval.
fn stamp(ec: &mut Ec, v: Value, interval: bool) -> Res<Stamp> {
    if ec.is_kind_of(v, time_class(ec)) {
        if interval {
            return Err(ec.type_error("can't convert Time into time interval"));
        }
        let (s, n) = (named(ec, v, "to_i", &[])?, named(ec, v, "nsec", &[])?);
        return Ok(Stamp { seconds: ec.to_i64(s)?, fraction: ec.to_i64(n)? });
    }
    let what = if interval { "time interval" } else { "time" };
    if !ec.is_kind_of(v, ec.class(WellKnown::Numeric)) {
        let name = ec.describe_for_conversion(v);
        return Err(ec.type_error(format!("can't convert {name} into {what}")));
    }
    let zero = ec.int(0)?;
    if interval && named(ec, v, "<", &[zero])?.truthy() {
        return Err(ec.arg_error(format!("{what} must not be negative")));
    }
    let whole = named(ec, v, "floor", &[])?;
    let rest = named(ec, v, "-", &[whole])?;
    let billion = ec.int(1_000_000_000)?;
    let nanos = named(ec, rest, "*", &[billion])?;
    let nanos = named(ec, nanos, "to_i", &[])?;
    Ok(Stamp { seconds: ec.to_i64(whole)?, fraction: ec.to_i64(nanos)? })
}

fn marshal(ec: &mut Ec, name: &'static str, v: Value, other: Value) -> Res {
    let module = ec.class(WellKnown::Marshal);
    if other.is_nil() { named(ec, module, name, &[v]) } else { named(ec, module, name, &[v, other]) }
}

fn io_arg(ec: &mut Ec, v: Value) -> Res {
    if ec.is_kind_of(v, ec.class(WellKnown::IO)) {
        return Ok(v);
    }
    named(ec, v, "to_io", &[])
}

/// Waits; nil as the time is the IO's own.
fn wait(ec: &mut Ec, v: Value, events: Value, timeout: Value) -> Res {
    let v = io_arg(ec, v)?;
    let timeout = if timeout.is_nil() { named(ec, v, "timeout", &[])? } else { timeout };
    named(ec, v, "wait", &[events, timeout])
}

/// After a system call that ended with `error`: waits if that says so. The events; false: it took too long; nil: another error.
fn maybe_wait(ec: &mut Ec, error: c_int, v: Value, events: Value, timeout: Value) -> Res {
    // It may have been closed meanwhile, or never opened.
    named(ec, v, "fileno", &[])?;
    match error {
        libc::EINTR => {
            in_ruby(ec, |ec| {
                ec.safepoint();
                ec.check_blocking()
            })?;
            Ok(events)
        }
        libc::EAGAIN => {
            let ready = wait(ec, v, events, timeout)?;
            Ok(if ready.is_nil() { Value::FALSE } else { ready })
        }
        _ => Ok(Value::NIL),
    }
}

fn maybe_wait_for(ec: &mut Ec, error: c_int, v: Value, events: i64, timeout: Value, late: &str) -> Res<c_int> {
    let events = ec.int(events)?;
    let ready = maybe_wait(ec, error, v, events, timeout)?;
    if ready == Value::FALSE {
        let class = crate::class::known_by_name(ec, "rb_eIOTimeoutError")?;
        return Err(ec.raise_class(class, late.as_bytes()));
    }
    Ok(ready.fixnum_value().unwrap_or(0) as c_int)
}

api! {
    fn rb_time_new(ec, seconds: i64, micros: c_long) -> Value {
        time_at(ec, seconds.saturating_add(micros.div_euclid(1_000_000)), micros.rem_euclid(1_000_000) * 1000)
    }

    fn rb_time_nano_new(ec, seconds: i64, nanos: c_long) -> Value {
        time_at(ec, seconds, nanos)
    }

    /// C: VALUE rb_time_timespec_new(const struct timespec *ts, int offset);
    fn rb_time_timespec_new(ec, ts: In<Stamp>, offset: c_int) -> Value {
        let ts = *ts.get();
        let time = time_at(ec, ts.seconds, ts.fraction)?;
        match offset {
            i32::MAX => Ok(time),
            0x7fff_fffe => named(ec, time, "utc", &[]),
            n if n <= -86400 || n >= 86400 => Err(ec.arg_error("utc_offset out of range")),
            n => {
                let n = ec.int(i64::from(n))?;
                named(ec, time, "localtime", &[n])
            }
        }
    }

    fn rb_time_num_new(ec, v: Value, offset: Value) -> Value {
        let class = time_class(ec);
        let time = named(ec, class, "at", &[v])?;
        if offset.is_nil() { Ok(time) } else { named(ec, time, "localtime", &[offset]) }
    }

    /// C: struct timeval rb_time_timeval(VALUE time);
    fn rb_time_timeval(ec, v: Value) -> Stamp {
        let s = stamp(ec, v, false)?;
        Ok(Stamp { fraction: s.fraction / 1000, ..s })
    }

    /// C: struct timespec rb_time_timespec(VALUE time);
    fn rb_time_timespec(ec, v: Value) -> Stamp {
        stamp(ec, v, false)
    }

    /// C: struct timeval rb_time_interval(VALUE num);
    fn rb_time_interval(ec, v: Value) -> Stamp {
        let s = stamp(ec, v, true)?;
        Ok(Stamp { fraction: s.fraction / 1000, ..s })
    }

    /// C: struct timespec rb_time_timespec_interval(VALUE num);
    fn rb_time_timespec_interval(ec, v: Value) -> Stamp {
        stamp(ec, v, true)
    }

    fn rb_marshal_dump(ec, v: Value, io: Value) -> Value {
        marshal(ec, "dump", v, io)
    }

    fn rb_marshal_load(ec, v: Value) -> Value {
        marshal(ec, "load", v, Value::NIL)
    }

    fn rb_reg_new(ec, source: In<u8>, len: c_long, options: c_int) -> Value {
        let source = crate::string::new(ec, source.slice(len), asterism_symbol::US_ASCII)?;
        (ec.vm().hooks.new_regexp)(ec, source, options as u32)
    }

    fn rb_reg_new_str(ec, source: Value, options: c_int) -> Value {
        crate::demand::a_string(ec, source)?;
        (ec.vm().hooks.new_regexp)(ec, source, options as u32)
    }

    fn rb_reg_regcomp(ec, source: Value) -> Value {
        crate::demand::a_string(ec, source)?;
        (ec.vm().hooks.new_regexp)(ec, source, 0)
    }

    fn rb_reg_search(ec, regexp: Value, v: Value, at: c_long, reverse: c_int) -> c_long {
        let at = ec.int(at)?;
        let name = if reverse != 0 { "byterindex" } else { "byteindex" };
        let found = named(ec, v, name, &[regexp, at])?;
        Ok(found.fixnum_value().unwrap_or(-1))
    }

    fn rb_reg_options(ec, regexp: Value) -> c_int {
        Ok(named(ec, regexp, "options", &[])?.as_fixnum() as c_int)
    }

    fn rb_reg_nth_match(ec, n: c_int, m: Value) -> Value {
        if m.is_nil() {
            return Ok(m);
        }
        let n = ec.int(i64::from(n))?;
        named(ec, m, "[]", &[n])
    }

    fn rb_reg_nth_defined(ec, n: c_int, m: Value) -> Value {
        if m.is_nil() {
            return Ok(m);
        }
        let n = ec.int(i64::from(n))?;
        Ok(Value::bool(!named(ec, m, "[]", &[n])?.is_nil()))
    }

    fn rb_backref_get(ec) -> Value {
        Ok(ec.backref())
    }

    fn rb_backref_set(ec, m: Value) {
        let class = ec.class(WellKnown::MatchData);
        if !m.is_nil() && !ec.is_kind_of(m, class) {
            let name = ec.describe_for_conversion(m);
            return Err(ec.type_error(format!("wrong argument type {name} (expected MatchData)")));
        }
        ec.set_backref(m);
        Ok(())
    }

    fn rb_lastline_get(ec) -> Value {
        Ok(ec.last_line())
    }

    fn rb_lastline_set(ec, v: Value) {
        ec.set_last_line(v)
    }

    fn rb_io_check_io(ec, v: Value) -> Value {
        if ec.is_kind_of(v, ec.class(WellKnown::IO)) {
            return Ok(v);
        }
        if !in_ruby(ec, |ec| ec.respond_to(v, intern("to_io"), true))? {
            return Ok(Value::NIL);
        }
        named(ec, v, "to_io", &[])
    }

    fn rb_io_get_io(ec, v: Value) -> Value {
        if ec.is_kind_of(v, ec.class(WellKnown::IO)) {
            return Ok(v);
        }
        if !in_ruby(ec, |ec| ec.respond_to(v, intern("to_io"), true))? {
            return Err(ec.no_conversion(v, "IO"));
        }
        named(ec, v, "to_io", &[])
    }

    fn rb_io_descriptor(ec, v: Value) -> c_int {
        let n = named(ec, v, "fileno", &[])?;
        ec.to_i32(n)
    }

    fn rb_io_wait(ec, v: Value, events: Value, timeout: Value) -> Value {
        let ready = wait(ec, v, events, timeout)?;
        Ok(if ready.is_nil() { Value::FALSE } else { ready })
    }

    /// C: VALUE rb_io_maybe_wait(int error, VALUE v, VALUE events, VALUE timeout);
    fn rb_io_maybe_wait(ec, error: c_int, v: Value, events: Value, timeout: Value) -> Value {
        maybe_wait(ec, error, v, events, timeout)
    }

    /// C: int rb_io_maybe_wait_readable(int error, VALUE v, VALUE timeout);
    fn rb_io_maybe_wait_readable(ec, error: c_int, v: Value, timeout: Value) -> c_int {
        maybe_wait_for(ec, error, v, 1, timeout, "Timed out waiting for IO to become readable!")
    }

    /// C: int rb_io_maybe_wait_writable(int error, VALUE v, VALUE timeout);
    fn rb_io_maybe_wait_writable(ec, error: c_int, v: Value, timeout: Value) -> c_int {
        maybe_wait_for(ec, error, v, 4, timeout, "Timed out waiting for IO to become writable!")
    }

    fn rb_wait_for_single_fd(ec, fd: c_int, events: c_int, timeout: In<Stamp>) -> c_int {
        let (fd, events) = (ec.int(i64::from(fd))?, ec.int(i64::from(events))?);
        let class = ec.class(WellKnown::IO);
        let hash = ec.new_hash()?;
        ec.hash_set(hash, Value::sym(intern("autoclose")), Value::FALSE)?;
        let call = asterism_vm::args::CallArgs {
            argv: &[fd],
            keywords: asterism_vm::args::Keywords::Hash(hash),
            block: asterism_vm::Block::NONE,
        };
        let io = in_ruby(ec, |ec| ec.call_with(class, intern("for_fd"), &call, asterism_vm::call::CallKind::Private))?;
        let timeout = if timeout.is_null() {
            Value::NIL
        } else {
            ec.float(timeout.get().seconds as f64 + timeout.get().fraction as f64 / 1e6)?
        };
        Ok(wait(ec, io, events, timeout)?.fixnum_value().unwrap_or(0) as c_int)
    }

    fn rb_io_puts(ec, argc: c_int, argv: In<Value>, io: Value) -> Value {
        named(ec, io, "puts", argv.slice(i64::from(argc)))
    }

    fn rb_io_print(ec, argc: c_int, argv: In<Value>, io: Value) -> Value {
        named(ec, io, "print", argv.slice(i64::from(argc)))
    }

    fn rb_io_printf(ec, argc: c_int, argv: In<Value>, io: Value) -> Value {
        named(ec, io, "printf", argv.slice(i64::from(argc)))
    }

    fn rb_file_open(ec, name: Text, mode: Text) -> Value {
        let (name, mode) = (ec.str(name.bytes())?, ec.str(mode.bytes())?);
        let class = ec.class(WellKnown::File);
        named(ec, class, "open", &[name, mode])
    }

    fn rb_file_open_str(ec, name: Value, mode: Text) -> Value {
        let mode = ec.str(mode.bytes())?;
        let class = ec.class(WellKnown::File);
        named(ec, class, "open", &[name, mode])
    }

    fn rb_file_directory_p(ec, path: Value) -> Value {
        let class = ec.class(WellKnown::File);
        named(ec, class, "directory?", &[path])
    }

    fn rb_file_expand_path(ec, path: Value, dir: Value) -> Value {
        let class = ec.class(WellKnown::File);
        named(ec, class, "expand_path", &[path, dir])
    }

    fn rb_get_path(ec, v: Value) -> Value {
        let path = asterism_core::errno::path_arg(ec, v)?;
        crate::string::new(ec, &path, asterism_symbol::UTF_8)
    }

    fn rb_get_path_no_checksafe(ec, v: Value) -> Value {
        let path = asterism_core::errno::path_arg(ec, v)?;
        crate::string::new(ec, &path, asterism_symbol::UTF_8)
    }

    fn rb_write_error(ec, text: Text) {
        asterism_core::kernel::exit::write_stderr(ec, text.bytes());
        Ok(())
    }

    fn rb_cloexec_open(_ec, path: Text, flags: c_int, mode: c_int) -> c_int {
        let path = std::ffi::CString::new(path.bytes()).unwrap_or_default();
        // SAFETY: a system call with a string.
        Ok(unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, mode) })
    }

    fn rb_cloexec_dup(_ec, fd: c_int) -> c_int {
        // SAFETY: a system call with a number.
        Ok(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3) })
    }

    fn rb_cloexec_fcntl_dupfd(_ec, fd: c_int, least: c_int) -> c_int {
        // SAFETY: as above.
        Ok(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, least) })
    }

    fn rb_update_max_fd(_ec, _fd: c_int) {
        Ok(())
    }

    fn rb_fd_fix_cloexec(_ec, fd: c_int) {
        // SAFETY: as above.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        Ok(())
    }

    fn rb_waitpid(ec, pid: c_int, status: Out<c_int>, flags: c_int) -> c_int {
        let (pid, flags) = (ec.int(i64::from(pid))?, ec.int(i64::from(flags))?);
        let class = ec.class(WellKnown::Process);
        let done = named(ec, class, "wait", &[pid, flags])?;
        let last = ec.thread.last_status;
        if !last.is_nil() {
            let n = named(ec, last, "to_i", &[])?;
            status.set(n.as_fixnum() as c_int);
        }
        Ok(done.fixnum_value().unwrap_or(0) as c_int)
    }

    fn rb_last_status_get(ec) -> Value {
        Ok(ec.thread.last_status)
    }

    fn rb_f_kill(ec, argc: c_int, argv: In<Value>) -> Value {
        let class = ec.class(WellKnown::Process);
        named(ec, class, "kill", argv.slice(i64::from(argc)))
    }


}

methods! {
    fn rb_io_write(io, v) = "write";
    fn rb_io_addstr(io, v) = "<<";
    fn rb_io_close(io) = "close";
    fn rb_io_binmode(io) = "binmode";
    fn rb_io_ascii8bit_binmode(io) = "binmode";
    fn rb_io_getbyte(io) = "getbyte";
    fn rb_io_gets(io) = "gets";
    fn rb_io_ungetbyte(io, v) = "ungetbyte";
    fn rb_io_ungetc(io, v) = "ungetc";
    fn rb_io_flush(io) = "flush";
    fn rb_io_eof(io) = "eof?";
    fn rb_io_path(io) = "path";
    fn rb_io_timeout(io) = "timeout";
    fn rb_io_set_timeout(io, v) = "timeout=";
    fn rb_reg_match(regexp, v) = "=~";
    fn rb_reg_match_post(m) = "post_match";
    fn rb_reg_match_pre(m) = "pre_match";
    fn rb_reg_last_match(m) = "to_s";
    fn rb_time_utc_offset(time) = "utc_offset";
}
