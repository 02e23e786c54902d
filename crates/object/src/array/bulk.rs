//! Array operations that need room or touch many elements. Each allocates first, then takes the
//! array exclusively, looks whether what it allocated still fits, and stores; or starts over.

use std::sync::atomic::Ordering;

use asterism_heap::{Exclusive, Mutator, header, keep_alive};

use super::share::change;
use super::{Array, Body, HELD, MAX_LEN, Store, fill_fresh, grown, new_in, note, pop_from, shift_from, with_capacity};
use crate::cells;
use crate::error::{ObjError, Result};
use crate::ownership::{check_unfrozen, readable};
use crate::space::{WellKnown, class};
use crate::value::Value;

const TOO_BIG: ObjError = ObjError::TooBig("array size too big");

/// Opens a gap of `gap` slots before element `at` (from which on elements move), in place or in a
/// new store, and calls `fill` under exclusivity with the body and the gap's first slot; the bounds
/// already include it, in a new store, or will afterwards.
///
/// `at` is computed from the length each time, since another thread may change it.
fn with_gap(
    m: &mut Mutator,
    v: Value,
    plan: impl Fn(usize) -> Result<(usize, usize)>,
    fill: impl Fn(&Exclusive<'_>, Body, usize, usize),
) -> Result<()> {
    let array = Array::of(v);
    let mut store: Option<Store> = None;
    loop {
        let guard = change(m, &v)?;
        let body = array.body();
        let (start, len) = body.bounds();
        let (at, gap) = plan(len)?;
        let total = len.checked_add(gap).filter(|&n| n <= MAX_LEN).ok_or(TOO_BIG)?;
        let capacity = array.capacity(guard.header(), body);
        let front = at == 0 && len > 0;
        if front && start >= gap {
            fill(&guard, body, start - gap, len);
            body.set_bounds(start - gap, total);
            return Ok(());
        }
        if !front && start + total <= capacity {
            // From the end downwards, so that nothing is overwritten before it has moved.
            for i in (at..len).rev() {
                let x = body.load(start + i);
                cells::store(guard.cell(), body.slot(start + i + gap), x);
            }
            fill(&guard, body, start + at, len);
            body.set_bounds(start, total);
            return Ok(());
        }
        let wanted = grown(total).min(MAX_LEN);
        let room = if front { wanted - total } else { 0 };
        let lead = if front { room - room / 4 } else { 0 };
        if let Some(store) = store.filter(|s| s.capacity() >= lead + total) {
            store.copy_in(body, lead, at, gap);
            fill(&guard, store.body(), lead + at, len);
            array.install(store);
            return Ok(());
        }
        drop(guard);
        store = Some(Store::new(m, wanted)?);
    }
}

/// Appends `values`.
#[inline(never)]
pub fn extend(m: &mut Mutator, v: Value, values: &[Value]) -> Result<()> {
    insert_with(m, v, |len| Ok((len, values.len())), values)
}

fn insert_with(
    m: &mut Mutator,
    v: Value,
    plan: impl Fn(usize) -> Result<(usize, usize)>,
    values: &[Value],
) -> Result<()> {
    with_gap(m, v, plan, |guard, body, first, _| {
        for (i, &x) in values.iter().enumerate() {
            note(guard, x);
            cells::store(guard.cell(), body.slot(first + i), x);
        }
    })
}

/// Inserts `values` before element `i`; beyond the end, nils fill up first.
pub fn insert(m: &mut Mutator, v: Value, i: usize, values: &[Value]) -> Result<()> {
    if i > len_of(v) {
        return splice(m, v, i, 0, values);
    }
    insert_with(m, v, |len| Ok((i.min(len), values.len())), values)
}

fn len_of(v: Value) -> usize {
    super::len(v)
}

/// `set` when the element is new, the array is not ours, or it never held a reference before.
#[cold]
pub(super) fn set_slow(m: &mut Mutator, v: Value, i: usize, x: Value) -> Result<()> {
    if i >= MAX_LEN {
        return Err(TOO_BIG);
    }
    // With a gap of no slots this is a plain store under exclusivity.
    let plan = |len: usize| Ok((len, (i + 1).saturating_sub(len)));
    with_gap(m, v, plan, |guard, body, first, len| {
        note(guard, x);
        for gap in 0..i.saturating_sub(len) {
            cells::store(guard.cell(), body.slot(first + gap), Value::NIL);
        }
        let slot = (first + i) - len;
        cells::store(guard.cell(), body.slot(slot), x);
    })
}

/// Replaces `len` elements from `start` on by `values` (`a[start, len] = values`); beyond the end,
/// nils fill up first.
pub fn splice(m: &mut Mutator, v: Value, start: usize, len: usize, values: &[Value]) -> Result<()> {
    if start >= MAX_LEN {
        return Err(TOO_BIG);
    }
    let array = Array::of(v);
    let mut store: Option<Store> = None;
    loop {
        let guard = change(m, &v)?;
        let body = array.body();
        let (first, old) = body.bounds();
        let keep = start.min(old);
        let end = start.saturating_add(len).min(old).max(keep);
        let tail = old - end;
        let total = start
            .checked_add(values.len())
            .and_then(|n| n.checked_add(tail))
            .filter(|&n| n <= MAX_LEN)
            .ok_or(TOO_BIG)?;
        let capacity = array.capacity(guard.header(), body);
        let to = start + values.len();
        let target = if first + total <= capacity {
            if to <= end {
                for i in 0..tail {
                    let x = body.load(first + end + i);
                    cells::store(guard.cell(), body.slot(first + to + i), x);
                }
            } else {
                for i in (0..tail).rev() {
                    let x = body.load(first + end + i);
                    cells::store(guard.cell(), body.slot(first + to + i), x);
                }
            }
            Some((body, first))
        } else if let Some(new) = store.filter(|s| s.capacity() >= total) {
            let slots = new.body();
            for i in 0..keep {
                slots.slot(i).store(body.load(first + i).0, Ordering::Relaxed);
            }
            for i in 0..tail {
                slots.slot(to + i).store(body.load(first + end + i).0, Ordering::Relaxed);
            }
            Some((slots, 0))
        } else {
            None
        };
        let Some((target, base)) = target else {
            drop(guard);
            store = Some(Store::new(m, grown(total).min(MAX_LEN))?);
            continue;
        };
        for i in keep..start {
            cells::store(guard.cell(), target.slot(base + i), Value::NIL);
        }
        for (i, &x) in values.iter().enumerate() {
            note(&guard, x);
            cells::store(guard.cell(), target.slot(base + start + i), x);
        }
        target.set_bounds(base, total);
        if target != body
            && let Some(new) = store
        {
            array.install(new);
        }
        return Ok(());
    }
}

/// Removes and returns element `i`.
pub fn delete_at(m: &mut Mutator, v: Value, i: usize) -> Result<Option<Value>> {
    let array = Array::of(v);
    let guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    if i >= len {
        return Ok(None);
    }
    if i == 0 {
        return Ok(shift_from(body));
    }
    if i == len - 1 {
        return Ok(pop_from(body));
    }
    let x = body.load(start + i);
    for j in i + 1..len {
        cells::store(guard.cell(), body.slot(start + j - 1), body.load(start + j));
    }
    body.set_bounds(start, len - 1);
    Ok(Some(x))
}

/// Removes all elements.
pub fn clear(m: &mut Mutator, v: Value) -> Result<()> {
    truncate(m, v, 0)
}

/// Removes all but the first `n` elements.
pub fn truncate(m: &mut Mutator, v: Value, n: usize) -> Result<()> {
    let array = Array::of(v);
    let _guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    if n < len {
        body.set_bounds(start, n);
    }
    Ok(())
}

/// Sets `len` elements from `start` on to `x`, extending the array if need be.
pub fn fill(m: &mut Mutator, v: Value, start: usize, len: usize, x: Value) -> Result<()> {
    if len == 0 {
        check_unfrozen(v)?;
        return Ok(());
    }
    let end = start.checked_add(len).filter(|&n| n <= MAX_LEN).ok_or(TOO_BIG)?;
    let array = Array::of(v);
    loop {
        if len_of(v) < end {
            set_slow(m, v, end - 1, x)?;
        }
        let guard = change(m, &v)?;
        let body = array.body();
        let (first, now) = body.bounds();
        if now < end {
            continue;
        }
        note(&guard, x);
        for i in start..end {
            cells::store(guard.cell(), body.slot(first + i), x);
        }
        return Ok(());
    }
}

/// Reverses in place.
pub fn reverse(m: &mut Mutator, v: Value) -> Result<()> {
    let array = Array::of(v);
    let guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    reverse_slots(&guard, body, start, len);
    Ok(())
}

fn reverse_slots(guard: &Exclusive<'_>, body: Body, start: usize, len: usize) {
    for i in 0..len / 2 {
        let (a, b) = (body.load(start + i), body.load(start + len - 1 - i));
        cells::store(guard.cell(), body.slot(start + i), b);
        cells::store(guard.cell(), body.slot(start + len - 1 - i), a);
    }
}

/// Rotates in place: element `n` (modulo the length) becomes the first.
pub fn rotate(m: &mut Mutator, v: Value, n: i64) -> Result<()> {
    let array = Array::of(v);
    let guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    if len < 2 {
        return Ok(());
    }
    let n = n.rem_euclid(len as i64) as usize;
    reverse_slots(&guard, body, start, n);
    reverse_slots(&guard, body, start + n, len - n);
    reverse_slots(&guard, body, start, len);
    Ok(())
}

/// Swaps elements `i` and `j`; nothing happens if one is not there.
pub fn swap(m: &mut Mutator, v: Value, i: usize, j: usize) -> Result<()> {
    let array = Array::of(v);
    let guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    if i < len && j < len {
        let (a, b) = (body.load(start + i), body.load(start + j));
        cells::store(guard.cell(), body.slot(start + i), b);
        cells::store(guard.cell(), body.slot(start + j), a);
    }
    Ok(())
}

/// Calls `f` with the elements while nobody can change them. `f` must be short: other threads that
/// need the array wait.
pub fn with_slice<R>(m: &mut Mutator, v: Value, f: impl FnOnce(&[Value]) -> R) -> R {
    let array = Array::of(v);
    if readable(m, array.cell().header()) {
        return f(array.body().values());
    }
    let _guard = m.exclusive(array.cell());
    f(array.body().values())
}

/// An Array with these elements.
pub fn from_slice(m: &mut Mutator, values: &[Value]) -> Result<Value> {
    let v = with_capacity(m, values.len())?;
    fill_fresh(v, values.iter().copied());
    Ok(v)
}

/// An Array of two elements.
pub fn pair(m: &mut Mutator, a: Value, b: Value) -> Result<Value> {
    from_slice(m, &[a, b])
}

/// An Array of `n` times `x`.
pub fn filled(m: &mut Mutator, n: usize, x: Value) -> Result<Value> {
    if n > MAX_LEN {
        return Err(TOO_BIG);
    }
    let v = with_capacity(m, n)?;
    fill_fresh(v, std::iter::repeat_n(x, n));
    Ok(v)
}

/// A new Array of the elements from `start` on, at most `len`.
pub fn sub(m: &mut Mutator, v: Value, start: usize, len: usize) -> Result<Value> {
    let class = class(m, WellKnown::Array);
    sub_in(m, class, v, start, len)
}

fn sub_in(m: &mut Mutator, class: Value, v: Value, start: usize, len: usize) -> Result<Value> {
    loop {
        let n = len_of(v).saturating_sub(start).min(len);
        let copy = new_in(m, class, n)?;
        let done = with_slice(m, v, |values| {
            let rest = values.get(start..).unwrap_or(&[]);
            let rest = &rest[..rest.len().min(len)];
            if rest.len() > n {
                return false;
            }
            fill_fresh(copy, rest.iter().copied());
            true
        });
        if done {
            return Ok(copy);
        }
    }
}

/// A new Array with the same elements.
pub fn dup(m: &mut Mutator, v: Value) -> Result<Value> {
    sub(m, v, 0, MAX_LEN)
}

/// A new Array of `class` with the same elements.
pub fn dup_in(m: &mut Mutator, class: Value, v: Value) -> Result<Value> {
    sub_in(m, class, v, 0, MAX_LEN)
}

/// The elements as they are now, in an Array that no one else has.
pub fn snapshot(m: &mut Mutator, v: Value) -> Result<Value> {
    dup(m, v)
}

/// Appends the elements of `other`.
pub fn concat(m: &mut Mutator, v: Value, other: Value) -> Result<()> {
    let copy = if header::is_frozen(Array::of(other).cell().header()) { other } else { snapshot(m, other)? };
    append_private(m, v, copy)
}

/// Appends the elements of `copy`, which nobody changes.
fn append_private(m: &mut Mutator, v: Value, copy: Value) -> Result<()> {
    let source = Array::of(copy).body();
    let result = extend(m, v, source.values());
    // The slice alone would keep the store, not what its elements lead to.
    keep_alive(copy.0);
    result
}

/// Makes the elements of `other` those of `v`.
pub fn replace(m: &mut Mutator, v: Value, other: Value) -> Result<()> {
    if v == other {
        check_unfrozen(v)?;
        return Ok(());
    }
    let copy = snapshot(m, other)?;
    loop {
        let expected = len_of(v);
        if install(m, v, copy, expected)? {
            return Ok(());
        }
    }
}

/// Makes the elements of the private `copy` those of `v`, if `v` still has `expected` elements.
pub fn install(m: &mut Mutator, v: Value, copy: Value, expected: usize) -> Result<bool> {
    let done = install_loop(m, v, copy, expected);
    keep_alive(copy.0);
    done
}

fn install_loop(m: &mut Mutator, v: Value, copy: Value, expected: usize) -> Result<bool> {
    let source = Array::of(copy).body();
    let n = source.bounds().1;
    let array = Array::of(v);
    let mut store: Option<Store> = None;
    loop {
        let guard = change(m, &v)?;
        let body = array.body();
        let (start, len) = body.bounds();
        if len != expected {
            return Ok(false);
        }
        if Array::of(copy).0.header() & HELD != 0 {
            guard.set_header_bits(HELD);
        }
        if start + n <= array.capacity(guard.header(), body) {
            for (i, &x) in source.values().iter().enumerate() {
                cells::store(guard.cell(), body.slot(start + i), x);
            }
            body.set_bounds(start, n);
            return Ok(true);
        }
        if let Some(store) = store {
            store.copy_in(source, 0, n, 0);
            array.install(store);
            return Ok(true);
        }
        drop(guard);
        store = Some(Store::new(m, n)?);
    }
}

/// Removes the first `n` elements (or as many as there are) and returns them in a new Array.
pub fn shift_n(m: &mut Mutator, v: Value, n: usize) -> Result<Value> {
    take_n(m, v, n, true)
}

/// Removes the last `n` elements (or as many as there are) and returns them in a new Array.
pub fn pop_n(m: &mut Mutator, v: Value, n: usize) -> Result<Value> {
    take_n(m, v, n, false)
}

fn take_n(m: &mut Mutator, v: Value, n: usize, front: bool) -> Result<Value> {
    let array = Array::of(v);
    loop {
        let room = n.min(len_of(v));
        let taken = with_capacity(m, room)?;
        let _guard = change(m, &v)?;
        let body = array.body();
        let (start, len) = body.bounds();
        let count = n.min(len);
        if count > room {
            continue;
        }
        let from = if front { 0 } else { len - count };
        fill_fresh(taken, body.values()[from..from + count].iter().copied());
        body.set_bounds(if front { start + count } else { start }, len - count);
        return Ok(taken);
    }
}
