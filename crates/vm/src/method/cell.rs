//! The cell of a method.

use std::sync::atomic::Ordering;

use asterism_heap::Cell;
use asterism_object::class::Class;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value};

/// Payload words of a method cell.
pub(super) mod word {
    pub const OWNER: usize = 0;
    pub const NAME: usize = 1;
    pub const META: usize = 2;
    pub const BODY: usize = 3;
    pub const CREF: usize = 4;
    pub const ORIGINAL_NAME: usize = 5;
}
pub(super) const WORDS: usize = 6;
/// The payload word of the owner, for compiled code.
pub(crate) const OWNER_WORD: usize = word::OWNER;
/// The payload word of the nesting, for compiled code.
pub(crate) const CREF_WORD: usize = word::CREF;
/// The payload word whose low byte is 0 in a method written in Ruby, for compiled code.
pub(crate) const META_WORD: usize = word::META;
const _: () = assert!(KIND_RUBY == 0);

/// The words of a method's cell, for images.
pub(crate) struct RawMethod;

impl RawMethod {
    pub(crate) const WORDS: usize = WORDS;
    pub(crate) const BODY: usize = word::BODY;
}

/// Who may call a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Visibility {
    /// Anybody.
    Public = 0,
    /// Only with self as receiver.
    Private = 1,
    /// Only from a method of the same class.
    Protected = 2,
}

pub(super) const KIND_RUBY: u64 = 0;
pub(super) const KIND_NATIVE: u64 = 1;
pub(super) const KIND_READER: u64 = 2;
pub(super) const KIND_WRITER: u64 = 3;
pub(super) const KIND_BLOCK: u64 = 4;
pub(super) const KIND_UNDEFINED: u64 = 5;
pub(super) const KIND_ZSUPER: u64 = 6;
pub(super) const KIND_CHILD: u64 = 7;
/// The bit of the META word that methods of the core library have.
pub(super) const CORE: u64 = 1 << 11;
/// The bit of the META word that aliases of themselves have.
pub(super) const OWN_ALIAS: u64 = 1 << 12;
/// Where the number of the Ractor lies that has defined a method with a block, in its META word.
pub(super) const RACTOR_SHIFT: u32 = 32;
/// Where the number of a child lies in a method's META word.
pub(super) const CHILD_SHIFT: u32 = 32;

/// A view of a method cell.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Method(pub Value);

impl Method {
    /// The words of the cell.
    pub(crate) fn raw(&self) -> [u64; WORDS] {
        std::array::from_fn(|i| self.get(i))
    }

    /// The words of a method whose body is child `child` of the code in the body word.
    pub(crate) fn raw_child(mut words: [u64; WORDS], child: usize) -> [u64; WORDS] {
        words[word::META] = words[word::META] & 0xffff_ff00 | KIND_CHILD | (child as u64) << CHILD_SHIFT;
        words
    }

    /// Is the body itself the code in the body word, and no child of it?
    pub(crate) fn is_whole_body(&self) -> bool {
        self.get(word::META) & 0xff == KIND_RUBY
    }

    /// The view of `v`, if it is a method cell.
    #[inline]
    pub fn from_value(v: Value) -> Option<Method> {
        (v.is_heap() && type_of(v.cell()?) == Type::Method).then_some(Method(v))
    }

    #[inline(always)]
    pub(super) fn cell(&self) -> &Cell {
        // SAFETY: a `Method` is only made of method cells, which the holder keeps reachable.
        unsafe { &*self.0.ptr::<Cell>() }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> u64 {
        // SAFETY: a method cell has `WORDS` payload words, written before it was published.
        unsafe { self.cell().word(index) }.load(Ordering::Relaxed)
    }

    /// A word that holds a value: any but META, and BODY where the kind says so.
    #[inline(always)]
    pub(super) fn value(&self, index: usize) -> Value {
        // SAFETY: `Method::new` put a value there; in an image, so did what it was made after. The body of a native method has bit 0
        // set, as a fixnum.
        unsafe { Value::from_bits(self.get(index)) }
    }

    pub(super) fn put(&self, index: usize, v: u64) {
        // SAFETY: as in `get`.
        unsafe { self.cell().word(index) }.store(v, Ordering::Release);
    }

    /// The class or module whose table it is in.
    pub fn owner(&self) -> Class {
        self.position().delegate()
    }

    /// The owner; of a method that `super` found in a module that its receiver has more than once, the include class.
    pub fn position(&self) -> Class {
        Class(self.value(word::OWNER))
    }

    /// The name it is found under.
    pub fn name(&self) -> Sym {
        self.value(word::NAME).as_sym().unwrap_or(asterism_symbol::sym::EMPTY)
    }

    /// The name it was defined with (an alias has another `name`).
    pub fn original_name(&self) -> Sym {
        self.value(word::ORIGINAL_NAME).as_sym().unwrap_or(asterism_symbol::sym::EMPTY)
    }

    /// Who may call it.
    pub fn visibility(&self) -> Visibility {
        match self.get(word::META) >> 8 & 3 {
            1 => Visibility::Private,
            2 => Visibility::Protected,
            _ => Visibility::Public,
        }
    }

    /// Was it marked with `ruby2_keywords`?
    pub fn is_ruby2_keywords(&self) -> bool {
        self.get(word::META) >> 10 & 1 == 1
    }

    /// Marks it (`Module#ruby2_keywords`): the one change a published method sees, a flag that is only ever set.
    pub fn set_ruby2_keywords(&self) {
        // SAFETY: as in `get`.
        unsafe { self.cell().word(word::META) }.fetch_or(1 << 10, Ordering::Relaxed);
    }

    /// Is it an alias of itself (`alias x x`)? Then the program is about to replace it, and says so.
    pub(crate) fn is_own_alias(&self) -> bool {
        self.get(word::META) & OWN_ALIAS != 0
    }

    /// Makes it an alias of itself, before it is published.
    pub(crate) fn set_own_alias(&self) {
        self.put(word::META, self.get(word::META) | OWN_ALIAS);
    }

    /// Was it made at boot, for the core library?
    pub fn is_core(&self) -> bool {
        self.get(word::META) & CORE != 0
    }

    /// The lexical nesting of its body.
    #[inline(always)]
    pub fn cref(&self) -> Value {
        self.value(word::CREF)
    }

    /// The number of the Ractor that has defined the method, with a block.
    pub fn ractor(&self) -> u64 {
        self.get(word::META) >> RACTOR_SHIFT
    }
}

/// A method with the class it was found in.
#[derive(Clone, Copy)]
pub struct Found {
    /// The method (never `Undefined` or `ZSuper`).
    pub method: Method,
    /// The link of the receiver's ancestor chain it was found at; `super` goes on behind it.
    pub defined_class: Class,
    /// The visibility that counts (a `ZSuper` entry further down may have changed it).
    pub visibility: Visibility,
}
