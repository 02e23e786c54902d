//! The module GC.

use asterism_heap::Reason;
use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Res, Vm};

static GC: &[NativeDef] = &[
    NativeDef::new("start", start, 0, 1),
    NativeDef::new("enable", enable, 0, 0),
    NativeDef::new("disable", disable, 0, 0),
    NativeDef::new("stress", stress, 0, 0),
    NativeDef::new("stress=", set_stress, 1, 1),
    NativeDef::new("config", config, 0, 1),
    NativeDef::new("count", count, 0, 0),
    NativeDef::new("stat", stat, 0, 1),
    NativeDef::new("total_time", total_time, 0, 0),
    NativeDef::new("measure_total_time", measure_total_time, 0, 0),
    NativeDef::new("measure_total_time=", set_measure_total_time, 1, 1),
    NativeDef::new("compact", compact, 0, 0).unimplemented(),
    NativeDef::new("verify_compaction_references", compact, 0, 1).unimplemented(),
    NativeDef::new("auto_compact", compact, 0, 0).unimplemented(),
    NativeDef::new("auto_compact=", compact, 1, 1).unimplemented(),
    NativeDef::new("latest_compact_info", compact, 0, 0).unimplemented(),
];

static INSTANCE: &[NativeDef] = &[NativeDef::new("garbage_collect", start, 0, 1)];

/// Defines the functions.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let module = ec.known(WellKnown::GC);
    ec.define_natives(module, INSTANCE)?;
    let space = ec.known(WellKnown::ObjectSpace);
    ec.define_module_functions(space, INSTANCE)?;
    ec.define_singleton_natives(module, GC)
}

/// `GC.start`: collects, with `full_mark: false` what is young; the finalizers of what died have run when it returns.
fn start(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let full_mark = match args.get(0).filter(|v| v.is_type(Type::Hash)) {
        Some(options) => ec.hash_get(options, Value::sym(intern("full_mark")))?.is_none_or(Value::truthy),
        None => true,
    };
    let reason = if full_mark { Reason::Explicit } else { Reason::ExplicitMinor };
    let vm = ec.vm();
    vm.heap().collect(ec, reason);
    asterism_core::objspace::run_pending_finalizers(ec)?;
    if full_mark {
        Vm::release_memory(ec);
    }
    Ok(Value::NIL)
}

/// `GC.config`: there is nothing to set.
fn config(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let implementation = Value::sym(intern("implementation"));
    if let Some(given) = args.get(0).filter(|v| !v.is_nil()) {
        if !given.is_type(Type::Hash) {
            return Err(ec.arg_error("ArgumentError"));
        }
        if ec.hash_get(given, implementation)?.is_some() {
            return Err(ec.arg_error("Attempting to set read-only key \"Implementation\""));
        }
    }
    let settings = ec.new_hash()?;
    let name = ec.str("asterism")?;
    ec.hash_set(settings, implementation, name)?;
    Ok(settings)
}

fn enable(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(!ec.vm().heap().set_gc_enabled(true)))
}

fn disable(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(!ec.vm().heap().set_gc_enabled(false)))
}

fn stress(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    // Asked by setting it: the heap tells what it was. Set back at once, no allocation between.
    let heap = ec.vm().heap();
    let was = heap.set_gc_stress(false);
    heap.set_gc_stress(was);
    Ok(Value::bool(was))
}

fn set_stress(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.vm().heap().set_gc_stress(args[0].truthy());
    Ok(args[0])
}

fn count(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let n = ec.vm().heap().stats().collections;
    ec.int(n as i64)
}

fn stat(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let s = ec.vm().heap().stats();
    let ms = (s.pauses.total_ns / 1_000_000) as i64;
    let pairs: [(&str, i64); 11] = [
        ("count", s.collections as i64),
        ("time", ms),
        ("marking_time", ms),
        ("sweeping_time", 0),
        ("heap_live_slots", s.live_cells as i64),
        ("malloc_increase_bytes", s.malloc_bytes as i64),
        ("minor_gc_count", s.minor.count as i64),
        ("major_gc_count", s.major.count as i64),
        ("compact_count", 0),
        ("heap_bytes", s.heap_bytes as i64),
        ("total_allocated_bytes", s.bytes_allocated as i64),
    ];
    match args.get(0) {
        Some(key) if key.is_sym() => {
            let name = key.as_sym().map(|s| s.text().into_owned()).unwrap_or_default();
            match pairs.iter().find(|(n, _)| *n == name) {
                Some((_, n)) => ec.int(*n),
                None => Err(ec.arg_error(format!("unknown key: {name}"))),
            }
        }
        given => {
            let h = match given {
                Some(h) if h.is_type(Type::Hash) => h,
                Some(v) if !v.is_nil() => return Err(ec.type_error("non-hash or symbol given")),
                _ => ec.new_hash()?,
            };
            for (name, n) in pairs {
                let n = ec.int(n)?;
                ec.hash_set(h, Value::sym(intern(name)), n)?;
            }
            Ok(h)
        }
    }
}

fn total_time(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let n = ec.vm().heap().stats().pauses.total_ns;
    ec.int(n as i64)
}

fn measure_total_time(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::TRUE)
}

fn set_measure_total_time(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if args[0].truthy() {
        return Ok(args[0]);
    }
    Err(ec.not_implemented("GC times are always measured"))
}

fn compact(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.not_implemented("the heap does not move objects: GC compaction is not supported"))
}
