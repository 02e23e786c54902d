//! `Warning`: the categories that are shown, and `Warning.warn`.

use std::sync::atomic::{AtomicBool, Ordering};

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value};
use asterism_symbol::{intern, sym};
use asterism_vm::{ANY, Args, Ec, Keep, NativeDef, Place, Res};

/// Which categories of warnings a VM shows.
pub struct Warnings {
    experimental: AtomicBool,
    performance: AtomicBool,
}

impl Default for Warnings {
    fn default() -> Self {
        Warnings { experimental: AtomicBool::new(true), performance: AtomicBool::new(false) }
    }
}

impl Keep for Warnings {
    const PLACE: Place = Place::Warnings;
}

impl Warnings {
    /// The switch of a category.
    pub fn category<'ec>(ec: &'ec Ec, name: &str) -> Option<&'ec AtomicBool> {
        let warnings = ec.vm().part::<Warnings>();
        Some(match name {
            "deprecated" => &ec.vm().warns_of_deprecated,
            "experimental" => &warnings.experimental,
            "performance" => &warnings.performance,
            "strict_unused_block" => &ec.vm().strict_unused_block,
            _ => return None,
        })
    }
}

/// Are warnings of this category shown?
pub fn is_enabled(ec: &Ec, category: Sym) -> bool {
    Warnings::category(ec, &category.text()).is_none_or(|c| c.load(Ordering::Relaxed))
}

static WARNING: &[NativeDef] = &[
    NativeDef::new("[]", aref, 1, 1),
    NativeDef::new("[]=", aset, 2, 2),
    NativeDef::new("categories", categories, 0, 0),
];

static INSTANCE: &[NativeDef] = &[NativeDef::new("warn", warn, 1, ANY)];

/// Defines the module.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let module = ec.define_module(object, "Warning")?;
    ec.define_natives(module, INSTANCE)?;
    ec.define_singleton_natives(module, WARNING)?;
    let singleton = ec.singleton_class(module.0)?;
    ec.include_module(singleton, module, false)
}

/// Reads or writes the switch of a category that a program names.
fn with_category<R>(ec: &mut Ec, v: Value, body: impl FnOnce(&AtomicBool) -> R) -> Res<R> {
    let Some(name) = v.as_sym() else {
        let class = ec.class_name_of(v);
        return Err(ec.type_error(format!("wrong argument type {class} (expected Symbol)")));
    };
    match Warnings::category(ec, &name.text()) {
        Some(switch) => Ok(body(switch)),
        None => Err(ec.arg_error(format!("unknown category: {}", name.text()))),
    }
}

fn aref(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    with_category(ec, args[0], |switch| Value::bool(switch.load(Ordering::Relaxed)))
}

fn aset(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    with_category(ec, args[0], |switch| switch.store(args[1].truthy(), Ordering::Relaxed))?;
    Ok(args[1])
}

fn categories(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let names = ["deprecated", "experimental", "performance", "strict_unused_block"].map(|n| Value::sym(intern(n)));
    ec.array(&names)
}

fn category_option(ec: &mut Ec, options: Option<Value>) -> Res<Option<Value>> {
    match options {
        Some(options) => ec.hash_get(options, Value::sym(intern("category"))),
        None => Ok(None),
    }
}

fn warn(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (plain, options) = args.split_keywords();
    let Some(&text) = plain.first() else {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1)"));
    };
    if !text.is_type(Type::String) {
        let class = ec.class_name_of(text);
        return Err(ec.type_error(format!("wrong argument type {class} (expected String)")));
    }
    crate::string::util::check_ascii_compatible(ec, text)?;
    if let Some(name) = category_option(ec, options)?
        && !name.is_nil()
        && !with_category(ec, name, |switch| switch.load(Ordering::Relaxed))?
    {
        return Ok(Value::NIL);
    }
    let stderr = ec.gvar_get(intern("$stderr"))?;
    ec.call(stderr, sym::write, &[text])?;
    Ok(Value::NIL)
}
