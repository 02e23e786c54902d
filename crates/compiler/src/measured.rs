//! The counting instructions of code that is measured: where the compiler emits them. What they count in is in `coverage`.

use ruby_prism::Location;

use crate::coverage::{Cond, Place, Spot, place_of};
use crate::errors::R;
use crate::opcode::Op;
use crate::source::Compiler;

impl<'pr> Compiler<'_, 'pr> {
    /// Are branches measured?
    pub(crate) fn has_branches(&self) -> bool {
        self.measured.as_ref().is_some_and(|measured| measured.targets().branches)
    }

    /// Are lines measured?
    pub(crate) fn has_lines(&self) -> bool {
        self.measured.as_ref().is_some_and(|measured| measured.targets().lines)
    }

    /// The lines on which `lines` says that statements begin, of finished code.
    pub(crate) fn has_counted_lines(&self, lines: &[u32]) {
        if let Some(measured) = &self.measured {
            lines.iter().for_each(|&line| measured.has_line(line));
        }
    }

    /// A condition at `location`, whose place is `place`, with its ways in the order in which they are told.
    pub(crate) fn condition(
        &mut self,
        kind: &'static str,
        location: &Location<'pr>,
        place: Place,
        ways: &[Spot],
    ) -> Cond {
        match &mut self.measured {
            Some(measured) => measured.condition(kind, location, place, ways),
            None => Cond::default(),
        }
    }

    /// What comes next is way `number` of the condition.
    pub(crate) fn way(&mut self, cond: Cond, number: usize) -> R {
        match self.measured.as_ref().and_then(|measured| measured.counter(cond, number)) {
            Some(counter) => self.f().emit_bc(Op::CountWay, 0, counter),
            None => Ok(()),
        }
    }

    /// The innermost code may be a method's body, the one at `location`: its calls are counted.
    pub(crate) fn count_calls(&mut self, location: &Location<'pr>) -> R {
        let Some(measured) = self.measured.as_mut() else { return Ok(()) };
        let counted = measured.counted(Some(place_of(location)));
        let is_body = counted.is_body();
        self.f().counted = Some(counted);
        if is_body { self.emit(Op::CountCall, 0, 0, 0) } else { Ok(()) }
    }
}
