//! Handshakes, reading and writing. What has to wait for the socket returns, and is called again.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use asterism_object::{Value, string};
use asterism_symbol::{BINARY, intern};
use asterism_vm::{Ec, Exc, Res};

use super::super::callback::{self, InCall};
use super::super::errors;
use super::super::handle::{self, write};
use super::super::kinds::Kind;
use super::super::library::openssl;

/// No record has more bytes.
const RECORD: usize = 16 << 10;

/// `SSL_ERROR_…`
const NONE: c_int = 0;
const WANT_READ: c_int = 2;
const WANT_WRITE: c_int = 3;
const ZERO_RETURN: c_int = 6;

/// What a function has come to.
struct Outcome {
    result: c_int,
    /// What `SSL_get_error` makes of it.
    code: c_int,
    errno: c_int,
}

/// Calls `function` with the connection of `socket`, which is locked.
fn exchange(ec: &mut Ec, socket: Value, function: impl FnOnce(*mut c_void) -> c_int) -> Res<Outcome> {
    let held = handle::resolve(ec, socket, Kind::Ssl)?;
    let handle = handle::get(ec, &held)?;
    if callback::held_by_this_thread(handle).is_some() {
        return Err(ec.raise(Exc::RuntimeError, "the connection is in use by the call that called back"));
    }
    let writing = write(ec, handle);
    let (core, ssl) = (&openssl().core, &openssl().ssl);
    let mut call = InCall::new(ec, socket, vec![(std::ptr::from_ref(handle), true)], true);
    let outcome = call.enter(|| {
        let connection = handle.as_ptr();
        // SAFETY: the connection is locked; the error's place is the thread's own.
        unsafe {
            (core.ERR_clear_error)();
            *libc::__errno_location() = 0;
            let result = function(connection);
            let errno = *libc::__errno_location();
            Outcome { result, code: (ssl.SSL_get_error)(connection, result), errno }
        }
    });
    let ended = call.finish();
    drop(writing);
    ended.result(ec)?;
    Ok(outcome)
}

/// What Ruby is told: `done`'s value, `:wait_readable`, `:wait_writable`, nil for the end, or `[code, errno, verification has failed?,
/// reason, lines of the queue]`.
fn told(ec: &mut Ec, outcome: &Outcome, done: impl FnOnce(&mut Ec) -> Res) -> Res {
    match outcome.code {
        NONE => done(ec),
        WANT_READ => Ok(Value::sym(intern("wait_readable"))),
        WANT_WRITE => Ok(Value::sym(intern("wait_writable"))),
        ZERO_RETURN => Ok(Value::NIL),
        code => {
            let queue = errors::take(true);
            let reason = match queue.reason() {
                Some(reason) => ec.str(reason)?,
                None => Value::NIL,
            };
            let lines = queue.lines(ec)?;
            let failed = Value::bool(queue.is_failed_verification());
            ec.array(&[Value::fixnum(i64::from(code)), Value::fixnum(i64::from(outcome.errno)), failed, reason, lines])
        }
    }
}

/// `Primitive.openssl_handshake(socket, accepts?)`: true when it is over.
pub fn handshake(ec: &mut Ec, args: &[Value]) -> Res {
    let ssl = &openssl().ssl;
    let function = if args[1].truthy() { ssl.SSL_accept } else { ssl.SSL_connect };
    // SAFETY: a connection that is locked.
    let outcome = exchange(ec, args[0], |connection| unsafe { function(connection) })?;
    told(ec, &outcome, |_| Ok(Value::TRUE))
}

/// `Primitive.openssl_read(socket, length)`: a String of at most one record.
pub fn read(ec: &mut Ec, args: &[Value]) -> Res {
    let wanted = usize::try_from(ec.to_i64(args[1])?).unwrap_or(0).min(RECORD);
    let mut room = [const { MaybeUninit::<u8>::uninit() }; RECORD];
    let place = room.as_mut_ptr();
    let outcome = exchange(ec, args[0], |connection| {
        // SAFETY: the connection is locked, and there is room for as many bytes.
        unsafe { (openssl().ssl.SSL_read)(connection, place.cast(), wanted as c_int) }
    })?;
    let count = usize::try_from(outcome.result).unwrap_or(0).min(wanted);
    told(ec, &outcome, |ec| {
        // SAFETY: so many bytes were written there.
        let bytes = unsafe { std::slice::from_raw_parts(place.cast::<u8>(), count) };
        ec.str_enc(bytes, BINARY)
    })
}

/// `Primitive.openssl_write(socket, string)`: how many bytes were taken.
pub fn write_string(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.to_str(args[1])?;
    let text = string::read(ec, text);
    let bytes = text.as_bytes();
    let length = c_int::try_from(bytes.len()).unwrap_or(c_int::MAX);
    let outcome = exchange(ec, args[0], |connection| {
        // SAFETY: the connection is locked, and the bytes are there.
        unsafe { (openssl().ssl.SSL_write)(connection, bytes.as_ptr().cast(), length) }
    })?;
    told(ec, &outcome, |ec| ec.int(i64::from(outcome.result)))
}

/// `Primitive.openssl_shutdown(socket)`: tells the peer that nothing more comes, if the socket takes that now.
pub fn shutdown(ec: &mut Ec, args: &[Value]) -> Res {
    // SAFETY: a connection that is locked.
    let outcome = exchange(ec, args[0], |connection| unsafe { (openssl().ssl.SSL_shutdown)(connection) })?;
    let _ignored = errors::take(false);
    ec.int(i64::from(outcome.result))
}
