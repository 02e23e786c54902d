//! Everyday operations of native code: making values, asking their class, converting, comparing, showing.

use asterism_object::class::{Alloc, Class, UNINITIALIZED};
use asterism_object::space::WellKnown;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value, array, bigint, builtin, class_field, float, hash, object, range, string};
use asterism_symbol::sym;
use num_bigint::BigInt;

use crate::basic_ops::BasicOp;
use crate::ec::{Ec, Res};
use crate::interp::quick_equal;
use crate::method::Body;
use crate::recursion;

impl Ec {
    /// The class of a value: its singleton class, if it has one.
    #[inline(always)]
    pub fn class_of(&self, v: Value) -> Class {
        match v.cell() {
            Some(cell) => Class(class_field(cell)),
            None => Class(self.class(immediate_class(v))),
        }
    }

    /// The class as `Object#class` gives it.
    pub fn real_class_of(&self, v: Value) -> Class {
        self.class_of(v).real()
    }

    /// `is_a?`, without a call.
    pub fn is_kind_of(&self, v: Value, class: Value) -> bool {
        Class::from_value(class).is_some_and(|c| self.class_of(v).inherits_from(c))
    }

    /// A new plain object of `class`, without `initialize`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_object(&mut self, class: Value) -> Res {
        let slots = Class(class).instance_slots() as usize;
        let made = object::new(self, class, slots);
        self.check(Value::NIL, made)
    }

    /// `allocate`: a new instance of `class` of the right layout.
    ///
    /// # Errors
    /// TypeError if the class cannot be instantiated; NoMemoryError.
    pub fn allocate(&mut self, class: Class) -> Res {
        if class.is_singleton() {
            return Err(self.type_error("can't create instance of singleton class"));
        }
        if class == self.known(WellKnown::BasicObject) {
            self.note_blank();
        }
        self.allocate_as(class, class.alloc())
    }

    /// The same of the layout that `alloc` says.
    ///
    /// # Errors
    /// As `allocate`.
    pub fn allocate_as(&mut self, class: Class, alloc: Alloc) -> Res {
        let made = match alloc {
            Alloc::Object => return self.new_object(class.0),
            Alloc::String => string::new_in(self, class.0, b"", asterism_symbol::BINARY),
            Alloc::Array => array::new_in(self, class.0, 0),
            Alloc::Hash => hash::new_in(self, class.0, 0),
            Alloc::Range => range::new_in(self, class.0, Value::NIL, Value::NIL, false),
            Alloc::Struct | Alloc::Native => return (self.vm().hooks.allocate)(self, class),
            Alloc::Class => {
                let object = self.known(WellKnown::Object);
                let made = self.new_class(object)?;
                made.set_alloc(Alloc::Undefined);
                made.add_flags(UNINITIALIZED);
                return Ok(made.0);
            }
            Alloc::Module => {
                let module = self.new_module()?;
                if class.0 != self.class(WellKnown::Module) {
                    asterism_object::set_class(self, module.cell(), class);
                }
                return Ok(module.0);
            }
            Alloc::Undefined if class.flags() & UNINITIALIZED != 0 => {
                return Err(self.type_error("can't instantiate uninitialized class"));
            }
            Alloc::Undefined => {
                let name = self.class_name(class);
                return Err(self.type_error(format!("allocator undefined for {name}")));
            }
        };
        self.check(Value::NIL, made)
    }

    /// A String of UTF-8 bytes.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn str(&mut self, bytes: impl AsRef<[u8]>) -> Res {
        self.str_enc(bytes.as_ref(), asterism_symbol::UTF_8)
    }

    /// A String in an encoding.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn str_enc(&mut self, bytes: &[u8], encoding: u8) -> Res {
        let made = string::new(self, bytes, encoding);
        self.check(Value::NIL, made)
    }

    /// An Integer.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn int(&mut self, n: i64) -> Res {
        match Value::try_fixnum(n) {
            Some(v) => Ok(v),
            None => self.bigint(BigInt::from(n)),
        }
    }

    /// An Integer.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn wide_int(&mut self, n: i128) -> Res {
        let made = bigint::from_i128(self, n);
        self.check(Value::NIL, made)
    }

    /// An Integer of any size.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn bigint(&mut self, n: BigInt) -> Res {
        let made = bigint::new(self, n);
        self.check(Value::NIL, made)
    }

    /// An Integer from a size.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn size(&mut self, n: usize) -> Res {
        self.int(n as i64)
    }

    /// A Float.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn float(&mut self, f: f64) -> Res {
        match Value::try_flonum(f) {
            Some(v) => Ok(v),
            None => {
                let made = float::new(self, f);
                self.check(Value::NIL, made)
            }
        }
    }

    /// A Range.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn range(&mut self, low: Value, high: Value, exclusive: bool) -> Res {
        let made = range::new(self, low, high, exclusive);
        self.check(Value::NIL, made)
    }

    /// An empty Array with room for `n`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn array_with_capacity(&mut self, n: usize) -> Res {
        let made = array::with_capacity(self, n);
        self.check(Value::NIL, made)
    }

    /// An Array of these.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn array(&mut self, values: &[Value]) -> Res {
        let made = array::from_slice(self, values);
        self.check(Value::NIL, made)
    }

    /// Appends to an Array.
    ///
    /// # Errors
    /// FrozenError, NoMemoryError.
    #[inline]
    pub fn array_push(&mut self, a: Value, v: Value) -> Res<()> {
        let done = array::push(self, a, v);
        self.check(a, done)
    }

    /// An empty Hash.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new_hash(&mut self) -> Res {
        let made = hash::new(self);
        self.check(Value::NIL, made)
    }

    /// Identity, or `==`: a NaN or an object that is never `==` is still equal to itself.
    ///
    /// # Errors
    /// What a Ruby-level `==` raises; SystemStackError.
    #[inline]
    pub fn eq(&mut self, a: Value, b: Value) -> Res<bool> {
        if a == b {
            return Ok(true);
        }
        match quick_equal(self, BasicOp::EQ, a, b) {
            Some(answer) => Ok(answer),
            None => Ok(self.call(a, sym::EQ, &[b])?.truthy()),
        }
    }

    /// `eql?` as hashes compare keys.
    ///
    /// # Errors
    /// What a Ruby-level `eql?` raises; SystemStackError.
    pub fn eql(&mut self, a: Value, b: Value) -> Res<bool> {
        if a == b {
            return Ok(true);
        }
        match builtin::eql(self, a, b) {
            Some(answer) => Ok(answer),
            None => Ok(self.call(a, sym::eql_p, &[b])?.truthy()),
        }
    }

    /// `hash` as hashes ask it.
    ///
    /// # Errors
    /// What a Ruby-level `hash` raises; TypeError if it is no Integer.
    pub fn hash_of(&mut self, v: Value) -> Res<u64> {
        if let Some(h) = builtin::hash(self, v) {
            return Ok(h);
        }
        let class = self.class_of(v);
        let found = self.find_method(class, sym::hash).1;
        // A leaf, as Kernel's, asks nobody else.
        if found.is_some_and(|found| matches!(found.method.body(), Body::Native(def) if def.leaf)) {
            return self.call_hash(v);
        }
        Ok(recursion::guard_hash(self, v, |ec| ec.call_hash(v))?.unwrap_or(0))
    }

    fn call_hash(&mut self, v: Value) -> Res<u64> {
        let h = self.call(v, sym::hash, &[])?;
        match bigint::to_int(h) {
            Some(asterism_support::int::Int::Small(n)) => Ok(builtin::of_number(self, n)),
            Some(asterism_support::int::Int::Big(n)) => Ok(builtin::mix(n.iter_u64_digits().next().unwrap_or(0))),
            None => Err(self.no_conversion(h, "Integer")),
        }
    }

    /// `a <=> b` as a number: -1, 0, 1, or `None` if they do not compare.
    ///
    /// # Errors
    /// What a Ruby-level `<=>` raises, or `>` and `<` of its answer; NoMethodError if the answer has none.
    pub fn compare(&mut self, a: Value, b: Value) -> Res<Option<std::cmp::Ordering>> {
        if let (Some(x), Some(y)) = (a.fixnum_value(), b.fixnum_value()) {
            return Ok(Some(x.cmp(&y)));
        }
        if a.is_type(Type::String) && b.is_type(Type::String) {
            return Ok(Some(string::cmp(self, a, b)));
        }
        if float::is_float(a) && float::is_float(b) {
            return Ok(float::get(a).partial_cmp(&float::get(b)));
        }
        let answer = self.call(a, sym::CMP, &[b])?;
        if answer.is_nil() {
            return Ok(None);
        }
        self.compare_result(answer, a, b).map(Some)
    }

    /// What an answer of `<=>` or a sort block means.
    ///
    /// # Errors
    /// ArgumentError if it is no number.
    pub fn compare_result(&mut self, answer: Value, a: Value, b: Value) -> Res<std::cmp::Ordering> {
        if let Some(n) = answer.fixnum_value() {
            return Ok(n.cmp(&0));
        }
        if answer.is_nil() {
            return Err(self.compare_error(a, b));
        }
        if answer.is_type(Type::BigInt) {
            return Ok(bigint::get(&answer).sign().cmp(&num_bigint::Sign::NoSign));
        }
        if self.call(answer, sym::GT, &[Value::fixnum(0)])?.truthy() {
            return Ok(std::cmp::Ordering::Greater);
        }
        if self.call(answer, sym::LT, &[Value::fixnum(0)])?.truthy() {
            return Ok(std::cmp::Ordering::Less);
        }
        Ok(std::cmp::Ordering::Equal)
    }

    /// An object's class in messages where CRuby asks the class itself, by its `to_s`.
    ///
    /// # Errors
    /// What a Ruby-level `to_s` of the class raises; NoMemoryError.
    pub fn class_text_of(&mut self, object: Value) -> Res<String> {
        let class = self.real_class_of(object);
        let shown = self.to_s(class.0)?;
        Ok(string::to_string_lossy(self, shown))
    }

    /// `comparison of Foo with 1 failed`
    #[cold]
    pub fn compare_error(&mut self, a: Value, b: Value) -> crate::ec::Raised {
        let shown = if !b.is_heap() || b.is_type(Type::Float) {
            match self.inspect_for_error(b) {
                Ok(s) => String::from_utf8_lossy(&s).into_owned(),
                Err(raised) => return raised,
            }
        } else {
            match self.class_text_of(b) {
                Ok(s) => s,
                Err(raised) => return raised,
            }
        };
        let name = match self.class_text_of(a) {
            Ok(s) => s,
            Err(raised) => return raised,
        };
        self.arg_error(format!("comparison of {name} with {shown} failed"))
    }

    /// `#<Foo>` as `Kernel#to_s` writes it.
    pub fn any_to_s(&mut self, v: Value) -> String {
        let name = self.class_name_of(v);
        format!("#<{name}:0x{:016x}>", v.bits())
    }

    /// `to_s` as interpolation does it: a String always.
    ///
    /// # Errors
    /// What a Ruby-level `to_s` raises; NoMemoryError.
    pub fn to_s(&mut self, v: Value) -> Res {
        if v.is_type(Type::String) {
            return Ok(v);
        }
        if let Some(s) = v.as_symbol() {
            return self.symbol_name(v, s);
        }
        let answer = self.call(v, sym::to_s, &[])?;
        if answer.is_type(Type::String) {
            return Ok(answer);
        }
        let plain = self.any_to_s(v);
        self.str(plain)
    }

    /// `inspect`: a String always.
    ///
    /// # Errors
    /// What a Ruby-level `inspect` raises, or `to_s` of its answer; NoMemoryError.
    pub fn inspect(&mut self, v: Value) -> Res {
        let answer = self.call(v, sym::inspect, &[])?;
        if answer.is_type(Type::String) {
            return Ok(answer);
        }
        self.to_s(answer)
    }

    /// `inspect` for a message: bytes.
    ///
    /// # Errors
    /// As [`Ec::inspect`].
    pub fn inspect_for_error(&mut self, v: Value) -> Res<Vec<u8>> {
        let shown = self.inspect(v)?;
        Ok(string::to_vec(self, shown))
    }

    /// Does the object respond to `name`?
    ///
    /// # Errors
    /// What a Ruby-level `respond_to?` or `respond_to_missing?` raises; ArgumentError for a `respond_to?` that takes
    /// more than two arguments.
    pub fn respond_to(&mut self, v: Value, name: Sym, private_too: bool) -> Res<bool> {
        let class = self.class_of(v);
        // A `respond_to?` of the user's own has the last word.
        if let (_, Some(found)) = self.find_method(class, sym::respond_to_p)
            && !found.method.is_native_of_core()
        {
            // One that takes the name alone is of Ruby before 2.0.
            let given = [Value::sym(name), Value::bool(private_too)];
            let arity = found.method.arity();
            if arity > 2 {
                return Err(self.arg_error(format!("respond_to? must accept 1 or 2 arguments (requires {arity})")));
            }
            let given = if arity == 1 { &given[..1] } else { &given[..] };
            return Ok(self.call(v, sym::respond_to_p, given)?.truthy());
        }
        if let (_, Some(found)) = self.find_method(class, name) {
            return Ok(found.answers(private_too));
        }
        if let (_, Some(missing)) = self.find_method(class, sym::respond_to_missing_p)
            && !missing.method.is_native_of_core()
        {
            return Ok(self
                .call(v, sym::respond_to_missing_p, &[Value::sym(name), Value::bool(private_too)])?
                .truthy());
        }
        Ok(false)
    }

    /// Calls a conversion method if the object has it and checks the result's type; `None` if it has not.
    ///
    /// # Errors
    /// TypeError if the method returns something else; what it raises.
    pub fn try_convert(
        &mut self,
        v: Value,
        method: Sym,
        target: &str,
        is: impl Fn(Value) -> bool,
    ) -> Res<Option<Value>> {
        if is(v) {
            return Ok(Some(v));
        }
        let Some(answer) = self.call_if_known(v, method, &[])? else { return Ok(None) };
        if is(answer) {
            return Ok(Some(answer));
        }
        if answer.is_nil() {
            return Ok(None);
        }
        let got = self.class_name_of(answer);
        Err(self.conversion_mismatch(v, target, method, &got))
    }

    /// The object as an Array through `to_ary`, or `None`.
    ///
    /// # Errors
    /// As `try_convert`.
    pub fn check_array(&mut self, v: Value) -> Res<Option<Value>> {
        self.try_convert(v, sym::to_ary, "Array", |x| x.is_type(Type::Array))
    }

    /// The object as a String through `to_str`, or `None`.
    ///
    /// # Errors
    /// As `try_convert`.
    pub fn check_string(&mut self, v: Value) -> Res<Option<Value>> {
        self.try_convert(v, sym::to_str, "String", |x| x.is_type(Type::String))
    }

    /// The object as a Hash through `to_hash`, or `None`.
    ///
    /// # Errors
    /// As `try_convert`.
    pub fn check_hash(&mut self, v: Value) -> Res<Option<Value>> {
        self.try_convert(v, sym::to_hash, "Hash", |x| x.is_type(Type::Hash))
    }

    /// The object as an Array.
    ///
    /// # Errors
    /// TypeError if it has no implicit conversion.
    pub fn to_ary(&mut self, v: Value) -> Res {
        match self.check_array(v)? {
            Some(a) => Ok(a),
            None => Err(self.no_conversion(v, "Array")),
        }
    }

    /// The object as a String.
    ///
    /// # Errors
    /// TypeError if it has no implicit conversion.
    #[inline]
    pub fn to_str(&mut self, v: Value) -> Res {
        if v.is_type(Type::String) {
            return Ok(v);
        }
        match self.check_string(v)? {
            Some(s) => Ok(s),
            None => Err(self.no_conversion(v, "String")),
        }
    }

    /// The object as a Hash.
    ///
    /// # Errors
    /// TypeError if it has no implicit conversion.
    pub fn to_hash(&mut self, v: Value) -> Res {
        match self.check_hash(v)? {
            Some(h) => Ok(h),
            None => Err(self.no_conversion(v, "Hash")),
        }
    }

    /// The object as an Integer object (`to_int`; Floats are truncated).
    ///
    /// # Errors
    /// TypeError if it has no implicit conversion; FloatDomainError.
    pub fn to_integer(&mut self, v: Value) -> Res {
        if bigint::is_integer(v) {
            return Ok(v);
        }
        if float::is_float(v) {
            return self.float_to_integer(float::get(v));
        }
        match self.try_convert(v, sym::to_int, "Integer", bigint::is_integer)? {
            Some(n) => Ok(n),
            None => {
                if v.is_nil() {
                    return Err(self.type_error("no implicit conversion from nil to integer"));
                }
                Err(self.no_conversion(v, "Integer"))
            }
        }
    }

    /// A Float truncated to an Integer.
    ///
    /// # Errors
    /// FloatDomainError for NaN and infinities.
    pub fn float_to_integer(&mut self, f: f64) -> Res {
        if f.is_nan() || f.is_infinite() {
            let shown = if f.is_nan() {
                "NaN"
            } else if f > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            };
            return Err(self.raise(crate::error::Exc::FloatDomainError, shown));
        }
        if f.abs() < 4e18 {
            return self.int(f as i64);
        }
        match num_traits::FromPrimitive::from_f64(f.trunc()) {
            Some(n) => self.bigint(n),
            None => Err(self.fatal("a finite float has no integer part")),
        }
    }

    /// The object as a machine integer.
    ///
    /// # Errors
    /// TypeError if it has no implicit conversion; RangeError if it is too big.
    #[inline]
    pub fn to_i64(&mut self, v: Value) -> Res<i64> {
        if let Some(n) = v.fixnum_value() {
            return Ok(n);
        }
        if float::is_float(v) {
            // Exactly the bounds: 2⁶³ is a Float, 2⁶³ - 1 is none.
            let (f, limit) = (float::get(v), -(i64::MIN as f64));
            if f >= -limit && f < limit {
                return Ok(f as i64);
            }
            return Err(
                self.range_error(format!("float {} out of range of integer", asterism_support::sprintf::general(f)))
            );
        }
        let n = self.to_integer(v)?;
        match n.fixnum_value() {
            Some(n) => Ok(n),
            None => match i64::try_from(bigint::get(&n)) {
                Ok(n) => Ok(n),
                Err(_) => Err(self.range_error("bignum too big to convert into 'long'")),
            },
        }
    }

    /// The object as a C `int`, which radices and widths are.
    ///
    /// # Errors
    /// As `to_i64`; RangeError if it does not fit.
    pub fn to_i32(&mut self, v: Value) -> Res<i32> {
        let n = self.to_i64(v)?;
        i32::try_from(n).map_err(|_| {
            let size = if n > 0 { "big" } else { "small" };
            self.range_error(format!("integer {n} too {size} to convert to 'int'"))
        })
    }

    /// The object as an `f64`, as numeric functions take it: numbers only, through `to_f`.
    ///
    /// # Errors
    /// TypeError if it is no number.
    pub fn to_f64(&mut self, v: Value) -> Res<f64> {
        if let Some(f) = float::to_f64(v) {
            return Ok(f);
        }
        if self.is_kind_of(v, self.class(WellKnown::Numeric)) && self.respond_to(v, sym::to_f, true)? {
            let f = self.call(v, sym::to_f, &[])?;
            if float::is_float(f) {
                return Ok(float::get(f));
            }
        }
        let name = self.describe_for_conversion(v);
        Err(match v {
            Value::NIL => self.type_error("can't convert nil into Float"),
            Value::TRUE => self.type_error("can't convert true into Float"),
            Value::FALSE => self.type_error("can't convert false into Float"),
            _ => self.type_error(format!("can't convert {name} into Float")),
        })
    }

    /// A Symbol from a Symbol or String (method names and the like), never collected from now on.
    ///
    /// # Errors
    /// TypeError: `X is not a symbol nor a string`; what a Ruby-level `to_str` raises; RuntimeError if there are too
    /// many Symbols; NoMemoryError.
    pub fn to_sym(&mut self, v: Value) -> Res<Sym> {
        if let Some(s) = v.as_sym() {
            return Ok(s);
        }
        match self.check_string(v)? {
            Some(s) => {
                self.count_symbol(s)?;
                match string::to_sym(self, s) {
                    Some(sym) => Ok(sym),
                    None => Err(self.too_many_symbols()),
                }
            }
            None => {
                let shown = self.inspect_for_error(v)?;
                let message = [&shown[..], b" is not a symbol nor a string"].concat();
                Err(self.type_error(message))
            }
        }
    }

    /// A Symbol or String for what stands for a name: `to_str` is called here and not again.
    ///
    /// # Errors
    /// As `to_sym`.
    pub fn to_name(&mut self, v: Value) -> Res {
        if v.is_sym() {
            return Ok(v);
        }
        match self.check_string(v)? {
            Some(s) => Ok(s),
            None => self.to_sym(v).map(Value::sym),
        }
    }

    /// The symbol of a Symbol or String if anything can have that name, for a question: else none is made for it.
    ///
    /// # Errors
    /// As `to_sym`, but for those of making a Symbol.
    pub fn known_sym(&mut self, v: Value) -> Res<Option<Sym>> {
        if let Some(symbol) = v.as_symbol() {
            return Ok(symbol.if_kept());
        }
        match self.check_string(v)? {
            Some(s) => Ok(string::with_bytes(self, s, asterism_symbol::lookup)),
            None => self.to_sym(v).map(Some),
        }
    }

    /// A class's name for the layout of `v` without a class (internal cells), for debugging.
    pub fn layout_name(v: Value) -> String {
        match v.cell() {
            Some(cell) => format!("{:?}", type_of(cell)),
            None => format!("{v:?}"),
        }
    }
}

/// The class of a value that is no heap cell.
#[inline]
pub fn immediate_class(v: Value) -> WellKnown {
    if v.is_fixnum() {
        WellKnown::Integer
    } else if v.is_flonum() {
        WellKnown::Float
    } else if v.is_sym() {
        WellKnown::Symbol
    } else {
        match v {
            Value::NIL => WellKnown::NilClass,
            Value::TRUE => WellKnown::TrueClass,
            Value::FALSE => WellKnown::FalseClass,
            _ => WellKnown::Object,
        }
    }
}
