//! Figures and their lines.

use super::{Figures, folder};

#[test]
fn a_line_is_read_as_it_was_written() {
    let figures = Figures { files: 3, passed: 999, failed: 1, errored: 0, crashed: 0, hung: 0 };
    assert_eq!(Figures::parse(&figures.line("core/array")), Some(("core/array".to_owned(), figures)));
    assert_eq!(Figures::parse(&format!("{},", figures.line("x"))), Some(("x".to_owned(), figures)));
    assert_eq!(Figures::parse("  \"suite\": \"abc\","), None);
    assert_eq!(figures.percent(), "99.9");
    assert_eq!(Figures::default().percent(), "100.0");
}

#[test]
fn files_are_counted_by_class() {
    assert_eq!(folder("core/array/pack/a_spec.rb"), "core/array");
    assert_eq!(folder("language/alias_spec.rb"), "language");
    assert_eq!(folder("language/regexp/anchors_spec.rb"), "language/regexp");
}
