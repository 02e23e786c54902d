//! What a VM that was made from the image knows of it.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use asterism_compiler::Code;
use asterism_heap::Marker;
use asterism_heap::image::{Filled, Part};
use asterism_object::{AtomicValue, Value};

use super::word::Word;

/// What VMs that were made from the image look into as long as they live.
pub(crate) struct Cells {
    pub(super) image: asterism_heap::image::Image,
    /// Classes, modules and include classes in the order of their definition.
    pub(super) classes: Vec<Word>,
    /// What is there from the start and core methods refer to that have no cell yet: it lives as long as the VM.
    pub(super) kept: Vec<Part>,
    /// Classes, modules and include classes that are made later, in their order among all.
    pub(super) later_classes: HashSet<u32>,
    /// Codes that core methods, or what they are nested in, come from.
    pub(crate) codes: Vec<Arc<Code>>,
}

/// What a VM that was made from the image knows of it.
pub(crate) struct FromImage {
    pub(crate) cells: &'static Cells,
    pub(super) filled: Filled,
    pub(crate) iseqs: CoreIseqs,
    /// All its classes have been made.
    pub(super) complete: AtomicBool,
}

impl FromImage {
    /// What a word of the image that holds a value, one that is there from the start, is in this VM.
    pub(crate) fn value(&self, word: Word) -> Value {
        match word {
            // SAFETY: a value that refers to no cell is the same in every VM.
            Word::Raw(word) => unsafe { Value::from_bits(word) },
            Word::Part(part) => self.part(part),
        }
    }

    /// Marks what the VM needs of the image whatever else it has.
    pub(crate) fn trace(&self, marker: &mut Marker) {
        AtomicValue::mark_all(self.iseqs.words(), marker);
        for part in &self.cells.kept {
            marker.mark(self.part(*part).bits());
        }
        self.filled.trace(&self.cells.image, marker);
    }

    pub(super) fn part(&self, part: Part) -> Value {
        let address = self.cells.image.address(&self.filled, part).expect("what boot left is there from the start");
        // SAFETY: the address of a cell that was made with the VM and that the VM keeps.
        unsafe { Value::from_bits(address) }
    }
}

/// What the VM has of the codes that core methods come from: Iseq cells, or 0.
pub(crate) struct CoreIseqs(pub(crate) Box<[AtomicValue]>);

impl CoreIseqs {
    pub(crate) fn new(count: usize) -> CoreIseqs {
        CoreIseqs((0..count).map(|_| AtomicValue::new(Value::NULL)).collect())
    }

    pub(crate) fn words(&self) -> &[AtomicValue] {
        &self.0
    }
}
