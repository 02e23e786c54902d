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

fn ascii_engine(pattern: &str) -> Engine {
    Engine::compile(pattern.as_bytes(), Encoding::UTF_8, Flags::default(), Encoding::UTF_8, true)
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

/// A pattern that takes exponential, cubic or quadratic time without memory of what has failed, and a subject: what it
/// begins with, what comes again and again, what it ends with.
type Blowup = (&'static str, &'static str, &'static str, &'static str);

/// From textbooks, outages and the advisories of Ruby's own libraries and of widely used gems (their number in a comment).
const BLOWUPS: &[Blowup] = &[
    ("^(a|a)*$", "", "a", "b"),
    ("^(a+)+$", "", "a", "b"),
    ("^(a*)*$", "", "a", "b"),
    ("^([a-zA-Z]+)*$", "", "a", "!"),
    ("^(a|aa)+$", "", "a", "b"),
    ("^(a|a?)+$", "", "a", "b"),
    ("(?:a|a|a)*b", "", "a", ""),
    ("(x+x+)+y", "", "x", ""),
    ("(.*)=(.*)=(.*)x", "", "=", ""),
    ("(?:.*?,){5}X", "", ",", ""),
    ("(?:.*a){12}b", "", "a", ""),
    (r"\s+$", "", " ", "x"),
    (r"\A\s*(?:a\s*)*\z", "", "a ", "b"),
    (r"^(\w+\s?)*$", "", "word ", "!"),
    (r"^\d*[0-9](?:|.\d*[0-9]|)*$", "", "1", "a"),
    (r"^(([a-z])+.)+[A-Z]([a-z])+$", "", "a", ""),
    ("(?=(?:a+)+b)a", "", "a", ""),
    ("(?!(?:a+)+c)b", "", "a", ""),
    ("(?>(?:a+)+)b", "", "a", ""),
    ("^(?:a{1,3}){1,60}$", "", "a", "b"),
    ("<(?:[^<>]|<[^<>]*>)*>x", "", "<", ""),
    (r#""(?:[^"\\]|\\.)*"x"#, "", r#"\""#, ""),
    (r"^(?:[^,]*,)*[^,]*;", "", "a,", ""),
    (r"(?:\d+,?)+\.$", "", "1", ""),
    (r"^(?:\s*\w*\s*)*;$", "", "a ", "!"),
    (r"\[(?:[^\]]*,)*[^\]]*\];", "[", "a,", ""),
    (r"/\*(?:[^*]|\*+[^*/])*\*+/;", "/*", "*", ""),
    (r"^(?:(?:ab)*(?:ab)*)*c", "", "ab", ""),
    (r"(?:(?:a?){3}){1,50}b", "", "a", ""),
    (r"(\d+|\s+|[a-z]+)*!", "", "1 a", ""),
    // An address of electronic mail, as forms used to check it.
    (
        r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
        "",
        "a",
        "",
    ),
    // Stack Overflow, 2016.
    (r"[\s\u200c]+$", "", " ", "x"),
    // Cloudflare, 2019.
    (
        r#"(?:(?:"|'|\]|\}|\\|\d|nan|true|false|null|`|-|\+)+[)]*;?((?:\s|-|~|!|\{\}|\|\||\+)*.*(?:.*=.*)))"#,
        "x=",
        "x",
        "",
    ),
    // Gem::Version: CVE-2013-4287 and CVE-2013-4363.
    (r"\A\s*([0-9]+(\.[0-9a-zA-Z]+)*)*\s*\z", "", "1111.", "!"),
    (r"\A\s*(?:[0-9]+(?>\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?\s*\z", "1-", "a", "!"),
    // WEBrick's digest authentication: CVE-2019-16201.
    (r#"\A\s*([\w\-.*%!]+)=\s*"((\\.|[^"])*)"\s*,?"#, "a=\"", r"\a", ""),
    // Time.rfc2822: CVE-2023-28756.
    (
        r"\A\s*(?:(?:Mon|Tue)\s*,\s*)?(\d{1,2})\s+(Jan|Feb)\s+(\d{2,})\s+(\d{2})\s*:\s*(\d{2})\s*(?::\s*(\d\d))?\s+([+-]\d{4}|UT)",
        "0 Feb 00 00 :00",
        " ",
        "",
    ),
    // URI: CVE-2023-28755, CVE-2023-36617.
    (
        r"\A(?:[A-Za-z][+\-.0-9A-Za-z]*):(?://(?:[^/?#]*))?(?:/[^/?#]*)*(?:\?[^#]*)?(?:#[^#]*)?\z",
        "https://example.com/dir/",
        "a/",
        "##.jpg",
    ),
    (r"\A(?:(?:[!$&-.0-;=A-Z_a-z~]|%\h\h)+)*\z", "", "%41", "%"),
    // Date.parse: CVE-2021-41817.
    (r"'?(\d+)[^-\d\s]*\s*(?:jan|feb)[^-\d\s']*(?:\s*(?:bc|ad)?\s*('?-?\d+(?:(?:st|nd)\b)?))?", "", "1", ""),
    (r"\b(\d+)\s*(?:(?:st|nd|rd|th)\b)?\s*,\s*x", "", "1 ", ""),
    // REXML: CVE-2024-41123, CVE-2024-39908, CVE-2024-49761.
    (r"\A\s*<\?xml\s+(?:\s*\w+\s*=\s*'[^']*'\s*)*\?>", "<?xml", " ", ""),
    (r"(?:[^\]>]|\][^\]]|\]\][^>])*\]\]>", "", "]", ""),
    (r"&#0*((?:\d+)|(?:x[a-fA-F0-9]+));", "&#", "0", "x"),
    // CGI.escapeElement: CVE-2025-27220.
    (r"<\/?(?:A|IMG)\b(?:.|\n)*?>", "", "<A ", ""),
    // Rack: CVE-2022-30122, CVE-2022-44570, CVE-2022-44571, CVE-2022-44572, CVE-2024-25126, CVE-2024-26146.
    (r#"Content-Disposition:(?:.*);\s*name=("(?:\\"|[^"])*"|[^\s;]*);$"#, "Content-Disposition:", "; name=\"a", ""),
    (r"\Abytes=(?:\s*\d*\s*-\s*\d*\s*,?)*\z", "bytes=", "1-2 ", "x"),
    (r#";\s*([!\#$&-.^-z|~]+)\s*=\s*("(?:[^"\\]|\\.)*"|[!\#$&-.^-z|~]+);$"#, "", ";a=b", ""),
    (r"\s*[;,]\s*$", "", " ", "x"),
    (r"\A\s*(?:[^,]*\s*,\s*)*\z", "", "a , ", "b"),
    // Action Pack and Active Support: CVE-2021-22902, CVE-2021-22904, CVE-2023-22792, CVE-2023-22795, CVE-2023-22796.
    (r#"\A(?:\s*[^,"]*(?:"[^"]*")?\s*,?)*\z"#, "", "a,", "\""),
    (r#"(?:,|;|\t)+\s*(?:\w+="?[^"]*"?)+$"#, ",", "a=", "\"x\"y"),
    (r"\A\s*(?:W/)?\x22[^\x22]*\x22(?:\s*,\s*(?:W/)?\x22[^\x22]*\x22)*\s*\z", "\"a\"", " ,\"a\"", "x"),
    (r"([A-Z\d]+)([A-Z][a-z])", "", "A", ""),
    (r"^-?\D*[\d,]+\.\d{2}$", "", ",", ""),
    // Addressable: CVE-2021-32740. kramdown, mail, bundler and the like.
    (r"^(?:(?:[a-z](?:,?[a-z])*)(?:,(?:[a-z](?:,?[a-z])*))*)\}$", "", "a,", "!"),
    (r"^( {0,3}(?:(?:[*+-]) +)+)+x$", "", "* ", "y"),
    (r#"\A(?:[^"]|"(?:\\.|[^"])*")*,\z"#, "", "\"a", ""),
    (r"^(?:\S+\s+)*(\S+)\s*=\s*$", "", "a b ", ""),
    (r"(?:^|\n)(?:\s*\|.*\|\s*\n)+\z", "", "| a |", ""),
];

#[test]
fn searches_known_to_blow_up_end() {
    assert!(BLOWUPS.len() >= 60, "{}", BLOWUPS.len());
    for (pattern, begin, middle, end) in BLOWUPS {
        let text = format!("{begin}{}{end}", middle.repeat(3000 / middle.len()));
        for engine in [engine(pattern), ascii_engine(pattern)] {
            // So many steps for each byte, for what is made ready, and for patterns with many points.
            let mut limits = Limits { steps: 600 * text.len() as u64 + 1_000_000, go_on: None };
            let mut region = Region::new(engine.groups());
            let mut scratch = Scratch::default();
            let outcome = engine.search(text.as_bytes(), 0, Search::Forward, &mut limits, &mut scratch, &mut region);
            assert!(matches!(outcome, Outcome::NoMatch | Outcome::Match), "{pattern}: {outcome:?}");
        }
    }
}

#[test]
fn what_comes_next_must_be_what_is_looked_ahead_for() {
    for (pattern, text, expected) in [
        (r"\w+(?=@)", "abc def@x", Some((4, 7))),
        (r"(?=b)[a-c]+", "aabc", Some((2, 4))),
        (r"a*(?=(?=b)|c)", "aac", Some((0, 2))),
        (r"a+(?=b|\z)", "aac aa", Some((4, 6))),
        (r"x*(?=(?:y(?=z))+)", "xxy xyz", Some((4, 5))),
        (r"[ab]+(?=a)b", "abab", None),
    ] {
        let engine = engine(pattern);
        let mut region = Region::new(0);
        let mut limits = Limits { steps: u64::MAX, go_on: None };
        let outcome =
            engine.search(text.as_bytes(), 0, Search::Forward, &mut limits, &mut Scratch::default(), &mut region);
        let found = (outcome == Outcome::Match).then(|| region.whole());
        assert_eq!(found, expected, "{pattern}");
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
