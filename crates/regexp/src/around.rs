//! How groups begin and end, as what is around them has it.

use crate::analyse::{any, children};
use crate::ast::{Look, Node};
use crate::program::Inst;

/// What is around a node, as far as it decides when a group counts as matched. In Onigmo a group that has begun has not
/// matched until it ends. One that may match a number of times, or not at all, or that a backreference means, is noted
/// on the stack; any other one is not, and keeps its bounds when the machine goes back, which is seen behind what must be
/// absent, and by conditions.
#[derive(Default)]
pub struct Around {
    /// Groups that backreferences mean: they are always noted.
    referred: Vec<bool>,
    /// Groups that a backreference or a condition may ask for while they are open.
    asked: Vec<bool>,
    /// Groups that a condition asks for.
    conditions: Vec<bool>,
    /// Alternatives, repeats with a choice, negative look-arounds and calls.
    pub varied: u32,
    /// Absent operators.
    pub absent: u32,
}

impl Around {
    /// What a tree asks for; `calls`: it calls groups.
    pub fn of(node: &Node, groups: u32, calls: bool) -> Around {
        let none = vec![false; groups as usize + 1];
        let mut around = Around { referred: none.clone(), asked: none.clone(), conditions: none, varied: 0, absent: 0 };
        if any(node, &|n| matches!(n, Node::Back(_) | Node::Condition(_))) {
            around.look(node, &mut Vec::new(), calls);
        }
        around
    }

    /// Notes what a node asks for; `open`: the groups that it is in. A called group may be in any other one.
    fn look(&mut self, node: &Node, open: &mut Vec<u32>, calls: bool) {
        let mut ask = |group: u32, back: bool| {
            let index = group as usize;
            if index < self.asked.len() {
                self.referred[index] |= back;
                self.conditions[index] |= !back;
                self.asked[index] |= calls || open.contains(&group);
            }
        };
        match node {
            Node::Back(back) => back.groups.iter().for_each(|group| ask(*group, true)),
            Node::Condition(condition) => ask(condition.group, false),
            _ => {}
        }
        let group = if let Node::Capture(group, _) = node { Some(*group) } else { None };
        open.extend(group);
        for child in children(node) {
            self.look(child, open, calls);
        }
        if group.is_some() {
            open.pop();
        }
    }

    /// Does it make a node that is in this one a varied one?
    pub fn varies(node: &Node) -> bool {
        match node {
            Node::Alt(_) | Node::Condition(_) | Node::Look(Look::NotAhead | Look::NotBehind, _) => true,
            Node::Repeat(repeat) => repeat.min != repeat.max,
            _ => false,
        }
    }

    /// Is a group here noted on the stack?
    pub fn notes(&self, group: u32) -> bool {
        self.varied > 0 || self.referred[group as usize]
    }

    /// The instructions at a group's beginning and end.
    pub fn brackets(&self, group: u32, nested: bool) -> (Inst, Inst) {
        if nested {
            (Inst::OpenNested(group), Inst::CloseNested(group))
        } else if (self.absent > 0 || self.conditions[group as usize]) && !self.notes(group) {
            (Inst::OpenKept(group), Inst::CloseKept(group))
        } else if self.asked[group as usize] {
            (Inst::OpenAnew(group), Inst::Close(group))
        } else {
            (Inst::Open(group), Inst::Close(group))
        }
    }
}
