//! `Iseq`: a piece of code as one VM has it: the immutable process-wide [`Code`] and, made when it is
//! first run, the VM's own literals and inline caches.
//!
//! The boxed struct hangs off a heap cell of type `Iseq`, so it lives as long as a frame, method or
//! Proc refers to that cell.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};

use asterism_compiler::code::{Code, Literal, Packing};
use asterism_compiler::opcode::MOST_YIELDED;
use asterism_heap::{Cell, Marker};
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Sym, Value};

use crate::cache::Site;
use crate::frame::{Frame, SPARE};
use crate::jit::OfIseq;
use crate::jit::switch;
use crate::native::PrimFn;
use words::Words;

mod make;
pub(crate) mod words;

/// Code in one VM. Everything in it is immutable or atomic: all threads of the VM run the same one.
///
/// What a call by compiled code, and the compiled code that is called, read of it lies in one cache line, for a program calls thousands
/// of different ones in turn: the first one, where the allocator has pieces of an odd number of lines, so that they do not all fall
/// into a few sets of the cache.
#[repr(C)]
pub struct Iseq {
    /// Bytes that a frame of it takes, header and registers.
    frame_bytes: u32,
    /// Required parameters, if there are no others; else `u32::MAX`.
    pub simple: u32,
    /// Where words below lie, for compiled code.
    pub(crate) code_at: *const Code,
    pub(crate) sites_at: *const Site,
    pub(crate) ivars_at: *const AtomicU64,
    pub(crate) literals_at: *const AtomicValue,
    pub(crate) consts_at: *const AtomicValue,
    pub(crate) children_at: *const AtomicValue,
    /// What belongs to compiled code: first its address.
    pub(crate) jit: OfIseq,
    /// The first word of the instructions: `code.words` as the interpreter needs it.
    pub start: *const u64,
    /// Where calls go: to `start`, or to a one-word code that counts them or enters compiled code. Written by any thread.
    entry: AtomicPtr<u64>,
    /// `code.registers`
    pub registers: u32,
    /// Registers that its parameters take, if a `yield` of as many values puts them there as they are; else `u32::MAX`.
    plain: u32,
    /// As a block, given n values by `yield`, it takes the first `taken[n + 1]` of them, and nothing else is to be done.
    /// The others lie behind its registers, as far as they lie there at all.
    taken: [u8; SPARE + 2],
    /// `code.params.auto_splat`
    pub auto_splat: bool,
    /// As a block it has required parameters only, for which one Array is taken apart.
    pub spreads: bool,
    /// All arguments go into an Array (`|*rest|`), and there is no other parameter.
    pub rest_only: bool,
    /// How it takes what it is given, if that is all that is `rest_only`.
    pub packing: Packing,
    /// It was said that it ignores the block it is called with.
    pub warned_of_block: AtomicBool,
    /// The compiled code.
    pub code: Arc<Code>,
    /// The heap cell this hangs off; written once, when the cell is made.
    pub cell: AtomicValue,
    /// The words that the next ones are parts of.
    words: Box<[AtomicU64]>,
    /// Literal objects, in the order of `code.literals`.
    pub literals: Words<AtomicValue>,
    /// An InlineCache cell for each call site, or 0.
    pub call_caches: Words<Site>,
    /// Two words for each ivar site: `shape << 32 | slot`, and for a write that adds the variable (its first word
    /// has `ADDS`) `shape << 32 | new shape`; `EMPTY_IVAR` if unset. Slot and new shape depend on the old shape and
    /// the name alone, so two words with the same old shape fit together whoever wrote them.
    pub ivar_caches: Words<AtomicU64>,
    /// `shape << 32 | slot` for each call site that reads or writes an attribute, or `EMPTY_IVAR`.
    pub attr_caches: Words<AtomicU64>,
    /// The variable that a call site's word in `attr_caches` is about, or 0: the first one that it met. Classes whose objects have
    /// the same shape may mean different variables by the same attribute.
    attr_names: Box<[AtomicU32]>,
    /// An InlineCache cell for each const site, or 0.
    pub const_caches: Words<AtomicValue>,
    /// Values of once-cells; undef while unset.
    pub once: Words<AtomicValue>,
    /// Iseq cells of the children, or 0 until first used.
    pub children: Words<AtomicValue>,
    /// The primitives that `Op::Prim` calls, by literal index (0 elsewhere). Set at creation.
    pub prims: Box<[Option<PrimFn>]>,
}

/// An ivar cache that matches no shape: neither a real one nor `shape::COMPLEX`, which is all ones.
pub const EMPTY_IVAR: u64 = (u32::MAX as u64 - 1) << 32;

/// In the first word of a write's cache: the shape lacks the variable as yet, so the slot must not be touched
/// without the step to the new shape. No slot's number reaches this bit.
pub const ADDS: u64 = 1 << 30;

/// In `Iseq::taken`: there is more to do than to take the first values.
pub const NOT_PLAINLY: u8 = u8::MAX;
const _: () = assert!(MOST_YIELDED as usize == SPARE);

impl Iseq {
    /// Is an Array of all that it is given what it takes, and nothing else?
    #[inline(always)]
    pub(crate) fn takes_array(&self) -> bool {
        self.rest_only && self.packing == Packing::None
    }

    /// Where `frame_bytes` lies in it, in bytes, for compiled code.
    pub(crate) const FRAME_BYTES: usize = std::mem::offset_of!(Iseq, frame_bytes);
    /// The same of `plain`.
    pub(crate) const PLAIN: usize = std::mem::offset_of!(Iseq, plain);
    /// The same of `taken`.
    pub(crate) const TAKEN: usize = std::mem::offset_of!(Iseq, taken);

    /// Where a call of it goes.
    #[inline(always)]
    pub fn entry(&self) -> *const u64 {
        self.entry.load(Ordering::Relaxed)
    }

    /// Calls go there from now on.
    pub(crate) fn set_entry(&self, to: *const u64) {
        self.entry.store(to.cast_mut(), Ordering::Release);
    }

    /// Is that where a frame of it begins?
    pub(crate) fn begins_at(&self, pc: *const u64) -> bool {
        pc == self.start || switch::is_switch(pc)
    }

    /// The number of the word at `pc`; that of the first one if it is none of the code's.
    #[inline]
    pub fn at(&self, pc: *const u64) -> usize {
        let at = (pc as usize).wrapping_sub(self.start as usize) / 8;
        if at <= self.code.words.len() { at } else { 0 }
    }

    /// The struct behind an Iseq cell.
    pub fn from_value(v: Value) -> Option<*const Iseq> {
        let cell = v.cell()?;
        // SAFETY: an Iseq cell's first payload word is the address of its box, set before the cell
        // became reachable.
        (asterism_object::types::type_of(cell) == Type::Iseq)
            .then(|| unsafe { cell.word(0).load(Ordering::Acquire) } as *const Iseq)
    }

    /// The struct behind what is known to be an Iseq cell.
    ///
    /// # Safety
    /// It is one, and reachable by others.
    #[inline(always)]
    pub unsafe fn of_cell(v: Value) -> *const Iseq {
        // SAFETY: as in `from_value`.
        unsafe { (*v.ptr::<Cell>()).word(0).load(Ordering::Acquire) as *const Iseq }
    }

    /// As a block, of `known - 1` values given, how many does it take, if it simply takes the first ones? `NOT_PLAINLY` if
    /// it does not, or if `known` is 0.
    ///
    /// # Safety
    /// `known` is that of a `Yield`.
    #[inline(always)]
    pub unsafe fn taken(&self, known: usize) -> u8 {
        // SAFETY: the compiler says 0 of more than `MOST_YIELDED` values.
        unsafe { *self.taken.get_unchecked(known) }
    }

    /// Where a frame on top of this code's frame `frame` begins.
    #[inline(always)]
    pub fn above(&self, frame: *mut Frame) -> *mut Frame {
        frame.wrapping_byte_add(self.frame_bytes as usize)
    }

    /// A share of the code.
    pub fn code_arc(&self) -> Arc<Code> {
        self.code.clone()
    }

    /// The heap cell.
    #[inline(always)]
    pub fn value(&self) -> Value {
        self.cell.load(Ordering::Relaxed)
    }

    /// Child `i`, if it was made.
    pub fn made_child(&self, i: usize) -> Option<*const Iseq> {
        match self.children.get(i)?.load(Ordering::Acquire) {
            Value::NULL => None,
            made => Iseq::from_value(made),
        }
    }

    /// The code of the literal block at call site `site`, if it was made.
    #[inline(always)]
    pub fn made_block(&self, site: usize) -> Option<*const Iseq> {
        let child = self.code.call_sites[site].block?;
        match self.children[usize::from(child)].load(Ordering::Acquire) {
            Value::NULL => None,
            // SAFETY: `children` holds Iseq cells.
            made => Some(unsafe { Iseq::of_cell(made) }),
        }
    }

    /// May call site `site` remember where objects have the variable `name`?
    pub(crate) fn is_attr_at(&self, site: usize, name: Sym) -> bool {
        let first = self.attr_names[site].compare_exchange(0, name.0, Ordering::Relaxed, Ordering::Relaxed);
        first.is_ok() || first == Err(name.0)
    }

    /// Forgets what the call sites of this code, and of the code nested in it, remember.
    pub fn drop_caches(&self) {
        for site in self.call_caches.iter() {
            site.clear();
        }
        for child in self.children.iter() {
            if let Some(child) = Iseq::from_value(child.load(Ordering::Acquire)) {
                // SAFETY: this code keeps its children alive.
                unsafe { (*child).drop_caches() };
            }
        }
    }

    /// The symbol of literal `i`.
    pub fn sym(&self, i: usize) -> Sym {
        match self.code.literals[i] {
            Literal::Sym(s) => s,
            _ => asterism_symbol::sym::EMPTY,
        }
    }

    /// Marks what the iseq refers to.
    ///
    /// # Safety
    /// Only from the collector, with the world stopped; `cell` is a live Iseq cell.
    pub unsafe fn trace(cell: &Cell, marker: &mut Marker) {
        // SAFETY: see the function's contract; a cell whose box is not installed yet holds 0.
        unsafe {
            let Some(iseq) = (cell.word(0).load(Ordering::Relaxed) as *const Iseq).as_ref() else {
                return;
            };
            for list in [&iseq.literals, &iseq.const_caches, &iseq.once, &iseq.children] {
                AtomicValue::mark_all(list, marker);
            }
            for site in iseq.call_caches.iter() {
                site.mark(marker);
            }
        }
    }

    /// Frees the box of a dead Iseq cell; returns the malloc'ed bytes accounted.
    ///
    /// # Safety
    /// Only from the sweep, once for a dead cell.
    pub unsafe fn drop_cell(cell: &Cell) -> usize {
        // SAFETY: the word is 0 or a box made in `instantiate` and owned by this cell alone.
        unsafe {
            let raw = cell.word(0).load(Ordering::Relaxed) as *mut Iseq;
            if raw.is_null() {
                return 0;
            }
            let iseq = Box::from_raw(raw);
            iseq.weight()
        }
    }

    /// How many malloc'ed bytes are accounted for it. Code of the library counts nowhere.
    fn weight(&self) -> usize {
        if self.code.internal {
            return 0;
        }
        size_of::<Iseq>() + size_of_val(&*self.words) + size_of_val(&*self.attr_names)
    }
}
