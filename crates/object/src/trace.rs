//! The heap's view of objects: what each type reaches, and what it gives back when it dies.

use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Marker, header};

use crate::cells::{Obj, number_of};
use crate::class::Class;
use crate::space::Space;
use crate::types::{Type, type_of};
use crate::value::Value;
use crate::{array, bigint, data, hash, ivars, object, string, structs, symbol_table};

/// Marks the class and everything else that `cell` reaches, for the types of this crate. Types that
/// belong to the VM have their payload marked as values: the VM passes their number of words.
///
/// # Safety
/// `cell` must be live and the world stopped; the heap's `vm_data` must lead to a [`Space`].
pub unsafe fn trace(cell: &Cell, marker: &mut Marker) {
    if matches!(type_of(cell), Type::Class | Type::Module | Type::IncludeClass) {
        return trace_class(Class(Value::from_cell(cell)), marker);
    }
    marker.mark(cell.class.load(Ordering::Relaxed));
    // SAFETY: `vm_data` is the VM, whose first field is its `Space`, by the caller's contract.
    let space = unsafe { &*marker.vm_data().cast::<Space>() };
    let object = Obj(Value::from_cell(cell));
    match type_of(cell) {
        // Of an Array's elements the Array marks those within its bounds.
        Type::Free | Type::Float | Type::Bytes | Type::ArrayStore => return,
        Type::BigInt => {
            marker.live_malloc(bigint::malloc_bytes(bigint::get(&object.0)));
            return;
        }
        Type::Buffer => {
            marker.live_malloc(string::buffer::malloc_bytes(cell));
            return;
        }
        Type::Object => {
            let shape = header::shape_of(cell.header.load(Ordering::Relaxed));
            if shape == crate::shape::COMPLEX {
                object::trace(cell, 0, marker);
                ivars::trace_side(cell, space, marker);
            } else {
                object::trace(cell, space.shapes.slots(shape).0, marker);
            }
            return;
        }
        Type::HashTable => return hash::trace_table(cell, marker),
        Type::IvarStore => return object::trace_store(cell, marker),
        Type::SymbolTable | Type::ClassIvars => return symbol_table::trace(cell, marker),
        Type::Rational | Type::Complex => mark_words(cell, 2, marker),
        Type::Range => mark_words(cell, 3, marker),
        Type::String => string::trace(cell, marker),
        Type::Array => array::trace(cell, space, marker),
        Type::Hash => hash::trace(cell, marker),
        Type::Struct => {
            mark_words(cell, structs::words(object.word(0).load(Ordering::Relaxed)), marker);
        }
        Type::Data => data::trace(cell, marker),
        Type::Class | Type::Module | Type::IncludeClass => {}
        Type::Proc | Type::Env | Type::Method | Type::InlineCache | Type::Iseq | Type::Cref | Type::Unwind => {}
    }
    ivars::trace_side(cell, space, marker);
}

/// Marks what a class refers to. Minor collections come to every class there is: what was not stored in since the last time is passed
/// over.
fn trace_class(class: Class, marker: &mut Marker) {
    let written = class.is_written();
    if written || !marker.is_again() {
        // Who stores a class in a cell's class field remembers it (`cells::set_class`).
        marker.mark(class.cell().class.load(Ordering::Relaxed));
        for word in class.own_references() {
            marker.mark(word.load(Ordering::Relaxed));
        }
        if written && marker.marks() {
            class.forget_written();
        }
    }
    for table in class.tables() {
        // Another table in the place of one may not have been traced.
        if written || !marker.is_again() || symbol_table::is_written(table) {
            marker.mark_part(table.bits());
        }
    }
}

/// Marks the first `words` payload words of a cell as values: what the VM's own cell types need.
pub fn mark_words(cell: &Cell, words: usize, marker: &mut Marker) {
    let object = Obj(Value::from_cell(cell));
    for i in 0..words {
        marker.mark(object.word(i).load(Ordering::Relaxed));
    }
}

/// Releases what a dead cell with a drop hook holds outside the heap; the number of bytes.
///
/// # Safety
/// `cell` must be dead, of a type of this crate, and not dropped before.
pub unsafe fn drop_cell(cell: &Cell) -> usize {
    match type_of(cell) {
        Type::BigInt => {
            let n = cell.payload::<num_bigint::BigInt>();
            // SAFETY: a BigInt cell's payload is an initialised `BigInt`; this is its last use.
            let n = unsafe { n.read() };
            bigint::malloc_bytes(&n)
        }
        Type::Buffer => string::buffer::free(cell),
        Type::Data => data::free(cell),
        _ => 0,
    }
}

/// The number in the class field of a cell type that has no class (stores, tables).
pub fn capacity_of(cell: &Cell) -> usize {
    number_of(cell)
}
