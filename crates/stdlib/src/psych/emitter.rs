//! `Psych::Emitter`: a handler that writes the events it is told as YAML.

use std::sync::atomic::Ordering;

use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value, array};
use asterism_support::Encoding;
use asterism_symbol::{UTF_8, intern};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use super::libyaml::{Collection, Event, Text};
use super::{export, libyaml};
use asterism_core::allocators::set_allocator;

static METHODS: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 1, 2).private(),
    NativeDef::new("start_stream", start_stream, 1, 1),
    NativeDef::new("end_stream", end_stream, 0, 0),
    NativeDef::new("start_document", start_document, 3, 3),
    NativeDef::new("end_document", end_document, 1, 1),
    NativeDef::new("scalar", scalar, 6, 6),
    NativeDef::new("start_sequence", start_sequence, 4, 4),
    NativeDef::new("end_sequence", end_sequence, 0, 0),
    NativeDef::new("start_mapping", start_mapping, 4, 4),
    NativeDef::new("end_mapping", end_mapping, 0, 0),
    NativeDef::new("alias", alias, 1, 1),
    NativeDef::new("canonical", canonical, 0, 0),
    NativeDef::new("canonical=", set_canonical, 1, 1),
    NativeDef::new("indentation", indentation, 0, 0),
    NativeDef::new("indentation=", set_indentation, 1, 1),
    NativeDef::new("line_width", line_width, 0, 0),
    NativeDef::new("line_width=", set_line_width, 1, 1),
];

pub(super) fn define(ec: &mut Ec, psych: Class) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let handler = ec.define_class(psych, "Handler", object)?;
    let class = ec.define_class(psych, "Emitter", handler)?;
    set_allocator(ec, class, allocate);
    ec.define_natives(class, METHODS)
}

/// An emitter. The lock is held for an event, which touches no Ruby object: what is written goes to `io` afterwards.
#[derive(Default)]
struct Emitter {
    emitter: Mutex<libyaml::Emitter>,
    /// What the text is written to; 0 until it is initialised.
    io: AtomicValue,
}

impl DataObject for Emitter {
    const NAME: &'static str = "Psych/emitter";

    fn trace(&self, marker: &mut Marker) {
        self.io.mark(marker);
    }

    fn size(&self) -> usize {
        libyaml::Emitter::BUFFERS
    }
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, Emitter::default());
    ec.check(Value::NIL, made)
}

fn of<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a Emitter> {
    match data::get::<Emitter>(this) {
        Some(emitter) => Ok(emitter),
        None => Err(ec.type_error("not a Psych::Emitter")),
    }
}

/// `new(io, options = nil)`
fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(options) = args.get(1) {
        let width = ec.call(options, intern("line_width"), &[])?;
        let indentation = ec.call(options, intern("indentation"), &[])?;
        let canonical = ec.call(options, intern("canonical"), &[])?;
        let (width, indentation) = (ec.to_i32(width)?, ec.to_i32(indentation)?);
        let mut emitter = of(ec, &this)?.emitter.lock();
        emitter.set_width(width);
        emitter.set_indent(indentation);
        emitter.set_canonical(canonical == Value::TRUE);
    }
    let emitter = of(ec, &this)?;
    if let Some(cell) = this.cell() {
        asterism_object::store(cell, &emitter.io, args[0]);
    }
    Ok(this)
}

fn emit(ec: &mut Ec, this: Value, event: &Event) -> Res {
    let emitter = of(ec, &this)?;
    let (result, output) = {
        let mut emitter = emitter.emitter.lock();
        (emitter.emit(event), emitter.take_output())
    };
    if let Err(problem) = result {
        return Err(ec.raise(Exc::RuntimeError, problem));
    }
    if !output.is_empty() {
        let io = match emitter.io.load(Ordering::Acquire) {
            Value::NULL => Value::NIL,
            io => io,
        };
        let output = ec.str_enc(&output, UTF_8)?;
        let written = ec.call(io, intern("write"), &[output])?;
        if ec.to_i32(written)? == 0 {
            return Err(ec.raise(Exc::RuntimeError, "write error"));
        }
    }
    Ok(this)
}

fn text(ec: &mut Ec, v: Value) -> Res<Text> {
    if !v.is_type(Type::String) {
        let class = ec.describe_for_conversion(v);
        return Err(ec.type_error(format!("wrong argument type {class} (expected String)")));
    }
    export(ec, v, Encoding::UTF_8)
}

/// A text that ends at a NUL for libyaml.
fn terminated(ec: &mut Ec, v: Value) -> Res<Text> {
    let text = text(ec, v)?;
    if text.contains(&0) {
        return Err(ec.arg_error("string contains null byte"));
    }
    Ok(text)
}

fn optional(ec: &mut Ec, v: Value) -> Res<Option<Text>> {
    if v.is_nil() { Ok(None) } else { terminated(ec, v).map(Some) }
}

/// As CRuby's takes it, for which nil is true.
fn flag(v: Value) -> bool {
    v != Value::FALSE
}

/// A number of libyaml's; one that it does not have stands for any.
fn style(ec: &mut Ec, v: Value) -> Res<u32> {
    Ok(u32::try_from(ec.to_i32(v)?).unwrap_or(0))
}

fn check_array(ec: &mut Ec, v: Value) -> Res<()> {
    if v.is_type(Type::Array) {
        return Ok(());
    }
    let class = ec.describe_for_conversion(v);
    Err(ec.type_error(format!("wrong argument type {class} (expected Array)")))
}

/// `start_stream(encoding)`
fn start_stream(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args[0].fixnum_value().is_none() {
        let class = ec.describe_for_conversion(args[0]);
        return Err(ec.type_error(format!("wrong argument type {class} (expected Integer)")));
    }
    let encoding = style(ec, args[0])?;
    emit(ec, this, &Event::StreamStart(encoding))
}

fn end_stream(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    emit(ec, this, &Event::StreamEnd)
}

/// `start_document(version, tags, implicit)`
fn start_document(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    check_array(ec, args[0])?;
    let version = match array::len(args[0]) {
        0 => None,
        _ => Some((ec.to_i32(array::get(args[0], 0))?, ec.to_i32(array::get(args[0], 1))?)),
    };
    let mut tags = Vec::new();
    if args[1].truthy() {
        check_array(ec, args[1])?;
        let mut i = 0;
        while let Some(pair) = array::at(args[1], i) {
            check_array(ec, pair)?;
            if array::len(pair) < 2 {
                return Err(ec.raise(Exc::RuntimeError, "tag tuple must be of length 2"));
            }
            let (handle, prefix) = (array::get(pair, 0), array::get(pair, 1));
            let (handle, prefix) = (ec.to_str(handle)?, ec.to_str(prefix)?);
            tags.push((terminated(ec, handle)?, terminated(ec, prefix)?));
            i += 1;
        }
    }
    emit(ec, this, &Event::DocumentStart { version, tags, implicit: flag(args[2]) })
}

/// `end_document(implicit)`
fn end_document(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    emit(ec, this, &Event::DocumentEnd(flag(args[0])))
}

/// `scalar(value, anchor, tag, plain, quoted, style)`
fn scalar(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let event = Event::Scalar {
        value: text(ec, args[0])?,
        anchor: optional(ec, args[1])?,
        tag: optional(ec, args[2])?,
        plain: flag(args[3]),
        quoted: flag(args[4]),
        style: style(ec, args[5])?,
    };
    emit(ec, this, &event)
}

fn collection(ec: &mut Ec, args: Args<'_>) -> Res<Collection> {
    Ok(Collection {
        anchor: optional(ec, args[0])?,
        tag: optional(ec, args[1])?,
        implicit: flag(args[2]),
        style: style(ec, args[3])?,
    })
}

/// `start_sequence(anchor, tag, implicit, style)`
fn start_sequence(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let start = collection(ec, args)?;
    emit(ec, this, &Event::SequenceStart(start))
}

fn end_sequence(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    emit(ec, this, &Event::SequenceEnd)
}

/// `start_mapping(anchor, tag, implicit, style)`
fn start_mapping(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let start = collection(ec, args)?;
    emit(ec, this, &Event::MappingStart(start))
}

fn end_mapping(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    emit(ec, this, &Event::MappingEnd)
}

/// `alias(anchor)`
fn alias(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let anchor = terminated(ec, args[0])?;
    emit(ec, this, &Event::Alias(anchor))
}

fn canonical(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(of(ec, &this)?.emitter.lock().canonical()))
}

fn set_canonical(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    of(ec, &this)?.emitter.lock().set_canonical(args[0] == Value::TRUE);
    Ok(args[0])
}

fn indentation(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(i64::from(of(ec, &this)?.emitter.lock().indent())))
}

fn set_indentation(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i32(args[0])?;
    of(ec, &this)?.emitter.lock().set_indent(n);
    Ok(args[0])
}

fn line_width(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(i64::from(of(ec, &this)?.emitter.lock().width())))
}

fn set_line_width(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i32(args[0])?;
    of(ec, &this)?.emitter.lock().set_width(n);
    Ok(args[0])
}
