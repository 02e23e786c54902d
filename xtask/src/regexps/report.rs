//! What `fuzz/regexp.rb` prints, and how two such reports differ.

use std::collections::BTreeMap;
use std::fmt;

/// What the methods in a line `M` are, in order.
const METHODS: [&str; 15] = [
    "index",
    "rindex",
    "match?",
    "byteindex",
    "split-1",
    "split",
    "partition",
    "rpartition",
    "start_with?",
    "gsub",
    "sub",
    "slice",
    "group",
    "===",
    "scanner",
];

/// One pattern of which two Rubies make different things.
#[derive(Debug)]
pub struct Difference {
    /// The pattern's encoding.
    pub encoding: String,
    /// Its options as a number.
    pub options: String,
    /// Its source, without the zero bytes of wide characters.
    pub source: String,
    /// What differs: `first`, `last`, `all`, names of methods, `linear`, `names`, `error`, `time`.
    pub fields: Vec<String>,
    /// The lines, theirs and ours.
    lines: Vec<(String, String)>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "/{}/ {} {}: {}", self.source.escape_debug(), self.options, self.encoding, self.fields.join(" "))?;
        for (theirs, ours) in &self.lines {
            writeln!(f, "    peer {theirs}\n    ours {ours}")?;
        }
        Ok(())
    }
}

/// What two reports differ in.
#[derive(Debug, Default)]
pub struct Differences {
    /// A pattern each.
    pub all: Vec<Difference>,
    /// How many patterns both reports have.
    pub patterns: usize,
    /// How many lines about subjects.
    pub subjects: usize,
}

/// The lines about a pattern: the first one is its own.
fn blocks(report: &str) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in report.lines() {
        if line.starts_with("P ") {
            blocks.push(vec![line]);
        } else if let Some(block) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks
}

fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks_exact(2);
    pairs.filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// What lines are about, by the subject or by the letter they begin with: the letters and the rest of each.
fn subjects<'a>(block: &[&'a str]) -> BTreeMap<&'a str, BTreeMap<&'a str, &'a str>> {
    let mut subjects: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for line in &block[1..] {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (about, rest) = match kind {
            "S" | "M" | "T" | "R" | "N" if !rest.is_empty() => rest.split_once(' ').unwrap_or((rest, "")),
            _ => ("", rest),
        };
        subjects.entry(about).or_default().insert(kind, rest);
    }
    subjects
}

/// Notes what differs between two lines of a kind.
fn fields(kind: &str, theirs: &str, ours: &str, out: &mut Vec<String>) {
    let (separator, names): (char, &[&str]) = match kind {
        "S" => (' ', &["first", "last", "all"]),
        "M" => (',', &METHODS),
        "K" => (' ', &["linear"]),
        _ => (' ', &[]),
    };
    let (mut theirs, mut ours) = (theirs.split(separator), ours.split(separator));
    for i in 0.. {
        let (a, b) = (theirs.next(), ours.next());
        if a.is_none() && b.is_none() {
            break;
        }
        let rest = match kind {
            "K" => "names",
            "E" => "message",
            _ => "error",
        };
        if a != b {
            out.push(names.get(i).copied().unwrap_or(rest).to_owned());
        }
    }
}

/// Compares the reports of two Rubies as far as both go.
pub fn compare(theirs: &[u8], ours: &[u8]) -> Differences {
    let (theirs, ours) = (String::from_utf8_lossy(theirs), String::from_utf8_lossy(ours));
    let (theirs, ours) = (blocks(&theirs), blocks(&ours));
    let mut out = Differences::default();
    // The last one of a report that ends early may not be complete.
    let whole =
        |blocks: &[Vec<&str>], other: usize| if blocks.len() < other { blocks.len().max(1) - 1 } else { blocks.len() };
    out.patterns = whole(&theirs, ours.len()).min(whole(&ours, theirs.len()));
    for (a, b) in theirs.iter().zip(&ours).take(out.patterns) {
        out.subjects += a.iter().filter(|line| line.starts_with("S ")).count();
        if a != b {
            out.all.extend(difference(a, b));
        }
    }
    out
}

fn difference(theirs: &[&str], ours: &[&str]) -> Option<Difference> {
    let (a, b) = (subjects(theirs), subjects(ours));
    let none = BTreeMap::new();
    let (mut found, mut lines) = (Vec::new(), Vec::new());
    for about in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
        let (x, y) = (a.get(about).unwrap_or(&none), b.get(about).unwrap_or(&none));
        if x == y {
            continue;
        }
        // Who runs into a time limit, or out of memory, says no more.
        if ["T", "N"].iter().any(|kind| x.contains_key(kind) || y.contains_key(kind)) {
            found.push("time".to_owned());
            continue;
        }
        for kind in ["K", "E", "S", "M", "R"] {
            match (x.get(kind), y.get(kind)) {
                (Some(p), Some(q)) => fields(kind, p, q, &mut found),
                (None, None) => continue,
                _ => found.push("error".to_owned()),
            }
            let shown = |line: Option<&&str>| {
                let line = line.copied().unwrap_or("-");
                if kind == "E" { String::from_utf8_lossy(&unhex(line)).into_owned() } else { line.to_owned() }
            };
            if x.get(kind) != y.get(kind) {
                let subject = String::from_utf8_lossy(&unhex(about)).escape_debug().to_string();
                lines.push((format!("{kind} \"{subject}\" {}", shown(x.get(kind))), shown(y.get(kind))));
            }
        }
    }
    found.sort();
    found.dedup();
    let mut words = theirs[0].split(' ').skip(1);
    let (encoding, options, source) = (words.next()?, words.next()?, words.next()?);
    let source: Vec<u8> = unhex(source).into_iter().filter(|byte| *byte != 0).collect();
    let source = String::from_utf8_lossy(&source).into_owned();
    (!found.is_empty()).then(|| Difference {
        encoding: encoding.into(),
        options: options.into(),
        source,
        fields: found,
        lines,
    })
}
