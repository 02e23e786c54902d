//! Strings, symbols and regexps made by the code: interpolation, and `<<`.

use asterism_compiler::ops;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_support::int::decimal;

use super::state::{Execute, Interp, Next, Slow};
use crate::basic_ops::{BasicOp, Classes};
use crate::call::Invoked;
use crate::ec::{Ec, Raised, Res};
use crate::error::Exc;
use crate::frame::{Cont, state};

impl<'i> Execute<'i> for ops::ToS<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let v = at.get(self.value());
        if v.is_type(Type::String) {
            return at.store(self.dst(), v);
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::ToS<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        // These cannot change: whoever puts the parts together writes their text.
        let classes = Classes::INTEGER.and(Classes::SYMBOL);
        if (v.is_fixnum() || v.as_symbol().is_some()) && at.ec.vm().basic_ops.intact(BasicOp::TO_S, classes) {
            return at.store(self.dst(), v);
        }
        let st = state(self.dst().index() as u16, Cont::StoreString, 0);
        // SAFETY: the current frame is a Ruby frame, whose pc is saved; the site is one of its code.
        match unsafe { at.ec.send_operator0(at.frame(), self.site().index(), v, st)? } {
            Invoked::Done(text) if text.is_type(Type::String) => at.store(self.dst(), text),
            Invoked::Done(_) => {
                let text = plain_string(at.ec, v)?;
                at.store(self.dst(), text)
            }
            Invoked::Pushed => at.reload(),
        }
    }
}

/// The String that interpolation shows for an object whose `to_s` gives none.
#[cold]
#[inline(never)]
fn plain_string(ec: &mut Ec, v: Value) -> Res {
    let plain = ec.any_to_s(v);
    ec.str(plain)
}

impl<'i> Execute<'i> for ops::Concat<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (parts, count) = (at.from(self.parts()), self.count());
        // SAFETY: the registers are the instruction's operands, and set by nobody else meanwhile.
        let made = concat(at.ec, unsafe { std::slice::from_raw_parts_mut(parts, count) })?;
        at.store(self.dst(), made)
    }
}

impl<'i> Execute<'i> for ops::Intern<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let name = at.get(self.name());
        let symbol = at.ec.intern(name)?;
        at.store(self.dst(), symbol)
    }
}

impl<'i> Execute<'i> for ops::NewRegexp<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (parts, count) = (at.from(self.parts()), self.count());
        // SAFETY: the registers are the instruction's operands, and set by nobody else meanwhile.
        let parts = unsafe { std::slice::from_raw_parts_mut(parts, count) };
        make_strings(at.ec, parts)?;
        let made = (at.ec.vm().hooks.dynamic_regexp)(at.ec, parts, self.options())?;
        at.store(self.dst(), made)
    }
}

impl Ec {
    /// A new String with the bytes of a String literal.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn dup_literal(&mut self, literal: Value) -> Res {
        let copy = string::dup_literal(self, literal);
        self.check(literal, copy)
    }

    /// These Strings as one, in the encoding that they have together; UTF-8 for none.
    ///
    /// # Errors
    /// Encoding::CompatibilityError if they do not fit; NoMemoryError.
    pub fn str_join(&mut self, parts: &[Value]) -> Res {
        let total = parts.iter().fold(0usize, |total, part| total.saturating_add(string::len(*part)));
        let encoding = parts.first().map_or(asterism_symbol::UTF_8, |part| string::encoding(*part));
        let made = string::with_capacity(self, total, encoding);
        let made = self.check(Value::NIL, made)?;
        for part in parts {
            self.str_append(made, *part)?;
        }
        Ok(made)
    }

    /// Appends `src` to `dst`; their encodings must go together.
    ///
    /// # Errors
    /// Encoding::CompatibilityError; FrozenError; NoMemoryError.
    pub fn str_append(&mut self, dst: Value, src: Value) -> Res<()> {
        let (to, from) = (string::encoding(dst), string::encoding(src));
        if to == from || string::is_empty(src) || string::is_ascii_only(self, src) && ascii_compatible(to) {
            let done = string::append_str(self, dst, src);
            return self.check(dst, done);
        }
        if ascii_compatible(from) && string::is_ascii_only(self, dst) || string::is_empty(dst) {
            let done = string::append_str(self, dst, src);
            self.check(dst, done)?;
            let done = string::force_encoding(self, dst, from);
            return self.check(dst, done);
        }
        Err(self.incompatible_encodings(to, from))
    }

    /// `incompatible character encodings: UTF-8 and EUC-JP`
    #[cold]
    pub fn incompatible_encodings(&mut self, a: u8, b: u8) -> Raised {
        let shown = |e: u8| match asterism_support::encoding::Encoding::from_index(usize::from(e)) {
            Some(e) if e.name() == "ASCII-8BIT" => "BINARY (ASCII-8BIT)",
            Some(e) => e.name(),
            None => "?",
        };
        let message = format!("incompatible character encodings: {} and {}", shown(a), shown(b));
        let encoding = Class(self.class(WellKnown::Encoding));
        let class = self.own_constant(encoding, asterism_symbol::intern("CompatibilityError"));
        let class = class.unwrap_or_else(|| self.exc_class(Exc::EncodingError));
        self.raise_class(class, message.as_bytes())
    }
}

/// Do the encoding's ASCII characters have their ASCII bytes?
pub fn ascii_compatible(encoding: u8) -> bool {
    asterism_support::encoding::Encoding::from_index(usize::from(encoding)).is_some_and(|e| e.is_ascii_compatible())
}

/// What [`ops::ToS`] has left as it is becomes a String.
fn make_strings(ec: &mut Ec, parts: &mut [Value]) -> Res<()> {
    for part in parts {
        let v = *part;
        if let Some(n) = v.fixnum_value() {
            *part = ec.str_enc(decimal(n, &mut [0; 20]), asterism_symbol::US_ASCII)?;
        } else if let Some(symbol) = v.as_symbol() {
            *part = ec.symbol_name(v, symbol)?;
        }
    }
    Ok(())
}

/// What interpolation shows of these, joined.
#[inline(never)]
pub(crate) fn concat(ec: &mut Ec, parts: &mut [Value]) -> Res {
    if let Some(made) = string::put_together(ec, parts) {
        return ec.check(Value::NIL, made);
    }
    make_strings(ec, parts)?;
    if let Some(made) = string::joined(ec, parts) {
        return ec.check(Value::NIL, made);
    }
    let made = ec.str_join(parts)?;
    // Text written in the source is UTF-8 even where all its parts happen to be ASCII.
    if string::encoding(made) == asterism_symbol::US_ASCII {
        let other = parts.iter().map(|part| string::encoding(*part)).find(|e| *e != asterism_symbol::US_ASCII);
        if let Some(other) = other {
            let done = string::force_encoding(ec, made, other);
            ec.check(made, done)?;
        }
    }
    Ok(made)
}

/// `string << string` whose encodings need no look at the text; false: not done, take the general way.
#[inline(never)]
pub(crate) fn quick_append(ec: &mut Ec, dst: Value, src: Value) -> Res<bool> {
    if let Some(source) = src.cell()
        && string::append_own(ec, dst, source)
    {
        return Ok(true);
    }
    if !src.is_type(Type::String) || !string::appends_as_is(dst, src) {
        return Ok(false);
    }
    ec.check_frozen(dst)?;
    let done = string::append_str(ec, dst, src);
    ec.check(dst, done)?;
    Ok(true)
}
