# Patterns that need an engine of Ruby's own language.
p(/(?:a|\z)?/.match("b").to_a)              # => [""]
p("xax" =~ /\A{0,1}a/)                      # => 1
p("a,b".scan(/(?:^|,)*\w/))                 # => ["a", ",b"]
p(/(?<@bar>o)/.match("foo").named_captures) # => {"@bar" => "o"}
p(/(?~ab)/.match("ccabd")[0])               # => "cca"
p("aXbXc".match(/a\Kx/i).offset(0))         # => [1, 2]
p(/(?<p>\((?:[^()]|\g<p>)*\))/.match("f(a(b)c)d")[0])   # => "(a(b)c)"
p(/\A(?<a>|.|(?:(?<b>.)\g<a>\k<b+0>))\z/.match?("reviver")) # => true
p(/(?:(x)|y)(?(1)a|b)/.match("xbyb")[0])    # => "yb"
p("ＡＢ" =~ /ａｂ/i)                         # => 0
p("STRASSE" =~ /\Astraße\z/i)               # => 0
p("straße" =~ /\ASTRASSE\z/i)               # => 0
p("a\u0301\u0302bc".scan(/\X/).size)        # => 3
p("👩‍👩‍👧x".scan(/\X/).size)                 # => 2
p("é" =~ /\w/, "é" =~ /(?u:\w)/, "é" =~ /[[:alpha:]]/) # => nil
                                            # => 0
                                            # => 0

# Searches that would take for ever without memory of what has failed.
# stderr: redundant nested repeat operator '+'
text = "a" * 50_000
p(/^(a|a)*$/.match?(text + "b"))            # => false
p(/\A(?:a+)+\z/.match?(text + "b"))         # => false
p(/\A(?:a|aa|aaa)*b\z/.match?(text))        # => false
p(/(?=(?:a+)+b)a/.match?(text))             # => false
p(/(?>(?:a+)+)b/.match?(text))              # => false

# Encodings of wider characters.
utf16 = "aあb".encode("UTF-16LE")
p(Regexp.new("[あ-ん]".encode("UTF-16LE")) =~ utf16) # => 1
p(Regexp.new("b".encode("UTF-16LE")).match(utf16).byteoffset(0)) # => [4, 6]

# Deep nesting is refused, not met with an overflow.
begin
  Regexp.new("(" * 5000 + ")" * 5000)
rescue RegexpError => e
  p e.message[0, 22]                        # => "parse depth limit over"
end
p Regexp.new("(?:" * 3000 + "a" + ")" * 3000).match?("a") # => true
p Regexp.new("(?:" * 30 + "a{100}" + "){100}" * 30).match?("a") # => false

# A search backwards tries every place, whatever the pattern begins with.
p("ab\ncd".rindex(/.*?[a-d]/m))             # => 4
# A comment is no part of the pattern: this is B??.
p("bb".scan(/b?(?#c)?/))                    # => ["", "", ""]
# An empty iteration ends a loop whatever look-arounds within have captured.
p("axb" =~ /(?<=(\w))+b/)                   # => 2

# Groups that contain a call of what is around them begin where the outermost one did.
p(/.(\g<0>?)/.match("abc").to_a)            # => ["abc", "bc"]
p(/((.\g<1>?))/.match("abc").to_a)          # => ["abc", "abc", "abc"]
p(/(?<x>.(?<y>a|b\g<x>?))/.match("xbxbxa")[:y]) # => "bxbxa"
# Backreferences to the group they are in may be empty.
p((Regexp.new('(\1\g<0>?a)|x') rescue $!.message)) # => "never ending recursion: /(\\1\\g<0>?a)|x/"
p((Regexp.new('\g<+1>') rescue $!.message)) # => "undefined group <1> reference: /\\g<+1>/"
# Texts that have to occur more than once are one text where case is ignored.
p("xß" =~ /s{2}/i, "xßs" =~ /s{3,}/i, "xß" =~ /s{2,5}/i, "ßs".scan(/s{3}?/i)) # => 1
                                            # => 1
                                            # => 1
                                            # => ["ßs", ""]
p("siBẞ" =~ /Bſ{2,}/i, "ßt" =~ /ſ{2}t/i)    # => 2
                                            # => 0
