//! Regexp and MatchData, and what String does with a Regexp.
//!
//! The engine is a crate of its own, `asterism-regexp`; `engine` lends it the thread's memory and watches long searches,
//! `pattern` holds a source with its compiled forms, `search` runs them. `methods` and `match_methods` are the classes' own methods; `hooks` is what
//! String calls when it is given a Regexp, `replace` does `sub`, `gsub`, `scan` and `split`. What calls blocks is in
//! `regexp.rb`.

pub mod engine;
pub mod hooks;
pub mod match_data;
pub mod match_methods;
pub mod matches;
pub mod methods;
pub mod pattern;
pub mod replace;
pub mod search;
pub mod show;

use asterism_object::{Value, string};
use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_part::<pattern::Regexps>();
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

/// Part `n` of a MatchData: `$&`, `` $` ``, `$'`, `$+`, then `$1` …
///
/// # Errors
/// NoMemoryError.
pub fn match_part(ec: &mut Ec, match_data: Value, n: u32) -> Res {
    let m = match_data::of(ec, &match_data)?;
    match n {
        0 => match_data::group(ec, m, 0),
        1 => match_data::part(ec, m.string(), 0, m.whole().0),
        2 => {
            let subject = m.string();
            match_data::part(ec, subject, m.whole().1, string::len(subject))
        }
        3 => match (1..m.count()).rev().find(|i| m.span(*i).is_some()) {
            Some(i) => match_data::group(ec, m, i),
            None => Ok(Value::NIL),
        },
        n => match_data::group(ec, m, n as usize - 4),
    }
}
