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
use super::message::{Body, Content, Graph, Message, Part, Word};
use crate::io_buffer;

/// Makes the objects of a message.
///
/// # Errors
/// ArgumentError if a class is not known here, or is of another kind; what `marshal_load` and its like raise; NoMemoryError.
pub fn unpack(ec: &mut Ec, message: &Message) -> Res {
    match &message.0 {
        Content::Immediate(v) => Ok(*v),
        Content::Float(f) => {
            let made = float::new(ec, *f);
            ec.check(Value::NIL, made)
        }
        Content::Integer(n) => {
            let made = bigint::new(ec, n.clone());
            ec.check(Value::NIL, made)
        }
        Content::String(parcel, frozen) => {
            let class = ec.class(WellKnown::String);
            let made = parcel.open(ec, class);
            let made = ec.check(Value::NIL, made)?;
            frozen_if(ec, made, *frozen)
        }
        Content::Immediates(parcel, frozen) => {
            let class = ec.class(WellKnown::Array);
            let made = parcel.open(ec, class);
            let made = ec.check(Value::NIL, made)?;
            frozen_if(ec, made, *frozen)
        }
        Content::Graph(graph) => unpack_graph(ec, graph),
    }
}

fn frozen_if(ec: &mut Ec, object: Value, frozen: bool) -> Res {
    if frozen {
        asterism_object::ownership::freeze(ec, object);
    }
    Ok(object)
}

fn unpack_graph(ec: &mut Ec, graph: &Graph) -> Res {
    let made = ec.array(&[])?;
    let mut classes = Classes { names: &graph.classes, found: ec.array(&[])? };
    for part in &graph.parts {
        let object = shell(ec, &mut classes, part)?;
        ec.array_push(made, object)?;
    }
    for (n, part) in graph.parts.iter().enumerate() {
        if let Some(object) = from_contents(ec, &mut classes, part, made)? {
            let done = array::set(ec, made, n, object);
            ec.check(made, done)?;
        }
    }
    // Methods need their receivers, which are all there now.
    for (n, part) in graph.parts.iter().enumerate() {
        if let Body::Method(from, name, bound) = part.body {
            let find = if bound { "method" } else { "instance_method" };
            let method = ec.call(value(made, from), intern(find), &[Value::sym(name)])?;
            let done = array::set(ec, made, n, method);
            ec.check(made, done)?;
        }
    }
    let mut late = Vec::new();
    for (n, part) in graph.parts.iter().enumerate() {
        match part.body {
            Body::Hash(..) | Body::Hooked(..) => late.push(n),
            _ => fill(ec, part, made, n)?,
        }
    }
    for n in late.into_iter().rev() {
        fill(ec, &graph.parts[n], made, n)?;
    }
    for (n, part) in graph.parts.iter().enumerate() {
        if part.ivars.is_empty() && !part.frozen {
            continue;
        }
        let object = array::at(made, n).unwrap_or(Value::NIL);
        for &(name, word) in &part.ivars {
            let value = value(made, word);
            ec.ivar_put(object, name, value)?;
        }
        if part.frozen && !ownership::is_frozen(object) {
            ec.freeze(object)?;
        }
    }
    Ok(value(made, Word::Part(0)))
}

/// The classes of a message, as far as they were looked up.
struct Classes<'a> {
    names: &'a [Arc<str>],
    /// An Array of them by their number, which keeps them alive.
    found: Value,
}

impl Classes<'_> {
    /// The class or module with this number.
    fn get(&mut self, ec: &mut Ec, number: u32) -> Res<Class> {
        let number = number as usize;
        if let Some(class) = array::at(self.found, number).and_then(Class::from_value) {
            return Ok(class);
        }
        let name = self.names.get(number).map_or("", |name| name);
        let Some(class) = named(ec, name)? else {
            return Err(ec.arg_error(format!("undefined class/module {name}")));
        };
        let done = array::set(ec, self.found, number, class.0);
        ec.check(self.found, done)?;
        Ok(class)
    }

    /// The class of a part whose objects are made natively; it must come from `known`, or the layout would be another.
    fn under(&mut self, ec: &mut Ec, number: u32, known: WellKnown) -> Res<Value> {
        let base = ec.class(known);
        let found = self.get(ec, number)?;
        if found.0 == base || found.inherits_from(Class(base)) {
            return Ok(found.0);
        }
        let (name, base) = (ec.class_name(found), ec.class_name(Class(base)));
        Err(ec.type_error(format!("class {name} is no {base} here")))
    }
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

/// The object without contents; nil for what is made in `fill`.
fn shell(ec: &mut Ec, classes: &mut Classes<'_>, part: &Part) -> Res {
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
            let class = classes.under(ec, part.class, WellKnown::String)?;
            let made = parcel.open(ec, class);
            let made = ec.check(Value::NIL, made)?;
            // A Hash copies a key that it finds changeable.
            frozen_if(ec, made, part.frozen && part.ivars.is_empty())
        }
        Body::Immediates(parcel) => {
            let class = classes.under(ec, part.class, WellKnown::Array)?;
            let made = parcel.open(ec, class);
            ec.check(Value::NIL, made)
        }
        Body::Array(items) => {
            let class = classes.under(ec, part.class, WellKnown::Array)?;
            let made = array::new_in(ec, class, items.len());
            ec.check(Value::NIL, made)
        }
        Body::Hash(pairs, ..) => {
            let class = classes.under(ec, part.class, WellKnown::Hash)?;
            let made = hash::new_in(ec, class, pairs.len());
            ec.check(Value::NIL, made)
        }
        Body::Object => {
            let class = classes.get(ec, part.class)?;
            if class.alloc() == Alloc::Native || !class.0.is_type(Type::Class) {
                let name = ec.class_name(class);
                return Err(ec.type_error(format!("class {name} makes other objects here")));
            }
            ec.allocate(class)
        }
        Body::Struct(members) => {
            let class = classes.get(ec, part.class)?;
            let made = ec.allocate(class)?;
            if !made.is_type(Type::Struct) || structs::len(made) != members.len() {
                let name = ec.class_name(class);
                return Err(ec.type_error(format!("struct {name} not compatible (struct size differs)")));
            }
            Ok(made)
        }
        Body::Range(..) => {
            let class = classes.under(ec, part.class, WellKnown::Range)?;
            let made = range::new_in(ec, class, Value::NIL, Value::NIL, false);
            ec.check(Value::NIL, made)
        }
        Body::Module => Ok(classes.get(ec, part.class)?.0),
        Body::Exception { ancestors, .. } => exception_shell(ec, ancestors),
        Body::Hooked(true, _) => {
            let class = classes.get(ec, part.class)?;
            ec.allocate(class)
        }
        Body::Channel(channel) => {
            let class = classes.get(ec, part.class)?;
            let made = data::new(ec, class.0, ChannelObject(channel.clone()));
            ec.check(Value::NIL, made)
        }
        Body::Proc(code, lambda) => Ok(Proc::isolated(ec, code, *lambda)?.0),
        Body::Io(stream) => {
            let class = classes.under(ec, part.class, WellKnown::IO)?;
            let made = crate::io::object::allocate(ec, Class(class))?;
            crate::io::object::install(ec, made, Arc::clone(stream))?;
            Ok(made)
        }
        Body::Memory(view) => {
            let class = classes.get(ec, part.class)?;
            let view = std::mem::take(&mut *view.lock());
            io_buffer::install(ec, class, view)
        }
        Body::Nothing | Body::Method(..) | Body::Complex(..) | Body::Regexp(..) | Body::Hooked(false, _) => {
            Ok(Value::NIL)
        }
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
fn from_contents(ec: &mut Ec, classes: &mut Classes<'_>, part: &Part, made: Value) -> Res<Option<Value>> {
    match &part.body {
        Body::Complex(real, imaginary) => {
            let complex = numeric::complex(ec, value(made, *real), value(made, *imaginary));
            ec.check(Value::NIL, complex).map(Some)
        }
        Body::Regexp(source, options) => crate::regexp::new_regexp(ec, value(made, *source), *options).map(Some),
        Body::Hooked(false, given) => {
            let class = classes.get(ec, part.class)?;
            ec.call(class.0, intern("_load"), &[value(made, *given)]).map(Some)
        }
        _ => Ok(None),
    }
}
