# A group that has begun has not matched until it ends: for backreferences and conditions within it, and behind what must be absent.

p(/((?!\1)a)+/.match("aaaaA").offset(0))    # => [0, 4]
p(/((?!\k<-1>)){7}\1A/.match("xA").byteoffset(1)) # => [1, 1]
p(/(?:((?!\1)b?)){2}A/.match("bA").to_a)    # => ["bA", ""]
p(/(a|b\1)+/.match("aba").to_a)             # => ["a", "a"]
p(/(?:(x)|y\1)+/.match("xyx").to_a)         # => ["xyx", "x"]
p(/(\w)\1/.match("abccd").to_a)             # => ["cc", "c"]
p(/(a+)-\1/.match("xaa-aa").to_a)           # => ["aa-aa", "aa"]
p(/(\d+)x\1/i =~ "12x1 3x3")                # => 5

# Conditions on the group that they are in.
p(/x+((?(1)A|)+){1,3}+|xk/.match("xkA-xA_t").to_a) # => ["x", ""]
p(/((?(1)b|a))+/.match("aab").to_a)         # => ["aa", "a"]
p(/(?<n>(?(<n>)b|a)){2}/.match("aab").to_a) # => ["aa", "a"]

# What must be absent leaves its groups as they were when it last looked for it.
p(/(?~(.)(b)a)/.match("xxcba").byteoffset(1)) # => [3, 4]
p(/(?~(.)(b)a)/.match("xxcba")[2])          # => nil
p(/(?~1(b{2}|))/.match("x1tt1").byteoffset(1)) # => [2, 2]
p(/(?~1(b{2})|c)/.match("x1bb1")[1])        # => nil
p(/(?~(b))\1/.match("ab"))                  # => nil

# A backreference in the group that it means may be empty, so that a call behind it may never end.
p((Regexp.new('(\g<+1>\g<1>|b)(ac)') =~ "acacb") || "none") # => "none"
p(/(\g<+1>\g<1>|b)(ac)/ =~ "acacbac")       # => 0
p((Regexp.new('(.|(\1\g<1>))') rescue $!.message)) # => "never ending recursion: /(.|(\\1\\g<1>))/"

# What a group matched before decides whether an iteration that matches nothing fails, unless the group must match a fixed number of times.
p((/(?:.(x?){20}){2}./ =~ "abc") || "none") # => 0
p((/(?:.(x?){19,20}){2}./ =~ "abc") || "none") # => "none"
p(/(?:.(?:(x?)(y?)?){20}){2}./ =~ "abc")     # => 0
p((/(?:.(x?){20}\1){2}./ =~ "abc") || "none") # => "none"

# A condition sees where its group ended before something was tried again that the group is in, unless that is the choice of the group itself.
p(/((?(1).|x)*?)_/.match("abcd_f").to_a)    # => ["abcd_", "abcd"]
p(/(|(?(1).|x))_/.match("bd_f").to_a)       # => ["d_", "d"]
p(/(x*?(?(1).|y)*?)d_/.match("xbcd_f").to_a) # => ["xbcd_", "xbc"]
p(/((?(1).|x)|)_/.match("abcd_f").to_a)     # => ["_", ""]
p(/((?(1).|x)*?)*_/.match("abcd_f").to_a)   # => ["abcd_", ""]
p(/.*?(?:(?(1)x|y)(a)){2}c/.match("yaxxac").to_a) # => []

# A lazy repeat is never spelled out, so that its loop looks at what groups within matched before.
p(/(?>((.(){1,2}?){0,20}\2*?){1,2}?k)/.match("atitktAbbk").to_a) # => ["tk", "t", "t", ""]
