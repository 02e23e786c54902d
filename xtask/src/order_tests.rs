//! Names of functions as callgrind and the linker write them.

use super::{function, without_hash};

#[test]
fn names_come_from_callgrind() {
    assert_eq!(function("fn=(12) parser_lex'2"), Some("parser_lex"));
    assert_eq!(function("cfn=(3) main"), Some("main"));
    assert_eq!(function("fn=(12)"), None);
    assert_eq!(function("calls=1 0x0"), None);
}

#[test]
fn hashes_are_left_out() {
    assert_eq!(without_hash("_ZN4core3fmt5write17h0123456789abcdefE"), "_ZN4core3fmt5write17h");
    assert_eq!(without_hash("_ZN4core3fmt5write17h0123456789abcdefE.llvm.77"), "_ZN4core3fmt5write17h");
    assert_eq!(without_hash("_ZN4core3fmt5write17h0123456789abcdefE.1597"), "_ZN4core3fmt5write17h");
    assert_eq!(without_hash("parser_lex"), "parser_lex");
    assert_eq!(without_hash("parser_lex2"), "parser_lex2");
}
