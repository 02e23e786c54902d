//! The VM stack of a thread: one mapping, reserved whole and touched as it is used.

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

use crate::frame::{Frame, HEADER_WORDS, state};
use asterism_object::Value;

/// Bytes of a VM stack. Deep recursion ends here with SystemStackError (about 100,000 simple calls);
/// pages are only taken when touched.
pub const STACK_BYTES: usize = 16 << 20;

/// Words kept free at the end, for the frames that raising the SystemStackError itself needs.
const RESERVE_WORDS: usize = 8192;

/// A VM stack. It holds frames, which it does not own: they end before it does.
pub struct Stack {
    base: *mut u64,
    bytes: usize,
}

impl Stack {
    /// Reserves a stack and puts the bottom frame on it.
    ///
    /// # Panics
    /// If the address space is exhausted.
    pub fn new() -> Stack {
        // SAFETY: an anonymous private mapping at an address of the kernel's choice.
        let base = unsafe {
            mmap_anonymous(
                std::ptr::null_mut(),
                STACK_BYTES,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }
        .expect("no address space for a VM stack");
        let stack = Stack { base: base.cast(), bytes: STACK_BYTES };
        // SAFETY: the mapping is larger than a frame and nobody else knows it.
        unsafe {
            stack.base.cast::<Frame>().write(Frame {
                prev: std::ptr::null_mut(),
                pc: std::ptr::null(),
                iseq: std::ptr::null(),
                self_val: Value::NIL,
                method: Value::NIL,
                block: Value::NIL.0,
                cref: Value::NIL,
                parent: Value::NIL.0,
                env: Value::NIL,
                backref: Value::NIL,
                block_code: std::ptr::null(),
                state: state(0, crate::frame::Cont::Native, crate::frame::NATIVE),
            });
        }
        stack
    }

    /// The bottom frame: a native one that calls what the thread runs.
    pub fn bottom(&mut self) -> *mut Frame {
        self.base.cast()
    }

    /// The end for ordinary pushes.
    pub fn end(&self) -> *mut u64 {
        self.base.wrapping_add(self.bytes / 8 - RESERVE_WORDS)
    }

    /// The end while a SystemStackError is being handled.
    pub fn hard_end(&self) -> *mut u64 {
        self.base.wrapping_add(self.bytes / 8 - HEADER_WORDS)
    }
}

impl Default for Stack {
    fn default() -> Self {
        Stack::new()
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: `base` and `bytes` are those of the mapping made in `new`; no frame is active any more.
        // Unmapping a mapping of our own cannot fail.
        let _ = unsafe { munmap(self.base.cast(), self.bytes) };
    }
}
