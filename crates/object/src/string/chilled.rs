//! Strings that a program is warned of when it changes them.

use asterism_heap::{Mutator, header};

use super::layout::{CHILLED, CHILLED_LITERAL, CHILLED_NAME, Str};
use super::read::dup_with;
use crate::error::Result;
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

/// What a String is of which a program is warned when it changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chilled {
    /// A literal in a file that does not say whether literals are frozen.
    Literal,
    /// What `Symbol#to_s` gives.
    Name,
}

impl Chilled {
    fn bit(self) -> u64 {
        match self {
            Chilled::Literal => CHILLED_LITERAL,
            Chilled::Name => CHILLED_NAME,
        }
    }

    fn of(header: u64) -> Option<Chilled> {
        match header & CHILLED {
            0 => None,
            CHILLED_NAME => Some(Chilled::Name),
            _ => Some(Chilled::Literal),
        }
    }
}

/// Is a program warned when it changes this object? It need not be a String.
#[inline(always)]
pub fn chilled(v: Value) -> Option<Chilled> {
    let header = v.cell()?.header();
    const { assert!(Type::String as u64 <= header::TYPE_MASK) };
    if header & header::TYPE_MASK != Type::String as u64 { None } else { Chilled::of(header) }
}

/// Has a String, or a literal that Strings are copied from, that property from now on.
pub fn chill(m: &mut Mutator, v: Value, as_what: Chilled) {
    if let Some(cell) = v.cell() {
        m.exclusive(cell).set_header_bits(as_what.bit());
    }
}

/// It is a String as any other from now on; what it was, for the one who makes it so.
pub fn thaw(m: &mut Mutator, v: Value) -> Option<Chilled> {
    let guard = m.exclusive(v.cell()?);
    let was = Chilled::of(guard.header());
    guard.clear_header_bits(CHILLED);
    was
}

/// A String like a literal, which may be a chilled one.
#[inline]
pub fn dup_literal(m: &mut Mutator, literal: Value) -> Result<Value> {
    let class = class(m, WellKnown::String);
    dup_with(m, class, Str::of(literal).0.header() & CHILLED, literal)
}
