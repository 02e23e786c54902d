//! There is no difference between the ways of searching: patterns of a small grammar, all of them up to a size and some
//! that are larger, each in many subjects and from each place, once by the machine alone and once by automata.

use asterism_support::encoding::Encoding;

use crate::backtrack::{Limits, Machine, Verdict};
use crate::coding::{Coding, Single, Utf8};
use crate::engine::{Engine, Flags, Outcome, Search};
use crate::region::Region;
use crate::scratch::Scratch;

/// The groups of a match, or none.
type Groups = Option<Vec<u32>>;

fn engine(pattern: &str, encoding: Encoding, ascii: bool) -> Option<Engine> {
    Engine::compile(pattern.as_bytes(), Encoding::UTF_8, Flags::default(), encoding, ascii).ok()
}

fn by<C: Coding>(
    engine: &Engine,
    coding: C,
    text: &[u8],
    at: usize,
    scratch: &mut Scratch,
    search: impl FnOnce(&mut Machine<'_, '_, C>) -> Verdict,
) -> Groups {
    let mut limits = Limits { steps: 1_000_000, go_on: None };
    let mut machine = Machine::new(engine.program(), text, coding, at, scratch, &mut limits).expect("memory");
    match search(&mut machine) {
        Verdict::Match => Some(machine.scratch.slots.clone()),
        Verdict::NoMatch => None,
        other => panic!("{other:?}"),
    }
}

/// Compares the ways from each place; false if the pattern has no automaton.
fn compare<C: Coding>(pattern: &str, engine: &Engine, coding: C, texts: &[String], scratch: &mut Scratch) -> bool {
    let Some(automaton) = engine.automaton().filter(|a| a.finds() || a.prefilter().is_some()) else { return false };
    for text in texts {
        let places = text.char_indices().map(|(i, _)| i).chain([text.len()]);
        for at in places.filter(|at| text.len() - at >= engine.min) {
            let bytes = text.as_bytes();
            let plain = by(engine, coding, bytes, at, scratch, |machine| {
                engine.attempts(machine, at, None).expect("the machine does not give way")
            });
            if automaton.finds() {
                let found = by(engine, coding, bytes, at, scratch, |machine| {
                    engine.by_automaton(machine, automaton, at).expect("the automaton suits")
                });
                assert_eq!(found, plain, "/{pattern}/ in {text:?} from {at}, by its automaton");
            }
            if automaton.prefilter().is_some() {
                let found = by(engine, coding, bytes, at, scratch, |machine| {
                    engine.attempts(machine, at, Some(automaton)).expect("the machine does not give way")
                });
                assert_eq!(found, plain, "/{pattern}/ in {text:?} from {at}, by literals");
            }
        }
    }
    true
}

/// All texts of so many of these characters at most.
fn texts(characters: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let until = all.len();
        for i in from..until {
            for c in characters {
                all.push(format!("{}{c}", all[i]));
            }
        }
        from = until;
    }
    all
}

const ATOMS: &[&str] =
    &["a", "b", "[ab]", ".", "(?m:.)", "ab", "[^a]", "^", "$", r"\A", r"\z", r"\Z", r"\b", r"\B", "(?i:a)", "é", r"\n"];
const QUANTIFIERS: &[&str] = &["", "*", "+?", "?", "{2}", "{1,2}?"];

/// All patterns of two quantified atoms, side by side and as alternatives, in a group that is repeated, or not.
fn small_patterns() -> Vec<String> {
    let mut units = Vec::new();
    for atom in ATOMS {
        for quantifier in QUANTIFIERS {
            let simple = atom.chars().count() == 1 || atom.starts_with(['[', '(', '\\']);
            units.push(if simple || quantifier.is_empty() {
                format!("{atom}{quantifier}")
            } else {
                format!("(?:{atom}){quantifier}")
            });
        }
    }
    let mut all = Vec::new();
    for first in &units {
        for second in &units {
            all.push(format!("{first}{second}"));
            all.push(format!("a(?:{first}|{second})"));
            all.push(format!("({first}|{second})+b"));
        }
    }
    all
}

/// Numbers that are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pattern(&mut self, depth: usize) -> String {
        let mut out = String::new();
        for _ in 0..=self.below(3) {
            let inner = if depth > 0 && self.below(3) == 0 {
                let ways: Vec<String> = (0..=self.below(3)).map(|_| self.pattern(depth - 1)).collect();
                format!("({}{})", if self.below(2) == 0 { "?:" } else { "" }, ways.join("|"))
            } else {
                ATOMS[self.below(ATOMS.len())].to_string()
            };
            let quantifier = ["", "", "", "*", "+", "?", "*?", "??", "{2,3}", "{3,}", "+?"][self.below(11)];
            out += &if quantifier.is_empty() || inner.starts_with('(') {
                format!("{inner}{quantifier}")
            } else {
                format!("(?:{inner}){quantifier}")
            };
        }
        out
    }
}

#[test]
fn automata_find_what_the_machine_finds() {
    let short = texts(&["a", "b", "\n"], 3);
    let wide = texts(&["a", "é", "\n"], 2);
    let mut scratch = Scratch::default();
    let mut compared = 0;
    for pattern in small_patterns() {
        if let Some(engine) = engine(&pattern, Encoding::US_ASCII, true) {
            compared += usize::from(compare(&pattern, &engine, Single, &short, &mut scratch));
        }
        if let Some(engine) = engine(&pattern, Encoding::UTF_8, false) {
            compared += usize::from(compare(&pattern, &engine, Utf8, &wide, &mut scratch));
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn automata_of_larger_patterns_find_what_the_machine_finds() {
    let mut subjects = texts(&["a", "b", "é", "\n"], 2);
    let mut numbers = Numbers(7);
    for _ in 0..30 {
        let long = (0..numbers.below(14)).map(|_| ["a", "b", "A", "é", "\n", "c", " "][numbers.below(7)]).collect();
        subjects.push(long);
    }
    let plain: Vec<String> = subjects.iter().filter(|s| s.is_ascii()).cloned().collect();
    let mut scratch = Scratch::default();
    let mut compared = 0;
    for _ in 0..8000 {
        let pattern = numbers.pattern(3);
        if let Some(engine) = engine(&pattern, Encoding::UTF_8, false) {
            compared += usize::from(compare(&pattern, &engine, Utf8, &subjects, &mut scratch));
        }
        if let Some(engine) = engine(&pattern, Encoding::BINARY, true) {
            compared += usize::from(compare(&pattern, &engine, Single, &plain, &mut scratch));
        }
    }
    assert!(compared > 4000, "{compared}");
}

fn search(engine: &Engine, text: &[u8], limits: &mut Limits<'_>, scratch: &mut Scratch) -> (Outcome, Region) {
    let mut region = Region::new(engine.groups());
    let outcome = engine.search(text, 0, Search::Forward, limits, scratch, &mut region);
    (outcome, region)
}

#[test]
fn long_subjects_are_searched_by_automata_and_in_pieces() {
    let line = b"the quick brown fox jumps over the lazy dog 1234 times\n";
    let mut text = line.repeat(100_000);
    text.extend_from_slice(b"somebody@example.org");
    for (pattern, begin) in [
        (r"\w+@(\w+)\.org", text.len() - 20),
        (r"[a-z]+@[a-z]+", text.len() - 20),
        ("(?:example|nowhere)[.]", text.len() - 11),
        (r"y@e", text.len() - 13),
        (r"[^a-z0-9 \n]", text.len() - 12),
        (r"\d+x|e\.o", text.len() - 5),
    ] {
        let engine = engine(pattern, Encoding::US_ASCII, true).expect(pattern);
        let mut scratch = Scratch::default();
        let (outcome, region) = search(&engine, &text, &mut Limits { steps: u64::MAX, go_on: None }, &mut scratch);
        assert_eq!((outcome, region.whole().0), (Outcome::Match, begin), "{pattern}");
        // It asks often, and ends when it is told to.
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked < 5
        };
        let mut limits = Limits { steps: 10_000, go_on: Some(&mut go_on) };
        let (outcome, _) = search(&engine, &text, &mut limits, &mut scratch);
        assert_eq!(outcome, Outcome::OutOfSteps, "{pattern}");
        assert!(scratch.size() < 16 << 20, "{pattern}: {}", scratch.size());
    }
}

#[test]
fn a_thread_keeps_few_caches() {
    let text = "abcdefghij klmnop\n".repeat(2000);
    let mut scratch = Scratch::default();
    for i in 0..100 {
        let engine = engine(&format!(r"[a-z]+ \w+(?:{i}|!!)"), Encoding::US_ASCII, true).expect("a pattern");
        let mut limits = Limits { steps: u64::MAX, go_on: None };
        assert_eq!(search(&engine, text.as_bytes(), &mut limits, &mut scratch).0, Outcome::NoMatch);
    }
    assert!(scratch.caches.size() > 0);
    assert!(scratch.size() < 10 << 20, "{}", scratch.size());
}

#[test]
fn what_lacks_what_every_match_contains_is_not_tried_for_long() {
    // Neither regular nor memoised: without the look at `-c` it takes exponential time.
    let pattern = r"((?:(a)|a|\2)*)*-c";
    let engine = engine(pattern, Encoding::UTF_8, false).expect(pattern);
    let mut limits = Limits { steps: 1_000_000, go_on: None };
    let text = "aé".to_string() + &"a".repeat(2000);
    let mut scratch = Scratch::default();
    assert_eq!(search(&engine, text.as_bytes(), &mut limits, &mut scratch).0, Outcome::NoMatch);
    let found = search(&engine, format!("{}-c", "a".repeat(30)).as_bytes(), &mut limits, &mut scratch).0;
    assert_eq!(found, Outcome::Match);
}

#[test]
fn a_group_that_may_contain_itself_behind_a_backreference_is_allowed() {
    assert!(engine(r"((/)1)((?<!.a)\2(?>\g<3>){,2})t", Encoding::UTF_8, false).is_some());
    assert!(engine(r"(()1)((?<!.a)\2(?>\g<3>){,2})t", Encoding::UTF_8, false).is_none());
}

/// Spans that are longer than what is read between two looks do not keep a search from memoising.
#[test]
fn long_spans_are_memoised() {
    let text = [vec![b'a'; 200_000], b"x".to_vec()].concat();
    for source in ["^a*?(?=a*a*)$", "^a*?(?>a*a*)$", "^a*?(?!a*a*y)$"] {
        let engine = Engine::compile(source.as_bytes(), Encoding::UTF_8, Flags::default(), Encoding::UTF_8, true);
        let engine = engine.expect(source);
        let mut limits = Limits { steps: 40_000_000, go_on: None };
        let mut region = Region::new(engine.groups());
        let outcome = engine.search(&text, 0, Search::Forward, &mut limits, &mut Scratch::default(), &mut region);
        assert_ne!(outcome, Outcome::OutOfSteps, "{source}");
    }
}

/// What trying each place from `from` on finds, or that place alone.
fn by_trying<C: Coding>(
    engine: &Engine,
    coding: C,
    text: &str,
    from: usize,
    how: Search,
    scratch: &mut Scratch,
) -> Groups {
    let places = text.char_indices().map(|(i, _)| i).chain([text.len()]).filter(|at| *at >= from);
    let most = if how == Search::At { 1 } else { usize::MAX };
    places.take(most).find_map(|at| by(engine, coding, text.as_bytes(), from, scratch, |machine| machine.attempt(at)))
}

/// Compares searches with trying each place.
fn compare_with_trying<C: Coding>(pattern: &str, engine: &Engine, coding: C, text: &str, scratch: &mut Scratch) {
    for (from, _) in text.char_indices().chain([(text.len(), ' ')]) {
        for how in [Search::Forward, Search::At] {
            let expected = by_trying(engine, coding, text, from, how, scratch);
            let mut limits = Limits { steps: 1_000_000, go_on: None };
            let mut region = Region::new(engine.groups());
            let outcome = engine.search(text.as_bytes(), from, how, &mut limits, scratch, &mut region);
            assert_eq!(outcome == Outcome::Match, expected.is_some(), "/{pattern}/ in {text:?}, {how:?} {from}");
            if let Some(slots) = expected {
                assert_eq!(region.whole(), (slots[0] as usize, slots[1] as usize), "/{pattern}/ in {text:?}");
            } else {
                assert!(outcome == Outcome::NoMatch, "/{pattern}/ in {text:?}: {outcome:?}");
            }
            assert!(engine.may_match(text.as_bytes(), from, how) || outcome == Outcome::NoMatch, "/{pattern}/");
        }
    }
}

#[test]
fn what_is_looked_for_first_hides_no_match() {
    let mut numbers = Numbers(11);
    let mut subjects = texts(&["a", "b", "\n"], 3);
    subjects.extend(texts(&["ab", "é"], 3));
    let mut scratch = Scratch::default();
    let fronts = ["", "^", r"\A", r"\G", r"(\s*)", "[^b]*?", r"^(?=a|b)", r"(?<=a)", r"\A(?!b)", "(?:^|a)"];
    let mut compared = 0;
    for _ in 0..1500 {
        let front = fronts[numbers.below(fronts.len())];
        let back = ["", "a", "ab", "b\n", "é", "(?:a)+b"][numbers.below(6)];
        let pattern = format!("{front}{}{back}", numbers.pattern(1));
        if let Some(engine) = engine(&pattern, Encoding::UTF_8, false) {
            for text in &subjects {
                compare_with_trying(&pattern, &engine, Utf8, text, &mut scratch);
            }
            compared += 1;
        }
        if let Some(engine) = engine(&pattern, Encoding::US_ASCII, true) {
            for text in subjects.iter().filter(|text| text.is_ascii()) {
                compare_with_trying(&pattern, &engine, Single, text, &mut scratch);
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
