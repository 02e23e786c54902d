//! Literals: numbers, symbols, arrays, hashes, ranges.

use asterism_symbol::{US_ASCII, UTF_8, intern};
use num_bigint::{BigInt, BigUint, Sign};
use ruby_prism::{ArrayNode, CallNode, HashNode, Integer, Node, NodeList, RangeNode, SymbolNode};

use crate::calls::{CHUNK, Shape};
use crate::code::{Changes, Literal};
use crate::errors::R;
use crate::opcode::Op;
use crate::source::Compiler;
use crate::symbols::symbol;

fn big(value: &Integer<'_>) -> BigInt {
    let (negative, digits) = value.to_u32_digits();
    let magnitude = BigUint::from_slice(digits);
    let sign = if magnitude == BigUint::from(0u8) {
        Sign::NoSign
    } else if negative {
        Sign::Minus
    } else {
        Sign::Plus
    };
    BigInt::from_biguint(sign, magnitude)
}

fn integer(value: &Integer<'_>) -> Literal {
    let value = big(value);
    match i64::try_from(&value) {
        Ok(small) => Literal::Int(small),
        Err(_) => Literal::Big(Box::new(value)),
    }
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn symbol_encoding(&self, node: &SymbolNode<'pr>) -> u8 {
        if node.is_forced_utf8_encoding() {
            UTF_8
        } else if node.is_forced_binary_encoding() {
            0
        } else if node.is_forced_us_ascii_encoding() {
            US_ASCII
        } else {
            self.encoding
        }
    }

    /// The literal that `node` is, if its value is immutable and known now.
    pub(crate) fn literal_of(&mut self, node: &Node<'pr>) -> R<Option<Literal>> {
        Ok(Some(match node {
            Node::NilNode { .. } => Literal::Nil,
            Node::TrueNode { .. } => Literal::True,
            Node::FalseNode { .. } => Literal::False,
            Node::SourceLineNode { .. } => Literal::Int(i64::from(node.location().start_line())),
            _ => {
                if let Some(n) = node.as_integer_node() {
                    integer(&n.value())
                } else if let Some(n) = node.as_float_node() {
                    Literal::Float(n.value())
                } else if let Some(n) = node.as_rational_node() {
                    Literal::Rational(Box::new((big(&n.numerator()), big(&n.denominator()))))
                } else if let Some(n) = node.as_imaginary_node() {
                    match self.literal_of(&n.numeric())? {
                        Some(part) => Literal::Imaginary(Box::new(part)),
                        None => return Ok(None),
                    }
                } else if let Some(n) = node.as_symbol_node() {
                    Literal::Sym(symbol(n.unescaped(), self.symbol_encoding(&n))?)
                } else if let Some(n) = node.as_regular_expression_node() {
                    self.regexp_literal(&n)
                } else if let Some(n) = node.as_string_node() {
                    if !n.is_frozen() {
                        return Ok(None);
                    }
                    self.string_literal(&n, Changes::Frozen)
                } else {
                    return Ok(None);
                }
            }
        }))
    }

    /// Loads what `dispatch` takes for a constant value.
    pub(crate) fn load_constant(&mut self, node: &Node<'pr>, dst: u16) -> R {
        if let Some(string) = node.as_string_node() {
            let literal = self.string_literal(&string, Changes::of(string.is_frozen(), string.is_mutable()));
            return self.load_string(literal, dst);
        }
        if let Some(file) = node.as_source_file_node() {
            let literal = Literal::Str(file.filepath().into(), UTF_8, Changes::of(file.is_frozen(), file.is_mutable()));
            return self.load_string(literal, dst);
        }
        match self.literal_of(node)? {
            Some(Literal::Int(n)) => self.load_int(n, dst),
            Some(literal) => self.load_literal(literal, dst),
            None => self.not_supported("a literal of this kind"),
        }
    }

    pub(crate) fn source_encoding(&mut self, dst: Option<u16>) -> R {
        let Some(dst) = dst else { return Ok(()) };
        let name = self.encoding_name.replace('-', "_");
        self.get_const(&[intern("Encoding"), intern(&name)], true, dst)
    }

    pub(crate) fn array(&mut self, node: &ArrayNode<'pr>, dst: Option<u16>) -> R {
        let elements: Vec<Node<'pr>> = node.elements().iter().collect();
        let Some(dst) = dst else {
            // Only the effects count; a splat still calls `to_a`.
            if elements.iter().any(|e| e.as_splat_node().is_some()) {
                let t = self.temp()?;
                return self.array_of(&elements, t);
            }
            for element in &elements {
                self.effect(element)?;
            }
            return Ok(());
        };
        let target = self.scratch(dst)?;
        self.array_of(&elements, target)?;
        self.f().mov(dst, target)
    }

    /// The elements as a literal, if all are.
    fn literals_of(&mut self, elements: &[Node<'pr>]) -> R<Option<Box<[Literal]>>> {
        let mut all = Vec::with_capacity(elements.len());
        for element in elements {
            match self.literal_of(element)? {
                Some(literal) => all.push(literal),
                None => return Ok(None),
            }
        }
        Ok(Some(all.into()))
    }

    /// r[dst] = a new Array of the elements, splats spread. `dst` is no local variable.
    pub(crate) fn array_of(&mut self, elements: &[Node<'pr>], dst: u16) -> R {
        if !elements.is_empty()
            && let Some(literals) = self.literals_of(elements)?
        {
            let lit = self.f().wide_literal(Literal::Array(literals))?;
            return self.f().emit_bc(Op::DupArray, dst, lit);
        }
        if let [only] = elements
            && let Some(splat) = only.as_splat_node()
        {
            let mark = self.mark();
            let value = self.splat_operand(&splat)?;
            self.emit(Op::SplatArray, dst, value, 0)?;
            self.release(mark);
            return Ok(());
        }
        // It is made where it begins, wherever its elements stand.
        let line = self.f().line;
        let mut made = false;
        let mut at = 0;
        while at < elements.len() || !made {
            let mark = self.mark();
            let mut count = 0u16;
            let mut base = dst;
            let single = |e: &Node<'pr>| e.as_splat_node().is_none() && splats_of(e).is_none();
            while at < elements.len() && usize::from(count) < CHUNK && single(&elements[at]) {
                let register = self.temp()?;
                if count == 0 {
                    base = register;
                }
                self.expr(&elements[at], Some(register))?;
                count += 1;
                at += 1;
            }
            if !made {
                self.f().line = line;
                self.emit(Op::NewArray, dst, base, count)?;
                made = true;
            } else if count > 0 {
                self.emit(Op::ArrayAppend, dst, base, count)?;
            }
            self.release(mark);
            if at < elements.len()
                && let Some(splat) = elements[at].as_splat_node()
            {
                let value = self.splat_operand(&splat)?;
                self.emit(Op::ArraySplat, dst, value, 0)?;
                self.release(mark);
                at += 1;
            }
            if at < elements.len()
                && let Some(splats) = splats_of(&elements[at])
            {
                let hash = self.temp()?;
                self.hash_elements(&splats, hash)?;
                self.emit(Op::ArrayAppendHash, dst, hash, 0)?;
                self.release(mark);
                at += 1;
            }
        }
        Ok(())
    }

    /// `[a, b].max` and `.min`: no Array is made of Integers or Floats.
    pub(crate) fn extreme_of_literal(&mut self, node: &CallNode<'pr>, dst: Option<u16>) -> R<bool> {
        let op = match node.name().as_slice() {
            b"max" => Op::MaxOf,
            b"min" => Op::MinOf,
            _ => return Ok(false),
        };
        if node.arguments().is_some() || node.block().is_some() || node.is_safe_navigation() {
            return Ok(false);
        }
        let Some(literal) = node.receiver().and_then(|r| r.as_array_node()) else { return Ok(false) };
        let elements: Vec<Node<'pr>> = literal.elements().iter().collect();
        let is_single = |e: &Node<'pr>| e.as_splat_node().is_none() && e.as_keyword_hash_node().is_none();
        if !(2..=CHUNK).contains(&elements.len()) || !elements.iter().all(is_single) {
            return Ok(false);
        }
        let mark = self.mark();
        let result = self.temp()?;
        let base = result + 1;
        for element in &elements {
            let register = self.temp()?;
            self.expr(element, Some(register))?;
        }
        let count = elements.len() as u16;
        let known = self.f().label();
        self.call_line(node);
        self.emit(op, result, base, count)?;
        self.f().jump(Op::JmpDef, result, known)?;
        self.emit(Op::NewArray, base, base, count)?;
        let name = self.sym(node.name().as_slice())?;
        let site = self.f().site(Shape::default().site(name, 0))?;
        self.f().emit_x(Op::Call, 0, base, result, site)?;
        self.f().bind(known);
        self.move_to(dst, result)?;
        self.release(mark);
        Ok(true)
    }

    pub(crate) fn hash(&mut self, node: &HashNode<'pr>, dst: Option<u16>) -> R {
        let target = match dst {
            Some(dst) => self.scratch(dst)?,
            None => self.temp()?,
        };
        self.hash_elements(&node.elements(), target)?;
        self.move_to(dst, target)
    }

    pub(crate) fn hash_elements(&mut self, elements: &NodeList<'pr>, dst: u16) -> R {
        let elements: Vec<Node<'pr>> = elements.iter().collect();
        let target = self.scratch(dst)?;
        self.hash_of(&elements, target)?;
        self.f().mov(dst, target)
    }

    /// r[dst] = a new Hash. `dst` is no local variable.
    pub(crate) fn hash_of(&mut self, elements: &[Node<'pr>], dst: u16) -> R {
        let mut made = false;
        let mut at = 0;
        while at < elements.len() || !made {
            let mark = self.mark();
            let mut count = 0u16;
            let mut base = dst;
            while at < elements.len() && usize::from(count) < CHUNK {
                let Some(assoc) = elements[at].as_assoc_node() else {
                    break;
                };
                let key = self.temp()?;
                let value = self.temp()?;
                if count == 0 {
                    base = key;
                }
                self.hash_key(&assoc.key(), key)?;
                self.expr(&assoc.value(), Some(value))?;
                count += 2;
                at += 1;
            }
            if !made {
                self.emit(Op::NewHash, dst, base, count)?;
                made = true;
            } else if count > 0 {
                self.emit(Op::HashAppend, dst, base, count)?;
            }
            self.release(mark);
            if at < elements.len()
                && let Some(splat) = elements[at].as_assoc_splat_node()
            {
                let value = match splat.value() {
                    Some(value) => Some(self.operand(&value)?),
                    None => {
                        let name = self.sym(b"**")?;
                        match self.anonymous(name)? {
                            Some(place) => Some(self.place_operand(place)?),
                            None => None,
                        }
                    }
                };
                if let Some(value) = value {
                    self.emit(Op::HashMerge, dst, value, 0)?;
                }
                self.release(mark);
                at += 1;
            }
        }
        Ok(())
    }

    /// A literal String as a key is frozen anyway, so all executions may share one.
    fn hash_key(&mut self, key: &Node<'pr>, dst: u16) -> R {
        match key.as_string_node() {
            Some(string) => self.frozen_string(&string, dst),
            None => self.expr(key, Some(dst)),
        }
    }

    pub(crate) fn range(&mut self, node: &Node<'pr>, range: &RangeNode<'pr>, dst: Option<u16>) -> R {
        let (left, right) = (range.left(), range.right());
        if let Some(literal) = self.range_literal(range)? {
            return match dst {
                Some(dst) => self.load_literal(literal, dst),
                None => Ok(()),
            };
        }
        self.line_of(node);
        let d = self.some(dst)?;
        let from = match (&left, &right) {
            (Some(left), Some(right)) => self.operand_before(left, &[right])?,
            (Some(left), None) => self.operand(left)?,
            (None, _) => {
                let t = self.temp()?;
                self.nil(Some(t))?;
                t
            }
        };
        let to = match &right {
            Some(right) => self.operand(right)?,
            None => {
                let t = self.temp()?;
                self.nil(Some(t))?;
                t
            }
        };
        self.f().emit_x(Op::NewRange, u8::from(range.is_exclude_end()), d, from, to)
    }

    /// A range of numbers (or nil), which is made once.
    pub(crate) fn range_literal(&mut self, range: &RangeNode<'pr>) -> R<Option<Literal>> {
        let mut ends = [Literal::Nil, Literal::Nil];
        for (end, node) in ends.iter_mut().zip([range.left(), range.right()]) {
            let Some(node) = node else { continue };
            match self.literal_of(&node)? {
                Some(literal @ (Literal::Int(_) | Literal::Nil)) => *end = literal,
                _ => return Ok(None),
            }
        }
        let [from, to] = ends;
        Ok(Some(Literal::Range(Box::new(from), Box::new(to), range.is_exclude_end())))
    }
}

/// The elements of a last Hash without braces, if they are nothing but `**`: of an empty one nothing is left.
fn splats_of<'pr>(element: &Node<'pr>) -> Option<NodeList<'pr>> {
    let elements = element.as_keyword_hash_node()?.elements();
    elements.iter().all(|e| e.as_assoc_splat_node().is_some()).then_some(elements)
}
