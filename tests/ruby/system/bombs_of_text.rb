# parallel: no, it measures how much memory the process takes
# Machine code, which stays, is left out of what is measured.
# args: --jit=off
require_relative "_memory_bombs"

run_bombs(
  "a wide number" => '"%500000000d" % 1',
  "the widest number" => '"%2147483647d" % 1',
  "digits of a number" => '"%.500000000d" % 1',
  "digits of a Float" => 'sprintf("%.999999999f", 1.0)',
  "a width that is an argument" => 'format("%*s", 1_500_000_000, "x")',
  "many directives" => '("%s" * 1_000_000) % (["x" * 1000] * 1_000_000)',
  "long Symbols" => 'i = 0; loop { ("s" * 100_000 + (i += 1).to_s).to_sym }',
  "Symbols" => 'i = 0; loop { "bomb#{i += 1}".to_sym }',
  "String#*" => '"abc" * 500_000_000',
  "ljust" => '"a".ljust(1_000_000_000)',
  "center" => '"a".center(1_000_000_000, "ab")',
  "pack with a count" => '["a"].pack("a1000000000")',
  "pack with a position" => '[].pack("@1000000000")',
  "base64" => '(["x" * 20_000_000] * 20).pack("m" * 20)',
  "unpack to bits" => '("x" * 10_000_000).unpack("B*")',
  "sub" => '("a" * 100_000).gsub(/a/, "\\\\0" * 1000)',
  "gsub" => '("a" * 1_000_000).gsub("a", "b" * 1000)',
  "tr" => '("a" * 20_000_000).tr("a", "é")',
  "encode" => '("é" * 10_000_000).encode("UTF-32LE")',
  "dump" => '("\x01" * 20_000_000).dump',
  "chars" => '("é" * 15_000_000).chars',
  "lines" => '("\n" * 15_000_000).lines',
  "split" => '("a," * 10_000_000).split(",")',
  "split at nothing" => '("a" * 20_000_000).split("")',
  "split at spaces" => '("a " * 10_000_000).split',
  "grapheme clusters" => '("a" * 20_000_000).grapheme_clusters',
  "inspect" => '("\xff" * 10_000_000).inspect',
  "a long replacement" => '("é" * 1_000_000).encode("US-ASCII", undef: :replace, replace: "x" * 10_000)',
  "a fallback" => '("é" * 200_000).encode("US-ASCII", fallback: ->(c) { "x" * 100_000 })',
  "scrub" => '("\xff" * 1_000_000).scrub("x" * 10_000)',
  "Regexp.escape" => 'Regexp.escape("\n." * 12_000_000)',
  "Regexp.union" => 's = "a" * 2_000_000; Regexp.union(*([s] * 100))',
  "classes of a pattern" => 'Regexp.new("[\\\\p{L}&&[^a-z]]" * 200_000)',
  "a pattern whatever its case" => 'Regexp.new("ß" * 3_000_000, Regexp::IGNORECASE)',
  "patterns" => 'i = 0; a = []; loop { a << Regexp.new("#{i += 1}(a|b)*\\\\p{L}") }',
  "normal forms" => '("\u{fdfa}" * 5_000_000).unicode_normalize(:nfkd)',
)
# => done
