//! Tests of the text of events.

use super::{Backwards, Text};

#[test]
fn nanoseconds_are_microseconds_with_three_places() {
    let written = |nanoseconds| {
        let mut back = Backwards::new();
        back.microseconds(nanoseconds);
        String::from_utf8_lossy(back.get()).into_owned()
    };
    let all = [0, 7, 1_000, 12_345, 1_234_567_890].map(written);
    assert_eq!(all, ["0.000", "0.007", "1.000", "12.345", "1234567.890"]);
}

#[test]
fn the_end_of_an_event_has_room_for_all_numbers() {
    let mut text = Text(Vec::new());
    text.end(u64::MAX, u64::MAX, u64::MAX, u64::MAX);
    text.clear();
    text.end(1, u64::MAX, 0, u64::MAX);
    let end = ",\"pid\":1,\"tid\":18446744073709551615,\"ts\":0.000,\"dur\":18446744073709551.615}";
    assert_eq!(String::from_utf8_lossy(text.bytes()), end);
}
