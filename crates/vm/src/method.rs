//! `Method`: an entry of a method table. Immutable once published; a redefinition publishes another one.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_compiler::Code;
use asterism_heap::Cell;
use asterism_object::class::Class;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value};

use crate::ec::{Ec, Res};
use crate::iseq::Iseq;
use crate::native::NativeDef;

/// Payload words of a method cell.
mod word {
    pub const OWNER: usize = 0;
    pub const NAME: usize = 1;
    pub const META: usize = 2;
    pub const BODY: usize = 3;
    pub const CREF: usize = 4;
    pub const ORIGINAL_NAME: usize = 5;
}
const WORDS: usize = 6;
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

/// What a method does when called.
#[derive(Clone, Copy)]
pub enum Body {
    /// Runs Ruby code.
    Ruby(*const Iseq),
    /// Runs code that this VM has not needed yet: a child of this code. See [`Method::prepare`].
    Unread(*const Iseq, usize),
    /// Calls a Rust function.
    Native(&'static NativeDef),
    /// Reads an instance variable.
    AttrReader(Sym),
    /// Writes an instance variable.
    AttrWriter(Sym),
    /// Runs a block with self set (`define_method`).
    Block(Value),
    /// Nothing: lookup ends here with "undefined".
    Undefined,
    /// Only a visibility: the body is found further up (`private :foo` of an inherited method).
    ZSuper,
}

const KIND_RUBY: u64 = 0;
const KIND_NATIVE: u64 = 1;
const KIND_READER: u64 = 2;
const KIND_WRITER: u64 = 3;
const KIND_BLOCK: u64 = 4;
const KIND_UNDEFINED: u64 = 5;
const KIND_ZSUPER: u64 = 6;
const KIND_CHILD: u64 = 7;
/// The bit of the META word that methods of the core library have.
const CORE: u64 = 1 << 11;
/// The bit of the META word that aliases of themselves have.
const OWN_ALIAS: u64 = 1 << 12;
/// Where the number of the Ractor lies that has defined a method with a block, in its META word.
const RACTOR_SHIFT: u32 = 32;
/// Where the number of a child lies in a method's META word.
const CHILD_SHIFT: u32 = 32;

/// A view of a method cell.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Method(pub Value);

impl Method {
    /// Makes a method that is in no table yet.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new(ec: &mut Ec, owner: Value, name: Sym, visibility: Visibility, body: Body, cref: Value) -> Res<Method> {
        let (kind, word) = match body {
            // SAFETY: the iseq is kept alive by the frame or method it came from.
            Body::Ruby(iseq) => (KIND_RUBY, unsafe { (*iseq).value().bits() }),
            Body::Unread(parent, child) => {
                // SAFETY: the iseq is kept alive by the code that defines the method.
                let parent = unsafe { (*parent).value() };
                (KIND_CHILD | (child as u64) << CHILD_SHIFT, parent.bits())
            }
            Body::Native(def) => (KIND_NATIVE, std::ptr::from_ref(def) as u64 | 1),
            Body::AttrReader(sym) => (KIND_READER, Value::sym(sym).bits()),
            Body::AttrWriter(sym) => (KIND_WRITER, Value::sym(sym).bits()),
            Body::Block(proc) => (KIND_BLOCK, proc.bits()),
            Body::Undefined => (KIND_UNDEFINED, 0),
            Body::ZSuper => (KIND_ZSUPER, 0),
        };
        let cell = ec.alloc_cell(Type::Method, WORDS, Value::NULL, false)?;
        let method = Method(cell);
        method.put(word::OWNER, owner.bits());
        method.put(word::NAME, Value::sym(name).bits());
        let core = if ec.vm().booting.load(Ordering::Relaxed) { CORE } else { 0 };
        // A block runs in the Ractor that has defined the method with it, unless it is isolated.
        let ractor = if kind == KIND_BLOCK { ec.ractor_id() << RACTOR_SHIFT } else { 0 };
        method.put(word::META, kind | (visibility as u64) << 8 | core | ractor);
        method.put(word::BODY, word);
        method.put(word::CREF, cref.bits());
        method.put(word::ORIGINAL_NAME, Value::sym(name).bits());
        Ok(method)
    }

    /// A method with the words that another one has in an image.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn from_raw(ec: &mut Ec, words: [u64; WORDS]) -> Res<Method> {
        let method = Method(ec.alloc_cell(Type::Method, WORDS, Value::NULL, false)?);
        for (i, word) in words.into_iter().enumerate() {
            method.put(i, word);
        }
        Ok(method)
    }

    /// The words of the cell.
    pub(crate) fn raw(&self) -> [u64; WORDS] {
        std::array::from_fn(|i| self.get(i))
    }

    /// The words of a method whose body is child `child` of the code in the body word.
    pub(crate) fn raw_child(mut words: [u64; WORDS], child: usize) -> [u64; WORDS] {
        words[word::META] = words[word::META] & 0xffff_ff00 | KIND_CHILD | (child as u64) << CHILD_SHIFT;
        words
    }

    /// The code that the body word refers to, if it does.
    pub(crate) fn body_iseq(&self) -> Option<*const Iseq> {
        match self.get(word::META) & 0xff {
            KIND_RUBY | KIND_CHILD => Iseq::from_value(self.value(word::BODY)),
            _ => None,
        }
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
    fn cell(&self) -> &Cell {
        // SAFETY: a `Method` is only made of method cells, which the holder keeps reachable.
        unsafe { &*self.0.ptr::<Cell>() }
    }

    #[inline(always)]
    fn get(&self, index: usize) -> u64 {
        // SAFETY: a method cell has `WORDS` payload words, written before it was published.
        unsafe { self.cell().word(index) }.load(Ordering::Relaxed)
    }

    /// A word that holds a value: any but META, and BODY where the kind says so.
    #[inline(always)]
    fn value(&self, index: usize) -> Value {
        // SAFETY: `new` put a value there; in an image, so did what it was made after. The body of a native method has bit 0
        // set, as a fixnum.
        unsafe { Value::from_bits(self.get(index)) }
    }

    fn put(&self, index: usize, v: u64) {
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

    /// The same method, found at `link` of a chain in which its module comes more than once.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn positioned(&self, ec: &mut Ec, link: Class) -> Res<Method> {
        let method = Method::new(ec, link.0, self.name(), self.visibility(), self.body(), self.cref())?;
        method.put(word::ORIGINAL_NAME, Value::sym(self.original_name()).bits());
        if self.is_ruby2_keywords() {
            method.set_ruby2_keywords();
        }
        Ok(method)
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

    /// Is it a native method of the core library? One in C, or of a library that is loaded, counts as one that the program has
    /// written itself.
    pub fn is_native_of_core(&self) -> bool {
        self.is_core() && matches!(self.body(), Body::Native(_))
    }

    /// The lexical nesting of its body.
    #[inline(always)]
    pub fn cref(&self) -> Value {
        self.value(word::CREF)
    }

    /// Its code, if it is written in Ruby and no child of other code.
    ///
    /// # Safety
    /// The method is reachable.
    #[inline(always)]
    pub unsafe fn ruby_code(&self) -> Option<*const Iseq> {
        // SAFETY: the body of a method of this kind is an Iseq cell, which it keeps alive.
        (self.get(word::META) & 0xff == KIND_RUBY).then(|| unsafe { Iseq::of_cell(self.value(word::BODY)) })
    }

    /// The number of the Ractor that has defined the method, with a block.
    pub fn ractor(&self) -> u64 {
        self.get(word::META) >> RACTOR_SHIFT
    }

    /// What it does.
    #[inline]
    pub fn body(&self) -> Body {
        let word = self.get(word::BODY);
        match self.get(word::META) & 0xff {
            KIND_RUBY => match Iseq::from_value(self.value(word::BODY)) {
                Some(iseq) => Body::Ruby(iseq),
                None => Body::Undefined,
            },
            // SAFETY: the word was made from a `&'static NativeDef` in `new` (bit 0 hides it from the collector).
            KIND_NATIVE => Body::Native(unsafe { &*((word & !1) as *const NativeDef) }),
            KIND_CHILD => match Iseq::from_value(self.value(word::BODY)) {
                Some(parent) => {
                    let child = (self.get(word::META) >> CHILD_SHIFT) as usize;
                    // SAFETY: the method keeps its parent's code alive.
                    unsafe { (*parent).made_child(child) }.map_or(Body::Unread(parent, child), Body::Ruby)
                }
                None => Body::Undefined,
            },
            KIND_READER => Body::AttrReader(Sym((word >> 8) as u32)),
            KIND_WRITER => Body::AttrWriter(Sym((word >> 8) as u32)),
            KIND_BLOCK => Body::Block(self.value(word::BODY)),
            KIND_ZSUPER => Body::ZSuper,
            _ => Body::Undefined,
        }
    }

    /// The Ruby code of its body, or of the block that is its body.
    pub fn code(&self) -> Option<Arc<Code>> {
        // SAFETY: the method, which is reachable, keeps its code, its Proc or its parent's code alive.
        unsafe {
            match self.body() {
                Body::Ruby(iseq) => Some((*iseq).code_arc()),
                Body::Unread(parent, child) => Some(Arc::clone(&(&*parent).code.children[child])),
                Body::Block(block) => Some((*crate::block::Proc::from_value(block)?.iseq()?).code_arc()),
                _ => None,
            }
        }
    }

    /// Makes the VM's part of code that was not needed before, so that `body` is not `Unread`.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn prepare(&self, ec: &mut Ec) -> Res<()> {
        match self.body() {
            // SAFETY: the method keeps its parent's code alive.
            Body::Unread(parent, child) => unsafe { (*parent).child(ec, child) }.map(|_| ()),
            _ => Ok(()),
        }
    }

    /// The same body under another name, owner or visibility.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn copy(&self, ec: &mut Ec, owner: Value, name: Sym, visibility: Visibility) -> Res<Method> {
        self.copy_in(ec, owner, name, visibility, self.cref())
    }

    /// As `copy`, with another lexical nesting.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn copy_in(&self, ec: &mut Ec, owner: Value, name: Sym, visibility: Visibility, cref: Value) -> Res<Method> {
        let method = Method::new(ec, owner, name, visibility, self.body(), cref)?;
        method.put(word::ORIGINAL_NAME, Value::sym(self.original_name()).bits());
        if self.is_ruby2_keywords() {
            method.set_ruby2_keywords();
        }
        Ok(method)
    }

    /// The same body as a method called `name` in its own right.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn renamed(&self, ec: &mut Ec, name: Sym, visibility: Visibility) -> Res<Method> {
        let method = Method::new(ec, self.owner().0, name, visibility, self.body(), self.cref())?;
        if self.is_ruby2_keywords() {
            method.set_ruby2_keywords();
        }
        Ok(method)
    }

    /// How many arguments it takes, as `Method#arity` says of a program's methods ([`crate::signature`] has the others).
    pub fn arity(&self) -> i32 {
        match self.body() {
            Body::Native(def) if def.min == def.max => def.min.into(),
            Body::AttrReader(_) | Body::Undefined | Body::ZSuper => 0,
            Body::AttrWriter(_) => 1,
            _ => self.code().map_or(-1, |code| arity_of(&code.params, true)),
        }
    }
}

/// `Method#arity` for these parameters; for procs that are no lambdas optional ones do not count.
pub fn arity_of(params: &asterism_compiler::code::Params, strict: bool) -> i32 {
    let required_keyword = params.keywords.iter().any(|k| k.required);
    let fixed = i32::from(params.required) + i32::from(params.post) + i32::from(required_keyword);
    let open = params.rest
        || (strict && params.optional > 0)
        || (!required_keyword
            && strict
            && (!params.keywords.is_empty() || params.keyword_rest == asterism_compiler::code::KeywordRest::Collect));
    if open { -fixed - 1 } else { fixed }
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

impl Found {
    /// Whether `respond_to?` owns up to it.
    #[must_use]
    pub fn answers(&self, private_too: bool) -> bool {
        (private_too || self.visibility == Visibility::Public)
            && !matches!(self.method.body(), Body::Native(native) if native.unimplemented)
    }
}

/// Looks `name` up along the chain from `start`.
pub fn lookup_from(ec: &mut Ec, start: Option<Class>, name: Sym) -> Option<Found> {
    let mut visibility = None;
    for class in std::iter::successors(start, Class::superclass) {
        let Some(method) = ec.own_method(class, name) else { continue };
        match method.body() {
            Body::Undefined => return None,
            Body::ZSuper => {
                visibility.get_or_insert(method.visibility());
            }
            _ => {
                let visibility = visibility.unwrap_or_else(|| method.visibility());
                return Some(Found { method, defined_class: class, visibility });
            }
        }
    }
    None
}
