//! Where the characters of an encoding are not those of the library's table, which is a vendor's or the Web's.

use super::{Encoding, Kind};

/// Private characters of GB 18030 that later got code points of their own: the library has the later edition.
const GB18030_MOVED: [(u32, u32); 19] = [
    (0xe78d, 0xfe10),
    (0xe78e, 0xfe12),
    (0xe78f, 0xfe11),
    (0xe790, 0xfe13),
    (0xe791, 0xfe14),
    (0xe792, 0xfe15),
    (0xe793, 0xfe16),
    (0xe794, 0xfe17),
    (0xe795, 0xfe18),
    (0xe796, 0xfe19),
    (0xe7c7, 0x1e3f),
    (0xe81e, 0x9fb4),
    (0xe826, 0x9fb5),
    (0xe82b, 0x9fb6),
    (0xe82c, 0x9fb7),
    (0xe832, 0x9fb8),
    (0xe843, 0x9fb9),
    (0xe854, 0x9fba),
    (0xe864, 0x9fbb),
];

/// The first private character of Windows-31J's user area, and how many rows of how many it has.
const VENDOR_AREA: u32 = 0xe000;
const VENDOR_LEAD: u32 = 0xf0;
const VENDOR_ROWS: u32 = 10;
const SJIS_ROW: u32 = 188;

/// The first of the characters of Big5 at C6A1 to C8FE, which are private.
const BIG5_AREA: u32 = 0xf6b1;
const BIG5_ROW: u32 = 157;

const PRIVATE: std::ops::RangeInclusive<u32> = 0xe000..=0xf8ff;

/// A decision about a character.
pub(super) enum Row {
    /// The library knows.
    Library,
    /// The encoding does not have it.
    Lacks,
    /// It is this character.
    Is(u32),
}

fn is_gb18030(enc: Encoding) -> bool {
    enc.kind() == Kind::Gb18030
}

/// What a character of two bytes is.
pub(super) fn of_pair(enc: Encoding, bytes: &[u8]) -> Row {
    let &[a, b] = bytes else { return Row::Library };
    let lacks = match enc.name() {
        "Shift_JIS" => matches!(a, 0x87 | 0xed | 0xee | 0xf0..),
        "EUC-JP" => matches!(a, 0xad | 0xf9..=0xfc),
        "GB2312" => !is_gb2312(a, b),
        "GBK" => matches!(
            (a, b),
            (0xa2, 0xe3)
                | (0xa3, 0xa0)
                | (0xa6, 0xd9..=0xdf | 0xec | 0xed | 0xf3)
                | (0xa8, 0xbc | 0xbf)
                | (0xa9, 0x89..=0x95)
                | (0xfe, 0x50..)
        ),
        "Big5" => match (a, b) {
            (0xfa..=0xfe, _) | (0xa3, 0xc0..=0xe0) => true,
            (0xc6, 0xa1..) | (0xc7 | 0xc8, _) => return Row::Is(BIG5_AREA + big5_index(a, b) - big5_index(0xc6, 0xa1)),
            (0xf9, 0xfe) => return Row::Is(0x2593),
            _ => false,
        },
        "GB18030" if (a, b) == (0xa3, 0xa0) => return Row::Is(0xe5e5),
        _ => false,
    };
    if lacks { Row::Lacks } else { Row::Library }
}

/// What the library's character is in the encoding.
pub(super) fn of_code(enc: Encoding, code: u32) -> Row {
    if is_gb18030(enc) {
        return match GB18030_MOVED.iter().find(|p| p.0 == code || p.1 == code) {
            Some(&(a, b)) => Row::Is(if code == a { b } else { a }),
            None => Row::Library,
        };
    }
    if enc.name() == "GBK" && PRIVATE.contains(&code) { Row::Lacks } else { Row::Library }
}

/// The bytes of a character, where the library has none or other ones.
pub(super) fn bytes_of(enc: Encoding, code: u32) -> Option<[u8; 2]> {
    match enc.name() {
        "Windows-31J" if (VENDOR_AREA..VENDOR_AREA + VENDOR_ROWS * SJIS_ROW).contains(&code) => {
            let at = code - VENDOR_AREA;
            let trail = at % SJIS_ROW + 0x40;
            Some([(VENDOR_LEAD + at / SJIS_ROW) as u8, (trail + u32::from(trail >= 0x7f)) as u8])
        }
        "GB18030" if code == 0xe5e5 => Some([0xa3, 0xa0]),
        "GB2312" => match code {
            0x2015 => Some([0xa1, 0xaa]),
            0x30fb => Some([0xa1, 0xa4]),
            _ => None,
        },
        "Big5" => match code {
            0x2593 => Some([0xf9, 0xfe]),
            0x2550 => Some([0xa2, 0xa4]),
            0x255e => Some([0xa2, 0xa5]),
            0x2561 => Some([0xa2, 0xa7]),
            0x256a => Some([0xa2, 0xa6]),
            0x4edd => Some([0xc9, 0x69]),
            _ => {
                let at = code.checked_sub(BIG5_AREA)? + big5_index(0xc6, 0xa1);
                if at > big5_index(0xc8, 0xfe) {
                    return None;
                }
                let (lead, trail) = (at / BIG5_ROW + 0x81, at % BIG5_ROW);
                Some([lead as u8, (trail + if trail < 0x3f { 0x40 } else { 0x62 }) as u8])
            }
        },
        _ => None,
    }
}

fn big5_index(a: u8, b: u8) -> u32 {
    let trail = if b < 0xa1 { b.wrapping_sub(0x40) } else { b - 0x62 };
    u32::from(a.wrapping_sub(0x81)) * BIG5_ROW + u32::from(trail)
}

/// The cells that GB 2312 itself assigns.
fn is_gb2312(a: u8, b: u8) -> bool {
    matches!(
        (a, b),
        (0xa1 | 0xa3 | 0xb0..=0xd6 | 0xd8..=0xf7, _)
            | (0xa2, 0xb1..=0xe2 | 0xe5..=0xee | 0xf1..=0xfc)
            | (0xa4, ..=0xf3)
            | (0xa5, ..=0xf6)
            | (0xa6, ..=0xb8 | 0xc1..=0xd8)
            | (0xa7, ..=0xc1 | 0xd1..=0xf1)
            | (0xa8, ..=0xba | 0xc5..=0xe9)
            | (0xa9, 0xa4..=0xef)
            | (0xd7, ..=0xf9)
    )
}
