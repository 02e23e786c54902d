//! One of everything: each snippet compiles and passes the verifier, alone and wrapped in a method, a
//! block and a loop with clauses around it, where the same code takes other ways.

use super::code;
use crate::code::CodeKind;
use crate::source::{Options, compile};
use crate::verify;

const SNIPPETS: &[&str] = &[
    "a = 1; b = a; a = b",
    "a = b = c = foo",
    "a += 1; a -= b; a **= 2; a <<= 1; a ||= 5; a &&= 6; a",
    "@a += 1; @a ||= 1; @a &&= 2",
    "$a += 1; $a ||= 1; $a &&= 2",
    "@@a += 1; @@a ||= 1; @@a &&= 2",
    "a.b += 1; a.b ||= 1; a&.b &&= 1; a&.b += 1; self.c += 1",
    "a[1] += 1; a[1, 2] ||= 1; a[] &&= 1; a[*b] += 1; a[0] ||= b[0]; self[1] += 2",
    "x = a.b = 1; x = a[1] = 2; x = a[*b] = 3; x = a[1, 2] = 3; x = self.b = 1; x = a&.b = 1",
    "a, b = b, a; a, (b, *c), d = foo; *a, b = 1, 2; a, * = x; a, = x; (a, b), c = 1, 2",
    "@a, $b, @@c, d.e, f[1], g[*h], i.j, self.k = foo",
    "x = (a, b = 1, 2); a, b = *x, 1; a, b, c = 1; a, b = 1, 2, 3",
    "x = a ? b : c; x = if a then b end; x = unless a then b else c end",
    "x = a && b || !c and not d",
    "if a and b or not c then d end",
    "if a < 1 && b >= 2 || !(c == d) then e elsif f then g else h end",
    "x = while a do b end; begin a end while b; begin a end until b; until a < 1 do b end",
    "x = while a do break 1 if b; next; redo; end",
    "while true do break; end; while nil do a end; until a && b do c end",
    "case a when 1, 2 then b when String, *c then d else e end",
    "case when a then b when *c then d end; x = case a when 1 then 2 end",
    "case a\nin 1 | 2 then b\nin [Integer => c, *d, e] then c\nin {f:, g: [h], **nil} then f\nin {i: 1, **j} then j\nend",
    "b = c = 1\ncase a\nin [*, 1, x, *y] then x\nin ^b | ^(c + 1) | ^@d then 1\nin Foo[1, 2] | Foo(a: 1) then 2\nin nil then 1\nin {} then 3\nin [] then 4\nin x if x > 1 then x\nin y unless y then y\nelse 3\nend",
    "a => {b:}; a in [c, d]; x = (a in Integer); a => [*, {e: 1}, *]; a => String | Symbol => f",
    "begin; a; rescue; b; end; begin; a; rescue A, B => e; b; rescue *C => @d; c; else; d; ensure; e; end",
    "x = begin; a; rescue => b.c; d; rescue E => f[1]; g; end; x = (a rescue b); a = b rescue c",
    "begin; a; ensure; b; end; x = begin; 1; rescue; 4; else; 2; ensure; 3; end; begin; rescue; end; begin; ensure; end",
    "begin; a; rescue; retry; end; begin; a; rescue; begin; b; rescue; retry; ensure; c; end; end",
    "a { |b, (c, *d), e = 1, *f, g, h:, i: 2, **j, &k| b + c + e + g + h + i }",
    "a { |b; c| c = b }; a { |b,| b }; a { |*| }; a { |**b| b }; a { |b, **nil| }",
    "a { _1 + _2 }; a { it }; a { [it, _x = 1] }; -> { _1 }; -> { it + 1 }",
    "-> {}; ->(a, b = a, *c, d:, **e) { a }; lambda { |a| a }; proc { |a| break a if a; next 1; redo }",
    "a { return 1; }; a { |b| next b, 1 }; a { break }; a { begin; next; ensure; b; end }",
    "a { begin; b; rescue; next 1; end }; a { begin; return; ensure; c; end }",
    "for a in b do c end; for a, (b, *c) in d do a end; for @a in b do break end; for a.b in c do next end; for *a in b do end",
    "def a; end; def a = 1; def self.b(c) = c; def (a).b; end; def a.b=(c); end",
    "def a(b, c = b, *d, e, f:, g: f, **h, &i) = super; def a(*) = b(*); def a(**) = b(**); def a(&) = b(&); def a(...) = b(...); def a(b, ...) = c(b, ...)",
    "def a(*, **, &) = [1].each { b(*, **, &) }; def a(**nil); end; def a(b) = [1].each { super }; def a(_, _, (_, _)) = 1",
    "def a(b = (return 1 if d; 2), &c) = c.call; def a(&b) = [1].each { b.call(&b) }; def a(&b); b = 1; b; end; def a(&b) = (x if b; b)",
    "def a; yield; yield 1; yield 1, *b, c: 2; x = yield(1); yield [1, 2]; yield(**a); end",
    "def a; super; super(); super(1, *b); super(&c); super { d }; super(a: 1); end",
    "def a(b); b => {c:}; return c if b; return b, c; return *b; end",
    "def a; return 1; ensure; b; end; def a; b; rescue; c; else; d; ensure; e; end; def a; begin; return 1; rescue; return 2; ensure; return 3; end; end",
    "class A; end; class A < B; C = 1; def d; end; end; class ::A; end; class A::B < C; end; module A; end; module A::B; end; class << a; b; end",
    "A; A::B; ::A; ::A::B; a::B; A = 1; A::B = 1; ::A = 1; a::B = 1; A ||= 1; A::B ||= 2; ::A &&= 3; A += 1; A::B += 1",
    "'a'; \"a#{b}c\"; \"#{a}\"; \"a\" 'b' \"c#{d}\"; \"#@a#$b\"; ?a; %w[a b]; %i[a b]; %W[a#{b} c]; %I[a#{b}]",
    ":a; :'b c'; :\"a#{b}\"; /a/; /a#{b}/i; /a#{b}/o; /a/mx; /é/; /a/n; /a/u; `a`; `a#{b}`; %x(a)",
    "<<~A; <<-B; <<'C'\n  a\n    #{b}\n  c\nA\n b\n B\nc#{d}\nC\n",
    "1; 1.5; 1r; 2i; 1.5r; 2ri; 0x10; 0b11; 0o7; 1_000; 123456789012345678901234567890; -1; -1.0; 9223372036854775807; 9223372036854775808",
    "[]; [a, *b, c]; [*a]; [1, 2]; [a: 1]; [1, {b: 2}]; {}; {a: 1, 'b' => 2, **c, d => e}; {a:, b:} rescue 1; {\"a\": 1, \"b#{c}\": 2}",
    "1..2; a..b; a...b; (1..); (..1); (a..); nil..nil; 'a'..'b'; x = (1..a)",
    "a(b); a(b, c: 1); a(*b, **c, &d); a(b: 1, **c); a('b' => 1); a(&:b); a(b) { }; a.b; a&.b; a&.b(c) { d }; a.(b); a::b; a.b = 1; a !~ b; a =~ b; !a; -a; +a; ~a; a != b; a <=> b; a ** b; a === b",
    "a.size; a.length; a.empty?; a.nil?; a[0]; a[-1]; a[b]; a[b] = c; a[b, c]; a[b, c] = d; a[]; a + 1; a - 1; a + 40000; a - -1; a + 1.0",
    "if /(?<m>a)(?<n>b)/ =~ s then m end; x = (/(?<o>a)/ =~ s); $~; $1; $&; $`; $'; $+; $12",
    "if /a/ then b end; if /a#{b}/ then c end; if (a)..(b) then c end; x if a...b; [1].each { x if (a)..(b) }",
    "p if (a if b); !(a; b); not (); (a; b); (); x = (); ((a))",
    "alias a b; alias :c :d; alias :\"e#{f}\" g; alias $a $b; undef a, :b; undef :\"a#{b}\"",
    "__FILE__; __LINE__; __ENCODING__; __method__; __dir__; self; nil; true; false",
    "defined?(a); defined?(@a); defined?($a); defined?(@@a); defined?(A); defined?(A::B); defined?(a.b); defined?(a.b(c)); defined?(yield); defined?(super); defined?(a = 1); defined?($1); defined?($&); defined?([a, b]); defined?({a: b}); defined?((a; b)); defined?(nil); defined?(self.a); defined?(a[1]); defined?(a {}); defined?(::A); defined?(a.b = 1); defined?(begin; a; end); x = defined?(String)",
    "END { a }; END { b = 1; c { b } }",
    "binding; eval('a'); a = 1; b { c = a; instance_eval('c') }; local_variables; send(:binding)",
    "a = [*1, 2]; a = a + [a]; a = a.b(a, a = 1); a = a[a = 1]; a = \"#{a}#{a = 1}\"; a = (a = 2) + a; a = a < (a = 1)",
    "x = begin; y = 1; raise; rescue; x; ensure; x; end; x = (x && x); x = x || (x = 1; x)",
    "a.b.c&.d&.e(f&.g); a&.b&.c = 1; a&.[](1); x = a&.b",
    "private def a; end; private attr_reader :b; a b c; a b do end; a(b do end)",
    "while a; begin; next if b; break 1 if c; redo if d; rescue; next; rescue E; break; ensure; e; end; end",
    "while a; begin; begin; break; ensure; b; end; ensure; c; begin; next if d; ensure; e; end; end; end",
    "loop { begin; break 1; rescue; retry; ensure; a; end }; a { begin; redo; ensure; b; end }",
    "begin; a { begin; b; ensure; c { begin; d; ensure; e; end }; end }; ensure; f { g }; end",
];

/// Ways to put a snippet somewhere else. A few snippets are not valid everywhere; those combinations
/// must be syntax errors, nothing else.
const AROUND: &[&str] = &[
    "@",
    "x = begin; @\nend",
    "begin; @\nrescue A => e; @\nelse; @\nensure; @\nend",
    "q.each do |x, y = 1|\n@\nend",
    "while q\n@\nend",
    "x = (while q\nbegin\n@\nensure\n@\nend\nend)",
    "q { w { |a| begin\n@\nensure\n@\nend } }",
    "z = lambda { |a, b = 1|\n@\n}",
    "for a in b\n@\nend",
    "binding\n@",
];

fn plain(snippet: &str) -> bool {
    compile(snippet.as_bytes(), &Options::new("t.rb", CodeKind::Main)).is_ok()
}

#[test]
fn everything_compiles_everywhere() {
    let alone: Vec<&&str> = SNIPPETS.iter().filter(|s| !plain(s)).collect();
    assert!(alone.is_empty(), "{alone:#?}");
    for snippet in SNIPPETS {
        code(snippet);
        for around in AROUND {
            let source = around.replace('@', snippet);
            for source in [source.clone(), format!("def m(p1, p2 = 1, *p3, &p4)\n{source}\nend")] {
                match compile(source.as_bytes(), &Options::new("t.rb", CodeKind::Main)) {
                    Ok(compiled) => {
                        if let Err(defect) = verify::verify(&compiled.code) {
                            panic!("{source}\n{defect}");
                        }
                    }
                    Err(crate::CompileError::Syntax { .. }) => {}
                    Err(other) => panic!("{source}\n{other}"),
                }
            }
        }
    }
}

#[test]
fn everything_compiles_in_eval() {
    for snippet in SNIPPETS {
        let options = Options::new("(eval)", CodeKind::Eval);
        match compile(snippet.as_bytes(), &options) {
            Ok(compiled) => verify::verify(&compiled.code).expect("sound code"),
            Err(crate::CompileError::Syntax { .. }) => {}
            Err(other) => panic!("{snippet}\n{other}"),
        }
    }
}
