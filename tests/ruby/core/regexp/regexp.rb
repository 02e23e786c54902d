# Regexp: making, showing, comparing, matching.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end
e { /a\/b/.inspect } # => "/a\\/b/"
e { %r{a/b}.source } # => "a/b"
e { /(?i:a)b/.to_s } # => "(?-mix:(?i:a)b)"
e { /(?i:a)/.to_s } # => "(?i-mx:a)"
e { /a/mix.to_s } # => "(?mix:a)"
e { Regexp.new("a\tb\n/").inspect } # => "/a\tb\n\\//"
e { Regexp.union } # => /(?!)/
e { Regexp.union("a.b", /c/i) } # => /a\.b|(?i-mx:c)/
e { Regexp.union(["x", "y"]) } # => /x|y/
e { Regexp.escape("a b\n\t[]{}()*+?.^$|#-\\\v\f\r") } # => "a\\ b\\n\\t\\[\\]\\{\\}\\(\\)\\*\\+\\?\\.\\^\\$\\|\\#\\-\\\\\\v\\f\\r"
e { Regexp.new("a", true).options } # => 1
e { Regexp.new("a", Regexp::EXTENDED | Regexp::MULTILINE).inspect } # => "/a/mx"
e { Regexp.new(5) } # => [TypeError, "no implicit conversion of Integer into String"]
e { Regexp.new("(") } # => [RegexpError, "end pattern with unmatched parenthesis: /(/"]
e { Regexp.new("[a") } # => [RegexpError, "premature end of char-class: /[a/"]
e { Regexp.new("*a") } # => [RegexpError, "target of repeat operator is not specified: /*a/"]
e { Regexp.new("(?<a>x)\\1") } # => [RegexpError, "numbered backref/call is not allowed. (use name): /(?<a>x)\\1/"]
e { Regexp.new("a{2,1}") } # => [RegexpError, "upper is smaller than lower in repeat range: /a{2,1}/"]
e { Regexp.new("\\u{110000}") } # => [RegexpError, "invalid Unicode range: /\\u{110000}/"]
e { Regexp.new("\\xff") } # => [RegexpError, "invalid multibyte escape: /\\xff/"]
e { Regexp.new("(?<n>\\g<n>)") } # => [RegexpError, "never ending recursion: /(?<n>\\g<n>)/"]
e { Regexp.try_convert(/a/) } # => /a/
e { Regexp.try_convert("a") } # => nil
e { /a/ == /a/i } # => false
e { /a/.eql?(/a/) && /a/.hash == /a/.hash } # => true
e { /(?<b>.)(?<a>.)(?<b>.)?/.names } # => ["b", "a"]
e { /a/i.casefold? } # => true
e { [/a/.encoding, /é/.encoding, /\p{Alpha}/.encoding, /\xff/n.encoding] } # => [#<Encoding:US-ASCII>, #<Encoding:UTF-8>, #<Encoding:UTF-8>, #<Encoding:BINARY (ASCII-8BIT)>]
e { [/a/.fixed_encoding?, /é/.fixed_encoding?] } # => [false, true]
e { /a/.frozen? } # => true
e { Regexp.allocate.source } # => [TypeError, "uninitialized Regexp"]
e { /b/ =~ "abc" } # => 1
e { /é/ =~ "café" } # => 3
e { /b/ =~ nil } # => nil
e { /a/ =~ 5 } # => [TypeError, "no implicit conversion of Integer into String"]
e { [/a/ === "ba", /a/ === :a, /a/ === 5, /a/ === nil] } # => [true, true, false, false]
e { /a/.match("ba", 2) } # => nil
e { /a/.match("ba", -1)[0] } # => "a"
e { /a/.match?("ba", 5) } # => false
e { /a/.match("bab") { |m| m.post_match } } # => "b"
e { "\xff" =~ /a/ } # => [ArgumentError, "invalid byte sequence in UTF-8"]
e { "あ".encode("EUC-JP") =~ /é/ } # => [Encoding::CompatibilityError, "incompatible encoding regexp match (UTF-8 regexp with EUC-JP string)"]
e { "a".encode("UTF-16LE") =~ /a/ } # => [Encoding::CompatibilityError, "incompatible encoding regexp match (US-ASCII regexp with UTF-16LE string)"]
e { ["é" =~ /\w/, "é" =~ /[[:word:]]/, "é" =~ /(?u)\w/, "é" =~ /(?a)[[:alpha:]]/, "éa" =~ /\ba/, "éa" =~ /(?a)\ba/] } # => [nil, 0, 0, nil, nil, 1]
e { ["١" =~ /\d/, "١" =~ /[[:digit:]]/, "\u00a0" =~ /\s/, "\u00a0" =~ /[[:space:]]/] } # => [nil, 0, nil, 0]
e { ["straße" =~ /STRASSE/i, "ÀÉ" =~ /àé/i] } # => [0, 0]
e { ["foobar"[/foo\Kbar/], "ab\r\ncd"[/\R/], "e\u0301x"[/\X/].size] } # => ["bar", "\r\n", 2]
e { "x((a)(b))"[/\((?:[^()]|\g<0>)*\)/] } # => "((a)(b))"
e { "/* x */ y */"[%r{/\*(?~\*/)\*/}] } # => "/* x */"
e { "aab"[/(a)?b(?(1)|c)/] } # => "ab"
e { "a b"[/a\ b # comment (
  /x] } # => "a b"
e { ["A" =~ /(?i:a)/, "aB" =~ /a(?i)b/, "aBc" =~ /a(?i)b|C/] } # => [0, 0, 0]
e { ["\xE3\x81".b =~ /\x81/n, "\u3042" =~ /\u3042/, "\e" =~ /\e/, "\x7f" =~ /\c?/, "\x01" =~ /\C-a/] } # => [1, 0, 0, 0, 0]
e { ["test" =~ /(?<!t)e/, "price: 30"[/(?<=: )\d+/], "aab" =~ /(?>a+)b/, "aa" =~ /a++a/] } # => [nil, "30", 0, nil]
e { ["日本語" =~ /本/, "日本語"[/\p{Han}+/], "日本語".encode("EUC-JP")[/./].encode("UTF-8")] } # => [1, "日本語", "日"]
e { "ソ表".encode("Shift_JIS").index(Regexp.new("表".encode("Shift_JIS"))) } # => 1
e { /#{"a"}.#{/b/i}/.source } # => "a.(?i-mx:b)"
e { ["\xe9", "\xd7"].map { |s| s.dup.force_encoding("ISO-8859-1").then { |t| [t.match?(/[[:word:]]/), t.match?(/[^[:word:]]/)] } } } # => [[true, false], [false, true]]
