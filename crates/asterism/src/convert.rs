//! Values from Rust to Ruby and back.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, float, hash, string};
use asterism_symbol::intern;
use asterism_vm::Ec;
use num_bigint::BigInt;

use crate::error::Error;
use crate::vm::{Object, Vm};

/// The thread is in a VM.
pub struct Scope<'a, 'vm> {
    pub(crate) ec: &'a mut Ec,
    pub(crate) vm: &'vm Vm,
}

mod sealed {
    /// The traits are implemented here only: what they work on are the VM's own words.
    pub trait Sealed {}
}
use sealed::Sealed;

/// What a Ruby object can be made of: numbers, booleans, strings, [`Bytes`], [`Symbol`], `Option` (nil for `None`), Arrays
/// of `Vec`, array and tuple, Hashes of maps, and [`Object`].
pub trait IntoRuby<'vm>: Sealed {
    /// Makes the object.
    ///
    /// # Errors
    /// NoMemoryError; `Error::OtherVm`.
    #[doc(hidden)]
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error>;
}

/// What can be made of a Ruby object. Nothing is converted by calling methods of it: an `i64` is made of an Integer, a
/// `String` of a String that is UTF-8, a `Vec` of an Array.
pub trait FromRuby<'vm>: Sealed + Sized {
    /// Makes the value.
    ///
    /// # Errors
    /// `Error::Conversion` if the object is something else, a number too big or a String that is no UTF-8, say.
    #[doc(hidden)]
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error>;
}

/// Arguments of a call: a tuple (`()`, `(1,)`, `(1, "two")`, …), a `Vec` or an array.
pub trait Arguments<'vm>: Sealed {
    /// Appends them to an Array that nobody else knows.
    ///
    /// # Errors
    /// NoMemoryError; `Error::OtherVm` for an object of another VM.
    #[doc(hidden)]
    fn push_all(self, scope: &mut Scope<'_, 'vm>, list: Value) -> Result<(), Error>;
}

/// A String of bytes, in the encoding BINARY; as a result, the bytes of any String.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

/// A Symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub String);

impl<'vm> Scope<'_, 'vm> {
    pub(crate) fn value(&mut self, value: impl IntoRuby<'vm>) -> Result<Value, Error> {
        value.into_ruby(self)
    }

    pub(crate) fn convert<T: FromRuby<'vm>>(&mut self, value: Value) -> Result<T, Error> {
        T::from_ruby(self, value)
    }

    /// The object is not what was asked for.
    fn refuse(&mut self, expected: &str, value: Value) -> Error {
        let found = match value {
            Value::NIL => "nil".into(),
            Value::TRUE => "true".into(),
            Value::FALSE => "false".into(),
            _ => self.ec.class_name_of(value),
        };
        Error::conversion(expected, found)
    }

    fn array(&mut self) -> Result<Value, Error> {
        let made = self.ec.array(&[]);
        self.ok(made)
    }

    fn push(&mut self, list: Value, value: impl IntoRuby<'vm>) -> Result<(), Error> {
        let value = value.into_ruby(self)?;
        let done = self.ec.array_push(list, value);
        self.ok(done)
    }

    fn text(&mut self, text: &[u8]) -> Result<Value, Error> {
        let made = self.ec.str(text);
        self.ok(made)
    }

    fn hash<K: IntoRuby<'vm>, V: IntoRuby<'vm>>(
        &mut self,
        pairs: impl Iterator<Item = (K, V)>,
    ) -> Result<Value, Error> {
        let made = self.ec.new_hash();
        let made = self.ok(made)?;
        for (key, value) in pairs {
            let key = key.into_ruby(self)?;
            let value = value.into_ruby(self)?;
            let done = self.ec.hash_set(made, key, value);
            self.ok(done)?;
        }
        Ok(made)
    }

    /// An Array's elements as they are now, in an Array of their own.
    fn elements(&mut self, value: Value, expected: &str) -> Result<Value, Error> {
        if !value.is_type(Type::Array) {
            return Err(self.refuse(expected, value));
        }
        let taken = array::snapshot(self.ec, value);
        let taken = self.ec.check(value, taken);
        self.ok(taken)
    }

    fn element<T: FromRuby<'vm>>(&mut self, elements: Value, n: usize) -> Result<T, Error> {
        let value = array::at(elements, n).unwrap_or(Value::NIL);
        self.convert(value).map_err(|e| e.at(|| format!("[{n}]")))
    }

    fn pairs<K: FromRuby<'vm>, V: FromRuby<'vm>>(&mut self, value: Value) -> Result<Vec<(K, V)>, Error> {
        if !value.is_type(Type::Hash) {
            return Err(self.refuse("Hash", value));
        }
        let flat = hash::to_pairs(self.ec, value);
        let flat = self.ec.check(value, flat);
        let flat = self.ok(flat)?;
        let mut pairs = Vec::with_capacity(array::len(flat) / 2);
        for n in (0..array::len(flat)).step_by(2) {
            let key = array::at(flat, n).unwrap_or(Value::NIL);
            let value = array::at(flat, n + 1).unwrap_or(Value::NIL);
            let shown = |scope: &mut Self| match scope.ec.inspect_for_error(key) {
                Ok(text) => String::from_utf8_lossy(&text).into_owned(),
                Err(_) => {
                    scope.ec.take_pending();
                    "?".into()
                }
            };
            let k = match self.convert(key) {
                Ok(k) => k,
                Err(e) => {
                    let shown = shown(self);
                    return Err(e.at(|| format!(".key({shown})")));
                }
            };
            match self.convert(value) {
                Ok(v) => pairs.push((k, v)),
                Err(e) => {
                    let shown = shown(self);
                    return Err(e.at(|| format!("[{shown}]")));
                }
            }
        }
        Ok(pairs)
    }
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Sealed for $t {}
        impl<'vm> IntoRuby<'vm> for $t {
            fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
                let made = match i64::try_from(self) {
                    Ok(n) => scope.ec.int(n),
                    Err(_) => scope.ec.bigint(BigInt::from(self)),
                };
                scope.ok(made)
            }
        }
        impl<'vm> FromRuby<'vm> for $t {
            fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
                let number = match value.fixnum_value() {
                    Some(n) => <$t>::try_from(n).ok(),
                    None if bigint::is_integer(value) => <$t>::try_from(bigint::get(&value)).ok(),
                    None => return Err(scope.refuse("Integer", value)),
                };
                number.ok_or_else(|| {
                    let found = match value.fixnum_value() {
                        Some(n) => n.to_string(),
                        None => bigint::get(&value).to_string(),
                    };
                    Error::conversion(format!("an Integer from {} to {}", <$t>::MIN, <$t>::MAX), found)
                })
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

macro_rules! floats {
    ($($t:ty),*) => {$(
        impl Sealed for $t {}
        impl<'vm> IntoRuby<'vm> for $t {
            fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
                let made = scope.ec.float(f64::from(self));
                scope.ok(made)
            }
        }
        impl<'vm> FromRuby<'vm> for $t {
            fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
                if !float::is_float(value) {
                    return Err(scope.refuse("Float", value));
                }
                Ok(float::get(value) as $t)
            }
        }
    )*};
}
floats!(f32, f64);

impl Sealed for bool {}
impl<'vm> IntoRuby<'vm> for bool {
    fn into_ruby(self, _scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        Ok(Value::bool(self))
    }
}
impl<'vm> FromRuby<'vm> for bool {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        match value {
            Value::TRUE => Ok(true),
            Value::FALSE => Ok(false),
            _ => Err(scope.refuse("true or false", value)),
        }
    }
}

impl Sealed for &str {}
impl<'vm> IntoRuby<'vm> for &str {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        scope.text(self.as_bytes())
    }
}

impl Sealed for String {}
impl<'vm> IntoRuby<'vm> for String {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        scope.text(self.as_bytes())
    }
}
impl<'vm> FromRuby<'vm> for String {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        if !value.is_type(Type::String) {
            return Err(scope.refuse("String", value));
        }
        let encoding = string::encoding(value);
        let bytes = string::to_vec(scope.ec, value);
        // Bytes of ASCII are the same in UTF-8; in other encodings a byte means something else.
        if encoding == asterism_symbol::UTF_8 || bytes.is_ascii() && encoding <= asterism_symbol::US_ASCII {
            if let Ok(text) = String::from_utf8(bytes) {
                return Ok(text);
            }
            return Err(Error::conversion("a String of UTF-8", "a String with broken characters"));
        }
        let name = scope.ec.call(value, intern("encoding"), &[]).and_then(|e| scope.ec.to_s(e));
        let name = scope.ok(name)?;
        let name = string::to_string_lossy(scope.ec, name);
        Err(Error::conversion("a String of UTF-8", format!("a String of {name}")))
    }
}

impl Sealed for Bytes {}
impl<'vm> IntoRuby<'vm> for Bytes {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        let made = scope.ec.str_enc(&self.0, asterism_symbol::BINARY);
        scope.ok(made)
    }
}
impl<'vm> FromRuby<'vm> for Bytes {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        if !value.is_type(Type::String) {
            return Err(scope.refuse("String", value));
        }
        Ok(Bytes(string::to_vec(scope.ec, value)))
    }
}

impl Sealed for Symbol {}
impl<'vm> IntoRuby<'vm> for Symbol {
    fn into_ruby(self, _scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        Ok(Value::sym(intern(&self.0)))
    }
}
impl<'vm> FromRuby<'vm> for Symbol {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        match value.as_symbol() {
            Some(name) => Ok(Symbol(name.with_name(|bytes, _| String::from_utf8_lossy(bytes).into_owned()))),
            None => Err(scope.refuse("Symbol", value)),
        }
    }
}

impl<T: Sealed> Sealed for Option<T> {}
impl<'vm, T: IntoRuby<'vm>> IntoRuby<'vm> for Option<T> {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        self.map_or(Ok(Value::NIL), |value| value.into_ruby(scope))
    }
}
impl<'vm, T: FromRuby<'vm>> FromRuby<'vm> for Option<T> {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        if value.is_nil() { Ok(None) } else { T::from_ruby(scope, value).map(Some) }
    }
}

impl<T: Sealed> Sealed for Vec<T> {}
impl<'vm, T: IntoRuby<'vm>> IntoRuby<'vm> for Vec<T> {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        let list = scope.array()?;
        self.push_all(scope, list)?;
        Ok(list)
    }
}
impl<'vm, T: FromRuby<'vm>> FromRuby<'vm> for Vec<T> {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        let elements = scope.elements(value, "Array")?;
        (0..array::len(elements)).map(|n| scope.element(elements, n)).collect()
    }
}
impl<'vm, T: IntoRuby<'vm>> Arguments<'vm> for Vec<T> {
    fn push_all(self, scope: &mut Scope<'_, 'vm>, list: Value) -> Result<(), Error> {
        self.into_iter().try_for_each(|value| scope.push(list, value))
    }
}

impl<T: Sealed, const N: usize> Sealed for [T; N] {}
impl<'vm, T: IntoRuby<'vm>, const N: usize> IntoRuby<'vm> for [T; N] {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        let list = scope.array()?;
        self.push_all(scope, list)?;
        Ok(list)
    }
}
impl<'vm, T: IntoRuby<'vm>, const N: usize> Arguments<'vm> for [T; N] {
    fn push_all(self, scope: &mut Scope<'_, 'vm>, list: Value) -> Result<(), Error> {
        self.into_iter().try_for_each(|value| scope.push(list, value))
    }
}

impl<K: Sealed, V: Sealed, S> Sealed for HashMap<K, V, S> {}
impl<'vm, K: IntoRuby<'vm>, V: IntoRuby<'vm>, S> IntoRuby<'vm> for HashMap<K, V, S> {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        scope.hash(self.into_iter())
    }
}
impl<'vm, K: FromRuby<'vm> + Eq + Hash, V: FromRuby<'vm>, S: BuildHasher + Default> FromRuby<'vm> for HashMap<K, V, S> {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        Ok(scope.pairs(value)?.into_iter().collect())
    }
}

impl<K: Sealed, V: Sealed> Sealed for BTreeMap<K, V> {}
impl<'vm, K: IntoRuby<'vm>, V: IntoRuby<'vm>> IntoRuby<'vm> for BTreeMap<K, V> {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        scope.hash(self.into_iter())
    }
}
impl<'vm, K: FromRuby<'vm> + Ord, V: FromRuby<'vm>> FromRuby<'vm> for BTreeMap<K, V> {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        Ok(scope.pairs(value)?.into_iter().collect())
    }
}

impl Sealed for Object<'_> {}
impl<'vm> IntoRuby<'vm> for Object<'_> {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        (&self).into_ruby(scope)
    }
}
impl<'vm> FromRuby<'vm> for Object<'vm> {
    fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
        Ok(scope.vm.hold(value))
    }
}
impl Sealed for &Object<'_> {}
impl<'vm> IntoRuby<'vm> for &Object<'_> {
    fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        if !Arc::ptr_eq(self.vm().handles(), scope.vm.handles()) {
            return Err(Error::OtherVm);
        }
        Ok(self.value())
    }
}

impl Sealed for () {}
impl<'vm> IntoRuby<'vm> for () {
    fn into_ruby(self, _scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
        Ok(Value::NIL)
    }
}
impl<'vm> Arguments<'vm> for () {
    fn push_all(self, _scope: &mut Scope<'_, 'vm>, _list: Value) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! tuples {
    ($(($count:literal $($name:ident $n:tt),+))*) => {$(
        impl<$($name: Sealed),+> Sealed for ($($name,)+) {}
        impl<'vm, $($name: IntoRuby<'vm>),+> Arguments<'vm> for ($($name,)+) {
            fn push_all(self, scope: &mut Scope<'_, 'vm>, list: Value) -> Result<(), Error> {
                $(scope.push(list, self.$n)?;)+
                Ok(())
            }
        }
        impl<'vm, $($name: IntoRuby<'vm>),+> IntoRuby<'vm> for ($($name,)+) {
            fn into_ruby(self, scope: &mut Scope<'_, 'vm>) -> Result<Value, Error> {
                let list = scope.array()?;
                Arguments::push_all(self, scope, list)?;
                Ok(list)
            }
        }
        impl<'vm, $($name: FromRuby<'vm>),+> FromRuby<'vm> for ($($name,)+) {
            fn from_ruby(scope: &mut Scope<'_, 'vm>, value: Value) -> Result<Self, Error> {
                let expected = concat!("an Array of ", $count);
                let elements = scope.elements(value, expected)?;
                if array::len(elements) != $count {
                    return Err(Error::conversion(expected, format!("an Array of {}", array::len(elements))));
                }
                Ok(($(scope.element::<$name>(elements, $n)?,)+))
            }
        }
    )*};
}
tuples! {
    (1 A 0)
    (2 A 0, B 1)
    (3 A 0, B 1, C 2)
    (4 A 0, B 1, C 2, D 3)
    (5 A 0, B 1, C 2, D 3, E 4)
    (6 A 0, B 1, C 2, D 3, E 4, F 5)
}
