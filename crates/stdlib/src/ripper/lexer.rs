//! What prism's lexer makes of a source, through its serialized form: that has the lexer's state, which the bindings do not show.

use super::contents;
use super::events::{self, Steps};
use crate::prism;
/// A token, in the order of parsing: the body of a heredoc stands behind its beginning.
#[derive(Clone, Debug)]
pub struct Token {
    /// prism's number of its type.
    pub kind: u32,
    /// Where it begins, in bytes.
    pub start: u32,
    /// How many bytes it has.
    pub length: u32,
    /// The lexer's state behind it.
    pub state: u32,
    /// Of the end of a heredoc: does CRuby's scanner find it together with the text in front of it?
    pub joined: bool,
}

/// A syntax error or a warning.
#[derive(Debug)]
pub struct Diagnostic {
    /// What prism says.
    pub message: String,
    /// Where it begins, in bytes.
    pub start: u32,
    /// How many bytes it concerns.
    pub length: u32,
    /// prism's number of its level; of warnings, 0 is for those that are always shown.
    pub level: u8,
}

/// What came out.
#[derive(Debug, Default)]
pub struct Lexed {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The errors.
    pub errors: Vec<Diagnostic>,
    /// The warnings.
    pub warnings: Vec<Diagnostic>,
    /// The encoding, which a magic comment may have changed.
    pub encoding: String,
    /// The parser's events, if they are asked for.
    pub steps: Steps,
}

/// Lexes; `parse`: with the parser's events.
///
/// # Errors
/// The `std::io::Error` of starting a thread: EAGAIN, ENOMEM.
pub fn lex(source: &[u8], encoding: &[u8], parse: bool) -> std::io::Result<Lexed> {
    prism::apart(|| {
        let mut lexed = lex_here(source, encoding);
        lexed.tokens = contents::divided(source, std::mem::take(&mut lexed.tokens));
        if parse {
            lexed.steps = steps(source, encoding, &lexed.tokens);
        }
        lexed
    })
}

fn steps(source: &[u8], encoding: &[u8], tokens: &[Token]) -> Steps {
    let options = ruby_prism::Options::default().encoding(&String::from_utf8_lossy(encoding)).build();
    let parsed = ruby_prism::parse_with_options(source, &options);
    let unassignable = parsed
        .errors()
        .map(|e| (e.location().start(), String::from_utf8_lossy(e.message()).into_owned()))
        .filter(|(_, message)| events::is_about_assignment(message))
        .collect();
    events::steps(source, tokens, &parsed.node(), unassignable)
}

fn lex_here(source: &[u8], encoding: &[u8]) -> Lexed {
    // SAFETY: the options have prism's layout.
    unsafe { prism::serialized_tokens(source, &options(encoding), |bytes| Reader { bytes }.lexed()) }
}

/// prism's options in the layout of `pm_options_read`: no path, line 1, the encoding, eight flags, no scopes.
fn options(encoding: &[u8]) -> Vec<u8> {
    let mut options = Vec::with_capacity(32 + encoding.len());
    options.extend_from_slice(&0u32.to_ne_bytes());
    options.extend_from_slice(&1i32.to_ne_bytes());
    options.extend_from_slice(&(encoding.len() as u32).to_ne_bytes());
    options.extend_from_slice(encoding);
    options.extend_from_slice(&[0; 8]);
    options.extend_from_slice(&0u32.to_ne_bytes());
    options
}

/// Reads what `pm_serialize_lex` writes.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(n);
        self.bytes = rest;
        taken
    }

    /// A number of seven bits a byte, the least first.
    fn number(&mut self) -> u32 {
        let mut n = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.take(1)[0];
            n |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        n
    }

    fn skip_numbers(&mut self, n: u32) {
        for _ in 0..n {
            self.number();
        }
    }

    fn text(&mut self) -> String {
        let n = self.number() as usize;
        String::from_utf8_lossy(self.take(n)).into_owned()
    }

    fn lexed(mut self) -> Lexed {
        let mut lexed = Lexed::default();
        loop {
            let kind = self.number();
            if kind == 0 {
                break;
            }
            let (start, length, state) = (self.number(), self.number(), self.number());
            lexed.tokens.push(Token { kind, start, length, state, joined: false });
        }
        lexed.encoding = self.text();
        self.skip_numbers(1); // the line
        self.take(8); // the checksum
        let lines = self.number();
        self.skip_numbers(lines);
        for _ in 0..self.number() {
            self.take(1);
            self.skip_numbers(2); // a comment's place
        }
        for _ in 0..self.number() {
            self.skip_numbers(1);
            let n = self.number();
            self.skip_numbers(n); // comments of a node
        }
        let magic = self.number();
        self.skip_numbers(magic.saturating_mul(4));
        if self.take(1)[0] != 0 {
            self.skip_numbers(2); // where the data begin
        }
        lexed.errors = self.diagnostics();
        lexed.warnings = self.diagnostics();
        lexed
    }

    fn diagnostics(&mut self) -> Vec<Diagnostic> {
        let count = self.number();
        (0..count)
            .map(|_| {
                self.skip_numbers(1);
                let message = self.text();
                let (start, length) = (self.number(), self.number());
                Diagnostic { message, start, length, level: self.take(1)[0] }
            })
            .collect()
    }
}
