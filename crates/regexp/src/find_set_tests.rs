//! Looking for bytes of a set.

use super::{CHUNK, NEAR, SetFinder};
use crate::program::ByteSet;

#[test]
fn finds_what_looking_at_each_byte_finds() {
    let sets: [&[(u8, u8)]; 6] = [
        &[(b'0', b'9')],
        &[(b'\t', b'\r'), (b' ', b' ')],
        &[(b'A', b'Z'), (b'_', b'_'), (b'a', b'z')],
        &[(0, 0), (b'&', b'&'), (b'<', b'<'), (255, 255)],
        &[(1, 1), (3, 3), (5, 5), (7, 7), (9, 9)],
        &[(0x80, 0xff)],
    ];
    for ranges in sets {
        let mut set = ByteSet::default();
        for (first, last) in ranges {
            set.insert_range(*first, *last);
        }
        let finder = SetFinder::new(set);
        for length in 0..NEAR + 3 * CHUNK {
            for at in 0..=length {
                for byte in [0, 1, 9, b' ', b'0', b'5', b'9', b'Z', b'z', 0x80, 255] {
                    let mut text = vec![b'~'; length];
                    if let Some(place) = text.get_mut(at) {
                        *place = byte;
                    }
                    assert_eq!(finder.find(&text), text.iter().position(|b| set.contains(*b)), "{text:?}");
                }
            }
        }
    }
}
