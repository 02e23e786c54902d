//! Grapheme clusters as Unicode's annex 29 defines them: `\X`.

use std::sync::OnceLock;

use crate::ast::{Node, Repeat, UNBOUNDED};
use crate::property;
use crate::set::CodeSet;

/// The alternatives of a cluster behind CR LF, made at first use.
static CLUSTERS: OnceLock<[Node; 2]> = OnceLock::new();

/// The alternatives of a cluster behind CR LF, of which all patterns share the sets.
pub fn clusters() -> &'static [Node; 2] {
    asterism_lock::once::get_or_init(&CLUSTERS, make)
}

fn make() -> [Node; 2] {
    let set = |name: &str| property::grapheme_break(name).unwrap_or_default();
    let class = |set: CodeSet| Node::Class(Box::new(CodeSet::of_shared(set.share())));
    let many = |node: Node, min: u32| Node::Repeat(Box::new(Repeat { node, min, max: UNBOUNDED, greedy: true }));
    let conjunct = |name: &str| property::conjunct_break(name).unwrap_or_default();
    let mut control = set("control");
    control.union(&CodeSet::of_ranges([(10, 10), (13, 13)]));
    let syllable = Node::Seq(vec![
        many(class(set("l")), 0),
        Node::Alt(vec![
            many(class(set("v")), 1),
            Node::Seq(vec![class(set("lv")), many(class(set("v")), 0)]),
            class(set("lvt")),
        ]),
        many(class(set("t")), 0),
    ]);
    let flag = Node::Repeat(Box::new(Repeat { node: class(property::regional()), min: 2, max: 2, greedy: true }));
    let joined =
        Node::Seq(vec![many(class(set("extend")), 0), Node::text(0x200d, false), class(property::pictographic())]);
    let picture = Node::Seq(vec![class(property::pictographic()), many(joined, 0)]);
    let mut links = conjunct("extend");
    links.union(&conjunct("linker"));
    let link = Node::Seq(vec![
        many(class(links.clone()), 0),
        class(conjunct("linker")),
        many(class(links), 0),
        class(conjunct("consonant")),
    ]);
    let conjuncts = Node::Seq(vec![class(conjunct("consonant")), many(link, 1)]);
    let core = Node::Alt(vec![
        syllable,
        many(class(set("l")), 1),
        many(class(set("t")), 1),
        flag,
        picture,
        conjuncts,
        class(control.negated()),
    ]);
    let mut behind = set("extend");
    behind.union(&set("spacingmark"));
    behind.add(0x200d, 0x200d);
    [class(control), Node::Seq(vec![many(class(set("prepend")), 0), core, many(class(behind), 0)])]
}
