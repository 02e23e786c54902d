//! Copies of what is sent: of all that is not shareable, each object once.

use std::collections::HashMap;

use asterism_object::address_hash::ByAddress;
use asterism_object::class::Alloc;
use asterism_object::data::{self, Shared};
use asterism_object::space::WellKnown;
use asterism_object::types::{Type, type_of};
use asterism_object::{Value, array, hash, ivars, moved, numeric, ownership, range, string, structs};
use asterism_symbol::sym;
use asterism_vm::error::Pending;
use asterism_vm::ractor::shareable;
use asterism_vm::{Ec, Exc, Raised, Res};

/// Copies by the addresses of their originals; both are kept alive by Arrays.
pub(super) struct Copies {
    known: HashMap<u64, usize, ByAddress>,
    /// What was found, in order.
    pub(super) originals: Value,
    /// The copy of each.
    pub(super) copies: Value,
}

impl Copies {
    pub(super) fn new(ec: &mut Ec) -> Res<Copies> {
        Ok(Copies { known: HashMap::default(), originals: ec.array(&[])?, copies: ec.array(&[])? })
    }

    pub(super) fn get(&self, v: Value) -> Option<Value> {
        self.known.get(&v.bits()).and_then(|&i| array::at(self.copies, i))
    }

    pub(super) fn enter(&mut self, ec: &mut Ec, original: Value, copy: Value) -> Res<()> {
        self.known.insert(original.bits(), array::len(self.originals));
        ec.array_push(self.originals, original)?;
        ec.array_push(self.copies, copy)
    }

    /// Where in the message `v` is, as errors tell it.
    fn place_of(&self, ec: &mut Ec, v: Value) -> String {
        array::at(self.originals, 0).map_or_else(String::new, |whole| ec.place_of_part(whole, v))
    }

    pub(super) fn pair(&self, i: usize) -> Option<(Value, Value)> {
        Some((array::at(self.originals, i)?, array::at(self.copies, i)?))
    }
}

/// What another Ractor gets for `v`: itself if it is shareable, else a copy of all that is not.
///
/// # Errors
/// Ractor::Error or TypeError for what cannot be copied; what the program's own `clone` raises; NoMemoryError.
pub fn for_message(ec: &mut Ec, v: Value) -> Res {
    if shareable::is_shareable(ec, v) {
        return Ok(v);
    }
    if let Some(copy) = simple(ec, v)? {
        return Ok(copy);
    }
    let mut copies = Copies::new(ec)?;
    let first = copy_of(ec, &mut copies, v)?;
    let mut at = 0;
    while let Some((original, copy)) = copies.pair(at) {
        at += 1;
        fill(ec, &mut copies, original, copy)?;
    }
    for i in 0..at {
        let Some((original, copy)) = copies.pair(i) else { break };
        if ownership::is_frozen(original) && !ownership::is_frozen(copy) {
            ownership::freeze(ec, copy);
        }
        ownership::release(ec, copy);
    }
    asterism_heap::keep_alive(copies.originals.bits());
    Ok(first)
}

/// The copy of a plain String, or of an Array that never held a reference: the commonest messages.
fn simple(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    let Some(class) = plain_class(ec, v).filter(|_| clones_natively(ec, v)) else { return Ok(None) };
    let copy = match v.heap_type() {
        Some(Type::String) => string::dup_in(ec, class, v),
        _ => array::dup_in(ec, class, v),
    };
    let copy = ec.check(v, copy)?;
    if ownership::is_frozen(v) {
        ownership::freeze(ec, copy);
    }
    Ok(Some(copy))
}

/// The class of a String or of an Array that never held a reference, if it is the core's, and the object has nothing else.
pub(super) fn plain_class(ec: &mut Ec, v: Value) -> Option<Value> {
    let plain = match v.heap_type() {
        Some(Type::String) => WellKnown::String,
        Some(Type::Array) if !array::has_held_references(v) => WellKnown::Array,
        _ => return None,
    };
    let class = ec.class(plain);
    (ec.class_of(v).0 == class && !ivars::may_have_some(v)).then_some(class)
}

/// Is `clone` of this object the core's, and nothing of the program's called by it?
fn clones_natively(ec: &mut Ec, v: Value) -> bool {
    let class = ec.class_of(v);
    [sym::clone, sym::initialize_clone, sym::initialize_copy]
        .into_iter()
        .all(|name| ec.find_method(class, name).1.is_some_and(|found| found.method.is_native_of_core()))
}

/// The copy that takes the place of `v`, with the contents of the original as yet.
fn copy_of(ec: &mut Ec, copies: &mut Copies, v: Value) -> Res {
    if shareable::is_shareable(ec, v) {
        return Ok(v);
    }
    if let Some(copy) = copies.get(v) {
        return Ok(copy);
    }
    if v.is_type(Type::Proc) {
        let place = copies.place_of(ec, v);
        return Err(ec.type_error(format!("allocator undefined for Proc{place}")));
    }
    if matches!(v.heap_type(), Some(Type::Rational | Type::Complex)) {
        return copy_number(ec, copies, v);
    }
    let copy = match ec.call(v, sym::clone, &[]) {
        Ok(copy) => copy,
        Err(raised) => return Err(not_cloned(ec, copies, v, raised)),
    };
    if copy == v {
        return Err(ec.ractor_error("Error", "#clone returned self"));
    }
    if data::shared(v) == Some(Shared::Never) {
        return Err(cannot(ec, Some(copies), "copy", v));
    }
    if ownership::is_frozen(copy) && type_of_is_container(copy) {
        moved::thaw_private(ec, copy);
    }
    copies.enter(ec, v, copy)?;
    Ok(copy)
}

fn type_of_is_container(v: Value) -> bool {
    v.cell().is_some_and(|cell| !matches!(type_of(cell), Type::Range | Type::Data | Type::String))
        || ivars::may_have_some(v)
}

/// A Rational or Complex of numbers that are not shareable.
fn copy_number(ec: &mut Ec, copies: &mut Copies, v: Value) -> Res {
    let (a, b) = numeric::parts(v);
    let a = copy_of(ec, copies, a)?;
    let b = copy_of(ec, copies, b)?;
    let made = match v.heap_type() {
        Some(Type::Rational) => numeric::rational(ec, a, b),
        _ => numeric::complex(ec, a, b),
    };
    let copy = ec.check(v, made)?;
    copies.enter(ec, v, copy)?;
    Ok(copy)
}

/// Ractor::Error: `v` cannot be sent this way.
pub(super) fn cannot(ec: &mut Ec, copies: Option<&Copies>, what: &str, v: Value) -> Raised {
    let class = ec.class_name_of(v);
    let place = copies.map_or_else(String::new, |copies| copies.place_of(ec, v));
    ec.ractor_error("Error", format!("can not {what} {class} object.{place}"))
}

/// What `clone` has raised; the TypeError for what has none says besides where in the message `v` is.
fn not_cloned(ec: &mut Ec, copies: &Copies, v: Value, raised: Raised) -> Raised {
    let Pending::Exception(error) = ec.thread.pending else { return raised };
    let no_other = ec.real_class_of(v).alloc() == Alloc::Undefined;
    if !no_other || ec.class_of(error).0 != ec.exc_class(Exc::TypeError) {
        return raised;
    }
    let place = copies.place_of(ec, v);
    if place.is_empty() {
        return raised;
    }
    ec.take_pending();
    let class = ec.class_name_of(v);
    ec.type_error(format!("allocator undefined for {class}{place}"))
}

/// Puts copies in the place of what the copy shares with its original.
fn fill(ec: &mut Ec, copies: &mut Copies, original: Value, copy: Value) -> Res<()> {
    let mut take = |ec: &mut Ec, v: Value| copy_of(ec, copies, v);
    replace_parts(ec, original, copy, &mut take)
}

/// What takes the place of a part.
pub(super) type Replace<'a> = dyn FnMut(&mut Ec, Value) -> Res + 'a;

/// Puts what `take` gives in the place of each part of `copy`, which has those of `original`.
pub(super) fn replace_parts(ec: &mut Ec, original: Value, copy: Value, take: &mut Replace<'_>) -> Res<()> {
    match copy.heap_type() {
        Some(Type::Array) if array::has_held_references(copy) => {
            for i in 0..array::len(copy) {
                let Some(part) = array::at(copy, i).filter(|v| v.is_heap()) else { continue };
                let new = take(ec, part)?;
                if new != part {
                    let done = array::set(ec, copy, i, new);
                    ec.check(copy, done)?;
                }
            }
        }
        Some(Type::Hash) => replace_entries(ec, copy, take)?,
        Some(Type::Struct) => {
            for i in 0..structs::len(copy) {
                let part = structs::get(copy, i).unwrap_or(Value::NIL);
                let new = take(ec, part)?;
                if new != part {
                    let done = structs::set(ec, copy, i, new);
                    ec.check(copy, done)?;
                }
            }
        }
        Some(Type::Range) => {
            let begin = take(ec, range::begin(original))?;
            let end = take(ec, range::end(original))?;
            range::init(ec, copy, begin, end, range::exclude_end(original));
        }
        _ => {}
    }
    if copy.is_type(Type::Object) || ivars::may_have_some(copy) {
        for name in ivars::names(ec, copy) {
            let Some(part) = ivars::get(ec, copy, name).filter(|v| v.is_heap()) else { continue };
            let new = take(ec, part)?;
            if new != part {
                let done = ivars::set(ec, copy, name, new);
                ec.check(copy, done)?;
            }
        }
    }
    Ok(())
}

fn replace_entries(ec: &mut Ec, copy: Value, take: &mut Replace<'_>) -> Res<()> {
    let flat = hash::to_pairs(ec, copy);
    let flat = ec.check(copy, flat)?;
    let pairs = ec.array_with_capacity(array::len(flat))?;
    let mut changed = false;
    for i in 0..array::len(flat) {
        let part = array::get(flat, i as i64);
        let new = take(ec, part)?;
        changed |= new != part;
        ec.array_push(pairs, new)?;
    }
    if changed {
        let cleared = hash::clear(ec, copy);
        ec.check(copy, cleared)?;
        for i in (0..array::len(pairs)).step_by(2) {
            ec.hash_set(copy, array::get(pairs, i as i64), array::get(pairs, i as i64 + 1))?;
        }
    }
    let (default, is_proc) = hash::default_of(copy);
    let new = take(ec, default)?;
    if new != default {
        let done = hash::set_default(ec, copy, new, is_proc);
        ec.check(copy, done)?;
    }
    asterism_heap::keep_alive(pairs.bits());
    Ok(())
}
