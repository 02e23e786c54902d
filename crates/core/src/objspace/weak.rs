//! `ObjectSpace::WeakMap` and `WeakKeyMap`: tables that keep their keys (and values) from nobody.
//!
//! The collector clears them in its pause; a table's lock is held for a few instructions without a safepoint.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use asterism_heap::{Charge, Liveness, Marker, Reason, Stores};
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::{Args, Ec, Keep, NativeDef, Place, Res};

use crate::allocators::set_allocator;
use crate::string::util::outcall;

/// Keys by identity, both sides weak. A position orders the entries.
#[derive(Default)]
struct Identity {
    entries: HashMap<u64, (Value, u64)>,
    next: u64,
    /// Counts the table against the limits of the VM.
    charge: Charge,
}

/// Bytes of an entry, about.
const IDENTITY_ENTRY: usize = 32;
const KEY_ENTRY: usize = 128;

/// Counts room for one entry more before a table grows; whether the limits allow it.
fn has_room(charge: &mut Charge, len: usize, entry: usize) -> bool {
    !charge.counts() || len * entry < charge.bytes() || charge.set((len + 1).next_power_of_two() * 2 * entry)
}

/// Collects, as a table is not allowed to grow; NoMemoryError the second time.
fn make_room(ec: &mut Ec, tried: &mut bool) -> Res<()> {
    if std::mem::replace(tried, true) {
        return Err(ec.no_memory());
    }
    let heap = ec.heap().clone();
    heap.collect(ec, Reason::Memory);
    Ok(())
}

/// Keys by `eql?`, values strong: hash to key and value.
#[derive(Default)]
struct ByKey {
    entries: HashMap<u64, Vec<(Value, Value)>>,
    /// How often entries have been added or removed: what was looked up before holds no more.
    changes: u64,
    /// As that of `Identity`.
    charge: Charge,
}

/// The weak tables of a VM, for the collector. Protected by the lock; no safepoint while it is held.
#[derive(Default)]
pub struct Registry {
    identity: Mutex<Vec<Weak<Mutex<Identity>>>>,
    by_key: Mutex<Vec<Weak<Mutex<ByKey>>>>,
}

impl Keep for Registry {
    const PLACE: Place = Place::WeakMaps;

    fn clear_weak(&self, liveness: &Liveness) {
        self.identity.lock().retain(|weak| {
            let Some(map) = weak.upgrade() else {
                return false;
            };
            map.lock()
                .entries
                .retain(|key, (value, _)| liveness.is_live_word(*key) && liveness.is_live_word(value.bits()));
            true
        });
        self.by_key.lock().retain(|weak| {
            let Some(map) = weak.upgrade() else {
                return false;
            };
            let mut map = map.lock();
            map.changes += 1;
            map.entries.retain(|_, list| {
                list.retain(|(key, _)| liveness.is_live_word(key.bits()));
                !list.is_empty()
            });
            true
        });
    }
}

struct WeakMap(Arc<Mutex<Identity>>);

impl DataObject for WeakMap {
    const NAME: &'static str = "WeakMap";
    const SHARED: Shared = Shared::Frozen;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

struct WeakKeyMap(Arc<Mutex<ByKey>>);

impl DataObject for WeakKeyMap {
    const NAME: &'static str = "WeakKeyMap";
    const SHARED: Shared = Shared::Frozen;

    fn trace(&self, marker: &mut Marker) {
        for list in self.0.lock().entries.values() {
            for (_, value) in list {
                marker.mark(value.bits());
            }
        }
    }
}

static WEAK_MAP: &[NativeDef] = &[
    NativeDef::new("[]", get, 1, 1).leaf(),
    NativeDef::new("[]=", set, 2, 2).leaf(),
    NativeDef::new("key?", key_p, 1, 1).leaf(),
    NativeDef::new("include?", key_p, 1, 1).leaf(),
    NativeDef::new("member?", key_p, 1, 1).leaf(),
    NativeDef::new("delete", delete, 1, 1),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("length", size, 0, 0).leaf(),
    NativeDef::new("keys", keys, 0, 0),
    NativeDef::new("values", values, 0, 0),
    NativeDef::new("inspect", inspect, 0, 0),
];

static WEAK_KEY_MAP: &[NativeDef] = &[
    NativeDef::new("[]", key_get, 1, 1),
    NativeDef::new("[]=", key_set, 2, 2),
    NativeDef::new("key?", key_key_p, 1, 1),
    NativeDef::new("getkey", key_getkey, 1, 1),
    NativeDef::new("delete", key_delete, 1, 1),
    NativeDef::new("clear", key_clear, 0, 0),
    NativeDef::new("inspect", key_inspect, 0, 0),
];

pub(super) fn init(ec: &mut Ec, module: Class) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(module, "WeakMap", object)?;
    set_allocator(ec, class, |ec, class| {
        let map = Arc::new(Mutex::new(Identity { charge: ec.new_charge(), ..Identity::default() }));
        ec.vm().part::<Registry>().identity.lock().push(Arc::downgrade(&map));
        let made = data::new(ec, class.0, WeakMap(map));
        ec.check(Value::NIL, made)
    });
    ec.define_natives(class, WEAK_MAP)?;
    let class = ec.define_class(module, "WeakKeyMap", object)?;
    set_allocator(ec, class, |ec, class| {
        let map = Arc::new(Mutex::new(ByKey { charge: ec.new_charge(), ..ByKey::default() }));
        ec.vm().part::<Registry>().by_key.lock().push(Arc::downgrade(&map));
        let made = data::new(ec, class.0, WeakKeyMap(map));
        ec.check(Value::NIL, made)
    });
    ec.define_natives(class, WEAK_KEY_MAP)
}

fn identity(ec: &mut Ec, this: &Value) -> Res<Arc<Mutex<Identity>>> {
    match data::get::<WeakMap>(this) {
        Some(map) => Ok(map.0.clone()),
        None => Err(ec.type_error("uninitialized WeakMap")),
    }
}

fn get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let map = identity(ec, &this)?;
    let found = map.lock().entries.get(&args[0].bits()).map(|(v, _)| *v);
    Ok(found.unwrap_or(Value::NIL))
}

fn set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let map = identity(ec, &this)?;
    ec.check_frozen(this)?;
    // A Symbol is as a number here: it does not go away.
    for v in [args[0], args[1]] {
        v.as_sym();
    }
    let mut tried = false;
    loop {
        {
            let mut map = map.lock();
            let len = map.entries.len();
            if has_room(&mut map.charge, len, IDENTITY_ENTRY) {
                map.next += 1;
                let position = map.entries.get(&args[0].bits()).map_or(map.next, |(_, p)| *p);
                map.entries.insert(args[0].bits(), (args[1], position));
                return Ok(args[1]);
            }
        }
        outcall(ec, |ec| make_room(ec, &mut tried))?;
    }
}

fn key_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let map = identity(ec, &this)?;
    let found = map.lock().entries.contains_key(&args[0].bits());
    Ok(Value::bool(found))
}

fn delete(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let map = identity(ec, &this)?;
    ec.check_frozen(this)?;
    let removed = map.lock().entries.remove(&args[0].bits());
    match (removed, args.block()) {
        (Some((v, _)), _) => Ok(v),
        (None, Some(block)) => ec.yield1(block, args[0]),
        (None, None) => Ok(Value::NIL),
    }
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let n = identity(ec, &this)?.lock().entries.len();
    ec.size(n)
}

/// The entries as a flat Array, oldest first. Each is taken out of the table for this machine stack, then stored.
fn flat(ec: &mut Ec, this: Value) -> Res {
    let map = identity(ec, &this)?;
    let mut order: Vec<(u64, u64)> = map.lock().entries.iter().map(|(key, (_, position))| (*position, *key)).collect();
    order.sort_unstable();
    let list = ec.array_with_capacity(order.len().saturating_mul(2))?;
    for (position, key) in order {
        // The key may have died since the order was noted, and its address may be another object's.
        let held = map.lock().entries.get(&key).filter(|(_, p)| *p == position).map(|(v, _)| *v);
        // SAFETY: dead keys are taken out in the pause in which they die, and there was no safepoint since the look-up.
        let entry = held.map(|v| (unsafe { Value::from_bits(key) }, v));
        if let Some((key, value)) = entry {
            let done = array::extend(ec, list, &[key, value]);
            ec.check(list, done)?;
        }
    }
    Ok(list)
}

/// Primitive `weak_map_pairs`.
pub fn pairs(ec: &mut Ec, args: &[Value]) -> Res {
    flat(ec, args.first().copied().unwrap_or(Value::NIL))
}

fn side(ec: &mut Ec, this: Value, which: usize) -> Res {
    let all = flat(ec, this)?;
    let list = ec.array(&[])?;
    let mut i = which;
    while let Some(v) = array::at(all, i) {
        ec.array_push(list, v)?;
        i += 2;
    }
    Ok(list)
}

fn keys(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    side(ec, this, 0)
}

fn values(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    side(ec, this, 1)
}

/// An object in a WeakMap's `inspect`, without what it holds.
fn shown(ec: &mut Ec, v: Value) -> Res<Vec<u8>> {
    if v.is_heap() { Ok(ec.any_to_s(v).into_bytes()) } else { ec.inspect_for_error(v) }
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let all = flat(ec, this)?;
    let plain = ec.any_to_s(this);
    let mut out = plain.strip_suffix('>').unwrap_or(&plain).as_bytes().to_vec();
    let mut i = 0;
    while let (Some(key), Some(value)) = (array::at(all, i), array::at(all, i + 1)) {
        out.extend_from_slice(if i == 0 { b": " } else { b", " });
        out.extend_from_slice(&shown(ec, key)?);
        out.extend_from_slice(b" => ");
        out.extend_from_slice(&shown(ec, value)?);
        i += 2;
    }
    out.push(b'>');
    ec.str(out)
}

fn by_key(ec: &mut Ec, this: &Value) -> Res<Arc<Mutex<ByKey>>> {
    match data::get::<WeakKeyMap>(this) {
        Some(map) => Ok(map.0.clone()),
        None => Err(ec.type_error("uninitialized WeakKeyMap")),
    }
}

/// What a look-up found.
struct Found {
    hash: u64,
    /// The entry's own key and value.
    entry: Option<(Value, Value)>,
    /// The map's count of changes: while it is the same, a key that was not found is not there.
    changes: u64,
}

/// The entry for a key. `eql?` is called outside the lock.
fn find(ec: &mut Ec, this: Value, key: Value) -> Res<Found> {
    let map = by_key(ec, &this)?;
    let hash = ec.hash_of(key)?;
    'again: loop {
        let changes = map.lock().changes;
        for i in 0.. {
            let (entry, now) = {
                let map = map.lock();
                (map.entries.get(&hash).and_then(|list| list.get(i).copied()), map.changes)
            };
            match entry {
                Some((candidate, _)) if ec.eql(candidate, key)? => return Ok(Found { hash, entry, changes: now }),
                Some(_) => {}
                None if now == changes => return Ok(Found { hash, entry, changes }),
                // Entries have changed places.
                None => continue 'again,
            }
        }
    }
}

fn key_get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(find(ec, this, args[0])?.entry.map_or(Value::NIL, |(_, v)| v))
}

fn key_set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let (key, value) = (args[0], args[1]);
    // Numbers and symbols have no identity.
    if !key.is_heap() || key.is_type(Type::BigInt) || key.is_type(Type::Float) {
        return Err(ec.arg_error("WeakKeyMap keys must be garbage collectable"));
    }
    let map = by_key(ec, &this)?;
    let mut tried = false;
    loop {
        let found = find(ec, this, key)?;
        let has_room = {
            let mut map = map.lock();
            let len = map.entries.len();
            has_room(&mut map.charge, len, KEY_ENTRY)
        };
        if !has_room {
            make_room(ec, &mut tried)?;
            continue;
        }
        let mut map = map.lock();
        let is_same = map.changes == found.changes;
        let list = map.entries.entry(found.hash).or_default();
        match found.entry {
            Some((old, _)) => {
                if let Some(at) = list.iter().position(|(k, _)| *k == old) {
                    list[at].1 = value;
                    return Ok(value);
                }
            }
            None if is_same => {
                list.push((key, value));
                map.changes += 1;
                return Ok(value);
            }
            None => {}
        }
    }
}

fn key_key_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(find(ec, this, args[0])?.entry.is_some()))
}

fn key_getkey(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(find(ec, this, args[0])?.entry.map_or(Value::NIL, |(k, _)| k))
}

fn key_delete(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let found = find(ec, this, args[0])?;
    if let Some((key, _)) = found.entry {
        let map = by_key(ec, &this)?;
        let mut map = map.lock();
        map.changes += 1;
        if let Some(list) = map.entries.get_mut(&found.hash)
            && let Some(at) = list.iter().position(|(k, _)| *k == key)
        {
            return Ok(list.remove(at).1);
        }
        // Another thread has taken it out.
    }
    match args.block() {
        Some(block) => ec.yield1(block, args[0]),
        None => Ok(Value::NIL),
    }
}

fn key_clear(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let map = by_key(ec, &this)?;
    let mut map = map.lock();
    map.changes += 1;
    map.entries.clear();
    Ok(this)
}

fn key_inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let n: usize = by_key(ec, &this)?.lock().entries.values().map(Vec::len).sum();
    let plain = ec.any_to_s(this);
    ec.str(format!("{} size={n}>", plain.strip_suffix('>').unwrap_or(&plain)))
}
