//! Including and prepending modules, and what is among a module's ancestors.

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::types::{Type, type_of};
use asterism_symbol::sym;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use super::check::this_module;
use super::check::{check_modules, check_no_refinement};
use super::hook::hook;

pub static MODULE: &[NativeDef] = &[
    NativeDef::new("include", include, 0, ANY),
    NativeDef::new("prepend", prepend, 0, ANY),
    NativeDef::new("append_features", append_features, 1, 1).private(),
    NativeDef::new("prepend_features", prepend_features, 1, 1).private(),
    NativeDef::new("extend_object", extend_object, 1, 1).private(),
    NativeDef::new("include?", include_p, 1, 1),
    NativeDef::new("included_modules", included_modules, 0, 0),
    NativeDef::new("ancestors", ancestors, 0, 0),
    NativeDef::new("<", lt, 1, 1),
    NativeDef::new("<=", le, 1, 1),
    NativeDef::new(">", gt, 1, 1),
    NativeDef::new(">=", ge, 1, 1),
    NativeDef::new("<=>", cmp, 1, 1),
];

/// Calls `append_features` or its like: at once if it is the core's.
fn add(ec: &mut Ec, module: Value, name: asterism_object::Sym, to: Value) -> Res<()> {
    let meta = ec.class_of(module);
    let native = ec.find_method(meta, name).1.is_some_and(|f| f.method.is_native_of_core());
    if native {
        ec.check_frozen(to)?;
        return ec.include_module(Class(to), Class(module), name == sym::prepend_features);
    }
    ec.call(module, name, &[to])?;
    Ok(())
}

/// `include`
pub fn include(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    check_modules(ec, args)?;
    check_no_refinement(ec, args, "Cannot include refinement")?;
    for &module in args.slice().iter().rev() {
        add(ec, module, sym::append_features, this)?;
        hook(ec, module, sym::included, &[this])?;
    }
    Ok(this)
}

fn prepend(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    check_modules(ec, args)?;
    check_no_refinement(ec, args, "Cannot prepend refinement")?;
    for &module in args.slice().iter().rev() {
        add(ec, module, sym::prepend_features, this)?;
        hook(ec, module, sym::prepended, &[this])?;
    }
    Ok(this)
}

fn target(ec: &mut Ec, v: Value) -> Res<Class> {
    match Class::from_value(v).filter(|c| !c.is_include()) {
        Some(c) => {
            ec.check_frozen(v)?;
            Ok(c)
        }
        None => {
            let name = ec.class_name_of(v);
            Err(ec.type_error(format!("wrong argument type {name} (expected Class or Module)")))
        }
    }
}

/// A class is mixed in nowhere, also by `Module#append_features` taken from Module and bound to it.
fn mixed_in(ec: &mut Ec, this: Value) -> Res<Class> {
    if this.is_type(Type::Class) {
        return Err(ec.type_error("wrong argument type Class (expected Module)"));
    }
    Ok(this_module(this))
}

fn append_features(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let to = target(ec, args[0])?;
    let module = mixed_in(ec, this)?;
    ec.include_module(to, module, false)?;
    Ok(this)
}

fn prepend_features(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let to = target(ec, args[0])?;
    let module = mixed_in(ec, this)?;
    ec.include_module(to, module, true)?;
    Ok(this)
}

fn extend_object(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (module, object) = (mixed_in(ec, this)?, args[0]);
    // Numbers and Symbols are frozen, but what they lack is a singleton class.
    let single_less = matches!(object.cell().map(type_of), None | Some(Type::Float | Type::BigInt));
    // The classes of nil, true and false are their singleton classes.
    if !single_less {
        ec.check_frozen(object)?;
    }
    let single = ec.singleton_class(object)?;
    ec.include_module(single, module, false)?;
    Ok(object)
}

fn include_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if !args[0].is_type(Type::Module) {
        let name = ec.class_name_of(args[0]);
        return Err(ec.type_error(format!("wrong argument type {name} (expected Module)")));
    }
    Ok(Value::bool(this != args[0] && this_module(this).inherits_from(Class(args[0]))))
}

fn included_modules(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = ec.array(&[])?;
    for link in this_module(this).chain() {
        if link.is_include() && !link.is_origin() && link.module() != this {
            ec.array_push(list, link.module())?;
        }
    }
    Ok(list)
}

fn ancestors(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let list = ec.array(&[])?;
    for link in this_module(this).chain() {
        if link.is_include() {
            ec.array_push(list, link.module())?;
        } else if link.origin().is_none() {
            ec.array_push(list, link.0)?;
        }
    }
    Ok(list)
}

fn other(ec: &mut Ec, v: Value) -> Res<Class> {
    match Class::from_value(v) {
        Some(c) => Ok(c),
        None => Err(ec.type_error("compared with non class/module")),
    }
}

/// `<=`: true, false for the other way round, nil for no relation.
fn below(a: Class, b: Class) -> Value {
    if a.inherits_from(b) {
        Value::TRUE
    } else if b.inherits_from(a) {
        Value::FALSE
    } else {
        Value::NIL
    }
}

fn lt(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let b = other(ec, args[0])?;
    Ok(if this == b.0 { Value::FALSE } else { below(Class(this), b) })
}

fn le(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let b = other(ec, args[0])?;
    Ok(below(Class(this), b))
}

fn gt(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let b = other(ec, args[0])?;
    Ok(if this == b.0 { Value::FALSE } else { below(b, Class(this)) })
}

fn ge(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let b = other(ec, args[0])?;
    Ok(below(b, Class(this)))
}

fn cmp(_ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(b) = Class::from_value(args[0]) else {
        return Ok(Value::NIL);
    };
    if this == b.0 {
        return Ok(Value::fixnum(0));
    }
    Ok(match below(Class(this), b) {
        Value::TRUE => Value::fixnum(-1),
        Value::FALSE => Value::fixnum(1),
        _ => Value::NIL,
    })
}
