//! Machine stacks and the switch between them. Knows nothing of Ruby, of a heap or of a VM.
//!
//! - [`Slabs`] carves [`Stack`]s out of large mappings and takes them back;
//! - [`prepare`] puts the first frame on a stack, [`switch`] leaves one stack for another;
//! - `switch/` has a file for each processor, in assembly, and one that stands in for all others with native threads;
//! - [`Watched`] tells sanitizers what happens; in other builds it is nothing.
//!
//! A switch saves what the calling convention says a function must preserve on the stack that is left, and exchanges
//! the stack pointers. Nobody catches an overflow here: whoever runs on a stack compares its stack pointer with
//! [`Stack::low`] before it goes deeper. Where the kernel can do it without splitting a mapping, the lowest page of a
//! stack is a guard all the same.

#![cfg_attr(asterism_sanitize, feature(cfg_sanitize))]

#[cfg_attr(not(asterism_sanitize), path = "no_sanitizer.rs")]
mod sanitizer;
mod slab;
mod switch;

pub use sanitizer::Watched;
pub use slab::{SLAB_STACKS, STACK_BYTES, Slabs, Stack};
pub use switch::{Entry, prepare, switch};
