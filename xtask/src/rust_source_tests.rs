//! Tests of the masking of comments and literals.

use super::{line_of, mask, words};

#[test]
fn masks_comments_and_literals() {
    let source = "a // unsafe\nb \"unsafe \\\" x\" c /* d /* e */ f */ g r#\"unsafe \"\"# h 'u' '\\'' i";
    let kept: Vec<String> = mask(source).split_whitespace().map(str::to_owned).collect();
    assert_eq!(kept, ["a", "b", "c", "g", "h", "i"]);
    assert_eq!(mask(source).len(), source.len());
}

#[test]
fn keeps_lifetimes() {
    let source = "fn f<'a>(x: &'a str, y: &'static str) -> char { 'é' }";
    assert_eq!(mask(source), source.replace("'é'", "    "));
}

#[test]
fn finds_words() {
    let text = "unsafe_op unsafe {\n not_unsafe unsafe";
    let found: Vec<usize> = words(text, "unsafe").map(|at| line_of(text, at)).collect();
    assert_eq!(found, [1, 2]);
}
