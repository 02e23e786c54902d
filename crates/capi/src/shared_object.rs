//! The system's loader.

use std::ffi::{CStr, CString, c_int, c_void};

use crate::types::Func;

/// Opens a shared object; the address that `dlopen` gave.
///
/// # Errors
/// Why it could not be opened, in the words of dlerror(3); empty if there are none.
pub fn open(path: &CStr, flags: c_int) -> Result<usize, String> {
    // SAFETY: constructors of the shared object run, which know nothing of Ruby. The error's text is the C library's until the
    // next call of this thread, and copied.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), flags);
        if !handle.is_null() {
            return Ok(handle.expose_provenance());
        }
        let text = libc::dlerror();
        Err(if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() })
    }
}

/// The function of that name in a shared object.
pub fn function(handle: *mut c_void, name: &str) -> Option<Func> {
    let name = CString::new(name).ok()?;
    // SAFETY: the handle is one of `dlopen`'s, and open: only a copy is ever closed, after its VM.
    let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
    (!found.is_null()).then_some(Func(found.cast_const().cast()))
}
