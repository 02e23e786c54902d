//! `autoload` and `autoload?`.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value};
use asterism_vm::consts::{AUTOLOAD, is_autoload};
use asterism_vm::{Args, Ec, Exc, Res};

use asterism_core::errno;

fn declare(ec: &mut Ec, class: Class, name: Value, file: Value) -> Res {
    let name = ec.to_sym(name)?;
    let first = name.text().chars().next();
    if !first.is_some_and(char::is_uppercase) {
        let message = format!("autoload must be constant name: {}", name.text());
        return Err(ec.name_error(Exc::NameError, message, class.0, name));
    }
    let path = errno::path_arg(ec, file)?;
    if path.is_empty() {
        return Err(ec.arg_error("empty feature name"));
    }
    match ec.own_constant(class, name) {
        Some(v) if !is_autoload(v) => return Ok(Value::NIL),
        _ => {}
    }
    let text = String::from_utf8_lossy(&path).into_owned();
    ec.vm().autoloads.lock().insert((class.0.bits(), name), text);
    ec.set_constant(class, name, AUTOLOAD)?;
    Ok(Value::NIL)
}

fn promised(ec: &mut Ec, class: Class, name: Sym, inherit: bool) -> Res {
    let chain = if inherit { Some(class.chain().map(|c| c.delegate())) } else { None };
    let own = (!inherit).then_some(class);
    for owner in own.into_iter().chain(chain.into_iter().flatten()) {
        match ec.own_constant(owner, name) {
            Some(v) if is_autoload(v) => {
                let path = ec.vm().autoloads.lock().get(&(owner.0.bits(), name)).cloned();
                return match path {
                    Some(path) => ec.str(path),
                    None => Ok(Value::NIL),
                };
            }
            Some(_) => return Ok(Value::NIL),
            None => {}
        }
    }
    Ok(Value::NIL)
}

/// Lets a constant of Object stand for a feature until it is used.
///
/// # Errors
/// NoMemoryError.
pub fn autoload_at_first_use(ec: &mut Ec, constant: &str, feature: &str) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let name = asterism_symbol::intern(constant);
    ec.vm().autoloads.lock().insert((object.0.bits(), name), feature.to_string());
    ec.set_constant(object, name, AUTOLOAD)
}

/// Does a constant of Object still stand for a feature that nothing has loaded?
pub(super) fn is_promised(ec: &mut Ec, constant: &str) -> bool {
    let object = ec.known(WellKnown::Object);
    ec.own_constant(object, asterism_symbol::intern(constant)).is_some_and(is_autoload)
}

/// `Module#autoload`
///
/// # Errors
/// NameError, TypeError, ArgumentError.
pub fn module_autoload(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    declare(ec, Class(this), args[0], args[1])
}

/// `Module#autoload?`
///
/// # Errors
/// TypeError.
pub fn module_autoload_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let inherit = args.get(1).is_none_or(|v| v.truthy());
    promised(ec, Class(this), name, inherit)
}

fn nesting_class(ec: &mut Ec) -> Class {
    let class = ec.cref().class();
    if class.is_singleton() { ec.known(WellKnown::Object) } else { class }
}

/// `Kernel#autoload`
///
/// # Errors
/// As `Module#autoload`.
pub fn kernel_autoload(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let class = nesting_class(ec);
    declare(ec, class, args[0], args[1])
}

/// `Kernel#autoload?`
///
/// # Errors
/// As `Module#autoload?`.
pub fn kernel_autoload_p(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let inherit = args.get(1).is_none_or(|v| v.truthy());
    let class = nesting_class(ec);
    promised(ec, class, name, inherit)
}
