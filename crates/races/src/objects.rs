//! What is remembered of objects, found by their addresses: objects that lie beside each other are remembered beside each other, since a
//! thread makes them one after the other.

use asterism_heap::Liveness;

use crate::shadow::{Shadow, WordMap};

/// A page is so many bytes of addresses, by the power of two.
const PAGE_SHIFT: u32 = 10;
/// Cells begin further from each other than these bytes, by the power of two: no two of them have one place.
const PLACE_SHIFT: u32 = 4;
/// So many places a page has.
const PLACES: usize = 1 << (PAGE_SHIFT - PLACE_SHIFT);
/// So many accesses a shard remembers; then it forgets all.
const MOST_ACCESSES: usize = 1 << 15;
/// So many pages a shard has, however little is remembered there.
const MOST_PAGES: usize = 1 << 11;

/// The part of an address that objects of one page have in common.
#[inline]
pub fn page_of(object: u64) -> u64 {
    object >> PAGE_SHIFT
}

/// What is remembered of the objects that lie beside each other.
struct Page {
    /// By place: where it is among the shadows, counted from 1; 0: nothing is remembered.
    at: [u8; PLACES],
    /// The objects, and what is remembered of each.
    shadows: Vec<(u64, Shadow)>,
    /// Is it among those of the shard that something was remembered in since the last collection?
    is_young: bool,
}

impl Page {
    fn new() -> Page {
        Page { at: [0; PLACES], shadows: Vec::new(), is_young: false }
    }

    #[inline]
    fn place(object: u64) -> usize {
        (object >> PLACE_SHIFT) as usize % PLACES
    }

    #[inline]
    fn shadow(&mut self, object: u64) -> &mut Shadow {
        let place = Page::place(object);
        if self.at[place] == 0 {
            if self.shadows.is_empty() {
                self.shadows.reserve(8);
            }
            self.shadows.push((object, Shadow::default()));
            self.at[place] = self.shadows.len() as u8;
        }
        &mut self.shadows[usize::from(self.at[place]) - 1].1
    }

    /// Forgets the objects that have died: how many accesses they had.
    fn clear_weak(&mut self, liveness: &Liveness<'_>) -> usize {
        let mut gone = 0;
        self.at = [0; PLACES];
        self.is_young = false;
        self.shadows.retain(|(object, shadow)| {
            let lives = liveness.is_live_word(*object);
            if !lives {
                gone += shadow.accesses();
            }
            lives
        });
        for (i, (object, _)) in self.shadows.iter().enumerate() {
            self.at[Page::place(*object)] = i as u8 + 1;
        }
        gone
    }
}

/// What a shard remembers.
#[derive(Default)]
pub struct Objects {
    pages: WordMap<u64, Box<Page>>,
    /// Pages in which something is remembered since the last collection: a minor one ends no other objects.
    young: Vec<u64>,
    /// How many accesses, about.
    accesses: usize,
}

impl Objects {
    /// What is remembered of an object; with the number of accesses that the caller is to count in.
    pub fn shadow(&mut self, object: u64) -> (&mut Shadow, &mut usize) {
        if self.accesses >= MOST_ACCESSES || self.pages.len() >= MOST_PAGES {
            *self = Objects::default();
        }
        let number = page_of(object);
        let page = self.pages.entry(number).or_insert_with(|| Box::new(Page::new()));
        if !page.is_young {
            page.is_young = true;
            self.young.push(number);
        }
        (page.shadow(object), &mut self.accesses)
    }

    /// Forgets objects that have died (world stopped).
    pub fn clear_weak(&mut self, liveness: &Liveness<'_>) {
        let mut gone = 0;
        let mut young = std::mem::take(&mut self.young);
        if liveness.is_minor() {
            // Pages without objects stay: a thread makes its next ones there.
            for number in young.drain(..) {
                if let Some(page) = self.pages.get_mut(&number) {
                    gone += page.clear_weak(liveness);
                }
            }
        } else {
            young.clear();
            self.pages.retain(|_, page| {
                gone += page.clear_weak(liveness);
                !page.shadows.is_empty()
            });
        }
        self.young = young;
        self.accesses = self.accesses.saturating_sub(gone);
    }
}
