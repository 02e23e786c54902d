//! `instance_eval` and `instance_exec`.

use asterism_object::Value;
use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_vm::{Args, Ec, Res};

use crate::proc::eval;

/// The class that definitions go to in an `instance_eval` of a string: its singleton class, or its class if it has none.
fn definition_class(ec: &mut Ec, this: Value) -> Res<Class> {
    let plain = this.is_heap() && ec.real_class_of(this).alloc() != Alloc::Undefined;
    if plain || Class::from_value(this).is_some() {
        return ec.singleton_class(this);
    }
    match ec.rescue(ec.class(WellKnown::StandardError), |ec| ec.singleton_class(this))? {
        Ok(class) => Ok(class),
        Err(_) => Ok(ec.class_of(this)),
    }
}

pub fn instance_eval(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(block) = args.block() {
        if !args.is_empty() {
            return Err(ec.arity_error(args.len(), 0, Some(0)));
        }
        let outer = ec.cref_of_block(block);
        let cref = ec.instance_cref(this, outer)?;
        return ec.yield_as(block, this, cref, &[this]);
    }
    if args.is_empty() {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1..3)"));
    }
    let class = definition_class(ec, this)?;
    let outer = ec.cref();
    let cref = ec.new_cref(class, outer.0)?;
    eval::eval_as(ec, args, this, cref)
}

pub fn instance_exec(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.no_block());
    };
    let outer = ec.cref_of_block(block);
    let cref = ec.instance_cref(this, outer)?;
    let (argv, keywords) = args.split_keywords();
    eval::yield_as(ec, block, this, cref, argv, keywords)
}
