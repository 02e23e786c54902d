//! Process: clocks, processor times, process ids.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, bigint, string};
use asterism_symbol::intern;
use asterism_vm::error::Exc;
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};
use num_bigint::BigInt;
use rustix::time::{ClockId, DynamicClockId, clock_getres, clock_gettime_dynamic};

static FUNCTIONS: &[NativeDef] = &[
    NativeDef::new("clock_gettime", gettime, 1, 2).leaf(),
    NativeDef::new("clock_getres", getres, 1, 2).leaf(),
    NativeDef::new("pid", pid, 0, 0).leaf(),
    NativeDef::new("ppid", ppid, 0, 0).leaf(),
];

const CLOCKS: &[(&str, i64, DynamicClockId<'static>)] = &[
    ("CLOCK_REALTIME", 0, DynamicClockId::Known(ClockId::Realtime)),
    ("CLOCK_MONOTONIC", 1, DynamicClockId::Known(ClockId::Monotonic)),
    ("CLOCK_PROCESS_CPUTIME_ID", 2, DynamicClockId::Known(ClockId::ProcessCPUTime)),
    ("CLOCK_THREAD_CPUTIME_ID", 3, DynamicClockId::Known(ClockId::ThreadCPUTime)),
    ("CLOCK_MONOTONIC_RAW", 4, DynamicClockId::Known(ClockId::MonotonicRaw)),
    ("CLOCK_REALTIME_COARSE", 5, DynamicClockId::Known(ClockId::RealtimeCoarse)),
    ("CLOCK_MONOTONIC_COARSE", 6, DynamicClockId::Known(ClockId::MonotonicCoarse)),
    ("CLOCK_BOOTTIME", 7, DynamicClockId::Boottime),
    ("CLOCK_REALTIME_ALARM", 8, DynamicClockId::RealtimeAlarm),
    ("CLOCK_BOOTTIME_ALARM", 9, DynamicClockId::BoottimeAlarm),
    ("CLOCK_TAI", 11, DynamicClockId::Tai),
];

/// Defines the functions and constants.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let process = ec.known(WellKnown::Process);
    for (name, number, _) in CLOCKS {
        ec.set_constant(process, intern(name), Value::fixnum(*number))?;
    }
    ec.vm().add_primitives(&[("process_times", times)]);
    ec.define_singleton_natives(process, FUNCTIONS)
}

/// The clock of an id and how many of the fraction's nanoseconds make its smallest step.
fn clock_of(v: Value) -> Option<(DynamicClockId<'static>, i64)> {
    if let Some(n) = v.fixnum_value() {
        return CLOCKS.iter().find(|(_, number, _)| *number == n).map(|(_, _, id)| (*id, 1));
    }
    // What CRuby emulates on systems without these clocks: the same clocks with a coarser step.
    let (id, step) = match &*v.as_sym()?.text() {
        "GETTIMEOFDAY_BASED_CLOCK_REALTIME" => (ClockId::Realtime, 1_000),
        "TIME_BASED_CLOCK_REALTIME" => (ClockId::Realtime, 1_000_000_000),
        "TIMES_BASED_CLOCK_MONOTONIC" => (ClockId::Monotonic, 10_000_000),
        "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID" => (ClockId::ProcessCPUTime, 1_000),
        "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID" => (ClockId::ProcessCPUTime, 10_000_000),
        "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => (ClockId::ProcessCPUTime, 1_000),
        _ => return None,
    };
    Some((DynamicClockId::Known(id), step))
}

/// `Errno::EINVAL` for a clock that does not exist.
fn invalid(ec: &mut Ec, clock: Value, function: &str) -> Raised {
    if !clock.is_fixnum() && clock.as_sym().is_none() {
        return ec.no_conversion(clock, "Integer");
    }
    let object = ec.known(WellKnown::Object);
    let errno = ec.own_constant(object, intern("Errno")).and_then(Class::from_value);
    let class = errno.and_then(|scope| ec.own_constant(scope, intern("EINVAL")));
    let shown = match clock.as_sym() {
        Some(name) => format!(":{}", name.text()),
        None => clock.as_fixnum().to_string(),
    };
    let message = format!("Invalid argument - {function}({shown})");
    match class {
        Some(class) => ec.raise_class(class, message.as_bytes()),
        None => ec.raise(Exc::SystemCallError, message),
    }
}

fn gettime(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some((id, step)) = clock_of(args[0]) else {
        return Err(invalid(ec, args[0], "clock_gettime"));
    };
    let Some(now) = read_clock(id) else {
        return Err(invalid(ec, args[0], "clock_gettime"));
    };
    in_unit(ec, now.tv_sec, now.tv_nsec - now.tv_nsec % step, args.get(1))
}

/// The time of a clock; `None` if the system has no such clock. (The plain call takes for granted that it has.)
fn read_clock(id: DynamicClockId<'static>) -> Option<rustix::time::Timespec> {
    clock_gettime_dynamic(id).ok()
}

/// The smallest step of a clock that there is.
fn resolution(id: DynamicClockId<'static>) -> rustix::time::Timespec {
    clock_getres(match id {
        DynamicClockId::Known(id) => id,
        DynamicClockId::RealtimeAlarm => ClockId::RealtimeAlarm,
        DynamicClockId::BoottimeAlarm => ClockId::BoottimeAlarm,
        DynamicClockId::Boottime => ClockId::Boottime,
        // Atomic time is counted as the time of day is.
        _ => ClockId::Realtime,
    })
}

fn getres(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some((id, step)) = clock_of(args[0]) else {
        return Err(invalid(ec, args[0], "clock_getres"));
    };
    if read_clock(id).is_none() {
        return Err(invalid(ec, args[0], "clock_getres"));
    }
    let (sec, nsec) = if step > 1 {
        (step / 1_000_000_000, step % 1_000_000_000)
    } else {
        let step = resolution(id);
        (step.tv_sec, step.tv_nsec)
    };
    if args.get(1).and_then(Value::as_sym) == Some(intern("hertz")) {
        return ec.float(1e9 / (sec as f64 * 1e9 + nsec as f64));
    }
    in_unit(ec, sec, nsec, args.get(1))
}

fn in_unit(ec: &mut Ec, sec: i64, nsec: i64, unit: Option<Value>) -> Res {
    let unit = unit.unwrap_or(Value::NIL);
    if unit.is_nil() {
        return ec.float(sec as f64 + nsec as f64 / 1e9);
    }
    let name: Option<Sym> = unit.as_sym();
    let text = name.as_ref().map(|s| s.text());
    let total = i128::from(sec) * 1_000_000_000 + i128::from(nsec);
    let whole = match text.as_deref() {
        Some("float_second") => return ec.float(sec as f64 + nsec as f64 / 1e9),
        Some("float_millisecond") => return ec.float(sec as f64 * 1e3 + nsec as f64 / 1e6),
        Some("float_microsecond") => return ec.float(sec as f64 * 1e6 + nsec as f64 / 1e3),
        Some("second") => i128::from(sec),
        Some("millisecond") => total.div_euclid(1_000_000),
        Some("microsecond") => total.div_euclid(1_000),
        Some("nanosecond") => total,
        Some(other) => return Err(ec.arg_error(format!("unexpected unit: {other}"))),
        None => {
            let name = match unit.fixnum_value() {
                Some(n) => n.to_string(),
                None if unit.is_type(Type::String) => string::to_string_lossy(ec, unit),
                None => ec.class_name_of(unit),
            };
            return Err(ec.arg_error(format!("unexpected unit: {name}")));
        }
    };
    match i64::try_from(whole) {
        Ok(n) => ec.int(n),
        Err(_) => {
            let made = bigint::new(ec, BigInt::from(whole));
            ec.check(Value::NIL, made)
        }
    }
}

fn pid(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(i64::from(rustix::process::getpid().as_raw_nonzero().get())))
}

fn ppid(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(rustix::process::getppid().map_or(0, |p| i64::from(p.as_raw_nonzero().get()))))
}

/// The C library's `struct rusage` of 64-bit systems: two times of seconds and microseconds, then counters.
#[repr(C)]
struct Usage {
    user: [i64; 2],
    system: [i64; 2],
    counters: [i64; 14],
}

unsafe extern "C" {
    fn getrusage(who: i32, usage: *mut Usage) -> i32;
}

/// User and system time of this process or of its ended children, in seconds.
fn usage(children: bool) -> (f64, f64) {
    let mut usage = Usage { user: [0; 2], system: [0; 2], counters: [0; 14] };
    // SAFETY: `usage` has the layout and size of the C structure, which the call only writes.
    let failed = unsafe { getrusage(if children { -1 } else { 0 }, &raw mut usage) } != 0;
    if failed {
        return (0.0, 0.0);
    }
    // Microseconds are 32 bits wide on some systems, with padding behind.
    let seconds = |t: [i64; 2]| t[0] as f64 + f64::from(t[1] as i32) / 1e6;
    (seconds(usage.user), seconds(usage.system))
}

/// `Primitive.process_times`: the four numbers of `Process.times`.
fn times(ec: &mut Ec, _args: &[Value]) -> Res {
    let (user, system) = usage(false);
    let (child_user, child_system) = usage(true);
    let list = ec.array_with_capacity(4)?;
    for f in [user, system, child_user, child_system] {
        let f = ec.float(f)?;
        ec.array_push(list, f)?;
    }
    Ok(list)
}
