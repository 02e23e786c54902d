//! `attr_accessor` and its kin; class variables by name.

use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::{Sym, Value, symbol_table};
use asterism_symbol::intern;
use asterism_vm::method::{Body, Method};
use asterism_vm::redefined::warn_redefined;
use asterism_vm::{ANY, Args, Arguments, Ec, Exc, NativeDef, Res};

use super::check::this_module;
use super::visibility::default_visibility;
use crate::symbol::symbol_array;

pub static MODULE: &[NativeDef] = &[
    NativeDef::new("attr", attr, 0, ANY),
    NativeDef::new("attr_reader", attr_reader, 0, ANY),
    NativeDef::new("attr_writer", attr_writer, 0, ANY),
    NativeDef::new("attr_accessor", attr_accessor, 0, ANY),
    NativeDef::new("class_variable_get", cvar_get, 1, 1),
    NativeDef::new("class_variable_set", cvar_set, 2, 2),
    NativeDef::new("class_variable_defined?", cvar_defined, 1, 1),
    NativeDef::new("class_variables", class_variables, 0, 1),
    NativeDef::new("remove_class_variable", remove_class_variable, 1, 1),
];

/// Where attributes are being defined, `[file, line]`, which lies in such a method in the place of its lexical nesting; nil for
/// those of the library.
fn place(ec: &mut Ec) -> Res {
    if ec.vm().booting.load(Ordering::Relaxed) {
        return Ok(Value::NIL);
    }
    match ec.caller_location() {
        Some((file, _)) if file.starts_with("<internal:") => Ok(Value::NIL),
        Some((file, line)) => {
            let file = ec.str(file.as_bytes())?;
            ec.array(&[file, Value::fixnum(i64::from(line))])
        }
        None => Ok(Value::NIL),
    }
}

fn define(ec: &mut Ec, this: Value, args: Args<'_>, reader: bool, writer: bool) -> Res {
    let class = this_module(this);
    ec.check_class_frozen(class)?;
    let (visibility, _) = default_visibility(ec, class);
    let place = place(ec)?;
    let mut made: Vec<Sym> = Vec::new();
    for v in args.slice() {
        let name = ec.to_sym(*v)?;
        if !crate::symbol::is_identifier(name.bytes()) {
            let message = format!("invalid attribute name '{}'", name.text());
            return Err(ec.name_error(Exc::NameError, message, this, name));
        }
        let text = name.text();
        let ivar = intern(&format!("@{text}"));
        if reader {
            let method = Method::new(ec, this, name, visibility, Body::AttrReader(ivar), place)?;
            warn_redefined(ec, class, name, method)?;
            ec.add_method(class, name, method)?;
            ec.method_added(class, name)?;
            made.push(name);
        }
        if writer {
            let name = intern(&format!("{text}="));
            let method = Method::new(ec, this, name, visibility, Body::AttrWriter(ivar), place)?;
            warn_redefined(ec, class, name, method)?;
            ec.add_method(class, name, method)?;
            ec.method_added(class, name)?;
            made.push(name);
        }
    }
    symbol_array(ec, &made)
}

fn attr(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.len() == 2 && matches!(args[1], Value::TRUE | Value::FALSE) {
        asterism_vm::load::warn(ec, "optional boolean argument is obsoleted")?;
        let name = [args[0]];
        return define(ec, this, &Arguments::new(&name), true, args[1].truthy());
    }
    define(ec, this, args, true, false)
}

fn attr_reader(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    define(ec, this, args, true, false)
}

fn attr_writer(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    define(ec, this, args, false, true)
}

fn attr_accessor(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    define(ec, this, args, true, true)
}

fn cvar_name(ec: &mut Ec, this: Value, name: Value) -> Res<Sym> {
    let name = ec.to_sym(name)?;
    match name.bytes() {
        [b'@', b'@', rest @ ..] if crate::symbol::is_identifier(rest) => Ok(name),
        _ => {
            let message = format!("'{}' is not allowed as a class variable name", name.text());
            Err(ec.name_error(Exc::NameError, message, this, name))
        }
    }
}

fn cvar_get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = cvar_name(ec, this, args[0])?;
    ec.cvar_get(this_module(this), name)
}

fn cvar_set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = cvar_name(ec, this, args[0])?;
    ec.check_frozen(this)?;
    ec.cvar_set(this_module(this), name, args[1])?;
    Ok(args[1])
}

fn cvar_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = cvar_name(ec, this, args[0])?;
    Ok(Value::bool(ec.cvar_owner(this_module(this), name).is_some()))
}

fn class_variables(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut names: Vec<Sym> = Vec::new();
    let class = this_module(this);
    let mut collect = |c: Class| {
        symbol_table::for_each(c.cvars(), |name, _| {
            if !names.contains(&name) {
                names.push(name);
            }
        });
    };
    if args.get(0).is_none_or(Value::truthy) {
        // A class's singleton class sees that class's variables in the place of its own ancestors'.
        let attached = if class.is_singleton() { Class::from_value(class.module()) } else { None };
        collect(class);
        for link in attached.unwrap_or(class).chain() {
            collect(link.delegate());
        }
    } else {
        collect(class);
    }
    symbol_array(ec, &names)
}

fn remove_class_variable(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = cvar_name(ec, this, args[0])?;
    let class = this_module(this);
    ec.check_new_cvar(class, name)?;
    let removed =
        ec.with_class_lock(|_| if class.cvars().is_heap() { symbol_table::remove(class.cvars(), name) } else { None });
    match removed {
        Some(v) => Ok(v),
        None => {
            let shown = ec.class_name(class);
            let inherited = ec.cvar_owner(class, name).is_some();
            let (before, after) =
                if inherited { ("cannot remove", "for") } else { ("class variable", "not defined for") };
            let message = format!("{before} {} {after} {shown}", name.text());
            Err(ec.name_error(Exc::NameError, message, this, name))
        }
    }
}
