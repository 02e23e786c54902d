//! What CRuby 4.1 answers to `Regexp.linear_time?`.

use asterism_support::encoding::Encoding;

use crate::engine::{Engine, Flags};

fn is_linear(pattern: &str, encoding: Encoding, ignore_case: bool) -> bool {
    let flags = Flags { ignore_case, ..Flags::default() };
    let source: Vec<u8> = match encoding.min_len() {
        4 => pattern.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        2 => pattern.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => pattern.into(),
    };
    match Engine::compile(source, encoding, flags, encoding, false) {
        Ok(engine) => engine.is_linear(),
        Err(error) => panic!("{pattern}: {error}"),
    }
}

#[test]
fn repeats_that_are_not_spelled_out_are_counted_by_bytes() {
    let (utf8, wide) = (Encoding::UTF_8, Encoding::find(b"UTF-32BE").unwrap_or(Encoding::UTF_8));
    for (pattern, encoding, expected) in [
        ("t{1,3}+", utf8, true),
        ("t{1,3}+", wide, false),
        ("t{1,2}+", wide, true),
        ("[ab]{1,2}+", utf8, false),
        ("[ab]{1,2}", utf8, true),
        ("(?:[ab]{5,9})*", utf8, false),
        ("(?:[ab]{5,9})", utf8, true),
        ("(?:abcdefghij){5,}", utf8, true),
        ("あ{1,3}+", utf8, true),
        ("あ{1,6}+", utf8, false),
    ] {
        assert_eq!(is_linear(pattern, encoding, false), expected, "{pattern} in {}", encoding.name());
    }
}

#[test]
fn letters_that_equal_several_take_more() {
    assert!(is_linear("k{1,3}+", Encoding::UTF_8, true));
    assert!(is_linear("İ{1,3}+", Encoding::UTF_8, false));
    assert!(!is_linear("İ{1,3}+", Encoding::UTF_8, true));
    // Too many ways: it stays a text.
    assert!(is_linear("ß{1,3}+", Encoding::UTF_8, true));
}

#[test]
fn what_becomes_atomic_is_not_linear_in_look_arounds() {
    for (pattern, expected) in [
        ("(?=a*b)", false),
        ("(?=a*a)", true),
        ("(?!a+[bc])", false),
        ("(?!a+[ab])", true),
        ("(?>a*b)", false),
        ("(?=(?:ab)+c)", false),
        ("(?=\\w+\\W)", false),
        ("(?=b{2}+B_t)", false),
        ("(?=Bc*A)", true),
        ("(?=a*?b)", true),
        ("a*b", true),
        ("(?=.*b)", true),
    ] {
        assert_eq!(is_linear(pattern, Encoding::UTF_8, false), expected, "{pattern}");
    }
}

#[test]
fn clusters_are_not_linear() {
    assert!(!is_linear("\\X", Encoding::UTF_8, false));
    assert!(is_linear("\\X", Encoding::EUC_JP, false));
    assert!(is_linear("\\R", Encoding::UTF_8, false));
}
