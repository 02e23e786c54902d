//! Bytes to a valid program: statements that each append what they find to a list, which is the program's value.
//!
//! A statement is an expression, whose parts have the types they should have; a call of a method of [`METHODS`], whose
//! arguments may be anything; or a control structure. What raises is shown by its class. Nothing whose text differs
//! between CRuby 3.1 and 4.0 is shown: Hashes are shown as Arrays, and messages not at all.

use std::fmt::Write;

pub use crate::grammar::HEAD;
use crate::grammar::Type::{self, Bool, Float, Int, List, Pattern, Ratio, Span, Str, Sym, Table};
use crate::grammar::{FORMS, LISTS, STATEMENTS, STRINGS, TYPES};
use crate::methods::{BLOCK_ARGUMENTS, BLOCKS, COMPARISONS, FUNCTIONS, METHODS, ODD};
struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Source<'_> {
    /// The next byte; 0 behind the end, where the simplest things are chosen.
    fn byte(&mut self) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(byte)
    }

    fn is_over(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// One of `list`, which may have more than 256 elements.
    fn pick<'t, T: ?Sized>(&mut self, list: &[&'t T]) -> &'t T {
        let n = if list.len() > 256 { self.byte() * 256 + self.byte() } else { self.byte() };
        list[n % list.len()]
    }

    fn literal(&mut self, ty: Type) -> String {
        let n = self.byte();
        match ty {
            Int => match n % 8 {
                0..4 => (n as i64 - 128).to_string(),
                4 => (i64::from(u8::MAX) << (n / 4)).to_string(),
                5 => format!("{}", (1_i128 << 62) - 64 + n as i128),
                6 => format!("-{}", (1_i128 << 64) + n as i128),
                _ => (n / 16).to_string(),
            },
            Float => {
                ["0.0", "1.5", "-2.25", "1e10", "3.0e-5", "-0.0", "123456789.125", "0.1", "2.5", "-1e25", "1e-320"]
                    [n % 11]
                    .to_owned()
            }
            Ratio => ["1/3r", "-7/2r", "5r", "0r", "10000000000000000000000/7r", "0.75r"][n % 6]
                .replace('/', "r/")
                .replace("rr", "r"),
            Str => STRINGS[n % STRINGS.len()].to_owned(),
            Sym => [":a", ":b", ":abc", ":'x y'", ":z1", ":+", ":A", ":'é'", ":x=", ":''"][n % 10].to_owned(),
            Bool => ["true", "false", "nil"][n % 3].to_owned(),
            List => LISTS[n % LISTS.len()].to_owned(),
            Table => [
                "{}",
                "{ a: 1, b: 2 }",
                "{ 'k' => [1], 2 => 'v' }",
                "{ a: 'x', 1.5 => :y, nil => 0 }",
                "(1..20).to_h { |i| [i, i.to_s] }",
                "{ 1 => 1, 1.0 => 2, 2**64 => 3, C.new(1) => 4 }",
                "Hash.new { |t, k| t[k] = [k] }",
                "Hash.new(7).update(b: 3)",
                "{ [1] => 1, 'a' => { b: [2] }.to_a }.compare_by_identity",
            ][n % 9]
                .to_owned(),
            Span => [
                "(1..10)",
                "(1...10)",
                "('a'..'e')",
                "(0..-1)",
                "(1..)",
                "(..5)",
                "(1.5..4)",
                "('az'..'bc')",
                "(-3..3)",
                "(C.new(1)..C.new(4))",
                "(2**64..2**64 + 3)",
                "(:a..:e)",
                "(2..)",
                "('8'..'12')",
                "(1..nil)",
                "(3r..5)",
            ][n % 16]
                .to_owned(),
            Pattern => [
                "/[a-m]+/",
                "/(.)\\1/",
                "/(?<n>\\w)(?<m>\\d)?/",
                "/\\b/",
                "/^/",
                "/$/",
                "//",
                "/l+?/i",
                "/(a|b)*?c/",
                "/\\p{Alpha}/",
                "/é/",
                "/[^\\x00-\\x7f]/",
                "/(?=b)/",
                "/(?<!a)b/",
                "/\\G./",
                "/\\A\\s*/",
                "/x|y|(z)/",
                "/./m",
                "/\\d+/n",
                "/\\X/",
                "/\\R/",
                "/(?:(x)|(y))+/",
            ][n % 22]
                .to_owned(),
        }
    }

    fn expression(&mut self, ty: Type, depth: usize) -> String {
        let pick = self.byte();
        if depth == 0 || pick.is_multiple_of(4) || self.is_over() {
            return self.literal(ty);
        }
        let fitting: Vec<_> = FORMS.iter().filter(|(made, ..)| *made == ty).collect();
        if fitting.is_empty() {
            return self.literal(ty);
        }
        let (_, text, parts) = fitting[(pick + 256 * (self.byte() & 1)) % fitting.len()];
        self.fill(text, parts, depth)
    }

    /// `text` with an expression for each of `parts`.
    fn fill(&mut self, text: &str, parts: &[Type], depth: usize) -> String {
        let mut result = text.to_owned();
        for (i, part) in parts.iter().enumerate() {
            let inner = self.expression(*part, depth - 1);
            result = result.replace(&format!("${i}"), &inner);
        }
        result
    }

    /// An argument; see the table of [`crate::methods`].
    fn argument(&mut self, letter: u8) -> String {
        let chance = self.byte();
        if letter == b'd' {
            return ["0", "1", "2", "-1", "-2", "5", "9", "-3"][chance % 8].to_owned();
        }
        if letter == b'k' {
            return [
                "0", "1", "2", "3", "7", "-1", "-2", "-5", "10", "33", "nil", "1.9", "T.new(2)", "-30", "16", "64",
            ][chance % 16]
                .to_owned();
        }
        if letter != b'w' && chance.is_multiple_of(5) || letter == b'o' && chance.is_multiple_of(2) {
            return self.pick(ODD).to_owned();
        }
        let ty = match letter {
            b'i' => Int,
            b'f' => [Int, Float, Ratio, Int][chance % 4],
            b's' => Str,
            b'y' => Sym,
            b'a' => List,
            b'h' => Table,
            b'r' => Span,
            b'x' => Pattern,
            b'p' => [Pattern, Str][chance % 2],
            _ => TYPES[chance % TYPES.len()],
        };
        // Integers that count something are small more often than not.
        if ty == Int && chance.is_multiple_of(3) {
            return (chance as i64 % 16 - 5).to_string();
        }
        self.expression(ty, 1)
    }

    /// The arguments that `spec` describes, with brackets, and the block.
    fn arguments(&mut self, name: &str, spec: &str) -> (Vec<String>, String) {
        let mut given = Vec::new();
        let mut block = String::new();
        let mut optional = false;
        for letter in spec.bytes() {
            match letter {
                b'?' => optional = true,
                b'&' => match self.byte() % 8 {
                    0 => {}
                    1 => given.push(self.pick(BLOCK_ARGUMENTS).to_owned()),
                    _ => block = format!(" {}", self.pick(BLOCKS)),
                },
                b'^' if self.byte().is_multiple_of(4) => {}
                b'^' => block = format!(" {}", self.pick(COMPARISONS)),
                _ if optional && self.byte().is_multiple_of(4) => optional = true,
                _ => given.push(self.argument(letter)),
            }
        }
        // Now and then one too many.
        if self.byte() == 7 && !name.ends_with('=') && !given.last().is_some_and(|a| a.starts_with('&')) {
            given.push(self.pick(ODD).to_owned());
        }
        (given, block)
    }

    /// A call of a method, with what it returns and what it made of its receiver.
    fn call(&mut self) -> String {
        if self.byte().is_multiple_of(8) {
            let words: Vec<&str> = FUNCTIONS.split_whitespace().collect();
            let word = self.pick(&words);
            let (name, spec) = word.split_once(':').filter(|(name, _)| !name.is_empty()).unwrap_or((word, ""));
            let (name, spec) = match spec.strip_prefix(':') {
                // A constant's name has colons of its own.
                Some(rest) => match rest.split_once(':') {
                    Some((last, spec)) => (format!("{name}::{last}"), spec),
                    None => (word.to_owned(), ""),
                },
                None => (name.to_owned(), spec),
            };
            let (given, block) = self.arguments(&name, spec);
            return format!("r = nil; {name}({}){block}", given.join(", "));
        }
        let ty = TYPES[self.byte() % TYPES.len()];
        let words: Vec<&str> =
            METHODS.iter().filter(|(of, _)| *of == ty).flat_map(|(_, words)| words.split_whitespace()).collect();
        let word = self.pick(&words);
        let (name, spec) = word.split_once(':').filter(|(name, _)| !name.is_empty()).unwrap_or((word, ""));
        let receiver = self.expression(ty, 2);
        let receiver = if ty == Str && !self.byte().is_multiple_of(8) { format!("+({receiver})") } else { receiver };
        let (given, block) = self.arguments(name, spec);
        let is_operator = !name.starts_with(|c: char| c.is_alphabetic()) && !name.ends_with(['@', '~', '!']);
        if is_operator && given.len() == 1 && !name.starts_with('[') && !given[0].starts_with('&') && block.is_empty() {
            return format!("r = {receiver}; r {name} {}", given[0]);
        }
        if name == "[]" && block.is_empty() && !given.is_empty() {
            return format!("r = {receiver}; r[{}]", given.join(", "));
        }
        // What cannot be counted to its end is looked at from the start only.
        format!("r = {receiver}; r.{name}({}){block}", given.join(", "))
    }
}

/// The program that `bytes` choose; [`HEAD`] has run before it.
#[must_use]
pub fn program(bytes: &[u8]) -> String {
    let mut source = Source { bytes, at: 0 };
    let mut text = "out = []\n".to_owned();
    for _ in 0..8 {
        let made = match source.byte() % 4 {
            0 => {
                let ty = TYPES[source.byte() % TYPES.len()];
                format!("r = nil; {}", source.expression(ty, 4))
            }
            1 => {
                let (template, parts) = STATEMENTS[source.byte() % STATEMENTS.len()];
                format!("r = nil; ({})", source.fill(template, parts, 3))
            }
            _ => source.call(),
        };
        let _ = writeln!(
            text,
            "begin; x = ({made}); out << show(x); out << show(r) if r; rescue StandardError, NotImplementedError => e; out << e.class.name; out << show(r) if r; end"
        );
        if source.is_over() {
            break;
        }
    }
    text.push_str("out.join('|')\n");
    text
}
