//! Compiled code as bytes, so that the prelude is compiled when the implementation is built and not at
//! every start.
//!
//! ```text
//! image    counts: names, files, codes          u32 each, little-endian, as all of the head
//!          where each name and file starts, and where the last one ends
//!          where each code starts
//!          names and files: an encoding index, bytes
//!          codes: fields in order; a nested code is the place where it starts
//! numbers  LEB128; instruction words 8 bytes, little-endian
//! ```
//!
//! Only what is asked for is read: a nested code when it is first run, a name when a code that was read refers to it.
//! So an image may grow without anybody paying for what he does not use.
//!
//! An image is read by the build that wrote it and by no other: there is no version in it. A damaged one
//! gives `None`, never code that was not written.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use asterism_symbol::Sym;
use num_bigint::BigInt;

use crate::child::Child;
use crate::code::{
    CallSite, Changes, Code, CodeKind, ConstSite, Handler, HandlerKind, Held, IvarSite, KeywordParam, KeywordRest,
    Literal, Local, Mark, Params,
};
use crate::coverage::Counted;
use crate::machine::Machine;

/// Bytes of the counts at the start.
const COUNTS: usize = 12;

/// Writes codes as an image.
pub fn encode(codes: &[Arc<Code>]) -> Vec<u8> {
    let mut writer = Writer::default();
    let starts: Vec<u32> = codes.iter().map(|code| writer.code(code)).collect();
    let texts: Vec<(u8, &[u8])> = writer
        .names
        .iter()
        .map(|name| (name.name().encoding, name.bytes()))
        .chain(writer.files.iter().map(|file| (asterism_symbol::UTF_8, file.as_bytes())))
        .collect();
    let head = COUNTS + 4 * (texts.len() + 1 + starts.len());
    let names_end = head + texts.iter().map(|(_, bytes)| 1 + bytes.len()).sum::<usize>();
    let mut image = Vec::with_capacity(names_end + writer.done.len());
    let mut word = |n: usize| image.extend_from_slice(&(n as u32).to_le_bytes());
    word(writer.names.len());
    word(writer.files.len());
    word(starts.len());
    let mut at = head;
    for (_, bytes) in &texts {
        word(at);
        at += 1 + bytes.len();
    }
    word(at);
    for start in starts {
        word(names_end + start as usize);
    }
    for (encoding, bytes) in texts {
        image.push(encoding);
        image.extend_from_slice(bytes);
    }
    image.extend_from_slice(&writer.done);
    image
}

/// An image as a process reads it: codes of it keep referring to it.
#[derive(Debug)]
pub struct Image {
    bytes: &'static [u8],
    /// The symbol's number plus one for each name that was asked for.
    names: Box<[AtomicU32]>,
    files: Box<[Arc<str>]>,
    /// Where the starts of the codes lie, and how many there are.
    starts: (usize, usize),
    /// Where the codes begin: what the places of nested ones count from.
    codes: usize,
}

impl Image {
    /// Opens an image. `None` if it is none.
    pub fn open(bytes: &'static [u8]) -> Option<Image> {
        let (names, files, codes) = (word(bytes, 0)?, word(bytes, 4)?, word(bytes, 8)?);
        let texts = names.checked_add(files)?;
        let starts = COUNTS.checked_add(texts.checked_add(1)?.checked_mul(4)?)?;
        // Each of them takes four bytes, so a damaged count asks for no more than there is.
        if starts.checked_add(codes.checked_mul(4)?)? > bytes.len() {
            return None;
        }
        let mut image = Image {
            bytes,
            names: (0..names).map(|_| AtomicU32::new(0)).collect(),
            files: Box::default(),
            starts: (starts, codes),
            codes: word(bytes, starts - 4)?,
        };
        let file = |i: usize| Some(std::str::from_utf8(image.text(names + i)?.get(1..)?).ok()?.into());
        image.files = (0..files).map(file).collect::<Option<_>>()?;
        Some(image)
    }

    /// The codes it was made of. `None` if it is damaged.
    pub fn codes(&'static self) -> Option<Vec<Arc<Code>>> {
        let (at, count) = self.starts;
        (0..count).map(|i| self.read(word(self.bytes, at + 4 * i)?)).collect()
    }

    /// The code nested in another one that lies at `place`.
    pub(crate) fn nested(&'static self, place: u32) -> Option<Arc<Code>> {
        self.read(self.codes.checked_add(place as usize)?)
    }

    fn read(&'static self, at: usize) -> Option<Arc<Code>> {
        let mut reader = Reader { bytes: self.bytes.get(at..)?, image: self, start: at };
        Code::take(&mut reader).map(Arc::new)
    }

    fn text(&self, i: usize) -> Option<&'static [u8]> {
        let place = COUNTS + 4 * i;
        self.bytes.get(word(self.bytes, place)?..word(self.bytes, place + 4)?)
    }

    fn name(&self, i: usize) -> Option<Sym> {
        let known = self.names.get(i)?;
        // The symbol was made before its number was stored.
        if let Some(number) = known.load(Ordering::Acquire).checked_sub(1) {
            return Some(Sym(number));
        }
        let (&encoding, bytes) = self.text(i)?.split_first()?;
        let sym = asterism_symbol::try_intern_static(bytes, encoding)?;
        known.store(sym.0 + 1, Ordering::Release);
        Some(sym)
    }
}

/// The number at `at` of the image's head.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?) as usize)
}

#[derive(Default)]
struct Writer {
    /// The code under way.
    bytes: Vec<u8>,
    /// Finished codes.
    done: Vec<u8>,
    names: Vec<Sym>,
    positions: HashMap<Sym, u64>,
    files: Vec<Arc<str>>,
}

impl Writer {
    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.bytes.push(n as u8);
    }

    /// Writes a code and those nested in it; where it starts.
    fn code(&mut self, code: &Code) -> u32 {
        let around = std::mem::take(&mut self.bytes);
        code.put(self);
        let bytes = std::mem::replace(&mut self.bytes, around);
        let start = self.done.len() as u32;
        self.done.extend_from_slice(&bytes);
        start
    }
}

struct Reader {
    bytes: &'static [u8],
    image: &'static Image,
    /// Where the code under way starts. Nested ones lie in front of it, so that no damage makes a circle.
    start: usize,
}

impl Reader {
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

    fn slice(&mut self, n: usize) -> Option<&'static [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(n)?;
        self.bytes = rest;
        Some(taken)
    }
}

/// What can lie in an image.
trait Item: Sized {
    fn put(&self, to: &mut Writer);
    fn take(from: &mut Reader) -> Option<Self>;
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Item for $t {
            fn put(&self, to: &mut Writer) {
                to.number(u64::from(*self));
            }

            fn take(from: &mut Reader) -> Option<Self> {
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

    fn take(from: &mut Reader) -> Option<Self> {
        Some(from.byte()? != 0)
    }
}

impl Item for Changes {
    fn put(&self, to: &mut Writer) {
        to.bytes.push(match self {
            Changes::Frozen => 0,
            Changes::Warned => 1,
            Changes::Free => 2,
        });
    }

    fn take(from: &mut Reader) -> Option<Self> {
        match from.byte()? {
            0 => Some(Changes::Frozen),
            1 => Some(Changes::Warned),
            2 => Some(Changes::Free),
            _ => None,
        }
    }
}

impl Item for u64 {
    fn put(&self, to: &mut Writer) {
        to.bytes.extend_from_slice(&self.to_le_bytes());
    }

    fn take(from: &mut Reader) -> Option<Self> {
        Some(u64::from_le_bytes(from.slice(8)?.try_into().ok()?))
    }
}

impl Item for usize {
    fn put(&self, to: &mut Writer) {
        to.number(*self as u64);
    }

    fn take(from: &mut Reader) -> Option<Self> {
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

    fn take(from: &mut Reader) -> Option<Self> {
        let position = usize::take(from)?;
        from.image.name(position)
    }
}

impl Item for Vec<u8> {
    fn put(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        to.bytes.extend_from_slice(self);
    }

    fn take(from: &mut Reader) -> Option<Self> {
        let n = usize::take(from)?;
        Some(from.slice(n)?.to_vec())
    }
}

impl Item for Box<str> {
    fn put(&self, to: &mut Writer) {
        self.as_bytes().to_vec().put(to);
    }

    fn take(from: &mut Reader) -> Option<Self> {
        Some(String::from_utf8(Vec::<u8>::take(from)?).ok()?.into_boxed_str())
    }
}

impl Item for Arc<str> {
    fn put(&self, to: &mut Writer) {
        let position = to.files.iter().position(|f| f == self).unwrap_or_else(|| {
            to.files.push(self.clone());
            to.files.len() - 1
        });
        to.number(position as u64);
    }

    fn take(from: &mut Reader) -> Option<Self> {
        let position = usize::take(from)?;
        from.image.files.get(position).cloned()
    }
}

impl Item for Child {
    fn put(&self, to: &mut Writer) {
        let place = to.code(self);
        to.number(u64::from(place));
        self.ivar_names().put(to);
    }

    fn take(from: &mut Reader) -> Option<Self> {
        let place = u32::take(from)?;
        from.image.codes.checked_add(place as usize).filter(|&at| at < from.start)?;
        Some(Child::in_image(from.image, place, Item::take(from)?))
    }
}

impl<T: Item> Item for Option<T> {
    fn put(&self, to: &mut Writer) {
        self.is_some().put(to);
        if let Some(v) = self {
            v.put(to);
        }
    }

    fn take(from: &mut Reader) -> Option<Self> {
        if bool::take(from)? { Some(Some(T::take(from)?)) } else { Some(None) }
    }
}

impl<T: Item> Item for Box<T> {
    fn put(&self, to: &mut Writer) {
        (**self).put(to);
    }

    fn take(from: &mut Reader) -> Option<Self> {
        T::take(from).map(Box::new)
    }
}

impl<T: Item> Item for Box<[T]> {
    fn put(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        for v in self {
            v.put(to);
        }
    }

    fn take(from: &mut Reader) -> Option<Self> {
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

    fn take(from: &mut Reader) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl Item for BigInt {
    fn put(&self, to: &mut Writer) {
        self.to_signed_bytes_le().put(to);
    }

    fn take(from: &mut Reader) -> Option<Self> {
        Some(BigInt::from_signed_bytes_le(&Vec::<u8>::take(from)?))
    }
}

macro_rules! structs {
    ($($t:ident { $($field:ident),* })*) => {$(
        impl Item for $t {
            fn put(&self, to: &mut Writer) {
                $(self.$field.put(to);)*
            }

            fn take(from: &mut Reader) -> Option<Self> {
                Some($t { $($field: Item::take(from)?),* })
            }
        }
    )*};
}

structs! {
    CallSite { name, argc, flags, keywords, block, symbol }
    IvarSite { name }
    ConstSite { path, absolute }
    KeywordParam { name, required }
    Params {
        required, optional, rest, post, keywords, keyword_rest, block, auto_splat, numbered, forwarding,
        anonymous_rest, anonymous_keyword_rest, anonymous_block
    }
    Handler { start, end, target, reg, kind }
    Local { name, captured }
    Mark { pc, line }
    Code {
        kind, name, label, file, line, words, lines, marks, end_line, params, locals, registers, literals, call_sites, ivar_sites,
        const_sites, once_cells, children, handlers, ensures, internal, uses_block, lambda, data_offset, counted, machine, held
    }
}

macro_rules! enums {
    ($($t:ident { $($variant:ident),* })*) => {$(
        impl Item for $t {
            fn put(&self, to: &mut Writer) {
                to.bytes.push(*self as u8);
            }

            fn take(from: &mut Reader) -> Option<Self> {
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

// The core library is not measured.
impl Item for Option<Box<Counted>> {
    fn put(&self, _: &mut Writer) {}

    fn take(_: &mut Reader) -> Option<Self> {
        Some(None)
    }
}

impl Item for Machine {
    fn put(&self, _: &mut Writer) {}

    fn take(_: &mut Reader) -> Option<Self> {
        Some(Machine::default())
    }
}

impl Item for Held {
    fn put(&self, _: &mut Writer) {}

    fn take(_: &mut Reader) -> Option<Self> {
        Some(Held::default())
    }
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
            Literal::Rational(both) => {
                to.bytes.push(6);
                both.0.put(to);
                both.1.put(to);
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

    fn take(from: &mut Reader) -> Option<Self> {
        Some(match from.byte()? {
            0 => Literal::Nil,
            1 => Literal::True,
            2 => Literal::False,
            3 => Literal::Int(u64::take(from)? as i64),
            4 => Literal::Big(Item::take(from)?),
            5 => Literal::Float(f64::from_bits(Item::take(from)?)),
            6 => Literal::Rational(Box::new((Item::take(from)?, Item::take(from)?))),
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
