//! TLS connections.

use std::ffi::{c_int, c_void};

use super::library::functions;

functions! {
    /// What TLS needs beside the table's functions.
    pub struct Functions {
        SSL_get_error: fn(*const c_void, c_int) -> c_int;
    }
}
