//! What programs are made of: forms of expressions by their type, literals, statements.

/// The types of expressions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Float,
    Ratio,
    Str,
    Sym,
    Bool,
    List,
    Table,
    Span,
    Pattern,
}

use Type::{Bool, Float, Int, List, Pattern, Ratio, Span, Str, Sym, Table};

pub(crate) const TYPES: [Type; 10] = [Int, Str, List, Table, Str, List, Float, Sym, Span, Ratio];

/// `$0` is the receiver, `$1`… are arguments of the types given.
pub(crate) const FORMS: &[(Type, &str, &[Type])] = &[
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
    (Str, "\"<#{$0}/#{$1}>\"", &[Str, Int]),
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
    (List, "$0.min_by(2) { |k, v| [k.to_s, k.class.to_s] }", &[Table]),
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
    (Table, "Hash.new { |h, k| h[k] = [k, k] }.tap { |h| h[$0]; h[$1] }", &[Int, Sym]),
    (Table, "$0.group_by { |x| x.to_s.size }", &[List]),
];

pub(crate) const STRINGS: &[&str] = &[
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
    "'Zz9'",
    "'0x1f'",
    "'1e3_0'",
    "\"a\\xff\"",
    "\"\\xE3\\x81\".b",
    "\"\\u{1F600}e\\u0301\"",
    "'ß'",
    "'a,b;c'",
    "\"\\t\\r\\n\\0\"",
    "'%s'",
    "'ǆ'",
    "'0b101'",
    "'.5'",
    "('aaa' * 30)",
    "'é'.encode('UTF-8')",
    "'ab'.encode('UTF-16LE')",
    "'日本'.encode('EUC-JP')",
    "'1/3'",
    "'1+2i'",
    "'a-c'",
    "'^x-z'",
    "\"\\\\\"",
];

pub(crate) const LISTS: &[&str] = &[
    "[]",
    "[1, 2, 3]",
    "['a', 'bb', nil]",
    "[3, 1, 2, 1]",
    "[[1, 2], [3, [4]]]",
    "[1, 'x', :y]",
    "[1.5, 2, 1/3r]",
    "[nil, false]",
    "(1..40).to_a",
    "[[:a, 1], [:b, 2]]",
    "%w[b c a]",
    "[C.new(2), C.new(1)]",
    "[2**64, 1, -2**70]",
    "([0.1] * 10)",
    "[[1, 2], [3, 4]]",
    "[1, [2, [3, [4, [5]]]]]",
    "[1, 2, 3].freeze",
    "(a = [1]; a << a; a)",
    "[Float::NAN, 1.0]",
    "['x', 'X', 'é']",
];

/// Control structures: what they find is their value.
pub(crate) const STATEMENTS: &[(&str, &[Type])] = &[
    ("i = 0; a = []; while i < 9; i += 1; next if i == $0; break a if i > $1; a << i; end; a", &[Int, Int]),
    (
        "a = []; begin; a << 1; raise(($0 ? ArgumentError : TypeError), 'm'); rescue TypeError => e; a << e.class; retry if a.size < 4; rescue; a << 2; else; a << 3; ensure; a << 4; end; a",
        &[Bool],
    ),
    ("def t1(x); return 1, x if x; yield; ensure; @e = x; end; [t1($0) { 5 }, @e]", &[Bool]),
    ("x = $0; y = $1; z = [1, *x, *y, 2]; a, (b, *c), *d, e = z; [a, b, c, d, e]", &[List, List]),
    ("h($0, $1, $2)", &[Int, Str, Sym]),
    ("h(*$0, e: $1)", &[List, Int]),
    ("g(*$0, **{ k: 1, z: 2 }, &->(q, w) { })", &[List]),
    ("g($0, $1)", &[Table, Table]),
    ("g(*$0, **$1.to_h { |k, v| [k.to_s.to_sym, v] })", &[List, Table]),
    (
        "case $0; when Integer, Float then 1; when /a/, 'x' then 2; when ->(q) { q.nil? } then 3; when *$1 then 4; else 5; end",
        &[Str, List],
    ),
    (
        "case $0; in [] then 0; in [Integer => a, *] if a > 1 then a; in [x, *, y] unless x == y then [x, y]; in {} then 9; in _ then :other; end",
        &[List],
    ),
    (
        "case $0; in { a: Integer => n, **rest } then [n, rest]; in { b: nil | Integer } then :b; in Hash => z then z.size; end",
        &[Table],
    ),
    (
        "case [$0, $1]; in [Integer | Float => a, String => b] then [a, b]; in [^(1 + 1), *] then 2; in [*, nil, *post] then post; else 0; end",
        &[Int, Str],
    ),
    ("(begin; $0 => [a, *]; a; rescue NoMatchingPatternError => e; e.class; end)", &[List]),
    ("x = $0; x in [_, _] | { a: _ }", &[List]),
    ("[1, 2, 3].each { |q| break q * 2 if q == $0 }", &[Int]),
    ("r2 = [1, 2, 3].map { |q| next $0 if q > 1; q }; r2", &[Str]),
    (
        "pr = proc { |a, (b, c), *d, e: 4| [a, b, c, d, e] }; [pr.call($0), pr.call($0, $1), pr.(*$1), pr.arity, pr.lambda?]",
        &[List, List],
    ),
    ("l = ->(a, b = a, *c, d:, e: d, **f, &g) { [a, b, c, d, e, f] }; l.call($0, d: $1, z: 1)", &[Int, Str]),
    ("l = lambda { |a, b| [a, b] }; [l.curry[1][$0], (l >> ->(z) { z.size }).call(1, 2), l.parameters]", &[Int]),
    ("m = $0.method(:map); m.unbind.bind($1).call { |q| q.to_s }", &[List, List]),
    ("$0.then { |q| [q, q.class.name] }", &[Int]),
    (
        "c = Class.new { define_method(:m) { |a = 5, *b| [a, b, self.class == c] }; attr_accessor :v }; o = c.new; o.v ||= $0; o.v += $1; [o.m(*$2), o.v]",
        &[Int, Int, List],
    ),
    (
        "o = C.new($0); [o.xyz($1), o.respond_to?(:xa), (o.foo rescue $!.class), o.between?(1, 5), o.clamp(C.new(0), C.new(3)).n, o == $0]",
        &[Int, Int],
    ),
    (
        "E.new(1).map { |*q| q } + E.new(1).each_slice(2).to_a + E.new(1).each_with_index.to_a + E.new(1).to_a + E.new(1).each_entry.to_a",
        &[],
    ),
    (
        "E.new(2).each_with_object([]) { |q, z| z << q } + [E.new(1).first, E.new(1).include?([2, 3]), E.new(1).reverse_each.to_a, E.new(1).zip($0), E.new(1).inject { |*q| q }]",
        &[List],
    ),
    (
        "e = $0.each_with_index; z = []; begin; 5.times { z << e.next }; rescue StopIteration => x; z << x.result.class; end; e.rewind; z << (e.peek rescue 0); z",
        &[List],
    ),
    (
        "e = Enumerator.new { |y| y << $0; y.yield 1, 2; y.yield; :end }; [e.to_a, e.next, e.next_values, e.next, (e.next rescue $!.result), e.size]",
        &[Int],
    ),
    (
        "fi = Fiber.new { |q| z = Fiber.yield(q, 1); Fiber.yield(z); raise KeyError if $0; :done }; [fi.resume($1), fi.resume(2), (fi.resume rescue $!.class), (fi.resume rescue $!.class), fi.alive?]",
        &[Bool, Int],
    ),
    (
        "(1..Float::INFINITY).lazy.map { |q| q * $0 }.select(&:even?).reject { |q| q % 3 == 0 }.take_while { |q| q < 99 }.with_index.first(4)",
        &[Int],
    ),
    ("$0.lazy.flat_map { |q| [q, q] }.uniq.zip($1).compact.eager.first(5)", &[List, List]),
    ("catch($0) { |t| 3.times { |i| throw t, i if i == 2 }; 7 }", &[Sym]),
    ("a = $0; b = a.dup; b << 1; [a == b, a.hash == a.hash, a.eql?(b), b.frozen?, a <=> b]", &[List]),
    ("s = $0.dup; t = s; s << $1; s[0] = 'Q'; s[-1..] = ''; [s, t.equal?(s), s.valid_encoding?]", &[Str, Str]),
    ("\"#{$0}-#{$1}-#{$2}-#{nil}\" 'b' \"c\"", &[Int, List, Sym]),
    ("<<~X + <<-'Y'\n  a#{$0}\n    b\\tc\n  X\n  raw#{1}\n  Y\n", &[Int]),
    ("x = $0; x&.to_s&.size.to_i + (x || 3).to_s.size", &[Bool]),
    (
        "@z = $0; @z &&= @z + 1; @y ||= 4; @y -= 1; [@z, @y, defined?(@q), defined?(@z), defined?(yield), defined?(puts), defined?(String), defined?(x = 1)].tap { @y = nil }",
        &[Int],
    ),
    ("$gl = $0; $gl <<= 1 rescue $gl = 0; [$gl, $~, ('abcd' =~ /(b)(c)?/), $~ && $~[1], $~[2], $`, $']", &[Int]),
    ("'foo bar'.gsub($0) { |q| $&.to_s.upcase + $~.begin(0).to_s }", &[Pattern]),
    (
        "if m = $0.match($1); [m.pre_match, m.post_match, m.to_a, m.names, m.offset(0), m.captures, m.values_at(0, -1), m.named_captures.to_a]; end",
        &[Str, Pattern],
    ),
    (
        "[$0.sub($1, '<\\\\0>'), $0.gsub($1, '[\\\\1\\\\2]'), $0 =~ $1, $0.scan($1), $0.split($1), $0.split($1, 2), $0.partition($1), $0.rpartition($1), $0.index($1, 1), $0.rindex($1), $0.slice($1), $0.start_with?($1)]",
        &[Str, Pattern],
    ),
    ("if (/(?<first>\\w)(?<second>.)?/ =~ $0) then [first, second] else :no end", &[Str]),
    ("a = $0; a.each_slice(2).with_index(1).map { |q, i| [i, q] } + a.each_cons(2).with_object(:o).to_a", &[List]),
    ("[$0, $1].sort { |a, b| a.to_s <=> b.to_s }.each_entry.with_index.to_a", &[Int, Str]),
    (
        "a = $0; (a <=> $1).inspect + (a == $1).inspect + (a.eql?($1)).inspect + [a, $1].max.inspect rescue $!.class",
        &[Float, Int],
    ),
    (
        "[$0.divmod($1), $0 % $1, $0.remainder($1), $0.fdiv($1), $0.pow(2, $1.abs | 1), $0 <=> $1, $0.gcd($1), $0.lcm($1)] rescue $!.class",
        &[Int, Int],
    ),
    (
        "[$0 + $1, $0 - $1, $0 * $1, ($0 / $1 rescue 0), $0 <=> $1, $0 == $1, $1 + $0, $1 - $0, $1 * $0, $0.coerce($1)]",
        &[Float, Int],
    ),
    (
        "[$0 + $1, $0 - $1, $0 * $1, ($0 / $1 rescue 0), $0 <=> $1, $0 == $1, $1 + $0, $1 - $0, $1 * $0, $0.coerce($1)]",
        &[Ratio, Int],
    ),
    (
        "[$0 + $1, $0 - $1, $0 * $1, ($0 / $1 rescue 0), $0 <=> $1, $0 == $1, $1 + $0, $1 - $0, $1 * $0]",
        &[Ratio, Float],
    ),
    (
        "format('%d %5d %-5d| %+d %05d %x %o %b %X %e %g %a', $0, $0, $0, $0, $0, $0, $0, $0, $0, $1, $1, $1)",
        &[Int, Float],
    ),
    ("format('%s|%10s|%-10s|%.2s|%p|%c|%%|%<a>d' .sub('%<a>d', ''), $0, $0, $1, $0, $1, 'q')", &[Str, Sym]),
    ("format('%<a>05.1f %{b}', a: $0, b: $1)", &[Float, List]),
    (
        "[$0].pack('U').unpack('C*') + [$0, $0].pack('nN').bytes + [$1.nan? ? 0.0 : $1].pack('g').bytes + [$1].pack('E').unpack('E')",
        &[Int, Float],
    ),
    (
        "[$0].pack('m0').unpack1('m') == $0.b and [$0].pack('u').unpack1('u') + [$0].pack('M').unpack1('M') + [$0, $0].pack('A5a3').inspect + [$0].pack('H*')",
        &[Str],
    ),
    (
        "o = P.new($0, $1); o.a, o[1] = o.b, o.a; [o.to_a, o == P.new($1, $0), o.each.to_a, o.to_h.to_a, (o[2] rescue $!.class), o.dig(:a), o.eql?(o.dup), o.members]",
        &[Int, Str],
    ),
    ("case P.new($0, 2); in { a: Integer => q } if q > 0 then q; in [q, r2] then [r2, q]; end", &[Int]),
    ("z = []; 3.times { |i| z << -> { i += $0 } }; z.map(&:call) + z.map(&:call)", &[Int]),
    (
        "z = $0; z.instance_variable_set(:@iv, $1); [z.instance_variable_get(:@iv), z.instance_variables, z.dup.instance_variables, z.instance_variable_defined?(:@q)]",
        &[List, Int],
    ),
    (
        "mo = Module.new { def q = [super, 1] }; k = Class.new { def q = $0 }; k.prepend(mo); s = Class.new(k) { def q = super << 2 }; s.new.q",
        &[Int],
    ),
    (
        "o = Object.new; def o.each = yield($0).then { self }; o.extend(Enumerable); def o.q(...) = g(...); [o.to_a, o.q(1, k: 2), o.singleton_methods(false).sort]",
        &[Int],
    ),
    ("i = 0; i += 1 until i >= $0 || i > 50; begin; i -= 1; end while i > 3; i", &[Int]),
    ("(1..20).select { |q| true if (q % 5 == 0)..(q % 7 == 0) }", &[]),
    ("for q, w in $0.zip($1) do z = [q, w]; end; [q, w, z]", &[List, List]),
    ("x = [$0, $1]; x[0], x[1] = x[1], x[0]; x[5] ||= 2; (x[1], y), z = [x[2], 3], 4; [x, y, z]", &[Int, Str]),
    (
        "begin; Integer($0); rescue ArgumentError => e; begin; raise KeyError; rescue => e2; [e2.cause.class, e.message.size > 0]; end; end",
        &[Str],
    ),
    ("begin; raise StopIteration; rescue IndexError, *[] => e; e.class; ensure; next_value = 1; end", &[]),
    ("l = loop do break $0 if (y = (y || 0) + 1) > 3; redo_count = y; end; l", &[Int]),
    ("([Integer === $0, Comparable === $1, (1..5) === $0, /b/ === $1, :a.to_proc === $0] rescue 0)", &[Int, Str]),
    ("ObjectSpace::WeakMap.new.tap { |w| w[$0] = 1 }.class", &[Str]),
    ("Marshal.load(Marshal.dump([$0, $1, $2, P.new(1, $0)]))", &[Str, List, Float]),
    ("[$0, $1].frozen?.inspect + $0.freeze.frozen?.inspect + ($0.freeze << 1 rescue $!.class).inspect", &[List, Str]),
    ("eval('q = 3; binding').local_variable_get(:q) + binding.local_variables.size * 0 + eval($0.to_s)", &[Int]),
    ("$0.each_with_index.group_by { |q, i| i % 2 }.transform_values { |v| v.map(&:first) }.to_a.transpose", &[List]),
    ("$0.sum { |q| q.to_s.size } + $0.each_entry.inject(0) { |a, q| a + q.inspect.size % 7 }", &[List]),
    ("a = $0; a.each { |q| a.pop if a.size > 1 }; a", &[List]),
    ("a = $0; a.map! { |q| a.clear if a.size > 2; q }; a", &[List]),
    ("t = $0; t.each { |k, v| t.delete(k) }; [t, (t.each { t[:new] = 1 } rescue $!.class)]", &[Table]),
    (
        "t = $0; t.default_proc = ->(hh, k) { k }; [t[:zz], t.fetch(:zz, $1), t.dig(:zz), t.to_a.size, (t.default_proc = 1 rescue $!.class)]",
        &[Table, Int],
    ),
    ("Comparable.instance_method(:clamp).bind_call($0, $1, $2)", &[Int, Int, Int]),
    ("Array.new($0 & 7) { |i| i.zero? ? $1 : i }.each_slice(3).to_a.inspect", &[Int, Str]),
    (
        "def t2(n) = n <= 0 ? (raise IndexError, 'deep') : t2(n - 1); begin; t2($0 & 63); rescue => e; [e.class, e.backtrace.size > 1, e.full_message.class]; end",
        &[Int],
    ),
    ("$0.to_s.each_char.chunk_while { |a, b| a.succ == b }.map(&:join)", &[Int]),
    ("$0.encode('UTF-16BE', invalid: :replace, undef: :replace).encode('UTF-8', 'UTF-16BE')", &[Str]),
    ("$0.encode('US-ASCII', fallback: ->(c) { '?' }, invalid: :replace) rescue $!.class", &[Str]),
    ("$0.encode('US-ASCII', xml: :attr, invalid: :replace)", &[Str]),
    ("$0.unicode_normalize(:nfd).codepoints", &[Str]),
    ("Time.at($0 % 10**10).utc.strftime('%Y-%m-%d %H:%M:%S %j %a %U %e %-d %^b %10N')", &[Int]),
    ("[$0.round(half: :even), $0.round(1, half: :down), $0.floor(1), $0.ceil(1), $0.truncate(2)]", &[Float]),
    ("[$0.round(-1, half: :even), $0.floor(-2), $0.ceil(-3), $0.truncate(-1), $0.digits(7)] rescue $!.class", &[Int]),
];

/// What both run first: the programs call it.
pub const HEAD: &str = r##"
$VERBOSE = nil
def f(a, b = 1) = a > b ? a - b : yield_or(a) { |x| x + b }
def yield_or(a) = block_given? ? yield(a) : a
def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
def g(a, *rest, k: nil, **opts, &block) = [a, rest, k, opts.to_a, block ? block.arity : nil]
def h(a, b = a, *c, d, e: b, f: e) = [a, b, c, d, e, f]
P = Struct.new(:a, :b)

# The text of a Hash is one of those that changed.
class Hash
  def inspect = "H#{to_a.inspect}"
  alias to_s inspect
end

# Converts to whatever it holds.
class T
  def initialize(v) = @v = v
  def to_str = @v
  def to_int = @v
  def to_ary = @v
  def to_a = @v
  def to_sym = @v
  def to_hash = @v
  def to_proc = @v
  def to_s = "T"
  def inspect = "T"
  def coerce(other) = [@v, other]
end

# Is compared, counted and hashed by methods in Ruby.
class C
  include Comparable
  attr_reader :n
  def initialize(n) = @n = n
  def <=>(other) = other.is_a?(C) ? @n <=> other.n : (other.is_a?(Integer) ? @n <=> other : nil)
  def hash = @n.hash
  def inspect = "C(#{@n.inspect})"
  alias to_s inspect
  def eql?(other) = other.is_a?(C) && @n == other.n
  def succ = C.new(@n + 1)
  def coerce(other) = [C.new(other), self]
  def +(other) = C.new(@n + (other.is_a?(C) ? other.n : other))
  def each
    yield 1
    yield 2, 3
    yield
    :each
  end
  def method_missing(name, *rest) = name.start_with?("x") ? [name, rest] : super
  def respond_to_missing?(name, _ = false) = name.start_with?("x")
end
class E < C
  include Enumerable
end

def show(v, depth = 0)
  return "..." if depth > 5
  case v
  when String then [Encoding::UTF_8, Encoding::US_ASCII].include?(v.encoding) ? v.inspect : "#{v.inspect}#{v.encoding}"
  when Symbol then v.to_s.end_with?("=") ? ":#{v.to_s.inspect}" : v.inspect
  when Integer, Float, nil, true, false, Rational, Complex, Regexp then v.inspect
  when Array then "[#{v.first(40).map { |x| show(x, depth + 1) }.join(", ")}]#{v.size}"
  when Hash then "{#{v.first(40).map { |k, x| "#{show(k, depth + 1)}=>#{show(x, depth + 1)}" }.join(", ")}}#{v.size}"
  when Range then "#{show(v.begin, depth + 1)}..#{show(v.end, depth + 1)}#{v.exclude_end?}"
  when MatchData then "#{show(v.to_a)}@#{v.begin(0)}"
  when Struct then "P#{show(v.to_a, depth + 1)}"
  when Enumerator then "E#{show(v.first(4), depth + 1)}"
  when Proc, Method then "#{v.class}#{v.arity}"
  when Module, Encoding then v.to_s.start_with?("#") ? v.class.name : v.to_s
  when C then "C#{show(v.n, depth + 1)}"
  when Exception then "X#{v.class}"
  else v.class.name
  end
end
"##;
