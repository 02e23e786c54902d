//! Walks over the entries of a Hash, between which other threads change it.
//!
//! A walk goes over the table that there was at its beginning, so it ends, whatever others add. While that is still the
//! Hash's table, what is appended to it comes along and what is deleted does not. Once the Hash has another table, the old
//! one does not change any more, and the walk hands out those of its entries that the new one still has. So what is there
//! from the beginning to the end comes once. What the old table refers to besides may be dead: nobody marks it.
//!
//! New keys are refused to the thread that walks, its fibers included, and to no other: the Hash has a word for the first
//! thread that walks and how often it does; further ones are in a map of the VM.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::header::{FROZEN, OWNER_MASK};
use asterism_heap::{Cell, Mutator};

use super::table::Table;
use super::{IDENTITY, REHASHED, exchange_at, flags, is_own, object, table};
use crate::builtin::mix;
use crate::error::Result;
use crate::ownership::modify;
use crate::space::space;
use crate::value::Value;

/// Payload word: the number of a thread that walks in the high half; how often in the low one, with `OTHERS`.
pub(super) const WALKERS: usize = 3;
/// Bit of that word: other threads walk too.
const OTHERS: u64 = 1 << 31;

fn word(h: &Value) -> &AtomicU64 {
    // SAFETY: every Hash has this word, and lives as long as it is borrowed.
    unsafe { (*h.ptr::<Cell>()).word(WALKERS) }
}

/// Does any thread walk over `h`?
#[inline(always)]
pub(super) fn walked_by_anybody(h: Value) -> bool {
    word(&h).load(Ordering::Relaxed) != 0
}

/// Does this thread, or one of its fibers, walk over `h`?
#[inline]
pub fn is_walked(m: &Mutator, h: Value) -> bool {
    let now = word(&h).load(Ordering::Relaxed);
    now != 0 && is_walked_by_me(m, h, now)
}

#[cold]
fn is_walked_by_me(m: &Mutator, h: Value, now: u64) -> bool {
    let me = m.number();
    if now & (OTHERS - 1) != 0 && (now >> 32) as u32 == me {
        return true;
    }
    now & OTHERS != 0 && {
        let walkers = space(m).walkers.lock();
        walkers.get(&h.bits()).is_some_and(|list| list.iter().any(|&(thread, _)| thread == me))
    }
}

/// Does only this thread write the word, until its next safepoint? The Hash is its own, and who begins to walk over that of another one
/// takes it from that first, for good.
#[inline]
fn alone(m: &mut Mutator, h: Value) -> bool {
    if is_own(m, h) {
        return true;
    }
    let header = object(h).header();
    if header & FROZEN == 0 && header & OWNER_MASK != 0 {
        drop(m.exclusive(object(h).cell()));
    }
    false
}

/// Begins a walk of this thread over `h`: until its end this thread adds no keys. The table to walk over, nil if there is none.
pub fn walk_begin(m: &mut Mutator, h: Value) -> Value {
    let me = u64::from(m.number()) << 32;
    let alone = alone(m, h);
    let word = word(&h);
    let mut now = word.load(Ordering::Relaxed);
    loop {
        let next = if now & (OTHERS - 1) == 0 {
            me | now & OTHERS | 1
        } else if now >> 32 == me >> 32 {
            now + 1
        } else {
            begin_beside(m, h);
            break;
        };
        if alone {
            word.store(next, Ordering::Relaxed);
            break;
        }
        match word.compare_exchange_weak(now, next, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => break,
            Err(other) => now = other,
        }
    }
    let table = table(h);
    if table.is_none() { Value::NIL } else { table.0 }
}

#[cold]
fn begin_beside(m: &Mutator, h: Value) {
    let mut walkers = space(m).walkers.lock();
    let list = walkers.entry(h.bits()).or_default();
    match list.iter_mut().find(|(thread, _)| *thread == m.number()) {
        Some((_, times)) => *times += 1,
        None => list.push((m.number(), 1)),
    }
    word(&h).fetch_or(OTHERS, Ordering::Relaxed);
}

/// Ends a walk.
pub fn walk_end(m: &mut Mutator, h: Value) {
    let me = u64::from(m.number()) << 32;
    let alone = is_own(m, h);
    let word = word(&h);
    let mut now = word.load(Ordering::Relaxed);
    loop {
        if now & (OTHERS - 1) == 0 || now >> 32 != me >> 32 {
            return end_beside(m, h);
        }
        let next = if now & (OTHERS - 1) == 1 { now & OTHERS } else { now - 1 };
        if alone {
            return word.store(next, Ordering::Relaxed);
        }
        match word.compare_exchange_weak(now, next, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return,
            Err(other) => now = other,
        }
    }
}

#[cold]
fn end_beside(m: &Mutator, h: Value) {
    let mut walkers = space(m).walkers.lock();
    let Some(list) = walkers.get_mut(&h.bits()) else {
        debug_assert!(false, "a walk that never began has ended");
        return;
    };
    if let Some(at) = list.iter().position(|&(thread, _)| thread == m.number()) {
        list[at].1 -= 1;
        if list[at].1 == 0 {
            list.swap_remove(at);
        }
    }
    if list.is_empty() {
        walkers.remove(&h.bits());
        // Under the lock, so that it does not meet a beginning.
        word(&h).fetch_and(!OTHERS, Ordering::Relaxed);
    }
}

/// The entries of a Hash as a walk hands them out. Keep it on the stack: it is what keeps the table alive, if not its entries.
#[derive(Clone, Copy)]
pub struct Walk {
    h: Value,
    table: Table,
}

/// What became of a change of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is done.
    Done,
    /// The entry is not there any more.
    Gone,
    /// Another thread has set another value.
    Differs,
}

impl Walk {
    /// A walk over `h` that begins now and keeps nobody from adding keys.
    pub fn new(h: Value) -> Walk {
        Walk { h, table: table(h) }
    }

    /// The walk over `h` for which `walk_begin` gave `table`.
    pub fn over(h: Value, table: Value) -> Walk {
        Walk { h, table: if table.is_nil() { Table::NONE } else { Table(table) } }
    }

    /// Where entry `entry` of this table is in the Hash's table by now, if it is not deleted.
    fn current(&self, entry: usize) -> Option<(Table, usize)> {
        let now = table(self.h);
        // Of a table that is not the Hash's any more, this may be the address of a key that is dead, and of another one by now. That one
        // was added meanwhile, so it may come or not.
        let key = self.table.key(entry);
        if key.is_undef() {
            return None;
        }
        if now == self.table {
            return Some((now, entry));
        }
        let same = |candidate: Value| candidate == key;
        let flags = flags(self.h);
        let mut found = now.find(self.table.hash(entry), same);
        if found.is_none() && flags & IDENTITY != 0 {
            found = now.find(mix(key.bits()), same);
        }
        if found.is_none() && flags & REHASHED != 0 {
            found = (now.first()..now.counts().0).find(|&entry| same(now.key(entry)));
        }
        found.map(|entry| (now, entry))
    }

    /// The first entry at or behind `entry` that is still there.
    #[inline]
    pub fn position(&self, entry: usize) -> Option<usize> {
        let used = self.table.counts().0;
        let mut entry = entry.max(self.table.first());
        let settled = table(self.h) != self.table;
        while entry < used {
            if !self.table.key(entry).is_undef() && (!settled || self.current(entry).is_some()) {
                return Some(entry);
            }
            entry += 1;
        }
        None
    }

    /// The key of an entry; undef if it was deleted.
    #[inline]
    pub fn key(&self, entry: usize) -> Value {
        if table(self.h) == self.table {
            return self.table.key(entry);
        }
        self.current(entry).map_or(Value::UNDEF, |(table, entry)| table.key(entry))
    }

    /// The value of an entry; undef if it was deleted.
    #[inline]
    pub fn value(&self, entry: usize) -> Value {
        self.current(entry).map_or(Value::UNDEF, |(table, entry)| table.value(entry))
    }

    /// The first entry at or behind `entry`, with the position behind it.
    #[inline]
    pub fn next(&self, mut entry: usize) -> Option<(usize, Value, Value)> {
        loop {
            entry = self.position(entry)?;
            if let Some((table, at)) = self.current(entry) {
                let key = table.key(at);
                if !key.is_undef() {
                    return Some((entry + 1, key, table.value(at)));
                }
            }
            entry += 1;
        }
    }

    /// Deletes an entry if its value is still `value`, if the Hash is this thread's own, or, for `None`, in any case.
    ///
    /// # Errors
    /// `ObjError::Frozen`.
    pub fn delete(&self, m: &mut Mutator, entry: usize, value: Option<Value>) -> Result<Changed> {
        let guard = modify(m, &self.h)?;
        let Some((table, entry)) = self.current(entry) else {
            return Ok(Changed::Gone);
        };
        if !guard.is_owner() && value.is_some_and(|v| v != table.value(entry)) {
            return Ok(Changed::Differs);
        }
        table.delete(entry);
        Ok(Changed::Done)
    }

    /// Sets the value of an entry to `new` if it is still `old`, or the Hash is this thread's own, or, for `None`, in any case.
    ///
    /// # Errors
    /// `ObjError::Frozen`.
    pub fn exchange(&self, m: &mut Mutator, entry: usize, old: Option<Value>, new: Value) -> Result<Changed> {
        let guard = modify(m, &self.h)?;
        let Some((table, entry)) = self.current(entry) else {
            return Ok(Changed::Gone);
        };
        let old = old.unwrap_or(table.value(entry));
        Ok(if exchange_at(&guard, table, entry, old, new) { Changed::Done } else { Changed::Differs })
    }
}
