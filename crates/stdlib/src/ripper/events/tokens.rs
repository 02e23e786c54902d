//! Where the tokens lie: which one begins or ends somewhere, and which one the grammar reads next.

use super::super::lexer::Token;

/// prism's numbers of the types of tokens that are looked for.
pub mod kind {
    pub const EOF: u32 = 1;
    pub const COMMA: u32 = 3;
    pub const NEWLINE: u32 = 14;
    pub const NEWLINE_TERMINATOR: u32 = 15;
    pub const SEMICOLON: u32 = 18;
    pub const COMMENT: u32 = 43;
    pub const EMBDOC_BEGIN: u32 = 48;
    pub const EMBDOC_END: u32 = 49;
    pub const EMBDOC_LINE: u32 = 50;
    pub const EMBEXPR_BEGIN: u32 = 51;
    pub const EMBVAR: u32 = 52;
    pub const HEREDOC_END: u32 = 67;
    pub const HEREDOC_START: u32 = 68;
    pub const IGNORED_NEWLINE: u32 = 70;
    pub const UMINUS_NUM: u32 = 163;
    pub const STRING_CONTENT: u32 = 154;
    pub const SYMBOL_BEGIN: u32 = 156;
    pub const LABEL_END: u32 = 117;
    pub const REGEXP_END: u32 = 146;
    pub const STRING_END: u32 = 155;
    pub const WORDS_SEP: u32 = 167;
    pub const WORDS_SEP_IMPLICIT: u32 = 168;
    /// What begins a literal: `%i[`, `%w[`, `%x(`, `%I[`, `%W[`, regexps, Strings, Symbols, commands.
    pub const BEGINNINGS: [u32; 9] = [134, 135, 136, 137, 138, 145, 153, SYMBOL_BEGIN, 169];
}

/// The tokens of a source, by their place in it and by their order.
pub struct Tokens<'a> {
    all: &'a [Token],
    /// The numbers of the tokens that the grammar reads, by where they begin.
    by_start: Vec<u32>,
    /// By the number of a token, the end of the heredoc that it begins; the token itself for others.
    ends: Vec<u32>,
    /// By the number of a token, the next one that the grammar reads.
    following: Vec<u32>,
}

impl<'a> Tokens<'a> {
    /// Sorts what is known of the tokens.
    pub fn new(all: &'a [Token]) -> Self {
        let count = all.len() as u32;
        let mut by_start: Vec<u32> = (0..count).filter(|&i| is_read(&all[i as usize])).collect();
        by_start.sort_by_key(|&i| all[i as usize].start);
        let mut ends: Vec<u32> = (0..count).collect();
        let mut open = Vec::new();
        for (i, token) in (0..count).zip(all) {
            match token.kind {
                kind::HEREDOC_START => open.push(i),
                kind::HEREDOC_END => {
                    if let Some(start) = open.pop() {
                        ends[start as usize] = i;
                    }
                }
                _ => {}
            }
        }
        let mut following = vec![count; all.len()];
        let mut next = count;
        for (i, token) in all.iter().enumerate().rev() {
            following[i] = next;
            if is_read(token) || token.kind == kind::EOF {
                next = i as u32;
            }
        }
        Self { all, by_start, ends, following }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// The token of that number.
    pub fn get(&self, number: u32) -> Option<&'a Token> {
        self.all.get(number as usize)
    }

    /// The token that begins at that byte, or holds it.
    pub fn at(&self, start: u32) -> u32 {
        let after = self.by_start.partition_point(|&i| self.all[i as usize].start <= start);
        after.checked_sub(1).map_or(0, |i| self.by_start[i])
    }

    /// The last token in front of that byte; of a heredoc, its end.
    pub fn before(&self, end: u32) -> Option<u32> {
        let after = self.by_start.partition_point(|&i| self.all[i as usize].start < end);
        after.checked_sub(1).map(|i| self.ends[self.by_start[i] as usize])
    }

    /// The end of the heredoc that the token begins, or the token.
    pub fn end_of(&self, number: u32) -> u32 {
        self.ends.get(number as usize).copied().unwrap_or(number)
    }

    /// The first token that the grammar reads.
    pub fn first(&self) -> u32 {
        match self.all.first() {
            Some(token) if is_read(token) => 0,
            _ => self.after(0),
        }
    }

    /// The next token behind that one which the grammar reads.
    pub fn after(&self, number: u32) -> u32 {
        self.following.get(number as usize).copied().unwrap_or(self.count())
    }

    /// Is it one of those that may end a statement?
    pub fn ends_statement(&self, number: u32) -> bool {
        self.get(number).is_some_and(|t| matches!(t.kind, kind::NEWLINE | kind::NEWLINE_TERMINATOR | kind::SEMICOLON))
    }
}

/// Does the grammar see that token?
fn is_read(token: &Token) -> bool {
    !matches!(
        token.kind,
        kind::EOF | kind::COMMENT | kind::EMBDOC_BEGIN | kind::EMBDOC_LINE | kind::EMBDOC_END | kind::IGNORED_NEWLINE
    )
}
