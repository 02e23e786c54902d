//! Regexp and MatchData, and what String does with a Regexp.
//!
//! The engine is a crate of its own, `asterism-regexp`; `engine` lends it the thread's memory and watches long searches,
//! `pattern` holds a source with its compiled forms, `shared` those of all VMs, `search` runs them. `methods` and `match_methods` are the classes' own methods; `hooks` is what
//! String calls when it is given a Regexp, `substitute` does `sub` and `gsub`, `replace` `scan` and `split`, and has the
//! primitives for what calls blocks, which is in `regexp.rb`.

pub mod engine;
pub mod hooks;
pub mod literals;
pub mod match_data;
pub mod match_methods;
pub mod matches;
pub mod methods;
pub mod pattern;
pub mod replace;
pub mod search;
pub mod shared;
pub mod show;
pub mod substitute;

use asterism_object::Value;
use asterism_vm::{Ec, Res};

pub use match_data::match_part;

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    methods::init(ec)?;
    match_methods::init(ec)?;
    replace::init(ec)
}

/// A Regexp of a source String and option bits: for literals.
///
/// # Errors
/// RegexpError.
pub fn new_regexp(ec: &mut Ec, source: Value, options: u32) -> Res {
    pattern::make(ec, source, options)
}
