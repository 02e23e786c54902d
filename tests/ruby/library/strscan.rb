# StringScanner.
begin
  require "strscan"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { s = StringScanner.new("3.14 foo"); [s.scan(/\d+/), s.scan(/\./), s.scan(/\d+/), s.pos, s.scan(/x/), s.skip(/\s+/), s.check(/\w+/), s.rest, s.eos?] } # => ["3", ".", "14", 4, nil, 1, "foo", "foo", false]
t { s = StringScanner.new("Fri Dec 12 1975"); [s.scan(/(?<wday>\w+) (?<month>\w+) (?<day>\d+)/), s[0], s[:wday], s["month"], s[3], s[-1], s.pre_match, s.post_match, s.matched_size, s.captures, s.values_at(0, 1), s.named_captures] } # => ["Fri Dec 12", "Fri Dec 12", "Fri", "Dec", "12", "12", "", " 1975", 10, ["Fri", "Dec", "12"], ["Fri Dec 12", "Fri"], {"wday" => "Fri", "month" => "Dec", "day" => "12"}]
t { s = StringScanner.new("test string"); [s.scan_until(/str/), s.pre_match, s.matched, s.exist?(/g/), s.search_full(/i/, false, true), s.unscan.pos] } # => ["test str", "test ", "str", 3, "i", 8]
t { s = StringScanner.new("あいu"); [s.getch, s.pos, s.charpos, s.get_byte, s.peek(2), s.scan_byte] } # => ["あ", 3, 1, "\xE3", "\x81\x84", 129]
t { s = StringScanner.new("a\nb"); s.scan(/a\n/); [s.bol?, s.scan(/^b/), s.terminate.eos?, s.reset.pos] } # => [true, "b", true, 0]
t { s = StringScanner.new("ab"); [s.scan("a"), s.peek_byte, s.skip("b"), s.matched] } # => ["a", 98, 1, "b"]
t { s = StringScanner.new("42 0x1F"); [s.scan_integer, s.skip(/ /), s.scan_integer(base: 16)] } # => [42, 1, 31]
t { s = StringScanner.new("ab"); s.pos = 5 } # => RangeError: index out of range
t { StringScanner.new("x").unscan } # => StringScanner::Error: unscan error: previous match record not exist
t { StringScanner.new("x").scan(1) } # => TypeError: no implicit conversion of Integer into String
t { s = StringScanner.new("test string"); [s.inspect, s.scan(/test /) && s.inspect, s.terminate.inspect] } # => ["#<StringScanner 0/11 @ \"test ...\">", "#<StringScanner 5/11 \"test \" @ \"strin...\">", "#<StringScanner fin>"]
t { s = StringScanner.new("a"); s << "b"; s.string = "xyz"; [s.string, s.scan(/xy/), s.dup.pos] } # => ["xyz", "xy", 2]
t { s = StringScanner.new("ab\ncd", fixed_anchor: true); s.scan(/ab\n/); [s.scan(/^c/), s.scan(/\Ad/), s.fixed_anchor?] } # => ["c", nil, true]
t { s = StringScanner.new("word " * 10_000); n = 0; n += 1 while s.scan(/\w+/) && s.skip(/ /); n } # => 10000
t { StringScanner.allocate.pos } # => ArgumentError: uninitialized StringScanner object
