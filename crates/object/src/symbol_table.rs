//! Tables from symbols to values, in insertion order, that readers use without a lock: method
//! tables, constants, class variables, instance variables of what has no shape.
//!
//! ```text
//! SymbolTable [hdr][capacity][used][key, value] × capacity [index u32 × 2·capacity, if > 8]
//! ```
//!
//! Writers hold the lock of whatever the table belongs to. An entry is appended value first; a
//! removed one keeps its key and gets the value `undef`, and may be set again. A full table is
//! replaced by a bigger one. The table may be `Value::NULL`: there is none.

use std::sync::atomic::{AtomicU32, Ordering};

use asterism_heap::{Cell, Marker, Mutator};
use asterism_symbol::Sym;

use crate::builtin::mix;
use crate::cells::{self, Obj, number, number_of};
use crate::error::{ObjError, Result};
use crate::types::Type;
use crate::value::{AtomicValue, Value};

/// The payload word that says how many entries there are.
pub const USED: usize = 0;
const ENTRIES: usize = 1;
/// Bit of the word `USED`: a value was stored since the table was traced.
const WRITTEN: u64 = 1 << 63;
/// Tables up to this size are searched from end to end.
const SMALL: usize = 8;

#[derive(Clone, Copy)]
struct Table(Obj);

impl Table {
    /// The table, unless there is none.
    #[inline(always)]
    fn of(v: Value) -> Option<Table> {
        if v.is_heap() { Some(Table(Obj::of(v, Type::SymbolTable))) } else { None }
    }

    fn capacity(&self) -> usize {
        number_of(self.0.cell())
    }

    #[inline(always)]
    fn used(&self) -> usize {
        (self.0.word(USED).load(Ordering::Acquire) & !WRITTEN) as usize
    }

    #[inline(always)]
    fn key(&self, entry: usize) -> u64 {
        self.0.word(ENTRIES + 2 * entry).load(Ordering::Acquire)
    }

    #[inline(always)]
    fn value(&self, entry: usize) -> &AtomicValue {
        self.0.slot(ENTRIES + 2 * entry + 1)
    }

    #[inline(always)]
    fn index(&self, i: usize) -> &AtomicU32 {
        let base = self.0.word(ENTRIES + 2 * self.capacity());
        // SAFETY: tables above SMALL have 2·capacity halves of words behind their entries, only
        // ever accessed as such; callers mask `i`.
        unsafe { &*std::ptr::from_ref(base).cast::<AtomicU32>().add(i) }
    }

    fn mask(&self) -> usize {
        2 * self.capacity() - 1
    }

    /// The entry of `sym`, removed or not.
    #[inline]
    fn find(&self, sym: Sym) -> Option<usize> {
        let key = Value::sym(sym).bits();
        if self.capacity() <= SMALL {
            return (0..self.used()).find(|&entry| self.key(entry) == key);
        }
        let mask = self.mask();
        let mut i = mix(key) as usize & mask;
        loop {
            match self.index(i).load(Ordering::Acquire) {
                0 => return None,
                n if self.key(n as usize - 1) == key => return Some(n as usize - 1),
                _ => i = (i + 1) & mask,
            }
        }
    }

    /// Appends an entry whose key is new; there must be room.
    fn append(&self, sym: Sym, x: Value) {
        let key = Value::sym(sym).bits();
        let used = self.used();
        self.store(used, x);
        self.0.word(ENTRIES + 2 * used).store(key, Ordering::Release);
        if self.capacity() > SMALL {
            let mask = self.mask();
            let mut i = mix(key) as usize & mask;
            while self.index(i).load(Ordering::Relaxed) != 0 {
                i = (i + 1) & mask;
            }
            self.index(i).store(used as u32 + 1, Ordering::Release);
        }
        self.0.word(USED).store((used as u64 + 1) | WRITTEN, Ordering::Release);
    }

    /// Stores a value, under the lock of the table's owner.
    fn store(&self, entry: usize, x: Value) {
        cells::store_value(self.0.cell(), self.value(entry), x);
        let used = self.0.word(USED);
        used.store(used.load(Ordering::Relaxed) | WRITTEN, Ordering::Release);
    }

    fn live(&self, entry: usize) -> Option<(Sym, Value)> {
        let x = self.value(entry).load(Ordering::Acquire);
        (!x.is_undef()).then(|| (Sym((self.key(entry) >> 8) as u32), x))
    }
}

/// A table with room for `capacity` entries.
pub fn new(m: &mut Mutator, capacity: usize) -> Result<Value> {
    let capacity = capacity.max(2).checked_next_power_of_two().filter(|&n| n <= 1 << 28);
    let capacity = capacity.ok_or(ObjError::NoMemory)?;
    let index = if capacity > SMALL { capacity } else { 0 };
    let words = ENTRIES + 2 * capacity + index;
    let table = Table(cells::alloc(m, Type::SymbolTable, 0, number(capacity), words)?);
    table.0.word(USED).store(0, Ordering::Relaxed);
    for i in 0..2 * index {
        table.index(i).store(0, Ordering::Relaxed);
    }
    Ok(table.0.0)
}

/// For images: payload words that a copy of `table` needs which has no room for more than it holds, and its class word;
/// `None` if it would not be smaller. Only for small tables, which have no index.
pub fn compact(table: Value) -> Option<(usize, u64)> {
    let table = Table::of(table)?;
    let capacity = table.used().max(2).next_power_of_two();
    (capacity < table.capacity() && table.capacity() <= SMALL)
        .then(|| (ENTRIES + 2 * capacity, number(capacity).bits()))
}

/// For images: the word [`USED`] of a copy of `table` that no collection has seen.
pub fn used_untraced(table: Value) -> u64 {
    Table::of(table).map_or(0, |table| table.used() as u64 | WRITTEN)
}

/// The payload words of `table` that hold values, and the values.
pub fn values(table: Value) -> Vec<(usize, Value)> {
    let Some(table) = Table::of(table) else { return Vec::new() };
    (0..table.used()).map(|i| (ENTRIES + 2 * i + 1, table.value(i).load(Ordering::Acquire))).collect()
}

/// The value of `sym`.
#[inline]
pub fn get(table: Value, sym: Sym) -> Option<Value> {
    let table = Table::of(table)?;
    let entry = table.find(sym)?;
    table.live(entry).map(|(_, x)| x)
}

/// Sets the value of `sym`, under the lock of the table's owner. `false`: there is no room, install
/// a table that has `grown` and put again.
#[must_use]
pub fn put(table: Value, sym: Sym, x: Value) -> bool {
    let Some(table) = Table::of(table) else {
        return false;
    };
    if let Some(entry) = table.find(sym) {
        table.store(entry, x);
        return true;
    }
    if table.used() == table.capacity() {
        return false;
    }
    table.append(sym, x);
    true
}

/// A table with the entries of `table` and room for `extra` more, to be installed instead of it.
/// The allocation is a safepoint: whoever lets go of the lock for it compares the table afterwards.
pub fn grown(m: &mut Mutator, table: Value, extra: usize) -> Result<Value> {
    loop {
        let room = len(table).saturating_add(extra.max(1));
        let new = new(m, room)?;
        if len(table) + extra > Table::of(new).map_or(0, |t| t.capacity()) {
            continue;
        }
        copy_into(new, table);
        return Ok(new);
    }
}

fn copy_into(new: Value, table: Value) {
    if let Some(target) = Table::of(new) {
        for_each(table, |sym, x| {
            if target.used() < target.capacity() {
                target.append(sym, x);
            }
        });
    }
}

/// A table with the same entries.
pub fn copy(m: &mut Mutator, table: Value) -> Result<Value> {
    grown(m, table, 0)
}

/// Removes `sym`, under the lock of the table's owner; its value.
pub fn remove(table: Value, sym: Sym) -> Option<Value> {
    let table = Table::of(table)?;
    let entry = table.find(sym)?;
    let (_, x) = table.live(entry)?;
    table.value(entry).store(Value::UNDEF, Ordering::Release);
    Some(x)
}

/// How many entries there are.
pub fn len(table: Value) -> usize {
    let mut n = 0;
    for_each(table, |_, _| n += 1);
    n
}

/// Entry `i` in insertion order; `Some(None)` if it was removed, `None` behind the last.
pub fn nth(table: Value, i: usize) -> Option<Option<(Sym, Value)>> {
    let table = Table::of(table)?;
    (i < table.used()).then(|| table.live(i))
}

/// Calls `f` for each entry in insertion order.
pub fn for_each(table: Value, mut f: impl FnMut(Sym, Value)) {
    let Some(table) = Table::of(table) else {
        return;
    };
    for entry in 0..table.used() {
        if let Some((sym, x)) = table.live(entry) {
            f(sym, x);
        }
    }
}

/// Was a value stored in the table since it was traced?
pub(crate) fn is_written(table: Value) -> bool {
    Table::of(table).is_some_and(|table| table.0.word(USED).load(Ordering::Relaxed) & WRITTEN != 0)
}

/// Marks what a table reaches; nothing, if that was done and nothing was stored since.
pub(crate) fn trace(cell: &Cell, marker: &mut Marker) {
    let table = Value::from_cell(cell);
    let written = is_written(table);
    if marker.is_again() && !written {
        return;
    }
    for_each(table, |_, x| marker.mark(x.bits()));
    if written && marker.marks() {
        Obj(table).word(USED).fetch_and(!WRITTEN, Ordering::Relaxed);
    }
}
