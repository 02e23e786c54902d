//! What a jump out of a place has to mind: loops, and the code that handlers cover.

use std::rc::Rc;

use ruby_prism::EnsureNode;

use crate::builder::Label;

/// Something that a jump out of the present place has to mind.
pub(crate) enum Control<'pr> {
    /// A `while` or `until`.
    Loop { break_to: Label, next_to: Label, redo_to: Label, dst: Option<u16> },
    /// Code that a handler covers.
    Region(Region<'pr>),
    /// Code of a handler, in which `$!` is set: the handler's registers, and where `retry` goes.
    Handling { register: u16, retry: Option<Label> },
}

/// The code that one handler covers. An `ensure` clause that is compiled in line on a way out lies in
/// the middle of it but is not covered.
pub(crate) struct Region<'pr> {
    pub(crate) ranges: Vec<(u32, u32)>,
    pub(crate) start: u32,
    pub(crate) ensure: Option<Ensure<'pr>>,
}

/// What happens on each way out of a region.
#[derive(Clone)]
pub(crate) enum Ensure<'pr> {
    /// A clause is executed.
    Clause(Rc<EnsureNode<'pr>>),
    /// What is evaluated once will be evaluated again.
    Once(u16),
}
