//! Strings, dynamic symbols and commands, with and without interpolation.

use asterism_symbol::{UTF_8, sym};
use ruby_prism::{
    InterpolatedStringNode, InterpolatedSymbolNode, InterpolatedXStringNode, MatchWriteNode, Node, NodeList,
    StringNode, XStringNode,
};

use crate::code::{Changes, Literal, flags};
use crate::errors::R;
use crate::opcode::Op;
use crate::source::Compiler;
use crate::symbols::symbol;

/// A piece of an interpolated string.
pub(crate) enum Piece<'pr> {
    Text(Vec<u8>, u8),
    Code(Node<'pr>),
}

impl<'pr> Compiler<'_, 'pr> {
    fn string_encoding(&self, utf8: bool, binary: bool) -> u8 {
        if utf8 {
            UTF_8
        } else if binary {
            0
        } else {
            self.encoding
        }
    }

    pub(crate) fn string_literal(&mut self, node: &StringNode<'pr>, changes: Changes) -> Literal {
        let encoding = self.string_encoding(node.is_forced_utf8_encoding(), node.is_forced_binary_encoding());
        Literal::Str(node.unescaped().into(), encoding, changes)
    }

    pub(crate) fn frozen_string(&mut self, node: &StringNode<'pr>, dst: u16) -> R {
        let literal = self.string_literal(node, Changes::Frozen);
        self.load_string(literal, dst)
    }

    /// A frozen String is shared, another made anew.
    pub(crate) fn load_string(&mut self, literal: Literal, dst: u16) -> R {
        let frozen = matches!(&literal, Literal::Str(_, _, Changes::Frozen));
        let lit = self.f().wide_literal(literal)?;
        self.f().emit_bc(if frozen { Op::LoadLit } else { Op::NewStr }, dst, lit)
    }

    /// Flattens parts and joins neighbouring texts.
    fn pieces(&mut self, parts: &NodeList<'pr>, out: &mut Vec<Piece<'pr>>) {
        for part in parts {
            if let Some(text) = part.as_string_node() {
                let encoding = self.string_encoding(text.is_forced_utf8_encoding(), text.is_forced_binary_encoding());
                let bytes = text.unescaped();
                if let Some(Piece::Text(before, enc)) = out.last_mut()
                    && (*enc == encoding || bytes.is_ascii() || before.is_ascii())
                {
                    if !bytes.is_ascii() {
                        *enc = encoding;
                    }
                    before.extend_from_slice(bytes);
                } else {
                    out.push(Piece::Text(bytes.to_vec(), encoding));
                }
            } else if let Some(inner) = part.as_interpolated_string_node() {
                self.pieces(&inner.parts(), out);
            } else {
                out.push(Piece::Code(part));
            }
        }
    }

    /// Evaluates the pieces to Strings in consecutive new registers.
    pub(crate) fn piece_registers(&mut self, pieces: &[Piece<'pr>]) -> R<(u16, u16)> {
        let mut base = None;
        for piece in pieces {
            let register = self.temp()?;
            base.get_or_insert(register);
            match piece {
                Piece::Text(bytes, encoding) => {
                    // A part is only read, so one frozen String will do for all executions.
                    self.load_literal(Literal::Str(bytes.as_slice().into(), *encoding, Changes::Frozen), register)?;
                }
                Piece::Code(node) => {
                    self.expr(node, Some(register))?;
                    let site = self.f().plain_site(sym::to_s, 0, flags::FCALL)?;
                    self.f().emit2(Op::ToS, 0, (register, register, 0), u32::from(site), 0)?;
                }
            }
        }
        let base = match base {
            Some(base) => base,
            None => self.temp()?,
        };
        match u16::try_from(pieces.len()) {
            Ok(count) => Ok((base, count)),
            Err(_) => self.f().limit("parts of a string"),
        }
    }

    fn join(&mut self, pieces: &[Piece<'pr>], dst: u16) -> R {
        let (base, count) = self.piece_registers(pieces)?;
        self.emit(Op::Concat, dst, base, count)
    }

    pub(crate) fn interpolated_string(&mut self, node: &InterpolatedStringNode<'pr>, dst: Option<u16>) -> R {
        let mut pieces = Vec::new();
        self.pieces(&node.parts(), &mut pieces);
        let changes = Changes::of(node.is_frozen(), node.is_mutable());
        match pieces.as_slice() {
            [] => match dst {
                Some(dst) => self.load_string(Literal::Str(Box::new([]), self.encoding, changes), dst),
                None => Ok(()),
            },
            [Piece::Text(bytes, encoding)] => match dst {
                Some(dst) => {
                    let literal = Literal::Str(bytes.as_slice().into(), *encoding, changes);
                    self.load_string(literal, dst)
                }
                None => Ok(()),
            },
            [Piece::Code(_)] => {
                // A text in ASCII has the encoding of the source.
                pieces.insert(0, Piece::Text(Vec::new(), self.encoding));
                let dst = self.some(dst)?;
                self.join(&pieces, dst)
            }
            _ => {
                let dst = self.some(dst)?;
                self.join(&pieces, dst)
            }
        }
    }

    pub(crate) fn interpolated_symbol(&mut self, node: &InterpolatedSymbolNode<'pr>, dst: Option<u16>) -> R {
        let mut pieces = Vec::new();
        self.pieces(&node.parts(), &mut pieces);
        let dst = self.some(dst)?;
        if let [Piece::Text(bytes, encoding)] = pieces.as_slice() {
            let name = symbol(bytes, *encoding)?;
            return self.load_literal(Literal::Sym(name), dst);
        }
        let t = self.temp()?;
        self.join(&pieces, t)?;
        self.emit(Op::Intern, dst, t, 0)
    }

    /// `/(?<x>…)/ =~ s`: the named groups become local variables.
    pub(crate) fn match_write(&mut self, node: &MatchWriteNode<'pr>, dst: Option<u16>) -> R {
        let result = self.temp()?;
        self.expr(&node.call().as_node(), Some(result))?;
        let md = self.temp()?;
        self.named(Op::GetGlobal, md, b"$~")?;
        let failed = self.f().label();
        let end = self.f().label();
        self.f().jump(Op::JmpNil, md, failed)?;
        for target in &node.targets() {
            let Some(local) = target.as_local_variable_target_node() else {
                continue;
            };
            let mark = self.mark();
            let name = self.sym(local.name().as_slice())?;
            let value = self.temp()?;
            let base = self.temp()?;
            let key = self.temp()?;
            self.f().mov(base, md)?;
            self.load_literal(Literal::Sym(name), key)?;
            let site = self.f().plain_site(sym::AREF, 1, 0)?;
            self.emit(Op::Call, base, value, site)?;
            let place = self.place(name, local.depth())?;
            self.write_place(place, value)?;
            self.release(mark);
        }
        self.f().jump(Op::Jmp, 0, end)?;
        self.f().bind(failed);
        let nil = self.temp()?;
        self.nil(Some(nil))?;
        for target in &node.targets() {
            let Some(local) = target.as_local_variable_target_node() else {
                continue;
            };
            let name = self.sym(local.name().as_slice())?;
            let place = self.place(name, local.depth())?;
            self.write_place(place, nil)?;
        }
        self.f().bind(end);
        self.move_to(dst, result)
    }

    fn command(&mut self, dst: Option<u16>, text: impl FnOnce(&mut Self, u16) -> R) -> R {
        let base = self.temp()?;
        let argument = self.temp()?;
        text(self, argument)?;
        let site = self.f().plain_site(sym::BACKTICK, 1, flags::FCALL)?;
        self.emit(Op::CallSelf, base, dst.unwrap_or(base), site)
    }

    pub(crate) fn x_string(&mut self, node: &XStringNode<'pr>, dst: Option<u16>) -> R {
        let encoding = self.string_encoding(node.is_forced_utf8_encoding(), node.is_forced_binary_encoding());
        let literal = Literal::Str(node.unescaped().into(), encoding, Changes::Frozen);
        self.command(dst, |c, register| c.load_string(literal, register))
    }

    pub(crate) fn interpolated_x_string(&mut self, node: &InterpolatedXStringNode<'pr>, dst: Option<u16>) -> R {
        let mut pieces = Vec::new();
        self.pieces(&node.parts(), &mut pieces);
        self.command(dst, |c, register| c.join(&pieces, register))
    }
}
