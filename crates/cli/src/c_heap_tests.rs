//! Tests of C's functions of allocation.

use std::ffi::c_void;

use super::{aligned_alloc, calloc, free, malloc, malloc_usable_size, posix_memalign, pvalloc, realloc, valloc};
use crate::allocator::{MEMORY, lies_in_nursery};

/// Fills a piece with a byte.
fn fill(piece: *mut c_void, size: usize, byte: u8) {
    // SAFETY: the tests fill what they have allocated.
    unsafe { std::ptr::write_bytes(piece.cast::<u8>(), byte, size) };
}

/// The bytes of a piece.
fn bytes<'a>(piece: *mut c_void, size: usize) -> &'a [u8] {
    // SAFETY: the tests look at what they have allocated and filled, before they free it.
    unsafe { std::slice::from_raw_parts(piece.cast::<u8>(), size) }
}

/// Allocates, grows, shrinks and frees; whether the first piece lay in a nursery.
fn round() -> bool {
    let piece = calloc(3, 10);
    assert_eq!(bytes(piece, 30), [0; 30]);
    assert!(piece.addr().is_multiple_of(16));
    fill(piece, 30, 7);
    let nursery = lies_in_nursery(piece.cast());
    // SAFETY: what is given here was allocated above it and not freed.
    unsafe {
        assert!(malloc_usable_size(piece) >= 30);
        let more = realloc(piece, 100_000);
        assert_eq!(bytes(more, 30), [7; 30]);
        let less = realloc(more, 10);
        assert_eq!(bytes(less, 10), [7; 10]);
        free(less);
        free(realloc(std::ptr::null_mut(), 5));
        free(std::ptr::null_mut());
    }
    nursery
}

#[test]
fn pieces_of_a_thread_with_a_nursery_lie_there() {
    assert!(!round());
    let within = std::thread::spawn(|| {
        (MEMORY.enter)();
        let within = round();
        (MEMORY.leave)();
        within && !round()
    });
    assert!(within.join().is_ok_and(|within| within));
}

#[test]
fn the_c_library_allocates_here() {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (MEMORY.enter)();
            // SAFETY: a string that ends with a zero byte; the copy is freed once.
            unsafe {
                unsafe extern "C" {
                    fn strdup(text: *const std::ffi::c_char) -> *mut std::ffi::c_char;
                }
                let copy = strdup(c"copied".as_ptr());
                assert!(lies_in_nursery(copy.cast()));
                assert_eq!(std::ffi::CStr::from_ptr(copy), c"copied");
                free(copy.cast());
            }
            (MEMORY.leave)();
        });
    });
}

#[test]
fn pieces_are_aligned_as_asked() {
    let mut out = std::ptr::null_mut();
    // SAFETY: there is room for a pointer.
    unsafe {
        assert_eq!(posix_memalign(&raw mut out, 24, 10), super::EINVAL);
        assert_eq!(posix_memalign(&raw mut out, 256, 10), 0);
    }
    for (piece, align) in [(out, 256), (aligned_alloc(64, 100), 64), (valloc(10), 4096), (pvalloc(10), 4096)] {
        assert!(piece.addr().is_multiple_of(align));
        // SAFETY: allocated above, freed once.
        unsafe { free(piece) };
    }
}

#[test]
fn what_is_too_large_is_refused() {
    for piece in [malloc(usize::MAX), calloc(usize::MAX, 2), calloc(1 << 32, 1 << 32), pvalloc(usize::MAX)] {
        // The compiler knows of `malloc` that it succeeds, if nobody looks.
        assert!(std::hint::black_box(piece).is_null());
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(super::ENOMEM));
    }
}
