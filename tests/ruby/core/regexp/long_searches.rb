# Long subjects are searched by automata and literals, short ones by the machine: the results are the same.
line = "10.0.3.17 - - [10/Oct/2023] \"GET /article?id=7 HTTP/1.1\" 200 \"user@example.org\"\n"
log = line * 3000
p log.scan(/\d+\.\d+\.\d+\.\d+/).size            # => 3000
p log.scan(/\w+@(\w+)\.org/).uniq                # => [["example"]]
p log.scan(/GET|PUT|DELETE/).tally               # => {"GET" => 3000}
p log.gsub(/[a-z]+@[a-z]+\.(?:org|com)/, "-").size == log.size - 15 * 3000   # => true
p log.match?(/[a-z]+ never [a-z]+/)              # => false
p (log + "the end é") =~ /\p{L}+ end \p{L}/      # => 240000
p (log + "\n").scan(/^$/).size                   # => 1
p log[/(?i:get) (\S+) HTTP\/1\.1" 2\d\d "user.*\Z/, 1]   # => "/article?id=7"
p log.rindex(/GET/)                              # => 239949

# Other encodings; the same pattern for all of them.
digits = /(\d+)-/
%w[UTF-16LE EUC-JP Shift_JIS ISO-8859-1 UTF-8].each do |name|
  begin
    text = "あ12-".encode(name)
    found = name == "UTF-16LE" ? text.encode("UTF-8") =~ digits : text =~ digits
    p found
  rescue Encoding::UndefinedConversionError
    p "é12-".encode(name) =~ digits
  end
end
# => 1
# => 1
# => 1
# => 1
# => 1

# Threads share a pattern and what is known of it.
p 4.times.map { Thread.new { log.scan(/\d+ "(\w+)@/).size } }.map(&:value)   # => [3000, 3000, 3000, 3000]

# Virtual machines share the program of a pattern; one outlives the other.
p 3.times.map { RubyVM.new("r") { ("x1y22" * 10).scan(/[a-z]\d+/).size }.start.value }   # => [20, 20, 20]

# What a search takes counts towards the limit of the machine's memory.
vm = RubyVM.new("small", memory_limit: 24 << 20) do
  begin
    ("a" * 2_000_000 + "bc").match?(/(?:(a)|b)*\1c/)
  rescue NoMemoryError
    :limited
  end
end
p vm.start.value   # => :limited

# A search through a long subject ends when its thread is killed.
long = "ab " * 5_000_000
thread = Thread.new { loop { long.match?(/[a-z]+ \w+ never/) } }
sleep 0.05
p thread.kill.join(60) == thread   # => true

# Warnings of patterns made while the program runs.
$stderr = Class.new { def write(*all) = all.each { |s| print s.sub(/\A.*?: warning/, "warning") } }.new
$VERBOSE = true
Regexp.new("[aa]")               # warning: character class has duplicated range: /[aa]/
Regexp.new("a**")                # warning: regular expression has redundant nested repeat operator '*': /a**/
"x".match?("b]")                 # warning: regular expression has ']' without escape: /b]/
$VERBOSE = false
Regexp.new("[aa]")
Regexp.new("(?:a+)?")            # warning: nested repeat operator '+' and '?' was replaced with '*' in regular expression: /(?:a+)?/
$stderr = STDERR
# => warning: character class has duplicated range: /[aa]/
# => warning: regular expression has redundant nested repeat operator '*': /a**/
# => warning: regular expression has ']' without escape: /b]/
# => warning: nested repeat operator '+' and '?' was replaced with '*' in regular expression: /(?:a+)?/
