//! Algorithms of String: character sets (`tr`, `delete`, `count` …), `succ`, search, stripping.

pub mod charset;
pub mod search;
pub mod succ;

pub use charset::{CharSet, count, delete, squeeze, tr, trim};
pub use search::{Needle, find, lstrip_len, rindex, rstrip_len, split_awk, sum};
pub use succ::succ;
