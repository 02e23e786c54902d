//! Method: a method with its receiver. UnboundMethod shares the representation.

use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Sym, Value};
use asterism_symbol::sym;
use asterism_vm::args::CallArgs;
use asterism_vm::block::Proc;
use asterism_vm::call::CallKind;
use asterism_vm::method::{Body, Method, Visibility, lookup_from};
use asterism_vm::{ANY, Args, Arguments, Ec, Exc, NativeDef, Res};

use super::method_data::MethodObject;
use super::parameters;
use crate::object::forward;

/// What Method and UnboundMethod share.
pub static SHARED: &[NativeDef] = &[
    NativeDef::new("name", name, 0, 0).leaf(),
    NativeDef::new("original_name", original_name, 0, 0).leaf(),
    NativeDef::new("owner", owner, 0, 0).leaf(),
    NativeDef::new("arity", arity, 0, 0).leaf(),
    NativeDef::new("parameters", method_parameters, 0, 0),
    NativeDef::new("source_location", source_location, 0, 0),
    NativeDef::new("super_method", super_method, 0, 0),
    NativeDef::new("==", equal, 1, 1).leaf(),
    NativeDef::new("eql?", equal, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("to_s", inspect, 0, 0),
];

static METHOD: &[NativeDef] = &[
    NativeDef::new("call", call, 0, ANY),
    NativeDef::new("[]", call, 0, ANY),
    NativeDef::new("===", call, 0, ANY),
    NativeDef::new("to_proc", to_proc, 0, 0),
    NativeDef::new("receiver", receiver, 0, 0).leaf(),
    NativeDef::new("unbind", unbind, 0, 0),
];

/// Defines Method's methods, and those it shares with UnboundMethod.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    for class in [WellKnown::Method, WellKnown::UnboundMethod] {
        let class = ec.known(class);
        ec.define_natives(class, SHARED)?;
        let meta = ec.singleton_class(class.0)?;
        ec.undef_method(meta, sym::new)?;
    }
    let class = ec.known(WellKnown::Method);
    ec.define_natives(class, METHOD)
}

fn make(ec: &mut Ec, class: WellKnown, receiver: Value, method: Value, from: Value) -> Res {
    let class = ec.class(class);
    let word = || AtomicValue::new(Value::NIL);
    let made = data::new(ec, class, MethodObject { receiver: word(), method: word(), class: word() });
    let made = ec.check(Value::NIL, made)?;
    if let (Some(object), Some(cell)) = (data::get::<MethodObject>(&made), made.cell()) {
        asterism_object::store(cell, &object.receiver, receiver);
        asterism_object::store(cell, &object.method, method);
        asterism_object::store(cell, &object.class, from);
    }
    Ok(made)
}

/// A Method of `receiver`, found looking in `class`.
///
/// # Errors
/// NoMemoryError.
pub fn new(ec: &mut Ec, receiver: Value, method: Method, class: Class) -> Res {
    make(ec, WellKnown::Method, receiver, method.0, class.0)
}

/// An UnboundMethod.
///
/// # Errors
/// NoMemoryError.
pub fn new_unbound(ec: &mut Ec, method: Method, class: Class) -> Res {
    make(ec, WellKnown::UnboundMethod, Value::UNDEF, method.0, class.0)
}

/// A copy of a Method or UnboundMethod; `None` for any other object.
///
/// # Errors
/// NoMemoryError.
pub fn copy_method_object(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    let Some(object) = data::get::<MethodObject>(&v) else {
        return Ok(None);
    };
    let (receiver, class) = (object.receiver(), object.class());
    let method = object.method.load(Ordering::Acquire);
    let kind = if receiver.is_undef() { WellKnown::UnboundMethod } else { WellKnown::Method };
    make(ec, kind, receiver, method, class).map(Some)
}

/// `Kernel#method` and `#public_method`.
///
/// # Errors
/// NameError if there is no such method.
pub fn of_receiver(ec: &mut Ec, this: Value, name: Value, public: bool) -> Res {
    let name = ec.to_sym(name)?;
    let class = ec.class_of(this);
    let found = ec.find_method_for_caller(class, name).1;
    match found {
        Some(f) if !public || f.visibility == Visibility::Public => {
            return new(ec, this, f.method, class);
        }
        Some(f) => {
            let kind = if f.visibility == Visibility::Private { "private" } else { "protected" };
            let real = ec.real_class_of(this);
            let shown = crate::module::described(ec, real);
            let message = format!("method '{}' for {shown} is {kind}", name.text());
            return Err(ec.name_error(Exc::NameError, message, this, name));
        }
        None => {}
    }
    let promised = match ec.find_method(class, sym::respond_to_missing_p).1 {
        Some(f) if !f.method.is_native_of_core() => {
            ec.call(this, sym::respond_to_missing_p, &[Value::sym(name), Value::bool(!public)])?.truthy()
        }
        _ => false,
    };
    if promised {
        return make(ec, WellKnown::Method, this, Value::sym(name), class.0);
    }
    let shown = match Class::from_value(this) {
        Some(_) => format!("class '#<Class:{}>'", ec.class_name(Class(this))),
        None => {
            let real = ec.real_class_of(this);
            crate::module::described(ec, real)
        }
    };
    let message = format!("undefined method '{}' for {shown}", name.text());
    Err(ec.name_error(Exc::NameError, message, this, name))
}

/// The Binding of a Proc made of a Method: its receiver and its place, without locals. `None` if `v` is no Method.
///
/// # Errors
/// NoMemoryError.
pub fn binding_of(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    let Some(object) = data::get::<MethodObject>(&v) else {
        return Ok(None);
    };
    let (receiver, Some(method)) = (object.receiver(), object.method()) else {
        return Ok(None);
    };
    method.prepare(ec)?;
    if !matches!(method.body(), Body::Ruby(_)) {
        return Ok(None);
    }
    let place = place_of(ec, method)?;
    super::binding::of_method(ec, receiver, method, place).map(Some)
}

/// The method to define in `class` from a Method or UnboundMethod; `None` if `v` is neither.
///
/// # Errors
/// TypeError if its owner is no ancestor of `class`.
pub fn method_of(ec: &mut Ec, v: Value, class: Class) -> Res<Option<Method>> {
    let Some(object) = data::get::<MethodObject>(&v) else {
        return Ok(None);
    };
    let Some(method) = object.method() else {
        return Err(ec.not_implemented("define_method with a method that respond_to_missing? promises"));
    };
    let owner = method.owner();
    if owner.is_module() || class.inherits_from(owner) {
        return Ok(Some(method));
    }
    if owner.is_singleton() {
        return Err(ec.type_error("can't bind singleton method to a different class"));
    }
    let name = ec.class_name(owner);
    Err(ec.type_error(format!("bind argument must be a subclass of {name}")))
}

fn object(ec: &mut Ec, this: &Value) -> Res<(Value, Option<Method>, Sym, Value)> {
    match data::get::<MethodObject>(this) {
        Some(o) => Ok((o.receiver(), o.method(), o.name(), o.class())),
        None => Err(ec.type_error("uninitialized Method")),
    }
}

/// Calls what the object refers to.
pub fn invoke(ec: &mut Ec, receiver: Value, method: Option<Method>, name: Sym, args: &CallArgs<'_>) -> Res {
    match method {
        Some(method) => ec.call_method(receiver, method, args),
        None => {
            let all = ec.array(&[Value::sym(name)])?;
            for v in args.argv {
                ec.array_push(all, *v)?;
            }
            let call = CallArgs { argv: asterism_object::array::private_slice(&all), ..*args };
            let result = ec.call_with(receiver, sym::method_missing, &call, CallKind::Private);
            asterism_heap::keep_alive(all.bits());
            result
        }
    }
}

fn call(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (receiver, method, name, _) = object(ec, &this)?;
    invoke(ec, receiver, method, name, &forward(args, 0))
}

fn call_as_proc(ec: &mut Ec, data: Value, args: Args<'_>) -> Res {
    call(ec, data, args)
}

fn to_proc(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Proc::native(ec, call_as_proc, this, true)?.0)
}

fn receiver(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(object(ec, &this)?.0)
}

fn unbind(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (_, method, name, class) = object(ec, &this)?;
    let method = method.map_or(Value::sym(name), |m| m.0);
    make(ec, WellKnown::UnboundMethod, Value::UNDEF, method, class)
}

fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::sym(object(ec, &this)?.2))
}

fn original_name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (_, method, name, _) = object(ec, &this)?;
    Ok(Value::sym(method.map_or(name, |m| m.original_name())))
}

fn owner(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (_, method, _, class) = object(ec, &this)?;
    let Some(method) = method else { return Ok(class) };
    // An alias belongs where it was made; the method it names keeps its own owner, for `super`.
    if method.name() != method.original_name()
        && let Some(class) = Class::from_value(class)
    {
        for link in class.chain() {
            if ec.own_method(link, method.name()) == Some(method) {
                return Ok(link.delegate().0);
            }
        }
    }
    // And one whose visibility alone was changed belongs where that was done.
    if let Some(class) = Class::from_value(class) {
        for link in class.chain() {
            match ec.own_method(link, method.name()) {
                Some(entry) if matches!(entry.body(), Body::ZSuper) => return Ok(link.delegate().0),
                Some(_) => break,
                None => {}
            }
        }
    }
    Ok(method.owner().0)
}

fn arity(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (_, method, _, _) = object(ec, &this)?;
    Ok(Value::fixnum(method.map_or(-1, |m| i64::from(parameters::method_arity(ec, m)))))
}

fn method_parameters(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match object(ec, &this)?.1 {
        Some(method) => parameters::of_method(ec, method),
        None => parameters::of_arity(ec, -1),
    }
}

fn source_location(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let Some(method) = object(ec, &this)?.1 else {
        return Ok(Value::NIL);
    };
    place_of(ec, method)
}

/// `[file, line]` of a method's code, or of what has defined an attribute; nil if it has none.
fn place_of(ec: &mut Ec, method: Method) -> Res {
    method.prepare(ec)?;
    if let Body::AttrReader(_) | Body::AttrWriter(_) = method.body() {
        let place = method.cref();
        if !place.is_type(Type::Array) {
            return Ok(Value::NIL);
        }
        let part = |i: usize| asterism_object::array::at(place, i).unwrap_or(Value::NIL);
        let file = asterism_object::string::dup(ec, part(0));
        let file = ec.check(place, file)?;
        return ec.array(&[file, part(1)]);
    }
    let iseq = match method.body() {
        Body::Ruby(iseq) => Some(iseq),
        Body::Block(proc) => Proc::from_value(proc).and_then(|p| p.iseq()),
        _ => None,
    };
    match iseq {
        // SAFETY: the method, or the Proc it keeps, keeps the code alive.
        Some(iseq) => unsafe {
            let code = (*iseq).code.clone();
            crate::source::location(ec, &code)
        },
        None => Ok(Value::NIL),
    }
}

fn super_method(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (receiver, method, _, class) = object(ec, &this)?;
    let (Some(method), Some(class)) = (method, Class::from_value(class)) else {
        return Ok(Value::NIL);
    };
    let behind = asterism_vm::call::super_start(class, method);
    match lookup_from(ec, behind, method.original_name()) {
        Some(found) => {
            let mut method = found.method;
            let link = found.defined_class;
            if link.is_include() && class.chain().take_while(|l| *l != link).any(|l| l.delegate() == link.delegate()) {
                method = method.positioned(ec, link)?;
            }
            if receiver.is_undef() { new_unbound(ec, method, class) } else { new(ec, receiver, method, class) }
        }
        None => Ok(Value::NIL),
    }
}

/// Do two method cells do the same? Aliases and copies share their body.
fn same_body(a: Method, b: Method) -> bool {
    if a == b {
        return true;
    }
    match (a.body(), b.body()) {
        (Body::Ruby(x), Body::Ruby(y)) => x == y,
        // A function defined under two names is one method.
        (Body::Native(x), Body::Native(y)) => {
            std::ptr::fn_addr_eq(x.func, y.func) && (x.min, x.max, x.runs) == (y.min, y.max, y.runs)
        }
        (Body::AttrReader(x), Body::AttrReader(y)) | (Body::AttrWriter(x), Body::AttrWriter(y)) => x == y,
        (Body::Block(x), Body::Block(y)) => x == y,
        _ => false,
    }
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    for object in [this, args[0]] {
        if let Some(method) = data::get::<MethodObject>(&object).and_then(|o| o.method()) {
            method.prepare(ec)?;
        }
    }
    let (Some(a), Some(b)) = (data::get::<MethodObject>(&this), data::get::<MethodObject>(&args[0])) else {
        return Ok(Value::FALSE);
    };
    let same = ec.class_of(this) == ec.class_of(args[0])
        && a.receiver() == b.receiver()
        && match (a.method(), b.method()) {
            (Some(x), Some(y)) => same_body(x, y) && x.owner() == y.owner(),
            (None, None) => a.name() == b.name(),
            _ => false,
        };
    Ok(Value::bool(same))
}

fn hash(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if let Some(method) = data::get::<MethodObject>(&this).and_then(|o| o.method()) {
        method.prepare(ec)?;
    }
    let Some(o) = data::get::<MethodObject>(&this) else {
        return Ok(Value::fixnum(0));
    };
    let body = match o.method().map(|m| m.body()) {
        Some(Body::Ruby(iseq)) => iseq as u64,
        Some(Body::Native(def)) => def.func as usize as u64,
        Some(Body::Block(proc)) => proc.bits(),
        _ => u64::from(o.name().0),
    };
    let h = asterism_object::builtin::mix(body ^ asterism_object::builtin::mix(o.receiver().bits()));
    Ok(Value::fixnum((h >> 2) as i64))
}

/// A parameter list as `inspect` shows it: `(a, b=..., *c, d:, e: ..., **f, &g)`.
fn signature(ec: &mut Ec, method: Method) -> Res<String> {
    let list = parameters::of_method(ec, method)?;
    let mut shown: Vec<String> = Vec::new();
    for i in 0..asterism_object::array::len(list) {
        let pair = asterism_object::array::at(list, i).unwrap_or(Value::NIL);
        let part =
            |i: usize| asterism_object::array::at(pair, i).and_then(Value::as_sym).map(|s| s.text().into_owned());
        let kind = part(0).unwrap_or_default();
        let name = part(1);
        let text = name.clone().unwrap_or_else(|| "_".into());
        shown.push(match (kind.as_str(), name.as_deref()) {
            ("opt", _) => format!("{text}=..."),
            ("rest", None | Some("*")) => "*".into(),
            ("rest", _) => format!("*{text}"),
            ("keyreq", _) => format!("{text}:"),
            ("key", _) => format!("{text}: ..."),
            ("keyrest", None | Some("**")) => "**".into(),
            ("keyrest", _) => format!("**{text}"),
            ("nokey", _) => "**nil".into(),
            ("block", None | Some("&")) => "&".into(),
            ("block", _) => format!("&{text}"),
            _ => text,
        });
    }
    if shown.len() >= 3 && shown[shown.len() - 3..] == ["*", "**", "&"] {
        shown.truncate(shown.len() - 3);
        shown.push("...".into());
    }
    Ok(format!("({})", shown.join(", ")))
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (receiver, method, name, class) = object(ec, &this)?;
    let kind = ec.class_name_of(this);
    let name_text = name.text().into_owned();
    let Some(method) = method else {
        let class = Class::from_value(class).map(|c| ec.class_name(c.real())).unwrap_or_default();
        return ec.str(format!("#<{kind}: {class}#{name_text}(*)>"));
    };
    let owner = method.owner();
    let shown = |ec: &mut Ec, class: Class| -> Res<String> {
        let text = ec.inspect_for_error(class.0)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    let place = if owner.is_singleton() && receiver.is_undef() {
        format!("{}#", ec.class_name(owner))
    } else if owner.is_singleton() {
        let attached = owner.module();
        let shown = ec.inspect_for_error(attached)?;
        let mut place = String::from_utf8_lossy(&shown).into_owned();
        if !receiver.is_undef() && receiver != attached {
            let of = ec.inspect_for_error(receiver)?;
            place = format!("{}({place})", String::from_utf8_lossy(&of));
        }
        format!("{place}.")
    } else {
        let owner_name = shown(ec, owner)?;
        if receiver.is_undef() {
            format!("{owner_name}#")
        } else if Class::from_value(receiver).is_some_and(|c| c.is_class()) && owner != ec.real_class_of(receiver) {
            // A class's own class is its singleton class.
            let of = shown(ec, Class(receiver))?;
            format!("#<Class:{of}>({owner_name})#")
        } else {
            let real = ec.real_class_of(receiver);
            if real == owner { format!("{owner_name}#") } else { format!("{}({owner_name})#", shown(ec, real)?) }
        }
    };
    let original = method.original_name();
    let alias = if original == name { String::new() } else { format!("({})", original.text()) };
    let signature = signature(ec, method)?;
    let location = source_location(ec, this, &Arguments::new(&[]))?;
    let at = match location.heap_type() {
        Some(Type::Array) => {
            let file = asterism_object::array::at(location, 0).unwrap_or(Value::NIL);
            let line = asterism_object::array::at(location, 1).and_then(Value::fixnum_value).unwrap_or(0);
            format!(" {}:{line}", asterism_object::string::to_string_lossy(ec, file))
        }
        _ => String::new(),
    };
    // CRuby has most of what is written in Ruby here in C, which has no place.
    let at = if at.starts_with(" <internal:") { String::new() } else { at };
    ec.str(format!("#<{kind}: {place}{name_text}{alias}{signature}{at}>"))
}

/// Binds for `UnboundMethod#bind`: the receiver must be of the owner's kind.
pub fn check_bind(ec: &mut Ec, method: Method, receiver: Value) -> Res<()> {
    let owner = method.owner();
    // A refinement's methods are those of what it refines.
    let refined = ec.refinement_owner(owner).and_then(|_| Class::from_value(owner.module()));
    let owner = refined.unwrap_or(owner);
    if owner.is_module() || ec.is_kind_of(receiver, owner.0) {
        return Ok(());
    }
    if owner.is_singleton() {
        return Err(ec.type_error("singleton method called for a different object"));
    }
    let name = ec.class_name(owner);
    Err(ec.type_error(format!("bind argument must be an instance of {name}")))
}

/// The parts of an UnboundMethod.
pub fn parts(ec: &mut Ec, this: Value) -> Res<Method> {
    match object(ec, &this)?.1 {
        Some(method) => Ok(method),
        None => Err(ec.not_implemented("binding a method that respond_to_missing? promises")),
    }
}
