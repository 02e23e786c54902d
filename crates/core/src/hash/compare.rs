//! Hash: equality, hashing, and being part of one another.

use asterism_object::types::Type;
use asterism_object::{Value, array, builtin, hash};
use asterism_symbol::sym;
use asterism_vm::{Args, Arguments, Ec, NativeDef, Res};

use crate::array::compare::hash_value;
use asterism_vm::recursion::{Tag, guard_pair};

pub(super) static LIST: &[NativeDef] = &[
    NativeDef::new("==", equal, 1, 1),
    NativeDef::new("eql?", eql, 1, 1),
    NativeDef::new("hash", hash_of, 0, 0),
    NativeDef::new("<=", subset, 1, 1),
    NativeDef::new("<", proper_subset, 1, 1),
    NativeDef::new(">=", superset, 1, 1),
    NativeDef::new(">", proper_superset, 1, 1),
];

type Same = fn(&mut Ec, Value, Value) -> Res<bool>;

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if !other.is_type(Type::Hash) {
        if other.is_heap() && ec.respond_to(other, sym::to_hash, true)? {
            let answer = ec.call(other, sym::EQ, &[this])?;
            return Ok(Value::bool(answer.truthy()));
        }
        return Ok(Value::FALSE);
    }
    same(ec, this, other, Tag::Equal, Ec::eq)
}

fn eql(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if !other.is_type(Type::Hash) {
        if other.is_heap() && ec.respond_to(other, sym::to_hash, true)? {
            let answer = ec.call(other, sym::eql_p, &[this])?;
            return Ok(Value::bool(answer.truthy()));
        }
        return Ok(Value::FALSE);
    }
    same(ec, this, other, Tag::Eql, Ec::eql)
}

fn same(ec: &mut Ec, this: Value, other: Value, tag: Tag, same: Same) -> Res {
    if this == other {
        return Ok(Value::TRUE);
    }
    if hash::len(this) != hash::len(other) {
        return Ok(Value::FALSE);
    }
    if hash::len(this) > 0 && hash::is_identity(this) != hash::is_identity(other) {
        return Ok(Value::FALSE);
    }
    let answer = guard_pair(ec, tag, this, other, |ec| within(ec, this, other, same))?;
    Ok(Value::bool(answer.unwrap_or(true)))
}

/// Has `whole` every entry of `part`?
fn within(ec: &mut Ec, part: Value, whole: Value, same: Same) -> Res<bool> {
    let list = hash::to_pairs(ec, part);
    let list = ec.check(part, list)?;
    let mut i = 0;
    while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
        match ec.hash_get(whole, k)? {
            Some(x) if same(ec, v, x)? => {}
            _ => return Ok(false),
        }
        i += 2;
    }
    Ok(true)
}

fn hash_of(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = hash::to_pairs(ec, this);
    let list = ec.check(this, list)?;
    // Entries are added up: their order does not count.
    let mut sum = builtin::mix(array::len(list) as u64);
    let mut i = 0;
    while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
        let part = ec.hash_of(k)?;
        let part = builtin::combine(part, ec.hash_of(v)?);
        sum = sum.wrapping_add(builtin::mix(part));
        i += 2;
    }
    Ok(hash_value(ec, sum))
}

fn subset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_hash(args[0])?;
    Ok(Value::bool(hash::len(this) <= hash::len(other) && within(ec, this, other, Ec::eq)?))
}

fn proper_subset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_hash(args[0])?;
    Ok(Value::bool(hash::len(this) < hash::len(other) && within(ec, this, other, Ec::eq)?))
}

fn superset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_hash(args[0])?;
    subset(ec, other, &Arguments::new(&[this]))
}

fn proper_superset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_hash(args[0])?;
    proper_subset(ec, other, &Arguments::new(&[this]))
}
