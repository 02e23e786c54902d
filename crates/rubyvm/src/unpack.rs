//! Unpacking: makes objects of a message, in the VM of the receiver.
//!
//! First every part becomes an object without contents, then the contents are filled in. Where Ruby code or a key's hash value
//! may look at an object, all that it refers to is complete before, as with Marshal.

use std::sync::Arc;

use asterism_heap::Charge;
use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, data, float, hash, numeric, ownership, range, structs};
use asterism_symbol::{Kept, intern, sym};
use asterism_vm::block::Proc;
use asterism_vm::{Ec, Exc, Res};

use super::channel::ChannelObject;
use super::message::{Body, Content, Graph, Message, Part, Word};
use asterism_system::io_buffer;

/// Makes the objects of a message.
///
/// # Errors
/// ArgumentError if a class is not known here, or is of another kind; what `marshal_load` and its like raise; NoMemoryError.
pub fn unpack_once(ec: &mut Ec, message: Message) -> Res {
    let (made, frozen) = match message.0 {
        Content::String(parcel, frozen) => {
            let class = ec.class(WellKnown::String);
            (parcel.hand_over(ec, class), frozen)
        }
        Content::Immediates(parcel, frozen) => {
            let class = ec.class(WellKnown::Array);
            (parcel.hand_over(ec, class), frozen)
        }
        other => return unpack(ec, &Message(other, Charge::default())),
    };
    let made = ec.check(Value::NIL, made)?;
    frozen_if(ec, made, frozen)
}

/// The same of a message that others will unpack too.
///
/// # Errors
/// As [`unpack_once`].
pub fn unpack(ec: &mut Ec, message: &Message) -> Res {
    let (made, frozen) = match &message.0 {
        Content::Immediate(v) => return Ok(*v),
        Content::Symbol(symbol) => return adopt(ec, symbol),
        Content::Float(f) => (float::new(ec, *f), false),
        Content::Integer(n) => (bigint::new(ec, n.clone()), false),
        Content::String(parcel, frozen) => {
            let class = ec.class(WellKnown::String);
            (parcel.open(ec, class), *frozen)
        }
        Content::Immediates(parcel, frozen) => {
            let class = ec.class(WellKnown::Array);
            (parcel.open(ec, class), *frozen)
        }
        Content::Graph(graph) => return unpack_graph(ec, graph),
    };
    let made = ec.check(Value::NIL, made)?;
    frozen_if(ec, made, frozen)
}

/// The symbol, held by this VM.
fn adopt(ec: &mut Ec, symbol: &Kept) -> Res {
    match ec.hold_symbol(|symbols| Some(symbols.adopt(symbol.symbol()))) {
        Some(symbol) => Ok(Value::symbol(symbol)),
        None => Err(ec.too_many_symbols()),
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
    // Keeps them alive until all that refers to them is made.
    let symbols = ec.array(&[])?;
    for symbol in &graph.symbols {
        let symbol = adopt(ec, symbol)?;
        ec.array_push(symbols, symbol)?;
    }
    let mut classes = Classes { names: &graph.classes, found: ec.array(&[])? };
    let ordered = needs_order(graph);
    for part in &graph.parts {
        let object = shell(ec, &mut classes, part)?;
        // A Hash copies a key that it finds changeable. In order, it is frozen by then.
        let whole = matches!(part.body, Body::String(_)) && part.frozen && part.ivars.is_empty() && !ordered;
        let object = frozen_if(ec, object, whole)?;
        ec.array_push(made, object)?;
    }
    if ordered {
        for n in order(graph) {
            finish(ec, graph, &mut classes, made, n as usize)?;
        }
    } else {
        for n in 0..graph.parts.len() {
            finish(ec, graph, &mut classes, made, n)?;
        }
    }
    asterism_heap::keep_alive(symbols.bits());
    Ok(value(made, Word::Part(0)))
}

/// Does it matter which parts are complete first?
fn needs_order(graph: &Graph) -> bool {
    // Complete, or of a hash value of its own, as a shell.
    let simple = |key: &Word| match *key {
        Word::Immediate(_) => true,
        Word::Part(n) => {
            let part = &graph.parts[n as usize];
            let plain = matches!(
                part.body,
                Body::String(_) | Body::Float(_) | Body::Integer(_) | Body::Rational(..) | Body::Immediates(_)
            );
            plain && part.ivars.is_empty()
        }
    };
    !graph.extended.is_empty()
        || graph.parts.iter().any(|part| match &part.body {
            Body::Hash(pairs, ..) => !pairs.iter().all(|(key, _)| simple(key)),
            Body::Hooked(..) | Body::Method(..) | Body::Complex(..) | Body::Regexp(..) => true,
            _ => false,
        })
}

/// The numbers of the parts, each one behind those that it refers to; where they refer to each other, behind those that are
/// reached through it.
fn order(graph: &Graph) -> Vec<u32> {
    let mut order = Vec::with_capacity(graph.parts.len());
    let mut seen = vec![false; graph.parts.len()];
    // Parts to be looked at, and whether what they refer to has been.
    let mut work = vec![(0, false)];
    let mut within = Vec::new();
    while let Some((n, done)) = work.pop() {
        if done {
            order.push(n);
            continue;
        }
        if std::mem::replace(&mut seen[n as usize], true) {
            continue;
        }
        work.push((n, true));
        words_of(graph, n, &mut within);
        work.extend(within.drain(..).rev().filter_map(|word| match word {
            Word::Part(n) => Some((n, false)),
            Word::Immediate(_) => None,
        }));
    }
    order
}

/// What a part refers to, in the order in which it is to be complete.
fn words_of(graph: &Graph, n: u32, out: &mut Vec<Word>) {
    out.extend_from_slice(graph.extended_with(n));
    let part = &graph.parts[n as usize];
    match &part.body {
        Body::Array(items) | Body::Struct(items) => out.extend_from_slice(items),
        Body::Hash(pairs, default, _) => {
            out.extend(pairs.iter().flat_map(|&(key, value)| [key, value]));
            out.push(*default);
        }
        Body::Range(a, b, _) | Body::Complex(a, b) => out.extend([*a, *b]),
        Body::Exception { message, backtrace, cause, .. } => out.extend([*message, *backtrace, *cause]),
        Body::Regexp(word, _) | Body::Hooked(_, word) | Body::Method(word, ..) => out.push(*word),
        Body::Nothing
        | Body::Float(_)
        | Body::Integer(_)
        | Body::String(_)
        | Body::Immediates(_)
        | Body::Object
        | Body::Rational(..)
        | Body::Module
        | Body::Channel(_)
        | Body::Proc(..)
        | Body::Io(_)
        | Body::Memory(_) => {}
    }
    out.extend(part.ivars.iter().map(|&(_, word)| word));
}

/// Completes the object of a part.
fn finish(ec: &mut Ec, graph: &Graph, classes: &mut Classes<'_>, made: Value, n: usize) -> Res<()> {
    let part = &graph.parts[n];
    if let Some(object) = from_contents(ec, classes, part, made)? {
        let done = array::set(ec, made, n, object);
        ec.check(made, done)?;
    }
    let object = array::at(made, n).unwrap_or(Value::NIL);
    for &module in graph.extended_with(n as u32).iter().rev() {
        ec.call(object, intern("extend"), &[value(made, module)])?;
    }
    fill(ec, part, made, object)?;
    for &(name, word) in &part.ivars {
        ec.ivar_put(object, name, value(made, word))?;
    }
    if part.frozen && !ownership::is_frozen(object) {
        ec.freeze(object)?;
    }
    Ok(())
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
        Word::Immediate(v) => v,
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
            ec.check(Value::NIL, made)
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
            let made = asterism_system::io::object::allocate(ec, Class(class))?;
            asterism_system::io::object::install(ec, made, Arc::clone(stream))?;
            asterism_system::process::adopt_child(ec, stream);
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

fn fill(ec: &mut Ec, part: &Part, made: Value, object: Value) -> Res<()> {
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
        Body::Range(begin, end, exclusive) => {
            range::init(ec, object, value(made, *begin), value(made, *end), *exclusive)
        }
        Body::Exception { message, backtrace, cause, .. } => {
            ec.ivar_put(object, sym::message_ivar, value(made, *message))?;
            asterism_core::exception::backtraces::put_backtrace(ec, object, value(made, *backtrace))?;
            ec.ivar_put(object, sym::cause_ivar, value(made, *cause))?;
        }
        Body::Hooked(true, given) => {
            ec.call(object, intern("marshal_load"), &[value(made, *given)])?;
        }
        _ => {}
    }
    Ok(())
}

/// What can only be made when its contents are there.
fn from_contents(ec: &mut Ec, classes: &mut Classes<'_>, part: &Part, made: Value) -> Res<Option<Value>> {
    match &part.body {
        Body::Complex(real, imaginary) => {
            let complex = numeric::complex(ec, value(made, *real), value(made, *imaginary));
            ec.check(Value::NIL, complex).map(Some)
        }
        Body::Regexp(source, options) => {
            asterism_core::regexp::new_regexp(ec, value(made, *source), *options).map(Some)
        }
        &Body::Method(from, name, bound) => {
            let find = if bound { "method" } else { "instance_method" };
            ec.call(value(made, from), intern(find), &[Value::sym(name)]).map(Some)
        }
        Body::Hooked(false, given) => {
            let class = classes.get(ec, part.class)?;
            ec.call(class.0, intern("_load"), &[value(made, *given)]).map(Some)
        }
        _ => Ok(None),
    }
}
