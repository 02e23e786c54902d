//! The tokens of a pattern outside of brackets.

use crate::ast::{Anchor, UNBOUNDED};
use crate::error::{Result, named, syntax};
use crate::parse::Parser;
use crate::property::Class;

/// Most times a quantifier may name.
const MAX_REPEAT: u32 = 100_000;
/// Largest number of a backreference.
const MAX_BACK: u32 = 1000;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// The pattern is over.
    End,
    /// A character that stands for itself, and whether it was written as an escape of a byte.
    Char(u32),
    /// A byte by its number.
    Byte(u8),
    /// `.`
    Any,
    /// `\w` and its kin; `true`: all others.
    Class(Class, bool),
    /// `\p{`; `true`: all others. The name follows.
    Property(bool),
    /// A backreference: groups, by name, level.
    Back(Vec<u32>, bool, Option<i32>),
    /// A call: the name, the number if it is one, relative.
    Call(Vec<u8>, Option<i64>, bool),
    /// A place.
    Anchor(Anchor),
    /// `\K`
    Keep,
    /// A quantifier: least, most, greedy, possessive.
    Repeat(u32, u32, bool, bool),
    /// `|`
    Alt,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    Bracket,
    /// `\R`
    LineBreak,
    /// `\X`
    Cluster,
}

/// What `{` begins.
enum Range {
    /// Nothing: it is a character.
    None,
    /// `{n}`
    Fixed(u32),
    /// `{n,m}`
    Between(u32, u32),
}

fn digit(code: Option<u32>) -> Option<u32> {
    code.and_then(char::from_u32).and_then(|c| c.to_digit(10))
}

impl Parser<'_> {
    /// The character at the position.
    pub fn peek(&self) -> Option<u32> {
        self.codes.get(self.at).copied()
    }

    /// Is it this one?
    pub fn peek_is(&self, c: char) -> bool {
        self.peek() == Some(u32::from(c))
    }

    /// Takes the character at the position.
    pub fn take(&mut self) -> Option<u32> {
        let code = self.peek()?;
        self.at += 1;
        Some(code)
    }

    /// Takes it if it is this one.
    pub fn take_if(&mut self, c: char) -> bool {
        let there = self.peek_is(c);
        self.at += usize::from(there);
        there
    }

    /// A number of decimal digits; `Some(None)` if it is too big, `None` without digits.
    pub fn number(&mut self) -> Option<Option<u32>> {
        let begin = self.at;
        let mut n: Option<u32> = Some(0);
        while let Some(d) = digit(self.peek()) {
            n = n.and_then(|n| n.checked_mul(10)?.checked_add(d)).filter(|n| *n <= i32::MAX as u32);
            self.at += 1;
        }
        (self.at > begin).then_some(n)
    }

    /// The value of up to `most` digits in a base.
    pub fn digits(&mut self, base: u32, most: usize) -> Option<u32> {
        let mut n: u32 = 0;
        for _ in 0..most {
            let Some(d) = self.peek().and_then(char::from_u32).and_then(|c| c.to_digit(base)) else { break };
            n = n.checked_mul(base)?.checked_add(d).filter(|n| *n <= i32::MAX as u32)?;
            self.at += 1;
        }
        Some(n)
    }

    /// The next token.
    pub fn token(&mut self) -> Result<Token> {
        loop {
            self.room.work(1)?;
            let begin = self.at;
            self.token_begin = begin;
            let Some(code) = self.take() else { return Ok(Token::End) };
            let Ok(c) = u8::try_from(code) else { return Ok(Token::Char(code)) };
            return Ok(match c {
                b'\\' => return self.escape(),
                b'.' => Token::Any,
                b'*' => self.repeat(0, UNBOUNDED, true),
                b'+' => self.repeat(1, UNBOUNDED, true),
                b'?' => self.repeat(0, 1, true),
                b'{' => match self.range()? {
                    Range::None => Token::Char(code),
                    Range::Fixed(n) => Token::Repeat(n, n, true, false),
                    Range::Between(low, high) => self.repeat(low, high, false),
                },
                b'|' => Token::Alt,
                b'(' => {
                    if self.peek_is('?') && self.codes.get(self.at + 1) == Some(&u32::from('#')) {
                        self.comment_group()?;
                        continue;
                    }
                    Token::Open
                }
                b')' => Token::Close,
                b'^' => Token::Anchor(Anchor::LineBegin),
                b'$' => Token::Anchor(Anchor::LineEnd),
                b'[' => Token::Bracket,
                b']' => {
                    if begin > 0 {
                        self.warn("regular expression has ']' without escape".into(), false);
                    }
                    Token::Char(code)
                }
                b'#' if self.options.extended => {
                    while self.take().is_some_and(|c| c != 10) {}
                    continue;
                }
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c if self.options.extended => continue,
                _ => Token::Char(code),
            });
        }
    }

    /// `?` behind a quantifier, or `+`, which makes no interval possessive.
    fn repeat(&mut self, min: u32, max: u32, may_possess: bool) -> Token {
        if self.take_if('?') {
            return Token::Repeat(min, max, false, false);
        }
        let possessive = may_possess && self.take_if('+');
        Token::Repeat(min, max, true, possessive)
    }

    fn comment_group(&mut self) -> Result<()> {
        loop {
            match self.take() {
                None => return syntax("end pattern in group"),
                Some(0x5c) => {
                    self.take();
                }
                Some(0x29) => return Ok(()),
                Some(_) => {}
            }
        }
    }

    /// Behind `{`; the position stays if it is no quantifier.
    fn range(&mut self) -> Result<Range> {
        let begin = self.at;
        let found = self.range_here()?;
        if matches!(found, Range::None) {
            self.at = begin;
        }
        Ok(found)
    }

    fn range_here(&mut self) -> Result<Range> {
        let bounded = |n: Option<Option<u32>>| match n {
            None => Ok(None),
            Some(Some(n)) if n <= MAX_REPEAT => Ok(Some(n)),
            Some(_) => syntax("too big number for repeat range"),
        };
        let low = self.number();
        let low = bounded(low)?;
        let range = if self.take_if(',') {
            let high = self.number();
            match (low, bounded(high)?) {
                (None, None) => return Ok(Range::None),
                (low, high) => Range::Between(low.unwrap_or(0), high.unwrap_or(UNBOUNDED)),
            }
        } else {
            match low {
                None => return Ok(Range::None),
                Some(n) => Range::Fixed(n),
            }
        };
        if !self.take_if('}') {
            return Ok(Range::None);
        }
        if let Range::Between(low, high) = range
            && low > high
        {
            return syntax("upper is smaller than lower in repeat range");
        }
        Ok(range)
    }

    fn escape(&mut self) -> Result<Token> {
        let begin = self.at;
        let Some(code) = self.take() else { return syntax("end pattern at escape") };
        let Ok(c) = u8::try_from(code) else { return Ok(Token::Char(code)) };
        let options = self.options;
        Ok(match c {
            b'w' => Token::Class(Class::Word, false),
            b'W' => Token::Class(Class::Word, true),
            b's' => Token::Class(Class::Space, false),
            b'S' => Token::Class(Class::Space, true),
            b'd' => Token::Class(Class::Digit, false),
            b'D' => Token::Class(Class::Digit, true),
            b'h' => Token::Class(Class::Xdigit, false),
            b'H' => Token::Class(Class::Xdigit, true),
            b'b' => Token::Anchor(Anchor::Word(options.ascii && !options.word_all)),
            b'B' => Token::Anchor(Anchor::NotWord(options.ascii && !options.word_all)),
            b'A' => Token::Anchor(Anchor::TextBegin),
            b'Z' => Token::Anchor(Anchor::TextEndNewline),
            b'z' => Token::Anchor(Anchor::TextEnd),
            b'G' => Token::Anchor(Anchor::SearchBegin),
            b'K' => Token::Keep,
            b'R' => Token::LineBreak,
            b'X' => Token::Cluster,
            b'x' if self.peek().is_some() => self.hex()?,
            b'1'..=b'9' => return self.back_or_octal(begin),
            b'0' => self.octal(2)?,
            b'k' => {
                if self.take_if('<') {
                    return self.named_back('>');
                } else if self.take_if('\'') {
                    return self.named_back('\'');
                }
                if self.peek().is_some() {
                    self.warn("invalid back reference".into(), false);
                }
                Token::Char(code)
            }
            b'g' => {
                if self.take_if('<') {
                    return self.call('>');
                } else if self.take_if('\'') {
                    return self.call('\'');
                }
                if self.peek().is_some() {
                    self.warn("invalid subexp call".into(), false);
                }
                Token::Char(code)
            }
            b'p' | b'P' => {
                if !self.take_if('{') {
                    self.warn(format!("invalid Unicode Property \\{}", c as char), false);
                    return Ok(Token::Char(code));
                }
                Token::Property((c == b'P') ^ self.take_if('^'))
            }
            // The one letter that means nothing and is not warned of.
            b'Q' => Token::Char(code),
            _ => {
                self.at = begin;
                Token::Char(self.escaped_value()?)
            }
        })
    }

    /// Behind `\x`: `{…}` or up to two digits.
    pub fn hex(&mut self) -> Result<Token> {
        let begin = self.at;
        if self.take_if('{') {
            let Some(n) = self.digits(16, 8) else { return syntax("too big wide-char value") };
            let digits = self.at - begin - 1;
            if self.peek().and_then(char::from_u32).is_some_and(|c| c.is_ascii_hexdigit()) {
                return syntax("too long wide-char value");
            }
            if digits > 0 && self.take_if('}') {
                return Ok(Token::Char(n));
            }
            self.at = begin;
            return Ok(Token::Char(u32::from('x')));
        }
        Ok(Token::Byte(self.digits(16, 2).unwrap_or(0) as u8))
    }

    fn octal(&mut self, most: usize) -> Result<Token> {
        let n = self.digits(8, most).unwrap_or(0);
        match u8::try_from(n) {
            Ok(byte) => Ok(Token::Byte(byte)),
            Err(_) => syntax("too big number"),
        }
    }

    fn back_or_octal(&mut self, begin: usize) -> Result<Token> {
        self.at = begin;
        if let Some(Some(n)) = self.number()
            && n <= MAX_BACK
            && (n <= self.groups || n <= 9)
        {
            return Ok(Token::Back(vec![n], false, None));
        }
        self.at = begin;
        if let Some(code @ (0x38 | 0x39)) = self.peek() {
            self.at += 1;
            return Ok(Token::Char(code));
        }
        self.octal(3)
    }

    /// `\M-x`, `\C-x`, `\cx`, `\n` …: the position is at the letter.
    pub fn escaped_value(&mut self) -> Result<u32> {
        let Some(code) = self.take() else { return syntax("end pattern at escape") };
        let minus = u32::from('-');
        match u8::try_from(code) {
            Ok(b'M') => match self.take() {
                None => syntax("end pattern at meta"),
                Some(c) if c != minus => syntax("invalid meta-code syntax"),
                Some(_) => match self.take() {
                    None => syntax("end pattern at meta"),
                    Some(0x5c) => Ok(self.escaped_value()? & 0xff | 0x80),
                    Some(c) => Ok(c & 0xff | 0x80),
                },
            },
            Ok(b'C') => match self.take() {
                None => syntax("end pattern at control"),
                Some(c) if c != minus => syntax("invalid control-code syntax"),
                Some(_) => self.control(),
            },
            Ok(b'c') => self.control(),
            Ok(c) => Ok(match c {
                b'n' => 10,
                b't' => 9,
                b'r' => 13,
                b'f' => 12,
                b'a' => 7,
                b'b' => 8,
                b'e' => 27,
                b'v' => 11,
                _ => {
                    if c.is_ascii_alphabetic() {
                        self.warn(format!("Unknown escape \\{} is ignored", c as char), true);
                    }
                    code
                }
            }),
            Err(_) => Ok(code),
        }
    }

    fn control(&mut self) -> Result<u32> {
        match self.take() {
            None => syntax("end pattern at control"),
            Some(0x3f) => Ok(0x7f),
            Some(0x5c) => Ok(self.escaped_value()? & 0x9f),
            Some(c) => Ok(c & 0x9f),
        }
    }

    /// The name of a condition: as a backreference's.
    pub fn condition_name(&mut self, close: char) -> Result<Token> {
        self.named_back(close)
    }

    fn named_back(&mut self, close: char) -> Result<Token> {
        let begin = self.at;
        let (name, number, level) = self.name_with_level(close)?;
        if let Some(number) = number {
            let group = if number < 0 { i64::from(self.groups) + 1 + number } else { number };
            let Some(group) = u32::try_from(group).ok().filter(|g| *g > 0) else {
                return syntax("invalid backref number/name");
            };
            return Ok(Token::Back(vec![group], false, level));
        }
        match self.named_groups(&name) {
            [] => named("undefined name <", &self.readable(begin, begin + name_len(self, begin, &name)), "> reference"),
            groups => Ok(Token::Back(groups.to_vec(), true, level)),
        }
    }

    /// A name that may be followed by a level; the number, if it is one.
    fn name_with_level(&mut self, close: char) -> Result<(Vec<u8>, Option<i64>, Option<i32>)> {
        let close = u32::from(close);
        let begin = self.at;
        let mut good = true;
        let (mut numeric, mut waiting, mut sign) = (false, false, 1i64);
        let mut digits_at = begin;
        let mut c = match self.take() {
            None => return syntax("group name is empty"),
            Some(c) if c == close => return syntax("group name is empty"),
            Some(c) => c,
        };
        if digit(Some(c)).is_some() {
            numeric = true;
        } else if c == u32::from('-') {
            (numeric, waiting, sign, digits_at) = (true, true, -1, self.at);
        }
        let mut end = self.codes.len();
        while let Some(next) = self.peek() {
            end = self.at;
            self.at += 1;
            c = next;
            if c == close || c == 0x29 || c == 0x2b || c == 0x2d {
                good &= !waiting;
                break;
            }
            if numeric {
                if digit(Some(c)).is_some() {
                    waiting = false;
                } else {
                    (good, numeric) = (false, false);
                }
            }
        }
        let mut level = None;
        if good && c != close {
            good = false;
            if c == 0x2b || c == 0x2d {
                let negative = c == 0x2d;
                if self.peek().is_none() {
                    return named("invalid char in group name <", &self.readable(begin, end), ">");
                }
                if let Some(n) = self.number() {
                    let Some(n) = n else { return syntax("too big number") };
                    level = Some(if negative { -(n as i32) } else { n as i32 });
                    good = self.take() == Some(close);
                }
            }
            if !good {
                end = self.codes.len();
            }
        }
        if !good {
            return named("invalid group name <", &self.readable(begin, end), ">");
        }
        let name = self.bytes(begin, end);
        if !numeric {
            return Ok((name, None, level));
        }
        let behind = std::mem::replace(&mut self.at, digits_at);
        let number = self.number();
        self.at = behind;
        match number {
            Some(None) => syntax("too big number"),
            Some(Some(n)) if n > 0 => Ok((name, Some(sign * i64::from(n)), level)),
            _ => named("invalid group name <", &name, ">"),
        }
    }

    /// A group's name up to `close`; `reference`: a number is one too.
    pub fn name(&mut self, close: char, reference: bool) -> Result<(Vec<u8>, Option<i64>)> {
        let close = u32::from(close);
        let begin = self.at;
        let (mut numeric, mut waiting, mut sign) = (false, false, 1i64);
        let mut digits_at = begin;
        let mut problem: Option<&str> = None;
        let mut c = match self.take() {
            None => return syntax("group name is empty"),
            Some(c) if c == close => return syntax("group name is empty"),
            Some(c) => c,
        };
        if digit(Some(c)).is_some() || c == u32::from('-') {
            if !reference {
                problem = Some("invalid group name <");
            } else if digit(Some(c)).is_some() {
                numeric = true;
            } else {
                (numeric, waiting, sign, digits_at) = (true, true, -1, self.at);
            }
        }
        let mut end = self.codes.len();
        while problem.is_none() {
            let Some(next) = self.peek() else { break };
            end = self.at;
            self.at += 1;
            c = next;
            if c == close || c == 0x29 {
                if waiting {
                    problem = Some("invalid group name <");
                }
                break;
            }
            if numeric {
                if digit(Some(c)).is_some() {
                    waiting = false;
                } else {
                    let word = char::from_u32(c).is_some_and(|c| c.is_alphanumeric() || c == '_');
                    problem = Some(if word { "invalid group name <" } else { "invalid char in group name <" });
                }
            }
        }
        if let Some(problem) = problem {
            // The name goes to where it could have ended.
            if c != close && c != 0x29 {
                end = self.codes.len();
                while let Some(next) = self.peek() {
                    let here = self.at;
                    self.at += 1;
                    if next == close || next == 0x29 {
                        end = here;
                        break;
                    }
                }
            }
            return named(problem, &self.readable(begin, end), ">");
        }
        if c != close {
            return named("invalid group name <", &self.readable(begin, self.codes.len()), ">");
        }
        let name = self.bytes(begin, end);
        if !numeric {
            return Ok((name, None));
        }
        let behind = std::mem::replace(&mut self.at, digits_at);
        let number = self.number();
        self.at = behind;
        match number {
            Some(None) => syntax("too big number"),
            Some(Some(n)) if n > 0 => Ok((name, Some(sign * i64::from(n)))),
            _ => named("invalid group name <", &name, ">"),
        }
    }

    /// Behind `\g<`.
    fn call(&mut self, close: char) -> Result<Token> {
        let mut relative = false;
        if self.take_if('0') {
            if self.take_if(close) {
                return Ok(Token::Call(Vec::new(), Some(0), false));
            }
        } else {
            relative = self.take_if('+');
        }
        let (name, number) = self.name(close, true)?;
        Ok(Token::Call(name, number, relative))
    }
}

/// How many characters of the pattern a name takes.
fn name_len(parser: &Parser<'_>, begin: usize, name: &[u8]) -> usize {
    (0..).find(|n| parser.bytes(begin, begin + n).len() >= name.len()).unwrap_or(0)
}
