//! The words of some values.

/// `nil`
pub const NIL: i64 = 4;
/// `true`
pub const TRUE: i64 = 0x14;
/// `false`
pub const FALSE: i64 = 0;
/// `0.0`
pub const ZERO: i64 = 0x8000_0000_0000_0002u64 as i64;
/// The largest immediate whose low bits are those of an address.
pub const LAST_SPECIAL: i64 = 0x24;
/// What a Symbol is under the mask.
pub const SYMBOL: i64 = 0x0c;
/// The mask.
pub const SYMBOL_MASK: i64 = 0xff;
/// What a Symbol that may be collected is under the mask.
pub const DYNAMIC_SYMBOL: i64 = asterism_object::DYNAMIC_SYMBOL.cast_signed();
/// The mask.
pub const DYNAMIC_SYMBOL_MASK: i64 = asterism_object::DYNAMIC_SYMBOL_MASK.cast_signed();
