//! The text in literals, in the tokens that CRuby's scanner makes of it: prism's lexer divides it otherwise.

use super::events::kind;
use super::lexer::Token;

/// A literal that is open.
#[derive(Clone, Copy)]
struct Literal {
    /// Are there escapes and interpolation?
    expands: bool,
    /// Does a backslash at the end of a line end a token?
    continues: bool,
    /// Is each line a token? So it is in a `<<~`, as long as each is indented.
    by_line: bool,
    heredoc: bool,
}

impl Literal {
    fn of(token: &Token, text: &[u8]) -> Self {
        let heredoc = token.kind == kind::HEREDOC_START;
        let expands = if heredoc { !text.ends_with(b"'") } else { !is_plain(text) };
        let indented = heredoc && matches!(text.get(2), Some(b'-' | b'~'));
        Self { expands, continues: indented && expands, by_line: heredoc && text.get(2) == Some(&b'~'), heredoc }
    }
}

/// Does that begin a literal without escapes?
fn is_plain(text: &[u8]) -> bool {
    matches!(text, [b'\'', ..] | [b':', b'\'', ..] | [b'%', b'q' | b'w' | b'i' | b's', ..])
}

/// One String is one token, however many pieces prism makes of it, but for some that CRuby's scanner ends earlier.
pub fn divided(source: &[u8], tokens: Vec<Token>) -> Vec<Token> {
    let mut open: Vec<Literal> = Vec::new();
    let mut divided: Vec<Token> = Vec::with_capacity(tokens.len());
    for mut token in tokens {
        let start = token.start as usize;
        let text = &source[start..start + token.length as usize];
        let begins_line = start > 0 && source[start - 1] == b'\n';
        match token.kind {
            kind::HEREDOC_START => open.push(Literal::of(&token, text)),
            kind::SYMBOL_BEGIN if text == b":" => {}
            k if kind::BEGINNINGS.contains(&k) => open.push(Literal::of(&token, text)),
            kind::HEREDOC_END => token.joined = open.pop().is_some_and(|literal| !literal.by_line),
            kind::STRING_END | kind::REGEXP_END | kind::LABEL_END => {
                open.pop();
            }
            kind::EMBEXPR_BEGIN | kind::EMBVAR if begins_line => {
                if let Some(literal) = open.last_mut() {
                    literal.by_line = false;
                }
            }
            kind::STRING_CONTENT => {
                if let Some(literal) = open.last_mut() {
                    literal.by_line &= !begins_line || matches!(source[start], b' ' | b'\t' | b'\n' | b'\r');
                    content(source, &mut divided, &token, *literal);
                    continue;
                }
            }
            _ => {}
        }
        divided.push(token);
    }
    divided
}

/// Adds a piece of text: to the token in front of it, or as one or more of its own.
fn content(source: &[u8], divided: &mut Vec<Token>, token: &Token, literal: Literal) {
    let stop = token.start + token.length;
    let mut start = token.start;
    if let Some(before) = divided.last_mut() {
        let end = before.start + before.length;
        let adjacent = before.kind == token.kind && end == start && !literal.by_line;
        if adjacent && !ends_token(source, before.start, end, literal) {
            let piece = next_end(source, before.start, start, stop, literal);
            before.length = piece - before.start;
            before.state = token.state;
            start = piece;
        }
    }
    while start < stop {
        let piece = next_end(source, start, start, stop, literal);
        divided.push(Token { start, length: piece - start, ..token.clone() });
        start = piece;
    }
}

/// Where the token that begins at `first` ends, of which the text from `from` to `stop` is to be looked at.
fn next_end(source: &[u8], first: u32, from: u32, stop: u32, literal: Literal) -> u32 {
    if !literal.expands {
        return stop;
    }
    (from.max(first + 1)..stop).find(|&place| ends_token(source, first, place, literal)).unwrap_or(stop)
}

/// Does a token end in front of that byte?
fn ends_token(source: &[u8], first: u32, place: u32, literal: Literal) -> bool {
    let (first, place) = (first as usize, place as usize);
    // What looks like an interpolation is looked at more closely.
    if literal.expands
        && source[place] == b'#'
        && matches!(source.get(place + 1), Some(b'$' | b'@'))
        && place > first
        && !escaped(source, first, place)
    {
        return true;
    }
    literal.heredoc
        && literal.continues
        && source[place - 1] == b'\n'
        && place >= 2
        && escaped(source, first, place - 1)
}

/// Is there an odd number of backslashes in front of that byte?
fn escaped(source: &[u8], first: usize, place: usize) -> bool {
    source[first..place].iter().rev().take_while(|&&b| b == b'\\').count() % 2 == 1
}
