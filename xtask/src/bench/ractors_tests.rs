//! Tests of the lines that the Ractor benchmarks print.

use super::{message_line, scaling_line};

#[test]
fn lines_are_read() {
    let (kind, numbers) = scaling_line("ivars of Strings        37.62   1.98   2.34").unwrap_or_default();
    assert_eq!((kind.as_str(), numbers), ("ivars of Strings", (37.62, vec![1.98, 2.34])));
    assert_eq!(message_line("sent  2.65  3.18"), Some(("sent".to_owned(), (2.65, 3.18))));
    assert_eq!(scaling_line("short"), None);
}
