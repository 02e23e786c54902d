//! One-word codes in the place of a code's beginning: one that counts calls, and one that enters compiled code.

/// Opcode of the word that counts calls.
pub(crate) const COUNT: u8 = 254;
/// Opcode of the word that enters compiled code.
pub(crate) const ENTER: u8 = 255;

static COUNT_CODE: u64 = COUNT as u64;
static ENTER_CODE: u64 = ENTER as u64;

/// Where calls of code go that are to be counted.
pub(crate) fn counting() -> *const u64 {
    &raw const COUNT_CODE
}

/// Where calls of compiled code go.
pub(crate) fn entering() -> *const u64 {
    &raw const ENTER_CODE
}

/// Is that one of the two?
#[inline(always)]
pub(crate) fn is_switch(pc: *const u64) -> bool {
    pc == counting() || pc == entering()
}
