//! Hash: the primitives on which its Ruby part walks over entries, and those that change one entry only if it is as it was.
//!
//! A walk goes over the table that `hash_iter_begin` gave, by positions, which stay what they are while entries are deleted.
//! Until `hash_iter_end` this thread, with its fibers, adds no keys; what others do meanwhile is `hash::Walk`'s matter.

use asterism_object::hash::{Changed, Walk};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, hash};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Exc, Res};

/// Registered with the other primitives.
pub(crate) static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("hash_iter_begin", begin),
    ("hash_iter_end", end),
    ("hash_iter_next", next),
    ("hash_iter_key", key),
    ("hash_iter_value", value),
    ("hash_iter_delete", delete),
    ("hash_iter_set", set_value),
    ("hash_iterating", iterating),
    ("hash_get", get),
    ("hash_set", set),
    ("hash_set_all", |ec, args| {
        let h = need_hash(ec, args)?;
        set_all(ec, h, args[1])
    }),
    ("hash_merged", merged),
    ("hash_add", add),
    ("hash_exchange", exchange),
    ("hash_move", move_key),
    ("hash_seen", seen),
    ("hash_become", become_other),
    ("hash_copy", copy),
    ("hash_dup", dup),
    ("set_add", set_add),
    ("hash_trimmed", trimmed),
];

fn need_hash(ec: &mut Ec, args: &[Value]) -> Res {
    match args.first() {
        Some(&h) if h.is_type(Type::Hash) => Ok(h),
        _ => Err(ec.fatal("a primitive of Hash was given something else")),
    }
}

/// `hash_iter_begin(hash)`: the table to walk over.
fn begin(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    Ok(hash::walk_begin(ec, h))
}

fn end(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    hash::walk_end(ec, h);
    Ok(Value::NIL)
}

fn position(v: Value) -> usize {
    usize::try_from(v.as_fixnum()).unwrap_or(0)
}

/// `hash_iter_next(hash, table, position)`: the position of the first entry at or behind a position, or nil.
fn next(_ec: &mut Ec, args: &[Value]) -> Res {
    let walk = Walk::over(args[0], args[1]);
    Ok(walk.position(position(args[2])).map_or(Value::NIL, |at| Value::fixnum(at as i64)))
}

/// `hash_iter_key(hash, table, position)`: undef if the entry at a position that `next` gave was deleted since.
fn key(_ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Walk::over(args[0], args[1]).key(position(args[2])))
}

/// `hash_iter_value(hash, table, position)`: undef if the entry was deleted since, be it after `hash_iter_key`.
fn value(_ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Walk::over(args[0], args[1]).value(position(args[2])))
}

/// True: done; nil: the entry is not there any more; false: another thread has set another value.
fn answer(changed: Changed) -> Value {
    match changed {
        Changed::Done => Value::TRUE,
        Changed::Gone => Value::NIL,
        Changed::Differs => Value::FALSE,
    }
}

/// `hash_iter_delete(hash, table, position, value)`: deletes an entry whose value is that; undef: any.
fn delete(ec: &mut Ec, args: &[Value]) -> Res {
    let value = Some(args[3]).filter(|v| !v.is_undef());
    let done = Walk::over(args[0], args[1]).delete(ec, position(args[2]), value);
    Ok(answer(ec.check(args[0], done)?))
}

/// `hash_iter_set(hash, table, position, old, new)`: sets the value of an entry whose value is `old`; undef: any.
fn set_value(ec: &mut Ec, args: &[Value]) -> Res {
    let old = Some(args[3]).filter(|v| !v.is_undef());
    let done = Walk::over(args[0], args[1]).exchange(ec, position(args[2]), old, args[4]);
    Ok(answer(ec.check(args[0], done)?))
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

/// `set_add(hash, element)`: makes it a key of a Set's table.
fn set_add(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    if hash::is_walked(ec, h) && ec.hash_get(h, args[1])?.is_none() {
        return Err(ec.raise(Exc::RuntimeError, "can't add a new item into set during iteration"));
    }
    ec.hash_set(h, args[1], Value::TRUE)?;
    Ok(args[1])
}

/// Entries that are passed from one Hash to another without an Array.
const FEW: usize = 8;

/// `hash_set_all(hash, others)`: sets what the others have.
fn set_all(ec: &mut Ec, h: Value, others: Value) -> Res {
    let mut i = 0;
    while let Some(other) = array::at(others, i) {
        let other = ec.to_hash(other)?;
        if !hash::is_empty(other) {
            set_each(ec, h, other)?;
        }
        i += 1;
    }
    Ok(h)
}

/// Sets what the other has.
fn set_each(ec: &mut Ec, h: Value, other: Value) -> Res<()> {
    let mut few = [(Value::NIL, Value::NIL); FEW];
    if let Some(n) = hash::few(ec, other, &mut few) {
        for (k, v) in &few[..n] {
            ec.hash_set(h, *k, *v)?;
        }
        return Ok(());
    }
    let list = super::pairs(ec, other)?;
    let mut i = 0;
    while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
        ec.hash_set(h, k, v)?;
        i += 2;
    }
    asterism_heap::keep_alive(list.bits());
    Ok(())
}

/// `hash_merged(hash, others)`: a copy, no method is called for which, with what the others have.
fn merged(ec: &mut Ec, args: &[Value]) -> Res {
    let (h, others) = (need_hash(ec, args)?, args[1]);
    let first = array::at(others, 0).filter(|other| other.is_type(Type::Hash));
    let copy = crate::object::copy::hash_of(ec, h, first.map_or(0, hash::len))?;
    set_all(ec, copy, others)
}

/// `hash_copy(hash)`: a new Hash of class Hash with the same entries, comparing keys alike, without a default.
fn copy(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    let class = ec.class(WellKnown::Hash);
    let copy = hash::dup_in(ec, class, h);
    ec.check(h, copy)
}

/// `hash_dup(hash)`: as `dup`, though no method is called.
fn dup(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    crate::object::copy::hash_of(ec, h, 0)
}

/// `hash_trimmed(hash)`: the Hash, or a copy without the places of deleted entries if they are more than those that are left.
fn trimmed(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    if hash::is_mostly_deleted(h) { copy(ec, args) } else { Ok(h) }
}

/// `hash_add(hash, key, value)`: false if the key is there.
fn add(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    Ok(Value::bool(ec.hash_add(h, args[1], args[2])?))
}

/// `hash_exchange(hash, key, old, new)`: false if another thread has changed the value.
fn exchange(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    Ok(Value::bool(ec.hash_exchange(h, args[1], args[2], args[3])?))
}

/// `hash_move(hash, key, other, value)`: the value goes from one key to another. If there is none, a Hash that is this
/// thread's own gets the one given, as in CRuby; from any other one another thread has taken it.
fn move_key(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    let value = match ec.hash_delete(h, args[1])? {
        Some(value) => value,
        None if hash::is_own(ec, h) => args[3],
        None => return Ok(Value::FALSE),
    };
    ec.hash_set(h, args[2], value)?;
    Ok(Value::TRUE)
}

/// `hash_seen(hash)`: what tells whether it has the same keys later.
fn seen(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    let [table, used, live] = hash::seen(h);
    ec.array(&[table, used, live])
}

/// `hash_become(hash, seen, other)`: takes over the keys of `other` if it has those that were seen, or no other thread has
/// it; else false.
fn become_other(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    let seen = std::array::from_fn(|i| asterism_object::array::get(args[1], i as i64));
    let done = hash::take_over(ec, h, seen, args[2]);
    Ok(Value::bool(ec.check(h, done)?))
}

/// Does this thread walk over the Hash?
fn iterating(ec: &mut Ec, args: &[Value]) -> Res {
    let h = need_hash(ec, args)?;
    Ok(Value::bool(hash::is_walked(ec, h)))
}
