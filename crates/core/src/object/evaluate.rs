//! `instance_eval` and `instance_exec`.

use asterism_object::Value;
use asterism_vm::consts::PUSHED_BY_EVAL;
use asterism_vm::{Args, Ec, Res};

use crate::proc::eval;

pub fn instance_eval(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(block) = args.block() {
        if !args.is_empty() {
            return Err(ec.arity_error(args.len(), 0, Some(0)));
        }
        let outer = ec.cref_of_block(block);
        let cref = ec.new_object_cref(this, outer.0, PUSHED_BY_EVAL)?;
        return ec.yield_as(block, this, cref, &[this]);
    }
    if args.is_empty() {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1..3)"));
    }
    let outer = ec.cref();
    // An immediate has no class of its own to define things in.
    let flags = if this.is_heap() { 0 } else { PUSHED_BY_EVAL };
    let cref = ec.new_object_cref(this, outer.0, flags)?;
    eval::eval_as(ec, args, this, cref)
}

pub fn instance_exec(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.local_jump_error("no block given", "noreason", Value::NIL));
    };
    let outer = ec.cref_of_block(block);
    let cref = ec.new_object_cref(this, outer.0, PUSHED_BY_EVAL)?;
    let (argv, keywords) = args.split_keywords();
    eval::yield_as(ec, block, this, cref, argv, keywords)
}
