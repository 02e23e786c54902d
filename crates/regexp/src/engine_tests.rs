//! The engine: memoising changes no result, what is known to blow up ends, deep nesting is refused.

use asterism_support::encoding::Encoding;

use crate::backtrack::{Limits, Machine, Verdict};
use crate::coding::Utf8;
use crate::engine::{Engine, Flags, Outcome, Search};
use crate::region::Region;
use crate::scratch::Scratch;

fn engine(pattern: &str) -> Engine {
    Engine::compile(pattern.as_bytes(), Encoding::UTF_8, Flags::default(), Encoding::UTF_8, false)
        .unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

/// What an attempt at each place gives, memoising from the first step or not at all.
fn attempts(engine: &Engine, text: &str, memoise: bool) -> Vec<Option<Vec<u32>>> {
    let mut all = Vec::new();
    for (at, _) in text.char_indices() {
        let mut scratch = Scratch::default();
        let mut limits = Limits { steps: 1_000_000, go_on: None };
        let mut machine =
            Machine::new(engine.program(), text.as_bytes(), Utf8, at, &mut scratch, &mut limits).expect("memory");
        machine.patience = u64::MAX;
        machine.memoising = memoise && machine.start_memo();
        let found = machine.attempt(at) == Verdict::Match;
        all.push(found.then(|| scratch.slots.clone()));
    }
    all
}

#[test]
fn memoising_changes_no_result() {
    let patterns = [
        "(a|ab)(c|bcd)(d*)",
        "(?:a*)*b",
        "(a*?)(b|ab)+",
        "(?>a+|b)c?",
        "(?>(a|ab)c|abcd)d",
        "(?=(a+)b)a*",
        "(?!a+c)[ab]+",
        "(?<=a|bc)[a-d]{1,3}",
        "(?:ab|a){2,5}b",
        "(?:a{2,4}b?){1,30}c",
        "(?:(?:ab?){2}){3,}c",
        "x*+y|(?:é|a)*?b",
        "(a?)*?c",
        "((a)|b)*c",
        "^(?:.*?,){3}d",
        "(?>(?:a|b)*?c|d)+",
    ];
    let texts = ["abcd", "aaaabbbc", "abababcdabcd", "bcbcaaab", "ééab,a,b,d", "aabaabaabc", ",,,d", "xxxy", "cd"];
    for pattern in patterns {
        let engine = engine(pattern);
        assert!(engine.program().memo_width > 0, "{pattern}");
        for text in texts {
            assert_eq!(attempts(&engine, text, false), attempts(&engine, text, true), "{pattern} in {text}");
        }
    }
}

#[test]
fn searches_known_to_blow_up_end() {
    let n = 3000;
    let (a, spaces) = ("a".repeat(n), " ".repeat(n));
    let cases: [(&str, String); 16] = [
        ("^(a|a)*$", format!("{a}b")),
        ("^(a+)+$", format!("{a}b")),
        ("^(a*)*$", format!("{a}b")),
        ("^([a-zA-Z]+)*$", format!("{a}!")),
        ("^(a|aa)+$", format!("{a}b")),
        ("(?:a|a|a)*b", a.clone()),
        ("(.*)=(.*)=(.*)x", "=".repeat(n)),
        ("(?:.*?,){5}X", ",".repeat(n)),
        (r"\s+$", format!("{spaces}x")),
        (r"\A\s*(?:a\s*)*\z", format!("{}b", "a ".repeat(n))),
        ("(?=(?:a+)+b)a", a.clone()),
        ("(?!(?:a+)+c)b", a.clone()),
        ("(?>(?:a+)+)b", a.clone()),
        ("^(?:a{1,3}){1,60}$", format!("{}b", &a[..500])),
        (r"<(?:[^<>]|<[^<>]*>)*>x", "<".repeat(n)),
        (r#""(?:[^"\\]|\\.)*"x"#, r#"\""#.repeat(n)),
    ];
    for (pattern, text) in cases {
        let engine = engine(pattern);
        let mut limits = Limits { steps: 400 * text.len() as u64 + 1_000_000, go_on: None };
        let mut region = Region::new(engine.groups());
        let outcome =
            engine.search(text.as_bytes(), 0, Search::Forward, &mut limits, &mut Scratch::default(), &mut region);
        assert_eq!(outcome, Outcome::NoMatch, "{pattern}");
    }
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    for (open, close) in [("(", ")"), ("(?:", ")"), ("[", "a]"), ("(?=", ")")] {
        let pattern = format!("{}a{}", open.repeat(5000), close.repeat(5000));
        let made = Engine::compile(pattern.as_bytes(), Encoding::UTF_8, Flags::default(), Encoding::UTF_8, false);
        assert_eq!(made.err().map(|e| e.to_string()).as_deref(), Some("parse depth limit over"), "{open}");
    }
    assert_eq!(engine(&format!("{}a{}", "(?:".repeat(4000), ")".repeat(4000))).groups(), 0);
}
