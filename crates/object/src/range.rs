//! Ranges: [hdr][class][begin][end][exclusive], immutable once made.

use std::sync::atomic::Ordering;

use asterism_heap::{Mutator, header};

use crate::cells::{self, Obj};
use crate::error::Result;
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

/// The Range `begin..end` or `begin...end`, frozen. Whether the ends compare is the VM's check.
#[inline]
pub fn new(m: &mut Mutator, begin: Value, end: Value, exclusive: bool) -> Result<Value> {
    let class = class(m, WellKnown::Range);
    make(m, class, header::FROZEN, begin, end, exclusive)
}

/// A Range of a subclass; not frozen, as in CRuby.
pub fn new_in(m: &mut Mutator, class: Value, begin: Value, end: Value, exclusive: bool) -> Result<Value> {
    make(m, class, 0, begin, end, exclusive)
}

fn make(m: &mut Mutator, class: Value, flags: u64, begin: Value, end: Value, exclusive: bool) -> Result<Value> {
    let object = cells::alloc(m, Type::Range, flags, class, 3)?;
    cells::store(object.cell(), object.word(0), begin);
    cells::store(object.cell(), object.word(1), end);
    object.word(2).store(Value::bool(exclusive).bits(), Ordering::Relaxed);
    Ok(object.0)
}

/// Fills a Range that `allocate` made with nils (`Range#initialize`).
pub fn init(m: &mut Mutator, v: Value, begin: Value, end: Value, exclusive: bool) {
    let object = Obj::of(v, Type::Range);
    let _guard = m.exclusive(object.cell());
    cells::store(object.cell(), object.word(0), begin);
    cells::store(object.cell(), object.word(1), end);
    object.word(2).store(Value::bool(exclusive).bits(), Ordering::Release);
}

/// The first value.
#[inline]
pub fn begin(v: Value) -> Value {
    Obj::of(v, Type::Range).value(0)
}

/// The last value.
#[inline]
pub fn end(v: Value) -> Value {
    Obj::of(v, Type::Range).value(1)
}

/// Is the end left out?
#[inline]
pub fn exclude_end(v: Value) -> bool {
    Obj::of(v, Type::Range).value(2).truthy()
}
