//! Changing an Array by what was read of it. A method takes a copy, works on that — Ruby code may run meanwhile, and other
//! threads may change the array — and commits: the result takes the place of what was read if exactly that is still there.
//! If not, the method starts over; or, where its work is not to be done twice or too often, `merge` does to the elements
//! there are what was done to the copy, under the array's lock: what others have added is kept, what they have removed stays
//! away.
//!
//! What was read is compared element by element, which costs less than having made the copy, and nothing where nobody
//! commits: an array has no version. The copy keeps its elements alive, so the same word is the same object.

use std::collections::HashMap;

use asterism_heap::{Mutator, keep_alive};

use super::bulk::{self, LONG, place};
use super::share::change;
use super::{Array, HELD, Store, private_slice};
use crate::cells;
use crate::error::{ObjError, Result};
use crate::ownership::check_unfrozen;
use crate::value::Value;

/// Whose changes keep a commit from being made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unless {
    /// Anybody's.
    Changed,
    /// Those of other threads: in an array that is this thread's own, what a block changed meanwhile is lost, as in CRuby.
    ChangedByOthers,
}

/// What a method made of the elements it saw, to be done to others.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// It brought them into this order.
    Order(&'a [Value]),
    /// It replaced each by some of these: those from the end that the element before has to its own.
    Replace(&'a [Value], &'a [u32]),
    /// It kept one of each class, of which these are the numbers.
    Distinct(&'a [u32]),
}

/// Makes the elements of the private `made`, which is not used any more, those of `v`, if `v` still has those of the
/// private `seen`; else `false`.
pub fn commit(m: &mut Mutator, v: Value, seen: Value, made: Value, unless: Unless) -> Result<bool> {
    let expected = private_slice(&seen);
    let done =
        bulk::install(m, v, made, |now, is_owner| is_owner && unless == Unless::ChangedByOthers || now == expected);
    keep_alive(seen.bits());
    done
}

/// Memory for the map of `n` elements.
fn room<T>(n: usize) -> Result<HashMap<u64, T>> {
    let mut map = HashMap::new();
    map.try_reserve(n).map_err(|_| ObjError::NoMemory)?;
    Ok(map)
}

/// Does `change`, which was made to the elements of the private `seen`, to those that `v` has now.
pub fn merge(m: &mut Mutator, v: Value, seen: Value, change: Change<'_>) -> Result<()> {
    let old = private_slice(&seen);
    let done = match change {
        Change::Order(order) => rebuild(
            m,
            v,
            |now| now.len(),
            |now, counts, put| {
                for x in now {
                    *counts.entry(x.bits()).or_insert(0) += 1;
                }
                for &x in order.iter().chain(now) {
                    if let Some(n @ 1..) = counts.get_mut(&x.bits()) {
                        *n -= 1;
                        put(x);
                    }
                }
            },
        ),
        Change::Replace(made, ends) => {
            let mut parts = room(old.len())?;
            let mut from = 0;
            for (x, &end) in old.iter().zip(ends) {
                parts.entry(x.bits()).or_insert(from..end as usize);
                from = end as usize;
            }
            let part = |x: &Value| parts.get(&x.bits()).and_then(|part| made.get(part.clone()));
            rebuild(
                m,
                v,
                |now| now.iter().map(|x| part(x).map_or(1, <[Value]>::len)).sum(),
                |now, _, put| now.iter().for_each(|x| part(x).unwrap_or(&[*x]).iter().for_each(|&y| put(y))),
            )
        }
        Change::Distinct(classes) => {
            let mut class = room(old.len())?;
            for (x, &c) in old.iter().zip(classes) {
                class.entry(x.bits()).or_insert(u64::from(c));
            }
            rebuild(
                m,
                v,
                |now| now.len(),
                |now, seen, put| {
                    for &x in now {
                        // What was not seen is no class's.
                        if class.get(&x.bits()).is_none_or(|&c| seen.insert(c, 1).is_none()) {
                            put(x);
                        }
                    }
                },
            )
        }
    };
    keep_alive(seen.bits());
    done
}

/// Makes what `make` puts, called under the array's lock with the elements, the elements of `v`: at most as many as `most`
/// says of them. `make` is given an empty map with room for the elements.
fn rebuild(
    m: &mut Mutator,
    v: Value,
    most: impl Fn(&[Value]) -> usize,
    make: impl Fn(&[Value], &mut HashMap<u64, usize>, &mut dyn FnMut(Value)),
) -> Result<()> {
    check_unfrozen(v)?;
    let array = Array::of(v);
    let mut wanted = super::len(v);
    loop {
        let store = Store::new(m, wanted)?;
        let mut map = room(store.capacity())?;
        let mut guard = change(m, &v)?;
        let body = array.body();
        let now = body.values();
        let needed = most(now).max(now.len());
        if needed > store.capacity() {
            drop(guard);
            // With room for what others may add until then.
            wanted = needed.saturating_add(needed / 2);
            continue;
        }
        let to = store.body();
        let mut fill = || {
            let (mut n, mut held) = (0, false);
            make(now, &mut map, &mut |x| {
                held |= x.is_held();
                cells::store_unseen(to.slot(n), x);
                n += 1;
            });
            (n, held)
        };
        let (n, held) = if now.len() > LONG { guard.blocking(fill) } else { fill() };
        if held && guard.header() & HELD == 0 {
            guard.set_header_bits(HELD);
        }
        to.set_bounds(0, n);
        array.install(store);
        return Ok(());
    }
}

/// Removes the elements noted in the private `noted`, which has a position and the element that was there by turns,
/// positions rising: where they were, or wherever they are now. How many there still were.
pub fn remove(m: &mut Mutator, v: Value, noted: Value) -> Result<usize> {
    let (pairs, _) = private_slice(&noted).as_chunks::<2>();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let array = Array::of(v);
    let removed = loop {
        let mut guard = change(m, &v)?;
        let body = array.body();
        let (start, len) = body.bounds();
        let now = body.values();
        let position = |pair: &[Value; 2]| place(pair[0].as_fixnum(), len);
        let mut next = pairs.iter().peekable();
        let in_place = pairs.iter().all(|pair| position(pair).and_then(|i| now.get(i)) == Some(&pair[1]));
        if !in_place && counts.is_empty() {
            drop(guard);
            counts = room(pairs.len())?;
            for pair in pairs {
                *counts.entry(pair[1].bits()).or_insert(0) += 1;
            }
            continue;
        }
        let mut to = 0;
        for i in 0..len {
            if i % LONG == LONG - 1 {
                guard.pause();
            }
            let x = body.load(start + i);
            let goes = if in_place {
                next.next_if(|pair| position(pair) == Some(i)).is_some()
            } else {
                counts.get_mut(&x.bits()).filter(|n| **n > 0).map(|n| *n -= 1).is_some()
            };
            if !goes {
                if to < i {
                    cells::store(guard.cell(), body.slot(start + to), x);
                }
                to += 1;
            }
        }
        body.set_bounds(start, to);
        break len - to;
    };
    keep_alive(noted.bits());
    Ok(removed)
}

/// Removes all elements for which `goes`, which looks at nothing but the word. How many there were.
pub fn remove_if(m: &mut Mutator, v: Value, goes: impl Fn(Value) -> bool) -> Result<usize> {
    let array = Array::of(v);
    let mut guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    let mut to = 0;
    for i in 0..len {
        if i % LONG == LONG - 1 {
            guard.pause();
        }
        let x = body.load(start + i);
        if !goes(x) {
            if to < i {
                cells::store(guard.cell(), body.slot(start + to), x);
            }
            to += 1;
        }
    }
    body.set_bounds(start, to);
    Ok(len - to)
}

/// Puts `new` in the place of `old`, which was element `i`: there, or where others have moved it meanwhile; nothing happens
/// if they have removed it. In an array that is this thread's own, element `i` is set whatever it is, as in CRuby.
pub fn exchange(m: &mut Mutator, v: Value, i: usize, old: Value, new: Value) -> Result<()> {
    if super::is_own(m, v) {
        return super::set(m, v, i, new);
    }
    let array = Array::of(v);
    let guard = change(m, &v)?;
    let body = array.body();
    let (start, len) = body.bounds();
    // Behind it first: others have mostly put in some in front, or taken some out.
    let at = (i..len).chain((0..i.min(len)).rev()).find(|&i| body.load(start + i) == old);
    if let Some(at) = at {
        super::note(&guard, new);
        cells::store(guard.cell(), body.slot(start + at), new);
    }
    drop(guard);
    keep_alive(new.bits());
    Ok(())
}
