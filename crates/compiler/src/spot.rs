//! Where in a line of source an error arose: what messages of uncaught errors point at.

use ruby_prism::{
    CallNode, ConstantPathNode, ConstantReadNode, Location, Visit, parse, visit_call_node, visit_constant_path_node,
};

use crate::own_stack::on_own_stack;

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point<'a> {
    /// A call of this method.
    Call(&'a [u8]),
    /// This constant.
    Constant(&'a [u8]),
    /// The arguments of a call of this method.
    Arguments(&'a [u8]),
}

/// A stretch of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Bytes in front of it.
    pub start: usize,
    /// Bytes up to its end.
    pub end: usize,
}

struct Finder<'a> {
    line: i32,
    point: Point<'a>,
    found: Vec<Spot>,
}

impl Finder<'_> {
    fn note(&mut self, start: &Location<'_>, end: &Location<'_>) {
        if start.start_line() == end.end_line() && start.start_line() == self.line {
            let spot = Spot { start: start.start_column() as usize, end: end.end_column() as usize };
            if !self.found.contains(&spot) {
                self.found.push(spot);
            }
        }
    }
}

impl<'pr> Visit<'pr> for Finder<'_> {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        match self.point {
            Point::Call(name) if node.name().as_slice() == name => {
                if let Some(message) = node.message_loc() {
                    let operator = node.call_operator_loc().filter(|o| o.start_line() == message.start_line());
                    self.note(
                        &operator.unwrap_or_else(|| node.message_loc().unwrap_or_else(|| node.location())),
                        &message,
                    );
                }
            }
            Point::Arguments(name) if node.name().as_slice() == name => {
                if let Some(arguments) = node.arguments() {
                    self.note(&arguments.location(), &arguments.location());
                }
            }
            _ => {}
        }
        visit_call_node(self, node);
    }

    fn visit_constant_read_node(&mut self, node: &ConstantReadNode<'pr>) {
        if self.point == Point::Constant(node.name().as_slice()) {
            self.note(&node.location(), &node.location());
        }
    }

    fn visit_constant_path_node(&mut self, node: &ConstantPathNode<'pr>) {
        if let (Point::Constant(wanted), Some(name)) = (self.point, node.name())
            && name.as_slice() == wanted
        {
            self.note(&node.delimiter_loc(), &node.name_loc());
        }
        visit_constant_path_node(self, node);
    }
}

/// The place of `point` in line `line` of `source`; `None` if there is none, or more than one and so no telling.
pub fn spot(source: &[u8], line: u32, point: Point<'_>) -> Option<Spot> {
    let line = i32::try_from(line).ok()?;
    let found = on_own_stack(|| {
        let result = parse(source);
        let mut finder = Finder { line, point, found: Vec::new() };
        if result.errors().next().is_none() {
            finder.visit(&result.node());
        }
        Ok(finder.found)
    });
    match found.as_deref() {
        Ok([one]) => Some(*one),
        _ => None,
    }
}
