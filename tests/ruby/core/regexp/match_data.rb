# MatchData and the variables that come from it.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
M = /(?<a>.)(?<b>x)?/.match("éa")
N = /(.)(.)(z)?/.match("xaéb")
e { M } # => #<MatchData "é" a:"é" b:nil>
e { N } # => #<MatchData "xa" 1:"x" 2:"a" 3:nil>
e { [M.begin(0), M.end(:a), M.offset("b"), N.begin(2), N.end(2), N.offset(3)] } # => [0, 1, [nil, nil], 1, 2, [nil, nil]]
e { [M.names, M.size, N.length] } # => [["a", "b"], 3, 4]
e { [M[:a], M["b"], M[0, 2], M[0..], N[-2], N[9], N[1..2]] } # => ["é", nil, ["é", "é"], ["é", "é", nil], "a", nil, ["x", "a"]]
e { M.values_at(0, :a, -1) } # => ["é", "é", nil]
e { [M.pre_match, M.post_match, N.post_match, N.to_a, N.captures, N.to_s] } # => ["", "a", "éb", ["xa", "x", "a", nil], ["x", "a", nil], "xa"]
e { [M.regexp, M.string, M.string.frozen?] } # => [/(?<a>.)(?<b>x)?/, "éa", true]
e { M[:zz] } # => [IndexError, "undefined group name reference: zz"]
e { M.begin(9) } # => [IndexError, "index 9 out of matches"]
e { M.end(:q) } # => [IndexError, "undefined group name reference: q"]
e { M == /(?<a>.)(?<b>x)?/.match("éa") } # => true
e { MatchData.new } # => [NoMethodError, "undefined method 'new' for class MatchData"]
e { "foo" =~ /(?<y>o)/; [$~, $1, $+, $`, $', $&] } # => [#<MatchData "o" y:"o">, "o", "o", "f", "o", "o"]
e { "zzz" =~ /a/; [$~, $1, $&] } # => [nil, nil, nil]
e { $~ = nil; Regexp.last_match } # => nil
e { $~ = 5 } # => [TypeError, "wrong argument type Integer (expected MatchData)"]
e { "ab" =~ /(a)(b)/; [Regexp.last_match(0), Regexp.last_match(2), Regexp.last_match(7)] } # => ["ab", "b", nil]
e { "abc" =~ /c/; [1].each { "xyz" =~ /y/ }; $~[0] } # => "y"
def other; "zz" =~ /z/; $~[0]; end
e { "abc" =~ /c/; [other, $~[0]] } # => ["z", "c"]
e { %w[a b ab].grep(/a(.)?/) { $1 } } # => [nil, "b"]
e { case "hello" when /^h(.)/ then $1 end } # => "e"
e { if /(?<yr>\d+)-(?<mo>\d+)/ =~ "2024-05" then [yr, mo] end } # => ["2024", "05"]
