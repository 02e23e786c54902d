//! What is done before `main`, and before the allocator prepares itself.

use rustix::mm::Advice;

/// A segment that is mapped, and the flag of one that may be written: `PT_LOAD` and `PF_W` of ELF.
const LOADED: u32 = 1;
const WRITABLE: u32 = 2;

/// The executable's ELF header, as far as it is of interest.
#[repr(C)]
struct Header {
    _ident: [u8; 32],
    /// Where the segments are described, from the header.
    segments: usize,
    _sections: [u8; 16],
    segment_count: u16,
    _section_count: [u8; 6],
}

/// What the header says of a segment.
#[repr(C)]
struct Segment {
    kind: u32,
    flags: u32,
    _offset: usize,
    address: usize,
    _physical_address: usize,
    size: usize,
    _memory_size: usize,
    _alignment: usize,
}

unsafe extern "C" {
    /// The linker's name for the header, with which the first segment begins.
    #[link_name = "__ehdr_start"]
    safe static HEADER: Header;
}

/// Runs before the allocator prepares itself, which is before `main`.
// SAFETY: the section is an array of functions without arguments that the dynamic linker calls when it has relocated the
// executable; this one makes system calls and needs nothing that is prepared later.
#[used]
#[unsafe(link_section = ".preinit_array")]
static BEFORE_ALL: extern "C" fn() = before_all;

extern "C" fn before_all() {
    // The allocator asks for them: a third of what the start costs.
    asterism::huge_pages::suspend();
    leave_relocations();
}

/// Unmaps the pages of what only the dynamic linker reads: half a megabyte of relocations and symbols, in the first segment.
/// Whatever is read there afterwards, the kernel maps again.
fn leave_relocations() {
    let header = &raw const HEADER;
    // SAFETY: the linker has described so many segments there, in the first of them, and nobody writes to it.
    let segments = unsafe {
        let first = header.byte_add(HEADER.segments).cast::<Segment>();
        std::slice::from_raw_parts(first, usize::from(HEADER.segment_count))
    };
    let first = segments.iter().find(|segment| segment.kind == LOADED);
    if let Some(first) = first.filter(|first| first.address == 0 && first.flags & WRITABLE == 0) {
        // SAFETY: these pages are the file's, unchanged, and have the same contents when they are mapped again.
        let _ = unsafe { rustix::mm::madvise(header.cast_mut().cast(), first.size, Advice::LinuxDontNeed) };
    }
}
