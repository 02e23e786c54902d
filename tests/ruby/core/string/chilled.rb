# A literal in a file that does not say whether literals are frozen may be changed; who wants to know is warned.
$warned = []
def Warning.warn(message, category: nil) = $warned << message[/\d+: .*/].chomp

def told
  list, $warned = $warned, []
  list.size == 1 ? list[0].sub(/\A\d+: /, "") : list
end

silent = "silent"
silent << "ly"
p silent, told # => "silently"
# => []

Warning[:deprecated] = true
text = "text"
text << "!"; line = __LINE__
p $warned == ["#{line}: warning: literal string will be frozen in the future"] # => true
p told # => "warning: literal string will be frozen in the future"
text << "!"
p text, told # => "text!!"
# => []

# What it is called is no matter; each literal is another String each time.
2.times do
  "a".frozen? or "b".clear
end
p $warned.size # => 2
told
changes = {
  :<< => ["x"], concat: ["x"], prepend: ["x"], replace: ["x"], insert: [0, "x"], :[]= => [0, "x"], setbyte: [0, 65], clear: [],
  force_encoding: ["BINARY"], upcase!: [], downcase!: [], capitalize!: [], swapcase!: [], reverse!: [], succ!: [], next!: [],
  strip!: [], lstrip!: [], rstrip!: [], chomp!: [], chop!: [], squeeze!: [], delete!: ["a"], tr!: ["a", "b"], tr_s!: ["a", "b"],
  sub!: ["a", "b"], gsub!: [/a/, "b"], slice!: [0], delete_prefix!: ["a"], delete_suffix!: ["a"], encode!: ["UTF-16LE"],
  unicode_normalize!: [], append_as_bytes: ["x"], instance_variable_set: [:@a, 1], singleton_class: [],
  define_singleton_method: [:a, proc {}]
}
changes.each do |name, arguments|
  s = "a string"
  s.__send__(name, *arguments)
  puts "#{name}: #{told}" unless $warned == [] || told == "warning: literal string will be frozen in the future"
end
missed = changes.keys.reject do |name|
  s = "a string"
  s.__send__(name, *changes[name])
  !$warned.empty? and told
end
p missed # => []
s = "a string"
def s.single = 1
p told # => "warning: literal string will be frozen in the future"
s = "abc"
s =~ /b/
s[/c/] = "d"
p s, told # => "abd"
# => "warning: literal string will be frozen in the future"
s = "still " "one"
s << "!"
p told # => "warning: literal string will be frozen in the future"
s = %w[list][0]
s << "!"
p told # => "warning: literal string will be frozen in the future"
s = __FILE__
s << "!"
p told # => "warning: literal string will be frozen in the future"
s = <<~HERE
  text
HERE
s << "!"
p told # => "warning: literal string will be frozen in the future"

# What is no literal any more.
[+"a", "a".dup, "a" + "b", "a#{1}", "a" * 2, "abc"[0, 2], String.new("a"), "a".b, "a".to_s.dup, Marshal.load(Marshal.dump("a"))].each { |t| t << "x" }
[1, 2].join("-") << "x"
"a".upcase << "x"
"a,b".split(",").each { |t| t << "x" }
format("%d", 1) << "x"
p told # => []
plain = "plain"
p (+plain).equal?(plain), plain.frozen?, (-plain).frozen?, plain.dup.frozen?, told # => false
# => false
# => true
# => false
# => []
own = plain.dup
p (+own).equal?(own) # => true
copy = "a".clone
copy << "x"
p copy, told # => "ax"
# => "warning: literal string will be frozen in the future"
copy = "a".clone(freeze: true)
p copy.frozen? # => true
frozen = "frozen".freeze
begin
  frozen << "x"
rescue FrozenError => e
  puts e.message # => can't modify frozen String: "frozen"
end
later = "later"
later.freeze
begin
  later << "x"
rescue FrozenError => e
  puts e.message # => can't modify frozen String: "later"
end
p told # => []
p eval("# frozen_string_literal: false\n'a' << 'b'"), told # => "ab"
# => []
p eval("'a' << 'b'"), told # => "ab"
# => "warning: literal string will be frozen in the future"

# Names of Symbols.
name = :name.to_s
p name.frozen?, name.equal?(+name) # => false
# => false
name << "!"
p name, told # => "name!"
# => "warning: string returned by :name.to_s will be frozen in the future"
:"made #{name}".to_s.clear
p told # => "warning: string returned by :made name!.to_s will be frozen in the future"
:name.to_s.singleton_class
p told # => "warning: string returned by :name.to_s will be frozen in the future"
:name.id2name.dup << "x"
p told # => []

# Keys of a Hash, equality and searches do not care.
p({"key" => 1}["key"], "key" == :key.to_s, "key".hash == "key".dup.hash, "key".eql?("key".dup)) # => 1
# => true
# => true
# => true
buffer = String.new
100.times { buffer << "part" << "," }
p buffer.size, told # => 500
# => []

# A warning that raises: nothing has changed.
def Warning.warn(message, category: nil) = raise("#{category}: no")
kept = "kept"
begin
  kept << "x"
rescue RuntimeError => e
  puts e.message # => deprecated: no
end
p kept # => "kept"
begin
  kept.upcase!
  p kept # => "KEPT"
end

# Code that is hot, and several threads: one warning a String.
def Warning.warn(message, category: nil) = $warned << message
def grow(text)
  made = ""
  text.each_char { |c| made << c }
  made
end
2000.times { grow("abcdefgh") }
p $warned.size # => 2000
$warned.clear
50.times do
  shared = "shared"
  4.times.map { |i| Thread.new { 20.times { shared << i.to_s } } }.each(&:join)
  raise shared unless shared.size == 86
end
p $warned.size # => 50
Warning[:deprecated] = false
$warned.clear
2000.times { grow("abcdefgh") }
p $warned.size # => 0

# In other VMs: their own switch, and their own Strings.
vm = RubyVM.new("chilled", source: <<~'RUBY')
  told = []
  Warning.singleton_class.define_method(:warn) { |message, category: nil| told << message }
  "off" << "x"
  Warning[:deprecated] = true
  "on" << "x"
  "given".dup << "x"
  told.size
RUBY
vm.start
p vm.value # => 1
p Ractor.new { "in a Ractor" << "!" }.value # => "in a Ractor!"
