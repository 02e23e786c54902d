//! What compiled code and the interpreter know of each other. The compiler itself is `crates/jit`; here is how code gets hot
//! ([`heat`]), how it is entered and left ([`run`]), what it calls ([`helpers`]), and where it finds things ([`layout`]).
//!
//! Compiled code works on the interpreter's frames. A compiled method calls another one by a native call; what lives across it
//! lies in the VM frame by then, so that all native frames can be given up at any call: each returns [`LEFT`] to the one below,
//! and the interpreter's loop goes on with the current frame at its pc. Nothing of a VM is in compiled code: all VMs that run
//! the same [`Code`](asterism_compiler::Code) share it, and it finds what is a VM's own through the frame's
//! [`Iseq`](crate::iseq::Iseq), whose inline caches it reads as the interpreter does. So a redefinition has nothing to invalidate
//! but the assumption that operators mean the core's methods, which the [`Gate`] stands for.

pub mod calls;
mod compiler;
mod gate;
pub mod heat;
pub mod helpers;
pub mod layout;
pub mod literals;
mod met;
mod of_ec;
pub mod operators;
pub mod run;
pub(crate) mod shapes;
pub(crate) mod site_words;
pub mod steps;
pub(crate) mod switch;
mod unit;

pub use compiler::{Compiler, Definition, InPlace, Jit, Met, Other, Request, Target, Totals};
pub use gate::Gate;
pub use of_ec::OfEc;
pub use unit::{OfIseq, Part, Unit};

/// What a native frame returns that has given up: the interpreter goes on. No value has these bits.
pub const LEFT: u64 = 0x34;

/// What a helper answers that has done nothing: the interpreter is to execute the instruction. No value has these bits.
pub const UNKNOWN: u64 = 0x44;
