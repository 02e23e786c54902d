//! `ObjectSpace._id2ref`: from an id back to its object. `drb` finds with it what others refer to.
//!
//! The table of ids is made at the first use, by a walk over the heap, and kept up to date from then on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_heap::Liveness;
use asterism_lock::Mutex;
use asterism_object::{Value, bigint};
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, Exc, Keep, Place, Res};
use num_bigint::BigInt;

/// The objects of a VM that have ids.
#[derive(Default)]
pub struct Ids {
    /// Has somebody looked for an object? Set while the world is stopped.
    used: AtomicBool,
    /// By the heap's number. Protected by the lock; no safepoint while it is held. The collector takes the dead out.
    objects: Mutex<HashMap<u64, Value>>,
}

impl Keep for Ids {
    const PLACE: Place = Place::ObjectIds;

    fn clear_weak(&self, liveness: &Liveness) {
        self.objects.lock().retain(|_, object| liveness.is_live_word(object.bits()));
    }
}

impl Ids {
    /// An object's number was asked for, perhaps for the first time.
    pub fn note(&self, number: u64, object: Value) {
        if self.used.load(Ordering::Relaxed) {
            self.objects.lock().insert(number, object);
        }
    }

    fn get(&self, number: u64) -> Option<Value> {
        self.objects.lock().get(&number).copied()
    }

    /// Notes every object that has a number. There is no safepoint between giving a number out and noting it, so none is missed.
    fn fill(&self, ec: &mut Ec) {
        let vm = ec.vm_arc();
        vm.heap().stop_the_world(ec, |world| {
            self.used.store(true, Ordering::Relaxed);
            let mut objects = self.objects.lock();
            vm.heap().each_live_cell(world, |cell| {
                if let Some(number) = vm.heap().existing_object_id(cell) {
                    objects.insert(number, Value::from_cell(cell));
                }
            });
        });
    }
}

/// `_id2ref(id)`
pub(super) fn id_to_object(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if crate::warning::is_enabled(ec, intern("deprecated")) {
        asterism_vm::load::warn(ec, "ObjectSpace._id2ref is deprecated")?;
    }
    let wanted = ec.to_integer(args[0])?;
    let wanted = match wanted.fixnum_value() {
        Some(n) => BigInt::from(n),
        None => bigint::get(&wanted).clone(),
    };
    if wanted.bit(0) {
        // The ids of fixnums are odd; larger Integers have ids of their own.
        let n: BigInt = (&wanted - 1) / 2;
        if let Some(v) = i64::try_from(&n).ok().and_then(Value::try_fixnum) {
            return Ok(v);
        }
        return Err(range_error(ec, &wanted, "is not an id value"));
    }
    let Ok(word) = u64::try_from(&wanted) else {
        return Err(range_error(ec, &wanted, "is not an id value"));
    };
    match word {
        0 => return Ok(Value::FALSE),
        8 => return Ok(Value::NIL),
        20 => return Ok(Value::TRUE),
        _ => {}
    }
    let v = Value::immediate(word).unwrap_or(Value::UNDEF);
    if v.is_flonum() {
        return Ok(v);
    }
    if v.is_sym() {
        // Who asked for its id has pinned it, so this VM holds it if it may be one of those that are collected.
        let known =
            u32::try_from(word >> 8).is_ok_and(|n| n < asterism_symbol::count() || ec.heap().symbols().holds(n));
        return if known { Ok(v) } else { Err(range_error(ec, &wanted, "is not a symbol id value")) };
    }
    if word % 8 != 0 {
        return Err(range_error(ec, &wanted, "is not an id value"));
    }
    let number = word / 8 - 1;
    let vm = ec.vm_arc();
    let ids = vm.part::<Ids>();
    let found = ids.get(number).or_else(|| {
        ids.fill(ec);
        ids.get(number)
    });
    let why = match found {
        Some(found) if ec.may_have(found) => return Ok(found),
        Some(_) => "is the id of an unshareable object on multi-ractor",
        None if ec.vm().heap().gave_object_id(number) => "is a recycled object",
        None => "is not an id value",
    };
    Err(range_error(ec, &wanted, why))
}

#[cold]
fn range_error(ec: &mut Ec, id: &BigInt, why: &str) -> asterism_vm::Raised {
    ec.raise(Exc::RangeError, format!("\"{id}\" {why}"))
}

/// `object_id` of any value: CRuby's numbers for immediates, multiples of eight for heap objects.
pub fn id_of(ec: &mut Ec, v: Value) -> Res {
    if let Some(n) = v.fixnum_value() {
        return ec.bigint(num_bigint::BigInt::from(n) * 2 + 1);
    }
    match v.cell() {
        Some(cell) => {
            let id = ec.object_id(cell);
            ec.vm().part::<Ids>().note(id, v);
            ec.int((id as i64).saturating_add(1).saturating_mul(8))
        }
        None => match v {
            Value::NIL => Ok(Value::fixnum(8)),
            Value::TRUE => Ok(Value::fixnum(20)),
            Value::FALSE => Ok(Value::fixnum(0)),
            _ => {
                // No other Symbol is to have this id later.
                v.as_sym();
                ec.bigint(num_bigint::BigInt::from(v.bits()))
            }
        },
    }
}
