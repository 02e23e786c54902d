//! ObjectSpace and GC: walking the heap, finalizers, weak maps, control of the collector.

pub mod finalizer;
pub mod ids;
pub mod weak;

use asterism_heap::StoppedWorld;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::{Type, type_of};
use asterism_object::{Value, array, class_field, data};
use asterism_symbol::intern;
use asterism_vm::native::PrimFn;
use asterism_vm::ractor::shareable;
use asterism_vm::{Args, Ec, NativeDef, Res};

pub use finalizer::{copy as copy_finalizers, run_all_finalizers, run_pending_finalizers};

static OBJECT_SPACE: &[NativeDef] = &[
    NativeDef::new("_id2ref", ids::id_to_object, 1, 1),
    NativeDef::new("count_objects", count_objects, 0, 1),
    NativeDef::new("define_finalizer", finalizer::define, 1, 2),
    NativeDef::new("undefine_finalizer", finalizer::undefine, 1, 1),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[("objspace_objects", objects), ("weak_map_pairs", weak::pairs)];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    let module = ec.known(WellKnown::ObjectSpace);
    ec.define_module_functions(module, OBJECT_SPACE)?;
    weak::init(ec, module)
}

/// Is it an object that a program can have?
pub fn is_visible(v: Value) -> bool {
    let Some(cell) = v.cell() else { return false };
    let class = class_field(cell);
    match type_of(cell) {
        Type::Class | Type::Module => !Class(v).is_singleton() && class != Value::NULL,
        Type::Object
        | Type::Float
        | Type::BigInt
        | Type::Rational
        | Type::Complex
        | Type::String
        | Type::Array
        | Type::Hash
        | Type::Range
        | Type::Proc
        | Type::Struct => class.is_heap(),
        // Collected backtraces are the implementation's own.
        Type::Data => data::type_name(v) != Some("backtrace"),
        _ => false,
    }
}

/// The visible objects that are of the class given, as an Array.
fn objects(ec: &mut Ec, args: &[Value]) -> Res {
    let wanted = args.first().copied().unwrap_or(Value::NIL);
    let wanted = if wanted.is_nil() {
        None
    } else {
        match Class::from_value(wanted) {
            Some(c) => Some(c),
            None => return Err(ec.type_error("class or module required")),
        }
    };
    ec.make_all_classes()?;
    let vm = ec.vm_arc();
    let accepts = |v: Value| {
        is_visible(v) && wanted.is_none_or(|c| v.cell().is_some_and(|cell| Class(class_field(cell)).inherits_from(c)))
    };
    let list = gather(ec, |world, tell| {
        vm.heap().each_live_cell(world, |cell| {
            let v = Value::from_cell(cell);
            if accepts(v) {
                tell(v);
            }
        });
    })?;
    if ec.is_restricted() { shareable_ones(ec, list) } else { Ok(list) }
}

/// What `find` tells of while all threads stand still, as an Array. It is called again if that was more than expected.
///
/// # Errors
/// NoMemoryError.
pub fn gather(ec: &mut Ec, mut find: impl FnMut(&StoppedWorld<'_>, &mut dyn FnMut(Value))) -> Res {
    let vm = ec.vm_arc();
    let mut room = 64;
    loop {
        // Filled with a reference, so that the Array's store counts as one that holds references.
        let filler = ec.class(WellKnown::Object);
        let made = array::filled(ec, room, filler);
        let mut list = ec.check(Value::NIL, made)?;
        let mut count = 0;
        let held = list;
        let Some(cell) = held.cell() else { return Err(ec.fatal("an Array without a cell")) };
        // SAFETY: nobody else has seen the Array yet, and it is on this machine stack.
        let slots = unsafe { array::private_slice_mut(&mut list) };
        vm.heap().stop_the_world_to_store(ec, cell, |world| {
            find(world, &mut |v| {
                if let Some(slot) = slots.get_mut(count) {
                    *slot = v;
                }
                count += 1;
            });
        });
        if count <= room {
            let done = array::truncate(ec, list, count);
            ec.check(list, done)?;
            return Ok(list);
        }
        room = count + count / 8 + 64;
    }
}

/// Those of the objects that a Ractor may see which is not the main one.
fn shareable_ones(ec: &mut Ec, list: Value) -> Res {
    let kept = ec.array(&[])?;
    for i in 0..array::len(list) {
        if let Some(v) = array::at(list, i)
            && shareable::is_shareable(ec, v)
        {
            ec.array_push(kept, v)?;
        }
    }
    Ok(kept)
}

fn count_objects(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let result = match args.get(0) {
        Some(h) if h.is_type(Type::Hash) => {
            // What it has already begins anew.
            let mut at = 0;
            while let Some((next, key, value)) = asterism_object::hash::iter_next(h, at) {
                at = next;
                if value != Value::fixnum(0) {
                    ec.hash_set(h, key, Value::fixnum(0))?;
                }
            }
            h
        }
        Some(_) => return Err(ec.type_error("non-hash given")),
        None => ec.new_hash()?,
    };
    const NAMES: [&str; 12] = [
        "T_OBJECT", "T_CLASS", "T_MODULE", "T_FLOAT", "T_STRING", "T_ARRAY", "T_HASH", "T_STRUCT", "T_BIGNUM",
        "T_DATA", "T_ICLASS", "T_IMEMO",
    ];
    let mut counts = [0i64; NAMES.len()];
    ec.make_all_classes()?;
    let vm = ec.vm_arc();
    vm.heap().stop_the_world(ec, |world| {
        vm.heap().each_live_cell(world, |cell| {
            let slot = match type_of(cell) {
                Type::Object => 0,
                Type::Class => 1,
                Type::Module => 2,
                Type::Float => 3,
                Type::String => 4,
                Type::Array => 5,
                Type::Hash => 6,
                Type::Struct | Type::Range => 7,
                Type::BigInt => 8,
                Type::Data | Type::Proc => 9,
                Type::IncludeClass => 10,
                _ => 11,
            };
            counts[slot] += 1;
        });
    });
    let total: i64 = counts.iter().sum();
    ec.hash_set(result, Value::sym(intern("TOTAL")), Value::fixnum(total))?;
    ec.hash_set(result, Value::sym(intern("FREE")), Value::fixnum(0))?;
    for (name, n) in NAMES.iter().zip(counts) {
        if n > 0 {
            ec.hash_set(result, Value::sym(intern(name)), Value::fixnum(n))?;
        }
    }
    Ok(result)
}
