//! Layout of classes, modules and include classes, and the ancestor chain.
//!
//! A class's ancestors are a chain through `superclass`: classes, and for every included or prepended
//! module an *include class* that stands for it. A class with prepended modules has an *origin*: an include
//! class that stands for the class itself, behind the prepended ones.
//!
//! ```text
//!   class C; include A; prepend P; end
//!   C ─► [P] ─► [origin of C] ─► [A] ─► Object ─► [Kernel] ─► BasicObject
//! ```
//!
//! Words are changed only under the VM's class lock and read without one; each is an atomic.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{Cell, stamp};

use crate::types::{Type, type_of};
use crate::value::Value;

/// Payload words of a class cell, by index.
mod word {
    pub const SUPERCLASS: usize = 0;
    pub const SERIAL: usize = 1;
    pub const METHODS: usize = 2;
    pub const CONSTANTS: usize = 3;
    pub const IVARS: usize = 4;
    pub const MODULE: usize = 5;
    pub const ORIGIN: usize = 6;
    pub const INSTANCE_SLOTS: usize = 7;
    pub const FLAGS: usize = 8;
    pub const NAME: usize = 9;
    pub const CVARS: usize = 10;
    pub const PARENT: usize = 11;
    pub const IVAR_NAMES: usize = 12;
    pub const CORE_METHODS: usize = 13;
}

/// Payload words a class cell has.
pub const CLASS_WORDS: usize = 14;

/// Bit of `Class::instance_slots`: instances outgrew what the class knew, so they get cells that can grow.
pub const UNSETTLED: u32 = 1 << 31;

/// The class is the singleton class of `module()`.
pub const SINGLETON: u64 = 1;
/// The include class is the origin of `module()`.
pub const IS_ORIGIN: u64 = 2;
/// A refinement module.
pub const REFINEMENT: u64 = 4;
/// A class that `Class.allocate` has made and nobody initializes.
pub const UNINITIALIZED: u64 = 8;
/// A class that inherits from BasicObject and not from Object: its instances may have none of Kernel's methods. It is so from the class's making on.
pub const BLANK: u64 = 32;
/// A reference was stored in the class since it was traced.
const WRITTEN: u64 = 16;
/// Where the allocator kind lies in the flags.
const ALLOC_SHIFT: u64 = 8;

/// What `allocate` makes for a class; inherited by subclasses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Alloc {
    /// Nothing: "allocator undefined for X".
    Undefined = 0,
    /// A plain object.
    Object,
    /// A String.
    String,
    /// An Array.
    Array,
    /// A Hash.
    Hash,
    /// A Range.
    Range,
    /// A Struct.
    Struct,
    /// A class.
    Class,
    /// A module.
    Module,
    /// Something whose class's native allocator makes it (see the VM's allocator table).
    Native,
}

/// A view of a class, module or include class cell.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Class(pub Value);

impl Class {
    /// The view of `v`, if it is a class, module or include class.
    pub fn from_value(v: Value) -> Option<Class> {
        matches!(v.heap_type()?, Type::Class | Type::Module | Type::IncludeClass).then_some(Class(v))
    }

    /// The cell.
    #[inline(always)]
    pub fn cell(&self) -> &Cell {
        // SAFETY: a `Class` is only made of class cells, which the holder keeps reachable.
        unsafe { &*self.0.ptr::<Cell>() }
    }

    #[inline(always)]
    fn at(&self, index: usize) -> &AtomicU64 {
        // SAFETY: every class cell has `CLASS_WORDS` payload words, and all indices are below.
        unsafe { self.cell().word(index) }
    }

    #[inline]
    fn get(&self, index: usize) -> Value {
        // SAFETY: all words but the flags, the counts and the addresses of core methods hold values; those are read by `at`.
        unsafe { Value::from_bits(self.at(index).load(Ordering::Acquire)) }
    }

    fn put(&self, index: usize, v: Value) {
        self.at(index).store(v.bits(), Ordering::Release);
        self.add_flags(WRITTEN);
    }

    /// Sets every word to its empty value; before the cell is visible to anybody.
    pub fn init(&self, superclass: Value, flags: u64) {
        for index in 0..CLASS_WORDS {
            self.put(index, Value::NULL);
        }
        self.put(word::SUPERCLASS, superclass);
        self.put(word::MODULE, Value::NIL);
        self.put(word::NAME, Value::NIL);
        self.put(word::PARENT, Value::NIL);
        self.at(word::FLAGS).store(flags, Ordering::Relaxed);
    }

    /// Is it a class (not a module or include class)?
    pub fn is_class(&self) -> bool {
        type_of(self.cell()) == Type::Class
    }

    /// Is it a module?
    pub fn is_module(&self) -> bool {
        type_of(self.cell()) == Type::Module
    }

    /// Does it stand for a module (or origin) in a chain?
    #[inline]
    pub fn is_include(&self) -> bool {
        type_of(self.cell()) == Type::IncludeClass
    }

    /// The next one in the ancestor chain.
    #[inline]
    pub fn superclass(&self) -> Option<Class> {
        let v = self.get(word::SUPERCLASS);
        v.is_heap().then_some(Class(v))
    }

    /// Sets the next one in the chain (class lock held).
    pub fn set_superclass(&self, v: Value) {
        self.put(word::SUPERCLASS, v);
    }

    /// The payload word of `flags`, for compiled code.
    pub const FLAGS_WORD: usize = word::FLAGS;
    /// The payload word of `serial`, for compiled code.
    pub const SERIAL_WORD: usize = word::SERIAL;

    /// The number method caches compare; 0 while nothing was cached since the last change.
    #[inline(always)]
    pub fn serial(&self) -> u64 {
        stamp::current(self.at(word::SERIAL))
    }

    /// Gives the class serial `fresh` unless it has one; the one it has afterwards.
    pub fn ensure_serial(&self, fresh: impl FnOnce() -> u64) -> u64 {
        stamp::ensure(self.at(word::SERIAL), fresh)
    }

    /// Makes every cache filled from this class miss.
    pub fn invalidate(&self) {
        stamp::clear(self.at(word::SERIAL));
    }

    /// The class's own method table, or 0.
    pub fn methods(&self) -> Value {
        self.get(word::METHODS)
    }

    /// Replaces the method table (class lock held).
    pub fn set_methods(&self, table: Value) {
        self.put(word::METHODS, table);
    }

    /// The address of the table of the core methods that this VM has not all made yet (the VM crate knows its type), or 0:
    /// `methods` has all there are. Read it before `methods`: it is set to 0 after that.
    #[inline]
    pub fn core_methods(&self) -> u64 {
        self.at(word::CORE_METHODS).load(Ordering::Acquire)
    }

    /// From now on `methods` has all methods (class lock held).
    pub fn forget_core_methods(&self) {
        self.at(word::CORE_METHODS).store(0, Ordering::Release);
    }

    /// The class's own constants, or 0, or a mark: see `Ec::constants` of the VM.
    pub fn constants(&self) -> Value {
        self.get(word::CONSTANTS)
    }

    /// Replaces the constant table (class lock held).
    pub fn set_constants(&self, table: Value) {
        self.put(word::CONSTANTS, table);
    }

    /// The class's instance variables: a table that is replaced whole, or 0.
    pub fn ivars(&self) -> Value {
        self.get(word::IVARS)
    }

    /// Replaces the instance variables (class lock held).
    pub fn set_ivars(&self, table: Value) {
        self.put(word::IVARS, table);
    }

    /// The class variables' table, or 0.
    #[inline]
    pub fn cvars(&self) -> Value {
        self.get(word::CVARS)
    }

    /// Replaces the class variables' table (class lock held).
    pub fn set_cvars(&self, table: Value) {
        self.put(word::CVARS, table);
    }

    /// Of an include class: the module (or, of an origin, the class); of a singleton class: the object.
    #[inline]
    pub fn module(&self) -> Value {
        self.get(word::MODULE)
    }

    /// See `module`.
    pub fn set_module(&self, v: Value) {
        self.put(word::MODULE, v);
    }

    /// The origin, if modules are prepended.
    pub fn origin(&self) -> Option<Class> {
        let v = self.get(word::ORIGIN);
        v.is_heap().then_some(Class(v))
    }

    /// See `origin` (class lock held).
    pub fn set_origin(&self, v: Value) {
        self.put(word::ORIGIN, v);
    }

    /// The full name as a String, or nil.
    pub fn name(&self) -> Value {
        self.get(word::NAME)
    }

    /// Names the class.
    pub fn set_name(&self, name: Value) {
        self.put(word::NAME, name);
    }

    /// The module whose constant it first was, or nil.
    pub fn parent(&self) -> Value {
        self.get(word::PARENT)
    }

    /// See `parent`.
    pub fn set_parent(&self, v: Value) {
        self.put(word::PARENT, v);
    }

    /// How many ivar slots instances should have, as learned so far; with `UNSETTLED` if that was wrong before.
    /// 0: nothing is known.
    #[inline(always)]
    pub fn instance_slots(&self) -> u32 {
        self.at(word::INSTANCE_SLOTS).load(Ordering::Relaxed) as u32
    }

    /// Remembers that an instance may need `n` slots.
    pub fn learn_instance_slots(&self, n: u32) {
        self.learn(n & !UNSETTLED, n & UNSETTLED);
    }

    /// Remembers that an instance needed `n` slots, more than was known.
    pub fn unsettle(&self, n: u32) {
        self.learn(n, UNSETTLED);
    }

    fn learn(&self, n: u32, flag: u32) {
        let learned = |now: u64| {
            let now = now as u32;
            Some(u64::from((now & !UNSETTLED).max(n) | now & UNSETTLED | flag))
        };
        // The closure never declines.
        let _ = self.at(word::INSTANCE_SLOTS).fetch_update(Ordering::Relaxed, Ordering::Relaxed, learned);
    }

    /// The names of instance variables that the class's methods use, as `ShapeTable::collect` keeps them; 0: none.
    pub fn ivar_names(&self) -> u32 {
        self.at(word::IVAR_NAMES).load(Ordering::Relaxed) as u32
    }

    /// See `ivar_names` (class lock held).
    pub fn set_ivar_names(&self, shape: u32) {
        self.at(word::IVAR_NAMES).store(u64::from(shape), Ordering::Relaxed);
    }

    /// The flags.
    #[inline]
    pub fn flags(&self) -> u64 {
        self.at(word::FLAGS).load(Ordering::Relaxed)
    }

    /// Sets flag bits.
    pub fn add_flags(&self, bits: u64) {
        self.at(word::FLAGS).fetch_or(bits, Ordering::Relaxed);
    }

    /// Is it a singleton class?
    #[inline]
    pub fn is_singleton(&self) -> bool {
        self.flags() & SINGLETON != 0
    }

    /// Does it inherit from BasicObject and not from Object (see `BLANK`)?
    #[inline(always)]
    pub fn is_blank(&self) -> bool {
        self.flags() & BLANK != 0
    }

    /// Is it an origin?
    pub fn is_origin(&self) -> bool {
        self.flags() & IS_ORIGIN != 0
    }

    /// What `allocate` makes.
    pub fn alloc(&self) -> Alloc {
        let byte = (self.flags() >> ALLOC_SHIFT) as u8;
        debug_assert!(byte <= Alloc::Native as u8);
        // SAFETY: the byte is only written by `set_alloc`, from an `Alloc`.
        unsafe { std::mem::transmute::<u8, Alloc>(byte) }
    }

    /// Sets what `allocate` makes (when the class is made, before others see it).
    pub fn set_alloc(&self, alloc: Alloc) {
        let flags = self.flags() & !(0xff << ALLOC_SHIFT) | (alloc as u64) << ALLOC_SHIFT;
        self.at(word::FLAGS).store(flags, Ordering::Relaxed);
    }

    /// The class or module whose methods this link of the chain looks for: itself, its module, or none for a class
    /// whose methods are at its origin.
    #[inline]
    pub fn lookup_class(&self) -> Option<Class> {
        if self.is_include() {
            return Some(Class(self.module()));
        }
        (self.get(word::ORIGIN).bits() == 0).then_some(*self)
    }

    /// The class or module that this link stands for.
    #[inline]
    pub fn delegate(&self) -> Class {
        if self.is_include() { Class(self.module()) } else { *self }
    }

    /// The first class in the chain that is neither include nor singleton class.
    pub fn real(&self) -> Class {
        let mut class = *self;
        while class.is_include() || class.is_singleton() {
            match class.superclass() {
                Some(next) => class = next,
                None => break,
            }
        }
        class
    }

    /// The chain from here upwards.
    pub fn chain(self) -> impl Iterator<Item = Class> {
        std::iter::successors(Some(self), Class::superclass)
    }

    /// Is `other` (class or module) among the ancestors?
    pub fn inherits_from(&self, other: Class) -> bool {
        if other.is_class() {
            return self.chain().any(|c| c == other);
        }
        self.chain().any(|c| c == other || (c.is_include() && c.module() == other.0))
    }

    /// What an image has to know of the payload words: which are references, and where the tables of constants and
    /// methods, the serial and the core methods are.
    pub const REFERENCES: [usize; 7] = {
        use word::{CVARS, IVARS, MODULE, NAME, ORIGIN, PARENT, SUPERCLASS};
        [SUPERCLASS, IVARS, MODULE, ORIGIN, NAME, CVARS, PARENT]
    };
    /// See `REFERENCES`.
    pub const CONSTANTS: usize = word::CONSTANTS;
    /// See `REFERENCES`.
    pub const METHODS: usize = word::METHODS;
    /// See `REFERENCES`.
    pub const SERIAL: usize = word::SERIAL;
    /// See `REFERENCES`.
    pub const CORE_METHODS: usize = word::CORE_METHODS;

    /// Was a reference stored in the class since that was last forgotten? What is stored in its tables is their own matter.
    pub(crate) fn is_written(&self) -> bool {
        self.flags() & WRITTEN != 0
    }

    /// The references of the class have been marked.
    pub(crate) fn forget_written(&self) {
        self.at(word::FLAGS).fetch_and(!WRITTEN, Ordering::Relaxed);
    }

    /// The words that refer to cells of their own.
    pub(crate) fn own_references(&self) -> [&AtomicU64; 5] {
        use word::{MODULE, NAME, ORIGIN, PARENT, SUPERCLASS};
        [SUPERCLASS, MODULE, ORIGIN, NAME, PARENT].map(|index| self.at(index))
    }

    /// The tables, which are parts of the class; 0 or a mark where there is none.
    pub(crate) fn tables(&self) -> [Value; 4] {
        use word::{CONSTANTS, CVARS, IVARS, METHODS};
        [METHODS, CONSTANTS, IVARS, CVARS].map(|index| self.get(index))
    }
}
