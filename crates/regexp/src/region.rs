//! Where the groups of a match lie.

use crate::scratch::NOWHERE;

/// Groups a region holds without allocating, the whole match included.
const INLINE: usize = 8;

/// Where the groups of a match lie, in bytes: filled by a search.
#[derive(Clone, Debug)]
pub struct Region {
    count: usize,
    inline: [(u32, u32); INLINE],
    heap: Vec<(u32, u32)>,
}

impl Region {
    /// One with room for the whole match and `groups` groups.
    pub fn new(groups: usize) -> Region {
        let count = groups + 1;
        let heap = if count > INLINE { vec![(NOWHERE, NOWHERE); count] } else { Vec::new() };
        Region { count, inline: [(NOWHERE, NOWHERE); INLINE], heap }
    }

    /// A match without groups.
    pub fn of_whole(begin: usize, end: usize) -> Region {
        let mut region = Region::new(0);
        region.inline[0] = (begin as u32, end as u32);
        region
    }

    /// One that holds these offsets; `u32::MAX`: the group took no part.
    pub fn of_spans(spans: &[(u32, u32)]) -> Region {
        let mut region = Region::new(spans.len().saturating_sub(1));
        region.places()[..spans.len()].copy_from_slice(spans);
        region
    }

    /// Takes over the offsets of another match with as many groups; `u32::MAX`: the group took no part.
    #[inline]
    pub fn set_spans(&mut self, spans: &[(u32, u32)]) {
        for (place, span) in self.places().iter_mut().zip(spans) {
            *place = *span;
        }
    }

    /// Groups, counting the whole match.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Offsets of group `i`, if it took part.
    #[inline]
    pub fn get(&self, i: usize) -> Option<(usize, usize)> {
        if i >= self.count {
            return None;
        }
        let (begin, end) = if self.heap.is_empty() { self.inline[i] } else { self.heap[i] };
        (begin != NOWHERE && end != NOWHERE).then_some((begin as usize, end as usize))
    }

    /// Offsets of the whole match; only after a match.
    #[inline]
    pub fn whole(&self) -> (usize, usize) {
        self.get(0).unwrap_or((0, 0))
    }

    /// The offsets of all groups; `u32::MAX` twice: it took no part.
    #[inline]
    pub fn spans(&self) -> &[(u32, u32)] {
        if self.heap.is_empty() { &self.inline[..self.count] } else { &self.heap }
    }

    fn places(&mut self) -> &mut [(u32, u32)] {
        if self.heap.is_empty() { &mut self.inline[..self.count] } else { &mut self.heap }
    }

    /// Takes over the slots of a machine.
    #[inline]
    pub fn fill(&mut self, slots: &[u32]) {
        for (place, slot) in self.places().iter_mut().zip(slots.chunks_exact(2)) {
            *place = if slot[0] == NOWHERE || slot[1] == NOWHERE { (NOWHERE, NOWHERE) } else { (slot[0], slot[1]) };
        }
    }

    /// Only the whole match, no group.
    pub fn set_whole(&mut self, begin: usize, end: usize) {
        let places = self.places();
        places.fill((NOWHERE, NOWHERE));
        places[0] = (begin as u32, end as u32);
    }
}
