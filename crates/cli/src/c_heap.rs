//! The C library's functions of allocation, by the process's allocator.
//!
//! The regexp engine, the parser and the C library itself allocate there. Heaps of the C library's own would be one for all
//! threads, which then wait for each other when they search, or several, of which it does not give back what lies unused at the end.
//!
//! What the C library notes of a new thread lies in the VM's nursery, so each piece there has its size in front: C does not tell it
//! when it frees. Which functions there have to be: <https://sourceware.org/glibc/manual/latest/html_node/Replacing-malloc.html>.

use std::alloc::Layout;
use std::ffi::{c_int, c_void};

use asterism_lock::gate::briefly;

use crate::allocator::{free_in_nursery, lies_in_nursery, take, take_in_shortage};

/// What the size in front takes: the alignment that C expects.
const FRONT: usize = 16;

/// POSIX's numbers of what can be wrong.
const ENOMEM: c_int = 12;
const EINVAL: c_int = 22;

unsafe extern "C" {
    safe fn mi_malloc(size: usize) -> *mut c_void;
    safe fn mi_calloc(count: usize, size: usize) -> *mut c_void;
    fn mi_realloc(piece: *mut c_void, size: usize) -> *mut c_void;
    fn mi_free(piece: *mut c_void);
    fn mi_usable_size(piece: *const c_void) -> usize;
    safe fn mi_malloc_aligned(size: usize, align: usize) -> *mut c_void;
    /// Where the calling thread's `errno` is.
    safe fn __errno_location() -> *mut c_int;
}

/// A piece of the calling thread's nursery, all zero, its size in front. `take` is what gives it.
#[inline]
fn take_sized(size: usize, take: impl FnOnce(Layout) -> Option<*mut u8>) -> Option<*mut c_void> {
    let layout = Layout::from_size_align(size.checked_add(FRONT)?, FRONT).ok()?;
    let start = take(layout)?;
    // SAFETY: as many bytes are ours, so aligned.
    unsafe {
        start.cast::<usize>().write(size);
        Some(start.add(FRONT).cast())
    }
}

/// The size of a piece that `take_sized` gave.
///
/// # Safety
/// It did, and nobody has freed it.
unsafe fn size_in_front(piece: *mut c_void) -> usize {
    // SAFETY: the caller's contract.
    unsafe { piece.byte_sub(FRONT).cast::<usize>().read() }
}

/// What mimalloc gave for so many bytes; if it gave nothing, a piece of a nursery, all zero, or null and `errno`.
#[inline]
fn or_of_a_nursery(piece: *mut c_void, size: usize) -> *mut c_void {
    if !piece.is_null() {
        return piece;
    }
    or_errno(take_sized(size, take_in_shortage).unwrap_or(piece))
}

/// What was allocated; `errno` if nothing was.
fn or_errno(piece: *mut c_void) -> *mut c_void {
    if piece.is_null() {
        // SAFETY: it is the calling thread's own.
        unsafe { __errno_location().write(ENOMEM) };
    }
    piece
}

/// As `malloc`, under a name of which the compiler knows nothing.
#[inline]
fn allocate(size: usize) -> *mut c_void {
    take_sized(size, take).unwrap_or_else(|| or_of_a_nursery(briefly(|| mi_malloc(size)), size))
}

// SAFETY (of the names): these are the C library's functions, with its signatures, and all that hand out and take back memory.

#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut c_void {
    allocate(size)
}

#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let bytes = count.saturating_mul(size);
    take_sized(bytes, take).unwrap_or_else(|| or_of_a_nursery(briefly(|| mi_calloc(count, size)), bytes))
}

/// # Safety
/// As C's: a piece that was allocated here and not freed, or null.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(piece: *mut c_void) {
    // SAFETY: the caller's contract.
    unsafe {
        if lies_in_nursery(piece.cast()) {
            free_in_nursery(piece.byte_sub(FRONT).cast(), size_in_front(piece) + FRONT);
        } else {
            briefly(|| mi_free(piece));
        }
    }
}

/// # Safety
/// As `free`'s.
#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(piece: *mut c_void, size: usize) -> *mut c_void {
    if piece.is_null() {
        return allocate(size);
    }
    let in_nursery = lies_in_nursery(piece.cast());
    // SAFETY: the caller's contract, for all that is done with the piece; the new one is another, and both are as long as what is
    // copied.
    unsafe {
        let grown = if in_nursery { std::ptr::null_mut() } else { briefly(|| mi_realloc(piece, size)) };
        if !grown.is_null() {
            return grown;
        }
        let new = allocate(size);
        if !new.is_null() {
            std::ptr::copy_nonoverlapping(piece.cast::<u8>(), new.cast(), malloc_usable_size(piece).min(size));
            free(piece);
        }
        new
    }
}

#[unsafe(no_mangle)]
extern "C" fn memalign(align: usize, size: usize) -> *mut c_void {
    or_errno(briefly(|| mi_malloc_aligned(size, align)))
}

#[unsafe(no_mangle)]
extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
    memalign(align, size)
}

/// # Safety
/// As C's: there is room for a pointer at `out`.
#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int {
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<*mut c_void>()) {
        return EINVAL;
    }
    let piece = briefly(|| mi_malloc_aligned(size, align));
    if piece.is_null() {
        return ENOMEM;
    }
    // SAFETY: the caller's contract.
    unsafe { out.write(piece) };
    0
}

#[unsafe(no_mangle)]
extern "C" fn valloc(size: usize) -> *mut c_void {
    memalign(rustix::param::page_size(), size)
}

#[unsafe(no_mangle)]
extern "C" fn pvalloc(size: usize) -> *mut c_void {
    let page = rustix::param::page_size();
    size.checked_next_multiple_of(page).map_or_else(|| or_errno(std::ptr::null_mut()), |size| memalign(page, size))
}

/// # Safety
/// As `free`'s.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc_usable_size(piece: *mut c_void) -> usize {
    // SAFETY: the caller's contract.
    unsafe { if lies_in_nursery(piece.cast()) { size_in_front(piece) } else { mi_usable_size(piece) } }
}

#[cfg(test)]
#[path = "c_heap_tests.rs"]
mod tests;
