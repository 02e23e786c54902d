//! Buffers for `ALLOCV`: memory in which C code may keep values, that goes with an object.

use std::ffi::c_void;

use asterism_heap::Marker;
use asterism_object::Value;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_vm::{Ec, Res};

struct Buffer {
    /// Written by C code.
    words: *mut u64,
    count: usize,
}

// SAFETY: the words are the thread's that made the buffer; the collector reads them while that is stopped.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl DataObject for Buffer {
    const NAME: &'static str = "temporary buffer";

    fn trace(&self, marker: &mut Marker) {
        let low = self.words.expose_provenance();
        // SAFETY: the words are this object's.
        unsafe { marker.mark_range_conservative(low, low + 8 * self.count) };
    }

    fn size(&self) -> usize {
        8 * self.count
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`.
        unsafe { libc::free(self.words.cast()) };
    }
}

/// A buffer of `bytes` bytes.
///
/// # Errors
/// NoMemoryError.
pub fn new(ec: &mut Ec, bytes: usize) -> Res {
    let count = bytes.div_ceil(8).max(1);
    // SAFETY: any number may be asked for.
    let words: *mut u64 = unsafe { libc::calloc(count, 8) }.cast();
    if words.is_null() {
        return Err(ec.no_memory());
    }
    let class = ec.class(WellKnown::Object);
    let made = data::new(ec, class, Buffer { words, count });
    ec.check(Value::NIL, made)
}

/// Where its memory is.
pub fn place(v: Value) -> *mut c_void {
    data::get::<Buffer>(&v).map_or(std::ptr::null_mut(), |buffer| buffer.words.cast())
}
