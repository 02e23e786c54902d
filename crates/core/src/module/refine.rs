//! Refinements: `refine`, `using`, the class Refinement and what tells which refinements there are.

use asterism_object::class::{Alloc, Class, REFINEMENT};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::args::CallArgs;
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res, Root};

static MODULE: &[NativeDef] = &[
    NativeDef::new("refine", refine, 1, 1).private(),
    NativeDef::new("using", using, 1, 1).private(),
    NativeDef::new("refinements", refinements, 0, 0),
];

static MODULE_SINGLETON: &[NativeDef] =
    &[NativeDef::new("used_modules", used_modules, 0, 0), NativeDef::new("used_refinements", used_refinements, 0, 0)];

static REFINEMENT_METHODS: &[NativeDef] = &[
    NativeDef::new("import_methods", import_methods, 1, ANY).private(),
    NativeDef::new("target", target, 0, 0).leaf(),
    NativeDef::new("include", removed_include, 0, ANY).private(),
    NativeDef::new("prepend", removed_prepend, 0, ANY).private(),
];

static MAIN: &[NativeDef] = &[NativeDef::new("using", main_using, 1, 1).private()];

pub fn init(ec: &mut Ec) -> Res<()> {
    let module = ec.known(WellKnown::Module);
    ec.define_natives(module, MODULE)?;
    ec.define_singleton_natives(module, MODULE_SINGLETON)?;
    let object = ec.known(WellKnown::Object);
    let refinement = ec.define_class(object, "Refinement", module)?;
    refinement.set_alloc(Alloc::Undefined);
    ec.define_natives(refinement, REFINEMENT_METHODS)?;
    for name in ["append_features", "prepend_features", "extend_object"] {
        ec.undef_method(refinement, asterism_symbol::intern(name))?;
    }
    let meta = ec.singleton_class(refinement.0)?;
    ec.undef_method(meta, asterism_symbol::sym::new)?;
    let main = ec.vm().root(Root::MainObject);
    let single = ec.singleton_class(main)?;
    ec.define_natives(single, MAIN)
}

fn is_refinement(v: Value) -> bool {
    v.is_type(Type::Module) && Class(v).flags() & REFINEMENT != 0
}

fn refine(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.arg_error("no block given"));
    };
    if block.frame().is_none() {
        return Err(ec.arg_error("can't pass a Proc as a block to Module#refine"));
    }
    let Some(target) = Class::from_value(args[0]).filter(|c| !c.is_include()) else {
        let got = ec.class_name_of(args[0]);
        return Err(ec.type_error(format!("wrong argument type {got} (expected Class or Module)")));
    };
    let module = Class(this);
    let refinement = ec.refinement_in(module, target)?;
    let outer = ec.cref_of_block(block);
    let table = ec.refinements_of(module).unwrap_or(Value::NIL);
    let cref = ec.new_cref_refined(refinement.0, outer.0, table, asterism_vm::consts::PUSHED_BY_EVAL)?;
    ec.yield_as_with(block, refinement.0, cref, &CallArgs::plain(&[]))?;
    Ok(refinement.0)
}

fn checked(ec: &mut Ec, v: Value) -> Res<Class> {
    if is_refinement(v) {
        return Err(ec.arg_error("refinement module is not allowed"));
    }
    match Class::from_value(v).filter(Class::is_module) {
        Some(module) => Ok(module),
        None => {
            let got = ec.class_name_of(v);
            Err(ec.type_error(format!("wrong argument type {got} (expected Module)")))
        }
    }
}

fn using(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let frame = ec.fiber.ruby_frame();
    // SAFETY: the frame is active.
    let (method, caller, native) = unsafe { ((*frame).method, (*frame).self_val, (*frame).is_native()) };
    if !method.is_nil() || native {
        return Err(ec.raise(Exc::RuntimeError, "Module#using is not permitted in methods"));
    }
    if caller != this {
        return Err(ec.raise(Exc::RuntimeError, "Module#using is not called on self"));
    }
    let module = checked(ec, args[0])?;
    // SAFETY: the frame is an active Ruby frame.
    unsafe { ec.using(frame, module)? };
    Ok(this)
}

fn main_using(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let frame = ec.fiber.ruby_frame();
    // SAFETY: the frame is active.
    let (method, caller, native) = unsafe { ((*frame).method, (*frame).self_val, (*frame).is_native()) };
    if !method.is_nil() || native || caller != this || ec.cref().outer().is_some() {
        return Err(ec.raise(Exc::RuntimeError, "main.using is permitted only at toplevel"));
    }
    let module = checked(ec, args[0])?;
    // SAFETY: the frame is an active Ruby frame.
    unsafe { ec.using(frame, module)? };
    Ok(this)
}

/// Every second element of a table of refinements.
fn halves(ec: &mut Ec, table: Value) -> Res {
    let list = ec.array(&[])?;
    for i in (1..array::len(table)).step_by(2) {
        ec.array_push(list, array::at(table, i).unwrap_or(Value::NIL))?;
    }
    Ok(list)
}

fn refinements(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match ec.refinements_of(Class(this)) {
        Some(table) => halves(ec, table),
        None => ec.array(&[]),
    }
}

/// The refinements in force where the running native was called, the last used first.
fn used(ec: &mut Ec) -> Res {
    let list = ec.array(&[])?;
    let mut at = Some(ec.cref());
    while let Some(cref) = at {
        at = cref.outer();
        let table = cref.refinements();
        if !table.is_heap() {
            continue;
        }
        let all = halves(ec, table)?;
        for i in (0..array::len(all)).rev() {
            let refinement = array::at(all, i).unwrap_or(Value::NIL);
            if (0..array::len(list)).all(|j| array::at(list, j) != Some(refinement)) {
                ec.array_push(list, refinement)?;
            }
        }
    }
    Ok(list)
}

fn used_refinements(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    used(ec)
}

fn used_modules(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let all = used(ec)?;
    let list = ec.array(&[])?;
    for i in 0..array::len(all) {
        let Some(refinement) = array::at(all, i).and_then(Class::from_value) else { continue };
        let Some(module) = ec.refinement_owner(refinement) else { continue };
        if (0..array::len(list)).all(|j| array::at(list, j) != Some(module.0)) {
            ec.array_push(list, module.0)?;
        }
    }
    Ok(list)
}

fn target(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Class(this).module())
}

fn import_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let refinement = Class(this);
    for &v in args.slice() {
        if Class::from_value(v).filter(Class::is_module).is_none() {
            let got = ec.class_name_of(v);
            return Err(ec.type_error(format!("wrong argument type {got} (expected Module)")));
        }
    }
    for &v in args.slice() {
        let Some(module) = Class::from_value(v).filter(Class::is_module) else {
            let got = ec.class_name_of(v);
            return Err(ec.type_error(format!("wrong argument type {got} (expected Module)")));
        };
        if module.superclass().is_some() {
            let shown = ec.class_name(module);
            let message = format!("{shown} has ancestors, but Refinement#import_methods doesn't import their methods");
            asterism_vm::load::warn(ec, &message)?;
        }
        let owner = ec.refinement_owner(refinement);
        let table = owner.and_then(|m| ec.refinements_of(m)).unwrap_or(Value::NIL);
        ec.import_methods(refinement, module, table)?;
    }
    Ok(this)
}

fn removed_include(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.type_error("Refinement#include has been removed"))
}

fn removed_prepend(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.type_error("Refinement#prepend has been removed"))
}
