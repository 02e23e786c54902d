//! Array: comparing, searching, hashing, and the operations that treat arrays as sets.

use std::cmp::Ordering;

use asterism_object::types::Type;
use asterism_object::{Value, array, builtin, hash};
use asterism_symbol::sym;
use asterism_vm::basic_ops::{BasicOp, Classes};
use asterism_vm::{ANY, Args, Arguments, Ec, NativeDef, Res};

use super::quick::settled;
use super::update::keep_one_of_each;
use asterism_vm::recursion::{Tag, guard_pair};

pub(super) static LIST: &[NativeDef] = &[
    NativeDef::new("==", equal, 1, 1),
    NativeDef::new("eql?", eql, 1, 1),
    NativeDef::new("hash", hash_of, 0, 0),
    NativeDef::new("<=>", cmp, 1, 1),
    NativeDef::new("include?", include, 1, 1).leaf(),
    NativeDef::new("assoc", assoc, 1, 1),
    NativeDef::new("rassoc", rassoc, 1, 1),
    NativeDef::new("-", minus, 1, 1),
    NativeDef::new("&", and, 1, 1),
    NativeDef::new("|", or, 1, 1),
    NativeDef::new("difference", difference, 0, ANY),
    NativeDef::new("union", union, 0, ANY),
    NativeDef::new("intersection", intersection, 0, ANY),
    NativeDef::new("intersect?", intersect, 1, 1),
];

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if other == this {
        return Ok(Value::TRUE);
    }
    if !other.is_type(Type::Array) {
        if other.is_heap() && ec.respond_to(other, sym::to_ary, true)? {
            let answer = ec.call(other, sym::EQ, &[this])?;
            return Ok(Value::bool(answer.truthy()));
        }
        return Ok(Value::FALSE);
    }
    same_elements(ec, this, other, Tag::Equal, Ec::eq)
}

fn eql(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if other == this {
        return Ok(Value::TRUE);
    }
    if !other.is_type(Type::Array) {
        return Ok(Value::FALSE);
    }
    same_elements(ec, this, other, Tag::Eql, Ec::eql)
}

/// Compares element by element. Lengths are read anew at each step: the comparison may change them.
fn same_elements(ec: &mut Ec, a: Value, b: Value, tag: Tag, same: impl Fn(&mut Ec, Value, Value) -> Res<bool>) -> Res {
    if array::len(a) != array::len(b) {
        return Ok(Value::FALSE);
    }
    let pair = (a, b);
    let (a, b) = (settled(ec, a)?, settled(ec, b)?);
    let mut i = same_prefix(ec, a, b)?;
    // Elements that are no arrays cannot lead back here before one is: only then is the guard needed.
    while let (Some(x), Some(y)) = (array::at(a, i), array::at(b, i)) {
        if x.is_heap() && !x.is_type(Type::String) && !x.is_type(Type::Float) {
            let rest = guard_pair(ec, tag, pair.0, pair.1, |ec| {
                let mut i = i;
                while let (Some(x), Some(y)) = (array::at(a, i), array::at(b, i)) {
                    if x != y && !same(ec, x, y)? {
                        return Ok(false);
                    }
                    i += 1;
                    ec.poll()?;
                }
                Ok(array::len(a) == array::len(b))
            })?;
            return Ok(Value::bool(rest.unwrap_or(true)));
        }
        if x != y && !same(ec, x, y)? {
            return Ok(Value::FALSE);
        }
        i += 1;
    }
    Ok(Value::bool(array::len(a) == array::len(b)))
}

/// How many elements at the beginning are the very same; not looked for in short arrays.
fn same_prefix(ec: &mut Ec, a: Value, b: Value) -> Res<usize> {
    if array::len(a) < 32 {
        return Ok(0);
    }
    let copy = array::snapshot(ec, b);
    let copy = ec.check(b, copy)?;
    let other = array::private_slice(&copy);
    let len = array::len(a);
    let n = array::with_slice_apart(ec, a, len, |list| list.iter().zip(other).take_while(|(x, y)| x == y).count());
    asterism_heap::keep_alive(copy.bits());
    Ok(n)
}

/// A hash as an Integer that Ruby code sees.
pub(crate) fn hash_value(ec: &Ec, h: u64) -> Value {
    builtin::number(ec, h)
}

fn hash_of(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = settled(ec, this)?;
    // The length and the type: an empty one differs from the immediates.
    let mut h = builtin::mix(array::len(list) as u64 ^ (Type::Array as u64) << 32);
    let mut i = 0;
    while let Some(v) = array::at(list, i) {
        let part = ec.hash_of(v)?;
        h = builtin::combine(h, part);
        i += 1;
        ec.poll()?;
    }
    Ok(hash_value(ec, h))
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(other) = ec.check_array(args[0])? else {
        return Ok(Value::NIL);
    };
    if other == this {
        return Ok(Value::fixnum(0));
    }
    let found = guard_pair(ec, Tag::Compare, this, other, |ec| {
        let (this, other) = (settled(ec, this)?, settled(ec, other)?);
        let mut i = 0;
        while let (Some(x), Some(y)) = (array::at(this, i), array::at(other, i)) {
            let answer = match (x.fixnum_value(), y.fixnum_value()) {
                (Some(x), Some(y)) if !redefined(ec, BasicOp::CMP, Classes::INTEGER) => Value::fixnum(x.cmp(&y) as i64),
                _ => ec.call(x, sym::CMP, &[y])?,
            };
            if answer != Value::fixnum(0) {
                return Ok(answer);
            }
            i += 1;
            ec.poll()?;
        }
        let order = array::len(this).cmp(&array::len(other));
        Ok(Value::fixnum(order as i64))
    })?;
    Ok(found.unwrap_or(Value::NIL))
}

/// Was `op` of one of `classes` redefined, so that what it does has to be asked?
pub(super) fn redefined(ec: &Ec, op: BasicOp, classes: Classes) -> bool {
    !ec.vm().basic_ops.intact(op, classes)
}

/// Was `<=>` of what is sorted without calls redefined?
pub(super) fn order_redefined(ec: &Ec) -> bool {
    redefined(ec, BasicOp::CMP, Classes::NUMBER.and(Classes::STRING))
}

/// The first element that is `==` to `value`.
fn position(ec: &mut Ec, this: Value, value: Value) -> Res<Option<usize>> {
    let this = settled(ec, this)?;
    let mut i = 0;
    while let Some(v) = array::at(this, i) {
        if ec.eq(v, value)? {
            return Ok(Some(i));
        }
        i += 1;
        ec.poll()?;
    }
    Ok(None)
}

fn include(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(position(ec, this, args[0])?.is_some()))
}

fn assoc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    find_pair(ec, this, args[0], 0)
}

fn rassoc(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    find_pair(ec, this, args[0], 1)
}

fn find_pair(ec: &mut Ec, this: Value, key: Value, at: usize) -> Res {
    let this = settled(ec, this)?;
    let mut i = 0;
    while let Some(v) = array::at(this, i) {
        if let Some(pair) = ec.check_array(v)?
            && let Some(x) = array::at(pair, at)
            && ec.eq(x, key)?
        {
            return Ok(pair);
        }
        i += 1;
    }
    Ok(Value::NIL)
}

/// Arrays up to this long are searched rather than turned into a hash.
const SMALL: usize = 16;

/// What to look elements up in: a short array itself, or a Hash of its elements.
struct Lookup {
    list: Value,
    hash: Option<Value>,
}

impl Lookup {
    fn new(ec: &mut Ec, list: Value) -> Res<Lookup> {
        let list = settled(ec, list)?;
        if array::len(list) <= SMALL {
            return Ok(Lookup { list, hash: None });
        }
        let hash = ec.new_hash()?;
        let mut i = 0;
        while let Some(v) = array::at(list, i) {
            ec.hash_set(hash, v, Value::TRUE)?;
            i += 1;
            ec.poll()?;
        }
        Ok(Lookup { list, hash: Some(hash) })
    }

    fn has(&self, ec: &mut Ec, v: Value) -> Res<bool> {
        if let Some(hash) = self.hash {
            return Ok(ec.hash_get(hash, v)?.is_some());
        }
        let mut i = 0;
        while let Some(x) = array::at(self.list, i) {
            if ec.eql(x, v)? {
                return Ok(true);
            }
            i += 1;
        }
        Ok(false)
    }
}

/// Appends to `out` the elements of `list` that are not there yet.
struct Distinct {
    out: Value,
    /// `hash` counts too, as it does for many.
    hashes: bool,
    seen: Option<Value>,
}

impl Distinct {
    fn new(ec: &mut Ec, hashes: bool) -> Res<Distinct> {
        Ok(Distinct { out: ec.array_with_capacity(0)?, hashes, seen: None })
    }

    fn add(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        match self.seen {
            Some(seen) => {
                let before = hash::len(seen);
                ec.hash_set(seen, v, Value::TRUE)?;
                if hash::len(seen) == before {
                    return Ok(());
                }
            }
            None => {
                if self.is_there(ec, v)? {
                    return Ok(());
                }
                if array::len(self.out) >= SMALL {
                    let seen = ec.new_hash()?;
                    let mut i = 0;
                    while let Some(x) = array::at(self.out, i) {
                        ec.hash_set(seen, x, Value::TRUE)?;
                        i += 1;
                    }
                    ec.hash_set(seen, v, Value::TRUE)?;
                    self.seen = Some(seen);
                }
            }
        }
        ec.array_push(self.out, v)
    }

    /// Few are compared one by one. Where a program says what is equal, its `hash` has a word in it too.
    fn is_there(&mut self, ec: &mut Ec, v: Value) -> Res<bool> {
        let own = v.is_type(Type::Object);
        let hash = if own && self.hashes { Some(ec.hash_of(v)?) } else { None };
        let mut i = 0;
        while let Some(x) = array::at(self.out, i) {
            if ec.eql(x, v)? && (hash.is_none() || Some(ec.hash_of(x)?) == hash) {
                return Ok(true);
            }
            i += 1;
        }
        Ok(false)
    }

    fn add_all(&mut self, ec: &mut Ec, list: Value) -> Res<()> {
        let list = settled(ec, list)?;
        let mut i = 0;
        while let Some(v) = array::at(list, i) {
            self.add(ec, v)?;
            i += 1;
            ec.poll()?;
        }
        Ok(())
    }
}

/// The elements without repetitions, in a new Array.
pub(crate) fn uniq(ec: &mut Ec, this: Value) -> Res {
    let mut distinct = Distinct::new(ec, true)?;
    distinct.add_all(ec, this)?;
    Ok(distinct.out)
}

/// One element of each class of equal ones among those of the private `list`, and the number of each element's class.
fn classify(ec: &mut Ec, list: Value) -> Res<(Value, Vec<u32>)> {
    let kept = ec.array_with_capacity(0)?;
    let mut classes = Vec::new();
    if classes.try_reserve_exact(array::len(list)).is_err() {
        return Err(ec.no_memory());
    }
    let numbers = ec.new_hash()?;
    let mut i = 0;
    while let Some(v) = array::at(list, i) {
        let number = match ec.hash_get(numbers, v)? {
            Some(number) => number.as_fixnum() as u32,
            None => {
                let number = array::len(kept) as u32;
                ec.hash_set(numbers, v, Value::fixnum(number.into()))?;
                ec.array_push(kept, v)?;
                number
            }
        };
        classes.push(number);
        i += 1;
        ec.poll()?;
    }
    Ok((kept, classes))
}

/// `Primitive.array_uniq_bang(array)`: `uniq!` without a block.
pub(crate) fn uniq_bang(ec: &mut Ec, args: &[Value]) -> Res {
    let this = args[0];
    let seen = array::snapshot(ec, this);
    let seen = ec.check(this, seen)?;
    let (kept, classes) = classify(ec, seen)?;
    if array::len(kept) == array::len(seen) {
        return Ok(Value::NIL);
    }
    keep_one_of_each(ec, this, seen, kept, &classes)?;
    Ok(this)
}

fn minus(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_ary(args[0])?;
    let lookup = Lookup::new(ec, other)?;
    let out = ec.array_with_capacity(0)?;
    let this = settled(ec, this)?;
    let mut i = 0;
    while let Some(v) = array::at(this, i) {
        if !lookup.has(ec, v)? {
            ec.array_push(out, v)?;
        }
        i += 1;
        ec.poll()?;
    }
    Ok(out)
}

fn and(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_ary(args[0])?;
    let lookup = Lookup::new(ec, other)?;
    let mut distinct = Distinct::new(ec, false)?;
    let this = settled(ec, this)?;
    let mut i = 0;
    while let Some(v) = array::at(this, i) {
        if lookup.has(ec, v)? {
            distinct.add(ec, v)?;
        }
        i += 1;
        ec.poll()?;
    }
    Ok(distinct.out)
}

fn or(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_ary(args[0])?;
    let mut distinct = Distinct::new(ec, false)?;
    distinct.add_all(ec, this)?;
    distinct.add_all(ec, other)?;
    Ok(distinct.out)
}

fn difference(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut result = super::stack::plain(ec, this)?;
    for v in args.slice() {
        result = minus(ec, result, &Arguments::new(&[*v]))?;
    }
    Ok(result)
}

fn union(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut distinct = Distinct::new(ec, false)?;
    distinct.add_all(ec, this)?;
    for v in args.slice() {
        let other = ec.to_ary(*v)?;
        distinct.add_all(ec, other)?;
    }
    Ok(distinct.out)
}

fn intersection(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut result = super::stack::plain(ec, this)?;
    for v in args.slice() {
        result = and(ec, result, &Arguments::new(&[*v]))?;
    }
    Ok(result)
}

fn intersect(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = ec.to_ary(args[0])?;
    let (short, long) = if array::len(this) <= array::len(other) { (this, other) } else { (other, this) };
    let lookup = Lookup::new(ec, short)?;
    let mut i = 0;
    while let Some(v) = array::at(long, i) {
        if lookup.has(ec, v)? {
            return Ok(Value::TRUE);
        }
        i += 1;
    }
    Ok(Value::FALSE)
}

/// `a <=> b` for sorting: an order, or ArgumentError.
pub(super) fn order(ec: &mut Ec, a: Value, b: Value) -> Res<Ordering> {
    if order_redefined(ec) {
        let answer = ec.call(a, sym::CMP, &[b])?;
        return ec.compare_result(answer, a, b);
    }
    match ec.compare(a, b)? {
        Some(order) => Ok(order),
        None => Err(ec.compare_error(a, b)),
    }
}
