//! The module GC.

use asterism_heap::{Collection, Heap, Kind, Reason};
use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Res, Vm};

static GC: &[NativeDef] = &[
    NativeDef::new("start", start, 0, 0).keywords(COLLECTION),
    NativeDef::new("enable", enable, 0, 0),
    NativeDef::new("disable", disable, 0, 0),
    NativeDef::new("stress", stress, 0, 0),
    NativeDef::new("stress=", set_stress, 1, 1),
    NativeDef::new("config", config, 0, 1),
    NativeDef::new("count", count, 0, 0),
    NativeDef::new("stat", stat, 0, 1),
    NativeDef::new("latest_gc_info", latest_gc_info, 0, 1),
    NativeDef::new("total_time", total_time, 0, 0),
    NativeDef::new("measure_total_time", measure_total_time, 0, 0),
    NativeDef::new("measure_total_time=", set_measure_total_time, 1, 1),
    NativeDef::new("verify_internal_consistency", verify, 0, 0),
    NativeDef::new("compact", compact, 0, 0).unimplemented(),
    NativeDef::new("verify_compaction_references", compact, 0, 1).unimplemented(),
    NativeDef::new("auto_compact", compact, 0, 0).unimplemented(),
    NativeDef::new("auto_compact=", compact, 1, 1).unimplemented(),
    NativeDef::new("latest_compact_info", compact, 0, 0).unimplemented(),
];

static PROFILER: &[NativeDef] = &[
    NativeDef::new("enable", enable_profiler, 0, 0),
    NativeDef::new("disable", disable_profiler, 0, 0),
    NativeDef::new("enabled?", profiles, 0, 0),
    NativeDef::new("clear", clear_profile, 0, 0),
    NativeDef::new("raw_data", raw_data, 0, 0),
    NativeDef::new("total_time", profiled_time, 0, 0),
];

static INSTANCE: &[NativeDef] = &[NativeDef::new("garbage_collect", start, 0, 0).keywords(COLLECTION)];

/// Which kind of collection it is to be.
const COLLECTION: &[&str] = &["full_mark", "immediate_mark", "immediate_sweep"];

/// Defines the functions.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let module = ec.known(WellKnown::GC);
    ec.define_natives(module, INSTANCE)?;
    let space = ec.known(WellKnown::ObjectSpace);
    ec.define_module_functions(space, INSTANCE)?;
    ec.define_singleton_natives(module, GC)?;
    // What a build of the collector can leave out.
    let options = ec.array(&[])?;
    asterism_object::ownership::freeze(ec, options);
    ec.set_constant(module, intern("OPTS"), options)?;
    let constants = ec.new_hash()?;
    // CRuby's names. An object is old after one collection, and old objects are said to be of age 3.
    for (name, value) in [
        ("BASE_SLOT_SIZE", Heap::CELL_UNIT),
        ("RVALUE_OVERHEAD", 0),
        ("RVARGC_MAX_ALLOCATE_SIZE", Heap::LARGEST_CELL),
        ("HEAP_PAGE_SIZE", Heap::BLOCK_BYTES),
        ("HEAP_COUNT", Heap::CELL_SIZES),
        ("RVALUE_OLD_AGE", 3),
    ] {
        ec.hash_set(constants, Value::sym(intern(name)), Value::fixnum(value as i64))?;
    }
    let constants = ec.freeze(constants)?;
    ec.set_constant(module, intern("INTERNAL_CONSTANTS"), constants)?;
    let profiler = ec.define_module(module, "Profiler")?;
    ec.define_singleton_natives(profiler, PROFILER)
}

/// `GC.start`: collects, with `full_mark: false` what is young; the finalizers of what died have run when it returns. With
/// `immediate_sweep: false` memory is freed later.
fn start(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let options = args.get(0).filter(|v| v.is_type(Type::Hash));
    let mut asks = |name| match options {
        Some(options) => Ok(ec.hash_get(options, Value::sym(intern(name)))?.is_none_or(Value::truthy)),
        None => Ok(true),
    };
    let (full_mark, at_once) = (asks("full_mark")?, asks("immediate_sweep")?);
    let reason = match (full_mark, at_once) {
        (true, true) => Reason::Explicit,
        (true, false) => Reason::ExplicitLazy,
        (false, _) => Reason::ExplicitMinor,
    };
    let vm = ec.vm_arc();
    vm.heap().collect(ec, reason);
    asterism_core::objspace::run_pending_finalizers(ec)?;
    if reason == Reason::Explicit {
        Vm::release_memory(ec);
    }
    Ok(Value::NIL)
}

/// `GC.verify_internal_consistency`: collects, and ends the process if something in the heap is not as it must be.
fn verify(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let vm = ec.vm_arc();
    vm.heap().collect_and_verify(ec);
    Ok(Value::NIL)
}

/// `GC.config`: whether collections that nobody has asked for may mark everything.
fn config(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let implementation = Value::sym(intern("implementation"));
    let full_marking = Value::sym(intern("rgengc_allow_full_mark"));
    if let Some(given) = args.get(0).filter(|v| !v.is_nil()) {
        if !given.is_type(Type::Hash) {
            return Err(ec.arg_error("ArgumentError"));
        }
        if ec.hash_get(given, implementation)?.is_some() {
            return Err(ec.arg_error("Attempting to set read-only key \"Implementation\""));
        }
    }
    if let Some(given) = args.get(0).filter(|v| !v.is_nil())
        && let Some(allow) = ec.hash_get(given, full_marking)?
    {
        ec.vm().heap().allow_full_marking(allow.truthy());
    }
    let settings = ec.new_hash()?;
    let allowed = Value::bool(ec.vm().heap().full_marking());
    ec.hash_set(settings, full_marking, allowed)?;
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
    let ms = ec.vm().heap().timed().as_millis() as i64;
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
    let n = ec.vm().heap().timed().as_nanos();
    ec.int(n as i64)
}

fn measure_total_time(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ec.vm().heap().timing()))
}

fn set_measure_total_time(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.vm().heap().set_timing(args[0].truthy());
    Ok(args[0])
}

/// What a collection was: why it was one of everything (nil if it was none), who asked for it, and whether what was dead was freed
/// before it ended.
fn flags(collection: Option<&Collection>) -> [(&'static str, Value); 4] {
    let name = |name| Value::sym(intern(name));
    let major_by = match collection {
        Some(Collection { kind: Kind::Major, reason, .. }) => name(match reason {
            Reason::Threshold => "oldgen",
            Reason::Memory => "nofree",
            Reason::Explicit | Reason::ExplicitLazy | Reason::ExplicitMinor | Reason::Stress => "force",
        }),
        _ => Value::NIL,
    };
    let gc_by = collection.map_or(Value::NIL, |c| {
        name(match c.reason {
            Reason::Threshold | Reason::Memory => "newobj",
            Reason::Explicit | Reason::ExplicitLazy | Reason::ExplicitMinor => "method",
            Reason::Stress => "stress",
        })
    });
    let immediate = Value::bool(collection.is_some_and(|c| c.thorough));
    [("major_by", major_by), ("gc_by", gc_by), ("immediate_sweep", immediate), ("state", name("none"))]
}

/// `GC.latest_gc_info`: of the last collection, and whether the next one will be one of everything.
fn latest_gc_info(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let heap = ec.vm().heap();
    let next = match heap.next_kind() {
        Kind::Major => Value::sym(intern("oldgen")),
        Kind::Minor => Value::NIL,
    };
    let last = heap.last_collection();
    let [major_by, rest @ ..] = flags(last.as_ref());
    let pairs = [major_by, ("need_major_by", next)].into_iter().chain(rest);
    match args.get(0).filter(|v| !v.is_nil()) {
        Some(key) if key.is_sym() => {
            let name = key.as_sym().map(|s| s.text().into_owned()).unwrap_or_default();
            match pairs.into_iter().find(|(n, _)| *n == name) {
                Some((_, value)) => Ok(value),
                None => Err(ec.arg_error(format!("unknown key: {name}"))),
            }
        }
        Some(v) if !v.is_type(Type::Hash) => Err(ec.type_error("non-hash or symbol given")),
        given => {
            let h = match given {
                Some(h) => h,
                None => ec.new_hash()?,
            };
            for (name, value) in pairs {
                ec.hash_set(h, Value::sym(intern(name)), value)?;
            }
            Ok(h)
        }
    }
}

fn enable_profiler(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.vm().heap().keep_collections(true);
    Ok(Value::NIL)
}

fn disable_profiler(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.vm().heap().keep_collections(false);
    Ok(Value::NIL)
}

fn profiles(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ec.vm().heap().keeps_collections()))
}

fn clear_profile(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    ec.vm().heap().forget_collections();
    Ok(Value::NIL)
}

/// A Hash for each collection that was noted. Times are seconds; those of beginnings count from when the VM was made.
fn raw_data(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let kept = ec.vm().heap().kept_collections();
    let list = ec.array(&[])?;
    for collection in kept {
        let told = ec.new_hash()?;
        for (name, value) in &flags(Some(&collection))[..3] {
            ec.hash_set(told, Value::sym(intern(name)), *value)?;
        }
        let begun = collection.begun.as_secs_f64();
        let (begun, time) = (ec.float(begun)?, ec.float(collection.pause.as_secs_f64())?);
        let row = ec.new_hash()?;
        let used = ec.int(collection.live_bytes as i64)?;
        let total = ec.int(collection.heap_bytes as i64)?;
        let objects = ec.int(collection.live_cells as i64)?;
        let pairs = [
            ("GC_FLAGS", told),
            ("GC_TIME", time),
            ("GC_INVOKE_TIME", begun),
            ("HEAP_USE_SIZE", used),
            ("HEAP_TOTAL_SIZE", total),
            ("HEAP_TOTAL_OBJECTS", objects),
            ("MOVED_OBJECTS", Value::fixnum(0)),
            ("GC_IS_MARKED", Value::TRUE),
        ];
        for (name, value) in pairs {
            ec.hash_set(row, Value::sym(intern(name)), value)?;
        }
        ec.array_push(list, row)?;
    }
    Ok(list)
}

fn profiled_time(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let seconds = ec.vm().heap().kept_collections().iter().map(|c| c.pause.as_secs_f64()).sum();
    ec.float(seconds)
}

fn compact(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.not_implemented("the heap does not move objects: GC compaction is not supported"))
}
