//! What `dump` and `dump_all` say of objects, taken of all of them while the threads stand still once.

use std::collections::HashSet;
use std::fmt::Write;

use asterism_core::objspace::gather;
use asterism_core::string::dedup;
use asterism_heap::{Cell, Heap, Marker, StoppedWorld, Stores, header};
use asterism_object::data::{self, DataObject};
use asterism_object::shape::{COMPLEX, Outline};
use asterism_object::types::{Type, type_of};
use asterism_object::{Value, array, class_field, string};
use asterism_vm::native::PrimFn;
use asterism_vm::ractor::shareable;
use asterism_vm::{Ec, Res};

use super::{content_bytes, holds_contents, is_part, is_shown, lines, unwrap, wrap};

pub(super) static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("objspace_snapshot", snapshot),
    ("objspace_detail", detail),
    ("objspace_lines", lines::lines),
    ("objspace_detail_of", detail_of),
    ("objspace_free_cells", free_cells),
    ("objspace_shapes", shapes),
    ("objspace_shareable", is_shareable),
    ("objspace_interned", is_interned),
    ("objspace_shared", is_shared),
];

/// What a cell's object does not tell itself.
#[derive(Debug)]
pub(super) struct Detail {
    pub(super) address: u64,
    /// Bytes of the cell.
    pub(super) size: usize,
    /// Bytes that it holds besides.
    pub(super) held: usize,
    pub(super) class: u64,
    /// Has it survived a collection?
    pub(super) old: bool,
    id: Option<u64>,
    shape: u32,
    pub(super) references: Box<[u64]>,
}

/// From so many references on a table says which of them are known.
const MANY: usize = 16;

impl Detail {
    fn of(heap: &Heap, world: &StoppedWorld<'_>, cell: &Cell) -> Detail {
        let class = class_field(cell);
        let class = if class.is_heap() { class.bits() } else { 0 };
        let (mut seen, mut references, mut contents) = (HashSet::new(), Vec::new(), 0);
        let holding = heap.references(world, cell, |child| {
            if holds_contents(child) {
                contents += content_bytes(heap, world, child);
            } else if child.address() != class {
                let address = child.address();
                if references.len() == MANY {
                    seen.extend(&references);
                }
                let known = if references.len() < MANY { references.contains(&address) } else { !seen.insert(address) };
                if !known {
                    references.push(address);
                }
            }
        });
        Detail {
            address: cell.address(),
            size: heap.cell_size(cell),
            held: holding.parts + holding.malloc + contents,
            class,
            old: heap.is_old(world, cell),
            id: heap.existing_object_id(cell),
            shape: header::shape_of(cell.header()),
            references: references.into(),
        }
    }

    /// `object_id`, if the object has one.
    pub(super) fn shown_id(&self) -> Option<i64> {
        self.id.map(|id| (id.cast_signed() + 1) * 8)
    }

    /// Appends what an Object's shape is.
    pub(super) fn write_shape(&self, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = match self.shape {
            COMPLEX => write!(out, ", \"too_complex_shape\":true"),
            shape => write!(out, ", \"shape_id\":{shape}"),
        };
    }

    /// `[size, held, class, old, id, shape, references]`, addresses as JSON.
    fn to_array(&self, ec: &mut Ec, is_literal: bool) -> Res {
        let class = if self.class == 0 { Value::NIL } else { ec.str(format!("\"{:#x}\"", self.class))? };
        let mut text = String::with_capacity(20 * self.references.len());
        for (i, address) in self.references.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = write!(text, "{}\"{address:#x}\"", if i == 0 { "" } else { ", " });
        }
        let references = if text.is_empty() { Value::NIL } else { ec.str(text)? };
        let id = self.shown_id().map_or(Value::NIL, Value::fixnum);
        let shape = match self.shape {
            COMPLEX => Value::NIL,
            shape => Value::fixnum(i64::from(shape)),
        };
        let (size, held) = (Value::fixnum(self.size as i64), Value::fixnum(self.held as i64));
        ec.array(&[size, held, class, Value::bool(self.old), id, shape, references, Value::bool(is_literal)])
    }
}

/// All objects as they were at one moment.
pub(super) struct Snapshot {
    pub(super) details: Vec<Detail>,
    /// The addresses of the Strings that code has for literals.
    pub(super) literals: HashSet<u64>,
}

impl DataObject for Snapshot {
    const NAME: &'static str = "objspace/snapshot";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}

    fn size(&self) -> usize {
        let references: usize = self.details.iter().map(|detail| size_of_val(&*detail.references)).sum();
        size_of_val(&*self.details) + references + self.literals.len() * 16
    }
}

/// `objspace_snapshot(wrapper)`: what can be shown of all objects, as `[snapshot, object, its number in that, object, …]`.
fn snapshot(ec: &mut Ec, args: &[Value]) -> Res {
    ec.make_all_classes()?;
    let vm = ec.vm_arc();
    let heap = vm.heap();
    let (mut details, mut literals) = (Vec::new(), HashSet::new());
    let found = gather(ec, |world, tell| {
        details.clear();
        literals.clear();
        heap.each_live_cell(world, |cell| {
            if is_part(cell) {
                return;
            }
            if type_of(cell) == Type::Iseq {
                heap.references(world, cell, |child| {
                    if type_of(child) == Type::String {
                        literals.insert(child.address());
                    }
                });
            }
            details.push(Detail::of(heap, world, cell));
            tell(Value::from_cell(cell));
        });
    })?;
    let made = data::new(ec, args[0], Snapshot { details, literals });
    let taken = ec.check(found, made)?;
    let list = ec.array(&[taken])?;
    for i in 0..array::len(found) {
        let Some(v) = array::at(found, i) else { continue };
        // What stands for another object is here itself.
        let shown = if is_shown(v) && unwrap(v) == v { v } else { wrap(ec, v, args[0])? };
        if !ec.is_restricted() || is_shown(v) && shareable::is_shareable(ec, v) {
            ec.array_push(list, shown)?;
            ec.array_push(list, Value::fixnum(i as i64))?;
        }
    }
    Ok(list)
}

/// `objspace_detail(snapshot, number)`
fn detail(ec: &mut Ec, args: &[Value]) -> Res {
    let number = args[1].fixnum_value().unwrap_or(-1) as usize;
    match data::get::<Snapshot>(&args[0]).and_then(|taken| Some((taken, taken.details.get(number)?))) {
        Some((taken, detail)) => detail.to_array(ec, taken.literals.contains(&detail.address)),
        None => Ok(Value::NIL),
    }
}

/// `objspace_detail_of(object)`: the same of one object; nil for what is no object of the heap.
fn detail_of(ec: &mut Ec, args: &[Value]) -> Res {
    let v = unwrap(args[0]);
    let Some(cell) = v.cell() else { return Ok(Value::NIL) };
    let vm = ec.vm_arc();
    let heap = vm.heap();
    let mut found = None;
    heap.stop_the_world(ec, |world| found = Some(Detail::of(heap, world, cell)));
    match found {
        Some(detail) => detail.to_array(ec, false),
        None => Ok(Value::NIL),
    }
}

/// `objspace_free_cells`: the addresses and sizes of cells that nothing lies in.
fn free_cells(ec: &mut Ec, _args: &[Value]) -> Res {
    let vm = ec.vm_arc();
    let heap = vm.heap();
    let mut free = Vec::new();
    heap.stop_the_world(ec, |world| heap.each_free_cell(world, |address, size| free.push((address, size))));
    let list = ec.array_with_capacity(2 * free.len())?;
    for (address, size) in free {
        ec.array_push(list, Value::fixnum(address as i64))?;
        ec.array_push(list, Value::fixnum(size as i64))?;
    }
    Ok(list)
}

/// `objspace_shapes(since)`: the VM's shapes from that number on, each as `[number, parent, name, is it removed?, slots, children]`.
fn shapes(ec: &mut Ec, args: &[Value]) -> Res {
    let since = ec.to_i64(args[0])?;
    let outlines = ec.vm().space.shapes.outlines();
    let mut children = vec![0i64; outlines.len()];
    for (parent, _, _) in outlines.iter().filter_map(|outline| outline.from) {
        if let Some(count) = children.get_mut(parent as usize) {
            *count += 1;
        }
    }
    let list = ec.array(&[])?;
    for (number, outline) in outlines.iter().enumerate().filter(|(number, _)| *number as i64 >= since) {
        let (parent, name, removed) = match outline.from {
            Some((parent, name, removed)) => (Value::fixnum(i64::from(parent)), Value::sym(name), removed),
            None => (Value::NIL, Value::NIL, false),
        };
        let number_of = Value::fixnum(number as i64);
        let slots = Value::fixnum(i64::from(outline.slots));
        let bytes = Value::fixnum(Outline::BYTES as i64);
        let row = [number_of, parent, name, Value::bool(removed), slots, Value::fixnum(children[number]), bytes];
        let row = ec.array(&row)?;
        ec.array_push(list, row)?;
    }
    Ok(list)
}

/// `objspace_shareable(object)`: may several Ractors have it?
fn is_shareable(ec: &mut Ec, args: &[Value]) -> Res {
    let v = args[0];
    Ok(Value::bool(is_shown(v) && shareable::is_shareable(ec, v)))
}

/// `objspace_interned(string)`: is it the one frozen String with this content?
fn is_interned(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(dedup::is_interned(ec, args[0])))
}

/// `objspace_shared(object)`: are its contents those of other objects too?
fn is_shared(_ec: &mut Ec, args: &[Value]) -> Res {
    let v = args[0];
    Ok(Value::bool(v.is_type(Type::String) && string::is_shared(v)))
}
