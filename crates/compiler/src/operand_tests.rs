//! The parts of an instruction against the encoding that `opcode` describes.

use super::{AtPlace, Place, Words, kind, place, signed};

const WORDS: [u64; 2] = [0xfedc_ba98_7654_32ff, 0x8123_4567_89ab_cdef];

#[test]
fn places_are_those_of_the_encoding() {
    let expected = [
        (Place::X, 0x32),
        (Place::A, 0x7654),
        (Place::B, 0xba98),
        (Place::C, 0xfedc),
        (Place::Bc, 0xfedc_ba98),
        (Place::Lo, 0x89ab_cdef),
        (Place::Hi, 0x8123_4567),
    ];
    for (place, part) in expected {
        assert_eq!(place.read(&WORDS), part, "{place:?}");
        assert_eq!(place.is_second(), matches!(place, Place::Lo | Place::Hi));
    }
    assert_eq!(Place::Lo.read(&WORDS[..1]), 0);
}

fn read<P: AtPlace>() -> u32 {
    // SAFETY: both words are there, and outlive the view.
    unsafe { Words::at(WORDS.as_ptr()).operand::<P, kind::Raw>() }
}

#[test]
fn a_running_instruction_reads_the_same() {
    assert_eq!(read::<place::X>(), Place::X.read(&WORDS));
    assert_eq!(read::<place::A>(), Place::A.read(&WORDS));
    assert_eq!(read::<place::B>(), Place::B.read(&WORDS));
    assert_eq!(read::<place::C>(), Place::C.read(&WORDS));
    assert_eq!(read::<place::Bc>(), Place::Bc.read(&WORDS));
    assert_eq!(read::<place::Lo>(), Place::Lo.read(&WORDS));
    assert_eq!(read::<place::Hi>(), Place::Hi.read(&WORDS));
}

#[test]
fn constants_have_their_sign() {
    assert_eq!(signed(0xba98, 16), 0xba98_u16 as i16 as i32);
    assert_eq!(signed(0x7fff, 16), 0x7fff);
    assert_eq!(signed(u32::MAX, 32), -1);
    // SAFETY: as in `read`.
    let offset = unsafe { Words::at(WORDS.as_ptr()).operand::<place::Hi, kind::Jump>() };
    assert_eq!(offset, 0x8123_4567_u32 as i32 as isize);
}
