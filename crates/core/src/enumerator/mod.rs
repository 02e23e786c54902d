//! Enumerators are made natively, since programs make one for each `each_slice(2).map`; what they do is Ruby (`enumerator.rb`).

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_symbol::sym;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

static KERNEL: &[NativeDef] =
    &[NativeDef::new("to_enum", to_enum, 0, ANY), NativeDef::new("enum_for", to_enum, 0, ANY)];

/// `to_enum(method = :each, *args, **opts) { size }`: the instance variables are those of `Enumerator#__setup`.
fn to_enum(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (given, opts) = args.split_keywords();
    let (meth, passed) = match given.split_first() {
        Some((&meth, passed)) => (ec.to_sym(meth)?, passed),
        None => (sym::each, given),
    };
    let passed = ec.array(passed)?;
    let size = match args.block() {
        Some(block) => ec.block_to_proc(block)?,
        None => Value::NIL,
    };
    let class = ec.known(WellKnown::Enumerator);
    let made = ec.new_object(class.0)?;
    let opts = opts.unwrap_or(Value::NIL);
    for (name, value) in [
        (sym::receiver_ivar, this),
        (sym::meth_ivar, Value::sym(meth)),
        (sym::args_ivar, passed),
        (sym::opts_ivar, opts),
        (sym::size_ivar, size),
    ] {
        ec.ivar_put(made, name, value)?;
    }
    Ok(made)
}

/// Defines the class and the methods that make instances.
///
/// # Errors
/// NoMemoryError.
pub(crate) fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "Enumerator", object)?;
    ec.vm().space.classes.set(WellKnown::Enumerator, class.0);
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_natives(kernel, KERNEL)
}
