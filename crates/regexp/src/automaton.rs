//! Automata for the regular subset: a lazy DFA finds where a match ends, another one, run backwards, where it begins;
//! literals that matches begin with are looked for before anything.
//!
//! The automata are shared; what they have worked out so far, their caches, belongs to the thread and is bounded. They
//! work in pieces, between which somebody may tell them to end.

use std::sync::{Arc, Weak};

use memchr::memmem::Finder;
use regex_automata::hybrid::dfa::{Builder, Cache, Config, DFA};
use regex_automata::hybrid::{CacheError, LazyStateID};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind, Span};

use crate::regular::Regular;

/// Bytes of an automaton that is not too big.
const NFA_BYTES: usize = 512 << 10;
/// Bytes that a DFA may remember; then it forgets all.
const CACHE_BYTES: usize = 1 << 20;
/// A DFA that needs more than this at least is not made.
const MOST_CACHE: usize = 4 << 20;
/// Times a DFA may forget all before it is asked whether that was worth it.
const FORGET: usize = 3;
/// Bytes read for each state worked out, below which it was not.
const WORTH: usize = 10;
/// Bytes of caches that a thread keeps.
const KEPT_BYTES: usize = 8 << 20;
/// Automata whose caches a thread keeps.
const KEPT: usize = 16;
/// Bytes read between two looks while states are being worked out.
const COLD: usize = 64;
/// And when none were.
const WARM: usize = 32 << 10;
/// Bytes that count as a step of the machine.
const BYTES_PER_STEP: u64 = 8;

/// What automata know of a pattern.
#[derive(Debug)]
pub struct Automaton {
    prefilter: Option<Prefilter>,
    required: Option<Finder<'static>>,
    dfas: Option<Dfas>,
}

#[derive(Debug)]
struct Dfas {
    forward: DFA,
    reverse: DFA,
    /// See `Regular::relaxed`.
    relaxed: bool,
}

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A match begins and ends here; not `sure`: a match may begin here, none does before.
    Match {
        /// Where it begins.
        begin: usize,
        /// Where it ends.
        end: usize,
        /// So it is.
        sure: bool,
    },
    /// None.
    Nothing,
    /// It was told to end.
    Stopped,
    /// The automaton does not suit the subject.
    Unfit,
}

/// Why a walk has not come to its end.
enum Broken {
    Stopped,
    Unfit,
}

impl From<CacheError> for Broken {
    fn from(_: CacheError) -> Broken {
        Broken::Unfit
    }
}

impl Automaton {
    /// Makes what can be made; `min`: characters of the shortest match, `required`: bytes that every match contains.
    pub fn new(regular: &Regular, min: usize, required: &[u8]) -> Automaton {
        let prefilter = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, &regular.hir).filter(Prefilter::is_fast);
        // What matches nothing matches within characters too, if one does not look.
        let dfas = if regular.exact && min > 0 { Dfas::new(regular) } else { None };
        let required = (!required.is_empty()).then(|| Finder::new(required).into_owned());
        Automaton { prefilter, required, dfas }
    }

    /// Literals that every match begins with one of.
    pub fn prefilter(&self) -> Option<&Prefilter> {
        self.prefilter.as_ref()
    }

    /// Can it help?
    pub fn helps(&self) -> bool {
        self.dfas.is_some() || self.prefilter.is_some() || self.required.is_some()
    }

    /// Is what every match contains anywhere from `at` on?
    pub fn has_required(&self, text: &[u8], at: usize) -> bool {
        self.required.as_ref().is_none_or(|finder| finder.find(&text[at..]).is_some())
    }

    /// Can it find matches?
    pub fn finds(&self) -> bool {
        self.dfas.is_some()
    }

    /// The first match that begins at `at` or behind. `go_on` is told every now and then how many steps were taken.
    pub fn find(&self, entry: &mut Entry, text: &[u8], at: usize, go_on: &mut dyn FnMut(u64) -> bool) -> Found {
        let Some(dfas) = &self.dfas else { return Found::Unfit };
        let entry = &mut *entry.0;
        if entry.unfit > 2 {
            return Found::Unfit;
        }
        let found = dfas.find(entry, text, at, go_on);
        match found {
            Ok(None) => Found::Nothing,
            Ok(Some((begin, end))) => {
                let doubtful = dfas.relaxed && end == text.len() && text.last() == Some(&b'\n');
                Found::Match { begin, end, sure: !doubtful }
            }
            Err(Broken::Stopped) => Found::Stopped,
            Err(Broken::Unfit) => {
                entry.unfit += 1;
                Found::Unfit
            }
        }
    }
}

/// Where the next of the literals is, from `at` on.
pub fn find_literal(prefilter: &Prefilter, text: &[u8], at: usize, end: usize) -> Option<usize> {
    prefilter.find(text, Span { start: at, end }).map(|span| span.start)
}

impl Dfas {
    fn new(regular: &Regular) -> Option<Dfas> {
        let build = |reverse: bool| {
            let nfa = thompson::Compiler::new()
                .configure(
                    thompson::Config::new()
                        .utf8(regular.utf8)
                        .reverse(reverse)
                        .which_captures(WhichCaptures::None)
                        .nfa_size_limit(Some(NFA_BYTES)),
                )
                .build_from_hir(&regular.hir)
                .ok()?;
            let config = Config::new()
                .match_kind(if reverse { MatchKind::All } else { MatchKind::LeftmostFirst })
                .cache_capacity(CACHE_BYTES)
                .skip_cache_capacity_check(true)
                .minimum_cache_clear_count(Some(FORGET))
                .minimum_bytes_per_state(Some(WORTH));
            if config.get_minimum_cache_capacity(&nfa).ok()? > MOST_CACHE {
                return None;
            }
            Builder::new().configure(config).build_from_nfa(nfa).ok()
        };
        Some(Dfas { forward: build(false)?, reverse: build(true)?, relaxed: regular.relaxed })
    }

    fn find(
        &self,
        entry: &mut Known,
        text: &[u8],
        at: usize,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<(usize, usize)>, Broken> {
        let begin = start::Config::new().look_behind(at.checked_sub(1).map(|n| text[n])).anchored(Anchored::No);
        let Some(end) = self.end(&mut entry.forward, begin, text, at, go_on)? else { return Ok(None) };
        let begin = self.begin(&mut entry.reverse, text, at, end, go_on)?;
        Ok(Some((begin.unwrap_or(at), end)))
    }

    /// Where the first match ends.
    fn end(
        &self,
        cache: &mut Cache,
        begin: start::Config,
        text: &[u8],
        mut at: usize,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<usize>, Broken> {
        let dfa = &self.forward;
        let mut sid = dfa.start_state(cache, &begin).map_err(|_| Broken::Unfit)?;
        let mut found = None;
        let mut piece = WARM;
        cache.search_start(at);
        while at < text.len() {
            let until = text.len().min(at + piece);
            let (from, size) = (at, cache.memory_usage());
            while at < until {
                let next;
                (next, at) = step_all(dfa, cache, sid, text, at, until)?;
                sid = next;
                if sid.is_match() {
                    // Known one byte later.
                    found = Some(at - 1);
                } else if sid.is_dead() {
                    cache.search_finish(at);
                    return Ok(found);
                } else if sid.is_quit() {
                    return Err(Broken::Unfit);
                }
                if at - from >= COLD && cache.memory_usage() != size {
                    break;
                }
            }
            cache.search_update(at);
            piece = look(cache, size, (at - from) as u64, go_on)?;
        }
        sid = dfa.next_eoi_state(cache, sid)?;
        cache.search_finish(at);
        Ok(if sid.is_match() { Some(at) } else { found })
    }

    /// Where a match that ends at `end` begins, at `low` or behind.
    fn begin(
        &self,
        cache: &mut Cache,
        text: &[u8],
        low: usize,
        end: usize,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<usize>, Broken> {
        let dfa = &self.reverse;
        let begin = start::Config::new().look_behind(text.get(end).copied()).anchored(Anchored::Yes);
        let mut sid = dfa.start_state(cache, &begin).map_err(|_| Broken::Unfit)?;
        let mut found = None;
        let mut at = end;
        let mut piece = WARM;
        cache.search_start(at);
        while at > low {
            let until = low.max(at.saturating_sub(piece));
            let (from, size) = (at, cache.memory_usage());
            while at > until {
                at -= 1;
                sid = dfa.next_state(cache, sid, text[at])?;
                if sid.is_tagged() {
                    if sid.is_match() {
                        found = Some(at + 1);
                    } else if sid.is_dead() {
                        cache.search_finish(at);
                        return Ok(found);
                    } else if sid.is_quit() {
                        return Err(Broken::Unfit);
                    }
                }
                if (from - at).is_multiple_of(COLD) && cache.memory_usage() != size {
                    break;
                }
            }
            cache.search_update(at);
            piece = look(cache, size, (from - at) as u64, go_on)?;
        }
        sid = match low.checked_sub(1) {
            Some(before) => dfa.next_state(cache, sid, text[before])?,
            None => dfa.next_eoi_state(cache, sid)?,
        };
        cache.search_finish(at);
        Ok(if sid.is_match() { Some(low) } else { found })
    }
}

/// Says how much was done; how much is to be done next.
#[inline]
fn look(cache: &Cache, size: usize, bytes: u64, go_on: &mut dyn FnMut(u64) -> bool) -> Result<usize, Broken> {
    let now = cache.memory_usage();
    // A state takes about as many steps as it has bytes.
    let steps = bytes / BYTES_PER_STEP + now.saturating_sub(size) as u64 / 2 + 1;
    if !go_on(steps) {
        return Err(Broken::Stopped);
    }
    Ok(if now == size { WARM } else { COLD })
}

/// Reads bytes up to `until` or to a state that stands out.
#[inline(always)]
fn step_all(
    dfa: &DFA,
    cache: &mut Cache,
    mut sid: LazyStateID,
    text: &[u8],
    at: usize,
    until: usize,
) -> Result<(LazyStateID, usize), CacheError> {
    if sid.is_tagged() {
        return Ok((dfa.next_state(cache, sid, text[at])?, at + 1));
    }
    let mut before = sid;
    let mut read = 0;
    for byte in &text[at..until] {
        before = sid;
        sid = dfa.next_state_untagged(cache, sid, *byte);
        read += 1;
        if sid.is_tagged() {
            break;
        }
    }
    if sid.is_unknown() {
        sid = dfa.next_state(cache, before, text[at + read - 1])?;
    }
    Ok((sid, at + read))
}

/// What an automaton has worked out so far.
#[derive(Debug)]
pub struct Entry(Box<Known>);

#[derive(Debug)]
struct Known {
    of: Weak<Automaton>,
    forward: Cache,
    reverse: Cache,
    /// How often it did not suit.
    unfit: u32,
    size: usize,
}

/// A thread's caches, the one that was used last at the end.
#[derive(Debug)]
pub struct Caches {
    entries: Vec<Entry>,
    size: usize,
    /// How hard patterns were that have no automaton yet, by their address: a guess, no more.
    efforts: [(usize, u32); 16],
}

impl Default for Caches {
    fn default() -> Caches {
        Caches::new()
    }
}

impl Caches {
    /// None yet.
    pub const fn new() -> Caches {
        Caches { entries: Vec::new(), size: 0, efforts: [(0, 0); 16] }
    }

    /// Bytes they have taken.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds to what searching with a pattern has cost; the sum.
    pub fn effort(&mut self, address: usize, more: u32) -> u32 {
        let place = &mut self.efforts[address / 64 % 16];
        if place.0 != address {
            *place = (address, 0);
        }
        place.1 = place.1.saturating_add(more);
        place.1
    }

    /// Takes an automaton's, or makes it; `None` if it finds nothing.
    pub fn take(&mut self, automaton: &Arc<Automaton>) -> Option<Entry> {
        let dfas = automaton.dfas.as_ref()?;
        let known = self.entries.iter().rposition(|e| std::ptr::eq(e.0.of.as_ptr(), Arc::as_ptr(automaton)));
        if let Some(i) = known {
            let entry = self.entries.remove(i);
            self.size -= entry.0.size;
            return Some(entry);
        }
        Some(Entry(Box::new(Known {
            of: Arc::downgrade(automaton),
            forward: dfas.forward.create_cache(),
            reverse: dfas.reverse.create_cache(),
            unfit: 0,
            size: 0,
        })))
    }

    /// Takes it back, and drops those not used for long if there are too many.
    pub fn give_back(&mut self, mut entry: Entry) {
        let known = &mut *entry.0;
        known.size = known.forward.memory_usage() + known.reverse.memory_usage() + size_of::<Known>();
        self.size += known.size;
        self.entries.push(entry);
        while self.entries.len() > 1 && (self.size > KEPT_BYTES || self.entries.len() > KEPT) {
            let oldest = self.entries.remove(0);
            self.size -= oldest.0.size;
        }
    }
}
