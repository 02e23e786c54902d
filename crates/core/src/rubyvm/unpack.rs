//! Unpacking: makes objects of a message, in the VM of the receiver.
//!
//! First every part becomes an object without contents, then the contents are filled in, Hashes last, innermost first:
//! the keys must be complete when their hash values are asked for.

use std::sync::Arc;

use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, data, float, hash, numeric, ownership, range, structs};
use asterism_symbol::{intern, sym};
use asterism_vm::block::Proc;
use asterism_vm::{Ec, Exc, Res};

use super::channel::ChannelObject;
use super::message::{Body, Message, Part, Word};

/// Makes the objects of a message.
///
/// # Errors
/// ArgumentError if a class is not known here, or is of another kind; what `marshal_load` and its like raise; NoMemoryError.
pub fn unpack(ec: &mut Ec, message: &Message) -> Res {
    if let Word::Immediate(bits) = message.root {
        return Ok(Value(bits));
    }
    let made = ec.array(&[])?;
    for part in &message.parts {
        let object = shell(ec, part)?;
        ec.array_push(made, object)?;
    }
    for (n, part) in message.parts.iter().enumerate() {
        if let Some(object) = from_contents(ec, part, made)? {
            let done = array::set(ec, made, n, object);
            ec.check(made, done)?;
        }
    }
    let mut late = Vec::new();
    for (n, part) in message.parts.iter().enumerate() {
        match part.body {
            Body::Hash(..) | Body::Hooked(..) => late.push(n),
            _ => fill(ec, part, made, n)?,
        }
    }
    for n in late.into_iter().rev() {
        fill(ec, &message.parts[n], made, n)?;
    }
    for (n, part) in message.parts.iter().enumerate() {
        let object = array::at(made, n).unwrap_or(Value::NIL);
        for &(name, word) in &part.ivars {
            let value = value(made, word);
            ec.ivar_put(object, name, value)?;
        }
        if part.frozen && !ownership::is_frozen(object) {
            ec.freeze(object)?;
        }
    }
    Ok(value(made, message.root))
}

fn value(made: Value, word: Word) -> Value {
    match word {
        Word::Immediate(bits) => Value(bits),
        Word::Part(n) => array::at(made, n as usize).unwrap_or(Value::NIL),
    }
}

/// The class or module of this name, if there is one.
fn named(ec: &mut Ec, name: &str) -> Res<Option<Class>> {
    let mut at = ec.known(WellKnown::Object);
    for (i, part) in name.split("::").enumerate() {
        let found = ec.constant_in(at, intern(part), i == 0)?;
        match found {
            Some(v) if v.is_type(Type::Class) || v.is_type(Type::Module) => at = Class(v),
            _ => return Ok(None),
        }
    }
    Ok(Some(at))
}

fn class(ec: &mut Ec, name: &str) -> Res<Class> {
    match named(ec, name)? {
        Some(class) => Ok(class),
        None => Err(ec.arg_error(format!("undefined class/module {name}"))),
    }
}

/// The class of a part whose objects are made natively; it must come from `known`, or the layout would be another.
fn class_under(ec: &mut Ec, name: &str, known: WellKnown) -> Res<Value> {
    let base = ec.class(known);
    let found = class(ec, name)?;
    if found.inherits_from(Class(base)) {
        return Ok(found.0);
    }
    let base = ec.class_name(Class(base));
    Err(ec.type_error(format!("class {name} is no {base} here")))
}

/// The object without contents; nil for what is made in `fill`.
fn shell(ec: &mut Ec, part: &Part) -> Res {
    match &part.body {
        Body::Float(f) => {
            let made = float::new(ec, *f);
            ec.check(Value::NIL, made)
        }
        Body::Integer(n) => {
            let made = bigint::new(ec, n.clone());
            ec.check(Value::NIL, made)
        }
        Body::Rational(a, b) => {
            let a = ec.bigint(a.clone())?;
            let b = ec.bigint(b.clone())?;
            let made = numeric::rational(ec, a, b);
            ec.check(Value::NIL, made)
        }
        Body::String(parcel) => {
            let class = class_under(ec, &part.class, WellKnown::String)?;
            let made = parcel.open(ec, class);
            ec.check(Value::NIL, made)
        }
        Body::Array(items) => {
            let class = class_under(ec, &part.class, WellKnown::Array)?;
            let made = array::new_in(ec, class, items.len());
            ec.check(Value::NIL, made)
        }
        Body::Hash(pairs, ..) => {
            let class = class_under(ec, &part.class, WellKnown::Hash)?;
            let made = hash::new_in(ec, class, pairs.len());
            ec.check(Value::NIL, made)
        }
        Body::Object => {
            let class = class(ec, &part.class)?;
            if class.alloc() == Alloc::Native || !class.0.is_type(Type::Class) {
                return Err(ec.type_error(format!("class {} makes other objects here", part.class)));
            }
            ec.allocate(class)
        }
        Body::Struct(members) => {
            let class = class(ec, &part.class)?;
            let made = ec.allocate(class)?;
            if !made.is_type(Type::Struct) || structs::len(made) != members.len() {
                return Err(ec.type_error(format!("struct {} not compatible (struct size differs)", part.class)));
            }
            Ok(made)
        }
        Body::Range(..) => {
            let class = class_under(ec, &part.class, WellKnown::Range)?;
            let made = range::new_in(ec, class, Value::NIL, Value::NIL, false);
            ec.check(Value::NIL, made)
        }
        Body::Module => Ok(class(ec, &part.class)?.0),
        Body::Exception { ancestors, .. } => exception_shell(ec, ancestors),
        Body::Hooked(true, _) => {
            let class = class(ec, &part.class)?;
            ec.allocate(class)
        }
        Body::Channel(channel) => {
            let class = class(ec, &part.class)?;
            let made = data::new(ec, class.0, ChannelObject(channel.clone()));
            ec.check(Value::NIL, made)
        }
        Body::Proc(code, lambda) => Ok(Proc::isolated(ec, code, *lambda)?.0),
        Body::Io(stream) => {
            let class = class_under(ec, &part.class, WellKnown::IO)?;
            let made = crate::io::object::allocate(ec, Class(class))?;
            crate::io::object::install(ec, made, Arc::clone(stream))?;
            Ok(made)
        }
        Body::Complex(..) | Body::Regexp(..) | Body::Hooked(false, _) => Ok(Value::NIL),
    }
}

/// An exception of the nearest class that is known here.
fn exception_shell(ec: &mut Ec, ancestors: &[String]) -> Res {
    let base = ec.exc_class(Exc::Exception);
    for name in ancestors {
        if let Some(found) = named(ec, name)?
            && found.inherits_from(Class(base))
        {
            return ec.allocate(found);
        }
    }
    ec.allocate(Class(base))
}

fn fill(ec: &mut Ec, part: &Part, made: Value, n: usize) -> Res<()> {
    let object = array::at(made, n).unwrap_or(Value::NIL);
    match &part.body {
        Body::Array(items) => {
            for &item in items {
                let item = value(made, item);
                ec.array_push(object, item)?;
            }
        }
        Body::Hash(pairs, default, identity) => {
            if *identity {
                let done = hash::compare_by_identity(ec, object);
                ec.check(object, done)?;
            }
            for &(k, v) in pairs {
                ec.hash_set(object, value(made, k), value(made, v))?;
            }
            let done = hash::set_default(ec, object, value(made, *default), false);
            ec.check(object, done)?;
        }
        Body::Struct(members) => {
            for (i, &member) in members.iter().enumerate() {
                let done = structs::set(ec, object, i, value(made, member));
                ec.check(object, done)?;
            }
        }
        Body::Range(begin, end, exclusive) => range::init(object, value(made, *begin), value(made, *end), *exclusive),
        Body::Exception { message, backtrace, cause, .. } => {
            ec.ivar_put(object, sym::message_ivar, value(made, *message))?;
            crate::exception::backtraces::put_backtrace(ec, object, value(made, *backtrace))?;
            ec.ivar_put(object, sym::cause_ivar, value(made, *cause))?;
        }
        Body::Hooked(true, given) => {
            ec.call(object, intern("marshal_load"), &[value(made, *given)])?;
        }
        _ => {}
    }
    Ok(())
}

/// What can only be made when its contents are there. They are numbers and Strings, which are complete from the start.
fn from_contents(ec: &mut Ec, part: &Part, made: Value) -> Res<Option<Value>> {
    match &part.body {
        Body::Complex(real, imaginary) => {
            let complex = numeric::complex(ec, value(made, *real), value(made, *imaginary));
            ec.check(Value::NIL, complex).map(Some)
        }
        Body::Regexp(source, options) => crate::regexp::new_regexp(ec, value(made, *source), *options).map(Some),
        Body::Hooked(false, given) => {
            let class = class(ec, &part.class)?;
            ec.call(class.0, intern("_load"), &[value(made, *given)]).map(Some)
        }
        _ => Ok(None),
    }
}
