//! `Kernel#sleep`, and timeouts as threads take them.

use std::time::{Duration, Instant};

use asterism_heap::SpanKind;
use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_vm::thread::deadline_after;
use asterism_vm::{Args, Ec, NativeDef, Res};

static KERNEL: &[NativeDef] = &[NativeDef::new("sleep", sleep, 0, 1)];

/// Defines the methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, KERNEL)
}

/// How long to sleep.
///
/// # Errors
/// TypeError if it is no time; ArgumentError if it is negative.
pub fn interval(ec: &mut Ec, v: Value) -> Res<Duration> {
    if let Some(n) = v.fixnum_value() {
        return match u64::try_from(n) {
            Ok(n) => Ok(Duration::from_secs(n)),
            Err(_) => Err(negative(ec)),
        };
    }
    let numeric = ec.class(WellKnown::Numeric);
    let seconds = if ec.is_kind_of(v, numeric) {
        ec.to_f64(v)?
    } else if !v.is_type(Type::String) && ec.respond_to(v, asterism_symbol::intern("divmod"), true)? {
        let parts = ec.call(v, asterism_symbol::intern("divmod"), &[Value::fixnum(1)])?;
        let (whole, part) = (asterism_object::array::get(ec.to_ary(parts)?, 0), asterism_object::array::get(parts, 1));
        ec.to_f64(whole)? + ec.to_f64(part)?
    } else {
        let name = ec.class_name_of(v);
        return Err(ec.type_error(format!("can't convert {name} into time interval")));
    };
    if seconds < 0.0 {
        return Err(negative(ec));
    }
    duration(ec, seconds)
}

fn negative(ec: &mut Ec) -> asterism_vm::Raised {
    ec.arg_error("time interval must not be negative")
}

fn duration(ec: &mut Ec, seconds: f64) -> Res<Duration> {
    if seconds.is_nan() {
        return Err(ec.range_error("float NaN out of range of time interval"));
    }
    // What is too long for a Duration is for ever.
    Ok(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX))
}

/// The deadline of a `timeout` argument; `None` for nil or one too far away. A negative one is over at once.
///
/// # Errors
/// TypeError if it is no number.
pub fn deadline(ec: &mut Ec, timeout: Value) -> Res<Option<Instant>> {
    if timeout.is_nil() {
        return Ok(None);
    }
    let limit = match timeout.fixnum_value() {
        Some(n) => Duration::from_secs(u64::try_from(n).unwrap_or(0)),
        None => {
            let seconds = seconds(ec, timeout)?;
            duration(ec, seconds)?
        }
    };
    Ok(deadline_after(limit))
}

/// A number of seconds: what is no number may say so by `to_f`, if it is no String.
fn seconds(ec: &mut Ec, v: Value) -> Res<f64> {
    let (numeric, to_f) = (ec.class(WellKnown::Numeric), asterism_symbol::intern("to_f"));
    if ec.is_kind_of(v, numeric) || v.is_type(Type::String) || v.is_nil() || !ec.respond_to(v, to_f, true)? {
        return ec.to_f64(v);
    }
    let made = ec.call(v, to_f, &[])?;
    if asterism_object::float::is_float(made) {
        return ec.to_f64(made);
    }
    let got = ec.class_name_of(made);
    Err(ec.conversion_mismatch(v, "Float", to_f, &got))
}

/// Whole seconds since `start`, rounded.
pub fn slept(start: Instant) -> Value {
    Value::fixnum(start.elapsed().as_secs_f64().round() as i64)
}

fn sleep(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let start = Instant::now();
    if let Some(scheduler) = ec.scheduler() {
        if let Some(time) = args.get(0).filter(|v| !v.is_nil()) {
            interval(ec, time)?;
        }
        ec.fiber_span(SpanKind::Sleep, Value::NIL, |ec| {
            ec.call(scheduler, asterism_symbol::intern("kernel_sleep"), args.slice())
        })?;
        return Ok(slept(start));
    }
    let until = match args.get(0) {
        None | Some(Value::NIL) => None,
        Some(v) => deadline_after(interval(ec, v)?),
    };
    ec.sleep_until(until, false)?;
    Ok(slept(start))
}
