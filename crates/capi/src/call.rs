//! Calls of Ruby methods by functions in C.

use std::ffi::c_int;

use asterism_object::types::Type;
use asterism_object::{Sym, Value, array};
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::call::CallKind;
use asterism_vm::frame;
use asterism_vm::method::Body;
use asterism_vm::{Block, Ec, Res};

use crate::entry::symbol_of;
use crate::lock::in_ruby;
use crate::types::{Id, In, Text, or_nil};

/// Calls a method, private ones too, by a name that is written in the source.
///
/// # Errors
/// As [`method`].
pub fn named(ec: &mut Ec, recv: Value, name: &'static str, args: &[Value]) -> Res {
    method(ec, recv, symbol_of(name), args)
}

/// Calls a method, private ones too.
///
/// # Errors
/// What the method raises; NoMethodError, or what a `method_missing` raises, if there is none; ArgumentError for
/// arguments that do not fit; SystemStackError.
pub fn method(ec: &mut Ec, recv: Value, name: Sym, args: &[Value]) -> Res {
    in_ruby(ec, |ec| ec.call(recv, name, args))
}

/// The block of the method in C that runs.
pub fn current_block(ec: &Ec) -> Block {
    // SAFETY: the current frame is active.
    Block(unsafe { (*ec.fiber.frame).block })
}

/// Was the method in C that runs given keyword arguments?
pub fn has_keywords(ec: &Ec) -> bool {
    // SAFETY: the current frame is active.
    unsafe { (*ec.fiber.frame).has(frame::KEYWORDS) }
}

/// What the flag for keywords says of the arguments: 0 none, 1 the last one is their Hash, 2 as the running method was called.
///
/// # Errors
/// TypeError if the last argument is no Hash and has no `to_hash`; what a Ruby-level `to_hash` raises.
pub fn split<'a>(ec: &mut Ec, args: &'a [Value], flag: c_int) -> Res<(&'a [Value], Keywords<'a>)> {
    let passed = match flag {
        1 => true,
        2 | 3 => has_keywords(ec),
        _ => false,
    };
    match args.split_last() {
        Some((&last, rest)) if passed => {
            let hash = if last.is_type(Type::Hash) { last } else { in_ruby(ec, |ec| ec.to_hash(last))? };
            Ok((rest, Keywords::Hash(hash)))
        }
        _ => Ok((args, Keywords::None)),
    }
}

fn general(ec: &mut Ec, recv: Value, mid: Id, args: &[Value], kw: c_int, block: Block, kind: CallKind) -> Res {
    let (argv, keywords) = split(ec, args, kw)?;
    let call = CallArgs { argv, keywords, block };
    in_ruby(ec, |ec| ec.call_with(recv, mid.sym(), &call, kind))
}

fn block_of(v: Value) -> Block {
    if or_nil(v).is_nil() { Block::NONE } else { Block::of_value(v) }
}

fn call_super(ec: &mut Ec, args: &[Value], kw: c_int) -> Res {
    let frame = ec.fiber.frame;
    // SAFETY: the current frame is active.
    let (name, found) = unsafe { ec.super_method(frame)? };
    // SAFETY: the same.
    let this = unsafe { (*frame).self_val };
    let block = current_block(ec);
    let (argv, keywords) = split(ec, args, kw)?;
    let call = CallArgs { argv, keywords, block };
    match found {
        Some(found) => in_ruby(ec, |ec| ec.call_method(this, found.method, &call)),
        None => super_missing(ec, this, name, &call),
    }
}

/// Calls `method_missing` for a method that is not there above the current one.
fn super_missing(ec: &mut Ec, this: Value, name: Sym, call: &CallArgs<'_>) -> Res {
    let class = ec.class_of(this);
    let missing = asterism_symbol::sym::method_missing;
    let found = ec.find_method(class, missing).1;
    if !found.is_some_and(|found| !matches!(found.method.body(), Body::Native(_))) {
        return Err(ec.no_method_called(this, name, call.argv, CallKind::Super, None));
    }
    let all: Vec<Value> = std::iter::once(Value::sym(name)).chain(call.argv.iter().copied()).collect();
    let all = ec.array(&all)?;
    let call = CallArgs { argv: array::private_slice(&all), ..*call };
    let result = in_ruby(ec, |ec| ec.call_with(this, missing, &call, CallKind::Private));
    asterism_heap::keep_alive(all.bits());
    result
}

/// Calls a public or any method if the receiver responds to it; undef otherwise.
fn check(ec: &mut Ec, recv: Value, name: Sym, args: &[Value]) -> Res {
    Ok(in_ruby(ec, |ec| ec.call_if_known(recv, name, args))?.unwrap_or(Value::UNDEF))
}

api! {
    /// C: VALUE rb_funcallv(VALUE recv, ID mid, int argc, const VALUE *argv);
    fn rb_funcallv(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>) -> Value {
        method(ec, recv, mid.sym(), argv.slice(i64::from(argc)))
    }

    fn rb_funcallv_kw(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, kw: c_int) -> Value {
        general(ec, recv, mid, argv.slice(i64::from(argc)), kw, Block::NONE, CallKind::Private)
    }

    fn rb_funcallv_public(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>) -> Value {
        general(ec, recv, mid, argv.slice(i64::from(argc)), 0, Block::NONE, CallKind::Public)
    }

    fn rb_funcallv_public_kw(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, kw: c_int) -> Value {
        general(ec, recv, mid, argv.slice(i64::from(argc)), kw, Block::NONE, CallKind::Public)
    }

    fn rb_funcall_passing_block(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>) -> Value {
        let block = current_block(ec);
        general(ec, recv, mid, argv.slice(i64::from(argc)), 0, block, CallKind::Public)
    }

    fn rb_funcall_passing_block_kw(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, kw: c_int) -> Value {
        let block = current_block(ec);
        general(ec, recv, mid, argv.slice(i64::from(argc)), kw, block, CallKind::Public)
    }

    fn rb_funcall_with_block(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, block: Value) -> Value {
        general(ec, recv, mid, argv.slice(i64::from(argc)), 0, block_of(block), CallKind::Public)
    }

    fn rb_funcall_with_block_kw(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, block: Value, kw: c_int) -> Value {
        general(ec, recv, mid, argv.slice(i64::from(argc)), kw, block_of(block), CallKind::Public)
    }

    fn rb_call_super(ec, argc: c_int, argv: In<Value>) -> Value {
        call_super(ec, argv.slice(i64::from(argc)), 2)
    }

    fn rb_call_super_kw(ec, argc: c_int, argv: In<Value>, kw: c_int) -> Value {
        call_super(ec, argv.slice(i64::from(argc)), kw)
    }

    fn rb_current_receiver(ec) -> Value {
        // SAFETY: the current frame is active.
        Ok(unsafe { (*ec.fiber.frame).self_val })
    }

    fn rb_check_funcall(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>) -> Value {
        check(ec, recv, mid.sym(), argv.slice(i64::from(argc)))
    }

    fn rb_check_funcall_kw(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, kw: c_int) -> Value {
        if !in_ruby(ec, |ec| ec.respond_to(recv, mid.sym(), true))? {
            return Ok(Value::UNDEF);
        }
        general(ec, recv, mid, argv.slice(i64::from(argc)), kw, Block::NONE, CallKind::Private)
    }

    fn rb_apply(ec, recv: Value, mid: Id, args: Value) -> Value {
        let args = crate::demand::elements(ec, args)?;
        let result = method(ec, recv, mid.sym(), array::private_slice(&args));
        asterism_heap::keep_alive(args.bits());
        result
    }

    fn rb_obj_call_init(ec, object: Value, argc: c_int, argv: In<Value>) {
        let block = current_block(ec);
        general(ec, object, Id::of(asterism_symbol::sym::initialize), argv.slice(i64::from(argc)), 2, block, CallKind::Private)?;
        Ok(())
    }

    fn rb_obj_call_init_kw(ec, object: Value, argc: c_int, argv: In<Value>, kw: c_int) {
        let block = current_block(ec);
        general(ec, object, Id::of(asterism_symbol::sym::initialize), argv.slice(i64::from(argc)), kw, block, CallKind::Private)?;
        Ok(())
    }

    fn rb_class_new_instance(ec, argc: c_int, argv: In<Value>, class: Value) -> Value {
        named(ec, class, "new", argv.slice(i64::from(argc)))
    }

    fn rb_class_new_instance_kw(ec, argc: c_int, argv: In<Value>, class: Value, kw: c_int) -> Value {
        general(ec, class, Id::of(asterism_symbol::intern_static("new")), argv.slice(i64::from(argc)), kw, Block::NONE, CallKind::Private)
    }

    fn rb_class_new_instance_pass_kw(ec, argc: c_int, argv: In<Value>, class: Value) -> Value {
        let block = current_block(ec);
        general(ec, class, Id::of(asterism_symbol::intern_static("new")), argv.slice(i64::from(argc)), 2, block, CallKind::Private)
    }

    fn rb_keyword_given_p(ec) -> c_int {
        Ok(c_int::from(has_keywords(ec)))
    }

    fn rb_block_given_p(ec) -> c_int {
        Ok(c_int::from(!current_block(ec).is_none()))
    }

    fn rb_need_block(ec) {
        if current_block(ec).is_none() {
            return Err(ec.local_jump_error("no block given (yield)", "noreason", Value::NIL));
        }
        Ok(())
    }

    fn rb_yield(ec, v: Value) -> Value {
        let block = current_block(ec);
        if block.is_none() {
            return Err(ec.no_block());
        }
        if v.is_undef() {
            return in_ruby(ec, |ec| ec.yield_block(block, &[]));
        }
        in_ruby(ec, |ec| ec.yield_block(block, &[v]))
    }

    fn rb_yield_values2(ec, argc: c_int, argv: In<Value>) -> Value {
        let block = current_block(ec);
        if block.is_none() {
            return Err(ec.no_block());
        }
        in_ruby(ec, |ec| ec.yield_block(block, argv.slice(i64::from(argc))))
    }

    fn rb_yield_values_kw(ec, argc: c_int, argv: In<Value>, kw: c_int) -> Value {
        let block = current_block(ec);
        if block.is_none() {
            return Err(ec.no_block());
        }
        let (argv, keywords) = split(ec, argv.slice(i64::from(argc)), kw)?;
        in_ruby(ec, |ec| ec.yield_with(block, &CallArgs { argv, keywords, block: Block::NONE }))
    }

    fn rb_yield_splat(ec, args: Value) -> Value {
        let block = current_block(ec);
        if block.is_none() {
            return Err(ec.no_block());
        }
        let list = ec.to_ary(args)?;
        let list = array::snapshot(ec, list).map_err(|e| ec.object_error(args, e))?;
        let result = in_ruby(ec, |ec| ec.yield_block(block, array::private_slice(&list)));
        asterism_heap::keep_alive(list.bits());
        result
    }

    fn rb_yield_block(ec, v: Value, _data: Value, argc: c_int, argv: In<Value>, passed: Value) -> Value {
        let block = current_block(ec);
        if block.is_none() {
            return Err(ec.no_block());
        }
        let args = if argc > 0 { argv.slice(i64::from(argc)) } else { std::slice::from_ref(&v) };
        let call = CallArgs { argv: args, keywords: Keywords::None, block: block_of(passed) };
        in_ruby(ec, |ec| ec.yield_with(block, &call))
    }

    fn rb_eval_string(ec, source: Text) -> Value {
        let source = ec.str(source.bytes())?;
        let binding = ec.vm().root(asterism_vm::vm::Root::TopBinding);
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        if binding.is_nil() {
            return named(ec, main, "instance_eval", &[source]);
        }
        named(ec, main, "eval", &[source, binding])
    }

    fn rb_obj_instance_eval(ec, argc: c_int, argv: In<Value>, this: Value) -> Value {
        let block = current_block(ec);
        general(ec, this, Id::of(asterism_symbol::intern_static("instance_eval")), argv.slice(i64::from(argc)), 0, block, CallKind::Private)
    }

    fn rb_obj_instance_exec(ec, argc: c_int, argv: In<Value>, this: Value) -> Value {
        let block = current_block(ec);
        general(ec, this, Id::of(asterism_symbol::intern_static("instance_exec")), argv.slice(i64::from(argc)), 0, block, CallKind::Private)
    }

    fn rb_mod_module_eval(ec, argc: c_int, argv: In<Value>, this: Value) -> Value {
        let block = current_block(ec);
        general(ec, this, Id::of(asterism_symbol::intern_static("module_eval")), argv.slice(i64::from(argc)), 0, block, CallKind::Private)
    }

    fn rb_f_require(ec, _this: Value, name: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "require", &[name])
    }

    fn rb_require_string(ec, name: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "require", &[name])
    }

    fn rb_require(ec, name: Text) -> Value {
        let name = ec.str(name.bytes())?;
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "require", &[name])
    }

    fn rb_frame_this_func(ec) -> Id {
        Ok(ec.fiber.method_name().map_or(Id::NONE, Id::of))
    }

    fn rb_frame_callee(ec) -> Id {
        Ok(ec.fiber.method_name().map_or(Id::NONE, Id::of))
    }

    fn rb_respond_to(ec, object: Value, mid: Id) -> c_int {
        Ok(c_int::from(in_ruby(ec, |ec| ec.respond_to(object, mid.sym(), false))?))
    }

    fn rb_obj_respond_to(ec, object: Value, mid: Id, private: c_int) -> c_int {
        Ok(c_int::from(in_ruby(ec, |ec| ec.respond_to(object, mid.sym(), private != 0))?))
    }

    fn rb_f_notimplement(ec, _argc: c_int, _argv: In<Value>, _object: Value, _marker: Value) -> Value {
        Err(ec.unimplemented_method())
    }

    /// C: NORETURN(void rb_error_arity(int given, int min, int max));
    fn rb_error_arity(ec, given: c_int, min: c_int, max: c_int) {
        Err(ec.arity_error(given as usize, min as usize, usize::try_from(max).ok()))
    }

}
