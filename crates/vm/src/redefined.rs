//! Warnings of methods that take the place of others, under `-w`.

use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Sym, symbol_table};

use crate::ec::{Ec, Res};
use crate::load::{warn, warn_at};
use crate::method::{Body, Method};

/// Tells that `method` is about to take the place of another one, or that of one which other methods of the core call.
///
/// # Errors
/// As [`warn_at`].
pub fn warn_redefined(ec: &mut Ec, class: Class, name: Sym, method: Method) -> Res<()> {
    if is_internal(method) {
        return Ok(());
    }
    warn_replaced(ec, class, name)?;
    warn_endless(ec, class, name)?;
    if matches!(&*name.text(), "object_id" | "__id__" | "__send__") && ec.find_method(class, name).1.is_some() {
        warn_serious(ec, "redefining", name)?;
    }
    Ok(())
}

/// Tells of methods of Object that calls of others lead to.
///
/// # Errors
/// As [`warn_at`].
pub(crate) fn warn_endless(ec: &mut Ec, class: Class, name: Sym) -> Res<()> {
    if class != ec.known(WellKnown::Object) {
        return Ok(());
    }
    let text = name.text();
    if matches!(&*text, "initialize" | "respond_to_missing?" | "method_missing" | "respond_to?") {
        warn(ec, &format!("redefining Object#{text} may cause infinite loop"))?;
    }
    Ok(())
}

/// Tells of a method of the class itself that is lost. Nothing is, and so nothing told, where it has another name too.
///
/// # Errors
/// As [`warn_at`].
fn warn_replaced(ec: &mut Ec, class: Class, name: Sym) -> Res<()> {
    if ec.vm().verbose.load(Ordering::Relaxed) < 2 {
        return Ok(());
    }
    let Some(old) = ec.own_method(class, name).filter(|old| is_replaced(class, *old)) else { return Ok(()) };
    warn(ec, &format!("method redefined; discarding old {}", name.text()))?;
    match location(old) {
        Some((file, line, _)) => warn_at(ec, &file, line, &format!("previous definition of {} was here", name.text())),
        None => Ok(()),
    }
}

/// Is it a definition, with one name only? What the library has in Ruby may be meant to be replaced, as `pp` is by the library of
/// that name.
fn is_replaced(class: Class, old: Method) -> bool {
    let is_none = matches!(old.body(), Body::Undefined | Body::ZSuper);
    // Two of the core's are made to be replaced.
    let is_hook = old.is_core() && matches!(&*old.name().text(), "method_missing" | "respond_to_missing?");
    if is_none
        || is_hook
        || old.is_own_alias()
        || old.name() != old.original_name()
        || location(old).is_some_and(|(_, _, internal)| internal)
    {
        return false;
    }
    let mut others = 0;
    if class.methods().bits() != 0 {
        symbol_table::for_each(class.methods(), |_, other| {
            others += usize::from(other != old.0 && same_body(Method(other).body(), old.body()));
        });
    }
    others == 0
}

/// Is it the same definition under another name?
pub(crate) fn same_body(a: Body, b: Body) -> bool {
    match (a, b) {
        (Body::Ruby(a), Body::Ruby(b)) => std::ptr::eq(a, b),
        (Body::Unread(a, i), Body::Unread(b, j)) => std::ptr::eq(a, b) && i == j,
        (Body::Block(a), Body::Block(b)) => a == b,
        (Body::Native(a), Body::Native(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}

/// The file and line where its code begins, if it has any, and whether that is the library's own.
fn location(method: Method) -> Option<(String, i32, bool)> {
    let code = method.code()?;
    Some((code.file.to_string(), code.line as i32, code.internal))
}

/// Is it a method of the library's own code?
fn is_internal(method: Method) -> bool {
    method.is_core() || location(method).is_some_and(|(_, _, internal)| internal)
}

/// Tells that what is done to a method may break what relies on it; `done`: `redefining` and the like.
///
/// # Errors
/// As [`warn_at`].
pub fn warn_serious(ec: &mut Ec, done: &str, name: Sym) -> Res<()> {
    let text = name.text();
    let is_known =
        matches!(&*text, "object_id" | "__id__" | "__send__") || text == "initialize" && done != "redefining";
    if is_known { warn(ec, &format!("{done} '{text}' may cause serious problems")) } else { Ok(()) }
}
