//! Snippets are compiled, verified and, where the instructions matter, looked at.

use asterism_symbol::intern;

use crate::code::{Code, CodeKind, flags};
use crate::errors::CompileError;
use crate::source::{Options, compile};
use crate::{disassemble, verify};

mod corpus;
mod limits;
mod messages;

/// Compiles as a main script and checks the result.
pub(crate) fn code(source: &str) -> std::sync::Arc<Code> {
    let compiled = match compile(source.as_bytes(), &Options::new("t.rb", CodeKind::Main)) {
        Ok(compiled) => compiled,
        Err(error) => panic!("{source}\n{error}"),
    };
    if let Err(defect) = verify::verify(&compiled.code) {
        panic!("{source}\n{defect}\n{}", disassemble(&compiled.code));
    }
    compiled.code
}

pub(crate) fn error(source: &[u8]) -> CompileError {
    match compile(source, &Options::new("t.rb", CodeKind::Main)) {
        Ok(compiled) => panic!("compiles:\n{}", disassemble(&compiled.code)),
        Err(error) => error,
    }
}

/// The instructions of the code at `path` of children, without positions and lines.
fn instructions(source: &str, path: &[usize]) -> Vec<String> {
    let mut at = code(source);
    for &n in path {
        let child = at.children[n].clone();
        at = child;
    }
    let text = disassemble(&at);
    let own = text.split("\n\n").next().unwrap_or_default();
    own.lines()
        .filter(|l| {
            l.starts_with("    ") || l.starts_with("   ") && l.as_bytes().get(4).is_some_and(u8::is_ascii_digit)
        })
        .filter(|l| !l.contains("locals") && !l.contains("Rescue ") && !l.contains("Ensure "))
        .map(|l| l.get(13..).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn fib_is_compact() {
    let got = instructions("def fib(n)\n  n < 2 ? n : fib(n - 1) + fib(n - 2)\nend", &[0]);
    assert_eq!(
        got,
        [
            "JmpLtI r0 #2 </1 -> 4",
            "Move r1 r0",
            "Jmp -> 12",
            "SubI r4 r0 #1 -/1",
            "CallSelf r3.. r2 fib/1 fcall",
            "SubI r5 r0 #2 -/1",
            "CallSelf r4.. r3 fib/1 fcall",
            "Add r1 r2 r3 +/1",
            "Return r1",
        ]
    );
}

#[test]
fn a_loop_takes_one_fused_jump_a_round() {
    let got = instructions("def f(n)\n i = 0\n while i < n\n i += 1\n end\n i\nend", &[0]);
    assert_eq!(got, ["LoadInt r1 #0", "Jmp -> 4", "AddI r1 r1 #1 +/1", "JmpLt r1 r0 x=1 </1 -> 2", "Return r1"]);
}

#[test]
fn operators_write_locals_directly() {
    assert_eq!(instructions("def f(a, b)\n x = a + b\n x\nend", &[0]), ["Add r2 r0 r1 +/1", "Return r2"]);
}

#[test]
fn an_operand_that_is_assigned_later_is_copied() {
    let got = instructions("def f(a)\n a + (a = 2)\nend", &[0]);
    assert_eq!(got, ["Move r2 r0", "LoadInt r0 #2", "Move r3 r0", "Add r1 r2 r3 +/1", "Return r1"]);
}

#[test]
fn swapping_makes_no_array() {
    let got = instructions("def f(a, b)\n a, b = b, a\n nil\nend", &[0]);
    assert_eq!(got, ["Move r3 r1", "Move r1 r0", "Move r0 r3", "LoadNil r2", "Return r2"]);
}

#[test]
fn captured_locals_go_through_their_scope() {
    let source = "def f\n x = 1\n y = 2\n g { x += 1 }\n x + y\nend";
    let main = code(source);
    let f = &main.children[0];
    assert!(f.locals[0].captured && !f.locals[1].captured);
    assert_eq!(instructions(source, &[0, 0])[0], "GetUp r1 slot0 1");
}

#[test]
fn reflection_captures_everything_around() {
    let f = code("def f(a)\n b = 1\n g { c = 2; eval('a') }\nend").children[0].clone();
    assert!(f.locals.iter().all(|l| l.captured));
    assert!(f.children[0].locals.iter().all(|l| l.captured));
    let g = code("def g(a)\n b = 1\n x.instance_eval { foo }\nend").children[0].clone();
    assert!(g.locals.iter().all(|l| !l.captured));
}

#[test]
fn a_block_parameter_is_made_an_object_only_where_needed() {
    let passed = instructions("def f(&b) = g(&b)", &[0]);
    assert_eq!(passed, ["CallSelf r2.. r1 g/0 &forward fcall", "Return r1"]);
    let asked = instructions("def f(&b)\n 1 if b\nend", &[0]);
    assert_eq!(asked[0], "BlockGiven r2");
    let assigned = instructions("def f(&b)\n b ||= 1\n b\nend", &[0]);
    assert_eq!(assigned[0], "BlockParam r1");
}

#[test]
fn parameters_are_described() {
    let f = code("def f(a, (b, c), d = 1, *e, g, h:, i: 2, **j, &k) = 1").children[0].clone();
    let p = &f.params;
    assert_eq!((p.required, p.optional, p.rest, p.post, p.block), (2, 1, true, 1, true));
    assert_eq!(
        p.keywords.iter().map(|k| (k.name, k.required)).collect::<Vec<_>>(),
        [(intern("h"), true), (intern("i"), false)]
    );
    assert_eq!(p.slots(), 9);
}

#[test]
fn blocks_know_whether_they_spread_an_array() {
    for (source, expected) in [
        ("f { |a| }", false),
        ("f { |*a| }", false),
        ("f { |a,| }", true),
        ("f { |a, b| }", true),
        ("f { |a, *b| }", true),
        ("f { |a, b = 1| }", true),
        ("f { |a = 1| }", false),
        ("f { |a, k: 1| }", false),
        ("f { |(a, b)| }", false),
        ("f { _1 }", false),
        ("f { _2 }", true),
        ("f { it }", false),
        ("->(a, b) {}", true),
        ("->(a) {}", false),
    ] {
        assert_eq!(code(source).children[0].params.auto_splat, expected, "{source}");
    }
}

#[test]
fn call_sites_describe_their_arguments() {
    let site = |source: &str| code(source).call_sites.last().cloned().expect("a call");
    assert_eq!(site("f(*$a, 1)").flags & flags::SPLAT, flags::SPLAT);
    assert_eq!(site("f(1, a: 2, b: 3)").keywords.len(), 2);
    assert_eq!(site("f('a' => 1)").flags & flags::KW_SPLAT_FRESH, flags::KW_SPLAT_FRESH);
    assert_eq!(site("f({a: 1})").argc, 1);
    assert_eq!(site("f(a: 1, a: 2)").flags & flags::KW_SPLAT, flags::KW_SPLAT);
    assert_eq!(site("f(&:x)").flags & flags::BLOCK_ARG, flags::BLOCK_ARG);
    assert_eq!(site("self.f = 1").flags, flags::FCALL | flags::ATTR_ASSIGN);
    assert_eq!(site("f").flags, flags::FCALL | flags::VCALL);
    assert_eq!(site("f()").flags, flags::FCALL);
}

#[test]
fn ways_out_run_ensure_clauses_outside_their_own_range() {
    let f = code("def f\n while x\n begin\n break if y\n z\n ensure\n w\n end\n end\nend").children[0].clone();
    let ensures: Vec<_> = f.handlers.iter().map(|h| (h.start, h.end)).collect();
    assert_eq!(ensures.len(), 3, "{}", disassemble(&f));
    assert!(ensures[0].1 < ensures[1].0);
    // What is raised while the clause runs for an exception passes through the third.
    assert_eq!(ensures[2].0, f.handlers[0].target);
}

#[test]
fn labels_are_those_of_backtraces() {
    let main = code("class Foo\n def bar\n a { b { } }\n end\n class << self; end\nend\nmodule M; end\nx { }");
    assert_eq!(&*main.label, "<main>");
    assert_eq!(&*main.children[0].label, "<class:Foo>");
    let bar = &main.children[0].children[0];
    assert_eq!(&*bar.label, "bar");
    assert_eq!(&*bar.children[0].label, "block in bar");
    assert_eq!(&*bar.children[0].children[0].label, "block (2 levels) in bar");
    assert_eq!(&*main.children[0].children[1].label, "singleton class");
    assert_eq!(&*main.children[1].label, "<module:M>");
    assert_eq!(&*main.children[2].label, "block in <main>");
}

#[test]
fn lines_are_those_of_the_method_names() {
    let main = code("foo\n  .bar(1)\n  .baz(\n    2\n  )\n");
    let text = disassemble(&main);
    assert!(text.contains("(2)") && text.contains("(3)"), "{text}");
    let baz = text.lines().position(|l| l.contains("baz/1"));
    assert!(text.lines().nth(baz.expect("a call")).is_some_and(|l| l.contains("(3)")), "{text}");
}

#[test]
fn evaluated_code_sees_the_scopes_of_its_binding() {
    let scopes = [vec![intern("a"), intern("*")], vec![intern("b")]];
    let options = Options { scopes: &scopes, ..Options::new("(eval)", CodeKind::Eval) };
    let compiled = compile(b"c = a + b\n[1].each { c += a }\nf(*)", &options).expect("compiles");
    verify::verify(&compiled.code).expect("sound");
    let text = disassemble(&compiled.code);
    assert!(text.contains("GetUp          r3 slot0 2"), "{text}");
    assert!(text.contains("slot0 1"), "{text}");
    assert!(compiled.code.locals.iter().all(|l| l.captured));
    let block = disassemble(&compiled.code.children[0]);
    assert!(block.contains("slot0 3"), "{block}");
}

#[test]
fn primitives_are_for_the_prelude() {
    let options = Options { internal: true, ..Options::new("prelude.rb", CodeKind::File) };
    let compiled = compile(b"def f(a) = Primitive.array_size(a, 1)", &options).expect("compiles");
    assert!(disassemble(&compiled.code).contains("Prim           r2.. r1 :array_size x=2"));
    assert!(disassemble(&code("Primitive.f(1)")).contains("Call "));
}

#[test]
fn data_begins_behind_the_marker() {
    let source = "p 1\n__END__\nrest\n";
    assert_eq!(code(source).data_offset, source.find("rest"));
    assert_eq!(code("p 1\n").data_offset, None);
}

#[test]
fn frozen_strings_are_shared() {
    let text = disassemble(&code("# frozen_string_literal: true\np 'a'"));
    assert!(text.contains("LoadLit"), "{text}");
    assert!(disassemble(&code("p 'a'")).contains("NewStr"));
    assert!(disassemble(&code("p 'a'.freeze")).contains("LoadLit"));
}
