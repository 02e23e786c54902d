//! Primitives: what prelude code calls as `Primitive.name(…)`. No frame, no lookup, no arity check but its own.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, class_field, hash, string};
use asterism_vm::basic_ops::{BasicOp, Classes};
use asterism_vm::block::{Block, LAMBDA, Proc};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Raised, Res};

use asterism_vm::recursion::{self, Tag};

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("block_spreads", block_spreads),
    ("block_takes_two", block_takes_two),
    ("array_size", array_size),
    ("loosen_block", loosen_block),
    ("array_at", array_at),
    ("range_covers", range_covers),
    ("addition_intact?", addition_intact),
    ("array_as_value", array_as_value),
    ("several", several),
    ("several_values", several_values),
    ("array_new_capa", array_new_capa),
    ("array_push", array_push),
    ("array_set", array_set),
    ("array_clear", array_clear),
    ("hash_size", hash_size),
    ("undef", undef),
    ("undef?", undef_p),
    ("kind_of", kind_of),
    ("to_int", to_int),
    ("to_integer", to_integer),
    ("to_ary_or_nil", to_ary_or_nil),
    ("raise_frozen_if", raise_frozen_if),
    ("obj_same", obj_same),
    ("class_of", class_of),
    ("responds", responds),
    ("is_core", is_core),
    ("call_public", call_public),
    ("array_fill_new", crate::array::fill_new),
    ("array_check_size", crate::array::checked_size),
    ("array_uniq", array_uniq),
    ("array_uniq_bang", crate::array::compare::uniq_bang),
    ("sort_by_keys", crate::array::sort::sort_by_keys),
    ("inspect_enter", inspect_enter),
    ("inspect_leave", inspect_leave),
    ("pair_enter", pair_enter),
    ("class_label", class_label),
    ("digits?", digits_p),
    ("constant_name?", constant_name_p),
];

/// Registers them.
///
/// # Errors
/// None: the signature is that of all `init`.
pub fn init(ec: &mut Ec) -> Res<()> {
    for list in [
        PRIMITIVES,
        crate::array::combine::PRIMITIVES,
        crate::array::quick::PRIMITIVES,
        crate::array::update::PRIMITIVES,
        crate::hash::iter::PRIMITIVES,
        crate::structs::PRIMITIVES,
        crate::string::pieces::PRIMITIVES,
        asterism_vm::fiber::walk::PRIMITIVES,
    ] {
        ec.vm().add_primitives(list);
    }
    Ok(())
}

/// Would the method's block take one Array apart into its parameters? Then the elements can be yielded as they are.
fn block_spreads(ec: &mut Ec, _args: &[Value]) -> Res {
    // SAFETY: the current frame is the prelude method's, which is active; a stack block's creator is active as long
    // as the call it was passed to, and a Proc, which the frame holds, keeps its code alive.
    let spreads = unsafe {
        let block = Block((*ec.fiber.frame).block);
        let code = match block.frame() {
            Some(creator) => (*creator).block_code,
            None => match block.value().and_then(Proc::from_value) {
                Some(proc) if !proc.is_lambda() => proc.iseq().unwrap_or(std::ptr::null()),
                _ => std::ptr::null(),
            },
        };
        !code.is_null() && (&*code).code.params.auto_splat
    };
    Ok(Value::bool(spreads))
}

/// Is the method's block a lambda of two required parameters?
fn block_takes_two(ec: &mut Ec, _args: &[Value]) -> Res {
    // SAFETY: as in `block_spreads`.
    let block = unsafe { Block((*ec.fiber.frame).block) };
    let code = block.value().and_then(Proc::from_value).filter(Proc::is_lambda).and_then(|proc| proc.iseq());
    // SAFETY: the Proc, which the frame holds, keeps its code alive.
    Ok(Value::bool(
        code.is_some_and(|code| unsafe { (&*code).code.params.is_simple() && (&*code).code.params.required == 2 }),
    ))
}

/// The first argument, an Array. Preludes pass what they made or converted, or an instance variable, which a program can
/// leave out or change.
fn need_array(ec: &mut Ec, args: &[Value]) -> Res {
    if args[0].is_type(Type::Array) { Ok(args[0]) } else { Err(uninitialized(ec, args[0])) }
}

#[cold]
fn uninitialized(ec: &mut Ec, v: Value) -> Raised {
    let class = ec.real_class_of(v);
    let name = ec.class_name(class);
    ec.type_error(format!("uninitialized object: {name} in place of its contents"))
}

/// `Primitive.loosen_block`: from now on the running method's block takes values as blocks do, even if it is a lambda written in Ruby: an
/// Array in place of several values is spread. What CRuby's `rb_yield_force_blockarg` does. For methods that hand several values on as
/// one Array.
fn loosen_block(ec: &mut Ec, _args: &[Value]) -> Res {
    // SAFETY: the current frame is active.
    let block = Block(unsafe { (*ec.fiber.frame).block });
    if let Some(proc) = block.value().and_then(Proc::from_value)
        && proc.is_lambda()
        && proc.iseq().is_some()
    {
        let class = ec.class(WellKnown::Proc);
        let loose = proc.copy(ec, class, proc.flags() & !LAMBDA)?;
        // SAFETY: as above; the frame marks its block.
        unsafe { (*ec.fiber.frame).block = loose.0.bits() };
    }
    Ok(Value::NIL)
}

fn array_size(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::fixnum(array::len(need_array(ec, args)?) as i64))
}

/// `Primitive.range_covers(range, value)`: nil if that takes calls of `<=>`.
fn range_covers(ec: &mut Ec, args: &[Value]) -> Res {
    let plain = args[0].is_type(Type::Range) && ec.vm().basic_ops.intact(BasicOp::CMP, Classes::NUMBER);
    let covered = if plain { asterism_vm::interp::range_covers(args[0], args[1]) } else { None };
    Ok(covered.map_or(Value::NIL, Value::bool))
}

/// `Primitive.addition_intact?`: is `+` of Integer and Float the core's, so that code of the core library may add for a program?
fn addition_intact(ec: &mut Ec, _args: &[Value]) -> Res {
    Ok(Value::bool(ec.vm().basic_ops.intact(BasicOp::ADD, Classes::NUMBER)))
}

fn array_at(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(array::get(need_array(ec, args)?, args[1].as_fixnum()))
}

/// `Primitive.array_as_value(array)`: what several values are as one, the only one, nil for none, or the Array.
fn array_as_value(ec: &mut Ec, args: &[Value]) -> Res {
    let list = need_array(ec, args)?;
    Ok(match array::len(list) {
        0 => Value::NIL,
        1 => array::get(list, 0),
        _ => list,
    })
}

/// `Primitive.several(passed)`: is that, a parameter `|*passed|`, none or several values, and not the only one?
fn several(_ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(args[0].cell().is_some_and(|cell| class_field(cell).bits() == 0)))
}

/// `Primitive.several_values(passed)`: these as an Array that anybody may have.
fn several_values(ec: &mut Ec, args: &[Value]) -> Res {
    let made = array::snapshot(ec, args[0]);
    ec.check(args[0], made)
}

fn array_new_capa(ec: &mut Ec, args: &[Value]) -> Res {
    let n = usize::try_from(ec.to_i64(args[0])?).unwrap_or(0);
    ec.array_with_capacity(n)
}

fn array_push(ec: &mut Ec, args: &[Value]) -> Res {
    let list = need_array(ec, args)?;
    ec.array_push(list, args[1])?;
    Ok(list)
}

fn array_set(ec: &mut Ec, args: &[Value]) -> Res {
    let list = need_array(ec, args)?;
    let i = usize::try_from(args[1].as_fixnum()).unwrap_or(0);
    let done = array::set(ec, list, i, args[2]);
    ec.check(list, done)?;
    Ok(args[2])
}

fn array_clear(ec: &mut Ec, args: &[Value]) -> Res {
    let list = need_array(ec, args)?;
    let done = array::clear(ec, list);
    ec.check(list, done)?;
    Ok(list)
}

fn hash_size(ec: &mut Ec, args: &[Value]) -> Res {
    if !args[0].is_type(Type::Hash) {
        return Err(uninitialized(ec, args[0]));
    }
    Ok(Value::fixnum(hash::len(args[0]) as i64))
}

fn undef(_ec: &mut Ec, _args: &[Value]) -> Res {
    Ok(Value::UNDEF)
}

fn undef_p(_ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(args[0].is_undef()))
}

fn kind_of(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(ec.is_kind_of(args[0], args[1])))
}

/// A count or an index: an Integer that fits a machine word.
fn to_int(ec: &mut Ec, args: &[Value]) -> Res {
    let n = ec.to_i64(args[0])?;
    ec.int(n)
}

/// An Integer of any size.
fn to_integer(ec: &mut Ec, args: &[Value]) -> Res {
    ec.to_integer(args[0])
}

fn to_ary_or_nil(ec: &mut Ec, args: &[Value]) -> Res {
    if args[0].is_type(Type::Array) {
        return Ok(args[0]);
    }
    Ok(ec.check_array(args[0])?.unwrap_or(Value::NIL))
}

fn raise_frozen_if(ec: &mut Ec, args: &[Value]) -> Res {
    ec.check_frozen(args[0])?;
    Ok(Value::NIL)
}

fn obj_same(_ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(args[0] == args[1]))
}

/// `Primitive.class_of(object)`: an object need not have a method `class`, or one that tells it.
fn class_of(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(ec.real_class_of(args[0]).0)
}

/// `Primitive.responds(object, name, all = false)`: as conversions ask, which do not need a method `respond_to?`.
fn responds(ec: &mut Ec, args: &[Value]) -> Res {
    let Some(name) = args[1].as_sym() else { return Ok(Value::FALSE) };
    let all = args.get(2).is_some_and(|all| all.truthy());
    ec.respond_to(args[0], name, all).map(Value::bool)
}

/// `Primitive.is_core(object, name)`: is its method of that name the core library's own?
fn is_core(ec: &mut Ec, args: &[Value]) -> Res {
    let Some(name) = args[1].as_sym() else { return Ok(Value::FALSE) };
    let class = ec.class_of(args[0]);
    let found = ec.find_method(class, name).1;
    Ok(Value::bool(found.is_some_and(|found| found.method.is_core())))
}

/// `Primitive.call_public(object, name, argument)`: what a program asks for by name is to be public.
fn call_public(ec: &mut Ec, args: &[Value]) -> Res {
    let name = ec.to_sym(args[1])?;
    ec.call_public(args[0], name, &args[2..])
}

fn array_uniq(ec: &mut Ec, args: &[Value]) -> Res {
    let list = need_array(ec, args)?;
    crate::array::compare::uniq(ec, list)
}

/// Notes that an object is being inspected: a token for `inspect_leave`, or nil if it is already.
fn inspect_enter(ec: &mut Ec, args: &[Value]) -> Res {
    let tag = Value::fixnum(Tag::Inspect as i64);
    Ok(recursion::enter(ec, tag, args[0], Value::NIL)?.map_or(Value::NIL, |depth| Value::fixnum(depth as i64)))
}

/// `pair_enter(kind, a, b)`: notes that two objects are being compared (kind 0: `==`, 1: `eql?`); a token
/// for `inspect_leave`, or nil if they are already.
fn pair_enter(ec: &mut Ec, args: &[Value]) -> Res {
    let tag = match args[0].fixnum_value() {
        Some(0) => Tag::Equal,
        _ => Tag::Eql,
    };
    let entered = recursion::enter(ec, Value::fixnum(tag as i64), args[1], args[2])?;
    Ok(entered.map_or(Value::NIL, |depth| Value::fixnum(depth as i64)))
}

/// The permanent name of an object's class whatever its `name` method says; nil if it has none.
fn class_label(ec: &mut Ec, args: &[Value]) -> Res {
    let class = ec.real_class_of(args[0]);
    let name = class.name();
    if let Some(name) = name.as_sym() {
        return ec.str_enc(name.bytes(), name.name().encoding);
    }
    // A name that begins in an anonymous module is not permanent.
    let lasting = name.is_type(Type::String) && string::with_bytes(ec, name, |s, _| s.first() != Some(&b'#'));
    if lasting {
        let copy = string::dup(ec, name);
        return ec.check(name, copy);
    }
    Ok(Value::NIL)
}

fn inspect_leave(ec: &mut Ec, args: &[Value]) -> Res {
    if let Some(depth) = args[0].fixnum_value().and_then(|n| usize::try_from(n).ok()) {
        recursion::leave(ec, depth)?;
    }
    Ok(Value::NIL)
}

/// Is it a String of ASCII digits, at least one?
fn digits_p(ec: &mut Ec, args: &[Value]) -> Res {
    if !args[0].is_type(Type::String) {
        return Ok(Value::FALSE);
    }
    let yes = string::with_bytes(ec, args[0], |s, _| !s.is_empty() && s.iter().all(u8::is_ascii_digit));
    Ok(Value::bool(yes))
}

/// Is it a String that can be the name of a constant?
fn constant_name_p(ec: &mut Ec, args: &[Value]) -> Res {
    if !args[0].is_type(Type::String) {
        return Ok(Value::FALSE);
    }
    let yes = string::with_bytes(ec, args[0], |s, _| {
        let text = String::from_utf8_lossy(s);
        text.chars().next().is_some_and(char::is_uppercase)
            && text.chars().all(|c| c == '_' || c.is_alphanumeric() || !c.is_ascii())
    });
    Ok(Value::bool(yes))
}
