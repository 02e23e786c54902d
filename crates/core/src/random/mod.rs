//! Random and Kernel's random functions. Every generator protects itself with a lock, so threads may share one;
//! the default generator is one per VM.

pub(crate) mod generator;

use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, bigint, float, range};
use asterism_support::int::Int;
use asterism_support::random::{Mt, Rng, WORDS};
use asterism_symbol::sym;
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};
use num_bigint::{BigInt, Sign};
use rustix::io::Errno;

use self::generator::{DefaultGenerator, Generator, Seeded, Source, draw, fresh_seed, system_bytes};
use crate::allocators::set_allocator;
use crate::numeric::operand::{int_of, make_int, to_int_object};

static CLASS: &[NativeDef] = &[
    NativeDef::new("rand", class_rand, 0, 1),
    NativeDef::new("random_number", class_random_number, 0, 1),
    NativeDef::new("bytes", class_bytes, 1, 1),
    NativeDef::new("seed", class_seed, 0, 0).leaf(),
    NativeDef::new("new_seed", new_seed, 0, 0).leaf(),
    NativeDef::new("srand", srand, 0, 1),
    NativeDef::new("urandom", urandom, 1, 1),
];

static INSTANCE: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 1).private(),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("rand", rand, 0, 1),
    NativeDef::new("random_number", random_number, 0, 1),
    NativeDef::new("bytes", bytes, 1, 1),
    NativeDef::new("seed", seed, 0, 0).leaf(),
    NativeDef::new("==", eq, 1, 1).leaf(),
    NativeDef::new("marshal_dump", marshal_dump, 0, 0).private(),
    NativeDef::new("marshal_load", marshal_load, 1, 1).private(),
    NativeDef::new("state", state, 0, 0).private(),
    NativeDef::new("left", left, 0, 0).private(),
];

static KERNEL: &[NativeDef] = &[NativeDef::new("rand", kernel_rand, 0, 1), NativeDef::new("srand", srand, 0, 1)];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Random);
    set_allocator(ec, class, allocate);
    ec.define_natives(class, INSTANCE)?;
    ec.define_singleton_natives(class, CLASS)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, KERNEL)
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, Generator(Mutex::new(Seeded::new(Int::Small(0)))));
    ec.check(Value::NIL, made)
}

fn new_seed(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    make_int(ec, fresh_seed())
}

/// The seed given, or a new one.
fn seed_of(ec: &mut Ec, given: Option<Value>) -> Res<Int> {
    match given {
        None => Ok(fresh_seed()),
        Some(v) => {
            let n = to_int_object(ec, v)?;
            int_of(ec, n)
        }
    }
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let seed = seed_of(ec, args.get(0))?;
    let Some(generator) = data::get::<Generator>(&this) else {
        return Err(ec.type_error("uninitialized Random"));
    };
    *generator.0.lock() = Seeded::new(seed);
    Ok(Value::NIL)
}

fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    let (Some(to), Some(from)) = (data::get::<Generator>(&this), data::get::<Generator>(&other)) else {
        return Err(ec.type_error("wrong argument type"));
    };
    if this == other {
        return Ok(this);
    }
    let copy = {
        let from = from.0.lock();
        Seeded { seed: from.seed.clone(), rng: from.rng.clone() }
    };
    *to.0.lock() = copy;
    Ok(this)
}

fn seed(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let seed = data::get::<Generator>(&this).map(|g| g.0.lock().seed.clone());
    match seed {
        Some(seed) => make_int(ec, seed),
        None => Err(ec.type_error("uninitialized Random")),
    }
}

fn class_seed(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let seed = {
        let mut guard = ec.vm().part::<DefaultGenerator>().0.lock();
        guard.get_or_insert_with(|| Seeded::new(fresh_seed())).seed.clone()
    };
    make_int(ec, seed)
}

fn srand(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let seed = seed_of(ec, args.get(0))?;
    let old = {
        let mut guard = ec.vm().part::<DefaultGenerator>().0.lock();
        guard.replace(Seeded::new(seed)).map_or_else(fresh_seed, |s| s.seed)
    };
    make_int(ec, old)
}

fn eq(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if this == other {
        return Ok(Value::TRUE);
    }
    if ec.real_class_of(this) != ec.real_class_of(other) {
        return Ok(Value::FALSE);
    }
    let (Some(a), Some(b)) = (data::get::<Generator>(&this), data::get::<Generator>(&other)) else {
        return Ok(Value::FALSE);
    };
    // One lock after the other: two threads that compare the same pair crosswise must not meet.
    let (seed, rng) = {
        let a = a.0.lock();
        (a.seed.clone(), a.rng.clone())
    };
    let b = b.0.lock();
    Ok(Value::bool(seed == b.seed && rng == b.rng))
}

/// A copy of what a Random holds.
fn copy_of(ec: &mut Ec, this: Value) -> Res<Seeded> {
    let copy = data::get::<Generator>(&this).map(|g| {
        let held = g.0.lock();
        Seeded { seed: held.seed.clone(), rng: held.rng.clone() }
    });
    match copy {
        Some(copy) => Ok(copy),
        None => Err(ec.type_error("uninitialized Random")),
    }
}

/// The words of the state as one Integer.
fn state_of(ec: &mut Ec, rng: &Rng) -> Res {
    let words = BigInt::from_slice(Sign::Plus, rng.mt().state());
    make_int(ec, Int::from_big(words))
}

fn state(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let held = copy_of(ec, this)?;
    state_of(ec, &held.rng)
}

fn left(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let held = copy_of(ec, this)?;
    ec.int(held.rng.mt().left() as i64)
}

/// `[state, left, seed]`, as CRuby has it.
fn marshal_dump(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let held = copy_of(ec, this)?;
    let state = state_of(ec, &held.rng)?;
    let left = ec.int(held.rng.mt().left() as i64)?;
    let seed = make_int(ec, held.seed)?;
    ec.array(&[state, left, seed])
}

fn marshal_load(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let dumped = args[0];
    if !dumped.is_type(Type::Array) {
        let name = ec.class_name_of(dumped);
        return Err(ec.type_error(format!("wrong argument type {name} (expected Array)")));
    }
    let part = |i: usize| asterism_object::array::at(dumped, i).unwrap_or(Value::NIL);
    let [words, left, seed] = [part(0), part(1), part(2)];
    if asterism_object::array::len(dumped) != 3 {
        return Err(ec.arg_error("wrong dump data"));
    }
    let words = to_int_object(ec, words)?;
    let mut words = int_of(ec, words)?.into_big().magnitude().to_u32_digits();
    words.resize(WORDS, 0);
    let left = ec.to_i64(left)?;
    let seed = seed_of(ec, Some(seed))?;
    let Some(mt) = usize::try_from(left).ok().and_then(|left| Mt::restored(&words, left)) else {
        return Err(ec.arg_error("wrong value"));
    };
    let Some(generator) = data::get::<Generator>(&this) else {
        return Err(ec.type_error("uninitialized Random"));
    };
    *generator.0.lock() = Seeded { seed, rng: Rng::of(mt) };
    Ok(this)
}

fn byte_count(ec: &mut Ec, v: Value) -> Res<usize> {
    let n = ec.to_i64(v)?;
    match usize::try_from(n) {
        Ok(n) if n <= 1 << 40 => {
            if !ec.malloc_allowed(n) {
                return Err(ec.no_memory());
            }
            Ok(n)
        }
        _ => Err(ec.arg_error("negative string size (or size too big)")),
    }
}

fn bytes_from(ec: &mut Ec, source: Source, n: Value) -> Res {
    let n = byte_count(ec, n)?;
    let bytes = draw(ec, source, |rng| rng.bytes(n))?;
    ec.str_enc(&bytes, asterism_symbol::BINARY)
}

fn bytes(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    bytes_from(ec, Source::Object(this), args[0])
}

fn class_bytes(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    bytes_from(ec, Source::Default, args[0])
}

fn urandom(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let n = byte_count(ec, args[0])?;
    match system_bytes(n) {
        Ok(bytes) => ec.str_enc(&bytes, asterism_symbol::BINARY),
        Err(_) => Err(ec.raise(asterism_vm::error::Exc::RuntimeError, "failed to get urandom")),
    }
}

/// `Errno::EDOM`: a bound that is missing, infinite or no number.
fn out_of_domain(ec: &mut Ec) -> Raised {
    crate::errno::raise(ec, Errno::DOM, "")
}

/// A number below `limit`; `None` if there is none. `strict`: negative limits are refused.
fn below(ec: &mut Ec, source: Source, limit: &Int, strict: bool) -> Res<Option<Value>> {
    if limit.is_zero() || strict && limit.is_negative() {
        return Ok(None);
    }
    let highest = limit.abs().sub(&Int::Small(1));
    let n = draw(ec, source, |rng| rng.limited_int(&highest))?;
    make_int(ec, n).map(Some)
}

/// A number out of a Range; the outer `None`: its ends cannot be subtracted, the inner: it is empty.
fn from_range(ec: &mut Ec, source: Source, bounds: Value) -> Res<Option<Option<Value>>> {
    let (low, high, exclusive) = (range::begin(bounds), range::end(bounds), range::exclude_end(bounds));
    if low.is_nil() || high.is_nil() {
        return Err(out_of_domain(ec));
    }
    if !ec.respond_to(high, sym::MINUS, false)? {
        return Ok(None);
    }
    let span = ec.call(high, sym::MINUS, &[low])?;
    if let Some(f) = float::to_f64(span) {
        if f.is_nan() {
            return Err(out_of_domain(ec));
        }
        let drawn = if f.is_infinite() {
            let (low, high) = (finite(ec, low)?, finite(ec, high)?);
            let drawn = draw(ec, source, |rng| rng.float_range(low, high, exclusive))?;
            return match drawn {
                Some(f) => Ok(Some(Some(ec.float(f)?))),
                None => Ok(Some(None)),
            };
        } else if f < 0.0 {
            None
        } else {
            draw(ec, source, |rng| rng.float_range(0.0, f, exclusive))?
        };
        let Some(drawn) = drawn else {
            return Ok(Some(None));
        };
        let drawn = ec.float(drawn)?;
        return Ok(Some(Some(ec.call(low, sym::PLUS, &[drawn])?)));
    }
    let Some(span) = ec.try_convert(span, sym::to_int, "Integer", bigint::is_integer)? else {
        return Ok(None);
    };
    let mut count = int_of(ec, span)?;
    if !exclusive {
        count = count.add(&Int::Small(1));
    }
    match below(ec, source, &count, true)? {
        Some(n) => Ok(Some(Some(ec.call(low, sym::PLUS, &[n])?))),
        None => Ok(Some(None)),
    }
}

/// A bound as a finite Float.
fn finite(ec: &mut Ec, v: Value) -> Res<f64> {
    let f = crate::numeric::operand::to_f64(ec, v)?;
    if f.is_finite() { Ok(f) } else { Err(out_of_domain(ec)) }
}

fn unit(ec: &mut Ec, source: Source) -> Res {
    let f = draw(ec, source, Rng::next_f64)?;
    ec.float(f)
}

/// `rand(limit)` as Random has it; `None` for a limit it refuses.
fn limited(ec: &mut Ec, source: Source, limit: Value) -> Res<Option<Value>> {
    if limit.is_nil() {
        return Ok(None);
    }
    if let Some(f) = float::to_f64(limit) {
        if !f.is_finite() {
            return Err(out_of_domain(ec));
        }
        if f < 0.0 {
            return Ok(None);
        }
        let r = draw(ec, source, Rng::next_f64)?;
        return ec.float(if f == 0.0 { r } else { r * f }).map(Some);
    }
    if limit.is_type(Type::Range)
        && let Some(drawn) = from_range(ec, source, limit)?
    {
        return Ok(drawn);
    }
    let n = to_int_object(ec, limit)?;
    let n = int_of(ec, n)?;
    below(ec, source, &n, true)
}

fn rand_from(ec: &mut Ec, source: Source, args: Args<'_>) -> Res {
    let Some(limit) = args.get(0) else {
        return unit(ec, source);
    };
    match limited(ec, source, limit)? {
        Some(v) => Ok(v),
        None => {
            let shown = ec.to_s(limit)?;
            let shown = asterism_object::string::to_vec(ec, shown);
            Err(ec.arg_error([b"invalid argument - ", &shown[..]].concat()))
        }
    }
}

fn rand(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    rand_from(ec, Source::Object(this), args)
}

fn class_rand(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    rand_from(ec, Source::Default, args)
}

/// As `rand`, but a limit it would refuse counts as none.
fn number_from(ec: &mut Ec, source: Source, args: Args<'_>) -> Res {
    let Some(limit) = args.get(0) else {
        return unit(ec, source);
    };
    match limited(ec, source, limit)? {
        Some(v) => Ok(v),
        None => unit(ec, source),
    }
}

fn random_number(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    number_from(ec, Source::Object(this), args)
}

fn class_random_number(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    number_from(ec, Source::Default, args)
}

fn kernel_rand(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let source = Source::Default;
    let Some(limit) = args.get(0).filter(|v| v.truthy()) else {
        return unit(ec, source);
    };
    if limit.is_type(Type::Range)
        && let Some(drawn) = from_range(ec, source, limit)?
    {
        return Ok(drawn.unwrap_or(Value::NIL));
    }
    let n = to_int_object(ec, limit)?;
    let n = int_of(ec, n)?;
    match below(ec, source, &n, false)? {
        Some(v) => Ok(v),
        None => unit(ec, source),
    }
}
