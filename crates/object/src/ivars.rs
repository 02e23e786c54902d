//! Instance variables of any heap object, wherever they lie: in the object, in a class's table, in
//! the side table. The interpreter's caches go around this module for plain objects.

use asterism_heap::header::PRIVATE_SHIFT;
use asterism_heap::{Cell, Marker, Mutator};
use asterism_symbol::Sym;

use crate::cells::{Obj, class_field};
use crate::class::Class;
use crate::error::{ObjError, Result};
use crate::object::{self, EXACT, has_room, is_complex, read_slot, shape_of, write_slot};
use crate::ownership::modify;
use crate::shape::COMPLEX;
use crate::space::{Space, space};
use crate::symbol_table;
use crate::types::{Type, type_of};
use crate::value::Value;

/// Private header bit of all types but Class and Module: the side table has instance variables of it.
pub(crate) const HAS_SIDE: u64 = 1 << (PRIVATE_SHIFT + 4);

/// Where an object keeps its instance variables.
enum Place {
    Slots,
    Class(Class),
    Side,
}

fn place(cell: &Cell) -> Place {
    match type_of(cell) {
        Type::Object if cell.header() & EXACT != 0 && is_complex(cell.header()) => Place::Side,
        Type::Object => Place::Slots,
        Type::Class | Type::Module => Place::Class(Class(Value::from_cell(cell))),
        _ => Place::Side,
    }
}

/// The table of an object that has one; 0 for none.
fn table_of(space: &Space, cell: &Cell) -> Value {
    match place(cell) {
        Place::Slots => object::table(Obj(Value::from_cell(cell))),
        Place::Class(class) => class.ivars(),
        Place::Side if cell.header() & HAS_SIDE != 0 => space.side.get(cell.address()),
        Place::Side => Value::NULL,
    }
}

/// The value of `sym` in `v`; `None` if it is not set. Lock-free for all but the side table's types.
pub fn get(m: &Mutator, v: Value, sym: Sym) -> Option<Value> {
    get_in(space(m), v, sym)
}

/// As [`get`] of a plain object, where it is known which slot that is: for a thread that may be suspended at any moment. It only
/// reads, as anybody's inline cache does.
#[inline]
pub fn get_known(m: &Mutator, v: Value, sym: Sym) -> Option<Option<Value>> {
    let cell = v.cell()?;
    let header = cell.header();
    if type_of(cell) != Type::Object || is_complex(header) {
        return None;
    }
    let slot = space(m).shapes.known(shape_of(header), sym)?;
    Some(slot.map(|slot| read_slot(cell, slot)))
}

/// As [`get`], for what a marker asks while the world is stopped.
pub fn get_marking(marker: &Marker<'_>, v: Value, sym: Sym) -> Option<Value> {
    // SAFETY: `vm_data` is the VM, whose first field is its `Space`; it outlives the collection.
    get_in(unsafe { &*marker.vm_data().cast::<Space>() }, v, sym)
}

fn get_in(space: &Space, v: Value, sym: Sym) -> Option<Value> {
    let cell = v.cell()?;
    let header = cell.header();
    if type_of(cell) == Type::Object && !is_complex(header) {
        let slot = space.shapes.lookup(shape_of(header), sym)?;
        return Some(read_slot(cell, slot));
    }
    symbol_table::get(table_of(space, cell), sym)
}

/// Is `sym` set in `v`?
pub fn defined(m: &Mutator, v: Value, sym: Sym) -> bool {
    get(m, v, sym).is_some()
}

/// Sets `sym` in `v`. Immediates are frozen.
pub fn set(m: &mut Mutator, v: Value, sym: Sym, x: Value) -> Result<()> {
    let Some(cell) = v.cell() else {
        return Err(ObjError::Frozen);
    };
    match place(cell) {
        Place::Slots => set_slot(m, v, sym, x),
        _ => set_in_table(m, v, sym, x),
    }
}

fn set_slot(m: &mut Mutator, v: Value, sym: Sym, x: Value) -> Result<()> {
    let object = Obj::of(v, Type::Object);
    let mut spare: Option<Obj> = None;
    loop {
        let guard = modify(m, &v)?;
        let shape = shape_of(guard.header());
        if shape == COMPLEX {
            drop(guard);
            return set_in_table(m, v, sym, x);
        }
        let shapes = &space(guard.mutator()).shapes;
        if let Some(slot) = shapes.lookup(shape, sym) {
            write_slot(guard.cell(), slot, x);
            return Ok(());
        }
        let Some((next, slot)) = shapes.transition(shape, sym) else {
            drop(guard);
            make_complex(m, v)?;
            continue;
        };
        if !has_room(guard.cell(), slot) {
            match spare.take().filter(|s| crate::cells::number_of(s.cell()) > slot.index()) {
                Some(store) => object::install(object, store),
                None => {
                    drop(guard);
                    spare = Some(object::new_store(m, slot.index() + 1 + slot.index() / 2)?);
                    continue;
                }
            }
        }
        write_slot(guard.cell(), slot, x);
        guard.set_shape(next);
        if !slot.is_inline() {
            learn(guard.cell(), shapes.slots(next));
        }
        return Ok(());
    }
}

/// Tells the class how many slots its instances need.
#[cold]
fn learn(cell: &Cell, slots: (usize, usize)) {
    let class = class_field(cell);
    if let Some(class) = Class::from_value(class) {
        class.learn_instance_slots((slots.0 + slots.1) as u32);
    }
}

/// Moves the instance variables of `v` into a table of its own.
fn make_complex(m: &mut Mutator, v: Value) -> Result<()> {
    let object = Obj::of(v, Type::Object);
    if object.header() & EXACT != 0 {
        return make_complex_exact(m, v);
    }
    loop {
        let shape = shape_of(object.cell().header());
        if shape == COMPLEX {
            return Ok(());
        }
        let ivars = space(m).shapes.ivars(shape);
        let (_, external) = space(m).shapes.slots(shape);
        let table = symbol_table::new(m, ivars.len() + 1)?;
        let store = object::new_store(m, external)?;
        let guard = modify(m, &v)?;
        if shape_of(guard.header()) != shape {
            continue;
        }
        for &(sym, slot) in &ivars {
            let fits = symbol_table::put(table, sym, read_slot(guard.cell(), slot));
            debug_assert!(fits);
        }
        crate::store(store.cell(), store.slot(object::TABLE), table);
        object::install(object, store);
        guard.set_shape(COMPLEX);
        return Ok(());
    }
}

/// As `make_complex` for an object without a word for a store: the side table leads to its table, and the class
/// learns that its instances outgrow what it believed.
fn make_complex_exact(m: &mut Mutator, v: Value) -> Result<()> {
    let object = Obj::of(v, Type::Object);
    loop {
        let shape = shape_of(object.cell().header());
        if shape == COMPLEX {
            return Ok(());
        }
        let ivars = space(m).shapes.ivars(shape);
        let table = symbol_table::new(m, ivars.len() + 1)?;
        let guard = modify(m, &v)?;
        if shape_of(guard.header()) != shape {
            continue;
        }
        for &(sym, slot) in &ivars {
            let fits = symbol_table::put(table, sym, read_slot(guard.cell(), slot));
            debug_assert!(fits);
        }
        space(guard.mutator()).side.set(object.cell().address(), table);
        guard.set_header_bits(HAS_SIDE);
        guard.set_shape(COMPLEX);
        let class = class_field(object.cell());
        if let Some(class) = Class::from_value(class) {
            class.unsettle(ivars.len() as u32 + 1);
        }
        return Ok(());
    }
}

/// Replaces the table of an object that has one; under exclusivity.
fn install_table(space: &Space, cell: &Cell, table: Value) {
    match place(cell) {
        Place::Slots => {
            if let Some(store) = object::store(Obj(Value::from_cell(cell))) {
                crate::store(store.cell(), store.slot(object::TABLE), table);
            }
        }
        Place::Class(class) => class.set_ivars(table),
        Place::Side => space.side.set(cell.address(), table),
    }
}

fn set_in_table(m: &mut Mutator, v: Value, sym: Sym, x: Value) -> Result<()> {
    let Some(cell) = v.cell() else {
        return Err(ObjError::Frozen);
    };
    let mut bigger: Option<(Value, Value)> = None;
    loop {
        let guard = modify(m, &v)?;
        let space = space(guard.mutator());
        let now = table_of(space, cell);
        if symbol_table::put(now, sym, x) {
            return Ok(());
        }
        // A table grown from the present one, if it has not been written to since.
        if let Some((from, grown)) = bigger.take()
            && from == now
            && symbol_table::len(grown) == symbol_table::len(now)
        {
            symbol_table::for_each(now, |sym, x| {
                let known = symbol_table::put(grown, sym, x);
                debug_assert!(known);
            });
            if symbol_table::put(grown, sym, x) {
                install_table(space, cell, grown);
                if matches!(place(cell), Place::Side) {
                    guard.set_header_bits(HAS_SIDE);
                }
                return Ok(());
            }
        }
        drop(guard);
        let extra = symbol_table::len(now).max(2);
        bigger = Some((now, symbol_table::grown(m, now, extra)?));
    }
}

/// Removes `sym` from `v`; its value.
pub fn remove(m: &mut Mutator, v: Value, sym: Sym) -> Result<Option<Value>> {
    let Some(cell) = v.cell() else {
        return Err(ObjError::Frozen);
    };
    loop {
        let guard = modify(m, &v)?;
        let shape = shape_of(guard.header());
        let space = space(guard.mutator());
        if !matches!(place(cell), Place::Slots) || shape == COMPLEX {
            return Ok(symbol_table::remove(table_of(space, cell), sym));
        }
        let Some(slot) = space.shapes.lookup(shape, sym) else {
            return Ok(None);
        };
        if let Some(next) = space.shapes.without(shape, sym) {
            let x = read_slot(guard.cell(), slot);
            guard.set_shape(next);
            // The hole is never used again; emptied, it keeps nothing alive.
            write_slot(guard.cell(), slot, Value::NIL);
            return Ok(Some(x));
        }
        drop(guard);
        make_complex(m, v)?;
    }
}

/// The instance variables of `v`, in the order they were set.
pub fn names(m: &mut Mutator, v: Value) -> Vec<Sym> {
    let mut names = Vec::new();
    let Some(cell) = v.cell() else { return names };
    let header = cell.header();
    if type_of(cell) == Type::Object && !is_complex(header) {
        names.extend(space(m).shapes.ivars(shape_of(header)).into_iter().map(|(sym, _)| sym));
    } else {
        symbol_table::for_each(table_of(space(m), cell), |sym, _| names.push(sym));
    }
    names
}

/// May `v`, which is of another type than Object, have instance variables?
pub fn may_have_some(v: Value) -> bool {
    v.cell().is_some_and(|cell| cell.header() & HAS_SIDE != 0)
}

/// How many instance variables `v` has.
pub fn count(m: &mut Mutator, v: Value) -> usize {
    names(m, v).len()
}

/// Copies all instance variables of `from` to `to` (`dup`, `clone`).
pub fn copy(m: &mut Mutator, from: Value, to: Value) -> Result<()> {
    // Nothing in the side table, where all but objects and classes have theirs.
    if from.cell().is_some_and(|cell| matches!(place(cell), Place::Side)) && !may_have_some(from) {
        return Ok(());
    }
    for sym in names(m, from) {
        if let Some(x) = get(m, from, sym) {
            set(m, to, sym, x)?;
        }
    }
    Ok(())
}

/// Marks the side table's part of an object.
pub(crate) fn trace_side(cell: &Cell, space: &Space, marker: &mut Marker) {
    if cell.header() & HAS_SIDE != 0 {
        marker.mark_part(space.side.get(cell.address()).bits());
    }
}
