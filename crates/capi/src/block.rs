//! Blocks and Procs in C.

use std::ffi::c_int;

use asterism_heap::{Marker, Stores};
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::block::Proc;
use asterism_vm::call::CallKind;
use asterism_vm::error::Pending;
use asterism_vm::{Args, Block, Ec, Exc, Res};

use crate::call::{current_block, named};
use crate::entry::call_c_value;
use crate::lock::{self, in_ruby};
use crate::types::{Func, Id, In, or_nil};

/// A function in C as a block, with what it is handed.
struct InC {
    function: Func,
    /// A `VALUE`, or a pointer of C's.
    data: u64,
    /// What the function yields to: the block of the method in C that has made it, if that is known.
    outer: Option<Block>,
    /// Takes the lock: the extension that made it does not say that it can do without.
    locked: bool,
}

impl DataObject for InC {
    const NAME: &'static str = "block in C";
    const STORES: Stores = Stores::None;

    fn trace(&self, marker: &mut Marker) {
        marker.mark_conservative(self.data);
        if let Some(outer) = self.outer {
            marker.mark_conservative(outer.0);
        }
    }
}

/// Runs a block: `function(first argument, data, argc, argv, block)`.
fn run(ec: &mut Ec, data: Value, args: Args<'_>) -> Res {
    let Some(in_c) = data::get::<InC>(&data) else {
        return Err(ec.fatal("a block in C without its function"));
    };
    let argv = args.slice();
    let passed = match args.block() {
        Some(block) => ec.block_to_proc(block)?,
        None => Value::NIL,
    };
    let first = argv.first().copied().unwrap_or(Value::NIL);
    let words = [first.bits(), in_c.data, argv.len() as u64, argv.as_ptr().expose_provenance() as u64, passed.bits()];
    let around = std::mem::replace(&mut ec.thread.foreign.iteration, data);
    let taken = in_c.locked && lock::take(ec);
    let frame = ec.fiber.frame;
    // SAFETY: the frame of what yields to this function is active until the function has ended, and so has its block, which the
    // caller keeps; nothing but functions in C looks for it meanwhile.
    let own = in_c.outer.map(|outer| unsafe { std::mem::replace(&mut (*frame).block, outer.0) });
    // SAFETY: the function is one for blocks, as whoever gave it said.
    let result = unsafe { call_c_value(ec, in_c.function.0, &words) };
    if let Some(own) = own {
        // SAFETY: as above.
        unsafe { (*frame).block = own };
    }
    if taken {
        lock::give(ec);
    }
    ec.thread.foreign.iteration = around;
    result
}

fn data_of(ec: &mut Ec, function: Func, word: u64, outer: Option<Block>) -> Res {
    let locked = ec.thread.foreign.locked;
    let class = ec.class(WellKnown::Object);
    let made = data::new(ec, class, InC { function, data: word, outer, locked });
    ec.check(Value::NIL, made)
}

/// The block of the method in C that runs, which may be called when that has returned.
fn outer_block(ec: &mut Ec) -> Res<Block> {
    match current_block(ec) {
        block if block.is_none() => Ok(block),
        block => Ok(Block::of_value(ec.block_to_proc(block)?)),
    }
}

/// A Proc that calls a function in C.
///
/// # Errors
/// NoMemoryError.
pub fn new(ec: &mut Ec, function: Func, word: u64, lambda: bool) -> Res {
    let data = data_of(ec, function, word, None)?;
    Ok(Proc::native(ec, run, data, lambda)?.0)
}

/// A Proc that calls `function(data)` once.
///
/// # Errors
/// NoMemoryError.
pub fn at_end(ec: &mut Ec, function: Func, v: Value) -> Res {
    let data = data_of(ec, function, v.bits(), None)?;
    let body = |ec: &mut Ec, data: Value, _args: Args<'_>| -> Res {
        let Some(in_c) = data::get::<InC>(&data) else {
            return Err(ec.fatal("a block in C without its function"));
        };
        let taken = lock::take(ec);
        // SAFETY: the function is one for `rb_set_end_proc`.
        let result = unsafe { crate::entry::call_c(ec, in_c.function.0, &[in_c.data]) };
        if taken {
            lock::give(ec);
        }
        result.map(|_| Value::NIL)
    };
    Ok(Proc::native(ec, body, data, false)?.0)
}

/// Calls a method with a block in C, which may end the call (`rb_iter_break`).
fn call_with(ec: &mut Ec, recv: Value, mid: Id, args: &[Value], kw: c_int, function: Func, word: u64) -> Res {
    if function.is_null() {
        let block = current_block(ec);
        return in_ruby(ec, |ec| ec.call_block(recv, mid.sym(), args, block));
    }
    let outer = outer_block(ec)?;
    let data = data_of(ec, function, word, Some(outer))?;
    let proc = Proc::native(ec, run, data, false)?;
    let (argv, keywords) = crate::call::split(ec, args, kw)?;
    let call = CallArgs { argv, keywords, block: Block::of_value(proc.0) };
    let frame = ec.fiber.frame;
    match in_ruby(ec, |ec| ec.call_with(recv, mid.sym(), &call, CallKind::Private)) {
        Err(raised) => match ec.thread.pending {
            Pending::Throw(tag, v) if tag == data => {
                ec.take_pending();
                ec.fiber.frame = frame;
                Ok(v)
            }
            _ => Err(raised),
        },
        done => done,
    }
}

fn proc_of(ec: &mut Ec, v: Value) -> Res<Block> {
    if v.is_type(Type::Proc) {
        return Ok(Block::of_value(v));
    }
    let name = ec.class_name_of(v);
    Err(ec.type_error(format!("wrong argument type {name} (expected Proc)")))
}

fn call_proc(ec: &mut Ec, proc: Value, args: Value, kw: bool, block: Value) -> Res {
    let proc = proc_of(ec, proc)?;
    let list = crate::demand::elements(ec, args)?;
    let all = array::private_slice(&list);
    let (argv, keywords) = crate::call::split(ec, all, c_int::from(kw))?;
    let block = if or_nil(block).is_nil() { Block::NONE } else { Block::of_value(block) };
    let result = in_ruby(ec, |ec| ec.yield_with(proc, &CallArgs { argv, keywords, block }));
    asterism_heap::keep_alive(list.bits());
    result
}

api! {
    /// C: VALUE rb_block_call(VALUE obj, ID mid, int argc, const VALUE *argv, rb_block_call_func_t bl_proc, VALUE data2);
    fn rb_block_call(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, function: Func, data: Value) -> Value {
        call_with(ec, recv, mid, argv.slice(i64::from(argc)), 0, function, data.bits())
    }

    /// C: VALUE rb_block_call_kw(VALUE obj, ID mid, int argc, const VALUE *argv, rb_block_call_func_t bl_proc, VALUE data2, int kw_splat);
    fn rb_block_call_kw(ec, recv: Value, mid: Id, argc: c_int, argv: In<Value>, function: Func, data: Value, kw: c_int) -> Value {
        call_with(ec, recv, mid, argv.slice(i64::from(argc)), kw, function, data.bits())
    }

    /// C: VALUE rb_iterate(VALUE (*it_proc)(VALUE), VALUE data1, rb_block_call_func_t bl_proc, VALUE data2);
    fn rb_iterate(ec, body: Func, body_data: Value, function: Func, data: Value) -> Value {
        // The body runs as a method whose block is the function.
        let outer = outer_block(ec)?;
        let data = data_of(ec, function, data.bits(), Some(outer))?;
        let proc = Proc::native(ec, run, data, false)?;
        // SAFETY: the current frame is active; only its block changes, for the time of the call.
        let around = unsafe { std::mem::replace(&mut (*ec.fiber.frame).block, proc.0.bits()) };
        let frame = ec.fiber.frame;
        // SAFETY: the function is one for `rb_iterate`.
        let result = unsafe { call_c_value(ec, body.0, &[body_data.bits()]) };
        // SAFETY: as above.
        unsafe { (*frame).block = around };
        match result {
            Err(raised) => match ec.thread.pending {
                Pending::Throw(tag, v) if tag == data => {
                    ec.take_pending();
                    ec.fiber.frame = frame;
                    Ok(v)
                }
                _ => Err(raised),
            },
            done => done,
        }
    }

    fn rb_each(ec, v: Value) -> Value {
        let block = current_block(ec);
        in_ruby(ec, |ec| ec.call_block(v, asterism_symbol::intern("each"), &[], block))
    }

    fn rb_block_proc(ec) -> Value {
        let block = current_block(ec);
        if block.is_none() {
            return Err(ec.arg_error("tried to create Proc object without a block"));
        }
        let proc = ec.block_to_proc(block)?;
        // SAFETY: the current frame is active; the Proc is the same block.
        unsafe { (*ec.fiber.frame).block = proc.bits() };
        Ok(proc)
    }

    fn rb_block_lambda(ec) -> Value {
        let block = current_block(ec);
        if block.is_none() {
            return Err(ec.arg_error("tried to create Proc object without a block"));
        }
        ec.block_to_proc(block)
    }

    /// C: VALUE rb_proc_new(rb_block_call_func_t func, VALUE data);
    fn rb_proc_new(ec, function: Func, data: Value) -> Value {
        new(ec, function, data.bits(), true)
    }

    fn rb_proc_call(ec, proc: Value, args: Value) -> Value {
        call_proc(ec, proc, args, false, Value::NIL)
    }

    fn rb_proc_call_kw(ec, proc: Value, args: Value, kw: c_int) -> Value {
        call_proc(ec, proc, args, kw == 1, Value::NIL)
    }

    fn rb_proc_call_with_block(ec, proc: Value, argc: c_int, argv: In<Value>, block: Value) -> Value {
        let args = ec.array(argv.slice(i64::from(argc)))?;
        call_proc(ec, proc, args, false, block)
    }

    fn rb_proc_call_with_block_kw(ec, proc: Value, argc: c_int, argv: In<Value>, block: Value, kw: c_int) -> Value {
        let args = ec.array(argv.slice(i64::from(argc)))?;
        call_proc(ec, proc, args, kw == 1, block)
    }

    fn rb_proc_arity(ec, proc: Value) -> c_int {
        Ok(named(ec, proc, "arity", &[])?.as_fixnum() as c_int)
    }

    fn rb_proc_lambda_p(ec, proc: Value) -> Value {
        named(ec, proc, "lambda?", &[])
    }

    fn rb_obj_is_proc(_ec, v: Value) -> Value {
        Ok(Value::bool(v.is_type(Type::Proc)))
    }

    fn rb_obj_is_method(ec, v: Value) -> Value {
        let method = ec.class(WellKnown::Method);
        Ok(Value::bool(ec.is_kind_of(v, method)))
    }

    fn rb_obj_method(ec, v: Value, name: Value) -> Value {
        named(ec, v, "method", &[name])
    }

    fn rb_method_call(ec, argc: c_int, argv: In<Value>, method: Value) -> Value {
        named(ec, method, "call", argv.slice(i64::from(argc)))
    }

    fn rb_mod_method_arity(ec, module: Value, name: Id) -> c_int {
        let method = named(ec, module, "instance_method", &[Value::sym(name.sym())])?;
        Ok(named(ec, method, "arity", &[])?.as_fixnum() as c_int)
    }

    fn rb_obj_method_arity(ec, object: Value, name: Id) -> c_int {
        let method = named(ec, object, "method", &[Value::sym(name.sym())])?;
        Ok(named(ec, method, "arity", &[])?.as_fixnum() as c_int)
    }

    fn rb_binding_new(ec) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "binding", &[])
    }

    fn rb_enumeratorize(ec, object: Value, method: Value, argc: c_int, argv: In<Value>) -> Value {
        enumerator(ec, object, method, argv.slice(i64::from(argc)), false)
    }

    /// C: VALUE rb_enumeratorize_with_size(VALUE obj, VALUE meth, int argc, const VALUE *argv, VALUE (*size_fn)(VALUE, VALUE, VALUE));
    fn rb_enumeratorize_with_size(ec, object: Value, method: Value, argc: c_int, argv: In<Value>, size: Func) -> Value {
        with_size(ec, object, method, argv.slice(i64::from(argc)), size, false)
    }

    /// C: VALUE rb_enumeratorize_with_size_kw(VALUE obj, VALUE meth, int argc, const VALUE *argv, VALUE (*size_fn)(VALUE, VALUE, VALUE), int kw_splat);
    fn rb_enumeratorize_with_size_kw(ec, object: Value, method: Value, argc: c_int, argv: In<Value>, size: Func, kw: c_int) -> Value {
        with_size(ec, object, method, argv.slice(i64::from(argc)), size, kw != 0)
    }

    /// C: VALUE rb_exec_recursive(VALUE (*func)(VALUE, VALUE, int), VALUE obj, VALUE arg);
    fn rb_exec_recursive(ec, function: Func, object: Value, arg: Value) -> Value {
        recursive(ec, function, object, Value::NIL, arg)
    }

    /// C: VALUE rb_exec_recursive_paired(VALUE (*func)(VALUE, VALUE, int), VALUE obj, VALUE paired, VALUE arg);
    fn rb_exec_recursive_paired(ec, function: Func, object: Value, paired: Value, arg: Value) -> Value {
        recursive(ec, function, object, paired, arg)
    }
}

fn recursive(ec: &mut Ec, function: Func, object: Value, paired: Value, arg: Value) -> Res {
    let tag = Value::fixnum(function.word() as i64);
    let list = if ec.fiber.recursion.is_nil() { ec.array(&[])? } else { ec.fiber.recursion };
    ec.fiber.recursion = list;
    let (mut i, mut inside) = (0, false);
    while let Some(t) = array::at(list, i) {
        inside |= t == tag && array::at(list, i + 1) == Some(object) && array::at(list, i + 2) == Some(paired);
        i += 3;
    }
    if inside {
        // SAFETY: the function is one for `rb_exec_recursive`.
        return unsafe { call_c_value(ec, function.0, &[object.bits(), arg.bits(), 1]) };
    }
    for v in [tag, object, paired] {
        ec.array_push(list, v)?;
    }
    // SAFETY: as above.
    let result = unsafe { call_c_value(ec, function.0, &[object.bits(), arg.bits(), 0]) };
    for _ in 0..3 {
        let done = array::pop(ec, list);
        ec.check(list, done)?;
    }
    result
}

fn enumerator(ec: &mut Ec, object: Value, method: Value, args: &[Value], kw: bool) -> Res {
    let mut all = vec![method];
    all.extend_from_slice(args);
    let list = ec.array(&all)?;
    let all = array::private_slice(&list);
    let (argv, keywords) = match all.split_last() {
        Some((&last, rest)) if kw && last.is_type(Type::Hash) => (rest, Keywords::Hash(last)),
        _ => (all, Keywords::None),
    };
    let call = CallArgs { argv, keywords, block: Block::NONE };
    let result = in_ruby(ec, |ec| ec.call_with(object, asterism_symbol::intern("enum_for"), &call, CallKind::Private));
    asterism_heap::keep_alive(list.bits());
    result
}

/// As `enumerator`, with a function in C that says how many there are.
fn with_size(ec: &mut Ec, object: Value, method: Value, args: &[Value], size: Func, kw: bool) -> Res {
    if size.is_null() {
        return enumerator(ec, object, method, args, kw);
    }
    let body = |ec: &mut Ec, data: Value, _args: Args<'_>| -> Res {
        let (object, list, function) =
            (array::at(data, 0), array::at(data, 1), array::at(data, 2).and_then(|v| v.fixnum_value()));
        let (Some(object), Some(list), Some(function)) = (object, list, function) else {
            return Err(ec.raise(Exc::RuntimeError, "an enumerator without its size"));
        };
        let function = Func::of_word(function as u64);
        // SAFETY: the function is one for `rb_enumeratorize_with_size`.
        unsafe { call_c_value(ec, function.0, &[object.bits(), list.bits(), Value::NIL.bits()]) }
    };
    let list = ec.array(args)?;
    let function = Value::fixnum(size.word() as i64);
    let data = ec.array(&[object, list, function])?;
    let proc = Proc::native(ec, body, data, true)?;
    let mut all = vec![method];
    all.extend_from_slice(args);
    let list = ec.array(&all)?;
    let argv = array::private_slice(&list);
    let call = CallArgs { argv, keywords: Keywords::None, block: Block::of_value(proc.0) };
    let result = in_ruby(ec, |ec| ec.call_with(object, asterism_symbol::intern("enum_for"), &call, CallKind::Private));
    asterism_heap::keep_alive(list.bits());
    result
}
