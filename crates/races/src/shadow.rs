//! What is remembered of accesses: FastTrack (Flanagan and Freund, PLDI 2009), with a third kind of access beside reads and
//! writes, the steps of core methods that are atomic.
//!
//! An access is an *epoch*: a thread, and its time. It comes before what a thread does now if that thread's clock has that time
//! or a later one. What comes before a new access and races with nothing that the new one does not race with is dropped, so that
//! a place mostly remembers one access.

use std::collections::HashMap;

use asterism_object::address_hash::ByAddress;

use crate::clock::Clock;

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// It reads.
    Read,
    /// It is a step of a core method that reads and writes at once.
    Update,
    /// It writes.
    Write,
}

impl Kind {
    /// Do two of them depend on which comes first?
    fn races_with(self, other: Kind) -> bool {
        self == Kind::Write || other == Kind::Write || self != other
    }
}

/// An access.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The thread's number here.
    pub thread: u32,
    /// Its time.
    pub time: u32,
    /// Where it was: see `Stacks`.
    pub stack: u32,
    /// What it does.
    pub kind: Kind,
}

impl Access {
    fn is_before(&self, now: &Clock) -> bool {
        self.time <= now.of(self.thread)
    }
}

/// The accesses to a place that are remembered: mostly one.
#[derive(Default, Debug)]
pub struct Seen {
    one: Option<Access>,
    /// The others. Nothing if there is not one.
    more: Option<Box<More>>,
}

/// Behind a pointer, since it is rare, and what is remembered of most places shall be small.
#[derive(Default, Debug)]
struct More(Vec<Access>);

impl Seen {
    fn iter(&self) -> impl Iterator<Item = &Access> {
        self.one.iter().chain(self.more.iter().flat_map(|more| &more.0))
    }

    fn len(&self) -> usize {
        usize::from(self.one.is_some()) + self.more.as_ref().map_or(0, |more| more.0.len())
    }

    /// Is the access remembered already, or a write beside it, but for its stack?
    fn knows(&self, new: &Access) -> bool {
        let is_it = |old: &Access| {
            old.thread == new.thread && old.time == new.time && (old.kind == new.kind || old.kind == Kind::Write)
        };
        self.iter().any(is_it)
    }

    /// The access that `new` races with, which is made by a thread whose clock is `now`.
    fn check(&self, new: &Access, now: &Clock) -> Option<Access> {
        let races = |old: &&Access| old.thread != new.thread && old.kind.races_with(new.kind) && !old.is_before(now);
        // Two writes say more than a write and a read.
        self.iter().filter(races).max_by_key(|old| old.kind as u8).copied()
    }

    /// Remembers `new`, and forgets what comes before it and makes no difference any more. Whether there are more than before.
    fn record(&mut self, new: Access, now: &Clock) -> bool {
        if self.one.is_none() {
            self.one = Some(new);
            return true;
        }
        let before = self.len();
        let mut known = false;
        let mut stays = |old: &Access| {
            if old.thread == new.thread && old.time == new.time && old.kind == Kind::Write {
                // Whoever races with the new access races with that one.
                known = true;
                return true;
            }
            let gone = old.kind == new.kind || new.kind == Kind::Write;
            !(gone && (old.thread == new.thread || old.is_before(now)))
        };
        if let Some(more) = &mut self.more {
            more.0.retain(&mut stays);
        }
        if !self.one.as_ref().is_some_and(&mut stays) {
            self.one = self.more.as_mut().and_then(|more| more.0.pop());
        }
        if !known {
            match self.one {
                Some(_) => self.more.get_or_insert_default().0.push(new),
                None => self.one = Some(new),
            }
        }
        self.len() > before
    }
}

/// Spreads the bits of a word.
#[inline]
pub fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    product as u64 ^ (product >> 64) as u64
}

/// A map whose keys are words.
pub type WordMap<K, V> = HashMap<K, V, ByAddress>;

/// What several elements have in common: slots of an object that no element has.
pub mod slot {
    /// The object as a whole.
    pub const WHOLE: u64 = u64::MAX;
    /// Any of its elements.
    pub const ELEMENTS: u64 = u64::MAX - 1;
    /// Elements that were added at the end by methods for that.
    pub const ADDED: u64 = u64::MAX - 2;
    /// Elements that were assigned beyond the end.
    pub const GROWN: u64 = u64::MAX - 3;
    /// The number of elements, as it was asked for.
    pub const LENGTH: u64 = u64::MAX - 4;
    /// Elements beyond the end that were asked for.
    pub const BEYOND: u64 = u64::MAX - 5;
    /// Elements have slots below.
    pub const ELEMENT_LIMIT: u64 = 1 << 62;
}

/// What an access races with.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The access that was noted before.
    pub before: Access,
    /// One of the two is of several elements, or of their number.
    pub of_whole: bool,
}

/// What is accessed of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A variable, which has nothing to do with others.
    Variable(u64),
    /// An element or the value of a key.
    Element(u64),
    /// An element of an Array, behind its end until now.
    Beyond(u64),
    /// An element of an Array, counted from its end.
    FromEnd(u64),
    /// The number of elements.
    Length,
    /// The next element of an Array, which is added.
    Next(u64),
    /// The value of a key that cannot be told from others.
    Unknown,
    /// All of it.
    Whole,
}

impl Part {
    /// A word that tells it from others of its object.
    #[inline(always)]
    fn tag(self) -> u64 {
        match self {
            Part::Variable(at) => at << 3,
            Part::Element(at) => at << 3 | 1,
            Part::Beyond(at) => at << 3 | 2,
            Part::FromEnd(at) => at << 3 | 3,
            Part::Length => 4,
            Part::Next(at) => at << 3 | 5,
            Part::Unknown => 6,
            Part::Whole => 7,
        }
    }

    /// A word that tells it from other parts of all objects: that two have one word is as good as impossible, and would at worst
    /// hide a race.
    #[inline]
    pub fn word(self, object: u64) -> u64 {
        object.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32) ^ self.tag().wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    /// A word near those of the parts beside it, in this object and those beside.
    #[inline]
    pub fn near(self, object: u64) -> u64 {
        (object >> 4).wrapping_add(self.tag() >> 3)
    }

    /// Is what is read remembered where what is written is? Then who has written it reads it with nothing more to be said.
    #[inline(always)]
    pub fn is_one_place(self) -> bool {
        matches!(self, Part::Variable(_) | Part::Element(_) | Part::Unknown | Part::Whole)
    }

    /// The slots that are looked at for accesses that race with one of this part, and those in which it is remembered.
    fn slots(self, kind: Kind) -> ([Option<u64>; 6], [Option<u64>; 3]) {
        use slot::{ADDED, BEYOND, ELEMENTS, GROWN, LENGTH, WHOLE};
        let some = |list: [u64; 2]| [Some(list[0]), Some(list[1]), None, None, None, None];
        match self {
            Part::Variable(at) => ([Some(at), None, None, None, None, None], [Some(at), None, None]),
            Part::Element(at) => (some([at, WHOLE]), [Some(at), Some(ELEMENTS), None]),
            Part::Beyond(at) if kind == Kind::Read => {
                ([Some(at), Some(WHOLE), Some(ADDED), None, None, None], [Some(at), Some(ELEMENTS), Some(BEYOND)])
            }
            Part::Beyond(at) => {
                ([Some(at), Some(WHOLE), Some(LENGTH), None, None, None], [Some(at), Some(ELEMENTS), Some(GROWN)])
            }
            Part::FromEnd(at) => {
                let checks = [Some(at), Some(WHOLE), Some(ADDED), Some(GROWN), None, None];
                (checks, [Some(at), Some(ELEMENTS), (kind == Kind::Read).then_some(LENGTH)])
            }
            Part::Length => ([Some(WHOLE), Some(ADDED), Some(GROWN), None, None, None], [Some(LENGTH), None, None]),
            Part::Next(at) => {
                ([Some(at), Some(WHOLE), Some(LENGTH), Some(BEYOND), None, None], [Some(at), Some(ADDED), None])
            }
            Part::Unknown => ([Some(WHOLE), None, None, None, None, None], [Some(ELEMENTS), None, None]),
            Part::Whole => {
                let checks = [Some(WHOLE), Some(ELEMENTS), Some(ADDED), Some(GROWN), Some(LENGTH), Some(BEYOND)];
                (checks, [Some(WHOLE), None, None])
            }
        }
    }
}

/// What is remembered of an object.
#[derive(Default, Debug)]
pub struct Shadow {
    /// Most objects have few slots. Those in which nothing is remembered are not used yet.
    two: [(u64, Seen); 2],
    /// The others.
    rest: Option<Box<Rest>>,
}

/// Slots of an object that has more than two.
#[derive(Default, Debug)]
struct Rest {
    few: Vec<(u64, Seen)>,
    /// Those that are too many to look for one after the other.
    many: WordMap<u64, Seen>,
}

/// So many of the others are looked for one after the other.
const FEW: usize = 6;

impl Rest {
    fn get(&self, slot: u64) -> Option<&Seen> {
        match self.few.iter().find(|(at, _)| *at == slot) {
            Some((_, seen)) => Some(seen),
            None => self.many.get(&slot),
        }
    }

    fn make(&mut self, slot: u64) -> &mut Seen {
        if let Some(at) = self.few.iter().position(|(at, _)| *at == slot) {
            return &mut self.few[at].1;
        }
        if self.few.len() < FEW {
            self.few.push((slot, Seen::default()));
            let last = self.few.len() - 1;
            return &mut self.few[last].1;
        }
        self.many.entry(slot).or_default()
    }
}

impl Shadow {
    #[inline]
    fn get(&self, slot: u64) -> Option<&Seen> {
        match self.two.iter().find(|(at, seen)| *at == slot && seen.one.is_some()) {
            Some((_, seen)) => Some(seen),
            None => self.rest.as_ref()?.get(slot),
        }
    }

    #[inline]
    fn make(&mut self, slot: u64) -> &mut Seen {
        match self.two.iter().position(|(at, seen)| *at == slot || seen.one.is_none()) {
            Some(at) => {
                self.two[at].0 = slot;
                &mut self.two[at].1
            }
            None => self.rest.get_or_insert_default().make(slot),
        }
    }

    /// Is the access to a part remembered already, but for its stack? Whoever comes to race with it finds it then, and it races with
    /// nothing that it did not race with before.
    pub fn knows(&self, part: Part, new: &Access) -> bool {
        if let Part::Variable(slot) = part {
            return self.get(slot).is_some_and(|seen| seen.knows(new));
        }
        let (_, records) = part.slots(new.kind);
        records.into_iter().flatten().all(|slot| self.get(slot).is_some_and(|seen| seen.knows(new)))
    }

    /// Remembers an access to a part, made by a thread whose clock is `now`: what it races with, and how much more is remembered.
    pub fn access(&mut self, part: Part, new: Access, now: &Clock) -> (Option<Race>, usize) {
        if let Part::Variable(slot) = part {
            let seen = self.make(slot);
            let race = seen.check(&new, now).map(|before| Race { before, of_whole: false });
            return (race, usize::from(seen.record(new, now)));
        }
        let (checks, records) = part.slots(new.kind);
        let races = checks.into_iter().flatten().filter_map(|slot| {
            let before = self.get(slot)?.check(&new, now)?;
            Some(Race { before, of_whole: slot >= slot::BEYOND })
        });
        let race = races.max_by_key(|race| race.before.kind as u8);
        let more = records.into_iter().flatten().filter(|slot| self.make(*slot).record(new, now)).count();
        (race, more)
    }

    /// How many accesses it remembers.
    pub fn accesses(&self) -> usize {
        let two = self.two.iter().map(|(_, seen)| seen.len()).sum::<usize>();
        let rest = self.rest.iter().flat_map(|rest| rest.few.iter().map(|(_, seen)| seen).chain(rest.many.values()));
        two + rest.map(Seen::len).sum::<usize>()
    }
}
