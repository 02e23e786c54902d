//! Native methods: core methods written in Rust, how they are declared and what they are given.

use asterism_object::{Value, hash};

use crate::block::Block;
use crate::ec::{Ec, Raised, Res};
pub use intrinsic::Intrinsic;

mod intrinsic;

/// A core method in Rust: receiver and arguments in, a value or a raised exception out.
///
/// `Value`s may be held on the machine stack freely (it is scanned conservatively), never in
/// `Vec`, `Box` or other malloc'ed memory across anything that takes `&mut Ec`.
pub type NativeFn = fn(&mut Ec, Value, Args<'_>) -> Res;

/// A primitive that prelude code calls: no frame, no lookup, a fixed meaning.
pub type PrimFn = fn(&mut Ec, &[Value]) -> Res;

/// Any number of arguments.
pub const ANY: i16 = -1;

/// Any keyword arguments: those that it does not know are nothing to the method.
pub const ANY_KEYWORDS: &[&str] = &["**"];

/// The declaration of a native method; lies in a static table of its class.
pub struct NativeDef {
    /// The Ruby name.
    pub name: &'static str,
    /// The function.
    pub func: NativeFn,
    /// Fewest arguments.
    pub min: i16,
    /// Most arguments, or `ANY`.
    pub max: i16,
    /// The keyword arguments that it knows. If there are none, a Hash of keywords counts as an argument.
    pub keywords: &'static [&'static str],
    /// Never calls back into Ruby and never looks at its frame: it runs without one.
    pub leaf: bool,
    /// Private when defined.
    pub private: bool,
    /// It only raises NotImplementedError: `respond_to?` denies it.
    pub unimplemented: bool,
    /// The interpreter has a way of its own for it.
    pub special: Special,
    /// Compiled code has a way of its own for it.
    pub intrinsic: Intrinsic,
    /// The address of what `func` runs, where several methods have the same `func`; else 0.
    pub runs: usize,
}

/// Native methods that the interpreter executes without their function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// Nothing special.
    None,
    /// `Class#new`
    New,
    /// `BasicObject#initialize`: does nothing if it is given nothing.
    Initialize,
    /// `Struct#initialize`: `new` with positional arguments fills the members.
    StructInitialize,
    /// `Fiber#initialize`: `new` with a block and no arguments makes the fiber at once.
    FiberInitialize,
    /// `Proc#call`, `()`, `[]`, `yield`, `===`
    ProcCall,
    /// `__send__`, `send`
    Send,
    /// A switch to another fiber.
    Switch(Switch),
}

/// How one fiber hands over to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Switch {
    /// `Fiber#resume`
    Resume = 0,
    /// `Fiber#transfer`
    Transfer = 1,
    /// `Fiber.yield`
    Yield = 2,
}

impl NativeDef {
    /// A public method taking `min` to `max` arguments (`ANY`: no upper limit).
    pub const fn new(name: &'static str, func: NativeFn, min: i16, max: i16) -> NativeDef {
        NativeDef {
            name,
            func,
            min,
            max,
            keywords: &[],
            leaf: false,
            private: false,
            unimplemented: false,
            special: Special::None,
            intrinsic: Intrinsic::None,
            runs: 0,
        }
    }

    /// Marks it as one that never calls back into Ruby, never takes a block and never needs its frame.
    /// A leaf may raise and may allocate.
    pub const fn leaf(mut self) -> NativeDef {
        self.leaf = true;
        self
    }

    /// Says that the interpreter has a way of its own for it.
    pub const fn special(mut self, special: Special) -> NativeDef {
        self.special = special;
        self
    }

    /// Says that compiled code has a way of its own for it.
    pub const fn intrinsic(mut self, intrinsic: Intrinsic) -> NativeDef {
        self.intrinsic = intrinsic;
        self
    }

    /// Makes it private.
    pub const fn private(mut self) -> NativeDef {
        self.private = true;
        self
    }

    /// Says that it only raises NotImplementedError.
    pub const fn unimplemented(mut self) -> NativeDef {
        self.unimplemented = true;
        self
    }

    /// A method that CRuby has, and that is not there: it says so in CRuby's words, and `respond_to?` denies it.
    pub const fn missing(name: &'static str) -> NativeDef {
        NativeDef::new(name, raise_unimplemented, 0, ANY).unimplemented()
    }

    /// Says which keyword arguments it takes besides. What it is called with is checked before it runs: a Hash of
    /// keywords comes behind the other arguments, and has no others.
    pub const fn keywords(mut self, names: &'static [&'static str]) -> NativeDef {
        self.keywords = names;
        self
    }

    /// Does it take `n` arguments, without keywords?
    #[inline(always)]
    pub fn accepts(&self, n: usize) -> bool {
        n >= self.min as usize && (self.max < 0 || n <= self.max as usize)
    }
}

impl Ec {
    /// Whether a native method is called with as many arguments as it takes, and with keywords that it knows.
    ///
    /// # Errors
    /// ArgumentError if not.
    #[inline]
    pub(crate) fn check_native_args(&mut self, def: &NativeDef, args: Args<'_>) -> Res<()> {
        if args.keywords && !def.keywords.is_empty() {
            self.check_native_keywords(def, args)
        } else if def.accepts(args.len()) {
            Ok(())
        } else {
            Err(self.native_arity_error(def, args.len()))
        }
    }

    #[cold]
    fn native_arity_error(&mut self, def: &NativeDef, given: usize) -> Raised {
        self.arity_error(given, def.min as usize, usize::try_from(def.max).ok())
    }

    #[inline(never)]
    fn check_native_keywords(&mut self, def: &NativeDef, args: Args<'_>) -> Res<()> {
        let (positional, Some(given)) = args.split_keywords() else { return Ok(()) };
        if !def.accepts(positional.len()) {
            return Err(self.native_arity_error(def, positional.len()));
        }
        if def.keywords == ANY_KEYWORDS {
            return Ok(());
        }
        let mut unknown: Vec<Vec<u8>> = Vec::new();
        let mut at = 0;
        while let Some((next, key, _)) = hash::iter_next(given, at) {
            at = next;
            // By their text: this needs no look into the table of symbols for each keyword.
            let knows = |name: &[u8]| def.keywords.iter().any(|k| k.as_bytes() == name);
            if !key.as_symbol().is_some_and(|key| key.with_name(|name, _| knows(name))) {
                unknown.push(self.inspect_for_error(key)?);
            }
        }
        if unknown.is_empty() { Ok(()) } else { Err(self.unknown_keywords(&unknown)) }
    }

    /// The values of the keywords `names` that a native method was given; nil where one is missing.
    ///
    /// # Errors
    /// None: keys are compared by their texts.
    pub fn keyword_values<const N: usize>(&mut self, given: Option<Value>, names: [&str; N]) -> Res<[Value; N]> {
        let mut found = [Value::NIL; N];
        let Some(given) = given else { return Ok(found) };
        let mut at = 0;
        while let Some((next, key, value)) = hash::iter_next(given, at) {
            at = next;
            let place = |name: &[u8]| names.iter().position(|n| n.as_bytes() == name);
            if let Some(i) = key.as_symbol().and_then(|key| key.with_name(|name, _| place(name))) {
                found[i] = value;
            }
        }
        Ok(found)
    }
}

fn raise_unimplemented(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.unimplemented_method())
}

/// The arguments of a native call. They lie on the caller's VM stack and stay there during the call.
///
/// Passed on by reference: a copy would be read, by words as wide as the machine has, just after it was written field by field, and wait for
/// that.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    argv: &'a [Value],
    block: Block,
    keywords: bool,
}

/// What a native method gets of its arguments.
pub type Args<'a> = &'a Arguments<'a>;

impl<'a> Arguments<'a> {
    /// Positional arguments only.
    pub fn new(argv: &'a [Value]) -> Arguments<'a> {
        Arguments { argv, block: Block::NONE, keywords: false }
    }

    /// With a block; `keywords`: the last argument is the Hash of the keyword arguments.
    #[inline(always)]
    pub fn with(argv: &'a [Value], block: Block, keywords: bool) -> Arguments<'a> {
        Arguments { argv, block, keywords }
    }

    /// All arguments; keyword arguments are one Hash at the end.
    #[inline(always)]
    pub fn slice(&self) -> &'a [Value] {
        self.argv
    }

    /// How many.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.argv.len()
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.argv.is_empty()
    }

    /// Argument `i`, if it was given.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<Value> {
        self.argv.get(i).copied()
    }

    /// Argument `i`, or nil.
    #[inline(always)]
    pub fn or_nil(&self, i: usize) -> Value {
        self.get(i).unwrap_or(Value::NIL)
    }

    /// The block.
    #[inline(always)]
    pub fn block(&self) -> Option<Block> {
        (!self.block.is_none()).then_some(self.block)
    }

    /// Were keyword arguments passed (as the last argument)?
    pub fn has_keywords(&self) -> bool {
        self.keywords
    }

    /// The positional arguments and the keyword Hash.
    pub fn split_keywords(&self) -> (&'a [Value], Option<Value>) {
        match self.argv.split_last() {
            Some((&last, rest)) if self.keywords => (rest, Some(last)),
            _ => (self.argv, None),
        }
    }
}

impl std::ops::Index<usize> for Arguments<'_> {
    type Output = Value;

    #[inline(always)]
    fn index(&self, i: usize) -> &Value {
        &self.argv[i]
    }
}
