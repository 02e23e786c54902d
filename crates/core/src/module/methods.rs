//! Instance methods by name: lists, questions, definition, removal.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value, symbol_table};
use asterism_symbol::sym;
use asterism_vm::method::{Body, Found, Method, Visibility};
use asterism_vm::redefined::warn_serious;
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res};

use super::check::{described, this_module};
use super::define::define_from;
use super::hook::hook;
use super::names::{Which, method_names};
use super::visibility::default_visibility;
use crate::proc::method_object;
use crate::symbol::symbol_array;

pub static MODULE: &[NativeDef] = &[
    NativeDef::new("instance_methods", instance_methods, 0, 1),
    NativeDef::new("public_instance_methods", public_instance_methods, 0, 1),
    NativeDef::new("private_instance_methods", private_instance_methods, 0, 1),
    NativeDef::new("protected_instance_methods", protected_instance_methods, 0, 1),
    NativeDef::new("instance_method", instance_method, 1, 1),
    NativeDef::new("public_instance_method", public_instance_method, 1, 1),
    NativeDef::new("method_defined?", method_defined, 1, 2),
    NativeDef::new("public_method_defined?", public_method_defined, 1, 2),
    NativeDef::new("private_method_defined?", private_method_defined, 1, 2),
    NativeDef::new("protected_method_defined?", protected_method_defined, 1, 2),
    NativeDef::new("define_method", define_method, 1, 2),
    NativeDef::new("alias_method", alias_method, 2, 2),
    NativeDef::new("remove_method", remove_method, 0, ANY),
    NativeDef::new("undef_method", undef_method, 0, ANY),
    NativeDef::new("ruby2_keywords", ruby2_keywords, 0, ANY).private(),
];

fn listed(ec: &mut Ec, this: Value, args: Args<'_>, which: Which) -> Res {
    let inherit = args.get(0).is_none_or(Value::truthy);
    let names = method_names(ec, this_module(this), which, inherit);
    symbol_array(ec, &names)
}

fn instance_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    listed(ec, this, args, Which::Visible)
}

fn public_instance_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    listed(ec, this, args, Which::Only(Visibility::Public))
}

fn private_instance_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    listed(ec, this, args, Which::Only(Visibility::Private))
}

fn protected_instance_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    listed(ec, this, args, Which::Only(Visibility::Protected))
}

fn instance_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let class = this_module(this);
    match ec.find_instance_method(class, name) {
        Some(found) => method_object::new_unbound(ec, found.method, class),
        None => Err(ec.undefined_method_for_class(class, name)),
    }
}

fn public_instance_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let class = this_module(this);
    match ec.find_instance_method(class, name) {
        Some(found) if found.visibility == Visibility::Public => method_object::new_unbound(ec, found.method, class),
        Some(found) => {
            let kind = if found.visibility == Visibility::Private { "private" } else { "protected" };
            let shown = described(ec, class);
            let message = format!("method '{}' for {shown} is {kind}", name.text());
            Err(ec.name_error(Exc::NameError, message, this, name))
        }
        None => Err(ec.undefined_method_for_class(class, name)),
    }
}

/// The entry for `name` in the class's own table.
fn own_entry(ec: &mut Ec, class: Class, name: Sym) -> Option<Method> {
    ec.settle(class);
    symbol_table::get(class.methods(), name).and_then(Method::from_value)
}

fn asked(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<Option<Found>> {
    let Some(name) = ec.known_sym(args[0])? else { return Ok(None) };
    let class = this_module(this);
    let found = ec.find_instance_method(class, name);
    if args.get(1).is_none_or(Value::truthy) {
        return Ok(found);
    }
    let own = own_entry(ec, class, name);
    Ok(found.filter(|_| own.is_some_and(|m| !matches!(m.body(), Body::Undefined))))
}

fn method_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let found = asked(ec, this, args)?;
    Ok(Value::bool(found.is_some_and(|f| f.visibility != Visibility::Private)))
}

fn public_method_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let found = asked(ec, this, args)?;
    Ok(Value::bool(found.is_some_and(|f| f.visibility == Visibility::Public)))
}

fn private_method_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let found = asked(ec, this, args)?;
    Ok(Value::bool(found.is_some_and(|f| f.visibility == Visibility::Private)))
}

fn protected_method_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let found = asked(ec, this, args)?;
    Ok(Value::bool(found.is_some_and(|f| f.visibility == Visibility::Protected)))
}

fn define_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    let name = ec.to_sym(args[0])?;
    ec.check_class_frozen(class)?;
    let (mut visibility, module_function) = default_visibility(ec, class);
    if asterism_vm::interp::is_always_private(name) {
        visibility = Visibility::Private;
    }
    define_from(ec, class, name, args.get(1), args.block(), visibility)?;
    ec.method_added(class, name)?;
    if module_function {
        let single = ec.singleton_class(this)?;
        define_from(ec, single, name, args.get(1), args.block(), Visibility::Public)?;
        ec.method_added(single, name)?;
    }
    Ok(Value::sym(name))
}

fn alias_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    let (new, old) = (ec.to_sym(args[0])?, ec.to_sym(args[1])?);
    ec.check_class_frozen(class)?;
    ec.alias_method(class, new, old)?;
    ec.method_added(class, new)?;
    Ok(Value::sym(new))
}

/// Calls the hook for a removed or undefined method: the object's, for a singleton class.
fn gone(ec: &mut Ec, class: Class, name: Sym, plain: Sym, singleton: Sym) -> Res<()> {
    if class.is_singleton() {
        hook(ec, class.module(), singleton, &[Value::sym(name)])
    } else {
        hook(ec, class.0, plain, &[Value::sym(name)])
    }
}

fn remove_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    for v in args.slice() {
        let name = ec.to_sym(*v)?;
        ec.check_class_frozen(class)?;
        warn_serious(ec, "removing", name)?;
        let own = own_entry(ec, class, name);
        let there = own.is_some_and(|m| !matches!(m.body(), Body::Undefined));
        if !there || !ec.remove_method(class, name) {
            let shown = ec.class_name(class);
            let message = format!("method '{}' not defined in {shown}", name.text());
            return Err(ec.name_error(Exc::NameError, message, this, name));
        }
        gone(ec, class, name, sym::method_removed, sym::singleton_method_removed)?;
    }
    Ok(this)
}

fn undef_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    for v in args.slice() {
        let name = ec.to_sym(*v)?;
        ec.check_class_frozen(class)?;
        ec.undef_method(class, name)?;
        gone(ec, class, name, sym::method_undefined, sym::singleton_method_undefined)?;
    }
    Ok(this)
}

fn ruby2_keywords(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    mark_ruby2_keywords(ec, this_module(this), args)
}

/// `ruby2_keywords` at the top level.
pub(super) fn main_ruby2_keywords(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let object = ec.known(WellKnown::Object);
    mark_ruby2_keywords(ec, object, args)
}

fn mark_ruby2_keywords(ec: &mut Ec, class: Class, args: Args<'_>) -> Res {
    for v in args.slice() {
        let name = ec.to_sym(*v)?;
        match own_entry(ec, class, name) {
            Some(method) => method.set_ruby2_keywords(),
            None => return Err(ec.undefined_method_for_class(class, name)),
        }
    }
    Ok(Value::NIL)
}
