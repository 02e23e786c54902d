//! Sets of code points: sorted ranges that neither overlap nor touch.

use std::sync::OnceLock;

/// Largest code of a character, whatever the encoding.
pub const MAX_CODE: u32 = 0x7fff_ffff;

/// First and last code.
pub type Range = (u32, u32);

/// Ranges that live as long as the process, so that any number of patterns share them.
#[derive(Debug)]
pub struct SharedSet {
    ranges: &'static [Range],
    /// The set that has all other codes, once it has been asked for.
    opposite: OnceLock<&'static SharedSet>,
}

impl SharedSet {
    /// Of ranges in order.
    pub const fn new(ranges: &'static [Range]) -> SharedSet {
        SharedSet { ranges, opposite: OnceLock::new() }
    }

    fn opposite(&'static self) -> &'static SharedSet {
        let made: &&'static SharedSet = asterism_lock::once::get_or_init(&self.opposite, || {
            let set = SharedSet::new(negated(self.ranges).leak());
            // Nobody else has it yet.
            let _ = set.opposite.set(self);
            Box::leak(Box::new(set))
        });
        made
    }
}

/// A set of code points of some encoding.
#[derive(Clone, Debug, Default)]
pub struct CodeSet {
    /// Its ranges, unless they are shared.
    own: Vec<Range>,
    shared: Option<&'static SharedSet>,
}

impl PartialEq for CodeSet {
    fn eq(&self, other: &CodeSet) -> bool {
        self.ranges() == other.ranges()
    }
}

impl Eq for CodeSet {}

/// The codes up to `MAX_CODE` that the ranges lack.
fn negated(ranges: &[Range]) -> Vec<Range> {
    let mut out = Vec::with_capacity(ranges.len() + 1);
    let mut next = 0;
    for &(first, last) in ranges {
        if next < first {
            out.push((next, first - 1));
        }
        next = last.saturating_add(1);
    }
    if next <= MAX_CODE {
        out.push((next, MAX_CODE));
    }
    out
}

impl CodeSet {
    /// Without members.
    pub const fn new() -> CodeSet {
        CodeSet { own: Vec::new(), shared: None }
    }

    /// A set that is shared.
    pub const fn of_shared(set: &'static SharedSet) -> CodeSet {
        CodeSet { own: Vec::new(), shared: Some(set) }
    }

    /// Makes it shared for as long as the process lives: for sets of which there is a bounded number.
    #[must_use]
    pub fn share(self) -> &'static SharedSet {
        match self.shared {
            Some(set) => set,
            None => Box::leak(Box::new(SharedSet::new(self.own.leak()))),
        }
    }

    /// Its ranges, if they are shared.
    pub fn shared(&self) -> Option<&'static [Range]> {
        self.shared.map(|set| set.ranges)
    }

    /// Its ranges, of its own.
    fn own(&mut self) -> &mut Vec<Range> {
        if let Some(set) = self.shared.take() {
            self.own = set.ranges.to_vec();
        }
        &mut self.own
    }

    /// Of one range, ends included.
    pub fn of_range(first: u32, last: u32) -> CodeSet {
        CodeSet { own: if first <= last { vec![(first, last)] } else { Vec::new() }, shared: None }
    }

    /// Of ranges in any order.
    pub fn of_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> CodeSet {
        let mut ranges: Vec<Range> = ranges.into_iter().filter(|(a, b)| a <= b).collect();
        normalise(&mut ranges);
        CodeSet { own: ranges, shared: None }
    }

    /// The ranges, ascending.
    #[inline]
    pub fn ranges(&self) -> &[Range] {
        match self.shared {
            Some(set) => set.ranges,
            None => &self.own,
        }
    }

    /// Has it no members?
    pub fn is_empty(&self) -> bool {
        self.ranges().is_empty()
    }

    /// Is `code` a member?
    pub fn contains(&self, code: u32) -> bool {
        let ranges = self.ranges();
        let i = ranges.partition_point(|r| r.1 < code);
        ranges.get(i).is_some_and(|r| r.0 <= code)
    }

    /// Adds a range; nothing if it is empty.
    pub fn add(&mut self, first: u32, last: u32) {
        if first > last {
            return;
        }
        let ranges = self.own();
        match ranges.last_mut() {
            None => ranges.push((first, last)),
            Some(top) if first > top.1.saturating_add(1) => ranges.push((first, last)),
            Some(top) if first >= top.0 => top.1 = top.1.max(last),
            Some(_) => {
                ranges.push((first, last));
                normalise(ranges);
            }
        }
    }

    /// Adds all members of another set.
    pub fn union(&mut self, other: &CodeSet) {
        if self.is_empty() {
            self.clone_from(other);
        } else if !other.is_empty() {
            let ranges = self.own();
            ranges.extend_from_slice(other.ranges());
            normalise(ranges);
        }
    }

    /// Keeps what the other set has too.
    pub fn intersect(&mut self, other: &CodeSet) {
        let mut out = Vec::new();
        let (mine, theirs) = (self.ranges(), other.ranges());
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (mine.get(i), theirs.get(j)) {
            let (first, last) = (a.0.max(b.0), a.1.min(b.1));
            if first <= last {
                out.push((first, last));
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        *self = CodeSet { own: out, shared: None };
    }

    /// Has the members it has not, up to `MAX_CODE`.
    pub fn negate(&mut self) {
        match self.shared {
            Some(set) => self.shared = Some(set.opposite()),
            None => self.own = negated(&self.own),
        }
    }

    /// The negated set.
    #[must_use]
    pub fn negated(&self) -> CodeSet {
        let mut set = self.clone();
        set.negate();
        set
    }

    /// Have they no member in common?
    pub fn is_disjoint(&self, other: &CodeSet) -> bool {
        let (mine, theirs) = (self.ranges(), other.ranges());
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (mine.get(i), theirs.get(j)) {
            if a.0.max(b.0) <= a.1.min(b.1) {
                return false;
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        true
    }

    /// Its only member, if it has one.
    pub fn single(&self) -> Option<u32> {
        match *self.ranges() {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// The number of members.
    pub fn len(&self) -> u64 {
        self.ranges().iter().map(|r| u64::from(r.1 - r.0) + 1).sum()
    }
}

/// Puts ranges in order, and together those that overlap or touch.
fn normalise(ranges: &mut Vec<Range>) {
    if ranges.windows(2).all(|w| w[0].1 < MAX_CODE && w[0].1 + 1 < w[1].0) {
        return;
    }
    ranges.sort_unstable();
    let mut kept = 0;
    for i in 1..ranges.len() {
        let (first, last) = ranges[i];
        if first <= ranges[kept].1.saturating_add(1) {
            ranges[kept].1 = ranges[kept].1.max(last);
        } else {
            kept += 1;
            ranges[kept] = (first, last);
        }
    }
    ranges.truncate(kept + 1);
}
