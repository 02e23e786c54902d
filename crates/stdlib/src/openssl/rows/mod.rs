//! The C functions that Ruby calls, by area.

mod bn;
mod digest;
mod key;
mod ssl;

use super::row::Row;

/// All of them.
pub static ALL: &[&[Row]] = &[bn::ROWS, digest::ROWS, key::ROWS, ssl::CONTEXTS, ssl::CONNECTIONS];
