//! Method caches. Neither kind takes a lock to read.
//!
//! A call site's *inline cache* is a pointer to an immutable cell that lists up to four receivers;
//! filling it publishes another cell whole. A site that keeps missing stops filling until a class changes and relies on what the
//! thread has of its own: entries of such sites (`megamorphic`), and behind them a direct-mapped [`MethodCache`].
//!
//! Both are stamped with the class's serial read *before* the lookup (DESIGN §3), so an entry made while the
//! class changes never matches afterwards.

use std::sync::atomic::Ordering;

use asterism_heap::{Cell, Marker, stamp};
use asterism_object::class::Class;
use asterism_object::types::Type;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;

use crate::ec::{Ec, Res};
pub use crate::interp::calls::kind::Entry;
use crate::interp::calls::kind::Kind;
use crate::iseq::Iseq;
use crate::method::{Found, Method, lookup_from};
pub use looked_up::MethodCache;
pub(crate) use looked_up::{ASKED_BITS, Answer, ClassMatches, SPREAD, SPREAD_BITS};
use looked_up::{EMPTY, Slot};
pub use site::Site;

mod looked_up;
mod site;

/// Words in front of the entries.
pub(crate) const ENTRIES: usize = 1;
/// The bits of the first word that say how many entries there are; above them lies the VM's `class_changes`.
const COUNT_BITS: u32 = 8;
/// Words of an entry: serial, method, defined class, kind, target.
pub(crate) const ENTRY_WORDS: usize = 5;
/// Most receivers a site remembers.
pub const POLYMORPHIC: usize = 4;

/// How many entries a first word says.
fn count_in(word: u64) -> usize {
    (word & ((1 << COUNT_BITS) - 1)) as usize
}

/// A view of an InlineCache cell: the number of entries, then the entries.
#[derive(Clone, Copy)]
pub struct InlineCache(Value);

impl InlineCache {
    /// The cache a site's word leads to.
    #[inline(always)]
    pub fn at(site: &Site) -> Option<InlineCache> {
        let word = stamp::published(&site.0);
        // SAFETY: only `publish` sets the word, to an InlineCache cell.
        (word != 0).then_some(InlineCache(unsafe { Value::from_bits(word) }))
    }

    /// Its word, as handlers pass it on.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        self.0.bits()
    }

    /// The cache with that word.
    ///
    /// # Safety
    /// `bits` gave it, and there was no safepoint since.
    #[inline(always)]
    pub(crate) unsafe fn of_bits(word: u64) -> InlineCache {
        // SAFETY: the caller's contract.
        InlineCache(unsafe { Value::from_bits(word) })
    }

    #[inline(always)]
    fn word(&self, index: usize) -> u64 {
        // SAFETY: an InlineCache cell has `ENTRIES + count * ENTRY_WORDS` payload words, all set before it was
        // published; a site only ever holds 0 or such a cell, and keeps it alive.
        unsafe { (*self.0.ptr::<Cell>()).word(index) }.load(Ordering::Relaxed)
    }

    /// How many entries there are.
    pub fn count(&self) -> usize {
        count_in(self.word(0))
    }

    /// `class_changes` when it was made, at its place in the first word.
    fn changes(&self) -> u64 {
        self.word(0) >> COUNT_BITS << COUNT_BITS
    }

    /// The serial of the first entry.
    #[inline(always)]
    pub fn first_serial(&self) -> u64 {
        self.word(ENTRIES)
    }

    /// The first entry's way to call.
    #[inline(always)]
    pub fn first_kind(&self) -> &'static Kind {
        // SAFETY: the word was written from a `&'static Kind` in `publish`.
        unsafe { &*(self.word(ENTRIES + 3) as *const Kind) }
    }

    /// Word `index`, which is an entry's method or defined class.
    #[inline(always)]
    fn value(&self, index: usize) -> Value {
        // SAFETY: `publish` put a value there.
        unsafe { Value::from_bits(self.word(index)) }
    }

    /// Where the entry for `serial` begins; 0: there is none.
    pub(crate) fn words_for(&self, serial: u64) -> usize {
        self.address_of((0..self.count()).find(|&i| serial != 0 && self.word(ENTRIES + i * ENTRY_WORDS) == serial))
    }

    /// The first entry's method.
    #[inline(always)]
    pub fn first_method(&self) -> Method {
        Method(self.value(ENTRIES + 1))
    }

    /// Is a call of what `serial` says to be made this way, by the first entry?
    #[inline(always)]
    pub fn leads_to(&self, serial: u64, kind: &'static Kind) -> bool {
        self.first_serial() == serial && self.word(ENTRIES + 3) == std::ptr::from_ref(kind) as u64
    }

    /// The first entry's target.
    #[inline(always)]
    pub fn first_target(&self) -> u64 {
        self.word(ENTRIES + 4)
    }

    /// Entry `i`.
    #[inline(always)]
    pub fn entry(&self, i: usize) -> Entry {
        let base = ENTRIES + i * ENTRY_WORDS;
        Entry {
            serial: self.word(base),
            method: Method(self.value(base + 1)),
            defined_class: Class(self.value(base + 2)),
            // SAFETY: the word was written from a `&'static Kind` in `publish`.
            kind: unsafe { &*(self.word(base + 3) as *const Kind) },
            target: self.word(base + 4),
        }
    }

    /// The entry for `serial`.
    #[inline(always)]
    pub fn find(&self, serial: u64) -> Option<Entry> {
        if self.first_serial() == serial {
            return Some(self.entry(0));
        }
        (1..self.count()).find(|&i| self.word(ENTRIES + i * ENTRY_WORDS) == serial).map(|i| self.entry(i))
    }

    /// Which entry is for `serial` and was made by `super` in the method `caller`: such entries have that in the word for the defined
    /// class.
    fn index_for_caller(&self, serial: u64, caller: Value) -> Option<usize> {
        let is_it = |base: usize| self.word(base) == serial && self.word(base + 2) == caller.bits();
        (0..self.count()).find(|i| serial != 0 && is_it(ENTRIES + i * ENTRY_WORDS))
    }

    /// That entry.
    pub(crate) fn find_for_caller(&self, serial: u64, caller: Value) -> Option<Entry> {
        self.index_for_caller(serial, caller).map(|i| self.entry(i))
    }

    /// Where that entry begins; 0: there is none.
    pub(crate) fn words_for_caller(&self, serial: u64, caller: Value) -> usize {
        self.address_of(self.index_for_caller(serial, caller))
    }

    /// Where an entry begins.
    fn address_of(&self, entry: Option<usize>) -> usize {
        // SAFETY: an InlineCache cell has the words of its entries.
        entry.map_or(0, |i| unsafe { std::ptr::from_ref((*self.0.ptr::<Cell>()).word(ENTRIES + i * ENTRY_WORDS)) }
            as usize)
    }

    /// Adds `entry` to what `site` of `code` remembers. A site with `POLYMORPHIC` receivers stays as it is until a class changes: then
    /// entries may be stale, and it begins anew. Until then it is the thread that remembers the entry, where no refinements are in
    /// force.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn publish(ec: &mut Ec, code: &Iseq, site: &Site, entry: Entry, refined: bool) -> Res<()> {
        if !InlineCache::add(ec, code, site, entry, |e| e.serial == entry.serial)? && !refined {
            ec.worker.megamorphic.enter(site.address(), entry.serial, entry);
        }
        Ok(())
    }

    /// The same of `super`, which methods of several names may share: those that are made of one block.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn publish_for_caller(ec: &mut Ec, code: &Iseq, site: &Site, entry: Entry) -> Res<()> {
        let is_same = |e: &Entry| e.serial == entry.serial && e.defined_class.0 == entry.defined_class.0;
        if !InlineCache::add(ec, code, site, entry, is_same)? {
            ec.worker.megamorphic.enter(site.address(), entry.serial, entry);
        }
        Ok(())
    }

    /// Adds `entry` in the place of the one that it is the same as, else in front of the others; in code that may have been compiled, which
    /// takes the first one for the most frequent, behind them, unless a class has changed: then that may be stale. `false`: there is no
    /// room for it.
    fn add(ec: &mut Ec, code: &Iseq, site: &Site, entry: Entry, is_same: impl Fn(&Entry) -> bool) -> Res<bool> {
        let changes = ec.vm().class_changes.load(Ordering::Relaxed) << COUNT_BITS;
        let mut kept = [entry; POLYMORPHIC];
        let (mut others, mut place) = (0, None);
        if let Some(old) = InlineCache::at(site) {
            for e in (0..old.count()).map(|i| old.entry(i)) {
                if is_same(&e) {
                    place = place.or(Some(others));
                    continue;
                }
                if others == POLYMORPHIC - 1 {
                    if old.changes() == changes {
                        return Ok(false);
                    }
                    (others, place) = (0, None);
                    break;
                }
                kept[others] = e;
                others += 1;
            }
            if place.is_none() && code.jit.is_warm() && old.changes() == changes {
                place = Some(others);
            }
        }
        let place = place.unwrap_or(0);
        kept.copy_within(place..others, place + 1);
        kept[place] = entry;
        let count = others + 1;
        let cell = ec.alloc_cell(Type::InlineCache, ENTRIES + count * ENTRY_WORDS, Value::NULL, false)?;
        // SAFETY: the cell was just made with that many payload words.
        unsafe {
            let words = &*cell.ptr::<Cell>();
            words.word(0).store(count as u64 | changes, Ordering::Relaxed);
            for (i, e) in kept[..count].iter().enumerate() {
                let base = ENTRIES + i * ENTRY_WORDS;
                words.word(base).store(e.serial, Ordering::Relaxed);
                words.word(base + 1).store(e.method.0.bits(), Ordering::Relaxed);
                words.word(base + 2).store(e.defined_class.0.bits(), Ordering::Relaxed);
                words.word(base + 3).store(std::ptr::from_ref(e.kind) as u64, Ordering::Relaxed);
                words.word(base + 4).store(e.target, Ordering::Relaxed);
            }
        }
        stamp::publish(&site.0, cell.bits());
        ec.remember_target(cell.bits());
        Ok(true)
    }

    /// Marks the references. Cells of const sites have the same layout idea: see `consts`.
    pub fn trace(cell: &Cell, marker: &mut Marker) {
        // SAFETY: see `word`; a const cache has count 0 and two more words, both values.
        unsafe {
            let count = count_in(cell.word(0).load(Ordering::Relaxed));
            if count == 0 {
                marker.mark(cell.word(2).load(Ordering::Relaxed));
                marker.mark(cell.word(3).load(Ordering::Relaxed));
            }
            for i in 0..count {
                let base = ENTRIES + i * ENTRY_WORDS;
                marker.mark(cell.word(base + 1).load(Ordering::Relaxed));
                marker.mark(cell.word(base + 2).load(Ordering::Relaxed));
            }
        }
    }
}

impl Ec {
    /// Looks up `name` for receivers of `class`; `None` if there is no such method.
    /// The serial is the stamp for caches.
    #[inline(always)]
    pub fn find_method(&mut self, class: Class, name: Sym) -> (u64, Option<Found>) {
        let vm = self.vm();
        let serial = class.ensure_serial(|| vm.next_serial());
        let slot = &self.worker.methods.slots[self.worker.methods.index(serial, name)];
        if slot.serial == serial && slot.sym == name {
            return (serial, slot.found());
        }
        (serial, self.look_up(class, serial, name))
    }

    /// As `find_method`, past the cache, which learns it.
    #[cold]
    #[inline(never)]
    fn look_up(&mut self, class: Class, serial: u64, name: Sym) -> Option<Found> {
        let found = lookup_from(self, Some(class), name);
        self.worker.methods.enter(match found {
            Some(f) => Slot {
                serial,
                sym: name,
                visibility: f.visibility,
                method: f.method.0,
                defined_class: f.defined_class.0,
            },
            None => Slot { serial, sym: name, ..EMPTY },
        });
        found
    }
}

impl Ec {
    /// Is `v` one of `class`?
    pub(crate) fn is_one_of(&mut self, v: Value, class: Class) -> bool {
        let vm = self.vm();
        let serial = |class: Class| class.ensure_serial(|| vm.next_serial());
        let own = self.class_of(v);
        if own == class {
            return true;
        }
        // No class has the serial 0: these answers are of no `===`.
        let (of, asked) = (serial(own), serial(class));
        let at = Answer::index(of, asked);
        let slot = &self.worker.class_matches.0[at];
        if slot.of == of && slot.asked == asked && slot.answer.is_some() {
            return slot.answer == Some(true);
        }
        let answer = own.inherits_from(class);
        self.worker.class_matches.0[at] = Answer { of, asked, meta: 0, answer: Some(answer) };
        answer
    }

    /// `class === v` if that is the core's method.
    #[inline]
    pub fn class_match(&mut self, class: Class, v: Value) -> Option<bool> {
        let vm = self.vm();
        let serial = |class: Class| class.ensure_serial(|| vm.next_serial());
        // Serials first: an answer for what changes meanwhile is not found again.
        let (own, meta) = (self.class_of(v), self.class_of(class.0));
        let (of, asked, meta_serial) = (serial(own), serial(class), serial(meta));
        let at = Answer::index(of, asked);
        let slot = &self.worker.class_matches.0[at];
        if slot.of == of && slot.asked == asked && slot.meta == meta_serial {
            return slot.answer;
        }
        let found = self.find_method(meta, sym::EQQ).1;
        let is_core = found.is_some_and(|found| found.method.is_native_of_core());
        let answer = is_core.then(|| own.inherits_from(class));
        self.worker.class_matches.0[at] = Answer { of, asked, meta: meta_serial, answer };
        answer
    }
}
