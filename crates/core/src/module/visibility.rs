//! public, private, protected, module_function.

use asterism_compiler::CodeKind;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::frame;
use asterism_vm::load::warn;
use asterism_vm::method::Visibility;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use super::check::this_module;

pub static MODULE: &[NativeDef] = &[
    NativeDef::new("public", public, 0, ANY).private(),
    NativeDef::new("private", private, 0, ANY).private(),
    NativeDef::new("protected", protected, 0, ANY).private(),
    NativeDef::new("module_function", module_function, 0, ANY).private(),
    NativeDef::new("public_class_method", public_class_method, 0, ANY),
    NativeDef::new("private_class_method", private_class_method, 0, ANY),
];

/// The visibility in force for definitions in `class` where the running native was called, and whether
/// `module_function` is.
pub fn default_visibility(ec: &Ec, class: Class) -> (Visibility, bool) {
    let caller = ec.program_frame();
    // SAFETY: the caller's frame is active, and so is what it shares the visibility with.
    let (state, native, cref) = unsafe {
        let frame = ec.visibility_frame(caller);
        ((*frame).state, (*frame).is_native(), ec.cref_of(caller))
    };
    if native || cref.class() != class {
        return (Visibility::Public, false);
    }
    if state & frame::VIS_MODULE_FUNCTION != 0 {
        (Visibility::Private, true)
    } else if state & frame::VIS_PRIVATE != 0 {
        (Visibility::Private, false)
    } else if state & frame::VIS_PROTECTED != 0 {
        (Visibility::Protected, false)
    } else {
        (Visibility::Public, false)
    }
}

/// Sets the default for the rest of the caller's body; `name`: which method does so.
fn set_default(ec: &mut Ec, bits: u64, name: &str) -> Res<()> {
    let caller = ec.program_frame();
    // SAFETY: the frame is active and keeps its code alive.
    let in_method = unsafe { (*caller).iseq.as_ref() }.is_some_and(|iseq| iseq.code.kind == CodeKind::Method);
    if in_method {
        let message = format!("calling {name} without arguments inside a method may not have the intended effect");
        warn(ec, &message)?;
    }
    // SAFETY: the caller's frame is active.
    let frame = unsafe { ec.visibility_frame(caller) };
    // SAFETY: the frame is active and belongs to this thread.
    unsafe { (*frame).state = (*frame).state & !frame::VIS_MASK | bits };
    Ok(())
}

/// `at(i)` of what was named: the arguments, or the elements of the one Array among them.
fn named(ec: &mut Ec, args: Args<'_>) -> Res {
    match args.get(0) {
        Some(list) if args.len() == 1 && list.is_type(Type::Array) => {
            let copy = array::snapshot(ec, list);
            ec.check(list, copy)
        }
        _ => ec.array(args.slice()),
    }
}

fn result(ec: &mut Ec, args: Args<'_>) -> Res {
    match args.len() {
        0 => Ok(Value::NIL),
        1 => Ok(args[0]),
        _ => ec.array(args.slice()),
    }
}

fn set(ec: &mut Ec, class: Class, args: Args<'_>, visibility: Visibility) -> Res {
    ec.check_class_frozen(class)?;
    let names = named(ec, args)?;
    for i in 0..array::len(names) {
        let name = array::at(names, i).unwrap_or(Value::NIL);
        let name = ec.to_sym(name)?;
        ec.set_visibility(class, name, visibility)?;
    }
    result(ec, args)
}

fn public(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        set_default(ec, 0, "public")?;
    }
    set(ec, this_module(this), args, Visibility::Public)
}

fn private(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        set_default(ec, frame::VIS_PRIVATE, "private")?;
    }
    set(ec, this_module(this), args, Visibility::Private)
}

fn protected(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        set_default(ec, frame::VIS_PROTECTED, "protected")?;
    }
    set(ec, this_module(this), args, Visibility::Protected)
}

/// What the visibility of methods of the top level is set in: Object, or the module that `load` runs the file in.
fn main_class(ec: &mut Ec, name: &str) -> Res<Class> {
    let class = ec.cref().class();
    if class.is_module() {
        warn(ec, &format!("main.{name} in the wrapped load is effective only in wrapper module"))?;
        return Ok(class);
    }
    Ok(ec.known(WellKnown::Object))
}

/// `public` at top level. Methods defined there are private by default; the bit says that this is over.
pub fn main_public(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        set_default(ec, 0, "public")?;
        let frame = ec.program_frame();
        // SAFETY: the frame is active and belongs to this thread.
        unsafe { (*frame).state |= frame::EVAL_CREF };
    }
    let class = main_class(ec, "public")?;
    set(ec, class, args, Visibility::Public)
}

/// `private` at top level.
pub fn main_private(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        set_default(ec, frame::VIS_PRIVATE, "private")?;
    }
    let class = main_class(ec, "private")?;
    set(ec, class, args, Visibility::Private)
}

fn module_function(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let module = this_module(this);
    if module.is_class() {
        return Err(ec.type_error("module_function must be called for modules"));
    }
    if args.is_empty() {
        set_default(ec, frame::VIS_MODULE_FUNCTION, "module_function")?;
        return Ok(Value::NIL);
    }
    ec.check_class_frozen(module)?;
    let names = named(ec, args)?;
    let single = ec.singleton_class(this)?;
    for i in 0..array::len(names) {
        let name = array::at(names, i).unwrap_or(Value::NIL);
        let name = ec.to_sym(name)?;
        let Some(found) = ec.find_method_for_definition(module, name) else {
            return Err(ec.undefined_method_for_class(module, name));
        };
        let copy = found.method.copy(ec, single.0, name, Visibility::Public)?;
        ec.add_method(single, name, copy)?;
        ec.set_visibility(module, name, Visibility::Private)?;
        ec.method_added(single, name)?;
    }
    result(ec, args)
}

fn class_methods(ec: &mut Ec, this: Value, args: Args<'_>, visibility: Visibility) -> Res {
    let single = ec.singleton_class(this)?;
    set(ec, single, args, visibility)?;
    Ok(Value::NIL)
}

fn public_class_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    class_methods(ec, this, args, Visibility::Public)
}

fn private_class_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    class_methods(ec, this, args, Visibility::Private)
}
