# Frames of what a program has named `<internal:…>` are left out of backtraces; `warn` with `uplevel:` counts them.
# parallel: no, $stderr is the process's
eval <<~RUBY, binding, "<internal:mine>", 1
  def hidden = yield
  def hidden_twice(&) = hidden(&)
  def hidden_raise = raise("x")
  def hidden_call(o) = o.lines
  def hidden_warn(n) = warn("text", uplevel: n)
RUBY

def short(list) = list.map { |line| line[/:\d+:.*/] }
public def lines = short(caller(0, 4))
def outer = hidden { return lines }
p outer
# => [":12:in 'Object#lines'", ":13:in 'block in Object#outer'", ":13:in 'Object#hidden'", ":13:in 'Object#outer'"]
p short((hidden_raise rescue $!.backtrace)) # => [":16:in 'Object#hidden_raise'", ":16:in '<main>'"]
p hidden_call(self) # => [":12:in 'Object#lines'", ":17:in 'Object#hidden_call'", ":17:in '<main>'"]
p hidden_twice { short(caller(0)) } # => [":18:in 'block in <main>'", ":18:in 'Object#hidden_twice'", ":18:in '<main>'"]
p hidden { caller_locations(0).map { [_1.lineno, _1.label, _1.path == __FILE__] } }
# => [[19, "block in <main>", true], [19, "Object#hidden", true], [19, "<main>", true]]
p short((eval("1/0", nil, "<internal:there>") rescue $!.backtrace))
# => [":21:in '<main>'", ":21:in 'Kernel#eval'", ":21:in '<main>'"]
p hidden { __method__ } # => nil

$stdout = Class.new { def write(text) = STDOUT.write(text.sub(/.*hidden_frames/, "hidden_frames")) }.new
$stderr = $stdout
def level(n) = hidden { warn("text", uplevel: n) }
def further(n)
  level(n)
end
further(0) # => hidden_frames.rb:27: warning: text
further(1) # => hidden_frames.rb:27: warning: text
further(2) # => hidden_frames.rb:27: warning: text
further(3) # => hidden_frames.rb:29: warning: text
further(4) # => hidden_frames.rb:35: warning: text
further(9) # => warning: text
hidden_warn(0) # => hidden_frames.rb:37: warning: text
hidden_warn(1) # => hidden_frames.rb:38: warning: text
method(:warn).call("text", uplevel: 0) # => hidden_frames.rb:39: warning: text
method(:warn).call("text", uplevel: 1) # => hidden_frames.rb:40: warning: text
method(:warn).call("text", uplevel: 2) # => warning: text
1.times { warn("text", uplevel: 1) } # => hidden_frames.rb:42: warning: text
1.times { warn("text", uplevel: 2) } # => hidden_frames.rb:43: warning: text
1.times { warn("text", uplevel: 3) } # => warning: text
