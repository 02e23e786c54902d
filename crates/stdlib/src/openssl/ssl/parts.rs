//! Functions of ours that rows stand for.

use std::ffi::{c_int, c_long, c_uint, c_void};

use super::super::library::openssl;

/// `SSL_CTRL_MODE`
const SET_MODE: c_int = 33;
/// `SSL_CTRL_SET_DH_AUTO`
const SET_DH_AUTO: c_int = 118;
/// `SSL_MODE_ENABLE_PARTIAL_WRITE`, `SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER` (a String's bytes may lie elsewhere the next time) and
/// `SSL_MODE_RELEASE_BUFFERS`
const MODE: c_long = 0x1 | 0x2 | 0x10;

/// A context for all versions of TLS.
pub unsafe extern "C" fn new_context() -> *mut c_void {
    let ssl = &openssl().ssl;
    // SAFETY: the context is new, and takes these settings.
    unsafe {
        let context = (ssl.SSL_CTX_new)((ssl.TLS_method)());
        if !context.is_null() {
            (ssl.SSL_CTX_ctrl)(context, SET_MODE, MODE, std::ptr::null_mut());
            (ssl.SSL_CTX_ctrl)(context, SET_DH_AUTO, 1, std::ptr::null_mut());
        }
        context
    }
}

/// The last message of a handshake, this side's or the peer's. 0: there has been none.
///
/// # Safety
/// An `SSL`, and room for 64 bytes.
pub unsafe extern "C" fn finished(connection: *const c_void, peer: c_int, room: *mut u8, length: *mut c_uint) -> c_int {
    let ssl = &openssl().ssl;
    let read = if peer == 0 { ssl.SSL_get_finished } else { ssl.SSL_get_peer_finished };
    // SAFETY: no more is written than there is room for.
    unsafe {
        let size = read(connection, room.cast(), ROOM);
        *length = size.min(ROOM) as c_uint;
        c_int::from(size > 0)
    }
}

/// `EVP_MAX_MD_SIZE`: no such message is longer.
const ROOM: usize = 64;
/// The longest name of a protocol.
const NAME: usize = 255;
/// `SSL_MAX_SSL_SESSION_ID_LENGTH`
const ID: usize = 32;

/// The protocol that was agreed on by ALPN. 0: none.
///
/// # Safety
/// An `SSL`, and room for 255 bytes.
pub unsafe extern "C" fn alpn_protocol(connection: *const c_void, room: *mut u8, length: *mut c_uint) -> c_int {
    let (mut place, mut size) = (std::ptr::null(), 0);
    // SAFETY: the bytes belong to the connection, which the caller holds.
    unsafe {
        (openssl().ssl.SSL_get0_alpn_selected)(connection, &raw mut place, &raw mut size);
        copy(place, size, NAME, room, length)
    }
}

/// The same for NPN.
///
/// # Safety
/// As above.
pub unsafe extern "C" fn npn_protocol(connection: *const c_void, room: *mut u8, length: *mut c_uint) -> c_int {
    let (mut place, mut size) = (std::ptr::null(), 0);
    // SAFETY: as above.
    unsafe {
        (openssl().ssl.SSL_get0_next_proto_negotiated)(connection, &raw mut place, &raw mut size);
        copy(place, size, NAME, room, length)
    }
}

/// The name of a session.
///
/// # Safety
/// An `SSL_SESSION`, and room for 32 bytes.
pub unsafe extern "C" fn session_id(session: *const c_void, room: *mut u8, length: *mut c_uint) -> c_int {
    let mut size = 0;
    // SAFETY: the bytes belong to the session, which the caller holds.
    unsafe {
        let place = (openssl().ssl.SSL_SESSION_get_id)(session, &raw mut size);
        copy(place, size, ID, room, length);
    }
    1
}

/// Copies what is not longer than `most`; 0: there is nothing.
///
/// # Safety
/// There are so many bytes at `place`, and room for `most` of them.
unsafe fn copy(place: *const u8, size: c_uint, most: usize, room: *mut u8, length: *mut c_uint) -> c_int {
    let size = (size as usize).min(most);
    if place.is_null() || size == 0 {
        return 0;
    }
    // SAFETY: the caller's contract.
    unsafe {
        std::ptr::copy_nonoverlapping(place, room, size);
        *length = size as c_uint;
    }
    1
}
