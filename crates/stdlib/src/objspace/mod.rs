//! `objspace`: what objects hold, what refers to what, and where objects were made.

use asterism_core::objspace::{gather, is_visible};
use asterism_heap::{Cell, Heap, Marker, StoppedWorld, Stores};
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::types::{self, Type, type_of};
use asterism_object::{AtomicValue, Value, array, class_field};
use asterism_vm::backtrace::Allocations;
use asterism_vm::native::PrimFn;
use asterism_vm::ractor::shareable;
use asterism_vm::{Ec, Res};

mod lines;
mod snapshot;

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("objspace_bytes", bytes),
    ("objspace_in_c", in_c),
    ("objspace_references", references),
    ("objspace_roots", roots),
    ("objspace_sizes", sizes),
    ("objspace_type", object_type),
    ("objspace_everything", everything),
    ("objspace_class", internal_class),
    ("objspace_super", internal_super),
    ("objspace_data_type", data_type),
    ("objspace_address", address),
    ("objspace_symbols", symbols),
    ("objspace_trace", trace),
    ("objspace_trace_clear", trace_clear),
    ("objspace_made", made),
];

/// The Ruby part.
pub static SOURCES: &[(&str, &str)] =
    &[("<internal:objspace>", include_str!("objspace.rb")), ("<internal:objspace/dump>", include_str!("dump.rb"))];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    ec.vm().add_primitives(snapshot::PRIMITIVES);
    Ok(())
}

/// What stands for a cell that no program sees: an `ObjectSpace::InternalObjectWrapper`.
struct Wrapper(AtomicValue);

impl DataObject for Wrapper {
    const NAME: &'static str = "objspace/internal";

    fn trace(&self, marker: &mut Marker) {
        self.0.mark(marker);
    }
}

/// The object itself, or what is wrapped.
fn unwrap(v: Value) -> Value {
    data::get::<Wrapper>(&v).map_or(v, |wrapper| wrapper.0.load(std::sync::atomic::Ordering::Acquire))
}

/// A wrapper of `class` for what a program cannot have.
fn wrap(ec: &mut Ec, v: Value, class: Value) -> Res {
    let made = data::new(ec, class, Wrapper(AtomicValue::new(v)));
    ec.check(Value::NIL, made)
}

/// Can a program have it? A singleton class it can have, too.
fn is_shown(v: Value) -> bool {
    is_visible(v) || Class::from_value(v).is_some_and(|class| class.is_singleton() && v.cell().is_some_and(has_class))
}

fn has_class(cell: &Cell) -> bool {
    class_field(cell).is_heap()
}

/// Puts wrappers of `class` in place of what a program cannot have, and leaves out what a Ractor may not see.
fn show(ec: &mut Ec, found: Value, class: Value) -> Res {
    let list = ec.array(&[])?;
    for i in 0..array::len(found) {
        let Some(v) = array::at(found, i) else { continue };
        if is_shown(v) {
            if !ec.is_restricted() || shareable::is_shareable(ec, v) {
                ec.array_push(list, v)?;
            }
        } else if !ec.is_restricted() {
            let wrapper = wrap(ec, v, class)?;
            ec.array_push(list, wrapper)?;
        }
    }
    Ok(list)
}

/// Is it where the contents of a String or an Array lie, which has nothing else in it?
fn holds_contents(cell: &Cell) -> bool {
    matches!(type_of(cell), Type::Bytes | Type::Buffer | Type::ArrayStore)
}

/// What such a cell takes.
fn content_bytes(heap: &Heap, world: &StoppedWorld<'_>, cell: &Cell) -> usize {
    heap.cell_size(cell) + heap.references(world, cell, |_| {}).malloc
}

/// Does it count as the object that it belongs to?
fn is_part(cell: &Cell) -> bool {
    types::STORES[type_of(cell) as usize] == Stores::Part || holds_contents(cell)
}

/// `objspace_bytes(object)`: bytes of its cell, and of what it holds besides.
fn bytes(ec: &mut Ec, args: &[Value]) -> Res {
    let v = unwrap(args[0]);
    let in_c = (ec.vm().hooks.extension_size)(ec, v)?;
    let (mut own, mut held) = (0, 0);
    if let Some(cell) = v.cell() {
        let vm = ec.vm_arc();
        let heap = vm.heap();
        heap.stop_the_world(ec, |world| {
            own = heap.cell_size(cell);
            let mut contents = 0;
            let holding = heap.references(world, cell, |child| {
                if holds_contents(child) {
                    contents += content_bytes(heap, world, child);
                }
            });
            held = holding.parts + holding.malloc + contents;
        });
    }
    ec.array(&[Value::fixnum(own as i64), Value::fixnum((held + in_c) as i64)])
}

/// `objspace_references(object, wrapper)`: what it refers to, each once; nil for what is no object of the heap.
fn references(ec: &mut Ec, args: &[Value]) -> Res {
    let v = unwrap(args[0]);
    let Some(cell) = v.cell() else { return Ok(Value::NIL) };
    let vm = ec.vm_arc();
    let found = gather(ec, |world, tell| {
        vm.heap().references(world, cell, |child| {
            if !holds_contents(child) {
                tell(Value::from_cell(child));
            }
        });
    })?;
    let found = once(ec, found)?;
    show(ec, found, args[1])
}

/// `objspace_roots(wrapper)`: what the VM and its threads refer to.
fn roots(ec: &mut Ec, args: &[Value]) -> Res {
    let vm = ec.vm_arc();
    let found = gather(ec, |world, tell| {
        vm.heap().root_references(world, |cell| {
            // What a machine stack mentions may lie within an object, which then is not there by itself.
            if !is_part(cell) {
                tell(Value::from_cell(cell));
            }
        });
    })?;
    let found = once(ec, found)?;
    show(ec, found, args[0])
}

/// The elements without repetition.
fn once(ec: &mut Ec, found: Value) -> Res {
    let mut seen = std::collections::HashSet::new();
    let list = ec.array(&[])?;
    for i in 0..array::len(found) {
        if let Some(v) = array::at(found, i)
            && seen.insert(v.bits())
        {
            ec.array_push(list, v)?;
        }
    }
    Ok(list)
}

/// `objspace_everything(wrapper)`: all objects; with a wrapper's class also what no program sees.
fn everything(ec: &mut Ec, args: &[Value]) -> Res {
    let vm = ec.vm_arc();
    let all = args[0].truthy();
    let found = gather(ec, |world, tell| {
        vm.heap().each_live_cell(world, |cell| {
            let v = Value::from_cell(cell);
            if is_shown(v) || all && !is_part(cell) {
                tell(v);
            }
        });
    })?;
    show(ec, found, args[0])
}

/// `objspace_sizes(class)`: bytes of all objects, or of those of a class, by kind; contents that several share count once.
fn sizes(ec: &mut Ec, args: &[Value]) -> Res {
    let wanted = Class::from_value(args[0]);
    let vm = ec.vm_arc();
    let heap = vm.heap();
    let mut sizes = std::collections::BTreeMap::new();
    let mut contents = std::collections::HashSet::new();
    heap.stop_the_world(ec, |world| {
        heap.each_live_cell(world, |cell| {
            let v = Value::from_cell(cell);
            let counts = match wanted {
                Some(class) => is_visible(v) && Class(class_field(cell)).inherits_from(class),
                None => !is_part(cell),
            };
            if !counts {
                return;
            }
            let mut bytes = heap.cell_size(cell);
            let holding = heap.references(world, cell, |child| {
                if holds_contents(child) && contents.insert(child.address()) {
                    bytes += content_bytes(heap, world, child);
                }
            });
            *sizes.entry(type_name(v)).or_insert(0) += bytes + holding.parts + holding.malloc;
        });
    });
    *sizes.entry("T_DATA").or_insert(0) += bytes_in_c(ec, wanted)?;
    let result = ec.new_hash()?;
    for (name, bytes) in sizes {
        ec.hash_set(result, Value::sym(asterism_symbol::intern_static(name)), Value::fixnum(bytes as i64))?;
    }
    Ok(result)
}

/// `objspace_in_c(object)`: bytes that it takes in C by what its extension says.
fn in_c(ec: &mut Ec, args: &[Value]) -> Res {
    let bytes = (ec.vm().hooks.extension_size)(ec, unwrap(args[0]))?;
    ec.int(bytes as i64)
}

/// What objects, or those of a class, take in C by what extensions say.
fn bytes_in_c(ec: &mut Ec, wanted: Option<Class>) -> Res<usize> {
    let heap = ec.vm_arc();
    let native = gather(ec, |world, tell| {
        heap.heap().each_live_cell(world, |cell| {
            let v = Value::from_cell(cell);
            if type_of(cell) == Type::Data
                && is_visible(v)
                && wanted.is_none_or(|class| Class(class_field(cell)).inherits_from(class))
            {
                tell(v);
            }
        });
    })?;
    let mut bytes = 0;
    for at in 0..array::len(native) {
        bytes += (ec.vm().hooks.extension_size)(ec, array::get(native, at as i64))?;
    }
    Ok(bytes)
}

/// `objspace_type(object)`: `:T_STRING`; of what no program sees the name in the implementation.
fn object_type(_ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::sym(asterism_symbol::intern_static(type_name(unwrap(args[0])))))
}

fn type_name(v: Value) -> &'static str {
    match v.cell().map(type_of) {
        None if v.is_nil() => "T_NIL",
        None if v == Value::TRUE => "T_TRUE",
        None if v == Value::FALSE => "T_FALSE",
        None if v.as_symbol().is_some() => "T_SYMBOL",
        None if v.fixnum_value().is_some() => "T_FIXNUM",
        None => "T_FLOAT",
        Some(Type::Object) => "T_OBJECT",
        Some(Type::Class) => "T_CLASS",
        Some(Type::Module) => "T_MODULE",
        Some(Type::IncludeClass) => "T_ICLASS",
        Some(Type::Float) => "T_FLOAT",
        Some(Type::BigInt) => "T_BIGNUM",
        Some(Type::Rational) => "T_RATIONAL",
        Some(Type::Complex) => "T_COMPLEX",
        Some(Type::String) => "T_STRING",
        Some(Type::Array) => "T_ARRAY",
        Some(Type::Hash) => "T_HASH",
        Some(Type::Range | Type::Struct) => "T_STRUCT",
        Some(Type::Proc | Type::Data) if is_visible(v) => "T_DATA",
        Some(Type::Method) => "imemo_ment",
        Some(Type::Env) => "imemo_env",
        Some(Type::Iseq) => "imemo_iseq",
        Some(Type::Cref) => "imemo_cref",
        Some(Type::InlineCache) => "imemo_callcache",
        Some(Type::Unwind) => "imemo_throw_data",
        Some(_) => "imemo_data",
    }
}

/// `objspace_class(object, wrapper)`: its class as it is, a singleton class for instance; nil if it has none.
fn internal_class(ec: &mut Ec, args: &[Value]) -> Res {
    let class = unwrap(args[0]).cell().map_or(Value::NIL, class_field);
    shown_or_nil(ec, class, args[1])
}

/// `objspace_super(class, wrapper)`: what comes next in its chain of ancestors; nil if it is the last or no class.
fn internal_super(ec: &mut Ec, args: &[Value]) -> Res {
    let class = unwrap(args[0]);
    let links = matches!(class.cell().map(type_of), Some(Type::Class | Type::Module | Type::IncludeClass));
    let next = if links { Class(class).chain().nth(1) } else { None };
    shown_or_nil(ec, next.map_or(Value::NIL, |next| next.0), args[1])
}

fn shown_or_nil(ec: &mut Ec, v: Value, wrapper: Value) -> Res {
    if !v.is_heap() {
        return Ok(Value::NIL);
    }
    let one = ec.array(&[v])?;
    let shown = show(ec, one, wrapper)?;
    Ok(array::at(shown, 0).unwrap_or(Value::NIL))
}

/// `objspace_data_type(object)`: the name of a native object's type, or nil.
fn data_type(ec: &mut Ec, args: &[Value]) -> Res {
    let v = unwrap(args[0]);
    match data::type_name(v) {
        Some(name) => ec.str(name),
        None if v.is_type(Type::Proc) => ec.str("proc"),
        None => Ok(Value::NIL),
    }
}

/// `objspace_address(object)`
fn address(ec: &mut Ec, args: &[Value]) -> Res {
    ec.str(format!("{:#x}", unwrap(args[0]).bits()))
}

/// `objspace_symbols`: how many symbols a program has made that are forgotten when nothing refers to them any more, and how many
/// of those that it has made something has for a name.
fn symbols(ec: &mut Ec, _args: &[Value]) -> Res {
    let vm = ec.vm_arc();
    let heap = vm.heap();
    let (mut all, mut kept) = (0, 0);
    heap.stop_the_world(ec, |_| (all, kept) = (heap.symbols().numbers().len(), heap.symbols().kept()));
    ec.array(&[Value::fixnum((all - kept) as i64), Value::fixnum(kept as i64)])
}

/// `objspace_trace(on)`: one more wants it noted where objects are made, or one less; does that begin or end it?
fn trace(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(Allocations::trace(ec, args[0].truthy())))
}

/// `objspace_trace_clear`: forgets what was noted.
fn trace_clear(ec: &mut Ec, _args: &[Value]) -> Res {
    ec.vm().part::<Allocations>().clear();
    Ok(Value::NIL)
}

/// `objspace_made(object)`: `[file, line, class path, method, generation]`, or nil if that is not known.
fn made(ec: &mut Ec, args: &[Value]) -> Res {
    let Some(made) = ec.vm().part::<Allocations>().of(unwrap(args[0])) else { return Ok(Value::NIL) };
    let class = match made.class.and_then(Class::from_value).filter(|class| !class.is_singleton()) {
        Some(class) => {
            let name = ec.class_name(class);
            ec.str(name)?
        }
        None => Value::NIL,
    };
    let file = ec.str(&*made.file)?;
    let method = made.method.map_or(Value::NIL, Value::sym);
    let generation = ec.int(i64::try_from(made.generation).unwrap_or(i64::MAX))?;
    ec.array(&[file, Value::fixnum(i64::from(made.line)), class, method, generation])
}
