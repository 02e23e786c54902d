//! The words of an image.

use asterism_heap::image::Part;
use asterism_object::Value;

/// A word of an image: a part of it, or one that refers to none.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// An immediate or another number.
    Raw(u64),
    /// A cell.
    Part(Part),
}

/// Low byte of the word that stands for a class or a constant table until that is made: it is no Ruby value. Its number lies
/// above.
pub(super) const MARK: u64 = 0x5c;

/// Does this word of a constant table, or a class's word that leads to its constants, stand for what has not been made?
#[inline]
pub(crate) fn is_mark(value: Value) -> bool {
    value.bits() & 0xff == MARK
}
