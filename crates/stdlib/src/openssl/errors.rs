//! The library's queue of errors, which is each thread's own, as Ruby exceptions.

use std::ffi::{CStr, c_char, c_int};

use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_symbol::intern;
use asterism_vm::{Ec, Raised, Res};

use super::library::openssl;
use super::names::strings;

/// `ERR_TXT_STRING`: the data of an error are a text.
const TEXT: c_int = 0x02;

/// What was in the queue.
#[derive(Default)]
pub struct Queue {
    /// The reason of the last error, with its data.
    reason: Option<String>,
    /// Each error, the first one first.
    all: Vec<String>,
    /// The last error.
    last: u64,
}

impl Queue {
    /// The reason of the last error.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// An Array of Strings.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn lines(&self, ec: &mut Ec) -> Res {
        strings(ec, &self.all)
    }

    /// Is the last error that the peer's certificate is not right?
    pub fn is_failed_verification(&self) -> bool {
        /// `ERR_LIB_SSL` and `SSL_R_CERTIFICATE_VERIFY_FAILED`, as `ERR_PACK` puts them together.
        const FAILED: u64 = 20 << 23 | 134;
        self.last == FAILED
    }
}

/// Empties the queue of the calling thread; what was in it, if that is wanted.
pub fn take(wanted: bool) -> Queue {
    let core = &openssl().core;
    // SAFETY: the functions work on the calling thread's queue.
    unsafe {
        if (core.ERR_peek_error)() == 0 {
            return Queue::default();
        }
        if !wanted {
            (core.ERR_clear_error)();
            return Queue::default();
        }
    }
    let mut queue = Queue::default();
    while let Some(error) = next() {
        queue.reason =
            Some(format!("{}{}", if error.reason.is_empty() { "(null)" } else { &error.reason }, error.shown_data()));
        queue.all.push(error.line());
        queue.last = error.code;
    }
    queue
}

/// An error of the queue.
struct Error {
    code: u64,
    library: String,
    function: String,
    reason: String,
    data: String,
}

impl Error {
    fn shown_data(&self) -> String {
        if self.data.is_empty() { String::new() } else { format!(" ({})", self.data) }
    }

    fn line(&self) -> String {
        format!("error:{:08X}:{}:{}:{}{}", self.code, self.library, self.function, self.reason, self.shown_data())
    }
}

/// Takes the first error of the queue.
fn next() -> Option<Error> {
    let core = &openssl().core;
    let (mut file, mut line, mut function, mut data, mut flags) =
        (std::ptr::null::<c_char>(), 0, std::ptr::null::<c_char>(), std::ptr::null::<c_char>(), 0);
    // SAFETY: the places are there; the texts are until the queue is used again, and copied.
    unsafe {
        let code =
            (core.ERR_get_error_all)(&raw mut file, &raw mut line, &raw mut function, &raw mut data, &raw mut flags);
        if code == 0 {
            return None;
        }
        Some(Error {
            code,
            library: text((core.ERR_lib_error_string)(code)),
            function: text(function),
            reason: text((core.ERR_reason_error_string)(code)),
            data: if flags & TEXT != 0 { text(data) } else { String::new() },
        })
    }
}

/// # Safety
/// Null or a C string.
unsafe fn text(place: *const c_char) -> String {
    if place.is_null() {
        return String::new();
    }
    // SAFETY: the caller's contract.
    unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned()
}

/// Raises what the calling thread's queue holds as `error`: `function` has failed.
pub fn failed(ec: &mut Ec, error: Value, function: &str) -> Raised {
    let queue = take(true);
    raise(ec, error, function, queue)
}

/// Raises `error`, a class, or an Array of one and of the text that comes before the reason.
pub fn raise(ec: &mut Ec, error: Value, function: &str, queue: Queue) -> Raised {
    let (class, before) = if error.is_type(Type::Array) {
        (array::at(error, 0).unwrap_or(error), array::at(error, 1))
    } else {
        (error, None)
    };
    let mut message = match before {
        Some(text) => string::to_string_lossy(ec, text),
        None => function.to_owned(),
    };
    if let Some(reason) = queue.reason() {
        if !message.is_empty() {
            message.push_str(": ");
        }
        message.push_str(reason);
    }
    let made = (|| {
        let exception = ec.new_exception(class, message.as_bytes())?;
        let list = queue.lines(ec)?;
        ec.ivar_put(exception, intern("__errors"), list)?;
        Ok(exception)
    })();
    match made {
        Ok(exception) => ec.raise_exception(exception),
        Err(raised) => raised,
    }
}
