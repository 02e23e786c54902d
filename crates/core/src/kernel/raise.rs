//! `raise`, `catch` and `throw`.

use std::sync::atomic::Ordering;

use asterism_object::class::Class;
use asterism_object::{Value, array};
use asterism_symbol::sym;
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::block::Block;
use asterism_vm::call::CallKind;
use asterism_vm::error::Pending;
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Raised, Res};

use crate::exception::attribute;

pub(super) static KERNEL: &[NativeDef] = &[
    NativeDef::new("raise", raise, 0, ANY),
    NativeDef::new("fail", raise, 0, ANY),
    NativeDef::new("catch", catch, 0, 1),
    NativeDef::new("throw", throw, 1, 2),
];

fn raise(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let made = make(ec, args);
    // The exception's place is that of the `raise`, not inside it.
    // SAFETY: a native frame's caller is active as long as the native runs.
    unsafe {
        let caller = (*ec.fiber.frame).prev;
        if !caller.is_null() {
            ec.fiber.frame = caller;
        }
    }
    let e = made?;
    let raised = ec.raise_exception(e);
    if ec.vm().debug.load(Ordering::Relaxed) {
        return Err(tell(ec, e, raised));
    }
    Err(raised)
}

/// What `$DEBUG` asks for: says that an exception is raised.
#[cold]
fn tell(ec: &mut Ec, e: Value, raised: Raised) -> Raised {
    let pending = ec.take_pending();
    let told = (|| {
        let class = ec.class_text_of(e)?;
        let text = ec.to_s(e)?;
        let text = asterism_object::string::to_string_lossy(ec, text);
        let place = ec.caller_location();
        let place = place.map_or_else(String::new, |(file, line)| format!(" at {file}:{line}"));
        let text = ec.str(format!("Exception '{class}'{place} - {text}\n"))?;
        let err = ec.gvar_get(asterism_symbol::intern("$stderr"))?;
        ec.call(err, sym::write, &[text])
    })();
    match told {
        Ok(_) => {
            let _same = raised;
            ec.unwind_with(pending)
        }
        Err(raised) => raised,
    }
}

/// What `raise`'s arguments say is to be raised, with cause and backtrace set. Used for `Thread#raise` and
/// `Fiber#raise` too.
///
/// # Errors
/// TypeError, ArgumentError; what constructing the exception raises.
pub fn make(ec: &mut Ec, args: Args<'_>) -> Res {
    let (positional, keywords) = args.split_keywords();
    let mut cause = None;
    let mut rest = None;
    if let Some(h) = keywords {
        let others = ec.hash_dup(h)?;
        cause = ec.hash_delete(others, Value::sym(sym::cause))?;
        if asterism_object::hash::len(others) > 0 {
            rest = Some(others);
        }
    }
    if positional.len() > 3 {
        return Err(ec.arity_error(positional.len(), 0, Some(3)));
    }
    let Some(&first) = positional.first() else {
        if cause.is_some() {
            return Err(ec.arg_error("only cause is given with no arguments"));
        }
        if !ec.fiber.errinfo.is_nil() {
            return Ok(ec.fiber.errinfo);
        }
        let class = ec.exc_class(Exc::RuntimeError);
        return ec.new_exception(class, b"");
    };
    let text = if positional.len() == 1 && Class::from_value(first).is_none() { ec.check_string(first)? } else { None };
    let e = match text {
        Some(text) => {
            let class = ec.exc_class(Exc::RuntimeError);
            ec.call(class, sym::new, &[text])?
        }
        None => exception_of(ec, first, positional.get(1).copied(), rest)?,
    };
    if let Some(&backtrace) = positional.get(2)
        && !backtrace.is_nil()
    {
        ec.call(e, sym::set_backtrace, &[backtrace])?;
    }
    set_cause(ec, e, cause)?;
    Ok(e)
}

fn exception_of(ec: &mut Ec, what: Value, message: Option<Value>, keywords: Option<Value>) -> Res {
    if !ec.respond_to(what, sym::exception, true)? {
        return Err(ec.type_error("exception class/object expected"));
    }
    let argv = [message.unwrap_or(Value::NIL)];
    let call = CallArgs {
        argv: if message.is_some() { &argv } else { &[] },
        keywords: keywords.map_or(Keywords::None, Keywords::Hash),
        block: Block::NONE,
    };
    let e = ec.call_with(what, sym::exception, &call, CallKind::Private)?;
    if ec.is_kind_of(e, ec.exc_class(Exc::Exception)) { Ok(e) } else { Err(ec.type_error("exception object expected")) }
}

/// Sets the cause that was given, or `$!` if none was.
fn set_cause(ec: &mut Ec, e: Value, given: Option<Value>) -> Res<()> {
    if asterism_object::ownership::is_frozen(e) {
        return Ok(());
    }
    let exception = ec.exc_class(Exc::Exception);
    match given {
        Some(cause) => {
            if !cause.is_nil() && !ec.is_kind_of(cause, exception) {
                return Err(ec.type_error("exception object expected"));
            }
            if cause == e {
                return Ok(());
            }
            let mut at = cause;
            while !at.is_nil() {
                if at == e {
                    return Err(ec.arg_error("circular causes"));
                }
                at = attribute(ec, at, sym::cause_ivar);
            }
            ec.ivar_put(e, sym::cause_ivar, cause)
        }
        None => {
            let current = ec.fiber.errinfo;
            if current.is_nil() || current == e || asterism_object::ivars::defined(ec, e, sym::cause_ivar) {
                return Ok(());
            }
            // A cause that leads back here would make a circle.
            let mut at = current;
            while !at.is_nil() {
                if at == e {
                    return Ok(());
                }
                at = attribute(ec, at, sym::cause_ivar);
            }
            ec.ivar_put(e, sym::cause_ivar, current)
        }
    }
}

fn catch(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.no_block());
    };
    let tag = match args.get(0) {
        Some(tag) => tag,
        None => {
            let object = ec.class(asterism_object::space::WellKnown::Object);
            ec.new_object(object)?
        }
    };
    if ec.fiber.catch_tags.is_nil() {
        ec.fiber.catch_tags = ec.array(&[])?;
    }
    let tags = ec.fiber.catch_tags;
    let depth = array::len(tags);
    ec.array_push(tags, tag)?;
    let (frame, errinfo) = (ec.fiber.frame, ec.fiber.errinfo);
    let result = ec.yield_block(block, &[tag]);
    let done = array::truncate(ec, tags, depth);
    match result {
        Ok(v) => {
            ec.check(tags, done)?;
            Ok(v)
        }
        Err(raised) => match ec.thread.pending {
            Pending::Throw(thrown, v) if thrown == tag => {
                ec.take_pending();
                ec.fiber.frame = frame;
                ec.fiber.errinfo = errinfo;
                Ok(v)
            }
            _ => Err(raised),
        },
    }
}

fn throw(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let tag = args[0];
    let tags = ec.fiber.catch_tags;
    let known = tags.is_heap() && (0..array::len(tags)).any(|i| array::at(tags, i) == Some(tag));
    if known {
        return Err(ec.unwind_with(Pending::Throw(tag, args.or_nil(1))));
    }
    Err(uncaught(ec, tag, args.or_nil(1)))
}

fn uncaught(ec: &mut Ec, tag: Value, v: Value) -> Raised {
    let class = ec.exc_class(Exc::UncaughtThrowError);
    let made = (|| {
        let shown = ec.inspect_for_error(tag)?;
        let e = ec.new_exception(class, &[b"uncaught throw ", &shown[..]].concat())?;
        ec.ivar_put(e, sym::tag, tag)?;
        ec.ivar_put(e, sym::value, v)?;
        Ok(e)
    })();
    match made {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}
