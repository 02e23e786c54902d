//! The image, what a VM that was made from it knows of it, and one that is being made.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use asterism_compiler::Code;
use asterism_heap::Marker;
use asterism_heap::image::{Filled, Part};
use asterism_object::data::Pattern;
use asterism_object::shape::ShapePattern;
use asterism_object::{AtomicValue, Sym, Value};
use num_bigint::BigInt;

use super::word::Word;
use crate::gvar::GvarPattern;
use crate::keep::PartsPattern;
use crate::native::PrimFn;
use crate::vm::CoreHooks;

/// What the VM's own structures are made of. Immutable.
pub(crate) struct Image {
    pub(super) hooks: &'static CoreHooks,
    pub(super) cells: asterism_heap::image::Image,
    pub(super) hash_seed: u64,
    pub(super) shapes: ShapePattern,
    pub(super) side: Vec<(Word, Word)>,
    /// Well-known classes, exceptions, roots, values of the main thread.
    pub(super) known: Vec<Word>,
    pub(super) exceptions: Vec<Word>,
    pub(super) roots: Vec<Word>,
    pub(super) thread_values: Vec<Word>,
    pub(super) main_thread: Part,
    pub(super) classes: Vec<Word>,
    pub(super) autoloads: Vec<(Word, Sym, Arc<str>)>,
    pub(super) gvars: GvarPattern,
    pub(super) primitives: Arc<HashMap<Sym, PrimFn>>,
    pub(super) serials: u64,
    pub(super) const_serial: u64,
    pub(super) patterns: Vec<(Part, Pattern, Vec<Word>)>,
    pub(super) integers: Vec<(Part, BigInt)>,
    pub(super) iseqs: Vec<(Part, Arc<Code>)>,
    /// What is there from the start and core methods refer to that have no cell yet: it lives as long as the VM.
    pub(super) kept: Vec<Part>,
    /// Classes, modules and include classes that are made later, in their order among all.
    pub(super) later_classes: HashSet<u32>,
    /// Codes that core methods, or what they are nested in, come from.
    pub(crate) codes: Vec<Arc<Code>>,
    pub(super) parts: PartsPattern,
}

/// What a VM that was made from the image knows of it.
pub(crate) struct FromImage {
    pub(crate) image: &'static Image,
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
        for part in &self.image.kept {
            marker.mark(self.part(*part).bits());
        }
        self.filled.trace(&self.image.cells, marker);
    }

    pub(super) fn part(&self, part: Part) -> Value {
        let address = self.image.cells.address(&self.filled, part).expect("what boot left is there from the start");
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
