//! Texts as instructions: as they are, or whatever the case of their letters.

use asterism_support::encoding::Kind;
use asterism_support::encoding::chars::push_code_point;

use crate::ast::{Node, Text};
use crate::compile::Compiler;
use crate::error::{Result, syntax};
use crate::fold::Folding;
use crate::program::Inst;
use crate::set::CodeSet;

impl Compiler<'_> {
    /// Puts the bytes of characters behind those of the program; false if one cannot occur in the subjects.
    fn encode(&mut self, codes: &[u32]) -> Result<bool> {
        let program = &mut self.program;
        let plain = program.encoding.min_len() == 1;
        for &code in codes {
            if program.ascii && code >= 0x80 {
                return Ok(false);
            }
            if code < 0x80 && plain || program.encoding.kind() == Kind::UsAscii && code < 256 {
                program.bytes.push(code as u8);
            } else if push_code_point(program.encoding, code, &mut program.bytes).is_err() {
                let wide = program.encoding.is_unicode() && code > 0x10_ffff;
                return syntax(if wide { "too big wide-char value" } else { "invalid code point value" });
            }
        }
        Ok(true)
    }

    pub(crate) fn text(&mut self, codes: &[u32]) -> Result<()> {
        let begin = self.program.bytes.len();
        self.program.bytes.reserve(codes.len());
        let possible = self.encode(codes)?;
        let inst = match self.program.bytes[begin..] {
            _ if !possible => Inst::Fail,
            [] => return Ok(()),
            [byte] => Inst::Byte(byte),
            ref bytes => Inst::Bytes(begin as u32, bytes.len() as u32),
        };
        if !matches!(inst, Inst::Bytes(..)) {
            self.program.bytes.truncate(begin);
        }
        self.push(inst)?;
        Ok(())
    }

    /// A text whatever its case.
    pub(crate) fn folded(&mut self, text: &Text) -> Result<()> {
        let cases = Cases { folding: self.folding, ascii: self.program.ascii, behind: self.behind };
        for node in cases.nodes(text) {
            self.node(&node)?;
        }
        Ok(())
    }
}

/// Characters of a run that are read in all ways.
const LONGEST_RUN: usize = 8;

/// What makes texts whatever their case into nodes that say it in full.
pub struct Cases {
    /// What letters equal.
    pub folding: Folding,
    /// Only ASCII subjects are searched.
    pub ascii: bool,
    /// In a look-behind, where no character becomes a sequence.
    pub behind: bool,
}

impl Cases {
    /// A text's characters as sets, sequences that equal one character as alternatives.
    pub fn nodes(&self, text: &Text) -> impl Iterator<Item = Node> {
        let mut codes = Vec::with_capacity(text.codes.len());
        for &code in &text.codes {
            let folded = self.folding.fold(code);
            if self.behind && folded.codes().len() > 1 {
                codes.push(code);
            } else {
                codes.extend_from_slice(folded.codes());
            }
        }
        let mut at = 0;
        let mut run = 0;
        std::iter::from_fn(move || {
            let begin = at;
            let &code = codes.get(begin)?;
            // In ASCII no character equals a sequence.
            if run <= begin && !self.behind && !self.ascii {
                run = self.run_of_sequences(&codes, begin);
            }
            if run <= begin {
                at = begin + 1;
                return Some(self.character(code));
            }
            // A long run is cut.
            at = run.min(begin + LONGEST_RUN);
            Some(self.sequences(&codes[begin..at]))
        })
    }

    fn character(&self, code: u32) -> Node {
        if code < 0x80 && !(code as u8).is_ascii_alphabetic() {
            return Node::text(code, false);
        }
        if self.ascii && code < 0x80 {
            let letter = code as u8;
            let cases = [letter.to_ascii_uppercase(), letter.to_ascii_lowercase()].map(u32::from);
            return Node::Class(Box::new(CodeSet::of_ranges(cases.map(|c| (c, c)))));
        }
        let mut all = self.folding.unfold(self.folding.fold(code).codes());
        all.push(code);
        if self.ascii {
            all.retain(|c| *c < 0x80);
        }
        let set = CodeSet::of_ranges(all.into_iter().map(|c| (c, c)));
        match set.single() {
            Some(code) => Node::text(code, false),
            None => Node::Class(Box::new(set)),
        }
    }

    /// Where a run of characters ends in which neighbours equal a single one; `at` if there is none.
    fn run_of_sequences(&self, codes: &[u32], at: usize) -> usize {
        let mut end = at;
        let mut here = at;
        while here == at || here < end {
            for n in 2..=3 {
                if here + n <= codes.len() && !self.folding.unfold(&codes[here..here + n]).is_empty() {
                    end = end.max(here + n);
                }
            }
            here += 1;
        }
        end
    }

    /// All ways to read a run of characters, which are folded.
    fn sequences(&self, codes: &[u32]) -> Node {
        let Some((first, rest)) = codes.split_first() else { return Node::Empty };
        let class = |codes: &[u32]| {
            let mut all = self.folding.unfold(codes);
            if let [code] = codes {
                all.push(*code);
            }
            Node::Class(Box::new(CodeSet::of_ranges(all.into_iter().map(|c| (c, c)))))
        };
        let mut ways = vec![Node::Seq(vec![class(&[*first]), self.sequences(rest)])];
        for n in 2..=codes.len().min(3) {
            if !self.folding.unfold(&codes[..n]).is_empty() {
                ways.push(Node::Seq(vec![class(&codes[..n]), self.sequences(&codes[n..])]));
            }
        }
        if ways.len() == 1 { ways.swap_remove(0) } else { Node::Alt(ways) }
    }
}
