//! Tests of the expectation reader.

use super::Expectation;

fn parse(source: &str) -> Expectation {
    Expectation::parse(source).expect("a well-formed test")
}

#[test]
fn reads_lines_in_order() {
    let expectation = parse("puts 1 # => 1\nx = \"# => no\"; puts x # => # => no\nputs # =>\n");
    let lines: Vec<&str> = expectation.stdout.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(lines, ["1", "no", ""]);
}

#[test]
fn reads_directives() {
    let expectation = parse("# args: -w -c\n# argv: a b\n# stdin: one\n# stdin: two\n# exit: 3\n# stderr: warn\n");
    assert_eq!(expectation.args, ["-w", "-c"]);
    assert_eq!(expectation.argv, ["a", "b"]);
    assert_eq!(expectation.stdin, "one\ntwo\n");
    assert_eq!(expectation.exit_status(), 3);
    assert_eq!(expectation.stderr, ["warn"]);
}

#[test]
fn compares_errors() {
    let expectation = parse("raise 'a: b' # error: RuntimeError: a: b\n");
    let stderr = "t.rb:1:in '<main>': a: b (RuntimeError)\n";
    assert!(expectation.compare("", stderr, Some(1)).is_empty());
    assert!(!expectation.compare("", stderr, Some(0)).is_empty());
    assert!(!expectation.compare("", "other\n", Some(1)).is_empty());
}

#[test]
fn finds_differences_of_output() {
    let expectation = parse("puts 1 # => 1\n");
    assert!(expectation.compare("1\n", "", Some(0)).is_empty());
    assert!(!expectation.compare("2\n", "", Some(0)).is_empty());
    assert!(!expectation.compare("", "", Some(0)).is_empty());
    assert!(!expectation.compare("1\n2\n", "", Some(0)).is_empty());
    assert!(!expectation.compare("1\n", "noise\n", Some(0)).is_empty());
    assert!(!expectation.compare("1\n", "", None).is_empty());
}
