//! `dup` and `clone`.

use std::sync::atomic::Ordering;

use asterism_object::class::{Alloc, Class};
use asterism_object::types::Type;
use asterism_object::{Value, array, hash, ivars, ownership, range, set_class, string, structs, symbol_table};
use asterism_symbol::sym;
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::block::{Block, Proc};
use asterism_vm::call::CallKind;
use asterism_vm::method::Method;
use asterism_vm::{Args, Ec, NativeDef, Res};

pub(super) static KERNEL: &[NativeDef] = &[
    NativeDef::new("dup", dup, 0, 0),
    NativeDef::new("clone", clone, 0, 0).keywords(&["freeze"]),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("initialize_dup", initialize_dup, 1, 1).private(),
    NativeDef::new("initialize_clone", initialize_clone, 1, 1).keywords(&["freeze"]).private(),
];

/// Immediates and numbers are their own copies.
fn is_its_own_copy(v: Value) -> bool {
    !v.is_heap() || matches!(v.heap_type(), Some(Type::Float | Type::BigInt | Type::Rational | Type::Complex))
}

/// `Kernel#dup`.
///
/// # Errors
/// TypeError for what has no allocator, what `initialize_dup` raises; NoMemoryError.
pub fn dup_of(ec: &mut Ec, this: Value) -> Res {
    if is_its_own_copy(this) {
        return Ok(this);
    }
    let copy = shallow(ec, this)?;
    initialize_from(ec, copy, this, sym::initialize_dup, None)?;
    Ok(copy)
}

fn dup(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    dup_of(ec, this)
}

fn clone(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut freeze = Value::NIL;
    if let (_, Some(h)) = args.split_keywords() {
        if let Some(v) = ec.hash_get(h, Value::sym(sym::freeze))? {
            freeze = v;
        }
        if !matches!(freeze, Value::NIL | Value::TRUE | Value::FALSE) {
            let name = ec.class_text_of(freeze)?;
            return Err(ec.arg_error(format!("unexpected value for freeze: {name}")));
        }
    }
    clone_of(ec, this, freeze)
}

/// `Kernel#clone`, with what is said of `freeze`: true, false or nil.
///
/// # Errors
/// ArgumentError for what cannot be unfrozen; as `dup_of` otherwise.
pub fn clone_of(ec: &mut Ec, this: Value, freeze: Value) -> Res {
    if is_its_own_copy(this) {
        if freeze == Value::FALSE {
            let name = ec.class_text_of(this)?;
            return Err(ec.arg_error(format!("can't unfreeze {name}")));
        }
        return Ok(this);
    }
    let copy = shallow(ec, this)?;
    if Class::from_value(this).is_none() {
        copy_singleton(ec, this, copy)?;
    }
    initialize_from(ec, copy, this, sym::initialize_clone, (!freeze.is_nil()).then_some(freeze))?;
    if let Some(as_what) = string::chilled(this) {
        string::chill(ec, copy, as_what);
    }
    if freeze == Value::TRUE || freeze.is_nil() && ownership::is_frozen(this) {
        ec.freeze(copy)?;
    }
    Ok(copy)
}

/// Calls `initialize_dup` or `initialize_clone`, unless everything it would call is the core's and the copy
/// has its contents already.
fn initialize_from(
    ec: &mut Ec,
    copy: Value,
    original: Value,
    which: asterism_object::Sym,
    freeze: Option<Value>,
) -> Res<()> {
    let class = ec.class_of(copy);
    let native = |ec: &mut Ec, name| ec.find_method(class, name).1.is_some_and(|f| f.method.is_native_of_core());
    if !copy.is_type(Type::Data) && native(ec, which) && native(ec, sym::initialize_copy) {
        return Ok(());
    }
    match freeze {
        None => {
            ec.call(copy, which, &[original])?;
        }
        Some(freeze) => {
            let h = ec.new_hash()?;
            ec.hash_set(h, Value::sym(sym::freeze), freeze)?;
            let args = CallArgs { argv: &[original], keywords: Keywords::Hash(h), block: Block::NONE };
            ec.call_with(copy, which, &args, CallKind::Private)?;
        }
    }
    Ok(())
}

/// A Hash with the entries and the default of another one.
fn copy_hash(ec: &mut Ec, class: Class, this: Value, more: usize) -> asterism_object::error::Result<Value> {
    let copy = hash::dup_with_room(ec, class.0, this, more)?;
    let (default, is_proc) = (hash::default_value(this), hash::has_default_proc(this));
    if is_proc || !default.is_nil() {
        hash::set_default(ec, copy, default, is_proc)?;
    }
    Ok(copy)
}

/// A Hash of the same class with the entries, the default and the instance variables of another one, and room for `more` entries if
/// that are few; no method is called.
///
/// # Errors
/// NoMemoryError.
pub fn hash_of(ec: &mut Ec, this: Value, more: usize) -> Res {
    let class = ec.real_class_of(this);
    let made = copy_hash(ec, class, this, more);
    let copy = ec.check(this, made)?;
    let done = ivars::copy(ec, this, copy);
    ec.check(copy, done).map(|()| copy)
}

/// A copy of the contents and instance variables, of the same (real) class.
fn shallow(ec: &mut Ec, this: Value) -> Res {
    let class = ec.real_class_of(this);
    // An `initialize_copy` of the user's own says what the copy has.
    let is_collection = matches!(this.heap_type(), Some(Type::Array | Type::Hash));
    let bare =
        is_collection && ec.find_method(class, sym::initialize_copy).1.is_some_and(|f| !f.method.is_native_of_core());
    let made = match this.heap_type() {
        _ if bare => Ok(ec.allocate(class)?),
        Some(Type::String) => string::dup_in(ec, class.0, this),
        Some(Type::Array) => array::dup_in(ec, class.0, this),
        Some(Type::Hash) => copy_hash(ec, class, this, 0),
        Some(Type::Range) => range::new_in(ec, class.0, range::begin(this), range::end(this), range::exclude_end(this)),
        Some(Type::Struct) => structs::dup_in(ec, class.0, this),
        Some(Type::Proc) => match Proc::from_value(this) {
            Some(p) => Ok(p.copy(ec, class.0, p.flags())?.0),
            None => return Err(ec.fatal("a Proc that is none")),
        },
        Some(Type::Class | Type::Module) => return copy_class(ec, Class(this)),
        Some(Type::Data) => match super::super::proc::copy_method_object(ec, this)? {
            Some(copy) => Ok(copy),
            None => match crate::regexp::match_data::copy(ec, this)? {
                Some(copy) => Ok(copy),
                None => Ok(ec.allocate(class)?),
            },
        },
        _ => Ok(ec.allocate(class)?),
    };
    let copy = ec.check(this, made)?;
    let done = ivars::copy(ec, this, copy);
    ec.check(copy, done)?;
    crate::objspace::copy_finalizers(ec, this, copy)?;
    Ok(copy)
}

fn copy_tables(ec: &mut Ec, from: Class, to: Class) -> Res<()> {
    ec.settle(from);
    // The nesting of the last method and that of its copy: most share one.
    let mut before: Option<(Value, Value)> = None;
    let mut i = 0;
    while let Some(entry) = symbol_table::nth(from.methods(), i) {
        i += 1;
        if let Some((name, word)) = entry
            && let Some(method) = Method::from_value(word)
        {
            let copy = if method.owner() == from {
                if before.is_none_or(|(old, _)| old != method.cref()) {
                    before = Some((method.cref(), ec.cref_of_copy(method.cref(), from, to)?));
                }
                let cref = before.map_or(method.cref(), |(_, cref)| cref);
                method.copy_in(ec, to.0, name, method.visibility(), cref)?
            } else {
                method
            };
            ec.add_method(to, name, copy)?;
        }
    }
    let Some(constants) = ec.constants(from) else { return Err(ec.no_memory()) };
    let constants = symbol_table::copy(ec, constants);
    let constants = ec.check(from.0, constants)?;
    let cvars = symbol_table::copy(ec, from.cvars());
    let cvars = ec.check(from.0, cvars)?;
    ec.with_class_lock(|ec| {
        to.set_constants(constants);
        to.set_cvars(cvars);
        ec.vm().const_serial.fetch_add(1, Ordering::Release);
    });
    Ok(())
}

/// Includes in `to` what `from` includes or prepends itself, up to its superclass.
fn copy_includes(ec: &mut Ec, from: Class, to: Class) -> Res<()> {
    let mut links = 0;
    let mut before_origin = from.origin().is_some();
    let mut place = from.superclass();
    let included = ec.array(&[])?;
    let prepended = ec.array(&[])?;
    while let Some(link) = place {
        if !link.is_include() {
            break;
        }
        if link.is_origin() {
            before_origin = false;
        } else {
            ec.array_push(if before_origin { prepended } else { included }, link.module())?;
        }
        links += 1;
        if links > 1 << 20 {
            break;
        }
        place = link.superclass();
    }
    for (list, prepend) in [(included, false), (prepended, true)] {
        for i in (0..array::len(list)).rev() {
            if let Some(module) = array::at(list, i).and_then(Class::from_value) {
                ec.include_module(to, module, prepend)?;
            }
        }
    }
    Ok(())
}

/// Gives `to` what the singleton class of `from` has.
///
/// # Errors
/// NoMemoryError.
pub fn copy_singleton(ec: &mut Ec, from: Value, to: Value) -> Res<()> {
    let single = ec.class_of(from);
    if !single.is_singleton() || single.module() != from {
        return Ok(());
    }
    let copy = ec.singleton_class(to)?;
    copy_includes(ec, single, copy)?;
    copy_tables(ec, single, copy)?;
    let done = ivars::copy(ec, single.0, copy.0);
    ec.check(copy.0, done)
}

fn copy_class(ec: &mut Ec, class: Class) -> Res {
    if class.is_singleton() {
        return Err(ec.type_error("can't copy singleton class"));
    }
    let copy = if class.is_module() {
        let copy = ec.new_module()?;
        let real = ec.real_class_of(class.0);
        set_class(ec, copy.cell(), real);
        copy
    } else {
        let mut parent = class.superclass();
        while let Some(p) = parent
            && p.is_include()
        {
            parent = p.superclass();
        }
        let Some(parent) = parent else {
            return Err(ec.type_error("can't copy BasicObject"));
        };
        let copy = ec.new_class(parent)?;
        if class.alloc() != Alloc::Undefined {
            copy.set_alloc(class.alloc());
            crate::allocators::share_allocator(ec, class, copy);
        }
        copy
    };
    copy_includes(ec, class, copy)?;
    copy_tables(ec, class, copy)?;
    let done = ivars::copy(ec, class.0, copy.0);
    ec.check(copy.0, done)?;
    copy_singleton(ec, class.0, copy.0)?;
    Ok(copy.0)
}

fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let original = args[0];
    if this == original {
        return Ok(this);
    }
    ec.check_frozen(this)?;
    if ec.real_class_of(this) != ec.real_class_of(original) {
        return Err(ec.type_error("initialize_copy should take same class object"));
    }
    Ok(this)
}

fn initialize_dup(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.call(this, sym::initialize_copy, &[args[0]])?;
    Ok(this)
}

fn initialize_clone(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.call(this, sym::initialize_copy, &[args[0]])?;
    Ok(this)
}
