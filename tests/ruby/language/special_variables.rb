# The variables that matching sets, and the other special globals.
"hello world" =~ /(o) (?<w>w)/
p $~ && $~[0], $1.inspect, $2.inspect
# => "o w"
# => "\"w\""
# => "nil"
if /(?<first>\w)(?<second>\w)/ =~ "xyz"
  p first, second
  # => "x"
  # => "y"
end
"abcdef".match(/c(d)(e)?(z)?/)
p $~[1], $1, $2, $3, $&, $`, $', $+
# => "d"
# => "d"
# => "e"
# => nil
# => "cde"
# => "ab"
# => "f"
# => "e"
"zzz" =~ /a/
p $~, $1, $&
# => nil
# => nil
# => nil
def own_match = ("q" =~ /q/; $~[0])
"keep" =~ /k/
p own_match, $&
# => "q"
# => "k"
[1].each { "in block" =~ /b/ }
p $& # => "b"
"a1b2".scan(/\d/) { |digit| print digit, $~.begin(0), " " }
puts # => 11 23 
p "x-y".sub(/-/) { $`.upcase + "+" + $'.upcase } # => "xX+Yy"
case "key=value"
when /(\w+)=(\w+)/ then p [$1, $2] # => ["key", "value"]
end
p "2024-05-06"[/(\d+)-(\d+)/, 2], $~.pre_match
# => "05"
# => ""
$; = nil
p "a b".split, $,.inspect, $/.inspect
# => ["a", "b"]
# => "nil"
# => "\"\\n\""
p $0.end_with?("special_variables.rb"), $PROGRAM_NAME == $0, __FILE__ == $0
# => true
# => true
# => true
p $stdout.class, $stderr.fileno, $stdin.fileno, $>.equal?($stdout)
# => IO
# => 2
# => 0
# => true
p $$.class, $LOAD_PATH.equal?($:), $LOADED_FEATURES.equal?($")
# => Integer
# => true
# => true
begin
  raise "problem"
rescue
  p $!.message, $@.class
  # => "problem"
  # => Array
end
p $! # => nil
p $VERBOSE, $DEBUG
# => false
# => false
m = "John Smith".match(/(?<given>\w+) (?<family>\w+)/)
p m[:given], m["family"], m.names, m.captures, m.named_captures.to_a, m.begin(:family), m.to_a, m.values_at(1, 2)
# => "John"
# => "Smith"
# => ["given", "family"]
# => ["John", "Smith"]
# => [["given", "John"], ["family", "Smith"]]
# => 5
# => ["John Smith", "John", "Smith"]
# => ["John", "Smith"]
p m.pre_match, m.post_match, m.offset(2), m.size
# => ""
# => ""
# => [5, 10]
# => 3
$~ = nil
p $1 # => nil
p "foo" !~ /o{2}/, "foo" =~ /o{2}/, ("foo" =~ /x/).inspect
# => false
# => 1
# => "nil"
p Regexp.last_match.inspect, ("ab" =~ /(b)/ && Regexp.last_match(1))
# => "nil"
# => "b"
at = "é1" =~ /\d/
p at # => 1
# parallel: no, $0 names the main script
