//! Array: rows of elements, for combinations, permutations, products and `transpose`. The prelude keeps a place in an Array of
//! indices, and asks for the row there and the next place.
//!
//! The copies and indices are Arrays, which a program finds by `ObjectSpace.each_object` and may change at any time, from
//! another thread too. So each element is read by itself, with its type: a row has nil for what is not there, and a place
//! that is none any more has no next one.

use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::native::PrimFn;
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::quick::settled;
use super::sort::room;

/// Registered with the other primitives.
pub(crate) static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("array_copy", |ec, args| copy(ec, args[0])),
    ("array_indices", indices),
    ("array_pick", pick),
    ("array_next_combination", next_combination),
    ("array_next_permutation", next_permutation),
    ("array_copies", |ec, args| copies(ec, args[0], args[1])),
    ("array_product", product),
    ("array_product_row", product_row),
    ("array_next_product", next_product),
];

pub(super) static LIST: &[NativeDef] = &[NativeDef::new("transpose", transpose, 0, 0)];

/// Elements between two looks at what other threads want.
const POLL_EVERY: usize = 1024;
/// Rows up to this long are put together on the stack.
const FEW: usize = 8;
/// A product has room for this many rows at first.
const ROWS: usize = 1 << 16;

/// A number of elements, or an index, if it is one.
fn index(v: Value) -> Option<usize> {
    usize::try_from(v.fixnum_value()?).ok()
}

/// A number of elements that the prelude passes.
fn count(v: Value) -> usize {
    index(v).unwrap_or(0)
}

/// Element `i` of what should be an Array.
#[inline]
fn element(list: Value, i: usize) -> Option<Value> {
    if list.is_type(Type::Array) { array::at(list, i) } else { None }
}

/// Index `i` of a place.
#[inline]
fn place(at: Value, i: usize) -> Option<usize> {
    index(element(at, i)?)
}

/// Makes `index` index `i` of a place, whose Array has been looked at.
#[inline]
fn put(ec: &mut Ec, at: Value, i: usize, index: usize) -> Res<()> {
    let done = array::set(ec, at, i, Value::fixnum(index as i64));
    ec.check(at, done)
}

/// Looks at what other threads want once in a while.
#[inline]
fn poll(ec: &mut Ec, i: usize) -> Res<()> {
    if i % POLL_EVERY == POLL_EVERY - 1 { ec.poll() } else { Ok(()) }
}

/// An Array of what `of` finds for each index below `n`, nil for what is not there.
fn row(ec: &mut Ec, n: usize, of: impl Fn(usize) -> Option<Value>) -> Res {
    if n <= FEW {
        let mut few = [Value::NIL; FEW];
        for (i, v) in few[..n].iter_mut().enumerate() {
            *v = of(i).unwrap_or(Value::NIL);
        }
        return ec.array(&few[..n]);
    }
    let row = ec.array_with_capacity(n)?;
    for i in 0..n {
        ec.array_push(row, of(i).unwrap_or(Value::NIL))?;
        poll(ec, i)?;
    }
    Ok(row)
}

/// `array_copy(array)`: the elements as they are now.
fn copy(ec: &mut Ec, list: Value) -> Res {
    let list = ec.to_ary(list)?;
    let copy = array::snapshot(ec, list);
    ec.check(list, copy)
}

/// `array_indices(n)`: the Integers below `n`.
fn indices(ec: &mut Ec, args: &[Value]) -> Res {
    let n = count(args[0]);
    let list = ec.array_with_capacity(n)?;
    for i in 0..n {
        ec.array_push(list, Value::fixnum(i as i64))?;
        poll(ec, i)?;
    }
    Ok(list)
}

/// `array_pick(pool, at, n)`: the elements of `pool` where the first `n` of `at` say.
fn pick(ec: &mut Ec, args: &[Value]) -> Res {
    let (pool, at) = (args[0], args[1]);
    row(ec, count(args[2]), |i| element(pool, place(at, i)?))
}

/// `array_next_combination(at, k, n)`: moves the last of the `k` ascending indices that has room below `n`, and those behind
/// it; false if none has.
fn next_combination(ec: &mut Ec, args: &[Value]) -> Res {
    let (at, k, n) = (args[0], count(args[1]), count(args[2]));
    for i in (0..k).rev() {
        let Some(here) = place(at, i) else {
            break;
        };
        if here + k < n + i {
            for j in i..k {
                put(ec, at, j, here + 1 + j - i)?;
                poll(ec, j)?;
            }
            return Ok(Value::TRUE);
        }
        poll(ec, i)?;
    }
    Ok(Value::FALSE)
}

/// `array_next_permutation(at, k, n)`: of all `n` indices, those behind the first `k` in ascending order, the first `k` become
/// the next ones; false behind the last.
fn next_permutation(ec: &mut Ec, args: &[Value]) -> Res {
    let (at, k, n) = (args[0], count(args[1]), count(args[2]));
    for i in (0..k).rev() {
        let Some(here) = place(at, i) else {
            break;
        };
        // What is behind `i` is in ascending order, and stays so.
        if let Some((j, next)) = first_above(at, here, i + 1, n) {
            put(ec, at, i, next)?;
            put(ec, at, j, here)?;
            return Ok(Value::TRUE);
        }
        for j in i + 1..n {
            let Some(moved) = place(at, j) else {
                return Ok(Value::FALSE);
            };
            put(ec, at, j - 1, moved)?;
            poll(ec, j)?;
        }
        put(ec, at, n - 1, here)?;
    }
    Ok(Value::FALSE)
}

/// Where the first index above `least` is among the ascending ones from `from` to `end`, and what it is.
fn first_above(at: Value, least: usize, from: usize, end: usize) -> Option<(usize, usize)> {
    let (mut low, mut high, mut found) = (from, end, None);
    while low < high {
        let middle = low.midpoint(high);
        let there = place(at, middle)?;
        if there > least {
            (high, found) = (middle, Some((middle, there)));
        } else {
            low = middle + 1;
        }
    }
    found
}

/// `array_copies(array, others)`: copies of the Array and of what the others are as Arrays.
fn copies(ec: &mut Ec, list: Value, others: Value) -> Res {
    let n = array::len(others);
    // What converts one of them may still change another.
    for i in 0..n {
        let other = element(others, i).unwrap_or(Value::NIL);
        if !other.is_type(Type::Array) {
            let converted = ec.to_ary(other)?;
            let done = array::set(ec, others, i, converted);
            ec.check(others, done)?;
        }
    }
    let pools = ec.array_with_capacity(1 + n)?;
    let first = copy(ec, list)?;
    ec.array_push(pools, first)?;
    for i in 0..n {
        let copied = copy(ec, element(others, i).unwrap_or(Value::NIL))?;
        ec.array_push(pools, copied)?;
        poll(ec, i)?;
    }
    Ok(pools)
}

/// How far a product is in one of its Arrays.
struct Axis {
    at: usize,
    size: usize,
}

/// The beginning of the product of these Arrays, and how many rows it has.
fn axes(ec: &mut Ec, pools: Value) -> Res<(Vec<Axis>, usize)> {
    let n = array::len(pools);
    let mut axes = room(ec, n)?;
    let mut total = Some(1usize);
    for i in 0..n {
        let size = element(pools, i).filter(|pool| pool.is_type(Type::Array)).map_or(0, array::len);
        if size == 0 {
            return Ok((axes, 0));
        }
        total = total.and_then(|total| total.checked_mul(size));
        axes.push(Axis { at: 0, size });
    }
    match total.filter(|total| i64::try_from(*total).is_ok()) {
        Some(total) => Ok((axes, total)),
        // More rows than can be addressed is an error before any row is made.
        None => Err(ec.range_error("too big to product")),
    }
}

/// `array_product(array, others)`
fn product(ec: &mut Ec, args: &[Value]) -> Res {
    let pools = copies(ec, args[0], args[1])?;
    let (mut axes, total) = axes(ec, pools)?;
    let out = ec.array_with_capacity(total.min(ROWS))?;
    for _ in 0..total {
        let made = row(ec, axes.len(), |i| element(element(pools, i)?, axes[i].at))?;
        ec.array_push(out, made)?;
        for axis in axes.iter_mut().rev() {
            axis.at += 1;
            if axis.at < axis.size {
                break;
            }
            axis.at = 0;
        }
        ec.poll()?;
    }
    Ok(out)
}

/// `array_product_row(pools, at, n)`: the elements of the `n` pools where `at` says.
fn product_row(ec: &mut Ec, args: &[Value]) -> Res {
    let (pools, at) = (args[0], args[1]);
    row(ec, count(args[2]), |i| element(element(pools, i)?, place(at, i)?))
}

/// `array_next_product(pools, at, n)`: moves the last index that has room, and begins again behind it; false if none has.
fn next_product(ec: &mut Ec, args: &[Value]) -> Res {
    let (pools, at, n) = (args[0], args[1], count(args[2]));
    for i in (0..n).rev() {
        let (Some(pool), Some(here)) = (element(pools, i), place(at, i)) else {
            break;
        };
        let more = element(pool, here + 1).is_some();
        put(ec, at, i, if more { here + 1 } else { 0 })?;
        if more {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}

/// An Array of `width` empty ones, which have room for `height` elements.
fn columns(ec: &mut Ec, width: usize, height: usize) -> Res {
    let out = ec.array_with_capacity(width)?;
    for _ in 0..width {
        let column = ec.array_with_capacity(height)?;
        ec.array_push(out, column)?;
    }
    Ok(out)
}

/// Appends the elements of `row` to the columns.
fn append(ec: &mut Ec, columns: Value, row: Value, width: usize) -> Res<()> {
    for i in 0..width {
        let column = element(columns, i).filter(|column| column.is_type(Type::Array));
        if let (Some(column), Some(v)) = (column, array::at(row, i)) {
            ec.array_push(column, v)?;
        }
        poll(ec, i)?;
    }
    Ok(())
}

/// Each row is read as it is at one moment.
fn transpose(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = copy(ec, this)?;
    let height = array::len(list);
    let mut out = None;
    for i in 0..height {
        let row = ec.to_ary(element(list, i).unwrap_or(Value::NIL))?;
        let row = if out.is_none() || array::len(row) > POLL_EVERY { copy(ec, row)? } else { settled(ec, row)? };
        let width = array::len(row);
        let (columns, wanted) = match out {
            Some(out) => out,
            None => (columns(ec, width, height)?, width),
        };
        out = Some((columns, wanted));
        if width != wanted {
            return Err(ec.index_error(format!("element size differs ({width} should be {wanted})")));
        }
        append(ec, columns, row, width)?;
        ec.poll()?;
    }
    match out {
        Some((columns, _)) => Ok(columns),
        None => ec.array_with_capacity(0),
    }
}
