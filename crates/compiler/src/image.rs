//! Compiled code as bytes, so that the prelude is compiled when the implementation is built and not at
//! every start.
//!
//! ```text
//! image    names: count, (length, bytes)…        symbols as the code refers to them, by position
//!          codes: count, code…
//! numbers  LEB128; instruction words 8 bytes, little-endian
//! ```
//!
//! An image is read by the build that wrote it and by no other: there is no version in it. A damaged one
//! gives `None`, never code that was not written.

use std::collections::HashMap;
use std::sync::Arc;

use asterism_symbol::Sym;
use num_bigint::BigInt;

use crate::code::{
    CallSite, Code, CodeKind, ConstSite, Handler, HandlerKind, IvarSite, KeywordParam, KeywordRest, Literal, Local,
    Params,
};

/// Writes codes as an image.
pub fn encode(codes: &[Arc<Code>]) -> Vec<u8> {
    let mut writer = Writer::default();
    codes.to_vec().into_boxed_slice().put(&mut writer);
    let mut names = Writer::default();
    names.number(writer.names.len() as u64);
    for name in &writer.names {
        name.bytes().to_vec().put(&mut names);
        names.number(u64::from(name.name().encoding));
    }
    names.bytes.extend_from_slice(&writer.bytes);
    names.bytes
}

/// Reads an image. `None` if it is none.
pub fn decode(image: &[u8]) -> Option<Vec<Arc<Code>>> {
    let mut reader = Reader { bytes: image, names: Vec::new(), file: None };
    let count = reader.number()?;
    for _ in 0..count {
        let name = Vec::<u8>::take(&mut reader)?;
        let encoding = u8::take(&mut reader)?;
        reader.names.push(asterism_symbol::try_intern(&name, encoding)?);
    }
    Some(Box::<[Arc<Code>]>::take(&mut reader)?.into_vec())
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    names: Vec<Sym>,
    positions: HashMap<Sym, u64>,
}

impl Writer {
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.bytes.push(n as u8);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    names: Vec<Sym>,
    /// The file name read last: most codes share one.
    file: Option<Arc<str>>,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(n);
            }
            shift += 7;
        }
    }

    fn slice(&mut self, n: usize) -> Option<&[u8]> {
        let (taken, rest) = self.bytes.split_at_checked(n)?;
        self.bytes = rest;
        Some(taken)
    }
}

/// What can lie in an image.
trait Item: Sized {
    fn put(&self, to: &mut Writer);
    fn take(from: &mut Reader<'_>) -> Option<Self>;
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Item for $t {
            fn put(&self, to: &mut Writer) {
                to.number(u64::from(*self));
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                from.number()?.try_into().ok()
            }
        }
    )*};
}

numbers!(u8, u16, u32);

impl Item for bool {
    fn put(&self, to: &mut Writer) {
        to.bytes.push(u8::from(*self));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(from.byte()? != 0)
    }
}

impl Item for u64 {
    fn put(&self, to: &mut Writer) {
        to.bytes.extend_from_slice(&self.to_le_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(u64::from_le_bytes(from.slice(8)?.try_into().ok()?))
    }
}

impl Item for usize {
    fn put(&self, to: &mut Writer) {
        to.number(*self as u64);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.number()?.try_into().ok()
    }
}

impl Item for Sym {
    fn put(&self, to: &mut Writer) {
        let next = to.names.len() as u64;
        let position = *to.positions.entry(*self).or_insert(next);
        if position == next {
            to.names.push(*self);
        }
        to.number(position);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let position = usize::take(from)?;
        from.names.get(position).copied()
    }
}

impl Item for Vec<u8> {
    fn put(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        to.bytes.extend_from_slice(self);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let n = usize::take(from)?;
        Some(from.slice(n)?.to_vec())
    }
}

impl Item for Box<str> {
    fn put(&self, to: &mut Writer) {
        self.as_bytes().to_vec().put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(String::from_utf8(Vec::<u8>::take(from)?).ok()?.into_boxed_str())
    }
}

impl Item for Arc<str> {
    fn put(&self, to: &mut Writer) {
        self.as_bytes().to_vec().put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let n = usize::take(from)?;
        let last = from.file.clone();
        let text = std::str::from_utf8(from.slice(n)?).ok()?;
        if let Some(last) = last.filter(|l| **l == *text) {
            return Some(last);
        }
        let file: Arc<str> = text.into();
        from.file = Some(file.clone());
        Some(file)
    }
}

impl<T: Item> Item for Option<T> {
    fn put(&self, to: &mut Writer) {
        self.is_some().put(to);
        if let Some(v) = self {
            v.put(to);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        if bool::take(from)? { Some(Some(T::take(from)?)) } else { Some(None) }
    }
}

impl<T: Item> Item for Box<T> {
    fn put(&self, to: &mut Writer) {
        (**self).put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        T::take(from).map(Box::new)
    }
}

impl<T: Item> Item for Arc<T> {
    fn put(&self, to: &mut Writer) {
        (**self).put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        T::take(from).map(Arc::new)
    }
}

impl<T: Item> Item for Box<[T]> {
    fn put(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        for v in self {
            v.put(to);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let n = usize::take(from)?;
        // Every item takes a byte at least, so a damaged count asks for no more than there is.
        let mut list = Vec::with_capacity(n.min(from.bytes.len()));
        for _ in 0..n {
            list.push(T::take(from)?);
        }
        Some(list.into_boxed_slice())
    }
}

impl<A: Item, B: Item> Item for (A, B) {
    fn put(&self, to: &mut Writer) {
        self.0.put(to);
        self.1.put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl Item for BigInt {
    fn put(&self, to: &mut Writer) {
        self.to_signed_bytes_le().put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(BigInt::from_signed_bytes_le(&Vec::<u8>::take(from)?))
    }
}

macro_rules! structs {
    ($($t:ident { $($field:ident),* })*) => {$(
        impl Item for $t {
            fn put(&self, to: &mut Writer) {
                $(self.$field.put(to);)*
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                Some($t { $($field: Item::take(from)?),* })
            }
        }
    )*};
}

structs! {
    CallSite { name, argc, flags, keywords, block }
    IvarSite { name }
    ConstSite { path, absolute }
    KeywordParam { name, required }
    Params {
        required, optional, rest, post, keywords, keyword_rest, block, auto_splat, numbered, forwarding,
        anonymous_rest, anonymous_keyword_rest, anonymous_block
    }
    Handler { start, end, target, reg, kind }
    Local { name, captured }
    Code {
        kind, name, label, file, line, words, lines, params, locals, registers, literals, call_sites, ivar_sites,
        const_sites, once_cells, children, handlers, internal, uses_block, lambda, data_offset
    }
}

macro_rules! enums {
    ($($t:ident { $($variant:ident),* })*) => {$(
        impl Item for $t {
            fn put(&self, to: &mut Writer) {
                to.bytes.push(*self as u8);
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                let byte = from.byte()?;
                [$($t::$variant),*].into_iter().find(|v| *v as u8 == byte)
            }
        }
    )*};
}

enums! {
    CodeKind { Main, File, Method, Block, Class, Eval }
    HandlerKind { Rescue, Ensure }
    KeywordRest { None, Collect, Forbidden }
}

impl Item for Literal {
    fn put(&self, to: &mut Writer) {
        match self {
            Literal::Nil => to.bytes.push(0),
            Literal::True => to.bytes.push(1),
            Literal::False => to.bytes.push(2),
            Literal::Int(n) => {
                to.bytes.push(3);
                (*n as u64).put(to);
            }
            Literal::Big(n) => {
                to.bytes.push(4);
                n.put(to);
            }
            Literal::Float(f) => {
                to.bytes.push(5);
                f.to_bits().put(to);
            }
            Literal::Rational(n, d) => {
                to.bytes.push(6);
                n.put(to);
                d.put(to);
            }
            Literal::Imaginary(part) => {
                to.bytes.push(7);
                part.put(to);
            }
            Literal::Str(bytes, encoding, frozen) => {
                to.bytes.push(8);
                bytes.to_vec().put(to);
                encoding.put(to);
                frozen.put(to);
            }
            Literal::Sym(s) => {
                to.bytes.push(9);
                s.put(to);
            }
            Literal::Regexp(source, options, encoding) => {
                to.bytes.push(10);
                source.to_vec().put(to);
                options.put(to);
                encoding.put(to);
            }
            Literal::Range(low, high, exclusive) => {
                to.bytes.push(11);
                low.put(to);
                high.put(to);
                exclusive.put(to);
            }
            Literal::Array(items) => {
                to.bytes.push(12);
                items.put(to);
            }
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Literal::Nil,
            1 => Literal::True,
            2 => Literal::False,
            3 => Literal::Int(u64::take(from)? as i64),
            4 => Literal::Big(Item::take(from)?),
            5 => Literal::Float(f64::from_bits(Item::take(from)?)),
            6 => Literal::Rational(Item::take(from)?, Item::take(from)?),
            7 => Literal::Imaginary(Item::take(from)?),
            8 => {
                let bytes = Vec::<u8>::take(from)?.into_boxed_slice();
                Literal::Str(bytes, Item::take(from)?, Item::take(from)?)
            }
            9 => Literal::Sym(Item::take(from)?),
            10 => {
                let source = Vec::<u8>::take(from)?.into_boxed_slice();
                Literal::Regexp(source, Item::take(from)?, Item::take(from)?)
            }
            11 => Literal::Range(Item::take(from)?, Item::take(from)?, Item::take(from)?),
            12 => Literal::Array(Item::take(from)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests;
