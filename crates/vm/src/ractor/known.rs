//! What a native thread knows to be shareable.

use asterism_object::Value;

/// How many objects a worker remembers as shareable.
const SIZE: usize = 64;

/// The objects that a native thread found to be shareable last: once they are, they stay so. The collector empties it, since an
/// address may be another object's afterwards.
pub struct Known([u64; SIZE]);

impl Known {
    /// None.
    pub fn new() -> Known {
        Known([0; SIZE])
    }

    fn place(v: Value) -> usize {
        (v.bits() >> 4) as usize % SIZE
    }

    pub(super) fn has(&self, v: Value) -> bool {
        self.0[Known::place(v)] == v.bits()
    }

    pub(super) fn enter(&mut self, v: Value) {
        self.0[Known::place(v)] = v.bits();
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }
}

impl Default for Known {
    fn default() -> Self {
        Known::new()
    }
}
