//! TLS connections: what is read and written ([`exchange`]), what the library calls back ([`callbacks`]) and what takes more than one of its
//! functions ([`parts`]). The sockets are not blocking: Ruby waits for them, so that fibers and schedulers go on.

pub mod callbacks;
pub mod exchange;
pub mod parts;

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

use super::library::functions;

functions! {
    /// What TLS needs beside the table's functions.
    pub struct Functions {
        TLS_method: fn() -> *const c_void;
        SSL_CTX_new: fn(*const c_void) -> *mut c_void;
        SSL_CTX_ctrl: fn(*mut c_void, c_int, c_long, *mut c_void) -> c_long;
        SSL_connect: fn(*mut c_void) -> c_int;
        SSL_accept: fn(*mut c_void) -> c_int;
        SSL_read: fn(*mut c_void, *mut c_void, c_int) -> c_int;
        SSL_write: fn(*mut c_void, *const c_void, c_int) -> c_int;
        SSL_shutdown: fn(*mut c_void) -> c_int;
        SSL_get_error: fn(*const c_void, c_int) -> c_int;
        SSL_get_servername: fn(*const c_void, c_int) -> *const c_char;
        SSL_set_SSL_CTX: fn(*mut c_void, *mut c_void) -> *mut c_void;
        SSL_is_server: fn(*const c_void) -> c_int;
        SSL_get_finished: fn(*const c_void, *mut c_void, usize) -> usize;
        SSL_get_peer_finished: fn(*const c_void, *mut c_void, usize) -> usize;
        SSL_get0_alpn_selected: fn(*const c_void, *mut *const u8, *mut c_uint);
        SSL_get0_next_proto_negotiated: fn(*const c_void, *mut *const u8, *mut c_uint);
        SSL_SESSION_get_id: fn(*const c_void, *mut c_uint) -> *const u8;
        EVP_PKEY_get0_DH: fn(*const c_void) -> *mut c_void;
    }
}
