# RubyGems' own `require` and `warn` are no frames of the program's, and Kernel#warn stays what it was.
# parallel: no, $stderr is the process's
require "rubygems"
require "tempfile"
Gem::VERSION
file = Tempfile.new(["frames", ".rb"])
file.write(<<~RUBY)
  $seen = caller.map { _1[/:\\d+:.*/] }
  $path = caller_locations(1).first.path
  4.times { |i| warn("text", uplevel: 3 + i) }
RUBY
file.close
$stdout = Class.new { def write(text) = STDOUT.write(text.sub(/.*gem_frames/, "gem_frames")) }.new
$stderr = $stdout
def load_it(path) = require(path)
load_it(file.path)
# => gem_frames.rb:15: warning: text
# => gem_frames.rb:15: warning: text
# => gem_frames.rb:15: warning: text
# => gem_frames.rb:16: warning: text
p $seen # => [":15:in 'Kernel#require'", ":15:in 'Object#load_it'", ":16:in '<main>'"]
p $path == __FILE__ # => true
p Kernel.instance_method(:warn).parameters # => [[:rest, :msgs], [:key, :uplevel], [:key, :category]]
begin
  require "none/such"
rescue LoadError => e
  p e.backtrace.map { _1[/:\d+:.*/] } # => [":25:in 'Kernel#require'", ":25:in '<main>'"]
end
