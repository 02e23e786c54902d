//! `instance_eval` and `instance_exec`.

use asterism_object::Value;
use asterism_vm::consts::Cref;
use asterism_vm::{Args, Ec, Res};

use crate::proc::eval;

/// The nesting in which definitions go to the object's singleton class.
fn singleton_cref(ec: &mut Ec, this: Value, outer: Cref) -> Res {
    let class = if this.is_heap() && ec.real_class_of(this).alloc() != asterism_object::class::Alloc::Undefined
        || asterism_object::class::Class::from_value(this).is_some()
    {
        ec.singleton_class(this)?
    } else {
        match ec.rescue(ec.class(asterism_object::space::WellKnown::StandardError), |ec| ec.singleton_class(this))? {
            Ok(class) => class,
            Err(_) => ec.class_of(this),
        }
    };
    ec.new_cref(class, outer.0)
}

pub fn instance_eval(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let outer = ec.cref();
    let cref = singleton_cref(ec, this, outer)?;
    if let Some(block) = args.block() {
        if !args.is_empty() {
            return Err(ec.arity_error(args.len(), 0, Some(0)));
        }
        return ec.yield_as(block, this, cref, &[this]);
    }
    if args.is_empty() {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1..3)"));
    }
    eval::eval_as(ec, args, this, cref)
}

pub fn instance_exec(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.no_block());
    };
    let outer = ec.cref();
    let cref = singleton_cref(ec, this, outer)?;
    let (argv, keywords) = args.split_keywords();
    eval::yield_as(ec, block, this, cref, argv, keywords)
}
