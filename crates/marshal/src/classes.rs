//! Classes and modules by their names, for dumping and loading.

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_vm::{Ec, Raised, Res};

/// The name under which a class or module is dumped.
///
/// # Errors
/// TypeError if it is anonymous; ArgumentError if the name means something else.
pub(super) fn path_of(ec: &mut Ec, class: Class) -> Res<Vec<u8>> {
    let kind = if class.is_module() { "module" } else { "class" };
    // Not through the method `name`, which a class may define for itself.
    let path = if class.name().is_nil() { Vec::new() } else { ec.class_name(class).into_bytes() };
    if path.is_empty() || path.starts_with(b"#<") {
        let name = ec.class_name(class);
        return Err(ec.type_error(format!("can't dump anonymous {kind} {name}")));
    }
    let found = look_up(ec, &path)?;
    if found != Ok(class.0) {
        let message = [&path[..], b" can't be referred to"].concat();
        return Err(ec.arg_error(message));
    }
    Ok(path)
}

/// The constant of a path, or the part of the path that is not defined.
///
/// # Errors
/// TypeError if a part before the last is no class or module.
pub fn look_up(ec: &mut Ec, path: &[u8]) -> Res<Result<Value, usize>> {
    let mut scope = ec.known(WellKnown::Object);
    let mut start = 0;
    let mut first = true;
    loop {
        let rest = &path[start..];
        let length = rest.windows(2).position(|w| w == b"::").unwrap_or(rest.len());
        let end = start + length;
        let after = if end < path.len() { end + 2 } else { end };
        let part = &path[start..end];
        if !part.first().is_some_and(|b| b.is_ascii_uppercase() || *b >= 0x80) {
            return Ok(Err(after));
        }
        let name = ec.str(part)?;
        let name = ec.to_sym(name)?;
        let Some(found) = ec.constant_in(scope, name, first)? else {
            return Ok(Err(after));
        };
        first = false;
        if end == path.len() {
            return Ok(Ok(found));
        }
        scope = match Class::from_value(found) {
            Some(c) => c,
            None => {
                let message = [&path[..end], b" does not refer to class/module"].concat();
                return Err(ec.type_error(message));
            }
        };
        start = after;
    }
}

/// The error for a path of which `length` bytes name what is not there.
pub fn undefined(ec: &mut Ec, path: &[u8], length: usize) -> Raised {
    ec.arg_error([b"undefined class/module ", &path[..length]].concat())
}

/// The class or module of a path.
///
/// # Errors
/// ArgumentError if there is none.
pub(super) fn any(ec: &mut Ec, path: &[u8]) -> Res<Class> {
    match look_up(ec, path)? {
        Ok(v) => match Class::from_value(v) {
            Some(class) => Ok(class),
            None => Err(ec.type_error([path, b" does not refer to class/module"].concat())),
        },
        Err(length) => Err(undefined(ec, path, length)),
    }
}

/// The class of a path.
///
/// # Errors
/// ArgumentError if there is none.
pub(super) fn class(ec: &mut Ec, path: &[u8]) -> Res<Class> {
    let found = any(ec, path)?;
    if found.is_class() {
        return Ok(found);
    }
    Err(ec.arg_error([path, b" does not refer to class"].concat()))
}

/// The module of a path.
///
/// # Errors
/// ArgumentError if there is none.
pub(super) fn module(ec: &mut Ec, path: &[u8]) -> Res<Class> {
    let found = any(ec, path)?;
    if found.is_module() {
        return Ok(found);
    }
    Err(ec.arg_error([path, b" does not refer to module"].concat()))
}
