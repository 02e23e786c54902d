# String#rindex by a Regexp, from within the String: a match may go beyond where the search begins.
p "blablabla".rindex(/bla/, 3), "blablabla".rindex(/bla/, 5) # => 3
# => 3
p "blablabla".rindex(/.{4}/, 5), "blablabla".rindex(/.{5}/, 5) # => 5
# => 4
p "hello cruel world".rindex(/o c/, -13), $~.pre_match # => 4
# => "hell"
p "あいあい".rindex(/あい/, 2), "あいあい".byterindex(/あい/, 6) # => 2
# => 6
p "あいあい".encode("EUC-JP").rindex(/あい/.source.encode("EUC-JP").then { |s| Regexp.new(s) }, 2) # => 2
p "abc".rindex(/c/, 1), $~ # => nil
# => nil
p "aab".rindex(/a*b/, 1), "aab".rindex(/(?=b)/, 1) # => 1
# => nil

# As by a String, everywhere.
same = ["blablabla", "hello cruel world...!"].all? do |text|
  ["", "b", "bla", "lab", "o c", "d."].all? do |part|
    (-text.size - 1..text.size + 1).all? { |at| text.rindex(Regexp.new(Regexp.escape(part)), at) == text.rindex(part, at) }
  end
end
p same # => true

# An offset is converted once.
asked = 0
offset = Object.new
offset.define_singleton_method(:to_int) { asked += 1; 3 }
p "abcabc".rindex(/b/, offset), asked
# => 1
# => 1
