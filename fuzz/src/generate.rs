//! Bytes to a valid program: statements that each append what they find to a list, which is the program's value.
//!
//! Expressions have a type, so that most of them mean something; what raises is shown by its class. Nothing whose text
//! differs between CRuby 3.1 and 4.0 is shown: Hashes are shown as Arrays, and messages not at all.

use std::fmt::Write;

/// The types of expressions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Float,
    Str,
    Sym,
    Bool,
    List,
    Table,
}

use Type::{Bool, Float, Int, List, Str, Sym, Table};

const TYPES: [Type; 7] = [Int, Str, List, Table, Float, Sym, Bool];

/// `$0` is the receiver, `$1`… are arguments of the types given.
const FORMS: &[(Type, &str, &[Type])] = &[
    (Int, "($0 + $1)", &[Int, Int]),
    (Int, "($0 - $1)", &[Int, Int]),
    (Int, "($0 * $1)", &[Int, Int]),
    (Int, "($0 / $1)", &[Int, Int]),
    (Int, "($0 % $1)", &[Int, Int]),
    (Int, "($0 ** ($1 & 7))", &[Int, Int]),
    (Int, "($0 << ($1 & 63))", &[Int, Int]),
    (Int, "($0 >> ($1 & 63))", &[Int, Int]),
    (Int, "($0 & $1)", &[Int, Int]),
    (Int, "($0 | $1)", &[Int, Int]),
    (Int, "($0 ^ $1)", &[Int, Int]),
    (Int, "$0.abs", &[Int]),
    (Int, "$0.bit_length", &[Int]),
    (Int, "$0.gcd($1)", &[Int, Int]),
    (Int, "$0.pow($1 & 15, ($2.abs | 1))", &[Int, Int, Int]),
    (Int, "$0.digits.sum", &[Int]),
    (Int, "$0.divmod($1)[0]", &[Int, Int]),
    (Int, "$0.fdiv($1).floor", &[Int, Int]),
    (Int, "$0.round(-2)", &[Int]),
    (Int, "$0.clamp($1, $2)", &[Int, Int, Int]),
    (Int, "$0.length", &[Str]),
    (Int, "$0.bytesize", &[Str]),
    (Int, "$0.to_i", &[Str]),
    (Int, "$0.ord", &[Str]),
    (Int, "$0.hex", &[Str]),
    (Int, "$0.count($1)", &[Str, Str]),
    (Int, "$0.index($1)", &[Str, Str]),
    (Int, "($0 <=> $1)", &[Str, Str]),
    (Int, "$0.sum", &[Str]),
    (Int, "$0.size", &[List]),
    (Int, "$0.sum { |x| x.is_a?(Integer) ? x : 1 }", &[List]),
    (Int, "$0.count { |x| x == $1 }", &[List, Int]),
    (Int, "$0.inject(0) { |a, x| a + x.to_s.size }", &[List]),
    (Int, "$0.each_with_index.sum { |_, i| i }", &[List]),
    (Int, "$0.length", &[Table]),
    (Int, "$0.floor", &[Float]),
    (Int, "$0.to_i", &[Float]),
    (Int, "f($0, $1)", &[Int, Int]),
    (Int, "fib($0 & 15)", &[Int]),
    (Int, "[$0, $1].max", &[Int, Int]),
    (Int, "catch(:done) { 10.times { |i| throw :done, i if i * $0 > $1 }; -1 }", &[Int, Int]),
    (Int, "(1..($0 & 31)).step(3).sum", &[Int]),
    (Int, "[1, 2, 3].each_slice(2).map { |a, b| a * (b || $0) }.sum", &[Int]),
    (Int, "begin; raise ArgumentError if $0; $1; rescue ArgumentError; $2; ensure; @n = 1; end", &[Bool, Int, Int]),
    (Int, "(n = $0; i = 0; while i < 20; i += 1; next if i.odd?; break if i > n; end; i)", &[Int]),
    (Int, "->(aa, bb = $1, *cc, dd: 3) { aa + bb + cc.size + dd }.call($0)", &[Int, Int]),
    (Int, "case $0; when 0 then 1; when 1..9 then 2; when Integer then 3; end", &[Int]),
    (
        Int,
        "case [$0, $1]; in [0, b] then b; in [a, b] if a > b then a - b; in [Integer => a, _] then a; end",
        &[Int, Int],
    ),
    (Float, "($0 + $1)", &[Float, Float]),
    (Float, "($0 * $1)", &[Float, Int]),
    (Float, "($0 / $1)", &[Float, Float]),
    (Float, "$0.to_f", &[Int]),
    (Float, "$0.to_f", &[Str]),
    (Float, "$0.round(2)", &[Float]),
    (Float, "($0 % $1)", &[Float, Float]),
    (Float, "$0.abs", &[Float]),
    (Float, "Math.sqrt($0.abs)", &[Float]),
    (Str, "($0 + $1)", &[Str, Str]),
    (Str, "($0 * ($1 & 7))", &[Str, Int]),
    (Str, "\"<#{$0}|#{$1}>\"", &[Str, Int]),
    (Str, "$0.to_s", &[Int]),
    (Str, "$0.to_s(($1 % 35).abs + 2)", &[Int, Int]),
    (Str, "$0.to_s", &[Float]),
    (Str, "$0.to_s", &[Sym]),
    (Str, "$0.inspect", &[Str]),
    (Str, "$0.upcase", &[Str]),
    (Str, "$0.swapcase", &[Str]),
    (Str, "$0.capitalize", &[Str]),
    (Str, "$0.reverse", &[Str]),
    (Str, "$0.succ", &[Str]),
    (Str, "$0.strip", &[Str]),
    (Str, "$0.squeeze", &[Str]),
    (Str, "$0[$1]", &[Str, Int]),
    (Str, "$0[$1, $2]", &[Str, Int, Int]),
    (Str, "$0[$1..$2]", &[Str, Int, Int]),
    (Str, "$0[/[a-m]+/]", &[Str]),
    (Str, "$0.sub(/[aeiou]/) { |m| m.upcase }", &[Str]),
    (Str, "$0.gsub(/(.)\\1/, '<\\1>')", &[Str]),
    (Str, "$0.gsub($1, $2)", &[Str, Str, Str]),
    (Str, "$0.tr('a-y', 'b-z')", &[Str]),
    (Str, "$0.delete($1)", &[Str, Str]),
    (Str, "$0.center($1 & 31, '*')", &[Str, Int]),
    (Str, "$0.ljust($1 & 31, '.')", &[Str, Int]),
    (Str, "$0.dup.insert($1, $2)", &[Str, Int, Str]),
    (Str, "$0.dup.concat($1)", &[Str, Str]),
    (Str, "format('%05d|%x|%+d', $0, $1, $2)", &[Int, Int, Int]),
    (Str, "format('%.3f|%10s|%-5s|', $0, $1, $2)", &[Float, Str, Str]),
    (Str, "$0.join(',')", &[List]),
    (Str, "$0.unpack('C*').pack('C*').force_encoding('UTF-8')", &[Str]),
    (Str, "$0.each_char.with_index.map { |c, i| i.even? ? c : c.upcase }.join", &[Str]),
    (Str, "$0.partition($1)[2]", &[Str, Str]),
    (Str, "(s = +''; $0.each_char { |c| s << c << $1 }; s)", &[Str, Str]),
    (Sym, "$0.to_sym", &[Str]),
    (Sym, "$0.succ", &[Sym]),
    (Bool, "($0 == $1)", &[Int, Int]),
    (Bool, "($0 < $1)", &[Int, Int]),
    (Bool, "($0 == $1)", &[Str, Str]),
    (Bool, "$0.eql?($1)", &[List, List]),
    (Bool, "$0.equal?($1)", &[Sym, Sym]),
    (Bool, "!$0", &[Bool]),
    (Bool, "($0 && $1)", &[Bool, Bool]),
    (Bool, "($0 || $1)", &[Bool, Bool]),
    (Bool, "$0.include?($1)", &[Str, Str]),
    (Bool, "$0.start_with?($1)", &[Str, Str]),
    (Bool, "$0.match?(/^[a-z]*$/)", &[Str]),
    (Bool, "$0.include?($1)", &[List, Int]),
    (Bool, "$0.any?", &[List]),
    (Bool, "$0.key?($1)", &[Table, Sym]),
    (Bool, "$0.even?", &[Int]),
    (Bool, "$0.nan?", &[Float]),
    (Bool, "defined?(@x) ? true : false", &[]),
    (List, "[$0, $1]", &[Int, Int]),
    (List, "[$0, $1, $2]", &[Int, Str, Sym]),
    (List, "($0 + $1)", &[List, List]),
    (List, "($0 - $1)", &[List, List]),
    (List, "($0 & $1)", &[List, List]),
    (List, "($0 | $1)", &[List, List]),
    (List, "($0 * ($1 & 3))", &[List, Int]),
    (List, "$0.reverse", &[List]),
    (List, "$0.sort", &[List]),
    (List, "$0.sort_by { |x| x.to_s }", &[List]),
    (List, "$0.map { |x| [x, x.to_s.size] }", &[List]),
    (List, "$0.select { |x| x.is_a?(Integer) }", &[List]),
    (List, "$0.reject { |x| x.is_a?(String) }", &[List]),
    (List, "$0.partition { |x| x.is_a?(Integer) }", &[List]),
    (List, "$0.group_by { |x| x.class.name }.to_a", &[List]),
    (List, "$0.each_slice(($1 & 3) + 1).to_a", &[List, Int]),
    (List, "$0.each_cons(2).to_a", &[List]),
    (List, "$0.zip($1)", &[List, List]),
    (List, "$0.flatten", &[List]),
    (List, "$0.compact.uniq", &[List]),
    (List, "$0.rotate($1)", &[List, Int]),
    (List, "$0.take($1 & 7)", &[List, Int]),
    (List, "$0.drop($1 & 7)", &[List, Int]),
    (List, "$0[$1, $2]", &[List, Int, Int]),
    (List, "$0[$1..]", &[List, Int]),
    (List, "$0.dup.push($1).unshift($2)", &[List, Int, Str]),
    (List, "$0.dup.insert($1 & 7, $2)", &[List, Int, Int]),
    (List, "$0.dup.fill($1, $2 & 7, 2)", &[List, Int, Int]),
    (List, "$0.each_with_object([]) { |x, a| a << x unless a.include?(x) }", &[List]),
    (List, "$0.inject([]) { |a, x| [x] + a }", &[List]),
    (List, "$0.combination(2).first(4)", &[List]),
    (List, "$0.permutation(2).first(4)", &[List]),
    (List, "$0.chunk_while { |a, b| a.class == b.class }.to_a", &[List]),
    (List, "$0.lazy.map { |x| x.to_s }.select { |x| x.size > 1 }.first(3)", &[List]),
    (List, "$0.minmax", &[List]),
    (List, "$0.chars", &[Str]),
    (List, "$0.split($1)", &[Str, Str]),
    (List, "$0.scan(/../)", &[Str]),
    (List, "$0.bytes", &[Str]),
    (List, "$0.each_line.to_a", &[Str]),
    (List, "$0.to_a", &[Table]),
    (List, "$0.keys", &[Table]),
    (List, "$0.values", &[Table]),
    (List, "$0.map { |k, v| [v, k] }", &[Table]),
    (List, "$0.sort_by { |k, v| [v.to_s, k.to_s] }", &[Table]),
    (List, "$0.min_by(2) { |k, v| k.to_s }", &[Table]),
    (List, "$0.digits", &[Int]),
    (List, "$0.divmod($1)", &[Int, Int]),
    (List, "(1..($0 & 15)).to_a", &[Int]),
    (List, "Array.new($0 & 7) { |i| i * $1 }", &[Int, Int]),
    (List, "(a, (b, *c), d = $0; [a, b, c, d])", &[List]),
    (List, "g($0, *$1, k: $2)", &[Int, List, Str]),
    (List, "P.new($0, $1).to_a", &[Int, Str]),
    (List, "(e = $0.each; r = []; begin; loop { r << e.next }; rescue StandardError; r << :err; end; r)", &[List]),
    (Table, "{ $0 => $1 }", &[Sym, Int]),
    (Table, "{ $0 => $1, $2 => $3 }", &[Sym, Int, Str, Str]),
    (Table, "$0.merge($1)", &[Table, Table]),
    (Table, "$0.merge($1) { |_, a, b| [a, b] }", &[Table, Table]),
    (Table, "$0.select { |_, v| v.is_a?(Integer) }", &[Table]),
    (Table, "$0.transform_values { |v| v.to_s }", &[Table]),
    (Table, "$0.invert", &[Table]),
    (Table, "$0.tally", &[List]),
    (Table, "$0.each_with_index.to_h", &[List]),
    (Table, "$0.dup.tap { |h| h[$1] = $2 }", &[Table, Str, Int]),
    (Table, "$0.dup.tap { |h| h.delete($1) }", &[Table, Sym]),
    (Table, "$0.to_a.reverse.to_h", &[Table]),
    (Table, "Hash.new { |h, k| h[k] = k.to_s * 2 }.tap { |h| h[$0]; h[$1] }", &[Int, Sym]),
    (Table, "$0.group_by { |x| x.to_s.size }", &[List]),
];

/// What the programs call.
const HEAD: &str = "\
out = []
def f(a, b) = a > b ? a - b : yield_or(a) { |x| x + b }
def yield_or(a) = block_given? ? yield(a) : a
def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
def g(a, *rest, k: nil, **opts, &block) = [a, rest, k, opts.to_a, block]
P ||= Struct.new(:a, :b)
show = lambda { |v| v.is_a?(Hash) ? v.to_a.map { |k, x| [show.(k), show.(x)] }.inspect : v.is_a?(Array) ? v.map { |x| show.(x) }.inspect : v.inspect }
";

struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Source<'_> {
    /// The next byte; 0 behind the end, where the simplest things are chosen.
    fn byte(&mut self) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(byte)
    }

    fn is_over(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn literal(&mut self, ty: Type) -> String {
        let n = self.byte();
        match ty {
            Int => match n % 8 {
                0..4 => (n as i64 - 128).to_string(),
                4 => (i64::from(u8::MAX) << (n / 4)).to_string(),
                5 => format!("{}", (1_i128 << 62) - 64 + n as i128),
                6 => format!("-{}", (1_i128 << 64) + n as i128),
                _ => (n / 16).to_string(),
            },
            Float => ["0.0", "1.5", "-2.25", "1e10", "3.0e-5", "-0.0", "123456789.125", "0.1"][n % 8].to_owned(),
            Str => [
                "'abc'",
                "''",
                "'hello world'",
                "'a1b2'",
                "\"x\\ny\\n\"",
                "'éa→'",
                "'zz'",
                "'  pad '",
                "'AbCdE'",
                "'12'",
            ][n % 10]
                .to_owned(),
            Sym => [":a", ":b", ":abc", ":'x y'", ":z1"][n % 5].to_owned(),
            Bool => ["true", "false"][n % 2].to_owned(),
            List => ["[]", "[1, 2, 3]", "['a', 'bb', nil]", "[3, 1, 2, 1]", "[[1, 2], [3, [4]]]", "[1, 'x', :y]"]
                [n % 6]
                .to_owned(),
            Table => ["{}", "{ a: 1, b: 2 }", "{ 'k' => [1], 2 => 'v' }", "{ a: 'x', 1.5 => :y, nil => 0 }"][n % 4]
                .to_owned(),
        }
    }

    fn expression(&mut self, ty: Type, depth: usize) -> String {
        let pick = self.byte();
        if depth == 0 || pick.is_multiple_of(4) || self.is_over() {
            return self.literal(ty);
        }
        let fitting: Vec<_> = FORMS.iter().filter(|(made, ..)| *made == ty).collect();
        let (_, text, parts) = fitting[(pick + 256 * (self.byte() & 1)) % fitting.len()];
        let mut result = (*text).to_owned();
        for (i, part) in parts.iter().enumerate() {
            let inner = self.expression(*part, depth - 1);
            result = result.replace(&format!("${i}"), &inner);
        }
        result
    }
}

/// The program that `bytes` choose.
#[must_use]
pub fn program(bytes: &[u8]) -> String {
    let mut source = Source { bytes, at: 0 };
    let mut text = HEAD.to_owned();
    for _ in 0..8 {
        let ty = TYPES[source.byte() % TYPES.len()];
        let made = source.expression(ty, 4);
        let _ = writeln!(text, "begin; out << show.({made}); rescue StandardError => e; out << e.class.name; end");
        if source.is_over() {
            break;
        }
    }
    text.push_str("out.join('|')\n");
    text
}
