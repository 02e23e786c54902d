//! Reading.

use asterism_object::Value;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};
use rustix::io::Errno;

use crate::io::errno;

/// What a `_nonblock` method does when it would have to wait.
///
/// # Errors
/// IO::EAGAINWaitReadable or its like, unless `exception: false`.
pub fn would_block(ec: &mut Ec, options: Option<Value>, what: &str) -> Res {
    if crate::io::object::option(ec, options, "exception")? == Some(Value::FALSE) {
        let name = if what == "write" { "wait_writable" } else { "wait_readable" };
        return Ok(Value::sym(intern(name)));
    }
    Err(errno::raise(ec, Errno::AGAIN, format!("{what} would block")))
}
