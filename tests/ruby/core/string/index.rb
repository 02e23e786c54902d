# Parts of a string by position or content, and their replacement.

def e; p yield; rescue NotImplementedError, StandardError => x; p [x.class, x.message]; end
s = "hello world"
e { s[0] } # => "h"
e { s[-1] } # => "d"
e { s[20] } # => nil
e { s[11] } # => nil
e { s[11,1] } # => ""
e { s[12,1] } # => nil
e { s[1..3] } # => "ell"
e { s[1...-1] } # => "ello worl"
e { s[-3..] } # => "rld"
e { s[..2] } # => "hel"
e { s["wor"] } # => "wor"
e { s["x"] } # => nil
e { "héllo wörld"[1] } # => "é"
e { "héllo wörld"[1,3] } # => "éll"
e { "héllo wörld"[-4..] } # => "örld"
e { "héllo"[5] } # => nil
e { "héllo"[5,1] } # => ""
e { "héllo"[6,1] } # => nil
e { a = +"abc"; a[1] = "XX"; a } # => "aXXc"
e { a = +"abc"; a[3] = "d"; a } # => "abcd"
e { a = +"abc"; a[4] = "d"; a } # => [IndexError, "index 4 out of string"]
e { a = +"abc"; a[0,2] = "é"; a } # => "éc"
e { a = +"abc"; a[1..] = ""; a } # => "a"
e { a = +"abc"; a["b"] = "BB"; a } # => "aBBc"
e { a = +"abc"; a["z"] = "BB"; a } # => [IndexError, "string not matched"]
e { a = +"abc"; a[5..6] = "x"; a } # => [RangeError, "5..6 out of range"]
e { a = +"abc"; a[0,-1] = "x"; a } # => [IndexError, "negative length -1"]
e { "abc".freeze[0] = "x" } # => [FrozenError, "can't modify frozen String: \"abc\""]
e { a = +"hello"; [a.slice!(1..2), a] } # => ["el", "hlo"]
e { a = +"hello"; [a.slice!("ll"), a] } # => ["ll", "heo"]
e { a = +"hello"; [a.slice!(9), a] } # => [nil, "hello"]
e { "abc".insert(1, "X") } # => "aXbc"
e { "abc".insert(-1, "X") } # => "abcX"
e { "abc".insert(-2, "X") } # => "abXc"
e { "abc".insert(5, "X") } # => [IndexError, "index 5 out of string"]
e { "abc".insert(-6, "X") } # => [IndexError, "index -5 out of string"]
e { "héllo".byteindex("l") } # => 3
e { "abc".bytes } # => [97, 98, 99]
e { r = []; "aé".each_byte { |c| r << c }; r } # => [97, 195, 169]
e { "abc".getbyte(0) } # => 97
e { "abc".getbyte(5) } # => nil
e { a = +"abc"; a.setbyte(1, 65); a } # => "aAc"
e { a = +"abc"; a.setbyte(5, 65); a } # => [IndexError, "index 5 out of string"]
e { "abc".byteslice(1,2) } # => "bc"
e { "é".byteslice(0) } # => "\xC3"
e { "abc".byteslice(1..) } # => "bc"
e { "hello".sub("l", "[\\0\\&\\\\]") } # => "he[ll\\]lo"
e { "a".bytesplice(0, 1, "XY") } # => "XY"
e { o = Object.new; def o.to_int; 1; end; ["abc"[o], "abc" * o] } # => ["b", "abc"]
e { "日本語".byteslice(0, 3) } # => "日"
e { "日本語".bytes.size } # => 9
