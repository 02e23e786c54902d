//! Errors and warnings as the user sees them.

use super::error;
use crate::code::CodeKind;
use crate::errors::CompileError;
use crate::source::{Options, compile};

#[test]
fn a_syntax_error_shows_its_place() {
    let got = error(b"x = 1\ny = 2\nz = 3\nfoo(\n");
    let expected = "syntax error found
  2 | y = 2
  3 | z = 3
> 4 | foo(
    |     ^ unexpected end-of-input; expected a `)` to close the arguments
";
    assert_eq!(got, CompileError::Syntax { line: 4, message: expected.to_string() });
}

#[test]
fn distant_errors_are_divided() {
    let got = error(b"a b ]\n1\n2\n3\n4\n5\n6\n7\n8\n9\n c d ]\n").message();
    let lines: Vec<&str> = got.lines().collect();
    assert_eq!(lines[0], "syntax errors found");
    assert_eq!(lines[1], ">  1 | a b ]");
    assert!(lines.contains(&"  ~~~~~~"), "{got}");
    assert!(lines.contains(&"  10 | 9"), "{got}");
    assert!(lines.contains(&"> 11 |  c d ]"), "{got}");
}

#[test]
fn long_lines_are_cut() {
    let got = error(format!("{} = ) ; {}", "a".repeat(50), "b".repeat(80)).as_bytes()).message();
    assert!(got.contains("> 1 | ... "), "{got}");
    assert!(got.contains(" ...\n"), "{got}");
}

#[test]
fn sources_that_cannot_be_shown_are_not() {
    let got = error(b"\"\xff\" ]\n");
    assert!(matches!(got, CompileError::Syntax { line: 1, .. }), "{got:?}");
}

#[test]
fn odd_sources_are_refused_or_compiled() {
    for source in [&b""[..], b"\n", b"\0", b"\x04", b"\x1a", b"\xef\xbb\xbfp 1", b"__END__", b"#", b"=begin\n=end"] {
        let _ = compile(source, &Options::new("t.rb", CodeKind::Main));
    }
    // The compiler alone knows a few encodings only; the VM tells it of the others.
    assert!(matches!(error(b"# encoding: euc-jp\np 1"), CompileError::Argument { .. }));
    let _ = error(b"p '\xe3\x81'\n\xff");
    assert!(compile(b"# encoding: binary\np \"\xff\"", &Options::new("t.rb", CodeKind::Main)).is_ok());
}

#[test]
fn invalid_jumps_in_evaluated_code_are_refused() {
    for source in ["break", "next", "redo", "retry"] {
        let options = Options::new("(eval)", CodeKind::Eval);
        assert!(compile(source.as_bytes(), &options).is_err(), "{source}");
    }
}

#[test]
fn warnings_have_levels() {
    let warned = |source: &str| match compile(source.as_bytes(), &Options::new("t.rb", CodeKind::Main)) {
        Ok(compiled) => compiled.warnings,
        Err(error) => panic!("{error}"),
    };
    let unused = warned("def f\n x = 1\nend");
    assert_eq!(unused.len(), 1);
    assert!(unused[0].verbose_only);
    assert_eq!((unused[0].line, &*unused[0].message), (2, "assigned but unused variable - x"));
    let duplicate = warned("p({a: 1, a: 2})");
    assert!(duplicate.iter().any(|w| !w.verbose_only), "{duplicate:?}");
}
