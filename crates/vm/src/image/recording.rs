//! An image that is being made.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_compiler::Code;
use asterism_heap::image::{Part, Recorder};
use asterism_object::AtomicValue;
use asterism_object::data::Pattern;
use num_bigint::BigInt;

use super::word::Word;

/// An image that is being made.
pub struct Recording<'a> {
    pub(super) cells: Recorder<'a>,
    pub(super) main_thread: Option<Part>,
    pub(super) patterns: Vec<(Part, Pattern, Vec<Word>)>,
    pub(super) integers: Vec<(Part, BigInt)>,
    pub(super) iseqs: Vec<(Part, Arc<Code>)>,
    pub(super) codes: Vec<Arc<Code>>,
    pub(super) kept: Vec<Part>,
    /// What is there from the start.
    pub(super) roots: Vec<Part>,
    /// Addresses of constant tables.
    pub(super) constants: HashSet<u64>,
    /// Codes by the address of their Iseq.
    pub(super) code_numbers: HashMap<usize, usize>,
    /// Iseqs that are children, by their address: that of the parent's Iseq, its code, and which child.
    pub(super) children: HashMap<usize, (usize, Arc<Code>, usize)>,
    /// What stands in the way.
    pub(super) failed: Option<&'static str>,
}

impl<'a> Recording<'a> {
    pub(super) fn new(cells: Recorder<'a>) -> Recording<'a> {
        Recording {
            cells,
            main_thread: None,
            patterns: Vec::new(),
            integers: Vec::new(),
            iseqs: Vec::new(),
            codes: Vec::new(),
            kept: Vec::new(),
            roots: Vec::new(),
            constants: HashSet::new(),
            code_numbers: HashMap::new(),
            children: HashMap::new(),
            failed: None,
        }
    }

    /// A word as the image has it. What it refers to is there from the start.
    pub fn word(&mut self, word: u64) -> Word {
        let word = self.word_for_later(word);
        if let Word::Part(part) = word {
            self.roots.push(part);
        }
        word
    }

    /// A word as the image has it.
    pub(super) fn word_for_later(&mut self, word: u64) -> Word {
        match self.cells.part(word) {
            Some((part, 0)) => Word::Part(part),
            Some(_) => {
                self.failed = Some("a pointer into a cell");
                Word::Raw(0)
            }
            None => Word::Raw(word),
        }
    }

    pub(super) fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w AtomicValue>) -> Vec<Word> {
        words.into_iter().map(|word| self.word(word.load(Ordering::Acquire).bits())).collect()
    }
}
