//! The classes of CRuby's encodings of one byte a character. They are made by hand there, each a little apart from what
//! Unicode says of the same characters, and those that are not here have no letters but ASCII's.

use asterism_support::encoding::Encoding;

use crate::property::Class;
use crate::set::CodeSet;

/// Encodings, and their bytes from 0x80 on, a bit each, that are alphabetic, upper case, lower case, spaces, control
/// characters, graphic, punctuation, and of words.
type Row = (&'static [&'static str], [u128; 8]);

const ROWS: &[Row] = &[
    (
        &["ISO-8859-1", "ISO-8859-9"],
        [
            0xff7fffffff7fffff_0420040000000000,
            0x000000007f7fffff_0000000000000000,
            0xff7fffff80000000_0420040000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_8880280200000000,
            0xff7fffffff7fffff_762c040000000000,
        ],
    ),
    (
        &["ISO-8859-2"],
        [
            0x7f7fffffff7fffff_de6ade6a00000000,
            0x000000007f7fffff_0000de6a00000000,
            0x7f7fffff80000000_de6a000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_0000200000000000,
            0x7f7fffffff7fffff_de6ade6a00000000,
        ],
    ),
    (
        &["ISO-8859-3"],
        [
            0x7f7efff7ff7efff7_9e629e4200000000,
            0x000000007f7efff7_00009e4200000000,
            0x7f7efff780000000_9e62000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xfffefff7fffefff7_bfffbfde00000000,
            0x0000000000000000_2080200000000000,
            0x7f7efff7ff7efff7_be6e9e4200000000,
        ],
    ),
    (
        &["ISO-8859-4"],
        [
            0x7f7fffffff7fffff_fe6a5e6e00000000,
            0x000000007f7fffff_20005e6a00000000,
            0x7f7fffff80000000_de6a000400000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_0000200000000000,
            0x7f7fffffff7fffff_fe6a5e6e00000000,
        ],
    ),
    (
        &["ISO-8859-5"],
        [
            0xdffeffffffffffff_ffffdffe00000000,
            0x000000000000ffff_ffffdffe00000000,
            0xdffeffffffff0000_0000000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_0000200000000000,
            0xdffeffffffffffff_ffffdffe00000000,
        ],
    ),
    (
        &["ISO-8859-6", "Windows-1256"],
        [
            0x0007ffff07fffffe_0000000000000000,
            0x0000000000000000_0000000000000000,
            0x0000000000000000_0000000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0x0007ffff07fffffe_8800301000000000,
            0x0000000000000000_8800300000000000,
            0x0007ffff07fffffe_0000000000000000,
        ],
    ),
    (
        &["ISO-8859-7"],
        [
            0x7ffffffffffbffff_d740000000000000,
            0x000000000ffbfffe_d740000000000000,
            0x7ffffffff0000001_0000000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0x7ffffffffffbffff_ffffbbce00000000,
            0x0000000000000000_0880a80600000000,
            0x7ffffffffffbffff_f74c000000000000,
        ],
    ),
    (
        &["ISO-8859-8", "Windows-1255"],
        [
            0x07ffffff00000000_0020000000000000,
            0x0000000000000000_0000000000000000,
            0x0000000000000000_0020000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0x07ffffff80000000_7ffffffc00000000,
            0x0000000080000000_0880280000000000,
            0x07ffffff00000000_722c000000000000,
        ],
    ),
    (
        &["ISO-8859-10"],
        [
            0xffffffffffffffff_df7edf7e00000000,
            0x000000007fffffff_0000df7e00000000,
            0xffffffff80000000_df7e000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_2080200000000000,
            0xffffffffffffffff_df7edf7e00000000,
        ],
    ),
    (
        &["ISO-8859-11", "TIS-620", "Windows-874"],
        [
            0x0fffffff87ffffff_fffffffe00000000,
            0x0000000000000000_0000000000000000,
            0x0000000000000000_0000000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0x0fffffff87ffffff_fffffffe00000000,
            0x0000000000000000_0000000000000000,
            0x0fffffff87ffffff_fffffffe00000000,
        ],
    ),
    (
        &["ISO-8859-13", "Windows-1257"],
        [
            0x7f7fffffff7fffff_8520850000000000,
            0x000000007f7fffff_0000850000000000,
            0x7f7fffff80000000_8520000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x8000000000000000_0890282200000000,
            0x7f7fffffff7fffff_f72c850000000000,
        ],
    ),
    (
        &["ISO-8859-14"],
        [
            0xffffffffffffffff_ffbf9d7600000000,
            0x000000007fffffff_2895955200000000,
            0xffffffff80000000_d72a082400000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_0000200000000000,
            0xffffffffffffffff_ffbf9d7600000000,
        ],
    ),
    (
        &["ISO-8859-15"],
        [
            0xff7fffffff7fffff_7530054000000000,
            0x000000007f7fffff_5010004000000000,
            0xff7fffff80000000_2520050000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_8880280200000000,
            0xff7fffffff7fffff_773c054000000000,
        ],
    ),
    (
        &["ISO-8859-16"],
        [
            0xffffffffffffffff_f71cd54e00000000,
            0x000000007fffffff_5014944a00000000,
            0xffffffff80000000_a708410400000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0xffffffffffffffff_fffffffe00000000,
            0x0000000000000000_08a0282000000000,
            0xffffffffffffffff_f71cd54e00000000,
        ],
    ),
    (
        &["KOI8-R"],
        [
            0xffffffffffffffff_0008000800000000,
            0xffffffff00000000_0008000000000000,
            0x00000000ffffffff_0000000800000000,
            0x0000000000000000_0000000004000000,
            0x0000000000000000_0000000000000000,
            0xffffffffffffffff_fffffffffbffffff,
            0x0000000000000000_0000000040000000,
            0xffffffffffffffff_0008000820000000,
        ],
    ),
    (
        &["KOI8-U"],
        [
            0xffffffffffffffff_20d820d800000000,
            0xffffffff00000000_20d8000000000000,
            0x00000000ffffffff_000020d800000000,
            0x0000000000000000_0000000004000000,
            0x0000000000000000_0000000000000000,
            0xffffffffffffffff_fffffffffbffffff,
            0x0000000000000000_0000000040000000,
            0xffffffffffffffff_20d820d820000000,
        ],
    ),
    (
        &["Windows-1250"],
        [
            0x7f7fffffff7fffff_d6288428f400f400,
            0x000000007f7fffff_100084280000f400,
            0x7f7fffff80000000_c6280000f4000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_000000000bfe0bfc,
            0xffffffffffffffff_fffffffef400f401,
            0x0000000000000000_0880280200000000,
            0x7f7fffffff7fffff_f62c8428f400f400,
        ],
    ),
    (
        &["Windows-1251"],
        [
            0xffffffffffffffff_f53c852ef401f40b,
            0x00000000ffffffff_2004852a0000f403,
            0xffffffff00000000_d5380004f4010008,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_0000000001000000,
            0xffffffffffffffff_fdfffffefcfffeff,
            0x0000000000000000_08e37ad008fe0af4,
            0xffffffffffffffff_f53c852ef401f40b,
        ],
    ),
    (
        &["Windows-1252"],
        [
            0xff7fffffff7fffff_04200400d4005400,
            0x000000007f7fffff_0000000080005400,
            0xff7fffff80000000_0420040054000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_000000000bfe0bfc,
            0xffffffffffffffff_fffffffed4005401,
            0x0000000000000000_8880280200000000,
            0xff7fffffff7fffff_762c0400d4005400,
        ],
    ),
    (
        &["Windows-1253"],
        [
            0x7ffffffffffbffff_d760000400000000,
            0x000000000ffbfffe_d740000400000000,
            0x7ffffffff0000001_0020000000000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_00000000ffffffff,
            0x7ffffffffffbffff_ffffbbce00000000,
            0x0000000000000000_0880a80200000000,
            0x7ffffffffffbffff_f76c000400000000,
        ],
    ),
    (
        &["Windows-1254"],
        [
            0xff7fffffff7fffff_0420040094001400,
            0x000000007f7fffff_0000000080001400,
            0xff7fffff80000000_0420040014000000,
            0x0000000000000000_0000000100000000,
            0x0000000000000000_000000006bffebff,
            0xffffffffffffffff_fffffffe94001400,
            0x0000000000000000_8880280200000000,
            0xff7fffffff7fffff_762c040094001400,
        ],
    ),
];

fn row(encoding: Encoding) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.0.contains(&encoding.name()))
}

/// Has the encoding letters but those of ASCII?
pub fn has_letters(encoding: Encoding) -> bool {
    row(encoding).is_some()
}

/// The members of a class.
pub fn class(class: Class, encoding: Encoding) -> CodeSet {
    let mut set = class.ascii();
    let Some((_, [alpha, upper, lower, space, cntrl, graph, punct, word])) = row(encoding) else {
        return set;
    };
    let bits = match class {
        Class::Alnum | Class::Alpha => *alpha,
        // Its space is none that a line may have, says CRuby.
        Class::Blank if encoding.name() == "Windows-1251" => 0,
        Class::Blank | Class::Space => *space,
        Class::Cntrl => *cntrl,
        Class::Graph => *graph,
        Class::Lower => *lower,
        Class::Print => graph | space,
        Class::Punct => *punct,
        Class::Upper => *upper,
        Class::Word => *word,
        Class::Digit | Class::Xdigit | Class::Ascii => 0,
    };
    for byte in (0x80..0x100).filter(|byte| bits >> (byte - 0x80) & 1 != 0) {
        set.add(byte, byte);
    }
    set
}
