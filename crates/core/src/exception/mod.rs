//! Exception and its family: messages, causes, `inspect`; the attributes of the special ones.

mod attributes;
pub mod backtraces;
pub mod errno;
pub mod help;
pub mod report;

pub use attributes::{attribute, message_bytes};

use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, ivars, string};
use asterism_symbol::{intern, sym};
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res};

use asterism_support::signal::NAMES;
use asterism_vm::recursion::{self, Tag};

static EXCEPTION: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 1).private(),
    NativeDef::new("exception", exception, 0, 1),
    NativeDef::new("to_s", to_s, 0, 0),
    NativeDef::new("message", message, 0, 0),
    NativeDef::new("detailed_message", report::detailed_message, 0, 0).keywords(asterism_vm::native::ANY_KEYWORDS),
    NativeDef::new("full_message", report::full_message, 0, 0).keywords(asterism_vm::native::ANY_KEYWORDS),
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("cause", cause, 0, 0).leaf(),
    NativeDef::new("==", equal, 1, 1),
    NativeDef::new("backtrace", backtraces::backtrace, 0, 0),
    NativeDef::new("backtrace_locations", backtraces::backtrace_locations, 0, 0),
    NativeDef::new("set_backtrace", backtraces::set_backtrace, 1, 1),
];

static EXCEPTION_SINGLETON: &[NativeDef] =
    &[NativeDef::new("exception", class_exception, 0, ANY), NativeDef::new("to_tty?", to_tty, 0, 0)];

static NAME_ERROR: &[NativeDef] = &[
    NativeDef::new("initialize", name_error_initialize, 0, ANY).private(),
    NativeDef::new("name", get_name, 0, 0).leaf(),
    NativeDef::new("receiver", get_receiver, 0, 0).leaf(),
    NativeDef::new("local_variables", help::local_names, 0, 0),
];

static NO_METHOD_ERROR: &[NativeDef] = &[
    NativeDef::new("initialize", no_method_error_initialize, 0, ANY).private(),
    NativeDef::new("args", get_args, 0, 0).leaf(),
    NativeDef::new("private_call?", get_private_call, 0, 0).leaf(),
];

static KEY_ERROR: &[NativeDef] = &[
    NativeDef::new("initialize", key_error_initialize, 0, ANY).private(),
    NativeDef::new("key", get_key, 0, 0).leaf(),
    NativeDef::new("receiver", get_receiver, 0, 0).leaf(),
];

static PATTERN_KEY_ERROR: &[NativeDef] = &[
    NativeDef::new("initialize", pattern_key_error_initialize, 0, ANY).private(),
    NativeDef::new("key", get_key, 0, 0).leaf(),
    NativeDef::new("matchee", get_matchee, 0, 0).leaf(),
];

static FROZEN_ERROR: &[NativeDef] = &[
    NativeDef::new("initialize", frozen_error_initialize, 0, ANY).private(),
    NativeDef::new("receiver", get_receiver, 0, 0).leaf(),
];

static STOP_ITERATION: &[NativeDef] = &[NativeDef::new("result", get_result, 0, 0).leaf()];

static SYSTEM_EXIT: &[NativeDef] = &[
    NativeDef::new("initialize", system_exit_initialize, 0, ANY).private(),
    NativeDef::new("status", get_status, 0, 0).leaf(),
    NativeDef::new("success?", success_p, 0, 0).leaf(),
];

static UNCAUGHT_THROW: &[NativeDef] = &[
    NativeDef::new("initialize", uncaught_throw_initialize, 0, ANY).private(),
    NativeDef::new("tag", get_tag, 0, 0).leaf(),
    NativeDef::new("value", get_value, 0, 0).leaf(),
    NativeDef::new("to_s", to_s, 0, 0),
];

static LOCAL_JUMP: &[NativeDef] =
    &[NativeDef::new("reason", get_reason, 0, 0).leaf(), NativeDef::new("exit_value", get_exit_value, 0, 0).leaf()];

static SYNTAX_ERROR: &[NativeDef] = &[NativeDef::new("path", get_path, 0, 0).leaf()];

static LOAD_ERROR: &[NativeDef] = &[NativeDef::new("path", get_path, 0, 0).leaf()];

static SIGNAL_EXCEPTION: &[NativeDef] = &[
    NativeDef::new("initialize", signal_initialize, 0, ANY).private(),
    NativeDef::new("signo", get_signo, 0, 0).leaf(),
    NativeDef::new("signm", message, 0, 0),
];

static INTERRUPT: &[NativeDef] = &[NativeDef::new("initialize", interrupt_initialize, 0, 1).private()];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let of = |ec: &Ec, which| Class(ec.exc_class(which));
    for (which, list) in [
        (Exc::Exception, EXCEPTION),
        (Exc::NameError, NAME_ERROR),
        (Exc::NoMethodError, NO_METHOD_ERROR),
        (Exc::KeyError, KEY_ERROR),
        (Exc::NoMatchingPatternKeyError, PATTERN_KEY_ERROR),
        (Exc::FrozenError, FROZEN_ERROR),
        (Exc::StopIteration, STOP_ITERATION),
        (Exc::SystemExit, SYSTEM_EXIT),
        (Exc::UncaughtThrowError, UNCAUGHT_THROW),
        (Exc::LocalJumpError, LOCAL_JUMP),
        (Exc::SyntaxError, SYNTAX_ERROR),
        (Exc::LoadError, LOAD_ERROR),
        (Exc::SignalException, SIGNAL_EXCEPTION),
        (Exc::Interrupt, INTERRUPT),
    ] {
        let class = of(ec, which);
        ec.define_natives(class, list)?;
    }
    let exception = of(ec, Exc::Exception);
    ec.define_singleton_natives(exception, EXCEPTION_SINGLETON)?;
    let gvars = &ec.vm().gvars;
    gvars.define(intern("$!"), Some(|ec, _| Ok(ec.fiber.errinfo)), Some(asterism_vm::gvar::read_only), Value::NIL);
    gvars.define(intern("$@"), Some(get_error_place), Some(set_error_place), Value::NIL);
    backtraces::init(ec)?;
    errno::init(ec)
}

fn get_error_place(ec: &mut Ec, _name: Sym) -> Res {
    let e = ec.fiber.errinfo;
    if e.is_nil() { Ok(Value::NIL) } else { ec.call(e, sym::backtrace, &[]) }
}

fn set_error_place(ec: &mut Ec, _name: Sym, v: Value) -> Res<()> {
    let e = ec.fiber.errinfo;
    if e.is_nil() {
        return Err(ec.arg_error("$! not set"));
    }
    ec.call(e, sym::set_backtrace, &[v])?;
    Ok(())
}

macro_rules! readers {
    ($($function:ident => $name:expr,)*) => {
        $(fn $function(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
            Ok(attribute(ec, this, $name))
        })*
    };
}

readers! {
    get_name => sym::name, get_result => sym::result, get_tag => sym::tag, get_value => sym::value,
    get_reason => sym::reason, get_exit_value => sym::exit_value, get_path => intern("@path"), get_signo => sym::signo,
    get_args => intern("args"),
}

fn get_private_call(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ivars::get(ec, this, intern("private_call")).is_some_and(Value::truthy)))
}

fn required(ec: &mut Ec, this: Value, name: Sym, what: &str) -> Res {
    match ivars::get(ec, this, name) {
        Some(v) => Ok(v),
        None => Err(ec.arg_error(format!("no {what} is available"))),
    }
}

fn get_receiver(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    required(ec, this, sym::receiver, "receiver")
}

fn get_key(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    required(ec, this, sym::key, "key")
}

fn get_matchee(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    required(ec, this, intern("matchee"), "matchee")
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.ivar_put(this, sym::message_ivar, args.or_nil(0))?;
    Ok(Value::NIL)
}

fn class_exception(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.call_with(this, sym::new, &crate::object::forward(args, 0), asterism_vm::call::CallKind::Private)
}

fn to_tty(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let stderr = ec.gvar_get(intern("$stderr"))?;
    let name = intern("tty?");
    if ec.respond_to(stderr, name, false)? { ec.call(stderr, name, &[]) } else { Ok(Value::FALSE) }
}

fn exception(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(text) = args.get(0).filter(|v| *v != this) else {
        return Ok(this);
    };
    let copy = ec.call(this, sym::clone, &[])?;
    ec.ivar_put(copy, sym::message_ivar, text)?;
    Ok(copy)
}

/// `Exception#to_s`: the message, or the class's name.
pub fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let held = attribute(ec, this, sym::message_ivar);
    if held.is_nil() {
        let name = ec.class_name_of(this);
        return ec.str(name);
    }
    ec.to_s(held)
}

fn message(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = ec.call(this, sym::to_s, &[])?;
    if text.is_type(Type::String) { Ok(text) } else { ec.to_s(text) }
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = ec.class_name_of(this);
    let text = ec.to_s(this)?;
    let bytes = string::to_vec(ec, text);
    if bytes.is_empty() {
        return ec.str(class);
    }
    let shown = if bytes.contains(&b'\n') {
        let shown = ec.inspect_for_error(text)?;
        [class.as_bytes(), b":", &shown].concat()
    } else {
        [class.as_bytes(), b": ", &bytes].concat()
    };
    ec.str([b"#<", &shown[..], b">"].concat())
}

fn cause(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(attribute(ec, this, sym::cause_ivar))
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if this == other {
        return Ok(Value::TRUE);
    }
    if ec.real_class_of(this) != ec.real_class_of(other) {
        return Ok(Value::FALSE);
    }
    let answer = recursion::guard_pair(ec, Tag::Equal, this, other, |ec| {
        for name in [sym::message, sym::backtrace] {
            let a = ec.call(this, name, &[])?;
            let b = ec.call(other, name, &[])?;
            if !ec.eq(a, b)? {
                return Ok(Value::FALSE);
            }
        }
        Ok(Value::TRUE)
    })?;
    Ok(answer.unwrap_or(Value::FALSE))
}

/// Sets the attributes that keyword arguments give.
fn keywords(ec: &mut Ec, this: Value, given: Option<Value>, known: &[Sym]) -> Res<()> {
    let Some(h) = given else { return Ok(()) };
    let mut used = 0;
    for &name in known {
        if let Some(v) = ec.hash_get(h, Value::sym(name))? {
            used += 1;
            ec.ivar_put(this, name, v)?;
        }
    }
    if used < asterism_object::hash::len(h) {
        let keys = asterism_object::hash::keys(ec, h);
        let keys = ec.check(h, keys)?;
        for i in 0..asterism_object::array::len(keys) {
            let key = asterism_object::array::at(keys, i).unwrap_or(Value::NIL);
            if !known.iter().any(|&k| Value::sym(k) == key) {
                let shown = ec.inspect_for_error(key)?;
                return Err(ec.arg_error([b"unknown keyword: ", &shown[..]].concat()));
            }
        }
    }
    Ok(())
}

/// The shared form of constructors: message, more positional attributes, keywords.
fn construct(ec: &mut Ec, this: Value, args: Args<'_>, positional: &[Sym], known: &[Sym]) -> Res {
    let (argv, given) = args.split_keywords();
    if argv.len() > positional.len() + 1 {
        return Err(ec.arity_error(argv.len(), 0, Some(positional.len() + 1)));
    }
    ec.ivar_put(this, sym::message_ivar, argv.first().copied().unwrap_or(Value::NIL))?;
    for (name, v) in positional.iter().zip(argv.iter().skip(1)) {
        ec.ivar_put(this, *name, *v)?;
    }
    keywords(ec, this, given, known)?;
    Ok(Value::NIL)
}

fn name_error_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    construct(ec, this, args, &[sym::name], &[sym::receiver])
}

fn no_method_error_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    construct(ec, this, args, &[sym::name, intern("args"), intern("private_call")], &[sym::receiver])
}

fn key_error_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    construct(ec, this, args, &[], &[sym::receiver, sym::key])
}

fn pattern_key_error_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    construct(ec, this, args, &[], &[intern("matchee"), sym::key])
}

fn frozen_error_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    construct(ec, this, args, &[], &[sym::receiver])
}

fn uncaught_throw_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let text = match args.get(2) {
        Some(v) => v,
        None => {
            let tag = args.or_nil(0);
            let shown = ec.inspect_for_error(tag)?;
            ec.str([b"uncaught throw ", &shown[..]].concat())?
        }
    };
    ec.ivar_put(this, sym::message_ivar, text)?;
    ec.ivar_put(this, sym::tag, args.or_nil(0))?;
    ec.ivar_put(this, sym::value, args.or_nil(1))?;
    Ok(Value::NIL)
}

/// The status that `exit`'s argument stands for; `None` if it is no status.
pub fn status_of(ec: &mut Ec, v: Value) -> Res<Option<i64>> {
    Ok(match v {
        Value::TRUE => Some(0),
        Value::FALSE => Some(1),
        _ if v.is_fixnum() => Some(ec.to_i64(v)?),
        _ => None,
    })
}

fn system_exit_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut rest = args.slice();
    let mut status = 0;
    if let Some(&first) = rest.first()
        && let Some(n) = status_of(ec, first)?
    {
        status = n;
        rest = &rest[1..];
    }
    let message = rest.first().copied().unwrap_or(Value::NIL);
    ec.ivar_put(this, sym::message_ivar, message)?;
    ec.ivar_put(this, sym::status, Value::fixnum(status))?;
    Ok(Value::NIL)
}

fn get_status(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let status = attribute(ec, this, sym::status);
    Ok(if status.is_nil() { Value::fixnum(0) } else { status })
}

fn success_p(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let status = attribute(ec, this, sym::status);
    Ok(Value::bool(status.is_nil() || status == Value::fixnum(0)))
}

fn signal_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(first) = args.get(0) else {
        return Err(ec.arg_error("wrong number of arguments (given 0, expected 1..2)"));
    };
    if args.len() > 2 {
        return Err(ec.arity_error(args.len(), 1, Some(2)));
    }
    let (number, text) = if first.is_fixnum() {
        let n = ec.to_i64(first)?;
        if !(0..=64).contains(&n) {
            return Err(ec.arg_error(format!("invalid signal number ({n})")));
        }
        let text = match args.get(1) {
            Some(v) => v,
            None => {
                let name = NAMES.iter().find(|(_, number)| i64::from(*number) == n).map_or("", |(name, _)| name);
                ec.str(if name.is_empty() { format!("SIG{n}") } else { format!("SIG{name}") })?
            }
        };
        (n, text)
    } else {
        if args.len() > 1 {
            return Err(ec.arity_error(args.len(), 1, Some(1)));
        }
        let name = match first.as_sym() {
            Some(s) => s.text().into_owned(),
            None => match ec.check_string(first)? {
                Some(s) => string::to_string_lossy(ec, s),
                None => {
                    let class = ec.class_name_of(first);
                    return Err(ec.arg_error(format!("bad signal type {class}")));
                }
            },
        };
        let bare = name.strip_prefix("SIG").unwrap_or(&name);
        match NAMES.iter().find(|(known, _)| *known == bare) {
            Some((_, n)) => (i64::from(*n), ec.str(format!("SIG{bare}"))?),
            None => {
                let sign = if bare.starts_with('-') { "" } else { "SIG" };
                return Err(ec.arg_error(format!("unsupported signal '{sign}{bare}'")));
            }
        }
    };
    ec.ivar_put(this, sym::message_ivar, text)?;
    ec.ivar_put(this, sym::signo, Value::fixnum(number))?;
    Ok(Value::NIL)
}

fn interrupt_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let text = match args.get(0) {
        Some(v) => v,
        None => ec.str("Interrupt")?,
    };
    ec.ivar_put(this, sym::message_ivar, text)?;
    ec.ivar_put(this, sym::signo, Value::fixnum(2))?;
    Ok(Value::NIL)
}
