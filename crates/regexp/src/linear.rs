//! What `Regexp.linear_time?` says: does a search take time proportional to its subject? CRuby decides it by the
//! instructions that it makes of the pattern: by their sizes, as those say which repeats are spelled out, and by which
//! repeats it makes atomic on its own.

use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::push_code_point;

use crate::analyse::{Facts, Lengths};
use crate::ast::{Look, Node, Repeat, Text, UNBOUNDED};
use crate::fold::Folding;
use crate::set::{CodeSet, MAX_CODE};

/// Does a search take time proportional to its subject?
pub fn is_linear(node: &Node, facts: &Facts, encoding: Encoding) -> bool {
    if !facts.callees.is_empty() {
        return false;
    }
    let lengths = Lengths { places: &[], facts, within: None };
    Sizes { encoding, folding: Folding::new(encoding, false), lengths }.of(node, Around::default()).is_some()
}

/// What is around a node.
#[derive(Clone, Copy, Default)]
struct Around {
    look: bool,
    atomic: bool,
    repeat: bool,
}

/// A branch or a jump.
const JUMP: u64 = 5;
/// A counted loop, without its body.
const COUNTED: u64 = 10;
/// The check of an iteration that may be empty.
const CHECK: u64 = 6;
/// A set of bytes with its instruction.
const BYTES: u64 = 33;
/// Bytes up to which repeats are spelled out.
const SPELLED: u64 = 50;
/// Bytes up to which a text is put together as often as it must occur.
const TOGETHER: u64 = 100;

/// Alternatives up to which a character that equals several is spelled out.
const MOST_WAYS: usize = 8;

struct Sizes<'a> {
    encoding: Encoding,
    folding: Folding,
    lengths: Lengths<'a>,
}

/// What a node begins with, if that is one thing.
enum Head<'a> {
    Text(&'a Text),
    Class(&'a CodeSet),
}

/// `\w` or `\W`, which are instructions of their own.
fn is_word(set: &CodeSet) -> bool {
    matches!(set.ranges(), [(0x30, 0x39), (0x41, 0x5a), _, _] | [(0, 0x2f), (0x3a, 0x40), _, _, _])
}

fn is_character_repeated(node: &Node) -> bool {
    match node {
        Node::Repeat(repeat) => match &repeat.node {
            Node::Text(text) => text.codes.len() == 1,
            inner => is_character_repeated(inner),
        },
        _ => false,
    }
}

/// A grapheme cluster, of which CRuby never says it is linear.
fn is_cluster(inner: &Node) -> bool {
    let Node::Alt(nodes) = inner else { return false };
    matches!(&nodes[..], [Node::Text(_), Node::Class(_), Node::Seq(_), Node::Any(true)])
}

impl Sizes<'_> {
    /// How many bytes a node's code has in CRuby; `None` if its failures depend on more than the place.
    fn of(&self, node: &Node, around: Around) -> Option<u64> {
        Some(match node {
            Node::Back(_) | Node::Call(_) | Node::Absent(_) | Node::Condition(_) => return None,
            Node::Empty => 0,
            Node::Text(text) => self.text(text, 1),
            Node::Class(set) => self.class(set),
            Node::Any(_) | Node::Anchor(_) | Node::Keep => 1,
            Node::Seq(nodes) => self.sequence(nodes, around)?,
            Node::Alt(nodes) => self.sum(nodes, around)? + 2 * JUMP * nodes.len().saturating_sub(1) as u64,
            Node::Capture(_, inner) => {
                if around.look || around.atomic {
                    return None;
                }
                self.of(inner, around)? + 6
            }
            Node::Atomic(inner) => {
                if around.look || around.atomic || is_cluster(inner) {
                    return None;
                }
                self.of(inner, Around { atomic: true, ..around })? + 2
            }
            Node::Look(Look::Behind, inner) => {
                let ways = self.lengths.behind(inner).map_or(1, |lengths| lengths.len() as u64);
                self.of(inner, around)? + 5 * ways
            }
            Node::Look(look, inner) => {
                if around.atomic {
                    return None;
                }
                let own = match look {
                    Look::Ahead => 2,
                    Look::NotAhead => 6,
                    _ => 10,
                };
                self.of(inner, Around { look: true, ..around })? + own
            }
            Node::Repeat(repeat) => self.repeat(repeat, around)?,
        })
    }

    fn sum(&self, nodes: &[Node], around: Around) -> Option<u64> {
        nodes.iter().try_fold(0u64, |n, node| Some(n.saturating_add(self.of(node, around)?)))
    }

    fn sequence(&self, nodes: &[Node], around: Around) -> Option<u64> {
        let own = (1..nodes.len()).filter(|i| self.becomes_atomic(&nodes[..*i], &nodes[*i])).count() as u64;
        if own > 0 && (around.look || around.atomic) {
            return None;
        }
        Some(self.sum(nodes, around)?.saturating_add(2 * own))
    }

    /// Bytes of a character.
    fn width(&self, code: u32) -> u64 {
        if code < 0x80 {
            return self.encoding.min_len() as u64;
        }
        let mut bytes = Vec::new();
        let _ = push_code_point(self.encoding, code, &mut bytes);
        bytes.len().max(1) as u64
    }

    fn bytes(&self, text: &Text) -> u64 {
        text.codes.iter().map(|code| self.width(*code)).sum()
    }

    /// A text so many times: characters of one width are one instruction.
    fn text(&self, text: &Text, times: u64) -> u64 {
        if text.fold {
            return self.folded(text, times);
        }
        let mut size = 0;
        let mut widths = text.codes.iter().map(|code| self.width(*code)).peekable();
        let alike = text.codes.iter().all(|code| self.width(*code) == self.width(text.codes[0]));
        let times_each = if alike { times } else { 1 };
        while let Some(width) = widths.next() {
            let mut count = 1;
            while widths.next_if_eq(&width).is_some() {
                count += 1;
            }
            count *= times_each;
            let short = width == 1 && count <= 5 || width == 2 && count <= 3;
            size += width * count
                + match width {
                    _ if short => 1,
                    1..=3 => 5,
                    _ => 9,
                };
        }
        if alike { size } else { size * times }
    }

    /// A text whatever its case: one instruction, but for letters whose other case has another width.
    fn folded(&self, text: &Text, times: u64) -> u64 {
        if !self.varies(text) {
            let bytes = self.bytes(text) * times;
            return bytes + if text.codes.len() as u64 * times > 1 { 5 } else { 1 };
        }
        let each = |code: &u32| match self.ways(*code) {
            0 => self.width(*code),
            ways => {
                let bytes: u64 = self.folding.fold(*code).codes().iter().map(|code| self.width(*code)).sum();
                self.width(*code) + 1 + ways as u64 * (bytes + 1 + 2 * JUMP)
            }
        };
        text.codes.iter().map(each).sum::<u64>() * times
    }

    /// How many sequences of several characters equal one, case apart.
    fn ways(&self, code: u32) -> usize {
        match self.folding.fold(code).codes() {
            [_] => 0,
            codes => codes.iter().map(|code| self.folding.unfold(&[*code]).len()).product(),
        }
    }

    /// Does a text whatever its case become alternatives, as one character equals several?
    fn varies(&self, text: &Text) -> bool {
        if !text.fold || !self.encoding.is_unicode() {
            return false;
        }
        let folds = |code: &u32| (2..MOST_WAYS).contains(&self.ways(*code));
        let several = |codes: &[u32]| !self.folding.unfold(codes).is_empty();
        text.codes.iter().any(folds) || text.codes.windows(2).any(several) || text.codes.windows(3).any(several)
    }

    fn class(&self, set: &CodeSet) -> u64 {
        if is_word(set) {
            return 1;
        }
        let wide = self.encoding.min_len() > 1;
        if self.encoding.is_single_byte() {
            return BYTES;
        }
        let ranges = set.ranges();
        let high = |ranges: &[(u32, u32)]| ranges.iter().filter(|range| wide || range.1 >= 0x80).count() as u64;
        // What has all others is said by what it lacks.
        let lacks = ranges.last().is_some_and(|range| range.1 == MAX_CODE);
        let count = if lacks { high(set.negated().ranges()) } else { high(ranges) };
        match count {
            0 => BYTES,
            _ if wide => 9 + 8 * count,
            _ => BYTES + 8 + 8 * count,
        }
    }

    /// A text that a repeat is put together to, and how often.
    fn spelled_text<'a>(&self, repeat: &'a Repeat) -> Option<(&'a Text, u64)> {
        match &repeat.node {
            Node::Text(text) if repeat.min > 1 && !self.varies(text) => {
                let copies = (TOGETHER / self.bytes(text).max(1)).clamp(1, repeat.min.into());
                Some((text, copies))
            }
            _ => None,
        }
    }

    fn repeat(&self, repeat: &Repeat, around: Around) -> Option<u64> {
        if repeat.max == 0 {
            return Some(0);
        }
        let (mut min, mut max) = (u64::from(repeat.min), u64::from(repeat.max));
        let endless = repeat.max == UNBOUNDED;
        let mut before = 0;
        if let Some((text, copies)) = self.spelled_text(repeat) {
            before = self.text(text, copies);
            (min, max) = (min - copies, if endless { max } else { max - copies });
            if max == 0 {
                return Some(before);
            }
        }
        let size = self.of(&repeat.node, Around { repeat: true, ..around })?;
        if endless && repeat.greedy && matches!(repeat.node, Node::Any(_)) {
            return Some(before + size * min + 1);
        }
        let checked = if self.lengths.min(&repeat.node) == 0 { size + CHECK } else { size };
        let spelled = if endless {
            min <= 1 || size.saturating_mul(min) <= SPELLED
        } else {
            repeat.greedy && (max == 1 || (size + JUMP).saturating_mul(max) <= SPELLED) || (min, max) == (0, 1)
        };
        if !spelled && around.repeat {
            return None;
        }
        let own = match (spelled, endless) {
            (false, _) => checked + COUNTED,
            (true, true) if min == 1 && size > SPELLED => JUMP + checked + 2 * JUMP,
            (true, true) => size.saturating_mul(min).saturating_add(checked + 2 * JUMP),
            (true, false) if !repeat.greedy && max == 1 => size + 2 * JUMP,
            (true, false) => size * max + JUMP * (max - min),
        };
        Some(before.saturating_add(own))
    }

    /// `x*` before what never begins with an `x` gives nothing back, so that CRuby makes it atomic.
    fn becomes_atomic(&self, before: &[Node], next: &Node) -> bool {
        let Some((mut node, before)) = before.split_last() else { return false };
        // The last character of a text that is repeated stays with the others.
        if matches!(before.last(), Some(Node::Text(_))) && is_character_repeated(node) {
            return false;
        }
        while let Node::Capture(_, inner) = node {
            node = inner;
        }
        let Node::Repeat(repeat) = node else { return false };
        if !repeat.greedy || repeat.max != UNBOUNDED || repeat.min > 1 {
            return false;
        }
        let simple = match &repeat.node {
            Node::Text(text) => !self.varies(text),
            Node::Class(_) => true,
            Node::Repeat(inner) => {
                inner.min == inner.max && self.spelled_text(inner).is_some_and(|(_, copies)| copies == inner.min.into())
            }
            _ => false,
        };
        match (simple.then(|| self.head(&repeat.node)).flatten(), self.head(next)) {
            (Some(x), Some(y)) => self.is_apart(&x, &y),
            _ => false,
        }
    }

    fn head<'a>(&self, node: &'a Node) -> Option<Head<'a>> {
        match node {
            Node::Text(text) if !text.codes.is_empty() => {
                let first = Text { codes: text.codes[..1].to_vec(), fold: text.fold };
                (!self.varies(&first)).then_some(Head::Text(text))
            }
            Node::Class(set) => Some(Head::Class(set)),
            Node::Seq(nodes) => self.head(nodes.first()?),
            Node::Repeat(repeat) if repeat.min > 0 => self.head(&repeat.node),
            Node::Capture(_, inner) | Node::Atomic(inner) | Node::Look(Look::Ahead, inner) => self.head(inner),
            _ => None,
        }
    }

    /// Does CRuby see that what begins with the one never begins with the other?
    fn is_apart(&self, x: &Head<'_>, y: &Head<'_>) -> bool {
        match (x, y) {
            (Head::Text(x), Head::Text(y)) => !x.fold && !y.fold && x.codes.iter().zip(&y.codes).any(|(a, b)| a != b),
            (Head::Text(text), Head::Class(set)) | (Head::Class(set), Head::Text(text)) => {
                let first = if text.fold { self.folding.fold(text.codes[0]).codes()[0] } else { text.codes[0] };
                !set.contains(first)
            }
            (Head::Class(x), Head::Class(y)) => {
                // Of two sets with members beyond single bytes it is not asked.
                let low = |set: &CodeSet| set.ranges().last().is_none_or(|range| range.1 < 0x80);
                let known = match (is_word(x), is_word(y)) {
                    (true, true) => x.ranges() == y.negated().ranges(),
                    (true, false) => low(y),
                    (false, true) => low(x),
                    (false, false) => low(x) || low(y),
                };
                known && x.is_disjoint(y)
            }
        }
    }
}

#[cfg(test)]
#[path = "linear_tests.rs"]
mod tests;
