//! What String and Symbol hand over to Regexp: each is called when the pattern argument is a Regexp
//! ([`is_regexp`]), with the String (for Symbol methods, its name) and the arguments as they were given.

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_vm::{Args, Ec, Res};

/// Is it a Regexp?
#[inline]
pub fn is_regexp(ec: &Ec, v: Value) -> bool {
    v.is_heap() && ec.is_kind_of(v, ec.class(WellKnown::Regexp))
}

macro_rules! hooks {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// NotImplementedError.
            pub fn $name(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
                Err(ec.not_implemented(concat!("Regexp (", stringify!($name), ")")))
            }
        )*
    };
}

hooks! {
    /// `str[re]`, `str[re, capture]`
    string_aref,
    /// `str[re] = value`, `str[re, capture] = value`; the value is the last argument
    string_aset,
    /// `str.index(re, offset)`
    string_index,
    /// `str.byteindex(re, offset)`
    string_byteindex,
    /// `str.rindex(re, offset)`
    string_rindex,
    /// `str.byterindex(re, offset)`
    string_byterindex,
    /// `str.start_with?(re)`: one argument; sets `$~`
    string_start_with,
    /// `str.partition(re)`
    string_partition,
    /// `str.rpartition(re)`
    string_rpartition,
    /// `str.split(re, limit)`: without a block always, the Array of fields
    string_split,
    /// `str.sub(re, …)`, with the block
    string_sub,
    /// `str.sub!(re, …)`, with the block; the receiver is not frozen
    string_sub_bang,
    /// `str.gsub(re, …)`, with the block, or a replacement (never neither)
    string_gsub,
    /// `str.gsub!(re, …)`, likewise; the receiver is not frozen
    string_gsub_bang,
    /// `str.scan(re)`, with the block
    string_scan,
    /// `str =~ re`
    string_match_op,
    /// `str.match(pattern, pos)`, with the block; the pattern may be a String
    string_match,
    /// `str.match?(pattern, pos)`; the pattern may be a String
    string_match_p,
}

/// Sets `$~` after a search for a String: `found` are the offset and the length of the match in bytes, `None` when
/// there was none. Without MatchData there is no `$~`.
///
/// # Errors
/// NoMemoryError.
pub fn set_string_match(_ec: &mut Ec, _this: Value, _found: Option<(usize, usize)>) -> Res<()> {
    Ok(())
}
