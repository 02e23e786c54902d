//! Deduplicated frozen Strings: what `-string` and `Symbol#name` give. The table holds them weakly.

use std::collections::HashMap;

use asterism_heap::Liveness;
use asterism_object::{Value, ownership, string};
use asterism_vm::{Ec, Keep, Place, Res};
use parking_lot::Mutex;

/// The frozen Strings of one VM, by the hash of their bytes and encoding. The lock is held for
/// look-ups only: nothing is allocated and no Ruby runs under it.
#[derive(Default)]
pub struct Interned {
    table: Mutex<HashMap<u64, Vec<Value>>>,
}

impl Keep for Interned {
    const PLACE: Place = Place::Strings;

    fn clear_weak(&self, liveness: &Liveness) {
        self.table.lock().retain(|_, list| {
            list.retain(|v| liveness.is_live_word(v.bits()));
            !list.is_empty()
        });
    }
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
    let mut table = ec.vm().part::<Interned>().table.lock();
    let list = table.entry(key).or_default();
    for &found in list.iter() {
        if string::encoding(found) == encoding && string::frozen_equals(found, &bytes, encoding) {
            return Ok(found);
        }
    }
    list.push(candidate);
    Ok(candidate)
}
