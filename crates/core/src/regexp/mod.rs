//! Regexp and MatchData.

pub mod hooks;

use asterism_object::Value;
use asterism_vm::{Ec, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(_ec: &mut Ec) -> Res<()> {
    Ok(())
}

/// A Regexp of a source String and option bits.
///
/// # Errors
/// RegexpError.
pub fn new_regexp(ec: &mut Ec, _source: Value, _options: u32) -> Res {
    Err(ec.not_implemented("Regexp"))
}

/// Part `n` of a MatchData; see `Op::GetBackref`.
///
/// # Errors
/// NoMemoryError.
pub fn match_part(ec: &mut Ec, _match_data: Value, _n: u32) -> Res {
    Err(ec.not_implemented("MatchData"))
}
