//! `Psych::Parser`: the events of a text, as calls of a handler.
//!
//! The libyaml parser is the call's own, on its stack; the object only has where the last call got. So handlers may raise
//! and switch fibers, and threads may use one object.

use asterism_heap::{Marker, Stores, keep_alive};
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::{Value, string};
use asterism_support::Encoding;
use asterism_symbol::{US_ASCII, intern};
use asterism_vm::{Args, Arguments, Ec, NativeDef, Raised, Res};

use super::libyaml::{Collection, Event, Mark, Problem, Text};
use super::{class_at, convert, export, libyaml};
use asterism_core::allocators::set_allocator;
use asterism_core::encoding;
use asterism_core::string::util;

static METHODS: &[NativeDef] = &[
    NativeDef::new("parse", parse, 1, 2),
    NativeDef::new("_native_parse", native_parse, 3, 3).private(),
    NativeDef::new("mark", mark, 0, 0),
];

/// Encodings by libyaml's numbers, as constants of the class.
const ENCODINGS: [(&str, i64); 4] = [("ANY", 0), ("UTF8", 1), ("UTF16LE", 2), ("UTF16BE", 3)];

pub(super) fn define(ec: &mut Ec, psych: Class) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(psych, "Parser", object)?;
    set_allocator(ec, class, allocate);
    for (name, number) in ENCODINGS {
        ec.set_constant(class, intern(name), Value::fixnum(number))?;
    }
    let feature = ec.str("psych/syntax_error")?;
    ec.call(object.0, intern("require"), &[feature])?;
    ec.define_natives(class, METHODS)
}

/// The lock is held to copy the mark.
#[derive(Default)]
struct Parser(Mutex<Mark>);

impl DataObject for Parser {
    const NAME: &'static str = "Psych/parser";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, Parser::default());
    ec.check(Value::NIL, made)
}

fn of<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a Parser> {
    match data::get::<Parser>(this) {
        Some(parser) => Ok(parser),
        None => Err(ec.type_error("not a Psych::Parser")),
    }
}

/// `mark`: how far the text was looked at.
fn mark(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let mark = *of(ec, &this)?.0.lock();
    let class = class_at(ec, b"Psych::Parser::Mark")?;
    let fields = [ec.size(mark.index as usize)?, ec.size(mark.line as usize)?, ec.size(mark.column as usize)?];
    ec.new_instance(class, &Arguments::new(&fields))
}

/// `parse(yaml, path = …)`, which newer libraries define by `_native_parse`.
fn parse(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let path = match args.get(1) {
        Some(path) => path,
        None if ec.respond_to(args[0], intern("path"), false)? => ec.call(args[0], intern("path"), &[])?,
        None => ec.str("<unknown>")?,
    };
    let handler = ec.call(this, intern("handler"), &[])?;
    run(ec, this, handler, args[0], path)
}

/// `_native_parse(handler, yaml, path)`
fn native_parse(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    run(ec, this, args[0], args[1], args[2])
}

/// Where the text is read from.
enum Input {
    /// What is left of a String.
    Text(Vec<u8>, usize),
    /// An object with `read`, and what it gave beyond what it was asked for.
    Io(Value, Vec<u8>),
}

impl Input {
    /// Fills the start of `room`.
    fn read(&mut self, ec: &mut Ec, room: &mut [u8]) -> Res<usize> {
        match self {
            Input::Text(text, at) => {
                let n = room.len().min(text.len() - *at);
                room[..n].copy_from_slice(&text[*at..*at + n]);
                *at += n;
                Ok(n)
            }
            Input::Io(io, rest) => {
                if rest.is_empty() {
                    let wanted = ec.size(room.len())?;
                    let part = ec.call(*io, intern("read"), &[wanted])?;
                    if part.is_nil() {
                        return Ok(0);
                    }
                    let part = ec.to_str(part)?;
                    *rest = string::to_vec(ec, part);
                }
                let n = room.len().min(rest.len());
                room[..n].copy_from_slice(&rest[..n]);
                rest.drain(..n);
                Ok(n)
            }
        }
    }
}

/// libyaml's number of an encoding.
fn number(encoding: Encoding) -> Option<u32> {
    match encoding.name() {
        "UTF-8" => Some(1),
        "UTF-16LE" => Some(2),
        "UTF-16BE" => Some(3),
        _ => None,
    }
}

fn input(ec: &mut Ec, yaml: Value) -> Res<(Input, u32)> {
    if ec.respond_to(yaml, intern("read"), false)? {
        let external = ec.call(yaml, intern("external_encoding"), &[])?;
        let encoding = match encoding::of_object(external) {
            Some(Encoding::US_ASCII) => 1,
            // Of others it is guessed.
            Some(encoding) => number(encoding).unwrap_or(0),
            None => 0,
        };
        return Ok((Input::Io(yaml, Vec::new()), encoding));
    }
    let text = ec.to_str(yaml)?;
    Ok(match number(util::encoding(text)) {
        Some(encoding) => (Input::Text(string::to_vec(ec, text), 0), encoding),
        None => (Input::Text(export(ec, text, Encoding::UTF_8)?, 0), 1),
    })
}

fn run(ec: &mut Ec, this: Value, handler: Value, yaml: Value, path: Value) -> Res {
    *of(ec, &this)?.0.lock() = Mark::default();
    let (mut input, encoding) = input(ec, yaml)?;
    let to = Handler { handler, internal: encoding::internal(ec).filter(|&e| e != Encoding::UTF_8) };
    let mut parser = libyaml::Parser::new(encoding);
    loop {
        let mut raised: Option<Raised> = None;
        let next = parser.next(&mut |room| match input.read(ec, room) {
            Ok(n) => Some(n),
            Err(e) => {
                raised = Some(e);
                None
            }
        });
        if let Some(raised) = raised {
            return Err(raised);
        }
        match next {
            Ok((event, start, end)) => {
                *of(ec, &this)?.0.lock() = parser.mark();
                to.location(ec, start, end)?;
                to.event(ec, &event)?;
                if event == Event::StreamEnd {
                    break;
                }
            }
            Err(problem) => {
                *of(ec, &this)?.0.lock() = Mark::default();
                let error = syntax_error(ec, &problem, path)?;
                return Err(ec.raise_exception(error));
            }
        }
    }
    keep_alive(yaml.bits());
    Ok(this)
}

fn syntax_error(ec: &mut Ec, problem: &Problem, path: Value) -> Res {
    let class = class_at(ec, b"Psych::SyntaxError")?;
    let args = [
        path,
        ec.size(problem.mark.line as usize + 1)?,
        ec.size(problem.mark.column as usize + 1)?,
        ec.size(problem.offset as usize)?,
        message(ec, problem.problem.as_ref())?,
        message(ec, problem.context.as_ref())?,
    ];
    ec.new_instance(class, &Arguments::new(&args))
}

fn message(ec: &mut Ec, text: Option<&Text>) -> Res {
    match text {
        Some(text) => ec.str_enc(text, US_ASCII),
        None => Ok(Value::NIL),
    }
}

/// Who hears of the events. Lies on the machine stack.
struct Handler {
    handler: Value,
    /// What Strings are converted to.
    internal: Option<Encoding>,
}

impl Handler {
    fn tell(&self, ec: &mut Ec, name: &str, args: &[Value]) -> Res<()> {
        ec.call(self.handler, intern(name), args)?;
        Ok(())
    }

    fn location(&self, ec: &mut Ec, start: Mark, end: Mark) -> Res<()> {
        let args = [start.line, start.column, end.line, end.column].map(|n| Value::fixnum(n as i64));
        self.tell(ec, "event_location", &args)
    }

    fn text(&self, ec: &mut Ec, text: &Text) -> Res {
        if let Some(internal) = self.internal
            && let Some(converted) = convert(ec, text, Encoding::UTF_8, internal)?
        {
            return util::make(ec, &converted, internal);
        }
        let ascii = self.internal.filter(|e| e.is_ascii_compatible() && text.is_ascii());
        util::make(ec, text, ascii.unwrap_or(Encoding::UTF_8))
    }

    fn optional(&self, ec: &mut Ec, text: Option<&Text>) -> Res {
        text.map_or(Ok(Value::NIL), |text| self.text(ec, text))
    }

    fn start(&self, ec: &mut Ec, name: &str, start: &Collection) -> Res<()> {
        let anchor = self.optional(ec, start.anchor.as_ref())?;
        let tag = self.optional(ec, start.tag.as_ref())?;
        let style = Value::fixnum(i64::from(start.style));
        self.tell(ec, name, &[anchor, tag, Value::bool(start.implicit), style])
    }

    fn event(&self, ec: &mut Ec, event: &Event) -> Res<()> {
        match event {
            Event::StreamStart(encoding) => self.tell(ec, "start_stream", &[Value::fixnum(i64::from(*encoding))]),
            Event::StreamEnd => self.tell(ec, "end_stream", &[]),
            Event::DocumentStart { version, tags, implicit } => {
                let version = match *version {
                    Some((major, minor)) => {
                        ec.array(&[Value::fixnum(i64::from(major)), Value::fixnum(i64::from(minor))])?
                    }
                    None => ec.array(&[])?,
                };
                let directives = ec.array(&[])?;
                for (handle, prefix) in tags {
                    let pair = [self.text(ec, handle)?, self.text(ec, prefix)?];
                    let pair = ec.array(&pair)?;
                    ec.array_push(directives, pair)?;
                }
                self.tell(ec, "start_document", &[version, directives, Value::bool(*implicit)])
            }
            Event::DocumentEnd(implicit) => self.tell(ec, "end_document", &[Value::bool(*implicit)]),
            Event::Alias(anchor) => {
                let anchor = self.text(ec, anchor)?;
                self.tell(ec, "alias", &[anchor])
            }
            Event::Scalar { anchor, tag, value, plain, quoted, style } => {
                let value = self.text(ec, value)?;
                let anchor = self.optional(ec, anchor.as_ref())?;
                let tag = self.optional(ec, tag.as_ref())?;
                let style = Value::fixnum(i64::from(*style));
                self.tell(ec, "scalar", &[value, anchor, tag, Value::bool(*plain), Value::bool(*quoted), style])
            }
            Event::SequenceStart(start) => self.start(ec, "start_sequence", start),
            Event::SequenceEnd => self.tell(ec, "end_sequence", &[]),
            Event::MappingStart(start) => self.start(ec, "start_mapping", start),
            Event::MappingEnd => self.tell(ec, "end_mapping", &[]),
            Event::Nothing => self.tell(ec, "empty", &[]),
        }
    }
}
