# frozen_string_literal: true

# Calls on short Strings: what a call costs beside its search.
require "strscan"
require_relative "cases"

N = 500
LINE = '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326'
WORDS = "the quick brown fox jumps over the lazy dog and runs away from it all"
PATHS = %w[/users/42 /users/42/posts/7 /posts /about /users/new /assets/app.js].freeze
HTML = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;" }.freeze
MARKUP = 'a < b && c > d ? "yes" : "no" & more'

# Calls the block N times within one round.
def each(name)
  Cases.time(name, N) do
    i = 0
    value = nil
    while i < N
      value = yield
      i += 1
    end
    value
  end
end

each("nothing") { LINE }
each("match? literal") { LINE.match?(/GET/) }
each("match? anchored") { LINE.match?(/\A\d+\.\d+/) }
each("match? anchored, no match") { LINE.match?(/\Afoo/) }
each("match? class, no match") { WORDS.match?(/[0-9]/) }
each("match? alternatives") { WORDS.match?(/cat|dog|cow/) }
each("match? case-insensitive") { LINE.match?(/http/i) }
each("match? end") { LINE.match?(/\d+\z/) }
each("=~ no match") { LINE =~ /POST/ }
each("=~ literal") { LINE =~ /GET/ }
each("=~ with captures") { LINE =~ /(\d+)\.(\d+)\.(\d+)\.(\d+)/ }
each("=~ with captures and $1") { LINE =~ /\[(\d+)\/(\w+)\/(\d+)/ ? $1 : nil }
each("=~ log line") { LINE =~ /\A(\S+) (\S+) (\S+) \[([^\]]+)\] "(\w+) (\S+) [^"]*" (\d+) (\d+)\z/ ? $5 : nil }
each("match and [1]") { LINE.match(/"(\w+) /)[1] }
each("match named") { m = LINE.match(/(?<verb>GET|POST) (?<path>\S+)/) and m[:path] }
each("String#[] regexp") { LINE[/\d+\z/] }
each("String#[] regexp, group") { LINE[/"(\w+) (\S+)/, 2] }
each("index") { LINE.index(/"/) }
each("start_with?") { LINE.start_with?(/\d+/) }
each("sub literal") { WORDS.sub(/o/, "0") }
each("sub no match") { WORDS.sub(/x1/, "0") }
each("sub groups") { WORDS.sub(/(\w+) (\w+)/, '\2 \1') }
each("sub block") { WORDS.sub(/\w+/) { |w| w.upcase } }
each("sub String") { WORDS.sub("fox", "cat") }
each("sub! strip") { s = +"  some text  "; s.sub!(/\A\s+/, ""); s.sub!(/\s+\z/, ""); s }
each("gsub literal") { WORDS.gsub(/o/, "0") }
each("gsub class") { WORDS.gsub(/[aeiou]/, "*") }
each("gsub no match") { WORDS.gsub(/[0-9]/, "*") }
each("gsub String") { WORDS.gsub("o", "0") }
each("gsub block") { WORDS.gsub(/o/) { |c| c.upcase } }
each("gsub block and $1") { WORDS.gsub(/\b(\w)/) { $1.upcase } }
each("gsub Hash") { MARKUP.gsub(/[&<>"]/, HTML) }
each("gsub underscore") { "ActiveRecordBase".gsub(/([a-z\d])([A-Z])/, '\1_\2') }
each("scan words") { WORDS.scan(/\w+/).size }
each("scan groups") { LINE.scan(/(\d+)\.(\d+)/).size }
each("scan block") { n = 0; WORDS.scan(/\w+/) { n += 1 }; n }
each("split regexp") { WORDS.split(/\s+/).size }
each("split char class") { LINE.split(/[ .:]/).size }
each("partition") { LINE.partition(/ - /).size }
each("slice!") { s = +"key: value"; s.slice!(/\A\w+: /); s }
each("tr like gsub") { "a-b_c d".gsub(/[^a-z]/, "") }

each("case of 20 patterns") do
  case WORDS
  when /\Aalpha/, /\Abeta/, /\Agamma/, /\Adelta/ then 1
  when /\A\d/, /\A\s/, /\A#/, /\A"/ then 2
  when /zeta/, /eta\b/, /theta/, /iota/ then 3
  when /kappa/i, /lambda/i, /mu\z/, /nu\z/ then 4
  when /xi/, /omicron/, /\Ath[aeiou] slow/, /jumps over/ then 5
  end
end
each("routes") do
  PATHS.map do |path|
    case path
    when %r{\A/users/(\d+)/posts/(\d+)\z} then $2
    when %r{\A/users/(\d+)\z} then $1
    when %r{\A/users/new\z} then "new"
    when %r{\A/posts\z} then "posts"
    when %r{\A/assets/(.+)\.(js|css)\z} then $2
    end
  end
end

SOURCE = "def foo(bar, baz = 42)\n  x = bar + baz * 3.14 # comment\n  return \"string #{1}\" if x >= 10\nend\n"
def tokens(source)
  scanner = StringScanner.new(source)
  count = 0
  until scanner.eos?
    if scanner.skip(/\s+/) || scanner.skip(/#[^\n]*/) then next
    elsif scanner.scan(/[a-z_]\w*/) || scanner.scan(/\d+(?:\.\d+)?/) || scanner.scan(/"[^"]*"/) then count += 1
    elsif scanner.scan(/[-+*\/=<>]+/) || scanner.scan(/[(),]/) then count += 1
    else scanner.getch
    end
  end
  count
end
each("StringScanner tokens") { tokens(SOURCE) }
each("StringScanner scan_until") do
  scanner = StringScanner.new(LINE)
  count = 0
  count += 1 while scanner.scan_until(/\d+/)
  count
end
each("StringScanner groups") do
  scanner = StringScanner.new("key=value; other=thing; last=one")
  count = 0
  while scanner.scan(/(\w+)=(\w+)(?:; )?/)
    count += scanner[1].size + scanner[2].size
  end
  count
end
each("Regexp.new dynamic") { Regexp.new("foo#{N}bar") }
each("interpolated") { word = "fox"; WORDS.match?(/#{word}/) }
each("Regexp.escape") { Regexp.escape("a.b*c") }
