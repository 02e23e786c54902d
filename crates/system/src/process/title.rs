//! What `ps` shows of the process: the memory of its command line, which the kernel shows to other processes.
//!
//! The strings of the environment come right behind it. Where they have been moved away ([`make_room`]), a title may be as
//! long as both were; the kernel shows what goes beyond the command line if that does not end with a NUL any more.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

unsafe extern "C" {
    /// Of the C library.
    static environ: AtomicPtr<*mut c_char>;
}

/// Where the command line lies, up to the end of the environment's first strings: addresses of this process.
struct Area {
    start: usize,
    arguments_end: usize,
    end: usize,
}

impl Area {
    /// As the kernel tells it; `None` where it does not.
    fn of_process() -> Option<Self> {
        let stat = std::fs::read("/proc/self/stat").ok()?;
        // The name of the command, in parentheses, may have spaces.
        let after_name = stat.iter().rposition(|&b| b == b')')? + 2;
        let text = std::str::from_utf8(stat.get(after_name..)?).ok()?;
        // The first one here is the third field of all.
        let mut fields = text.split_whitespace().skip(48 - 3).map(|field| field.parse::<usize>().ok());
        let (start, arguments_end) = (fields.next()??, fields.next()??);
        let (environment, end) = (fields.next()??, fields.next()??);
        let ordered = start > 0 && start < arguments_end && arguments_end <= environment && environment <= end;
        ordered.then_some(Self {
            start,
            arguments_end,
            end: if environment == arguments_end { end } else { arguments_end },
        })
    }

    /// Has nobody the environment's first strings any more?
    fn is_free(&self) -> bool {
        strings().all(|string| !(self.start..self.end).contains(&string.addr()))
    }
}

/// The strings of the environment.
fn strings() -> impl Iterator<Item = *mut c_char> {
    // SAFETY: it is a pointer that the C library has in every process.
    let mut next = unsafe { &environ }.load(Ordering::Relaxed);
    std::iter::from_fn(move || {
        if next.is_null() {
            return None;
        }
        // SAFETY: the strings' Array goes on up to a null pointer, which ends the walk; nothing of the runtime changes the
        // process's environment, VMs have one of their own.
        let string = unsafe { *next };
        // SAFETY: as above; the null pointer itself is one of its elements.
        next = unsafe { next.add(usize::from(!string.is_null())) };
        (!string.is_null()).then_some(string)
    })
}

/// Moves the environment's strings elsewhere, for ever, so that a title may take their place.
///
/// # Safety
/// Nothing else may run yet: who reads the environment meanwhile could see either.
pub unsafe fn make_room() {
    for (i, string) in strings().enumerate() {
        // SAFETY: it is a string of the environment, which a NUL ends.
        let copy = unsafe { CStr::from_ptr(string) }.to_owned().into_raw();
        // SAFETY: the element was read a moment ago; the caller answers for nobody reading it now.
        unsafe { *environ.load(Ordering::Relaxed).add(i) = copy };
    }
}

/// Shows `title` as the command line of the process, as much of it as there is room for. Nothing happens where the kernel does
/// not tell where that is.
pub(crate) fn set(title: &[u8]) {
    let Some(area) = Area::of_process() else {
        return;
    };
    let end = if area.is_free() { area.end } else { area.arguments_end };
    let room = end - area.start;
    let title = &title[..title.len().min(room - 1)];
    for i in 0..room {
        // SAFETY: the kernel has laid out the command line there, on the main thread's stack, below all frames; the process has
        // read its arguments when it began, and the environment's strings are elsewhere if they are part of the room. Threads
        // that set titles at once write bytes atomically.
        let byte = unsafe { &*std::ptr::with_exposed_provenance::<AtomicU8>(area.start + i) };
        byte.store(title.get(i).copied().unwrap_or(0), Ordering::Relaxed);
    }
}
