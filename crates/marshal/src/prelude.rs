//! The part of this crate that is written in Ruby, as in `crates/core/src/prelude.rs`.

/// File name as frames show it, and text, of each source.
pub const PRELUDE: &[(&str, &str)] = &[("<internal:marshal>", include_str!("marshal.rb"))];
