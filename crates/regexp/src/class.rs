//! Bracketed classes.

use crate::ast::{Node, Text};
use crate::error::{Result, named, syntax};
use crate::parse::{MAX_DEPTH, Parser};
use crate::property::{Class, property};
use crate::set::CodeSet;
use crate::token::Token;

enum Item {
    Char(u32),
    Class(Class, bool),
    Property(bool),
    Close,
    Minus,
    Posix,
    Open,
    And,
    End,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Start,
    /// A character, which may begin a range.
    Value(u32),
    /// A class, which may not.
    Class,
    /// Behind the minus of a range.
    Range(u32),
    /// Behind a range.
    Complete,
}

/// What a bracket holds: its members, and those that letters' case may lead out of ASCII from.
#[derive(Default)]
struct Members {
    all: CodeSet,
    crossing: CodeSet,
}

/// A bracket's members and whether it has all others instead.
struct Bracket {
    members: Members,
    not: bool,
}

impl Members {
    fn intersect(&mut self, other: &Members) {
        self.all.intersect(&other.all);
        self.crossing.intersect(&other.crossing);
    }
}

impl Bracket {
    fn sets(self) -> Members {
        let Bracket { mut members, not } = self;
        if not {
            members.all.negate();
            members.crossing.negate();
        }
        members
    }
}

impl Parser<'_> {
    /// A bracket whose `[` has been read, as a node.
    pub fn bracket(&mut self) -> Result<Node> {
        let Bracket { members, not } = self.members()?;
        if !not && let Some(code) = members.all.single() {
            return Ok(Node::text(code, self.options.ignore_case));
        }
        Ok(self.class_node(members.all, not, Some(&members.crossing)))
    }

    /// A class as a node, with the other cases of its letters if case is ignored; `crossing`: the members that may
    /// lead from ASCII out of it or back.
    pub fn class_node(&self, set: CodeSet, not: bool, crossing: Option<&CodeSet>) -> Node {
        let mut closed = set;
        let mut sequences: Vec<Vec<u32>> = Vec::new();
        if self.options.ignore_case
            && let Some(crossing) = crossing
        {
            let mut added = Vec::new();
            let pair = |from: u32, to: u32| {
                if (from < 0x80) == (to < 0x80) || crossing.contains(from) {
                    added.push((to, to));
                }
            };
            self.folding.close(&closed, pair, |codes| sequences.push(codes.to_vec()));
            closed.union(&CodeSet::of_ranges(added));
        }
        if not {
            closed.negate();
            sequences.clear();
        }
        let class = Node::Class(Box::new(closed));
        if sequences.is_empty() {
            return class;
        }
        sequences.sort();
        sequences.dedup();
        let texts = sequences.into_iter().map(|codes| Node::Text(Text { codes, fold: true }));
        Node::Alt(std::iter::once(class).chain(texts).collect())
    }

    fn members(&mut self) -> Result<Bracket> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return syntax("parse depth limit over");
        }
        let mut item = self.item()?;
        let not = matches!(item, Item::Char(0x5e)) && self.codes.get(self.at - 1) == Some(&0x5e) && !self.escaped();
        if not {
            item = self.item()?;
        }
        if matches!(item, Item::Close) {
            if !self.closes_later() {
                return syntax("empty char-class");
            }
            self.class_warning("]");
            item = Item::Char(u32::from(']'));
        }
        let mut before: Option<Members> = None;
        let mut now = Members::default();
        let mut state = State::Start;
        let mut and_start = false;
        loop {
            let mut fetched = None;
            match item {
                Item::Close => break,
                Item::End => return syntax("premature end of char-class"),
                Item::Char(code) => self.value(&mut now, &mut state, code)?,
                Item::Class(class, not) => {
                    let set = self.class_set(class, not, self.options.ascii);
                    let crossing = class != Class::Word;
                    // In Unicode what is limited to ASCII is put together apart, and not asked for.
                    let counted = !self.options.ascii || !self.encoding.is_unicode();
                    self.add_class(&mut now, &mut state, &set, crossing, counted)?;
                }
                Item::Posix => match self.posix()? {
                    Some((set, crossing)) => {
                        let ascii = self.options.ascii && !self.options.posix_all;
                        let counted = !ascii || !self.encoding.is_unicode();
                        self.add_class(&mut now, &mut state, &set, crossing, counted)?;
                    }
                    None => {
                        self.class_warning("[");
                        self.value(&mut now, &mut state, u32::from('['))?;
                    }
                },
                Item::Property(not) => {
                    let (mut set, ascii) = self.property()?;
                    self.room.work(set.ranges().len())?;
                    if not {
                        set.negate();
                    }
                    self.add_class(&mut now, &mut state, &set, !ascii, true)?;
                }
                Item::Minus => {
                    let minus = u32::from('-');
                    let next = match state {
                        State::Range(_) => {
                            self.class_warning("-");
                            self.value(&mut now, &mut state, minus)?;
                            None
                        }
                        State::Start => {
                            let next = self.item()?;
                            if matches!(next, Item::Minus) || and_start {
                                self.class_warning("-");
                            }
                            self.value(&mut now, &mut state, minus)?;
                            Some(next)
                        }
                        _ => {
                            let next = self.item()?;
                            let last = matches!(next, Item::Close);
                            if last || matches!(next, Item::And) || state == State::Complete {
                                if !last {
                                    self.class_warning("-");
                                }
                                self.value(&mut now, &mut state, minus)?;
                            } else if let State::Value(from) = state {
                                state = State::Range(from);
                            } else {
                                return syntax("unmatched range specifier in char-class");
                            }
                            Some(next)
                        }
                    };
                    fetched = next;
                }
                Item::Open => {
                    // What stands before an inner bracket begins no range behind it.
                    let inner = self.members()?.sets();
                    now.all.union(&inner.all);
                    now.crossing.union(&inner.crossing);
                }
                Item::And => {
                    self.flush(&mut now, state);
                    (and_start, state) = (true, State::Start);
                    let done = std::mem::take(&mut now);
                    match &mut before {
                        Some(before) => before.intersect(&done),
                        None => before = Some(done),
                    }
                }
            }
            item = match fetched {
                Some(next) => next,
                None => self.item()?,
            };
        }
        // A range without an end, as in `[a-[b]]`, has no members.
        self.flush(&mut now, state);
        if let Some(mut before) = before {
            before.intersect(&now);
            now = before;
        }
        self.depth -= 1;
        self.room.work(now.all.ranges().len())?;
        Ok(Bracket { members: now, not })
    }

    /// Was the character just read escaped?
    fn escaped(&self) -> bool {
        self.item_escaped
    }

    fn closes_later(&self) -> bool {
        let mut escaped = false;
        for code in &self.codes[self.at..] {
            if escaped {
                escaped = false;
            } else if *code == u32::from(']') {
                return true;
            } else {
                escaped = *code == u32::from('\\');
            }
        }
        false
    }

    fn class_warning(&mut self, what: &str) {
        self.warn(format!("character class has '{what}' without escape"), false);
    }

    fn warn_if_doubled(&mut self, members: &Members, added: &CodeSet) {
        if !self.duplicate && !members.all.is_disjoint(added) {
            self.duplicate = true;
            self.warn("character class has duplicated range".into(), true);
        }
    }

    fn insert(&mut self, members: &mut Members, first: u32, last: u32) {
        if !self.duplicate {
            self.warn_if_doubled(members, &CodeSet::of_range(first, last));
        }
        members.all.add(first, last);
        members.crossing.add(first, last);
    }

    fn flush(&mut self, members: &mut Members, state: State) {
        if let State::Value(code) = state {
            self.insert(members, code, code);
        }
    }

    fn value(&mut self, members: &mut Members, state: &mut State, code: u32) -> Result<()> {
        *state = match *state {
            State::Value(before) => {
                self.insert(members, before, before);
                State::Value(code)
            }
            State::Range(from) => {
                if from > code {
                    return syntax("empty range in char class");
                }
                self.insert(members, from, code);
                State::Complete
            }
            _ => State::Value(code),
        };
        Ok(())
    }

    /// Adds a class, and only then what was read before it; `counted`: what it has already is warned of.
    fn add_class(
        &mut self,
        members: &mut Members,
        state: &mut State,
        set: &CodeSet,
        crossing: bool,
        counted: bool,
    ) -> Result<()> {
        if let State::Range(_) = state {
            return syntax("char-class value at end of range");
        }
        if counted {
            self.warn_if_doubled(members, set);
        }
        members.all.union(set);
        if crossing {
            members.crossing.union(set);
        }
        self.flush(members, *state);
        *state = State::Class;
        Ok(())
    }

    /// The members of a class where the pattern is; `not`: all others.
    pub fn class_set(&self, class: Class, not: bool, ascii: bool) -> CodeSet {
        let mut set = if ascii { class.ascii() } else { class.set(self.encoding) };
        if not {
            set.negate();
        }
        set
    }

    /// The property whose name follows up to `}`, and whether it is `ascii`.
    pub fn property(&mut self) -> Result<(CodeSet, bool)> {
        let begin = self.at;
        let mut end = begin;
        while let Some(c) = self.peek() {
            end = self.at;
            self.at += 1;
            match char::from_u32(c) {
                Some('}') => {
                    let name = self.readable(begin, end);
                    let Some(set) = property(self.encoding, &name) else { break };
                    return Ok((set, name.eq_ignore_ascii_case(b"ascii")));
                }
                Some('(' | ')' | '{' | '|') => break,
                _ => end = self.at,
            }
        }
        named("invalid character property name {", &self.readable(begin, end), "}")
    }

    /// Behind `[:`: the class's members, or `None` if it is no such name.
    fn posix(&mut self) -> Result<Option<(CodeSet, bool)>> {
        let begin = self.at;
        self.at += 1;
        let not = self.take_if('^');
        let rest = &self.codes[self.at..];
        if rest.len() >= 7 {
            for name in [
                "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
                "xdigit", "ascii", "word",
            ] {
                if !rest.iter().copied().take(name.len()).eq(name.bytes().map(u32::from)) {
                    continue;
                }
                let behind = &rest[name.len()..];
                if !behind.starts_with(&[u32::from(':'), u32::from(']')]) {
                    return syntax("invalid POSIX bracket type");
                }
                self.at += name.len() + 2;
                let Some(class) = Class::of_name(name.as_bytes()) else { return Ok(None) };
                let ascii = self.options.ascii && !self.options.posix_all;
                let crossing = class != Class::Word && class != Class::Ascii && !ascii;
                return Ok(Some((self.class_set(class, not, ascii), crossing)));
            }
        }
        let end = rest.iter().take(21).position(|c| *c == u32::from(':') || *c == u32::from(']'));
        if let Some(n) = end
            && rest[n..].starts_with(&[u32::from(':'), u32::from(']')])
        {
            return syntax("invalid POSIX bracket type");
        }
        self.at = begin;
        Ok(None)
    }

    fn item(&mut self) -> Result<Item> {
        self.item_escaped = false;
        self.room.work(1)?;
        let Some(code) = self.take() else { return Ok(Item::End) };
        Ok(match u8::try_from(code) {
            Ok(b']') => Item::Close,
            Ok(b'-') => Item::Minus,
            Ok(b'\\') => {
                self.item_escaped = true;
                return self.escaped_item();
            }
            Ok(b'[') => {
                if self.peek_is(':') && self.posix_closes() {
                    Item::Posix
                } else {
                    Item::Open
                }
            }
            Ok(b'&') if self.take_if('&') => Item::And,
            _ => Item::Char(code),
        })
    }

    /// Does `:]` come before `]`?
    fn posix_closes(&self) -> bool {
        let mut escaped = false;
        let rest = &self.codes[self.at + 1..];
        for (i, code) in rest.iter().enumerate() {
            match char::from_u32(*code) {
                _ if escaped => escaped = false,
                Some(':') if rest.get(i + 1) == Some(&u32::from(']')) => return true,
                Some(']') => return false,
                Some('\\') => escaped = true,
                _ => {}
            }
        }
        false
    }

    fn escaped_item(&mut self) -> Result<Item> {
        let begin = self.at;
        let Some(code) = self.take() else { return syntax("end pattern at escape") };
        let Ok(c) = u8::try_from(code) else { return Ok(Item::Char(code)) };
        Ok(match c {
            b'w' => Item::Class(Class::Word, false),
            b'W' => Item::Class(Class::Word, true),
            b'd' => Item::Class(Class::Digit, false),
            b'D' => Item::Class(Class::Digit, true),
            b's' => Item::Class(Class::Space, false),
            b'S' => Item::Class(Class::Space, true),
            b'h' => Item::Class(Class::Xdigit, false),
            b'H' => Item::Class(Class::Xdigit, true),
            b'p' | b'P' if self.peek().is_some() => {
                if !self.take_if('{') {
                    self.warn(format!("invalid Unicode Property \\{}", c as char), false);
                    return Ok(Item::Char(code));
                }
                Item::Property((c == b'P') ^ self.take_if('^'))
            }
            b'x' if self.peek().is_some() => match self.hex()? {
                Token::Byte(byte) => Item::Char(self.byte_item(byte, 16)?),
                Token::Char(code) => Item::Char(code),
                _ => Item::Char(code),
            },
            b'0'..=b'7' => {
                self.at = begin;
                match self.digits(8, 3).and_then(|n| u8::try_from(n).ok()) {
                    Some(byte) => Item::Char(self.byte_item(byte, 8)?),
                    None => return syntax("too big number"),
                }
            }
            _ => {
                self.at = begin;
                Item::Char(self.escaped_value()?)
            }
        })
    }

    /// The character that a byte, by its number, begins: in an encoding of wider characters the next ones follow.
    fn byte_item(&mut self, byte: u8, base: u32) -> Result<u32> {
        if self.encoding.is_single_byte() || byte < 0x80 && self.encoding.min_len() == 1 {
            return Ok(byte.into());
        }
        let mut bytes = vec![byte];
        loop {
            if let Some((code, _)) = asterism_support::encoding::chars::code_point(self.encoding, &bytes) {
                return Ok(code);
            }
            let next = (bytes.len() < self.encoding.max_len() && self.take_if('\\'))
                .then(|| {
                    if base == 8 || self.take_if('x') { self.digits(base, if base == 8 { 3 } else { 2 }) } else { None }
                })
                .flatten();
            match next.and_then(|n| u8::try_from(n).ok()) {
                Some(byte) => bytes.push(byte),
                None => return syntax("too short multibyte code string"),
            }
        }
    }
}
