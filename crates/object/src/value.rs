//! `Value`: a Ruby value in one 64-bit word, with CRuby's bit patterns.
//!
//! ```text
//! …xxx1            Integer of 63 bits (fixnum)
//! …xx10            Float whose exponent is near 0 (flonum)
//! …0000 1100       Symbol, its number above the low byte
//! 0x00 false   0x04 nil   0x14 true   0x24 undef (internal)
//! …x000            pointer to a heap cell, 8-byte aligned
//! ```

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::header::{SYMBOL_SHIFT, SYMBOL_TAG, is_dynamic_symbol};
use asterism_heap::{Cell, Marker};
use asterism_symbol::{AnySym, Sym};

use crate::types::Type;

/// A Ruby value: its word is one of the patterns above, and one that looks like a pointer is one to a live cell.
///
/// A copy of it keeps nothing alive: it must lie on a machine stack, a VM stack, in a heap cell or in a registered root
/// while a collection can happen. That is the one thing that the types do not say; a `Value` elsewhere is a mistake
/// even in code without `unsafe`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Value(u64);

/// Largest fixnum.
pub const FIXNUM_MAX: i64 = i64::MAX >> 1;
/// Smallest fixnum.
pub const FIXNUM_MIN: i64 = i64::MIN >> 1;

impl Value {
    /// `false`
    pub const FALSE: Value = Value(0);
    /// `nil`
    pub const NIL: Value = Value(4);
    /// `true`
    pub const TRUE: Value = Value(0x14);
    /// The internal "no value"; never visible to Ruby code.
    pub const UNDEF: Value = Value(0x24);
    /// The null reference, where a word holds a cell or nothing; the same word as `false`.
    pub const NULL: Value = Value(0);

    /// The value whose word this is.
    ///
    /// # Safety
    /// The word came from `bits`, was read where only values are stored, or is that of an immediate; if it is a pointer,
    /// the cell it points to is alive.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn from_bits(word: u64) -> Value {
        Value(word)
    }

    /// The value whose word this is, unless that would be a pointer.
    #[inline]
    #[must_use]
    pub const fn immediate(word: u64) -> Option<Value> {
        let v = Value(word);
        if v.is_heap() { None } else { Some(v) }
    }

    /// The word: what is stored in cells, marked, and compared.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// `true` or `false`.
    #[inline(always)]
    pub const fn bool(b: bool) -> Value {
        if b { Value::TRUE } else { Value::FALSE }
    }

    /// Neither nil nor false.
    #[inline(always)]
    pub const fn truthy(self) -> bool {
        self.0 & !4 != 0
    }

    /// Is it nil?
    #[inline(always)]
    pub const fn is_nil(self) -> bool {
        self.0 == 4
    }

    /// Is it the internal "no value"?
    #[inline(always)]
    pub const fn is_undef(self) -> bool {
        self.0 == 0x24
    }

    /// The Integer `n`, if it fits a fixnum.
    #[inline(always)]
    pub const fn try_fixnum(n: i64) -> Option<Value> {
        if n >= FIXNUM_MIN && n <= FIXNUM_MAX { Some(Value::fixnum(n)) } else { None }
    }

    /// The fixnum `n`, whose two top bits must agree.
    #[inline(always)]
    pub const fn fixnum(n: i64) -> Value {
        Value((n as u64) << 1 | 1)
    }

    /// Is it a fixnum?
    #[inline(always)]
    pub const fn is_fixnum(self) -> bool {
        self.0 & 1 != 0
    }

    /// The number of a fixnum (meaningless for anything else).
    #[inline(always)]
    pub const fn as_fixnum(self) -> i64 {
        self.0 as i64 >> 1
    }

    /// The number, if it is a fixnum.
    #[inline(always)]
    pub const fn fixnum_value(self) -> Option<i64> {
        if self.is_fixnum() { Some(self.as_fixnum()) } else { None }
    }

    /// Is it a Float without a cell?
    #[inline(always)]
    pub const fn is_flonum(self) -> bool {
        self.0 & 3 == 2
    }

    /// The Float `f` without a cell, if its exponent allows it.
    #[inline(always)]
    pub fn try_flonum(f: f64) -> Option<Value> {
        let bits = f.to_bits();
        // The three bits below the sign tell whether the exponent is near 0 (3 or 4 of 0..=7).
        let top = (bits >> 60) & 7;
        if (top == 3 || top == 4) && bits != 0x3000_0000_0000_0000 {
            Some(Value((bits.rotate_left(3) & !3) | 2))
        } else if bits == 0 {
            Some(Value(0x8000_0000_0000_0002))
        } else {
            None
        }
    }

    /// The number of a flonum (meaningless for anything else).
    #[inline(always)]
    pub fn as_flonum(self) -> f64 {
        if self.0 == 0x8000_0000_0000_0002 {
            return 0.0;
        }
        let b63 = self.0 >> 63;
        let bits = (2 - b63) | (self.0 & !3);
        f64::from_bits(bits.rotate_right(3))
    }

    /// The Symbol.
    #[inline(always)]
    pub const fn sym(s: Sym) -> Value {
        Value((s.0 as u64) << SYMBOL_SHIFT | SYMBOL_TAG)
    }

    /// The Symbol, which this VM holds.
    #[inline(always)]
    pub const fn symbol(s: AnySym) -> Value {
        Value((s.number() as u64) << SYMBOL_SHIFT | SYMBOL_TAG)
    }

    /// Is it a Symbol?
    #[inline(always)]
    pub const fn is_sym(self) -> bool {
        self.0 & 0xff == 0x0c
    }

    /// The symbol, if it is one; never collected from now on. [`Value::as_symbol`] is for what only looks at it.
    #[inline(always)]
    pub fn as_sym(self) -> Option<Sym> {
        self.as_symbol().map(AnySym::pin)
    }

    /// The symbol, if it is one. It may be collected as soon as this word lies nowhere any more.
    #[inline(always)]
    pub const fn as_symbol(self) -> Option<AnySym> {
        if self.is_sym() { Some(AnySym::from_number((self.0 >> SYMBOL_SHIFT) as u32)) } else { None }
    }

    /// Is it something that a collection has to find: a cell, or a Symbol that may be collected?
    #[inline(always)]
    pub const fn is_held(self) -> bool {
        self.is_heap() || is_dynamic_symbol(self.0)
    }

    /// Does it point to a heap cell?
    #[inline(always)]
    pub const fn is_heap(self) -> bool {
        self.0 & 7 == 0 && self.0 > 0x24
    }

    /// The value of a cell, which lies in a heap: nothing else can make one.
    #[inline(always)]
    pub fn from_cell(cell: &Cell) -> Value {
        Value(cell.address())
    }

    /// The value of a cell that was just allocated, whose payload need not be initialised yet.
    ///
    /// # Safety
    /// An allocation of a heap gave the cell, and there was no safepoint since.
    #[inline(always)]
    pub unsafe fn from_new_cell(cell: NonNull<Cell>) -> Value {
        Value(cell.as_ptr() as u64)
    }

    /// The cell it points to, if any.
    #[inline(always)]
    pub fn cell(&self) -> Option<&Cell> {
        if self.is_heap() {
            // SAFETY: a heap value always points to an initialised cell that the collector keeps
            // while the value is reachable (see the type's contract).
            Some(unsafe { &*(self.0 as *const Cell) })
        } else {
            None
        }
    }

    /// The cell's address; the value must be a heap value.
    #[inline(always)]
    pub const fn ptr<T>(self) -> *mut T {
        self.0 as *mut T
    }

    /// The layout type of the cell it points to; `None` for immediates.
    #[inline(always)]
    pub fn heap_type(self) -> Option<Type> {
        self.cell().map(crate::types::type_of)
    }

    /// Does it point to a cell of type `t`?
    #[inline(always)]
    pub fn is_type(self, t: Type) -> bool {
        self.cell().is_some_and(|c| crate::types::type_of(c) == t)
    }
}

/// A word that holds a value and that several threads may touch: a field of a native object, a slot of a cell, a root of
/// the VM. Whoever owns it has it marked. A word in a cell is written through [`store`](crate::store).
#[derive(Debug)]
#[repr(transparent)]
pub struct AtomicValue(AtomicU64);

impl AtomicValue {
    /// A word that holds `v`.
    #[inline(always)]
    #[must_use]
    pub const fn new(v: Value) -> AtomicValue {
        AtomicValue(AtomicU64::new(v.0))
    }

    /// A word of a cell as what it is.
    ///
    /// # Safety
    /// Nothing but values is stored in the word as long as it is used so.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn of_word(word: &AtomicU64) -> &AtomicValue {
        // SAFETY: the type is a transparent wrapper of the word's.
        unsafe { &*std::ptr::from_ref(word).cast::<AtomicValue>() }
    }

    /// The word, for a store through the write barrier.
    #[inline(always)]
    pub(crate) const fn word(&self) -> &AtomicU64 {
        &self.0
    }

    /// Marks what it holds.
    #[inline]
    pub fn mark(&self, marker: &mut Marker) {
        marker.mark(self.0.load(Ordering::Relaxed));
    }

    /// Marks what the words hold.
    pub fn mark_all(words: &[AtomicValue], marker: &mut Marker) {
        for word in words {
            word.mark(marker);
        }
    }

    /// What it holds.
    #[inline(always)]
    pub fn load(&self, order: Ordering) -> Value {
        Value(self.0.load(order))
    }

    /// Makes it hold `v`; not for words of cells that others may know.
    #[inline(always)]
    pub fn store(&self, v: Value, order: Ordering) {
        self.0.store(v.0, order);
    }

    /// Makes it hold `v`; what it held.
    #[inline(always)]
    pub fn swap(&self, v: Value, order: Ordering) -> Value {
        Value(self.0.swap(v.0, order))
    }

    /// Makes it hold `new` if it holds `current`.
    ///
    /// # Errors
    /// The value that it holds instead.
    #[inline(always)]
    pub fn compare_exchange(&self, current: Value, new: Value, set: Ordering, fetch: Ordering) -> Result<Value, Value> {
        self.0.compare_exchange(current.0, new.0, set, fetch).map(Value).map_err(Value)
    }
}

impl Default for AtomicValue {
    /// The null reference.
    fn default() -> AtomicValue {
        AtomicValue::new(Value::NULL)
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Value::NIL => write!(f, "nil"),
            Value::TRUE => write!(f, "true"),
            Value::FALSE => write!(f, "false"),
            Value::UNDEF => write!(f, "undef"),
            v if v.is_fixnum() => write!(f, "{}", v.as_fixnum()),
            v if v.is_flonum() => write!(f, "{:?}", v.as_flonum()),
            v if v.is_sym() => write!(f, "{:?}", AnySym::from_number((v.0 >> SYMBOL_SHIFT) as u32)),
            v => write!(f, "{:?}@{:x}", v.heap_type(), v.0),
        }
    }
}
