//! Modules as receivers and arguments.

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_vm::{Args, Ec, Res};

/// The modules among `args`, checked; `wrong argument type Class (expected Module)` otherwise.
///
/// # Errors
/// TypeError; ArgumentError for no argument at all.
pub fn check_modules(ec: &mut Ec, args: Args<'_>) -> Res<()> {
    if args.is_empty() {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1+)"));
    }
    for v in args.slice() {
        if !v.is_type(Type::Module) {
            let name = ec.class_name_of(*v);
            return Err(ec.type_error(format!("wrong argument type {name} (expected Module)")));
        }
    }
    Ok(())
}

/// Refinements cannot be included, prepended or extended with.
///
/// # Errors
/// TypeError with `message` if one is among `args`.
pub fn check_no_refinement(ec: &mut Ec, args: Args<'_>, message: &str) -> Res<()> {
    if args.slice().iter().any(|v| Class(*v).flags() & asterism_object::class::REFINEMENT != 0) {
        return Err(ec.type_error(message));
    }
    Ok(())
}

/// The receiver of a Module method.
pub fn this_module(this: Value) -> Class {
    // Methods of Module are only reached by modules and classes: `bind` checks the receiver.
    Class(this)
}

/// The object as a name for a constant or method in messages.
pub fn is_module(v: Value) -> bool {
    matches!(v.heap_type(), Some(Type::Class | Type::Module))
}

/// `Module#inspect` for messages: 'Foo'.
pub fn described(ec: &mut Ec, class: Class) -> String {
    let kind = if class.is_module() { "module" } else { "class" };
    let name = ec.class_name(class);
    format!("{kind} '{name}'")
}
