//! From Ruby source to register bytecode: prism parses, this crate compiles.
//!
//! [`compile`] is the way in. What comes out, a tree of [`Code`], is immutable and belongs to the
//! process; see `code`. The instruction set is the table in `opcode`.

pub mod code;
pub mod opcode;

pub use code::{Code, CodeKind};
