//! Sources at and past the limits of the bytecode end in an error, never in a crash.

use super::{code, error};
use crate::errors::CompileError;

fn refused(source: &str) {
    match error(source.as_bytes()) {
        CompileError::Limit { .. } | CompileError::Syntax { .. } => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn deep_nesting_is_refused() {
    const N: usize = 20_000;
    refused(&format!("{}1{}", "(".repeat(N), ")".repeat(N)));
    refused(&format!("{}1{}", "[".repeat(N), "]".repeat(N)));
    refused(&format!("x = {}1{}", "{a: ".repeat(N), "}".repeat(N)));
    refused(&format!("{}a", "!".repeat(N)));
    refused(&format!("{}a", "-".repeat(N)));
    refused(&format!("a{}", " + a".repeat(N)));
    refused(&format!("a{}", " && a".repeat(N)));
    refused(&format!("a{}", " || a".repeat(N)));
    refused(&format!("a{}", ".b".repeat(N)));
    refused(&format!("a{}", "[0]".repeat(N)));
    refused(&format!("A{}", "::B".repeat(N)));
    refused(&format!("a{}", " if b".repeat(N)));
    refused(&format!("a{}", " while b".repeat(N)));
    refused(&format!("a{}", " rescue b".repeat(N)));
    refused(&format!("{}b", "a = ".repeat(N)));
    refused(&format!("{}b", "a ? b : ".repeat(N)));
    refused(&format!("if a\n{}end", "elsif a\n".repeat(N)));
    refused(&format!("begin\n{}end", "rescue A\n".repeat(N)));
    refused(&format!("{}{}", "begin;".repeat(N), "end;".repeat(N)));
    refused(&format!("{}{}", "def a;".repeat(N), "end;".repeat(N)));
    refused(&format!("{}{}", "a {".repeat(N), "}".repeat(N)));
    refused(&format!("case 1; in {}1{}; end", "[".repeat(N), "]".repeat(N)));
    refused(&format!("case 1; in 1{}; end", " | 1".repeat(N)));
    refused(&format!("{}a{} = 1", "(".repeat(N), ",)".repeat(N)));
    refused(&format!("def f({}a{}); end", "(".repeat(N), ",)".repeat(N)));
    refused(&format!("defined?({}1{})", "[".repeat(N), "]".repeat(N)));
    refused(&format!("\"{}{}\"", "#{\"".repeat(N), "\"}".repeat(N)));
    refused(&format!("a {}", "->() { ".repeat(N)));
}

#[test]
fn moderate_nesting_compiles() {
    const N: usize = 900;
    code(&format!("{}1{}", "(".repeat(N), ")".repeat(N)));
    code(&format!("{}1{}", "[".repeat(N), "]".repeat(N)));
    code(&format!("a{}", " + a".repeat(N)));
    code(&format!("a{}", ".b(1)".repeat(N)));
    code(&format!("if a\n{}end", "elsif a\n".repeat(N)));
    code(&format!("{}{}", "a {".repeat(N), "}".repeat(N)));
    code(&format!("x = {}1{}", "{a: ".repeat(N), "}".repeat(N)));
}

#[test]
fn long_literals_take_few_registers() {
    let numbers: Vec<String> = (0..70_000).map(|n| n.to_string()).collect();
    let main = code(&format!("x = [{}]", numbers.join(", ")));
    assert!(main.registers < 100);
    let calls = vec!["a"; 3000].join(", ");
    assert!(code(&format!("x = [{calls}]")).registers < 200);
    assert!(code(&format!("f({calls})")).registers < 200);
    let pairs: Vec<String> = (0..3000).map(|n| format!("k{n}: a")).collect();
    assert!(code(&format!("x = {{{}}}", pairs.join(", "))).registers < 200);
    assert!(code(&format!("f({})", pairs.join(", "))).registers < 200);
}

#[test]
fn long_codes_compile() {
    code(&format!("a{}", " + a".repeat(4500)));
    code(&format!("a{}", ".b(1)".repeat(4500)));
    assert!(code(&"a\n".repeat(70_000)).call_sites.len() < 65_536);
    code(&(0..70_000).map(|n| format!("X{n}\n")).collect::<String>());
    // Names that operands of 16 bits refer to may come behind many literals.
    let texts: String = (0..70_000).map(|n| format!("'a{n}'.b\n")).collect();
    code(&format!("{texts}X = 1\nY::Z\ndef c = 1\n"));
}

#[test]
fn too_much_of_anything_is_refused() {
    refused(&(0..70_000).map(|n| format!("x{n} = 1\n")).collect::<String>());
    refused(&(0..70_000).map(|n| format!("@x{n} = 1\n")).collect::<String>());
    refused(&(0..70_000).map(|n| format!("a{n}\n")).collect::<String>());
    refused(&"def a; end\n".repeat(70_000));
    let names: Vec<String> = (0..70_000).map(|n| format!("a{n}")).collect();
    refused(&format!("def f({}); end", names.join(", ")));
    refused(&format!("{} = f", names.iter().map(|n| format!("{n}.b")).collect::<Vec<_>>().join(", ")));
    refused(&format!("/{}/o", "#{a}".repeat(40_000)));
}
