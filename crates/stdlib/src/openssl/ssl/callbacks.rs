//! What the library asks while a connection is in use. Each is a private method of the SSLSocket that is called.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use asterism_object::{Value, array, string};
use asterism_symbol::{BINARY, intern};

use super::super::call::own;
use super::super::callback::{call_back, keep, keep_bytes, note_removed};
use super::super::handle::{self, Owned, Pointer};
use super::super::kinds::Kind;
use super::super::library::openssl;

/// `SSL_TLSEXT_ERR_…`
const OK: c_int = 0;
const FATAL: c_int = 2;

/// Is a certificate of the peer's right? The store has an opinion already.
pub unsafe extern "C" fn verify(right: c_int, context: *mut c_void) -> c_int {
    let Some(context) = Pointer::new(context) else { return 0 };
    let answer = call_back(|ec, socket| {
        // SAFETY: the context is there until this function returns, and is taken back before.
        let lent = unsafe { handle::lend(ec, Kind::StoreContext, context) }?;
        let answer = ec.call(socket, intern("__verify"), &[Value::bool(right != 0), lent]);
        handle::take_back(ec, lent);
        Ok(answer?.truthy())
    });
    c_int::from(answer == Some(true))
}

/// The client has told the name of the server that it wants: another context may be the right one.
pub unsafe extern "C" fn servername(connection: *mut c_void, _alert: *mut c_int, _data: *mut c_void) -> c_int {
    let ssl = &openssl().ssl;
    // SAFETY: the library's own connection.
    let name = unsafe { (ssl.SSL_get_servername)(connection, 0) };
    if name.is_null() {
        return OK;
    }
    // SAFETY: a C string, which is copied.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes().to_vec();
    let done = call_back(|ec, socket| {
        let name = ec.str(name)?;
        let context = ec.call(socket, intern("__servername"), &[name])?;
        if !context.is_nil() {
            let context = own(ec, context, Kind::SslContext)?;
            // SAFETY: the connection is in this call; it takes a reference of its own.
            if unsafe { (ssl.SSL_set_SSL_CTX)(connection, context.as_ptr()) }.is_null() {
                return Err(ec.no_memory());
            }
        }
        Ok(())
    });
    if done.is_some() { OK } else { FATAL }
}

/// The protocols of the client: which one?
pub unsafe extern "C" fn alpn_select(
    _connection: *mut c_void,
    out: *mut *const u8,
    out_length: *mut u8,
    offered: *const u8,
    length: c_uint,
    _data: *mut c_void,
) -> c_int {
    // SAFETY: the caller's: so many bytes, and places for the answer.
    unsafe { select("__alpn_select", out, out_length, offered, length) }
}

/// The protocols of the server: which one?
pub unsafe extern "C" fn npn_select(
    _connection: *mut c_void,
    out: *mut *const u8,
    out_length: *mut u8,
    offered: *const u8,
    length: c_uint,
    _data: *mut c_void,
) -> c_int {
    // SAFETY: as above.
    unsafe { select("__npn_select", out, out_length, offered, length) }
}

/// # Safety
/// `offered` has so many bytes; the places for the answer are there.
unsafe fn select(method: &str, out: *mut *const u8, out_length: *mut u8, offered: *const u8, length: c_uint) -> c_int {
    // SAFETY: the caller's contract.
    let offered = unsafe { std::slice::from_raw_parts(offered, length as usize) };
    let chosen = call_back(|ec, socket| {
        let offered = ec.str_enc(offered, BINARY)?;
        let chosen = ec.call(socket, intern(method), &[offered])?;
        let chosen = ec.to_str(chosen)?;
        Ok(string::to_vec(ec, chosen))
    });
    let Some(chosen) = chosen else { return FATAL };
    let length = chosen.len();
    // SAFETY: the caller's contract; the bytes are kept until the call is over.
    unsafe {
        *out = keep_bytes(chosen);
        *out_length = length as u8;
    }
    OK
}

/// The protocols that the server has to offer.
pub unsafe extern "C" fn npn_advertise(
    _connection: *mut c_void,
    out: *mut *const u8,
    out_length: *mut c_uint,
    _data: *mut c_void,
) -> c_int {
    let offered = call_back(|ec, socket| {
        let offered = ec.call(socket, intern("__npn_advertise"), &[])?;
        let offered = ec.to_str(offered)?;
        Ok(string::to_vec(ec, offered))
    });
    let Some(offered) = offered else { return FATAL };
    let length = offered.len();
    // SAFETY: places for the answer; the bytes are kept until the call is over.
    unsafe {
        *out = keep_bytes(offered);
        *out_length = length as c_uint;
    }
    OK
}

/// A line for a file of keys.
pub unsafe extern "C" fn keylog(_connection: *const c_void, line: *const c_char) {
    // SAFETY: a C string, which is copied.
    let line = unsafe { CStr::from_ptr(line) }.to_bytes().to_vec();
    call_back(|ec, socket| {
        let line = ec.str(line)?;
        ec.call(socket, intern("__keylog"), &[line]).map(drop)
    });
}

/// Something has happened to a connection: the beginning of a handshake is told.
pub unsafe extern "C" fn info(connection: *const c_void, what: c_int, _value: c_int) {
    /// `SSL_CB_HANDSHAKE_START`
    const START: c_int = 0x10;
    // SAFETY: the library's own connection.
    if what & START != 0 && unsafe { (openssl().ssl.SSL_is_server)(connection) } != 0 {
        call_back(|ec, socket| ec.call(socket, intern("__renegotiation"), &[]).map(drop));
    }
}

/// The server asks for a certificate.
pub unsafe extern "C" fn client_certificate(
    _connection: *mut c_void,
    certificate: *mut *mut c_void,
    key: *mut *mut c_void,
) -> c_int {
    let answer = call_back(|ec, socket| {
        let answer = ec.call(socket, intern("__client_certificate"), &[])?;
        if answer.is_nil() {
            return Ok(None);
        }
        let [first, second] = [0, 1].map(|i| array::at(answer, i).unwrap_or(Value::NIL));
        Ok(Some((own(ec, first, Kind::Certificate)?, own(ec, second, Kind::Key)?)))
    });
    let Some(Some((first, second))) = answer else { return 0 };
    // SAFETY: places for the answer, whose references are the caller's.
    unsafe {
        *certificate = first.into_raw();
        *key = second.into_raw();
    }
    1
}

/// Parameters for an exchange of keys.
pub unsafe extern "C" fn temporary_dh(_connection: *mut c_void, export: c_int, length: c_int) -> *mut c_void {
    let key = call_back(|ec, socket| {
        let args = [Value::fixnum(i64::from(export)), Value::fixnum(i64::from(length))];
        let key = ec.call(socket, intern("__temporary_dh"), &args)?;
        if key.is_nil() { Ok(None) } else { own(ec, key, Kind::Key).map(Some) }
    });
    match key {
        // SAFETY: a key that is kept until the call is over, which the parameters belong to.
        Some(Some(key)) => unsafe { (openssl().ssl.EVP_PKEY_get0_DH)(keep(key)) },
        _ => std::ptr::null_mut(),
    }
}

/// The client tells a session that the server's cache does not have.
pub unsafe extern "C" fn session_get(
    _connection: *mut c_void,
    id: *const u8,
    length: c_int,
    copy: *mut c_int,
) -> *mut c_void {
    // SAFETY: so many bytes.
    let id = unsafe { std::slice::from_raw_parts(id, length.max(0) as usize) };
    let session = call_back(|ec, socket| {
        let id = ec.str_enc(id, BINARY)?;
        let session = ec.call(socket, intern("__session_get"), &[id])?;
        if session.is_nil() { Ok(None) } else { own(ec, session, Kind::Session).map(Some) }
    });
    // SAFETY: a place for the answer: the reference is the library's.
    unsafe { *copy = 0 };
    session.flatten().map_or(std::ptr::null_mut(), Owned::into_raw)
}

/// There is a new session.
pub unsafe extern "C" fn session_new(_connection: *mut c_void, session: *mut c_void) -> c_int {
    if let Some(session) = shared(session) {
        call_back(|ec, socket| {
            let session = handle::wrap(ec, session)?;
            ec.call(socket, intern("__session_new"), &[session]).map(drop)
        });
    }
    // The library keeps its reference.
    0
}

/// A session has been taken out of the cache, whose lock may be held: it is told when the call is over.
pub unsafe extern "C" fn session_remove(_context: *mut c_void, session: *mut c_void) {
    if let Some(session) = shared(session) {
        note_removed(session);
    }
}

fn shared(session: *mut c_void) -> Option<Owned> {
    // SAFETY: the library's own session.
    Pointer::new(session).and_then(|session| unsafe { Owned::share(Kind::Session, session) })
}
