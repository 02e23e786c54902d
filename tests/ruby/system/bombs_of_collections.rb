# parallel: no, it measures how much memory the process takes
require_relative "_memory_bombs"

run_bombs(
  "join" => '(["x" * 1_000_000] * 1000).join',
  "join with a long separator" => '([nil] * 1000).join("x" * 1_000_000)',
  "Array#inspect" => '(["x" * 1_000_000] * 1000).inspect',
  "Hash#inspect" => 's = "x" * 1_000_000; (1..1000).to_h { [_1, s] }.inspect',
  "Array#*" => '[1] * 500_000_000',
  "Array.new" => 'Array.new(500_000_000)',
  "product" => 'a = (1..1000).to_a; a.product(a, a)',
  "combinations" => '(1..40).to_a.combination(20).to_a',
  "permutations" => '(1..20).to_a.permutation.to_a',
  "Range#to_a" => '(1..1_000_000_000).to_a',
  "unpack" => '("x" * 10_000_000).unpack("C*")',
  "a long shift" => '1 << 10**9',
  "a high power" => '3**10**9',
  "Random objects" => 'a = []; loop { a << Random.new(1) }',
  "a WeakMap" => 'm = ObjectSpace::WeakMap.new; i = 0; loop { m[i += 1] = i }',
  "a WeakKeyMap" => 'm = ObjectSpace::WeakKeyMap.new; i = 0; a = []; loop { a << (k = "#{i += 1}"); m[k] = i }',
  "flatten" => 'a = [1] * 10; 20.times { a = [a] * 10 }; a.flatten',
  "each_cons" => '(1..10_000_000).each_cons(1000).to_a',
  "a far element" => 'a = []; a[400_000_000] = 1',
  "transpose" => '([([1] * 100_000)] * 10_000).transpose',
  "a Set" => 's = Set.new; i = 0; loop { s << (i += 1) }',
  "a Struct of many members" => 'Struct.new(*(1..3_000_000).map { :"a#{_1}" })',
  "methods" => 'c = Class.new; i = 0; loop { c.define_method("m#{i += 1}") { 1 } }',
  "classes" => 'a = []; loop { a << Class.new }',
  "instance variables" => 'o = Object.new; i = 0; loop { o.instance_variable_set("@a#{i += 1}", i) }',
  "constants" => 'i = 0; loop { Object.const_set("C#{i += 1}", i) }',
  "squares" => 'x = 1 << 100_000_000; loop { x *= x }',
)
# => done
