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
  "squares" => 'x = 1 << 100_000_000; loop { x *= x }',
)
# => done
