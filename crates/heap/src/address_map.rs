//! A map from the addresses of cells to words. Reading takes no lock and writes nothing, so that threads which read do not
//! meet; adding takes a lock. Entries go in the pause only, and there alone what readers may have been looking at is freed.

use crate::sync::{AtomicPtr, AtomicU64, Mutex, Ordering};

/// How many slots the first array has.
const LEAST: usize = 8;

/// An entry; free while `address` is 0.
struct Slot {
    address: AtomicU64,
    word: AtomicU64,
}

/// Open addressing with linear probing; as many slots as a power of two, a quarter of them free at least, so that every
/// search ends.
struct Slots(Box<[Slot]>);

impl Slots {
    fn new(count: usize) -> Slots {
        Slots((0..count).map(|_| Slot { address: AtomicU64::new(0), word: AtomicU64::new(0) }).collect())
    }

    fn mask(&self) -> usize {
        self.0.len() - 1
    }

    /// Where the search for `address` begins: its product's middle bits; the highest ones may have chosen the map.
    fn home(&self, address: u64) -> usize {
        (spread(address) >> 24) as usize & self.mask()
    }

    /// The slot of `address`, or the free one where it would be.
    fn find(&self, address: u64) -> &Slot {
        let mut at = self.home(address);
        loop {
            let slot = &self.0[at];
            let found = slot.address.load(Ordering::Acquire);
            if found == address || found == 0 {
                return slot;
            }
            at = (at + 1) & self.mask();
        }
    }

    /// The pairs that are there; no thread may add any meanwhile.
    fn pairs(&self) -> impl Iterator<Item = (u64, u64)> {
        let pair = |slot: &Slot| (slot.address.load(Ordering::Acquire), slot.word.load(Ordering::Acquire));
        self.0.iter().map(pair).filter(|&(address, _)| address != 0)
    }

    /// Frees slot `hole` and moves back those of the entries behind it that would not be found any more (Knuth, The Art of
    /// Computer Programming, vol. 3, 6.4, algorithm R). No thread may be reading.
    fn delete(&self, mut hole: usize) {
        let mut at = hole;
        loop {
            at = (at + 1) & self.mask();
            let address = self.0[at].address.load(Ordering::Relaxed);
            if address == 0 {
                break;
            }
            let from_home = at.wrapping_sub(self.home(address)) & self.mask();
            if from_home >= at.wrapping_sub(hole) & self.mask() {
                self.0[hole].address.store(address, Ordering::Relaxed);
                self.0[hole].word.store(self.0[at].word.load(Ordering::Relaxed), Ordering::Relaxed);
                hole = at;
            }
        }
        self.0[hole].address.store(0, Ordering::Relaxed);
    }
}

/// The address times 2^64 / φ: its high bits depend on all of the address (Knuth, as above).
fn spread(address: u64) -> u64 {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// One of 2^`bits` maps for an address, where several share the entries.
#[must_use]
pub fn choose(address: u64, bits: u32) -> usize {
    (spread(address) >> (64 - bits)) as usize
}

/// What only who adds or clears needs.
#[derive(Default)]
struct Writer {
    len: usize,
    /// Arrays that were outgrown since the last pause: readers may be looking at them.
    #[expect(clippy::vec_box, reason = "readers have the addresses of what is in the boxes")]
    outgrown: Vec<Box<Slots>>,
}

/// The map. Aligned so that adding to one of several does not take the cache line of the next from its readers.
#[repr(align(64))]
pub struct AddressMap {
    /// The array in use, from `Box::into_raw`; null as long as nothing was added. Written under `writer`.
    slots: AtomicPtr<Slots>,
    writer: Mutex<Writer>,
}

impl Default for AddressMap {
    fn default() -> AddressMap {
        AddressMap { slots: AtomicPtr::new(std::ptr::null_mut()), writer: Mutex::new(Writer::default()) }
    }
}

impl AddressMap {
    fn slots(&self) -> Option<&Slots> {
        // SAFETY: null, or from `Box::into_raw`. It is freed by `retain`, whose caller promises that no other method runs,
        // by `drop`, which has the map for itself, and by nothing else: `put` keeps what it replaces.
        unsafe { self.slots.load(Ordering::Acquire).as_ref() }
    }

    /// The word of the cell at `address`. What was written before the word was `put` is seen.
    #[must_use]
    pub fn get(&self, address: u64) -> Option<u64> {
        let slot = self.slots()?.find(address);
        (slot.address.load(Ordering::Acquire) == address).then(|| slot.word.load(Ordering::Acquire))
    }

    /// Sets the word of the cell at `address`, which is not 0.
    pub fn put(&self, address: u64, word: u64) {
        let mut writer = self.writer.lock();
        let count = self.slots().map_or(0, |slots| slots.0.len());
        if (writer.len + 1) * 4 > count * 3 {
            self.rebuild(&mut writer, (count * 2).max(LEAST));
        }
        let Some(slots) = self.slots() else { return };
        let slot = slots.find(address);
        slot.word.store(word, Ordering::Release);
        if slot.address.load(Ordering::Relaxed) == 0 {
            // Released after the word: who finds the address finds it.
            slot.address.store(address, Ordering::Release);
            writer.len += 1;
        }
    }

    /// Puts an array of `count` slots with the same entries in place of the present one.
    fn rebuild(&self, writer: &mut Writer, count: usize) {
        let new = Slots::new(count);
        for (address, word) in self.slots().into_iter().flat_map(Slots::pairs) {
            let slot = new.find(address);
            slot.word.store(word, Ordering::Relaxed);
            slot.address.store(address, Ordering::Relaxed);
        }
        let old = self.slots.swap(Box::into_raw(Box::new(new)), Ordering::AcqRel);
        if !old.is_null() {
            // SAFETY: it came from `Box::into_raw`, and since `slots` does not lead to it any more, from here alone.
            writer.outgrown.push(unsafe { Box::from_raw(old) });
        }
    }

    /// All entries.
    #[must_use]
    pub fn entries(&self) -> Vec<(u64, u64)> {
        let _writer = self.writer.lock();
        self.slots().into_iter().flat_map(Slots::pairs).collect()
    }

    /// Forgets the entries of the cells for which `keep` says so, and gives memory back.
    ///
    /// # Safety
    /// No other thread is in a method of the map: all mutators stand still at safepoints.
    pub unsafe fn retain(&self, mut keep: impl FnMut(u64) -> bool) {
        let mut writer = self.writer.lock();
        if let Some(slots) = self.slots() {
            let mut at = 0;
            while let Some(slot) = slots.0.get(at) {
                let address = slot.address.load(Ordering::Relaxed);
                if address == 0 || keep(address) {
                    at += 1;
                } else {
                    // Another entry may come here: it is asked next.
                    slots.delete(at);
                    writer.len -= 1;
                }
            }
            if slots.0.len() > LEAST && writer.len * 8 < slots.0.len() {
                let count = (writer.len * 2).next_power_of_two().max(LEAST);
                self.rebuild(&mut writer, count);
            }
        }
        writer.outgrown = Vec::new();
    }
}

impl Drop for AddressMap {
    fn drop(&mut self) {
        let slots = self.slots.load(Ordering::Acquire);
        if !slots.is_null() {
            // SAFETY: from `Box::into_raw`, and nobody else has the map any more.
            drop(unsafe { Box::from_raw(slots) });
        }
    }
}
