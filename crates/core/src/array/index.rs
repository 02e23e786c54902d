//! Array: reading and writing by index, range and length.

use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};

use crate::range::{Outside, bounds};

pub(super) static LIST: &[NativeDef] = &[
    NativeDef::new("[]", aref, 1, 2).leaf(),
    NativeDef::new("slice", aref, 1, 2).leaf(),
    NativeDef::new("[]=", aset, 2, 3).leaf(),
    NativeDef::new("at", at, 1, 1).leaf(),
    NativeDef::new("first", first, 0, 1).leaf(),
    NativeDef::new("last", last, 0, 1).leaf(),
    NativeDef::new("take", take, 1, 1).leaf(),
    NativeDef::new("drop", drop_n, 1, 1).leaf(),
    NativeDef::new("values_at", values_at, 0, asterism_vm::ANY).leaf(),
    NativeDef::new("slice!", slice_bang, 1, 2).leaf(),
    NativeDef::new("delete_at", delete_at, 1, 1).leaf(),
    NativeDef::new("insert", insert, 1, asterism_vm::ANY).leaf(),
];

/// Index `i` of an array of `len`, negative ones counted from the end.
#[inline]
pub(super) fn place(i: i64, len: usize) -> Option<usize> {
    if i >= 0 { usize::try_from(i).ok() } else { usize::try_from(i.checked_add(len as i64)?).ok() }
}

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
        return match bounds(ec, key, array::len(this), Outside::None)? {
            Some((start, n)) => sub(ec, this, start, n),
            None => Ok(Value::NIL),
        };
    }
    if key.is_type(Type::Object) && super::is_sequence(ec, key)? {
        return super::internal(ec, "array_slice_sequence", &[this, key]);
    }
    let i = ec.to_i64(key)?;
    Ok(array::get(this, i))
}

fn slice(ec: &mut Ec, this: Value, i: i64, n: i64) -> Res {
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
    if at < super::ADDRESSABLE { ec.no_memory() } else { ec.index_error(format!("index {at} too big")) }
}

/// Where a write to `i` goes.
fn write_place(ec: &mut Ec, this: Value, i: i64) -> Res<usize> {
    let len = array::len(this);
    match place(i, len) {
        Some(at) if at < array::MAX_LEN => Ok(at),
        Some(at) => Err(too_big(ec, at)),
        None => Err(too_small(ec, i, -(len as i64))),
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
        let start = write_place(ec, this, i)?;
        splice(ec, this, start, n as usize, args[2])?;
        return Ok(args[2]);
    }
    let (key, value) = (args[0], args[1]);
    let i = match key.fixnum_value() {
        Some(i) => i,
        None => {
            ec.check_frozen(this)?;
            if key.is_type(Type::Range) {
                if let Some((start, n)) = bounds(ec, key, array::len(this), Outside::Raise)? {
                    splice(ec, this, start, n, value)?;
                }
                return Ok(value);
            }
            ec.to_i64(key)?
        }
    };
    let at = write_place(ec, this, i)?;
    let done = array::set(ec, this, at, value);
    ec.check(this, done)?;
    Ok(value)
}

/// `this[start, len] = value`: an Array's elements, or one object.
fn splice(ec: &mut Ec, this: Value, start: usize, len: usize, value: Value) -> Res<()> {
    if start >= array::MAX_LEN {
        return Err(too_big(ec, start));
    }
    let done = match ec.check_array(value)? {
        Some(list) => {
            let copy = array::snapshot(ec, list);
            let copy = ec.check(list, copy)?;
            let done = array::splice(ec, this, start, len, array::private_slice(copy));
            asterism_heap::keep_alive(copy.bits());
            done
        }
        None => array::splice(ec, this, start, len, &[value]),
    };
    ec.check(this, done)
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
            let len = array::len(this);
            sub(ec, this, len.saturating_sub(n), n)
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
        Ok(n) => sub(ec, this, n.min(array::len(this)), array::MAX_LEN),
        Err(_) => Err(ec.arg_error("attempt to drop negative size")),
    }
}

fn values_at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = ec.array_with_capacity(args.len())?;
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

/// Removes and returns `n` elements from `start` on.
fn cut(ec: &mut Ec, this: Value, start: usize, n: usize) -> Res {
    let taken = sub(ec, this, start, n)?;
    let done = array::splice(ec, this, start, array::len(taken), &[]);
    ec.check(this, done)?;
    Ok(taken)
}

fn slice_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let len = array::len(this);
    if args.len() == 2 {
        let i = ec.to_i64(args[0])?;
        let n = ec.to_i64(args[1])?;
        return match place(i, len) {
            Some(start) if start <= len && n >= 0 => cut(ec, this, start, n as usize),
            _ => Ok(Value::NIL),
        };
    }
    if args[0].is_type(Type::Range) {
        return match bounds(ec, args[0], len, Outside::None)? {
            Some((start, n)) => cut(ec, this, start, n),
            None => Ok(Value::NIL),
        };
    }
    delete_at(ec, this, args)
}

fn delete_at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let i = ec.to_i64(args[0])?;
    ec.check_frozen(this)?;
    match place(i, array::len(this)) {
        Some(at) => {
            let removed = array::delete_at(ec, this, at);
            Ok(ec.check(this, removed)?.unwrap_or(Value::NIL))
        }
        None => Ok(Value::NIL),
    }
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
    let len = array::len(this);
    let at = if i < 0 { i.checked_add(len as i64 + 1) } else { Some(i) };
    let at = match at.map(usize::try_from) {
        Some(Ok(at)) if at < array::MAX_LEN => at,
        Some(Ok(at)) => return Err(too_big(ec, at)),
        _ => return Err(too_small(ec, i, -(len as i64) - 1)),
    };
    let done = array::insert(ec, this, at, values);
    ec.check(this, done)?;
    Ok(this)
}
