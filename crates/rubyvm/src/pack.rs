//! Packing: makes a message of objects. Nothing is sent unless all of it can travel.
//!
//! Objects are packed in the order in which they are found, not recursively: depth does not matter. All that were
//! found are kept alive by an Array until the message is complete, so an address names one object.

use std::collections::HashMap;
use std::sync::Arc;

use asterism_compiler::Code;
use asterism_object::address_hash::ByAddress;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value, array, bigint, data, float, hash, ivars, numeric, range, string, structs};
use asterism_symbol::{Kept, intern, sym};
use asterism_vm::block::Proc;
use asterism_vm::error::Pending;
use asterism_vm::method::Body as MethodBody;
use asterism_vm::ractor::isolate::{self, Outer};
use asterism_vm::{Ec, Exc, Raised, Res};

use super::channel::ChannelObject;
use super::message::{Body, Content, Graph, Message, Part, Scale, Word};
use asterism_marshal as marshal;
use asterism_system::io_buffer;
use asterism_system::io_buffer::memory::Buffer;

/// How a part was reached, for messages.
enum Step {
    Index(usize),
    Key(Value),
    Value(Value),
    Ivar(Sym),
    Name(&'static str),
    /// The String that `_dump` gave: nothing but its bytes and instance variables count, as with Marshal.
    Dumped,
}

/// What is to be known of a class.
#[derive(Clone, Copy)]
struct Kind {
    /// The number of its name in the message.
    name: u32,
    exception: bool,
    /// Its objects may have a Marshal form of their own.
    asked: bool,
    singleton: bool,
}

/// So many results of Marshal hooks may lie within each other: hooks that go on for ever end here.
const DEEPEST_HOOK: u32 = 10_000;

struct Packer {
    parts: Vec<Part>,
    /// Part numbers by address.
    known: HashMap<u64, u32, ByAddress>,
    /// What was found, by part number; keeps it alive.
    found: Value,
    /// From which part each one was reached, and how.
    reached: Vec<Option<(u32, Step)>>,
    /// What is to be known of classes, by their addresses.
    kinds: HashMap<u64, Kind, ByAddress>,
    /// Names of classes.
    classes: Vec<Arc<str>>,
    /// As in `Graph`.
    extended: Vec<(u32, Vec<Word>)>,
    /// Of parts that were reached through results of Marshal hooks: through how many.
    hooks: HashMap<u32, u32>,
    /// IO objects and buffers, to be given up when everything is packed.
    streams: Vec<(u32, Value)>,
    /// As in `Graph`, by their bits.
    symbols: HashMap<u64, Kept, ByAddress>,
    /// Only what can travel is wanted: the rest becomes nil (for snapshots of errors).
    lenient: bool,
}

/// Packs a value.
///
/// # Errors
/// TypeError that names the way to a part that cannot travel; what its Marshal hooks raise; NoMemoryError.
pub fn pack(ec: &mut Ec, v: Value) -> Res<Message> {
    pack_with(ec, v, false).map(|(message, _)| message)
}

/// The same with the objects that the message was made of: an Array, or the only one.
///
/// # Errors
/// As [`pack`].
pub fn pack_with_objects(ec: &mut Ec, v: Value) -> Res<(Message, Objects)> {
    pack_with(ec, v, false)
}

/// What a message was made of.
pub enum Objects {
    /// This object.
    One(Value),
    /// The elements of this Array.
    Many(Value),
}

/// Makes the objects that were sent away unusable: any call of them raises `RubyVM::MovedError`. What all VMs have alike
/// (numbers, classes, channels, frozen Strings, methods …) is left alone.
///
/// # Errors
/// NoMemoryError.
pub fn retire(ec: &mut Ec, objects: Objects) -> Res<()> {
    match objects {
        Objects::One(v) => retire_one(ec, v),
        Objects::Many(found) => {
            for i in 0..array::len(found) {
                let v = array::at(found, i).unwrap_or(Value::NIL);
                retire_one(ec, v)?;
            }
            Ok(())
        }
    }
}

fn moved_class(ec: &mut Ec) -> Option<Class> {
    let rubyvm = super::family::rubyvm(ec);
    ec.own_constant(rubyvm, intern("MovedObject")).and_then(Class::from_value)
}

fn retire_one(ec: &mut Ec, v: Value) -> Res<()> {
    let Some(cell) = v.cell() else { return Ok(()) };
    let frozen = asterism_object::ownership::is_frozen(v);
    let alike = match type_of(cell) {
        Type::String => frozen,
        Type::Array | Type::Hash | Type::Object | Type::Struct | Type::Range => false,
        Type::Data => asterism_system::io::object::try_stream(v).is_none() && !data::is::<Buffer>(v),
        _ => true,
    };
    if alike {
        return Ok(());
    }
    let Some(class) = moved_class(ec) else { return Err(ec.fatal("RubyVM::MovedObject is gone")) };
    if !frozen {
        let emptied = match type_of(cell) {
            Type::String => string::replace_bytes(ec, v, b"", string::encoding(v)),
            Type::Array => array::clear(ec, v),
            Type::Hash => hash::clear(ec, v),
            _ => Ok(()),
        };
        ec.check(v, emptied)?;
        asterism_object::ownership::freeze(ec, v);
    }
    asterism_object::set_class(ec, cell, class);
    Ok(())
}

/// Packs an exception for another VM to raise: parts of it that cannot travel are left out.
pub fn pack_error(ec: &mut Ec, e: Value) -> Message {
    match pack_with(ec, e, true) {
        Ok((message, _)) => message,
        Err(_) => {
            // Its own methods failed, or there is no memory: whoever joins still learns that it ended badly.
            ec.take_pending();
            Message::nil()
        }
    }
}

fn pack_with(ec: &mut Ec, v: Value, lenient: bool) -> Res<(Message, Objects)> {
    if let Some(content) = simple(ec, v)? {
        let mut scale = Scale::new(ec);
        scale.add(ec, || content.size())?;
        return Ok((Message(content, scale.charge), Objects::One(v)));
    }
    ec.ensure_memory()?;
    let found = ec.array(&[])?;
    let mut packer = Packer {
        parts: Vec::new(),
        known: HashMap::default(),
        found,
        reached: Vec::new(),
        kinds: HashMap::default(),
        classes: Vec::new(),
        extended: Vec::new(),
        hooks: HashMap::new(),
        streams: Vec::new(),
        symbols: HashMap::default(),
        lenient,
    };
    packer.word(ec, v, None)?;
    let (mut next, mut scale) = (0, Scale::new(ec));
    while let Some(object) = array::at(found, next) {
        let part = packer.part(ec, next as u32, object)?;
        scale.add(ec, || part.size())?;
        packer.parts.push(part);
        next += 1;
    }
    for (n, io) in std::mem::take(&mut packer.streams) {
        packer.parts[n as usize].body = if data::is::<Buffer>(io) {
            match io_buffer::give_up(ec, io) {
                Ok(view) => Body::Memory(view.into()),
                Err(why) => return Err(packer.refuse(ec, n, io, why)),
            }
        } else {
            match asterism_system::io::object::give_up(ec, io)? {
                Some(stream) => Body::Io(stream),
                None => return Err(packer.refuse(ec, n, io, "is a closed stream")),
            }
        };
    }
    asterism_heap::keep_alive(found.bits());
    let Packer { parts, classes, extended, symbols, .. } = packer;
    let symbols: Vec<Kept> = symbols.into_values().collect();
    scale.add(ec, || symbols.iter().map(Kept::size).sum())?;
    let has_channels = parts.iter().any(|part| matches!(part.body, Body::Channel(_)));
    let graph = Box::new(Graph { parts, classes, extended, has_channels, symbols });
    Ok((Message(Content::Graph(graph), scale.charge), Objects::Many(found)))
}

impl Packer {
    /// The word for a value that was reached from part `from` by `step`.
    fn word(&mut self, ec: &mut Ec, v: Value, reached: Option<(u32, Step)>) -> Res<Word> {
        if !v.is_heap() {
            if let Some(symbol) = v.as_symbol()
                && symbol.is_dynamic()
            {
                self.symbols.entry(v.bits()).or_insert_with(|| Kept::new(symbol));
            }
            return Ok(Word::Immediate(v));
        }
        if let Some(&n) = self.known.get(&v.bits()) {
            return Ok(Word::Part(n));
        }
        let Ok(n) = u32::try_from(self.reached.len()) else {
            return Err(ec.arg_error("message too big"));
        };
        ec.array_push(self.found, v)?;
        self.known.insert(v.bits(), n);
        if let Some((from, _)) = reached
            && !self.hooks.is_empty()
            && let Some(&hooks) = self.hooks.get(&from)
        {
            self.hooks.insert(n, hooks);
        }
        self.reached.push(reached);
        Ok(Word::Part(n))
    }

    /// The number of a class's name in the message.
    fn class_name(&mut self, ec: &mut Ec, n: u32, object: Value, class: Class) -> Res<u32> {
        let name = ec.class_name(class);
        if name.starts_with("#<") {
            return Err(self.refuse(ec, n, object, &format!("is of the anonymous class {name}")));
        }
        self.classes.push(name.into());
        Ok(self.classes.len() as u32 - 1)
    }

    /// What is to be known of the class of `object`, a singleton class maybe.
    fn kind(&mut self, ec: &mut Ec, n: u32, object: Value) -> Res<Kind> {
        let class = ec.class_of(object);
        if let Some(&kind) = self.kinds.get(&class.0.bits()) {
            return Ok(kind);
        }
        let real = ec.real_class_of(object);
        if moved_class(ec) == Some(real) {
            return Err(self.refuse(ec, n, object, "was moved to another VM"));
        }
        let kind = Kind {
            name: self.class_name(ec, n, object, real)?,
            exception: ec.is_kind_of(object, ec.exc_class(Exc::Exception)),
            asked: asked(ec, class),
            singleton: class != real,
        };
        self.kinds.insert(class.0.bits(), kind);
        Ok(kind)
    }

    /// The way to a part, as `message[3].@socket`.
    fn path(&self, ec: &mut Ec, n: u32) -> String {
        let mut steps = Vec::new();
        let mut at = n;
        while let Some((from, step)) = &self.reached[at as usize] {
            steps.push(match step {
                Step::Index(i) => format!("[{i}]"),
                Step::Key(k) => format!(".key({})", shown(ec, *k)),
                Step::Value(k) => format!("[{}]", shown(ec, *k)),
                Step::Ivar(name) => format!(".{}", name.text()),
                Step::Name(name) => format!(".{name}"),
                Step::Dumped => "._dump".into(),
            });
            at = *from;
        }
        steps.push("message".into());
        steps.reverse();
        steps.concat()
    }

    fn refuse(&self, ec: &mut Ec, n: u32, object: Value, why: &str) -> Raised {
        let path = self.path(ec, n);
        let class = ec.class_name_of(object);
        ec.type_error(format!("can't send {path}: {class} {why}"))
    }

    fn part(&mut self, ec: &mut Ec, n: u32, v: Value) -> Res<Part> {
        match self.try_part(ec, n, v) {
            Err(_) if self.lenient && n > 0 => {
                ec.take_pending();
                Ok(Part { class: 0, body: Body::Nothing, ivars: Vec::new(), frozen: false })
            }
            other => other,
        }
    }

    fn try_part(&mut self, ec: &mut Ec, n: u32, v: Value) -> Res<Part> {
        let Some(cell) = v.cell() else { return Err(ec.fatal("an immediate is no part")) };
        let ty = type_of(cell);
        if matches!(ty, Type::Class | Type::Module) {
            let name = self.class_name(ec, n, v, Class(v))?;
            return Ok(Part { class: name, body: Body::Module, ivars: Vec::new(), frozen: false });
        }
        let kind = self.kind(ec, n, v)?;
        let name = kind.name;
        if kind.exception {
            let class = ec.real_class_of(v);
            let body = self.exception(ec, n, v, class)?;
            return Ok(Part { class: name, body, ivars: self.ivars(ec, n, v)?, frozen: false });
        }
        let frozen = asterism_object::ownership::is_frozen(v);
        if kind.asked
            && !matches!(self.reached[n as usize], Some((_, Step::Dumped)))
            && let Some(body) = self.hooked(ec, n, v, ty)?
        {
            return Ok(Part { class: name, body, ivars: Vec::new(), frozen });
        }
        if kind.singleton {
            self.singleton(ec, n, v)?;
        }
        let body = match ty {
            Type::Object => Body::Object,
            Type::Float => Body::Float(float::get(v)),
            Type::BigInt => Body::Integer(bigint::get(&v).clone()),
            Type::String => Body::String(bytes(ec, v)?),
            Type::Array if let Some(parcel) = immediates(ec, v)? => Body::Immediates(parcel),
            Type::Array => {
                let items = asterism_object::array::snapshot(ec, v);
                let items = ec.check(v, items)?;
                Body::Array(self.list(ec, n, (0..array::len(items)).map(|i| array::at(items, i)))?)
            }
            Type::Struct => {
                let count = structs::len(v);
                Body::Struct(self.list(ec, n, (0..count).map(|i| structs::get(v, i)))?)
            }
            Type::Hash => self.hash(ec, n, v)?,
            Type::Range => {
                let begin = self.word(ec, range::begin(v), Some((n, Step::Name("begin"))))?;
                let end = self.word(ec, range::end(v), Some((n, Step::Name("end"))))?;
                Body::Range(begin, end, range::exclude_end(v))
            }
            Type::Rational => {
                let (a, b) = numeric::parts(v);
                Body::Rational(big(a), big(b))
            }
            Type::Complex => {
                let (a, b) = numeric::parts(v);
                let real = self.word(ec, a, Some((n, Step::Name("real"))))?;
                Body::Complex(real, self.word(ec, b, Some((n, Step::Name("imaginary"))))?)
            }
            Type::Proc => self.proc(ec, n, v)?,
            Type::Data => {
                if let Some(object) = data::get::<ChannelObject>(&v) {
                    Body::Channel(object.0.clone())
                } else if ec.is_kind_of(v, ec.class(WellKnown::Regexp)) {
                    let source = ec.call(v, intern("source"), &[])?;
                    let options = ec.call(v, intern("options"), &[])?;
                    let options = ec.to_i64(options)? as u32;
                    Body::Regexp(self.word(ec, source, Some((n, Step::Name("source"))))?, options)
                } else if asterism_system::io::object::try_stream(v).is_some() {
                    self.streams.push((n, v));
                    Body::Nothing
                } else if data::is::<Buffer>(v) {
                    if let Err(why) = io_buffer::can_give_up(v) {
                        return Err(self.refuse(ec, n, v, why));
                    }
                    self.streams.push((n, v));
                    Body::Nothing
                } else if ec.is_kind_of(v, ec.class(WellKnown::Method)) {
                    self.method(ec, n, v, "receiver")?
                } else if ec.is_kind_of(v, ec.class(WellKnown::UnboundMethod)) {
                    self.method(ec, n, v, "owner")?
                } else {
                    return Err(self.refuse(ec, n, v, "can't leave its VM"));
                }
            }
            _ => return Err(self.refuse(ec, n, v, "can't leave its VM")),
        };
        Ok(Part { class: name, body, ivars: self.ivars(ec, n, v)?, frozen })
    }

    fn list(&mut self, ec: &mut Ec, n: u32, items: impl Iterator<Item = Option<Value>>) -> Res<Vec<Word>> {
        let mut words = Vec::new();
        for (i, item) in items.enumerate() {
            words.push(self.word(ec, item.unwrap_or(Value::NIL), Some((n, Step::Index(i))))?);
        }
        Ok(words)
    }

    fn hash(&mut self, ec: &mut Ec, n: u32, v: Value) -> Res<Body> {
        if hash::has_default_proc(v) {
            return Err(self.refuse(ec, n, v, "has a default proc"));
        }
        let flat = hash::to_pairs(ec, v);
        let flat = ec.check(v, flat)?;
        let mut pairs = Vec::with_capacity(array::len(flat) / 2);
        for i in (0..array::len(flat)).step_by(2) {
            let key = array::at(flat, i).unwrap_or(Value::NIL);
            let value = array::at(flat, i + 1).unwrap_or(Value::NIL);
            let k = self.word(ec, key, Some((n, Step::Key(key))))?;
            pairs.push((k, self.word(ec, value, Some((n, Step::Value(key))))?));
        }
        let default = self.word(ec, hash::default_value(v), Some((n, Step::Name("default"))))?;
        Ok(Body::Hash(pairs, default, hash::is_identity(v)))
    }

    /// Instance variables; hidden ones are the implementation's, but for those that `_dump` tells `_load` something in.
    fn ivars(&mut self, ec: &mut Ec, n: u32, v: Value) -> Res<Vec<(Sym, Word)>> {
        let dumped = matches!(self.reached[n as usize], Some((_, Step::Dumped)));
        // Some classes of the core have nothing else.
        let kept = [WellKnown::Set, WellKnown::Enumerator].iter().any(|&c| ec.is_kind_of(v, ec.class(c)));
        let mut list = Vec::new();
        for name in ivars::names(ec, v) {
            let text = name.text();
            if !text.starts_with('@') && (text.starts_with("__") != kept || !kept && !dumped) {
                continue;
            }
            if let Some(value) = ivars::get(ec, v, name) {
                list.push((name, self.word(ec, value, Some((n, Step::Ivar(name))))?));
            }
        }
        Ok(list)
    }

    fn exception(&mut self, ec: &mut Ec, n: u32, v: Value, class: Class) -> Res<Body> {
        let mut ancestors = Vec::new();
        let mut at = Some(class);
        while let Some(c) = at {
            let name = ec.class_name(c);
            if !name.starts_with("#<") {
                ancestors.push(name);
            }
            at = c.superclass();
        }
        let message = ec.call(v, sym::message, &[])?;
        let message = ec.to_s(message)?;
        let message = self.word(ec, message, Some((n, Step::Name("message"))))?;
        let lines = asterism_vm::backtrace::of(ec, v);
        let backtrace = ec.array(&[])?;
        for line in lines {
            let line = ec.str(line)?;
            ec.array_push(backtrace, line)?;
        }
        let backtrace = self.word(ec, backtrace, Some((n, Step::Name("backtrace"))))?;
        let cause = asterism_core::exception::attribute(ec, v, sym::cause_ivar);
        let cause = self.word(ec, cause, Some((n, Step::Name("cause"))))?;
        Ok(Body::Exception { ancestors, message, backtrace, cause })
    }

    /// What the class's own Marshal form gives, if it defines one in Ruby's way.
    fn hooked(&mut self, ec: &mut Ec, n: u32, v: Value, ty: Type) -> Res<Option<Body>> {
        let builtin = data::get::<ChannelObject>(&v).is_some() || asterism_system::io::object::try_stream(v).is_some();
        if builtin || matches!(ty, Type::Float | Type::BigInt | Type::Proc | Type::Rational | Type::Complex) {
            return Ok(None);
        }
        if ec.respond_to(v, sym::marshal_dump, true)? {
            let given = self.hook(ec, n, v, "marshal_dump", &[])?;
            let word = self.word(ec, given, Some((n, Step::Name("marshal_dump"))))?;
            self.count_hooks(n, word);
            return Ok(Some(Body::Hooked(true, word)));
        }
        if ec.respond_to(v, sym::_dump, true)? {
            let given = self.hook(ec, n, v, "_dump", &[Value::fixnum(-1)])?;
            if !given.is_type(Type::String) {
                return Err(ec.type_error("_dump() must return string"));
            }
            // A String of its own: the given one may be in the message for itself.
            let class = ec.class(WellKnown::String);
            let own = string::dup_in(ec, class, given);
            let own = ec.check(given, own)?;
            let copied = ivars::copy(ec, given, own);
            ec.check(given, copied)?;
            let word = self.word(ec, own, Some((n, Step::Dumped)))?;
            self.count_hooks(n, word);
            return Ok(Some(Body::Hooked(false, word)));
        }
        Ok(None)
    }

    /// What the object's Marshal hook gives.
    fn hook(&mut self, ec: &mut Ec, n: u32, v: Value, name: &str, arguments: &[Value]) -> Res {
        if self.hooks.get(&n).is_some_and(|&hooks| hooks >= DEEPEST_HOOK) {
            return Err(ec.raise(Exc::SystemStackError, "stack level too deep"));
        }
        let class = ec.class_of(v);
        let given = match ec.call(v, intern(name), arguments) {
            Ok(given) => given,
            Err(_) => return Err(self.refused_by_hook(ec, n, v, name)),
        };
        if ec.class_of(given) == class {
            let class = ec.class_name(class);
            return Err(ec.raise(Exc::RuntimeError, format!("{class}#{name} returned same class instance")));
        }
        Ok(given)
    }

    /// The error of a hook: of one of the core library it says that the object can't be dumped, and nothing of where it is.
    fn refused_by_hook(&mut self, ec: &mut Ec, n: u32, v: Value, name: &str) -> Raised {
        let error = match ec.take_pending() {
            Pending::Exception(error) => error,
            other => return ec.unwind_with(other),
        };
        let class = ec.class_of(v);
        let of_core = ec.find_method(class, intern(name)).1.is_some_and(|found| match found.method.body() {
            MethodBody::Native(_) => true,
            // SAFETY: the method, which its class keeps alive, keeps its Iseq alive.
            MethodBody::Ruby(iseq) => unsafe { (*iseq).code_arc().internal },
            _ => false,
        });
        if of_core && ec.is_kind_of(error, ec.exc_class(Exc::TypeError)) {
            return self.refuse(ec, n, v, "can't leave its VM");
        }
        ec.raise_exception(error)
    }

    /// `result` is what a hook of part `n` has given.
    fn count_hooks(&mut self, n: u32, result: Word) {
        let hooks = self.hooks.get(&n).map_or(1, |hooks| hooks + 1);
        // A part that was known before has a shorter way.
        if let Word::Part(result) = result
            && result as usize + 1 == self.reached.len()
        {
            self.hooks.insert(result, hooks);
        }
    }

    /// A Method or UnboundMethod goes by its name.
    fn method(&mut self, ec: &mut Ec, n: u32, v: Value, of: &'static str) -> Res<Body> {
        let from = ec.call(v, intern(of), &[])?;
        let name = ec.call(v, sym::name, &[])?;
        let Some(name) = name.as_sym() else { return Err(self.refuse(ec, n, v, "has no name")) };
        Ok(Body::Method(self.word(ec, from, Some((n, Step::Name(of))))?, name, of == "receiver"))
    }

    /// The modules an object was extended with; whatever else its singleton class has is refused.
    fn singleton(&mut self, ec: &mut Ec, n: u32, v: Value) -> Res<()> {
        let class = ec.class_of(v);
        if marshal::has_contents(ec, class) {
            return Err(self.refuse(ec, n, v, "has methods of its own"));
        }
        let mut modules = Vec::new();
        let mut at = class.superclass();
        while let Some(class) = at
            && class.is_include()
        {
            modules.push(self.word(ec, class.module(), Some((n, Step::Name("singleton_class"))))?);
            at = class.superclass();
        }
        if !modules.is_empty() {
            self.extended.push((n, modules));
        }
        Ok(())
    }

    fn proc(&mut self, ec: &mut Ec, n: u32, v: Value) -> Res<Body> {
        match isolated(v) {
            Ok((code, lambda)) => Ok(Body::Proc(code, lambda)),
            Err(why) => Err(self.refuse(ec, n, v, &why)),
        }
    }
}

/// What a message of one object is, if it is one of the simple kind.
fn simple(ec: &mut Ec, v: Value) -> Res<Option<Content>> {
    let Some(cell) = v.cell() else {
        let symbol = v.as_symbol().filter(|symbol| symbol.is_dynamic());
        return Ok(Some(symbol.map_or(Content::Immediate(v), |symbol| Content::Symbol(Kept::new(symbol)))));
    };
    let which = match type_of(cell) {
        Type::Float => return Ok(Some(Content::Float(float::get(v)))),
        Type::BigInt => return Ok(Some(Content::Integer(bigint::get(&v).clone()))),
        Type::String => WellKnown::String,
        Type::Array => WellKnown::Array,
        _ => return Ok(None),
    };
    let class = ec.class_of(v);
    if class.0 != ec.class(which) || ivars::may_have_some(v) || may_be_asked(ec, class) {
        return Ok(None);
    }
    let frozen = asterism_object::ownership::is_frozen(v);
    if which == WellKnown::String {
        return Ok(Some(Content::String(bytes(ec, v)?, frozen)));
    }
    Ok(immediates(ec, v)?.map(|parcel| Content::Immediates(parcel, frozen)))
}

/// The bytes of a String.
fn bytes(ec: &mut Ec, v: Value) -> Res<string::Parcel> {
    let parcel = string::Parcel::of(ec, v);
    ec.check(v, parcel)
}

/// The elements of an Array that never held a reference.
fn immediates(ec: &mut Ec, v: Value) -> Res<Option<array::Parcel>> {
    let parcel = array::Parcel::of(ec, v);
    ec.check(v, parcel)
}

/// As `asked`, for String and Array, of whom the thread remembers until their methods change that they are not.
fn may_be_asked(ec: &mut Ec, class: Class) -> bool {
    let vm = ec.vm();
    // Before the methods are looked up: when one changes meanwhile, what is remembered is out of date already.
    let serial = class.ensure_serial(|| vm.next_serial());
    if ec.worker.unhooked.contains(&serial) {
        return false;
    }
    let asked = asked(ec, class);
    if !asked {
        let at = usize::from(class.0 == ec.class(WellKnown::Array));
        ec.worker.unhooked[at] = serial;
    }
    asked
}

/// May objects of this class have a Marshal form of their own?
fn asked(ec: &mut Ec, class: Class) -> bool {
    let mut has = |name| ec.find_method(class, name).1;
    if has(sym::marshal_dump).is_some() || has(sym::_dump).is_some() {
        return true;
    }
    // One that answers `respond_to?` in a way of its own is asked.
    [sym::respond_to_p, sym::respond_to_missing_p]
        .into_iter()
        .any(|name| has(name).is_some_and(|found| !found.method.is_native_of_core()))
}

fn shown(ec: &mut Ec, v: Value) -> String {
    match ec.inspect_for_error(v) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(_) => {
            ec.take_pending();
            "?".into()
        }
    }
}

fn big(v: Value) -> num_bigint::BigInt {
    match v.fixnum_value() {
        Some(n) => n.into(),
        None => bigint::get(&v).clone(),
    }
}

/// The code of a Proc that refers to nothing around it, and whether it is a lambda; or why it does.
pub(super) fn isolated(v: Value) -> Result<(Arc<Code>, bool), String> {
    let proc = Proc::from_value(v).ok_or("is no Proc")?;
    let Some(iseq) = proc.iseq() else { return Err("is no block of Ruby code".into()) };
    // SAFETY: the Proc, which the caller holds, keeps its Iseq alive.
    let code = unsafe { (*iseq).code_arc() };
    let outer = Outer::of(&code);
    if outer.uses.is_empty() {
        return Ok((code, proc.is_lambda()));
    }
    let mut names: Vec<String> = outer.uses.iter().map(|used| isolate::name_of(proc.env(), used)).collect();
    names.sort();
    names.dedup();
    Err(format!("accesses outer variables ({})", names.join(", ")))
}

/// The bytes of a String argument.
pub(super) fn text(ec: &mut Ec, v: Value) -> Res<Vec<u8>> {
    let s = ec.to_str(v)?;
    Ok(string::to_vec(ec, s))
}
