//! Constants by name.

use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, string, symbol_table};
use asterism_symbol::sym;
use asterism_vm::consts::is_autoload;
use asterism_vm::{ANY, Args, Arguments, Ec, Exc, NativeDef, Raised, Res};

use super::check::this_module;
use super::hook::hook;
use crate::symbol::symbol_array;

pub static MODULE: &[NativeDef] = &[
    NativeDef::new("const_get", const_get, 1, 2),
    NativeDef::new("const_set", const_set, 2, 2),
    NativeDef::new("const_defined?", const_defined, 1, 2),
    NativeDef::new("constants", constants, 0, 1),
    NativeDef::new("const_missing", const_missing, 1, 1),
    NativeDef::new("remove_const", remove_const, 1, 1).private(),
    NativeDef::new("const_source_location", const_source_location, 1, 2),
    NativeDef::new("private_constant", private_constant, 0, ANY),
    NativeDef::new("public_constant", public_constant, 0, ANY),
    NativeDef::new("deprecate_constant", deprecate_constant, 0, ANY),
];

/// Whether a constant may have that name.
pub(super) fn is_constant_name(name: &[u8]) -> bool {
    let upper = match std::str::from_utf8(name) {
        Ok(text) => text
            .chars()
            .next()
            .is_some_and(|c| c.is_uppercase() || !c.is_lowercase() && c.to_lowercase().next() != Some(c)),
        Err(_) => name.first().is_some_and(u8::is_ascii_uppercase),
    };
    upper && crate::symbol::is_identifier(name)
}

fn wrong_name(ec: &mut Ec, this: Value, name: &[u8]) -> Raised {
    let text = String::from_utf8_lossy(name).into_owned();
    let Some(symbol) = asterism_symbol::try_intern(name, asterism_symbol::UTF_8) else {
        return ec.raise(Exc::RuntimeError, "symbol table overflow");
    };
    ec.name_error(Exc::NameError, format!("wrong constant name {text}"), this, symbol)
}

fn constant_name(ec: &mut Ec, this: Value, name: Value) -> Res<Sym> {
    let name = ec.to_sym(name)?;
    if is_constant_name(name.bytes()) {
        return Ok(name);
    }
    Err(wrong_name(ec, this, name.bytes()))
}

/// The parts of `A::B::C`, checked; a leading `::` gives an empty first part.
fn path(ec: &mut Ec, this: Value, name: Value) -> Res<Vec<Sym>> {
    if name.as_sym().is_some() {
        return Ok(vec![constant_name(ec, this, name)?]);
    }
    let text = match ec.check_string(name)? {
        Some(s) => {
            if string::coderange(ec, s) == CodeRange::Broken {
                let shown = ec.inspect_for_error(s)?;
                let encoding = crate::string::util::encoding(s).name();
                let message = [format!("invalid symbol in encoding {encoding} :").as_bytes(), &shown[..]].concat();
                return Err(ec.raise(Exc::EncodingError, message));
            }
            string::to_vec(ec, s)
        }
        None => return Ok(vec![constant_name(ec, this, name)?]),
    };
    let mut parts = Vec::new();
    let mut rest: &[u8] = &text;
    if let Some(tail) = rest.strip_prefix(b"::") {
        parts.push(sym::EMPTY);
        rest = tail;
    }
    loop {
        let at = rest.windows(2).position(|w| w == b"::");
        let part = &rest[..at.unwrap_or(rest.len())];
        if !is_constant_name(part) {
            // Where nothing stands between two `::` the whole name is told.
            return Err(wrong_name(ec, this, if part.is_empty() { &text } else { part }));
        }
        match asterism_symbol::try_intern(part, asterism_symbol::UTF_8) {
            Some(s) => parts.push(s),
            None => return Err(ec.raise(Exc::RuntimeError, "symbol table overflow")),
        }
        match at {
            Some(at) => rest = &rest[at + 2..],
            None => return Ok(parts),
        }
    }
}

fn lookup(ec: &mut Ec, class: Class, name: Sym, inherit: bool) -> Res<Option<Value>> {
    if inherit {
        return ec.constant_in(class, name, true);
    }
    match ec.own_constant(class, name) {
        Some(v) if is_autoload(v) => (ec.vm().hooks.autoload)(ec, class, name),
        found => Ok(found),
    }
}

/// What stands in front of a `::` is no class.
fn no_scope(ec: &mut Ec, value: Value) -> Raised {
    match ec.inspect_for_error(value) {
        Ok(shown) => ec.type_error([&shown[..], b" does not refer to class/module"].concat()),
        Err(raised) => raised,
    }
}

fn const_get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let inherit = args.get(1).is_none_or(Value::truthy);
    let parts = path(ec, this, args[0])?;
    let mut value = this;
    for (i, &name) in parts.iter().enumerate() {
        if name == sym::EMPTY {
            value = ec.class(WellKnown::Object);
            continue;
        }
        let Some(scope) = Class::from_value(value) else {
            return Err(no_scope(ec, value));
        };
        // Behind a `::` Object's constants do not count.
        let found = if i > 0 && inherit && scope.0 != ec.class(WellKnown::Object) {
            scoped(ec, scope, name)?
        } else {
            lookup(ec, scope, name, inherit)?
        };
        value = match found {
            Some(v) => v,
            None => ec.constant_missing(scope, name)?,
        };
    }
    Ok(value)
}

fn scoped(ec: &mut Ec, scope: Class, name: Sym) -> Res<Option<Value>> {
    let object = ec.known(WellKnown::Object);
    for link in scope.chain() {
        let part = link.delegate();
        if part == object {
            break;
        }
        if let Some(v) = lookup(ec, part, name, false)? {
            return Ok(Some(v));
        }
    }
    Ok(None)
}

/// Does a part of `A::B::C` have a name that nothing has, and those in front of it could be names of constants?
fn names_nothing(ec: &mut Ec, name: Value) -> Res<bool> {
    let look = |bytes: &[u8], encoding: u8| {
        let bytes = bytes.strip_prefix(b"::").unwrap_or(bytes);
        let text = bytes.utf8_chunks().map(|chunk| chunk.valid()).collect::<String>();
        if text.len() != bytes.len() {
            return false;
        }
        for part in text.split("::") {
            if !is_constant_name(part.as_bytes()) {
                return false;
            }
            if asterism_symbol::lookup(part.as_bytes(), encoding).is_none() {
                return true;
            }
        }
        false
    };
    if let Some(symbol) = name.as_symbol() {
        return Ok(symbol.with_name(look));
    }
    Ok(match ec.check_string(name)? {
        Some(text) => string::with_bytes(ec, text, look),
        None => false,
    })
}

/// What `const_defined?` says of a path with a part that nothing has as its name: what is in front of that has to be a module.
fn nothing_in(ec: &mut Ec, this: Value, name: Value, inherit: bool) -> Res {
    let Some(text) = ec.check_string(name)?.map(|text| string::to_vec(ec, text)) else { return Ok(Value::FALSE) };
    let Some(at) = text.windows(2).rposition(|w| w == b"::").filter(|&at| at > 0) else { return Ok(Value::FALSE) };
    let scope = ec.str(&text[..at])?;
    let args = [scope, Value::bool(inherit)];
    if const_defined(ec, this, &Arguments::new(&args))?.truthy() {
        let value = const_get(ec, this, &Arguments::new(&args))?;
        if Class::from_value(value).is_none() {
            return Err(no_scope(ec, value));
        }
    }
    Ok(Value::FALSE)
}

fn const_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.to_name(args[0])?;
    let inherit = args.get(1).is_none_or(Value::truthy);
    if names_nothing(ec, name)? {
        return nothing_in(ec, this, name, inherit);
    }
    let parts = path(ec, this, name)?;
    let mut value = this;
    let last = parts.len().saturating_sub(1);
    for (i, &name) in parts.iter().enumerate() {
        if name == sym::EMPTY {
            value = ec.class(WellKnown::Object);
            continue;
        }
        let Some(scope) = Class::from_value(value) else {
            return Err(no_scope(ec, value));
        };
        if i == last {
            let object = ec.known(WellKnown::Object);
            let found = match inherit {
                false => ec.constant_exists_here(scope, name)?,
                // `Foo::Bar` does not find Object's own constants, unless Foo is Object.
                true if i > 0 && scope != object => ec.constant_exists_below(scope, name)?,
                true => ec.constant_exists(scope, name, true)?,
            };
            return Ok(Value::bool(found));
        }
        // Behind a `::` Object's constants count in Object alone.
        let found = if i > 0 && scope.0 != ec.class(WellKnown::Object) {
            scoped(ec, scope, name)?
        } else {
            lookup(ec, scope, name, inherit)?
        };
        match found {
            Some(v) => value = v,
            None => return Ok(Value::FALSE),
        }
    }
    Ok(Value::TRUE)
}

fn const_set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = constant_name(ec, this, args[0])?;
    let class = this_module(this);
    ec.check_frozen(this)?;
    if let Some(old) = ec.own_constant(class, name)
        && !is_autoload(old)
    {
        let full = full_name(ec, class, name)?;
        asterism_vm::load::warn(ec, &format!("already initialized constant {full}"))?;
    }
    ec.set_constant(class, name, args[1])?;
    hook(ec, this, sym::const_added, &[Value::sym(name)])?;
    Ok(args[1])
}

fn full_name(ec: &mut Ec, class: Class, name: Sym) -> Res<String> {
    if class.0 == ec.class(WellKnown::Object) {
        return Ok(name.text().into_owned());
    }
    let shown = ec.to_s(class.0)?;
    Ok(format!("{}::{}", string::to_string_lossy(ec, shown), name.text()))
}

fn own_names(ec: &mut Ec, class: Class, names: &mut Vec<Sym>) {
    let mut own = Vec::new();
    let table = ec.constants(class).unwrap_or(Value::NULL);
    symbol_table::for_each(table, |name, _| own.push(name));
    for name in own {
        // Marks of private constants lie in the same table under names no program can write.
        let hidden = name.bytes().first() == Some(&0) || ec.is_private_constant(class, name);
        if !hidden && !names.contains(&name) {
            names.push(name);
        }
    }
}

fn constants(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    let mut names = Vec::new();
    let object = ec.known(WellKnown::Object);
    if args.is_empty() && class == ec.known(WellKnown::Module) {
        // Of Module itself: what can be named here.
        let mut at = Some(ec.cref());
        let inner = ec.cref().class();
        while let Some(cref) = at {
            at = cref.outer();
            own_names(ec, cref.class(), &mut names);
        }
        for link in inner.chain() {
            own_names(ec, link.delegate(), &mut names);
        }
        own_names(ec, object, &mut names);
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(*name));
        return symbol_array(ec, &names);
    }
    if args.get(0).is_none_or(Value::truthy) {
        for link in class.chain() {
            let part = link.delegate();
            if part == object && class != object {
                break;
            }
            own_names(ec, part, &mut names);
        }
    } else {
        own_names(ec, class, &mut names);
    }
    symbol_array(ec, &names)
}

fn const_missing(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let class = this_module(this);
    let full = if class.0 == ec.class(WellKnown::Object) {
        name.text().into_owned()
    } else {
        format!("{}::{}", shown_name(ec, class)?, name.text())
    };
    // The error belongs to the place that names the constant.
    // SAFETY: a native frame's caller is active as long as the native runs.
    unsafe {
        let caller = (*ec.fiber.frame).prev;
        if !caller.is_null() {
            ec.fiber.frame = caller;
        }
    }
    Err(ec.name_error(Exc::NameError, format!("uninitialized constant {full}"), this, name))
}

/// A class or module in a message: a program may have replaced its `name` or `inspect`.
fn shown_name(ec: &mut Ec, class: Class) -> Res<String> {
    for method in [sym::name, sym::inspect] {
        let singleton = ec.class_of(class.0);
        let replaced = ec.find_method(singleton, method).1.is_some_and(|f| !f.method.is_native_of_core());
        if replaced {
            let text = ec.call(class.0, method, &[])?;
            if text.is_type(Type::String) {
                return Ok(string::to_string_lossy(ec, text));
            }
        } else if !class.name().is_nil() {
            break;
        }
    }
    Ok(ec.class_name(class))
}

fn not_defined(ec: &mut Ec, class: Class, name: Sym) -> Raised {
    let full = match full_name(ec, class, name) {
        Ok(full) => full,
        Err(raised) => return raised,
    };
    ec.name_error(Exc::NameError, format!("constant {full} not defined"), class.0, name)
}

fn remove_const(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = constant_name(ec, this, args[0])?;
    let class = this_module(this);
    ec.check_frozen(this)?;
    // Perhaps it is made only now.
    ec.own_constant(class, name);
    let removed = ec.with_class_lock(|ec| {
        let removed = if class.constants().is_heap() { symbol_table::remove(class.constants(), name) } else { None };
        if removed.is_some_and(is_autoload) {
            ec.forget_promise(class, name);
        }
        ec.vm().const_serial.fetch_add(1, Ordering::Release);
        removed
    });
    if removed.is_some() {
        ec.warn_if_deprecated(class, name)?;
    }
    match removed {
        Some(v) if is_autoload(v) => Ok(Value::NIL),
        Some(v) => Ok(v),
        None => Err(not_defined(ec, class, name)),
    }
}

/// `[file, line]`; an empty Array for a constant of the core, nil if there is none.
fn const_source_location(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let inherit = args.get(1).is_none_or(Value::truthy);
    let parts = path(ec, this, args[0])?;
    let mut scope = this_module(this);
    let last = parts.len().saturating_sub(1);
    for (i, &name) in parts.iter().enumerate() {
        if name == sym::EMPTY {
            scope = ec.known(WellKnown::Object);
            continue;
        }
        if i < last {
            let Some(value) = lookup(ec, scope, name, inherit)? else {
                return Ok(Value::NIL);
            };
            scope = match Class::from_value(value) {
                Some(class) => class,
                None => return Err(no_scope(ec, value)),
            };
            continue;
        }
        let mut places: Vec<Class> = vec![scope];
        if inherit {
            places.extend(scope.chain().map(|c| c.delegate()));
            if scope.is_module() {
                places.push(ec.known(WellKnown::Object));
            }
        }
        for class in places {
            if ec.own_constant(class, name).is_none() {
                continue;
            }
            let place = ec.vm().const_locations.lock().get(&(class.0.bits(), name)).cloned();
            return match place {
                Some((file, line)) => {
                    let file = ec.str(file.as_bytes())?;
                    ec.array(&[file, Value::fixnum(i64::from(line))])
                }
                None => ec.array(&[]),
            };
        }
    }
    Ok(Value::NIL)
}

fn set_privacy(ec: &mut Ec, this: Value, args: Args<'_>, private: bool) -> Res {
    let class = this_module(this);
    ec.check_class_frozen(class)?;
    if args.slice().is_empty() && ec.vm().verbose.load(Ordering::Relaxed) == 2 {
        let method = if private { "private_constant" } else { "public_constant" };
        asterism_vm::load::warn(ec, &format!("{method} with no argument is just ignored"))?;
    }
    for v in args.slice() {
        let name = constant_name(ec, this, *v)?;
        if ec.own_constant(class, name).is_none() {
            return Err(not_defined(ec, class, name));
        }
        ec.set_private_constant(class, name, private)?;
    }
    Ok(Value::NIL)
}

fn private_constant(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    set_privacy(ec, this, args, true)
}

fn public_constant(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    set_privacy(ec, this, args, false)
}

/// Uses of deprecated constants warn in category `:deprecated`, which is off unless asked for; the names
/// are checked and nothing else happens.
fn deprecate_constant(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    ec.check_class_frozen(class)?;
    for v in args.slice() {
        let name = constant_name(ec, this, *v)?;
        if ec.own_constant(class, name).is_none() {
            return Err(not_defined(ec, class, name));
        }
        ec.deprecate_constant(class, name)?;
    }
    Ok(this)
}
