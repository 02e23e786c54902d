//! What a TracePoint says of what it is being told.

use asterism_compiler::{Code, CodeKind};
use asterism_core::proc::{binding, parameters};
use asterism_object::Value;
use asterism_symbol::intern;
use asterism_vm::frame::{self, Frame};
use asterism_vm::interp::trace::{Event, Moment};
use asterism_vm::method::Method;
use asterism_vm::{Args, Ec, Exc, NativeDef, Raised, Res};

/// The events' names, as TracePoint and as `set_trace_func` give them; each has the bit of its place.
pub(super) const EVENTS: [(&str, &str); 15] = [
    ("line", "line"),
    ("class", "class"),
    ("end", "end"),
    ("call", "call"),
    ("return", "return"),
    ("c_call", "c-call"),
    ("c_return", "c-return"),
    ("raise", "raise"),
    ("b_call", "b-call"),
    ("b_return", "b-return"),
    ("thread_begin", "thread-begin"),
    ("thread_end", "thread-end"),
    ("fiber_switch", "fiber-switch"),
    ("script_compiled", "script-compiled"),
    ("rescue", "rescue"),
];

/// All events.
pub(super) const ALL: u32 = (1 << EVENTS.len()) - 1;
/// `line`
pub(super) const LINE: u32 = 1;
/// Those of `set_trace_func`: up to `raise`.
pub(super) const FUNCTION: u32 = (1 << 8) - 1;

/// The place of an event in `EVENTS`.
fn index_of(event: Event) -> usize {
    match event {
        Event::Line(_) => 0,
        Event::Class => 1,
        Event::End => 2,
        Event::Call(_) => 3,
        Event::Return(..) => 4,
        Event::NativeCall(_) => 5,
        Event::NativeReturn(..) => 6,
        Event::Raise(_) => 7,
        Event::BlockCall => 8,
        Event::BlockReturn(_) => 9,
        Event::ThreadBegin => 10,
        Event::ThreadEnd => 11,
        Event::FiberSwitch => 12,
        Event::ScriptCompiled(..) => 13,
        Event::Rescue(_) => 14,
    }
}

/// The bit of an event.
pub(super) fn bit_of(event: Event) -> u32 {
    1 << index_of(event)
}

/// The bits that a name stands for.
pub(super) fn bits_of_name(name: &str) -> Option<u32> {
    let bit = |name: &str| EVENTS.iter().position(|(known, _)| *known == name).map(|i| 1 << i);
    match name {
        "a_call" => Some(bit("call")? | bit("b_call")? | bit("c_call")?),
        "a_return" => Some(bit("return")? | bit("b_return")? | bit("c_return")?),
        _ => bit(name),
    }
}

/// Can one of these events happen in `code`, on `line` if that is not 0? `is_method`: a block may be a method's body.
pub(super) fn has_events(code: &Code, events: u32, line: u32, is_method: bool) -> bool {
    let mut lines = super::lines(code);
    if line != 0 {
        return lines.any(|l| l == line);
    }
    let kinds = match code.kind {
        CodeKind::Method => &["call", "return"][..],
        CodeKind::Block if !is_method => &["b_call", "b_return"],
        CodeKind::Block => &["b_call", "b_return", "call", "return"],
        CodeKind::Class => &["class", "end"],
        _ => &[],
    };
    events & LINE != 0 && lines.next().is_some()
        || kinds.iter().filter_map(|kind| bits_of_name(kind)).any(|bit| events & bit != 0)
        || events & (bits_of_name("rescue").unwrap_or(0)) != 0 && !code.handlers.is_empty()
}

/// The methods that say what happened.
pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("event", event, 0, 0),
    NativeDef::new("lineno", lineno, 0, 0),
    NativeDef::new("path", path, 0, 0),
    NativeDef::new("method_id", method_id, 0, 0),
    NativeDef::new("callee_id", callee_id, 0, 0),
    NativeDef::new("defined_class", defined_class, 0, 0),
    NativeDef::new("binding", binding_of, 0, 0),
    NativeDef::new("self", self_of, 0, 0),
    NativeDef::new("parameters", parameters_of, 0, 0),
    NativeDef::new("return_value", return_value, 0, 0),
    NativeDef::new("raised_exception", raised_exception, 0, 0),
    NativeDef::new("eval_script", eval_script, 0, 0),
    NativeDef::new("inspect", inspect, 0, 0),
];

/// What is being told in this thread.
fn moment(ec: &mut Ec) -> Res<Moment> {
    match ec.thread.traced_moment() {
        Some(moment) => Ok(moment),
        None => Err(ec.raise(Exc::RuntimeError, "access from outside")),
    }
}

fn unsupported(ec: &mut Ec) -> Raised {
    ec.raise(Exc::RuntimeError, "not supported by this event")
}

/// The frame of the program's code that it happens in, or of the method that is told of.
fn code_frame(moment: &Moment) -> Option<*mut Frame> {
    if matches!(moment.event, Event::ThreadBegin | Event::ThreadEnd) {
        return None;
    }
    if matches!(moment.event, Event::Call(_) | Event::Return(..)) {
        return Some(moment.frame);
    }
    let mut at = moment.frame;
    // SAFETY: the moment's frame and those below it are active while the tracer is told.
    unsafe {
        while let Some(frame) = at.as_ref() {
            if frame.iseq.as_ref().is_some_and(|iseq| !iseq.code.internal) {
                return Some(at);
            }
            at = frame.prev;
        }
    }
    None
}

/// File and line.
fn place(moment: &Moment) -> Option<(std::sync::Arc<str>, u32)> {
    let frame = code_frame(moment)?;
    // SAFETY: as in `code_frame`; it is a Ruby frame.
    unsafe {
        let code = &(&*(*frame).iseq).code;
        let line = match moment.event {
            Event::Line(line) => line,
            Event::Call(_) | Event::BlockCall | Event::Class => code.line,
            _ => (*frame).line(),
        };
        Some((code.file.clone(), line))
    }
}

/// The method that it happens in, or that is called.
fn method(moment: &Moment) -> Option<Method> {
    if let Event::NativeCall(native) | Event::NativeReturn(native, _) = moment.event {
        return Method::from_value(native.method);
    }
    let frame = code_frame(moment)?;
    // SAFETY: as in `code_frame`.
    unsafe { if (*frame).has(frame::CLASS) { None } else { Method::from_value((*frame).method) } }
}

fn event(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    Ok(Value::sym(intern(EVENTS[index_of(moment.event)].0)))
}

fn lineno(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    Ok(Value::fixnum(place(&moment).map_or(0, |(_, line)| i64::from(line))))
}

fn path(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    match place(&moment) {
        Some((file, _)) => ec.str(file.as_bytes()),
        None => Ok(Value::NIL),
    }
}

fn method_id(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    Ok(method(&moment).map_or(Value::NIL, |method| Value::sym(method.original_name())))
}

fn callee_id(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    Ok(method(&moment).map_or(Value::NIL, |method| Value::sym(method.name())))
}

fn defined_class(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    Ok(method(&moment).map_or(Value::NIL, |method| method.owner().0))
}

fn binding_at(ec: &mut Ec, moment: &Moment) -> Res {
    if matches!(moment.event, Event::NativeCall(_) | Event::NativeReturn(..)) {
        return Ok(Value::NIL);
    }
    match code_frame(moment) {
        // SAFETY: the frame is active, a Ruby frame, which keeps its code alive.
        Some(frame) if unsafe { (&*(*frame).iseq).code.internal } => Ok(Value::NIL),
        // SAFETY: the frame is the one that is told of, which waits for its tracer.
        Some(frame) => unsafe { binding::of_frame(ec, frame) },
        None => Ok(Value::NIL),
    }
}

fn binding_of(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    binding_at(ec, &moment)
}

fn self_of(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    Ok(match moment.event {
        Event::NativeCall(native) | Event::NativeReturn(native, _) => native.recv,
        Event::ThreadBegin | Event::ThreadEnd => ec.thread.object,
        // SAFETY: as in `code_frame`.
        _ => code_frame(&moment).map_or(Value::NIL, |frame| unsafe { (*frame).self_val }),
    })
}

fn parameters_of(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let moment = moment(ec)?;
    match moment.event {
        Event::Call(_) | Event::Return(..) | Event::NativeCall(_) | Event::NativeReturn(..) => match method(&moment) {
            Some(method) => parameters::of_method(ec, method),
            None => ec.array(&[]),
        },
        Event::BlockCall | Event::BlockReturn(_) => match code_frame(&moment) {
            Some(frame) => {
                // SAFETY: as in `code_frame`; it is a Ruby frame.
                let (code, strict) = unsafe { ((&*(*frame).iseq).code.clone(), (*frame).has(frame::LAMBDA)) };
                parameters::of_code(ec, &code, strict)
            }
            None => ec.array(&[]),
        },
        _ => Err(unsupported(ec)),
    }
}

fn return_value(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    match moment(ec)?.event {
        Event::Return(_, v) | Event::BlockReturn(v) | Event::NativeReturn(_, v) => Ok(v),
        _ => Err(unsupported(ec)),
    }
}

fn raised_exception(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    match moment(ec)?.event {
        Event::Raise(e) | Event::Rescue(e) => Ok(e),
        _ => Err(unsupported(ec)),
    }
}

fn eval_script(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    match moment(ec)?.event {
        Event::ScriptCompiled(source, _) => Ok(source),
        _ => Err(unsupported(ec)),
    }
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let Some(moment) = ec.thread.traced_moment() else {
        let enabled = super::is_enabled(ec, &[this, Value::FALSE])?.truthy();
        return ec.str(format!("#<TracePoint:{}>", if enabled { "enabled" } else { "disabled" }).as_bytes());
    };
    let event = EVENTS[index_of(moment.event)].0;
    let (file, line) = place(&moment).unwrap_or_else(|| ("".into(), 0));
    let name = method(&moment).map(|method| method.original_name().text().into_owned());
    let text = match (moment.event, name) {
        (Event::Line(_), Some(name)) => format!("#<TracePoint:{event} {file}:{line} in '{name}'>"),
        (Event::Call(_) | Event::Return(..) | Event::NativeCall(_) | Event::NativeReturn(..), name) => {
            format!("#<TracePoint:{event} '{}' {file}:{line}>", name.unwrap_or_default())
        }
        (Event::ThreadBegin | Event::ThreadEnd, _) => {
            let thread = ec.thread.object;
            let shown = ec.inspect(thread)?;
            let shown = asterism_object::string::to_string_lossy(ec, shown);
            format!("#<TracePoint:{event} {shown}>")
        }
        _ => format!("#<TracePoint:{event} {file}:{line}>"),
    };
    ec.str(text.as_bytes())
}

/// What the Proc of `set_trace_func` is called with: an Array.
pub(super) fn function_arguments(ec: &mut Ec) -> Res {
    let moment = moment(ec)?;
    let event = ec.str(EVENTS[index_of(moment.event)].1.as_bytes())?;
    let (file, line) = match place(&moment) {
        Some((file, line)) => (ec.str(file.as_bytes())?, i64::from(line)),
        None => (Value::NIL, 0),
    };
    let found = method(&moment);
    let name = found.map_or(Value::NIL, |method| Value::sym(method.original_name()));
    let binding = binding_at(ec, &moment)?;
    // In place of a singleton class, what it is of.
    let class = found.map_or(Value::NIL, |method| {
        let owner = method.owner();
        if owner.is_singleton() { owner.module() } else { owner.0 }
    });
    ec.array(&[event, file, Value::fixnum(line), name, binding, class])
}
