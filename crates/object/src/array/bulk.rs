//! Array operations that need room or touch many elements. Each allocates first, then takes the
//! array exclusively, looks whether what it allocated still fits, and stores; or starts over.

use asterism_heap::{Exclusive, Mutator, header, keep_alive};

use super::share::{SHARED, change};
use super::{
    Array, Body, HELD, MAX_LEN, Store, fill_fresh, grown, new_in, note, pop_from, publish_fresh, shift_from,
    with_capacity,
};
use crate::cells;
use crate::error::{ObjError, Result};
use crate::ownership::{check_unfrozen, readable};
use crate::space::{WellKnown, class};
use crate::value::Value;

const TOO_BIG: ObjError = ObjError::TooBig("array size too big");

/// Work on more elements than these is done as a blocking region, or looks between so many whether the world is to stop.
pub(super) const LONG: usize = 1 << 14;

/// Copies elements to the slots from `at` on, which the collector does not look at; whether there is a reference among
/// them.
fn copy_slots(values: &[Value], to: Body, at: usize) -> bool {
    let mut held = false;
    for (i, &x) in values.iter().enumerate() {
        held |= x.is_held();
        cells::store_unseen(to.slot(at + i), x);
    }
    held
}

/// The same under exclusivity for elements that nobody changes and that stay alive; notes references.
pub(super) fn put(guard: &mut Exclusive<'_>, values: &[Value], to: Body, at: usize) {
    let held =
        if values.len() > LONG { guard.blocking(|| copy_slots(values, to, at)) } else { copy_slots(values, to, at) };
    if held && guard.header() & HELD == 0 {
        guard.set_header_bits(HELD);
    }
}

/// Sets `count` slots from `at` on to `x`, which stays alive; if it is a reference, that has been noted.
fn put_same(guard: &mut Exclusive<'_>, x: Value, to: Body, at: usize, count: usize) {
    let store = || (at..at + count).for_each(|i| cells::store_unseen(to.slot(i), x));
    if count > LONG { guard.blocking(store) } else { store() }
}

/// Moves `len` elements from slot `from` down to slot `to`, in place. All the slots lie within the bounds.
fn move_down(guard: &mut Exclusive<'_>, body: Body, from: usize, to: usize, len: usize) {
    for i in 0..len {
        if i % LONG == LONG - 1 {
            guard.pause();
        }
        cells::store(guard.cell(), body.slot(to + i), body.load(from + i));
    }
}

/// Moves `len` elements from slot `from` on up by `gap` slots, in place. Those that leave the bounds get within them as
/// soon as there is nothing undefined in between: the bounds end with the elements.
fn move_up(guard: &mut Exclusive<'_>, body: Body, from: usize, len: usize, gap: usize) {
    let (start, _) = body.bounds();
    let end = from + len + gap;
    // From the end downwards, so that nothing is overwritten before it has moved.
    for i in (0..len).rev() {
        cells::store(guard.cell(), body.slot(from + i + gap), body.load(from + i));
        if i % LONG == LONG - 1 && len - i >= gap && guard.is_wanted() {
            body.set_bounds(start, end - start);
            guard.pause();
        }
    }
}

/// Opens a gap of `gap` slots before element `at` (from which on elements move), in place or in a
/// new store, and calls `fill` under exclusivity with the body and the gap's first slot; the bounds
/// include it afterwards.
///
/// `at` is computed from the length each time, since another thread may change it.
fn with_gap(
    m: &mut Mutator,
    v: Value,
    plan: impl Fn(usize) -> Result<(usize, usize)>,
    fill: impl Fn(&mut Exclusive<'_>, Body, usize, usize),
) -> Result<()> {
    let array = Array::of(v);
    let mut store: Option<Store> = None;
    loop {
        let mut guard = change(m, &v)?;
        let body = array.body();
        let (start, len) = body.bounds();
        let (at, gap) = plan(len)?;
        let total = len.checked_add(gap).filter(|&n| n <= MAX_LEN).ok_or(TOO_BIG)?;
        let capacity = array.capacity(guard.header(), body);
        let front = at == 0 && len > 0;
        if front && start >= gap {
            fill(&mut guard, body, start - gap, len);
            body.set_bounds(start - gap, total);
            return Ok(());
        }
        if !front && start + total <= capacity {
            move_up(&mut guard, body, start + at, len - at, gap);
            fill(&mut guard, body, start + at, len);
            body.set_bounds(start, total);
            return Ok(());
        }
        let wanted = grown(total).min(MAX_LEN);
        let room = if front { wanted - total } else { 0 };
        let lead = if front { room - room / 4 } else { 0 };
        if let Some(store) = store.filter(|s| s.capacity() >= lead + total) {
            let (values, to) = (body.values(), store.body());
            put(&mut guard, &values[..at], to, lead);
            put(&mut guard, &values[at..], to, lead + at + gap);
            fill(&mut guard, to, lead + at, len);
            to.set_bounds(lead, total);
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
    with_gap(m, v, plan, |guard, body, first, _| put(guard, values, body, first))
}

/// Inserts `values` behind the element that is `back` elements before the end.
///
/// # Errors
/// `ObjError::Index` if there are not as many; `ObjError::Frozen`, `ObjError::NoMemory`.
pub fn insert_back(m: &mut Mutator, v: Value, back: usize, values: &[Value]) -> Result<()> {
    let plan = |len: usize| Ok((len.checked_sub(back).ok_or(ObjError::Index)?, values.len()));
    insert_with(m, v, plan, values)
}

/// Sets the element that is `back` elements before the end, 1 being the last.
///
/// # Errors
/// `ObjError::Index` if there are not as many; `ObjError::Frozen`, `ObjError::NoMemory`.
pub fn set_back(m: &mut Mutator, v: Value, back: usize, x: Value) -> Result<()> {
    let array = Array::of(v);
    let guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    let i = len.checked_sub(back).ok_or(ObjError::Index)?;
    note(&guard, x);
    cells::store(guard.cell(), body.slot(start + i), x);
    Ok(())
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
    let array = Array::of(v);
    // The element behind the last of an Array that nobody else changes meanwhile.
    if super::quick(m, array.0.header(), x) && array.body().bounds().1 == i {
        return super::push(m, v, x);
    }
    // With a gap of no slots this is a plain store under exclusivity.
    let plan = |len: usize| Ok((len, (i + 1).saturating_sub(len)));
    with_gap(m, v, plan, |guard, body, first, len| {
        put_same(guard, Value::NIL, body, first, i.saturating_sub(len));
        note(guard, x);
        let slot = (first + i) - len;
        cells::store(guard.cell(), body.slot(slot), x);
    })
}

/// Replaces `len` elements from `start` on by `values` (`a[start, len] = values`); beyond the end,
/// nils fill up first.
pub fn splice(m: &mut Mutator, v: Value, start: usize, len: usize, values: &[Value]) -> Result<()> {
    splice_at(m, v, |_| Ok(Some((start, len))), values).map(drop)
}

/// As [`splice`], where `plan` says for a length which part is replaced. `false`, and nothing done, if it finds none.
pub fn splice_at(
    m: &mut Mutator,
    v: Value,
    plan: impl Fn(usize) -> Result<Option<(usize, usize)>>,
    values: &[Value],
) -> Result<bool> {
    let array = Array::of(v);
    let mut store: Option<Store> = None;
    loop {
        let mut guard = change(m, &v)?;
        let body = array.body();
        let (first, old) = body.bounds();
        let Some((start, len)) = plan(old)? else {
            return Ok(false);
        };
        if start >= MAX_LEN {
            return Err(TOO_BIG);
        }
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
            if to < end {
                move_down(&mut guard, body, first + end, first + to, tail);
            } else if to > end {
                move_up(&mut guard, body, first + end, tail, to - end);
            }
            Some((body, first))
        } else if let Some(new) = store.filter(|s| s.capacity() >= total) {
            let (slots, old) = (new.body(), body.values());
            put(&mut guard, &old[..keep], slots, 0);
            put(&mut guard, &old[end..], slots, to);
            Some((slots, 0))
        } else {
            None
        };
        let Some((target, base)) = target else {
            drop(guard);
            store = Some(Store::new(m, grown(total).min(MAX_LEN))?);
            continue;
        };
        put_same(&mut guard, Value::NIL, target, base + keep, start - keep);
        put(&mut guard, values, target, base + start);
        target.set_bounds(base, total);
        if target != body
            && let Some(new) = store
        {
            array.install(new);
        }
        return Ok(true);
    }
}

/// Removes and returns element `i`, counted from the end if negative.
pub fn delete_at(m: &mut Mutator, v: Value, i: i64) -> Result<Option<Value>> {
    let array = Array::of(v);
    let mut guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    let Some(i) = place(i, len).filter(|&i| i < len) else {
        return Ok(None);
    };
    if i == 0 {
        return Ok(shift_from(body));
    }
    if i == len - 1 {
        return Ok(pop_from(body));
    }
    let x = body.load(start + i);
    move_down(&mut guard, body, start + i + 1, start + i, len - i - 1);
    keep_alive(x.bits());
    body.set_bounds(start, len - 1);
    Ok(Some(x))
}

/// Where index `i`, counted from the end if negative, is in an array of `len` elements; `None` before the first.
#[inline]
pub fn place(i: i64, len: usize) -> Option<usize> {
    if i >= 0 { usize::try_from(i).ok() } else { usize::try_from(i.checked_add(len as i64)?).ok() }
}

/// Removes the part that `plan` finds for a length, start and how many, and returns it in a new Array; `None` if it finds
/// none.
pub fn cut(m: &mut Mutator, v: Value, plan: impl Fn(usize) -> Option<(usize, usize)>) -> Result<Option<Value>> {
    let array = Array::of(v);
    let clip = |len: usize| {
        let (start, n) = plan(len)?;
        let start = start.min(len);
        Some((start, n.min(len - start)))
    };
    loop {
        let room = clip(len_of(v)).map_or(0, |(_, n)| n);
        let taken = with_capacity(m, room)?;
        let mut guard = change(m, &v)?;
        let body = array.body();
        let (first, len) = body.bounds();
        let Some((start, n)) = clip(len) else {
            return Ok(None);
        };
        if n > room {
            continue;
        }
        let (values, target) = (&body.values()[start..start + n], Array::of(taken));
        let copy = || copy_slots(values, target.body(), 0);
        let held = if n > LONG { guard.blocking(copy) } else { copy() };
        // Seen from here on: moving the rest may let the world stop.
        publish_fresh(guard.mutator(), taken, n, held);
        if start == 0 {
            body.set_bounds(first + n, len - n);
        } else {
            move_down(&mut guard, body, first + start + n, first + start, len - start - n);
            body.set_bounds(first, len - n);
        }
        drop(guard);
        keep_alive(taken.bits());
        return Ok(Some(taken));
    }
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
    fill_if(m, v, start, len, x, |_| true).map(drop)
}

/// The same if `may` says so of the number of elements; else `false`, and nothing is done.
pub fn fill_if(
    m: &mut Mutator,
    v: Value,
    start: usize,
    len: usize,
    x: Value,
    may: impl Fn(usize) -> bool,
) -> Result<bool> {
    let end = start.checked_add(len).filter(|&n| n <= MAX_LEN).ok_or(TOO_BIG)?;
    if len == 0 {
        check_unfrozen(v)?;
        return Ok(true);
    }
    let array = Array::of(v);
    let mut store: Option<Store> = None;
    loop {
        let mut guard = change(m, &v)?;
        let body = array.body();
        let (first, now) = body.bounds();
        if !may(now) {
            return Ok(false);
        }
        let target = if now >= end || first + end <= array.capacity(guard.header(), body) {
            Some((body, first))
        } else if let Some(new) = store.filter(|s| s.capacity() >= end) {
            put(&mut guard, &body.values()[..now.min(end)], new.body(), 0);
            Some((new.body(), 0))
        } else {
            None
        };
        let Some((target, base)) = target else {
            drop(guard);
            store = Some(Store::new(m, grown(end).min(MAX_LEN))?);
            continue;
        };
        note(&guard, x);
        if start > now {
            put_same(&mut guard, Value::NIL, target, base + now, start - now);
        }
        put_same(&mut guard, x, target, base + start, len);
        if now < end {
            target.set_bounds(base, end);
        }
        if target != body
            && let Some(new) = store
        {
            array.install(new);
        }
        drop(guard);
        keep_alive(x.bits());
        return Ok(true);
    }
}

/// Reverses in place.
pub fn reverse(m: &mut Mutator, v: Value) -> Result<()> {
    let array = Array::of(v);
    let mut guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    reverse_slots(&mut guard, body, start, len);
    Ok(())
}

fn reverse_slots(guard: &mut Exclusive<'_>, body: Body, start: usize, len: usize) {
    for i in 0..len / 2 {
        if i % LONG == LONG - 1 {
            guard.pause();
        }
        let (a, b) = (body.load(start + i), body.load(start + len - 1 - i));
        cells::store(guard.cell(), body.slot(start + i), b);
        cells::store(guard.cell(), body.slot(start + len - 1 - i), a);
    }
}

/// Rotates in place: element `n` (modulo the length) becomes the first.
pub fn rotate(m: &mut Mutator, v: Value, n: i64) -> Result<()> {
    let array = Array::of(v);
    let mut guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    if len < 2 {
        return Ok(());
    }
    let n = n.rem_euclid(len as i64) as usize;
    reverse_slots(&mut guard, body, start, n);
    reverse_slots(&mut guard, body, start + n, len - n);
    reverse_slots(&mut guard, body, start, len);
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

/// As [`with_slice`], for work on `count` of the elements that may take long: if they are many, as a blocking region, in
/// which nobody changes the array. `f` may look at the elements, at Floats among them, and at no other object.
pub fn with_slice_apart<R>(m: &mut Mutator, v: Value, count: usize, f: impl FnOnce(&[Value]) -> R) -> R {
    if count <= LONG {
        return with_slice(m, v, f);
    }
    let array = Array::of(v);
    let result = if header::is_frozen(array.cell().header()) {
        let body = array.body();
        m.computing(|| f(body.values()))
    } else {
        let mut guard = m.exclusive(array.cell());
        let body = array.body();
        guard.blocking(|| f(body.values()))
    };
    keep_alive(v.bits());
    result
}

/// Has the array held anything but immediates at some time? If not, the collector does not look at its elements.
pub fn has_held_references(v: Value) -> bool {
    Array::of(v).0.header() & HELD != 0
}

/// An Array with these elements, which are kept alive by the caller.
pub fn from_slice(m: &mut Mutator, values: &[Value]) -> Result<Value> {
    let v = with_capacity(m, values.len())?;
    if values.len() <= LONG {
        fill_fresh(m, v, values.iter().copied());
        return Ok(v);
    }
    let array = Array::of(v);
    let held = m.computing(|| copy_slots(values, array.body(), 0));
    publish_fresh(m, v, values.len(), held);
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
    if n <= LONG {
        fill_fresh(m, v, std::iter::repeat_n(x, n));
        return Ok(v);
    }
    let array = Array::of(v);
    m.computing(|| (0..n).for_each(|i| cells::store_unseen(array.body().slot(i), x)));
    publish_fresh(m, v, n, x.is_held());
    Ok(v)
}

/// A new Array of the elements from `start` on, at most `len`.
pub fn sub(m: &mut Mutator, v: Value, start: usize, len: usize) -> Result<Value> {
    let class = class(m, WellKnown::Array);
    sub_in(m, class, v, |_| (start, len))
}

/// A new Array of the part that `plan` finds for a length, start and how many; what of it lies outside is left out.
pub fn sub_at(m: &mut Mutator, v: Value, plan: impl Fn(usize) -> (usize, usize)) -> Result<Value> {
    let class = class(m, WellKnown::Array);
    sub_in(m, class, v, plan)
}

fn sub_in(m: &mut Mutator, class: Value, v: Value, plan: impl Fn(usize) -> (usize, usize)) -> Result<Value> {
    let clip = |now: usize| {
        let (start, len) = plan(now);
        (start, now.saturating_sub(start).min(len))
    };
    loop {
        let (_, n) = clip(len_of(v));
        let copy = new_in(m, class, n)?;
        let target = Array::of(copy);
        let done = with_slice_apart(m, v, n, |values| {
            let (start, len) = clip(values.len());
            let rest = values.get(start..).unwrap_or(&[]);
            let rest = &rest[..rest.len().min(len)];
            (rest.len() <= n).then(|| (rest.len(), copy_slots(rest, target.body(), 0)))
        });
        // No safepoint from the end of exclusivity up to here: the source's elements are alive.
        if let Some((n, held)) = done {
            publish_fresh(m, copy, n, held);
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
    sub_in(m, class, v, |_| (0, MAX_LEN))
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

/// Appends the elements of the private `copy`, which nobody changes.
pub fn append_private(m: &mut Mutator, v: Value, copy: Value) -> Result<()> {
    let source = Array::of(copy).body();
    let result = extend(m, v, source.values());
    // The slice alone would keep the store, not what its elements lead to.
    keep_alive(copy.bits());
    result
}

/// Makes the elements of `other` those of `v`.
pub fn replace(m: &mut Mutator, v: Value, other: Value) -> Result<()> {
    if v == other {
        check_unfrozen(v)?;
        return Ok(());
    }
    let copy = snapshot(m, other)?;
    install(m, v, copy, |_, _| true).map(drop)
}

/// Makes the elements of the private `copy`, which is not used any more, those of `v`, if `may` says so of the elements
/// there are, and of whether this thread owns `v`.
pub(super) fn install(m: &mut Mutator, v: Value, copy: Value, may: impl Fn(&[Value], bool) -> bool) -> Result<bool> {
    let done = install_loop(m, v, copy, may);
    keep_alive(copy.bits());
    done
}

fn install_loop(m: &mut Mutator, v: Value, copy: Value, may: impl Fn(&[Value], bool) -> bool) -> Result<bool> {
    let source = Array::of(copy).body();
    let n = source.bounds().1;
    let array = Array::of(v);
    let mut store: Option<Store> = None;
    loop {
        let mut guard = change(m, &v)?;
        let body = array.body();
        let (start, len) = body.bounds();
        let is_owner = guard.is_owner();
        let agreed =
            if len > LONG { guard.blocking(|| may(body.values(), is_owner)) } else { may(body.values(), is_owner) };
        if !agreed {
            return Ok(false);
        }
        if Array::of(copy).0.header() & HELD != 0 {
            guard.set_header_bits(HELD);
        }
        if n > LONG && Array::of(copy).0.header() & SHARED == 0 {
            // A store that only the copy has: it changes hands.
            array.install(Store::of(source));
            return Ok(true);
        }
        if start + n <= array.capacity(guard.header(), body) {
            for (i, &x) in source.values().iter().enumerate() {
                cells::store(guard.cell(), body.slot(start + i), x);
            }
            body.set_bounds(start, n);
            return Ok(true);
        }
        if let Some(store) = store {
            copy_slots(source.values(), store.body(), 0);
            store.body().set_bounds(0, n);
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
        let mut guard = change(m, &v)?;
        let body = array.body();
        let (start, len) = body.bounds();
        let count = n.min(len);
        if count > room {
            continue;
        }
        let from = if front { 0 } else { len - count };
        let (values, target) = (&body.values()[from..from + count], Array::of(taken));
        let copy = || copy_slots(values, target.body(), 0);
        let held = if count > LONG { guard.blocking(copy) } else { copy() };
        body.set_bounds(if front { start + count } else { start }, len - count);
        drop(guard);
        publish_fresh(m, taken, count, held);
        return Ok(taken);
    }
}
