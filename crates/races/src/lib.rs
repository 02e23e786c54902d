//! What `--race-report` finds races by: vector clocks, and what is remembered of accesses, of what orders threads, and of stacks
//! (Flanagan and Freund, "FastTrack: efficient and precise dynamic race detection", 2009). It knows of no VM; `asterism-vm` notes the accesses.

pub mod actions;
pub mod clock;
pub mod detector;
pub mod objects;
pub mod report;
pub mod shadow;
#[cfg(test)]
mod shadow_tests;
pub mod stacks;
