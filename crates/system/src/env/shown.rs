//! The main VM's environment for functions in C, which call `getenv`: once it has loaded an extension, a change of its ENV is one of
//! the process's.
//!
//! `getenv` of another thread may be reading meanwhile. So what has been shown is never freed: a text is made once, however often a
//! variable gets that value, and an array has room for more. Slots are written whole, from the end on.

use std::collections::HashMap;
use std::ffi::{CString, c_char};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use asterism_lock::Mutex;

/// What the process's `environ` leads to, if it is ours.
struct Shown {
    /// The texts `NAME=value` that have been shown.
    texts: Option<HashMap<Vec<u8>, &'static CString>>,
    slots: &'static [AtomicPtr<c_char>],
}

static SHOWN: Mutex<Shown> = Mutex::new(Shown { texts: None, slots: &[] });

/// The C library's variable.
fn environ() -> &'static AtomicPtr<*mut c_char> {
    unsafe extern "C" {
        static environ: AtomicPtr<*mut c_char>;
    }
    // SAFETY: the variable is there as long as the process, and is a pointer, which is read and written whole.
    unsafe { &environ }
}

/// Makes these the process's variables.
pub fn show<'a>(variables: impl Iterator<Item = (&'a [u8], &'a [u8])>) {
    let mut shown = SHOWN.lock();
    let texts = shown.texts.get_or_insert_default();
    let list: Vec<*mut c_char> = variables
        .filter_map(|(name, value)| {
            let text = [name, b"=", value].concat();
            if let Some(made) = texts.get(&text) {
                return Some(made.as_ptr().cast_mut());
            }
            let made: &'static CString = Box::leak(Box::new(CString::new(text.clone()).ok()?));
            texts.insert(text, made);
            Some(made.as_ptr().cast_mut())
        })
        .collect();
    let ours = std::ptr::addr_eq(environ().load(Ordering::Acquire), shown.slots.as_ptr());
    if !ours || shown.slots.len() <= list.len() {
        let room = (list.len() + 1) * 2;
        shown.slots = Box::leak((0..room).map(|_| AtomicPtr::new(null_mut())).collect());
    }
    shown.slots[list.len()].store(null_mut(), Ordering::Release);
    for (slot, text) in shown.slots.iter().zip(&list).rev() {
        slot.store(*text, Ordering::Release);
    }
    environ().store(shown.slots.as_ptr().cast_mut().cast(), Ordering::Release);
}
