# Classes of encodings of one byte a character are CRuby's, which differ from Unicode's here and there; many encodings
# have none but those of ASCII.
def bytes(source, encoding, options = 0)
  regexp = Regexp.new(source, options)
  found = (0x80..0xff).select { |byte| byte.chr(encoding).match?(regexp) }
  found.chunk_while { |a, b| b == a + 1 }.map { |run| run.size == 1 ? "%x" % run[0] : "%x-%x" % [run[0], run[-1]] }.join(" ")
end

puts bytes("[[:punct:]]", "ISO-8859-1") # => a1 ab ad b7 bb bf
puts bytes("[[:alpha:]]", "Windows-1254") # => 8a 8c 9a 9c 9f aa b5 ba c0-d6 d8-f6 f8-ff
puts bytes("[[:space:]]", "Windows-1251") # => a0
puts bytes("[[:blank:]]", "Windows-1251").inspect # => ""
puts bytes("[[:print:]]", "ISO-8859-6") # => a0 a4 ac-ad bb bf c1-da e0-f2
puts bytes("[[:upper:]]", "KOI8-R") # => b3 e0-ff
puts bytes("[[:alpha:]]", "IBM437").inspect # => ""
puts bytes("[^[:^graph:]]", "macRoman").inspect # => ""

# Nor have those letters in two cases.
puts "\x80".b.force_encoding("IBM437").match?(Regexp.new("\x87".b.force_encoding("IBM437"), Regexp::IGNORECASE)) # => false
puts "\xc9".b.force_encoding("ISO-8859-1").match?(Regexp.new("\xe9".b.force_encoding("ISO-8859-1"), Regexp::IGNORECASE)) # => true

# Half-width katakana are characters of words.
puts "\xb1".b.force_encoding("Windows-31J").match?(/[[:word:]]/) # => true
puts "\xb1".b.force_encoding("Shift_JIS").match?(/[[:alpha:]]/) # => false

# A group that has ended is asked for while it is open again, though what followed it could not match.
p(/(t*?|.\1)t/.match("-it1").offset(0)) # => [1, 3]
p(/(?<a>t??|i\k<a>)t/.match("-it1").offset(:a)) # => [1, 2]
