//! Instance variables by name, and `inspect`, which shows them.

use asterism_object::{Sym, Value, array, ivars, string};
use asterism_symbol::{BINARY, UTF_8, intern};
use asterism_vm::native::Intrinsic;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use crate::symbol::{is_identifier, symbol_array};
use asterism_vm::recursion::{self, Tag};

pub static KERNEL: &[NativeDef] = &[
    NativeDef::new("instance_variable_get", get, 1, 1).intrinsic(Intrinsic::IvarGet),
    NativeDef::new("instance_variable_set", set, 2, 2),
    NativeDef::new("instance_variable_defined?", defined, 1, 1),
    NativeDef::new("remove_instance_variable", remove, 1, 1),
    NativeDef::new("instance_variables", list, 0, 0).leaf(),
    NativeDef::new("instance_variables_to_inspect", all_to_inspect, 0, 0).leaf().private(),
];

/// The name of an instance variable.
///
/// # Errors
/// NameError if it cannot be one; TypeError if it is no name at all.
pub fn ivar_name(ec: &mut Ec, this: Value, name: Value) -> Res<Sym> {
    let name = ec.to_sym(name)?;
    match name.bytes() {
        [b'@', rest @ ..] if is_identifier(rest) => Ok(name),
        _ => {
            let message = format!("'{}' is not allowed as an instance variable name", name.text());
            Err(ec.name_error(Exc::NameError, message, this, name))
        }
    }
}

/// As `ivar_name`, for a question: `None` if nothing has that name.
fn known_ivar_name(ec: &mut Ec, this: Value, name: Value) -> Res<Option<Sym>> {
    let name = ec.to_name(name)?;
    let could_be = |bytes: &[u8], _| matches!(bytes, [b'@', rest @ ..] if is_identifier(rest));
    if ec.known_sym(name)?.is_none() {
        let is_name = match name.as_symbol() {
            Some(symbol) => symbol.with_name(could_be),
            None => {
                let text = ec.to_str(name)?;
                string::with_bytes(ec, text, could_be)
            }
        };
        if is_name {
            return Ok(None);
        }
    }
    ivar_name(ec, this, name).map(Some)
}

fn get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(name) = known_ivar_name(ec, this, args[0])? else { return Ok(Value::NIL) };
    let value = ivars::get(ec, this, name);
    ec.check_ivar(this, name, value)?;
    Ok(value.unwrap_or(Value::NIL))
}

fn set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ivar_name(ec, this, args[0])?;
    ec.check_frozen(this)?;
    ec.ivar_put(this, name, args[1])?;
    Ok(args[1])
}

fn defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(name) = known_ivar_name(ec, this, args[0])? else { return Ok(Value::FALSE) };
    Ok(Value::bool(ivars::defined(ec, this, name)))
}

fn remove(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ivar_name(ec, this, args[0])?;
    ec.check_ivar_removal(this, name)?;
    let removed = ivars::remove(ec, this, name);
    match ec.check(this, removed)? {
        Some(v) => Ok(v),
        None => {
            let shown = ec.inspect_for_error(this)?;
            let message = [b"instance variable ", name.bytes(), b" not defined for ", &shown].concat();
            Err(ec.name_error(Exc::NameError, message, this, name))
        }
    }
}

/// The variables a program sees: those of the implementation's own have no `@`.
fn visible(ec: &mut Ec, this: Value) -> Vec<Sym> {
    let mut names = ivars::names(ec, this);
    names.retain(|n| n.bytes().first() == Some(&b'@'));
    names
}

fn list(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let names = visible(ec, this);
    symbol_array(ec, &names)
}

/// The text that shows an object without what it holds: binary, as in CRuby, unless the class has a name that is not ASCII.
pub(super) fn plain(ec: &mut Ec, text: &str) -> Res {
    ec.str_enc(text.as_bytes(), if text.is_ascii() { BINARY } else { UTF_8 })
}

/// `Kernel#inspect`
pub fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let chosen = chosen_variables(ec, this)?;
    let names = match chosen {
        Some(names) => names,
        None => visible(ec, this),
    };
    let plain = ec.any_to_s(this);
    if names.is_empty() {
        return self::plain(ec, &plain);
    }
    let head = plain.strip_suffix('>').unwrap_or(&plain).to_string();
    let shown = recursion::guard(ec, Tag::Inspect, this, |ec| {
        let out = self::plain(ec, &head)?;
        let mut first = true;
        for name in names {
            let Some(v) = ivars::get(ec, this, name) else {
                continue;
            };
            let lead = format!("{}{}=", if first { " " } else { ", " }, name.text());
            first = false;
            let lead = ec.str(lead)?;
            ec.str_append(out, lead)?;
            let shown = ec.inspect(v)?;
            ec.str_append(out, shown)?;
        }
        let done = string::append(ec, out, b">");
        ec.check(out, done)?;
        Ok(out)
    })?;
    match shown {
        Some(text) => Ok(text),
        None => self::plain(ec, &format!("{head} ...>")),
    }
}

/// `Kernel#instance_variables_to_inspect`: all of them.
fn all_to_inspect(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::NIL)
}

/// What the object's own `instance_variables_to_inspect` names, if it has one.
fn chosen_variables(ec: &mut Ec, this: Value) -> Res<Option<Vec<Sym>>> {
    let name = intern("instance_variables_to_inspect");
    let class = ec.class_of(this);
    let Some(found) = ec.find_method(class, name).1 else {
        return Ok(None);
    };
    if found.method.is_native_of_core() {
        return Ok(None);
    }
    let list = ec.call(this, name, &[])?;
    if list.is_nil() {
        return Ok(None);
    }
    if !list.is_type(asterism_object::types::Type::Array) {
        let got = ec.class_name_of(list);
        return Err(ec.type_error(format!(
            "Expected #instance_variables_to_inspect to return an Array or nil, but it returned {got}"
        )));
    }
    let all = visible(ec, this);
    let mut chosen = Vec::new();
    for i in 0..array::len(list) {
        if let Some(name) = array::at(list, i).and_then(Value::as_sym)
            && all.contains(&name)
        {
            chosen.push(name);
        }
    }
    Ok(Some(chosen))
}
