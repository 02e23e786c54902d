//! What call sites find that have met more classes than an inline cache holds.

/// Slots at first, and when that has proved too few: both powers of two.
const FIRST_SIZE: usize = 64;
const SIZE: usize = 1024;

/// An entry of the site at an address, for the class with a serial.
#[derive(Clone, Copy)]
struct Slot<E> {
    site: usize,
    serial: u64,
    entry: Option<E>,
}

/// One thread's direct-mapped cache of entries by call site and class. What it says stays true for the reason that an inline cache's
/// entries do: by the class's serial. The collector empties it, so that no site in it is gone. Nothing is kept for call sites where
/// refinements are in force.
pub(crate) struct MegamorphicCache<E> {
    /// None before the first entry.
    slots: Box<[Slot<E>]>,
    /// Entries that were made, as long as it is small.
    entered: usize,
}

impl<E> Default for MegamorphicCache<E> {
    fn default() -> Self {
        MegamorphicCache { slots: Box::default(), entered: 0 }
    }
}

impl<E: Copy> MegamorphicCache<E> {
    const EMPTY: Slot<E> = Slot { site: 0, serial: 0, entry: None };

    fn index(&self, site: usize, serial: u64) -> usize {
        (site >> 3).wrapping_add((serial as usize).wrapping_mul(0x9e37)) & (self.slots.len() - 1)
    }

    /// The entry of the site at an address for `serial`.
    #[inline]
    pub(crate) fn find(&self, site: usize, serial: u64) -> Option<&E> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = &self.slots[self.index(site, serial)];
        slot.entry.as_ref().filter(|_| slot.site == site && slot.serial == serial)
    }

    /// Keeps an entry of the site at an address for `serial`.
    pub(crate) fn enter(&mut self, site: usize, serial: u64, entry: E) {
        if self.slots.is_empty() {
            self.slots = vec![Self::EMPTY; FIRST_SIZE].into_boxed_slice();
        }
        if self.slots.len() < SIZE {
            self.entered += 1;
            if self.entered > 2 * FIRST_SIZE {
                self.slots = vec![Self::EMPTY; SIZE].into_boxed_slice();
            }
        }
        let index = self.index(site, serial);
        self.slots[index] = Slot { site, serial, entry: Some(entry) };
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(Self::EMPTY);
    }
}
