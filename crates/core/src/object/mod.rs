//! BasicObject, Object and the instance methods of Kernel: identity, class, freezing, sending.

pub mod copy;
mod evaluate;
mod forward;
mod ivar;
mod reflect;

use crate::module::check::{check_modules, check_no_refinement};
use crate::module::hook::no_op;
use crate::objspace::ids::id_of;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, builtin, ownership};
use asterism_symbol::sym;
use asterism_vm::call::CallKind;
use asterism_vm::native::{Intrinsic, Special};
use asterism_vm::refine::refined;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res, Root};

pub use copy::copy_singleton;
pub use forward::forward;
pub use ivar::ivar_name;

static BASIC_OBJECT: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, ANY).private().special(Special::Initialize),
    NativeDef::new("==", same, 1, 1).leaf(),
    NativeDef::new("equal?", same, 1, 1).leaf(),
    NativeDef::new("!", not, 0, 0).leaf(),
    NativeDef::new("!=", not_equal, 1, 1),
    NativeDef::new("__id__", object_id, 0, 0).leaf(),
    NativeDef::new("__send__", send, 0, ANY).special(Special::Send),
    NativeDef::new("instance_eval", evaluate::instance_eval, 0, 3),
    NativeDef::new("instance_exec", evaluate::instance_exec, 0, ANY),
    NativeDef::new("method_missing", method_missing, 0, ANY).private(),
    NativeDef::new("singleton_method_added", no_op, 1, 1).private().leaf(),
    NativeDef::new("singleton_method_removed", no_op, 1, 1).private().leaf(),
    NativeDef::new("singleton_method_undefined", no_op, 1, 1).private().leaf(),
];

static CLASS: &[NativeDef] = &[NativeDef::new("new", class_new, 0, ANY).special(Special::New)];

static KERNEL: &[NativeDef] = &[
    NativeDef::new("class", class, 0, 0).leaf(),
    NativeDef::new("singleton_class", singleton_class, 0, 0).leaf(),
    NativeDef::new("frozen?", frozen_p, 0, 0).leaf(),
    NativeDef::new("freeze", freeze, 0, 0).leaf(),
    NativeDef::new("===", case_equal, 1, 1),
    NativeDef::new("!~", not_match, 1, 1),
    NativeDef::new("<=>", compare, 1, 1),
    NativeDef::new("eql?", same, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("object_id", object_id, 0, 0).leaf(),
    NativeDef::new("nil?", nil_p, 0, 0).leaf(),
    NativeDef::new("is_a?", is_a, 1, 1).leaf().intrinsic(Intrinsic::IsA),
    NativeDef::new("kind_of?", is_a, 1, 1).leaf().intrinsic(Intrinsic::IsA),
    NativeDef::new("instance_of?", instance_of, 1, 1).leaf().intrinsic(Intrinsic::InstanceOf),
    NativeDef::new("respond_to?", respond_to, 1, 2).intrinsic(Intrinsic::RespondTo),
    NativeDef::new("respond_to_missing?", respond_to_missing, 2, 2).private().leaf(),
    NativeDef::new("send", send, 0, ANY).special(Special::Send),
    NativeDef::new("public_send", public_send, 0, ANY),
    NativeDef::new("extend", extend, 0, ANY),
    NativeDef::new("to_s", to_s, 0, 0),
    NativeDef::new("inspect", ivar::inspect, 0, 0),
    NativeDef::new("display", display, 0, 1),
    NativeDef::new("itself", itself, 0, 0).leaf(),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let basic = ec.known(WellKnown::BasicObject);
    ec.define_natives(basic, BASIC_OBJECT)?;
    let class = ec.known(WellKnown::Class);
    ec.define_natives(class, CLASS)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_natives(kernel, KERNEL)?;
    ec.define_natives(kernel, copy::KERNEL)?;
    ec.define_natives(kernel, ivar::KERNEL)?;
    ec.define_natives(kernel, reflect::KERNEL)?;
    let main = ec.vm().root(Root::MainObject);
    let single = ec.singleton_class(main)?;
    ec.define_natives(single, MAIN)
}

static MAIN: &[NativeDef] =
    &[NativeDef::new("to_s", main_to_s, 0, 0).leaf(), NativeDef::new("inspect", main_to_s, 0, 0).leaf()];

fn main_to_s(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.str("main")
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Ok(Value::NIL);
    }
    // Arguments are refused unless the class has a constructor of its own that passes them up.
    let class = ec.class_of(this);
    let own_new = {
        let meta = ec.class_of(class.0);
        ec.find_method(meta, sym::new).1.is_none_or(|f| !f.method.is_native_of_core())
    };
    let found = ec.find_method(class, sym::initialize).1;
    let own_initialize = found.is_some_and(|f| !f.method.is_native_of_core());
    if own_initialize || own_new {
        return Ok(Value::NIL);
    }
    Err(ec.arity_error(args.len(), 0, Some(0)))
}

fn class_new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.new_instance(Class(this), args)
}

fn same(_ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(this == args[0]))
}

fn not(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(!this.truthy()))
}

fn not_equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!ec.call(this, sym::EQ, &[args[0]])?.truthy()))
}

fn object_id(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    id_of(ec, this)
}

fn send(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    send_as(ec, this, args, CallKind::Private)
}

fn public_send(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    send_as(ec, this, args, CallKind::Sent)
}

fn send_as(ec: &mut Ec, this: Value, args: Args<'_>, kind: CallKind) -> Res {
    let Some(name) = args.get(0) else {
        return Err(ec.arg_error("no method name given"));
    };
    let name = ec.to_sym(name)?;
    if refined(ec.cref().0).is_some() {
        let class = ec.class_of(this);
        if let (_, Some(found)) = ec.find_method_for_caller(class, name)
            && ec.may_call(this, &found, kind)
        {
            return ec.call_method(this, found.method, &forward(args, 1));
        }
    }
    ec.call_with(this, name, &forward(args, 1), kind)
}

fn method_missing(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(name) = args.get(0).and_then(Value::as_sym) else {
        return Err(ec.arg_error("no method name given"));
    };
    // The error belongs to the call that found no method.
    let class = ec.class_of(this);
    let hidden = ec.find_method(class, name).1.map(|f| f.visibility);
    // SAFETY: a native frame's caller is active as long as the native runs.
    unsafe {
        let caller = (*ec.fiber.frame).prev;
        if !caller.is_null() {
            ec.fiber.frame = caller;
        }
    }
    let rest = args.slice().get(1..).unwrap_or_default();
    Err(ec.no_method_called(this, name, rest, ec.thread.missing_kind, hidden))
}

fn class(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(ec.real_class_of(this).0)
}

fn singleton_class(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let single = ec.open_singleton(this)?;
    if ownership::is_frozen(this) && single.is_singleton() && !ownership::is_frozen(single.0) {
        ec.freeze(single.0)?;
    }
    Ok(single.0)
}

fn frozen_p(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ownership::is_frozen(this)))
}

fn freeze(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if this.is_heap() {
        let class = ec.class_of(this);
        if class.is_singleton() && class.module() == this && Class::from_value(this).is_none() {
            ec.freeze(class.0)?;
        }
    }
    ec.freeze(this)
}

fn case_equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(ec.eq(this, args[0])?))
}

fn not_match(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(!ec.call(this, sym::MATCH, &[args[0]])?.truthy()))
}

fn compare(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if this == args[0] {
        return Ok(Value::fixnum(0));
    }
    // Comparable's `==` asks `<=>`, which may be this one again.
    let same = asterism_vm::recursion::guard_pair(ec, asterism_vm::recursion::Tag::Compare, this, args[0], |ec| {
        ec.eq(this, args[0])
    })?;
    Ok(if same == Some(true) { Value::fixnum(0) } else { Value::NIL })
}

fn hash(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let h = match builtin::hash(ec, this) {
        Some(h) => h,
        None => builtin::mix(this.bits()),
    };
    Ok(builtin::number(ec, h))
}

fn nil_p(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(this.is_nil()))
}

fn is_a(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if Class::from_value(args[0]).is_none() {
        return Err(ec.type_error("class or module required"));
    }
    Ok(Value::bool(ec.is_kind_of(this, args[0])))
}

fn instance_of(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if Class::from_value(args[0]).is_none() {
        return Err(ec.type_error("class or module required"));
    }
    Ok(Value::bool(ec.real_class_of(this).0 == args[0]))
}

fn respond_to(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = ec.known_sym(args[0])?;
    let private_too = args.or_nil(1).truthy();
    let class = ec.class_of(this);
    if let Some(name) = name
        && let (_, Some(found)) = ec.find_method_for_caller(class, name)
        && found.answers(private_too)
    {
        return Ok(Value::TRUE);
    }
    if let (_, Some(missing)) = ec.find_method(class, sym::respond_to_missing_p)
        && !missing.method.is_native_of_core()
    {
        let name = match args[0].as_symbol() {
            Some(_) => args[0],
            None => {
                let text = ec.to_str(args[0])?;
                ec.intern(text)?
            }
        };
        let answer = ec.call(this, sym::respond_to_missing_p, &[name, Value::bool(private_too)])?;
        return Ok(Value::bool(answer.truthy()));
    }
    Ok(Value::FALSE)
}

fn respond_to_missing(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::FALSE)
}

fn extend(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    check_modules(ec, args)?;
    check_no_refinement(ec, args, "Cannot extend object with refinement")?;
    for &module in args.slice().iter().rev() {
        ec.call(module, sym::extend_object, &[this])?;
        ec.call(module, sym::extended, &[this])?;
    }
    Ok(this)
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = ec.any_to_s(this);
    ivar::plain(ec, &text)
}

fn display(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let out = match args.get(0) {
        Some(out) => out,
        None => ec.gvar_get(asterism_symbol::intern("$stdout"))?,
    };
    let text = ec.to_s(this)?;
    ec.call(out, sym::write, &[text])?;
    Ok(Value::NIL)
}

fn itself(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}
