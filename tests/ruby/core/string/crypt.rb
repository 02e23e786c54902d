# String#crypt is the system's crypt(3).
p "secret".crypt("ab").size, "secret".crypt("ab")[0, 2], "secret".crypt("ab").encoding # => 13
# => "ab"
# => #<Encoding:BINARY (ASCII-8BIT)>
p "secret".crypt("ab") == "secret".crypt("abc"), "secret".crypt("ab") == "other".crypt("ab") # => true
# => false
p "secret".crypt("$6$salt$")[0, 8] # => "$6$salt$"
p "secret".respond_to?(:crypt) # => true
[["s", "a"], ["s\0", "ab"], ["s", "a\0b"], ["s", "ab".encode("UTF-16LE")]].each do |phrase, salt|
  phrase.crypt(salt)
rescue ArgumentError => e
  puts e.message
end
# => salt too short (need >=2 bytes)
# => string contains null byte
# => salt too short (need >=2 bytes)
# => wide char encoding: UTF-16LE
p Array.new(4) { |i| Thread.new { "phrase #{i}".crypt("ab") } }.map(&:value).uniq.size # => 4
