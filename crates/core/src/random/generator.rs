//! Random generators: what a Random object holds, the VM's, and drawing from either.

use asterism_heap::{Marker, Stores};
use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_support::int::Int;
use asterism_support::random::{Rng, WORDS};
use asterism_vm::{Ec, Keep, Place, Res};
use num_bigint::{BigInt, Sign};
use rustix::io::Errno;
use rustix::rand::GetRandomFlags;

/// A generator and the seed it started from.
pub(super) struct Seeded {
    pub seed: Int,
    pub rng: Rng,
}

impl Seeded {
    pub fn new(seed: Int) -> Seeded {
        let rng = Rng::new(&seed);
        Seeded { seed, rng }
    }
}

/// The VM's generator, made when it is first used. Its lock is held for a draw only.
#[derive(Default)]
pub(super) struct DefaultGenerator(pub Mutex<Option<Seeded>>);

impl Keep for DefaultGenerator {
    const PLACE: Place = Place::Random;

    /// Two processes must not draw the same numbers.
    fn after_fork(&self, _ec: &mut Ec) {
        *self.0.lock() = None;
    }
}

/// What a Random object holds. The lock is held for a draw only.
pub(super) struct Generator(pub Mutex<Seeded>);

impl DataObject for Generator {
    const NAME: &'static str = "Random";
    const SHARED: Shared = Shared::Frozen;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}

    fn size(&self) -> usize {
        WORDS * size_of::<u32>()
    }
}

/// Where numbers come from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// The VM's generator.
    Default,
    /// A Random object.
    Object(Value),
}

/// Draws from a generator.
pub(super) fn draw<R>(ec: &mut Ec, source: Source, with: impl FnOnce(&mut Rng) -> R) -> Res<R> {
    match source {
        Source::Default => {
            let mut guard = ec.vm().part::<DefaultGenerator>().0.lock();
            let seeded = guard.get_or_insert_with(|| Seeded::new(fresh_seed()));
            Ok(with(&mut seeded.rng))
        }
        Source::Object(v) => match data::get::<Generator>(&v) {
            Some(generator) => Ok(with(&mut generator.0.lock().rng)),
            None => Err(ec.type_error("uninitialized Random")),
        },
    }
}

/// A number below `limit`, which is not 0, from Random or an object of it, whatever their methods are; `None`: that is no generator.
///
/// # Errors
/// TypeError if it is not initialized.
pub(crate) fn below_size(ec: &mut Ec, generator: Value, limit: usize) -> Res<Option<usize>> {
    let source = if generator == ec.class(WellKnown::Random) {
        Source::Default
    } else if data::get::<Generator>(&generator).is_some() {
        Source::Object(generator)
    } else {
        return Ok(None);
    };
    let highest = Int::Small(limit as i64 - 1);
    match draw(ec, source, |rng| rng.limited_int(&highest))? {
        Int::Small(n) => Ok(Some(n as usize)),
        Int::Big(_) => Ok(None),
    }
}

/// Bytes of the operating system's generator.
pub(super) fn system_bytes(n: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; n];
    let mut filled = 0;
    while filled < n {
        match rustix::rand::getrandom(&mut bytes[filled..], GetRandomFlags::empty()) {
            Ok(more) => filled += more,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(bytes)
}

/// 128 random bits.
pub(super) fn fresh_seed() -> Int {
    let bytes = system_bytes(16).unwrap_or_else(|_| {
        // A system without its generator still has a clock and an address space layout of its own.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
        let place = std::ptr::from_ref(&now) as u128;
        (now ^ place << 64).to_le_bytes().to_vec()
    });
    Int::from_big(BigInt::from_bytes_le(Sign::Plus, &bytes))
}
