//! Array: adding, removing, replacing and reordering elements.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint};
use asterism_support::random;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res, native::Intrinsic};

use super::index::count;
use super::update::reorder_by;
use crate::random::generator;

pub(super) static LIST: &[NativeDef] = &[
    NativeDef::new("push", push, 0, ANY).leaf().intrinsic(Intrinsic::Push),
    NativeDef::new("append", push, 0, ANY).leaf(),
    NativeDef::new("<<", append_one, 1, 1).leaf(),
    NativeDef::new("pop", pop, 0, 1).leaf().intrinsic(Intrinsic::Pop),
    NativeDef::new("shift", shift, 0, 1).leaf().intrinsic(Intrinsic::Shift),
    NativeDef::new("unshift", unshift, 0, ANY).leaf(),
    NativeDef::new("prepend", unshift, 0, ANY).leaf(),
    NativeDef::new("concat", concat, 0, ANY).leaf(),
    NativeDef::new("replace", replace, 1, 1).leaf(),
    NativeDef::new("initialize_copy", replace, 1, 1).leaf().private(),
    NativeDef::new("clear", clear, 0, 0).leaf(),
    NativeDef::new("reverse", reverse, 0, 0).leaf(),
    NativeDef::new("reverse!", reverse_bang, 0, 0).leaf(),
    NativeDef::new("rotate", rotate, 0, 1).leaf(),
    NativeDef::new("rotate!", rotate_bang, 0, 1).leaf(),
    NativeDef::new("compact", compact, 0, 0).leaf(),
    NativeDef::new("compact!", compact_bang, 0, 0).leaf(),
    NativeDef::new("shuffle", shuffle, 0, 0).keywords(&["random"]),
    NativeDef::new("shuffle!", shuffle_bang, 0, 0).keywords(&["random"]),
    NativeDef::new("sample", sample, 0, 1).keywords(&["random"]),
];

fn dup(ec: &mut Ec, this: Value) -> Res {
    let copy = array::dup(ec, this);
    ec.check(this, copy)
}

fn push(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let done = match args.slice() {
        [x] => array::push(ec, this, *x),
        all => array::extend(ec, this, all),
    };
    ec.check(this, done)?;
    Ok(this)
}

fn append_one(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let done = array::push(ec, this, args[0]);
    ec.check(this, done)?;
    Ok(this)
}

fn pop(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(n) = args.get(0) {
        ec.check_frozen(this)?;
        let n = count(ec, n)?;
        let taken = array::pop_n(ec, this, n);
        return ec.check(this, taken);
    }
    let taken = array::pop(ec, this);
    Ok(ec.check(this, taken)?.unwrap_or(Value::NIL))
}

fn shift(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(n) = args.get(0) {
        ec.check_frozen(this)?;
        let n = count(ec, n)?;
        let taken = array::shift_n(ec, this, n);
        return ec.check(this, taken);
    }
    let taken = array::shift(ec, this);
    Ok(ec.check(this, taken)?.unwrap_or(Value::NIL))
}

fn unshift(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let done = array::insert(ec, this, 0, args.slice());
    ec.check(this, done)?;
    Ok(this)
}

fn concat(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    if let [one] = args.slice() {
        let other = ec.to_ary(*one)?;
        let done = array::concat(ec, this, other);
        ec.check(this, done)?;
        return Ok(this);
    }
    // All are read before the receiver changes: it may be among them.
    let all = ec.array_with_capacity(args.len())?;
    for v in args.slice() {
        let other = ec.to_ary(*v)?;
        let done = array::concat(ec, all, other);
        ec.check(all, done)?;
    }
    let done = array::concat(ec, this, all);
    ec.check(this, done)?;
    Ok(this)
}

fn replace(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let other = ec.to_ary(args[0])?;
    if other != this {
        let done = array::replace(ec, this, other);
        ec.check(this, done)?;
    }
    Ok(this)
}

fn clear(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let done = array::clear(ec, this);
    ec.check(this, done)?;
    Ok(this)
}

fn reverse(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let copy = dup(ec, this)?;
    reverse_bang(ec, copy, args)
}

fn reverse_bang(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let done = array::reverse(ec, this);
    ec.check(this, done)?;
    Ok(this)
}

fn rotate(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let copy = dup(ec, this)?;
    rotate_bang(ec, copy, args)
}

fn rotate_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = match args.get(0) {
        Some(v) => ec.to_i64(v)?,
        None => 1,
    };
    let done = array::rotate(ec, this, n);
    ec.check(this, done)?;
    Ok(this)
}

fn compact(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let copy = dup(ec, this)?;
    compact_bang(ec, copy, args)?;
    Ok(copy)
}

fn compact_bang(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let removed = array::remove_if(ec, this, Value::is_nil);
    Ok(if ec.check(this, removed)? == 0 { Value::NIL } else { this })
}

/// The generator of `random:`, or the VM's.
fn generator(ec: &mut Ec, keywords: Option<Value>) -> Res {
    if let Some(h) = keywords
        && let Some(v) = ec.hash_get(h, Value::sym(asterism_symbol::sym::random))?
    {
        return Ok(v);
    }
    Ok(ec.class(WellKnown::Random))
}

/// A number below `limit` from a generator.
fn below(ec: &mut Ec, generator: Value, limit: usize) -> Res<usize> {
    if let Some(n) = generator::below_size(ec, generator, limit)? {
        return Ok(n);
    }
    let n = ec.call_public(generator, asterism_symbol::sym::rand, &[Value::fixnum(limit as i64)])?;
    let n = ec.to_integer(n)?;
    match n.fixnum_value() {
        Some(i) if i >= 0 && (i as usize) < limit => Ok(i as usize),
        Some(i) if i < 0 => Err(ec.range_error(format!("random number too small {i}"))),
        Some(i) => Err(ec.range_error(format!("random number too big {i}"))),
        None => {
            let shown = bigint::get(&n).to_string();
            Err(ec.range_error(format!("random number too big {shown}")))
        }
    }
}

/// The elements of the private `copy` in another order.
fn shuffled(ec: &mut Ec, mut copy: Value, generator: Value) -> Res {
    let mut left = array::len(copy);
    while left > 0 {
        let j = below(ec, generator, left)?;
        left -= 1;
        // SAFETY: the Array is private, and no other slice of it lives.
        unsafe { array::private_slice_mut(&mut copy) }.swap(left, j);
    }
    Ok(copy)
}

fn shuffle(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let generator = generator(ec, args.split_keywords().1)?;
    let copy = dup(ec, this)?;
    shuffled(ec, copy, generator)
}

fn shuffle_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let generator = generator(ec, args.split_keywords().1)?;
    ec.check_frozen(this)?;
    let len = array::len(this);
    reorder_by(ec, this, |ec, copy| {
        let copy = shuffled(ec, copy, generator)?;
        // In an array that nobody else changes it was the generator.
        if array::is_own(ec, this) && array::len(this) != len {
            return Err(ec.raise(asterism_vm::Exc::RuntimeError, "modified during shuffle!"));
        }
        Ok(copy)
    })?;
    Ok(this)
}

fn sample(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (rest, keywords) = args.split_keywords();
    let generator = generator(ec, keywords)?;
    let Some(&n) = rest.first() else {
        loop {
            let len = array::len(this);
            if len == 0 {
                return Ok(Value::NIL);
            }
            let i = if len == 1 { 0 } else { below(ec, generator, len)? };
            match array::at(this, i) {
                Some(v) => return Ok(v),
                // The generator itself may have made it shorter, for good.
                None if array::is_own(ec, this) => return Ok(Value::NIL),
                None => ec.poll()?,
            }
        }
    };
    let n = ec.to_i64(n)?;
    let Ok(n) = usize::try_from(n) else {
        return Err(ec.arg_error("negative sample number"));
    };
    let copy = dup(ec, this)?;
    let len = array::len(copy);
    let chosen = random::sample_indices(len, n.min(len), |k| below(ec, generator, k))?;
    let out = ec.array_with_capacity(chosen.len())?;
    // The generator itself may have made it shorter, for good.
    if array::is_own(ec, this) && chosen.iter().any(|&i| i >= array::len(this)) {
        return Ok(out);
    }
    for i in chosen {
        ec.array_push(out, array::at(copy, i).unwrap_or(Value::NIL))?;
    }
    Ok(out)
}

/// An Array of class Array (not a subclass) that is safe to hand out as a copy.
pub(super) fn plain(ec: &mut Ec, v: Value) -> Res {
    if v.is_type(Type::Array) { dup(ec, v) } else { ec.to_ary(v) }
}
