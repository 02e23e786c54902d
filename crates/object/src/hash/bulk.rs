//! Operations on all entries of a Hash at once.

use std::sync::atomic::Ordering;

use asterism_heap::{Mutator, header, keep_alive};

use super::table::{LONG, SMALL, Table};
use super::{
    IDENTITY, TABLE, copy_entries, default_of, install, is_identity, len, new_in, object, set_flag, store_default,
    table,
};
use crate::builtin::mix;
use crate::error::Result;
use crate::ownership::{modify, readable};
use crate::space::{WellKnown, class};
use crate::value::Value;
use crate::{array, builtin};

/// Calls `f` with the table while its entries agree with each other: as a blocking region if they are many. `f` may store
/// references where the collector does not look yet, and has no business with other objects.
fn with_table<R>(m: &mut Mutator, h: Value, f: impl FnOnce(Table) -> R) -> R {
    let object = object(h);
    let long = table(h).counts().0 > LONG;
    let frozen = header::is_frozen(object.cell().header());
    let result = if !long && readable(m, object.cell().header()) {
        f(table(h))
    } else if long && frozen {
        let table = table(h);
        m.computing(|| f(table))
    } else {
        let mut guard = m.exclusive(object.cell());
        let table = table(h);
        if table.counts().0 > LONG { guard.blocking(|| f(table)) } else { f(table) }
    };
    keep_alive(h.bits());
    result
}

/// The keys and values of a table.
fn entries(table: Table) -> impl Iterator<Item = (Value, Value)> {
    let (used, _) = table.counts();
    (0..used).filter(move |&e| !table.key(e).is_undef()).map(move |e| (table.key(e), table.value(e)))
}

/// An Array of what `pick` gives for each entry, `per` values an entry.
fn collect<const N: usize>(m: &mut Mutator, h: Value, pick: impl Fn(Value, Value) -> [Value; N]) -> Result<Value> {
    loop {
        let room = len(h);
        let list = array::with_capacity(m, room * N)?;
        let filled = with_table(m, h, |table| {
            let values = entries(table).flat_map(|(key, value)| pick(key, value));
            (table.counts().1 <= room).then(|| array::fill_unseen(list, values))
        });
        if let Some((n, held)) = filled {
            array::publish_fresh(m, list, n, held);
            return Ok(list);
        }
    }
}

/// Are more of the entries that were ever appended to the table deleted than not?
pub fn is_mostly_deleted(h: Value) -> bool {
    let (used, live) = table(h).counts();
    used > 2 * live
}

/// Are the keys in `pairs`, keys and values in turn, no more than a small table holds, none the same and all of them such that only the
/// same one is `eql?`, without a hash of its own?
#[inline]
pub fn are_distinct_immediates(pairs: &[Value]) -> bool {
    let keys = || pairs.iter().step_by(2);
    pairs.len() <= 2 * SMALL
        && keys().enumerate().all(|(n, key)| {
            let is_immediate = !key.is_heap() && !key.is_flonum();
            is_immediate && keys().take(n).all(|other| other != key)
        })
}

/// A new Hash of such `pairs`.
pub fn of_distinct_immediates(m: &mut Mutator, pairs: &[Value]) -> Result<Value> {
    let class = class(m, WellKnown::Hash);
    let h = new_in(m, class, pairs.len() / 2)?;
    fill_distinct(h, pairs.chunks_exact(2).map(|pair| (mix(pair[0].bits()), pair[0], pair[1])));
    Ok(h)
}

/// Fills a Hash that is new and that nobody else has seen, with room for so many: frozen Strings of class String or immediates as
/// keys, with their hashes, of which no two are the same.
#[inline]
pub fn fill_distinct(h: Value, entries: impl Iterator<Item = (u64, Value, Value)>) {
    let table = table(h);
    let mut count = 0;
    for (hash, key, value) in entries {
        table.put(count, hash, key, value);
        count += 1;
    }
    if count > 0 {
        table.set_counts(count, count);
    }
}

/// The keys in a new Array.
pub fn keys(m: &mut Mutator, h: Value) -> Result<Value> {
    collect(m, h, |key, _| [key])
}

/// The values in a new Array.
pub fn values(m: &mut Mutator, h: Value) -> Result<Value> {
    collect(m, h, |_, value| [value])
}

/// Keys and values by turns in a new Array: what is in the Hash at one moment.
pub fn to_pairs(m: &mut Mutator, h: Value) -> Result<Value> {
    collect(m, h, |key, value| [key, value])
}

/// What is in the Hash at one moment, if that are no more entries than `into` has room for: how many.
pub fn few<const N: usize>(m: &mut Mutator, h: Value, into: &mut [(Value, Value); N]) -> Option<usize> {
    with_table(m, h, |table| {
        if table.counts().1 > N {
            return None;
        }
        let mut n = 0;
        for (to, entry) in into.iter_mut().zip(entries(table)) {
            *to = entry;
            n += 1;
        }
        Some(n)
    })
}

/// A table with the entries of `h`, and with room for `more` if that is a small table still.
fn copy_table(m: &mut Mutator, h: Value, more: usize) -> Result<Table> {
    loop {
        let len = len(h);
        let room = if more <= SMALL.saturating_sub(len) { len + more } else { len };
        let copy = if room == 0 { Table::NONE } else { Table::new(m, room)? };
        let filled =
            with_table(m, h, |table| (table.counts().1 <= copy.capacity()).then(|| copy.fill(table, |hash, _| hash)));
        if let Some(filled) = filled {
            copy.reveal(filled);
            return Ok(copy);
        }
    }
}

/// A new Hash of `class` with the same entries, comparing keys alike. No default.
pub fn dup_in(m: &mut Mutator, class: Value, h: Value) -> Result<Value> {
    dup_with_room(m, class, h, 0)
}

/// The same with room for `more` entries, if that are few.
pub fn dup_with_room(m: &mut Mutator, class: Value, h: Value, more: usize) -> Result<Value> {
    let identity = is_identity(h);
    let copy = copy_table(m, h, more)?;
    if is_identity(h) != identity {
        // Which hashes the copied entries have is not known.
        return dup_with_room(m, class, h, more);
    }
    let new = new_in(m, class, 0)?;
    object(new).word(TABLE).store(copy.0.bits(), Ordering::Release);
    set_flag(new, IDENTITY, identity);
    keep_alive(copy.0.bits());
    Ok(new)
}

/// Makes the entries and the default of `other` those of `h`, compared as `other` does.
pub fn replace(m: &mut Mutator, h: Value, other: Value) -> Result<()> {
    let (copy, identity) = loop {
        let identity = is_identity(other);
        let copy = copy_table(m, other, 0)?;
        if is_identity(other) == identity {
            break (copy, identity);
        }
    };
    let (default, is_proc) = default_of(other);
    let guard = modify(m, &h)?;
    set_flag(h, IDENTITY, identity);
    install(guard.mutator(), h, copy);
    store_default(&guard, h, default, is_proc);
    drop(guard);
    keep_alive(copy.0.bits());
    keep_alive(default.bits());
    Ok(())
}

/// What tells whether `h` has the same keys later: its table, and how many entries that has had and has.
pub fn seen(h: Value) -> [Value; 3] {
    let table = table(h);
    let (used, live) = table.counts();
    [if table.is_none() { Value::NIL } else { table.0 }, Value::fixnum(used as i64), Value::fixnum(live as i64)]
}

/// Makes the entries of `other` those of `h`, which compares keys alike, if `h` still has the keys it had when `seen` gave
/// that, or is this thread's own; else `false`.
pub fn take_over(m: &mut Mutator, h: Value, before: [Value; 3], other: Value) -> Result<bool> {
    let copy = copy_table(m, other, 0)?;
    let guard = modify(m, &h)?;
    let may = guard.is_owner() || seen(h) == before;
    if may {
        install(guard.mutator(), h, copy);
    }
    drop(guard);
    keep_alive(copy.0.bits());
    Ok(may)
}

/// From now on keys are compared by identity. The entries are rehashed.
pub fn compare_by_identity(m: &mut Mutator, h: Value) -> Result<()> {
    loop {
        // A table even for an empty Hash: that it changed tells those who are about to store.
        let copy = Table::new(m, len(h).max(1))?;
        let mut guard = modify(m, &h)?;
        if is_identity(h) {
            return Ok(());
        }
        let now = table(h);
        if now.counts().1 > copy.capacity() {
            continue;
        }
        copy_entries(&mut guard, now, copy, |_, key| builtin::mix(key.bits()));
        set_flag(h, IDENTITY, true);
        install(guard.mutator(), h, copy);
        drop(guard);
        keep_alive(copy.0.bits());
        return Ok(());
    }
}
