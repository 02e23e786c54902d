//! Ruby's regular expressions, without Ruby's objects: Onigmo's language, searched by a machine of our own.
//!
//! | module | what it is |
//! |---|---|
//! | `source` | escapes of bytes and Unicode characters, and the encoding a pattern insists on |
//! | `parse`, `token`, `class`, `cluster` | from the source to the syntax tree (`ast`); errors and warnings are CRuby's |
//! | `set`, `property`, `property_tables`, `single` | sets of characters; classes and properties by name |
//! | `fold` | letters whatever their case |
//! | `analyse` | which groups remain, whom calls mean, lengths |
//! | `linear` | whether a search takes time proportional to its subject, as CRuby says it |
//! | `compile`, `around`, `text`, `program`, `few`, `lead` | instructions, and the bytes that ways can begin with |
//! | `coding` | how characters lie in a subject |
//! | `backtrack`, `span`, `rare`, `memo`, `scratch` | the machine, what it remembers, its memory |
//! | `prefilter` | where a match can begin |
//! | `regular`, `automaton` | automata for the regular subset |
//! | `engine`, `search`, `region` | a pattern for one encoding, searches, where groups lie |
//!
//! A compiled [`Engine`] is never changed and may be searched with by any number of threads; each brings its own
//! [`Scratch`]. No search takes a lock.
#![forbid(unsafe_code)]

mod analyse;
mod around;
mod ast;
mod automaton;
mod backtrack;
mod class;
mod cluster;
mod coding;
mod compile;
mod engine;
mod error;
mod factor;
mod few;
mod find_set;
mod fold;
mod lead;
mod linear;
mod memo;
mod parse;
mod prefilter;
mod program;
mod property;
mod property_tables;
mod rare;
mod region;
mod regular;
mod room;
mod scratch;
mod search;
mod set;
mod single;
mod source;
mod span;
pub mod template;
mod text;
mod token;
mod whole;

pub use backtrack::Limits;
pub use engine::{Engine, Flags, Outcome, Search};
pub use error::{Error, Result};
pub use parse::Warning;
pub use region::Region;
pub use room::Bounds;
pub use scratch::Scratch;
pub use source::{Source, resolve};
