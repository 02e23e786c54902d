//! Strings.
//!
//! ```text
//! String  [hdr][class][meta][24, 40, 56 or 72 bytes inline]
//! String  [hdr][class][meta][pointer][body ●][capacity]     (body: Bytes or Buffer)
//! Bytes   [hdr][capacity][bytes…]
//! Buffer  [hdr][capacity][malloc'ed block][spare]         (see `buffer`)
//!
//! meta: length 0..40, encoding 40..48, coderange 48..50, kind 50..52, SHARED 52, inline step 53..55
//! ```
//!
//! The bytes are plain memory: they are touched by the owner, under the object's lock, or when they
//! cannot change because the string is frozen or its body is SHARED. SHARED says that other strings
//! or readers use the body: the next writer copies it first. It is never taken back. Only the meta
//! word is read without a lock. There is room for one byte more than a string may have, for the NUL that C wants to see; it is written
//! when C looks, or when the body becomes SHARED, and then without a lock where it is not there.

pub(crate) mod buffer;
mod chilled;
mod coderange;
mod compare;
pub mod foreign;
mod layout;
mod make;
mod parcel;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use chilled::{Chilled, chill, chilled, dup_literal, thaw};
pub use coderange::set_valid;
pub(crate) use compare::hash_of;
pub use compare::{cmp, eq, frozen_equals, hash, hash_as, with_both};
pub(crate) use layout::trace;
pub use layout::{CodeRange, MAX_INLINE, MAX_LEN, encoding, is_empty, is_shared, known_coderange, len, scan};
pub use make::{from_str, from_vec, frozen, joined, new, new_cr, new_in, put_together, with_capacity};
pub use parcel::{Parcel, move_in};
pub use read::{
    StrRef, coderange, dup, dup_in, frozen_copy, get_byte, intern, intern_bytes, is_ascii_only, own_byte, read, substr,
    to_string_lossy, to_sym, to_vec, with_bytes, with_bytes_apart, with_own_bytes,
};
pub use write::{
    Held, StrMut, append, append_byte, append_cr, append_own, append_str, appends_as_is, clear, crop_own,
    force_encoding, give_back, hold, is_own, lend, modify, modify_lent, replace, replace_bytes, replace_if_own,
    replace_own, replace_seen, set_byte, set_coderange, splice, splice_own, truncate,
};
