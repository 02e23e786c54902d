//! `autoload` and `autoload?`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;
use asterism_vm::consts::is_autoload;
use asterism_vm::promises::LoadedBy;
use asterism_vm::vm::Root;
use asterism_vm::{Args, Ec, Exc, Res};

use asterism_core::errno;
use asterism_core::module::hook::hook;

use super::{Turn, take_turn};

/// What CRuby has from its start and this loads when it is first mentioned: constants of Object and the features that define them.
pub const AT_FIRST_USE: [(&str, &str); 5] = [
    ("DidYouMean", "did_you_mean"),
    ("ErrorHighlight", "error_highlight"),
    ("Gem", "rubygems"),
    ("RbConfig", "rbconfig"),
    ("Pathname", "pathname.so"),
];

/// Is this promise the core library's? To programs its constant is there.
fn is_cores(ec: &mut Ec, class: Class, name: Sym) -> bool {
    class == ec.known(WellKnown::Object)
        && AT_FIRST_USE.iter().any(|(constant, feature)| {
            name.text() == *constant && ec.promised_feature(class, name).is_some_and(|now| *now == **feature)
        })
}

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
        Some(v) if !is_autoload(v) || is_cores(ec, class, name) => return Ok(Value::NIL),
        _ => {}
    }
    ec.promise_constant(class, name, &String::from_utf8_lossy(&path))?;
    hook(ec, class.0, sym::const_added, &[Value::sym(name)])?;
    Ok(Value::NIL)
}

fn promised(ec: &mut Ec, class: Class, name: Sym, inherit: bool) -> Res {
    let chain = if inherit { Some(class.chain().map(|c| c.delegate())) } else { None };
    let own = (!inherit).then_some(class);
    for owner in own.into_iter().chain(chain.into_iter().flatten()) {
        match ec.own_constant(owner, name) {
            Some(v) if is_autoload(v) && !is_cores(ec, owner, name) => {
                let Some(feature) = ec.promised_feature(owner, name) else { return Ok(Value::NIL) };
                let due = match ec.autoloaded_by(&feature) {
                    LoadedBy::This if ec.constant_being_loaded(owner, name).is_some() => continue,
                    LoadedBy::This => false,
                    LoadedBy::Another => true,
                    LoadedBy::Nobody => super::can_load(ec, feature.as_bytes())?,
                };
                return if due { ec.str(feature.as_bytes()) } else { Ok(Value::NIL) };
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
    ec.promise_constant(object, name, feature)
}

/// Does a constant of Object still stand for a feature that nothing has loaded?
pub(super) fn is_promised(ec: &mut Ec, constant: &str) -> bool {
    let object = ec.known(WellKnown::Object);
    ec.own_constant(object, asterism_symbol::intern(constant)).is_some_and(is_autoload)
}

/// Loads what `autoload` promised for a constant; its value, if the file defines it. Others that name a constant of that file
/// wait until it has ended, and see nothing of it before, unless the loading fiber waits for them.
///
/// # Errors
/// What `require` raises; ThreadError in another fiber of the thread that loads the file.
pub fn load_constant(ec: &mut Ec, class: Class, name: Sym) -> Res<Option<Value>> {
    loop {
        match ec.own_constant(class, name) {
            Some(found) if is_autoload(found) => {}
            found => return Ok(found),
        }
        let Some(feature) = ec.promised_feature(class, name) else {
            return Ok(ec.constant_kept_promise(class, name));
        };
        if ec.autoloaded_by(&feature) == LoadedBy::This {
            return Ok(ec.constant_being_loaded(class, name));
        }
        let path = super::resolve(ec, feature.as_bytes())?;
        if super::is_loaded(ec, &path)? && ec.autoloaded_by(&feature) == LoadedBy::Nobody
            || super::is_loaded_here(ec, &path)
        {
            // By a `require`: what the file is to define it has defined, or is about to.
            return Ok(ec.own_constant(class, name).filter(|found| !is_autoload(*found)));
        }
        let key = [b"autoload ", feature.as_bytes()].concat();
        match take_turn(ec, &key)? {
            Turn::Mine(claim) => {
                let loaded = load_promised(ec, class, name, &feature);
                drop(claim);
                match &loaded {
                    Ok(_) => ec.wake_fibers()?,
                    Err(_) => ec.wake_fibers_quietly(),
                }
                return loaded;
            }
            // Two files that wait for each other's constants: better what there is of one than a deadlock.
            Turn::Circular => return Ok(ec.constant_being_loaded(class, name)),
            Turn::Over => ec.race_use(),
        }
    }
}

/// `load_constant` by the fiber whose turn it is.
fn load_promised(ec: &mut Ec, class: Class, name: Sym, feature: &Arc<str>) -> Res<Option<Value>> {
    match ec.own_constant(class, name) {
        Some(found) if is_autoload(found) => {}
        found => return Ok(found),
    }
    let loading = ec.begin_autoload(feature);
    let path = ec.str(feature.as_bytes())?;
    let main = ec.vm().root(Root::MainObject);
    ec.call(main, sym::require, &[path])?;
    ec.race_define();
    ec.show_autoloaded(feature)?;
    drop(loading);
    let found = ec.own_constant(class, name);
    if !found.is_some_and(is_autoload) {
        return Ok(found);
    }
    if ec.promised_feature(class, name).is_some_and(|now| now == *feature) {
        ec.remove_promised(class, name);
        if ec.vm().verbose.load(Ordering::Relaxed) == 2 {
            let full = if class == ec.known(WellKnown::Object) {
                name.text().into_owned()
            } else {
                format!("{}::{}", ec.class_name(class), name.text())
            };
            asterism_vm::load::warn(ec, &format!("Expected {feature} to define {full} but it didn't"))?;
        }
    }
    Ok(None)
}

/// `Module#autoload`
///
/// # Errors
/// NameError if it is no name of a constant; TypeError for a name or a path that is none; ArgumentError for an empty
/// path; what a Ruby-level `const_added` raises.
pub fn module_autoload(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    declare(ec, Class(this), args[0], args[1])
}

/// `Module#autoload?`
///
/// # Errors
/// TypeError for a name that is none, and for what does not belong on the load path.
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
/// As [`module_autoload`].
pub fn kernel_autoload(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let class = nesting_class(ec);
    declare(ec, class, args[0], args[1])
}

/// `Kernel#autoload?`
///
/// # Errors
/// As [`module_autoload_p`].
pub fn kernel_autoload_p(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = ec.to_sym(args[0])?;
    let inherit = args.get(1).is_none_or(|v| v.truthy());
    let class = nesting_class(ec);
    promised(ec, class, name, inherit)
}
