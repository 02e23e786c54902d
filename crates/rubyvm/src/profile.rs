//! `RubyVM.profile` and `RubyVM.trace`.

use std::sync::Arc;
use std::time::Duration;

use asterism_heap::{Marker, Stores};
use asterism_object::Value;
use asterism_object::data::{self, DataObject};
use asterism_symbol::intern;
use asterism_vm::profile::Format;
use asterism_vm::timeline::Timeline;
use asterism_vm::{Args, Ec, Exc, Raised, Res};
use rustix::io::Errno;

/// Shortest time between two samples, in seconds.
const SHORTEST: f64 = 1e-4;
/// Longest.
const LONGEST: f64 = 1e3;

/// `__profile(period)`
pub fn start(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let period = ec.to_f64(args[0])?;
    if !(SHORTEST..=LONGEST).contains(&period) {
        return Err(ec.arg_error(format!("period must be between {SHORTEST} and {LONGEST} seconds")));
    }
    match ec.start_profile(Duration::from_secs_f64(period)) {
        Ok(()) => Ok(Value::NIL),
        Err(why) => Err(ec.raise(Exc::RuntimeError, why)),
    }
}

/// `__profiled(file)`: the samples, unless they go to a file.
pub fn stop(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let vm = format!("VM {}", crate::name(ec));
    let Some(profile) = ec.stop_profile(&vm) else { return Ok(Value::NIL) };
    if !args[0].is_nil() {
        let path = asterism_core::errno::path_arg(ec, args[0])?;
        let name = String::from_utf8_lossy(&path).into_owned();
        let bytes = profile.write(Format::of(&name), &format!("Profile {name}"));
        return match std::fs::write(&name, bytes) {
            Ok(()) => Ok(Value::NIL),
            Err(e) => Err(system_error(ec, &e, &name)),
        };
    }
    let list = ec.array(&[])?;
    for thread in &profile.threads {
        let mut counts = std::collections::BTreeMap::new();
        for &(stack, weight) in &thread.samples {
            *counts.entry(stack).or_insert(0_u64) += u64::from(weight);
        }
        let name = ec.str(&thread.name)?;
        for (stack, weight) in counts {
            let lines = ec.array(&[])?;
            for place in profile.stacks()[stack as usize].iter().rev() {
                let function = &profile.functions()[place.function as usize];
                let line = match place.line {
                    0 => function.name.clone(),
                    line => format!("{}:{line}:in '{}'", function.file, function.name),
                };
                let line = ec.str(line)?;
                ec.array_push(lines, line)?;
            }
            let seconds = ec.float(weight as f64 * profile.period.as_secs_f64())?;
            let hash = ec.new_hash()?;
            ec.hash_set(hash, Value::sym(intern("thread")), name)?;
            ec.hash_set(hash, Value::sym(intern("seconds")), seconds)?;
            ec.hash_set(hash, Value::sym(intern("stack")), lines)?;
            ec.array_push(list, hash)?;
        }
    }
    Ok(list)
}

fn system_error(ec: &mut Ec, error: &std::io::Error, name: &str) -> Raised {
    let number = Errno::from_io_error(error).unwrap_or(Errno::IO);
    asterism_core::errno::raise(ec, number, name)
}

/// What `RubyVM.trace` keeps while its block runs.
struct Tracing(Arc<Timeline>);

impl DataObject for Tracing {
    const NAME: &'static str = "trace";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

/// `__trace(file)`
pub fn trace(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let path = asterism_core::errno::path_arg(ec, args[0])?;
    let name = String::from_utf8_lossy(&path).into_owned();
    if ec.heap().traced().generation() != 0 {
        return Err(ec.raise(Exc::RuntimeError, "the VM is traced already"));
    }
    let timeline = match Timeline::open(&name) {
        Ok(timeline) => timeline,
        Err(e) => return Err(system_error(ec, &e, &name)),
    };
    let class = crate::family::rubyvm(ec);
    let made = data::new(ec, class.0, Tracing(timeline.clone()));
    let made = ec.check(Value::NIL, made)?;
    let vm = crate::name(ec);
    if !ec.start_trace(&timeline, &vm) {
        return Err(ec.raise(Exc::RuntimeError, "the VM is traced already"));
    }
    Ok(made)
}

/// `__traced(timeline)`
pub fn traced(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some(timeline) = data::get::<Tracing>(&args[0]).map(|tracing| tracing.0.clone()) else { return Ok(Value::NIL) };
    ec.stop_trace();
    match ec.blocking(|| timeline.close()) {
        Ok(()) => Ok(Value::NIL),
        Err(e) => Err(system_error(ec, &e, timeline.file())),
    }
}
