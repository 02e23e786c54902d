# parallel: no, it measures how long things take
require_relative "_time_bombs"

stop_bombs(
  "a power" => "7**(1 << 26)",
  "a power of a remainder" => "3.pow(1 << 2_000_000, (1 << 2_000_000) + 1)",
  "gcd" => "a = 3**3_000_000; b = 7**2_000_000; loop { a.gcd(b) }",
  "a quotient" => "a = 3**3_000_000; b = 7**800_000; loop { a.divmod(b) }",
  "a product" => "a = 3**6_000_000; loop { a * a }",
  "digits of an Integer" => "a = 1 << 100_000_000; a.to_s",
  "an Integer of digits" => '("9" * 20_000_000).to_i',
  "a square root" => "Integer.sqrt(1 << 100_000_000)",
  "a Rational of digits" => '("9" * 10_000_000 + "/7").to_r',
  "a Complex of digits" => '("9" * 10_000_000 + "+1i").to_c',
  "a power of a Rational" => "(3/7r)**50_000_000",
  "a power of a Complex" => "Complex(3, 7)**50_000_000",
  "%d" => '"%d" % (1 << 100_000_000)',
  "%f of a Rational" => '"%.20000000f" % (1/3r)',
  "a sum" => "(1..10**12).sum { 1 }",
  "a product of many" => "(1..10**7).inject(:*)",
  "random numbers" => "loop { rand(1 << 100_000_000) }",
)
# => done
