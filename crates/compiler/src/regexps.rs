//! Regexp literals, with and without interpolation.

use asterism_symbol::{US_ASCII, UTF_8, sym};
use ruby_prism::{InterpolatedRegularExpressionNode, Location, Node, NodeList, RegularExpressionNode};

use crate::code::HandlerKind;
use crate::code::Literal;
use crate::errors::{R, RegexpText};
use crate::opcode::Op;
use crate::regions::Ensure;
use crate::source::Compiler;
use crate::strings::Piece;

/// Option bits of `Regexp#options`.
const IGNORECASE: u32 = 1;
const EXTENDED: u32 = 2;
const MULTILINE: u32 = 4;
const FIXEDENCODING: u32 = 16;
const NOENCODING: u32 = 32;

/// The numbers of the encodings that a Regexp's options can fix.
const EUC_JP: u8 = 10;
const WINDOWS_31J: u8 = 11;

/// What the letters behind a regexp say: option bits, and the encoding that they name.
struct Letters {
    bits: u32,
    encoding: Option<u8>,
}

macro_rules! letters {
    ($node:expr) => {{
        let node = $node;
        let mut bits = 0;
        let mut encoding = node.is_forced_binary_encoding().then_some(0);
        for (on, bit, fixed) in [
            (node.is_ignore_case(), IGNORECASE, None),
            (node.is_extended(), EXTENDED, None),
            (node.is_multi_line(), MULTILINE, None),
            (node.is_utf_8(), FIXEDENCODING, Some(UTF_8)),
            (node.is_ascii_8bit(), NOENCODING, Some(0)),
            (node.is_euc_jp(), FIXEDENCODING, Some(EUC_JP)),
            (node.is_windows_31j(), FIXEDENCODING, Some(WINDOWS_31J)),
        ] {
            if on {
                bits |= bit;
                encoding = fixed.or(encoding);
            }
        }
        Letters { bits, encoding }
    }};
}

/// Where something begins: its offset and its line.
fn place(at: &Location<'_>) -> (usize, i32) {
    (at.start() as usize, at.start_line())
}

/// Nothing in it can be wrong, or be warned of.
fn is_plain(source: &[u8]) -> bool {
    source.iter().all(|c| c.is_ascii_alphanumeric() || b" _-,:;=<>@%\"'!/~`".contains(c))
}

/// The text of a part that is no code: what is written there, or a String literal alone in `#{}`.
fn constant_text<'pr>(part: &Node<'pr>) -> Option<ruby_prism::StringNode<'pr>> {
    if let Some(text) = part.as_string_node() {
        return Some(text);
    }
    let inner = part.as_embedded_statements_node()?.statements()?;
    let mut body = inner.body().iter();
    let first = body.next()?;
    if body.next().is_some() { None } else { first.as_string_node() }
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn regexp_literal(&mut self, node: &RegularExpressionNode<'pr>) -> Literal {
        let at = node.location();
        self.literal_of_text(node.unescaped(), &letters!(node), place(&at))
    }

    /// The literal of a source without code, which starts at an offset and a line.
    fn literal_of_text(&mut self, source: &[u8], letters: &Letters, place: (usize, i32)) -> Literal {
        let encoding = letters.encoding.unwrap_or(self.encoding);
        self.check_later(source, letters.bits, encoding, place, true);
        Literal::Regexp(source.into(), letters.bits, encoding)
    }

    fn check_later(&mut self, source: &[u8], options: u32, encoding: u8, place: (usize, i32), whole: bool) {
        let (at, line) = place;
        if !self.options.internal && !is_plain(source) {
            self.regexps.insert(at, RegexpText { source: source.into(), options, encoding, line, whole });
        }
    }

    /// The pieces of a regexp: text that is written there, and code.
    fn regexp_pieces(&mut self, parts: &NodeList<'pr>, letters: &Letters) -> Vec<Piece<'pr>> {
        let mut out: Vec<Piece<'pr>> = Vec::new();
        for part in parts {
            let Some(text) = constant_text(&part) else {
                if out.is_empty() && parts.iter().count() == 1 {
                    // The encoding that the code's text is taken to.
                    let encoding =
                        letters.encoding.unwrap_or(if self.encoding == US_ASCII { 0 } else { self.encoding });
                    out.push(Piece::Text(Vec::new(), encoding));
                }
                out.push(Piece::Code(part));
                continue;
            };
            let encoding = match letters.encoding {
                Some(encoding) => encoding,
                None if text.is_forced_binary_encoding() => 0,
                None if text.is_forced_utf8_encoding() => UTF_8,
                None => self.encoding,
            };
            let bytes = text.unescaped();
            let at = part.location();
            self.check_later(bytes, letters.bits, encoding, place(&at), false);
            match out.last_mut() {
                Some(Piece::Text(before, known)) if *known == encoding || bytes.is_ascii() || before.is_ascii() => {
                    if !bytes.is_ascii() {
                        *known = encoding;
                    }
                    before.extend_from_slice(bytes);
                }
                _ => out.push(Piece::Text(bytes.to_vec(), encoding)),
            }
        }
        out
    }

    fn dynamic_regexp(&mut self, pieces: &[Piece<'pr>], bits: u32, once: bool, dst: u16) -> R {
        let x = u8::try_from(bits).unwrap_or(0);
        if !once {
            let (base, count) = self.piece_registers(pieces)?;
            return self.f().emit_x(Op::NewRegexp, x, dst, base, count);
        }
        let cell = self.f().once_cell()?;
        let end = self.f().label();
        let value = self.scratch(dst)?;
        self.f().jump_once(value, cell, end)?;
        let register = self.handler_registers()?;
        self.open_region(Some(Ensure::Once(cell)));
        let (base, count) = self.piece_registers(pieces)?;
        self.f().emit_x(Op::NewRegexp, x, value, base, count)?;
        let ranges = self.close_region();
        self.emit(Op::OnceSet, value, cell, 0)?;
        self.f().jump(Op::Jmp, 0, end)?;
        self.handler(&ranges, register, HandlerKind::Ensure);
        self.emit(Op::OnceLeave, 0, cell, 0)?;
        self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
        self.emit(Op::Rethrow, register, 0, 0)?;
        self.f().bind(end);
        self.f().mov(dst, value)
    }

    /// A regexp of parts, which is a literal if none of them is code.
    fn regexp_of(&mut self, parts: &NodeList<'pr>, letters: &Letters, once: bool, place: (usize, i32), dst: u16) -> R {
        let pieces = self.regexp_pieces(parts, letters);
        match pieces.as_slice() {
            [Piece::Text(source, encoding)] => {
                let letters = Letters { bits: letters.bits, encoding: Some(*encoding) };
                let literal = self.literal_of_text(source, &letters, place);
                self.load_literal(literal, dst)
            }
            pieces => self.dynamic_regexp(pieces, letters.bits, once, dst),
        }
    }

    pub(crate) fn interpolated_regexp(&mut self, node: &InterpolatedRegularExpressionNode<'pr>, dst: Option<u16>) -> R {
        let dst = self.some(dst)?;
        let at = node.location();
        self.regexp_of(&node.parts(), &letters!(node), node.is_once(), place(&at), dst)
    }

    /// `if /re/`: matches `$_`.
    pub(crate) fn match_last_line(&mut self, node: &Node<'pr>, dst: Option<u16>) -> R {
        let dst = self.some(dst)?;
        let base = self.temp()?;
        let argument = self.temp()?;
        let at = node.location();
        let place = place(&at);
        if let Some(n) = node.as_match_last_line_node() {
            let literal = self.literal_of_text(n.unescaped(), &letters!(&n), place);
            self.load_literal(literal, base)?;
        } else if let Some(n) = node.as_interpolated_match_last_line_node() {
            self.regexp_of(&n.parts(), &letters!(&n), n.is_once(), place, base)?;
        }
        self.named(Op::GetGlobal, argument, b"$_")?;
        let site = self.f().plain_site(sym::MATCH, 1, 0)?;
        self.emit(Op::Call, base, dst, site)
    }
}
