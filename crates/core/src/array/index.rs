//! Array: reading and writing by index, range and length.

use asterism_object::array::place;
use asterism_object::error::ObjError;
use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::native::Intrinsic;
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};

use super::bounds::ADDRESSABLE;
use super::quick::settled;
use crate::range::{Outside, bounds};
use asterism_object::class::Class;
use asterism_object::space::WellKnown;

/// How often the part that a Range names is found anew because the size has changed meanwhile.
const TRIES: usize = 64;

pub(super) static LIST: &[NativeDef] = &[
    NativeDef::new("[]", aref, 1, 2).leaf(),
    NativeDef::new("slice", aref, 1, 2).leaf(),
    NativeDef::new("[]=", aset, 2, 3).leaf(),
    NativeDef::new("at", at, 1, 1).leaf(),
    NativeDef::new("first", first, 0, 1).leaf().intrinsic(Intrinsic::First),
    NativeDef::new("last", last, 0, 1).leaf().intrinsic(Intrinsic::Last),
    NativeDef::new("take", take, 1, 1).leaf(),
    NativeDef::new("drop", drop_n, 1, 1).leaf(),
    NativeDef::new("values_at", values_at, 0, asterism_vm::ANY).leaf(),
    NativeDef::new("slice!", slice_bang, 1, 2).leaf(),
    NativeDef::new("delete_at", delete_at, 1, 1).leaf(),
    NativeDef::new("insert", insert, 1, asterism_vm::ANY).leaf(),
];

fn sub(ec: &mut Ec, this: Value, start: usize, len: usize) -> Res {
    let made = array::sub(ec, this, start, len);
    ec.check(this, made)
}

fn aref(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.len() == 2 {
        let i = ec.to_i64(args[0])?;
        let n = ec.to_i64(args[1])?;
        return slice(ec, this, i, n);
    }
    let key = args[0];
    if let Some(i) = key.fixnum_value() {
        return Ok(array::get(this, i));
    }
    if key.is_type(Type::Range) {
        let this = settled(ec, this)?;
        return match bounds(ec, key, array::len(this), Outside::None)? {
            Some((start, n)) => sub(ec, this, start, n),
            None => Ok(Value::NIL),
        };
    }
    if key.is_type(Type::Object) && is_sequence(ec, key)? {
        return internal(ec, "array_slice_sequence", &[this, key]);
    }
    if let Some(range) = crate::range::of_similar(ec, key)? {
        let this = settled(ec, this)?;
        return match bounds(ec, range, array::len(this), Outside::None)? {
            Some((start, n)) => sub(ec, this, start, n),
            None => Ok(Value::NIL),
        };
    }
    let i = ec.to_i64(key)?;
    Ok(array::get(this, i))
}

fn slice(ec: &mut Ec, this: Value, i: i64, n: i64) -> Res {
    // From the end it is another part at every length.
    let this = if i < 0 { settled(ec, this)? } else { this };
    let len = array::len(this);
    match place(i, len) {
        Some(start) if start <= len && n >= 0 => sub(ec, this, start, n as usize),
        _ => Ok(Value::NIL),
    }
}

fn at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let i = ec.to_i64(args[0])?;
    Ok(array::get(this, i))
}

#[cold]
fn too_small(ec: &mut Ec, i: i64, lowest: i64) -> Raised {
    ec.index_error(format!("index {i} too small for array; minimum: {lowest}"))
}

/// The error of an index beyond what an array can have: CRuby distinguishes what it could address.
#[cold]
fn too_big(ec: &mut Ec, at: usize) -> Raised {
    if at < ADDRESSABLE { ec.no_memory() } else { ec.index_error(format!("index {at} too big")) }
}

/// Where a write to `i`, which is not negative, goes.
fn write_place(ec: &mut Ec, i: i64) -> Res<usize> {
    match usize::try_from(i) {
        Ok(at) if at < array::MAX_LEN => Ok(at),
        _ => Err(too_big(ec, i.unsigned_abs() as usize)),
    }
}

/// `i` as a number of elements before the end.
fn from_end(i: i64) -> usize {
    usize::try_from(i.unsigned_abs()).unwrap_or(usize::MAX)
}

/// The result of a write to the negative index `i`.
fn written(ec: &mut Ec, this: Value, i: i64, done: Result<(), ObjError>) -> Res<()> {
    match done {
        Err(ObjError::Index) => Err(too_small(ec, i, -(array::len(this) as i64))),
        Err(ObjError::TooBig(_)) => Err(ec.index_error(format!("index {i} too big"))),
        done => ec.check(this, done),
    }
}

fn aset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.len() == 3 {
        ec.check_frozen(this)?;
        let i = ec.to_i64(args[0])?;
        let n = ec.to_i64(args[1])?;
        if n < 0 {
            return Err(ec.index_error(format!("negative length ({n})")));
        }
        if i < 0 {
            // Before the value is converted, which may call a method.
            if from_end(i) > array::len(this) {
                return Err(too_small(ec, i, -(array::len(this) as i64)));
            }
            splice(
                ec,
                this,
                |len| Ok(Some((len.checked_sub(from_end(i)).ok_or(ObjError::Index)?, n as usize))),
                i,
                args[2],
            )?;
        } else {
            let start = write_place(ec, i)?;
            splice(ec, this, |_| Ok(Some((start, n as usize))), i, args[2])?;
        }
        return Ok(args[2]);
    }
    let (key, value) = (args[0], args[1]);
    let i = match key.fixnum_value() {
        Some(i) => i,
        None => {
            ec.check_frozen(this)?;
            if key.is_type(Type::Range) {
                set_range(ec, this, key, value)?;
                return Ok(value);
            }
            if let Some(range) = crate::range::of_similar(ec, key)? {
                set_range(ec, this, range, value)?;
                return Ok(value);
            }
            ec.to_i64(key)?
        }
    };
    if i < 0 {
        let done = array::set_back(ec, this, from_end(i), value);
        written(ec, this, i, done)?;
    } else {
        let at = write_place(ec, i)?;
        let done = array::set(ec, this, at, value);
        written(ec, this, i, done)?;
    }
    Ok(value)
}

/// `this[range] = value`. The ends are converted first, which may call methods.
fn set_range(ec: &mut Ec, this: Value, range: Value, value: Value) -> Res<()> {
    let mut tries = 0;
    loop {
        tries += 1;
        let size = array::len(this);
        let Some((start, n)) = bounds(ec, range, size, Outside::Raise)? else {
            return Ok(());
        };
        if start >= array::MAX_LEN {
            return Err(too_big(ec, start));
        }
        // What the ends mean depends on the size, unless it will not stay the same.
        if splice(ec, this, |len| Ok((len == size || tries > TRIES).then_some((start, n))), 0, value)? {
            return Ok(());
        }
        ec.poll()?;
    }
}

/// Replaces the part that `plan` finds by `value`: an Array's elements, or one object. `i` is the index that was given.
fn splice(
    ec: &mut Ec,
    this: Value,
    plan: impl Fn(usize) -> Result<Option<(usize, usize)>, ObjError>,
    i: i64,
    value: Value,
) -> Res<bool> {
    let mut done = false;
    let result = match ec.check_array(value)? {
        Some(list) => {
            let copy = array::snapshot(ec, list);
            let copy = ec.check(list, copy)?;
            let result = array::splice_at(ec, this, plan, array::private_slice(&copy));
            asterism_heap::keep_alive(copy.bits());
            result
        }
        None => array::splice_at(ec, this, plan, &[value]),
    };
    let result = result.map(|was| done = was);
    written(ec, this, i, result)?;
    Ok(done)
}

/// The argument of `first(n)` and its kin.
pub(super) fn count(ec: &mut Ec, v: Value) -> Res<usize> {
    let n = ec.to_i64(v)?;
    match usize::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => Err(ec.arg_error("negative array size")),
    }
}

fn first(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match args.get(0) {
        None => Ok(array::first(this).unwrap_or(Value::NIL)),
        Some(n) => {
            let n = count(ec, n)?;
            sub(ec, this, 0, n)
        }
    }
}

fn last(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match args.get(0) {
        None => Ok(array::last(this).unwrap_or(Value::NIL)),
        Some(n) => {
            let n = count(ec, n)?;
            let made = array::sub_at(ec, this, |len| (len.saturating_sub(n), n));
            ec.check(this, made)
        }
    }
}

fn take(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i64(args[0])?;
    match usize::try_from(n) {
        Ok(n) => sub(ec, this, 0, n),
        Err(_) => Err(ec.arg_error("attempt to take negative size")),
    }
}

fn drop_n(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i64(args[0])?;
    match usize::try_from(n) {
        Ok(n) => sub(ec, this, n, array::MAX_LEN),
        Err(_) => Err(ec.arg_error("attempt to drop negative size")),
    }
}

fn values_at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = ec.array_with_capacity(args.len())?;
    let this = settled(ec, this)?;
    for &key in args.slice() {
        if key.is_type(Type::Range) {
            let Some((start, n)) = bounds(ec, key, array::len(this), Outside::Raise)? else {
                continue;
            };
            // Beyond the end the range gives nils, but only as many as were asked for.
            let inside = n.min(array::len(this).saturating_sub(start));
            let part = sub(ec, this, start, inside)?;
            let done = array::concat(ec, out, part);
            ec.check(out, done)?;
            let at = array::len(out);
            let done = array::fill(ec, out, at, n - inside, Value::NIL);
            ec.check(out, done)?;
            continue;
        }
        let i = ec.to_i64(key)?;
        ec.array_push(out, array::get(this, i))?;
    }
    Ok(out)
}

/// Removes and returns the part that `plan` finds; nil if there is none.
fn cut(ec: &mut Ec, this: Value, plan: impl Fn(usize) -> Option<(usize, usize)>) -> Res {
    let taken = array::cut(ec, this, plan);
    Ok(ec.check(this, taken)?.unwrap_or(Value::NIL))
}

fn slice_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    if args.len() == 2 {
        let i = ec.to_i64(args[0])?;
        let n = ec.to_i64(args[1])?;
        let Ok(n) = usize::try_from(n) else {
            return Ok(Value::NIL);
        };
        return cut(ec, this, |len| Some((place(i, len).filter(|&start| start <= len)?, n)));
    }
    if args[0].is_type(Type::Range) {
        let mut tries = 0;
        loop {
            tries += 1;
            let size = array::len(this);
            let Some((start, n)) = bounds(ec, args[0], size, Outside::None)? else {
                return Ok(Value::NIL);
            };
            let taken = cut(ec, this, |len| (len == size || tries > TRIES).then_some((start, n)))?;
            if !taken.is_nil() {
                return Ok(taken);
            }
            ec.poll()?;
        }
    }
    delete_at(ec, this, args)
}

fn delete_at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let i = ec.to_i64(args[0])?;
    ec.check_frozen(this)?;
    let removed = array::delete_at(ec, this, i);
    Ok(ec.check(this, removed)?.unwrap_or(Value::NIL))
}

fn insert(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let i = ec.to_i64(args[0])?;
    let Some((_, values)) = args.slice().split_first() else {
        return Ok(this);
    };
    if values.is_empty() {
        return Ok(this);
    }
    if i < 0 {
        let done = array::insert_back(ec, this, from_end(i) - 1, values);
        return match done {
            Err(ObjError::Index) => Err(too_small(ec, i, -(array::len(this) as i64) - 1)),
            done => ec.check(this, done).map(|()| this),
        };
    }
    let at = write_place(ec, i)?;
    let done = array::insert(ec, this, at, values);
    ec.check(this, done)?;
    Ok(this)
}

/// Calls `Asterism::Internal.name`, a helper of the Ruby part.
pub(crate) fn internal(ec: &mut Ec, name: &str, args: &[Value]) -> Res {
    let object = ec.known(WellKnown::Object);
    let outer = ec.constant_from(object, asterism_symbol::intern("Asterism"))?;
    let outer = ec.scope_of_constant(outer)?;
    let module = ec.constant_from(outer, asterism_symbol::intern("Internal"))?;
    ec.call(module, asterism_symbol::intern(name), args)
}

/// Is it an `Enumerator::ArithmeticSequence`?
fn is_sequence(ec: &mut Ec, v: Value) -> Res<bool> {
    let object = ec.known(WellKnown::Object);
    let Some(outer) = ec.own_constant(object, asterism_symbol::intern("Enumerator")) else {
        return Ok(false);
    };
    let Some(outer) = Class::from_value(outer) else {
        return Ok(false);
    };
    let class = ec.own_constant(outer, asterism_symbol::intern("ArithmeticSequence"));
    Ok(class.is_some_and(|c| ec.is_kind_of(v, c)))
}
