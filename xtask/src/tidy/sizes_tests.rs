//! Tests of how functions are measured.

use super::functions;

#[test]
fn measures_functions() {
    let source = "\
fn a(
    x: fn(u8) -> u8,
) -> u8 {
    if x {
    }
}

impl B {
    pub const unsafe fn b(&self) -> u8 { 1 }
    fn declared(&self);
    fn c(&self) {
        fn inner() {
        }
    }
}
";
    assert_eq!(functions(source), [("a", 1, 6), ("b", 9, 1), ("c", 11, 4), ("inner", 12, 2)]);
}
