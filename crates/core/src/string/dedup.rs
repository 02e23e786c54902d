//! Deduplicated frozen Strings: what `-string` and `Symbol#name` give. The table holds them weakly.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::Liveness;
use asterism_lock::Mutex;
use asterism_object::address_hash::ByAddress;
use asterism_object::string::CodeRange;
use asterism_object::{Sym, Value, ownership, string};
use asterism_vm::{Ec, Keep, Place, Res};

/// Threads that dedup different Strings seldom meet at one of so many locks.
const SHARDS: usize = 16;
/// Entries that are found without a lock; a power of two.
const PLACES: usize = 1024;

/// A part of the table.
#[derive(Default)]
struct Shard {
    strings: HashMap<u64, Vec<Value>, ByAddress>,
    /// The keys that got Strings since the last collection: a minor one ends no others.
    fresh: Vec<u64>,
}

impl Shard {
    /// Forgets the dead; whether there were any.
    fn clear_dead(&mut self, liveness: &Liveness) -> bool {
        let mut died = false;
        let mut keep_living = |list: &mut Vec<Value>| {
            let before = list.len();
            list.retain(|v| liveness.is_live_word(v.bits()));
            died |= list.len() < before;
            !list.is_empty()
        };
        if liveness.is_minor() {
            for key in &self.fresh {
                if self.strings.get_mut(key).is_some_and(|list| !keep_living(list)) {
                    self.strings.remove(key);
                }
            }
        } else {
            self.strings.retain(|_, list| keep_living(list));
        }
        self.fresh.clear();
        died
    }
}

/// Entries of the table, or 0, at places that whoever looks knows: a direct-mapped cache. A place is read with Acquire and written
/// with Release, so that who finds a String sees its contents; collections clear it while all threads are stopped.
#[derive(Default)]
struct Found(OnceLock<Box<[AtomicU64]>>);

impl Found {
    fn place(&self, at: u64) -> &AtomicU64 {
        let places = self.0.get_or_init(|| (0..PLACES).map(|_| AtomicU64::new(0)).collect());
        &places[at as usize % PLACES]
    }

    /// The entry at that place, if it has these bytes and this encoding.
    fn get(&self, at: u64, bytes: &[u8], encoding: u8) -> Option<Value> {
        let word = self.place(at).load(Ordering::Acquire);
        if word == 0 {
            return None;
        }
        // SAFETY: a place holds 0 or a String of this VM's table, and is cleared by the collection that finds the String dead.
        let found = unsafe { Value::from_bits(word) };
        is_same(found, bytes, encoding).then_some(found)
    }

    fn put(&self, at: u64, entry: Value) {
        self.place(at).store(entry.bits(), Ordering::Release);
    }

    fn clear_dead(&self, liveness: &Liveness) {
        for place in self.0.get().into_iter().flatten() {
            // Nobody else runs.
            let word = place.load(Ordering::Relaxed);
            if word != 0 && !liveness.is_live_word(word) {
                place.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// The frozen Strings of one VM, by the hash of their bytes and encoding. A shard's lock is held for
/// look-ups only: nothing is allocated in the heap and no Ruby runs under it.
#[derive(Default)]
pub struct Interned {
    shards: [Mutex<Shard>; SHARDS],
    /// By the numbers of the Symbols whose names they are.
    names: Found,
    /// By their hashes.
    recent: Found,
}

impl Keep for Interned {
    const PLACE: Place = Place::Strings;

    fn clear_weak(&self, liveness: &Liveness) {
        let mut died = false;
        for shard in &self.shards {
            died |= shard.lock().clear_dead(liveness);
        }
        if died {
            self.names.clear_dead(liveness);
            self.recent.clear_dead(liveness);
        }
    }
}

/// The one frozen String with a Symbol's name.
///
/// # Errors
/// NoMemoryError.
pub fn name_of(ec: &mut Ec, symbol: Sym) -> Res {
    let name = symbol.name();
    let at = u64::from(symbol.0);
    if let Some(found) = ec.vm().part::<Interned>().names.get(at, name.bytes, name.encoding) {
        return Ok(found);
    }
    let made = ec.str_enc(name.bytes, name.encoding)?;
    let made = dedup(ec, made)?;
    ec.vm().part::<Interned>().names.put(at, made);
    Ok(made)
}

/// Is it the one frozen String with its bytes and encoding?
pub fn is_interned(ec: &mut Ec, s: Value) -> bool {
    let key = string::hash(ec, s);
    let table = ec.vm().part::<Interned>().shards[(key >> 32) as usize % SHARDS].lock();
    table.strings.get(&key).is_some_and(|list| list.contains(&s))
}

/// The one frozen String with the bytes and the encoding of `s`.
///
/// # Errors
/// NoMemoryError.
pub fn dedup(ec: &mut Ec, s: Value) -> Res {
    // A frozen String of its own serves as the table's entry, if there is none yet.
    let candidate = if ownership::is_frozen(s)
        && ec.class_of(s).0 == ec.class(asterism_object::space::WellKnown::String)
        && asterism_object::ivars::count(ec, s) == 0
    {
        s
    } else {
        let made = string::frozen_copy(ec, s);
        ec.check(s, made)?
    };
    let key = string::hash(ec, candidate);
    let bytes = string::read(ec, candidate);
    let encoding = bytes.encoding();
    let shard = &ec.vm().part::<Interned>().shards[(key >> 32) as usize % SHARDS];
    let mut table = shard.lock();
    let list = table.strings.entry(key).or_default();
    if let Some(found) = equal(list, &bytes, encoding) {
        return Ok(found);
    }
    list.push(candidate);
    table.fresh.push(key);
    Ok(candidate)
}

/// That of these Strings, which are frozen, which has these bytes and this encoding.
fn equal(list: &[Value], bytes: &[u8], encoding: u8) -> Option<Value> {
    list.iter().copied().find(|&v| is_same(v, bytes, encoding))
}

/// Has this String, which is frozen, these bytes and this encoding?
fn is_same(v: Value, bytes: &[u8], encoding: u8) -> bool {
    string::encoding(v) == encoding && string::frozen_equals(v, bytes, encoding) == Some(true)
}

/// The one frozen String with these bytes in this encoding, of which `range` is what a scan finds. They lie outside the heap.
///
/// # Errors
/// NoMemoryError.
pub fn of_bytes(ec: &mut Ec, bytes: &[u8], encoding: u8, range: CodeRange) -> Res {
    let key = string::hash_as(ec, bytes, encoding, range);
    let table = ec.vm().part::<Interned>();
    if let Some(found) = table.recent.get(key, bytes, encoding) {
        return Ok(found);
    }
    let found = table.shards[(key >> 32) as usize % SHARDS]
        .lock()
        .strings
        .get(&key)
        .and_then(|list| equal(list, bytes, encoding));
    let found = match found {
        Some(found) => found,
        None => {
            let made = string::frozen(ec, bytes, encoding);
            let made = ec.check(Value::NIL, made)?;
            dedup(ec, made)?
        }
    };
    ec.vm().part::<Interned>().recent.put(key, found);
    Ok(found)
}
