# Making, joining, comparing and converting strings.

def e; p yield; rescue NotImplementedError, StandardError => x; p [x.class, x.message]; end
s = "hello world"
e { "a" + 1 } # => [TypeError, "no implicit conversion of Integer into String"]
e { "a" + nil } # => [TypeError, "no implicit conversion of nil into String"]
e { "a" * -1 } # => [ArgumentError, "negative argument"]
e { "a" * 3 } # => "aaa"
e { "ab" * 0 } # => ""
e { "é" * 3 } # => "ééé"
e { "a" * -2 } # => [ArgumentError, "negative argument"]
e { "a" << 98 } # => "ab"
e { "a" << 233 } # => "aé"
e { "a" << -1 } # => [RangeError, "-1 out of char range"]
e { ("a".b << 200) } # => "a\xC8"
e { "abc".concat("d", "e") } # => "abcde"
e { a = +"x"; a.concat(a, a) } # => "xxx"
e { "abc".prepend("1", "2") } # => "12abc"
e { "abc" <=> "abd" } # => -1
e { "abc" <=> 1 } # => nil
e { "abc" == :abc } # => false
e { "a".eql?("a") } # => true
e { "a".hash == "a".hash } # => true
e { "hello wORLD".capitalize } # => "Hello world"
e { "12abc".to_i } # => 12
e { "0x1f".hex } # => 31
e { "0777".oct } # => 511
e { "0b11".oct } # => 3
e { "1_000".to_i } # => 1000
e { "z".to_i(36) } # => 35
e { "1".to_i(1) } # => [ArgumentError, "invalid radix 1"]
e { "12345678901234567890123".to_i } # => 12345678901234567890123
e { "1.5e3".to_f } # => 1500.0
e { "abc".to_f } # => 0.0
e {"-0x1A".hex} # => -26
e { "789".oct } # => 7
e { "abc".to_sym } # => :abc
e { "foo bar".to_sym } # => :"foo bar"
e { "a".ord } # => 97
e { "é".ord } # => 233
e { "".ord } # => [ArgumentError, "empty string"]
e { "abc".chr } # => "a"
e { "abc".sum } # => 294
e { "a\tb\u00e9\x00\e\"\#{x}" } # => "a\tbé\u0000\e\"\#{x}"
e { "é".dump } # => "\"\\u00E9\""
e { "é".dump.undump } # => "é"
e { "\xff" } # => "\xFF"
e { "\u200b" } # => "​"
e { (-"abc").equal?(-"abc".dup) } # => true
e { (+"abc").frozen? } # => false
e { a = "abc".freeze; (+a).frozen? } # => false
e { "abc".dup.frozen? } # => false
e { "abc".freeze << "d" } # => [FrozenError, "can't modify frozen String: \"abc\""]
e { "a".between?("a", "b") } # => true
e { "b".clamp("c", "d") } # => "c"
e { "abc".replace("x") } # => "x"
e { "abc".clear } # => ""
e { "abc".freeze.clear } # => [FrozenError, "can't modify frozen String: \"abc\""]
e { "abc".hash.class } # => Integer
e { "a".then { |x| "#{x}é" } } # => "aé"
e { "abc" =~ "b" } # => [TypeError, "type mismatch: String given"]
e { "x".sum(8) } # => 120
