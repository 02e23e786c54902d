//! What a const site remembers: a cell with the serial of the constants, the value, and the nesting that it was seen from.

use std::sync::atomic::Ordering;

use asterism_heap::Cell;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value};

use crate::consts::Cref;
use crate::ec::{Ec, Res};
use crate::ractor::shareable;
use crate::vm::Vm;

/// Bit of a const cache's serial: the value is not shareable, and other Ractors than the main one must not take it from
/// there. So is every such entry from when the VM has made a Ractor; no serial has the bit, so no fast path takes it.
const MAIN_ONLY: u64 = 1 << 63;

/// What the const site with this cache, in code under the nesting `cref`, stands for, if it remembers that.
#[inline(always)]
pub(crate) fn remembered(vm: &Vm, site: &AtomicValue, cref: Value) -> Option<Value> {
    remembered_as(vm, site, cref, 0)
}

/// As `remembered`, with what only the main Ractor may have, if that runs.
pub(crate) fn remembered_here(ec: &Ec, site: &AtomicValue, cref: Value) -> Option<Value> {
    let found = remembered(ec.vm(), site, cref);
    found.or_else(|| if ec.is_restricted() { None } else { remembered_as(ec.vm(), site, cref, MAIN_ONLY) })
}

/// The same for entries with `mark` in their serial.
#[inline(always)]
fn remembered_as(vm: &Vm, site: &AtomicValue, cref: Value, mark: u64) -> Option<Value> {
    let cache = site.load(Ordering::Acquire);
    if cache == Value::NULL {
        return None;
    }
    // SAFETY: a const site holds 0 or a const cache cell of four payload words, which the site keeps alive.
    unsafe {
        let cache = &*cache.ptr::<Cell>();
        if cache.word(1).load(Ordering::Relaxed) != vm.const_serial.load(Ordering::Acquire) | mark {
            return None;
        }
        let seen_from = cache.word(3).load(Ordering::Relaxed);
        (seen_from == cref.bits() || (cref.is_heap() && seen_from == Cref(cref).lexical().0.bits()))
            .then(|| Value::from_bits(cache.word(2).load(Ordering::Relaxed)))
    }
}

/// Lets `site` remember `value`, which was looked up after the constants had `serial`, by code in the nesting `seen_from`.
///
/// # Errors
/// NoMemoryError.
pub(crate) fn remember(ec: &mut Ec, site: &AtomicValue, serial: u64, value: Value, seen_from: Value) -> Res<()> {
    let many = ec.vm().threads.many_ractors.load(Ordering::Acquire);
    let main_only = many && !shareable::is_shareable(ec, value);
    let cell = ec.alloc_cell(Type::InlineCache, 4, Value::NULL, false)?;
    // SAFETY: the cell was just made with four payload words.
    unsafe {
        let words = &*cell.ptr::<Cell>();
        words.word(0).store(0, Ordering::Relaxed);
        words.word(1).store(if main_only { serial | MAIN_ONLY } else { serial }, Ordering::Relaxed);
        words.word(2).store(value.bits(), Ordering::Relaxed);
        words.word(3).store(seen_from.bits(), Ordering::Relaxed);
    }
    site.store(cell, Ordering::Release);
    ec.remember_target(cell.bits());
    Ok(())
}
