//! The parser's events, from prism's tree: a list of steps that Ruby follows (`steps.rb`). A step has the scanner's events
//! of some more tokens sent, or calls a handler with results of earlier steps. So no Ruby code runs while the tree is walked, and
//! the walk needs no machine stack of the program's.
//!
//! CRuby's grammar is LALR(1): whether an event comes before or after the token that follows is a matter of its tables. Here
//! `through` has tokens sent up to the last one of a rule, `ahead` the one behind it too.

mod arguments;
mod assignment;
mod block;
mod call;
mod control;
mod definition;
mod literal;
mod node;
mod parameters;
mod pattern;
mod statements;
mod target;
mod text;
mod tokens;

use super::lexer::Token;
use ruby_prism::Location;
use std::collections::HashMap;
use tokens::Tokens;
pub use tokens::kind;

/// The result of a step, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Val(u32);

impl Val {
    /// `nil`.
    pub const NIL: Self = Self(0);
    /// `false`.
    pub const FALSE: Self = Self(1);
}

/// The numbers of the constants come first.
const CONSTANTS: u32 = 2;

/// The steps, as `steps.rb` reads them: each a number of its type and its operands.
mod step {
    /// All tokens up to that one: number.
    pub const THROUGH: u32 = 0;
    /// The result of a token's event: number.
    pub const TOKEN: u32 = 1;
    /// A name as a Symbol: name.
    pub const SYMBOL: u32 = 2;
    /// An Array: count, values.
    pub const ARRAY: u32 = 3;
    /// An event: name, count, values.
    pub const EVENT: u32 = 4;
    /// `heredoc_dedent` of a heredoc, if it is indented: the token that ends it, value.
    pub const DEDENT: u32 = 5;
    /// A message as a String: name.
    pub const STRING: u32 = 6;
}

/// What is left of a walk.
#[derive(Debug, Default)]
pub struct Steps {
    /// The steps.
    pub code: Vec<u32>,
    /// The names that they refer to.
    pub names: Vec<Vec<u8>>,
    /// Was the tree deeper than the walk goes?
    pub too_deep: bool,
}

/// A walk over a tree.
pub struct Events<'a> {
    source: &'a [u8],
    tokens: &'a Tokens<'a>,
    steps: Steps,
    numbers: HashMap<Vec<u8>, u32>,
    results: u32,
    /// So many tokens have been sent.
    sent: u32,
    /// So deep is the tree here.
    depth: u32,
    too_deep: bool,
    /// Was the last node a command with a block of `do`, or a call on such a one?
    block_call: bool,
    /// Are these the parameters of a block?
    of_block: bool,
    /// Is this an operand, where a jump can have no arguments?
    operand: bool,
    /// Is the block of the next command that of the jump it is an argument of?
    hold_block: bool,
    /// What cannot be assigned to, by where it begins, with the message of that.
    unassignable: HashMap<u32, String>,
}

/// The steps for a source and its tokens. `text` is what prism parsed.
pub fn steps(
    text: &[u8],
    lexed: &[Token],
    program: &ruby_prism::Node<'_>,
    unassignable: HashMap<u32, String>,
) -> Steps {
    let tokens = Tokens::new(lexed);
    let mut events = Events {
        source: text,
        tokens: &tokens,
        steps: Steps::default(),
        numbers: HashMap::new(),
        results: CONSTANTS,
        sent: 0,
        depth: 0,
        too_deep: false,
        block_call: false,
        of_block: false,
        operand: false,
        hold_block: false,
        unassignable,
    };
    events.node(program);
    events.through_number(tokens.count().saturating_sub(1));
    events.steps.too_deep = events.too_deep;
    events.steps
}

/// Is that the message of an error in what is assigned to?
pub fn is_about_assignment(message: &str) -> bool {
    message == "dynamic constant assignment"
        || ["Can't set variable ", "Can't change the value of self", "Can't assign to "]
            .iter()
            .any(|m| message.starts_with(m))
}

/// The walk goes no deeper than this: a level may take 12 kB of the machine stack that it has (`lexer.rs`).
const DEPTH: u32 = 20_000;

impl Events<'_> {
    /// One node deeper, if that is not too deep.
    fn descend(&mut self) -> bool {
        if self.depth == DEPTH {
            self.too_deep = true;
            return false;
        }
        self.depth += 1;
        true
    }

    fn ascend(&mut self) {
        self.depth -= 1;
    }

    fn push(&mut self, words: &[u32]) {
        self.steps.code.extend_from_slice(words);
    }

    fn result(&mut self) -> Val {
        self.results += 1;
        Val(self.results - 1)
    }

    fn name(&mut self, name: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.steps.names.len() as u32;
        self.steps.names.push(name.to_vec());
        self.numbers.insert(name.to_vec(), number);
        number
    }

    /// The events of the scanner up to the token of that number.
    fn through_number(&mut self, number: u32) {
        if number >= self.sent {
            self.sent = number + 1;
            self.push(&[step::THROUGH, number]);
        }
    }

    /// All tokens in front of that byte.
    fn through(&mut self, end: u32) {
        if let Some(number) = self.tokens.before(end) {
            self.through_number(number);
        }
    }

    /// All tokens in front of that byte, and the one that the grammar reads next.
    fn ahead(&mut self, end: u32) {
        let next = match self.tokens.before(end) {
            Some(number) => self.tokens.after(number),
            None => self.tokens.first(),
        };
        self.through_number(next);
    }

    /// The number of the next token behind that byte.
    fn next_of(&self, end: u32) -> u32 {
        match self.tokens.before(end) {
            Some(number) => self.tokens.after(number),
            None => self.tokens.first(),
        }
    }

    /// The tokens that may stand between statements, and the one behind them.
    fn ahead_of_terms(&mut self, end: u32) {
        let mut next = self.next_of(end);
        while self.tokens.ends_statement(next) {
            next = self.tokens.after(next);
        }
        self.through_number(next);
    }

    /// What the scanner's event of the token at that byte gave.
    fn token(&mut self, start: u32) -> Val {
        let number = self.tokens.at(start);
        self.token_number(number)
    }

    fn token_number(&mut self, number: u32) -> Val {
        self.through_number(number);
        self.push(&[step::TOKEN, number]);
        self.result()
    }

    fn token_of(&mut self, location: &Location<'_>) -> Val {
        self.token(location.start())
    }

    /// Calls a handler.
    fn event(&mut self, name: &str, values: &[Val]) -> Val {
        let name = self.name(name.as_bytes());
        self.push(&[step::EVENT, name, values.len() as u32]);
        self.push_values(values);
        self.result()
    }

    fn push_values(&mut self, values: &[Val]) {
        self.steps.code.extend(values.iter().map(|v| v.0));
    }

    fn array(&mut self, values: &[Val]) -> Val {
        self.push(&[step::ARRAY, values.len() as u32]);
        self.push_values(values);
        self.result()
    }

    fn symbol(&mut self, name: &[u8]) -> Val {
        let name = self.name(name);
        self.push(&[step::SYMBOL, name]);
        self.result()
    }

    fn string(&mut self, text: &str) -> Val {
        let name = self.name(text.as_bytes());
        self.push(&[step::STRING, name]);
        self.result()
    }

    /// The source at that place.
    fn text(&self, start: u32, end: u32) -> &[u8] {
        self.source.get(start as usize..end as usize).unwrap_or_default()
    }

    fn token_kind(&self, number: u32) -> u32 {
        self.tokens.get(number).map_or(kind::EOF, |t| t.kind)
    }

    fn token_text(&self, number: u32) -> &[u8] {
        self.tokens.get(number).map_or(&[], |t| self.text(t.start, t.start + t.length))
    }
}
