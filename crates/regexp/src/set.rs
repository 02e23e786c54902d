//! Sets of code points: sorted ranges that neither overlap nor touch.

/// Largest code of a character, whatever the encoding.
pub const MAX_CODE: u32 = 0x7fff_ffff;

/// A set of code points of some encoding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeSet {
    ranges: Vec<(u32, u32)>,
}

impl CodeSet {
    /// Without members.
    pub const fn new() -> CodeSet {
        CodeSet { ranges: Vec::new() }
    }

    /// Of one range, ends included.
    pub fn of_range(first: u32, last: u32) -> CodeSet {
        let mut set = CodeSet::new();
        set.add(first, last);
        set
    }

    /// Of ranges in any order.
    pub fn of_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> CodeSet {
        let mut set = CodeSet { ranges: ranges.into_iter().filter(|(a, b)| a <= b).collect() };
        set.normalise();
        set
    }

    fn normalise(&mut self) {
        if self.ranges.windows(2).all(|w| w[0].1 < MAX_CODE && w[0].1 + 1 < w[1].0) {
            return;
        }
        self.ranges.sort_unstable();
        let mut out: Vec<(u32, u32)> = Vec::with_capacity(self.ranges.len());
        for &(first, last) in &self.ranges {
            match out.last_mut() {
                Some(top) if first <= top.1.saturating_add(1) => top.1 = top.1.max(last),
                _ => out.push((first, last)),
            }
        }
        self.ranges = out;
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Has it no members?
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Is `code` a member?
    pub fn contains(&self, code: u32) -> bool {
        let i = self.ranges.partition_point(|r| r.1 < code);
        self.ranges.get(i).is_some_and(|r| r.0 <= code)
    }

    /// Adds a range; nothing if it is empty.
    pub fn add(&mut self, first: u32, last: u32) {
        if first > last {
            return;
        }
        match self.ranges.last_mut() {
            None => self.ranges.push((first, last)),
            Some(top) if first > top.1.saturating_add(1) => self.ranges.push((first, last)),
            Some(top) if first >= top.0 => top.1 = top.1.max(last),
            Some(_) => {
                self.ranges.push((first, last));
                self.normalise();
            }
        }
    }

    /// Adds all members of another set.
    pub fn union(&mut self, other: &CodeSet) {
        if self.ranges.is_empty() {
            self.ranges.clone_from(&other.ranges);
        } else if !other.ranges.is_empty() {
            self.ranges.extend_from_slice(&other.ranges);
            self.normalise();
        }
    }

    /// Keeps what the other set has too.
    pub fn intersect(&mut self, other: &CodeSet) {
        let mut out = Vec::new();
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.ranges.get(i), other.ranges.get(j)) {
            let (first, last) = (a.0.max(b.0), a.1.min(b.1));
            if first <= last {
                out.push((first, last));
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        self.ranges = out;
    }

    /// Has the members it has not, up to `MAX_CODE`.
    pub fn negate(&mut self) {
        let mut out = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(first, last) in &self.ranges {
            if next < first {
                out.push((next, first - 1));
            }
            next = last.saturating_add(1);
        }
        if next <= MAX_CODE {
            out.push((next, MAX_CODE));
        }
        self.ranges = out;
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
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.ranges.get(i), other.ranges.get(j)) {
            if a.0.max(b.0) <= a.1.min(b.1) {
                return false;
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        true
    }

    /// Its only member, if it has one.
    pub fn single(&self) -> Option<u32> {
        match self.ranges[..] {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// The number of members.
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|r| u64::from(r.1 - r.0) + 1).sum()
    }
}
