//! What modules are called.

use asterism_object::class::{Class, REFINEMENT};
use asterism_object::{Value, string, symbol_table};
use asterism_vm::{Args, Ec, Exc, Res};

use super::check::this_module;
use super::constants::is_constant_name;

pub(super) fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = this_module(this);
    let given = class.name();
    if given.is_nil() || class.is_singleton() {
        return Ok(Value::NIL);
    }
    if class.flags() & REFINEMENT == 0 {
        match given.as_sym() {
            Some(name) => return crate::string::dedup::name_of(ec, name),
            None => return Ok(given),
        }
    }
    let text = ec.class_name(class);
    let made = string::frozen(ec, text.as_bytes(), encoding_of_name(&text));
    ec.check(Value::NIL, made)
}

/// As that of the constant's Symbol.
fn encoding_of_name(text: &str) -> u8 {
    if text.is_ascii() { asterism_symbol::US_ASCII } else { asterism_symbol::UTF_8 }
}

pub(super) fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = this_module(this).delegate();
    if let Some(name) = class.name().as_sym().filter(|name| name.bytes().is_ascii())
        && class.flags() & REFINEMENT == 0
    {
        return ec.str_enc(name.bytes(), asterism_symbol::US_ASCII);
    }
    let text = ec.class_name(this_module(this));
    ec.str_enc(text.as_bytes(), encoding_of_name(&text))
}

pub(super) fn set_temporary_name(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = this_module(this);
    if class.parent().is_heap() {
        return Err(ec.raise(Exc::RuntimeError, "can't change permanent name"));
    }
    if args[0].is_nil() {
        rename(ec, class, None)?;
        return Ok(this);
    }
    let text = ec.to_str(args[0])?;
    let bytes = string::to_vec(ec, text);
    if bytes.is_empty() {
        return Err(ec.arg_error("empty class/module name"));
    }
    if is_constant_path(&bytes) {
        return Err(ec.arg_error("the temporary name must not be a constant path to avoid confusion"));
    }
    rename(ec, class, Some((&bytes, string::encoding(text))))?;
    Ok(this)
}

/// Whether that is one constant's name, or several with `::` between them, perhaps at the beginning.
fn is_constant_path(path: &[u8]) -> bool {
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.strip_prefix(b"::").unwrap_or(rest);
        let end = rest.iter().position(|&b| b == b':').unwrap_or(rest.len());
        if !is_constant_name(&rest[..end]) {
            return false;
        }
        rest = &rest[end..];
    }
    true
}

/// Gives a module without a lasting name this one, in this encoding, or none; those that are its constants and have no lasting name
/// either are named after it.
fn rename(ec: &mut Ec, class: Class, name: Option<(&[u8], u8)>) -> Res<()> {
    let mut todo = vec![(class, name.map(|(bytes, encoding)| (bytes.to_vec(), encoding)))];
    let mut seen = Vec::new();
    while let Some((class, name)) = todo.pop() {
        if seen.contains(&class.0) {
            continue;
        }
        seen.push(class.0);
        let given = match &name {
            Some((bytes, encoding)) => {
                let made = string::frozen(ec, bytes, *encoding);
                ec.check(Value::NIL, made)?
            }
            None => Value::NIL,
        };
        class.set_name(given);
        let Some(table) = ec.constants(class) else { return Err(ec.no_memory()) };
        symbol_table::for_each(table, |constant, value| {
            let hidden = constant.bytes().first() == Some(&0);
            if let Some(inner) = Class::from_value(value).filter(|c| !hidden && !c.parent().is_heap()) {
                let path =
                    name.as_ref().map(|(bytes, encoding)| ([bytes, &b"::"[..], constant.bytes()].concat(), *encoding));
                todo.push((inner, path));
            }
        });
    }
    Ok(())
}
