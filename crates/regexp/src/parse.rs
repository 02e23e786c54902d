//! From a pattern to its syntax tree. The language is Onigmo's with Ruby's syntax; messages are its own.

use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::{code_point, push_code_point};

use crate::ast::{Back, Callee, Condition, Look, Node, Repeat, Text, UNBOUNDED};
use crate::cluster::clusters;
use crate::error::{Result, syntax};
use crate::fold::{Folding, spell_out};
use crate::room::Room;
use crate::set::CodeSet;
use crate::token::Token;

/// Deepest nesting.
pub const MAX_DEPTH: usize = 4096;
/// Most groups.
const MAX_GROUPS: u32 = 32_767;

/// What letters of options say where the parser is.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `i`
    pub ignore_case: bool,
    /// `x`
    pub extended: bool,
    /// `m`: `.` matches newlines
    pub dot_all: bool,
    /// `\w`, `\d`, `\s` are ASCII
    pub ascii: bool,
    /// but POSIX brackets are not
    pub posix_all: bool,
    /// and `\b` is not
    pub word_all: bool,
}

impl Options {
    /// As a pattern begins with.
    pub fn new(ignore_case: bool, extended: bool, dot_all: bool) -> Options {
        Options { ignore_case, extended, dot_all, ascii: true, posix_all: true, word_all: true }
    }
}

/// A warning about a pattern.
#[derive(Clone, Debug)]
pub struct Warning {
    /// What it says, without the pattern.
    pub message: String,
    /// Given with `-W` only.
    pub verbose: bool,
}

/// What is known of a group.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// It has a name.
    pub named: bool,
}

/// A parser at work.
pub struct Parser<'a> {
    /// The pattern's characters.
    pub codes: Vec<u32>,
    /// The one that comes next.
    pub at: usize,
    /// Where the token that was read last begins.
    pub token_begin: usize,
    /// The encoding of what is matched.
    pub encoding: Encoding,
    /// Case folding in it.
    pub folding: Folding,
    /// What is on here.
    pub options: Options,
    /// How deep here.
    pub depth: usize,
    /// The groups that are open here.
    open: Vec<u32>,
    /// Groups so far.
    pub groups: u32,
    /// What is known of them; the first one is the whole pattern.
    pub group_list: Vec<Group>,
    /// Names with their groups, in the order of the pattern.
    pub names: Vec<(Vec<u8>, Vec<u32>)>,
    /// Whom calls mean.
    pub calls: Vec<Callee>,
    /// What is to be warned of.
    pub warnings: Vec<Warning>,
    /// A doubled range has been warned of.
    pub duplicate: bool,
    /// The last item of a bracket was escaped.
    pub item_escaped: bool,
    /// What it may take.
    pub room: &'a Room<'a>,
    source: &'a [u8],
    source_encoding: Encoding,
}

/// What a pattern is made of.
pub struct Tree {
    /// The whole.
    pub node: Node,
    /// How many groups.
    pub groups: u32,
    /// What is known of them.
    pub group_list: Vec<Group>,
    /// Their names.
    pub names: Vec<(Vec<u8>, Vec<u32>)>,
    /// Whom calls mean.
    pub calls: Vec<Callee>,
}

/// What a quantifier applies to, and what stands before that.
struct Piece {
    before: Option<Node>,
    target: Node,
}

/// Parses a pattern in `source_encoding` for subjects in `encoding`; `warnings`: what is to be warned of, even if the
/// pattern is wrong further on.
///
/// # Errors
/// `Error::Syntax` if it is wrong; `Error::Memory`, `Error::Ended` by what `room` allows.
pub fn parse(
    source: &[u8],
    source_encoding: Encoding,
    encoding: Encoding,
    folding: Folding,
    options: Options,
    room: &Room<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Tree> {
    room.take(source.len() * size_of::<u32>())?;
    let mut codes = Vec::with_capacity(source.len());
    if source.is_ascii() && source_encoding.is_ascii_compatible() {
        codes.extend(source.iter().map(|b| u32::from(*b)));
    } else {
        let mut at = 0;
        while at < source.len() {
            let (code, n) = code_point(source_encoding, &source[at..]).unwrap_or((source[at].into(), 1));
            codes.push(code);
            at += n;
        }
    }
    let mut parser = Parser {
        codes,
        at: 0,
        token_begin: 0,
        encoding,
        folding,
        options,
        depth: 0,
        open: Vec::new(),
        groups: 0,
        group_list: vec![Group::default()],
        names: Vec::new(),
        calls: Vec::new(),
        warnings: Vec::new(),
        duplicate: false,
        item_escaped: false,
        room,
        source,
        source_encoding,
    };
    let parsed = parser.token().and_then(|first| parser.alternatives(first, &Token::End));
    warnings.append(&mut parser.warnings);
    let (node, _) = parsed?;
    Ok(Tree { node, groups: parser.groups, group_list: parser.group_list, names: parser.names, calls: parser.calls })
}

impl Parser<'_> {
    /// The characters from one to another as bytes of the pattern.
    pub fn bytes(&self, begin: usize, end: usize) -> Vec<u8> {
        let end = end.min(self.codes.len());
        let begin = begin.min(end);
        if self.source.len() == self.codes.len() {
            return self.source[begin..end].to_vec();
        }
        let mut out = Vec::new();
        for code in &self.codes[begin..end] {
            if push_code_point(self.source_encoding, *code, &mut out).is_err() {
                out.push(*code as u8);
            }
        }
        out
    }

    /// The same, readable whatever the encoding.
    pub fn readable(&self, begin: usize, end: usize) -> Vec<u8> {
        if self.source_encoding.min_len() == 1 {
            return self.bytes(begin, end);
        }
        let end = end.min(self.codes.len());
        let codes = &self.codes[begin.min(end)..end];
        codes.iter().map(|c| char::from_u32(*c).unwrap_or('?')).collect::<String>().into_bytes()
    }

    /// Notes a warning.
    pub fn warn(&mut self, message: String, verbose: bool) {
        self.warnings.push(Warning { message, verbose });
    }

    /// The groups of a name.
    pub fn named_groups(&self, name: &[u8]) -> &[u32] {
        self.names.iter().find(|(n, _)| n == name).map_or(&[], |(_, groups)| groups)
    }

    /// Alternatives up to `end`, beginning with a token that has been read; also the token that ended them.
    fn alternatives(&mut self, first: Token, end: &Token) -> Result<(Node, Token)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return syntax("parse depth limit over");
        }
        let (node, mut token) = self.branch(first, end)?;
        let mut all = vec![node];
        while token == Token::Alt {
            let first = self.token()?;
            let (node, next) = self.branch(first, end)?;
            all.push(node);
            token = next;
        }
        if token != *end {
            return syntax(if *end == Token::Close {
                "end pattern with unmatched parenthesis"
            } else {
                "internal parser error (bug)"
            });
        }
        self.depth -= 1;
        let node = if all.len() == 1 { all.swap_remove(0) } else { Node::Alt(all) };
        Ok((node, token))
    }

    fn branch(&mut self, mut token: Token, end: &Token) -> Result<(Node, Token)> {
        let mut parts = Vec::new();
        loop {
            if token == *end || token == Token::Alt || token == Token::End {
                break;
            }
            let before = parts.len();
            token = self.expression(token, end, &mut parts)?;
            for part in parts.get(before..).unwrap_or_default() {
                self.room.take(size_of::<Node>() + part.own_size())?;
            }
        }
        let node = match parts.len() {
            0 => Node::Empty,
            1 => parts.swap_remove(0),
            _ => Node::Seq(parts),
        };
        Ok((node, token))
    }

    /// Reads one expression with its quantifiers into `parts`; the token behind it.
    fn expression(&mut self, token: Token, end: &Token, parts: &mut Vec<Node>) -> Result<Token> {
        let depth = self.depth;
        let mut group = false;
        let mut next = None;
        let node = match token {
            Token::Open => match self.group()? {
                Opened::Node(node) => node,
                Opened::Plain(node) => {
                    group = true;
                    node
                }
                Opened::Options(options) => {
                    let before = std::mem::replace(&mut self.options, options);
                    let first = self.token()?;
                    let (node, token) = self.alternatives(first, end)?;
                    self.options = before;
                    // Kept together: alternatives end here, and are not those of what is around.
                    parts.push(Node::Seq(vec![node]));
                    return Ok(token);
                }
            },
            Token::Close => return syntax("unmatched close parenthesis"),
            Token::Char(code) => {
                let (node, token) = self.text(code)?;
                next = Some(token);
                node
            }
            Token::Byte(byte) => {
                let (code, token) = self.raw_bytes(byte)?;
                next = Some(token);
                Node::text(code, self.options.ignore_case)
            }
            Token::Any => Node::Any(self.options.dot_all),
            Token::Class(class, not) => Node::Class(Box::new(self.class_set(class, not, self.options.ascii))),
            Token::Property(not) => {
                let (set, ascii) = self.property()?;
                let crossing = (!ascii).then(|| set.clone());
                self.class_node(set, not, crossing.as_ref())
            }
            Token::Back(groups, by_name, level) => {
                let groups: Vec<u32> = groups.into_iter().rev().collect();
                let within = groups.iter().any(|group| self.open.contains(group));
                Node::Back(Box::new(Back { groups, by_name, within, level, fold: self.options.ignore_case }))
            }
            Token::Call(name, number, relative) => self.call_node(name, number, relative)?,
            Token::Anchor(anchor) => Node::Anchor(anchor),
            Token::Keep => Node::Keep,
            Token::Repeat(..) => return syntax("target of repeat operator is not specified"),
            Token::Bracket => {
                let node = self.bracket()?;
                match node {
                    Node::Text(text) => {
                        let (node, token) = self.text(text.codes[0])?;
                        next = Some(token);
                        node
                    }
                    node => node,
                }
            }
            Token::LineBreak => self.line_break(),
            Token::Cluster => self.cluster(),
            Token::End | Token::Alt => Node::Empty,
        };
        let mut piece = Piece { before: None, target: node };
        let mut token = match next {
            Some(token) => token,
            None => self.token()?,
        };
        let mut quantifiers = 0;
        while let Token::Repeat(min, max, greedy, possessive) = token {
            quantifiers += 1;
            if depth + quantifiers > MAX_DEPTH {
                return syntax("parse depth limit over");
            }
            piece = self.quantify(piece, (min, max, greedy, possessive), group);
            group = false;
            token = self.token()?;
        }
        parts.extend(piece.before);
        parts.push(piece.target);
        Ok(token)
    }

    /// The characters from `first` on that are not told apart by anything.
    fn text(&mut self, first: u32) -> Result<(Node, Token)> {
        let plain = self.plain_ahead()?;
        let mut codes = Vec::with_capacity(1 + plain.len());
        codes.push(first);
        codes.extend_from_slice(&self.codes[plain]);
        loop {
            match self.token()? {
                Token::Char(code) => {
                    codes.push(code);
                    let plain = self.plain_ahead()?;
                    codes.extend_from_slice(&self.codes[plain]);
                }
                token => return Ok((Node::Text(Text { codes, fold: self.options.ignore_case }), token)),
            }
        }
    }

    /// Passes over the characters that stand for themselves wherever they are outside of brackets; where they lie.
    fn plain_ahead(&mut self) -> Result<std::ops::Range<usize>> {
        let begin = self.at;
        let plain = |code: &&u32| {
            u8::try_from(**code).is_ok_and(|c| c.is_ascii_alphanumeric() || b"_/-:=,;<>\"'@%&!~".contains(&c))
        };
        self.at += self.codes[begin..].iter().take_while(plain).count();
        self.room.work(self.at - begin)?;
        Ok(begin..self.at)
    }

    /// A character of bytes by their numbers, and the token behind it.
    fn raw_bytes(&mut self, first: u8) -> Result<(u32, Token)> {
        let mut bytes = vec![first];
        let single = self.encoding.is_single_byte();
        loop {
            if single {
                return Ok((first.into(), self.token()?));
            }
            if let Some((code, _)) = code_point(self.encoding, &bytes) {
                return Ok((code, self.token()?));
            }
            match self.token()? {
                Token::Byte(byte) if bytes.len() < self.encoding.max_len() => bytes.push(byte),
                _ => return syntax("too short multibyte code string"),
            }
        }
    }

    fn call_node(&mut self, name: Vec<u8>, number: Option<i64>, relative: bool) -> Result<Node> {
        let callee = match number {
            None if !relative => Callee::Name(name),
            number => {
                let mut n = number.unwrap_or(0);
                if n < 0 || relative {
                    if n > 0 {
                        n -= 1;
                    }
                    n += i64::from(self.groups) + 1;
                    if n <= 0 {
                        return syntax("invalid backref number/name");
                    }
                }
                Callee::Group(u32::try_from(n).unwrap_or(u32::MAX), name)
            }
        };
        self.calls.push(callee);
        Ok(Node::Call(self.calls.len() - 1))
    }

    /// Puts a quantifier to what was read; of a text it takes the last character.
    fn quantify(&mut self, piece: Piece, repeat: (u32, u32, bool, bool), group: bool) -> Piece {
        let (min, max, greedy, possessive) = repeat;
        let Piece { mut before, mut target } = piece;
        let wrap = |node: Node| if possessive { Node::Atomic(Box::new(node)) } else { node };
        if (min, max) == (1, 1) {
            return Piece { before, target: if possessive { wrap(target) } else { target } };
        }
        if let Node::Text(text) = &mut target
            && !group
            && text.codes.len() > 1
            && let Some(last) = text.codes.pop()
        {
            let fold = text.fold;
            before = Some(target);
            target = Node::text(last, fold);
        }
        let mut repeat = Repeat { node: Node::Empty, min, max, greedy };
        if let Node::Repeat(inner) = &target {
            let (inner_kind, outer_kind) = (popular(inner), popular(&repeat));
            if let (Some(inner), Some(outer)) = (inner_kind, outer_kind) {
                self.warn_of_nested(inner, outer);
                return Piece { before, target: wrap(reduce(target, repeat, inner, outer)) };
            }
            // (?:a*){n,m} is (?:a*){n,n}
            if matches!(inner_kind, Some(1 | 2)) && repeat.max != UNBOUNDED && repeat.max > 1 && repeat.greedy {
                repeat.max = repeat.min.max(1);
            }
        }
        if let Node::Text(text) = &target
            && let Some(spelled) = spell_out(text, &mut repeat, self.encoding)
        {
            return Piece { before, target: wrap(spelled) };
        }
        repeat.node = target;
        Piece { before, target: wrap(Node::Repeat(Box::new(repeat))) }
    }

    fn warn_of_nested(&mut self, inner: usize, outer: usize) {
        const SHOWN: [&str; 6] = ["?", "*", "+", "??", "*?", "+?"];
        let becomes = match REDUCED[inner][outer] {
            Reduced::AsIs => return,
            Reduced::Inner => {
                let message = format!("regular expression has redundant nested repeat operator '{}'", SHOWN[inner]);
                return self.warn(message, false);
            }
            Reduced::Star => "*",
            Reduced::StarLazy => "*?",
            Reduced::QuestionLazy => "??",
            Reduced::PlusInQuestionLazy => "+ and ??",
        };
        let message = format!(
            "nested repeat operator '{}' and '{}' was replaced with '{becomes}' in regular expression",
            SHOWN[inner], SHOWN[outer]
        );
        self.warn(message, false);
    }

    /// `\R`
    fn line_break(&self) -> Node {
        let mut set = CodeSet::of_range(10, 13);
        if self.encoding.is_unicode() {
            set.add(0x85, 0x85);
            set.add(0x2028, 0x2029);
        }
        let both = Node::Text(Text { codes: vec![13, 10], fold: false });
        Node::Atomic(Box::new(Node::Alt(vec![both, Node::Class(Box::new(set))])))
    }

    /// `\X`: a cluster as Unicode's annex 29 defines it.
    fn cluster(&self) -> Node {
        let mut alternatives = vec![Node::Text(Text { codes: vec![13, 10], fold: false })];
        if self.encoding.is_unicode() {
            alternatives.extend(clusters().iter().cloned());
        }
        alternatives.push(Node::Any(true));
        Node::Atomic(Box::new(Node::Alt(alternatives)))
    }

    fn new_group(&mut self, name: Option<Vec<u8>>) -> Result<u32> {
        if self.groups >= MAX_GROUPS {
            return syntax("too many capture groups are specified");
        }
        self.groups += 1;
        let number = self.groups;
        self.group_list.push(Group { named: name.is_some() });
        if let Some(name) = name {
            match self.names.iter_mut().find(|(n, _)| *n == name) {
                Some((_, groups)) => groups.push(number),
                None => self.names.push((name, vec![number])),
            }
        }
        Ok(number)
    }

    fn inside(&mut self) -> Result<Node> {
        let first = self.token()?;
        Ok(self.alternatives(first, &Token::Close)?.0)
    }

    /// A group whose `(` has been read.
    fn group(&mut self) -> Result<Opened> {
        if self.peek().is_none() {
            return syntax("end pattern with unmatched parenthesis");
        }
        if !self.take_if('?') {
            let number = self.new_group(None)?;
            return self.capture(number);
        }
        let Some(c) = self.take() else { return syntax("end pattern in group") };
        let node = match char::from_u32(c) {
            Some(':') => return Ok(Opened::Plain(self.inside()?)),
            Some('=') => Node::Look(Look::Ahead, Box::new(self.inside()?)),
            Some('!') => Node::Look(Look::NotAhead, Box::new(self.inside()?)),
            Some('>') => Node::Atomic(Box::new(self.inside()?)),
            Some('~') => Node::Absent(Box::new(self.inside()?)),
            Some('\'') => return self.named_group('\''),
            Some('<') => match self.peek() {
                None => return syntax("end pattern with unmatched parenthesis"),
                Some(0x3d) => {
                    self.at += 1;
                    Node::Look(Look::Behind, Box::new(self.inside()?))
                }
                Some(0x21) => {
                    self.at += 1;
                    Node::Look(Look::NotBehind, Box::new(self.inside()?))
                }
                Some(_) => return self.named_group('>'),
            },
            Some('(') => self.condition()?,
            Some('-' | 'i' | 'm' | 's' | 'x' | 'a' | 'd' | 'l' | 'u') => return self.option_group(c),
            _ => return syntax("undefined group option"),
        };
        Ok(Opened::Node(node))
    }

    fn named_group(&mut self, close: char) -> Result<Opened> {
        let (name, _) = self.name(close, false)?;
        let number = self.new_group(Some(name))?;
        self.capture(number)
    }

    fn capture(&mut self, number: u32) -> Result<Opened> {
        self.open.push(number);
        let node = self.inside()?;
        self.open.pop();
        Ok(Opened::Node(Node::Capture(number, Box::new(node))))
    }

    /// `(?(`
    fn condition(&mut self) -> Result<Node> {
        let Some(c) = self.take() else { return syntax("undefined group option") };
        let (group, by_name) = match char::from_u32(c) {
            Some('0'..='9') => {
                self.at -= 1;
                let (_, number) = self.name(')', true)?;
                (u32::try_from(number.unwrap_or(0)).unwrap_or(u32::MAX), false)
            }
            Some('<' | '\'') => {
                let token = self.condition_name(if c == u32::from('<') { '>' } else { '\'' })?;
                if !self.take_if(')') {
                    return syntax("undefined group option");
                }
                match token {
                    Token::Back(groups, ..) => (groups.first().copied().unwrap_or(0), true),
                    _ => (0, true),
                }
            }
            _ => return syntax("invalid conditional pattern"),
        };
        let node = self.inside()?;
        let (yes, no) = match node {
            Node::Alt(mut all) if all.len() <= 2 => {
                let no = all.pop().unwrap_or(Node::Empty);
                (all.pop().unwrap_or(Node::Empty), no)
            }
            Node::Alt(_) => return syntax("invalid conditional pattern"),
            node => (node, Node::Empty),
        };
        Ok(Node::Condition(Box::new(Condition { group, by_name, yes, no })))
    }

    /// Options behind `(?`, the first one of which is `c`.
    fn option_group(&mut self, mut c: u32) -> Result<Opened> {
        let mut options = self.options;
        let mut on = true;
        loop {
            match char::from_u32(c) {
                Some(')') => return Ok(Opened::Options(options)),
                Some(':') => {
                    let before = std::mem::replace(&mut self.options, options);
                    let node = self.inside();
                    self.options = before;
                    // Not a plain group: nothing looks into it.
                    return Ok(Opened::Node(Node::Seq(vec![node?])));
                }
                Some('-') => on = false,
                Some('x') => options.extended = on,
                Some('i') => options.ignore_case = on,
                Some('m') => options.dot_all = on,
                Some('a') if on => (options.ascii, options.posix_all, options.word_all) = (true, false, false),
                Some('u') if on => (options.ascii, options.posix_all, options.word_all) = (false, false, false),
                Some('d') if on => (options.ascii, options.posix_all, options.word_all) = (true, true, true),
                _ => return syntax("undefined group option"),
            }
            match self.take() {
                Some(next) => c = next,
                None => return syntax("end pattern in group"),
            }
        }
    }
}

/// What a bracket was.
enum Opened {
    Node(Node),
    /// `(?:…)`
    Plain(Node),
    /// `(?i)`: up to the end of what is around.
    Options(Options),
}

/// How one of the six common quantifiers in another becomes one.
#[derive(Clone, Copy)]
enum Reduced {
    AsIs,
    Inner,
    Star,
    StarLazy,
    QuestionLazy,
    PlusInQuestionLazy,
}

/// By the inner and the outer one, of `? * + ?? *? +?`.
const REDUCED: [[Reduced; 6]; 6] = {
    use Reduced::{AsIs, Inner, PlusInQuestionLazy, QuestionLazy, Star, StarLazy};
    [
        [Inner, Star, Star, QuestionLazy, StarLazy, AsIs],
        [Inner, Inner, Inner, PlusInQuestionLazy, PlusInQuestionLazy, Inner],
        [Star, Star, Inner, AsIs, PlusInQuestionLazy, Inner],
        [Inner, StarLazy, StarLazy, Inner, StarLazy, StarLazy],
        [Inner, Inner, Inner, Inner, Inner, Inner],
        [AsIs, AsIs, AsIs, StarLazy, StarLazy, Inner],
    ]
};

fn popular(repeat: &Repeat) -> Option<usize> {
    let kind = match (repeat.min, repeat.max) {
        (0, 1) => 0,
        (0, UNBOUNDED) => 1,
        (1, UNBOUNDED) => 2,
        _ => return None,
    };
    Some(if repeat.greedy { kind } else { kind + 3 })
}

fn reduce(target: Node, mut outer: Repeat, inner_kind: usize, outer_kind: usize) -> Node {
    let Node::Repeat(mut inner) = target else { return target };
    let (min, max, greedy) = match REDUCED[inner_kind][outer_kind] {
        Reduced::Inner => return Node::Repeat(inner),
        Reduced::Star => (0, UNBOUNDED, true),
        Reduced::StarLazy => (0, UNBOUNDED, false),
        Reduced::QuestionLazy => (0, 1, false),
        Reduced::PlusInQuestionLazy => {
            (inner.min, inner.max, inner.greedy) = (1, UNBOUNDED, true);
            return Node::Repeat(Box::new(Repeat { node: Node::Repeat(inner), min: 0, max: 1, greedy: false }));
        }
        Reduced::AsIs => {
            outer.node = Node::Repeat(inner);
            return Node::Repeat(Box::new(outer));
        }
    };
    Node::Repeat(Box::new(Repeat { node: inner.node, min, max, greedy }))
}
