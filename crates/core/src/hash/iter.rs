//! Hash: the primitives on which its Ruby part walks over entries.
//!
//! A walk knows its place by an entry's position, which stays valid while entries are deleted. Between
//! `hash_iter_begin` and `hash_iter_end` new keys are refused, so that the table is not rebuilt under it.

use asterism_object::types::Type;
use asterism_object::{Value, hash};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};

/// Registered with the other primitives.
pub(crate) static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("hash_iter_begin", begin),
    ("hash_iter_end", end),
    ("hash_iter_next", next),
    ("hash_iter_key", key),
    ("hash_iter_value", value),
    ("hash_iterating", iterating),
    ("hash_get", get),
    ("hash_set", set),
];

fn need_hash(ec: &mut Ec, args: &[Value]) -> Res {
    match args.first() {
        Some(&h) if h.is_type(Type::Hash) => Ok(h),
        _ => Err(ec.fatal("a primitive of Hash was given something else")),
    }
}

fn begin(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    hash::iter_begin(h);
    Ok(Value::NIL)
}

fn end(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    hash::iter_end(h);
    Ok(Value::NIL)
}

/// The position of the first entry at or behind a position, or nil.
fn next(_ec: &mut Ec, args: &[Value]) -> Res {
    let at = usize::try_from(args[1].as_fixnum()).unwrap_or(0);
    Ok(match hash::iter_next(args[0], at) {
        Some((next, _, _)) => Value::fixnum(next as i64 - 1),
        None => Value::NIL,
    })
}

/// The entry at a position that `next` gave. If it was deleted since, the one behind it stands for it.
fn key(_ec: &mut Ec, args: &[Value]) -> Res {
    let at = usize::try_from(args[1].as_fixnum()).unwrap_or(0);
    Ok(hash::iter_next(args[0], at).map_or(Value::NIL, |(_, k, _)| k))
}

fn value(_ec: &mut Ec, args: &[Value]) -> Res {
    let at = usize::try_from(args[1].as_fixnum()).unwrap_or(0);
    Ok(hash::iter_next(args[0], at).map_or(Value::NIL, |(_, _, v)| v))
}

fn get(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    Ok(ec.hash_get(h, args[1])?.unwrap_or(args[2]))
}

fn set(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    ec.hash_set(h, args[1], args[2])?;
    Ok(args[2])
}

/// Is the Hash being iterated over?
fn iterating(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    Ok(Value::bool(hash::iter_level(h) > 0))
}
