# split and its like with as many parts as become elements at once, and one more

[15, 16, 17, 32, 33, 100].each do |n|
  text = Array.new(n) { |i| i.to_s }.join(",")
  parts = text.split(",")
  p n unless parts.size == n && parts.join(",") == text && parts.all?(String)
  p n unless text.tr(",", " ").split.size == n && text.lines(",").size == n && text.chars.join == text
end
p ("," * 40).split(",") # => []
p ("," * 40).split(",", -1).size # => 41
p "a,b".b.split(",").map(&:encoding).uniq # => [#<Encoding:BINARY (ASCII-8BIT)>]

# Whitespace is found byte by byte where no other character has such a byte.
p " \u3042 \u3044\t".encode("Shift_JIS").split.map { |s| s.encode("UTF-8") } # => ["あ", "い"]
p " \u3042\0 ".encode("Shift_JIS").strip.encode("UTF-8") # => "あ"
p " \u3042\0 ".encode("UTF-16BE").strip.encode("UTF-8") # => "あ"
p " a\xff \x80 ".b.split(" ", 2) # => ["a\xFF", "\x80 "]
