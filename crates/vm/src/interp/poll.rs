//! Safepoints of the interpreter and of native code.

use crate::ec::{Ec, Res};

impl Ec {
    /// A safepoint for long native loops: does what other threads and the collector ask for.
    ///
    /// # Errors
    /// As `thread::deliver`: what other threads raise into this one, what a signal's handler raises, or that it is
    /// killed.
    #[inline]
    pub fn poll(&mut self) -> Res<()> {
        if self.poll_bits() == 0 { Ok(()) } else { poll(self) }
    }
}

/// What a thread does when its poll word asks for attention.
///
/// # Errors
/// As `thread::deliver`: what other threads raise into this one, what a signal's handler raises, or that it is killed.
#[cold]
#[inline(never)]
pub fn poll(ec: &mut Ec) -> Res<()> {
    ec.safepoint();
    crate::thread::check_interrupts(ec)
}
