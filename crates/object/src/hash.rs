//! Hashes: insertion-ordered tables whose look-ups take no lock.
//!
//! ```text
//! Hash [hdr][class][table or 0][flags][default value or proc][who walks]
//! ```
//!
//! Keys that need no Ruby call — immediates, numbers, strings, and everything in an identity hash —
//! are handled here, in `get`, `set` and `delete`. For other keys the VM computes the hash and walks
//! over candidates with a [`Cursor`], calling `eql?` outside of any lock; storing through the cursor
//! succeeds if the table is still the one that was walked, or asks to start over.

use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Exclusive, Marker, Mutator, header, keep_alive};

use crate::cells::{self, Obj, class_field};
use crate::class::Class;
use crate::error::{ObjError, Result};
use crate::ownership::{check_unfrozen, modify};
use crate::space::{WellKnown, class, space};
use crate::types::{Type, type_of};
use crate::value::Value;
use crate::{bigint, builtin, float, ownership, string};

mod bulk;
mod cursor;
mod rehash;
mod table;
#[cfg(test)]
mod tests;
mod walk;

pub use bulk::{
    are_distinct_immediates, compare_by_identity, dup_in, dup_with_room, few, fill_distinct, is_mostly_deleted, keys,
    of_distinct_immediates, replace, seen, take_over, to_pairs, values,
};
pub use cursor::Cursor;
pub use rehash::Rehash;
use table::{LONG, Table};
pub use walk::{Changed, Walk, is_walked, walk_begin, walk_end};
use walk::{WALKERS, walked_by_anybody};

const TABLE: usize = 0;
const FLAGS: usize = 1;
const DEFAULT: usize = 2;

/// Flag: keys are compared by identity.
const IDENTITY: u64 = 1;
/// Flag: the default is a proc.
const PROC: u64 = 2;
/// Flag: made of keyword arguments (`ruby2_keywords`).
const KEYWORDS: u64 = 4;
/// Flag: the default and whether it is a proc are being changed.
const CHANGING: u64 = 8;
/// Flag: hashes of keys have been computed anew, so that those in an older table may be others.
const REHASHED: u64 = 16;

/// What a look-up found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The key's value.
    Found(Value),
    /// No such key.
    Missing,
    /// The key's `hash` and `eql?` are Ruby calls: use a [`Cursor`].
    NeedsRuby,
}

/// What became of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is done.
    Done,
    /// See [`Lookup::NeedsRuby`].
    NeedsRuby,
}

#[inline(always)]
fn object(h: Value) -> Obj {
    Obj::of(h, Type::Hash)
}

#[inline(always)]
fn table(h: Value) -> Table {
    Table(object(h).value(TABLE))
}

#[inline(always)]
fn install(m: &Mutator, h: Value, table: Table) {
    let object = object(h);
    let before = Table(object.value(TABLE));
    if !before.is_none() && walk::walked_by_anybody(h) {
        // Whoever walks goes on in it, and it is no part of the Hash any more.
        m.remember_part(before.object().cell());
    }
    cells::store(object.cell(), object.word(TABLE), table.0);
}

#[inline(always)]
fn flags(h: Value) -> u64 {
    object(h).word(FLAGS).load(Ordering::Relaxed)
}

fn set_flag(h: Value, flag: u64, on: bool) {
    if on {
        object(h).word(FLAGS).fetch_or(flag, Ordering::Relaxed);
    } else {
        object(h).word(FLAGS).fetch_and(!flag, Ordering::Relaxed);
    }
}

/// An empty Hash.
pub fn new(m: &mut Mutator) -> Result<Value> {
    let class = class(m, WellKnown::Hash);
    new_in(m, class, 0)
}

/// An empty Hash of `class` with room for `capacity` entries.
pub fn new_in(m: &mut Mutator, class: Value, capacity: usize) -> Result<Value> {
    let table = if capacity == 0 { Table::NONE } else { Table::new(m, capacity)? };
    let hash = cells::alloc(m, Type::Hash, 0, class, 4)?;
    hash.word(WALKERS).store(0, Ordering::Relaxed);
    hash.word(TABLE).store(table.0.bits(), Ordering::Relaxed);
    hash.word(FLAGS).store(0, Ordering::Relaxed);
    hash.word(DEFAULT).store(Value::NIL.bits(), Ordering::Relaxed);
    Ok(hash.0)
}

/// May this thread alone change the Hash, which is not frozen, until its next safepoint?
pub fn is_own(m: &Mutator, h: Value) -> bool {
    ownership::is_own(m, object(h).header())
}

/// How many entries there are.
#[inline]
pub fn len(h: Value) -> usize {
    table(h).counts().1
}

/// Is it empty?
#[inline]
pub fn is_empty(h: Value) -> bool {
    len(h) == 0
}

/// The default value or the default proc.
pub fn default_value(h: Value) -> Value {
    object(h).value(DEFAULT)
}

/// Is the default a proc?
pub fn has_default_proc(h: Value) -> bool {
    flags(h) & PROC != 0
}

/// The default, and whether it is a proc, which agree even while another thread changes them.
pub fn default_of(h: Value) -> (Value, bool) {
    loop {
        let before = object(h).word(FLAGS).load(Ordering::Acquire);
        let x = default_value(h);
        let after = object(h).word(FLAGS).load(Ordering::Acquire);
        if before & CHANGING == 0 && (before ^ after) & (PROC | CHANGING) == 0 && default_value(h) == x {
            return (x, before & PROC != 0);
        }
        // The other thread is between two stores.
        std::thread::yield_now();
    }
}

/// Sets the default value or proc.
pub fn set_default(m: &mut Mutator, h: Value, x: Value, is_proc: bool) -> Result<()> {
    let guard = modify(m, &h)?;
    store_default(&guard, h, x, is_proc);
    Ok(())
}

fn store_default(guard: &Exclusive<'_>, h: Value, x: Value, is_proc: bool) {
    let object = object(h);
    object.word(FLAGS).fetch_or(CHANGING, Ordering::AcqRel);
    cells::store(guard.cell(), object.word(DEFAULT), x);
    set_flag(h, PROC, is_proc);
    object.word(FLAGS).fetch_and(!CHANGING, Ordering::Release);
}

/// Are keys compared by identity?
pub fn is_identity(h: Value) -> bool {
    flags(h) & IDENTITY != 0
}

/// Was it made of keyword arguments?
pub fn is_kw(h: Value) -> bool {
    flags(h) & KEYWORDS != 0
}

/// Marks it as made of keyword arguments.
pub fn set_kw(h: Value, on: bool) {
    set_flag(h, KEYWORDS, on);
}

/// The hash of a key in `h` that needs no Ruby call, and is compared without one. (A class below String may have another `eql?`.)
#[inline]
pub fn key_hash(m: &mut Mutator, h: Value, key: Value) -> Option<u64> {
    if key.is_fixnum() || key.is_sym() || is_identity(h) {
        return Some(builtin::mix(key.bits()));
    }
    if key.is_type(Type::String) && !builtin::is_of_class_string(m, key) {
        return None;
    }
    builtin::hash(m, key)
}

/// The entry of `key`, whose hash is `hash` and needs no Ruby call. `None`: there is a key with this hash that has to be asked.
#[inline(always)]
fn find(m: &mut Mutator, h: Value, key: Value, hash: u64) -> Option<(Table, Option<usize>)> {
    let table = table(h);
    if !key.is_heap() && !key.is_flonum() || is_identity(h) {
        return Some((table, table.find_same(key)));
    }
    find_slow(m, h, key, hash)
}

fn find_slow(m: &mut Mutator, h: Value, key: Value, hash: u64) -> Option<(Table, Option<usize>)> {
    if key.is_type(Type::String) {
        let encoding = string::encoding(key);
        return string::with_bytes(m, key, |bytes, _| {
            // Loaded here, since taking the key's bytes may have been a safepoint.
            let table = table(h);
            Some((table, find_string(table, hash, key, bytes, encoding)?))
        });
    }
    let table = table(h);
    Some((table, table.find(hash, |candidate| same_number(key, candidate))))
}

/// The entry of the String `key` with these bytes. `None`: there is a String with this hash whose bytes may change (one of a class
/// below String, which is no copy), so that they cannot be read here.
#[inline]
fn find_string(table: Table, hash: u64, key: Value, bytes: &[u8], encoding: u8) -> Option<Option<usize>> {
    let mut unread = false;
    let same = |candidate: Value| {
        candidate == key
            || string::frozen_equals(candidate, bytes, encoding).unwrap_or_else(|| {
                unread = true;
                false
            })
    };
    let found = table.find(hash, same);
    (found.is_some() || !unread).then_some(found)
}

/// `eql?` of a number cell or flonum with anything.
fn same_number(a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    if let (Some(a), Some(b)) = (float::to_f64(a), float::to_f64(b)) {
        return a == b;
    }
    a.is_type(Type::BigInt) && b.is_type(Type::BigInt) && bigint::get(&a) == bigint::get(&b)
}

/// The value of `key`.
#[inline]
pub fn get(m: &mut Mutator, h: Value, key: Value) -> Lookup {
    if !key.is_heap() && !key.is_flonum() {
        let table = table(h);
        return match table.find_same(key) {
            Some(entry) => Lookup::Found(table.value(entry)),
            None => Lookup::Missing,
        };
    }
    get_slow(m, h, key)
}

fn get_slow(m: &mut Mutator, h: Value, key: Value) -> Lookup {
    if len(h) == 0 {
        return Lookup::Missing;
    }
    // A String that this thread may read: found with one look at its header.
    if builtin::is_of_class_string(m, key) && !is_identity(h) {
        let (table, seed) = (table(h), space(m).hash_seed);
        let found = string::with_own_bytes(m, key, |bytes, encoding, known| {
            find_string(table, string::hash_of(seed, bytes, encoding, known), key, bytes, encoding)
        });
        match found {
            Some(Some(Some(entry))) => return Lookup::Found(table.value(entry)),
            Some(Some(None)) => return Lookup::Missing,
            Some(None) => return Lookup::NeedsRuby,
            None => {}
        }
    }
    let Some(hash) = key_hash(m, h, key) else {
        return Lookup::NeedsRuby;
    };
    match find(m, h, key, hash) {
        Some((table, Some(entry))) => Lookup::Found(table.value(entry)),
        Some((_, None)) => Lookup::Missing,
        None => Lookup::NeedsRuby,
    }
}

/// Is the entry still where it was found?
fn still_there(h: Value, found: Table, entry: usize) -> bool {
    table(h) == found && !found.key(entry).is_undef()
}

/// Stores `value` under `key`. String keys are copied and frozen unless they are frozen.
#[inline]
pub fn set(m: &mut Mutator, h: Value, key: Value, value: Value) -> Result<Stored> {
    if !key.is_heap() && !key.is_flonum() && m.owned_and_unfrozen(object(h).header()) {
        let hash = builtin::mix(key.bits());
        let table = table(h);
        if let Some(entry) = table.find_same(key) {
            table.set_value(entry, value);
            return Ok(Stored::Done);
        }
        if table.has_room() && !walked_by_anybody(h) {
            table.append(hash, key, value);
            return Ok(Stored::Done);
        }
    }
    set_slow(m, h, key, value)
}

#[inline(never)]
fn set_slow(m: &mut Mutator, h: Value, key: Value, value: Value) -> Result<Stored> {
    // A String for a Hash of our own: found with one look at each header.
    if builtin::is_of_class_string(m, key) && m.owned_and_unfrozen(object(h).header()) && !is_identity(h) {
        let table = table(h);
        let seed = space(m).hash_seed;
        let missing = string::with_own_bytes(m, key, |bytes, encoding, known| {
            let hash = string::hash_of(seed, bytes, encoding, known);
            match find_string(table, hash, key, bytes, encoding) {
                Some(Some(entry)) => {
                    table.set_value(entry, value);
                    Ok(None)
                }
                Some(None) => Ok(Some(hash)),
                None => Err(Stored::NeedsRuby),
            }
        });
        match missing {
            Some(Ok(None)) => return Ok(Stored::Done),
            Some(Ok(Some(hash))) => {
                // A frozen key is stored as it is; nothing since the look at the headers was a safepoint.
                if ownership::is_frozen(key) && table.has_room() && !walked_by_anybody(h) {
                    table.append(hash, key, value);
                    return Ok(Stored::Done);
                }
                return set_hashed(m, h, key, value, hash, Some(table));
            }
            Some(Err(asked)) => return Ok(asked),
            None => {}
        }
    }
    match key_hash(m, h, key) {
        Some(hash) => set_hashed(m, h, key, value, hash, None),
        None => {
            check_unfrozen(h)?;
            Ok(Stored::NeedsRuby)
        }
    }
}

/// Stores `value` under `key` unless there is an entry for it already: `false`.
pub fn add(m: &mut Mutator, h: Value, key: Value, value: Value) -> Result<Option<bool>> {
    let Some(hash) = key_hash(m, h, key) else {
        check_unfrozen(h)?;
        return Ok(None);
    };
    loop {
        let seen = table(h);
        let used = seen.counts().0;
        let Some((found, entry)) = find(m, h, key, hash) else {
            check_unfrozen(h)?;
            return Ok(None);
        };
        if entry.is_some() {
            check_unfrozen(h)?;
            return Ok(Some(false));
        }
        let key = own_key(m, h, key)?;
        if found == seen && append_checked(m, h, seen, used, hash, key, value)? {
            return Ok(Some(true));
        }
    }
}

/// Stores `new` under `key`, which has an entry, if its value is still `old` or the Hash is this thread's own; else `false`.
pub fn exchange(m: &mut Mutator, h: Value, key: Value, old: Value, new: Value) -> Result<Option<bool>> {
    let Some(hash) = key_hash(m, h, key) else {
        check_unfrozen(h)?;
        return Ok(None);
    };
    let Some((found, entry)) = find(m, h, key, hash) else {
        check_unfrozen(h)?;
        return Ok(None);
    };
    let guard = modify(m, &h)?;
    Ok(Some(entry.is_some_and(|entry| still_there(h, found, entry) && exchange_at(&guard, found, entry, old, new))))
}

/// Sets an entry's value under exclusivity if it is still `old`, or no other thread can have changed it.
fn exchange_at(guard: &Exclusive<'_>, table: Table, entry: usize, old: Value, new: Value) -> bool {
    let may = guard.is_owner() || table.value(entry) == old;
    if may {
        table.set_value(entry, new);
    }
    may
}

/// Stores under a key whose hash is known. `missing`: a table that does not have it.
fn set_hashed(
    m: &mut Mutator,
    h: Value,
    key: Value,
    value: Value,
    hash: u64,
    mut missing: Option<Table>,
) -> Result<Stored> {
    loop {
        // Counted before the search: what is appended after it makes the append start over.
        let seen = table(h);
        let used = seen.counts().0;
        let (found, entry) = match missing.take() {
            Some(table) => (table, None),
            None => match find(m, h, key, hash) {
                Some(found) => found,
                None => {
                    check_unfrozen(h)?;
                    return Ok(Stored::NeedsRuby);
                }
            },
        };
        if let Some(entry) = entry {
            let _guard = modify(m, &h)?;
            if still_there(h, found, entry) {
                found.set_value(entry, value);
                return Ok(Stored::Done);
            }
            continue;
        }
        let key = own_key(m, h, key)?;
        if found == seen && append_checked(m, h, seen, used, hash, key, value)? {
            return Ok(Stored::Done);
        }
    }
}

/// The key as it is stored: a String that is not frozen is copied, unless it is of a subclass.
fn own_key(m: &mut Mutator, h: Value, key: Value) -> Result<Value> {
    match key.cell() {
        Some(cell)
            if type_of(cell) == Type::String
                && !header::is_frozen(cell.header())
                && !is_identity(h)
                && is_plain_string(m, cell) =>
        {
            string::frozen_copy(m, key)
        }
        _ => Ok(key),
    }
}

/// Is it a String and not of a subclass? It may have a singleton class.
fn is_plain_string(m: &Mutator, cell: &Cell) -> bool {
    let string = class(m, WellKnown::String);
    let found = class_field(cell);
    found == string || Class::from_value(found).is_some_and(|class| class.real().0 == string)
}

/// Appends an entry if `h` has still the table `seen` with `used` entries; else `false`.
fn append_checked(
    m: &mut Mutator,
    h: Value,
    seen: Table,
    used: usize,
    hash: u64,
    key: Value,
    value: Value,
) -> Result<bool> {
    if is_walked(m, h) {
        check_unfrozen(h)?;
        return Err(ObjError::Iterating);
    }
    let bigger = if used < seen.capacity() { Table::NONE } else { Table::new(m, seen.next_capacity())? };
    let mut guard = modify(m, &h)?;
    let now = table(h);
    if now != seen || now.counts().0 != used {
        return Ok(false);
    }
    if bigger.is_none() {
        now.append(hash, key, value);
    } else {
        if bigger.capacity() <= now.counts().1 {
            return Ok(false);
        }
        copy_entries(&mut guard, now, bigger, |hash, _| hash);
        bigger.append(hash, key, value);
        install(guard.mutator(), h, bigger);
    }
    drop(guard);
    // They were kept by the stack while they were copied.
    keep_alive(key.bits());
    keep_alive(value.bits());
    keep_alive(bigger.0.bits());
    Ok(true)
}

/// Copies the live entries of the Hash that `guard` holds from its table to a fresh one with room for them: as a blocking
/// region if they are many. The caller keeps the fresh one alive.
fn copy_entries(guard: &mut Exclusive<'_>, from: Table, to: Table, rehash: impl Fn(u64, Value) -> u64) {
    let fill = || to.fill(from, rehash);
    let filled = if from.counts().0 > LONG { guard.blocking(fill) } else { fill() };
    to.reveal(filled);
}

/// Deletes `key` and returns its value.
pub fn delete(m: &mut Mutator, h: Value, key: Value) -> Result<Lookup> {
    if len(h) == 0 {
        check_unfrozen(h)?;
        return Ok(Lookup::Missing);
    }
    let Some(hash) = key_hash(m, h, key) else {
        check_unfrozen(h)?;
        return Ok(Lookup::NeedsRuby);
    };
    loop {
        let Some((found, entry)) = find(m, h, key, hash) else {
            check_unfrozen(h)?;
            return Ok(Lookup::NeedsRuby);
        };
        let _guard = modify(m, &h)?;
        let Some(entry) = entry else {
            return Ok(Lookup::Missing);
        };
        if still_there(h, found, entry) {
            return Ok(Lookup::Found(found.delete(entry)));
        }
    }
}

/// Deletes the entries whose value is nil; how many there were.
pub fn compact(m: &mut Mutator, h: Value) -> Result<usize> {
    let mut guard = modify(m, &h)?;
    let table = table(h);
    let mut deleted = 0;
    for entry in table.first()..table.counts().0 {
        if entry % LONG == LONG - 1 {
            guard.pause();
        }
        if !table.key(entry).is_undef() && table.value(entry).is_nil() {
            table.delete(entry);
            deleted += 1;
        }
    }
    Ok(deleted)
}

/// Removes all entries.
pub fn clear(m: &mut Mutator, h: Value) -> Result<()> {
    let guard = modify(m, &h)?;
    install(guard.mutator(), h, Table::NONE);
    Ok(())
}

/// Removes and returns the first entry.
pub fn shift(m: &mut Mutator, h: Value) -> Result<Option<(Value, Value)>> {
    let _guard = modify(m, &h)?;
    let table = table(h);
    let Some((next, key, value)) = next_in(table, 0) else {
        return Ok(None);
    };
    table.delete(next - 1);
    Ok(Some((key, value)))
}

#[inline(always)]
fn next_in(table: Table, pos: usize) -> Option<(usize, Value, Value)> {
    let used = table.counts().0;
    let mut entry = pos.max(table.first());
    while entry < used {
        let key = table.key(entry);
        if !key.is_undef() {
            return Some((entry + 1, key, table.value(entry)));
        }
        entry += 1;
    }
    None
}

/// The first entry at or behind position `pos`, with the position behind it.
#[inline]
pub fn iter_next(h: Value, pos: usize) -> Option<(usize, Value, Value)> {
    next_in(table(h), pos)
}

/// Marks what a Hash reaches.
pub(crate) fn trace(cell: &Cell, marker: &mut Marker) {
    let object = Obj(Value::from_cell(cell));
    marker.mark_part(object.word(TABLE).load(Ordering::Relaxed));
    marker.mark(object.word(DEFAULT).load(Ordering::Relaxed));
}

/// Marks what a table reaches.
pub(crate) fn trace_table(cell: &Cell, marker: &mut Marker) {
    Table::trace(cell, marker);
}
