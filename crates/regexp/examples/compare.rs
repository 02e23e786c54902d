//! Compares the engine with what a Ruby has made of patterns and subjects: reads the lines that `fuzz/regexp.rb`
//! prints and says where it differs.
//!
//! ```sh
//! ruby fuzz/regexp.rb 1 1000 | cargo run -p asterism-regexp --example compare
//! ```

use std::io::BufRead;

use asterism_regexp::{Engine, Error, Flags, Limits, Outcome, Region, Scratch, Search, resolve};
use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::step;

fn unhex(text: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
    let text = if text == "." { "" } else { text };
    text.as_bytes().chunks_exact(2).map(|c| digit(c[0]) << 4 | digit(c[1])).collect()
}

/// A pattern as Ruby makes it: for the encoding it insists on, or for its subjects'.
struct Pattern {
    source: Vec<u8>,
    resolved: Vec<u8>,
    encoding: Encoding,
    fixed: bool,
    flags: Flags,
    first: Engine,
}

impl Pattern {
    fn new(source: Vec<u8>, encoding: Encoding, options: u32) -> Result<Pattern, Error> {
        let flags = Flags { ignore_case: options & 1 != 0, extended: options & 2 != 0, multiline: options & 4 != 0 };
        let resolved = resolve(&source, encoding, flags.extended)?;
        let actual = resolved.fixed.unwrap_or(Encoding::US_ASCII);
        let source_encoding = resolved.fixed.unwrap_or(encoding);
        let ascii = actual == Encoding::US_ASCII;
        let first = Engine::compile(&resolved.bytes[..], source_encoding, flags, actual, ascii)?;
        let fixed = resolved.fixed.is_some();
        Ok(Pattern { source, resolved: resolved.bytes, encoding: source_encoding, fixed, flags, first })
    }

    fn engine(&self, encoding: Encoding, ascii: bool) -> Result<Engine, Error> {
        Engine::compile(&self.resolved[..], self.encoding, self.flags, encoding, ascii)
    }
}

fn shown(region: &Region) -> String {
    let group = |i| match region.get(i) {
        Some((begin, end)) => format!("{begin}-{end}"),
        None => "x".into(),
    };
    (0..region.count()).map(group).collect::<Vec<_>>().join(",")
}

fn search(engine: &Engine, subject: &[u8], at: usize, how: Search, scratch: &mut Scratch) -> Option<Region> {
    let mut region = Region::new(engine.groups());
    let mut limits = Limits { steps: 200_000_000, go_on: None };
    match engine.search(subject, at, how, &mut limits, scratch, &mut region) {
        Outcome::Match => Some(region),
        Outcome::NoMatch => None,
        // A place that no Ruby gives, so that it is a difference.
        Outcome::OutOfSteps => Some(Region::of_whole(u32::MAX as usize - 1, u32::MAX as usize - 1)),
        _ => Some(Region::of_whole(u32::MAX as usize - 2, u32::MAX as usize - 2)),
    }
}

/// First, last and all matches as the line has them.
fn results(engine: &Engine, encoding: Encoding, subject: &[u8], scratch: &mut Scratch) -> String {
    let one = |found: Option<Region>| found.map_or("nil".into(), |r| shown(&r));
    let first = one(search(engine, subject, 0, Search::Forward, scratch));
    let last = one(search(engine, subject, subject.len(), Search::Backward, scratch));
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(region) = search(engine, subject, at, Search::Forward, scratch) {
        let (begin, end) = region.whole();
        all.push(format!("{begin}-{end}"));
        at = if end > subject.len() {
            break;
        } else if begin < end {
            end
        } else if end < subject.len() {
            end + step(encoding, &subject[end..]).max(1)
        } else {
            break;
        };
    }
    format!("{first} {last} {}", if all.is_empty() { ".".into() } else { all.join(",") })
}

fn main() {
    let mut pattern: Option<Pattern> = None;
    if let [_, source, subject] = &std::env::args().collect::<Vec<_>>()[..] {
        // One pattern and one subject: what it is compiled to, and what it finds.
        match Pattern::new(source.clone().into_bytes(), Encoding::UTF_8, 0) {
            Ok(pattern) => match pattern.engine(Encoding::UTF_8, false) {
                Ok(engine) => {
                    println!("{:#?}", engine.program());
                    println!("{}", results(&engine, Encoding::UTF_8, subject.as_bytes(), &mut Scratch::default()));
                }
                Err(error) => println!("{error}"),
            },
            Err(error) => println!("{error}"),
        }
        return;
    }
    let mut shown_pattern = String::new();
    let mut encoding = Encoding::UTF_8;
    let mut scratch = Scratch::default();
    let (mut lines, mut differences) = (0u64, 0u64);
    let mut failed: Option<Error> = None;
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let words: Vec<&str> = line.split(' ').collect();
        lines += 1;
        let mut differ = |what: String| {
            differences += 1;
            println!("{shown_pattern}\n    {what}");
        };
        match words[..] {
            ["P", name, options, source] => {
                encoding = Encoding::find(name.as_bytes()).unwrap_or(Encoding::BINARY);
                let source = unhex(source);
                let plain: Vec<u8> = if encoding.min_len() > 1 {
                    source.iter().copied().filter(|b| *b != 0).collect()
                } else {
                    source.clone()
                };
                shown_pattern = format!("/{}/ {options} {name}", plain.escape_ascii());
                (pattern, failed) = match Pattern::new(source, encoding, options.parse().unwrap_or(0)) {
                    Ok(pattern) => (Some(pattern), None),
                    Err(error) => (None, Some(error)),
                };
            }
            ["E", message] => {
                let message = String::from_utf8_lossy(&unhex(message)).into_owned();
                match &failed {
                    None => differ(format!("Ruby refuses it: {message}")),
                    Some(error) if error.to_string() != message => {
                        differ(format!("it says {error:?}, Ruby {message:?}"));
                    }
                    Some(_) => {}
                }
            }
            ["K", linear, ref names @ ..] => match &pattern {
                None => differ(format!("it is refused: {failed:?}")),
                Some(pattern) => {
                    if pattern.first.is_linear().to_string() != linear {
                        differ(format!("linear to Ruby: {linear}"));
                    }
                    let hex = |name: &[u8]| name.iter().map(|b| format!("{b:02x}")).collect::<String>();
                    let number = |groups: &[usize]| groups.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
                    let ours = pattern.first.names().iter().map(|(n, g)| format!("{}={}", hex(n), number(g)));
                    let ours: Vec<String> = ours.collect();
                    if names != [".".to_string()] && names != ours {
                        differ(format!("names {ours:?}, to Ruby {names:?}"));
                    }
                }
            },
            ["S", subject, first, last, all] => {
                let Some(pattern) = &pattern else { continue };
                let subject = unhex(subject);
                let plain = subject.is_ascii() && encoding.is_ascii_compatible();
                let expected = format!("{first} {last} {all}");
                let bound = if pattern.fixed { pattern.encoding } else { encoding };
                // A pattern that insists on no encoding is one of ASCII where the subject is: its classes have no others.
                let target = if plain && !pattern.fixed { Encoding::US_ASCII } else { bound };
                match pattern.engine(target, plain) {
                    Ok(engine) => {
                        let ours = results(&engine, bound, &subject, &mut scratch);
                        if ours != expected {
                            let subject = subject.escape_ascii();
                            differ(format!("\"{subject}\"\n    ours {ours}\n    Ruby {expected}"));
                        }
                    }
                    Err(error) => differ(format!("in {}: {error}", target.name())),
                }
                let _ = &pattern.source;
            }
            _ => {}
        }
    }
    println!("{lines} lines, {differences} differences");
}
