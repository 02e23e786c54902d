# parallel: no, it measures how long things take
require_relative "_time_bombs"

LONG = 's = "éa" * 5_000_000; '

stop_bombs(
  "upcase" => LONG + "loop { s.upcase }",
  "tr" => LONG + 'loop { s.tr("a-zé", "b") }',
  "delete" => LONG + 'loop { s.delete("e") }',
  "squeeze" => LONG + "loop { s.squeeze }",
  "count" => LONG + 'loop { s.count("a-z") }',
  "reverse" => LONG + "loop { s.reverse }",
  "chars" => LONG + "loop { s.chars }",
  "lines" => 's = "a\n" * 5_000_000; loop { s.lines }',
  "split" => 's = "a,b c" * 2_000_000; loop { s.split(","); s.split; s.split("") }',
  "grapheme clusters" => LONG + "loop { s.grapheme_clusters }",
  "inspect" => LONG + "loop { s.inspect }",
  "dump" => LONG + "loop { s.dump }",
  "encode" => LONG + 'loop { s.encode("UTF-16LE") }',
  "a replacement" => '("é" * 1_000_000).encode("US-ASCII", undef: :replace, replace: "x" * 10)',
  "gsub" => LONG + 'loop { s.gsub(/é/, "e") }',
  "scan" => LONG + "loop { s.scan(/[^é]/) { } }",
  "succ" => "s = \"zz\"; loop { s = s.succ }",
  "upto" => '"a".upto("zzzzzzzzzzz") { }',
  "a search that goes back" => '/(?:(a)|b|ab)*\1$/.match("ab" * 30_000 + "c")',
  "patterns" => 'loop { Regexp.new("[\\\\p{L}\\\\p{N}&&[^a-z]]" * 20_000) }',
  "patterns of letters" => 'loop { Regexp.new("ß" * 300_000, Regexp::IGNORECASE) }',
)
# => done
