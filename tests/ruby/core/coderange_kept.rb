# What is known of a String's characters after a change is what a new look at its bytes finds.

def fresh(s) = [s.unpack1("H*")].pack("H*").force_encoding(s.encoding)

def agrees?(s)
  other = fresh(s)
  s.ascii_only? == other.ascii_only? && s.valid_encoding? == other.valid_encoding? && s.length == other.length
end

A = "the quick brown fox " * 20
U = "the qüick brown fox " * 20
E = "a" * 300 + "é"
F = "é" + "a" * 300
B = "b\xff\x00c".b * 80
X = "ab\xc3" * 60
L = "abc\xe9d".dup.force_encoding("ISO-8859-1") * 40
W = "wide é".encode("UTF-16LE") * 40
ALL = [A, U, E, F, B, X, L, W, "", "é", "\xc3"]

CHANGES = {
  slice: ->(s, r) { s[r.rand(20), r.rand(300)] },
  from: ->(s, r) { s[r.rand(20)..] },
  upto: ->(s, r) { s[..-r.rand(1..9)] },
  byteslice: ->(s, r) { s.byteslice(r.rand(9), 200 + r.rand(200)) },
  last: ->(s, r) { s[-1] },
  cut: ->(s, r) { s.slice!(r.rand(3), r.rand(4)); s },
  cut_end: ->(s, r) { s.slice!(-1); s },
  cut_bytes: ->(s, r) { s.bytesplice(0, r.rand(3), ""); s },
  store: ->(s, r) { s[r.rand(4), r.rand(3)] = %w[x ü abc].sample(random: r).encode(s.encoding); s },
  setbyte: ->(s, r) { s.setbyte(r.rand(30), r.rand(256)); s },
  insert: ->(s, r) { s.insert(r.rand(3), "ab".encode(s.encoding)); s },
  append: ->(s, r) { s << ["x", "ü", "\xc3", "\xbc"].sample(random: r) },
  prepend: ->(s, r) { s.prepend("é"); s },
  sub: ->(s, r) { s.sub("q", "ü") },
  sub_re: ->(s, r) { s.sub!(/[aü]/, "-"); s },
  gsub: ->(s, r) { s.gsub("o", %w[0 ö].sample(random: r)) },
  gsub_block: ->(s, r) { s.gsub(/[a-h]/) { "é" } },
  chop: ->(s, r) { s.chop },
  chop!: ->(s, r) { s.chop!; s },
  chomp: ->(s, r) { s.chomp("x ") },
  strip: ->(s, r) { s.strip },
  lstrip!: ->(s, r) { s.lstrip!; s },
  rstrip!: ->(s, r) { s.rstrip!; s },
  prefix: ->(s, r) { s.delete_prefix("the ") },
  suffix!: ->(s, r) { s.delete_suffix!("fox "); s },
  binary: ->(s, r) { s.b },
  utf8: ->(s, r) { s.force_encoding("UTF-8") },
  ascii: ->(s, r) { s.force_encoding("US-ASCII") },
  latin: ->(s, r) { s.force_encoding("ISO-8859-1") },
  wide: ->(s, r) { s.force_encoding("UTF-16LE") },
  dup: ->(s, r) { s.dup },
  join: ->(s, r) { [s, "x", s].join(%w[, ü].sample(random: r)) },
  ljust: ->(s, r) { s.ljust(500, %w[. ü].sample(random: r)) },
  upcase: ->(s, r) { s.upcase },
  swapcase: ->(s, r) { s.swapcase },
  tr: ->(s, r) { s.tr("a-eü", "u") },
  delete: ->(s, r) { s.delete("üq") },
  squeeze: ->(s, r) { (s * 2).squeeze },
  scan: ->(s, r) { s.partition("fox").last },
  replace: ->(s, r) { (+"").replace(s) },
  clear: ->(s, r) { s.clear },
}

wrong = Hash.new(0)
random = Random.new(7)
ALL.each do |text|
  150.times do
    s = text.dup
    s.valid_encoding?
    6.times do
      name = CHANGES.keys.sample(random: random)
      begin
        s = CHANGES[name].call(s, random) || +""
        s = s.dup if s.frozen?
        s.valid_encoding? if random.rand(3) > 0
      rescue ArgumentError, EncodingError, IndexError
        nil
      end
      wrong[name] += 1 unless agrees?(s.dup)
    end
  end
end
p wrong # => {}

# Long ones are looked at in part.
long = "a" * 600_000 + "é" + "b" * 10
long.valid_encoding?
p [long[1..], long[..-3], long[0, 599_000], long[599_999..], long.byteslice(0, 600_001)].map { |s| agrees?(s) } # => [true, true, true, true, true]
p [long.chop.ascii_only?, long[0, 600_000].ascii_only?, long.sub("b", "c").valid_encoding?] # => [false, true, true]

# Bytes of the same place are equal; of a text that grows, nothing is shared by a look at it.
buffer = +"x" * 400_000
buffer << "é"
same = 50.times.all? do
  buffer << "y"
  !buffer.match?(/zz/) && buffer.start_with?("x") && !buffer.start_with?(/y/) && buffer[-1] == "y" && buffer != "x" * buffer.size
end
p [same, buffer.size, agrees?(buffer)] # => [true, 400051, true]

# Case and sets of characters, in texts that are long enough for tables.
text = ("Straße ÉTÉ \u0130i ǆ tutto " * 100)
p text.swapcase[0, 22] # => "sTRASSE été i̇I Ǆ TUTT"
p [text.capitalize[0, 12], text.upcase[0, 9], text.downcase[0, 9]] # => ["Straße été i", "STRASSE É", "straße ét"]
high = ("aAzZ\xe9\xc9".b * 300)
p [high.swapcase[0, 6], high.capitalize[0, 8], high.upcase[0, 6]] # => ["AaZz\xE9\xC9", "Aazz\xE9\xC9aa", "AAZZ\xE9\xC9"]
p [high.tr("\xe9".b, "e")[0, 6], high.delete("a\xc9".b)[0, 4], high.count("A\xe9".b)] # => ["aAzZe\xC9", "AzZ\xE9", 600]
plain = "aabbccdd--" * 200
p [plain.squeeze[0, 6], plain.squeeze("a-b")[0, 9], plain.delete("^b")[0, 4], plain.count("a-c")] # => ["abcd-a", "abccdd--a", "bbbb", 1200]
p [plain.tr("a-c", "é")[0, 4], plain.tr("^a", "*")[0, 5], plain.tr("z", "y") == plain, plain.dup.tr!("z", "y")] # => ["éééé", "aa***", true, nil]
p plain.dup.force_encoding("US-ASCII").tr("a", "A").encoding # => #<Encoding:US-ASCII>
