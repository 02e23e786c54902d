//! What API functions are given: types that say what a function in C promises by passing one. Only functions in C make them.

use std::ffi::{CStr, c_char, c_void};

use asterism_object::Value;
use asterism_symbol::Sym;
use asterism_vm::{Ec, Res};

/// A NUL-terminated string that stays as it is during the call.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    /// The bytes without the NUL; none of a null pointer.
    pub fn bytes<'a>(self) -> &'a [u8] {
        if self.0.is_null() {
            return b"";
        }
        // SAFETY: what the type says; the slice is used during the call only.
        unsafe { CStr::from_ptr(self.0) }.to_bytes()
    }

    /// As text.
    pub fn text<'a>(self) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.bytes())
    }

    /// The Symbol of that name.
    pub fn sym(self) -> Sym {
        symbol(self.bytes())
    }

    /// Is it the null pointer?
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// A pointer to values that may be read during the call.
#[repr(transparent)]
pub struct In<T>(pub *const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> In<T> {
    /// The first `n` of them; none of a null pointer.
    pub fn slice<'a>(self, n: i64) -> &'a [T] {
        if self.0.is_null() || n <= 0 {
            return &[];
        }
        // SAFETY: what the type says: a function in C gives the number with the pointer. Used during the call only.
        unsafe { std::slice::from_raw_parts(self.0, n as usize) }
    }

    /// What it points to.
    pub fn get<'a>(self) -> &'a T {
        // SAFETY: what the type says; where null is allowed, `is_null` was asked.
        unsafe { &*self.0 }
    }

    /// Is it the null pointer?
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// A pointer to a value that may be written during the call.
#[repr(transparent)]
pub struct Out<T>(pub *mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    /// Writes it, unless the pointer is null.
    pub fn set(self, v: T) {
        if !self.0.is_null() {
            // SAFETY: what the type says.
            unsafe { self.0.write(v) };
        }
    }

    /// Writes the element of that number.
    pub fn set_at(self, i: usize, v: T) {
        // SAFETY: what the type says: a function in C gives the number of elements with the pointer.
        unsafe { self.0.add(i).write(v) };
    }

    /// Reads it.
    pub fn get(self) -> T
    where
        T: Copy,
    {
        // SAFETY: what the type says.
        unsafe { self.0.read() }
    }

    /// Is it the null pointer?
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// A pointer that is only kept and handed back.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Opaque(pub *mut c_void);

impl Opaque {
    /// As a word.
    pub fn word(self) -> u64 {
        self.0.expose_provenance() as u64
    }
}

// SAFETY: it is only handed back.
unsafe impl Send for Opaque {}
// SAFETY: as above.
unsafe impl Sync for Opaque {}

/// A function in C, of the type that the API function wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Func(pub *const ());

impl Func {
    /// Is it the null pointer?
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// As a word.
    pub fn word(self) -> u64 {
        self.0.expose_provenance() as u64
    }

    /// The function of a word that `word` gave.
    pub fn of_word(word: u64) -> Func {
        Func(std::ptr::with_exposed_provenance(word as usize))
    }
}

// SAFETY: an address of code.
unsafe impl Send for Func {}
// SAFETY: as above.
unsafe impl Sync for Func {}

/// The Symbol of these bytes, in UTF-8 (US-ASCII where they are).
pub fn symbol(bytes: &[u8]) -> Sym {
    asterism_symbol::try_intern(bytes, asterism_symbol::UTF_8).unwrap_or(asterism_symbol::sym::EMPTY)
}

/// An `ID`: that of an operator of one character is the character, as in CRuby, any other one is the Symbol's word.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Id(pub u64);

impl Id {
    /// None.
    pub const NONE: Id = Id(0);

    /// The Symbol's.
    pub fn of(sym: Sym) -> Id {
        match sym.bytes() {
            [b @ (b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'!' | b'~' | b'^' | b'&' | b'|' | b'`')] => {
                Id(u64::from(*b))
            }
            _ => Id(Value::sym(sym).bits()),
        }
    }

    /// The Symbol; the empty one of what is no `ID`.
    pub fn sym(self) -> Sym {
        match u8::try_from(self.0) {
            Ok(byte @ 33..) => symbol(&[byte]),
            _ => Value::immediate(self.0).and_then(|v| v.as_sym()).unwrap_or(asterism_symbol::sym::EMPTY),
        }
    }

    /// Is it 0, or no `ID`?
    pub fn is_none(self) -> bool {
        self.0 < 33 && self.0 != 12
    }
}

/// A copy of bytes that C has given, with room for `more`.
///
/// # Errors
/// NoMemoryError: there may be any number.
pub fn copy(ec: &mut Ec, bytes: &[u8], more: usize) -> Res<Vec<u8>> {
    let mut copy = Vec::new();
    if copy.try_reserve_exact(bytes.len() + more).is_err() {
        return Err(ec.no_memory());
    }
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// A `VALUE`, nil where a word of 0 is a null pointer to C.
pub fn or_nil(v: Value) -> Value {
    if v.bits() == 0 { Value::NIL } else { v }
}
