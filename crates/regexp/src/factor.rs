//! Alternatives of which neighbours are texts that begin alike: what they have in common is matched once.

use std::collections::HashMap;

use crate::ast::{Node, Text};

/// Texts that are compared with each other.
const FEW: usize = 32;

/// A text that is all of a node.
fn literal(node: &Node) -> Option<&[u32]> {
    match node {
        Node::Text(text) if !text.fold && !text.codes.is_empty() => Some(&text.codes),
        Node::Seq(nodes) => match &nodes[..] {
            [one] => literal(one),
            _ => None,
        },
        _ => None,
    }
}

/// Alternatives in which neighbouring texts that begin alike are put together: what they begin with, then what follows in
/// each. Two texts that begin with different characters never match at one place, so that which one is tried first does not
/// matter. `None` if there are none.
pub fn factored(nodes: &[Node]) -> Option<Vec<Node>> {
    let mut result: Vec<Node> = Vec::new();
    let mut rest = nodes;
    let mut any = false;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|node| literal(node).is_some()).count();
        if run < 2 {
            result.push(first.clone());
            rest = &rest[1..];
            continue;
        }
        let texts = || rest[..run].iter().filter_map(literal);
        if run <= FEW && texts().enumerate().all(|(i, text)| texts().take(i).all(|other| other[0] != text[0])) {
            result.extend_from_slice(&rest[..run]);
            rest = &rest[run..];
            continue;
        }
        let mut groups: Vec<Vec<&[u32]>> = Vec::new();
        let mut places: HashMap<u32, usize> = HashMap::new();
        for codes in texts() {
            let place = if run <= FEW {
                groups.iter().position(|group| group[0][0] == codes[0])
            } else {
                let place = *places.entry(codes[0]).or_insert(groups.len());
                (place < groups.len()).then_some(place)
            };
            match place {
                Some(place) => groups[place].push(codes),
                None => groups.push(vec![codes]),
            }
        }
        any |= groups.len() < run;
        result.extend(groups.iter().map(|group| group_of_texts(group)));
        rest = &rest[run..];
    }
    any.then_some(result)
}

/// Texts that begin alike, as one node.
fn group_of_texts(texts: &[&[u32]]) -> Node {
    let text = |codes: &[u32]| {
        if codes.is_empty() { Node::Empty } else { Node::Text(Text { codes: codes.to_vec(), fold: false }) }
    };
    let Some((first, others)) = texts.split_first() else { return Node::Empty };
    if others.is_empty() {
        return text(first);
    }
    let common = others.iter().fold(first.len(), |common, other| {
        first[..common].iter().zip(other.iter()).take_while(|(a, b)| a == b).count()
    });
    Node::Seq(vec![text(&first[..common]), Node::Alt(texts.iter().map(|codes| text(&codes[common..])).collect())])
}
