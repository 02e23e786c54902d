//! Machine code of a piece of code, and what a VM has for it.

use std::any::Any;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize};

use super::site_words::{Additions, Shapes};

/// One of the two functions that are made of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Entered at the beginning.
    Entry,
    /// Entered in the middle.
    Resume,
}

/// Machine code of a piece of code.
pub struct Unit {
    /// Which part of it.
    pub part: Part,
    /// It tells its frames.
    pub tells: bool,
    /// The function's address; 0 if the part is not to be compiled.
    pub address: usize,
    /// Of the part `Resume`: the number of the entry at each word of the code, 0 if there is none.
    pub entries: Box<[u16]>,
    /// Keeps the machine code.
    pub memory: Box<dyn Any + Send + Sync>,
}

/// What an `Iseq` has for compiled code.
#[derive(Default)]
#[repr(C)]
pub struct OfIseq {
    /// The address of the part `Entry`, or 0.
    pub(super) native: AtomicUsize,
    /// The part `Resume`, or null; the code keeps it.
    pub(super) resume: AtomicPtr<Unit>,
    /// Calls that were counted.
    pub(super) calls: AtomicU32,
    /// Samples of its backward jumps.
    pub(super) ticks: AtomicU32,
    /// Returns into it that found no place to go on in compiled code.
    pub(super) missed: AtomicU32,
    /// How often it was left because of an operand.
    pub(super) left: AtomicU16,
    /// One more than the units that the code had when it was asked for again because of that; 0 before.
    pub(super) awaited: AtomicU16,
    /// Calls it made where it had called nothing when it was compiled.
    pub(super) late: AtomicU32,
    /// How often it was left for what the interpreter has to do, and the time of a sample of that, in nanoseconds.
    pub(super) waits: AtomicU32,
    pub(super) waited: AtomicU64,
    /// Units of the code that this VM has taken.
    pub(super) linked: AtomicU32,
    /// Bits of what was asked for.
    pub(super) asked: AtomicU8,
    /// What `self` was where it was looked at.
    pub(super) of_self: AtomicU8,
    /// What its sites of instance variables have met besides what their caches say.
    pub(crate) ivars: Shapes,
    /// The same of attributes.
    pub(crate) attrs: Shapes,
    /// What was added to objects by attributes.
    pub(crate) additions: Additions,
    /// Operand kinds, once it is looked at.
    pub(super) kinds: OnceLock<Box<[AtomicU8]>>,
}

impl OfIseq {
    /// Has the code been looked at, or is it being? It may have been compiled then.
    pub(crate) fn is_warm(&self) -> bool {
        self.kinds.get().is_some()
    }
}
