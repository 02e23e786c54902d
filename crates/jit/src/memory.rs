//! Memory for machine code: a range of addresses of which units get whole pages. A page is writable until its code is there, and
//! executable from then on, never both. It is private to the process, so that one that is forked has its own.

use std::sync::OnceLock;

use asterism_lock::Mutex;
use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags, madvise, mmap_anonymous, mprotect};

/// Most that all code of a process takes.
const BYTES: usize = 64 << 20;
const PAGE: usize = 4096;
/// A line of the processor's caches, and a number of them that no power of two divides.
const LINE: usize = 64;
const STRIDE: usize = 23;

/// The range.
struct Range {
    base: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Where what was never used begins, in pages.
    next: usize,
    /// Pages that were given back: first and count.
    free: Vec<(usize, usize)>,
    /// Pages in use.
    used: usize,
}

static RANGE: OnceLock<Option<Range>> = OnceLock::new();

fn range() -> Option<&'static Range> {
    let make = || {
        // SAFETY: an anonymous private mapping at an address of the kernel's choice.
        let base = unsafe {
            mmap_anonymous(std::ptr::null_mut(), BYTES, ProtFlags::empty(), MapFlags::PRIVATE | MapFlags::NORESERVE)
        };
        base.ok().map(|base| Range { base: base as usize, state: Mutex::default() })
    };
    asterism_lock::once::get_or_init(&RANGE, make).as_ref()
}

/// Pages with code; given back when it is dropped.
#[derive(Debug)]
pub struct Memory {
    first: usize,
    pages: usize,
    /// Where in the first page the code begins.
    offset: usize,
}

/// How many bytes are in use.
pub fn used() -> usize {
    RANGE.get().and_then(Option::as_ref).map_or(0, |range| range.state.lock().used * PAGE)
}

impl State {
    fn take(&mut self, pages: usize) -> Option<usize> {
        if let Some(i) = self.free.iter().position(|&(_, count)| count >= pages) {
            let (first, count) = self.free[i];
            if count == pages {
                self.free.swap_remove(i);
            } else {
                self.free[i] = (first + pages, count - pages);
            }
            self.used += pages;
            return Some(first);
        }
        let first = self.next;
        if (first + pages) * PAGE > BYTES {
            return None;
        }
        self.next += pages;
        self.used += pages;
        Some(first)
    }
}

impl Memory {
    /// Memory with this code, ready to be run. `None`: there is no more, or the system does not allow it.
    pub fn with(code: &[u8]) -> Option<Memory> {
        let range = range()?;
        let pages = code.len().div_ceil(PAGE).max(1);
        let first = range.state.lock().take(pages)?;
        // Where every unit begins with its page, all beginnings share a few lines of the processor's caches.
        let places = (pages * PAGE - code.len()) / LINE + 1;
        let memory = Memory { first, pages, offset: first.wrapping_mul(STRIDE) % places * LINE };
        let (at, bytes) = (memory.page() as *mut std::ffi::c_void, pages * PAGE);
        // SAFETY: the pages lie in the mapping, and are this unit's alone; nobody runs code in them yet.
        unsafe {
            mprotect(at, bytes, MprotectFlags::READ | MprotectFlags::WRITE).ok()?;
            std::ptr::copy_nonoverlapping(code.as_ptr(), at.cast::<u8>().add(memory.offset), code.len());
            mprotect(at, bytes, MprotectFlags::READ | MprotectFlags::EXEC).ok()?;
        }
        Some(memory)
    }

    /// Where the pages begin.
    fn page(&self) -> usize {
        range().map_or(0, |range| range.base + self.first * PAGE)
    }

    /// Where the code begins.
    pub fn address(&self) -> usize {
        self.page() + self.offset
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let Some(range) = range() else { return };
        let (at, bytes) = (self.page() as *mut std::ffi::c_void, self.pages * PAGE);
        // SAFETY: nobody runs this code any more: what keeps it is dropped.
        let gone = unsafe {
            mprotect(at, bytes, MprotectFlags::empty()).is_ok() && madvise(at, bytes, Advice::LinuxDontNeed).is_ok()
        };
        let mut state = range.state.lock();
        state.used -= self.pages;
        // What could not be closed is not used again.
        if gone {
            state.free.push((self.first, self.pages));
        }
    }
}
