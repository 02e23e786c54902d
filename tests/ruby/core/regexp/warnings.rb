# What regexps are warned of: literals when the source is compiled, with their own line; others where they are made.
# stderr: nothing is left
$VERBOSE = true
$warnings = []
def Warning.warn(text, **) = $warnings << text.chomp

def warnings
  $warnings.clear
  yield
  $warnings.dup
end

def of(source, line = 1) = warnings { eval(source, nil, "f", line) }
def made(source, *rest) = warnings { Regexp.new(source, *rest) }.map { |w| w[/warning: (.*)/m, 1] }

p of("\n\n1.then { /[aa]/ }", 10) # => ["f:12: warning: character class has duplicated range: /[aa]/"]
p of("def never = [1,\n/a\\i/]")   # => ["f:2: warning: Unknown escape \\i is ignored: /a\\i/"]
p of("1 if /\#{'[a'}\#{'a]'}/ =~ ''") # => ["f:1: warning: character class has duplicated range: /[aa]/"]
p of("x = '[aa]'\n/\#{x}/")         # => ["f:2: warning: character class has duplicated range: /[aa]/"]
p of('/\Q\R/')                      # => []
p made("]b"), made("a]b")           # => []
                                    # => ["regular expression has ']' without escape: /a]b/"]
p made('\k'), made('\p'), made('\pa') # => []
                                    # => ["invalid Unicode Property \\p: /\\p/"]
                                    # => ["invalid Unicode Property \\p: /\\pa/"]
p made("(?:a*)*"), made("(?:a+)?")  # => ["regular expression has redundant nested repeat operator '*': /(?:a*)*/"]
                                    # => ["nested repeat operator '+' and '?' was replaced with '*' in regular expression: /(?:a+)?/"]
# Classes are counted before what stands in front of them; those of ASCII in a pattern of Unicode are not.
p made("[0-9\\d]"), made("[_\\w]"), made("[a\\D]") # => ["character class has duplicated range: /[0-9\\d]/"]
                                    # => ["character class has duplicated range: /[_\\w]/"]
                                    # => ["character class has duplicated range: /[a\\D]/"]
p made("[0-9\\dé]"), made("[_\\wé]").size, made("[a\\p{Alpha}é]").size # => []
                                    # => 1
                                    # => 1
p made("[0-9[:alpha:]]"), made("[あ\\p{Hiragana}]").size, made("[[ab]a]") # => []
                                    # => 1
                                    # => ["character class has duplicated range: /[[ab]a]/"]
p made("[\n\n]/")                   # => ["character class has duplicated range: /[\\x0a\\x0a]\\//"]
p made("[aa]" + "x" * 60)           # => ["character class has duplicated range"]
p made("[aa]".encode("UTF-16LE"))   # => ["character class has duplicated range: /\\x5b\\x00\\x61\\x00\\x61\\x00\\x5d\\x00/"]

# Also when it is wrong further on.
p warnings { Regexp.new("[a-b-c][") rescue p($!.message) }.size # => "premature end of char-class: /[a-b-c][/"
                                    # => 1
# A pattern of bytes that meets text.
p warnings { /a/n =~ "é" }.map { |w| w[/warning: (.*)/, 1] } # => ["historical binary regexp match /.../n against UTF-8 string"]
p warnings { /a/n =~ "e"; /a/n =~ "\xff".b } # => []
# It is told where the last text was in another encoding.
none = /a/n
p warnings { 3.times { none =~ "é" } }.size # => 1
p warnings { 2.times { none.match?("\xA4\xA2".dup.force_encoding("EUC-JP")) } }.size # => 1
p warnings { "é".scan(none) }.size # => 1
p warnings { none =~ "abc"; none =~ "\xff".b; "é".sub(none, "") }.size # => 0
p warnings { 2.times { "é".match?(/a/n) } }.size # => 1
$stderr.puts "nothing is left"
