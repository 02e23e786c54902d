//! Backtraces as Ruby sees them: lines, and Thread::Backtrace::Location objects.

use std::sync::atomic::Ordering;

use asterism_heap::Marker;
use asterism_object::class::{Alloc, Class};
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value, array, ownership, string};
use asterism_symbol::{intern, sym};
use asterism_vm::backtrace::{Backtrace, Location, collect, label, line_text};
use asterism_vm::method::Method;
use asterism_vm::{Args, Arguments, Ec, NativeDef, Res};

use super::attribute;

/// What a Location object refers to: a collected backtrace and the place in it.
pub struct LocationObject {
    backtrace: AtomicValue,
    index: usize,
}

impl DataObject for LocationObject {
    const NAME: &'static str = "location";
    const SHARED: Shared = Shared::Always;

    fn trace(&self, marker: &mut Marker) {
        self.backtrace.mark(marker);
    }
}

static LOCATION: &[NativeDef] = &[
    NativeDef::new("lineno", lineno, 0, 0),
    NativeDef::new("path", path, 0, 0),
    NativeDef::new("absolute_path", absolute_path, 0, 0),
    NativeDef::new("label", label_of, 0, 0),
    NativeDef::new("base_label", base_label, 0, 0),
    NativeDef::new("to_s", to_s, 0, 0),
    NativeDef::new("inspect", inspect, 0, 0),
];

static KERNEL: &[NativeDef] =
    &[NativeDef::new("caller", caller, 0, 2), NativeDef::new("caller_locations", caller_locations, 0, 2)];

static BACKTRACE: &[NativeDef] = &[NativeDef::new("limit", limit, 0, 0), NativeDef::new("__at_level", at_level, 1, 1)];

/// `--backtrace-limit`: how many lines are shown of a backtrace that nothing has rescued; -1 is all.
fn limit(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let limit = ec.vm().options.backtrace_limit.unwrap_or(-1);
    ec.int(limit)
}

/// Defines `Thread::Backtrace::Location`, `caller` and `caller_locations`.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let thread = ec.known(WellKnown::Thread);
    let backtrace = ec.define_class(thread, "Backtrace", object)?;
    ec.define_singleton_natives(backtrace, BACKTRACE)?;
    let location = ec.define_class(backtrace, "Location", object)?;
    ec.define_natives(location, LOCATION)?;
    for class in [backtrace, location] {
        class.set_alloc(Alloc::Undefined);
    }
    let meta = ec.singleton_class(location.0)?;
    ec.undef_method(meta, sym::new)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, KERNEL)
}

fn location_class(ec: &mut Ec) -> Value {
    let thread = ec.known(WellKnown::Thread);
    ec.own_constant(thread, intern("Backtrace"))
        .and_then(Class::from_value)
        .and_then(|c| ec.own_constant(c, intern("Location")))
        .unwrap_or_else(|| ec.class(WellKnown::Object))
}

/// Location objects for lines `from..from + count` of a collected backtrace (a Backtrace object).
///
/// # Errors
/// NoMemoryError.
pub fn locations(ec: &mut Ec, backtrace: Value, from: usize, count: usize) -> Res {
    let class = location_class(ec);
    let list = ec.array(&[])?;
    for index in from..from.saturating_add(count) {
        let made = data::new(ec, class, LocationObject { backtrace: AtomicValue::new(Value::NIL), index });
        let made = ec.check(Value::NIL, made)?;
        if let (Some(object), Some(cell)) = (data::get::<LocationObject>(&made), made.cell()) {
            asterism_object::store(cell, &object.backtrace, backtrace);
        }
        ec.array_push(list, made)?;
    }
    Ok(list)
}

fn location(ec: &mut Ec, this: Value) -> Res<Location> {
    let found = data::get::<LocationObject>(&this).and_then(|o| {
        let held = o.backtrace.load(Ordering::Acquire);
        data::get::<Backtrace>(&held).and_then(|b| b.locations.get(o.index).cloned())
    });
    match found {
        Some(l) => Ok(l),
        None => Err(ec.type_error("uninitialized location")),
    }
}

fn lineno(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let l = location(ec, this)?;
    Ok(Value::fixnum(i64::from(l.line)))
}

fn path(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match location(ec, this)?.code {
        Some(code) => ec.str(code.file.as_bytes()),
        None => Ok(Value::NIL),
    }
}

fn absolute_path(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let Some(code) = location(ec, this)?.code else {
        return Ok(Value::NIL);
    };
    match std::fs::canonicalize(&*code.file) {
        Ok(full) => ec.str(full.to_string_lossy().as_bytes()),
        Err(_) => Ok(Value::NIL),
    }
}

fn label_of(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let l = location(ec, this)?;
    let text = label(ec, &l);
    asterism_heap::keep_alive(this.bits());
    ec.str(text)
}

fn base_label(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let l = location(ec, this)?;
    let text = match Method::from_value(l.method) {
        Some(m) => m.original_name().text().into_owned(),
        None => {
            let text = label(ec, &l);
            text.rsplit(" in ").next().unwrap_or_default().to_string()
        }
    };
    asterism_heap::keep_alive(this.bits());
    ec.str(text)
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let l = location(ec, this)?;
    let text = line_text(ec, &l);
    asterism_heap::keep_alive(this.bits());
    ec.str(text)
}

fn inspect(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let text = to_s(ec, this, args)?;
    let shown = ec.inspect_for_error(text)?;
    ec.str(shown)
}

/// The Backtrace object an exception has, if it was raised and nobody replaced its backtrace.
fn collected(ec: &Ec, e: Value) -> Option<Value> {
    [sym::backtrace_ivar, sym::locations_ivar].into_iter().find_map(|name| {
        let held = attribute(ec, e, name);
        data::is::<Backtrace>(held).then_some(held)
    })
}

/// `Exception#backtrace`; the Array is made once.
pub fn backtrace(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let held = attribute(ec, this, sym::backtrace_ivar);
    let Some(backtrace) = data::get::<Backtrace>(&held) else {
        return Ok(held);
    };
    let lines = ec.backtrace_strings(&backtrace.locations)?;
    asterism_heap::keep_alive(held.bits());
    if !ownership::is_frozen(this) {
        if attribute(ec, this, sym::locations_ivar).is_nil() {
            ec.ivar_put(this, sym::locations_ivar, held)?;
        }
        ec.ivar_put(this, sym::backtrace_ivar, lines)?;
    }
    Ok(lines)
}

/// `Exception#backtrace_locations`; the Array is made once, so that what a program takes out of it is gone.
pub fn backtrace_locations(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let made = attribute(ec, this, sym::locations_ivar);
    if made.is_type(Type::Array) {
        return Ok(made);
    }
    let Some(held) = collected(ec, this) else { return Ok(Value::NIL) };
    let count = data::get::<Backtrace>(&held).map_or(0, |b| b.locations.len());
    let made = locations(ec, held, 0, count)?;
    if !ownership::is_frozen(this) {
        ec.ivar_put(this, sym::locations_ivar, made)?;
    }
    Ok(made)
}

fn all(list: Value, accepts: impl Fn(Value) -> bool) -> bool {
    (0..array::len(list)).all(|i| array::at(list, i).is_none_or(&accepts))
}

/// What an exception has of Locations, or makes them of: Strings that replace its backtrace leave that as it is.
fn located(ec: &Ec, e: Value) -> Value {
    let held = attribute(ec, e, sym::locations_ivar);
    if held.is_nil() { collected(ec, e).unwrap_or(Value::NIL) } else { held }
}

/// Sets an exception's backtrace to a String, an Array of Strings or of Locations, or nil.
///
/// # Errors
/// TypeError for anything else.
pub fn put_backtrace(ec: &mut Ec, e: Value, v: Value) -> Res {
    let (lines, held) = if v.is_nil() || v.is_type(Type::Array) && all(v, |x| x.is_type(Type::String)) {
        (v, located(ec, e))
    } else if v.is_type(Type::String) {
        (ec.array(&[v])?, located(ec, e))
    } else if v.is_type(Type::Array) && all(v, data::is::<LocationObject>) {
        let lines = ec.array(&[])?;
        for i in 0..array::len(v) {
            let line = array::at(v, i).unwrap_or(Value::NIL);
            let line = to_s(ec, line, &Arguments::new(&[]))?;
            ec.array_push(lines, line)?;
        }
        (lines, v)
    } else {
        return Err(ec.type_error("backtrace must be an Array of String or an Array of Thread::Backtrace::Location"));
    };
    ec.ivar_put(e, sym::backtrace_ivar, lines)?;
    ec.ivar_put(e, sym::locations_ivar, held)?;
    Ok(lines)
}

/// `Exception#set_backtrace`
pub fn set_backtrace(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    put_backtrace(ec, this, args[0])
}

/// The stretch that the arguments of `caller` name, of `total` lines: a start and a length, or a Range.
///
/// # Errors
/// ArgumentError, TypeError.
pub fn stretch(ec: &mut Ec, args: Args<'_>, total: usize, level: i64) -> Res<Option<(usize, usize)>> {
    let total = total as i64;
    let (start, length) = match args.get(0) {
        Some(r) if r.is_type(Type::Range) => {
            let begin = asterism_object::range::begin(r);
            let end = asterism_object::range::end(r);
            let start = if begin.is_nil() { 0 } else { ec.to_i64(begin)? };
            let mut stop = if end.is_nil() { -1 } else { ec.to_i64(end)? };
            if stop < 0 {
                stop = stop.saturating_add(total);
            }
            if asterism_object::range::exclude_end(r) && !end.is_nil() {
                stop = stop.saturating_sub(1);
            }
            let start = if start < 0 { start.saturating_add(total) } else { start };
            (start, stop.saturating_sub(start).saturating_add(1).max(0))
        }
        given => {
            let start = match given {
                Some(v) if !v.is_nil() => ec.to_i64(v)?,
                _ => level,
            };
            if start < 0 {
                return Err(ec.arg_error(format!("negative level ({start})")));
            }
            let length = match args.get(1) {
                Some(v) if !v.is_nil() => ec.to_i64(v)?,
                _ => i64::MAX,
            };
            if length < 0 {
                return Err(ec.arg_error(format!("negative size ({length})")));
            }
            (start, length)
        }
    };
    if start < 0 || start > total {
        // No lines are wanted, wherever.
        return Ok((length == 0 && start > 0).then_some((0, 0)));
    }
    Ok(Some((start as usize, length.min(total - start) as usize)))
}

/// The frames below the running native's caller, as a Backtrace object, and the stretch that was asked for.
fn callers(ec: &mut Ec, args: Args<'_>) -> Res<Option<(Value, usize, usize)>> {
    // Line 0 is this native method's.
    let list = collect(ec, 1);
    let Some((from, count)) = stretch(ec, args, list.len(), 1)? else {
        return Ok(None);
    };
    let object = ec.class(WellKnown::Object);
    let held = data::new(ec, object, Backtrace { locations: list });
    let held = ec.check(Value::NIL, held)?;
    Ok(Some((held, from, count)))
}

fn caller(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some((held, from, count)) = callers(ec, args)? else {
        return Ok(Value::NIL);
    };
    let Some(backtrace) = data::get::<Backtrace>(&held) else {
        return Ok(Value::NIL);
    };
    let lines = backtrace.locations.get(from..from + count).unwrap_or_default();
    let lines = ec.backtrace_strings(lines)?;
    asterism_heap::keep_alive(held.bits());
    Ok(lines)
}

fn caller_locations(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    match callers(ec, args)? {
        Some((held, from, count)) => locations(ec, held, from, count),
        None => Ok(Value::NIL),
    }
}

/// Where the program is, so many levels out of the method of the library's that asks, as `file:line`; nil: nowhere.
fn at_level(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let level = usize::try_from(ec.to_i64(args[0])?).unwrap_or(usize::MAX);
    match asterism_vm::backtrace::at_level(ec, level) {
        Some((file, line)) => ec.str(format!("{file}:{line}")),
        None => Ok(Value::NIL),
    }
}

/// The lines of an exception's backtrace, as bytes.
pub fn lines_of(ec: &mut Ec, e: Value) -> Res<Vec<Vec<u8>>> {
    let lines = ec.call(e, sym::backtrace, &[])?;
    let mut out = Vec::new();
    if lines.is_type(Type::Array) {
        for i in 0..array::len(lines) {
            let line = array::at(lines, i).unwrap_or(Value::NIL);
            let line = ec.to_s(line)?;
            out.push(string::to_vec(ec, line));
        }
    }
    Ok(out)
}
