//! From Ruby source to register bytecode: prism parses, this crate compiles.
//!
//! [`compile`] is the way in. What comes out, a tree of [`Code`], is immutable and belongs to the
//! process; see `code`. The instruction set is the table in `opcode`, what its operands are is in `operand`.

mod analysis;
mod apart;
mod assign;
mod bound;
mod branch;
mod builder;
mod calls;
pub mod child;
pub mod code;
mod control;
pub mod coverage;
mod defined;
mod definitions;
mod dump;
mod errors;
mod exceptions;
mod excerpt;
mod expr;
pub mod image;
mod literals;
pub mod machine;
mod measured;
mod opassign;
pub mod opcode;
pub mod operand;
mod operators;
mod own_stack;
mod params;
mod patterns;
mod regexps;
mod regions;
mod source;
mod spot;
mod strings;
mod symbols;
mod vars;
pub mod verify;
mod walk;

pub use apart::{Apart, compile_apart};
pub use bound::Bound;
pub use code::{Code, CodeKind};
pub use dump::{disassemble, dump_ast};
pub use errors::{CompileError, RegexpText, Warning};
pub use opcode::ops;
pub use source::{CommandLine, Compiled, Options, compile};
pub use spot::{Point, Spot, spot};

#[cfg(test)]
mod tests;
