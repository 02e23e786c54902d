//! Races that were found, and their text.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

use crate::shadow::Kind;

/// One of the two accesses of a race.
#[derive(Debug)]
pub struct Side {
    /// Does it write?
    pub kind: Kind,
    /// The thread, as it is shown.
    pub thread: Arc<str>,
    /// File and line.
    pub place: String,
    /// The backtrace, innermost first; as much of it as was kept.
    pub backtrace: Vec<String>,
}

/// A race: two accesses that nothing orders.
#[derive(Debug)]
pub struct Report {
    /// What both accessed: `@count of a Counter`.
    pub what: String,
    /// The one that was noted second, and the one before.
    pub sides: [Side; 2],
}

impl Kind {
    /// What an access does, in a word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Update => "update",
            Kind::Write => "write",
        }
    }
}

impl Report {
    /// The text.
    pub fn text(&self) -> String {
        let mut text = format!("race: {}\n", self.what);
        for (side, when) in self.sides.iter().zip(["", "earlier "]) {
            let _ = writeln!(text, "  {when}{} by {}", side.kind.name(), side.thread);
            for line in &side.backtrace {
                let _ = writeln!(text, "    from {line}");
            }
        }
        text
    }
}

/// The races that were found.
#[derive(Default)]
pub struct Found {
    /// Pairs of places that were told.
    pub told: HashSet<[String; 2]>,
    /// What is told of them.
    pub reports: Vec<Arc<Report>>,
}

impl Found {
    /// The races, which are told again if they are found again.
    pub fn take(&mut self) -> Vec<Arc<Report>> {
        self.told.clear();
        std::mem::take(&mut self.reports)
    }
}
