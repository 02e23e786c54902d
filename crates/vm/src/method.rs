//! `Method`: an entry of a method table. Immutable once published; a redefinition publishes another one.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_compiler::Code;
use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Sym, Value};

use crate::ec::{Ec, Res};
use crate::iseq::Iseq;
use crate::native::NativeDef;
use cell::{
    CHILD_SHIFT, CORE, KIND_BLOCK, KIND_CHILD, KIND_NATIVE, KIND_READER, KIND_RUBY, KIND_UNDEFINED, KIND_WRITER,
    KIND_ZSUPER, RACTOR_SHIFT, WORDS, word,
};
pub(crate) use cell::{CREF_WORD, META_WORD, OWNER_WORD, RawMethod};
pub use cell::{Found, Method, Visibility};

mod cell;

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

    /// The code that the body word refers to, if it does.
    pub(crate) fn body_iseq(&self) -> Option<*const Iseq> {
        match self.get(word::META) & 0xff {
            KIND_RUBY | KIND_CHILD => Iseq::from_value(self.value(word::BODY)),
            _ => None,
        }
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

    /// Is it a native method of the core library? One in C, or of a library that is loaded, counts as one that the program has
    /// written itself.
    pub fn is_native_of_core(&self) -> bool {
        self.is_core() && matches!(self.body(), Body::Native(_))
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
