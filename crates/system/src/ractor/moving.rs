//! Moving: what is sent with `move: true` has other objects from then on, and those of the sender are `Ractor::MovedObject`s.

use asterism_core::object::copy::copy_singleton;
use asterism_object::class::Class;
use asterism_object::data;
use asterism_object::types::Type;
use asterism_object::{Value, array, hash, ivars, moved, ownership, range, set_class, string, structs};
use asterism_vm::ractor::shareable;
use asterism_vm::{Ec, Res};

use super::copy::{Copies, cannot, plain_class, replace_parts};
use crate::io::object;

/// What another Ractor gets for `v`; the objects it was made of cannot be used any more.
///
/// # Errors
/// Ractor::Error for what cannot be moved, and then nothing has been; NoMemoryError.
pub fn for_message(ec: &mut Ec, v: Value) -> Res {
    if shareable::is_shareable(ec, v) {
        return Ok(v);
    }
    if let Some(class) = plain_class(ec, v) {
        // Nothing else goes with it.
        let made = match v.heap_type() {
            Some(Type::String) => string::move_in(ec, class, v),
            _ => array::dup_in(ec, class, v),
        };
        let copy = ec.check(v, made)?;
        finish(ec, v, copy)?;
        return Ok(copy);
    }
    let mut found = Copies::new(ec)?;
    let first = move_of(ec, &mut found, v)?;
    let mut at = 0;
    while let Some((original, copy)) = found.pair(at) {
        at += 1;
        let mut take = |ec: &mut Ec, v: Value| move_of(ec, &mut found, v);
        replace_parts(ec, original, copy, &mut take)?;
    }
    for i in 0..at {
        if let Some((original, copy)) = found.pair(i) {
            finish(ec, original, copy)?;
        }
    }
    asterism_heap::keep_alive(found.originals.bits());
    Ok(first)
}

/// The object that takes the place of `v`, with its contents.
fn move_of(ec: &mut Ec, found: &mut Copies, v: Value) -> Res {
    if shareable::is_shareable(ec, v) {
        return Ok(v);
    }
    if let Some(copy) = found.get(v) {
        return Ok(copy);
    }
    let class = ec.real_class_of(v);
    if Some(class) == Class::from_value(ec.ractor_class("MovedObject")) {
        return Err(ec.ractor_error("MovedError", "can not send any methods to a moved object"));
    }
    let made = match v.heap_type() {
        Some(Type::String) => string::dup_in(ec, class.0, v),
        Some(Type::Array) => array::dup_in(ec, class.0, v),
        Some(Type::Hash) => match hash::dup_in(ec, class.0, v) {
            Ok(copy) => {
                let (default, is_proc) = hash::default_of(v);
                hash::set_default(ec, copy, default, is_proc).map(|()| copy)
            }
            failed => failed,
        },
        Some(Type::Struct) => structs::dup_in(ec, class.0, v),
        Some(Type::Range) => range::new_in(ec, class.0, range::begin(v), range::end(v), range::exclude_end(v)),
        Some(Type::Object) => Ok(ec.allocate(class)?),
        Some(Type::Data) if object::try_stream(v).is_some() => object::allocate(ec, class).map(Ok)?,
        Some(Type::Data) if is_match(v) => return copy_data(ec, found, v),
        _ => return Err(cannot(ec, Some(found), "move", v)),
    };
    let copy = ec.check(v, made)?;
    let done = ivars::copy(ec, v, copy);
    ec.check(copy, done)?;
    copy_singleton(ec, v, copy)?;
    found.enter(ec, v, copy)?;
    Ok(copy)
}

/// Native objects that never change go as copies.
fn is_match(v: Value) -> bool {
    matches!(data::type_name(v), Some("MatchData" | "Regexp" | "Time"))
}

fn copy_data(ec: &mut Ec, found: &mut Copies, v: Value) -> Res {
    let copy = ec.call(v, asterism_symbol::sym::clone, &[])?;
    found.enter(ec, v, copy)?;
    Ok(copy)
}

/// The moved object has all its parts: the original is given up.
fn finish(ec: &mut Ec, original: Value, copy: Value) -> Res<()> {
    if ownership::is_frozen(original) && !ownership::is_frozen(copy) {
        ownership::freeze(ec, copy);
    }
    ownership::release(ec, copy);
    let Some(class) = Class::from_value(ec.ractor_class("MovedObject")) else {
        return Err(ec.fatal("Ractor::MovedObject is gone"));
    };
    if !original.is_type(Type::Data) {
        moved::leave_empty(ec, original, class);
        return Ok(());
    }
    if object::try_stream(original).is_some() {
        match object::give_up(ec, original)? {
            Some(stream) => object::install(ec, copy, stream)?,
            None => return Err(cannot(ec, None, "move", original)),
        }
    }
    ownership::freeze(ec, original);
    if let Some(cell) = original.cell() {
        set_class(ec, cell, class);
    }
    Ok(())
}
