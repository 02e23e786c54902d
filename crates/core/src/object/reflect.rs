//! Lists of methods, `method` and `define_singleton_method`.

use std::collections::HashSet;

use asterism_object::types::Type;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;
use asterism_vm::method::{Body, Visibility};
use asterism_vm::{Args, Ec, NativeDef, Res};

use crate::module::names::{Which, collect, method_names};
use crate::proc::method_object;
use crate::symbol::symbol_array;

pub static KERNEL: &[NativeDef] = &[
    NativeDef::new("methods", methods, 0, 1),
    NativeDef::new("singleton_methods", singleton_methods, 0, 1),
    NativeDef::new("public_methods", public_methods, 0, 1),
    NativeDef::new("private_methods", private_methods, 0, 1),
    NativeDef::new("protected_methods", protected_methods, 0, 1),
    NativeDef::new("method", method, 1, 1),
    NativeDef::new("public_method", public_method, 1, 1),
    NativeDef::new("singleton_method", singleton_method, 1, 1),
    NativeDef::new("define_singleton_method", define_singleton_method, 1, 2),
];

/// Names of the methods that belong to the object alone.
fn singleton_names(ec: &mut Ec, this: Value, modules_too: bool) -> Vec<Sym> {
    let (mut seen, mut out) = (HashSet::new(), Vec::new());
    let single = ec.class_of(this);
    if !single.is_singleton() || !this.is_heap() {
        return out;
    }
    if single.module() == this {
        ec.settle(single);
        collect(single.methods(), Which::Visible, &mut seen, &mut out);
    }
    if modules_too {
        for link in single.chain().skip(1) {
            if !link.is_singleton() && !link.is_include() {
                break;
            }
            collect(ec.lookup_table(link), Which::Visible, &mut seen, &mut out);
        }
    }
    out
}

fn flag(args: Args<'_>) -> bool {
    args.get(0).is_none_or(Value::truthy)
}

fn methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let names = if flag(args) {
        let class = ec.class_of(this);
        method_names(ec, class, Which::Visible, true)
    } else {
        singleton_names(ec, this, false)
    };
    symbol_array(ec, &names)
}

fn singleton_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let names = singleton_names(ec, this, flag(args));
    symbol_array(ec, &names)
}

/// With a false argument: the methods of the singleton class, and of the first class behind it.
fn listed(ec: &mut Ec, this: Value, args: Args<'_>, visibility: Visibility) -> Res {
    let class = ec.class_of(this);
    let which = Which::Only(visibility);
    let names = if flag(args) {
        method_names(ec, class, which, true)
    } else {
        let (mut seen, mut out) = (HashSet::new(), Vec::new());
        for link in class.chain() {
            collect(ec.lookup_table(link), which, &mut seen, &mut out);
            if !link.is_singleton() && !link.is_include() && link.origin().is_none() || link.is_origin() {
                break;
            }
        }
        out
    };
    symbol_array(ec, &names)
}

fn public_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    listed(ec, this, args, Visibility::Public)
}

fn private_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    listed(ec, this, args, Visibility::Private)
}

fn protected_methods(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    listed(ec, this, args, Visibility::Protected)
}

fn method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    method_object::of_receiver(ec, this, args[0], false)
}

fn public_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    method_object::of_receiver(ec, this, args[0], true)
}

fn singleton_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let single = ec.class_of(this);
    if single.is_singleton() && single.module() == this {
        // The singleton class and the modules mixed into it, as far as the object's class.
        for class in single.chain() {
            if !class.is_singleton() && !class.is_include() {
                break;
            }
            if let Some(found) = ec.own_method(class, name)
                && !matches!(found.body(), Body::Undefined | Body::ZSuper)
            {
                return method_object::new(ec, this, found, single);
            }
        }
    }
    let shown = ec.inspect_for_error(this)?;
    let message = [b"undefined singleton method '", name.bytes(), b"' for ", &shown].concat();
    Err(ec.name_error(asterism_vm::Exc::NameError, message, this, name))
}

fn define_singleton_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    if !this.is_heap() || matches!(this.heap_type(), Some(Type::Float | Type::BigInt | Type::Rational | Type::Complex))
    {
        return Err(ec.type_error("can't define singleton"));
    }
    ec.check_frozen(this)?;
    let single = ec.singleton_class(this)?;
    crate::module::define_from(ec, single, name, args.get(1), args.block(), Visibility::Public)?;
    crate::module::hook::hook(ec, this, sym::singleton_method_added, &[Value::sym(name)])?;
    Ok(Value::sym(name))
}
