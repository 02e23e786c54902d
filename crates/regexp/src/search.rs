//! Searches: where matches are tried, and when an automaton or literals are asked instead.

use std::sync::Arc;

use crate::automaton::{Automaton, Found, find_literal};
use crate::backtrack::{Limits, Machine, Verdict};
use crate::coding::Coding;
use crate::engine::{Engine, Search};
use crate::prefilter::Start;
use crate::scratch::Scratch;
use crate::whole::End;

/// Attempts without a match after which it is asked whether there is a better way.
const TRIES: usize = 24;
/// Bytes between two attempts, on average, above which there is none.
const FAR: usize = 64;
/// Bytes to go for which an automaton is made at once.
const LONG: usize = 4 << 10;
/// Attempts, in all shorter searches of a thread, after which one is made.
const EFFORT: u32 = 2000;
/// Bytes that are looked through at once.
const WINDOW: usize = 128 << 10;
/// What looking through so many costs, in steps of the machine.
const WINDOW_STEPS: u64 = 4096;
/// Bytes that a search must be allowed to take for an automaton to be asked.
const LEAST_MEMORY: usize = 16 << 20;
/// Steps without a match after which an automaton goes on.
const GIVE_WAY: u64 = 16 << 10;

impl Engine {
    pub(crate) fn search_in<C: Coding>(
        &self,
        coding: C,
        text: &[u8],
        at: usize,
        how: Search,
        limits: &mut Limits<'_>,
        scratch: &mut Scratch,
    ) -> Verdict {
        if how != Search::Backward && text.len() - at < self.min {
            return Verdict::NoMatch;
        }
        let search_begin = at;
        let mut at = at;
        if how == Search::Forward && C::BACKWARD {
            if let Some(end) = self.tail.as_ref().and_then(|tail| tail.look(text, at)) {
                match end {
                    End::Match(begin, end) => return self.matched(scratch, begin, end),
                    End::From(from) => at = from,
                    End::None => return Verdict::NoMatch,
                }
            }
            // Most searches end here, before anything is made ready.
            let until = text.len().min(at + WINDOW);
            match self.start.next::<C>(text, at, until, search_begin) {
                Some(first) if text.len() - first >= self.min => {
                    if let Some(end) = self.whole.as_ref().and_then(|whole| whole.end(text, first, until)) {
                        return self.matched(scratch, first, end);
                    }
                    // In a longer text the automaton looks for it.
                    if text.len() - at <= LONG && self.required.as_ref().is_some_and(|r| !r.is_in(&text[first..])) {
                        return Verdict::NoMatch;
                    }
                    at = first;
                }
                None if until < text.len() => at = until,
                _ => return Verdict::NoMatch,
            }
        }
        if how == Search::At {
            if !self.start.is_at(text, at, at) {
                return Verdict::NoMatch;
            }
            if let Some(whole) = &self.whole
                && let Some(end) = whole.end(text, at, text.len().min(at + WINDOW))
            {
                return self.matched(scratch, at, end);
            }
        }
        let Some(mut machine) = Machine::new(&self.program, text, coding, search_begin, scratch, limits) else {
            return Verdict::Memory;
        };
        match how {
            Search::At => machine.attempt(at),
            Search::Forward if C::BACKWARD => self.forward(&mut machine, at),
            Search::Forward => self.forward_by_chars(&mut machine, at),
            Search::Backward => self.backward(&mut machine, at),
        }
    }

    /// A match of a pattern without groups that was found without the machine.
    #[inline]
    fn matched(&self, scratch: &mut Scratch, begin: usize, end: usize) -> Verdict {
        if scratch.slots.len() != 2 {
            scratch.slots.clear();
            if scratch.slots.try_reserve(2).is_err() {
                return Verdict::Memory;
            }
            scratch.slots.resize(2, 0);
        }
        scratch.slots[0] = begin as u32;
        scratch.slots[1] = end as u32;
        Verdict::Match
    }

    /// The next place from `at` on where a match can begin.
    #[inline]
    fn candidate<C: Coding>(
        &self,
        machine: &mut Machine<'_, '_, C>,
        literals: Option<&Automaton>,
        mut at: usize,
    ) -> Result<usize, Verdict> {
        let text = machine.text;
        loop {
            let until = text.len().min(at + WINDOW);
            let next = match literals.and_then(Automaton::prefilter) {
                // A literal may lie across the end of the window.
                Some(prefilter) => {
                    let end = text.len().min(until + prefilter.max_needle_len());
                    find_literal(prefilter, text, at, end).filter(|n| *n < until || end == text.len())
                }
                None => self.start.next::<C>(text, at, until, machine.search_begin),
            };
            match next {
                Some(next) if text.len() - next >= self.min => return Ok(next),
                None if until < text.len() => at = until,
                _ => return Err(Verdict::NoMatch),
            }
            if !machine.spend(WINDOW_STEPS) {
                return Err(Verdict::OutOfSteps);
            }
        }
    }

    fn forward<C: Coding>(&self, machine: &mut Machine<'_, '_, C>, begin: usize) -> Verdict {
        machine.automaton = self.known_automaton().is_none_or(|a| a.is_some_and(|a| a.helps()));
        // What automata remember takes memory.
        machine.automaton &= machine.scratch.limit >= LEAST_MEMORY;
        if machine.automaton {
            machine.patience = machine.patience.min(GIVE_WAY);
        }
        // Literals that are known to be better than what was found when the pattern was compiled.
        let literals = match self.known_automaton() {
            Some(Some(automaton)) if self.has_better_literals(automaton) => Some(&**automaton),
            _ => None,
        };
        match self.attempts(machine, begin, literals) {
            Ok(verdict) => verdict,
            Err(at) => self.by_other_means(machine, at),
        }
    }

    /// Are there literals to look for, where only bytes are known otherwise?
    fn has_better_literals(&self, automaton: &Automaton) -> bool {
        let bytes = matches!(self.start, Start::Any | Start::Two(..) | Start::Three(..) | Start::Set(_));
        bytes && automaton.prefilter().is_some()
    }

    /// Tries one place after the other; an error says from where on to go on by other means.
    pub(crate) fn attempts<C: Coding>(
        &self,
        machine: &mut Machine<'_, '_, C>,
        mut at: usize,
        literals: Option<&Automaton>,
    ) -> Result<Verdict, usize> {
        let text = machine.text;
        let (mut from, mut tries) = (at, 0);
        loop {
            at = match self.candidate(machine, literals, at) {
                Ok(next) => next,
                Err(verdict) => return Ok(verdict),
            };
            match machine.attempt(at) {
                Verdict::NoMatch => {}
                Verdict::GiveWay => return Err(at),
                other => return Ok(other),
            }
            if at >= text.len() {
                return Ok(Verdict::NoMatch);
            }
            at += machine.coding.len(text, at);
            tries += 1;
            if tries == TRIES && machine.automaton {
                if at - from < FAR * TRIES && self.is_worth_it(machine, at) {
                    return Err(at);
                }
                (from, tries) = (at, 0);
            }
        }
    }

    /// Has so much been tried in vain that an automaton pays?
    #[cold]
    fn is_worth_it<C: Coding>(&self, machine: &mut Machine<'_, '_, C>, at: usize) -> bool {
        if self.known_automaton().is_some() || machine.text.len() - at >= LONG {
            return true;
        }
        let address = std::ptr::from_ref(self).addr();
        machine.scratch.caches.effort(address, TRIES as u32) >= EFFORT
    }

    #[cold]
    fn by_other_means<C: Coding>(&self, machine: &mut Machine<'_, '_, C>, at: usize) -> Verdict {
        machine.reset();
        let patience = 4 * machine.text.len() as u64 + 2000;
        let Some(automaton) = self.automaton() else {
            (machine.automaton, machine.patience) = (false, machine.spent + patience);
            return self.attempts(machine, at, None).unwrap_or(Verdict::OutOfSteps);
        };
        if !automaton.has_required(machine.text, at) {
            return Verdict::NoMatch;
        }
        let mut at = at;
        if self.has_better_literals(automaton) {
            machine.automaton = automaton.finds();
            machine.patience = machine.spent + if machine.automaton { GIVE_WAY } else { patience };
            match self.attempts(machine, at, Some(automaton)) {
                Ok(verdict) => return verdict,
                Err(next) => at = next,
            }
            machine.reset();
        }
        (machine.automaton, machine.patience) = (false, machine.spent + patience);
        match self.by_automaton(machine, automaton, at) {
            Ok(verdict) => verdict,
            Err(at) => self.attempts(machine, at, None).unwrap_or(Verdict::OutOfSteps),
        }
    }

    /// An automaton finds a match, the machine its groups; an error says from where on the automaton does not suit.
    pub(crate) fn by_automaton<C: Coding>(
        &self,
        machine: &mut Machine<'_, '_, C>,
        automaton: &Arc<Automaton>,
        mut at: usize,
    ) -> Result<Verdict, usize> {
        let text = machine.text;
        let Some(mut entry) = machine.scratch.caches.take(automaton) else { return Err(at) };
        let result = loop {
            match automaton.find(&mut entry, text, at, &mut |steps| machine.spend(steps)) {
                Found::Nothing => break Ok(Verdict::NoMatch),
                Found::Stopped => break Ok(Verdict::OutOfSteps),
                Found::Unfit => break Err(at),
                Found::Match { begin, end, sure: true } if self.program.groups == 0 => {
                    machine.scratch.slots[0] = begin as u32;
                    machine.scratch.slots[1] = end as u32;
                    break Ok(Verdict::Match);
                }
                Found::Match { begin, sure, .. } => match machine.attempt(begin) {
                    Verdict::NoMatch => {
                        debug_assert!(!sure, "an automaton found what the machine does not");
                        if begin >= text.len() {
                            break Ok(Verdict::NoMatch);
                        }
                        at = begin + machine.coding.len(text, begin);
                    }
                    other => break Ok(other),
                },
            }
        };
        machine.scratch.caches.give_back(entry);
        result
    }

    fn forward_by_chars<C: Coding>(&self, machine: &mut Machine<'_, '_, C>, mut at: usize) -> Verdict {
        let text = machine.text;
        loop {
            if self.start.allows(text, at, machine.search_begin) {
                match machine.attempt(at) {
                    Verdict::NoMatch => {}
                    other => return other,
                }
            } else if !machine.spend(1) {
                return Verdict::OutOfSteps;
            }
            if at >= text.len() {
                return Verdict::NoMatch;
            }
            at += machine.coding.len(text, at);
        }
    }

    fn backward<C: Coding>(&self, machine: &mut Machine<'_, '_, C>, mut at: usize) -> Verdict {
        let text = machine.text;
        loop {
            if text.len() - at >= self.min && self.start.allows(text, at, machine.search_begin) {
                match machine.attempt(at) {
                    Verdict::NoMatch => {}
                    other => return other,
                }
            } else if !machine.spend(1) {
                return Verdict::OutOfSteps;
            }
            if at == 0 {
                return Verdict::NoMatch;
            }
            at = machine.coding.before(text, at);
        }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
