//! What a tree says before it is compiled: which groups remain, whom calls mean, what is not allowed, how long things
//! are.

use crate::ast::{Anchor, Callee, Look, Node};
use crate::error::{Result, named, syntax};
use crate::parse::Tree;

/// What is known of a tree.
#[derive(Debug, Default)]
pub struct Facts {
    /// The group each call goes to.
    pub callees: Vec<u32>,
    /// Groups that are called, by number.
    pub called: Vec<bool>,
    /// Groups that may contain themselves.
    pub recursive: Vec<bool>,
}

/// Puts a tree in order: when groups have names the others do not capture; calls find their groups.
///
/// # Errors
/// `Error::Syntax` if the pattern refers to what it may not, or has a look-behind without one length.
pub fn prepare(tree: &mut Tree) -> Result<Facts> {
    let any_named = tree.group_list.iter().any(|g| g.named);
    if any_named {
        only_named(tree)?;
    }
    let mut facts = Facts::default();
    let groups = tree.groups as usize + 1;
    facts.called = vec![false; groups];
    facts.recursive = vec![false; groups];
    if !tree.calls.is_empty() {
        resolve(tree, any_named, &mut facts)?;
    }
    if facts.called[0] {
        let whole = std::mem::replace(&mut tree.node, Node::Empty);
        tree.node = Node::Capture(0, Box::new(whole));
    }
    if !tree.calls.is_empty() {
        recursion(tree, &mut facts)?;
    }
    let places = places(&tree.node, tree.groups);
    let lengths = Lengths { places: &places, facts: &facts, within: None };
    check(&tree.node, tree.groups, any_named, &lengths)?;
    Ok(facts)
}

/// A group is referred to by its number, though groups have names.
const NUMBERED: &str = "numbered backref/call is not allowed. (use name)";
/// There is no such group.
const NO_GROUP: &str = "invalid backref number/name";

/// Drops the brackets without names and numbers the others anew.
fn only_named(tree: &mut Tree) -> Result<()> {
    let mut map = vec![0u32; tree.group_list.len()];
    let mut next = 0;
    for (old, group) in tree.group_list.iter().enumerate() {
        if group.named {
            next += 1;
            map[old] = next;
        }
    }
    let mut wrong: Option<&str> = None;
    rewrite(&mut tree.node, &mut |node| match node {
        Node::Capture(group, inner) => match map.get(*group as usize) {
            Some(0) => {
                let inner = std::mem::replace(&mut **inner, Node::Empty);
                *node = Node::Seq(vec![inner]);
            }
            Some(new) => *group = *new,
            None => {}
        },
        // What stands in such brackets alone is as much at the top as without them.
        Node::Look(Look::Behind | Look::NotBehind, inner) => {
            while let Node::Capture(group, deeper) = &mut **inner
                && map.get(*group as usize) == Some(&0)
            {
                **inner = std::mem::replace(&mut **deeper, Node::Empty);
            }
        }
        Node::Back(back) => {
            if !back.by_name {
                wrong = wrong.or(Some(NUMBERED));
            } else if back.groups.iter().any(|group| *group as usize >= map.len()) {
                wrong = wrong.or(Some(NO_GROUP));
            }
            for group in &mut back.groups {
                *group = map.get(*group as usize).copied().unwrap_or(0);
            }
        }
        Node::Condition(condition) => {
            if condition.group as usize >= map.len() {
                wrong = wrong.or(Some(NO_GROUP));
            }
            condition.group = map.get(condition.group as usize).copied().unwrap_or(0);
        }
        _ => {}
    });
    if let Some(wrong) = wrong {
        return syntax(wrong);
    }
    for (_, groups) in &mut tree.names {
        for group in groups {
            *group = map.get(*group as usize).copied().unwrap_or(0);
        }
    }
    tree.groups = next;
    Ok(())
}

/// Calls `f` with every node, from the top down.
fn rewrite(node: &mut Node, f: &mut impl FnMut(&mut Node)) {
    f(node);
    match node {
        Node::Seq(nodes) | Node::Alt(nodes) => nodes.iter_mut().for_each(|n| rewrite(n, f)),
        Node::Repeat(repeat) => rewrite(&mut repeat.node, f),
        Node::Capture(_, n) | Node::Atomic(n) | Node::Look(_, n) | Node::Absent(n) => rewrite(n, f),
        Node::Condition(condition) => {
            rewrite(&mut condition.yes, f);
            rewrite(&mut condition.no, f);
        }
        _ => {}
    }
}

/// The nodes right under one.
pub fn children(node: &Node) -> impl Iterator<Item = &Node> {
    let (many, one, two): (&[Node], Option<&Node>, Option<&Node>) = match node {
        Node::Seq(nodes) | Node::Alt(nodes) => (nodes, None, None),
        Node::Repeat(repeat) => (&[], Some(&repeat.node), None),
        Node::Capture(_, n) | Node::Atomic(n) | Node::Look(_, n) | Node::Absent(n) => (&[], Some(n), None),
        Node::Condition(condition) => (&[], Some(&condition.yes), Some(&condition.no)),
        _ => (&[], None, None),
    };
    many.iter().chain(one).chain(two)
}

/// The longest text that every match contains as it stands; empty if none is known.
pub fn required(node: &Node) -> &[u32] {
    match node {
        Node::Text(text) if !text.fold => &text.codes,
        Node::Seq(nodes) => nodes.iter().map(required).max_by_key(|codes| codes.len()).unwrap_or(&[]),
        Node::Repeat(repeat) if repeat.min > 0 => required(&repeat.node),
        Node::Capture(_, inner) | Node::Atomic(inner) => required(inner),
        _ => &[],
    }
}

/// Is there such a node at or under this one?
pub fn any(node: &Node, test: &impl Fn(&Node) -> bool) -> bool {
    test(node)
        || match node {
            Node::Seq(nodes) | Node::Alt(nodes) => nodes.iter().any(|n| any(n, test)),
            Node::Repeat(repeat) => any(&repeat.node, test),
            Node::Capture(_, n) | Node::Atomic(n) | Node::Look(_, n) | Node::Absent(n) => any(n, test),
            Node::Condition(condition) => any(&condition.yes, test) || any(&condition.no, test),
            _ => false,
        }
}

/// A name for a message: of wide characters without the bytes that are zero.
fn readable(name: &[u8]) -> Vec<u8> {
    name.iter().copied().filter(|b| *b != 0).collect()
}

fn resolve(tree: &Tree, any_named: bool, facts: &mut Facts) -> Result<()> {
    for callee in &tree.calls {
        let group = match callee {
            Callee::Group(0, _) => 0,
            Callee::Group(..) if any_named => return syntax(NUMBERED),
            Callee::Group(n, name) if *n > tree.groups => {
                return named("undefined group <", &readable(name), "> reference");
            }
            Callee::Group(n, _) => *n,
            Callee::Name(name) => match tree.names.iter().find(|(n, _)| n == name).map(|(_, groups)| &groups[..]) {
                None | Some([]) => return named("undefined name <", &readable(name), "> reference"),
                Some([group]) => *group,
                Some(_) => return named("multiplex definition name <", &readable(name), "> call"),
            },
        };
        facts.called[group as usize] = true;
        facts.callees.push(group);
    }
    Ok(())
}

/// Where each group is.
pub fn places(node: &Node, groups: u32) -> Vec<Option<&Node>> {
    let mut places = vec![None; groups as usize + 1];
    if groups == 0 && !matches!(node, Node::Capture(0, _)) {
        return places;
    }
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if let Node::Capture(group, _) = node
            && let Some(place) = places.get_mut(*group as usize)
        {
            *place = Some(node);
        }
        open.extend(children(node));
    }
    places
}

/// Which groups may contain themselves, and whether one must for ever.
fn recursion(tree: &Tree, facts: &mut Facts) -> Result<()> {
    let places = places(&tree.node, tree.groups);
    let count = places.len();
    // Edges of the graph of calls: the groups a group contains or calls.
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (group, place) in places.iter().enumerate() {
        let Some(Node::Capture(_, inner)) = place else { continue };
        let mut open = vec![&**inner];
        while let Some(node) = open.pop() {
            match node {
                Node::Call(call) => edges[group].push(facts.callees[*call]),
                Node::Capture(inner, _) => edges[group].push(*inner),
                _ => open.extend(children(node)),
            }
        }
    }
    for group in 0..count {
        let mut seen = vec![false; count];
        let mut open: Vec<u32> = edges[group].clone();
        while let Some(next) = open.pop() {
            if next as usize == group {
                facts.recursive[group] = true;
                break;
            }
            if !std::mem::replace(&mut seen[next as usize], true) {
                open.extend(&edges[next as usize]);
            }
        }
    }
    for group in (0..count).filter(|g| facts.recursive[*g]) {
        let Some(Node::Capture(_, inner)) = places[group] else { continue };
        let mut walk = Endless {
            places: &places,
            facts,
            lengths: Lengths { places: &places, facts, within: Some(group as u32) },
            from: group,
            open: vec![false; count],
        };
        if walk.node(inner, true) != Recursion::Ends {
            return syntax("never ending recursion");
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recursion {
    /// There is a way without it.
    Ends,
    /// There is none.
    Always,
    /// It comes before any character.
    AtHead,
}

/// Looks for a group that cannot match without itself.
struct Endless<'a> {
    places: &'a [Option<&'a Node>],
    facts: &'a Facts,
    lengths: Lengths<'a>,
    from: usize,
    open: Vec<bool>,
}

impl Endless<'_> {
    fn node(&mut self, node: &Node, mut head: bool) -> Recursion {
        match node {
            Node::Seq(nodes) => {
                let mut all = Recursion::Ends;
                for n in nodes {
                    match self.node(n, head) {
                        Recursion::AtHead => return Recursion::AtHead,
                        Recursion::Always => all = Recursion::Always,
                        Recursion::Ends => {}
                    }
                    head = head && self.lengths.min_with_backs(n) == 0;
                }
                all
            }
            Node::Alt(nodes) => {
                let mut all = Recursion::Always;
                for n in nodes {
                    match self.node(n, head) {
                        Recursion::AtHead => return Recursion::AtHead,
                        Recursion::Always => {}
                        Recursion::Ends => all = Recursion::Ends,
                    }
                }
                all
            }
            Node::Repeat(repeat) => match self.node(&repeat.node, head) {
                Recursion::Always if repeat.min == 0 => Recursion::Ends,
                other => other,
            },
            Node::Call(call) => self.group(self.facts.callees[*call] as usize, head),
            Node::Capture(group, _) => self.group(*group as usize, head),
            Node::Atomic(n) | Node::Look(_, n) | Node::Absent(n) => self.node(n, head),
            Node::Condition(condition) => {
                let (yes, no) = (self.node(&condition.yes, head), self.node(&condition.no, head));
                match (yes, no) {
                    (Recursion::AtHead, _) | (_, Recursion::AtHead) => Recursion::AtHead,
                    (Recursion::Always, Recursion::Always) => Recursion::Always,
                    _ => Recursion::Ends,
                }
            }
            _ => Recursion::Ends,
        }
    }

    fn group(&mut self, group: usize, head: bool) -> Recursion {
        if group == self.from {
            return if head { Recursion::AtHead } else { Recursion::Always };
        }
        if self.open[group] {
            return Recursion::Ends;
        }
        let Some(Some(Node::Capture(_, inner))) = self.places.get(group) else { return Recursion::Ends };
        self.open[group] = true;
        let found = self.node(inner, head);
        self.open[group] = false;
        found
    }
}

/// Lengths of what nodes match.
pub struct Lengths<'a> {
    /// Where the groups are.
    pub places: &'a [Option<&'a Node>],
    /// Whom calls mean.
    pub facts: &'a Facts,
    /// The group that is looked into: what refers to it may be empty.
    pub within: Option<u32>,
}

/// How long what a node matches is, in characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Fixed(u64),
    /// Alternatives at the top differ.
    Alternatives,
    Varies,
}

impl Lengths<'_> {
    /// Least number of characters; 0 if that cannot be told.
    pub fn min(&self, node: &Node) -> u64 {
        self.min_in(node, 0, false)
    }

    /// The same, where a backreference is as long as its group at least: case apart, so it is.
    fn min_with_backs(&self, node: &Node) -> u64 {
        self.min_in(node, 0, true)
    }

    fn min_in(&self, node: &Node, calls: u32, backs: bool) -> u64 {
        let min_in = |node: &Node| self.min_in(node, calls, backs);
        match node {
            Node::Text(text) if text.fold => (text.codes.len() as u64).div_ceil(3),
            Node::Text(text) => text.codes.len() as u64,
            Node::Class(_) | Node::Any(_) => 1,
            Node::Seq(nodes) => nodes.iter().fold(0, |n, x| n.saturating_add(min_in(x))),
            Node::Alt(nodes) => nodes.iter().map(min_in).min().unwrap_or(0),
            Node::Repeat(repeat) if repeat.min == 0 => 0,
            Node::Repeat(repeat) => min_in(&repeat.node).saturating_mul(repeat.min.into()),
            Node::Capture(_, n) | Node::Atomic(n) => min_in(n),
            Node::Condition(c) => min_in(&c.yes).min(min_in(&c.no)),
            // Calls may call: a few levels are followed, what is deeper counts as nothing, as does what may contain itself.
            Node::Call(call) if calls < 4 => {
                let group = self.facts.callees[*call] as usize;
                let place = self.places[group].filter(|_| !self.facts.recursive[group]);
                place.map_or(0, |n| self.min_in(n, calls + 1, backs))
            }
            Node::Back(back) if backs && calls < 4 && !back.within => {
                let length = |group: &u32| match self.places.get(*group as usize) {
                    _ if self.within == Some(*group) => 0,
                    Some(Some(place)) => self.min_in(place, calls + 1, backs),
                    _ => 0,
                };
                back.groups.iter().map(length).min().unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn fixed(&self, node: &Node, top: bool) -> Length {
        match node {
            Node::Text(text) => Length::Fixed(text.codes.len() as u64),
            Node::Class(_) | Node::Any(_) => Length::Fixed(1),
            Node::Seq(nodes) => {
                let mut sum = 0u64;
                for n in nodes {
                    // One node in a sequence of its own is as much at the top as without.
                    match self.fixed(n, false) {
                        Length::Fixed(n) => sum = sum.saturating_add(n),
                        other => return other,
                    }
                }
                Length::Fixed(sum)
            }
            Node::Alt(nodes) => {
                let mut first = None;
                let mut differs = false;
                for n in nodes {
                    match self.fixed(n, false) {
                        Length::Fixed(n) => differs |= *first.get_or_insert(n) != n,
                        other => return other,
                    }
                }
                match (differs, top) {
                    (false, _) => Length::Fixed(first.unwrap_or(0)),
                    (true, true) => Length::Alternatives,
                    (true, false) => Length::Varies,
                }
            }
            Node::Repeat(repeat) if repeat.min == repeat.max => match self.fixed(&repeat.node, false) {
                Length::Fixed(n) => Length::Fixed(n.saturating_mul(repeat.min.into())),
                other => other,
            },
            Node::Repeat(_) | Node::Back(_) => Length::Varies,
            Node::Call(call) => {
                let group = self.facts.callees[*call] as usize;
                match self.places[group] {
                    Some(_) if self.facts.recursive[group] => Length::Varies,
                    Some(n) => self.fixed(n, false),
                    None => Length::Varies,
                }
            }
            Node::Capture(_, n) | Node::Atomic(n) => self.fixed(n, false),
            Node::Condition(c) => match (self.fixed(&c.yes, false), self.fixed(&c.no, false)) {
                (Length::Fixed(a), Length::Fixed(b)) if a == b => Length::Fixed(a),
                _ => Length::Varies,
            },
            Node::Empty | Node::Look(..) | Node::Absent(_) | Node::Anchor(_) | Node::Keep => Length::Fixed(0),
        }
    }

    /// How many characters a look-behind goes back: for each of its alternatives, or one for all.
    ///
    /// # Errors
    /// `Error::Syntax` if there is no such number.
    pub fn behind(&self, node: &Node) -> Result<Vec<u32>> {
        let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        match self.fixed(node, true) {
            Length::Fixed(n) => Ok(vec![number(n)]),
            Length::Alternatives => {
                let mut all = Vec::new();
                for n in children(node) {
                    match self.fixed(n, true) {
                        Length::Fixed(n) => all.push(number(n)),
                        _ => return syntax("invalid pattern in look-behind"),
                    }
                }
                Ok(all)
            }
            Length::Varies => syntax("invalid pattern in look-behind"),
        }
    }
}

fn check(node: &Node, groups: u32, any_named: bool, lengths: &Lengths<'_>) -> Result<()> {
    match node {
        Node::Back(back) if back.groups.iter().any(|g| *g > groups) => return syntax(NO_GROUP),
        Node::Condition(condition) => {
            if any_named && !condition.by_name {
                return syntax(NUMBERED);
            }
            if condition.group > groups {
                return syntax(NO_GROUP);
            }
        }
        Node::Look(look @ (Look::Behind | Look::NotBehind), inner) => {
            if !allowed_behind(inner, *look == Look::NotBehind) {
                return syntax("invalid pattern in look-behind");
            }
            lengths.behind(inner)?;
        }
        _ => {}
    }
    for child in children(node) {
        check(child, groups, any_named, lengths)?;
    }
    Ok(())
}

fn allowed_behind(node: &Node, not: bool) -> bool {
    let here = match node {
        Node::Back(_) | Node::Atomic(_) | Node::Absent(_) | Node::Condition(_) => false,
        Node::Capture(..) => !not,
        Node::Look(look, _) => matches!(look, Look::Behind | Look::NotBehind),
        Node::Anchor(anchor) => !matches!(anchor, Anchor::TextEnd | Anchor::TextEndNewline),
        _ => true,
    };
    here && children(node).all(|n| allowed_behind(n, not))
}
