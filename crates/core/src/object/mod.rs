//! BasicObject, Object and the instance methods of Kernel: identity, class, freezing, copying, instance variables, sending.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::Value;
use asterism_vm::native::Special;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

static BASIC_OBJECT: &[NativeDef] = &[NativeDef::new("initialize", initialize, 0, ANY).private()];

static CLASS: &[NativeDef] = &[NativeDef::new("new", class_new, 0, ANY).special(Special::New)];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let basic = ec.known(WellKnown::BasicObject);
    ec.define_natives(basic, BASIC_OBJECT)?;
    let class = ec.known(WellKnown::Class);
    ec.define_natives(class, CLASS)
}

fn initialize(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::NIL)
}

fn class_new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.new_instance(Class(this), args)
}
