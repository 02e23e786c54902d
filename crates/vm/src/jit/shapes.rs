//! Sites of compiled code where instance variables of objects of several shapes are read and written: what they remember besides the
//! one shape in their own cache.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::header;
use asterism_object::space::space;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value, object, shape};

use super::site_words::{Additions, MOST, Shapes};
use crate::ec::Ec;
use crate::interp::slots::same_shape;
use crate::iseq::{ADDS, EMPTY_IVAR};

/// Of so many misses of a thread at sites that are full, one is remembered.
const RARELY: u32 = 64;

impl Shapes {
    fn of_site(&self, site: usize) -> &[AtomicU64] {
        self.all.get().and_then(|all| all.get(site * MOST..(site + 1) * MOST)).unwrap_or_default()
    }

    /// Has the site met several shapes?
    pub(crate) fn are_several(&self, site: usize) -> bool {
        self.of_site(site).iter().any(|word| word.load(Ordering::Relaxed) != EMPTY_IVAR)
    }

    /// The value at `site` of an object whose shape is remembered.
    #[inline]
    pub(crate) fn read(&self, site: usize, this: Value) -> Option<Value> {
        let cell = this.cell()?;
        let head = cell.header.load(Ordering::Acquire);
        if head as u8 != Type::Object as u8 {
            return None;
        }
        let mut words = self.of_site(site).iter().map(|word| word.load(Ordering::Relaxed));
        let cached = words.find(|&cached| same_shape(head, cached))?;
        Some(object::read_slot(cell, shape::Slot(cached as u32)))
    }

    /// Writes at `site`, if the object's shape is remembered and it may be written to at once.
    #[inline]
    pub(crate) fn write(&self, ec: &Ec, site: usize, this: Value, v: Value) -> bool {
        let Some(cell) = this.cell() else { return false };
        let head = cell.header.load(Ordering::Acquire);
        let mut words = self.of_site(site).iter().map(|word| word.load(Ordering::Relaxed));
        let Some(cached) = words.find(|&cached| ec.owned_with_shape(head, cached, Type::Object as u8)) else {
            return false;
        };
        object::write_slot(cell, shape::Slot(cached as u32), v);
        true
    }

    /// Remembers where objects of this one's shape have `name`, at one of `sites` sites.
    pub(crate) fn learn(&self, ec: &mut Ec, (site, sites): (usize, usize), this: Value, name: Sym) {
        let Some(cell) = this.cell().filter(|cell| type_of(cell) == Type::Object) else { return };
        let id = header::shape_of(cell.header.load(Ordering::Acquire));
        if id == shape::COMPLEX {
            return;
        }
        let Some(slot) = space(ec).shapes.lookup(id, name) else { return };
        self.note(ec, (site, sites), u64::from(id) << 32 | u64::from(slot.0));
    }

    /// Remembers the word `known` at one of `sites` sites.
    pub(crate) fn note(&self, ec: &mut Ec, (site, sites): (usize, usize), known: u64) {
        let all = self.all.get_or_init(|| (0..sites * MOST).map(|_| AtomicU64::new(EMPTY_IVAR)).collect());
        self.words.store(all.as_ptr().cast_mut(), Ordering::Release);
        let words = self.of_site(site);
        let unused =
            words.iter().position(|word| matches!(word.load(Ordering::Relaxed), w if w == EMPTY_IVAR || w == known));
        let place = match unused {
            Some(place) => place,
            None => {
                ec.worker.slot_misses = ec.worker.slot_misses.wrapping_add(1);
                if !ec.worker.slot_misses.is_multiple_of(RARELY) {
                    return;
                }
                (ec.worker.slot_misses / RARELY) as usize % MOST
            }
        };
        if let Some(word) = words.get(place) {
            word.store(known, Ordering::Relaxed);
        }
    }
}

impl Additions {
    /// Has the site added one?
    pub(crate) fn are_at(&self, site: usize) -> bool {
        self.all.get().is_some_and(|all| all[site * 2].load(Ordering::Relaxed) != EMPTY_IVAR)
    }

    /// Notes that `name` was added at one of `sites` sites to `this`, which was of the shape `before`, if it was.
    pub(crate) fn note(&self, ec: &Ec, (site, sites): (usize, usize), this: Value, before: u32, name: Sym) {
        let Some(cell) = this.cell().filter(|cell| type_of(cell) == Type::Object) else { return };
        let after = header::shape_of(cell.header.load(Ordering::Acquire));
        let shapes = &space(ec).shapes;
        if before == shape::COMPLEX || after == shape::COMPLEX || shapes.lookup(before, name).is_some() {
            return;
        }
        let Some((_, slot)) = shapes.transition(before, name).filter(|&(next, _)| next == after) else { return };
        let all = self.all.get_or_init(|| (0..sites * 2).map(|_| AtomicU64::new(EMPTY_IVAR)).collect());
        self.words.store(all.as_ptr().cast_mut(), Ordering::Release);
        let tag = u64::from(before) << 32;
        // Both words say what they are about: others may write theirs in between.
        all[site * 2 + 1].store(tag | u64::from(after), Ordering::Relaxed);
        all[site * 2].store(tag | ADDS | u64::from(slot.0), Ordering::Relaxed);
    }
}
