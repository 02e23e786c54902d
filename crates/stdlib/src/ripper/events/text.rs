//! Strings, symbols, regexps and lists of words. Their parts are those that the scanner has: prism's tree may divide them otherwise.

use super::tokens::kind;
use super::{Events, Val, step};
use ruby_prism::{
    ArrayNode, EmbeddedStatementsNode, EmbeddedVariableNode, InterpolatedStringNode, InterpolatedSymbolNode, Node,
    StringNode, SymbolNode,
};

/// The nodes between the tokens of a literal, in order.
type Parts<'pr> = std::vec::IntoIter<Node<'pr>>;

impl Events<'_> {
    pub(super) fn string_literal(&mut self, node: &StringNode<'_>) -> Val {
        let location = node.location();
        match node.opening_loc() {
            Some(opening) if opening.as_slice() == b"?" => self.token_of(&location),
            Some(opening) => self.quoted_string(opening.start(), Vec::new()),
            // A part of a literal.
            None => self.token_of(&location),
        }
    }

    pub(super) fn interpolated_string(&mut self, node: &InterpolatedStringNode<'_>) -> Val {
        let parts: Vec<Node<'_>> = node.parts().iter().collect();
        if let Some(opening) = node.opening_loc() {
            return self.quoted_string(opening.start(), parts);
        }
        let mut all = None;
        for part in &parts {
            let value = self.node(part);
            all = Some(match all {
                Some(before) => self.event("string_concat", &[before, value]),
                None => value,
            });
            self.ahead(part.location().end());
        }
        all.unwrap_or(Val::NIL)
    }

    /// From the token that begins a String to the one that ends it.
    fn quoted_string(&mut self, start: u32, parts: Vec<Node<'_>>) -> Val {
        let opening = self.tokens.at(start);
        self.through_number(opening);
        let mut contents = self.event("string_content", &[]);
        let closing = self.parts(opening, parts, &mut contents, "string_add");
        self.through_number(closing);
        let contents = self.dedented(opening, closing, contents);
        self.event("string_literal", &[contents])
    }

    /// A `<<~` may be told how far it is indented.
    fn dedented(&mut self, opening: u32, closing: u32, contents: Val) -> Val {
        if self.token_kind(opening) != kind::HEREDOC_START || !self.token_text(opening).starts_with(b"<<~") {
            return contents;
        }
        self.push(&[step::DEDENT, closing]);
        self.push_values(&[contents]);
        self.result()
    }

    /// The parts behind the token `opening`; answers which token ends them.
    fn parts(&mut self, opening: u32, parts: Vec<Node<'_>>, contents: &mut Val, event: &str) -> u32 {
        let mut embedded = embedded(parts);
        let mut at = opening + 1;
        if self.tokens.end_of(opening) == opening && self.token_kind(opening) == kind::HEREDOC_START {
            return opening;
        }
        while let Some(part) = self.part(&mut at, &mut embedded) {
            *contents = self.event(event, &[*contents, part]);
        }
        at
    }

    /// The part that begins with the token `at`, which moves behind it.
    fn part(&mut self, at: &mut u32, embedded: &mut Parts<'_>) -> Option<Val> {
        match self.token_kind(*at) {
            kind::STRING_CONTENT => {
                let value = self.token_number(*at);
                *at += 1;
                // The scanner finds the end of a heredoc together with the text in front of it.
                if self.tokens.get(*at).is_some_and(|t| t.joined) {
                    self.through_number(*at);
                }
                Some(value)
            }
            kind::EMBEXPR_BEGIN | kind::EMBVAR => {
                let node = embedded.next()?;
                let value = self.node(&node);
                let end = node.location().end();
                let last = self.tokens.before(end).unwrap_or(*at);
                *at = last.max(*at) + 1;
                Some(value)
            }
            _ => None,
        }
    }

    pub(super) fn embedded_statements(&mut self, node: &EmbeddedStatementsNode<'_>) -> Val {
        let after = node.opening_loc().end();
        self.through(after);
        let statements = self.compstmt(node.statements().as_ref(), after);
        self.through(node.closing_loc().end());
        self.event("string_embexpr", &[statements])
    }

    pub(super) fn embedded_variable(&mut self, node: &EmbeddedVariableNode<'_>) -> Val {
        self.through(node.operator_loc().end());
        let variable = node.variable();
        let name = self.token_of(&variable.location());
        let back = matches!(variable, Node::BackReferenceReadNode { .. } | Node::NumberedReferenceReadNode { .. });
        let value = if back { name } else { self.event("var_ref", &[name]) };
        self.event("string_dvar", &[value])
    }

    pub(super) fn xstring(&mut self, node: &Node<'_>) -> Val {
        let (opening, parts) = match (node.as_x_string_node(), node.as_interpolated_x_string_node()) {
            (Some(plain), _) => (plain.opening_loc().start(), Vec::new()),
            (_, Some(all)) => (all.opening_loc().start(), all.parts().iter().collect()),
            _ => return Val::NIL,
        };
        let opening = self.tokens.at(opening);
        self.through_number(opening);
        let mut contents = self.event("xstring_new", &[]);
        let closing = self.parts(opening, parts, &mut contents, "xstring_add");
        self.through_number(closing);
        let contents = self.dedented(opening, closing, contents);
        self.event("xstring_literal", &[contents])
    }

    pub(super) fn regexp(&mut self, node: &Node<'_>) -> Val {
        let parts = match (node.as_interpolated_regular_expression_node(), node.as_interpolated_match_last_line_node())
        {
            (Some(regexp), _) => regexp.parts().iter().collect(),
            (_, Some(regexp)) => regexp.parts().iter().collect(),
            _ => Vec::new(),
        };
        let opening = self.tokens.at(node.location().start());
        self.through_number(opening);
        let mut contents = self.event("regexp_new", &[]);
        let closing = self.parts(opening, parts, &mut contents, "regexp_add");
        let end = self.token_number(closing);
        self.event("regexp_literal", &[contents, end])
    }

    pub(super) fn symbol_literal(&mut self, node: &SymbolNode<'_>) -> Val {
        let Some(opening) = node.opening_loc() else {
            return self.token_of(&node.location());
        };
        if opening.as_slice() == b":" {
            self.through(opening.end());
            let name = self.token_number(self.tokens.after(self.tokens.at(opening.start())));
            let symbol = self.event("symbol", &[name]);
            return self.event("symbol_literal", &[symbol]);
        }
        self.quoted_symbol(opening.start(), Vec::new())
    }

    pub(super) fn interpolated_symbol(&mut self, node: &InterpolatedSymbolNode<'_>) -> Val {
        let start = node.opening_loc().map_or(node.location().start(), |l| l.start());
        self.quoted_symbol(start, node.parts().iter().collect())
    }

    fn quoted_symbol(&mut self, start: u32, parts: Vec<Node<'_>>) -> Val {
        let contents = self.symbol_contents(start, parts);
        self.event("dyna_symbol", &[contents])
    }

    /// What is between the quotes of a Symbol: that there is such a thing is known one token later.
    fn symbol_contents(&mut self, start: u32, parts: Vec<Node<'_>>) -> Val {
        let opening = self.tokens.at(start);
        self.through_number(opening);
        if self.token_kind(opening) == kind::SYMBOL_BEGIN {
            self.through_number(self.tokens.after(opening));
        }
        let mut contents = self.event("string_content", &[]);
        let closing = self.parts(opening, parts, &mut contents, "string_add");
        self.through_number(closing);
        contents
    }

    /// The contents of a label in quotes.
    pub(super) fn quoted_label(&mut self, key: &Node<'_>) -> Option<Val> {
        let (opening, parts) = match (key.as_symbol_node(), key.as_interpolated_symbol_node()) {
            (Some(plain), _) => (plain.opening_loc()?, Vec::new()),
            (_, Some(all)) => (all.opening_loc()?, all.parts().iter().collect()),
            _ => return None,
        };
        Some(self.symbol_contents(opening.start(), parts))
    }

    /// `%w[]` and its kin.
    pub(super) fn word_list(&mut self, node: &ArrayNode<'_>, elements: &[Node<'_>]) -> Val {
        let opening = self.tokens.at(node.location().start());
        let (list, word) = match self.token_text(opening).get(1) {
            Some(b'w') => ("qwords", false),
            Some(b'W') => ("words", true),
            Some(b'i') => ("qsymbols", false),
            _ => ("symbols", true),
        };
        let mut at = opening;
        self.next_word(&mut at);
        let mut words = self.event(&format!("{list}_new"), &[]);
        for element in elements {
            let value = if word { self.word_parts(element, &mut at) } else { self.token_number(at) };
            self.next_word(&mut at);
            words = self.event(&format!("{list}_add"), &[words, value]);
        }
        self.through_number(at);
        self.event("array", &[words])
    }

    /// From the last token of a word to the first of the next one, or the end of the list.
    fn next_word(&mut self, at: &mut u32) {
        *at += 1;
        while matches!(self.token_kind(*at), kind::WORDS_SEP | kind::WORDS_SEP_IMPLICIT) {
            *at += 1;
        }
        self.through_number(*at);
    }

    fn word_parts(&mut self, element: &Node<'_>, at: &mut u32) -> Val {
        let parts = match (element.as_interpolated_string_node(), element.as_interpolated_symbol_node()) {
            (Some(string), _) => string.parts().iter().collect(),
            (_, Some(symbol)) => symbol.parts().iter().collect(),
            _ => Vec::new(),
        };
        let mut embedded = embedded(parts);
        let mut word = None;
        while let Some(part) = self.part(at, &mut embedded) {
            let before = match word {
                Some(word) => word,
                None => self.event("word_new", &[]),
            };
            word = Some(self.event("word_add", &[before, part]));
        }
        *at = at.saturating_sub(1);
        word.unwrap_or(Val::NIL)
    }
}

/// The parts that are no text.
fn embedded(parts: Vec<Node<'_>>) -> Parts<'_> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Node::EmbeddedStatementsNode { .. } | Node::EmbeddedVariableNode { .. } => found.push(part),
            // Pieces that stand beside each other without a space.
            Node::InterpolatedStringNode { .. } => {
                if let Some(inner) = part.as_interpolated_string_node() {
                    found.extend(inner.parts().iter().filter(|p| {
                        matches!(p, Node::EmbeddedStatementsNode { .. } | Node::EmbeddedVariableNode { .. })
                    }));
                }
            }
            _ => {}
        }
    }
    found.into_iter()
}
