# Corners that CRuby's own suite asks for: changes under gsub, $~ and grep, look-behind, fixed encodings, $/.
s = +"abc"
begin
  s.gsub(/./) { s << "x"; "y" }
rescue RuntimeError => e
  puts e.message # => string modified
end
"z" =~ /z/
%w[a b].grep(/b/)
p $~[0] # => "z"
%w[a b].grep(/b/) { p $~[0] } # => "b"
begin
  Regexp.new("(?<=a+c)b")
rescue RegexpError => e
  puts e.message # => invalid pattern in look-behind: /(?<=a+c)b/
end
p(/(?<æ>.)/.match("x").names) # => ["æ"]
p "cb"[/(?<=ab|c)b/] # => "b"
x = "a"
p(/#{x}b/e.encoding) # => #<Encoding:UTF-8>
p(/a/s.encoding) # => #<Encoding:Windows-31J>
p(/a/n == /a/) # => true
p "hello there"[/hello (.)/, -2] # => nil
p "hello there"[/hello (.)/, -1] # => "t"
begin
  "\0".unpack("c\0")
rescue ArgumentError => e
  puts e.message.dump # => "unknown unpack directive '\x00' in 'c\x00'"
end
begin
  $/ = "b"
  p "acb".chomp # => "ac"
ensure
  $/ = "\n"
end
p "a\n\n\nb".lines("", chomp: true) # => ["a", "b"]
class Other
  def <=>(_) = 5
end
p "a" <=> Other.new # => -1
p Encoding.compatible?("a", /b/) # => #<Encoding:UTF-8>

# The limit of split is an int of C's.
p((begin; "a,b".split(",", 2**31); rescue RangeError => e; e.message; end)) # => "integer 2147483648 too big to convert to 'int'"
p "a,b,c".split(",", 2**31 - 1) # => ["a", "b", "c"]

p [1, 2].pack("C@C"), [1].pack("@C") # => "\x01\x02"
# => "\x00\x01"
p "ok".freeze.scrub! # => "ok"
"\xff".freeze.scrub! rescue puts $!.class # => FrozenError
'"a".dup.force_encoding("nope")'.undump rescue puts "#{$!.class}: #{$!.message}" # => RuntimeError: dumped string has unknown encoding name
'"a"'.encode("UTF-16LE").undump rescue puts $!.class # => Encoding::CompatibilityError
