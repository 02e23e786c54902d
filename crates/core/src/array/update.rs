//! Array: what its Ruby part changes elements with, so that nothing of what other threads do meanwhile is lost, and reads
//! them with.

use asterism_object::array::{Change, Unless};
use asterism_object::{Value, array};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};

/// Registered with the other primitives.
pub(crate) static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("array_fetch", fetch),
    ("array_slice", slice),
    ("array_exchange", exchange),
    ("array_put", put),
    ("array_fill", fill),
    ("array_note", note),
    ("array_remove", remove),
    ("array_reorder", reorder),
    ("array_keep_distinct", keep_distinct),
];

/// How often a method starts over whose receiver other threads have changed meanwhile, before it merges its result with
/// what they have done.
pub(super) const TRIES: usize = 4;

fn index(v: Value) -> usize {
    usize::try_from(v.as_fixnum()).unwrap_or(0)
}

/// `array_fetch(array, i)`: undef outside.
fn fetch(_ec: &mut Ec, args: &[Value]) -> Res {
    let list = args[0];
    let found = match args[1].fixnum_value() {
        Some(i @ 0..) => array::at(list, i as usize),
        Some(i) => array::at_back(list, i.unsigned_abs() as usize),
        None => None,
    };
    Ok(found.unwrap_or(Value::UNDEF))
}

/// `array_slice(array, start, n)`
fn slice(ec: &mut Ec, args: &[Value]) -> Res {
    let part = array::sub(ec, args[0], index(args[1]), index(args[2]));
    ec.check(args[0], part)
}

/// `array_exchange(array, i, old, new)`: `new` in the place of `old`, which was element `i`.
fn exchange(ec: &mut Ec, args: &[Value]) -> Res {
    let done = array::exchange(ec, args[0], index(args[1]), args[2], args[3]);
    ec.check(args[0], done)?;
    Ok(Value::NIL)
}

/// `array_put(array, i, value)`: sets an element that is there; else false.
fn put(ec: &mut Ec, args: &[Value]) -> Res {
    let i = index(args[1]);
    let done = array::fill_if(ec, args[0], i, 1, args[2], |len| i < len);
    Ok(Value::bool(ec.check(args[0], done)?))
}

/// `array_fill(array, start, n, value, size)`: if the array has that size; else false.
fn fill(ec: &mut Ec, args: &[Value]) -> Res {
    let size = index(args[4]);
    let done = array::fill_if(ec, args[0], index(args[1]), index(args[2]), args[3], |len| len == size);
    Ok(Value::bool(ec.check(args[0], done)?))
}

/// `array_note(list, i, element)`: notes what `array_remove` is to take out.
fn note(ec: &mut Ec, args: &[Value]) -> Res {
    ec.array_push(args[0], args[1])?;
    ec.array_push(args[0], args[2])?;
    Ok(Value::NIL)
}

/// `array_remove(array, noted)`: how many were still there.
fn remove(ec: &mut Ec, args: &[Value]) -> Res {
    if array::is_empty(args[1]) {
        return Ok(Value::fixnum(0));
    }
    let removed = array::remove(ec, args[0], args[1]);
    let removed = ec.check(args[0], removed)?;
    ec.size(removed)
}

/// `array_reorder(array, seen, ordered)`: the elements that a block has seen get another order.
fn reorder(ec: &mut Ec, args: &[Value]) -> Res {
    reorder_seen(ec, args[0], args[1], args[2])?;
    Ok(args[0])
}

/// Gives the elements of `this`, which were those of the private `seen`, the order of the private `ordered`, and what others
/// have put in its place behind.
///
/// # Errors
/// FrozenError, NoMemoryError.
pub(super) fn reorder_seen(ec: &mut Ec, this: Value, seen: Value, ordered: Value) -> Res<()> {
    let done = array::commit(ec, this, seen, ordered, Unless::ChangedByOthers);
    if ec.check(this, done)? {
        return Ok(());
    }
    let done = array::merge(ec, this, seen, Change::Order(array::private_slice(&ordered)));
    asterism_heap::keep_alive(ordered.bits());
    ec.check(this, done)
}

/// The same by work that runs no block: `order` makes the ordered copy of a private copy. Starts over first when others have
/// changed the array.
///
/// # Errors
/// FrozenError, NoMemoryError, what `order` raises.
pub(super) fn reorder_by(ec: &mut Ec, this: Value, mut order: impl FnMut(&mut Ec, Value) -> Res) -> Res<()> {
    for attempt in 1.. {
        let seen = array::snapshot(ec, this);
        let seen = ec.check(this, seen)?;
        let copy = array::dup(ec, seen);
        let copy = ec.check(seen, copy)?;
        let ordered = order(ec, copy)?;
        if attempt == TRIES {
            return reorder_seen(ec, this, seen, ordered);
        }
        let done = array::commit(ec, this, seen, ordered, Unless::ChangedByOthers);
        if ec.check(this, done)? {
            break;
        }
        ec.poll()?;
    }
    Ok(())
}

/// `array_keep_distinct(array, seen, kept, classes)`: of the elements seen only those kept stay, one of each class.
fn keep_distinct(ec: &mut Ec, args: &[Value]) -> Res {
    let [this, seen, kept, classes] = args else {
        return Err(ec.fatal("array_keep_distinct takes four arguments"));
    };
    if array::len(*seen) == array::len(*kept) {
        return Ok(Value::NIL);
    }
    let mut numbers: Vec<u32> = Vec::new();
    if numbers.try_reserve_exact(array::len(*classes)).is_err() {
        return Err(ec.no_memory());
    }
    numbers.extend(array::private_slice(classes).iter().map(|n| n.as_fixnum() as u32));
    asterism_heap::keep_alive(classes.bits());
    keep_one_of_each(ec, *this, *seen, *kept, &numbers)?;
    Ok(*this)
}

/// Keeps one element of each class in `this`, whose elements were those of the private `seen`: `kept`, where `classes` are the
/// numbers of the classes.
///
/// # Errors
/// FrozenError, NoMemoryError.
pub(super) fn keep_one_of_each(ec: &mut Ec, this: Value, seen: Value, kept: Value, classes: &[u32]) -> Res<()> {
    let done = array::commit(ec, this, seen, kept, Unless::ChangedByOthers);
    if !ec.check(this, done)? {
        let done = array::merge(ec, this, seen, Change::Distinct(classes));
        ec.check(this, done)?;
    }
    Ok(())
}

/// Replaces the elements of `this` that are Arrays by theirs, as `flatten` does: `parts` makes of a private copy the flat
/// Array and where the part of each element ends in it, or nothing if nothing changes. `false`: nothing changed.
///
/// # Errors
/// FrozenError, NoMemoryError, what `parts` raises.
pub(super) fn replace_by(
    ec: &mut Ec,
    this: Value,
    parts: impl FnOnce(&mut Ec, Value) -> Res<Option<(Value, Vec<u32>)>>,
) -> Res<bool> {
    let seen = array::snapshot(ec, this);
    let seen = ec.check(this, seen)?;
    let Some((made, ends)) = parts(ec, seen)? else {
        return Ok(false);
    };
    let done = array::commit(ec, this, seen, made, Unless::ChangedByOthers);
    if !ec.check(this, done)? {
        let done = array::merge(ec, this, seen, Change::Replace(array::private_slice(&made), &ends));
        asterism_heap::keep_alive(made.bits());
        ec.check(this, done)?;
    }
    Ok(true)
}
